// Meshes in a result.
#ifndef CR_RESULT_MESH_RECORD_H
#define CR_RESULT_MESH_RECORD_H

#include "result/result_reader.h"

void crWriteMeshes(crHdf5* hdf5, hid_t file, const crMeshFile* meshes, int count);
crStatus crResultReader_ReadMeshes(crResultReader* reader); // none is fine

#endif
