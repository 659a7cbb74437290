// Shapes for the geometry tests.
#include "support/shapes.h"

#include "support/test.h"

#define CR_MAX_TEST_BOXES 8

crShapeDef crMakeSphere(double radius)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeSphere);
  def.as.sphere.radius = radius;
  return def;
}

crShapeDef crMakeEllipsoid(double x, double y, double z)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeEllipsoid);
  def.as.ellipsoid.radii = crMakeVec3(x, y, z);
  return def;
}

crShapeDef crMakeBox(double x, double y, double z)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeBox);
  def.as.box.size = crMakeVec3(x, y, z);
  return def;
}

crShapeDef crMakeCylinder(double radius, double length, double boreRadius)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeCylinder);
  def.as.cylinder.radius = radius;
  def.as.cylinder.length = length;
  def.as.cylinder.boreRadius = boreRadius;
  return def;
}

crShapeDef crMakeCone(double radius, double topRadius, double length)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeCone);
  def.as.cone.radius = radius;
  def.as.cone.topRadius = topRadius;
  def.as.cone.length = length;
  return def;
}

crShapeDef crMakeCapsule(double radius, double length)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeCapsule);
  def.as.capsule.radius = radius;
  def.as.capsule.length = length;
  return def;
}

crShapeDef crMakeBeam(double length, double width, double height)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeBeam);
  def.as.beam.length = length;
  def.as.beam.width = width;
  def.as.beam.height = height;
  return def;
}

crShapeDef crMakeHull(const crVec3* points, int pointCount)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeHull);
  def.as.hull.points = points;
  def.as.hull.pointCount = pointCount;
  return def;
}

crShapeDef crTestShape(int index, double s)
{
  switch (index) {
    case 0: return crMakeSphere(0.7 * s);
    case 1: return crMakeEllipsoid(0.3 * s, 0.9 * s, 0.5 * s);
    case 2: return crMakeEllipsoid(2.0 * s, 0.02 * s, 0.5 * s);
    case 3: return crMakeBox(1.0 * s, 0.6 * s, 0.3 * s);
    case 4: return crMakeBox(2.0 * s, 0.01 * s, 3.0 * s); // a plate
    case 5: return crMakeCylinder(0.4 * s, 1.1 * s, 0.0);
    case 6: return crMakeCylinder(0.9 * s, 0.05 * s, 0.3 * s);    // a washer
    case 7: return crMakeCylinder(0.02 * s, 2.0 * s, 0.0199 * s); // a thin pipe
    case 8: return crMakeCone(0.5 * s, 0.0, 1.2 * s);
    case 9: return crMakeCone(1.5 * s, 0.0, 0.1 * s);   // flat
    case 10: return crMakeCone(0.05 * s, 0.0, 1.0 * s); // pointed
    case 11: return crMakeCone(0.6 * s, 0.25 * s, 0.8 * s);
    case 12: return crMakeCone(0.25 * s, 0.6 * s, 0.8 * s);         // widens
    case 13: return crMakeCone(0.5 * s, 0.5 * s, 0.7 * s);          // a cylinder
    case 14: return crMakeCone(0.5 * s, (0.5 + 1e-9) * s, 0.7 * s); // nearly
    case 15: return crMakeCone(0.5 * s, 1e-4 * s, 1.2 * s);         // a top that vanishes when eroded
    case 16: return crMakeCone(1e-4 * s, 0.5 * s, 1.2 * s);         // a base that does
    case 17: return crMakeCapsule(0.2 * s, 0.9 * s);
    case 18: return crMakeCapsule(0.8 * s, 0.001 * s);
    case 19: return crMakeBeam(1.0 * s, 0.2 * s, 0.1 * s);
    case 20: return crMakeBeam(0.05 * s, 0.9 * s, 1.4 * s);
    default: return crDefaultShapeDef(cr_shapeNone);
  }
}

static void printMessage(void* context, const crError* error)
{
  (void)context;
  char text[512];
  crError_Format(error, text, sizeof text);
  print_error("%s\n", text);
}

crShape* crCreateTestShape(const crShapeDef* def)
{
  crErrorSink sink = { printMessage, NULL };
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(def, NULL, &sink, &shape), cr_ok);
  assert_non_null(shape);
  return shape;
}

crMesh* crCreateBoxMesh(const crTestBox* boxes, int boxCount)
{
  // corner number: bit 0 is x, bit 1 is y, bit 2 is z
  static const int32_t corners[12][3] = {
    { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 }, { 0, 1, 5 }, { 0, 5, 4 },
    { 2, 6, 7 }, { 2, 7, 3 }, { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 }
  };
  crVec3 points[8 * CR_MAX_TEST_BOXES];
  int32_t triangles[12 * CR_MAX_TEST_BOXES][3], starts[CR_MAX_TEST_BOXES];
  assert_true(boxCount <= CR_MAX_TEST_BOXES);
  for (int b = 0; b < boxCount; ++b) {
    starts[b] = 12 * b;
    for (int i = 0; i < 8; ++i) {
      points[8 * b + i] = crMakeVec3(i & 1 ? boxes[b].max.x : boxes[b].min.x, i & 2 ? boxes[b].max.y : boxes[b].min.y,
                                     i & 4 ? boxes[b].max.z : boxes[b].min.z);
    }
    for (int i = 0; i < 36; ++i) {
      triangles[12 * b + i / 3][i % 3] = 8 * b + corners[i / 3][i % 3];
    }
  }
  crMeshDef def = { sizeof(crMeshDef), points, 8 * boxCount, (const int32_t(*)[3])triangles,
                    12 * boxCount,     starts, boxCount };
  crMesh* mesh = NULL;
  assert_int_equal(crCreateMesh(&def, NULL, NULL, &mesh), cr_ok);
  return mesh;
}

// -------------------------------------------------------------------------------------------- kept shapes

#define MAX_KEPT 64

static crShape* kept[MAX_KEPT];
static int keptCount;

const crShape* crKeepTestShape(crShapeDef def)
{
  assert_true(keptCount < MAX_KEPT);
  kept[keptCount] = crCreateTestShape(&def);
  return kept[keptCount++];
}

int crDestroyKeptShapes(void** state)
{
  (void)state;
  while (keptCount > 0) {
    crDestroyShape(kept[--keptCount]);
  }
  return 0;
}
