// Force elements against closed forms, and against their own energy.
#include "carom/io.h"
#include "model/curve.h"
#include "support/trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81 // [m/s^2] of a new scene

// -------------------------------------------------------------------------------------------- building

// A free body of mass 2 kg and inertia (1, 2, 3) kg m^2.
static void addBody(crTestScene* test, const char* name, crVec3 position, crQuat rotation)
{
  crFeatureDef mass = crDefaultFeatureDef(cr_featureMass);
  mass.as.mass.mass = 2;
  mass.as.mass.inertia = crDiagonalSym3(1, 2, 3);
  crObjectDef def = crDefaultObjectDef(name);
  def.mobility = cr_mobilityFree;
  def.position = position;
  def.rotation = rotation;
  def.features = &mass;
  def.featureCount = 1;
  assert_int_equal(crScene_AddObject(test->scene, &def, NULL), cr_ok);
}

static void addPoint(crTestScene* test, const char* name, const char* parent, crVec3 position, crQuat rotation)
{
  crObjectDef def = crDefaultObjectDef(name);
  def.parent = parent;
  def.position = position;
  def.rotation = rotation;
  assert_int_equal(crScene_AddObject(test->scene, &def, NULL), cr_ok);
}

static void addForce(crTestScene* test, crForceDef def)
{
  assert_int_equal(crScene_AddForce(test->scene, &def, NULL), cr_ok);
}

static crTestScene makeScene(bool hasGravity)
{
  crTestScene test = crTestScene_Make(NULL);
  crSceneOptions options = crDefaultSceneOptions();
  options.gravity.kind = hasGravity ? cr_gravityEarth : cr_gravityNone;
  assert_int_equal(crScene_SetOptions(test.scene, &options), cr_ok);
  crAddWorld(&test);
  return test;
}

static crForceDef makeBushing(const char* objectA, const char* objectB)
{
  crForceDef def = crDefaultForceDef(cr_forceBushing, "bushing", objectA, objectB);
  def.as.bushing.stiffness = crMakeVec3(100, 200, 300);
  def.as.bushing.angularStiffness = crMakeVec3(10, 20, 30);
  return def;
}

static crForceDef makeConstant(crForceKind kind, const char* object, const char* frame, crVec3 vector)
{
  crForceDef def = crDefaultForceDef(kind, "constant", object, NULL);
  if (kind == cr_forceForce) {
    def.as.force.frame = frame;
    def.as.force.vector = vector;
  } else {
    def.as.torque.frame = frame;
    def.as.torque.vector = vector;
  }
  return def;
}

static void computeRates(crTestMotion* m, double* rates)
{
  assert_int_equal(crInstance_ComputeRates(m->instance, m->all, 0.0, m->y, rates), cr_ok);
}

static crVec3 vec(const double* values)
{
  return crMakeVec3(values[0], values[1], values[2]);
}

// -------------------------------------------------------------------------------------------- bushing

// m a = -k x - c v and I w' = -K phi - C w with phi = 2 e near no rotation: the linear system of six oscillators.
static void body_on_a_bushing_is_six_oscillators(void** state)
{
  (void)state;
  crTestScene test = makeScene(false);
  addBody(&test, "body", crMakeVec3(0, 0, 0), crIdentityQuat());
  crForceDef def = makeBushing("world", "body");
  def.as.bushing.damping = crMakeVec3(4, 5, 6);
  def.as.bushing.angularDamping = crMakeVec3(7, 8, 9);
  addForce(&test, def);
  crTestMotion m = crStartScene(test);
  double A[13 * 13];
  assert_int_equal(m.stateCount, 13);
  assert_int_equal(crInstance_Linearize(m.instance, m.all, 0.0, m.y, A), cr_ok);
  for (int i = 0; i < 3;
       ++i) { // A[row + 13 column]: position 0-2, quaternion 3-6, velocity 7-9, angular velocity 10-12
    assert_close(A[7 + i + 13 * i], -100.0 * (i + 1) / 2, 1e-7);
    assert_close(A[7 + i + 13 * (7 + i)], -(4.0 + i) / 2, 1e-9);
    assert_close(A[10 + i + 13 * (4 + i)], -2 * 10.0 * (i + 1) / (i + 1), 1e-7);
    assert_close(A[10 + i + 13 * (10 + i)], -(7.0 + i) / (i + 1), 1e-9);
  }
  crTestMotion_Free(&m);
}

