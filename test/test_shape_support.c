// Support maps against samples of the rounded surfaces and implicit inside-tests; bounding boxes.
//
// The rounded shapes are described here once more, by angles: a fillet of radius r in a corner of the
// meridian is a circle that touches both sides, found by trigonometry.
#include "carom/geometry.h"
#include "geometry/shape.h"
#include "geometry/shape_kind.h"

#include "support/shapes.h"
#include "support/test.h"

#include <string.h>

#define SAMPLE_COUNT 1000
#define DIRECTION_COUNT 2000
#define SPECIAL_COUNT 26 // axes, face diagonals, space diagonals

// ------------------------------------------------------------------------- rounded bodies, afresh

// Meridian of a rounded frustum: fillet centres (radius, z) at base and top; the lateral line's normal is
// (cos tilt, sin tilt).
typedef struct Meridian {
  double tilt, r;
  double radius, z;
  double topRadius, topZ;
} Meridian;

static Meridian makeMeridian(double R, double T, double z0, double z1, double r)
{
  Meridian m = { .tilt = atan2(R - T, z1 - z0), .r = r, .z = z0 + r, .topZ = z1 - r };
  m.radius = R - r * tan(CR_PI / 4 + m.tilt / 2);
  m.topRadius = T - r * tan(CR_PI / 4 - m.tilt / 2);
  if (m.topRadius < 0.0) { // one ball on the axis touches the lateral surface all around
    m.topRadius = 0.0;
    m.topZ = z0 + (R * cos(m.tilt) - r) / sin(m.tilt);
  }
  if (m.radius < 0.0) {
    m.radius = 0.0;
    m.z = z1 - (T * cos(m.tilt) - r) / sin(-m.tilt);
  }
  return m;
}

static Meridian meridianOf(const crShapeDef* def, double r)
{
  if (def->kind == cr_shapeCone) {
    return makeMeridian(def->as.cone.radius, def->as.cone.topRadius, 0.0, def->as.cone.length, r);
  }
  double radius = def->kind == cr_shapeBeam ? 0.5 * def->as.beam.width : def->as.cylinder.radius;
  double half = 0.5 * (def->kind == cr_shapeBeam ? def->as.beam.height : def->as.cylinder.length);
  return makeMeridian(radius, radius, -half, half, r);
}

// A point (rho, 0, z) of the meridian's outline.
static crVec3 sampleMeridian(Meridian m, crRandom* random)
{
  double t = crRandom_Uniform(random, 0.0, 1.0), angle;
  switch (crRandom_Next(random) % 5) {
    case 0: return crMakeVec3(t * m.radius, 0.0, m.z - m.r);
    case 1: return crMakeVec3(t * m.topRadius, 0.0, m.topZ + m.r);
    case 2:
      angle = -CR_PI / 2 + t * (m.tilt + CR_PI / 2);
      return crMakeVec3(m.radius + m.r * cos(angle), 0.0, m.z + m.r * sin(angle));
    case 3:
      angle = m.tilt + t * (CR_PI / 2 - m.tilt);
      return crMakeVec3(m.topRadius + m.r * cos(angle), 0.0, m.topZ + m.r * sin(angle));
    default:
      return crMakeVec3(m.radius + t * (m.topRadius - m.radius) + m.r * cos(m.tilt), 0.0,
                        m.z + t * (m.topZ - m.z) + m.r * sin(m.tilt));
  }
}

static crVec3 sampleBeam(const crShapeDef* def, double r, crRandom* random)
{
  crVec3 p = sampleMeridian(meridianOf(def, r), random);
  double half = 0.5 * def->as.beam.length, angle = crRandom_Uniform(random, 0.0, 2.0 * CR_PI);
  if (crRandom_Next(random) % 3 == 0) { // the straight part
    double side = crRandom_Next(random) % 2 == 0 ? 1.0 : -1.0;
    return crMakeVec3(crRandom_Uniform(random, -half, half), side * p.x, p.z);
  }
  return crMakeVec3((cos(angle) >= 0.0 ? half : -half) + p.x * cos(angle), p.x * sin(angle), p.z);
}

