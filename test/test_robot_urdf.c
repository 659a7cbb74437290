// URDF: inverse dynamics by a second formulation, names, masses that no body has, meshes, faults.
#include "scene/scene.h"
#include "support/command.h"
#include "support/folder.h"
#include "support/record_scenes.h"
#include "support/robots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROBOT(inside) "<robot name='r'>" inside "</robot>"
#define LINK(name, mass, inertia)                                                                                      \
  "<link name='" name "'><inertial><mass value='" mass "'/>" inertia "</inertial></link>\n"
#define ROUND "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/>"
#define JOINT(name, type, parent, child, inside)                                                                       \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" inside "</joint>\n"

// A robot that must be read without errors.
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

// ----------------------------------------------------------------------------------------- dynamics

// Sums of a hundred products of numbers near 10 leave a few 1e-14 of the largest force.
#define SAME_FORCE 1e-12

static void compareForces(crTestRobot* robot, crPlainLink* links, int count)
{
  double accelerations[CR_MAX_ROBOT_LINKS] = { 0 }, forces[CR_MAX_ROBOT_LINKS], largest = 1.0;
  char name[16];
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "j%d", i);
    if (links[i].type != 'f') {
      crTestRobot_SetJoint(robot, name, links[i].q, links[i].v);
      accelerations[crTestRobot_FindRate(robot, name)] = links[i].a;
    }
  }
  assert_int_equal(crInstance_ComputeInverseDynamics(robot->instance, robot->all, 0.0, robot->y, accelerations, forces),
                   cr_ok);
  crComputePlainForces(links, count);
  for (int i = 0; i < count; ++i) {
    largest = fmax(largest, fabs(links[i].force));
  }
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "j%d", i);
    if (links[i].type != 'f') {
      assert_close(forces[crTestRobot_FindRate(robot, name)], links[i].force, SAME_FORCE * largest);
    }
  }
}

// Joints at the ends that are fixed, or have enough behind them, are all there are here.
static void inverse_dynamics_of_random_robots_is_that_of_newton_and_euler(void** state)
{
  (void)state;
  static char text[1 << 16];
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    crRandom random = crMakeRandom(seed);
    crPlainLink links[CR_MAX_ROBOT_LINKS];
    int count = 2 + (int)(seed % 30);
    for (int i = 0; i < count; ++i) {
      links[i] = crMakeRandomPlainLink(&random, i);
    }
    crWritePlainUrdf(links, count, text, sizeof text);
    crTestRobot robot = readGood(text, NULL);
    assert_no_messages(robot.log);
    compareForces(&robot, links, count);
    crTestRobot_Free(&robot);
  }
}

// Of three links one has a larger moment than the other two together, one is without mass but has an inertia, and one
// has a negative moment that what it carries makes up for.
static void makeUnphysical(crPlainLink* links)
{
  crRandom random = crMakeRandom(77);
  for (int i = 0; i < 4; ++i) {
    links[i] = crMakeRandomPlainLink(&random, i);
    links[i].parent = i - 1;
    links[i].type = 'r';
    for (int k = 0; k < 6; ++k) {
      links[i].inertia[k] = 0.0;
    }
    links[i].inertia[0] = links[i].inertia[3] = links[i].inertia[5] = 0.05;
  }
  links[0].inertia[5] = 0.5;
  links[1].mass = 0.0;
  links[2].inertia[0] = -0.01;
}

static void masses_that_no_body_has_are_taken_as_given_with_one_warning(void** state)
{
  (void)state;
  static char text[1 << 14];
  crPlainLink links[4];
  makeUnphysical(links);
  crWritePlainUrdf(links, 4, text, sizeof text);
  crTestRobot robot = readGood(text, NULL);
  assert_int_equal(crErrorLog_CountOf(robot.log, cr_severityWarning), 1);
  assert_message(robot.log, cr_severityWarning,
                 "3 bodies have a mass or inertia that no rigid body has, which is taken as given: l0, l1, l2");
  compareForces(&robot, links, 4);
  crTestRobot_Free(&robot);
  const char* strict[] = { "inertia=strict", NULL };
  assertRefused(text, strict, "robot.urdf:3: error: l0.mass1: no rigid body has this inertia");
  const char* balance[] = { "inertia=balance", NULL };
  robot = readGood(text, balance);
  assert_message(robot.log, cr_severityWarning, "3 bodies have a mass or inertia that no rigid body has, and gets");
  crTestRobot_Free(&robot);
}

