// The scene: palettes, what may be added, what is refused and how that is said.
#include "carom/scene.h"
#include "scene/scene.h"
#include "support/log.h"

#include <string.h>

typedef struct Bench {
  crErrorLog* log;
  crScene* scene;
} Bench;

static Bench makeBench(void)
{
  Bench bench = { crCreateErrorLog(NULL), NULL };
  crErrorSink sink = crErrorLog_GetSink(bench.log);
  assert_int_equal(crCreateScene(NULL, &sink, &bench.scene), cr_ok);
  return bench;
}

static void freeBench(Bench* bench)
{
  crDestroyScene(bench->scene);
  crDestroyErrorLog(bench->log);
}

static crFeatureDef makeBall(double radius)
{
  crFeatureDef feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape = crDefaultShapeDef(cr_shapeSphere);
  feature.as.solid.shape.as.sphere.radius = radius;
  feature.as.solid.material = "Steel";
  return feature;
}

static void palettes_hold_the_standard_materials(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crScene* scene = bench.scene;
  const struct {
    const char* name;
    double density, E, nu;
  } solids[] = { { "Steel", 8000, 2.0e11, 0.30 },        { "Aluminium", 2700, 6.9e10, 0.32 },
                 { "DryWood", 700, 1.1e10, 0.40 },       { "BilliardBall", 1768, 5.4e9, 0.34 },
                 { "BilliardTable", 700, 1.1e10, 0.40 }, { "BilliardCushion", 700, 1.1e10, 0.40 },
                 { "BilliardCue", 700, 1.1e10, 0.40 } };
  assert_int_equal(crScene_Count(scene, cr_elementSolidMaterial), 7);
  for (int i = 0; i < 7; ++i) {
    crId id = crScene_FindSolidMaterial(scene, solids[i].name);
    const crSolidMaterialDef* def = crScene_GetSolidMaterial(scene, id);
    assert_true(def->density == solids[i].density && def->E == solids[i].E && def->nu == solids[i].nu);
    assert_true(crScene_IsPalette(scene, id));
  }
  const crContactPairDef* pair = crScene_GetContactPair(scene, crScene_FindContactPair(scene, "DryWood", "Steel"));
  assert_true(pair->cor == 0.7 && pair->muK == 0.4 && pair->muR == 0.001);
  pair = crScene_GetContactPair(scene, crScene_FindContactPair(scene, "BilliardTable", "BilliardBall"));
  assert_true(pair->cor == 0.0 && pair->muK == 0.6 && pair->muR == 0.02);
  assert_int_equal(crScene_Count(scene, cr_elementContactPair), 7);
  assert_true(crIsNull(crScene_FindContactPair(scene, "Steel", "Aluminium")));
  freeBench(&bench);
}

