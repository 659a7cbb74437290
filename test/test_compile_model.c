// The compiled model as an object: variables by number and name, memory, independence of its scene.
#include "support/scenes.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static crVec3 at(double x, double y, double z)
{
  return crMakeVec3(x, y, z);
}

// A free ball, a hinged arm with a slider, a closed loop, a welded part, a spring, a box and a hull that touch.
static void buildMixed(crTestScene* test)
{
  static const crVec3 corners[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 } };
  crFeatureDef hull = crMakeBall("Steel"), box = crMakeBall("DryWood");
  hull.as.solid.shape = crDefaultShapeDef(cr_shapeHull);
  hull.as.solid.shape.as.hull.points = corners;
  hull.as.solid.shape.as.hull.pointCount = 5;
  box.as.solid.shape = crDefaultShapeDef(cr_shapeBox);
  box.as.solid.shape.as.box.size = at(0.2, 0.3, 0.4);
  crAddWorld(test);
  crAddWithFeatures(test, "table", "world", cr_mobilityRigid, at(0, 0, -1), &box, 1);
  crAddWithFeatures(test, "rock", NULL, cr_mobilityFree, at(0, 0, 3), &hull, 1);
  crAddBall(test, "cue", NULL, cr_mobilityFree, at(0, 0, 5), "Steel");
  crAddMass(test, "robot.arm", NULL, at(0, 0, 0), 1.0);
  crAddMass(test, "robot.hand", NULL, at(0, 0, 0), 1.0);
  crAddObject(test, "robot.nail", NULL, at(0, 0, 0));
  crAddJoint(test, cr_jointRevolute, "robot.joint1", "world", "robot.arm");
  crAddJoint(test, cr_jointFix, "robot.glue", "robot.hand", "robot.nail");
  crAddJoint(test, cr_jointPrismatic, "robot.joint2", "robot.hand", "robot.arm");
  crAddJoint(test, cr_jointRevolute, "robot.joint3", "robot.nail", "table");
  crAddExclusion(test, "rock", "cue");
  crForceDef spring = crDefaultForceDef(cr_forceSpringDamper, "spring", "cue", "robot.nail");
  spring.as.springDamper.stiffness = 100.0;
  spring.as.springDamper.damping = 1.0;
  spring.as.springDamper.length = 0.5;
  assert_int_equal(crScene_AddForce(test->scene, &spring, NULL), cr_ok);
}

// ---------------------------------------------------------------------------------------- variables

static void every_variable_is_found_by_its_name(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  buildMixed(&test);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  int count = crModel_GetSize(model).variableCount;
  assert_int_equal(count, 7 * 13 + 3 * 2 + 6); // of objects and joints, and energies
  crVariable variable;
  for (int i = 0; i < count; ++i) {
    char name[CR_VARIABLE_NAME];
    assert_true(crModel_GetVariable(model, i, &variable));
    assert_int_equal(crModel_GetVariableName(model, i, name, sizeof name),
                     strlen(variable.path) + 1 + strlen(variable.quantity));
    assert_int_equal(crModel_FindVariable(model, name), i);
  }
  assert_false(crModel_GetVariable(model, count, &variable));
  assert_false(crModel_GetVariable(model, -1, &variable));
  static const char* const unknown[] = { "",
                                         ".",
                                         "cue",
                                         "cue.",
                                         "cue.position",
                                         "cue.position.w",
                                         "position.x",
                                         "..x",
                                         "robot.glue.angle",
                                         "robot.joint1",
                                         "robot.joint1.position",
                                         "cue.cue.x" };
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) {
    assert_int_equal(crModel_FindVariable(model, unknown[i]), -1);
  }
  crDestroyModel(model);
  crTestScene_Free(&test);
}

static void assertVariable(const crModel* model, const char* name, const char* unit, int state)
{
  crVariable variable;
  char found[CR_VARIABLE_NAME];
  assert_true(crModel_GetVariable(model, crModel_FindVariable(model, name), &variable));
  assert_true(crModel_GetVariableName(model, crModel_FindVariable(model, name), found, sizeof found) > 0);
  assert_string_equal(found, name);
  assert_string_equal(variable.unit, unit);
  assert_int_equal(variable.state, state);
}

