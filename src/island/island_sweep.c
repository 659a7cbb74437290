// Where bodies are in the segments of their islands, and what they sweep.
#include "island/island.h"
#include "math/lanes.h"
#include "model/eval/free_body.h"
#include "model/eval/kink.h"

#define CR_MOTION_SHARE 0.1   // [-] of the bound: how far a prescribed path may be off its cubic in the middle
#define CR_MOTION_FLOOR 1e-12 // [m] likewise, at least
#define CR_MOTION_TURN 0.05   // [rad] likewise, of its rotation
#define CR_CUBIC_SHARE 0.15   // [-] a little more than 4/27
#define CR_FREE_STATES 13     // of a free body: position, quaternion, velocity, angular velocity
#define CR_FREE_VELOCITY 7    // where its velocity begins

// ----------------------------------------------------------------------------------------------- places

static bool isFree(const crIslands* islands, int tree)
{
  const crTree* t = &islands->model->trees[tree];
  return t->bodyCount == 1 && islands->model->links[t->bodyStart].path == cr_pathFree;
}

static crVec3 readVec3(const double* x)
{
  return crMakeVec3(x[0], x[1], x[2]);
}

// States of a free body at a time of a segment: its end is read, not interpolated.
static const double* readFree(const crSegment* segment, double t, int start, double room[CR_FREE_STATES])
{
  if (t == segment->t1) {
    return segment->y1 + start;
  }
  crSegment_Interpolate(segment, t, start, CR_FREE_STATES, room);
  return room;
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
  if (islands->isCarrier[tree]) {
    return crMoveGiven(worker->probe, set, t);
  }
  for (int k = 0; k < set.treeCount; ++k) {
    int count = crTreeStateCount(&model->trees[set.trees[k]]);
    crSegment_Interpolate(&island->segment, t, islands->stateStarts[set.trees[k]], count, y);
    y += count;
  }
  crInstance_SetPhase(worker->probe, set, island->hasSignals ? island->phase : NAN);
  crInstance_SetState(worker->probe, set, t, worker->scratch);
  return crInstance_Eval(worker->probe, set, cr_stageVelocity);
}

bool crIslands_NeedProbe(const crIslands* islands)
{
  bool needs = crModel_CountKinks(islands->model, islands->run->set) > 0;
  for (int i = 0; i < islands->model->size.treeCount && !needs; ++i) {
    needs = !isFree(islands, i);
  }
  return needs;
}

// A body of a tree with joints. The bodies of a component are mostly asked for at the same time.
static crStatus probeBody(crWorker* worker, int body, double t, crBodyPlace* out)
{
  const crIslands* islands = worker->islands;
  int tree = islands->model->bodies[body].tree;
  const crIsland* island = &islands->items[islands->islandOf[tree]];
  crProbed asked = { islands->model->components[tree], island->number, island->stamp, t };
  if (islands->isCarrier[tree]) { // wherever its island is
    asked.island = -1;
    asked.stamp = 0;
  }
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

crStatus crWorker_PlaceBody(crWorker* worker, int body, double t, crBodyPlace* out)
{
  const crIslands* islands = worker->islands;
  int tree = islands->model->bodies[body].tree;
  if (tree < 0) {
    *out = (crBodyPlace){ .X = crIdentityPose() };
    return cr_ok;
  }
  if (islands->isCarrier[tree]) {
    return probeBody(worker, body, t, out);
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
  placeFree(islands, tree, readFree(segment, t, islands->stateStarts[tree], y), out);
  return cr_ok;
}

void crIslands_PlaceBall(const crIslands* islands, int shape, double t, crVec3* outP, crVec3* outV)
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
  const crShapeFacts* facts = &islands->table->facts[shape];
  if (facts->isSphere && facts->isCentred) {
    double r = islands->model->shapes[shape].sweep;
    crVec3 extent = crMakeVec3(r, r, r);
    return (crAabb){ crSub(place->X.p, extent), crAdd(place->X.p, extent) };
  }
  const crContactShape* s = &islands->model->contactShapes[shape];
  return crShape_ComputeAabb(&islands->model->shapes[shape], crMulPose(place->X, s->X_BS));
}

crStatus crWorker_BoxShape(crWorker* worker, int shape, double t, crAabb* outBox, double* outSpeed)
{
  crBodyPlace place;
  crStatus status = crWorker_PlaceBody(worker, worker->islands->model->contactShapes[shape].body, t, &place);
  *outBox = boxOfShape(worker->islands, shape, &place);
  *outSpeed = crLength(place.v);
  return status;
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
      crStatus status = crWorker_PlaceBody(worker, body, island->segment.t1, &place);
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
  crIslands_ForgetStand(islands, island);
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
  island->isRimSwept = false;
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
  crIslands_ForgetStand(islands, island);
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = firstShape(islands, tree); i < endShape(islands, tree); ++i) {
      crBodyPlace place;
      int body = islands->model->contactShapes[i].body;
      crStatus status = crWorker_PlaceBody(worker, body, island->segment.t0, &place);
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
    crStatus status = crWorker_PlaceBody(worker, body, i < CR_SWEEP_PARTS ? t0 + i * h : island->segment.t1, &place);
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
        status =
            island->segment.kind == cr_stepDop853 && !island->segment.isBrief ? boundParts(worker, island, own) : cr_ok;
        body = own;
      }
      islands->swept[i] = sweptBox(islands, i, h);
    }
  }
  island->sweptStamp = status == cr_ok ? island->stamp : -1;
  island->isRimSwept = false;
  return status;
}

