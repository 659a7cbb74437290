// Steps of islands in the order of their clocks.
#include "force.h"

#include <stdlib.h>

#define REGIME_STEP 5e-5      // [s] first step behind a change of regime
#define NEARLY_OVER 1e-13     // [s] short of the stop time by rounding
#define MIN_STEP 1e-15        // [s]
#define EVENT_PRECISION 1e-10 // [m]
#define FALSE_HIT 1e-8        // [m] a redone step that misses by more met nothing
#define MAX_IDLE 1000000      // turns without progress: something is wrong

// What the search behind a step found.
typedef struct Event {
  double time;
  Pending kind;
  int ball, other, partner; // as in Island
} Event;

static _Noreturn void stop(const char* what, double t)
{
  fprintf(stderr, "prototype: %s at %.15g s\n", what, t);
  exit(1);
}

// ------------------------------------------------------------------------------------------------- steps

static void beginSegment(World* world, Island* island)
{
  island->from = island->to;
  for (int k = 0; k < island->ballCount; k++) {
    Ball* ball = &world->balls[island->balls[k]];
    memcpy(ball->start, ball->end, sizeof ball->start);
    memcpy(ball->startRates, ball->endRates, sizeof ball->startRates);
    memcpy(ball->startTurn, ball->endTurn, sizeof ball->startTurn);
  }
}

static void standStill(World* world, Island* island)
{
  for (int k = 0; k < island->ballCount; k++) {
    Ball* ball = &world->balls[island->balls[k]];
    memcpy(ball->end, ball->start, sizeof ball->end);
    memcpy(ball->endRates, ball->startRates, sizeof ball->endRates);
    memcpy(ball->endTurn, ball->startTurn, sizeof ball->endTurn);
    setPoint(ball);
  }
}

// An implicit step of given length whose iteration does not converge, or whose error is too large, in several.
static void takeSubsteps(World* world, Island* island, double h)
{
  Ball *ball = &world->balls[island->balls[0]], saved = *ball;
  double t = 0, part = h / 2;
  while (t < h) {
    bool isLast = part >= h - t;
    part = isLast ? h - t : part;
    double error = takeImplicitStep(world, island, part);
    if (!(error >= 0 && error < 1)) {
      part *= 0.3;
      island->hasCollocation = false;
      if (part < 1e-14) {
        stop("a step cannot be redone", island->from);
      }
      continue;
    }
    t = isLast ? h : t + part;
    memcpy(ball->start, ball->end, sizeof ball->start);
    memcpy(ball->startRates, ball->endRates, sizeof ball->startRates);
    memcpy(ball->startTurn, ball->endTurn, sizeof ball->startTurn);
    part *= fmin(4, 0.9 / sqrt(sqrt(error + 1e-6)));
  }
  memcpy(ball->start, saved.start, sizeof ball->start);
  memcpy(ball->startRates, saved.startRates, sizeof ball->startRates);
  memcpy(ball->startTurn, saved.startTurn, sizeof ball->startTurn);
  setPath(ball, h, ball->startRates, ball->endRates);
}

// Takes the last step again so that it ends at t.
static void redoStep(World* world, Island* island, double t)
{
  double h = t - island->from;
  world->counts.redone++;
  island->to = t;
  if (h <= 0) {
    standStill(world, island);
    island->hasCollocation = false;
  } else if (isImplicit(world, island)) {
    island->hasCollocation = false;
    double error = takeImplicitStep(world, island, h);
    if (!(error >= 0 && error < 4)) {
      takeSubsteps(world, island, h);
    }
  } else {
    takeExplicitStep(world, island, h);
  }
}

