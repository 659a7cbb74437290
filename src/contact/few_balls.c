// Rates of a few balls and of their contacts, see few_balls.h: the equations of contact_force.c and free_body.c.
#include "contact/few_balls.h"

#include "contact/contact_group.h"
#include "model/eval/free_body.h"

#define CR_INLINE static inline __attribute__((always_inline)) // where the compiler would not

// ------------------------------------------------------------------------------------------------ listing

static int findBall(crTreeSet set, int tree)
{
  int k = 0;
  while (k < set.treeCount && set.trees[k] != tree) {
    ++k;
  }
  return k < set.treeCount ? k : -1;
}

static bool isForPush(const crContacts* contacts, int k)
{
  const crTouchingPair* pair = &contacts->pairs.items[k];
  const crShapeFacts *a = &contacts->facts[pair->shapeA], *b = &contacts->facts[pair->shapeB];
  const crShape* shapes = contacts->model->shapes;
  bool isShort = pair->path != cr_touchAny && pair->path != cr_touchArea;
  bool isHeld = (pair->path == cr_touchSphereSolid && crIsHeld(&shapes[pair->shapeB])) ||
                (pair->path == cr_touchSolidSphere && crIsHeld(&shapes[pair->shapeA]));
  return isShort && !isHeld && !a->hasSurfaceVelocity && !b->hasSurfaceVelocity &&
         contacts->contacts.items[k].bristle.count == 0 && (!contacts->hasGroups || crIsAlone(contacts, k));
}

// One side of a contact that is no ball of the set.
static void listOther(crFewBalls* few, const crContacts* contacts, int shape, const int* owners, int owner,
                      int* outBody, int* outCarrier)
{
  const crShapeFacts* facts = &contacts->facts[shape];
  *outBody = facts->body;
  *outCarrier = facts->tree >= 0 && owners[facts->tree] != owner ? facts->body : -1;
  bool isListed = facts->tree < 0;
  for (int i = 0; i < few->carrierCount && !isListed; ++i) {
    isListed = few->carriers[i] == shape;
  }
  if (!isListed) {
    few->carriers[few->carrierCount++] = shape;
  }
}

static bool listPush(crFewBalls* few, crTreeSet set, int k, const int* owners, int owner)
{
  const crContacts* contacts = set.contacts;
  const crTouchingPair* pair = &contacts->pairs.items[k];
  const crShapeFacts *a = &contacts->facts[pair->shapeA], *b = &contacts->facts[pair->shapeB];
  crFewPush* push = &few->pushes[few->pushCount++];
  push->pair = pair;
  push->contact = &set.contacts->contacts.items[k];
  push->a = a->stateTree >= 0 ? findBall(set, a->stateTree) : -1;
  push->b = b->stateTree >= 0 ? findBall(set, b->stateTree) : -1;
  push->carrierA = push->carrierB = -1;
  push->bodyA = push->bodyB = 0;
  if (push->a < 0) {
    listOther(few, contacts, pair->shapeA, owners, owner, &push->bodyA, &push->carrierA);
  }
  if (push->b < 0) {
    listOther(few, contacts, pair->shapeB, owners, owner, &push->bodyB, &push->carrierB);
  }
  bool isCentred = (push->a < 0 || a->isCentred) && (push->b < 0 || b->isCentred);
  return isCentred && (push->a >= 0 || a->stateTree < 0) && (push->b >= 0 || b->stateTree < 0) &&
         isForPush(contacts, k);
}

bool crFewBalls_List(crFewBalls* few, const crInstance* instance, crTreeSet set, const int* owners, int owner)
{
  const crModel* model = instance->model;
  const crContacts* contacts = set.contacts;
  few->pushCount = few->carrierCount = 0;
  few->ballCount = set.treeCount;
  bool isFew = set.treeCount <= CR_MOST_BALLS && contacts->pairs.count <= CR_MOST_PUSHES && !contacts->isLinear;
  for (int k = 0; k < set.treeCount && isFew; ++k) {
    int b = model->trees[set.trees[k]].bodyStart;
    const crLink* link = &model->links[b];
    isFew = model->areRound[set.trees[k]];
    few->balls[k] = (crFewBall){ link->inverseMass, link->inverseRound, crFromLanes(instance->A0[b].v) };
  }
  for (int k = 0; k < contacts->pairs.count && isFew; ++k) {
    isFew = listPush(few, set, k, owners, owner);
  }
  return isFew;
}

// ------------------------------------------------------------------------------------------------- forces

