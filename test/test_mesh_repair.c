// Meshes that are wrong, what is found, and what is mended.
#include "carom/io.h"
#include "support/log.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

// A box of edges 1, 2, 3 from the origin, quads in turn.
static const crVec3 corners[8] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 2, 0 }, { 1, 2, 0 },
                                   { 0, 0, 3 }, { 1, 0, 3 }, { 0, 2, 3 }, { 1, 2, 3 } };
static const int32_t box[12][3] = { { 1, 3, 7 }, { 1, 7, 5 }, { 0, 4, 6 }, { 0, 6, 2 }, { 2, 6, 7 }, { 2, 7, 3 },
                                    { 0, 1, 5 }, { 0, 5, 4 }, { 4, 5, 7 }, { 4, 7, 6 }, { 0, 2, 3 }, { 0, 3, 1 } };

static crMesh* make(const crVec3* points, int pointCount, const int32_t (*triangles)[3], int triangleCount)
{
  crMeshDef def = crDefaultMeshDef();
  def.points = points;
  def.pointCount = pointCount;
  def.triangles = triangles;
  def.triangleCount = triangleCount;
  crMesh* mesh = NULL;
  assert_int_equal(crCreateMesh(&def, NULL, NULL, &mesh), cr_ok);
  return mesh;
}

static crMeshFaults find(const crMesh* mesh)
{
  crMeshFaults faults;
  assert_int_equal(crFindMeshFaults(mesh, NULL, NULL, &faults), cr_ok);
  return faults;
}

// Mends it, and asserts that it is a box then.
static crMeshFaults mend(crMesh* mesh, const crRepairDef* def)
{
  crMesh* mended = NULL;
  crMeshFaults faults;
  assert_int_equal(crRepairMesh(mesh, def, NULL, NULL, &mended, &faults), cr_ok);
  assert_true(crMesh_GetFacts(mended).isClosed);
  assert_close(crMesh_GetFacts(mended).volume, 6.0, 1e-12);
  crReleaseMesh(mended);
  crReleaseMesh(mesh);
  return faults;
}

static void nothing_is_wrong_with_a_box(void** state)
{
  (void)state;
  crMesh* mesh = make(corners, 8, box, 12);
  crMeshFaults faults = find(mesh);
  assert_int_equal(faults.shellCount, 1);
  assert_int_equal(faults.openEdgeCount + faults.crowdedEdgeCount + faults.duplicateCount + faults.turnedCount +
                       faults.insideOutCount + faults.weldedCount + faults.holeCount,
                   0);
  mend(mesh, NULL);
}

static void turned_triangles_are_turned_back(void** state)
{
  (void)state;
  int32_t triangles[12][3];
  memcpy(triangles, box, sizeof box);
  for (int t = 3; t < 12; t += 4) {
    triangles[t][0] = box[t][1];
    triangles[t][1] = box[t][0];
  }
  crMesh* mesh = make(corners, 8, (const int32_t(*)[3])triangles, 12);
  assert_int_equal(find(mesh).turnedCount, 3);
  assert_int_equal(mend(mesh, NULL).turnedCount, 3);
  for (int t = 0; t < 12; ++t) { // all of them
    triangles[t][0] = box[t][1];
    triangles[t][1] = box[t][0];
    triangles[t][2] = box[t][2];
  }
  mesh = make(corners, 8, (const int32_t(*)[3])triangles, 12);
  crMeshFaults faults = mend(mesh, NULL);
  assert_int_equal(faults.turnedCount, 0);
  assert_int_equal(faults.insideOutCount, 1);
}

static void triangles_that_are_there_twice_are_dropped(void** state)
{
  (void)state;
  int32_t triangles[14][3];
  memcpy(triangles, box, sizeof box);
  memcpy(triangles[12], box[4], sizeof box[4]);
  triangles[13][0] = box[7][2]; // the other way round
  triangles[13][1] = box[7][1];
  triangles[13][2] = box[7][0];
  crMesh* mesh = make(corners, 8, (const int32_t(*)[3])triangles, 14);
  assert_int_equal(find(mesh).duplicateCount, 2);
  assert_int_equal(mend(mesh, NULL).duplicateCount, 2);
}

static void small_holes_are_filled(void** state)
{
  (void)state;
  crMesh* mesh = make(corners, 8, &box[1], 11); // one triangle is missing
  crMeshFaults faults = find(mesh);
  assert_int_equal(faults.openEdgeCount, 3);
  assert_int_equal(faults.holeCount, 1);
  assert_int_equal(faults.placeCount, 3);
  crRepairDef def = crDefaultRepairDef();
  def.fill = 5.0;
  assert_int_equal(mend(mesh, &def).holeCount, 1);
  mend(make(corners, 8, &box[2], 10), &def); // a quad
}

