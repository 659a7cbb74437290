// Kinks of a set of trees, in the order of their elements: stops, cables, couplings.
#include "model/eval/kink.h"

// Calls for both stops of a degree of freedom. Returns how many there are.
static int findStops(const crInstance* instance, const crModel* model, int body, int i, crKink* out)
{
  const crLink* link = &model->links[body];
  const crJointLaw* law = &model->jointLaws[model->joints[link->joint].law];
  int count = 0;
  if (!(law->stopMin[i] < law->stopMax[i] && law->stopStiffness[i] > 0.0)) {
    return 0;
  }
  for (int side = -1; side <= 1; side += 2) {
    double stop = side > 0 ? law->stopMax[i] : law->stopMin[i];
    if (fabs(stop) < CR_NO_STOP && out != NULL) {
      double q = instance->y[link->qStart + i], v = side * instance->y[link->vStart + i], depth = side * (q - stop);
      crMakeKinks(depth, law->stopDamping[i] * depth * v, fabs(q) + fabs(stop), out + count);
    }
    count += fabs(stop) < CR_NO_STOP ? CR_KINKS_EACH : 0;
  }
  return count;
}

static int findOfTree(const crInstance* instance, const crModel* model, int tree, crKink* out)
{
  int count = 0;
  for (int l = model->treeLaws[tree]; l < model->treeLaws[tree + 1]; ++l) {
    const crLink* link = &model->links[model->lawBodies[l]];
    bool hasCoordinate = !crGetJointType((int)model->joints[link->joint].kind)->hasQuaternion;
    for (int i = 0; i < link->vCount && hasCoordinate; ++i) {
      count += findStops(instance, model, model->lawBodies[l], i, out != NULL ? out + count : NULL);
    }
  }
  for (int i = model->treeForces[tree]; i < model->treeForces[tree + 1]; ++i) {
    const crModelForce* force = &model->forces[model->forceEnds[i].force];
    if (force->kind == cr_forceCable && out != NULL) {
      crFindCableKinks(instance, force, out + count);
    }
    count += force->kind == cr_forceCable ? CR_KINKS_EACH : 0;
  }
  for (int i = model->treeElastics[tree]; i < model->treeElastics[tree + 1]; ++i) {
    bool hasFlanks = crHasFlanks(&model->couplings[model->elastics[i]]);
    if (hasFlanks && out != NULL) {
      crFindFlankKinks(instance, model->elastics[i], out + count);
    }
    count += hasFlanks ? 2 * CR_KINKS_EACH : 0;
  }
  return count;
}

int crModel_CountKinks(const crModel* model, crTreeSet set)
{
  int count = 0;
  for (int k = 0; k < set.treeCount; ++k) {
    count += findOfTree(NULL, model, set.trees[k], NULL);
  }
  return count;
}

void crInstance_FindKinks(const crInstance* instance, crTreeSet set, crKink* outKinks)
{
  for (int k = 0; k < set.treeCount; ++k) {
    outKinks += findOfTree(instance, instance->model, set.trees[k], outKinks);
  }
}
