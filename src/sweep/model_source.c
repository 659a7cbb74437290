#include "sweep/model_source.h"

#include "base/file.h"
#include "base/platform.h"
#include "base/read_file.h"
#include "text/read_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static crStatus findFile(crModelSource* source, const char* path, const crErrorSink* sink)
{
  char folder[CR_PATH_SIZE] = "";
  if (path[0] != '/' && getcwd(folder, sizeof folder) == NULL) {
    return crReportFile(sink, path, "the current folder cannot be found", errno);
  }
  size_t size = strlen(folder) + strlen(path) + 2;
  char* absolute = crArena_Allocate(&source->arena, size);
  char* parent = crArena_Allocate(&source->arena, size);
  if (absolute == NULL || parent == NULL) {
    return cr_errorMemory;
  }
  snprintf(absolute, size, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", path);
  memcpy(parent, absolute, size);
  char* slash = strrchr(parent, '/');
  slash[slash == parent ? 1 : 0] = '\0';
  source->path = absolute;
  source->folder = parent;
  return cr_ok;
}

crStatus crModelSource_Init(crModelSource* source, const char* path, const crAllocator* allocator,
                            const crErrorSink* sink)
{
  *source = (crModelSource){ .allocator = *allocator };
  crArena_Init(&source->arena, allocator);
  const char* dot = strrchr(path, '.');
  source->isLua = dot != NULL && strcasecmp(dot, ".lua") == 0;
  if (!source->isLua && (dot == NULL || strcasecmp(dot, ".json") != 0)) {
    return crReportFile(sink, path, "the name does not tell what kind of model this is: .lua or .json", 0);
  }
  crStatus status = findFile(source, path, sink);
  return status == cr_ok ? crReadFile(path, CR_MODEL_FILE_LIMIT, allocator, sink, &source->text, &source->size)
                         : status;
}

void crModelSource_Free(crModelSource* source)
{
  crFree(&source->allocator, source->text, source->text != NULL ? source->size + 1 : 0);
  crDestroyScene(source->scene);
  crArena_Free(&source->arena);
}

crStatus crModelSource_Read(const crModelSource* source, const crSetting* settings, int settingCount,
                            const crAllocator* allocator, const crErrorSink* sink, crScene** outScene)
{
  crReadOptions options = { .size = sizeof options,
                            .settings = settings,
                            .settingCount = settingCount,
                            .meshes = source->meshes,
                            .meshCount = source->meshCount,
                            .sources = source->sources,
                            .sourceCount = source->sourceCount };
  return (source->isLua ? crReadLua : crReadJson)(source->text, source->size, source->path, source->folder, &options,
                                                  allocator, sink, outScene);
}

bool crModelSource_KeepFiles(crModelSource* source, crScene** ioScene)
{
  int meshCount = crScene_CountMeshFiles(*ioScene), sourceCount = crScene_CountSourceFiles(*ioScene);
  if (meshCount + sourceCount == 0 || source->scene != NULL) {
    return true;
  }
  source->scene = *ioScene;
  *ioScene = NULL;
  source->meshes = crArena_AllocateZero(&source->arena, (size_t)meshCount + 1, sizeof *source->meshes);
  source->sources = crArena_AllocateZero(&source->arena, (size_t)sourceCount + 1, sizeof *source->sources);
  for (int i = 0; source->meshes != NULL && i < meshCount; ++i) {
    source->meshes[source->meshCount++] = crScene_GetMeshFile(source->scene, i);
  }
  for (int i = 0; source->sources != NULL && i < sourceCount; ++i) {
    source->sources[source->sourceCount++] = crScene_GetSourceFile(source->scene, i);
  }
  return source->meshes != NULL && source->sources != NULL;
}
