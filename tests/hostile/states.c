/* Saved states and derivatives of the test FMU. A saved state is a plain copy of State. */
#include <string.h>
#include "instance.h"

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *state) {
    ENTER(RESTING);
    if (!*state) *state = allocate(self->callbacks, sizeof(State));
    *(State *)*state = self->now;
    return self->result;
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
    ENTER(RESTING);
    double x = self->now.x;
    self->now = *(State *)state;
#ifdef FORGETFUL_STATE
    self->now.x = x;
#endif
    (void)x;
    self->now.x *= 1 + (self->restores++ % 2 ? -ROLLBACK_NOISE : ROLLBACK_NOISE);
    return self->result;
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *state) {
    ENTER(RESTING);
    if (*state) release(self->callbacks, *state);
    *state = NULL;
    return self->result;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t *size) {
    (void)state;
    ENTER(RESTING);
    *size = (size_t)(SERIALIZED_SIZE);
    return self->result;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    ENTER(RESTING);
    if (size < sizeof(State)) return say(self, fmi2Error, "%zu bytes are too few for a state", size);
    memcpy(bytes, state, sizeof(State));
    return self->result;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    ENTER(RESTING);
    if (size != sizeof(State)) return say(self, fmi2Error, "%zu bytes are no state", size);
    if (!*state) *state = allocate(self->callbacks, sizeof(State));
    memcpy(*state, bytes, size);
    return self->result;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknowns[], size_t n_unknowns,
                                        const fmi2ValueReference knowns[], size_t n_knowns, const fmi2Real seed[], fmi2Real result[]) {
    (void)unknowns, (void)n_unknowns, (void)knowns, (void)n_knowns, (void)seed, (void)result;
    ENTER(READABLE);
    return say(self, fmi2Error, "no directional derivatives");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference references[], size_t n,
                                       const fmi2Integer orders[], const fmi2Real values[]) {
    (void)references, (void)n, (void)orders, (void)values;
    ENTER(SETTABLE);
    return say(self, fmi2Error, "no input derivatives");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference references[], size_t n,
                                        const fmi2Integer orders[], fmi2Real values[]) {
    (void)references, (void)n, (void)orders, (void)values;
    ENTER(READABLE & ~INITIALIZATION);
    return say(self, fmi2Error, "no output derivatives");
}
