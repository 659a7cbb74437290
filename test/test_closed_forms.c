// Closed forms of pairs against three truths: certificates in long double, brute force over features, and the
// general routine on the same cores.
#include "support/distance_truth.h"
#include "support/shapes.h"

#include "collide/distance/ball.h"
#include "collide/distance/pair.h"

#include <float.h>

#define PAIRS 1200         // of every two kinds
#define LIMIT 1e-12        // [scale]
#define LIMIT_GENERAL 1e-9 // [scale] for the general routine where curved shapes overlap
#define SHAPES_PER_KIND 40

typedef struct Row {
  crShapeKind a, b;
  bool isPolytope; // both cores are
  bool isFlat;     // both cores lie on lines: no inside for the general routine
} Row;

static const Row rows[] = {
  { cr_shapeSphere, cr_shapeSphere, true, true },      { cr_shapeSphere, cr_shapeCapsule, true, true },
  { cr_shapeCapsule, cr_shapeCapsule, true, true },    { cr_shapeSphere, cr_shapeBox, true, false },
  { cr_shapeSphere, cr_shapeEllipsoid, false, false }, { cr_shapeSphere, cr_shapeCylinder, false, false },
  { cr_shapeSphere, cr_shapeCone, false, false },      { cr_shapeSphere, cr_shapeBeam, false, false },
  { cr_shapeBox, cr_shapeBox, true, false },           { cr_shapeBox, cr_shapeCapsule, true, false },
};
#define ROW_COUNT ((int)(sizeof rows / sizeof *rows))

typedef void (*CaseTest)(const Row* row, const crDistanceCase* c, const crDistance* d);

static crDistance compute(const crDistanceCase* c)
{
  crDistance d;
  assert_int_equal(crComputeDistance(c->a, &c->X_WA, c->b, &c->X_WB, NULL, &d), cr_ok);
  return d;
}

// Calls back for boosted random pairs of every row.
static void forAllPairs(uint64_t seed, int pairs, CaseTest test)
{
  crShapePool pool = crCreateShapePool(seed, SHAPES_PER_KIND);
  crRandom random = crMakeRandom(seed);
  for (int r = 0; r < ROW_COUNT; ++r) {
    for (int i = 0; i < pairs; ++i) {
      crDistanceCase c = crMakeDistanceCase(&pool, rows[r].a, rows[r].b, &random);
      crDistance d = compute(&c);
      test(&rows[r], &c, &d);
    }
  }
  crDestroyShapePool(&pool);
}

static void assertSmall(double error, double limit, const Row* row, const crDistanceCase* c, const char* what)
{
  if (!(error <= limit)) {
    fail_msg("%s-%s, placement %d: %s is wrong by %g of the scale", crShapeKind_GetText(row->a),
             crShapeKind_GetText(row->b), (int)c->placement, what, error);
  }
}

// ------------------------------------------------------------------------------------------- random

static void checkCertificate(const Row* row, const crDistanceCase* c, const crDistance* d)
{
  crVerdict verdict = crJudgeDistance(c, d);
  assertSmall(crWorstOf(&verdict), LIMIT, row, c, "the answer");
  assert_true(d->isConverged);
  assert_true(d->isGlobal);
}

static void every_closed_form_is_proved_by_its_points_and_normal(void** state)
{
  (void)state;
  forAllPairs(1, PAIRS, checkCertificate);
}

static void checkBruteForce(const Row* row, const crDistanceCase* c, const crDistance* d)
{
  if (row->isPolytope) {
    double truth = (double)crBruteForceDistance(c);
    assertSmall(fabs(d->distance - truth) / crScaleOfCase(c), LIMIT, row, c, "the distance");
  }
}

static void points_segments_and_boxes_agree_with_brute_force_over_features(void** state)
{
  (void)state;
  forAllPairs(2, PAIRS / 2, checkBruteForce);
}

// No direction separates better: the search is a lower bound of the true signed distance.
static void checkSearch(const Row* row, const crDistanceCase* c, const crDistance* d)
{
  double better = (double)crSearchSeparation(c, 40) - d->distance;
  assertSmall(better / crScaleOfCase(c), LIMIT, row, c, "the optimum");
}

static void no_search_over_directions_finds_a_greater_separation(void** state)
{
  (void)state;
  forAllPairs(3, PAIRS / 40, checkSearch);
}

