/* The 34 functions of an FMU whose behavior is that of quirk.h. Sound, and lenient about the order of calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "quirk.h"

#define WEAK __attribute__((weak))
#define EXPORT __attribute__((visibility("default")))

WEAK fmi2Status set_up(Instance *self) { return (void)self, fmi2OK; }
WEAK fmi2Status enter_initialization(Instance *self) { return (void)self, fmi2OK; }
WEAK fmi2Status exit_initialization(Instance *self) { return (void)self, fmi2OK; }
WEAK fmi2Status read_real(Instance *self, unsigned reference, double *value) { return *value = self->now.real[reference], fmi2OK; }
WEAK fmi2Status write_real(Instance *self, unsigned reference, double value) {
    self->now.real[reference] = value;
    self->now.slope[reference] = 0;
    return fmi2OK;
}
WEAK fmi2Status output_derivative(Instance *self, unsigned reference, int order, double *value) {
    return (void)self, (void)reference, (void)order, *value = 0, fmi2OK;
}
WEAK fmi2Status directional_derivative(Instance *self, unsigned unknown, unsigned known, double *value) {
    return (void)unknown, (void)known, (void)value, say(self, fmi2Error, "there are no directional derivatives");
}
WEAK void restored(Instance *self) { (void)self; }
WEAK void locate(Instance *self, const char *resources) { (void)self, (void)resources; }

fmi2Status say(Instance *self, fmi2Status status, const char *text) {
    static const char *const categories[] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"};
    if (self->callbacks->logger)
        self->callbacks->logger(self->callbacks->componentEnvironment, self->name, status, categories[status], "%s", text);
    return status;
}

EXPORT fmi2String fmi2GetTypesPlatform(void) { return "default"; }
EXPORT fmi2String fmi2GetVersion(void) { return "2.0"; }

static void reset(Instance *self) {
    memset(&self->now, 0, sizeof self->now);
    memset(&self->experiment, 0, sizeof self->experiment);
    self->is_set_up = 0;
    start(self);
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                     const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    (void)guid, (void)visible, (void)logging;
    if (type != fmi2CoSimulation) return NULL;
    Instance *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->own = *callbacks;
    self->callbacks = &self->own;
    snprintf(self->name, sizeof self->name, "%s", name);
    reset(self);
    locate(self, resources);
    return self;
}

EXPORT void fmi2FreeInstance(fmi2Component component) { free(component); }
EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    return (void)component, (void)on, (void)n, (void)categories, fmi2OK;
}

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real begin,
                                      fmi2Boolean has_stop, fmi2Real stop) {
    Instance *self = component;
    self->experiment = (Experiment){tolerance, begin, stop, has_tolerance, has_stop};
    self->is_set_up = 1;
    self->now.time = begin;
    return set_up(self);
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component component) { return enter_initialization(component); }

EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
    Instance *self = component;
    fmi2Status status = exit_initialization(self);
    self->now.is_initialized = 1;
    return status;
}

EXPORT fmi2Status fmi2Terminate(fmi2Component component) { return (void)component, fmi2OK; }
/* REFUSES_RESET: tools that never expect it return an error; IGNORES_RESET: others do nothing. */
EXPORT fmi2Status fmi2Reset(fmi2Component component) {
#if defined REFUSES_RESET
    return say(component, fmi2Error, "there is no way back");
#elif defined IGNORES_RESET
    return (void)component, fmi2OK;
#else
    return reset(component), fmi2OK;
#endif
}

/* A value is read or written by `one`; the worst status counts. */
#define EACH(count, one)                                              \
    Instance *self = component;                                       \
    fmi2Status worst = fmi2OK;                                        \
    for (size_t i = 0; i < n; i++) {                                  \
        if (references[i] >= (count)) return say(self, fmi2Error, "unknown value reference"); \
        fmi2Status status = fmi2OK;                                   \
        one;                                                          \
        if (status > worst) worst = status;                           \
    }                                                                 \
    return worst

typedef const fmi2ValueReference *References;

