// Forces of contacts: part of stage force.
//
// Both bodies are pushed at one point, the middle of the two witness points; v1, v2 are their velocities there:
//
//   delta' = -(v2 - v1) . e_n,    v_t = v_rel - (v_rel . e_n) e_n,    w_rel = w2 - w1
#include "model/eval/contact.h"

#include <float.h>

// Velocity of the material of a body at a point, with that of a moving surface.
static crVec3 findVelocity(const crInstance* instance, const crContacts* contacts, int shape, crVec3 p)
{
  int body = contacts->model->contactShapes[shape].body;
  const crShapeFacts* facts = &contacts->facts[shape];
  crVec3 v = crMakeVec3(0.0, 0.0, 0.0);
  if (body > 0) {
    crVec3 r = crSub(p, crFromLanes(instance->places[body].p));
    const crMotionL* V = &instance->V[body];
    v = crAdd(crFromLanes(V->v), crCross(crFromLanes(V->w), r));
  }
  if (facts->hasSurfaceVelocity) {
    v = crAdd(v, crMulMV(crGetBodyPose(instance, body).R, facts->surfaceVelocity));
  }
  return v;
}

static crVec3 findSpin(const crInstance* instance, const crContacts* contacts, int shape)
{
  return crFromLanes(instance->V[contacts->model->contactShapes[shape].body].w);
}

crContactMotion crFindContactMotion(const crInstance* instance, const crContacts* contacts, int shapeA, int shapeB,
                                    const crTouch* touch)
{
  crVec3 n = touch->normal;
  crVec3 v = crSub(findVelocity(instance, contacts, shapeB, touch->point),
                   findVelocity(instance, contacts, shapeA, touch->point));
  double rate = -crDot(v, n);
  crContactMotion motion = {
    .depth = -touch->distance,
    .rate = rate,
    .normal = n,
    .slip = crMulAdd(v, rate, n),
    .turn = crSub(findSpin(instance, contacts, shapeB), findSpin(instance, contacts, shapeA)),
  };
  return motion;
}

static void addWrench(crInstance* instance, int body, crVec3 p, crVec3 f, crVec3 t)
{
  if (body > 0) {
    crVec3 r = crSub(p, crFromLanes(instance->places[body].p));
    instance->F[body].t += crToLanes(crAdd(t, crCross(r, f)));
    instance->F[body].f += crToLanes(f);
  }
}

static crContactForce scaleForce(crContactForce force, double s)
{
  crContactForce scaled = { crScale(s, force.force), crScale(s, force.torque), s * force.normalForce, s * force.elastic,
                            s * force.dissipation };
  return scaled;
}

static void applyPair(crInstance* instance, crContacts* contacts, crTouchingPair* pair)
{
  const crContactShape* a = &contacts->model->contactShapes[pair->shapeA];
  const crContactShape* b = &contacts->model->contactShapes[pair->shapeB];
  crTouch touches[CR_MAX_TOUCHES];
  crComputeTouches(a->shape, &contacts->poses[pair->shapeA], b->shape, &contacts->poses[pair->shapeB], &pair->cache,
                   touches);
  for (int i = pair->contactStart; i < pair->contactStart + pair->contactCount; ++i) {
    crContact* contact = &contacts->contacts.items[i];
    contact->now = touches[contact->touch];
    contact->motion = crFindContactMotion(instance, contacts, pair->shapeA, pair->shapeB, &contact->now);
    crContactForce force = crComputeContactForce(pair->law, &contact->memory, &contact->motion);
    contact->force = contact->now.weight < 1.0 ? scaleForce(force, contact->now.weight) : force;
    crVec3 f = contact->force.force, t = contact->force.torque;
    addWrench(instance, b->body, contact->now.point, f, t);
    addWrench(instance, a->body, contact->now.point, crNeg(f), crNeg(t));
  }
}

bool crApplyContacts(crInstance* instance, crContacts* contacts)
{
  crPlaceShapes(instance, contacts, contacts->activeShapes.items, contacts->activeShapes.count);
  bool finite = true;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    applyPair(instance, contacts, &contacts->pairs.items[k]);
  }
  for (int i = 0; i < contacts->contacts.count; ++i) {
    const crContactForce* force = &contacts->contacts.items[i].force;
    finite = finite && fabs(force->normalForce) <= DBL_MAX && crIsFiniteVec3(force->force);
  }
  return finite;
}

// ----------------------------------------------------------------------------------------------- reading

int crContacts_Count(const crContacts* contacts)
{
  return contacts->contacts.count;
}

static const crTouchingPair* findOwner(const crContacts* contacts, int index)
{
  int low = 0, high = contacts->pairs.count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    low = contacts->pairs.items[middle].contactStart <= index ? middle : low;
    high = contacts->pairs.items[middle].contactStart <= index ? high : middle - 1;
  }
  return &contacts->pairs.items[low];
}

crContactInfo crContacts_Get(const crContacts* contacts, int index)
{
  crContactInfo info = { .shapeA = -1, .shapeB = -1 };
  if (index < 0 || index >= contacts->contacts.count) {
    return info;
  }
  const crTouchingPair* pair = findOwner(contacts, index);
  const crContact* contact = &contacts->contacts.items[index];
  info = (crContactInfo){
    .shapeA = pair->shapeA,
    .shapeB = pair->shapeB,
    .feature = contact->touch,
    .objectA = contacts->model->contactShapes[pair->shapeA].object,
    .objectB = contacts->model->contactShapes[pair->shapeB].object,
    .begin = contact->begin,
    .depth = contact->motion.depth,
    .rate = contact->motion.rate,
    .point = contact->now.point,
    .normal = contact->now.normal,
    .force = contact->force.force,
    .torque = contact->force.torque,
    .normalForce = contact->force.normalForce,
    .slip = contact->motion.slip,
    .approach = contact->approach,
    .cor = contact->memory.cor,
    .damping = contact->memory.damping,
    .radius = contact->memory.radius,
    .elastic = contact->force.elastic,
    .power = contact->force.dissipation,
    .dissipation = contact->dissipation,
  };
  return info;
}
