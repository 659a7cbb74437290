// Triangle meshes: facts, integrals and bad definitions.
#include "geometry/mesh.h"

#include "base/memory.h"
#include "geometry/hull.h"
#include "geometry/point_map.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static crMesh* makeMesh(const crMeshDef* def)
{
  crMesh* mesh = NULL;
  assert_int_equal(crCreateMesh(def, NULL, NULL, &mesh), cr_ok);
  assert_non_null(mesh);
  return mesh;
}

static const int32_t boxTriangles[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 },
                                             { 0, 1, 4 }, { 1, 5, 4 }, { 2, 6, 3 }, { 3, 6, 7 },
                                             { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };

static void fillBox(crVec3 points[8], crVec3 half, crPose X)
{
  for (int i = 0; i < 8; ++i) {
    crVec3 p = { i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z };
    points[i] = crTransformPoint(X, p);
  }
}

static crMeshDef boxDef(const crVec3 points[8])
{
  crMeshDef def = { sizeof(crMeshDef), points, 8, boxTriangles, 12, NULL, 0 };
  return def;
}

// An icosahedron whose triangles are divided into four `level` times, on the unit sphere. The arrays come
// from malloc.
typedef struct Sphere {
  crVec3* points;
  int32_t (*triangles)[3];
  int pointCount, triangleCount;
} Sphere;

static void divide(Sphere* sphere)
{
  crPointMap map;
  crPointMap_Init(&map, NULL);
  int32_t(*finer)[3] = malloc(4 * (size_t)sphere->triangleCount * sizeof *finer);
  for (int t = 0; t < sphere->triangleCount; ++t) {
    int32_t corner[3], middle[3];
    for (int k = 0; k < 3; ++k) {
      crVec3 a = sphere->points[sphere->triangles[t][k]], b = sphere->points[sphere->triangles[t][(k + 1) % 3]];
      corner[k] = crPointMap_Add(&map, a);
      middle[k] = crPointMap_Add(&map, crNormalize(crAdd(a, b)));
    }
    const int32_t four[4][3] = { { corner[0], middle[0], middle[2] },
                                 { corner[1], middle[1], middle[0] },
                                 { corner[2], middle[2], middle[1] },
                                 { middle[0], middle[1], middle[2] } };
    memcpy(finer[4 * t], four, sizeof four);
  }
  free(sphere->points);
  free(sphere->triangles);
  sphere->triangles = finer;
  sphere->triangleCount *= 4;
  sphere->pointCount = map.count;
  sphere->points = malloc((size_t)map.count * sizeof *map.points);
  memcpy(sphere->points, map.points, (size_t)map.count * sizeof *map.points);
  crPointMap_Free(&map);
}

static Sphere makeSphere(int level)
{
  double g = 0.5 * (1.0 + sqrt(5.0));
  const crVec3 points[12] = { { -1, g, 0 },  { 1, g, 0 },  { -1, -g, 0 }, { 1, -g, 0 }, { 0, -1, g },  { 0, 1, g },
                              { 0, -1, -g }, { 0, 1, -g }, { g, 0, -1 },  { g, 0, 1 },  { -g, 0, -1 }, { -g, 0, 1 } };
  static const int32_t triangles[20][3] = { { 0, 11, 5 }, { 0, 5, 1 },  { 0, 1, 7 },   { 0, 7, 10 }, { 0, 10, 11 },
                                            { 1, 5, 9 },  { 5, 11, 4 }, { 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 },
                                            { 3, 9, 4 },  { 3, 4, 2 },  { 3, 2, 6 },   { 3, 6, 8 },  { 3, 8, 9 },
                                            { 4, 9, 5 },  { 2, 4, 11 }, { 6, 2, 10 },  { 8, 6, 7 },  { 9, 8, 1 } };
  Sphere sphere = { malloc(sizeof points), malloc(sizeof triangles), 12, 20 };
  for (int i = 0; i < 12; ++i) {
    sphere.points[i] = crNormalize(points[i]);
  }
  memcpy(sphere.triangles, triangles, sizeof triangles);
  for (int i = 0; i < level; ++i) {
    divide(&sphere);
  }
  return sphere;
}

static crMeshDef sphereDef(const Sphere* sphere)
{
  crMeshDef def = { sizeof(crMeshDef),
                    sphere->points,
                    sphere->pointCount,
                    (const int32_t(*)[3])sphere->triangles,
                    sphere->triangleCount,
                    NULL,
                    0 };
  return def;
}

