/* What an FMU must not do to the process that hosts it, and what it should not say to the logger. */
#ifndef MISBEHAVE_H
#define MISBEHAVE_H
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif
#include "faults.h"
#include "fmi2.h"

#ifdef EXIT_FROM_THREAD
static void *leave(void *nothing) {
    (void)nothing;
    exit(0);
}
#endif

#ifdef OVERFLOW_STACK
static int sink(volatile int *above) {
    volatile int depth = *above + 1;
    return depth == 0 ? 0 : sink(&depth) + depth;
}
#endif

#ifdef ABORT_WHEN_LOADED
__attribute__((constructor)) static void abort_when_loaded(void) { abort(); }
#endif

#ifdef HANG_AT_EXIT
__attribute__((destructor)) static void hang_at_exit(void) {
    for (;;) pause();
}
#endif

#ifdef ABORT_AT_EXIT
__attribute__((destructor)) static void abort_at_exit(void) { abort(); }
#endif

static void misbehave(void) {
#ifdef EXIT_FROM_THREAD
    pthread_t thread;
    if (pthread_create(&thread, NULL, leave, NULL) == 0) pthread_join(thread, NULL);
#endif
#ifdef OVERFLOW_STACK
    volatile int depth = 0;
    sink(&depth);
#endif
#ifdef PRINT
    puts("printed by the FMU");
    fflush(stdout);
#endif
#ifdef CHANGE_DIRECTORY
    if (chdir("/") != 0) abort();
#endif
#ifdef CHANGE_ROUNDING
    fesetround(FE_UPWARD);
#endif
#if defined FLUSH_TO_ZERO && defined __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
#ifdef ENABLE_TRAPS
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
#endif
#ifdef CHANGE_SIGNALS
    signal(SIGINT, SIG_IGN);
    signal(SIGSEGV, SIG_IGN);
#endif
#ifdef CHANGE_LOCALE
    setlocale(LC_ALL, "C.UTF-8");
#endif
#ifdef CLOSE_STDOUT
    close(STDOUT_FILENO);
#endif
}

static void log_oddly(const fmi2CallbackFunctions *to) {
    void (*log)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...) = to->logger;
    fmi2ComponentEnvironment environment = to->componentEnvironment;
    enum { HUGE_LENGTH = 1 << 20 };
    char *huge = malloc(HUGE_LENGTH + 1);
    if (!huge) abort();
    memset(huge, 'x', HUGE_LENGTH);
    huge[HUGE_LENGTH] = 0;
    log(environment, NULL, fmi2Warning, "logStatusWarning", "no name");
    log(environment, "odd", fmi2Warning, NULL, "no category");
    log(environment, "odd", fmi2Warning, "logStatusWarning", NULL);
    log(environment, "odd", 77, "logStatusWarning", "unknown status");
    log(environment, "odd", -1, "logStatusWarning", "negative status");
    log(environment, "odd", fmi2Warning, "no such category", "unknown category");
    log(environment, "odd", fmi2Warning, "logStatusWarning", "100% of %s and %d and 5 %", "text", 7);
    log(environment, "odd", fmi2Warning, "logStatusWarning", "bytes \xff\xfe and \xc3");
    log(environment, "odd", fmi2Warning, "logStatusWarning", "#r1# and #i7 and ## and #");
    log(environment, "odd", fmi2Warning, "logStatusWarning", "");
    log(environment, "odd", fmi2Warning, "logStatusWarning", "two\nlines\r\n\a");
    log(environment, "odd", fmi2Warning, "logStatusWarning", "%s", huge);
    log(environment, huge, fmi2Warning, huge, huge);
    free(huge);
}

static void *log_from_thread(void *callbacks) {
    const fmi2CallbackFunctions *to = callbacks;
    for (int i = 0; i < 100; i++) to->logger(to->componentEnvironment, "thread", fmi2OK, "logEvents", "from a thread, %d", i);
    return NULL;
}

/* Owns its argument, as the instance is gone by the time it runs. */
static void *log_later(void *callbacks) {
    for (int i = 0; i < 20; i++) {
        usleep(1000);
        log_from_thread(callbacks);
    }
    free(callbacks);
    return NULL;
}

static void start_thread(void *(*run)(void *), const fmi2CallbackFunctions *callbacks, int wait) {
    fmi2CallbackFunctions *copy = malloc(sizeof *copy);
    pthread_t thread;
    if (!copy) abort();
    *copy = *callbacks;
    if (pthread_create(&thread, NULL, run, copy) != 0) abort();
    if (!wait) {
        pthread_detach(thread);
        return;
    }
    pthread_join(thread, NULL);
    free(copy);
}

#endif
