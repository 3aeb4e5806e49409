/* A small FMI 2.0 co-simulation FMU, x' = k (u - x), y = x, that keeps to the standard and is strict about the order of calls.
   Faults are switched on by macros: faults.h lists them. This file: life cycle and steps. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include "ends.h"
#include "gate.h"
#include "instance.h"
#include "misbehave.h"
#include "traces.h"
#ifdef NEEDS_LIBRARIES
#include "libraries.h"
#endif
#ifdef TRESPASS
#include "sandbox.h"
#endif

#define GUID "{hostile}"

static int instances;

/* Volatile, as what is compiled is not what is run. */
static const volatile char replies[REPLIES_SPACE] = REPLIES_MARK;

fmi2Status say(Instance *self, fmi2Status status, const char *format, ...) {
    static const char *const categories[] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal", "logEvents"};
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *category = categories[status >= 0 && status <= fmi2Pending ? status : 0];
    if (self->callbacks->logger) self->callbacks->logger(self->callbacks->componentEnvironment, self->name, status, category, "%s", text);
    if (status == fmi2Error) self->now.phase = ERRONEOUS;
    if (status == fmi2Fatal) self->now.phase = FATAL;
    return status;
}

/* What is listed for a function, or "0". */
static const char *listed(const char *function) {
    size_t length = strlen(function);
    for (const char *at = (const char *)replies + strlen(REPLIES_MARK); (at = strstr(at, function)); at += length)
        if (at[length] == '=') return at + length + 1;
    return "0";
}

static int listed_reply(const char *function) { return atoi(listed(function)); }

/* The reply that a switched-on fault wants; crashes or waits at once where that is the fault. */
static int reply_of(Instance *self, const char *function) {
    int reply = listed_reply(function);
    if (reply == fmi2OK || self->now.time < FAULT_AT || self->faults_left <= 0) return fmi2OK;
    self->faults_left--;
    if (reply == REPLY_GATE) return wait_at_gate(listed("gate"), self->now.time), fmi2OK;
    end_process(reply);
    return reply == REPLY_CORRUPT ? fmi2OK : reply;
}

static void at_exit(void) { end_process(listed_reply(__func__)); }

__attribute__((constructor)) static void constructor(void) {
    end_process(listed_reply(__func__));
    if (listed_reply("at_exit") != fmi2OK) atexit(at_exit);
}

__attribute__((destructor)) static void destructor(void) { end_process(listed_reply(__func__)); }

/* Checks the call table. Calling an FMU that is lost is the one thing that it does not survive. */
static int allowed(Instance *self, const char *function, int phases) {
    if (self->now.phase == FATAL) {
        fprintf(stderr, "%s: %s called after fmi2Fatal\n", self->name, function);
        abort();
    }
    self->result = fmi2OK;
    if (self->now.phase & phases) return 1;
    say(self, fmi2Error, "%s called in the wrong state (%d)", function, self->now.phase);
    return 0;
}

int enter(Instance *self, const char *function, int phases) {
    if (!allowed(self, function, phases)) return fmi2Error;
    int reply = reply_of(self, function);
    if (reply != fmi2OK) say(self, reply, "%s returns %d in this test", function, reply);
    self->result = reply == fmi2Warning ? fmi2Warning : fmi2OK;
    return reply == fmi2Warning ? fmi2OK : reply;
}

fmi2String fmi2GetTypesPlatform(void) {
    end_process(listed_reply(__func__));
    return PLATFORM;
}

fmi2String fmi2GetVersion(void) {
    end_process(listed_reply(__func__));
    return VERSION;
}

static void set_defaults(Instance *self) {
    self->now = (State){.phase = INSTANTIATED, .enable = 1, .k = 1, .x0 = 1, .label = INITIAL_LABEL};
#ifdef NEEDS_LIBRARIES
    self->now.x0 += of_all_libraries();
#endif
    self->has_stop = 0;
}

