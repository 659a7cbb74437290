// The table of shape kinds, their smallest dimensions and their cores.
//
// The core of a rounded shape is its erosion by the rounding radius r: the centres of all balls of
// radius r that fit into it. A convex body is the intersection of its half-spaces n . x <= h(n), so its
// erosion is that of n . x <= h(n) - r, over those n that have a facet or a tangent plane.
//
// The core is never empty: r is at most half the smallest dimension d and the radius of the largest ball that fits,
//   box, cylinder, beam   d / 2: the core may be a plate, a disc, a segment or a point
//   cone, frustum         min(L / 2, R / (s + |k|)), see makeConeCore (R: the larger radius)
//   hull                  found when it is eroded, which leaves some volume
#include "geometry/shape_kind.h"

#include "base/elementary.h"

#define CR_STANDARD_ANGLE (CR_PI / 9.0) // [rad] pressure angle of most gears

// ------------------------------------------------------------------------------- smallest dimension

static double measureSphere(const crShapeDef* def)
{
  return 2.0 * def->as.sphere.radius;
}

static double measureEllipsoid(const crShapeDef* def)
{
  crVec3 a = def->as.ellipsoid.radii;
  return 2.0 * fmin(a.x, fmin(a.y, a.z));
}

static double measureBox(const crShapeDef* def)
{
  crVec3 size = def->as.box.size;
  return fmin(size.x, fmin(size.y, size.z));
}

static double measureCylinder(const crShapeDef* def)
{
  return fmin(2.0 * def->as.cylinder.radius, def->as.cylinder.length);
}

static double measureCone(const crShapeDef* def)
{
  return fmin(2.0 * fmax(def->as.cone.radius, def->as.cone.topRadius), def->as.cone.length);
}

static double measureCapsule(const crShapeDef* def)
{
  return 2.0 * def->as.capsule.radius;
}

static double measureBeam(const crShapeDef* def)
{
  return fmin(def->as.beam.width, def->as.beam.height);
}

static double measureHalfSpace(const crShapeDef* def)
{
  (void)def;
  return HUGE_VAL;
}

double crFindLargestRounding(const crShapeDef* def)
{
  double most = CR_ROUNDING_SHARE * cr_shapeRows[def->kind].measure(def);
  if (def->kind == cr_shapeCone) {
    double slope = fabs(def->as.cone.topRadius - def->as.cone.radius) / def->as.cone.length;
    most = fmin(most, fmax(def->as.cone.radius, def->as.cone.topRadius) / (crHypot(1.0, slope) + slope));
  }
  return most;
}

// --------------------------------------------------------------------------------------------- core

// Half of what is left; not less than nothing where a product was computed in another order.
static double erode(double half, double rounding)
{
  return half > rounding ? half - rounding : 0.0;
}

static double makeSphereCore(const crShapeDef* def, double rounding, crCore* outCore)
{
  (void)rounding;
  (void)outCore;
  return def->as.sphere.radius;
}

static double makeEllipsoidCore(const crShapeDef* def, double rounding, crCore* outCore)
{
  outCore->half = def->as.ellipsoid.radii;
  return rounding;
}

static double makeBoxCore(const crShapeDef* def, double rounding, crCore* outCore)
{
  crVec3 size = def->as.box.size;
  outCore->half =
      crMakeVec3(erode(0.5 * size.x, rounding), erode(0.5 * size.y, rounding), erode(0.5 * size.z, rounding));
  return rounding;
}

static double makeCylinderCore(const crShapeDef* def, double rounding, crCore* outCore)
{
  outCore->radius = erode(def->as.cylinder.radius, rounding);
  outCore->zMax = erode(0.5 * def->as.cylinder.length, rounding);
  outCore->zMin = -outCore->zMax;
  return rounding;
}

