// What scenes say of contacts: fields, defaults, inheritance, refusals, and the laws that are compiled from them.
#include "support/log.h"
#include "support/lua.h"
#include "support/scenes.h"
#include "support/test.h"

#include <stdio.h>

#define STAGE                                                                                                          \
  "world('floor', { solid{ shape = halfSpace(), contact = 'DryWood' } })\n"                                            \
  "object('ball', { parent = 'floor', mobility = 'free', position = { 0, 0, 1 },\n"                                    \
  "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n"

// The law of Steel and DryWood in a Lua model, compiled.
static crContactLaw compileLaw(const char* text)
{
  crTestModel test = crTestModel_ReadGood(text);
  crModel* model;
  assert_int_equal(crCompile(test.scene, NULL, NULL, &test.sink, &model), cr_ok);
  assert_int_equal(crModel_CountContactMaterials(model), 2);
  crContactLaw law = *crModel_GetContactLaw(model, 0, 1);
  assert_ptr_equal(crModel_GetContactLaw(model, 0, 1), crModel_GetContactLaw(model, 1, 0));
  crDestroyModel(model);
  crTestModel_Free(&test);
  return law;
}

static void laws_have_standards(void** state)
{
  (void)state;
  crContactLaw law = compileLaw(STAGE);
  assert_int_equal(law.response, cr_responseElastic);
  assert_int_equal(law.formula, cr_dampingFlores);
  assert_int_equal(law.geometry, cr_geometryRadius);
  assert_true(law.cor == 0.7 && law.muK == 0.4 && law.muR == 0.001);
  assert_true(law.kRed == 1.0 && law.vMin == 0.01 && law.wMin == 0.01 && law.hysteresis == 1e-8);
  assert_true(law.function == NULL && law.context == NULL);
  double c1 = 2.0e11 / (1.0 - 0.3 * 0.3), c2 = 1.1e10 / (1.0 - 0.4 * 0.4);
  assert_close(law.elasticity * (1.0 / c1 + 1.0 / c2), 1.0, 1e-15);
}

static void pairs_inherit_from_the_scene(void** state)
{
  (void)state;
  crContactLaw standard = compileLaw(STAGE);
  crContactLaw law = compileLaw("scene{ response = 'impulsive', formula = 'exact', geometry = 'table', kRed = 1e-4,\n"
                                "  vMin = 0.02, wMin = 0.03, hysteresis = 1e-9 }\n" STAGE);
  assert_int_equal(law.response, cr_responseImpulsive);
  assert_int_equal(law.formula, cr_dampingExact);
  assert_int_equal(law.geometry, cr_geometryTable);
  assert_true(law.kRed == 1e-4 && law.vMin == 0.02 && law.wMin == 0.03 && law.hysteresis == 1e-9);
  assert_close(law.elasticity / standard.elasticity, 1e-4, 1e-18);
}

static void pairs_override_the_scene(void** state)
{
  (void)state;
  const char* scene = "scene{ response = 'impulsive', formula = 'exact', geometry = 'table', kRed = 1e-4 }\n";
  char text[2048];
  snprintf(text, sizeof text,
           "%s%scontactPair('Steel', 'DryWood', { cor = 0.5, muK = 0, muR = 0, response = 'springDamper',\n"
           "  formula = 'flores', geometry = 'radius', kRed = 0.5, vMin = 0.1, wMin = 0.2, hysteresis = 1e-7,\n"
           "  stiffness = 1e6, damping = 50 })\n",
           scene, STAGE);
  crContactLaw law = compileLaw(text);
  assert_int_equal(law.response, cr_responseSpringDamper);
  assert_int_equal(law.formula, cr_dampingFlores);
  assert_int_equal(law.geometry, cr_geometryRadius);
  assert_true(law.kRed == 0.5 && law.vMin == 0.1 && law.wMin == 0.2 && law.hysteresis == 1e-7);
  assert_true(law.stiffness == 1e6 && law.damping == 50.0);
  snprintf(text, sizeof text,
           "%s%scontactPair('Steel', 'DryWood', { cor = 0.5, muK = 0, muR = 0, response = 'scene', formula = 'scene',\n"
           "  geometry = 'scene' })\n",
           scene, STAGE);
  law = compileLaw(text);
  assert_int_equal(law.response, cr_responseImpulsive);
  assert_int_equal(law.formula, cr_dampingExact);
  assert_int_equal(law.geometry, cr_geometryTable);
}

