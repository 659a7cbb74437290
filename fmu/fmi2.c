// The functions of FMI 2.0: which call is allowed when, numbers by value references, and messages to the host. What
// they do is in component.h.
#include "fmi2.h"

#include "component.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_POINT_TOLERANCE 1e-9 // [-] by which a communication point may be off, of its size or 1 s
#define CR_NAME_SIZE 256        // [bytes] of the name of an instance

// A component as the host knows it.
typedef struct Host {
  crFmu* fmu;
  fmi2CallbackFunctions functions;
  char name[CR_NAME_SIZE];
  bool logsEvents;
} Host;

// A saved state.
typedef struct Saved {
  void* bytes; // (size)
  size_t size;
} Saved;

enum {
  anyTime = cr_fmuInstantiated | cr_fmuInitializing | cr_fmuStepping | cr_fmuEvent | cr_fmuContinuous |
            cr_fmuTerminated | cr_fmuFailed,
  atWork = cr_fmuStepping | cr_fmuEvent | cr_fmuContinuous,
  beforeWork = cr_fmuInstantiated | cr_fmuInitializing,
  readable = cr_fmuInitializing | atWork | cr_fmuTerminated,
};

// ------------------------------------------------------------------------------------------------ log

static void writeLog(void* context, crSeverity severity, const char* text)
{
  static const char* const categories[] = { "logEvents", "logStatusWarning", "logStatusError" };
  static const fmi2Status statuses[] = { fmi2OK, fmi2Warning, fmi2Error };
  const Host* host = context;
  if (host->functions.logger != NULL && (severity != cr_severityNote || host->logsEvents)) {
    host->functions.logger(host->functions.componentEnvironment, host->name, statuses[severity], categories[severity],
                           "%s", text);
  }
}

static const char* describeMode(crFmuMode mode)
{
  switch (mode) {
    case cr_fmuInstantiated: return "it is instantiated and not initialized";
    case cr_fmuInitializing: return "it is in initialization mode";
    case cr_fmuStepping: return "it waits for a step";
    case cr_fmuEvent: return "it is in event mode";
    case cr_fmuContinuous: return "it is in continuous-time mode";
    case cr_fmuTerminated: return "it is terminated";
    case cr_fmuFailed: break;
  }
  return "it has failed";
}

// The host, when the call is allowed now; else NULL, and the log says why.
static Host* enter(fmi2Component component, const char* function, int allowed)
{
  Host* host = component;
  if (host == NULL) {
    return NULL;
  }
  if ((host->fmu->mode & allowed) == 0) {
    crFmu_Log(host->fmu, cr_severityError, "fmi2%s is not allowed now: %s", function, describeMode(host->fmu->mode));
    return NULL;
  }
  return host;
}

// What could not be evaluated can be tried elsewhere; after anything else only reset and free are left.
static fmi2Status leave(Host* host, crStatus status)
{
  if (status == cr_ok) {
    return fmi2OK;
  }
  if (status == cr_retry) {
    crFmu_Log(host->fmu, cr_severityWarning, "the model cannot be evaluated at %.17g s: a number is not finite",
              host->fmu->time);
    return fmi2Discard;
  }
  host->fmu->mode = cr_fmuFailed;
  return fmi2Error;
}

static fmi2Status refuse(const Host* host, const char* function, const char* why)
{
  crFmu_Log(host->fmu, cr_severityError, "fmi2%s: %s", function, why);
  return fmi2Error;
}

// --------------------------------------------------------------------------------------- about the FMU

const char* fmi2GetTypesPlatform(void)
{
  return "default";
}

const char* fmi2GetVersion(void)
{
  return "2.0";
}

fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean loggingOn, size_t count,
                               const fmi2String categories[])
{
  Host* host = enter(component, "SetDebugLogging", anyTime);
  if (host == NULL) {
    return fmi2Error;
  }
  bool isNamed = count == 0;
  for (size_t i = 0; i < count; ++i) {
    isNamed = isNamed || (categories[i] != NULL && strcmp(categories[i], "logEvents") == 0);
  }
  if (isNamed) {
    host->logsEvents = loggingOn != fmi2False;
  }
  return fmi2OK;
}

