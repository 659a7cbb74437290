// The mass matrix by the composite-rigid-body algorithm [Featherstone08] section 6.2.
//
// With all joints behind a body locked, its articulated inertia is the composite one, Ic. For each degree of freedom i
// of body B and j of B or an ancestor, H_ij = S_j . (Ic_B S_i moved to the ancestor's origin).
#include "model/eval/instance.h"

#include <string.h>

static void computeComposites(crInstance* instance, const crTree* tree)
{
  for (int b = tree->bodyStart + tree->bodyCount - 1; b >= tree->bodyStart; --b) {
    crLockBody(instance, b);
  }
}

void crComputeTreeDiagonal(crInstance* instance, int treeIndex, double* outDiagonal)
{
  const crModel* model = instance->model;
  const crTree* tree = &model->trees[treeIndex];
  computeComposites(instance, tree);
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    for (int dof = model->links[b].dofStart; dof < model->links[b].dofStart + model->links[b].vCount; ++dof) {
      crWrenchL U = crMulArticulated(&instance->articulated[b], instance->S[dof]);
      outDiagonal[dof - model->treeDofs[treeIndex]] = crPowerL(U, instance->S[dof]) + instance->rotor[dof];
    }
  }
}

// Column and row of one degree of freedom; `matrix` is that of the set from the tree's first entry on.
static void fillDegree(const crInstance* instance, int b, int dof, int dofStart, double* matrix, int size)
{
  const crLink* links = instance->model->links;
  crWrenchL F = crMulArticulated(&instance->articulated[b], instance->S[dof]);
  size_t i = (size_t)(dof - dofStart), n = (size_t)size;
  for (int a = b; a > 0; a = links[a].parent) {
    for (int other = links[a].dofStart; other < links[a].dofStart + links[a].vCount; ++other) {
      size_t j = (size_t)(other - dofStart);
      matrix[i * n + j] = matrix[j * n + i] = crPowerL(F, instance->S[other]);
    }
    F = crShiftWrench(F, instance->places[a].r);
  }
  matrix[i * n + i] += instance->rotor[dof];
}

crStatus crInstance_ComputeMassMatrix(crInstance* instance, crTreeSet set, double t, const double* y, double* outMatrix)
{
  if (!crCanEvaluate(instance, set) || y == NULL || outMatrix == NULL) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stagePosition);
  if (status != cr_ok) {
    return status;
  }
  int size = crModel_CountRates(model, set), place = 0;
  memset(outMatrix, 0, (size_t)size * (size_t)size * sizeof *outMatrix);
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    int dofStart = model->treeDofs[set.trees[k]];
    double* matrix = outMatrix + (size_t)place * (size_t)size + (size_t)place;
    computeComposites(instance, tree);
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      for (int i = 0; i < model->links[b].vCount; ++i) {
        fillDegree(instance, b, model->links[b].dofStart + i, dofStart, matrix, size);
      }
    }
    place += tree->vCount;
  }
  return cr_ok;
}
