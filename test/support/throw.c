// Throws behind throw.h.
#include "support/throw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// Depths stay below this share of the smallest dimension, estimated for a tip, which goes deepest. A body that is
// half-way through a plate is rightly pushed out on its other side.
#define CR_THROWN_DEPTH 0.1 // [-]
#define CR_ALIGNED_EVERY 8  // [-] throws, of which one is of bodies with parallel axes that do not turn
#define CR_LEAST_SHARE 0.01 // [-] of the energy that counts as lost where less is

static const char* const kindNames[cr_thrownKindCount] = {
  "sphere",      "ellipsoid",   "capsule",     "box",        "cylinder", "cone",
  "frustum",     "beam",        "hull",        "roundedBox", "plate",    "roundedCylinder",
  "roundedCone", "roundedBeam", "roundedHull", "halfSpace",
};

const char* crThrownKind_GetText(crThrownKind kind)
{
  return kindNames[kind];
}

crThrownPair crGetThrownPair(int index)
{
  int a = 0;
  while (index >= cr_thrownKindCount - a) {
    index -= cr_thrownKindCount - a;
    ++a;
  }
  return (crThrownPair){ (crThrownKind)a, (crThrownKind)(a + index) };
}

bool crFindThrownPair(const char* text, crThrownPair* outPair)
{
  for (int i = 0; i < CR_THROWN_PAIRS; ++i) {
    crThrownPair pair = crGetThrownPair(i);
    char forward[64], backward[64];
    snprintf(forward, sizeof forward, "%s-%s", kindNames[pair.a], kindNames[pair.b]);
    snprintf(backward, sizeof backward, "%s-%s", kindNames[pair.b], kindNames[pair.a]);
    if (strcmp(text, forward) == 0 || strcmp(text, backward) == 0) {
      *outPair = pair;
      return true;
    }
  }
  return false;
}

// ------------------------------------------------------------------------------------------- bodies

// A body in its place, at the start of a throw.
typedef struct Body {
  crShapeDef def;
  crVec3 points[CR_THROWN_POINTS]; // of a hull
  crShape* shape;
  double density; // [kg/m^3]
  crInertia inertia;
  crQuat rotation;
  crVec3 centre;   // [m] of mass, in the world
  crVec3 velocity; // [m/s] of it
  crVec3 spin;     // [rad/s] world axes
} Body;

static double randomSize(crRandom* random)
{
  return crRandom_Uniform(random, 0.05, 0.3);
}

static crVec3 randomSizes(crRandom* random)
{
  double x = randomSize(random), y = randomSize(random);
  return crMakeVec3(x, y, randomSize(random));
}

// Points about an ellipsoid, not all of which need be corners.
static void makeHull(crShapeDef* def, crVec3* points, crRandom* random)
{
  crVec3 radii = crScale(0.5, randomSizes(random));
  int count = 8 + (int)crRandom_Uniform(random, 0.0, CR_THROWN_POINTS - 7);
  for (int i = 0; i < count; ++i) {
    crVec3 u = crRandom_UnitVec3(random); // one draw at a time: C leaves the order of arguments open
    crVec3 p = crScale(crRandom_Uniform(random, 0.7, 1.0), u);
    points[i] = crMakeVec3(radii.x * p.x, radii.y * p.y, radii.z * p.z);
  }
  def->as.hull.points = points;
  def->as.hull.pointCount = count;
}

static void makeCylinder(crShapeDef* def, crRandom* random)
{
  def->as.cylinder.radius = 0.5 * randomSize(random);
  def->as.cylinder.length = randomSize(random);
}

static void makeBeam(crShapeDef* def, crRandom* random)
{
  def->as.beam.length = randomSize(random);
  def->as.beam.width = crRandom_Uniform(random, 0.05, 0.15);
  def->as.beam.height = crRandom_Uniform(random, 0.05, 0.15);
}

