// Motions from way point to way point: limits of velocity, acceleration and jerk, paths that are synchronized, splines
// of other signals; against closed forms.
#include "support/lua.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AXIS                                                                                                           \
  "scene{ gravity = 'none' }\nlocal w = world('w')\n"                                                                  \
  "local function axis(name, motion)\n"                                                                                \
  "  revolute(name, w, object(name .. 'Link', { mass{ mass = 1, inertia = { 1, 1, 1 } } }), { motion = motion })\n"    \
  "end\n"

// What is recorded: angle, rate, and the acceleration, which is the torque on an inertia of 1.
static double accelerationAt(crTestRun* run, double t, const char* joint)
{
  char name[32];
  snprintf(name, sizeof name, "%s.torque", joint);
  return crTestRun_ValueAt(run, t, name);
}

// By the limits that a leg reaches: all of them; velocity alone; acceleration alone; none.
static void a_path_with_a_jerk_limit_takes_the_least_time(void** state)
{
  (void)state;
  static const struct {
    double way, v, a, j, tj, ta, tv;
  } cases[] = {
    { 10, 2, 1, 2, 0.5, 1.5, 2.5 }, // t_j = a / j, t_a = v / a - t_j, t_v = D / v - 2.5
    { 10, 0.5, 1, 0.5, 1, 0, 18 },  // v j < a^2: t_j = sqrt(v / j)
    { 3, 10, 1, 2, 0.5, 1, 0 },     // t_a = (sqrt(1 / 4 + 12) - 3 / 2) / 2 = 1
    { 2, 10, 10, 1, 1, 0, 0 },      // t_j = cbrt(D / 2 j)
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    double sign = i % 2 == 0 ? 1 : -1, tj = cases[i].tj, ta = cases[i].ta, tv = cases[i].tv;
    double total = 4 * tj + 2 * ta + tv;
    char text[1024];
    snprintf(text, sizeof text,
             AXIS "axis('q', path('p', { values = { 1, %.17g }, maxVelocity = %g, maxAcceleration = %g, maxJerk = %g,\n"
                  "  start = 0.5 }))\n",
             1 + sign * cases[i].way, cases[i].v, cases[i].a, cases[i].j);
    if (i == 2) { // 3.0625 rather than 3 for whole times
      snprintf(text, sizeof text,
               AXIS "axis('q', path('p', { values = { 1, 4 }, maxVelocity = 10, maxAcceleration = 1, maxJerk = 2,\n"
                    "  start = 0.5 }))\n");
      ta = 0.5 * (sqrt(0.25 + 12) - 1.5);
      total = 4 * tj + 2 * ta;
    }
    crTestRun run = crOpenTestText(text, total + 1, 1e-8, cr_solverAuto);
    double largestRate = 0, largestAcceleration = 0, last = 0, jerk = 0;
    int steps = 4000;
    for (int k = 0; k <= steps; ++k) {
      double t = (total + 1) * k / steps, a = accelerationAt(&run, t, "q");
      largestRate = fmax(largestRate, fabs(crTestRun_Value(&run, "q.rate")));
      largestAcceleration = fmax(largestAcceleration, fabs(a));
      jerk = k > 0 ? fmax(jerk, fabs(a - last) * steps / (total + 1)) : 0;
      last = a;
      if (fabs(t - (0.5 + total / 2)) < 1e-12) { // half way at half time
        assert_close(crTestRun_Value(&run, "q.angle"), 1 + 0.5 * sign * cases[i].way, 1e-12);
      }
      if (t >= 0.5 + total) {
        assert_close(crTestRun_Value(&run, "q.angle"), 1 + sign * cases[i].way, 1e-13);
        assert_close(crTestRun_Value(&run, "q.rate"), 0, 1e-13);
      }
    }
    double peakA = cases[i].j * tj, peakV = peakA * (tj + ta);
    assert_close(largestAcceleration, peakA, 2e-3 * peakA);
    assert_close(largestRate, peakV, 1e-5 * peakV);
    assert_true(largestRate <= cases[i].v * (1 + 1e-12) && largestAcceleration <= cases[i].a * (1 + 1e-12));
    assert_true(jerk <= cases[i].j * (1 + 1e-6));
    crCloseTestRun(&run);
  }
}

