// Drops behind drop.h.
#include "support/drop.h"

#include "support/throw.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define CR_DROP_COLUMN 6     // bodies above each other at most
#define CR_DROP_PITCH 0.6    // [m] from column to column
#define CR_DROP_HEIGHT 0.4   // [m] from body to body in a column: none touch at the start
#define CR_DROP_DENSITY 1000 // [kg/m^3]

crDropPlan crMakeDropPlan(int count, bool isMixed, bool isLossy)
{
  return (crDropPlan){ .count = count,
                       .isMixed = isMixed,
                       .seed = 1,
                       .E = 1e7,
                       .cor = isLossy ? 0.5 : 1.0,
                       .muK = isLossy ? 0.4 : 0.0,
                       .muR = isLossy ? 0.1 : 0.0,
                       .tolerance = 1e-7,
                       .stop = isLossy ? 4.0 : 2.0 };
}

// -------------------------------------------------------------------------------------------- scene

static crShapeDef makeShape(const crDropPlan* plan, int index, crVec3* points, crRandom* random)
{
  static const crThrownKind kinds[3] = { cr_thrownBox, cr_thrownHull, cr_thrownCylinder };
  if (plan->isMixed) {
    return crMakeThrownShape(kinds[index % 3], points, random);
  }
  crShapeDef def = crDefaultShapeDef(cr_shapeBox);
  def.as.box.size = crMakeVec3(0.1, 0.2, 0.3);
  return def;
}

// In columns on a square.
static crVec3 choosePlace(const crDropPlan* plan, int index, crRandom* random)
{
  int columns = (plan->count + CR_DROP_COLUMN - 1) / CR_DROP_COLUMN, side = (int)ceil(sqrt((double)columns));
  int column = index % columns, level = index / columns;
  double x = CR_DROP_PITCH * (column % side) + crRandom_Uniform(random, 0.0, 0.1);
  double y = CR_DROP_PITCH * (column / side) + crRandom_Uniform(random, 0.0, 0.1);
  return crMakeVec3(plan->far + x, plan->far + y, 0.3 + CR_DROP_HEIGHT * level);
}

static crStatus addBody(crScene* scene, const crDropPlan* plan, int index, crRandom* random)
{
  crVec3 points[CR_THROWN_POINTS];
  char name[32];
  snprintf(name, sizeof name, "body%d", index);
  crFeatureDef feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape = makeShape(plan, index, points, random);
  feature.as.solid.material = feature.as.solid.contact = "dropped";
  crObjectDef object = crDefaultObjectDef(name);
  object.mobility = cr_mobilityFree;
  object.parent = "floor";
  object.rotation = crRandom_Rotation(random);
  object.position = choosePlace(plan, index, random);
  object.features = &feature, object.featureCount = 1;
  return crScene_AddObject(scene, &object, NULL);
}

static crStatus addFloor(crScene* scene, const crDropPlan* plan)
{
  crSolidMaterialDef material = crDefaultSolidMaterialDef("dropped");
  material.density = CR_DROP_DENSITY, material.E = plan->E, material.nu = 0.3;
  crContactPairDef pair = crDefaultContactPairDef("dropped", "dropped");
  pair.cor = plan->cor, pair.muK = plan->muK, pair.muR = plan->muR;
  pair.vMin = plan->cor < 1.0 ? 0.01 : 1e-8; // [m/s] without losses restitution must not fade at grazing touches either
  crFeatureDef feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape = crDefaultShapeDef(cr_shapeHalfSpace);
  feature.as.solid.contact = "dropped";
  crObjectDef floor = crDefaultObjectDef("floor");
  floor.mobility = cr_mobilityWorld;
  floor.features = &feature, floor.featureCount = 1;
  crStatus status = crScene_AddSolidMaterial(scene, &material, NULL);
  status = status == cr_ok ? crScene_AddContactPair(scene, &pair, NULL) : status;
  return status == cr_ok ? crScene_AddObject(scene, &floor, NULL) : status;
}

