// An FMU at work, whatever version of FMI its host speaks: the model, what was set, and the run or what a host with a
// solver of its own needs.
//
//   instantiated ─► initializing ─► stepping                      Co-Simulation: the run of Carom
//                               └─► event ◄─► continuous          Model Exchange
//
// from all of which it may be terminated, and reset to the first. The versions' own files check which call is allowed
// when. What a run does at its start, rest, assembly, first contacts, is done by the same function: a simulation is
// made when initial values are asked for or initialization ends. In Model Exchange its instance and its contacts are
// what evaluates, and its islands stay where they are.
#ifndef CR_FMU_COMPONENT_H
#define CR_FMU_COMPONENT_H

#include "fmu/fmu_variables.h"
#include "package.h"
#include "sim/simulation.h"

typedef enum crFmuMode {
  cr_fmuInstantiated = 1, // bits, so that a call can name all in which it is allowed
  cr_fmuInitializing = 2,
  cr_fmuStepping = 4,
  cr_fmuEvent = 8,
  cr_fmuContinuous = 16,
  cr_fmuTerminated = 32,
  cr_fmuFailed = 64,
} crFmuMode;

// Messages for the host: cr_severityNote are events.
typedef struct crFmuLog {
  void (*write)(void* context, crSeverity severity, const char* text);
  void* context;
} crFmuLog;

typedef struct crFmuDef {
  const char* resources; // URI or path
  const char* guid;      // that the host read in the description
  bool isExchange;
  bool stopsAtEvents; // Co-Simulation: steps end where contacts begin or end,
  bool hasEventMode;  // and there is an event mode, in which nothing is left to be done
  crFmuLog log;
} crFmuDef;

typedef struct crFmu {
  crAllocator allocator;
  crFmuLog log;
  crErrorSink sink; // into the log
  bool isExchange;
  bool stopsAtEvents, hasEventMode; // Co-Simulation of FMI 3.0
  bool isAtEvent;                   // where the last step ended early
  crFmuMode mode;
  crFmuPackage package;
  crFmuVariables variables; // as exported
  crScene* scene;
  crModel* model;
  crTreeSet set; // all trees, with contacts once there is a simulation

  double* numbers;    // (parameterCount) of parameters
  char** texts;       // (parameterCount) likewise, NULL but for strings
  double* inputs;     // (inputCount)
  double* inputRates; // (CR_INPUT_ORDERS inputCount) derivatives by time during the next step
  bool hasInputRates; // some were set since the last one
  bool hasParameters; // some were set: the model has to be read anew
  bool isRead;        // it was, and is not that of the export

  double startTime, stopTime, tolerance; // [s], [s], [-]; stopTime infinite, tolerance 0: not told
  double time;                           // [s]
  crSimulation* simulation;              // NULL: not made yet
  crRecorder* recorder;                  // of models with actions, whose numbers of variables change; NULL: none
  const double* row;                     // that it read where the simulation is; NULL: not yet

  int stateCount, treeStates, inputCount; // states behind those of trees are of friction that sticks
  double* y;                              // (stateCount + 1)
  double* rates;                          // (stateCount + 1)
  bool isCurrent;                         // the instance is at time and y, at stage report
  bool hasRates;                          // for time and y
  double* slopes; // of states and outputs, by states and inputs, column by column; NULL: not asked for yet
  bool hasSlopes; // for time and y

  // Model Exchange
  double phase;      // [s] signals are taken from the piece that holds here
  double nextEvent;  // [s] infinite: none
  double lastTime;   // [s] end of the last step
  double* lastY;     // (stateCount + 1) there
  double* lastRates; // (stateCount + 1) likewise
  double* scratch;   // (stateCount + 1)
  crContacts* watch; // contacts that the guard tries; NULL: nothing can touch
  int missedCount;   // contacts that the host stepped over
} crFmu;

// NULL: out of memory, or the log says why not.
crFmu* crCreateFmu(const crFmuDef* def);
void crDestroyFmu(crFmu* fmu);

