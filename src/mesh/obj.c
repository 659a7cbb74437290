// OBJ files (Wavefront, Advanced Visualizer, appendix B1: object files), as far as a body needs them:
//
//   v X Y Z [W]          a vertex; what follows is ignored (weights, colours)
//   f A B C ...          a polygon of vertices A, A/texture, A//normal or A/texture/normal; counted from 1,
//                        negative from the last vertex so far
//   o NAME, g NAME ...   a new piece
//
// Other keywords are ignored. A line that ends with a backslash goes on in the next one.
#include "carom/io.h"
#include "mesh/mesh_builder.h"
#include "mesh/scanner.h"

#include <stdio.h>
#include <string.h>

#define CR_OBJ_ERROR_LIMIT 10 // [-] then reading stops

typedef struct Reader {
  crScanner scanner;
  crMeshBuilder* builder;
  crArrayOf(crVec3) vertices;
  crArrayOf(int32_t) numbers; // of the vertices in the builder; -1: not used yet
} Reader;

static crAllocator* allocatorOf(Reader* reader)
{
  return &reader->builder->allocator;
}

static crStatus refuse(Reader* reader, crToken token, const char* message, const char* allowed)
{
  crReportToken(reader->builder->reporter, token, message, allowed);
  return cr_errorSyntax;
}

// The next word of the line; a comment ends it.
static crToken nextWord(Reader* reader)
{
  crToken token = crScanner_NextOnLine(&reader->scanner);
  if (token.length > 0 && token.text[0] == '#') {
    reader->scanner.at = token.text;
    token.length = 0;
  }
  return token;
}

static crStatus readVertex(Reader* reader)
{
  double c[3];
  for (int k = 0; k < 3; ++k) {
    crToken token = nextWord(reader);
    if (token.length == 0) {
      return refuse(reader, token, "the vertex has too few coordinates", "three numbers");
    }
    if (!crScanner_ParseNumber(&reader->scanner, token, &c[k]) || !isfinite(c[k])) {
      return refuse(reader, token, "a coordinate of the vertex is no number", "a finite number");
    }
  }
  int32_t* number = crArray_Push(&reader->numbers, allocatorOf(reader));
  crVec3* vertex = number != NULL ? crArray_Push(&reader->vertices, allocatorOf(reader)) : NULL;
  if (vertex == NULL) {
    return cr_errorMemory;
  }
  *number = -1;
  *vertex = crMakeVec3(c[0], c[1], c[2]);
  return cr_ok;
}

// Passes an integer of at most 18 digits with an optional sign; false when there is none.
static bool passInteger(const char** p, const char* end, int64_t* outValue)
{
  bool isNegative = *p < end && **p == '-';
  *p += *p < end && (**p == '-' || **p == '+');
  const char* start = *p;
  int64_t value = 0;
  for (; *p < end && **p >= '0' && **p <= '9' && *p - start < 18; ++*p) {
    value = 10 * value + (**p - '0');
  }
  *outValue = isNegative ? -value : value;
  return *p > start;
}

// A, A/B, A//C or A/B/C: only A counts.
static bool parseReference(crToken token, int64_t* outIndex)
{
  const char *p = token.text, *end = token.text + token.length;
  int64_t ignored;
  if (!passInteger(&p, end, outIndex)) {
    return false;
  }
  for (int part = 0; part < 2 && p < end && *p == '/'; ++part) {
    ++p;
    bool mayBeEmpty = part == 0 && p < end && *p == '/';
    if (!mayBeEmpty && !passInteger(&p, end, &ignored)) {
      return false;
    }
  }
  return p == end;
}

