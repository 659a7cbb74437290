// How long a roller stays apart from a surface: never longer than along any course, and long where it glides in a slot.
#include "geometry/shape.h"
#include "island/roller_bound.h"
#include "support/shapes.h"
#include "support/test.h"

#include <math.h>

#define COURSES 4000
#define PLACES 60 // of a course, that are looked at

static crShapeDef makeExtruded(const crProfilePoint* points, int count)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeExtruded);
  def.as.extruded.profile = (crProfileDef){ .points = points, .pointCount = count };
  def.as.extruded.length = 0.4;
  return def;
}

// A notch, a rounded nose, a concave side; and a slot with a round bottom.
static const crProfilePoint notched[] = {
  { .x = -1.0, .y = -0.6 }, { .x = 1.0, .y = -0.6 }, { .x = 1.0, .y = 0.6, .arc = 0.6 },
  { .x = 0.2, .y = 0.6 },   { .x = 0.0, .y = 0.1 },  { .x = -0.2, .y = 0.6 },
  { .x = -1.0, .y = 0.6 },  { .x = -1.0, .y = 0.2 }, { .x = -1.0, .y = -0.2, .arc = -0.25 }
};
static const crProfilePoint slotted[] = { { .x = -1.0, .y = -1.0 },  { .x = 1.0, .y = -1.0 },
                                          { .x = 1.0, .y = 1.0 },    { .x = 0.101, .y = 1.0 },
                                          { .x = 0.101, .y = 0.0 },  { .x = -0.101, .y = 0.0, .arc = -0.101 },
                                          { .x = -0.101, .y = 1.0 }, { .x = -1.0, .y = 1.0 } };

static crPlanePoint follow(crPlanePoint x, crPlanePoint v, crPlanePoint a, double t)
{
  return crPlaneAdd(crPlaneAdd(x, t, v), 0.5 * t * t, a);
}

static double measure(const crChain* chain, crPlanePoint x)
{
  return fabs(crChain_FindFoot(chain, x).distance);
}

// Courses with all of the acceleration that is allowed, in any direction. Returns how many of them the bound follows
// for at least a fifth of the time that they take to come near.
static int tryCourses(const crChain* chain, crRandom* random)
{
  int count = 0;
  for (int i = 0; i < COURSES; ++i) {
    crPlanePoint x = { crRandom_Uniform(random, -1.4, 1.4), crRandom_Uniform(random, -1.4, 1.4) };
    crPlanePoint v = { crRandom_Uniform(random, -2.0, 2.0), crRandom_Uniform(random, -2.0, 2.0) };
    double A = crRandom_Uniform(random, 0.0, 3.0), angle = crRandom_Uniform(random, 0.0, 6.3);
    double least = fmax(0.0, measure(chain, x) - crRandom_Uniform(random, 0.0, 0.3)), longest = 1.0;
    crPlanePoint a = { A * cos(angle), A * sin(angle) };
    double reach = crFindRollerReach(chain, x, v, A, least, longest), near = longest;
    assert_true(reach >= 0.0 && reach <= longest);
    for (int k = 1; k <= PLACES; ++k) {
      assert_true(measure(chain, follow(x, v, a, reach * k / PLACES)) > least - 1e-12);
    }
    for (int k = PLACES - 1; k > 0; --k) {
      near = measure(chain, follow(x, v, a, longest * k / PLACES)) < least ? longest * k / PLACES : near;
    }
    count += reach >= 0.2 * near;
  }
  return count;
}

static void no_course_comes_nearer(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(61);
  const crShape* shapes[] = { crKeepTestShape(makeExtruded(notched, 9)), crKeepTestShape(makeExtruded(slotted, 8)) };
  for (int i = 0; i < 2; ++i) {
    assert_true(tryCourses(shapes[i]->chain, &random) > COURSES / 2);
    for (int k = 0; k < shapes[i]->pieceCount; ++k) {
      tryCourses(shapes[i]->pieces[k].chain, &random);
    }
  }
}

// A pin of 0.1 in a slot of 0.101: along its sides, down to its bottom, only what may accelerate across it counts.
static void what_glides_in_a_slot_is_known_to(void** state)
{
  (void)state;
  const crChain* chain = crKeepTestShape(makeExtruded(slotted, 8))->chain;
  for (double y = 0.9; y > 0.04; y -= 0.05) {
    crPlanePoint x = { 0.0, y }, v = { 0.0, -0.3 };
    double reach = crFindRollerReach(chain, x, v, 2.0, 0.1, 1.0);
    assert_true(reach > 0.99 * sqrt(2.0 * 1e-3 / 2.0) && reach < 1.01 * sqrt(2.0 * 1e-3 / 2.0));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(no_course_comes_nearer, crDestroyKeptShapes),
    cmocka_unit_test_teardown(what_glides_in_a_slot_is_known_to, crDestroyKeptShapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
