/* A small FMI 3.0 co-simulation FMU, x' = k (u - x), y = x, that keeps to the standard and is strict about the order of calls.
   Faults are switched on by macros: faults.h lists those that it shares with fmu.c, and the comment below its own. */
#define _GNU_SOURCE
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include "ends.h"
#include "faults.h"

/* What fmi3DoStep answers besides its status: EVENT_NEEDED, TERMINATE, EARLY_RETURN (bytes), LAST_TIME [s]; OWN_TIME is answered only [s].
   TRUE_BYTE: the byte that stands for true in Boolean outputs; NULL_STRING, BINARY_SIZE, NULL_BINARY: what the functions for them give;
   UPDATES: asks for inputs during a step at UPDATE_AT [s]; UPDATE_FROM_THREAD, UPDATE_BETWEEN_STEPS: does so where it must not.
   INNER_STEP, of faults.h: it returns early where no step inside ends at the end.
   EVENTS: has event mode, where x is halved every 0.25 s. It is then strict about what only event mode permits. UPDATE_AGAIN, UPDATE_ENDS, NEXT_EVENT [s]: what
   fmi3UpdateDiscreteStates answers. */
#ifndef EVENT_NEEDED
#define EVENT_NEEDED 0
#endif
#ifndef TERMINATE
#define TERMINATE 0
#endif
#ifndef EARLY_RETURN
#define EARLY_RETURN 0
#endif
#ifndef LAST_TIME
#define LAST_TIME (t + h)
#endif
#ifndef TRUE_BYTE
#define TRUE_BYTE 1
#endif
#ifndef BINARY_SIZE
#define BINARY_SIZE 3
#endif
#ifndef UPDATE_AGAIN
#define UPDATE_AGAIN 0
#endif
#ifndef UPDATE_ENDS
#define UPDATE_ENDS 0
#endif
#ifndef NEXT_EVENT
#define NEXT_EVENT self->now.next_event
#endif
#ifndef UPDATE_AT
#define UPDATE_AT (t + h / 2)
#endif

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void (*LogMessage)(void *environment, fmi3Status, const char *category, const char *message);
typedef void (*IntermediateUpdate)(void *environment, double time, uint8_t set_requested, uint8_t get_allowed, uint8_t step_finished,
                                   uint8_t can_return_early, uint8_t *return_requested, double *return_time);
typedef unsigned Reference;

enum { TIME, U, Y, K, X0, PAIR, LEVEL, STEPS, ENABLE, POSITIVE, LABEL, TEXT, BLOB };
enum { INSTANTIATED = 1, INITIALIZATION = 2, STEP = 4, ENDED = 8, ERRONEOUS = 16, FATAL = 32, UPDATING = 64, EVENT = 128 };
enum { ANY = INSTANTIATED | INITIALIZATION | STEP | EVENT | ENDED | ERRONEOUS, SETTABLE = INSTANTIATED | INITIALIZATION | STEP | EVENT | UPDATING };

typedef struct {
    int phase, enable;
    /* Whether an event waits for event mode, whether the discrete states were updated there, and whether inputs were set since the last step. */
    int awaits_event, is_updated, is_set;
    double next_event, time, x, u, k, x0;
    int64_t level;
    uint64_t steps;
    char label[32];
} State;

typedef struct {
    State now;
    void *environment;
    LogMessage log;
    IntermediateUpdate update;
    int faults_left, event_mode;
    char text[64];
} Instance;

/* Volatile, as what is compiled is not what is run. */
static const volatile char replies[REPLIES_SPACE] = REPLIES_MARK;

static int listed_reply(const char *function) {
    size_t length = strlen(function);
    for (const char *at = (const char *)replies + strlen(REPLIES_MARK); (at = strstr(at, function)); at += length)
        if (at[length] == '=') return atoi(at + length + 1);
    return fmi3OK;
}

