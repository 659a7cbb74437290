// Convex pieces of meshes: they are the body, to the error asked for.
#include "carom/collide.h"
#include "geometry/inside.h"
#include "geometry/mesh.h"
#include "mesh/kept_pieces.h"
#include "model/model.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/random.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TRIANGLES 8192

typedef struct Builder {
  crVec3 points[3 * MAX_TRIANGLES];
  int32_t triangles[MAX_TRIANGLES][3];
  int pointCount, triangleCount;
} Builder;

static int addPoint(Builder* b, crVec3 p)
{
  for (int i = 0; i < b->pointCount; ++i) {
    if (crLength(crSub(b->points[i], p)) == 0.0) {
      return i;
    }
  }
  b->points[b->pointCount] = p;
  return b->pointCount++;
}

static void addTriangle(Builder* b, crVec3 p, crVec3 q, crVec3 r)
{
  b->triangles[b->triangleCount][0] = addPoint(b, p);
  b->triangles[b->triangleCount][1] = addPoint(b, q);
  b->triangles[b->triangleCount++][2] = addPoint(b, r);
}

static void addQuad(Builder* b, crVec3 p, crVec3 q, crVec3 r, crVec3 s)
{
  addTriangle(b, p, q, r);
  addTriangle(b, p, r, s);
}

static crMesh* finish(Builder* b)
{
  crMeshDef def = crDefaultMeshDef();
  def.points = b->points;
  def.pointCount = b->pointCount;
  def.triangles = (const int32_t(*)[3])b->triangles;
  def.triangleCount = b->triangleCount;
  crMesh* mesh = NULL;
  assert_int_equal(crCreateMesh(&def, NULL, NULL, &mesh), cr_ok);
  free(b);
  return mesh;
}

// A solid of cubes: cell (i, j, k) is there where its bit is, of n x n x n.
static crMesh* makeCubes(int n, const bool* isFull, double edge, crPose X)
{
  Builder* b = calloc(1, sizeof *b);
  assert_non_null(b);
  for (int c = 0; c < n * n * n; ++c) {
    int at[3] = { c % n, c / n % n, c / (n * n) };
    for (int face = 0; isFull[c] && face < 6; ++face) {
      int axis = face / 2, sign = face % 2 == 0 ? 1 : -1, next[3] = { at[0], at[1], at[2] };
      next[axis] += sign;
      bool isOutside = next[axis] < 0 || next[axis] >= n;
      if (!isOutside && isFull[next[0] + n * (next[1] + n * next[2])]) {
        continue;
      }
      crVec3 corners[4];
      for (int k = 0; k < 4; ++k) {
        int u = k == 1 || k == 2, v = k >= 2, p[3] = { at[0], at[1], at[2] };
        p[axis] += sign > 0;
        p[(axis + 1) % 3] += sign > 0 ? u : v;
        p[(axis + 2) % 3] += sign > 0 ? v : u;
        corners[k] = crTransformPoint(X, crScale(edge, crMakeVec3(p[0], p[1], p[2])));
      }
      addQuad(b, corners[0], corners[1], corners[2], corners[3]);
    }
  }
  return finish(b);
}

static crMesh* makeTorus(int n, int m, double ring, double tube)
{
  Builder* b = calloc(1, sizeof *b);
  assert_non_null(b);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      crVec3 p[4];
      for (int k = 0; k < 4; ++k) {
        double u = 2.0 * CR_PI * ((i + (k == 1 || k == 2)) % n) / n, v = 2.0 * CR_PI * ((j + (k >= 2)) % m) / m;
        double r = ring + tube * cos(v);
        p[k] = crMakeVec3(r * cos(u), r * sin(u), tube * sin(v));
      }
      addQuad(b, p[0], p[1], p[2], p[3]);
    }
  }
  return finish(b);
}

static crMesh* decompose(const crMesh* mesh, double error, crPiecesFacts* outFacts)
{
  crPiecesDef def = crDefaultPiecesDef();
  def.error = error;
  crMesh* pieces = NULL;
  assert_int_equal(crDecomposeMesh(mesh, &def, NULL, NULL, &pieces, outFacts), cr_ok);
  assert_true(crMesh_GetFacts(pieces).isClosed);
  assert_int_equal(crMesh_GetFacts(pieces).pieceCount, outFacts->pieceCount);
  return pieces;
}

static crShape* makeShape(const crMesh* mesh)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = mesh;
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(&def, NULL, NULL, &shape), cr_ok);
  return shape;
}

