// MJCF: what its elements become here. Inverse dynamics is compared with MuJoCo itself by robot_mujoco.
#include "scene/scene.h"
#include "support/folder.h"
#include "support/record_scenes.h"
#include "support/robots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL(inside) "<mujoco>" inside "</mujoco>"
#define WORLD(inside) "<worldbody>" inside "</worldbody>"
#define BALL "<geom size='0.1' mass='1'/>"

static crTestRobot readGood(const char* text, const char* const* settings)
{
  crTestRobot robot = crReadTestRobot(text, settings);
  if (robot.instance == NULL) {
    assert_no_messages(robot.log);
    fail();
  }
  return robot;
}

static void assertRefused(const char* text, const char* const* settings, const char* says)
{
  crTestRobot robot = crReadTestRobot(text, settings);
  assert_null(robot.model);
  assert_message(robot.log, cr_severityError, says);
  crTestRobot_Free(&robot);
}

static const crObjectDef* getObject(const crTestRobot* robot, const char* path)
{
  const crObjectDef* def = crScene_GetObject(robot->scene, crScene_Find(robot->scene, path));
  assert_non_null(def);
  return def;
}

static const crJointDef* getJoint(const crTestRobot* robot, const char* path)
{
  const crJointDef* def = crScene_GetJoint(robot->scene, crScene_Find(robot->scene, path));
  assert_non_null(def);
  return def;
}

static const crSignalDef* getSignal(const crTestRobot* robot, const char* path)
{
  const crSignalDef* def = crScene_GetSignal(robot->scene, crScene_Find(robot->scene, path));
  assert_non_null(def);
  return def;
}

// Two texts of the same robot: the same bodies, joints and forces at a random state, whatever things are called.
static void assertSameDynamics(const char* textA, const char* textB)
{
  const char* bare[] = { "bare=true", NULL };
  crTestRobot a = readGood(textA, bare), b = readGood(textB, bare);
  double accelerations[64], forcesA[64], forcesB[64];
  crRandom random = crMakeRandom(9);
  assert_int_equal(a.stateCount, b.stateCount);
  assert_int_equal(a.rateCount, b.rateCount);
  assert_true(a.rateCount > 0 && a.rateCount <= 64);
  for (int i = 0; i < a.stateCount; ++i) {
    a.y[i] = b.y[i] = crRandom_Uniform(&random, -1.0, 1.0);
  }
  for (int i = 0; i < a.rateCount; ++i) {
    accelerations[i] = crRandom_Uniform(&random, -1.0, 1.0);
  }
  assert_int_equal(crInstance_ComputeInverseDynamics(a.instance, a.all, 0.0, a.y, accelerations, forcesA), cr_ok);
  assert_int_equal(crInstance_ComputeInverseDynamics(b.instance, b.all, 0.0, b.y, accelerations, forcesB), cr_ok);
  for (int i = 0; i < a.rateCount; ++i) {
    assert_close(forcesA[i], forcesB[i], 1e-12 * (1.0 + fabs(forcesA[i])));
  }
  crTestRobot_Free(&a);
  crTestRobot_Free(&b);
}

// ------------------------------------------------------------------------------------------- bodies

