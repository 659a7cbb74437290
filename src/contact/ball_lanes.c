// Rates of balls that touch, in lanes. With D from the middle of A to that of B, |D| its length, and the arm of A a
// share s of D, that of B the rest of it:
//
//   s = (|D| + r_A - r_B) / (2 |D|),   v = v_B - v_A - (s w_A + (1 - s) w_B) x D,   delta = r_A + r_B - |D|
//   t_A = -s D x f,   t_B = -(1 - s) D x f
//
// The point of application is the middle of the two witness points, as everywhere. A plane is a ball like A, mirrored
// behind it, that neither moves nor turns but with A: the same formulas with D = -(h + r) n for a height h of its
// middle.
#include "contact/ball_lanes.h"

#include <math.h>
#include <string.h>

#define CR_ROW 8      // doubles of a row: force and torque in four lanes each
#define CR_WIDTH 4    // contacts at a time
#define CR_VELOCITY 7 // place of the velocity among the states of a free body
#define CR_SPINS 9    // place in front of its angular velocity
#define CR_STATES 13
#define CR_MAX_CROSSING 30     // of Newton's method, with halving
#define CR_CROSSING_SLACK 1e-9 // [-] of the step

// Arrays of contacts of one kind, padded with such that do nothing to a multiple of CR_WIDTH.
typedef struct Lists {
  int count, room;
  int *a, *b;         // rows; of planes b is the plane
  double *k, *d;      // [N/m^1.5], [s/m] stiffness and damping
  double *sum, *diff; // [m] of the radii of A and B
  double *muK, *vMin; // [-], [m/s]
} Lists;

typedef struct Ball {
  double gravity[CR_WIDTH];         // [m/s^2] acceleration that it falls with, in lanes
  double inverseMass, inverseRound; // [1/kg], [1/(kg m^2)]
  double radius;                    // [m]
} Ball;

typedef struct Plane {
  double up[CR_WIDTH]; // out of it, in lanes
  double height;       // [m] of its face along that
} Plane;

// A pair that may begin to touch in the step.
typedef struct Fresh {
  crBoxPair shapes;
  crTouchGeometry geometry;
  double gap, rate; // [m], [m/s] at its start; the rate is that of approach
} Fresh;

struct crBallLanes {
  crAllocator allocator;
  const crShapeTable* table;
  int* rows;     // (shapeCount) of shapes of balls; -1: none
  Plane* planes; // (shapeCount) of shapes of the world that are some
  int count, room;
  Ball* balls;    // (count)
  double* forces; // (CR_ROW count) 0 between two evaluations
  double* speeds; // (2 count) [m/s], [m/s^2] speeds at the start of the step, then accelerations
  Lists pairs, walls;
  crArrayOf(Fresh) fresh;
};

// ------------------------------------------------------------------------------------------------ making

bool crAreBalls(const crShapeTable* table, crTreeSet set)
{
  const crModel* model = table->model;
  bool are = !table->hasCompounds;
  for (int k = 0; k < set.treeCount && are; ++k) {
    int body = model->trees[set.trees[k]].bodyStart, shape = model->bodyShapes[body];
    are = model->areAlone[set.trees[k]] && model->areRound[set.trees[k]] && model->links[body].inverseRound > 0.0 &&
          model->bodyShapes[body + 1] == shape + 1 && table->facts[shape].isSphere && table->facts[shape].isCentred &&
          !table->facts[shape].hasSurfaceVelocity;
  }
  return are;
}

static bool isPlane(const crShapeTable* table, int shape)
{
  return table->facts[shape].tree < 0 && table->model->shapes[shape].kind == cr_shapeHalfSpace &&
         !table->facts[shape].hasSurfaceVelocity;
}

static Plane findPlane(const crShapeTable* table, int shape)
{
  const crShape* plane = &table->model->shapes[shape];
  const crPose* X_WP = &table->poses[shape];
  crVec3 up = plane->isTurned ? crMulMV(X_WP->R, plane->R_FS.cz) : X_WP->R.cz;
  return (Plane){ { up.x, up.y, up.z, 0.0 }, crDot(up, X_WP->p) + plane->sweep };
}

