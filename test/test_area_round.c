// Area contact of cylinders, cones, frusta and beams with boxes, hulls and half-spaces: the force is the gradient of
// the energy, which is continuous along every motion, and as stiff as the theory of elasticity says.
#include "support/patches.h"
#include "support/shapes.h"

#define ROUND_COUNT 5
#define OTHER_COUNT 5

static const crShape* makeHull(int count, crRandom* random)
{
  crVec3 points[64];
  assert_true(count <= 64);
  for (int i = 0; i < count; ++i) {
    points[i] = crScale(0.1, crRandom_UnitVec3(random));
  }
  return crKeepTestShape(crMakeHull(points, count));
}

static const crShape* makeGround(void)
{
  return crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace));
}

// Long and flat cylinders, cone, frustum and beam.
static void makeRounds(const crShape* rounds[ROUND_COUNT])
{
  rounds[0] = crKeepTestShape(crMakeCylinder(0.05, 0.2, 0.0));
  rounds[1] = crKeepTestShape(crMakeCylinder(0.1, 0.01, 0.0));
  rounds[2] = crKeepTestShape(crMakeCone(0.08, 0.0, 0.15));
  rounds[3] = crKeepTestShape(crMakeCone(0.1, 0.04, 0.1));
  rounds[4] = crKeepTestShape(crMakeBeam(0.3, 0.06, 0.05));
}

static void makeOthers(const crShape* others[OTHER_COUNT], crRandom* random)
{
  others[0] = crKeepTestShape(crMakeBox(0.2, 0.1, 0.15));
  others[1] = crKeepTestShape(crMakeBox(0.3, 0.2, 0.01));
  others[2] = makeHull(8, random);
  others[3] = makeHull(32, random);
  others[4] = makeGround();
}

// ---------------------------------------------------------------------------------------------- gradient

static void the_force_is_the_gradient_of_the_energy(void** state)
{
  (void)state;
  static const struct {
    double depth, step, tolerance;
  } cases[] = { { 2e-2, 1e-4, 2e-6 }, { 2e-3, 1e-4, 2e-6 }, { 1e-4, 4e-4, 2e-6 }, { 1e-6, 2e-3, 2e-5 } };
  crRandom random = crMakeRandom(1);
  const crShape *rounds[ROUND_COUNT], *others[OTHER_COUNT];
  makeRounds(rounds);
  makeOthers(others, &random);
  for (int i = 0; i < ROUND_COUNT * OTHER_COUNT; ++i) {
    const crShape *a = rounds[i / OTHER_COUNT], *b = others[i % OTHER_COUNT];
    for (int k = 0; k < 4; ++k) {
      int close = 0, count = k == 0 ? 60 : 30; // deep ones have the most ways to go wrong
      for (int n = 0; n < count; ++n) {
        bool isFirst = n % 2 == 0;
        crPressed pair = crPressAtRandom(isFirst ? a : b, isFirst ? b : a, cases[k].depth, &random);
        double error = crCheckGradient(&pair, cases[k].depth, 0.1, cases[k].step);
        if (error >= cases[k].tolerance) { // something comes in within the step of the differences
          error = crCheckGradient(&pair, cases[k].depth, 0.1, cases[k].step / 8.0);
        }
        assert_true(error < cases[k].tolerance);
        close += error < (k < 3 ? 1e-7 : 1e-6); // the others: differences over a step that a rim comes in at
      }
      assert_true(close >= count - 2);
    }
  }
}

// -------------------------------------------------------------------------------------------- continuity

// B moves by a twist, about its frame, in axes of the world; time from 0 to 1.
typedef struct Motion {
  crVec3 v, w;
} Motion;

static crPressed moveTo(const crPressed* start, Motion motion, double t)
{
  crPressed pair = *start;
  double angle = crLength(motion.w);
  pair.X_WB.p = crMulAdd(pair.X_WB.p, t, motion.v);
  if (angle > 0.0) {
    crQuat q = crAxisAngleToQuat(crScale(1.0 / angle, motion.w), angle * t);
    pair.X_WB.R = crMulMM(crQuatToMat3(q), pair.X_WB.R);
  }
  return pair;
}