static void freeSphere(Sphere* sphere)
{
  free(sphere->points);
  free(sphere->triangles);
}

// --------------------------------------------------------------------------------------------- facts

static void mesh_keeps_what_it_was_given(void** state)
{
  (void)state;
  crVec3 points[8];
  fillBox(points, crMakeVec3(0.5, 1.0, 1.5), crIdentityPose());
  crMeshDef given = boxDef(points);
  static const int32_t starts[3] = { 0, 4, 10 };
  given.pieceStarts = starts;
  given.pieceCount = 3;
  crMesh* mesh = makeMesh(&given);
  crMeshDef def = crMesh_GetDef(mesh);
  assert_int_equal(def.pointCount, 8);
  assert_int_equal(def.triangleCount, 12);
  assert_int_equal(def.pieceCount, 3);
  assert_memory_equal(def.points, points, sizeof points);
  assert_memory_equal(def.triangles, boxTriangles, sizeof boxTriangles);
  assert_true(def.points != points && def.triangles != boxTriangles);
  static const int counts[3] = { 4, 6, 2 };
  for (int i = 0; i < 3; ++i) {
    int start, count;
    crMesh_GetPiece(mesh, i, &start, &count);
    assert_int_equal(start, starts[i]);
    assert_int_equal(count, counts[i]);
  }
  crReleaseMesh(mesh);
}

static void mesh_lives_until_its_last_release(void** state)
{
  (void)state;
  crVec3 points[8];
  fillBox(points, crMakeVec3(0.5, 0.5, 0.5), crIdentityPose());
  crMeshDef def = boxDef(points);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crMesh* mesh;
  assert_int_equal(crCreateMesh(&def, &allocator, NULL, &mesh), cr_ok);
  assert_true(counter.liveBlocks > 0);
  assert_ptr_equal(crRetainMesh(mesh), mesh);
  crReleaseMesh(mesh);
  assert_int_equal(crMesh_GetFacts(mesh).triangleCount, 12);
  crReleaseMesh(mesh);
  assert_int_equal(counter.liveBlocks, 0);
  crReleaseMesh(NULL);
  assert_null(crRetainMesh(NULL));
}

static void facts_of_a_box_are_right(void** state)
{
  (void)state;
  crVec3 points[9];
  fillBox(points, crMakeVec3(0.5, 1.0, 1.5), crMakePose(crMakeVec3(10.0, 0.0, 0.0), crIdentityQuat()));
  points[8] = crMakeVec3(100.0, 100.0, 100.0); // in no triangle, so in no fact either
  crMeshDef def = boxDef(points);
  def.pointCount = 9;
  crMesh* mesh = makeMesh(&def);
  crMeshFacts facts = crMesh_GetFacts(mesh);
  assert_int_equal(facts.pointCount, 9);
  assert_int_equal(facts.pieceCount, 1);
  assert_vec_close(facts.bounds.min, crMakeVec3(9.5, -1.0, -1.5), 0.0);
  assert_vec_close(facts.bounds.max, crMakeVec3(10.5, 1.0, 1.5), 0.0);
  assert_close(facts.volume, 6.0, 1e-14);
  assert_int_equal(facts.openEdgeCount, 0);
  assert_true(facts.isClosed);
  crReleaseMesh(mesh);
}

static int countOpen(const crVec3* points, int pointCount, const int32_t (*triangles)[3], int triangleCount)
{
  crMeshDef def = { sizeof(crMeshDef), points, pointCount, triangles, triangleCount, NULL, 0 };
  crMesh* mesh = makeMesh(&def);
  crMeshFacts facts = crMesh_GetFacts(mesh);
  assert_true(facts.isClosed == (facts.openEdgeCount == 0));
  crReleaseMesh(mesh);
  return facts.openEdgeCount;
}

