// Instances: sets of trees, stages, what is refused, memory, repetition, threads.
#include "support/log.h"
#include "support/trees.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STATES 400

static crTestMotion startRandom(uint64_t seed, int linkCount, int springCount)
{
  crRandom random = crMakeRandom(seed);
  crTestTree tree = crMakeRandomTree(&random, linkCount, true, springCount);
  return crStartTree(&tree, crPlainView());
}

// ------------------------------------------------------------------------------------------------- sets

static void trees_one_by_one_give_the_same_bits_as_all_together(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    crTestMotion m = startRandom(seed, 20, 0);
    double all[MAX_STATES], one[MAX_STATES], residual[MAX_STATES], oneResidual[MAX_STATES];
    assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, m.y, all), cr_ok);
    assert_int_equal(crInstance_ComputeResidual(m.instance, m.all, 0.0, m.y, m.y, residual), cr_ok);
    for (int t = m.all.treeCount - 1; t >= 0; --t) {
      crTreeSet set = { &t, 1, NULL };
      int start = crModel_GetTree(m.model, t)->qStart, count = crModel_CountStates(m.model, set);
      assert_true(crModel_IsClosed(m.model, set));
      assert_int_equal(crInstance_ComputeRates(m.instance, set, 0.0, m.y + start, one), cr_ok);
      assert_memory_equal(one, all + start, (size_t)count * sizeof *one);
      crInstance_ComputeResidual(m.instance, set, 0.0, m.y + start, m.y + start, oneResidual);
      assert_memory_equal(oneResidual, residual + start, (size_t)count * sizeof *one);
    }
    crTestMotion_Free(&m);
  }
}

// Two trees on springs with each other, a third one alone.
static crTestTree makeCoupledTrees(void)
{
  crTestTree tree = { .linkCount = 4, .springCount = 1 };
  tree.gravity = (crGravity){ .kind = cr_gravityUniform, .acceleration = { 0, 0, -9.81 } };
  for (int i = 0; i < 4; ++i) {
    tree.links[i] = crMakeLink(i == 1 ? 0 : -1, cr_jointRevolute);
    tree.links[i].axes.axis = crMakeVec3(0, 1, 0);
    tree.links[i].com = crMakeVec3(0.5, 0.1 * i, 0);
    tree.links[i].nearPosition = crMakeVec3(i, 0, 0);
  }
  tree.springs[0] = (crTestSpring){ 1, 3, { 1, 0, 0 }, { 1, 0, 0 }, 100, 1, 0.1 };
  return tree;
}

static void springs_decide_which_sets_are_closed(void** state)
{
  (void)state;
  crTestTree tree = makeCoupledTrees();
  crTestMotion m = crStartTree(&tree, crPlainView());
  assert_int_equal(m.all.treeCount, 3);
  int spring[2] = { 0, 2 }, alone = 1, half = 0, disordered[2] = { 2, 0 }, outside[1] = { 3 };
  assert_true(crModel_IsClosed(m.model, m.all));
  assert_true(crModel_IsClosed(m.model, (crTreeSet){ spring, 2, NULL }));
  assert_true(crModel_IsClosed(m.model, (crTreeSet){ &alone, 1, NULL }));
  assert_true(crModel_IsClosed(m.model, (crTreeSet){ NULL, 0, NULL }));
  assert_false(crModel_IsClosed(m.model, (crTreeSet){ &half, 1, NULL }));
  assert_false(crModel_IsClosed(m.model, (crTreeSet){ disordered, 2, NULL }));
  assert_false(crModel_IsClosed(m.model, (crTreeSet){ outside, 1, NULL }));
  assert_int_equal(crInstance_Eval(m.instance, (crTreeSet){ disordered, 2, NULL }, cr_stageForce), cr_errorMisuse);

  double all[8], part[6], y[6];
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, m.y, all), cr_ok);
  crInstance_GetState(m.instance, (crTreeSet){ spring, 2, NULL }, y);
  assert_int_equal(crInstance_ComputeRates(m.instance, (crTreeSet){ spring, 2, NULL }, 0.0, y, part), cr_ok);
  assert_memory_equal(part, all, 4 * sizeof *all);
  assert_memory_equal(part + 4, all + 6, 2 * sizeof *all);
  crTestMotion_Free(&m);
}

