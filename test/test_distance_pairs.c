// Random pairs of all kinds, with those that break such code made frequent: right by certificates, symmetric, the same
// after moving both, continuous, and independent of history.
#include "support/distance_truth.h"
#include "support/shapes.h"

#include <stdio.h>
#include <string.h>

#define PAIRS 100000
#define PER_KIND 30

static crShapePool pool;

static int makePool(void** state)
{
  (void)state;
  pool = crCreateShapePool(77, PER_KIND);
  return 0;
}

static int freePool(void** state)
{
  (void)state;
  crDestroyShapePool(&pool);
  return 0;
}

static crDistance compute(const crDistanceCase* c, crDistanceCache* cache)
{
  crDistance d;
  assert_int_equal(crComputeDistance(c->a, &c->X_WA, c->b, &c->X_WB, cache, &d), cr_ok);
  return d;
}

static void describe(const crDistanceCase* c, const crDistance* d, const char* what)
{
  print_error("%s: %s - %s, placement %d, distance %.17g in [%.17g, %.17g], %d iterations\n", what,
              crShapeKind_GetText(crShape_GetKind(c->a)), crShapeKind_GetText(crShape_GetKind(c->b)), (int)c->placement,
              d->distance, d->lowerBound, d->upperBound, d->iterations);
}

// ------------------------------------------------------------------------------------- right answers

static void random_pairs_are_right_by_certificates(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1000);
  int notConverged = 0;
  for (int i = 0; i < PAIRS; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, cr_shapeNone, cr_shapeNone, &random);
    crDistance d = compute(&c, NULL);
    crVerdict verdict = crJudgeDistance(&c, &d);
    if (!crIsRightVerdict(&c, &d, &verdict)) {
      describe(&c, &d, "wrong");
      fail_msg("primal %.3g, dual %.3g, identity %.3g, enclosure %.3g, finite %d", verdict.primal, verdict.dual,
               verdict.identity, verdict.enclosure, verdict.isFinite);
    }
    notConverged += !d.isConverged;
  }
  assert_int_equal(notConverged, 0);
}

static void sign_is_never_wrong(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1001);
  for (int i = 0; i < 20000; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, cr_shapeNone, cr_shapeNone, &random);
    crDistance d = compute(&c, NULL);
    // a direction that separates proves that the shapes are apart
    long double separation = crSeparationAlong(&c, d.normal);
    if (separation > 1e-12L * crScaleOfCase(&c)) {
      assert_true(d.distance > 0.0);
    }
    if (d.distance > 1e-12 * crScaleOfCase(&c)) {
      assert_true(separation > 0.0L);
    }
  }
}

static void deep_answers_say_when_they_are_not_the_shortest_way_out(void** state)
{
  (void)state;
  static const crShapeKind curved[] = { cr_shapeEllipsoid, cr_shapeCylinder, cr_shapeCone, cr_shapeBeam };
  crRandom random = crMakeRandom(1002);
  for (int i = 0; i < 400; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, curved[i % 4], cr_shapeNone, &random);
    if (!crShape_IsBounded(c.b)) {
      continue;
    }
    crDistance d = compute(&c, NULL);
    long double found = crSearchSeparation(&c, 40);
    double tol = 1e-10 * crScaleOfCase(&c);
    if (found > (long double)d.upperBound + tol || (d.isGlobal && found > (long double)d.distance + tol)) {
      describe(&c, &d, "a search over 26 directions found more");
      fail_msg("found %.17Lg", found);
    }
  }
}

// ------------------------------------------------------------------------------------------ symmetry

static bool isExchanged(const crDistance* d, const crDistance* e)
{
  crVec3 n = crNeg(e->normal);
  return d->distance == e->distance && d->lowerBound == e->lowerBound && d->upperBound == e->upperBound &&
         d->iterations == e->iterations && memcmp(&d->pointA, &e->pointB, sizeof d->pointA) == 0 &&
         memcmp(&d->pointB, &e->pointA, sizeof d->pointA) == 0 && d->normal.x == n.x && d->normal.y == n.y &&
         d->normal.z == n.z && d->surfaceA.kind == e->surfaceB.kind && d->surfaceA.id == e->surfaceB.id &&
         d->curvatureA.k1 == e->curvatureB.k1 && d->curvatureB.k2 == e->curvatureA.k2;
}

