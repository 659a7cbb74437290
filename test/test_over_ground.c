// Cylinders over smooth ground: depths against brute force, forces as the gradient of one energy, and wheels
// that feel no grid.
#include "collide/area/over_ground.h"
#include "collide/touch/touch.h"
#include "support/ground_throw.h"
#include "support/patches.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS 21
#define ROWS 17
#define WIDTH 4.0
#define LENGTH 3.2

static crShape* make(crShapeDef def)
{
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(&def, NULL, NULL, &shape), cr_ok);
  return shape;
}

static crShape* makeGround(double height, double kx, double ky)
{
  static double heights[COLUMNS * ROWS];
  for (int k = 0; k < COLUMNS * ROWS; ++k) {
    double x = WIDTH * (k % COLUMNS) / (COLUMNS - 1), y = LENGTH * (int)(k / COLUMNS) / (ROWS - 1);
    heights[k] = height * sin(kx * x) * cos(ky * y);
  }
  crShapeDef def = crDefaultShapeDef(cr_shapeHeightField);
  def.as.heightField.heights = heights;
  def.as.heightField.columnCount = COLUMNS;
  def.as.heightField.rowCount = ROWS;
  def.as.heightField.width = WIDTH;
  def.as.heightField.length = LENGTH;
  def.as.heightField.depth = 1.0;
  return make(def);
}

// Bent so little that cylinders of a reach of 0.3 m fit.
static crShape* makeHills(crRandom* random)
{
  double k = crRandom_Uniform(random, 0.5, 2.5), bend = crRandom_Uniform(random, 0.05, 0.5);
  return makeGround(bend / (k * k), k, k);
}

static const crShape* smoothPieceOf(const crShape* ground)
{
  return crShape_GetPiece(ground, crShape_CountPieces(ground) - 1);
}

// Rolling, leaning, or anyhow: lean 0, 1, 2. Above the ground by at least its size, and then down to a depth.
static crPressed pressOn(const crShape* round, const crShape* ground, int lean, double depth, crRandom* random)
{
  crPressed pair = { round, ground, crIdentityPose(), crIdentityPose() };
  crVec3 turn = crScale(lean == 0 ? 0.05 : 0.4, crRandom_UnitVec3(random));
  crMat3 upright = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(1.0, 0.0, 0.0), 0.5 * CR_PI));
  crMat3 tilted = crQuatToMat3(crAxisAngleToQuat(crNormalize(turn), crLength(turn)));
  pair.X_WA.R = lean == 2 ? crQuatToMat3(crRandom_Rotation(random)) : crMulMM(tilted, upright);
  pair.X_WA.p = crMakeVec3(crRandom_Uniform(random, -1.2, 1.2), crRandom_Uniform(random, -0.9, 0.9), 2.0);
  for (int i = 0; i < 60; ++i) {
    crTouch touch;
    crComputeTouch(round, &pair.X_WA, ground, &pair.X_WB, NULL, &touch);
    pair.X_WA.p.z -= (touch.distance + depth) / fmax(fabs(touch.normal.z), 0.5);
  }
  return pair;
}

// Of all points of a fine grid over side and caps the one that is deepest below h, refined.
static double searchDeepest(const crPressed* pair)
{
  const crCore* core = &pair->a->core;
  double most = -HUGE_VAL;
  for (int i = 0; i <= 400; ++i) {
    for (int k = 0; k <= 400; ++k) {
      for (int part = 0; part < 3; ++part) {
        double u = i / 400.0, angle = 2.0 * CR_PI * k / 400.0, z = part == 0 ? u : part - 1.0;
        double r = core->radius * (part == 0 ? 1.0 : u), s = core->zMin + (core->zMax - core->zMin) * z;
        crVec3 p = crTransformPoint(pair->X_WA, crMakeVec3(r * cos(angle), r * sin(angle), s));
        most = fmax(most, crGround_At(pair->b->ground, p.x, p.y).h - p.z);
      }
    }
  }
  return most;
}

