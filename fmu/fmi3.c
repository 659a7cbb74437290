// The functions of FMI 3.0. What they share with other versions is in calls.h, what they do in component.h. Some reals
// are arrays, see fmu_variables.h: what others know by scalars is spread out here. There are no clocks.
#include "fmi3.h"

#include "calls.h"

#include <math.h>
#include <stdlib.h>

#define CR_EARLY_SHARE 1e-9 // [-] of a step by which it is shorter than asked for, at least, if it ended at an event

typedef struct Host {
  crCalled called; // first
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback logMessage;
  fmi3IntermediateUpdateCallback intermediateUpdate; // NULL: it does not want to know of points inside steps
  bool canReturnEarly;
} Host;

static void writeLog(void* context, crSeverity severity, const char* text)
{
  static const fmi3Status statuses[] = { fmi3OK, fmi3Warning, fmi3Error };
  const Host* host = context;
  if (host->logMessage != NULL && (severity != cr_severityNote || host->called.logsEvents)) {
    host->logMessage(host->environment, statuses[severity], crSeverityCategories[severity], text);
  }
}

const char* fmi3GetVersion(void)
{
  return "3.0";
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t count,
                               const fmi3String categories[])
{
  if (!crCalled_Enter(instance, "SetDebugLogging", cr_anyTime)) {
    return fmi3Error;
  }
  crCalled_SetLogging(instance, loggingOn, count, categories);
  return fmi3OK;
}

// ----------------------------------------------------------------------------------------- life of one

// kind: what it shall be; refusal: why there cannot be such an instance, NULL: there can.
static fmi3Instance instantiate(fmi3String token, fmi3String resourcePath, const crFmuDef* kind, fmi3Boolean loggingOn,
                                fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage,
                                const char* refusal)
{
  Host* host = calloc(1, sizeof *host);
  if (host == NULL) {
    return NULL;
  }
  *host = (Host){ .called = { .prefix = "fmi3", .logsEvents = loggingOn },
                  .environment = environment,
                  .logMessage = logMessage };
  bool isWhole = token != NULL && resourcePath != NULL;
  if (refusal != NULL || !isWhole) {
    writeLog(host, cr_severityError,
             refusal != NULL ? refusal : "an instance needs an instantiation token and the path of the resources");
    free(host);
    return NULL;
  }
  crFmuDef def = *kind;
  def.resources = resourcePath;
  def.guid = token;
  def.log = (crFmuLog){ writeLog, host };
  host->called.fmu = crCreateFmu(&def);
  if (host->called.fmu == NULL) {
    free(host);
    return NULL;
  }
  return host;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String token, fmi3String resourcePath,
                                          fmi3Boolean visible, fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage)
{
  (void)instanceName;
  (void)visible;
  crFmuDef def = { .isExchange = true };
  return instantiate(token, resourcePath, &def, loggingOn, environment, logMessage, NULL);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String instanceName, fmi3String token, fmi3String resourcePath,
                                         fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
                                         fmi3Boolean earlyReturnAllowed, const fmi3ValueReference intermediate[],
                                         size_t intermediateCount, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback logMessage,
                                         fmi3IntermediateUpdateCallback intermediateUpdate)
{
  (void)instanceName;
  (void)visible;
  (void)intermediate; // all can be got
  (void)intermediateCount;
  crFmuDef def = { .hasEventMode = eventModeUsed, .stopsAtEvents = eventModeUsed && earlyReturnAllowed };
  Host* host = instantiate(token, resourcePath, &def, loggingOn, environment, logMessage, NULL);
  if (host != NULL) {
    host->intermediateUpdate = intermediateUpdate;
    host->canReturnEarly = earlyReturnAllowed;
  }
  return host;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String instanceName, fmi3String token, fmi3String resourcePath,
                                               fmi3Boolean visible, fmi3Boolean loggingOn,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage,
                                               fmi3ClockUpdateCallback clockUpdate,
                                               fmi3LockPreemptionCallback lockPreemption,
                                               fmi3UnlockPreemptionCallback unlockPreemption)
{
  (void)instanceName;
  (void)visible;
  (void)clockUpdate;
  (void)lockPreemption;
  (void)unlockPreemption;
  crFmuDef def = { .isExchange = false };
  return instantiate(token, resourcePath, &def, loggingOn, environment, logMessage,
                     "this FMU is none for Scheduled Execution");
}

