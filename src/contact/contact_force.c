// Forces of contacts: part of stage force.
//
// Both bodies are pushed at one point, the middle of the two witness points; v1, v2 are their velocities there:
//
//   delta' = -(v2 - v1) . e_n,    v_t = v_rel - (v_rel . e_n) e_n,    w_rel = w2 - w1
//
// A surface that moves by itself moves along itself, whatever its velocity is called: it adds to v_t alone.
#include "contact/area_contact.h"
#include "contact/area_course.h"
#include "contact/area_lanes.h"
#include "contact/area_outline.h"
#include "contact/ball_stage.h"
#include "contact/contact_group.h"
#include "contact/linear_contact.h"

#define CR_INLINE static inline __attribute__((always_inline)) // where the compiler would not

// Velocity of a body at a point.
static inline crVec3 findVelocity(const crInstance* instance, const crShapeFacts* facts, crVec3 p)
{
  crVec3 v = crMakeVec3(0.0, 0.0, 0.0);
  if (facts->body > 0) {
    crVec3 r = crSub(p, crFromLanes(instance->places[facts->body].p));
    const crMotionL* V = &instance->V[facts->body];
    v = crAdd(crFromLanes(V->v), crCross(crFromLanes(V->w), r));
  }
  return v;
}

// How a moving surface slides over its body.
static inline crVec3 findSurface(const crInstance* instance, const crShapeFacts* facts)
{
  return facts->hasSurfaceVelocity ? crMulMV(crGetBodyPose(instance, facts->body).R, facts->surfaceVelocity)
                                   : crMakeVec3(0.0, 0.0, 0.0);
}

static inline void findMotion(const crInstance* instance, const crShapeFacts* a, const crShapeFacts* b,
                              const crTouch* touch, crContactMotion* out)
{
  crVec3 n = touch->normal;
  crVec3 v = crSub(findVelocity(instance, b, touch->point), findVelocity(instance, a, touch->point));
  double rate = -crDot(v, n);
  out->depth = -touch->distance;
  out->rate = rate;
  out->normal = n;
  out->slip = crMulAdd(v, rate, n);
  out->turn = crFromLanes(instance->V[b->body].w - instance->V[a->body].w);
  if (a->hasSurfaceVelocity || b->hasSurfaceVelocity) {
    crVec3 slide = crSub(findSurface(instance, b), findSurface(instance, a));
    out->slip = crAdd(out->slip, crMulAdd(slide, -crDot(slide, n), n));
  }
}

crContactMotion crFindContactMotion(const crInstance* instance, const crContacts* contacts, int shapeA, int shapeB,
                                    const crTouch* touch)
{
  crContactMotion motion;
  findMotion(instance, &contacts->facts[shapeA], &contacts->facts[shapeB], touch, &motion);
  return motion;
}

static inline void addWrench(crInstance* instance, int body, crVec3 p, crVec3 f, crVec3 t)
{
  if (body > 0) {
    crVec3 r = crSub(p, crFromLanes(instance->places[body].p));
    instance->F[body].t += crToLanes(crAdd(t, crCross(r, f)));
    instance->F[body].f += crToLanes(f);
  }
}

static inline double exert(crInstance* instance, int bodyA, int bodyB, const crContact* contact)
{
  crVec3 f = contact->force.force, t = contact->force.torque;
  addWrench(instance, bodyB, contact->now.point, f, t);
  addWrench(instance, bodyA, contact->now.point, crNeg(f), crNeg(t));
  return 0.0 * (f.x + f.y + f.z + contact->force.normalForce);
}

crBristleMotion crFindBristleMotion(const crInstance* instance, const crShapeFacts* a, const crShapeFacts* b,
                                    const crContact* contact)
{
  crVec3 n = contact->motion.normal, sum = crFromLanes(instance->V[a->body].w + instance->V[b->body].w);
  return (crBristleMotion){ .n = n,
                            .v = contact->motion.slip,
                            .w = contact->motion.turn,
                            .twirl = 0.5 * crDot(n, sum),
                            .radius = contact->grip,
                            .load = contact->load,
                            .lever = contact->memory.lever };
}

void crPullBristle(const crInstance* instance, const crContacts* contacts, const crTouchingPair* pair, double load,
                   crContact* contact)
{
  crBristleForce pull;
  contact->load = load;
  crBristleMotion motion =
      crFindBristleMotion(instance, &contacts->facts[pair->shapeA], &contacts->facts[pair->shapeB], contact);
  crEvalBristle(pair->law, &motion, &contact->bristle, &pull);
  contact->force.force = crAdd(contact->force.force, pull.force);
  contact->force.torque = crAdd(contact->force.torque, pull.torque);
  contact->force.elastic += pull.stored;
  contact->force.dissipation += pull.power;
  contact->drag = crAdd(contact->drag, pull.force);
}

