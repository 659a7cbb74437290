// Impulsive contacts: at an event the rates of the whole set jump.
//
// An impulse on two bodies at a touch changes the rates by M^-1 J^T p, with the constraints of loops if there are any.
// It is read off the accelerations: forces that are added to those of the state add M^-1 J^T f to v'. So the tree, its
// loops, rotors and prescribed motions enter as they do in motion. Nothing but what forces, loops or signals couple
// with the two bodies feels it, so only that is evaluated, and without contacts, whose forces stay as they are.
//
// Several contacts are resolved in sequence, always the fastest one, until none approaches any more: that is what hard
// bodies that touch do, since the stiffness of a contact lets a push through before the next one has begun
// (Newton's cradle). Contacts that are equally fast, as those of a symmetric rack, go together:
//
//   0 <= p_n  orthogonal to  v_n+ + cor v_n- >= 0,    |p_t| <= muK p_n
//
// by projected Gauss-Seidel iteration, with cor lowered until no energy is gained. What impulses p_i that change the
// relative velocities from v- to v+ take out is -sum of p_i . (v_i- + v_i+) / 2: walls with prescribed motion and
// moving surfaces may put energy in, and that is no gain in this sense.
#include "base/memory.h"
#include "contact/contact.h"
#include "contact/impact.h"

#include <string.h>

#define CR_TIE 1e-9          // [-] relative difference of speeds that are the same
#define CR_MAX_GROUP 32      // contacts that go together; more are taken in turn
#define CR_MAX_IMPACTS 10000 // in one event
#define CR_PUSH 1e3          // [-] acceleration by a test push over those of the state: round-off is below 1e-16
#define CR_SWEEPS 500        // of Gauss-Seidel
#define CR_SETTLED 1e-14     // [-] change of an impulse that ends the sweeps
#define CR_COR_HALVINGS 30   // of the restitution of a group
#define CR_HELD 1e-10        // [-] mobility times the lighter mass of what no impulse moves: far above round-off

// A contact that can jump, with its axes: columns t1, t2, n.
typedef struct Hit {
  crTouchingPair* pair;
  crContact* contact;
  crMat3 axes;
  double cor;
  crVec3 p;       // [N s] impulse so far, in its axes
  double* change; // (3 x rateCount) of the rates per unit impulse along each axis
} Hit;

typedef struct Impacts {
  crInstance* instance;
  crTreeSet set;
  crContacts* contacts;
  double t;
  double* y;       // (stateCount)
  double* trial;   // (stateCount)
  double* base;    // (rateCount) accelerations without a push
  double* changes; // (CR_MAX_GROUP x 3 x rateCount)
  int rateCount;
  int* trees;  // (treeCount) of a part
  double lost; // [J] taken out so far
} Impacts;

// Trees of the set that belong to the components of some shapes.
typedef struct Part {
  crTreeSet set;
  int components[4]; // by their first trees
  int count;
} Part;

// --------------------------------------------------------------------------------------------- velocities

// Adds rates to those of a state vector.
static void addRates(const Impacts* impacts, const double* rates, double factor, double* y)
{
  for (int k = 0; k < impacts->set.treeCount; ++k) {
    const crTree* tree = &impacts->contacts->model->trees[impacts->set.trees[k]];
    for (int i = 0; i < tree->vCount; ++i) {
      y[tree->qCount + i] += factor * *rates++;
    }
    y += crTreeStateCount(tree);
  }
}

static crStatus moveWith(const Impacts* impacts, const double* y, crStage stage)
{
  crInstance_SetState(impacts->instance, impacts->set, impacts->t, y);
  return crInstance_Eval(impacts->instance, impacts->set, stage);
}

// Relative velocity of B at a hit, in its axes, as the instance moves.
static crVec3 findVelocity(const Impacts* impacts, const Hit* hit)
{
  crContactMotion motion = crFindContactMotion(impacts->instance, impacts->contacts, hit->pair->shapeA,
                                               hit->pair->shapeB, &hit->contact->now);
  return crMulTV(hit->axes, crMulAdd(motion.slip, -motion.rate, motion.normal));
}

// ---------------------------------------------------------------------------------------------- responses

static double lighterMass(const Impacts* impacts, const Hit* hit)
{
  const crShapeFacts* facts = impacts->contacts->facts;
  return fmin(facts[hit->pair->shapeA].mass, facts[hit->pair->shapeB].mass);
}