static void sparsity_of_coupled_trees_is_of_both(void** state)
{
  (void)state;
  crTestTree tree = makeCoupledTrees();
  crTestMotion m = crStartTree(&tree, crPlainView());
  int starts[9], rows[64], count;
  crModel_GetSparsity(m.model, m.all, starts, rows, &count);
  // states: q0 q1 v0 v1 | q2 v2 | q3 v3; a coordinate acts on v0 v1 v3, a rate on its own coordinate as well;
  // and the diagonal of the residual form
  assert_int_equal(count, 4 * 4 + 2 + 2 + 4 + 4);
  static const int first[] = { 0, 2, 3, 7 }, rate[] = { 0, 2, 3, 7 }, alone[] = { 4, 5 }, last[] = { 2, 3, 6, 7 };
  assert_memory_equal(rows + starts[0], first, sizeof first);
  assert_memory_equal(rows + starts[2], rate, sizeof rate);
  assert_memory_equal(rows + starts[4], alone, sizeof alone);
  assert_memory_equal(rows + starts[7], last, sizeof last);
  crTestMotion_Free(&m);
}

static void states_have_names_starts_and_nominals(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddFree(&test, "ball", "world", crMakeVec3(1, 2, 3));
  crAddMass(&test, "rod", NULL, crMakeVec3(0, 0, 0), 1);
  crJointDef def = crDefaultJointDef(cr_jointCylindrical, "arm.slide", "world", "rod");
  def.start[1] = 0.3;
  def.startRate[0] = -2;
  def.nominal[0] = 0.01;
  assert_int_equal(crScene_AddJoint(test.scene, &def, NULL), cr_ok);
  crTestMotion m = crStartScene(test);
  double nominal[17];
  char name[64];
  static const char* const names[17] = {
    "ball.position.x",        "ball.position.y",    "ball.position.z",        "ball.orientation.w",
    "ball.orientation.x",     "ball.orientation.y", "ball.orientation.z",     "ball.velocity.x",
    "ball.velocity.y",        "ball.velocity.z",    "ball.angularVelocity.x", "ball.angularVelocity.y",
    "ball.angularVelocity.z", "arm.slide.position", "arm.slide.angle",        "arm.slide.velocity",
    "arm.slide.rate",
  };
  assert_int_equal(m.stateCount, 17);
  crModel_GetNominal(m.model, m.all, nominal);
  for (int i = 0; i < 17; ++i) {
    bool isBallFirst = crModel_GetJoint(m.model, 0)->isImplicit;
    int at = isBallFirst ? i : i < 13 ? i + 4 : i - 13;
    assert_true(crModel_GetStateName(m.model, m.all, at, name, sizeof name));
    assert_string_equal(name, names[i]);
    assert_close(nominal[at], i == 13 || i == 15 ? 0.01 : 1.0, 0);
    double start = i < 3 ? i + 1 : i == 3 ? 1 : i == 14 ? 0.3 : i == 15 ? -2 : 0;
    assert_close(m.y[at], start, 0);
  }
  assert_false(crModel_GetStateName(m.model, m.all, 17, name, sizeof name));
  assert_false(crModel_GetStateName(m.model, m.all, -1, name, sizeof name));
  crTestMotion_Free(&m);
}

// ----------------------------------------------------------------------------------------------- stages

static void state_is_read_back_and_stages_are_reached_in_any_order(void** state)
{
  (void)state;
  crTestMotion m = startRandom(5, 12, 3);
  double rates[MAX_STATES], y[MAX_STATES];
  crInstance_SetState(m.instance, m.all, 1.5, m.y);
  crInstance_GetState(m.instance, m.all, y);
  assert_memory_equal(y, m.y, (size_t)m.stateCount * sizeof *y);
  assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stageReport), cr_ok);
  crMotion A = crInstance_GetAcceleration(m.instance, 3);
  crInstance_SetState(m.instance, m.all, 1.5, m.y);
  for (int stage = cr_stagePosition; stage <= cr_stageReport; ++stage) {
    assert_int_equal(crInstance_Eval(m.instance, m.all, (crStage)stage), cr_ok);
    assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stageTime), cr_ok);
  }
  crMotion again = crInstance_GetAcceleration(m.instance, 3);
  assert_memory_equal(&A, &again, sizeof A);
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 1.5, m.y, rates), cr_ok);
  crMotion third = crInstance_GetAcceleration(m.instance, 3);
  assert_memory_equal(&A, &third, sizeof A);
  crTestMotion_Free(&m);
}

