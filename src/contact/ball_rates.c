// Rates of balls that touch, in lanes. With D from the middle of A to that of B, |D| its length, and the arm of A a
// share s of D, that of B the rest of it:
//
//   s = (|D| + r_A - r_B) / (2 |D|),   v = v_B - v_A - (s w_A + (1 - s) w_B) x D,   delta = r_A + r_B - |D|
//   t_A = -s D x f,   t_B = -(1 - s) D x f
//
// The point of application is the middle of the two witness points, as everywhere. A plane is a ball like A, mirrored
// behind it, that neither moves nor turns but with A: the same formulas with D = -(h + r) n for a height h of its
// middle.
#include "contact/ball_lanes_inside.h"

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
static inline Lanes3 turn(const crLanes r[CR_BALL_WIDTH])
{
  crLanes ab0 = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), ab1 = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  crLanes cd0 = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), cd1 = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  return (Lanes3){ __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5),
                   __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7) };
}

static inline void turnBack(Lanes3 l, crLanes out[CR_BALL_WIDTH])
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
  crLanes dissipation;               // [W]
  crLanes normal, depth, rate, slip; // [N], [m], [m/s]
} Push;

// The law of crEvalContactForce. inverse: 1 / |D|; perhaps infinite where there is nothing, which has no stiffness.
static inline __attribute__((always_inline)) Push evalPush(const crBallLists* lists, int i, Lanes3 D, Lanes3 v,
                                                           Lanes3 wA, Lanes3 wB)
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
                 (fn - spring) * rate + per * square,
                 fn,
                 depth,
                 rate,
                 slip };
}

// What four contacts are at the end of a step. turn: relative spin.
static inline __attribute__((always_inline)) void keepPoint(const crBallLists* lists, int i, const Push* push,
                                                            Lanes3 turn)
{
  size_t room = (size_t)lists->room;
  double* to = lists->points + i;
  store(to + cr_pointForce * room, push->normal);
  store(to + cr_pointPower * room, push->dissipation);
  store(to + cr_pointDepth * room, push->depth);
  store(to + cr_pointRate * room, push->rate);
  store(to + cr_pointSlip * room, push->slip);
  store(to + cr_pointTurn * room, root(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z));
}

static inline crLanes loadSpin(const double* y) // without reading behind the last state
{
  crLanes l = load(y + CR_BALL_SPINS);
  return __builtin_shufflevector(l, l, 1, 2, 3, 0);
}

// isEnd: of a step, where all is kept of contacts.
static inline __attribute__((always_inline)) crLanes pushPairs(const crBallLanes* lanes, const double* y, bool isEnd)
{
  const crBallLists* lists = &lanes->pairs;
  double* F = lanes->forces;
  crLanes power = splat(0.0);
  for (int i = 0; i < lists->count; i += CR_BALL_WIDTH) {
    crLanes D[CR_BALL_WIDTH], v[CR_BALL_WIDTH], wA[CR_BALL_WIDTH], wB[CR_BALL_WIDTH];
    for (int l = 0; l < CR_BALL_WIDTH; ++l) {
      const double* a = y + (size_t)CR_BALL_STATES * (size_t)lists->a[i + l];
      const double* b = y + (size_t)CR_BALL_STATES * (size_t)lists->b[i + l];
      D[l] = load(b) - load(a);
      v[l] = load(b + CR_BALL_VELOCITY) - load(a + CR_BALL_VELOCITY);
      wA[l] = loadSpin(a);
      wB[l] = loadSpin(b);
    }
    Lanes3 spinA = turn(wA), spinB = turn(wB);
    Push push = evalPush(lists, i, turn(D), turn(v), spinA, spinB);
    power += push.dissipation;
    if (isEnd) {
      keepPoint(lists, i, &push, (Lanes3){ spinB.x - spinA.x, spinB.y - spinA.y, spinB.z - spinA.z });
    }
    turnBack(push.force, D);
    turnBack(push.torqueA, wA);
    turnBack(push.torqueB, wB);
    for (int l = 0; l < CR_BALL_WIDTH; ++l) {
      double *a = F + (size_t)CR_BALL_ROW * (size_t)lists->a[i + l],
             *b = F + (size_t)CR_BALL_ROW * (size_t)lists->b[i + l];
      store(b, load(b) + D[l]);
      store(a, load(a) - D[l]);
      store(b + CR_BALL_WIDTH, load(b + CR_BALL_WIDTH) + wB[l]);
      store(a + CR_BALL_WIDTH, load(a + CR_BALL_WIDTH) + wA[l]);
    }
  }
  return power;
}