void fmi3FreeInstance(fmi3Instance instance)
{
  Host* host = instance;
  if (host != NULL) {
    crDestroyFmu(host->called.fmu);
    free(host);
  }
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                       fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime)
{
  crCalled* called = instance;
  if (!crCalled_Enter(called, "EnterInitializationMode", cr_fmuInstantiated) ||
      crFmu_SetExperiment(called->fmu, startTime, stopTimeDefined ? stopTime : HUGE_VAL,
                          toleranceDefined ? tolerance : 0.0) != cr_ok) {
    return fmi3Error;
  }
  called->fmu->mode = cr_fmuInitializing;
  return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
  return (fmi3Status)crCalled_EndInitialization(instance, "ExitInitializationMode");
}

fmi3Status fmi3Terminate(fmi3Instance instance)
{
  return (fmi3Status)crCalled_Go(instance, "Terminate", cr_atWork, cr_fmuTerminated);
}

fmi3Status fmi3Reset(fmi3Instance instance)
{
  crCalled* called = instance;
  return crCalled_Enter(called, "Reset", cr_anyTime) ? (fmi3Status)crCalled_Leave(called, crFmu_Reset(called->fmu))
                                                     : fmi3Error;
}

// A function for what this FMU does not have: fine as long as nothing is asked for.
static fmi3Status offerNothing(fmi3Instance instance, const char* function, size_t count, const char* why)
{
  if (!crCalled_Enter(instance, function, cr_anyTime)) {
    return fmi3Error;
  }
  return count == 0 ? fmi3OK : (fmi3Status)crCalled_Refuse(instance, function, why);
}

// ----------------------------------------------------------------------------------------------- values

// Scalars have one value each.
static bool isEven(fmi3Instance instance, const char* function, size_t count, size_t valueCount)
{
  bool isGood = crCalled_Enter(instance, function, cr_anyTime);
  if (isGood && count != valueCount) {
    crCalled_Refuse(instance, function, "these variables are scalars: there are as many values as value references");
  }
  return isGood && count == valueCount;
}

// Value references of scalars, for arrays those of all their parts.
typedef struct Spread {
  unsigned* references; // (count) `few`, or of malloc
  size_t count;
  unsigned few[64];
} Spread;

static int findLength(const crCalled* called, unsigned reference)
{
  const crFmuVariables* variables = &called->fmu->variables;
  return reference < (unsigned)variables->list.count ? variables->list.items[reference].length : 1; // told later
}

static bool spread(fmi3Instance instance, const char* function, const fmi3ValueReference references[], size_t count,
                   size_t valueCount, Spread* outSpread)
{
  outSpread->references = outSpread->few;
  outSpread->count = 0;
  if (!crCalled_Enter(instance, function, cr_anyTime)) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    int length = findLength(instance, references[i]);
    if (length == 0) {
      crCalled_Refuse(instance, function, "a value reference is that of no variable, but of a part of an array");
      return false;
    }
    outSpread->count += (size_t)length;
  }
  if (outSpread->count != valueCount) {
    crCalled_Refuse(instance, function, "there are not as many values as the variables and arrays have");
    return false;
  }
  if (valueCount > sizeof outSpread->few / sizeof *outSpread->few) {
    outSpread->references = malloc(valueCount * sizeof *outSpread->references);
  }
  if (outSpread->references == NULL) {
    crCalled_Refuse(instance, function, "out of memory");
    return false;
  }
  for (size_t i = 0, place = 0; i < count; ++i) {
    for (unsigned k = 0; k < (unsigned)findLength(instance, references[i]); ++k) {
      outSpread->references[place++] = references[i] + k;
    }
  }
  return true;
}

