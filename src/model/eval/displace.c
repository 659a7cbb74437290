// Small displacements of coordinates, in the space of the rates: q moved by d is q + N(q) d, quaternions of unit
// length.
#include "model/eval/instance.h"

#include <string.h>

static void normalizeQuaternions(const crModel* model, crTreeSet set, double* y)
{
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      const crJointType* type = crGetJointType((int)model->joints[model->links[b].joint].kind);
      if (type->hasQuaternion) {
        double* q = y + (model->links[b].qStart - tree->qStart) + type->qCount - 4;
        crQuat unit = crNormalizeQuat((crQuat){ q[0], q[1], q[2], q[3] });
        q[0] = unit.w;
        q[1] = unit.x;
        q[2] = unit.y;
        q[3] = unit.z;
      }
    }
    y += crTreeStateCount(tree);
  }
}

void crDisplace(crInstance* instance, crTreeSet set, double t, const double* y, const double* d, double factor,
                double* outY)
{
  const crModel* model = instance->model;
  crInstance_SetState(instance, set, t, y);
  memcpy(outY, y, (size_t)crModel_CountStates(model, set) * sizeof *y);
  double* out = outY;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    double* rates = instance->rates + tree->qStart;
    for (int i = 0; i < tree->vCount; ++i) {
      instance->y[tree->vStart + i] = factor * *d++;
    }
    crComputeCoordinateRates(instance, tree, rates);
    for (int i = 0; i < tree->qCount; ++i) {
      out[i] += rates[i];
    }
    out += crTreeStateCount(tree);
  }
  normalizeQuaternions(model, set, outY);
}
