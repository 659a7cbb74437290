// Scenes that several tests share.
#include "support/scenes.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Line numbers tell in a message which call made an element.
static crSource nextSource(const crTestScene* test)
{
  int line = 1;
  for (int kind = cr_elementAssembly; kind <= cr_elementCoupling; ++kind) {
    line += crScene_Count(test->scene, (crElementKind)kind);
  }
  crSource source = { "scene.lua", line, 0 };
  return source;
}

crTestScene crTestScene_Make(const crAllocator* allocator)
{
  crTestScene test = { .log = crCreateErrorLog(NULL) };
  assert_non_null(test.log);
  test.sink = crErrorLog_GetSink(test.log);
  assert_int_equal(crCreateScene(allocator, &test.sink, &test.scene), cr_ok);
  return test;
}

void crTestScene_Free(crTestScene* test)
{
  crDestroyScene(test->scene);
  crDestroyErrorLog(test->log);
}

void crTestScene_PrintLog(const crTestScene* test)
{
  for (int i = 0; i < crErrorLog_Count(test->log) && i < 20; ++i) {
    char text[2048];
    crError_Format(crErrorLog_Get(test->log, i), text, sizeof text);
    print_error("%s\n", text);
  }
}

bool crTestScene_Says(const crTestScene* test, const char* text)
{
  for (int i = 0; i < crErrorLog_Count(test->log); ++i) {
    char message[8192];
    crError_Format(crErrorLog_Get(test->log, i), message, sizeof message);
    if (strstr(message, text) != NULL) {
      return true;
    }
  }
  crTestScene_PrintLog(test);
  return false;
}

crModel* crTestScene_Compile(crTestScene* test, crStatus expected)
{
  crModel* model = NULL;
  crStatus status = crCompile(test->scene, NULL, NULL, &test->sink, &model);
  if (status != expected) {
    crTestScene_PrintLog(test);
  }
  assert_int_equal(status, expected);
  assert_true((model != NULL) == (status == cr_ok));
  return model;
}

typedef struct Text {
  char* text;
  size_t size, capacity;
} Text;

static void appendText(void* context, const char* piece, size_t size)
{
  Text* text = context;
  if (text->size + size + 1 > text->capacity) {
    text->capacity = 2 * (text->size + size + 1);
    text->text = realloc(text->text, text->capacity);
    assert_non_null(text->text);
  }
  memcpy(text->text + text->size, piece, size);
  text->size += size;
  text->text[text->size] = '\0';
}

char* crTestScene_Dump(crTestScene* test, crPass pass, crStatus expected)
{
  Text text = { NULL, 0, 0 };
  crTextWriter writer = { appendText, &text };
  appendText(&text, "", 0);
  assert_int_equal(crDumpPass(test->scene, pass, NULL, &test->sink, writer), expected);
  return text.text;
}

// ----------------------------------------------------------------------------------------- elements

void crAddWithFeatures(crTestScene* test, const char* name, const char* parent, crMobility mobility, crVec3 position,
                       const crFeatureDef* features, int featureCount)
{
  crObjectDef def = crDefaultObjectDef(name);
  def.source = nextSource(test);
  def.parent = parent;
  def.mobility = mobility;
  def.position = position;
  def.features = features;
  def.featureCount = featureCount;
  crStatus status = crScene_AddObject(test->scene, &def, NULL);
  if (status != cr_ok) {
    crTestScene_PrintLog(test);
  }
  assert_int_equal(status, cr_ok);
}

void crAddWorld(crTestScene* test)
{
  crAddWithFeatures(test, "world", NULL, cr_mobilityWorld, crMakeVec3(0.0, 0.0, 0.0), NULL, 0);
}

void crAddObject(crTestScene* test, const char* name, const char* parent, crVec3 position)
{
  crAddWithFeatures(test, name, parent, cr_mobilityRigid, position, NULL, 0);
}

static crFeatureDef makeMass(double mass)
{
  crFeatureDef feature = crDefaultFeatureDef(cr_featureMass);
  feature.as.mass.mass = mass;
  feature.as.mass.com = crMakeVec3(0.0, 0.0, 0.0);
  feature.as.mass.inertia = crDiagonalSym3(0.01 * mass, 0.01 * mass, 0.01 * mass);
  return feature;
}

void crAddFree(crTestScene* test, const char* name, const char* parent, crVec3 position)
{
  crFeatureDef mass = makeMass(1.0);
  crAddWithFeatures(test, name, parent, cr_mobilityFree, position, &mass, 1);
}

void crAddMass(crTestScene* test, const char* name, const char* parent, crVec3 position, double mass)
{
  crFeatureDef feature = makeMass(mass);
  crAddWithFeatures(test, name, parent, cr_mobilityRigid, position, &feature, 1);
}

crFeatureDef crMakeBall(const char* contact)
{
  crFeatureDef feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape = crDefaultShapeDef(cr_shapeSphere);
  feature.as.solid.shape.as.sphere.radius = 0.1;
  feature.as.solid.material = "Steel";
  feature.as.solid.contact = contact;
  return feature;
}

void crAddBall(crTestScene* test, const char* name, const char* parent, crMobility mobility, crVec3 position,
               const char* contact)
{
  crFeatureDef feature = crMakeBall(contact);
  crAddWithFeatures(test, name, parent, mobility, position, &feature, 1);
}

