/* y' = k u, y(0) = x0. */
#include "quirk.h"

enum { U, Y, K, X0 };

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
}

fmi2Status exit_initialization(Instance *self) {
    self->now.real[Y] = self->now.real[X0];
    return fmi2OK;
}

fmi2Status read_real(Instance *self, unsigned reference, double *value) {
    *value = reference == Y && !self->now.is_initialized ? self->now.real[X0] : self->now.real[reference];
    return fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)t, (void)commit;
    self->now.real[Y] += self->now.real[K] * h * self->now.real[U];
    return fmi2OK;
}