// [s] until slip or spin of a ball falls to v_min, where the law has a kink.
static double findRegimeChange(const World* world, const Island* island)
{
  const double *s = world->balls[island->balls[0]].start, *a = world->balls[island->balls[0]].startRates;
  double x = s[3] - RADIUS * s[7], y = s[4] + RADIUS * s[6], slip = sqrt(x * x + y * y);
  double slipSlope = x * (a[0] - RADIUS * a[4]) + y * (a[1] + RADIUS * a[3]); // times slip
  double spin = sqrt(s[6] * s[6] + s[7] * s[7] + s[8] * s[8]), spinSlope = s[6] * a[3] + s[7] * a[4] + s[8] * a[5];
  double h = HUGE_VAL;
  if (slip > V_MIN * 1.0001 && slipSlope < 0) {
    h = (slip - V_MIN) * slip / -slipSlope;
  }
  if (spin > V_MIN * 1.0001 && spinSlope < 0 && slip < V_MIN) {
    h = fmin(h, (spin - V_MIN) * spin / -spinSlope);
  }
  return h;
}

// The grid knows cells, so no step may lead farther than one.
static double findMaxStep(const World* world, const Island* island)
{
  double h = world->stopTime - island->from;
  for (int k = 0; world->usesGrid && k < island->ballCount; k++) {
    const double* s = world->balls[island->balls[k]].start;
    h = fmin(h, 0.12 / (sqrt(s[3] * s[3] + s[4] * s[4]) + 1e-9));
  }
  return h;
}

// Factor of the next step; the step was good when error < 1 (implicit) or error <= 1.
static double findFactor(const World* world, Island* island, bool isStiff, double error)
{
  if (isStiff) {
    if (error < 0) {
      return 0.5;
    }
    double factor = 0.9 * 19.0 / (18 + world->counts.iterations) / sqrt(sqrt(error + 1e-12));
    factor = fmin(8, fmax(0.125, factor));
    return error >= 1 ? fmin(0.9, factor) : factor;
  }
  double factor = 0.9 * pow(error + 1e-30, -0.17) * pow(island->lastError, 0.04);
  return factor > 0.2 ? fmin(5, factor) : 0.2;
}

// Steps until one is accepted, from `from` to `to`; the size of the next one is kept.
static void takeStep(World* world, Island* island)
{
  bool isStiff = isImplicit(world, island), isRejected = false;
  double h = island->step, longest = findMaxStep(world, island), next;
  double regime = isStiff ? findRegimeChange(world, island) : HUGE_VAL;
  for (;;) {
    h = fmin(fmin(h, longest), regime);
    if (h < MIN_STEP) {
      stop("the step is too small", island->from);
    }
    double error = isStiff ? takeImplicitStep(world, island, h) : takeExplicitStep(world, island, h);
    double factor = findFactor(world, island, isStiff, error);
    if (isStiff ? error >= 0 && error < 1 : error <= 1) {
      next = h * (isRejected ? fmin(1, factor) : factor);
      island->lastError = fmax(error, 1e-4);
      break;
    }
    island->hasCollocation = island->hasCollocation && error >= 0;
    h *= factor;
    isRejected = true;
    world->counts.rejectedSteps++;
  }
  island->isFirst = island->isFirst && !isStiff;
  world->counts.implicitSteps += isStiff;
  world->counts.explicitSteps += !isStiff;
  if (h == regime) {
    next = fmin(next, REGIME_STEP);
  } else if (h == longest && next < island->step) {
    next = fmin(island->step, fmax(next, h)); // it was cut: what was planned still holds
  }
  island->to = h == world->stopTime - island->from ? world->stopTime : island->from + h;
  island->step = next;
}

// ------------------------------------------------------------------------------------------------ search

static void keepEarlier(Event* event, Event found)
{
  if (found.time < event->time) {
    *event = found;
  }
}

// [m] least distance of a path's box from a plane, less the radius.
static double leastGap(const World* world, const Ball* ball, int plane)
{
  switch (plane) {
    case 0: return ball->low[2] - RADIUS;
    case 1: return world->halfX - ball->high[0] - RADIUS;
    case 2: return world->halfX + ball->low[0] - RADIUS;
    case 3: return world->halfY - ball->high[1] - RADIUS;
    default: return world->halfY + ball->low[1] - RADIUS;
  }
}