// Up to a tenth of the smallest size; of a hull less than its points leave.
static double randomRounding(double size, crRandom* random)
{
  return crRandom_Uniform(random, 0.02, 0.1) * size;
}

static void makeCone(crShapeDef* def, double topShare, crRandom* random)
{
  def->as.cone.radius = 0.5 * randomSize(random);
  def->as.cone.topRadius = topShare * def->as.cone.radius;
  def->as.cone.length = randomSize(random);
}

static crShapeKind findShapeKind(crThrownKind kind)
{
  static const crShapeKind kinds[cr_thrownKindCount] = {
    cr_shapeSphere, cr_shapeEllipsoid, cr_shapeCapsule, cr_shapeBox,       cr_shapeCylinder, cr_shapeCone,
    cr_shapeCone,   cr_shapeBeam,      cr_shapeHull,    cr_shapeBox,       cr_shapeBox,      cr_shapeCylinder,
    cr_shapeCone,   cr_shapeBeam,      cr_shapeHull,    cr_shapeHalfSpace,
  };
  return kinds[kind];
}

crShapeDef crMakeThrownShape(crThrownKind kind, crVec3* points, crRandom* random)
{
  crShapeDef def = crDefaultShapeDef(findShapeKind(kind));
  switch (kind) {
    case cr_thrownSphere: def.as.sphere.radius = 0.5 * randomSize(random); break;
    case cr_thrownEllipsoid: def.as.ellipsoid.radii = crScale(0.5, randomSizes(random)); break;
    case cr_thrownCapsule:
      def.as.capsule.radius = crRandom_Uniform(random, 0.025, 0.1);
      def.as.capsule.length = randomSize(random);
      break;
    case cr_thrownCylinder: makeCylinder(&def, random); break;
    case cr_thrownCone: makeCone(&def, 0.0, random); break;
    case cr_thrownFrustum: makeCone(&def, crRandom_Uniform(random, 0.2, 0.9), random); break;
    case cr_thrownBeam: makeBeam(&def, random); break;
    case cr_thrownHull: makeHull(&def, points, random); break;
    case cr_thrownPlate:
      def.as.box.size = randomSizes(random);
      def.as.box.size.z = crRandom_Uniform(random, 0.002, 0.006);
      break;
    case cr_thrownBox: def.as.box.size = randomSizes(random); break;
    case cr_thrownRoundedBox: {
      crVec3 size = def.as.box.size = randomSizes(random);
      def.rounding = randomRounding(fmin(size.x, fmin(size.y, size.z)), random);
      break;
    }
    case cr_thrownRoundedCylinder:
      makeCylinder(&def, random);
      def.rounding = randomRounding(fmin(2.0 * def.as.cylinder.radius, def.as.cylinder.length), random);
      break;
    case cr_thrownRoundedCone:
      makeCone(&def, crRandom_Next(random) % 2 == 0 ? 0.0 : crRandom_Uniform(random, 0.2, 0.9), random);
      def.rounding = randomRounding(fmin(def.as.cone.radius, def.as.cone.length), random);
      break;
    case cr_thrownRoundedBeam:
      makeBeam(&def, random);
      def.rounding = randomRounding(fmin(def.as.beam.width, def.as.beam.height), random);
      break;
    case cr_thrownRoundedHull:
      makeHull(&def, points, random);
      def.rounding = randomRounding(0.025, random);
      break;
    case cr_thrownHalfSpace:
    case cr_thrownKindCount: break;
  }
  return def;
}

// One of the rotations that lay axes along axes, without a rounding error in faces that are to be parallel.
static crQuat chooseQuarterTurns(crRandom* random)
{
  static const crVec3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
  crQuat q = crIdentityQuat();
  for (int i = 0; i < 3; ++i) {
    double turn = 0.5 * CR_PI * (double)(crRandom_Next(random) % 4);
    q = crMulQuat(q, crAxisAngleToQuat(axes[i], turn));
  }
  return q;
}

