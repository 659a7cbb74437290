// What lies under the points of a contact: features with lasting numbers, and curvatures by closed forms.
#include "carom/collide.h"
#include "support/shapes.h"
#include "support/test.h"

#define ROUNDING 0.05

// A small sphere beside the shape, in the direction of its centre: the shape's feature there is what counts.
static crDistance probe(const crShapeDef* def, crVec3 p)
{
  crShapeDef ball = crMakeSphere(0.01);
  crShape *shape = crCreateTestShape(def), *probe = crCreateTestShape(&ball);
  crPose X = crIdentityPose(), X_P = crIdentityPose();
  X_P.p = p;
  crDistance d;
  assert_int_equal(crComputeDistance(shape, &X, probe, &X_P, NULL, &d), cr_ok);
  assert_true(d.distance > 0.0);
  crDestroyShape(shape);
  crDestroyShape(probe);
  return d;
}

static void assertCurvature(const crCurvature* curvature, double k1, double k2, double tol)
{
  assert_true(curvature->isKnown);
  assert_close(curvature->k1, k1, tol);
  assert_close(curvature->k2, k2, tol);
  assert_close(crLength(curvature->direction1), 1.0, 1e-14);
}

static void box_tells_faces_edges_and_corners(void** state)
{
  (void)state;
  crShapeDef box = crMakeBox(2.0, 2.0, 2.0);
  box.rounding = ROUNDING;
  crDistance d = probe(&box, crMakeVec3(0.1, -2.0, 0.3));
  assert_int_equal(d.surfaceA.kind, cr_surfaceFace);
  assert_int_equal(d.surfaceA.id, 3); // -y
  assertCurvature(&d.curvatureA, 0.0, 0.0, 0.0);
  d = probe(&box, crMakeVec3(2.0, 0.2, -2.0));
  assert_int_equal(d.surfaceA.kind, cr_surfaceEdge);
  assert_int_equal(d.surfaceA.id, 4 + 0 + 2); // along y, +x, -z
  assertCurvature(&d.curvatureA, 1.0 / ROUNDING, 0.0, 1e-12);
  assert_close(d.curvatureA.direction1.y, 0.0, 1e-14);
  assert_close(crDot(d.curvatureA.direction1, d.normal), 0.0, 1e-14);
  d = probe(&box, crMakeVec3(-2.0, 2.0, 2.0));
  assert_int_equal(d.surfaceA.kind, cr_surfaceVertex);
  assert_int_equal(d.surfaceA.id, 1);
  assertCurvature(&d.curvatureA, 1.0 / ROUNDING, 1.0 / ROUNDING, 1e-12);
  assert_int_equal(d.surfaceB.kind, cr_surfaceSmooth);
  assertCurvature(&d.curvatureB, 100.0, 100.0, 1e-11);
}

static void sharp_edges_have_no_known_curvature(void** state)
{
  (void)state;
  crShapeDef box = crMakeBox(2.0, 2.0, 2.0);
  box.rounding = CR_ZERO;
  assert_true(probe(&box, crMakeVec3(2.0, 0.0, 0.0)).curvatureA.isKnown);
  assert_false(probe(&box, crMakeVec3(2.0, 2.0, 0.0)).curvatureA.isKnown);
  assert_false(probe(&box, crMakeVec3(2.0, 2.0, 2.0)).curvatureA.isKnown);
}

static void cylinder_tells_caps_side_and_rims(void** state)
{
  (void)state;
  crShapeDef cylinder = crMakeCylinder(1.0, 2.0, 0.0);
  cylinder.rounding = ROUNDING;
  crDistance d = probe(&cylinder, crMakeVec3(0.1, 0.2, 3.0));
  assert_int_equal(d.surfaceA.kind, cr_surfaceFace);
  assert_int_equal(d.surfaceA.id, 0);
  d = probe(&cylinder, crMakeVec3(0.0, 3.0, 0.5));
  assert_int_equal(d.surfaceA.kind, cr_surfaceSmooth);
  assert_int_equal(d.surfaceA.id, 2);
  assertCurvature(&d.curvatureA, 1.0, 0.0, 1e-14);
  assert_close(fabs(d.curvatureA.direction1.x), 1.0, 1e-14);
  // below the lower rim, at 45 degrees: a torus of radii R and r has 1/r and cos / (R + r cos)
  double R = 1.0 - ROUNDING, c = sqrt(0.5);
  d = probe(&cylinder, crMakeVec3(R + 1.0, 0.0, -(R + 1.0)));
  assert_int_equal(d.surfaceA.kind, cr_surfaceSmooth);
  assert_int_equal(d.surfaceA.id, 4);
  assertCurvature(&d.curvatureA, 1.0 / ROUNDING, c / (R + ROUNDING * c), 1e-12);
}

static void cone_side_curves_as_the_slant_says(void** state)
{
  (void)state;
  crShapeDef cone = crMakeCone(3.0, 0.0, 4.0);
  cone.rounding = CR_ZERO;
  // at the middle of the side the radius is 1.5, the normal's radial part 0.8
  crDistance d = probe(&cone, crMakeVec3(0.0, 1.5 + 0.8, 2.0 + 0.6));
  assert_int_equal(d.surfaceA.kind, cr_surfaceSmooth);
  assert_int_equal(d.surfaceA.id, 2);
  assertCurvature(&d.curvatureA, 0.8 / 1.5, 0.0, 1e-12);
  d = probe(&cone, crMakeVec3(0.0, 0.1, 6.0));
  assert_int_equal(d.surfaceA.kind, cr_surfaceVertex);
  d = probe(&cone, crMakeVec3(0.2, 0.1, -1.0));
  assert_int_equal(d.surfaceA.kind, cr_surfaceFace);
  assert_int_equal(d.surfaceA.id, 1);
}