// The same query of the cores, through the general routine.
static double computeGenerally(const crDistanceCase* c)
{
  const crShape *a = c->a, *b = c->b;
  crPose X_WA = c->X_WA, X_WB = c->X_WB;
  if (a->kind > b->kind) {
    const crShape* other = a;
    crPose X = X_WA;
    a = b;
    X_WA = X_WB;
    b = other;
    X_WB = X;
  }
  X_WA.R = crMulMM(X_WA.R, a->R_FS);
  X_WB.R = crMulMM(X_WB.R, b->R_FS);
  crDistanceCache cache = { .supportA = 0 };
  crQuery query = { .a = a, .b = b, .X_AB = crInvMulPose(X_WA, X_WB), .cache = &cache };
  query.centreB = crTransformPoint(query.X_AB, crMakeVec3(0.0, 0.0, 0.5 * (b->core.zMin + b->core.zMax)));
  query.scale = crScaleOfCase(c);
  query.noise = 4.0 * DBL_EPSILON * query.scale;
  crDistance d;
  crComputeGeneralPair(&query, &d);
  return d.distance - a->sweep - b->sweep;
}

static void checkGeneral(const Row* row, const crDistanceCase* c, const crDistance* d)
{
  if (!row->isFlat) {
    double limit = row->isPolytope ? LIMIT : LIMIT_GENERAL;
    assertSmall(fabs(d->distance - computeGenerally(c)) / crScaleOfCase(c), limit, row, c, "the general routine");
  }
}

static void every_closed_form_agrees_with_the_general_routine(void** state)
{
  (void)state;
  forAllPairs(4, PAIRS, checkGeneral);
}

static void checkExchange(const Row* row, const crDistanceCase* c, const crDistance* d)
{
  crDistanceCase exchanged = { c->b, c->a, c->X_WB, c->X_WA, c->placement };
  crDistance other = compute(&exchanged);
  assertSmall(fabs(d->distance - other.distance), 0.0, row, c, "the exchanged distance");
  assertSmall(crMaxAbs(crAdd(d->normal, other.normal)), 0.0, row, c, "the exchanged normal");
  assertSmall(crMaxAbs(crSub(d->pointA, other.pointB)), 0.0, row, c, "an exchanged point");
}

static void exchanging_the_shapes_changes_no_bit(void** state)
{
  (void)state;
  forAllPairs(5, PAIRS / 4, checkExchange);
}

// --------------------------------------------------------------------------------------------- lean

static void assertSame(double x, double y)
{
  assert_true(x == y || (isnan(x) && isnan(y)));
}

// Far away, too: as a sphere it answers there.
static void checkBall(const crDistanceCase* c)
{
  crDistance d = compute(c);
  crBallDistance ball;
  crComputeBallDistance(c->X_WA.p, c->a->sweep, c->b, &c->X_WB, NULL, &ball);
  bool hasNoNormal = c->b->kind == cr_shapeSphere && crMaxAbs(crSub(c->X_WA.p, c->X_WB.p)) == 0.0;
  if (ball.distance != d.distance || (!hasNoNormal && crMaxAbs(crSub(ball.normal, d.normal)) != 0.0)) {
    fail_msg("%s: %.17g is not %.17g", crShapeKind_GetText(c->b->kind), ball.distance, d.distance);
  }
}

static void a_lean_ball_gives_the_distance_and_normal_of_a_sphere_bit_for_bit(void** state)
{
  (void)state;
  crShapePool pool = crCreateShapePool(11, SHAPES_PER_KIND);
  crRandom random = crMakeRandom(11);
  for (int i = 0; i < 10 * PAIRS; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, cr_shapeSphere, cr_shapeNone, &random);
    checkBall(&c);
    c.X_WA.p = crScale(i % 2 == 0 ? 1e80 : 1e290, crRandom_UnitVec3(&random));
    checkBall(&c);
  }
  crDestroyShapePool(&pool);
}

static void a_lean_half_space_gives_the_distance_and_point_of_the_full_one_bit_for_bit(void** state)
{
  (void)state;
  crShapePool pool = crCreateShapePool(12, SHAPES_PER_KIND);
  crRandom random = crMakeRandom(12);
  for (int i = 0; i < 4 * PAIRS; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, cr_shapeNone, cr_shapeHalfSpace, &random);
    if (c.a->kind == cr_shapeSphere || c.a->kind == cr_shapeHalfSpace) {
      continue; // the way of balls, and none
    }
    crDistance d = compute(&c);
    crPlaneDistance plane;
    int support = 0;
    crVec3 n = crFromCanonical(c.b, &c.X_WB, crMakeVec3(0.0, 0.0, 1.0));
    crComputePlaneDistance(c.X_WB.p, n, c.a, &c.X_WA, &support, &plane);
    assertSame(plane.distance - c.b->sweep, d.distance);
    assertSame(crMaxAbs(crSub(plane.point, d.pointA)), 0.0);
  }
  crDestroyShapePool(&pool);
}

