// The examples move as physics says: each is read from its file, run at a tight tolerance, and compared with its
// closed form, with an independent formulation, or with what must be conserved.
#include "support/elliptic.h"
#include "support/test_run.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXAMPLES CAROM_ROOT "/examples"
#define G 9.81          // [m/s^2]
#define STEEL 8000.0    // [kg/m^3]
#define ROD_RADIUS 0.01 // [m] of the rods of the pendulums and of the chain

// An example with a stop time [s] and a tolerance (0: as it says), settings and a solver.
typedef struct Plan {
  const char* example;
  double stop, tolerance;
  crSetting settings[CR_MAX_TEST_SETTINGS];
  crSolverKind solver;
} Plan;

static crTestRun openRun(Plan plan)
{
  crTestPlan full = { .example = plan.example, .stop = plan.stop, .tolerance = plan.tolerance };
  full.solver = plan.solver;
  memcpy(full.settings, plan.settings, sizeof full.settings);
  return crOpenTestRun(&full);
}

static void closeRun(crTestRun* run)
{
  assert_no_messages(run->log);
  crCloseTestRun(run);
}

static crVec3 spinOf(const crTestRun* run, const char* object)
{
  return crInstance_GetMotion(run->instance, crModel_FindObject(run->model, object)).w;
}

static double energyOf(const crTestRun* run)
{
  crEnergy energy = crInstance_ComputeEnergy(run->instance, crModel_GetAllTrees(run->model), -1);
  return energy.kinetic + energy.potential;
}

static crVec3 angularMomentumOf(const crTestRun* run)
{
  return crInstance_ComputeMomentum(run->instance, crModel_GetAllTrees(run->model), -1).angular;
}

#define MAX_CLASSICAL 8 // components

// The classical method of order 4, for comparisons.
static void stepClassical(void (*computeRates)(double t, const double* y, double* outRates), int n, double t, double h,
                          double* y)
{
  const double nodes[] = { 0.0, 0.5, 0.5, 1.0 }, weights[] = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 };
  double k[MAX_CLASSICAL] = { 0 }, sum[MAX_CLASSICAL] = { 0 };
  for (int stage = 0; stage < 4; ++stage) {
    double point[MAX_CLASSICAL];
    for (int i = 0; i < n; ++i) {
      point[i] = y[i] + nodes[stage] * h * k[i];
    }
    computeRates(t + nodes[stage] * h, point, k);
    for (int i = 0; i < n; ++i) {
      sum[i] += weights[stage] * h * k[i];
    }
  }
  for (int i = 0; i < n; ++i) {
    y[i] += sum[i];
  }
}

// ---------------------------------------------------------------------------------------- pendulum

typedef struct PendulumForm {
  double frequency; // [rad/s] of small swings
  double k;         // modulus: sin(angle / 2)
} PendulumForm;

// Rod and ball about the hinge.
static PendulumForm makePendulumForm(double length, double angle)
{
  const double ballRadius = 0.05;
  double rod = STEEL * CR_PI * ROD_RADIUS * ROD_RADIUS * length;
  double ball = STEEL * 4.0 / 3.0 * CR_PI * pow(ballRadius, 3);
  double inertia = rod * (ROD_RADIUS * ROD_RADIUS / 4.0 + length * length / 3.0) +
                   ball * (0.4 * ballRadius * ballRadius + length * length);
  double moment = G * length * (rod / 2.0 + ball);
  return (PendulumForm){ sqrt(moment / inertia), sin(angle / 2.0) };
}

// sin(angle / 2) = k sn(K + w t)
static double pendulumAngle(const PendulumForm* form, double t)
{
  double sn, cn, dn;
  crJacobi(crEllipticK(form->k) + form->frequency * t, form->k, &sn, &cn, &dn);
  return 2.0 * asin(form->k * sn);
}

static void pendulum_has_the_period_of_the_elliptic_integral(void** state)
{
  (void)state;
  const struct {
    const char *length, *angle;
    double l, a;
  } cases[] = { { "0.8", "0.5", 0.8, 0.5 }, { "2", "3", 2.0, 3.0 } };
  for (int i = 0; i < 2; ++i) {
    PendulumForm form = makePendulumForm(cases[i].l, cases[i].a);
    double period = 4.0 * crEllipticK(form.k) / form.frequency;
    crTestRun run = openRun((Plan){ "pendulum.lua",
                                    period,
                                    1e-11,
                                    { { "length", cases[i].length }, { "angle", cases[i].angle } },
                                    cr_solverDop853 });
    for (int k = 1; k <= 8; ++k) {
      crTestRun_Advance(&run, period * k / 8.0);
      assert_close(crTestRun_Value(&run, "pivot.angle"), pendulumAngle(&form, period * k / 8.0), 1e-8);
    }
    assert_close(crTestRun_Value(&run, "pivot.angle"), cases[i].a, 1e-9);
    assert_close(crTestRun_Value(&run, "pivot.rate"), 0.0, 1e-8);
    closeRun(&run);
  }
}

