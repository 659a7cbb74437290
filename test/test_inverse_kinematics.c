// Inverse kinematics against closed forms and against forward kinematics; functions at many points against single
// calls.
#include "carom/io.h"
#include "carom/simulate.h"
#include "support/log.h"
#include "support/random.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STATES 64

typedef struct Bench {
  crErrorLog* log;
  crErrorSink sink;
  crModel* model;
  crInstance* instance;
  crTreeSet all;
  int stateCount, rateCount;
  double y[MOST_STATES];
} Bench;

static void startBench(Bench* bench, crStatus status, crScene* scene)
{
  assert_int_equal(status, cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, &bench->sink, &bench->model), cr_ok);
  crDestroyScene(scene);
  assert_int_equal(crCreateInstance(bench->model, NULL, &bench->sink, &bench->instance), cr_ok);
  bench->all = crModel_GetAllTrees(bench->model);
  bench->stateCount = crModel_CountStates(bench->model, bench->all);
  bench->rateCount = crModel_CountRates(bench->model, bench->all);
  assert_true(bench->stateCount <= MOST_STATES);
  crModel_GetStart(bench->model, bench->all, bench->y);
}

static void openBench(Bench* bench, const char* lua)
{
  *bench = (Bench){ .log = crCreateErrorLog(NULL) };
  bench->sink = crErrorLog_GetSink(bench->log);
  crScene* scene = NULL;
  crStatus status = crReadLua(lua, strlen(lua), "arm", NULL, NULL, NULL, &bench->sink, &scene);
  startBench(bench, status, scene);
}

static void openExample(Bench* bench, const char* name, const crSetting* setting)
{
  char path[512];
  *bench = (Bench){ .log = crCreateErrorLog(NULL) };
  bench->sink = crErrorLog_GetSink(bench->log);
  crScene* scene = NULL;
  snprintf(path, sizeof path, CAROM_ROOT "/examples/%s.lua", name);
  crReadOptions options = { .size = sizeof options, .settings = setting, .settingCount = setting != NULL };
  crStatus status = crReadModel(path, &options, NULL, &bench->sink, &scene);
  startBench(bench, status, scene);
}

static void closeBench(Bench* bench)
{
  crDestroyInstance(bench->instance);
  crDestroyModel(bench->model);
  crDestroyErrorLog(bench->log);
}

static crStatus reach(Bench* bench, const crReachTarget* target, const crReachOptions* options, crReachFacts* outFacts)
{
  return crInstance_ComputeInverseKinematics(bench->instance, bench->all, 0.0, target, 1, options, bench->y,
                                             &bench->sink, outFacts);
}

static crPose findPose(Bench* bench, int object)
{
  crInstance_SetState(bench->instance, bench->all, 0.0, bench->y);
  assert_int_equal(crInstance_Eval(bench->instance, bench->all, cr_stagePosition), cr_ok);
  return crInstance_GetPose(bench->instance, object);
}

static double turnBetween(crMat3 a, crMat3 b)
{
  crQuat q = crMat3ToQuat(crMulMM(a, crTranspose(b)));
  return 2.0 * asin(fmin(1.0, crLength(crMakeVec3(q.x, q.y, q.z))));
}

// Two links of 0.5 m and 0.3 m that turn about y; elbow with stops if asked for.
static void openArm(Bench* bench, const char* stops)
{
  char lua[2048];
  snprintf(lua, sizeof lua,
           "world('w')\n"
           "object('upper', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
           "object('elbowAt', { parent = 'upper', position = { 0.5, 0, 0 } })\n"
           "object('lower', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
           "object('hand', { parent = 'lower', position = { 0.3, 0, 0 } })\n"
           "revolute('shoulder', 'w', 'upper', { axis = 'y', start = 0.3 })\n"
           "revolute('elbow', 'elbowAt', 'lower', { axis = 'y', start = 0.4 %s })\n",
           stops);
  openBench(bench, lua);
}

// ------------------------------------------------------------------------------------------- closed forms

