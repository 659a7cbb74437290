// Bodies that start at rest on something.
//
// One body at a time is moved by s along gravity until
//
//   weight + sum over its touches of f_n(s) e_n . g / |g| = 0
//
// which falls as s grows. Bodies that lie on each other change each other's load, so all are visited until none moves.
// Turning is left as it was given: a box on a floor needs none.
#include "sim/rest.h"

#include "base/memory.h"
#include "base/report.h"
#include "contact/area_contact.h"

#include <string.h>

#define CR_MAX_VISITS 200       // of all bodies; a stack of n takes some n^2
#define CR_REST_TOLERANCE 1e-14 // [-] of the body's size: a move that is round-off
#define CR_FIRST_MOVE 1e-9      // [-] of the body's size: first try
#define CR_MAX_HALVINGS 200     // of a bracket of a move
#define CR_REST_REACH 0.05      // [-] of the body's size: farther it is not moved, unless near pairs are

// All near pairs, and those of each body: pairs ownPairs[starts[b]] to ownPairs[starts[b + 1] - 1].
typedef struct Rest {
  crRun* run;
  crContacts* contacts;
  crVec3 down; // along gravity, unit length
  const crBoxPair* pairs;
  int* starts;      // (bodyCount + 1)
  int* firstShapes; // (bodyCount + 1) contact shapes are ordered by body
  int* ownPairs;    // (ownCapacity)
  int ownCapacity;
} Rest;

typedef struct Lying {
  const Rest* rest;
  int body;
  double size;   // [m] of its smallest shape
  double weight; // [N]
} Lying;

// Force of the touches of one pair on the body, along gravity.
static double pushPair(const Lying* lying, crBoxPair pair, double s)
{
  const crModel* model = lying->rest->run->model;
  crContacts* contacts = lying->rest->contacts;
  crVec3 down = lying->rest->down;
  const crContactShape *a = &model->contactShapes[pair.a], *b = &model->contactShapes[pair.b];
  const crContactLaw* law = crModel_GetContactLaw(model, a->material, b->material);
  crPose X_WA = contacts->poses[pair.a], X_WB = contacts->poses[pair.b];
  crPose* own = a->body == lying->body ? &X_WA : &X_WB;
  double sign = a->body == lying->body ? -1.0 : 1.0;
  own->p = crMulAdd(own->p, s, down);
  const crShape *shapeA = &model->shapes[pair.a], *shapeB = &model->shapes[pair.b];
  if (crChooseTouchPath(law, shapeA, shapeB) == cr_touchArea) {
    crAreaSide sideA = { .shape = shapeA, .X_WS = crPlaceCanonical(shapeA, &X_WA) };
    crAreaSide sideB = { .shape = shapeB, .X_WS = crPlaceCanonical(shapeB, &X_WB) };
    crContact contact = { .area = 0.0 };
    crEvalAreaContact(law, &sideA, &sideB, &contact);
    return sign * crDot(contact.force.force, down);
  }
  crTouch touch;
  crComputeTouch(shapeA, &X_WA, shapeB, &X_WB, NULL, &touch);
  if (!(touch.distance < 0.0)) {
    return 0.0;
  }
  crTouchGeometry geometry = crFindTouchGeometry(model, pair, &X_WA, &X_WB, &touch);
  crContactMemory memory = crFreezeContact(law, false, &geometry, 0.0);
  crContactMotion motion = { .depth = -touch.distance, .normal = touch.normal };
  return sign * crDot(crComputeContactForce(law, &memory, &motion).force, down);
}

// Weight and contact forces together, along gravity: > 0 wants down.
static double computeLoad(const Lying* lying, double s)
{
  const Rest* rest = lying->rest;
  double load = lying->weight;
  for (int i = rest->starts[lying->body]; i < rest->starts[lying->body + 1]; ++i) {
    load += pushPair(lying, rest->pairs[rest->ownPairs[i]], s);
  }
  return load;
}

// Two moves between which the load changes its sign; false: none within reach. The margin of near pairs is that of the
// thinnest body, so a soft one may have to go farther.
static bool findBracket(const Lying* lying, double* outLow, double* outHigh)
{
  double load = computeLoad(lying, 0.0), direction = load > 0.0 ? 1.0 : -1.0, before = 0.0;
  double s = CR_FIRST_MOVE * lying->size;
  double reach = fmax(lying->rest->contacts->margin, CR_REST_REACH * lying->size);
  while (s <= reach) {
    if ((computeLoad(lying, direction * s) > 0.0) != (load > 0.0)) {
      *outLow = direction > 0.0 ? before : -s;
      *outHigh = direction > 0.0 ? s : -before;
      return true;
    }
    before = s;
    s *= 2.0;
  }
  return false;
}

static bool findMove(const Lying* lying, double* outMove)
{
  double low = 0.0, high = 0.0;
  if (!findBracket(lying, &low, &high)) {
    return false;
  }
  for (int i = 0; i < CR_MAX_HALVINGS; ++i) {
    double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) {
      break;
    }
    bool wantsDown = computeLoad(lying, middle) > 0.0;
    low = wantsDown ? middle : low;
    high = wantsDown ? high : middle;
  }
  *outMove = low;
  return true;
}

