/* y = k u + x at once, with x' = 1 - x, x(0) = x0. SINGLE: y is computed in single precision, as by models with float outputs. NOISE: y differs
   from that by up to this share, as by tolerances inside; what it is depends on the input's bits. NOISY_FROM: it does so from
   this time on. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "quirk.h"

enum { U, Y, K, X0 };
enum { X, T };

#ifndef NOISY_FROM
#define NOISY_FROM 0
#endif

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
}

static double shaped(double t, double y) {
    (void)t;
#ifdef SINGLE
    y = (float)y;
#endif
#ifdef NOISE
    if (t < NOISY_FROM) return y;
    uint64_t bits;
    memcpy(&bits, &y, sizeof bits);
    bits = (bits ^ bits >> 31) * UINT64_C(0x9E3779B97F4A7C15);
    y *= 1 + NOISE * ((double)(bits >> 40) / (1 << 23) - 1);
#endif
    return y;
}

fmi2Status read_real(Instance *self, unsigned reference, double *value) {
    double *real = self->now.real;
    double x = self->now.is_initialized ? self->now.hidden[X] : real[X0];
    real[Y] = shaped(self->now.hidden[T], real[K] * real[U] + x);
    *value = real[reference];
    return fmi2OK;
}

fmi2Status exit_initialization(Instance *self) {
    self->now.hidden[X] = self->now.real[X0];
    return fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)commit;
    self->now.hidden[T] = t + h;
    self->now.hidden[X] = 1 + (self->now.hidden[X] - 1) * exp(-h);
    return fmi2OK;
}
