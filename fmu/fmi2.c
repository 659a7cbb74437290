// The functions of FMI 2.0. What they share with other versions is in calls.h, what they do in component.h.
#include "foreign/fmi2.h"

#include "calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CR_NAME_SIZE 256 // [bytes] of the name of an instance

typedef struct Host {
  crCalled called; // first
  fmi2CallbackFunctions functions;
  char name[CR_NAME_SIZE];
} Host;

static void writeLog(void* context, crSeverity severity, const char* text)
{
  static const fmi2Status statuses[] = { fmi2OK, fmi2Warning, fmi2Error };
  const Host* host = context;
  if (host->functions.logger != NULL && (severity != cr_severityNote || host->called.logsEvents)) {
    host->functions.logger(host->functions.componentEnvironment, host->name, statuses[severity],
                           crSeverityCategories[severity], "%s", text);
  }
}

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
  if (!crCalled_Enter(component, "SetDebugLogging", cr_anyTime)) {
    return fmi2Error;
  }
  crCalled_SetLogging(component, loggingOn != fmi2False, count, categories);
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
  host->called = (crCalled){ .prefix = "fmi2", .logsEvents = loggingOn != fmi2False };
  snprintf(host->name, sizeof host->name, "%s", instanceName != NULL ? instanceName : "");
  if (instanceName == NULL || instanceName[0] == '\0' || guid == NULL || resourceLocation == NULL) {
    writeLog(host, cr_severityError, "fmi2Instantiate needs a name, a guid and the place of the resources");
    free(host);
    return NULL;
  }
  crFmuDef def = {
    .resources = resourceLocation, .guid = guid, .isExchange = type == fmi2ModelExchange, .log = { writeLog, host }
  };
  host->called.fmu = crCreateFmu(&def);
  if (host->called.fmu == NULL) {
    free(host);
    return NULL;
  }
  return host;
}

void fmi2FreeInstance(fmi2Component component)
{
  Host* host = component;
  if (host != NULL) {
    crDestroyFmu(host->called.fmu);
    free(host);
  }
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime)
{
  crCalled* called = component;
  if (!crCalled_Enter(called, "SetupExperiment", cr_fmuInstantiated)) {
    return fmi2Error;
  }
  crStatus status = crFmu_SetExperiment(called->fmu, startTime, stopTimeDefined ? stopTime : HUGE_VAL,
                                        toleranceDefined ? tolerance : 0.0);
  return status == cr_ok ? fmi2OK : fmi2Error;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component)
{
  return (fmi2Status)crCalled_Go(component, "EnterInitializationMode", cr_fmuInstantiated, cr_fmuInitializing);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component)
{
  return (fmi2Status)crCalled_EndInitialization(component, "ExitInitializationMode");
}

fmi2Status fmi2Terminate(fmi2Component component)
{
  return (fmi2Status)crCalled_Go(component, "Terminate", cr_atWork, cr_fmuTerminated);
}

fmi2Status fmi2Reset(fmi2Component component)
{
  crCalled* called = component;
  return crCalled_Enter(called, "Reset", cr_anyTime) ? (fmi2Status)crCalled_Leave(called, crFmu_Reset(called->fmu))
                                                     : fmi2Error;
}

// ----------------------------------------------------------------------------------------------- values

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t count, fmi2Real values[])
{
  return (fmi2Status)crCalled_GetReals(component, "GetReal", references, count, values);
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[])
{
  return (fmi2Status)crCalled_SetReals(component, "SetReal", references, count, values);
}

fmi2Status fmi2GetString(fmi2Component component, const fmi2ValueReference references[], size_t count,
                         fmi2String values[])
{
  return (fmi2Status)crCalled_GetStrings(component, "GetString", references, count, values);
}

fmi2Status fmi2SetString(fmi2Component component, const fmi2ValueReference references[], size_t count,
                         const fmi2String values[])
{
  return (fmi2Status)crCalled_SetStrings(component, "SetString", references, count, values);
}

fmi2Status fmi2GetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          fmi2Boolean values[])
{
  crCallStatus status = cr_callOk;
  for (size_t i = 0; i < count && status == cr_callOk; ++i) {
    bool value;
    status = crCalled_GetBoolean(component, "GetBoolean", references[i], &value);
    values[i] = value ? fmi2True : fmi2False;
  }
  return (fmi2Status)status;
}

fmi2Status fmi2SetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          const fmi2Boolean values[])
{
  crCallStatus status = cr_callOk;
  for (size_t i = 0; i < count && status == cr_callOk; ++i) {
    status = crCalled_SetBoolean(component, "SetBoolean", references[i], values[i] != fmi2False);
  }
  return (fmi2Status)status;
}

// A function for what this FMU does not have: fine as long as nothing is asked for.
static fmi2Status offerNothing(fmi2Component component, const char* function, size_t count, const char* why)
{
  if (!crCalled_Enter(component, function, cr_anyTime)) {
    return fmi2Error;
  }
  return count == 0 ? fmi2OK : (fmi2Status)crCalled_Refuse(component, function, why);
}

fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          fmi2Integer values[])
{
  (void)references;
  (void)values;
  return offerNothing(component, "GetInteger", count, "this FMU has no Integer variables");
}

fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          const fmi2Integer values[])
{
  (void)references;
  (void)values;
  return offerNothing(component, "SetInteger", count, "this FMU has no Integer variables");
}

