// The first contact of one pair of shapes in the stretch of time that their segments share.
//
// Distance and rate at both ends of the stretch bound the distance between them (motion_bound.h); where these bounds do
// not say that nothing happens, planes along the ways of both bodies do (path_bound.h), or tell how far nothing does:
// the search goes on from there, so that the first contact is found, until the distance is deep enough for an event. A
// pair that hugs the threshold makes steps in which it cannot come deeper than half a per cent of that. Ends of
// contacts are zeros of the distance between ends of opposite sign.
#include "collide/area/ground_depth.h"
#include "collide/distance/parallel.h"
#include "collide/distance/wall.h"
#include "contact/ball_lanes_inside.h"
#include "island/ground_bound.h"
#include "island/island.h"
#include "island/surface_bound.h"

#define CR_END_SHARE 0.005   // [-] of epsilon: how near to 0 the distance is where a contact ends
#define CR_BEGIN_AIM 2.0     // [-] depth over epsilon at which a contact begins
#define CR_BEGIN_FOUND 1.99  // [-] likewise, at which a search has found it
#define CR_MAX_CROSSING 100  // evaluations for one crossing
#define CR_BEGIN_SLACK 0.005 // [-] of epsilon: how far the distance may be from the one aimed at
#define CR_JUST_BEFORE 1e-9  // [-] of a stretch of time, before the end of a contact
#define CR_PATH_TURN 1.0     // [rad] that a body turns by in a stretch that few places tell of
#define CR_PATH_GAIN 2.0     // [-] of what is known to be free: ways that are not longer are not looked at
#define CR_PATH_AIM 0.9      // [-] of the time to a contact at the rate that is: how far ways are looked at
#define CR_PATH_SHARE 0.25   // [-] of a way that has to be free; else a shorter one is looked at,
#define CR_PATH_SHRINK 0.25  // [-] by this factor;
#define CR_KINK_ERROR                                                                                                  \
  5.6e-3 // [-] of h f: what a step of dopri5 misses, at most, of a force that ends in it as (t_e - t)^1.5,
         // f being that force at a time h before its end
#define CR_SLIGHT_SHARE 0.3 // [-] of the error of a step that one such end may have
#define CR_ELDERS 4         // contacts that a touch may have come over from
#define CR_BALL_FREEDOMS 9  // states of a ball that count in norms
#define CR_PATH_GROWTH 4.0  // [-] and after one that is free a longer one

static bool isBall(const crIslands* islands, int shape)
{
  int tree = islands->table->facts[shape].tree;
  return tree >= 0 && islands->isRound[tree];
}

typedef struct Pair {
  const crIsland* island; // whose segment is searched
  int a, b;
  const crTouchingPair* touching; // NULL: not in contact
  const crContacts* contacts;
  double epsilon;
  double A;       // [m/s^2] bound of the acceleration along the normal, with the rates of all that may become nearest
  double longest; // [s] of the stretches that are told by few places; 0: planes tell nothing of these shapes
  double ta, tb;  // [s] the stretch of time that both segments share
  int other;
  crSurfaceView view;    // of a surface of a profile, if one of both is,
  double ofSurface;      // [m/s^2] bound of the acceleration that it sees
  crGroundView below;    // of smooth ground, if one of both is and the other one is no ball
  bool isHalf;           // one of two halves of a wall, neither of which is in a contact: the nearer one bounds both
  bool isHeld;           // a contact, whose touch goes on behind the end of its chain
  int elders[CR_ELDERS]; // shapes: chains before and behind that of the pair, or over an edge, which a contact of its
                         // solids has; -1: none
} Pair;

// A touch at one time. Its rate is that of the distance; `least` and `most` bound the rates of all that could become
// nearest along its normal, since a touch may wander to points that move faster.
typedef struct Side {
  double distance, rate;
  double nearest;     // [m] not more than the distance: that of what may take its place at once
  double least, most; // [m/s]
  crVec3 normal;
  bool isBlind; // outlines see each other from behind: what is nearer than the distance will be seen, if it was not
                // passed
  crBodyPlace places[2];
  crSurfaceSight sight; // of a surface
} Side;

// Whether the contact of another chain has gone over to that of the pair, so that the touch is its.
static bool isTaken(const crModel* model, const Pair* pair, int elder, const crBodyPlace places[2])
{
  bool isA = crIsSurface(&model->shapes[pair->a]);
  int a = isA ? elder : pair->a, b = isA ? pair->b : elder;
  crPose X_WA = crMulPose(places[0].X, model->contactShapes[a].X_BS),
         X_WB = crMulPose(places[1].X, model->contactShapes[b].X_BS);
  crTouch touch;
  return crComputeHeldTouch(&model->shapes[a], &X_WA, &model->shapes[b], &X_WB, NULL, &touch) && touch.distance < 0.0;
}

