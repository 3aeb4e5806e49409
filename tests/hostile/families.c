/* An FMU of FMI 3.0 with one of many faults, chosen at run time: the text "fault=NAME" among the replies names it, and the functions below say what it
   does. Without a fault it is fmi3.c with more variables: arrays whose size is the structural parameter `n`, a matrix, all widths of integers, Float32. */
#define EVENTS
#define UPDATES
#define fmi3InstantiateCoSimulation sound_InstantiateCoSimulation
#define fmi3FreeInstance sound_FreeInstance
#define fmi3Terminate sound_Terminate
#define fmi3DoStep sound_DoStep
#define fmi3UpdateDiscreteStates sound_UpdateDiscreteStates
#define fmi3EnterEventMode sound_EnterEventMode
#define fmi3GetFloat64 sound_GetFloat64
#define fmi3GetUInt64 sound_GetUInt64
#define fmi3GetBoolean sound_GetBoolean
#define fmi3GetString sound_GetString
#define fmi3GetBinary sound_GetBinary
#define fmi3GetFMUState sound_GetFMUState
#define fmi3SetFMUState sound_SetFMUState
#define fmi3FreeFMUState sound_FreeFMUState
#define fmi3SerializedFMUStateSize sound_SerializedFMUStateSize
#define fmi3SerializeFMUState sound_SerializeFMUState
#define fmi3DeserializeFMUState sound_DeserializeFMUState
#include "fmi3.c"
#undef fmi3InstantiateCoSimulation
#undef fmi3FreeInstance
#undef fmi3Terminate
#undef fmi3DoStep
#undef fmi3UpdateDiscreteStates
#undef fmi3EnterEventMode
#undef fmi3GetFloat64
#undef fmi3GetUInt64
#undef fmi3GetBoolean
#undef fmi3GetString
#undef fmi3GetBinary
#undef fmi3GetFMUState
#undef fmi3SetFMUState
#undef fmi3FreeFMUState
#undef fmi3SerializedFMUStateSize
#undef fmi3SerializeFMUState
#undef fmi3DeserializeFMUState
#include <float.h>
#include <sys/mman.h>

enum { N = 20, VECTOR, MATRIX, SINGLE = 30, I8, U8, I16, U16, I32, U32 };

/* One instance has the faults at a time; the sizes of its arrays and its calls so far are here. */
static uint64_t size = 3;
static int calls, is_configuring;
static Instance *last_instance;

static int is(const char *name) {
    const char *at = strstr((const char *)replies + strlen(REPLIES_MARK), "fault=");
    size_t length = strlen(name);
    return at && strncmp(at + strlen("fault="), name, length) == 0 && (at[strlen("fault=") + length] == ',' || !at[strlen("fault=") + length]);
}

/* From t = 0.5 s on. */
static int is_late(const Instance *self) { return self->now.time > 0.45; }

/* A page that nobody may touch, behind one that ends with these bytes. */
static const char *before_abyss(const char *bytes, size_t length) {
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + 4096, 4096, PROT_NONE) != 0) abort();
    return memcpy(pages + 4096 - length, bytes, length);
}

static void *freed_page(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || munmap(page, 4096) != 0) abort();
    return page;
}

/* Callbacks. */

static void *log_from_elsewhere(void *instance) {
    Instance *self = instance;
    for (int i = 0; i < 50; i++) self->log(self->environment, fmi3OK, "logEvents", "from a thread");
    return NULL;
}

static void in_thread(void *(*run)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, argument) != 0 || pthread_join(thread, NULL) != 0) abort();
}

/* Outlives the instance, whose callbacks it copies. */
static void *log_for_ever(void *copy) {
    for (Instance *self = copy;;) {
        self->log(self->environment, fmi3Warning, "logEvents", "after the end");
        if (self->update) self->update(self->environment, 1, 1, 0, 0, 0, NULL, NULL);
        usleep(200);
    }
    return NULL;
}