// -------------------------------------------------------------------------------- double pendulum, chain

// Lagrange's equations of two uniform rods in absolute angles a, b with rates a', b'.
static void computeRodRates(double length, const double* y, double* outRates)
{
  double m = STEEL * CR_PI * ROD_RADIUS * ROD_RADIUS * length;
  double own = m * (ROD_RADIUS * ROD_RADIUS / 4.0 + length * length / 3.0); // about an end
  double c = 0.5 * m * length * length * cos(y[0] - y[1]), s = 0.5 * m * length * length * sin(y[0] - y[1]);
  double m11 = own + m * length * length, m22 = own;
  double h1 = -s * y[3] * y[3] - 1.5 * m * G * length * sin(y[0]);
  double h2 = s * y[2] * y[2] - 0.5 * m * G * length * sin(y[1]);
  double determinant = m11 * m22 - c * c;
  outRates[0] = y[2];
  outRates[1] = y[3];
  outRates[2] = (m22 * h1 - c * h2) / determinant;
  outRates[3] = (m11 * h2 - c * h1) / determinant;
}

static void rodRates(double t, const double* y, double* outRates)
{
  (void)t;
  computeRodRates(0.5, y, outRates);
}

static void double_pendulum_solves_lagranges_equations(void** state)
{
  (void)state;
  const int steps = 40000; // error of order 4: far below the tolerance of the comparison
  double y[4] = { 2.0, 2.5, 0.0, 0.0 };
  for (int i = 0; i < steps; ++i) {
    stepClassical(rodRates, 4, i * 2.0 / steps, 2.0 / steps, y);
  }
  crTestRun run = openRun((Plan){ "double_pendulum.lua", 2.0, 1e-12, { { 0 } }, cr_solverDop853 });
  crTestRun_Advance(&run, 2.0);
  assert_close(crTestRun_Value(&run, "shoulder.angle"), y[0], 1e-8);
  assert_close(crTestRun_Value(&run, "shoulder.angle") + crTestRun_Value(&run, "elbow.angle"), y[1], 1e-8);
  assert_close(crTestRun_Value(&run, "shoulder.rate"), y[2], 1e-7);
  closeRun(&run);
}

static void double_pendulum_keeps_its_energy(void** state)
{
  (void)state;
  crTestRun run = openRun((Plan){ "double_pendulum.lua", 0.0, 1e-11, { { 0 } }, cr_solverDop853 });
  double energy = energyOf(&run);
  for (int i = 1; i <= 20; ++i) {
    crTestRun_Advance(&run, 0.5 * i);
    assert_close(energyOf(&run), energy, 1e-8);
  }
  closeRun(&run);
}

static void chain_keeps_its_energy(void** state)
{
  (void)state;
  crTestRun run = openRun((Plan){ "chain.lua", 3.0, 1e-10, { { 0 } }, cr_solverDop853 });
  double energy = energyOf(&run);
  for (int i = 1; i <= 10; ++i) {
    crTestRun_Advance(&run, 0.3 * i);
    assert_close(energyOf(&run), energy, 1e-6);
  }
  closeRun(&run);
}

static void chain_of_two_links_is_the_double_pendulum(void** state)
{
  (void)state;
  crTestRun chain = openRun((Plan){ "chain.lua",
                                    2.0,
                                    1e-10,
                                    { { "count", "2" }, { "length", "0.5" }, { "angle", "2" }, { "bend", "0.5" } },
                                    cr_solverDop853 });
  crTestRun twin = openRun((Plan){ "double_pendulum.lua", 2.0, 1e-10, { { 0 } }, cr_solverDop853 });
  for (int i = 1; i <= 4; ++i) {
    crTestRun_Advance(&chain, 0.5 * i);
    crTestRun_Advance(&twin, 0.5 * i);
    assert_close(crTestRun_Value(&chain, "hinge1.angle"), crTestRun_Value(&twin, "shoulder.angle"), 1e-10);
    assert_close(crTestRun_Value(&chain, "hinge2.rate"), crTestRun_Value(&twin, "elbow.rate"), 1e-9);
  }
  closeRun(&chain);
  closeRun(&twin);
}

// ------------------------------------------------------------------------------- spherical pendulum, top

static void spherical_pendulum_keeps_energy_and_vertical_momentum(void** state)
{
  (void)state;
  crTestRun run = openRun((Plan){ "spherical_pendulum.lua", 0.0, 1e-11, { { 0 } }, cr_solverDop853 });
  double energy = energyOf(&run), momentum = angularMomentumOf(&run).z, lowest = 1.5, highest = 0.0;
  for (int i = 0; i <= 200; ++i) {
    crTestRun_Advance(&run, 0.05 * i);
    assert_close(energyOf(&run), energy, 1e-8);
    assert_close(angularMomentumOf(&run).z, momentum, 1e-8);
    lowest = fmin(lowest, crTestRun_Pose(&run, "ball").p.z);
    highest = fmax(highest, crTestRun_Pose(&run, "ball").p.z);
  }
  assert_close(highest, 1.5 - cos(0.9), 1e-9); // it starts at its highest point
  assert_true(lowest < 0.7);
  closeRun(&run);
}