static void frames_and_copies_are_what_they_stand_for(void** state)
{
  (void)state;
  assertSameDynamics(
      MODEL(WORLD("<frame pos='1 2 3' euler='0 0 90'><body name='a' pos='0.5 0 0'><joint axis='1 0 0'/>"
                  "<frame pos='0 0.2 0'><geom size='0.1' mass='2' pos='0.1 0 0'/></frame></body></frame>")),
      MODEL(WORLD("<body name='a' pos='1 2.5 3' euler='0 0 90'><joint axis='1 0 0'/>"
                  "<geom size='0.1' mass='2' pos='0.1 0.2 0'/></body>")));
  assertSameDynamics(
      MODEL(WORLD("<replicate count='3' offset='0.5 0 0' euler='0 0 90' sep='_'><body name='a' pos='0.1 0 0'>"
                  "<joint name='j' axis='0 1 0'/><geom size='0.1' mass='2' pos='0.1 0 0.3'/></body></replicate>")),
      MODEL(WORLD(
          "<body pos='0.1 0 0'><joint axis='0 1 0'/><geom size='0.1' mass='2' pos='0.1 0 0.3'/></body>"
          "<body pos='0.5 0.1 0' euler='0 0 90'><joint axis='0 1 0'/><geom size='0.1' mass='2' pos='0.1 0 0.3'/></body>"
          "<body pos='0.4 0.5 0' euler='0 0 180'><joint axis='0 1 0'/><geom size='0.1' mass='2' pos='0.1 0 "
          "0.3'/></body>")));
  crTestRobot robot = readGood(
      MODEL(WORLD("<replicate count='11' sep='-'><body name='a'><joint name='j'/>" BALL "</body></replicate>")), NULL);
  getObject(&robot, "a-00");
  getJoint(&robot, "j-10");
  crTestRobot_Free(&robot);
}

static void included_and_attached_files_are_part_of_the_robot(void** state)
{
  (void)state;
  static const char arm[] =
      "<mujoco><compiler angle='radian'/><default><default class='c'><joint damping='3'/></default>"
      "</default><worldbody><body name='arm' pos='0 0 1' euler='0 0 1'><joint name='j' class='c'/>" BALL
      "</body></worldbody><actuator><motor name='m' joint='j'/></actuator></mujoco>";
  static const char inside[] = "<mujocoinclude><body name='b'><joint name='k'/>" BALL "</body></mujocoinclude>";
  static const char main[] = "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody>"
                             "<include file='inside.xml'/><body name='base'><joint name='j'/>" BALL
                             "<frame pos='1 0 0'><attach model='arm' body='arm' prefix='left_'/></frame></body>"
                             "</worldbody></mujoco>";
  crWriteTestFile(crTestPath("arm.xml"), arm, sizeof arm - 1);
  crWriteTestFile(crTestPath("inside.xml"), inside, sizeof inside - 1);
  crWriteTestFile(crTestPath("main.xml"), main, sizeof main - 1);
  crTestRobot robot = { .log = crCreateErrorLog(NULL) };
  robot.sink = crErrorLog_GetSink(robot.log);
  assert_int_equal(crReadModel(crTestPath("main.xml"), NULL, NULL, &robot.sink, &robot.scene), cr_ok);
  assert_no_messages(robot.log);
  getObject(&robot, "b");
  assert_true(getJoint(&robot, "left_j")->law.damping[0] == 3.0 && getJoint(&robot, "j")->law.damping[0] == 0.0);
  assert_string_equal(getJoint(&robot, "left_j")->drive, "left_m");
  const crObjectDef* frame = getObject(&robot, "left_j_frame");
  assert_string_equal(frame->parent, "base");
  assert_vec_close(frame->position, crMakeVec3(1.0, 0.0, 1.0), 0.0);
  assert_close(2.0 * asin(frame->rotation.z), 1.0, 1e-15); // its own file counts in radians
  crTestRobot_Free(&robot);
  static const char endless[] = "<mujoco><include file='endless.xml'/></mujoco>";
  crWriteTestFile(crTestPath("endless.xml"), endless, sizeof endless - 1);
  robot = (crTestRobot){ .log = crCreateErrorLog(NULL) };
  robot.sink = crErrorLog_GetSink(robot.log);
  assert_int_equal(crReadModel(crTestPath("endless.xml"), NULL, NULL, &robot.sink, &robot.scene), cr_errorModel);
  assert_message(robot.log, cr_severityError, "files include each other without end");
  crTestRobot_Free(&robot);
}