// Corner, edge or face: coordinates where n is 0 lie anywhere between the fillets.
static crVec3 sampleBox(const crShapeDef* def, double r, crRandom* random)
{
  crVec3 n = crRandom_UnitVec3(random), h = crScale(0.5, def->as.box.size);
  uint64_t bits = crRandom_Next(random) % 7;
  n = crNormalize(crMakeVec3(bits & 1 ? 0.0 : n.x, bits & 2 ? 0.0 : n.y, bits & 4 ? 0.0 : n.z));
  double a[3] = { n.x, n.y, n.z }, core[3] = { h.x - r, h.y - r, h.z - r }, p[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = a[i] != 0.0 ? copysign(core[i], a[i]) + r * a[i] : crRandom_Uniform(random, -core[i], core[i]);
  }
  return crMakeVec3(p[0], p[1], p[2]);
}

static crVec3 sampleCapsule(const crShapeDef* def, crRandom* random)
{
  crVec3 n = crRandom_UnitVec3(random);
  double half = 0.5 * def->as.capsule.length, radius = def->as.capsule.radius;
  if (crRandom_Next(random) % 2 == 0) {
    n = crNormalize(crMakeVec3(n.x, n.y, 0.0));
    return crMakeVec3(radius * n.x, radius * n.y, crRandom_Uniform(random, -half, half));
  }
  return crMakeVec3(radius * n.x, radius * n.y, radius * n.z + copysign(half, n.z));
}

// A point on the surface of the shape rounded by r.
static crVec3 sampleSurface(const crShapeDef* def, double r, crRandom* random)
{
  crVec3 n = crRandom_UnitVec3(random), a = def->as.ellipsoid.radii;
  switch (def->kind) {
    case cr_shapeSphere: return crScale(def->as.sphere.radius, n);
    case cr_shapeEllipsoid: return crMakeVec3(a.x * n.x, a.y * n.y, a.z * n.z);
    case cr_shapeBox: return sampleBox(def, r, random);
    case cr_shapeCapsule: return sampleCapsule(def, random);
    case cr_shapeBeam: return sampleBeam(def, r, random);
    default: {
      crVec3 p = sampleMeridian(meridianOf(def, r), random);
      double angle = crRandom_Uniform(random, 0.0, 2.0 * CR_PI);
      return crMakeVec3(p.x * cos(angle), p.x * sin(angle), p.z);
    }
  }
}

static double distanceToSegment(double x, double y, double ax, double ay, double bx, double by)
{
  double dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
  double t = square > 0.0 ? ((x - ax) * dx + (y - ay) * dy) / square : 0.0;
  t = fmin(1.0, fmax(0.0, t));
  return hypot(x - ax - t * dx, y - ay - t * dy);
}

// Signed: < 0 inside.
static double distanceToMeridian(Meridian m, double rho, double z)
{
  double inside = fmax(fmax(m.z - z, z - m.topZ), (rho - m.radius) * cos(m.tilt) + (z - m.z) * sin(m.tilt));
  if (m.radius == 0.0 && m.topRadius > 0.0) { // both on the same line, the better known end is the top
    inside = fmax(fmax(m.z - z, z - m.topZ), (rho - m.topRadius) * cos(m.tilt) + (z - m.topZ) * sin(m.tilt));
  }
  if (inside <= 0.0) {
    return inside - m.r;
  }
  double base = distanceToSegment(rho, z, 0.0, m.z, m.radius, m.z);
  double side = distanceToSegment(rho, z, m.radius, m.z, m.topRadius, m.topZ);
  double top = distanceToSegment(rho, z, m.topRadius, m.topZ, 0.0, m.topZ);
  return fmin(base, fmin(side, top)) - m.r;
}

static double distanceToBox(crVec3 core, double r, crVec3 p)
{
  crVec3 q = crSub(crAbsVec3(p), core);
  crVec3 outside = crMaxVec3(q, crMakeVec3(0.0, 0.0, 0.0));
  return crLength(outside) + fmin(0.0, fmax(q.x, fmax(q.y, q.z))) - r;
}

