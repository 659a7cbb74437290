// Definitions that only a program can get wrong, a number that is no kind or a name that is not there: each is refused
// with a message of its own, and the scene stays as it was.
#include "carom/carom.h"
#include "support/log.h"

typedef struct Bench {
  crErrorLog* log;
  crScene* scene;
} Bench;

static int openBench(void** state)
{
  static Bench bench;
  bench.log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(bench.log);
  assert_int_equal(crCreateScene(NULL, &sink, &bench.scene), cr_ok);
  *state = &bench;
  return 0;
}

static int closeBench(void** state)
{
  Bench* bench = *state;
  crDestroyScene(bench->scene);
  crDestroyErrorLog(bench->log);
  return 0;
}

static void assertRefused(Bench* bench, crStatus status, const char* message)
{
  assert_true(status != cr_ok);
  assert_message(bench->log, cr_severityError, message);
  crErrorLog_Clear(bench->log);
}

static void numbers_that_are_no_kind_are_refused(void** state)
{
  Bench* bench = *state;
  crScene* scene = bench->scene;
  crJointDef joint = crDefaultJointDef(cr_jointRevolute, "j", "a", "b");
  joint.kind = (crJointKind)99;
  assertRefused(bench, crScene_AddJoint(scene, &joint, NULL), "unknown kind of joint 99");
  crForceDef force = crDefaultForceDef(cr_forceBushing, "f", "a", "b");
  force.kind = (crForceKind)99;
  assertRefused(bench, crScene_AddForce(scene, &force, NULL), "unknown kind of force 99");
  crObjectDef object = crDefaultObjectDef("o");
  object.mobility = (crMobility)99;
  assertRefused(bench, crScene_AddObject(scene, &object, NULL), "unknown mobility 99");
  crFeatureDef feature = crDefaultFeatureDef(cr_featureLight);
  object = crDefaultObjectDef("o");
  object.features = &feature;
  object.featureCount = 1;
  feature.as.light.kind = (crLightKind)99;
  assertRefused(bench, crScene_AddObject(scene, &object, NULL), "unknown kind of light 99");
  feature.kind = (crFeatureKind)99;
  assertRefused(bench, crScene_AddObject(scene, &object, NULL), "unknown kind of feature 99");
  crContactPairDef pair = crDefaultContactPairDef("a", "b");
  pair.touch = (crContactTouch)99;
  assertRefused(bench, crScene_AddContactPair(scene, &pair, NULL), "unknown touch 99");
  pair = crDefaultContactPairDef("a", "b");
  pair.friction = (crFrictionLaw)99;
  assertRefused(bench, crScene_AddContactPair(scene, &pair, NULL), "unknown friction 99");
  feature = crDefaultFeatureDef(cr_featureMass);
  feature.as.mass.policy = (crInertiaPolicy)99;
  object = crDefaultObjectDef("o");
  object.features = &feature;
  object.featureCount = 1;
  assertRefused(bench, crScene_AddObject(scene, &object, NULL), "o.mass1: unknown policy 99");
}

static void laws_out_of_range_are_refused(void** state)
{
  Bench* bench = *state;
  crScene* scene = bench->scene;
  crContactPairDef pair = crDefaultContactPairDef("a", "b");
  pair.muK = 0.5;
  pair.muS = 0.4;
  assertRefused(bench, crScene_AddContactPair(scene, &pair, NULL), "muS is out of range");
  pair = crDefaultContactPairDef("a", "b");
  pair.tangentialDamping = 11.0;
  assertRefused(bench, crScene_AddContactPair(scene, &pair, NULL), "tangentialDamping is out of range");
  crVisualMaterialDef visual = crDefaultVisualMaterialDef("v");
  assert_int_equal(crScene_AddVisualMaterial(scene, &visual, NULL), cr_ok);
  assertRefused(bench, crScene_AddVisualMaterial(scene, &visual, NULL),
                "a visual material of this name exists already");
  visual = crDefaultVisualMaterialDef("w");
  visual.shininess = 1.5;
  assertRefused(bench, crScene_AddVisualMaterial(scene, &visual, NULL), "shininess is out of range");
}