EXPORT fmi2Status fmi2GetReal(fmi2Component component, References references, size_t n, fmi2Real values[]) {
    EACH(REALS, status = read_real(self, references[i], &values[i]));
}
EXPORT fmi2Status fmi2SetReal(fmi2Component component, References references, size_t n, const fmi2Real values[]) {
    EACH(REALS, status = write_real(self, references[i], values[i]));
}
EXPORT fmi2Status fmi2GetInteger(fmi2Component component, References references, size_t n, fmi2Integer values[]) {
    EACH(INTEGERS, values[i] = self->now.integer[references[i]]);
}
EXPORT fmi2Status fmi2SetInteger(fmi2Component component, References references, size_t n, const fmi2Integer values[]) {
    EACH(INTEGERS, self->now.integer[references[i]] = values[i]);
}
EXPORT fmi2Status fmi2GetBoolean(fmi2Component component, References references, size_t n, fmi2Boolean values[]) {
    EACH(BOOLEANS, values[i] = self->now.boolean[references[i]]);
}
EXPORT fmi2Status fmi2SetBoolean(fmi2Component component, References references, size_t n, const fmi2Boolean values[]) {
    EACH(BOOLEANS, self->now.boolean[references[i]] = values[i]);
}
EXPORT fmi2Status fmi2GetString(fmi2Component component, References references, size_t n, fmi2String values[]) {
    EACH(STRINGS, values[i] = self->now.string[references[i]]);
}
EXPORT fmi2Status fmi2SetString(fmi2Component component, References references, size_t n, const fmi2String values[]) {
    EACH(STRINGS, snprintf(self->now.string[references[i]], LENGTH, "%s", values[i]));
}

EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, References references, size_t n, const fmi2Integer orders[],
                                              const fmi2Real values[]) {
    EACH(REALS, if (orders[i] == 1) self->now.slope[references[i]] = values[i]);
}
EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, References references, size_t n, const fmi2Integer orders[],
                                               fmi2Real values[]) {
    EACH(REALS, status = output_derivative(self, references[i], orders[i], &values[i]));
}

EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, References unknowns, size_t n_unknowns, References knowns,
                                               size_t n_knowns, const fmi2Real seed[], fmi2Real result[]) {
    Instance *self = component;
    for (size_t i = 0; i < n_unknowns; i++) {
        result[i] = 0;
        for (size_t j = 0; j < n_knowns; j++) {
            double value = 0;
            fmi2Status status = directional_derivative(self, unknowns[i], knowns[j], &value);
            if (status > fmi2Warning) return status;
            result[i] += value * seed[j];
        }
    }
    return fmi2OK;
}

EXPORT fmi2Status fmi2DoStep(fmi2Component component, fmi2Real t, fmi2Real h, fmi2Boolean commit) {
    Instance *self = component;
    fmi2Status status = advance(self, t, h, commit);
    if (status == fmi2OK || status == fmi2Warning) self->now.time = t + h;
    return status;
}
EXPORT fmi2Status fmi2CancelStep(fmi2Component component) { return say(component, fmi2Error, "no step is pending"); }

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *state) {
    Instance *self = component;
    if (!*state) *state = malloc(sizeof(State));
    if (!*state) return fmi2Error;
    memcpy(*state, &self->now, sizeof(State));
    return fmi2OK;
}
EXPORT fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
    Instance *self = component;
    memcpy(&self->now, state, sizeof(State));
    restored(self);
    return fmi2OK;
}
EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *state) {
    (void)component;
    free(*state);
    *state = NULL;
    return fmi2OK;
}
EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t *size) {
    return (void)component, (void)state, *size = sizeof(State), fmi2OK;
}
EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    if (size < sizeof(State)) return say(component, fmi2Error, "too few bytes for a state");
    memcpy(bytes, state, sizeof(State));
    return fmi2OK;
}
EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    if (size != sizeof(State)) return say(component, fmi2Error, "these bytes are no state");
    if (!*state) *state = malloc(sizeof(State));
    if (!*state) return fmi2Error;
    memcpy(*state, bytes, size);
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetStatus(fmi2Component component, fmi2StatusKind kind, fmi2Status *value) {
    return (void)component, (void)kind, (void)value, fmi2Discard;
}
EXPORT fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real *value) {
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = ((Instance *)component)->now.last_successful_time;
    return fmi2OK;
}
EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component component, fmi2StatusKind kind, fmi2Integer *value) {
    return (void)component, (void)kind, (void)value, fmi2Discard;
}
EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2StatusKind kind, fmi2Boolean *value) {
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = ((Instance *)component)->now.terminated;
    return fmi2OK;
}
EXPORT fmi2Status fmi2GetStringStatus(fmi2Component component, fmi2StatusKind kind, fmi2String *value) {
    return (void)component, (void)kind, (void)value, fmi2Discard;
}