crStatus crCreateBallLanes(const crShapeTable* table, const crAllocator* allocator, crBallLanes** outLanes)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crBallLanes* lanes = crAllocateZero(&chosen, 1, sizeof *lanes);
  size_t count = (size_t)table->shapeCount + 1;
  *outLanes = lanes;
  if (lanes == NULL) {
    return cr_errorMemory;
  }
  lanes->allocator = chosen;
  lanes->table = table;
  lanes->rows = crAllocateZero(&chosen, count, sizeof *lanes->rows);
  lanes->planes = crAllocateZero(&chosen, count, sizeof *lanes->planes);
  if (lanes->rows == NULL || lanes->planes == NULL) {
    crDestroyBallLanes(lanes);
    *outLanes = NULL;
    return cr_errorMemory;
  }
  for (int i = 0; i < table->shapeCount; ++i) {
    lanes->rows[i] = -1;
    if (isPlane(table, i)) {
      lanes->planes[i] = findPlane(table, i);
    }
  }
  return cr_ok;
}

static void freeLists(const crAllocator* allocator, Lists* lists)
{
  size_t room = (size_t)lists->room;
  double* all[6] = { lists->k, lists->d, lists->sum, lists->diff, lists->muK, lists->vMin };
  for (int i = 0; i < 6; ++i) {
    crFree(allocator, all[i], room * sizeof *all[i]);
  }
  crFree(allocator, lists->a, room * sizeof *lists->a);
  crFree(allocator, lists->b, room * sizeof *lists->b);
  *lists = (Lists){ 0 };
}

void crDestroyBallLanes(crBallLanes* lanes)
{
  if (lanes == NULL) {
    return;
  }
  crAllocator allocator = lanes->allocator;
  size_t count = (size_t)lanes->table->shapeCount + 1, room = (size_t)lanes->room;
  freeLists(&allocator, &lanes->pairs);
  freeLists(&allocator, &lanes->walls);
  crArray_Free(&lanes->fresh, &allocator);
  crFree(&allocator, lanes->speeds, 2 * room * sizeof *lanes->speeds);
  crFree(&allocator, lanes->forces, room * CR_ROW * sizeof *lanes->forces);
  crFree(&allocator, lanes->balls, room * sizeof *lanes->balls);
  crFree(&allocator, lanes->planes, count * sizeof *lanes->planes);
  crFree(&allocator, lanes->rows, count * sizeof *lanes->rows);
  crFree(&allocator, lanes, sizeof *lanes);
}

// Room for `count` and what they are padded with; what was there is lost.
static bool reserveLists(const crAllocator* allocator, Lists* lists, int count)
{
  int room = count + count / 2 + CR_WIDTH;
  if (count + CR_WIDTH <= lists->room) {
    return true;
  }
  freeLists(allocator, lists);
  double** all[6] = { &lists->k, &lists->d, &lists->sum, &lists->diff, &lists->muK, &lists->vMin };
  bool isGood = true;
  lists->room = room;
  for (int i = 0; i < 6; ++i) {
    *all[i] = crAllocateZero(allocator, (size_t)room, sizeof **all[i]);
    isGood = isGood && *all[i] != NULL;
  }
  lists->a = crAllocateZero(allocator, (size_t)room, sizeof *lists->a);
  lists->b = crAllocateZero(allocator, (size_t)room, sizeof *lists->b);
  return isGood && lists->a != NULL && lists->b != NULL;
}

// -------------------------------------------------------------------------------------------------- setting

static bool reserveBalls(crBallLanes* lanes, int count)
{
  if (count <= lanes->room) {
    return true;
  }
  size_t room = (size_t)lanes->room, more = (size_t)(count + count / 2);
  crFree(&lanes->allocator, lanes->speeds, 2 * room * sizeof *lanes->speeds);
  crFree(&lanes->allocator, lanes->forces, room * CR_ROW * sizeof *lanes->forces);
  crFree(&lanes->allocator, lanes->balls, room * sizeof *lanes->balls);
  lanes->speeds = crAllocateZero(&lanes->allocator, 2 * more, sizeof *lanes->speeds);
  lanes->forces = crAllocateZero(&lanes->allocator, more * CR_ROW, sizeof *lanes->forces);
  lanes->balls = crAllocateZero(&lanes->allocator, more, sizeof *lanes->balls);
  lanes->room = (int)more;
  return lanes->speeds != NULL && lanes->forces != NULL && lanes->balls != NULL;
}

bool crBallLanes_SetBalls(crBallLanes* lanes, const crInstance* instance, crTreeSet set)
{
  const crModel* model = lanes->table->model;
  for (int i = 0; i < lanes->table->shapeCount; ++i) {
    lanes->rows[i] = -1;
  }
  lanes->count = set.treeCount;
  if (!reserveBalls(lanes, set.treeCount)) {
    return false;
  }
  memset(lanes->forces, 0, (size_t)lanes->count * CR_ROW * sizeof *lanes->forces);
  for (int k = 0; k < set.treeCount; ++k) {
    int body = model->trees[set.trees[k]].bodyStart, shape = model->bodyShapes[body];
    const crLink* link = &model->links[body];
    lanes->rows[shape] = k;
    crVec3 g = crNeg(crFromLanes(instance->A0[body].v));
    lanes->balls[k] =
        (Ball){ { g.x, g.y, g.z, 0.0 }, link->inverseMass, link->inverseRound, model->shapes[shape].sweep };
  }
  return true;
}

