// Triangle meshes: checked when created, immutable afterwards, shared by an atomic count.
//
// Open edges are found in linear time: the directed edges are sorted into buckets by their lower point
// (a perfect hash), and within a bucket counted per upper point. Pieces that touch have edges at the same place, so
// each piece is counted by itself where the whole does not close; a surface in several groups closes as a whole.
#include "geometry/mesh.h"

#include "base/memory.h"
#include "base/report.h"
#include "geometry/moments.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define CR_TRIANGLE_LIMIT (INT32_MAX / 3) // [-] so that edges can be counted with an int
#define CR_BREACH_REPORTS 8               // [-] bad points or triangles named one by one

struct crMesh {
  atomic_int referenceCount;
  crAllocator allocator;
  crMeshArrays arrays;
  crMeshFacts facts;
};

// -------------------------------------------------------------------------------------------- checks

// Names the first few breaches of a kind, counts the others.
static bool mayReport(int* count, crReporter* reporter, const char* things)
{
  if (++*count == CR_BREACH_REPORTS + 1) {
    crReportError(reporter, "more %s like these follow", things);
  }
  return *count <= CR_BREACH_REPORTS;
}

static void checkPoints(const crMeshDef* def, crReporter* reporter)
{
  int badCount = 0;
  for (int i = 0; i < def->pointCount; ++i) {
    if (!crIsFiniteVec3(def->points[i]) && mayReport(&badCount, reporter, "points")) {
      char message[80], found[96];
      crVec3 p = def->points[i];
      snprintf(message, sizeof message, "point %d of the mesh is not finite", i);
      snprintf(found, sizeof found, "(%.6g, %.6g, %.6g)", p.x, p.y, p.z);
      crComplaint complaint = { message, found, "finite", "m", NULL };
      crReport(reporter, cr_severityError, cr_errorModel, &complaint);
    }
  }
}

static void checkTriangles(const crMeshDef* def, crReporter* reporter)
{
  int badCount = 0;
  uint32_t limit = (uint32_t)def->pointCount;
  for (int t = 0; t < def->triangleCount; ++t) {
    const int32_t* c = def->triangles[t];
    if ((uint32_t)c[0] < limit && (uint32_t)c[1] < limit && (uint32_t)c[2] < limit) {
      continue;
    }
    if (mayReport(&badCount, reporter, "triangles")) {
      char message[80], found[64], allowed[32];
      snprintf(message, sizeof message, "triangle %d of the mesh names a point that does not exist", t);
      snprintf(found, sizeof found, "(%d, %d, %d)", c[0], c[1], c[2]);
      snprintf(allowed, sizeof allowed, "0 ... %d", def->pointCount - 1);
      crComplaint complaint = { message, found, allowed, NULL, NULL };
      crReport(reporter, cr_severityError, cr_errorModel, &complaint);
    }
  }
}

static void checkPieces(const crMeshDef* def, crReporter* reporter)
{
  if (def->pieceStarts == NULL) {
    return;
  }
  int badCount = 0;
  for (int i = 0; i < def->pieceCount; ++i) {
    int32_t start = def->pieceStarts[i], lowest = i > 0 ? def->pieceStarts[i - 1] + 1 : 0;
    int32_t highest = i > 0 ? def->triangleCount - 1 : 0;
    if ((start < lowest || start > highest) && mayReport(&badCount, reporter, "pieces")) {
      char message[80], allowed[48];
      snprintf(message, sizeof message, "piece %d of the mesh starts at a wrong triangle", i);
      snprintf(allowed, sizeof allowed, "%d ... %d", lowest, highest);
      crReportNumber(reporter, message, start, allowed, NULL, "every piece has at least one triangle");
    }
  }
}

static crStatus checkDef(const crMeshDef* def, crReporter* reporter)
{
  if (def->triangleCount <= 0 || def->pointCount <= 0) {
    crReportError(reporter, "the mesh has no triangles");
    return cr_errorModel;
  }
  if (def->triangleCount > CR_TRIANGLE_LIMIT) {
    char found[16], allowed[32];
    snprintf(found, sizeof found, "%d", def->triangleCount);
    snprintf(allowed, sizeof allowed, "<= %d", CR_TRIANGLE_LIMIT);
    crComplaint complaint = { "the mesh has too many triangles", found, allowed, NULL, NULL };
    crReport(reporter, cr_severityError, cr_errorLimit, &complaint);
    return cr_errorLimit;
  }
  checkPoints(def, reporter);
  checkTriangles(def, reporter);
  checkPieces(def, reporter);
  return reporter->errorCount == 0 ? cr_ok : cr_errorModel;
}

