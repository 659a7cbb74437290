// The mechanisms with loops among the examples: closed forms, second formulations, published values, conservation, and
// agreement of the explicit form with the residual form.
#include "support/loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81 // [m/s^2]

// ------------------------------------------------------------------------------------------ N four-bars

// All cranks turn alike, so the row is one pendulum: I t'' = -m g cos t with I = (N + 1) / 3 + N, m = (N + 1) / 2 + N.
static double turnRow(int n, double stop)
{
  const int steps = 20000;
  double k = G * (0.5 * (n + 1) + n) / ((n + 1) / 3.0 + n), h = stop / steps, t = CR_PI / 2, v = -1;
  for (int i = 0; i < steps; ++i) {
    double a1 = -k * cos(t), v2 = v + h / 2 * a1, a2 = -k * cos(t + h / 2 * v), v3 = v + h / 2 * a2;
    double a3 = -k * cos(t + h / 2 * v2), v4 = v + h * a3, a4 = -k * cos(t + h * v3);
    t += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return t;
}

// Through seven horizontal positions, where the constraints lose rank and another motion branches off.
static void row_of_four_bars_turns_as_one_pendulum(void** state)
{
  (void)state;
  static const struct {
    int n;
    const char* text;
  } rows[] = { { 1, "1" }, { 2, "2" }, { 10, "10" }, { 40, "40" } };
  for (int i = 0; i < 4; ++i) {
    crSetting settings[] = { { "N", rows[i].text }, { NULL, NULL } };
    crTestLoop loop = crStartLoopExample("n_four_bar.lua", settings, 10.0, 1e-8, cr_solverAuto);
    double energy = crTestLoop_GetEnergy(&loop);
    crLoopFacts facts = crInstance_GetLoopFacts(loop.instance);
    assert_int_equal(facts.freedom, 1);
    assert_int_equal(facts.gruebler, 1 - 3 * rows[i].n);
    for (int k = 1; k <= 10; ++k) {
      crTestLoop_Advance(&loop, k);
      assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-6 * energy);
      assert_true(crTestLoop_FindGap(&loop) < 1e-9);
    }
    assert_close(crTestLoop_Get(&loop, "foot0.angle"), turnRow(rows[i].n, 10), 1e-5);
    assert_close(crTestLoop_Get(&loop, "foot1.angle"), crTestLoop_Get(&loop, "foot0.angle"), 1e-9);
    crTestLoop_Free(&loop);
  }
}

// Rounding of positions is magnified by the inverse of the distance from a singular position, that of accelerations by
// its cube: tight tolerances, which want short steps, once took that for motion and stopped. All methods of one step.
static void rows_of_four_bars_pass_their_singular_positions_at_any_tolerance(void** state)
{
  (void)state;
  static const char* const numbers[] = { "1", "2", "7", "20", "64" };
  static const double tolerances[] = { 1e-9, 1e-10, 1e-11 };
  for (int solver = cr_solverIda; solver < cr_solverKindCount; ++solver) {
    const crSolverInfo* info = crGetSolverInfo((crSolverKind)solver);
    for (int i = 0; crTestIsOneStep((crSolverKind)solver) && i < 5; ++i) {
      int n = (int)strtol(numbers[i], NULL, 10);
      double stop = n < 20 ? 10 : n < 64 && !info->isImplicit ? 3 : 0.8; // seven times through a line, two, one
      crSetting settings[] = { { "N", numbers[i] }, { NULL, NULL } };
      for (int k = n < 20 || !info->isImplicit ? 0 : 2; k < 3; ++k) {
        crTestLoop loop = crStartLoopExample("n_four_bar.lua", settings, stop, tolerances[k], (crSolverKind)solver);
        double energy = crTestLoop_GetEnergy(&loop);
        crTestLoop_Advance(&loop, stop);
        assert_close(crTestLoop_GetEnergy(&loop), energy, 1e3 * tolerances[k] * energy);
        assert_close(crTestLoop_Get(&loop, "foot0.angle"), turnRow(n, stop), 2e4 * tolerances[k]);
        assert_true(crTestLoop_FindGap(&loop) < 1e-12);
        crTestLoop_Free(&loop);
      }
    }
  }
}

