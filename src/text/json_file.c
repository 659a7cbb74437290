// JSON models into files: complete or not at all.
#include "base/file.h"
#include "base/platform.h"
#include "text/json_format.h"
#include "text/mesh_grant.h"
#include "text/path.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

// -------------------------------------------------------------------------------------- mesh folders

static const char* findMeshFile(const crFeatureDef* feature)
{
  const crShapeDef* shape = feature->kind == cr_featureSolid    ? &feature->as.solid.shape
                            : feature->kind == cr_featureVisual ? &feature->as.visual.shape
                                                                : NULL;
  return shape != NULL && shape->kind == cr_shapeMesh ? shape->as.mesh.file : NULL;
}

static bool hasRelativeMesh(const crScene* scene)
{
  int count = crScene_Count(scene, cr_elementObject);
  for (int i = 0; i < count; ++i) {
    const crObjectDef* object = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, i));
    for (int k = 0; k < object->featureCount; ++k) {
      const char* file = findMeshFile(&object->features[k]);
      if (file != NULL && file[0] != '/') {
        return true;
      }
    }
  }
  return false;
}

// The two folders without symbolic links. Models without relative meshes need neither to exist.
static crStatus findFolders(const crScene* scene, const char* path, const char* modelFolder, const crErrorSink* sink,
                            char from[PATH_MAX], char to[PATH_MAX], bool* outNeeded)
{
  char target[CR_FILE_PATH_SIZE];
  *outNeeded = hasRelativeMesh(scene);
  if (!*outNeeded) {
    return cr_ok;
  }
  modelFolder = modelFolder != NULL && modelFolder[0] != '\0' ? modelFolder : ".";
  if (realpath(modelFolder, from) == NULL) {
    return crReportFile(sink, modelFolder, "the folder of the mesh files cannot be found", errno);
  }
  errno = ENAMETOOLONG;
  if (!crFindFolder(path, target) || realpath(target, to) == NULL) {
    return crReportFile(sink, path, "the folder of the file cannot be found", errno);
  }
  return cr_ok;
}

static void warnOfMeshes(const crScene* scene, const char* path, const char* modelFolder, const crErrorSink* sink)
{
  char target[CR_FILE_PATH_SIZE];
  crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
  const char* from = modelFolder != NULL && modelFolder[0] != '\0' ? modelFolder : ".";
  bool isTold = !crFindFolder(path, target);
  for (int i = 0; i < crScene_CountMeshFiles(scene) && !isTold; ++i) {
    isTold = crWarnOfMeshOutside(&reporter, crScene_GetMeshFile(scene, i).file, from, target);
  }
}

// ------------------------------------------------------------------------------------------ writing

static void writeBytes(void* context, const char* text, size_t size)
{
  crOutputFile_Write(context, text, size);
}

crStatus crWriteJsonFile(const crScene* scene, const char* path, const char* modelFolder, const crAllocator* allocator,
                         const crErrorSink* sink)
{
  if (scene == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  char from[PATH_MAX], to[PATH_MAX];
  bool needed;
  crOutputFile* file;
  crStatus status = findFolders(scene, path, modelFolder, sink, from, to, &needed);
  status = status == cr_ok ? crOpenOutputFile(path, allocator, sink, &file) : status;
  if (status != cr_ok) {
    return status;
  }
  crJsonFolders folders = { from, to };
  status = crWriteJsonFrom(scene, needed ? &folders : NULL, sink, (crTextWriter){ writeBytes, file });
  crStatus closed = crCloseOutputFile(file, status == cr_ok, sink);
  status = status == cr_ok ? closed : status;
  if (status == cr_ok) {
    warnOfMeshes(scene, path, modelFolder, sink);
  }
  return status;
}