static void open_edges_are_counted(void** state)
{
  (void)state;
  crVec3 points[8];
  fillBox(points, crMakeVec3(1.0, 1.0, 1.0), crIdentityPose());
  int32_t t[24][3];
  memcpy(t, boxTriangles, sizeof boxTriangles);
  assert_int_equal(countOpen(points, 8, boxTriangles + 1, 11), 3); // one triangle missing
  assert_int_equal(countOpen(points, 8, boxTriangles + 2, 10), 4); // one face missing
  t[0][1] = boxTriangles[0][2];
  t[0][2] = boxTriangles[0][1];
  assert_int_equal(countOpen(points, 8, (const int32_t(*)[3])t, 12), 3); // one triangle inside out
  memcpy(t, boxTriangles, sizeof boxTriangles);
  memcpy(t[12], boxTriangles[0], sizeof boxTriangles[0]);
  assert_int_equal(countOpen(points, 8, (const int32_t(*)[3])t, 13), 3); // one triangle twice
  memcpy(t[12], boxTriangles, sizeof boxTriangles);
  assert_int_equal(countOpen(points, 8, (const int32_t(*)[3])t, 24), 18); // all of them twice
  // triangles without area, from one edge to itself, neither open nor close anything
  const int32_t line[3] = { 0, 0, 1 };
  memcpy(t[12], line, sizeof line);
  assert_int_equal(countOpen(points, 8, (const int32_t(*)[3])t, 13), 0);
  const int32_t single[1][3] = { { 0, 1, 2 } };
  assert_int_equal(countOpen(points, 8, single, 1), 3);
}

// Edges by a table of all pairs of points, on random triangles.
static void open_edges_agree_with_brute_force(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(17);
  for (int trial = 0; trial < 200; ++trial) {
    enum { pointCount = 7 };
    crVec3 points[pointCount];
    int32_t triangles[40][3];
    int count[pointCount][pointCount] = { { 0 } }, triangleCount = 1 + (int)(crRandom_Next(&random) % 40);
    for (int i = 0; i < pointCount; ++i) {
      points[i] = crRandom_UnitVec3(&random);
    }
    for (int t = 0; t < triangleCount; ++t) {
      for (int k = 0; k < 3; ++k) {
        triangles[t][k] = (int32_t)(crRandom_Next(&random) % pointCount);
      }
      const int32_t* c = triangles[t];
      bool isTriangle = c[0] != c[1] && c[1] != c[2] && c[2] != c[0];
      for (int k = 0; k < 3 && isTriangle; ++k) {
        ++count[c[k]][c[(k + 1) % 3]];
      }
    }
    int openCount = 0;
    for (int a = 0; a < pointCount; ++a) {
      for (int b = a + 1; b < pointCount; ++b) {
        bool isUsed = count[a][b] + count[b][a] > 0;
        openCount += isUsed && !(count[a][b] == 1 && count[b][a] == 1);
      }
    }
    assert_int_equal(countOpen(points, pointCount, (const int32_t(*)[3])triangles, triangleCount), openCount);
  }
}

// All triangles of a fan share one point, whose bucket then holds nearly all edges: still linear.
static void fan_of_many_triangles_takes_linear_time(void** state)
{
  (void)state;
  enum { count = 200000 };
  crVec3* points = malloc((count + 1) * sizeof *points);
  int32_t(*triangles)[3] = malloc(count * sizeof *triangles);
  points[0] = crMakeVec3(0.0, 0.0, 1.0);
  for (int i = 0; i < count; ++i) {
    double angle = 2.0 * CR_PI * i / count;
    points[i + 1] = crMakeVec3(cos(angle), sin(angle), 0.0);
    triangles[i][0] = 0;
    triangles[i][1] = i + 1;
    triangles[i][2] = (i + 1) % count + 1;
  }
  assert_int_equal(countOpen(points, count + 1, (const int32_t(*)[3])triangles, count), count);
  free(points);
  free(triangles);
}

// ----------------------------------------------------------------------------------------- integrals

static void inertia_of_a_box_is_exact_far_from_the_origin(void** state)
{
  (void)state;
  // sizes and places that doubles hold exactly: what is lost is lost by the code
  crVec3 half = { 0.125, 0.25, 0.5 };
  double V = 8.0 * half.x * half.y * half.z;
  static const double places[] = { 0.0, 1.0, 1024.0, 1048576.0 };
  for (int i = 0; i < 4; ++i) {
    crVec3 points[8];
    crVec3 place = { places[i], -places[i], places[i] };
    fillBox(points, half, crMakePose(place, crIdentityQuat()));
    crMeshDef def = boxDef(points);
    crMesh* mesh = makeMesh(&def);
    crInertia inertia = crMesh_ComputeInertia(mesh);
    assert_close(inertia.mass, V, 1e-15 * V);
    assert_vec_close(inertia.com, place, 0.0);
    assert_close(inertia.I_com.xx, V / 3.0 * (half.y * half.y + half.z * half.z), 1e-15 * V);
    assert_close(inertia.I_com.yy, V / 3.0 * (half.x * half.x + half.z * half.z), 1e-15 * V);
    assert_close(inertia.I_com.zz, V / 3.0 * (half.x * half.x + half.y * half.y), 1e-15 * V);
    assert_close(inertia.I_com.xy, 0.0, 1e-15 * V);
    crReleaseMesh(mesh);
  }
}