// A corner in three parts, of which the first and the last are joined by the one between alone, in every order.
static void points_in_a_row_become_one(void** state)
{
  (void)state;
  static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  static const int32_t faces[4][3] = { { 0, 4, 3 }, { 1, 3, 5 }, { 2, 5, 4 }, { 3, 4, 5 } };
  for (int i = 0; i < 6; ++i) {
    crVec3 points[6] = { [3] = { 1.0, 0.0, 0.0 }, [4] = { 0.0, 1.0, 0.0 }, [5] = { 0.0, 0.0, 1.0 } };
    for (int k = 0; k < 3; ++k) {
      points[k] = crMakeVec3(9e-4 * orders[i][k], 0.0, 0.0);
    }
    crMesh *mesh = make(points, 6, faces, 4), *mended = NULL;
    crRepairDef def = crDefaultRepairDef();
    def.weld = 1e-3;
    crMeshFaults faults;
    assert_int_equal(crRepairMesh(mesh, &def, NULL, NULL, &mended, &faults), cr_ok);
    assert_int_equal(faults.weldedCount, 2);
    assert_true(crMesh_GetFacts(mended).isClosed);
    crReleaseMesh(mended);
    crReleaseMesh(mesh);
  }
}

static void points_that_are_near_become_one(void** state)
{
  (void)state;
  crVec3 points[36];
  int32_t triangles[12][3];
  for (int i = 0; i < 36; ++i) {
    points[i] = corners[box[i / 3][i % 3]];
    points[i].x += 1e-9 * (i % 5);
    triangles[i / 3][i % 3] = i;
  }
  crMesh *mesh = make(points, 36, (const int32_t(*)[3])triangles, 12), *mended = NULL;
  assert_int_equal(find(mesh).shellCount, 12);
  crRepairDef def = crDefaultRepairDef();
  def.weld = 1e-7;
  crMeshFaults faults;
  assert_int_equal(crRepairMesh(mesh, &def, NULL, NULL, &mended, &faults), cr_ok);
  assert_int_equal(faults.weldedCount, 28);
  assert_true(crMesh_GetFacts(mended).isClosed);
  assert_close(crMesh_GetFacts(mended).volume, 6.0, 1e-6);
  crReleaseMesh(mended);
  crReleaseMesh(mesh);
}

// In a plane across x, where sorting by x tells nothing: the same as all pairs in turn.
static void points_of_a_plane_are_welded_as_all_pairs_say(void** state)
{
  (void)state;
  enum { COUNT = 1500 };
  static crVec3 points[COUNT];
  static int32_t triangles[COUNT / 3][3];
  static int root[COUNT];
  crRandom random = crMakeRandom(3);
  for (int i = 0; i < COUNT; ++i) {
    points[i] = crMakeVec3(0.5, crRandom_Uniform(&random, -1.0, 1.0), crRandom_Uniform(&random, -1.0, 1.0));
    triangles[i / 3][i % 3] = root[i] = i;
  }
  crRepairDef def = crDefaultRepairDef();
  def.weld = 0.02;
  int welded = 0;
  for (int i = 0; i < COUNT; ++i) {
    for (int k = 0; k < i; ++k) {
      if (crLength(crSub(points[i], points[k])) <= def.weld && root[i] != root[k]) {
        int from = root[i], to = root[k];
        for (int n = 0; n < COUNT; ++n) {
          root[n] = root[n] == from ? to : root[n];
        }
        ++welded;
      }
    }
  }
  crMesh* mesh = make(points, COUNT, (const int32_t(*)[3])triangles, COUNT / 3);
  crMeshFaults faults;
  assert_int_equal(crFindMeshFaults(mesh, &def, NULL, &faults), cr_ok);
  assert_int_equal(faults.weldedCount, welded);
  assert_in_range(welded, 100, COUNT - 100);
  crReleaseMesh(mesh);
}

static void a_hollow_points_inwards(void** state)
{
  (void)state;
  crVec3 points[16];
  int32_t triangles[24][3];
  for (int i = 0; i < 8; ++i) {
    points[i] = corners[i];
    points[8 + i] = crAdd(crScale(0.5, corners[i]), crMakeVec3(0.25, 0.5, 0.75));
  }
  for (int t = 0; t < 24; ++t) {
    for (int k = 0; k < 3; ++k) {
      triangles[t][k] = box[t % 12][k] + (t < 12 ? 0 : 8);
    }
  }
  crMesh *mesh = make(points, 16, (const int32_t(*)[3])triangles, 24), *mended = NULL;
  crMeshFaults faults;
  assert_int_equal(crRepairMesh(mesh, NULL, NULL, NULL, &mended, &faults), cr_ok);
  assert_int_equal(faults.shellCount, 2);
  assert_int_equal(faults.insideOutCount, 1);
  assert_close(crMesh_GetFacts(mended).volume, 6.0 * 7.0 / 8.0, 1e-12);
  crReleaseMesh(mended);
  crReleaseMesh(mesh);
}