static crStatus resolveReference(Reader* reader, crToken token, int* outNumber)
{
  int64_t index;
  if (!parseReference(token, &index)) {
    return refuse(reader, token, "a corner of the face is no vertex number", "v, v/vt, v//vn or v/vt/vn");
  }
  int64_t count = reader->vertices.count;
  int64_t place = index > 0 ? index - 1 : count + index;
  if (index == 0 || place < 0 || place >= count) {
    char allowed[80];
    snprintf(allowed, sizeof allowed, "1 ... %lld or -%lld ... -1", (long long)count, (long long)count);
    return refuse(reader, token, "the face names a vertex that does not exist", count > 0 ? allowed : "v before f");
  }
  int32_t* number = &reader->numbers.items[place];
  if (*number < 0) {
    *number = crMeshBuilder_AddPoint(reader->builder, reader->vertices.items[place]);
  }
  *outNumber = *number;
  return *number >= 0 ? cr_ok : cr_errorMemory;
}

// A fan from the first corner.
static crStatus readFace(Reader* reader)
{
  int first = -1, last = -1, count = 0;
  for (;; ++count) {
    crToken token = nextWord(reader);
    if (token.length == 0) {
      return count >= 3 ? cr_ok : refuse(reader, token, "the face has too few corners", "three or more");
    }
    int number;
    crStatus status = resolveReference(reader, token, &number);
    if (status != cr_ok) {
      return status;
    }
    if (count >= 2 && !crMeshBuilder_AddTriangle(reader->builder, first, last, number)) {
      return cr_errorMemory;
    }
    first = count == 0 ? number : first;
    last = number;
  }
}

static crStatus readLine(Reader* reader)
{
  crToken keyword = nextWord(reader);
  if (crToken_Is(keyword, "v")) {
    return readVertex(reader);
  }
  if (crToken_Is(keyword, "f") || crToken_Is(keyword, "fo")) {
    return readFace(reader);
  }
  if (crToken_Is(keyword, "o") || crToken_Is(keyword, "g")) {
    crMeshBuilder_EndPiece(reader->builder);
  }
  return cr_ok;
}

// Reads on after an error, so that several are reported in one go.
static crStatus readLines(Reader* reader)
{
  crStatus status = cr_ok;
  bool hasLine = true;
  while (hasLine) {
    crStatus lineStatus = readLine(reader);
    status = lineStatus != cr_ok ? lineStatus : status;
    if (status == cr_errorMemory) {
      return status;
    }
    if (reader->builder->reporter->errorCount >= CR_OBJ_ERROR_LIMIT) {
      crComplaint complaint = { .message = "too many errors: the rest of the OBJ text was not read" };
      crReport(reader->builder->reporter, cr_severityNote, cr_errorSyntax, &complaint);
      return status;
    }
    bool isComment = reader->scanner.at < reader->scanner.end && *reader->scanner.at == '#';
    hasLine = crScanner_NextLine(&reader->scanner, !isComment);
  }
  return status;
}

static crStatus readText(crMeshBuilder* builder, const char* text, size_t size)
{
  if (size > INT32_MAX) {
    crComplaint complaint = { .message = "the OBJ text is too large", .allowed = "< 2", .unit = "GiB" };
    crReport(builder->reporter, cr_severityError, cr_errorLimit, &complaint);
    return cr_errorLimit;
  }
  Reader reader = { .builder = builder };
  crStatus status = crScanner_Init(&reader.scanner, text, size) ? readLines(&reader) : cr_errorMemory;
  crScanner_Free(&reader.scanner);
  crArray_Free(&reader.vertices, &builder->allocator);
  crArray_Free(&reader.numbers, &builder->allocator);
  return status;
}

crStatus crReadObj(const char* text, size_t size, const char* name, crVec3 scale, const crAllocator* allocator,
                   const crErrorSink* sink, crMesh** outMesh)
{
  if (outMesh == NULL || (text == NULL && size > 0)) {
    return cr_errorMisuse;
  }
  *outMesh = NULL;
  crReporter reporter = crMakeReporter(sink, (crSource){ name, 0, 0 }, NULL);
  crMeshBuilder builder;
  crStatus status = crMeshBuilder_Init(&builder, scale, allocator, &reporter);
  status = status == cr_ok ? readText(&builder, text, size) : status;
  if (status == cr_errorMemory) {
    crMeshBuilder_ReportMemory(&builder);
  }
  status = status == cr_ok ? crMeshBuilder_Finish(&builder, outMesh) : status;
  crMeshBuilder_Free(&builder);
  return status;
}