static void a_point_that_is_not_finite_is_to_be_retried(void** state)
{
  (void)state;
  crTestMotion m = startRandom(6, 10, 2);
  double rates[MAX_STATES];
  static const double wrong[] = { NAN, INFINITY, -INFINITY };
  for (int i = 0; i < m.stateCount; ++i) {
    double old = m.y[i];
    m.y[i] = wrong[i % 3];
    assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, m.y, rates), cr_retry);
    assert_int_equal(crInstance_ComputeResidual(m.instance, m.all, 0.0, m.y, rates, rates), cr_retry);
    m.y[i] = old;
  }
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, m.y, rates), cr_ok);
  // too fast for any number, and a quaternion without a direction
  double fast[MAX_STATES];
  for (int i = 0; i < m.stateCount; ++i) {
    fast[i] = 1e200 * m.y[i];
  }
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, fast, rates), cr_retry);
  crTestMotion_Free(&m);

  crTestLink link = crMakeLink(-1, cr_jointSpherical);
  crTestTree tree = { .linkCount = 1, .links = { link } };
  crTestMotion ball = crStartTree(&tree, crPlainView());
  ball.y[0] = 0.0;
  assert_int_equal(crInstance_ComputeRates(ball.instance, ball.all, 0.0, ball.y, rates), cr_retry);
  crTestMotion_Free(&ball);
}

// Three hinges z, x, z without mass between them: at q = 0 of the middle one the first and the last are the same axis.
static void a_singular_position_is_to_be_retried(void** state)
{
  (void)state;
  crTestTree tree = { .linkCount = 3 };
  for (int i = 0; i < 3; ++i) {
    tree.links[i] = crMakeLink(i - 1, cr_jointRevolute);
    tree.links[i].mass = i < 2 ? 0.0 : 1.0;
  }
  tree.links[1].axes.axis = crMakeVec3(1, 0, 0);
  tree.links[1].q[0] = 0.5;
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[6];
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, m.y, rates), cr_ok);
  m.y[1] = 0.0;
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, m.y, rates), cr_retry);
  crTestMotion_Free(&m);
}

static void variables_are_what_the_queries_say(void** state)
{
  (void)state;
  crTestMotion m = startRandom(7, 12, 0);
  crInstance_SetState(m.instance, m.all, 0.0, m.y);
  assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stageReport), cr_ok);
  int count = crModel_GetSize(m.model).variableCount;
  for (int i = 0; i < count; ++i) {
    crVariable variable;
    assert_true(crModel_GetVariable(m.model, i, &variable));
    double value = crInstance_GetVariable(m.instance, i);
    assert_true(isfinite(value) || strcmp(variable.quantity, "unexplained") == 0); // there was no start
    if (variable.state >= 0) {
      assert_close(value, m.y[variable.state], 0);
    }
  }
  int object = crModel_FindObject(m.model, "far3");
  crPose X = crInstance_GetPose(m.instance, object);
  crMotion V = crInstance_GetMotion(m.instance, object);
  const crQuat q = { crInstance_GetVariable(m.instance, crModel_FindVariable(m.model, "far3.orientation.w")),
                     crInstance_GetVariable(m.instance, crModel_FindVariable(m.model, "far3.orientation.x")),
                     crInstance_GetVariable(m.instance, crModel_FindVariable(m.model, "far3.orientation.y")),
                     crInstance_GetVariable(m.instance, crModel_FindVariable(m.model, "far3.orientation.z")) };
  assert_vec_close(crQuatToMat3(q).cx, X.R.cx, 1e-14);
  assert_close(crInstance_GetVariable(m.instance, crModel_FindVariable(m.model, "far3.position.y")), X.p.y, 0);
  assert_close(crInstance_GetVariable(m.instance, crModel_FindVariable(m.model, "far3.velocity.z")), V.v.z, 0);
  assert_close(crInstance_GetVariable(m.instance, crModel_FindVariable(m.model, "far3.angularVelocity.x")), V.w.x, 0);
  assert_true(isnan(crInstance_GetVariable(m.instance, -1)));
  assert_true(isnan(crInstance_GetVariable(m.instance, count)));
  crTestMotion_Free(&m);
}

