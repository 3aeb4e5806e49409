/* A relay: y is 3 below the level, and 0 from it on. It has no memory and computes at once. */
#include "quirk.h"

enum { U, Y, K, X0 };

void start(Instance *self) { self->now.real[K] = 2.5; }

fmi2Status read_real(Instance *self, unsigned reference, double *value) {
    double *real = self->now.real;
    real[Y] = real[U] < real[K] ? 3 : 0;
    *value = real[reference];
    return fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)self, (void)t, (void)h, (void)commit;
    return fmi2OK;
}
