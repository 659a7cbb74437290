// Times of crComputeAreaForce: the least of many repetitions, the mean over the poses of a row. Poses are those of
// bodies at rest, or random ones, 1e-6 to 1e-4 m inside each other (bodies of 0.1 to 0.5 m). Next to it the time of a
// distance query, which is what pairs that are apart may cost, and the error: the largest difference of the force from
// differences of the energy, over the force.
#include "patch_times.h"

#include "carom/collide.h"
#include "contact/area_law.h"
#include "record.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RANDOM_POSES 32
#define BATCH 40   // calls whose time is taken at once
#define BATCHES 12 // of each pose: the fastest counts
#define PRESS_ROUNDS 20
#define STEP 1e-3      // [-] of the depth: differences of the energy
#define DEPTH 1e-5     // [m] of bodies at rest
#define APART 1e-3     // [m] between shapes that do not touch
#define HULL_POINTS 32 // on a ball: 60 faces
#define MODULUS 1e9    // [N/m^2]

typedef enum Body { box, table, hull, cylinder, cone, frustum, beam, capsule, ground, bodyCount } Body;

static crShape* shapes[bodyCount];

// How the first body is placed on the second, whose upper face is at z = 0.05.
typedef struct Row {
  const char* name;
  Body a, b;
  bool isRandom, isApart;
  double angle; // [rad] about an axis near x, then
  double turn;  // [rad] about z
  double limit; // [us] 0: as long as a distance query
} Row;

static const Row rows[] = {
  { "box-box, corner", box, table, false, false, 0.8, 0.5, 1.0 },
  { "box-box, edge", box, table, false, false, 0.7, 0.0, 1.0 },
  { "box-box, face", box, table, false, false, 0.0, 0.4, 1.0 },
  { "box-box", box, box, true, false, 0.0, 0.0, 1.0 },
  { "hull-hull, 60 faces", hull, hull, true, false, 0.0, 0.0, 3.0 },
  { "cylinder-box, lying", cylinder, table, false, false, 0.5 * CR_PI, 0.3, 2.0 },
  { "cylinder-box, standing", cylinder, table, false, false, 0.0, 0.3, 2.0 },
  { "cylinder-box, rim", cylinder, table, false, false, 0.5, 0.3, 2.0 },
  { "cylinder-box", cylinder, box, true, false, 0.0, 0.0, 2.0 },
  { "cone-box, standing", cone, table, false, false, 0.0, 0.3, 2.0 },
  { "cone-box", cone, box, true, false, 0.0, 0.0, 10.0 },
  { "frustum-box", frustum, box, true, false, 0.0, 0.0, 10.0 },
  { "beam-box, face", beam, table, false, false, 0.0, 0.4, 10.0 },
  { "beam-box", beam, box, true, false, 0.0, 0.0, 10.0 },
  { "cylinder-cylinder", cylinder, cylinder, true, false, 0.0, 0.0, 15.0 },
  { "cylinder-cone", cylinder, cone, true, false, 0.0, 0.0, 15.0 },
  { "frustum-beam", frustum, beam, true, false, 0.0, 0.0, 15.0 },
  { "cone-cone", cone, cone, true, false, 0.0, 0.0, 15.0 },
  { "box-ground, corner", box, ground, false, false, 0.8, 0.5, 1.0 },
  { "box-ground, face", box, ground, false, false, 0.0, 0.4, 1.0 },
  { "capsule-box, lying", capsule, table, false, false, 0.5 * CR_PI, 0.3, 1.0 },
  { "capsule-box", capsule, box, true, false, 0.0, 0.0, 1.0 },
  { "box-box, apart", box, box, true, true, 0.0, 0.0, 0.0 },
  { "hull-hull, apart", hull, hull, true, true, 0.0, 0.0, 0.0 },
  { "cylinder-box, apart", cylinder, box, true, true, 0.0, 0.0, 0.0 },
};

typedef struct Pose {
  const crShape *a, *b;
  crPose X_WA, X_WB;
} Pose;

// --------------------------------------------------------------------------------------------------- poses

static void makeShapes(crRandom* random)
{
  crVec3 points[HULL_POINTS];
  crShapeDef defs[bodyCount];
  for (int i = 0; i < HULL_POINTS; i++) {
    points[i] = crScale(0.1, crRandom_UnitVec3(random));
  }
  static const crShapeKind kinds[bodyCount] = { cr_shapeBox,      cr_shapeBox,     cr_shapeHull,
                                                cr_shapeCylinder, cr_shapeCone,    cr_shapeCone,
                                                cr_shapeBeam,     cr_shapeCapsule, cr_shapeHalfSpace };
  for (int i = 0; i < bodyCount; i++) {
    defs[i] = crDefaultShapeDef(kinds[i]);
  }
  defs[box].as.box.size = crMakeVec3(0.1, 0.08, 0.06);
  defs[table].as.box.size = crMakeVec3(0.5, 0.4, 0.1);
  defs[hull].as.hull.points = points;
  defs[hull].as.hull.pointCount = HULL_POINTS;
  defs[cylinder].as.cylinder.radius = defs[cone].as.cone.radius = defs[frustum].as.cone.radius = 0.05;
  defs[cylinder].as.cylinder.length = defs[cone].as.cone.length = defs[frustum].as.cone.length = 0.12;
  defs[cone].as.cone.topRadius = 0.0;
  defs[frustum].as.cone.topRadius = 0.02;
  defs[capsule].as.capsule.radius = 0.03;
  defs[capsule].as.capsule.length = 0.1;
  defs[beam].as.beam.length = 0.14;
  defs[beam].as.beam.width = 0.06;
  defs[beam].as.beam.height = 0.04;
  for (int i = 0; i < bodyCount; i++) {
    if (crCreateShape(&defs[i], NULL, NULL, &shapes[i]) != cr_ok) {
      exit(2);
    }
  }
}

