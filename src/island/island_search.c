// The search for contacts in a segment: between the bodies of its island, with the world, and with the segments of
// other islands.
//
// Boxes of what shapes sweep find the candidates. For each, distance and rate at both ends of the common stretch of
// time bound the distance between them (motion_bound.h); where the bounds do not say that nothing happens, the search
// goes on in steps that the bound from the left allows, so that the first contact is found, until the distance is deep
// enough for an event. A pair that hugs the threshold makes steps in which it cannot come deeper than half a per cent
// of that. Ends of contacts are zeros of the distance between ends of opposite sign.
#include "island/island.h"
#include "island/path_bound.h"
#include "model/eval/free_body.h"

#include <stdlib.h>
#include <string.h>

#define CR_END_SHARE 0.005    // [-] of epsilon: how near to 0 the distance is where a contact ends
#define CR_BEGIN_AIM 2.0      // [-] depth over epsilon at which a contact begins
#define CR_BEGIN_FOUND 1.99   // [-] likewise, at which a search has found it
#define CR_MAX_CROSSING 100   // evaluations for one crossing
#define CR_BEGIN_SLACK 0.005  // [-] of epsilon: how far the distance may be from the one aimed at
#define CR_MOTION_SHARE 0.1   // [-] of the bound: how far a prescribed path may be off its cubic in the middle
#define CR_MOTION_FLOOR 1e-12 // [m] likewise, at least
#define CR_MOTION_TURN 0.05   // [rad] likewise, of its rotation
#define CR_SWEEP_PARTS 4      // of a step of high order, each with bounds of its own
#define CR_PATH_TURN 1.0      // [rad] that a body turns by in a stretch that few places tell of
#define CR_PATH_GAIN 2.0      // [-] of what is known to be free, which ways have to be longer than to be looked at
#define CR_PATH_SHRINK 0.25   // [-] of a stretch of which nothing is known to be free
#define CR_PATH_GROWTH 4.0    // [-] of a stretch that is free
#define CR_PATH_AIM 2.0       // [-] of the time to a contact at the rate that is: how far ways are looked at
#define CR_FREE_STATES 13     // of a free body: position, quaternion, velocity, angular velocity
#define CR_FREE_VELOCITY 7    // where its velocity begins

// ----------------------------------------------------------------------------------------------- places

static bool isFree(const crIslands* islands, int tree)
{
  const crTree* t = &islands->model->trees[tree];
  return t->bodyCount == 1 && islands->model->links[t->bodyStart].path == cr_pathFree;
}

static bool isBall(const crIslands* islands, int shape)
{
  int tree = islands->table->facts[shape].tree;
  return tree >= 0 && islands->isRound[tree];
}

static crVec3 readVec3(const double* x)
{
  return crMakeVec3(x[0], x[1], x[2]);
}

static void placeFree(const crIslands* islands, int tree, const double* y, crBodyPlace* out)
{
  out->X.p = readVec3(y);
  out->X.R = crIdentityMat3();
  if (!islands->isRound[tree]) {
    out->X.R = crFromLanes33(crPlaceFree(y).R); // as an event will have it
  }
  out->v = readVec3(y + CR_FREE_VELOCITY);
  out->w = readVec3(y + CR_FREE_VELOCITY + 3);
}

// Moves the trees that a tree is coupled with to a time, in an instance of their own.
static crStatus moveProbe(crWorker* worker, const crIsland* island, int tree, double t)
{
  const crIslands* islands = worker->islands;
  const crModel* model = islands->model;
  crTreeSet set = { islands->componentTrees + islands->componentStarts[tree],
                    model->componentTrees[model->components[tree]], NULL };
  double* y = worker->scratch;
  for (int k = 0; k < set.treeCount; ++k) {
    int count = crTreeStateCount(&model->trees[set.trees[k]]);
    crSegment_Interpolate(&island->segment, t, islands->stateStarts[set.trees[k]], count, y);
    y += count;
  }
  crInstance_SetPhase(worker->probe, set, island->hasSignals ? island->phase : NAN);
  crInstance_SetState(worker->probe, set, t, worker->scratch);
  return crInstance_Eval(worker->probe, set, cr_stageVelocity);
}

