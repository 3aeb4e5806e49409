/* What an FMU changes of its process, and what it sees of it: y is a number made of both, at the start and after each step. CHANGES: it changes the locale,
   the rounding, an environment variable, the handler of SIGINT and the working directory; IN_STEP: in its first step only, otherwise when it is instantiated.
   ROUNDS_UP: it changes the rounding only, by the instruction itself. */
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "quirk.h"

enum { U, Y, K, X0 };

static void change(void) {
#ifdef CHANGES
    setlocale(LC_ALL, "C.UTF-8");
    fesetround(FE_UPWARD);
    setenv("LOTKA_QUIRK", "5", 1);
    signal(SIGINT, SIG_IGN);
    if (chdir("/") != 0) abort();
#endif
#ifdef ROUNDS_UP
    unsigned control;
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    control |= 0x4000;
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
#endif
}

static double seen(void) {
    volatile double one = 1, three = 3;
    const char *variable = getenv("LOTKA_QUIRK");
    struct sigaction action;
    char directory[4096];
    double handler = 0, is_root = 0;
#ifdef SEES_PROCESS
    handler = sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
    is_root = getcwd(directory, sizeof directory) && directory[1] == 0;
#else
    (void)action, (void)directory;
#endif
    return one / three + (double)MB_CUR_MAX + 10 * (variable ? atof(variable) : 0) + 100 * handler + 1000 * is_root;
}

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
#ifndef IN_STEP
    change();
#endif
}

fmi2Status exit_initialization(Instance *self) {
    self->now.real[Y] = seen();
    return fmi2OK;
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)h, (void)commit;
#ifdef IN_STEP
    if (t == 0) change();
#else
    (void)t;
#endif
    self->now.real[Y] = seen();
    return fmi2OK;
}
