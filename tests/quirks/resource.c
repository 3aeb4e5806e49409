/* y is the number in the file `value.txt` of its resources, or -1 if there is none. As many FMUs do, it takes the URI of its resources for a path behind
   `file://`, and decodes nothing. */
#include <stdio.h>
#include <string.h>
#include "quirk.h"

enum { U, Y, K, X0 };

void start(Instance *self) {
    self->now.real[K] = 1;
    self->now.real[X0] = 1;
}

void locate(Instance *self, const char *resources) {
    char path[4096];
    self->now.real[Y] = -1;
    snprintf(path, sizeof path, "%s/value.txt", resources + strlen("file://"));
    FILE *file = fopen(path, "r");
    if (!file) return;
    if (fscanf(file, "%lf", &self->now.real[Y]) != 1) self->now.real[Y] = -2;
    fclose(file);
}

fmi2Status advance(Instance *self, double t, double h, int commit) {
    (void)self, (void)t, (void)h, (void)commit;
    return fmi2OK;
}