// The centre of a cube's surface is that of the cube, so all pyramids are positive: 8 kg and 8 (0.2^2 + 0.2^2) / 12.
static void meshes_have_the_mass_of_their_inside_and_open_ones_are_told(void** state)
{
  (void)state;
  static const char cube[] = "v 0 0 0\nv .2 0 0\nv 0 .2 0\nv .2 .2 0\nv 0 0 .2\nv .2 0 .2\nv 0 .2 .2\nv .2 .2 .2\n"
                             "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
  static const char open[] = "v 0 0 0\nv .2 0 0\nv 0 .2 0\nv 0 0 .2\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
  crWriteTestFile(crTestPath("cube.obj"), cube, sizeof cube - 1);
  crWriteTestFile(crTestPath("open.obj"), open, sizeof open - 1);
  char setting[4096];
  snprintf(setting, sizeof setting, "meshPath=%s", crTestPath(""));
  const char* settings[] = { setting, NULL };
  crTestRobot robot = readGood(MODEL("<asset><mesh file='cube.obj' refpos='0.1 0 0'/></asset>" WORLD(
                                   "<body name='a'><joint/><geom type='mesh' mesh='cube' euler='0 0 90'/></body>")),
                               settings);
  const crObjectDef* a = getObject(&robot, "a");
  assert_close(a->features[0].as.mass.mass, 8.0, 1e-13);
  assert_vec_close(a->features[0].as.mass.com, crMakeVec3(-0.1, 0.0, 0.1), 1e-15);
  assert_close(a->features[0].as.mass.inertia.xx, 8.0 * 0.08 / 12.0, 1e-15);
  assert_close(a->features[0].as.mass.inertia.xy, 0.0, 1e-15);
  crTestRobot_Free(&robot);
  robot = readGood(MODEL("<asset><mesh file='open.obj'/></asset>" WORLD(
                       "<body name='a'><joint/><geom type='mesh' mesh='open'/></body>")),
                   settings);
  assert_message(robot.log, cr_severityWarning, "the mesh is open, with 3 open edges: its inertia is a guess");
  crTestRobot_Free(&robot);
}

static void the_compiler_bounds_and_balances_masses(void** state)
{
  (void)state;
  crTestRobot robot = readGood(
      MODEL("<compiler boundmass='0.5' boundinertia='0.02' balanceinertia='true' settotalmass='3'/>" WORLD(
          "<body name='a'><joint/><inertial pos='0 0 0' mass='0.1' diaginertia='0.01 0.03 0.08'/>"
          "<body name='b'><joint/><inertial pos='0 0 0' mass='1' diaginertia='0.01 0.03 0.04'/></body></body>")),
      NULL);
  crMassDef a = getObject(&robot, "a")->features[0].as.mass, b = getObject(&robot, "b")->features[0].as.mass;
  assert_close(a.mass, 1.0, 1e-15); // 0.5 and 1, doubled
  assert_close(a.inertia.xx, 0.08, 1e-15);
  assert_close(b.mass, 2.0, 1e-15);
  assert_close(b.inertia.xx, 0.04, 1e-15);
  assert_close(b.inertia.zz, 0.08, 1e-15);
  crTestRobot_Free(&robot);
}

// ------------------------------------------------------------------------------------------- joints

static void joints_have_laws_ranges_and_references(void** state)
{
  (void)state;
  crTestRobot robot = readGood(
      MODEL("<default><joint damping='1' armature='0.5'/></default>" WORLD(
          "<body name='a'><joint name='h' range='-90 45' ref='90' springref='30' stiffness='7' frictionloss='2'/>" BALL
          "<body name='b'><joint name='s' type='slide' range='-2 -1' limited='false' axis='0 3 0'/>" BALL
          "</body></body>")),
      NULL);
  const crJointDef* h = getJoint(&robot, "h");
  assert_true(h->law.damping[0] == 1.0 && h->law.rotorInertia[0] == 0.5 && h->law.friction[0] == 2.0);
  assert_close(h->law.stopMin[0], -CR_PI / 2.0, 1e-15);
  assert_close(h->law.stopMax[0], CR_PI / 4.0, 1e-15);
  assert_close(h->law.rest[0], CR_PI / 6.0, 1e-15);
  assert_close(h->start[0], CR_PI / 4.0, 1e-15); // its reference is beyond the stop
  assert_close(h->law.stopStiffness[0], 2.0 * 9.81 / 0.01, 1e-9);
  const crJointDef* s = getJoint(&robot, "s");
  assert_true(s->law.stopStiffness[0] == 0.0 && s->axis.y == 1.0);
  crTestRobot_Free(&robot);
}

