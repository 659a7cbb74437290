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

struct crBallLanes {
  crAllocator allocator;
  const crShapeTable* table;
  int* rows;     // (shapeCount) of shapes of balls; -1: none
  Plane* planes; // (shapeCount) of shapes of the world that are some
  int count, room;
  Ball* balls;    // (count)
  double* forces; // (CR_ROW count) 0 between two evaluations
  Lists pairs, walls;
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
  crFree(&lanes->allocator, lanes->forces, room * CR_ROW * sizeof *lanes->forces);
  crFree(&lanes->allocator, lanes->balls, room * sizeof *lanes->balls);
  lanes->forces = crAllocateZero(&lanes->allocator, more * CR_ROW, sizeof *lanes->forces);
  lanes->balls = crAllocateZero(&lanes->allocator, more, sizeof *lanes->balls);
  lanes->room = lanes->forces != NULL && lanes->balls != NULL ? (int)more : 0;
  return lanes->room > 0;
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

static bool hasLaw(const crContact* contact, const crContactLaw* law)
{
  bool isElastic = law->response == cr_responseElastic || law->response == cr_responseImpulsive;
  return isElastic && !law->sticks && !(law->muR > 0.0) && contact->memory.exponent == CR_HERTZ_EXPONENT;
}

bool crBallLanes_SetContacts(crBallLanes* lanes, const crContacts* contacts, bool* outIsWhole)
{
  int most = contacts->pairs.count;
  lanes->pairs.count = lanes->walls.count = 0;
  *outIsWhole = !contacts->hasSurfaces && !contacts->hasGroups;
  if (!reserveLists(&lanes->allocator, &lanes->pairs, most) || !reserveLists(&lanes->allocator, &lanes->walls, most)) {
    return false;
  }
  for (int k = 0; k < most && *outIsWhole; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    int a = lanes->rows[pair->shapeA], b = lanes->rows[pair->shapeB];
    *outIsWhole = hasLaw(contact, pair->law);
    if (pair->path == cr_touchSpheres && a >= 0 && b >= 0) {
      double ra = lanes->balls[a].radius, rb = lanes->balls[b].radius;
      push(&lanes->pairs, a, b, &contact->memory, pair->law, ra + rb, ra - rb);
    } else if (pair->path == cr_touchSpherePlane || pair->path == cr_touchPlaneSphere) {
      bool isPlaneA = pair->path == cr_touchPlaneSphere;
      int row = isPlaneA ? b : a, plane = isPlaneA ? pair->shapeA : pair->shapeB;
      *outIsWhole = *outIsWhole && row >= 0 && isPlane(lanes->table, plane);
      push(&lanes->walls, row, plane, &contact->memory, pair->law, row >= 0 ? 2.0 * lanes->balls[row].radius : 0.0,
           0.0);
    } else {
      *outIsWhole = false;
    }
  }
  pad(&lanes->pairs);
  pad(&lanes->walls);
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
