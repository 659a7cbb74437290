// Bad models: each mistake gets one message with its address, and several are collected in one go.
#include "support/scenes.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const crVec3 origin = { 0.0, 0.0, 0.0 };

// Compiles, and expects this many errors; then looks for texts. `texts` ends with NULL.
static void expectErrors(crTestScene* test, int count, const char* const* texts)
{
  crTestScene_Compile(test, cr_errorModel);
  if (crErrorLog_CountOf(test->log, cr_severityError) != count) {
    crTestScene_PrintLog(test);
  }
  assert_int_equal(crErrorLog_CountOf(test->log, cr_severityError), count);
  for (; *texts != NULL; ++texts) {
    if (!crTestScene_Says(test, *texts)) {
      print_error("missing: %s\n", *texts);
      fail();
    }
  }
  crTestScene_Free(test);
}

#define EXPECT(test, count, ...) expectErrors(test, count, (const char* const[]){ __VA_ARGS__, NULL })

static crTestScene makeWithWorld(void)
{
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  return test;
}

// ------------------------------------------------------------------------------------------ resolve

static void an_unknown_parent_is_reported_where_it_is_named(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddObject(&test, "carriage", "world", origin);
  int line = crErrorLog_Count(test.log);
  assert_int_equal(line, 0);
  crAddObject(&test, "wheel", "cariage", origin);
  EXPECT(&test, 1, "scene.lua:", "error: wheel: parent is unknown\n  found cariage\n  hint: did you mean 'carriage'?");
}

static void a_forgotten_assembly_is_suggested(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddFree(&test, "robot.arm.hand", NULL, origin);
  crAddObject(&test, "robot.arm.finger", "hand", origin);
  EXPECT(&test, 1, "did you mean 'robot.arm.hand'?");
}

static void unknown_ends_of_joints_forces_and_exclusions_are_all_reported(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddFree(&test, "ball", NULL, origin);
  crAddJoint(&test, cr_jointRevolute, "hinge", "bal", "ball");
  crForceDef force = crDefaultForceDef(cr_forceSpringDamper, "spring", "ball", "nowhere at all");
  assert_int_equal(crScene_AddForce(test.scene, &force, NULL), cr_ok);
  crAddExclusion(&test, "worlds", "nobody at all");
  EXPECT(&test, 4, "hinge: objectA is unknown\n  found bal\n  hint: did you mean 'ball'?",
         "spring: objectB is unknown\n  found nowhere at all", "exclude: the first object is unknown\n  found worlds",
         "exclude: the second object is unknown\n  found nobody at all");
}

static void an_element_of_the_wrong_kind_is_named_as_such(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddMass(&test, "arm.bar", NULL, origin, 1.0);
  crAddJoint(&test, cr_jointRevolute, "arm.rev1", "world", "arm.bar");
  crAddObject(&test, "lamp", "arm.rev1", origin);
  crAssemblyDef assembly = crDefaultAssemblyDef("leg");
  assert_int_equal(crScene_AddAssembly(test.scene, &assembly, NULL), cr_ok);
  crAddObject(&test, "shoe", "leg", origin);
  EXPECT(&test, 2, "lamp: parent has to be an object: 'arm.rev1' is a joint, not an object", "'leg' is an assembly");
}

static void unknown_materials_and_looks_are_reported_at_their_feature(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crFeatureDef features[2] = { crMakeBall("DryWod"), crMakeBall(NULL) };
  features[0].as.solid.material = "Stel";
  features[1].as.solid.visual = "no such colour";
  crAddWithFeatures(&test, "ball", NULL, cr_mobilityFree, origin, features, 2);
  EXPECT(&test, 3, "ball.solid1: material is unknown\n  found Stel\n  hint: did you mean 'Steel'?",
         "ball.solid1: contact material is unknown\n  found DryWod\n  hint: did you mean 'DryWood'?",
         "ball.solid2: visual material is unknown\n  found no such colour\n  hint: give the name of a visual");
}