// A body of a tree with joints. The bodies of a component are mostly asked for at the same time.
static crStatus probeBody(crWorker* worker, int body, double t, crBodyPlace* out)
{
  const crIslands* islands = worker->islands;
  int tree = islands->model->bodies[body].tree;
  const crIsland* island = &islands->items[islands->islandOf[tree]];
  crProbed asked = { islands->model->components[tree], island->number, island->stamp, t };
  const crProbed* now = &worker->probed;
  crStatus status = cr_ok;
  if (now->component != asked.component || now->island != asked.island || now->stamp != asked.stamp || now->t != t) {
    status = moveProbe(worker, island, tree, t);
    worker->probed = asked;
    worker->probed.component = status == cr_ok ? asked.component : -1;
  }
  out->X = crGetBodyPose(worker->probe, body);
  out->v = crFromLanes(worker->probe->V[body].v);
  out->w = crFromLanes(worker->probe->V[body].w);
  return status;
}

// Where a body is at a time in the segment of its island.
static crStatus placeBody(crWorker* worker, int body, double t, crBodyPlace* out)
{
  const crIslands* islands = worker->islands;
  int tree = islands->model->bodies[body].tree;
  if (tree < 0) {
    *out = (crBodyPlace){ .X = crIdentityPose() };
    return cr_ok;
  }
  const crIsland* island = &islands->items[islands->islandOf[tree]];
  const crSegment* segment = &island->segment;
  if (island->sweptStamp == island->stamp && (t == segment->t1 || t == segment->t0)) { // seen already
    const crSweep* sweep = &islands->sweeps[body];
    *out = t == segment->t1 ? (crBodyPlace){ { sweep->R1, sweep->p1 }, sweep->v1, sweep->w1 }
                            : (crBodyPlace){ { sweep->R0, sweep->p0 }, sweep->v0, sweep->w0 };
    return cr_ok;
  }
  if (!isFree(islands, tree)) {
    return probeBody(worker, body, t, out);
  }
  double y[CR_FREE_STATES];
  crSegment_Interpolate(segment, t, islands->stateStarts[tree], CR_FREE_STATES, y);
  placeFree(islands, tree, y, out);
  return cr_ok;
}

// ----------------------------------------------------------------------------------------------- sweeps

static int firstShape(const crIslands* islands, int tree)
{
  return islands->treeShapes[tree];
}

static int endShape(const crIslands* islands, int tree)
{
  return islands->treeShapes[tree + 1];
}

static crAabb boxOfShape(const crIslands* islands, int shape, const crBodyPlace* place)
{
  const crContactShape* s = &islands->model->contactShapes[shape];
  return crShape_ComputeAabb(&islands->model->shapes[shape], crMulPose(place->X, s->X_BS));
}

// Where the bodies of a tree are at the end of the segment: into `1` of their sweeps, and boxes.
static crStatus sweepTree(crWorker* worker, const crIsland* island, int tree)
{
  crIslands* islands = worker->islands;
  const crModel* model = islands->model;
  int body = -1;
  crBodyPlace place = { .X = crIdentityPose() };
  for (int i = firstShape(islands, tree); i < endShape(islands, tree); ++i) {
    if (model->contactShapes[i].body != body) {
      body = model->contactShapes[i].body;
      crStatus status = placeBody(worker, body, island->segment.t1, &place);
      if (status != cr_ok) {
        return status;
      }
      crSweep* sweep = &islands->sweeps[body];
      sweep->R1 = place.X.R;
      sweep->p1 = place.X.p;
      sweep->v1 = place.v;
      sweep->w1 = place.w;
    }
    islands->boxes[i] = boxOfShape(islands, i, &place);
  }
  return cr_ok;
}

crStatus crWorker_SweepStill(crWorker* worker, crIsland* island)
{
  crIslands* islands = worker->islands;
  crStatus status = cr_ok;
  for (int k = 0; k < island->treeCount && status == cr_ok; ++k) {
    int tree = island->trees[k];
    status = sweepTree(worker, island, tree);
    for (int i = firstShape(islands, tree); i < endShape(islands, tree) && status == cr_ok; ++i) {
      crSweep* sweep = &islands->sweeps[islands->model->contactShapes[i].body];
      sweep->R0 = sweep->R1;
      sweep->p0 = sweep->p1;
      sweep->v0 = sweep->v1;
      sweep->w0 = sweep->w1;
      sweep->acceleration = sweep->turning = 0.0;
      islands->startBoxes[i] = islands->swept[i] = islands->boxes[i];
    }
  }
  island->sweptStamp = status == cr_ok ? island->stamp : -1;
  return status;
}

void crWorker_BeginSweep(crWorker* worker, const crIsland* island)
{
  crIslands* islands = worker->islands;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = firstShape(islands, tree); i < endShape(islands, tree); ++i) {
      crSweep* sweep = &islands->sweeps[islands->model->contactShapes[i].body];
      sweep->R0 = sweep->R1;
      sweep->p0 = sweep->p1;
      sweep->v0 = sweep->v1;
      sweep->w0 = sweep->w1;
      islands->startBoxes[i] = islands->boxes[i];
    }
  }
}