__attribute__((format(printf, 3, 4))) static fmi3Status say(Instance *self, fmi3Status status, const char *format, ...) {
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    self->log(self->environment, status, "logStatus", text);
    if (status == fmi3Error) self->now.phase = ERRONEOUS;
    if (status == fmi3Fatal) self->now.phase = FATAL;
    return status;
}

/* Checks the order of calls, and gives the reply that a fault wants. Calling an FMU that is lost is the one thing that it does not survive. */
static int enter(Instance *self, const char *function, int phases) {
    if (self->now.phase == FATAL) {
        fprintf(stderr, "%s called after fmi3Fatal\n", function);
        abort();
    }
    if (!(self->now.phase & phases)) return say(self, fmi3Error, "%s called in the wrong state (%d)", function, self->now.phase);
    int reply = listed_reply(function);
    if (reply == fmi3OK || self->now.time < FAULT_AT || self->faults_left <= 0) return fmi3OK;
    self->faults_left--;
    end_process(reply);
    return say(self, reply, "%s returns %d in this test", function, reply);
}

#define ENTER(phases) \
    Instance *self = instance; \
    int refused = enter(self, __func__, phases); \
    if (refused != fmi3OK && refused != fmi3Warning) return refused
#define EXPORT __attribute__((visibility("default")))

EXPORT const char *fmi3GetVersion(void) {
    end_process(listed_reply(__func__));
    return "3.0";
}

static void set_defaults(Instance *self) { self->now = (State){.phase = INSTANTIATED, .enable = 1, .k = 1, .x0 = 1, .label = "none"}; }

EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, uint8_t visible, uint8_t logging,
                                         uint8_t event_mode, uint8_t early_return, const Reference required[], size_t n_required,
                                         void *environment, LogMessage log, IntermediateUpdate update) {
    (void)name, (void)resources, (void)visible, (void)logging, (void)early_return, (void)required, (void)n_required;
    end_process(listed_reply(__func__));
    if (strcmp(token, "{hostile}") != 0) return log(environment, fmi3Error, "logStatus", "the token is another one"), NULL;
#ifdef INSTANTIATE_FAILS
    return log(environment, fmi3Error, "logStatus", "no license found"), NULL;
#endif
    Instance *self = calloc(1, sizeof *self);
    if (!self) abort();
    self->environment = environment;
    self->log = log;
    self->update = update;
    self->faults_left = FAULT_TIMES;
    self->event_mode = event_mode;
    set_defaults(self);
    return self;
}

EXPORT void fmi3FreeInstance(void *instance) {
    if (instance) end_process(listed_reply(__func__));
    free(instance);
}

EXPORT fmi3Status fmi3SetDebugLogging(void *instance, uint8_t on, size_t n, const char *const categories[]) {
    (void)on, (void)n, (void)categories;
    ENTER(ANY);
    return fmi3OK;
}

EXPORT fmi3Status fmi3EnterInitializationMode(void *instance, uint8_t has_tolerance, double tolerance, double start, uint8_t has_stop, double stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    ENTER(INSTANTIATED);
    self->now.time = start;
    self->now.x = self->now.x0;
    self->now.phase = INITIALIZATION;
    return refused;
}

EXPORT fmi3Status fmi3ExitInitializationMode(void *instance) {
    ENTER(INITIALIZATION);
    self->now.x = self->now.x0;
    self->now.phase = self->event_mode ? EVENT : STEP;
    self->now.next_event = self->now.time + 0.25;
    return refused;
}

EXPORT fmi3Status fmi3Terminate(void *instance) {
    ENTER(STEP);
    self->now.phase = ENDED;
    return refused;
}

EXPORT fmi3Status fmi3Reset(void *instance) {
    ENTER(ANY);
    set_defaults(self);
    return refused;
}

