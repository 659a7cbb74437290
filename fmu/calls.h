// Calls of a host as all versions of FMI know them: which is allowed when, numbers by value references, saved states,
// and messages. The versions' own files translate names and arguments.
#ifndef CR_FMU_CALLS_H
#define CR_FMU_CALLS_H

#include "component.h"

// Statuses of FMI 2.0 and 3.0, which have the same numbers.
typedef enum crCallStatus { cr_callOk, cr_callWarning, cr_callDiscard, cr_callError } crCallStatus;

// In which modes a call is allowed.
enum {
  cr_anyTime = cr_fmuInstantiated | cr_fmuInitializing | cr_fmuStepping | cr_fmuEvent | cr_fmuContinuous |
               cr_fmuTerminated | cr_fmuFailed,
  cr_atWork = cr_fmuStepping | cr_fmuEvent | cr_fmuContinuous,
  cr_beforeWork = cr_fmuInstantiated | cr_fmuInitializing,
  cr_readable = cr_fmuInstantiated | cr_fmuInitializing | cr_atWork | cr_fmuTerminated,
  cr_evaluable = cr_fmuInitializing | cr_fmuEvent | cr_fmuContinuous | cr_fmuTerminated,
};

// A component as the host knows it. The versions' own structs begin with one.
typedef struct crCalled {
  crFmu* fmu;
  const char* prefix; // of function names: "fmi2"
  bool logsEvents;    // or warnings and errors alone
} crCalled;

extern const char* const crSeverityCategories[]; // of the log, by crSeverity

// Whether the call is allowed now; the log says why not. NULL is never allowed.
bool crCalled_Enter(crCalled* called, const char* function, int allowed);
// What could not be evaluated can be tried elsewhere; after anything else only reset and free are left.
crCallStatus crCalled_Leave(crCalled* called, crStatus status);
crCallStatus crCalled_Refuse(crCalled* called, const char* function, const char* why);
// Allowed: on to another mode.
crCallStatus crCalled_Go(crCalled* called, const char* function, int allowed, crFmuMode mode);
void crCalled_SetLogging(crCalled* called, bool isOn, size_t count, const char* const* categories);

crCallStatus crCalled_EndInitialization(crCalled* called, const char* function);
crCallStatus crCalled_GetReals(crCalled* called, const char* function, const unsigned* references, size_t count,
                               double* outValues);
crCallStatus crCalled_SetReals(crCalled* called, const char* function, const unsigned* references, size_t count,
                               const double* values);
crCallStatus crCalled_SetInputRates(crCalled* called, const char* function, const unsigned* references, size_t count,
                                    const int* orders, const double* values);
crCallStatus crCalled_GetStrings(crCalled* called, const char* function, const unsigned* references, size_t count,
                                 const char** outValues);
crCallStatus crCalled_SetStrings(crCalled* called, const char* function, const unsigned* references, size_t count,
                                 const char* const* values);
crCallStatus crCalled_GetBoolean(crCalled* called, const char* function, unsigned reference, bool* outValue);
crCallStatus crCalled_SetBoolean(crCalled* called, const char* function, unsigned reference, bool value);

// A saved state, of the host's until it frees it.
typedef struct crSaved {
  void* bytes; // (size)
  size_t size;
} crSaved;
crCallStatus crCalled_Save(crCalled* called, const char* function, void** ioState);
crCallStatus crCalled_Load(crCalled* called, const char* function, const void* state);
crCallStatus crCalled_FreeState(crCalled* called, const char* function, void** ioState);
crCallStatus crCalled_Serialize(crCalled* called, const char* function, const void* state, void* outBytes, size_t size);
crCallStatus crCalled_Deserialize(crCalled* called, const char* function, const void* bytes, size_t size,
                                  void** ioState);

// Model Exchange.
crCallStatus crCalled_ResolveEvent(crCalled* called, const char* function, crFmuEventFacts* outFacts);
crCallStatus crCalled_CompleteStep(crCalled* called, const char* function, bool* outIsEvent);
crCallStatus crCalled_SetTime(crCalled* called, const char* function, double t);
crCallStatus crCalled_SetStates(crCalled* called, const char* function, const double* y, size_t count);
crCallStatus crCalled_GetStates(crCalled* called, const char* function, double* outY, size_t count);
crCallStatus crCalled_GetNominals(crCalled* called, const char* function, double* outNominals, size_t count);
crCallStatus crCalled_GetRates(crCalled* called, const char* function, double* outRates, size_t count);
crCallStatus crCalled_GetIndicators(crCalled* called, const char* function, double* outZ, size_t count);

// How unknowns change when knowns change by the seeds.
typedef struct crDirection {
  const unsigned *unknowns, *knowns;
  size_t unknownCount, knownCount;
  const double* seeds; // (knownCount)
} crDirection;
crCallStatus crCalled_GetDirectionalDerivative(crCalled* called, const char* function, const crDirection* direction,
                                               double* outDerivatives);

// Co-Simulation: one step.
crCallStatus crCalled_Step(crCalled* called, const char* function, double point, double size);

#endif
