#include "calls.h"

#include "base/text.h"
#include "scene/parameter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CR_POINT_TOLERANCE 1e-9 // [-] by which a communication point may be off, of its size or 1 s

const char* const crSeverityCategories[] = { "logEvents", "logStatusWarning", "logStatusError" };

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

bool crCalled_Enter(crCalled* called, const char* function, int allowed)
{
  if (called == NULL) {
    return false;
  }
  bool isAllowed = (called->fmu->mode & allowed) != 0;
  if (!isAllowed) {
    crFmu_Log(called->fmu, cr_severityError, "%s%s is not allowed now: %s", called->prefix, function,
              describeMode(called->fmu->mode));
  }
  return isAllowed;
}

crCallStatus crCalled_Leave(crCalled* called, crStatus status)
{
  if (status == cr_ok) {
    return cr_callOk;
  }
  if (status == cr_retry) {
    crFmu_Log(called->fmu, cr_severityWarning, "the model cannot be evaluated at %.17g s: a number is not finite",
              called->fmu->time);
    return cr_callDiscard;
  }
  called->fmu->mode = cr_fmuFailed;
  return cr_callError;
}

crCallStatus crCalled_Refuse(crCalled* called, const char* function, const char* why)
{
  crFmu_Log(called->fmu, cr_severityError, "%s%s: %s", called->prefix, function, why);
  return cr_callError;
}

crCallStatus crCalled_Go(crCalled* called, const char* function, int allowed, crFmuMode mode)
{
  if (!crCalled_Enter(called, function, allowed)) {
    return cr_callError;
  }
  called->fmu->mode = mode;
  return cr_callOk;
}

void crCalled_SetLogging(crCalled* called, bool isOn, size_t count, const char* const* categories)
{
  bool isNamed = count == 0;
  for (size_t i = 0; i < count; ++i) {
    isNamed = isNamed || (categories[i] != NULL && strcmp(categories[i], crSeverityCategories[cr_severityNote]) == 0);
  }
  called->logsEvents = isNamed ? isOn : called->logsEvents;
}

crCallStatus crCalled_EndInitialization(crCalled* called, const char* function)
{
  if (!crCalled_Enter(called, function, cr_fmuInitializing)) {
    return cr_callError;
  }
  crStatus status = crFmu_Begin(called->fmu);
  if (status == cr_ok) {
    called->fmu->mode = called->fmu->isExchange || called->fmu->hasEventMode ? cr_fmuEvent : cr_fmuStepping;
  }
  return crCalled_Leave(called, status == cr_retry ? cr_failNumerics : status);
}

// ----------------------------------------------------------------------------------------------- values

static const crFmuVariable* find(crCalled* called, const char* function, unsigned reference, crFmuType type)
{
  static const char* const types[] = { "Real", "Boolean", "String" };
  const crFmuVariable* variable = crFmu_Find(called->fmu, reference, type);
  if (variable == NULL) {
    crFmu_Log(called->fmu, cr_severityError, "%s%s: there is no %s variable with the value reference %u",
              called->prefix, function, types[type], reference);
  }
  return variable;
}

// Parameters and inputs have values from the first moment on.
static bool isGiven(const crFmuVariable* variable)
{
  return variable->role == cr_fmuParameter || variable->role == cr_fmuInput;
}

crCallStatus crCalled_GetReals(crCalled* called, const char* function, const unsigned* references, size_t count,
                               double* outValues)
{
  crCallStatus status = crCalled_Enter(called, function, cr_readable) ? cr_callOk : cr_callError;
  for (size_t i = 0; i < count && status == cr_callOk; ++i) {
    const crFmuVariable* variable = find(called, function, references[i], cr_fmuReal);
    if (variable == NULL) {
      return cr_callError;
    }
    if (called->fmu->mode == cr_fmuInstantiated && !isGiven(variable)) {
      return crCalled_Refuse(called, function, "before initialization mode only what was set is known");
    }
    status = crCalled_Leave(called, crFmu_GetReal(called->fmu, variable, &outValues[i]));
  }
  return status;
}

