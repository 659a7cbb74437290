#include "support/surface_throw.h"

#include "support/lua.h"
#include "support/random.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

#define TEXT_SIZE 4000

// Bodies of 0.2 m or so.
static const struct {
  const char *name, *shape;
} kinds[CR_SURFACE_KINDS] = {
  { "torus", "revolved{ profile = { { 0.14, 0, through = { 0.1, -0.04 } }, { 0.06, 0, through = { 0.1, 0.04 } } } }" },
  { "grooved ring",
    "revolved{ profile = { { 0.06, -0.03 }, { 0.1, -0.03 }, { 0.1, -0.015 }, { 0.1, 0.015, arc = -0.017 },\n"
    "  { 0.1, 0.03 }, { 0.06, 0.03 } } }" },
  { "cup", "revolved{ profile = { { 0, -0.1 }, { 0.1, 0, arc = 0.1 }, { 0.08, 0, arc = 0.01 }, { 0, -0.08, arc = -0.08 "
           "} } }" },
  { "pulley",
    "revolved{ profile = { { 0, -0.03 }, { 0.1, -0.03 }, { 0.1, -0.02 }, { 0.06, 0 }, { 0.1, 0.02 }, { 0.1, 0.03 },\n"
    "  { 0, 0.03 } } }" },
  { "bracket",
    "extruded{ length = 0.4, profile = { { -0.08, -0.08 }, { 0.08, -0.08 }, { 0.08, -0.05 }, { -0.03, -0.05 },\n"
    "  { -0.05, -0.03, arc = -0.02 }, { -0.05, 0.08 }, { -0.08, 0.08 } } }" },
  { "gear", "involuteGear{ teeth = 12, module = 0.012, length = 0.4, tipRelief = 1e-4 }" },
  { "cam", "extruded{ length = 0.4, error = 1e-6, profile = { { 0.1, 0, spline = true }, { 0, 0.06, spline = true },\n"
           "  { -0.06, 0, spline = true }, { 0, -0.06, spline = true } } }" },
  { "notched disc", "extruded{ length = 0.4, profile = { { 0.08, -0.02, through = { -0.08, 0 } }, { 0.04, -0.02 },\n"
                    "  { 0.04, 0.02, arc = -0.02 }, { 0.08, 0.02 } } }" },
};

const char* crSurfaceKind_GetText(int kind)
{
  return kinds[kind].name;
}

static const char* const thrown[] = {
  "cylinder{ radius = %g, length = 0.3 }",
  "extruded{ length = 0.3, profile = { { %g, 0 }, { -0.01, 0.015 }, { -0.01, -0.015 } } }",
  "extruded{ length = 0.3, profile = { { %g, -0.01 }, { 0.02, 0.01, arc = 0.012 }, { -0.02, 0.01 }, { 0, 0.004 },\n"
  "  { -0.02, -0.01 } } }",
};

// What is extruded, thrown at what is extruded: both move in the plane across their axes.
crSurfaceThrow crThrowOutline(int kind, uint64_t seed, double kRed, double tolerance)
{
  crRandom random = crMakeRandom(1000 * seed + 500 + (uint64_t)kind);
  double size = crRandom_Uniform(&random, 0.02, 0.03), speed = crRandom_Uniform(&random, 0.5, 5.0);
  double angle = crRandom_Uniform(&random, -CR_PI, CR_PI), away = 0.25, turn = crRandom_Uniform(&random, -CR_PI, CR_PI);
  crVec3 from = { away * cos(angle), away * sin(angle), 0.0 };
  crVec3 aim = { crRandom_Uniform(&random, -0.08, 0.08), crRandom_Uniform(&random, -0.08, 0.08), 0.0 };
  crVec3 v = crScale(speed, crNormalize(crSub(aim, from)));
  double spin = crRandom_Uniform(&random, -5.0, 5.0), other = crRandom_Uniform(&random, -5.0, 5.0);
  char shape[400], text[TEXT_SIZE];
  snprintf(shape, sizeof shape, thrown[seed % 3], size);
  snprintf(
      text, sizeof text,
      "scene{ gravity = 'none' }\n"
      "contactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0, kRed = %g, vMin = 1e-4 })\nlocal w = world('w', {})\n"
      "local a = object('a', { solid{ shape = %s, mass = 0.5, contact = 'Steel' } })\n"
      "local b = object('b', { solid{ contact = 'Steel', mass = 2, shape = %s } })\n"
      "planar('pa', w, a, { axis = 'z', start = { %.17g, %.17g, %.17g }, startRate = { %.17g, %.17g, %.17g },\n"
      "  canCollide = true })\n"
      "planar('pb', w, b, { axis = 'z', start = { 0, 0, 0 }, startRate = { 0, 0, %.17g }, canCollide = true })\n",
      kRed, shape, kinds[CR_FIRST_EXTRUDED + kind].shape, from.x, from.y, turn, v.x, v.y, spin, other);
  crTestRun run = crOpenTestText(text, 1.0, tolerance, cr_solverDefault);
  double energy = crTestRun_Energy(&run);
  crSurfaceThrow result = { .status = crSimulation_Advance(run.simulation, 0.3) };
  result.contactCount = (int)crSimulation_GetSummary(run.simulation).contactCount;
  result.energy = crTestRun_Energy(&run) / energy - 1.0;
  crCloseTestRun(&run);
  return result;
}