// In how many pieces a point is, but for those that it is nearer to than `slack`.
static int countPieces(const crShape* shape, crVec3 x, double slack, bool* outIsNear)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeSphere);
  def.as.sphere.radius = 1e-9;
  crShape* point = NULL;
  assert_int_equal(crCreateShape(&def, NULL, NULL, &point), cr_ok);
  crPose here = crIdentityPose(), there = { crIdentityMat3(), x };
  int count = 0;
  *outIsNear = false;
  for (int i = 0; i < crShape_CountPieces(shape); ++i) {
    crDistance d;
    assert_int_equal(crComputeDistance(crShape_GetPiece(shape, i), &here, point, &there, NULL, &d), cr_ok);
    count += d.distance < 0.0;
    *outIsNear |= fabs(d.distance) < slack;
  }
  crDestroyShape(point);
  return count;
}

// Points inside the mesh are in one piece, those outside in none, but where they are nearer to a surface than the
// error.
static void assertPartition(const crMesh* mesh, const crMesh* pieces, double error)
{
  crShape* shape = makeShape(pieces);
  crInside inside;
  assert_true(crInside_Init(&inside, mesh, NULL));
  crAabb box = crMesh_GetFacts(mesh).bounds;
  crRandom random = crMakeRandom(7);
  for (int i = 0; i < 2000; ++i) {
    crVec3 x =
        crMakeVec3(crRandom_Uniform(&random, box.min.x, box.max.x), crRandom_Uniform(&random, box.min.y, box.max.y),
                   crRandom_Uniform(&random, box.min.z, box.max.z));
    bool isNear;
    int count = countPieces(shape, x, fmax(error, 1e-6), &isNear);
    int windings = crInside_CountWindings(&inside, x);
    assert_true(windings == 0 || windings == 1);
    if (!isNear) {
      assert_int_equal(count, windings);
    } else if (windings == 1) {
      assert_true(count >= 1 || error < 1e-5);
    }
  }
  crInside_Free(&inside);
  crDestroyShape(shape);
}

static void a_convex_mesh_is_one_piece(void** state)
{
  (void)state;
  bool one[1] = { true };
  crMesh* mesh =
      makeCubes(1, one, 0.1, crMakePose(crMakeVec3(1.0, 2.0, 3.0), crAnglesToQuat(crMakeVec3(1.0, 2.0, 3.0))));
  crPiecesFacts facts;
  crMesh* pieces = decompose(mesh, 0.0, &facts);
  assert_int_equal(facts.pieceCount, 1);
  assert_true(facts.isWithin && facts.distance < 1e-12);
  assert_close(facts.volumeRatio, 1.0, 1e-12);
  crReleaseMesh(pieces);
  crReleaseMesh(mesh);
}

static void random_solids_are_cut_exactly(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  for (int trial = 0; trial < 12; ++trial) {
    bool isFull[27];
    int count = 0;
    for (int i = 0; i < 27; ++i) {
      isFull[i] = crRandom_Uniform(&random, 0.0, 1.0) < 0.8;
      count += isFull[i];
    }
    crVec3 angles = trial % 2 == 0 ? crMakeVec3(0.0, 0.0, 0.0) : crMakeVec3(0.3, -0.7, 1.1);
    crMesh* mesh = makeCubes(3, isFull, 0.1, crMakePose(crMakeVec3(0.2, -0.1, 0.3), crAnglesToQuat(angles)));
    crPiecesFacts facts;
    if (!crMesh_GetFacts(mesh).isClosed) { // cubes that meet at an edge alone
      crReleaseMesh(mesh);
      continue;
    }
    crMesh* pieces = decompose(mesh, 0.0, &facts);
    assert_true(facts.isWithin && facts.distance < 1e-10);
    assert_close(facts.volumeRatio, 1.0, 1e-9);
    assert_true(facts.pieceCount <= count);
    assertPartition(mesh, pieces, 0.0);
    crReleaseMesh(pieces);
    crReleaseMesh(mesh);
  }
}

