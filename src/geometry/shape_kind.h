// What differs from one kind of shape to the next, as one table: a row per kind.
#ifndef CR_GEOMETRY_SHAPE_KIND_H
#define CR_GEOMETRY_SHAPE_KIND_H

#include "base/friend.h"
#include "base/report.h"
#include "geometry/shape.h"

// Functions are NULL where a kind has none: all of a visual-only one; those of the def for hulls and
// meshes, which need memory for it (shape.c); support and bound of a mesh, whose pieces have them.
// Those of a revolved or extruded shape are of the cylinder or box around it: its own support is that of its chain.
typedef struct crShapeRow {
  const char* text;
  bool isVisualOnly;
  bool hasEdges;                            // so it is rounded
  crVec3 ownAxis;                           // in S
  double (*measure)(const crShapeDef* def); // smallest dimension [m]
  // Fills the core of a shape that is rounded by `rounding`; returns the radius of the ball that sweeps it.
  double (*makeCore)(const crShapeDef* def, double rounding, crCore* outCore);
  crVec3 (*support)(const crCore* core, crVec3 d_S); // farthest point along d_S, not zero, of any length
  crAabb (*bound)(const crCore* core, crMat3 R_WS);  // of the core with its origin in W's
  crInertia (*weigh)(const crShapeDef* def);         // for density 1, in S
} crShapeRow;

CR_FRIEND extern const crShapeRow cr_shapeRows[cr_shapeKindCount];

static inline bool crIsShapeKind(crShapeKind kind)
{
  return (unsigned)kind > cr_shapeNone && (unsigned)kind < cr_shapeKindCount;
}

// Shapes of profiles, and hollow ones: shape_surface.c. What they take is given back by the last one.
crStatus crBuildSurface(crShape* shape, const crErrorSink* sink);
crStatus crBuildGear(crShape* shape, const crErrorSink* sink);
crStatus crBuildHollow(crShape* shape, const crErrorSink* sink);
void crDestroySurface(crShape* shape);

// surface_pieces.c: convex pieces behind the chains of a shape, as its def asks for.
crStatus crAddSurfacePieces(crShape* shape, const crProfile* profile, double length, const crErrorSink* sink);

// Fills in the defaults of what is zero: axis, and scale of a mesh. A rounding that is not given depends on the size,
// and stays 0.
CR_FRIEND void crCompleteShapeDef(crShapeDef* def);

// The most that rounding may be [m], for a kind that has a measure.
double crFindLargestRounding(const crShapeDef* def);

// Reports a given rounding above `most`.
void crCheckRounding(const crShapeDef* def, double most, double smallestDimension, crReporter* reporter);

// Columns of the table.
crVec3 crCore_SupportPoint(const crCore* core, crVec3 d_S); // the origin: sphere, half-space
crVec3 crCore_SupportEllipsoid(const crCore* core, crVec3 d_S);
crVec3 crCore_SupportBox(const crCore* core, crVec3 d_S);
crVec3 crCore_SupportCylinder(const crCore* core, crVec3 d_S);
crVec3 crCore_SupportCone(const crCore* core, crVec3 d_S);
crVec3 crCore_SupportCapsule(const crCore* core, crVec3 d_S);
crVec3 crCore_SupportBeam(const crCore* core, crVec3 d_S);
crVec3 crCore_SupportHull(const crCore* core, crVec3 d_S);
crVec3 crCore_SupportAround(const crCore* core, crVec3 d_S); // of the box around an extruded shape
crVec3 crCore_SupportGround(const crCore* core, crVec3 d_S); // likewise

crAabb crCore_BoundPoint(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundEllipsoid(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundBox(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundCylinder(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundCone(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundCapsule(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundBeam(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundHalfSpace(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundAround(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundGround(const crCore* core, crMat3 R_WS);
crAabb crCore_BoundHull(const crCore* core, crMat3 R_WS);

crInertia crShapeDef_WeighSphere(const crShapeDef* def);
crInertia crShapeDef_WeighEllipsoid(const crShapeDef* def);
crInertia crShapeDef_WeighBox(const crShapeDef* def);
crInertia crShapeDef_WeighCylinder(const crShapeDef* def);
crInertia crShapeDef_WeighCone(const crShapeDef* def);
crInertia crShapeDef_WeighCapsule(const crShapeDef* def);
crInertia crShapeDef_WeighBeam(const crShapeDef* def);
crInertia crShapeDef_WeighNothing(const crShapeDef* def); // half-space

#endif
