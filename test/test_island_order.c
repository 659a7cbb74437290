// Steps of order 8 inside contacts of a few balls, and in impacts by area: against the closed form of an impact by
// Hertz' law, and against steps of order 5.
#include "support/island_run.h"

#include <math.h>
#include <stdio.h>

#define HERTZ_TIME 2.943275 // [-] 2 times the integral of 1 / sqrt(1 - x^(5/2)) from 0 to 1
#define RADIUS 0.03
#define SPEED 1.0 // [m/s]
#define GAP 0.01  // [m]

// Two balls, one of which is hit by the other in the middle, without weight and losses.
static const char impact[] = "scene{ gravity = { 0, 0, 0 } }\n"
                             "solidMaterial('Hard', { density = 2000, E = 1e9, nu = 0.25 })\n"
                             "contactPair('Hard', 'Hard', { cor = 1, muK = 0, muR = 0 })\n"
                             "local room = world('room')\n"
                             "local function ball(name, x, v)\n"
                             "  object(name, { parent = room, free = true, position = { x, 0, 0 },\n"
                             "    velocity = { v, 0, 0 },\n"
                             "    solid{ shape = sphere{ radius = 0.03 }, material = 'Hard', contact = 'Hard' } })\n"
                             "end\n"
                             "ball('a', 0, 1)\n"
                             "ball('b', 0.07, 0)\n";

// Steel balls that fall on a floor and against each other, bounce and tremble.
static const char drop[] =
    "local p = parameters{ push = 1 }\n"
    "solidMaterial('Steel', { density = 7800, E = 2.1e11, nu = 0.3 })\n"
    "contactPair('Steel', 'Steel', { cor = 0.6, muK = 0.3, muR = 0 })\n"
    "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
    "for i = 1, 3 do\n"
    "  object('ball' .. i, { parent = room, free = true,\n"
    "    position = { 0.0103 * i, 0.0003 * i * i, 0.005 + 1e-5 * i },\n"
    "    velocity = { -0.05 * i * (1 + 0.07 * p.push), 0.003 * p.push, -0.01 - 0.002 * p.push },\n"
    "    solid{ shape = sphere{ radius = 0.005 }, material = 'Steel', contact = 'Steel' } })\n"
    "end\n";

// A cone that flies at a cylinder and turns, so that its rim, its side or its tip meets cap, rim or side.
static const char clash[] =
    "local p = parameters{ push = 1 }\n"
    "scene{ gravity = { 0, 0, 0 } }\n"
    "solidMaterial('Hard', { density = 1200, E = 1e9, nu = 0.3 })\n"
    "contactPair('Hard', 'Hard', { cor = 1, muK = 0, muR = 0 })\n"
    "local room = world('room')\n"
    "local function body(name, shape, x, v, w, turn)\n"
    "  object(name, { parent = room, free = true, position = { x, 0, 0 }, velocity = { v, 0, 0 },\n"
    "    angularVelocity = w, rotation = turn, solid{ shape = shape, material = 'Hard', contact = 'Hard' } })\n"
    "end\n"
    "body('a', cylinder{ radius = 0.05, length = 0.15 }, 0, 0.5, { 1, 0.3 * p.push, 2 },\n"
    "  { axis = { 1, 0.4, 0 }, angle = 0.7 * p.push })\n"
    "body('b', cone{ radius = 0.06, length = 0.2 }, 0.3, -1, { 0.5, 1, -0.4 * p.push },\n"
    "  { axis = { 0.2, 1, 0.3 * p.push }, angle = 1.1 * p.push })\n";

// push: of the balls that are dropped, and so on; NULL: there is none.
static crIslandRun runText(const char* text, const char* push, double stop, double tolerance, crSolverKind solver)
{
  crModel* model =
      crOpenIslandModel(&(crIslandPlan){ .text = text, .settings = { { push != NULL ? "push" : NULL, push } } });
  crSimulationOptions options = crIslandOptions(stop, tolerance);
  options.solver = solver;
  crIslandRun run = crRunIslands(model, &options);
  assert_int_equal(run.end, cr_runComplete);
  crAssertEventsAreSound(&run);
  return run;
}

static void freeRun(crIslandRun* run)
{
  const crModel* model = run->model;
  crIslandRun_Free(run);
  crDestroyModel((crModel*)model);
}

// [m] Largest difference of both balls from where they are at time t.
static double compareImpact(const crIslandRun* run, double t)
{
  double mass = 2000.0 * 4.0 / 3.0 * CR_PI * RADIUS * RADIUS * RADIUS;
  double k = 4.0 / 3.0 * (1e9 / (2.0 * (1.0 - 0.25 * 0.25))) * sqrt(0.5 * RADIUS);
  double depth = pow(1.25 * 0.5 * mass * SPEED * SPEED / k, 0.4), duration = HERTZ_TIME * depth / SPEED;
  double begin = GAP / SPEED, half = 0.5 * SPEED * duration;
  double a = SPEED * begin + half, b = 0.07 + half + SPEED * (t - begin - duration);
  return fmax(fabs(crIslandRun_Place(run, "a").x - a), fabs(crIslandRun_Place(run, "b").x - b));
}

