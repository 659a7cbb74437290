// Six dropped boxes in Carom, at three tolerances and stiffnesses; bench_boxes_NAME.cpp are the same boxes elsewhere.
// Fails when the energy at 1e-7 changes by more than 1e-5 of what there is.
#include "boxes.h"

#include "carom/carom.h"

#define ENERGY_LIMIT 1e-5 // [-]
#define REPEATS 3

static crStatus addBodies(crScene* scene, double E)
{
  double p[BOXES][3], q[BOXES][4];
  placeBoxes(p, q);
  crSolidMaterialDef material = crDefaultSolidMaterialDef("box");
  material.density = BOX_DENSITY, material.E = E, material.nu = 0.3;
  crContactPairDef pair = crDefaultContactPairDef("box", "box");
  pair.cor = 1, pair.vMin = 1e-8; // restitution does not fade in grazing touches
  crFeatureDef solid = crDefaultFeatureDef(cr_featureSolid);
  solid.as.solid.contact = "box";
  solid.as.solid.shape = crDefaultShapeDef(cr_shapeHalfSpace);
  crObjectDef object = crDefaultObjectDef("floor");
  object.mobility = cr_mobilityWorld;
  object.features = &solid, object.featureCount = 1;
  crStatus status = crScene_AddSolidMaterial(scene, &material, NULL);
  status = status == cr_ok ? crScene_AddContactPair(scene, &pair, NULL) : status;
  status = status == cr_ok ? crScene_AddObject(scene, &object, NULL) : status;
  solid.as.solid.shape = crDefaultShapeDef(cr_shapeBox);
  solid.as.solid.shape.as.box.size = crMakeVec3(boxSize[0], boxSize[1], boxSize[2]);
  solid.as.solid.material = "box";
  object.mobility = cr_mobilityFree;
  object.parent = "floor";
  for (int i = 0; i < BOXES && status == cr_ok; i++) {
    char name[16];
    snprintf(name, sizeof name, "box%d", i);
    object.name = name;
    object.position = crMakeVec3(p[i][0], p[i][1], p[i][2]);
    object.rotation = (crQuat){ q[i][0], q[i][1], q[i][2], q[i][3] };
    status = crScene_AddObject(scene, &object, NULL);
  }
  return status;
}

static double total(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

// The change of energy over what there is; NaN: the run failed.
static double run(double E, double tolerance)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  crSimulationSummary summary = { 0 };
  double seconds = HUGE_VAL;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = BOX_STOP;
  options.tolerance = tolerance;
  options.eventRows = cr_eventRowsOff;
  crStatus status = crCreateScene(NULL, NULL, &scene);
  status = status == cr_ok ? addBodies(scene, E) : status;
  status = status == cr_ok ? crCompile(scene, NULL, NULL, NULL, &model) : status;
  for (int i = 0; i < REPEATS && status == cr_ok; i++) {
    crSimulation* simulation = NULL;
    crRunEnd end;
    status = crCreateSimulation(model, &options, NULL, NULL, &simulation);
    status = status == cr_ok ? crSimulation_Run(simulation, NULL, &end) : status;
    if (status == cr_ok) {
      summary = crSimulation_GetSummary(simulation);
      seconds = fmin(seconds, summary.cpuSeconds);
    }
    crDestroySimulation(simulation);
  }
  crDestroyModel(model);
  crDestroyScene(scene);
  char what[64], key[64];
  snprintf(what, sizeof what, "Carom, E %.1e N/m^2, tolerance %.0e", E, tolerance);
  if (status != cr_ok) {
    printf("%s: %s\n", what, crStatus_GetText(status));
    return NAN;
  }
  snprintf(key, sizeof key, "carom.%.0e.%.0e", E, tolerance);
  double change = total(summary.endEnergy) - total(summary.startEnergy);
  printBoxRow(what, key, (long)summary.solverStatistics.steps, seconds, change);
  return change / total(summary.startEnergy);
}

int main(void)
{
  static const double moduli[] = { 1e7, 1e9, 2.1e11 }, tolerances[] = { 1e-5, 1e-7, 1e-9 };
  bool isGood = true;
  printBoxHead();
  for (int i = 0; i < 9; i++) {
    double tolerance = tolerances[i % 3], error = fabs(run(moduli[i / 3], tolerance));
    isGood = isGood && (tolerance > 1e-7 ? !isnan(error) : error <= ENERGY_LIMIT);
  }
  return isGood ? 0 : 1;
}
