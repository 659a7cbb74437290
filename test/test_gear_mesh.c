// Gear pairs with involute teeth: lengths, the energy of their teeth, and what shafts do with it.
#include "geometry/gear.h"
#include "support/lua.h"
#include "support/test.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

static crGearData makeGears(double teethA, double teethB)
{
  return (crGearData){
    .teethA = teethA, .teethB = teethB, .module = 0.002, .pressureAngle = CR_PI / 9.0, .faceWidth = 0.02, .E = 2.06e11
  };
}

static crGearMesh mesh(const crGearData* data)
{
  crGearMesh made;
  const char* why = crMakeGearMesh(data, &made);
  assert_true(why == NULL);
  return made;
}

// ------------------------------------------------------------------------------------------------ lengths

// The formula of textbooks; of 20 and 40 teeth it is 1.635.
static void contact_ratio_is_that_of_the_formula(void** state)
{
  (void)state;
  crGearData data = makeGears(20, 40);
  crGearMesh m = mesh(&data);
  double rA = 0.02, rB = 0.04, c = cos(CR_PI / 9.0), s = sin(CR_PI / 9.0);
  double path = sqrt(0.022 * 0.022 - rA * c * rA * c) + sqrt(0.042 * 0.042 - rB * c * rB * c) - 0.06 * s;
  assert_close(crComputeContactRatio(&m), path / (CR_PI * 0.002 * c), 1e-14);
  assert_close(crComputeContactRatio(&m), 1.635, 5e-4);
  assert_close(m.centre, 0.06, 1e-16);
}

// The centre distance of shifted gears, from the involute of the working angle: 24 and 36 teeth with 0.4 and 0.2.
static void shifted_gears_are_farther_apart(void** state)
{
  (void)state;
  crGearData data = makeGears(24, 36);
  data.shiftA = 0.4;
  data.shiftB = 0.2;
  crGearMesh m = mesh(&data);
  double a = CR_PI / 9.0, involute = tan(a) - a + 2.0 * tan(a) * 0.6 / 60.0;
  assert_close(tan(m.angle) - m.angle, involute, 1e-15);
  assert_close(m.centre, 0.06 * cos(a) / cos(m.angle), 1e-16);
  assert_true(m.centre > 0.0611 && m.centre < 0.0612); // less than the sum of the shifts
}

// ---------------------------------------------------------------------------------------------------- gap

// Of the tip of B to the flank of A, both drawn by the test: a point of the flank has the tangent t from the base
// circle, and turns with its gear. The nearest one is looked for.
static double measureGap(const crGearMesh* m, double before)
{
  double s = sin(m->angle), c = cos(m->angle), xi = -m->approach;
  double t0 = m->baseA * tan(m->angle) + xi; // tangent length of the contact at the end of the path
  // tip of B there, and turned back
  double x0 = m->baseA / c + xi * s - m->centre, y0 = xi * c, turn = before / m->baseB;
  double x = m->centre + x0 * cos(turn) - y0 * sin(turn), y = x0 * sin(turn) + y0 * cos(turn);
  double best = HUGE_VAL, low = 0.0, high = 3.0 * t0 + 0.01;
  for (int pass = 0; pass < 40; ++pass) {
    double step = (high - low) / 100.0, at = low;
    for (int i = 0; i <= 100; ++i) {
      double t = low + i * step, angle = -m->angle + t0 / m->baseA - t / m->baseA - before / m->baseA;
      double px = m->baseA * cos(angle) - t * sin(angle), py = m->baseA * sin(angle) + t * cos(angle);
      double distance = sqrt((px - x) * (px - x) + (py - y) * (py - y));
      at = distance < best ? t : at;
      best = fmin(best, distance);
    }
    low = fmax(0.0, at - 2.0 * step);
    high = at + 2.0 * step;
  }
  return best;
}