static void start_poses_are_those_of_the_compiler(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    crTestMotion m = startRandom(seed, 15, 0);
    crInstance_SetState(m.instance, m.all, 0.0, m.y);
    assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stagePosition), cr_ok);
    for (int b = 1; b < crModel_GetSize(m.model).bodyCount; ++b) {
      const crBody* body = crModel_GetBody(m.model, b);
      crPose X = crInstance_GetPose(m.instance, body->objectStart);
      crPose expected = crMulPose(body->X_WB_start, crModel_GetObject(m.model, body->objectStart)->X_BO);
      assert_vec_close(X.p, expected.p, 1e-13);
      assert_vec_close(X.R.cx, expected.R.cx, 1e-13);
      assert_vec_close(X.R.cy, expected.R.cy, 1e-13);
    }
    crTestMotion_Free(&m);
  }
}

// ---------------------------------------------------------------------------------------------- refusals

static crStatus tryTree(const crTestTree* tree, crTestScene* test)
{
  crInstance* instance = NULL;
  *test = crTestScene_Make(NULL);
  crBuildTree(test, tree, crPlainView());
  crModel* model = crTestScene_Compile(test, cr_ok);
  crErrorSink sink = crErrorLog_GetSink(test->log);
  crStatus status = crCreateInstance(model, NULL, &sink, &instance);
  assert_true((status == cr_ok) == (instance != NULL));
  crDestroyInstance(instance);
  crDestroyModel(model);
  return status;
}

static void moving_ends_without_inertia_are_refused_by_name(void** state)
{
  (void)state;
  crTestScene test;
  crTestTree tree = { .linkCount = 3 };
  tree.links[0] = crMakeLink(-1, cr_jointRevolute);
  tree.links[1] = crMakeLink(0, cr_jointRevolute);
  tree.links[2] = crMakeLink(0, cr_jointPrismatic);
  tree.links[1].mass = tree.links[2].mass = 0.0;
  assert_int_equal(tryTree(&tree, &test), cr_errorModel);
  assert_message(
      test.log, cr_severityError,
      "joint1: 'far1' moves, but it and what it carries have no inertia against this motion\n  found 0 kg or "
      "kg m^2, allowed: > 0 kg or kg m^2");
  assert_message(test.log, cr_severityError, "joint2: 'far2' moves");
  assert_int_equal(crErrorLog_CountOf(test.log, cr_severityError), 2);
  crTestScene_Free(&test);
  // a rotor is enough; so is mass further out
  tree.links[1].law.rotorInertia[0] = 0.1;
  tree.links[2].law.rotorInertia[0] = 0.1;
  assert_int_equal(tryTree(&tree, &test), cr_ok);
  crTestScene_Free(&test);
}

static void masses_on_the_axis_do_not_help(void** state)
{
  (void)state;
  crTestScene test;
  crTestTree tree = { .linkCount = 1 };
  tree.links[0] = crMakeLink(-1, cr_jointRevolute);
  tree.links[0].inertia = crDiagonalSym3(0, 0, 0);
  tree.links[0].com = crMakeVec3(0, 0, 5);
  assert_int_equal(tryTree(&tree, &test), cr_errorModel);
  crTestScene_Free(&test);
  tree.links[0].com = crMakeVec3(0.1, 0, 5);
  assert_int_equal(tryTree(&tree, &test), cr_ok);
  crTestScene_Free(&test);
  tree.links[0].kind = cr_jointFreeMotion; // a point can turn without effect
  tree.links[0].q[3] = 1.0;
  assert_int_equal(tryTree(&tree, &test), cr_errorModel);
  crTestScene_Free(&test);
  tree.links[0] = crMakeLink(-1, cr_jointSpherical); // a rod about itself: the number is that of the axis that fails
  tree.links[0].q[0] = 1.0;
  tree.links[0].com = crMakeVec3(0, 0, 0);
  tree.links[0].inertia = crDiagonalSym3(1, 1, 0);
  assert_int_equal(tryTree(&tree, &test), cr_errorModel);
  assert_message(test.log, cr_severityError, "found 0 kg or kg m^2");
  crTestScene_Free(&test);
}