// Right triangle with legs a, b along x, y, height h: V = abh/2, com = (a/3, b/3, h/2);
// I_xx = V (b^2/18 + h^2/12), I_zz = V (a^2 + b^2)/18, I_xy = V ab/36.
static void inertia_of_a_prism_is_exact(void** state)
{
  (void)state;
  double a = 0.3, b = 0.7, h = 0.2, V = 0.5 * a * b * h;
  const crVec3 points[6] = { { 0, 0, 0 }, { a, 0, 0 }, { 0, b, 0 }, { 0, 0, h }, { a, 0, h }, { 0, b, h } };
  static const int32_t triangles[8][3] = { { 0, 2, 1 }, { 3, 4, 5 }, { 0, 1, 3 }, { 1, 4, 3 },
                                           { 1, 2, 4 }, { 2, 5, 4 }, { 2, 0, 5 }, { 0, 3, 5 } };
  crMeshDef def = { sizeof(crMeshDef), points, 6, triangles, 8, NULL, 0 };
  crMesh* mesh = makeMesh(&def);
  assert_true(crMesh_GetFacts(mesh).isClosed);
  crInertia inertia = crMesh_ComputeInertia(mesh);
  assert_close(inertia.mass, V, 1e-17);
  assert_vec_close(inertia.com, crMakeVec3(a / 3.0, b / 3.0, h / 2.0), 1e-16);
  assert_close(inertia.I_com.xx, V * (b * b / 18.0 + h * h / 12.0), 1e-17);
  assert_close(inertia.I_com.yy, V * (a * a / 18.0 + h * h / 12.0), 1e-17);
  assert_close(inertia.I_com.zz, V * (a * a + b * b) / 18.0, 1e-17);
  assert_close(inertia.I_com.xy, V * a * b / 36.0, 1e-17);
  assert_close(inertia.I_com.xz, 0.0, 1e-17);
  crReleaseMesh(mesh);
}

static void inverted_mesh_has_negative_volume_and_positive_mass(void** state)
{
  (void)state;
  crVec3 points[8];
  fillBox(points, crMakeVec3(0.5, 1.0, 1.5), crIdentityPose());
  int32_t inverted[12][3];
  for (int t = 0; t < 12; ++t) {
    inverted[t][0] = boxTriangles[t][0];
    inverted[t][1] = boxTriangles[t][2];
    inverted[t][2] = boxTriangles[t][1];
  }
  crMeshDef def = boxDef(points), turned = def;
  turned.triangles = (const int32_t(*)[3])inverted;
  crMesh *mesh = makeMesh(&def), *other = makeMesh(&turned);
  assert_close(crMesh_GetFacts(other).volume, -6.0, 1e-14);
  assert_true(crMesh_GetFacts(other).isClosed);
  crInertia a = crMesh_ComputeInertia(mesh), b = crMesh_ComputeInertia(other);
  assert_close(b.mass, a.mass, 1e-15);
  assert_vec_close(b.com, a.com, 1e-15);
  assert_close(b.I_com.xx, a.I_com.xx, 1e-14);
  crReleaseMesh(mesh);
  crReleaseMesh(other);
}

// The error of an inscribed polyhedron falls with the square of its edge: by four with each division.
static void meshes_of_a_sphere_converge_to_the_ball(void** state)
{
  (void)state;
  double volume = 4.0 * CR_PI / 3.0, before = 0.0;
  for (int level = 1; level <= 5; ++level) {
    Sphere sphere = makeSphere(level);
    crMeshDef def = sphereDef(&sphere);
    crMesh* mesh = makeMesh(&def);
    assert_int_equal(sphere.pointCount, 10 * (sphere.triangleCount / 20) + 2);
    assert_true(crMesh_GetFacts(mesh).isClosed);
    crInertia inertia = crMesh_ComputeInertia(mesh);
    double error = (volume - inertia.mass) / volume;
    assert_true(error > 0.0);
    if (level > 2) {
      assert_close(before / error, 4.0, 0.1);
    }
    before = error;
    assert_vec_close(inertia.com, crMakeVec3(0.0, 0.0, 0.0), 1e-14);
    assert_close(inertia.I_com.xx / (0.4 * volume), 1.0, 2.0 * error);
    assert_close(inertia.I_com.xx, inertia.I_com.zz, 1e-13);
    assert_close(inertia.I_com.xy, 0.0, 1e-13);
    assert_close(crMesh_GetFacts(mesh).volume, inertia.mass, 1e-13);
    crReleaseMesh(mesh);
    freeSphere(&sphere);
  }
}