static void leave_logger(const Instance *self) {
    pthread_t thread;
    Instance *copy = malloc(sizeof *copy);
    if (!copy) abort();
    *copy = *self;
    if (pthread_create(&thread, NULL, log_for_ever, copy) != 0) abort();
    pthread_detach(thread);
}

static void *step_elsewhere(void *instance);

static void call_back(Instance *self, double t, double h) {
    uint8_t early = 0;
    double time = 0;
    if (is("log-null")) self->log(self->environment, fmi3Warning, NULL, NULL);
    if (is("log-no-environment")) self->log(NULL, fmi3Warning, "logEvents", "for nobody");
    if (is("log-status")) self->log(self->environment, (fmi3Status)77, "logEvents", "an unknown status");
    if (is("log-negative")) self->log(self->environment, (fmi3Status)-1, "logEvents", "a negative status");
    if (is("log-bytes")) self->log(self->environment, fmi3Warning, "\xff", "\xff\xfe \x1b[2J %n %s");
    if (is("log-empty")) self->log(self->environment, fmi3Warning, "", "");
    if (is("log-thread")) in_thread(log_from_elsewhere, self);
    if (is("log-flood")) for (int i = 0; i < 2000; i++) self->log(self->environment, fmi3OK, "logEvents", "and so on");
    if (is("log-abyss")) self->log(self->environment, fmi3Warning, "logEvents", before_abyss("xxxx", 4));
    if (is("log-freed")) self->log(self->environment, fmi3Warning, "logEvents", freed_page());
    if (!self->update) return;
    if (is("ask-null")) self->update(self->environment, t, 1, 1, 1, 1, NULL, NULL);
    if (is("ask-no-environment")) self->update(NULL, t, 1, 0, 0, 0, &early, &time);
    if (is("ask-backwards")) for (int i = 10; i >= 0; i--) self->update(self->environment, t + i * h / 10, 1, 0, 0, 0, &early, &time);
    if (is("ask-often")) for (int i = 0; i < 1000; i++) self->update(self->environment, t + i * h / 1000, 1, 0, 0, 0, &early, &time);
    if (is("ask-infinite")) self->update(self->environment, INFINITY, 1, 0, 0, 0, &early, &time);
    if (is("ask-negative-infinite")) self->update(self->environment, -INFINITY, 1, 0, 0, 0, &early, &time);
    if (is("ask-bytes")) self->update(self->environment, t, 0x80, 0xff, 0xff, 0xff, &early, &time);
    if (is("ask-nothing")) self->update(self->environment, t, 0, 0, 0, 0, &early, &time);
}

static void *step_elsewhere(void *instance) {
    Instance *self = instance;
    uint8_t event, terminate, early;
    double time;
    sound_DoStep(self, self->now.time, 0.01, 0, &event, &terminate, &early, &time);
    return NULL;
}

EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, uint8_t visible, uint8_t logging,
                                         uint8_t event_mode, uint8_t early_return, const Reference required[], size_t n_required,
                                         void *environment, LogMessage log, IntermediateUpdate update) {
    if (is("instantiate-same") && last_instance) return last_instance;
    if (is("instantiate-odd")) return (void *)1;
    if (is("instantiate-ask") && update) update(environment, 0, 1, 0, 0, 0, NULL, NULL);
    if (is("instantiate-log-null")) log(environment, fmi3OK, NULL, NULL);
    Instance *self =
        sound_InstantiateCoSimulation(name, token, resources, visible, logging, event_mode, early_return, required, n_required, environment, log, update);
    if (is("log-after-free")) leave_logger(self);
    if (is("instantiate-warn")) log(environment, fmi3Fatal, "logStatusFatal", "this is only said");
    return last_instance = self;
}

