// Principal curvatures at a touch, for Hertz' ellipses. What a shape touches with is decided as in touch_geometry.c,
// within CR_FLAT_SINE; edges and corners without rounding have the small radius that is written there.
#include "collide/distance/pair.h"
#include "collide/distance/surface.h"
#include "collide/touch/touch.h"

// Two principal curvatures across the outward normal d, k1 along direction1, in any order.
typedef struct Bend {
  double k1, k2; // [1/m]
  crVec3 direction1;
} Bend;

static bool isLevel(double sine)
{
  return fabs(sine) <= CR_FLAT_SINE;
}

static Bend alike(double k, crVec3 d)
{
  return (Bend){ k, k, crAnyPerpendicular(d) };
}

// Along a straight edge or a circle with this tangent; `along`: its curvature there.
static Bend edge(double across, double along, crVec3 tangent, crVec3 d)
{
  return (Bend){ across, along, crNormalize(crCross(tangent, d)) };
}

static Bend bendOfBox(const crShape* shape, crVec3 d)
{
  bool x = isLevel(d.x), y = isLevel(d.y), z = isLevel(d.z);
  double sharp = 1.0 / crFindSharpRadius(shape);
  if (x + y + z == 2) {
    return alike(0.0, d);
  }
  return x + y + z == 1 ? edge(sharp, 0.0, crMakeVec3(x, y, z), d) : alike(sharp, d);
}

// Which part of a capsule is touched is told by the point p of its core, in S.
static Bend bendOfCapsule(const crShape* shape, crVec3 p, crVec3 d)
{
  double k = 1.0 / shape->sweep;
  bool isSide = p.z > shape->core.zMin && p.z < shape->core.zMax;
  return isSide ? edge(k, 0.0, crMakeVec3(0.0, 0.0, 1.0), d) : alike(k, d);
}

static Bend bendOfRevolved(const crShape* shape, crVec3 p, crVec3 d)
{
  const crCore* core = &shape->core;
  double topRadius = shape->kind == cr_shapeCone ? core->topRadius : core->radius, sharp = crFindSharpRadius(shape);
  double c = sqrt(d.x * d.x + d.y * d.y), slant = topRadius - core->radius, length = core->zMax - core->zMin;
  double ahead = (slant * c + length * d.z) / sqrt(slant * slant + length * length);
  if (isLevel(c) && (d.z < 0.0 ? core->radius : topRadius) > 0.0) {
    return alike(0.0, d);
  }
  crVec3 around = crMakeVec3(-d.y / c, d.x / c, 0.0);
  if (isLevel(ahead)) {
    double R = sqrt(p.x * p.x + p.y * p.y);
    return (Bend){ 1.0 / (R / c + shape->sweep), 0.0, around };
  }
  double radius = ahead > 0.0 ? topRadius : core->radius;
  return radius > 0.0 ? edge(1.0 / sharp, 1.0 / (radius / c + sharp), around, d) : alike(1.0 / sharp, d);
}

static Bend bendOfBeam(const crShape* shape, crVec3 d)
{
  double sharp = crFindSharpRadius(shape), radius = shape->core.half.y, c = sqrt(d.x * d.x + d.y * d.y);
  bool isAcross = isLevel(d.x / c);
  if (isLevel(c) || (isAcross && isLevel(d.z))) {
    return alike(0.0, d);
  }
  if (isAcross) {
    return edge(1.0 / sharp, 0.0, crMakeVec3(1.0, 0.0, 0.0), d);
  }
  crVec3 around = crMakeVec3(-d.y / c, d.x / c, 0.0);
  return isLevel(d.z) ? (Bend){ 1.0 / (radius + shape->sweep), 0.0, around }
                      : edge(1.0 / sharp, 1.0 / (radius / c + sharp), around, d);
}

static Bend bendOfEllipsoid(const crShape* shape, crVec3 p, crVec3 d)
{
  crSurface surface;
  crCurvature curvature;
  bool isOval = crFindSurface(shape, &p, &d, 0, &surface, &curvature);
  return isOval ? (Bend){ curvature.k1, curvature.k2, curvature.direction1 } : alike(curvature.k1, d);
}