static void tips_beyond_the_path_have_the_gap_of_the_drawing(void** state)
{
  (void)state;
  crGearData data = makeGears(20, 31);
  crGearMesh m = mesh(&data);
  for (int i = 1; i <= 20; ++i) {
    double before = 0.05 * i * m.pitch, slope;
    assert_close(crComputeToothGap(&m, -m.approach - before, &slope) / measureGap(&m, before), 1.0, 1e-6);
    assert_true(slope < 0.0);
  }
  data = makeGears(31, 20); // the other end, seen from the other gear
  crGearMesh turned = mesh(&data);
  double slope, turnedSlope, x = 0.3 * m.pitch;
  assert_close(crComputeToothGap(&m, m.recess + x, &slope),
               crComputeToothGap(&turned, -turned.approach - x, &turnedSlope), 1e-16);
  assert_close(slope, -turnedSlope, 1e-12);
}

static void gaps_begin_smoothly_at_the_ends_of_the_path(void** state)
{
  (void)state;
  crGearData data = makeGears(20, 31);
  crGearMesh m = mesh(&data);
  double slope;
  for (double xi = -m.approach; xi <= m.recess; xi += 0.01 * m.pitch) {
    assert_true(crComputeToothGap(&m, xi, &slope) == 0.0 && slope == 0.0);
  }
  assert_close(crComputeToothGap(&m, m.recess + 1e-9, &slope), 0.0, 1e-15);
  assert_close(slope, 0.0, 1e-6);
  data.tipRelief = 20e-6;
  m = mesh(&data);
  assert_close(crComputeToothGap(&m, -m.approach, &slope), 20e-6, 1e-18);
  assert_close(crComputeToothGap(&m, m.recess, &slope), 20e-6, 1e-18);
  assert_close(crComputeToothGap(&m, 0.0, &slope), 0.0, 0.0);
  for (double xi = -m.approach - m.pitch; xi < m.recess + m.pitch; xi += 0.013 * m.pitch) {
    double unused, h = 1e-7;
    double d = (crComputeToothGap(&m, xi + h, &unused) - crComputeToothGap(&m, xi - h, &unused)) / (2.0 * h);
    crComputeToothGap(&m, xi, &slope);
    assert_close(slope, d, 1e-5);
  }
}

// ------------------------------------------------------------------------------------------------- energy

static void forces_are_slopes_of_the_energy(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(17);
  crGearData data = makeGears(17, 29);
  for (int i = 0; i < 2000; ++i) {
    data.tipRelief = i % 2 == 0 ? 0.0 : 15e-6;
    crGearMesh m = mesh(&data);
    double backlash = i % 3 == 0 ? 1e-3 : 0.0, h = 1e-9, H = 1e-7;
    double e = crRandom_Uniform(&random, -5e-3, 5e-3), psi = crRandom_Uniform(&random, -7.0, 7.0);
    crGearPush push = crComputeGearPush(&m, backlash, e, psi);
    double perAngle =
        (crComputeGearPush(&m, backlash, e + h, psi).energy - crComputeGearPush(&m, backlash, e - h, psi).energy) /
        (2.0 * h);
    double perPhase =
        (crComputeGearPush(&m, backlash, e, psi + H).energy - crComputeGearPush(&m, backlash, e, psi - H).energy) /
        (2.0 * H);
    double scale = m.stiffness * m.baseA * m.baseA * fabs(e) + 1e-3;
    assert_close(push.perAngle, perAngle, 1e-4 * scale);
    assert_close(push.perPhase, perPhase, 1e-4 * scale);
    assert_true(push.energy >= 0.0 && push.perAngle * e >= 0.0);
  }
}

// As many pairs as the contact ratio says: by time one or two.
static void pairs_of_teeth_share_the_load(void** state)
{
  (void)state;
  crGearData data = makeGears(20, 40);
  crGearMesh m = mesh(&data);
  double sum = 0.0, e = 1e-9, half = 0.5 * (m.approach + m.recess);
  int count = 20000;
  for (int i = 0; i < count; ++i) {
    sum += crComputeGearPush(&m, 0.0, e, i * m.pitch / m.baseA / count).perAngle / count;
  }
  // mean of the parabola over its path: 1 - 0.45 / 3
  double mean = m.stiffness * (1.0 - 0.15) * 2.0 * half / m.pitch;
  assert_close(sum / (m.baseA * m.baseA * e) / mean, 1.0, 1e-3);
  assert_close(mean / m.stiffness / 0.85, crComputeContactRatio(&m), 1e-12);
}