static void given_inertias_that_nothing_can_move_with_are_refused(void** state)
{
  (void)state;
  static const char text[] =
      ROBOT("<link name='base'/>\n" LINK("a", "1", "<inertia ixx='1' iyy='1' izz='-1' ixy='0' ixz='0' iyz='0'/>")
                JOINT("j", "continuous", "base", "a", "<axis xyz='0 0 1'/>"));
  assertRefused(text, NULL, "nothing can move with them");
  // at the start it has inertia against the motion, elsewhere not: the second joint turns the long body over
  static const char turning[] = ROBOT(
      "<link name='base'/>\n" LINK("a", "0", "<inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/>")
          LINK("b", "1", "<inertia ixx='-1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>")
              JOINT("j", "continuous", "base", "a", "<axis xyz='0 0 1'/>")
                  JOINT("k", "continuous", "a", "b", "<axis xyz='0 1 0'/>"));
  assertRefused(turning, NULL, "at the start and at 100 random poses");
}

static void the_balanced_inertia_is_the_nearest(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  for (int n = 0; n < 200; ++n) {
    crSym3 given = crRotateSym3(crQuatToMat3(crRandom_Rotation(&random)),
                                crDiagonalSym3(crRandom_Uniform(&random, -1, 1), crRandom_Uniform(&random, -1, 1),
                                               crRandom_Uniform(&random, -1, 3)));
    crSym3 best = crBalanceInertia(1.0, given);
    double moments[3];
    crSym3_ComputeEigen(best, moments, NULL);
    assert_true(moments[0] >= -1e-12 && moments[0] + moments[1] >= moments[2] - 1e-12);
    crSym3 d = crAddSym3(best, crScaleSym3(-1.0, given));
    double distance = d.xx * d.xx + d.yy * d.yy + d.zz * d.zz + 2.0 * (d.xy * d.xy + d.xz * d.xz + d.yz * d.yz);
    for (int k = 0; k < 200; ++k) { // no other one is nearer
      double x = crRandom_Uniform(&random, 0, 1), y = crRandom_Uniform(&random, 0, 1),
             z = crRandom_Uniform(&random, 0, 1);
      crSym3 other = crRotateSym3(crQuatToMat3(crRandom_Rotation(&random)), crDiagonalSym3(y + z, x + z, x + y));
      crSym3 e = crAddSym3(crAddSym3(crScaleSym3(0.9, best), crScaleSym3(0.1, other)), crScaleSym3(-1.0, given));
      double far = e.xx * e.xx + e.yy * e.yy + e.zz * e.zz + 2.0 * (e.xy * e.xy + e.xz * e.xz + e.yz * e.yz);
      assert_true(far >= distance - 1e-12);
    }
  }
}

// The end without a mass, its child, and a wheel whose mass lies on its axis as a point.
static void joints_that_move_nothing_are_welded_with_a_word(void** state)
{
  (void)state;
  static const char text[] = ROBOT("<link name='base'/>\n" LINK(
      "a", "1", ROUND) "<link name='finger'/><link name='tip'/>"
                       "<link name='wheel'><inertial><mass value='2'/><inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' "
                       "iyz='0'/></inertial></link>" JOINT("j", "continuous", "base", "a", "")
                                       JOINT("f", "prismatic", "a", "finger", "<origin xyz='1 0 0'/>")
                                           JOINT("t", "fixed", "finger", "tip", "<origin xyz='1 0 0'/>")
                                               JOINT("w", "continuous", "a", "wheel", ""));
  crTestRobot robot = readGood(text, NULL);
  assert_message(robot.log, cr_severityWarning,
                 "2 joints are welded, because nothing behind them has inertia against the motion: 'w', 'f'");
  assert_int_equal(robot.rateCount, 1);
  const crObjectDef* tip = crScene_GetObject(robot.scene, crScene_Find(robot.scene, "tip"));
  assert_string_equal(tip->parent, "finger");
  assert_string_equal(crScene_GetObject(robot.scene, crScene_Find(robot.scene, "finger"))->parent, "a");
  crTestRobot_Free(&robot);
}

// -------------------------------------------------------------------------------------------- names

static void links_and_joints_keep_their_names(void** state)
{
  (void)state;
  static const char text[] = ROBOT(LINK("arm", "1", ROUND) LINK("wrist.1", "1", ROUND) LINK("hand", "1", ROUND) JOINT(
      "wrist", "continuous", "arm", "wrist.1", "") JOINT("hand", "floating", "wrist.1", "hand", ""));
  crTestRobot robot = readGood(text, NULL);
  static const char* const objects[] = { "arm", "wrist_1", "hand", "world" };
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(crScene_Find(robot.scene, objects[i]).kind, cr_elementObject);
  }
  assert_int_equal(crScene_Find(robot.scene, "wrist").kind, cr_elementJoint);
  assert_int_equal(crScene_Find(robot.scene, "hand_joint").kind, cr_elementJoint);
  assert_int_equal(robot.rateCount, 7);
  crTestRobot_Free(&robot);
}

