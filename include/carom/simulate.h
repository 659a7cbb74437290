// Simulation: a model moves from a start to a stop time, with errors controlled, and tells what happens.
//
// crSimulation_Run and crSimulation_Record do a whole run, crSimulation_Advance is for those who hold the clock
// themselves. Nothing here touches a file: records go to a sink (carom/record.h), of which carom/result.h has one that
// writes a file; carom/run.h does all that `carom run` does.
#ifndef CAROM_SIMULATE_H
#define CAROM_SIMULATE_H

#include "carom/instance.h"
#include "carom/record.h"
#include "carom/solver.h"
#include "carom/state.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CR_MAX_THREADS 64

// What a run is asked for. Zero is the default of every field: what the model states (crModel_GetRunOptions), else what
// is said behind it here.
typedef struct crSimulationOptions {
  size_t size;
  double startTime;         // [s] 0
  double stopTime;          // [s] >= startTime; 10 s behind it
  double interval;          // [s] > 0, of output points; 500 of them. The stop time is always one
  double tolerance;         // [-] relative; 1e-6, or 1e-8 for models in which something can touch
  double absoluteTolerance; // [-] times the nominal value of each state; 0.01 x tolerance
  double maxStep;           // [s] > 0; no limit
  crSolverKind solver;      // cr_solverAuto
  crIslandMode islands;     // on
  crEventRows eventRows; // on for models of up to 1,000 variables, 64 contact shapes and 256 trees. Larger ones pay for
                         // it: all their islands are then moved by one thread, and each shape looks at all others
  bool ignoresContacts;  // bodies pass through each other
  int threads;           // up to CR_MAX_THREADS that take steps of islands; 1. The result does not depend on it
  const double* inputs;  // (crModel_CountInputs) at the start; NULL, or NaN for one: as the model says
  const crState* start;  // where the run begins, at its time instead of startTime; NULL: as the model says. It has
                         // all states of the model and no other ones; inputs and held values that it leaves out
                         // are the model's. Need not live longer than the call
} crSimulationOptions;

CR_API crSimulationOptions crDefaultSimulationOptions(void);

// What a run with these options will use: zeros replaced by what the model states, or by what is used without. NULL:
// the default; zeros without a model, or for options of another size.
CR_API crSimulationOptions crModel_ChooseOptions(const crModel* model, const crSimulationOptions* options);

typedef struct crSimulation crSimulation;

// What a run calls back.
typedef struct crObserver {
  void* context;
  // at every output point, the instance being at that time; anything but cr_ok ends the run with that status
  crStatus (*atOutput)(void* context, double t, const crInstance* instance);
  // now and then, at most every few steps; true ends the run cleanly (Ctrl-C)
  bool (*shouldStop)(void* context, double t);
  // a contact that began or ended, in the order of events; at the end of crSimulation_Run those that last
  crStatus (*atContact)(void* context, const crContactRecord* contact);
  // With event rows: the instance as it is up to an event (cr_rowBefore), where contacts begin or end, signals jump or
  // sampled functions work; then, if anything has changed, as it is from there on (cr_rowAfter). In the order of time,
  // no more than 100 between two output points; more are left out, with a warning. Where very many bodies touch,
  // contacts change inside steps, which is no event.
  crStatus (*atEvent)(void* context, double t, crRowKind kind, const crInstance* instance);
  // an action that has changed the structure, in words; rows of an event are around it
  crStatus (*atAction)(void* context, double t, const char* action, const char* text);
} crObserver;

// Steps by each of our methods.
typedef struct crMethodSteps {
  int64_t dopri5, dop853, radau5, rkc2;
} crMethodSteps;

// Steps of very large crowds of balls, which all threads take together. Who does what differs from run to run.
typedef struct crSharedWork {
  int64_t works;  // pieces of these steps that all threads were asked to do, each in as many parts as there are threads
  int64_t helped; // of those parts, what others did than the thread that asked
  int64_t alone;  // pieces that one thread did, since others had no processor, or lost it
} crSharedWork;