static void a_planar_arm_bends_its_elbow_by_the_law_of_cosines(void** state)
{
  (void)state;
  Bench bench;
  openArm(&bench, "");
  crReachTarget target = crDefaultReachTarget(crModel_FindObject(bench.model, "hand"));
  target.ignoresOrientation = true;
  crRandom random = crMakeRandom(3);
  for (int i = 0; i < 200; ++i) {
    double r = crRandom_Uniform(&random, 0.21, 0.79), angle = crRandom_Uniform(&random, -3, 3);
    target.X_WO.p = crMakeVec3(r * cos(angle), 0, r * sin(angle));
    crReachFacts facts;
    assert_int_equal(reach(&bench, &target, NULL, &facts), cr_ok);
    double elbow = acos((r * r - 0.25 - 0.09) / (2 * 0.5 * 0.3));
    assert_close(fabs(remainder(bench.y[1], 2 * CR_PI)), elbow, 1e-7);
    assert_true(crLength(crSub(findPose(&bench, target.object).p, target.X_WO.p)) < 1e-9);
    assert_true(facts.distance < 1e-9 && facts.gap == 0 && facts.attemptCount >= 1 && facts.stepCount > 0);
    assert_close(bench.y[2], 0, 0);
  }
  closeBench(&bench);
}

static void what_is_out_of_reach_is_approached_as_far_as_it_goes(void** state)
{
  (void)state;
  Bench bench;
  openArm(&bench, "");
  crReachTarget target = crDefaultReachTarget(crModel_FindObject(bench.model, "hand"));
  target.ignoresOrientation = true;
  target.X_WO.p = crMakeVec3(0, 0.3, 1.2); // 0.4 m above the arm stretched up, 0.3 m beside its plane
  crReachFacts facts;
  assert_int_equal(reach(&bench, &target, NULL, &facts), cr_failNumerics);
  assert_close(facts.distance, 0.5, 1e-6);
  assert_close(findPose(&bench, target.object).p.z, 0.8, 1e-4);
  assert_message(bench.log, cr_severityError, "the target was not reached");
  closeBench(&bench);
}

// Poses that a planar arm cannot have: no coordinates of a fine grid have less distance^2 + angle^2. With slopes that
// hold for small angles only the search ended up to a tenth above the least.
static void a_pose_out_of_reach_is_approached_to_the_least_sum_of_squares(void** state)
{
  (void)state;
  enum { GRID = 72, POSES = 20 };
  Bench bench;
  openArm(&bench, "");
  crReachTarget target = crDefaultReachTarget(crModel_FindObject(bench.model, "hand"));
  crRandom random = crMakeRandom(8);
  for (int i = 0; i < POSES; ++i) {
    target.X_WO.p = crScale(crRandom_Uniform(&random, 0.1, 1.5), crRandom_UnitVec3(&random));
    target.X_WO.R = crQuatToMat3(crRandom_Rotation(&random));
    crReachFacts facts;
    assert_int_equal(reach(&bench, &target, NULL, &facts), cr_failNumerics);
    double found = facts.distance * facts.distance + facts.angle * facts.angle, least = HUGE_VAL;
    for (int k = 0; k < GRID * GRID; ++k) {
      bench.y[0] = 2 * CR_PI * (k % GRID) / GRID;
      bench.y[1] = 2 * CR_PI * (k / GRID) / GRID;
      crPose pose = findPose(&bench, target.object);
      double distance = crLength(crSub(pose.p, target.X_WO.p)), angle = turnBetween(pose.R, target.X_WO.R);
      least = fmin(least, distance * distance + angle * angle);
    }
    assert_true(found <= least * (1 + 1e-4));
  }
  closeBench(&bench);
}

static void stops_and_given_limits_are_kept(void** state)
{
  (void)state;
  Bench bench;
  openArm(&bench, ", stopMin = 0.2, stopMax = 1.0, stopStiffness = 100");
  crReachTarget target = crDefaultReachTarget(crModel_FindObject(bench.model, "hand"));
  target.ignoresOrientation = true;
  crRandom random = crMakeRandom(4);
  double far = sqrt(0.34 + 0.3 * cos(0.2)), near = sqrt(0.34 + 0.3 * cos(1.0)); // elbow at 0.2 and at 1
  for (int i = 0; i < 100; ++i) {
    double r = crRandom_Uniform(&random, 0.25, 0.79), angle = crRandom_Uniform(&random, -3, 3);
    target.X_WO.p = crMakeVec3(r * cos(angle), 0, r * sin(angle));
    crReachFacts facts;
    crStatus status = reach(&bench, &target, NULL, &facts);
    assert_int_equal(status, r > near && r < far ? cr_ok : cr_failNumerics);
    assert_true(bench.y[1] >= 0.2 && bench.y[1] <= 1.0);
    double left = fmax(fmax(r - far, near - r), 0);
    assert_close(facts.distance, left, 1e-6 + 1e-4 * left);
  }
  double lower[2] = { NAN, -1.5 }, upper[2] = { NAN, -0.5 };
  crReachOptions options = { .size = sizeof options, .ignoresStops = true, .lower = lower, .upper = upper };
  target.X_WO.p = crMakeVec3(0.65, 0, 0);
  assert_int_equal(reach(&bench, &target, &options, NULL), cr_ok);
  assert_true(bench.y[1] >= -1.5 && bench.y[1] <= -0.5);
  closeBench(&bench);
}

