// Distances of polytopes against brute force over all features and against the exact Minkowski hull, and of simple
// pairs against closed forms.
#include "support/distance_truth.h"
#include "support/shapes.h"

#include "geometry/hull.h"
#include "geometry/shape.h"

#include <stdlib.h>

static crDistance compute(const crDistanceCase* c)
{
  crDistance d;
  assert_int_equal(crComputeDistance(c->a, &c->X_WA, c->b, &c->X_WB, NULL, &d), cr_ok);
  return d;
}

// ---------------------------------------------------------------------------------------- polytopes

static void polytopes_agree_with_brute_force(void** state)
{
  (void)state;
  static const crShapeKind kinds[] = { cr_shapeSphere, cr_shapeBox, cr_shapeCapsule, cr_shapeHull };
  crShapePool pool = crCreateShapePool(5, 20);
  crRandom random = crMakeRandom(2000);
  for (int i = 0; i < 2000; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, kinds[i % 4], kinds[i / 4 % 4], &random);
    crDistance d = compute(&c);
    assert_true(d.isConverged);
    assert_true(d.isGlobal);
    assert_close(d.distance, (double)crBruteForceDistance(&c), 1e-12 * crScaleOfCase(&c));
  }
  crDestroyShapePool(&pool);
}

#define CORNERS 8

// All differences of two boxes' corners, in the world.
static int subtractCorners(const crDistanceCase* c, crVec3* outPoints)
{
  crVec3 p = c->a->core.half, q = c->b->core.half;
  int count = 0;
  for (int i = 0; i < CORNERS; ++i) {
    for (int j = 0; j < CORNERS; ++j) {
      crVec3 a = { i & 1 ? p.x : -p.x, i & 2 ? p.y : -p.y, i & 4 ? p.z : -p.z };
      crVec3 b = { j & 1 ? q.x : -q.x, j & 2 ? q.y : -q.y, j & 4 ? q.z : -q.z };
      outPoints[count++] = crSub(crTransformPoint(c->X_WB, b), crTransformPoint(c->X_WA, a));
    }
  }
  return count;
}

static double distanceToTriangle(crVec3 p, crVec3 q, crVec3 r)
{
  double best = HUGE_VAL;
  // a fine grid and then a finer one around its best point: slow, and independent of everything else
  double s0 = 0.0, t0 = 0.0, width = 1.0;
  for (int level = 0; level < 30; ++level) {
    double bestS = s0, bestT = t0;
    for (int i = -10; i <= 10; ++i) {
      for (int j = -10; j <= 10; ++j) {
        double s = fmin(fmax(s0 + 0.1 * width * i, 0.0), 1.0);
        double t = fmin(fmax(t0 + 0.1 * width * j, 0.0), 1.0 - s);
        crVec3 x = crAdd(crScale(1.0 - s - t, p), crAdd(crScale(s, q), crScale(t, r)));
        if (crLength(x) < best) {
          best = crLength(x);
          bestS = s;
          bestT = t;
        }
      }
    }
    s0 = bestS;
    t0 = bestT;
    width *= 0.5;
  }
  return best;
}

// Signed distance of the origin to a hull: overlapping, the nearest plane; apart, the nearest triangle of its faces.
static double distanceToHull(const crHull* hull)
{
  double highest = -HUGE_VAL, nearest = HUGE_VAL;
  for (int f = 0; f < hull->faceCount; ++f) {
    highest = fmax(highest, -hull->offsets[f]);
  }
  if (highest <= 0.0) {
    return highest;
  }
  for (int f = 0; f < hull->faceCount; ++f) {
    const int32_t* corner = hull->faceVertices + hull->faceStarts[f];
    for (int k = 2; k < hull->faceStarts[f + 1] - hull->faceStarts[f]; ++k) {
      nearest = fmin(nearest, distanceToTriangle(hull->vertices[corner[0]], hull->vertices[corner[k - 1]],
                                                 hull->vertices[corner[k]]));
    }
  }
  return nearest;
}

