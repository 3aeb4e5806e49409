/* x' = k (u - x), y = x, with an integrator of its own: its rates are wrong by the tolerance that it is asked for, relative. Without one it
   does not run. */
#include <math.h>
#include "quirk.h"

enum { U, Y, K, X0 };

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
}

fmi2Status set_up(Instance *self) {
    return self->experiment.has_tolerance ? fmi2OK : say(self, fmi2Error, "a tolerance is needed");
}

fmi2Status exit_initialization(Instance *self) {
    self->now.real[Y] = self->now.real[X0];
    return fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)t, (void)commit;
    double *real = self->now.real;
    real[Y] = real[U] + (real[Y] - real[U]) * exp(-real[K] * h * (1 + self->experiment.tolerance));
    return fmi2OK;
}