static void equalities_close_loops_and_couple_joints(void** state)
{
  (void)state;
  static const char text[] = MODEL(
      WORLD("<body name='a'><joint name='ja' axis='0 1 0'/><geom size='0.1' mass='1' pos='1 0 0'/>"
            "<body name='b' pos='1 0 0'><joint name='jb' axis='0 1 0'/><geom size='0.1' mass='1' pos='0.5 0 "
            "0'/></body></body>"
            "<body name='c' pos='2 0 0'><joint name='jc' axis='0 1 0'/><geom size='0.1' mass='1' pos='0 0 -1'/></body>"
            "<body name='d' pos='9 0 0'><joint name='jd' ref='90'/>" BALL "</body>"
            "<body name='e' pos='9 9 0'><joint name='je'/>" BALL
            "</body>") "<equality><connect name='hook' body1='b' body2='c' anchor='1 0 0'/><weld body1='a' body2='b' "
                       "active='false'/>"
                       "<joint name='gear' joint1='jd' joint2='je' polycoef='0.5 -2 0 0 0'/><joint name='held' "
                       "joint1='je'/></equality>");
  crTestRobot robot = readGood(text, NULL);
  assert_int_equal(crScene_Find(robot.scene, "hook").kind, cr_elementJoint);
  assert_int_equal(crModel_GetSize(robot.model).cutJointCount, 1);
  assert_vec_close(getObject(&robot, "hook_b")->position, (crVec3){ 0 }, 1e-15);
  const crCouplingDef* gear = crScene_GetCoupling(robot.scene, crScene_Find(robot.scene, "gear"));
  assert_true(gear->as.sum.joints[0].value == 1.0 && gear->as.sum.joints[1].value == 2.0);
  assert_close(gear->offset, CR_PI / 2.0 + 0.5, 1e-15);
  const crCouplingDef* held = crScene_GetCoupling(robot.scene, crScene_Find(robot.scene, "held"));
  assert_int_equal(held->as.sum.jointCount, 1);
  crTestRobot_Free(&robot);
  const char* open[] = { "loops=false", NULL };
  robot = readGood(text, open);
  assert_int_equal(crModel_GetSize(robot.model).cutJointCount, 0);
  crTestRobot_Free(&robot);
}

static void keyframes_are_start_states(void** state)
{
  (void)state;
  static const char text[] =
      MODEL(WORLD("<body name='free' pos='0 0 1'><freejoint/>" BALL "<body name='a'><joint name='h'/>" BALL
                  "</body></body>") "<keyframe><key name='up' qpos='1 2 3 0 1 0 0 0.75'/><key qpos='0 0 9 1 0 0 0 "
                                    "-0.5'/></keyframe>");
  const char *up[] = { "keyframe=up", NULL }, *second[] = { "keyframe=1", NULL }, *none[] = { "keyframe=down", NULL };
  crTestRobot robot = readGood(text, up);
  assert_vec_close(getObject(&robot, "free")->position, crMakeVec3(1.0, 2.0, 3.0), 0.0);
  assert_true(getObject(&robot, "free")->rotation.x == 1.0 && getJoint(&robot, "h")->start[0] == 0.75);
  crTestRobot_Free(&robot);
  robot = readGood(text, second);
  assert_true(getObject(&robot, "free")->position.z == 9.0 && getJoint(&robot, "h")->start[0] == -0.5);
  crTestRobot_Free(&robot);
  assertRefused(text, none, "there is no keyframe 'down'");
}

// ------------------------------------------------------------------------------------------- drives

