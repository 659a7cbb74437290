// Islands: sets of trees that act on no other tree, each integrated on its own clock with its own step size.
//
//   The island with the smallest clock steps. Its trial step is searched for contacts with the world, within the
//   island, and with the last segments of all others, which contain the smallest clock, so nothing older is kept. The
//   earliest contact truncates the step, and that of the partner, by taking them again to that very time. Such an event
//   waits until it is the earliest thing anywhere, and is cancelled if a third body reaches one of the two before. Then
//   islands merge, contacts are found anew, and what no longer touches parts [Mirtich00], [Lubachevsky91].
//
// So the order of events is that of their times, whatever the steps; nothing is taken back by more than one step; and
// the discrete state of a contact never has to be undone. docs/islands.md tells the whole.
#ifndef CR_ISLAND_ISLAND_H
#define CR_ISLAND_ISLAND_H

#include "contact/area_course.h"
#include "contact/ball_lanes.h"
#include "contact/ball_stage.h"
#include "contact/contact.h"
#include "contact/few_balls.h"
#include "island/carrier_course.h"
#include "island/islands.h"
#include "island/motion_bound.h"
#include "island/multistep.h"
#include "island/path_bound.h"
#include "island/run.h"
#include "solve/stepper.h"

#include <stdatomic.h>

// What an island waits for at its clock.
typedef enum crPending {
  cr_pendingNothing,
  cr_pendingEvent, // its own contacts change
  cr_pendingMerge  // it meets its partner
} crPending;

// How an island chooses its methods, see island_method.c.
typedef struct crPolicy {
  bool isImplicit;   // radau5 always; else explicit where a contact has not settled
  bool isTrial;      // for a while,
  bool isWarm;       // whose first steps are over
  double cost, time; // [evaluations], [s] since it began, or was judged last
  double doubt;      // [evaluations] that part of the cost which the other one would have spent otherwise
  double rivalRate;  // [evaluations/s] of the other one, before the trial
  int stepCount;     // since the last event
  double patience;   // [evaluations] after which the other one is tried; 0: as at first
} crPolicy;

struct crIsland {
  crIslands* owner;
  int number;    // its first tree: decides between equal clocks
  int heapPlace; // in the heap of its group
  bool isUsed;

  // its trees, ascending; the state vector is theirs, then that of contacts that stick, then dissipated energy and work
  int* trees; // (treeCount)
  int treeCount, treeCapacity;
  crContacts* contacts;
  int treeStates, stateCount, n;         // of trees, with those of contacts, and all
  bool hasSignals, hasLoops, hasMotions; // so that events have to be kept, steps projected, or searched finely
  int kinkCount;                         // of forces of its trees
  bool isAlone;                          // so large that it has a stepper of its own

  // what the stepper sees; arrays in `numbers` and `indices`
  crProblem problem;
  crStructure structure;
  int energies[CR_BALANCE_COUNT]; // states that they are
  crSparsity pattern;
  bool isRaised;   // tolerances are those of rounding in its contacts
  bool hasPattern; // of its contacts as they are now: several trees that touch only have it where a step needs it
  double* numbers;
  int* indices;
  crSpin* spins;
  bool* followers;
  crStateBlock* blocks;   // of contacts that stick
  crStateVector* vectors; // of bodies of a crowd
  int numberCapacity, indexCapacity, spinCapacity, followerCapacity, blockCapacity, vectorCapacity;
  crAreaCourses* courses;   // of patches in steps of a crowd; NULL: there never was one
  crBallLanes* lanes;       // of a crowd of balls; NULL: there never was one
  bool areFree;             // its trees are bodies that nothing but uniform gravity and contacts act on
  bool areBalls;            // its trees are, so that lanes can move them,
  bool hasLanes;            // and lanes have all its contacts as they are now
  bool tookLanes;           // its last step was theirs, so that they count it
  const crBallStage* stage; // of the step that is being taken, while there is one for lanes
  crFewBalls* few;          // likewise, while its stages are those of a few balls
  crStepper* stepper;       // NULL: that of all small islands
  crMultistep* multistep;   // NULL: it has steppers; else the track of a method of another library
  int describedTree;        // the only one that these are made for; -1: others