// ------------------------------------------------------------------------------------------------- models

#define SHAFTS                                                                                                         \
  "scene{ gravity = 'none' }\nlocal w = world('w')\n"                                                                  \
  "local a = shaft('a', w, { inertia = 0.001, %s })\nlocal b = shaft('b', w, { inertia = 0.004, %s })\n"               \
  "gearPair('g', a, b, { teethA = 20, teethB = 40, module = 0.002, faceWidth = 0.02, %s })\n"

static crTestRun openGears(const char* ofA, const char* ofB, const char* ofPair, double stop, double tolerance)
{
  char text[1024];
  snprintf(text, sizeof text, SHAFTS, ofA, ofB, ofPair);
  return crOpenTestText(text, stop, tolerance, cr_solverDefault);
}

// The single stiffness of ISO 6336 of steel gears with 20 and 40 teeth, per width [N/m^2].
static double isoStiffness(void)
{
  double q = 0.04723 + 0.15551 / 20 + 0.25791 / 40;
  return 0.8 * (1.0 + 0.5 * (1.2 - 1.25)) * 1e9 / q;
}

// B is held at an angle, A is loaded: it gives way by the force over the stiffness of the pairs that touch.
static void static_deflection_is_that_of_the_formula(void** state)
{
  (void)state;
  crGearData data = makeGears(20, 40);
  crGearMesh m = mesh(&data);
  double torque = 2.0, r = 0.02 * cos(CR_PI / 9.0), half = 0.5 * (m.approach + m.recess);
  double middle = 0.5 * (m.recess - m.approach);
  assert_close(m.stiffness, 0.02 * isoStiffness(), 1.0);
  assert_true(isoStiffness() > 12e9 && isoStiffness() < 14e9); // about 14 N / (mm um), as the standard says
  const double places[] = { 0.0, 0.1, 0.3, 0.48, -0.3 };       // of a pair, in pitches behind the pitch point
  for (int i = 0; i < 5; ++i) {
    char held[96];
    double angle = places[i] * m.pitch / r; // of A, without load
    snprintf(held, sizeof held, "motion = constant('held', { value = %.17g })", -0.5 * angle);
    crTestRun run = openGears("torque = constant('load', { value = 2 })", held, "damping = 2", 0.2, 1e-9);
    double e = crTestRun_ValueAt(&run, 0.2, "g.deflection"), stiffness = 0.0;
    for (int j = -2; j <= 2; ++j) {
      double u = (places[i] * m.pitch + 0.5 * r * e + j * m.pitch - middle) / half;
      stiffness += fabs(u) < 1.0 ? m.stiffness * (1.0 - 0.45 * u * u) : 0.0;
    }
    assert_close(crTestRun_Value(&run, "a.rate"), 0.0, 1e-7);
    // psi follows A at half its rate: what pushes along it is small
    assert_close(e * r * r * stiffness / torque, 1.0, 2e-3);
    crCloseTestRun(&run);
  }
}

// Without damping, with torques of a spring-like kind: stiffness that changes neither makes nor takes energy.
static void meshing_keeps_energy(void** state)
{
  (void)state;
  static const char* const pairs[] = { "", "backlash = 1e-3", "tipRelief = 10e-6",
                                       "tipRelief = 10e-6, backlash = 5e-4" };
  for (int i = 0; i < 4; ++i) {
    crTestRun run = openGears("startRate = 60, stiffness = 20", "startRate = -29.9", pairs[i], 0.3, 1e-10);
    double before = crTestRun_Energy(&run), most = 0.0;
    for (int k = 1; k <= 30; ++k) {
      crTestRun_Advance(&run, 0.01 * k);
      most = fmax(most, fabs(crTestRun_Energy(&run) / before - 1.0));
    }
    assert_true(most < 1e-6);
    assert_true(fabs(crTestRun_Value(&run, "g.deflection")) < 2e-3);
    crCloseTestRun(&run);
  }
}