static void pieces_of_a_round_body_are_within_the_error(void** state)
{
  (void)state;
  crMesh* mesh = makeTorus(30, 12, 0.05, 0.02);
  crPiecesFacts coarse, fine;
  crMesh *few = decompose(mesh, 2e-3, &coarse), *many = decompose(mesh, 1e-3, &fine);
  assert_true(coarse.isWithin && coarse.distance <= 2e-3 && fine.isWithin && fine.distance <= 1e-3);
  assert_true(coarse.pieceCount < fine.pieceCount && coarse.pieceCount > 4);
  assert_true(fine.volumeRatio >= 1.0 - 1e-6 && fine.volumeRatio < coarse.volumeRatio && coarse.volumeRatio < 1.1);
  assertPartition(mesh, few, 2e-3);
  crReleaseMesh(few);
  crReleaseMesh(many);
  crReleaseMesh(mesh);
}

// A ring with bumps, of 2 * 160 * 80 triangles.
#define BUMPY_AROUND 160
#define BUMPY_ACROSS 80
static crMesh* makeBumpyTorus(void)
{
  static crVec3 points[BUMPY_AROUND * BUMPY_ACROSS];
  static int32_t triangles[2 * BUMPY_AROUND * BUMPY_ACROSS][3];
  for (int i = 0; i < BUMPY_AROUND; ++i) {
    for (int k = 0; k < BUMPY_ACROSS; ++k) {
      double a = 2.0 * CR_PI * i / BUMPY_AROUND, b = 2.0 * CR_PI * k / BUMPY_ACROSS;
      double r = 0.03 * (1.0 + 0.15 * sin(9.0 * a) * cos(5.0 * b)), R = 0.1 + r * cos(b);
      int at = i * BUMPY_ACROSS + k, next = (i + 1) % BUMPY_AROUND * BUMPY_ACROSS;
      int up = i * BUMPY_ACROSS + (k + 1) % BUMPY_ACROSS, nextUp = next + (k + 1) % BUMPY_ACROSS;
      points[at] = crMakeVec3(R * cos(a), R * sin(a), r * sin(b));
      int32_t two[2][3] = { { at, next + k, nextUp }, { at, nextUp, up } };
      memcpy(triangles[2 * at], two, sizeof two);
    }
  }
  crMeshDef def = crDefaultMeshDef();
  def.points = points;
  def.pointCount = BUMPY_AROUND * BUMPY_ACROSS;
  def.triangles = (const int32_t(*)[3])triangles;
  def.triangleCount = 2 * BUMPY_AROUND * BUMPY_ACROSS;
  crMesh* mesh = NULL;
  assert_int_equal(crCreateMesh(&def, NULL, NULL, &mesh), cr_ok);
  return mesh;
}

static bool stopLater(void* context, double share, int pieceCount)
{
  (void)pieceCount;
  *(double*)context = share;
  return share < 0.05;
}

// All work went into the first cuts of a large mesh: 2 pieces, two thirds of its size off.
static void a_large_mesh_is_cut_as_finely_as_its_work_allows(void** state)
{
  (void)state;
  crMesh *mesh = makeBumpyTorus(), *pieces = NULL;
  crPiecesDef def = crDefaultPiecesDef();
  crPiecesFacts facts;
  def.work = 0.1;
  assert_int_equal(crDecomposeMesh(mesh, &def, NULL, NULL, &pieces, &facts), cr_ok);
  assert_true(facts.isSpent && !facts.isWithin && facts.pieceCount >= 40 && facts.pieceCount <= 512);
  assert_true(facts.distance < 0.015 && facts.volumeRatio > 1.0 && facts.volumeRatio < 1.2);
  assertPartition(mesh, pieces, facts.distance);
  crReleaseMesh(pieces);
  double share = 0.0;
  def.goesOn = stopLater;
  def.context = &share;
  assert_int_equal(crDecomposeMesh(mesh, &def, NULL, NULL, &pieces, &facts), cr_cancelled);
  assert_true(pieces == NULL && share >= 0.05 && share < 0.2);
  crReleaseMesh(mesh);
}

static void a_volume_error_and_a_limit_end_cutting(void** state)
{
  (void)state;
  crMesh *mesh = makeTorus(24, 8, 0.05, 0.02), *pieces = NULL;
  crPiecesDef def = crDefaultPiecesDef();
  crPiecesFacts facts;
  def.volumeError = 0.05;
  assert_int_equal(crDecomposeMesh(mesh, &def, NULL, NULL, &pieces, &facts), cr_ok);
  assert_true(facts.isWithin && facts.volumeRatio <= 1.05 && facts.volumeRatio >= 1.0 - 1e-6);
  crReleaseMesh(pieces);
  def.volumeError = 0.0;
  def.limit = 6;
  assert_int_equal(crDecomposeMesh(mesh, &def, NULL, NULL, &pieces, &facts), cr_ok);
  assert_true(!facts.isWithin && facts.pieceCount <= 6);
  crReleaseMesh(pieces);
  crReleaseMesh(mesh);
}

