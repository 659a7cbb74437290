#include "support/hulls.h"

#include <string.h>

crHull* crMakeTestHull(const crVec3* list, int count)
{
  crHull* hull = NULL;
  assert_int_equal(crCreateHull(list, count, NULL, NULL, &hull), cr_ok);
  assert_non_null(hull);
  return hull;
}

double crExtentOfHull(const crHull* hull)
{
  crAabb box = crEmptyAabb();
  for (int v = 0; v < hull->vertexCount; ++v) {
    box.min = crMinVec3(box.min, hull->vertices[v]);
    box.max = crMaxVec3(box.max, hull->vertices[v]);
  }
  return crMaxAbs(crSub(box.max, box.min));
}

int crListBoxCorners(crVec3* list, crVec3 half, crPose X)
{
  for (int i = 0; i < 8; ++i) {
    crVec3 p = { i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z };
    list[i] = crTransformPoint(X, p);
  }
  return 8;
}

static bool hasNeighbour(const crHull* hull, int a, int b)
{
  for (int k = hull->neighbourStarts[a]; k < hull->neighbourStarts[a + 1]; ++k) {
    if (hull->neighbours[k] == b) {
      return true;
    }
  }
  return false;
}

void crCheckHull(const crHull* hull, double planeTol)
{
  double extent = crExtentOfHull(hull);
  assert_int_equal(hull->byteCount % 8, 0);
  assert_int_equal(hull->faceStarts[0], 0);
  assert_int_equal(hull->faceStarts[hull->faceCount], hull->faceVertexCount);
  assert_int_equal(hull->neighbourStarts[hull->vertexCount], hull->neighbourCount);
  assert_int_equal(hull->neighbourCount, hull->faceVertexCount);
  assert_int_equal(2 * (hull->vertexCount + hull->faceCount - 2), hull->faceVertexCount);
  for (int f = 0; f < hull->faceCount; ++f) {
    int first = hull->faceStarts[f], end = hull->faceStarts[f + 1];
    assert_true(end - first >= 3);
    assert_close(crLength(hull->normals[f]), 1.0, 1e-15);
    for (int k = first; k < end; ++k) {
      int a = hull->faceVertices[k], b = hull->faceVertices[k + 1 < end ? k + 1 : first];
      assert_true(a >= hull->faceVertices[first]);
      assert_true(hasNeighbour(hull, a, b) && hasNeighbour(hull, b, a));
      assert_close(crDot(hull->normals[f], hull->vertices[a]), hull->offsets[f], planeTol * extent);
    }
    if (f > 0) {
      const int32_t *p = hull->faceVertices + hull->faceStarts[f - 1], *q = hull->faceVertices + first;
      assert_true(p[0] < q[0] || (p[0] == q[0] && p[1] < q[1]));
    }
  }
  for (int v = 0; v < hull->vertexCount; ++v) {
    assert_true(hull->neighbourStarts[v + 1] - hull->neighbourStarts[v] >= 3);
    for (int k = hull->neighbourStarts[v] + 1; k < hull->neighbourStarts[v + 1]; ++k) {
      assert_true(hull->neighbours[k - 1] < hull->neighbours[k]);
    }
  }
}

void crCheckHullHolds(const crHull* hull, const crVec3* list, int count, double tol)
{
  double extent = crExtentOfHull(hull);
  for (int f = 0; f < hull->faceCount; ++f) {
    for (int i = 0; i < count; ++i) {
      assert_true(crDot(hull->normals[f], list[i]) <= hull->offsets[f] + tol * extent);
    }
  }
}

void crCheckHullVertices(const crHull* hull, const crVec3* list, int count)
{
  int at = 0;
  for (int v = 0; v < hull->vertexCount; ++v) {
    while (at < count && memcmp(&list[at], &hull->vertices[v], sizeof *list) != 0) {
      ++at;
    }
    assert_true(at < count);
    ++at;
  }
}