// Moves A along the normal of the signed distance until both are so deep inside each other.
static void press(Pose* pose, double depth)
{
  for (int i = 0; i < PRESS_ROUNDS; i++) {
    crDistance d;
    crComputeDistance(pose->a, &pose->X_WA, pose->b, &pose->X_WB, NULL, &d);
    pose->X_WA.p = crMulAdd(pose->X_WA.p, d.distance + depth, d.normal);
  }
}

static Pose makePose(const Row* row, crRandom* random)
{
  Pose pose = { shapes[row->a], shapes[row->b], crIdentityPose(), crIdentityPose() };
  if (!row->isRandom) {
    crVec3 tilted = crMakeVec3(cos(0.5 * row->turn), sin(0.5 * row->turn), 0.0), up = crMakeVec3(0.0, 0.0, 1.0);
    pose.X_WA.R =
        crMulMM(crQuatToMat3(crAxisAngleToQuat(up, row->turn)), crQuatToMat3(crAxisAngleToQuat(tilted, row->angle)));
    pose.X_WA.p = crMakeVec3(0.01, 0.02, 0.3);
    press(&pose, DEPTH);
    return pose;
  }
  pose.X_WA.R = crQuatToMat3(crRandom_Rotation(random));
  pose.X_WB.R = crQuatToMat3(crRandom_Rotation(random));
  double reach = crShape_GetReach(pose.a) + crShape_GetReach(pose.b); // from inside: far off, corners meet corners
  pose.X_WA.p = crScale(0.5 * reach, crRandom_UnitVec3(random));
  press(&pose, row->isApart ? -APART : crRandom_LogUniform(random, 1e-6, 1e-4));
  return pose;
}

// --------------------------------------------------------------------------------------------------- times

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static crAreaForce push(const Pose* pose, crVec3 moved)
{
  static crPatch patch;
  crAreaForce force;
  crPose X_WA = crPlaceCanonical(pose->a, &pose->X_WA), X_WB = crPlaceCanonical(pose->b, &pose->X_WB);
  X_WA.p = crAdd(X_WA.p, moved);
  crComputeAreaForce((crAreaModulus){ MODULUS, 0.0 }, pose->a, &X_WA, pose->b, &X_WB, &patch, &force);
  force.force = crMulMV(patch.isExchanged ? X_WB.R : X_WA.R, crScale(patch.isExchanged ? -1.0 : 1.0, force.force));
  return force;
}

// [s] the least of several batches
static double timePose(const Pose* pose, bool isDistance)
{
  double least = HUGE_VAL;
  for (int i = 0; i < BATCHES; i++) {
    double start = now();
    for (int k = 0; k < BATCH; k++) {
      crDistance d;
      if (isDistance) {
        crComputeDistance(pose->a, &pose->X_WA, pose->b, &pose->X_WB, NULL, &d);
      } else {
        push(pose, crMakeVec3(0.0, 0.0, 0.0));
      }
    }
    least = fmin(least, (now() - start) / BATCH);
  }
  return least;
}

// [-] the largest difference of the force from differences of the energy
static double findError(const Pose* pose)
{
  crDistance d;
  crComputeDistance(pose->a, &pose->X_WA, pose->b, &pose->X_WB, NULL, &d);
  crAreaForce force = push(pose, crMakeVec3(0.0, 0.0, 0.0));
  double size = crLength(force.force), h = -STEP * d.distance, worst = 0.0;
  for (int i = 0; i < 3 && size > 0.0; i++) {
    crVec3 e = crMakeVec3(i == 0, i == 1, i == 2);
    double wide = (push(pose, crScale(h, e)).elastic - push(pose, crScale(-h, e)).elastic) / (2.0 * h);
    double near = (push(pose, crScale(0.5 * h, e)).elastic - push(pose, crScale(-0.5 * h, e)).elastic) / h;
    worst = fmax(worst, fabs(crDot(force.force, e) + (4.0 * near - wide) / 3.0) / size);
  }
  return worst;
}

static bool printRow(const Row* row, crRandom* random)
{
  int count = row->isRandom ? RANDOM_POSES : 1;
  double mean = 0.0, worst = 0.0, distance = 0.0, error = 0.0;
  for (int i = 0; i < count; i++) {
    Pose pose = makePose(row, random);
    double time = 1e6 * timePose(&pose, false);
    mean += time / count;
    worst = fmax(worst, time);
    distance += 1e6 * timePose(&pose, true) / count;
    error = fmax(error, findError(&pose));
  }
  double limit = row->limit > 0.0 ? row->limit : distance;
  bool isMet = mean <= limit;
  printf("| %-22s | %8.2f | %8.2f | %8.2f | %8.2f | %9.1e | %-6s |\n", row->name, mean, worst, limit, distance, error,
         isMet ? "met" : "MISSED");
  char key[96];
  snprintf(key, sizeof key, "patch.%s", row->name);
  for (char* c = key; *c != '\0'; c++) {
    *c = *c == ' ' || *c == ',' ? '_' : *c;
  }
  recordNumber(key, mean);
  return isMet;
}

bool printPatchTimes(void)
{
  crRandom random = crMakeRandom(3);
  bool areMet = true;
  makeShapes(&random);
  printf("| %-22s | %8s | %8s | %8s | %8s | %9s | %-6s |\n", "one patch", "us", "worst", "target", "distance", "error",
         "");
  printf("|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    areMet = printRow(&rows[i], &random) && areMet;
  }
  for (int i = 0; i < bodyCount; i++) {
    crDestroyShape(shapes[i]);
  }
  return areMet;
}