static void a_root_named_world_is_the_world_and_others_may_be_free(void** state)
{
  (void)state;
  static const char text[] = ROBOT("<link name='world'/>" LINK("a", "1", ROUND) JOINT("j", "planar", "world", "a", ""));
  crTestRobot robot = readGood(text, NULL);
  assert_int_equal(crScene_GetObject(robot.scene, crScene_Find(robot.scene, "world"))->mobility, cr_mobilityWorld);
  assert_int_equal(crScene_Count(robot.scene, cr_elementObject), 2);
  assert_int_equal(robot.rateCount, 3);
  crTestRobot_Free(&robot);
  static const char loose[] = ROBOT(LINK("a", "1", ROUND) LINK("b", "1", ROUND) JOINT("j", "continuous", "a", "b", ""));
  const char* settings[] = { "fixed=false", NULL };
  robot = readGood(loose, settings);
  assert_int_equal(robot.rateCount, 7);
  crTestRobot_Free(&robot);
}

static void limits_become_stops_and_dynamics_a_law(void** state)
{
  (void)state;
  static const char text[] = ROBOT(
      LINK("a", "1", ROUND) LINK("b", "1", ROUND) LINK("c", "1", ROUND)
          JOINT("j", "revolute", "a", "b",
                "<limit lower='0.5' upper='1' effort='20' velocity='3'/><dynamics damping='0.25' friction='0.125'/>")
              JOINT("k", "prismatic", "a", "c", "<limit lower='-0.1' upper='0.2' effort='1000' velocity='3'/>"));
  crTestRobot robot = readGood(text, NULL);
  const crJointDef* j = crScene_GetJoint(robot.scene, crScene_Find(robot.scene, "j"));
  assert_true(j->law.damping[0] == 0.25 && j->law.friction[0] == 0.125);
  assert_true(j->law.stopMin[0] == 0.5 && j->law.stopMax[0] == 1.0 && j->start[0] == 0.5);
  assert_close(j->law.stopStiffness[0], 2000.0, 1e-9);
  const crJointDef* k = crScene_GetJoint(robot.scene, crScene_Find(robot.scene, "k"));
  assert_close(k->law.stopStiffness[0], 1e6, 1e-6);
  assert_true(k->start[0] == 0.0);
  crTestRobot_Free(&robot);
  const char* bare[] = { "bare=true", NULL };
  robot = readGood(text, bare);
  j = crScene_GetJoint(robot.scene, crScene_Find(robot.scene, "j"));
  assert_true(j->law.damping[0] == 0.0 && j->law.stopStiffness[0] == 0.0);
  crTestRobot_Free(&robot);
}

// The follower starts where the leader says. A leader that is welded stays at zero.
static void a_joint_that_mimics_another_is_coupled_to_it(void** state)
{
  (void)state;
  static const char text[] = ROBOT(
      LINK("a", "1", ROUND) LINK("b", "1", ROUND) LINK("c", "1", ROUND) LINK("d", "1", ROUND) "<link name='e'/>" JOINT(
          "j", "revolute", "a", "b", "<limit lower='0.5' upper='1' effort='1' velocity='1'/>")
          JOINT("k", "continuous", "a", "c", "<mimic joint='j' multiplier='-2.5' offset='0.25'/>")
              JOINT("l", "continuous", "a", "d", "<mimic joint='m' offset='0.75'/>")
                  JOINT("m", "continuous", "a", "e", ""));
  crTestRobot robot = readGood(text, NULL);
  const crCouplingDef* k = crScene_GetCoupling(robot.scene, crScene_Find(robot.scene, "k_mimic"));
  assert_int_equal(k->as.sum.jointCount, 2);
  assert_string_equal(k->as.sum.joints[1].name, "k");
  assert_true(k->as.sum.joints[1].value == 1.0 && k->as.sum.joints[0].value == 2.5 && k->offset == 0.25);
  assert_true(crScene_GetJoint(robot.scene, crScene_Find(robot.scene, "k"))->start[0] == 0.25 - 2.5 * 0.5);
  const crCouplingDef* l = crScene_GetCoupling(robot.scene, crScene_Find(robot.scene, "l_mimic"));
  assert_int_equal(l->as.sum.jointCount, 1);
  assert_true(l->offset == 0.75);
  crTestRobot_Free(&robot);
  const char* bare[] = { "bare=true", NULL };
  robot = readGood(text, bare);
  assert_int_equal(crScene_Count(robot.scene, cr_elementCoupling), 0);
  crTestRobot_Free(&robot);
  assertRefused(
      ROBOT(LINK("a", "1", ROUND) LINK("b", "1", ROUND) JOINT("j", "continuous", "a", "b", "<mimic joint='j'/>")), NULL,
      "this joint mimics none that it can follow");
}

