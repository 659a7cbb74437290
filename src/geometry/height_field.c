#include "geometry/height_field.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define CR_DEPTH_OF_WIDTH 0.1 // [-] of the width: depth unless given
#define CR_FLATNESS 1e-12     // [-] of the width: heights that differ by less from a plane are on it

// Samples of the surface, and what is below.
typedef struct Field {
  crAllocator allocator;
  int columnCount, rowCount; // of samples
  double* heights;           // [m] (rowCount x columnCount)
  double width, length, base;
  crArrayOf(crVec3) points;
  crArrayOf(int32_t) corners; // three of each triangle
  crArrayOf(int32_t) starts;  // of pieces
  bool hasFailed;             // out of memory
} Field;

// --------------------------------------------------------------------------------------------------- checks

static int refineOf(const crShapeDef* def)
{
  return def->as.heightField.refine > 0 ? def->as.heightField.refine : 1;
}

static void checkHeights(const crShapeDef* def, crReporter* reporter)
{
  int columnCount = def->as.heightField.columnCount;
  for (int i = 0; i < def->as.heightField.rowCount * columnCount; ++i) {
    if (!isfinite(def->as.heightField.heights[i])) {
      char message[64];
      snprintf(message, sizeof message, "heights[%d][%d] must be finite", i / columnCount + 1, i % columnCount + 1);
      crReportNumber(reporter, message, def->as.heightField.heights[i], NULL, "m", NULL);
      return;
    }
  }
}

void crCheckHeightField(const crShapeDef* def, crReporter* reporter)
{
  int rowCount = def->as.heightField.rowCount, columnCount = def->as.heightField.columnCount;
  if (def->as.heightField.refine < 0) {
    crReportNumber(reporter, "refine must not be negative", def->as.heightField.refine, ">= 0", NULL, NULL);
    return;
  }
  if (def->as.heightField.heights == NULL) {
    crReportError(reporter, "heights must be given");
    return;
  }
  if (rowCount < 2 || columnCount < 2) {
    crReportNumber(reporter, "heights must have two rows and two columns", rowCount < 2 ? rowCount : columnCount,
                   ">= 2", NULL, NULL);
    return;
  }
  double facets = 2.0 * (rowCount - 1.0) * (columnCount - 1.0) * refineOf(def) * refineOf(def);
  if (facets > CR_MOST_FACETS) {
    char allowed[32];
    snprintf(allowed, sizeof allowed, "<= %d", CR_MOST_FACETS);
    crReportNumber(reporter, "the height field has too many facets", facets, allowed, NULL,
                   "fewer heights, or a smaller refine");
    return;
  }
  checkHeights(def, reporter);
}

// --------------------------------------------------------------------------------------------------- spline

// Samples of the natural cubic spline through n values: `refine` per interval, and the last one. [deBoor01]: second
// derivatives m solve m[i-1] + 4 m[i] + m[i+1] = 6 (v[i-1] - 2 v[i] + v[i+1]), zero at both ends, with intervals of 1.
static void sampleSpline(const double* values, int n, int stride, int refine, double* m, double* c, double* out,
                         int outStride)
{
  m[0] = m[n - 1] = c[0] = 0.0;
  for (int i = 1; i < n - 1; ++i) {
    double bend = values[(i - 1) * stride] - 2.0 * values[i * stride] + values[(i + 1) * stride];
    double pivot = 4.0 - c[i - 1];
    c[i] = 1.0 / pivot;
    m[i] = (6.0 * bend - m[i - 1]) / pivot;
  }
  for (int i = n - 2; i > 0; --i) {
    m[i] -= c[i] * m[i + 1];
  }
  for (int i = 0; i < n - 1; ++i) {
    double a = values[i * stride], b = values[(i + 1) * stride];
    for (int k = 0; k < refine; ++k) {
      double t = (double)k / refine, s = 1.0 - t;
      out[(i * refine + k) * outStride] = s * a + t * b + ((s * s * s - s) * m[i] + (t * t * t - t) * m[i + 1]) / 6.0;
    }
  }
  out[(n - 1) * refine * outStride] = values[(n - 1) * stride];
}