// Whether a variable can be set now; the log says why not.
static bool canSet(crCalled* called, const char* function, const crFmuVariable* variable)
{
  if (variable->role == cr_fmuInput) {
    return true;
  }
  bool isParameter = variable->role == cr_fmuParameter;
  if (!isParameter || (called->fmu->mode & cr_beforeWork) == 0) {
    crFmu_Log(called->fmu, cr_severityError, "%s%s: '%s' cannot be set%s", called->prefix, function, variable->name,
              isParameter ? ": parameters are fixed when initialization has ended"
                          : ", only parameters and inputs can");
    return false;
  }
  return true;
}

// Whether a number is one that the variable may be; the log says what it may be.
static bool isInRange(crCalled* called, const char* function, const crFmuVariable* variable, double value)
{
  crParameter range = { .min = variable->min, .max = variable->max };
  if (crParameter_Takes(&range, value)) {
    return true;
  }
  char text[CR_RANGE_SIZE], number[CR_NUMBER_SIZE];
  crParameter_FormatRange(&range, text);
  crFormatNumber(value, number);
  crFmu_Log(called->fmu, cr_severityError, "%s%s: '%s' cannot be %s, it is outside its range: %s %s", called->prefix,
            function, variable->name, number, text, variable->unit);
  return false;
}

crCallStatus crCalled_SetReals(crCalled* called, const char* function, const unsigned* references, size_t count,
                               const double* values)
{
  crCallStatus status = crCalled_Enter(called, function, cr_beforeWork | cr_atWork) ? cr_callOk : cr_callError;
  for (size_t i = 0; i < count && status == cr_callOk; ++i) {
    const crFmuVariable* variable = find(called, function, references[i], cr_fmuReal);
    if (variable == NULL || !canSet(called, function, variable)) {
      return cr_callError;
    }
    if (!isfinite(values[i])) {
      return crCalled_Refuse(called, function, "the value is not finite");
    }
    if (!isInRange(called, function, variable, values[i])) {
      return cr_callError;
    }
    if (variable->role == cr_fmuInput) {
      status = crCalled_Leave(called, crFmu_SetInput(called->fmu, variable->index, values[i]));
    } else {
      crFmu_SetNumber(called->fmu, variable->index, values[i]);
    }
  }
  return status;
}

crCallStatus crCalled_SetInputRates(crCalled* called, const char* function, const unsigned* references, size_t count,
                                    const int* orders, const double* values)
{
  if (!crCalled_Enter(called, function, cr_fmuInitializing | cr_fmuStepping)) {
    return cr_callError;
  }
  if (count > 0 && (called->fmu->isExchange || crModel_CountActions(called->fmu->model) > 0)) {
    return crCalled_Refuse(called, function, "inputs are held, in Model Exchange and in models with actions");
  }
  for (size_t i = 0; i < count; ++i) {
    const crFmuVariable* variable = find(called, function, references[i], cr_fmuReal);
    if (variable == NULL) {
      return cr_callError;
    }
    if (variable->role != cr_fmuInput) {
      return crCalled_Refuse(called, function, "only inputs have derivatives that can be set");
    }
    if (crFmu_SetInputRate(called->fmu, variable->index, orders[i], values[i]) != cr_ok) {
      return crCalled_Refuse(called, function, "derivatives of inputs are of order 1, 2 or 3, and finite");
    }
  }
  return cr_callOk;
}

crCallStatus crCalled_GetStrings(crCalled* called, const char* function, const unsigned* references, size_t count,
                                 const char** outValues)
{
  bool isGood = crCalled_Enter(called, function, cr_readable);
  for (size_t i = 0; i < count && isGood; ++i) {
    const crFmuVariable* variable = find(called, function, references[i], cr_fmuString);
    isGood = variable != NULL;
    outValues[i] = isGood ? called->fmu->texts[variable->index] : NULL;
  }
  return isGood ? cr_callOk : cr_callError;
}