void crAddJointAt(crTestScene* test, crJointKind kind, const char* name, const char* objectA, const char* objectB,
                  double start)
{
  crJointDef def = crDefaultJointDef(kind, name, objectA, objectB);
  def.source = nextSource(test);
  def.start[0] += start;
  assert_int_equal(crScene_AddJoint(test->scene, &def, NULL), cr_ok);
}

void crAddJoint(crTestScene* test, crJointKind kind, const char* name, const char* objectA, const char* objectB)
{
  crAddJointAt(test, kind, name, objectA, objectB, 0.0);
}

void crAddExclusion(crTestScene* test, const char* objectA, const char* objectB)
{
  crExclusionDef def = crDefaultExclusionDef(objectA, objectB);
  def.source = nextSource(test);
  assert_int_equal(crScene_AddExclusion(test->scene, &def, NULL), cr_ok);
}

// ------------------------------------------------------------------------------------ super-objects

// A sphere of the example: 0.9 m in diameter, of wood, touching when it has a contact material, drawn when
// it has a look.
static crFeatureDef makeSphere(const char* contact, const char* visual)
{
  crFeatureDef feature = crDefaultFeatureDef(cr_featureSolid);
  feature.as.solid.shape = crDefaultShapeDef(cr_shapeSphere);
  feature.as.solid.shape.as.sphere.radius = 0.45;
  feature.as.solid.material = "DryWood";
  feature.as.solid.contact = contact;
  feature.as.solid.visual = visual;
  return feature;
}

static crFeatureDef makeAxes(void)
{
  crFeatureDef feature = crDefaultFeatureDef(cr_featureVisual);
  feature.as.visual.shape = crDefaultShapeDef(cr_shapeCoordinateSystem);
  feature.as.visual.shape.as.coordinateSystem.length = 0.5;
  return feature;
}

static void addSpring(crTestScene* test, const char* objectA, const char* objectB)
{
  crForceDef def = crDefaultForceDef(cr_forceSpringDamper, "spring", objectA, objectB);
  def.source = nextSource(test);
  def.as.springDamper.stiffness = 1e3;
  assert_int_equal(crScene_AddForce(test->scene, &def, NULL), cr_ok);
}

// A carriage (2) carries a parallelogram of three links: left (3), right (4) and top (6), and a pendulum
// (5), which a spring ties to the right link. Seen along -z:
//
//   (0,4) obj5/obj13 ------- 6 ------- obj12 (4,4)
//         |                                |
//         3                                4
//         |                                |
//   (0,0) obj2/obj4 -------- 2 -------- obj6 (4,0)
void crBuildSuperObjects(crTestScene* test)
{
  crFeatureDef axes = makeAxes(), mass = makeMass(2.0);
  crFeatureDef sphere1 = makeSphere("DryWood", NULL), sphere2 = makeSphere("DryWood", "blue");
  crVec3 zero = { 0.0, 0.0, 0.0 };
  crAddWithFeatures(test, "obj1", NULL, cr_mobilityWorld, zero, &axes, 1);

  crAddWithFeatures(test, "obj2", NULL, cr_mobilityRigid, zero, &mass, 1);
  crAddObject(test, "obj3", "obj2", crMakeVec3(4.0, 0.0, 0.0));

  crAddMass(test, "obj4", NULL, zero, 1.0);
  crAddWithFeatures(test, "obj5", "obj4", cr_mobilityRigid, crMakeVec3(0.0, 4.0, 0.0), &sphere1, 1);

  crAddObject(test, "obj6", NULL, zero);
  crAddWithFeatures(test, "obj7", "obj6", cr_mobilityRigid, crMakeVec3(0.0, 4.0, 0.0), &mass, 1);
  crAddObject(test, "obj8", "obj6", crMakeVec3(0.0, 2.0, 0.0));

  crAddMass(test, "obj9", NULL, zero, 1.0);
  crAddWithFeatures(test, "obj10", "obj9", cr_mobilityRigid, crMakeVec3(0.0, -0.5, 0.0), &axes, 1);
  crAddBall(test, "obj11", "obj9", cr_mobilityRigid, crMakeVec3(0.0, -1.0, 0.0), "DryWood");

  crAddMass(test, "obj12", NULL, zero, 1.0);
  crAddObject(test, "obj13", "obj12", crMakeVec3(-4.0, 0.0, 0.0));
  crAddWithFeatures(test, "obj14", "obj12", cr_mobilityRigid, crMakeVec3(0.0, 0.0, 0.8), &sphere2, 1);

  crAddJoint(test, cr_jointPrismatic, "drive", "obj1", "obj2");
  crAddJoint(test, cr_jointRevolute, "joint1", "obj2", "obj4");
  crAddJoint(test, cr_jointRevolute, "joint2", "obj3", "obj6");
  crAddJoint(test, cr_jointRevolute, "joint3", "obj3", "obj9");
  crAddJoint(test, cr_jointRevolute, "joint4", "obj7", "obj12");
  crAddJoint(test, cr_jointRevolute, "joint5", "obj5", "obj13");
  addSpring(test, "obj11", "obj8");
}
