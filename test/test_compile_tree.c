// Bodies, trees, states and start poses: what must not depend on how a model is written, hand
// computations, and random models against brute force.
#include "support/scenes.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static crVec3 at(double x, double y, double z)
{
  return crMakeVec3(x, y, z);
}

static const crBody* bodyOf(const crModel* model, const char* path)
{
  int object = crModel_FindObject(model, path);
  assert_true(object >= 0);
  return crModel_GetBody(model, crModel_GetObject(model, object)->body);
}

static const char* pathOfBody(const crModel* model, const char* path)
{
  return crModel_GetBodyPath(model, crModel_GetObject(model, crModel_FindObject(model, path))->body);
}

static crPose startPose(const crModel* model, const char* path)
{
  const crModelObject* object = crModel_GetObject(model, crModel_FindObject(model, path));
  assert_non_null(object);
  return crMulPose(crModel_GetBody(model, object->body)->X_WB_start, object->X_BO);
}

static void assertPosesClose(crPose a, crPose b, double tol)
{
  assert_vec_close(a.p, b.p, tol);
  assert_vec_close(a.R.cx, b.R.cx, tol);
  assert_vec_close(a.R.cy, b.R.cy, tol);
  assert_vec_close(a.R.cz, b.R.cz, tol);
}

static void addTurned(crTestScene* test, const char* name, const char* parent, crMobility mobility, crVec3 position,
                      crQuat rotation)
{
  crObjectDef def = crDefaultObjectDef(name);
  crFeatureDef mass = crDefaultFeatureDef(cr_featureMass);
  mass.as.mass = (crMassDef){ 1.0, { 0.1, 0.0, 0.0 }, crDiagonalSym3(0.01, 0.02, 0.025), cr_inertiaStrict };
  def.parent = parent;
  def.mobility = mobility;
  def.position = position;
  def.rotation = rotation;
  def.features = &mass;
  def.featureCount = 1;
  assert_int_equal(crScene_AddObject(test->scene, &def, NULL), cr_ok);
}

// ------------------------------------------------------------------------------------------ a chain

