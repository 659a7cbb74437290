// The inside of lanes of balls: what their files share.
#ifndef CR_CONTACT_BALL_LANES_INSIDE_H
#define CR_CONTACT_BALL_LANES_INSIDE_H

#include "contact/ball_lanes.h"
#include "math/lanes.h"

#include <math.h>
#include <string.h>

#define CR_BALL_ROW 8      // doubles of a row: force and torque in four lanes each
#define CR_BALL_WIDTH 4    // contacts at a time
#define CR_BALL_BLOCK 64   // contacts behind which stages of balls are formed: they are in the first cache still
#define CR_BALL_VELOCITY 7 // place of the velocity among the states of a free body
#define CR_BALL_SPIN 10    // and of its angular velocity
#define CR_BALL_STATES 13
#define CR_STAGE_ROW 12 // doubles of a ball in a stage: place, velocity and spin in four lanes each
#define CR_BALL_ARRAYS 7

// A contact at the end of a step, in arrays of their own.
enum { cr_pointForce, cr_pointPower, cr_pointDepth, cr_pointRate, cr_pointSlip, cr_pointTurn, CR_POINT_ARRAYS };

// What is summed up of a contact up to the start of a step, as of crContact, in arrays of their own; the first of them
// stays.
enum {
  cr_sumLever, // [m] mu_geo
  cr_sumMaxDepth,
  cr_sumMaxForce,
  cr_sumImpulse,
  cr_sumDissipation,
  cr_sumSlipPath,
  cr_sumCreepPath,
  cr_sumCreepTime,
  cr_sumCreepLoad,
  cr_sumCreepDepth,
  CR_SUM_ARRAYS
};

// Arrays of contacts of one kind, padded with such that do nothing to a multiple of CR_BALL_WIDTH. Those that touched
// at the start of the step come first, in the order of pairs. Behind them come those that may begin; at its end, those
// that have begun.
typedef struct crBallLists {
  int count, room;
  int kept;              // of them touched at the start of the step
  int *a, *b;            // rows; of planes and solids b is the shape
  double *k, *d;         // [N/m^1.5], [s/m] stiffness and damping
  double *sum, *diff;    // [m] of the radii of A and B
  double* muK;           // [-]
  double *vMin, *perMin; // [m/s], [s/m] and its inverse
  bool isUneven;         // some have balls of two sizes
  double* sums;          // (CR_SUM_ARRAYS room) of those that touch
  double* starts;        // (CR_POINT_ARRAYS room) at the start of the step
  int* homes;            // of copies: the place of the original, if they tell what is known of it; -1
  double* points;        // (CR_POINT_ARRAYS room) at the end of the step
} crBallLists;

// So many contacts of a list that go to other places of it, from where they are.
typedef struct crBallMove {
  crBallLists* lists;
  int to, from, count;
} crBallMove;

typedef crArrayOf(crBallMove) crBallMoves;

// Rows of a contact that has begun or is over in a step.
typedef struct crBallChange {
  crBallLists* lists;
  int place;
  crBoxPair shapes;
  bool isOver;
} crBallChange;

typedef struct crBall {
  double gravity[CR_BALL_WIDTH];    // [m/s^2] acceleration that it falls with, in lanes
  double inverseMass, inverseRound; // [1/kg], [1/(kg m^2)]
  double radius;                    // [m]
  int shape;
} crBall;

typedef struct crBallPlane {
  double up[CR_BALL_WIDTH]; // out of it, in lanes
  double height;            // [m] of its face along that
} crBallPlane;

// Rows of two balls.
typedef struct crBallPair {
  int a, b;
} crBallPair;

typedef crArrayOf(crBallPair) crBallPairs;

// A pair that may begin to touch in the step.
typedef struct crFreshPair {
  crBoxPair shapes;
  crTouchGeometry geometry;
  double gap, rate; // [m], [m/s] at its start; the rate is that of approach
} crFreshPair;

// The same with what it would freeze.
typedef struct crFreshContact {
  crFreshPair pair;
  const crContactLaw* law;
  crContactMemory memory;
} crFreshContact;

// What two balls of these materials and sizes freeze, but for their approach: mostly all are alike.
typedef struct crBallKind {
  int materials[2];
  double radii[2], contactRadii[2]; // [m]
  crTouchGeometry geometry;
  crContactMemory memory;
} crBallKind;

// What one of a crew does: contacts with each other, of balls that come one after the other, in whole blocks, and all
// forces on these balls. Forces of contacts of others on them it computes once more, from copies, in the order in which
// one who is alone adds them up: the same bits, and nobody waits for anybody inside a stage.
typedef struct crBallPart {
  int from, to;             // places of its contacts in lists of balls
  int own;                  // up to which, in whole blocks, both balls are its own
  int first, end;           // its balls
  crBallLists walls, odd;   // copies: contacts of its balls with planes; those that may begin, and those of others
  double* forces;           // (CR_BALL_ROW (end - first + 1)) likewise; the last row is for what it has not to add up
  int room;                 // rows of them
  bool isGood;              // there was memory, and numbers were finite
  double fastest, farthest; // as of all lanes
  double least[CR_BALL_WIDTH], most[CR_BALL_WIDTH]; // [m] ways along axes
  crArrayOf(crFreshContact) fresh;                  // that may begin
  crBallKind kind;                                  // of the last of them
  crBallPairs found;                                // of a search
  crContactStarts begun;                            // those that have
  crArrayOf(crBallChange) changes;                  // of its contacts
  crBallMoves moves, strays;                        // inside of it, and into it from elsewhere,
  crArrayOf(double) aside;                          // where these are kept on the way, array by array
} crBallPart;