// A body without mass between two hinges: fine when they cross, not when the second one undoes the first.
static void massless_links_are_judged_by_what_they_carry(void** state)
{
  (void)state;
  crTestScene test;
  crTestTree tree = { .linkCount = 2 };
  tree.links[0] = crMakeLink(-1, cr_jointRevolute);
  tree.links[1] = crMakeLink(0, cr_jointRevolute);
  tree.links[0].mass = 0.0;
  tree.links[1].axes.axis = crMakeVec3(1, 0, 0);
  assert_int_equal(tryTree(&tree, &test), cr_ok);
  crTestScene_Free(&test);
  tree.links[1].axes.axis = crMakeVec3(0, 0, 1);
  tree.links[1].com = crMakeVec3(0.3, 0.2, 0.1);
  assert_int_equal(tryTree(&tree, &test), cr_errorModel);
  assert_message(test.log, cr_severityError, "joint0: 'far0' moves");
  assert_int_equal(crErrorLog_CountOf(test.log, cr_severityError), 1);
  crTestScene_Free(&test);
}

static void an_instance_of_nothing_is_misuse(void** state)
{
  (void)state;
  crInstance* instance = NULL;
  assert_int_equal(crCreateInstance(NULL, NULL, NULL, &instance), cr_errorMisuse);
}

static void a_world_alone_has_an_instance(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crTestMotion m = crStartScene(test);
  double none[1] = { 0 };
  assert_int_equal(m.stateCount, 0);
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, none, none), cr_ok);
  assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stageReport), cr_ok);
  assert_vec_close(crInstance_GetPose(m.instance, 0).p, crMakeVec3(0, 0, 0), 0);
  crTestMotion_Free(&m);
}

// ---------------------------------------------------------------------------------- memory, repetition

static void evaluation_allocates_nothing(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(8);
  crTestTree tree = crMakeRandomTree(&random, 12, true, 3);
  crTestMotion m = crStartTree(&tree, crPlainView());
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crInstance* instance = NULL;
  static double rates[MAX_STATES], matrix[MAX_STATES * MAX_STATES];
  assert_int_equal(crCreateInstance(m.model, &allocator, NULL, &instance), cr_ok);
  long calls = counter.callCount;
  assert_int_equal(calls, 1);
  assert_int_equal(crInstance_ComputeRates(instance, m.all, 0.0, m.y, rates), cr_ok);
  assert_int_equal(crInstance_ComputeResidual(instance, m.all, 0.0, m.y, rates, rates), cr_ok);
  assert_int_equal(crInstance_ComputeMassMatrix(instance, m.all, 0.0, m.y, matrix), cr_ok);
  assert_int_equal(crInstance_Linearize(instance, m.all, 0.0, m.y, matrix), cr_ok);
  assert_int_equal(crInstance_Eval(instance, m.all, cr_stageReport), cr_ok);
  assert_int_equal(counter.callCount, calls);
  crDestroyInstance(instance);
  assert_int_equal(counter.liveBlocks, 0);
  counter.callCount = 0;
  counter.failAt = 0;
  crErrorSink sink = crErrorLog_GetSink(m.test.log);
  assert_int_equal(crCreateInstance(m.model, &allocator, &sink, &instance), cr_errorMemory);
  assert_null(instance);
  assert_message(m.test.log, cr_severityError, "out of memory while an instance was created");
  assert_int_equal(counter.liveBlocks, 0);
  crTestMotion_Free(&m);
}