  crSegment segment; // from its last clock to its clock
  crSegment before;
  bool hasBefore;      // the segment before ended where this one starts, with the same contacts
  bool isCounted;      // the segment's share in sums over contacts has been taken
  crStepMemory memory; // of its steps
  crStepMemory again;  // before the last one,
  crPolicy policy;
  int64_t stamp;      // of the segment: another one whenever that changes
  int64_t sweptStamp; // of the one whose ends are in the sweeps of its bodies
  bool isRimSwept;    // only those of its rim have been swept of late
  bool hadBefore;     // which started from a segment before
  double phase;       // [s] time event, or start, whose pieces of signals hold
  double nextEvent;   // [s] the one behind it; infinity: none
  double motionStep;  // [s] longest one that prescribed motions allow

  // a crowd: so many trees that contacts begin and end inside steps, see island_crowd.c
  bool isCrowd;
  int endCount;   // contacts that were over at the end of a step, since all were found anew
  int stepCount;  // steps since then
  int trialCount; // steps in a row that speak for another method,
  int quietSteps; // and those of a crowd in which no contact began or ended

  crPending pending;
  int partner;     // number of the island that it meets
  int quietEvents; // events in a row that changed nothing
};

// The first contact in a segment.
typedef struct crHit {
  double time;    // [s] infinity: none
  double aim;     // [m] distance that the search aimed at
  double epsilon; // [m] half the width of the pair's hysteresis
  int shapeA, shapeB;
  bool isEnd;  // of a contact
  bool isOver; // it has gone over to the next chain of its surface: nothing jumps, so any time will do
  int other;   // number of the island that is met; -1: none
} crHit;

// Where the trees of a component stand in the probe of a worker.
typedef struct crProbed {
  int component; // its first tree; -1: nothing stands anywhere
  int island;
  int64_t stamp;
  double t; // [s]
} crProbed;

// What a failure was about.
typedef enum crDuring { cr_duringStep, cr_duringEvent, cr_duringSample } crDuring;

#define CR_SURFACE_LEAP 0.01 // [-] of the smaller one: how deep a contact with a surface of a profile may begin

// A contact that cannot be as deep as it is.
typedef enum crDeepKind {
  cr_deepNone,
  cr_deepOverlooked,
  cr_deepThrough,
  cr_deepLost,
  cr_deepLean,
  cr_deepBorder
} crDeepKind;
typedef struct crDeep {
  crDeepKind kind;
  int shapeA, shapeB;
  double depth;   // [m]; of axes that are not parallel the sine of their angle; at a border how much stands out
  double allowed; // [m] of one that was overlooked; through: half the thickness of the thinner one; of axes as above
} crDeep;

// Places among the balls of a crowd of those that have neighbours of other islands.
typedef struct crRim {
  int number;    // of its island; -1: none
  int64_t stamp; // of the neighbours
  crArrayOf(int) balls;
} crRim;

// Working space of one thread, and what it has counted.
typedef struct crWorker {
  crIslands* islands;
  const crCrew* crew; // for parts of steps of large crowds, while it runs a group for which it has all threads; or NULL
  crInstance* probe;  // for places of bodies inside steps
  crProbed probed;    // where it is
  crStepper* stepper; // of all small islands
  crBallStage* ballStage;
  crFewBalls few; // of the step that is being taken
  crContacts* spareContacts;
  int* heap; // (heapCount) numbers of the islands of a group, the smallest clock first
  int heapCount;
  int* partTrees; // (treeCount)

  crArrayOf(crBoxPair) pairs; // candidates of a search
  crContactStarts starts;     // what begins in the segment of a crowd
  crArrayOf(crHit) hits;      // of pairs that have become neighbours
  crArrayOf(int) meeting;     // numbers of islands that go on as one behind an event, ascending
  crRim rim;                  // of the crowd that was asked for last
  bool gathersStarts;
  bool looksAside;  // a search is for other islands alone
  bool hasSearched; // in this segment
  crBoxPair left;   // out of a search; (0, 0): none
  int meetingCount; // contacts in it that others have taken the place of
  double* scratch;  // (scratchCapacity) states of one island or component
  int scratchCapacity;
  struct crKink* kinks; // (CR_KINK_SETS of those of the model) of one island at several times
  int kinkCapacity;

  double lastEvent;   // [s] clock of the last event of the group in the round: no later one is told to be before
  double lastClock;   // [s] smallest one of late
  int64_t stallCount; // operations since it moved
  int64_t operationCount, eventCount, mergeCount, splitCount, searchCount, pairCount;
  int64_t changeCount; // events that changed contacts, or signals
  crEventNews news;    // contacts that began or ended
  crStatus status;     // the first that was not cr_ok,
  int failedIsland;    // its number,
  double failedTime;   // [s] where it was,
  crDuring during;     // and what it was about
  crDeep failedDeep;   // the contact that it was about, if any
  crDeep deep;         // likewise, before it is noted
  bool isSampling;     // sampled functions are at work
  double nextStep;     // [s] that was to come next in those that an event is about; infinity: nothing held it
} crWorker;

