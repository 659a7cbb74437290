// Smooth ground: feet against brute force, curvatures, and balls that roll on it as closed forms say.
#include "base/memory.h"
#include "carom/collide.h"
#include "geometry/ground.h"
#include "geometry/height_field.h"
#include "geometry/mesh.h"
#include "support/random.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define THROWS 40
#define COLUMNS 9
#define ROWS 7
#define WIDTH 4.0
#define LENGTH 3.0

static crShapeDef define(const double* heights)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeHeightField);
  def.as.heightField.heights = heights;
  def.as.heightField.columnCount = COLUMNS;
  def.as.heightField.rowCount = ROWS;
  def.as.heightField.width = WIDTH;
  def.as.heightField.length = LENGTH;
  def.as.heightField.depth = 0.5;
  return def;
}

static void fill(crRandom* random, double size, double heights[COLUMNS * ROWS])
{
  for (int i = 0; i < COLUMNS * ROWS; ++i) {
    heights[i] = crRandom_Uniform(random, -size, size);
  }
}

static crGround* make(const double* heights)
{
  crShapeDef def = define(heights);
  crAllocator allocator = crChooseAllocator(NULL);
  crGround* ground = crCreateGround(&def, &allocator);
  assert_non_null(ground);
  ground->base = -5.0;
  return ground;
}

static void destroy(crGround* ground)
{
  crAllocator allocator = crChooseAllocator(NULL);
  crFree(&allocator, ground, ground->byteCount);
}

// The surface is that which facets are samples of, and its bounds hold.
static void the_surface_goes_through_the_samples_of_its_facets(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  double heights[COLUMNS * ROWS];
  fill(&random, 0.5, heights);
  crGround* ground = make(heights);
  crShapeDef def = define(heights);
  def.as.heightField.refine = 4;
  crMesh* mesh = NULL;
  assert_int_equal(crMakeHeightSurface(&def, NULL, NULL, &mesh), cr_ok);
  crMeshDef points = crMesh_GetDef(mesh);
  for (int k = 0; k < ((COLUMNS - 1) * 4 + 1) * ((ROWS - 1) * 4 + 1); ++k) {
    crVec3 p = points.points[k];
    crGroundPoint at = crGround_At(ground, p.x, p.y);
    assert_close(at.h, p.z, 1e-14);
    assert_true(at.h >= ground->low - 1e-14 && at.h <= ground->high + 1e-14);
    double mean = 0.5 * (at.hxx + at.hyy), half = 0.5 * (at.hxx - at.hyy);
    double spread = sqrt(half * half + at.hxy * at.hxy);
    assert_true(mean + spread <= ground->rise * (1.0 + 1e-12) && spread - mean <= ground->fall * (1.0 + 1e-12));
  }
  crReleaseMesh(mesh);
  destroy(ground);
}

static void derivatives_are_those_of_the_surface(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  double heights[COLUMNS * ROWS];
  fill(&random, 0.5, heights);
  crGround* ground = make(heights);
  for (int i = 0; i < 200; ++i) {
    double x = crRandom_Uniform(&random, -1.99, 1.99), y = crRandom_Uniform(&random, -1.49, 1.49), e = 1e-5;
    crGroundPoint at = crGround_At(ground, x, y);
    crGroundPoint right = crGround_At(ground, x + e, y), left = crGround_At(ground, x - e, y);
    crGroundPoint back = crGround_At(ground, x, y + e), front = crGround_At(ground, x, y - e);
    assert_close(at.hx, (right.h - left.h) / (2.0 * e), 1e-8);
    assert_close(at.hy, (back.h - front.h) / (2.0 * e), 1e-8);
    assert_close(at.hxx, (right.hx - left.hx) / (2.0 * e), 2e-3); // its own slope jumps from cell to cell
    assert_close(at.hxy, (back.hx - front.hx) / (2.0 * e), 2e-3);
    assert_close(at.hyy, (back.hy - front.hy) / (2.0 * e), 2e-3);
  }
  destroy(ground);
}