// Two codes, one body: the hull finds the faces of a convex mesh by itself.
static void convex_mesh_weighs_as_much_as_its_hull(void** state)
{
  (void)state;
  Sphere sphere = makeSphere(3);
  for (int i = 0; i < sphere.pointCount; ++i) {
    crVec3 p = sphere.points[i];
    sphere.points[i] = crMakeVec3(3.0 + 0.2 * p.x, 0.3 * p.y, -5.0 + 0.1 * p.z);
  }
  crMeshDef def = sphereDef(&sphere);
  crMesh* mesh = makeMesh(&def);
  crHull* hull;
  assert_int_equal(crCreateHull(sphere.points, sphere.pointCount, NULL, NULL, &hull), cr_ok);
  assert_int_equal(hull->vertexCount, sphere.pointCount);
  crInertia a = crMesh_ComputeInertia(mesh), b = crHull_ComputeInertia(hull);
  assert_close(a.mass, b.mass, 1e-14 * a.mass);
  assert_vec_close(a.com, b.com, 1e-14);
  assert_close(a.I_com.xx, b.I_com.xx, 1e-13 * a.I_com.xx);
  assert_close(a.I_com.zz, b.I_com.zz, 1e-13 * a.I_com.zz);
  crDestroyHull(hull, NULL);
  crReleaseMesh(mesh);
  freeSphere(&sphere);
}

static void flat_mesh_has_no_mass_and_no_nan(void** state)
{
  (void)state;
  const crVec3 points[3] = { { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 } };
  const int32_t triangles[1][3] = { { 0, 1, 2 } };
  crMeshDef def = { sizeof(crMeshDef), points, 3, triangles, 1, NULL, 0 };
  crMesh* mesh = makeMesh(&def);
  crInertia inertia = crMesh_ComputeInertia(mesh);
  assert_close(inertia.mass, 0.0, 0.0);
  assert_vec_close(inertia.com, crMakeVec3(0.5, 0.5, 1.0), 0.0);
  crReleaseMesh(mesh);
}

// ------------------------------------------------------------------------------------------ bad input

static void expectError(const crMeshDef* def, crStatus status, const char* message, const char* found, int errorCount)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crMesh* mesh = (crMesh*)1;
  assert_int_equal(crCreateMesh(def, NULL, &sink, &mesh), status);
  assert_null(mesh);
  assert_int_equal(crErrorLog_Count(log), errorCount);
  if (errorCount > 0) {
    assert_string_equal(crErrorLog_Get(log, 0)->message, message);
    assert_int_equal(crErrorLog_Get(log, 0)->status, status);
  }
  if (found != NULL) {
    assert_string_equal(crErrorLog_Get(log, 0)->found, found);
  }
  crDestroyErrorLog(log);
}

static void bad_definitions_are_reported(void** state)
{
  (void)state;
  crVec3 points[8];
  int32_t triangles[12][3];
  fillBox(points, crMakeVec3(0.5, 1.0, 1.5), crIdentityPose());
  memcpy(triangles, boxTriangles, sizeof triangles);
  crMeshDef good = boxDef(points), def = good;
  def.triangleCount = 0;
  expectError(&def, cr_errorModel, "the mesh has no triangles", NULL, 1);
  def.triangleCount = INT32_MAX;
  expectError(&def, cr_errorLimit, "the mesh has too many triangles", "2147483647", 1);
  def = good;
  def.triangles = (const int32_t(*)[3])triangles;
  triangles[3][1] = 8;
  triangles[7][2] = -1;
  expectError(&def, cr_errorModel, "triangle 3 of the mesh names a point that does not exist", "(5, 8, 6)", 2);
  points[4].y = NAN;
  expectError(&def, cr_errorModel, "point 4 of the mesh is not finite", "(-0.5, nan, 1.5)", 3);
  fillBox(points, crMakeVec3(0.5, 1.0, 1.5), crIdentityPose());
  static const int32_t badStarts[][3] = { { 1, 2, 3 }, { 0, 5, 5 }, { 0, 12, 13 }, { 0, 5, 3 } };
  static const int errorCounts[] = { 1, 1, 2, 1 };
  for (int i = 0; i < 4; ++i) {
    def = good;
    def.pieceStarts = badStarts[i];
    def.pieceCount = 3;
    expectError(&def, cr_errorModel,
                i == 0   ? "piece 0 of the mesh starts at a wrong triangle"
                : i == 2 ? "piece 1 of the mesh starts at a wrong triangle"
                         : "piece 2 of the mesh starts at a wrong triangle",
                NULL, errorCounts[i]);
  }
  def = good;
  def.points = NULL;
  expectError(&def, cr_errorMisuse, NULL, NULL, 0);
  expectError(NULL, cr_errorMisuse, NULL, NULL, 0);
  assert_int_equal(crCreateMesh(&good, NULL, NULL, NULL), cr_errorMisuse);
}