// 0 on the surface of the rounded shape, < 0 inside [m].
static double signedDistance(const crShapeDef* def, double r, crVec3 p)
{
  crVec3 a = def->as.ellipsoid.radii, h;
  switch (def->kind) {
    case cr_shapeSphere: return crLength(p) - def->as.sphere.radius;
    case cr_shapeEllipsoid: // not a distance, but a bound of it near the surface
      return (crLength(crMakeVec3(p.x / a.x, p.y / a.y, p.z / a.z)) - 1.0) * fmin(a.x, fmin(a.y, a.z));
    case cr_shapeBox:
      h = crScale(0.5, def->as.box.size);
      return distanceToBox(crMakeVec3(h.x - r, h.y - r, h.z - r), r, p);
    case cr_shapeCapsule:
      p.z -= fmin(0.5 * def->as.capsule.length, fmax(-0.5 * def->as.capsule.length, p.z));
      return crLength(p) - def->as.capsule.radius;
    case cr_shapeBeam:
      p.x = fmax(fabs(p.x) - 0.5 * def->as.beam.length, 0.0);
      return distanceToMeridian(meridianOf(def, r), hypot(p.x, p.y), p.z);
    default: return distanceToMeridian(meridianOf(def, r), hypot(p.x, p.y), p.z);
  }
}

// ------------------------------------------------------------------------------------------- tools

static crVec3 specialDirection(int index)
{
  int code = index >= 13 ? index + 1 : index; // leave out (0, 0, 0)
  return crMakeVec3(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1);
}

static crVec3 nextDirection(int index, crRandom* random)
{
  return index < SPECIAL_COUNT ? specialDirection(index) : crRandom_UnitVec3(random);
}

static double extentOf(const crShape* shape)
{
  crAabb box = crShape_ComputeAabb(shape, crIdentityPose());
  return crMaxAbs(crMaxVec3(crNeg(box.min), box.max));
}

static double largestDot(const crVec3* points, int count, crVec3 d)
{
  double best = -HUGE_VAL;
  for (int i = 0; i < count; ++i) {
    best = fmax(best, crDot(points[i], d));
  }
  return best;
}

static void assertSupportIsFarthest(const crShapeDef* def, crRandom* random)
{
  static crVec3 samples[SAMPLE_COUNT];
  crShape* shape = crCreateTestShape(def);
  double r = crShape_GetRounding(shape), extent = extentOf(shape), tol = 1e-14 * extent;
  for (int i = 0; i < SAMPLE_COUNT; ++i) {
    samples[i] = sampleSurface(def, r, random);
    assert_close(signedDistance(def, r, samples[i]), 0.0, tol);
  }
  for (int i = 0; i < DIRECTION_COUNT; ++i) {
    crVec3 d = nextDirection(i, random), p = crShape_ComputeSupport(shape, d);
    assert_true(crDot(p, d) >= largestDot(samples, SAMPLE_COUNT, d) - tol);
    assert_close(signedDistance(def, r, p), 0.0, tol);
  }
  crDestroyShape(shape);
}

static void support_is_the_farthest_point_of_the_rounded_surface(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(21);
  const double scales[] = { 1.0, 1e-6, 1e3 }, shares[] = { 0.0, 0.03, 0.1 };
  for (int i = 0; crTestShape(i, 1.0).kind != cr_shapeNone; ++i) {
    for (int s = 0; s < 3; ++s) {
      crShapeDef def = crTestShape(i, scales[s]);
      assertSupportIsFarthest(&def, &random);
      crShape* shape = crCreateTestShape(&def);
      bool hasEdges = crShape_GetRounding(shape) > 0.0;
      for (int k = 0; k < 3 && hasEdges; ++k) {
        def.rounding = shares[k] * crShape_GetSmallestDimension(shape);
        assertSupportIsFarthest(&def, &random);
      }
      crDestroyShape(shape);
    }
  }
}

// ----------------------------------------------------------------------------- size and direction

