// The residual by the recursive Newton-Euler algorithm [Featherstone08] section 5.3, O(n), without a mass matrix.
//
// With the split of articulated.c, A_B = A0_B + a_B, outwards and inwards:
//
//   a_B = X a_P + S v',    W_B = bias_B + I_B a_B + sum over children of X^T W,    force = S^T W_B + rotor v' - tau
#include "model/eval/instance.h"

// Acceleration beyond A0 for given v', and the wrench that the body alone needs.
static void moveBody(crInstance* instance, const crLink* link, int b, const double* vdot)
{
  const crMotionL* S = &instance->S[link->dofStart];
  crMotionL P = instance->A[link->parent];
  crMotionL A = { P.w, P.v + crCrossL(P.w, instance->places[b].r) };
  for (int i = 0; i < link->vCount; ++i) {
    A.w += S[i].w * vdot[i];
    A.v += S[i].v * vdot[i];
  }
  crWrenchL W = crMulRigid(&instance->rigids[b], link->mass, A);
  instance->A[b] = A;
  instance->W[b] = (crWrenchL){ W.t + instance->biases[b].t, W.f + instance->biases[b].f };
}

void crComputeTreeForces(crInstance* instance, int treeIndex, const double* vdot, double* outForces)
{
  const crModel* model = instance->model;
  const crTree* tree = &model->trees[treeIndex];
  int start = model->treeDofs[treeIndex];
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    moveBody(instance, &model->links[b], b, vdot + (model->links[b].dofStart - start));
  }
  for (int b = tree->bodyStart + tree->bodyCount - 1; b >= tree->bodyStart; --b) {
    const crLink* link = &model->links[b];
    for (int i = 0; i < link->vCount; ++i) {
      int dof = link->dofStart + i;
      outForces[dof - start] =
          crPowerL(instance->W[b], instance->S[dof]) + instance->rotor[dof] * vdot[dof - start] - instance->tau[dof];
    }
    if (link->parent > 0) {
      crWrenchL W = crShiftWrench(instance->W[b], instance->places[b].r);
      instance->W[link->parent].t += W.t;
      instance->W[link->parent].f += W.f;
    }
  }
}

crStatus crInstance_ComputeResidual(crInstance* instance, crTreeSet set, double t, const double* y, const double* yp,
                                    double* outResidual)
{
  if (!crCanEvaluate(instance, set) || y == NULL || yp == NULL || outResidual == NULL) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stageForce);
  int place = 0;
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    const double* rates = yp + place;
    double* residual = outResidual + place;
    crComputeCoordinateRates(instance, tree, residual);
    for (int i = 0; i < tree->qCount; ++i) {
      residual[i] = rates[i] - residual[i];
    }
    crComputeTreeForces(instance, set.trees[k], rates + tree->qCount, residual + tree->qCount);
    crGetAuxiliaryRates(instance, tree, residual + tree->qCount + tree->vCount);
    for (int i = tree->qCount + tree->vCount; i < crTreeStateCount(tree); ++i) {
      residual[i] = rates[i] - residual[i];
    }
    status = crAreFinite(residual, crTreeStateCount(tree)) ? cr_ok : cr_retry;
    place += crTreeStateCount(tree);
  }
  return status;
}

crStatus crInstance_ComputeInverseDynamics(crInstance* instance, crTreeSet set, double t, const double* y,
                                           const double* accelerations, double* outForces)
{
  if (!crCanEvaluate(instance, set) || y == NULL || accelerations == NULL || outForces == NULL) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stageForce);
  int place = 0;
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    int vCount = model->trees[set.trees[k]].vCount;
    crComputeTreeForces(instance, set.trees[k], accelerations + place, outForces + place);
    status = crAreFinite(outForces + place, vCount) ? cr_ok : cr_retry;
    place += vCount;
  }
  return status;
}
