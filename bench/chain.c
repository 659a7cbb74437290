// The chain as a model of ours, and the time that its evaluation takes.
#include "chain.h"

#include <stdio.h>

static void addLink(crScene* scene, int i)
{
  char name[32], end[32], joint[32], previous[32];
  snprintf(name, sizeof name, "link%d", i);
  snprintf(end, sizeof end, "end%d", i);
  snprintf(joint, sizeof joint, "joint%d", i);
  snprintf(previous, sizeof previous, i > 0 ? "end%d" : "world", i - 1);
  crFeatureDef mass = crDefaultFeatureDef(cr_featureMass);
  mass.as.mass.mass = CHAIN_MASS;
  mass.as.mass.com = crMakeVec3(0.0, 0.0, -CHAIN_LENGTH / 2);
  mass.as.mass.inertia = crDiagonalSym3(CHAIN_IX, CHAIN_IY, CHAIN_IZ);
  crObjectDef body = crDefaultObjectDef(name);
  body.features = &mass;
  body.featureCount = 1;
  crScene_AddObject(scene, &body, NULL);
  crObjectDef tip = crDefaultObjectDef(end);
  tip.parent = name;
  tip.position = crMakeVec3(0.0, 0.0, -CHAIN_LENGTH);
  crScene_AddObject(scene, &tip, NULL);
  crJointDef def = crDefaultJointDef(cr_jointRevolute, joint, previous, name);
  def.axis = chainAxis(i) == 1 ? crMakeVec3(0.0, 1.0, 0.0) : crMakeVec3(1.0, 0.0, 0.0);
  crScene_AddJoint(scene, &def, NULL);
}

crModel* chainMakeModel(int n)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  if (crCreateScene(NULL, NULL, &scene) != cr_ok) {
    return NULL;
  }
  crObjectDef world = crDefaultObjectDef("world");
  world.mobility = cr_mobilityWorld;
  crScene_AddObject(scene, &world, NULL);
  for (int i = 0; i < n; ++i) {
    addLink(scene, i);
  }
  crCompile(scene, NULL, NULL, NULL, &model);
  crDestroyScene(scene);
  return model;
}

void chainFillState(int n, int call, double* y)
{
  for (int i = 0; i < n; ++i) {
    y[i] = chainAngle(i, call);
    y[n + i] = chainRate(i, call);
  }
}

double chainTimeOurs(crInstance* instance, int n, double* y, double* rates)
{
  crTreeSet all = crModel_GetAllTrees(crInstance_GetModel(instance));
  double start = chainNow();
  for (int k = 0; k < chainCalls(n); ++k) {
    y[0] = chainAngle(0, k);
    y[n] = chainRate(0, k);
    if (crInstance_ComputeRates(instance, all, 0.0, y, rates) != cr_ok) {
      return HUGE_VAL;
    }
  }
  return 1e9 * (chainNow() - start) / chainCalls(n) / n;
}