static void capsule_and_beam_tell_ends_from_sides(void** state)
{
  (void)state;
  crShapeDef capsule = crMakeCapsule(0.5, 2.0), beam = crMakeBeam(2.0, 1.0, 0.5);
  beam.rounding = ROUNDING;
  crDistance d = probe(&capsule, crMakeVec3(2.0, 0.0, 0.5));
  assert_int_equal(d.surfaceA.id, 2);
  assertCurvature(&d.curvatureA, 2.0, 0.0, 1e-14);
  d = probe(&capsule, crMakeVec3(2.0, 0.0, -3.0));
  assert_int_equal(d.surfaceA.id, 1);
  assertCurvature(&d.curvatureA, 2.0, 2.0, 1e-14);
  d = probe(&beam, crMakeVec3(0.3, -2.0, 0.1));
  assert_int_equal(d.surfaceA.kind, cr_surfaceFace);
  assert_int_equal(d.surfaceA.id, 3);
  d = probe(&beam, crMakeVec3(3.0, 0.5, 0.1));
  assert_int_equal(d.surfaceA.kind, cr_surfaceSmooth);
  assert_int_equal(d.surfaceA.id, 4);
  assertCurvature(&d.curvatureA, 2.0, 0.0, 1e-13);
}

// At the end of the semi-axis a the curvatures are a / b^2 and a / c^2.
static void ellipsoid_has_its_principal_curvatures(void** state)
{
  (void)state;
  crShapeDef ellipsoid = crMakeEllipsoid(3.0, 2.0, 1.0);
  crDistance d = probe(&ellipsoid, crMakeVec3(4.0, 0.0, 0.0));
  assertCurvature(&d.curvatureA, 3.0, 0.75, 1e-12);
  assert_close(fabs(d.curvatureA.direction1.z), 1.0, 1e-12);
  d = probe(&ellipsoid, crMakeVec3(0.0, 0.0, -2.0));
  assertCurvature(&d.curvatureA, 0.25, 1.0 / 9.0, 1e-12);
  assert_close(fabs(d.curvatureA.direction1.y), 1.0, 1e-12);
  // anywhere: the Gaussian curvature is h^4 / (a b c)^2, h the height of the tangent plane
  d = probe(&ellipsoid, crMakeVec3(2.5, 1.7, 1.1));
  double h = crLength(crMakeVec3(3.0 * d.normal.x, 2.0 * d.normal.y, 1.0 * d.normal.z));
  assert_close(d.curvatureA.k1 * d.curvatureA.k2, h * h * h * h / 36.0, 1e-12);
  // inflated by r, the radii of curvature grow by r
  crShapeDef inflated = ellipsoid;
  inflated.inflate = 0.5;
  d = probe(&inflated, crMakeVec3(5.0, 0.0, 0.0));
  assertCurvature(&d.curvatureA, 1.0 / (1.0 / 3.0 + 0.5), 1.0 / (4.0 / 3.0 + 0.5), 1e-12);
}

static void hull_features_keep_their_numbers(void** state)
{
  (void)state;
  crVec3 points[] = { { -1, -1, -1 }, { 1, -1, -1 }, { -1, 1, -1 }, { 1, 1, -1 },
                      { -1, -1, 1 },  { 1, -1, 1 },  { -1, 1, 1 },  { 1, 1, 1 } };
  crShapeDef hull = crMakeHull(points, 8);
  hull.rounding = ROUNDING;
  crDistance first = probe(&hull, crMakeVec3(0.3, 0.2, 2.0)), second = probe(&hull, crMakeVec3(-0.7, 0.5, 3.0));
  assert_int_equal(first.surfaceA.kind, cr_surfaceFace);
  assert_int_equal(first.surfaceA.id, second.surfaceA.id);
  assertCurvature(&first.curvatureA, 0.0, 0.0, 0.0);
  first = probe(&hull, crMakeVec3(2.0, 0.2, 2.0));
  second = probe(&hull, crMakeVec3(1.5, -0.6, 3.0));
  assert_int_equal(first.surfaceA.kind, cr_surfaceEdge);
  assert_int_equal(first.surfaceA.id, second.surfaceA.id);
  assertCurvature(&first.curvatureA, 1.0 / ROUNDING, 0.0, 1e-11);
  first = probe(&hull, crMakeVec3(2.0, 2.0, 2.0));
  assert_int_equal(first.surfaceA.kind, cr_surfaceVertex);
  assert_int_equal(first.surfaceA.id, 7);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(box_tells_faces_edges_and_corners),     cmocka_unit_test(sharp_edges_have_no_known_curvature),
    cmocka_unit_test(cylinder_tells_caps_side_and_rims),     cmocka_unit_test(cone_side_curves_as_the_slant_says),
    cmocka_unit_test(capsule_and_beam_tell_ends_from_sides), cmocka_unit_test(ellipsoid_has_its_principal_curvatures),
    cmocka_unit_test(hull_features_keep_their_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