// Legs of three axes end together, at the times of the slowest, each within its own limits.
static void synchronized_paths_arrive_together(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      AXIS "path('p1', { values = { 0, 1, 1 }, maxVelocity = 1, maxAcceleration = 2, sync = { 'p2' } })\n"
           "path('p2', { values = { 0, -4, -3 }, maxVelocity = 1, maxAcceleration = 1, maxJerk = 4 })\n"
           "path('p3', { values = { 2, 2.5, 4 }, maxVelocity = 3, maxAcceleration = 1, sync = { 'p1' } })\n"
           "axis('q1', 'p1')\naxis('q2', 'p2')\naxis('q3', 'p3')\n",
      10, 1e-8, cr_solverAuto);
  // p2: 4 at v = 1, a = 1, j = 4: t_j = 0.25, t_a = 0.75: 4 / 1 + 1.25 = 5.25 s; then 1 way: t_a from a quadratic
  double first = 5.25, slow2 = 4 * 0.25 + 2 * 0.5 * (sqrt(0.0625 + 4) - 0.75), slow3 = 2 * sqrt(1.5);
  double second = fmax(slow2, slow3);
  assert_close(crTestRun_ValueAt(&run, 0.5 * first, "q1.angle"), 0.5, 1e-12);
  assert_close(crTestRun_Value(&run, "q2.angle"), -2, 1e-12);
  assert_close(crTestRun_Value(&run, "q3.angle"), 2.25, 1e-12);
  assert_true(fabs(crTestRun_Value(&run, "q1.rate")) < 1 && fabs(crTestRun_Value(&run, "q3.rate")) > 0.1);
  crTestRun_Advance(&run, first);
  const char* const names[] = { "q1", "q2", "q3" };
  const double after[][2] = { { 1, 1 }, { -4, -3 }, { 2.5, 4 } };
  for (int leg = 0; leg < 2; ++leg) {
    crTestRun_Advance(&run, first + leg * second);
    for (int i = 0; i < 3; ++i) {
      char name[32];
      snprintf(name, sizeof name, "%s.angle", names[i]);
      assert_close(crTestRun_Value(&run, name), after[i][leg], 1e-12);
      snprintf(name, sizeof name, "%s.rate", names[i]);
      assert_close(crTestRun_Value(&run, name), 0, 1e-12);
    }
  }
  // the slowest of the second leg goes at its limit
  assert_true(slow3 > slow2);
  crCloseTestRun(&run);
}

// sin(pi x / 2) has no curvature at 0 and 2, so that a spline through its points meets it to fourth order; one through
// points of a line is the line.
static void a_spline_of_a_signal_has_the_chain_rule(void** state)
{
  (void)state;
  char text[8192];
  int used = snprintf(text, sizeof text,
                      AXIS "local points, values = {}, {}\n"
                           "for i = 0, 40 do points[i + 1] = i / 20; values[i + 1] = math.sin(pi * i / 40) end\n"
                           "local s = path('s', { values = { 0, 2 }, maxVelocity = 1, maxAcceleration = 1 })\n"
                           "axis('q', spline('f', { input = s, points = points, values = values }))\n"
                           "axis('r', spline('g', { input = s, points = { 0, 1.5, 2 }, values = { 1, 4, 5 } }))\n"
                           "axis('s1', 's')\n");
  assert_true(used < (int)sizeof text);
  crTestRun run = crOpenTestText(text, 4, 1e-8, cr_solverAuto);
  for (int i = 1; i < 30; ++i) {
    double a = accelerationAt(&run, 0.1 * i, "q"), x = crTestRun_Value(&run, "s1.angle"),
           v = crTestRun_Value(&run, "s1.rate");
    double c = crTestRun_Value(&run, "s1.torque"), w = CR_PI / 2;
    assert_close(crTestRun_Value(&run, "q.angle"), sin(w * x), 1e-7);
    assert_close(crTestRun_Value(&run, "q.rate"), w * cos(w * x) * v, 1e-5);
    assert_close(a, -w * w * sin(w * x) * v * v + w * cos(w * x) * c, 3e-3);
    assert_close(crTestRun_Value(&run, "r.angle"), 1 + 2 * x, 1e-14);
    assert_close(crTestRun_Value(&run, "r.rate"), 2 * v, 1e-14);
  }
  crCloseTestRun(&run);
}