// ------------------------------------------------------------------------------------------------ state

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* state)
{
  return (fmi2Status)crCalled_Save(component, "GetFMUstate", state);
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state)
{
  return (fmi2Status)crCalled_Load(component, "SetFMUstate", state);
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate* state)
{
  return (fmi2Status)crCalled_FreeState(component, "FreeFMUstate", state);
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t* size)
{
  if (!crCalled_Enter(component, "SerializedFMUstateSize", cr_anyTime) || state == NULL || size == NULL) {
    return fmi2Error;
  }
  *size = ((const crSaved*)state)->size;
  return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
  return (fmi2Status)crCalled_Serialize(component, "SerializeFMUstate", state, bytes, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state)
{
  return (fmi2Status)crCalled_Deserialize(component, "DeSerializeFMUstate", bytes, size, state);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknowns[],
                                        size_t unknownCount, const fmi2ValueReference knowns[], size_t knownCount,
                                        const fmi2Real directions[], fmi2Real derivatives[])
{
  crDirection direction = { unknowns, knowns, unknownCount, knownCount, directions };
  return (fmi2Status)crCalled_GetDirectionalDerivative(component, "GetDirectionalDerivative", &direction, derivatives);
}

// --------------------------------------------------------------------------------------- Model Exchange

fmi2Status fmi2EnterEventMode(fmi2Component component)
{
  return (fmi2Status)crCalled_Go(component, "EnterEventMode", cr_fmuContinuous | cr_fmuEvent, cr_fmuEvent);
}

fmi2Status fmi2NewDiscreteStates(fmi2Component component, fmi2EventInfo* info)
{
  crFmuEventFacts facts;
  if (info == NULL) {
    return fmi2Error;
  }
  crCallStatus status = crCalled_ResolveEvent(component, "NewDiscreteStates", &facts);
  *info = (fmi2EventInfo){ .valuesOfContinuousStatesChanged = facts.statesChanged,
                           .nextEventTimeDefined = isfinite(facts.nextEvent),
                           .nextEventTime = facts.nextEvent };
  return (fmi2Status)status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component component)
{
  return (fmi2Status)crCalled_Go(component, "EnterContinuousTimeMode", cr_fmuEvent, cr_fmuContinuous);
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component component, fmi2Boolean noSetStateBefore,
                                       fmi2Boolean* enterEventMode, fmi2Boolean* terminate)
{
  (void)noSetStateBefore;
  if (enterEventMode == NULL || terminate == NULL) {
    return fmi2Error;
  }
  bool isEvent;
  crCallStatus status = crCalled_CompleteStep(component, "CompletedIntegratorStep", &isEvent);
  *enterEventMode = isEvent;
  *terminate = fmi2False;
  return (fmi2Status)status;
}

fmi2Status fmi2SetTime(fmi2Component component, fmi2Real time)
{
  return (fmi2Status)crCalled_SetTime(component, "SetTime", time);
}

fmi2Status fmi2SetContinuousStates(fmi2Component component, const fmi2Real states[], size_t count)
{
  return (fmi2Status)crCalled_SetStates(component, "SetContinuousStates", states, count);
}

fmi2Status fmi2GetDerivatives(fmi2Component component, fmi2Real derivatives[], size_t count)
{
  return (fmi2Status)crCalled_GetRates(component, "GetDerivatives", derivatives, count);
}

fmi2Status fmi2GetEventIndicators(fmi2Component component, fmi2Real indicators[], size_t count)
{
  return (fmi2Status)crCalled_GetIndicators(component, "GetEventIndicators", indicators, count);
}

fmi2Status fmi2GetContinuousStates(fmi2Component component, fmi2Real states[], size_t count)
{
  return (fmi2Status)crCalled_GetStates(component, "GetContinuousStates", states, count);
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component component, fmi2Real nominals[], size_t count)
{
  return (fmi2Status)crCalled_GetNominals(component, "GetNominalsOfContinuousStates", nominals, count);
}

// ---------------------------------------------------------------------------------------- Co-Simulation

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference references[], size_t count,
                                       const fmi2Integer orders[], const fmi2Real values[])
{
  return (fmi2Status)crCalled_SetInputRates(component, "SetRealInputDerivatives", references, count, orders, values);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference references[], size_t count,
                                        const fmi2Integer orders[], fmi2Real values[])
{
  (void)references;
  (void)orders;
  (void)values;
  return offerNothing(component, "GetRealOutputDerivatives", count, "this FMU does not provide derivatives of outputs");
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real currentPoint, fmi2Real stepSize, fmi2Boolean noSetStateBefore)
{
  (void)noSetStateBefore;
  return (fmi2Status)crCalled_Step(component, "DoStep", currentPoint, stepSize);
}

fmi2Status fmi2CancelStep(fmi2Component component)
{
  return offerNothing(component, "CancelStep", 1, "steps are over when fmi2DoStep returns");
}

fmi2Status fmi2GetStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Status* value)
{
  const crCalled* called = component;
  if (!crCalled_Enter(component, "GetStatus", cr_anyTime) || value == NULL) {
    return fmi2Error;
  }
  *value = called->fmu->mode == cr_fmuFailed ? fmi2Error : fmi2OK;
  return kind == fmi2DoStepStatus ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetRealStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Real* value)
{
  const crCalled* called = component;
  if (!crCalled_Enter(component, "GetRealStatus", cr_anyTime) || value == NULL) {
    return fmi2Error;
  }
  *value = called->fmu->time;
  return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Integer* value)
{
  (void)kind;
  (void)value;
  return crCalled_Enter(component, "GetIntegerStatus", cr_anyTime) ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Boolean* value)
{
  if (!crCalled_Enter(component, "GetBooleanStatus", cr_anyTime) || value == NULL) {
    return fmi2Error;
  }
  *value = fmi2False;
  return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetStringStatus(fmi2Component component, const fmi2StatusKind kind, fmi2String* value)
{
  (void)kind;
  if (!crCalled_Enter(component, "GetStringStatus", cr_anyTime) || value == NULL) {
    return fmi2Error;
  }
  *value = "";
  return fmi2Discard;
}
