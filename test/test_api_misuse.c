// The rule at the top of carom/base.h: NULL and numbers out of range are refused, or answered with what is inert.
#include "carom/carom.h"
#include "support/test.h"
#include "support/test_run.h"

#include <math.h>
#include <string.h>

// Everything that a model can have: a loop, a spring, signals, a function, ports, contacts.
static const char text[] = "contactPair('Steel', 'Steel', { cor = 0.5, muK = 0.1, muR = 0 })\n"
                           "local w = world('w', { solid{ shape = box{ size = { 9, 9, 1 } }, contact = 'Steel' } })\n"
                           "local ball = object('ball', { parent = w, free = true, position = { 4, 0, 2 },\n"
                           "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n"
                           "local a = object('a', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                           "local b = object('b', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                           "local push = input('push', { unit = 'N' })\n"
                           "revolute('wa', w, a, { damping = 1, torque = push })\n"
                           "revolute('ab', a, b)\n"
                           "revolute('bw', b, w)\n"
                           "springDamper('spring', w, ball, { stiffness = 1, length = 1 })\n"
                           "output('angle', { signal = jointSensor('q', { joint = 'wa' }) })\n";

static const crTreeSet noSet = { NULL, 0, NULL };
static const crTreeSet wrongSet = { NULL, 3, NULL };

static bool isZero(const void* bytes, size_t size)
{
  const unsigned char* byte = bytes;
  for (size_t i = 0; i < size; ++i) {
    if (byte[i] != 0) {
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------------------------------------- models

static void askModel(const crModel* model, int index)
{
  int count = 7;
  crPort port;
  crVariable variable;
  assert_null(crModel_GetObject(model, index));
  assert_null(crModel_GetObjectPath(model, index));
  assert_null(crModel_GetBody(model, index));
  assert_null(crModel_GetBodyPath(model, index));
  assert_null(crModel_GetTree(model, index));
  assert_null(crModel_GetJoint(model, index));
  assert_null(crModel_GetJointPath(model, index));
  assert_null(crModel_GetJointLaw(model, index));
  assert_null(crModel_GetLoop(model, index));
  assert_null(crModel_GetLoopBodies(model, index, &count));
  assert_int_equal(count, 0);
  assert_null(crModel_GetLoopBodies(model, index, NULL));
  assert_null(crModel_GetForce(model, index));
  assert_null(crModel_GetForcePath(model, index));
  count = 7;
  assert_null(crModel_GetForceCurve(model, index, &count));
  assert_int_equal(count, 0);
  assert_null(crModel_GetForceCurve(model, index, NULL));
  assert_null(crModel_GetContactShape(model, index));
  assert_null(crModel_GetShape(model, index));
  assert_null(crModel_GetContactMaterial(model, index));
  assert_null(crModel_GetContactMaterialName(model, index));
  assert_null(crModel_GetContactLaw(model, index, 0));
  assert_null(crModel_GetContactLaw(model, 0, index));
  assert_null(crModel_GetExcludedBodies(model, index));
  assert_false(crModel_CanMeet(model, index, 0));
  assert_false(crModel_CanMeet(model, 0, index));
  assert_false(crModel_GetInput(model, index, &port));
  assert_false(crModel_GetOutput(model, index, &port));
  assert_false(crModel_GetVariable(model, index, &variable));
  assert_int_equal(crModel_GetVariableName(model, index, NULL, 0), 0);
}

static void getters_of_models_refuse_null_and_wrong_numbers(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .stop = 1.0 });
  const crModel* model = run.model;
  char buffer[64];
  askModel(NULL, 0);
  askModel(model, -1);
  askModel(model, INT32_MAX);
  askModel(model, INT32_MIN);
  crModelSize size = crModel_GetSize(NULL);
  assert_true(isZero(&size, sizeof size));
  assert_int_equal(crModel_CountContactMaterials(NULL), 0);
  assert_int_equal(crModel_CountExcludedBodies(NULL), 0);
  assert_int_equal(crModel_CountInputs(NULL), 0);
  assert_int_equal(crModel_CountOutputs(NULL), 0);
  assert_true(isinf(crModel_GetNextTimeEvent(NULL, 0.0)));
  const crModel* models[] = { NULL, model };
  const char* names[] = { "ball", NULL };
  for (int i = 0; i < 2; ++i) { // each NULL once
    assert_int_equal(crModel_FindObject(models[i], names[i]), -1);
    assert_int_equal(crModel_FindJoint(models[i], names[i]), -1);
    assert_int_equal(crModel_FindInput(models[i], names[i]), -1);
    assert_int_equal(crModel_FindOutput(models[i], names[i]), -1);
    assert_int_equal(crModel_FindVariable(models[i], names[i]), -1);
    assert_int_equal(crModel_FindCoupling(models[i], names[i]), -1);
  }
  assert_int_equal(crModel_FindObject(model, "nothing"), -1);
  assert_int_equal(crModel_FindInput(model, "ball"), -1);
  assert_false(crModel_GetInput(model, 0, NULL));
  assert_false(crModel_GetOutput(model, 0, NULL));
  assert_false(crModel_GetVariable(model, 0, NULL));
  assert_int_equal(crModel_GetHash(model, NULL), cr_errorMisuse);
  assert_int_equal(crModel_GetAllTrees(NULL).treeCount, 0);
  assert_int_equal(crModel_CountStates(NULL, noSet), 0);
  assert_int_equal(crModel_CountRates(NULL, noSet), 0);
  assert_int_equal(crModel_CountDiscrete(NULL, noSet), 0);
  assert_false(crModel_IsClosed(NULL, noSet));
  assert_false(crModel_IsClosed(model, wrongSet));
  crTreeSet all = crModel_GetAllTrees(model);
  assert_int_equal(crModel_GetStart(NULL, all, (double[64]){ 0 }), cr_errorMisuse);
  assert_int_equal(crModel_GetStart(model, all, NULL), cr_errorMisuse);
  assert_int_equal(crModel_GetNominal(model, all, NULL), cr_errorMisuse);
  assert_int_equal(crModel_GetNominal(model, wrongSet, (double[64]){ 0 }), cr_errorMisuse);
  assert_false(crModel_GetStateName(NULL, all, 0, buffer, sizeof buffer));
  assert_false(crModel_GetStateName(model, all, -1, buffer, sizeof buffer));
  assert_false(crModel_GetStateName(model, all, 0, NULL, 0));
  assert_int_equal(crModel_GetSparsity(NULL, all, NULL, NULL, NULL), cr_errorMisuse);
  crDestroyModel(NULL);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------- instances

static void askInstance(const crInstance* instance, int index)
{
  crMotion motion = crInstance_GetMotion(instance, index), acceleration = crInstance_GetAcceleration(instance, index);
  crWrench reaction = crInstance_GetReaction(instance, index);
  assert_vec_close(crInstance_GetPose(instance, index).p, crMakeVec3(0, 0, 0), 0.0);
  assert_true(isZero(&motion, sizeof motion) && isZero(&acceleration, sizeof acceleration));
  assert_true(isZero(&reaction, sizeof reaction));
  assert_true(isnan(crInstance_GetVariable(instance, index)));
  assert_true(isnan(crInstance_GetInput(instance, index)));
  assert_true(isnan(crInstance_GetOutput(instance, index)));
  assert_int_equal(crInstance_CountRedundant(instance, index), 0);
}

static void getters_of_instances_refuse_null_and_wrong_numbers(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .stop = 1.0 });
  crTreeSet all = crModel_GetAllTrees(run.model);
  char buffer[64];
  askInstance(NULL, 0);
  askInstance(run.instance, -1);
  askInstance(run.instance, INT32_MAX);
  assert_null(crInstance_GetModel(NULL));
  crLoopFacts facts = crInstance_GetLoopFacts(NULL);
  crEnergy energy = crInstance_ComputeEnergy(NULL, all, -1),
           none = crInstance_ComputeEnergy(run.instance, wrongSet, -1);
  crPowers powers = crInstance_ComputePowers(NULL, all);
  crMomentum momentum = crInstance_ComputeMomentum(NULL, all, -1);
  assert_true(isZero(&facts, sizeof facts) && isZero(&energy, sizeof energy) && isZero(&none, sizeof none));
  assert_true(isZero(&powers, sizeof powers) && isZero(&momentum, sizeof momentum));
  assert_false(crInstance_DescribeFault(NULL, 0.0, buffer, sizeof buffer));
  assert_false(crInstance_DescribeSingular(NULL, buffer, sizeof buffer));
  assert_false(crInstance_DescribeGap(NULL, all, 0.0, buffer, sizeof buffer));
  assert_int_equal(crInstance_CountMultipliers(NULL, all), 0);
  assert_int_equal(crContacts_Count(NULL), 0);
  assert_int_equal(crContacts_Get(NULL, 0).key.shapeA, -1);
  assert_null(crContacts_GetEvents(NULL, NULL));
  crDestroyInstance(NULL);
  crDestroyContacts(NULL);
  crCloseTestRun(&run);
}

// What evaluates: without an instance, without a state, without a place for the answer, with a set of no model.
static void refuseEvaluation(crInstance* instance, crTreeSet set, const double* y, double* out)
{
  int count;
  double lost;
  crStatus misuse = cr_errorMisuse;
  assert_int_equal(crInstance_ComputeRates(instance, set, 0.0, y, out), misuse);
  assert_int_equal(crInstance_ComputeResidual(instance, set, 0.0, y, y, out), misuse);
  assert_int_equal(crInstance_ComputeLoopResidual(instance, set, 0.0, y, y, y, out, out), misuse);
  assert_int_equal(crInstance_ComputeRateResidual(instance, set, 0.0, y, y, y, out, out), misuse);
  assert_int_equal(crInstance_ComputeInverseDynamics(instance, set, 0.0, y, y, out), misuse);
  assert_int_equal(crInstance_ComputeMassMatrix(instance, set, 0.0, y, out), misuse);
  assert_int_equal(crInstance_ComputeFrameJacobian(instance, set, 0.0, y, 0, out), misuse);
  assert_int_equal(crInstance_Linearize(instance, set, 0.0, y, out), misuse);
  assert_int_equal(crInstance_ComputeIndicators(instance, set, 0.0, y, out), misuse);
  assert_int_equal(crInstance_ResolveImpacts(instance, set, out, &count, &lost), misuse);
}

static void evaluation_refuses_null_and_foreign_sets(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .stop = 1.0 });
  crTreeSet all = crModel_GetAllTrees(run.model);
  double y[256] = { 0 }, out[4096];
  assert_true(crModel_CountStates(run.model, all) < 64);
  assert_int_equal(crModel_GetStart(run.model, all, y), cr_ok);
  refuseEvaluation(NULL, all, y, out);
  refuseEvaluation(run.instance, all, NULL, out);
  refuseEvaluation(run.instance, all, y, NULL);
  refuseEvaluation(run.instance, wrongSet, y, out);
  crInstance* instances[] = { NULL, run.instance, run.instance };
  crTreeSet sets[] = { all, wrongSet, all };
  double* states[] = { y, y, NULL };
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(crInstance_SetState(instances[i], sets[i], 0.0, states[i]), cr_errorMisuse);
    assert_int_equal(crInstance_GetState(instances[i], sets[i], states[i]), cr_errorMisuse);
    assert_int_equal(crInstance_SetDiscrete(instances[i], sets[i], states[i]), cr_errorMisuse);
    assert_int_equal(crInstance_GetDiscrete(instances[i], sets[i], states[i]), cr_errorMisuse);
    assert_int_equal(crInstance_GetMultipliers(instances[i], sets[i], states[i]), cr_errorMisuse);
    assert_int_equal(crInstance_Assemble(instances[i], sets[i], 0.0, states[i], NULL), cr_errorMisuse);
    assert_int_equal(crInstance_Project(instances[i], sets[i], 0.0, 1.0, states[i]), cr_errorMisuse);
    assert_int_equal(crInstance_CompleteStep(instances[i], sets[i], 0.0, states[i]), cr_errorMisuse);
    assert_int_equal(crInstance_LinearizePorts(instances[i], sets[i], 0.0, states[i], NULL, NULL, NULL),
                     cr_errorMisuse);
    assert_int_equal(crInstance_ComputeEquilibrium(instances[i], sets[i], 0.0, states[i], NULL, NULL), cr_errorMisuse);
  }
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(crInstance_SetPhase(instances[i], sets[i], 0.0), cr_errorMisuse);
    assert_int_equal(crInstance_Eval(instances[i], sets[i], cr_stageReport), cr_errorMisuse);
    assert_int_equal(crInstance_Sample(instances[i], sets[i]), cr_errorMisuse);
    assert_int_equal(crInstance_ResolveContacts(instances[i], sets[i]), cr_errorMisuse);
    assert_int_equal(crInstance_GetLoopSparsity(instances[i], sets[i], 0, NULL, NULL, NULL), cr_errorMisuse);
  }
  assert_int_equal(crInstance_SetInput(NULL, 0, 1.0), cr_errorMisuse);
  assert_int_equal(crInstance_SetInput(run.instance, 1, 1.0), cr_errorMisuse);
  assert_int_equal(crInstance_SetInput(run.instance, 0, NAN), cr_errorMisuse);
  crContacts_CompleteStep(NULL, 0.1);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------- the others

