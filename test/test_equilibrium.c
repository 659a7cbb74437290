// Static equilibria against closed forms, and what is said when there is none.
#include "support/trees.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G 9.81 // [m/s^2]

static crTestTree makeTree(int linkCount, const crTestLink* links)
{
  crTestTree tree = { .linkCount = linkCount };
  tree.gravity = (crGravity){ .kind = cr_gravityUniform, .acceleration = { 0, 0, -G } };
  memcpy(tree.links, links, (size_t)linkCount * sizeof *links);
  return tree;
}

// A rod of 0.5 m with its mass at the end, hanging down at q = 0.
static crTestLink makeRod(int parent, double angle)
{
  crTestLink link = crMakeLink(parent, cr_jointRevolute);
  link.axes.axis = crMakeVec3(0, 1, 0);
  link.com = crMakeVec3(0, 0, -0.5);
  link.inertia = crDiagonalSym3(1e-3, 1e-3, 1e-3);
  link.nearPosition = crMakeVec3(0, 0, parent >= 0 ? -0.5 : 0);
  link.q[0] = angle;
  return link;
}

static crStatus settle(crTestMotion* m)
{
  crErrorSink sink = crErrorLog_GetSink(m->test.log);
  return crInstance_ComputeEquilibrium(m->instance, m->all, 0.0, m->y, NULL, &sink);
}

static void assertStill(crTestMotion* m)
{
  double rates[64];
  assert_int_equal(crInstance_ComputeRates(m->instance, m->all, 0.0, m->y, rates), cr_ok);
  for (int i = 0; i < m->stateCount; ++i) {
    assert_close(rates[i], 0, 1e-7);
  }
}

// From any start a chain ends hanging, far or near, with all its rates at zero.
static void chain_hangs_down(void** state)
{
  (void)state;
  enum { COUNT = 8 };
  crRandom random = crMakeRandom(1);
  for (int round = 0; round < 10; ++round) {
    crTestLink links[COUNT];
    for (int i = 0; i < COUNT; ++i) {
      links[i] = makeRod(i - 1, crRandom_Uniform(&random, -1.5, 1.5));
      links[i].v[0] = 3;
    }
    crTestTree tree = makeTree(COUNT, links);
    crTestMotion m = crStartTree(&tree, crPlainView());
    assert_int_equal(settle(&m), cr_ok);
    double sum = 0;
    for (int i = 0; i < COUNT; ++i) { // down, up to whole turns
      sum += m.y[i];
      assert_close(cos(sum), 1, 1e-10);
      assert_close(m.y[COUNT + i], 0, 0);
    }
    assertStill(&m);
    crTestMotion_Free(&m);
  }
}

static void mass_hangs_on_its_spring_by_its_weight(void** state)
{
  (void)state;
  crTestLink link = crMakeLink(-1, cr_jointPrismatic);
  link.axes.axis = crMakeVec3(0, 0, 1);
  link.mass = 3;
  link.law.stiffness[0] = 50;
  link.law.rest[0] = 0.2;
  crTestTree tree = makeTree(1, &link);
  crTestMotion m = crStartTree(&tree, crPlainView());
  assert_int_equal(settle(&m), cr_ok);
  assert_close(m.y[0], 0.2 - 3 * G / 50, 1e-11);
  crTestMotion_Free(&m);
}

// A free body on a spring between two points: it hangs below, its centre of mass under the spring; where it turns to
// about the vertical is open and stays as it was.
static void free_body_hangs_under_its_spring(void** state)
{
  (void)state;
  crTestLink link = crMakeLink(-1, cr_jointFreeMotion);
  const double q[7] = { 0.3, -0.2, -1.5, 0.9, 0.1, -0.2, 0.3 };
  memcpy(link.q, q, sizeof q);
  link.mass = 2;
  link.com = crMakeVec3(0, 0, -0.5);
  crTestTree tree = makeTree(1, &link);
  tree.springCount = 1;
  tree.springs[0] = (crTestSpring){ 0, -1, { 0, 0, 0 }, { 0, 0, 0 }, 100, 1, 1 };
  crTestMotion m = crStartTree(&tree, crPlainView());
  assert_int_equal(settle(&m), cr_ok);
  assert_vec_close(crMakeVec3(m.y[0], m.y[1], m.y[2]), crMakeVec3(0, 0, -1 - 2 * G / 100), 1e-9);
  assert_close(m.y[4], 0, 1e-9); // a turn about z only
  assert_close(m.y[5], 0, 1e-9);
  assertStill(&m);
  crTestMotion_Free(&m);
}

// Next to the unstable equilibrium it falls to the stable one; in it, it stays.
static void inverted_pendulum_falls_unless_it_stands(void** state)
{
  (void)state;
  const double starts[] = { CR_PI - 1e-3, CR_PI + 0.2, 2.0, -1.9 };
  for (int i = 0; i < 4; ++i) {
    crTestLink link = makeRod(-1, starts[i]);
    crTestTree tree = makeTree(1, &link);
    crTestMotion m = crStartTree(&tree, crPlainView());
    assert_int_equal(settle(&m), cr_ok);
    assert_close(cos(m.y[0]), 1, 1e-10);
    m.y[0] = CR_PI;
    assert_int_equal(settle(&m), cr_ok);
    assert_close(m.y[0], CR_PI, 1e-9);
    crTestMotion_Free(&m);
  }
}

