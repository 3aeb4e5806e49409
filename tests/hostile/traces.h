/* What a probe looks for: traces in the process, and outputs that depend on what they should not depend on. */
#ifndef TRACES_H
#define TRACES_H
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "instance.h"

#ifdef LEAVE_THREAD
static void *wait_for_ever(void *nothing) {
    for (;;) pause();
    return nothing;
}
#endif

static inline void leave_traces(void) {
#ifdef LEAVE_THREAD
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) abort();
    pthread_detach(thread);
#endif
#ifdef LEAVE_FILE
    int file = open("left_behind.txt", O_CREAT | O_WRONLY, 0600);
    if (file < 0 || close(file) != 0) abort();
#endif
#ifdef LEAVE_FILE_OPEN
    if (open("/dev/null", O_RDONLY) < 0) abort();
#endif
}

/* What a step adds to x beside its equation. */
static inline double disturbance(const Instance *self, int instances) {
    (void)self, (void)instances;
#ifdef DIFFERENT_EACH_TIME
    if (self->now.steps == 0) return 1e-9 * (1 + getpid() % 1000);
#endif
#ifdef FORGETFUL_RESET
    return 1e-6 * self->now.steps;
#endif
#ifdef SHARED_STATE
    if (instances > 1) return 1e-9;
#endif
    return 0;
}

#endif