// -------------------------------------------------------------------------------------- forward kinematics

// Six joints within stops: poses that some coordinates have are found again from the start, to 1e-9 m and rad.
static void a_robot_finds_poses_that_it_can_have(void** state)
{
  (void)state;
  Bench bench;
  openBench(
      &bench,
      "world('w')\n"
      "local last = 'w'\n"
      "local axes = { 'z', 'y', 'y', 'x', 'y', 'x' }\n"
      "local along = { { 0, 0, 0.4 }, { 0, 0, 0.5 }, { 0.45, 0, 0 }, { 0.1, 0, 0 }, { 0.1, 0, 0 }, { 0.05, 0, 0 } }\n"
      "for i = 1, 6 do\n"
      "  object('link' .. i, { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
      "  revolute('joint' .. i, last, 'link' .. i, { axis = axes[i], start = 0.3, stopMin = -2.6, stopMax = 2.6, "
      "stopStiffness = 100 })\n"
      "  object('end' .. i, { parent = 'link' .. i, position = along[i] })\n"
      "  last = 'end' .. i\n"
      "end\n");
  crReachTarget target = crDefaultReachTarget(crModel_FindObject(bench.model, "end6"));
  target.point = crMakeVec3(0.02, -0.03, 0.1);
  crRandom random = crMakeRandom(5);
  double start[MOST_STATES];
  memcpy(start, bench.y, sizeof start);
  int found = 0;
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; k < 6; ++k) {
      bench.y[k] = crRandom_Uniform(&random, -2.5, 2.5);
    }
    crPose pose = findPose(&bench, target.object);
    target.X_WO = (crPose){ pose.R, crTransformPoint(pose, target.point) };
    memcpy(bench.y, start, sizeof start);
    if (reach(&bench, &target, NULL, NULL) == cr_ok) {
      ++found;
      crPose got = findPose(&bench, target.object);
      assert_true(crLength(crSub(crTransformPoint(got, target.point), target.X_WO.p)) < 2e-9);
      assert_true(turnBetween(got.R, target.X_WO.R) < 2e-9);
      for (int k = 0; k < 6; ++k) {
        assert_true(bench.y[k] >= -2.6 && bench.y[k] <= 2.6);
      }
    }
  }
  assert_true(found >= 97);
  closeBench(&bench);
}