// The residual form cannot pass where its matrix is singular: it stops and names the loop.
static void a_run_that_stops_at_a_singular_position_names_the_joints(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  crSetting settings[] = { { "N", "1" }, { NULL, NULL } };
  crTestLoop loop = crStartLoopExample("n_four_bar.lua", settings, 10.0, 1e-10, cr_solverIda);
  double energy = crTestLoop_GetEnergy(&loop);
  crStatus status = crSimulation_Advance(loop.simulation, 10.0);
  if (status == cr_ok) { // it may pass after all, but only as it should
    assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-5 * energy);
  } else {
    assert_true(crTestModel_Says(&loop.text, "the loop of the joints 'left1', 'foot0', 'foot1', 'right1' is at a "
                                             "singular position, where it could go on in two ways"));
  }
  crTestLoop_Free(&loop);
}

static crTestLoop startInLine(double angle, double rate, int count, crSolverKind solver)
{
  static const char* const format =
      "scene{ gravity = { 0, -9.81, 0 } }\n"
      "local angle, rate, n = %.17g, %.17g, %d\n"
      "local function rod(name)\n"
      "  local near = object(name, { mass{ mass = 1, com = { 0.5, 0, 0 }, inertia = { 0, 1/12, 1/12 } } })\n"
      "  return near, object(name .. 'End', { parent = near, position = { 1, 0, 0 } })\n"
      "end\n"
      "local ground = world('ground')\n"
      "local crank, tip, before = nil, nil, nil\n"
      "for i = 0, n do\n"
      "  local pivot = object('pivot' .. i, { parent = ground, position = { i, 0, 0 } })\n"
      "  crank, tip = rod('crank' .. i)\n"
      "  revolute('foot' .. i, pivot, crank, { start = angle, startRate = rate, fixed = i == 0 })\n"
      "  if i > 0 then\n"
      "    local coupler, far = rod('coupler' .. i)\n"
      "    revolute('left' .. i, before, coupler, { start = -angle, startRate = -rate })\n"
      "    revolute('right' .. i, far, tip, { start = angle })\n"
      "  end\n"
      "  before = tip\n"
      "end\n";
  char text[2048];
  snprintf(text, sizeof text, format, angle, rate, count);
  return crStartLoop(text, 0.4, 1e-8, solver);
}

// Where all bars are in one line a constraint depends on the others, and only there: it was left out for good, and the
// loop opened by half a metre before IDA's eyes. Every solver keeps it closed, or stops and names it; those of one step
// go on as if nothing were.
static void a_row_that_starts_in_line_stays_closed_or_stops(void** state)
{
  (void)state;
  static const double angles[] = { 0, 1e-8, 1e-6, -1e-6, 1e-5, 1e-4, 1e-3 };
  for (int solver = crTestFirstSolver(); solver < cr_solverKindCount; ++solver) {
    for (int i = 0; i < 7; ++i) {
      for (int n = 1; n <= 3; n += 2) {
        crTestLoop loop = startInLine(angles[i], -1, n, (crSolverKind)solver);
        assert_non_null(loop.simulation);
        assert_int_equal(crInstance_GetLoopFacts(loop.instance).freedom, 1);
        double energy = crTestLoop_GetEnergy(&loop);
        crStatus status = crSimulation_Advance(loop.simulation, 0.4);
        assert_true(crTestLoop_FindGap(&loop) < 1e-6);
        if (status == cr_ok) {
          assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-5);
          assert_close(crTestLoop_Get(&loop, "foot0.angle"), crTestLoop_Get(&loop, "foot1.angle"), 1e-6);
        } else {
          assert_false(crTestIsOneStep((crSolverKind)solver));
          assert_true(crTestModel_Says(&loop.text, "the loop of the joints"));
        }
        crTestLoop_Free(&loop);
      }
    }
  }
}

