/* x' = k (u - x), y = x, with the derivative of y. As most FMUs that give derivatives do, it answers fmi2OK before the first step, and the value is
   none: ODD. With ALWAYS it is later, too; with REFUSED the question is an error. */
#include <math.h>
#include "quirk.h"

#ifndef ODD
#define ODD NAN
#endif

enum { U, Y, K, X0 };
enum { STEPPED };

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
}

fmi2Status exit_initialization(Instance *self) {
    self->now.real[Y] = self->now.real[X0];
    return fmi2OK;
}

fmi2Status output_derivative(Instance *self, unsigned reference, int order, double *value) {
    (void)reference, (void)order;
    const double *real = self->now.real;
    *value = real[K] * (real[U] - real[Y]);
#ifdef REFUSED
    if (!self->now.hidden[STEPPED]) return say(self, fmi2Error, "there are no derivatives before the first step");
#endif
#ifdef ALWAYS
    *value = ODD;
#endif
    if (!self->now.hidden[STEPPED]) *value = ODD;
    return fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)t, (void)commit;
    double *real = self->now.real;
    real[Y] = real[U] + (real[Y] - real[U]) * exp(-real[K] * h);
    self->now.hidden[STEPPED] = 1;
    return fmi2OK;
}