static void a_contact_pair_of_unknown_materials_is_reported(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crContactPairDef pair = crDefaultContactPairDef("Steel", "Rubbber");
  pair.cor = pair.muK = pair.muR = 0.0;
  assert_int_equal(crScene_AddContactPair(test.scene, &pair, NULL), cr_ok);
  EXPECT(&test, 1, "Steel/Rubbber: the second material is unknown\n  found Rubbber");
}

static void a_contact_material_needs_elastic_constants(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crSolidMaterialDef jelly = crDefaultSolidMaterialDef("Jelly");
  jelly.density = 1000.0;
  assert_int_equal(crScene_AddSolidMaterial(test.scene, &jelly, NULL), cr_ok);
  crAddBall(&test, "ball", NULL, cr_mobilityFree, origin, "Jelly");
  EXPECT(&test, 1, "ball.solid1: contact material 'Jelly' has no E");
}

// The joint failed when it was added; neither the reference to it nor the object without it is news.
static void what_failed_before_is_not_reported_again(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddMass(&test, "arm", NULL, origin, 1.0);
  crJointDef joint = crDefaultJointDef(cr_jointRevolute, "hinge", "world", "arm");
  joint.axis.x = NAN;
  assert_int_equal(crScene_AddJoint(test.scene, &joint, NULL), cr_errorModel);
  crObjectDef broken = crDefaultObjectDef("broken");
  broken.position.x = NAN;
  broken.parent = "arm";
  assert_int_equal(crScene_AddObject(test.scene, &broken, NULL), cr_errorModel);
  crAddObject(&test, "on it", "broken", origin);
  crAddObject(&test, "lost", "nobody", origin);
  EXPECT(&test, 3, "hinge: axis", "broken: position", "lost: parent is unknown");
}

// -------------------------------------------------------------------------------------------- check

static void a_model_without_a_world_is_refused(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddFree(&test, "ball", NULL, origin);
  EXPECT(&test, 1, "error: the model has no world\n  hint: add one object that is the world");
}

static void an_empty_scene_has_no_world(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  EXPECT(&test, 1, "the model has no world");
}

static void two_worlds_are_both_named(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddWithFeatures(&test, "earth", NULL, cr_mobilityWorld, origin, NULL, 0);
  crAddObject(&test, "rock", "earth", origin);
  EXPECT(&test, 1, "earth: there are two worlds: 'world' and 'earth'");
}

static void cyclic_parents_are_listed(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddObject(&test, "tail", "b", origin);
  crAddObject(&test, "c", "a", origin);
  crAddObject(&test, "a", "b", origin);
  crAddObject(&test, "b", "c", origin);
  crAddObject(&test, "self", "self", origin);
  EXPECT(&test, 2, "c: the parents form a cycle\n  found 'c' -> 'a' -> 'b' -> 'c'\n",
         "self: the parents form a cycle\n  found 'self' -> 'self'");
}

static void a_long_cycle_is_shortened(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  char name[16], parent[16];
  for (int i = 0; i < 5000; ++i) {
    snprintf(name, sizeof name, "o%d", i);
    snprintf(parent, sizeof parent, "o%d", (i + 1) % 5000);
    crAddObject(&test, name, parent, origin);
  }
  EXPECT(&test, 1, "found 'o0' -> 'o1' -> 'o2' -> 'o3' -> 'o4' -> ... -> 'o0', 5000 in all");
}

static void a_joint_to_itself_is_refused(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddMass(&test, "arm", NULL, origin, 1.0);
  crAddJoint(&test, cr_jointRevolute, "hinge", "arm", "arm");
  EXPECT(&test, 1, "hinge: the joint connects 'arm' with itself");
}

static void a_joint_between_rigidly_connected_objects_is_refused(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddMass(&test, "arm", "world", origin, 1.0);
  crAddMass(&test, "hand", NULL, origin, 1.0);
  crAddJoint(&test, cr_jointFix, "glue", "arm", "hand");
  crAddJoint(&test, cr_jointRevolute, "hinge", "hand", "world");
  EXPECT(&test, 1, "hinge: the revolute joint connects 'hand' and 'world', which are rigidly connected already");
}