static double computePower(const crPressed* start, Motion motion, double t, double* outEnergy)
{
  crPressed pair = moveTo(start, motion, t);
  crWrench onB;
  *outEnergy = crComputePressed(&pair, &onB);
  return crDot(onB.f, motion.v) + crDot(onB.t, motion.w);
}

// The largest difference of the energy from the work of the force along steps of a motion, over the largest energy.
static double findJump(const crPressed* start, Motion motion, int steps)
{
  double energy, last, middle, jump = 0.0, most = 0.0, h = 1.0 / steps;
  double power = computePower(start, motion, 0.0, &last);
  for (int i = 0; i < steps; ++i) {
    double between = computePower(start, motion, (i + 0.5) * h, &middle);
    double next = computePower(start, motion, (i + 1) * h, &energy);
    jump = fmax(jump, fabs(energy - last + h / 6.0 * (power + 4.0 * between + next)));
    most = fmax(most, energy);
    last = energy;
    power = next;
  }
  assert_true(most > 0.0);
  return jump / most;
}

static crPose lift(double x, double y, double z)
{
  crPose X = crIdentityPose();
  X.p = crMakeVec3(x, y, z);
  return X;
}

// Exactly parallel, through the first touch, through exactly parallel, over edges, rims and the axis. B is the round
// one; it stands, lies or is upside down on a box of 0.2 x 0.2 x 0.1 or a plate.
static void the_energy_is_continuous_through_all_special_poses(void** state)
{
  (void)state;
  const crShape *rounds[ROUND_COUNT], *box = crKeepTestShape(crMakeBox(0.2, 0.2, 0.1)),
                                      *plate = crKeepTestShape(crMakeBox(0.3, 0.3, 0.002));
  makeRounds(rounds);
  static const crVec3 ways[] = { { 0.0, 0.0, -4e-3 }, { 0.12, 0.0, -1e-3 }, { 0.08, 0.09, 0.0 }, { 0.0, 0.0, 0.0 } };
  static const crVec3 turns[] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0 }, { 0.2, 0.0, 0.0 }, { 0.0, 0.2, 0.1 } };
  static const double pitches[] = { 0.0, 0.5 * CR_PI, CR_PI, -0.5 * CR_PI };
  for (int i = 0; i < ROUND_COUNT * 4 * 16; ++i) {
    const crShape* round = rounds[i / 64];
    Motion motion = { ways[i % 4], turns[i / 4 % 4] };
    if (i % 16 == 3) {
      continue; // no motion
    }
    crPressed pair = { i % 2 == 0 ? box : plate, round, crIdentityPose(), lift(0.0, 0.0, 1.0) };
    pair.X_WB.R = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), pitches[i / 16 % 4]));
    crPressTogether(&pair, 2e-3);
    pair.X_WB.p.x = pair.X_WB.p.y = 0.0;
    pair = moveTo(&pair, motion, -0.5);
    assert_true(findJump(&pair, motion, 150) < 2e-4);
  }
}

// --------------------------------------------------------------------------------------------- stiffness

// The force up on B, which is at X_WB on the ground.
static double computeForce(const crShape* ground, const crShape* round, const crPose* X_WB)
{
  crPressed pair = { ground, round, crIdentityPose(), *X_WB };
  crWrench onB;
  crComputePressed(&pair, &onB);
  return onB.f.z;
}

