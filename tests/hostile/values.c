/* Variables of the test FMU. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "instance.h"

static double output(const Instance *self) {
    const State *now = &self->now;
    return now->time >= NAN_AT && now->phase != INITIALIZATION ? BAD_OUTPUT : now->x + FEEDTHROUGH * now->u;
}

static int readable(Instance *self, const char *function) {
#ifdef STRICT_GET
    if (self->now.phase == COMPLETE && self->now.set_since_step) return say(self, fmi2Error, "%s after fmi2Set without a step", function), 0;
#endif
    (void)self, (void)function;
    return 1;
}

#define FOR_EACH(reference) \
    for (size_t i = 0; i < n; i++) \
        switch (reference)

#define UNKNOWN say(self, fmi2Error, "%s: unknown or unfit value reference %u", __func__, references[i])

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t n, fmi2Real values[]) {
    ENTER(READABLE);
    if (!readable(self, __func__)) return fmi2Error;
#ifdef UNWRITTEN_OUTPUTS
    n = 0;
#endif
    FOR_EACH(references[i]) {
    case U: values[i] = self->now.u; break;
    case Y: values[i] = output(self); break;
    case K: values[i] = self->now.k; break;
    case X0: values[i] = self->now.x0; break;
    default: return UNKNOWN;
    }
    return self->result;
}

fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference references[], size_t n, fmi2Integer values[]) {
    ENTER(READABLE);
    FOR_EACH(references[i]) {
    case 0: values[i] = self->now.level; break;
    case 1: values[i] = self->now.steps; break;
    default: return UNKNOWN;
    }
    return self->result;
}

fmi2Status fmi2GetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t n, fmi2Boolean values[]) {
    ENTER(READABLE);
    FOR_EACH(references[i]) {
    case 0: values[i] = self->now.enable ? TRUE_VALUE : fmi2False; break;
    case 1: values[i] = self->now.x > 0 ? TRUE_VALUE : fmi2False; break;
    default: return UNKNOWN;
    }
    return self->result;
}

static const char *as_returned(char *text) {
#if defined NULL_STRINGS
    (void)text;
    return NULL;
#elif defined BAD_UTF8
    (void)text;
    return "caf\xe9 \xff";
#elif defined SHARED_STRING_BUFFER
    static char shared[LABEL + 32];
    return strcpy(shared, text);
#elif defined HUGE_STRINGS
    static char huge[(1 << 16) + 1];
    (void)text;
    return memset(huge, 'x', sizeof huge - 1);
#elif defined ODD_STRINGS
    (void)text;
    return "a \"quoted\", two-line\ntext\a";
#else
    return text;
#endif
}

fmi2Status fmi2GetString(fmi2Component component, const fmi2ValueReference references[], size_t n, fmi2String values[]) {
    ENTER(READABLE);
    FOR_EACH(references[i]) {
    case 0: values[i] = as_returned(self->now.label); break;
    case 1:
        snprintf(self->text, sizeof self->text, "%s %d", self->now.label, self->now.steps);
        values[i] = as_returned(self->text);
        break;
    default: return UNKNOWN;
    }
    return self->result;
}

/* Inputs not before initialization mode, parameters not after it. */
#define IS_INPUT (self->now.phase != INSTANTIATED)
#define IS_PARAMETER (self->now.phase != COMPLETE)

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t n, const fmi2Real values[]) {
    ENTER(SETTABLE);
    for (size_t i = 0; i < n; i++)
        if (references[i] == U && IS_INPUT) self->now.u = values[i], self->now.slope = 0;
        else if (references[i] == K && IS_PARAMETER) self->now.k = values[i];
        else if (references[i] == X0 && IS_PARAMETER) self->now.x = self->now.x0 = values[i];
        else return UNKNOWN;
    self->now.set_since_step = 1;
    return self->result;
}

fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference references[], size_t n, const fmi2Integer values[]) {
    ENTER(SETTABLE);
    for (size_t i = 0; i < n; i++)
        if (references[i] == 0 && IS_INPUT) self->now.level = values[i];
        else return UNKNOWN;
    return self->result;
}

fmi2Status fmi2SetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t n, const fmi2Boolean values[]) {
    ENTER(SETTABLE);
    for (size_t i = 0; i < n; i++)
        if (references[i] == 0 && IS_INPUT) self->now.enable = values[i] != fmi2False;
        else return UNKNOWN;
    return self->result;
}

fmi2Status fmi2SetString(fmi2Component component, const fmi2ValueReference references[], size_t n, const fmi2String values[]) {
    ENTER(SETTABLE);
    for (size_t i = 0; i < n; i++)
        if (references[i] == 0 && IS_PARAMETER) snprintf(self->now.label, LABEL, "%s", values[i]);
        else return UNKNOWN;
    return self->result;
}