// What the contact stores, and how fast it gives that back: of a law of the user nobody knows.
CR_INLINE void noteStored(const crContactLaw* law, crContact* contact)
{
  double depth = contact->motion.depth, elastic = contact->force.elastic;
  bool isKnown = depth > 0.0 && law->response != cr_responseUser;
  contact->stored = isKnown ? elastic : 0.0;
  contact->release = isKnown ? -(contact->memory.exponent + 1.0) * elastic / depth * contact->motion.rate : 0.0;
}

// Force of a contact at the point where contact->now says, on both bodies. Returns 0; NaN: not finite.
CR_INLINE double pushContact(crInstance* instance, const crContacts* contacts, const crTouchingPair* pair,
                             crContact* contact)
{
  const crShapeFacts *a = &contacts->facts[pair->shapeA], *b = &contacts->facts[pair->shapeB];
  findMotion(instance, a, b, &contact->now, &contact->motion);
  crEvalContactForce(pair->law, &contact->memory, &contact->motion, &contact->force);
  noteStored(pair->law, contact);
  contact->drag = contact->force.force;
  if (contact->bristle.count > 0) {
    crPullBristle(instance, contacts, pair, contact->force.normalForce, contact);
  }
  return exert(instance, a->body, b->body, contact);
}

// Apart, so that the short ways stay short.
__attribute__((noinline)) static double applyAny(crInstance* instance, const crContacts* contacts, crTouchingPair* pair,
                                                 crContact* contact)
{
  const crShape *a = &contacts->model->shapes[pair->shapeA], *b = &contacts->model->shapes[pair->shapeB];
  crComputeTouch(a, &contacts->poses[pair->shapeA], b, &contacts->poses[pair->shapeB], &pair->cache, &contact->now);
  return pushContact(instance, contacts, pair, contact);
}

// An area contact that has been evaluated.
static double exertArea(crInstance* instance, const crContacts* contacts, int k)
{
  const crTouchingPair* pair = &contacts->pairs.items[k];
  crContact* contact = &contacts->contacts.items[k];
  if (contact->bristle.count > 0) {
    crPullBristle(instance, contacts, pair, contact->force.normalForce, contact);
  }
  return exert(instance, contacts->facts[pair->shapeA].body, contacts->facts[pair->shapeB].body, contact);
}

__attribute__((noinline)) static double applyArea(crInstance* instance, crContacts* contacts,
                                                  const crTouchingPair* pair, crContact* contact)
{
  if (contacts->isLinear) {
    return crPushLinear(instance, contacts, (int)(pair - contacts->pairs.items));
  }
  if (contacts->courses != NULL) {
    int k = (int)(pair - contacts->pairs.items);
    return crCourses_Eval(instance, contacts, k) ? exertArea(instance, contacts, k) : 0.0;
  }
  crAreaSide a, b;
  crFillAreaSide(instance, contacts, pair->shapeA, &a);
  crFillAreaSide(instance, contacts, pair->shapeB, &b);
  crEvalAreaContact(pair->law, &a, &b, contact);
  return exertArea(instance, contacts, (int)(pair - contacts->pairs.items));
}

// In crowds, where contacts begin within steps, each chain of a surface has its own.
CR_INLINE void touchSolid(const crContacts* contacts, const crShape* sphere, crVec3 centre, const crShape* solid,
                          const crPose* X_WS, double sign, crContact* contact)
{
  if (crIsHeld(solid) && contact->isTouching && !contacts->isCrowd) {
    crHoldSphereSolid(sphere, centre, solid, X_WS, sign, &contact->now);
  } else {
    crTouchSphereSolid(sphere, centre, solid, X_WS, sign, &contact->now);
  }
}

