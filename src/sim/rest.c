// Bodies that start at rest on something.
//
// One body at a time is moved by s along gravity until
//
//   weight + sum over its touches of f_n(s) e_n . g / |g| = 0
//
// which falls as s grows. Bodies that lie on each other change each other's load, so all are visited until none moves.
// Turning is left as it was given: a box on a floor needs none.
#include "sim/rest.h"

#include "base/report.h"

#include <stdio.h>

#define CR_MAX_VISITS 200       // of all bodies; a stack of n takes some n^2
#define CR_REST_TOLERANCE 1e-14 // [-] of the body's size: a move that is round-off
#define CR_FIRST_MOVE 1e-9      // [-] of the body's size: first try
#define CR_MAX_HALVINGS 200     // of a bracket of a move

typedef struct Lying {
  crSimulation* simulation;
  crContacts* contacts;
  int body;
  double size;   // [m] of its smallest shape
  double weight; // [N]
  crVec3 down;   // along gravity, unit length
  const crBoxPair* pairs;
  int pairCount;
} Lying;

// Force of the touches of one pair on the body, along gravity.
static double pushPair(const Lying* lying, crBoxPair pair, double s)
{
  const crModel* model = lying->simulation->model;
  crContacts* contacts = lying->contacts;
  const crContactShape *a = &model->contactShapes[pair.a], *b = &model->contactShapes[pair.b];
  const crContactLaw* law = crModel_GetContactLaw(model, a->material, b->material);
  crPose X_WA = contacts->poses[pair.a], X_WB = contacts->poses[pair.b];
  crPose* own = a->body == lying->body ? &X_WA : &X_WB;
  double sign = a->body == lying->body ? -1.0 : 1.0, sum = 0.0;
  own->p = crMulAdd(own->p, s, lying->down);
  crComputeTouches(a->shape, &X_WA, b->shape, &X_WB, NULL, contacts->touches);
  for (int i = 0; i < crCountTouches(a->shape, b->shape); ++i) {
    crTouch touch = contacts->touches[i];
    if (touch.distance < 0.0) {
      crTouchGeometry geometry = crComputeTouchGeometry(a->shape, &X_WA, b->shape, &X_WB, i);
      crContactMemory memory = crFreezeContact(law, &geometry, 0.0);
      crContactMotion motion = { .depth = -touch.distance, .normal = touch.normal };
      crContactForce force = crComputeContactForce(law, &memory, &motion);
      sum += sign * touch.weight * crDot(force.force, lying->down);
    }
  }
  return sum;
}

// Weight and contact forces together, along gravity: > 0 wants down.
static double computeLoad(const Lying* lying, double s)
{
  const crContactShape* shapes = lying->simulation->model->contactShapes;
  double load = lying->weight;
  for (int i = 0; i < lying->pairCount; ++i) {
    crBoxPair pair = lying->pairs[i];
    if (shapes[pair.a].body == lying->body || shapes[pair.b].body == lying->body) {
      load += pushPair(lying, pair, s);
    }
  }
  return load;
}

// Two moves between which the load changes its sign; false: none within the reach of the near pairs.
static bool findBracket(const Lying* lying, double* outLow, double* outHigh)
{
  double load = computeLoad(lying, 0.0), direction = load > 0.0 ? 1.0 : -1.0, before = 0.0;
  for (double s = CR_FIRST_MOVE * lying->size; s <= lying->contacts->margin; s *= 2.0) {
    if ((computeLoad(lying, direction * s) > 0.0) != (load > 0.0)) {
      *outLow = direction > 0.0 ? before : -s;
      *outHigh = direction > 0.0 ? s : -before;
      return true;
    }
    before = s;
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

static void reportFloating(const crSimulation* simulation, int body)
{
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, simulation->model->bodies[body].path);
  crComplaint complaint = { .message = "should start at rest, but lies on nothing",
                            .hint = "put it on what carries it, less than a twentieth of its size above or inside" };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
}

static double findSize(const crContacts* contacts, int body)
{
  double size = HUGE_VAL;
  for (int k = 0; k < contacts->memberCount; ++k) {
    int shape = contacts->members[k];
    size = contacts->model->contactShapes[shape].body == body ? fmin(size, contacts->facts[shape].half) : size;
  }
  return size;
}

// Moves one body, and tells whether it moved.
static crStatus settle(crSimulation* simulation, int body, bool* outMoved)
{
  crContacts* contacts = simulation->contacts;
  const crModel* model = simulation->model;
  Lying lying = { .simulation = simulation, .contacts = contacts, .body = body, .size = findSize(contacts, body) };
  lying.down = crNormalize(model->gravity.acceleration);
  lying.weight = model->links[body].mass * crLength(model->gravity.acceleration);
  crInstance_SetState(simulation->instance, simulation->set, simulation->options.startTime, simulation->state);
  crStatus status = crInstance_Eval(simulation->instance, simulation->set, cr_stagePosition);
  status = status == cr_ok ? crFindNearPairs(simulation->instance, contacts, &lying.pairs, &lying.pairCount) : status;
  double move;
  if (status == cr_ok && !findMove(&lying, &move)) {
    reportFloating(simulation, body);
    status = cr_errorModel;
  }
  if (status != cr_ok) {
    return status;
  }
  double* p = simulation->state + model->links[body].qStart;
  p[0] += move * lying.down.x;
  p[1] += move * lying.down.y;
  p[2] += move * lying.down.z;
  *outMoved = *outMoved || fabs(move) > CR_REST_TOLERANCE * lying.size;
  return cr_ok;
}

crStatus crPlaceAtRest(crSimulation* simulation)
{
  const crModel* model = simulation->model;
  bool isMoving = model->gravity.kind == cr_gravityUniform;
  crStatus status = cr_ok;
  for (int i = 0; i < CR_MAX_VISITS && isMoving && status == cr_ok; ++i) {
    isMoving = false;
    for (int b = 1; b < model->size.bodyCount && status == cr_ok; ++b) {
      if (model->joints[b - 1].startsAtRest) {
        status = settle(simulation, b, &isMoving);
      }
    }
  }
  return status;
}
