// Area contact of capsules and of shapes that are rounded or inflated.
#include "support/patches.h"
#include "support/shapes.h"

#include <stdio.h>

#define MAX_SHAPES 32

static crShape* made[MAX_SHAPES];
static int madeCount;

static const crShape* make(crShapeDef def)
{
  assert_true(madeCount < MAX_SHAPES);
  made[madeCount] = crCreateTestShape(&def);
  return made[madeCount++];
}

static const crShape* makeRounded(crShapeDef def, double rounding)
{
  def.rounding = rounding;
  return make(def);
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
  crVec3 points[64];
  assert_true(count <= 64);
  for (int i = 0; i < count; ++i) {
    points[i] = crScale(0.1, crRandom_UnitVec3(random));
  }
  return makeRounded(crMakeHull(points, count), CR_ZERO);
}

static double findWorst(const crShape* a, const crShape* b, double depth, int count, double step, crRandom* random)
{
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    crPressed pair = crPressAtRandom(a, b, depth, random);
    double is = crCheckGradient(&pair, depth, 0.1, step);
    worst = fmax(worst, is);
  }
  return worst;
}

static void the_force_of_capsules_is_the_gradient_of_their_energy(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  const crShape* capsules[] = { make(crMakeCapsule(0.02, 0.2)), make(crMakeCapsule(0.05, 0.03)) };
  const crShape* others[] = { make(crDefaultShapeDef(cr_shapeHalfSpace)),
                              makeRounded(crMakeBox(0.2, 0.1, 0.15), CR_ZERO),
                              makeRounded(crMakeBox(0.3, 0.2, 0.01), CR_ZERO),
                              makeHull(8, &random),
                              makeHull(32, &random),
                              makeRounded(crMakeCylinder(0.05, 0.2, 0.0), CR_ZERO),
                              makeRounded(crMakeCone(0.08, 0.0, 0.2), CR_ZERO),
                              makeRounded(crMakeCone(0.08, 0.03, 0.1), CR_ZERO),
                              makeRounded(crMakeBeam(0.2, 0.06, 0.04), CR_ZERO),
                              capsules[0],
                              capsules[1] };
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 11; ++k) {
      double w[3] = { findWorst(capsules[i], others[k], 5e-3, 60, 1e-3, &random),
                      findWorst(capsules[i], others[k], 1e-4, 60, 1e-3, &random),
                      findWorst(capsules[i], others[k], 1e-6, 60, 4e-3, &random) };
      printf("%d %2d: %.1e %.1e %.1e\n", i, k, w[0], w[1], w[2]);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(the_force_of_capsules_is_the_gradient_of_their_energy, destroyAll),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