static void shapes_carry_radius_and_surface_velocity(void** state)
{
  (void)state;
  crTestModel test =
      crTestModel_ReadGood("world('floor')\n"
                           "object('belt', { parent = 'floor', rotation = { 0, 0, math.pi / 2 },\n"
                           "  solid{ shape = box{ size = { 1, 1, 1 } }, contact = 'Steel', contactRadius = 0.3,\n"
                           "    surfaceVelocity = { 2, 0, 0 } } })\n"
                           "object('ball', { parent = 'floor', mobility = 'free', start = 'rest',\n"
                           "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n"
                           "object('other', { parent = 'floor', mobility = 'free', start = 'pose',\n"
                           "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n");
  crModel* model;
  assert_int_equal(crCompile(test.scene, NULL, NULL, &test.sink, &model), cr_ok);
  const crContactShape *belt = crModel_GetContactShape(model, 0), *ball = crModel_GetContactShape(model, 1);
  assert_true(belt->contactRadius == 0.3 && isnan(ball->contactRadius));
  assert_vec_close(belt->surfaceVelocity, crMakeVec3(0, 2, 0), 1e-15); // in the axes of the body, here the world
  assert_vec_close(ball->surfaceVelocity, crMakeVec3(0, 0, 0), 0.0);
  assert_true(crModel_GetJoint(model, 0)->startsAtRest);
  assert_false(crModel_GetJoint(model, 1)->startsAtRest);
  crDestroyModel(model);
  crTestModel_Free(&test);
}

// ---------------------------------------------------------------------------------------- bad input

#define PAIR(rest) "contactPair('Steel', 'Steel', { cor = 0.5, muK = 0, muR = 0, " rest " })"

static void numbers_out_of_range_are_refused(void** state)
{
  (void)state;
  assert_reads("solidMaterial('M', { density = 1, E = 0, nu = 0.3 })", cr_errorModel, "M: E must be positive");
  assert_reads("solidMaterial('M', { density = 1, E = 1e9, nu = 0 })", cr_errorModel,
               "M: nu must be positive\n  found 0, allowed: > 0");
  assert_reads("solidMaterial('M', { density = 1, E = 1e9, nu = 1 })", cr_errorModel, "M: nu is out of range");
  assert_reads("contactPair('a', 'b', { cor = 1.1, muK = 0, muR = 0 })", cr_errorModel,
               "a/b: cor is out of range\n  found 1.1, allowed: 0 <= cor <= 1");
  assert_reads("contactPair('a', 'b', { cor = -0.1, muK = 0, muR = 0 })", cr_errorModel, "cor is out of range");
  assert_reads("contactPair('a', 'b', { cor = 0, muK = -1, muR = 0 })", cr_errorModel, "muK must not be negative");
  assert_reads("contactPair('a', 'b', { cor = 0, muK = 0, muR = -1 })", cr_errorModel, "muR must not be negative");
  assert_reads(PAIR("kRed = 0"), cr_errorModel, "kRed must be positive");
  assert_reads(PAIR("vMin = 0"), cr_errorModel, "vMin must be positive\n  found 0 m/s, allowed: > 0 m/s");
  assert_reads(PAIR("wMin = -1"), cr_errorModel, "Steel/Steel: wMin must be positive");
  assert_reads(PAIR("hysteresis = 0"), cr_errorModel, "hysteresis must be positive");
  assert_reads(PAIR("stiffness = -1"), cr_errorModel, "Steel/Steel: stiffness must be positive");
  assert_reads(PAIR("damping = -1"), cr_errorModel, "Steel/Steel: damping must not be negative");
  assert_reads("scene{ kRed = -1 }", cr_errorModel, "scene: kRed must be positive");
  assert_reads("scene{ vMin = 0 }", cr_errorModel, "scene: vMin must be positive");
  assert_reads("scene{ wMin = 0 }", cr_errorModel, "scene: wMin must be positive");
  assert_reads("scene{ hysteresis = 0 }", cr_errorModel, "scene: hysteresis must be positive");
  assert_reads("object('o', { solid{ shape = sphere{ radius = 1 }, contactRadius = 0 } })", cr_errorModel,
               "o: solid1.contactRadius must be positive");
}