static void boxes_agree_with_their_minkowski_hull(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2001);
  for (int i = 0; i < 60; ++i) {
    crShapeDef defs[2];
    crShape* shapes[2];
    for (int k = 0; k < 2; ++k) {
      defs[k] = crRandomShapeDef(cr_shapeBox, 1.0, 3.0, NULL, &random);
      defs[k].rounding = CR_ZERO;
      shapes[k] = crCreateTestShape(&defs[k]);
    }
    crDistanceCase c = { shapes[0], shapes[1], crIdentityPose(), crIdentityPose(), cr_placeRandom };
    c.X_WA = crMakePose(crRandom_UnitVec3(&random), crRandom_Rotation(&random));
    c.X_WB = crMakePose(crScale(crRandom_Uniform(&random, 0.0, 1.5), crRandom_UnitVec3(&random)),
                        crRandom_Rotation(&random));
    crVec3 points[CORNERS * CORNERS];
    crHull* hull = NULL;
    assert_int_equal(crCreateHull(points, subtractCorners(&c, points), NULL, NULL, &hull), cr_ok);
    crDistance d = compute(&c);
    // the grid finds the nearest point to the square root of the last digit
    assert_close(d.distance, distanceToHull(hull), d.distance > 0.0 ? 1e-7 : 1e-13);
    crDestroyHull(hull, NULL);
    crDestroyShape(shapes[0]);
    crDestroyShape(shapes[1]);
  }
}

// -------------------------------------------------------------------------------------- closed forms

static crDistance distanceOf(const crShapeDef* a, crPose X_WA, const crShapeDef* b, crPose X_WB)
{
  crShape *shapeA = crCreateTestShape(a), *shapeB = crCreateTestShape(b);
  crDistance d;
  assert_int_equal(crComputeDistance(shapeA, &X_WA, shapeB, &X_WB, NULL, &d), cr_ok);
  crDestroyShape(shapeA);
  crDestroyShape(shapeB);
  return d;
}

static crPose at(double x, double y, double z)
{
  crPose X = crIdentityPose();
  X.p = crMakeVec3(x, y, z);
  return X;
}

static void spheres_touch_where_their_centres_say(void** state)
{
  (void)state;
  crShapeDef small = crMakeSphere(0.5), large = crMakeSphere(2.0);
  crDistance d = distanceOf(&small, at(1.0, 0.0, 0.0), &large, at(1.0, 4.0, 3.0));
  assert_close(d.distance, 2.5, 1e-15);
  assert_vec_close(d.normal, crMakeVec3(0.0, 0.8, 0.6), 1e-15);
  assert_vec_close(d.pointA, crMakeVec3(1.0, 0.4, 0.3), 1e-15);
  assert_vec_close(d.pointB, crMakeVec3(1.0, 2.4, 1.8), 1e-15);
  d = distanceOf(&small, at(0.0, 0.0, 0.0), &large, at(0.0, 0.0, 0.0));
  assert_close(d.distance, -2.5, 0.0);
  assert_close(crLength(d.normal), 1.0, 1e-15);
}

static void rounding_keeps_faces_in_place(void** state)
{
  (void)state;
  crShapeDef box = crMakeBox(2.0, 2.0, 2.0), cylinder = crMakeCylinder(1.0, 2.0, 0.0);
  crDistance d = distanceOf(&box, at(0.0, 0.0, 0.0), &box, at(2.5, 0.3, 0.1));
  assert_close(d.distance, 0.5, 1e-15);
  d = distanceOf(&cylinder, at(0.0, 0.0, 0.0), &box, at(0.2, 0.1, 1.9));
  assert_close(d.distance, -0.1, 1e-14);
  assert_vec_close(d.normal, crMakeVec3(0.0, 0.0, 1.0), 1e-14);
}