static void rounding_leaves_faces_in_place(void** state)
{
  (void)state;
  const crVec3 axes[] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };
  for (int i = 0; crTestShape(i, 1.0).kind != cr_shapeNone; ++i) {
    crShapeDef def = crTestShape(i, 1.0);
    def.rounding = CR_ZERO;
    crShape* sharp = crCreateTestShape(&def);
    def.rounding = 0.0;
    crShape* round = crCreateTestShape(&def);
    double tol = 1e-15 * extentOf(sharp);
    for (int k = 0; k < 6; ++k) {
      double before = crDot(crShape_ComputeSupport(sharp, axes[k]), axes[k]);
      double after = crDot(crShape_ComputeSupport(round, axes[k]), axes[k]);
      assert_true(after <= before + tol);
      // the rims of a cone and its tip are edges, its base is a face
      bool isFace = def.kind != cr_shapeCone || (k == 5 && def.as.cone.radius > 0.01);
      assert_true(!isFace || after >= before - tol);
    }
    crDestroyShape(sharp);
    crDestroyShape(round);
  }
}

static void lateral_surface_of_a_cone_stays_in_place(void** state)
{
  (void)state;
  for (int i = 8; i <= 16; ++i) {
    crShapeDef def = crTestShape(i, 1.0);
    crShape* shape = crCreateTestShape(&def);
    double R = def.as.cone.radius, T = def.as.cone.topRadius, L = def.as.cone.length;
    crVec3 n = crNormalize(crMakeVec3(L, 0.0, R - T));
    assert_close(crDot(crShape_ComputeSupport(shape, n), n), crDot(n, crMakeVec3(R, 0, 0)), 1e-14 * extentOf(shape));
    crDestroyShape(shape);
  }
}

static void support_does_not_depend_on_the_length_of_the_direction(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(22);
  const double factors[] = { 1e-150, 1e-300, 1e150, 1e300, 7.0 };
  for (int i = 0; crTestShape(i, 1.0).kind != cr_shapeNone; ++i) {
    crShapeDef def = crTestShape(i, 1.0);
    crShape* shape = crCreateTestShape(&def);
    for (int k = 0; k < 100; ++k) {
      crVec3 d = nextDirection(k, &random), p = crShape_ComputeSupport(shape, d);
      for (int f = 0; f < 5; ++f) {
        assert_vec_close(crShape_ComputeSupport(shape, crScale(factors[f], d)), p, 4e-15 * extentOf(shape));
        // the core's own map, too, takes directions of any length
        crVec3 c = crCore_ComputeSupport(def.kind, &shape->core, crScale(factors[f], d));
        assert_vec_close(c, crCore_ComputeSupport(def.kind, &shape->core, d), 4e-15 * extentOf(shape));
      }
    }
    assert_vec_close(crShape_ComputeSupport(shape, crMakeVec3(0, 0, 0)),
                     crShape_ComputeSupport(shape, crMakeVec3(0, 0, 1)), 0.0);
    crDestroyShape(shape);
  }
}

static void a_tiny_radial_part_still_counts(void** state)
{
  (void)state;
  crShapeDef def = crMakeCylinder(1.0, 2.0, 0.0);
  def.rounding = CR_ZERO;
  crShape* shape = crCreateTestShape(&def);
  assert_vec_close(crShape_ComputeSupport(shape, crMakeVec3(0, 1e-200, 1)), crMakeVec3(0, 1, 1), 0.0);
  assert_vec_close(crShape_ComputeSupport(shape, crMakeVec3(-3e-308, 4e-308, -1)), crMakeVec3(-0.6, 0.8, -1), 1e-12);
  crDestroyShape(shape);
}

static void assertSupport(crShapeDef def, crVec3 d, crVec3 expected)
{
  def.rounding = def.kind == cr_shapeCapsule ? 0.0 : CR_ZERO;
  crShape* shape = crCreateTestShape(&def);
  assert_vec_close(crShape_ComputeSupport(shape, d), expected, 1e-15);
  crDestroyShape(shape);
}