static void push(Lists* lists, int a, int b, const crContactMemory* memory, const crContactLaw* law, double sum,
                 double diff)
{
  int i = lists->count++;
  lists->a[i] = a;
  lists->b[i] = b;
  lists->k[i] = memory->stiffness;
  lists->d[i] = memory->damping;
  lists->sum[i] = sum;
  lists->diff[i] = diff;
  lists->muK[i] = law->muK;
  lists->vMin[i] = law->vMin;
}

// With what does nothing: without stiffness.
static void pad(Lists* lists)
{
  static const crContactMemory nothing = { .approach = 0.0 };
  static const crContactLaw still = { .vMin = 1.0 };
  int count = lists->count;
  while (lists->count % CR_WIDTH != 0) {
    push(lists, lists->a[0], lists->b[0], &nothing, &still, 0.0, 0.0);
  }
  lists->count = count;
}

static bool hasLaw(const crContactLaw* law, double exponent)
{
  bool isElastic = law->response == cr_responseElastic || law->response == cr_responseImpulsive;
  return isElastic && !law->sticks && !(law->muR > 0.0) && exponent == CR_HERTZ_EXPONENT;
}

// One contact, in the lanes of its kind. a: a plane or a ball, b: a ball; both of the set. false: there is no room.
static bool pushContact(crBallLanes* lanes, crBoxPair pair, const crContactMemory* memory, const crContactLaw* law)
{
  int a = lanes->rows[pair.a], b = lanes->rows[pair.b];
  Lists* lists = a >= 0 && b >= 0 ? &lanes->pairs : &lanes->walls;
  if (lists->count + CR_WIDTH > lists->room) {
    return false;
  }
  if (a >= 0 && b >= 0) {
    double ra = lanes->balls[a].radius, rb = lanes->balls[b].radius;
    push(lists, a, b, memory, law, ra + rb, ra - rb);
  } else {
    int row = a >= 0 ? a : b;
    push(lists, row, a >= 0 ? pair.b : pair.a, memory, law, 2.0 * lanes->balls[row].radius, 0.0);
  }
  return true;
}

// ------------------------------------------------------------------------------------------ what may begin

// Gap of a pair [m], how fast it approaches [m/s] and the acceleration of that [m/s^2], if rates are given; out of A.
typedef struct Look {
  double gap, rate, acceleration;
  crVec3 normal;
} Look;

static crVec3 readVec3(const double* x)
{
  return crMakeVec3(x[0], x[1], x[2]);
}

static Look lookAt(const crBallLanes* lanes, crBoxPair pair, const double* y, const double* rates)
{
  int a = lanes->rows[pair.a], b = lanes->rows[pair.b], row = a >= 0 ? a : b;
  const double* own = y + (size_t)CR_STATES * (size_t)row;
  crVec3 v = readVec3(own + CR_VELOCITY), f = { 0.0, 0.0, 0.0 };
  if (rates != NULL) {
    f = readVec3(rates + (size_t)CR_STATES * (size_t)row + CR_VELOCITY);
  }
  Look look;
  if (a >= 0 && b >= 0) {
    size_t other = (size_t)CR_STATES * (size_t)b;
    crVec3 D = crSub(readVec3(y + other), readVec3(own));
    double distance = crLength(D);
    look.gap = distance - lanes->balls[a].radius - lanes->balls[b].radius;
    look.normal = crScale(1.0 / distance, D);
    v = crSub(readVec3(y + other + CR_VELOCITY), v);
    f = rates != NULL ? crSub(readVec3(rates + other + CR_VELOCITY), f) : f;
  } else {
    const Plane* plane = &lanes->planes[a >= 0 ? pair.b : pair.a];
    crVec3 up = readVec3(plane->up);
    look.gap = crDot(up, readVec3(own)) - plane->height - lanes->balls[row].radius;
    look.normal = a >= 0 ? crNeg(up) : up;
    v = a >= 0 ? crNeg(v) : v;
    f = a >= 0 ? crNeg(f) : f;
  }
  look.rate = -crDot(look.normal, v);
  look.acceleration = -crDot(look.normal, f);
  return look;
}

