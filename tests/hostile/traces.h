/* What a probe looks for: traces in the process, and outputs that depend on what they should not depend on. */
#ifndef TRACES_H
#define TRACES_H
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
#ifdef LEAVE_FOLDERS
    Dl_info library;
    if (!dladdr((void *)leave_traces, &library)) abort();
    char path[4096];
    snprintf(path, sizeof path, "%s", library.dli_fname);
    *strrchr(path, '/') = 0;
    int folder = open(path, O_DIRECTORY | O_RDONLY);
    for (int level = 0; level < LEAVE_FOLDERS; level++) {
        if (mkdirat(folder, "level", level % 2 ? 0700 : 0) != 0) abort();
        int next = openat(folder, "level", O_DIRECTORY | O_RDONLY);
        if (next < 0 && fchmodat(folder, "level", 0700, 0) == 0) next = openat(folder, "level", O_DIRECTORY | O_RDONLY);
        if (next < 0 || close(folder) != 0) abort();
        folder = next;
    }
    close(folder);
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