static void free_bodies_go_where_they_are_told(void** state)
{
  (void)state;
  Bench bench;
  openBench(&bench, "world('w')\nobject('a', { parent = 'w', free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                    "object('b', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\nspherical('ball', 'a', 'b')\n");
  crReachTarget targets[2] = { crDefaultReachTarget(crModel_FindObject(bench.model, "a")),
                               crDefaultReachTarget(crModel_FindObject(bench.model, "b")) };
  targets[0].X_WO = crMakePose(crMakeVec3(3, -2, 5), crNormalizeQuat((crQuat){ 0.1, 0.7, -0.5, 0.2 }));
  targets[1].X_WO = crMakePose(crMakeVec3(3, -2, 5), crNormalizeQuat((crQuat){ -0.3, 0.2, 0.5, 0.9 }));
  assert_int_equal(
      crInstance_ComputeInverseKinematics(bench.instance, bench.all, 0, targets, 2, NULL, bench.y, &bench.sink, NULL),
      cr_ok);
  for (int i = 0; i < 2; ++i) {
    crPose got = findPose(&bench, targets[i].object);
    assert_true(crLength(crSub(got.p, targets[i].X_WO.p)) < 1e-9 && turnBetween(got.R, targets[i].X_WO.R) < 1e-9);
  }
  closeBench(&bench);
}

// The coupler goes to where it is on its way.
static void loops_stay_closed(void** state)
{
  (void)state;
  Bench bench;
  openExample(&bench, "four_bar", &(crSetting){ "driven", "0" });
  assert_int_equal(crInstance_Assemble(bench.instance, bench.all, 0, bench.y, &bench.sink), cr_ok);
  int last = crModel_GetSize(bench.model).objectCount - 1, object = -1;
  for (int i = 0; i <= last; ++i) {
    if (crModel_GetBody(bench.model, crModel_GetObject(bench.model, i)->body)->depth == 2) {
      object = i;
    }
  }
  crPose start = findPose(&bench, object);
  double before[MOST_STATES];
  memcpy(before, bench.y, sizeof before);
  crSimulation* simulation = NULL; // elsewhere on its way
  assert_int_equal(crCreateSimulation(bench.model, NULL, NULL, &bench.sink, &simulation), cr_ok);
  assert_int_equal(crSimulation_Advance(simulation, 0.3), cr_ok);
  crInstance_GetState(crSimulation_GetInstance(simulation), bench.all, bench.y);
  crDestroySimulation(simulation);
  crPose goal = findPose(&bench, object);
  assert_true(crLength(crSub(goal.p, start.p)) + turnBetween(goal.R, start.R) > 0.01);
  memcpy(bench.y, before, sizeof before);
  crReachTarget target = crDefaultReachTarget(object);
  target.X_WO = goal;
  crReachFacts facts;
  assert_int_equal(reach(&bench, &target, NULL, &facts), cr_ok);
  assert_true(facts.gap < 1e-9);
  char text[256];
  findPose(&bench, object);
  assert_false(crInstance_DescribeGap(bench.instance, bench.all, 1e-8, text, sizeof text));
  closeBench(&bench);
}

// A loop of four bars, one joint driven, then all: where a driven one has to close the loop, that is said.
static void a_driven_joint_that_closes_a_loop_is_refused(void** state)
{
  (void)state;
  int refused = 0;
  for (int driven = 0; driven <= 4; ++driven) { // 0: all
    char lua[2048];
    snprintf(lua, sizeof lua,
             "world('w')\nobject('far', { parent = 'w', position = { 1, 0, 0 } })\nconstant('still', { value = 0 })\n"
             "for i = 1, 3 do\n  object('bar' .. i, { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
             "  object('end' .. i, { parent = 'bar' .. i, position = i == 2 and { 1, 0, 0 } or { 0, 0, 1 } })\nend\n"
             "local function hinge(i, a, b)\n"
             "  revolute('hinge' .. i, a, b, { axis = 'y', motion = (i == %d or %d == 0) and 'still' or nil })\nend\n"
             "hinge(1, 'w', 'bar1') hinge(2, 'end1', 'bar2') hinge(3, 'end2', 'end3') hinge(4, 'far', 'bar3')\n",
             driven, driven);
    Bench bench;
    openBench(&bench, lua);
    crReachTarget target = crDefaultReachTarget(crModel_FindObject(bench.model, "end1"));
    target.X_WO.p = crMakeVec3(0, 0, 1);
    const crLoop* loop = crModel_GetLoop(bench.model, 0);
    bool isCut = crModel_GetJoint(bench.model, loop->cutJoint)->motion >= 0;
    crStatus status = reach(&bench, &target, NULL, NULL);
    assert_int_equal(status, isCut ? cr_errorModel : cr_ok);
    if (isCut) {
      assert_message(bench.log, cr_severityError, "a joint that closes a loop has a prescribed motion");
      ++refused;
    }
    closeBench(&bench);
  }
  assert_true(refused >= 1);
}

// ----------------------------------------------------------------------------------------------- refusals

static bool stopAtOnce(void* context)
{
  ++*(int*)context;
  return true;
}

static void what_cannot_be_meant_is_refused(void** state)
{
  (void)state;
  Bench bench;
  openArm(&bench, "");
  double before[MOST_STATES];
  memcpy(before, bench.y, sizeof before);
  crReachTarget target = crDefaultReachTarget(1);
  crReachOptions options = crDefaultReachOptions();
  target.size = 1;
  assert_int_equal(reach(&bench, &target, NULL, NULL), cr_errorMisuse);
  target = crDefaultReachTarget(100);
  assert_int_equal(reach(&bench, &target, NULL, NULL), cr_errorMisuse);
  target = crDefaultReachTarget(1);
  target.X_WO.p.x = NAN;
  assert_int_equal(reach(&bench, &target, NULL, NULL), cr_errorMisuse);
  target = crDefaultReachTarget(1);
  options.tolerance = -1;
  assert_int_equal(reach(&bench, &target, &options, NULL), cr_errorMisuse);
  int calls = 0;
  options = (crReachOptions){ .size = sizeof options, .shouldStop = stopAtOnce, .context = &calls };
  target.X_WO.p = crMakeVec3(9, 9, 9);
  assert_int_equal(reach(&bench, &target, &options, NULL), cr_cancelled);
  assert_int_equal(calls, 1);
  assert_memory_equal(bench.y, before, sizeof before);
  closeBench(&bench);
}

// ------------------------------------------------------------------------------------------------- points

static void many_points_have_the_bits_of_single_ones(void** state)
{
  (void)state;
  enum { COUNT = 7 };
  Bench bench;
  openExample(&bench, "robot_arm", NULL);
  int n = bench.stateCount, v = bench.rateCount;
  double times[COUNT], *y = calloc((size_t)(COUNT * n), sizeof *y), *a = calloc((size_t)(COUNT * v), sizeof *a);
  double *many = calloc((size_t)(COUNT * (n + v * v + 6 * v)), sizeof *many), one[MOST_STATES * MOST_STATES];
  crRandom random = crMakeRandom(6);
  for (int i = 0; i < COUNT; ++i) {
    times[i] = 0.1 * i;
    for (int k = 0; k < n; ++k) {
      y[i * n + k] = crRandom_Uniform(&random, -1, 1);
    }
    for (int k = 0; k < v; ++k) {
      a[i * v + k] = crRandom_Uniform(&random, -1, 1);
    }
  }
  crPoints points = { COUNT, times, y };
  int done = 0, object = crModel_GetSize(bench.model).objectCount - 1;
  crPose poses[COUNT];
  assert_int_equal(crInstance_ComputePosesAt(bench.instance, bench.all, &points, object, poses, &done), cr_ok);
  for (int kind = 0; kind < 4; ++kind) {
    crInstance* instance = bench.instance;
    size_t width = (size_t)(kind == 0 ? n : kind == 1 ? v : kind == 2 ? v * v : 6 * v);
    crStatus status = kind == 0   ? crInstance_ComputeRatesAt(instance, bench.all, &points, many, &done)
                      : kind == 1 ? crInstance_ComputeInverseDynamicsAt(instance, bench.all, &points, a, many, &done)
                      : kind == 2
                          ? crInstance_ComputeMassMatricesAt(instance, bench.all, &points, many, &done)
                          : crInstance_ComputeFrameJacobiansAt(instance, bench.all, &points, object, many, &done);
    assert_int_equal(status, cr_ok);
    assert_int_equal(done, COUNT);
    for (int i = 0; i < COUNT; ++i) {
      const double* own = y + i * n;
      status = kind == 0   ? crInstance_ComputeRates(instance, bench.all, times[i], own, one)
               : kind == 1 ? crInstance_ComputeInverseDynamics(instance, bench.all, times[i], own, a + i * v, one)
               : kind == 2 ? crInstance_ComputeMassMatrix(instance, bench.all, times[i], own, one)
                           : crInstance_ComputeFrameJacobian(instance, bench.all, times[i], own, object, one);
      assert_int_equal(status, cr_ok);
      assert_memory_equal(one, many + (size_t)i * width, width * sizeof *one);
      crPose pose = crInstance_GetPose(instance, object);
      assert_memory_equal(&pose, &poses[i], sizeof pose);
    }
  }
  y[3 * n] = NAN;
  assert_true(crInstance_ComputeRatesAt(bench.instance, bench.all, &points, many, &done) != cr_ok);
  assert_int_equal(done, 3);
  points.times = NULL;
  assert_int_equal(crInstance_ComputeRatesAt(bench.instance, bench.all, &points, many, NULL), cr_errorMisuse);
  free(y);
  free(a);
  free(many);
  closeBench(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_planar_arm_bends_its_elbow_by_the_law_of_cosines),
    cmocka_unit_test(what_is_out_of_reach_is_approached_as_far_as_it_goes),
    cmocka_unit_test(a_pose_out_of_reach_is_approached_to_the_least_sum_of_squares),
    cmocka_unit_test(stops_and_given_limits_are_kept),
    cmocka_unit_test(a_robot_finds_poses_that_it_can_have),
    cmocka_unit_test(free_bodies_go_where_they_are_told),
    cmocka_unit_test(loops_stay_closed),
    cmocka_unit_test(a_driven_joint_that_closes_a_loop_is_refused),
    cmocka_unit_test(what_cannot_be_meant_is_refused),
    cmocka_unit_test(many_points_have_the_bits_of_single_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