static void pieces_are_the_same_each_time_and_from_a_file(void** state)
{
  (void)state;
  crMesh* mesh = makeTorus(20, 8, 0.05, 0.02);
  crPiecesFacts facts;
  crMesh *first = decompose(mesh, 2e-3, &facts), *second = decompose(mesh, 2e-3, &facts), *read = NULL;
  assert_int_equal(crWriteObjFile(first, "pieces", crTestPath("pieces.obj"), NULL, NULL), cr_ok);
  assert_int_equal(crReadMesh(crTestPath("pieces.obj"), crMakeVec3(1.0, 1.0, 1.0), NULL, NULL, &read), cr_ok);
  crMeshDef a = crMesh_GetDef(first);
  for (int i = 0; i < 2; ++i) {
    crMeshDef b = crMesh_GetDef(i == 0 ? second : read);
    assert_int_equal(a.pieceCount, b.pieceCount);
    assert_int_equal(a.triangleCount, b.triangleCount);
    for (int t = 0; t < a.triangleCount; ++t) {
      for (int k = 0; k < 3; ++k) {
        assert_memory_equal(&a.points[a.triangles[t][k]], &b.points[b.triangles[t][k]], sizeof(crVec3));
      }
    }
    assert_memory_equal(a.pieceStarts, b.pieceStarts, (size_t)a.pieceCount * sizeof *a.pieceStarts);
  }
  crReleaseMesh(first);
  crReleaseMesh(second);
  crReleaseMesh(read);
  crReleaseMesh(mesh);
}