typedef crArrayOf(crBoxPair) crBoxPairs;

// The time of a segment.
typedef struct crSpan {
  double t0, t1; // [s]
} crSpan;

// A carrier over a stretch of time in which many steps of others lie: boxes of its shapes are in crIslands.
typedef struct crCarrierFrame {
  crSpan span;  // t0 not a number: none is known
  double speed; // [m/s] that none of its points exceeds
} crCarrierFrame;

// Islands that may meet before the end of a round.
typedef struct crGroup {
  int start, count; // of groupTrees: trees, of which those that are numbers of islands count
  double lastEvent; // [s] of the group in the round, or the last that was told before
  bool isBegun;     // it has run up to a pause of the round
  bool isCrew;      // a crowd of it is so large that all threads take its steps together
} crGroup;

struct crIslands {
  crAllocator allocator;
  crRun* run;
  const crModel* model;
  crInstance* instance;
  double relTol;
  bool sticks;       // some contacts have bristles
  bool hasImpulses;  // some contacts are impulsive
  const char* whole; // why all trees are one island that never parts, for people; NULL: they are not
  crWorker* workers; // (workerCount)
  int workerCount;
  struct crTeam* team; // of threads; NULL: one worker does all

  crIsland* items; // (treeCount) an island has the number of its first tree; others are not in use

  int* islandOf;        // (treeCount) number
  int* stateStarts;     // (treeCount) first state of a tree in its island
  bool* isRound;        // (treeCount)
  bool* isDriven;       // (treeCount) a motion of it is prescribed
  bool* isCarrier;      // (treeCount) see carrier.c
  int carrierCount;     // trees that are,
  int carrierTree;      // the last of them
  crSpan* carrierSpans; // (treeCount) of components of carriers: the stretch of time that their sweeps are of, if it is
                        // not the segment of their own island; not a number: it is
  double* carrierParts; // (treeCount) [s] likewise: what few places tell of, in that stretch
  crSweep* partSweeps;  // (bodyCount) scratch, of carriers
  crCarrierFrame* frames; // (treeCount) of components of carriers
  crCourse* courses;      // (courseCount, CR_COURSES) see carrier_course.h
  int* courseOf;          // (treeCount) -1: it has none
  int courseCount;
  crAabb* frameBoxes;   // (shapeCount) all over that stretch
  int* treeShapes;      // (treeCount + 1) first contact shape of each tree
  int* labels;          // (treeCount) scratch, of trees by their number
  int* componentTrees;  // (treeCount) trees of a component, one component after the other
  int* componentStarts; // (treeCount) of the component of a tree, its first place there
  crSweep* sweeps;      // (bodyCount) of the segment of its island
  crAabb* boxes;        // (shapeCount) at the end of the segment
  crAabb* startBoxes;   // (shapeCount) at its start
  crAabb* swept;        // (shapeCount) all over it
  crShapeTable* table;

