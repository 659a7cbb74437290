// The farthest vertex of a hull: by scan and by climb the same one, from any start.
#include "geometry/hull.h"
#include "support/test.h"

#include <stdlib.h>

#define MOST_POINTS 10000

static crVec3 points[MOST_POINTS];

static crHull* makeHull(int count)
{
  crHull* hull = NULL;
  assert_int_equal(crCreateHull(points, count, NULL, NULL, &hull), cr_ok);
  return hull;
}

static int scan(const crHull* hull, crVec3 d)
{
  int best = 0;
  for (int v = 1; v < hull->vertexCount; ++v) {
    best = crDot(d, hull->vertices[v]) > crDot(d, hull->vertices[best]) ? v : best;
  }
  return best;
}

// A direction with ties more often than not: along axes, diagonals, normals and edges of the hull.
static crVec3 pickDirection(const crHull* hull, crRandom* random)
{
  switch (crRandom_Next(random) % 4) {
    case 0:
      return crMakeVec3((double)(crRandom_Next(random) % 3) - 1.0, (double)(crRandom_Next(random) % 3) - 1.0,
                        (double)(crRandom_Next(random) % 3) - 1.0);
    case 1: return hull->normals[crRandom_Next(random) % (uint64_t)hull->faceCount];
    case 2: {
      int v = (int)(crRandom_Next(random) % (uint64_t)hull->vertexCount);
      crVec3 edge = crSub(hull->vertices[hull->neighbours[hull->neighbourStarts[v]]], hull->vertices[v]);
      return crCross(edge, crRandom_UnitVec3(random));
    }
    default: return crScale(crRandom_Uniform(random, 1e-12, 1e12), crRandom_UnitVec3(random));
  }
}

static void checkClimbs(const crHull* hull, crRandom* random, int count)
{
  for (int i = 0; i < count; ++i) {
    crVec3 d = pickDirection(hull, random);
    int start = (int)(crRandom_Next(random) % (uint64_t)hull->vertexCount);
    assert_int_equal(crHull_FindSupport(hull, d), scan(hull, d));
    assert_int_equal(crHull_ClimbSupport(hull, d, start), scan(hull, d));
    assert_int_equal(crHull_FindSupportFast(hull, d, start), scan(hull, d));
  }
}

static void round_hulls_give_the_scanned_vertex(void** state)
{
  (void)state;
  static const int counts[] = { 4, 7, 8, 9, 64, 129, 1000, MOST_POINTS };
  crRandom random = crMakeRandom(3);
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < counts[k]; ++i) {
      points[i] = crRandom_UnitVec3(&random);
    }
    crHull* hull = makeHull(counts[k]);
    checkClimbs(hull, &random, counts[k] > 1000 ? 300 : 2000);
    crDestroyHull(hull, NULL);
  }
}

// A grid on the faces of a cube and a prism with many corners: whole faces are farthest.
static void flat_hulls_give_the_scanned_vertex(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  for (int round = 0; round < 2; ++round) {
    int count = 400;
    for (int i = 0; i < count; ++i) {
      double angle = 2.0 * CR_PI * (i / 2) / (count / 2);
      double bulge = round == 0 ? 0.0 : 1e-9 * crRandom_Uniform(&random, 0.0, 1.0);
      points[i] = crMakeVec3(cos(angle), sin(angle), i % 2 == 0 ? -1.0 - bulge : 1.0 + bulge);
    }
    crHull* hull = makeHull(count);
    checkClimbs(hull, &random, 3000);
    crDestroyHull(hull, NULL);
  }
}

// Stretched, offset from the origin, and on a cylinder whose rulings are edges.
static crVec3 pickPoint(crRandom* random, int shape)
{
  crVec3 u = crRandom_UnitVec3(random);
  switch (shape) {
    case 0: return crMakeVec3(u.x, 1e-3 * u.y, 1e3 * u.z);
    case 1: return crMakeVec3(1e4 + u.x, 2.0 * u.y - 1e4, 0.5 * u.z);
    case 2: return crMakeVec3(1e9 + u.x, u.y, u.z);
    case 3: return crScale(1.0 / crMaxAbs(u), u); // on a cube: flat faces with hundreds of points inside
    default: return crMakeVec3(u.x / hypot(u.x, u.y), u.y / hypot(u.x, u.y), u.z > 0.0 ? 1.0 : -1.0);
  }
}