static void doubtful_numbers_are_warned_about(void** state)
{
  (void)state;
  assert_reads("world('w') solidMaterial('M', { density = 1, E = 1e9, nu = 0.6 })", cr_ok, "nu = 0.6 is above 0.5");
  assert_reads("world('w') " PAIR("kRed = 2"), cr_ok, "Steel/Steel: kRed = 2 is above 1");
  assert_reads("world('w') scene{ kRed = 10 }", cr_ok, "scene: kRed = 10 is above 1");
}

static void unknown_words_are_refused(void** state)
{
  (void)state;
  assert_reads(PAIR("response = 'soft'"), cr_errorModel,
               "response is not one of its values\n  found soft, allowed: \"elastic\", \"springDamper\", \"penalty\", "
               "\"impulsive\", \"observer\", \"scene\"");
  assert_reads(PAIR("response = 'user'"), cr_errorModel, "response is not one of its values");
  assert_reads(PAIR("formula = 'hertz'"), cr_errorModel, "allowed: \"flores\", \"exact\", \"scene\"");
  assert_reads(PAIR("geometry = 'flat'"), cr_errorModel, "allowed: \"radius\", \"table\", \"hertz\", \"scene\"");
  assert_reads("scene{ response = 'scene' }", cr_errorModel, "response is not one of its values");
  assert_reads("object('o', { mobility = 'free', start = 'sleep' })", cr_errorModel, "allowed: \"pose\", \"rest\"");
}

// -------------------------------------------------------------------------------------- touch by area

static crContactForce pushNothing(void* context, const crContactMemory* memory, const crContactMotion* motion)
{
  (void)context, (void)memory, (void)motion;
  return (crContactForce){ .normalForce = 0.0 };
}

#define BOXES(first, second)                                                                                           \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"                                                  \
  "object('box', { free = true, position = { 0, 0, 1 }, solid{ mass = 1, contact = 'DryWood', " first " } })\n"        \
  "object('other', { free = true, position = { 0, 0, 3 }, solid{ mass = 1, contact = 'DryWood', " second " } })\n"

#define BOX "shape = box{ size = { 1, 1, 1 } }"
#define BALL "shape = sphere{ radius = 0.5 }"

// Compiles a text; what: said of an error, NULL: there is none.
static void assertCompiles(const char* text, const char* what)
{
  crTestModel test = crTestModel_ReadGood(text);
  crModel* model = NULL;
  assert_int_equal(crCompile(test.scene, NULL, NULL, &test.sink, &model), what != NULL ? cr_errorModel : cr_ok);
  if (what != NULL && !crTestModel_Says(&test, what)) {
    fail_msg("not said: %s", what);
  }
  crDestroyModel(model);
  crTestModel_Free(&test);
}

static void touch_is_of_the_pair_then_of_the_scene(void** state)
{
  (void)state;
  assert_int_equal(compileLaw(STAGE).touch, cr_touchByArea);
  assert_int_equal(compileLaw("scene{ touch = 'point' }\n" STAGE).touch, cr_touchByPoint);
  const char* pair = STAGE "contactPair('Steel', 'DryWood', { cor = 0.5, muK = 0, muR = 0, touch = '%s' })\n";
  static const struct {
    const char *scene, *own;
    crContactTouch touch;
  } cases[] = { { "", "point", cr_touchByPoint },
                { "", "scene", cr_touchByArea },
                { "scene{ touch = 'point' }\n", "area", cr_touchByArea },
                { "scene{ touch = 'point' }\n", "scene", cr_touchByPoint } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char own[1024], text[2048];
    snprintf(own, sizeof own, pair, cases[i].own);
    snprintf(text, sizeof text, "%s%s", cases[i].scene, own);
    assert_int_equal(compileLaw(text).touch, cases[i].touch);
  }
  assert_reads(PAIR("touch = 'corner'"), cr_errorModel, "allowed: \"area\", \"point\", \"scene\"");
  assert_reads("scene{ touch = 'scene' }", cr_errorModel, "touch is not one of its values");
}