static void ties_are_decided_by_sign(void** state)
{
  (void)state;
  crVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 }, minusZ = { 0.0, -0.0, -1.0 };
  assertSupport(crMakeBox(2, 4, 6), z, crMakeVec3(1, 2, 3));
  assertSupport(crMakeBox(2, 4, 6), minusZ, crMakeVec3(1, 2, -3));
  assertSupport(crMakeBox(2, 4, 6), crMakeVec3(-1, 0, -1), crMakeVec3(-1, 2, -3));
  assertSupport(crMakeCylinder(1, 4, 0), minusZ, crMakeVec3(1, 0, -2));
  assertSupport(crMakeCylinder(1, 4, 0), y, crMakeVec3(0, 1, 2));
  assertSupport(crMakeCone(1, 0, 4), z, crMakeVec3(0, 0, 4));
  assertSupport(crMakeCone(1, 0, 4), minusZ, crMakeVec3(1, 0, 0));
  assertSupport(crMakeCone(1, 1, 4), x, crMakeVec3(1, 0, 4));
  assertSupport(crMakeCapsule(1, 4), x, crMakeVec3(1, 0, 2));
  assertSupport(crMakeBeam(4, 2, 1), z, crMakeVec3(3, 0, 0.5));
  assertSupport(crMakeBeam(4, 2, 1), crNeg(y), crMakeVec3(2, -1, 0.5));
}

static void inflate_adds_a_ball_outside(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(23);
  for (int i = 0; crTestShape(i, 1.0).kind != cr_shapeNone; ++i) {
    crShapeDef def = crTestShape(i, 1.0);
    crShape* plain = crCreateTestShape(&def);
    def.inflate = 0.25;
    crShape* inflated = crCreateTestShape(&def);
    for (int k = 0; k < 200; ++k) {
      crVec3 d = crNormalize(nextDirection(k, &random));
      assert_vec_close(crShape_ComputeSupport(inflated, d), crMulAdd(crShape_ComputeSupport(plain, d), 0.25, d),
                       1e-15 * (1.0 + extentOf(plain)));
    }
    crDestroyShape(plain);
    crDestroyShape(inflated);
  }
}

// Rodrigues' formula for the shortest rotation from one unit vector to another.
static crVec3 turn(crVec3 from, crVec3 to, crVec3 v)
{
  crVec3 k = crNormalize(crCross(from, to));
  double c = crDot(from, to), s = crLength(crCross(from, to));
  return crAdd(crScale(c, v), crAdd(crScale(s, crCross(k, v)), crScale((1.0 - c) * crDot(k, v), k)));
}

static void axis_turns_the_shape(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(24);
  for (int i = 0; crTestShape(i, 1.0).kind != cr_shapeNone; ++i) {
    crShapeDef def = crTestShape(i, 1.0);
    crCompleteShapeDef(&def);
    crVec3 own = def.axis, axis = crRandom_UnitVec3(&random);
    crShape* straight = crCreateTestShape(&def);
    def.axis = crScale(1e-5, axis);
    crShape* turned = crCreateTestShape(&def);
    for (int k = 0; k < 200; ++k) {
      crVec3 d = crRandom_UnitVec3(&random);
      double value = crDot(crShape_ComputeSupport(turned, turn(own, axis, d)), turn(own, axis, d));
      assert_close(value, crDot(crShape_ComputeSupport(straight, d), d), 1e-14 * extentOf(straight));
    }
    crDestroyShape(straight);
    crDestroyShape(turned);
  }
}

// ------------------------------------------------------------------------------------------ bounds