static void endSpread(Spread* spread)
{
  if (spread->references != spread->few) {
    free(spread->references);
  }
}

fmi3Status fmi3GetFloat64(FMI3_WHICH, fmi3Float64 values[], size_t valueCount)
{
  Spread all;
  fmi3Status status = fmi3Error;
  if (spread(instance, "GetFloat64", references, count, valueCount, &all)) {
    status = (fmi3Status)crCalled_GetReals(instance, "GetFloat64", all.references, all.count, values);
    endSpread(&all);
  }
  return status;
}

fmi3Status fmi3SetFloat64(FMI3_WHICH, const fmi3Float64 values[], size_t valueCount)
{
  Spread all;
  fmi3Status status = fmi3Error;
  if (spread(instance, "SetFloat64", references, count, valueCount, &all)) {
    status = (fmi3Status)crCalled_SetReals(instance, "SetFloat64", all.references, all.count, values);
    endSpread(&all);
  }
  return status;
}

fmi3Status fmi3GetString(FMI3_WHICH, fmi3String values[], size_t valueCount)
{
  return isEven(instance, "GetString", count, valueCount)
             ? (fmi3Status)crCalled_GetStrings(instance, "GetString", references, count, values)
             : fmi3Error;
}

fmi3Status fmi3SetString(FMI3_WHICH, const fmi3String values[], size_t valueCount)
{
  return isEven(instance, "SetString", count, valueCount)
             ? (fmi3Status)crCalled_SetStrings(instance, "SetString", references, count, values)
             : fmi3Error;
}

fmi3Status fmi3GetBoolean(FMI3_WHICH, fmi3Boolean values[], size_t valueCount)
{
  bool isGood = isEven(instance, "GetBoolean", count, valueCount);
  for (size_t i = 0; i < count && isGood; ++i) {
    isGood = crCalled_GetBoolean(instance, "GetBoolean", references[i], &values[i]) == cr_callOk;
  }
  return isGood ? fmi3OK : fmi3Error;
}

fmi3Status fmi3SetBoolean(FMI3_WHICH, const fmi3Boolean values[], size_t valueCount)
{
  bool isGood = isEven(instance, "SetBoolean", count, valueCount);
  for (size_t i = 0; i < count && isGood; ++i) {
    isGood = crCalled_SetBoolean(instance, "SetBoolean", references[i], values[i]) == cr_callOk;
  }
  return isGood ? fmi3OK : fmi3Error;
}

