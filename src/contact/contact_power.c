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