EXPORT void fmi3FreeInstance(void *instance) {
    Instance *self = instance;
    if (is("free-twice")) sound_FreeInstance(instance);
    if (is("free-log")) self->log(self->environment, fmi3Warning, "logEvents", "while it is freed");
    if (is("free-ask") && self->update) self->update(self->environment, 1, 1, 0, 0, 0, NULL, NULL);
    if (is("free-hang-thread")) in_thread(log_from_elsewhere, self);
    sound_FreeInstance(instance);
    if (is("free-log-later")) self->log((void *)8, fmi3Warning, "logEvents", "for nobody");
}

EXPORT fmi3Status fmi3Terminate(void *instance) {
    Instance *self = instance;
    if (is("terminate-frees")) {
        sound_Terminate(instance);
        memset(instance, 0xff, sizeof *self);
        return fmi3OK;
    }
    fmi3Status status = sound_Terminate(instance);
    if (is("terminate-log")) self->log(self->environment, fmi3Error, "logStatusError", "said at the end");
    if (is("terminate-ask") && self->update) self->update(self->environment, self->now.time, 1, 0, 0, 0, NULL, NULL);
    return status;
}

/* Steps: what lastSuccessfulTime, earlyReturn, eventHandlingNeeded and terminateSimulation say. `early-X` returns at X with the flag, `late-X` from
   0.5 s on, `silent-X` without the flag. */

static int reaches(const char *kind, double t, double h, double *reached) {
    static const char *const places[] = {"begin", "next", "tiny", "middle", "almost", "end", "beyond", "nan", "infinite", "past", "huge"};
    const double times[] = {t,     nextafter(t, INFINITY), t + 1e-300, t + h / 2, nextafter(t + h, -INFINITY), t + h, nextafter(t + h, INFINITY) + h,
                            NAN,   -INFINITY,              t - h,      DBL_MAX};
    char name[64];
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        snprintf(name, sizeof name, "%s-%s", kind, places[i]);
        if (is(name)) return *reached = times[i], 1;
    }
    return 0;
}

EXPORT fmi3Status fmi3DoStep(void *instance, double t, double h, uint8_t commit, uint8_t *event_needed, uint8_t *terminate, uint8_t *early_return,
                             double *last_time) {
    Instance *self = instance;
    calls++;
    call_back(self, t, h);
    double reached = t + h;
    int is_early = reaches("early", t, h, &reached) || (is_late(self) && reaches("late", t, h, &reached));
    int is_silent = reaches("silent", t, h, &reached), is_event = reaches("event", t, h, &reached);
    int is_end = reaches("terminate", t, h, &reached) && is_late(self);
    double x = self->now.x;
    fmi3Status status = sound_DoStep(instance, t, h, commit, event_needed, terminate, early_return, last_time);
    if (status != fmi3OK) return status;
    if (is_early || is_silent || is_event || is_end) {
        double part = isfinite(reached) ? fmin(fmax((reached - t) / h, 0), 1) : 1;
        self->now.x = x + part * (self->now.x - x);
        self->now.time = isfinite(reached) && fabs(reached) < 1e6 ? reached : t + h;
        *last_time = reached;
        *early_return = is_early || is_event || is_end;
        *event_needed = is_event;
        *terminate = is_end;
    }
    if (is("early-unwritten")) *early_return = 1, *last_time = NAN;
    if (is("early-flag")) *early_return = 1;
    if (is("early-alternate") && calls % 2) *early_return = 1, *last_time = self->now.time = t + h / 2;
    if (is("flags-bytes")) *event_needed = 0, *terminate = 0, *early_return = 0xfe;
    if (is("terminate-error") && is_late(self)) return *terminate = 1, say(self, fmi3Error, "the end, and an error");
    if (is("terminate-discard") && is_late(self)) return *terminate = 1, say(self, fmi3Discard, "the end, and nothing done");
    if (is("step-elsewhere")) in_thread(step_elsewhere, self);
    if (is("all-flags")) *event_needed = *terminate = *early_return = 1, *last_time = t + h / 2;
    return fmi3OK;
}

