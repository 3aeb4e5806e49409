/* A switch with hysteresis: y is 1 until u is above x0, then -1 until u is below k. Strictly: on a level nothing happens; with ON_LEVEL it switches there
   already. */
#include "quirk.h"

#ifdef ON_LEVEL
#define ABOVE >=
#define BELOW <=
#else
#define ABOVE >
#define BELOW <
#endif

enum { U, Y, K, X0 };

void start(Instance *self) {
    self->now.real[K] = 19.5;
    self->now.real[X0] = 20;
    self->now.real[Y] = 1;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)t, (void)h, (void)commit;
    double *real = self->now.real;
    if (real[U] ABOVE real[X0]) real[Y] = -1;
    if (real[U] BELOW real[K]) real[Y] = 1;
    return fmi2OK;
}
