/* An FMI 2.0 co-simulation FMU without rules of its own: quirk.c has all 34 functions, and a source beside it says what the FMU computes and
   which habit of a real tool it has. A source defines `start` and `advance`; the other functions may be defined, too: quirk.c has weak ones
   that do the usual. */
#ifndef QUIRK_H
#define QUIRK_H
#include "../hostile/fmi2.h"

enum { REALS = 16, INTEGERS = 8, BOOLEANS = 8, STRINGS = 4, LENGTH = 64, HIDDEN = 64 };

/* All that a saved state has. Value references are indices. */
typedef struct {
    double real[REALS];
    double slope[REALS]; /* first derivatives of inputs, 0 after fmi2SetReal */
    int integer[INTEGERS], boolean[BOOLEANS];
    char string[STRINGS][LENGTH];
    double hidden[HIDDEN]; /* what no variable shows */
    double time;           /* last communication point [s] */
    double last_successful_time; /* of a discarded step [s] */
    int terminated;              /* the discarded step asks for the end */
    int is_initialized;          /* exited initialization mode */
} State;

typedef struct {
    double tolerance, start, stop;
    int has_tolerance, has_stop;
} Experiment;

typedef struct {
    State now;
    Experiment experiment;
    int is_set_up;
    const fmi2CallbackFunctions *callbacks;
    fmi2CallbackFunctions own;
    char name[LENGTH];
} Instance;

/* Start values; called by fmi2Instantiate and fmi2Reset. */
void start(Instance *self);
/* A step of h from self->now.real, self->now.slope; `commit` is noSetFMUStatePriorToCurrentPoint. Time is set by the caller when it returns fmi2OK. */
fmi2Status advance(Instance *self, double t, double h, int commit);

fmi2Status set_up(Instance *self);                /* fmi2SetupExperiment; self->experiment is filled */
fmi2Status enter_initialization(Instance *self);
fmi2Status exit_initialization(Instance *self);
fmi2Status read_real(Instance *self, unsigned reference, double *value);
fmi2Status write_real(Instance *self, unsigned reference, double value);
fmi2Status output_derivative(Instance *self, unsigned reference, int order, double *value);
fmi2Status directional_derivative(Instance *self, unsigned unknown, unsigned known, double *value);
void locate(Instance *self, const char *resources); /* the URI of its resources, after `start` */
void restored(Instance *self);                    /* after fmi2SetFMUstate */

/* Logs and returns the status. */
fmi2Status say(Instance *self, fmi2Status status, const char *text);

#endif
