// Where bodies begin that start at rest: as deep in what carries them as Hertz says of the weight above.
#include "support/lua.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

#define E 1e9
#define NU 0.3
#define G 9.81

// [m] Of a contact between two radii under a load.
static double findDepth(double radiusA, double radiusB, double load)
{
  double radius = isinf(radiusA) ? radiusB : radiusA * radiusB / (radiusA + radiusB);
  return pow(load / (4.0 / 3.0 * E / (1.0 - NU * NU) / 2.0 * sqrt(radius)), 2.0 / 3.0);
}

#define MATERIALS                                                                                                      \
  "solidMaterial('M', { density = 1000, E = 1e9, nu = 0.3 })\n"                                                        \
  "contactPair('M', 'M', { cor = 0.5, muK = 0.3, muR = 0 })\n"

// A ball under gravity of any direction, on a half-space across it.
static void a_ball_starts_at_its_static_depth_whatever_way_is_down(void** state)
{
  (void)state;
  static const double ways[][3] = {
    { 0, 0, -1 }, { 0, -1, 0 }, { 1, 0, 0 }, { 0.48, -0.6, -0.64 }, { -0.64, 0.48, 0.6 }
  };
  for (int i = 0; i < 5; ++i) {
    crVec3 down = crMakeVec3(ways[i][0], ways[i][1], ways[i][2]);
    for (int above = 0; above < 2; ++above) { // found above and inside
      crVec3 p = crScale(above ? -0.0502 : -0.0499, down);
      char text[1024];
      crVec3 g = crScale(G, down);
      snprintf(text, sizeof text,
               "scene{ gravity = { %.17g, %.17g, %.17g } }\n" MATERIALS "world('w')\n"
               "object('floor', { parent = 'w', rotation = { %.17g, %.17g, %.17g, 0 },\n" // z turned to up
               "  solid{ shape = halfSpace{}, contact = 'M' } })\n"
               "object('ball', { parent = 'w', position = { %.17g, %.17g, %.17g }, free = true, start = 'rest',\n"
               "  solid{ shape = sphere{ radius = 0.05 }, mass = 2, contact = 'M' } })\n",
               g.x, g.y, g.z, 1.0 - down.z, down.y, -down.x, p.x, p.y, p.z);
      crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverAuto);
      double depth = findDepth(HUGE_VAL, 0.05, 2.0 * G);
      assert_vec_close(crTestRun_Pose(&run, "ball").p, crScale(depth - 0.05, down), 1e-6 * depth);
      crCloseTestRun(&run);
    }
  }
}

// Balls on top of each other: each contact carries all that is above.
static void a_column_of_balls_starts_under_its_weight(void** state)
{
  (void)state;
  static const double radii[] = { 0.05, 0.03, 0.06, 0.04, 0.02 }, masses[] = { 1.0, 3.0, 0.5, 2.0, 4.0 };
  enum { count = sizeof radii / sizeof *radii };
  char text[4096];
  size_t used =
      (size_t)snprintf(text, sizeof text, MATERIALS "world('w', { solid{ shape = halfSpace{}, contact = 'M' } })\n");
  double z = 0.0;
  for (int i = 0; i < count; ++i) {
    z += radii[i];
    used +=
        (size_t)snprintf(text + used, sizeof text - used,
                         "object('ball%d', { parent = 'w', position = { 0, 0, %.17g }, free = true, start = 'rest',\n"
                         "  solid{ shape = sphere{ radius = %g }, mass = %g, contact = 'M' } })\n",
                         i, z, radii[i], masses[i]);
    z += radii[i];
  }
  crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverAuto);
  double load = 0.0;
  for (int i = 0; i < count; ++i) {
    load += masses[i] * G;
  }
  z = 0.0;
  for (int i = 0; i < count; ++i) {
    double below = i == 0 ? HUGE_VAL : radii[i - 1], depth = findDepth(below, radii[i], load);
    z += (i == 0 ? 0.0 : below) + radii[i] - depth;
    crVec3 p = crTestRun_Pose(&run, (char[]){ 'b', 'a', 'l', 'l', (char)('0' + i), '\0' }).p;
    assert_vec_close(p, crMakeVec3(0.0, 0.0, z), 1e-5 * depth);
    load -= masses[i] * G;
  }
  crCloseTestRun(&run);
}