// torque = 50 x 0.3 N m at first, then the 20 N m that the joint bears
static void a_transmission_drives_its_joint_up_to_the_effort(void** state)
{
  (void)state;
  static const char text[] = ROBOT(LINK("a", "1", ROUND) LINK("b", "1", ROUND)
                                       JOINT("j", "revolute", "a", "b",
                                             "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='20' "
                                             "velocity='3'/>") "<transmission name='t'><type>x</type><joint "
                                                               "name='j'><hardwareInterface>E</hardwareInterface></"
                                                               "joint>"
                                                               "<actuator "
                                                               "name='motor'><mechanicalReduction>50</"
                                                               "mechanicalReduction></actuator></transmission>");
  crTestRobot robot = readGood(text, NULL);
  double rates[2];
  int input = crModel_FindInput(robot.model, "motor");
  assert_true(input >= 0);
  static const double pushes[] = { 0.3, 3.0 }, torques[] = { 15.0, 20.0 };
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(crInstance_SetInput(robot.instance, input, pushes[i]), cr_ok);
    assert_int_equal(crInstance_ComputeRates(robot.instance, robot.all, 0.0, robot.y, rates), cr_ok);
    assert_close(rates[1], torques[i] / 0.1, 1e-9);
  }
  crTestRobot_Free(&robot);
}

// ------------------------------------------------------------------------------------------- shapes

static void shapes_have_places_colours_and_contact(void** state)
{
  (void)state;
  static const char text[] =
      ROBOT("<material name='blue'><color rgba='0 0 1 1'/></material>"
            "<link name='a'><visual><geometry><box size='1 2 3'/></geometry><material name='blue'/></visual>"
            "<visual><origin xyz='0 0 1'/><geometry><sphere radius='2'/></geometry></visual>"
            "<collision><origin rpy='0 0 1'/><geometry><cylinder radius='1' length='2'/></geometry></collision></link>"
            "<gazebo reference='a'/><gazebo/><xacro:thing/>");
  crTestRobot robot = readGood(text, NULL);
  const crObjectDef* a = crScene_GetObject(robot.scene, crScene_Find(robot.scene, "a"));
  assert_int_equal(a->featureCount, 1);
  assert_string_equal(a->features[0].as.visual.visual, "#0000ff");
  assert_true(a->features[0].as.visual.shape.as.box.size.z == 3.0);
  const crObjectDef* ball = crScene_GetObject(robot.scene, crScene_Find(robot.scene, "a_visual"));
  assert_true(ball->position.z == 1.0);
  const crObjectDef* hull = crScene_GetObject(robot.scene, crScene_Find(robot.scene, "a_collision"));
  assert_string_equal(hull->features[0].as.solid.contact, "Steel");
  assert_null(hull->features[0].as.solid.visual);
  assert_message(robot.log, cr_severityNote, "what the file says of these is ignored: <gazebo>, <xacro:thing>");
  crTestRobot_Free(&robot);
}

#define MESHED(file) ROBOT("<link name='a'><visual><geometry><mesh filename='" file "'/></geometry></visual></link>")

static void copyMesh(const char* target)
{
  size_t size;
  char* bytes = crReadTestFile(CAROM_ROOT "/test/data/tetrahedron.stl", &size);
  crWriteTestFile(target, bytes, size);
  free(bytes);
}