static void conical_pendulum_goes_round_with_its_closed_form(void** state)
{
  (void)state;
  crTestRun run = openRun((Plan){ "spherical_pendulum.lua", 0.0, 1e-11, { { "conical", "true" } }, cr_solverDop853 });
  double rate = sqrt(G / cos(0.9));
  for (int i = 0; i <= 10; ++i) {
    crTestRun_Advance(&run, i);
    crVec3 p = crMakeVec3(sin(0.9) * cos(rate * i), sin(0.9) * sin(rate * i), 1.5 - cos(0.9));
    assert_vec_close(crTestRun_Pose(&run, "ball").p, p, 1e-8);
  }
  closeRun(&run);
}

static void top_precesses_steadily_with_its_closed_form(void** state)
{
  (void)state;
  const double m = 0.2, r = 0.04, d = 0.015, h = 0.05, tilt = 0.4, spin = 200.0;
  double I3 = m * r * r / 2.0, I1 = m * (3.0 * r * r + d * d) / 12.0 + m * h * h;
  double root = sqrt(pow(I3 * spin, 2) - 4.0 * I1 * cos(tilt) * m * G * h);
  double rate = (I3 * spin - root) / (2.0 * I1 * cos(tilt));
  crTestRun run = openRun((Plan){ "spinning_top.lua", 0.0, 1e-11, { { 0 } }, cr_solverDop853 });
  for (int i = 0; i <= 10; ++i) {
    crTestRun_Advance(&run, 0.5 * i);
    double angle = rate * 0.5 * i;
    crVec3 p = crMakeVec3(h * sin(tilt) * cos(angle), h * sin(tilt) * sin(angle), h * cos(tilt));
    assert_vec_close(crTestRun_Pose(&run, "disk").p, p, 1e-9);
  }
  closeRun(&run);
}

static void nodding_top_keeps_energy_and_two_momenta(void** state)
{
  (void)state;
  crTestRun run = openRun((Plan){ "spinning_top.lua", 0.0, 1e-11, { { "steady", "false" } }, cr_solverDop853 });
  double energy = energyOf(&run), momentum = angularMomentumOf(&run).z, highest = 0.0;
  for (int i = 0; i <= 50; ++i) {
    crTestRun_Advance(&run, 0.1 * i);
    crVec3 axis = crMulMV(crTestRun_Pose(&run, "tip").R, crMakeVec3(0, 0, 1));
    assert_close(energyOf(&run), energy, 1e-8);
    assert_close(angularMomentumOf(&run).z, momentum, 1e-9);
    assert_close(crDot(spinOf(&run, "tip"), axis), 200.0, 1e-6); // L3 / I3
    highest = fmax(highest, axis.z);
  }
  assert_close(highest, cos(0.4), 1e-9); // it falls from a cusp, and comes back to it
  closeRun(&run);
}

// ------------------------------------------------------------------------------------- tumbling body

typedef struct TumblingForm {
  double rate, k;    // argument per second [1/s], modulus
  double s1, s2, s3; // [rad/s] amplitudes
} TumblingForm;

// Book of 0.3 x 0.2 x 0.04 m that starts with w = (wobble, rate, 0). L^2 < 2 T I2: w1 keeps its sign, and the start is
// a quarter of a period behind the zero of w2 [LandauLifshitz76] §37.
static TumblingForm makeTumblingForm(double wobble, double rate)
{
  const double x = 0.3 * 0.3, y = 0.2 * 0.2, z = 0.04 * 0.04;
  double I1 = (y + z) / 12.0, I2 = (x + z) / 12.0, I3 = (x + y) / 12.0;
  double energy2 = I1 * wobble * wobble + I2 * rate * rate;
  double momentum2 = pow(I1 * wobble, 2) + pow(I2 * rate, 2);
  double a = energy2 * I3 - momentum2, b = momentum2 - energy2 * I1;
  return (TumblingForm){
    .rate = sqrt((I2 - I1) * a / (I1 * I2 * I3)),
    .k = sqrt((I3 - I2) * b / ((I2 - I1) * a)),
    .s1 = sqrt(a / (I1 * (I3 - I1))),
    .s2 = sqrt(b / (I2 * (I2 - I1))),
    .s3 = sqrt(b / (I3 * (I3 - I1))),
  };
}

static crVec3 tumblingRate(const TumblingForm* form, double t)
{
  double sn, cn, dn;
  crJacobi(crEllipticK(form->k) + form->rate * t, form->k, &sn, &cn, &dn);
  return crMakeVec3(form->s1 * dn, form->s2 * sn, form->s3 * cn);
}

static crVec3 bookRate(const crTestRun* run)
{
  return crMulTV(crTestRun_Pose(run, "book").R, spinOf(run, "book"));
}