static void the_deepest_point_is_found_in_any_attitude(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int i = 0; i < 60; ++i) {
    double r = crRandom_LogUniform(&random, 0.05, 0.25), length = crRandom_LogUniform(&random, 0.05, 0.3);
    crShape* whole = makeHills(&random);
    const crShape* ground = smoothPieceOf(whole);
    crShape* round = make(crMakeCylinder(r, length, 0.0));
    assert_true(crIsOverGround(round, ground));
    crPressed pair = pressOn(round, ground, i % 3, 0.3 * r, &random);
    crTouch touch;
    crComputeTouch(round, &pair.X_WA, ground, &pair.X_WB, NULL, &touch);
    assert_true(touch.distance < 0.0);
    double depth = -touch.distance / fabs(touch.normal.z), truth = searchDeepest(&pair);
    assert_true(depth >= truth - 1e-12);
    assert_true(depth <= truth + 2e-3 * (r + length)); // the grid's own error
    crDestroyShape(round);
    crDestroyShape(whole);
  }
}

static crQuat about(crVec3 axis, double angle)
{
  return crAxisAngleToQuat(axis, angle);
}

// On the ground with the axis at `tilt` to its normal, and down to a depth.
static crPressed layOn(const crShape* round, const crShape* ground, double tilt, double depth, crRandom* random)
{
  crPressed pair = { round, ground, crIdentityPose(), crIdentityPose() };
  double x = crRandom_Uniform(random, -1.2, 1.2), y = crRandom_Uniform(random, -0.9, 0.9),
         way = crRandom_Uniform(random, -CR_PI, CR_PI);
  crGroundPoint at = crGround_At(ground->ground, x, y);
  crVec3 normal = crNormalize(crMakeVec3(-at.hx, -at.hy, 1.0));
  crMat3 upright = crQuatToMat3(crShortestRotation(crMakeVec3(0.0, 0.0, 1.0), normal));
  pair.X_WA.R = crMulMM(upright, crQuatToMat3(about(crMakeVec3(cos(way), sin(way), 0.0), tilt)));
  pair.X_WA.p = crMakeVec3(x, y, 1.5);
  for (int i = 0; i < 200; ++i) {
    crTouch touch;
    crComputeTouch(round, &pair.X_WA, ground, &pair.X_WB, NULL, &touch);
    pair.X_WA.p.z -= touch.distance + depth;
  }
  return pair;
}

// [rad] From the normal of the ground, from leaning to lying along the side; and standing.
static const double leaning[] = { 0.1, 0.3, 0.6, 0.8, 1.0, 1.3, 1.5, 1.57, 1.570796, 0.5 * CR_PI };
static const double standing[] = { 0.0, 1e-6, 1e-4, 1e-3, 0.02, 0.05, 0.1, 0.2, 0.3 };

static double findWorstGradient(uint64_t seed, const double* tilts, int tiltCount)
{
  const double share = 1e-2, size = 0.05;
  crRandom random = crMakeRandom(seed);
  double worst = 0.0;
  for (int i = 0; i < 100; ++i) {
    double r = crRandom_LogUniform(&random, 0.05, 0.25), length = crRandom_LogUniform(&random, size, 0.3);
    double depth = r * crRandom_LogUniform(&random, 1e-5, share);
    crShape* whole = i % 7 == 6 ? makeGround(0.0, 1.0, 1.0) : makeHills(&random);
    const crShape* ground = smoothPieceOf(whole);
    crShape* round = make(crMakeCylinder(r, length, 0.0));
    assert_true(crIsOverGround(round, ground));
    crPressed pair = layOn(round, ground, tilts[i % tiltCount], depth, &random);
    worst = fmax(worst, crCheckGradient(&pair, depth, r + length, 5e-3));
    crDestroyShape(round);
    crDestroyShape(whole);
  }
  return worst;
}

static void forces_are_the_gradient_of_one_energy(void** state)
{
  (void)state;
  assert_true(findWorstGradient(2, leaning, 10) < 1e-6);
  assert_true(findWorstGradient(4, standing, 9) < 1e-6);
}