// At rest there is no motion that would tell that the constraint matters.
static void a_row_at_rest_in_line_does_not_open_unnoticed(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  crTestLoop loop = startInLine(0, 0, 1, cr_solverIda);
  assert_non_null(loop.simulation);
  crStatus status = crSimulation_Advance(loop.simulation, 0.4);
  assert_true(crTestLoop_FindGap(&loop) < 1e-5);
  assert_true(status == cr_ok || crTestModel_Says(&loop.text, "the loop of the joints"));
  crTestLoop_Free(&loop);
}

// ---------------------------------------------------------------------------------------------- Andrews

// Minimal coordinates: for a crank angle the other six come from Newton's method on the three closures, and
// I(b) b'' + I'(b) b'^2 / 2 + V'(b) = 0.033.
typedef struct Squeezer {
  double q[7]; // beta, theta, gamma, phi, delta, omega, epsilon
} Squeezer;

static const double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273;

static void closure(const double* q, double* g)
{
  double x = 0.007 * cos(q[0]) - 0.028 * cos(q[0] + q[1]), y = 0.007 * sin(q[0]) - 0.028 * sin(q[0] + q[1]);
  g[0] = x - 0.035 * sin(q[2]) - xb;
  g[1] = y + 0.035 * cos(q[2]) - yb;
  g[2] = x - 0.02 * sin(q[3] + q[4]) - 0.04 * cos(q[4]) - xa;
  g[3] = y + 0.02 * cos(q[3] + q[4]) - 0.04 * sin(q[4]) - ya;
  g[4] = x - 0.02 * cos(q[5] + q[6]) - 0.04 * sin(q[6]) - xa;
  g[5] = y - 0.02 * sin(q[5] + q[6]) + 0.04 * cos(q[6]) - ya;
}

// dg/dq by columns.
static void closureJacobian(const double* q, double J[7][6])
{
  double s01 = sin(q[0] + q[1]), c01 = cos(q[0] + q[1]);
  double s34 = sin(q[3] + q[4]), c34 = cos(q[3] + q[4]), s56 = sin(q[5] + q[6]), c56 = cos(q[5] + q[6]);
  memset(J, 0, 7 * sizeof *J);
  for (int i = 0; i < 3; ++i) {
    J[1][2 * i] = 0.028 * s01;
    J[1][2 * i + 1] = -0.028 * c01;
    J[0][2 * i] = J[1][2 * i] - 0.007 * sin(q[0]);
    J[0][2 * i + 1] = J[1][2 * i + 1] + 0.007 * cos(q[0]);
  }
  J[2][0] = -0.035 * cos(q[2]);
  J[2][1] = -0.035 * sin(q[2]);
  J[3][2] = -0.02 * c34;
  J[3][3] = -0.02 * s34;
  J[4][2] = J[3][2] + 0.04 * sin(q[4]);
  J[4][3] = J[3][3] - 0.04 * cos(q[4]);
  J[5][4] = 0.02 * s56;
  J[5][5] = -0.02 * c56;
  J[6][4] = J[5][4] - 0.04 * cos(q[6]);
  J[6][5] = J[5][5] - 0.04 * sin(q[6]);
}

// x of J[1..6] x = b by Gauss elimination with pivots.
static void solveSix(double J[7][6], const double* b, double* x)
{
  double a[6][7];
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      a[i][j] = J[j + 1][i];
    }
    a[i][6] = b[i];
  }
  for (int k = 0; k < 6; ++k) {
    int best = k;
    for (int i = k + 1; i < 6; ++i) {
      best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
    }
    for (int j = 0; j < 7; ++j) {
      double swap = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = swap;
    }
    for (int i = 0; i < 6; ++i) {
      double factor = i != k ? a[i][k] / a[k][k] : 0;
      for (int j = k; j < 7; ++j) {
        a[i][j] -= factor * a[k][j];
      }
    }
  }
  for (int i = 0; i < 6; ++i) {
    x[i] = a[i][6] / a[i][i];
  }
}

static Squeezer closeAt(Squeezer s, double beta)
{
  s.q[0] = beta;
  for (int k = 0; k < 8; ++k) {
    double J[7][6], g[6], d[6];
    closure(s.q, g);
    closureJacobian(s.q, J);
    solveSix(J, g, d);
    for (int i = 0; i < 6; ++i) {
      s.q[i + 1] -= d[i];
    }
  }
  return s;
}