static void tumbling_body_follows_jacobis_functions(void** state)
{
  (void)state;
  TumblingForm form = makeTumblingForm(0.05, 6.0);
  crTestRun run = openRun((Plan){ "tumbling_body.lua", 0.0, 1e-13, { { 0 } }, cr_solverDop853 });
  crVec3 momentum = angularMomentumOf(&run);
  bool hasFlipped = false;
  for (int i = 0; i <= 40; ++i) {
    crTestRun_Advance(&run, 0.5 * i);
    assert_vec_close(bookRate(&run), tumblingRate(&form, 0.5 * i), 1e-6); // each turn multiplies errors by 1000
    assert_vec_close(angularMomentumOf(&run), momentum, 1e-9);
    hasFlipped = hasFlipped || bookRate(&run).y < -5.9;
  }
  assert_true(hasFlipped);
  closeRun(&run);
}

// ------------------------------------------------------------------------------------------ mobile

// [W] that the dampers take.
static double dissipationOf(const crTestRun* run)
{
  double power = 0.0;
  for (int i = 0; i < crModel_GetSize(run->model).jointCount; ++i) {
    char name[CR_MAX_PATH + 64];
    snprintf(name, sizeof name, "%s.rate", crModel_GetJointPath(run->model, i));
    double rate = crTestRun_Value(run, name);
    power += crModel_GetJointLaw(run->model, i)->damping[0] * rate * rate;
  }
  return power;
}

// By Simpson's rule over 2 n intervals of the length h.
static void mobile_loses_what_its_dampers_take(void** state)
{
  (void)state;
  const int n = 500;
  const double h = 1.0 / (2 * n);
  crTestRun run = openRun((Plan){ "mobile.lua", 1.0, 1e-9, { { 0 } }, cr_solverDop853 });
  double first = energyOf(&run), before = first, taken = 0.0;
  for (int i = 0; i <= 2 * n; ++i) {
    crTestRun_Advance(&run, i == 2 * n ? 1.0 : i * h);
    double weight = i == 0 || i == 2 * n ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    taken += weight * h / 3.0 * dissipationOf(&run);
    assert_true(energyOf(&run) <= before + 1e-12);
    before = energyOf(&run);
  }
  assert_true(taken > 1e-3);
  assert_close(first - energyOf(&run), taken, 1e-7 * taken);
  closeRun(&run);
}

// -------------------------------------------------------------------------------------- oscillator

// (k2 - m2 w^2) of the mode with squared frequency w2, over k2: cart 1 per cart 2.
static double modeRatio(double w2)
{
  return (15.0 - 0.5 * w2) / 15.0;
}

// m1 x1'' = -k1 x1 + k2 (x2 - x1), m2 x2'' = -k2 (x2 - x1), with 1 and 0.5 kg, 40 and 15 N/m, from rest.
static void oscillator_is_the_sum_of_its_normal_modes(void** state)
{
  (void)state;
  double a = 55.0 + 15.0 / 0.5, b = 40.0 * 15.0 / 0.5; // w^4 - a w^2 + b = 0
  double slow = (a - sqrt(a * a - 4.0 * b)) / 2.0, fast = (a + sqrt(a * a - 4.0 * b)) / 2.0;
  double r1 = modeRatio(slow), r2 = modeRatio(fast), x1 = 0.05, x2 = -0.1;
  double c1 = (x1 - r2 * x2) / (r1 - r2), c2 = x2 - c1;
  crTestRun run = openRun((Plan){ "two_mass_oscillator.lua", 0.0, 1e-11, { { 0 } }, cr_solverDop853 });
  for (int i = 0; i <= 20; ++i) {
    crTestRun_Advance(&run, 0.5 * i);
    double first = c1 * cos(sqrt(slow) * 0.5 * i), second = c2 * cos(sqrt(fast) * 0.5 * i);
    assert_close(crTestRun_Value(&run, "cart1Slide.position"), r1 * first + r2 * second, 1e-9);
    assert_close(crTestRun_Value(&run, "cart2Slide.position"), first + second, 1e-9);
  }
  closeRun(&run);
}

// ------------------------------------------------------------------------------------------ planet

// Half axis 1, period 1, eccentricity e: M = E - e sin E, x = cos E - e, y = sqrt(1 - e^2) sin E.
static crVec3 planetPlace(double e, double t)
{
  double mean = 2.0 * CR_PI * t, E = mean;
  for (int i = 0; i < 50; ++i) {
    E -= (E - e * sin(E) - mean) / (1.0 - e * cos(E));
  }
  return crMakeVec3(cos(E) - e, sqrt(1.0 - e * e) * sin(E), 0.0);
}

static void planet_follows_keplers_equation(void** state)
{
  (void)state;
  crTestRun run = openRun((Plan){ "planet.lua", 0.0, 1e-12, { { 0 } }, cr_solverDop853 });
  for (int i = 0; i <= 30; ++i) {
    crTestRun_Advance(&run, 0.1 * i);
    assert_vec_close(crTestRun_Pose(&run, "planet").p, planetPlace(0.5, 0.1 * i), 1e-8);
  }
  closeRun(&run);
}

