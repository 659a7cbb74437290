// What must hold for whatever a mesh reader returns.
#ifndef CR_FUZZ_MESH_CHECK_H
#define CR_FUZZ_MESH_CHECK_H

#include "base/text.h"
#include "carom/io.h"
#include "geometry/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void require(bool condition, const char* what)
{
  if (!condition) {
    fprintf(stderr, "broken: %s\n", what);
    abort();
  }
}

// Messages are complete sentences in UTF-8 without control characters.
static inline void checkMessage(void* context, const crError* error)
{
  char text[2048];
  int length = crError_Format(error, text, sizeof text);
  require(length > 0 && (size_t)length < sizeof text, "message fits");
  require(crIsUtf8(text, strlen(text)), "message is UTF-8");
  require(crIsCleanText(text), "message has no control characters");
  *(int*)context += error->severity == cr_severityError;
}

static inline void checkMesh(crStatus status, const crMesh* mesh, int errorCount)
{
  require((status == cr_ok) == (mesh != NULL), "a mesh if and only if ok");
  require((status == cr_ok) == (errorCount == 0), "an error if and only if not ok");
  if (mesh == NULL) {
    return;
  }
  crMeshDef def = crMesh_GetDef(mesh);
  crMeshFacts facts = crMesh_GetFacts(mesh);
  require(facts.triangleCount > 0 && facts.pointCount >= 3 && facts.pieceCount > 0, "not empty");
  require(facts.isClosed == (facts.openEdgeCount == 0), "closed without open edges");
  int sum = 0;
  for (int i = 0; i < facts.pieceCount; ++i) {
    int start, count;
    crMesh_GetPiece(mesh, i, &start, &count);
    require(start == sum && count > 0, "pieces follow each other");
    sum += count;
  }
  require(sum == facts.triangleCount, "pieces make up the mesh");
  for (int t = 0; t < def.triangleCount; ++t) {
    const int32_t* c = def.triangles[t];
    require(c[0] != c[1] && c[1] != c[2] && c[2] != c[0], "no triangle with equal corners");
    for (int k = 0; k < 3; ++k) {
      require(c[k] >= 0 && c[k] < def.pointCount && crIsFiniteVec3(def.points[c[k]]), "corners exist");
    }
  }
  require(!(crMesh_ComputeInertia(mesh).mass < 0.0), "mass is not negative");
}

#endif
