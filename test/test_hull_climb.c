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
    cmocka_unit_test(vertices_know_their_faces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