// ------------------------------------------------------------------------------------------ bushing

// x(t) of m x'' + c x' + k x = 0 from rest at x0.
static double dampedPlace(double m, double c, double k, double x0, double t)
{
  double a = c / (2.0 * m), w = sqrt(k / m - a * a);
  return x0 * exp(-a * t) * (cos(w * t) + a / w * sin(w * t));
}

// Along the axes three oscillators; about z, without damping, sin(angle / 2) = k sn(K + w t) as of a pendulum.
static void block_on_a_bushing_is_three_oscillators_and_a_pendulum(void** state)
{
  (void)state;
  double inertia = 20.0 * (0.3 * 0.3 + 0.2 * 0.2) / 12.0;
  PendulumForm form = { sqrt(40.0 / inertia), sin(0.5) };
  crTestRun run = openRun((Plan){ "bushing.lua", 0.0, 1e-11, { { "angularDamping", "0" } }, cr_solverDop853 });
  for (int i = 0; i <= 30; ++i) {
    double t = 0.1 * i;
    crTestRun_Advance(&run, t);
    crPose X = crTestRun_Pose(&run, "block");
    assert_close(X.p.x, dampedPlace(20.0, 60.0, 8e3, 0.01, t), 1e-9);
    assert_close(X.p.y, dampedPlace(20.0, 60.0, 12e3, -0.02, t), 1e-9);
    assert_close(X.p.z, 0.2 + dampedPlace(20.0, 60.0, 3e4, 0.005, t), 1e-9);
    assert_close(atan2(X.R.cx.y, X.R.cx.x), pendulumAngle(&form, t), 1e-8);
  }
  closeRun(&run);
}

// ----------------------------------------------------------------------------------------- servo arm

// A way from `from` to `to` in the least time, with velocity and acceleration up to v and a; s from its start.
static double wayPlace(double from, double to, double v, double a, double s, double* outDuration)
{
  double way = fabs(to - from), rise = fmin(v / a, sqrt(way / a)), top = a * rise, cruise = way / top - rise;
  double end = 2.0 * rise + cruise, done = way;
  *outDuration = end;
  if (s < rise) {
    done = 0.5 * a * s * s;
  } else if (s < rise + cruise) {
    done = 0.5 * a * rise * rise + top * (s - rise);
  } else if (s < end) {
    done = way - 0.5 * a * (end - s) * (end - s);
  }
  return from + copysign(done, to - from);
}

static double pathPlace(const double* values, double t)
{
  double first, second, s = fmax(0.0, t - 0.5);
  double place = wayPlace(values[0], values[1], 1.5, 5.0, s, &first);
  return s < first ? place : wayPlace(values[1], values[2], 1.5, 5.0, s - first, &second);
}

// Of the voltage: e = 10 (r - q) - v, u = 30 (e + x), x' = e / 0.1; of the motor: 2e-3 i' = u - 1 i - 0.05 * 100 v,
// torque 0.05 * 100 i.
static double driveTorque(const double* values, double t, double q, double v, const double* x, double* outRates)
{
  double e = 10.0 * (pathPlace(values, t) - q) - v, u = 30.0 * (e + x[0]);
  outRates[0] = e / 0.1;
  outRates[1] = (fmin(fmax(u, -24.0), 24.0) - x[1] - 5.0 * v) / 2e-3;
  return 5.0 * x[1];
}

// Lagrange's equations in the absolute angles a and b of the links, which are boxes of 5 and 3 kg with a ball of 2 kg
// at the end; the rotors, 5e-5 kg m^2 behind gears of 100, turn with a and b - a. y: a, b, a', b', integral and current
// of each drive.
static void servoArmRates(double t, const double* y, double* outRates)
{
  static const double shoulder[3] = { 0.0, 1.2, 0.3 }, elbow[3] = { 0.0, -0.8, 1.0 };
  const double l1 = 0.5, l2 = 0.4, m1 = 5.0, m2 = 3.0, load = 2.0, rotor = 5e-5 * 100.0 * 100.0;
  double own1 = m1 * ((l1 * l1 + 0.08 * 0.08) / 12.0 + 0.25 * l1 * l1);
  double own2 = m2 * ((l2 * l2 + 0.08 * 0.08) / 12.0 + 0.25 * l2 * l2) + load * (0.4 * 0.05 * 0.05 + l2 * l2);
  double moment1 = 0.5 * m1 * l1 + (m2 + load) * l1, moment2 = 0.5 * m2 * l2 + load * l2;
  double c = l1 * moment2 * cos(y[0] - y[1]), s = l1 * moment2 * sin(y[0] - y[1]);
  double torque1 = driveTorque(shoulder, t, y[0], y[2], y + 4, outRates + 4);
  double torque2 = driveTorque(elbow, t, y[1] - y[0], y[3] - y[2], y + 6, outRates + 6);
  double m11 = own1 + (m2 + load) * l1 * l1 + 2.0 * rotor, m22 = own2 + rotor, m12 = c - rotor;
  double h1 = torque1 - torque2 - s * y[3] * y[3] - G * moment1 * cos(y[0]);
  double h2 = torque2 + s * y[2] * y[2] - G * moment2 * cos(y[1]);
  double determinant = m11 * m22 - m12 * m12;
  outRates[0] = y[2];
  outRates[1] = y[3];
  outRates[2] = (m22 * h1 - m12 * h2) / determinant;
  outRates[3] = (m11 * h2 - m12 * h1) / determinant;
}