// In the meridian plane (rho, z) the lateral line rho = R + k z, k = (T - R) / L, has the unit normal
// (1, -k) / s, s = sqrt(1 + k^2). Moved inward by r it is rho = R - r s + k z, which meets
//   the base plane moved to z = r         at R - r (s - k)
//   the top plane moved to z = L - r      at T - r (s + k)
// Where that is negative the disc has vanished and the core ends in a tip on the axis. s - k and s + k are
// positive and each is the reciprocal of the other: the larger one is the sum without cancellation.
static double makeConeCore(const crShapeDef* def, double rounding, crCore* outCore)
{
  double radius = def->as.cone.radius, topRadius = def->as.cone.topRadius, length = def->as.cone.length;
  double slope = (topRadius - radius) / length;
  double larger = crHypot(1.0, slope) + fabs(slope);
  outCore->radius = radius - rounding * (slope <= 0.0 ? larger : 1.0 / larger);
  outCore->topRadius = topRadius - rounding * (slope <= 0.0 ? 1.0 / larger : larger);
  outCore->zMin = rounding;
  outCore->zMax = length - rounding;
  if (outCore->topRadius < 0.0 && slope < 0.0) {
    outCore->topRadius = 0.0;
    outCore->radius = fmax(outCore->radius, 0.0);
    outCore->zMax = outCore->zMin - outCore->radius / slope;
  } else if (outCore->radius < 0.0 && slope > 0.0) {
    outCore->radius = 0.0;
    outCore->topRadius = fmax(outCore->topRadius, 0.0);
    outCore->zMin = outCore->zMax - outCore->topRadius / slope;
  } else {
    outCore->radius = fmax(outCore->radius, 0.0);
    outCore->topRadius = fmax(outCore->topRadius, 0.0);
    outCore->zMax = fmax(outCore->zMin, outCore->zMax);
  }
  return rounding;
}

static double makeCapsuleCore(const crShapeDef* def, double rounding, crCore* outCore)
{
  (void)rounding;
  outCore->zMax = 0.5 * def->as.capsule.length;
  outCore->zMin = -outCore->zMax;
  return def->as.capsule.radius;
}

static double makeBeamCore(const crShapeDef* def, double rounding, crCore* outCore)
{
  outCore->half = crMakeVec3(0.5 * def->as.beam.length, erode(0.5 * def->as.beam.width, rounding),
                             erode(0.5 * def->as.beam.height, rounding));
  return rounding;
}

static double makeHalfSpaceCore(const crShapeDef* def, double rounding, crCore* outCore)
{
  (void)def;
  (void)outCore;
  return rounding;
}

// -------------------------------------------------------------------------------------------- table

#define CR_AXIS_X                                                                                                      \
  {                                                                                                                    \
    1.0, 0.0, 0.0                                                                                                      \
  }
#define CR_AXIS_Z                                                                                                      \
  {                                                                                                                    \
    0.0, 0.0, 1.0                                                                                                      \
  }

