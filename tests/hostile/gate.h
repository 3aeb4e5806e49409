/* A gate: the FMU connects to the socket of a test, which thereby knows that it is there, and waits until the test lets it go on. A gate that is
   gone is open. */
#ifndef GATE_H
#define GATE_H
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* `name` ends with a comma or with the text. */
static void wait_at_gate(const char *name, double time) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strcspn(name, ",");
    if (length >= sizeof address.sun_path) return;
    memcpy(address.sun_path + 1, name, length);
    int gate = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(gate, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + 1 + length) == 0) {
        char text[32], answer;
        send(gate, text, snprintf(text, sizeof text, "%.17g\n", time), MSG_NOSIGNAL);
        while (read(gate, &answer, 1) < 0 && errno == EINTR) {}
    }
    if (gate >= 0) close(gate);
}

#endif