static void preload_carries_the_weight(void** state)
{
  (void)state;
  crTestScene test = makeScene(true);
  addBody(&test, "body", crMakeVec3(0, 0, 0), crIdentityQuat());
  crForceDef def = makeBushing("world", "body");
  def.as.bushing.preload = crMakeVec3(0, 0, 2 * G);
  addForce(&test, def);
  crTestMotion m = crStartScene(test);
  double rates[13];
  computeRates(&m, rates);
  assert_vec_close(vec(rates + 7), crMakeVec3(0, 0, 0), 1e-13);
  crTestMotion_Free(&m);
}

// Alike about all axes it turns back with k sin(angle), about the axis of the rotation.
static void large_rotation_is_turned_back_by_its_sine(void** state)
{
  (void)state;
  crVec3 axis = crNormalize(crMakeVec3(1, -2, 0.5));
  for (int i = 0; i < 16; ++i) {
    double angle = -3.1 + 0.4 * i;
    crTestScene test = makeScene(false);
    addBody(&test, "body", crMakeVec3(0, 0, 0), crAxisAngleToQuat(axis, angle));
    crForceDef def = crDefaultForceDef(cr_forceBushing, "bushing", "world", "body");
    def.as.bushing.angularStiffness = crMakeVec3(7, 7, 7);
    addForce(&test, def);
    crTestMotion m = crStartScene(test);
    double rates[13];
    computeRates(&m, rates);
    crMat3 R = crInstance_GetPose(m.instance, crModel_FindObject(m.model, "body")).R;
    crVec3 torque = crMulSV(crRotateSym3(R, crDiagonalSym3(1, 2, 3)), vec(rates + 10));
    assert_vec_close(torque, crScale(-7 * sin(angle), axis), 1e-12);
    double energy = crInstance_ComputeEnergy(m.instance, m.all, -1).potential;
    assert_close(energy, 7 * (1 - cos(angle)), 1e-12);
    crTestMotion_Free(&m);
  }
}

// ------------------------------------------------------------------------------- energy and momentum

typedef struct Totals {
  double energy;
  crMomentum momentum;
} Totals;

// y + h y', both evaluated; an energy that is kept is flat along the motion.
static Totals measure(crTestMotion* m, const double* rates, double h)
{
  double* y = malloc((size_t)m->stateCount * sizeof *y);
  for (int i = 0; i < m->stateCount; ++i) {
    y[i] = m->y[i] + h * rates[i];
  }
  crInstance_SetState(m->instance, m->all, 0.0, y);
  assert_int_equal(crInstance_Eval(m->instance, m->all, cr_stageVelocity), cr_ok);
  crEnergy energy = crInstance_ComputeEnergy(m->instance, m->all, -1);
  Totals totals = { energy.kinetic + energy.potential, crInstance_ComputeMomentum(m->instance, m->all, -1) };
  free(y);
  return totals;
}

static const crTablePoint progressive[] = { { -0.5, -9 }, { -0.1, -1 }, { 0, 0 }, { 0.7, 3 }, { 1.5, 20 } };

// Two tumbling bodies with an element between points off their centres.
static crTestMotion startPair(crRandom* random, crForceDef def)
{
  crTestScene test = makeScene(false);
  crQuat R[4]; // one draw at a time: C leaves the order of arguments open
  crVec3 p[4];
  for (int i = 0; i < 4; ++i) {
    R[i] = crRandom_Rotation(random);
    p[i] = crRandom_UnitVec3(random);
  }
  addBody(&test, "a", p[0], R[0]);
  addBody(&test, "b", crScale(2, p[1]), R[1]);
  addPoint(&test, "onA", "a", p[2], R[2]);
  addPoint(&test, "onB", "b", p[3], R[3]);
  def.objectA = "onA";
  def.objectB = "onB";
  addForce(&test, def);
  crTestMotion m = crStartScene(test);
  for (int i = 0; i < 6; ++i) {
    m.y[7 + i] = crRandom_Uniform(random, -1, 1);
    m.y[20 + i] = crRandom_Uniform(random, -1, 1);
  }
  return m;
}