static void a_fix_joint_that_closes_a_rigid_cycle_is_refused(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddFree(&test, "a", NULL, origin);
  crAddObject(&test, "b", "a", origin);
  crAddObject(&test, "c", NULL, origin);
  crAddJoint(&test, cr_jointFix, "glue1", "b", "c");
  crAddJoint(&test, cr_jointFix, "glue2", "c", "a");
  EXPECT(&test, 1, "glue2: the fix joint connects 'c' and 'a', which are rigidly connected already");
}

static void an_unconnected_group_is_named_by_its_reference(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddObject(&test, "leaf", "root", origin);
  crAddObject(&test, "root", NULL, origin);
  crAddObject(&test, "alone", NULL, origin);
  EXPECT(&test, 2, "root: 'root' is not connected to the world, nor is the object that it is connected with",
         "alone: 'alone' is not connected to the world\n  hint: make it free, give it a parent, or connect it");
}

// One message for all that joints hold together, none where a reference is unknown anyway.
static void unconnected_groups_that_joints_connect_are_one_message(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddObject(&test, "a", NULL, origin);
  crAddObject(&test, "b", NULL, origin);
  crAddObject(&test, "c", NULL, origin);
  crAddJoint(&test, cr_jointRevolute, "ab", "a", "b");
  crAddJoint(&test, cr_jointRevolute, "bc", "b", "c");
  crAddObject(&test, "d", NULL, origin);
  crAddJoint(&test, cr_jointRevolute, "dx", "d", "unknown thing");
  EXPECT(&test, 2, "a: 'a' is not connected to the world, nor are the objects that it is connected with",
         "dx: objectB is unknown");
}

static void a_free_object_that_is_connected_already_is_refused(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddFree(&test, "arm", NULL, origin);
  crAddJoint(&test, cr_jointRevolute, "hinge", "world", "arm");
  crAddFree(&test, "plate", NULL, origin);
  crAddJoint(&test, cr_jointFix, "bolt", "plate", "world");
  crAddFree(&test, "one", NULL, origin);
  crAddFree(&test, "two", NULL, origin);
  crAddJoint(&test, cr_jointFix, "glue", "one", "two");
  crAddFree(&test, "tail", NULL, origin);
  crAddJoint(&test, cr_jointPrismatic, "rod", "tail", "one");
  EXPECT(&test, 4, "arm: 'arm' is free, but joint 'hinge' already connects it\n  hint: drop 'free'",
         "plate: 'plate' is free, but rigidly connected to the world",
         "two: 'two' is free, but rigidly connected to 'one', which is free already",
         "tail: 'tail' is free, but joint 'rod' already connects it");
}

static void a_free_joint_that_closes_a_loop_is_refused(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddFree(&test, "a", NULL, origin);
  crAddFree(&test, "b", NULL, origin);
  crAddJoint(&test, cr_jointFreeMotion, "fly", "a", "world");
  crAddMass(&test, "c", NULL, origin, 1.0);
  crAddJoint(&test, cr_jointRevolute, "hinge", "c", "world");
  crAddJoint(&test, cr_jointFreeMotion, "useless", "c", "world");
  EXPECT(&test, 2, "a: 'a' is free, but joint 'fly' already connects it",
         "useless: the freeMotion joint closes a loop: 'c' and 'world' are connected already");
}

// The parent of a free object is moved by that very object. A cycle of parents is one already, and is not
// reported twice.
static void start_poses_that_depend_on_themselves_are_refused(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddFree(&test, "body", "tail", origin);
  crAddMass(&test, "tail", NULL, origin, 1.0);
  crAddJoint(&test, cr_jointRevolute, "wag", "body", "tail");
  crAddFree(&test, "x", "y.top", origin);
  crAddObject(&test, "x.top", "x", origin);
  crAddFree(&test, "y", "x.top", origin);
  crAddObject(&test, "y.top", "y", origin);
  EXPECT(&test, 2, "body: the start pose of free object 'body' depends on itself, because its parent 'tail' moves",
         "found 'body' -> 'body'", "x: the parents form a cycle");
}