struct crBallLanes {
  crAllocator allocator;
  const crShapeTable* table;
  int* rows;           // (shapeCount) of shapes of balls; -1: none
  crBallPlane* planes; // (shapeCount) of shapes of the world that are some
  int* still;          // (stillCount) shapes of the world, ascending
  int stillCount;
  int count, room;
  crBall* balls;   // (count)
  double* memory;  // of the next two, which are aligned
  double* forces;  // (CR_BALL_ROW count) 0 between two evaluations
  double* stage;   // (CR_STAGE_ROW count) states in lanes
  double* reaches; // (4 count) [m] at the start of the step: place, and how far from there something of it may be in it
  double smallest; // [m] radius of them
  double fastest;  // [m/s] of them there
  double farthest; // [m] that something of one may be from its surface there, in the step
  crBallPairs near;                 // balls that are neighbours, and were nearer than a skin,
  double* bases;                    // (4 count) [m] places when they were there
  double skin;                      // [m]
  int64_t nearStamp;                // of the neighbours then; -1: there are none
  crBallPairs close;                // those of them that were nearer than a thinner skin, later,
  double* closeBases;               // (4 count) [m] places when they were there
  double closeSkin;                 // [m]
  int64_t closeStamp;               // as above
  crBallLists pairs, walls, solids; // with balls, with planes, and with what else does not move
  crArrayOf(crFreshPair) fresh;
  crContactStarts begun; // in the step that was taken last
  crArrayOf(crBallChange) changes;
  crBallMoves moves;
  bool isLoaded;      // contacts are here, and those of the set do not know what has happened to them,
  bool isTold;        // unless this was told
  bool isAtEnd;       // of a step: behind those that touched at its start come those that have begun
  const crCrew* crew; // NULL: there are no others
  crBallPart* parts;  // (partCount) one at least
  int partCount;
  bool areShared; // parts have contacts as they are now
  double* powers; // (powerRoom) [W] where parts leave them: of walls, of solids, of odd contacts, of blocks in lanes
  int powerRoom;
};

// Places of powers: those of walls are the first.
typedef struct crPowerPlaces {
  int solids, odd, blocks, end;
} crPowerPlaces;

static inline int crPadLanes(int count)
{
  return (count + CR_BALL_WIDTH - 1) / CR_BALL_WIDTH * CR_BALL_WIDTH;
}

// Where contacts end that are listed in the order of balls: behind them come those that may begin, and so do the last
// few of them, as groups of four go.
static inline int crFindOrdered(const crBallLists* pairs)
{
  return pairs->kept / CR_BALL_WIDTH * CR_BALL_WIDTH;
}

// Where contacts of a part begin, for works on contacts alone; behind the last part: where all end. Those of balls with
// each other are in the cache of the one who evaluates them.
static inline int crFindPlaceOf(const crBallLanes* lanes, const crBallLists* lists, int part)
{
  if (lists != &lanes->pairs || part == 0 || part == lanes->partCount) {
    return crCrew_FindPart(lanes->crew, lists->count, CR_BALL_BLOCK, part);
  }
  return lanes->parts[part].from < lists->count ? lanes->parts[part].from : lists->count;
}

static inline crPowerPlaces crFindPowerPlaces(const crBallLanes* lanes)
{
  int ordered = crFindOrdered(&lanes->pairs), blockCount = (ordered + CR_BALL_BLOCK - 1) / CR_BALL_BLOCK;
  int solids = crPadLanes(lanes->walls.count), odd = solids + crPadLanes(lanes->solids.count);
  int blocks = odd + crPadLanes(lanes->pairs.count - ordered);
  return (crPowerPlaces){ solids, odd, blocks, blocks + CR_BALL_WIDTH * blockCount };
}

void crBallLists_Free(const crAllocator* allocator, crBallLists* lists);

// ball_near.c: where each ball may be in a step, and the pairs that may touch in it, in their order. false: no memory.
void crBallLanes_FindReaches(crBallLanes* lanes, const crBallStep* step);
bool crBallLanes_ListClose(crBallLanes* lanes, const crBallStep* step);

// ball_parts.c: contacts as they are now go to parts, if there is a crew. false: no memory.
bool crBallLanes_ShareOut(crBallLanes* lanes);
void crBallLanes_FreeParts(crBallLanes* lanes);
// [W] What is dissipated, in the order of one who is alone.
double crBallLanes_AddPowers(const crBallLanes* lanes);

// Components of four vectors.
typedef struct Vectors4 {
  crLanes x, y, z;
} Vectors4;

static inline crLanes load(const double* from)
{
  crLanes l;
  memcpy(&l, from, sizeof l);
  return l;
}