static double largestOf(const double* values, int count)
{
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    largest = fmax(largest, fabs(values[i]));
  }
  return largest;
}

// --------------------------------------------------------------------------------------------------- parts

static void addShape(const Impacts* impacts, int shape, Part* part)
{
  int tree = impacts->contacts->facts[shape].tree;
  int component = tree >= 0 ? impacts->contacts->model->components[tree] : -1;
  bool isThere = component < 0;
  for (int i = 0; i < part->count; ++i) {
    isThere = isThere || part->components[i] == component;
  }
  if (!isThere) {
    part->components[part->count++] = component;
  }
}

static bool isPartOf(const Part* part, int component)
{
  bool is = false;
  for (int i = 0; i < part->count; ++i) {
    is = is || part->components[i] == component;
  }
  return is;
}

static void listTrees(const Impacts* impacts, Part* part)
{
  part->set = (crTreeSet){ .trees = impacts->trees };
  for (int k = 0; k < impacts->set.treeCount; ++k) {
    if (isPartOf(part, impacts->contacts->model->components[impacts->set.trees[k]])) {
      impacts->trees[part->set.treeCount++] = impacts->set.trees[k];
    }
  }
}

// The part of the instance at its state y; rates: in the place of those of y, NULL: its own.
static crStatus movePart(const Impacts* impacts, const Part* part, const double* rates, double factor, crStage stage)
{
  const crModel* model = impacts->contacts->model;
  const double* y = impacts->y;
  double* to = impacts->trial;
  for (int k = 0; k < impacts->set.treeCount; ++k) {
    const crTree* tree = &model->trees[impacts->set.trees[k]];
    int states = crTreeStateCount(tree);
    if (isPartOf(part, model->components[impacts->set.trees[k]])) {
      memcpy(to, y, (size_t)states * sizeof *to);
      for (int i = 0; i < tree->vCount && rates != NULL; ++i) {
        to[tree->qCount + i] = factor * rates[i];
      }
      to += states;
    }
    y += states;
    rates = rates != NULL ? rates + tree->vCount : NULL;
  }
  crInstance_SetState(impacts->instance, part->set, impacts->t, impacts->trial);
  return crInstance_Eval(impacts->instance, part->set, stage);
}

// Of the part, less `base`, over `size`; of others 0.
static void readAccelerations(const Impacts* impacts, const Part* part, const double* base, double size,
                              double* outRates)
{
  const crModel* model = impacts->contacts->model;
  for (int k = 0; k < impacts->set.treeCount; ++k) {
    int t = impacts->set.trees[k], count = model->trees[t].vCount;
    const double* vdot = impacts->instance->vdot + model->treeDofs[t];
    bool isInside = isPartOf(part, model->components[t]);
    for (int i = 0; i < count; ++i) {
      outRates[i] = isInside ? (vdot[i] - (base != NULL ? base[i] : 0.0)) / size : 0.0;
    }
    outRates += count;
    base = base != NULL ? base + count : NULL;
  }
}

static void pushBody(crInstance* instance, int body, crVec3 p, crVec3 f)
{
  if (body > 0) {
    crVec3 r = crSub(p, crFromLanes(instance->places[body].p));
    instance->biases[body].t -= crToLanes(crCross(r, f));
    instance->biases[body].f -= crToLanes(f);
  }
}

// Change of the rates per unit impulse on B along `axis`.
static crStatus computeChange(const Impacts* impacts, const Part* part, const Hit* hit, crVec3 axis, double* outChange)
{
  const crContactShape* shapes = impacts->contacts->model->contactShapes;
  double size = CR_PUSH * lighterMass(impacts, hit) * fmax(1.0, largestOf(impacts->base, impacts->rateCount));
  crStatus status = movePart(impacts, part, NULL, 0.0, cr_stageForce);
  pushBody(impacts->instance, shapes[hit->pair->shapeB].body, hit->contact->now.point, crScale(size, axis));
  pushBody(impacts->instance, shapes[hit->pair->shapeA].body, hit->contact->now.point, crScale(-size, axis));
  status = status == cr_ok ? crInstance_Eval(impacts->instance, part->set, cr_stageAcceleration) : status;
  readAccelerations(impacts, part, impacts->base, size, outChange);
  return status;
}