// Twice the kinetic energy at beta' = 1, and the energy of the spring.
static double squeezerInertia(const Squeezer* s)
{
  static const double m[] = { 0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498 };
  static const double inertia[] = { 2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5 };
  double J[7][6], b[6], d[7] = { 1 };
  const double* q = s->q;
  closureJacobian(q, J);
  for (int i = 0; i < 6; ++i) {
    b[i] = -J[0][i];
  }
  solveSix(J, b, d + 1);
  double c01 = cos(q[0] + q[1]), s01 = sin(q[0] + q[1]), c34 = cos(q[3] + q[4]), s34 = sin(q[3] + q[4]);
  double c56 = cos(q[5] + q[6]), s56 = sin(q[5] + q[6]), w2 = d[0] + d[1], w4 = d[3] + d[4], w6 = d[5] + d[6];
  const double w[] = { d[0], w2, d[2], w4, d[4], w6, d[6] };
  const double vx[] = { -0.00092 * sin(q[0]),
                        -0.007 * sin(q[0]) + 0.0115 * s01 * w2,
                        (0.01874 * cos(q[2]) - 0.01043 * sin(q[2])) * d[2],
                        -0.04 * sin(q[4]) * d[4] + 0.00579 * c34 * w4,
                        (-0.02308 * sin(q[4]) - 0.00916 * cos(q[4])) * d[4],
                        0.04 * cos(q[6]) * d[6] - 0.00579 * s56 * w6,
                        (0.01228 * cos(q[6]) + 0.00449 * sin(q[6])) * d[6] };
  const double vy[] = { 0.00092 * cos(q[0]),
                        0.007 * cos(q[0]) - 0.0115 * c01 * w2,
                        (0.01874 * sin(q[2]) + 0.01043 * cos(q[2])) * d[2],
                        0.04 * cos(q[4]) * d[4] + 0.00579 * s34 * w4,
                        (0.02308 * cos(q[4]) - 0.00916 * sin(q[4])) * d[4],
                        0.04 * sin(q[6]) * d[6] + 0.00579 * c56 * w6,
                        (0.01228 * sin(q[6]) - 0.00449 * cos(q[6])) * d[6] };
  double sum = 0;
  for (int i = 0; i < 7; ++i) {
    sum += m[i] * (vx[i] * vx[i] + vy[i] * vy[i]) + inertia[i] * w[i] * w[i];
  }
  return sum;
}

static double squeezerSpring(const Squeezer* s)
{
  double x = xb + 0.018 * sin(s->q[2]) + 0.02 * cos(s->q[2]) - 0.014;
  double y = yb - 0.018 * cos(s->q[2]) + 0.02 * sin(s->q[2]) - 0.072;
  double stretch = hypot(x, y) - 0.07785;
  return 0.5 * 4530 * stretch * stretch;
}

static double squeezerAcceleration(Squeezer s, double beta, double rate)
{
  const double h = 1e-3;
  double slopeI = 0, slopeV = 0;
  static const double weights[] = { 1, -8, 0, 8, -1 };
  for (int i = 0; i < 5; ++i) {
    Squeezer at = closeAt(s, beta + (i - 2) * h);
    slopeI += weights[i] * squeezerInertia(&at) / (12 * h);
    slopeV += weights[i] * squeezerSpring(&at) / (12 * h);
  }
  Squeezer at = closeAt(s, beta);
  return (0.033 - 0.5 * slopeI * rate * rate - slopeV) / squeezerInertia(&at);
}