#ifdef EVENTS
EXPORT fmi3Status fmi3EnterEventMode(void *instance) {
    ENTER(STEP);
    if (!self->event_mode) return say(self, fmi3Error, "event mode is not in use");
    self->now.phase = EVENT;
    self->now.is_updated = 0;
    return refused;
}

EXPORT fmi3Status fmi3UpdateDiscreteStates(void *instance, uint8_t *again, uint8_t *terminate, uint8_t *nominals, uint8_t *states, uint8_t *has_next,
                                           double *next) {
    ENTER(EVENT);
    *states = self->now.time >= self->now.next_event;
    if (*states) {
        self->now.x /= 2;
        self->now.next_event += 0.25;
    }
    self->now.is_updated = 1;
    self->now.awaits_event = 0;
    *again = UPDATE_AGAIN;
    *terminate = UPDATE_ENDS;
    *nominals = 0;
    *has_next = 1;
    *next = NEXT_EVENT;
    return refused;
}

EXPORT fmi3Status fmi3EnterStepMode(void *instance) {
    ENTER(EVENT);
    if (!self->now.is_updated) return say(self, fmi3Error, "fmi3EnterStepMode before fmi3UpdateDiscreteStates");
    self->now.phase = STEP;
    self->now.is_set = 0;
    return refused;
}

/* Whether a step is allowed with respect to events. */
static fmi3Status refuse_step(Instance *self, double t, double h) {
    if (!self->event_mode) return fmi3OK;
    if (self->now.awaits_event) return say(self, fmi3Error, "a step at %g s before the event there", t);
    if (t + h > self->now.next_event + 1e-12) return say(self, fmi3Error, "the step from %g s goes past the event at %g s", t, self->now.next_event);
    return fmi3OK;
}
#endif

/* Discrete variables change in event mode only, if it is in use. */
static fmi3Status refuse_discrete(Instance *self, const char *function) {
    if (self->event_mode && self->now.phase == STEP) return say(self, fmi3Error, "%s for a discrete input outside of event mode", function);
    return fmi3OK;
}

#ifdef UPDATES
static void ask(Instance *self, double time) {
    uint8_t is_early = 0;
    double early = 0;
    if (!self->update) return;
    self->update(self->environment, time, 1, 0, 0, 0, &is_early, &early);
    if (is_early) abort();
}

static void *ask_from_thread(void *instance) {
    Instance *self = instance;
    ask(self, self->now.time);
    return NULL;
}

static void ask_during_step(Instance *self, double t, double h) {
    (void)t, (void)h;
#ifdef UPDATE_FROM_THREAD
    pthread_t thread;
    if (pthread_create(&thread, NULL, ask_from_thread, self) != 0) abort();
    pthread_join(thread, NULL);
#else
    self->now.phase = UPDATING;
    ask(self, UPDATE_AT);
    if (self->now.phase == UPDATING) self->now.phase = STEP;
    (void)ask_from_thread;
#endif
}
#endif

EXPORT fmi3Status fmi3DoStep(void *instance, double t, double h, uint8_t commit, uint8_t *event_needed, uint8_t *terminate, uint8_t *early_return,
                             double *last_time) {
    (void)commit;
    Instance *self = instance;
    int reply = h > FAULT_ABOVE ? enter(self, __func__, STEP) : fmi3OK;
    if (reply != fmi3OK && reply != fmi3Warning) return reply;
    if (!(fabs(t - self->now.time) <= 1e-9 * fmax(fabs(t), h))) return say(self, fmi3Error, "the step begins at %g, not at %g", t, self->now.time);
#ifdef UPDATES
    ask_during_step(self, t, h);
#endif
#ifdef EVENTS
    if (refuse_step(self, t, h) != fmi3OK) return fmi3Error;
#endif
    double reached = LAST_TIME;
    if (INNER_STEP > 0) reached = t + INNER_STEP * floor(h / INNER_STEP + 1e-6);
    if (self->now.enable) self->now.x += (self->now.u - self->now.x) * -expm1(-self->now.k * (isfinite(reached) ? reached - t : h));
    self->now.time = isfinite(reached) ? reached : t + h;
    self->now.steps++;
    self->now.awaits_event = EVENT_NEEDED || self->now.time >= self->now.next_event;
    self->now.is_set = 0;
    *event_needed = EVENT_NEEDED;
    *terminate = TERMINATE;
    *early_return = EARLY_RETURN || (INNER_STEP > 0 && reached < (t + h) * (1 - 1e-9));
#ifndef UNWRITTEN_OUTPUTS
#ifdef OWN_TIME
    reached = OWN_TIME;
#endif
    *last_time = reached;
#else
    (void)last_time;
#endif
    return reply;
}

