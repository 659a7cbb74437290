#include "package.h"

#include "base/file.h"
#include "base/read_file.h"
#include "base/report.h"
#include "text/read_options.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define CR_MANIFEST "carom.json"

// ---------------------------------------------------------------------------------------------- uri

static int readDigit(char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

bool crReadFileUri(const char* uri, char* buffer, size_t size)
{
  bool isUri = strncmp(uri, "file:", 5) == 0;
  if (isUri) {
    uri += 5;
    uri += strncmp(uri, "//localhost/", 12) == 0 ? 11 : strncmp(uri, "///", 3) == 0 ? 2 : 0;
  }
  size_t used = 0;
  for (; *uri != '\0' && used + 1 < size; ++uri) {
    int high = isUri && *uri == '%' ? readDigit(uri[1]) : -1;
    int low = high >= 0 ? readDigit(uri[2]) : -1;
    buffer[used++] = low >= 0 ? (char)(16 * high + low) : *uri;
    uri += low >= 0 ? 2 : 0;
  }
  buffer[used] = '\0';
  while (used > 1 && buffer[used - 1] == '/') {
    buffer[--used] = '\0';
  }
  return *uri == '\0' && buffer[0] == '/';
}

// ------------------------------------------------------------------------------------------ manifest

static crStatus refuse(const crErrorSink* sink, const char* what)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, CR_MANIFEST);
  crReportError(&reporter, "resources/" CR_MANIFEST " of the FMU is damaged: %s", what);
  return cr_errorFile;
}

static const char* copyString(crFmuPackage* package, const json_t* text)
{
  return crArena_CopyString(&package->arena, json_string_value(text)); // NULL for NULL
}

static crStatus readSettings(crFmuPackage* package, const json_t* list, const crErrorSink* sink)
{
  size_t count = json_array_size(list);
  package->settings = crArena_AllocateZero(&package->arena, count + 1, sizeof *package->settings);
  if (package->settings == NULL) {
    return cr_errorMemory;
  }
  for (size_t i = 0; i < count; ++i) {
    const json_t* pair = json_array_get(list, i);
    crSetting setting = { copyString(package, json_array_get(pair, 0)), copyString(package, json_array_get(pair, 1)) };
    if (setting.name == NULL || setting.value == NULL) {
      return refuse(sink, "a setting is no pair of texts");
    }
    package->settings[package->settingCount++] = setting;
  }
  return cr_ok;
}

static crStatus readMesh(crFmuPackage* package, const char* folder, const json_t* entry, const crErrorSink* sink)
{
  const char* resource = json_string_value(json_object_get(entry, "resource"));
  crMeshFile mesh = { .file = copyString(package, json_object_get(entry, "file")) };
  mesh.scale.x = json_number_value(json_object_get(entry, "x"));
  mesh.scale.y = json_number_value(json_object_get(entry, "y"));
  mesh.scale.z = json_number_value(json_object_get(entry, "z"));
  if (mesh.file == NULL || resource == NULL || strchr(resource, '/') != NULL) {
    return refuse(sink, "a mesh has no name");
  }
  char path[2 * CR_PATH_SIZE];
  snprintf(path, sizeof path, "%s/%s", folder, resource);
  crMesh* made = NULL;
  bool isZero = mesh.scale.x == 0.0 && mesh.scale.y == 0.0 && mesh.scale.z == 0.0;
  crVec3 scale = isZero ? (crVec3){ 1.0, 1.0, 1.0 } : mesh.scale;
  crStatus status = crReadMesh(path, scale, &package->allocator, sink, &made);
  if (status == cr_ok) {
    mesh.mesh = made;
    package->meshes[package->meshCount++] = mesh;
  }
  return status;
}

static crStatus readMeshes(crFmuPackage* package, const char* folder, const json_t* list, const crErrorSink* sink)
{
  size_t count = json_array_size(list);
  package->meshes = crArena_AllocateZero(&package->arena, count + 1, sizeof *package->meshes);
  crStatus status = package->meshes != NULL ? cr_ok : cr_errorMemory;
  for (size_t i = 0; i < count && status == cr_ok; ++i) {
    status = readMesh(package, folder, json_array_get(list, i), sink);
  }
  return status;
}

static crStatus readResource(const crFmuPackage* package, const char* folder, const char* name, const crErrorSink* sink,
                             char** outBytes, size_t* outSize)
{
  char path[2 * CR_PATH_SIZE];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return crReadFile(path, CR_MODEL_FILE_LIMIT, &package->allocator, sink, outBytes, outSize);
}