// Whether a ball neither touches a wall nor comes near one.
static bool isAwayFromWalls(const World* world, const Ball* ball)
{
  double x = world->halfX - RADIUS, y = world->halfY - RADIUS;
  return ball->touches <= 1 && ball->high[0] < x && ball->low[0] > -x && ball->high[1] < y && ball->low[1] > -y;
}

static void searchPlane(const World* world, const Island* island, int number, int plane, Event* event)
{
  const Ball* ball = &world->balls[number];
  bool isOn = (ball->touches >> plane & 1) != 0;
  if (isOn ? planeGap(world, ball->end, plane) < 0 : leastGap(world, ball, plane) > -CONTACT_DEPTH) {
    return;
  }
  double values[6];
  for (int i = 0; i < 6; i++) {
    values[i] = (isOn ? -1 : 1) * planeGap(world, ball->control[i], plane);
  }
  if (isOn && values[0] <= 0) {
    values[0] = 1e-300; // it touches, whatever rounding says
  }
  double s = findPlaneHit(values, isOn ? 0 : -CONTACT_DEPTH);
  if (s <= 1 || isOn) {
    double t = island->from + fmin(s, 1) * (island->to - island->from);
    keepEarlier(event, (Event){ t, pendingInside, number, -1 - plane, -1 });
  }
}

static void searchEnds(const World* world, const Island* island, Event* event)
{
  double h = island->to - island->from, low, high, p[3], q[3], v[3], a[3];
  for (int k = 0; k < island->touchCount; k++) {
    const Touch* touch = &island->touches[k];
    const Ball *x = &world->balls[touch->a], *y = &world->balls[touch->b];
    if (pairGap(x->end, y->end) < 0) {
      continue;
    }
    for (low = 0, high = 1; high - low > 1e-12;) {
      double s = 0.5 * (low + high);
      readPath(x, h, s, p, v, a);
      readPath(y, h, s, q, v, a);
      if (pairGap(p, q) >= 0) {
        high = s;
      } else {
        low = s;
      }
    }
    keepEarlier(event, (Event){ island->from + high * h, pendingInside, touch->a, touch->b, -1 });
  }
}

// Whether the boxes of two paths come within two radii.
static bool isNear(const Ball* x, const Ball* y)
{
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double left = x->low[k] - y->high[k], right = y->low[k] - x->high[k], gap = left > right ? left : right;
    if (gap > 2 * RADIUS) {
      return false;
    }
    square += gap > 0 ? gap * gap : 0;
  }
  return square <= 4 * RADIUS * RADIUS;
}

static bool isTouching(const Island* island, int a, int b)
{
  for (int k = 0; k < island->touchCount; k++) {
    const Touch* touch = &island->touches[k];
    if ((touch->a == a && touch->b == b) || (touch->a == b && touch->b == a)) {
      return true;
    }
  }
  return false;
}

static void searchInside(World* world, const Island* island, Event* event)
{
  for (int k = 0; k < island->ballCount; k++) {
    for (int m = k + 1; m < island->ballCount; m++) {
      int a = island->balls[k], b = island->balls[m];
      const Ball *x = &world->balls[a], *y = &world->balls[b];
      if (isNear(x, y) && !isTouching(island, a, b)) {
        double t = findBallHit(world, x, island, y, island, island->from, island->to);
        keepEarlier(event, (Event){ t, pendingInside, a, b, -1 });
      }
    }
  }
}

static void searchOutside(World* world, const Island* island, Event* event)
{
  for (int k = 0; k < island->ballCount; k++) {
    const Ball* x = &world->balls[island->balls[k]];
    findNeighbours(world, island->balls[k]);
    for (int m = 0; m < world->candidateCount; m++) {
      const Ball* y = &world->balls[world->candidates[m]];
      if (!isNear(x, y)) {
        continue;
      }
      const Island* other = &world->islands[y->island];
      double to = fmin(fmin(island->to, other->to), event->time);
      if (to >= island->from) {
        double t = findBallHit(world, x, island, y, other, island->from, to);
        keepEarlier(event, (Event){ t, pendingMerge, island->balls[k], world->candidates[m], y->island });
      }
    }
  }
}

