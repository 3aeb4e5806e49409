/* Ways in which an FMU ends the process that it runs in, or keeps it from ever going on. */
#ifndef ENDS_H
#define ENDS_H
#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    REPLY_ABORT = 101, REPLY_CRASH, REPLY_EXIT, REPLY_HANG, REPLY_EXIT_3, REPLY_QUIT, REPLY_SPIN, REPLY_KILL, REPLY_TERMINATE,
    REPLY_DIVIDE, REPLY_ILLEGAL, REPLY_BUS, REPLY_STACK, REPLY_DOUBLE_FREE, REPLY_SMASH, REPLY_END_THREAD, REPLY_EXECUTE,
    REPLY_EXIT_FROM_THREAD, REPLY_GATE, REPLY_CORRUPT, REPLY_FREEZE, REPLY_CROWD
};

static volatile int zero;

static int overflow_stack(int depth) {
    volatile char page[4096];
    page[0] = (char)depth;
    return zero ? 0 : overflow_stack(depth + 1) + page[0];
}

/* Beyond the end of a file that is mapped there is no memory. */
static void touch_lost_page(void) {
    char name[] = "/tmp/hostile-XXXXXX";
    int file = mkstemp(name);
    if (file < 0) abort();
    unlink(name);
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) *(volatile char *)page = 1;
}

static void free_twice(void) {
    void *volatile memory = malloc(40);
    void *volatile again = memory;
    free(memory);
    free(again);
}

/* What the allocator keeps before a block is overwritten; freeing the block finds it. */
static void smash_heap(void) {
    char *memory = malloc(2000);
    volatile char *at = memory;
    for (int i = -16; i < 0; i++) at[i] = 0x55;
    free(memory);
}

/* The allocator finds it when anybody asks for memory that it does not have ready: large blocks are all taken. */
static void corrupt_heap(void) {
    size_t *memory = NULL;
    for (int i = 0; i < 64; i++) memory = malloc(100000);
    volatile size_t *size_of_rest = memory + malloc_usable_size(memory) / sizeof(size_t);
    *size_of_rest = 0x55;
}

static void *leave(void *nothing) {
    (void)nothing;
    exit(0);
}

static void exit_from_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, leave, NULL) == 0) pthread_join(thread, NULL);
}

static void stop_here(int signal) {
    (void)signal;
    for (;;) pause();
}

/* Keeps all other threads of the process from running, those of the host included. */
static void freeze_siblings(void) {
    signal(SIGUSR1, stop_here);
    DIR *threads = opendir("/proc/self/task");
    if (!threads) abort();
    for (struct dirent *thread; (thread = readdir(threads));) {
        int id = atoi(thread->d_name);
        if (id > 0 && id != syscall(SYS_gettid)) syscall(SYS_tgkill, getpid(), id, SIGUSR1);
    }
    closedir(threads);
}

static void *spin(void *nothing) {
    (void)nothing;
    while (!zero) zero = 0;
    return NULL;
}

/* Many threads keep the cores from the one that is called. */
static void start_crowd(void) {
    pthread_t thread;
    for (int i = 0; i < 150; i++)
        if (pthread_create(&thread, NULL, spin, NULL) != 0) abort();
}

/* Does not return for the numbers above; does nothing for statuses. */
static void end_process(int reply) {
    switch (reply) {
    case REPLY_ABORT: abort();
    case REPLY_CRASH: *(volatile int *)0 = 0; break;
    case REPLY_EXIT: exit(0);
    case REPLY_EXIT_3: exit(3);
    case REPLY_QUIT: _exit(0);
    case REPLY_HANG:
        for (;;) pause();
    case REPLY_SPIN:
        while (!zero) zero = 0;
        break;
    case REPLY_KILL: raise(SIGKILL); break;
    case REPLY_TERMINATE:
        signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
        break;
    case REPLY_DIVIDE: zero = 100 / zero; break;
    case REPLY_ILLEGAL: __builtin_trap();
    case REPLY_BUS: touch_lost_page(); break;
    case REPLY_STACK: zero = overflow_stack(0); break;
    case REPLY_DOUBLE_FREE: free_twice(); break;
    case REPLY_SMASH: smash_heap(); break;
    case REPLY_CORRUPT: corrupt_heap(); break;
    case REPLY_END_THREAD: pthread_exit(NULL);
    case REPLY_EXECUTE: execl("/bin/true", "true", (char *)NULL); break;
    case REPLY_EXIT_FROM_THREAD: exit_from_thread(); break;
    case REPLY_FREEZE:
        freeze_siblings();
        spin(NULL);
        break;
    case REPLY_CROWD:
        start_crowd();
        spin(NULL);
        break;
    }
}

#endif
