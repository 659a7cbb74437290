// Bodies that start at rest on something: moved by s_i along gravity until
//
//   weight_i + sum over its contacts of f(s) . g / |g| = 0        for all of them
//
// These are the derivatives of a potential that is convex, so Newton's method finds its minimum: with the stiffness of
// each pair as the weight of an edge, the matrix is that of a graph, and conjugate gradients solve for the moves. A
// body that nothing carries yet has no stiffness; it is moved alone, until something does. Turning is left as it was
// given: a box on a floor needs none.
#include "sim/rest.h"

#include "base/memory.h"
#include "base/report.h"
#include "contact/area_contact.h"

#include <string.h>

#define CR_MAX_ROUNDS 100       // of Newton's method, each with moves of those that nothing carries
#define CR_REST_TOLERANCE 1e-13 // [-] of the weight: a load that is round-off, or
#define CR_REST_MOVE 1e-14      // [-] of the body's size: a move that is
#define CR_FIRST_MOVE 1e-9      // [-] of the body's size: first try
#define CR_MAX_HALVINGS 200     // of a bracket of a move
#define CR_MOVE_SHARE 1e-3      // [-] of a move alone, to which it is found: others will change it
#define CR_REST_REACH 0.05      // [-] of the body's size: farther it is not moved, unless near pairs are
#define CR_STIFFNESS_SHARE 1e-6 // [-] of the depth: difference for the stiffness
#define CR_BACKTRACKS 40        // halvings of a step of Newton's method
#define CR_REST_NUMBERS 6       // arrays of numbers of bodies

// All near pairs, and those of each body: pairs ownPairs[starts[b]] to ownPairs[starts[b + 1] - 1].
typedef struct Rest {
  crRun* run;
  crContacts* contacts;
  crVec3 down; // along gravity, unit length
  const crBoxPair* pairs;
  int pairCount;
  int* starts;      // (bodyCount + 1)
  int* firstShapes; // (bodyCount + 1) contact shapes are ordered by body
  int* ownPairs;    // (ownCapacity)
  int ownCapacity;
  double* stiffnesses; // (stiffnessCapacity) [N/m] of the pairs
  int stiffnessCapacity;
  double* numbers; // (CR_REST_NUMBERS bodyCount) and parts of it:
  double *loads, *moves, *residuals, *directions, *products, *diagonal;
} Rest;

typedef struct Lying {
  const Rest* rest;
  int body;
  double size;   // [m] of its smallest shape
  double weight; // [N]
} Lying;

// Force of one pair on B along gravity, with both bodies moved along gravity. outDepth may be NULL.
static double pushPair(const Rest* rest, crBoxPair pair, double moveA, double moveB, double* outDepth)
{
  const crModel* model = rest->run->model;
  const crContactShape *a = &model->contactShapes[pair.a], *b = &model->contactShapes[pair.b];
  const crContactLaw* law = crModel_GetContactLaw(model, a->material, b->material);
  crPose X_WA = rest->contacts->poses[pair.a], X_WB = rest->contacts->poses[pair.b];
  X_WA.p = crMulAdd(X_WA.p, moveA, rest->down);
  X_WB.p = crMulAdd(X_WB.p, moveB, rest->down);
  const crShape *shapeA = &model->shapes[pair.a], *shapeB = &model->shapes[pair.b];
  crContact contact = { .area = 0.0 };
  if (crChooseTouchPath(law, shapeA, shapeB) == cr_touchArea) {
    crAreaSide sideA = { .shape = shapeA, .X_WS = crPlaceCanonical(shapeA, &X_WA) };
    crAreaSide sideB = { .shape = shapeB, .X_WS = crPlaceCanonical(shapeB, &X_WB) };
    crEvalAreaContact(law, &sideA, &sideB, &contact);
  } else {
    crComputeTouch(shapeA, &X_WA, shapeB, &X_WB, NULL, &contact.now);
    if (contact.now.distance < 0.0) {
      crTouchGeometry geometry = crFindTouchGeometry(model, pair, &X_WA, &X_WB, &contact.now);
      crContactMemory memory = crFreezeContact(law, false, &geometry, 0.0);
      crContactMotion motion = { .depth = -contact.now.distance, .normal = contact.now.normal };
      contact.force = crComputeContactForce(law, &memory, &motion);
    }
  }
  if (outDepth != NULL) {
    *outDepth = fmax(0.0, -contact.now.distance);
  }
  return crDot(contact.force.force, rest->down);
}

