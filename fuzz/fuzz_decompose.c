// Any bytes as an OBJ file, whose mesh is mended and cut into pieces; with coordinates that are small numbers, so that
// much of it lies in one place.
#include "mesh_check.h"

#define MOST_TRIANGLES 200 // more take long and find no more

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void checkPieces(const crMesh* mesh)
{
  crPiecesDef def = crDefaultPiecesDef();
  crPiecesFacts facts;
  crMesh* pieces = NULL;
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  def.limit = 32;
  crStatus status = crDecomposeMesh(mesh, &def, NULL, &sink, &pieces, &facts);
  require(status == cr_ok || status == cr_errorModel, "pieces are made or refused");
  if (pieces != NULL) {
    require(facts.pieceCount > 0 && facts.pieceCount <= def.limit + 1, "not more pieces than the limit");
    require(facts.distance >= 0.0 && facts.volumeRatio >= 0.0, "facts are numbers");
    require(crMesh_GetFacts(pieces).pieceCount == facts.pieceCount, "as many pieces as told");
  }
  crReleaseMesh(pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  crMesh *mesh = NULL, *mended = NULL;
  if (crReadObj((const char*)data, size, "fuzz.obj", crMakeVec3(1.0, 1.0, 1.0), NULL, NULL, &mesh) != cr_ok) {
    return 0;
  }
  if (crMesh_GetFacts(mesh).triangleCount <= MOST_TRIANGLES) {
    crRepairDef def = crDefaultRepairDef();
    crMeshFaults faults;
    def.weld = size % 2 == 0 ? 0.0 : 1e-3;
    require(crFindMeshFaults(mesh, &def, NULL, &faults) == cr_ok, "faults are found");
    crStatus status = crRepairMesh(mesh, &def, NULL, &sink, &mended, &faults);
    require((status == cr_ok) == (errorCount == 0), "an error if and only if not ok");
    require(mended == NULL || crMesh_GetFacts(mended).isClosed, "what is mended is closed");
    checkPieces(mesh);
    if (mended != NULL) {
      checkPieces(mended);
    }
  }
  crReleaseMesh(mended);
  crReleaseMesh(mesh);
  return 0;
}
