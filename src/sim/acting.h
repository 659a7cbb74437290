// Runs with actions: the structure that a run has now, the model of it, and what triggers remember.
//
// A run is a sequence of models. At an action the islands end at its time, the scene of the new structure is compiled,
// and everything that the new model knows by the same name goes on with the value that it has. A model without actions
// has none of this.
#ifndef CR_SIM_ACTING_H
#define CR_SIM_ACTING_H

#include "scene/structure.h"
#include "sim/simulation.h"

// What the trigger of an action remembers.
typedef struct crTriggerMemory {
  int64_t count; // times that its time has come
  bool isAbove;  // the signal, at the last look
  bool hasFired; // since the contact began
  double since;  // [s] when the contact began; NaN: there is none
} crTriggerMemory;

typedef struct crActing {
  crAllocator allocator;
  const crModel* first; // the model that the run was made with
  crModel* own;         // of the structure now; NULL: the first one
  crSceneStructure structure;
  crTriggerMemory* memories; // (actionCount)
  int actionCount;
  bool watches;             // some triggers look at signals or contacts
  double frequency;         // [Hz] of the fastest sine that one looks at; 0: none
  double looked;            // [s] up to where they have
  int64_t doneCount;        // actions that have changed something
  double removed;           // [J] that went with what was deleted, and came or went with contacts
  crSimulationSummary past; // counts of the islands of structures before
} crActing;

// acting.c
crStatus crCreateActing(const crModel* model, const crAllocator* allocator, crActing** outActing);
void crDestroyActing(crActing* acting);
// The model that a structure makes. generation: as of the model.
crStatus crActing_Compile(const crActing* acting, const crSceneStructure* structure, int generation,
                          const crErrorSink* sink, crModel** outModel);
bool crSceneStructure_Copy(const crSceneStructure* from, const crAllocator* allocator, crSceneStructure* to);
void crActing_Summarize(const crActing* acting, crSimulationSummary* ioSummary); // what was counted before
void crActing_Archive(crArchive* archive, crActing* acting);

// transition.c: goes on with another structure, which is the simulation's then. isPlastic: velocities jump so that all
// that the structure connects moves together.
crStatus crSimulation_Restructure(crSimulation* simulation, crSceneStructure* structure, bool isPlastic);

// plastic_impact.c: rates of the new instance, whose bodies have the momenta of the old one's before. The old one is at
// stage velocity; y is the state of the new one at t.
crStatus crApplyPlasticImpact(const crInstance* from, crTreeSet fromSet, crInstance* to, crTreeSet toSet, double t,
                              double* y, const crAllocator* allocator);

// act.c: as crSimulation_StepTo, with all actions that are due up to t, and at it.
crStatus crSimulation_AdvanceActing(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped);

// action.c: does an action at the time reached.
crStatus crSimulation_DoAction(crSimulation* simulation, int action);

// trigger.c: makes triggers know how things are at the start, and finds the first that is due up to t, where the
// islands have been. outTime: when; outAction -1: none is.
void crSimulation_StartTriggers(crSimulation* simulation);
double crSimulation_FindDueTime(const crSimulation* simulation, int* outAction); // of times alone; infinity: none
crStatus crSimulation_Look(crSimulation* simulation, double t, double* outTime, int* outAction);
void crSimulation_NoteDone(crSimulation* simulation, int action); // its trigger has been heard

// action_contact.c: a contact of the model now, by the numbers of the first one.
void crSimulation_TranslateContact(const crSimulation* simulation, crContactRecord* ioRecord);

#endif