static void options_that_are_none_are_refused(void** state)
{
  Bench* bench = *state;
  for (int i = 0; i < 5; ++i) {
    static const char* const messages[] = { "unknown kind of gravity 99", "startTime is not finite",
                                            "there is no solver number 99",
                                            "islands and eventRows must be default, on or off",
                                            "touch of the scene must be area or point" };
    crSceneOptions options = crDefaultSceneOptions();
    options.gravity.kind = i == 0 ? (crGravityKind)99 : options.gravity.kind;
    options.run.startTime = i == 1 ? HUGE_VAL : options.run.startTime;
    options.run.solver = i == 2 ? (crSolverKind)99 : options.run.solver;
    options.run.islands = i == 3 ? (crIslandMode)99 : options.run.islands;
    options.touch = i == 4 ? (crContactTouch)99 : options.touch;
    assertRefused(bench, crScene_SetOptions(bench->scene, &options), messages[i]);
  }
}

static void signals_without_what_they_need_are_refused(void** state)
{
  Bench* bench = *state;
  static const struct {
    crSignalKind kind;
    const char* message;
  } cases[] = {
    { cr_signalPath, "a path has too few values" },
    { cr_signalSpline, "a spline needs an input" },
    { cr_signalLimit, "a limit needs an input" },
    { cr_signalFrameSensor, " needs two objects" },
    { cr_signalServo, "a servo needs an input and a joint" },
    { cr_signalDcMotor, "a dcMotor needs an input and a joint" },
    { cr_signalOutput, "an output needs a signal" },
    { cr_signalPick, "a pick needs a signal and the name of a state" },
    { cr_signalPid, "a pid needs an input and a reference" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crSignalDef def = crDefaultSignalDef(cases[i].kind, "s");
    assertRefused(bench, crScene_AddSignal(bench->scene, &def, NULL), cases[i].message);
  }
  crSignalDef def = crDefaultSignalDef(cr_signalFrameSensor, "s");
  def.as.frameSensor.quantity = (crFrameQuantity)99;
  assertRefused(bench, crScene_AddSignal(bench->scene, &def, NULL), "unknown quantity 99");
  def = crDefaultSignalDef(cr_signalFrameSensor, "s");
  def.as.frameSensor.component = (crComponent)99;
  assertRefused(bench, crScene_AddSignal(bench->scene, &def, NULL), "unknown component 99");
  crArgument argument = { .name = "x" };
  def = crDefaultSignalDef(cr_signalFunction, "s");
  def.as.function.arguments = &argument;
  def.as.function.argumentCount = 1;
  assertRefused(bench, crScene_AddSignal(bench->scene, &def, NULL), "s: input 1 has no signal");
}

static void couplings_without_what_they_need_are_refused(void** state)
{
  Bench* bench = *state;
  crCouplingDef def = crDefaultCouplingDef(cr_couplingSum, "c");
  crNamedNumber joint = { NULL, 1.0 };
  def.as.sum.joints = &joint;
  def.as.sum.jointCount = 1;
  assertRefused(bench, crScene_AddCoupling(bench->scene, &def, NULL), "joint 1 of the coupling has no name");
  def = crDefaultCouplingDef(cr_couplingFlexible, "c");
  assertRefused(bench, crScene_AddCoupling(bench->scene, &def, NULL), "jointA is missing");
  assertRefused(bench, crScene_AddCoupling(bench->scene, &def, NULL), "jointB is missing");
  def = crDefaultCouplingDef(cr_couplingMotor, "c");
  assertRefused(bench, crScene_AddCoupling(bench->scene, &def, NULL), "voltage is missing");
  assertRefused(bench, crScene_AddCoupling(bench->scene, &def, NULL), "joint is missing");
  crActionDef action = crDefaultActionDef("a");
  action.direction = (crCrossing)99;
  assertRefused(bench, crScene_AddAction(bench->scene, &action, NULL), "direction is up, down or both");
  action = crDefaultActionDef("a");
  action.contactCount = 2;
  const char* const touching[] = { "ball", NULL };
  action.contact = touching;
  assertRefused(bench, crScene_AddAction(bench->scene, &action, NULL), "a: an object of contact has no name");
}

static crStatus callNothing(void* caller, double t, const double* arguments, double* states, double* outValue)
{
  (void)caller, (void)t, (void)arguments, (void)states;
  *outValue = 0.0;
  return cr_ok;
}

// One that fails and says nothing.
static crStatus failSilently(void* context, const crFunctionSource* source, const crAllocator* allocator,
                             const crErrorSink* sink, void** outCaller)
{
  (void)context, (void)source, (void)allocator, (void)sink;
  *outCaller = NULL;
  return cr_errorModel;
}

static void functions_and_fmus_without_what_they_need_are_refused(void** state)
{
  Bench* bench = *state;
  crNamedNumber number = { NULL, 1.0 };
  crSignalDef def = crDefaultSignalDef(cr_signalFunction, "s");
  def.as.function.code = "return 1";
  def.as.function.function.call = callNothing;
  def.as.function.constants = &number;
  def.as.function.constantCount = 1;
  assertRefused(bench, crScene_AddSignal(bench->scene, &def, NULL), "s: variable 1 of the function has no name");
  def = crDefaultSignalDef(cr_signalFunction, "s");
  def.as.function.code = "return 1";
  def.as.function.function = (crFunction){ .call = callNothing, .create = failSilently };
  assertRefused(bench, crScene_AddSignal(bench->scene, &def, NULL), "s: the function cannot be made");
  crArgument argument = { .name = "x" };
  const char* outputs[] = { NULL };
  def = crDefaultSignalDef(cr_signalFmu, "s");
  def.as.fmu.arguments = &argument;
  def.as.fmu.argumentCount = 1;
  def.as.fmu.constants = &number;
  def.as.fmu.constantCount = 1;
  static const char* const messages[] = { "s: an fmu needs a file and an output",
                                          "s: an fmu needs a function that runs it",
                                          "s: input 1 needs a name and a signal", "s: parameter 1 has no name" };
  for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i) {
    assertRefused(bench, crScene_AddSignal(bench->scene, &def, NULL), messages[i]);
  }
  def.as.fmu.outputs = outputs;
  def.as.fmu.outputCount = 1;
  assertRefused(bench, crScene_AddSignal(bench->scene, &def, NULL), "s: output 1 has no name");
}