static void findSpeeds(crBallLanes* lanes, const double* y, const double* rates)
{
  for (int k = 0; k < lanes->count; ++k) {
    size_t place = (size_t)CR_STATES * (size_t)k + CR_VELOCITY;
    lanes->speeds[k] = crLength(readVec3(y + place));
    lanes->speeds[lanes->count + k] = crLength(readVec3(rates + place));
  }
}

// Whether two may touch within h [s]: by how fast they are, not by how fast they approach, for a ball that bounces in
// the step may meet what it moved away from.
static bool mayTouch(const crBallLanes* lanes, crBoxPair pair, const double* y, double h)
{
  int a = lanes->rows[pair.a], b = lanes->rows[pair.b], row = a >= 0 ? a : b;
  const double *speeds = lanes->speeds, *gains = lanes->speeds + lanes->count;
  const double* own = y + (size_t)CR_STATES * (size_t)row;
  double reach = lanes->balls[row].radius + h * (speeds[row] + h * gains[row]);
  if (a >= 0 && b >= 0) {
    const double* other = y + (size_t)CR_STATES * (size_t)b;
    double x = other[0] - own[0], z = other[1] - own[1], w = other[2] - own[2];
    reach += lanes->balls[b].radius + h * (speeds[b] + h * gains[b]);
    return x * x + z * z + w * w < reach * reach;
  }
  const Plane* plane = &lanes->planes[a >= 0 ? pair.b : pair.a];
  return plane->up[0] * own[0] + plane->up[1] * own[1] + plane->up[2] * own[2] - plane->height < reach;
}

// [m/s] How fast a pair will be when it touches, if it goes on as it does.
static double predictApproach(const Look* look)
{
  bool comes = look->rate > 0.0 || look->acceleration > 0.0;
  double square = look->rate * look->rate + 2.0 * look->acceleration * fmax(0.0, look->gap);
  return look->gap <= 0.0 ? look->rate : comes && square > 0.0 ? sqrt(square) : 0.0;
}

// outIsWhole: as of crBallLanes_SetContacts.
static bool pushFresh(crBallLanes* lanes, crBoxPair pair, const double* y, const double* rates, bool* outIsWhole)
{
  const crModel* model = lanes->table->model;
  const crContactShape* shapes = model->contactShapes;
  const crContactLaw* law = crModel_GetContactLaw(model, shapes[pair.a].material, shapes[pair.b].material);
  Look look = lookAt(lanes, pair, y, rates);
  crPose X_WA = crIdentityPose(), X_WB = crIdentityPose(); // a normal is all that counts, and balls do not turn
  X_WA.R = lanes->rows[pair.a] < 0 ? lanes->table->poses[pair.a].R : X_WA.R;
  X_WB.R = lanes->rows[pair.b] < 0 ? lanes->table->poses[pair.b].R : X_WB.R;
  crTouch touch = { .distance = look.gap, .normal = look.normal };
  crTouchGeometry geometry = crFindTouchGeometry(model, pair, &X_WA, &X_WB, &touch);
  crContactMemory memory = crFreezeContact(law, false, &geometry, predictApproach(&look));
  Fresh* fresh = crArray_Push(&lanes->fresh, &lanes->allocator);
  *outIsWhole = hasLaw(law, memory.exponent);
  if (fresh == NULL) {
    return false;
  }
  *fresh = (Fresh){ pair, geometry, look.gap, look.rate };
  return pushContact(lanes, pair, &memory, law);
}

// All neighbours of a shape, a plane or a ball, that are balls of the set and come behind it, along with the contacts,
// which are in the same order. ioContact: the next of them.
static bool pushNeighbours(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step, int shape,
                           int* ioContact, bool* outIsWhole)
{
  const int* neighbours = step->neighbours;
  bool isGood = true;
  for (int n = step->neighbourStarts[shape]; n < step->neighbourStarts[shape + 1] && isGood && *outIsWhole; ++n) {
    crBoxPair pair = { shape, neighbours[n] };
    if (pair.b < shape || lanes->rows[pair.b] < 0 || !mayTouch(lanes, pair, step->y, step->h)) {
      continue;
    }
    const crTouchingPair* next = contacts->pairs.items + *ioContact;
    while (*ioContact < contacts->pairs.count && crComparePairs(next->shapeA, next->shapeB, pair.a, pair.b) < 0) {
      ++*ioContact;
      ++next;
    }
    bool isKnown = *ioContact < contacts->pairs.count && next->shapeA == pair.a && next->shapeB == pair.b &&
                   contacts->contacts.items[*ioContact].isTouching;
    isGood = isKnown || pushFresh(lanes, pair, step->y, step->rates, outIsWhole);
  }
  return isGood;
}