static void start_poses_in_a_circle_of_trees_are_refused(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddFree(&test, "x", "y.arm", origin);
  crAddMass(&test, "x.arm", NULL, origin, 1.0);
  crAddJoint(&test, cr_jointRevolute, "jx", "x", "x.arm");
  crAddFree(&test, "y", "x.arm", origin);
  crAddMass(&test, "y.arm", NULL, origin, 1.0);
  crAddJoint(&test, cr_jointRevolute, "jy", "y", "y.arm");
  EXPECT(&test, 1, "x: the start pose of free object 'x' depends on itself", "found 'x' -> 'y' -> 'x'");
}

static void mistakes_of_many_kinds_are_collected(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddObject(&test, "a", "nobody", origin);
  crAddObject(&test, "b", "b", origin);
  crAddObject(&test, "c", NULL, origin);
  crAddBall(&test, "d", NULL, cr_mobilityFree, origin, "Unobtainium");
  crAddJoint(&test, cr_jointRevolute, "dd", "d", "d");
  EXPECT(&test, 5, "a: parent is unknown", "b: the parents form a cycle", "c: 'c' is not connected",
         "d.solid1: contact material is unknown", "dd: the joint connects 'd' with itself");
}

// 3000 misspelt names over 3000 candidates would be 1e9 letters: suggestions stop, messages do not.
static void many_unknown_names_do_not_take_for_ever(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  for (int i = 0; i < 3000; ++i) {
    char name[64], parent[64];
    snprintf(name, sizeof name, "a.rather.long.name.of.an.object.number.%d", i);
    snprintf(parent, sizeof parent, "a.rather.long.nome.of.an.object.nomber.%d", i);
    crAddObject(&test, name, parent, origin);
  }
  EXPECT(&test, 3000, "did you mean 'a.rather.long.name.of.an.object.number.0'?");
}

// ----------------------------------------------------------------------------------------- warnings

static void expectWarning(crTestScene* test, const char* text)
{
  crModel* model = crTestScene_Compile(test, cr_ok);
  if (crErrorLog_CountOf(test->log, cr_severityWarning) != 1) {
    crTestScene_PrintLog(test);
  }
  assert_int_equal(crErrorLog_CountOf(test->log, cr_severityWarning), 1);
  assert_true(crTestScene_Says(test, text));
  crDestroyModel(model);
  crTestScene_Free(test);
}

static void a_moving_body_without_mass_at_the_end_of_a_tree_is_suspicious(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddObject(&test, "middle", NULL, origin); // massless, but carries the end
  crAddObject(&test, "end", NULL, origin);
  crAddJoint(&test, cr_jointRevolute, "j1", "world", "middle");
  crAddJoint(&test, cr_jointRevolute, "j2", "middle", "end");
  expectWarning(&test,
                "warning: end: 'end' and what is fixed to it moves, but has no mass\n  found 0 kg, allowed: > 0 kg");
}

static void a_mass_from_density_beyond_reason_is_suspicious(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crFeatureDef ball = crMakeBall(NULL);
  ball.as.solid.shape.as.sphere.radius = 100.0; // 10 cm in millimetres
  crAddWithFeatures(&test, "ball", NULL, cr_mobilityFree, origin, &ball, 1);
  expectWarning(&test, "ball: suspicious mass of feature 1 from its density\n  found 3.35103e+10 kg");
}

static void a_ratio_of_masses_beyond_reason_is_suspicious(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddMass(&test, "ship", NULL, origin, 1e6);
  crAddMass(&test, "fly", NULL, origin, 1e-3);
  crAddJoint(&test, cr_jointRevolute, "j1", "world", "ship");
  crAddJoint(&test, cr_jointRevolute, "j2", "ship", "fly");
  expectWarning(&test, "j2: suspicious ratio of the masses that it connects: 'ship' has 1e+06 kg, 'fly' has 0.001 kg");
}

static void a_force_within_a_body_has_no_effect(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddObject(&test, "wall", "world", origin);
  crForceDef force = crDefaultForceDef(cr_forceSpringDamper, "spring", "world", "wall");
  assert_int_equal(crScene_AddForce(test.scene, &force, NULL), cr_ok);
  expectWarning(&test, "spring: the force has no effect: 'world' and 'wall' are rigidly connected");
}

static void an_exclusion_within_a_body_has_no_effect(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddObject(&test, "wall", "world", origin);
  crAddExclusion(&test, "wall", "world");
  expectWarning(&test, "exclude: the exclusion has no effect: 'wall' and 'world' are rigidly connected");
}

