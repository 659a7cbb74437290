// Tumbling bodies behind tumble.h.
#include "support/tumble.h"

#include "contact/contact.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define CR_MOST_POINTS 16  // of a hull
#define CR_PLATE_TOP 0.105 // [m]
#define CR_PLATE_SIZE 0.4  // [m]

static double randomLog(crRandom* random, double low, double high)
{
  return low * pow(high / low, crRandom_Uniform(random, 0.0, 1.0));
}

crTumblePlan crMakeTumblePlan(uint64_t seed)
{
  static const double restitutions[] = { 0.0, 0.3, 0.7, 1.0 }, frictions[] = { 0.0, 0.2, 0.8 };
  crRandom random = crMakeRandom(seed);
  crTumblePlan plan = { .seed = seed, .stop = 0.5, .cpuLimit = 10.0, .solver = cr_solverAuto };
  plan.bodyCount = 2 + (int)(crRandom_Next(&random) % 6);
  plan.E = randomLog(&random, 1e6, 1e11);
  plan.tolerance = randomLog(&random, 1e-9, 1e-5);
  plan.cor = restitutions[crRandom_Next(&random) % 4];
  plan.muK = frictions[crRandom_Next(&random) % 3];
  plan.hasPlate = crRandom_Next(&random) % 4 == 0;
  plan.islands = crRandom_Next(&random) % 4 == 0 ? cr_islandsOff : cr_islandsDefault;
  return plan;
}

// -------------------------------------------------------------------------------------------- scene

static crVec3 randomSizes(crRandom* random)
{
  double size = randomLog(random, 0.02, 0.2);
  return crMakeVec3(size * crRandom_Uniform(random, 0.5, 1.5), size * crRandom_Uniform(random, 0.5, 1.5),
                    size * crRandom_Uniform(random, 0.5, 1.5));
}

static crShapeDef makeShape(crVec3* points, crRandom* random)
{
  crVec3 size = randomSizes(random);
  if (crRandom_Next(random) % 2 == 0) {
    crShapeDef box = crDefaultShapeDef(cr_shapeBox);
    box.as.box.size = size;
    return box;
  }
  crShapeDef hull = crDefaultShapeDef(cr_shapeHull);
  int count = 6 + (int)(crRandom_Next(random) % (CR_MOST_POINTS - 5));
  for (int i = 0; i < count; ++i) {
    crVec3 u = crRandom_UnitVec3(random);
    points[i] = crMakeVec3(0.5 * size.x * u.x, 0.5 * size.y * u.y, 0.5 * size.z * u.z);
  }
  hull.as.hull.points = points;
  hull.as.hull.pointCount = count;
  return hull;
}

// [m] Of a box or a hull, from its middle.
static double findReach(const crShapeDef* shape)
{
  if (shape->kind == cr_shapeBox) {
    return 0.5 * crLength(shape->as.box.size);
  }
  double reach = 0.0;
  for (int i = 0; i < shape->as.hull.pointCount; ++i) {
    reach = fmax(reach, crLength(shape->as.hull.points[i]));
  }
  return reach;
}

// floor [m]: no body begins below it.
static crStatus addBody(crScene* scene, int index, double floor, double* ioHeight, crRandom* random)
{
  crVec3 points[CR_MOST_POINTS];
  char name[32];
  snprintf(name, sizeof name, "body%d", index);
  crFeatureDef feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape = makeShape(points, random);
  feature.as.solid.material = feature.as.solid.contact = "rubble";
  crObjectDef object = crDefaultObjectDef(name);
  object.mobility = cr_mobilityFree;
  object.parent = "floor";
  object.rotation = crRandom_Next(random) % 4 == 0 ? crIdentityQuat() : crRandom_Rotation(random);
  *ioHeight = fmax(*ioHeight + 0.27, floor + findReach(&feature.as.solid.shape));
  object.position = crMakeVec3(crRandom_Uniform(random, -0.05, 0.05), crRandom_Uniform(random, -0.05, 0.05), *ioHeight);
  object.velocity = crScale(crRandom_Uniform(random, 0.0, 3.0), crRandom_UnitVec3(random));
  object.velocity.z -= index * 1.0; // so that they meet
  object.angularVelocity = crScale(crRandom_Uniform(random, 0.0, 30.0), crRandom_UnitVec3(random));
  *ioHeight += 0.27;
  object.features = &feature, object.featureCount = 1;
  return crScene_AddObject(scene, &object, NULL);
}