// ----------------------------------------------------------------------------------------- life of one

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type type, fmi2String guid, fmi2String resourceLocation,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean loggingOn)
{
  (void)visible;
  Host* host = functions != NULL ? calloc(1, sizeof *host) : NULL;
  if (host == NULL) {
    return NULL;
  }
  host->functions = *functions;
  host->logsEvents = loggingOn != fmi2False;
  snprintf(host->name, sizeof host->name, "%s", instanceName != NULL ? instanceName : "");
  if (instanceName == NULL || instanceName[0] == '\0' || guid == NULL || resourceLocation == NULL) {
    writeLog(host, cr_severityError, "fmi2Instantiate needs a name, a guid and the place of the resources");
    free(host);
    return NULL;
  }
  crFmuDef def = {
    .resources = resourceLocation, .guid = guid, .isExchange = type == fmi2ModelExchange, .log = { writeLog, host }
  };
  host->fmu = crCreateFmu(&def);
  if (host->fmu == NULL) {
    free(host);
    return NULL;
  }
  return host;
}

void fmi2FreeInstance(fmi2Component component)
{
  Host* host = component;
  if (host != NULL) {
    crDestroyFmu(host->fmu);
    free(host);
  }
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime)
{
  Host* host = enter(component, "SetupExperiment", cr_fmuInstantiated);
  if (host == NULL) {
    return fmi2Error;
  }
  crStatus status = crFmu_SetExperiment(host->fmu, startTime, stopTimeDefined ? stopTime : HUGE_VAL,
                                        toleranceDefined ? tolerance : 0.0);
  return status == cr_ok ? fmi2OK : fmi2Error;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component)
{
  Host* host = enter(component, "EnterInitializationMode", cr_fmuInstantiated);
  if (host == NULL) {
    return fmi2Error;
  }
  host->fmu->mode = cr_fmuInitializing;
  return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component)
{
  Host* host = enter(component, "ExitInitializationMode", cr_fmuInitializing);
  if (host == NULL) {
    return fmi2Error;
  }
  crStatus status = crFmu_Begin(host->fmu);
  if (status == cr_ok) {
    host->fmu->mode = host->fmu->isExchange ? cr_fmuEvent : cr_fmuStepping;
  }
  return leave(host, status == cr_retry ? cr_failNumerics : status);
}

fmi2Status fmi2Terminate(fmi2Component component)
{
  Host* host = enter(component, "Terminate", atWork);
  if (host == NULL) {
    return fmi2Error;
  }
  host->fmu->mode = cr_fmuTerminated;
  return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component component)
{
  Host* host = enter(component, "Reset", anyTime);
  return host != NULL ? leave(host, crFmu_Reset(host->fmu)) : fmi2Error;
}

// ----------------------------------------------------------------------------------------------- values

static const crFmuVariable* find(const Host* host, const char* function, fmi2ValueReference reference, crFmuType type)
{
  static const char* const types[] = { "Real", "Boolean", "String" };
  const crFmuVariable* variable = crFmu_Find(host->fmu, reference, type);
  if (variable == NULL) {
    crFmu_Log(host->fmu, cr_severityError, "fmi2%s: there is no %s variable with the value reference %u", function,
              types[type], reference);
  }
  return variable;
}

// Parameters and inputs have values from the first moment on.
static bool isGiven(const crFmuVariable* variable)
{
  return variable->role == cr_fmuParameter || variable->role == cr_fmuInput;
}

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t count, fmi2Real values[])
{
  Host* host = enter(component, "GetReal", readable | cr_fmuInstantiated);
  fmi2Status status = host != NULL ? fmi2OK : fmi2Error;
  for (size_t i = 0; i < count && status == fmi2OK; ++i) {
    const crFmuVariable* variable = find(host, "GetReal", references[i], cr_fmuReal);
    if (variable == NULL || (host->fmu->mode == cr_fmuInstantiated && !isGiven(variable))) {
      return variable != NULL ? refuse(host, "GetReal", "before initialization mode only what was set is known")
                              : fmi2Error;
    }
    status = leave(host, crFmu_GetReal(host->fmu, variable, &values[i]));
  }
  return status;
}

