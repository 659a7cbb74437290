// Bodies with flats, edges and rims on a floor: they come to rest and stay, stand in stacks, topple over an edge at the
// angle at which they must, slide and creep as the friction law says, and roll as round things do.
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

#define G 9.81     // [m/s^2]
#define V_MIN 0.01 // [m/s] of the friction law
#define MU 0.5     // sliding friction of the pair below

#define FLOOR                                                                                                          \
  "contactPair('DryWood', 'DryWood', { cor = 0.3, muK = 0.5, muR = p.muR })\n"                                         \
  "world('w', { solid{ shape = halfSpace{}, contact = 'DryWood', surfaceVelocity = { p.belt, 0, 0 } } })\n"            \
  "local function body(name, shape, position, rotation, start, velocity, spin)\n"                                      \
  "  return object(name, { parent = 'w', position = position, rotation = rotation, free = true, start = start,\n"      \
  "    velocity = velocity, angularVelocity = spin,\n"                                                                 \
  "    solid{ shape = shape, material = 'DryWood', contact = 'DryWood' } })\n"                                         \
  "end\n"

// Gravity leans by `slope`, which is the same as a floor that does.
#define PARAMETERS                                                                                                     \
  "local p = parameters{ muR = 0, slope = 0, belt = 0, tilt = 0, shift = 0 }\n"                                        \
  "scene{ gravity = { 9.81 * math.sin(p.slope), 0, -9.81 * math.cos(p.slope) } }\n" FLOOR

static double speedOf(const crTestRun* run, const char* object)
{
  crMotion motion = crTestRun_Motion(run, object);
  return crLength(motion.v) + 0.05 * crLength(motion.w);
}

static const char* format(char* buffer, size_t size, double value)
{
  snprintf(buffer, size, "%.17g", value);
  return buffer;
}

// ------------------------------------------------------------------------------------------------- heaps

#define TEN_BODIES 10

static const char tenBodies[] =
    "local p = { muR = 0.02, belt = 0 }\n"
    "scene{ kRed = 1e-3, tolerance = 1e-6 }\n" FLOOR "local stone = {}\n"
    "for i = 1, 12 do\n"
    "  local z, a = 1 - (2 * i - 1) / 12, 2.4 * i\n"
    "  local r = math.sqrt(1 - z * z)\n"
    "  stone[i] = { 0.06 * r * math.cos(a), 0.05 * r * math.sin(a), 0.04 * z }\n"
    "end\n"
    "local shapes = {\n"
    "  box{ size = { 0.1, 0.08, 0.06 } }, cylinder{ radius = 0.04, length = 0.1 }, cone{ radius = 0.05, length = 0.1 "
    "},\n"
    "  hull{ points = stone }, box{ size = { 0.12, 0.04, 0.04 } }, cylinder{ radius = 0.05, length = 0.03 },\n"
    "  cone{ radius = 0.05, topRadius = 0.03, length = 0.06 }, hull{ points = stone },\n"
    "  box{ size = { 0.07, 0.07, 0.07 } }, cylinder{ radius = 0.03, length = 0.12 } }\n"
    "for i, s in ipairs(shapes) do\n"
    "  body('body' .. i, s, { 0.3 * i, 0, 0.12 }, { 0.5 * i, 0.3 * i, 0.7 * i }, 'pose')\n"
    "end\n";

static void readTen(const crTestRun* run, crVec3 outPoints[TEN_BODIES], crVec3 outAxes[TEN_BODIES])
{
  for (int i = 0; i < TEN_BODIES; ++i) {
    char name[16];
    snprintf(name, sizeof name, "body%d", i + 1);
    outPoints[i] = crTestRun_Pose(run, name).p;
    outAxes[i] = crTestRun_Axis(run, name);
  }
}