static inline double applyPair(crInstance* instance, crContacts* contacts, crTouchingPair* pair, crContact* contact)
{
  if (contacts->isLinear && pair->path != cr_touchArea && contact->bristle.count == 0 &&
      crContacts_Stays(instance, contacts, (int)(pair - contacts->pairs.items))) {
    return exert(instance, contacts->facts[pair->shapeA].body, contacts->facts[pair->shapeB].body, contact);
  }
  const crShape *a = &contacts->model->shapes[pair->shapeA], *b = &contacts->model->shapes[pair->shapeB];
  const crPose *X_WA = &contacts->poses[pair->shapeA], *X_WB = &contacts->poses[pair->shapeB];
  switch (pair->path) {
    case cr_touchSpheres: crTouchSpheres(a, X_WA->p, b, X_WB->p, &contact->now); break;
    case cr_touchSpherePlane: crTouchSpherePlane(a, X_WA->p, b, X_WB, 1.0, &contact->now); break;
    case cr_touchPlaneSphere: crTouchSpherePlane(b, X_WB->p, a, X_WA, -1.0, &contact->now); break;
    case cr_touchSphereSolid: touchSolid(contacts, a, X_WA->p, b, X_WB, 1.0, contact); break;
    case cr_touchSolidSphere: touchSolid(contacts, b, X_WB->p, a, X_WA, -1.0, contact); break;
    case cr_touchAny: return applyAny(instance, contacts, pair, contact);
    case cr_touchArea: return applyArea(instance, contacts, pair, contact);
  }
  return pushContact(instance, contacts, pair, contact);
}

static void findTouch(const crContacts* contacts, crTouchingPair* pair, crTouch* out)
{
  const crShape *a = &contacts->model->shapes[pair->shapeA], *b = &contacts->model->shapes[pair->shapeB];
  crComputeTouch(a, &contacts->poses[pair->shapeA], b, &contacts->poses[pair->shapeB], &pair->cache, out);
}

// One of a group: as alone, with its share of the load.
static void evalShare(const crInstance* instance, const crContacts* contacts, const crTouchingPair* pair,
                      crContact* contact)
{
  const crShapeFacts *a = &contacts->facts[pair->shapeA], *b = &contacts->facts[pair->shapeB];
  double elastic = contact->force.elastic;
  findMotion(instance, a, b, &contact->now, &contact->motion);
  crContactMemory memory = crScaleMemory(pair->law, &contact->memory, contact->share);
  crEvalContactForce(pair->law, &memory, &contact->motion, &contact->force);
  if (pair->law->response == cr_responseUser) {
    contact->force.force = crScale(contact->share, contact->force.force);
    contact->force.torque = crScale(contact->share, contact->force.torque);
    contact->force.normalForce *= contact->share;
    contact->force.dissipation *= contact->share;
    contact->force.elastic *= contact->share;
  } else if (contact->force.elastic > 0.0) {
    contact->force.elastic = elastic;
  }
  contact->stored = contact->release = 0.0; // a share of what all store, which goes back by all their rates
  contact->drag = contact->force.force;
}

// Which of several touches with about the same normal carries a ball is decided by their depths, at a seam by their
// last bit. That must not be felt by bristles, which remember: they share what all carry,
//
//   load_i = sum over j of f_j a_ij,   a_ij = g_ij d_i^2 / sum over k of g_kj d_k^2,    g = max(0, n_i . n_j)^16
static double findLoad(const crContacts* contacts, int first, int own)
{
  const crContactPartner* partners = contacts->partners.items;
  const crContact* contact = &contacts->contacts.items[own];
  double load = 0.0;
  for (int j = first; j >= 0; j = partners[j].next) {
    const crContact* carrier = &contacts->contacts.items[j];
    double sum = 0.0, mine = 0.0;
    for (int k = first; carrier->force.normalForce > 0.0 && k >= 0; k = partners[k].next) {
      const crContact* other = &contacts->contacts.items[k];
      double depth = fmax(0.0, other->motion.depth);
      double g = fmax(0.0, crDot(other->motion.normal, carrier->motion.normal));
      g *= g;
      g *= g;
      g *= g;
      sum += g * g * depth * depth;
      mine += other == contact ? g * g * depth * depth : 0.0;
    }
    load += sum > 0.0 ? carrier->force.normalForce * mine / sum : 0.0;
  }
  return load;
}

static double applyAreaGroup(crInstance* instance, crContacts* contacts, int first)
{
  if (contacts->isLinear) {
    return crPushLinear(instance, contacts, first);
  }
  const crTouchingPair* pair = &contacts->pairs.items[first];
  int count = crFillAreaParts(instance, contacts, first);
  double check = 0.0;
  crEvalAreaGroup(pair->law, contacts->parts.items, count);
  for (int i = 0; i < count; ++i) {
    crContact* contact = contacts->parts.items[i].contact;
    if (contact->bristle.count > 0) {
      crPullBristle(instance, contacts, &contacts->pairs.items[contact - contacts->contacts.items],
                    contact->force.normalForce, contact);
    }
    check += exert(instance, contacts->facts[pair->shapeA].body, contacts->facts[pair->shapeB].body, contact);
  }
  return check;
}