static void thousand_breaches_give_few_messages(void** state)
{
  (void)state;
  static int32_t triangles[1000][3];
  memset(triangles, -1, sizeof triangles);
  crVec3 points[8];
  fillBox(points, crMakeVec3(0.5, 1.0, 1.5), crIdentityPose());
  crMeshDef def = { sizeof(crMeshDef), points, 8, (const int32_t(*)[3])triangles, 1000, NULL, 0 };
  expectError(&def, cr_errorModel, "triangle 0 of the mesh names a point that does not exist", "(-1, -1, -1)", 9);
}

static void every_failing_allocation_is_survived(void** state)
{
  (void)state;
  crVec3 points[8];
  fillBox(points, crMakeVec3(0.5, 1.0, 1.5), crIdentityPose());
  crMeshDef def = boxDef(points);
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status != cr_ok; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crMesh* mesh = NULL;
    status = crCreateMesh(&def, &allocator, NULL, &mesh);
    assert_true(status == cr_ok || status == cr_errorMemory);
    assert_true((status == cr_ok) == (mesh != NULL));
    crReleaseMesh(mesh);
    assert_int_equal(counter.liveBlocks, 0);
    assert_true(failAt < 20);
  }
}

// ---------------------------------------------------------------------------------------- point map

static void point_map_finds_equal_points_only(void** state)
{
  (void)state;
  crPointMap map;
  crPointMap_Init(&map, NULL);
  enum { count = 20000 };
  for (int pass = 0; pass < 2; ++pass) {
    crRandom random = crMakeRandom(23);
    for (int i = 0; i < count; ++i) {
      // single precision, as in STL files
      float x = (float)crRandom_Uniform(&random, -1.0, 1.0);
      assert_int_equal(crPointMap_Add(&map, crMakeVec3(x, i % 7, -1.0 / (1 + i % 11))), i);
    }
  }
  assert_int_equal(map.count, count);
  int zero = crPointMap_Add(&map, crMakeVec3(0.0, 0.0, 0.0));
  assert_int_equal(crPointMap_Add(&map, crMakeVec3(-0.0, 0.0, -0.0)), zero);
  assert_int_equal(crPointMap_Add(&map, crMakeVec3(5e-324, 0.0, 0.0)), zero + 1);
  crPointMap_Free(&map);
  assert_false(crPointMap_Reserve(&map, INT32_MAX));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mesh_keeps_what_it_was_given),
    cmocka_unit_test(mesh_lives_until_its_last_release),
    cmocka_unit_test(facts_of_a_box_are_right),
    cmocka_unit_test(open_edges_are_counted),
    cmocka_unit_test(open_edges_agree_with_brute_force),
    cmocka_unit_test(fan_of_many_triangles_takes_linear_time),
    cmocka_unit_test(inertia_of_a_box_is_exact_far_from_the_origin),
    cmocka_unit_test(inertia_of_a_prism_is_exact),
    cmocka_unit_test(inverted_mesh_has_negative_volume_and_positive_mass),
    cmocka_unit_test(meshes_of_a_sphere_converge_to_the_ball),
    cmocka_unit_test(convex_mesh_weighs_as_much_as_its_hull),
    cmocka_unit_test(flat_mesh_has_no_mass_and_no_nan),
    cmocka_unit_test(bad_definitions_are_reported),
    cmocka_unit_test(thousand_breaches_give_few_messages),
    cmocka_unit_test(every_failing_allocation_is_survived),
    cmocka_unit_test(point_map_finds_equal_points_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