typedef struct crSimulationSummary {
  double tolerance;          // [-] used
  crSolverKind solver;       // as asked for, by the caller or the model; cr_solverAuto else
  crMethodSteps methodSteps; // those that were accepted, and those taken again
  crSolverStatistics solverStatistics;
  double time; // [s] reached
  int outputCount;
  int64_t eventCount;              // contact events
  int64_t contactCount;            // contacts that began, or went on from a state, less those that never pushed
  const char* islandReason;        // why all bodies are one island that never parts; NULL: they are not
  int64_t islandCount;             // at the end
  int64_t mergeCount, splitCount;  // of islands
  int64_t distanceCount;           // narrow-phase calls of the search for contacts
  int64_t searchedSteps;           // steps in which a contact was searched for beyond what bounds of motion tell
  crEnergy startEnergy, endEnergy; // [J]
  double dissipated;               // [J] in dampers, friction and contacts up to the time reached
  double work;                     // [J] of drives, prescribed motions, given forces and moving surfaces
  double removed;                  // [J] of what actions deleted or made a part of the world, and of contacts
  int64_t actionCount;             // actions that have changed the structure
  crCreep creep;                   // of the contact that crept farthest; zeros: none did so that it is worth telling
  int creepA, creepB;              // its objects; -1: none
  double creepSpeed;               // [m/s] vMin of its law
  crSharedWork sharedWork;         // since the run was started or resumed
  double cpuSeconds;               // of start and simulation, output not counted
  double wallSeconds;              // likewise
  double startSeconds;             // wall seconds of the start: closing loops, placing what starts at rest, contacts
} crSimulationSummary;

CR_API crStatus crCreateSimulation(const crModel* model, const crSimulationOptions* options,
                                   const crAllocator* allocator, const crErrorSink* sink, crSimulation** outSimulation);
CR_API void crDestroySimulation(crSimulation* simulation);

// Moves to time t (>= the time reached, <= stop time); the instance then is at t, all stages evaluated.
// Failures are reported to the sink with time, step, the worst state by name and a remedy.
CR_API crStatus crSimulation_Advance(crSimulation* simulation, double t);
// Sets an input of the model (crModel_FindInput) from the time reached on; everything is evaluated again, and the
// solver starts anew if the value has changed.
CR_API crStatus crSimulation_SetInput(crSimulation* simulation, int input, double value);
// Does an action of the model now, whatever its trigger is: between two calls of crSimulation_Advance, or in a callback
// at an output point. What there is nothing to do for, as releasing what is free, changes nothing. cr_errorModel: it
// may not, which the sink is told, and the run has failed.
CR_API crStatus crSimulation_Act(crSimulation* simulation, const char* action);
CR_API double crSimulation_GetTime(const crSimulation* simulation);
// The model that is simulated now: the one that it was made with until an action changes the structure, another one, by
// whose numbers instance, set and contacts go, until the next.
CR_API const crModel* crSimulation_GetModel(const crSimulation* simulation);
CR_API crSimulationOptions crSimulation_GetOptions(const crSimulation* simulation); // as chosen; without inputs
// Of the run, to be read, until an action changes the structure.
CR_API const crInstance* crSimulation_GetInstance(const crSimulation* simulation);
CR_API crTreeSet crSimulation_GetSet(const crSimulation* simulation); // all trees, with their contacts
CR_API crSimulationSummary crSimulation_GetSummary(const crSimulation* simulation);
// What crept in that, in words, with what helps; false: nothing did, and the text is empty.
#define CR_CREEP_TEXT 1024 // [bytes] enough for it
CR_API bool crSimulation_DescribeCreep(const crSimulation* simulation, char* outText, size_t size);

