// Meshes as OBJ files: vertices first, then an object for each piece.
#include "base/file.h"
#include "base/text.h"
#include "carom/io.h"

#include <stdio.h>
#include <string.h>

#define CR_LINE_SIZE 128 // [bytes] of a vertex or a triangle

static void write(crTextWriter writer, const char* text)
{
  writer.write(writer.context, text, strlen(text));
}

static void writeVertex(crTextWriter writer, crVec3 p)
{
  char x[CR_NUMBER_SIZE], y[CR_NUMBER_SIZE], z[CR_NUMBER_SIZE], line[CR_LINE_SIZE];
  crFormatNumber(p.x, x);
  crFormatNumber(p.y, y);
  crFormatNumber(p.z, z);
  snprintf(line, sizeof line, "v %s %s %s\n", x, y, z);
  write(writer, line);
}

crStatus crWriteObj(const crMesh* mesh, const char* note, crTextWriter writer)
{
  if (mesh == NULL || writer.write == NULL) {
    return cr_errorMisuse;
  }
  crMeshDef def = crMesh_GetDef(mesh);
  char line[CR_LINE_SIZE];
  if (note != NULL) {
    write(writer, "# ");
    write(writer, note);
    write(writer, "\n");
  }
  for (int i = 0; i < def.pointCount; ++i) {
    writeVertex(writer, def.points[i]);
  }
  for (int t = 0, piece = 0; t < def.triangleCount; ++t) {
    if (piece < def.pieceCount && def.pieceStarts[piece] == t) {
      snprintf(line, sizeof line, "o piece%d\n", ++piece);
      write(writer, line);
    }
    const int32_t* c = def.triangles[t];
    snprintf(line, sizeof line, "f %d %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1);
    write(writer, line);
  }
  return cr_ok;
}

static void writeBytes(void* context, const char* text, size_t size)
{
  crOutputFile_Write(context, text, size);
}

crStatus crWriteObjFile(const crMesh* mesh, const char* note, const char* path, const crAllocator* allocator,
                        const crErrorSink* sink)
{
  if (mesh == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crOutputFile* file;
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  status = crWriteObj(mesh, note, (crTextWriter){ writeBytes, file });
  crStatus closed = crCloseOutputFile(file, status == cr_ok, sink);
  return status == cr_ok ? closed : status;
}
