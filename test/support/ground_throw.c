#include "support/ground_throw.h"

#include "geometry/ground.h"
#include "geometry/shape.h"
#include "support/random.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_SIZE 4000
#define HALF 1.5 // [m] half of the edge of a field
#define MASS 5.0 // [kg]
#define FALL 2.0 // [m] by which bodies fall, or so
#define LOOKS 50 // at where the body is

static const char* const names[cr_groundCount] = { "wheel", "coin", "cylinder", "border", "ball", "box", "capsule" };

const char* crGroundKind_GetText(crGroundKind kind)
{
  return names[kind];
}

// Waves with random phases, steep and bent so little that all that is thrown fits.
static void writeGround(crRandom* random, char* out, size_t size)
{
  int columns = 5 + (int)(crRandom_Uniform(random, 0.0, 1.0) * 26.0);
  int rows = 5 + (int)(crRandom_Uniform(random, 0.0, 1.0) * 26.0);
  double wave = crRandom_Uniform(random, 0.9, 2.5), bend = crRandom_Uniform(random, 0.0, 0.5);
  double height = crRandom_Uniform(random, 0.0, 1.0) < 0.1 ? 0.0 : bend / (wave * wave);
  double phaseX = crRandom_Uniform(random, -3.0, 3.0), phaseY = crRandom_Uniform(random, -3.0, 3.0);
  double slopeX = crRandom_Uniform(random, -0.3, 0.3), slopeY = crRandom_Uniform(random, -0.3, 0.3);
  snprintf(
      out, size,
      "local rows = {}\nfor j = 0, %d do local row = {}\nfor i = 0, %d do\n"
      "local x, y = 3 * i / %d - 1.5, 3 * j / %d - 1.5\n"
      "row[i + 1] = %.17g * (math.sin(%.17g * x + %.17g) * math.cos(%.17g * y + %.17g)) + %.17g * x + %.17g * y end\n"
      "rows[j + 1] = row end\n",
      rows - 1, columns - 1, columns - 1, rows - 1, height, wave, phaseX, wave, phaseY, slopeX, slopeY);
}

// Returns how far it reaches from its middle, or more [m].
static double writeShape(crGroundKind kind, crRandom* random, char* out, size_t size)
{
  double a = crRandom_LogUniform(random, 0.05, 0.2), b = crRandom_LogUniform(random, 0.04, 0.25);
  double c = crRandom_LogUniform(random, 0.05, 0.2);
  if (kind == cr_groundBall) {
    snprintf(out, size, "sphere{ radius = %.17g }", a);
  } else if (kind == cr_groundBox) {
    snprintf(out, size, "box{ size = { %.17g, %.17g, %.17g } }", a, b, c);
  } else {
    snprintf(out, size, "%s{ radius = %.17g, length = %.17g }", kind == cr_groundCapsule ? "capsule" : "cylinder", a,
             b);
  }
  return a + b + c;
}

// The axis of a wheel is level, that of a coin upright: exactly so in every other throw.
static crQuat turnBody(crGroundKind kind, crRandom* random)
{
  crQuat any = crRandom_Rotation(random);
  crVec3 axis = crRandom_UnitVec3(random);
  double angle = crRandom_Uniform(random, 0.0, 1.0) < 0.5 ? 0.0 : crRandom_LogUniform(random, 1e-6, 0.3);
  crQuat lean = crAxisAngleToQuat(axis, angle);
  crQuat level = crAxisAngleToQuat(crMakeVec3(1.0, 0.0, 0.0), 0.5 * CR_PI);
  return kind == cr_groundWheel ? crMulQuat(lean, level) : kind == cr_groundCoin ? lean : any;
}

static const crGround* findGround(const crModel* model)
{
  const crShape* shape = NULL;
  for (int i = 0; (shape = crModel_GetShape(model, i)) != NULL && shape->ground == NULL;) {
    ++i;
  }
  return shape != NULL ? shape->ground : NULL;
}

static bool isIn(const crGround* ground, crVec3 p)
{
  return ground != NULL && fabs(p.x) < HALF && fabs(p.y) < HALF && p.z > ground->base &&
         p.z < crGround_At(ground, p.x, p.y).h;
}

static bool standsOut(crVec3 p, double reach)
{
  return fabs(p.x) + reach > HALF || fabs(p.y) + reach > HALF;
}

crGroundThrow crThrowAtGround(crGroundKind kind, uint64_t seed, double tolerance, bool isLossy)
{
  crRandom random = crMakeRandom(1000 * seed + (uint64_t)kind);
  char ground[1000], shape[200], text[TEXT_SIZE];
  writeGround(&random, ground, sizeof ground);
  double reach = writeShape(kind, &random, shape, sizeof shape);
  double most = kind == cr_groundBorder ? HALF + 0.1 : 0.5, stiffness = crRandom_LogUniform(&random, 1e8, 1e11);
  double x = crRandom_Uniform(&random, -most, most), y = crRandom_Uniform(&random, -most, most);
  if (kind == cr_groundBorder) {
    x = crRandom_Uniform(&random, 0.0, 1.0) < 0.5 ? -HALF + crRandom_Uniform(&random, -0.15, 0.15) : x;
  }
  double speed = crRandom_Uniform(&random, 0.1, 2.0), spin = crRandom_Uniform(&random, 0.0, 5.0);
  crVec3 v = crScale(speed, crRandom_UnitVec3(&random)), w = crScale(spin, crRandom_UnitVec3(&random));
  crQuat q = turnBody(kind, &random);
  snprintf(text, sizeof text,
           "solidMaterial('Hard', { density = 1000, E = %.17g, nu = 0.3 })\n"
           "contactPair('Hard', 'Hard', { %s })\nworld('w', {})\n%s"
           "object('ground', { parent = 'w', solid{ shape = heightField{ heights = rows, width = 3, length = 3, depth "
           "= 1 },\n"
           "  contact = 'Hard' } })\n"
           "object('body', { parent = 'w', free = true, position = { %.17g, %.17g, %.17g }, rotation = { %.17g, %.17g, "
           "%.17g, %.17g },\n"
           "  velocity = { %.17g, %.17g, %.17g }, angularVelocity = { %.17g, %.17g, %.17g },\n"
           "  solid{ shape = %s, material = 'Hard', mass = %.17g, contact = 'Hard' } })\n",
           stiffness, isLossy ? "cor = 0.5, muK = 0.3, muR = 0" : "cor = 1, muK = 0, muR = 0", ground, x, y,
           1.8 + reach, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z, shape, MASS);
  crTestRun run = crOpenTestText(text, 1.0, tolerance, cr_solverDefault);
  double energy = crTestRun_Energy(&run), fallen = MASS * 9.81 * FALL;
  crGroundThrow result = { .status = 0 };
  for (int i = 1; i <= LOOKS && result.status == 0; ++i) {
    result.status = crSimulation_Advance(run.simulation, (double)i / LOOKS);
    result.isInside = result.isInside || isIn(findGround(run.model), crTestRun_Pose(&run, "body").p);
    double off = isLossy ? crTestRun_Unexplained(&run) : crTestRun_Energy(&run) - energy;
    result.energy = fmax(result.energy, fabs(off) / fallen);
  }
  bool isTold = crErrorLog_Count(run.log) > 0 && strstr(crErrorLog_Get(run.log, 0)->message, "at its border") != NULL;
  result.isAtBorder = result.status != 0 && isTold && standsOut(crTestRun_Pose(&run, "body").p, reach);
  crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
  result.contactCount = (int)summary.contactCount;
  result.evaluationCount = summary.solverStatistics.evaluations;
  crCloseTestRun(&run);
  return result;
}