static void exchanging_the_shapes_changes_no_bit(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1003);
  for (int i = 0; i < 20000; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, cr_shapeNone, cr_shapeNone, &random);
    if (c.a == c.b && memcmp(&c.X_WA, &c.X_WB, sizeof c.X_WA) == 0) {
      continue; // a shape in its own place
    }
    crDistanceCase exchanged = { c.b, c.a, c.X_WB, c.X_WA, c.placement };
    crDistance d = compute(&c, NULL), e = compute(&exchanged, NULL);
    if (!isExchanged(&d, &e)) {
      describe(&c, &d, "not symmetric");
      describe(&exchanged, &e, "exchanged");
      fail();
    }
  }
}

static void moving_both_shapes_keeps_the_distance(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1004);
  for (int i = 0; i < 20000; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, cr_shapeNone, cr_shapeNone, &random);
    crDistance d = compute(&c, NULL);
    if (!isfinite(d.distance) || !d.isGlobal) {
      continue;
    }
    crPose X = crMakePose(crScale(crScaleOfCase(&c), crRandom_UnitVec3(&random)), crRandom_Rotation(&random));
    crDistanceCase moved = { c.a, c.b, crMulPose(X, c.X_WA), crMulPose(X, c.X_WB), c.placement };
    crDistance e = compute(&moved, NULL);
    // two half-spaces that were opposite to the last digit may be so no more
    double tol = 4e-12 * (crScaleOfCase(&c) + crScaleOfCase(&moved));
    if (isfinite(e.distance) && e.isGlobal && !(fabs(d.distance - e.distance) <= tol)) {
      describe(&c, &d, "not invariant");
      describe(&moved, &e, "moved");
      fail();
    }
  }
}

// ------------------------------------------------------------------------------------------- history

static void a_cache_of_any_past_changes_no_bit(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1005);
  for (int i = 0; i < 20000; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, i % 2 == 0 ? cr_shapeHull : cr_shapeNone, cr_shapeNone, &random);
    crDistanceCache cache = { { crRandom_Uniform(&random, -1.0, 1.0), 0.3, -0.2 },
                              (int)(crRandom_Next(&random) % 40) - 4,
                              (int)(crRandom_Next(&random) % 40) - 4,
                              1 };
    crDistance cold, warm, again;
    memset(&cold, 0, sizeof cold);
    memset(&warm, 0, sizeof warm);
    memset(&again, 0, sizeof again);
    crComputeDistance(c.a, &c.X_WA, c.b, &c.X_WB, NULL, &cold);
    crComputeDistance(c.a, &c.X_WA, c.b, &c.X_WB, &cache, &warm);
    crComputeDistance(c.a, &c.X_WA, c.b, &c.X_WB, &cache, &again);
    assert_memory_equal(&cold, &warm, sizeof cold);
    assert_memory_equal(&cold, &again, sizeof cold);
    crVec3 direction = crMulTV(c.X_WA.R, cold.normal);
    assert_vec_close(crMakeVec3(cache.direction[0], cache.direction[1], cache.direction[2]), direction, 0.0);
    assert_int_equal(cache.isFilled, 1);
  }
}

// Radius of a shape around its frame's origin.
static double reachOf(const crShape* shape)
{
  crAabb box = crShape_ComputeAabb(shape, crIdentityPose());
  return crLength(crMaxVec3(crAbsVec3(box.min), crAbsVec3(box.max)));
}