/* Events. */

EXPORT fmi3Status fmi3EnterEventMode(void *instance) {
    calls = 0;
    return sound_EnterEventMode(instance);
}

EXPORT fmi3Status fmi3UpdateDiscreteStates(void *instance, uint8_t *again, uint8_t *terminate, uint8_t *nominals, uint8_t *states, uint8_t *has_next,
                                           double *next) {
    Instance *self = instance;
    fmi3Status status = sound_UpdateDiscreteStates(instance, again, terminate, nominals, states, has_next, next);
    double now = self->now.time;
    calls++;
    if (is("next-now")) *next = now;
    if (is("next-after")) *next = self->now.next_event = nextafter(now, INFINITY);
    if (is("next-tiny")) *next = self->now.next_event = now + 1e-300;
    if (is("next-chatter")) *next = self->now.next_event = now + 1e-9;
    if (is("next-negative-infinite")) *next = -INFINITY;
    if (is("next-negative-zero") && now == 0) *next = -0.0;
    if (is("next-huge")) *next = self->now.next_event = DBL_MAX;
    if (is("next-none")) *has_next = 0, self->now.next_event = INFINITY;
    if (is("next-bytes")) *has_next = 0x80;
    if (is("next-unset")) *has_next = 0, *next = NAN, self->now.next_event = INFINITY;
    if (is("next-too-late")) *next = now + 10;
    if (is("again-byte")) *again = calls < 3 ? 0x80 : 0;
    if (is("again-99")) *again = calls < 99;
    if (is("again-at-times")) *again = now > 0.2;
    if (is("nominals")) *nominals = *states = 0xff;
    if (is("end-at-once")) *terminate = 1;
    if (is("discard-update")) return say(self, fmi3Discard, "not now");
    return status;
}

/* Configuration mode. */

EXPORT fmi3Status fmi3EnterConfigurationMode(void *instance) {
    ENTER(INSTANTIATED);
    if (is("configure-hang")) for (;;) pause();
    is_configuring = 1;
    return refused;
}

EXPORT fmi3Status fmi3ExitConfigurationMode(void *instance) {
    ENTER(INSTANTIATED);
    if (is("configure-forget")) size = 3;
    if (is("configure-grow")) size++;
    if (is("configure-null")) size = 0;
    is_configuring = 0;
    return refused;
}

EXPORT fmi3Status fmi3SetUInt64(void *instance, const Reference references[], size_t n, const uint64_t values[], size_t n_values) {
    ENTER(INSTANTIATED);
    if (n != 1 || n_values != 1 || references[0] != N || !is_configuring) return say(self, fmi3Error, "only `n`, in configuration mode");
    if (is("configure-refuse")) return say(self, fmi3Error, "`n` is %llu", (unsigned long long)values[0]);
    size = values[0];
    return refused;
}

/* Values. */

static size_t length_of(Reference reference) {
    switch (reference) {
    case PAIR: return 2;
    case VECTOR: return size;
    case MATRIX: return 2 * size;
    default: return 1;
    }
}

/* Whether a getter returns fmi3OK from t = 0.5 s on and leaves values as they are. */
static int is_unwritten(const Instance *self, const char *getter) {
    char name[64];
    snprintf(name, sizeof name, "unwritten-%s", getter);
    return is(name) && is_late(self);
}