// arm_description/meshes/a.stl, arm_description/urdf/arm.urdf
static void meshes_are_found_by_package_from_the_folders_above(void** state)
{
  (void)state;
  static const char text[] = MESHED("package://arm_description/meshes/a.stl");
  assert_int_equal(mkdir(crTestPath("arm_description"), 0777), 0);
  assert_int_equal(mkdir(crTestPath("arm_description/meshes"), 0777), 0);
  assert_int_equal(mkdir(crTestPath("arm_description/urdf"), 0777), 0);
  copyMesh(crTestPath("arm_description/meshes/a.stl"));
  crWriteTestFile(crTestPath("arm_description/urdf/arm.urdf"), text, sizeof text - 1);
  crScene* scene = NULL;
  assert_int_equal(crReadModel(crTestPath("arm_description/urdf/arm.urdf"), NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crScene_CountMeshFiles(scene), 1);
  crDestroyScene(scene);
  // from elsewhere, by what the user names and by the variable
  char setting[4096];
  snprintf(setting, sizeof setting, "meshPath=/nowhere:%s", crTestPath(""));
  const char* settings[] = { setting, NULL };
  crTestRobot robot = readGood(text, settings);
  crTestRobot_Free(&robot);
  assertRefused(text, NULL, "the mesh 'package://arm_description/meshes/a.stl' is missing");
  assert_int_equal(setenv("ROS_PACKAGE_PATH", crTestPath(""), 1), 0);
  robot = readGood(text, NULL);
  crTestRobot_Free(&robot);
  unsetenv("ROS_PACKAGE_PATH");
}

static void a_missing_mesh_tells_where_it_was_looked_for_or_is_left_out(void** state)
{
  (void)state;
  static const char text[] = MESHED("meshes/none.stl");
  const char* path[] = { "meshPath=/nowhere", NULL };
  assertRefused(text, path, "/nowhere/meshes/none.stl");
  assertRefused(text, path, "--ignore-missing does without");
  const char* ignore[] = { "ignoreMissing=true", NULL };
  crTestRobot robot = readGood(text, ignore);
  assert_message(robot.log, cr_severityWarning,
                 "1 mesh file is missing, or cannot be read, and left out: meshes/none.stl");
  crTestRobot_Free(&robot);
}

static void meshes_that_cannot_be_read_are_left_out_when_missing_ones_are(void** state)
{
  (void)state;
  crWriteTestFile(crTestPath("broken.stl"), "solid a\nfacet", 13);
  crWriteTestFile(crTestPath("other.ply"), "ply\n", 4);
  char setting[4096];
  snprintf(setting, sizeof setting, "meshPath=%s", crTestPath(""));
  const char *strict[] = { setting, NULL }, *lax[] = { setting, "ignoreMissing=true", NULL };
  static const char* const texts[] = { MESHED("broken.stl"), MESHED("other.ply") };
  static const char* const says[] = { "broken.stl", "has an unknown mesh format" };
  for (int i = 0; i < 2; ++i) {
    assertRefused(texts[i], strict, says[i]);
    crTestRobot robot = readGood(texts[i], lax);
    assert_message(robot.log, cr_severityWarning, "1 mesh file is missing, or cannot be read, and left out");
    crTestRobot_Free(&robot);
  }
}

// What a repository leaves in the place of a large file is none.
static void a_pointer_to_a_mesh_is_no_mesh(void** state)
{
  (void)state;
  static const char pointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
  crWriteTestFile(crTestPath("pointer.stl"), pointer, sizeof pointer - 1);
  char setting[4096];
  snprintf(setting, sizeof setting, "meshPath=%s", crTestPath(""));
  const char* settings[] = { setting, NULL };
  assertRefused(MESHED("pointer.stl"), settings, "is missing");
}

// ------------------------------------------------------------------------------------------- faults

// Two triangles back to back enclose nothing: no solid, no inertia.
static void meshes_without_a_volume_are_told(void** state)
{
  (void)state;
  static const char flat[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n";
  static const char urdf[] =
      "<robot name='r'><link name='base'/><link name='arm'><collision><geometry><mesh filename='flat.obj'/></geometry>"
      "</collision></link><joint name='j' type='fixed'><parent link='base'/><child link='arm'/></joint></robot>\n";
  static const char mjcf[] = "<mujoco><asset><mesh name='m' file='flat.obj'/></asset><worldbody><body><freejoint/>\n"
                             "<geom type='mesh' mesh='m' density='1000'/></body></worldbody></mujoco>\n";
  crWriteTestFile(crTestPath("flat.obj"), flat, sizeof flat - 1);
  crWriteTestFile(crTestPath("flat.urdf"), urdf, sizeof urdf - 1);
  crWriteTestFile(crTestPath("flat.xml"), mjcf, sizeof mjcf - 1);
  crAssertSays("$carom convert flat.urdf flat.json", 0,
               "flat.urdf: warning: 1 mesh has no contact, because no solid can be made of it: flat.obj");
  crAssertSays("$carom convert flat.urdf nowhere/flat.lua", 1,
               "nowhere/flat.lua: error: the folder of the file cannot be found\n  found No such file or directory");
  char name[5000];
  for (size_t i = 0; i < sizeof name; ++i) {
    name[i] = i % 2 == 0 ? 'x' : '/';
  }
  name[sizeof name - 1] = '\0';
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crWriteRobotLuaFile(name, NULL, "x.lua", NULL, &sink), cr_errorFile);
  assert_string_equal(crErrorLog_Get(log, 0)->message, "the name of the file is too long");
  crDestroyErrorLog(log);
  crAssertSays("$carom convert flat.xml flat.json", 1,
               "flat.xml:2: error: world_body_geom: the mesh has no volume, so it has no inertia");
}

static void faults_are_told_with_their_line(void** state)
{
  (void)state;
  assertRefused("<robot>\n<link/></robot>", NULL, "robot.urdf:2: error: this link has no name");
  assertRefused("<robot>\n<link name='a'/>\n<link name='a'/></robot>", NULL, "robot.urdf:3: error: a: another link");
  assertRefused("<robot/>", NULL, "the robot has no links");
  assertRefused("<robot><link name='a'/>\n<link name='b'/></robot>", NULL,
                "robot.urdf:2: error: b: this link hangs on");
  assertRefused(ROBOT("<link name='arm'/>\n" JOINT("j", "fixed", "arn", "arm", "")), NULL,
                "robot.urdf:2: error: j: the parent of this joint does not exist");
  assertRefused(ROBOT("<link name='a'/>\n<joint name='j' type='fixed'><child link='a'/></joint>"), NULL,
                "this joint has no <parent link=");
  assertRefused(
      ROBOT("<link name='a'/><link name='b'/>" JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", "")),
      NULL, "the joints form a circle: no link is the root");
  assertRefused(ROBOT("<link name='a'/><link name='b'/><link name='c'/>" JOINT("j", "fixed", "c", "b", "")
                          JOINT("k", "fixed", "b", "c", "")),
                NULL, "error: b: this link is not part of the tree: joints form a circle");
  assertRefused(
      ROBOT("<link name='a'/><link name='b'/>" JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "a", "b", "")),
      NULL, "the link 'b' hangs on two joints");
  assertRefused(ROBOT("<link name='a'/><link name='b'/>" JOINT("j", "hinge", "a", "b", "")), NULL,
                "there is no such type of joint");
  assertRefused(
      ROBOT(LINK("a", "1", ROUND) LINK("b", "1", ROUND) JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>")),
      NULL, "the axis of this joint has no direction");
  assertRefused(ROBOT("<link name='a'><inertial><mass value='${m}'/></inertial></link>"), NULL,
                "let xacro make the robot of it first");
  assertRefused(ROBOT("<link name='a'><inertial><origin xyz='1 2'/></inertial></link>"), NULL,
                "xyz of <origin> cannot be read");
  assertRefused(ROBOT("<link name='a'><visual><geometry><torus/></geometry></visual></link>"), NULL,
                "there is no shape <torus> in URDF");
  assertRefused(ROBOT("<link name='a'><visual><geometry><mesh/></geometry></visual></link>"), NULL,
                "this mesh has no filename");
  assertRefused(ROBOT("\n<link name='a'><visual><geometry><sphere radius='-1'/></geometry></visual></link>"), NULL,
                "robot.urdf:2: error: a");
  assertRefused(ROBOT("\n" LINK("a", "-1", ROUND)), NULL, "robot.urdf:2: error: a.mass1: mass must not be negative");
  assertRefused("<sdf/>", NULL, "this is no robot that can be read");
}

static void options_are_checked(void** state)
{
  (void)state;
  static const char text[] = ROBOT("<link name='a'/>");
  static const char* const settings[][2] = {
    { "fixed=1", "fixed is neither true nor false" }, { "inertia=any", "inertia is no policy" },
    { "group=-1", "group is no collision group" },    { "contact=true", "contact is no material" },
    { "meshPath=1", "meshPath is not a text" },       { "ignoreMising=true", "did you mean 'ignoreMissing'?" }
  };
  for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
    const char* one[] = { settings[i][0], NULL };
    assertRefused(text, one, settings[i][1]);
  }
}

// Entities may stand for a billion letters or for another file: none is read.
static void xml_that_is_none_or_means_harm_is_refused(void** state)
{
  (void)state;
  assertRefused("<robot>\n<link>", NULL, "robot.urdf:2");
  assertRefused("", NULL, "this is not XML");
  assertRefused("<!DOCTYPE r [<!ENTITY a 'b'>]><robot name='&a;'/>", NULL, "declares entities of its own");
  assertRefused("<!DOCTYPE r [<!ENTITY a SYSTEM '/etc/passwd'>]><robot>&a;</robot>", NULL, "declares entities");
  static char deep[20000];
  for (int i = 0; i < 1000; ++i) {
    strcpy(deep + 3 * i, "<a>");
  }
  assertRefused(deep, NULL, "elements are nested too deep");
  crTestRobot robot = readGood("\n  <?xml version='1.0'?>\n<robot><link name='a'/></robot>", NULL);
  crTestRobot_Free(&robot);
  robot = readGood("<?xml version='1.0' encoding='windows-1252'?><robot><link name='\xe4'/></robot>", NULL);
  assert_int_equal(crScene_Find(robot.scene, "\u00e4").kind, cr_elementObject);
  crTestRobot_Free(&robot);
}

static void memory_that_runs_out_is_told_and_given_back(void** state)
{
  (void)state;
  static const char text[] =
      ROBOT("<material name='m'><color rgba='1 1 1 1'/></material>" LINK("a", "1", ROUND)
                LINK("b", "1", ROUND) "<link name='c'><visual><origin xyz='1 1 1'/><geometry><sphere "
                                      "radius='1'/></geometry></visual></link>" JOINT("j", "continuous", "a", "b", "")
                                          JOINT("k", "continuous", "b", "c", "") "<gazebo/>");
  for (long n = 0;; ++n) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = n;
    crScene* scene = NULL;
    crStatus status = crReadRobot(text, sizeof text - 1, "robot.urdf", NULL, NULL, &allocator, NULL, &scene);
    crDestroyScene(scene);
    assert_int_equal(counter.liveBlocks, 0);
    if (status == cr_ok) {
      assert_true(n > 5);
      return;
    }
    assert_int_equal(status, cr_errorMemory);
  }
}

