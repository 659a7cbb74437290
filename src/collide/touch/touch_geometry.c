// Contact radii at a touch: what a shape touches with is decided by the normal, as in surface.c, but within
// CR_FLAT_SINE, so that a box that lands a little tilted is as stiff at rest as one that lands flat.
#include "collide/distance/pair.h"
#include "collide/distance/parallel.h"
#include "collide/distance/surface.h"
#include "collide/distance/wall.h"
#include "collide/touch/touch.h"

#define CR_LEAST_SHARE 0.01  // [-] of 1 + k D, which is zero at the centre of a groove
#define CR_SHARP_RADIUS 1e-3 // [m] of edges without rounding, or
#define CR_LEAST_MISFIT 0.05 // [-] least of 1 - r / R for a ball of radius r in a groove of radius R, and its square
#define CR_SHARP_SHARE 0.1   // [-] this share of the smallest dimension, if that is less

typedef struct Contact {
  double radius; // [m]
  bool isRound;
} Contact;

static bool isLevel(double sine)
{
  return fabs(sine) <= CR_FLAT_SINE;
}

static Contact roundContact(double radius1, double radius2)
{
  return (Contact){ sqrt(radius1 * radius2), true };
}

static Contact flatContact(const crShape* shape)
{
  return (Contact){ 0.5 * shape->smallestDimension, false };
}

double crFindSharpRadius(const crShape* shape)
{
  return shape->sweep > 0.0 ? shape->sweep : fmin(CR_SHARP_RADIUS, CR_SHARP_SHARE * shape->smallestDimension);
}

static Contact contactOfBox(const crShape* shape, crVec3 d)
{
  double sharp = crFindSharpRadius(shape), half = 0.5 * shape->smallestDimension;
  int levelCount = isLevel(d.x) + isLevel(d.y) + isLevel(d.z);
  if (levelCount == 2) {
    return flatContact(shape);
  }
  return roundContact(sharp, levelCount == 1 ? half : sharp);
}

// p: a point of the surface, in S.
static Contact contactOfRevolved(const crShape* shape, crVec3 p, crVec3 d)
{
  const crCore* core = &shape->core;
  double sharp = crFindSharpRadius(shape), half = 0.5 * shape->smallestDimension;
  double topRadius = shape->kind == cr_shapeCone ? core->topRadius : core->radius;
  double c = sqrt(d.x * d.x + d.y * d.y), slant = topRadius - core->radius, length = core->zMax - core->zMin;
  double ahead = (slant * c + length * d.z) / sqrt(slant * slant + length * length);
  if (isLevel(c) && (d.z < 0.0 ? core->radius : topRadius) > 0.0) {
    return flatContact(shape);
  }
  if (isLevel(ahead)) {
    return roundContact(sqrt(p.x * p.x + p.y * p.y) / c, half);
  }
  return roundContact(sharp, (ahead > 0.0 ? topRadius : core->radius) + sharp);
}

static Contact contactOfBeam(const crShape* shape, crVec3 d)
{
  double sharp = crFindSharpRadius(shape), half = 0.5 * shape->smallestDimension,
         endRadius = shape->core.half.y + sharp;
  double c = sqrt(d.x * d.x + d.y * d.y);
  bool isAcross = isLevel(d.x / c);
  if (isLevel(c) || (isAcross && isLevel(d.z))) {
    return flatContact(shape);
  }
  if (isAcross) {
    return roundContact(sharp, half);
  }
  return isLevel(d.z) ? roundContact(endRadius, half) : roundContact(sharp, endRadius);
}

static Contact contactOfEllipsoid(const crShape* shape, crVec3 p, crVec3 d)
{
  crSurface surface;
  crCurvature curvature;
  crFindSurface(shape, &p, &d, 0, &surface, &curvature);
  return roundContact(1.0 / curvature.k1, 1.0 / curvature.k2);
}

// What a ball of radius r touches of a surface, which is flat to all else: that with which its own curvature makes the
// geometric mean of the two relative curvatures. Where it fits nearly, they are held above zero: Hertz' contacts are
// small.
static Contact contactOfSurface(const crShape* shape, crVec3 p, crVec3 d, double r)
{
  crSurface surface;
  crCurvature curvature;
  if (!(r > 0.0)) {
    return (Contact){ HUGE_VAL, false };
  }
  crFindSurface(shape, &p, &d, 0, &surface, &curvature);
  double least = CR_LEAST_MISFIT / r;
  if (!curvature.isKnown) {
    double sharp = crFindSharpRadius(shape);
    curvature.k1 = 1.0 / sharp;
  }
  double relative = sqrt(fmax(1.0 / r + curvature.k1, least) * fmax(1.0 / r + curvature.k2, least)),
         own = relative - 1.0 / r;
  return fabs(own) > CR_LEAST_MISFIT * CR_LEAST_MISFIT / r ? (Contact){ 1.0 / own, true }
                                                           : (Contact){ HUGE_VAL, false };
}

