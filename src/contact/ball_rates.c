// Rates of balls that touch, in lanes (ball_push.h). A plane is a ball like A, mirrored behind it, that neither moves
// nor turns but with A: the same formulas with D = -(h + r) n for a height h of its middle.
#include "contact/ball_push.h"

// Where the row of a ball begins.
static inline size_t rowOf(int ball)
{
  return (size_t)CR_STAGE_ROW * (size_t)ball;
}

// Where forces on balls are added up: in rows for all of them, or for those of a part, which come one after the other,
// with one more row for all others.
typedef struct Target {
  double* rows;
  unsigned first, count;
} Target;

static inline __attribute__((always_inline)) double* findRow(const Target* target, int ball, bool isPart)
{
  unsigned place = (unsigned)ball - target->first;
  place = isPart && place > target->count ? target->count : place;
  return target->rows + (size_t)CR_BALL_ROW * (size_t)place;
}

static inline __attribute__((always_inline)) void gather(const int* a, const int* b, const double* y, bool isEnd,
                                                         bool isEven, Block* block, int place)
{
  crLanes D[CR_BALL_WIDTH], v[CR_BALL_WIDTH], wA[CR_BALL_WIDTH], wB[CR_BALL_WIDTH];
  for (int l = 0; l < CR_BALL_WIDTH; ++l) {
    const double *ofA = y + rowOf(a[l]), *ofB = y + rowOf(b[l]);
    D[l] = load(ofB) - load(ofA);
    v[l] = load(ofB + CR_BALL_WIDTH) - load(ofA + CR_BALL_WIDTH);
    wA[l] = load(ofA + 2 * CR_BALL_WIDTH);
    wB[l] = load(ofB + 2 * CR_BALL_WIDTH);
    if (isEven) {
      crLanes sum = wA[l] + wB[l];
      wB[l] = wB[l] - wA[l];
      wA[l] = sum;
    }
  }
  put4(block->D, place, turn(D));
  put4(block->v, place, turn(v));
  put4(block->wA, place, turn(wA));
  if (isEnd || !isEven) {
    put4(block->wB, place, turn(wB));
  }
}

// a, b: rows of their balls.
static inline __attribute__((always_inline)) void scatter(const int* a, const int* b, Block* block, int place,
                                                          bool isEven, const Target* target, bool isPart)
{
  crLanes f[CR_BALL_WIDTH], tA[CR_BALL_WIDTH], tB[CR_BALL_WIDTH];
  turnBack(get4(block->D, place), f);
  turnBack(get4(block->wA, place), tA);
  if (!isEven) {
    turnBack(get4(block->wB, place), tB);
  }
  for (int l = 0; l < CR_BALL_WIDTH; ++l) {
    double *onA = findRow(target, a[l], isPart), *onB = findRow(target, b[l], isPart);
    store(onB, load(onB) + f[l]);
    store(onA, load(onA) - f[l]);
    store(onB + CR_BALL_WIDTH, load(onB + CR_BALL_WIDTH) + (isEven ? tA[l] : tB[l]));
    store(onA + CR_BALL_WIDTH, load(onA + CR_BALL_WIDTH) + tA[l]);
  }
}

// What contacts of a block dissipate goes to the places of those that they are copies of.
static inline void keepPowers(const crBallLists* lists, int start, int end, const Block* block, double* powers)
{
  for (int i = start; i < end && i < lists->count; ++i) {
    if (lists->homes[i] >= 0) {
      powers[lists->homes[i]] = block->v[0][i - start];
    }
  }
}

// Contacts of balls with each other, `from` and `to` being multiples of four. One pass over a block loads, one computes
// and one adds up: in a single one each four would wait for their roots and divisions, with no room for the next in the
// processor. powers: where each contact leaves what it dissipates; NULL: nowhere.
static inline __attribute__((always_inline)) crLanes pushSome(const crBallLists* lists, const double* y, int from,
                                                              int to, const Target* target, double* powers, bool isEnd,
                                                              bool isEven, bool isPart)
{
  crLanes power = splat(0.0);
  const int *a = lists->a, *b = lists->b;
  const Target own = *target; // what is the same for all is read before: stores might change it, for all that is known
  Block block;
  for (int start = from; start < to; start += CR_BALL_BLOCK) {
    int end = endBlock(start, to);
    for (int i = start; i < end; i += CR_BALL_WIDTH) {
      gather(a + i, b + i, y, isEnd, isEven, &block, i - start);
    }
    power += pushBlock(lists, start, end, &block, isEnd, isEven);
    for (int i = start; i < end; i += CR_BALL_WIDTH) {
      scatter(a + i, b + i, &block, i - start, isEven, &own, isPart);
    }
    if (powers != NULL) {
      keepPowers(lists, start, end, &block, powers);
    }
  }
  return power;
}

