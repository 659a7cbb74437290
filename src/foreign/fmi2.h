// The binary interface of FMI 2.0, written down from its public specification: types, and the functions that an FMU has
// to have. Enumerators and the order of fields are part of it. Used by the FMUs that we write, by those that we run,
// and by hosts in the tests.
#ifndef CR_FOREIGN_FMI2_H
#define CR_FOREIGN_FMI2_H

#include <stddef.h>

typedef void* fmi2Component;
typedef void* fmi2ComponentEnvironment;
typedef void* fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char* fmi2String;
typedef char fmi2Byte;

enum { fmi2False, fmi2True };

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef struct {
  void (*logger)(fmi2ComponentEnvironment environment, fmi2String instanceName, fmi2Status status, fmi2String category,
                 fmi2String message, ...);
  void* (*allocateMemory)(size_t count, size_t size);
  void (*freeMemory)(void* block);
  void (*stepFinished)(fmi2ComponentEnvironment environment, fmi2Status status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

// All functions, once: FMI2(name, return type, arguments).
#define FMI2_FUNCTIONS(FMI2)                                                                                           \
  FMI2(GetTypesPlatform, const char*, (void))                                                                          \
  FMI2(GetVersion, const char*, (void))                                                                                \
  FMI2(SetDebugLogging, fmi2Status,                                                                                    \
       (fmi2Component component, fmi2Boolean loggingOn, size_t count, const fmi2String categories[]))                  \
  FMI2(Instantiate, fmi2Component,                                                                                     \
       (fmi2String instanceName, fmi2Type type, fmi2String guid, fmi2String resourceLocation,                          \
        const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean loggingOn))                           \
  FMI2(FreeInstance, void, (fmi2Component component))                                                                  \
  FMI2(SetupExperiment, fmi2Status,                                                                                    \
       (fmi2Component component, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,                 \
        fmi2Boolean stopTimeDefined, fmi2Real stopTime))                                                               \
  FMI2(EnterInitializationMode, fmi2Status, (fmi2Component component))                                                 \
  FMI2(ExitInitializationMode, fmi2Status, (fmi2Component component))                                                  \
  FMI2(Terminate, fmi2Status, (fmi2Component component))                                                               \
  FMI2(Reset, fmi2Status, (fmi2Component component))                                                                   \
  FMI2(GetReal, fmi2Status,                                                                                            \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, fmi2Real values[]))              \
  FMI2(GetInteger, fmi2Status,                                                                                         \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, fmi2Integer values[]))           \
  FMI2(GetBoolean, fmi2Status,                                                                                         \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, fmi2Boolean values[]))           \
  FMI2(GetString, fmi2Status,                                                                                          \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, fmi2String values[]))            \
  FMI2(SetReal, fmi2Status,                                                                                            \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, const fmi2Real values[]))        \
  FMI2(SetInteger, fmi2Status,                                                                                         \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, const fmi2Integer values[]))     \
  FMI2(SetBoolean, fmi2Status,                                                                                         \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, const fmi2Boolean values[]))     \
  FMI2(SetString, fmi2Status,                                                                                          \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, const fmi2String values[]))      \
  FMI2(GetFMUstate, fmi2Status, (fmi2Component component, fmi2FMUstate * state))                                       \
  FMI2(SetFMUstate, fmi2Status, (fmi2Component component, fmi2FMUstate state))                                         \
  FMI2(FreeFMUstate, fmi2Status, (fmi2Component component, fmi2FMUstate * state))                                      \
  FMI2(SerializedFMUstateSize, fmi2Status, (fmi2Component component, fmi2FMUstate state, size_t * size))               \
  FMI2(SerializeFMUstate, fmi2Status, (fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size))    \
  FMI2(DeSerializeFMUstate, fmi2Status,                                                                                \
       (fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state))                            \
  FMI2(GetDirectionalDerivative, fmi2Status,                                                                           \
       (fmi2Component component, const fmi2ValueReference unknowns[], size_t unknownCount,                             \
        const fmi2ValueReference knowns[], size_t knownCount, const fmi2Real directions[], fmi2Real derivatives[]))    \
  FMI2(EnterEventMode, fmi2Status, (fmi2Component component))                                                          \
  FMI2(NewDiscreteStates, fmi2Status, (fmi2Component component, fmi2EventInfo * info))                                 \
  FMI2(EnterContinuousTimeMode, fmi2Status, (fmi2Component component))                                                 \
  FMI2(CompletedIntegratorStep, fmi2Status,                                                                            \
       (fmi2Component component, fmi2Boolean noSetStateBefore, fmi2Boolean * enterEventMode, fmi2Boolean * terminate)) \
  FMI2(SetTime, fmi2Status, (fmi2Component component, fmi2Real time))                                                  \
  FMI2(SetContinuousStates, fmi2Status, (fmi2Component component, const fmi2Real states[], size_t count))              \
  FMI2(GetDerivatives, fmi2Status, (fmi2Component component, fmi2Real derivatives[], size_t count))                    \
  FMI2(GetEventIndicators, fmi2Status, (fmi2Component component, fmi2Real indicators[], size_t count))                 \
  FMI2(GetContinuousStates, fmi2Status, (fmi2Component component, fmi2Real states[], size_t count))                    \
  FMI2(GetNominalsOfContinuousStates, fmi2Status, (fmi2Component component, fmi2Real nominals[], size_t count))        \
  FMI2(SetRealInputDerivatives, fmi2Status,                                                                            \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, const fmi2Integer orders[],      \
        const fmi2Real values[]))                                                                                      \
  FMI2(GetRealOutputDerivatives, fmi2Status,                                                                           \
       (fmi2Component component, const fmi2ValueReference references[], size_t count, const fmi2Integer orders[],      \
        fmi2Real values[]))                                                                                            \
  FMI2(DoStep, fmi2Status,                                                                                             \
       (fmi2Component component, fmi2Real currentPoint, fmi2Real stepSize, fmi2Boolean noSetStateBefore))              \
  FMI2(CancelStep, fmi2Status, (fmi2Component component))                                                              \
  FMI2(GetStatus, fmi2Status, (fmi2Component component, const fmi2StatusKind kind, fmi2Status* value))                 \
  FMI2(GetRealStatus, fmi2Status, (fmi2Component component, const fmi2StatusKind kind, fmi2Real* value))               \
  FMI2(GetIntegerStatus, fmi2Status, (fmi2Component component, const fmi2StatusKind kind, fmi2Integer* value))         \
  FMI2(GetBooleanStatus, fmi2Status, (fmi2Component component, const fmi2StatusKind kind, fmi2Boolean* value))         \
  FMI2(GetStringStatus, fmi2Status, (fmi2Component component, const fmi2StatusKind kind, fmi2String* value))

#define FMI2_DECLARE(name, type, arguments) __attribute__((visibility("default"))) type fmi2##name arguments;
FMI2_FUNCTIONS(FMI2_DECLARE)
#undef FMI2_DECLARE

#endif