// Of a wall that an ellipsoid touches, likewise: with all four curvatures.
static Contact contactOfWall(const crShape* wall, const crPose* X_WF, const crShape* ellipsoid, const crPose* X_WE,
                             const crTouch* touch, crVec3 out, double radius)
{
  double half = 0.5 * touch->distance, k = 1.0 / radius, least = CR_LEAST_MISFIT * k, low, high;
  crCurvature own = crFindCurvature(ellipsoid, X_WE, crMulAdd(touch->point, -half, out), out);
  crCurvature other = crFindCurvature(wall, X_WF, crMulAdd(touch->point, half, out), crNeg(out));
  crRelateCurvatures(&own, &other, out, &low, &high);
  double more = sqrt(fmax(2.0 * low, least) * fmax(2.0 * high, least)) - k;
  return fabs(more) > CR_LEAST_MISFIT * CR_LEAST_MISFIT * k ? (Contact){ 1.0 / more, true }
                                                            : (Contact){ HUGE_VAL, false };
}

// point and d, outward of the shape, in the world; r [m]: radius of the other one, where that is a sphere.
static Contact contactOf(const crShape* shape, const crPose* X_WF, crVec3 point, crVec3 d, double r)
{
  if (shape->kind == cr_shapeSphere || shape->kind == cr_shapeCapsule) { // whatever its pose is
    return roundContact(shape->sweep, shape->sweep);
  }
  crMat3 R_WS = crMulMM(X_WF->R, shape->R_FS);
  crVec3 d_S = crMulTV(R_WS, d), p_S = crMulTV(R_WS, crSub(point, X_WF->p));
  switch (shape->kind) {
    case cr_shapeEllipsoid: return contactOfEllipsoid(shape, p_S, d_S);
    case cr_shapeBox: return contactOfBox(shape, d_S);
    case cr_shapeCylinder:
    case cr_shapeCone: return contactOfRevolved(shape, p_S, d_S);
    case cr_shapeBeam: return contactOfBeam(shape, d_S);
    case cr_shapeRevolved:
    case cr_shapeExtruded:
    case cr_shapeHeightField: return contactOfSurface(shape, p_S, d_S, r);
    default: return flatContact(shape);
  }
}

// Edges have their small radius.
static void findLine(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                     crTouchGeometry* geometry)
{
  crParallelTouch touch = crComputeParallel(a, X_WA, b, X_WB, HUGE_VAL);
  double sharp = fmin(crFindSharpRadius(a), crFindSharpRadius(b));
  geometry->line = fmax(0.0, touch.length);
  geometry->bend = isnan(touch.curvature) ? 1.0 / sharp : touch.curvature;
}

crTouchGeometry crComputeTouchGeometry(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                       const crTouch* touch)
{
  crVec3 n = touch->normal, point = touch->point;
  Contact ofA = contactOf(a, X_WA, point, n, b->sweep), ofB = contactOf(b, X_WB, point, crNeg(n), a->sweep);
  if (crIsWall(a)) {
    ofA = contactOfWall(a, X_WA, b, X_WB, touch, crNeg(n), ofB.radius);
  } else if (crIsWall(b)) {
    ofB = contactOfWall(b, X_WB, a, X_WA, touch, n, ofA.radius);
  }
  crTouchGeometry geometry = { .radiusA = ofA.radius,
                               .radiusB = ofB.radius,
                               .isRoundA = ofA.isRound,
                               .isRoundB = ofB.isRound,
                               .isSphereA = a->kind == cr_shapeSphere,
                               .isSphereB = b->kind == cr_shapeSphere,
                               .halfSizeA = 0.5 * a->smallestDimension,
                               .halfSizeB = 0.5 * b->smallestDimension };
  if (crIsParallelPair(a, b)) {
    findLine(a, X_WA, b, X_WB, &geometry);
  }
  return geometry;
}

static crMat3 addSquare(crMat3 m, double k, crVec3 t)
{
  m.cx = crMulAdd(m.cx, k * t.x, t);
  m.cy = crMulAdd(m.cy, k * t.y, t);
  m.cz = crMulAdd(m.cz, k * t.z, t);
  return m;
}

crMat3 crComputeTouchTurn(const crShape* sphere, crVec3 centre, const crShape* surface, const crPose* X_WF,
                          const crTouch* touch)
{
  crMat3 R_WS = crMulMM(X_WF->R, surface->R_FS);
  double D = sphere->sweep + touch->distance;
  crVec3 toSphere = crSub(centre, touch->point);
  crVec3 out = crDot(toSphere, touch->normal) > 0.0 ? touch->normal : crNeg(touch->normal);
  crVec3 foot = crMulTV(R_WS, crSub(crMulAdd(centre, -D, out), X_WF->p)), d = crMulTV(R_WS, out);
  crSurface feature;
  crCurvature curvature;
  bool isOval = crFindSurface(surface, &foot, &d, 0, &feature, &curvature); // else all directions are alike
  crVec3 along = isOval ? crMulMV(R_WS, curvature.direction1) : crAnyPerpendicular(out), across = crCross(out, along);
  double k1 = curvature.isKnown ? curvature.k1 / fmax(1.0 + curvature.k1 * D, CR_LEAST_SHARE)
                                : 1.0 / fmax(D, CR_LEAST_SHARE * sphere->sweep);
  double k2 = curvature.k2 / fmax(1.0 + curvature.k2 * D, CR_LEAST_SHARE);
  crMat3 zero = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  return addSquare(addSquare(zero, k1, along), k2, across);
}