// Of profiles and ground; their corners have the small radius.
static Bend bendOfSurface(const crShape* shape, crVec3 p, crVec3 d)
{
  crSurface surface;
  crCurvature curvature = { .direction1 = crAnyPerpendicular(d) };
  crFindSurface(shape, &p, &d, 0, &surface, &curvature);
  double sharp = 1.0 / crFindSharpRadius(shape);
  return (Bend){ curvature.isKnown ? curvature.k1 : sharp, curvature.k2, curvature.direction1 };
}

// p of the surface and d, outward, in S.
static Bend bendOf(const crShape* shape, crVec3 p, crVec3 d)
{
  crVec3 core = crMulAdd(p, -shape->sweep, d);
  switch (shape->kind) {
    case cr_shapeSphere: return alike(1.0 / shape->sweep, d);
    case cr_shapeCapsule: return bendOfCapsule(shape, core, d);
    case cr_shapeEllipsoid: return bendOfEllipsoid(shape, core, d);
    case cr_shapeBox: return bendOfBox(shape, d);
    case cr_shapeCylinder:
    case cr_shapeCone: return bendOfRevolved(shape, core, d);
    case cr_shapeBeam: return bendOfBeam(shape, d);
    case cr_shapeRevolved:
    case cr_shapeExtruded:
    case cr_shapeHeightField: return bendOfSurface(shape, core, d);
    default: return alike(0.0, d);
  }
}

crCurvature crFindCurvature(const crShape* shape, const crPose* X_WF, crVec3 point, crVec3 outward)
{
  crMat3 R_WS = crMulMM(X_WF->R, shape->R_FS);
  Bend bend = bendOf(shape, crMulTV(R_WS, crSub(point, X_WF->p)), crMulTV(R_WS, outward));
  crVec3 direction = crMulMV(R_WS, bend.direction1);
  bool isOrdered = bend.k1 >= bend.k2;
  return (crCurvature){ .k1 = isOrdered ? bend.k1 : bend.k2,
                        .k2 = isOrdered ? bend.k2 : bend.k1,
                        .direction1 = isOrdered ? direction : crCross(outward, direction),
                        .isKnown = true };
}

// Both tensors in one basis: mean and deviator, which turns twice as fast as its directions.
void crRelateCurvatures(const crCurvature* a, const crCurvature* b, crVec3 normal, double* outA, double* outB)
{
  double mean = 0.25 * (a->k1 + a->k2 + b->k1 + b->k2), ofA = 0.25 * (a->k1 - a->k2), ofB = 0.25 * (b->k1 - b->k2);
  double c = crDot(a->direction1, b->direction1), s = crDot(normal, crCross(a->direction1, b->direction1));
  double along = ofA + ofB * (c * c - s * s), across = 2.0 * ofB * c * s;
  double spread = sqrt(along * along + across * across);
  *outA = mean - spread;
  *outB = mean + spread;
}

static crCurvature findOne(const crShape* shape, const crPose* X_WF, double contactRadius, crVec3 point, crVec3 outward)
{
  crCurvature curvature = crFindCurvature(shape, X_WF, point, outward);
  if (!isnan(contactRadius)) {
    curvature.k1 = curvature.k2 = 1.0 / contactRadius;
  }
  return curvature;
}

void crFindRelativeCurvature(const crShape* a, const crPose* X_WA, double contactRadiusA, const crShape* b,
                             const crPose* X_WB, double contactRadiusB, const crTouch* touch, crTouchGeometry* geometry)
{
  crVec3 n = touch->normal;
  double half = 0.5 * touch->distance;
  crCurvature ofA = findOne(a, X_WA, contactRadiusA, crMulAdd(touch->point, -half, n), n);
  crCurvature ofB = findOne(b, X_WB, contactRadiusB, crMulAdd(touch->point, half, n), crNeg(n));
  crRelateCurvatures(&ofA, &ofB, n, &geometry->least, &geometry->most);
}
