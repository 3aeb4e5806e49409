/* x' = k (u - x), y = x, up to END: the step across it ends there, with fmi2Discard, the time, and the wish to end. So does a step that ends
   just there with AGAIN. With AT_POINTS it makes that step to its end. */
#include <math.h>
#include "quirk.h"

#ifndef END
#define END 0.537
#endif

enum { U, Y, K, X0 };

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
}

fmi2Status exit_initialization(Instance *self) {
    self->now.real[Y] = self->now.real[X0];
    return fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)commit;
    double *real = self->now.real, end = t + h;
    int is_over = end > END + 1e-9;
#ifdef AGAIN
    is_over = end > END - 1e-9;
#endif
    if (is_over) {
#ifndef AT_POINTS
        end = END;
#endif
        self->now.last_successful_time = end;
        self->now.terminated = 1;
    }
    real[Y] = real[U] + (real[Y] - real[U]) * exp(-real[K] * (end - t));
    return is_over ? say(self, fmi2Discard, "the end is reached") : fmi2OK;
}
