// STL files (3D Systems, Stereolithography Interface Specification, 1989).
//
// Binary, little-endian: 80 bytes of anything, the count n as uint32, then n times 50 bytes: normal and
// three vertices as 4 x 3 float32, and 16 bits that everybody uses in another way. So the size is 84 + 50 n,
// and that is what tells binary from text: many binary files begin with "solid", too.
//
// ASCII: solid NAME { facet normal X Y Z  outer loop  vertex X Y Z (3 times)  endloop  endfacet } endsolid NAME,
// any number of times. Normals are not read: exporters write zeros and nan for them, and the order of
// the vertices says the same.
#include "mesh/stl.h"
#include "carom/io.h"
#include "mesh/mesh_builder.h"
#include "mesh/scanner.h"

#include <stdio.h>
#include <string.h>

#define CR_STL_HEADER 84   // [bytes]
#define CR_STL_TRIANGLE 50 // [bytes]
#define CR_STL_NORMAL 12   // [bytes] before the vertices of a triangle
#define CR_STL_VERTEX 12   // [bytes]
#define CR_STL_BATCH 21    // [-] triangles read at once: 63 vertices, what the point map fetches ahead
#define CR_STL_SAMPLE 1024 // [bytes] looked at to tell text from a broken binary file
#define CR_STL_LIMIT (INT32_MAX / 4)

// ------------------------------------------------------------------------------------------- binary