// A cone's tip over a plane, its side against a sphere: the angle of the side decides.
static void cone_side_is_met_at_right_angles(void** state)
{
  (void)state;
  crShapeDef cone = crMakeCone(3.0, 0.0, 4.0), sphere = crMakeSphere(0.25);
  cone.rounding = CR_ZERO;
  // the side's normal is (4, 0, 3) / 5, through its middle (1.5, 0, 2)
  crDistance d = distanceOf(&cone, at(0.0, 0.0, 0.0), &sphere, at(1.5 + 0.8, 0.0, 2.0 + 0.6));
  assert_close(d.distance, 0.75, 1e-14);
  assert_vec_close(d.normal, crMakeVec3(0.8, 0.0, 0.6), 1e-14);
  assert_vec_close(d.pointA, crMakeVec3(1.5, 0.0, 2.0), 1e-13);
}

// Two equal ellipsoids along one axis, and a deep overlap along their shortest axis.
static void ellipsoids_on_an_axis_are_apart_by_their_axes(void** state)
{
  (void)state;
  crShapeDef ellipsoid = crMakeEllipsoid(3.0, 2.0, 1.0);
  assert_close(distanceOf(&ellipsoid, at(0.0, 0.0, 0.0), &ellipsoid, at(7.0, 0.0, 0.0)).distance, 1.0, 1e-14);
  crDistance d = distanceOf(&ellipsoid, at(0.0, 0.0, 0.0), &ellipsoid, at(0.0, 0.0, 0.1));
  assert_close(d.distance, -1.9, 1e-13);
  assert_true(d.isGlobal);
}

// ------------------------------------------------------------------------------- half-spaces, meshes

static void half_space_meets_the_lowest_point(void** state)
{
  (void)state;
  crShapeDef ground = crDefaultShapeDef(cr_shapeHalfSpace);
  crRandom random = crMakeRandom(2002);
  for (int index = 0; crTestShape(index, 1.0).kind != cr_shapeNone; ++index) {
    crShapeDef def = crTestShape(index, 1.0);
    crPose X = crMakePose(crScale(3.0, crRandom_UnitVec3(&random)), crRandom_Rotation(&random));
    crShape* shape = crCreateTestShape(&def);
    crVec3 lowest = crTransformPoint(X, crShape_ComputeSupport(shape, crMulTV(X.R, crMakeVec3(0.0, 0.0, -1.0))));
    crDestroyShape(shape);
    crDistance d = distanceOf(&ground, crIdentityPose(), &def, X);
    assert_close(d.distance, lowest.z, 1e-14);
    assert_vec_close(d.normal, crMakeVec3(0.0, 0.0, 1.0), 1e-15);
    assert_close(d.pointA.z, 0.0, 1e-14);
    assert_close(d.pointB.z, lowest.z, 1e-14);
    assert_int_equal(d.surfaceA.kind, cr_surfaceFace);
  }
}

static void box_lying_flat_touches_in_the_middle_of_its_face(void** state)
{
  (void)state;
  crShapeDef ground = crDefaultShapeDef(cr_shapeHalfSpace), box = crMakeBox(2.0, 1.0, 0.5);
  crDistance d = distanceOf(&box, at(3.0, 4.0, 0.25), &ground, crIdentityPose());
  assert_close(d.distance, 0.0, 1e-15);
  assert_vec_close(d.pointA, crMakeVec3(3.0, 4.0, 0.0), 1e-15);
  assert_int_equal(d.surfaceA.kind, cr_surfaceFace);
  assert_int_equal(d.surfaceA.id, 5); // below z
}