// The side is nearest to points of a face that has the axis of a cylinder or cone in it: strips along the axis were
// used there, which know no end in the side of a cone and no depth that is even in the distance. U jumped by 1 to 6 %.
static void the_energy_is_continuous_where_a_face_passes_the_axis(void** state)
{
  (void)state;
  const crShape* rounds[] = { crKeepTestShape(crMakeCone(0.05, 0.0, 0.15)),
                              crKeepTestShape(crMakeCone(0.05, 0.02, 0.15)),
                              crKeepTestShape(crMakeCylinder(0.05, 0.2, 0.0)),
                              crKeepTestShape(crMakeCylinder(0.05, 0.02, 0.0)),
                              crKeepTestShape(crMakeCylinder(0.05, 0.1, 0.0)) };
  static const double tilts[4] = { 0.0, 1e-3, 0.02, 0.05 };
  const crShape* box = crKeepTestShape(crMakeBox(1.0, 1.0, 1.0));
  for (int i = 0; i < 20; ++i) {
    double tilt = tilts[i % 4], range = i % 3 == 0 ? 1e-5 : 5e-3, before = 0.0, force = 0.0;
    const int steps = 500;
    crPressed pair = { box, rounds[i / 4], crIdentityPose(), crIdentityPose() };
    pair.X_WA.p.z = -0.5;
    crMat3 exact = { { 0.0, 0.0, -1.0 }, { 0.0, 1.0, 0.0 }, { 1.0, 0.0, 0.0 } }; // the axis is along x
    pair.X_WB.R = crMulMM(crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), tilt)), exact);
    for (int k = 0; k <= steps; ++k) {
      crWrench onB;
      pair.X_WB.p.z = range * (2.0 * k / steps - 1.0);
      double U = crComputePressed(&pair, &onB), work = range / steps * (onB.f.z + force);
      assert_true(k == 0 || fabs(U - before + work) < 3e-6 * U);
      before = U;
      force = onB.f.z;
    }
  }
}

// 2 E* R depth, on the ground and on a large box alike.
static void a_round_flat_punch_is_as_stiff_as_its_capacity(void** state)
{
  (void)state;
  const crShape *ground = makeGround(), *cylinder = crKeepTestShape(crMakeCylinder(0.1, 0.2, 0.0)),
                *frustum = crKeepTestShape(crMakeCone(0.1, 0.05, 0.2)),
                *table = crKeepTestShape(crMakeBox(1.0, 1.0, 0.5));
  double depth = 1e-6, expected = 2.0 * 0.1 * depth;
  crPose X = lift(0.0, 0.0, -depth - cylinder->core.zMin);
  assert_close(computeForce(ground, cylinder, &X) / expected, 1.0, 1e-4);
  X.p.z += 0.25;
  assert_close(computeForce(table, cylinder, &X) / expected, 1.0, 1e-4);
  X = lift(0.0, 0.0, -depth - frustum->core.zMin);
  assert_close(computeForce(ground, frustum, &X) / expected, 1.0, 1e-4);
}

// F = 2/pi E* tan(a) depth^2 [Sneddon65], a the angle of the axis and the side, for blunt cones.
static void a_cone_is_as_stiff_as_sneddon_says(void** state)
{
  (void)state;
  const crShape *ground = makeGround(), *cone = crKeepTestShape(crMakeCone(0.2, 0.0, 0.01));
  double depth = 1e-4, expected = 2.0 / CR_PI * 20.0 * depth * depth;
  crPose X = { crQuatToMat3(crAxisAngleToQuat(crMakeVec3(1.0, 0.0, 0.0), CR_PI)),
               crMakeVec3(0.0, 0.0, cone->core.zMax - depth) };
  assert_close(computeForce(ground, cone, &X) / expected, 1.073, 2e-3);
}

// Against rigid cylinders of radius 1 on an elastic half-space of modulus 1, solved with rectangles of constant
// pressure: length 1, 10, 100; depth 1e-6, 1e-4, 1e-2.
static void a_lying_cylinder_is_as_stiff_as_on_an_elastic_half_space(void** state)
{
  (void)state;
  static const double expected[3][3] = { { 1.8531e-7, 2.6303e-5, 4.6163e-3 },
                                         { 1.4384e-6, 1.8531e-4, 2.6303e-2 },
                                         { 1.1795e-5, 1.4384e-3, 1.8531e-1 } };
  static const double lengths[] = { 1.0, 10.0, 100.0 }, depths[] = { 1e-6, 1e-4, 1e-2 };
  const crShape* ground = makeGround();
  for (int i = 0; i < 9; ++i) {
    const crShape* cylinder = crKeepTestShape(crMakeCylinder(1.0, lengths[i / 3], 0.0));
    crPose X = { crQuatToMat3(crAxisAngleToQuat(crMakeVec3(1.0, 0.0, 0.0), 0.5 * CR_PI)),
                 crMakeVec3(0.0, 0.0, 1.0 - depths[i % 3]) };
    assert_close(computeForce(ground, cylinder, &X) / expected[i / 3][i % 3], 1.0, 0.08);
  }
}

