// Meshes in a result: a picture needs what the mesh files held when the run was made.
#include "result/mesh_record.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ writing

static void writeMesh(crHdf5* hdf5, hid_t group, const crMeshFile* file)
{
  crMeshDef def = crMesh_GetDef(file->mesh);
  crWriteTextDataset(hdf5, group, CR_DATASET_MESH_FILE, file->file);
  crWriteNumbers(hdf5, group, CR_DATASET_MESH_SCALE, H5T_NATIVE_DOUBLE, 3, 0, &file->scale);
  crWriteNumbers(hdf5, group, CR_DATASET_MESH_POINTS, H5T_NATIVE_DOUBLE, def.pointCount, 3, def.points);
  crWriteNumbers(hdf5, group, CR_DATASET_MESH_TRIANGLES, H5T_NATIVE_INT32, def.triangleCount, 3, def.triangles);
  crWriteNumbers(hdf5, group, CR_DATASET_MESH_PIECES, H5T_NATIVE_INT32, def.pieceCount, 0, def.pieceStarts);
}

void crWriteMeshes(crHdf5* hdf5, hid_t file, const crMeshFile* meshes, int count)
{
  int mark = hdf5->idCount;
  if (count == 0) {
    return;
  }
  hid_t group = crHdf5_Keep(hdf5, H5Gcreate2(file, CR_GROUP_MESHES, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  for (int i = 0; i < count && !hdf5->hasFailed; ++i) {
    int innerMark = hdf5->idCount;
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    writeMesh(hdf5, crHdf5_Keep(hdf5, H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), &meshes[i]);
    crHdf5_CloseTo(hdf5, innerMark);
  }
  crHdf5_CloseTo(hdf5, mark);
}

// ------------------------------------------------------------------------------------------ reading

// A dataset with its name in the whole file.
typedef struct Part {
  char name[64];
  hid_t dataset;
  hsize_t rows;
} Part;

static crStatus openPart(crResultReader* reader, int mesh, const char* name, H5T_class_t class, int columns,
                         Part* outPart)
{
  crHdf5* hdf5 = &reader->hdf5;
  hsize_t sizes[2] = { 0, 0 };
  snprintf(outPart->name, sizeof outPart->name, CR_GROUP_MESHES "/%d/%s", mesh, name);
  outPart->dataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, outPart->name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Dget_type(outPart->dataset));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(outPart->dataset));
  if (hdf5->hasFailed) {
    return crResultReader_ComplainDamage(reader, outPart->name, "cannot be opened");
  }
  int rank = columns > 0 ? 2 : 1;
  if (H5Tget_class(type) != class || H5Sget_simple_extent_ndims(space) != rank ||
      H5Sget_simple_extent_dims(space, sizes, NULL) != rank || sizes[1] != (hsize_t)columns || sizes[0] > INT_MAX) {
    return crResultReader_ComplainDamage(reader, outPart->name, "does not hold the numbers of a mesh");
  }
  outPart->rows = sizes[0];
  return cr_ok;
}

// All numbers of a part; outStatus when NULL. The caller frees rows x rowSize bytes.
static void* readPart(crResultReader* reader, const Part* part, hid_t type, size_t rowSize, crStatus* outStatus)
{
  const crAllocator* allocator = &reader->result->allocator;
  void* numbers = crAllocateZero(allocator, (size_t)part->rows, rowSize);
  if (numbers == NULL) {
    *outStatus = part->rows > 0 ? crResultReader_ComplainMemory(reader)
                                : crResultReader_ComplainDamage(reader, part->name, "is empty");
    return NULL;
  }
  if (!crHdf5_Read(&reader->hdf5, allocator, part->dataset, type, H5S_ALL, H5S_ALL, numbers)) {
    crFree(allocator, numbers, (size_t)part->rows * rowSize);
    *outStatus = crResultReader_ComplainDamage(reader, part->name, "cannot be read");
    return NULL;
  }
  return numbers;
}

static crStatus makeMesh(crResultReader* reader, const crMeshDef* def, const char* name, const crMesh** outMesh)
{
  crMesh* mesh = NULL;
  crStatus status = crCreateMesh(def, &reader->result->allocator, NULL, &mesh);
  *outMesh = mesh;
  if (status == cr_errorMemory) {
    return crResultReader_ComplainMemory(reader);
  }
  return status == cr_ok ? cr_ok : crResultReader_ComplainDamage(reader, name, "is no mesh");
}