static fmi3Status unknown(Instance *self, Reference reference) { return say(self, fmi3Error, "no variable %u of this type", reference); }

EXPORT fmi3Status fmi3GetFloat64(void *instance, const Reference references[], size_t n, double values[], size_t n_values) {
    ENTER(ANY);
#ifdef UPDATE_BETWEEN_STEPS
    if (self->now.phase == STEP) ask(self, self->now.time);
#endif
    if (self->event_mode && self->now.phase == STEP && self->now.is_set) return say(self, fmi3Error, "outputs read after inputs were set");
    const double y = self->now.time >= NAN_AT && self->now.phase == STEP ? BAD_OUTPUT : self->now.x;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = references[i] == PAIR ? 2 : 1;
        if (at + length > n_values) return say(self, fmi3Error, "%zu values are too few", n_values);
        switch (references[i]) {
        case TIME: values[at] = self->now.time; break;
        case U: values[at] = self->now.u; break;
        case Y: values[at] = y; break;
        case K: values[at] = self->now.k; break;
        case X0: values[at] = self->now.x0; break;
        case PAIR: values[at] = y, values[at + 1] = -y; break;
        default: return unknown(self, references[i]);
        }
        at += length;
    }
    if (at != n_values) return say(self, fmi3Error, "%zu values instead of %zu", n_values, at);
    return refused;
}

EXPORT fmi3Status fmi3SetFloat64(void *instance, const Reference references[], size_t n, const double values[], size_t n_values) {
    ENTER(SETTABLE);
    if (n != n_values) return say(self, fmi3Error, "%zu values instead of %zu", n_values, n);
    self->now.is_set = 1;
    for (size_t i = 0; i < n; i++) {
        if (self->now.phase == UPDATING && references[i] != U) return unknown(self, references[i]);
        switch (references[i]) {
        case U: self->now.u = values[i]; break;
        case K: self->now.k = values[i]; break;
        case X0: self->now.x0 = values[i]; break;
        default: return unknown(self, references[i]);
        }
    }
    return refused;
}

/* Defines a function that reads or sets the only two variables of a type, one of which can be set. */
#define GETTER(name, type, first, one, second, other) \
    EXPORT fmi3Status name(void *instance, const Reference references[], size_t n, type values[], size_t n_values) { \
        ENTER(ANY); \
        if (n != n_values) return say(self, fmi3Error, "%zu values instead of %zu", n_values, n); \
        for (size_t i = 0; i < n; i++) { \
            if (references[i] == first) values[i] = one; \
            else if (references[i] == second) values[i] = other; \
            else return unknown(self, references[i]); \
        } \
        return refused; \
    }
#define SETTER(name, type, reference, field, value) \
    EXPORT fmi3Status name(void *instance, const Reference references[], size_t n, const type values[], size_t n_values) { \
        ENTER(SETTABLE); \
        if (n != n_values) return say(self, fmi3Error, "%zu values instead of %zu", n_values, n); \
        if (refuse_discrete(self, __func__) != fmi3OK) return fmi3Error; \
        for (size_t i = 0; i < n; i++) { \
            if (references[i] != reference) return unknown(self, references[i]); \
            field = value; \
        } \
        return refused; \
    }