static crAabb sweptBox(const crIslands* islands, int shape, double h)
{
  const crContactShape* s = &islands->model->contactShapes[shape];
  double bulge =
      crBoundAcceleration(islands->model, shape, &islands->sweeps[s->body]) * h * h / 8.0; // of a path beside its chord
  crVec3 extra = crMakeVec3(bulge, bulge, bulge);
  crAabb box = crUnionAabb(islands->boxes[shape], islands->startBoxes[shape]);
  box.min = crSub(box.min, extra);
  box.max = crAdd(box.max, extra);
  return box;
}

// Where its bodies are at the start of its segment, which has moved.
crStatus crWorker_SweepStart(crWorker* worker, crIsland* island)
{
  crIslands* islands = worker->islands;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = firstShape(islands, tree); i < endShape(islands, tree); ++i) {
      crBodyPlace place;
      int body = islands->model->contactShapes[i].body;
      crStatus status = placeBody(worker, body, island->segment.t0, &place);
      if (status != cr_ok) {
        return status;
      }
      crSweep* sweep = &islands->sweeps[body];
      sweep->R0 = place.X.R;
      sweep->p0 = place.X.p;
      sweep->v0 = place.v;
      sweep->w0 = place.w;
      islands->startBoxes[i] = boxOfShape(islands, i, &place);
    }
  }
  return cr_ok;
}

// Steps of high order are long: more may happen inside than their ends tell. Bounds of their parts, the largest of
// each.
static crStatus boundParts(crWorker* worker, const crIsland* island, int body)
{
  crSweep *whole = &worker->islands->sweeps[body], part = *whole;
  double t0 = island->segment.t0, h = (island->segment.t1 - t0) / CR_SWEEP_PARTS;
  whole->acceleration = whole->turning = 0.0;
  for (int i = 1; i <= CR_SWEEP_PARTS; ++i) {
    crBodyPlace place;
    crStatus status = placeBody(worker, body, i < CR_SWEEP_PARTS ? t0 + i * h : island->segment.t1, &place);
    if (status != cr_ok) {
      return status;
    }
    part.p1 = place.X.p;
    part.v1 = place.v;
    part.w1 = place.w;
    crSweep_Bound(&part, h);
    whole->acceleration = fmax(whole->acceleration, part.acceleration);
    whole->turning = fmax(whole->turning, part.turning);
    part.p0 = part.p1;
    part.v0 = part.v1;
    part.w0 = part.w1;
  }
  return cr_ok;
}

crStatus crWorker_Sweep(crWorker* worker, crIsland* island)
{
  crIslands* islands = worker->islands;
  double h = island->segment.t1 - island->segment.t0;
  if (!(h > 0.0)) {
    return crWorker_SweepStill(worker, island);
  }
  crStatus status = cr_ok;
  for (int k = 0; k < island->treeCount && status == cr_ok; ++k) {
    int tree = island->trees[k], body = -1;
    status = sweepTree(worker, island, tree);
    for (int i = firstShape(islands, tree); i < endShape(islands, tree) && status == cr_ok; ++i) {
      int own = islands->model->contactShapes[i].body;
      if (own != body) {
        crSweep_Bound(&islands->sweeps[own], h);
        status = island->segment.kind == cr_stepDop853 ? boundParts(worker, island, own) : cr_ok;
        body = own;
      }
      islands->swept[i] = sweptBox(islands, i, h);
    }
  }
  island->sweptStamp = status == cr_ok ? island->stamp : -1;
  return status;
}

// The cubic through both ends, in the middle: (p0 + p1) / 2 + h (v0 - v1) / 8.
crStatus crWorker_CheckMotions(crWorker* worker, const crIsland* island, bool* outIsGood)
{
  const crIslands* islands = worker->islands;
  double h = island->segment.t1 - island->segment.t0;
  *outIsGood = true;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k], body = -1;
    for (int i = firstShape(islands, tree); islands->isDriven[tree] && i < endShape(islands, tree); ++i) {
      if (islands->model->contactShapes[i].body == body) {
        continue;
      }
      body = islands->model->contactShapes[i].body;
      crBodyPlace place;
      crStatus status = placeBody(worker, body, island->segment.t0 + 0.5 * h, &place);
      if (status != cr_ok) {
        return status;
      }
      const crSweep* sweep = &islands->sweeps[body];
      crVec3 cubic = crMulAdd(crScale(0.5, crAdd(sweep->p0, sweep->p1)), 0.125 * h, crSub(sweep->v0, sweep->v1));
      crVec3 w = crScale(0.5, crAdd(sweep->w0, sweep->w1));
      double bulge = sweep->acceleration * h * h / 8.0, bend = h * crLength(crSub(place.w, w));
      *outIsGood = *outIsGood && crLength(crSub(place.X.p, cubic)) <= CR_MOTION_SHARE * bulge + CR_MOTION_FLOOR &&
                   bend <= CR_MOTION_TURN;
    }
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------- candidates

