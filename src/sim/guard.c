// Guard against missed contacts; see the header for the bounds.
#include "sim/guard.h"

#include "sim/motion_bound.h"

#include <string.h>

#define CR_FOUND_SHARE 1.2 // [-] depth over epsilon at which a touch counts as found: above 1, where events decide
#define CR_AIM_SHARE 1.5   // [-] depth over epsilon that a search aims at

struct crGuard {
  crAllocator allocator;
  const crModel* model;
  crContacts* contacts;
  crBroadPhase* broadPhase; // of swept boxes
  double time;              // [s] start of the step
  crSweep* ends;            // (bodyCount)
  crAabb* boxes;            // (shapeCount) at the start of the step
  crPose* poses;            // (shapeCount) likewise
  crTouch* touches;         // (CR_MAX_TOUCHES) scratch
  bool hasSearched;         // in the step that is being checked
  int64_t searchCount, findCount;
};

// ---------------------------------------------------------------------------------------------- memory

static crStatus fillGuard(crGuard* guard, int* owners)
{
  const crContacts* contacts = guard->contacts;
  int count = contacts->shapeCount;
  for (int i = 0; i < count; ++i) {
    owners[i] = guard->model->contactShapes[i].body;
  }
  crStatus status = crCreateBroadPhase(count, owners, (crPairFilter){ crContacts_CanMeet, contacts }, 0.0,
                                       &guard->allocator, &guard->broadPhase);
  for (int i = 0; i < count && status == cr_ok; ++i) {
    if (contacts->facts[i].tree < 0) {
      crPose X_WS = guard->poses[i] = contacts->poses[i];
      status =
          crBroadPhase_SetBox(guard->broadPhase, i, crShape_ComputeAabb(guard->model->contactShapes[i].shape, X_WS));
    }
  }
  return status;
}

crStatus crCreateGuard(const crModel* model, crContacts* contacts, const crAllocator* allocator, crGuard** outGuard)
{
  *outGuard = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crGuard* guard = crAllocateZero(&chosen, 1, sizeof *guard);
  if (guard == NULL) {
    return cr_errorMemory;
  }
  size_t shapes = (size_t)contacts->shapeCount + 1;
  guard->allocator = chosen;
  guard->model = model;
  guard->contacts = contacts;
  guard->ends = crAllocateZero(&chosen, (size_t)model->size.bodyCount, sizeof *guard->ends);
  guard->boxes = crAllocateZero(&chosen, shapes, sizeof *guard->boxes);
  guard->poses = crAllocateZero(&chosen, shapes, sizeof *guard->poses);
  guard->touches = crAllocateZero(&chosen, CR_MAX_TOUCHES, sizeof *guard->touches);
  int* owners = crAllocateZero(&chosen, shapes, sizeof *owners);
  bool hasMemory =
      guard->ends != NULL && guard->boxes != NULL && guard->poses != NULL && guard->touches != NULL && owners != NULL;
  crStatus status = hasMemory ? fillGuard(guard, owners) : cr_errorMemory;
  crFree(&chosen, owners, shapes * sizeof *owners);
  if (status != cr_ok) {
    crDestroyGuard(guard);
    return status;
  }
  *outGuard = guard;
  return cr_ok;
}

void crDestroyGuard(crGuard* guard)
{
  if (guard == NULL) {
    return;
  }
  crAllocator allocator = guard->allocator;
  size_t shapes = (size_t)guard->contacts->shapeCount + 1;
  crDestroyBroadPhase(guard->broadPhase);
  crFree(&allocator, guard->touches, CR_MAX_TOUCHES * sizeof *guard->touches);
  crFree(&allocator, guard->poses, shapes * sizeof *guard->poses);
  crFree(&allocator, guard->boxes, shapes * sizeof *guard->boxes);
  crFree(&allocator, guard->ends, (size_t)guard->model->size.bodyCount * sizeof *guard->ends);
  crFree(&allocator, guard, sizeof *guard);
}

int64_t crGuard_CountSearches(const crGuard* guard)
{
  return guard->searchCount;
}

int64_t crGuard_CountFinds(const crGuard* guard)
{
  return guard->findCount;
}

// ------------------------------------------------------------------------------------------------ steps

static void readBody(const crInstance* instance, int body, crVec3* outP, crVec3* outV, crVec3* outW)
{
  *outP = crFromLanes(instance->places[body].p);
  *outV = crFromLanes(instance->V[body].v);
  *outW = crFromLanes(instance->V[body].w);
}