// No polygon: nothing is felt of the angle.
static void a_rolling_cylinder_feels_no_ripple(void** state)
{
  (void)state;
  const crShape *others[] = { makeGround(), crKeepTestShape(crMakeBox(1.0, 1.0, 0.5)) },
                *cylinder = crKeepTestShape(crMakeCylinder(0.1, 0.2, 0.0));
  for (int k = 0; k < 2; ++k) {
    crPressed pair = { others[k], cylinder, crIdentityPose(), lift(0.0, 0.0, (k == 0 ? 0.1 : 0.35) - 1e-4) };
    crMat3 lying = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(1.0, 0.0, 0.0), 0.5 * CR_PI));
    crWrench onB;
    double first = 0.0;
    for (int i = 0; i < 100; ++i) {
      crMat3 turned = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), 0.1 * i));
      pair.X_WB.R = crMulMM(turned, lying);
      double U = crComputePressed(&pair, &onB);
      first = i == 0 ? U : first;
      assert_close(U / first, 1.0, 1e-11);
      assert_true(fabs(onB.t.y) < 1e-10 * crLength(onB.f));
    }
  }
}

// ------------------------------------------------------------------------------------------------- plates

// A tip, a rim and a corner of B pressed into a plate of 2 mm: the energy grows until more than half of it is passed.
static void a_tip_or_a_rim_does_not_pass_a_thin_plate(void** state)
{
  (void)state;
  const crShape *plate = crKeepTestShape(crMakeBox(0.3, 0.3, 0.002)),
                *rounds[] = { crKeepTestShape(crMakeCone(0.08, 0.0, 0.15)),
                              crKeepTestShape(crMakeCylinder(0.05, 0.2, 0.0)) };
  static const double pitches[] = { CR_PI, 0.4 };
  for (int k = 0; k < 2; ++k) {
    crPressed pair = { plate, rounds[k], crIdentityPose(), lift(0.0, 0.0, 1.0) };
    pair.X_WB.R = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), pitches[k]));
    crPressTogether(&pair, 1e-5);
    double last = 0.0, z = pair.X_WB.p.z;
    for (int i = 1; i <= 100; ++i) { // to 10 mm: far beyond the other side
      crWrench onB;
      pair.X_WB.p.z = z - 1e-4 * i;
      double U = crComputePressed(&pair, &onB);
      assert_true(U > last);
      assert_true(onB.f.z > 0.0);
      last = U;
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(the_force_is_the_gradient_of_the_energy, crDestroyKeptShapes),
    cmocka_unit_test_teardown(the_energy_is_continuous_through_all_special_poses, crDestroyKeptShapes),
    cmocka_unit_test_teardown(the_energy_is_continuous_where_a_face_passes_the_axis, crDestroyKeptShapes),
    cmocka_unit_test_teardown(a_round_flat_punch_is_as_stiff_as_its_capacity, crDestroyKeptShapes),
    cmocka_unit_test_teardown(a_cone_is_as_stiff_as_sneddon_says, crDestroyKeptShapes),
    cmocka_unit_test_teardown(a_lying_cylinder_is_as_stiff_as_on_an_elastic_half_space, crDestroyKeptShapes),
    cmocka_unit_test_teardown(a_rolling_cylinder_feels_no_ripple, crDestroyKeptShapes),
    cmocka_unit_test_teardown(a_tip_or_a_rim_does_not_pass_a_thin_plate, crDestroyKeptShapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
