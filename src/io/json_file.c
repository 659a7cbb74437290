// JSON models into files: complete or not at all.
#include "base/report.h"
#include "io/json_format.h"
#include "io/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CR_MAX_TRIES 100 // names of temporary files tried before giving up

// A file being written. After the first failure nothing more is written.
typedef struct Output {
  int descriptor;
  int error; // errno of the first failure
} Output;

static void writeBytes(void* context, const char* text, size_t size)
{
  Output* output = context;
  while (size > 0 && output->error == 0) {
    ssize_t written = write(output->descriptor, text, size);
    if (written > 0) {
      text += written;
      size -= (size_t)written;
    } else if (written == 0 || errno != EINTR) {
      output->error = written == 0 ? ENOSPC : errno;
    }
  }
}

static crStatus reportFile(const crErrorSink* sink, const char* path, const char* message, int error)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
  crComplaint complaint = { .message = message, .found = error != 0 ? strerror(error) : NULL };
  crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
  return cr_errorFile;
}

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
    return reportFile(sink, modelFolder, "the folder of the mesh files cannot be found", errno);
  }
  errno = ENAMETOOLONG;
  if (!crFindFolder(path, target) || realpath(target, to) == NULL) {
    return reportFile(sink, path, "the folder of the file cannot be found", errno);
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------ writing

// Pipes and devices cannot be replaced by a renamed file: they are written to as they are.
static crStatus writeDirectly(const crScene* scene, const char* path, const crJsonFolders* folders,
                              const crErrorSink* sink)
{
  Output output = { open(path, O_WRONLY | O_CLOEXEC), 0 };
  if (output.descriptor < 0) {
    return reportFile(sink, path, "the file cannot be opened for writing", errno);
  }
  crTextWriter writer = { writeBytes, &output };
  crStatus status = crWriteJsonFrom(scene, folders, sink, writer);
  if (close(output.descriptor) != 0 && output.error == 0) {
    output.error = errno;
  }
  return output.error != 0 ? reportFile(sink, path, "the file cannot be written", output.error) : status;
}

// Opens a new file beside `path`. -1: errno says why.
static int openBeside(const char* path, char temporary[PATH_MAX])
{
  int descriptor = -1;
  errno = EEXIST;
  for (int i = 0; i < CR_MAX_TRIES && descriptor < 0 && errno == EEXIST; ++i) {
    if (snprintf(temporary, PATH_MAX, "%s.%ld-%d.tmp", path, (long)getpid(), i) >= PATH_MAX) {
      errno = ENAMETOOLONG;
      return -1;
    }
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  return descriptor;
}

// Writes, brings to disk, renames; takes the temporary file away again when any of it fails.
static crStatus replaceFile(const crScene* scene, const char* path, const struct stat* existing,
                            const crJsonFolders* folders, const crErrorSink* sink)
{
  char temporary[PATH_MAX];
  Output output = { openBeside(path, temporary), 0 };
  if (output.descriptor < 0) {
    return reportFile(sink, path, "the file cannot be opened for writing", errno);
  }
  if (existing != NULL) { // keeps the rights of the file, where the file system has such
    (void)fchmod(output.descriptor, existing->st_mode & 0777);
  }
  crTextWriter writer = { writeBytes, &output };
  crStatus status = crWriteJsonFrom(scene, folders, sink, writer);
  if (status == cr_ok && output.error == 0 && fsync(output.descriptor) != 0) {
    output.error = errno;
  }
  if (close(output.descriptor) != 0 && output.error == 0) {
    output.error = errno;
  }
  if (status == cr_ok && output.error == 0 && rename(temporary, path) != 0) {
    output.error = errno;
  }
  if (status != cr_ok || output.error != 0) {
    unlink(temporary);
  }
  return output.error != 0 ? reportFile(sink, path, "the file cannot be written", output.error) : status;
}

crStatus crWriteJsonFile(const crScene* scene, const char* path, const char* modelFolder, const crAllocator* allocator,
                         const crErrorSink* sink)
{
  (void)allocator; // the text goes to the file piece by piece, so no memory is needed
  if (scene == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  char from[PATH_MAX], to[PATH_MAX], target[PATH_MAX];
  bool needed;
  crStatus status = findFolders(scene, path, modelFolder, sink, from, to, &needed);
  if (status != cr_ok) {
    return status;
  }
  crJsonFolders folders = { from, to };
  const crJsonFolders* chosen = needed ? &folders : NULL;
  struct stat existing;
  if (realpath(path, target) == NULL || stat(target, &existing) != 0) { // a new file
    return replaceFile(scene, path, NULL, chosen, sink);
  }
  if (S_ISDIR(existing.st_mode) || access(target, W_OK) != 0) {
    return reportFile(sink, path, "the file cannot be written", S_ISDIR(existing.st_mode) ? EISDIR : errno);
  }
  // a link is followed, so that it stays one
  return S_ISREG(existing.st_mode) ? replaceFile(scene, target, &existing, chosen, sink)
                                   : writeDirectly(scene, path, chosen, sink);
}