static void contact_radii_belong_to_contacts_at_a_point(void** state)
{
  (void)state;
  const char* says =
      "box: contactRadius belongs to contacts at a point, but 'box' of DryWood and 'w' of Steel touch by "
      "area\n  hint: leave it out, or contactPair(\"DryWood\", \"Steel\", { touch = \"point\", ... })";
  assertCompiles(BOXES(BOX ", contactRadius = 0.1", BALL), says);
  assertCompiles("scene{ touch = 'point' }\n" BOXES(BOX ", contactRadius = 0.1", BOX), NULL);
  assertCompiles(BOXES(BALL ", contactRadius = 0.1", BOX), NULL); // balls touch at a point
  assertCompiles("world('w')\n"                                   // two parts of one body do not meet
                 "object('a', { free = true, solid{ mass = 1, contact = 'Steel', contactRadius = 0.1, " BOX " },\n"
                 "  solid{ mass = 1, contact = 'Steel', contactRadius = 0.1, " BOX " } })\n",
                 NULL);
}

static void the_table_belongs_to_contacts_at_a_point(void** state)
{
  (void)state;
  const char* scene = "scene{ geometry = 'table' }\n" BOXES(BALL, BOX);
  assertCompiles(scene, "geometry = \"table\" belongs to contacts at a point, but ");
  assertCompiles("scene{ geometry = 'table' }\n" BOXES(BALL, BALL), NULL);
  assertCompiles("scene{ geometry = 'table', touch = 'point' }\n" BOXES(BOX, BOX), NULL);
}

static void laws_of_the_user_belong_to_contacts_at_a_point(void** state)
{
  (void)state;
  for (int i = 0; i < 2; ++i) {
    crTestModel test = crTestModel_ReadGood(BOXES(BOX, BOX));
    crModel* model = NULL;
    crContactPairDef pair = crDefaultContactPairDef("Steel", "DryWood");
    pair.response = cr_responseUser;
    pair.function = pushNothing;
    pair.touch = i == 0 ? cr_touchOfScene : cr_touchByPoint;
    assert_int_equal(crScene_AddContactPair(test.scene, &pair, NULL), cr_ok);
    assert_int_equal(crCompile(test.scene, NULL, NULL, &test.sink, &model), i == 0 ? cr_errorModel : cr_ok);
    assert_int_equal(crTestModel_Says(&test, "a law of the user belongs to contacts at a point, but "), i == 0);
    crDestroyModel(model);
    crTestModel_Free(&test);
  }
}

static void a_linear_response_needs_a_stiffness(void** state)
{
  (void)state;
  assert_reads(PAIR("response = 'springDamper'"), cr_errorModel, "Steel/Steel: stiffness must be positive");
  assert_reads(PAIR("response = 'penalty'"), cr_errorModel, "Steel/Steel: stiffness must be positive");
  crTestModel test = crTestModel_ReadGood("scene{ response = 'penalty' }\n" STAGE);
  crModel* model;
  assert_int_equal(crCompile(test.scene, NULL, NULL, &test.sink, &model), cr_errorModel);
  assert_true(crTestModel_Says(&test, "the contact pair Steel, DryWood has no stiffness, which the scene's response "
                                      "penalty needs"));
  crTestModel_Free(&test);
}

static void only_free_objects_start_at_rest(void** state)
{
  (void)state;
  assert_reads("object('o', { start = 'rest' })", cr_errorModel,
               "o: only a free object can start at rest on what it lies on");
}