static void repetition_gives_the_same_bits(void** state)
{
  (void)state;
  crTestMotion m = startRandom(9, 20, 4);
  double first[MAX_STATES], again[MAX_STATES];
  crInstance* other = NULL;
  assert_int_equal(crCreateInstance(m.model, NULL, NULL, &other), cr_ok);
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, m.y, first), cr_ok);
  for (int run = 0; run < 5; ++run) {
    assert_int_equal(crInstance_ComputeRates(run % 2 == 0 ? m.instance : other, m.all, 0.0, m.y, again), cr_ok);
    assert_memory_equal(first, again, (size_t)m.stateCount * sizeof *first);
  }
  crDestroyInstance(other);
  crTestMotion_Free(&m);
}

// ---------------------------------------------------------------------------------------------- threads

typedef struct Worker {
  const crTestMotion* motion;
  int tree;
  double rates[MAX_STATES];
  bool isGood;
} Worker;

static void* runWorker(void* context)
{
  Worker* worker = context;
  const crTestMotion* m = worker->motion;
  crTreeSet set = { &worker->tree, 1, NULL };
  const double* y = m->y + crModel_GetTree(m->model, worker->tree)->qStart;
  static __thread double A[MAX_STATES * MAX_STATES];
  worker->isGood = true;
  for (int run = 0; run < 300; ++run) {
    worker->isGood &= crInstance_Linearize(m->instance, set, 0.0, y, A) == cr_ok;
    worker->isGood &= crInstance_ComputeMassMatrix(m->instance, set, 0.0, y, A) == cr_ok;
    worker->isGood &= crInstance_ComputeRates(m->instance, set, 0.0, y, worker->rates) == cr_ok;
  }
  return NULL;
}

static void threads_on_disjoint_trees_do_not_disturb_each_other(void** state)
{
  (void)state;
  crTestTree tree = { .linkCount = 8 };
  crRandom random = crMakeRandom(10);
  crTestTree source = crMakeRandomTree(&random, 8, true, 0);
  tree = source;
  for (int i = 0; i < 8; ++i) { // two trees of four
    tree.links[i].parent = i % 4 == 0 ? -1 : i - 1;
  }
  crTestMotion m = crStartTree(&tree, crPlainView());
  assert_int_equal(m.all.treeCount, 2);
  double rates[MAX_STATES];
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, m.y, rates), cr_ok);
  static Worker workers[2];
  pthread_t threads[2];
  for (int t = 0; t < 2; ++t) {
    workers[t] = (Worker){ .motion = &m, .tree = t };
    assert_int_equal(pthread_create(&threads[t], NULL, runWorker, &workers[t]), 0);
  }
  for (int t = 0; t < 2; ++t) {
    pthread_join(threads[t], NULL);
    crTreeSet set = { &workers[t].tree, 1, NULL };
    assert_true(workers[t].isGood);
    assert_memory_equal(workers[t].rates, rates + crModel_GetTree(m.model, t)->qStart,
                        (size_t)crModel_CountStates(m.model, set) * sizeof *rates);
  }
  crTestMotion_Free(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(trees_one_by_one_give_the_same_bits_as_all_together),
    cmocka_unit_test(springs_decide_which_sets_are_closed),
    cmocka_unit_test(sparsity_of_coupled_trees_is_of_both),
    cmocka_unit_test(states_have_names_starts_and_nominals),
    cmocka_unit_test(state_is_read_back_and_stages_are_reached_in_any_order),
    cmocka_unit_test(a_point_that_is_not_finite_is_to_be_retried),
    cmocka_unit_test(a_singular_position_is_to_be_retried),
    cmocka_unit_test(variables_are_what_the_queries_say),
    cmocka_unit_test(start_poses_are_those_of_the_compiler),
    cmocka_unit_test(moving_ends_without_inertia_are_refused_by_name),
    cmocka_unit_test(masses_on_the_axis_do_not_help),
    cmocka_unit_test(massless_links_are_judged_by_what_they_carry),
    cmocka_unit_test(an_instance_of_nothing_is_misuse),
    cmocka_unit_test(a_world_alone_has_an_instance),
    cmocka_unit_test(evaluation_allocates_nothing),
    cmocka_unit_test(repetition_gives_the_same_bits),
    cmocka_unit_test(threads_on_disjoint_trees_do_not_disturb_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