// A level floor gives friction nothing to hold, so nothing may creep; energy only falls, but for what the balance of
// the run knows, and nothing trembles: no contact begins any more.
static void dropped_boxes_cylinders_cones_and_hulls_come_to_rest_and_stay(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = tenBodies, .stop = 60.0 });
  crVec3 points[2][TEN_BODIES], axes[2][TEN_BODIES];
  double energy = crTestRun_Energy(&run), start = energy;
  for (int k = 1; k <= 20; ++k) {
    crTestRun_Advance(&run, 0.5 * k);
    assert_true(crTestRun_Energy(&run) <= energy + 1e-6 * start);
    energy = crTestRun_Energy(&run);
  }
  readTen(&run, points[0], axes[0]);
  int64_t events = crSimulation_GetSummary(run.simulation).eventCount;
  for (int k = 1; k <= 10; ++k) {
    crTestRun_Advance(&run, 10.0 + 5.0 * k);
    for (int i = 0; i < TEN_BODIES; ++i) {
      char name[16];
      snprintf(name, sizeof name, "body%d", i + 1);
      assert_close(speedOf(&run, name), 0.0, 1e-9);
    }
  }
  readTen(&run, points[1], axes[1]);
  for (int i = 0; i < TEN_BODIES; ++i) {
    assert_vec_close(points[1][i], points[0][i], 1e-9);
    assert_vec_close(axes[1][i], axes[0][i], 1e-8);
  }
  assert_true(crSimulation_GetSummary(run.simulation).eventCount == events);
  assert_close(crTestRun_Energy(&run), energy, 1e-9 * start);
  crCloseTestRun(&run);
}

#define STACK 5

// [m/s] What the friction law lets the topmost box creep at most: each box rests in the one below with a slight tilt,
// and down a small slope a body creeps with vMin tan a / (3 mu).
static double boundCreep(const crTestRun* run)
{
  double sum = 0.0;
  for (int i = 1; i <= STACK; ++i) {
    char name[16];
    snprintf(name, sizeof name, "box%d", i);
    crVec3 axis = crTestRun_Axis(run, name);
    sum += 2.0 * V_MIN * hypot(axis.x, axis.y) / (3.0 * MU); // against the one below and the one above
  }
  return sum;
}

// Turned against each other, in line or every second one shifted.
static void a_stack_of_boxes_stands(void** state)
{
  (void)state;
  const char* text =
      PARAMETERS "for i = 1, 5 do\n"
                 "  body('box' .. i, box{ size = { 0.2, 0.2, 0.2 } }, { p.shift * (i % 2), 0, 0.2 * i - 0.1 },\n"
                 "    { 0, 0, 0.1 * i }, 'pose')\n"
                 "end\n";
  for (int k = 0; k < 2; ++k) {
    crTestRun run = crOpenTestRun(&(crTestPlan){
        .text = text, .stop = 10.0, .tolerance = 1e-8, .settings = { { "shift", k == 0 ? "0" : "0.01" } } });
    crTestRun_Advance(&run, 2.0);
    crVec3 before = crTestRun_Pose(&run, "box5").p;
    crTestRun_Advance(&run, 10.0);
    assert_vec_close(before, crMakeVec3(k == 0 ? 0.0 : 0.01, 0.0, 0.9), 1e-4);
    assert_vec_close(crTestRun_Pose(&run, "box5").p, before, 1e-9 + 8.0 * boundCreep(&run));
    assert_close(crTestRun_Axis(&run, "box5").z, 1.0, 1e-9);
    assert_true(boundCreep(&run) < 1e-6);
    crCloseTestRun(&run);
  }
}

// --------------------------------------------------------------------------------------------- toppling

// A box of 0.1 x 0.1 x 0.2 m on one lower edge, tilted. Its edge is rounded by r = 1 mm, so it balances where its
// middle is above the middle of the rounding: tan b = (0.05 - r) / (0.1 - r).
static void a_box_topples_over_its_edge_at_the_angle_of_balance(void** state)
{
  (void)state;
  const char* text =
      PARAMETERS "local r = 1e-3\n"
                 "local a, b = 0.05 - r, 0.1 - r\n"
                 "local c, s = math.cos(p.tilt), math.sin(p.tilt)\n"
                 "body('box', box{ size = { 0.1, 0.1, 0.2 }, rounding = r }, { b * s - a * c, 0, r + a * s + b * c },\n"
                 "  { axis = 'y', angle = p.tilt }, 'pose')\n";
  double balance = atan2(0.05 - 1e-3, 0.1 - 1e-3);
  for (int k = 0; k < 2; ++k) {
    char tilt[32];
    crTestRun run = crOpenTestRun(
        &(crTestPlan){ .text = text,
                       .stop = 3.0,
                       .tolerance = 1e-7,
                       .settings = { { "tilt", format(tilt, sizeof tilt, balance + (k == 0 ? -0.005 : 0.005)) } } });
    crTestRun_Advance(&run, 3.0);
    assert_close(crTestRun_Axis(&run, "box").z, k == 0 ? 1.0 : 0.0, 1e-5);
    crCloseTestRun(&run);
  }
}

