#include "support/piece_throw.h"

#include "support/random.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_SIZE 4000
#define LEAST_E 3e9  // [N/m^2] softer ones would be deeper than touches at a point are meant for
#define OPEN_END 0.7 // [m] half the length of rooms that are open there, and a little less
#define AWAY 0.32    // [m] from the middle of what is thrown at from outside

// Of 0.2 m or so. Bodies start in the middle of rooms, and at AWAY from all else.
static const struct {
  const char *name, *shape;
  bool isRoom;
  double most, mostAlong; // [m] from the axis of a room, and along it, farther than which nothing comes; 0: it is open
} targets[CR_PIECE_TARGETS] = {
  { "torus",
    "revolved{ pieceError = 1e-3, profile = { { 0.14, 0, through = { 0.1, -0.04 } }, { 0.06, 0, through = { 0.1, 0.04 "
    "} } } }",
    false, 0.0, 0.0 },
  { "grooved ring",
    "revolved{ pieceError = 1e-3, profile = { { 0.06, -0.03 }, { 0.1, -0.03 }, { 0.1, -0.015 },\n"
    "  { 0.1, 0.015, arc = -0.017 }, { 0.1, 0.03 }, { 0.06, 0.03 } } }",
    false, 0.0, 0.0 },
  { "cup",
    "revolved{ pieceError = 1e-3, profile = { { 0, -0.1 }, { 0.1, 0, arc = 0.1 }, { 0.08, 0, arc = 0.01 },\n"
    "  { 0, -0.08, arc = -0.08 } } }",
    false, 0.0, 0.0 },
  { "pulley",
    "revolved{ pieceError = 1e-3, profile = { { 0, -0.03 }, { 0.1, -0.03 }, { 0.1, -0.02 }, { 0.06, 0 }, { 0.1, 0.02 "
    "},\n"
    "  { 0.1, 0.03 }, { 0, 0.03 } } }",
    false, 0.0, 0.0 },
  { "bracket",
    "extruded{ pieceError = 1e-3, length = 0.15, profile = { { -0.08, -0.08 }, { 0.08, -0.08 }, { 0.08, -0.05 },\n"
    "  { -0.03, -0.05 }, { -0.05, -0.03, arc = -0.02 }, { -0.05, 0.08 }, { -0.08, 0.08 } } }",
    false, 0.0, 0.0 },
  { "gear", "involuteGear{ pieceError = 1e-4, teeth = 12, module = 0.012, length = 0.15, tipRelief = 1e-4 }", false,
    0.0, 0.0 },
  { "cam",
    "extruded{ pieceError = 1e-3, length = 0.15, error = 1e-6, profile = { { 0.1, 0, spline = true },\n"
    "  { 0, 0.06, spline = true }, { -0.06, 0, spline = true }, { 0, -0.06, spline = true } } }",
    false, 0.0, 0.0 },
  { "notched disc",
    "extruded{ pieceError = 1e-3, length = 0.15, profile = { { 0.08, -0.02, through = { -0.08, 0 } }, { 0.04, -0.02 "
    "},\n"
    "  { 0.04, 0.02, arc = -0.02 }, { 0.08, 0.02 } } }",
    false, 0.0, 0.0 },
  { "hollow sphere", "sphere{ radius = 0.12, hollow = true, pieceError = 1e-3 }", true, 0.12, 0.12 },
  { "hollow cylinder", "cylinder{ radius = 0.12, length = 0.22, hollow = true, pieceError = 1e-3 }", true, 0.12, 0.11 },
  { "hollow cone", "cone{ radius = 0.2, topRadius = 0.05, length = 0.3, hollow = true, pieceError = 1e-3 }", true, 0.2,
    0.3 },
  { "hollow box", "box{ size = { 0.2, 0.22, 0.24 }, hollow = true }", true, 0.15, 0.12 },
  { "revolved room",
    "revolved{ pieceError = 1e-3, inside = true, profile = { { 0, -0.12 }, { 0.08, -0.12 }, { 0.12, -0.08, arc = 0.04 "
    "},\n"
    "  { 0.12, 0.03 }, { 0.1, 0.12, arc = -0.3 }, { 0, 0.12 } } }",
    true, 0.12, 0.12 },
  { "extruded room",
    "extruded{ pieceError = 1e-3, inside = true, length = 1.5, profile = { { -0.12, -0.1 }, { 0.12, -0.1 },\n"
    "  { 0.12, 0.02 }, { 0.06, 0.1, arc = 0.12 }, { -0.03, 0.1 }, { -0.05, 0.08 }, { -0.07, 0.1 }, { -0.12, 0.1 } } }",
    true, 0.17, HUGE_VAL },
  { "open bowl",
    "revolved{ pieceError = 1e-3, open = true, inside = true, profile = { { 0, -0.1 }, { 0.1, 0, arc = 0.1 },\n"
    "  { 0.1, 0.1 } } }",
    true, 0.0, 0.0 },
  { "open channel",
    "extruded{ pieceError = 1e-3, open = true, length = 1.5, profile = { { -0.2, 0.05 }, { -0.1, -0.1 }, { 0.1, -0.1 "
    "},\n"
    "  { 0.15, 0.05, arc = 0.3 } }, inside = true }",
    true, 0.0, 0.0 },
  { "T", "mesh{ file = 'tee.stl', scale = 0.003, pieces = 'decompose' }", false, 0.0, 0.0 },
  { "slotted block", "mesh{ file = 'slotted_block.stl', scale = 0.002, pieces = 'decompose' }", false, 0.0, 0.0 },
  { "bore of splines",
    "extruded{ pieceError = 1e-3, error = 1e-5, inside = true, length = 1.5, profile = { { 0.1, -0.1, through = { "
    "0.12, 0 } },\n"
    "  { -0.1, -0.1 }, { -0.1, 0.1, spline = true }, { 0, 0.12, spline = true }, { 0.1, 0.1, spline = true } } }",
    true, 0.16, HUGE_VAL },
  { "plate with a hole",
    "extruded{ pieceError = 1e-3, inside = true, length = 0.05, profile = { { -0.05, 0, through = { 0, -0.05 } },\n"
    "  { 0.05, 0, through = { 0, 0.05 } } } }",
    false, 0.0, 0.0 },
  { "ground",
    "heightField{ width = 0.8, length = 0.8, depth = 0.1, heights = { { 0, 0.02, 0, -0.02, 0 }, { 0, 0, 0.03, 0, 0 },\n"
    "  { 0.02, 0, 0, 0, 0.02 }, { 0, 0, -0.02, 0, 0 }, { 0, 0.01, 0, 0.01, 0 } } }",
    false, 0.0, 0.0 },
};