// -------------------------------------------------------------------------------------------- cases

static crShape* makeShape(crShapeDef def)
{
  crShape* shape = NULL;
  def.rounding = CR_ZERO;
  assert_int_equal(crCreateShape(&def, NULL, NULL, &shape), cr_ok);
  return shape;
}

static crDistance computeAndDestroy(crShape* a, crPose X_WA, crShape* b, crPose X_WB)
{
  crDistanceCase c = { a, b, X_WA, X_WB, cr_placeRandom };
  crDistance d = compute(&c);
  crVerdict verdict = crJudgeDistance(&c, &d);
  assert_true(crWorstOf(&verdict) <= LIMIT);
  crDestroyShape(a);
  crDestroyShape(b);
  return d;
}

static crPose at(double x, double y, double z)
{
  crPose X = crIdentityPose();
  X.p = crMakeVec3(x, y, z);
  return X;
}

static void a_sphere_in_the_centre_leaves_by_the_shortest_way(void** state)
{
  (void)state;
  const struct {
    crShapeDef def;
    double depth; // of the point in the middle
  } cases[] = {
    { crMakeBox(2.0, 4.0, 6.0), 1.0 },       { crMakeEllipsoid(3.0, 2.0, 4.0), 2.0 },
    { crMakeCylinder(1.0, 6.0, 0.0), 1.0 },  { crMakeCylinder(5.0, 6.0, 0.0), 3.0 },
    { crMakeBeam(5.0, 2.0, 8.0), 1.0 },      { crMakeEllipsoid(1.0, 1.0, 1.0), 1.0 },
    { crMakeEllipsoid(2.0, 2.0, 1.0), 1.0 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crDistance d = computeAndDestroy(makeShape(crMakeSphere(0.25)), at(0, 0, 0), makeShape(cases[i].def), at(0, 0, 0));
    assert_close(d.distance, -cases[i].depth - 0.25, 1e-15);
  }
}

static void a_sphere_on_the_plane_of_an_ellipsoids_longer_axes_is_right(void** state)
{
  (void)state;
  // inside the evolute of the ellipse (2, 1) the nearest point of (x, 0) is off the axis: cos t = 2 x / 3
  for (double x = 0.0; x <= 1.5; x += 0.125) {
    crDistance d = computeAndDestroy(makeShape(crMakeSphere(0.5)), at(x, 0.0, 0.0),
                                     makeShape(crMakeEllipsoid(2.0, 1.0, 1.0)), at(0, 0, 0));
    double c = 2.0 * x / 3.0;
    double truth = x < 1.5 ? sqrt((2.0 * c - x) * (2.0 * c - x) + 1.0 - c * c) : 2.0 - x;
    assert_close(d.distance, -truth - 0.5, 4e-15);
  }
}

static void a_box_that_lies_on_another_touches_it_in_the_middle_of_the_patch(void** state)
{
  (void)state;
  for (int i = -2; i <= 2; ++i) {
    double gap = 1e-12 * i, turn = 0.3 * i;
    crPose X_WB = crMakePose(crMakeVec3(0.25, -0.125, 1.0 + gap), crAxisAngleToQuat(crMakeVec3(0.0, 0.0, 1.0), turn));
    crDistance d =
        computeAndDestroy(makeShape(crMakeBox(8.0, 8.0, 1.0)), at(0, 0, 0), makeShape(crMakeBox(1.0, 2.0, 1.0)), X_WB);
    assert_close(d.distance, gap, 1e-15);
    assert_vec_close(d.normal, crMakeVec3(0.0, 0.0, 1.0), 1e-15);
    assert_vec_close(d.pointA, crMakeVec3(0.25, -0.125, 0.5), 1e-15);
    assert_int_equal(d.surfaceA.kind, cr_surfaceFace);
    assert_int_equal(d.surfaceB.kind, cr_surfaceFace);
  }
}

static void boxes_face_to_face_overlap_in_a_rectangle_whose_middle_is_taken(void** state)
{
  (void)state;
  crDistance d = computeAndDestroy(makeShape(crMakeBox(2.0, 2.0, 2.0)), at(0, 0, 0),
                                   makeShape(crMakeBox(2.0, 2.0, 2.0)), at(1.5, 2.5, 1.0));
  assert_close(d.distance, 0.5, 1e-15);
  assert_vec_close(d.pointA, crMakeVec3(0.75, 1.0, 0.5), 1e-15);
}

static void parallel_edges_meet_in_the_middle_of_their_overlap(void** state)
{
  (void)state;
  crDistance d = computeAndDestroy(makeShape(crMakeBox(2.0, 2.0, 2.0)), at(0, 0, 0),
                                   makeShape(crMakeBox(2.0, 2.0, 2.0)), at(3.0, 3.0, 1.0));
  assert_close(d.distance, sqrt(2.0), 1e-15);
  assert_vec_close(d.pointA, crMakeVec3(1.0, 1.0, 0.5), 1e-15);
  assert_int_equal(d.surfaceA.kind, cr_surfaceEdge);
}

static void a_capsule_that_lies_on_a_box_touches_it_in_its_middle(void** state)
{
  (void)state;
  crPose X_WB = crMakePose(crMakeVec3(0.5, 0.25, 1.5), crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), 0.5 * CR_PI));
  crDistance d =
      computeAndDestroy(makeShape(crMakeBox(4.0, 4.0, 2.0)), at(0, 0, 0), makeShape(crMakeCapsule(0.5, 1.0)), X_WB);
  assert_close(d.distance, 0.0, 1e-15);
  assert_vec_close(d.pointA, crMakeVec3(0.5, 0.25, 1.0), 1e-15);
}

