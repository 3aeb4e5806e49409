/* x' = u, y = x + FEEDTHROUGH: an expression of t, u and v, which follows its inputs at once only at times, above a level or from another input. */
#include <math.h> /* for expressions */
#include "quirk.h"

#ifndef FEEDTHROUGH
#define FEEDTHROUGH 0
#endif

enum { U, Y, V, X0 };
enum { X }; /* hidden */

static void follow(Instance *self, double t) {
    double u = self->now.real[U], v = self->now.real[V];
    (void)t, (void)u, (void)v;
    self->now.real[Y] = self->now.hidden[X] + (FEEDTHROUGH);
}

void start(Instance *self) { self->now.real[X0] = 1; }

fmi2Status exit_initialization(Instance *self) {
    self->now.hidden[X] = self->now.real[X0];
    follow(self, self->now.time);
    return fmi2OK;
}

fmi2Status read_real(Instance *self, unsigned reference, double *value) {
    if (!self->now.is_initialized) {
        self->now.hidden[X] = self->now.real[X0];
        follow(self, self->now.time);
    }
    return *value = self->now.real[reference], fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)commit;
    self->now.hidden[X] += h * self->now.real[U];
    follow(self, t + h);
    return fmi2OK;
}