// The touch at time t, and places of both bodies.
static crStatus lookAt(crWorker* worker, const Pair* pair, double t, crTouch* outTouch, crBodyPlace places[2])
{
  const crModel* model = worker->islands->model;
  const crContactShape *a = &model->contactShapes[pair->a], *b = &model->contactShapes[pair->b];
  const crShape *solidA = &model->shapes[pair->a], *solidB = &model->shapes[pair->b];
  crStatus status = crWorker_PlaceBody(worker, a->body, t, &places[0]);
  status = status == cr_ok ? crWorker_PlaceBody(worker, b->body, t, &places[1]) : status;
  crPose X_WA = crMulPose(places[0].X, a->X_BS), X_WB = crMulPose(places[1].X, b->X_BS);
  ++worker->pairCount;
  if (pair->isHeld) {
    crComputeHeldTouch(solidA, &X_WA, solidB, &X_WB, NULL, outTouch);
    return status;
  }
  crComputeTouch(solidA, &X_WA, solidB, &X_WB, NULL, outTouch);
  for (int i = 0; i < CR_ELDERS && outTouch->distance < 0.0; ++i) {
    if (pair->elders[i] >= 0 && isTaken(model, pair, pair->elders[i], places)) {
      outTouch->distance = -outTouch->distance;
    }
  }
  return status;
}

// [m/s] Along n: of the point, and how much other points of the shape may differ from it.
typedef struct Speed {
  double ofPoint, ofOrigin, spread;
} Speed;

static Speed computeSpeed(const crModel* model, int shape, const crBodyPlace* place, const crTouch* touch)
{
  crVec3 turn = crCross(place->w, crSub(touch->point, place->X.p));
  double ofOrigin = crDot(place->v, touch->normal);
  double reach = crShape_GetReach(&model->shapes[shape]) + crLength(model->contactShapes[shape].X_BS.p);
  double lever = crLength(crCross(place->w, touch->normal));
  return (Speed){ ofOrigin + crDot(turn, touch->normal), ofOrigin, lever > 0.0 ? lever * reach : 0.0 };
}

// In the plane across parallel axes a roller moves as its axis, and a chain along a normal as a centre of its arcs:
// only what these differ by is unknown, or what its own points do, if that is less. That is so where the touch is that
// of its arcs, and no bound from afar.
static Speed computePlaneSpeed(const crModel* model, int shape, const crBodyPlace* place, const crTouch* touch)
{
  Speed speed = computeSpeed(model, shape, place, touch);
  const crChain* chain = model->shapes[shape].chain;
  double lever = crLength(crCross(place->w, touch->normal));
  double spread = chain != NULL && lever > 0.0 ? lever * chain->spread : 0.0;
  if (spread < speed.spread) {
    speed.ofOrigin = speed.ofPoint;
    speed.spread = spread;
  }
  return speed;
}

// [m/s] Of any point of one shape, seen from any of the other.
static double findTopSpeed(const crModel* model, const Pair* pair, const crBodyPlace places[2])
{
  const int shapes[2] = { pair->a, pair->b };
  double speed = crLength(crSub(places[1].v, places[0].v));
  for (int i = 0; i < 2; ++i) {
    double reach = crShape_GetReach(&model->shapes[shapes[i]]) + crLength(model->contactShapes[shapes[i]].X_BS.p);
    speed += crLength(places[i].w) * reach;
  }
  return speed;
}

// Whether all of an outline lies behind the tangent where it touches, as what is convex does. Of all others any place
// may become the nearest one, in whatever direction.
static bool isConvexOutline(const crShape* shape)
{
  return shape->kind != cr_shapeExtruded || shape->chain->isConvex;
}

// [m] Of the nearer half of a wall.
static double measureHalves(const crModel* model, const Pair* pair, const crBodyPlace places[2])
{
  crPose X_WA = crMulPose(places[0].X, model->contactShapes[pair->a].X_BS),
         X_WB = crMulPose(places[1].X, model->contactShapes[pair->b].X_BS);
  const crShape *a = &model->shapes[pair->a], *b = &model->shapes[pair->b];
  return crIsWall(a) ? crMeasureRoundWall(b, &X_WB, a, &X_WA) : crMeasureRoundWall(a, &X_WA, b, &X_WB);
}

static void measure(const crIslands* islands, const Pair* pair, const crTouch* touch, Side* out)
{
  const crModel* model = islands->model;
  const crShape *shapeA = &model->shapes[pair->a], *shapeB = &model->shapes[pair->b];
  bool isPlane = crIsParallelPair(shapeA, shapeB) && touch->distance <= crFindAfar(shapeA, shapeB);
  Speed a = isPlane ? computePlaneSpeed(model, pair->a, &out->places[0], touch)
                    : computeSpeed(model, pair->a, &out->places[0], touch);
  Speed b = isPlane ? computePlaneSpeed(model, pair->b, &out->places[1], touch)
                    : computeSpeed(model, pair->b, &out->places[1], touch);
  crTouchHold hold = crHoldOfTouch(&model->shapes[pair->a], &model->shapes[pair->b]);
  double own = (hold.onB ? b.ofPoint : b.ofOrigin) - (hold.onA ? a.ofPoint : a.ofOrigin);
  double spread = (hold.onB ? 0.0 : b.spread) + (hold.onA ? 0.0 : a.spread);
  out->distance = out->nearest = touch->distance;
  if (pair->isHalf) {
    out->nearest = fmin(out->distance, measureHalves(model, pair, out->places));
  }
  out->rate = b.ofPoint - a.ofPoint;
  out->least = own - spread;
  out->most = own + spread;
  out->normal = touch->normal;
  out->isBlind = crMaxAbs(touch->normal) == 0.0;
  out->rate = out->isBlind ? 0.0 : out->rate;
  bool isOpen = crIsParallelPair(shapeA, shapeB) && !(isConvexOutline(shapeA) && isConvexOutline(shapeB));
  if (out->isBlind || isOpen || crIsWall(shapeA) || crIsWall(shapeB)) {
    out->most = findTopSpeed(model, pair, out->places);
    out->least = -out->most;
  }
  if (pair->below.ground != NULL) {
    out->most = CR_DEPTH_RATE * findTopSpeed(model, pair, out->places);
    out->least = -out->most;
  }
  if (pair->view.chain != NULL) {
    out->sight = crLookAtSurface(model, pair->a, pair->b, out->places, touch->normal);
    if (!pair->view.isRoller) {
      out->rate = out->least = out->most = out->sight.rate;
    }
  }
}