static crStatus makeBody(Body* body, crThrownKind kind, bool isAligned, crRandom* random)
{
  static const double densities[] = { 700.0, 1200.0, 2500.0, 7850.0 }; // [kg/m^3] wood, plastic, glass, steel
  body->def = crMakeThrownShape(kind, body->points, random);
  crStatus status = crCreateShape(&body->def, NULL, NULL, &body->shape);
  if (status != cr_ok) {
    return status;
  }
  body->density = densities[crRandom_Next(random) % 4];
  body->inertia = crShape_ComputeInertia(body->shape, body->density);
  body->rotation = kind == cr_thrownHalfSpace ? crIdentityQuat() : crRandom_Rotation(random);
  if (isAligned && kind != cr_thrownHalfSpace) {
    body->rotation = chooseQuarterTurns(random);
  }
  return cr_ok;
}

static crPose findPose(const Body* body)
{
  crPose X = crMakePose(crMakeVec3(0.0, 0.0, 0.0), body->rotation);
  X.p = crSub(body->centre, crTransformPoint(X, body->inertia.com));
  return X;
}

// -------------------------------------------------------------------------------------------- throw

typedef struct Throw {
  Body bodies[2];
  double E;     // [N/m^2]
  double speed; // [m/s]
  double stop;  // [s]
} Throw;

// The signed distance when the second body's centre is at c and the first one's at the origin, or in front of the wall.
static double findDistance(Throw* aThrow, crVec3 c)
{
  crDistance distance;
  aThrow->bodies[0].centre = c;
  crPose X_WA = findPose(&aThrow->bodies[0]), X_WB = findPose(&aThrow->bodies[1]);
  crStatus status = crComputeDistance(aThrow->bodies[0].shape, &X_WA, aThrow->bodies[1].shape, &X_WB, NULL, &distance);
  return status == cr_ok ? distance.distance : NAN;
}

// How fast they may be: the tip of a body of this mass in a material of this stiffness goes E depth^3 / 3 = m v^2 / 2
// deep.
static double findTopSpeed(double E, double mass, double depth)
{
  return sqrt(E * depth * depth * depth / (1.5 * mass));
}

// Beside each other's centres, but so that they would meet if they did not turn. The first one flies along `way`.
static crVec3 chooseOffset(Throw* aThrow, crVec3 way, double reach, double smallest, crRandom* random)
{
  crVec3 u = crRandom_UnitVec3(random);
  crVec3 side = crSub(u, crScale(crDot(u, way), way));
  crVec3 offset = crScale(0.5 * reach, side);
  for (int i = 0; i < 20 && !(findDistance(aThrow, offset) < -0.1 * smallest); ++i) {
    offset = crScale(0.7, offset);
  }
  return offset;
}

// The axis of the world that is nearest to a direction.
static crVec3 chooseAxis(crVec3 way)
{
  crVec3 size = crAbsVec3(way);
  if (size.x >= size.y && size.x >= size.z) {
    return crMakeVec3(copysign(1.0, way.x), 0.0, 0.0);
  }
  return size.y >= size.z ? crMakeVec3(0.0, copysign(1.0, way.y), 0.0) : crMakeVec3(0.0, 0.0, copysign(1.0, way.z));
}

// Backwards along the way, until there is a gap.
static void moveApart(Throw* aThrow, crVec3 way, crVec3 offset, double far, double gap)
{
  double low = 0.0, high = far;
  for (int i = 0; i < 50; ++i) {
    double middle = 0.5 * (low + high);
    *(findDistance(aThrow, crSub(offset, crScale(middle, way))) < gap ? &low : &high) = middle;
  }
  findDistance(aThrow, crSub(offset, crScale(high, way)));
}

static double findReach(const Body* body)
{
  return crShape_IsBounded(body->shape) ? crShape_GetReach(body->shape) + crLength(body->inertia.com) : 0.0;
}