// --------------------------------------------------------------------------------------------- facts

static bool hasRepeatedCorner(const int32_t c[3])
{
  return c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
}

// Directed edges by lower point. An entry is the upper point, doubled, plus 1 when the edge runs downward.
typedef struct EdgeBuckets {
  uint32_t* starts;  // (pointCount + 1)
  uint32_t* entries; // (3 triangleCount)
  uint32_t* pieces;  // (3 triangleCount) piece of each entry, ascending in a bucket; NULL: there is one piece
  uint8_t* seen;     // (pointCount) low nibble: upward edges to this point, high nibble: downward; each <= 3
} EdgeBuckets;

// starts[a] becomes the first entry of point a.
static void countEdges(const crMesh* mesh, uint32_t* starts)
{
  for (int t = 0; t < mesh->facts.triangleCount; ++t) {
    const int32_t* c = mesh->arrays.triangles[t];
    if (!hasRepeatedCorner(c)) {
      ++starts[c[0] < c[1] ? c[0] : c[1]];
      ++starts[c[1] < c[2] ? c[1] : c[2]];
      ++starts[c[2] < c[0] ? c[2] : c[0]];
    }
  }
  uint32_t sum = 0;
  for (int i = 0; i <= mesh->facts.pointCount; ++i) {
    uint32_t count = starts[i];
    starts[i] = sum;
    sum += count;
  }
}

static void enterEdge(EdgeBuckets* buckets, int32_t from, int32_t to, int piece)
{
  bool isUpward = from < to;
  int32_t lower = isUpward ? from : to, upper = isUpward ? to : from;
  uint32_t place = buckets->starts[lower]++;
  buckets->entries[place] = (uint32_t)upper << 1 | (isUpward ? 0u : 1u);
  if (buckets->pieces != NULL) {
    buckets->pieces[place] = (uint32_t)piece;
  }
}

// Counts the edges of some entries that are not met by exactly one edge in each direction.
static int countOpen(const EdgeBuckets* buckets, uint32_t start, uint32_t end)
{
  const uint8_t isPaired = 0x11;
  int openCount = 0;
  for (uint32_t k = start; k < end; ++k) {
    uint8_t* seen = &buckets->seen[buckets->entries[k] >> 1];
    int shift = (buckets->entries[k] & 1) != 0 ? 4 : 0;
    *seen = (uint8_t)(*seen + ((*seen >> shift & 3) < 3 ? 1 << shift : 0));
  }
  for (uint32_t k = start; k < end; ++k) {
    uint8_t* seen = &buckets->seen[buckets->entries[k] >> 1];
    openCount += *seen != 0 && *seen != isPaired;
    *seen = 0;
  }
  return openCount;
}

// Of one bucket: as a whole, or piece by piece where fewer are open then.
static int countOpenInBucket(const EdgeBuckets* buckets, uint32_t start, uint32_t end)
{
  int whole = countOpen(buckets, start, end), single = 0;
  if (whole == 0 || buckets->pieces == NULL) {
    return whole;
  }
  for (uint32_t k = start, next = start; k < end; k = next) {
    while (next < end && buckets->pieces[next] == buckets->pieces[k]) {
      ++next;
    }
    single += countOpen(buckets, k, next);
  }
  return single < whole ? single : whole;
}

static int fillAndCount(const crMesh* mesh, EdgeBuckets* buckets)
{
  countEdges(mesh, buckets->starts);
  for (int t = 0, piece = 0; t < mesh->facts.triangleCount; ++t) {
    const int32_t* c = mesh->arrays.triangles[t];
    piece += piece + 1 < mesh->facts.pieceCount && mesh->arrays.pieceStarts[piece + 1] == t;
    if (!hasRepeatedCorner(c)) {
      enterEdge(buckets, c[0], c[1], piece);
      enterEdge(buckets, c[1], c[2], piece);
      enterEdge(buckets, c[2], c[0], piece);
    }
  }
  // each start has moved to its bucket's end, which is where the next bucket begins
  int openCount = 0;
  uint32_t start = 0;
  for (int a = 0; a < mesh->facts.pointCount; ++a) {
    openCount += countOpenInBucket(buckets, start, buckets->starts[a]);
    start = buckets->starts[a];
  }
  return openCount;
}