  // rounds, island_round.c
  bool isSmall;                // so few shapes that all are neighbours and one round does; or events have rows
  bool stopsAtEvents;          // somebody looks at all islands before and after each event; only where that is so
  double known;                // [s] end of the last whole round: all contacts up to there are known
  double start, end;           // [s] of the round
  double limit;                // [s] where it pauses, or ends
  bool isAhead;                // nobody steps in it: it searches what lies before all clocks
  bool isOpen;                 // it has begun
  int64_t operationCount;      // before it
  size_t contactSize;          // [bytes] of contacts of large crowds,
  size_t freedCount;           // and that crowds have freed since the system got some back; of no state
  double window;               // [s] its length
  double leeway;               // [-] by which bodies may be faster than the fastest of their group
  atomic_bool isBroken;        // a step leads out of its room: the round is undone
  struct crSnapshot* snapshot; // of the start of the round
  double* speeds;              // (treeCount) [m/s] of the fastest point of an island, by its number
  double* groupSpeeds;         // (treeCount) [m/s] of the fastest in a group, by its first island
  int* groupSizes;             // (treeCount) islands in a group and trees of it with new neighbours, likewise
  crBroadPhase* broadPhase;    // of where shapes may go in the round
  const crBoxPair* pairs;      // (pairCount) of neighbours, sorted; the broad phase has them
  int pairCount;
  crBoxPairs lastPairs;   // of shapes whose segments have been searched for each other, sorted
  crBoxPairs nextPairs;   // scratch: those of the next round
  crSpan* seen;           // (treeCount) segments of trees at the end of the last whole round
  bool isFresh;           // all islands have just been started: nothing was to be searched before
  bool* hasNew;           // (treeCount) a shape of the tree has a neighbour that it was not searched for
  crAabb* allotted;       // (shapeCount) where they may go
  crAabb* parts;          // (shapeCount) what they sweep in the round, as far as segments tell
  int* neighbourStarts;   // (shapeCount + 1)
  int64_t neighbourStamp; // another one whenever these change; of no state
  int* neighbours;        // (neighbourCapacity) shapes that a shape may meet in the round, ascending
  int neighbourCapacity;
  crGroup* groups; // (treeCount)
  int groupCount;
  int* groupTrees; // (treeCount) sorted by groups
  bool* isMoved;   // (treeCount) the island of this number has a new segment since the last round
  crEventNews news;
  double told; // [s] of the last of them that was handed out
};

// Clocks of a group.
void crWorker_Place(crWorker* worker, crIsland* island);  // in the order of clocks, after that changed
void crWorker_Remove(crWorker* worker, crIsland* island); // from that order

// Sets of trees as a forest of labels: the smallest tree stands for all.
static inline int crFindLabel(int* labels, int tree)
{
  while (labels[tree] != tree) {
    tree = labels[tree] = labels[labels[tree]];
  }
  return tree;
}

static inline void crJoinLabels(int* labels, int a, int b)
{
  a = crFindLabel(labels, a);
  b = crFindLabel(labels, b);
  labels[a > b ? a : b] = a > b ? b : a;
}

static inline bool crIslands_IsCarrier(const crIslands* islands, int shape)
{
  int tree = islands->table->facts[shape].tree;
  return tree >= 0 && islands->isCarrier[tree];
}

// The number of the island that a shape belongs to; -1: the world's.
static inline int crIslands_FindOwner(const crIslands* islands, int shape)
{
  int tree = islands->table->facts[shape].tree;
  return tree < 0 ? -1 : islands->islandOf[tree];
}

// The number of the island that has a contact of two shapes: of one that is no carrier, if there is one; else of the
// smaller tree.
static inline int crIslands_FindHolder(const crIslands* islands, int shapeA, int shapeB)
{
  const crShapeFacts *a = &islands->table->facts[shapeA], *b = &islands->table->facts[shapeB];
  bool isFirst = a->tree >= 0 && (b->tree < 0 || a->tree < b->tree);
  int tree = a->stateTree >= 0 ? a->stateTree : b->stateTree >= 0 ? b->stateTree : isFirst ? a->tree : b->tree;
  return islands->islandOf[tree];
}

// [-] By how much closing loops may change velocities behind a step, at most.
double crIsland_GetDriftLimit(const crIsland* island);

// The only method of all islands, where one was asked for; NULL: each has the one that is right for it.
const crStepKind* crIslands_GetFixedKind(const crIslands* islands);
bool crIslands_IsMultistep(const crIslands* islands); // a method of another library was asked for

static inline crTreeSet crIsland_GetSet(const crIsland* island)
{
  crTreeSet set = { island->trees, island->treeCount, island->contacts };
  return set;
}

// islands.c: all of them, with nothing in use yet.
crStatus crMakeIslands(crRun* run, crIslands** outIslands);