static inline __attribute__((always_inline)) void gatherWalls(const crBallLanes* lanes, const crBallLists* lists, int i,
                                                              const double* y, Block* block, int place)
{
  crLanes D[CR_BALL_WIDTH], v[CR_BALL_WIDTH], w[CR_BALL_WIDTH];
  for (int l = 0; l < CR_BALL_WIDTH; ++l) {
    const double* a = y + rowOf(lists->a[i + l]);
    const crBallPlane* plane = &lanes->planes[lists->b[i + l]];
    double height = crDotL(load(plane->up), load(a)) - plane->height + 0.5 * lists->sum[i + l];
    D[l] = load(plane->up) * -height;
    v[l] = -load(a + CR_BALL_WIDTH);
    w[l] = load(a + 2 * CR_BALL_WIDTH);
  }
  put4(block->D, place, turn(D));
  put4(block->v, place, turn(v));
  put4(block->wA, place, turn(w));
  put4(block->wB, place, turn(w));
}

static inline __attribute__((always_inline)) void scatterWalls(const int* a, Block* block, int place,
                                                               const Target* target, bool isPart)
{
  crLanes f[CR_BALL_WIDTH], t[CR_BALL_WIDTH];
  turnBack(get4(block->D, place), f);
  turnBack(get4(block->wA, place), t);
  for (int l = 0; l < CR_BALL_WIDTH; ++l) {
    double* onA = findRow(target, a[l], isPart);
    store(onA, load(onA) - f[l]);
    store(onA + CR_BALL_WIDTH, load(onA + CR_BALL_WIDTH) + t[l]);
  }
}

static inline __attribute__((always_inline)) crLanes pushWalls(const crBallLanes* lanes, const crBallLists* lists,
                                                               const double* y, const Target* target, double* powers,
                                                               bool isEnd, bool isPart)
{
  crLanes power = splat(0.0);
  const int* a = lists->a;
  const Target own = *target;
  Block block;
  for (int start = 0; start < lists->count; start += CR_BALL_BLOCK) {
    int end = endBlock(start, crPadLanes(lists->count));
    for (int i = start; i < end; i += CR_BALL_WIDTH) {
      gatherWalls(lanes, lists, i, y, &block, i - start);
    }
    power += pushBlock(lists, start, end, &block, isEnd, true);
    for (int i = start; i < end; i += CR_BALL_WIDTH) {
      scatterWalls(a + i, &block, i - start, &own, isPart);
    }
    if (powers != NULL) {
      keepPowers(lists, start, end, &block, powers);
    }
  }
  return power;
}

// One of them; returns what it dissipates [W].
static double pushSolid(const crBallLanes* lanes, int i, const double* y, double* F, bool isEnd)
{
  const crBallLists* lists = &lanes->solids;
  const double* a = y + rowOf(lists->a[i]);
  crTouch touch = crTouchFixed(lanes, lists->b[i], lists->a[i], crReadBallVec3(a));
  double* point = lists->points + i;
  for (int k = 0; isEnd && k < CR_POINT_ARRAYS; ++k) {
    point[(size_t)k * (size_t)lists->room] = 0.0;
  }
  if (touch.distance >= 0.0) { // what is no number goes on
    return 0.0;
  }
  crVec3 r = crSub(touch.point, crReadBallVec3(a)), n = touch.normal;
  crVec3 w = crReadBallVec3(a + 2 * CR_BALL_WIDTH);
  crVec3 v = crAdd(crReadBallVec3(a + CR_BALL_WIDTH), crCross(w, r));
  double depth = -touch.distance, rate = -crDot(v, n), spring = lists->k[i] * depth * sqrt(depth);
  double fn = spring + spring * lists->d[i] * rate;
  fn = fn < 0.0 ? 0.0 : fn;
  crVec3 slip = crMulAdd(v, rate, n);
  double square = crDot(slip, slip), per = fn * lists->muK[i] / crRegularize(sqrt(square), lists->vMin[i]);
  crVec3 f = crMulAdd(crScale(fn, n), -per, slip);
  store(F, load(F) + crToLanes(f));
  store(F + CR_BALL_WIDTH, load(F + CR_BALL_WIDTH) + crToLanes(crCross(r, f)));
  double own = (fn - spring) * rate + per * square;
  double values[CR_POINT_ARRAYS] = { fn, own, depth, rate, sqrt(square), crLength(w) };
  for (int k = 0; isEnd && k < CR_POINT_ARRAYS; ++k) {
    point[(size_t)k * (size_t)lists->room] = values[k];
  }
  return own;
}

