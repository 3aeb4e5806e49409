/* What an FMU must not be able to do in a sandbox, and what it may do there. With -DTRESPASS, each fmi2DoStep does what the parameter `label`
   names (nothing for "none") around the folder TARGET, and fails with the reason if it cannot. */
#ifndef SANDBOX_H
#define SANDBOX_H
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifndef TARGET
#define TARGET "/nonexistent"
#endif

static int works(int result) { return result >= 0; }

static int closes(FILE *file) { return file && fclose(file) == 0; }

static int read_home(void) {
    FILE *file = fopen(TARGET "/secret", "r");
    return file && fgetc(file) != EOF && closes(file);
}

static int write_outside(void) { return closes(fopen(TARGET "/written", "w")); }

static int remove_outside(void) { return works(unlink(TARGET "/spare")); }

static int change_mode(void) { return works(chmod(TARGET "/secret", 0666)); }

static int write_listed(void) { return closes(fopen(TARGET "/listed/written", "w")); }

/* Connects to a socket of its own: that takes no server. */
static int connect_tcp(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0) return 0;
    int client = socket(AF_INET, SOCK_STREAM, 0);
    int connected = works(bind(server, (struct sockaddr *)&address, size)) && works(listen(server, 1)) &&
                    works(getsockname(server, (struct sockaddr *)&address, &size)) && works(connect(client, (struct sockaddr *)&address, size));
    close(client);
    close(server);
    return connected;
}

static int execute(void) {
    char *arguments[] = {"touch", TARGET "/executed", NULL}, *environment[] = {NULL};
    return works(execve("/usr/bin/touch", arguments, environment));
}

static int start_program(void) { return system("touch " TARGET "/executed") == 0; }

static int fork_bomb(void) {
    for (int i = 0; i < 8; i++) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        if (child < 0) return 0;
        waitpid(child, NULL, 0);
    }
    return 1;
}

static int trace_parent(void) { return works(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL)); }

/* Signal 0 asks whether another signal would be sent. */
static int kill_parent(void) { return works(kill(getppid(), 0)); }

static int open_of_parent(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", getppid(), name);
    return closes(fopen(path, "r"));
}

static int open_parent_memory(void) { return open_of_parent("mem"); }

static int read_parent_environment(void) { return open_of_parent("environ"); }

static int read_environment(void) { return getenv("CARGO_MANIFEST_DIR") != NULL; }

static int share_memory(void) { return works(memfd_create("hostile", 0)); }

/* Without touching it: only the right to is asked for. */
static int allocate_all(void) {
    void *memory = mmap(NULL, (size_t)3 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED && works(munmap(memory, (size_t)3 << 30));
}

static int burn_cpu(void) {
    volatile unsigned turns = 0;
    for (clock_t start = clock(); clock() - start < 5 * CLOCKS_PER_SEC / 2;) turns++;
    return 1;
}

static int read_resource(void) {
    Dl_info library;
    char path[4096];
    if (!dladdr((void *)read_resource, &library)) return 0;
    snprintf(path, sizeof path, "%s", library.dli_fname);
    for (int i = 0; i < 3; i++) *strrchr(path, '/') = 0;
    strncat(path, "/resources/table.txt", sizeof path - strlen(path) - 1);
    return closes(fopen(path, "r+"));
}

static int write_temporary(void) {
    char path[4096];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(path);
    return works(file) && works(close(file)) && works(unlink(path)) && closes(fopen("in-working-directory", "w")) && works(unlink("in-working-directory"));
}

static void *idle(void *argument) { return argument; }

static int run_threads(void) {
    for (int i = 0; i < 8; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, idle, NULL) != 0 || pthread_join(thread, NULL) != 0) return 0;
    }
    return 1;
}

#define DEED(name) {#name, name}
static const struct {
    const char *name;
    int (*run)(void);
} deeds[] = {
    DEED(read_home), DEED(write_outside), DEED(remove_outside), DEED(change_mode), DEED(write_listed), DEED(connect_tcp), DEED(execute),
    DEED(start_program), DEED(fork_bomb), DEED(trace_parent), DEED(kill_parent), DEED(open_parent_memory), DEED(read_parent_environment),
    DEED(read_environment), DEED(share_memory), DEED(allocate_all), DEED(burn_cpu), DEED(read_resource), DEED(write_temporary), DEED(run_threads)};

/* Why the deed cannot be done; NULL if it is done. */
static const char *trespass(const char *name) {
    if (strcmp(name, "none") == 0) return NULL;
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(name, deeds[i].name) == 0) {
            errno = 0;
            return deeds[i].run() ? NULL : strerror(errno);
        }
    return "no such deed";
}

#endif