// Neighbours of one shape whose boxes its box overlaps. takesOthers: those of other islands too.
static bool gather(crWorker* worker, const crIsland* island, int shape, const crAabb* boxes, bool takesOthers)
{
  const crIslands* islands = worker->islands;
  crAabb own = boxes[shape];
  for (int k = islands->neighbourStarts[shape]; k < islands->neighbourStarts[shape + 1]; ++k) {
    int other = islands->neighbours[k];
    int number = crIslands_FindOwner(islands, other);
    bool counts = number == island->number ? other > shape : number < 0 || takesOthers;
    if (!counts || !crAabbsOverlap(own, number < 0 ? islands->swept[other] : boxes[other])) {
      continue;
    }
    crBoxPair* pair = crArray_Push(&worker->pairs, &worker->islands->allocator);
    if (pair == NULL) {
      return false;
    }
    *pair = other < shape ? (crBoxPair){ other, shape } : (crBoxPair){ shape, other };
  }
  return true;
}

static crStatus findCandidates(crWorker* worker, const crIsland* island, const crAabb* boxes, bool takesOthers)
{
  const crIslands* islands = worker->islands;
  bool hasMemory = true;
  worker->pairs.count = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = firstShape(islands, tree); i < endShape(islands, tree) && hasMemory; ++i) {
      hasMemory = gather(worker, island, i, boxes, takesOthers);
    }
  }
  return hasMemory ? cr_ok : cr_errorMemory;
}

static int comparePairs(const void* a, const void* b)
{
  const crBoxPair *x = a, *y = b;
  return crComparePairs(x->a, x->b, y->a, y->b);
}

static void sortPairs(crWorker* worker)
{
  crBoxPair* items = worker->pairs.items;
  int count = 0;
  if (worker->pairs.count > 1) {
    qsort(items, (size_t)worker->pairs.count, sizeof *items, comparePairs);
  }
  for (int i = 0; i < worker->pairs.count; ++i) {
    if (count == 0 || comparePairs(&items[count - 1], &items[i]) != 0) {
      items[count++] = items[i];
    }
  }
  worker->pairs.count = count;
}

crStatus crWorker_FindNear(crWorker* worker, crIsland* island)
{
  crStatus status = findCandidates(worker, island, worker->islands->boxes, false);
  for (int k = 0; k < island->contacts->pairs.count && status == cr_ok; ++k) {
    const crTouchingPair* touching = &island->contacts->pairs.items[k];
    crBoxPair* pair = crArray_Push(&worker->pairs, &worker->islands->allocator);
    if (pair == NULL) {
      return cr_errorMemory;
    }
    *pair = (crBoxPair){ touching->shapeA, touching->shapeB };
  }
  sortPairs(worker);
  return status;
}

// ---------------------------------------------------------------------------------------------- one pair

typedef struct Pair {
  const crIsland* island; // whose segment is searched
  int a, b;
  const crTouchingPair* touching; // NULL: not in contact
  const crContacts* contacts;
  double epsilon;
  double A;       // [m/s^2] bound of the acceleration along the normal, with the rates of all that may become nearest
  double longest; // [s] of the stretches that are told by few places
  double ta, tb;  // [s] the stretch of time that both segments share
  int other;
} Pair;

// A touch at one time. Its rate is that of the distance; `least` and `most` bound the rates of all that could become
// nearest along its normal, since a touch may wander to points that move faster.
typedef struct Side {
  double distance, rate;
  double least, most; // [m/s]
  crVec3 normal;
  crBodyPlace places[2];
} Side;

