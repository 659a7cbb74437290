// Joints as they are written: axes, pitch, and what acts in them, by field and by message.
#include "support/log.h"
#include "support/lua.h"
#include "support/scenes.h"

#include <string.h>

typedef struct Bench {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene;
} Bench;

static Bench makeBench(void)
{
  Bench bench = { .log = crCreateErrorLog(NULL) };
  bench.sink = crErrorLog_GetSink(bench.log);
  assert_int_equal(crCreateScene(NULL, &bench.sink, &bench.scene), cr_ok);
  return bench;
}

static void freeBench(Bench* bench)
{
  crDestroyScene(bench->scene);
  crDestroyErrorLog(bench->log);
}

static void refuse(crJointDef def, const char* message)
{
  Bench bench = makeBench();
  assert_int_equal(crScene_AddJoint(bench.scene, &def, NULL), cr_errorModel);
  assert_message(bench.log, cr_severityError, message);
  assert_int_equal(crErrorLog_CountOf(bench.log, cr_severityError), 1);
  freeBench(&bench);
}

static crJointDef make(crJointKind kind)
{
  crJointDef def = crDefaultJointDef(kind, "j", "a", "b");
  def.pitch = 0.1;
  return def;
}

static void defaults_of_every_kind_are_taken(void** state)
{
  (void)state;
  for (int kind = 0; kind < cr_jointKindCount; ++kind) {
    Bench bench = makeBench();
    crJointDef def = make((crJointKind)kind);
    assert_int_equal(crScene_AddJoint(bench.scene, &def, NULL), cr_ok);
    assert_no_messages(bench.log);
    freeBench(&bench);
  }
}

static void axes_and_pitch_are_checked(void** state)
{
  (void)state;
  crJointDef universal = make(cr_jointUniversal), screw = make(cr_jointScrew), ball = make(cr_jointSpherical);
  universal.axis2 = crMakeVec3(0, 0, -3);
  refuse(universal, "j: axis2 lies along axis\n  found 0 rad, allowed: >= 1e-6 rad");
  universal.axis2 = crMakeVec3(1, NAN, 0);
  refuse(universal, "j: axis2 has no direction");
  screw.pitch = NAN;
  refuse(screw, "j: pitch must be finite");
  ball.start[1] = 1e-200;
  refuse(ball, "j: the start orientation has no length");
}

static void laws_are_checked_by_degree_of_freedom(void** state)
{
  (void)state;
  crJointDef def = make(cr_jointCylindrical);
  def.law.damping[1] = NAN;
  refuse(def, "j: damping rate must be finite");
  def = make(cr_jointCylindrical);
  def.law.friction[0] = -1;
  refuse(def, "j: friction position must not be negative");
  def = make(cr_jointRevolute);
  def.law.frictionRate[0] = -1;
  refuse(def, "j: frictionRate angle must be positive");
  def = make(cr_jointPlanar);
  def.law.friction[2] = 2;
  def.law.frictionStatic[2] = 1;
  refuse(def, "j: frictionStatic is below friction: angle\n  found 1, allowed: >= friction");
  def.law.frictionStatic[2] = -1;
  refuse(def, "j: frictionStatic angle must not be negative");
  def = make(cr_jointRevolute);
  def.law.frictionStiffness[0] = -1;
  refuse(def, "j: frictionStiffness angle must not be negative");
  def = make(cr_jointRevolute);
  def.law.frictionFade[0] = -1;
  refuse(def, "j: frictionFade angle must be positive");
  def = make(cr_jointRevolute);
  def.law.frictionLaw = (crFrictionLaw)7;
  refuse(def, "j: unknown frictionLaw 7");
  def = make(cr_jointRevolute);
  def.law.rotorInertia[0] = -0.1;
  refuse(def, "j: rotorInertia angle must not be negative");
  def = make(cr_jointRevolute);
  def.law.stopMin[0] = 1;
  def.law.stopMax[0] = -1;
  def.law.stopStiffness[0] = 1;
  refuse(def, "j: stopMin is not below stopMax: angle\n  found 1, allowed: < stopMax");
  def = make(cr_jointPrismatic);
  def.law.stopMin[0] = -CR_NO_STOP;
  def.law.stopMax[0] = 1;
  refuse(def, "j: a stop needs a stopStiffness: position\n  found 0, allowed: > 0");
  def = make(cr_jointPrismatic);
  def.law.stopMin[0] = -CR_NO_STOP;
  def.law.stopMax[0] = INFINITY;
  refuse(def, "j: stopMax position must be finite");
}

static void negative_stiffness_and_damping_are_allowed(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crJointDef def = make(cr_jointRevolute);
  def.law.stiffness[0] = -5;
  def.law.damping[0] = -1;
  assert_int_equal(crScene_AddJoint(bench.scene, &def, NULL), cr_ok);
  freeBench(&bench);
}