static crForceDef makeElement(int i)
{
  if (i == 0) {
    crForceDef def = makeBushing(NULL, NULL);
    def.as.bushing.preload = crMakeVec3(3, -2, 1);
    return def;
  }
  crForceDef def = crDefaultForceDef(cr_forceSpringDamper, "spring", NULL, NULL);
  def.as.springDamper.stiffness = 3;
  def.as.springDamper.length = 0.8;
  def.as.springDamper.table = progressive;
  def.as.springDamper.tableCount = 5;
  return def;
}

// Without damping both are kept at first order; the difference quotient shows a mistake in any component.
static void elements_keep_energy_and_momentum(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  for (int i = 0; i < 40; ++i) {
    crTestMotion m = startPair(&random, makeElement(i % 2));
    double rates[26], h = 1e-5;
    computeRates(&m, rates);
    Totals before = measure(&m, rates, -h), after = measure(&m, rates, h);
    assert_close((after.energy - before.energy) / (2 * h), 0, 2e-5);
    crVec3 linear = crSub(after.momentum.linear, before.momentum.linear);
    crVec3 angular = crSub(after.momentum.angular, before.momentum.angular);
    assert_vec_close(crScale(1 / (2 * h), linear), crMakeVec3(0, 0, 0), 1e-7);
    assert_vec_close(crScale(1 / (2 * h), angular), crMakeVec3(0, 0, 0), 1e-6);
    crTestMotion_Free(&m);
  }
}

static void damping_takes_energy_and_no_momentum(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(8);
  for (int i = 0; i < 20; ++i) {
    crForceDef def = makeElement(i % 2);
    if (def.kind == cr_forceBushing) {
      def.as.bushing.damping = crMakeVec3(1, 2, 3);
      def.as.bushing.angularDamping = crMakeVec3(3, 2, 1);
    } else {
      def.as.springDamper.damping = 2;
    }
    crTestMotion m = startPair(&random, def);
    double rates[26], h = 1e-5;
    computeRates(&m, rates);
    Totals before = measure(&m, rates, -h), after = measure(&m, rates, h);
    assert_true(after.energy < before.energy);
    assert_vec_close(crSub(after.momentum.linear, before.momentum.linear), crMakeVec3(0, 0, 0), 1e-11);
    assert_vec_close(crSub(after.momentum.angular, before.momentum.angular), crMakeVec3(0, 0, 0), 1e-10);
    crTestMotion_Free(&m);
  }
}

// ------------------------------------------------------------------------------------ constant forces

static void constant_force_accelerates_along_the_chosen_axes(void** state)
{
  (void)state;
  crQuat own = crAxisAngleToQuat(crMakeVec3(0, 0, 1), CR_PI / 2),
         other = crAxisAngleToQuat(crMakeVec3(1, 0, 0), CR_PI / 2);
  const char* frames[] = { NULL, "body", "other" };
  const crVec3 expected[] = { { 1, 2, 3 }, { -2, 1, 3 }, { 1, -3, 2 } };
  for (int i = 0; i < 3; ++i) {
    crTestScene test = makeScene(false);
    addBody(&test, "body", crMakeVec3(1, 2, 3), own);
    addBody(&test, "other", crMakeVec3(5, 5, 5), other);
    addForce(&test, makeConstant(cr_forceForce, "body", frames[i], crMakeVec3(2, 4, 6)));
    crTestMotion m = crStartScene(test);
    double rates[26];
    computeRates(&m, rates);
    assert_vec_close(vec(rates + 7), expected[i], 1e-13);
    assert_vec_close(vec(rates + 10), crMakeVec3(0, 0, 0), 1e-13);
    assert_vec_close(vec(rates + 20), crMakeVec3(0, 0, 0), 0);
    crTreeSet first = { m.all.trees, 1, NULL }; // its direction depends on the other tree, if that is the frame
    assert_int_equal(crModel_IsClosed(m.model, first), i < 2);
    crTestMotion_Free(&m);
  }
}

