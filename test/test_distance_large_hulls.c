// Hulls of hundreds of vertices, where supports come from cells of directions and the portal from coarse vertices.
//
// Every answer is proved here without that code, by scans of all vertices and faces. Apart: the normal separates the
// hulls by the distance, and points inside both are that far from each other. Overlapping: the normal separates them
// once they are moved by the depth, and no face, no direction around it and no random one does so with less.
#include "carom/collide.h"
#include "geometry/shape.h"
#include "support/test.h"

#define MOST_POINTS 800
#define TOLERANCE 1e-13 // [scale]

static crVec3 points[MOST_POINTS];

typedef enum Form { formRound, formCube, formDrum, formFlat, formNeedle, formGlobe, formCount } Form;

static crVec3 pickPoint(crRandom* random, Form form, int i)
{
  crVec3 u = crRandom_UnitVec3(random);
  double angle = 2.0 * CR_PI * (i % 40) / 40, slope = CR_PI * (i / 40 % 12 + 0.5) / 12;
  switch (form) {
    case formCube: return crScale(1.0 / crMaxAbs(u), u);
    case formDrum: return crMakeVec3(u.x / hypot(u.x, u.y), u.y / hypot(u.x, u.y), i % 2 == 0 ? 1.0 : -1.0);
    case formFlat: return crMakeVec3(u.x, u.y, 1e-3 * u.z);
    case formNeedle: return crMakeVec3(u.x, 1e-2 * u.y, 1e-2 * u.z);
    case formGlobe: return crMakeVec3(cos(angle) * sin(slope), sin(angle) * sin(slope), cos(slope));
    default: return crMakeVec3(u.x, 0.6 * u.y, 0.4 * u.z);
  }
}

static crShape* makeHull(crRandom* random, Form form, int count, double size)
{
  for (int i = 0; i < count; ++i) {
    points[i] = crScale(size, pickPoint(random, form, i));
  }
  crShapeDef def = crDefaultShapeDef(cr_shapeHull);
  def.rounding = CR_ZERO;
  def.as.hull.points = points;
  def.as.hull.pointCount = count;
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(&def, NULL, NULL, &shape), cr_ok);
  return shape;
}

typedef struct Pair {
  const crShape *a, *b;
  crPose X_WA, X_WB;
} Pair;

static double reachAlong(const crShape* shape, const crPose* X, crVec3 n)
{
  crVec3 d = crMulTV(X->R, n);
  const crHull* hull = shape->core.hull;
  return crDot(d, hull->vertices[crHull_FindSupport(hull, d)]) + crDot(n, X->p);
}

static double separate(const Pair* pair, crVec3 n)
{
  return -reachAlong(pair->a, &pair->X_WA, n) - reachAlong(pair->b, &pair->X_WB, crNeg(n));
}

static double outsideBy(const crShape* shape, const crPose* X, crVec3 p)
{
  const crHull* hull = shape->core.hull;
  crVec3 q = crMulTV(X->R, crSub(p, X->p));
  double most = -HUGE_VAL;
  for (int f = 0; f < hull->faceCount; ++f) {
    most = fmax(most, crDot(hull->normals[f], q) - hull->offsets[f]);
  }
  return most;
}

// The least depth that many directions find.
static double findShallowest(const Pair* pair, crVec3 n, crRandom* random)
{
  double best = -HUGE_VAL;
  for (int i = 0; i < 200; ++i) {
    crVec3 u = crRandom_UnitVec3(random);
    crVec3 near = crNormalize(crMulAdd(n, pow(10.0, crRandom_Uniform(random, -6.0, 0.0)), u));
    best = fmax(best, separate(pair, i % 4 == 0 ? u : near));
  }
  for (int side = 0; side < 2; ++side) {
    const crHull* hull = (side == 0 ? pair->a : pair->b)->core.hull;
    crMat3 R = (side == 0 ? pair->X_WA : pair->X_WB).R;
    for (int f = 0; f < hull->faceCount; f += 1 + hull->faceCount / 150) {
      crVec3 normal = crMulMV(R, hull->normals[f]);
      best = fmax(best, separate(pair, side == 0 ? normal : crNeg(normal)));
    }
  }
  return best;
}

static void checkPair(const Pair* pair, crRandom* random)
{
  crDistance d, exchanged;
  assert_int_equal(crComputeDistance(pair->a, &pair->X_WA, pair->b, &pair->X_WB, NULL, &d), cr_ok);
  assert_int_equal(crComputeDistance(pair->b, &pair->X_WB, pair->a, &pair->X_WA, NULL, &exchanged), cr_ok);
  double scale =
      2.0 * (pair->a->core.hull->radius + pair->b->core.hull->radius) + crLength(crSub(pair->X_WB.p, pair->X_WA.p));
  double tol = TOLERANCE * scale;
  assert_true(d.isConverged && d.isGlobal);
  assert_close(exchanged.distance, d.distance, tol);
  assert_close(separate(pair, d.normal), d.distance, tol);
  assert_close(crMaxAbs(crSub(crSub(d.pointB, d.pointA), crScale(d.distance, d.normal))), 0.0, tol);
  assert_true(outsideBy(pair->a, &pair->X_WA, d.pointA) <= tol && outsideBy(pair->b, &pair->X_WB, d.pointB) <= tol);
  if (d.distance < 0.0) {
    assert_true(findShallowest(pair, d.normal, random) <= d.distance + tol);
  }
}