// text, isVisualOnly, hasEdges, ownAxis, measure, makeCore, support, bound, weigh
// clang-format off
const crShapeRow cr_shapeRows[cr_shapeKindCount] = {
  [cr_shapeNone] = { "none", false, false, CR_AXIS_Z, NULL, NULL, NULL, NULL, NULL },
  [cr_shapeSphere] = { "sphere", false, false, CR_AXIS_Z, measureSphere, makeSphereCore,
    crCore_SupportPoint, crCore_BoundPoint, crShapeDef_WeighSphere },
  [cr_shapeEllipsoid] = { "ellipsoid", false, false, CR_AXIS_Z, measureEllipsoid, makeEllipsoidCore,
    crCore_SupportEllipsoid, crCore_BoundEllipsoid, crShapeDef_WeighEllipsoid },
  [cr_shapeBox] = { "box", false, true, CR_AXIS_Z, measureBox, makeBoxCore,
    crCore_SupportBox, crCore_BoundBox, crShapeDef_WeighBox },
  [cr_shapeCylinder] = { "cylinder", false, true, CR_AXIS_Z, measureCylinder, makeCylinderCore,
    crCore_SupportCylinder, crCore_BoundCylinder, crShapeDef_WeighCylinder },
  [cr_shapeCone] = { "cone", false, true, CR_AXIS_Z, measureCone, makeConeCore,
    crCore_SupportCone, crCore_BoundCone, crShapeDef_WeighCone },
  [cr_shapeCapsule] = { "capsule", false, false, CR_AXIS_Z, measureCapsule, makeCapsuleCore,
    crCore_SupportCapsule, crCore_BoundCapsule, crShapeDef_WeighCapsule },
  [cr_shapeBeam] = { "beam", false, true, CR_AXIS_X, measureBeam, makeBeamCore,
    crCore_SupportBeam, crCore_BoundBeam, crShapeDef_WeighBeam },
  [cr_shapeHalfSpace] = { "halfSpace", false, false, CR_AXIS_Z, measureHalfSpace, makeHalfSpaceCore,
    crCore_SupportPoint, crCore_BoundHalfSpace, crShapeDef_WeighNothing },
  [cr_shapeHull] = { "hull", false, true, CR_AXIS_Z, NULL, NULL, crCore_SupportHull, crCore_BoundHull, NULL },
  [cr_shapeMesh] = { "mesh", false, true, CR_AXIS_Z, NULL, NULL, NULL, NULL, NULL },
  [cr_shapeHeightField] = { "heightField", false, false, CR_AXIS_Z, NULL, NULL, crCore_SupportGround,
    crCore_BoundGround, NULL },
  [cr_shapeRevolved] = { "revolved", false, false, CR_AXIS_Z, NULL, NULL, crCore_SupportCylinder, crCore_BoundCylinder,
    NULL },
  [cr_shapeExtruded] = { "extruded", false, false, CR_AXIS_Z, NULL, NULL, crCore_SupportAround, crCore_BoundAround,
    NULL },
  [cr_shapeInvoluteGear] = { "involuteGear", false, false, CR_AXIS_Z, NULL, NULL, crCore_SupportAround,
    crCore_BoundAround, NULL },
  [cr_shapeCoordinateSystem] = { "coordinateSystem", true, false, CR_AXIS_Z, NULL, NULL, NULL, NULL, NULL },
  [cr_shapeGrid] = { "grid", true, false, CR_AXIS_Z, NULL, NULL, NULL, NULL, NULL },
  [cr_shapeCoil] = { "coil", true, false, CR_AXIS_Z, NULL, NULL, NULL, NULL, NULL },
  [cr_shapeGearWheel] = { "gearWheel", true, false, CR_AXIS_Z, NULL, NULL, NULL, NULL, NULL },
  [cr_shapeText] = { "text", true, false, CR_AXIS_Z, NULL, NULL, NULL, NULL, NULL },
};
// clang-format on

const char* crShapeKind_GetText(crShapeKind kind)
{
  return crIsShapeKind(kind) ? cr_shapeRows[kind].text : "none";
}

bool crShapeKind_IsVisualOnly(crShapeKind kind)
{
  return crIsShapeKind(kind) && cr_shapeRows[kind].isVisualOnly;
}

crShapeDef crDefaultShapeDef(crShapeKind kind)
{
  crShapeDef def = { .size = sizeof def, .kind = kind };
  return def;
}

static bool isZero(crVec3 v)
{
  return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

void crCompleteShapeDef(crShapeDef* def)
{
  if (isZero(def->axis)) {
    def->axis = cr_shapeRows[crIsShapeKind(def->kind) ? def->kind : cr_shapeNone].ownAxis;
  }
  if (def->kind == cr_shapeMesh && isZero(def->as.mesh.scale)) {
    def->as.mesh.scale = crMakeVec3(1.0, 1.0, 1.0);
  }
  if (def->kind == cr_shapeInvoluteGear && def->as.involuteGear.pressureAngle == 0.0) {
    def->as.involuteGear.pressureAngle = CR_STANDARD_ANGLE;
  }
}
