/* y is what the library says that the FMU brings along (companion_library.c), or 1 without one. WITH_COMPANION: it has one. CALLS: name of a function
   that somebody else must provide, as for an embedded interpreter; it is never called. */
#include "quirk.h"

enum { U, Y, K, X0 };

#ifdef WITH_COMPANION
double companion(void);
#else
static double companion(void) { return 1; }
#endif

#ifdef CALLS
void CALLS(void) __attribute__((weak));
void (*needed)(void) = CALLS;
#endif

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
}

fmi2Status exit_initialization(Instance *self) {
    self->now.real[Y] = companion();
    return fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)t, (void)h, (void)commit;
    self->now.real[Y] = companion();
    return fmi2OK;
}
