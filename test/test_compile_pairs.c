// Collision pairs: counts and laws against brute force over all pairs of shapes.
#include "support/scenes.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static crVec3 at(double x, double y, double z)
{
  return crMakeVec3(x, y, z);
}

static void addLaw(crTestScene* test, const char* materialA, const char* materialB, double cor)
{
  crContactPairDef def = crDefaultContactPairDef(materialA, materialB);
  def.cor = cor;
  def.muK = def.muR = 0.0;
  assert_int_equal(crScene_AddContactPair(test->scene, &def, NULL), cr_ok);
}

static void addMaterial(crTestScene* test, const char* name)
{
  crSolidMaterialDef def = crDefaultSolidMaterialDef(name);
  def.density = 1000.0;
  def.E = 1e9;
  def.nu = 0.3;
  assert_int_equal(crScene_AddSolidMaterial(test->scene, &def, NULL), cr_ok);
}

// -------------------------------------------------------------------------------------- random models

#define CR_MAX_OBJECTS 60
#define CR_MAX_EXCLUDED 200

// What a random scene is, kept apart from the scene: the rules are applied to it by hand.
typedef struct RandomPairs {
  int objectCount;
  int bodies[CR_MAX_OBJECTS]; // by object; 0: the world
  int shapeCounts[CR_MAX_OBJECTS];
  uint32_t groups[CR_MAX_OBJECTS][2], masks[CR_MAX_OBJECTS][2];
  int excluded[CR_MAX_EXCLUDED][2]; // objects
  int excludedCount;
} RandomPairs;

static void nameObject(char name[16], int object)
{
  snprintf(name, 16, object == 0 ? "world" : "o%d", object);
}

static void excludeByHand(RandomPairs* pairs, int a, int b)
{
  pairs->excluded[pairs->excludedCount][0] = a;
  pairs->excluded[pairs->excludedCount++][1] = b;
}

// An object is rigid to an earlier one, free, or joined to an earlier one.
static void addRandomObject(crTestScene* test, crRandom* random, RandomPairs* pairs, int object)
{
  char name[16], other[16], joint[16];
  int earlier = object > 0 ? (int)(crRandom_Next(random) % (unsigned)object) : 0;
  int how = object == 0 ? 3 : (int)(crRandom_Next(random) % 3);
  crFeatureDef features[2];
  int count = pairs->shapeCounts[object] = (int)(crRandom_Next(random) % 3);
  for (int k = 0; k < count; ++k) {
    features[k] = crMakeBall(crRandom_Next(random) % 2 == 0 ? "Steel" : "DryWood");
    pairs->groups[object][k] = features[k].as.solid.group = 1u << crRandom_Next(random) % 4;
    pairs->masks[object][k] = (uint32_t)(crRandom_Next(random) % 16);
    features[k].as.solid.ignored = ~pairs->masks[object][k];
  }
  nameObject(name, object);
  nameObject(other, earlier);
  crMobility mobility = how == 3 ? cr_mobilityWorld : how == 1 ? cr_mobilityFree : cr_mobilityRigid;
  crAddWithFeatures(test, name, how == 0 ? other : NULL, mobility, at(0, 0, 0), features, count);
  pairs->bodies[object] = how == 0 ? pairs->bodies[earlier] : object;
  if (how == 2) {
    snprintf(joint, sizeof joint, "j%d", object);
    crJointDef def = crDefaultJointDef(cr_jointRevolute, joint, name, other);
    bool canCollide = crRandom_Next(random) % 3 == 0;
    def.collision = canCollide ? cr_collisionAllowed : cr_collisionNever;
    assert_int_equal(crScene_AddJoint(test->scene, &def, NULL), cr_ok);
    if (!canCollide) {
      excludeByHand(pairs, object, earlier);
    }
  }
}

