#include "support/distance_case.h"

#include "support/shapes.h"

#include <stdio.h>
#include <stdlib.h>

#define CR_MAX_HULL_POINTS 32

// ------------------------------------------------------------------------------------------- shapes

static double logUniform(crRandom* random, double min, double max)
{
  return exp(crRandom_Uniform(random, log(min), log(max)));
}

static bool chance(crRandom* random, double share)
{
  return crRandom_Uniform(random, 0.0, 1.0) < share;
}

static int pick(crRandom* random, int count)
{
  return (int)(crRandom_Next(random) % (uint64_t)count);
}

// Points of a ball, of a box's grid (with many in one plane), or of a prism.
static int makePoints(crVec3 half, crVec3* points, crRandom* random)
{
  int count = 4 + pick(random, CR_MAX_HULL_POINTS - 4), form = pick(random, 3);
  for (int i = 0; i < count; ++i) {
    crVec3 u = crRandom_UnitVec3(random);
    if (form == 1) {
      u = crMakeVec3(pick(random, 3) - 1, pick(random, 3) - 1, pick(random, 3) - 1);
    } else if (form == 2) {
      double angle = 2.0 * CR_PI * (i / 2) / ((count + 1) / 2);
      u = crMakeVec3(cos(angle), sin(angle), i % 2 == 0 ? -1.0 : 1.0);
    }
    points[i] = crMakeVec3(half.x * u.x, half.y * u.y, half.z * u.z);
  }
  return count;
}

crShapeDef crRandomShapeDef(crShapeKind kind, double size, double ratio, crVec3* points, crRandom* random)
{
  double x = size / logUniform(random, 1.0, ratio), y = size / logUniform(random, 1.0, ratio);
  double z = size / logUniform(random, 1.0, ratio);
  switch (kind) {
    case cr_shapeSphere: return crMakeSphere(x);
    case cr_shapeEllipsoid: return crMakeEllipsoid(x, y, z);
    case cr_shapeBox: return crMakeBox(x, y, z);
    case cr_shapeCylinder: return crMakeCylinder(x, y, 0.0);
    case cr_shapeCone: return crMakeCone(x, chance(random, 0.5) ? 0.0 : y, z);
    case cr_shapeCapsule: return crMakeCapsule(x, y);
    case cr_shapeBeam: return crMakeBeam(x, y, z);
    case cr_shapeHalfSpace: return crDefaultShapeDef(cr_shapeHalfSpace);
    default: return crMakeHull(points, makePoints(crMakeVec3(x, y, z), points, random));
  }
}

static crShape* tryShape(crShapeKind kind, crRandom* random)
{
  static const double sizes[] = { 1e-6, 1e-3, 1.0, 1.0, 1.0, 1e3 };
  crVec3 points[CR_MAX_HULL_POINTS];
  double size = sizes[pick(random, 6)] * crRandom_Uniform(random, 0.5, 2.0), ratio = chance(random, 0.3) ? 1e6 : 3.0;
  crShapeDef def = crRandomShapeDef(kind, size, ratio, points, random);
  def.rounding = chance(random, 0.5) ? CR_ZERO : 0.0;
  def.inflate = chance(random, 0.2) ? 0.1 * size : 0.0;
  if (chance(random, 0.3)) {
    def.axis = crRandom_UnitVec3(random);
  }
  crShape* shape = NULL;
  crErrorSink silent = { 0 };
  return crCreateShape(&def, NULL, &silent, &shape) == cr_ok ? shape : NULL;
}

crShapePool crCreateShapePool(uint64_t seed, int perKind)
{
  static const crShapeKind kinds[] = { cr_shapeSphere,   cr_shapeEllipsoid, cr_shapeBox,
                                       cr_shapeCylinder, cr_shapeCone,      cr_shapeCapsule,
                                       cr_shapeBeam,     cr_shapeHalfSpace, cr_shapeHull };
  int kindCount = (int)(sizeof kinds / sizeof kinds[0]);
  crRandom random = crMakeRandom(seed);
  crShapePool pool = { .shapes = malloc((size_t)(perKind * kindCount) * sizeof(crShape*)) };
  for (int k = 0; k < kindCount; ++k) {
    pool.kindStarts[kinds[k]] = pool.count;
    int wanted = kinds[k] == cr_shapeHalfSpace ? 2 : perKind;
    for (int i = 0; i < 4 * wanted && pool.count - pool.kindStarts[kinds[k]] < wanted; ++i) {
      crShape* shape = tryShape(kinds[k], &random);
      if (shape != NULL) {
        pool.shapes[pool.count++] = shape;
      }
    }
    for (int other = (int)kinds[k] + 1; other <= cr_shapeKindCount; ++other) {
      pool.kindStarts[other] = pool.count;
    }
  }
  return pool;
}

void crDestroyShapePool(crShapePool* pool)
{
  for (int i = 0; i < pool->count; ++i) {
    crDestroyShape(pool->shapes[i]);
  }
  free(pool->shapes);
}

static const crShape* pickShape(const crShapePool* pool, crShapeKind kind, crRandom* random)
{
  if (kind == cr_shapeNone) {
    return pool->shapes[pick(random, pool->count)];
  }
  return pool->shapes[pool->kindStarts[kind] + pick(random, pool->kindStarts[kind + 1] - pool->kindStarts[kind])];
}

// ------------------------------------------------------------------------------------------- places

static double sizeOf(const crShape* shape)
{
  if (!crShape_IsBounded(shape)) {
    return 0.0;
  }
  crAabb box = crShape_ComputeAabb(shape, crIdentityPose());
  return crLength(crSub(box.max, box.min));
}