static double pushSolids(const crBallLanes* lanes, const double* y, const Target* target, bool isEnd)
{
  double power = 0.0;
  for (int i = 0; i < lanes->solids.count; ++i) {
    power += pushSolid(lanes, i, y, findRow(target, lanes->solids.a[i], false), isEnd);
  }
  return power;
}

static inline double addLanes(crLanes a)
{
  return a[0] + a[1] + a[2] + a[3];
}

static crLanes pushStage(const crBallLists* pairs, const double* y, int from, int to, const Target* target)
{
  return pairs->isUneven ? pushSome(pairs, y, from, to, target, NULL, false, false, false)
                         : pushSome(pairs, y, from, to, target, NULL, false, true, false);
}

static crLanes pushEnd(const crBallLists* pairs, const double* y, int from, int to, const Target* target)
{
  return pairs->isUneven ? pushSome(pairs, y, from, to, target, NULL, true, false, false)
                         : pushSome(pairs, y, from, to, target, NULL, true, true, false);
}

// Forces of all contacts into rows, sums in the order that stages have them in; returns what they dissipate [W].
// isEnd: of a step.
static double pushAll(const crBallLanes* lanes, const double* y, bool isEnd)
{
  const crBallLists* pairs = &lanes->pairs;
  Target target = { lanes->forces, 0, 0 };
  int ordered = crFindOrdered(pairs), count = pairs->count;
  crLanes power = pushWalls(lanes, &lanes->walls, y, &target, NULL, isEnd, false);
  double solids = pushSolids(lanes, y, &target, isEnd);
  power += isEnd ? pushEnd(pairs, y, ordered, count, &target) : pushStage(pairs, y, ordered, count, &target);
  for (int i = 0; i < ordered; i += CR_BALL_BLOCK) {
    int end = i + CR_BALL_BLOCK < ordered ? i + CR_BALL_BLOCK : ordered;
    power += isEnd ? pushEnd(pairs, y, i, end, &target) : pushStage(pairs, y, i, end, &target);
  }
  return addLanes(power) + solids;
}

static inline crLanes findAcceleration(const crBall* ball, const double* F)
{
  return load(F) * ball->inverseMass + load(ball->gravity);
}

static inline crLanes findTurning(const crBall* ball, const double* F)
{
  return load(F + CR_BALL_WIDTH) * ball->inverseRound;
}

static inline void clearForce(double* F)
{
  store(F, splat(0.0));
  store(F + CR_BALL_WIDTH, splat(0.0));
}

// Where the rates of a step's end go.
typedef struct Rates {
  const double* y;          // stage
  double *states, *inStage; // rates of states; and of the stage, NULL: nowhere
} Rates;

// Forces in rows of some balls become rates; false: not finite.
static bool finishRates(const crBallLanes* lanes, const Target* target, const Rates* rates, int from, int to)
{
  crLanes check = splat(0.0);
  const crBall* ball = lanes->balls + from;
  double* F = target->rows + (size_t)CR_BALL_ROW * ((size_t)from - target->first);
  double *out = rates->states + (size_t)CR_BALL_STATES * (size_t)from, *inStage = rates->inStage;
  const double* row = rates->y + rowOf(from);
  for (int k = from; k < to; ++k, ++ball, F += CR_BALL_ROW, out += CR_BALL_STATES, row += CR_STAGE_ROW) {
    crLanes v = load(row + CR_BALL_WIDTH), spin = load(row + 2 * CR_BALL_WIDTH);
    crLanes a = findAcceleration(ball, F), turning = findTurning(ball, F);
    check += 0.0 * (a + turning + load(row) + v + spin);
    clearForce(F);
    store(out, v); // the fourth lane of each is written over
    store(out + 3, splat(0.0));
    store(out + CR_BALL_VELOCITY, a);
    for (int i = 0; i < 3; ++i) {
      out[CR_BALL_VELOCITY + 3 + i] = turning[i];
    }
    if (inStage != NULL) {
      store(inStage + rowOf(k), v);
      store(inStage + rowOf(k) + CR_BALL_WIDTH, a);
      store(inStage + rowOf(k) + 2 * CR_BALL_WIDTH, turning);
    }
  }
  return check[0] + check[1] + check[2] == 0.0;
}