static void long_flat_and_distant_hulls_give_the_scanned_vertex(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(6);
  for (int shape = 0; shape < 5; ++shape) {
    for (int i = 0; i < 2000; ++i) {
      points[i] = pickPoint(&random, shape);
    }
    crHull* hull = makeHull(2000);
    checkClimbs(hull, &random, 2000);
    // borders of cells, and directions that need many digits of a small component
    for (int i = 0; i < 2000; ++i) {
      crVec3 c = crMakeVec3(1.0, (double)(i % 41) / 20.0 - 1.0, crRandom_Uniform(&random, -1.0, 1.0));
      crVec3 d = crMakeVec3(c.x / hull->half.x, c.y / hull->half.y, c.z / hull->half.z);
      assert_int_equal(crHull_FindSupportFast(hull, d, 0), scan(hull, d));
      d.y *= 1e-9;
      assert_int_equal(crHull_FindSupportFast(hull, d, 0), scan(hull, d));
    }
    crDestroyHull(hull, NULL);
  }
}

static void directions_of_any_length_find_a_vertex(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  for (int i = 0; i < 1000; ++i) {
    points[i] = crRandom_UnitVec3(&random);
  }
  crHull* hull = makeHull(1000);
  static const double sizes[] = { 0.0, 5e-324, 1e-310, 1e-250, 1e250, 1e308, HUGE_VAL, NAN };
  for (int k = 0; k < 8; ++k) {
    crVec3 u = crRandom_UnitVec3(&random), tried[2] = { crScale(sizes[k], u), { 1.0, sizes[k], -1.0 } };
    for (int i = 0; i < 2; ++i) {
      int found = crHull_FindSupportFast(hull, tried[i], 5), coarse = crHull_FindCoarseSupport(hull, tried[i]);
      assert_true(found >= 0 && found < hull->vertexCount && coarse >= 0 && coarse < hull->vertexCount);
      assert_true(!crIsFiniteVec3(tried[i]) || found == scan(hull, tried[i]));
    }
  }
  crDestroyHull(hull, NULL);
}

// Far along d, if not the farthest: of a ball's hull, above all that is half a coarse cell away.
static void coarse_vertices_are_far_out(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(8);
  for (int i = 0; i < MOST_POINTS; ++i) {
    points[i] = crRandom_UnitVec3(&random);
  }
  crHull* hull = makeHull(MOST_POINTS);
  for (int i = 0; i < 2000; ++i) {
    crVec3 d = crRandom_UnitVec3(&random);
    assert_true(crDot(d, hull->vertices[crHull_FindCoarseSupport(hull, d)]) > 0.98);
  }
  crDestroyHull(hull, NULL);
}

static void vertices_know_their_faces(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  for (int i = 0; i < 50; ++i) {
    points[i] = crRandom_UnitVec3(&random);
  }
  crHull* hull = makeHull(50);
  for (int v = 0; v < hull->vertexCount; ++v) {
    for (int k = hull->neighbourStarts[v]; k < hull->neighbourStarts[v + 1]; ++k) {
      int f = hull->vertexFaces[k];
      bool isCorner = false;
      for (int c = hull->faceStarts[f]; c < hull->faceStarts[f + 1]; ++c) {
        isCorner = isCorner || hull->faceVertices[c] == v;
      }
      assert_true(isCorner);
      assert_true(k == hull->neighbourStarts[v] || hull->vertexFaces[k - 1] < f);
    }
    assert_true(crLength(crSub(hull->vertices[v], hull->centre)) <= hull->radius);
    assert_true(crLength(hull->vertices[v]) <= hull->reach);
  }
  for (int f = 0; f < hull->faceCount; ++f) {
    assert_true(crDot(hull->normals[f], hull->centre) < hull->offsets[f]);
  }
  crDestroyHull(hull, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(round_hulls_give_the_scanned_vertex),
    cmocka_unit_test(flat_hulls_give_the_scanned_vertex),
    cmocka_unit_test(long_flat_and_distant_hulls_give_the_scanned_vertex),
    cmocka_unit_test(directions_of_any_length_find_a_vertex),
    cmocka_unit_test(coarse_vertices_are_far_out),
    cmocka_unit_test(vertices_know_their_faces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
