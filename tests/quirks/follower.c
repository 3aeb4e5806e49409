/* y = GAIN u at once. IN_STEPS: it is computed in steps only, as by tools that hold outputs. STRICT: after an input was set, outputs cannot be read
   before the next step, as FMI 2.0 says. STATIC: the input is in memory that all instances share. */
#include "quirk.h"

#ifndef GAIN
#define GAIN 1
#endif

enum { U, Y };
enum { IS_SET }; /* hidden */

#ifdef STATIC
static double shared;
#endif

static double input(Instance *self) {
#ifdef STATIC
    return (void)self, shared;
#else
    return self->now.real[U];
#endif
}

void start(Instance *self) { (void)self; }

fmi2Status write_real(Instance *self, unsigned reference, double value) {
    self->now.real[reference] = value;
    self->now.hidden[IS_SET] = 1;
#ifdef STATIC
    if (reference == U) shared = value;
#endif
    return fmi2OK;
}

fmi2Status exit_initialization(Instance *self) {
    self->now.real[Y] = GAIN * input(self);
    self->now.hidden[IS_SET] = 0;
    return fmi2OK;
}

fmi2Status read_real(Instance *self, unsigned reference, double *value) {
#ifdef STRICT
    if (self->now.is_initialized && self->now.hidden[IS_SET]) return say(self, fmi2Error, "read after an input was set");
#endif
#ifdef IN_STEPS
    if (!self->now.is_initialized)
#endif
        self->now.real[Y] = GAIN * input(self);
    return *value = self->now.real[reference], fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)t, (void)h, (void)commit;
    self->now.real[Y] = GAIN * input(self);
    self->now.hidden[IS_SET] = 0;
    return fmi2OK;
}
