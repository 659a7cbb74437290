// Mesh files: which format a file has, and reading it.
#include "mesh/mesh_file.h"

#include "base/memory.h"
#include "base/read_file.h"
#include "base/report.h"
#include "base/text.h"
#include "mesh/dae.h"
#include "mesh/scanner.h"
#include "mesh/stl.h"

#include <stdio.h>
#include <string.h>

#define CR_MESH_FILE_LIMIT (sizeof(size_t) > 4 ? (size_t)(UINT64_C(1) << 32) : SIZE_MAX) // [bytes] 85 million triangles

typedef enum Format { cr_formatUnknown, cr_formatStl, cr_formatObj, cr_formatDae } Format;

static bool hasEnding(const char* path, const char* ending)
{
  size_t length = strlen(path), endingLength = strlen(ending);
  if (length < endingLength) {
    return false;
  }
  crToken token = { path + length - endingLength, endingLength, 0, 0 };
  return crToken_Is(token, ending);
}

// The first word of an OBJ file is a keyword or a comment.
static bool isObj(const char* bytes, size_t size)
{
  static const char* const keywords[] = { "v", "vn", "vt", "f", "o", "g", "s", "mtllib", "usemtl" };
  size_t start = 0;
  while (start < size && (bytes[start] == ' ' || (bytes[start] >= '\t' && bytes[start] <= '\r'))) {
    ++start;
  }
  size_t end = start;
  while (end < size && bytes[end] > ' ') {
    ++end;
  }
  crToken first = { bytes + start, end - start, 0, 0 };
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; ++i) {
    if (crToken_Is(first, keywords[i])) {
      return true;
    }
  }
  return first.length > 0 && first.text[0] == '#';
}

static Format guessFormat(const char* bytes, size_t size)
{
  return crIsStl(bytes, size)   ? cr_formatStl
         : crIsDae(bytes, size) ? cr_formatDae
         : isObj(bytes, size)   ? cr_formatObj
                                : cr_formatUnknown;
}

static Format findFormat(const char* path, const char* bytes, size_t size)
{
  return hasEnding(path, ".stl")   ? cr_formatStl
         : hasEnding(path, ".obj") ? cr_formatObj
         : hasEnding(path, ".dae") ? cr_formatDae
                                   : guessFormat(bytes, size);
}

static crStatus reportUnknown(const char* path, const crErrorSink* sink)
{
  char shown[CR_SHOWN_PATH_SIZE], message[CR_SHOWN_PATH_SIZE + 64];
  crShowText(path, strlen(path), shown, sizeof shown);
  snprintf(message, sizeof message, "'%s' has an unknown mesh format", shown);
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  crComplaint complaint = { .message = message, .allowed = "STL, OBJ or COLLADA" };
  crReport(&reporter, cr_severityError, cr_errorSyntax, &complaint);
  return cr_errorSyntax;
}

crStatus crReadMesh(const char* path, crVec3 scale, const crAllocator* allocator, const crErrorSink* sink,
                    crMesh** outMesh)
{
  return crReadMeshFile(path, scale, CR_MESH_FILE_LIMIT, allocator, sink, outMesh);
}

crStatus crReadMeshFile(const char* path, crVec3 scale, size_t limit, const crAllocator* allocator,
                        const crErrorSink* sink, crMesh** outMesh)
{
  if (path == NULL || outMesh == NULL) {
    return cr_errorMisuse;
  }
  *outMesh = NULL;
  char* bytes;
  size_t size;
  crStatus status = crReadFile(path, limit, allocator, sink, &bytes, &size);
  if (status != cr_ok) {
    return status;
  }
  switch (findFormat(path, bytes, size)) {
    case cr_formatStl: status = crReadStl(bytes, size, path, scale, allocator, sink, outMesh); break;
    case cr_formatObj: status = crReadObj(bytes, size, path, scale, allocator, sink, outMesh); break;
    case cr_formatDae: status = crReadDae(bytes, size, path, scale, allocator, sink, outMesh); break;
    case cr_formatUnknown: status = reportUnknown(path, sink); break;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crFree(&chosen, bytes, size + 1);
  return status;
}