static inline __attribute__((always_inline)) crLanes pushWalls(const crBallLanes* lanes, const double* y, bool isEnd)
{
  const crBallLists* lists = &lanes->walls;
  double* F = lanes->forces;
  crLanes power = splat(0.0);
  for (int i = 0; i < lists->count; i += CR_BALL_WIDTH) {
    crLanes D[CR_BALL_WIDTH], v[CR_BALL_WIDTH], w[CR_BALL_WIDTH];
    for (int l = 0; l < CR_BALL_WIDTH; ++l) {
      const double* a = y + (size_t)CR_BALL_STATES * (size_t)lists->a[i + l];
      const crBallPlane* plane = &lanes->planes[lists->b[i + l]];
      double height = crDotL(load(plane->up), load(a)) - plane->height + 0.5 * lists->sum[i + l];
      D[l] = load(plane->up) * -height;
      v[l] = -load(a + CR_BALL_VELOCITY);
      w[l] = loadSpin(a);
    }
    Lanes3 spin = turn(w);
    Push push = evalPush(lists, i, turn(D), turn(v), spin, (Lanes3){ splat(0.0), splat(0.0), splat(0.0) });
    power += push.dissipation;
    if (isEnd) {
      keepPoint(lists, i, &push, spin);
    }
    turnBack(push.force, D);
    turnBack(push.torqueA, w);
    for (int l = 0; l < CR_BALL_WIDTH; ++l) {
      double* a = F + (size_t)CR_BALL_ROW * (size_t)lists->a[i + l];
      store(a, load(a) - D[l]);
      store(a + CR_BALL_WIDTH, load(a + CR_BALL_WIDTH) + w[l]);
    }
  }
  return power;
}

// One by one; returns what they dissipate [W].
static double pushSolids(const crBallLanes* lanes, const double* y, bool isEnd)
{
  const crBallLists* lists = &lanes->solids;
  double power = 0.0;
  for (int i = 0; i < lists->count; ++i) {
    const double* a = y + (size_t)CR_BALL_STATES * (size_t)lists->a[i];
    crTouch touch = crTouchFixed(lanes, lists->b[i], lists->a[i], crReadBallVec3(a));
    double* point = lists->points + i;
    for (int k = 0; isEnd && k < CR_POINT_ARRAYS; ++k) {
      point[(size_t)k * (size_t)lists->room] = 0.0;
    }
    if (touch.distance >= 0.0) { // what is no number goes on
      continue;
    }
    crVec3 r = crSub(touch.point, crReadBallVec3(a)), n = touch.normal;
    crVec3 v = crAdd(crReadBallVec3(a + CR_BALL_VELOCITY), crCross(crReadBallVec3(a + CR_BALL_SPINS + 1), r));
    double depth = -touch.distance, rate = -crDot(v, n), spring = lists->k[i] * depth * sqrt(depth);
    double fn = spring + spring * lists->d[i] * rate;
    fn = fn < 0.0 ? 0.0 : fn;
    crVec3 slip = crMulAdd(v, rate, n);
    double square = crDot(slip, slip), per = fn * lists->muK[i] / crRegularize(sqrt(square), lists->vMin[i]);
    crVec3 f = crMulAdd(crScale(fn, n), -per, slip);
    double* F = lanes->forces + (size_t)CR_BALL_ROW * (size_t)lists->a[i];
    store(F, load(F) + crToLanes(f));
    store(F + CR_BALL_WIDTH, load(F + CR_BALL_WIDTH) + crToLanes(crCross(r, f)));
    double own = (fn - spring) * rate + per * square;
    power += own;
    double values[CR_POINT_ARRAYS] = { fn,   own,          depth,
                                       rate, sqrt(square), crLength(crReadBallVec3(a + CR_BALL_SPINS + 1)) };
    for (int k = 0; isEnd && k < CR_POINT_ARRAYS; ++k) {
      point[(size_t)k * (size_t)lists->room] = values[k];
    }
  }
  return power;
}