__attribute__((noinline)) static double applyGroup(crInstance* instance, crContacts* contacts, int first)
{
  const crContactPartner* partners = contacts->partners.items;
  double check = 0.0;
  if (contacts->pairs.items[first].path == cr_touchArea) {
    return applyAreaGroup(instance, contacts, first);
  }
  for (int k = first; k >= 0; k = partners[k].next) {
    findTouch(contacts, &contacts->pairs.items[k], &contacts->contacts.items[k].now);
  }
  crGroupRest rest = crShareDepths(contacts, first);
  for (int k = first; k >= 0; k = partners[k].next) {
    crContact* contact = &contacts->contacts.items[k];
    evalShare(instance, contacts, &contacts->pairs.items[k], contact);
    if (k == rest.contact) {
      contact->force.force = crAdd(contact->force.force, rest.force);
      contact->force.torque = crAdd(contact->force.torque, rest.torque);
    }
  }
  for (int k = first; k >= 0; k = partners[k].next) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    crContact* contact = &contacts->contacts.items[k];
    if (contact->bristle.count > 0) {
      crPullBristle(instance, contacts, pair, findLoad(contacts, first, k), contact);
    }
    check += exert(instance, contacts->facts[pair->shapeA].body, contacts->facts[pair->shapeB].body, contact);
  }
  return check;
}

// A contact, or the group that it is the first of.
CR_INLINE double applyContact(crInstance* instance, crContacts* contacts, int k)
{
  if (!contacts->hasGroups || crIsAlone(contacts, k)) {
    return applyPair(instance, contacts, &contacts->pairs.items[k], &contacts->contacts.items[k]);
  }
  return contacts->partners.items[k].first == k ? applyGroup(instance, contacts, k) : 0.0;
}

__attribute__((noinline)) static double applyStage(crInstance* instance, crContacts* contacts)
{
  int count;
  const int* others = crBallStage_GetOthers(contacts->stage, &count);
  double check = crBallStage_Push(contacts->stage, instance);
  for (int i = 0; i < count; ++i) {
    check += applyContact(instance, contacts, others[i]);
  }
  return check;
}

// In the order of pairs, as without lanes.
__attribute__((noinline)) static double applyInLanes(crInstance* instance, crContacts* contacts)
{
  double check = 0.0;
  for (int k = 0, end; k < contacts->pairs.count;) {
    uint64_t done = 0;
    end = k + 1;
    if (contacts->pairs.items[k].path == cr_touchArea) {
      done = crEvalAreas(instance, contacts, k, &end);
    }
    for (; k < end; ++k, done >>= 1) {
      check += done & 1 ? exertArea(instance, contacts, k) : applyContact(instance, contacts, k);
    }
  }
  return check;
}

bool crApplyContacts(crInstance* instance, crContacts* contacts)
{
  double check = 0.0;
  crPlaceShapes(instance, contacts, contacts->activeShapes.items, contacts->activeShapes.count);
  if (contacts->stage != NULL) {
    return applyStage(instance, contacts) == 0.0;
  }
  if (!contacts->isLinear && contacts->courses == NULL && contacts->pairs.count >= CR_LEAST_AREAS) {
    return applyInLanes(instance, contacts) == 0.0;
  }
  for (int k = 0; k < contacts->pairs.count; ++k) {
    check += applyContact(instance, contacts, k);
  }
  return check == 0.0;
}

// ----------------------------------------------------------------------------------------------- reading

int crContacts_Count(const crContacts* contacts)
{
  return contacts != NULL ? contacts->contacts.count : 0;
}

static void describeForce(const crContactLaw* law, const crContact* contact, crContactRecord* record)
{
  record->mode = (int32_t)crFindContactMode(law, contact);
  record->coneShare = crFindConeShare(law, contact);
  record->maxDepth = fmax(contact->maxDepth, contact->motion.depth);
  record->maxForce = fmax(contact->maxForce, contact->force.normalForce);
  record->force = contact->force.force;
  record->torque = contact->force.torque;
  record->normalForce = contact->force.normalForce;
  record->elastic = contact->force.elastic;
  record->power = contact->force.dissipation;
  if (contact->area > 0.0) {
    record->area = contact->area;
    record->meanPressure = contact->force.normalForce / contact->area;
    record->maxPressure = contact->force.normalForce > 0.0 ? contact->pressure : 0.0;
  }
}

