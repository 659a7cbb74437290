// Islands: sets of trees that act on no other tree, each integrated on its own clock with its own step size.
//
//   The island with the smallest clock steps. Its trial step is searched for contacts with the world, within the
//   island, and with the last segments of all others, which contain the smallest clock, so nothing older is kept. The
//   earliest contact truncates the step, and that of the partner, by taking them again to that very time. Such an event
//   waits until it is the earliest thing anywhere, and is cancelled if a third body reaches one of the two before. Then
//   islands merge, contacts are found anew, and what no longer touches parts [Mirtich00], [Lubachevsky91].
//
// So the order of events is that of their times, whatever the steps; nothing is taken back by more than one step; and
// the discrete state of a contact never has to be undone. docs/numerics.md tells the whole.
#ifndef CR_SIM_ISLAND_H
#define CR_SIM_ISLAND_H

#include "model/eval/contact.h"
#include "sim/motion_bound.h"
#include "sim/simulation.h"
#include "solve/stepper.h"

// What an island waits for at its clock.
typedef enum crPending {
  cr_pendingNothing,
  cr_pendingEvent, // its own contacts change
  cr_pendingMerge  // it meets its partner
} crPending;

typedef struct crIsland {
  crIslands* owner;
  int number;    // place among the islands: decides between equal clocks
  int heapPlace; // -1: not in use

  // its trees, ascending; the state vector is theirs, then dissipated energy and work
  int* trees; // (treeCount)
  int treeCount, treeCapacity;
  crContacts* contacts;
  int stateCount, n;
  bool hasSignals, hasLoops, hasMotions; // so that events have to be kept, steps projected, or searched finely
  bool isAlone;                          // so large that it has a stepper of its own

  // what the stepper sees; arrays in `numbers` and `indices`
  crProblem problem;
  crStructure structure;
  crSparsity pattern;
  double* numbers;
  int* indices;
  crSpin* spins;
  bool* followers;
  int numberCapacity, indexCapacity, spinCapacity, followerCapacity;
  crStepper* stepper; // NULL: that of all small islands

  crSegment segment; // from its last clock to its clock
  crSegment before;
  bool hasBefore;      // the segment before ended where this one starts, with the same contacts
  bool isCounted;      // the segment's share in sums over contacts has been taken
  crStepMemory memory; // of its steps
  double phase;        // [s] time event, or start, whose pieces of signals hold
  double nextEvent;    // [s] the one behind it; infinity: none
  double motionStep;   // [s] longest one that prescribed motions allow

  // a crowd: so many trees that contacts begin and end inside steps, see island_crowd.c
  bool isCrowd;
  int endCount;       // contacts that were over at the end of a step, since all were found anew
  int stepCount;      // steps since then
  int patience;       // signs of stiffness until the implicit method is tried
  int trialCount;     // steps of that trial
  double stiffStep;   // [s] of the explicit method before it
  crStepMemory again; // what was remembered before the last step

  crPending pending;
  int partner;     // number of the island that it meets
  int quietEvents; // events in a row that changed nothing
} crIsland;

// The first contact in a segment.
typedef struct crHit {
  double time;    // [s] infinity: none
  double aim;     // [m] distance that the search aimed at
  double epsilon; // [m] half the width of the pair's hysteresis
  int shapeA, shapeB, touch;
  bool isEnd; // of a contact
  int other;  // number of the island that is met; -1: none
} crHit;

struct crIslands {
  crAllocator allocator;
  crSimulation* simulation;
  const crModel* model;
  crInstance* instance;
  crInstance* probe; // for places of bodies inside steps
  double relTol;
  crStepper* stepper; // of all small islands

  crIsland* items; // (treeCount + 2)
  int itemLimit;
  int* free; // (freeCount) numbers not in use, the next one last
  int freeCount;
  int* heap; // (heapCount) numbers, the smallest clock first
  int heapCount;