void *allocate(const fmi2CallbackFunctions *callbacks, size_t size) {
#ifdef MEMORY_CALLBACKS
    void *memory = callbacks->allocateMemory ? callbacks->allocateMemory(1, size) : NULL;
#else
    void *memory = calloc(1, size);
    (void)callbacks;
#endif
    if (!memory) abort();
    return memory;
}

void release(const fmi2CallbackFunctions *callbacks, void *memory) {
#ifdef MEMORY_CALLBACKS
    callbacks->freeMemory(memory);
#else
    (void)callbacks;
    free(memory);
#endif
}

static int acceptable(Instance *self, fmi2Type type, fmi2String guid) {
#ifdef INSTANTIATE_FAILS_SILENTLY
    return 0;
#endif
#ifdef INSTANTIATE_FAILS
    return say(self, fmi2Error, "no license found"), 0;
#endif
#ifdef NOT_IN_HOSTS
    if (strcmp(program_invocation_short_name, "lotka-fmu-host") == 0) return say(self, fmi2Error, "no license for this program"), 0;
#endif
#ifdef ONCE_PER_PROCESS
    if (instances > 0) return say(self, fmi2Error, "there is an instance already"), 0;
#endif
#ifdef SHORT_NAMES
    if (strlen(self->name) > 100) return say(self, fmi2Error, "the name is too long"), 0;
#endif
    if (type != fmi2CoSimulation) return say(self, fmi2Error, "not a model-exchange FMU"), 0;
    if (!guid || strcmp(guid, GUID) != 0) return say(self, fmi2Error, "the GUID is %s, not %s", guid ? guid : "NULL", GUID), 0;
    return 1;
}

#ifdef NEEDS_NEIGHBOR
double neighbor(void);
#endif
#ifdef NEEDS_NOBODY
double nobody(void);
#endif

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    (void)resources, (void)visible;
    if (!callbacks || !name || !*name) return NULL;
#ifdef SAME_INSTANCE
    static Instance *first;
    if (first) return first;
#endif
    Instance *self = allocate(callbacks, sizeof *self);
#ifdef SAME_INSTANCE
    first = self;
#endif
    self->own = *callbacks;
    self->callbacks = &self->own;
#ifdef KEEP_CALLBACKS
    self->callbacks = callbacks;
#endif
    self->name = strdup(name);
    self->logging = logging;
    self->faults_left = FAULT_TIMES;
    int is_acceptable = acceptable(self, type, guid);
    if (reply_of(self, __func__) > fmi2Pending || !is_acceptable) {
        free(self->name);
        release(callbacks, self);
        return NULL;
    }
    set_defaults(self);
    instances++;
    leave_traces();
#ifndef MISBEHAVE_IN_STEP
    misbehave();
#endif
#ifdef NEEDS_NEIGHBOR
    self->now.x0 += neighbor();
#endif
#ifdef NEEDS_NOBODY
    self->now.x0 += nobody();
#endif
    return self;
}

void fmi2FreeInstance(fmi2Component component) {
    Instance *self = component;
    if (!self || !allowed(self, __func__, RESTING)) return;
    reply_of(self, __func__);
#ifdef LOG_AFTER_FREE
    start_thread(log_later, self->callbacks, 0);
#endif
    instances--;
    fmi2CallbackFunctions callbacks = *self->callbacks;
    free(self->name);
    release(&callbacks, self);
}

fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    ENTER(ANY);
#ifdef STRICT_LOG
    for (size_t i = 0; i < n; i++)
        if (strncmp(categories[i], "log", 3)) return say(self, fmi2Error, "there is no category \"%s\"", categories[i]);
#endif
    (void)n, (void)categories;
    self->logging = on;
    return self->result;
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop) {
    (void)tolerance;
    ENTER(INSTANTIATED);
#ifdef NEEDS_STOP
    if (!has_stop) return say(self, fmi2Error, "a stop time is needed");
#endif
#ifdef NEEDS_TOLERANCE
    if (!has_tolerance) return say(self, fmi2Error, "a tolerance is needed");
#endif
    (void)has_tolerance;
    self->now.time = start;
    self->has_stop = has_stop;
    self->stop = stop;
    return self->result;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
    ENTER(INSTANTIATED);
    self->now.x = self->now.x0;
    self->now.phase = INITIALIZATION;
    return self->result;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
    ENTER(INITIALIZATION);
    self->now.x = self->now.x0;
    self->now.phase = COMPLETE;
    self->now.set_since_step = 0;
    return self->result;
}

