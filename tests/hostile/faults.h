/* Every fault of fmu.c, with the default that means "well-behaved". Switch one on with -DNAME or -DNAME=VALUE. */
#ifndef FAULTS_H
#define FAULTS_H

/* What functions answer instead of fmi2OK: "fmi2DoStep=2,fmi2SetReal=3". Statuses, or one of the numbers of ends.h. The
   builder writes them into the compiled library, after this text. "constructor", "destructor" and "at_exit" count as
   functions. Where functions wait at a gate, "gate" is its name; gate.h tells how. */
#define REPLIES_MARK "hostile replies:"
enum { REPLIES_SPACE = 512 };
#ifndef FAULT_AT /* replies only from this time on [s] */
#define FAULT_AT (-INFINITY)
#endif
#ifndef FAULT_TIMES /* replies at most so often per instance */
#define FAULT_TIMES 2147483647
#endif
#ifndef FAULT_ABOVE /* fmi2DoStep replies only to steps larger than this [s] */
#define FAULT_ABOVE 0
#endif
#ifndef FAULT_BELOW /* fmi2DoStep replies only to steps smaller than this [s] */
#define FAULT_BELOW INFINITY
#endif
#ifndef TERMINATED /* what a discarded step answers for fmi2Terminated */
#define TERMINATED fmi2False
#endif
#ifndef LAST_SUCCESSFUL_TIME /* what a discarded step answers for fmi2LastSuccessfulTime */
#define LAST_SUCCESSFUL_TIME (t + h / 2)
#endif
#ifndef PENDING_POLLS /* fmi2GetStatus says Pending so often before a pending step is done; -1 = forever */
#define PENDING_POLLS 3
#endif

#ifndef INNER_STEP /* it advances in steps of its own [s] */
#define INNER_STEP 0.0
#endif
#ifndef FEEDTHROUGH /* y = x + FEEDTHROUGH * u */
#define FEEDTHROUGH 0.0
#endif
#ifndef ROLLBACK_NOISE /* relative error of x after fmi2SetFMUstate, alternating in sign */
#define ROLLBACK_NOISE 0.0
#endif
#ifndef NAN_AT /* y is BAD_OUTPUT from this time on [s] */
#define NAN_AT INFINITY
#endif
#ifndef BAD_OUTPUT
#define BAD_OUTPUT NAN
#endif
#ifndef DERIVATIVE /* what fmi2GetDirectionalDerivative says that y changes by with u */
#define DERIVATIVE FEEDTHROUGH
#endif
#ifndef SLOPE_FACTOR /* what fmi2GetRealOutputDerivatives multiplies the true derivative with */
#define SLOPE_FACTOR 1.0
#endif
#ifndef TRUE_VALUE /* the integer that stands for true in Boolean outputs */
#define TRUE_VALUE 1
#endif
#ifndef VERSION
#define VERSION "2.0"
#endif
#ifndef PLATFORM
#define PLATFORM "default"
#endif
#ifndef LOG_LINES /* so many warnings for each step */
#define LOG_LINES 0
#endif
#ifndef LOG_LINE /* such a warning */
#define LOG_LINE "line %d"
#endif
#ifndef PRINT_LINES /* so many lines to stdout, when other misbehavior is done */
#define PRINT_LINES 0
#endif
#ifndef PRINTED /* such a line */
#define PRINTED "printed by the FMU"
#endif
#ifndef INITIAL_LABEL /* the parameter `label` until it is set */
#define INITIAL_LABEL "none"
#endif
#ifndef SERIALIZED_SIZE /* what fmi2SerializedFMUstateSize answers */
#define SERIALIZED_SIZE sizeof(State)
#endif

/* Without a value:
   INSTANTIATE_FAILS, INSTANTIATE_FAILS_SILENTLY  fmi2Instantiate returns NULL, with or without a message
   NOT_IN_HOSTS              an instance in a host is refused
   STATIC_SCRATCH            the process is aborted when two instances are in fmi2DoStep at the same time
   ONCE_PER_PROCESS          a second instance in the process is refused
   KEEP_CALLBACKS            keeps the pointer to the callback structure instead of a copy
   MEMORY_CALLBACKS          takes its memory from the importer
   STRICT_TIME               the communication point must be bitwise the end of the last step
   STRICT_STOP               not one rounding error beyond the stop time
   STRICT_STEP               all steps bitwise equal
   STRICT_GET                no fmi2Get between fmi2Set and fmi2DoStep in step mode
   NEEDS_STOP, NEEDS_TOLERANCE  fmi2SetupExperiment must give them
   FORGETFUL_STATE           fmi2SetFMUstate restores everything but x
   FORGETFUL_RESET           fmi2Reset keeps the number of steps, on which x depends a little
   RESETS, LEAK              with a value: fmi2Reset fails after so many times; it takes so many bytes for ever
   SHORT_NAMES               an instance with a name of more than 100 characters is refused
   FORGETFUL_GRID            fmi2Reset keeps the offset of the inner steps, which begin where the first step ended
   NULL_STATE                fmi2GetFMUstate returns fmi2OK and no state
   UNWRITTEN_OUTPUTS         fmi2GetReal returns fmi2OK and writes nothing
   NULL_STRINGS, BAD_UTF8, SHARED_STRING_BUFFER, HUGE_STRINGS, ODD_STRINGS  what fmi2GetString gives
   BAD_LOG                   calls the logger with everything that is odd
   LOG_FROM_THREAD, LOG_AFTER_FREE  a thread logs during fmi2DoStep, or after fmi2FreeInstance
   LOG_EACH_STEP             a message for each step, if logging is on
   LOG_FOREVER               a step never stops logging
   CHANGE_DIRECTORY, CHANGE_ROUNDING, FLUSH_TO_ZERO, ENABLE_TRAPS, CHANGE_SIGNALS, IGNORE_CHILDREN, BLOCK_SIGNALS, CHANGE_LOCALE,
   CHANGE_UMASK, CLEAR_ENVIRONMENT, CLOSE_STDIN, CLOSE_STDOUT, CLOSE_STDERR, CLOSE_FILES, REPLACE_FILES, WAKE_THREADS,
   NO_MORE_FILES, NO_FILE_SIZE, START_TIMER, START_PROCESS  done in fmi2Instantiate, or with MISBEHAVE_IN_STEP in fmi2DoStep
   LEAVE_THREAD, LEAVE_FILE, LEAVE_FILE_OPEN, LEAVE_FOLDERS  left behind by fmi2Instantiate; the last one with the number of folders, in each other
   DIFFERENT_EACH_TIME, SHARED_STATE  x depends on the process; on whether there is a second instance
   NO_STOP                   steps go beyond the stop time
   STRICT_LOG                fmi2SetDebugLogging refuses categories that are not listed
   NEEDS_COMMIT              x stays as it is in steps that may be rolled back (noSetFMUStatePriorToCurrentPoint = fmi2False)
   NEEDS_NEIGHBOR            calls a function of a neighbor library
   NEEDS_NOBODY              calls a function that no library has
   NEEDS_LIBRARIES           adds 2 to x0, by functions of libm, libdl, libpthread, librt and libgcc_s
   TRESPASS                  each step does what the parameter `label` names: sandbox.h lists what there is
   TRESPASS_QUIETLY          the same, and goes on if it cannot */
#endif