static void variables_name_their_states(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  buildMixed(&test);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  const crModelJoint* cue = crModel_GetJoint(model, crModel_FindJoint(model, "cue"));
  const crModelJoint* joint1 = crModel_GetJoint(model, crModel_FindJoint(model, "robot.joint1"));
  assertVariable(model, "cue.position.x", "m", cue->qStart);
  assertVariable(model, "cue.orientation.w", "1", cue->qStart + 3);
  assertVariable(model, "cue.velocity.y", "m/s", cue->vStart + 1);
  assertVariable(model, "cue.angularVelocity.z", "rad/s", cue->vStart + 5);
  assertVariable(model, "robot.joint1.angle", "rad", joint1->qStart);
  assertVariable(model, "robot.joint1.rate", "rad/s", joint1->vStart);
  assertVariable(model, "robot.arm.position.x", "m", -1);
  // of the loop world - arm - hand - world, joint2 closes it
  assertVariable(model, "robot.joint2.position", "m", -1);
  // every state has exactly one name
  int named = 0;
  crVariable variable;
  bool* isNamed = calloc((size_t)crModel_GetSize(model).stateCount, sizeof *isNamed);
  for (int i = 0; crModel_GetVariable(model, i, &variable); ++i) {
    if (variable.state >= 0) {
      assert_false(isNamed[variable.state]);
      isNamed[variable.state] = true;
      ++named;
    }
  }
  free(isNamed);
  assert_int_equal(named, crModel_GetSize(model).stateCount);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// ------------------------------------------------------------------------------------------- records

static void elements_are_found_by_path(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  buildMixed(&test);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  for (int i = 0; i < crModel_GetSize(model).objectCount; ++i) {
    assert_int_equal(crModel_FindObject(model, crModel_GetObjectPath(model, i)), i);
  }
  for (int i = 0; i < crModel_GetSize(model).jointCount; ++i) {
    assert_int_equal(crModel_FindJoint(model, crModel_GetJointPath(model, i)), i);
  }
  assert_int_equal(crModel_FindObject(model, "robot.joint1"), -1);
  assert_int_equal(crModel_FindObject(model, "nobody"), -1);
  assert_int_equal(crModel_FindJoint(model, "robot.arm"), -1);
  assert_int_equal(crModel_FindJoint(model, "robot.glue"), -1);
  assert_null(crModel_GetObject(model, -1));
  assert_null(crModel_GetObject(model, crModel_GetSize(model).objectCount));
  assert_null(crModel_GetBody(model, crModel_GetSize(model).bodyCount));
  assert_null(crModel_GetTree(model, crModel_GetSize(model).treeCount));
  assert_null(crModel_GetJoint(model, crModel_GetSize(model).jointCount));
  assert_null(crModel_GetLoop(model, 1));
  assert_null(crModel_GetForce(model, 1));
  assert_null(crModel_GetContactShape(model, crModel_GetSize(model).shapeCount));
  assert_null(crModel_GetContactMaterial(model, crModel_CountContactMaterials(model)));
  const crModelForce* spring = crModel_GetForce(model, 0);
  assert_string_equal(crModel_GetForcePath(model, 0), "spring");
  assert_string_equal(crModel_GetObjectPath(model, spring->objectB), "robot.nail");
  assert_close(spring->length, 0.5, 0.0);
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// ------------------------------------------------------------------------------------------- memory

// Under the address sanitizer this also shows that no pointer leads back into the scene.
static void a_model_outlives_its_scene(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  buildMixed(&test);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  crTestScene_Free(&test);
  assert_int_equal(crModel_GetSize(model).shapeCount, 3);
  for (int i = 0; i < crModel_GetSize(model).shapeCount; ++i) {
    const crContactShape* shape = crModel_GetContactShape(model, i);
    const char* path = crModel_GetObjectPath(model, shape->object);
    crVec3 top = crShape_ComputeSupport(crModel_GetShape(model, i), at(0, 0, 1));
    assert_close(top.z, strcmp(path, "table") == 0 ? 0.2 : strcmp(path, "rock") == 0 ? 1.0 : 0.1, 1e-2);
    assert_true(strlen(crModel_GetContactMaterialName(model, shape->material)) > 0);
  }
  assert_string_equal(crModel_GetBodyPath(model, 0), "world");
  assert_int_equal(crModel_GetLoop(model, 0)->bodyCount, 3);
  crVariable variable;
  for (int i = 0; crModel_GetVariable(model, i, &variable); ++i) {
    assert_true(strlen(variable.path) > 0 && strlen(variable.quantity) > 0);
  }
  crDestroyModel(model);
}

// Two tetrahedra as the pieces of one mesh.
static const crMesh* makeTwoPieces(const crAllocator* allocator)
{
  static const crVec3 points[8] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 },
                                    { 5, 0, 0 }, { 6, 0, 0 }, { 5, 1, 0 }, { 5, 0, 1 } };
  static const int32_t triangles[8][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 },
                                           { 4, 6, 5 }, { 4, 5, 7 }, { 4, 7, 6 }, { 5, 6, 7 } };
  static const int32_t starts[2] = { 0, 4 };
  crMeshDef def = { sizeof(crMeshDef), points, 8, triangles, 8, starts, 2 };
  crMesh* mesh;
  assert_int_equal(crCreateMesh(&def, allocator, NULL, &mesh), cr_ok);
  return mesh;
}

