/* Calls a function of every library that a program in C usually brings along: libm, libdl, libpthread, librt, libgcc_s. */
#ifndef LIBRARIES_H
#define LIBRARIES_H
#include <dlfcn.h>
#include <math.h>
#include <mqueue.h>
#include <pthread.h>
#include <unwind.h>

static void *half(void *angle) {
    *(double *)angle /= 2;
    return NULL;
}

static _Unwind_Reason_Code count_frame(struct _Unwind_Context *context, void *frames) {
    (void)context;
    ++*(int *)frames;
    return _URC_NO_REASON;
}

/* sin(pi / 2) + cos(0) = 2 where all of them do what they should. */
static double of_all_libraries(void) {
    volatile double pi = 3.14159265358979323846;
    double angle = pi;
    pthread_t thread;
    int frames = 0;
    if (pthread_create(&thread, NULL, half, &angle) != 0 || pthread_join(thread, NULL) != 0) return NAN;
    double (*cosine)(double) = (double (*)(double))dlsym(RTLD_DEFAULT, "cos");
    _Unwind_Backtrace(count_frame, &frames);
    struct mq_attr attributes;
    if (!cosine || frames == 0 || mq_getattr(-1, &attributes) == 0) return NAN;
    return sin(angle) + cosine(0);
}
#endif