// island.c: one island.
crIsland* crIslands_Take(crIslands* islands, int number); // empty; NULL: no memory
void crIsland_Free(crIsland* island);                     // what it has allocated
// Likewise but for its stepper, of an island that is not in use: it may be taken again.
void crIsland_Release(crIsland* island);
// Starts at time t from the instance's state of its trees, whose contacts are known; balance: what it begins with.
crStatus crIsland_Start(crWorker* worker, crIsland* island, double t, const double balance[CR_BALANCE_COUNT]);
// Others may look at it meanwhile, whom it does not matter (crIslands_FindCarrierLimit).
void crIsland_SetMotionStep(crIsland* island, double step);
// What its stepper sees, made anew for its trees and contacts; the numbers in its segments are lost.
crStatus crIsland_Describe(crWorker* worker, crIsland* island);
// The same for an island that was saved. hasPattern: it had the pattern of its contacts.
crStatus crIsland_DescribeAgain(crWorker* worker, crIsland* island, bool hasPattern);
// Roles of its states anew, of which there is another number or which others have.
crStatus crIsland_Restructure(crWorker* worker, crIsland* island);
// island_bristles.c: contacts that stick were prepared in a step: they get states, which are 0 all along its segment.
crStatus crIsland_SeatBristles(crWorker* worker, crIsland* island);
void crIsland_FindTraits(crIsland* island);                              // what its trees have
crStatus crIsland_Step(crWorker* worker, crIsland* island, double tMax); // fills its segment, from its clock on
// Its segment again, to end at t, or before, where the error test wants shorter steps: while it is its turn.
crStatus crIsland_StepTo(crWorker* worker, crIsland* island, double t);
#define CR_KINK_SETS 3
crStatus crIsland_EndAtKink(crWorker* worker, crIsland* island); // island_kink.c: its step ends at the first one in it
// Its segment again, to end at t exactly. What lies before `from` may be lost.
crStatus crIsland_Redo(crWorker* worker, crIsland* island, double from, double t);
crStatus crIsland_Again(crWorker* worker, crIsland* island, double tMax); // the last step, with other contacts
crStatus crIsland_MakeDense(crWorker* worker, crIsland* island);          // before states inside its segment are read
// Rates at the end of the segment with other contacts; the change of states that they make in h [s], in units of the
// tolerance. Then they may be taken for those of the segment.
crStatus crIsland_TryEnd(crWorker* worker, crIsland* island, double h, double* outChange);
crStatus crIsland_TakeEnd(crWorker* worker, crIsland* island);
crStatus crIsland_CountStep(crWorker* worker, crIsland* island); // once a segment is final: sums over contacts
// Contacts of a crowd whose steps are taken in lanes know what lanes know; Leave: and are what counts from here on.
void crIsland_TellContacts(crIsland* island);
void crIsland_LeaveLanes(crIsland* island);

// [s] The last step: that of the segment or the one before, whichever is longer.
static inline double crIsland_FindLastStep(const crIsland* island)
{
  double h = island->segment.t1 - island->segment.t0;
  return island->hasBefore ? fmax(h, island->before.t1 - island->before.t0) : h;
}

// Those who take the steps of an island in parts; NULL: the worker alone.
const crCrew* crIsland_GetCrew(const crWorker* worker, const crIsland* island);
bool crIsland_IsForCrew(const crIsland* island); // so large a crowd of balls

crStepper* crIsland_GetStepper(const crWorker* worker, const crIsland* island);

// island_failure.c: tells why a round has failed, and returns the status of the run.
crStatus crIslands_ReportFailure(crIslands* islands, crStatus status);

// Of several failures the earliest is told, whoever found it.
void crWorker_NoteFailure(crWorker* worker, const crIsland* island, crDuring during, crStatus status);

// island_step.c: whose turn it is in a group, and what a contact in a step does to both partners.
crStatus crWorker_Run(crWorker* worker, int64_t limit); // the group in its heap, up to the end of the round
// A contact in the segment of the island: both partners end there, and wait. Others may need them from `from` on: the
// start of the segment, while it is the island's turn.
crStatus crWorker_Meet(crWorker* worker, crIsland* island, double from, crHit* hit);
// Another island ends at t, in its segment, and whatever it waits for is cancelled.
crStatus crWorker_EndOther(crWorker* worker, crIsland* island, double t);

