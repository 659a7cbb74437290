// Hulls that are eroded, by offsetting the planes of their faces: against similar bodies, half-spaces and balls.
#include "support/hulls.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 20000

static crVec3 points[MAX_POINTS];

// ------------------------------------------------------------------------------------------- erosion

static double slackOf(const crHull* hull, crVec3 p)
{
  double slack = HUGE_VAL;
  for (int f = 0; f < hull->faceCount; ++f) {
    slack = fmin(slack, hull->offsets[f] - crDot(hull->normals[f], p));
  }
  return slack;
}

static crHull* erodeHull(const crHull* hull, double distance)
{
  crHull* eroded = NULL;
  assert_int_equal(crCreateErodedHull(hull, distance, NULL, NULL, &eroded), cr_ok);
  return eroded;
}

static void eroded_box_is_the_smaller_box(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(71);
  static const double sizes[] = { 1e-6, 1.0, 1e3 };
  for (int trial = 0; trial < 300; ++trial) {
    double size = sizes[trial % 3];
    crVec3 half = { size, size * crRandom_Uniform(&random, 0.01, 1.0), size * crRandom_Uniform(&random, 0.01, 1.0) };
    double smallest = fmin(half.x, fmin(half.y, half.z));
    double distance = smallest * crRandom_Uniform(&random, 0.001, 0.95);
    crQuat q = trial % 2 ? crIdentityQuat() : crRandom_Rotation(&random);
    crPose X = crMakePose(crScale(size, crRandom_UnitVec3(&random)), q);
    crHull* hull = crMakeTestHull(points, crListBoxCorners(points, half, X));
    crHull* eroded = erodeHull(hull, distance);
    crCheckHull(eroded, 1e-14);
    assert_int_equal(eroded->vertexCount, 8);
    assert_int_equal(eroded->faceCount, 6);
    crVec3 truth[8];
    crListBoxCorners(truth, crMakeVec3(half.x - distance, half.y - distance, half.z - distance), X);
    for (int v = 0; v < 8; ++v) {
      double nearest = HUGE_VAL;
      for (int i = 0; i < 8; ++i) {
        nearest = fmin(nearest, crLength(crSub(truth[v], eroded->vertices[i])));
      }
      assert_true(nearest <= 1e-14 * size);
    }
    crDestroyHull(eroded, NULL);
    crDestroyHull(hull, NULL);
  }
}

// A regular tetrahedron keeps its shape: its inradius r becomes r - distance.
static void eroded_tetrahedron_is_similar_to_the_given_one(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(73);
  for (int trial = 0; trial < 100; ++trial) {
    crPose X = crMakePose(crRandom_UnitVec3(&random), crRandom_Rotation(&random));
    static const crVec3 corners[4] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
    double inradius = 1.0 / sqrt(3.0), share = trial < 90 ? trial / 100.0 : 0.99999;
    for (int i = 0; i < 4; ++i) {
      points[i] = crTransformPoint(X, corners[i]);
    }
    crHull* hull = crMakeTestHull(points, 4);
    crHull* eroded = erodeHull(hull, share * inradius);
    assert_int_equal(eroded->vertexCount, 4);
    for (int i = 0; i < 4; ++i) {
      double nearest = HUGE_VAL;
      crVec3 truth = crTransformPoint(X, crScale(1.0 - share, corners[i]));
      for (int v = 0; v < 4; ++v) {
        nearest = fmin(nearest, crLength(crSub(truth, eroded->vertices[v])));
      }
      assert_true(nearest <= 2e-14);
    }
    crDestroyHull(eroded, NULL);
    crDestroyHull(hull, NULL);
  }
}

// A point is in the eroded hull when it is deeper than the distance under every plane.
static void eroded_hull_holds_the_points_that_are_deep_enough(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(79);
  for (int trial = 0; trial < 60; ++trial) {
    int count = 5 + trial * 2;
    for (int i = 0; i < count; ++i) {
      points[i] = crScale(crRandom_Uniform(&random, 0.8, 1.0), crRandom_UnitVec3(&random));
      points[i].z *= trial % 3 == 0 ? 0.01 : 1.0;
    }
    crHull* hull = crMakeTestHull(points, count);
    double distance = crHull_ComputeWidth(hull) * crRandom_Uniform(&random, 0.001, 0.2);
    crHull* eroded = erodeHull(hull, distance);
    crCheckHull(eroded, 1e-11);
    for (int v = 0; v < eroded->vertexCount; ++v) {
      assert_close(slackOf(hull, eroded->vertices[v]), distance, 1e-13);
      // at least three planes of the given hull, moved inward, meet there
      int meeting = 0;
      for (int f = 0; f < hull->faceCount; ++f) {
        meeting += hull->offsets[f] - crDot(hull->normals[f], eroded->vertices[v]) - distance < 1e-12;
      }
      assert_true(meeting >= 3);
    }
    for (int i = 0; i < 2000; ++i) {
      crVec3 p = crScale(crRandom_Uniform(&random, 0.0, 1.0), crRandom_UnitVec3(&random));
      p.z *= trial % 3 == 0 ? 0.01 : 1.0;
      double depth = slackOf(hull, p) - distance, found = slackOf(eroded, p);
      assert_true(fabs(depth) < 1e-12 || (depth > 0.0) == (found > 0.0));
    }
    crDestroyHull(eroded, NULL);
    crDestroyHull(hull, NULL);
  }
}