static inline void store(double* to, crLanes l)
{
  memcpy(to, &l, sizeof l);
}

static inline crLanes root(crLanes a)
{
  return (crLanes){ sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3]) };
}

// Four rows of which the first three lanes count.
static inline Vectors4 turn(const crLanes r[CR_BALL_WIDTH])
{
  crLanes ab0 = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), ab1 = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  crLanes cd0 = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), cd1 = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  return (Vectors4){ __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5),
                     __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7) };
}

static inline bool crIsBallPlane(const crShapeTable* table, int shape)
{
  return table->facts[shape].tree < 0 && table->model->shapes[shape].kind == cr_shapeHalfSpace &&
         !table->facts[shape].hasSurfaceVelocity;
}

// Another shape of the world on which the foot of a ball has a short way.
static inline bool crIsBallSolid(const crShapeTable* table, int shape)
{
  return table->facts[shape].tree < 0 && table->model->shapes[shape].kind != cr_shapeHalfSpace &&
         !table->facts[shape].hasSurfaceVelocity && crHasSphereFoot(&table->model->shapes[shape]);
}

static inline crVec3 crReadBallVec3(const double* x)
{
  return crMakeVec3(x[0], x[1], x[2]);
}

// A ball and a shape of the world, which is A.
static inline crTouch crTouchFixed(const crBallLanes* lanes, int fixed, int row, crVec3 p)
{
  const crShape* shape = &lanes->table->model->shapes[fixed];
  crTouch touch;
  if (shape->kind == cr_shapeHalfSpace) {
    const crBallPlane* plane = &lanes->planes[fixed];
    crVec3 up = crReadBallVec3(plane->up);
    crTouchFoot(p, lanes->balls[row].radius, up, crDot(up, p) - plane->height, -1.0, &touch);
  } else {
    const crShape* sphere = &lanes->table->model->shapes[lanes->balls[row].shape];
    crTouchSphereSolid(sphere, p, shape, &lanes->table->poses[fixed], -1.0, &touch);
  }
  return touch;
}

// All arrays of numbers, which go together.
static inline void crBallLists_List(crBallLists* lists, double** outArrays[CR_BALL_ARRAYS])
{
  double** all[CR_BALL_ARRAYS] = { &lists->k,   &lists->d,    &lists->sum,   &lists->diff,
                                   &lists->muK, &lists->vMin, &lists->perMin };
  memcpy(outArrays, all, sizeof all);
}

// Room for `count` and what they are padded with. false: no memory.
bool crBallLists_Reserve(const crAllocator* allocator, crBallLists* lists, int count);
// Behind all others; there has to be room. A pair of shapes has its place among the lists of its kind.
void crBallLists_Push(crBallLists* lists, int a, int b, const crContactMemory* memory, const crContactLaw* law,
                      double sum, double diff);
void crBallLists_Pad(crBallLists* lists);
crBallLists* crBallLanes_Push(crBallLanes* lanes, crBoxPair pair, const crContactMemory* memory,
                              const crContactLaw* law);
// The shapes of a contact.
static inline crBoxPair crBallLanes_GetShapes(const crBallLanes* lanes, const crBallLists* lists, int i)
{
  int shape = lanes->balls[lists->a[i]].shape;
  return lists == &lanes->pairs ? (crBoxPair){ shape, lanes->balls[lists->b[i]].shape }
         : lists->b[i] < shape  ? (crBoxPair){ lists->b[i], shape }
                                : (crBoxPair){ shape, lists->b[i] };
}
// Whether lanes have its law.
bool crIsBallLaw(const crContactLaw* law, double exponent);
// A contact that has just begun, at a place of a list.
static inline void crBallLists_StartSums(crBallLists* lists, int i, double lever)
{
  for (int k = 0; k < CR_SUM_ARRAYS; ++k) {
    lists->sums[(size_t)k * (size_t)lists->room + (size_t)i] = k == cr_sumLever ? lever : 0.0;
  }
  for (int k = 0; k < CR_POINT_ARRAYS; ++k) {
    lists->starts[(size_t)k * (size_t)lists->room + (size_t)i] = 0.0;
  }
}

// As crBallLanes_ComputeRates, of states in lanes, and all that contacts are, into their points.
crStatus crBallLanes_EvalPoints(crBallLanes* lanes, const double* stage, double* outRates, double* outStageRates,
                                double* outDissipation);
// States as a stage has them, into lanes->stage.
void crBallLanes_FillStage(crBallLanes* lanes, const double* y);
// What is to be told of a contact, at a state.
void crBallLanes_ReportContact(const crBallLanes* lanes, const crTouchingPair* pair, const double* y,
                               crContact* contact);
// All contacts of the set that touch, or have begun since t0, which is what they are loaded with; outIsWhole: as of
// crBallLanes_Begin. false: no memory.
bool crBallLanes_Load(crBallLanes* lanes, const crContacts* contacts, double t0, bool* outIsWhole);
// By changes in the order of pairs, those that are over go, and those that have begun come to their places: all touch
// then. false: no memory.
bool crBallLanes_Rearrange(crBallLanes* lanes);

#endif
