// Shapes that the geometry tests go through: every kind with a closed form, ordinary and extreme ratios.
#ifndef CR_TEST_SHAPES_H
#define CR_TEST_SHAPES_H

#include "carom/geometry.h"

// The def number `index` with all lengths multiplied by `scale`; kind cr_shapeNone beyond the last.
crShapeDef crTestShape(int index, double scale);

crShapeDef crMakeSphere(double radius);
crShapeDef crMakeEllipsoid(double x, double y, double z);
crShapeDef crMakeBox(double x, double y, double z);
crShapeDef crMakeCylinder(double radius, double length, double boreRadius);
crShapeDef crMakeCone(double radius, double topRadius, double length);
crShapeDef crMakeCapsule(double radius, double length);
crShapeDef crMakeBeam(double length, double width, double height);
crShapeDef crMakeHull(const crVec3* points, int pointCount);

// Creates the shape; fails the test with the message when that does not work.
crShape* crCreateTestShape(const crShapeDef* def);

// Likewise, kept until the teardown crDestroyKeptShapes.
const crShape* crKeepTestShape(crShapeDef def);
int crDestroyKeptShapes(void** state);

// A closed mesh of boxes, each its own piece.
typedef struct crTestBox {
  crVec3 min, max;
} crTestBox;
crMesh* crCreateBoxMesh(const crTestBox* boxes, int boxCount);

#endif