// By symmetry: a pair of parallel cylinders is the same after a turn about the middle of where they are side by side.
static void parallel_capsules_meet_in_the_middle_of_their_overlap(void** state)
{
  (void)state;
  crShapeDef a = crMakeCapsule(0.1, 2.0), b = crMakeCapsule(0.2, 1.0);
  crRandom random = crMakeRandom(2003);
  for (int i = 0; i < 200; ++i) {
    crPose X = crMakePose(crRandom_UnitVec3(&random), crRandom_Rotation(&random));
    double shift = crRandom_Uniform(&random, -1.4, 1.4), low = fmax(-1.0, shift - 0.5), high = fmin(1.0, shift + 0.5);
    crPose X_B = { .R = X.R, .p = crTransformPoint(X, crMakeVec3(0.6, 0.8, shift)) };
    crDistance d = distanceOf(&a, X, &b, X_B);
    crVec3 axis = crMakeVec3(0.0, 0.0, 0.5 * (low + high)), n = crMakeVec3(0.6, 0.8, 0.0);
    assert_close(d.distance, 0.7, 1e-14);
    assert_vec_close(d.pointA, crTransformPoint(X, crMulAdd(axis, 0.1, n)), 1e-12);
    assert_vec_close(d.pointB, crTransformPoint(X, crMulAdd(axis, 0.8, n)), 1e-12);
  }
}

static void two_half_spaces_are_apart_only_when_opposite(void** state)
{
  (void)state;
  crShapeDef ground = crDefaultShapeDef(cr_shapeHalfSpace), ceiling = ground;
  ceiling.axis = crMakeVec3(0.0, 0.0, -1.0);
  assert_close(distanceOf(&ground, at(0.0, 0.0, 0.0), &ceiling, at(5.0, 1.0, 2.5)).distance, 2.5, 1e-15);
  assert_close(distanceOf(&ground, at(0.0, 0.0, 0.0), &ceiling, at(5.0, 1.0, -2.5)).distance, -2.5, 1e-15);
  crDistance d = distanceOf(&ground, at(0.0, 0.0, 0.0), &ground, at(0.0, 0.0, 1.0));
  assert_true(d.distance == -HUGE_VAL);
  assert_true(crIsFiniteVec3(d.pointA) && crIsFiniteVec3(d.pointB) && crIsFiniteVec3(d.normal));
}

static void mesh_is_as_near_as_its_nearest_piece(void** state)
{
  (void)state;
  crTestBox boxes[] = { { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } }, { { 4.0, -1.0, -1.0 }, { 5.0, 1.0, 1.0 } } };
  crMesh* mesh = crCreateBoxMesh(boxes, 2);
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh), sphere = crMakeSphere(0.25);
  def.as.mesh.mesh = mesh;
  def.rounding = CR_ZERO;
  crDistance d = distanceOf(&def, crIdentityPose(), &sphere, at(6.0, 0.5, 0.0));
  assert_close(d.distance, 0.75, 1e-14);
  assert_int_equal(d.surfaceA.kind, cr_surfaceFace);
  assert_in_range(d.surfaceA.id, 6, 11); // the faces of the second piece follow those of the first
  d = distanceOf(&sphere, at(0.0, 0.0, 1.5), &def, crIdentityPose());
  assert_close(d.distance, 0.25, 1e-14);
  assert_in_range(d.surfaceB.id, 0, 5);
  d = distanceOf(&sphere, at(0.0, 0.0, 1.1), &def, crIdentityPose());
  assert_close(d.distance, -0.15, 1e-14);
  assert_false(d.isGlobal); // the other piece might be in the way
  crReleaseMesh(mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(polytopes_agree_with_brute_force),
    cmocka_unit_test(boxes_agree_with_their_minkowski_hull),
    cmocka_unit_test(spheres_touch_where_their_centres_say),
    cmocka_unit_test(rounding_keeps_faces_in_place),
    cmocka_unit_test(cone_side_is_met_at_right_angles),
    cmocka_unit_test(ellipsoids_on_an_axis_are_apart_by_their_axes),
    cmocka_unit_test(half_space_meets_the_lowest_point),
    cmocka_unit_test(box_lying_flat_touches_in_the_middle_of_its_face),
    cmocka_unit_test(parallel_capsules_meet_in_the_middle_of_their_overlap),
    cmocka_unit_test(two_half_spaces_are_apart_only_when_opposite),
    cmocka_unit_test(mesh_is_as_near_as_its_nearest_piece),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