static Squeezer squeeze(double stop, int steps)
{
  Squeezer s = { { -0.0617138900142764, 0, 0.455279819163070, 0.222668390165886, 0.487364979543843, -0.222668390165886,
                   1.23054744454982 } };
  double h = stop / steps, v = 0;
  for (int i = 0; i < steps; ++i) {
    double b = s.q[0], a1 = squeezerAcceleration(s, b, v), v2 = v + h / 2 * a1;
    double a2 = squeezerAcceleration(s, b + h / 2 * v, v2), v3 = v + h / 2 * a2;
    double a3 = squeezerAcceleration(s, b + h / 2 * v2, v3), v4 = v + h * a3;
    double a4 = squeezerAcceleration(s, b + h * v3, v4);
    s = closeAt(s, b + h / 6 * (v + 2 * v2 + 2 * v3 + v4));
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return s;
}

static const char* const squeezerAngles[] = { "beta.angle",  "theta.angle", "gamma.angle",  "phi.angle",
                                              "delta.angle", "omega.angle", "epsilon.angle" };

// Values at 0.03 s from [MazziaMagherini08]; our own second formulation agrees with both.
static void andrews_mechanism_reaches_the_published_position(void** state)
{
  (void)state;
  static const double published[] = { 0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1,
                                      -0.5347301163226948,  0.5244099658805304,    0.5347301163226948,
                                      0.1048080741042263e1 };
  Squeezer early = squeeze(0.01, 4000);
  for (int form = 0; form < 1 + crTestHasSolver(cr_solverIda); ++form) {
    crTestLoop loop = crStartLoopExample("andrews.lua", NULL, 0.03, form == 0 ? 1e-9 : 1e-8,
                                         form == 0 ? cr_solverAuto : cr_solverIda);
    crTestLoop_Advance(&loop, 0.01);
    for (int i = 0; i < 7; ++i) {
      assert_close(crTestLoop_Get(&loop, squeezerAngles[i]), early.q[i], form == 0 ? 1e-7 : 1e-5);
    }
    crTestLoop_Advance(&loop, 0.03);
    for (int i = 0; i < 7; ++i) {
      assert_close(crTestLoop_Get(&loop, squeezerAngles[i]), published[i], form == 0 ? 1e-6 : 1e-3);
    }
    assert_true(crTestLoop_FindGap(&loop) < 1e-9);
    crTestLoop_Free(&loop);
  }
}

// ---------------------------------------------------------------------------------------------- Bricard

static void bricards_mechanism_moves_although_counting_forbids_it(void** state)
{
  (void)state;
  double x[2];
  for (int form = 0; form < 1 + crTestHasSolver(cr_solverIda); ++form) {
    crTestLoop loop = crStartLoopExample("bricard.lua", NULL, 10.0, 1e-8, form == 0 ? cr_solverAuto : cr_solverIda);
    crLoopFacts facts = crInstance_GetLoopFacts(loop.instance);
    double energy = crTestLoop_GetEnergy(&loop);
    assert_int_equal(facts.gruebler, 0);
    assert_int_equal(facts.freedom, 1);
    for (int i = 1; i <= 20; ++i) {
      crTestLoop_Advance(&loop, 0.5 * i);
      assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-6 * fabs(energy));
      assert_true(crTestLoop_FindGap(&loop) < 1e-9);
      x[form] = i == 6 ? crTestLoop_Get(&loop, "hinge0.angle") : x[form];
    }
    crTestLoop_Free(&loop);
  }
  if (crTestHasSolver(cr_solverIda)) {
    assert_close(x[0], x[1], 1e-4);
  }
}

// ----------------------------------------------------------------------------------- pendulum, governor

static void simple_pendulum_keeps_its_energy(void** state)
{
  (void)state;
  crTestLoop loop = crStartLoopExample("simple_pendulum.lua", NULL, 10.0, 1e-8, cr_solverAuto);
  for (int i = 1; i <= 10; ++i) {
    crTestLoop_Advance(&loop, i);
    assert_close(crTestLoop_GetEnergy(&loop), 0, 1e-6 * G);
  }
  crTestLoop_Free(&loop);
}

