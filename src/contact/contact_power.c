// Energy that contacts store, take out and put in: sums over what was evaluated last.
#include "contact/ball_stage.h"

// A moving surface drags the other body along, held in place by what is not part of the model. It does so along itself.
static double surfaceWork(const crInstance* instance, const crContacts* contacts, int shape, crVec3 forceOnOther)
{
  const crShapeFacts* facts = &contacts->facts[shape];
  if (!facts->hasSurfaceVelocity) {
    return 0.0;
  }
  crMat3 R_WB = crGetBodyPose(instance, contacts->model->contactShapes[shape].body).R;
  return crDot(crMulMV(R_WB, facts->surfaceVelocity), forceOnOther);
}

static double surfacesWork(const crInstance* instance, const crContacts* contacts)
{
  double sum = 0.0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    crVec3 n = contact->motion.normal, drag = crMulAdd(contact->drag, -crDot(contact->drag, n), n);
    sum += surfaceWork(instance, contacts, pair->shapeA, drag) +
           surfaceWork(instance, contacts, pair->shapeB, crNeg(drag));
  }
  return sum;
}

// What the wrench of a contact on a body does to it, at its velocity.
static double bodyPower(const crInstance* instance, int body, const crContact* contact)
{
  crVec3 r = crSub(contact->now.point, crFromLanes(instance->places[body].p));
  crVec3 w = crFromLanes(instance->V[body].w), v = crAdd(crFromLanes(instance->V[body].v), crCross(w, r));
  return crDot(contact->force.force, v) + crDot(contact->force.torque, w);
}

double crContacts_SumCarrierWork(const crContacts* contacts, const crInstance* instance, const int* owners, int owner)
{
  double sum = 0.0;
  for (int k = 0; contacts->carriers.count > 0 && k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crShapeFacts *a = &contacts->facts[pair->shapeA], *b = &contacts->facts[pair->shapeB];
    const crContact* contact = &contacts->contacts.items[k];
    bool isA = a->tree >= 0 && a->stateTree < 0 && owners[a->tree] != owner;
    bool isB = b->tree >= 0 && b->stateTree < 0 && owners[b->tree] != owner;
    sum += isA ? bodyPower(instance, a->body, contact) : 0.0; // what is exerted on A is the opposite
    sum -= isB ? bodyPower(instance, b->body, contact) : 0.0;
  }
  return sum;
}

crPowers crContacts_SumPowers(const crContacts* contacts, const crInstance* instance)
{
  crPowers sum = { contacts->hasSurfaces ? surfacesWork(instance, contacts) : 0.0, 0.0 };
  if (contacts->stage != NULL) {
    int count;
    const int* others = crBallStage_GetOthers(contacts->stage, &count);
    sum.dissipation = crBallStage_SumDissipation(contacts->stage);
    for (int i = 0; i < count; ++i) {
      sum.dissipation += contacts->contacts.items[others[i]].force.dissipation;
    }
    return sum;
  }
  for (int i = 0; i < contacts->contacts.count; ++i) {
    sum.dissipation += contacts->contacts.items[i].force.dissipation;
  }
  return sum;
}

double crContacts_SumElastic(const crContacts* contacts)
{
  double sum = contacts->fading;
  for (int i = 0; i < contacts->contacts.count; ++i) {
    sum += contacts->contacts.items[i].force.elastic;
  }
  return sum;
}