// A body as a contact sees it: a ball from its states, anything else from the instance.
typedef struct Side {
  crVec3 p, v, w;
} Side;

static inline crVec3 readVec3(const double* y)
{
  return crMakeVec3(y[0], y[1], y[2]);
}

static inline Side readSide(const crInstance* instance, const double* y, int ball, int body)
{
  if (ball >= 0) {
    const double* own = y + (size_t)CR_FREE_STATES * (size_t)ball;
    const double* u = own + CR_FREE_VELOCITY;
    return (Side){ readVec3(own), readVec3(u), readVec3(u + 3) };
  }
  return (Side){ crFromLanes(instance->places[body].p), crFromLanes(instance->V[body].v),
                 crFromLanes(instance->V[body].w) };
}

static inline crVec3 findVelocity(const Side* side, bool isStill, crVec3 p)
{
  return isStill ? crMakeVec3(0.0, 0.0, 0.0) : crAdd(side->v, crCross(side->w, crSub(p, side->p)));
}

static inline void findTouch(const crContacts* contacts, const crTouchingPair* pair, const Side* a, const Side* b,
                             crTouch* out)
{
  const crShape *ofA = &contacts->model->shapes[pair->shapeA], *ofB = &contacts->model->shapes[pair->shapeB];
  const crPose *X_WA = &contacts->poses[pair->shapeA], *X_WB = &contacts->poses[pair->shapeB];
  switch (pair->path) {
    case cr_touchSpherePlane: crTouchSpherePlane(ofA, a->p, ofB, X_WB, 1.0, out); break;
    case cr_touchPlaneSphere: crTouchSpherePlane(ofB, b->p, ofA, X_WA, -1.0, out); break;
    case cr_touchSphereSolid: crTouchSphereSolid(ofA, a->p, ofB, X_WB, 1.0, out); break;
    case cr_touchSolidSphere: crTouchSphereSolid(ofB, b->p, ofA, X_WA, -1.0, out); break;
    default: crTouchSpheres(ofA, a->p, ofB, b->p, out); break;
  }
}

// [W] What the force does to a body at its velocity.
static inline double findPower(const Side* side, crVec3 point, const crContactForce* force)
{
  return crDot(force->force, findVelocity(side, false, point)) + crDot(force->torque, side->w);
}

// Sums of forces and torques on a ball.
typedef struct Sum {
  crVec3 f, t;
} Sum;

// Behind a contact: what it does to both.
static inline void exert(const crFewPush* push, const Side* a, const Side* b, crVec3 point, const crContactForce* force,
                         Sum* sums)
{
  if (push->b >= 0) {
    Sum* sum = &sums[push->b];
    sum->t = crAdd(sum->t, crAdd(force->torque, crCross(crSub(point, b->p), force->force)));
    sum->f = crAdd(sum->f, force->force);
  }
  if (push->a >= 0) {
    Sum* sum = &sums[push->a];
    crVec3 f = crNeg(force->force);
    sum->t = crAdd(sum->t, crAdd(crNeg(force->torque), crCross(crSub(point, a->p), f)));
    sum->f = crAdd(sum->f, f);
  }
}

// What is known of a contact at the end of a step.
static inline void keep(const crTouch* touch, const crContactMotion* motion, const crContactForce* force, bool isKnown,
                        double release, crContact* contact)
{
  contact->now = *touch;
  contact->motion = *motion;
  contact->force = *force;
  contact->stored = isKnown ? force->elastic : 0.0;
  contact->release = release;
  contact->drag = force->force;
}

// Returns 0; NaN: not finite.
CR_INLINE double evalPush(const crInstance* instance, const crContacts* contacts, const double* y, bool isEnd,
                          crFewPush* push, Sum* sums, crPowers* ioPowers)
{
  const crContactLaw* law = push->pair->law;
  const crContactMemory* memory = &push->contact->memory;
  Side a = readSide(instance, y, push->a, push->bodyA), b = readSide(instance, y, push->b, push->bodyB);
  crTouch touch;
  crContactMotion motion;
  crContactForce force;
  findTouch(contacts, push->pair, &a, &b, &touch);
  crVec3 n = touch.normal;
  crVec3 v = crSub(findVelocity(&b, push->b < 0 && push->bodyB == 0, touch.point),
                   findVelocity(&a, push->a < 0 && push->bodyA == 0, touch.point));
  motion.depth = -touch.distance;
  motion.rate = -crDot(v, n);
  motion.normal = n;
  motion.slip = crMulAdd(v, motion.rate, n);
  motion.turn = crSub(b.w, a.w);
  crEvalContactForce(law, memory, &motion, &force);
  exert(push, &a, &b, touch.point, &force, sums);
  bool isKnown = motion.depth > 0.0 && law->response != cr_responseUser;
  push->force = force.normalForce;
  push->power = force.dissipation;
  push->slide = force.normalForce > 0.0 ? crLength(motion.slip) : 0.0;
  push->release = isKnown ? -(memory->exponent + 1.0) * force.elastic / motion.depth * motion.rate : 0.0;
  if (isEnd) {
    keep(&touch, &motion, &force, isKnown, push->release, push->contact);
  }
  ioPowers->dissipation += force.dissipation;
  ioPowers->work += push->carrierA >= 0 ? findPower(&a, touch.point, &force) : 0.0;
  ioPowers->work -= push->carrierB >= 0 ? findPower(&b, touch.point, &force) : 0.0;
  return 0.0 * (force.force.x + force.force.y + force.force.z + force.normalForce);
}