static void servo_arm_solves_the_equations_of_arm_motors_and_servos(void** state)
{
  (void)state;
  const int perSample = 10000, samples = 12; // steps of 2.5e-5 s, against a time constant of 2e-3 s
  const double h = 0.25 / perSample;
  double y[8] = { 0.0 };
  crTestRun run = openRun((Plan){ "servo_arm.lua", 3.0, 1e-9, { { 0 } }, cr_solverDop853 });
  for (int i = 0; i < samples; ++i) {
    for (int k = 0; k < perSample; ++k) {
      stepClassical(servoArmRates, 8, 0.25 * i + k * h, h, y);
    }
    crTestRun_Advance(&run, 0.25 * (i + 1));
    assert_close(crTestRun_Value(&run, "shoulder.angle"), y[0], 1e-6);
    assert_close(crTestRun_Value(&run, "elbow.angle"), y[1] - y[0], 1e-6);
    assert_close(crTestRun_Value(&run, "shoulder.torque"), 5.0 * y[5], 1e-4);
    assert_close(crTestRun_Value(&run, "elbow.torque"), 5.0 * y[7], 1e-4);
  }
  closeRun(&run);
}

static void servo_arm_reaches_the_end_of_its_paths(void** state)
{
  (void)state;
  for (int solver = cr_solverAuto; solver < cr_solverKindCount; solver = crTestNextSolver(solver)) {
    crTestRun run = openRun((Plan){ "servo_arm.lua", 0.0, 0.0, { { 0 } }, (crSolverKind)solver });
    crTestRun_Advance(&run, 5.0);
    assert_close(crTestRun_Value(&run, "shoulder.angle"), 0.3, 1e-5);
    assert_close(crTestRun_Value(&run, "elbow.angle"), 1.0, 1e-5);
    closeRun(&run);
  }
}

// The probe is over each via point while both axes stand still, at the same time; its ray measures what lies there, and
// its distance to the post is that of two upright cylinders.
static void scan_arm_stops_over_each_part_and_measures_it(void** state)
{
  (void)state;
  static const struct {
    double x, y, top; // [m]
  } via[] = { { 0.65, -0.25, 0.45 }, { 0.6, 0.2, 0.52 }, { 0.35, 0.55, 0.6 }, { 0.1, 0.6, 0.4 } };
  crTestRun run = openRun((Plan){ "scan_arm.lua", 0.0, 0.0, { { 0 } }, cr_solverAuto });
  int reached = 0;
  for (int i = 1; i <= 1600; ++i) {
    crTestRun_Advance(&run, 0.005 * i);
    crVec3 p = crTestRun_Pose(&run, "eye").p;
    double first = crTestRun_Value(&run, "first.rate"), second = crTestRun_Value(&run, "second.rate");
    assert_true(fmax(fabs(first), fabs(second)) <= 1.5 + 1e-9);
    assert_close(crTestRun_Value(&run, "clearance.value"), hypot(p.x - 0.62, p.y - 0.48) - 0.05, 1e-9);
    bool isNext = reached < 4 && hypot(p.x - via[reached].x, p.y - via[reached].y) < 2e-4;
    if (isNext) { // within the few milliseconds in which it hardly moves
      assert_true(fmax(fabs(first), fabs(second)) < 0.05);
      assert_close(crTestRun_Value(&run, "height.value"), p.z - via[reached].top, 1e-9);
      assert_true(p.z - via[reached].top > 0.15);
      ++reached;
    }
  }
  assert_int_equal(reached, 4);
  assert_close(crTestRun_Value(&run, "height.value"), 0.25, 1e-4);
  closeRun(&run);
}

// --------------------------------------------------------------------------------------- tolerances

// At this tolerance the steps of the mobile are held by stability, but an implicit method is not worth its price; with
// a hundred times the damping it is.
static void auto_goes_back_from_an_implicit_method_that_does_not_pay(void** state)
{
  (void)state;
  static const char* const dampings[] = { "0.008", "0.6" };
  for (int i = 0; i < 2; ++i) {
    crTestRun run = openRun((Plan){ "mobile.lua", 5.0, 1e-4, { { "damping", dampings[i] } }, cr_solverAuto });
    crTestRun_Advance(&run, 5.0);
    crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
    assert_true(summary.methodSteps.radau5 > 0); // it was tried
    assert_true((summary.methodSteps.radau5 > summary.methodSteps.dopri5) == (i == 1));
    assert_true(summary.solverStatistics.evaluations < 4000);
    closeRun(&run);
  }
}