// Rows first, then columns.
static bool sampleField(const crShapeDef* def, Field* field)
{
  int rowCount = def->as.heightField.rowCount, columnCount = def->as.heightField.columnCount, refine = refineOf(def);
  int longer = rowCount > columnCount ? rowCount : columnCount;
  size_t middleSize = (size_t)rowCount * (size_t)field->columnCount * sizeof(double);
  size_t scratchSize = 2 * (size_t)longer * sizeof(double);
  double* middle = crAllocate(&field->allocator, middleSize);
  double* scratch = crAllocate(&field->allocator, scratchSize);
  bool hasMemory = middle != NULL && scratch != NULL;
  for (int j = 0; hasMemory && j < rowCount; ++j) {
    sampleSpline(def->as.heightField.heights + (size_t)j * (size_t)columnCount, columnCount, 1, refine, scratch,
                 scratch + longer, middle + (size_t)j * (size_t)field->columnCount, 1);
  }
  for (int i = 0; hasMemory && i < field->columnCount; ++i) {
    sampleSpline(middle + i, rowCount, field->columnCount, refine, scratch, scratch + longer, field->heights + i,
                 field->columnCount);
  }
  crFree(&field->allocator, middle, middleSize);
  crFree(&field->allocator, scratch, scratchSize);
  return hasMemory;
}

// --------------------------------------------------------------------------------------------------- points

static double heightAt(const Field* field, int i, int j)
{
  return field->heights[(size_t)j * (size_t)field->columnCount + (size_t)i];
}

static int32_t topOf(const Field* field, int i, int j)
{
  return j * field->columnCount + i;
}

static int32_t bottomOf(const Field* field, int32_t top)
{
  return top + field->columnCount * field->rowCount;
}

// Samples at the top, then the points below them.
static void listPoints(Field* field)
{
  int count = field->columnCount * field->rowCount;
  field->hasFailed = !crMakeRoom(&field->points, 2 * count + 1, &field->allocator);
  for (int k = 0; k < 2 * count && !field->hasFailed; ++k) {
    int i = k % count % field->columnCount, j = k % count / field->columnCount;
    double x = field->width * ((double)i / (field->columnCount - 1) - 0.5);
    double y = field->length * ((double)j / (field->rowCount - 1) - 0.5);
    field->points.items[field->points.count++] = crMakeVec3(x, y, k < count ? heightAt(field, i, j) : field->base);
  }
}

static crStatus openField(const crShapeDef* def, const crAllocator* allocator, Field* field)
{
  int refine = refineOf(def);
  *field = (Field){ .allocator = crChooseAllocator(allocator),
                    .columnCount = (def->as.heightField.columnCount - 1) * refine + 1,
                    .rowCount = (def->as.heightField.rowCount - 1) * refine + 1,
                    .width = def->as.heightField.width,
                    .length = def->as.heightField.length };
  size_t count = (size_t)field->columnCount * (size_t)field->rowCount;
  field->heights = crAllocate(&field->allocator, count * sizeof *field->heights);
  if (field->heights == NULL || !sampleField(def, field)) {
    return cr_errorMemory;
  }
  double depth = def->as.heightField.depth;
  field->base = HUGE_VAL;
  for (size_t k = 0; k < count; ++k) {
    field->base = fmin(field->base, field->heights[k]);
  }
  field->base -= depth > 0.0 ? depth : CR_DEPTH_OF_WIDTH * field->width;
  listPoints(field);
  return field->hasFailed ? cr_errorMemory : cr_ok;
}

static void closeField(Field* field)
{
  size_t count = (size_t)field->columnCount * (size_t)field->rowCount;
  crFree(&field->allocator, field->heights, count * sizeof *field->heights);
  crArray_Free(&field->points, &field->allocator);
  crArray_Free(&field->corners, &field->allocator);
  crArray_Free(&field->starts, &field->allocator);
}

// ------------------------------------------------------------------------------------------------ triangles

static void addTriangle(Field* field, int32_t a, int32_t b, int32_t c)
{
  const int32_t corners[3] = { a, b, c };
  for (int k = 0; k < 3 && !field->hasFailed; ++k) {
    int32_t* place = crArray_Push(&field->corners, &field->allocator);
    field->hasFailed = place == NULL;
    if (place != NULL) {
      *place = corners[k];
    }
  }
}

// The side below an edge of the top.
static void addSide(Field* field, int32_t from, int32_t to)
{
  addTriangle(field, from, bottomOf(field, from), bottomOf(field, to));
  addTriangle(field, from, bottomOf(field, to), to);
}

// The prism below a flat polygon of samples, counter-clockwise seen from above.
static void addPrism(Field* field, const int32_t* loop, int count)
{
  int32_t* start = crArray_Push(&field->starts, &field->allocator);
  field->hasFailed |= start == NULL;
  if (start != NULL) {
    *start = field->corners.count / 3;
  }
  for (int k = 2; k < count; ++k) {
    addTriangle(field, loop[0], loop[k - 1], loop[k]);
    addTriangle(field, bottomOf(field, loop[0]), bottomOf(field, loop[k]), bottomOf(field, loop[k - 1]));
  }
  for (int k = 0; k < count; ++k) {
    addSide(field, loop[k], loop[(k + 1) % count]);
  }
}