// Extruded bodies are so long that balls meet walls and not their ends.
crSurfaceThrow crThrowAtSurface(int kind, uint64_t seed, double tolerance)
{
  crRandom random = crMakeRandom(1000 * seed + (uint64_t)kind);
  bool isExtruded = kind >= CR_FIRST_EXTRUDED;
  double r = crRandom_Uniform(&random, 0.008, 0.03), speed = crRandom_Uniform(&random, 0.5, 5.0);
  double angle = crRandom_Uniform(&random, -CR_PI, CR_PI), up = isExtruded ? 0.0 : crRandom_Uniform(&random, -0.8, 0.8);
  double level = sqrt(1.0 - up * up), away = 0.25;
  crVec3 from = { away * level * cos(angle), away * level * sin(angle), away * up };
  crVec3 aim = { crRandom_Uniform(&random, -0.08, 0.08), crRandom_Uniform(&random, -0.08, 0.08),
                 crRandom_Uniform(&random, -0.03, 0.03) };
  crVec3 v = crScale(speed, crNormalize(crSub(aim, from)));
  crVec3 w = { isExtruded ? 0.0 : crRandom_Uniform(&random, -5.0, 5.0),
               isExtruded ? 0.0 : crRandom_Uniform(&random, -5.0, 5.0), crRandom_Uniform(&random, -5.0, 5.0) };
  char text[TEXT_SIZE];
  snprintf(text, sizeof text,
           "scene{ gravity = 'none' }\ncontactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0, vMin = 1e-4 "
           "})\nworld('w', {})\n"
           "object('ball', { parent = 'w', free = true, position = { %.17g, %.17g, %.17g },\n"
           "  velocity = { %.17g, %.17g, %.17g },\n"
           "  solid{ shape = sphere{ radius = %.17g }, mass = 0.5, contact = 'Steel' } })\n"
           "object('body', { parent = 'w', free = true, angularVelocity = { %.17g, %.17g, %.17g },\n"
           "  solid{ contact = 'Steel', mass = 2, shape = %s } })\n",
           from.x, from.y, from.z, v.x, v.y, v.z, r, w.x, w.y, w.z, kinds[kind].shape);
  crTestRun run = crOpenTestText(text, 1.0, tolerance, cr_solverDefault);
  double energy = crTestRun_Energy(&run);
  crSurfaceThrow result = { .status = crSimulation_Advance(run.simulation, 0.3) };
  result.contactCount = (int)crSimulation_GetSummary(run.simulation).contactCount;
  result.energy = crTestRun_Energy(&run) / energy - 1.0;
  crCloseTestRun(&run);
  return result;
}

// From above, in a field of gravity, onto the end face of an extruded body that does not move: it bounces there, and
// falls over edges and into gaps.
crSurfaceThrow crThrowAtEnd(int kind, uint64_t seed, double tolerance)
{
  crRandom random = crMakeRandom(1000 * seed + 700 + (uint64_t)kind);
  double r = crRandom_Uniform(&random, 0.008, 0.03), down = crRandom_Uniform(&random, 0.0, 2.0);
  crVec3 from = { crRandom_Uniform(&random, -0.08, 0.08), crRandom_Uniform(&random, -0.08, 0.08),
                  0.2 + r + crRandom_Uniform(&random, 0.001, 0.01) };
  double along = crRandom_Uniform(&random, -2.0, 2.0), across = crRandom_Uniform(&random, -2.0, 2.0);
  char text[TEXT_SIZE];
  snprintf(
      text, sizeof text,
      "scene{ gravity = { 0, 0, -9.81 } }\ncontactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0, vMin = 1e-4 })\n"
      "world('w', {})\n"
      "object('ball', { parent = 'w', free = true, position = { %.17g, %.17g, %.17g },\n"
      "  velocity = { %.17g, %.17g, %.17g },\n"
      "  solid{ shape = sphere{ radius = %.17g }, mass = 0.5, contact = 'Steel' } })\n"
      "object('body', { parent = 'w', solid{ contact = 'Steel', shape = %s } })\n",
      from.x, from.y, from.z, along, across, -down, r, kinds[CR_FIRST_EXTRUDED + kind].shape);
  crTestRun run = crOpenTestText(text, 1.0, tolerance, cr_solverDefault);
  double energy = crTestRun_Energy(&run), v = along * along + across * across + down * down;
  crSurfaceThrow result = { .status = crSimulation_Advance(run.simulation, 0.1) };
  result.contactCount = (int)crSimulation_GetSummary(run.simulation).contactCount;
  result.energy = (crTestRun_Energy(&run) - energy) / (0.25 * v + 0.5 * 9.81 * 0.05);
  crCloseTestRun(&run);
  return result;
}