// Wherever memory ends, that is told: pieces that were not measured to their end counted as shallow.
static void memory_that_ends_is_told_and_given_back(void** state)
{
  (void)state;
  crMesh* mesh = makeTorus(8, 4, 0.05, 0.02);
  crPiecesDef def = crDefaultPiecesDef();
  def.error = 5e-3;
  crPiecesFacts whole, facts;
  crMesh* pieces = NULL;
  assert_int_equal(crDecomposeMesh(mesh, &def, NULL, NULL, &pieces, &whole), cr_ok);
  crReleaseMesh(pieces);
  crStatus status = cr_errorMemory;
  long failAt = 0;
  for (; status == cr_errorMemory; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    pieces = NULL;
    status = crDecomposeMesh(mesh, &def, &allocator, NULL, &pieces, &facts);
    assert_true(status == cr_errorMemory || status == cr_ok);
    crReleaseMesh(pieces);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_true(failAt > 20);
  assert_int_equal(facts.pieceCount, whole.pieceCount);
  crReleaseMesh(mesh);
}

static void bad_meshes_and_errors_are_refused(void** state)
{
  (void)state;
  Builder* b = calloc(1, sizeof *b);
  assert_non_null(b);
  addTriangle(b, crMakeVec3(0, 0, 0), crMakeVec3(1, 0, 0), crMakeVec3(0, 1, 0));
  addTriangle(b, crMakeVec3(0, 0, 0), crMakeVec3(0, 1, 0), crMakeVec3(0, 0, 1));
  crMesh *mesh = finish(b), *pieces = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crDecomposeMesh(mesh, NULL, NULL, &sink, &pieces, NULL), cr_errorModel);
  assert_message(log, cr_severityError, "an open mesh has no inside that pieces could be made of");
  crPiecesDef def = crDefaultPiecesDef();
  def.error = -1.0;
  def.volumeError = NAN;
  def.limit = -1;
  def.work = -2.0;
  assert_int_equal(crDecomposeMesh(mesh, &def, NULL, &sink, &pieces, NULL), cr_errorModel);
  assert_message(log, cr_severityError, "the error of pieces must not be negative");
  assert_message(log, cr_severityError, "the volume error of pieces must not be negative");
  assert_message(log, cr_severityError, "the limit of pieces must not be negative");
  assert_message(log, cr_severityError, "the work for pieces must not be negative\n  found -2, allowed: >= 0");
  static const crVec3 points[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
  static const int32_t sides[2][3] = { { 0, 1, 2 }, { 0, 2, 1 } };
  crMeshDef flatDef = crDefaultMeshDef();
  flatDef.points = points;
  flatDef.pointCount = 3;
  flatDef.triangles = sides;
  flatDef.triangleCount = 2;
  crMesh* flat = NULL;
  assert_int_equal(crCreateMesh(&flatDef, NULL, NULL, &flat), cr_ok);
  assert_int_equal(crDecomposeMesh(flat, NULL, NULL, &sink, &pieces, NULL), cr_errorModel);
  assert_message(log, cr_severityError, "the mesh encloses no volume, or none that is finite");
  Builder* spike = calloc(1, sizeof *spike); // a volume, but no hull: it was refused without a word
  assert_non_null(spike);
  crVec3 o = crMakeVec3(0, 0, 0), x = crMakeVec3(1, 0, 0), y = crMakeVec3(0, 1, 0), top = crMakeVec3(0, 0, 1e17);
  addTriangle(spike, o, y, x);
  addTriangle(spike, o, x, top);
  addTriangle(spike, x, y, top);
  addTriangle(spike, y, o, top);
  crMesh* thin = finish(spike);
  assert_int_equal(crDecomposeMesh(thin, NULL, NULL, &sink, &pieces, NULL), cr_errorModel);
  assert_message(log, cr_severityError, "the mesh is flat as far as numbers of its size can tell");
  crReleaseMesh(thin);
  char longName[5000];
  memset(longName, 'x', sizeof longName - 1);
  longName[sizeof longName - 1] = '\0';
  assert_int_equal(crKeepPieces(longName, mesh, 0.0, flat, NULL, &sink), cr_errorFile);
  assert_string_equal(crErrorLog_Get(log, crErrorLog_Count(log) - 1)->message,
                      "the name of the file is too long to keep pieces beside it");
  crReleaseMesh(flat);
  def.size = 1;
  assert_int_equal(crDecomposeMesh(mesh, &def, NULL, &sink, &pieces, NULL), cr_errorMisuse);
  assert_int_equal(crDecomposeMesh(NULL, NULL, NULL, &sink, &pieces, NULL), cr_errorMisuse);
  assert_null(pieces);
  crDestroyErrorLog(log);
  crReleaseMesh(mesh);
}

// -------------------------------------------------------------------------------------------------------- runs

// It was refused without a word: no piece had a volume, and a mesh of no pieces cannot be made.
static void a_needle_without_pieces_is_refused_with_a_message(void** state)
{
  (void)state;
  static const crVec3 points[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1e16 } };
  static const int32_t sides[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 2, 0, 3 } };
  crMeshDef def = crDefaultMeshDef();
  def.points = points;
  def.pointCount = 4;
  def.triangles = sides;
  def.triangleCount = 4;
  crMesh *needle = NULL, *pieces = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crCreateMesh(&def, NULL, &sink, &needle), cr_ok);
  assert_int_equal(crDecomposeMesh(needle, NULL, NULL, &sink, &pieces, NULL), cr_errorModel);
  assert_message(log, cr_severityError, "the mesh has no convex piece with a volume");
  assert_null(pieces);
  crReleaseMesh(needle);
  crDestroyErrorLog(log);
}

static void a_t_drops_into_a_slot_and_lies_in_it(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "t_slot.lua", .stop = 0.5 });
  assert_int_equal(run.model->size.shapeCount, 5); // the block's three, the T's two
  crTestRun_Advance(&run, 0.5);
  crPose X = crTestRun_Pose(&run, "tee");
  crMotion V = crTestRun_Motion(&run, "tee");
  assert_true(crLength(V.v) < 1e-6 && crLength(V.w) < 1e-4);
  assert_close(X.p.z, 0.02, 1e-7); // the flange is on the block, 50 mm high, and 30 mm above the web's end
  assert_true(fabs(X.p.x) < 0.5e-3 + 1e-6);
  assert_true(crMulMV(X.R, crMakeVec3(0.0, 0.0, 1.0)).z > 1.0 - 1e-9);
  assert_true(fabs(crTestRun_Unexplained(&run)) < 1e-6 * 0.37);
  crCloseTestRun(&run);
}

static void a_t_that_rattles_in_a_slot_keeps_its_energy(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(
      &(crTestPlan){ .example = "t_slot.lua", .stop = 0.25, .settings = { { "cor", "1" }, { "muK", "0" } } });
  crTestRun_Advance(&run, 0.25);
  assert_true(fabs(crTestRun_Unexplained(&run)) < 1e-5 * 0.147); // of what falling turns over
  crCloseTestRun(&run);
}