crCallStatus crCalled_SetStrings(crCalled* called, const char* function, const unsigned* references, size_t count,
                                 const char* const* values)
{
  bool isGood = crCalled_Enter(called, function, cr_beforeWork | cr_atWork);
  for (size_t i = 0; i < count && isGood; ++i) {
    const crFmuVariable* variable = find(called, function, references[i], cr_fmuString);
    isGood = variable != NULL && values[i] != NULL && canSet(called, function, variable);
    if (isGood && !crFmu_SetText(called->fmu, variable->index, values[i])) {
      return crCalled_Leave(called, cr_errorMemory);
    }
  }
  return isGood ? cr_callOk : cr_callError;
}

crCallStatus crCalled_GetBoolean(crCalled* called, const char* function, unsigned reference, bool* outValue)
{
  const crFmuVariable* variable =
      crCalled_Enter(called, function, cr_readable) ? find(called, function, reference, cr_fmuBoolean) : NULL;
  *outValue = variable != NULL && called->fmu->numbers[variable->index] != 0.0;
  return variable != NULL ? cr_callOk : cr_callError;
}

crCallStatus crCalled_SetBoolean(crCalled* called, const char* function, unsigned reference, bool value)
{
  const crFmuVariable* variable = crCalled_Enter(called, function, cr_beforeWork | cr_atWork)
                                      ? find(called, function, reference, cr_fmuBoolean)
                                      : NULL;
  if (variable == NULL || !canSet(called, function, variable)) {
    return cr_callError;
  }
  crFmu_SetNumber(called->fmu, variable->index, value ? 1.0 : 0.0);
  return cr_callOk;
}

// ------------------------------------------------------------------------------------------------ state

static void freeSaved(crSaved* saved)
{
  if (saved != NULL) {
    free(saved->bytes);
    free(saved);
  }
}

// A state that the host hands over to be overwritten goes.
static void replace(void** ioState, crSaved* saved)
{
  freeSaved(*ioState);
  *ioState = saved;
}

crCallStatus crCalled_Save(crCalled* called, const char* function, void** ioState)
{
  if (!crCalled_Enter(called, function, cr_anyTime & ~cr_fmuFailed) || ioState == NULL) {
    return cr_callError;
  }
  crSaved* saved = calloc(1, sizeof *saved);
  crStatus status = saved != NULL ? crFmu_Save(called->fmu, &saved->bytes, &saved->size) : cr_errorMemory;
  if (status != cr_ok) {
    freeSaved(saved);
    return crCalled_Refuse(called, function, crStatus_GetText(status));
  }
  replace(ioState, saved);
  return cr_callOk;
}

crCallStatus crCalled_Load(crCalled* called, const char* function, const void* state)
{
  const crSaved* saved = state;
  return crCalled_Enter(called, function, cr_anyTime) && saved != NULL
             ? crCalled_Leave(called, crFmu_Load(called->fmu, saved->bytes, saved->size))
             : cr_callError;
}

crCallStatus crCalled_FreeState(crCalled* called, const char* function, void** ioState)
{
  if (!crCalled_Enter(called, function, cr_anyTime) || ioState == NULL) {
    return cr_callError;
  }
  replace(ioState, NULL);
  return cr_callOk;
}

crCallStatus crCalled_Serialize(crCalled* called, const char* function, const void* state, void* outBytes, size_t size)
{
  const crSaved* saved = state;
  if (!crCalled_Enter(called, function, cr_anyTime) || saved == NULL || outBytes == NULL || size < saved->size) {
    return cr_callError;
  }
  memcpy(outBytes, saved->bytes, saved->size);
  return cr_callOk;
}