static void a_capsule_through_a_box_leaves_across_itself(void** state)
{
  (void)state;
  crDistance d = computeAndDestroy(makeShape(crMakeBox(2.0, 3.0, 4.0)), at(0, 0, 0),
                                   makeShape(crMakeCapsule(0.25, 100.0)), at(0.5, 0.0, 0.0));
  assert_close(d.distance, -0.75, 1e-15);
  assert_vec_close(d.normal, crMakeVec3(1.0, 0.0, 0.0), 1e-15);
}

// Cross products of nearly parallel edges have few digits; they must not pass for separating axes.
static void boxes_with_nearly_parallel_edges_have_no_false_axis(void** state)
{
  (void)state;
  for (double turn = 1e-16; turn < 1e-3; turn *= 3.0) {
    crPose X_WB = crMakePose(crMakeVec3(1.5, 1.5, 0.0), crAxisAngleToQuat(crMakeVec3(1.0, 2.0, 3.0), turn));
    crDistance d =
        computeAndDestroy(makeShape(crMakeBox(2.0, 2.0, 2.0)), at(0, 0, 0), makeShape(crMakeBox(2.0, 2.0, 2.0)), X_WB);
    assert_close(d.distance, -0.5, 2.0 * turn + 1e-15);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_closed_form_is_proved_by_its_points_and_normal),
    cmocka_unit_test(points_segments_and_boxes_agree_with_brute_force_over_features),
    cmocka_unit_test(no_search_over_directions_finds_a_greater_separation),
    cmocka_unit_test(every_closed_form_agrees_with_the_general_routine),
    cmocka_unit_test(exchanging_the_shapes_changes_no_bit),
    cmocka_unit_test(a_lean_ball_gives_the_distance_and_normal_of_a_sphere_bit_for_bit),
    cmocka_unit_test(a_lean_half_space_gives_the_distance_and_point_of_the_full_one_bit_for_bit),
    cmocka_unit_test(a_sphere_in_the_centre_leaves_by_the_shortest_way),
    cmocka_unit_test(a_sphere_on_the_plane_of_an_ellipsoids_longer_axes_is_right),
    cmocka_unit_test(a_box_that_lies_on_another_touches_it_in_the_middle_of_the_patch),
    cmocka_unit_test(boxes_face_to_face_overlap_in_a_rectangle_whose_middle_is_taken),
    cmocka_unit_test(parallel_edges_meet_in_the_middle_of_their_overlap),
    cmocka_unit_test(a_capsule_that_lies_on_a_box_touches_it_in_its_middle),
    cmocka_unit_test(a_capsule_through_a_box_leaves_across_itself),
    cmocka_unit_test(boxes_with_nearly_parallel_edges_have_no_false_axis),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
