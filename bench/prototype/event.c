// Events: contacts begin and end, islands merge and split.
#include "force.h"

#include <stdlib.h>

#define SAME_PLACE 1e-12 // [m] what is this near to its threshold flips in the same event

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

static void flipPlanes(World* world, Ball* ball, int cause)
{
  for (int plane = 0; plane < PLANES; plane++) {
    double gap = planeGap(world, ball->end, plane);
    bool isCause = cause == -1 - plane;
    if ((ball->touches >> plane & 1) != 0) {
      if (isCause || gap >= -SAME_PLACE) {
        ball->touches &= ~(1u << plane);
      }
    } else if (isCause || gap <= -CONTACT_DEPTH + SAME_PLACE) {
      double cor = plane == 0 ? world->corTable : world->corWall;
      ball->damping[plane] = findDamping(cor, planeRate(ball->end, plane));
      ball->touches |= 1u << plane;
      ball->stiffCount = plane == 0 ? 0 : ball->stiffCount;
    }
  }
}

// True: the cause of the event was among them.
static bool endTouches(World* world, Island* island, int ball, int other)
{
  bool isFound = false;
  for (int k = 0; k < island->touchCount;) {
    Touch* touch = &island->touches[k];
    bool isCause = !isFound && touch->a == ball && touch->b == other;
    if (isCause || pairGap(world->balls[touch->a].end, world->balls[touch->b].end) >= -SAME_PLACE) {
      isFound = isFound || isCause;
      *touch = island->touches[--island->touchCount];
    } else {
      k++;
    }
  }
  return isFound;
}

static void beginTouches(World* world, Island* island, int ball, int other)
{
  for (int k = 0; k < island->ballCount; k++) {
    for (int m = k + 1; m < island->ballCount; m++) {
      int a = island->balls[k], b = island->balls[m];
      const double *p = world->balls[a].end, *q = world->balls[b].end;
      bool isCause = (ball == a && other == b) || (ball == b && other == a);
      if (!isCause && (fabs(p[0] - q[0]) > 2 * RADIUS || pairGap(p, q) > -CONTACT_DEPTH + SAME_PLACE)) {
        continue;
      }
      if (!isTouching(island, a, b)) {
        Touch touch = { a < b ? a : b, a < b ? b : a, findDamping(1, pairRate(p, q)) };
        addTouch(island, touch);
      }
    }
  }
}

// Flips the cause and everything that is at its threshold, too: simultaneous events are one.
void flipContacts(World* world, Island* island, int ball, int other)
{
  for (int k = 0; k < island->ballCount; k++) {
    flipPlanes(world, &world->balls[island->balls[k]], island->balls[k] == ball ? other : 0);
  }
  if (endTouches(world, island, ball, other)) {
    ball = other = -PLANES - 1; // done
  }
  beginTouches(world, island, ball, other);
}

// A segment without length at the clock, with the forces of the contacts as they are now.
void restartIsland(World* world, Island* island)
{
  int n = island->ballCount;
  double* states = calloc((size_t)n, sizeof(double) * (STATE_SIZE + 6));
  double* rates = states + STATE_SIZE * n;
  for (int k = 0; k < n; k++) {
    Ball* ball = &world->balls[island->balls[k]];
    ball->place = k;
    memcpy(states + STATE_SIZE * k, ball->end, sizeof ball->end);
  }
  computeAccelerations(world, island, states, rates);
  for (int k = 0; k < n; k++) {
    Ball* ball = &world->balls[island->balls[k]];
    memcpy(ball->endRates, rates + 6 * k, sizeof ball->endRates);
    memcpy(ball->startRates, ball->endRates, sizeof ball->startRates);
    memcpy(ball->start, ball->end, sizeof ball->start);
    memcpy(ball->startTurn, ball->endTurn, sizeof ball->startTurn);
    setPoint(ball);
    placeInGrid(world, island->balls[k]);
  }
  free(states);
  island->from = island->to;
  island->pending = pendingNone;
  island->partner = -1;
  island->isFirst = true;
  island->hasCollocation = false;
  island->lastError = 1e-4;
  island->step = isImplicit(world, island) ? IMPLICIT_FIRST_STEP : EXPLICIT_FIRST_STEP;
  world->counts.largestIsland = n > world->counts.largestIsland ? n : world->counts.largestIsland;
}

// ------------------------------------------------------------------------------------------------ splitting

static int findRoot(int* parents, int k)
{
  while (parents[k] != k) {
    k = parents[k] = parents[parents[k]];
  }
  return k;
}

// For each ball of the island the first ball of its component; returns the number of components.
static int findComponents(const World* world, const Island* island, int* parents)
{
  int count = island->ballCount;
  for (int k = 0; k < island->ballCount; k++) {
    parents[k] = k;
  }
  for (int k = 0; k < island->touchCount; k++) {
    int a = findRoot(parents, world->balls[island->touches[k].a].place);
    int b = findRoot(parents, world->balls[island->touches[k].b].place);
    if (a != b) {
      parents[a > b ? a : b] = a > b ? b : a;
      count--;
    }
  }
  for (int k = 0; k < island->ballCount; k++) {
    parents[k] = findRoot(parents, k);
  }
  return count;
}

// The first component keeps the number of the island.
static void splitIsland(World* world, int id, const int* parents, int* ids)
{
  Island whole = world->islands[id];
  Island* first = &world->islands[id];
  first->balls = NULL;
  first->touches = NULL;
  first->ballCount = first->ballCapacity = first->touchCount = first->touchCapacity = 0;
  for (int k = 0; k < whole.ballCount; k++) {
    if (parents[k] == k) {
      ids[k] = k == 0 ? id : createIsland(world);
      world->islands[ids[k]].to = whole.to;
    }
    addBall(world, ids[parents[k]], whole.balls[k]);
  }
  for (int k = 0; k < whole.touchCount; k++) {
    addTouch(&world->islands[world->balls[whole.touches[k].a].island], whole.touches[k]);
  }
  for (int k = 0; k < whole.ballCount; k++) {
    if (parents[k] == k) {
      restartIsland(world, &world->islands[ids[k]]);
      if (k == 0) {
        moveClock(world, id);
      } else {
        insertClock(world, ids[k]);
      }
    }
  }
  free(whole.balls);
  free(whole.touches);
}

static void mergeWith(World* world, int id, int partner)
{
  Island *island = &world->islands[id], *other = &world->islands[partner];
  for (int k = 0; k < other->ballCount; k++) {
    addBall(world, id, other->balls[k]);
  }
  for (int k = 0; k < other->touchCount; k++) {
    addTouch(island, other->touches[k]);
  }
  removeClock(world, partner);
  releaseIsland(world, partner);
  world->counts.merges++;
}

// The pending event of an island, which is the earliest of all.
void resolveEvent(World* world, int id)
{
  Island* island = &world->islands[id];
  world->counts.events++;
  if (island->pending == pendingMerge) {
    mergeWith(world, id, island->partner);
  }
  island->pending = pendingNone;
  island->partner = -1;
  for (int k = 0; k < island->ballCount; k++) {
    world->balls[island->balls[k]].place = k;
  }
  flipContacts(world, island, island->ball, island->other);
  int count = 1, *parents = malloc(2 * sizeof(int) * (size_t)island->ballCount);
  if (island->ballCount > 1 && !world->isGlobal) {
    count = findComponents(world, island, parents);
  }
  if (count > 1) {
    world->counts.splits += count - 1;
    splitIsland(world, id, parents, parents + island->ballCount);
  } else {
    restartIsland(world, island);
    moveClock(world, id);
  }
  free(parents);
}
