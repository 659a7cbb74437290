// Couplings as rows between trees: value, rate and bias of the sum of factor x coordinate, and what its force does to
// joints. The equations stand in loop.h.
#include "model/loop/loop.h"

static const crCouplingTerm* termsOf(const crInstance* instance, const crCut* cut, int* outCount)
{
  const crModelCoupling* coupling = &instance->model->couplings[cut->coupling];
  *outCount = coupling->termCount;
  return instance->model->terms + coupling->termStart;
}

// Second derivative of a coordinate while no degree of freedom is accelerated.
static double biasOf(const crInstance* instance, int joint)
{
  const crModelJoint* record = &instance->model->joints[joint];
  if (record->isCut) {
    return crFindCut(instance, joint)->coordinateBias;
  }
  return record->motion >= 0 ? instance->y[record->vStart + 1] : 0.0;
}

void crEvalCoupling(const crInstance* instance, crCut* cut, bool ofVelocity)
{
  int count;
  const crCouplingTerm* terms = termsOf(instance, cut, &count);
  double offset = instance->model->couplings[cut->coupling].offset;
  cut->g[0] = -offset;
  cut->size = fabs(offset);
  cut->rates[0] = cut->biases[0] = 0.0;
  for (int i = 0; i < count; ++i) {
    double q = crGetCoordinate(instance, terms[i].joint, 0);
    double nominal = instance->model->joints[terms[i].joint].nominal[0];
    cut->g[0] += terms[i].factor * q;
    cut->size += fabs(terms[i].factor) * fmax(nominal, fabs(q));
    if (ofVelocity) {
      cut->rates[0] += terms[i].factor * crGetRate(instance, terms[i].joint, 0);
      cut->biases[0] += terms[i].factor * biasOf(instance, terms[i].joint);
    }
  }
}

crWrenchL crFindTermWrench(const crInstance* instance, const crCouplingTerm* term)
{
  const crCut* joint = crFindCut(instance, term->joint);
  return (crWrenchL){ joint->duals[0].t * term->factor, joint->duals[0].f * term->factor };
}

// ------------------------------------------------------------------------------------------------ forces

void crSumPushes(crInstance* instance, int tree)
{
  crLoops* loops = instance->loops;
  for (int pass = 0; pass < 2; ++pass) {
    for (const crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
      int count = 0;
      const crCouplingTerm* terms = crIsCoupling(cut) ? termsOf(instance, cut, &count) : NULL;
      double force = cut->activeCount > 0 ? cut->lambda[0] : 0.0;
      for (int i = 0; i < count; ++i) {
        loops->pushes[terms[i].joint] = pass > 0 ? loops->pushes[terms[i].joint] + terms[i].factor * force : 0.0;
      }
    }
  }
}

double crGetRigidPush(const crInstance* instance, int joint)
{
  return instance->loops != NULL ? instance->loops->pushes[joint] : 0.0;
}

double crGetPush(const crInstance* instance, int joint)
{
  double elastic = crHasPushes(instance->model) ? instance->elasticPushes[joint] : 0.0;
  return elastic + crGetRigidPush(instance, joint);
}

double crInstance_GetCouplingForce(const crInstance* instance, int coupling)
{
  if (instance == NULL || coupling < 0 || coupling >= instance->model->size.couplingCount) {
    return NAN;
  }
  if (coupling >= instance->model->rigidCount) {
    return instance->elastics[coupling - instance->model->rigidCount].force;
  }
  const crCut* cut = crFindCoupling(instance, coupling);
  return cut->activeCount > 0 ? cut->lambda[0] : 0.0;
}