static crPose randomPose(crRandom* random)
{
  crVec3 axis = crRandom_UnitVec3(random);
  double half = crRandom_Uniform(random, 0.0, CR_PI), s = sin(half);
  crQuat q = { cos(half), s * axis.x, s * axis.y, s * axis.z };
  return (crPose){ crQuatToMat3(q), crScale(0.5, crRandom_UnitVec3(random)) };
}

// Apart, touching or overlapping by a known amount along the normal of a first query.
static void moveTo(Pair* pair, double distance)
{
  crDistance d;
  assert_int_equal(crComputeDistance(pair->a, &pair->X_WA, pair->b, &pair->X_WB, NULL, &d), cr_ok);
  pair->X_WB.p = crMulAdd(pair->X_WB.p, distance - d.distance, d.normal);
}

static void distances_of_large_hulls_are_proved_by_scans(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(21);
  for (int round = 0; round < 36; ++round) {
    double size = pow(10.0, crRandom_Uniform(&random, -2.0, 2.0));
    crShape* a = makeHull(&random, (Form)(round % formCount), 300 + 10 * round, 1.0);
    crShape* b = makeHull(&random, (Form)(round / formCount), round % 2 == 0 ? 60 : 400, size);
    for (int k = 0; k < 12; ++k) {
      static const double wanted[] = { 0.3, 1e-3, 1e-9, 0.0, -1e-9, -1e-3, -0.02, -0.2 };
      Pair pair = { a, b, randomPose(&random), randomPose(&random) };
      pair.X_WB.R = k % 4 == 3 ? pair.X_WA.R : pair.X_WB.R;
      moveTo(&pair, wanted[k % 8] * fmin(1.0, size));
      checkPair(&pair, &random);
    }
    crDestroyShape(a);
    crDestroyShape(b);
  }
}

// The same points in another order: supports, portals and ties come otherwise, the distance does not.
static void distances_do_not_depend_on_the_order_of_points(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(22);
  for (int round = 0; round < 12; ++round) {
    crShape* other = makeHull(&random, (Form)((round + 1) % formCount), 200, 0.8);
    crShape* hull = makeHull(&random, (Form)(round % formCount), 500, 1.0);
    for (int i = 499; i > 0; --i) {
      int j = (int)(crRandom_Next(&random) % (uint64_t)(i + 1));
      crVec3 held = points[i];
      points[i] = points[j];
      points[j] = held;
    }
    crShapeDef def = crDefaultShapeDef(cr_shapeHull);
    def.rounding = CR_ZERO;
    def.as.hull.points = points;
    def.as.hull.pointCount = 500;
    crShape* shuffled = NULL;
    assert_int_equal(crCreateShape(&def, NULL, NULL, &shuffled), cr_ok);
    for (int k = 0; k < 40; ++k) {
      Pair pair = { hull, other, randomPose(&random), randomPose(&random) };
      moveTo(&pair, crRandom_Uniform(&random, -0.3, 0.1));
      crDistance d, e;
      assert_int_equal(crComputeDistance(hull, &pair.X_WA, other, &pair.X_WB, NULL, &d), cr_ok);
      assert_int_equal(crComputeDistance(shuffled, &pair.X_WA, other, &pair.X_WB, NULL, &e), cr_ok);
      assert_close(d.distance, e.distance, 4.0 * TOLERANCE);
    }
    crDestroyShape(hull);
    crDestroyShape(shuffled);
    crDestroyShape(other);
  }
}

// Large hulls are bounded by six supports, small ones by a look at all vertices.
static void boxes_around_large_hulls_are_those_of_all_vertices(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(23);
  for (int round = 0; round < 2 * formCount; ++round) {
    crShape* shape = makeHull(&random, (Form)(round % formCount), 500, 1.0);
    crPose X = randomPose(&random);
    crAabb box = crShape_ComputeAabb(shape, X), scanned = crEmptyAabb();
    for (int v = 0; v < shape->core.hull->vertexCount; ++v) {
      crVec3 p = crAdd(crMulMV(X.R, shape->core.hull->vertices[v]), X.p);
      scanned.min = crMinVec3(scanned.min, p);
      scanned.max = crMaxVec3(scanned.max, p);
    }
    assert_true(crMaxAbs(crSub(box.min, scanned.min)) < 1e-14 && crMaxAbs(crSub(box.max, scanned.max)) < 1e-14);
    crDestroyShape(shape);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(distances_of_large_hulls_are_proved_by_scans),
    cmocka_unit_test(distances_do_not_depend_on_the_order_of_points),
    cmocka_unit_test(boxes_around_large_hulls_are_those_of_all_vertices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