static void reportFloating(const crRun* run, int body)
{
  crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 }, crModel_GetBodyPath(run->model, body));
  crComplaint complaint = { .message = "should start at rest, but lies on nothing",
                            .hint = "put it on what carries it, less than a twentieth of its size above or inside" };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
}

// Moves one body, and tells whether it moved.
static crStatus settle(const Rest* rest, int body, bool* outMoved)
{
  const crModel* model = rest->run->model;
  Lying lying = { .rest = rest, .body = body, .size = HUGE_VAL };
  lying.weight = model->links[body].mass * crLength(model->gravity.acceleration);
  for (int i = rest->firstShapes[body]; i < rest->firstShapes[body + 1]; ++i) {
    lying.size = fmin(lying.size, rest->contacts->facts[i].half);
  }
  double move;
  if (!findMove(&lying, &move)) {
    reportFloating(rest->run, body);
    return cr_errorModel;
  }
  double* p = rest->run->state + model->links[body].qStart;
  p[0] += move * rest->down.x;
  p[1] += move * rest->down.y;
  p[2] += move * rest->down.z;
  for (int i = rest->firstShapes[body]; i < rest->firstShapes[body + 1]; ++i) {
    crVec3* origin = &rest->contacts->poses[i].p;
    *origin = crMulAdd(*origin, move, rest->down);
  }
  *outMoved = *outMoved || fabs(move) > CR_REST_TOLERANCE * lying.size;
  return cr_ok;
}

// ------------------------------------------------------------------------------------------------- lists

// Sorts pairs by body: counts, sums, places.
static bool listPairs(Rest* rest, int pairCount)
{
  const crModel* model = rest->run->model;
  int bodyCount = model->size.bodyCount;
  if (!crReserve(&rest->run->allocator, &rest->ownPairs, &rest->ownCapacity, 2 * pairCount, sizeof *rest->ownPairs)) {
    return false;
  }
  memset(rest->starts, 0, ((size_t)bodyCount + 1) * sizeof *rest->starts);
  for (int i = 0; i < pairCount; ++i) {
    ++rest->starts[model->contactShapes[rest->pairs[i].a].body];
    ++rest->starts[model->contactShapes[rest->pairs[i].b].body];
  }
  for (int b = 1; b <= bodyCount; ++b) {
    rest->starts[b] += rest->starts[b - 1];
  }
  for (int i = pairCount - 1; i >= 0; --i) { // backwards: each start ends up where its list begins
    rest->ownPairs[--rest->starts[model->contactShapes[rest->pairs[i].a].body]] = i;
    rest->ownPairs[--rest->starts[model->contactShapes[rest->pairs[i].b].body]] = i;
  }
  return true;
}

static void listShapes(const Rest* rest)
{
  const crModel* model = rest->run->model;
  int shape = 0;
  for (int b = 0; b <= model->size.bodyCount; ++b) {
    while (shape < model->size.shapeCount && model->contactShapes[shape].body < b) {
      ++shape;
    }
    rest->firstShapes[b] = shape;
  }
}

static crStatus lookAround(Rest* rest)
{
  crRun* run = rest->run;
  int pairCount;
  crInstance_SetState(run->instance, run->set, run->options.startTime, run->state);
  crStatus status = crInstance_Eval(run->instance, run->set, cr_stagePosition);
  status = status == cr_ok ? crFindNearPairs(run->instance, rest->contacts, &rest->pairs, &pairCount) : status;
  return status != cr_ok || listPairs(rest, pairCount) ? status : cr_errorMemory;
}

static crStatus settleAll(Rest* rest)
{
  const crModel* model = rest->run->model;
  bool isMoving = true;
  crStatus status = cr_ok;
  for (int i = 0; i < CR_MAX_VISITS && isMoving && status == cr_ok; ++i) {
    isMoving = false;
    status = lookAround(rest);
    for (int b = 1; b < model->size.bodyCount && status == cr_ok; ++b) {
      if (model->joints[b - 1].startsAtRest) {
        status = settle(rest, b, &isMoving);
      }
    }
  }
  return status;
}

static bool hasResting(const crModel* model)
{
  bool hasAny = false;
  for (int b = 1; b < model->size.bodyCount && !hasAny; ++b) {
    hasAny = model->joints[b - 1].startsAtRest;
  }
  return hasAny && model->gravity.kind == cr_gravityUniform && crLength(model->gravity.acceleration) > 0.0;
}

crStatus crPlaceAtRest(crRun* run)
{
  const crModel* model = run->model;
  if (!hasResting(model)) {
    return cr_ok;
  }
  const crAllocator* allocator = &run->allocator;
  size_t count = (size_t)model->size.bodyCount + 1;
  Rest rest = { .run = run, .contacts = run->contacts };
  rest.down = crNormalize(model->gravity.acceleration);
  rest.starts = crAllocateZero(allocator, count, sizeof *rest.starts);
  rest.firstShapes = crAllocateZero(allocator, count, sizeof *rest.firstShapes);
  crStatus status = cr_errorMemory;
  if (rest.starts != NULL && rest.firstShapes != NULL) {
    listShapes(&rest);
    status = settleAll(&rest);
  }
  crFree(allocator, rest.ownPairs, (size_t)rest.ownCapacity * sizeof *rest.ownPairs);
  crFree(allocator, rest.firstShapes, count * sizeof *rest.firstShapes);
  crFree(allocator, rest.starts, count * sizeof *rest.starts);
  return status;
}
