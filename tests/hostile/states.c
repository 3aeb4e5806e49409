/* Saved states of the test FMU. A saved state is a plain copy of State. */
#include <string.h>
#include "instance.h"

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *state) {
    ENTER(RESTING);
#ifdef NULL_STATE
    return self->result;
#endif
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