static const char *text_of(Instance *self) {
#ifdef NULL_STRING
    (void)self;
    return NULL;
#elif defined BAD_UTF8
    (void)self;
    return "\xff\xfe";
#else
    snprintf(self->text, sizeof self->text, "label %s", self->now.label);
    return self->text;
#endif
}

GETTER(fmi3GetInt64, int64_t, LEVEL, self->now.level, LEVEL, self->now.level)
SETTER(fmi3SetInt64, int64_t, LEVEL, self->now.level, values[i])
GETTER(fmi3GetUInt64, uint64_t, STEPS, self->now.steps, STEPS, self->now.steps)
GETTER(fmi3GetBoolean, uint8_t, ENABLE, self->now.enable ? TRUE_BYTE : 0, POSITIVE, self->now.x > 0 ? TRUE_BYTE : 0)
SETTER(fmi3SetBoolean, uint8_t, ENABLE, self->now.enable, values[i] != 0)
GETTER(fmi3GetString, const char *, LABEL, self->now.label, TEXT, text_of(self))

EXPORT fmi3Status fmi3SetString(void *instance, const Reference references[], size_t n, const char *const values[], size_t n_values) {
    ENTER(SETTABLE);
    for (size_t i = 0; i < n && i < n_values; i++) {
        if (references[i] != LABEL) return unknown(self, references[i]);
        snprintf(self->now.label, sizeof self->now.label, "%s", values[i]);
    }
    return refused;
}

EXPORT fmi3Status fmi3GetBinary(void *instance, const Reference references[], size_t n, size_t sizes[], const uint8_t *values[], size_t n_values) {
    static const uint8_t bytes[3] = {1, 2, 3};
    ENTER(ANY);
    for (size_t i = 0; i < n && i < n_values; i++) {
        if (references[i] != BLOB) return unknown(self, references[i]);
        sizes[i] = BINARY_SIZE;
#ifdef NULL_BINARY
        values[i] = NULL;
        (void)bytes;
#else
        values[i] = bytes;
#endif
    }
    return refused;
}

EXPORT fmi3Status fmi3GetFMUState(void *instance, void **state) {
    ENTER(ANY);
#ifdef NULL_STATE
    *state = NULL;
    return refused;
#endif
    if (!*state) *state = malloc(sizeof(State));
    if (!*state) abort();
    memcpy(*state, &self->now, sizeof(State));
    return refused;
}

EXPORT fmi3Status fmi3SetFMUState(void *instance, void *state) {
    ENTER(ANY);
    double x = self->now.x;
    memcpy(&self->now, state, sizeof(State));
#ifdef FORGETFUL_STATE
    self->now.x = x;
#endif
    (void)x;
    return refused;
}

EXPORT fmi3Status fmi3FreeFMUState(void *instance, void **state) {
    ENTER(ANY);
    free(*state);
    *state = NULL;
    return refused;
}

EXPORT fmi3Status fmi3SerializedFMUStateSize(void *instance, void *state, size_t *size) {
    (void)state;
    ENTER(ANY);
    *size = SERIALIZED_SIZE;
    return refused;
}

EXPORT fmi3Status fmi3SerializeFMUState(void *instance, void *state, uint8_t bytes[], size_t size) {
    ENTER(ANY);
    if (size != sizeof(State)) return say(self, fmi3Error, "%zu bytes instead of %zu", size, sizeof(State));
    memcpy(bytes, state, size);
    return refused;
}

EXPORT fmi3Status fmi3DeserializeFMUState(void *instance, const uint8_t bytes[], size_t size, void **state) {
    ENTER(ANY);
    if (size != sizeof(State)) return say(self, fmi3Error, "%zu bytes instead of %zu", size, sizeof(State));
    if (!*state) *state = malloc(size);
    if (!*state) abort();
    memcpy(*state, bytes, size);
    return refused;
}