static double component(crVec3 v, int i)
{
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

// Along each axis against the support map, which other tests prove.
static void assertBoxIsTight(const crShape* shape, crPose X)
{
  crAabb box = crShape_ComputeAabb(shape, X);
  double tol = 1e-14 * (extentOf(shape) + crMaxAbs(X.p));
  crVec3 rows[3] = { { X.R.cx.x, X.R.cy.x, X.R.cz.x },
                     { X.R.cx.y, X.R.cy.y, X.R.cz.y },
                     { X.R.cx.z, X.R.cy.z, X.R.cz.z } };
  for (int i = 0; i < 3; ++i) {
    crVec3 top = crTransformPoint(X, crShape_ComputeSupport(shape, rows[i]));
    crVec3 bottom = crTransformPoint(X, crShape_ComputeSupport(shape, crNeg(rows[i])));
    assert_close(component(box.max, i), component(top, i), tol);
    assert_close(component(box.min, i), component(bottom, i), tol);
  }
}

static void assertBoxHoldsSupportPoints(const crShape* shape, crPose X, crRandom* random)
{
  crAabb box = crShape_ComputeAabb(shape, X);
  double tol = 1e-15 * (extentOf(shape) + crMaxAbs(X.p));
  for (int k = 0; k < 50; ++k) {
    crVec3 p = crTransformPoint(X, crShape_ComputeSupport(shape, nextDirection(k, random)));
    for (int i = 0; i < 3; ++i) {
      assert_true(component(p, i) <= component(box.max, i) + tol && component(p, i) >= component(box.min, i) - tol);
    }
  }
}

static void bounding_box_is_tight_at_any_pose(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(25);
  const double scales[] = { 1.0, 1e-6, 1e3 };
  for (int s = 0; s < 3; ++s) {
    for (int i = 0; crTestShape(i, 1.0).kind != cr_shapeNone; ++i) {
      crShapeDef def = crTestShape(i, scales[s]);
      def.inflate = i % 2 == 0 ? 0.0 : 0.1 * scales[s];
      def.axis = i % 3 == 0 ? def.axis : crRandom_UnitVec3(&random);
      crShape* shape = crCreateTestShape(&def);
      for (int k = 0; k < 50; ++k) {
        crPose X = crMakePose(crScale(k * scales[s], crRandom_UnitVec3(&random)), crRandom_Rotation(&random));
        X = k == 0 ? crIdentityPose() : X;
        assertBoxIsTight(shape, X);
        assertBoxHoldsSupportPoints(shape, X, &random);
      }
      crDestroyShape(shape);
    }
  }
}

static void half_space_is_bounded_only_across_a_world_axis(void** state)
{
  (void)state;
  crShapeDef def = crDefaultShapeDef(cr_shapeHalfSpace);
  def.inflate = 0.5;
  crPose X = crIdentityPose();
  X.p = crMakeVec3(1, 2, 3);
  const crVec3 axes[] = { { 2, 0, 0 }, { -1, 0, 0 }, { 0, 1e-9, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -5 } };
  for (int i = 0; i < 6; ++i) {
    def.axis = axes[i];
    crShape* shape = crCreateTestShape(&def);
    assert_false(crShape_IsBounded(shape));
    assert_vec_close(crShape_ComputeSupport(shape, crMakeVec3(1, 1, 1)), crMakeVec3(0, 0, 0), 0.0);
    crAabb box = crShape_ComputeAabb(shape, X);
    for (int k = 0; k < 3; ++k) {
      bool isTop = i == 2 * k, isBottom = i == 2 * k + 1;
      assert_true(component(box.max, k) == (isTop ? component(X.p, k) + 0.5 : HUGE_VAL));
      assert_true(component(box.min, k) == (isBottom ? component(X.p, k) - 0.5 : -HUGE_VAL));
    }
    crDestroyShape(shape);
  }
  def.axis = crMakeVec3(0, 1e-12, 1);
  crShape* shape = crCreateTestShape(&def);
  crAabb box = crShape_ComputeAabb(shape, X);
  assert_true(box.max.z == HUGE_VAL && box.min.z == -HUGE_VAL && box.max.y == HUGE_VAL);
  crDestroyShape(shape);
}

// ------------------------------------------------------------------------------------------- hulls

#define POINT_COUNT 12
#define MAX_FACES (2 * POINT_COUNT)
#define MAX_CORE_POINTS 2048

typedef struct Plane {
  crVec3 n;
  double offset;
} Plane;

// Planes through three of the points with all others behind.
static int findPlanes(const crVec3* points, Plane* outPlanes)
{
  int count = 0;
  for (int i = 0; i < POINT_COUNT; ++i) {
    for (int j = 0; j < POINT_COUNT; ++j) {
      for (int k = 0; k < POINT_COUNT; ++k) {
        if (i < j && i < k && j != k) {
          crVec3 n = crNormalize(crCross(crSub(points[j], points[i]), crSub(points[k], points[i])));
          double offset = crDot(n, points[i]);
          bool isFace = true;
          for (int l = 0; l < POINT_COUNT; ++l) {
            isFace = isFace && (l == i || l == j || l == k || crDot(n, points[l]) < offset);
          }
          if (isFace) {
            outPlanes[count++] = (Plane){ n, offset };
          }
        }
      }
    }
  }
  return count;
}

// Every point where three planes, moved inward, meet and no other plane cuts it off.
static int findCorePoints(const Plane* planes, int count, double r, double tol, crVec3* outPoints)
{
  int pointCount = 0;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      for (int k = j + 1; k < count; ++k) {
        crMat3 rows = { planes[i].n, planes[j].n, planes[k].n };
        double det = crDeterminant(rows), a = planes[i].offset - r, b = planes[j].offset - r, c = planes[k].offset - r;
        crVec3 p = crScale(a / det, crCross(rows.cy, rows.cz));
        p = crMulAdd(crMulAdd(p, b / det, crCross(rows.cz, rows.cx)), c / det, crCross(rows.cx, rows.cy));
        bool isCorner = fabs(det) > 1e-9;
        for (int l = 0; l < count && isCorner; ++l) {
          isCorner = crDot(planes[l].n, p) <= planes[l].offset - r + tol;
        }
        if (isCorner) {
          assert_true(pointCount < MAX_CORE_POINTS);
          outPoints[pointCount++] = p;
        }
      }
    }
  }
  return pointCount;
}