static crStatus addFixed(crScene* scene, const char* name, crShapeDef shape, crVec3 position)
{
  crFeatureDef feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape = shape;
  feature.as.solid.contact = "rubble";
  crObjectDef object = crDefaultObjectDef(name);
  bool isFloor = crLengthSquared(position) == 0.0;
  object.mobility = isFloor ? cr_mobilityWorld : cr_mobilityRigid;
  object.parent = isFloor ? NULL : "floor";
  object.position = position;
  object.features = &feature, object.featureCount = 1;
  return crScene_AddObject(scene, &object, NULL);
}

static crStatus addMaterial(crScene* scene, const crTumblePlan* plan)
{
  crSolidMaterialDef material = crDefaultSolidMaterialDef("rubble");
  material.density = 1000.0, material.E = plan->E, material.nu = 0.3;
  crContactPairDef pair = crDefaultContactPairDef("rubble", "rubble");
  pair.cor = plan->cor, pair.muK = plan->muK;
  crStatus status = crScene_AddSolidMaterial(scene, &material, NULL);
  return status == cr_ok ? crScene_AddContactPair(scene, &pair, NULL) : status;
}

static crStatus fillScene(crScene* scene, const crTumblePlan* plan)
{
  crRandom random = crMakeRandom(plan->seed ^ 0x5bd1e995);
  double height = 0.0;
  crStatus status = addMaterial(scene, plan);
  if (status == cr_ok) {
    status = addFixed(scene, "floor", crDefaultShapeDef(cr_shapeHalfSpace), crMakeVec3(0.0, 0.0, 0.0));
  }
  if (status == cr_ok && plan->hasPlate) {
    crShapeDef plate = crDefaultShapeDef(cr_shapeBox);
    plate.as.box.size = crMakeVec3(CR_PLATE_SIZE, CR_PLATE_SIZE, 0.01);
    status = addFixed(scene, "plate", plate, crMakeVec3(0.0, 0.0, 0.1));
  }
  for (int i = 0; i < plan->bodyCount && status == cr_ok; ++i) {
    status = addBody(scene, i, plan->hasPlate ? CR_PLATE_TOP : 0.0, &height, &random);
  }
  return status;
}

// ------------------------------------------------------------------------------------------ distances

typedef struct Watch {
  const crTumblePlan* plan;
  crTumbleResult* result;
  const crModel* model;
  crContacts* facts; // of all shapes, for their hysteresis
  clock_t start;
} Watch;

static double findHysteresis(const Watch* watch, int a, int b)
{
  const crContactShape* shapes = watch->model->contactShapes;
  const crContactLaw* law = crModel_GetContactLaw(watch->model, shapes[a].material, shapes[b].material);
  return crContacts_GetHysteresis(watch->facts, a, b, law);
}

static crStatus watchContact(void* context, const crContactRecord* contact)
{
  Watch* watch = context;
  if (contact->phase == cr_contactBegin && contact->time > 0.0) {
    double depth = contact->depth / findHysteresis(watch, contact->key.shapeA, contact->key.shapeB);
    watch->result->deepestStart = fmax(watch->result->deepestStart, depth);
  }
  return cr_ok;
}

static bool isTooLong(void* context, double t)
{
  (void)t;
  const Watch* watch = context;
  return (double)(clock() - watch->start) / CLOCKS_PER_SEC > watch->plan->cpuLimit;
}

static bool isInContact(const crContacts* contacts, int a, int b)
{
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    crContactRecord record = crContacts_Get(contacts, i);
    if (record.key.shapeA == a && record.key.shapeB == b) {
      return true;
    }
  }
  return false;
}