// A shape of the world that is no plane is not for lanes, if it is near to a ball.
static bool isAway(const crBallLanes* lanes, const crBallStep* step, int shape)
{
  bool isAway = true;
  for (int n = step->neighbourStarts[shape]; n < step->neighbourStarts[shape + 1] && isAway; ++n) {
    isAway = lanes->rows[step->neighbours[n]] < 0;
  }
  return isAway;
}

static bool pushAllFresh(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step, bool* outIsWhole)
{
  const crShapeTable* table = lanes->table;
  int next = 0;
  bool isGood = true;
  lanes->fresh.count = 0;
  findSpeeds(lanes, step->y, step->rates);
  for (int i = 0; i < table->shapeCount && isGood && *outIsWhole; ++i) {
    if (lanes->rows[i] >= 0 || isPlane(table, i)) {
      isGood = pushNeighbours(lanes, contacts, step, i, &next, outIsWhole);
    } else if (table->facts[i].tree < 0) {
      *outIsWhole = isAway(lanes, step, i);
    }
  }
  return isGood;
}

// As many as there may be, before anything is pushed.
static bool reserveAll(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step)
{
  int most = contacts->pairs.count;
  for (int i = 0; i < lanes->table->shapeCount; ++i) {
    if (lanes->rows[i] >= 0) {
      most += step->neighbourStarts[i + 1] - step->neighbourStarts[i];
    }
  }
  return reserveLists(&lanes->allocator, &lanes->pairs, most) && reserveLists(&lanes->allocator, &lanes->walls, most);
}

bool crBallLanes_Begin(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step, bool* outIsWhole)
{
  bool isGood = reserveAll(lanes, contacts, step);
  lanes->pairs.count = lanes->walls.count = 0;
  *outIsWhole = isGood && !contacts->hasSurfaces && !contacts->hasGroups;
  for (int k = 0; k < contacts->pairs.count && isGood && *outIsWhole; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    crBoxPair shapes = { pair->shapeA, pair->shapeB };
    int a = lanes->rows[shapes.a], b = lanes->rows[shapes.b];
    *outIsWhole = hasLaw(pair->law, contact->memory.exponent) && (a >= 0 || isPlane(lanes->table, shapes.a)) &&
                  (b >= 0 || isPlane(lanes->table, shapes.b));
    if (*outIsWhole && contact->isTouching) {
      isGood = pushContact(lanes, shapes, &contact->memory, pair->law);
    }
  }
  if (isGood && *outIsWhole) {
    isGood = pushAllFresh(lanes, contacts, step, outIsWhole);
  }
  pad(&lanes->pairs);
  pad(&lanes->walls);
  return isGood;
}

// [-] Share of the step at which the cubic through both ends of the gap is 0; outRate [m/s]: how fast it closes there.
static double findCrossing(const Fresh* from, const Look* to, double h, double* outRate)
{
  double low = 0.0, high = 1.0, s = from->gap / (from->gap - to->gap), slope = 0.0;
  for (int i = 0; i < CR_MAX_CROSSING; ++i) {
    double u = 1.0 - s, v0 = -h * from->rate, v1 = -h * to->rate;
    double gap =
        (1.0 + 2.0 * s) * u * u * from->gap + s * u * u * v0 + s * s * (3.0 - 2.0 * s) * to->gap - s * s * u * v1;
    slope = 6.0 * s * u * (to->gap - from->gap) + (1.0 - 4.0 * s + 3.0 * s * s) * v0 - (2.0 * s - 3.0 * s * s) * v1;
    low = gap > 0.0 ? s : low;
    high = gap > 0.0 ? high : s;
    double next = slope < 0.0 ? s - gap / slope : 0.5 * (low + high);
    next = next > low && next < high ? next : 0.5 * (low + high);
    if (fabs(next - s) < CR_CROSSING_SLACK) {
      break;
    }
    s = next;
  }
  *outRate = -slope / h;
  return s;
}

