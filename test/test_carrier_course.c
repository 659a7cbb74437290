// Courses of carriers: the digits of the motion itself, or none.
#include "island/carrier_course.h"
#include "support/island_run.h"
#include "support/random.h"

#include <float.h>

#define TRAY(joint)                                                                                                    \
  "local room = world('room')\n"                                                                                       \
  "local tray = object('tray', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n" joint

#define SHAKEN                                                                                                         \
  TRAY("prismatic('shaker', room, tray, { axis = { 1, 2, 3 }, motion = sine('s', { amplitude = 0.01, frequency = 30 "  \
       "}) })\n")
#define FAST                                                                                                           \
  TRAY("prismatic('shaker', room, tray, { axis = 'x', motion = sine('s', { amplitude = 1e-4, frequency = 3e3 }) })\n")
#define TURNED                                                                                                         \
  TRAY("revolute('shaker', room, tray, { axis = 'x', motion = sine('s', { amplitude = 0.1, frequency = 5 }) })\n")

typedef struct Bench {
  crModel* model;
  crInstance *own, *exact;
  crCourse courses[CR_COURSES];
} Bench;

static void openBench(Bench* bench, const char* text)
{
  bench->model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  assert_int_equal(crCreateInstance(bench->model, NULL, NULL, &bench->own), cr_ok);
  assert_int_equal(crCreateInstance(bench->model, NULL, NULL, &bench->exact), cr_ok);
  crCourse_Clear(bench->courses);
}

static void closeBench(Bench* bench)
{
  crDestroyInstance(bench->own);
  crDestroyInstance(bench->exact);
  crDestroyModel(bench->model);
}

static double neverAgain(const void* context, int tree, double t)
{
  (void)context;
  (void)tree;
  (void)t;
  return HUGE_VAL;
}

// What drives it is another function from 0.5 s on.
static double atHalf(const void* context, int tree, double t)
{
  (void)context;
  (void)tree;
  return t < 0.5 ? 0.5 : HUGE_VAL;
}

static double findDifference(crLanes a, crLanes b)
{
  return crMaxAbs(crFromLanes(a - b));
}

static void courses_have_the_digits_of_the_motion(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(3);
  int tree = 0;
  crTreeSet set = { &tree, 1, NULL };
  openBench(&bench, SHAKEN);
  int body = bench.model->trees[tree].bodyStart;
  double v = 0.01 * 2.0 * CR_PI * 30.0, a = v * 2.0 * CR_PI * 30.0;
  for (int i = 0; i < 20000; ++i) {
    double t = crRandom_Uniform(&random, -0.2, 2.0);
    assert_true(crCourse_Place(bench.courses, bench.own, tree, t, neverAgain, NULL));
    assert_int_equal(crMoveGiven(bench.exact, set, t), cr_ok);
    double ofP = findDifference(bench.own->places[body].p, bench.exact->places[body].p);
    double ofV = findDifference(bench.own->V[body].v, bench.exact->V[body].v);
    assert_true(ofP <= 8.0 * DBL_EPSILON * (0.01 + v * fabs(t)));
    assert_true(ofV <= 8.0 * DBL_EPSILON * (v + a * fabs(t)));
    assert_true(findDifference(bench.own->V[body].w, bench.exact->V[body].w) == 0.0);
  }
  closeBench(&bench);
}

// So that neither who asked before nor a checkpoint between can be seen.
static void courses_depend_on_nothing_but_the_time(void** state)
{
  (void)state;
  Bench a, b;
  crRandom random = crMakeRandom(4);
  openBench(&a, SHAKEN);
  openBench(&b, SHAKEN);
  int body = a.model->trees[0].bodyStart;
  for (int i = 0; i < 2000; ++i) {
    double t = crRandom_Uniform(&random, 0.0, 1.0);
    crCourse_Clear(b.courses);
    assert_true(crCourse_Place(a.courses, a.own, 0, t, neverAgain, NULL));
    assert_true(crCourse_Place(b.courses, b.own, 0, t, neverAgain, NULL));
    assert_true(findDifference(a.own->places[body].p, b.own->places[body].p) == 0.0);
    assert_true(findDifference(a.own->V[body].v, b.own->V[body].v) == 0.0);
  }
  closeBench(&a);
  closeBench(&b);
}

static bool isPlaced(const char* text, double t, crNextEvent* nextEvent)
{
  Bench bench;
  openBench(&bench, text);
  bool is = crCourse_Place(bench.courses, bench.own, 0, t, nextEvent, NULL);
  closeBench(&bench);
  return is;
}

static void what_polynomials_do_not_tell_has_no_course(void** state)
{
  (void)state;
  assert_true(isPlaced(SHAKEN, 0.5, neverAgain));
  assert_false(isPlaced(TURNED, 0.5, neverAgain));
  assert_false(isPlaced(FAST, 0.5, neverAgain)); // three periods in a stretch
  assert_true(isPlaced(SHAKEN, 0.49, atHalf));
  assert_false(isPlaced(SHAKEN, 0.4999, atHalf));
  assert_false(isPlaced(SHAKEN, 0.5001, atHalf));
  assert_true(isPlaced(SHAKEN, 0.51, atHalf));
  assert_false(isPlaced(SHAKEN, 1e300, neverAgain));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(courses_have_the_digits_of_the_motion),
    cmocka_unit_test(courses_depend_on_nothing_but_the_time),
    cmocka_unit_test(what_polynomials_do_not_tell_has_no_course),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