// island_sweep.c: where bodies are, and what they sweep.
#define CR_SWEEP_PARTS 4 // of a step of high order, each with bounds of its own
// A body at a time in the segment of its island; a ball likewise.
bool crIslands_NeedProbe(const crIslands* islands); // bodies with joints, or forces with kinks
crStatus crWorker_PlaceBody(crWorker* worker, int body, double t, crBodyPlace* out);
// Around a shape, likewise; and [m/s] how fast its body is.
crStatus crWorker_BoxShape(crWorker* worker, int shape, double t, crAabb* outBox, double* outSpeed);
void crIslands_PlaceBall(const crIslands* islands, int shape, double t, crVec3* outP, crVec3* outV);
// Whether the motion inside the segment is what its ends let one expect: prescribed ones choose no steps by themselves.
crStatus crWorker_CheckMotions(crWorker* worker, const crIsland* island, bool* outIsGood);
crStatus crWorker_SweepStart(crWorker* worker, crIsland* island);   // where they are at the start of its segment
crStatus crWorker_SweepStill(crWorker* worker, crIsland* island);   // where its bodies are at its clock
void crWorker_BeginSweep(crWorker* worker, const crIsland* island); // its clock is the start of a segment now
crStatus crWorker_Sweep(crWorker* worker, crIsland* island);        // what its bodies sweep in its segment
crStatus crWorker_EnsureSwept(crWorker* worker, crIsland* island);  // likewise, if they have not been swept yet
// Boxes of what its shapes sweep in a part of its segment.
crStatus crWorker_SweepPart(crWorker* worker, const crIsland* island, double from, double to, crAabb* outBoxes);
// Whether the segment, up to the end of the round, stays where its shapes may go. isSwept: crWorker_Sweep has seen it.
crStatus crWorker_CheckAllotted(crWorker* worker, const crIsland* island, bool isSwept, bool* outIsInside);
bool crWorker_CheckBalls(const crWorker* worker, const crIsland* island); // likewise, of a crowd in lanes

// island_rim.c: of a crowd of balls only those are swept and searched that others may meet.
crStatus crWorker_FindRim(crWorker* worker, const crIsland* island); // into the worker's
crStatus crWorker_SweepRim(crWorker* worker, crIsland* island);

// carrier.c: what moves as a given function of time couples nobody.
bool crIslands_FindCarriers(crIslands* islands); // once; false: no memory
void crIslands_FreeCarriers(crIslands* islands);
// Carriers that contacts of an island touch, or that of a shape, to time t: places and velocities in the instance.
crStatus crIslands_PlaceCarriers(const crIslands* islands, const crIsland* island, double t);
crStatus crIslands_PlaceCarrierOf(const crIslands* islands, const crIsland* island, int shape, double t);
double crIslands_FindCarrierEvent(const crIslands* islands, const crIsland* island, double t); // [s] of them, behind t
// What the carrier that a shape belongs to sweeps in the segment of an island, or all that this touches.
crStatus crWorker_StandCarrier(crWorker* worker, const crIsland* island, int shape);
crStatus crWorker_StandCarriers(crWorker* worker, const crIsland* island);
// What tells of that less closely and takes less time, for short steps: of a stretch around the segment that follows
// from its time alone. outFrame: NULL: there is none. And sweeps over that stretch in the place of those over the
// segment.
crStatus crWorker_FrameCarrier(crWorker* worker, const crIsland* island, int shape, const crCarrierFrame** outFrame);
crStatus crWorker_StandInFrame(crWorker* worker, const crCarrierFrame* frame, int shape);
void crIslands_ForgetStand(crIslands* islands, const crIsland* island); // its sweeps are of its own segment from now on
// [s] The longest step of an island near to carriers; infinity: no limit.
double crIslands_FindCarrierLimit(const crIslands* islands, const crIsland* island);
crSpan crIslands_FindOpenSpan(const crIslands* islands, const crIsland* island); // the part of its segment in the round
bool crIsland_AreBalls(const crIsland* island); // crAreBalls, and no carrier touches them

// island_search.c: contacts in segments.
crStatus crWorker_Search(crWorker* worker, crIsland* island, crHit* outHit); // among neighbours
// Pairs of shapes of the island and the world whose boxes are near at its clock, and those in contact, sorted.
crStatus crWorker_FindNear(crWorker* worker, crIsland* island);

// pair_search.c: whether two shapes have a contact that still pushes at the end of the segment, where all were
// evaluated last: there is nothing to be searched for.
bool crIsland_KeepsContact(const crIsland* island, crBoxPair shapes);
// One pair of shapes, at least one of the island: its first contact before ioHit->time.
crStatus crWorker_CheckPair(crWorker* worker, const crIsland* island, crBoxPair shapes, crHit* ioHit);
// Distance of a touch at the ends of both segments, and its rate.
crStatus crWorker_LookAtEnd(crWorker* worker, const crHit* hit, double t, double* outDistance, double* outRate);