static bool isSmall(const Field* field, double height)
{
  return fabs(height) <= CR_FLATNESS * field->width;
}

static bool isFlat(const Field* field, int i, int j)
{
  return isSmall(field, heightAt(field, i, j) + heightAt(field, i + 1, j + 1) - heightAt(field, i + 1, j) -
                            heightAt(field, i, j + 1));
}

// Whether a flat cell and the next one along x, which is flat, are in one plane.
static bool doesGoOn(const Field* field, int i, int j)
{
  return isSmall(field, heightAt(field, i, j) - 2.0 * heightAt(field, i + 1, j) + heightAt(field, i + 2, j));
}

static void addRow(Field* field, int j)
{
  for (int i = 0, end; i < field->columnCount - 1 && !field->hasFailed; i = end) {
    end = i + 1;
    if (!isFlat(field, i, j)) {
      int32_t right[3] = { topOf(field, i, j), topOf(field, i + 1, j), topOf(field, i + 1, j + 1) };
      int32_t left[3] = { topOf(field, i, j), topOf(field, i + 1, j + 1), topOf(field, i, j + 1) };
      addPrism(field, right, 3);
      addPrism(field, left, 3);
      continue;
    }
    while (end < field->columnCount - 1 && isFlat(field, end, j) && doesGoOn(field, end - 1, j)) {
      ++end;
    }
    int32_t loop[4] = { topOf(field, i, j), topOf(field, end, j), topOf(field, end, j + 1), topOf(field, i, j + 1) };
    addPrism(field, loop, 4);
  }
}

static crStatus makeMesh(Field* field, const crErrorSink* sink, crMesh** outMesh)
{
  if (field->hasFailed) {
    return cr_errorMemory;
  }
  crMeshDef def = crDefaultMeshDef();
  def.points = field->points.items;
  def.pointCount = field->points.count;
  def.triangles = (const int32_t(*)[3])field->corners.items;
  def.triangleCount = field->corners.count / 3;
  def.pieceStarts = field->starts.count > 0 ? field->starts.items : NULL;
  def.pieceCount = field->starts.count;
  return crCreateMesh(&def, &field->allocator, sink, outMesh);
}

crStatus crMakeHeightPieces(const crShapeDef* def, const crAllocator* allocator, const crErrorSink* sink,
                            crMesh** outMesh)
{
  Field field;
  crStatus status = openField(def, allocator, &field);
  for (int j = 0; status == cr_ok && j < field.rowCount - 1; ++j) {
    addRow(&field, j);
  }
  status = status == cr_ok ? makeMesh(&field, sink, outMesh) : status;
  closeField(&field);
  return status;
}

static void addTop(Field* field)
{
  for (int j = 0; j < field->rowCount - 1; ++j) {
    for (int i = 0; i < field->columnCount - 1; ++i) {
      int32_t a = topOf(field, i, j), c = topOf(field, i + 1, j + 1);
      addTriangle(field, a, topOf(field, i + 1, j), c);
      addTriangle(field, a, c, topOf(field, i, j + 1));
    }
  }
}

// Sample k of the border, counter-clockwise seen from above.
static int32_t borderOf(const Field* field, int k)
{
  int nx = field->columnCount - 1, ny = field->rowCount - 1;
  return k < nx            ? topOf(field, k, 0)
         : k < nx + ny     ? topOf(field, nx, k - nx)
         : k < 2 * nx + ny ? topOf(field, 2 * nx + ny - k, ny)
                           : topOf(field, 0, 2 * nx + 2 * ny - k);
}

crStatus crMakeHeightSurface(const crShapeDef* def, const crAllocator* allocator, const crErrorSink* sink,
                             crMesh** outMesh)
{
  Field field;
  crStatus status = openField(def, allocator, &field);
  if (status == cr_ok) {
    int count = 2 * (field.columnCount - 1) + 2 * (field.rowCount - 1), middle = field.points.count;
    field.points.items[field.points.count++] = crMakeVec3(0.0, 0.0, field.base);
    addTop(&field);
    for (int k = 0; k < count; ++k) {
      int32_t from = borderOf(&field, k), to = borderOf(&field, (k + 1) % count);
      addSide(&field, from, to);
      addTriangle(&field, middle, bottomOf(&field, to), bottomOf(&field, from));
    }
    status = makeMesh(&field, sink, outMesh);
  }
  closeField(&field);
  return status;
}
