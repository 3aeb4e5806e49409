/* One instance of the test FMU, and what all exported functions share. */
#ifndef INSTANCE_H
#define INSTANCE_H
#include "faults.h"
#include "fmi2.h"

/* Phases of the call table, as bits. */
enum {
    INSTANTIATED = 1, INITIALIZATION = 2, COMPLETE = 4, IN_PROGRESS = 8, FAILED = 16, CANCELED = 32, ENDED = 64,
    ERRONEOUS = 128, FATAL = 256
};
enum {
    ANY = 255, RESTING = ANY & ~IN_PROGRESS, READABLE = RESTING & ~INSTANTIATED,
    SETTABLE = INSTANTIATED | INITIALIZATION | COMPLETE
};
enum { LABEL = 64 };

/* Value references of the Real variables. */
enum { U, Y, K, X0 };

typedef struct {
    int phase, level, enable, steps, set_since_step;
    double time, step, x, u, slope, k, x0, offset;
    double last_successful_time, pending_step;
    char label[LABEL];
} State;

typedef struct {
    State now;
    fmi2CallbackFunctions own;
    const fmi2CallbackFunctions *callbacks;
    char *name;
    char text[LABEL + 32];
    double stop;
    int has_stop, logging, faults_left, polls_left, restores;
    fmi2Status result;
} Instance;

/* Logs; fmi2Error and fmi2Fatal change the phase. Returns the status. */
__attribute__((visibility("hidden"))) fmi2Status say(Instance *, fmi2Status, const char *format, ...);
/* fmi2OK, or why the function must not run: the call table, or a switched-on fault. */
__attribute__((visibility("hidden"))) int enter(Instance *, const char *function, int phases);
__attribute__((visibility("hidden"))) void *allocate(const fmi2CallbackFunctions *, size_t);
__attribute__((visibility("hidden"))) void release(const fmi2CallbackFunctions *, void *);

/* Opens an exported function: `self`, and out again if the call is out of order or told to fail. */
#define ENTER(phases) \
    Instance *self = component; \
    int refused = enter(self, __func__, phases); \
    if (refused != fmi2OK) return refused

#endif