static void assertRoundedHull(const crVec3* points, double share, double scale, crRandom* random)
{
  static crVec3 corePoints[MAX_CORE_POINTS];
  Plane planes[MAX_FACES];
  int planeCount = findPlanes(points, planes);
  assert_int_equal(planeCount, 2 * POINT_COUNT - 4);
  crShapeDef def = crMakeHull(points, POINT_COUNT);
  crShape* shape = crCreateTestShape(&def);
  if (share >= 0.0) {
    def.rounding = share * crShape_GetSmallestDimension(shape);
    crDestroyShape(shape);
    shape = crCreateTestShape(&def);
  }
  double r = crShape_GetRounding(shape), tol = 1e-13 * scale; // corners of flat faces are known less well
  int coreCount = findCorePoints(planes, planeCount, r, tol, corePoints);
  for (int i = 0; i < 500; ++i) {
    crVec3 d = crNormalize(nextDirection(i, random)), p = crShape_ComputeSupport(shape, d);
    assert_close(crDot(p, d), largestDot(corePoints, coreCount, d) + r, 2.0 * tol);
    for (int k = 0; k < planeCount; ++k) { // so the rounded hull lies inside the given one
      assert_true(crDot(planes[k].n, p) <= planes[k].offset + tol);
    }
  }
  for (int i = 0; i < 20; ++i) {
    assertBoxIsTight(shape, crMakePose(crRandom_UnitVec3(random), crRandom_Rotation(random)));
  }
  crDestroyShape(shape);
}

static void hull_is_eroded_face_by_face_and_swept(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(26);
  const double shares[] = { 0.0, 0.02, 0.1, -1.0 }, scales[] = { 1.0, 1e-6, 1e3 };
  for (int run = 0; run < 24; ++run) {
    crVec3 points[POINT_COUNT];
    double scale = scales[run % 3];
    for (int i = 0; i < POINT_COUNT; ++i) {
      points[i] = crScale(scale, crRandom_UnitVec3(&random));
    }
    assertRoundedHull(points, shares[run / 3 % 4], scale, &random);
  }
}

static void sharp_hull_support_is_one_of_its_points(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(27);
  crVec3 points[300];
  for (int i = 0; i < 300; ++i) {
    points[i] = crScale(crRandom_Uniform(&random, 0.5, 1.0), crRandom_UnitVec3(&random));
  }
  crShapeDef def = crMakeHull(points, 300);
  def.rounding = CR_ZERO;
  crShape* shape = crCreateTestShape(&def);
  for (int i = 0; i < 2000; ++i) {
    crVec3 d = crNormalize(nextDirection(i, &random));
    assert_true(crDot(crShape_ComputeSupport(shape, d), d) == largestDot(points, 300, d));
  }
  crDestroyShape(shape);
}