static crStatus lookAtPair(crWorker* worker, const Pair* pair, double t, Side* out)
{
  crTouch touch;
  crStatus status = lookAt(worker, pair, t, &touch, out->places);
  measure(worker->islands, pair, &touch, out);
  return status;
}

crStatus crWorker_LookAtEnd(crWorker* worker, const crHit* hit, double t, double* outDistance, double* outRate)
{
  Pair pair = { .a = hit->shapeA, .b = hit->shapeB, .isHeld = hit->isEnd, .elders = { -1, -1, -1, -1 } };
  Side side;
  crStatus status = lookAtPair(worker, &pair, t, &side);
  *outDistance = side.distance;
  *outRate = side.rate;
  return status;
}

// Where the distance crosses `target`, between ends on opposite sides of it, by false position with halving (Illinois).
// outTime: within `near` of it, on the side of the right end.
static crStatus findCrossing(crWorker* worker, const Pair* pair, double target, double near, double low, double high,
                             double d0, double d1, double* outTime)
{
  double least = CR_LEAST_PROGRESS * fabs(high), sign = d1 > d0 ? 1.0 : -1.0;
  double f0 = sign * (d0 - target), f1 = sign * (d1 - target); // f0 < 0 <= f1
  int side = 0;
  for (int i = 0; i < CR_MAX_CROSSING && f1 > near && high - low > least; ++i) {
    double t = low - f0 * (high - low) / (f1 - f0);
    t = t > low && t < high ? t : 0.5 * (low + high);
    Side at;
    crStatus status = lookAtPair(worker, pair, t, &at);
    if (status != cr_ok) {
      return status;
    }
    double f = sign * (at.distance - target);
    bool isBehind = f >= 0.0;
    f0 = isBehind ? (side == 1 ? 0.5 * f0 : f0) : f;
    f1 = isBehind ? f : (side == -1 ? 0.5 * f1 : f1);
    high = isBehind ? t : high;
    low = isBehind ? low : t;
    side = isBehind ? 1 : -1;
  }
  *outTime = high;
  return cr_ok;
}

// [s] For how long the distance stays above the floor, from a time on at which it is known; from there back, if
// !isAhead. What is seen from behind can come to the front by no more than will be seen then, but may have come from
// there by any depth.
static double findReach(const Pair* pair, const Side* side, double floor, bool isAhead)
{
  double reach = 0.0, longest = pair->tb - pair->ta, distance = side->isBlind && !isAhead ? floor : side->nearest;
  if (pair->view.chain == NULL || (pair->view.isRoller && isAhead)) { // back from beyond an outline it tells nothing
    reach = crFindReach(distance, isAhead ? side->least : -side->most, pair->A, floor);
  }
  if (pair->view.chain != NULL && reach < longest) {
    reach =
        fmax(reach, crFindSurfaceReach(&pair->view, &side->sight, distance, pair->ofSurface, floor, isAhead, longest));
  }
  return reach;
}

// Places of balls do not turn.
static void stopTurning(const crIslands* islands, const Pair* pair, crBodyPlace places[2])
{
  for (int i = 0; i < 2; ++i) {
    places[i].w = isBall(islands, i == 0 ? pair->a : pair->b) ? crMakeVec3(0.0, 0.0, 0.0) : places[i].w;
  }
}

// Both bodies from t on, where the side is.
static crStatus followPair(crWorker* worker, const Pair* pair, const Side* side, double t, crPath* out)
{
  const crContactShape* shapes = worker->islands->model->contactShapes;
  crStatus status = cr_ok;
  out->places[0][0] = side->places[0];
  out->places[0][1] = side->places[1];
  for (int i = 1; i < CR_PATH_PLACES && status == cr_ok; ++i) {
    double at = i < CR_PATH_PLACES - 1 ? t + i * out->h / (CR_PATH_PLACES - 1) : t + out->h;
    status = crWorker_PlaceBody(worker, shapes[pair->a].body, at, &out->places[i][0]);
    status = status == cr_ok ? crWorker_PlaceBody(worker, shapes[pair->b].body, at, &out->places[i][1]) : status;
  }
  for (int i = 0; i < CR_PATH_PLACES; ++i) {
    stopTurning(worker->islands, pair, out->places[i]);
  }
  return status;
}