// Random points of an awkward body of size 2.
static crVec3 awkwardPoint(int kind, crRandom* random)
{
  static const double noises[] = { 1e-9, 1e-7, 1e-4 };
  crVec3 p = crRandom_UnitVec3(random);
  uint64_t k = crRandom_Next(random);
  double angle = 0.1 * (double)(k % 63);
  switch (kind) {
    case 0: return crMakeVec3(p.x, p.y, 1e-6 * p.z);                                      // plate
    case 1: return crMakeVec3(p.x, 1e-5 * p.y, 1e-5 * p.z);                               // needle
    case 2: return crMakeVec3((float)cos(angle), (float)sin(angle), k & 64 ? 0.3 : -0.3); // rounded to float
    case 3: return k % 20 == 0 ? crMakeVec3(0.0, 0.0, 1.0) : crMakeVec3(cos(angle), sin(angle), 0.0); // cone
    default: break;
  }
  // corners of a cube, each of them many times and not quite in the same place
  crVec3 corner = { k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0 };
  return crMulAdd(corner, noises[kind - 4], p);
}

// Planes of slivers lost their direction when plain cross products were used: needles and plates across the
// axes had no hull, and corners of hulls with almost parallel faces moved by 1e-6 of the size.
static void awkward_bodies_have_tight_hulls_and_erode_exactly(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(101);
  for (int trial = 0; trial < 140; ++trial) {
    double size = pow(10.0, crRandom_Uniform(&random, -6.0, 3.0));
    crPose X = crMakePose(crMakeVec3(0.0, 0.0, 0.0), crRandom_Rotation(&random));
    for (int i = 0; i < 100; ++i) {
      points[i] = crTransformPoint(X, crScale(size, awkwardPoint(trial % 7, &random)));
    }
    crHull* hull = crMakeTestHull(points, 100);
    crCheckHull(hull, 1e-12);
    crCheckHullHolds(hull, points, 100, 1e-15);
    double distance = 0.1 * crHull_ComputeWidth(hull);
    crHull* eroded = erodeHull(hull, distance);
    for (int v = 0; v < eroded->vertexCount; ++v) {
      assert_close(slackOf(hull, eroded->vertices[v]), distance, 1e-13 * size);
    }
    crDestroyHull(eroded, NULL);
    crDestroyHull(hull, NULL);
  }
}

// A cube with one corner cut off by little: eroded by more than the cut is deep, the cut vanishes. Along
// (1, 1, 1) the corner of the eroded cube moves by distance sqrt(3), the cut by distance alone.
static void face_that_is_cut_away_vanishes(void** state)
{
  (void)state;
  double cut = 0.01; // along the edges
  int count = crListBoxCorners(points, crMakeVec3(0.5, 0.5, 0.5), crIdentityPose()) - 1;
  points[count++] = crMakeVec3(0.5 - cut, 0.5, 0.5);
  points[count++] = crMakeVec3(0.5, 0.5 - cut, 0.5);
  points[count++] = crMakeVec3(0.5, 0.5, 0.5 - cut);
  crHull* hull = crMakeTestHull(points, count);
  assert_int_equal(hull->faceCount, 7);
  double vanishing = cut / sqrt(3.0) / (sqrt(3.0) - 1.0);
  crHull* before = erodeHull(hull, 0.99 * vanishing);
  crHull* after = erodeHull(hull, 1.01 * vanishing);
  assert_int_equal(before->faceCount, 7);
  assert_int_equal(after->faceCount, 6);
  assert_int_equal(after->vertexCount, 8);
  crDestroyHull(before, NULL);
  crDestroyHull(after, NULL);
  crDestroyHull(hull, NULL);
}

// Off the centroid the largest ball is elsewhere: a needle-like cone leaves its thick end.
static void erosion_reaches_the_largest_ball(void** state)
{
  (void)state;
  crVec3 list[5] = { { 1, 1, 0 }, { -1, 1, 0 }, { -1, -1, 0 }, { 1, -1, 0 }, { 0, 0, 10 } };
  crHull* hull = crMakeTestHull(list, 5);
  double inradius = 10.0 / (1.0 + sqrt(101.0)); // of the triangle with base 2 and height 10
  crHull* eroded = erodeHull(hull, 0.999 * inradius);
  assert_close(crExtentOfHull(eroded), 10.0 * 0.001, 1e-11);
  crDestroyHull(eroded, NULL);
  assert_int_equal(crCreateErodedHull(hull, 1.0001 * inradius, NULL, NULL, &eroded), cr_errorModel);
  assert_null(eroded);
  crDestroyHull(hull, NULL);
}