// All pairs of shapes as they are now: those that are deep have to be in contact.
static void lookAtAll(Watch* watch, const crSimulation* simulation)
{
  const crModel* model = watch->model;
  const crContactShape* shapes = model->contactShapes;
  const crInstance* instance = crSimulation_GetInstance(simulation);
  const crContacts* contacts = crSimulation_GetSet(simulation).contacts;
  for (int a = 0; a < model->size.shapeCount; ++a) {
    for (int b = a + 1; b < model->size.shapeCount; ++b) {
      if (shapes[a].body == shapes[b].body || !crModel_CanMeet(model, a, b)) {
        continue;
      }
      crPose X_WA = crMulPose(crGetBodyPose(instance, shapes[a].body), shapes[a].X_BS);
      crPose X_WB = crMulPose(crGetBodyPose(instance, shapes[b].body), shapes[b].X_BS);
      crDistance d = { .distance = HUGE_VAL };
      crComputeDistance(&model->shapes[a], &X_WA, &model->shapes[b], &X_WB, NULL, &d);
      if (d.distance < 0.0 && !isInContact(contacts, a, b)) {
        watch->result->deepestMissed = fmax(watch->result->deepestMissed, -d.distance / findHysteresis(watch, a, b));
      }
    }
  }
}

static void keepMessage(void* context, const crError* error)
{
  crTumbleResult* result = context;
  if (error->severity == cr_severityError) {
    crError_Format(error, result->message, sizeof result->message);
  }
}

// ---------------------------------------------------------------------------------------------- run

static crStatus advance(crSimulation* simulation, Watch* watch)
{
  const crTumblePlan* plan = watch->plan;
  crStatus status = cr_ok;
  int count = (int)(plan->stop / plan->sample + 0.5);
  for (int i = 1; i <= count && status == cr_ok && !isTooLong(watch, 0.0); ++i) {
    status = crSimulation_Advance(simulation, fmin(plan->stop, i * plan->sample));
    if (status == cr_ok) {
      lookAtAll(watch, simulation);
    }
  }
  return status == cr_ok && isTooLong(watch, 0.0) ? cr_cancelled : status;
}

static double sumEnergy(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

static crStatus runModel(Watch* watch, const crErrorSink* sink)
{
  crSimulation* simulation = NULL;
  crTumbleResult* result = watch->result;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = watch->plan->stop;
  options.tolerance = watch->plan->tolerance;
  options.eventRows = cr_eventRowsOff;
  options.islands = watch->plan->islands;
  options.solver = watch->plan->solver;
  crStatus status = crCreateSimulation(watch->model, &options, NULL, sink, &simulation);
  if (status == cr_ok) {
    crObserver observer = { .context = watch, .shouldStop = isTooLong, .atContact = watchContact };
    crRunEnd end = cr_runFailed;
    if (watch->plan->sample > 0.0) {
      status = advance(simulation, watch);
    } else {
      status = crSimulation_Run(simulation, &observer, &end);
      status = status == cr_ok && end == cr_runStopped ? cr_cancelled : status;
    }
    crSimulationSummary summary = crSimulation_GetSummary(simulation);
    result->time = summary.time;
    result->energy = sumEnergy(summary.startEnergy);
    result->unexplained = sumEnergy(summary.endEnergy) - result->energy + summary.dissipated;
    result->steps = summary.solverStatistics.steps;
    result->events = summary.eventCount;
    result->distances = summary.distanceCount;
    result->contacts = summary.contactCount;
    result->cpuSeconds = summary.cpuSeconds;
  }
  crDestroySimulation(simulation);
  return status;
}

crTumbleResult crRunTumble(const crTumblePlan* plan)
{
  crTumbleResult result = { 0 };
  crErrorSink sink = { .report = keepMessage, .context = &result };
  crScene* scene = NULL;
  crModel* model = NULL;
  crShapeTable* table = NULL;
  Watch watch = { .plan = plan, .result = &result, .start = clock() };
  crStatus status = crCreateScene(NULL, &sink, &scene);
  status = status == cr_ok ? fillScene(scene, plan) : status;
  status = status == cr_ok ? crCompile(scene, NULL, NULL, &sink, &model) : status;
  status = status == cr_ok ? crCreateShapeTable(model, NULL, &table) : status;
  status = status == cr_ok ? crCreateSharedContacts(table, NULL, &watch.facts) : status;
  if (status == cr_ok) {
    watch.model = model;
    status = runModel(&watch, &sink);
  }
  result.status = status;
  crDestroyContacts(watch.facts);
  crDestroyShapeTable(table);
  crDestroyModel(model);
  crDestroyScene(scene);
  return result;
}
