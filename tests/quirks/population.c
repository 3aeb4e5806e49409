/* y' = y (GROWTH + EFFECT u), exact for an input that is held: prey (0.1 - 0.02 u), or with other numbers their predators. As in MasterSim's own pair
   the output follows the input through the state only, but the model description declares that it follows it directly, or nothing at all. */
#include <math.h>
#include "quirk.h"

#ifndef GROWTH
#define GROWTH 0.1
#define EFFECT -0.02
#endif

enum { U, Y };

void start(Instance *self) {
    self->now.real[U] = 10;
    self->now.real[Y] = 10;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)t, (void)commit;
    double *real = self->now.real;
    real[Y] *= exp((GROWTH + EFFECT * real[U]) * h);
    return fmi2OK;
}