// Three links of 1 m, 2 m and 3 m about z with angles a, b, c: the tip is where trigonometry says.
static void start_poses_of_three_links_are_those_of_trigonometry(void** state)
{
  (void)state;
  const double a = 0.3, b = -0.7, c = 1.1;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddMass(&test, "link1", NULL, at(0, 0, 0), 1.0);
  crAddObject(&test, "end1", "link1", at(1, 0, 0));
  crAddMass(&test, "link2", NULL, at(0, 0, 0), 1.0);
  crAddObject(&test, "end2", "link2", at(2, 0, 0));
  crAddMass(&test, "link3", NULL, at(0, 0, 0), 1.0);
  crAddObject(&test, "tip", "link3", at(3, 0, 0));
  crAddJointAt(&test, cr_jointRevolute, "j1", "world", "link1", a);
  crAddJointAt(&test, cr_jointRevolute, "j2", "end1", "link2", b);
  crAddJointAt(&test, cr_jointRevolute, "j3", "end2", "link3", c);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  crPose tip = startPose(model, "tip");
  assert_vec_close(tip.p,
                   at(cos(a) + 2 * cos(a + b) + 3 * cos(a + b + c), sin(a) + 2 * sin(a + b) + 3 * sin(a + b + c), 0.0),
                   1e-15);
  assert_vec_close(tip.R.cx, at(cos(a + b + c), sin(a + b + c), 0.0), 1e-15);
  assert_int_equal(crModel_GetSize(model).stateCount, 6);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// The same chain with its objects the other way round: B is nearer to the world.
static void a_reversed_joint_runs_backwards_from_the_same_pose(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddMass(&test, "link", NULL, at(0, 0, 0), 1.0);
  crAddMass(&test, "slider", NULL, at(0, 0, 0), 1.0);
  crAddJointAt(&test, cr_jointRevolute, "turn", "link", "world", 0.4);
  crAddJointAt(&test, cr_jointPrismatic, "slide", "slider", "link", 2.0);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  const crModelJoint* turn = crModel_GetJoint(model, crModel_FindJoint(model, "turn"));
  assert_true(turn->isReversed);
  assert_close(turn->start[0], 0.4, 0.0);
  // the world is turned by +0.4 relative to the link, so the link by -0.4 relative to the world
  assert_vec_close(startPose(model, "link").R.cx, at(cos(0.4), -sin(0.4), 0.0), 1e-15);
  assert_vec_close(startPose(model, "slider").p, at(-2.0 * cos(0.4), 2.0 * sin(0.4), 0.0), 1e-15);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// ---------------------------------------------------------------------------------------- re-rooting

// The joint ends at the leaf of a rigid group: the group hangs on it, and its root comes out upside down.
static void a_group_hangs_on_whichever_of_its_objects_a_joint_names(void** state)
{
  (void)state;
  crQuat r1 = crAnglesToQuat(at(0.1, 0.2, 0.3)), r2 = crAnglesToQuat(at(-0.5, 0.4, 0.9));
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  addTurned(&test, "root", NULL, cr_mobilityRigid, at(0, 0, 0), crIdentityQuat());
  addTurned(&test, "middle", "root", cr_mobilityRigid, at(1, 2, 3), r1);
  addTurned(&test, "leaf", "middle", cr_mobilityRigid, at(4, 5, 6), r2);
  crAddJointAt(&test, cr_jointRevolute, "j", "world", "leaf", 0.6);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  const crBody* body = bodyOf(model, "root");
  assert_string_equal(crModel_GetObjectPath(model, body->objectStart), "leaf");
  crPose X_WL = { crQuatToMat3(crAxisAngleToQuat(at(0, 0, 1), 0.6)), { 0, 0, 0 } };
  crPose X_RL = crMulPose(crMakePose(at(1, 2, 3), r1), crMakePose(at(4, 5, 6), r2));
  assertPosesClose(startPose(model, "leaf"), X_WL, 1e-15);
  assertPosesClose(startPose(model, "root"), crMulPose(X_WL, crInvertPose(X_RL)), 1e-14);
  assert_close(body->inertia.mass, 3.0, 0.0);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// ------------------------------------------------------------------------------ fix joints and parents

static void fix_joints_equal_rigid_parents(void** state)
{
  (void)state;
  crModel* models[2];
  crTestScene tests[2];
  for (int variant = 0; variant < 2; ++variant) {
    crTestScene* test = &tests[variant];
    *test = crTestScene_Make(NULL);
    crAddWorld(test);
    addTurned(test, "a", NULL, cr_mobilityFree, at(1, 0, 0), crAnglesToQuat(at(0.3, 0, 0)));
    crQuat r = crAnglesToQuat(at(0, 0.5, 0.2));
    if (variant == 0) {
      addTurned(test, "b", "a", cr_mobilityRigid, at(0, 2, 0), r);
    } else {
      crObjectDef frame = crDefaultObjectDef("frame");
      frame.parent = "a";
      frame.position = at(0, 2, 0);
      frame.rotation = r;
      assert_int_equal(crScene_AddObject(test->scene, &frame, NULL), cr_ok);
      addTurned(test, "b", NULL, cr_mobilityRigid, at(7, 7, 7), crIdentityQuat());
      crAddJoint(test, cr_jointFix, "weld", "b", "frame");
    }
    models[variant] = crTestScene_Compile(test, cr_ok);
    assert_int_equal(crModel_GetSize(models[variant]).bodyCount, 2);
    assert_int_equal(crModel_GetSize(models[variant]).jointCount, 1);
  }
  assertPosesClose(startPose(models[0], "b"), startPose(models[1], "b"), 1e-15);
  crInertia inertia[2] = { crModel_GetBody(models[0], 1)->inertia, crModel_GetBody(models[1], 1)->inertia };
  assert_close(inertia[0].mass, inertia[1].mass, 0.0);
  assert_vec_close(inertia[0].com, inertia[1].com, 1e-15);
  assert_close(inertia[0].I_com.xx, inertia[1].I_com.xx, 1e-15);
  assert_close(inertia[0].I_com.yz, inertia[1].I_com.yz, 1e-15);
  for (int variant = 0; variant < 2; ++variant) {
    crDestroyModel(models[variant]);
    crTestScene_Free(&tests[variant]);
  }
}

// ----------------------------------------------------------------------------------------- invariance

#define CR_RIG_JOINTS 6

typedef struct RigJoint {
  crJointKind kind;
  const char *name, *objectA, *objectB;
} RigJoint;

static const RigJoint rig[CR_RIG_JOINTS] = {
  { cr_jointRevolute, "base", "world", "crane" },  { cr_jointPrismatic, "reach", "crane.top", "boom" },
  { cr_jointRevolute, "wrist", "boom", "hand" },   { cr_jointFix, "glue", "hand", "tool" },
  { cr_jointRevolute, "thumb", "tool", "finger" }, { cr_jointPrismatic, "slide", "rail", "world" },
};

// A tree of five moving bodies; all coordinates start at zero, so that turning a joint round changes
// nothing.
static crModel* compileRig(crTestScene* test, const int* order, unsigned swaps)
{
  *test = crTestScene_Make(NULL);
  crAddWorld(test);
  addTurned(test, "crane", NULL, cr_mobilityRigid, at(0, 0, 0), crIdentityQuat());
  addTurned(test, "crane.top", "crane", cr_mobilityRigid, at(0, 0, 5), crAnglesToQuat(at(0.2, 0.1, 0.0)));
  addTurned(test, "boom", NULL, cr_mobilityRigid, at(0, 0, 0), crIdentityQuat());
  addTurned(test, "hand", NULL, cr_mobilityRigid, at(0, 0, 0), crIdentityQuat());
  addTurned(test, "tool", NULL, cr_mobilityRigid, at(0, 0, 0), crIdentityQuat());
  addTurned(test, "tool.bit", "tool", cr_mobilityRigid, at(0.1, 0, 0), crAnglesToQuat(at(0.0, 0.1, 0.7)));
  addTurned(test, "finger", NULL, cr_mobilityRigid, at(0, 0, 0), crIdentityQuat());
  addTurned(test, "rail", NULL, cr_mobilityRigid, at(0, 0, 0), crIdentityQuat());
  for (int i = 0; i < CR_RIG_JOINTS; ++i) {
    const RigJoint* joint = &rig[order[i]];
    bool isSwapped = (swaps >> order[i] & 1u) != 0;
    crAddJoint(test, joint->kind, joint->name, isSwapped ? joint->objectB : joint->objectA,
               isSwapped ? joint->objectA : joint->objectB);
  }
  return crTestScene_Compile(test, cr_ok);
}

static void nothing_depends_on_the_order_of_joints_or_of_their_objects(void** state)
{
  (void)state;
  static const char* const objects[] = { "crane", "crane.top", "boom", "hand", "tool", "tool.bit", "finger", "rail" };
  static const int straight[CR_RIG_JOINTS] = { 0, 1, 2, 3, 4, 5 };
  crTestScene firstTest;
  crModel* first = compileRig(&firstTest, straight, 0);
  crRandom random = crMakeRandom(7);
  for (int round = 0; round < 40; ++round) {
    int order[CR_RIG_JOINTS];
    memcpy(order, straight, sizeof order);
    for (int i = CR_RIG_JOINTS - 1; i > 0; --i) {
      int other = (int)(crRandom_Next(&random) % (unsigned)(i + 1)), kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
    crTestScene test;
    crModel* model = compileRig(&test, order, (unsigned)crRandom_Next(&random));
    assert_int_equal(crModel_GetSize(model).bodyCount, crModel_GetSize(first).bodyCount);
    assert_int_equal(crModel_GetSize(model).stateCount, crModel_GetSize(first).stateCount);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; ++i) {
      assertPosesClose(startPose(model, objects[i]), startPose(first, objects[i]), 1e-14);
      assert_string_equal(pathOfBody(model, objects[i]), pathOfBody(first, objects[i]));
      assert_close(bodyOf(model, objects[i])->inertia.mass, bodyOf(first, objects[i])->inertia.mass, 1e-15);
      assert_vec_close(bodyOf(model, objects[i])->inertia.com, bodyOf(first, objects[i])->inertia.com, 1e-14);
    }
    crDestroyModel(model);
    crTestScene_Free(&test);
  }
  crDestroyModel(first);
  crTestScene_Free(&firstTest);
}

// -------------------------------------------------------------------------------------- tree choice

// A ring of five joints through the world, written so that a depth-first search would make one long branch.
static void a_ring_is_cut_opposite_to_the_world(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  static const char* const names[] = { "a", "b", "c", "d" };
  for (int i = 0; i < 4; ++i) {
    crAddMass(&test, names[i], NULL, at(0, 0, 0), 1.0);
  }
  crAddJoint(&test, cr_jointRevolute, "ab", "a", "b");
  crAddJoint(&test, cr_jointRevolute, "bc", "b", "c");
  crAddJoint(&test, cr_jointRevolute, "cd", "c", "d");
  crAddJoint(&test, cr_jointRevolute, "wd", "world", "d");
  crAddJoint(&test, cr_jointRevolute, "wa", "world", "a");
  crModel* model = crTestScene_Compile(&test, cr_ok);
  // from the world: a and d at depth 1, b and c at depth 2, so "bc" closes the loop through the world
  assert_int_equal(crModel_GetSize(model).cutJointCount, 1);
  int bodyCount;
  const crLoop* loop = crModel_GetLoop(model, 0);
  const int* bodies = crModel_GetLoopBodies(model, 0, &bodyCount);
  assert_string_equal(crModel_GetJointPath(model, loop->cutJoint), "bc");
  assert_int_equal(bodyCount, 5);
  assert_int_equal(loop->bodyCount, 5);
  assert_int_equal(bodies[2], 0);
  assert_string_equal(crModel_GetBodyPath(model, bodies[0]), "b");
  assert_string_equal(crModel_GetBodyPath(model, bodies[4]), "c");
  assert_int_equal(crModel_GetSize(model).treeCount, 2);
  assert_int_equal(crModel_GetJoint(model, 4)->isCut, 1);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void a_free_joint_is_used_only_where_nothing_else_leads(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddMass(&test, "a", NULL, at(0, 0, 0), 1.0);
  crAddMass(&test, "b", NULL, at(0, 0, 0), 1.0);
  crAddMass(&test, "c", NULL, at(0, 0, 0), 1.0);
  crAddJointAt(&test, cr_jointFreeMotion, "fly", "a", "b", 3.0);
  crAddJoint(&test, cr_jointRevolute, "hinge", "c", "b");
  crAddJoint(&test, cr_jointRevolute, "turn", "world", "a");
  crModel* model = crTestScene_Compile(&test, cr_ok);
  assert_int_equal(crModel_GetSize(model).treeCount, 1);
  assert_int_equal(crModel_GetSize(model).cutJointCount, 0);
  assert_int_equal(crModel_GetSize(model).qCount, 1 + 7 + 1);
  assert_int_equal(crModel_GetSize(model).vCount, 1 + 6 + 1);
  assert_int_equal(bodyOf(model, "c")->depth, 3);
  assert_vec_close(startPose(model, "c").p, at(3, 0, 0), 1e-15);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// ------------------------------------------------------------------------------------------- states

static void states_are_tree_by_tree_coordinates_before_rates(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddFree(&test, "ball", NULL, at(1, 2, 3));
  crAddMass(&test, "arm", NULL, at(0, 0, 0), 1.0);
  crAddMass(&test, "tail", NULL, at(0, 0, 0), 1.0);
  crAddJoint(&test, cr_jointRevolute, "wag", "ball", "tail");
  crAddJoint(&test, cr_jointRevolute, "swing", "world", "arm");
  crModel* model = crTestScene_Compile(&test, cr_ok);
  // joints come before free objects: the arm's tree is first
  const crTree* arm = crModel_GetTree(model, 0);
  const crTree* ball = crModel_GetTree(model, 1);
  assert_int_equal(arm->qStart, 0);
  assert_int_equal(arm->vStart, 1);
  assert_int_equal(arm->auxStart, 2);
  assert_int_equal(ball->qStart, 2);
  assert_int_equal(ball->qCount, 8);
  assert_int_equal(ball->vStart, 10);
  assert_int_equal(ball->vCount, 7);
  assert_int_equal(crModel_GetSize(model).stateCount, 17);
  const crModelJoint* wag = crModel_GetJoint(model, crModel_FindJoint(model, "wag"));
  assert_int_equal(wag->qStart, 9);
  assert_int_equal(wag->vStart, 16);
  const crModelJoint* fly = crModel_GetJoint(model, crModel_FindJoint(model, "ball"));
  assert_true(fly->isImplicit);
  assert_true(fly->canCollide);
  assert_int_equal(fly->bodyA, 0);
  for (int b = 1; b < crModel_GetSize(model).bodyCount; ++b) {
    assert_true(crModel_GetBody(model, b)->parent < b);
    assert_int_equal(crModel_GetBody(model, b)->joint, b - 1);
  }
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// The parent of a free object may be on a body that starts later, and in turn be free.
static void free_objects_start_where_their_moving_parents_start(void** state)
{
  (void)state;
  crQuat r = crAnglesToQuat(at(0.0, 0.0, CR_PI / 2));
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  addTurned(&test, "moon", "planet.top", cr_mobilityFree, at(1, 0, 0), crAnglesToQuat(at(0.3, 0, 0)));
  addTurned(&test, "planet", "mast", cr_mobilityFree, at(10, 0, 0), r);
  addTurned(&test, "planet.top", "planet", cr_mobilityRigid, at(0, 2, 0), crIdentityQuat());
  addTurned(&test, "mast", NULL, cr_mobilityRigid, at(0, 0, 0), crIdentityQuat());
  crAddJointAt(&test, cr_jointPrismatic, "lift", "world", "mast", 100.0);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  // planet at (110, 0, 0), turned by 90 degrees: its top at (108, 0, 0), the moon 1 m along y of that
  assert_vec_close(startPose(model, "planet").p, at(110, 0, 0), 1e-13);
  assert_vec_close(startPose(model, "moon").p, at(108, 1, 0), 1e-13);
  const crModelJoint* moon = crModel_GetJoint(model, crModel_FindJoint(model, "moon"));
  assert_close(moon->start[0], 108.0, 1e-13);
  assert_close(moon->start[1], 1.0, 1e-13);
  crQuat q = { moon->start[3], moon->start[4], moon->start[5], moon->start[6] };
  crMat3 R = crMulMM(crQuatToMat3(r), crQuatToMat3(crAnglesToQuat(at(0.3, 0, 0))));
  assert_vec_close(crQuatToMat3(q).cy, R.cy, 1e-15);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void a_free_object_keeps_the_digits_and_velocities_that_were_given(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crObjectDef def = crDefaultObjectDef("top");
  crFeatureDef ball = crMakeBall(NULL);
  def.mobility = cr_mobilityFree;
  def.position = at(0.1, 0.2, 0.3);
  def.rotation = (crQuat){ -0.5, 0.5, -0.5, 0.5 };
  def.velocity = at(1, 2, 3);
  def.angularVelocity = at(4, 5, 6);
  def.features = &ball;
  def.featureCount = 1;
  assert_int_equal(crScene_AddObject(test.scene, &def, NULL), cr_ok);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  static const double q[7] = { 0.1, 0.2, 0.3, -0.5, 0.5, -0.5, 0.5 }, v[6] = { 1, 2, 3, 4, 5, 6 };
  const crModelJoint* joint = crModel_GetJoint(model, 0);
  assert_memory_equal(joint->start, q, sizeof q);
  assert_memory_equal(joint->startRate, v, sizeof v);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// -------------------------------------------------------------------------------------- random models

#define CR_RANDOM_OBJECTS 40

typedef struct RandomLinks {
  int parents[CR_RANDOM_OBJECTS];   // -1: none
  bool isWelded[CR_RANDOM_OBJECTS]; // to the parent: by a fix joint or a rigid parent
} RandomLinks;

// Groups by repeated relabelling until nothing changes: slow, and nothing like the search under test.
static void labelGroups(const RandomLinks* links, int count, int* labels)
{
  for (int i = 0; i < count; ++i) {
    labels[i] = i;
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (int i = 0; i < count; ++i) {
      int p = links->parents[i];
      if (p >= 0 && links->isWelded[i] && labels[i] != labels[p]) {
        labels[i] = labels[p] = labels[i] < labels[p] ? labels[i] : labels[p];
        changes = true;
      }
    }
  }
}

// Object i hangs on an earlier one: by a rigid parent, a fix joint in either order, or a joint.
static void buildRandom(crTestScene* test, crRandom* random, int count, RandomLinks* links)
{
  char names[CR_RANDOM_OBJECTS][16], joint[24];
  crAddWorld(test);
  snprintf(names[0], sizeof names[0], "world");
  links->parents[0] = -1;
  for (int i = 1; i < count; ++i) {
    int p = (int)(crRandom_Next(random) % (unsigned)i), how = (int)(crRandom_Next(random) % 4);
    bool isSwapped = crRandom_Next(random) % 2 == 0;
    snprintf(names[i], sizeof names[i], "o%d", i);
    snprintf(joint, sizeof joint, "j%d", i);
    links->parents[i] = p;
    links->isWelded[i] = how <= 1;
    addTurned(test, names[i], how == 0 ? names[p] : NULL, cr_mobilityRigid, crRandom_UnitVec3(random),
              crRandom_Rotation(random));
    if (how > 0) {
      crJointKind kind = how == 1 ? cr_jointFix : how == 2 ? cr_jointRevolute : cr_jointPrismatic;
      crAddJointAt(test, kind, joint, isSwapped ? names[i] : names[p], isSwapped ? names[p] : names[i],
                   how == 1 ? 0.0 : crRandom_Uniform(random, -1.0, 1.0));
    }
  }
}

// Frames that a fix joint or a parent ties together must be found where it says.
static void assertLinkHolds(const crTestScene* test, const crModel* model, const RandomLinks* links, int i)
{
  crId id = crScene_GetId(test->scene, cr_elementObject, i),
       parentId = crScene_GetId(test->scene, cr_elementObject, links->parents[i]);
  const crObjectDef* def = crScene_GetObject(test->scene, id);
  crPose X_WO = startPose(model, def->name), X_WP = startPose(model, crScene_GetObject(test->scene, parentId)->name);
  if (def->parent != NULL) {
    assertPosesClose(crMulPose(X_WP, crMakePose(def->position, def->rotation)), X_WO, 1e-12);
  } else if (links->isWelded[i]) {
    assertPosesClose(X_WP, X_WO, 1e-12);
  }
}

static void random_trees_are_grouped_as_by_brute_force(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(11);
  for (int round = 0; round < 60; ++round) {
    int count = 2 + (int)(crRandom_Next(&random) % (CR_RANDOM_OBJECTS - 1)), labels[CR_RANDOM_OBJECTS];
    RandomLinks links;
    crTestScene test = crTestScene_Make(NULL);
    buildRandom(&test, &random, count, &links);
    crModel* model = crTestScene_Compile(&test, cr_ok);
    labelGroups(&links, count, labels);
    int groupCount = 0;
    for (int i = 0; i < count; ++i) {
      groupCount += labels[i] == i;
      for (int k = 0; k < i; ++k) {
        int a = -1, b = -1;
        for (int m = 0; m < count; ++m) {
          const crModelObject* object = crModel_GetObject(model, m);
          a = object->sceneIndex == i ? object->body : a;
          b = object->sceneIndex == k ? object->body : b;
        }
        assert_int_equal(a == b, labels[i] == labels[k]);
      }
      if (i > 0) {
        assertLinkHolds(&test, model, &links, i);
      }
    }
    assert_int_equal(crModel_GetSize(model).bodyCount, groupCount);
    crDestroyModel(model);
    crTestScene_Free(&test);
  }
}

// Total mass and first moment do not care how objects are grouped.
static void lumping_keeps_mass_and_first_moment(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(12);
  for (int round = 0; round < 20; ++round) {
    RandomLinks links;
    crTestScene test = crTestScene_Make(NULL);
    buildRandom(&test, &random, CR_RANDOM_OBJECTS, &links);
    crModel* model = crTestScene_Compile(&test, cr_ok);
    double mass = 0.0, expectedMass = 0.0;
    crVec3 moment = { 0, 0, 0 }, expected = { 0, 0, 0 };
    for (int b = 1; b < crModel_GetSize(model).bodyCount; ++b) {
      const crBody* body = crModel_GetBody(model, b);
      mass += body->inertia.mass;
      moment = crMulAdd(moment, body->inertia.mass, crTransformPoint(body->X_WB_start, body->inertia.com));
    }
    for (int i = 0; i < CR_RANDOM_OBJECTS; ++i) {
      const crModelObject* object = crModel_GetObject(model, i);
      if (object->body != 0) {
        expectedMass += 1.0;
        expected = crAdd(expected, crTransformPoint(startPose(model, crModel_GetObjectPath(model, i)), at(0.1, 0, 0)));
      }
    }
    assert_close(mass, expectedMass, 1e-12);
    assert_vec_close(moment, expected, 1e-11);
    crDestroyModel(model);
    crTestScene_Free(&test);
  }
}

// ------------------------------------------------------------------------------------- random graphs

static bool areNeighbours(const crModel* model, int a, int b)
{
  return crModel_GetBody(model, a)->parent == b || crModel_GetBody(model, b)->parent == a;
}

// What every model keeps: order of bodies, objects and joints, pieces of the state vector, loops.
static void assertSound(const crModel* model)
{
  crModelSize size = crModel_GetSize(model);
  int nextObject = 0, nextState = 0, nextBody = 1;
  for (int b = 0; b < size.bodyCount; ++b) {
    const crBody* body = crModel_GetBody(model, b);
    assert_int_equal(body->objectStart, nextObject);
    nextObject += body->objectCount;
    assert_true(body->objectCount > 0 && body->parent < b);
    assert_string_equal(crModel_GetBodyPath(model, b), crModel_GetObjectPath(model, body->objectStart));
    if (b > 0) {
      const crModelJoint* joint = crModel_GetJoint(model, b - 1);
      assert_int_equal(joint->isReversed ? joint->bodyA : joint->bodyB, b);
      assert_int_equal(joint->isReversed ? joint->bodyB : joint->bodyA, body->parent);
      assert_int_equal(body->depth, crModel_GetBody(model, body->parent)->depth + 1);
    }
  }
  for (int t = 0; t < size.treeCount; ++t) {
    const crTree* tree = crModel_GetTree(model, t);
    assert_int_equal(tree->bodyStart, nextBody);
    assert_int_equal(tree->qStart, nextState);
    nextBody += tree->bodyCount;
    nextState = tree->auxStart + tree->auxCount;
  }
  assert_int_equal(nextObject, size.objectCount);
  assert_int_equal(nextBody, size.bodyCount);
  assert_int_equal(nextState, size.stateCount);
  assert_int_equal(size.jointCount, size.bodyCount - 1 + size.cutJointCount);
  for (int i = 0; i < size.cutJointCount; ++i) {
    int bodyCount;
    const crLoop* loop = crModel_GetLoop(model, i);
    const int* bodies = crModel_GetLoopBodies(model, i, &bodyCount);
    assert_int_equal(bodyCount, loop->bodyCount);
    const crModelJoint* cut = crModel_GetJoint(model, loop->cutJoint);
    assert_int_equal(loop->cutJoint, size.bodyCount - 1 + i);
    assert_int_equal(bodies[0], cut->bodyA);
    assert_int_equal(bodies[loop->bodyCount - 1], cut->bodyB);
    for (int k = 0; k + 1 < loop->bodyCount; ++k) {
      assert_true(areNeighbours(model, bodies[k], bodies[k + 1]));
      for (int m = 0; m < k; ++m) {
        assert_true(bodies[m] != bodies[k]);
      }
    }
  }
}

// Any object may have any parent and any joint any ends, known or not: mostly nonsense, sometimes a model.
static void buildNonsense(crTestScene* test, crRandom* random, int objectCount, int jointCount)
{
  char name[16], parent[16], end[16];
  crAddWorld(test);
  for (int i = 1; i < objectCount; ++i) {
    unsigned how = (unsigned)(crRandom_Next(random) % 8);
    unsigned p = (unsigned)(crRandom_Next(random) % (unsigned)(how == 0 ? objectCount + 1 : i));
    snprintf(name, sizeof name, "o%d", i);
    snprintf(parent, sizeof parent, p == 0 ? "world" : "o%u", p);
    addTurned(test, name, how < 5 ? parent : NULL, how == 2 || how == 5 ? cr_mobilityFree : cr_mobilityRigid,
              crRandom_UnitVec3(random), crRandom_Rotation(random));
  }
  for (int i = 0; i < jointCount; ++i) {
    unsigned a = (unsigned)(crRandom_Next(random) % (unsigned)objectCount);
    unsigned b = (unsigned)(crRandom_Next(random) % (unsigned)objectCount);
    snprintf(name, sizeof name, "j%d", i);
    snprintf(parent, sizeof parent, a == 0 ? "world" : "o%u", a);
    snprintf(end, sizeof end, b == 0 ? "world" : "o%u", b);
    static const crJointKind kinds[8] = { cr_jointFix,       cr_jointRevolute,  cr_jointRevolute,   cr_jointRevolute,
                                          cr_jointPrismatic, cr_jointPrismatic, cr_jointFreeMotion, cr_jointRevolute };
    crAddJoint(test, kinds[crRandom_Next(random) % 8], name, parent, end);
  }
}

static void nonsense_gives_a_sound_model_or_errors(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  int models = 0, loops = 0;
  for (int round = 0; round < 8000; ++round) {
    crTestScene test = crTestScene_Make(NULL);
    int objectCount = 1 + (int)(crRandom_Next(&random) % 8), jointCount = (int)(crRandom_Next(&random) % 7);
    buildNonsense(&test, &random, objectCount, jointCount);
    crModel* model;
    crStatus status = crCompile(test.scene, NULL, NULL, &test.sink, &model);
    assert_int_equal(status, crErrorLog_CountOf(test.log, cr_severityError) > 0 ? cr_errorModel : cr_ok);
    if (model != NULL) {
      assertSound(model);
      ++models;
      loops += crModel_GetSize(model).cutJointCount;
    }
    crDestroyModel(model);
    crTestScene_Free(&test);
  }
  // the test is worth something only if both outcomes are common
  assert_true(models > 300 && loops > 30);
}

// Random joints over bodies that are all connected: as many loops as joints beyond a tree, and no body is
// deeper than the shortest way to it.
static void graphs_are_spanned_by_shortest_ways(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(6);
  for (int round = 0; round < 50; ++round) {
    int count = 2 + (int)(crRandom_Next(&random) % 30), edgeCount = 0, edges[64][2], depths[32];
    crTestScene test = crTestScene_Make(NULL);
    crAddWorld(&test);
    for (int i = 1; i < count; ++i) {
      char name[16];
      snprintf(name, sizeof name, "o%d", i);
      crAddMass(&test, name, NULL, at(0, 0, 0), 1.0);
      edges[edgeCount][0] = i;
      edges[edgeCount++][1] = (int)(crRandom_Next(&random) % (unsigned)i);
    }
    for (int i = 0; i < 20; ++i) {
      int a = (int)(crRandom_Next(&random) % (unsigned)count), b = (int)(crRandom_Next(&random) % (unsigned)count);
      if (a != b) {
        edges[edgeCount][0] = a;
        edges[edgeCount++][1] = b;
      }
    }
    for (int i = 0; i < edgeCount; ++i) {
      char name[16], a[16], b[16];
      snprintf(name, sizeof name, "j%d", i);
      snprintf(a, sizeof a, edges[i][0] == 0 ? "world" : "o%d", edges[i][0]);
      snprintf(b, sizeof b, edges[i][1] == 0 ? "world" : "o%d", edges[i][1]);
      crAddJoint(&test, i % 2 == 0 ? cr_jointRevolute : cr_jointPrismatic, name, a, b);
    }
    // shortest ways by relaxation until nothing changes
    for (int i = 0; i < count; ++i) {
      depths[i] = i == 0 ? 0 : count;
    }
    for (int pass = 0; pass < count; ++pass) {
      for (int i = 0; i < edgeCount; ++i) {
        int *a = &depths[edges[i][0]], *b = &depths[edges[i][1]];
        *a = *b + 1 < *a ? *b + 1 : *a;
        *b = *a + 1 < *b ? *a + 1 : *b;
      }
    }
    crModel* model = crTestScene_Compile(&test, cr_ok);
    assertSound(model);
    assert_int_equal(crModel_GetSize(model).cutJointCount, edgeCount - (count - 1));
    for (int i = 0; i < count; ++i) {
      const crModelObject* object = crModel_GetObject(model, i);
      assert_int_equal(crModel_GetBody(model, object->body)->depth, depths[object->sceneIndex]);
    }
    crDestroyModel(model);
    crTestScene_Free(&test);
  }
}

// ------------------------------------------------------------------------------------------ deep models

// A chain of 1e5 objects, every second link a joint when isJointed: nothing recurses.
static void compileChain(bool isJointed)
{
  const int count = 100000;
  char name[24], previous[24] = "world", joint[24];
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  for (int i = 1; i < count; ++i) {
    bool hasJoint = isJointed && i % 2 == 0;
    snprintf(name, sizeof name, "o%d", i);
    if (isJointed) {
      crAddMass(&test, name, hasJoint ? NULL : previous, at(hasJoint ? 0.0 : 1.0, 0, 0), 1.0);
    } else {
      crAddObject(&test, name, previous, at(1, 0, 0));
    }
    if (hasJoint) {
      snprintf(joint, sizeof joint, "j%d", i);
      crAddJoint(&test, cr_jointRevolute, joint, i % 4 == 0 ? name : previous, i % 4 == 0 ? previous : name);
    }
    memcpy(previous, name, sizeof previous);
  }
  crModel* model = crTestScene_Compile(&test, cr_ok);
  assert_int_equal(crModel_GetSize(model).bodyCount, isJointed ? count / 2 : 1);
  assert_vec_close(startPose(model, previous).p, at(isJointed ? count / 2 : count - 1, 0, 0), 1e-6);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void chains_of_1e5_objects_compile(void** state)
{
  (void)state;
  compileChain(false);
  compileChain(true);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(start_poses_of_three_links_are_those_of_trigonometry),
    cmocka_unit_test(a_reversed_joint_runs_backwards_from_the_same_pose),
    cmocka_unit_test(a_group_hangs_on_whichever_of_its_objects_a_joint_names),
    cmocka_unit_test(fix_joints_equal_rigid_parents),
    cmocka_unit_test(nothing_depends_on_the_order_of_joints_or_of_their_objects),
    cmocka_unit_test(a_ring_is_cut_opposite_to_the_world),
    cmocka_unit_test(a_free_joint_is_used_only_where_nothing_else_leads),
    cmocka_unit_test(states_are_tree_by_tree_coordinates_before_rates),
    cmocka_unit_test(free_objects_start_where_their_moving_parents_start),
    cmocka_unit_test(a_free_object_keeps_the_digits_and_velocities_that_were_given),
    cmocka_unit_test(random_trees_are_grouped_as_by_brute_force),
    cmocka_unit_test(lumping_keeps_mass_and_first_moment),
    cmocka_unit_test(nonsense_gives_a_sound_model_or_errors),
    cmocka_unit_test(graphs_are_spanned_by_shortest_ways),
    cmocka_unit_test(chains_of_1e5_objects_compile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
