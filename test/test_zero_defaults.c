// Defs and options: zero is the default everywhere, sizes are checked, and what a scene holds can be added again.
#include "support/folder.h"
#include "support/log.h"
#include "support/lua.h"
#include "support/record_scenes.h"
#include "support/results.h"

#include "carom/plot.h"
#include "carom/report.h"
#include "carom/run.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------- two beginnings

static void writeNothing(void* context, const char* text, size_t size)
{
  (void)context;
  (void)text;
  (void)size;
}

// The scene that one way of beginning a def leads to. `begin` 0: crDefault...(), 1: zeros and the size.
typedef struct Bench {
  crScene* scene;
  int begin;
} Bench;

static Bench open(int begin)
{
  Bench bench = { .begin = begin };
  assert_int_equal(crCreateScene(NULL, NULL, &bench.scene), cr_ok);
  return bench;
}

// Both texts must be the same, and hold `part`.
static void assertAlike(void (*fill)(Bench*), const char* part)
{
  Bench benches[2] = { open(0), open(1) };
  crTestText texts[2];
  for (int i = 0; i < 2; ++i) {
    fill(&benches[i]);
    texts[i] = crWriteTestText(benches[i].scene);
    assert_non_null(strstr(texts[i].bytes, part));
  }
  assert_string_equal(texts[0].bytes, texts[1].bytes);
  for (int i = 0; i < 2; ++i) {
    crTestText_Free(&texts[i]);
    crDestroyScene(benches[i].scene);
  }
}

static void fillSolidMaterial(Bench* bench)
{
  crSolidMaterialDef zero = { .size = sizeof zero, .name = "M" };
  crSolidMaterialDef def = bench->begin == 0 ? crDefaultSolidMaterialDef("M") : zero;
  def.density = 1000;
  assert_int_equal(crScene_AddSolidMaterial(bench->scene, &def, NULL), cr_ok);
}

static void fillContactPair(Bench* bench)
{
  crContactPairDef zero = { .size = sizeof zero, .materialA = "Steel", .materialB = "Steel" };
  crContactPairDef def = bench->begin == 0 ? crDefaultContactPairDef("Steel", "Steel") : zero;
  assert_int_equal(crScene_AddContactPair(bench->scene, &def, NULL), cr_ok);
}

static void fillVisualMaterial(Bench* bench)
{
  crVisualMaterialDef zero = { .size = sizeof zero, .name = "V" };
  crVisualMaterialDef def = bench->begin == 0 ? crDefaultVisualMaterialDef("V") : zero;
  assert_int_equal(crScene_AddVisualMaterial(bench->scene, &def, NULL), cr_ok);
}

static void fillAssembly(Bench* bench)
{
  crAssemblyDef zero = { .size = sizeof zero, .name = "group" };
  crAssemblyDef def = bench->begin == 0 ? crDefaultAssemblyDef("group") : zero;
  assert_int_equal(crScene_AddAssembly(bench->scene, &def, NULL), cr_ok);
}

static void fillExclusion(Bench* bench)
{
  crExclusionDef zero = { .size = sizeof zero, .objectA = "a", .objectB = "b" };
  crExclusionDef def = bench->begin == 0 ? crDefaultExclusionDef("a", "b") : zero;
  assert_int_equal(crScene_AddExclusion(bench->scene, &def, NULL), cr_ok);
}

static void fillOptions(Bench* bench)
{
  crSceneOptions zero = { .size = sizeof zero };
  crSceneOptions options = bench->begin == 0 ? crDefaultSceneOptions() : zero;
  options.run.stopTime = 3; // something to write
  assert_int_equal(crScene_SetOptions(bench->scene, &options), cr_ok);
}