fmi2Status fmi2GetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          fmi2Boolean values[])
{
  Host* host = enter(component, "GetBoolean", readable | cr_fmuInstantiated);
  for (size_t i = 0; host != NULL && i < count; ++i) {
    const crFmuVariable* variable = find(host, "GetBoolean", references[i], cr_fmuBoolean);
    if (variable == NULL) {
      return fmi2Error;
    }
    values[i] = host->fmu->numbers[variable->index] != 0.0 ? fmi2True : fmi2False;
  }
  return host != NULL ? fmi2OK : fmi2Error;
}

fmi2Status fmi2GetString(fmi2Component component, const fmi2ValueReference references[], size_t count,
                         fmi2String values[])
{
  Host* host = enter(component, "GetString", readable | cr_fmuInstantiated);
  for (size_t i = 0; host != NULL && i < count; ++i) {
    const crFmuVariable* variable = find(host, "GetString", references[i], cr_fmuString);
    if (variable == NULL) {
      return fmi2Error;
    }
    values[i] = host->fmu->texts[variable->index];
  }
  return host != NULL ? fmi2OK : fmi2Error;
}

fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          fmi2Integer values[])
{
  (void)references;
  (void)values;
  Host* host = enter(component, "GetInteger", readable | cr_fmuInstantiated);
  return host == NULL ? fmi2Error
         : count == 0 ? fmi2OK
                      : refuse(host, "GetInteger", "this FMU has no Integer variables");
}

// Whether a variable can be set now; the log says why not.
static bool canSet(const Host* host, const char* function, const crFmuVariable* variable)
{
  if (variable->role == cr_fmuInput) {
    return true;
  }
  bool isParameter = variable->role == cr_fmuParameter;
  if (!isParameter || (host->fmu->mode & beforeWork) == 0) {
    crFmu_Log(host->fmu, cr_severityError, "fmi2%s: '%s' cannot be set%s", function, variable->name,
              isParameter ? ": parameters are fixed when initialization has ended"
                          : ", only parameters and inputs can");
    return false;
  }
  return true;
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[])
{
  Host* host = enter(component, "SetReal", beforeWork | atWork);
  fmi2Status status = host != NULL ? fmi2OK : fmi2Error;
  for (size_t i = 0; i < count && status == fmi2OK; ++i) {
    const crFmuVariable* variable = find(host, "SetReal", references[i], cr_fmuReal);
    if (variable == NULL || !canSet(host, "SetReal", variable)) {
      return fmi2Error;
    }
    if (!isfinite(values[i])) {
      return refuse(host, "SetReal", "the value is not finite");
    }
    if (variable->role == cr_fmuInput) {
      status = leave(host, crFmu_SetInput(host->fmu, variable->index, values[i]));
    } else {
      crFmu_SetNumber(host->fmu, variable->index, values[i]);
    }
  }
  return status;
}

fmi2Status fmi2SetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          const fmi2Boolean values[])
{
  Host* host = enter(component, "SetBoolean", beforeWork | atWork);
  for (size_t i = 0; host != NULL && i < count; ++i) {
    const crFmuVariable* variable = find(host, "SetBoolean", references[i], cr_fmuBoolean);
    if (variable == NULL || !canSet(host, "SetBoolean", variable)) {
      return fmi2Error;
    }
    crFmu_SetNumber(host->fmu, variable->index, values[i] != fmi2False ? 1.0 : 0.0);
  }
  return host != NULL ? fmi2OK : fmi2Error;
}

fmi2Status fmi2SetString(fmi2Component component, const fmi2ValueReference references[], size_t count,
                         const fmi2String values[])
{
  Host* host = enter(component, "SetString", beforeWork | atWork);
  for (size_t i = 0; host != NULL && i < count; ++i) {
    const crFmuVariable* variable = find(host, "SetString", references[i], cr_fmuString);
    if (variable == NULL || values[i] == NULL || !canSet(host, "SetString", variable)) {
      return fmi2Error;
    }
    if (!crFmu_SetText(host->fmu, variable->index, values[i])) {
      return leave(host, cr_errorMemory);
    }
  }
  return host != NULL ? fmi2OK : fmi2Error;
}

fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          const fmi2Integer values[])
{
  (void)references;
  (void)values;
  Host* host = enter(component, "SetInteger", beforeWork | atWork);
  return host == NULL ? fmi2Error
         : count == 0 ? fmi2OK
                      : refuse(host, "SetInteger", "this FMU has no Integer variables");
}

// ------------------------------------------------------------------------------------------------ state

static void freeSaved(Saved* saved)
{
  if (saved != NULL) {
    free(saved->bytes);
    free(saved);
  }
}

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* state)
{
  Host* host = enter(component, "GetFMUstate", anyTime & ~cr_fmuFailed);
  if (host == NULL || state == NULL) {
    return fmi2Error;
  }
  Saved* saved = calloc(1, sizeof *saved);
  crStatus status = saved != NULL ? crFmu_Save(host->fmu, &saved->bytes, &saved->size) : cr_errorMemory;
  if (status != cr_ok) {
    freeSaved(saved);
    return refuse(host, "GetFMUstate", crStatus_GetText(status));
  }
  freeSaved(*state); // one that the host hands over to be overwritten
  *state = saved;
  return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state)
{
  Host* host = enter(component, "SetFMUstate", anyTime);
  const Saved* saved = state;
  return host != NULL && saved != NULL ? leave(host, crFmu_Load(host->fmu, saved->bytes, saved->size)) : fmi2Error;
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate* state)
{
  Host* host = enter(component, "FreeFMUstate", anyTime);
  if (host == NULL || state == NULL) {
    return fmi2Error;
  }
  freeSaved(*state);
  *state = NULL;
  return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t* size)
{
  Host* host = enter(component, "SerializedFMUstateSize", anyTime);
  if (host == NULL || state == NULL || size == NULL) {
    return fmi2Error;
  }
  *size = ((const Saved*)state)->size;
  return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
  Host* host = enter(component, "SerializeFMUstate", anyTime);
  const Saved* saved = state;
  if (host == NULL || saved == NULL || bytes == NULL || size < saved->size) {
    return fmi2Error;
  }
  memcpy(bytes, saved->bytes, saved->size);
  return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state)
{
  Host* host = enter(component, "DeSerializeFMUstate", anyTime);
  if (host == NULL || bytes == NULL || state == NULL || size == 0) {
    return fmi2Error;
  }
  Saved* saved = calloc(1, sizeof *saved);
  void* copy = saved != NULL ? malloc(size) : NULL;
  if (copy == NULL) {
    free(saved);
    return fmi2Error;
  }
  memcpy(copy, bytes, size);
  *saved = (Saved){ copy, size };
  freeSaved(*state);
  *state = saved;
  return fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknowns[],
                                        size_t unknownCount, const fmi2ValueReference knowns[], size_t knownCount,
                                        const fmi2Real directions[], fmi2Real derivatives[])
{
  (void)unknowns;
  (void)unknownCount;
  (void)knowns;
  (void)knownCount;
  (void)directions;
  (void)derivatives;
  Host* host = enter(component, "GetDirectionalDerivative", anyTime);
  return host != NULL ? refuse(host, "GetDirectionalDerivative", "this FMU does not provide directional derivatives")
                      : fmi2Error;
}

// --------------------------------------------------------------------------------------- Model Exchange