static crStatus computeChanges(const Impacts* impacts, Hit* hit)
{
  const crVec3 axes[3] = { hit->axes.cx, hit->axes.cy, hit->axes.cz };
  Part part = { .count = 0 };
  addShape(impacts, hit->pair->shapeA, &part);
  addShape(impacts, hit->pair->shapeB, &part);
  listTrees(impacts, &part);
  crStatus status = movePart(impacts, &part, NULL, 0.0, cr_stageAcceleration);
  readAccelerations(impacts, &part, NULL, 1.0, impacts->base);
  for (int k = 0; k < 3 && status == cr_ok; ++k) {
    status = computeChange(impacts, &part, hit, axes[k], hit->change + (size_t)k * (size_t)impacts->rateCount);
  }
  return status;
}

// How impulses on `from` change the velocity at `to`: columns by the axes of `from`.
static crStatus computeInverseMass(const Impacts* impacts, const Hit* from, const Hit* to, crMat3* outW)
{
  crVec3 columns[3] = { { 0 } };
  Part part = { .count = 0 };
  addShape(impacts, to->pair->shapeA, &part);
  addShape(impacts, to->pair->shapeB, &part);
  int own = part.count;
  addShape(impacts, from->pair->shapeA, &part);
  addShape(impacts, from->pair->shapeB, &part);
  Part theirs = { .count = 0 };
  addShape(impacts, from->pair->shapeA, &theirs);
  addShape(impacts, from->pair->shapeB, &theirs);
  *outW = (crMat3){ columns[0], columns[1], columns[2] };
  if (part.count == own + theirs.count) { // they have nothing in common
    return cr_ok;
  }
  listTrees(impacts, &part);
  crStatus status = movePart(impacts, &part, from->change, 0.0, cr_stageVelocity);
  crVec3 still = findVelocity(impacts, to); // of prescribed motions and surfaces
  for (int k = 0; k < 3 && status == cr_ok; ++k) {
    status = movePart(impacts, &part, from->change + (size_t)k * (size_t)impacts->rateCount, 1.0, cr_stageVelocity);
    columns[k] = crSub(findVelocity(impacts, to), still);
  }
  *outW = (crMat3){ columns[0], columns[1], columns[2] };
  return status;
}

static void applyImpulse(const Impacts* impacts, const Hit* hit, crVec3 p, double* y)
{
  size_t n = (size_t)impacts->rateCount;
  addRates(impacts, hit->change, p.x, y);
  addRates(impacts, hit->change + n, p.y, y);
  addRates(impacts, hit->change + 2 * n, p.z, y);
}

// ------------------------------------------------------------------------------------------------ together

typedef struct Group {
  Hit hits[CR_MAX_GROUP];
  int count;
  crMat3 W[CR_MAX_GROUP][CR_MAX_GROUP]; // [to][from]
  crVec3 v[CR_MAX_GROUP];               // before
} Group;

// Velocity at hit i behind the impulses of all.
static crVec3 velocityAfter(const Group* group, int i)
{
  crVec3 v = group->v[i];
  for (int j = 0; j < group->count; ++j) {
    v = crAdd(v, crMulMV(group->W[i][j], group->hits[j].p));
  }
  return v;
}

// [J] that the impulse of hit i takes out.
static double findLoss(const Group* group, int i)
{
  return -0.5 * crDot(group->hits[i].p, crAdd(group->v[i], velocityAfter(group, i)));
}

// One contact's turn: its own impulse for what the others leave it.
static double relax(Group* group, int i, double corShare)
{
  Hit* hit = &group->hits[i];
  const crMat3* own = &group->W[i][i];
  crVec3 v = velocityAfter(group, i), before = hit->p;
  double goal = corShare * hit->cor * fmin(0.0, group->v[i].z); // v_n+ = -cor v_n-
  hit->p.z = fmax(0.0, hit->p.z - (v.z + goal) / own->cz.z);
  double muK = hit->pair->law->muK, stiffness = fmax(own->cx.x, own->cy.y);
  if (muK > 0.0 && stiffness > 0.0) { // else it cannot slide
    double x = hit->p.x - v.x / stiffness, y = hit->p.y - v.y / stiffness;
    double length = sqrt(x * x + y * y), limit = muK * hit->p.z;
    double s = length > limit ? limit / length : 1.0;
    hit->p.x = s * x;
    hit->p.y = s * y;
  }
  return crLength(crSub(hit->p, before));
}