// An object with a feature of every kind.
static void fillObject(Bench* bench)
{
  crFeatureDef features[cr_featureKindCount];
  for (int kind = 0; kind < cr_featureKindCount; ++kind) {
    crFeatureDef zero = { .size = sizeof zero, .kind = (crFeatureKind)kind };
    features[kind] = bench->begin == 0 ? crDefaultFeatureDef((crFeatureKind)kind) : zero;
  }
  crShapeDef zeroBox = { .size = sizeof zeroBox, .kind = cr_shapeBox };
  crShapeDef zeroBeam = { .size = sizeof zeroBeam, .kind = cr_shapeBeam };
  crShapeDef box = bench->begin == 0 ? crDefaultShapeDef(cr_shapeBox) : zeroBox;
  crShapeDef beam = bench->begin == 0 ? crDefaultShapeDef(cr_shapeBeam) : zeroBeam;
  box.as.box.size = crMakeVec3(1, 2, 3);
  beam.as.beam.length = beam.as.beam.width = beam.as.beam.height = 1;
  features[cr_featureSolid].as.solid.shape = box;
  features[cr_featureVisual].as.visual.shape = beam;
  features[cr_featureMass].as.mass.mass = 1;
  crObjectDef zero = { .size = sizeof zero, .name = "o" };
  crObjectDef def = bench->begin == 0 ? crDefaultObjectDef("o") : zero;
  def.features = features;
  def.featureCount = cr_featureKindCount;
  assert_int_equal(crScene_AddObject(bench->scene, &def, NULL), cr_ok);
}

static void fillJoints(Bench* bench)
{
  for (int kind = 0; kind < cr_jointKindCount; ++kind) {
    char name[16];
    snprintf(name, sizeof name, "j%d", kind);
    crJointDef zero = { .size = sizeof zero, .name = name, .kind = (crJointKind)kind, .objectA = "a", .objectB = "b" };
    crJointDef def = bench->begin == 0 ? crDefaultJointDef((crJointKind)kind, name, "a", "b") : zero;
    assert_int_equal(crScene_AddJoint(bench->scene, &def, NULL), cr_ok);
  }
}

static void fillForces(Bench* bench)
{
  for (int kind = 0; kind < cr_forceKindCount; ++kind) {
    char name[16];
    snprintf(name, sizeof name, "f%d", kind);
    crForceDef zero = { .size = sizeof zero, .name = name, .kind = (crForceKind)kind, .objectA = "a", .objectB = "b" };
    crForceDef def = bench->begin == 0 ? crDefaultForceDef((crForceKind)kind, name, "a", "b") : zero;
    if (kind == cr_forceCable) { // which have no default
      def.as.cable.length = def.as.cable.stiffness = 1.0;
    }
    assert_int_equal(crScene_AddForce(bench->scene, &def, NULL), cr_ok);
  }
}

// What has no default is given; the kinds are those that have a default other than 0, or none that is needed.
static void fillSignals(Bench* bench)
{
  static const crSignalKind kinds[] = { cr_signalConstant,
                                        cr_signalSine,
                                        cr_signalStep,
                                        cr_signalTrapezoid,
                                        cr_signalLimit,
                                        cr_signalFrameSensor,
                                        cr_signalJointSensor,
                                        cr_signalReactionSensor,
                                        cr_signalSubtreeSensor,
                                        cr_signalContactSensor,
                                        cr_signalInput,
                                        cr_signalOutput,
                                        cr_signalPid };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    const char* name = crSignalKind_GetText(kinds[i]);
    crSignalDef zero = { .size = sizeof zero, .name = name, .kind = kinds[i] };
    crSignalDef def = bench->begin == 0 ? crDefaultSignalDef(kinds[i], name) : zero;
    switch (kinds[i]) {
      case cr_signalLimit: def.as.limit.input = "sine"; break;
      case cr_signalFrameSensor: def.as.frameSensor.objectA = def.as.frameSensor.objectB = "a"; break;
      case cr_signalJointSensor: def.as.jointSensor.joint = "j"; break;
      case cr_signalReactionSensor: def.as.reactionSensor.joint = "j"; break;
      case cr_signalSubtreeSensor: def.as.subtreeSensor.object = "a"; break;
      case cr_signalContactSensor: def.as.contactSensor.object = "a"; break;
      case cr_signalOutput: def.as.output.signal = "sine"; break;
      case cr_signalPid:
        def.as.pid.input = def.as.pid.reference = "sine";
        def.as.pid.period = 1;
        break;
      default: break;
    }
    assert_int_equal(crScene_AddSignal(bench->scene, &def, NULL), cr_ok);
  }
}