// Driven against a load for many turns, the ratio is that of the teeth, within the deflection.
static void the_ratio_is_exact_on_average(void** state)
{
  (void)state;
  crTestRun run = openGears("startRate = 62.8, torque = constant('drive', { value = 3 })",
                            "startRate = -31.4, torque = constant('load', { value = 6 })", "damping = 0.5", 1.0, 1e-8);
  double a = crTestRun_ValueAt(&run, 1.0, "a.angle"), b = crTestRun_Value(&run, "b.angle");
  assert_true(a > 60.0);
  assert_close(a + 2.0 * b, crTestRun_Value(&run, "g.deflection"), 1e-12);
  assert_true(fabs(a + 2.0 * b) < 5e-4);
  assert_true(fabs(crTestRun_Unexplained(&run)) < 1e-4);
  crCloseTestRun(&run);
}

static void gears_that_do_not_mesh_are_told(void** state)
{
  (void)state;
  static const struct {
    const char *line, *says;
  } cases[] = {
    { "ratio = 2, module = 0.002, faceWidth = 0.01", "teethA" },
    { "teethA = 20, teethB = 40, faceWidth = 0.01", "need a module" },
    { "teethA = 20, teethB = 40.5, module = 0.002, faceWidth = 0.01", "a whole number" },
    { "teethA = 20, teethB = 40, module = 0.002", "faceWidth" },
    { "teethA = 20, teethB = 40, module = 0.002, faceWidth = 0.01, pressureAngle = 20", "math.rad(20)" },
    { "teethA = 20, teethB = 40, module = 0.002, faceWidth = 0.01, stiffness = 5", "and no other" },
    { "teethA = 20, teethB = 40, module = 0.002, faceWidth = 0.01, internal = true", "outside" },
    { "teethA = 20, teethB = 40, module = 0.002, faceWidth = 0.01, tipRelief = -1", "tipRelief" },
    { "teethA = 20, teethB = 40, module = 0.002, faceWidth = 0.01, shiftA = -9", "no room for involutes" },
    { "teethA = 8, teethB = 60, module = 0.002, faceWidth = 0.01", "below the base circle" },
    { "teethA = 3, teethB = 8, module = 0.002, faceWidth = 0.01, pressureAngle = 0.511, shiftA = 1.17, shiftB = -0.66",
      "contact ratio" },
    { "teethA = 40, teethB = 40, module = 0.002, faceWidth = 0.01, shiftA = -1.6, shiftB = 1.6", "the pitch point" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[512];
    snprintf(
        text, sizeof text,
        "local w = world('w')\ngearPair('g', shaft('a', w, { inertia = 1 }), shaft('b', w, { inertia = 1 }), { %s })",
        cases[i].line);
    crTestModel model = crTestModel_Read(text, NULL);
    assert_int_equal(model.status, cr_errorModel);
    assert_true(crTestModel_Says(&model, cases[i].says));
    crTestModel_Free(&model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(contact_ratio_is_that_of_the_formula),
    cmocka_unit_test(shifted_gears_are_farther_apart),
    cmocka_unit_test(tips_beyond_the_path_have_the_gap_of_the_drawing),
    cmocka_unit_test(gaps_begin_smoothly_at_the_ends_of_the_path),
    cmocka_unit_test(forces_are_slopes_of_the_energy),
    cmocka_unit_test(pairs_of_teeth_share_the_load),
    cmocka_unit_test(static_deflection_is_that_of_the_formula),
    cmocka_unit_test(meshing_keeps_energy),
    cmocka_unit_test(the_ratio_is_exact_on_average),
    cmocka_unit_test(gears_that_do_not_mesh_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