static void erosion_by_nothing_is_a_copy(void** state)
{
  (void)state;
  crHull* hull = crMakeTestHull(points, crListBoxCorners(points, crMakeVec3(1.0, 1.0, 1.0), crIdentityPose()));
  crHull* copy = erodeHull(hull, 0.0);
  assert_memory_equal(copy + 1, hull + 1, hull->byteCount - sizeof *hull);
  crDestroyHull(copy, NULL);
  crDestroyHull(hull, NULL);
}

static void large_hull_is_eroded_too(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(83);
  for (int i = 0; i < 3000; ++i) {
    points[i] = crRandom_UnitVec3(&random);
  }
  crHull* hull = crMakeTestHull(points, 3000);
  crHull* eroded = erodeHull(hull, 0.05);
  crCheckHull(eroded, 1e-11);
  for (int v = 0; v < eroded->vertexCount; ++v) {
    assert_close(slackOf(hull, eroded->vertices[v]), 0.05, 1e-13);
  }
  crDestroyHull(eroded, NULL);
  crDestroyHull(hull, NULL);
}

// ----------------------------------------------------------------------------------------- bad input

static void misuse_is_refused(void** state)
{
  (void)state;
  crHull* hull = crMakeTestHull(points, crListBoxCorners(points, crMakeVec3(1.0, 1.0, 1.0), crIdentityPose()));
  crHull* other = NULL;
  assert_int_equal(crCreateHull(NULL, 4, NULL, NULL, &other), cr_errorMisuse);
  assert_int_equal(crCreateHull(points, -1, NULL, NULL, &other), cr_errorMisuse);
  assert_int_equal(crCreateHull(points, 8, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crCreateErodedHull(hull, -1.0, NULL, NULL, &other), cr_errorMisuse);
  assert_int_equal(crCreateErodedHull(hull, NAN, NULL, NULL, &other), cr_errorMisuse);
  assert_int_equal(crCreateErodedHull(NULL, 0.1, NULL, NULL, &other), cr_errorMisuse);
  crDestroyHull(hull, NULL);
  crDestroyHull(NULL, NULL);
}

static void erosion_that_leaves_nothing_says_so(void** state)
{
  (void)state;
  crHull* hull = crMakeTestHull(points, crListBoxCorners(points, crMakeVec3(1.0, 2.0, 3.0), crIdentityPose()));
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crHull* eroded;
  assert_int_equal(crCreateErodedHull(hull, 1.0, NULL, &sink, &eroded), cr_errorModel);
  assert_string_equal(crErrorLog_Get(log, 0)->message, "nothing is left of the hull when its faces are moved inward");
  assert_string_equal(crErrorLog_Get(log, 0)->found, "1");
  crDestroyErrorLog(log);
  crDestroyHull(hull, NULL);
}

static void every_failing_allocation_is_survived(void** state)
{
  (void)state;
  int count = crListBoxCorners(points, crMakeVec3(1.0, 2.0, 3.0), crIdentityPose());
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  for (long failAt = 0;; ++failAt) {
    assert_true(failAt < 200);
    allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crHull *hull = NULL, *eroded = NULL;
    crStatus status = crCreateHull(points, count, &allocator, NULL, &hull);
    if (status == cr_ok) {
      status = crCreateErodedHull(hull, 0.1, &allocator, NULL, &eroded);
    } else {
      assert_null(hull);
    }
    assert_true(status == cr_ok || status == cr_errorMemory);
    assert_true((status == cr_ok) == (eroded != NULL));
    crDestroyHull(eroded, &allocator);
    crDestroyHull(hull, &allocator);
    assert_int_equal(counter.liveBlocks, 0);
    assert_int_equal(counter.liveBytes, 0);
    if (status == cr_ok) {
      break;
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(eroded_box_is_the_smaller_box),
    cmocka_unit_test(eroded_tetrahedron_is_similar_to_the_given_one),
    cmocka_unit_test(eroded_hull_holds_the_points_that_are_deep_enough),
    cmocka_unit_test(awkward_bodies_have_tight_hulls_and_erode_exactly),
    cmocka_unit_test(face_that_is_cut_away_vanishes),
    cmocka_unit_test(erosion_reaches_the_largest_ball),
    cmocka_unit_test(erosion_by_nothing_is_a_copy),
    cmocka_unit_test(large_hull_is_eroded_too),
    cmocka_unit_test(misuse_is_refused),
    cmocka_unit_test(erosion_that_leaves_nothing_says_so),
    cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