static void relaxAll(Group* group, double corShare)
{
  for (int i = 0; i < group->count; ++i) {
    group->hits[i].p = crMakeVec3(0.0, 0.0, 0.0);
  }
  for (int sweep = 0; sweep < CR_SWEEPS; ++sweep) {
    double change = 0.0, size = 0.0;
    for (int i = 0; i < group->count; ++i) {
      change = fmax(change, relax(group, i, corShare));
      size = fmax(size, crLength(group->hits[i].p));
    }
    if (change <= CR_SETTLED * size) {
      return;
    }
  }
}

// Whether the impulses together put in more than round-off.
static bool gainsEnergy(const Group* group)
{
  double loss = 0.0, size = 0.0;
  for (int i = 0; i < group->count; ++i) {
    loss += findLoss(group, i);
    size += fabs(crDot(group->hits[i].p, group->v[i]));
  }
  return !(loss >= -CR_SETTLED * size);
}

static void hitTogether(Group* group)
{
  double share = 1.0;
  for (int k = 0; k < CR_COR_HALVINGS; ++k) {
    relaxAll(group, share);
    if (!gainsEnergy(group)) {
      return;
    }
    share *= 0.5;
  }
}

static void hitOne(Group* group)
{
  Hit* hit = &group->hits[0];
  crImpact impact = { .W = group->W[0][0], .v = group->v[0], .muK = hit->pair->law->muK, .cor = hit->cor };
  hit->p = crComputeImpact(&impact);
}

// ------------------------------------------------------------------------------------------------ sequence

static crMat3 makeAxes(crVec3 n)
{
  crVec3 other = fabs(n.x) < 0.5 ? crMakeVec3(1.0, 0.0, 0.0) : crMakeVec3(0.0, 1.0, 0.0);
  crVec3 t1 = crNormalize(crCross(other, n));
  crMat3 axes = { t1, crCross(n, t1), n };
  return axes;
}

static bool isImpulsive(const crTouchingPair* pair)
{
  return pair->law->response == cr_responseImpulsive;
}

// [m/s] Approach that the elastic law carries already: of a contact that has been there, before any impulse of this
// event. Only what impulses have added is theirs.
static double findCarried(const crContact* contact)
{
  return contact->isNew ? 0.0 : fmax(0.0, contact->before);
}

// Those that approach fastest, up to CR_MAX_GROUP of them; v_min and slower is for the elastic law.
static int findFastest(const Impacts* impacts, Group* group)
{
  crContacts* contacts = impacts->contacts;
  double fastest = 0.0;
  for (int pass = 0; pass < 2; ++pass) {
    group->count = 0;
    for (int k = 0; k < contacts->pairs.count; ++k) {
      crTouchingPair* pair = &contacts->pairs.items[k];
      if (isImpulsive(pair)) {
        Hit hit = { .pair = pair, .contact = &contacts->contacts.items[k] };
        hit.axes = makeAxes(hit.contact->now.normal);
        crVec3 v = findVelocity(impacts, &hit);
        double speed = -v.z;
        if (speed <= pair->law->vMin + findCarried(hit.contact) || hit.contact->isHeld) {
          continue;
        }
        if (pass == 0) {
          fastest = fmax(fastest, speed);
        } else if (speed >= fastest * (1.0 - CR_TIE) && group->count < CR_MAX_GROUP) {
          hit.cor = crComputeRegularCor(pair->law, speed);
          hit.change = impacts->changes + (size_t)group->count * 3 * (size_t)impacts->rateCount;
          group->v[group->count] = v;
          group->hits[group->count++] = hit;
        }
      }
    }
  }
  return group->count;
}

// Between two prescribed motions, or where loops lock the normal, no impulse changes anything: the elastic law is left.
static bool holdImmobile(const Impacts* impacts, Group* group)
{
  bool hasHeld = false;
  for (int i = 0; i < group->count; ++i) {
    Hit* hit = &group->hits[i];
    hit->contact->isHeld = !(group->W[i][i].cz.z * lighterMass(impacts, hit) > CR_HELD);
    hasHeld = hasHeld || hit->contact->isHeld;
  }
  return hasHeld;
}

static crStatus computeResponses(const Impacts* impacts, Group* group)
{
  crStatus status = cr_ok;
  for (int i = 0; i < group->count && status == cr_ok; ++i) {
    status = computeChanges(impacts, &group->hits[i]);
  }
  for (int i = 0; i < group->count; ++i) {
    for (int j = 0; j < group->count && status == cr_ok; ++j) {
      status = computeInverseMass(impacts, &group->hits[j], &group->hits[i], &group->W[i][j]);
    }
  }
  return status;
}