// Where parts of cells come and go below a cylinder its energy has no jump: along ways over several cells its
// differences are what the forces at both ends tell. One as long as a cell had one of 1e-4.
static void energies_have_no_jumps_from_cell_to_cell(void** state)
{
  (void)state;
  const double tilts[3] = { 0.5 * CR_PI, 1.2, 0.02 }, step = 2e-5;
  crRandom random = crMakeRandom(11);
  for (int i = 0; i < 6; ++i) {
    crShape* whole = makeHills(&random);
    crShape* round = make(crMakeCylinder(0.15, WIDTH / (COLUMNS - 1), 0.0));
    crPressed pair = layOn(round, smoothPieceOf(whole), tilts[i % 3], 2e-3, &random);
    crVec3 way = i < 3 ? crMakeVec3(step, 0.3 * step, 0.0) : crScale(step, pair.X_WA.R.cz);
    way.z = 0.0;
    crWrench before, now;
    double U = crComputePressed(&pair, &before), worst = 0.0;
    for (int k = 0; k < 4000; ++k) {
      pair.X_WA.p = crAdd(pair.X_WA.p, way);
      double next = crComputePressed(&pair, &now);
      worst = fmax(worst, fabs(next - U - 0.5 * crDot(crAdd(before.f, now.f), way)) / fmax(U, next));
      U = next;
      before = now;
      crTouch touch;
      crComputeTouch(round, &pair.X_WA, pair.b, &pair.X_WB, NULL, &touch);
      if (k % 50 == 0) { // on along the ground
        pair.X_WA.p.z -= touch.distance + 2e-3;
        U = crComputePressed(&pair, &before);
      }
    }
    assert_true(worst < 3e-7);
    crDestroyShape(round);
    crDestroyShape(whole);
  }
}

// Heights that alternate along x, by `height`, in cells of 1 cm over 1.2 m x 1.2 m.
static crShape* makeFine(double height)
{
  static double heights[121 * 121];
  for (int k = 0; k < 121 * 121; ++k) {
    heights[k] = k % 121 % 2 == 0 ? height : -height;
  }
  crShapeDef def = crDefaultShapeDef(cr_shapeHeightField);
  def.as.heightField.heights = heights;
  def.as.heightField.columnCount = def.as.heightField.rowCount = 121;
  def.as.heightField.width = def.as.heightField.length = 1.2;
  def.as.heightField.depth = 1.0;
  return make(def);
}

// A log across 29 ridges is held up by all of them: with places for 16 its end sank in and it tilted.
static void a_log_across_many_ridges_is_held_by_all_of_them(void** state)
{
  (void)state;
  crShape *whole = makeFine(5e-6), *round = make(crMakeCylinder(0.05, 0.58, 0.0));
  crPressed pair = { round, smoothPieceOf(whole), crIdentityPose(), crIdentityPose() };
  assert_true(crIsOverGround(round, pair.b));
  pair.X_WA.R = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), 0.5 * CR_PI));
  pair.X_WA.p.z = 0.05 + 5e-6 - 1e-6;
  crWrench onGround;
  crComputePressed(&pair, &onGround);
  assert_true(onGround.f.z < 0.0);
  assert_true(fabs(onGround.t.y) < 1e-9 * 0.3 * fabs(onGround.f.z));
  crDestroyShape(round);
  crDestroyShape(whole);
}

// A disc of 25 cells stands on one edge of its rim: with 512 boxes for all of its cap the torque was off by 1.5e-6 of
// it, and noise.
static void a_disc_on_a_fine_flat_field_is_on_a_half_space(void** state)
{
  (void)state;
  crShape *whole = makeFine(0.0), *round = make(crMakeCylinder(0.25, 0.1, 0.0));
  crShape* plane = make(crDefaultShapeDef(cr_shapeHalfSpace));
  for (int i = 0; i < 12; ++i) {
    double tilt = 0.002 * (i + 1), depth = 2e-3 * (1 + i % 4);
    crPressed pair = { round, smoothPieceOf(whole), crIdentityPose(), crIdentityPose() };
    assert_true(crIsOverGround(round, pair.b));
    pair.X_WA.R = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(cos(i), sin(i), 0.0), tilt));
    pair.X_WA.p = crMakeVec3(0.0123, -0.0071, 0.05 * cos(tilt) + 0.25 * sin(tilt) - depth);
    crWrench own, other;
    double U = crComputePressed(&pair, &own);
    pair.b = plane;
    double truth = crComputePressed(&pair, &other);
    assert_true(fabs(U / truth - 1.0) < 1e-8);
    assert_true(crLength(crSub(own.t, other.t)) < 1e-7 * 0.25 * crLength(other.f));
  }
  crDestroyShape(plane);
  crDestroyShape(round);
  crDestroyShape(whole);
}

