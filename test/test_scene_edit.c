// Editing scenes: what was removed or replaced leaves the scene that would have been built without it.
#include "support/log.h"
#include "support/record_scenes.h"
#include "support/scenes.h"

#include "carom/io.h"

#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

static crScene* create(const crErrorSink* sink)
{
  crScene* scene = NULL;
  assert_int_equal(crCreateScene(NULL, sink, &scene), cr_ok);
  return scene;
}

static void assertSameText(const crScene* a, const crScene* b)
{
  crTestText first = crWriteTestText(a), second = crWriteTestText(b);
  assert_string_equal(first.bytes, second.bytes);
  crTestText_Free(&first);
  crTestText_Free(&second);
}

// ----------------------------------------------------------------------------------------- random scenes

// What edited scenes are compared with: a copy of all elements but each third one, or with each third one changed.
typedef enum Edit { editRemove, editReplace } Edit;

static bool isMeant(int index)
{
  return index % 3 == 1;
}

// A changed def; names are kept by materials.
static void changeAssembly(crAssemblyDef* def, char* name)
{
  def->name = strcat(name, "assembly");
  def->parameterCount = 0;
}

static void changeObject(crObjectDef* def, char* name)
{
  def->name = strcat(name, "object");
  def->featureCount = def->featureCount > 3 ? 3 : 0;
  def->neverCollides = !def->neverCollides;
}

static void changeJoint(crJointDef* def, char* name)
{
  def->name = strcat(name, "joint");
  def->nominal[0] = 77;
}

static void changeCoupling(crCouplingDef* def, char* name)
{
  def->name = strcat(name, "coupling");
  def->offset = def->kind < cr_couplingClutch ? 3.0 : 0.0; // clutches, brakes and motors have none
}

static void changeForce(crForceDef* def, char* name)
{
  def->name = strcat(name, "force");
  def->objectA = "another";
}

static void changeSignal(crSignalDef* def, char* name)
{
  def->name = strcat(name, "signal");
}

static void changeSolidMaterial(crSolidMaterialDef* def, char* name)
{
  (void)name;
  def->density = 77;
}

static void changeContactPair(crContactPairDef* def, char* name)
{
  (void)name;
  def->muK = 77;
  def->muS = 0; // which may not be less
}

static void changeVisualMaterial(crVisualMaterialDef* def, char* name)
{
  (void)name;
  def->wireframe = !def->wireframe;
}

static void changeExclusion(crExclusionDef* def, char* name)
{
  (void)name;
  def->objectA = "another";
}

#define FOR_ALL(DO)                                                                                                    \
  DO(SolidMaterial)                                                                                                    \
  DO(ContactPair)                                                                                                      \
  DO(VisualMaterial)                                                                                                   \
  DO(Assembly)                                                                                                         \
  DO(Object)                                                                                                           \
  DO(Joint)                                                                                                            \
  DO(Force)                                                                                                            \
  DO(Signal)                                                                                                           \
  DO(Coupling)                                                                                                         \
  DO(Exclusion)