void crFmu_Log(crFmu* fmu, crSeverity severity, const char* format, ...) __attribute__((format(printf, 3, 4)));

// What the host said of the experiment; stop infinite, tolerance 0: nothing.
crStatus crFmu_SetExperiment(crFmu* fmu, double start, double stop, double tolerance);
// Initial values are known from here on: the model is read with what was set, and placed at its start.
crStatus crFmu_Realize(crFmu* fmu);
crStatus crFmu_Begin(crFmu* fmu); // initialization ends
crStatus crFmu_Reset(crFmu* fmu);
// Parts of these: the model is read anew with what was set; a simulation is what the FMU goes on with, or it is
// dropped.
crStatus crFmu_ReadAgain(crFmu* fmu);
void crFmu_TakeSimulation(crFmu* fmu, crSimulation* simulation);
void crFmu_DropSimulation(crFmu* fmu);

// NULL: there is no such variable of that type.
const crFmuVariable* crFmu_Find(const crFmu* fmu, unsigned reference, crFmuType type);
crStatus crFmu_GetReal(crFmu* fmu, const crFmuVariable* variable, double* outValue);
crStatus crFmu_SetInput(crFmu* fmu, int input, double value);
// Co-Simulation: a derivative by time of an input during the next step; order from 1. Behind the step it stays where it
// is.
crStatus crFmu_SetInputRate(crFmu* fmu, int input, int order, double value);
void crFmu_SetNumber(crFmu* fmu, int parameter, double value);
bool crFmu_SetText(crFmu* fmu, int parameter, const char* text); // false: out of memory

// Co-Simulation: on to time t, or to the first contact event before it where steps end at such.
crStatus crFmu_Advance(crFmu* fmu, double t);

// exchange.c: Model Exchange.
typedef struct crFmuEventFacts {
  bool statesChanged; // contacts began or ended as well: a host must not keep a step that it took without
  double nextEvent;   // [s] infinite: none
} crFmuEventFacts;

crStatus crFmu_BeginExchange(crFmu* fmu);
void crFmu_ReadStates(crFmu* fmu);        // y where the simulation is
void crFmu_ReadSticking(crFmu* fmu);      // parts of y and rates: those of contacts that stick, as they are
void crFmu_ReadStickingRates(crFmu* fmu); //
crStatus crFmu_MakeWatch(crFmu* fmu);     // the contacts of the guard
void crFmu_SetTime(crFmu* fmu, double t);
void crFmu_SetStates(crFmu* fmu, const double* y);
crStatus crFmu_ComputeRates(crFmu* fmu);
int crFmu_CountIndicators(const crFmu* fmu); // once there is a simulation
crStatus crFmu_ComputeIndicators(crFmu* fmu, double* outZ);
crStatus crFmu_ResolveEvent(crFmu* fmu, crFmuEventFacts* outFacts);
crStatus crFmu_CompleteStep(crFmu* fmu, bool* outIsEvent);
crStatus crFmu_Eval(crFmu* fmu); // the instance at time and y, stage report

// slopes.c: directional derivatives, of Model Exchange without states of friction that sticks.
bool crFmu_HasSlopes(const crFmu* fmu);
crStatus crFmu_ComputeSlopes(crFmu* fmu);
int crFmu_FindSlopeRow(const crFmu* fmu, const crFmuVariable* unknown);  // of a derivative or output; -1: it is none
int crFmu_FindSlopeColumn(const crFmu* fmu, const crFmuVariable* known); // of a state or input; likewise
double crFmu_GetSlope(const crFmu* fmu, int row, int column);
void crFmu_FreeSlopes(crFmu* fmu);

// component_state.c: everything in one block of malloc's.
crStatus crFmu_Save(crFmu* fmu, void** outBytes, size_t* outSize);
crStatus crFmu_Load(crFmu* fmu, const void* bytes, size_t size);

#endif