static double findSmallest(const Throw* aThrow)
{
  return fmin(crShape_GetSmallestDimension(aThrow->bodies[0].shape),
              crShape_GetSmallestDimension(aThrow->bodies[1].shape));
}

// Random numbers of a pair: those of the first twelve kinds stay what they are when kinds are added.
static uint64_t findStream(crThrownPair pair)
{
  bool isRound = pair.a > cr_thrownPlate || (pair.b > cr_thrownPlate && pair.b != cr_thrownHalfSpace);
  uint64_t b = pair.b == cr_thrownHalfSpace && !isRound ? cr_thrownPlate + 1 : pair.b;
  return isRound ? 1000 + 100 * (uint64_t)pair.a + b : 12 * (uint64_t)pair.a + b;
}

static crStatus makeThrow(Throw* aThrow, crThrownPair pair, uint64_t seed, double E)
{
  uint64_t stream = findStream(pair);
  crRandom random = crMakeRandom((stream << 40) + seed);
  memset(aThrow, 0, sizeof *aThrow);
  Body *a = &aThrow->bodies[0], *b = &aThrow->bodies[1];
  bool isAligned = seed % CR_ALIGNED_EVERY == 0;
  crStatus status = makeBody(a, pair.a, isAligned, &random);
  status = status == cr_ok ? makeBody(b, pair.b, isAligned, &random) : status;
  if (status != cr_ok) {
    return status;
  }
  bool hasWall = pair.b == cr_thrownHalfSpace;
  double randomE = crRandom_LogUniform(&random, 1e6, 1e11);
  aThrow->E = E > 0.0 ? E : randomE;
  double smallest = findSmallest(aThrow), reach = findReach(a) + findReach(b);
  double shareA = hasWall ? 1.0 : b->inertia.mass / (a->inertia.mass + b->inertia.mass);
  double top = findTopSpeed(aThrow->E, shareA * a->inertia.mass, CR_THROWN_DEPTH * smallest);
  double slower = crRandom_Uniform(&random, 0.5, 1.0);
  aThrow->speed = fmin(crRandom_LogUniform(&random, 0.1, 10.0), top * slower);
  // their way: any direction, at a wall at most 60 degrees from its normal
  crVec3 way = crRandom_UnitVec3(&random), offset = { 0.0, 0.0, 0.0 };
  if (hasWall) {
    double slope = crRandom_Uniform(&random, 0.5, 1.0), turn = crRandom_Uniform(&random, 0.0, 2.0 * CR_PI);
    double across = sqrt(1.0 - slope * slope);
    way = isAligned ? crMakeVec3(0.0, 0.0, -1.0) : crMakeVec3(across * cos(turn), across * sin(turn), -slope);
  } else {
    way = isAligned ? chooseAxis(way) : way;
    offset = chooseOffset(aThrow, way, 0.5 * reach, smallest, &random);
  }
  double gap = crRandom_Uniform(&random, 0.01, 0.1) * reach;
  moveApart(aThrow, way, offset, 4.0 * reach, gap);
  a->velocity = crScale(shareA * aThrow->speed, way);
  b->velocity = crScale(hasWall ? 0.0 : -(1.0 - shareA) * aThrow->speed, way);
  for (int i = 0; i < 2; ++i) {
    double rate = crRandom_Uniform(&random, 0.0, 1.5) * aThrow->speed / reach;
    aThrow->bodies[i].spin = crScale(isAligned || (hasWall && i == 1) ? 0.0 : rate, crRandom_UnitVec3(&random));
  }
  aThrow->stop = 4.0 * (gap + reach) / aThrow->speed;
  return cr_ok;
}

static void freeThrow(Throw* aThrow)
{
  crDestroyShape(aThrow->bodies[0].shape);
  crDestroyShape(aThrow->bodies[1].shape);
}

// -------------------------------------------------------------------------------------------- scene