// The way of a pair, as far as the search has come.
typedef struct March {
  double t;
  Side side;       // there
  double trial;    // [s] length of the next stretch to look at
  bool isLookedAt; // `next` is the side behind what is free
  Side next;
} March;

// [-] The part of the stretch of length h from here on that is free; by a plane that turns, only if the others tell
// little: where it is at the end takes a look at that.
static crStatus findFreePart(crWorker* worker, const Pair* pair, March* march, double h, double floor, double* outPart)
{
  crPath path = { .model = worker->islands->model, .shapes = { pair->a, pair->b }, .h = h };
  *outPart = 0.0;
  crStatus status = followPair(worker, pair, &march->side, march->t, &path);
  if (status != cr_ok) {
    return status;
  }
  *outPart = crPath_FindCarried(&path, march->side.normal, floor);
  if (*outPart >= CR_PATH_SHARE) {
    return cr_ok;
  }
  status = lookAtPair(worker, pair, march->t + h, &march->next);
  if (status == cr_ok && march->next.distance > floor && !march->next.isBlind) {
    double turning = crPath_FindTurning(&path, march->side.normal, march->next.normal, floor);
    march->isLookedAt = turning == 1.0;
    *outPart = fmax(*outPart, turning);
  }
  return status;
}

// Likewise over smooth ground that is at rest.
static crStatus lookOverGround(crWorker* worker, const Pair* pair, March* march, double h, double floor,
                               double* outPart)
{
  const crModel* model = worker->islands->model;
  const crGroundView* below = &pair->below;
  const Side* side = &march->side;
  bool isA = below->round == pair->a;
  double speed = side->most / CR_DEPTH_RATE, A = pair->A / CR_DEPTH_RATE;
  *outPart = 0.0;
  if (!crStaysOverGround(below, model, &side->places[isA ? 0 : 1].X, (speed + 0.5 * A * h) * h)) {
    return cr_ok;
  }
  crStatus status = lookAtPair(worker, pair, march->t + h, &march->next);
  *outPart = crFindGapPart(below, side->distance, march->next.distance, speed, A, h, floor);
  march->isLookedAt = *outPart == 1.0;
  return status;
}

// ioReach: [s] for how long the distance stays above the floor; longer, if the ways of both tell that.
static crStatus lengthenReach(crWorker* worker, const Pair* pair, March* march, double floor, double* ioReach)
{
  const Side* side = &march->side;
  double h = fmin(pair->tb - march->t, fmin(march->trial, pair->longest)), part = 0.0;
  h = side->isBlind ? 0.0 : h;
  h = side->rate < 0.0 ? fmin(h, CR_PATH_AIM * (side->distance - floor) / -side->rate) : h;
  crStatus status = cr_ok;
  while (status == cr_ok && part < CR_PATH_SHARE && h > CR_PATH_GAIN * *ioReach && march->t + h > march->t) {
    status = pair->below.ground != NULL ? lookOverGround(worker, pair, march, h, floor, &part)
                                        : findFreePart(worker, pair, march, h, floor, &part);
    *ioReach = fmax(*ioReach, part * h);
    march->trial = part < 1.0 ? h : CR_PATH_GROWTH * h;
    h *= CR_PATH_SHRINK;
  }
  return status;
}

// Goes from the left end on as far as bounds allow, and looks again. ioTime: the right end; where a touch is found,
// that time. One that is found too deep, which the bounds rule out but for their noise, is searched back to where it
// begins.
static crStatus march(crWorker* worker, const Pair* pair, const Side* start, bool* outIsFound, double* ioTime)
{
  double floor = -CR_BEGIN_AIM * pair->epsilon, found = -CR_BEGIN_FOUND * pair->epsilon;
  double near = CR_BEGIN_SLACK * pair->epsilon;
  March march = { .t = pair->ta, .side = *start, .trial = HUGE_VAL };
  *outIsFound = false;
  for (int i = 0; i < CR_MAX_SEARCH && !*outIsFound; ++i) {
    double before = march.t, was = march.side.distance;
    march.side.distance = fmax(was, floor + near); // so near that it may as well be passed
    march.side.nearest = fmax(march.side.nearest, floor + near);
    march.isLookedAt = false;
    double reach = findReach(pair, &march.side, floor, true);
    crStatus status = before + reach < *ioTime ? lengthenReach(worker, pair, &march, floor, &reach) : cr_ok;
    march.t += fmax(reach, CR_LEAST_PROGRESS * fabs(before));
    if (status != cr_ok || !(march.t < *ioTime)) {
      return status;
    }
    worker->hasSearched = true;
    if (march.isLookedAt) {
      march.side = march.next;
    } else {
      status = lookAtPair(worker, pair, march.t, &march.side);
    }
    if (status != cr_ok) {
      return status;
    }
    *outIsFound = march.side.distance <= found;
    if (march.side.distance < floor - near && was > floor) {
      return findCrossing(worker, pair, floor, near, before, march.t, was, march.side.distance, ioTime);
    }
  }
  *outIsFound = true; // or so near to it for so long that it will be
  *ioTime = march.t;
  return cr_ok;
}