static void a_model_overrides_the_palette_once(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crSolidMaterialDef steel = {
    .size = sizeof(crSolidMaterialDef), .name = "Steel", .density = 7850, .E = 2.1e11, .nu = 0.3
  };
  crId id;
  assert_int_equal(crScene_AddSolidMaterial(bench.scene, &steel, &id), cr_ok);
  assert_int_equal(crScene_Count(bench.scene, cr_elementSolidMaterial), 7);
  assert_true(crScene_GetSolidMaterial(bench.scene, id)->density == 7850);
  assert_false(crScene_IsPalette(bench.scene, id));
  assert_int_equal(crScene_AddSolidMaterial(bench.scene, &steel, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, "Steel: a solid material of this name exists already");
  crContactPairDef pair = crDefaultContactPairDef("DryWood", "Steel");
  pair.cor = 0.5;
  pair.muK = 0.1;
  pair.muR = 0;
  assert_int_equal(crScene_AddContactPair(bench.scene, &pair, NULL), cr_ok);
  assert_int_equal(crScene_Count(bench.scene, cr_elementContactPair), 7);
  pair.materialA = "Steel";
  pair.materialB = "DryWood";
  assert_int_equal(crScene_AddContactPair(bench.scene, &pair, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, "DryWood/Steel: this contact pair exists already");
  freeBench(&bench);
}

static void what_is_added_is_copied_and_found(void** state)
{
  (void)state;
  Bench bench = makeBench();
  char name[] = "ball", parent[] = "world", file[] = "m.lua";
  crFeatureDef features[2] = { makeBall(0.1), crDefaultFeatureDef(cr_featureCamera) };
  crObjectDef def = crDefaultObjectDef(name);
  def.parent = parent;
  def.source = (crSource){ file, 7, 0 };
  def.features = features;
  def.featureCount = 2;
  def.rotation = (crQuat){ 0, 0, 2, 0 };
  crId id;
  assert_int_equal(crScene_AddObject(bench.scene, &def, &id), cr_ok);
  memset(name, 'x', 4);
  memset(parent, 'x', 5);
  memset(file, 'x', 5);
  memset(features, 0, sizeof features);
  const crObjectDef* own = crScene_GetObject(bench.scene, id);
  assert_string_equal(own->name, "ball");
  assert_string_equal(own->parent, "world");
  assert_string_equal(own->source.file, "m.lua");
  assert_string_equal(own->features[0].as.solid.material, "Steel");
  assert_true(own->rotation.y == 1.0);
  assert_true(crIdsEqual(crScene_Find(bench.scene, "ball"), id));
  assert_true(crIsNull(crScene_Find(bench.scene, "nobody")));
  crInertia inertia;
  assert_int_equal(crScene_ComputeFeatureInertia(bench.scene, id, 0, &inertia), cr_ok);
  assert_close(inertia.mass, 8000 * 4.0 / 3.0 * CR_PI * 1e-3, 1e-12);
  assert_int_equal(crScene_ComputeFeatureInertia(bench.scene, id, 1, &inertia), cr_ok);
  assert_true(inertia.mass == 0.0);
  assert_int_equal(crScene_ComputeFeatureInertia(bench.scene, id, 2, &inertia), cr_errorMisuse);
  assert_no_messages(bench.log);
  freeBench(&bench);
}

static void a_given_mass_replaces_the_density(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crFeatureDef feature = makeBall(0.03);
  feature.as.solid.mass = 0.2;
  crObjectDef def = crDefaultObjectDef("ball");
  def.features = &feature;
  def.featureCount = 1;
  crId id;
  assert_int_equal(crScene_AddObject(bench.scene, &def, &id), cr_ok);
  crInertia inertia;
  crScene_ComputeFeatureInertia(bench.scene, id, 0, &inertia);
  assert_close(inertia.mass, 0.2, 1e-16);
  assert_close(inertia.I_com.xx, 0.4 * 0.2 * 0.03 * 0.03, 1e-18);
  freeBench(&bench);
}

static void ids_of_another_scene_or_kind_name_nothing(void** state)
{
  (void)state;
  Bench one = makeBench(), two = makeBench();
  crObjectDef def = crDefaultObjectDef("a");
  crId id;
  crScene_AddObject(one.scene, &def, &id);
  crScene_AddObject(two.scene, &def, NULL);
  assert_non_null(crScene_GetObject(one.scene, id));
  assert_null(crScene_GetObject(two.scene, id));
  assert_null(crScene_GetJoint(one.scene, id));
  assert_null(crScene_GetObject(one.scene, (crId){ 0 }));
  id.index1 = 2;
  assert_null(crScene_GetObject(one.scene, id));
  assert_int_equal(crScene_AddObject(NULL, &def, NULL), cr_errorMisuse);
  assert_int_equal(crScene_AddObject(one.scene, NULL, NULL), cr_errorMisuse);
  freeBench(&one);
  freeBench(&two);
}

// ---------------------------------------------------------------------------------------- bad input

static void refuseObject(void (*spoil)(crObjectDef*, crFeatureDef*), const char* message)
{
  Bench bench = makeBench();
  crFeatureDef feature = makeBall(0.1);
  crObjectDef def = crDefaultObjectDef("robot.ball");
  def.source = (crSource){ "m.lua", 7, 0 };
  def.features = &feature;
  def.featureCount = 1;
  spoil(&def, &feature);
  assert_int_equal(crScene_AddObject(bench.scene, &def, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, message);
  assert_message(bench.log, cr_severityError, "m.lua:7: error: ");
  assert_int_equal(crScene_Count(bench.scene, cr_elementObject), 0);
  assert_true(crScene_CountErrors(bench.scene) > 0);
  freeBench(&bench);
}

#define SPOILER(name, code)                                                                                            \
  static void name(crObjectDef* def, crFeatureDef* feature)                                                            \
  {                                                                                                                    \
    (void)def;                                                                                                         \
    (void)feature;                                                                                                     \
    code;                                                                                                              \
  }

SPOILER(noName, def->name = NULL)
SPOILER(emptyName, def->name = "a..b")
SPOILER(badUtf8, def->name = "a\xff")
SPOILER(controlName, def->name = "a\x1b[2J")
SPOILER(spaceName, def->name = "a. b")
SPOILER(nanPosition, def->position.y = NAN)
SPOILER(infinitePosition, def->position.z = INFINITY)
SPOILER(tinyRotation, def->rotation = ((crQuat){ 0, 1e-200, 0, 0 }))
SPOILER(rigidVelocity, def->velocity.x = 1)
SPOILER(worldParent, (def->mobility = cr_mobilityWorld, def->parent = "x"))
SPOILER(worldMoved, (def->mobility = cr_mobilityWorld, def->position.x = 1))
SPOILER(negativeRadius, feature->as.solid.shape.as.sphere.radius = -1)
SPOILER(zeroRadius, feature->as.solid.shape.as.sphere.radius = 0)
SPOILER(negativeMass, feature->as.solid.mass = -1)
SPOILER(massiveHalfSpace, feature->as.solid.shape = crDefaultShapeDef(cr_shapeHalfSpace))
SPOILER(drawnSolid, (feature->as.solid.shape = crDefaultShapeDef(cr_shapeGrid)))
SPOILER(impossibleInertia, (*feature = crDefaultFeatureDef(cr_featureMass), feature->as.mass.mass = 1,
                            feature->as.mass.inertia = crDiagonalSym3(1, 1, 3)))
SPOILER(negativeInertia, (*feature = crDefaultFeatureDef(cr_featureMass), feature->as.mass.mass = 1,
                          feature->as.mass.inertia = ((crSym3){ 1, 1, 1, 2, 0, 0 })))
SPOILER(noMass, *feature = crDefaultFeatureDef(cr_featureMass))
SPOILER(wideCamera, (*feature = crDefaultFeatureDef(cr_featureCamera), feature->as.camera.fieldOfView = 4))
SPOILER(brightLight, (*feature = crDefaultFeatureDef(cr_featureLight), feature->as.light.color.g = 255))

static void bad_objects_are_refused_with_an_address(void** state)
{
  (void)state;
  refuseObject(noName, "an object's name is missing");
  refuseObject(emptyName, "an object's name has an empty part");
  refuseObject(badUtf8, "an object's name is not valid UTF-8\n  found 'a?'");
  refuseObject(controlName, "holds a control character\n  found 'a?[2J'");
  refuseObject(spaceName, "begins or ends with a space");
  refuseObject(nanPosition, "robot.ball: position.y must be finite\n  found nan, allowed: any finite number");
  refuseObject(infinitePosition, "robot.ball: position.z must be finite");
  refuseObject(tinyRotation, "rotation is not a quaternion of finite, non-zero length");
  refuseObject(rigidVelocity, "only a free object has a start velocity of its own");
  refuseObject(worldParent, "the world cannot have a parent");
  refuseObject(worldMoved, "the world cannot be moved");
  refuseObject(negativeRadius, "robot.ball.solid1: radius must be positive\n  found -1 m, allowed: > 0 m");
  refuseObject(zeroRadius, "robot.ball.solid1: radius must be positive");
  refuseObject(negativeMass, "mass must be positive\n  found -1 kg");
  refuseObject(massiveHalfSpace, "a half-space has no finite mass");
  refuseObject(drawnSolid, "a grid is only for pictures");
  refuseObject(impossibleInertia, "no rigid body has this inertia\n  found principal moments 1, 1, 3");
  refuseObject(negativeInertia, "no rigid body has this inertia");
  refuseObject(noMass, "mass must be positive");
  refuseObject(wideCamera, "fieldOfView is out of range");
  refuseObject(brightLight, "color.g is out of range");
}

static void all_faults_of_an_element_are_reported_in_one_go(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crFeatureDef features[2] = { makeBall(-1), makeBall(-2) };
  crObjectDef def = crDefaultObjectDef("ball");
  def.position.x = NAN;
  def.velocity.x = 3;
  def.features = features;
  def.featureCount = 2;
  assert_int_equal(crScene_AddObject(bench.scene, &def, NULL), cr_errorModel);
  assert_int_equal(crErrorLog_CountOf(bench.log, cr_severityError), 4);
  assert_int_equal(crScene_CountErrors(bench.scene), 4);
  assert_true(crScene_IsFailedName(bench.scene, "ball"));
  assert_false(crScene_IsFailedName(bench.scene, "bal"));
  freeBench(&bench);
}

static void names_are_unique_over_all_elements(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crObjectDef def = crDefaultObjectDef("x");
  assert_int_equal(crScene_AddObject(bench.scene, &def, NULL), cr_ok);
  assert_int_equal(crScene_AddObject(bench.scene, &def, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, "x: the name is taken already by an object");
  crJointDef joint = crDefaultJointDef(cr_jointRevolute, "x", "a", "b");
  assert_int_equal(crScene_AddJoint(bench.scene, &joint, NULL), cr_errorModel);
  crForceDef force = crDefaultForceDef(cr_forceSpringDamper, "x", "a", "b");
  assert_int_equal(crScene_AddForce(bench.scene, &force, NULL), cr_errorModel);
  crAssemblyDef assembly = crDefaultAssemblyDef("x");
  assert_int_equal(crScene_AddAssembly(bench.scene, &assembly, NULL), cr_errorModel);
  assert_int_equal(crErrorLog_CountOf(bench.log, cr_severityError), 4);
  freeBench(&bench);
}

static void bad_connections_and_materials_are_refused(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crJointDef joint = crDefaultJointDef(cr_jointRevolute, "j", "a", NULL);
  joint.axis = crMakeVec3(0, 0, NAN);
  joint.start[0] = INFINITY;
  joint.nominal[0] = -1;
  assert_int_equal(crScene_AddJoint(bench.scene, &joint, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, "j: the second object is missing");
  assert_message(bench.log, cr_severityError, "j: axis has no direction");
  assert_message(bench.log, cr_severityError, "j: start angle must be finite");
  assert_message(bench.log, cr_severityError, "j: nominal rate must be positive");
  crForceDef force = crDefaultForceDef(cr_forceSpringDamper, "s", "a", "a");
  force.as.springDamper.length = -1;
  assert_int_equal(crScene_AddForce(bench.scene, &force, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, "s: a force needs two different objects, both are 'a'");
  assert_message(bench.log, cr_severityError, "s: length must not be negative");
  crSolidMaterialDef solid = { .size = sizeof(crSolidMaterialDef), .name = "M", .density = 0, .E = -1, .nu = 1.0 };
  assert_int_equal(crScene_AddSolidMaterial(bench.scene, &solid, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, "M: density must be positive");
  assert_message(bench.log, cr_severityError, "M: E must be positive");
  assert_message(bench.log, cr_severityError, "M: nu is out of range");
  solid = (crSolidMaterialDef){
    .size = sizeof(crSolidMaterialDef), .name = "Rubber", .density = 1000, .E = 1e6, .nu = 0.6
  };
  assert_int_equal(crScene_AddSolidMaterial(bench.scene, &solid, NULL), cr_ok);
  assert_message(bench.log, cr_severityWarning, "Rubber: nu = 0.6 is above 0.5");
  crContactPairDef pair = crDefaultContactPairDef("M", "Steel");
  pair.cor = 1.5;
  pair.muK = -1;
  pair.muR = NAN;
  assert_int_equal(crScene_AddContactPair(bench.scene, &pair, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, "M/Steel: cor is out of range\n  found 1.5, allowed: 0 <= cor <= 1");
  assert_message(bench.log, cr_severityError, "M/Steel: muK must not be negative");
  assert_message(bench.log, cr_severityError, "M/Steel: muR must not be negative");
  crVisualMaterialDef visual = crDefaultVisualMaterialDef("glass");
  visual.transparency = 1.5;
  assert_int_equal(crScene_AddVisualMaterial(bench.scene, &visual, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, "glass: transparency is out of range");
  crSceneOptions options = crDefaultSceneOptions();
  options.gravity = (crGravity){ .kind = cr_gravityPointMass, .mu = -1 };
  assert_int_equal(crScene_SetOptions(bench.scene, &options), cr_errorModel);
  assert_message(bench.log, cr_severityError, "scene: gravity.mu must not be negative");
  crExclusionDef exclusion = { .size = sizeof(crExclusionDef), .objectA = "a" };
  assert_int_equal(crScene_AddExclusion(bench.scene, &exclusion, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, "exclude: the second object is missing");
  freeBench(&bench);
}

static void colours_are_found_by_name_and_code(void** state)
{
  (void)state;
  crColor color;
  assert_true(crFindColor("SteelBlue", &color));
  assert_close(color.r, 0x46 / 255.0, 0);
  assert_close(color.b, 0xb4 / 255.0, 0);
  assert_true(crFindColor("steel blue", &color));
  assert_true(crFindColor("#FF800040", &color));
  assert_close(color.g, 0x80 / 255.0, 0);
  assert_close(color.a, 0x40 / 255.0, 0);
  const char* ends[] = { "aliceblue", "yellowgreen", "black", "white", "tan", "rebeccapurple" };
  for (int i = 0; i < 6; ++i) {
    assert_true(crFindColor(ends[i], &color));
  }
  const char* bad[] = { "", "#ff", "#ff00000", "#gg0000", "steelbluish", "lightgoldenrodyellowlightgoldenrodyellow" };
  for (int i = 0; i < 6; ++i) {
    assert_false(crFindColor(bad[i], &color));
  }
  assert_false(crFindColor(NULL, &color));
}

// A small model with every kind of element. Returns the first status that is not ok.
static crStatus build(const crAllocator* allocator)
{
  crScene* scene = NULL;
  crStatus status = crCreateScene(allocator, NULL, &scene);
  crFeatureDef features[3] = { makeBall(0.1), crDefaultFeatureDef(cr_featureVisual),
                               crDefaultFeatureDef(cr_featureSolid) };
  const crVec3 points[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  features[1].as.visual.shape = crDefaultShapeDef(cr_shapeText);
  features[1].as.visual.shape.as.text.string = "hello";
  features[1].as.visual.shape.as.text.height = 1;
  features[2].as.solid.shape = crDefaultShapeDef(cr_shapeHull);
  features[2].as.solid.shape.as.hull.points = points;
  features[2].as.solid.shape.as.hull.pointCount = 4;
  crObjectDef object = crDefaultObjectDef("o");
  object.features = features;
  object.featureCount = 3;
  crJointDef joint = crDefaultJointDef(cr_jointRevolute, "j", "o", "p");
  crForceDef force = crDefaultForceDef(cr_forceSpringDamper, "f", "o", "p");
  crVisualMaterialDef visual = crDefaultVisualMaterialDef("v");
  crExclusionDef exclusion = { .size = sizeof(crExclusionDef), .objectA = "o", .objectB = "p" };
  crParameter parameters[] = { { .name = "length", .number = 1 },
                               { .name = "name", .kind = cr_parameterString, .string = "x" } };
  crAssemblyDef assembly = {
    .size = sizeof(crAssemblyDef), .name = "a", .parameters = parameters, .parameterCount = 2
  };
  status = status == cr_ok ? crScene_AddObject(scene, &object, NULL) : status;
  status = status == cr_ok ? crScene_AddJoint(scene, &joint, NULL) : status;
  status = status == cr_ok ? crScene_AddForce(scene, &force, NULL) : status;
  status = status == cr_ok ? crScene_AddVisualMaterial(scene, &visual, NULL) : status;
  status = status == cr_ok ? crScene_AddExclusion(scene, &exclusion, NULL) : status;
  status = status == cr_ok ? crScene_AddAssembly(scene, &assembly, NULL) : status;
  crDestroyScene(scene);
  return status;
}

static void every_failing_allocation_ends_cleanly(void** state)
{
  (void)state;
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  assert_int_equal(build(&allocator), cr_ok);
  long calls = counter.callCount;
  assert_int_equal(counter.liveBlocks, 0);
  for (long i = 0; i < calls; ++i) {
    allocator = crTestAllocator_Make(&counter);
    counter.failAt = i;
    assert_int_equal(build(&allocator), cr_errorMemory);
    assert_int_equal(counter.liveBlocks, 0);
    assert_int_equal(counter.liveBytes, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(palettes_hold_the_standard_materials),
    cmocka_unit_test(a_model_overrides_the_palette_once),
    cmocka_unit_test(what_is_added_is_copied_and_found),
    cmocka_unit_test(a_given_mass_replaces_the_density),
    cmocka_unit_test(ids_of_another_scene_or_kind_name_nothing),
    cmocka_unit_test(bad_objects_are_refused_with_an_address),
    cmocka_unit_test(all_faults_of_an_element_are_reported_in_one_go),
    cmocka_unit_test(names_are_unique_over_all_elements),
    cmocka_unit_test(bad_connections_and_materials_are_refused),
    cmocka_unit_test(colours_are_found_by_name_and_code),
    cmocka_unit_test(every_failing_allocation_ends_cleanly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