static void a_mesh_gives_a_contact_shape_per_piece(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  const crMesh* mesh = makeTwoPieces(NULL);
  crFeatureDef part = crMakeBall("Steel");
  part.as.solid.shape = crDefaultShapeDef(cr_shapeMesh);
  part.as.solid.shape.as.mesh.mesh = mesh;
  crAddWorld(&test);
  crAddWithFeatures(&test, "part", NULL, cr_mobilityFree, at(0, 0, 0), &part, 1);
  crAddBall(&test, "ball", NULL, cr_mobilityFree, at(0, 0, 9), "Steel");
  crReleaseMesh(mesh);
  crModel* model = crTestScene_Compile(&test, cr_ok);
  crTestScene_Free(&test);
  assert_int_equal(crModel_GetSize(model).shapeCount, 3);
  assert_int_equal(crModel_GetSize(model).pairCount, 2);
  for (int piece = 0; piece < 2; ++piece) {
    const crContactShape* shape = crModel_GetContactShape(model, piece);
    assert_int_equal(shape->piece, piece);
    assert_int_equal(crShape_GetKind(crModel_GetShape(model, piece)), cr_shapeHull);
    assert_int_equal(crShape_CountPieces(crModel_GetShape(model, piece)), 1);
    assert_ptr_equal(crShape_GetPiece(crModel_GetShape(model, piece), 0), crModel_GetShape(model, piece));
    assert_close(crShape_ComputeSupport(crModel_GetShape(model, piece), at(1, 0, 0)).x, 1.0 + 5.0 * piece, 1e-2);
  }
  crDestroyModel(model);
}

static void every_allocation_may_fail(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  buildMixed(&test);
  long failAt = 0;
  for (crStatus status = cr_errorMemory; status != cr_ok; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    crModel* model;
    counter.failAt = failAt;
    crErrorLog_Clear(test.log);
    status = crCompile(test.scene, NULL, &allocator, &test.sink, &model);
    assert_true(status == cr_ok || status == cr_errorMemory);
    if (status == cr_errorMemory) {
      assert_null(model);
      assert_true(crTestScene_Says(&test, "out of memory while the model was compiled"));
    } else {
      // one block, nothing else
      assert_int_equal(counter.liveBlocks, 1);
    }
    crDestroyModel(model);
    assert_int_equal(counter.liveBlocks, 0);
    assert_int_equal(counter.liveBytes, 0);
  }
  assert_true(failAt > 3);
  crTestScene_Free(&test);
}

// Asked `left` times without an answer of yes.
static bool stopAfter(void* context)
{
  int* left = context;
  return (*left)-- <= 0;
}

static void compiling_can_be_cancelled_at_every_question(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  buildMixed(&test);
  int questions = 0;
  for (crStatus status = cr_cancelled; status != cr_ok; ++questions) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    int left = questions;
    crCompileOptions options = crDefaultCompileOptions();
    options.shouldStop = stopAfter;
    options.context = &left;
    crModel* model;
    status = crCompile(test.scene, &options, &allocator, &test.sink, &model);
    assert_true(status == cr_ok || status == cr_cancelled);
    assert_true((status == cr_ok) == (model != NULL));
    crDestroyModel(model);
    assert_int_equal(counter.liveBlocks, 0);
  }
  crCompileOptions wrong = { .size = 1 };
  crModel* none;
  assert_int_equal(crErrorLog_Count(test.log), 0);
  assert_int_equal(crCompile(test.scene, &wrong, NULL, &test.sink, &none), cr_errorMisuse);
  assert_true(crTestScene_Says(&test, "crCompileOptions has an unknown size"));
  assert_true(questions > cr_passCount); // before each pass, and in the long ones
  crTestScene_Free(&test);
}

static void ignoreText(void* context, const char* text, size_t size)
{
  (void)context;
  (void)text;
  (void)size;
}

static void dumps_leave_nothing_behind(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  buildMixed(&test);
  crTextWriter writer = { ignoreText, NULL };
  for (int pass = 0; pass < cr_passCount; ++pass) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    assert_int_equal(crDumpPass(test.scene, (crPass)pass, &allocator, NULL, writer), cr_ok);
    assert_int_equal(counter.liveBlocks, 0);
    allocator = crTestAllocator_Make(&counter);
    counter.failAt = 0;
    assert_int_equal(crDumpPass(test.scene, (crPass)pass, &allocator, NULL, writer), cr_errorMemory);
    assert_int_equal(counter.liveBlocks, 0);
  }
  crTestScene_Free(&test);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_variable_is_found_by_its_name),
    cmocka_unit_test(variables_name_their_states),
    cmocka_unit_test(elements_are_found_by_path),
    cmocka_unit_test(a_model_outlives_its_scene),
    cmocka_unit_test(a_mesh_gives_a_contact_shape_per_piece),
    cmocka_unit_test(every_allocation_may_fail),
    cmocka_unit_test(compiling_can_be_cancelled_at_every_question),
    cmocka_unit_test(dumps_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