// What an event at t would freeze.
static crStatus gatherStart(crWorker* worker, const Pair* pair, double t)
{
  const crContactShape* shapes = worker->islands->model->contactShapes;
  Side side;
  crTouch touch;
  crStatus status = lookAt(worker, pair, t, &touch, side.places);
  crContactStart* start = crArray_Push(&worker->starts, &worker->islands->allocator);
  if (status != cr_ok || start == NULL) {
    return status != cr_ok ? status : cr_errorMemory;
  }
  crPose X_WA = crMulPose(side.places[0].X, shapes[pair->a].X_BS);
  crPose X_WB = crMulPose(side.places[1].X, shapes[pair->b].X_BS);
  measure(worker->islands, pair, &touch, &side);
  crBoxPair both = { pair->a, pair->b };
  *start = (crContactStart){ .pair = both,
                             .time = t,
                             .rate = -side.rate,
                             .touch = touch,
                             .geometry = crFindTouchGeometry(worker->islands->model, both, &X_WA, &X_WB, &touch) };
  return cr_ok;
}

// Whether outlines may go so deep into each other in the stretch that they do not face each other at its end, where
// they seem to be apart then.
static bool mayLeap(const crWorker* worker, const Pair* pair, const Side* end)
{
  const crModel* model = worker->islands->model;
  const crShapeFacts* facts = worker->islands->table->facts;
  double h = pair->tb - pair->ta, speed = findTopSpeed(model, pair, end->places);
  return crIsParallelPair(&model->shapes[pair->a], &model->shapes[pair->b]) &&
         (speed + pair->A * h) * h > CR_SURFACE_LEAP * fmin(facts[pair->a].half, facts[pair->b].half);
}

// Whether bounds from both ends say that a touch does not become deep. That from the right end holds unless it does.
static bool isSafe(const crWorker* worker, const Pair* pair, const Side* start, const Side* end, double floor)
{
  double ahead = findReach(pair, start, floor, true), h = pair->tb - pair->ta;
  return ahead >= h || (!mayLeap(worker, pair, end) && ahead + findReach(pair, end, floor, false) >= h);
}

// A pair that is deep already where it was last searched up to: not deeper than the step before explains.
static crStatus checkStart(crWorker* worker, const Pair* pair, const Side* start)
{
  crBodyPlace places[2];
  crTouch touch;
  const crIsland *island = pair->island, *other = pair->other >= 0 ? &worker->islands->items[pair->other] : island;
  double h = fmax(crIsland_FindLastStep(island), crIsland_FindLastStep(other));
  crStatus status = lookAt(worker, pair, pair->ta, &touch, places);
  return status == cr_ok ? crWorker_CheckDepth(worker, island, (crBoxPair){ pair->a, pair->b }, &touch, -start->least,
                                               pair->epsilon, h)
                         : status;
}

// A pair that does not touch: the first time at which it is deep enough.
static crStatus searchBegin(crWorker* worker, const Pair* pair, const Side* start, const Side* end, crHit* ioHit)
{
  double floor = -CR_BEGIN_AIM * pair->epsilon, found = -CR_BEGIN_FOUND * pair->epsilon, t = pair->tb;
  bool isFound = start->distance <= found;
  crStatus status = cr_ok;
  if (isFound) {
    t = pair->ta;
    status = checkStart(worker, pair, start);
  } else if (!isSafe(worker, pair, start, end, floor)) {
    status = march(worker, pair, start, &isFound, &t);
  }
  if (status == cr_ok && !isFound && end->distance <= found) { // deep at the end, whatever the bounds say
    isFound = true;
    if (end->distance < floor) {
      status = findCrossing(worker, pair, floor, CR_BEGIN_SLACK * pair->epsilon, pair->ta, pair->tb, start->distance,
                            end->distance, &t);
    }
  }
  if (isFound && worker->gathersStarts && pair->other < 0) {
    return status == cr_ok ? gatherStart(worker, pair, t) : status;
  }
  if (isFound && t < ioHit->time) {
    *ioHit = (crHit){
      .time = t, .aim = floor, .epsilon = pair->epsilon, .shapeA = pair->a, .shapeB = pair->b, .other = pair->other
    };
  }
  return status;
}

// A contact of outlines that is over from one moment to the next, as deep as it is, is lost: one of them is where
// nothing is known of it any more.
static crStatus checkEnd(crWorker* worker, const Pair* pair, double d0, double t)
{
  const crShape* shapes = worker->islands->model->shapes;
  Side before, now;
  if (!crIsParallelPair(&shapes[pair->a], &shapes[pair->b])) {
    return cr_ok;
  }
  crStatus status = lookAtPair(worker, pair, t - CR_JUST_BEFORE * (t - pair->ta), &before);
  status = status == cr_ok ? lookAtPair(worker, pair, t, &now) : status;
  double depth = -fmin(d0, before.distance); // in a step of no length there is nothing before
  return status == cr_ok ? crWorker_CheckEnd(worker, (crBoxPair){ pair->a, pair->b }, depth, now.distance) : status;
}