#define SAMPLES 16

// Largest error of a run against a closed form.
static double pendulumError(double tolerance, crSolverKind solver)
{
  PendulumForm form = makePendulumForm(0.8, 0.5);
  crTestRun run = openRun((Plan){ "pendulum.lua", 4.0, tolerance, { { 0 } }, solver });
  double error = 0.0;
  for (int i = 1; i <= SAMPLES; ++i) {
    double t = 4.0 * i / SAMPLES;
    crTestRun_Advance(&run, t);
    error = fmax(error, fabs(crTestRun_Value(&run, "pivot.angle") - pendulumAngle(&form, t)));
  }
  closeRun(&run);
  return error;
}

static double tumblingError(double tolerance, crSolverKind solver)
{
  TumblingForm form = makeTumblingForm(0.05, 6.0);
  crTestRun run = openRun((Plan){ "tumbling_body.lua", 4.0, tolerance, { { 0 } }, solver });
  double error = 0.0;
  for (int i = 1; i <= SAMPLES; ++i) {
    double t = 4.0 * i / SAMPLES;
    crTestRun_Advance(&run, t);
    error = fmax(error, crLength(crSub(bookRate(&run), tumblingRate(&form, t))));
  }
  closeRun(&run);
  return error;
}

static double planetError(double tolerance, crSolverKind solver)
{
  crTestRun run = openRun((Plan){ "planet.lua", 1.0, tolerance, { { 0 } }, solver });
  double error = 0.0;
  for (int i = 1; i <= SAMPLES; ++i) {
    double t = (double)i / SAMPLES;
    crTestRun_Advance(&run, t);
    error = fmax(error, crLength(crSub(crTestRun_Pose(&run, "planet").p, planetPlace(0.5, t))));
  }
  closeRun(&run);
  return error;
}