// 3 (5 u + 0.5 - 20 (3 q) - 2 (3 v)) with u up to 0.4 and what is in brackets up to 4, plus a motor of 1
static void actuators_drive_their_joints(void** state)
{
  (void)state;
  static const char text[] = MODEL("<default><motor ctrlrange='-9 9'/></default>" WORLD(
      "<body name='a'><joint name='j' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
      "1'/></body>") "<actuator><general name='g' joint='j' gear='3' gainprm='5 0 0' biastype='affine' "
                     "biasprm='0.5 -20 -2'"
                     " ctrlrange='-0.4 0.4' forcerange='-4 4' forcelimited='true'/><motor name='m' "
                     "joint='j'/></actuator>"
                     "<sensor><jointpos name='angle' joint='j'/><touch name='t'/></sensor>");
  crTestRobot robot = readGood(text, NULL);
  assert_message(robot.log, cr_severityNote, "<touch> sensors");
  int general = crModel_FindInput(robot.model, "g"), motor = crModel_FindInput(robot.model, "m");
  assert_true(general >= 0 && motor >= 0);
  static const double cases[][5] = { // q, v, u of both, torque
                                     { 0.0, 0.0, 0.2, 0.0, 4.5 },
                                     { 0.0, 0.0, 7.0, 1.0, 8.5 },
                                     { 0.01, 0.1, 0.0, 0.0, 3.0 * (0.5 - 0.6 - 0.6) },
                                     { 1.0, 0.0, 0.0, 2.0, -10.0 }
  };
  for (int i = 0; i < 4; ++i) {
    double rates[2];
    crTestRobot_SetJoint(&robot, "j", cases[i][0], cases[i][1]);
    crInstance_SetInput(robot.instance, general, cases[i][2]);
    crInstance_SetInput(robot.instance, motor, cases[i][3]);
    assert_int_equal(crInstance_ComputeRates(robot.instance, robot.all, 0.0, robot.y, rates), cr_ok);
    assert_close(rates[1], cases[i][4], 1e-13);
  }
  assert_int_equal(getSignal(&robot, "angle")->kind, cr_signalJointSensor);
  crTestRobot_Free(&robot);
}

static void position_and_velocity_servos_are_affine(void** state)
{
  (void)state;
  static const char text[] =
      MODEL("<default><position kp='100'/><default class='fast'><position kv='3'/></default></default>" WORLD(
          "<body name='a'><joint name='j' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>"
          "<body name='b'><joint name='k' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
          "1'/></body>") "<actuator><position name='p' joint='j' class='fast'/><velocity name='v' joint='k' "
                         "kv='4'/></actuator>");
  crTestRobot robot = readGood(text, NULL);
  double rates[4];
  crTestRobot_SetJoint(&robot, "j", 0.1, 0.2);
  crTestRobot_SetJoint(&robot, "k", 0.1, 0.2);
  crInstance_SetInput(robot.instance, crModel_FindInput(robot.model, "p"), 1.0);
  crInstance_SetInput(robot.instance, crModel_FindInput(robot.model, "v"), 1.0);
  assert_int_equal(crInstance_ComputeRates(robot.instance, robot.all, 0.0, robot.y, rates), cr_ok);
  int j = crModel_GetJoint(robot.model, crModel_FindJoint(robot.model, "j"))->vStart;
  int k = crModel_GetJoint(robot.model, crModel_FindJoint(robot.model, "k"))->vStart;
  assert_close(rates[j], 100.0 * 0.9 - 3.0 * 0.2, 1e-12);
  assert_close(rates[k], 4.0 * 0.8, 1e-12);
  crTestRobot_Free(&robot);
}

// ------------------------------------------------------------------------------------------ contacts

static bool canMeet(const crTestRobot* robot, const char* a, const char* b)
{
  int shapes[2] = { -1, -1 };
  for (int i = 0; i < crModel_GetSize(robot->model).shapeCount; ++i) {
    const char* path = crModel_GetObjectPath(robot->model, crModel_GetContactShape(robot->model, i)->object);
    shapes[0] = strcmp(path, a) == 0 ? i : shapes[0];
    shapes[1] = strcmp(path, b) == 0 ? i : shapes[1];
  }
  return shapes[0] >= 0 && shapes[1] >= 0 && crModel_CanMeet(robot->model, shapes[0], shapes[1]);
}