static inline void writeVec3(crVec3 v, double* out)
{
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

CR_INLINE crStatus computeRates(crFewBalls* few, const crInstance* instance, crTreeSet set, const double* y, bool isEnd,
                                double* outRates, crPowers* outPowers)
{
  Sum sums[CR_MOST_BALLS];
  double check = 0.0;
  crPowers powers = { 0.0, 0.0 };
  for (int k = 0; k < few->ballCount; ++k) {
    sums[k] = (Sum){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  }
  crPlaceShapes(instance, set.contacts, few->carriers, few->carrierCount);
  for (int i = 0; i < few->pushCount; ++i) {
    check += evalPush(instance, set.contacts, y, isEnd, &few->pushes[i], sums, &powers);
  }
  for (int k = 0; k < few->ballCount; ++k) {
    const crFewBall* ball = &few->balls[k];
    const double* own = y + (size_t)CR_FREE_STATES * (size_t)k;
    double* out = outRates + (size_t)CR_FREE_STATES * (size_t)k;
    crVec3 v = crSub(crScale(ball->perMass, sums[k].f), ball->lift), w = crScale(ball->perInertia, sums[k].t);
    writeVec3(readVec3(own + CR_FREE_VELOCITY), out);
    for (int i = 3; i < CR_FREE_VELOCITY; ++i) {
      out[i] = 0.0;
    }
    writeVec3(v, out + CR_FREE_VELOCITY);
    writeVec3(w, out + CR_FREE_VELOCITY + 3);
    check += 0.0 * (out[0] + out[1] + out[2] + v.x + v.y + v.z + w.x + w.y + w.z);
  }
  *outPowers = powers;
  return check == 0.0 ? cr_ok : cr_retry;
}

crStatus crFewBalls_ComputeRates(crFewBalls* few, const crInstance* instance, crTreeSet set, const double* y,
                                 double* outRates, crPowers* outPowers)
{
  return computeRates(few, instance, set, y, false, outRates, outPowers);
}

crStatus crFewBalls_ComputeEnd(crFewBalls* few, crInstance* instance, crTreeSet set, double t, const double* y,
                               double* outRates, crPowers* outPowers)
{
  crStatus status = crMoveFreeBodies(instance, set, t, y);
  crPlaceShapes(instance, set.contacts, set.contacts->activeShapes.items, set.contacts->activeShapes.count);
  crStatus own = computeRates(few, instance, set, y, true, outRates, outPowers);
  return status == cr_ok ? own : status;
}

// --------------------------------------------------------------------------------------------------- sums

void crFewBalls_BeginSums(const crFewBalls* few, double ofStart, double ofStage)
{
  for (int i = 0; i < few->pushCount; ++i) {
    const crFewPush* push = &few->pushes[i];
    crContact* contact = push->contact;
    contact->hasSums = true;
    contact->impulseSum = ofStart * contact->start.force + ofStage * push->force;
    contact->dissipationSum = ofStart * contact->start.power + ofStage * push->power;
    contact->slideSum = ofStart * contact->start.slide + ofStage * push->slide;
    contact->releaseSum = ofStart * contact->start.release + ofStage * push->release;
  }
}

void crFewBalls_AddToSums(const crFewBalls* few, double ofStage)
{
  for (int i = 0; i < few->pushCount; ++i) {
    const crFewPush* push = &few->pushes[i];
    crContact* contact = push->contact;
    contact->impulseSum += ofStage * push->force;
    contact->dissipationSum += ofStage * push->power;
    contact->slideSum += ofStage * push->slide;
    contact->releaseSum += ofStage * push->release;
  }
}
