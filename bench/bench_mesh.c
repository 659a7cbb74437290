// Time to read a binary STL file of 10^6 triangles, against the least that any reader must do: reading the
// bytes and hashing each vertex once. Best of five; the error of the volume shows what the time bought.
#include "base/map.h"
#include "base/read_file.h"
#include "carom/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROWS 500 // of 2 x COLUMNS triangles, the first and the last of half as many
#define COLUMNS 1003
#define TRIANGLES (2 * COLUMNS * (ROWS - 1))
#define RUNS 5
#define HEADER 84
#define RECORD 50
#define RATIO_LIMIT 3.0

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static crVec3 spherePoint(int row, int column)
{
  if (row == 0 || row == ROWS) {
    return crMakeVec3(0.0, 0.0, row == 0 ? 1.0 : -1.0);
  }
  double theta = CR_PI * row / ROWS, phi = 2.0 * CR_PI * (column % COLUMNS) / COLUMNS;
  return crMakeVec3(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
}

static void writeTriangle(FILE* file, crVec3 a, crVec3 b, crVec3 c)
{
  const crVec3 points[3] = { a, b, c };
  unsigned char record[RECORD] = { 0 };
  for (int k = 0; k < 3; ++k) {
    float xyz[3] = { (float)points[k].x, (float)points[k].y, (float)points[k].z };
    memcpy(record + 12 + 12 * k, xyz, sizeof xyz);
  }
  fwrite(record, 1, sizeof record, file);
}

static void writeSphere(FILE* file)
{
  unsigned char header[HEADER] = "sphere";
  uint32_t count = TRIANGLES;
  memcpy(header + HEADER - 4, &count, sizeof count);
  fwrite(header, 1, sizeof header, file);
  for (int row = 0; row < ROWS; ++row) {
    for (int column = 0; column < COLUMNS; ++column) {
      crVec3 a = spherePoint(row, column), b = spherePoint(row + 1, column);
      crVec3 c = spherePoint(row + 1, column + 1), d = spherePoint(row, column + 1);
      if (row + 1 < ROWS) {
        writeTriangle(file, a, b, c);
      }
      if (row > 0) {
        writeTriangle(file, a, c, d);
      }
    }
  }
}

// Returns a sum of the hashes, so that nothing is left out by the compiler.
static uint64_t hashVertices(const char* bytes)
{
  uint64_t sum = 0;
  for (int t = 0; t < TRIANGLES; ++t) {
    for (int k = 0; k < 3; ++k) {
      sum += crHashBytes(bytes + HEADER + (size_t)t * RECORD + 12 + 12 * k, 12);
    }
  }
  return sum;
}

static double timeLeast(const char* path, uint64_t* sum)
{
  double start = now();
  char* bytes;
  size_t size;
  if (crReadFile(path, SIZE_MAX / 4, NULL, NULL, &bytes, &size) != cr_ok) {
    return HUGE_VAL;
  }
  *sum += hashVertices(bytes);
  free(bytes);
  return now() - start;
}

static double timeReader(const char* path, crMeshFacts* facts)
{
  double start = now();
  crMesh* mesh;
  if (crReadMesh(path, crMakeVec3(1.0, 1.0, 1.0), NULL, NULL, &mesh) != cr_ok) {
    return HUGE_VAL;
  }
  double time = now() - start;
  *facts = crMesh_GetFacts(mesh);
  crReleaseMesh(mesh);
  return time;
}

static int measure(const char* path)
{
  double least = HUGE_VAL, reader = HUGE_VAL;
  uint64_t sum = 0;
  crMeshFacts facts = { 0 };
  for (int run = 0; run < RUNS; ++run) {
    least = fmin(least, timeLeast(path, &sum));
    reader = fmin(reader, timeReader(path, &facts));
  }
  double volume = 4.0 * CR_PI / 3.0;
  printf("compiler                    %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  printf("triangles, points           %d, %d (open edges %d)\n", facts.triangleCount, facts.pointCount,
         facts.openEdgeCount);
  printf("relative error of volume    %.2e\n", facts.volume / volume - 1.0);
  printf("read bytes, hash vertices   %.1f ms (sum %016llx)\n", 1e3 * least, (unsigned long long)sum);
  printf("read mesh                   %.1f ms\n", 1e3 * reader);
  printf("ratio                       %.2f (limit %.1f)\n", reader / least, RATIO_LIMIT);
  return facts.isClosed && reader <= RATIO_LIMIT * least ? 0 : 1;
}

int main(void)
{
  char path[] = "/tmp/carom_bench_XXXXXX.stl";
  int descriptor = mkstemps(path, 4);
  FILE* file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  if (file == NULL) {
    perror(path);
    return 1;
  }
  writeSphere(file);
  int result = 1;
  if (fclose(file) == 0) {
    result = measure(path);
  } else {
    perror(path);
  }
  unlink(path);
  return result;
}