static void hull_of_box_corners_is_the_box(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(28);
  crVec3 corners[8];
  for (int i = 0; i < 8; ++i) {
    corners[i] = crMakeVec3(i & 1 ? 1.0 : -1.0, i & 2 ? 0.5 : -0.5, i & 4 ? 0.3 : -0.3);
  }
  crShapeDef hullDef = crMakeHull(corners, 8), boxDef = crMakeBox(2.0, 1.0, 0.6);
  for (int run = 0; run < 3; ++run) {
    hullDef.rounding = boxDef.rounding = run == 0 ? CR_ZERO : run == 1 ? 0.06 : 0.0;
    hullDef.axis = boxDef.axis = run == 2 ? crMakeVec3(1, 2, 3) : crMakeVec3(0, 0, 1);
    crShape* hull = crCreateTestShape(&hullDef);
    crShape* box = crCreateTestShape(&boxDef);
    assert_close(crShape_GetSmallestDimension(hull), 0.6, 1e-15);
    assert_close(crShape_GetRounding(hull), crShape_GetRounding(box), 1e-15);
    for (int i = 0; i < 1000; ++i) {
      crVec3 d = crRandom_UnitVec3(&random);
      assert_vec_close(crShape_ComputeSupport(hull, d), crShape_ComputeSupport(box, d), 4e-15);
    }
    crDestroyShape(hull);
    crDestroyShape(box);
  }
}

static void mesh_support_is_the_farthest_of_its_pieces(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(29);
  crTestBox boxes[] = { { { 0, 0, 0 }, { 1, 2, 3 } }, { { 2, -1, 0 }, { 2.5, 1, 0.25 } } };
  crMesh* mesh = crCreateBoxMesh(boxes, 2);
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = mesh;
  def.rounding = CR_ZERO;
  crShape* shape = crCreateTestShape(&def);
  assert_close(crShape_GetSmallestDimension(shape), 0.25, 1e-15);
  assert_int_equal(crShape_CountPieces(shape), 2);
  for (int i = 0; i < 500; ++i) {
    crVec3 d = nextDirection(i, &random);
    double best = -HUGE_VAL;
    for (int b = 0; b < 2; ++b) {
      crVec3 corner = { d.x >= 0 ? boxes[b].max.x : boxes[b].min.x, d.y >= 0 ? boxes[b].max.y : boxes[b].min.y,
                        d.z >= 0 ? boxes[b].max.z : boxes[b].min.z };
      best = fmax(best, crDot(corner, d));
    }
    assert_close(crDot(crShape_ComputeSupport(shape, d), d), best, 1e-14);
  }
  assertBoxIsTight(shape, crMakePose(crMakeVec3(1, 2, 3), crRandom_Rotation(&random)));
  crDestroyShape(shape);
  crReleaseMesh(mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(support_is_the_farthest_point_of_the_rounded_surface),
    cmocka_unit_test(rounding_leaves_faces_in_place),
    cmocka_unit_test(lateral_surface_of_a_cone_stays_in_place),
    cmocka_unit_test(support_does_not_depend_on_the_length_of_the_direction),
    cmocka_unit_test(a_tiny_radial_part_still_counts),
    cmocka_unit_test(ties_are_decided_by_sign),
    cmocka_unit_test(inflate_adds_a_ball_outside),
    cmocka_unit_test(axis_turns_the_shape),
    cmocka_unit_test(bounding_box_is_tight_at_any_pose),
    cmocka_unit_test(half_space_is_bounded_only_across_a_world_axis),
    cmocka_unit_test(hull_is_eroded_face_by_face_and_swept),
    cmocka_unit_test(sharp_hull_support_is_one_of_its_points),
    cmocka_unit_test(hull_of_box_corners_is_the_box),
    cmocka_unit_test(mesh_support_is_the_farthest_of_its_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