static void ignoreBox(void* context, int box)
{
  (void)context;
  (void)box;
  fail();
}

static void broad_phases_refuse_null(void** state)
{
  (void)state;
  crAabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
  const crBoxPair* pairs;
  int count;
  assert_int_equal(crBroadPhase_SetBox(NULL, 0, box), cr_errorMisuse);
  assert_int_equal(crBroadPhase_FindPairs(NULL, &pairs, &count), cr_errorMisuse);
  crBroadPhase_QueryPoint(NULL, box.min, ignoreBox, NULL);
  crBroadPhase_QueryRay(NULL, box.min, box.max, 1.0, ignoreBox, NULL);
  crBroadPhase_QueryBox(NULL, box, ignoreBox, NULL);
  crBroadPhase* broadPhase;
  assert_int_equal(crCreateBroadPhase(1, NULL, (crPairFilter){ NULL, NULL }, 0.0, NULL, &broadPhase), cr_ok);
  assert_int_equal(crBroadPhase_SetBox(broadPhase, 0, box), cr_ok);
  crBroadPhase_QueryPoint(broadPhase, box.min, NULL, NULL);
  crBroadPhase_QueryRay(broadPhase, box.min, box.max, 1.0, NULL, NULL);
  crBroadPhase_QueryBox(broadPhase, box, NULL, NULL);
  crDestroyBroadPhase(broadPhase);
  crDestroyBroadPhase(NULL);
}