// --------------------------------------------------------------------------------------------------- distances

#define SAMPLES 160

static double clampTo(double x, double half)
{
  return x < -half ? -half : x > half ? half : x;
}

// [m] From c to the highest point of the solid that is not above c, in a column: what is level with c is as near.
static double measure(const crGround* ground, crVec3 c, bool isInside, double x, double y)
{
  double h = crGround_At(ground, x, y).h, z = isInside ? c.z - h : fmax(0.0, c.z - h);
  return sqrt((c.x - x) * (c.x - x) + (c.y - y) * (c.y - y) + z * z);
}

// Downhill in eight directions with ever smaller steps.
static double refine(const crGround* ground, crVec3 c, bool isInside, double x, double y, double step)
{
  double best = measure(ground, c, isInside, x, y);
  for (; step > 1e-9; step *= 0.5) {
    for (int hasMoved = 1; hasMoved;) {
      hasMoved = 0;
      for (int k = 0; k < 9; ++k) {
        double u = clampTo(x + step * (k % 3 - 1), 0.5 * WIDTH), v = clampTo(y + step * (int)(k / 3 - 1), 0.5 * LENGTH);
        double d = measure(ground, c, isInside, u, v);
        if (d < best) {
          best = d;
          x = u;
          y = v;
          hasMoved = 1;
        }
      }
    }
  }
  return best;
}

// Of a grid of samples those with no nearer neighbour are followed.
static double searchByForce(const crGround* ground, crVec3 c, bool isInside)
{
  static double d[SAMPLES + 1][SAMPLES + 1];
  double dx = WIDTH / SAMPLES, dy = LENGTH / SAMPLES, best = HUGE_VAL;
  for (int k = 0; k < (SAMPLES + 1) * (SAMPLES + 1); ++k) {
    int i = k % (SAMPLES + 1), j = k / (SAMPLES + 1);
    d[j][i] = measure(ground, c, isInside, clampTo(i * dx - 0.5 * WIDTH, 0.5 * WIDTH),
                      clampTo(j * dy - 0.5 * LENGTH, 0.5 * LENGTH));
    best = fmin(best, d[j][i]);
  }
  double sampled = best;
  for (int k = 0; k < (SAMPLES + 1) * (SAMPLES + 1); ++k) {
    int i = k % (SAMPLES + 1), j = k / (SAMPLES + 1);
    bool isLowest = d[j][i] < sampled + dx + dy;
    for (int m = 0; m < 9 && isLowest; ++m) {
      int a = i + m % 3 - 1, b = j + m / 3 - 1;
      isLowest = a < 0 || b < 0 || a > SAMPLES || b > SAMPLES || d[b][a] >= d[j][i];
    }
    if (isLowest) {
      best = fmin(best, refine(ground, c, isInside, clampTo(i * dx - 0.5 * WIDTH, 0.5 * WIDTH),
                               clampTo(j * dy - 0.5 * LENGTH, 0.5 * LENGTH), dx));
    }
  }
  return best;
}

// The solid is the ground's: a foot is on its surface, at the distance that is told, along the normal.
static void checkFoot(const crGround* ground, crVec3 c, const crGroundFoot* foot)
{
  crVec3 q = foot->point;
  crVec3 way = crSub(c, q);
  assert_close(crLength(foot->outward), 1.0, 1e-14);
  assert_close(crLength(crMulAdd(way, -foot->distance, foot->outward)), 0.0, 1e-11);
  assert_true(fabs(q.x) <= 0.5 * WIDTH && fabs(q.y) <= 0.5 * LENGTH);
  double h = crGround_At(ground, q.x, q.y).h;
  assert_true(q.z <= h + 1e-13 && q.z >= ground->base);
  assert_true(!foot->isSmooth || fabs(q.z - h) <= 1e-13);
}