// No torque acts about the shaft's axis, and nothing but the dampers takes energy.
static void governor_keeps_its_angular_momentum(void** state)
{
  (void)state;
  crTestLoop loop = crStartLoopExample("governor.lua", NULL, 10.0, 1e-8, cr_solverAuto);
  crTreeSet all = crModel_GetAllTrees(loop.model);
  double L = crInstance_ComputeMomentum(loop.instance, all, -1).angular.z, energy = crTestLoop_GetEnergy(&loop);
  for (int i = 1; i <= 5; ++i) {
    crTestLoop_Advance(&loop, 2.0 * i);
    assert_close(crInstance_ComputeMomentum(loop.instance, all, -1).angular.z, L, 1e-6 * L);
    assert_true(crTestLoop_GetEnergy(&loop) < energy);
    energy = crTestLoop_GetEnergy(&loop);
  }
  crTestLoop_Free(&loop);
}

// ----------------------------------------------------------------------------------- driven mechanisms

// A parallelogram: rev4 turns with rev1, the coupler stays level.
static void driven_four_bar_follows_its_sine(void** state)
{
  (void)state;
  crTestLoop loop = crStartLoopExample("four_bar.lua", NULL, 5.0, 1e-8, cr_solverAuto);
  assert_int_equal(crInstance_GetLoopFacts(loop.instance).freedom, 0);
  for (int i = 1; i <= 10; ++i) {
    double t = 0.47 * i;
    crTestLoop_Advance(&loop, t);
    double angle = -CR_PI / 2 + 0.5 * sin(CR_PI * t);
    assert_close(crTestLoop_Get(&loop, "rev1.angle"), angle, 1e-12);
    assert_close(crTestLoop_Get(&loop, "rev4.angle"), angle, 1e-10);
    assert_close(crTestLoop_Get(&loop, "rev2.angle"), -angle, 1e-10);
    assert_close(crTestLoop_Get(&loop, "rev4.rate"), 0.5 * CR_PI * cos(CR_PI * t), 1e-9);
    assert_true(crTestLoop_FindGap(&loop) < 1e-9);
  }
  crTestLoop_Free(&loop);
}

static void swinging_four_bar_keeps_its_energy(void** state)
{
  (void)state;
  crSetting settings[] = { { "driven", "0" }, { NULL, NULL } };
  crTestLoop loop = crStartLoopExample("four_bar.lua", settings, 5.0, 1e-8, cr_solverAuto);
  double energy = crTestLoop_GetEnergy(&loop);
  crTestLoop_Advance(&loop, 5.0);
  assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-6 * energy);
  assert_true(crTestLoop_FindGap(&loop) < 1e-9);
  crTestLoop_Free(&loop);
}

static void slider_crank_example_follows_its_closed_form(void** state)
{
  (void)state;
  const double r = 0.05, l = 0.15, w = 2 * CR_PI * 10;
  crTestLoop loop = crStartLoopExample("slider_crank.lua", NULL, 0.5, 1e-8, cr_solverAuto);
  for (int i = 1; i <= 10; ++i) {
    crTestLoop_Advance(&loop, 0.05 * i);
    double t = crTestLoop_Get(&loop, "crankshaft.angle"), s = sqrt(l * l - r * r * sin(t) * sin(t));
    assert_close(crTestLoop_Get(&loop, "slide.position"), r * cos(t) + s, 1e-9);
    assert_close(crTestLoop_Get(&loop, "slide.velocity"), -w * r * sin(t) * (1 + r * cos(t) / s), 1e-7);
  }
  crTestLoop_Free(&loop);
}

// Height by Pythagoras; the force at rest by virtual work: F dx = dV, V = g s (303 + 36) with s = sqrt(1 - x^2).
static void scissor_lift_rises_and_its_drive_carries_the_load(void** state)
{
  (void)state;
  crTestLoop loop = crStartLoopExample("scissor_lift.lua", NULL, 4.0, 1e-8, cr_solverAuto);
  for (int i = 1; i <= 8; ++i) {
    crTestLoop_Advance(&loop, 0.5 * i);
    double x = crTestLoop_Get(&loop, "foot.position");
    assert_close(crTestLoop_Get(&loop, "top.position.z"), 3 * sqrt(1 - x * x), 1e-9);
  }
  assert_close(crTestLoop_Get(&loop, "foot.force"), -339 * G * 0.5 / sqrt(0.75), 1e-6);
  crTestLoop_Free(&loop);
}