static void buildRandomPairs(crTestScene* test, crRandom* random, RandomPairs* pairs)
{
  pairs->objectCount = 2 + (int)(crRandom_Next(random) % (CR_MAX_OBJECTS - 1));
  pairs->excludedCount = 0;
  for (int i = 0; i < pairs->objectCount; ++i) {
    addRandomObject(test, random, pairs, i);
  }
  for (int i = 0; i < 10; ++i) {
    char a[16], b[16];
    int first = (int)(crRandom_Next(random) % (unsigned)pairs->objectCount);
    int second = (int)(crRandom_Next(random) % (unsigned)pairs->objectCount);
    if (first != second) {
      nameObject(a, first);
      nameObject(b, second);
      crAddExclusion(test, a, b);
      excludeByHand(pairs, first, second);
    }
  }
}

static bool areExcluded(const RandomPairs* pairs, int bodyA, int bodyB)
{
  for (int i = 0; i < pairs->excludedCount; ++i) {
    int a = pairs->bodies[pairs->excluded[i][0]], b = pairs->bodies[pairs->excluded[i][1]];
    if ((a == bodyA && b == bodyB) || (a == bodyB && b == bodyA)) {
      return true;
    }
  }
  return false;
}

static bool canMeetByHand(const RandomPairs* pairs, int a, int k, int b, int m)
{
  return pairs->bodies[a] != pairs->bodies[b] && (pairs->groups[a][k] & pairs->masks[b][m]) != 0 &&
         (pairs->groups[b][m] & pairs->masks[a][k]) != 0 && !areExcluded(pairs, pairs->bodies[a], pairs->bodies[b]);
}

static int findShape(const crModel* model, int sceneObject, int feature)
{
  for (int i = 0; i < crModel_GetSize(model).shapeCount; ++i) {
    const crContactShape* shape = crModel_GetContactShape(model, i);
    if (crModel_GetObject(model, shape->object)->sceneIndex == sceneObject && shape->feature == feature) {
      return i;
    }
  }
  fail();
  return -1;
}

// Counts by hand, compares each answer of crModel_CanMeet, and marks objects that can meet something.
static void comparePairs(const crModel* model, const RandomPairs* pairs, int64_t* outPairs, int64_t* outExcluded,
                         bool* canMeetAny)
{
  for (int a = 0; a < pairs->objectCount; ++a) {
    for (int b = 0; b < a; ++b) {
      for (int k = 0; k < pairs->shapeCounts[a]; ++k) {
        for (int m = 0; m < pairs->shapeCounts[b]; ++m) {
          bool canMeet = canMeetByHand(pairs, a, k, b, m);
          int shapeA = findShape(model, a, k), shapeB = findShape(model, b, m);
          assert_int_equal(crModel_CanMeet(model, shapeA, shapeB), canMeet);
          assert_int_equal(crModel_CanMeet(model, shapeB, shapeA), canMeet);
          *outPairs += canMeet;
          *outExcluded += !canMeet && pairs->bodies[a] != pairs->bodies[b];
          canMeetAny[a] = canMeetAny[a] || canMeet;
          canMeetAny[b] = canMeetAny[b] || canMeet;
        }
      }
    }
  }
}

static void random_pairs_agree_with_brute_force(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  for (int round = 0; round < 40; ++round) {
    RandomPairs pairs;
    crTestScene test = crTestScene_Make(NULL);
    buildRandomPairs(&test, &random, &pairs);
    crModel* model = crTestScene_Compile(&test, cr_ok);
    int64_t pairCount = 0, excludedCount = 0;
    bool canMeetAny[CR_MAX_OBJECTS] = { false };
    comparePairs(model, &pairs, &pairCount, &excludedCount, canMeetAny);
    assert_int_equal(crModel_GetSize(model).pairCount, pairCount);
    assert_int_equal(crModel_GetSize(model).excludedPairCount, excludedCount);
    for (int i = 0; i < pairs.objectCount; ++i) {
      const crModelObject* object = crModel_GetObject(model, i);
      assert_int_equal((object->needs & cr_needContact) != 0, canMeetAny[object->sceneIndex]);
    }
    crDestroyModel(model);
    crTestScene_Free(&test);
  }
}

// --------------------------------------------------------------------------------------------- rules