// [tolerance] What a step misses of the speed of a free ball that a contact leaves in it with a force k (v t)^1.5, as a
// share of what the root mean square over all states of the island allows.
static double findMissed(const Pair* pair, int shape, double force, double h)
{
  const crIsland* island = pair->island;
  const crIslands* islands = island->owner;
  const crShapeFacts* facts = &islands->table->facts[shape];
  if (facts->stateTree < 0) {
    return 0.0;
  }
  if (!islands->model->areAlone[facts->tree]) {
    return HUGE_VAL;
  }
  const crTree* tree = &islands->model->trees[facts->tree];
  double absTol = island->problem.absTol[islands->stateStarts[facts->tree] + tree->qCount];
  double tolerance = absTol + islands->relTol * crLength(islands->sweeps[facts->body].v1);
  return CR_KINK_ERROR * h * force / (facts->mass * tolerance);
}

// Whether a contact may end inside a step of a busy island, as its force fades so slowly that the step misses little.
static bool isSlightEnd(const Pair* pair, double rate)
{
  const crIsland* island = pair->island;
  const crContact* contact = crContacts_GetOf(pair->contacts, pair->touching);
  bool isSmooth = crIsBallLaw(pair->touching->law, contact->memory.exponent) && pair->touching->path != cr_touchArea;
  if (!isSmooth || pair->isHeld || island->segment.kind != cr_stepDopri5 || !crIsland_IsBusy(island)) {
    return false;
  }
  double h = island->segment.t1 - island->segment.t0, depth = fmax(rate, 0.0) * h;
  double force = contact->memory.stiffness * depth * sqrt(depth);
  double a = findMissed(pair, pair->a, force, h), b = findMissed(pair, pair->b, force, h);
  return a * a + b * b <= CR_SLIGHT_SHARE * CR_SLIGHT_SHARE * CR_BALL_FREEDOMS * island->treeCount;
}

// A contact that is over at the right end.
static crStatus searchEnd(crWorker* worker, const Pair* pair, const Side* start, const Side* end, crHit* ioHit)
{
  if (worker->gathersStarts || isSlightEnd(pair, end->rate)) {
    return cr_ok; // it has no force any more
  }
  double d0 = start->distance, d1 = end->distance;
  double t = pair->ta, near = CR_END_SHARE * pair->epsilon;
  crStatus status = cr_ok;
  if (d0 < 0.0) {
    status = findCrossing(worker, pair, 0.0, near, pair->ta, pair->tb, d0, d1, &t);
    status = status == cr_ok ? checkEnd(worker, pair, d0, t) : status;
  }
  if (t < ioHit->time) {
    *ioHit = (crHit){
      .time = t, .epsilon = pair->epsilon, .shapeA = pair->a, .shapeB = pair->b, .isEnd = true, .other = pair->other
    };
  }
  return status;
}

static bool isContact(const Pair* pair)
{
  if (pair->touching == NULL) {
    return false;
  }
  const crContact* contact = crContacts_GetOf(pair->contacts, pair->touching);
  return contact->isTouching || contact->begin >= pair->ta;
}

// A contact that has gone over to the next chain at the end of the step is handed over there, unless it is about to
// end: nothing jumps.
static crStatus searchOver(crWorker* worker, const Pair* pair, crHit* ioHit)
{
  Pair own = *pair;
  Side end;
  own.isHeld = false;
  crStatus status = lookAtPair(worker, &own, pair->tb, &end);
  if (status == cr_ok && !(end.distance < 0.0) && pair->tb < ioHit->time) {
    *ioHit = (crHit){ .time = pair->tb,
                      .epsilon = pair->epsilon,
                      .shapeA = pair->a,
                      .shapeB = pair->b,
                      .isEnd = true,
                      .isOver = true,
                      .other = pair->other };
  }
  return status;
}

// A contact may end, anything else begin.
static crStatus checkTouch(crWorker* worker, Pair* pair, crHit* ioHit)
{
  Side start, end;
  crStatus status = lookAtPair(worker, pair, pair->tb, &end);
  bool isTouching = isContact(pair);
  status = status == cr_ok ? crWorker_CheckLean(worker, (crBoxPair){ pair->a, pair->b }, end.places) : status;
  if (status == cr_ok && pair->isHeld && end.distance < -CR_BEGIN_AIM * pair->epsilon) {
    return searchOver(worker, pair, ioHit);
  }
  if (status != cr_ok || (isTouching && end.distance < 0.0)) {
    return status;
  }
  double found = -CR_BEGIN_FOUND * pair->epsilon;
  if (!isTouching && end.distance > found && findReach(pair, &end, found, false) >= pair->tb - pair->ta &&
      !mayLeap(worker, pair, &end)) {
    return cr_ok; // most are far apart
  }
  status = lookAtPair(worker, pair, pair->ta, &start);
  if (status != cr_ok) {
    return status;
  }
  return isTouching ? searchEnd(worker, pair, &start, &end, ioHit) : searchBegin(worker, pair, &start, &end, ioHit);
}