// A slide that nothing moves along its level way stays where it is, while the spring across gives way.
static void what_may_rest_anywhere_stays(void** state)
{
  (void)state;
  crTestLink links[2] = { crMakeLink(-1, cr_jointPrismatic), crMakeLink(0, cr_jointPrismatic) };
  links[0].axes.axis = crMakeVec3(1, 0, 0);
  links[0].q[0] = 0.7;
  links[1].axes.axis = crMakeVec3(0, 0, 1);
  links[1].law.stiffness[0] = 1e4;
  crTestTree tree = makeTree(2, links);
  crTestMotion m = crStartTree(&tree, crPlainView());
  assert_int_equal(settle(&m), cr_ok);
  assert_close(m.y[0], 0.7, 1e-12);
  assert_close(m.y[1], -G / 1e4, 1e-12);
  crTestMotion_Free(&m);
}

static void falling_body_is_told_by_its_joint(void** state)
{
  (void)state;
  crTestLink links[2] = { crMakeLink(-1, cr_jointPrismatic), makeRod(-1, 0.3) };
  links[0].axes.axis = crMakeVec3(0, 0, 1);
  crTestTree tree = makeTree(2, links);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double before[4];
  memcpy(before, m.y, sizeof before);
  assert_int_equal(settle(&m), cr_failNumerics);
  assert_true(crTestScene_Says(&m.test, "joint0"));
  assert_true(crTestScene_Says(&m.test, "no static equilibrium was found"));
  assert_true(crTestScene_Says(&m.test, "-9.81"));
  assert_memory_equal(before, m.y, sizeof before);
  crTestMotion_Free(&m);
}

// Forces next to a point mass are small only against their own differences.
static void planet_finds_no_rest_at_its_sun(void** state)
{
  (void)state;
  crTestLink link = crMakeLink(-1, cr_jointFreeMotion);
  link.q[0] = 1;
  crTestTree tree = makeTree(1, &link);
  tree.gravity = (crGravity){ .kind = cr_gravityPointMass, .mu = 1 };
  crTestMotion m = crStartTree(&tree, crPlainView());
  assert_int_equal(settle(&m), cr_failNumerics);
  assert_true(crTestScene_Says(&m.test, "no static equilibrium was found"));
  crTestMotion_Free(&m);
}

// A stop of which the weight takes less depth than the differences that K comes from.
static void weight_rests_on_a_hard_stop(void** state)
{
  (void)state;
  crTestLink link = crMakeLink(-1, cr_jointPrismatic);
  link.axes.axis = crMakeVec3(0, 0, 1);
  link.q[0] = 0.4;
  link.law.stopMin[0] = -1;
  link.law.stopStiffness[0] = 1e8;
  crTestTree tree = makeTree(1, &link);
  crTestMotion m = crStartTree(&tree, crPlainView());
  assert_int_equal(settle(&m), cr_ok);
  assert_close(m.y[0], -1 - G / 1e8, 1e-12);
  crTestMotion_Free(&m);
}

static void memory_that_fails_is_told(void** state)
{
  (void)state;
  crTestLink link = makeRod(-1, 0.3);
  crTestTree tree = makeTree(1, &link);
  crTestMotion m = crStartTree(&tree, crPlainView());
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  counter.failAt = 1;
  crInstance* instance = NULL;
  crErrorSink sink = crErrorLog_GetSink(m.test.log);
  assert_int_equal(crCreateInstance(m.model, &allocator, &sink, &instance), cr_ok);
  assert_int_equal(crInstance_ComputeEquilibrium(instance, m.all, 0.0, m.y, NULL, &sink), cr_errorMemory);
  assert_true(crTestScene_Says(&m.test, "out of memory while an equilibrium was searched for"));
  assert_int_equal(crInstance_ComputeEquilibrium(NULL, m.all, 0.0, m.y, NULL, &sink), cr_errorMisuse);
  crDestroyInstance(instance);
  assert_int_equal(counter.liveBlocks, 0);
  crTestMotion_Free(&m);
}

static bool stopAfter(void* context)
{
  int* left = context;
  return (*left)-- <= 0;
}

static void a_search_can_be_cancelled(void** state)
{
  (void)state;
  crTestLink links[3] = { makeRod(-1, 1.0), makeRod(0, -0.5), makeRod(1, 0.7) };
  crTestTree tree = makeTree(3, links);
  crTestMotion m = crStartTree(&tree, crPlainView());
  for (int steps = 0; steps < 3; ++steps) {
    double before[64];
    int left = steps;
    crEquilibriumOptions options = crDefaultEquilibriumOptions();
    options.shouldStop = stopAfter;
    options.context = &left;
    memcpy(before, m.y, (size_t)m.stateCount * sizeof *before);
    assert_int_equal(crInstance_ComputeEquilibrium(m.instance, m.all, 0.0, m.y, &options, NULL), cr_cancelled);
    assert_memory_equal(m.y, before, (size_t)m.stateCount * sizeof *before);
  }
  crEquilibriumOptions wrong = { .size = 1 };
  assert_int_equal(crInstance_ComputeEquilibrium(m.instance, m.all, 0.0, m.y, &wrong, NULL), cr_errorMisuse);
  assert_int_equal(settle(&m), cr_ok);
  assertStill(&m);
  crTestMotion_Free(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(chain_hangs_down),
    cmocka_unit_test(mass_hangs_on_its_spring_by_its_weight),
    cmocka_unit_test(free_body_hangs_under_its_spring),
    cmocka_unit_test(inverted_pendulum_falls_unless_it_stands),
    cmocka_unit_test(what_may_rest_anywhere_stays),
    cmocka_unit_test(falling_body_is_told_by_its_joint),
    cmocka_unit_test(planet_finds_no_rest_at_its_sun),
    cmocka_unit_test(weight_rests_on_a_hard_stop),
    cmocka_unit_test(memory_that_fails_is_told),
    cmocka_unit_test(a_search_can_be_cancelled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