fmi2Status fmi2EnterEventMode(fmi2Component component)
{
  Host* host = enter(component, "EnterEventMode", cr_fmuContinuous | cr_fmuEvent);
  if (host == NULL) {
    return fmi2Error;
  }
  host->fmu->mode = cr_fmuEvent;
  return fmi2OK;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component component, fmi2EventInfo* info)
{
  Host* host = enter(component, "NewDiscreteStates", cr_fmuEvent);
  if (host == NULL || info == NULL) {
    return fmi2Error;
  }
  crFmuEventFacts facts = { .nextEvent = HUGE_VAL };
  fmi2Status status = leave(host, crFmu_ResolveEvent(host->fmu, &facts));
  *info = (fmi2EventInfo){ .valuesOfContinuousStatesChanged = facts.statesChanged,
                           .nextEventTimeDefined = isfinite(facts.nextEvent),
                           .nextEventTime = facts.nextEvent };
  return status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component component)
{
  Host* host = enter(component, "EnterContinuousTimeMode", cr_fmuEvent);
  if (host == NULL) {
    return fmi2Error;
  }
  host->fmu->mode = cr_fmuContinuous;
  return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component component, fmi2Boolean noSetStateBefore,
                                       fmi2Boolean* enterEventMode, fmi2Boolean* terminate)
{
  (void)noSetStateBefore;
  Host* host = enter(component, "CompletedIntegratorStep", cr_fmuContinuous);
  if (host == NULL || enterEventMode == NULL || terminate == NULL) {
    return fmi2Error;
  }
  bool isEvent = false;
  fmi2Status status = leave(host, crFmu_CompleteStep(host->fmu, &isEvent));
  *enterEventMode = isEvent;
  *terminate = fmi2False;
  return status;
}

fmi2Status fmi2SetTime(fmi2Component component, fmi2Real time)
{
  Host* host = enter(component, "SetTime", cr_fmuEvent | cr_fmuContinuous);
  if (host == NULL || !isfinite(time)) {
    return fmi2Error;
  }
  crFmu_SetTime(host->fmu, time);
  return fmi2OK;
}

// For arrays of all states. true: all is right.
static bool fits(const Host* host, const char* function, const fmi2Real* values, size_t count, int expected)
{
  if (host != NULL && (count != (size_t)expected || (values == NULL && count > 0))) {
    crFmu_Log(host->fmu, cr_severityError, "fmi2%s: there are %d numbers, not %zu", function, expected, count);
    return false;
  }
  return host != NULL;
}

fmi2Status fmi2SetContinuousStates(fmi2Component component, const fmi2Real states[], size_t count)
{
  Host* host = enter(component, "SetContinuousStates", cr_fmuContinuous);
  if (!fits(host, "SetContinuousStates", states, count, host != NULL ? host->fmu->stateCount : 0)) {
    return fmi2Error;
  }
  crFmu_SetStates(host->fmu, states);
  return fmi2OK;
}

static const int evaluable = cr_fmuInitializing | cr_fmuEvent | cr_fmuContinuous | cr_fmuTerminated;

// What can be asked for in initialization mode needs initial values.
static fmi2Status prepare(Host* host)
{
  return leave(host, host->fmu->isExchange ? crFmu_Realize(host->fmu) : cr_errorMisuse);
}

fmi2Status fmi2GetDerivatives(fmi2Component component, fmi2Real derivatives[], size_t count)
{
  Host* host = enter(component, "GetDerivatives", evaluable);
  if (!fits(host, "GetDerivatives", derivatives, count, host != NULL ? host->fmu->stateCount : 0)) {
    return fmi2Error;
  }
  fmi2Status status = prepare(host);
  for (size_t i = 0; i < count && status == fmi2OK; ++i) {
    const crFmuVariables* variables = &host->fmu->variables;
    const crFmuVariable* variable = &variables->list.items[variables->derivatives[i]];
    status = leave(host, crFmu_GetReal(host->fmu, variable, &derivatives[i]));
  }
  return status;
}

fmi2Status fmi2GetEventIndicators(fmi2Component component, fmi2Real indicators[], size_t count)
{
  Host* host = enter(component, "GetEventIndicators", evaluable);
  fmi2Status status = host != NULL ? prepare(host) : fmi2Error;
  if (status != fmi2OK || !fits(host, "GetEventIndicators", indicators, count, crFmu_CountIndicators(host->fmu))) {
    return status != fmi2OK ? status : fmi2Error;
  }
  return leave(host, crFmu_ComputeIndicators(host->fmu, indicators));
}