// Tells what a run would be told of its start with the options that the model states: loops that do not close, shapes
// that are deep in each other, up to 100 of them one by one; outCount has all of those. Anything but cr_ok: it would
// not begin.
CR_API crStatus crCheckStart(const crModel* model, const crAllocator* allocator, const crErrorSink* sink,
                             int* outCount);

// The variables that a run records: those of the model that match any of the patterns; without patterns those that the
// model states, else all of a model with up to 2000 of them; of a larger one states, energies and driven joints.
typedef struct crRecorder crRecorder;

// Unknown patterns are reported with the nearest names.
CR_API crStatus crCreateRecorder(const crModel* model, const char* const* patterns, int patternCount,
                                 const crAllocator* allocator, const crErrorSink* sink, crRecorder** outRecorder);
CR_API void crDestroyRecorder(crRecorder* recorder);
CR_API int crRecorder_CountColumns(const crRecorder* recorder);
CR_API const crColumn* crRecorder_GetColumns(const crRecorder* recorder);
// The values of all columns; valid until the next call. The instance must be at stage report.
CR_API const double* crRecorder_Read(crRecorder* recorder, const crInstance* instance);
// What moves, for pictures: paths of all bodies but the world, and their poses as a crRow has them.
CR_API int crRecorder_CountBodies(const crRecorder* recorder);
CR_API const char* const* crRecorder_GetBodies(const crRecorder* recorder);
CR_API const float* crRecorder_ReadPoses(crRecorder* recorder, const crInstance* instance); // at least stage position

// What can touch, for crResultDef.objects: the paths of all objects of a model, so that a contact names an object by
// its number in the model. None when no two shapes of the model can meet.
CR_API int crRecorder_CountObjects(const crRecorder* recorder);
CR_API const char* const* crRecorder_GetObjects(const crRecorder* recorder);

// A whole run over the output points, or the rest of one that was stopped or loaded. Results up to a failure have been
// handed out. cr_errorMisuse when it is called by a function that it has called, or by another thread meanwhile;
// likewise crSimulation_Advance. A simulation that is destroyed then is not, which is reported.
CR_API crStatus crSimulation_Run(crSimulation* simulation, const crObserver* observer, crRunEnd* outEnd);

// What is recorded of a run, and what is handed on with it.
typedef struct crRecordOptions {
  size_t size;
  const char* const* patterns; // (patternCount) of variables, as crCreateRecorder takes them; none: as said there
  int patternCount;
  // handed on to the sink, or NULL:
  const char* modelName;    // for people
  const char* sceneJson;    // the scene as canonical JSON: pictures are made of it
  const char* sourceText;   // the model as it was written
  const crMeshFile* meshes; // (meshCount) what the mesh files of the scene hold
  int meshCount;
  // callbacks, or NULL:
  void* context;
  bool (*shouldStop)(void* context, double t); // now and then, for a progress bar as well; true ends the run cleanly
  // behind each output point, whose row and contacts the sink has got; anything but cr_ok ends the run with it
  crStatus (*atOutput)(void* context, double t);
  const char* (*describe)(void* context, crRunEnd end); // JSON about the run, for the end of the sink
} crRecordOptions;

CR_API crRecordOptions crDefaultRecordOptions(void);

// A whole run into a sink. Records up to a failure have been handed out. `options` may be NULL.
CR_API crStatus crSimulation_Record(crSimulation* simulation, const crRecordOptions* options, const crRecordSink* sink,
                                    crRunEnd* outEnd);

// A whole run of a model into memory. After a failure, or when it was stopped, the result holds what was recorded;
// NULL: there is nothing. Options may be NULL; outSummary and outEnd as well.
CR_API crStatus crRecordToMemory(const crModel* model, const crSimulationOptions* options,
                                 const crRecordOptions* recordOptions, const crAllocator* allocator,
                                 const crErrorSink* sink, crResult** outResult, crSimulationSummary* outSummary,
                                 crRunEnd* outEnd);

#ifdef __cplusplus
}
#endif

#endif