crCallStatus crCalled_Deserialize(crCalled* called, const char* function, const void* bytes, size_t size,
                                  void** ioState)
{
  if (!crCalled_Enter(called, function, cr_anyTime) || bytes == NULL || ioState == NULL || size == 0) {
    return cr_callError;
  }
  crSaved* saved = calloc(1, sizeof *saved);
  void* copy = saved != NULL ? malloc(size) : NULL;
  if (copy == NULL) {
    free(saved);
    return cr_callError;
  }
  memcpy(copy, bytes, size);
  *saved = (crSaved){ copy, size };
  replace(ioState, saved);
  return cr_callOk;
}

// --------------------------------------------------------------------------------------- Model Exchange

crCallStatus crCalled_ResolveEvent(crCalled* called, const char* function, crFmuEventFacts* outFacts)
{
  *outFacts = (crFmuEventFacts){ .nextEvent = HUGE_VAL };
  if (!crCalled_Enter(called, function, cr_fmuEvent)) {
    return cr_callError;
  }
  bool isDone = !called->fmu->isExchange; // by the run
  return isDone ? cr_callOk : crCalled_Leave(called, crFmu_ResolveEvent(called->fmu, outFacts));
}

crCallStatus crCalled_CompleteStep(crCalled* called, const char* function, bool* outIsEvent)
{
  *outIsEvent = false;
  return crCalled_Enter(called, function, cr_fmuContinuous)
             ? crCalled_Leave(called, crFmu_CompleteStep(called->fmu, outIsEvent))
             : cr_callError;
}

crCallStatus crCalled_SetTime(crCalled* called, const char* function, double t)
{
  if (!crCalled_Enter(called, function, cr_fmuEvent | cr_fmuContinuous) || !isfinite(t)) {
    return cr_callError;
  }
  crFmu_SetTime(called->fmu, t);
  return cr_callOk;
}

static bool fits(crCalled* called, const char* function, const double* values, size_t count, int expected)
{
  bool isRight = count == (size_t)expected && (values != NULL || count == 0);
  if (!isRight) {
    crFmu_Log(called->fmu, cr_severityError, "%s%s: there are %d numbers, not %zu", called->prefix, function, expected,
              count);
  }
  return isRight;
}

// What can be asked for in initialization mode needs initial values. `values`: as many as states.
static crCallStatus prepare(crCalled* called, const char* function, const double* values, size_t count)
{
  if (!crCalled_Enter(called, function, cr_evaluable)) {
    return cr_callError;
  }
  if (!called->fmu->isExchange) {
    return crCalled_Refuse(called, function, "this instance is one for Co-Simulation");
  }
  return fits(called, function, values, count, called->fmu->stateCount)
             ? crCalled_Leave(called, crFmu_Realize(called->fmu))
             : cr_callError;
}

crCallStatus crCalled_SetStates(crCalled* called, const char* function, const double* y, size_t count)
{
  if (!crCalled_Enter(called, function, cr_fmuContinuous) ||
      !fits(called, function, y, count, called->fmu->stateCount)) {
    return cr_callError;
  }
  crFmu_SetStates(called->fmu, y);
  return cr_callOk;
}

crCallStatus crCalled_GetStates(crCalled* called, const char* function, double* outY, size_t count)
{
  crCallStatus status = prepare(called, function, outY, count);
  if (status == cr_callOk && count > 0) {
    memcpy(outY, called->fmu->y, count * sizeof *outY);
  }
  return status;
}

crCallStatus crCalled_GetNominals(crCalled* called, const char* function, double* outNominals, size_t count)
{
  crCallStatus status = prepare(called, function, outNominals, count);
  if (status == cr_callOk && count > 0) {
    const crFmuVariables* variables = &called->fmu->variables;
    for (size_t i = 0; i < count; ++i) {
      outNominals[i] = variables->list.items[variables->states[i]].nominal;
    }
  }
  return status;
}