fmi2Status fmi2Terminate(fmi2Component component) {
    ENTER(COMPLETE | FAILED);
    self->now.phase = ENDED;
    return self->result;
}

fmi2Status fmi2Reset(fmi2Component component) {
    ENTER(RESTING);
    State before = self->now;
#ifdef LEAK
    if (!memset(malloc(LEAK), 1, LEAK)) abort();
#endif
#ifdef RESETS
    static int resets;
    if (resets++ == RESETS) return say(self, fmi2Error, "there is no reset number %d", resets);
#endif
    set_defaults(self);
#ifdef FORGETFUL_RESET
    self->now.steps = before.steps;
#endif
#ifdef FORGETFUL_GRID
    self->now.offset = before.offset;
#endif
    (void)before;
    return self->result;
}

/* How far a step goes inside. */
static double distance(const State *now, double t, double h) {
    double from = t - now->offset;
    return INNER_STEP > 0 ? INNER_STEP * (floor((from + h) / INNER_STEP + 1e-6) - floor(from / INNER_STEP + 1e-6)) : h;
}

#ifdef STATIC_SCRATCH
/* As generated code does: what a step computes goes through memory that all instances have in common. */
static double through_scratch(double value) {
    static volatile double scratch[256];
    static int entered;
    enum { SIZE = sizeof scratch / sizeof *scratch };
    if (__atomic_exchange_n(&entered, 1, __ATOMIC_SEQ_CST)) {
        fprintf(stderr, "two instances are in a step at the same time\n");
        abort();
    }
    for (int i = 0; i < SIZE; i++) scratch[i] = value;
    double sum = 0;
    for (int i = 0; i < SIZE; i++) sum += scratch[i];
    __atomic_store_n(&entered, 0, __ATOMIC_SEQ_CST);
    return sum / SIZE;
}
#endif

static void advance(Instance *self, double t, double h) {
    State *now = &self->now;
#ifdef STATIC_SCRATCH
    now->x = through_scratch(now->x);
#endif
    double lag = now->slope == 0 ? 0 : now->slope / now->k;
    if (now->enable) now->x += (now->u - lag - now->x) * -expm1(-now->k * distance(now, t, h)) + now->slope * h;
    now->x += disturbance(self, instances);
#ifdef FORGETFUL_GRID
    if (now->offset == 0) now->offset = t + h;
#endif
    now->u += now->slope * h;
    now->time = t + h;
    now->steps++;
    now->set_since_step = 0;
}

static const char *step_problem(const Instance *self, double t, double h) {
    const State *now = &self->now;
    double slack = 1e-9 * fmax(fabs(t), h), stop_slack = slack;
#ifdef STRICT_TIME
    if (t != now->time) return "the communication point is not bitwise the end of the last step";
#endif
#ifdef STRICT_STOP
    stop_slack = 0;
#endif
#ifdef STRICT_STEP
    if (now->steps > 0 && h != now->step) return "the step size is not bitwise that of the last step";
#endif
    if (!(h > 0)) return "the step size is not positive";
    if (!(fabs(t - now->time) <= slack)) return "the communication point is not the end of the last step";
#ifdef NO_STOP
    stop_slack = INFINITY;
#endif
    if (self->has_stop && t + h > self->stop + stop_slack) return "the step ends after the stop time";
    return NULL;
}

static fmi2Status discard(Instance *self, double t, double h) {
    advance(self, t, h / 2);
    self->now.last_successful_time = LAST_SUCCESSFUL_TIME;
    self->now.phase = FAILED;
    return say(self, fmi2Discard, "a step of %g s at %g s is too large", h, t);
}