EXPORT fmi3Status fmi3GetFloat64(void *instance, const Reference references[], size_t n, double values[], size_t n_values) {
    Instance *self = instance;
    if (is("get-ask") && self->update && self->now.phase == STEP) self->update(self->environment, self->now.time, 1, 0, 0, 0, NULL, NULL);
    if (is("get-log") && self->now.phase == STEP) self->log(self->environment, fmi3Warning, NULL, "while it is read");
    if (is("get-step") && self->now.phase == STEP) step_elsewhere(self);
    if (is("size-grows") && is_late(self)) size = 4;
    if (is("size-shrinks") && is_late(self)) size = 2;
    if (is("size-none") && is_late(self)) size = 0;
    if (is("size-huge") && is_late(self)) size = SIZE_MAX / 2;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = length_of(references[i]);
        if (length > n_values - at) return say(self, fmi3Error, "%zu values are too few", n_values);
        if (references[i] == VECTOR || references[i] == MATRIX) {
            size_t written = references[i] == MATRIX && is_unwritten(self, __func__) ? length - 1 : length;
            for (size_t k = 0; k < written; k++) values[at + k] = self->now.x + k;
        } else {
            fmi3Status status = sound_GetFloat64(instance, &references[i], 1, &values[at], length);
            if (status != fmi3OK) return status;
        }
        at += length;
    }
    if (at != n_values) return say(self, fmi3Error, "%zu values instead of %zu", n_values, at);
    if (is("array-nan") && is_late(self)) for (size_t k = 0; k < n_values; k++) values[k] = NAN;
    if (is("use-after-terminate") && self->now.phase == ENDED) abort();
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetUInt64(void *instance, const Reference references[], size_t n, uint64_t values[], size_t n_values) {
    ENTER(ANY);
    if (n != n_values) return say(self, fmi3Error, "%zu values instead of %zu", n_values, n);
    if (is_unwritten(self, __func__)) return fmi3OK;
    for (size_t i = 0; i < n; i++) values[i] = references[i] == N ? size : is("u64-most") ? UINT64_MAX : is("u64-mark") ? 0xa5a5a5a5a5a5a5a5 : self->now.steps;
    return refused;
}

EXPORT fmi3Status fmi3GetBoolean(void *instance, const Reference references[], size_t n, uint8_t values[], size_t n_values) {
    if (is_unwritten(instance, __func__)) return fmi3OK;
    fmi3Status status = sound_GetBoolean(instance, references, n, values, n_values);
    for (size_t i = 0; i < n_values; i++) {
        if (is("boolean-2")) values[i] = 2;
        if (is("boolean-80")) values[i] = 0x80;
        if (is("boolean-ff")) values[i] = 0xff;
    }
    return status;
}

/* Defines a function that reads one variable, and gives the least or the greatest number where that is the fault. */
#define EXTREME(name, type, usual, least, most, low, high) \
    EXPORT fmi3Status name(void *instance, const Reference references[], size_t n, type values[], size_t n_values) { \
        (void)references; \
        ENTER(ANY); \
        if (n != n_values) return say(self, fmi3Error, "%zu values instead of %zu", n_values, n); \
        if (is_unwritten(self, __func__)) return fmi3OK; \
        for (size_t i = 0; i < n; i++) values[i] = is(low) ? least : is(high) ? most : (type)self->now.usual; \
        return refused; \
    }
EXTREME(fmi3GetInt8, int8_t, steps, INT8_MIN, INT8_MAX, "i8-least", "i8-most")
EXTREME(fmi3GetUInt8, uint8_t, steps, is("u8-mark") ? 0xa5 : 0, UINT8_MAX, is("u8-mark") ? "u8-mark" : "u8-least", "u8-most")
EXTREME(fmi3GetInt16, int16_t, steps, INT16_MIN, INT16_MAX, "i16-least", "i16-most")
EXTREME(fmi3GetUInt16, uint16_t, steps, 0, UINT16_MAX, "u16-least", "u16-most")
EXTREME(fmi3GetInt32, int32_t, steps, INT32_MIN, INT32_MAX, "i32-least", "i32-most")
EXTREME(fmi3GetUInt32, uint32_t, steps, 0, UINT32_MAX, "u32-least", "u32-most")
EXTREME(fmi3GetFloat32, float, x, FLT_TRUE_MIN, FLT_MAX, "f32-least", "f32-most")