static void feet_are_the_nearest_points(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  int bounds = 0, near = 0;
  for (int i = 0; i < 150; ++i) {
    double heights[COLUMNS * ROWS];
    fill(&random, i % 3 == 0 ? 0.02 : i % 3 == 1 ? 0.1 : 0.6, heights);
    crGround* ground = make(heights);
    double R = ground->chain.concave, reach = i % 2 == 0 ? 0.9 * R : 2.0;
    for (int k = 0; k < 4; ++k) {
      double x = crRandom_Uniform(&random, -2.4, 2.4), y = crRandom_Uniform(&random, -1.9, 1.9);
      double floor = crGround_At(ground, clampTo(x, 0.5 * WIDTH), clampTo(y, 0.5 * LENGTH)).h;
      crVec3 c = crMakeVec3(x, y, floor + crRandom_Uniform(&random, k == 3 ? -1.0 : 0.0, 1.0) * reach);
      bool isOver = fabs(x) <= 0.5 * WIDTH && fabs(y) <= 0.5 * LENGTH, isInside = isOver && c.z <= floor;
      crGroundFoot exact = crGround_FindFoot(ground, c, true), quick = crGround_FindFoot(ground, c, false);
      double truth = searchByForce(ground, c, isInside);
      if (isInside) {
        truth = -fmin(truth, fmin(fmin(0.5 * WIDTH - fabs(x), 0.5 * LENGTH - fabs(y)), c.z - ground->base));
      }
      checkFoot(ground, c, &exact);
      assert_false(exact.isBound);
      assert_close(exact.distance, truth, 1e-11);
      if (quick.isBound) {
        ++bounds;
        assert_true(quick.distance <= exact.distance * (1.0 + 1e-14) && quick.distance >= 0.97 * R);
      } else if (!isInside) {
        checkFoot(ground, c, &quick);
        assert_close(quick.distance, exact.distance, 1e-13);
        near += quick.distance < R;
      }
    }
    destroy(ground);
  }
  assert_true(bounds > 50 && near > 100);
}

// k of a surface of distance d in front of it: its normal turns by k / (1 + k d) of the way.
static void curvatures_turn_the_normal(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  double heights[COLUMNS * ROWS];
  fill(&random, 0.2, heights);
  crGround* ground = make(heights);
  for (int i = 0; i < 100; ++i) {
    double x = crRandom_Uniform(&random, -1.9, 1.9), y = crRandom_Uniform(&random, -1.4, 1.4), k[2],
           d = 0.2 * ground->chain.concave;
    crGroundPoint at = crGround_At(ground, x, y);
    crVec3 n = crNormalize(crMakeVec3(-at.hx, -at.hy, 1.0)), ways[2];
    crGround_FindCurvature(ground, x, y, &k[0], &k[1], &ways[0]);
    ways[1] = crCross(n, ways[0]);
    assert_true(k[0] >= k[1]);
    assert_close(crDot(n, ways[0]), 0.0, 1e-14);
    assert_close(crLength(ways[0]), 1.0, 1e-14);
    crVec3 c = crMulAdd(crMakeVec3(x, y, at.h), d, n);
    for (int m = 0; m < 2; ++m) {
      double e = 1e-6;
      crGroundFoot right = crGround_FindFoot(ground, crMulAdd(c, e, ways[m]), true);
      crGroundFoot left = crGround_FindFoot(ground, crMulAdd(c, -e, ways[m]), true);
      crVec3 turn = crScale(0.5 / e, crSub(right.outward, left.outward));
      assert_close(crLength(crMulAdd(turn, -k[m] / (1.0 + k[m] * d), ways[m])), 0.0, 1e-4);
    }
  }
  destroy(ground);
}

// -------------------------------------------------------------------------------------------------------- runs

// Height as a function of x and y in a grid of 41 x 41 over 4 m x 4 m; in its middle splines through a parabola are
// one.
#define GROUND                                                                                                         \
  "local rows = {}\nfor j = 0, 40 do local row = {}\n"                                                                 \
  "for i = 0, 40 do local x, y = 0.1 * i - 2, 0.1 * j - 2; row[i + 1] = %s end rows[j + 1] = row end\n"                \
  "object('ground', { parent = 'w', solid{ shape = heightField{ heights = rows, width = 4, length = 4%s },\n"          \
  "  contact = 'Hard' } })\n"