// Weight and contact forces together, along gravity: > 0 wants down. s: moves this body alone.
static double computeLoad(const Lying* lying, double s)
{
  const Rest* rest = lying->rest;
  const crContactShape* shapes = rest->run->model->contactShapes;
  double load = lying->weight;
  for (int i = rest->starts[lying->body]; i < rest->starts[lying->body + 1]; ++i) {
    crBoxPair pair = rest->pairs[rest->ownPairs[i]];
    bool isA = shapes[pair.a].body == lying->body;
    load += isA ? -pushPair(rest, pair, s, 0.0, NULL) : pushPair(rest, pair, 0.0, s, NULL);
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
  for (int i = 0; i < CR_MAX_HALVINGS && high - low > CR_MOVE_SHARE * fmax(fabs(low), fabs(high)); ++i) {
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

static void moveBody(const Rest* rest, int body, double move)
{
  const crModel* model = rest->run->model;
  double* p = rest->run->state + model->links[body].qStart;
  p[0] += move * rest->down.x;
  p[1] += move * rest->down.y;
  p[2] += move * rest->down.z;
  for (int i = rest->firstShapes[body]; i < rest->firstShapes[body + 1]; ++i) {
    crVec3* origin = &rest->contacts->poses[i].p;
    *origin = crMulAdd(*origin, move, rest->down);
  }
}

static Lying describeBody(const Rest* rest, int body)
{
  const crModel* model = rest->run->model;
  Lying lying = { .rest = rest, .body = body, .size = HUGE_VAL };
  lying.weight = model->links[body].mass * crLength(model->gravity.acceleration);
  for (int i = rest->firstShapes[body]; i < rest->firstShapes[body + 1]; ++i) {
    lying.size = fmin(lying.size, rest->contacts->facts[i].half);
  }
  return lying;
}

static bool rests(const Rest* rest, int body)
{
  return body > 0 && rest->run->model->joints[body - 1].startsAtRest;
}

// --------------------------------------------------------------------------------------------- all at once

// Loads of all bodies that rest, stiffnesses of all pairs and their sums: of one that moves against what does not, too.
static void computeLoads(const Rest* rest, double share, bool withStiffness)
{
  const crModel* model = rest->run->model;
  double g = crLength(model->gravity.acceleration);
  for (int b = 1; b < model->size.bodyCount; ++b) {
    rest->loads[b] = model->links[b].mass * g;
    rest->diagonal[b] = withStiffness ? 0.0 : rest->diagonal[b];
  }
  for (int i = 0; i < rest->pairCount; ++i) {
    crBoxPair pair = rest->pairs[i];
    int a = model->contactShapes[pair.a].body, b = model->contactShapes[pair.b].body;
    double moveA = rests(rest, a) ? share * rest->moves[a] : 0.0, moveB = rests(rest, b) ? share * rest->moves[b] : 0.0;
    double depth, force = pushPair(rest, pair, moveA, moveB, &depth);
    rest->loads[a] -= force;
    rest->loads[b] += force;
    if (withStiffness) {
      double h = CR_STIFFNESS_SHARE * depth, more = h > 0.0 ? pushPair(rest, pair, moveA, moveB + h, NULL) : force;
      double less = h > 0.0 ? pushPair(rest, pair, moveA, moveB - h, NULL) : force;
      rest->stiffnesses[i] = h > 0.0 ? fmax(0.0, (less - more) / (2.0 * h)) : 0.0;
      rest->diagonal[a] += rest->stiffnesses[i];
      rest->diagonal[b] += rest->stiffnesses[i];
    }
  }
}

// out = K x, of bodies that rest.
static void multiply(const Rest* rest, const double* x, double* out)
{
  const crModel* model = rest->run->model;
  for (int b = 0; b < model->size.bodyCount; ++b) {
    out[b] = rests(rest, b) ? rest->diagonal[b] * x[b] : 0.0;
  }
  for (int i = 0; i < rest->pairCount; ++i) {
    int a = model->contactShapes[rest->pairs[i].a].body, b = model->contactShapes[rest->pairs[i].b].body;
    if (rests(rest, a) && rests(rest, b)) {
      out[a] -= rest->stiffnesses[i] * x[b];
      out[b] -= rest->stiffnesses[i] * x[a];
    }
  }
}

static double dotBodies(const Rest* rest, const double* x, const double* y)
{
  double sum = 0.0;
  for (int b = 1; b < rest->run->model->size.bodyCount; ++b) {
    sum += rests(rest, b) ? x[b] * y[b] : 0.0;
  }
  return sum;
}

// K moves = loads, by conjugate gradients with the diagonal. Bodies without stiffness do not move.
static void solveMoves(Rest* rest)
{
  int count = rest->run->model->size.bodyCount;
  double *r = rest->residuals, *p = rest->directions, *q = rest->products, before = 0.0;
  for (int b = 0; b < count; ++b) {
    bool isCarried = rests(rest, b) && rest->diagonal[b] > 0.0;
    rest->moves[b] = 0.0;
    r[b] = isCarried ? rest->loads[b] / sqrt(rest->diagonal[b]) : 0.0; // of D^-1/2 K D^-1/2
    p[b] = r[b];
  }
  double square = dotBodies(rest, r, r), first = square;
  for (int i = 0; i < 4 * count && square > CR_REST_TOLERANCE * CR_REST_TOLERANCE * first; ++i) {
    for (int b = 0; b < count; ++b) {
      rest->loads[b] = rest->diagonal[b] > 0.0 ? p[b] / sqrt(rest->diagonal[b]) : 0.0; // room that is not needed now
    }
    multiply(rest, rest->loads, q);
    for (int b = 0; b < count; ++b) {
      q[b] = rest->diagonal[b] > 0.0 ? q[b] / sqrt(rest->diagonal[b]) : 0.0;
    }
    double curvature = dotBodies(rest, p, q);
    if (!(curvature > 0.0)) {
      break;
    }
    double alpha = square / curvature;
    for (int b = 0; b < count; ++b) {
      rest->moves[b] += alpha * p[b];
      r[b] -= alpha * q[b];
    }
    before = square;
    square = dotBodies(rest, r, r);
    for (int b = 0; b < count; ++b) {
      p[b] = r[b] + square / before * p[b];
    }
  }
  for (int b = 0; b < count; ++b) {
    rest->moves[b] = rest->diagonal[b] > 0.0 ? rest->moves[b] / sqrt(rest->diagonal[b]) : 0.0;
  }
}

// The largest load over the weight, of bodies that rest and are carried.
static double findWorst(const Rest* rest)
{
  const crModel* model = rest->run->model;
  double g = crLength(model->gravity.acceleration), worst = 0.0;
  for (int b = 1; b < model->size.bodyCount; ++b) {
    if (rests(rest, b)) {
      worst = fmax(worst, fabs(rest->loads[b]) / (model->links[b].mass * g));
    }
  }
  return worst;
}

// One step of Newton's method; halved until loads are less.
static void stepAll(Rest* rest, double* outLargest)
{
  const crModel* model = rest->run->model;
  double before = findWorst(rest), share = 1.0;
  solveMoves(rest);
  computeLoads(rest, share, false);
  for (int i = 0; i < CR_BACKTRACKS && findWorst(rest) > before; ++i) {
    share *= 0.5;
    computeLoads(rest, share, false);
  }
  *outLargest = 0.0;
  for (int b = 1; b < model->size.bodyCount; ++b) {
    if (rests(rest, b) && rest->moves[b] != 0.0) {
      moveBody(rest, b, share * rest->moves[b]);
      *outLargest = fmax(*outLargest, fabs(share * rest->moves[b]) / describeBody(rest, b).size);
    }
  }
}

// Bodies that nothing carries: each alone. cr_errorModel: there is nothing.
static crStatus dropBodies(Rest* rest, bool* outHasDropped)
{
  *outHasDropped = false;
  for (int b = 1; b < rest->run->model->size.bodyCount; ++b) {
    if (rests(rest, b) && !(rest->diagonal[b] > 0.0)) {
      Lying lying = describeBody(rest, b);
      double move;
      if (!findMove(&lying, &move)) {
        reportFloating(rest->run, b);
        return cr_errorModel;
      }
      moveBody(rest, b, move);
      *outHasDropped = true;
    }
  }
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
  if (status != cr_ok) {
    return status;
  }
  rest->pairCount = pairCount;
  bool hasRoom = listPairs(rest, pairCount) && crReserve(&run->allocator, &rest->stiffnesses, &rest->stiffnessCapacity,
                                                         pairCount, sizeof *rest->stiffnesses);
  return hasRoom ? cr_ok : cr_errorMemory;
}

static crStatus settleAll(Rest* rest)
{
  bool isMoving = true, hasDropped = false;
  crStatus status = cr_ok;
  for (int i = 0; i < CR_MAX_ROUNDS && isMoving && status == cr_ok; ++i) {
    double largest = 0.0;
    status = lookAround(rest);
    memset(rest->moves, 0, (size_t)rest->run->model->size.bodyCount * sizeof *rest->moves);
    if (status == cr_ok) {
      computeLoads(rest, 0.0, true);
      status = dropBodies(rest, &hasDropped);
    }
    if (status == cr_ok && !hasDropped && findWorst(rest) > CR_REST_TOLERANCE) {
      stepAll(rest, &largest);
    }
    isMoving = hasDropped || largest > CR_REST_MOVE;
  }
  return status;
}

bool crHasResting(const crModel* model)
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
  if (!crHasResting(model)) {
    return cr_ok;
  }
  const crAllocator* allocator = &run->allocator;
  size_t count = (size_t)model->size.bodyCount + 1;
  Rest rest = { .run = run, .contacts = run->contacts };
  rest.down = crNormalize(model->gravity.acceleration);
  rest.starts = crAllocateZero(allocator, count, sizeof *rest.starts);
  rest.firstShapes = crAllocateZero(allocator, count, sizeof *rest.firstShapes);
  rest.numbers = crAllocateZero(allocator, CR_REST_NUMBERS * count, sizeof *rest.numbers);
  crStatus status = cr_errorMemory;
  if (rest.starts != NULL && rest.firstShapes != NULL && rest.numbers != NULL) {
    double** parts[CR_REST_NUMBERS] = { &rest.loads,      &rest.moves,    &rest.residuals,
                                        &rest.directions, &rest.products, &rest.diagonal };
    for (int i = 0; i < CR_REST_NUMBERS; ++i) {
      *parts[i] = rest.numbers + (size_t)i * count;
    }
    listShapes(&rest);
    status = settleAll(&rest);
  }
  crFree(allocator, rest.numbers, CR_REST_NUMBERS * count * sizeof *rest.numbers);
  crFree(allocator, rest.stiffnesses, (size_t)rest.stiffnessCapacity * sizeof *rest.stiffnesses);
  crFree(allocator, rest.ownPairs, (size_t)rest.ownCapacity * sizeof *rest.ownPairs);
  crFree(allocator, rest.firstShapes, count * sizeof *rest.firstShapes);
  crFree(allocator, rest.starts, count * sizeof *rest.starts);
  return status;
}
