// The state of a running simulation in one piece, in two forms.
//
// A *state* is what physics needs to go on: time, states, inputs and held values by name, turns of joints, and contacts
// with what they froze. It is plain data, fits any build of Carom and any model that has the same names, and a run can
// start from it: the steps are new ones, so the result is as accurate, but has other bits.
//
// A *checkpoint* is everything: also the clocks and steps of islands, what methods remember, open rounds, statistics.
// A simulation that is loaded from it goes on with the very bits of the run that was saved, for any number of threads.
// It belongs to one compiled model and to one build of Carom, both of which it names. Saving changes nothing.
#ifndef CAROM_STATE_H
#define CAROM_STATE_H

#include "carom/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crModel crModel;
typedef struct crSimulation crSimulation;

// --------------------------------------------------------------------------------------------- state

// Two shapes that touch. A shape is known by its object, the number of the feature there, and the piece of a mesh.
typedef struct crStateContact {
  const char *objectA, *objectB; // paths
  int featureA, featureB;
  int pieceA, pieceB;          // of meshes, else 0
  crContactMemory memory;      // what was frozen when it began
  double begin;                // [s] when it began
  double approach;             // [m/s] then, before an impulse
  bool isSettled;              // its impact is over
  double maxDepth, maxForce;   // [m], [N] so far; likewise
  double impulse, dissipation; // [N s], [J]
  double slipPath;             // [m]
  crStateBristle bristle; // where the model's law sticks and this one does not, or is of another kind: it begins anew
} crStateContact;

// Names are those of variables where there is one ("cue.position.x", "arm.joint1.angle").
typedef struct crState {
  double time;                    // [s]
  const crNamedNumber* states;    // (stateCount)
  const crNamedNumber* inputs;    // (inputCount) by the path of the signal
  const crNamedNumber* discrete;  // (discreteCount) what sampled functions hold: "controller.value", and their states
  const crNamedNumber* turns;     // (turnCount) coordinates of joints that close loops, whole turns counted
  const crStateContact* contacts; // (contactCount)
  int stateCount, inputCount, discreteCount, turnCount, contactCount;
  double dissipated, work; // [J] up to now, as in the summary; a run that starts here counts its own from 0
} crState;

// The state at the time reached, in one block that needs nothing but itself. cr_errorMisuse: NULL, the run failed, or
// it is on its way between output points, as in other callbacks than atOutput.
CR_API crStatus crSimulation_GetState(const crSimulation* simulation, const crAllocator* allocator, crState** outState);
// One that needs nothing of what it was copied from.
CR_API crStatus crCopyState(const crState* state, const crAllocator* allocator, crState** outState);
CR_API void crDestroyState(crState* state); // one that a function of Carom made

// ---------------------------------------------------------------------------------------- checkpoint

// Another simulation at the same point, which goes on as this one does, bit for bit; any number of them, one after the
// other or side by side. They share the model and nothing else. Between two calls of crSimulation_Advance, or in a
// callback of a run at an output point; cr_errorMisuse elsewhere. allocator, sink: its own.
CR_API crStatus crSimulation_Copy(const crSimulation* simulation, const crAllocator* allocator, const crErrorSink* sink,
                                  crSimulation** outSimulation);

typedef struct crByteWriter {
  crStatus (*write)(void* context, const void* bytes, size_t size); // anything but cr_ok ends the writing with it
  void* context;
} crByteWriter;

// Writes a checkpoint of the time reached; when crSimulation_Copy may be called. `note`: bytes of the caller that it
// carries along, such as the place in a result; NULL with 0: none.
CR_API crStatus crSimulation_Save(const crSimulation* simulation, const void* note, size_t noteSize,
                                  crByteWriter writer);

// What a checkpoint says about itself. Strings and note point into its bytes, or are constant.
typedef struct crCheckpointFacts {
  const char* build; // version, compiler and machine that it was written with: as crGetBuild says
  const char* model; // fingerprint of the model, in hexadecimal digits
  double time;       // [s]
  int outputCount;   // output points that crSimulation_Run had handed out
  const void* note;
  size_t noteSize;
} crCheckpointFacts;

// Checks all of the bytes first. cr_errorFile: they are not a checkpoint, or damaged, which the sink is told.
CR_API crStatus crReadCheckpointFacts(const void* bytes, size_t size, const crErrorSink* sink,
                                      crCheckpointFacts* outFacts);

// What may differ from the run that was saved.
typedef struct crLoadOptions {
  size_t size;
  int threads;     // 1 to CR_MAX_THREADS; 0: as saved. The result does not depend on it
  double stopTime; // [s] not before the one that was saved; 0: that one. Steps end at a stop time, so a later one gives
                   // the bits of an undisturbed run only up to the one that was saved
} crLoadOptions;

CR_API crLoadOptions crDefaultLoadOptions(void);

// The simulation that was saved. `options` may be NULL. cr_errorFile: as above. cr_errorModel: it belongs to another
// model or to another build, both of which are told.
CR_API crStatus crLoadSimulation(const crModel* model, const void* bytes, size_t size, const crLoadOptions* options,
                                 const crAllocator* allocator, const crErrorSink* sink, crSimulation** outSimulation);

// All that decides about bits: version, compiler, its options, machine, and libraries that take steps.
CR_API const char* crGetBuild(void);

#ifdef __cplusplus
}
#endif

#endif
