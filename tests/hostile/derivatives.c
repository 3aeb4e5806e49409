/* Derivatives of the test FMU: of y with respect to u and x0 (x = x0 in initialization mode), and with respect to time. */
#include "instance.h"

static double sensitivity(const Instance *self, fmi2ValueReference known) {
    switch (known) {
    case U: return DERIVATIVE;
    case X0: return self->now.phase == INITIALIZATION;
    default: return 0;
    }
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknowns[], size_t n_unknowns,
                                        const fmi2ValueReference knowns[], size_t n_knowns, const fmi2Real seed[], fmi2Real result[]) {
    ENTER(READABLE);
    for (size_t i = 0; i < n_unknowns; i++) {
        if (unknowns[i] != Y) return say(self, fmi2Error, "%s: unknown or unfit value reference %u", __func__, unknowns[i]);
        result[i] = 0;
        for (size_t j = 0; j < n_knowns; j++) result[i] += sensitivity(self, knowns[j]) * seed[j];
    }
    return self->result;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference references[], size_t n,
                                       const fmi2Integer orders[], const fmi2Real values[]) {
    ENTER(SETTABLE);
    for (size_t i = 0; i < n; i++) {
        if (references[i] != U || orders[i] < 1) return say(self, fmi2Error, "%s: no derivative of this input", __func__);
        if (orders[i] == 1) self->now.slope = values[i];
    }
    return self->result;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference references[], size_t n,
                                        const fmi2Integer orders[], fmi2Real values[]) {
    ENTER(READABLE & ~INITIALIZATION);
    const State *now = &self->now;
    for (size_t i = 0; i < n; i++) {
        if (references[i] != Y || orders[i] < 1) return say(self, fmi2Error, "%s: no derivative of this output", __func__);
        values[i] = orders[i] == 1 ? SLOPE_FACTOR * now->k * (now->u - now->x) : 0;
    }
    return self->result;
}