static void zeros_and_defaults_make_the_same_solid_material(void** state)
{
  (void)state;
  assertAlike(fillSolidMaterial, "{\"name\": \"M\", \"density\": 1000}");
}

static void zeros_and_defaults_make_the_same_contact_pair(void** state)
{
  (void)state;
  assertAlike(fillContactPair,
              "{\"materialA\": \"Steel\", \"materialB\": \"Steel\", \"cor\": 0, \"muK\": 0, \"muR\": 0}");
}

static void zeros_and_defaults_make_the_same_visual_material(void** state)
{
  (void)state;
  assertAlike(fillVisualMaterial, "{\"name\": \"V\"}");
}

static void zeros_and_defaults_make_the_same_assembly(void** state)
{
  (void)state;
  assertAlike(fillAssembly, "{\"name\": \"group\"}");
}

static void zeros_and_defaults_make_the_same_exclusion(void** state)
{
  (void)state;
  assertAlike(fillExclusion, "{\"objectA\": \"a\", \"objectB\": \"b\"}");
}

static void zeros_and_defaults_make_the_same_options(void** state)
{
  (void)state;
  assertAlike(fillOptions, "\"scene\": {\"stopTime\": 3}");
}

static void zeros_and_defaults_make_the_same_object_and_features(void** state)
{
  (void)state;
  assertAlike(fillObject, "{\"type\": \"mass\", \"mass\": 1}, {\"type\": \"light\"}, {\"type\": \"camera\"}");
}

static void zeros_and_defaults_make_the_same_joints(void** state)
{
  (void)state;
  assertAlike(fillJoints, "{\"type\": \"freeMotion\", \"name\": \"j8\", \"objectA\": \"a\", \"objectB\": \"b\"}");
}

static void zeros_and_defaults_make_the_same_forces(void** state)
{
  (void)state;
  assertAlike(fillForces, "{\"type\": \"bushing\", \"name\": \"f1\", \"objectA\": \"a\", \"objectB\": \"b\"}");
}

static void zeros_and_defaults_make_the_same_signals(void** state)
{
  (void)state;
  assertAlike(fillSignals, "{\"type\": \"limit\", \"name\": \"limit\", \"input\": \"sine\"}");
}

// ---------------------------------------------------------------------------------- what zero stands for

static void what_is_zero_is_filled_in(void** state)
{
  (void)state;
  Bench bench = open(1);
  fillJoints(&bench);
  fillObject(&bench);
  fillVisualMaterial(&bench);
  const crJointDef* revolute = crScene_GetJoint(bench.scene, crScene_Find(bench.scene, "j1"));
  assert_true(revolute->axis.z == 1.0 && revolute->nominal[0] == 1.0 && revolute->law.gearRatio[0] == 1.0);
  assert_true(revolute->law.frictionRate[0] == CR_FRICTION_RATE && revolute->law.stopMin[0] == -CR_NO_STOP);
  assert_int_equal(revolute->collision, cr_collisionByKind);
  const crJointDef* body = crScene_GetJoint(bench.scene, crScene_Find(bench.scene, "j8"));
  assert_true(body->start[3] == 1.0);
  assert_int_equal(body->collision, cr_collisionAllowed);
  const crObjectDef* object = crScene_GetObject(bench.scene, crScene_Find(bench.scene, "o"));
  assert_true(object->rotation.w == 1.0 && object->features[cr_featureSolid].as.solid.group == 1);
  assert_true(object->features[cr_featureVisual].as.visual.shape.axis.x == 1.0);
  assert_true(object->features[cr_featureLight].as.light.intensity == 1.0);
  assert_true(object->features[cr_featureCamera].as.camera.fieldOfView == 0.8);
  const crVisualMaterialDef* look =
      crScene_GetVisualMaterial(bench.scene, crScene_FindVisualMaterial(bench.scene, "V"));
  assert_true(look->color.a == 1.0 && look->shininess == 0.5);
  const crSceneOptions* options = crScene_GetOptions(bench.scene);
  assert_int_equal(options->gravity.kind, cr_gravityUniform);
  assert_true(options->gravity.acceleration.z == -9.81 && options->kRed == 1.0 && options->hysteresis == 1e-8);
  assert_int_equal(options->response, cr_responseElastic);
  crDestroyScene(bench.scene);
}