// -1 when out of memory.
static int countOpenEdges(const crMesh* mesh)
{
  size_t pointCount = (size_t)mesh->facts.pointCount, edgeCount = 3 * (size_t)mesh->facts.triangleCount;
  bool hasPieces = mesh->facts.pieceCount > 1;
  EdgeBuckets buckets = { crAllocateZero(&mesh->allocator, pointCount + 1, sizeof *buckets.starts),
                          crAllocate(&mesh->allocator, edgeCount * sizeof *buckets.entries),
                          hasPieces ? crAllocate(&mesh->allocator, edgeCount * sizeof *buckets.pieces) : NULL,
                          crAllocateZero(&mesh->allocator, pointCount, sizeof *buckets.seen) };
  int openCount = -1;
  if (buckets.starts != NULL && buckets.entries != NULL && buckets.seen != NULL &&
      (buckets.pieces != NULL || !hasPieces)) {
    openCount = fillAndCount(mesh, &buckets);
  }
  crFree(&mesh->allocator, buckets.starts, (pointCount + 1) * sizeof *buckets.starts);
  crFree(&mesh->allocator, buckets.entries, edgeCount * sizeof *buckets.entries);
  if (hasPieces) {
    crFree(&mesh->allocator, buckets.pieces, edgeCount * sizeof *buckets.pieces);
  }
  crFree(&mesh->allocator, buckets.seen, pointCount * sizeof *buckets.seen);
  return openCount;
}

static double lower(double a, double b)
{
  return a < b ? a : b; // of finite numbers: fmin would be a call for the sake of nan
}

static double higher(double a, double b)
{
  return a > b ? a : b;
}

static crAabb computeBounds(const crMesh* mesh)
{
  crAabb b = crEmptyAabb();
  const int32_t* corners = (const int32_t*)mesh->arrays.triangles;
  for (size_t k = 0; k < 3 * (size_t)mesh->facts.triangleCount; ++k) {
    crVec3 p = mesh->arrays.points[corners[k]];
    b.min = crMakeVec3(lower(b.min.x, p.x), lower(b.min.y, p.y), lower(b.min.z, p.z));
    b.max = crMakeVec3(higher(b.max.x, p.x), higher(b.max.y, p.y), higher(b.max.z, p.z));
  }
  return b;
}

static crVec3 middleOf(const crMesh* mesh)
{
  return crMulAdd(crScale(0.5, mesh->facts.bounds.min), 0.5, mesh->facts.bounds.max);
}

// Six times the signed volume of some triangles.
static double sumDeterminants(const crMesh* mesh, crVec3 origin, int start, int end)
{
  double sum = 0.0;
  for (int t = start; t < end; ++t) {
    const int32_t* c = mesh->arrays.triangles[t];
    crVec3 a = crSub(mesh->arrays.points[c[0]], origin);
    crVec3 b = crSub(mesh->arrays.points[c[1]], origin);
    sum += crDot(crSub(mesh->arrays.points[c[2]], origin), crCross(a, b));
  }
  return sum;
}

static double computeVolume(const crMesh* mesh)
{
  double sum = 0.0;
  int count = mesh->facts.triangleCount;
  for (int start = 0; start < count; start += CR_MOMENTS_BLOCK) {
    int end = count - start > CR_MOMENTS_BLOCK ? start + CR_MOMENTS_BLOCK : count;
    sum += sumDeterminants(mesh, middleOf(mesh), start, end);
  }
  return sum / 6.0;
}

// ------------------------------------------------------------------------------------------ creation

static void freeArrays(crMeshArrays* arrays, const crAllocator* allocator)
{
  crFree(allocator, arrays->points, (size_t)arrays->pointCapacity * sizeof *arrays->points);
  crFree(allocator, arrays->triangles, (size_t)arrays->triangleCapacity * sizeof *arrays->triangles);
  crFree(allocator, arrays->pieceStarts, (size_t)arrays->pieceCapacity * sizeof *arrays->pieceStarts);
  memset(arrays, 0, sizeof *arrays);
}