// --------------------------------------------------------------------------------------- sliding, creep

#define CUBE "body('cube', box{ size = { 0.2, 0.2, 0.2 } }, { 0, 0, 0.1 }, { 0, 0, 0 }, 'rest')\n"

static crTestRun openSlope(const char* text, double slope, double stop)
{
  static char buffer[32]; // read while the run is opened
  return crOpenTestRun(
      &(crTestPlan){ .text = text, .stop = stop, .settings = { { "slope", format(buffer, sizeof buffer, slope) } } });
}

// The slip x = v / vMin at which friction is the share q of its most: x / (x^2 (1 - x / 3) + 1 / 3) = q, by bisection.
static double findCreep(double q)
{
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    double x = 0.5 * (low + high);
    bool isBelow = x / (x * x * (1.0 - x / 3.0) + 1.0 / 3.0) < q;
    low = isBelow ? x : low;
    high = isBelow ? high : x;
  }
  return low;
}

static void a_block_creeps_down_a_slope_as_the_regularized_law_says(void** state)
{
  (void)state;
  const double shares[] = { 0.1, 0.5, 0.9 }; // of the slope at which it would slide
  for (int k = 0; k < 3; ++k) {
    crTestRun run = openSlope(PARAMETERS CUBE, atan(shares[k] * MU), 2.0);
    crTestRun_Advance(&run, 1.0);
    double x = crTestRun_Pose(&run, "cube").p.x;
    crTestRun_Advance(&run, 2.0);
    double creep = crTestRun_Pose(&run, "cube").p.x - x;
    assert_close(creep / (V_MIN * findCreep(shares[k])), 1.0, 1e-6);
    assert_close(crTestRun_Motion(&run, "cube").v.z, 0.0, 1e-9);
    crCloseTestRun(&run);
  }
}

// x'' = g (sin a - mu cos a), but for the first vMin of speed.
static void a_block_slides_down_a_steeper_slope(void** state)
{
  (void)state;
  double slope = atan(0.8), a = G * (sin(slope) - MU * cos(slope));
  crTestRun run = openSlope(PARAMETERS CUBE, slope, 1.0);
  crTestRun_Advance(&run, 1.0);
  assert_close(crTestRun_Motion(&run, "cube").v.x, a, 0.01);
  assert_close(crTestRun_Axis(&run, "cube").z, 1.0, 1e-8);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6 * G * 5.6);
  crCloseTestRun(&run);
}

// It is pulled along with mu g until it is as fast as the belt.
static void a_conveyor_carries_a_block_along(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestRun(&(crTestPlan){ .text = PARAMETERS CUBE, .stop = 1.0, .settings = { { "belt", "0.5" } } });
  crTestRun_Advance(&run, 0.05);
  assert_close(crTestRun_Motion(&run, "cube").v.x, MU * G * 0.05, 1e-3);
  crTestRun_Advance(&run, 1.0);
  double pull = 0.5 / (MU * G); // [s]
  assert_close(crTestRun_Pose(&run, "cube").p.x, 0.5 * (1.0 - pull / 2.0), 1e-4);
  assert_close(crTestRun_Motion(&run, "cube").v.x, 0.5, 1e-7);
  crCloseTestRun(&run);
}

// ---------------------------------------------------------------------------------------------- rolling

#define ROLLER(shape, radius, speed)                                                                                   \
  "body('roller', " shape ", { 0, 0, " #radius " }, { 0, 0, 0 }, 'rest', { " #speed ", 0, 0 },\n"                      \
  "  { 0, " #speed " / " #radius ", 0 })\n"