// Every pair by the rule of the file: contype of one and conaffinity of the other have a bit in common.
static void geoms_meet_by_their_bits(void** state)
{
  (void)state;
  static const unsigned bits[][2] = { { 1, 1 }, { 1, 0 }, { 0, 1 }, { 2, 4 }, { 4, 2 }, { 0, 0 }, { 6, 1 }, { 8, 0 } };
  enum { count = sizeof bits / sizeof *bits };
  char text[4096];
  size_t used = (size_t)snprintf(text, sizeof text, "<mujoco><worldbody>");
  for (int i = 0; i < count; ++i) {
    used += (size_t)snprintf(
        text + used, sizeof text - used,
        "<body name='b%d' pos='%d 0 0'><freejoint/><geom name='g%d' size='0.1' friction='0.%d' contype='%u' "
        "conaffinity='%u'/></body>",
        i, i, i, i + 1, bits[i][0], bits[i][1]);
  }
  snprintf(text + used, sizeof text - used,
           "</worldbody><contact><exclude body1='b3' body2='b4'/><pair geom1='g5' geom2='g2'/><pair geom1='g7' "
           "geom2='g5'/></contact></mujoco>");
  crTestRobot robot = readGood(text, NULL);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < count; ++k) {
      char a[8], b[8];
      snprintf(a, sizeof a, "b%d", i);
      snprintf(b, sizeof b, "b%d", k);
      bool isExcluded = i == k || (i == 3 && k == 4) || (i == 4 && k == 3);
      bool isPair = (i == 5 && (k == 2 || k == 7)) || (k == 5 && (i == 2 || i == 7));
      bool expected = !isExcluded && (isPair || (bits[i][0] & bits[k][1]) != 0 || (bits[k][0] & bits[i][1]) != 0);
      assert_int_equal(canMeet(&robot, a, b), expected);
    }
  }
  crId pair = crScene_FindContactPair(robot.scene, "friction 0.1", "friction 0.7");
  assert_true(crScene_GetContactPair(robot.scene, pair)->muK == 0.7);
  crTestRobot_Free(&robot);
}

// The foot of the arm stands on the floor; its first link turns inside the foot, and may still fall onto the floor.
static void what_turns_on_a_foot_meets_the_floor(void** state)
{
  (void)state;
  static const char text[] =
      MODEL(WORLD("<geom name='floor' type='plane' size='1 1 1'/><body name='foot' pos='0 0 1'><geom size='0.2' pos='0 "
                  "0 0.01'/>"
                  "<body name='arm'><joint axis='0 1 0'/><geom type='capsule' size='0.1' fromto='0 0 0 0 0 "
                  "0.9'/></body></body>") "<contact><exclude body1='foot' body2='arm'/></contact>");
  crTestRobot robot = readGood(text, NULL);
  assert_true(canMeet(&robot, "world", "arm_geom"));
  assert_false(canMeet(&robot, "foot_geom", "arm_geom"));
  crTestRobot_Free(&robot);
}

// ------------------------------------------------------------------------------------------- faults