static Event findEvent(World* world, const Island* island)
{
  Event event = { HUGE_VAL, pendingNone, -1, -1, -1 };
  for (int k = 0; k < island->ballCount; k++) {
    int planes = isAwayFromWalls(world, &world->balls[island->balls[k]]) ? 1 : PLANES;
    for (int plane = 0; plane < planes; plane++) {
      searchPlane(world, island, island->balls[k], plane, &event);
    }
  }
  searchEnds(world, island, &event);
  searchInside(world, island, &event);
  if (!world->isGlobal) {
    searchOutside(world, island, &event);
  }
  return event;
}

// --------------------------------------------------------------------------------------------- truncation

static void placeIsland(World* world, int id)
{
  const Island* island = &world->islands[id];
  for (int k = 0; k < island->ballCount; k++) {
    placeInGrid(world, island->balls[k]);
  }
  moveClock(world, id);
}

static void cancelPending(World* world, Island* island)
{
  if (island->pending == pendingMerge) {
    Island* partner = &world->islands[island->partner];
    partner->pending = pendingNone;
    partner->partner = -1;
  }
  island->pending = pendingNone;
  island->partner = -1;
}

// [m] how far the cause of an event is behind its threshold, at the ends of the steps.
static double readEvent(const World* world, const Island* island, const Event* event, double* outRate)
{
  const double* state = world->balls[event->ball].end;
  bool isEnd;
  if (event->other >= 0) {
    const double* other = world->balls[event->other].end;
    isEnd = event->kind == pendingInside && isTouching(island, event->ball, event->other);
    *outRate = pairRate(state, other);
    return pairGap(state, other) + (isEnd ? 0 : CONTACT_DEPTH);
  }
  int plane = -1 - event->other;
  isEnd = (world->balls[event->ball].touches >> plane & 1) != 0;
  *outRate = planeRate(state, plane);
  return planeGap(world, state, plane) + (isEnd ? 0 : CONTACT_DEPTH);
}

// Redoes the steps of all who take part so that they end at the event; its time is mended by Newton's method. Returns
// by how much the event is missed [m].
static double stopAtEvent(World* world, Island* island, Island* partner, Event* event)
{
  double low = island->from, high = partner != NULL ? fmin(island->to, partner->to) : island->to, gap = 0, rate;
  double partnerTo = partner != NULL ? partner->to : 0;
  for (int i = 0; i < 4; i++) {
    redoStep(world, island, event->time);
    if (partner != NULL && (event->time < partnerTo || i > 0)) {
      redoStep(world, partner, event->time);
    }
    gap = readEvent(world, island, event, &rate);
    if (fabs(gap) < EVENT_PRECISION || event->time <= island->from || rate == 0) {
      break;
    }
    double better = event->time - gap / rate;
    better = better > low ? better : 0.5 * (event->time + low);
    better = better < high ? better : 0.5 * (event->time + high);
    if (fabs(better - event->time) < 1e-15) {
      break;
    }
    event->time = better;
  }
  return event->time > island->from ? fabs(gap) : 0;
}

// A merge whose partner has an event of its own at that very time: the partner goes first. True: it was so.
static bool letPartnerGoFirst(World* world, int id, const Event* event)
{
  Island *island = &world->islands[id], *partner = &world->islands[event->partner];
  if (partner->pending == pendingNone) {
    return false;
  }
  if (event->time <= island->from && partner->to <= island->from) {
    redoStep(world, island, island->from);
    moveClock(world, id);
    resolveEvent(world, event->partner);
    return true;
  }
  if (event->time >= partner->to) {
    redoStep(world, island, event->time);
    placeIsland(world, id);
    return true;
  }
  return false;
}