static uint32_t readUint32(const unsigned char* p)
{
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double readFloat(const unsigned char* p)
{
  uint32_t bits = readUint32(p);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t binarySize(const unsigned char* bytes)
{
  return CR_STL_HEADER + (uint64_t)CR_STL_TRIANGLE * readUint32(bytes + CR_STL_HEADER - 4);
}

static crStatus reportWrongSize(crReporter* reporter, const unsigned char* bytes, size_t size)
{
  char message[128], found[48], allowed[48];
  if (size < CR_STL_HEADER) {
    crComplaint complaint = { "the file is too short for an STL file", found, ">= 84", "bytes", NULL };
    snprintf(found, sizeof found, "%zu", size);
    crReport(reporter, cr_severityError, cr_errorSyntax, &complaint);
    return cr_errorSyntax;
  }
  snprintf(message, sizeof message, "the size of the STL file does not fit its count of %lu triangles",
           (unsigned long)readUint32(bytes + CR_STL_HEADER - 4));
  snprintf(found, sizeof found, "%zu", size);
  snprintf(allowed, sizeof allowed, "%llu", (unsigned long long)binarySize(bytes));
  const char* hint = size < binarySize(bytes) ? "the file may be cut off" : "there are bytes behind the last triangle";
  crComplaint complaint = { message, found, allowed, "bytes", hint };
  crReport(reporter, cr_severityError, cr_errorSyntax, &complaint);
  return cr_errorSyntax;
}

static crStatus reportNotFinite(crReporter* reporter, int triangle, crVec3 p)
{
  char message[80], found[96];
  snprintf(message, sizeof message, "triangle %d has a vertex that is not finite", triangle + 1);
  snprintf(found, sizeof found, "(%.6g, %.6g, %.6g)", p.x, p.y, p.z);
  crComplaint complaint = { message, found, "finite", NULL, NULL };
  crReport(reporter, cr_severityError, cr_errorSyntax, &complaint);
  return cr_errorSyntax;
}

// Some triangles from number `first` on; count <= CR_STL_BATCH.
static crStatus readBinaryBatch(crMeshBuilder* builder, const unsigned char* p, int first, int count)
{
  crVec3 points[3 * CR_STL_BATCH];
  int32_t corners[3 * CR_STL_BATCH];
  for (int i = 0; i < 3 * count; ++i) {
    size_t triangle = (size_t)i / 3, vertex = (size_t)i % 3;
    const unsigned char* q = p + triangle * CR_STL_TRIANGLE + CR_STL_NORMAL + vertex * CR_STL_VERTEX;
    points[i] = crMakeVec3(readFloat(q), readFloat(q + 4), readFloat(q + 8));
    if (!crIsFiniteVec3(points[i])) {
      return reportNotFinite(builder->reporter, first + i / 3, points[i]);
    }
  }
  if (!crMeshBuilder_AddPoints(builder, points, 3 * count, corners)) {
    return cr_errorMemory;
  }
  for (const int32_t* t = corners; t < corners + (ptrdiff_t)3 * count; t += 3) {
    if (!crMeshBuilder_AddTriangle(builder, t[0], t[1], t[2])) {
      return cr_errorMemory;
    }
  }
  return cr_ok;
}

// The size has been checked against the count.
static crStatus readBinary(crMeshBuilder* builder, const unsigned char* bytes)
{
  uint32_t count = readUint32(bytes + CR_STL_HEADER - 4);
  if (count > CR_STL_LIMIT) {
    char found[24], allowed[24];
    snprintf(found, sizeof found, "%lu", (unsigned long)count);
    snprintf(allowed, sizeof allowed, "<= %d", CR_STL_LIMIT);
    crComplaint complaint = { "the STL file has too many triangles", found, allowed, NULL, NULL };
    crReport(builder->reporter, cr_severityError, cr_errorLimit, &complaint);
    return cr_errorLimit;
  }
  if (!crMeshBuilder_Reserve(builder, (int)count)) {
    return cr_errorMemory;
  }
  for (int t = 0; t < (int)count; t += CR_STL_BATCH) {
    int batch = (int)count - t < CR_STL_BATCH ? (int)count - t : CR_STL_BATCH;
    crStatus status = readBinaryBatch(builder, bytes + CR_STL_HEADER + (size_t)t * CR_STL_TRIANGLE, t, batch);
    if (status != cr_ok) {
      return status;
    }
  }
  return cr_ok;
}

// -------------------------------------------------------------------------------------------- ASCII

// Text under way. The first error ends it.
typedef struct Reader {
  crScanner scanner;
  crMeshBuilder* builder;
  crToken token; // the last word read
} Reader;

static crStatus refuse(Reader* reader, const char* message, const char* allowed)
{
  if (reader->token.length == 0) {
    message = "the STL text ends too early";
  }
  crReportToken(reader->builder->reporter, reader->token, message, allowed);
  return cr_errorSyntax;
}

static crStatus expect(Reader* reader, const char* word)
{
  reader->token = crScanner_Next(&reader->scanner);
  return crToken_Is(reader->token, word) ? cr_ok : refuse(reader, "unknown word in the STL text", word);
}

// vertex X Y Z
static crStatus readVertex(Reader* reader, int* outIndex)
{
  double c[3];
  crStatus status = expect(reader, "vertex");
  for (int k = 0; k < 3 && status == cr_ok; ++k) {
    reader->token = crScanner_Next(&reader->scanner);
    if (!crScanner_ParseNumber(&reader->scanner, reader->token, &c[k]) || !isfinite(c[k])) {
      status = refuse(reader, "a coordinate of the vertex is no number", "a finite number");
    }
  }
  if (status != cr_ok) {
    return status;
  }
  *outIndex = crMeshBuilder_AddPoint(reader->builder, crMakeVec3(c[0], c[1], c[2]));
  return *outIndex >= 0 ? cr_ok : cr_errorMemory;
}

// normal X Y Z outer loop; X, Y, Z may be any words but those that follow.
static crStatus readFacetStart(Reader* reader)
{
  crStatus status = expect(reader, "normal");
  for (int k = 0; k < 3 && status == cr_ok; ++k) {
    reader->token = crScanner_Next(&reader->scanner);
    if (reader->token.length == 0 || crToken_Is(reader->token, "outer")) {
      status = refuse(reader, "the normal of the facet has too few parts", "three numbers");
    }
  }
  status = status == cr_ok ? expect(reader, "outer") : status;
  return status == cr_ok ? expect(reader, "loop") : status;
}

// What follows the word facet.
static crStatus readFacet(Reader* reader)
{
  int corners[3];
  crStatus status = readFacetStart(reader);
  for (int k = 0; k < 3 && status == cr_ok; ++k) {
    status = readVertex(reader, &corners[k]);
  }
  status = status == cr_ok ? expect(reader, "endloop") : status;
  status = status == cr_ok ? expect(reader, "endfacet") : status;
  if (status != cr_ok) {
    return status;
  }
  return crMeshBuilder_AddTriangle(reader->builder, corners[0], corners[1], corners[2]) ? cr_ok : cr_errorMemory;
}

// What follows the word solid, to the end of the line of endsolid.
static crStatus readSolid(Reader* reader)
{
  crScanner_NextLine(&reader->scanner, false);
  for (;;) {
    reader->token = crScanner_Next(&reader->scanner);
    if (crToken_Is(reader->token, "endsolid")) {
      crScanner_NextLine(&reader->scanner, false);
      crMeshBuilder_EndPiece(reader->builder);
      return cr_ok;
    }
    crStatus status = crToken_Is(reader->token, "facet")
                          ? readFacet(reader)
                          : refuse(reader, "unknown word in the STL text", "facet or endsolid");
    if (status != cr_ok) {
      return status;
    }
  }
}

static crStatus readSolids(Reader* reader)
{
  for (;;) {
    reader->token = crScanner_Next(&reader->scanner);
    if (reader->token.length == 0) {
      return cr_ok;
    }
    crStatus status = crToken_Is(reader->token, "solid") ? readSolid(reader)
                                                         : refuse(reader, "unknown word in the STL text", "solid");
    if (status != cr_ok) {
      return status;
    }
  }
}

static crStatus readText(crMeshBuilder* builder, const char* text, size_t size)
{
  if (size > INT32_MAX) {
    crComplaint complaint = { .message = "the STL text is too large", .allowed = "< 2", .unit = "GiB" };
    crReport(builder->reporter, cr_severityError, cr_errorLimit, &complaint);
    return cr_errorLimit;
  }
  Reader reader = { .builder = builder };
  crStatus status = crScanner_Init(&reader.scanner, text, size) ? readSolids(&reader) : cr_errorMemory;
  crScanner_Free(&reader.scanner);
  return status;
}

// ------------------------------------------------------------------------------------- entry point

// Text that begins with the word solid and has no 0 byte near its beginning.
static bool looksLikeText(const char* text, size_t size)
{
  size_t start = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (start < size && strchr(" \t\r\n", text[start]) != NULL && text[start] != '\0') {
    ++start;
  }
  size_t end = start;
  while (end < size && text[end] > ' ') {
    ++end;
  }
  crToken first = { text + start, end - start, 1, 1 };
  size_t sample = size < CR_STL_SAMPLE ? size : CR_STL_SAMPLE;
  return size > 0 && crToken_Is(first, "solid") && memchr(text, '\0', sample) == NULL;
}

static bool fitsItsCount(const void* bytes, size_t size)
{
  return size >= CR_STL_HEADER && binarySize(bytes) == size;
}

bool crIsStl(const void* bytes, size_t size)
{
  return fitsItsCount(bytes, size) || looksLikeText(bytes, size);
}

static crStatus readEither(crMeshBuilder* builder, const void* bytes, size_t size)
{
  if (fitsItsCount(bytes, size)) {
    return readBinary(builder, bytes);
  }
  if (looksLikeText(bytes, size)) {
    return readText(builder, bytes, size);
  }
  return reportWrongSize(builder->reporter, bytes, size);
}

crStatus crReadStl(const void* bytes, size_t size, const char* name, crVec3 scale, const crAllocator* allocator,
                   const crErrorSink* sink, crMesh** outMesh)
{
  if (outMesh == NULL || (bytes == NULL && size > 0)) {
    return cr_errorMisuse;
  }
  *outMesh = NULL;
  crReporter reporter = crMakeReporter(sink, (crSource){ name, 0, 0 }, NULL);
  crMeshBuilder builder;
  crStatus status = crMeshBuilder_Init(&builder, scale, allocator, &reporter);
  status = status == cr_ok ? readEither(&builder, bytes, size) : status;
  if (status == cr_errorMemory) {
    crMeshBuilder_ReportMemory(&builder);
  }
  status = status == cr_ok ? crMeshBuilder_Finish(&builder, outMesh) : status;
  crMeshBuilder_Free(&builder);
  return status;
}