static void faults_are_told_with_their_line(void** state)
{
  (void)state;
  static const char* const cases[][2] = {
    { "<mujoco/>", "the model has no <worldbody>" },
    { MODEL("<compiler coordinate='global'/>" WORLD("")), "coordinates that are not local" },
    { MODEL("<compiler eulerseq='xq'/>" WORLD("")), "eulerseq of <compiler>" },
    { MODEL("<compiler autolimits='1'/>" WORLD("")), "autolimits of <compiler> is neither true nor false" },
    { MODEL("<default><default><geom/></default></default>" WORLD("")), "this <default> has no class" },
    { MODEL("\n" WORLD("<geom class='none' size='1'/>")), "robot.urdf:2: error: there is no class 'none'" },
    { MODEL(WORLD("<geom type='mesh' mesh='m'/>")), "there is no mesh 'm'" },
    { MODEL(WORLD("<geom type='hfield' hfield='h'/>")), "height fields cannot be read" },
    { MODEL(WORLD("<geom type='torus'/>")), "there is no geom of the type 'torus'" },
    { MODEL(WORLD("<geom name='g' type='capsule' size='0.1' fromto='1 1 1 1 1 1'/>")), "are the same point" },
    { MODEL(WORLD("<geom size='a'/>")), "size of <geom> cannot be read" },
    { MODEL(WORLD("<body quat='0 0 0 0'/>")), "quat of <body> is no orientation" },
    { MODEL(WORLD("<body><joint name='j' type='screw'/></body>")), "there is no joint of the type 'screw'" },
    { MODEL(WORLD("<body><joint axis='0 0 0'/></body>")), "the axis of this joint has no direction" },
    { MODEL(WORLD("<body><body><freejoint/></body></body>")), "can move freely" },
    { MODEL(WORLD("<include/>")), "this <include> has no file" },
    { MODEL(WORLD("<include file='none.xml'/>")), "the included file 'none.xml' cannot be read" },
    { MODEL(WORLD("<attach model='m'/>")), "there is no <model> with a file 'm' to attach" },
    { MODEL(WORLD("<replicate count='1000000'><geom size='1'/></replicate>")),
      "the model has more than 200000 elements" },
    { MODEL(WORLD("") "<actuator><motor joint='j'/></actuator>"), "there is no joint 'j' to drive" },
    { MODEL(WORLD("") "<sensor><jointpos joint='j'/></sensor>"), "there is no joint 'j' to measure" },
    { MODEL(WORLD("") "<equality><connect body1='a'/></equality>"), "there is no body 'a'" },
    { MODEL(WORLD("") "<equality><weld site1='a' site2='b'/></equality>"), "there are no such sites" },
    { MODEL(WORLD("") "<equality><joint joint1='a'/></equality>"), "there are no such joints to couple" },
    { MODEL(WORLD("<body><joint name='a'/>" BALL
                  "</body>") "<equality><joint joint1='a' polycoef='0 1 1 0 0'/></equality>"),
      "by a straight line only" },
    { MODEL(WORLD("") "<contact><pair geom1='a'/></contact>"), "there is no geom 'a'" },
    { MODEL(WORLD("") "<contact><exclude body1='a' body2='b'/></contact>"), "there is no body 'a'" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    assertRefused(cases[i][0], NULL, cases[i][1]);
  }
  const char* key[] = { "keyframe=0", NULL };
  assertRefused(MODEL(WORLD("") "<keyframe><key qpos='1 2'/></keyframe>"), key,
                "has 2 numbers, the model 0 coordinates");
}

static void memory_that_runs_out_is_told_and_given_back(void** state)
{
  (void)state;
  static const char text[] =
      MODEL("<default><default class='c'><geom size='0.1'/></default></default><asset><material name='m' rgba='1 0 "
            "0 1'/></asset>" WORLD(
                "<geom type='plane' size='1 1 1'/><frame><body name='a' childclass='c'><freejoint/><geom "
                "material='m'/>"
                "<body name='b'><joint name='j' range='1 2'/><geom name='g'/><site "
                "name='s'/></body></body></frame>") "<actuator><position name='p' joint='j' ctrlrange='0 "
                                                    "1'/></actuator><sensor><gyro site='s'/></sensor>"
                                                    "<equality><joint joint1='j'/></equality><contact><exclude "
                                                    "body1='a' body2='b'/></contact>");
  for (long n = 0;; ++n) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = n;
    crScene* scene = NULL;
    crStatus status = crReadRobot(text, sizeof text - 1, "robot.xml", NULL, NULL, &allocator, NULL, &scene);
    crDestroyScene(scene);
    assert_int_equal(counter.liveBlocks, 0);
    if (status == cr_ok) {
      assert_true(n > 5);
      return;
    }
    assert_int_equal(status, cr_errorMemory);
  }
}

// ---------------------------------------------------------------------------------------- as Lua

