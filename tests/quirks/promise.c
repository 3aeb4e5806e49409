/* x' = k (u - x), y = x. As FMUs with roots in FMI 1.0 do, it takes noSetFMUStatePriorToCurrentPoint for `newStep`: without it a step begins where
   the last one with it began. With KEPT_AFTER, as libcosim's quarter truck: what a step without it computes is not kept. */
#include <math.h>
#include "quirk.h"

enum { U, Y, K, X0 };
enum { KEPT };

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
}

fmi2Status exit_initialization(Instance *self) {
    self->now.real[Y] = self->now.hidden[KEPT] = self->now.real[X0];
    return fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)t;
    double *real = self->now.real, *kept = &self->now.hidden[KEPT];
#ifdef KEPT_AFTER
    real[Y] = real[U] + (*kept - real[U]) * exp(-real[K] * h);
    if (commit) *kept = real[Y];
#else
    if (commit) *kept = real[Y];
    real[Y] = real[U] + (*kept - real[U]) * exp(-real[K] * h);
#endif
    return fmi2OK;
}