static void constant_torque_turns_about_the_chosen_axes(void** state)
{
  (void)state;
  crTestScene test = makeScene(false);
  addBody(&test, "body", crMakeVec3(1, 2, 3), crIdentityQuat());
  addPoint(&test, "turned", "body", crMakeVec3(9, 9, 9), crAxisAngleToQuat(crMakeVec3(0, 0, 1), CR_PI / 2));
  addForce(&test, makeConstant(cr_forceTorque, "turned", "turned", crMakeVec3(4, 0, 0)));
  crTestMotion m = crStartScene(test);
  double rates[13];
  computeRates(&m, rates);
  assert_vec_close(vec(rates + 7), crMakeVec3(0, 0, 0), 1e-13);
  assert_vec_close(vec(rates + 10), crMakeVec3(0, 2, 0), 1e-13);
  crTestMotion_Free(&m);
}

// Action and reaction on one line: neither momentum changes.
static void reaction_on_objectB_keeps_momentum(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(9);
  for (int i = 0; i < 10; ++i) {
    crForceKind kind = i % 2 == 0 ? cr_forceForce : cr_forceTorque;
    crForceDef def = makeConstant(kind, NULL, "onB", crScale(10, crRandom_UnitVec3(&random)));
    crTestMotion m = startPair(&random, def);
    double rates[26], h = 1e-5;
    computeRates(&m, rates);
    assert_true(i % 2 == 1 || crLength(vec(rates + 7)) > 1);
    Totals before = measure(&m, rates, -h), after = measure(&m, rates, h);
    assert_vec_close(crSub(after.momentum.linear, before.momentum.linear), crMakeVec3(0, 0, 0), 1e-11);
    assert_vec_close(crSub(after.momentum.angular, before.momentum.angular), crMakeVec3(0, 0, 0), 1e-10);
    crTestMotion_Free(&m);
  }
}

// ---------------------------------------------------------------------------------------------- tables

static void curve_meets_its_points_and_rises_with_them(void** state)
{
  (void)state;
  crCurvePoint curve[5];
  crMakeCurve(progressive, 5, curve);
  double last = -HUGE_VAL;
  for (int i = 0; i < 5; ++i) {
    assert_close(crCurve_Compute(curve, 5, progressive[i].x), progressive[i].y, 1e-14);
  }
  for (int i = 0; i <= 3000; ++i) {
    double x = -1 + 1e-3 * i;
    double y = crCurve_Compute(curve, 5, x), h = 1e-6;
    assert_true(y >= last);
    last = y;
    double slope = (crCurve_Integrate(curve, 5, x + h) - crCurve_Integrate(curve, 5, x - h)) / (2 * h);
    assert_close(slope, y, 1e-7);
  }
  assert_close(crCurve_Integrate(curve, 5, 0), 0, 0);
  crMakeCurve(progressive, 2, curve); // through two points, straight everywhere: -9 at -0.5 with slope 20
  assert_close(crCurve_Compute(curve, 2, -0.3), -5, 1e-13);
  assert_close(crCurve_Compute(curve, 2, 3), 61, 1e-12);
  assert_close(crCurve_Integrate(curve, 2, 3), 3 + 10 * 9, 1e-11);
}

// A table on a straight line is the linear spring.
static void straight_table_is_a_linear_spring(void** state)
{
  (void)state;
  const crTablePoint line[] = { { -1, -5 }, { 0, 0 }, { 0.25, 1.25 }, { 2, 10 } };
  double found[2][26];
  for (int i = 0; i < 2; ++i) {
    crRandom random = crMakeRandom(3);
    crForceDef def = crDefaultForceDef(cr_forceSpringDamper, "spring", NULL, NULL);
    def.as.springDamper.length = 0.5;
    def.as.springDamper.stiffness = i == 0 ? 5 : 0;
    def.as.springDamper.table = line;
    def.as.springDamper.tableCount = i == 0 ? 0 : 4;
    crTestMotion m = startPair(&random, def);
    computeRates(&m, found[i]);
    crTestMotion_Free(&m);
  }
  for (int i = 0; i < 26; ++i) {
    assert_close(found[0][i], found[1][i], 1e-12);
  }
}

// ------------------------------------------------------------------------------------------- bad input

static void assertRefused(crForceDef def, const char* says)
{
  crTestScene test = makeScene(false);
  assert_int_equal(crScene_AddForce(test.scene, &def, NULL), cr_errorModel);
  if (!crTestScene_Says(&test, says)) {
    crTestScene_PrintLog(&test);
    fail();
  }
  crTestScene_Free(&test);
}