static void robots_as_lua_are_the_same_scene(void** state)
{
  (void)state;
  static const char* const files[] = { "examples/robots/quadruped.xml", "examples/robots/hand.xml",
                                       "examples/robots/six_axis.urdf", "test/data/odd_robot.xml" };
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", CAROM_ROOT, files[i]);
    crScene *scene = NULL, *back = NULL;
    assert_int_equal(crReadModel(path, NULL, NULL, NULL, &scene), cr_ok);
    assert_int_equal(crWriteRobotLuaFile(path, NULL, crTestPath("robot.lua"), NULL, NULL), cr_ok);
    assert_int_equal(crReadModel(crTestPath("robot.lua"), NULL, NULL, NULL, &back), cr_ok);
    crTestText first = crWriteTestText(scene), second = crWriteTestText(back);
    assert_string_equal(first.bytes, second.bytes);
    crTestText_Free(&first);
    crTestText_Free(&second);
    crDestroyScene(scene);
    crDestroyScene(back);
  }
}

// A ball of a model, with no bits of its own, is met as geoms with the bits 1 and 1 are.
static void geoms_without_the_first_bit_miss_what_is_not_of_the_file(void** state)
{
  (void)state;
  static const char robot[] =
      MODEL(WORLD("<body name='a' pos='5 0 0'><freejoint/><geom size='1' contype='2' conaffinity='2'/></body>"
                  "<body name='b' pos='9 0 0'><freejoint/><geom size='1' contype='2' conaffinity='3'/></body>"));
  static const char text[] =
      "world('w')\ncontactPair('*', '*', { cor = 0, muK = 0, muR = 0 })\n"
      "object('ball', { free = true, solid{ shape = sphere{ radius = 1 }, material = 'Steel', contact = 'Steel' } })\n"
      "import('bits.xml')";
  crWriteTestFile(crTestPath("bits.xml"), robot, sizeof robot - 1);
  crWriteTestFile(crTestPath("bits.lua"), text, sizeof text - 1);
  crTestRobot made = { .log = crCreateErrorLog(NULL) };
  made.sink = crErrorLog_GetSink(made.log);
  assert_int_equal(crReadModel(crTestPath("bits.lua"), NULL, NULL, &made.sink, &made.scene), cr_ok);
  assert_int_equal(crCompile(made.scene, NULL, NULL, &made.sink, &made.model), cr_ok);
  assert_false(canMeet(&made, "ball", "a"));
  assert_true(canMeet(&made, "ball", "b") && canMeet(&made, "a", "b"));
  crTestRobot_Free(&made);
}

static void two_robots_with_the_same_materials_stand_in_one_model(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  static const char text[] = "world('w')\nimport('quadruped.xml', { name = 'a' })\n"
                             "import('quadruped.xml', { name = 'b', position = { 1, 0, 0 } })";
  crScene* scene = NULL;
  crModel* model = NULL;
  assert_int_equal(
      crReadLua(text, sizeof text - 1, "model.lua", CAROM_ROOT "/examples/robots", NULL, NULL, &sink, &scene), cr_ok);
  assert_no_messages(log);
  assert_int_equal(crCompile(scene, NULL, NULL, &sink, &model), cr_ok);
  assert_no_messages(log);
  crDestroyModel(model);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(frames_and_copies_are_what_they_stand_for),
    cmocka_unit_test(included_and_attached_files_are_part_of_the_robot),
    cmocka_unit_test(meshes_have_the_mass_of_their_inside_and_open_ones_are_told),
    cmocka_unit_test(the_compiler_bounds_and_balances_masses),
    cmocka_unit_test(joints_have_laws_ranges_and_references),
    cmocka_unit_test(equalities_close_loops_and_couple_joints),
    cmocka_unit_test(keyframes_are_start_states),
    cmocka_unit_test(actuators_drive_their_joints),
    cmocka_unit_test(position_and_velocity_servos_are_affine),
    cmocka_unit_test(geoms_meet_by_their_bits),
    cmocka_unit_test(what_turns_on_a_foot_meets_the_floor),
    cmocka_unit_test(faults_are_told_with_their_line),
    cmocka_unit_test(memory_that_runs_out_is_told_and_given_back),
    cmocka_unit_test(robots_as_lua_are_the_same_scene),
    cmocka_unit_test(geoms_without_the_first_bit_miss_what_is_not_of_the_file),
    cmocka_unit_test(two_robots_with_the_same_materials_stand_in_one_model),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