#define COPY(Element)                                                                                                  \
  for (int i = 0; i < crScene_Count(from, cr_element##Element); ++i) {                                                 \
    crId id = crScene_GetId(from, cr_element##Element, i);                                                             \
    cr##Element##Def def = *crScene_Get##Element(from, id);                                                            \
    char name[32];                                                                                                     \
    snprintf(name, sizeof name, "new %d", i);                                                                          \
    if (crScene_IsPalette(from, id) || (isMeant(i) && edit == editRemove)) {                                           \
      continue;                                                                                                        \
    }                                                                                                                  \
    if (isMeant(i)) {                                                                                                  \
      change##Element(&def, name);                                                                                     \
    }                                                                                                                  \
    assert_int_equal(crScene_Add##Element(to, &def, NULL), cr_ok);                                                     \
  }

static void copyEdited(const crScene* from, crScene* to, Edit edit)
{
  assert_int_equal(crScene_SetOptions(to, crScene_GetOptions(from)), cr_ok);
  FOR_ALL(COPY)
}

// From the last element on, so that indices are those of the scene as it was.
#define CHANGE(Element)                                                                                                \
  for (int i = crScene_Count(scene, cr_element##Element) - 1; i >= 0; --i) {                                           \
    crId id = crScene_GetId(scene, cr_element##Element, i);                                                            \
    cr##Element##Def def = *crScene_Get##Element(scene, id);                                                           \
    char name[32];                                                                                                     \
    snprintf(name, sizeof name, "new %d", i);                                                                          \
    if (crScene_IsPalette(scene, id) || !isMeant(i)) {                                                                 \
      continue;                                                                                                        \
    }                                                                                                                  \
    change##Element(&def, name);                                                                                       \
    crStatus status = edit == editRemove ? crScene_Remove(scene, id) : crScene_Replace##Element(scene, id, &def);      \
    assert_int_equal(status, cr_ok);                                                                                   \
  }

static void change(crScene* scene, Edit edit)
{
  FOR_ALL(CHANGE)
}

static void edited_scenes_equal_those_built_directly(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(71);
  for (int i = 0; i < 12; ++i) {
    Edit edit = i % 2 == 0 ? editRemove : editReplace;
    crScene *scene = create(NULL), *direct = create(NULL);
    crFillTestScene(scene, &random, 5, i / 11.0, CAROM_ROOT "/test/data/tetrahedron.stl");
    copyEdited(scene, direct, edit);
    change(scene, edit);
    assertSameText(scene, direct);
    crDestroyScene(direct);
    crDestroyScene(scene);
  }
}

// ---------------------------------------------------------------------------------------------- ids

static void ids_stay_when_others_are_removed(void** state)
{
  (void)state;
  enum { count = 40 };
  crScene* scene = create(NULL);
  crId ids[count];
  char names[count][8];
  bool isThere[count];
  crRandom random = crMakeRandom(5);
  for (int i = 0; i < count; ++i) {
    snprintf(names[i], sizeof names[i], "o%d", i);
    crObjectDef def = crDefaultObjectDef(names[i]);
    assert_int_equal(crScene_AddObject(scene, &def, &ids[i]), cr_ok);
    isThere[i] = true;
  }
  for (int left = count; left > 0;) {
    int gone = (int)(crRandom_Next(&random) % count);
    assert_int_equal(crScene_Remove(scene, ids[gone]), isThere[gone] ? cr_ok : cr_errorMisuse);
    left -= isThere[gone];
    isThere[gone] = false;
    assert_int_equal(crScene_Count(scene, cr_elementObject), left);
    for (int i = 0, index = 0; i < count; ++i) {
      const crObjectDef* def = crScene_GetObject(scene, ids[i]);
      assert_int_equal(def != NULL, isThere[i]);
      assert_int_equal(!crIsNull(crScene_Find(scene, names[i])), isThere[i]);
      if (isThere[i]) {
        assert_string_equal(def->name, names[i]);
        assert_true(crIdsEqual(crScene_Find(scene, names[i]), ids[i]));
        assert_true(crIdsEqual(crScene_GetId(scene, cr_elementObject, index++), ids[i]));
      }
    }
  }
  crObjectDef again = crDefaultObjectDef("o3"); // its name is free again, its id is not used twice
  crId id;
  assert_int_equal(crScene_AddObject(scene, &again, &id), cr_ok);
  assert_null(crScene_GetObject(scene, ids[3]));
  assert_string_equal(crScene_GetObject(scene, id)->name, "o3");
  crDestroyScene(scene);
}

static void what_is_replaced_keeps_its_id_and_can_be_renamed(void** state)
{
  (void)state;
  crScene* scene = create(NULL);
  crObjectDef def = crDefaultObjectDef("a");
  crId a, b;
  assert_int_equal(crScene_AddObject(scene, &def, &a), cr_ok);
  def.name = "b";
  assert_int_equal(crScene_AddObject(scene, &def, &b), cr_ok);
  crObjectDef changed = *crScene_GetObject(scene, a);
  changed.name = "c";
  changed.position.x = 3;
  assert_int_equal(crScene_ReplaceObject(scene, a, &changed), cr_ok);
  assert_true(crIsNull(crScene_Find(scene, "a")));
  assert_true(crIdsEqual(crScene_Find(scene, "c"), a) && crIdsEqual(crScene_Find(scene, "b"), b));
  assert_true(crScene_GetObject(scene, a)->position.x == 3.0);
  assert_int_equal(crScene_ReplaceObject(scene, b, crScene_GetObject(scene, b)), cr_ok); // by itself
  assert_int_equal(crScene_Count(scene, cr_elementObject), 2);
  crDestroyScene(scene);
}

// -------------------------------------------------------------------------------------------- compiling

static void names_of_what_is_gone_are_found_by_compiling(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddMass(&test, "arm", NULL, crMakeVec3(0, 0, 0), 1.0);
  crAddMass(&test, "hand", NULL, crMakeVec3(0, 0, 0), 1.0);
  crAddJoint(&test, cr_jointRevolute, "shoulder", "world", "arm");
  crAddJoint(&test, cr_jointRevolute, "wrist", "arm", "hand");
  crModel* model = crTestScene_Compile(&test, cr_ok);
  assert_int_equal(crModel_GetSize(model).jointCount, 2);
  crDestroyModel(model);
  crJointDef wrist = *crScene_GetJoint(test.scene, crScene_Find(test.scene, "wrist"));
  assert_int_equal(crScene_Remove(test.scene, crScene_Find(test.scene, "arm")), cr_ok);
  crTestScene_Compile(&test, cr_errorModel);
  assert_true(crTestScene_Says(&test, "wrist: objectA is unknown\n  found arm"));
  wrist.objectA = "world";
  assert_int_equal(crScene_ReplaceJoint(test.scene, crScene_Find(test.scene, "wrist"), &wrist), cr_ok);
  assert_int_equal(crScene_Remove(test.scene, crScene_Find(test.scene, "shoulder")), cr_ok);
  model = crTestScene_Compile(&test, cr_ok);
  assert_int_equal(crModel_GetSize(model).jointCount, 1);
  assert_string_equal(crModel_GetJointPath(model, 0), "wrist");
  crDestroyModel(model);
  crTestScene_Free(&test);
}

// --------------------------------------------------------------------------------------------- palette

static void the_palette_comes_back_and_cannot_be_removed(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene *scene = create(&sink), *fresh = create(NULL);
  crId steel = crScene_FindSolidMaterial(scene, "Steel"), pair = crScene_FindContactPair(scene, "DryWood", "Steel");
  assert_int_equal(crScene_Remove(scene, steel), cr_errorMisuse);
  assert_message(log, cr_severityError, "an entry of the palette cannot be removed");
  crSolidMaterialDef iron = *crScene_GetSolidMaterial(scene, steel);
  crContactPairDef slippery = crDefaultContactPairDef("DryWood", "Steel");
  iron.density = 7000;
  assert_int_equal(crScene_ReplaceSolidMaterial(scene, steel, &iron), cr_ok);
  assert_int_equal(crScene_AddContactPair(scene, &slippery, NULL), cr_ok);
  assert_false(crScene_IsPalette(scene, steel) || crScene_IsPalette(scene, pair));
  assert_int_equal(crScene_Remove(scene, steel), cr_ok);
  assert_int_equal(crScene_Remove(scene, pair), cr_ok);
  assert_true(crScene_IsPalette(scene, steel) && crScene_IsPalette(scene, pair));
  assert_true(crScene_GetSolidMaterial(scene, steel)->density == 8000.0);
  assert_true(crScene_GetContactPair(scene, pair)->muK == 0.4);
  assertSameText(scene, fresh);
  crDestroyScene(fresh);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

// ---------------------------------------------------------------------------------------------- lists

static void mesh_files_are_listed_once_per_scale(void** state)
{
  (void)state;
  crScene* scene = create(NULL);
  crMesh* mesh = NULL;
  assert_int_equal(crReadMesh(CAROM_ROOT "/test/data/tetrahedron.stl", crMakeVec3(1, 1, 1), NULL, NULL, &mesh), cr_ok);
  static const char* const files[] = { "a.stl", "b.stl", "a.stl", "a.stl", NULL };
  crFeatureDef features[5];
  for (int i = 0; i < 5; ++i) {
    features[i] = crDefaultFeatureDef(cr_featureVisual);
    features[i].as.visual.shape = crDefaultShapeDef(cr_shapeMesh);
    features[i].as.visual.shape.as.mesh.mesh = mesh;
    features[i].as.visual.shape.as.mesh.file = files[i];
    if (i == 3) {
      features[i].as.visual.shape.as.mesh.scale = crMakeVec3(2, 2, 2);
    }
  }
  crObjectDef def = crDefaultObjectDef("o");
  def.features = features;
  def.featureCount = 5;
  crId id;
  assert_int_equal(crScene_AddObject(scene, &def, &id), cr_ok);
  assert_int_equal(crScene_CountMeshFiles(scene), 3);
  assert_string_equal(crScene_GetMeshFile(scene, 0).file, "a.stl");
  assert_string_equal(crScene_GetMeshFile(scene, 1).file, "b.stl");
  assert_string_equal(crScene_GetMeshFile(scene, 2).file, "a.stl");
  assert_true(crScene_GetMeshFile(scene, 2).scale.x == 2.0 && crScene_GetMeshFile(scene, 0).mesh == mesh);
  assert_null(crScene_GetMeshFile(scene, 3).file);
  assert_null(crScene_GetMeshFile(scene, -1).file);
  assert_int_equal(crScene_Remove(scene, id), cr_ok);
  assert_int_equal(crScene_CountMeshFiles(scene), 0);
  crReleaseMesh(mesh);
  crDestroyScene(scene);
}

// -------------------------------------------------------------------------------------------- bad input

static void what_cannot_be_edited_is_told_and_stays(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL), other = crTestScene_Make(NULL);
  crAddWorld(&test);
  crAddMass(&test, "arm", NULL, crMakeVec3(0, 0, 0), 1.0);
  crAddJoint(&test, cr_jointRevolute, "hinge", "world", "arm");
  crVisualMaterialDef look = crDefaultVisualMaterialDef("look");
  crId lookId, hinge = crScene_Find(test.scene, "hinge"), arm = crScene_Find(test.scene, "arm");
  assert_int_equal(crScene_AddVisualMaterial(test.scene, &look, &lookId), cr_ok);
  crJointDef joint = *crScene_GetJoint(test.scene, hinge);
  assert_int_equal(crScene_Remove(NULL, hinge), cr_errorMisuse);
  assert_int_equal(crScene_Remove(other.scene, hinge), cr_errorMisuse);
  assert_int_equal(crScene_Remove(test.scene, (crId){ 0 }), cr_errorMisuse);
  assert_int_equal(crScene_Remove(test.scene, (crId){ 1, 99, hinge.tag }), cr_errorMisuse);
  assert_int_equal(crScene_ReplaceJoint(NULL, hinge, &joint), cr_errorMisuse);
  assert_int_equal(crScene_ReplaceJoint(test.scene, hinge, NULL), cr_errorMisuse);
  assert_int_equal(crScene_ReplaceJoint(test.scene, arm, &joint), cr_errorMisuse);
  assert_int_equal(crScene_ReplaceJoint(other.scene, hinge, &joint), cr_errorMisuse);
  assert_int_equal(crScene_ReplaceJoint(test.scene, hinge, &(crJointDef){ .size = 1 }), cr_errorMisuse);
  joint.name = "arm";
  assert_int_equal(crScene_ReplaceJoint(test.scene, hinge, &joint), cr_errorModel);
  assert_true(crTestScene_Says(&test, "arm: the name is taken already by an object"));
  joint.name = "lever";
  joint.nominal[0] = -1;
  assert_int_equal(crScene_ReplaceJoint(test.scene, hinge, &joint), cr_errorModel);
  assert_true(crTestScene_Says(&test, "lever: nominal rate must be positive"));
  look.name = "other look";
  assert_int_equal(crScene_ReplaceVisualMaterial(test.scene, lookId, &look), cr_errorModel);
  assert_true(crTestScene_Says(&test, "a visual material keeps its name when it is replaced"));
  crSolidMaterialDef solid = crDefaultSolidMaterialDef("Copper");
  solid.density = 1;
  crId steel = crScene_FindSolidMaterial(test.scene, "Steel"),
       pair = crScene_FindContactPair(test.scene, "Steel", "Steel");
  assert_int_equal(crScene_ReplaceSolidMaterial(test.scene, steel, &solid), cr_errorModel);
  assert_true(crTestScene_Says(&test, "a solid material keeps its name when it is replaced"));
  crContactPairDef law = crDefaultContactPairDef("Steel", "Copper");
  assert_int_equal(crScene_ReplaceContactPair(test.scene, pair, &law), cr_errorModel);
  assert_true(crTestScene_Says(&test, "a contact pair keeps its materials when it is replaced"));
  assert_int_equal(crScene_CountErrors(test.scene), 0); // all is as it was
  assert_string_equal(crScene_GetJoint(test.scene, hinge)->name, "hinge");
  crDestroyModel(crTestScene_Compile(&test, cr_ok));
  crTestScene_Free(&other);
  crTestScene_Free(&test);
}

static void nothing_is_got_from_no_scene(void** state)
{
  (void)state;
  crId id = { 1, cr_elementObject, 1 };
  crInertia inertia;
  assert_int_equal(crScene_Count(NULL, cr_elementObject), 0);
  assert_int_equal(crScene_CountErrors(NULL), 0);
  assert_true(crIsNull(crScene_GetId(NULL, cr_elementObject, 0)) && crIsNull(crScene_Find(NULL, "a")));
  assert_true(crIsNull(crScene_FindSolidMaterial(NULL, "a")) && crIsNull(crScene_FindVisualMaterial(NULL, "a")));
  assert_true(crIsNull(crScene_FindContactPair(NULL, "a", "b")));
  assert_null(crScene_GetOptions(NULL));
  assert_null(crScene_GetObject(NULL, id));
  assert_null(crScene_GetJoint(NULL, id));
  assert_null(crScene_GetShape(NULL, id, 0));
  assert_false(crScene_IsPalette(NULL, id));
  assert_int_equal(crScene_CountMeshFiles(NULL), 0);
  assert_null(crScene_GetMeshFile(NULL, 0).file);
  assert_int_equal(crShape_GetKind(NULL), cr_shapeNone);
  assert_int_equal(crShape_CountPieces(NULL), 0);
  assert_null(crShape_GetPiece(NULL, 0));
  assert_int_equal(crMesh_GetFacts(NULL).pointCount, 0);
  assert_int_equal(crMesh_GetDef(NULL).pointCount, 0);
  assert_int_equal(crScene_ComputeFeatureInertia(NULL, id, 0, &inertia), cr_errorMisuse);
}

static void memory_that_fails_leaves_the_scene_as_it_was(void** state)
{
  (void)state;
  for (long failAt = 0;; ++failAt) {
    crTestAllocator counter = { .failAt = -1 };
    crAllocator allocator = crTestAllocator_Make(&counter);
    crScene* scene = NULL;
    crId id;
    assert_int_equal(crCreateScene(&allocator, NULL, &scene), cr_ok);
    crFeatureDef ball = crMakeBall("Steel");
    crObjectDef def = crDefaultObjectDef("a");
    def.features = &ball;
    def.featureCount = 1;
    assert_int_equal(crScene_AddObject(scene, &def, &id), cr_ok);
    crTestText before = crWriteTestText(scene);
    counter.failAt = counter.callCount + failAt;
    def.name = "a new name that is not known";
    crStatus status = crScene_ReplaceObject(scene, id, &def);
    if (status == cr_ok) {
      status = crScene_Remove(scene, id);
    } else {
      crTestText after = crWriteTestText(scene);
      assert_string_equal(before.bytes, after.bytes);
      crTestText_Free(&after);
    }
    assert_int_equal(crScene_Count(scene, cr_elementObject), status != cr_ok);
    crTestText_Free(&before);
    crDestroyScene(scene);
    assert_int_equal(counter.liveBlocks, 0);
    if (status == cr_ok) {
      return;
    }
    assert_int_equal(status, cr_errorMemory);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(edited_scenes_equal_those_built_directly),
    cmocka_unit_test(ids_stay_when_others_are_removed),
    cmocka_unit_test(what_is_replaced_keeps_its_id_and_can_be_renamed),
    cmocka_unit_test(names_of_what_is_gone_are_found_by_compiling),
    cmocka_unit_test(the_palette_comes_back_and_cannot_be_removed),
    cmocka_unit_test(mesh_files_are_listed_once_per_scale),
    cmocka_unit_test(what_cannot_be_edited_is_told_and_stays),
    cmocka_unit_test(nothing_is_got_from_no_scene),
    cmocka_unit_test(memory_that_fails_leaves_the_scene_as_it_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