// What friction, or rolling, or its edge lets go is told, with how much it would have to hold: on a slope of 0.3 what
// lies flat pulls with 0.3 of its weight, and friction of 0.2 holds two thirds of that.
static void what_does_not_stay_where_it_starts_is_told(void** state)
{
  (void)state;
  static const struct {
    const char *shape, *message;
    double slope, muK, muR;
  } cases[] = {
    { "box{ size = { 0.2, 0.2, 0.2 } }", NULL, 0.3, 0.31, 0.0 },
    { "box{ size = { 0.2, 0.2, 0.2 } }", "friction on 'w' would have to hold 1.5 times what it can", 0.3, 0.2, 0.0 },
    { "box{ size = { 0.2, 0.2, 0.2 } }", "should start at rest, but rolls or tips over", 1.2, 3.0, 0.0 },
    { "box{ size = { 0.2, 0.2, 0.2 } }", NULL, 0.9, 3.0, 0.0 },
    { "sphere{ radius = 0.1 }", "should start at rest, but rolls or tips over", 0.3, 0.9, 0.0 },
    { "sphere{ radius = 0.1 }", NULL, 0.3, 0.9, 0.5 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[1024];
    snprintf(text, sizeof text,
             "scene{ friction = 'stick', gravity = { %.17g, 0, %.17g } }\n"
             "solidMaterial('M', { density = 1000, E = 1e9, nu = 0.3 })\n"
             "contactPair('M', 'M', { cor = 0.5, muK = %g, muR = %g })\n"
             "world('w', { solid{ shape = halfSpace{}, contact = 'M' } })\n"
             "object('body', { parent = 'w', position = { 0, 0, 0.1 }, free = true, start = 'rest',\n"
             "  solid{ shape = %s, material = 'M', contact = 'M' } })\n",
             cases[i].slope * G, -G, cases[i].muK, cases[i].muR, cases[i].shape);
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crTestModel model = crTestModel_ReadGood(text);
    crModel* compiled = NULL;
    crSimulation* simulation = NULL;
    assert_int_equal(crCompile(model.scene, NULL, NULL, &sink, &compiled), cr_ok);
    assert_int_equal(crCreateSimulation(compiled, NULL, NULL, &sink, &simulation), cr_ok);
    assert_int_equal(crErrorLog_Count(log), cases[i].message == NULL ? 0 : 1);
    if (cases[i].message != NULL) {
      assert_message(log, cr_severityWarning, cases[i].message);
    }
    crDestroySimulation(simulation);
    crDestroyModel(compiled);
    crTestModel_Free(&model);
    crDestroyErrorLog(log);
  }
}

// Steel cubes of a gram lie some 1e-11 m deep, where the last digit of a place is 1e-8 of their weight: "rolls or tips
// over" was told of them. On a slope of 0.2, anywhere; as deep as a rigid square presses a half-space in, 1.15 E* s to
// 10 %.
static void light_cubes_of_steel_start_at_rest(void** state)
{
  (void)state;
  static const double masses[] = { 1e-4, 1e-3, 8e-3, 0.1 }, places[] = { 0.0, 1.0, 30.0 };
  for (int i = 0; i < 12; ++i) {
    double mass = masses[i / 3], x = places[i % 3], slope = 0.2;
    char text[1024];
    snprintf(text, sizeof text,
             "scene{ friction = 'stick', gravity = { %.17g, 0, %.17g } }\n"
             "contactPair('Steel', 'Steel', { cor = 0.2, muK = 0.5, muR = 0 })\n"
             "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
             "object('cube', { parent = 'w', position = { %g, 0, 0.005 }, free = true, start = 'rest',\n"
             "  solid{ shape = box{ size = { 0.01, 0.01, 0.01 } }, mass = %g, contact = 'Steel' } })\n",
             slope * G, -G, x, mass);
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crTestModel model = crTestModel_ReadGood(text);
    crModel* compiled = NULL;
    crSimulation* simulation = NULL;
    assert_int_equal(crCompile(model.scene, NULL, NULL, &sink, &compiled), cr_ok);
    assert_int_equal(crCreateSimulation(compiled, NULL, NULL, &sink, &simulation), cr_ok);
    assert_int_equal(crErrorLog_Count(log), 0);
    crDestroySimulation(simulation);
    crDestroyModel(compiled);
    crTestModel_Free(&model);
    crDestroyErrorLog(log);
    crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverAuto);
    double stiffness = 1.15 * 2e11 / (1.0 - 0.3 * 0.3) / 2.0 * 0.01, depth = mass * G / stiffness;
    assert_close(0.005 - crTestRun_Pose(&run, "cube").p.z, depth, 0.1 * depth);
    crCloseTestRun(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_ball_starts_at_its_static_depth_whatever_way_is_down),
    cmocka_unit_test(a_column_of_balls_starts_under_its_weight),
    cmocka_unit_test(what_does_not_stay_where_it_starts_is_told),
    cmocka_unit_test(light_cubes_of_steel_start_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
