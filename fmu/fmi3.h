// The binary interface of FMI 3.0, written down from its public specification: types, and the functions that an FMU has
// to have. Enumerators are part of it. Used by the FMU, and by hosts in the tests.
#ifndef CR_FMI3_H
#define CR_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                               fmi3Boolean setRequested, fmi3Boolean getAllowed,
                                               fmi3Boolean stepFinished, fmi3Boolean canReturnEarly,
                                               fmi3Boolean* earlyReturnRequested, fmi3Float64* earlyReturnTime);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

#define FMI3_WHICH fmi3Instance instance, const fmi3ValueReference references[], size_t count

// Numbers of one type: set and got alike.
#define FMI3_NUMBERS(FMI3, type)                                                                                       \
  FMI3(Get##type, fmi3Status, (FMI3_WHICH, fmi3##type values[], size_t valueCount))                                    \
  FMI3(Set##type, fmi3Status, (FMI3_WHICH, const fmi3##type values[], size_t valueCount))

// All functions, once: FMI3(name, return type, arguments).
#define FMI3_FUNCTIONS(FMI3)                                                                                           \
  FMI3(GetVersion, const char*, (void))                                                                                \
  FMI3(SetDebugLogging, fmi3Status,                                                                                    \
       (fmi3Instance instance, fmi3Boolean loggingOn, size_t count, const fmi3String categories[]))                    \
  FMI3(InstantiateModelExchange, fmi3Instance,                                                                         \
       (fmi3String instanceName, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,                       \
        fmi3Boolean loggingOn, fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage))                \
  FMI3(InstantiateCoSimulation, fmi3Instance,                                                                          \
       (fmi3String instanceName, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,                       \
        fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,                              \
        const fmi3ValueReference intermediate[], size_t intermediateCount, fmi3InstanceEnvironment environment,        \
        fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate))                         \
  FMI3(InstantiateScheduledExecution, fmi3Instance,                                                                    \
       (fmi3String instanceName, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,                       \
        fmi3Boolean loggingOn, fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage,                 \
        fmi3ClockUpdateCallback clockUpdate, fmi3LockPreemptionCallback lockPreemption,                                \
        fmi3UnlockPreemptionCallback unlockPreemption))                                                                \
  FMI3(FreeInstance, void, (fmi3Instance instance))                                                                    \
  FMI3(EnterInitializationMode, fmi3Status,                                                                            \
       (fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance, fmi3Float64 startTime,             \
        fmi3Boolean stopTimeDefined, fmi3Float64 stopTime))                                                            \
  FMI3(ExitInitializationMode, fmi3Status, (fmi3Instance instance))                                                    \
  FMI3(EnterEventMode, fmi3Status, (fmi3Instance instance))                                                            \
  FMI3(Terminate, fmi3Status, (fmi3Instance instance))                                                                 \
  FMI3(Reset, fmi3Status, (fmi3Instance instance))                                                                     \
  FMI3_NUMBERS(FMI3, Float32)                                                                                          \
  FMI3_NUMBERS(FMI3, Float64)                                                                                          \
  FMI3_NUMBERS(FMI3, Int8)                                                                                             \
  FMI3_NUMBERS(FMI3, UInt8)                                                                                            \
  FMI3_NUMBERS(FMI3, Int16)                                                                                            \
  FMI3_NUMBERS(FMI3, UInt16)                                                                                           \
  FMI3_NUMBERS(FMI3, Int32)                                                                                            \
  FMI3_NUMBERS(FMI3, UInt32)                                                                                           \
  FMI3_NUMBERS(FMI3, Int64)                                                                                            \
  FMI3_NUMBERS(FMI3, UInt64)                                                                                           \
  FMI3_NUMBERS(FMI3, Boolean)                                                                                          \
  FMI3_NUMBERS(FMI3, String)                                                                                           \
  FMI3(GetBinary, fmi3Status, (FMI3_WHICH, size_t sizes[], fmi3Binary values[], size_t valueCount))                    \
  FMI3(SetBinary, fmi3Status, (FMI3_WHICH, const size_t sizes[], const fmi3Binary values[], size_t valueCount))        \
  FMI3(GetClock, fmi3Status, (FMI3_WHICH, fmi3Clock values[]))                                                         \
  FMI3(SetClock, fmi3Status, (FMI3_WHICH, const fmi3Clock values[]))                                                   \
  FMI3(GetNumberOfVariableDependencies, fmi3Status,                                                                    \
       (fmi3Instance instance, fmi3ValueReference reference, size_t * count))                                          \
  FMI3(GetVariableDependencies, fmi3Status,                                                                            \
       (fmi3Instance instance, fmi3ValueReference dependent, size_t elements[], fmi3ValueReference independents[],     \
        size_t independentElements[], fmi3DependencyKind kinds[], size_t count))                                       \
  FMI3(GetFMUState, fmi3Status, (fmi3Instance instance, fmi3FMUState * state))                                         \
  FMI3(SetFMUState, fmi3Status, (fmi3Instance instance, fmi3FMUState state))                                           \
  FMI3(FreeFMUState, fmi3Status, (fmi3Instance instance, fmi3FMUState * state))                                        \
  FMI3(SerializedFMUStateSize, fmi3Status, (fmi3Instance instance, fmi3FMUState state, size_t * size))                 \
  FMI3(SerializeFMUState, fmi3Status, (fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size))      \
  FMI3(DeserializeFMUState, fmi3Status,                                                                                \
       (fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState* state))                              \
  FMI3(GetDirectionalDerivative, fmi3Status,                                                                           \
       (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t unknownCount,                               \
        const fmi3ValueReference knowns[], size_t knownCount, const fmi3Float64 seed[], size_t seedCount,              \
        fmi3Float64 sensitivity[], size_t sensitivityCount))                                                           \
  FMI3(GetAdjointDerivative, fmi3Status,                                                                               \
       (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t unknownCount,                               \
        const fmi3ValueReference knowns[], size_t knownCount, const fmi3Float64 seed[], size_t seedCount,              \
        fmi3Float64 sensitivity[], size_t sensitivityCount))                                                           \
  FMI3(EnterConfigurationMode, fmi3Status, (fmi3Instance instance))                                                    \
  FMI3(ExitConfigurationMode, fmi3Status, (fmi3Instance instance))                                                     \
  FMI3(GetIntervalDecimal, fmi3Status, (FMI3_WHICH, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]))      \
  FMI3(GetIntervalFraction, fmi3Status,                                                                                \
       (FMI3_WHICH, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]))              \
  FMI3(GetShiftDecimal, fmi3Status, (FMI3_WHICH, fmi3Float64 shifts[]))                                                \
  FMI3(GetShiftFraction, fmi3Status, (FMI3_WHICH, fmi3UInt64 counters[], fmi3UInt64 resolutions[]))                    \
  FMI3(SetIntervalDecimal, fmi3Status, (FMI3_WHICH, const fmi3Float64 intervals[]))                                    \
  FMI3(SetIntervalFraction, fmi3Status, (FMI3_WHICH, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]))     \
  FMI3(SetShiftDecimal, fmi3Status, (FMI3_WHICH, const fmi3Float64 shifts[]))                                          \
  FMI3(SetShiftFraction, fmi3Status, (FMI3_WHICH, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]))        \
  FMI3(EvaluateDiscreteStates, fmi3Status, (fmi3Instance instance))                                                    \
  FMI3(UpdateDiscreteStates, fmi3Status,                                                                               \
       (fmi3Instance instance, fmi3Boolean * needUpdate, fmi3Boolean * terminate, fmi3Boolean * nominalsChanged,       \
        fmi3Boolean * statesChanged, fmi3Boolean * nextEventTimeDefined, fmi3Float64 * nextEventTime))                 \
  FMI3(EnterContinuousTimeMode, fmi3Status, (fmi3Instance instance))                                                   \
  FMI3(CompletedIntegratorStep, fmi3Status,                                                                            \
       (fmi3Instance instance, fmi3Boolean noSetStateBefore, fmi3Boolean * enterEventMode, fmi3Boolean * terminate))   \
  FMI3(SetTime, fmi3Status, (fmi3Instance instance, fmi3Float64 time))                                                 \
  FMI3(SetContinuousStates, fmi3Status, (fmi3Instance instance, const fmi3Float64 states[], size_t count))             \
  FMI3(GetContinuousStateDerivatives, fmi3Status, (fmi3Instance instance, fmi3Float64 derivatives[], size_t count))    \
  FMI3(GetEventIndicators, fmi3Status, (fmi3Instance instance, fmi3Float64 indicators[], size_t count))                \
  FMI3(GetContinuousStates, fmi3Status, (fmi3Instance instance, fmi3Float64 states[], size_t count))                   \
  FMI3(GetNominalsOfContinuousStates, fmi3Status, (fmi3Instance instance, fmi3Float64 nominals[], size_t count))       \
  FMI3(GetNumberOfEventIndicators, fmi3Status, (fmi3Instance instance, size_t * count))                                \
  FMI3(GetNumberOfContinuousStates, fmi3Status, (fmi3Instance instance, size_t * count))                               \
  FMI3(EnterStepMode, fmi3Status, (fmi3Instance instance))                                                             \
  FMI3(GetOutputDerivatives, fmi3Status,                                                                               \
       (FMI3_WHICH, const fmi3Int32 orders[], fmi3Float64 values[], size_t valueCount))                                \
  FMI3(DoStep, fmi3Status,                                                                                             \
       (fmi3Instance instance, fmi3Float64 currentPoint, fmi3Float64 stepSize, fmi3Boolean noSetStateBefore,           \
        fmi3Boolean * eventHandlingNeeded, fmi3Boolean * terminate, fmi3Boolean * earlyReturn,                         \
        fmi3Float64 * lastSuccessfulTime))                                                                             \
  FMI3(ActivateModelPartition, fmi3Status,                                                                             \
       (fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 activationTime))

#define FMI3_DECLARE(name, type, arguments) __attribute__((visibility("default"))) type fmi3##name arguments;
FMI3_FUNCTIONS(FMI3_DECLARE)
#undef FMI3_DECLARE

#endif