static double boundAcceleration(const crIslands* islands, int shape)
{
  const crContactShape* s = &islands->model->contactShapes[shape];
  return s->body == 0 ? 0.0 : crBoundAcceleration(islands->model, shape, &islands->sweeps[s->body]);
}

// Of a ball seen from a surface, no farther away than it goes in the stretch.
static double boundSurface(const crIslands* islands, const Pair* pair)
{
  const crModel* model = islands->model;
  bool isA = crIsSurface(&model->shapes[pair->a]);
  int surface = isA ? pair->a : pair->b, ball = isA ? pair->b : pair->a;
  int ownBody = model->contactShapes[surface].body, ballBody = model->contactShapes[ball].body;
  double ofBall = boundAcceleration(islands, ball);
  if (ownBody == 0) {
    return ofBall;
  }
  const crSweep* own = &islands->sweeps[ownBody];
  crSweep none = { .R0 = crIdentityMat3(), .R1 = crIdentityMat3() };
  const crSweep* other = ballBody > 0 ? &islands->sweeps[ballBody] : &none;
  crVec3 p0 = ballBody > 0 ? other->p0 : model->contactShapes[ball].X_BS.p, p1 = ballBody > 0 ? other->p1 : p0;
  double away = fmax(crLength(crSub(p0, own->p0)), crLength(crSub(p1, own->p1))) +
                crLength(model->contactShapes[ball].X_BS.p) + pair->view.radius;
  double speed =
      fmax(crLength(crSub(other->v0, own->v0)), crLength(crSub(other->v1, own->v1))) + sqrt(own->turning) * away;
  return ofBall + crBoundSurfaceAcceleration(model, surface, own, away, speed);
}

// Whether the pair is in a contact that lasts: the end of the segment is where f was evaluated last.
static bool goesOn(const Pair* pair)
{
  return isContact(pair) && !pair->isHeld && crContacts_GetOf(pair->contacts, pair->touching)->now.distance < 0.0;
}

static bool isHeldBall(const crModel* model, crBoxPair pair)
{
  const crShape *a = &model->shapes[pair.a], *b = &model->shapes[pair.b];
  return (a->kind == cr_shapeSphere && crIsHeld(b)) || (b->kind == cr_shapeSphere && crIsHeld(a));
}

bool crIsland_KeepsContact(const crIsland* island, crBoxPair shapes)
{
  const crTouchingPair* touching = crContacts_FindPair(island->contacts, shapes);
  const crContact* contact = touching != NULL ? crContacts_GetOf(island->contacts, touching) : NULL;
  return contact != NULL && contact->isTouching && contact->now.distance < 0.0 &&
         (island->contacts->isCrowd || !isHeldBall(island->owner->model, shapes));
}

// Contacts of the same solids at chains that go on as that of the pair.
static void findElders(const crModel* model, Pair* pair)
{
  bool isA = crIsSurface(&model->shapes[pair->a]);
  int own = isA ? pair->a : pair->b, ball = isA ? pair->b : pair->a, count = 0;
  const crContactShape* places = model->contactShapes;
  for (int k = 0; k < pair->contacts->pairs.count && count < CR_ELDERS; ++k) {
    const crTouchingPair* other = &pair->contacts->pairs.items[k];
    int chain = other->shapeA == ball ? other->shapeB : other->shapeB == ball ? other->shapeA : own;
    bool isSame = chain != own && crContacts_GetOf(pair->contacts, other)->isTouching &&
                  crIsSurface(&model->shapes[chain]) && places[chain].object == places[own].object &&
                  places[chain].feature == places[own].feature;
    if (isSame && (crChain_GoesOnAs(model->shapes[chain].chain, model->shapes[own].chain) ||
                   crChain_MeetsOnFace(model->shapes[chain].chain, model->shapes[own].chain))) {
      pair->elders[count++] = chain;
    }
  }
}

// Whether a contact of the same solids is at another part of the wall that the pair is.
static bool isWallTouched(const crIsland* island, const Pair* pair)
{
  const crShapeFacts* facts = island->owner->table->facts;
  for (int k = 0; k < pair->contacts->pairs.count; ++k) {
    const crTouchingPair* other = &pair->contacts->pairs.items[k];
    bool isSame = facts[other->shapeA].compound == facts[pair->a].compound &&
                  facts[other->shapeB].compound == facts[pair->b].compound;
    if (isSame && crContacts_GetOf(pair->contacts, other)->isTouching) {
      return true;
    }
  }
  return false;
}

// [s] Of a stretch that few places tell of: what turns turns little, and steps of high order have several.
static double findLongest(const crIsland* island, int shape)
{
  const crIslands* islands = island->owner;
  int body = islands->model->contactShapes[shape].body, tree = islands->table->facts[shape].tree;
  if (tree < 0) {
    return HUGE_VAL;
  }
  const crSegment* segment = &islands->items[islands->islandOf[tree]].segment;
  double turning = islands->isRound[tree] ? 0.0 : islands->sweeps[body].turning;
  double longest = turning > 0.0 ? CR_PATH_TURN / sqrt(turning) : HUGE_VAL;
  if (islands->isCarrier[tree] && island->number != islands->islandOf[tree]) {
    return fmin(longest, islands->carrierParts[islands->model->components[tree]]);
  }
  return segment->kind == cr_stepDop853 ? fmin(longest, (segment->t1 - segment->t0) / CR_SWEEP_PARTS) : longest;
}