EXPORT fmi3Status fmi3GetString(void *instance, const Reference references[], size_t n, const char *values[], size_t n_values) {
    static char long_text[1 << 20];
    Instance *self = instance;
    if (is_unwritten(self, __func__)) return fmi3OK;
    fmi3Status status = sound_GetString(instance, references, n, values, n_values);
    if (status != fmi3OK || !is_late(self)) return status;
    for (size_t i = 0; i < n_values; i++) {
        if (is("string-freed")) values[i] = freed_page();
        if (is("string-abyss")) values[i] = before_abyss("xxxx", 4);
        if (is("string-odd")) values[i] = (const char *)1;
        if (is("string-far")) values[i] = (const char *)-1;
        if (is("string-null")) values[i] = NULL;
        if (is("string-bytes")) values[i] = "\xc3\x28 \x1b]0;title\a \r\n\"',;=1+1";
        if (is("string-long")) memset(long_text, 'x', sizeof long_text - 1), values[i] = long_text;
        if (is("string-values")) values[i] = (const char *)values, ((char *)values)[n_values * sizeof *values - 1] = 0;
        if (is("string-reused")) snprintf(self->text, sizeof self->text, "%d", calls++), values[i] = self->text;
        if (is("string-released")) free(strcpy(malloc(8), "gone")), values[i] = "kept";
    }
    if (is("string-error")) return values[0] = (const char *)1, say(self, fmi3Error, "no strings any more");
    if (is("string-discard")) return values[0] = (const char *)1, say(self, fmi3Discard, "no strings now");
    return status;
}

EXPORT fmi3Status fmi3GetBinary(void *instance, const Reference references[], size_t n, size_t sizes[], const uint8_t *values[], size_t n_values) {
    Instance *self = instance;
    if (is_unwritten(self, __func__)) return fmi3OK;
    fmi3Status status = sound_GetBinary(instance, references, n, sizes, values, n_values);
    if (status != fmi3OK || !is_late(self)) return status;
    for (size_t i = 0; i < n_values; i++) {
        if (is("binary-freed")) values[i] = freed_page();
        if (is("binary-abyss")) values[i] = (const uint8_t *)before_abyss("xxxx", 4), sizes[i] = 5000;
        if (is("binary-odd")) values[i] = (const uint8_t *)1;
        if (is("binary-odd-empty")) values[i] = (const uint8_t *)1, sizes[i] = 0;
        if (is("binary-most")) sizes[i] = SIZE_MAX;
        if (is("binary-limit")) sizes[i] = ((size_t)1 << 30) + 1;
        if (is("binary-grows")) sizes[i] = 1 + (size_t)calls++ % 3;
        if (is("binary-null")) values[i] = NULL;
        if (is("binary-none")) values[i] = NULL, sizes[i] = 0;
        if (is("binary-exact")) values[i] = (const uint8_t *)before_abyss("xxx", 3);
        if (is("binary-long")) values[i] = calloc(1, 1 << 20), sizes[i] = 1 << 20;
    }
    if (is("binary-error")) return values[0] = (const uint8_t *)1, sizes[0] = SIZE_MAX, say(self, fmi3Error, "no bytes any more");
    if (is("binary-discard")) return values[0] = (const uint8_t *)1, sizes[0] = SIZE_MAX, say(self, fmi3Discard, "no bytes now");
    return status;
}

/* States. */

/* Of the state that any instance of the library has saved last. */
static double last_saved_x;

EXPORT fmi3Status fmi3GetFMUState(void *instance, void **state) {
    Instance *self = instance;
    if (is("state-odd")) return *state = (void *)1, fmi3OK;
    if (is("state-instance")) return *state = instance, fmi3OK;
    if (is("state-kept") && *state) return fmi3OK;
    if (is("state-lost") && calls++ > 2) return *state = NULL, fmi3OK;
    if (is("state-warns")) return sound_GetFMUState(instance, state), fmi3Warning;
    if (is("state-discard")) return fmi3Discard;
    if (is("state-error") && self->now.time > 0.2) return say(self, fmi3Error, "no memory for states");
    if (is("state-fresh")) *state = NULL;
    last_saved_x = self->now.x;
    return sound_GetFMUState(instance, state);
}