static crStatus fillScene(crScene* scene, const crDropPlan* plan)
{
  crRandom random = crMakeRandom(plan->seed);
  crStatus status = addFloor(scene, plan);
  for (int i = 0; i < plan->count && status == cr_ok; ++i) {
    status = addBody(scene, plan, i, &random);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------- run

typedef struct Watch {
  crDropResult* result;
  clock_t start;
} Watch;

static crStatus watchContact(void* context, const crContactRecord* contact)
{
  crDropResult* result = ((Watch*)context)->result;
  if (contact->maxDepth > result->depth) {
    result->depth = contact->maxDepth;
  }
  return cr_ok;
}

static bool isTooLong(void* context, double t)
{
  (void)t;
  const Watch* watch = context;
  return (double)(clock() - watch->start) / CLOCKS_PER_SEC > CR_DROP_CPU_LIMIT;
}

static void keepMessage(void* context, const crError* error)
{
  crDropResult* result = context;
  if (error->severity == cr_severityError) {
    crError_Format(error, result->message, sizeof result->message);
  }
}

static double sumEnergy(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

// By potential energies, all of which are those of weights: origins of hulls may be outside of them.
static double findLowest(const crModel* model, const crSimulation* simulation)
{
  double lowest = HUGE_VAL;
  for (int b = 1; b < crModel_GetSize(model).bodyCount; ++b) {
    crEnergy energy =
        crInstance_ComputeEnergy(crSimulation_GetInstance(simulation), crSimulation_GetSet(simulation), b);
    lowest = fmin(lowest, energy.potential / (crModel_GetBody(model, b)->inertia.mass * 9.81));
  }
  return lowest;
}

static crStatus runModel(const crModel* model, const crDropPlan* plan, const crErrorSink* sink, crDropResult* result)
{
  crSimulation* simulation = NULL;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = plan->stop;
  options.tolerance = plan->tolerance;
  options.eventRows = cr_eventRowsOff;
  options.islands = plan->islands;
  crStatus status = crCreateSimulation(model, &options, NULL, sink, &simulation);
  if (status == cr_ok) {
    Watch watch = { result, clock() };
    crObserver observer = { .context = &watch, .shouldStop = isTooLong, .atContact = watchContact };
    crRunEnd end = cr_runFailed;
    status = crSimulation_Run(simulation, &observer, &end);
    status = status == cr_ok && end == cr_runStopped ? cr_cancelled : status;
    crSimulationSummary summary = crSimulation_GetSummary(simulation);
    result->time = summary.time;
    result->energy = sumEnergy(summary.startEnergy);
    result->change = sumEnergy(summary.endEnergy) - result->energy;
    result->kinetic = summary.endEnergy.kinetic;
    result->dissipated = summary.dissipated;
    result->steps = summary.solverStatistics.steps;
    result->contacts = summary.contactCount;
    result->cpuSeconds = summary.cpuSeconds;
    result->lowest = findLowest(model, simulation);
  }
  crDestroySimulation(simulation);
  return status;
}

crDropResult crRunDrop(const crDropPlan* plan)
{
  crDropResult result = { 0 };
  crErrorSink sink = { .report = keepMessage, .context = &result };
  crScene* scene = NULL;
  crModel* model = NULL;
  result.status = crCreateScene(NULL, &sink, &scene);
  result.status = result.status == cr_ok ? fillScene(scene, plan) : result.status;
  result.status = result.status == cr_ok ? crCompile(scene, NULL, NULL, &sink, &model) : result.status;
  result.status = result.status == cr_ok ? runModel(model, plan, &sink, &result) : result.status;
  crDestroyModel(model);
  crDestroyScene(scene);
  return result;
}

double crDropResult_Error(const crDropResult* result)
{
  return fabs(result->change + result->dissipated) / result->energy;
}

double crDropPlan_FindLimit(const crDropPlan* plan)
{
  return fmax(1e-5, plan->tolerance);
}