// Values that only C can hold.
static void wrong_enums_from_c_are_refused(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crContactPairDef pair = crDefaultContactPairDef("Steel", "Steel");
  pair.cor = pair.muK = pair.muR = 0.0;
  pair.response = (crContactResponse)77;
  pair.formula = (crDampingFormula)78;
  pair.geometry = (crContactGeometry)-1;
  assert_int_equal(crScene_AddContactPair(test.scene, &pair, NULL), cr_errorModel);
  assert_message(test.log, cr_severityError, "unknown response 77");
  assert_message(test.log, cr_severityError, "unknown formula 78");
  assert_message(test.log, cr_severityError, "unknown geometry -1");
  crSceneOptions options = crDefaultSceneOptions();
  options.response = cr_responseUser;
  options.formula = (crDampingFormula)9;
  options.geometry = (crContactGeometry)9;
  options.friction = (crFrictionLaw)9;
  options.vMin = NAN;
  assert_int_equal(crScene_SetOptions(test.scene, &options), cr_errorModel);
  assert_message(test.log, cr_severityError, "scene: response of the scene cannot be 'user'");
  assert_message(test.log, cr_severityError, "scene: formula of the scene must be flores or exact");
  assert_message(test.log, cr_severityError, "scene: geometry of the scene must be radius or table");
  assert_message(test.log, cr_severityError, "scene: friction of the scene must be regularized or stick");
  assert_message(test.log, cr_severityError, "scene: vMin must be positive");
  crObjectDef object = crDefaultObjectDef("o");
  object.start = (crStart)9;
  assert_int_equal(crScene_AddObject(test.scene, &object, NULL), cr_errorModel);
  assert_message(test.log, cr_severityError, "o: unknown start 9");
  assert_string_equal(crContactResponse_GetText((crContactResponse)99), "unknown response");
  crTestScene_Free(&test);
}

// ---------------------------------------------------------------------------------------- user laws

static crContactForce noForce(void* context, const crContactMemory* memory, const crContactMotion* motion)
{
  (void)context, (void)memory, (void)motion;
  return (crContactForce){ .normalForce = 0.0 };
}

static void ignoreText(void* context, const char* bytes, size_t size)
{
  (void)bytes;
  *(size_t*)context += size;
}

static void a_function_is_compiled_but_cannot_be_written(void** state)
{
  (void)state;
  int own = 0;
  size_t written = 0;
  crTestScene test = crTestScene_Make(NULL);
  crContactPairDef pair = crDefaultContactPairDef("Steel", "Steel");
  pair.cor = pair.muK = pair.muR = 0.0;
  pair.response = cr_responseUser;
  assert_int_equal(crScene_AddContactPair(test.scene, &pair, NULL), cr_errorModel);
  assert_message(test.log, cr_severityError, "the response 'user' and a function belong together");
  crTestScene_Free(&test);

  test = crTestScene_Make(NULL);
  pair.function = noForce;
  pair.context = &own;
  assert_int_equal(crScene_AddContactPair(test.scene, &pair, NULL), cr_ok);
  crAddWorld(&test);
  crAddBall(&test, "a", "world", cr_mobilityFree, crMakeVec3(0, 0, 1), "Steel");
  crAddBall(&test, "b", "world", cr_mobilityFree, crMakeVec3(0, 0, 2), "Steel");
  crModel* model = crTestScene_Compile(&test, cr_ok);
  const crContactLaw* law = crModel_GetContactLaw(model, 0, 0);
  assert_true(law->response == cr_responseUser && law->function == noForce && law->context == &own);
  crDestroyModel(model);
  crTextWriter writer = { ignoreText, &written };
  assert_int_equal(crWriteJson(test.scene, NULL, &test.sink, writer), cr_errorModel);
  assert_message(test.log, cr_severityError, "response is a function of the program that made the scene");
  assert_int_equal(written, 0);
  crTestScene_Free(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(laws_have_standards),
    cmocka_unit_test(pairs_inherit_from_the_scene),
    cmocka_unit_test(pairs_override_the_scene),
    cmocka_unit_test(shapes_carry_radius_and_surface_velocity),
    cmocka_unit_test(numbers_out_of_range_are_refused),
    cmocka_unit_test(doubtful_numbers_are_warned_about),
    cmocka_unit_test(unknown_words_are_refused),
    cmocka_unit_test(touch_is_of_the_pair_then_of_the_scene),
    cmocka_unit_test(contact_radii_belong_to_contacts_at_a_point),
    cmocka_unit_test(the_table_belongs_to_contacts_at_a_point),
    cmocka_unit_test(laws_of_the_user_belong_to_contacts_at_a_point),
    cmocka_unit_test(a_linear_response_needs_a_stiffness),
    cmocka_unit_test(only_free_objects_start_at_rest),
    cmocka_unit_test(wrong_enums_from_c_are_refused),
    cmocka_unit_test(a_function_is_compiled_but_cannot_be_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