// Forces in rows of some balls become the next stage. What is the same for all is read before: where stages are
// written nobody else looks, but a compiler does not know that.
static void finishStage(const crBallLanes* lanes, const Target* target, const crLaneStage* stage, int from, int to)
{
  const crLanes w0 = splat(stage->weights[0]), w1 = splat(stage->weights[1]), w2 = splat(stage->weights[2]);
  const crLanes w3 = splat(stage->weights[3]), w4 = splat(stage->weights[4]);
  const crBall* ball = lanes->balls + from;
  double* F = target->rows + (size_t)CR_BALL_ROW * ((size_t)from - target->first);
  const double *y = stage->start + rowOf(from), *f = stage->startRates + rowOf(from);
  const double *last = stage->last + rowOf(from), *before = stage->before + rowOf(from);
  double* out = stage->out + rowOf(from);
  for (int k = from; k < to; ++k, ++ball, F += CR_BALL_ROW) {
    crLanes rates[3] = { load(last + CR_BALL_WIDTH), findAcceleration(ball, F), findTurning(ball, F) };
    clearForce(F);
    for (int i = 0; i < 3; ++i, y += 4, f += 4, last += 4, before += 4, out += 4) {
      store(out, w0 * load(y) + w1 * load(last) + w2 * load(before) + w3 * rates[i] + w4 * load(f));
    }
  }
}

// Contacts are in the order of their first ball, which is the one of the smaller number. So all forces on a ball are
// there when contacts of the next one come, and its stage is formed at once, while its rows are at hand.
static double computeNext(const crBallLanes* lanes, const crLaneStage* stage)
{
  const crBallLists* pairs = &lanes->pairs;
  Target target = { lanes->forces, 0, 0 };
  int ordered = crFindOrdered(pairs), done = 0;
  crLanes power = pushWalls(lanes, &lanes->walls, stage->last, &target, NULL, false, false);
  double solids = pushSolids(lanes, stage->last, &target, false);
  power += pushStage(pairs, stage->last, ordered, pairs->count, &target);
  for (int i = 0; i < ordered; i += CR_BALL_BLOCK) {
    int end = i + CR_BALL_BLOCK < ordered ? i + CR_BALL_BLOCK : ordered;
    power += pushStage(pairs, stage->last, i, end, &target);
    int whole = end < ordered ? pairs->a[end] : lanes->count;
    finishStage(lanes, &target, stage, done, whole);
    done = whole;
  }
  finishStage(lanes, &target, stage, done, lanes->count);
  return addLanes(power) + solids;
}

// ------------------------------------------------------------------------------------------------ parts

// What all parts of an evaluation need: a stage that follows, or rates at the end of a step.
typedef struct Shared {
  crBallLanes* lanes;
  const crLaneStage* stage; // NULL: the end
  Rates rates;
} Shared;

static crLanes pushSteps(const crBallLists* lists, const double* y, int from, int to, const Target* target,
                         double* powers, bool isEnd, bool isUneven)
{
  return isEnd      ? isUneven ? pushSome(lists, y, from, to, target, powers, true, false, true)
                               : pushSome(lists, y, from, to, target, powers, true, true, true)
              : isUneven ? pushSome(lists, y, from, to, target, powers, false, false, true)
                    : pushSome(lists, y, from, to, target, powers, false, true, true);
}

// What copies are at the end of a step becomes that of their originals.
static void takeHome(const crBallLists* from, crBallLists* to)
{
  for (int k = 0; k < CR_POINT_ARRAYS; ++k) {
    const double* own = from->points + (size_t)k * (size_t)from->room;
    double* home = to->points + (size_t)k * (size_t)to->room;
    for (int i = 0; i < from->count; ++i) {
      if (from->homes[i] >= 0) {
        home[from->homes[i]] = own[i];
      }
    }
  }
}

