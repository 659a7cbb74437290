// The name of a file of pieces has the first digits of a hash, its first line all of them: of the points and triangles
// of the mesh as it was read, scaled, and of the error. So pieces of another mesh, scale or error are other files, and
// what was changed by hand is pieces no more.
#include "mesh/kept_pieces.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/read_file.h"
#include "base/report.h"
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

#define CR_HASH_DIGITS 16 // in the name
#define CR_NOTE "carom pieces of "
#define CR_ARE " are "
#define CR_WAY "1" // of making pieces: another number where they would be others

static void findHash(const crMesh* mesh, double error, char outText[CR_SHA256_TEXT])
{
  crMeshDef def = crMesh_GetDef(mesh);
  crSha256 hash;
  crSha256_Init(&hash);
  crSha256_Add(&hash, CR_WAY, sizeof CR_WAY);
  crSha256_Add(&hash, def.points, (size_t)def.pointCount * sizeof *def.points);
  crSha256_Add(&hash, def.triangles, (size_t)def.triangleCount * sizeof *def.triangles);
  crSha256_Add(&hash, &error, sizeof error);
  crSha256_Finish(&hash, outText);
}

// The kept file of a hash. false: too long a name.
static bool findName(const char* file, const char* hash, char outPath[CR_KEPT_PATH_SIZE])
{
  return snprintf(outPath, CR_KEPT_PATH_SIZE, "%s.%.*s.pieces.obj", file, CR_HASH_DIGITS, hash) < CR_KEPT_PATH_SIZE;
}

#define CR_NOTE_SIZE (sizeof CR_NOTE + sizeof CR_ARE + 2 * CR_SHA256_TEXT)

// Of a mesh and of its pieces.
static void makeNote(const char* hash, const crMesh* pieces, double error, char outNote[CR_NOTE_SIZE])
{
  char own[CR_SHA256_TEXT];
  findHash(pieces, error, own);
  snprintf(outNote, CR_NOTE_SIZE, "%s%s%s%s", CR_NOTE, hash, CR_ARE, own);
}

crStatus crKeepPieces(const char* file, const crMesh* mesh, double error, const crMesh* pieces,
                      const crAllocator* allocator, const crErrorSink* sink)
{
  char hash[CR_SHA256_TEXT], path[CR_KEPT_PATH_SIZE], note[CR_NOTE_SIZE];
  if (file == NULL || mesh == NULL || pieces == NULL) {
    return cr_errorMisuse;
  }
  findHash(mesh, error, hash);
  makeNote(hash, pieces, error, note);
  if (!findName(file, hash, path)) {
    return crReportFile(sink, file, "the name of the file is too long to keep pieces beside it", 0);
  }
  return crWriteObjFile(pieces, note, path, allocator, sink);
}

bool crFindKeptPieces(const char* file, const crMesh* mesh, double error, char outPath[CR_KEPT_PATH_SIZE])
{
  char hash[CR_SHA256_TEXT];
  findHash(mesh, error, hash);
  struct stat facts;
  return findName(file, hash, outPath) && stat(outPath, &facts) == 0;
}

// Whether a file begins with the note of a mesh and of the pieces that were read from it.
static bool hasNote(const char* bytes, size_t size, const char* hash, const crMesh* pieces, double error)
{
  char note[CR_NOTE_SIZE];
  makeNote(hash, pieces, error, note);
  size_t length = strlen(note);
  return size > length + 2 && memcmp(bytes, "# ", 2) == 0 && memcmp(bytes + 2, note, length) == 0 &&
         bytes[2 + length] == '\n';
}

crMesh* crReadKeptPieces(const char* path, const crMesh* mesh, double error, size_t limit, const crAllocator* allocator,
                         const crErrorSink* sink)
{
  char hash[CR_SHA256_TEXT], *bytes;
  size_t size;
  crMesh* pieces = NULL;
  crErrorSink warnings = crMakeWarningSink(sink);
  findHash(mesh, error, hash);
  if (crReadFile(path, limit, allocator, &warnings, &bytes, &size) != cr_ok) {
    return NULL;
  }
  if (size > strlen(CR_NOTE) + 2 && memcmp(bytes + 2, CR_NOTE, strlen(CR_NOTE)) == 0) {
    (void)crReadObj(bytes, size, path, crMakeVec3(1.0, 1.0, 1.0), allocator, &warnings, &pieces);
  }
  if (pieces == NULL || !hasNote(bytes, size, hash, pieces, error)) {
    crReporter reporter = crMakeReporter(sink, (crSource){ path, 1, 0 }, NULL);
    crReportWarning(&reporter, "these are no pieces of the mesh beside them; others are made");
    crReleaseMesh(pieces);
    pieces = NULL;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crFree(&chosen, bytes, size + 1);
  return pieces;
}
