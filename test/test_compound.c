// Bodies of several shapes that touch each other: to what touches them they are one.
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MATERIALS                                                                                                      \
  "solidMaterial('M', { density = 1000, E = 1e8, nu = 0.3 })\n"                                                        \
  "contactPair('M', 'M', { cor = %.17g, muK = %.17g, muR = 0 })\nworld('w')\n"

#define ONE_PLATE                                                                                                      \
  "object('plate', { parent = 'w', position = { 0, 0, -0.05 }, solid{ shape = box{ size = { 2, 1, 0.1 } }, contact = " \
  "'M' } })\n"
#define TWO_PLATES                                                                                                     \
  "for i = -1, 1, 2 do object('plate' .. i, { parent = 'w', position = { 0.5 * i, 0, -0.05 },\n"                       \
  "  solid{ shape = box{ size = { 1, 1, 0.1 } }, contact = 'M' } }) end\n"
#define FOUR_PLATES                                                                                                    \
  "for i = -1, 1, 2 do for k = -1, 1, 2 do object('plate' .. i .. k, { parent = 'w',\n"                                \
  "  position = { 0.5 * i, 0.25 * k, -0.05 }, solid{ shape = box{ size = { 1, 0.5, 0.1 } }, contact = 'M' } }) end "   \
  "end\n"

typedef struct Outcome {
  crVec3 p, v, w;
  double unexplained, energy; // [J]
  int64_t steps;
  int contactCount;
} Outcome;

static Outcome runTo(const char* text, double stop, double tolerance, crSolverKind solver)
{
  crTestRun run = crOpenTestText(text, stop, tolerance, solver);
  double start = crTestRun_Energy(&run);
  crTestRun_Advance(&run, stop);
  crMotion motion = crTestRun_Motion(&run, "body");
  crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
  Outcome outcome = { .p = crTestRun_Pose(&run, "body").p,
                      .v = motion.v,
                      .w = motion.w,
                      .unexplained = crTestRun_Unexplained(&run),
                      .energy = crTestRun_Energy(&run) - start,
                      .steps = summary.solverStatistics.steps,
                      .contactCount = (int)summary.contactCount };
  crCloseTestRun(&run);
  return outcome;
}

static Outcome runOn(const char* ground, const char* body, double cor, double muK, double stop, double tolerance)
{
  char text[4096];
  int length = snprintf(text, sizeof text, MATERIALS "%s%s", cor, muK, ground, body);
  assert_true(length > 0 && length < (int)sizeof text);
  return runTo(text, stop, tolerance, cr_solverDefault);
}

static void print(const char* name, const Outcome* o)
{
  printf("%-14s %5lld steps, %d contacts, p %.9f %.9f %.9f v %.9f %.9f %.2e w %.6f %.6f %.2e E %.2e unexplained %.2e\n",
         name, (long long)o->steps, o->contactCount, o->p.x, o->p.y, o->p.z, o->v.x, o->v.y, o->v.z, o->w.x, o->w.y,
         o->w.z, o->energy, o->unexplained);
}

#define BALL                                                                                                           \
  "object('body', { parent = 'w', position = { -0.3, 0.1, 0.0499 }, free = true, velocity = { 1, -0.35, 0 },\n"        \
  "  angularVelocity = { 7, 20, 1 }, solid{ shape = sphere{ radius = 0.05 }, material = 'M', contact = 'M' } })\n"

static void a_ball_rolls_over_seams(void** state)
{
  (void)state;
  Outcome one = runOn(ONE_PLATE, BALL, 0.5, 0.3, 0.6, 1e-8), two = runOn(TWO_PLATES, BALL, 0.5, 0.3, 0.6, 1e-8);
  Outcome four = runOn(FOUR_PLATES, BALL, 0.5, 0.3, 0.6, 1e-8);
  print("ball one", &one);
  print("ball two", &two);
  print("ball four", &four);
  one = runOn(ONE_PLATE, BALL, 1, 0, 0.6, 1e-8);
  two = runOn(TWO_PLATES, BALL, 1, 0, 0.6, 1e-8);
  print("ball one", &one);
  print("ball two", &two);
}

int main(void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test(a_ball_rolls_over_seams) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