// [m] Distance of two balls at a time, and its rate [m/s].
static double measureBalls(const crIslands* islands, const Pair* pair, double t, double* outRate)
{
  crVec3 pa, va, pb, vb;
  crIslands_PlaceBall(islands, pair->a, t, &pa, &va);
  crIslands_PlaceBall(islands, pair->b, t, &pb, &vb);
  crVec3 r = crSub(pb, pa);
  double length = crLength(r);
  *outRate = crDot(crSub(vb, va), r) / length;
  const crShape* shapes = islands->model->shapes;
  return length - shapes[pair->a].sweep - shapes[pair->b].sweep;
}

// Whether two balls that do not touch stay apart: most do, and need nothing else.
static bool staysApart(const crIslands* islands, const Pair* pair)
{
  if (pair->touching != NULL || !isBall(islands, pair->a) || !isBall(islands, pair->b)) {
    return false;
  }
  double rate0, rate1;
  double d0 = measureBalls(islands, pair, pair->ta, &rate0), d1 = measureBalls(islands, pair, pair->tb, &rate1);
  return d0 > 0.0 && d1 > 0.0 && crIsSafe(d0, rate0, d1, rate1, pair->A, pair->tb - pair->ta, 0.0);
}

// A carrier of which another island looks after its work.
static bool meetsCarrier(const crIslands* islands, const crIsland* island, int shape)
{
  return crIslands_IsCarrier(islands, shape) && crIslands_FindOwner(islands, shape) != island->number;
}

// The number of another island whose segment tells where a shape is; -1: none is needed.
static int findOther(const crIslands* islands, const crIsland* island, int shape)
{
  int number = crIslands_FindOwner(islands, shape);
  return number == island->number || crIslands_IsCarrier(islands, shape) ? -1 : number;
}

crStatus crWorker_CheckPair(crWorker* worker, const crIsland* island, crBoxPair shapes, crHit* ioHit)
{
  const crIslands* islands = worker->islands;
  const crContactShape *a = &islands->model->contactShapes[shapes.a], *b = &islands->model->contactShapes[shapes.b];
  int other = findOther(islands, island, shapes.a), ofB = findOther(islands, island, shapes.b);
  other = other >= 0 ? other : ofB;
  const crSegment* theirs = other >= 0 ? &islands->items[other].segment : &island->segment;
  bool isCarried =
      islands->carrierCount > 0 && (meetsCarrier(islands, island, shapes.a) || meetsCarrier(islands, island, shapes.b));
  Pair pair = { .island = island,
                .a = shapes.a,
                .b = shapes.b,
                .contacts = island->contacts,
                .ta = isCarried ? crIslands_FindOpenSpan(islands, island).t0 : fmax(island->segment.t0, theirs->t0),
                .tb = fmin(fmin(island->segment.t1, theirs->t1), ioHit->time),
                .other = other,
                .elders = { -1, -1, -1, -1 } };
  pair.touching = other < 0 ? crContacts_FindPair(island->contacts, shapes) : NULL;
  if (other < 0 && !island->contacts->isCrowd && isHeldBall(islands->model, shapes)) {
    pair.isHeld = pair.touching != NULL;
    if (!pair.isHeld) {
      findElders(islands->model, &pair);
    }
  }
  if (pair.tb < pair.ta || goesOn(&pair)) {
    return cr_ok;
  }
  const crShape *solidA = &islands->model->shapes[shapes.a], *solidB = &islands->model->shapes[shapes.b];
  bool isRound = (crHasTurningHalves(solidA) && !crFitsIn(solidB, solidA)) ||
                 (crHasTurningHalves(solidB) && !crFitsIn(solidA, solidB));
  pair.isHalf = isRound && !(other < 0 && isWallTouched(island, &pair));
  pair.view = crFindSurfaceView(islands->model, shapes.a, shapes.b);
  pair.ofSurface = pair.view.chain != NULL ? boundSurface(islands, &pair) : 0.0;
  pair.A = boundAcceleration(islands, shapes.a) + boundAcceleration(islands, shapes.b);
  if (staysApart(islands, &pair)) {
    return cr_ok;
  }
  const crContactLaw* law = crModel_GetContactLaw(islands->model, a->material, b->material);
  pair.epsilon = crContacts_GetHysteresis(island->contacts, shapes.a, shapes.b, law);
  pair.below = crFindGroundView(islands->model, shapes.a, shapes.b);
  pair.A *= pair.below.ground != NULL ? CR_DEPTH_RATE : 1.0;
  bool isTold = crIsConvexPair(islands->model, shapes.a, shapes.b) || pair.below.isStill;
  pair.longest = isTold ? fmin(findLongest(island, shapes.a), findLongest(island, shapes.b)) : 0.0;
  return checkTouch(worker, &pair, ioHit);
}
