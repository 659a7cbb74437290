// Name, text and hashes of the model of a run.
#include "show/run_about.h"

#include "base/read_file.h"
#include "base/text.h"
#include "text/read_options.h"

#include <stdio.h>
#include <string.h>

#define CR_LARGEST_SOURCE (1 << 20) // [bytes] longer models are not kept with their results

static void nameModel(const char* path, char outName[CR_MODEL_NAME_SIZE])
{
  const char* slash = strrchr(path, '/');
  const char* name = slash != NULL ? slash + 1 : path;
  const char* dot = strrchr(name, '.');
  int length = dot != NULL && dot > name ? (int)(dot - name) : (int)strlen(name);
  snprintf(outName, CR_MODEL_NAME_SIZE, "%.*s", length, name);
  crCleanText(outName);
}

void crDigestBytes(const void* bytes, size_t size, char outHash[CR_SHA256_TEXT])
{
  crSha256 hash;
  crSha256_Init(&hash);
  crSha256_Add(&hash, bytes, size);
  crSha256_Finish(&hash, outHash);
}

// A file that cannot be read again has neither hash nor text.
static void readSource(crRunAbout* about, const char* path)
{
  char* bytes = NULL;
  size_t size = 0;
  if (crReadFile(path, CR_MODEL_FILE_LIMIT, &about->allocator, NULL, &bytes, &size) != cr_ok) {
    return;
  }
  crDigestBytes(bytes, size, about->sourceHash);
  if (size <= CR_LARGEST_SOURCE && strlen(bytes) == size && crIsUtf8(bytes, size)) {
    about->source = bytes;
    about->sourceSize = size;
  } else {
    crFree(&about->allocator, bytes, size + 1);
  }
}

static crStatus describeScene(crRunAbout* about, const crScene* scene, const crErrorSink* sink)
{
  crStatus status = crWriteJson(scene, &about->allocator, sink, (crTextWriter){ crBytes_Write, &about->scene });
  if (status == cr_ok) {
    crDigestBytes(about->scene.items, about->scene.size, about->sceneHash);
    crBytes_Add(&about->scene, "", 1);
  }
  int count = crScene_CountMeshFiles(scene);
  about->meshes = count > 0 ? crAllocateZero(&about->allocator, (size_t)count, sizeof *about->meshes) : NULL;
  for (int i = 0; about->meshes != NULL && i < count; ++i) {
    about->meshes[about->meshCount++] = crScene_GetMeshFile(scene, i);
  }
  bool isShort = about->scene.hasFailed || (count > 0 && about->meshes == NULL);
  return status == cr_ok && isShort ? cr_errorMemory : status;
}

// What the result has kept of a file that is not what it was.
static crStatus keepSource(crRunAbout* about, const crRunOrigin* origin)
{
  snprintf(about->sourceHash, sizeof about->sourceHash, "%s", origin->sourceHash);
  if (origin->source == NULL) {
    return cr_ok;
  }
  about->sourceSize = strlen(origin->source);
  about->source = crAllocate(&about->allocator, about->sourceSize + 1);
  if (about->source == NULL) {
    return cr_errorMemory;
  }
  memcpy(about->source, origin->source, about->sourceSize + 1);
  return cr_ok;
}

crStatus crRunAbout_Init(crRunAbout* about, const crRunDef* def, const crRunOrigin* origin, const crScene* scene,
                         const crAllocator* allocator, const crErrorSink* sink)
{
  *about = (crRunAbout){ .allocator = crChooseAllocator(allocator), .name = "model" };
  crBytes_Init(&about->scene, &about->allocator);
  crStatus status = cr_ok;
  if (def->file != NULL) {
    nameModel(def->file, about->name);
  }
  if (origin != NULL && origin->isFileGone) {
    status = keepSource(about, origin);
  } else if (def->file != NULL) {
    readSource(about, origin != NULL ? origin->modelPath : def->file);
  }
  if (status != cr_ok) {
    return status;
  }
  return scene != NULL ? describeScene(about, scene, sink) : cr_ok;
}

void crRunAbout_Free(crRunAbout* about)
{
  crFree(&about->allocator, about->source, about->source != NULL ? about->sourceSize + 1 : 0);
  crFree(&about->allocator, about->meshes, (size_t)about->meshCount * sizeof *about->meshes);
  crBytes_Free(&about->scene);
}
