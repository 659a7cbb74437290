// From the triangles of a file to a mesh: merged points, scale, pieces.
#include "mesh/mesh_builder.h"

#include "geometry/mesh.h"

#include <stdio.h>
#include <string.h>

static bool isGoodScale(double scale)
{
  return isfinite(scale) && scale != 0.0;
}

crStatus crMeshBuilder_Init(crMeshBuilder* builder, crVec3 scale, const crAllocator* allocator, crReporter* reporter)
{
  memset(builder, 0, sizeof *builder);
  builder->allocator = crChooseAllocator(allocator);
  builder->reporter = reporter;
  builder->scale = scale;
  crPointMap_Init(&builder->map, &builder->allocator);
  if (isGoodScale(scale.x) && isGoodScale(scale.y) && isGoodScale(scale.z)) {
    return cr_ok;
  }
  char found[96];
  snprintf(found, sizeof found, "(%.6g, %.6g, %.6g)", scale.x, scale.y, scale.z);
  crComplaint complaint = { "the scale of the mesh cannot be used", found, "finite and not zero", NULL, NULL };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

void crMeshBuilder_Free(crMeshBuilder* builder)
{
  crPointMap_Free(&builder->map);
  crFree(&builder->allocator, builder->triangles, (size_t)builder->triangleCapacity * sizeof *builder->triangles);
  crArray_Free(&builder->pieceStarts, &builder->allocator);
}

bool crMeshBuilder_Reserve(crMeshBuilder* builder, int triangleCount)
{
  size_t old = (size_t)builder->triangleCapacity * sizeof *builder->triangles;
  size_t new = (size_t)triangleCount * sizeof *builder->triangles;
  int32_t(*moved)[3] = triangleCount > 0 ? crReallocate(&builder->allocator, builder->triangles, old, new) : NULL;
  if (moved == NULL) {
    return triangleCount == 0;
  }
  builder->triangles = moved;
  builder->triangleCapacity = triangleCount;
  // Euler: a closed surface has half as many points as triangles, plus two
  return crPointMap_Reserve(&builder->map, triangleCount / 2 + 2);
}

int crMeshBuilder_AddPoint(crMeshBuilder* builder, crVec3 point)
{
  return crPointMap_Add(&builder->map, point);
}

bool crMeshBuilder_AddPoints(crMeshBuilder* builder, const crVec3* points, int count, int32_t* outIndices)
{
  return crPointMap_AddAll(&builder->map, points, count, outIndices);
}

void crMeshBuilder_EndPiece(crMeshBuilder* builder)
{
  builder->isPieceOpen = false;
}

static bool beginPiece(crMeshBuilder* builder)
{
  int32_t* start = crArray_Push(&builder->pieceStarts, &builder->allocator);
  if (start == NULL) {
    return false;
  }
  *start = builder->triangleCount;
  builder->isPieceOpen = true;
  return true;
}

bool crMeshBuilder_AddTriangle(crMeshBuilder* builder, int a, int b, int c)
{
  if (a == b || b == c || c == a) {
    ++builder->degenerateCount;
    return true;
  }
  if (builder->triangleCount == builder->triangleCapacity &&
      !crGrow(&builder->allocator, (void**)&builder->triangles, &builder->triangleCapacity, builder->triangleCount,
              sizeof *builder->triangles)) {
    return false;
  }
  if (!builder->isPieceOpen && !beginPiece(builder)) {
    return false;
  }
  int32_t* corners = builder->triangles[builder->triangleCount++];
  corners[0] = a;
  corners[1] = b;
  corners[2] = c;
  return true;
}

// A mirror image has its triangles the other way round.
static void turnTriangles(crMeshBuilder* builder)
{
  for (int t = 0; t < builder->triangleCount; ++t) {
    int32_t* corners = builder->triangles[t];
    int32_t swap = corners[1];
    corners[1] = corners[2];
    corners[2] = swap;
  }
}

static crStatus applyScale(crMeshBuilder* builder)
{
  crVec3 s = builder->scale;
  if (s.x == 1.0 && s.y == 1.0 && s.z == 1.0) {
    return cr_ok;
  }
  bool isFinite = true;
  for (int i = 0; i < builder->map.count; ++i) {
    crVec3* p = &builder->map.points[i];
    *p = crMakeVec3(s.x * p->x, s.y * p->y, s.z * p->z);
    isFinite = isFinite && crIsFiniteVec3(*p);
  }
  if (!isFinite) {
    crReportError(builder->reporter, "the scale (%.6g, %.6g, %.6g) makes the coordinates of the mesh overflow", s.x,
                  s.y, s.z);
    return cr_errorModel;
  }
  // signs one by one: the product of three small numbers can be zero
  if (((s.x < 0.0) ^ (s.y < 0.0) ^ (s.z < 0.0)) != 0) {
    turnTriangles(builder);
  }
  return cr_ok;
}

crStatus crMeshBuilder_ReportMemory(crMeshBuilder* builder)
{
  crComplaint complaint = { .message = "out of memory while reading a mesh" };
  crReport(builder->reporter, cr_severityError, cr_errorMemory, &complaint);
  return cr_errorMemory;
}

static crStatus reportEmpty(crMeshBuilder* builder)
{
  char message[96] = "the mesh has no triangles";
  if (builder->degenerateCount > 0) {
    snprintf(message, sizeof message, "in all %d triangles of the mesh corners coincide", builder->degenerateCount);
  }
  crComplaint complaint = { .message = message };
  crReport(builder->reporter, cr_severityError, cr_errorSyntax, &complaint);
  return cr_errorSyntax;
}

crStatus crMeshBuilder_Finish(crMeshBuilder* builder, crMesh** outMesh)
{
  if (builder->triangleCount == 0) {
    return reportEmpty(builder);
  }
  crStatus status = applyScale(builder);
  if (status != cr_ok) {
    return status;
  }
  if (builder->degenerateCount > 0) {
    crReportWarning(builder->reporter, "left out %d of %d triangles of the mesh, because corners of theirs coincide",
                    builder->degenerateCount, builder->degenerateCount + builder->triangleCount);
  }
  crMeshArrays arrays = { builder->map.points,        builder->map.count,         builder->map.capacity,
                          builder->triangles,         builder->triangleCount,     builder->triangleCapacity,
                          builder->pieceStarts.items, builder->pieceStarts.count, builder->pieceStarts.capacity };
  crErrorSink sink = crReporter_Sink(builder->reporter);
  status = crAdoptMesh(&arrays, &builder->allocator, &sink, outMesh);
  if (status == cr_ok) {
    // the arrays belong to the mesh now
    builder->map.points = NULL;
    builder->map.count = builder->map.capacity = 0;
    builder->triangles = NULL;
    builder->triangleCount = builder->triangleCapacity = 0;
    memset(&builder->pieceStarts, 0, sizeof builder->pieceStarts);
  }
  return status;
}