// Earth's gravity has an acceleration already: who gives one must say that it is uniform.
static void gravity_of_the_wrong_kind_is_refused(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  assert_int_equal(crCreateScene(NULL, &sink, &scene), cr_ok);
  crSceneOptions options = crDefaultSceneOptions();
  options.gravity.acceleration.z = -1.62;
  assert_int_equal(crScene_SetOptions(scene, &options), cr_errorModel);
  assert_message(log, cr_severityError, "gravity of the kind earth has an acceleration of its own");
  options.gravity.kind = cr_gravityUniform;
  assert_int_equal(crScene_SetOptions(scene, &options), cr_ok);
  crJointDef joint = crDefaultJointDef(cr_jointRevolute, "j", "a", "b");
  joint.collision = (crJointCollision)7;
  assert_int_equal(crScene_AddJoint(scene, &joint, NULL), cr_errorModel);
  assert_message(log, cr_severityError, "j: unknown collision 7");
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

// Whoever writes a zero means one.
static void zeros_in_text_are_refused_or_kept(void** state)
{
  (void)state;
  assert_reads("object('o', { solid{ shape = sphere{ radius = 1 }, mass = 0 } })", cr_errorModel,
               "o: solid1.mass must be positive\n  found 0 kg, allowed: > 0 kg");
  assert_reads("object('o', { solid{ shape = sphere{ radius = 1 }, group = 0 } })", cr_errorModel,
               "o: solid1.group must be positive");
  assert_reads("object('o', { rotation = { 0, 0, 0, 0 } })", cr_errorModel,
               "o: rotation is not a quaternion of finite, non-zero length");
  assert_reads("object('o', { visual{ shape = box{ size = { 1, 1, 1 }, axis = { 0, 0, 0 } } } })", cr_errorModel,
               "axis has no direction");
  assert_reads("revolute('j', 'a', 'b', { axis = { 0, 0, 0 } })", cr_errorModel, "j: axis has no direction");
  assert_reads("revolute('j', 'a', 'b', { nominal = 0 })", cr_errorModel, "j: nominal must be positive");
  assert_reads("planar('j', 'a', 'b', { nominal = { 1, 0, 1 } })", cr_errorModel, "j: nominal must be positive");
  assert_reads("spherical('j', 'a', 'b', { start = { 0, 0, 0, 0 } })", cr_errorModel,
               "j: the start orientation has no length");
  assert_reads("revolute('j', 'a', 'b', { stopMin = 0, stopMax = 0, stopStiffness = 1 })", cr_errorModel,
               "j: stopMin is not below stopMax");
  assert_reads("constant('c', 1)\nlimit('l', { input = 'c', min = 0, max = 0 })", cr_errorModel,
               "l: min is not below max");
  assert_reads("constant('c', 1)\npid('p', { input = 'c', reference = 'c', period = 1, gain = 1, min = 0, max = 0 })",
               cr_errorModel, "p: min is not below max");
  assert_reads("scene{ stopTime = 0 }", cr_errorModel, "stopTime must be positive");
  crTestModel model =
      crTestModel_ReadGood("scene{ gravity = { 0, 0, 0 } }\n"
                           "visualMaterial('ghost', { color = { 0, 0, 0, 0 }, shininess = 0 })\n"
                           "object('o', { light{ intensity = 0 },\n"
                           "  solid{ shape = box{ size = { 1, 1, 1 }, rounding = 0 }, mask = 0 } })\n"
                           "revolute('j', 'o', 'o2', { gearRatio = 0, stopMin = 0, stopStiffness = 1 })");
  const crShape* shape = crScene_GetShape(model.scene, crScene_Find(model.scene, "o"), 1);
  assert_true(crShape_GetRounding(shape) == 0.0);
  assert_true(crScene_GetJoint(model.scene, crScene_Find(model.scene, "j"))->law.stopMax[0] == CR_NO_STOP);
  crTestText text = crWriteTestText(model.scene);
  assert_non_null(strstr(text.bytes, "\"gravity\": [0, 0, 0]"));
  assert_non_null(strstr(text.bytes, "\"color\": [0, 0, 0, 0], \"shininess\": 0"));
  assert_non_null(strstr(text.bytes, "\"intensity\": 0"));
  assert_non_null(strstr(text.bytes, "\"rounding\": 0"));
  assert_non_null(strstr(text.bytes, "\"mask\": 0"));
  assert_non_null(strstr(text.bytes, "\"stopMin\": 0, \"stopStiffness\": 1, \"gearRatio\": 0"));
  crTestText_Free(&text);
  crTestModel_Free(&model);
}

// ------------------------------------------------------------------------------------------------ sizes

#define REFUSE_SIZE(call, Type)                                                                                        \
  do {                                                                                                                 \
    crErrorLog_Clear(log);                                                                                             \
    assert_int_equal(call, cr_errorMisuse);                                                                            \
    assert_message(log, cr_severityError, #Type " has an unknown size\n  found 1 bytes, allowed: ");                   \
    assert_int_equal(crErrorLog_Count(log), 1);                                                                        \
  } while (0)

#define REFUSE_DEF(Element, Type) REFUSE_SIZE(crScene_Add##Element(scene, &(Type){ .size = 1 }, NULL), Type)

static void unknown_sizes_of_defs_are_refused_by_name(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  assert_int_equal(crCreateScene(NULL, &sink, &scene), cr_ok);
  REFUSE_DEF(Assembly, crAssemblyDef);
  REFUSE_DEF(Object, crObjectDef);
  REFUSE_DEF(Joint, crJointDef);
  REFUSE_DEF(Force, crForceDef);
  REFUSE_DEF(Coupling, crCouplingDef);
  REFUSE_DEF(Signal, crSignalDef);
  REFUSE_DEF(SolidMaterial, crSolidMaterialDef);
  REFUSE_DEF(ContactPair, crContactPairDef);
  REFUSE_DEF(VisualMaterial, crVisualMaterialDef);
  REFUSE_DEF(Exclusion, crExclusionDef);
  REFUSE_SIZE(crScene_SetOptions(scene, &(crSceneOptions){ .size = 1 }), crSceneOptions);
  crFeatureDef feature = { .size = 1 };
  crObjectDef object = crDefaultObjectDef("o");
  object.features = &feature;
  object.featureCount = 1;
  REFUSE_SIZE(crScene_AddObject(scene, &object, NULL), crFeatureDef);
  feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape.size = 1;
  REFUSE_SIZE(crScene_AddObject(scene, &object, NULL), crShapeDef);
  feature = crDefaultFeatureDef(cr_featureVisual);
  feature.as.visual.shape.size = 1;
  REFUSE_SIZE(crScene_AddObject(scene, &object, NULL), crShapeDef);
  assert_int_equal(crScene_CountErrors(scene), 0);
  assert_int_equal(crScene_Count(scene, cr_elementObject), 0);
  crShape* shape = NULL;
  crMesh* mesh = NULL;
  REFUSE_SIZE(crCreateShape(&(crShapeDef){ .size = 1 }, NULL, &sink, &shape), crShapeDef);
  REFUSE_SIZE(crCheckShapeDef(&(crShapeDef){ .size = 1 }, &sink), crShapeDef);
  REFUSE_SIZE(crCreateMesh(&(crMeshDef){ .size = 1 }, NULL, &sink, &mesh), crMeshDef);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void unknown_sizes_of_options_are_refused_by_name(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  const crReadOptions read = { .size = 1 };
  REFUSE_SIZE(crReadLua("", 0, "m", NULL, &read, NULL, &sink, &scene), crReadOptions);
  REFUSE_SIZE(crReadJson("{}", 2, "m", NULL, &read, NULL, &sink, &scene), crReadOptions);
  REFUSE_SIZE(crReadModel("m.lua", &read, NULL, &sink, &scene), crReadOptions);
  crWriteTestResult(crTestPath("sizes.h5"), 3, 5);
  crResult* result = crReadTestResult(crTestPath("sizes.h5"));
  const int columns[] = { 0 };
  crTextWriter writer = { writeNothing, NULL };
  const crPlotOptions plot = { .size = 1 };
  REFUSE_SIZE(crPlotResult(result, columns, 1, &plot, "x.svg", NULL, &sink), crPlotOptions);
  REFUSE_SIZE(crPlotText(result, columns, 1, &plot, NULL, &sink, writer), crPlotOptions);
  REFUSE_SIZE(crWriteReport(result, "x.html", &(crReportOptions){ .size = 1 }, NULL, &sink, NULL), crReportOptions);
  REFUSE_SIZE(crWritePng(result, "x.png", &(crPhotoOptions){ .size = 1 }, NULL, &sink), crPhotoOptions);
  REFUSE_SIZE(crWriteVideo(result, "x.mp4", &(crPhotoOptions){ .size = 1 }, NULL, &sink), crPhotoOptions);
  crDestroyResult(result);
  crDestroyErrorLog(log);
}

static void unknown_sizes_of_options_of_runs_are_refused_by_name(void** state)
{
  (void)state;
  crTestModel test = crTestModel_ReadGood(
      "world('w')\nobject('o', { parent = 'w', free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })");
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crModel* model = NULL;
  crSimulation *simulation = NULL, *loaded = NULL;
  crResultWriter* writer = NULL;
  crRunEnd end;
  const crSimulationOptions odd = { .size = 1, .stopTime = 1.0 };
  const crRecordSink records = { .context = NULL };
  assert_int_equal(crCompile(test.scene, NULL, NULL, &sink, &model), cr_ok);
  assert_int_equal(crCreateSimulation(model, NULL, NULL, &sink, &simulation), cr_ok);
  REFUSE_SIZE(crCreateSimulation(model, &odd, NULL, &sink, &loaded), crSimulationOptions);
  assert_true(crModel_ChooseOptions(model, &odd).stopTime == 0.0);
  assert_true(crModel_ChooseOptions(NULL, NULL).stopTime == 0.0);
  REFUSE_SIZE(crSimulation_Record(simulation, &(crRecordOptions){ .size = 1 }, &records, &end), crRecordOptions);
  REFUSE_SIZE(crLoadSimulation(model, "", 0, &(crLoadOptions){ .size = 1 }, NULL, &sink, &loaded), crLoadOptions);
  REFUSE_SIZE(crRunModel(&(crRunDef){ .size = 1 }, NULL, &sink, NULL), crRunDef);
  REFUSE_SIZE(crResumeRun("x.run", &(crResumeOptions){ .size = 1 }, NULL, &sink, NULL), crResumeOptions);
  REFUSE_SIZE(crCreateResultWriter(&(crResultDef){ .size = 1 }, NULL, &sink, &writer), crResultDef);
  REFUSE_SIZE(crReopenResultWriter(&(crResultDef){ .size = 1 }, &(crResultPlace){ 0 }, NULL, &sink, &writer),
              crResultDef);
  crRunDef def = crDefaultRunDef("x.lua");
  def.checkpointSeconds = -1.0;
  assert_int_equal(crRunModel(&def, NULL, &sink, NULL), cr_errorMisuse);
  crResumeOptions resume = crDefaultResumeOptions();
  resume.checkpointSeconds = -1.0;
  assert_int_equal(crResumeRun("x.run", &resume, NULL, &sink, NULL), cr_errorMisuse);
  assert_int_equal(crDefaultRecordOptions().size, sizeof(crRecordOptions));
  assert_int_equal(crDefaultLoadOptions().size, sizeof(crLoadOptions));
  assert_string_equal(crDefaultResultDef("r.h5").path, "r.h5");
  crDestroySimulation(simulation);
  crDestroyModel(model);
  crDestroyErrorLog(log);
  crTestModel_Free(&test);
}

// -------------------------------------------------------------------------------------------- again

#define COPY(Element)                                                                                                  \
  for (int k = 0; k < crScene_Count(scene, cr_element##Element); ++k) {                                                \
    crId id = crScene_GetId(scene, cr_element##Element, k);                                                            \
    if (!crScene_IsPalette(scene, id)) {                                                                               \
      assert_int_equal(crScene_Add##Element(copy, crScene_Get##Element(scene, id), NULL), cr_ok);                      \
    }                                                                                                                  \
  }

static void what_a_scene_holds_can_be_added_again(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(31);
  for (int i = 0; i < 8; ++i) {
    crScene *scene = NULL, *copy = NULL;
    assert_int_equal(crCreateScene(NULL, NULL, &scene), cr_ok);
    assert_int_equal(crCreateScene(NULL, NULL, &copy), cr_ok);
    crFillTestScene(scene, &random, 2, i / 7.0, CAROM_ROOT "/test/data/tetrahedron.stl");
    assert_int_equal(crScene_SetOptions(copy, crScene_GetOptions(scene)), cr_ok);
    COPY(SolidMaterial)
    COPY(ContactPair)
    COPY(VisualMaterial)
    COPY(Assembly)
    COPY(Object)
    COPY(Joint)
    COPY(Force)
    COPY(Coupling)
    COPY(Signal)
    COPY(Exclusion)
    crTestText first = crWriteTestText(scene), second = crWriteTestText(copy);
    assert_string_equal(first.bytes, second.bytes);
    crTestText_Free(&first);
    crTestText_Free(&second);
    crDestroyScene(copy);
    crDestroyScene(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(zeros_and_defaults_make_the_same_solid_material),
    cmocka_unit_test(zeros_and_defaults_make_the_same_contact_pair),
    cmocka_unit_test(zeros_and_defaults_make_the_same_visual_material),
    cmocka_unit_test(zeros_and_defaults_make_the_same_assembly),
    cmocka_unit_test(zeros_and_defaults_make_the_same_exclusion),
    cmocka_unit_test(zeros_and_defaults_make_the_same_options),
    cmocka_unit_test(zeros_and_defaults_make_the_same_object_and_features),
    cmocka_unit_test(zeros_and_defaults_make_the_same_joints),
    cmocka_unit_test(zeros_and_defaults_make_the_same_forces),
    cmocka_unit_test(zeros_and_defaults_make_the_same_signals),
    cmocka_unit_test(what_is_zero_is_filled_in),
    cmocka_unit_test(gravity_of_the_wrong_kind_is_refused),
    cmocka_unit_test(zeros_in_text_are_refused_or_kept),
    cmocka_unit_test(unknown_sizes_of_defs_are_refused_by_name),
    cmocka_unit_test(unknown_sizes_of_options_are_refused_by_name),
    cmocka_unit_test(unknown_sizes_of_options_of_runs_are_refused_by_name),
    cmocka_unit_test(what_a_scene_holds_can_be_added_again),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