static void evalPart(void* context, int number)
{
  Shared* shared = context;
  crBallLanes* lanes = shared->lanes;
  crBallPart* part = &lanes->parts[number];
  const crLaneStage* stage = shared->stage;
  crBallLists* pairs = &lanes->pairs;
  bool isEnd = stage == NULL, isUneven = pairs->isUneven;
  const double* y = isEnd ? shared->rates.y : stage->last;
  Target target = { part->forces, (unsigned)part->first, (unsigned)(part->end - part->first) };
  crPowerPlaces places = crFindPowerPlaces(lanes);
  int ordered = crFindOrdered(pairs), done = part->first;
  (void)(isEnd ? pushWalls(lanes, &part->walls, y, &target, lanes->powers, true, true)
               : pushWalls(lanes, &part->walls, y, &target, lanes->powers, false, true));
  for (int i = 0; i < lanes->solids.count; ++i) {
    if (lanes->solids.a[i] >= part->first && lanes->solids.a[i] < part->end) {
      lanes->powers[places.solids + i] = pushSolid(lanes, i, y, findRow(&target, lanes->solids.a[i], true), isEnd);
    }
  }
  // homes are places among all pairs, of which powers have those that are not in order
  (void)pushSteps(&part->odd, y, 0, part->odd.count, &target, lanes->powers + places.odd - ordered, isEnd, isUneven);
  for (int i = part->from; i < part->to; i += CR_BALL_BLOCK) {
    int end = endBlock(i, part->to), whole = end < part->to ? pairs->a[end] : part->end;
    crLanes power = end > part->own ? pushSteps(pairs, y, i, end, &target, NULL, isEnd, isUneven)
                    : isEnd         ? pushEnd(pairs, y, i, end, &target)
                                    : pushStage(pairs, y, i, end, &target);
    store(lanes->powers + places.blocks + CR_BALL_WIDTH * (i / CR_BALL_BLOCK), power);
    if (!isEnd) {
      finishStage(lanes, &target, stage, done, whole);
      done = whole;
    }
  }
  if (isEnd) {
    takeHome(&part->walls, &lanes->walls);
    takeHome(&part->odd, pairs);
    part->isGood = finishRates(lanes, &target, &shared->rates, part->first, part->end);
  } else {
    finishStage(lanes, &target, stage, done, part->end);
  }
  clearForce(target.rows + (size_t)CR_BALL_ROW * target.count);
}

double crBallLanes_ComputeNext(crBallLanes* lanes, const crLaneStage* stage)
{
  if (!lanes->areShared) {
    return computeNext(lanes, stage);
  }
  Shared shared = { lanes, stage, { NULL, NULL, NULL } };
  crCrew_Run(lanes->crew, evalPart, &shared);
  return crBallLanes_AddPowers(lanes);
}

void crBallLanes_FillStage(crBallLanes* lanes, const double* y)
{
  for (int k = 0; k < lanes->count; ++k, y += CR_BALL_STATES) {
    double* out = lanes->stage + rowOf(k);
    for (int i = 0; i < 3; ++i) {
      out[i] = y[i];
      out[CR_BALL_WIDTH + i] = y[CR_BALL_VELOCITY + i];
      out[2 * CR_BALL_WIDTH + i] = y[CR_BALL_SPIN + i];
    }
  }
}

static crStatus finishAll(const crBallLanes* lanes, const Rates* rates, double power)
{
  Target target = { lanes->forces, 0, 0 };
  bool areFinite = finishRates(lanes, &target, rates, 0, lanes->count);
  return areFinite && 0.0 * power == 0.0 ? cr_ok : cr_retry;
}

crStatus crBallLanes_ComputeRates(crBallLanes* lanes, const double* y, double* outRates, double* outDissipation)
{
  crBallLanes_FillStage(lanes, y);
  *outDissipation = pushAll(lanes, lanes->stage, false);
  Rates rates = { lanes->stage, outRates, NULL };
  return finishAll(lanes, &rates, *outDissipation);
}

crStatus crBallLanes_EvalPoints(crBallLanes* lanes, const double* stage, double* outRates, double* outStageRates,
                                double* outDissipation)
{
  Shared shared = { lanes, NULL, { stage, outRates, outStageRates } };
  if (!lanes->areShared) {
    *outDissipation = pushAll(lanes, stage, true);
    return finishAll(lanes, &shared.rates, *outDissipation);
  }
  crCrew_Run(lanes->crew, evalPart, &shared);
  *outDissipation = crBallLanes_AddPowers(lanes);
  bool areFinite = 0.0 * *outDissipation == 0.0;
  for (int i = 0; i < lanes->partCount; ++i) {
    areFinite = areFinite && lanes->parts[i].isGood;
  }
  return areFinite ? cr_ok : cr_retry;
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
    *outW = crReadBallVec3(state + CR_BALL_SPIN);
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