// One of more than 32 cells is for facets.
static void cylinders_of_very_many_cells_touch_facets(void** state)
{
  (void)state;
  crShape *whole = makeFine(0.0), *some = make(crMakeCylinder(0.31, 0.1, 0.0)),
          *many = make(crMakeCylinder(0.32, 0.1, 0.0));
  assert_true(crIsOverGround(some, smoothPieceOf(whole)));
  assert_false(crIsOverGround(many, smoothPieceOf(whole)));
  assert_true(crTouchesPiece(crShape_GetPiece(whole, 0), many));
  assert_false(crTouchesPiece(crShape_GetPiece(whole, 0), some));
  crDestroyShape(many);
  crDestroyShape(some);
  crDestroyShape(whole);
}

// -------------------------------------------------------------------------------------------------------- runs

// Height as a function of x and y in a grid of 41 x 41 over 4 m x 4 m.
#define SCENE                                                                                                          \
  "solidMaterial('Hard', { density = 7850, E = %s, nu = 0.3 })\n"                                                      \
  "contactPair('Hard', 'Hard', { %s })\nworld('w', {})\n"                                                              \
  "local rows = {}\nfor j = 0, 40 do local row = {}\n"                                                                 \
  "for i = 0, 40 do local x, y = 0.1 * i - 2, 0.1 * j - 2; row[i + 1] = %s end rows[j + 1] = row end\n"                \
  "object('ground', { parent = 'w', solid{ shape = heightField{ heights = rows, width = 4, length = 4%s },\n"          \
  "  contact = 'Hard' } })\n"

static crTestRun open(const char* E, const char* pair, const char* height, const char* more, const char* rest,
                      double stop, double tolerance)
{
  char text[4096];
  int length = snprintf(text, sizeof text, SCENE "%s", E, pair, height, more, rest);
  assert_true(length > 0 && length < (int)sizeof text);
  return crOpenTestText(text, stop, tolerance, cr_solverDefault);
}

#define AMPLITUDE 0.02
#define WAVES 2.5 // [1/m]

// [m] From a point beside the crest at 0 to z = AMPLITUDE cos(WAVES x).
static double measureCurve(double X, double Z)
{
  double x = X;
  for (int i = 0; i < 50; ++i) {
    double h = AMPLITUDE * cos(WAVES * x), h1 = -AMPLITUDE * WAVES * sin(WAVES * x), h2 = -WAVES * WAVES * h;
    x -= (x - X + (h - Z) * h1) / (1.0 + h1 * h1 + (h - Z) * h2);
  }
  double z = Z - AMPLITUDE * cos(WAVES * x);
  return sqrt((X - x) * (X - x) + z * z);
}

// [m] How far an axle strays from the parallel curve of the waves, as it slides over four cells; how many contacts
// begin.
static double findRipple(double stop, int64_t* outEvents)
{
  crTestRun run =
      open("2e12", "cor = 0, muK = 0, muR = 0", "0.02 * math.cos(2.5 * x)", "",
           "object('wheel', { parent = 'w', position = { -0.2, 0.03, 0.2178 }, free = true,\n"
           "  velocity = { 1, 0, 0 }, rotation = { math.pi / 2, 0, 0 },\n"
           "  solid{ shape = cylinder{ radius = 0.2, length = 0.1 }, material = 'Hard', contact = 'Hard' } })",
           stop, 1e-9);
  crTestRun_Advance(&run, 0.1);
  double most = 0.0, least = HUGE_VAL;
  for (double t = 0.1; t < stop; t += 2e-3) {
    double x = crTestRun_ValueAt(&run, t, "wheel.position.x"), z = crTestRun_ValueAt(&run, t, "wheel.position.z");
    double d = measureCurve(x, z);
    most = fmax(most, d);
    least = fmin(least, d);
  }
  *outEvents = crSimulation_GetSummary(run.simulation).eventCount;
  crCloseTestRun(&run);
  return fmax(fabs(most - 0.2), fabs(least - 0.2));
}