static void joints_with_a_quaternion_have_damping_only(void** state)
{
  (void)state;
  crJointDef ball = make(cr_jointSpherical), body = make(cr_jointFreeMotion);
  ball.law.damping[2] = body.law.damping[5] = 1;
  Bench bench = makeBench();
  assert_int_equal(crScene_AddJoint(bench.scene, &ball, NULL), cr_ok);
  body.name = "k";
  assert_int_equal(crScene_AddJoint(bench.scene, &body, NULL), cr_ok);
  freeBench(&bench);
  ball.law.stiffness[1] = 1;
  refuse(ball, "j: a spherical joint cannot have stiffness, only damping");
  ball = make(cr_jointSpherical);
  ball.law.friction[0] = 1;
  refuse(ball, "j: a spherical joint cannot have friction, only damping");
  body = make(cr_jointFreeMotion);
  body.law.stopMin[4] = -CR_NO_STOP;
  body.law.stopMax[4] = 1;
  refuse(body, "j: a freeMotion joint cannot have stopMax, only damping");
  body = make(cr_jointFreeMotion);
  body.law.rotorInertia[4] = 1;
  refuse(body, "j: a freeMotion joint cannot have rotorInertia, only damping");
}

// -------------------------------------------------------------------------------------------------- Lua

static void one_number_is_for_all_degrees_of_freedom(void** state)
{
  (void)state;
  crTestModel model =
      crTestModel_ReadGood("cylindrical('j', 'a', 'b', { damping = 2, stiffness = { 3, 4 }, stopMin = -1, "
                           "stopMax = { 1e300, 5 }, stopStiffness = 7 })");
  const crJointDef* def = crScene_GetJoint(model.scene, crScene_Find(model.scene, "j"));
  assert_close(def->law.damping[0], 2, 0);
  assert_close(def->law.damping[1], 2, 0);
  assert_close(def->law.stiffness[1], 4, 0);
  assert_close(def->law.stopMin[1], -1, 0);
  assert_close(def->law.stopMax[0], CR_NO_STOP, 0);
  assert_close(def->law.stopMax[1], 5, 0);
  crTestModel_Free(&model);
}

static void fields_that_a_kind_does_not_have_are_named(void** state)
{
  (void)state;
  assert_reads("spherical('j', 'a', 'b', { stiffness = 2 })", cr_errorModel,
               "stiffness: a spherical has no such field");
  assert_reads("screw('j', 'a', 'b', {})", cr_errorModel, "pitch is missing");
  assert_reads("revolute('j', 'a', 'b', { axis2 = 'x' })", cr_errorModel, "axis2: a revolute has no such field");
  assert_reads("universal('j', 'a', 'b', { damping = { 1, 2, 3 } })", cr_errorModel, "damping is of the wrong type");
}

// ------------------------------------------------------------------------------------------------ model

static void model_joints_have_a_law_only_where_something_acts(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddMass(&test, "a", NULL, crMakeVec3(0, 0, 0), 1);
  crAddMass(&test, "b", NULL, crMakeVec3(0, 0, 0), 1);
  crJointDef plain = crDefaultJointDef(cr_jointUniversal, "plain", "world", "a");
  crJointDef sprung = crDefaultJointDef(cr_jointScrew, "sprung", "world", "b");
  plain.law.rest[0] = 3; // of no spring
  plain.axis2 = crMakeVec3(2, 0, 2);
  sprung.pitch = 0.25;
  sprung.law.stiffness[0] = 4;
  assert_int_equal(crScene_AddJoint(test.scene, &plain, NULL), cr_ok);
  assert_int_equal(crScene_AddJoint(test.scene, &sprung, NULL), cr_ok);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  crTestScene_Free(&test);
  const crModelJoint* a = crModel_GetJoint(model, crModel_FindJoint(model, "plain"));
  const crModelJoint* b = crModel_GetJoint(model, crModel_FindJoint(model, "sprung"));
  assert_int_equal(a->law, -1);
  const crJointLaw* law = crModel_GetJointLaw(model, crModel_FindJoint(model, "sprung"));
  assert_vec_close(a->axis2, crMakeVec3(sqrt(0.5), 0, sqrt(0.5)), 1e-15);
  assert_non_null(law);
  assert_close(law->stiffness[0], 4, 0);
  assert_close(b->pitch, 0.25, 0);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(defaults_of_every_kind_are_taken),
    cmocka_unit_test(axes_and_pitch_are_checked),
    cmocka_unit_test(laws_are_checked_by_degree_of_freedom),
    cmocka_unit_test(negative_stiffness_and_damping_are_allowed),
    cmocka_unit_test(joints_with_a_quaternion_have_damping_only),
    cmocka_unit_test(one_number_is_for_all_degrees_of_freedom),
    cmocka_unit_test(fields_that_a_kind_does_not_have_are_named),
    cmocka_unit_test(model_joints_have_a_law_only_where_something_acts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