#define HARD                                                                                                           \
  "solidMaterial('Hard', { density = 7850, E = %s, nu = 0.3 })\n"                                                      \
  "contactPair('Hard', 'Hard', { %s })\nworld('w', {})\n"

static crTestRun open(const char* E, const char* pair, const char* height, const char* more, const char* rest,
                      double stop, double tolerance)
{
  char text[4096];
  int length = snprintf(text, sizeof text, HARD GROUND "%s", E, pair, height, more, rest);
  assert_true(length > 0 && length < (int)sizeof text);
  return crOpenTestText(text, stop, tolerance, cr_solverDefault);
}

// In the middle of a paraboloid of radius R, over the borders of four cells: omega^2 = 5 g / (7 (R - r)).
static void a_ball_in_a_hollow_swings_at_its_closed_frequency(void** state)
{
  (void)state;
  double R = 2.0, r = 0.05, omega = sqrt(5.0 * 9.81 / (7.0 * (R - r))), v = 3e-4 * omega * (R - r);
  char ball[1000];
  snprintf(ball, sizeof ball,
           "object('ball', { parent = 'w', position = { 0, 0, 0.05 }, free = true, start = 'rest',\n"
           "  velocity = { %.17g, 0, 0 }, angularVelocity = { 0, %.17g, 0 },\n"
           "  solid{ shape = sphere{ radius = 0.05 }, material = 'Hard', contact = 'Hard' } })\n",
           v, v / r);
  const char* pair = "cor = 0.5, muK = 0.5, muR = 0, friction = 'stick'";
  crTestRun run = open("2e14", pair, "(x * x + y * y) / 4", "", ball, 20.0, 1e-10);
  double first = crTestRun_FindPassage(&run, "ball", 1e-3, 1);
  crCloseTestRun(&run);
  run = open("2e14", pair, "(x * x + y * y) / 4", "", ball, 20.0, 1e-10);
  double last = crTestRun_FindPassage(&run, "ball", 1e-3, 5);
  assert_close(CR_PI * 4.0 / (last - first) / omega, 1.0, 1e-6);
  crCloseTestRun(&run);
}

// It rolls over many cells and feels none of them: one contact, no event after its first, and its energy.
static void a_ball_rolls_over_hills_without_feeling_the_grid(void** state)
{
  (void)state;
  const char* height = "0.1 * math.sin(1.3 * x) * math.cos(1.7 * y)";
  crRandom random = crMakeRandom(5);
  for (int i = 0; i < 3; ++i) {
    double x = crRandom_Uniform(&random, -1.0, 0.0), y = crRandom_Uniform(&random, -0.5, 0.5);
    char text[1000];
    snprintf(text, sizeof text,
             "object('ball', { parent = 'w', position = { %.17g, %.17g, 0.16 }, free = true,\n"
             "  velocity = { 0.8, 0.3, 0 },\n"
             "  solid{ shape = sphere{ radius = 0.05 }, material = 'Hard', contact = 'Hard' } })\n",
             x, y);
    crTestRun run = open("2e11", "cor = 0, muK = 0, muR = 0", height, "", text, 1.5, 1e-8);
    crTestRun_Advance(&run, 0.4); // the impact is over
    double before = crTestRun_Energy(&run);
    int64_t events = crSimulation_GetSummary(run.simulation).eventCount;
    crTestRun_Advance(&run, 1.5);
    double mass = 7850.0 * 4.0 / 3.0 * CR_PI * 0.05 * 0.05 * 0.05;
    assert_true(fabs(crTestRun_Energy(&run) - before) <= 1e-6 * mass * 9.81 * 0.1);
    assert_int_equal(crSimulation_GetSummary(run.simulation).eventCount, events);
    crCloseTestRun(&run);
  }
}