static crVec3 middleOf(const crShape* shape)
{
  if (!crShape_IsBounded(shape)) {
    return crMakeVec3(0.0, 0.0, 0.0);
  }
  crAabb box = crShape_ComputeAabb(shape, crIdentityPose());
  return crScale(0.5, crAdd(box.max, box.min));
}

// 0, or a power of ten between the limits with either sign.
static double smallNumber(crRandom* random, double min, double max)
{
  if (chance(random, 0.2)) {
    return 0.0;
  }
  return (chance(random, 0.5) ? 1.0 : -1.0) * logUniform(random, min, max);
}

// One of the rotations that map axes to axes.
static crMat3 axisRotation(crRandom* random)
{
  crMat3 R = crIdentityMat3();
  for (int turns = pick(random, 8); turns > 0; --turns) {
    R = (crMat3){ R.cy, R.cz, R.cx };
    if (chance(random, 0.5)) {
      R = (crMat3){ R.cy, crNeg(R.cx), R.cz };
    }
  }
  return R;
}

static crMat3 relativeRotation(crPlacement placement, crRandom* random)
{
  switch (placement) {
    case cr_placeAligned: return axisRotation(random);
    case cr_placeTilted: {
      crQuat tilt = crAxisAngleToQuat(crRandom_UnitVec3(random), logUniform(random, 1e-15, 1e-3));
      return crMulMM(axisRotation(random), crQuatToMat3(tilt));
    }
    case cr_placeAbout: {
      crMat3 turn = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 0.0, 1.0), crRandom_Uniform(random, -4.0, 4.0)));
      return crMulMM(crMulMM(axisRotation(random), turn), axisRotation(random));
    }
    case cr_placeCoincident:
      return chance(random, 0.5) ? axisRotation(random) : crQuatToMat3(crRandom_Rotation(random));
    default: return crQuatToMat3(crRandom_Rotation(random));
  }
}

// Where B's frame must lie for the support planes along n to be `gap` apart, shifted sideways by `shift`.
static crVec3 placeAtGap(const crShape* a, const crShape* b, crMat3 R_AB, crVec3 n, double gap, crVec3 shift)
{
  crVec3 p = crShape_IsBounded(a) ? crShape_ComputeSupport(a, n) : crMakeVec3(0.0, 0.0, 0.0);
  crVec3 q = crShape_IsBounded(b) ? crShape_ComputeSupport(b, crNeg(crMulTV(R_AB, n))) : crMakeVec3(0.0, 0.0, 0.0);
  crVec3 at = crMulAdd(crSub(p, crMulMV(R_AB, q)), gap, n);
  return crAdd(at, crSub(shift, crScale(crDot(shift, n), n)));
}

static crVec3 relativePosition(const crDistanceCase* c, crMat3 R_AB, crRandom* random)
{
  double size = sizeOf(c->a) + sizeOf(c->b);
  crVec3 middles = crSub(middleOf(c->a), crMulMV(R_AB, middleOf(c->b)));
  if (c->placement == cr_placeCoincident) {
    return crMulAdd(middles, size * smallNumber(random, 1e-16, 1e-3), crRandom_UnitVec3(random));
  }
  if (c->placement == cr_placeRandom) {
    double distance = (size > 0.0 ? size : 1.0) * crRandom_Uniform(random, 0.0, chance(random, 0.2) ? 10.0 : 0.8);
    return crMulAdd(middles, distance, crRandom_UnitVec3(random));
  }
  crVec3 n = crRandom_UnitVec3(random);
  if (c->placement != cr_placeTouching && chance(random, 0.8)) {
    n = axisRotation(random).cx;
  }
  static const double shares[] = { 0.0, 1e-3, 0.1, 1.0 };
  double least = fmin(sizeOf(c->a), sizeOf(c->b)), share = shares[pick(random, 4)];
  crVec3 shift = crScale(share * (chance(random, 0.5) ? size : least) * 0.5, crRandom_UnitVec3(random));
  return placeAtGap(c->a, c->b, R_AB, n, size * smallNumber(random, 1e-16, chance(random, 0.5) ? 1e-9 : 0.1), shift);
}

crDistanceCase crMakeDistanceCase(const crShapePool* pool, crShapeKind kindA, crShapeKind kindB, crRandom* random)
{
  crDistanceCase c = { .a = pickShape(pool, kindA, random), .b = pickShape(pool, kindB, random) };
  // pairs of like size are more interesting than a grain beside a mountain
  for (int i = 0; i < 3 && fmax(sizeOf(c.a), sizeOf(c.b)) > 30.0 * fmin(sizeOf(c.a), sizeOf(c.b)); ++i) {
    c.b = pickShape(pool, kindB, random);
  }
  c.placement = (crPlacement)pick(random, cr_placementCount);
  crPose X_AB = { .R = relativeRotation(c.placement, random) };
  X_AB.p = relativePosition(&c, X_AB.R, random);
  c.X_WA = crIdentityPose();
  if (chance(random, 0.5)) {
    c.X_WA.R = crQuatToMat3(crRandom_Rotation(random));
  }
  if (chance(random, 0.3)) {
    double size = fmax(sizeOf(c.a) + sizeOf(c.b), 1e-6);
    c.X_WA.p = crScale(size * logUniform(random, 1.0, 1e6), crRandom_UnitVec3(random));
  }
  c.X_WB = crMulPose(c.X_WA, X_AB);
  return c;
}