// What is kept beside a file is taken instead of being made, as the same bits; what is not of that mesh is left alone.
static void kept_pieces_are_taken(void** state)
{
  (void)state;
  size_t size;
  char *bytes = crReadTestFile(CAROM_ROOT "/examples/tee.stl", &size), path[512];
  snprintf(path, sizeof path, "%s", crTestPath("tee.stl"));
  crWriteTestFile(path, bytes, size);
  free(bytes);
  crMesh* mesh = NULL;
  assert_int_equal(crReadMesh(path, crMakeVec3(1.0, 1.0, 1.0), NULL, NULL, &mesh), cr_ok);
  crPiecesFacts facts;
  crMesh* pieces = decompose(mesh, 0.0, &facts);
  assert_int_equal(crKeepPieces(path, mesh, 0.0, pieces, NULL, NULL), cr_ok);
  char kept[CR_KEPT_PATH_SIZE];
  assert_true(crFindKeptPieces(path, mesh, 0.0, kept));
  char other[CR_KEPT_PATH_SIZE];
  assert_false(crFindKeptPieces(path, mesh, 1e-3, other)); // of another error
  crMesh* again = crReadKeptPieces(kept, mesh, 0.0, 1 << 20, NULL, NULL);
  assert_non_null(again);
  assert_int_equal(crMesh_GetFacts(again).pieceCount, 2);
  crReleaseMesh(again);
  char* text = crReadTestFile(kept, &size); // without its last piece
  char* second = strstr(text, "\no piece2");
  assert_non_null(second);
  snprintf(path, sizeof path, "%s", crTestPath("cut.obj"));
  crWriteTestFile(path, text, (size_t)(second + 1 - text));
  free(text);
  assert_null(crReadKeptPieces(path, mesh, 0.0, 1 << 20, NULL, NULL));
  const char* model =
      "world('w')\nobject('t', { parent = 'w', solid{ shape = mesh{ file = 'tee.stl', pieces = 'decompose' } } })\n";
  crScene* scene = NULL;
  assert_int_equal(crReadLua(model, strlen(model), "m.lua", crTestPath(""), NULL, NULL, NULL, &scene), cr_ok);
  const crObjectDef* def = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, 1));
  assert_non_null(def->features[0].as.solid.shape.as.mesh.made);
  crDestroyScene(scene);
  crWriteTestFile(kept, "# other\n", 8);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crReadLua(model, strlen(model), "m.lua", crTestPath(""), NULL, NULL, &sink, &scene), cr_ok);
  assert_message(log, cr_severityWarning, "these are no pieces of the mesh beside them");
  def = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, 1));
  assert_null(def->features[0].as.solid.shape.as.mesh.made);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
  crReleaseMesh(pieces);
  crReleaseMesh(mesh);
}

static void errors_of_pieces_that_are_not_made_are_refused(void** state)
{
  (void)state;
  bool one[1] = { true };
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  crMesh* mesh = makeCubes(1, one, 0.1, crIdentityPose());
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  def.as.mesh.mesh = mesh;
  def.as.mesh.error = 1e-3;
  assert_int_equal(crCheckShapeDef(&def, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "error is that of pieces that are made");
  def.as.mesh.pieces = (crMeshPieces)7;
  assert_int_equal(crCheckShapeDef(&def, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "pieces must be one of its values");
  crDestroyErrorLog(log);
  crReleaseMesh(mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_convex_mesh_is_one_piece),
    cmocka_unit_test(random_solids_are_cut_exactly),
    cmocka_unit_test(pieces_of_a_round_body_are_within_the_error),
    cmocka_unit_test(a_large_mesh_is_cut_as_finely_as_its_work_allows),
    cmocka_unit_test(a_volume_error_and_a_limit_end_cutting),
    cmocka_unit_test(pieces_are_the_same_each_time_and_from_a_file),
    cmocka_unit_test(memory_that_ends_is_told_and_given_back),
    cmocka_unit_test(bad_meshes_and_errors_are_refused),
    cmocka_unit_test(a_needle_without_pieces_is_refused_with_a_message),
    cmocka_unit_test(a_t_drops_into_a_slot_and_lies_in_it),
    cmocka_unit_test(a_t_that_rattles_in_a_slot_keeps_its_energy),
    cmocka_unit_test(kept_pieces_are_taken),
    cmocka_unit_test(errors_of_pieces_that_are_not_made_are_refused),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