static void wrong_elements_are_refused_with_a_reason(void** state)
{
  (void)state;
  const crTablePoint twice[] = { { 0, 0 }, { 1, 1 }, { 1, 2 } }, infinite[] = { { 0, 0 }, { 1, INFINITY } };
  crForceDef spring = crDefaultForceDef(cr_forceSpringDamper, "s", "a", "b");
  spring.as.springDamper.table = twice;
  spring.as.springDamper.tableCount = 3;
  assertRefused(spring, "point 3 of the table does not follow");
  spring.as.springDamper.tableCount = 1;
  assertRefused(spring, "table has too few points");
  spring.as.springDamper.table = infinite;
  spring.as.springDamper.tableCount = 2;
  assertRefused(spring, "force of point 2 of the table must be finite");
  crForceDef bushing = crDefaultForceDef(cr_forceBushing, "b", "a", "b");
  bushing.as.bushing.angularDamping.y = NAN;
  assertRefused(bushing, "angularDamping.y must be finite");
  assertRefused(crDefaultForceDef(cr_forceBushing, "b", "a", NULL), "the second object is missing");
  assertRefused(makeConstant(cr_forceForce, "a", NULL, crMakeVec3(NAN, 0, 0)), "force.x must be finite");
  assertRefused(makeConstant(cr_forceTorque, "a", NULL, crMakeVec3(INFINITY, 0, 0)), "torque.x must be finite");
  assertRefused(crDefaultForceDef(cr_forceForce, "f", NULL, NULL), "the first object is missing");
  assertRefused(crDefaultForceDef(cr_forceForce, "f", "a", "a"), "two different objects");
}

static void unknown_frames_and_idle_forces_are_told(void** state)
{
  (void)state;
  crTestScene test = makeScene(false);
  addBody(&test, "body", crMakeVec3(0, 0, 0), crIdentityQuat());
  addForce(&test, makeConstant(cr_forceForce, "world", NULL, crMakeVec3(1, 0, 0)));
  crModel* model = crTestScene_Compile(&test, cr_ok);
  assert_true(crTestScene_Says(&test, "the force has no effect: 'world' is fixed to the world"));
  crDestroyModel(model);
  crForceDef def = makeConstant(cr_forceForce, "body", "bodi", crMakeVec3(1, 0, 0));
  def.name = "second";
  addForce(&test, def);
  crTestScene_Compile(&test, cr_errorModel);
  assert_true(crTestScene_Says(&test, "bodi"));
  crTestScene_Free(&test);
}

static void table_memory_that_fails_is_told(void** state)
{
  (void)state;
  for (long failAt = 0; failAt < 400; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crScene* scene = NULL;
    crStatus status = crCreateScene(&allocator, NULL, &scene);
    if (status == cr_ok) {
      status = crScene_AddForce(scene,
                                &(crForceDef){ .size = sizeof(crForceDef),
                                               .name = "s",
                                               .kind = cr_forceSpringDamper,
                                               .objectA = "a",
                                               .objectB = "b",
                                               .as.springDamper.table = progressive,
                                               .as.springDamper.tableCount = 5 },
                                NULL);
      crDestroyScene(scene);
    }
    assert_int_equal(counter.liveBlocks, 0);
    if (status == cr_ok) {
      return;
    }
    assert_int_equal(status, cr_errorMemory);
  }
  fail();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(body_on_a_bushing_is_six_oscillators),
    cmocka_unit_test(preload_carries_the_weight),
    cmocka_unit_test(large_rotation_is_turned_back_by_its_sine),
    cmocka_unit_test(elements_keep_energy_and_momentum),
    cmocka_unit_test(damping_takes_energy_and_no_momentum),
    cmocka_unit_test(constant_force_accelerates_along_the_chosen_axes),
    cmocka_unit_test(constant_torque_turns_about_the_chosen_axes),
    cmocka_unit_test(reaction_on_objectB_keeps_momentum),
    cmocka_unit_test(curve_meets_its_points_and_rises_with_them),
    cmocka_unit_test(straight_table_is_a_linear_spring),
    cmocka_unit_test(wrong_elements_are_refused_with_a_reason),
    cmocka_unit_test(unknown_frames_and_idle_forces_are_told),
    cmocka_unit_test(table_memory_that_fails_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