bool crBallLanes_FindBegun(const crBallLanes* lanes, const double* y, double t0, double t1, crContactStarts* outStarts)
{
  outStarts->count = 0;
  for (int i = 0; i < lanes->fresh.count; ++i) {
    const Fresh* fresh = &lanes->fresh.items[i];
    Look look = lookAt(lanes, fresh->shapes, y, NULL);
    if (!(look.gap < 0.0)) {
      continue;
    }
    double rate = fresh->rate, share = 0.0;
    if (fresh->gap > 0.0) {
      share = findCrossing(fresh, &look, t1 - t0, &rate);
    }
    crContactStart* start = crArray_Push(outStarts, &lanes->allocator);
    if (start == NULL) {
      return false;
    }
    *start = (crContactStart){ .pair = fresh->shapes,
                               .time = t0 + share * (t1 - t0),
                               .rate = rate,
                               .touch = { .distance = 0.0, .normal = look.normal },
                               .geometry = fresh->geometry };
  }
  return true;
}

// ------------------------------------------------------------------------------------------------- lanes

typedef struct Lanes3 {
  crLanes x, y, z;
} Lanes3;

typedef __typeof__((crLanes){ 0.0 } < (crLanes){ 0.0 }) Mask;

static inline crLanes splat(double a)
{
  return (crLanes){ a, a, a, a };
}

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

static inline crLanes choose(Mask mask, crLanes a, crLanes b)
{
  return (crLanes)(((Mask)a & mask) | ((Mask)b & ~mask));
}

static inline crLanes cutOff(crLanes a) // below 0
{
  return choose(a > splat(0.0), a, splat(0.0));
}

// Four rows of which the first three lanes count.
static inline Lanes3 turn(const crLanes r[CR_WIDTH])
{
  crLanes ab0 = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), ab1 = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  crLanes cd0 = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), cd1 = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  return (Lanes3){ __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5),
                   __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7) };
}