// island_method.c: methods by turns.
bool crIslands_AllowCrowds(const crIslands* islands);            // tolerance and solver do
bool crIslands_IsCrowd(const crIslands* islands, int treeCount); // so many trees would be one
bool crIsland_IsLarge(const crIsland* island);                   // enough for a crowd
bool crIsland_AreFree(const crIsland* island); // nothing but uniform gravity and contacts acts on its bodies
// Whether contacts may end inside its steps, where that is slight: as many trees, at tolerances that crowds do not
// allow.
bool crIsland_IsBusy(const crIsland* island);
// Behind an event; next [s]: the step that was to come, see crWorker.
void crIsland_StartMethod(crIsland* island, double next);
void crIsland_ConsiderMethod(crIsland* island); // before a step
void crIsland_WatchMethod(crIsland* island);    // after one
void crIsland_CountCost(crIsland* island, crStepCounts before, crStepCounts after);

// island_order.c: steps of order 8 inside contacts of a few balls, and in impacts by area.
void crIsland_ChooseOrder(crIsland* island); // before a step
// Where stability holds steps of order 8 back in an impact by area: order 5 goes on, to tell whether it does. False: it
// takes none.
bool crIsland_LeaveHighOrder(crIsland* island);
double crIsland_GetFirstShare(const crIsland* island); // [-] of the first step behind an event that impacts ask for
double crIsland_GetLowStep(const crIsland* island);    // [s] the next one of order 5; 0: not known, or it is implicit

// deep_contact.c: contacts that cannot be as deep as they are. cr_failNumerics: one is, and worker->deep tells it.
// What begins: not deeper than the approach [m/s] in a step of h [s] explains.
crStatus crWorker_CheckDepth(crWorker* worker, const crIsland* island, crBoxPair pair, const crTouch* touch,
                             double approach, double epsilon, double h);
crStatus crWorker_CheckBegun(crWorker* worker, const crIsland* island, double h); // all that an event has found
// What ends between two outlines: not from a depth [m] at which it is lost to a distance [m] that is not next to it.
crStatus crWorker_CheckEnd(crWorker* worker, crBoxPair pair, double depth, double distance);
// Outlines whose axes have to be parallel, of bodies at these places.
crStatus crWorker_CheckLean(crWorker* worker, crBoxPair pair, const crBodyPlace places[2]);
// [s] The longest step in which nothing passes through anything that it touches at its start; infinity: no limit.
double crIsland_FindLongest(const crIsland* island);
// Whether the last step may have been longer than that, by bounds on speeds that take carriers by their frames.
crStatus crWorker_CheckLeap(crWorker* worker, const crIsland* island, bool* outMayLeap);
bool crIsland_MayLeap(
    const crIsland* island); // whether the last step of a crowd in lanes may have been longer than that
#define CR_DEEP_SHARE                                                                                                  \
  0.5 // [-] of the smaller half: depth from which on two bodies might pass each other in any direction
crStatus crWorker_CheckThrough(crWorker* worker, const crIsland* island); // at the end of its segment
// Cylinders on smooth ground, at a time that is final: none stands out over its border.
crStatus crWorker_CheckBorder(crWorker* worker, const crIsland* island, double t);
crStatus crReportDeep(crRun* run, const crDeep* deep, double t);

// island_crowd.c: steps of large islands.
crStatus crWorker_SearchCrowd(crWorker* worker, crIsland* island, double tMax, crHit* outHit); // and steps again
crStatus crWorker_FollowCrowd(crWorker* worker, crIsland* island); // contacts at the end of a segment that is final
bool crIsland_NeedsReview(const crIsland* island); // contacts should be found anew, and the island may part
void crIsland_ChooseCrowdMethod(crIsland* island); // after a step

// island_tolerance.c: absolute tolerances of its states; of its energies, once it is known what touches; what rounding
// in contacts needs, true: more than was asked for; those of spins in crowds; and what energies are compared with [J].
void crIsland_FillTolerances(crIsland* island, double* absTol);
void crIsland_WatchEnergies(crIsland* island, double* absTol);
bool crIsland_RaiseTolerances(crIsland* island, double* absTol);
void crIsland_LoosenSpins(crIsland* island, double* absTol);
#define CR_REST_ENERGY 1e-4 // [J/kg] that count for tolerances where nothing moves: those of 14 mm/s
double crIsland_FindEnergy(const crIsland* island, double atRest);