static crStatus hitFastest(Impacts* impacts, Group* group)
{
  crStatus status = computeResponses(impacts, group);
  if (status != cr_ok || holdImmobile(impacts, group)) {
    return status;
  }
  if (group->count == 1) {
    hitOne(group);
  } else {
    hitTogether(group);
  }
  for (int i = 0; i < group->count; ++i) {
    const Hit* hit = &group->hits[i];
    double loss = findLoss(group, i);
    applyImpulse(impacts, hit, hit->p, impacts->y);
    hit->contact->impulse += hit->p.z;
    hit->contact->dissipation += loss;
    impacts->lost += loss;
  }
  return cr_ok;
}

static crStatus hitAll(Impacts* impacts, Group* group, int* outCount)
{
  crStatus status = cr_ok;
  for (*outCount = 0; *outCount < CR_MAX_IMPACTS; ++*outCount) {
    status = moveWith(impacts, impacts->y, cr_stageVelocity);
    if (status != cr_ok || findFastest(impacts, group) == 0) {
      return status;
    }
    status = hitFastest(impacts, group);
    if (status != cr_ok) {
      return status;
    }
  }
  return cr_failNumerics;
}

// From now on the elastic law carries what is left of the approach, where anything has changed.
static void freezeApproaches(const Impacts* impacts)
{
  crContacts* contacts = impacts->contacts;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    crTouchingPair* pair = &contacts->pairs.items[k];
    if (isImpulsive(pair)) {
      crContact* contact = &contacts->contacts.items[k];
      crContactMotion motion =
          crFindContactMotion(impacts->instance, contacts, pair->shapeA, pair->shapeB, &contact->now);
      contact->motion = motion;
      if (contact->isNew || motion.rate != contact->before) {
        crFreezeApproach(pair->law, pair->path == cr_touchArea, motion.rate, &contact->memory);
      }
    }
  }
}

// Whether there are any, all of which can be tried.
static bool freeImpulsive(const crInstance* instance, crContacts* contacts)
{
  bool hasAny = false;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    crTouchingPair* pair = &contacts->pairs.items[k];
    hasAny = hasAny || isImpulsive(pair);
    if (isImpulsive(pair)) {
      crContact* contact = &contacts->contacts.items[k];
      contact->isHeld = false;
      contact->before = crFindContactMotion(instance, contacts, pair->shapeA, pair->shapeB, &contact->now).rate;
    }
  }
  return hasAny;
}

crStatus crInstance_ResolveImpacts(crInstance* instance, crTreeSet set, double* y, int* outCount, double* outLost)
{
  crContacts* contacts = set.contacts;
  if (!crCanEvaluate(instance, set) || contacts == NULL || y == NULL || outCount == NULL || outLost == NULL) {
    return cr_errorMisuse;
  }
  *outCount = 0;
  *outLost = 0.0;
  int states = crModel_CountStates(contacts->model, set), rates = crModel_CountRates(contacts->model, set);
  if (!freeImpulsive(instance, contacts) || rates == 0) {
    return cr_ok;
  }
  size_t size = (size_t)states + (size_t)rates * (1 + 3 * CR_MAX_GROUP);
  double* memory = crAllocateZero(&contacts->allocator, size, sizeof *memory);
  Group* group = crAllocateZero(&contacts->allocator, 1, sizeof *group);
  int* trees = crAllocateZero(&contacts->allocator, (size_t)set.treeCount, sizeof *trees);
  crStatus status = cr_errorMemory;
  if (memory != NULL && group != NULL && trees != NULL) {
    double t = instance->times[set.treeCount > 0 ? set.trees[0] : 0];
    Impacts impacts = { .instance = instance,
                        .set = set,
                        .contacts = contacts,
                        .t = t,
                        .y = y,
                        .trial = memory,
                        .base = memory + states,
                        .changes = memory + states + rates,
                        .rateCount = rates,
                        .trees = trees };
    status = hitAll(&impacts, group, outCount);
    *outLost = impacts.lost;
    if (status == cr_ok && *outCount > 0) {
      freezeApproaches(&impacts);
    }
    crInstance_SetState(instance, set, t, y);
  }
  crFree(&contacts->allocator, trees, (size_t)set.treeCount * sizeof *trees);
  crFree(&contacts->allocator, group, sizeof *group);
  crFree(&contacts->allocator, memory, size * sizeof *memory);
  return status;
}