crCallStatus crCalled_GetRates(crCalled* called, const char* function, double* outRates, size_t count)
{
  crCallStatus status = prepare(called, function, outRates, count);
  for (size_t i = 0; i < count && status == cr_callOk; ++i) {
    const crFmuVariables* variables = &called->fmu->variables;
    const crFmuVariable* variable = &variables->list.items[variables->derivatives[i]];
    status = crCalled_Leave(called, crFmu_GetReal(called->fmu, variable, &outRates[i]));
  }
  return status;
}

crCallStatus crCalled_GetIndicators(crCalled* called, const char* function, double* outZ, size_t count)
{
  if (!crCalled_Enter(called, function, cr_evaluable)) {
    return cr_callError;
  }
  crCallStatus status = crCalled_Leave(called, crFmu_Realize(called->fmu));
  if (status != cr_callOk || !fits(called, function, outZ, count, crFmu_CountIndicators(called->fmu))) {
    return status != cr_callOk ? status : cr_callError;
  }
  return crCalled_Leave(called, crFmu_ComputeIndicators(called->fmu, outZ));
}

// The sum over all knowns of one unknown; false: one of them is no state or input.
static bool sumSlopes(crCalled* called, const char* function, const crDirection* direction, int row, double* outSum)
{
  *outSum = 0.0;
  for (size_t k = 0; k < direction->knownCount; ++k) {
    const crFmuVariable* known = find(called, function, direction->knowns[k], cr_fmuReal);
    int column = known != NULL ? crFmu_FindSlopeColumn(called->fmu, known) : -1;
    if (column < 0) {
      crCalled_Refuse(called, function, "a known is no state and no input");
      return false;
    }
    *outSum += crFmu_GetSlope(called->fmu, row, column) * direction->seeds[k];
  }
  return true;
}

crCallStatus crCalled_GetDirectionalDerivative(crCalled* called, const char* function, const crDirection* direction,
                                               double* outDerivatives)
{
  if (!crCalled_Enter(called, function, cr_evaluable)) {
    return cr_callError;
  }
  if (!crFmu_HasSlopes(called->fmu)) {
    return crCalled_Refuse(
        called, function,
        "directional derivatives are those of Model Exchange, of models whose friction does not stick");
  }
  crCallStatus status = crCalled_Leave(called, crFmu_ComputeSlopes(called->fmu));
  for (size_t i = 0; i < direction->unknownCount && status == cr_callOk; ++i) {
    const crFmuVariable* unknown = find(called, function, direction->unknowns[i], cr_fmuReal);
    int row = unknown != NULL ? crFmu_FindSlopeRow(called->fmu, unknown) : -1;
    if (row < 0) {
      return crCalled_Refuse(called, function, "an unknown is no derivative of a state and no output");
    }
    status = sumSlopes(called, function, direction, row, &outDerivatives[i]) ? cr_callOk : cr_callError;
  }
  return status;
}

// ---------------------------------------------------------------------------------------- Co-Simulation

crCallStatus crCalled_Step(crCalled* called, const char* function, double point, double size)
{
  if (!crCalled_Enter(called, function, cr_fmuStepping)) {
    return cr_callError;
  }
  double off = fabs(point - called->fmu->time);
  if (!(off <= CR_POINT_TOLERANCE * fmax(1.0, fabs(called->fmu->time)))) {
    crFmu_Log(called->fmu, cr_severityError, "%s%s: the FMU is at %.17g s, not at the communication point %.17g s",
              called->prefix, function, called->fmu->time, point);
    return cr_callError;
  }
  if (!(size > 0.0) || !isfinite(size)) {
    return crCalled_Refuse(called, function, "a step has to be longer than 0 s");
  }
  crStatus status = crFmu_Advance(called->fmu, point + size);
  return status == cr_errorMisuse ? cr_callError
                                  : crCalled_Leave(called, status == cr_retry ? cr_failNumerics : status);
}