static void balls_that_bounce_on_hills_keep_their_energy(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(6);
  for (int i = 0; i < 6; ++i) {
    char text[1000];
    double z = crRandom_Uniform(&random, 0.3, 0.6);
    snprintf(text, sizeof text,
             "object('ball', { parent = 'w', position = { %.17g, %.17g, %.17g }, free = true,\n"
             "  velocity = { %.17g, %.17g, 0 },\n"
             "  solid{ shape = sphere{ radius = 0.1 }, material = 'Hard', contact = 'Hard' } })\n",
             crRandom_Uniform(&random, -1.0, 1.0), crRandom_Uniform(&random, -1.0, 1.0), z,
             crRandom_Uniform(&random, -1.0, 1.0), crRandom_Uniform(&random, -1.0, 1.0));
    crTestRun run =
        open("1e9", "cor = 1, muK = 0, muR = 0", "0.1 * math.sin(2.3 * x) * math.cos(1.7 * y)", "", text, 1.0, 1e-8);
    double before = crTestRun_Energy(&run);
    crTestRun_Advance(&run, 1.0);
    double mass = 7850.0 * 4.0 / 3.0 * CR_PI * 1e-3;
    assert_true(fabs(crTestRun_Energy(&run) - before) <= 1e-6 * mass * 9.81 * z);
    crCloseTestRun(&run);
  }
}

// Fast and slow balls of all sizes that fit, on rough ground and over its edges: none goes through, and each keeps its
// energy.
static void no_ball_goes_through(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  for (int i = 0; i < THROWS; ++i) {
    double radius = crRandom_LogUniform(&random, 0.01, 0.2);
    double size = crRandom_LogUniform(&random, 1e-5, 8e-4) / radius; // so that it fits into the valleys
    double speed = crRandom_LogUniform(&random, 0.1, 20.0),
           mass = 7850.0 * 4.0 / 3.0 * CR_PI * radius * radius * radius;
    double z = size + radius + 0.1;
    char height[200], text[1000];
    snprintf(height, sizeof height, "%.17g * math.sin(%.17g * i + %.17g * j * j) * math.cos(%.17g * j + i)", size,
             crRandom_Uniform(&random, 0.1, 1.0), crRandom_Uniform(&random, 0.0, 0.01),
             crRandom_Uniform(&random, 0.1, 1.0));
    snprintf(text, sizeof text,
             "object('ball', { parent = 'w', position = { %.17g, %.17g, %.17g }, free = true,\n"
             "  velocity = { %.17g, %.17g, %.17g },\n"
             "  solid{ shape = sphere{ radius = %.17g }, material = 'Hard', contact = 'Hard' } })\n",
             crRandom_Uniform(&random, -2.1, 2.1), crRandom_Uniform(&random, -2.1, 2.1), z,
             crRandom_Uniform(&random, -speed, speed), crRandom_Uniform(&random, -speed, speed),
             -crRandom_Uniform(&random, 0.0, speed), radius);
    crTestRun run = open("1e9", "cor = 1, muK = 0, muR = 0", height, "", text, 0.3, 1e-8);
    double before = crTestRun_Energy(&run);
    crTestRun_Advance(&run, 0.3);
    double turned = mass * (9.81 * z + speed * speed), off = crTestRun_Energy(&run) - before;
    assert_true(fabs(off) <= 1e-6 * turned);
    crCloseTestRun(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_surface_goes_through_the_samples_of_its_facets),
    cmocka_unit_test(derivatives_are_those_of_the_surface),
    cmocka_unit_test(feet_are_the_nearest_points),
    cmocka_unit_test(curvatures_turn_the_normal),
    cmocka_unit_test(a_ball_in_a_hollow_swings_at_its_closed_frequency),
    cmocka_unit_test(a_ball_rolls_over_hills_without_feeling_the_grid),
    cmocka_unit_test(balls_that_bounce_on_hills_keep_their_energy),
    cmocka_unit_test(no_ball_goes_through),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
