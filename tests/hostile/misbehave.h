/* What an FMU must not do to the process that hosts it, and what it should not say to the logger. */
#ifndef MISBEHAVE_H
#define MISBEHAVE_H
#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif
#include "faults.h"
#include "fmi2.h"

static void close_streams(void) {
#ifdef CLOSE_STDIN
    close(STDIN_FILENO);
#endif
#ifdef CLOSE_STDOUT
    close(STDOUT_FILENO);
#endif
#ifdef CLOSE_STDERR
    close(STDERR_FILENO);
#endif
#ifdef CLOSE_FILES
    for (int file = 3; file < 256; file++) close(file);
#endif
#ifdef REPLACE_FILES
    for (int file = 3; file < 256; file++) {
        int other = eventfd(0, 0); /* never has anything to read */
        if (other != file) dup2(other, file);
        if (other > file) close(other);
    }
#endif
}

#ifdef WAKE_THREADS
static void only_interrupt(int signal) { (void)signal; }
#endif

static void wake_threads(void) {
#ifdef WAKE_THREADS
    signal(SIGUSR1, only_interrupt);
    DIR *threads = opendir("/proc/self/task");
    if (!threads) abort();
    for (struct dirent *thread; (thread = readdir(threads));) {
        if (atoi(thread->d_name) > 0) syscall(SYS_tgkill, getpid(), atoi(thread->d_name), SIGUSR1);
    }
    closedir(threads);
#endif
}

static void set_limits(void) {
#ifdef NO_MORE_FILES
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, 3});
#endif
#ifdef NO_FILE_SIZE
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
#endif
}

static void start_things(void) {
#ifdef START_TIMER /* SIGALRM ends the process after a millisecond */
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 1000}, NULL);
    pause();
#endif
#ifdef START_PROCESS /* a child that stays for some seconds */
    if (fork() == 0) {
        alarm(START_PROCESS);
        for (;;) pause();
    }
#endif
}

static void misbehave(void) {
    for (int i = 0; i < PRINT_LINES; i++) puts(PRINTED);
    fflush(stdout);
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
#ifdef IGNORE_CHILDREN
    signal(SIGCHLD, SIG_IGN);
#endif
#ifdef BLOCK_SIGNALS
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
#endif
#ifdef CHANGE_LOCALE
    setlocale(LC_ALL, "C.UTF-8");
#endif
#ifdef CHANGE_UMASK
    umask(0777);
#endif
#ifdef CLEAR_ENVIRONMENT
    clearenv();
#endif
    close_streams();
    wake_threads();
    set_limits();
    start_things();
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