  int* islandOf;      // (treeCount) number
  int* stateStarts;   // (treeCount) first state of a tree in its island
  bool* isRound;      // (treeCount)
  bool* isDriven;     // (treeCount) a motion of it is prescribed
  int* treeShapes;    // (treeCount + 1) first contact shape of each tree
  crSweep* sweeps;    // (bodyCount) of the segment of its island
  crAabb* boxes;      // (shapeCount) at the end of the segment
  crAabb* startBoxes; // (shapeCount) at its start
  crAabb* swept;      // (shapeCount) all over it
  crShapeTable* table;
  crContacts* spareContacts;
  crBroadPhase* broadPhase; // of what shapes sweep in the segment of their island

  crArrayOf(crBoxPair) pairs;       // candidates of a search
  crArrayOf(crContactStart) starts; // what begins in the segment of a crowd
  bool gathersStarts;
  bool hasSearched; // in this segment
  crTouch touches[CR_MAX_TOUCHES];
  crTouch startTouches[CR_MAX_TOUCHES];
  double* scratch; // (scratchCapacity) states of one island or component
  int scratchCapacity;
  int* labels;          // (treeCount) scratch, of trees by their number
  int* partTrees;       // (treeCount) scratch
  int* componentTrees;  // (treeCount) trees of a component, one component after the other
  int* componentStarts; // (treeCount) of the component of a tree, its first place there

  double lastClock;   // [s] smallest one of late
  int64_t stallCount; // operations since it moved
  int64_t eventCount, mergeCount, splitCount, searchCount, pairCount, redoCount;
};

// islands.c: clocks.
void crIslands_Place(crIslands* islands, crIsland* island);  // in the order of clocks, after that changed
void crIslands_Remove(crIslands* islands, crIsland* island); // from that order, and free

static inline crTreeSet crIsland_GetSet(const crIsland* island)
{
  crTreeSet set = { island->trees, island->treeCount, island->contacts };
  return set;
}

// island.c: one island.
crIsland* crIslands_Take(crIslands* islands); // one not in use, empty; NULL: no memory
void crIsland_Free(crIsland* island);         // what it has allocated
// Starts at time t from the instance's state of its trees, whose contacts are known; balance: what it begins with.
crStatus crIsland_Start(crIsland* island, double t, const double balance[CR_BALANCE_COUNT]);
crStatus crIsland_Step(crIsland* island, double tMax);  // fills its segment, from its clock on
crStatus crIsland_Redo(crIsland* island, double t);     // its segment again, to end at t
crStatus crIsland_Again(crIsland* island, double tMax); // the last step once more, with other contacts
crStatus crIsland_CountStep(crIsland* island);          // once a segment is final: sums over contacts

// island_search.c: contacts in segments.
// Whether the motion inside the segment is what its ends let one expect: prescribed ones choose no steps by themselves.
crStatus crIslands_CheckMotions(crIslands* islands, const crIsland* island, bool* outIsGood);
crStatus crIslands_SweepStill(crIslands* islands, crIsland* island);   // where its bodies are at its clock
void crIslands_BeginSweep(crIslands* islands, const crIsland* island); // its clock is the start of a segment now
crStatus crIslands_Sweep(crIslands* islands, crIsland* island);        // what its bodies sweep in its segment
crStatus crIslands_Search(crIslands* islands, crIsland* island, crHit* outHit);
// Distance of a touch at the ends of both segments, and its rate.
crStatus crIslands_LookAtEnd(crIslands* islands, const crHit* hit, double t, double* outDistance, double* outRate);
// Pairs of shapes of the island and the world whose boxes are near at its clock, and those in contact, sorted.
crStatus crIslands_FindNear(crIslands* islands, crIsland* island);

// island_crowd.c: steps of large islands.
crStatus crIslands_StepCrowd(crIslands* islands, crIsland* island, double tMax, crHit* outHit);
crStatus crIslands_FollowCrowd(crIslands* islands, crIsland* island); // contacts at the end of a segment that is final
bool crIsland_NeedsReview(const crIsland* island); // contacts should be found anew, and the island may part
void crIsland_ChooseCrowdMethod(crIsland* island); // after a step

// island_event.c: what happens at a clock.
crStatus crIslands_PassEvent(crIslands* islands, crIsland* island);
// Starts the parts of an island that nothing couples any more, from the states of the instance.
crStatus crIslands_StartParts(crIslands* islands, crIsland* island, double t, const double* balance);

#endif