static void refuse(crMesh* mesh, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crMesh* mended = NULL;
  assert_int_equal(crRepairMesh(mesh, NULL, NULL, &sink, &mended, NULL), cr_errorModel);
  assert_null(mended);
  assert_message(log, cr_severityError, message);
  crDestroyErrorLog(log);
  crReleaseMesh(mesh);
}

static void mending_without_memory_says_so(void** state)
{
  (void)state;
  crMesh* mesh = make(corners, 8, box, 12);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status != cr_ok; ++failAt) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crMesh* mended = NULL;
    counter.callCount = 0;
    counter.failAt = failAt;
    status = crRepairMesh(mesh, NULL, &allocator, &sink, &mended, NULL);
    if (status != cr_ok) {
      assert_int_equal(status, cr_errorMemory);
      assert_null(mended);
      assert_message(log, cr_severityError, "out of memory while mending a mesh");
    }
    crReleaseMesh(mended);
    assert_int_equal(counter.liveBlocks, 0);
    crDestroyErrorLog(log);
  }
  crReleaseMesh(mesh);
}

static void what_cannot_be_mended_is_refused(void** state)
{
  (void)state;
  refuse(make(corners, 8, &box[2], 10), "4 edges stay open"); // larger than a tenth of the box
  static const int32_t crowded[3][3] = { { 0, 1, 2 }, { 0, 1, 4 }, { 0, 1, 7 } };
  refuse(make(corners, 8, crowded, 3), "edges have more than two triangles");
  // The projective plane on six points: every pair of them is an edge of two triangles.
  static const int32_t oneSided[10][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 4 }, { 0, 4, 5 }, { 0, 5, 1 },
                                           { 1, 2, 4 }, { 2, 3, 5 }, { 3, 4, 1 }, { 4, 5, 2 }, { 5, 1, 3 } };
  refuse(make(corners, 6, oneSided, 10), "surface has one side only");
  crMesh* mended;
  assert_int_equal(crRepairMesh(NULL, NULL, NULL, NULL, &mended, NULL), cr_errorMisuse);
  assert_int_equal(crFindMeshFaults(NULL, NULL, NULL, NULL), cr_errorMisuse);
}

// Two boxes side by side, as an OBJ file with an object for each has them: they share points and edges.
static void touching_pieces_have_no_open_edges(void** state)
{
  (void)state;
  const char* text = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 1 2 0\nv 0 0 3\nv 1 0 3\nv 0 2 3\nv 1 2 3\n"
                     "v 2 0 0\nv 2 2 0\nv 2 0 3\nv 2 2 3\n"
                     "o a\nf 2 4 8 6\nf 1 5 7 3\nf 3 7 8 4\nf 1 2 6 5\nf 5 6 8 7\nf 1 3 4 2\n"
                     "o b\nf 9 10 12 11\nf 2 6 8 4\nf 4 8 12 10\nf 2 9 11 6\nf 6 11 12 8\nf 2 4 10 9\n";
  crMesh* mesh = NULL;
  assert_int_equal(crReadObj(text, strlen(text), "two.obj", crMakeVec3(1.0, 1.0, 1.0), NULL, NULL, &mesh), cr_ok);
  crMeshFacts facts = crMesh_GetFacts(mesh);
  assert_int_equal(facts.pieceCount, 2);
  assert_int_equal(facts.openEdgeCount, 0);
  assert_true(facts.isClosed);
  assert_close(facts.volume, 12.0, 1e-12);
  crReleaseMesh(mesh);
  // a surface in two groups is closed as a whole
  const char* groups = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ng floor\nf 1 3 2\ng roof\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  assert_int_equal(crReadObj(groups, strlen(groups), "groups.obj", crMakeVec3(1.0, 1.0, 1.0), NULL, NULL, &mesh),
                   cr_ok);
  assert_true(crMesh_GetFacts(mesh).isClosed);
  crReleaseMesh(mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_is_wrong_with_a_box),
    cmocka_unit_test(turned_triangles_are_turned_back),
    cmocka_unit_test(triangles_that_are_there_twice_are_dropped),
    cmocka_unit_test(small_holes_are_filled),
    cmocka_unit_test(points_in_a_row_become_one),
    cmocka_unit_test(points_that_are_near_become_one),
    cmocka_unit_test(points_of_a_plane_are_welded_as_all_pairs_say),
    cmocka_unit_test(a_hollow_points_inwards),
    cmocka_unit_test(mending_without_memory_says_so),
    cmocka_unit_test(what_cannot_be_mended_is_refused),
    cmocka_unit_test(touching_pieces_have_no_open_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
