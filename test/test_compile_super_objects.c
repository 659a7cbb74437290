// The example of [NeumayrOtter19], figures 2 to 5: what the text says about it.
#include "support/scenes.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static crModel* compileExample(crTestScene* test)
{
  *test = crTestScene_Make(NULL);
  crBuildSuperObjects(test);
  return crTestScene_Compile(test, cr_ok);
}

// Super-object of an object, counted from 1 as in the paper.
static int superObjectOf(const crModel* model, const char* path)
{
  int object = crModel_FindObject(model, path);
  assert_true(object >= 0);
  return crModel_GetObject(model, object)->body + 1;
}

static void fourteen_objects_form_six_super_objects(void** state)
{
  (void)state;
  crTestScene test;
  crModel* model = compileExample(&test);
  static const int expected[14] = { 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6 };
  crModelSize size = crModel_GetSize(model);
  assert_int_equal(size.objectCount, 14);
  assert_int_equal(size.bodyCount, 6);
  assert_int_equal(size.treeCount, 1);
  for (int i = 0; i < 14; ++i) {
    char path[16];
    snprintf(path, sizeof path, "obj%d", i + 1);
    assert_int_equal(superObjectOf(model, path), expected[i]);
  }
  assert_int_equal(crErrorLog_Count(test.log), 0);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void super_objects_2_3_4_6_form_a_loop_that_is_cut_between_3_and_6(void** state)
{
  (void)state;
  crTestScene test;
  crModel* model = compileExample(&test);
  assert_int_equal(crModel_GetSize(model).cutJointCount, 1);
  const crLoop* loop = crModel_GetLoop(model, 0);
  static const int expected[4] = { 3, 2, 4, 6 };
  int count;
  const int* bodies = crModel_GetLoopBodies(model, 0, &count);
  assert_int_equal(loop->bodyCount, 4);
  assert_int_equal(count, 4);
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(bodies[i] + 1, expected[i]);
  }
  const crModelJoint* cut = crModel_GetJoint(model, loop->cutJoint);
  assert_true(cut->isCut);
  assert_string_equal(crModel_GetJointPath(model, loop->cutJoint), "joint5");
  assert_string_equal(crModel_GetObjectPath(model, cut->objectA), "obj5");
  assert_string_equal(crModel_GetObjectPath(model, cut->objectB), "obj13");
  assert_int_equal(cut->bodyA + 1, 3);
  assert_int_equal(cut->bodyB + 1, 6);
  assert_int_equal(cut->qStart, -1);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// At the start the loop is closed: both ends of the cut joint are at the same place.
static void the_parallelogram_closes_at_its_start_values(void** state)
{
  (void)state;
  crTestScene test;
  crModel* model = compileExample(&test);
  const crModelJoint* cut = crModel_GetJoint(model, crModel_GetLoop(model, 0)->cutJoint);
  crPose X_WA = crMulPose(crModel_GetBody(model, cut->bodyA)->X_WB_start, cut->X_BA);
  crPose X_WB = crMulPose(crModel_GetBody(model, cut->bodyB)->X_WB_start, cut->X_BB);
  assert_vec_close(X_WA.p, crMakeVec3(0.0, 4.0, 0.0), 1e-15);
  assert_vec_close(X_WB.p, X_WA.p, 1e-15);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void super_object_2_may_not_collide_with_3(void** state)
{
  (void)state;
  crTestScene test;
  crModel* model = compileExample(&test);
  // shapes on 3 (obj5), 5 (obj11), 6 (obj14): 3 and 6 are excluded by the cut joint
  assert_int_equal(crModel_GetSize(model).shapeCount, 3);
  assert_int_equal(crModel_GetSize(model).pairCount, 2);
  assert_int_equal(crModel_GetSize(model).excludedPairCount, 1);
  assert_true(crModel_CanMeet(model, 0, 1));
  assert_false(crModel_CanMeet(model, 0, 2));
  assert_int_equal(crModel_CountExcludedBodies(model), 1);
  assert_int_equal(crModel_GetExcludedBodies(model, 0)->bodyA, 2);
  assert_int_equal(crModel_GetExcludedBodies(model, 0)->bodyB, 5);
  crDestroyModel(model);

  char* dump = crTestScene_Dump(&test, cr_passNeeds, cr_ok);
  static const char expected[] = "super-object 2\n"
                                 "  collision    -\n"
                                 "  mass         obj2\n"
                                 "  force        obj2 obj3\n"
                                 "  visual       -\n"
                                 "  no collision 3 4 5\n";
  assert_non_null(strstr(dump, expected));
  free(dump);
  crTestScene_Free(&test);
}

static void the_dump_shows_the_four_lists_and_the_cut_joint(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crBuildSuperObjects(&test);
  char* dump = crTestScene_Dump(&test, cr_passNeeds, cr_ok);
  static const char* const expected[] = {
    // the paper has 2 here: joints to the world keep shapes apart that touch, not the whole of the world
    "super-object 1\n  collision    -\n  mass         -\n  force        obj1\n  visual       -\n  no collision -\n",
    "super-object 3\n  collision    obj5\n  mass         obj4 obj5\n  force        obj4 obj5\n  visual       -\n"
    "  no collision 6\n",
    "super-object 4\n  collision    -\n  mass         obj7\n  force        obj6 obj7 obj8\n  visual       -\n"
    "  no collision 6\n",
    "super-object 5\n  collision    obj11\n  mass         obj9 obj11\n  force        obj9 obj11\n  visual       obj10\n"
    "  no collision -\n",
    "super-object 6\n  collision    obj14\n  mass         obj12 obj14\n  force        obj12 obj13 obj14\n"
    "  visual       -\n  no collision -\n",
    "cut joint joint5 between super-objects 3 and 6\n",
    "spring (obj11, obj8)",
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    if (strstr(dump, expected[i]) == NULL) {
      print_error("not found:\n%s\nin:\n%s\n", expected[i], dump);
      fail();
    }
  }
  free(dump);
  crTestScene_Free(&test);
}

static void only_drawn_objects_are_not_needed_between_output_points(void** state)
{
  (void)state;
  crTestScene test;
  crModel* model = compileExample(&test);
  const crModelObject* axes = crModel_GetObject(model, crModel_FindObject(model, "obj10"));
  assert_int_equal(axes->needs, cr_needVisual);
  const crModelObject* cut = crModel_GetObject(model, crModel_FindObject(model, "obj13"));
  assert_int_equal(cut->needs, cr_needCut);
  const crModelObject* spring = crModel_GetObject(model, crModel_FindObject(model, "obj8"));
  assert_int_equal(spring->needs, cr_needForce);
  const crModelObject* drawn = crModel_GetObject(model, crModel_FindObject(model, "obj14"));
  assert_int_equal(drawn->needs, cr_needContact | cr_needMass | cr_needVisual);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void every_pass_can_be_dumped_and_says_the_same_twice(void** state)
{
  (void)state;
  crTestScene first = crTestScene_Make(NULL), second = crTestScene_Make(NULL);
  crBuildSuperObjects(&first);
  crBuildSuperObjects(&second);
  for (int pass = 0; pass < cr_passCount; ++pass) {
    char* a = crTestScene_Dump(&first, (crPass)pass, cr_ok);
    char* b = crTestScene_Dump(&second, (crPass)pass, cr_ok);
    assert_true(strlen(a) > 20);
    assert_string_equal(a, b);
    free(a);
    free(b);
  }
  crTestScene_Free(&first);
  crTestScene_Free(&second);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(fourteen_objects_form_six_super_objects),
    cmocka_unit_test(super_objects_2_3_4_6_form_a_loop_that_is_cut_between_3_and_6),
    cmocka_unit_test(the_parallelogram_closes_at_its_start_values),
    cmocka_unit_test(super_object_2_may_not_collide_with_3),
    cmocka_unit_test(the_dump_shows_the_four_lists_and_the_cut_joint),
    cmocka_unit_test(only_drawn_objects_are_not_needed_between_output_points),
    cmocka_unit_test(every_pass_can_be_dumped_and_says_the_same_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