static void an_impact_of_balls_takes_the_time_of_hertz(void** state)
{
  (void)state;
  crIslandRun high = runText(impact, NULL, 0.02, 1e-9, cr_solverAuto),
              low = runText(impact, NULL, 0.02, 1e-9, cr_solverDopri5);
  assert_true(compareImpact(&low, 0.02) < 2e-9); // whose contact begins a little deeper than where they touch
  assert_true(compareImpact(&high, 0.02) < 2e-9);
  assert_true(high.summary.methodSteps.dop853 > 0 && low.summary.methodSteps.dop853 == 0);
  assert_true(3 * high.summary.solverStatistics.steps < 2 * low.summary.solverStatistics.steps);
  freeRun(&low);
  freeRun(&high);
}

static double square(double x)
{
  return x * x;
}

static void trembling_balls_take_fewer_steps_for_the_same_error(void** state)
{
  (void)state;
  static const char* const pushes[] = { "1", "2", "3", "4", "5", "6", "7", "8" };
  double highError = 0.0, lowError = 0.0, highSpill = 0.0, lowSpill = 0.0; // [m^2], [J^2]
  int64_t highSteps = 0, lowSteps = 0;
  for (size_t i = 0; i < sizeof pushes / sizeof *pushes; ++i) {
    crIslandRun truth = runText(drop, pushes[i], 0.02, 1e-12, cr_solverDopri5);
    crIslandRun high = runText(drop, pushes[i], 0.02, 1e-8, cr_solverAuto);
    crIslandRun low = runText(drop, pushes[i], 0.02, 1e-8, cr_solverDopri5);
    assert_true(high.summary.methodSteps.dop853 > high.summary.methodSteps.dopri5);
    highSteps += high.summary.solverStatistics.steps;
    lowSteps += low.summary.solverStatistics.steps;
    highError += square(crCompareEnds(&high, &truth));
    lowError += square(crCompareEnds(&low, &truth));
    highSpill += square(crIslandRun_Unexplained(&high));
    lowSpill += square(crIslandRun_Unexplained(&low));
    freeRun(&low);
    freeRun(&high);
    freeRun(&truth);
  }
  printf("%lld and %lld steps, %.2g and %.2g m, %.2g and %.2g J\n", (long long)highSteps, (long long)lowSteps,
         sqrt(highError), sqrt(lowError), sqrt(highSpill), sqrt(lowSpill));
  assert_true(5 * highSteps < 3 * lowSteps);
  assert_true(highError <= lowError);
  assert_true(highSpill <= lowSpill);
}

static void impacts_by_area_take_fewer_evaluations_for_the_same_error(void** state)
{
  (void)state;
  static const char* const pushes[] = { "1", "2", "3", "4", "5", "6", "7", "8" };
  double highError = 0.0, lowError = 0.0, worst = 0.0; // [m^2], [-] of the energy
  int64_t highCount = 0, lowCount = 0, contacts = 0, highSteps = 0;
  for (size_t i = 0; i < sizeof pushes / sizeof *pushes; ++i) {
    crIslandRun truth = runText(clash, pushes[i], 0.3, 1e-11, cr_solverDopri5);
    crIslandRun high = runText(clash, pushes[i], 0.3, 1e-8, cr_solverAuto);
    crIslandRun low = runText(clash, pushes[i], 0.3, 1e-8, cr_solverDopri5);
    contacts += high.summary.contactCount;
    highSteps += high.summary.methodSteps.dop853;
    highCount += high.summary.solverStatistics.evaluations;
    lowCount += low.summary.solverStatistics.evaluations;
    highError += square(crCompareEnds(&high, &truth));
    lowError += square(crCompareEnds(&low, &truth));
    worst = fmax(worst, fabs(crIslandRun_Unexplained(&high)) / high.summary.startEnergy.kinetic);
    freeRun(&low);
    freeRun(&high);
    freeRun(&truth);
  }
  printf("%lld and %lld evaluations, %.2g and %.2g m, %.2g of the energy, %lld contacts, %lld of order 8\n",
         (long long)highCount, (long long)lowCount, sqrt(highError), sqrt(lowError), worst, (long long)contacts,
         (long long)highSteps);
  assert_true(contacts >= 8 && highSteps > 5 * contacts);
  assert_true(5 * highCount < 4 * lowCount);
  assert_true(highError <= lowError);
  assert_true(worst < 2e-8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_impact_of_balls_takes_the_time_of_hertz),
    cmocka_unit_test(trembling_balls_take_fewer_steps_for_the_same_error),
    cmocka_unit_test(impacts_by_area_take_fewer_evaluations_for_the_same_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