static crStatus addBody(crScene* scene, const Body* body, const char* name, bool isWall)
{
  crFeatureDef feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape = body->def;
  feature.as.solid.mass = isWall ? 0.0 : body->inertia.mass;
  feature.as.solid.contact = "thrown";
  crObjectDef object = crDefaultObjectDef(name);
  object.features = &feature, object.featureCount = 1;
  object.mobility = isWall ? cr_mobilityWorld : cr_mobilityFree;
  if (!isWall) {
    crPose X = findPose(body);
    object.parent = "world";
    object.position = X.p;
    object.rotation = body->rotation;
    object.velocity = crAdd(body->velocity, crCross(body->spin, crSub(X.p, body->centre)));
    object.angularVelocity = body->spin;
  }
  return crScene_AddObject(scene, &object, NULL);
}

static crStatus addContact(crScene* scene, const Throw* aThrow, const crThrowOptions* options)
{
  crSolidMaterialDef material = crDefaultSolidMaterialDef("thrown");
  material.density = 1000.0, material.E = aThrow->E, material.nu = 0.3;
  crContactPairDef pair = crDefaultContactPairDef("thrown", "thrown");
  pair.cor = options->cor, pair.muK = options->muK;
  // slow throws are like fast ones; without losses restitution must not fade at grazing touches either
  pair.vMin = (options->cor < 1.0 ? 1e-2 : 1e-8) * aThrow->speed;
  crStatus status = crScene_AddSolidMaterial(scene, &material, NULL);
  return status == cr_ok ? crScene_AddContactPair(scene, &pair, NULL) : status;
}

static crStatus fillScene(crScene* scene, const Throw* aThrow, crThrownPair pair, const crThrowOptions* options)
{
  crSceneOptions sceneOptions = crDefaultSceneOptions();
  sceneOptions.gravity.kind = cr_gravityNone;
  sceneOptions.hysteresis = options->hysteresis;
  crStatus status = crScene_SetOptions(scene, &sceneOptions);
  status = status == cr_ok ? addContact(scene, aThrow, options) : status;
  bool hasWall = pair.b == cr_thrownHalfSpace;
  if (status == cr_ok && !hasWall) {
    crObjectDef world = crDefaultObjectDef("world");
    world.mobility = cr_mobilityWorld;
    status = crScene_AddObject(scene, &world, NULL);
  }
  status = status == cr_ok ? addBody(scene, &aThrow->bodies[1], hasWall ? "world" : "b", hasWall) : status;
  return status == cr_ok ? addBody(scene, &aThrow->bodies[0], "a", false) : status;
}

// ---------------------------------------------------------------------------------------------- run

typedef struct Watch {
  crThrowResult* result;
  clock_t start;
} Watch;

static crStatus watchContact(void* context, const crContactRecord* contact)
{
  crThrowResult* result = ((Watch*)context)->result;
  result->contactCount += contact->phase == cr_contactBegin;
  result->touchesAtEnd |= contact->phase == cr_contactLast;
  if (contact->phase == cr_contactBegin && contact->depth > result->beginDepth) {
    result->beginDepth = contact->depth;
  }
  if (contact->maxDepth > result->depth) {
    result->depth = contact->maxDepth;
  }
  return cr_ok;
}

static bool isTooLong(void* context, double t)
{
  (void)t;
  const Watch* watch = context;
  return (double)(clock() - watch->start) / CLOCKS_PER_SEC > CR_THROW_CPU_LIMIT;
}

static void keepMessage(void* context, const crError* error)
{
  crThrowResult* result = context;
  if (error->severity == cr_severityError) {
    crError_Format(error, result->message, sizeof result->message);
  }
}