static const struct {
  const char *name, *format;
} bodies[CR_ROOM_BODIES] = {
  { "ball", "sphere{ radius = %.17g }" },
  { "box", "box{ size = { 1.6 * %.17g, 0.05, 0.03 } }" },
  { "hull",
    "hull{ points = { { 0, 0, %.17g }, { 0.03, 0, -0.01 }, { -0.02, 0.03, -0.01 }, { -0.02, -0.02, -0.02 } } }" },
  { "cylinder", "cylinder{ radius = %.17g, length = 0.05 }" },
  { "capsule", "capsule{ radius = %.17g, length = 0.04 }" },
  { "ellipsoid", "ellipsoid{ radii = { 1.2 * %.17g, 0.025, 0.02 } }" },
  { "cone", "cone{ radius = %.17g, length = 0.05 }" },
  { "angle",
    "extruded{ pieceError = 1e-3, length = 0.04, profile = { { 0, 0 }, { 1.5 * %.17g, 0 }, { 0.02, 0.01 }, { 0.01, "
    "0.01 }, { 0.01, 0.03 }, { 0, 0.03 } } }" },
  { "needle", "ellipsoid{ radii = { 2.4 * %.17g, 0.008, 0.01 } }" },
  { "lens", "ellipsoid{ radii = { 2 * %.17g, 0.045, 0.008 } }" },
  { "round lens", "ellipsoid{ radii = { 0.045, %.17g / 3, 0.045 } }" },
  { "egg", "ellipsoid{ radii = { 0.085, 0.075, 0.03 + %.17g } }" },
};

const char* crPieceTarget_GetText(int target)
{
  return targets[target].name;
}

bool crPieceTarget_IsHollow(int target)
{
  return strncmp(targets[target].name, "hollow ", 7) == 0;
}

bool crPieceBody_IsEllipsoid(int body)
{
  return strncmp(bodies[body].format, "ellipsoid", 9) == 0;
}

const char* crPieceBody_GetText(int body)
{
  return bodies[body].name;
}

// Bodies come from above alone, and what has no end does not move.
static bool isGround(int target)
{
  return strncmp(targets[target].shape, "heightField", 11) == 0 || strstr(targets[target].name, "hole") != NULL;
}