EXPORT fmi3Status fmi3SetFMUState(void *instance, void *state) {
    Instance *self = instance;
    if (is("state-odd")) return fmi3OK;
    if (is("state-time")) return sound_SetFMUState(instance, state), self->now.time += 0.05, fmi3OK;
    if (is("state-phase")) return sound_SetFMUState(instance, state), self->now.phase = INITIALIZATION, fmi3OK;
    if (is("state-nan")) return sound_SetFMUState(instance, state), self->now.x = NAN, fmi3OK;
    if (is("state-instance")) return fmi3OK;
    if (is("state-last")) return sound_SetFMUState(instance, state), self->now.x = last_saved_x, fmi3OK;
    return sound_SetFMUState(instance, state);
}

EXPORT fmi3Status fmi3FreeFMUState(void *instance, void **state) {
    if (is("state-odd") || is("state-instance")) return *state = NULL, fmi3OK;
    if (is("state-kept-pointer")) return fmi3OK;
    if (is("state-free-twice")) {
        void *volatile again = *state;
        free(again);
    }
    if (is("state-free-error")) return say(instance, fmi3Error, "it is not mine");
    return sound_FreeFMUState(instance, state);
}

EXPORT fmi3Status fmi3SerializedFMUStateSize(void *instance, void *state, size_t *bytes) {
    fmi3Status status = sound_SerializedFMUStateSize(instance, state, bytes);
    if (is("bytes-none")) *bytes = 0;
    if (is("bytes-most")) *bytes = SIZE_MAX;
    if (is("bytes-limit")) *bytes = ((size_t)1 << 30) + 1;
    if (is("bytes-change")) *bytes += (size_t)calls++;
    if (is("bytes-fewer")) *bytes -= 1;
    return status;
}

EXPORT fmi3Status fmi3SerializeFMUState(void *instance, void *state, uint8_t bytes[], size_t length) {
    Instance *self = instance;
    if (is("bytes-unwritten")) return fmi3OK;
    if (is("bytes-warn")) return sound_SerializeFMUState(instance, state, bytes, length), fmi3Warning;
    if (is("bytes-refuse")) return say(self, fmi3Error, "it cannot be written");
    if (is("bytes-change")) return memset(bytes, 0, length), fmi3OK;
    return sound_SerializeFMUState(instance, state, bytes, length);
}

EXPORT fmi3Status fmi3DeserializeFMUState(void *instance, const uint8_t bytes[], size_t length, void **state) {
    Instance *self = instance;
    if (is("restore-error")) return say(self, fmi3Error, "these bytes are of another version");
    if (is("restore-discard")) return fmi3Discard;
    if (is("restore-null")) return *state = NULL, fmi3OK;
    if (is("restore-odd")) return *state = (void *)1, fmi3OK;
    if (is("restore-crash")) abort();
    if (is("restore-hang")) for (;;) pause();
    if (is("restore-exit")) exit(0);
    fmi3Status status = sound_DeserializeFMUState(instance, bytes, length, state);
    State *found = *state;
    if (is("restore-warns")) return fmi3Warning;
    if (is("restore-start")) found->x = found->x0;
    if (is("restore-almost")) found->x = nextafter(found->x, INFINITY);
    if (is("restore-nan")) found->x = NAN;
    if (is("restore-steps")) found->steps++;
    if (is("restore-label")) strcpy(found->label, "lost");
    if (is("restore-time")) found->time = 0;
    if (is("restore-phase")) found->phase = INITIALIZATION;
    return status;
}