static crMeshDef viewArrays(const crMeshArrays* arrays)
{
  crMeshDef def = { .size = sizeof def,
                    .points = arrays->points,
                    .pointCount = arrays->pointCount,
                    .triangles = (const int32_t(*)[3])arrays->triangles,
                    .triangleCount = arrays->triangleCount,
                    .pieceStarts = arrays->pieceStarts,
                    .pieceCount = arrays->pieceCount };
  return def;
}

static void* copyItems(const void* items, int count, size_t itemSize, const crAllocator* allocator)
{
  void* copy = crAllocate(allocator, (size_t)count * itemSize);
  if (copy != NULL) {
    memcpy(copy, items, (size_t)count * itemSize);
  }
  return copy;
}

// false: out of memory, and nothing is left allocated.
static bool copyDef(const crMeshDef* def, const crAllocator* allocator, crMeshArrays* outArrays)
{
  static const int32_t onePiece[1] = { 0 };
  const int32_t* pieceStarts = def->pieceStarts != NULL ? def->pieceStarts : onePiece;
  int pieceCount = def->pieceStarts != NULL ? def->pieceCount : 1;
  crMeshArrays arrays = { copyItems(def->points, def->pointCount, sizeof *def->points, allocator),
                          def->pointCount,
                          def->pointCount,
                          copyItems(def->triangles, def->triangleCount, sizeof *def->triangles, allocator),
                          def->triangleCount,
                          def->triangleCount,
                          copyItems(pieceStarts, pieceCount, sizeof *pieceStarts, allocator),
                          pieceCount,
                          pieceCount };
  if (arrays.points == NULL || arrays.triangles == NULL || arrays.pieceStarts == NULL) {
    freeArrays(&arrays, allocator);
    return false;
  }
  *outArrays = arrays;
  return true;
}

// Gives back what is beyond count; an allocator that cannot shrink a block keeps it.
static void trim(void** items, int* capacity, int count, size_t itemSize, const crAllocator* allocator)
{
  if (count < *capacity) {
    void* trimmed = crReallocate(allocator, *items, (size_t)*capacity * itemSize, (size_t)count * itemSize);
    if (trimmed != NULL) {
      *items = trimmed;
      *capacity = count;
    }
  }
}

static bool findFacts(crMesh* mesh)
{
  mesh->facts.bounds = computeBounds(mesh);
  mesh->facts.volume = computeVolume(mesh);
  mesh->facts.openEdgeCount = countOpenEdges(mesh);
  mesh->facts.isClosed = mesh->facts.openEdgeCount == 0;
  return mesh->facts.openEdgeCount >= 0;
}

static crStatus reportMemory(crReporter* reporter)
{
  crComplaint complaint = { .message = "out of memory while making a mesh" };
  crReport(reporter, cr_severityError, cr_errorMemory, &complaint);
  return cr_errorMemory;
}

// The arrays have been checked.
static crMesh* makeMesh(crMeshArrays* arrays, const crAllocator* allocator)
{
  crMesh* mesh = crAllocateZero(allocator, 1, sizeof *mesh);
  if (mesh == NULL) {
    return NULL;
  }
  atomic_init(&mesh->referenceCount, 1);
  mesh->allocator = *allocator;
  mesh->arrays = *arrays;
  mesh->facts.pointCount = arrays->pointCount;
  mesh->facts.triangleCount = arrays->triangleCount;
  mesh->facts.pieceCount = arrays->pieceCount;
  if (!findFacts(mesh)) {
    crFree(allocator, mesh, sizeof *mesh);
    return NULL;
  }
  crMeshArrays* own = &mesh->arrays;
  trim((void**)&own->points, &own->pointCapacity, own->pointCount, sizeof *own->points, allocator);
  trim((void**)&own->triangles, &own->triangleCapacity, own->triangleCount, sizeof *own->triangles, allocator);
  trim((void**)&own->pieceStarts, &own->pieceCapacity, own->pieceCount, sizeof *own->pieceStarts, allocator);
  memset(arrays, 0, sizeof *arrays);
  return mesh;
}