// Forces in rows become rates.
static crStatus finishRates(crBallLanes* lanes, const double* y, double power, double* outRates)
{
  crLanes zero = splat(0.0), check = zero;
  for (int k = 0; k < lanes->count; ++k) {
    const crBall* ball = &lanes->balls[k];
    double *F = lanes->forces + (size_t)CR_BALL_ROW * (size_t)k, *out = outRates + (size_t)CR_BALL_STATES * (size_t)k;
    const double* state = y + (size_t)CR_BALL_STATES * (size_t)k;
    crLanes v = load(state + CR_BALL_VELOCITY), spin = loadSpin(state);
    crLanes a = load(F) * ball->inverseMass + load(ball->gravity),
            turning = load(F + CR_BALL_WIDTH) * ball->inverseRound;
    check += 0.0 * (a + turning + load(state) + v + spin);
    store(F, zero);
    store(F + CR_BALL_WIDTH, zero);
    store(out, v); // the fourth lane of each is written over
    store(out + 3, zero);
    store(out + CR_BALL_VELOCITY, a);
    for (int i = 0; i < 3; ++i) {
      out[CR_BALL_VELOCITY + 3 + i] = turning[i];
    }
  }
  return check[0] + check[1] + check[2] + 0.0 * power == 0.0 ? cr_ok : cr_retry;
}

static inline double addLanes(crLanes a)
{
  return a[0] + a[1] + a[2] + a[3];
}

crStatus crBallLanes_ComputeRates(crBallLanes* lanes, const double* y, double* outRates, double* outDissipation)
{
  crLanes power = pushPairs(lanes, y, false) + pushWalls(lanes, y, false);
  *outDissipation = addLanes(power) + pushSolids(lanes, y, false);
  return finishRates(lanes, y, *outDissipation, outRates);
}

crStatus crBallLanes_EvalPoints(crBallLanes* lanes, const double* y, double* outRates, double* outDissipation)
{
  crLanes power = pushPairs(lanes, y, true) + pushWalls(lanes, y, true);
  *outDissipation = addLanes(power) + pushSolids(lanes, y, true);
  return finishRates(lanes, y, *outDissipation, outRates);
}

// -------------------------------------------------------------------------------------------- what is told

// Velocity of a ball at a point, and its spin; of a plane neither.
static inline void findVelocity(const crBallLanes* lanes, int shape, const double* y, crVec3 point, crVec3* outV,
                                crVec3* outW)
{
  int row = lanes->rows[shape];
  *outV = *outW = crMakeVec3(0.0, 0.0, 0.0);
  if (row >= 0) {
    const double* state = y + (size_t)CR_BALL_STATES * (size_t)row;
    *outW = crReadBallVec3(state + CR_BALL_SPINS + 1);
    *outV = crAdd(crReadBallVec3(state + CR_BALL_VELOCITY), crCross(*outW, crSub(point, crReadBallVec3(state))));
  }
}

void crBallLanes_ReportContact(const crBallLanes* lanes, const crTouchingPair* pair, const double* y,
                               crContact* contact)
{
  int a = lanes->rows[pair->shapeA], b = lanes->rows[pair->shapeB];
  if (a >= 0 && b >= 0) {
    const crShape* shapes = lanes->table->model->shapes;
    crTouchSpheres(&shapes[pair->shapeA], crReadBallVec3(y + (size_t)CR_BALL_STATES * (size_t)a), &shapes[pair->shapeB],
                   crReadBallVec3(y + (size_t)CR_BALL_STATES * (size_t)b), &contact->now);
  } else {
    int row = a >= 0 ? a : b;
    crVec3 p = crReadBallVec3(y + (size_t)CR_BALL_STATES * (size_t)row);
    contact->now = crTouchFixed(lanes, a >= 0 ? pair->shapeB : pair->shapeA, row, p);
    contact->now.normal = a >= 0 ? crNeg(contact->now.normal) : contact->now.normal;
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
}