fmi2Status fmi2GetContinuousStates(fmi2Component component, fmi2Real states[], size_t count)
{
  Host* host = enter(component, "GetContinuousStates", evaluable);
  if (!fits(host, "GetContinuousStates", states, count, host != NULL ? host->fmu->stateCount : 0)) {
    return fmi2Error;
  }
  fmi2Status status = prepare(host);
  if (status == fmi2OK && count > 0) {
    memcpy(states, host->fmu->y, count * sizeof *states);
  }
  return status;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component component, fmi2Real nominals[], size_t count)
{
  Host* host = enter(component, "GetNominalsOfContinuousStates", evaluable);
  if (!fits(host, "GetNominalsOfContinuousStates", nominals, count, host != NULL ? host->fmu->stateCount : 0)) {
    return fmi2Error;
  }
  if (count > 0) {
    crModel_GetNominal(host->fmu->model, crModel_GetAllTrees(host->fmu->model), nominals);
  }
  return fmi2OK;
}

// ---------------------------------------------------------------------------------------- Co-Simulation

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference references[], size_t count,
                                       const fmi2Integer orders[], const fmi2Real values[])
{
  (void)references;
  (void)orders;
  (void)values;
  Host* host = enter(component, "SetRealInputDerivatives", anyTime);
  return host == NULL ? fmi2Error
         : count == 0 ? fmi2OK
                      : refuse(host, "SetRealInputDerivatives", "inputs are held between communication points");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference references[], size_t count,
                                        const fmi2Integer orders[], fmi2Real values[])
{
  (void)references;
  (void)orders;
  (void)values;
  Host* host = enter(component, "GetRealOutputDerivatives", anyTime);
  return host == NULL ? fmi2Error
         : count == 0 ? fmi2OK
                      : refuse(host, "GetRealOutputDerivatives", "this FMU does not provide derivatives of outputs");
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real currentPoint, fmi2Real stepSize, fmi2Boolean noSetStateBefore)
{
  (void)noSetStateBefore;
  Host* host = enter(component, "DoStep", cr_fmuStepping);
  if (host == NULL) {
    return fmi2Error;
  }
  double off = fabs(currentPoint - host->fmu->time);
  if (!(off <= CR_POINT_TOLERANCE * fmax(1.0, fabs(host->fmu->time)))) {
    crFmu_Log(host->fmu, cr_severityError, "fmi2DoStep: the FMU is at %.17g s, not at the communication point %.17g s",
              host->fmu->time, currentPoint);
    return fmi2Error;
  }
  if (!(stepSize > 0.0) || !isfinite(stepSize)) {
    return refuse(host, "DoStep", "a step has to be longer than 0 s");
  }
  crStatus status = crFmu_Advance(host->fmu, currentPoint + stepSize);
  return status == cr_errorMisuse ? fmi2Error : leave(host, status == cr_retry ? cr_failNumerics : status);
}

fmi2Status fmi2CancelStep(fmi2Component component)
{
  Host* host = enter(component, "CancelStep", anyTime);
  return host != NULL ? refuse(host, "CancelStep", "steps are over when fmi2DoStep returns") : fmi2Error;
}

fmi2Status fmi2GetStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Status* value)
{
  (void)kind;
  Host* host = enter(component, "GetStatus", anyTime);
  if (host == NULL || value == NULL) {
    return fmi2Error;
  }
  *value = host->fmu->mode == cr_fmuFailed ? fmi2Error : fmi2OK;
  return kind == fmi2DoStepStatus ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetRealStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Real* value)
{
  Host* host = enter(component, "GetRealStatus", anyTime);
  if (host == NULL || value == NULL) {
    return fmi2Error;
  }
  *value = host->fmu->time;
  return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Integer* value)
{
  (void)kind;
  (void)value;
  return enter(component, "GetIntegerStatus", anyTime) != NULL ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Boolean* value)
{
  Host* host = enter(component, "GetBooleanStatus", anyTime);
  if (host == NULL || value == NULL) {
    return fmi2Error;
  }
  *value = fmi2False;
  return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetStringStatus(fmi2Component component, const fmi2StatusKind kind, fmi2String* value)
{
  (void)kind;
  Host* host = enter(component, "GetStringStatus", anyTime);
  if (host == NULL || value == NULL) {
    return fmi2Error;
  }
  *value = "";
  return fmi2Discard;
}