// island_norm.c: vectors of the states of its bodies, for norms over many of them; none if it is no crowd of balls.
// false: no memory.
bool crIsland_ListVectors(crIsland* island);

// island_near.c: what is near to a crowd belongs to it. Fills worker->meeting with all that are to be one behind an
// event of the island, whose partner is one of them: steps of others end there.
crStatus crWorker_GatherMeeting(crWorker* worker, crIsland* island);
// Trees of a crowd that are near each other stay together, whether they touch or not.
void crIslands_JoinNear(const crIslands* islands, const crIsland* island, int* labels);

// island_event.c: what happens at a clock.
crStatus crWorker_PassEvent(crWorker* worker, crIsland* island);
crStatus crWorker_KeepNews(crWorker* worker, const crContacts* contacts); // its events
// Starts the parts of an island that nothing couples any more, from the states of the instance.
crStatus crWorker_StartParts(crWorker* worker, crIsland* island, double t, const double* balance);

// island_round.c: rounds of groups that cannot meet.
crStatus crIslands_CreateRounds(crIslands* islands);
void crIslands_DestroyRounds(crIslands* islands);
crStatus crIslands_RunRound(crIslands* islands, double tEnd);
crStatus crIslands_ReopenRound(crIslands* islands); // of rooms, trees of groups and the rest as they were saved
// [s] The smallest, or the time up to which contacts are known; whether something waits there.
double crIslands_FindClock(const crIslands* islands, bool* outWaits);

// island_snapshot.c: islands as they are when a round begins, and back to it.
crStatus crCreateSnapshot(crIslands* islands, struct crSnapshot** outSnapshot);
void crDestroySnapshot(struct crSnapshot* snapshot);
void crSnapshot_Begin(struct crSnapshot* snapshot);               // before groups are saved
void crSnapshot_Release(struct crSnapshot* snapshot, int number); // what it has of an island that is not in use
crStatus crSnapshot_Save(struct crSnapshot* snapshot, const crGroup* group); // by the thread that is to run it
crStatus crSnapshot_Restore(struct crSnapshot* snapshot);                    // all that were saved

void crSnapshot_Archive(crArchive* archive, struct crSnapshot* snapshot); // of an open round

int crSnapshot_CountNews(const struct crSnapshot* snapshot, int worker); // that it had then

// What a worker has counted; newsCount: of those that it has not handed out.
typedef struct crWorkCounts {
  int64_t operationCount, eventCount, mergeCount, splitCount, searchCount, pairCount;
  int newsCount;
  crStepCounts steps; // of its stepper
} crWorkCounts;
crWorkCounts crWorker_GetCounts(const crWorker* worker);
void crWorker_SetCounts(crWorker* worker, crWorkCounts counts);
void crWorkCounts_Add(crWorkCounts* sum, crWorkCounts counts);

// island_archive.c: islands as fields of an archive. What an island remembers beside its trees, contacts and numbers,
// the list of its trees, and the policy of an island.
void crIsland_ArchiveFields(crArchive* archive, crIsland* island);
void crIsland_ArchiveTrees(crArchive* archive, const crIslands* islands, int number, int** trees, int* capacity,
                           int* count);
void crIsland_Archive(crArchive* archive, crIsland* island); // one that is in use, all of it
void crPolicy_Archive(crArchive* archive, crPolicy* policy);
// islands_archive.c
void crWorkCounts_Archive(crArchive* archive, crWorkCounts* counts);
void crArchiveSweeps(crArchive* archive, crSweep* sweeps, int count);
void crArchiveBoxes(crArchive* archive, crAabb* boxes, int count);

// island_team.c: threads.
typedef void crTask(crWorker* worker, int first, int end); // items from the first up to the end
crStatus crCreateTeam(crIslands* islands, struct crTeam** outTeam);
void crDestroyTeam(struct crTeam* team);
// A task for so many items, in chunks of so many, each by one worker: what it does must not depend on which one.
void crIslands_Share(crIslands* islands, crTask* task, int count, int chunk);
// Of its threads, for parts of a step, while nothing else is given out; NULL: the caller is alone.
const crCrew* crTeam_GetCrew(const struct crTeam* team);
crSharedWork crTeam_GetShared(const struct crTeam* team);
double crTeam_TakeCpu(struct crTeam* team); // [s] of its threads but the caller's, since the last question

#endif