static void writeTarget(int target, crRandom* random, uint64_t seed, char* out, size_t size)
{
  crVec3 w = crRandom_UnitVec3(random);
  double spin = crRandom_Uniform(random, 0.0, 5.0);
  bool isFree = seed % 2 == 0 && !isGround(target);
  snprintf(out, size, "object('body', { parent = 'w',%s solid{ contact = 'Hard', shape = %s }%s })\n",
           isFree ? " free = true," : "", targets[target].shape,
           isFree ? ", mass{ mass = 3, inertia = { 0.02, 0.025, 0.03 } }" : "");
  if (isFree) {
    char* at = strstr(out, " free = true,");
    char rest[TEXT_SIZE];
    snprintf(rest, sizeof rest, " free = true, angularVelocity = { %.17g, %.17g, %.17g },%s", spin * w.x, spin * w.y,
             spin * w.z, at + strlen(" free = true,"));
    snprintf(at, size - (size_t)(at - out), "%s", rest);
  }
}

static bool isTold(const crErrorLog* log)
{
  for (int i = 0; i < crErrorLog_Count(log); ++i) {
    char text[1000];
    crError_Format(crErrorLog_Get(log, i), text, sizeof text);
    if (strstr(text, "energy is unexplained") != NULL || strstr(text, "gave energy instead of taking it") != NULL) {
      return true;
    }
  }
  return false;
}

crPieceThrow crThrowAtPieces(int target, int body, uint64_t seed, double tolerance)
{
  crRandom random = crMakeRandom(100000 * seed + 100 * (uint64_t)target + (uint64_t)body);
  char ofTarget[TEXT_SIZE], shape[400], text[2 * TEXT_SIZE];
  writeTarget(target, &random, seed, ofTarget, sizeof ofTarget);
  double size = crRandom_Uniform(&random, 0.015, 0.03), speed = crRandom_Uniform(&random, 0.5, 5.0);
  snprintf(shape, sizeof shape, bodies[body].format, size);
  bool isRoom = targets[target].isRoom;
  crVec3 away = crRandom_UnitVec3(&random),
         aim = crScale(crRandom_Uniform(&random, 0.0, 0.09), crRandom_UnitVec3(&random));
  crVec3 from = crScale(isRoom ? 0.01 : AWAY, away), v = crSub(aim, from);
  if (isGround(target)) {
    from.z = AWAY;
    v = crSub(crMakeVec3(aim.x, aim.y, 0.0), from);
  }
  from.z += strstr(targets[target].shape, "cone{") != NULL ? 0.12 : 0.0;
  v = isRoom ? crRandom_UnitVec3(&random) : crNormalize(v);
  crVec3 w = crScale(crRandom_Uniform(&random, 0.0, 20.0), crRandom_UnitVec3(&random));
  crQuat q = crRandom_Rotation(&random);
  snprintf(text, sizeof text,
           "scene{ gravity = 'none' }\nsolidMaterial('Hard', { density = 1000, E = %.17g, nu = 0.3 })\n"
           "contactPair('Hard', 'Hard', { cor = 1, muK = 0, muR = 0, vMin = 1e-4 })\nworld('w', {})\n%s"
           "object('thrown', { parent = 'w', free = true, position = { %.17g, %.17g, %.17g },\n"
           "  rotation = { %.17g, %.17g, %.17g, %.17g }, velocity = { %.17g, %.17g, %.17g },\n"
           "  angularVelocity = { %.17g, %.17g, %.17g }, solid{ shape = %s, mass = 0.2, contact = 'Hard' } })\n",
           crRandom_LogUniform(&random, LEAST_E, 1e11), ofTarget, from.x, from.y, from.z, q.w, q.x, q.y, q.z,
           speed * v.x, speed * v.y, speed * v.z, w.x, w.y, w.z, shape);
  double stop = isRoom ? 0.2 : 0.5 / speed;
  crTestRun run = crOpenTestRun(
      &(crTestPlan){ .text = text, .folder = CAROM_ROOT "/examples", .stop = stop, .tolerance = tolerance });
  double energy = crTestRun_Energy(&run);
  crPieceThrow result = { .status = crSimulation_Advance(run.simulation, stop) };
  crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
  result.contactCount = (int)summary.contactCount;
  result.evaluationCount = summary.solverStatistics.evaluations;
  result.energy = crTestRun_Energy(&run) / energy - 1.0;
  crPose X_WT = crTestRun_Pose(&run, "thrown"), X_WB = crTestRun_Pose(&run, "body");
  crVec3 p = crMulTV(X_WB.R, crSub(X_WT.p, X_WB.p));
  double most = targets[target].most, along = targets[target].mostAlong, aside = sqrt(p.x * p.x + p.y * p.y);
  bool isBeside = aside > most && (isfinite(along) || fabs(p.z) < OPEN_END);
  result.hasEscaped = most > 0.0 && (isBeside || fabs(p.z) > along);
  result.isTold = isTold(run.log);
  crCloseTestRun(&run);
  return result;
}