static inline void turnBack(Lanes3 l, crLanes out[CR_WIDTH])
{
  crLanes zero = splat(0.0);
  crLanes a = __builtin_shufflevector(l.x, l.y, 0, 4, 2, 6), b = __builtin_shufflevector(l.x, l.y, 1, 5, 3, 7);
  crLanes c = __builtin_shufflevector(l.z, zero, 0, 4, 2, 6), d = __builtin_shufflevector(l.z, zero, 1, 5, 3, 7);
  out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  out[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// What four contacts do.
typedef struct Push {
  Lanes3 force; // on B
  Lanes3 torqueA, torqueB;
  crLanes dissipation; // [W]
} Push;

// The law of crEvalContactForce. inverse: 1 / |D|; perhaps infinite where there is nothing, which has no stiffness.
static inline __attribute__((always_inline)) Push evalPush(const Lists* lists, int i, Lanes3 D, Lanes3 v, Lanes3 wA,
                                                           Lanes3 wB)
{
  crLanes distance = root(D.x * D.x + D.y * D.y + D.z * D.z), inverse = 1.0 / distance;
  crLanes share = 0.5 + 0.5 * load(lists->diff + i) * inverse, rest = 1.0 - share;
  crLanes wx = share * wA.x + rest * wB.x, wy = share * wA.y + rest * wB.y, wz = share * wA.z + rest * wB.z;
  crLanes depth = cutOff(load(lists->sum + i) - distance);
  crLanes rate = -(D.x * v.x + D.y * v.y + D.z * v.z) * inverse, along = rate * inverse;
  crLanes spring = load(lists->k + i) * depth * root(depth);
  crLanes fn = cutOff(spring + spring * load(lists->d + i) * rate);
  Lanes3 s = { v.x - (wy * D.z - wz * D.y) + along * D.x, v.y - (wz * D.x - wx * D.z) + along * D.y,
               v.z - (wx * D.y - wy * D.x) + along * D.z };
  crLanes square = s.x * s.x + s.y * s.y + s.z * s.z, slip = root(square), vMin = load(lists->vMin + i);
  crLanes slow = square / vMin * (1.0 - slip / (3.0 * vMin)) + vMin / 3.0;
  crLanes per = fn * (load(lists->muK + i) / choose(slip < vMin, slow, slip)), pull = fn * inverse;
  Lanes3 T = { per * (D.y * s.z - D.z * s.y), per * (D.z * s.x - D.x * s.z), per * (D.x * s.y - D.y * s.x) };
  return (Push){ { pull * D.x - per * s.x, pull * D.y - per * s.y, pull * D.z - per * s.z },
                 { share * T.x, share * T.y, share * T.z },
                 { rest * T.x, rest * T.y, rest * T.z },
                 (fn - spring) * rate + per * square };
}

static inline crLanes loadSpin(const double* y) // without reading behind the last state
{
  crLanes l = load(y + CR_SPINS);
  return __builtin_shufflevector(l, l, 1, 2, 3, 0);
}

static crLanes pushPairs(const crBallLanes* lanes, const double* y)
{
  const Lists* lists = &lanes->pairs;
  double* F = lanes->forces;
  crLanes power = splat(0.0);
  for (int i = 0; i < lists->count; i += CR_WIDTH) {
    crLanes D[CR_WIDTH], v[CR_WIDTH], wA[CR_WIDTH], wB[CR_WIDTH];
    for (int l = 0; l < CR_WIDTH; ++l) {
      const double* a = y + (size_t)CR_STATES * (size_t)lists->a[i + l];
      const double* b = y + (size_t)CR_STATES * (size_t)lists->b[i + l];
      D[l] = load(b) - load(a);
      v[l] = load(b + CR_VELOCITY) - load(a + CR_VELOCITY);
      wA[l] = loadSpin(a);
      wB[l] = loadSpin(b);
    }
    Push push = evalPush(lists, i, turn(D), turn(v), turn(wA), turn(wB));
    power += push.dissipation;
    turnBack(push.force, D);
    turnBack(push.torqueA, wA);
    turnBack(push.torqueB, wB);
    for (int l = 0; l < CR_WIDTH; ++l) {
      double *a = F + (size_t)CR_ROW * (size_t)lists->a[i + l], *b = F + (size_t)CR_ROW * (size_t)lists->b[i + l];
      store(b, load(b) + D[l]);
      store(a, load(a) - D[l]);
      store(b + CR_WIDTH, load(b + CR_WIDTH) + wB[l]);
      store(a + CR_WIDTH, load(a + CR_WIDTH) + wA[l]);
    }
  }
  return power;
}

static crLanes pushWalls(const crBallLanes* lanes, const double* y)
{
  const Lists* lists = &lanes->walls;
  double* F = lanes->forces;
  crLanes power = splat(0.0);
  for (int i = 0; i < lists->count; i += CR_WIDTH) {
    crLanes D[CR_WIDTH], v[CR_WIDTH], w[CR_WIDTH];
    for (int l = 0; l < CR_WIDTH; ++l) {
      const double* a = y + (size_t)CR_STATES * (size_t)lists->a[i + l];
      const Plane* plane = &lanes->planes[lists->b[i + l]];
      double height = crDotL(load(plane->up), load(a)) - plane->height + 0.5 * lists->sum[i + l];
      D[l] = load(plane->up) * -height;
      v[l] = -load(a + CR_VELOCITY);
      w[l] = loadSpin(a);
    }
    Push push = evalPush(lists, i, turn(D), turn(v), turn(w), (Lanes3){ splat(0.0), splat(0.0), splat(0.0) });
    power += push.dissipation;
    turnBack(push.force, D);
    turnBack(push.torqueA, w);
    for (int l = 0; l < CR_WIDTH; ++l) {
      double* a = F + (size_t)CR_ROW * (size_t)lists->a[i + l];
      store(a, load(a) - D[l]);
      store(a + CR_WIDTH, load(a + CR_WIDTH) + w[l]);
    }
  }
  return power;
}

crStatus crBallLanes_ComputeRates(crBallLanes* lanes, const double* y, double* outRates, double* outDissipation)
{
  crLanes power = pushPairs(lanes, y) + pushWalls(lanes, y), zero = splat(0.0), check = zero;
  for (int k = 0; k < lanes->count; ++k) {
    const Ball* ball = &lanes->balls[k];
    double *F = lanes->forces + (size_t)CR_ROW * (size_t)k, *out = outRates + (size_t)CR_STATES * (size_t)k;
    const double* state = y + (size_t)CR_STATES * (size_t)k;
    crLanes v = load(state + CR_VELOCITY), spin = loadSpin(state);
    crLanes a = load(F) * ball->inverseMass + load(ball->gravity), turning = load(F + CR_WIDTH) * ball->inverseRound;
    check += 0.0 * (a + turning + load(state) + v + spin);
    store(F, zero);
    store(F + CR_WIDTH, zero);
    store(out, v); // the fourth lane of each is written over
    store(out + 3, zero);
    store(out + CR_VELOCITY, a);
    for (int i = 0; i < 3; ++i) {
      out[CR_VELOCITY + 3 + i] = turning[i];
    }
  }
  *outDissipation = power[0] + power[1] + power[2] + power[3];
  return check[0] + check[1] + check[2] + 0.0 * *outDissipation == 0.0 ? cr_ok : cr_retry;
}

// -------------------------------------------------------------------------------------------- what is told

static inline void findWallTouch(const crBallLanes* lanes, const crTouchingPair* pair, const double* y, crTouch* out)
{
  bool isPlaneA = lanes->rows[pair->shapeA] < 0;
  int row = lanes->rows[isPlaneA ? pair->shapeB : pair->shapeA];
  const Plane* plane = &lanes->planes[isPlaneA ? pair->shapeA : pair->shapeB];
  crVec3 up = readVec3(plane->up), p = readVec3(y + (size_t)CR_STATES * (size_t)row);
  crTouchFoot(p, lanes->balls[row].radius, up, crDot(up, p) - plane->height, isPlaneA ? -1.0 : 1.0, out);
}

// Velocity of a ball at a point, and its spin; of a plane neither. Returns its row.
static inline int findVelocity(const crBallLanes* lanes, int shape, const double* y, crVec3 point, crVec3* outV,
                               crVec3* outW)
{
  int row = lanes->rows[shape];
  *outV = *outW = crMakeVec3(0.0, 0.0, 0.0);
  if (row >= 0) {
    const double* state = y + (size_t)CR_STATES * (size_t)row;
    *outW = readVec3(state + CR_SPINS + 1);
    *outV = crAdd(readVec3(state + CR_VELOCITY), crCross(*outW, crSub(point, readVec3(state))));
  }
  return row;
}

static inline void addWrench(const crBallLanes* lanes, int row, const double* y, crVec3 point, crVec3 f)
{
  if (row >= 0) {
    crVec3 t = crCross(crSub(point, readVec3(y + (size_t)CR_STATES * (size_t)row)), f);
    double* F = lanes->forces + (size_t)CR_ROW * (size_t)row;
    store(F, load(F) + crToLanes(f));
    store(F + CR_WIDTH, load(F + CR_WIDTH) + crToLanes(t));
  }
}

static double reportContact(const crBallLanes* lanes, const crTouchingPair* pair, const double* y, crContact* contact)
{
  int a = lanes->rows[pair->shapeA], b = lanes->rows[pair->shapeB];
  if (a >= 0 && b >= 0) {
    const crShape* shapes = lanes->table->model->shapes;
    crTouchSpheres(&shapes[pair->shapeA], readVec3(y + (size_t)CR_STATES * (size_t)a), &shapes[pair->shapeB],
                   readVec3(y + (size_t)CR_STATES * (size_t)b), &contact->now);
  } else {
    findWallTouch(lanes, pair, y, &contact->now);
  }
  crVec3 vA, vB, wA, wB, point = contact->now.point, n = contact->now.normal;
  findVelocity(lanes, pair->shapeA, y, point, &vA, &wA);
  findVelocity(lanes, pair->shapeB, y, point, &vB, &wB);
  crVec3 v = crSub(vB, vA);
  crContactMotion* motion = &contact->motion;
  motion->depth = -contact->now.distance;
  motion->rate = -crDot(v, n);
  motion->normal = n;
  motion->slip = crMulAdd(v, motion->rate, n);
  motion->turn = crSub(wB, wA);
  crEvalContactForce(pair->law, &contact->memory, motion, &contact->force);
  contact->drag = contact->force.force;
  addWrench(lanes, b, y, point, contact->force.force);
  addWrench(lanes, a, y, point, crNeg(contact->force.force));
  return contact->force.dissipation;
}

static void writeTurning(const double* y, double* outRates)
{
  double w = y[3], x = y[4], v = y[5], z = y[6];
  double a = 0.5 * y[10], b = 0.5 * y[11], c = 0.5 * y[12];
  outRates[3] = -(a * x) - b * v - c * z;
  outRates[4] = a * w + b * z - c * v;
  outRates[5] = b * w + c * x - a * z;
  outRates[6] = c * w + a * v - b * x;
}

crStatus crBallLanes_Report(crBallLanes* lanes, crContacts* contacts, const double* y, double* outRates,
                            double* outDissipation)
{
  double sum = 0.0, none;
  int pairs = lanes->pairs.count, walls = lanes->walls.count;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    sum += reportContact(lanes, &contacts->pairs.items[k], y, &contacts->contacts.items[k]);
  }
  lanes->pairs.count = lanes->walls.count = 0; // all is in the rows
  crStatus status = crBallLanes_ComputeRates(lanes, y, outRates, &none);
  lanes->pairs.count = pairs;
  lanes->walls.count = walls;
  for (int k = 0; k < lanes->count; ++k) {
    writeTurning(y + (size_t)CR_STATES * (size_t)k, outRates + (size_t)CR_STATES * (size_t)k);
  }
  *outDissipation = sum;
  return 0.0 * sum == 0.0 ? status : cr_retry;
}