// Splines through samples of a cosine stray from it by some (k h)^4 / 384 of its height, 2e-7 m at most here, and the
// wheel is 0.1 um deep; three facets along each edge of a cell would be off by up to M h^2 / 8 = 1.7e-5.
static void a_wheel_follows_the_parallel_curve_of_waves(void** state)
{
  (void)state;
  int64_t events = 0;
  double ripple = findRipple(0.5, &events);
  assert_true(ripple < 5e-7);
  assert_true(events <= 2);
}

// In a trough of radius R at its bottom: omega^2 = 2 g / (3 (R - r)).
static void a_roller_in_a_trough_swings_at_its_closed_frequency(void** state)
{
  (void)state;
  double R = 2.0, r = 0.05, omega = sqrt(2.0 * 9.81 / (3.0 * (R - r))), v = 3e-4 * omega * (R - r), times[2];
  char roller[1000];
  snprintf(roller, sizeof roller,
           "object('roller', { parent = 'w', position = { 0, 0.02, 0.05 }, free = true, start = 'rest',\n"
           "  rotation = { math.pi / 2, 0, 0 }, velocity = { %.17g, 0, 0 }, angularVelocity = { 0, %.17g, 0 },\n"
           "  solid{ shape = cylinder{ radius = 0.05, length = 0.3 }, material = 'Hard', contact = 'Hard' } })\n",
           v, v / r);
  for (int i = 0; i < 2; ++i) {
    crTestRun run =
        open("2e14", "cor = 0.5, muK = 0.5, muR = 0, friction = 'stick'", "x * x / 4", "", roller, 20.0, 1e-10);
    times[i] = crTestRun_FindPassage(&run, "roller", 1e-3, i == 0 ? 1 : 5);
    crCloseTestRun(&run);
  }
  assert_close(CR_PI * 4.0 / (times[1] - times[0]) / omega, 1.0, 1e-6);
}

// [s] Of a wheel that rolls from the crest at 0 until it touches at x, by the integral of ds / v along the parallel
// curve of z = A cos(k x), v by its energy.
static double findRollingTime(double r, double v0, double to)
{
  const int count = 100000;
  double time = 0.0, k = WAVES, dx = to / count;
  for (int i = 0; i < count; ++i) {
    double x = dx * (i + 0.5), h = AMPLITUDE * cos(k * x), slope = -AMPLITUDE * k * sin(k * x);
    double c = 1.0 / sqrt(1.0 + slope * slope), bend = -k * k * h * c * c * c; // > 0 in valleys
    double fall = AMPLITUDE + r - (h + r * c);
    time += dx / c * (1.0 - bend * r) / sqrt(v0 * v0 + 4.0 / 3.0 * 9.81 * fall);
  }
  return time;
}

static void a_wheel_rolls_over_waves_as_its_energy_says(void** state)
{
  (void)state;
  const double r = 0.2, v0 = 0.5, to = 1.5;
  char wheel[1000];
  snprintf(wheel, sizeof wheel,
           "object('wheel', { parent = 'w', position = { 0, 0.03, %.17g }, free = true, start = 'rest',\n"
           "  rotation = { math.pi / 2, 0, 0 }, velocity = { %.17g, 0, 0 }, angularVelocity = { 0, %.17g, 0 },\n"
           "  solid{ shape = cylinder{ radius = 0.2, length = 0.1 }, material = 'Hard', contact = 'Hard' } })\n",
           AMPLITUDE + r, v0, v0 / r);
  crTestRun run = open("2e13", "cor = 0.5, muK = 0.5, muR = 0, friction = 'stick'", "0.02 * math.cos(2.5 * x)", "",
                       wheel, 3.0, 1e-9);
  double x = crTestRun_ValueAt(&run, findRollingTime(r, v0, to), "wheel.position.x");
  double slope = -AMPLITUDE * WAVES * sin(WAVES * to);
  assert_close(x, to - r * slope / sqrt(1.0 + slope * slope), 2e-6);
  crCloseTestRun(&run);
}