// Points that were fixed to its rim would make it a polygon: it would bump and slow down. It is pressed in a little, so
// the start, rolling on its full radius, is not quite rolling; then nothing changes any more. Ten times the tolerance
// leaves 4e-7 m/s and 2e-6 rad/s, by chance.
static void assertRollsSmoothly(const char* text, double speed, double radius)
{
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .stop = 2.0, .tolerance = 1e-9 });
  crTestRun_Advance(&run, 0.1);
  crVec3 p = crTestRun_Pose(&run, "roller").p;
  crMotion start = crTestRun_Motion(&run, "roller");
  assert_vec_close(start.v, crMakeVec3(speed, 0.0, 0.0), 1e-4 * speed);
  assert_close(start.v.x, start.w.y * (radius + p.z) / 2.0, 1e-6); // the force acts between both surfaces
  for (int k = 1; k <= 38; ++k) {
    crTestRun_Advance(&run, 0.1 + 0.05 * k);
    crMotion motion = crTestRun_Motion(&run, "roller");
    assert_vec_close(crTestRun_Pose(&run, "roller").p, crMakeVec3(p.x + start.v.x * 0.05 * k, 0.0, p.z), 1e-8);
    assert_vec_close(motion.v, start.v, 1e-7);
    assert_vec_close(motion.w, start.w, 1e-6);
  }
  crCloseTestRun(&run);
}

static void a_cylinder_and_a_coin_roll_as_round_things(void** state)
{
  (void)state;
  assertRollsSmoothly(PARAMETERS ROLLER("cylinder{ radius = 0.05, length = 0.1, axis = 'y' }", 0.05, 1.0), 1.0, 0.05);
  assertRollsSmoothly(PARAMETERS ROLLER("cylinder{ radius = 0.02, length = 0.003, axis = 'y' }", 0.02, 0.6), 0.6, 0.02);
}

// A rolling cylinder has 3/2 of its mass to move: x'' = 2/3 g sin a; the law of friction lets it slip a little.
static void a_cylinder_rolls_down_a_slope(void** state)
{
  (void)state;
  const char* text = PARAMETERS ROLLER("cylinder{ radius = 0.05, length = 0.1, axis = 'y' }", 0.05, 0.0);
  crTestRun run = openSlope(text, 0.2, 1.0);
  crTestRun_Advance(&run, 1.0);
  double a = 2.0 / 3.0 * G * sin(0.2), q = a / 2.0 / (MU * G * cos(0.2)); // friction moves half as much as it should
  double slip = V_MIN * findCreep(q);
  crMotion motion = crTestRun_Motion(&run, "roller");
  double lever = (0.05 + crTestRun_Pose(&run, "roller").p.z) / 2.0; // the force acts between both surfaces
  assert_close(motion.v.x - lever * motion.w.y, slip, 1e-6);
  assert_close(motion.v.x, a, slip);
  crCloseTestRun(&run);
}

// A coin that leans while it rolls goes round in a circle and stays up.
static void a_leaning_coin_rolls_in_a_circle(void** state)
{
  (void)state;
  const char* text = PARAMETERS "local r, lean = 0.02, 0.1\n"
                                "body('coin', cylinder{ radius = r, length = 0.002, axis = 'y' }, { 0, 0, r * "
                                "math.cos(lean) + 0.001 * math.sin(lean) },\n"
                                "  { axis = 'x', angle = lean }, 'rest', { 0.8, 0, 0 }, { 0, 0.8 / r, 0 })\n";
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .stop = 1.5 });
  double energy = crTestRun_Energy(&run);
  crTestRun_Advance(&run, 1.5);
  crVec3 axis = crTestRun_Pose(&run, "coin").R.cy, v = crTestRun_Motion(&run, "coin").v;
  assert_true(fabs(axis.z) < 0.3); // it is still up
  assert_true(fabs(v.y) > 0.005);  // and has turned; how much is a matter of its drilling friction
  assert_true(crTestRun_Pose(&run, "coin").p.z > 0.018);
  assert_true(crTestRun_Energy(&run) <= energy * (1.0 + 1e-9));
  crCloseTestRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(dropped_boxes_cylinders_cones_and_hulls_come_to_rest_and_stay),
    cmocka_unit_test(a_stack_of_boxes_stands),
    cmocka_unit_test(a_box_topples_over_its_edge_at_the_angle_of_balance),
    cmocka_unit_test(a_block_creeps_down_a_slope_as_the_regularized_law_says),
    cmocka_unit_test(a_block_slides_down_a_steeper_slope),
    cmocka_unit_test(a_conveyor_carries_a_block_along),
    cmocka_unit_test(a_cylinder_and_a_coin_roll_as_round_things),
    cmocka_unit_test(a_cylinder_rolls_down_a_slope),
    cmocka_unit_test(a_leaning_coin_rolls_in_a_circle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