static void distance_changes_no_faster_than_the_motion_allows(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1006);
  for (int i = 0; i < 200; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, cr_shapeNone, cr_shapeNone, &random);
    if (!crShape_IsBounded(c.a) || !crShape_IsBounded(c.b)) {
      continue;
    }
    double size = reachOf(c.a) + reachOf(c.b);
    crVec3 velocity = crScale(crRandom_Uniform(&random, 0.0, size), crRandom_UnitVec3(&random));
    crVec3 axis = crRandom_UnitVec3(&random), start = c.X_WB.p;
    double rate = crRandom_Uniform(&random, 0.0, 2.0), step = 0.005, last = 0.0;
    crMat3 R = c.X_WB.R;
    crDistanceCache cache = { .isFilled = 0 };
    for (int k = 0; k < 200; ++k) {
      double t = k * step - 0.5;
      c.X_WB.p = crMulAdd(start, t, velocity);
      c.X_WB.R = crMulMM(crQuatToMat3(crAxisAngleToQuat(axis, rate * t)), R);
      crDistance d = compute(&c, &cache);
      double most = step * (crLength(velocity) + rate * reachOf(c.b)) * 1.001 + 1e-9 * crScaleOfCase(&c);
      if (k > 0 && d.isGlobal && !(fabs(d.distance - last) <= most)) {
        describe(&c, &d, "jumps");
        fail_msg("from %.17g by more than %.3g", last, most);
      }
      last = d.distance;
    }
  }
}

// --------------------------------------------------------------------------------------------- limits

static void any_finite_pose_is_answered(void** state)
{
  (void)state;
  static const double lengths[] = { 0.0, 1e-300, 1e-20, 1.0, 1e20, 1e139, 1e145, 1e200, 1.7e308 };
  crRandom random = crMakeRandom(1007);
  for (int i = 0; i < 4000; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, cr_shapeNone, cr_shapeNone, &random);
    c.X_WA.p = crScale(lengths[crRandom_Next(&random) % 9], crMakeVec3(0.5, -0.5, 0.7));
    c.X_WB.p = crScale(lengths[crRandom_Next(&random) % 9], crMakeVec3(-0.6, 0.6, 0.5));
    crDistance d = compute(&c, NULL);
    if (isnan(d.distance) || !crIsFiniteVec3(d.normal)) {
      describe(&c, &d, "no answer");
      fail_msg("positions %g and %g", c.X_WA.p.x, c.X_WB.p.x);
    }
    assert_true(d.lowerBound <= d.upperBound);
    assert_false(isnan(d.pointA.x) || isnan(d.pointB.x));
  }
}

static void misuse_is_refused(void** state)
{
  (void)state;
  crPose X = crIdentityPose(), bad = X;
  bad.p.y = NAN;
  const crShape* shape = pool.shapes[0];
  crDistance d;
  assert_int_equal(crComputeDistance(NULL, &X, shape, &X, NULL, &d), cr_errorMisuse);
  assert_int_equal(crComputeDistance(shape, &X, NULL, &X, NULL, &d), cr_errorMisuse);
  assert_int_equal(crComputeDistance(shape, NULL, shape, &X, NULL, &d), cr_errorMisuse);
  assert_int_equal(crComputeDistance(shape, &X, shape, NULL, NULL, &d), cr_errorMisuse);
  assert_int_equal(crComputeDistance(shape, &X, shape, &X, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crComputeDistance(shape, &X, shape, &bad, NULL, &d), cr_errorMisuse);
  bad.p.y = 0.0;
  bad.R.cx.z = HUGE_VAL;
  assert_int_equal(crComputeDistance(shape, &bad, shape, &X, NULL, &d), cr_errorMisuse);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_pairs_are_right_by_certificates),
    cmocka_unit_test(sign_is_never_wrong),
    cmocka_unit_test(deep_answers_say_when_they_are_not_the_shortest_way_out),
    cmocka_unit_test(exchanging_the_shapes_changes_no_bit),
    cmocka_unit_test(moving_both_shapes_keeps_the_distance),
    cmocka_unit_test(a_cache_of_any_past_changes_no_bit),
    cmocka_unit_test(distance_changes_no_faster_than_the_motion_allows),
    cmocka_unit_test(any_finite_pose_is_answered),
    cmocka_unit_test(misuse_is_refused),
  };
  return cmocka_run_group_tests(tests, makePool, freePool);
}