static void truncateSteps(World* world, int id, Event event)
{
  Island* island = &world->islands[id];
  Island* partner = event.kind == pendingMerge ? &world->islands[event.partner] : NULL;
  double miss = stopAtEvent(world, island, partner, &event);
  if (partner != NULL) {
    cancelPending(world, partner);
  }
  bool isReal = miss <= FALSE_HIT;
  world->counts.falseHits += !isReal;
  island->pending = isReal ? event.kind : pendingNone;
  island->partner = isReal ? event.partner : -1;
  island->ball = event.ball;
  island->other = event.other;
  if (partner != NULL && isReal) {
    partner->pending = pendingMerge;
    partner->partner = id;
    partner->ball = event.ball;
    partner->other = event.other;
  }
  placeIsland(world, id);
  if (partner != NULL) {
    placeIsland(world, event.partner);
  }
}

static void advanceIsland(World* world, int id)
{
  Island* island = &world->islands[id];
  beginSegment(world, island);
  if (world->stopTime - island->from < NEARLY_OVER) {
    standStill(world, island);
    island->to = world->stopTime;
    moveClock(world, id);
    return;
  }
  takeStep(world, island);
  Event event = findEvent(world, island);
  if (event.kind == pendingNone) {
    placeIsland(world, id);
  } else if (event.kind != pendingMerge || !letPartnerGoFirst(world, id, &event)) {
    truncateSteps(world, id, event);
  }
}

// ------------------------------------------------------------------------------------------------- world

World* createWorld(int ballCount)
{
  size_t n = (size_t)ballCount;
  World* world = calloc(1, sizeof *world);
  world->ballCount = ballCount;
  world->balls = calloc(n, sizeof *world->balls);
  world->islands = calloc(n + 2, sizeof *world->islands);
  world->freeIslands = calloc(n + 2, sizeof(int));
  world->heap = calloc(n + 2, sizeof(int));
  world->stamps = calloc(n, sizeof(int));
  world->kPlane = wallStiffness();
  world->kBall = ballStiffness();
  for (int i = 0; i < ballCount; i++) {
    world->balls[i].endTurn[0] = 1;
    world->balls[i].cells[0] = -1;
  }
  return world;
}

void destroyWorld(World* world)
{
  for (int i = 0; i < world->ballCount + 2; i++) {
    free(world->islands[i].balls);
    free(world->islands[i].touches);
  }
  for (int i = 0; world->cells != NULL && i < world->gridX * world->gridY; i++) {
    free(world->cells[i].balls);
  }
  free(world->cells);
  free(world->balls);
  free(world->islands);
  free(world->freeIslands);
  free(world->heap);
  free(world->stamps);
  free(world->candidates);
  free(world->work);
  free(world);
}

void startWorld(World* world, double stopTime)
{
  world->stopTime = stopTime;
  world->implicitTolerance = pow(world->tolerance, 2.0 / 3); // orders 5 and 3 of result and error estimate
  createGrid(world);
  for (int i = 0; i < world->ballCount; i++) {
    addBall(world, world->isGlobal && i > 0 ? 0 : createIsland(world), i);
  }
  for (int id = 0; id < world->islandCount; id++) {
    Island* island = &world->islands[id];
    island->to = 0;
    flipContacts(world, island, -1, -PLANES - 1);
    restartIsland(world, island);
    insertClock(world, id);
  }
}

void runWorld(World* world, double t)
{
  double last = -1;
  for (long idle = 0; world->islands[world->heap[0]].to < t; idle++) {
    int id = world->heap[0];
    if (world->islands[id].to > last) {
      last = world->islands[id].to;
      idle = 0;
    }
    if (idle > MAX_IDLE) {
      stop("stuck", last);
    }
    if (world->islands[id].pending != pendingNone) {
      resolveEvent(world, id);
    } else {
      advanceIsland(world, id);
    }
  }
}

void readPosition(const World* world, int ball, double t, double p[3])
{
  const Island* island = &world->islands[world->balls[ball].island];
  double length = island->to - island->from, v[3], a[3];
  readPath(&world->balls[ball], length, length > 0 ? (t - island->from) / length : 1, p, v, a);
}