// Slope of log error over log tolerance by least squares. Halving by halving the error scatters, since the number of
// steps is whole and orders change; so sixteen halvings are taken together.
static double convergenceSlope(double (*errorOf)(double tolerance, crSolverKind solver), crSolverKind solver)
{
  const int count = 17;
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (int i = 0; i < count; ++i) {
    double tolerance = ldexp(1e-6, -i), x = log(tolerance), y = log(errorOf(tolerance, solver));
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

// The local error h^(k+1) is held at the tolerance. The global error goes with h^k, hence with tolerance^(k/(k+1)), for
// the multi-step methods, whose order k changes as they go; with h^(k+1), hence with the tolerance itself, for the
// one-step methods, which go on with the better one of two results. The step of radau5 goes with the power 1/6 of the
// tolerance and its error with h^5; the estimate of dop853 is a mixture of two orders, which falls with h^8 at last.
static void halving_the_tolerance_decreases_the_error_as_promised(void** state)
{
  (void)state;
  double (*const errors[])(double, crSolverKind) = { pendulumError, tumblingError, planetError };
  const char* const names[] = { "pendulum", "tumbling body", "planet" };
  const int kindCount = cr_solverKindCount - cr_solverIda;
  for (int i = 0; i < 3 * kindCount; ++i) {
    crSolverKind solver = (crSolverKind)(cr_solverIda + i % kindCount);
    if (!crTestHasSolver(solver)) {
      continue;
    }
    const crSolverInfo* info = crGetSolverInfo(solver);
    double slope = convergenceSlope(errors[i / kindCount], solver);
    bool isMixed = solver == cr_solverRadau5 || solver == cr_solverDop853;
    double least = isMixed ? 0.75 : crTestIsOneStep(solver) ? 0.9 : 0.55;
    if (!(slope > least && slope < 1.35)) {
      print_error("%s with %s: the error goes with tolerance^%g\n", names[i / kindCount], info->name, slope);
      fail();
    }
  }
}

// The test for stiffness was once left out wherever a step passed an output point, so the solver depended on these.
static void output_points_do_not_change_what_auto_chooses(void** state)
{
  (void)state;
  double ends[2][64];
  for (int i = 0; i < 2; ++i) {
    crTestRun run =
        openRun((Plan){ "mobile.lua", 2.0, 1e-5, { { "depth", "3" }, { "damping", "0.06" } }, cr_solverAuto });
    crTreeSet all = crModel_GetAllTrees(run.model);
    assert_true(crModel_CountStates(run.model, all) <= 64);
    for (int k = 1; k <= (i == 0 ? 1 : 2000); ++k) {
      crTestRun_Advance(&run, i == 0 ? 2.0 : 2.0 * k / 2000);
    }
    memset(ends[i], 0, sizeof ends[i]);
    crInstance_GetState(run.instance, all, ends[i]);
    assert_true(crSimulation_GetSummary(run.simulation).methodSteps.radau5 > 0);
    closeRun(&run);
  }
  assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
}

// ----------------------------------------------------------------------------------------- all of them

static bool endsWith(const char* name, const char* ending)
{
  size_t size = strlen(name), length = strlen(ending);
  return size > length && strcmp(name + size - length, ending) == 0;
}

// Calls back for every file below the examples with this ending, and returns their number.
static int forEachFile(const char* folder, const char* ending, void (*visit)(const char* path))
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", EXAMPLES, folder);
  DIR* entries = opendir(path);
  assert_non_null(entries);
  int count = 0;
  for (struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
    if (endsWith(entry->d_name, ending)) {
      snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
      visit(path);
      ++count;
    }
  }
  closedir(entries);
  return count;
}

// [s] To its own stop time, unless that would take long or ends in a warning that belongs there (a ball on a sharp edge
// is deep against its contact radius); test_examples_toys.c and test_examples_energy.c have these.
static double stopOf(const char* name)
{
  const struct {
    const char* name;
    double stop;
  } shorter[] = { { "dominoes.lua", 0.2 },        { "marble_run.lua", 1.0 },  { "robot_arm.lua", 1.0 },
                  { "bowling.lua", 0.1 },         { "brick_wall.lua", 0.05 }, { "corner_spheres.lua", 0.1 },
                  { "involute_gears.lua", 0.01 }, { "geneva.lua", 0.3 } };
  for (size_t i = 0; i < sizeof shorter / sizeof *shorter; ++i) {
    if (strcmp(name, shorter[i].name) == 0) {
      return shorter[i].stop;
    }
  }
  return 0.0; // its own
}

// At its own tolerance.
static void assertRuns(const char* name)
{
  crTestRun run = { .log = crCreateErrorLog(NULL) };
  char path[1024];
  crRunEnd end = cr_runFailed;
  run.sink = crErrorLog_GetSink(run.log);
  snprintf(path, sizeof path, "%s/%s", EXAMPLES, name);
  assert_int_equal(crReadModel(path, NULL, NULL, &run.sink, &run.scene), cr_ok);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stopOf(name);
  crTestRun_Start(&run, &options);
  assert_non_null(run.simulation);
  crSimulation_Run(run.simulation, NULL, &end);
  assert_int_equal(end, cr_runComplete);
  closeRun(&run);
}

static void every_example_runs_to_its_end(void** state)
{
  (void)state;
  assert_true(forEachFile("", ".lua", assertRuns) >= 15);
}

static char readme[32768];

static void assertIsListed(const char* name)
{
  char link[2100];
  snprintf(link, sizeof link, "| [%s](%s) | ", name, name);
  if (strstr(readme, link) == NULL) {
    print_error("examples/README.md has no line for %s\n", name);
    fail();
  }
}

static void the_readme_has_a_line_for_every_example(void** state)
{
  (void)state;
  FILE* file = fopen(EXAMPLES "/README.md", "rb");
  assert_non_null(file);
  size_t size = fread(readme, 1, sizeof readme - 1, file);
  readme[size] = '\0';
  fclose(file);
  assert_true(forEachFile("", ".lua", assertIsListed) >= 15);
  assert_true(forEachFile("c/", ".c", assertIsListed) >= 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(pendulum_has_the_period_of_the_elliptic_integral),
    cmocka_unit_test(double_pendulum_solves_lagranges_equations),
    cmocka_unit_test(double_pendulum_keeps_its_energy),
    cmocka_unit_test(chain_keeps_its_energy),
    cmocka_unit_test(chain_of_two_links_is_the_double_pendulum),
    cmocka_unit_test(spherical_pendulum_keeps_energy_and_vertical_momentum),
    cmocka_unit_test(conical_pendulum_goes_round_with_its_closed_form),
    cmocka_unit_test(top_precesses_steadily_with_its_closed_form),
    cmocka_unit_test(nodding_top_keeps_energy_and_two_momenta),
    cmocka_unit_test(tumbling_body_follows_jacobis_functions),
    cmocka_unit_test(mobile_loses_what_its_dampers_take),
    cmocka_unit_test(oscillator_is_the_sum_of_its_normal_modes),
    cmocka_unit_test(planet_follows_keplers_equation),
    cmocka_unit_test(block_on_a_bushing_is_three_oscillators_and_a_pendulum),
    cmocka_unit_test(servo_arm_solves_the_equations_of_arm_motors_and_servos),
    cmocka_unit_test(servo_arm_reaches_the_end_of_its_paths),
    cmocka_unit_test(scan_arm_stops_over_each_part_and_measures_it),
    cmocka_unit_test(halving_the_tolerance_decreases_the_error_as_promised),
    cmocka_unit_test(auto_goes_back_from_an_implicit_method_that_does_not_pay),
    cmocka_unit_test(output_points_do_not_change_what_auto_chooses),
    cmocka_unit_test(every_example_runs_to_its_end),
    cmocka_unit_test(the_readme_has_a_line_for_every_example),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
