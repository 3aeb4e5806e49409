/* The part of the FMI 2.0 interface that a co-simulation FMU needs. */
#ifndef FMI2_H
#define FMI2_H
#include <stddef.h>

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean, fmi2Status, fmi2StatusKind, fmi2Type;
typedef char fmi2Byte;
typedef const char *fmi2String;

enum { fmi2False, fmi2True };
enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum { fmi2ModelExchange, fmi2CoSimulation };
enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

typedef struct {
    void (*logger)(fmi2ComponentEnvironment, fmi2String name, fmi2Status, fmi2String category, fmi2String message, ...);
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

#endif
