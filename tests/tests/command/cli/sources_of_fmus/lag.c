/* x' = k (u - x), y = x, by exact steps; needs the headers of FMI 2.0 and `gain.h`. */
#include <math.h>
#include <stdlib.h>

#ifdef PREFIXED
#define FMI2_FUNCTION_PREFIX a_
#endif
#include "fmi2Functions.h"
#include "gain.h"

#ifdef PREFIXED
#define PASTE(a, b) a##b
#define NAME(prefix, name) PASTE(prefix, name)
#else
#define NAME(prefix, name) name
#endif
#define FMI(name) NAME(a_, name)
#define C fmi2Component component

typedef struct {
    double u, x, k, x0;
} Lag;

const char *FMI(fmi2GetTypesPlatform)(void) { return fmi2TypesPlatform; }
const char *FMI(fmi2GetVersion)(void) { return fmi2Version; }
fmi2Component FMI(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String guid, fmi2String place, const fmi2CallbackFunctions *callbacks,
                                   fmi2Boolean visible, fmi2Boolean logging) {
    (void)name, (void)type, (void)guid, (void)place, (void)callbacks, (void)visible, (void)logging;
    Lag *self = calloc(1, sizeof *self);
    self->k = gain();
    self->x = self->x0 = 1;
    return self;
}
void FMI(fmi2FreeInstance)(C) { free(component); }
fmi2Status FMI(fmi2SetupExperiment)(C, fmi2Boolean a, fmi2Real b, fmi2Real c, fmi2Boolean d, fmi2Real e) {
    (void)component, (void)a, (void)b, (void)c, (void)d, (void)e;
    return fmi2OK;
}
fmi2Status FMI(fmi2EnterInitializationMode)(C) { return (void)component, fmi2OK; }
fmi2Status FMI(fmi2ExitInitializationMode)(C) { return (void)component, fmi2OK; }
fmi2Status FMI(fmi2Terminate)(C) { return (void)component, fmi2OK; }
fmi2Status FMI(fmi2Reset)(C) {
    Lag *self = component;
    self->x = self->x0;
    return fmi2OK;
}
fmi2Status FMI(fmi2GetReal)(C, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
    Lag *self = component;
    double *all[] = {&self->u, &self->x, &self->k, &self->x0};
    for (size_t i = 0; i < n; i++) v[i] = *all[r[i]];
    return fmi2OK;
}
fmi2Status FMI(fmi2SetReal)(C, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
    Lag *self = component;
    double *all[] = {&self->u, &self->x, &self->k, &self->x0};
    for (size_t i = 0; i < n; i++) {
        *all[r[i]] = v[i];
        if (r[i] == 3) self->x = v[i];
    }
    return fmi2OK;
}
fmi2Status FMI(fmi2DoStep)(C, fmi2Real t, fmi2Real h, fmi2Boolean commit) {
    (void)t, (void)commit;
    Lag *self = component;
    self->x += (self->u - self->x) * -expm1(-self->k * h);
    return fmi2OK;
}
#define GET(kind) \
    fmi2Status FMI(fmi2Get##kind)(C, const fmi2ValueReference r[], size_t n, fmi2##kind v[]) { \
        (void)component, (void)r; \
        for (size_t i = 0; i < n; i++) v[i] = 0; \
        return fmi2OK; \
    } \
    fmi2Status FMI(fmi2Set##kind)(C, const fmi2ValueReference r[], size_t n, const fmi2##kind v[]) { \
        return (void)component, (void)r, (void)n, (void)v, fmi2OK; \
    }
GET(Integer)
GET(Boolean)
fmi2Status FMI(fmi2GetString)(C, const fmi2ValueReference r[], size_t n, fmi2String v[]) {
    (void)component, (void)r;
    for (size_t i = 0; i < n; i++) v[i] = "";
    return fmi2OK;
}
fmi2Status FMI(fmi2SetString)(C, const fmi2ValueReference r[], size_t n, const fmi2String v[]) {
    return (void)component, (void)r, (void)n, (void)v, fmi2OK;
}
fmi2Status FMI(fmi2SetDebugLogging)(C, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    return (void)component, (void)on, (void)n, (void)categories, fmi2OK;
}
#ifndef INCOMPLETE
fmi2Status FMI(fmi2GetFMUstate)(C, fmi2FMUstate *s) { return (void)component, (void)s, fmi2Error; }
fmi2Status FMI(fmi2SetFMUstate)(C, fmi2FMUstate s) { return (void)component, (void)s, fmi2Error; }
fmi2Status FMI(fmi2FreeFMUstate)(C, fmi2FMUstate *s) { return (void)component, (void)s, fmi2Error; }
fmi2Status FMI(fmi2SerializedFMUstateSize)(C, fmi2FMUstate s, size_t *n) { return (void)component, (void)s, (void)n, fmi2Error; }
fmi2Status FMI(fmi2SerializeFMUstate)(C, fmi2FMUstate s, fmi2Byte b[], size_t n) {
    return (void)component, (void)s, (void)b, (void)n, fmi2Error;
}
fmi2Status FMI(fmi2DeSerializeFMUstate)(C, const fmi2Byte b[], size_t n, fmi2FMUstate *s) {
    return (void)component, (void)s, (void)b, (void)n, fmi2Error;
}
fmi2Status FMI(fmi2GetDirectionalDerivative)(C, const fmi2ValueReference a[], size_t n, const fmi2ValueReference b[], size_t m,
                                             const fmi2Real seed[], fmi2Real result[]) {
    return (void)component, (void)a, (void)n, (void)b, (void)m, (void)seed, (void)result, fmi2Error;
}
fmi2Status FMI(fmi2SetRealInputDerivatives)(C, const fmi2ValueReference r[], size_t n, const fmi2Integer o[], const fmi2Real v[]) {
    return (void)component, (void)r, (void)n, (void)o, (void)v, fmi2Error;
}
fmi2Status FMI(fmi2GetRealOutputDerivatives)(C, const fmi2ValueReference r[], size_t n, const fmi2Integer o[], fmi2Real v[]) {
    return (void)component, (void)r, (void)n, (void)o, (void)v, fmi2Error;
}
#endif
fmi2Status FMI(fmi2CancelStep)(C) { return (void)component, fmi2Error; }
#define STATUS(kind) \
    fmi2Status FMI(fmi2Get##kind)(C, const fmi2StatusKind k, fmi2##kind *v) { return (void)component, (void)k, (void)v, fmi2Discard; }
STATUS(Status)
#undef STATUS
#define STATUS(kind) \
    fmi2Status FMI(fmi2Get##kind##Status)(C, const fmi2StatusKind k, fmi2##kind *v) { \
        return (void)component, (void)k, (void)v, fmi2Discard; \
    }
STATUS(Real)
STATUS(Integer)
STATUS(Boolean)
STATUS(String)