static void tables_and_couplings_of_no_kind_are_refused(void** state)
{
  Bench* bench = *state;
  static const double numbers[] = { 0.0, 1.0 };
  crSignalDef def = crDefaultSignalDef(cr_signalTimeTable, "s");
  def.as.timeTable.times = def.as.timeTable.values = numbers;
  def.as.timeTable.timeCount = def.as.timeTable.valueCount = 2;
  def.as.timeTable.interpolation = (crInterpolation)99;
  assertRefused(bench, crScene_AddSignal(bench->scene, &def, NULL), "s: unknown interpolation 99");
  crCouplingDef coupling = crDefaultCouplingDef(cr_couplingFlexible, "c");
  coupling.as.flexible.jointA = "a";
  coupling.as.flexible.jointB = "b";
  coupling.stiffness = 1.0;
  coupling.efficiency = 0.9;
  assertRefused(bench, crScene_AddCoupling(bench->scene, &coupling, NULL),
                "c: a flexible coupling has no efficiency, only pairs have: gearPair, rackPair, belt");
  crShape* shape = NULL;
  crShapeDef field = crDefaultShapeDef(cr_shapeHeightField);
  field.as.heightField.refine = -1;
  crErrorSink sink = crErrorLog_GetSink(bench->log);
  assertRefused(bench, crCreateShape(&field, NULL, &sink, &shape),
                "refine must not be negative\n  found -1, allowed: >= 0");
  assertRefused(bench, crCheckShapeDef(NULL, &sink), "the shape's def is NULL");
}

static void parameters_are_plain_text(void** state)
{
  Bench* bench = *state;
  crParameter parameter = { .name = "speed", .number = 1.0, .min = -HUGE_VAL, .max = HUGE_VAL, .label = "fa\x1bst" };
  crAssemblyDef assembly = crDefaultAssemblyDef("");
  assembly.parameters = &parameter;
  assembly.parameterCount = 1;
  assertRefused(bench, crScene_AddAssembly(bench->scene, &assembly, NULL),
                "the label of the parameter 'speed' is no plain text");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(numbers_that_are_no_kind_are_refused, openBench, closeBench),
    cmocka_unit_test_setup_teardown(laws_out_of_range_are_refused, openBench, closeBench),
    cmocka_unit_test_setup_teardown(options_that_are_none_are_refused, openBench, closeBench),
    cmocka_unit_test_setup_teardown(signals_without_what_they_need_are_refused, openBench, closeBench),
    cmocka_unit_test_setup_teardown(couplings_without_what_they_need_are_refused, openBench, closeBench),
    cmocka_unit_test_setup_teardown(functions_and_fmus_without_what_they_need_are_refused, openBench, closeBench),
    cmocka_unit_test_setup_teardown(tables_and_couplings_of_no_kind_are_refused, openBench, closeBench),
    cmocka_unit_test_setup_teardown(parameters_are_plain_text, openBench, closeBench),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