static double sumEnergy(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

// Where energy comes from or goes to: a line for each of a number of times.
static crStatus traceEnergy(crSimulation* simulation, double stop, const crThrowOptions* options)
{
  double from = options->traceFrom, to = options->traceTo > 0.0 ? options->traceTo : stop;
  fprintf(options->trace, "%14s %14s %14s %14s %14s %12s\n", "time [s]", "kinetic [J]", "elastic [J]", "dissipated",
          "unexplained", "depths [m]");
  for (int i = 0; i <= options->tracePoints; ++i) {
    crStatus status = crSimulation_Advance(simulation, from + (to - from) * i / options->tracePoints);
    if (status != cr_ok) {
      return status;
    }
    crSimulationSummary s = crSimulation_GetSummary(simulation);
    const crContacts* contacts = crSimulation_GetSet(simulation).contacts;
    fprintf(options->trace, "%14.9f %14.7e %14.7e %14.7e %14.5e", s.time, s.endEnergy.kinetic, s.endEnergy.elastic,
            s.dissipated, sumEnergy(s.endEnergy) - sumEnergy(s.startEnergy) + s.dissipated);
    for (int k = 0; k < crContacts_Count(contacts); ++k) {
      fprintf(options->trace, " %12.4e", crContacts_Get(contacts, k).depth);
    }
    fprintf(options->trace, "\n");
  }
  return cr_ok;
}

static crStatus runScene(crScene* scene, double stop, const crThrowOptions* options, const crErrorSink* sink,
                         crThrowResult* result)
{
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  crSimulationOptions simulationOptions = crDefaultSimulationOptions();
  simulationOptions.stopTime = simulationOptions.interval = stop;
  simulationOptions.tolerance = options->tolerance;
  simulationOptions.eventRows = cr_eventRowsOff;
  crStatus status = crCompile(scene, NULL, NULL, sink, &model);
  status = status == cr_ok ? crCreateSimulation(model, &simulationOptions, NULL, sink, &simulation) : status;
  if (status == cr_ok) {
    Watch watch = { result, clock() };
    crObserver observer = { .context = &watch, .shouldStop = isTooLong, .atContact = watchContact };
    crRunEnd end = cr_runFailed;
    status = options->trace != NULL ? traceEnergy(simulation, stop, options) : cr_ok;
    status = status == cr_ok ? crSimulation_Run(simulation, &observer, &end) : status;
    status = status == cr_ok && end == cr_runStopped ? cr_cancelled : status;
    crSimulationSummary summary = crSimulation_GetSummary(simulation);
    result->energy = sumEnergy(summary.startEnergy);
    result->change = sumEnergy(summary.endEnergy) - result->energy;
    result->dissipated = summary.dissipated;
    result->steps = summary.solverStatistics.steps;
    result->evaluations = summary.solverStatistics.evaluations;
    result->cpuSeconds = summary.cpuSeconds;
  }
  crDestroySimulation(simulation);
  crDestroyModel(model);
  return status;
}

crThrowResult crRunThrow(crThrownPair pair, uint64_t seed, const crThrowOptions* options)
{
  crThrowResult result = { .isDone = true };
  crErrorSink sink = { .report = keepMessage, .context = &result };
  Throw aThrow;
  crScene* scene = NULL;
  result.status = makeThrow(&aThrow, pair, seed, options->E);
  if (result.status == cr_ok) {
    result.E = aThrow.E;
    result.speed = aThrow.speed;
    result.smallest = findSmallest(&aThrow);
    result.status = crCreateScene(NULL, &sink, &scene);
  }
  result.status = result.status == cr_ok ? fillScene(scene, &aThrow, pair, options) : result.status;
  result.status = result.status == cr_ok ? runScene(scene, aThrow.stop, options, &sink, &result) : result.status;
  crDestroyScene(scene);
  freeThrow(&aThrow);
  return result;
}

double crThrowResult_Error(const crThrowResult* result, const crThrowOptions* options)
{
  bool isLossless = options->cor >= 1.0 && options->muK <= 0.0;
  double change = isLossless ? result->change : result->change + result->dissipated;
  double scale = isLossless ? result->energy : fmax(result->dissipated, CR_LEAST_SHARE * result->energy);
  return fabs(change) / scale;
}