// Constant speed through way points without a stop: the input runs evenly, the axes follow splines; beyond the ends
// they go on straight.
static void a_spline_passes_its_points_and_goes_on_straight(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      AXIS
      "local s = timeTable('s', { times = { 0, 6 }, values = { -1, 5 } })\n"
      "output('f', { signal = spline('spl', { input = s, points = { 0, 1, 2.5, 4 }, values = { 1, 3, -2, 0 } }) })\n",
      6, 1e-8, cr_solverAuto);
  static const double times[] = { 1, 2, 3.5, 5 }, values[] = { 1, 3, -2, 0 };
  for (int i = 0; i < 4; ++i) {
    assert_close(crTestRun_ValueAt(&run, times[i], "f.value"), values[i], 1e-13);
  }
  double end = crTestRun_ValueAt(&run, 6, "f.value"), middle;
  crCloseTestRun(&run);
  run = crOpenTestText(
      AXIS
      "local s = timeTable('s', { times = { 0, 6 }, values = { -1, 5 } })\n"
      "output('f', { signal = spline('spl', { input = s, points = { 0, 1, 2.5, 4 }, values = { 1, 3, -2, 0 } }) })\n",
      6, 1e-8, cr_solverAuto);
  middle = crTestRun_ValueAt(&run, 5.5, "f.value");
  assert_close(end, 2 * middle, 1e-13);
  crCloseTestRun(&run);
}

static void faults_of_motions_are_told(void** state)
{
  (void)state;
  static const struct {
    const char* line;
    const char* says;
    bool isRead;
  } cases[] = {
    { "path('p', { values = { 0, 1 }, maxVelocity = 1, maxAcceleration = 1, maxJerk = -1 })", "maxJerk", false },
    { "path('p', { values = { 0, 1 }, maxVelocity = 1, maxAcceleration = 1, sync = { 'x' } })",
      "a path to be synchronized with is unknown", true },
    { "path('p', { values = { 0, 1 }, maxVelocity = 1, maxAcceleration = 1, sync = { 'k' } })",
      "paths are synchronized with paths", true },
    { "path('p', { values = { 0, 1, 2 }, maxVelocity = 1, maxAcceleration = 1, sync = { 'o' } })",
      "the paths cannot be synchronized", true },
    { "path('p', { values = { 0, 1 }, maxVelocity = 1, maxAcceleration = 1, start = 1, sync = { 'o' } })",
      "the paths cannot be synchronized", true },
    { "spline('p', { input = 'k', points = { 0 }, values = { 1 } })", "too few points", false },
    { "spline('p', { input = 'k', points = { 0, 1 }, values = { 1 } })", "as many values as points", false },
    { "spline('p', { input = 'k', points = { 0, 0 }, values = { 1, 2 } })", "does not follow the point before", false },
    { "spline('p', { points = { 0, 1 }, values = { 1, 2 } })", "input", false },
    { "spline('p', { input = 'x', points = { 0, 1 }, values = { 1, 2 } })", "input is unknown", true },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[1024];
    snprintf(text, sizeof text,
             "world('w')\nconstant('k', { value = 1 })\n"
             "path('o', { values = { 0, 1 }, maxVelocity = 1, maxAcceleration = 1 })\n%s\n",
             cases[i].line);
    crTestModel model = crTestModel_Read(text, NULL);
    crModel* compiled = NULL;
    assert_int_equal(model.status, cases[i].isRead ? cr_ok : cr_errorModel);
    if (cases[i].isRead) {
      assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_errorModel);
    }
    assert_true(crTestModel_Says(&model, cases[i].says));
    assert_true(crTestModel_Says(&model, "p: "));
    crTestModel_Free(&model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_path_with_a_jerk_limit_takes_the_least_time),
    cmocka_unit_test(synchronized_paths_arrive_together),
    cmocka_unit_test(a_spline_of_a_signal_has_the_chain_rule),
    cmocka_unit_test(a_spline_passes_its_points_and_goes_on_straight),
    cmocka_unit_test(faults_of_motions_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