static fmi2Status start_pending(Instance *self, double h) {
    self->now.phase = IN_PROGRESS;
    self->now.pending_step = h;
    self->polls_left = PENDING_POLLS;
    return fmi2Pending;
}

static void step_noisily(Instance *self) {
#ifdef MISBEHAVE_IN_STEP
    misbehave();
#endif
#ifdef BAD_LOG
    log_oddly(self->callbacks);
#endif
#ifdef LOG_FROM_THREAD
    start_thread(log_from_thread, self->callbacks, 1);
#endif
#ifdef LOG_EACH_STEP
    if (self->logging) say(self, fmi2OK, "step %d at %.17g", self->now.steps, self->now.time);
#endif
    for (int i = 0; i < LOG_LINES; i++) say(self, fmi2Warning, LOG_LINE, i);
#ifdef LOG_FOREVER
    for (;;) say(self, fmi2OK, "and so on");
#endif
    (void)self, (void)log_oddly, (void)log_from_thread, (void)log_later, (void)start_thread;
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real t, fmi2Real h, fmi2Boolean commit) {
    Instance *self = component;
    if (!allowed(self, __func__, COMPLETE)) return fmi2Error;
    const char *problem = step_problem(self, t, h);
    if (problem) return say(self, fmi2Error, "%s: t = %.17g, h = %.17g, own time %.17g", problem, t, h, self->now.time);
    step_noisily(self);
#ifdef TRESPASS
    const char *refusal = trespass(self->now.label);
#ifdef TRESPASS_QUIETLY
    refusal = NULL;
#endif
    if (refusal) return say(self, fmi2Error, "cannot %s: %s", self->now.label, refusal);
#endif
    int reply = h > FAULT_ABOVE && h < FAULT_BELOW ? reply_of(self, __func__) : fmi2OK;
    self->now.step = h;
    if (reply == fmi2Discard) return discard(self, t, h);
    if (reply == fmi2Pending) return start_pending(self, h);
    if (reply != fmi2OK) say(self, reply, "the step at %g s returns %d in this test", t, reply);
#ifdef NEEDS_COMMIT
    double held = commit ? NAN : self->now.x;
#else
    double held = NAN;
    (void)commit;
#endif
    if (reply == fmi2OK || reply == fmi2Warning) advance(self, t, h);
    if (!isnan(held)) self->now.x = held;
    return reply;
}

fmi2Status fmi2CancelStep(fmi2Component component) {
    ENTER(IN_PROGRESS);
    self->now.phase = CANCELED;
    return self->result;
}

enum { ASKABLE = COMPLETE | IN_PROGRESS | FAILED | ENDED };

fmi2Status fmi2GetStatus(fmi2Component component, fmi2StatusKind kind, fmi2Status *value) {
    ENTER(ASKABLE);
    if (kind != fmi2DoStepStatus) return fmi2Discard;
    *value = fmi2OK;
    if (self->now.phase == IN_PROGRESS && self->polls_left != 0) {
        self->polls_left -= self->polls_left > 0;
        *value = fmi2Pending;
    } else if (self->now.phase == IN_PROGRESS) {
        self->now.phase = COMPLETE;
        advance(self, self->now.time, self->now.pending_step);
    }
    return self->result;
}

fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real *value) {
    ENTER(ASKABLE);
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = self->now.phase == FAILED ? self->now.last_successful_time : self->now.time;
    return self->result;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component component, fmi2StatusKind kind, fmi2Integer *value) {
    (void)kind, (void)value;
    ENTER(ASKABLE);
    return fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2StatusKind kind, fmi2Boolean *value) {
    ENTER(ASKABLE);
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = self->now.phase == FAILED ? TERMINATED : fmi2False;
    return self->result;
}

fmi2Status fmi2GetStringStatus(fmi2Component component, fmi2StatusKind kind, fmi2String *value) {
    ENTER(ASKABLE);
    if (kind != fmi2PendingStatus) return fmi2Discard;
    *value = self->now.phase == IN_PROGRESS ? "computing" : "idle";
    return self->result;
}