// Types that no variable has.
#define CR_NO_NUMBERS(type)                                                                                            \
  fmi3Status fmi3Get##type(FMI3_WHICH, fmi3##type values[], size_t valueCount)                                         \
  {                                                                                                                    \
    (void)references;                                                                                                  \
    (void)values;                                                                                                      \
    (void)valueCount;                                                                                                  \
    return offerNothing(instance, "Get" #type, count, "this FMU has no " #type " variables");                          \
  }                                                                                                                    \
  fmi3Status fmi3Set##type(FMI3_WHICH, const fmi3##type values[], size_t valueCount)                                   \
  {                                                                                                                    \
    (void)references;                                                                                                  \
    (void)values;                                                                                                      \
    (void)valueCount;                                                                                                  \
    return offerNothing(instance, "Set" #type, count, "this FMU has no " #type " variables");                          \
  }

CR_NO_NUMBERS(Float32)
CR_NO_NUMBERS(Int8)
CR_NO_NUMBERS(UInt8)
CR_NO_NUMBERS(Int16)
CR_NO_NUMBERS(UInt16)
CR_NO_NUMBERS(Int32)
CR_NO_NUMBERS(UInt32)
CR_NO_NUMBERS(Int64)
CR_NO_NUMBERS(UInt64)

// ------------------------------------------------------------------------------------- what is not there

fmi3Status fmi3GetBinary(FMI3_WHICH, size_t sizes[], fmi3Binary values[], size_t valueCount)
{
  (void)references;
  (void)sizes;
  (void)values;
  (void)valueCount;
  return offerNothing(instance, "GetBinary", count, "this FMU has no Binary variables");
}

fmi3Status fmi3SetBinary(FMI3_WHICH, const size_t sizes[], const fmi3Binary values[], size_t valueCount)
{
  (void)references;
  (void)sizes;
  (void)values;
  (void)valueCount;
  return offerNothing(instance, "SetBinary", count, "this FMU has no Binary variables");
}

fmi3Status fmi3GetClock(FMI3_WHICH, fmi3Clock values[])
{
  (void)references;
  (void)values;
  return offerNothing(instance, "GetClock", count, "this FMU has no clocks");
}

fmi3Status fmi3SetClock(FMI3_WHICH, const fmi3Clock values[])
{
  (void)references;
  (void)values;
  return offerNothing(instance, "SetClock", count, "this FMU has no clocks");
}

fmi3Status fmi3GetIntervalDecimal(FMI3_WHICH, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{
  (void)references;
  (void)intervals;
  (void)qualifiers;
  return offerNothing(instance, "GetIntervalDecimal", count, "this FMU has no clocks");
}

fmi3Status fmi3GetIntervalFraction(FMI3_WHICH, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[])
{
  (void)references;
  (void)counters;
  (void)resolutions;
  (void)qualifiers;
  return offerNothing(instance, "GetIntervalFraction", count, "this FMU has no clocks");
}

fmi3Status fmi3GetShiftDecimal(FMI3_WHICH, fmi3Float64 shifts[])
{
  (void)references;
  (void)shifts;
  return offerNothing(instance, "GetShiftDecimal", count, "this FMU has no clocks");
}

fmi3Status fmi3GetShiftFraction(FMI3_WHICH, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
  (void)references;
  (void)counters;
  (void)resolutions;
  return offerNothing(instance, "GetShiftFraction", count, "this FMU has no clocks");
}

fmi3Status fmi3SetIntervalDecimal(FMI3_WHICH, const fmi3Float64 intervals[])
{
  (void)references;
  (void)intervals;
  return offerNothing(instance, "SetIntervalDecimal", count, "this FMU has no clocks");
}

fmi3Status fmi3SetIntervalFraction(FMI3_WHICH, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
  (void)references;
  (void)counters;
  (void)resolutions;
  return offerNothing(instance, "SetIntervalFraction", count, "this FMU has no clocks");
}

fmi3Status fmi3SetShiftDecimal(FMI3_WHICH, const fmi3Float64 shifts[])
{
  (void)references;
  (void)shifts;
  return offerNothing(instance, "SetShiftDecimal", count, "this FMU has no clocks");
}

fmi3Status fmi3SetShiftFraction(FMI3_WHICH, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
  (void)references;
  (void)counters;
  (void)resolutions;
  return offerNothing(instance, "SetShiftFraction", count, "this FMU has no clocks");
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 activationTime)
{
  (void)clock;
  (void)activationTime;
  return offerNothing(instance, "ActivateModelPartition", 1, "this FMU has no clocks");
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference, size_t* count)
{
  (void)reference;
  (void)count;
  return offerNothing(instance, "GetNumberOfVariableDependencies", 1, "this FMU does not tell dependencies");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent, size_t elements[],
                                       fmi3ValueReference independents[], size_t independentElements[],
                                       fmi3DependencyKind kinds[], size_t count)
{
  (void)dependent;
  (void)elements;
  (void)independents;
  (void)independentElements;
  (void)kinds;
  return offerNothing(instance, "GetVariableDependencies", count, "this FMU does not tell dependencies");
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t unknownCount,
                                        const fmi3ValueReference knowns[], size_t knownCount, const fmi3Float64 seed[],
                                        size_t seedCount, fmi3Float64 sensitivity[], size_t sensitivityCount)
{
  static const char function[] = "GetDirectionalDerivative";
  Spread of, by;
  if (!spread(instance, function, knowns, knownCount, seedCount, &by)) {
    return fmi3Error;
  }
  fmi3Status status = fmi3Error;
  if (spread(instance, function, unknowns, unknownCount, sensitivityCount, &of)) {
    crDirection direction = { of.references, by.references, of.count, by.count, seed };
    status = (fmi3Status)crCalled_GetDirectionalDerivative(instance, function, &direction, sensitivity);
    endSpread(&of);
  }
  endSpread(&by);
  return status;
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t unknownCount,
                                    const fmi3ValueReference knowns[], size_t knownCount, const fmi3Float64 seed[],
                                    size_t seedCount, fmi3Float64 sensitivity[], size_t sensitivityCount)
{
  (void)unknowns;
  (void)knowns;
  (void)knownCount;
  (void)seed;
  (void)seedCount;
  (void)sensitivity;
  (void)sensitivityCount;
  return offerNothing(instance, "GetAdjointDerivative", unknownCount, "this FMU does not provide adjoint derivatives");
}

fmi3Status fmi3GetOutputDerivatives(FMI3_WHICH, const fmi3Int32 orders[], fmi3Float64 values[], size_t valueCount)
{
  (void)references;
  (void)orders;
  (void)values;
  (void)valueCount;
  return offerNothing(instance, "GetOutputDerivatives", count, "this FMU does not provide derivatives of outputs");
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
  return offerNothing(instance, "EnterConfigurationMode", 1, "this FMU has no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
  return offerNothing(instance, "ExitConfigurationMode", 1, "this FMU has no structural parameters");
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
  const crCalled* called = instance;
  if (called != NULL && !called->fmu->hasEventMode) {
    return offerNothing(instance, "EnterStepMode", 1, "this instance was made without an event mode of Co-Simulation");
  }
  return (fmi3Status)crCalled_Go(instance, "EnterStepMode", cr_fmuEvent, cr_fmuStepping);
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
  return offerNothing(instance, "EvaluateDiscreteStates", 1,
                      "this FMU does not evaluate discrete states by themselves");
}

// ------------------------------------------------------------------------------------------------ state

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state)
{
  return (fmi3Status)crCalled_Save(instance, "GetFMUState", state);
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state)
{
  return (fmi3Status)crCalled_Load(instance, "SetFMUState", state);
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state)
{
  return (fmi3Status)crCalled_FreeState(instance, "FreeFMUState", state);
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t* size)
{
  if (!crCalled_Enter(instance, "SerializedFMUStateSize", cr_anyTime) || state == NULL || size == NULL) {
    return fmi3Error;
  }
  *size = ((const crSaved*)state)->size;
  return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
  return (fmi3Status)crCalled_Serialize(instance, "SerializeFMUState", state, bytes, size);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState* state)
{
  return (fmi3Status)crCalled_Deserialize(instance, "DeserializeFMUState", bytes, size, state);
}

// --------------------------------------------------------------------------------------- Model Exchange

fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
  const crCalled* called = instance;
  bool hasEvents = called != NULL && called->fmu->hasEventMode;
  return (fmi3Status)crCalled_Go(instance, "EnterEventMode", hasEvents ? cr_fmuStepping : cr_fmuContinuous,
                                 cr_fmuEvent);
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* needUpdate, fmi3Boolean* terminate,
                                    fmi3Boolean* nominalsChanged, fmi3Boolean* statesChanged,
                                    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime)
{
  crFmuEventFacts facts;
  crCallStatus status = crCalled_ResolveEvent(instance, "UpdateDiscreteStates", &facts);
  *needUpdate = *terminate = *nominalsChanged = false;
  *statesChanged = facts.statesChanged;
  *nextEventTimeDefined = isfinite(facts.nextEvent);
  *nextEventTime = facts.nextEvent;
  return (fmi3Status)status;
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
  const crCalled* called = instance;
  if (called != NULL && !called->fmu->isExchange) {
    return offerNothing(instance, "EnterContinuousTimeMode", 1, "this instance is one for Co-Simulation");
  }
  return (fmi3Status)crCalled_Go(instance, "EnterContinuousTimeMode", cr_fmuEvent, cr_fmuContinuous);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean noSetStateBefore, fmi3Boolean* enterEventMode,
                                       fmi3Boolean* terminate)
{
  (void)noSetStateBefore;
  *terminate = false;
  return (fmi3Status)crCalled_CompleteStep(instance, "CompletedIntegratorStep", enterEventMode);
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time)
{
  return (fmi3Status)crCalled_SetTime(instance, "SetTime", time);
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 states[], size_t count)
{
  return (fmi3Status)crCalled_SetStates(instance, "SetContinuousStates", states, count);
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[], size_t count)
{
  return (fmi3Status)crCalled_GetRates(instance, "GetContinuousStateDerivatives", derivatives, count);
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 indicators[], size_t count)
{
  return (fmi3Status)crCalled_GetIndicators(instance, "GetEventIndicators", indicators, count);
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 states[], size_t count)
{
  return (fmi3Status)crCalled_GetStates(instance, "GetContinuousStates", states, count);
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[], size_t count)
{
  return (fmi3Status)crCalled_GetNominals(instance, "GetNominalsOfContinuousStates", nominals, count);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* count)
{
  const crCalled* called = instance;
  if (!crCalled_Enter(instance, "GetNumberOfEventIndicators", cr_anyTime) || count == NULL) {
    return fmi3Error;
  }
  *count = crModel_GetSize(called->fmu->model).pairCount > 0 ? CR_INDICATORS : 0;
  return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* count)
{
  const crCalled* called = instance;
  if (!crCalled_Enter(instance, "GetNumberOfContinuousStates", cr_anyTime) || count == NULL) {
    return fmi3Error;
  }
  *count = (size_t)called->fmu->stateCount;
  return fmi3OK;
}

// ---------------------------------------------------------------------------------------- Co-Simulation

// Tells the host that the run has come to a point inside a step, where it may get variables and end the step. What it
// says shortens the step.
static void tellPoint(const Host* host, double* ioEnd)
{
  double t = host->called.fmu->time, end = *ioEnd;
  fmi3Boolean wantsReturn = false;
  host->intermediateUpdate(host->environment, t, false, true, true, host->canReturnEarly, &wantsReturn, &end);
  if (wantsReturn && host->canReturnEarly) {
    *ioEnd = fmin(*ioEnd, fmax(t, end));
  }
}

// A step in parts of the interval at which a run has its output, which do not change it.
static crCallStatus stepWithPoints(Host* host, double point, double size)
{
  crFmu* fmu = host->called.fmu;
  double t = point, end = point + size, interval = crModel_ChooseOptions(fmu->model, NULL).interval;
  crCallStatus status = cr_callOk;
  bool isEarly = false;
  do {
    double rest = end - t, part = rest > interval * (1.0 + CR_EARLY_SHARE) ? interval : rest;
    status = crCalled_Step(&host->called, "DoStep", t, part);
    isEarly = fmu->time < t + part * (1.0 - CR_EARLY_SHARE);
    t = fmu->time;
    if (status == cr_callOk) {
      tellPoint(host, &end);
    }
  } while (status == cr_callOk && !isEarly && end - t > CR_EARLY_SHARE * size);
  return status;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentPoint, fmi3Float64 stepSize,
                      fmi3Boolean noSetStateBefore, fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminate,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime)
{
  (void)noSetStateBefore;
  const crCalled* called = instance;
  Host* host = instance;
  bool hasPoints = host != NULL && host->intermediateUpdate != NULL && stepSize > 0.0;
  crCallStatus status = hasPoints ? stepWithPoints(host, currentPoint, stepSize)
                                  : crCalled_Step(instance, "DoStep", currentPoint, stepSize);
  *lastSuccessfulTime = called != NULL ? called->fmu->time : currentPoint;
  bool isEarly = status == cr_callOk && *lastSuccessfulTime < currentPoint + stepSize * (1.0 - CR_EARLY_SHARE);
  *earlyReturn = isEarly;
  *eventHandlingNeeded = isEarly && called->fmu->stopsAtEvents && called->fmu->isAtEvent;
  *terminate = false;
  return (fmi3Status)status;
}