// All lengths alike: the platform rises as sqrt(l^2 - d^2) without turning, d being the legs' horizontal offset.
static void stewart_platform_goes_where_its_legs_say(void** state)
{
  (void)state;
  const double angle = CR_PI / 3 - 0.4, d2 = 1 + 0.36 - 2 * 0.6 * cos(angle), l0 = sqrt(d2 + 1.44);
  crTestLoop loop = crStartLoopExample("stewart.lua", NULL, 4.0, 1e-8, cr_solverAuto);
  assert_int_equal(crInstance_GetLoopFacts(loop.instance).freedom, 0);
  for (int i = 1; i <= 8; ++i) {
    double t = 0.45 * i, l = l0 + 0.15 * sin(CR_PI * t), force = 0;
    crTestLoop_Advance(&loop, t);
    assert_close(crTestLoop_Get(&loop, "platform.position.z"), sqrt(l * l - d2), 1e-9);
    assert_close(crTestLoop_Get(&loop, "platform.position.x"), 0, 1e-9);
    assert_close(fabs(crTestLoop_Get(&loop, "platform.orientation.w")), 1, 1e-9);
    force = crTestLoop_Get(&loop, "slide1.force");
    assert_close(crTestLoop_Get(&loop, "slide4.force"), force, 1e-6 * fabs(force));
    assert_true(crTestLoop_FindGap(&loop) < 1e-9);
  }
  crTestLoop_Free(&loop);
}

// The wheel rises with the bump, the body by less, and both come to rest where they were.
static void wishbone_takes_the_bump_and_keeps_the_wheel_straight(void** state)
{
  (void)state;
  crTestLoop loop = crStartLoopExample("wishbone.lua", NULL, 8.0, 1e-7, cr_solverAuto);
  crTestLoop_Advance(&loop, 0.99);
  double wheel = crTestLoop_Get(&loop, "wheel.position.z"), body = crTestLoop_Get(&loop, "body.position.z");
  crTestLoop_Advance(&loop, 1.1);
  double wheelRise = crTestLoop_Get(&loop, "wheel.position.z") - wheel;
  double bodyRise = crTestLoop_Get(&loop, "body.position.z") - body;
  assert_true(wheelRise > 0.03 && wheelRise < 0.07);
  assert_true(bodyRise > 0.0 && bodyRise < 0.5 * wheelRise);
  crTestLoop_Advance(&loop, 8.0);
  double rest = crTestLoop_Get(&loop, "body.position.z");
  assert_close(crTestLoop_Get(&loop, "heave.velocity"), 0, 1e-3);
  assert_close(rest, body, 5e-3);
  assert_true(crTestLoop_FindGap(&loop) < 1e-9);
  assert_int_equal(crInstance_GetLoopFacts(loop.instance).freedom, 3);
  crTestLoop_Free(&loop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(row_of_four_bars_turns_as_one_pendulum),
    cmocka_unit_test(rows_of_four_bars_pass_their_singular_positions_at_any_tolerance),
    cmocka_unit_test(a_run_that_stops_at_a_singular_position_names_the_joints),
    cmocka_unit_test(a_row_that_starts_in_line_stays_closed_or_stops),
    cmocka_unit_test(a_row_at_rest_in_line_does_not_open_unnoticed),
    cmocka_unit_test(andrews_mechanism_reaches_the_published_position),
    cmocka_unit_test(bricards_mechanism_moves_although_counting_forbids_it),
    cmocka_unit_test(simple_pendulum_keeps_its_energy),
    cmocka_unit_test(governor_keeps_its_angular_momentum),
    cmocka_unit_test(driven_four_bar_follows_its_sine),
    cmocka_unit_test(swinging_four_bar_keeps_its_energy),
    cmocka_unit_test(slider_crank_example_follows_its_closed_form),
    cmocka_unit_test(scissor_lift_rises_and_its_drive_carries_the_load),
    cmocka_unit_test(stewart_platform_goes_where_its_legs_say),
    cmocka_unit_test(wishbone_takes_the_bump_and_keeps_the_wheel_straight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