crStatus crAdoptMesh(crMeshArrays* arrays, const crAllocator* allocator, const crErrorSink* sink, crMesh** outMesh)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  crMeshDef def = viewArrays(arrays);
  crStatus status = checkDef(&def, &reporter);
  *outMesh = status == cr_ok ? makeMesh(arrays, &chosen) : NULL;
  return status == cr_ok && *outMesh == NULL ? reportMemory(&reporter) : status;
}

crMeshDef crDefaultMeshDef(void)
{
  crMeshDef def = { .size = sizeof def };
  return def;
}

crStatus crCreateMesh(const crMeshDef* def, const crAllocator* allocator, const crErrorSink* sink, crMesh** outMesh)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  if (outMesh != NULL) {
    *outMesh = NULL;
  }
  if (outMesh == NULL || def == NULL || !crCheckSize(&reporter, "crMeshDef", def->size, sizeof *def)) {
    return cr_errorMisuse;
  }
  if ((def->points == NULL && def->pointCount > 0) || (def->triangles == NULL && def->triangleCount > 0) ||
      (def->pieceStarts != NULL && def->pieceCount <= 0)) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crStatus status = checkDef(def, &reporter);
  if (status != cr_ok) {
    return status;
  }
  crMeshArrays arrays;
  if (!copyDef(def, &chosen, &arrays)) {
    return reportMemory(&reporter);
  }
  *outMesh = makeMesh(&arrays, &chosen);
  if (*outMesh == NULL) {
    freeArrays(&arrays, &chosen);
    return reportMemory(&reporter);
  }
  return cr_ok;
}

// The count is the one thing that changes in a mesh that everybody sees as const.
static atomic_int* countOf(const crMesh* mesh)
{
  return &((crMesh*)mesh)->referenceCount;
}

const crMesh* crRetainMesh(const crMesh* mesh)
{
  if (mesh != NULL) {
    atomic_fetch_add_explicit(countOf(mesh), 1, memory_order_relaxed);
  }
  return mesh;
}

void crReleaseMesh(const crMesh* mesh)
{
  if (mesh != NULL && atomic_fetch_sub_explicit(countOf(mesh), 1, memory_order_acq_rel) == 1) {
    crMesh* last = (crMesh*)mesh;
    crAllocator allocator = mesh->allocator;
    freeArrays(&last->arrays, &allocator);
    crFree(&allocator, last, sizeof *last);
  }
}

// ------------------------------------------------------------------------------------------- queries

crMeshDef crMesh_GetDef(const crMesh* mesh)
{
  return mesh != NULL ? viewArrays(&mesh->arrays) : crDefaultMeshDef();
}

crMeshFacts crMesh_GetFacts(const crMesh* mesh)
{
  return mesh != NULL ? mesh->facts : (crMeshFacts){ 0 };
}

void crMesh_GetPiece(const crMesh* mesh, int piece, int* outTriangleStart, int* outTriangleCount)
{
  bool isLast = piece + 1 == mesh->facts.pieceCount;
  int end = isLast ? mesh->facts.triangleCount : mesh->arrays.pieceStarts[piece + 1];
  *outTriangleStart = mesh->arrays.pieceStarts[piece];
  *outTriangleCount = end - mesh->arrays.pieceStarts[piece];
}

static crMoments sumMoments(const crMesh* mesh, crVec3 origin, int start, int end)
{
  crMoments moments = { 0 };
  for (int t = start; t < end; ++t) {
    const int32_t* c = mesh->arrays.triangles[t];
    crMoments_AddTriangle(&moments, crSub(mesh->arrays.points[c[0]], origin), crSub(mesh->arrays.points[c[1]], origin),
                          crSub(mesh->arrays.points[c[2]], origin));
  }
  return moments;
}

crInertia crMesh_ComputeInertia(const crMesh* mesh)
{
  crMoments total = { 0 };
  int count = mesh->facts.triangleCount;
  for (int start = 0; start < count; start += CR_MOMENTS_BLOCK) {
    int end = count - start > CR_MOMENTS_BLOCK ? start + CR_MOMENTS_BLOCK : count;
    crMoments block = sumMoments(mesh, middleOf(mesh), start, end);
    crMoments_Add(&total, &block);
  }
  return crMoments_ComputeInertia(&total, middleOf(mesh));
}