static void error_logs_refuse_null(void** state)
{
  (void)state;
  char buffer[8] = "full";
  crErrorSink sink = crErrorLog_GetSink(NULL);
  assert_null(sink.report);
  assert_int_equal(crErrorLog_Count(NULL), 0);
  assert_int_equal(crErrorLog_CountOf(NULL, cr_severityError), 0);
  assert_null(crErrorLog_Get(NULL, 0));
  crErrorLog_Clear(NULL);
  crDestroyErrorLog(NULL);
  assert_int_equal(crError_Format(NULL, buffer, sizeof buffer), 0);
  assert_string_equal(buffer, "");
  crCleanText(NULL);
}

static void headers_and_library_can_be_compared(void** state)
{
  (void)state;
  assert_string_equal(crGetVersion(), CAROM_VERSION);
  assert_true(crIsCompatible(CAROM_VERSION_NUMBER));
  assert_false(crIsCompatible(CAROM_VERSION_NUMBER + 100)); // a later minor version may have more
  assert_false(crIsCompatible(CAROM_VERSION_NUMBER + 10000));
  assert_false(crIsCompatible(0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(getters_of_models_refuse_null_and_wrong_numbers),
    cmocka_unit_test(getters_of_instances_refuse_null_and_wrong_numbers),
    cmocka_unit_test(evaluation_refuses_null_and_foreign_sets),
    cmocka_unit_test(broad_phases_refuse_null),
    cmocka_unit_test(error_logs_refuse_null),
    cmocka_unit_test(headers_and_library_can_be_compared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
