// Results in memory: made, looked at, and freed.
#include "record/result.h"

#define CR_TRANSPOSE_BLOCK 8 // columns written side by side: a cache line of each

crResult* crCreateResultInMemory(const crAllocator* allocator)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crResult* result = crAllocateZero(&chosen, 1, sizeof *result);
  if (result != NULL) {
    result->allocator = chosen;
    crArena_Init(&result->arena, &chosen);
    crMap_Init(&result->names, &chosen);
  }
  return result;
}

void crDestroyResult(crResult* result)
{
  if (result == NULL) {
    return;
  }
  crAllocator allocator = result->allocator;
  size_t rows = (size_t)result->rowCount, columns = (size_t)result->columnCount;
  crFree(&allocator, result->times, rows * sizeof(double));
  crFree(&allocator, result->values, rows * columns * sizeof(double));
  crFree(&allocator, result->poses, rows * (size_t)result->bodyCount * CR_POSE_SIZE * sizeof(float));
  crFree(&allocator, result->kinds, rows);
  for (int i = 0; i < result->meshCount; ++i) {
    crReleaseMesh(result->meshes[i].mesh);
  }
  crMap_Free(&result->names);
  crArena_Free(&result->arena);
  crFree(&allocator, result, sizeof *result);
}

// ----------------------------------------------------------------------------------------- filling

void crResult_SpreadRows(crResult* result, int first, int count, const double* rows)
{
  size_t columns = (size_t)result->columnCount, stride = (size_t)result->rowCount;
  for (size_t block = 0; block < columns; block += CR_TRANSPOSE_BLOCK) {
    size_t end = block + CR_TRANSPOSE_BLOCK < columns ? block + CR_TRANSPOSE_BLOCK : columns;
    for (int r = 0; r < count; ++r) {
      for (size_t c = block; c < end; ++c) {
        result->values[c * stride + (size_t)(first + r)] = rows[(size_t)r * columns + c];
      }
    }
  }
}

bool crResult_MapColumns(crResult* result)
{
  for (int i = 0; i < result->columnCount; ++i) {
    if (!crMap_SetString(&result->names, result->columns[i].name, i)) {
      return false;
    }
  }
  return true;
}

// ----------------------------------------------------------------------------------------- looking

int crResult_CountRows(const crResult* result)
{
  return result != NULL ? result->rowCount : 0;
}

int crResult_CountColumns(const crResult* result)
{
  return result != NULL ? result->columnCount : 0;
}

const crColumn* crResult_GetColumn(const crResult* result, int column)
{
  return column >= 0 && column < crResult_CountColumns(result) ? &result->columns[column] : NULL;
}

int crResult_FindColumn(const crResult* result, const char* name)
{
  return result != NULL && name != NULL ? crMap_FindString(&result->names, name) : -1;
}

const double* crResult_GetTimes(const crResult* result)
{
  return result != NULL ? result->times : NULL;
}

const double* crResult_GetValues(const crResult* result, int column)
{
  bool exists = column >= 0 && column < crResult_CountColumns(result);
  return exists ? result->values + (size_t)column * (size_t)result->rowCount : NULL;
}

crRowKind crResult_GetRowKind(const crResult* result, int row)
{
  bool isKnown = row >= 0 && row < crResult_CountRows(result) && result->kinds != NULL;
  return isKnown ? (crRowKind)result->kinds[row] : cr_rowOutput;
}

int crResult_CountEvents(const crResult* result)
{
  return result != NULL ? result->eventCount : 0;
}

const crResultEvent* crResult_GetEvent(const crResult* result, int index)
{
  return index >= 0 && index < crResult_CountEvents(result) ? &result->events[index] : NULL;
}

crResultFacts crResult_GetFacts(const crResult* result)
{
  return result != NULL ? result->facts : (crResultFacts){ 0 };
}

int crResult_CountBodies(const crResult* result)
{
  return result != NULL ? result->bodyCount : 0;
}

const char* crResult_GetBody(const crResult* result, int body)
{
  return body >= 0 && body < crResult_CountBodies(result) ? result->bodies[body] : NULL;
}

const float* crResult_GetPoses(const crResult* result, int row)
{
  bool exists = row >= 0 && row < crResult_CountRows(result) && result->bodyCount > 0;
  return exists ? result->poses + (size_t)row * (size_t)result->bodyCount * CR_POSE_SIZE : NULL;
}

const crMeshFile* crResult_GetMeshes(const crResult* result, int* outCount)
{
  int count = result != NULL ? result->meshCount : 0;
  if (outCount != NULL) {
    *outCount = count;
  }
  return count > 0 ? result->meshes : NULL;
}
