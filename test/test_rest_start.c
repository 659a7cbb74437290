// Where bodies begin that start at rest: as deep in what carries them as Hertz says of the weight above.
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

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_ball_starts_at_its_static_depth_whatever_way_is_down),
    cmocka_unit_test(a_column_of_balls_starts_under_its_weight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
