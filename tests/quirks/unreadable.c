/* x' = k (u - x), y = x; the variable REFERENCE cannot be read. With KEPT it can, and cannot be set: it keeps its start value. */
#include <math.h>
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

#ifdef KEPT
fmi2Status write_real(Instance *self, unsigned reference, double value) {
    if (reference != REFERENCE) self->now.real[reference] = value;
    return fmi2OK;
}
#else
fmi2Status read_real(Instance *self, unsigned reference, double *value) {
    if (reference == REFERENCE) return say(self, fmi2Error, "not readable");
    *value = self->now.real[reference];
    return fmi2OK;
}
#endif

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)t, (void)commit;
    double *real = self->now.real;
    real[Y] = real[U] + (real[Y] - real[U]) * exp(-real[K] * h);
    return fmi2OK;
}