// At a point with Hertz' ellipse: its area and pressure where shapes are now.
static void describeEllipse(const crContacts* contacts, const crTouchingPair* pair, const crContact* contact,
                            crContactRecord* record)
{
  crBoxPair shapes = { pair->shapeA, pair->shapeB };
  crTouchGeometry geometry = crFindTouchGeometry(contacts->model, shapes, &contacts->poses[pair->shapeA],
                                                 &contacts->poses[pair->shapeB], &contact->now);
  crHertz ellipse;
  double depth = contact->motion.depth, force = contact->force.normalForce;
  if (depth > 0.0 && crFindEllipse(&geometry, &ellipse)) {
    record->area = CR_PI * depth * sqrt(ellipse.majorSquare * ellipse.minorSquare);
    record->meanPressure = force / record->area;
    record->maxPressure = crComputeHertzPressure(&ellipse, force, depth);
  }
}

crContactRecord crDescribeContact(const crContacts* contacts, const crTouchingPair* pair, const crContact* contact,
                                  crContactPhase phase)
{
  const crContactShape *a = &contacts->model->contactShapes[pair->shapeA],
                       *b = &contacts->model->contactShapes[pair->shapeB];
  const crVec3 unknown = { NAN, NAN, NAN };
  crContactRecord record = {
    .key = { contacts->facts[pair->shapeA].body, contacts->facts[pair->shapeB].body, pair->shapeA, pair->shapeB },
    .objectA = a->object,
    .objectB = b->object,
    .phase = phase,
    .observer = pair->law->response == cr_responseObserver,
    .row = -1,
    .time = NAN,
    .begin = contact->begin,
    .end = NAN,
    .point = contact->now.point,
    .normal = contact->now.normal,
    .depth = contact->motion.depth,
    .depthRate = contact->motion.rate,
    .slip = crLength(contact->motion.slip),
    .approach = contact->approach,
    .separation = NAN,
    .restitution = NAN,
    .cor = contact->memory.cor,
    .damping = pair->path == cr_touchArea ? 0.0 : contact->memory.damping, // by area: what is kept is u, without a unit
    .radius = contact->memory.radius,
    .maxDepth = contact->maxDepth,
    .maxForce = contact->maxForce,
    .impulse = contact->impulse,
    .dissipation = contact->dissipation,
    .slipPath = contact->slipPath,
    .creep = crDescribeCreep(contact),
    .force = unknown,
    .torque = unknown,
    .normalForce = NAN,
    .elastic = NAN,
    .power = NAN,
    .coneShare = NAN,
    .area = NAN,
    .meanPressure = NAN,
    .maxPressure = NAN,
  };
  if (phase == cr_contactNow || phase == cr_contactLast) {
    describeForce(pair->law, contact, &record);
    bool isElastic = pair->law->response == cr_responseElastic || pair->law->response == cr_responseImpulsive;
    if (pair->path != cr_touchArea && pair->law->geometry == cr_geometryHertz && isElastic) {
      describeEllipse(contacts, pair, contact, &record);
    }
  }
  return record;
}

crContactRecord crContacts_Get(const crContacts* contacts, int index)
{
  if (contacts == NULL || index < 0 || index >= contacts->contacts.count) {
    return (
        crContactRecord){ .key = { -1, -1, -1, -1 }, .objectA = -1, .objectB = -1, .phase = cr_contactNow, .row = -1 };
  }
  return crDescribeContact(contacts, &contacts->pairs.items[index], &contacts->contacts.items[index], cr_contactNow);
}

int crContacts_FindPatch(const crContacts* contacts, int index, crPatchCorner outCorners[CR_PATCH_CORNERS])
{
  if (contacts == NULL || outCorners == NULL || index < 0 || index >= contacts->contacts.count) {
    return 0;
  }
  const crTouchingPair* pair = &contacts->pairs.items[index];
  const crContact* contact = &contacts->contacts.items[index];
  if (pair->path != cr_touchArea || !(contact->area > 0.0)) {
    return 0;
  }
  const crShape *a = &contacts->model->shapes[pair->shapeA], *b = &contacts->model->shapes[pair->shapeB];
  crPose X_WA = crPlaceCanonical(a, &contacts->poses[pair->shapeA]);
  crPose X_WB = crPlaceCanonical(b, &contacts->poses[pair->shapeB]);
  return crFindAreaOutline(crFindAreaModulus(pair->law), a, &X_WA, b, &X_WB, contact->now.normal, outCorners);
}