static void misuse_is_answered(void** state)
{
  (void)state;
  crScene* scene = NULL;
  assert_int_equal(crReadRobot(NULL, 1, NULL, NULL, NULL, NULL, NULL, &scene), cr_errorMisuse);
  assert_int_equal(crReadRobot("", 0, NULL, NULL, NULL, NULL, NULL, NULL), cr_errorMisuse);
  crReadOptions options = crDefaultReadOptions();
  crSetting none = { NULL, NULL };
  options.settings = &none;
  options.settingCount = 1;
  assert_int_equal(crReadRobot("", 0, NULL, NULL, &options, NULL, NULL, &scene), cr_errorMisuse);
  assert_int_equal(crWriteRobotLua(NULL, NULL, NULL, NULL, (crTextWriter){ NULL, NULL }), cr_errorMisuse);
  assert_int_equal(crWriteRobotLuaFile(NULL, NULL, NULL, NULL, NULL), cr_errorMisuse);
}

// ---------------------------------------------------------------------------------------------- Lua

// A robot, and the Lua model that is made of it, are one scene to the last bit.
static void a_robot_as_lua_is_the_same_scene(void** state)
{
  (void)state;
  static char text[1 << 16];
  crRandom random = crMakeRandom(3);
  crPlainLink links[12];
  for (int i = 0; i < 12; ++i) {
    links[i] = crMakeRandomPlainLink(&random, i);
  }
  makeUnphysical(links);
  crWritePlainUrdf(links, 12, text, sizeof text);
  crWriteTestFile(crTestPath("arm.urdf"), text, strlen(text));
  crScene *scene = NULL, *back = NULL;
  assert_int_equal(crReadModel(crTestPath("arm.urdf"), NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crWriteRobotLuaFile(crTestPath("arm.urdf"), NULL, crTestPath("arm.lua"), NULL, NULL), cr_ok);
  assert_int_equal(crReadModel(crTestPath("arm.lua"), NULL, NULL, NULL, &back), cr_ok);
  crTestText first = crWriteTestText(scene), second = crWriteTestText(back);
  assert_string_equal(first.bytes, second.bytes);
  crTestText_Free(&first);
  crTestText_Free(&second);
  crDestroyScene(scene);
  crDestroyScene(back);
}

static crStatus readLua(const char* text, crErrorLog** outLog, crScene** outScene)
{
  *outLog = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(*outLog);
  crWriteTestFile(crTestPath("model.lua"), text, strlen(text));
  return crReadModel(crTestPath("model.lua"), NULL, NULL, &sink, outScene);
}

static void lua_models_import_robots_under_a_name(void** state)
{
  (void)state;
  static const char robot[] = ROBOT(LINK("a", "1", ROUND) LINK("b", "1", ROUND) JOINT("j", "continuous", "a", "b", ""));
  crWriteTestFile(crTestPath("small.urdf"), robot, sizeof robot - 1);
  crErrorLog* log;
  crScene* scene;
  crStatus status =
      readLua("local g = world('g')\n"
              "local left = import('small.urdf', { name = 'left', position = { 0, 1, 0 } })\n"
              "local right = import('small.urdf', { name = 'right', fixed = false })\n"
              "jointSensor('angle', { joint = left.j })\n"
              "springDamper('s', left.b, right['b'], { stiffness = 1 })\n"
              "assembly('cell', nil, function() import('small.urdf', { name = 'third', parent = g }) end)\n",
              &log, &scene);
  assert_no_messages(log);
  assert_int_equal(status, cr_ok);
  assert_int_equal(crScene_Find(scene, "left.j").kind, cr_elementJoint);
  assert_int_equal(crScene_Find(scene, "cell.third.b").kind, cr_elementObject);
  const crObjectDef* base = crScene_GetObject(scene, crScene_Find(scene, "left.a"));
  assert_string_equal(base->parent, "left.mount");
  assert_true(crScene_GetObject(scene, crScene_Find(scene, "left.mount"))->position.y == 1.0);
  assert_int_equal(crScene_GetObject(scene, crScene_Find(scene, "right.a"))->mobility, cr_mobilityFree);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void faults_of_imports_are_told_with_the_line_of_the_call(void** state)
{
  (void)state;
  static const char* const cases[][2] = {
    { "world('g')\nimport('none.urdf')", "model.lua:2: error: import: cannot open" },
    { "import('small.urdf')", "import needs something that the robot stands on" },
    { "world('g')\nimport(1)", "import takes the name of a file" },
    { "world('g')\nimport('small.urdf', 3)", "import takes a table of options" },
    { "world('g')\nimport('small.urdf', { parent = 3 })", "parent is of the wrong type" },
    { "world('g')\nimport('small.urdf', { colour = 'red' })", "a robot has no option 'colour'" },
    { "world('g')\nimport('small.urdf', { name = 'a.b' })", "a name holds a '.'" },
    { "world('g')\nimport('small.urdf', { position = 3 })", "position" },
    { "world('g')\nimport('bad.urdf')", "bad.urdf:1" },
    { "world('g')\nimport('small.urdf')\nimport('small.urdf')", "the name is taken already" },
    { "world('g')\nimport('small.urdf', { 1 })", "the options of an import have names" },
    { "while true do import('small.urdf') end", "instructions" },
  };
  static const char robot[] = ROBOT(LINK("a", "1", ROUND));
  crWriteTestFile(crTestPath("small.urdf"), robot, sizeof robot - 1);
  crWriteTestFile(crTestPath("bad.urdf"), "<robot><link/></robot>", 22);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crErrorLog* log;
    crScene* scene = NULL;
    assert_int_not_equal(readLua(cases[i][0], &log, &scene), cr_ok);
    assert_message(log, cr_severityError, cases[i][1]);
    crDestroyScene(scene);
    crDestroyErrorLog(log);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(inverse_dynamics_of_random_robots_is_that_of_newton_and_euler),
    cmocka_unit_test(masses_that_no_body_has_are_taken_as_given_with_one_warning),
    cmocka_unit_test(given_inertias_that_nothing_can_move_with_are_refused),
    cmocka_unit_test(the_balanced_inertia_is_the_nearest),
    cmocka_unit_test(joints_that_move_nothing_are_welded_with_a_word),
    cmocka_unit_test(links_and_joints_keep_their_names),
    cmocka_unit_test(a_root_named_world_is_the_world_and_others_may_be_free),
    cmocka_unit_test(limits_become_stops_and_dynamics_a_law),
    cmocka_unit_test(a_joint_that_mimics_another_is_coupled_to_it),
    cmocka_unit_test(a_transmission_drives_its_joint_up_to_the_effort),
    cmocka_unit_test(shapes_have_places_colours_and_contact),
    cmocka_unit_test(meshes_are_found_by_package_from_the_folders_above),
    cmocka_unit_test(a_missing_mesh_tells_where_it_was_looked_for_or_is_left_out),
    cmocka_unit_test(meshes_that_cannot_be_read_are_left_out_when_missing_ones_are),
    cmocka_unit_test(a_pointer_to_a_mesh_is_no_mesh),
    cmocka_unit_test(meshes_without_a_volume_are_told),
    cmocka_unit_test(faults_are_told_with_their_line),
    cmocka_unit_test(options_are_checked),
    cmocka_unit_test(xml_that_is_none_or_means_harm_is_refused),
    cmocka_unit_test(memory_that_runs_out_is_told_and_given_back),
    cmocka_unit_test(misuse_is_answered),
    cmocka_unit_test(a_robot_as_lua_is_the_same_scene),
    cmocka_unit_test(lua_models_import_robots_under_a_name),
    cmocka_unit_test(faults_of_imports_are_told_with_the_line_of_the_call),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