// On a plane of heights as on a half-space, in all of its motion.
static void a_flat_field_is_a_half_space(void** state)
{
  (void)state;
  static const char* const grounds[2] = {
    "solid{ shape = heightField{ heights = rows, width = 4, length = 4 }, contact = 'Hard' }",
    "rotation = { 0, -math.atan(0.1), 0 }, solid{ shape = halfSpace{}, contact = 'Hard' }"
  };
  static const char* const turns[3] = { "math.pi / 2, 0, 0", "0.3, 0.4, 0", "0.02, 0, 0" };
  for (int k = 0; k < 3; ++k) {
    crVec3 places[2];
    for (int i = 0; i < 2; ++i) {
      char text[2000];
      snprintf(text, sizeof text,
               "solidMaterial('Hard', { density = 1000, E = 1e8, nu = 0.3 })\n"
               "contactPair('Hard', 'Hard', { cor = 0.5, muK = 0.4, muR = 0 })\nworld('w', {})\n"
               "local rows = {}\nfor j = 0, 10 do local row = {}\n"
               "for i = 0, 10 do row[i + 1] = 0.1 * (0.4 * i - 2) end rows[j + 1] = row end\n"
               "object('ground', { parent = 'w', %s })\n"
               "object('body', { parent = 'w', position = { 0.8, 0, 0.4 }, free = true, rotation = { %s },\n"
               "  velocity = { -0.5, 0.1, 0 }, solid{ shape = cylinder{ radius = 0.15, length = 0.1 },\n"
               "  material = 'Hard', contact = 'Hard' } })\n",
               grounds[i], turns[k]);
      crTestRun run = crOpenTestText(text, 1.0, 1e-10, cr_solverDefault);
      crTestRun_Advance(&run, 0.6);
      places[i] = crTestRun_Pose(&run, "body").p;
      crCloseTestRun(&run);
    }
    assert_close(crLength(crSub(places[1], places[0])), 0.0, 2e-9);
  }
}

// Wheels, coins and drums in any attitude.
static void what_is_thrown_keeps_its_energy(void** state)
{
  (void)state;
  for (int kind = cr_groundWheel; kind <= cr_groundBorder; ++kind) {
    for (uint64_t seed = 1; seed <= 12; ++seed) {
      crGroundThrow thrown = crThrowAtGround((crGroundKind)kind, seed, 1e-8, false);
      assert_true(thrown.status == 0 || thrown.isAtBorder);
      assert_false(thrown.isInside);
      assert_true(fabs(thrown.energy) <= 1e-6);
    }
  }
}

// -------------------------------------------------------------------------------------------------------- border

#define WHEEL                                                                                                          \
  "object('wheel', { parent = 'w', position = { %g, 0, %g }, free = true, rotation = { math.pi / 2, 0, 0 },\n"         \
  "  velocity = { %g, 0, 0 }, angularVelocity = { 0, %g, 0 },\n"                                                       \
  "  solid{ shape = cylinder{ radius = 0.2, length = 0.1 }, material = 'Hard', contact = 'Hard' } })\n"

static crTestRun openWheel(double x, double z, double v, const char* more)
{
  char wheel[1000];
  snprintf(wheel, sizeof wheel, WHEEL, x, z, v, v / 0.2);
  return open("1e9", "cor = 0.3, muK = 0.5, muR = 0", "0", more, wheel, 2.0, 1e-8);
}

