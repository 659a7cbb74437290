// Any bytes as a COLLADA file.
#include "mesh_check.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  crMesh* mesh = NULL;
  crStatus status = crReadDae((const char*)data, size, "fuzz.dae", crMakeVec3(1.0, -1.0, 1e-3), NULL, &sink, &mesh);
  checkMesh(status, mesh, errorCount);
  crReleaseMesh(mesh);
  return 0;
}