// The touch at time t, and places of both bodies.
static crStatus lookAt(crWorker* worker, int a, int b, double t, crTouch* outTouch, crBodyPlace places[2])
{
  const crContactShape* shapes = worker->islands->model->contactShapes;
  crStatus status = placeBody(worker, shapes[a].body, t, &places[0]);
  status = status == cr_ok ? placeBody(worker, shapes[b].body, t, &places[1]) : status;
  crPose X_WA = crMulPose(places[0].X, shapes[a].X_BS), X_WB = crMulPose(places[1].X, shapes[b].X_BS);
  ++worker->pairCount;
  const crShape* solids = worker->islands->model->shapes;
  crComputeTouch(&solids[a], &X_WA, &solids[b], &X_WB, NULL, outTouch);
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

static Side measure(const crIslands* islands, const Pair* pair, const crTouch* touch, const crBodyPlace places[2])
{
  const crModel* model = islands->model;
  Speed a = computeSpeed(model, pair->a, &places[0], touch), b = computeSpeed(model, pair->b, &places[1], touch);
  crTouchHold hold = crHoldOfTouch(&model->shapes[pair->a], &model->shapes[pair->b]);
  double own = (hold.onB ? b.ofPoint : b.ofOrigin) - (hold.onA ? a.ofPoint : a.ofOrigin);
  double spread = (hold.onB ? 0.0 : b.spread) + (hold.onA ? 0.0 : a.spread);
  return (Side){ .distance = touch->distance,
                 .rate = b.ofPoint - a.ofPoint,
                 .least = own - spread,
                 .most = own + spread,
                 .normal = touch->normal,
                 .places = { places[0], places[1] } };
}

static crStatus lookAtPair(crWorker* worker, const Pair* pair, double t, Side* out)
{
  crBodyPlace places[2];
  crTouch touch;
  crStatus status = lookAt(worker, pair->a, pair->b, t, &touch, places);
  *out = measure(worker->islands, pair, &touch, places);
  return status;
}

crStatus crWorker_LookAtEnd(crWorker* worker, const crHit* hit, double t, double* outDistance, double* outRate)
{
  Pair pair = { .a = hit->shapeA, .b = hit->shapeB };
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
// !isAhead.
static double findReach(const Pair* pair, const Side* side, double floor, bool isAhead)
{
  return crFindReach(side->distance, isAhead ? side->least : -side->most, pair->A, floor);
}

// Places of balls do not turn.
static void stopTurning(const crIslands* islands, const Pair* pair, crBodyPlace places[2])
{
  for (int i = 0; i < 2; ++i) {
    places[i].w = isBall(islands, i == 0 ? pair->a : pair->b) ? crMakeVec3(0.0, 0.0, 0.0) : places[i].w;
  }
}

// Both bodies from t to t + h, t being where the side is.
static crStatus followPair(crWorker* worker, const Pair* pair, const Side* side, double t, double h, crPath* out)
{
  const crContactShape* shapes = worker->islands->model->contactShapes;
  crStatus status = cr_ok;
  out->h = h;
  out->places[0][0] = side->places[0];
  out->places[0][1] = side->places[1];
  for (int i = 1; i < CR_PATH_PLACES && status == cr_ok; ++i) {
    double at = i < CR_PATH_PLACES - 1 ? t + i * h / (CR_PATH_PLACES - 1) : t + h;
    status = placeBody(worker, shapes[pair->a].body, at, &out->places[i][0]);
    status = status == cr_ok ? placeBody(worker, shapes[pair->b].body, at, &out->places[i][1]) : status;
  }
  for (int i = 0; i < CR_PATH_PLACES; ++i) {
    stopTurning(worker->islands, pair, out->places[i]);
  }
  return status;
}

// [s] For how long the distance stays above the floor by the ways of both, if that is more than `least`. ioTrial: the
// stretch that is tried, and the next one to try.
static crStatus findPathReach(crWorker* worker, const Pair* pair, const Side* side, double t, double least,
                              double floor, double* ioTrial, double* outReach)
{
  *outReach = least;
  double rest = pair->tb - t, h = fmin(rest, fmin(*ioTrial, pair->longest));
  if (side->rate < 0.0) {
    h = fmin(h, CR_PATH_AIM * (side->distance - floor) / -side->rate);
  }
  for (; h > CR_PATH_GAIN * least && t + h > t; h *= CR_PATH_SHRINK) {
    crPath path;
    crStatus status = followPair(worker, pair, side, t, h, &path);
    double part =
        status == cr_ok ? crPath_FindReach(&path, worker->islands->model, pair->a, pair->b, side->normal, floor) : 0.0;
    if (status != cr_ok || part > 0.0) {
      *outReach = fmax(least, part * h);
      *ioTrial = part < 1.0 ? h : CR_PATH_GROWTH * h;
      return status;
    }
  }
  *ioTrial = CR_PATH_GROWTH * h;
  return cr_ok;
}

// Goes from the left end on in steps that the bound allows. ioTime: the right end; where a touch is found, that time.
// One that is found too deep, which the bound rules out but for its noise, is searched back to where it begins.
static crStatus march(crWorker* worker, const Pair* pair, Side side, bool* outIsFound, double* ioTime)
{
  double floor = -CR_BEGIN_AIM * pair->epsilon, found = -CR_BEGIN_FOUND * pair->epsilon;
  double t = pair->ta, near = CR_BEGIN_SLACK * pair->epsilon, trial = HUGE_VAL;
  *outIsFound = false;
  for (int i = 0; i < CR_MAX_SEARCH && !*outIsFound; ++i) {
    double before = t, was = side.distance;
    side.distance = fmax(side.distance, floor + near); // so near that it may as well be passed
    double reach = findReach(pair, &side, floor, true);
    crStatus status = cr_ok;
    if (t + reach < *ioTime) {
      status = findPathReach(worker, pair, &side, t, reach, floor, &trial, &reach);
    }
    t += fmax(reach, CR_LEAST_PROGRESS * fabs(t));
    if (!(t < *ioTime)) {
      return status;
    }
    worker->hasSearched = true;
    status = status == cr_ok ? lookAtPair(worker, pair, t, &side) : status;
    if (status != cr_ok) {
      return status;
    }
    *outIsFound = side.distance <= found;
    if (side.distance < floor - near && was > floor) {
      status = findCrossing(worker, pair, floor, near, before, t, was, side.distance, &t);
      *ioTime = t;
      return status;
    }
  }
  *outIsFound = true; // or so near to it for so long that it will be
  *ioTime = t;
  return cr_ok;
}

// What an event at t would freeze.
static crStatus gatherStart(crWorker* worker, const Pair* pair, double t)
{
  const crContactShape* shapes = worker->islands->model->contactShapes;
  crBodyPlace places[2];
  crTouch touch;
  crStatus status = lookAt(worker, pair->a, pair->b, t, &touch, places);
  crContactStart* start = crArray_Push(&worker->starts, &worker->islands->allocator);
  if (status != cr_ok || start == NULL) {
    return status != cr_ok ? status : cr_errorMemory;
  }
  crPose X_WA = crMulPose(places[0].X, shapes[pair->a].X_BS), X_WB = crMulPose(places[1].X, shapes[pair->b].X_BS);
  crBoxPair both = { pair->a, pair->b };
  *start = (crContactStart){ .pair = both,
                             .time = t,
                             .rate = -measure(worker->islands, pair, &touch, places).rate,
                             .touch = touch,
                             .geometry = crFindTouchGeometry(worker->islands->model, both, &X_WA, &X_WB, &touch) };
  return cr_ok;
}

// Whether bounds from both ends say that a touch does not become deep.
static bool isSafe(const Pair* pair, Side start, Side end, double floor)
{
  double ahead = findReach(pair, &start, floor, true);
  return ahead + findReach(pair, &end, floor, false) >= pair->tb - pair->ta;
}

// A pair that is deep already where it was last searched up to: not deeper than the step before explains.
static crStatus checkStart(crWorker* worker, const Pair* pair, const Side* start)
{
  crBodyPlace places[2];
  crTouch touch;
  const crIsland *island = pair->island, *other = pair->other >= 0 ? &worker->islands->items[pair->other] : island;
  double h = fmax(crIsland_FindLastStep(island), crIsland_FindLastStep(other));
  crStatus status = lookAt(worker, pair->a, pair->b, pair->ta, &touch, places);
  return status == cr_ok ? crWorker_CheckDepth(worker, island, (crBoxPair){ pair->a, pair->b }, &touch, -start->least,
                                               pair->epsilon, h)
                         : status;
}

// A pair that does not touch: the first time at which it is deep enough.
static crStatus searchBegin(crWorker* worker, const Pair* pair, Side start, Side end, crHit* ioHit)
{
  double floor = -CR_BEGIN_AIM * pair->epsilon, found = -CR_BEGIN_FOUND * pair->epsilon, t = pair->tb;
  bool isFound = start.distance <= found;
  crStatus status = cr_ok;
  if (isFound) {
    t = pair->ta;
    status = checkStart(worker, pair, &start);
  } else if (!isSafe(pair, start, end, floor)) {
    status = march(worker, pair, start, &isFound, &t);
  }
  if (status == cr_ok && !isFound && end.distance <= found) { // deep at the end, whatever the bounds say
    isFound = true;
    if (end.distance < floor) {
      status = findCrossing(worker, pair, floor, CR_BEGIN_SLACK * pair->epsilon, pair->ta, pair->tb, start.distance,
                            end.distance, &t);
    }
  }
  if (isFound && worker->gathersStarts && pair->other < 0) {
    return status == cr_ok ? gatherStart(worker, pair, t) : status;
  }
  if (isFound && t < ioHit->time) {
    *ioHit = (crHit){ t, floor, pair->epsilon, pair->a, pair->b, false, pair->other };
  }
  return status;
}

// A contact that is over at the right end.
static crStatus searchEnd(crWorker* worker, const Pair* pair, double d0, double d1, crHit* ioHit)
{
  if (worker->gathersStarts) {
    return cr_ok; // it has no force any more
  }
  double t = pair->ta, near = CR_END_SHARE * pair->epsilon;
  crStatus status = cr_ok;
  if (d0 < 0.0) {
    status = findCrossing(worker, pair, 0.0, near, pair->ta, pair->tb, d0, d1, &t);
  }
  if (t < ioHit->time) {
    *ioHit = (crHit){ t, 0.0, pair->epsilon, pair->a, pair->b, true, pair->other };
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

// A contact may end, anything else begin.
static crStatus checkTouch(crWorker* worker, Pair* pair, crHit* ioHit)
{
  Side start, end;
  crStatus status = lookAtPair(worker, pair, pair->tb, &end);
  bool isTouching = isContact(pair);
  if (status != cr_ok || (isTouching && end.distance < 0.0)) {
    return status;
  }
  status = lookAtPair(worker, pair, pair->ta, &start);
  if (status != cr_ok) {
    return status;
  }
  return isTouching ? searchEnd(worker, pair, start.distance, end.distance, ioHit)
                    : searchBegin(worker, pair, start, end, ioHit);
}

static double boundAcceleration(const crIslands* islands, int shape)
{
  const crContactShape* s = &islands->model->contactShapes[shape];
  return s->body == 0 ? 0.0 : crBoundAcceleration(islands->model, shape, &islands->sweeps[s->body]);
}

// Whether the pair is in a contact that lasts: the end of the segment is where f was evaluated last.
static bool goesOn(const Pair* pair)
{
  return isContact(pair) && crContacts_GetOf(pair->contacts, pair->touching)->now.distance < 0.0;
}

// [s] Of a stretch that few places tell of: what turns turns little, and steps of high order have several.
static double findLongest(const crIslands* islands, int shape)
{
  int body = islands->model->contactShapes[shape].body, tree = islands->table->facts[shape].tree;
  if (tree < 0) {
    return HUGE_VAL;
  }
  const crSegment* segment = &islands->items[islands->islandOf[tree]].segment;
  double turning = islands->isRound[tree] ? 0.0 : islands->sweeps[body].turning;
  double longest = turning > 0.0 ? CR_PATH_TURN / sqrt(turning) : HUGE_VAL;
  return segment->kind == cr_stepDop853 ? fmin(longest, (segment->t1 - segment->t0) / CR_SWEEP_PARTS) : longest;
}

// A ball at a time in the segment of its island.
static void placeBall(const crIslands* islands, int shape, double t, crVec3* outP, crVec3* outV)
{
  int tree = islands->table->facts[shape].tree;
  const crSegment* segment = &islands->items[islands->islandOf[tree]].segment;
  const crSweep* sweep = &islands->sweeps[islands->model->contactShapes[shape].body];
  if (t == segment->t1 || t == segment->t0) {
    *outP = t == segment->t1 ? sweep->p1 : sweep->p0;
    *outV = t == segment->t1 ? sweep->v1 : sweep->v0;
    return;
  }
  double y[3];
  int start = islands->stateStarts[tree];
  crSegment_Interpolate(segment, t, start, 3, y);
  *outP = readVec3(y);
  crSegment_Interpolate(segment, t, start + CR_FREE_VELOCITY, 3, y);
  *outV = readVec3(y);
}

// [m] Distance of two balls at a time, and its rate [m/s].
static double measureBalls(const crIslands* islands, const Pair* pair, double t, double* outRate)
{
  crVec3 pa, va, pb, vb;
  placeBall(islands, pair->a, t, &pa, &va);
  placeBall(islands, pair->b, t, &pb, &vb);
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

crStatus crWorker_CheckPair(crWorker* worker, const crIsland* island, crBoxPair shapes, crHit* ioHit)
{
  const crIslands* islands = worker->islands;
  const crContactShape *a = &islands->model->contactShapes[shapes.a], *b = &islands->model->contactShapes[shapes.b];
  int of[2] = { crIslands_FindOwner(islands, shapes.a), crIslands_FindOwner(islands, shapes.b) };
  int other = of[0] >= 0 && of[0] != island->number ? of[0] : of[1] >= 0 && of[1] != island->number ? of[1] : -1;
  const crSegment* theirs = other >= 0 ? &islands->items[other].segment : &island->segment;
  Pair pair = { .island = island,
                .a = shapes.a,
                .b = shapes.b,
                .contacts = island->contacts,
                .ta = fmax(island->segment.t0, theirs->t0),
                .tb = fmin(fmin(island->segment.t1, theirs->t1), ioHit->time),
                .other = other };
  pair.touching = other < 0 ? crContacts_FindPair(island->contacts, shapes) : NULL;
  if (pair.tb < pair.ta || goesOn(&pair)) {
    return cr_ok;
  }
  pair.A = boundAcceleration(islands, shapes.a) + boundAcceleration(islands, shapes.b);
  if (staysApart(islands, &pair)) {
    return cr_ok;
  }
  const crContactLaw* law = crModel_GetContactLaw(islands->model, a->material, b->material);
  pair.epsilon = crContacts_GetHysteresis(island->contacts, shapes.a, shapes.b, law);
  pair.longest = fmin(findLongest(islands, shapes.a), findLongest(islands, shapes.b));
  return checkTouch(worker, &pair, ioHit);
}

crStatus crWorker_Search(crWorker* worker, crIsland* island, crHit* outHit)
{
  outHit->time = HUGE_VAL;
  worker->hasSearched = false;
  crStatus status = findCandidates(worker, island, worker->islands->swept, true);
  for (int i = 0; i < worker->pairs.count && status == cr_ok; ++i) {
    crBoxPair pair = worker->pairs.items[i];
    bool isLeft = pair.a == worker->left.a && pair.b == worker->left.b;
    status = isLeft ? cr_ok : crWorker_CheckPair(worker, island, pair, outHit);
  }
  worker->searchCount += worker->hasSearched;
  return status;
}

// --------------------------------------------------------------------------------------------- allotted

static bool isInside(const crAabb* box, const crAabb* room)
{
  return box->min.x >= room->min.x && box->max.x <= room->max.x && box->min.y >= room->min.y &&
         box->max.y <= room->max.y && box->min.z >= room->min.z && box->max.z <= room->max.z;
}

crStatus crWorker_SweepPart(crWorker* worker, const crIsland* island, double from, double to, crAabb* outBoxes)
{
  const crIslands* islands = worker->islands;
  double h = to - from;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = firstShape(islands, tree); i < endShape(islands, tree); ++i) {
      const crContactShape* shape = &islands->model->contactShapes[i];
      crBodyPlace start, end;
      crStatus status = placeBody(worker, shape->body, from, &start);
      status = status == cr_ok ? placeBody(worker, shape->body, to, &end) : status;
      if (status != cr_ok) {
        return status;
      }
      double bulge = crBoundAcceleration(islands->model, i, &islands->sweeps[shape->body]) * h * h / 8.0;
      crVec3 extra = crMakeVec3(bulge, bulge, bulge);
      crAabb box = crUnionAabb(boxOfShape(islands, i, &start), boxOfShape(islands, i, &end));
      outBoxes[i] = (crAabb){ crSub(box.min, extra), crAdd(box.max, extra) };
    }
  }
  return cr_ok;
}

// What its bodies sweep from the start of its segment to the end of the round.
crStatus crWorker_CheckAllotted(crWorker* worker, const crIsland* island, bool isSwept, bool* outIsInside)
{
  const crIslands* islands = worker->islands;
  double t = fmin(island->segment.t1, islands->end), h = t - island->segment.t0;
  *outIsInside = true;
  for (int k = 0; !islands->isSmall && h > 0.0 && k < island->treeCount && *outIsInside; ++k) {
    int tree = island->trees[k], body = -1;
    crBodyPlace place = { .X = crIdentityPose() };
    crSweep sweep = { .acceleration = 0.0 };
    for (int i = firstShape(islands, tree); i < endShape(islands, tree) && *outIsInside; ++i) {
      const crContactShape* shape = &islands->model->contactShapes[i];
      if (shape->body != body) {
        body = shape->body;
        crStatus status = placeBody(worker, body, t, &place);
        if (status != cr_ok) {
          return status;
        }
        const crSweep* before = &islands->sweeps[body];
        sweep = (crSweep){ .p0 = isSwept ? before->p0 : before->p1,
                           .v0 = isSwept ? before->v0 : before->v1,
                           .w0 = isSwept ? before->w0 : before->w1,
                           .p1 = place.X.p,
                           .v1 = place.v,
                           .w1 = place.w };
        crSweep_Bound(&sweep, h);
      }
      double bulge = crBoundAcceleration(islands->model, i, &sweep) * h * h / 8.0;
      crVec3 extra = crMakeVec3(bulge, bulge, bulge);
      crAabb box = crUnionAabb(isSwept ? islands->startBoxes[i] : islands->boxes[i], boxOfShape(islands, i, &place));
      box.min = crSub(box.min, extra);
      box.max = crAdd(box.max, extra);
      *outIsInside = isInside(&box, &islands->allotted[i]);
    }
  }
  return cr_ok;
}
