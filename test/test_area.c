// Area contact: the force is the gradient of the energy, equal and opposite, and as stiff as the theory of elasticity
// says.
#include "support/patches.h"
#include "support/shapes.h"

#define MAX_SHAPES 16

static crShape* made[MAX_SHAPES];
static int madeCount;

static const crShape* make(crShapeDef def)
{
  assert_true(madeCount < MAX_SHAPES);
  if (def.kind != cr_shapeHalfSpace && def.kind != cr_shapeCapsule) {
    def.rounding = CR_ZERO;
  }
  made[madeCount] = crCreateTestShape(&def);
  return made[madeCount++];
}

static int destroyAll(void** state)
{
  (void)state;
  while (madeCount > 0) {
    crDestroyShape(made[--madeCount]);
  }
  return 0;
}

static const crShape* makeHull(int count, crRandom* random)
{
  crVec3 points[400];
  assert_true(count <= 400);
  for (int i = 0; i < count; ++i) {
    points[i] = crScale(0.1, crRandom_UnitVec3(random));
  }
  return make(crMakeHull(points, count));
}

// --------------------------------------------------------------------------------------------- polytopes

static double findWorst(const crShape* a, const crShape* b, double depth, int count, double step, crRandom* random)
{
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    crPressed pair = crPressAtRandom(a, b, depth, random);
    worst = fmax(worst, crCheckGradient(&pair, depth, 0.1, step));
  }
  return worst;
}

static void the_force_of_polytopes_is_the_gradient_of_their_energy(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  const crShape* shapes[] = { make(crMakeBox(0.2, 0.1, 0.15)), make(crMakeBox(0.3, 0.2, 0.01)), makeHull(8, &random),
                              makeHull(32, &random), make(crDefaultShapeDef(cr_shapeHalfSpace)) };
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 5; ++k) {
      if (crTouchesByArea(shapes[i], shapes[k])) {
        assert_true(findWorst(shapes[i], shapes[k], 2e-3, 40, 2e-4, &random) < 1e-6);
        assert_true(findWorst(shapes[i], shapes[k], 1e-5, 10, 2e-3, &random) < 1e-5);
      }
    }
  }
}

// More vertices than are looked at one by one, and more faces than are marked at a time.
static void hulls_of_hundreds_of_faces_are_no_exception(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  const crShape *large = makeHull(400, &random), *box = make(crMakeBox(0.2, 0.1, 0.15));
  assert_true(findWorst(large, box, 2e-3, 40, 2e-4, &random) < 1e-6);
  assert_true(findWorst(large, large, 2e-3, 40, 2e-4, &random) < 1e-6);
}

// A box on the ground and on a larger box, pressed in by its face: F = 2 E* l depth with the exact l of a rectangle's
// covariance, a^2 / 3 = A^2 / 4.
static void a_flat_square_is_as_stiff_as_its_capacity(void** state)
{
  (void)state;
  const crShape *box = make(crMakeBox(0.1, 0.1, 0.1)), *ground = make(crDefaultShapeDef(cr_shapeHalfSpace)),
                *table = make(crMakeBox(1.0, 1.0, 0.2));
  double depth = 1e-6, half = 0.05;
  crPressed pair = { box, ground, crIdentityPose(), crIdentityPose() };
  crWrench onB;
  pair.X_WA.p.z = half - depth;
  double U = crComputePressed(&pair, &onB);
  double mean = 2.0 * half / sqrt(3.0); // AGM of equal half axes
  assert_close(onB.f.z / (-2.0 * mean * depth), 1.0, 1e-4);
  assert_close(U / (mean * depth * depth), 1.0, 1e-4);
  pair.b = table;
  pair.X_WB.p.z = -0.1;
  crComputePressed(&pair, &onB);
  assert_close(onB.f.z / (-2.0 * mean * depth), 1.0, 1e-4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(the_force_of_polytopes_is_the_gradient_of_their_energy, destroyAll),
    cmocka_unit_test_teardown(hulls_of_hundreds_of_faces_are_no_exception, destroyAll),
    cmocka_unit_test_teardown(a_flat_square_is_as_stiff_as_its_capacity, destroyAll),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