static void excluded_bodies_are_sorted_and_say_why(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddBall(&test, "floor", "world", cr_mobilityRigid, at(0, 0, 0), "Steel");
  crAddBall(&test, "a", NULL, cr_mobilityRigid, at(0, 0, 0), "Steel");
  crAddBall(&test, "b", NULL, cr_mobilityFree, at(0, 0, 0), "Steel");
  crAddBall(&test, "bare", NULL, cr_mobilityFree, at(0, 0, 0), NULL);
  crJointDef hinge = crDefaultJointDef(cr_jointRevolute, "hinge", "world", "a");
  hinge.collision = cr_collisionNever;
  assert_int_equal(crScene_AddJoint(test.scene, &hinge, NULL), cr_ok);
  crAddExclusion(&test, "b", "floor");
  crAddExclusion(&test, "a", "world");
  crAddExclusion(&test, "bare", "a");
  crModel* model = crTestScene_Compile(&test, cr_ok);
  assert_int_equal(crModel_CountExcludedBodies(model), 2);
  const crExcludedBodies* first = crModel_GetExcludedBodies(model, 0);
  assert_int_equal(first->bodyA, 0);
  assert_int_equal(first->bodyB, 1);
  assert_int_equal(first->reason, cr_excludedByJoint);
  assert_int_equal(first->joint, crModel_FindJoint(model, "hinge"));
  const crExcludedBodies* second = crModel_GetExcludedBodies(model, 1);
  assert_int_equal(second->bodyB, 2);
  assert_int_equal(second->reason, cr_excludedByUser);
  assert_int_equal(second->joint, -1);
  assert_null(crModel_GetExcludedBodies(model, 2));
  assert_int_equal(crModel_GetSize(model).pairCount, 1);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void nothing_collides_without_contact_detection_or_where_it_is_switched_off(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddBall(&test, "a", NULL, cr_mobilityFree, at(0, 0, 0), "Steel");
  crAddBall(&test, "b", NULL, cr_mobilityFree, at(0, 0, 1), "Steel");
  crObjectDef ghost = crDefaultObjectDef("ghost");
  crFeatureDef ball = crMakeBall("BilliardCue"); // would need a law with Steel
  ghost.mobility = cr_mobilityFree;
  ghost.neverCollides = true;
  ghost.features = &ball;
  ghost.featureCount = 1;
  assert_int_equal(crScene_AddObject(test.scene, &ghost, NULL), cr_ok);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  assert_int_equal(crModel_GetSize(model).shapeCount, 2);
  assert_int_equal(crModel_GetSize(model).pairCount, 1);
  crDestroyModel(model);
  crSceneOptions options = crDefaultSceneOptions();
  options.ignoresContacts = true;
  assert_int_equal(crScene_SetOptions(test.scene, &options), cr_ok);
  model = crTestScene_Compile(&test, cr_ok);
  assert_int_equal(crModel_GetSize(model).shapeCount, 0);
  assert_int_equal(crModel_GetSize(model).pairCount, 0);
  assert_false(crModel_CanMeet(model, 0, 1));
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// ---------------------------------------------------------------------------- joints to the world

static int findShapeOf(const crModel* model, const char* object)
{
  for (int i = 0; i < crModel_GetSize(model).shapeCount; ++i) {
    if (strcmp(crModel_GetObjectPath(model, crModel_GetContactShape(model, i)->object), object) == 0) {
      return i;
    }
  }
  fail();
  return -1;
}

// A ball on a hinge inside its bracket, with a floor below and a wall that it touches; balls have a radius of 0.1 m.
static void what_is_jointed_to_the_world_meets_what_it_does_not_touch(void** state)
{
  (void)state;
  static const crJointCollision collisions[] = { cr_collisionByKind, cr_collisionNever, cr_collisionAllowed };
  static const bool meets[][3] = { { false, true, false }, { false, false, false }, { true, true, true } };
  static const char* const fixed[] = { "bracket", "floor", "wall" };
  for (int k = 0; k < 3; ++k) {
    crTestScene test = crTestScene_Make(NULL);
    crAddWorld(&test);
    crAddBall(&test, "bracket", "world", cr_mobilityRigid, at(0.05, 0, 0), "Steel");
    crAddBall(&test, "floor", "world", cr_mobilityRigid, at(0, 0, -1), "Steel");
    crAddBall(&test, "wall", "world", cr_mobilityRigid, at(0, 0.20001, 0), "Steel");
    crAddBall(&test, "arm", NULL, cr_mobilityRigid, at(0, 0, 0), "Steel");
    crJointDef hinge = crDefaultJointDef(cr_jointRevolute, "hinge", "world", "arm");
    hinge.collision = collisions[k];
    assert_int_equal(crScene_AddJoint(test.scene, &hinge, NULL), cr_ok);
    crModel* model = crTestScene_Compile(&test, cr_ok);
    int count = 0;
    for (int i = 0; i < 3; ++i) {
      bool canMeet = crModel_CanMeet(model, findShapeOf(model, fixed[i]), findShapeOf(model, "arm"));
      assert_int_equal(canMeet, meets[k][i]);
      count += canMeet;
    }
    assert_int_equal(crModel_GetSize(model).pairCount, count);
    assert_int_equal(crModel_CountExcludedShapes(model), k == 0 ? 2 : 0);
    assert_int_equal(crModel_CountExcludedBodies(model), k == 1 ? 1 : 0);
    if (k == 0) {
      const crExcludedShapes* first = crModel_GetExcludedShapes(model, 0);
      assert_int_equal(first->shapeA, findShapeOf(model, "bracket"));
      assert_string_equal(crModel_GetJointPath(model, first->joint), "hinge");
      assert_null(crModel_GetExcludedShapes(model, 2));
    }
    crDestroyModel(model);
    crTestScene_Free(&test);
  }
}

// Steel and rubber have no pair, and need none where they only touch at the joint.
static void shapes_that_touch_at_the_world_need_no_law(void** state)
{
  (void)state;
  for (int k = 0; k < 2; ++k) {
    crTestScene test = crTestScene_Make(NULL);
    addMaterial(&test, "Rubber");
    crAddWorld(&test);
    crAddBall(&test, "bush", "world", cr_mobilityRigid, at(0.05 + k, 0, 0), "Rubber");
    crAddBall(&test, "arm", NULL, cr_mobilityRigid, at(0, 0, 0), "Steel");
    crJointDef hinge = crDefaultJointDef(cr_jointRevolute, "hinge", "world", "arm");
    assert_int_equal(crScene_AddJoint(test.scene, &hinge, NULL), cr_ok);
    crDestroyModel(crTestScene_Compile(&test, k == 0 ? cr_ok : cr_errorModel));
    crTestScene_Free(&test);
  }
}

// --------------------------------------------------------------------------------------------- laws

static int findMaterial(const crModel* model, const char* name)
{
  for (int i = 0; i < crModel_CountContactMaterials(model); ++i) {
    if (strcmp(crModel_GetContactMaterialName(model, i), name) == 0) {
      return i;
    }
  }
  fail();
  return -1;
}

static void laws_are_those_of_the_palette_and_of_the_model(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  addMaterial(&test, "Rubber");
  addLaw(&test, "Steel", "Rubber", 0.25);
  crAddWorld(&test);
  crAddBall(&test, "floor", "world", cr_mobilityRigid, at(0, 0, 0), "Rubber");
  crAddBall(&test, "other floor", "world", cr_mobilityRigid, at(1, 0, 0), "Rubber");
  crAddBall(&test, "a", NULL, cr_mobilityFree, at(0, 0, 1), "Steel");
  crAddBall(&test, "b", NULL, cr_mobilityFree, at(0, 0, 2), "Steel");
  crModel* model = crTestScene_Compile(&test, cr_ok);
  int steel = findMaterial(model, "Steel"), rubber = findMaterial(model, "Rubber");
  assert_close(crModel_GetContactLaw(model, steel, rubber)->cor, 0.25, 0.0);
  assert_ptr_equal(crModel_GetContactLaw(model, steel, rubber), crModel_GetContactLaw(model, rubber, steel));
  assert_close(crModel_GetContactLaw(model, steel, steel)->cor, 0.7, 0.0);
  assert_close(crModel_GetContactLaw(model, steel, steel)->muK, 0.5, 0.0);
  // both rubber floors are the world's: they never meet, so they need no law
  assert_null(crModel_GetContactLaw(model, rubber, rubber));
  assert_null(crModel_GetContactLaw(model, steel, 99));
  assert_close(crModel_GetContactMaterial(model, rubber)->E, 1e9, 0.0);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void a_missing_law_is_reported_once_with_both_objects(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  addMaterial(&test, "Rubber");
  crAddWorld(&test);
  for (int i = 0; i < 3; ++i) {
    char name[16];
    snprintf(name, sizeof name, "ball%d", i);
    crAddBall(&test, name, NULL, cr_mobilityFree, at(i, 0, 0), "Steel");
    snprintf(name, sizeof name, "tyre%d", i);
    crAddBall(&test, name, NULL, cr_mobilityFree, at(i, 1, 0), "Rubber");
  }
  crTestScene_Compile(&test, cr_errorModel);
  assert_int_equal(crErrorLog_CountOf(test.log, cr_severityError), 2);
  assert_true(crTestScene_Says(&test, "error: ball0: 'ball0' of Steel can meet 'tyre0' of Rubber, but these materials "
                                      "have no contact pair\n  hint: contactPair(\"Steel\", \"Rubber\", {...})"));
  assert_true(crTestScene_Says(&test, "'tyre0' of Rubber can meet 'tyre1' of Rubber"));
  crTestScene_Free(&test);
}

static void addPair(crTestScene* test, const char* a, const char* b, double muK)
{
  crContactPairDef pair = crDefaultContactPairDef(a, b);
  pair.cor = 0.5;
  pair.muK = muK;
  assert_int_equal(crScene_AddContactPair(test->scene, &pair, NULL), cr_ok);
}

// Thirty materials make 465 laws of three pairs: those of the table have to grow on the way.
static void a_pair_with_any_material_holds_where_there_is_none_nearer(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  for (int i = 0; i < 30; ++i) {
    char name[16];
    snprintf(name, sizeof name, "m%d", i);
    addMaterial(&test, name);
    crAddBall(&test, name, NULL, cr_mobilityFree, at(i, 0, 0), name);
  }
  addPair(&test, "*", "*", 0.1);
  addPair(&test, "m3", "*", 0.2);
  addPair(&test, "m4", "m3", 0.3);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  for (int a = 0; a < 30; ++a) {
    for (int b = 0; b < 30; ++b) {
      double expected = (a == 3 && b == 4) || (a == 4 && b == 3) ? 0.3 : a == 3 || b == 3 ? 0.2 : 0.1;
      assert_true(a == b || crModel_GetContactLaw(model, a, b)->muK == expected);
    }
  }
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void two_pairs_with_any_material_that_fit_equally_well_are_an_error(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddBall(&test, "a", NULL, cr_mobilityFree, at(0, 0, 0), "Steel");
  crAddBall(&test, "b", NULL, cr_mobilityFree, at(1, 0, 0), "Aluminium");
  addPair(&test, "Steel", "*", 0.1);
  addPair(&test, "*", "Aluminium", 0.2);
  crTestScene_Compile(&test, cr_errorModel);
  assert_true(crTestScene_Says(&test, "Steel and Aluminium can meet, and both have a contact pair with any material"));
  crTestScene_Free(&test);
  test = crTestScene_Make(NULL);
  crSolidMaterialDef star = crDefaultSolidMaterialDef("*");
  star.density = 1.0;
  assert_int_equal(crScene_AddSolidMaterial(test.scene, &star, NULL), cr_errorModel);
  assert_true(crTestScene_Says(&test, "'*' stands for any solid material"));
  crTestScene_Free(&test);
}

// The two shapes of unlawful materials are on one body, on excluded ones, or in groups that do not agree.
static void a_law_is_not_missed_where_shapes_cannot_meet(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  addMaterial(&test, "Rubber");
  addMaterial(&test, "Foam");
  crAddWorld(&test);
  crAddBall(&test, "a", NULL, cr_mobilityFree, at(0, 0, 0), "Steel");
  crAddBall(&test, "a.skin", "a", cr_mobilityRigid, at(0, 0, 0), "Rubber");
  crAddBall(&test, "b", NULL, cr_mobilityRigid, at(0, 0, 0), "Steel");
  crAddJoint(&test, cr_jointRevolute, "hinge", "a", "b");
  crFeatureDef foam = crMakeBall("Foam");
  foam.as.solid.group = 2;
  foam.as.solid.ignored = ~2u;
  crAddWithFeatures(&test, "c", NULL, cr_mobilityFree, at(0, 0, 0), &foam, 1);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  assert_int_equal(crModel_GetSize(model).pairCount, 0);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// 700 materials without any law: each pair is a mistake, but nobody reads 2e5 messages.
static void missing_laws_are_listed_up_to_a_limit(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  for (int i = 0; i < 700; ++i) {
    char name[16], material[16];
    snprintf(name, sizeof name, "o%d", i);
    snprintf(material, sizeof material, "M%d", i);
    addMaterial(&test, material);
    crAddBall(&test, name, NULL, cr_mobilityFree, at(i, 0, 0), material);
  }
  crTestScene_Compile(&test, cr_errorModel);
  assert_int_equal(crErrorLog_CountOf(test.log, cr_severityError), 201);
  assert_true(crTestScene_Says(&test, "more contact pairs are missing"));
  crTestScene_Free(&test);
}

// ------------------------------------------------------------------------------------------ size

// 1e5 balls on a floor of 1e3 tiles, some hinged to it inside of the first one, which is all that they do not meet.
static void pairs_of_1e5_bodies_are_counted_without_listing_them(void** state)
{
  (void)state;
  const int64_t balls = 100000, tiles = 1000, hinged = 10000;
  char name[16], joint[16];
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  for (int i = 0; i < tiles; ++i) {
    snprintf(name, sizeof name, "t%d", i);
    crAddBall(&test, name, "world", cr_mobilityRigid, at(i, 0, 0), "Steel");
  }
  for (int i = 0; i < balls; ++i) {
    snprintf(name, sizeof name, "b%d", i);
    snprintf(joint, sizeof joint, "j%d", i);
    crAddBall(&test, name, NULL, i < hinged ? cr_mobilityRigid : cr_mobilityFree, at(0, i, 0), "Steel");
    if (i < hinged) {
      crAddJoint(&test, cr_jointRevolute, joint, "world", name);
    }
  }
  crModel* model = crTestScene_Compile(&test, cr_ok);
  assert_int_equal(crModel_GetSize(model).pairCount, balls * (balls - 1) / 2 + balls * tiles - hinged);
  assert_int_equal(crModel_GetSize(model).excludedPairCount, hinged);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_pairs_agree_with_brute_force),
    cmocka_unit_test(excluded_bodies_are_sorted_and_say_why),
    cmocka_unit_test(nothing_collides_without_contact_detection_or_where_it_is_switched_off),
    cmocka_unit_test(what_is_jointed_to_the_world_meets_what_it_does_not_touch),
    cmocka_unit_test(shapes_that_touch_at_the_world_need_no_law),
    cmocka_unit_test(laws_are_those_of_the_palette_and_of_the_model),
    cmocka_unit_test(a_pair_with_any_material_holds_where_there_is_none_nearer),
    cmocka_unit_test(two_pairs_with_any_material_that_fit_equally_well_are_an_error),
    cmocka_unit_test(a_missing_law_is_reported_once_with_both_objects),
    cmocka_unit_test(a_law_is_not_missed_where_shapes_cannot_meet),
    cmocka_unit_test(missing_laws_are_listed_up_to_a_limit),
    cmocka_unit_test(pairs_of_1e5_bodies_are_counted_without_listing_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