// ------------------------------------------------------------------------------------------- misuse

static void misuse_is_refused_without_a_model(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crModel* model = (crModel*)&test;
  crTextWriter writer = { NULL, NULL };
  assert_int_equal(crCompile(NULL, NULL, NULL, NULL, &model), cr_errorMisuse);
  assert_null(model);
  assert_int_equal(crCompile(test.scene, NULL, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crDumpPass(test.scene, cr_passCount, NULL, NULL, writer), cr_errorMisuse);
  assert_int_equal(crDumpPass(test.scene, cr_passCheck, NULL, NULL, writer), cr_errorMisuse);
  assert_string_equal(crPassText(cr_passPairs), "pairs");
  assert_string_equal(crPassText(cr_passCount), "unknown pass");
  crDestroyModel(NULL);
  crTestScene_Free(&test);
}

// With errors the first two passes can still be looked at; the others have nothing to say.
static void a_bad_model_can_be_dumped_up_to_check(void** state)
{
  (void)state;
  crTestScene test = makeWithWorld();
  crAddObject(&test, "a", "nobody", origin);
  char* dump = crTestScene_Dump(&test, cr_passResolve, cr_errorModel);
  assert_non_null(strstr(dump, "?"));
  free(dump);
  dump = crTestScene_Dump(&test, cr_passCheck, cr_errorModel);
  assert_non_null(strstr(dump, "not connected"));
  free(dump);
  dump = crTestScene_Dump(&test, cr_passWeld, cr_errorModel);
  assert_string_equal(dump, "");
  free(dump);
  crTestScene_Free(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_unknown_parent_is_reported_where_it_is_named),
    cmocka_unit_test(a_forgotten_assembly_is_suggested),
    cmocka_unit_test(unknown_ends_of_joints_forces_and_exclusions_are_all_reported),
    cmocka_unit_test(an_element_of_the_wrong_kind_is_named_as_such),
    cmocka_unit_test(unknown_materials_and_looks_are_reported_at_their_feature),
    cmocka_unit_test(a_contact_pair_of_unknown_materials_is_reported),
    cmocka_unit_test(a_contact_material_needs_elastic_constants),
    cmocka_unit_test(what_failed_before_is_not_reported_again),
    cmocka_unit_test(a_model_without_a_world_is_refused),
    cmocka_unit_test(an_empty_scene_has_no_world),
    cmocka_unit_test(two_worlds_are_both_named),
    cmocka_unit_test(cyclic_parents_are_listed),
    cmocka_unit_test(a_long_cycle_is_shortened),
    cmocka_unit_test(a_joint_to_itself_is_refused),
    cmocka_unit_test(a_joint_between_rigidly_connected_objects_is_refused),
    cmocka_unit_test(a_fix_joint_that_closes_a_rigid_cycle_is_refused),
    cmocka_unit_test(an_unconnected_group_is_named_by_its_reference),
    cmocka_unit_test(unconnected_groups_that_joints_connect_are_one_message),
    cmocka_unit_test(a_free_object_that_is_connected_already_is_refused),
    cmocka_unit_test(a_free_joint_that_closes_a_loop_is_refused),
    cmocka_unit_test(start_poses_that_depend_on_themselves_are_refused),
    cmocka_unit_test(start_poses_in_a_circle_of_trees_are_refused),
    cmocka_unit_test(mistakes_of_many_kinds_are_collected),
    cmocka_unit_test(many_unknown_names_do_not_take_for_ever),
    cmocka_unit_test(a_moving_body_without_mass_at_the_end_of_a_tree_is_suspicious),
    cmocka_unit_test(a_mass_from_density_beyond_reason_is_suspicious),
    cmocka_unit_test(a_ratio_of_masses_beyond_reason_is_suspicious),
    cmocka_unit_test(a_force_within_a_body_has_no_effect),
    cmocka_unit_test(an_exclusion_within_a_body_has_no_effect),
    cmocka_unit_test(misuse_is_refused_without_a_model),
    cmocka_unit_test(a_bad_model_can_be_dumped_up_to_check),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