// What rolls off the ground ends there by name, as its rim comes to the border; facets have an edge to fall from.
static void a_wheel_at_the_border_ends_by_name(void** state)
{
  (void)state;
  crTestRun run = openWheel(1.5, 0.2, 1.0, "");
  crStatus status = cr_ok;
  for (int i = 1; status == cr_ok && i < 200; ++i) {
    status = crSimulation_Advance(run.simulation, 0.01 * i);
  }
  assert_int_equal(status, cr_failNumerics);
  assert_message(run.log, cr_severityError, "it touches 'ground' at its border");
  assert_message(run.log, cr_severityError, "facets = true");
  assert_close(crTestRun_Pose(&run, "wheel").p.x, 1.85, 0.05); // at the end of the step, of 0.08 s, that leads past 1.8
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
  crCloseTestRun(&run);
  run = openWheel(1.5, 0.2, 1.0, ", facets = true");
  crTestRun_Advance(&run, 2.0);
  assert_true(crTestRun_Pose(&run, "wheel").p.z < -0.5);
  crCloseTestRun(&run);
}

static void what_falls_beside_the_ground_does_not_touch_it(void** state)
{
  (void)state;
  crTestRun run = openWheel(2.201, 0.2, 0.0, "");
  crTestRun_Advance(&run, 2.0);
  assert_close(crTestRun_Pose(&run, "wheel").p.z, 0.2 - 0.5 * 9.81 * 4.0, 1e-6);
  crCloseTestRun(&run);
  run = openWheel(1.9, 0.5, 1.0, ""); // over the border already, high enough to pass it
  crTestRun_Advance(&run, 0.2);
  crCloseTestRun(&run);
}

// Below what is too large the slope of the ground differs by too much: it touches facets.
static void what_is_too_large_is_told(void** state)
{
  (void)state;
  char text[4096], wheel[1000];
  snprintf(wheel, sizeof wheel, WHEEL, 0.0, 1.0, 0.0, 0.0);
  snprintf(text, sizeof text, SCENE "%s", "1e9", "cor = 0.3, muK = 0.5, muR = 0", "0.1 * math.sin(6 * x)", "", wheel);
  crTestRun run = { .log = crCreateErrorLog(NULL) };
  run.sink = crErrorLog_GetSink(run.log);
  assert_int_equal(crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &run.sink, &run.scene), cr_ok);
  assert_int_equal(crCompile(run.scene, NULL, NULL, &run.sink, &run.model), cr_ok);
  assert_message(run.log, cr_severityWarning, "is too large for the smooth surface of 'ground'");
  crCloseTestRun(&run);
}

static void what_starts_at_the_border_is_refused(void** state)
{
  (void)state;
  char text[4096], wheel[1000];
  snprintf(wheel, sizeof wheel, WHEEL, 1.9, 0.2 - 1e-5, 0.0, 0.0);
  snprintf(text, sizeof text, SCENE "%s", "1e9", "cor = 0.3, muK = 0.5, muR = 0", "0", "", wheel);
  crAssertStartIsRefused(text, "is at the border of a smooth surface");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_deepest_point_is_found_in_any_attitude),
    cmocka_unit_test(forces_are_the_gradient_of_one_energy),
    cmocka_unit_test(energies_have_no_jumps_from_cell_to_cell),
    cmocka_unit_test(a_log_across_many_ridges_is_held_by_all_of_them),
    cmocka_unit_test(a_disc_on_a_fine_flat_field_is_on_a_half_space),
    cmocka_unit_test(cylinders_of_very_many_cells_touch_facets),
    cmocka_unit_test(a_wheel_follows_the_parallel_curve_of_waves),
    cmocka_unit_test(a_roller_in_a_trough_swings_at_its_closed_frequency),
    cmocka_unit_test(a_wheel_rolls_over_waves_as_its_energy_says),
    cmocka_unit_test(a_flat_field_is_a_half_space),
    cmocka_unit_test(what_is_thrown_keeps_its_energy),
    cmocka_unit_test(a_wheel_at_the_border_ends_by_name),
    cmocka_unit_test(what_falls_beside_the_ground_does_not_touch_it),
    cmocka_unit_test(what_is_too_large_is_told),
    cmocka_unit_test(what_starts_at_the_border_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