// Points, triangles and pieces of an opened mesh.
static crStatus readArrays(crResultReader* reader, const Part parts[3], const crMesh** outMesh)
{
  const crAllocator* allocator = &reader->result->allocator;
  crStatus status = cr_ok;
  crVec3* points = readPart(reader, &parts[0], H5T_NATIVE_DOUBLE, sizeof *points, &status);
  int32_t(*triangles)[3] =
      points != NULL ? readPart(reader, &parts[1], H5T_NATIVE_INT32, 3 * sizeof(int32_t), &status) : NULL;
  int32_t* pieces = triangles != NULL ? readPart(reader, &parts[2], H5T_NATIVE_INT32, sizeof(int32_t), &status) : NULL;
  if (pieces != NULL) {
    crMeshDef def = { sizeof(crMeshDef),  points, (int)parts[0].rows, (const int32_t(*)[3])triangles,
                      (int)parts[1].rows, pieces, (int)parts[2].rows };
    status = makeMesh(reader, &def, parts[0].name, outMesh);
  }
  crFree(allocator, points, points != NULL ? (size_t)parts[0].rows * sizeof *points : 0);
  crFree(allocator, triangles, triangles != NULL ? (size_t)parts[1].rows * sizeof *triangles : 0);
  crFree(allocator, pieces, pieces != NULL ? (size_t)parts[2].rows * sizeof *pieces : 0);
  return status;
}

static crStatus readMesh(crResultReader* reader, int index, crMeshFile* outFile)
{
  Part scale, parts[3];
  char name[64];
  snprintf(name, sizeof name, CR_GROUP_MESHES "/%d/" CR_DATASET_MESH_FILE, index);
  crStatus status = crResultReader_ReadText(reader, name, &outFile->file);
  if (status == cr_ok && outFile->file == NULL) {
    status = crResultReader_ComplainDamage(reader, name, "cannot be opened");
  }
  if (status == cr_ok) {
    status = openPart(reader, index, CR_DATASET_MESH_SCALE, H5T_FLOAT, 0, &scale);
  }
  if (status == cr_ok && (scale.rows != 3 || !crHdf5_Read(&reader->hdf5, &reader->result->allocator, scale.dataset,
                                                          H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, &outFile->scale))) {
    status = crResultReader_ComplainDamage(reader, scale.name, "cannot be read");
  }
  if (status == cr_ok) {
    status = openPart(reader, index, CR_DATASET_MESH_POINTS, H5T_FLOAT, 3, &parts[0]);
  }
  if (status == cr_ok) {
    status = openPart(reader, index, CR_DATASET_MESH_TRIANGLES, H5T_INTEGER, 3, &parts[1]);
  }
  if (status == cr_ok) {
    status = openPart(reader, index, CR_DATASET_MESH_PIECES, H5T_INTEGER, 0, &parts[2]);
  }
  return status == cr_ok ? readArrays(reader, parts, &outFile->mesh) : status;
}

crStatus crResultReader_ReadMeshes(crResultReader* reader)
{
  crResult* result = reader->result;
  crStatus status = cr_ok;
  if (!crResultReader_Has(reader, CR_GROUP_MESHES)) {
    return cr_ok;
  }
  H5G_info_t info;
  if (!crHdf5_Try(&reader->hdf5, H5Gget_info_by_name(reader->file, CR_GROUP_MESHES, &info, H5P_DEFAULT)) ||
      info.nlinks > INT_MAX) {
    return crResultReader_ComplainDamage(reader, CR_GROUP_MESHES, "cannot be opened");
  }
  result->meshes = crArena_AllocateZero(&result->arena, (size_t)info.nlinks, sizeof *result->meshes);
  if (result->meshes == NULL) {
    return crResultReader_ComplainMemory(reader);
  }
  for (int i = 0; i < (int)info.nlinks && status == cr_ok; ++i) {
    status = readMesh(reader, i, &result->meshes[i]);
    result->meshCount = i + 1;
    crHdf5_CloseTo(&reader->hdf5, 0);
  }
  return status;
}