void crGuard_Begin(crGuard* guard, const crInstance* instance, double t)
{
  crContacts* contacts = guard->contacts;
  guard->time = t;
  for (int b = 1; b < guard->model->size.bodyCount; ++b) {
    readBody(instance, b, &guard->ends[b].p0, &guard->ends[b].v0, &guard->ends[b].w0);
  }
  crPlaceShapes(instance, contacts, contacts->members, contacts->memberCount);
  for (int k = 0; k < contacts->memberCount; ++k) {
    int i = contacts->members[k];
    guard->poses[i] = contacts->poses[i];
    guard->boxes[i] = crShape_ComputeAabb(guard->model->contactShapes[i].shape, contacts->poses[i]);
  }
}

static double boundAcceleration(const crGuard* guard, int shape)
{
  const crContactShape* s = &guard->model->contactShapes[shape];
  return s->body == 0 ? 0.0 : crBoundAcceleration(s, &guard->ends[s->body]);
}

static crStatus sweepBoxes(crGuard* guard, const crInstance* instance, double h)
{
  crContacts* contacts = guard->contacts;
  for (int b = 1; b < guard->model->size.bodyCount; ++b) {
    readBody(instance, b, &guard->ends[b].p1, &guard->ends[b].v1, &guard->ends[b].w1);
    crSweep_Bound(&guard->ends[b], h);
  }
  crPlaceShapes(instance, contacts, contacts->members, contacts->memberCount);
  for (int k = 0; k < contacts->memberCount; ++k) {
    int i = contacts->members[k];
    crAabb box = crShape_ComputeAabb(guard->model->contactShapes[i].shape, contacts->poses[i]);
    double bulge = boundAcceleration(guard, i) * h * h / 8.0; // of a path beside its chord
    crVec3 extra = crMakeVec3(bulge, bulge, bulge);
    box = crUnionAabb(box, guard->boxes[i]);
    box.min = crSub(box.min, extra);
    box.max = crAdd(box.max, extra);
    if (crBroadPhase_SetBox(guard->broadPhase, i, box) != cr_ok) {
      return cr_retry;
    }
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- one touch

typedef struct Search {
  crGuard* guard;
  crInstance* instance;
  crTrajectory trajectory;
  int shapeA, shapeB, touch;
  double floor, found; // [m] distances
  double A, end;
} Search;

static void computeTouches(const Search* search, const crPose* poses)
{
  const crContactShape* shapes = search->guard->model->contactShapes;
  crComputeTouches(shapes[search->shapeA].shape, &poses[search->shapeA], shapes[search->shapeB].shape,
                   &poses[search->shapeB], NULL, search->guard->touches);
}

// Distance and its rate at time t.
static crStatus lookAt(const Search* search, double t, double* outDistance, double* outRate)
{
  crContacts* contacts = search->guard->contacts;
  crStatus status = search->trajectory.moveTo(search->trajectory.context, t);
  if (status != cr_ok) {
    return status;
  }
  int shapes[2] = { search->shapeA, search->shapeB };
  for (int k = 0; k < 2; ++k) {
    if (contacts->facts[shapes[k]].tree >= 0) {
      crPlaceShapes(search->instance, contacts, &shapes[k], 1);
    }
  }
  computeTouches(search, contacts->poses);
  const crTouch* touch = &search->guard->touches[search->touch];
  *outDistance = touch->distance;
  *outRate = -crFindContactMotion(search->instance, contacts, search->shapeA, search->shapeB, touch).rate;
  return cr_ok;
}

// Follows the trajectory from t on. ioTime: where the first touch is that other searches found, beyond which this one
// need not look; where this one is, when that is earlier.
static crStatus searchTouch(const Search* search, double t, double d, double rate, double* ioTime)
{
  double end = fmin(search->end, *ioTime), least = CR_LEAST_PROGRESS * (search->end - t);
  search->guard->hasSearched = true;
  for (int i = 0; i < CR_MAX_SEARCH; ++i) {
    t += fmax(least, crFindReach(d, rate, search->A, search->floor));
    if (!(t < end)) {
      return cr_ok;
    }
    crStatus status = lookAt(search, t, &d, &rate);
    if (status != cr_ok) {
      return status;
    }
    if (d <= search->found) {
      break;
    }
  }
  *ioTime = t;
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- one pair

// Rate of a distance at the start of the step, from the motions that were kept.
static double startRate(const crGuard* guard, int shapeA, int shapeB, const crTouch* touch)
{
  crVec3 v = crMakeVec3(0.0, 0.0, 0.0);
  int shapes[2] = { shapeA, shapeB };
  for (int k = 0; k < 2; ++k) {
    int body = guard->model->contactShapes[shapes[k]].body;
    if (body > 0) {
      const crSweep* e = &guard->ends[body];
      crVec3 u = crAdd(e->v0, crCross(e->w0, crSub(touch->point, e->p0)));
      v = k == 0 ? crSub(v, u) : crAdd(v, u);
    }
  }
  return crDot(v, touch->normal);
}

typedef struct Side {
  double distance, rate;
} Side;

// All touches of a pair at the end of the step, which is where the instance stands.
static void lookAtEnd(const Search* search, int touchCount, Side* outSides)
{
  const crContacts* contacts = search->guard->contacts;
  computeTouches(search, contacts->poses);
  for (int i = 0; i < touchCount; ++i) {
    const crTouch* touch = &search->guard->touches[i];
    crContactMotion motion = crFindContactMotion(search->instance, contacts, search->shapeA, search->shapeB, touch);
    outSides[i] = (Side){ touch->distance, -motion.rate };
  }
}

static void lookAtStart(const Search* search, int touchCount, Side* outSides)
{
  computeTouches(search, search->guard->poses);
  for (int i = 0; i < touchCount; ++i) {
    const crTouch* touch = &search->guard->touches[i];
    outSides[i] = (Side){ touch->distance, startRate(search->guard, search->shapeA, search->shapeB, touch) };
  }
}

// A touch that is deep at the end of the step is an event already. The instance must be put back to the end between
// pairs, since a search moves it.
static crStatus checkPair(Search* search, int touchCount, double h, double* ioTime)
{
  Side starts[CR_MAX_TOUCHES], ends[CR_MAX_TOUCHES];
  lookAtEnd(search, touchCount, ends);
  lookAtStart(search, touchCount, starts);
  for (int i = 0; i < touchCount; ++i) {
    bool isEvent = ends[i].distance <= search->found;
    if (!isEvent &&
        !crIsSafe(starts[i].distance, starts[i].rate, ends[i].distance, ends[i].rate, search->A, h, search->floor)) {
      search->touch = i;
      crStatus status = searchTouch(search, search->guard->time, starts[i].distance, starts[i].rate, ioTime);
      status = status == cr_ok ? search->trajectory.moveTo(search->trajectory.context, search->end) : status;
      if (status != cr_ok) {
        return status;
      }
      crPlaceShapes(search->instance, search->guard->contacts, search->guard->contacts->members,
                    search->guard->contacts->memberCount);
    }
  }
  return cr_ok;
}

crStatus crGuard_Check(crGuard* guard, crInstance* instance, double t, crTrajectory trajectory, double* outTime)
{
  const crContacts* contacts = guard->contacts;
  const crBoxPair* pairs;
  int count;
  double h = t - guard->time;
  *outTime = HUGE_VAL;
  if (!(h > 0.0)) {
    return cr_ok;
  }
  guard->hasSearched = false;
  crStatus status = sweepBoxes(guard, instance, h);
  status = status == cr_ok ? crBroadPhase_FindPairs(guard->broadPhase, &pairs, &count) : status;
  for (int i = 0; status == cr_ok && i < count; ++i) {
    const crContactShape* shapes = guard->model->contactShapes;
    int a = pairs[i].a, b = pairs[i].b;
    if (crContacts_FindPair(contacts, pairs[i]) != NULL) {
      continue;
    }
    const crContactLaw* law = crModel_GetContactLaw(guard->model, shapes[a].material, shapes[b].material);
    double epsilon = crContacts_GetHysteresis(contacts, a, b, law);
    Search search = { .guard = guard,
                      .instance = instance,
                      .trajectory = trajectory,
                      .shapeA = a,
                      .shapeB = b,
                      .floor = -CR_AIM_SHARE * epsilon,
                      .found = -CR_FOUND_SHARE * epsilon,
                      .A = boundAcceleration(guard, a) + boundAcceleration(guard, b),
                      .end = t };
    status = checkPair(&search, crCountTouches(shapes[a].shape, shapes[b].shape), h, outTime);
  }
  guard->findCount += *outTime < t ? 1 : 0;
  guard->searchCount += guard->hasSearched;
  guard->findCount += *outTime < t; // the first one; others are found again in the steps behind it
  return status;
}