crStatus crWorker_EnsureSwept(crWorker* worker, crIsland* island)
{
  if (island->sweptStamp == island->stamp) {
    return cr_ok;
  }
  crStatus status = crWorker_SweepStart(worker, island);
  return status == cr_ok ? crWorker_Sweep(worker, island) : status;
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
      crStatus status = crWorker_PlaceBody(worker, body, island->segment.t0 + 0.5 * h, &place);
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
      crStatus status = crWorker_PlaceBody(worker, shape->body, from, &start);
      status = status == cr_ok ? crWorker_PlaceBody(worker, shape->body, to, &end) : status;
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
        crStatus status = crWorker_PlaceBody(worker, body, t, &place);
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

static inline crLanes absoluteLanes(crLanes a)
{
  __typeof__(a < a) isNegative = a < crZeroLanes();
  return (crLanes)(((__typeof__(isNegative))a & ~isNegative) | ((__typeof__(isNegative))-a & isNegative));
}

// Whether a ball with these states at both ends stays in its room, by a bound that is quick: a cubic leaves the range
// of its ends by no more than 4/27 h of both speeds. Behind the three numbers that count in each four there are others.
static inline bool isWellInside(const double* from, const double* to, double h, double r, const crAabb* room)
{
  crLanes p0, p1, v0, v1;
  memcpy(&p0, from, sizeof p0);
  memcpy(&p1, to, sizeof p1);
  memcpy(&v0, from + CR_FREE_VELOCITY, sizeof v0);
  memcpy(&v1, to + CR_FREE_VELOCITY, sizeof v1);
  crLanes low = { room->min.x, room->min.y, room->min.z, -HUGE_VAL };
  crLanes high = { room->max.x, room->max.y, room->max.z, HUGE_VAL };
  crLanes extent = r + CR_CUBIC_SHARE * h * (absoluteLanes(v0) + absoluteLanes(v1));
  __typeof__(p0 < p1) isIn =
      (p0 - extent >= low) & (p1 - extent >= low) & (p0 + extent <= high) & (p1 + extent <= high);
  return (isIn[0] & isIn[1] & isIn[2]) != 0;
}

static bool checkSome(const crIsland* island, int first, int end)
{
  const crIslands* islands = island->owner;
  const crSegment* segment = &island->segment;
  double t = fmin(segment->t1, islands->end), h = t - segment->t0;
  bool isGood = true;
  for (int k = first; !islands->isSmall && h > 0.0 && k < end && isGood; ++k) {
    int tree = island->trees[k], shape = islands->treeShapes[tree], start = islands->stateStarts[tree];
    double y[CR_FREE_STATES];
    const double *from = segment->y0 + start, *to = readFree(segment, t, start, y);
    if (isWellInside(from, to, h, crBallLanes_GetRadius(island->lanes, k), &islands->allotted[shape])) {
      continue;
    }
    crSweep sweep = { .p0 = readVec3(from),
                      .v0 = readVec3(from + CR_FREE_VELOCITY),
                      .p1 = readVec3(to),
                      .v1 = readVec3(to + CR_FREE_VELOCITY) };
    crSweep_Bound(&sweep, h);
    double r = islands->model->shapes[shape].sweep + sweep.acceleration * h * h / 8.0;
    crVec3 extent = crMakeVec3(r, r, r);
    crAabb box = { crSub(crMinVec3(sweep.p0, sweep.p1), extent), crAdd(crMaxVec3(sweep.p0, sweep.p1), extent) };
    isGood = isInside(&box, &islands->allotted[shape]);
  }
  return isGood;
}

typedef struct Check {
  const crIsland* island;
  const crCrew* crew;
  atomic_bool isGood;
} Check;

static void checkPart(void* context, int part)
{
  Check* check = context;
  int first = crCrew_FindPart(check->crew, check->island->treeCount, 1, part);
  if (!checkSome(check->island, first, crCrew_FindPart(check->crew, check->island->treeCount, 1, part + 1))) {
    atomic_store(&check->isGood, false);
  }
}

// The same of a crowd of balls, whose bodies have not been swept.
bool crWorker_CheckBalls(const crWorker* worker, const crIsland* island)
{
  const crCrew* crew = crIsland_GetCrew(worker, island);
  Check check = { island, crew, true };
  crCrew_Run(crew, checkPart, &check);
  return atomic_load(&check.isGood);
}
