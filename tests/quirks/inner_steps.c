/* x' = k u - x / 5, y = x. As 20-sim and many others do it, it advances in steps of its own: to the last point of a grid at or before the end of a
   communication step, or (PAST) to the first one at or after it. Until FROM there is no grid. EULER: one step of the explicit Euler method in
   every communication step instead, which is no grid. ONE_SIZE: all steps must be equal. EXACT: a
   step of another size, were it by its last bit, is discarded, or has another STATUS; NO_MORE: no step is taken after that. LONGEST: a longer step is discarded. LEVEL: only what u has
   above it counts. Without GRID all steps are exact. */
#include <math.h>
#include "quirk.h"

#ifndef GRID
#define GRID 0.0
#endif
#ifndef OFFSET
#define OFFSET 0.0
#endif
#ifndef FROM
#define FROM 0.0
#endif
#ifndef STATUS
#define STATUS fmi2Discard
#endif
#ifdef LEVEL
#define INPUT(u) ((u) > LEVEL ? (u) - LEVEL : 0)
#else
#define INPUT(u) (u)
#endif

enum { U, Y, K, X0 };
enum { DONE, SIZE, REFUSED };
static const double D = 0.2;

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
}

fmi2Status exit_initialization(Instance *self) {
    self->now.real[Y] = self->now.real[X0];
    return fmi2OK;
}

static void flow(double *real, double h) {
#ifdef EULER
    real[Y] += h * (real[K] * INPUT(real[U]) - D * real[Y]);
#else
    double decay = exp(-D * h);
    real[Y] = real[Y] * decay + real[K] * INPUT(real[U]) * (1 - decay) / D;
#endif
}

/* Points of the grid that are passed at a time. */
static double passed(double t) {
    double cells = (t - FROM - OFFSET) / GRID;
#ifdef PAST
    double count = ceil(cells - 1e-6);
#else
    double count = floor(cells + 1e-6) + (OFFSET > 0); /* the first point is at the offset */
#endif
    return count > 0 ? count : 0;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)commit;
#ifdef ONE_SIZE
    double *size = &self->now.hidden[SIZE];
    if (*size == 0) *size = h;
    if (fabs(h - *size) > 1e-12 * h) return say(self, fmi2Error, "this step is not as long as the one before");
#endif
#ifdef EXACT
    if (h != EXACT) {
        self->now.hidden[REFUSED] = 1;
        return say(self, STATUS, "this step has another size");
    }
#ifdef NO_MORE
    if (self->now.hidden[REFUSED] != 0) return say(self, fmi2Error, "a step was refused before");
#endif
#endif
#ifdef LONGEST
    if (h > LONGEST) return say(self, fmi2Discard, "this step is too long");
#endif
    double end = t + h, *done = &self->now.hidden[DONE];
    if (GRID <= 0 || end <= FROM) return flow(self->now.real, h), fmi2OK;
    if (t < FROM) flow(self->now.real, FROM - t);
    for (double count = passed(end); *done < count; ++*done) flow(self->now.real, GRID);
    return fmi2OK;
}