static crStatus readSources(crFmuPackage* package, const char* folder, const json_t* list, const crErrorSink* sink)
{
  size_t count = json_array_size(list);
  package->sources = crArena_AllocateZero(&package->arena, count + 1, sizeof *package->sources);
  crStatus status = package->sources != NULL ? cr_ok : cr_errorMemory;
  for (size_t i = 0; i < count && status == cr_ok; ++i) {
    const json_t* entry = json_array_get(list, i);
    const char* resource = json_string_value(json_object_get(entry, "resource"));
    crSourceFile source = { .file = copyString(package, json_object_get(entry, "file")) };
    if (source.file == NULL || resource == NULL || strchr(resource, '/') != NULL) {
      return refuse(sink, "a file that the model includes has no name");
    }
    char* text = NULL;
    status = readResource(package, folder, resource, sink, &text, &source.size);
    if (status == cr_ok) {
      source.text = text;
      package->sources[package->sourceCount++] = source;
    }
  }
  return status;
}

static crStatus readManifest(crFmuPackage* package, const char* folder, const json_t* root, const crErrorSink* sink)
{
  const char* version = json_string_value(json_object_get(root, "carom"));
  if (version == NULL || strcmp(version, CAROM_VERSION) != 0) {
    return refuse(sink, "it is of another version of Carom than the binary");
  }
  package->name = copyString(package, json_object_get(root, "model"));
  package->guid = copyString(package, json_object_get(root, "guid"));
  if (package->guid == NULL) {
    return refuse(sink, "it has no guid");
  }
  if (package->name == NULL || strchr(package->name, '/') != NULL) {
    return refuse(sink, "it names no model");
  }
  package->isLua = strcmp(package->name, "model.lua") == 0;
  package->hasParameters = json_is_true(json_object_get(root, "hasParameters"));
  package->isExchange = json_is_true(json_object_get(root, "isExchange"));
  crStatus status = readSettings(package, json_object_get(root, "settings"), sink);
  status = status == cr_ok ? readSources(package, folder, json_object_get(root, "sources"), sink) : status;
  return status == cr_ok ? readMeshes(package, folder, json_object_get(root, "meshes"), sink) : status;
}

crStatus crFmuPackage_Open(crFmuPackage* package, const char* folder, const crAllocator* allocator,
                           const crErrorSink* sink)
{
  *package = (crFmuPackage){ .allocator = *allocator };
  crArena_Init(&package->arena, allocator);
  char* bytes;
  size_t size;
  crStatus status = readResource(package, folder, CR_MANIFEST, sink, &bytes, &size);
  if (status != cr_ok) {
    return status;
  }
  json_error_t error;
  json_t* root = json_loadb(bytes, size, 0, &error);
  crFree(allocator, bytes, size + 1);
  status = root != NULL ? readManifest(package, folder, root, sink) : refuse(sink, error.text);
  json_decref(root);
  return status == cr_ok ? readResource(package, folder, package->name, sink, &package->text, &package->size) : status;
}

void crFmuPackage_Free(crFmuPackage* package)
{
  for (int i = 0; i < package->meshCount; ++i) {
    crReleaseMesh(package->meshes[i].mesh);
  }
  for (int i = 0; i < package->sourceCount; ++i) {
    crFree(&package->allocator, (char*)package->sources[i].text, package->sources[i].size + 1);
  }
  crFree(&package->allocator, package->text, package->text != NULL ? package->size + 1 : 0);
  crArena_Free(&package->arena);
}

// --------------------------------------------------------------------------------------------- model

crStatus crFmuPackage_Read(const crFmuPackage* package, const crSetting* settings, int settingCount,
                           const crErrorSink* sink, crScene** outScene, crModel** outModel)
{
  *outScene = NULL;
  *outModel = NULL;
  int count = package->settingCount + settingCount;
  crSetting* all = crAllocateZero(&package->allocator, (size_t)count + 1, sizeof *all);
  if (all == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < count; ++i) {
    all[i] = i < package->settingCount ? package->settings[i] : settings[i - package->settingCount];
  }
  crReadOptions options = { .size = sizeof options,
                            .settings = all,
                            .settingCount = count,
                            .meshes = package->meshes,
                            .meshCount = package->meshCount,
                            .sources = package->sources,
                            .sourceCount = package->sourceCount };
  crStatus status = (package->isLua ? crReadLua : crReadJson)(package->text, package->size, package->name, "/dev/null",
                                                              &options, &package->allocator, sink, outScene);
  crFree(&package->allocator, all, ((size_t)count + 1) * sizeof *all);
  status = status == cr_ok ? crCompile(*outScene, NULL, &package->allocator, sink, outModel) : status;
  if (status != cr_ok) {
    crDestroyScene(*outScene);
    *outScene = NULL;
  }
  return status;
}
