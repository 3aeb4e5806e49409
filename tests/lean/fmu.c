/* The least work that an FMU in C can do: arguments are not checked, and a state is a copy of two arrays.

   Each of SIGNALS inputs u (value references from 0 on) has an output y (from SIGNALS on): y' = y (GROWTH + EFFECT u), exact for an input that is held.
   With FEEDTHROUGH, y = x + FEEDTHROUGH u at once, with x' = -x. WORK: number of exponentials that a step computes in addition.
   REFUSES_RESET: fmi2Reset returns an error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../hostile/fmi2.h"

#ifndef SIGNALS
#define SIGNALS 1
#endif
#ifndef GROWTH
#define GROWTH 0.1
#endif
#ifndef EFFECT
#define EFFECT -0.02
#endif
#ifndef WORK
#define WORK 0
#endif
#ifndef START
#define START 10
#endif

#define EXPORT __attribute__((visibility("default")))

typedef struct {
    double u[SIGNALS], y[SIGNALS];
} State;

typedef const fmi2ValueReference *References;

static void reset(State *self) {
    for (int i = 0; i < SIGNALS; i++) self->u[i] = self->y[i] = START;
}

EXPORT fmi2String fmi2GetTypesPlatform(void) { return "default"; }
EXPORT fmi2String fmi2GetVersion(void) { return "2.0"; }

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                     const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    (void)name, (void)type, (void)guid, (void)resources, (void)callbacks, (void)visible, (void)logging;
    State *self = malloc(sizeof *self);
    if (self) reset(self);
    return self;
}
EXPORT void fmi2FreeInstance(fmi2Component component) { free(component); }
EXPORT fmi2Status fmi2Reset(fmi2Component component) {
#ifdef REFUSES_RESET
    return (void)component, fmi2Error;
#else
    return reset(component), fmi2OK;
#endif
}
EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    return (void)component, (void)on, (void)n, (void)categories, fmi2OK;
}
EXPORT fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real begin,
                                      fmi2Boolean has_stop, fmi2Real stop) {
    return (void)component, (void)has_tolerance, (void)tolerance, (void)begin, (void)has_stop, (void)stop, fmi2OK;
}
EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component component) { return (void)component, fmi2OK; }
EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component component) { return (void)component, fmi2OK; }
EXPORT fmi2Status fmi2Terminate(fmi2Component component) { return (void)component, fmi2OK; }

EXPORT fmi2Status fmi2GetReal(fmi2Component component, References references, size_t n, fmi2Real values[]) {
    const double *value = component;
    for (size_t i = 0; i < n; i++) {
        values[i] = value[references[i]];
#ifdef FEEDTHROUGH
        if (references[i] >= SIGNALS) values[i] += FEEDTHROUGH * value[references[i] - SIGNALS];
#endif
    }
    return fmi2OK;
}
EXPORT fmi2Status fmi2SetReal(fmi2Component component, References references, size_t n, const fmi2Real values[]) {
    double *value = component;
    for (size_t i = 0; i < n; i++) value[references[i]] = values[i];
    return fmi2OK;
}

/* There are no variables of these types. */
#define NONE(type, Type)                                                                                          \
    EXPORT fmi2Status fmi2Get##Type(fmi2Component component, References references, size_t n, type values[]) {       \
        return (void)component, (void)references, (void)values, n ? fmi2Error : fmi2OK;                              \
    }                                                                                                               \
    EXPORT fmi2Status fmi2Set##Type(fmi2Component component, References references, size_t n, const type values[]) { \
        return (void)component, (void)references, (void)values, n ? fmi2Error : fmi2OK;                              \
    }
NONE(fmi2Integer, Integer)
NONE(fmi2Boolean, Boolean)
NONE(fmi2String, String)

EXPORT fmi2Status fmi2DoStep(fmi2Component component, fmi2Real t, fmi2Real h, fmi2Boolean commit) {
    (void)t, (void)commit;
    State *self = component;
    for (int i = 0; i < SIGNALS; i++) {
#ifdef FEEDTHROUGH
        self->y[i] *= exp(-h);
#else
        self->y[i] *= exp((GROWTH + EFFECT * self->u[i]) * h);
#endif
    }
    double sum = 0;
    for (int i = 0; i < WORK; i++) sum += exp(-h * i + 1e-30 * sum);
    return sum < 0 ? fmi2Error : fmi2OK;
}

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *state) {
    if (!*state) *state = malloc(sizeof(State));
    if (!*state) return fmi2Error;
    memcpy(*state, component, sizeof(State));
    return fmi2OK;
}
EXPORT fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
    memcpy(component, state, sizeof(State));
    return fmi2OK;
}
EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *state) {
    (void)component;
    free(*state);
    *state = NULL;
    return fmi2OK;
}
