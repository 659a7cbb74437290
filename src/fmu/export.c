// A model becomes an FMU: what it holds, whether it can, and its archive.
//
//   modelDescription.xml               what tools read
//   model.png                          the icon; in FMI 3.0 terminalsAndIcons/icon.png
//   binaries/linux64/NAME.so           the same bytes for every model; in FMI 3.0 x86_64-linux
//   resources/carom.json               what the binary finds its model by
//   resources/model.lua, model.json    the model as it was written, or the scene that came of it
//   resources/mesh_0.stl ...           its meshes
//   resources/part_0.lua ...           the files that it includes
//   documentation/licenses/...         of all that the binary holds
#include "base/file.h"
#include "base/read_file.h"
#include "base/report.h"
#include "base/sha256.h"
#include "fmu/archive.h"
#include "fmu/description.h"
#include "fmu/icon.h"
#include "foreign/fmu_block.h"
#include "text/json_text.h"
#include "text/path.h"
#include "text/read_options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define CR_GUID_SIZE 39        // [bytes] {8-4-4-4-12} and the zero
#define CR_NOWHERE "/dev/null" // a folder in which there are no files

#if defined(__aarch64__)
#define CR_PLATFORM2 "linux-aarch64" // FMI 2 has no name for it
#define CR_PLATFORM3 "aarch64-linux"
#else
#define CR_PLATFORM2 "linux64"
#define CR_PLATFORM3 "x86_64-linux"
#endif

typedef struct Mesh {
  char name[32]; // in resources/
  char* bytes;   // (size + 1)
  size_t size;
} Mesh;

typedef struct Export {
  crAllocator allocator;
  const crErrorSink* sink;
  const crFmuOptions* options;
  const char* path;    // of the model
  bool isSource;       // the FMU holds the Lua text
  char* source;        // (sourceSize + 1)
  size_t sourceSize;   //
  crScene* scene;      //
  crModel* model;      //
  unsigned kinds;      //
  char name[256];      // of the model, without folder and ending
  char identifier[64]; //
  crTextBlock modelText, manifest, description, icon;
  crFmuVariables variables;
  crDependencies dependencies;
  crArrayOf(Mesh) meshes;
  crArrayOf(crZipEntry) entries;
  crArena arena; // of their names
} Export;

crFmuOptions crDefaultFmuOptions(void)
{
  return (crFmuOptions){ .size = sizeof(crFmuOptions) };
}

static crStatus refuse(const Export* export, const char* message, const char* hint)
{
  crReporter reporter = crMakeReporter(export->sink, (crSource){ .file = export->path }, "fmu");
  crComplaint complaint = { .message = message, .hint = hint };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

// ------------------------------------------------------------------------------------------- names

static bool hasEnding(const char* path, const char* ending)
{
  const char* dot = strrchr(path, '.');
  return dot != NULL && strcasecmp(dot, ending) == 0;
}

// The name of a model from that of its file, and one that C allows.
static void chooseNames(Export* export)
{
  const char* slash = strrchr(export->path, '/');
  const char* name = slash != NULL ? slash + 1 : export->path;
  snprintf(export->name, sizeof export->name, "%s", name);
  char* dot = strrchr(export->name, '.');
  if (dot != NULL && dot != export->name) {
    *dot = '\0';
  }
  size_t used = 0;
  if (!isalpha((unsigned char)export->name[0])) {
    export->identifier[used++] = '_';
  }
  for (const char* c = export->name; *c != '\0' && used + 1 < sizeof export->identifier; ++c) {
    bool isGood = (unsigned char)*c < 128 && isalnum((unsigned char)*c);
    export->identifier[used++] = isGood ? *c : '_';
  }
  export->identifier[used] = '\0';
  crCleanText(export->name);
}

// ------------------------------------------------------------------------------------------- model

static crStatus readModel(Export* export)
{
  crReadOptions options = { .size = sizeof options,
                            .settings = export->options->settings,
                            .settingCount = export->options->settingCount };
  crStatus status = crReadModel(export->path, &options, &export->allocator, export->sink, &export->scene);
  status = status == cr_ok ? crCompile(export->scene, NULL, &export->allocator, export->sink, &export->model) : status;
  export->isSource = hasEnding(export->path, ".lua") && !export->options->isLocked;
  if (status == cr_ok && export->isSource) {
    status = crReadFile(export->path, CR_MODEL_FILE_LIMIT, &export->allocator, export->sink, &export->source,
                        &export->sourceSize);
  }
  return status;
}

static crStatus chooseKinds(Export* export)
{
  unsigned asked = export->options->kinds;
  crStickSlots slots;
  crStatus status = crFindStickSlots(export->model, &export->allocator, &slots);
  export->kinds = asked != 0 ? asked : cr_fmuModelExchange | cr_fmuCoSimulation;
  bool isActing = crModel_CountActions(export->model) > 0, canExchange = !isActing && !slots.isFull;
  if (status != cr_ok || canExchange || (export->kinds & cr_fmuModelExchange) == 0) {
    return status;
  }
  if (asked != 0 && isActing) {
    return refuse(export,
                  "actions change the structure of the model during a run, and with it the states, which Model "
                  "Exchange does not know",
                  "export Co-Simulation alone, or leave the actions out");
  }
  if (asked != 0) {
    return refuse(export,
                  "friction that sticks has states of its own for each pair that can touch, and more than 64 can, "
                  "which is too many for Model Exchange",
                  "export Co-Simulation alone, or let friction be regularized");
  }
  export->kinds = cr_fmuCoSimulation;
  return cr_ok;
}

// Whether the run inside can be what the model asks for.
static crStatus checkRun(const Export* export)
{
  crSolverKind solver = crModel_GetRunOptions(export->model)->solver;
  if (solver == cr_solverIda || solver == cr_solverCvodeBdf) {
    return refuse(export, "the model asks for a solver of SUNDIALS, which FMUs do not hold",
                  "choose another one in scene{ solver = ... }, or none");
  }
  if (crHasFmus(export->model)) {
    return refuse(export, "the model runs FMUs of others, which an FMU of Carom does not hold",
                  "let the other tool couple both");
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------ meshes

static crStatus readMesh(Export* export, const char* folder, int index)
{
  crMeshFile file = crScene_GetMeshFile(export->scene, index);
  char path[2 * CR_PATH_SIZE];
  Mesh* mesh = crArray_Push(&export->meshes, &export->allocator);
  if (mesh == NULL) {
    return cr_errorMemory;
  }
  *mesh = (Mesh){ 0 };
  const char* dot = strrchr(file.file, '.');
  bool isPlain = dot != NULL && strlen(dot) < 8 && strchr(dot, '/') == NULL;
  snprintf(mesh->name, sizeof mesh->name, "mesh_%d%s", index, isPlain ? dot : "");
  snprintf(path, sizeof path, "%s%s%s", file.file[0] == '/' ? "" : folder, file.file[0] == '/' ? "" : "/", file.file);
  return crReadFile(path, CR_MODEL_FILE_LIMIT, &export->allocator, export->sink, &mesh->bytes, &mesh->size);
}

static crStatus readMeshes(Export* export)
{
  char folder[CR_FILE_PATH_SIZE];
  if (!crFindFolder(export->path, folder)) {
    return crReportFile(export->sink, export->path, "the path is too long", 0);
  }
  crStatus status = cr_ok;
  for (int i = 0; i < crScene_CountMeshFiles(export->scene) && status == cr_ok; ++i) {
    status = readMesh(export, folder, i);
  }
  return status;
}

// The Lua text has to make the same model where there are no files: robots that it imports would be missing.
static crStatus checkAlone(Export* export)
{
  int count = crScene_CountMeshFiles(export->scene), sourceCount = crScene_CountSourceFiles(export->scene);
  crMeshFile* meshes = crArena_AllocateZero(&export->arena, (size_t)count + 1, sizeof *meshes);
  crSourceFile* sources = crArena_AllocateZero(&export->arena, (size_t)sourceCount + 1, sizeof *sources);
  if (meshes == NULL || sources == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < sourceCount; ++i) {
    sources[i] = crScene_GetSourceFile(export->scene, i);
  }
  for (int i = 0; i < count; ++i) {
    meshes[i] = crScene_GetMeshFile(export->scene, i);
  }
  crReadOptions options = { .size = sizeof options,
                            .settings = export->options->settings,
                            .settingCount = export->options->settingCount,
                            .meshes = meshes,
                            .meshCount = count,
                            .sources = sources,
                            .sourceCount = sourceCount };
  crScene* scene = NULL;
  crStatus status = crReadLua(export->source, export->sourceSize, export->path, CR_NOWHERE, &options,
                              &export->allocator, NULL, &scene);
  crDestroyScene(scene);
  return status == cr_ok || status == cr_errorMemory
             ? status
             : refuse(export, "the model reads other files than meshes and Lua files, which an FMU does not hold",
                      "--locked exports what came of them, without parameters");
}

// -------------------------------------------------------------------------------------------- texts

static void writeText(void* context, const char* text, size_t size)
{
  crTextBlock_Add(context, text, size);
}

static void writeSettings(const Export* export, crJsonText* json)
{
  crJsonText_Key(json, "settings");
  crJsonText_BeginArrayLines(json);
  for (int i = 0; i < export->options->settingCount && export->isSource; ++i) {
    crJsonText_BeginArray(json);
    crJsonText_String(json, export->options->settings[i].name);
    crJsonText_String(json, export->options->settings[i].value);
    crJsonText_EndArray(json);
  }
  crJsonText_EndArray(json);
}

// The files that the model includes, of which there are none without its source.
static int countSources(const Export* export)
{
  return export->isSource ? crScene_CountSourceFiles(export->scene) : 0;
}

static void nameSource(int index, char outName[32])
{
  snprintf(outName, 32, "part_%d.lua", index);
}

static void writeSources(const Export* export, crJsonText* json)
{
  crJsonText_Key(json, "sources");
  crJsonText_BeginArrayLines(json);
  for (int i = 0; i < countSources(export); ++i) {
    char name[32];
    nameSource(i, name);
    crJsonText_BeginObject(json);
    crJsonText_KeyString(json, "file", crScene_GetSourceFile(export->scene, i).file);
    crJsonText_KeyString(json, "resource", name);
    crJsonText_EndObject(json);
  }
  crJsonText_EndArray(json);
}

static crStatus writeManifest(Export* export, const char* guid)
{
  export->manifest.bytes.count = 0;
  crJsonText json;
  crJsonText_Init(&json, (crTextWriter){ writeText, &export->manifest });
  crJsonText_BeginObjectLines(&json);
  crJsonText_KeyString(&json, "carom", CAROM_VERSION);
  crJsonText_KeyString(&json, "guid", guid);
  crJsonText_KeyString(&json, "model", export->isSource ? "model.lua" : "model.json");
  crJsonText_KeyBool(&json, "hasParameters", export->isSource);
  crJsonText_KeyBool(&json, "isExchange", (export->kinds & cr_fmuModelExchange) != 0);
  writeSettings(export, &json);
  writeSources(export, &json);
  crJsonText_Key(&json, "meshes");
  crJsonText_BeginArrayLines(&json);
  for (int i = 0; i < export->meshes.count; ++i) {
    crMeshFile file = crScene_GetMeshFile(export->scene, i);
    crJsonText_BeginObject(&json);
    crJsonText_KeyString(&json, "file", file.file);
    crJsonText_KeyString(&json, "resource", export->meshes.items[i].name);
    crJsonText_KeyNumber(&json, "x", file.scale.x);
    crJsonText_KeyNumber(&json, "y", file.scale.y);
    crJsonText_KeyNumber(&json, "z", file.scale.z);
    crJsonText_EndObject(&json);
  }
  crJsonText_EndArray(&json);
  crJsonText_EndObject(&json);
  crJsonText_Finish(&json);
  return export->manifest.hasFailed ? cr_errorMemory : cr_ok;
}

static crStatus writeModel(Export* export)
{
  if (export->isSource) {
    crTextBlock_Add(&export->modelText, export->source, export->sourceSize);
    return cr_ok;
  }
  return crWriteJson(export->scene, &export->allocator, export->sink, (crTextWriter){ writeText, &export->modelText });
}

static bool isThird(const Export* export)
{
  return export->options->version == 3;
}

// What holds the guid: the description and the manifest.
static crStatus describe(Export* export, const char* guid)
{
  crStatus status = writeManifest(export, guid);
  crFmuDescription description = { .name = export->name,
                                   .identifier = export->identifier,
                                   .guid = guid,
                                   .kinds = export->kinds,
                                   .model = export->model,
                                   .variables = &export->variables,
                                   .dependencies = export->dependencies };
  bool canTouch = crModel_GetSize(export->model).pairCount > 0;
  description.indicatorCount = canTouch && (export->kinds & cr_fmuModelExchange) != 0 ? CR_INDICATORS : 0;
  export->description.bytes.count = 0;
  (isThird(export) ? crWriteDescription3 : crWriteDescription2)(&description, &export->description);
  return export->description.hasFailed ? cr_errorMemory : status;
}

static crStatus listVariables(Export* export)
{
  crFmuContent content = { .scene = export->scene,
                           .model = export->model,
                           .hasParameters = export->isSource,
                           .isExchange = (export->kinds & cr_fmuModelExchange) != 0 };
  crStatus status = crFmuVariables_Init(&export->variables, &content, &export->allocator);
  status = status == cr_ok && export->variables.stateCount > 0
               ? crFindDependencies(export->model, &export->arena, &export->dependencies)
               : status;
  const char* twin = NULL;
  status = status == cr_ok ? crFmuVariables_FindTwin(&export->variables, &twin) : status;
  if (status == cr_ok && twin != NULL) {
    char message[400];
    snprintf(message, sizeof message, "two variables of the FMU would have the name '%.300s'", twin);
    return refuse(export, message, "rename the parameter, or the signal");
  }
  return status;
}

// ------------------------------------------------------------------------------------------- archive

static bool addEntry(Export* export, const char* folder, const char* name, const void* bytes, size_t size)
{
  size_t length = strlen(folder) + strlen(name) + 1;
  char* path = crArena_Allocate(&export->arena, length);
  crZipEntry* entry = path != NULL ? crArray_Push(&export->entries, &export->allocator) : NULL;
  if (entry != NULL) {
    snprintf(path, length, "%s%s", folder, name);
    *entry = (crZipEntry){ path, bytes, size };
  }
  return entry != NULL;
}

static bool addText(Export* export, const char* folder, const char* name, const crTextBlock* text)
{
  return addEntry(export, folder, name, text->bytes.items, (size_t)text->bytes.count);
}

static bool listEntries(Export* export)
{
  export->entries.count = 0;
  const crFmuOptions* options = export->options;
  char library[sizeof export->identifier + 4];
  const char* platform = isThird(export) ? "binaries/" CR_PLATFORM3 "/" : "binaries/" CR_PLATFORM2 "/";
  snprintf(library, sizeof library, "%s.so", export->identifier);
  bool isGood = addText(export, "", "modelDescription.xml", &export->description) &&
                addEntry(export, platform, library, options->binary, options->binarySize) &&
                addText(export, isThird(export) ? "terminalsAndIcons/" : "", isThird(export) ? "icon.png" : "model.png",
                        &export->icon) &&
                addText(export, "resources/", "carom.json", &export->manifest) &&
                addText(export, "resources/", export->isSource ? "model.lua" : "model.json", &export->modelText);
  for (int i = 0; i < countSources(export) && isGood; ++i) {
    crSourceFile source = crScene_GetSourceFile(export->scene, i);
    char name[32];
    nameSource(i, name);
    isGood = addEntry(export, "resources/", name, source.text, source.size);
  }
  for (int i = 0; i < export->meshes.count && isGood; ++i) {
    const Mesh* mesh = &export->meshes.items[i];
    isGood = addEntry(export, "resources/", mesh->name, mesh->bytes, mesh->size);
  }
  if (isGood && options->license != NULL) {
    isGood = addEntry(export, "documentation/licenses/", "license.txt", options->license, strlen(options->license));
  }
  return isGood;
}

static void makeGuid(const Export* export, char outGuid[CR_GUID_SIZE])
{
  crSha256 hash;
  char digits[CR_SHA256_TEXT];
  crSha256_Init(&hash);
  for (int i = 0; i < export->entries.count; ++i) {
    const crZipEntry* entry = &export->entries.items[i];
    uint64_t size = entry->size;
    crSha256_Add(&hash, entry->name, strlen(entry->name) + 1);
    crSha256_Add(&hash, &size, sizeof size);
    crSha256_Add(&hash, entry->bytes, entry->size);
  }
  crSha256_Finish(&hash, digits);
  snprintf(outGuid, CR_GUID_SIZE, "{%.8s-%.4s-%.4s-%.4s-%.12s}", digits, digits + 8, digits + 12, digits + 16,
           digits + 20);
}

static crStatus writeArchive(Export* export, const char* path, size_t* outSize)
{
  char *bytes, guid[CR_GUID_SIZE];
  crStatus status = describe(export, "");
  status = status == cr_ok && !listEntries(export) ? cr_errorMemory : status;
  if (status != cr_ok) {
    return status;
  }
  makeGuid(export, guid);
  status = describe(export, guid);
  status = status == cr_ok && !listEntries(export) ? cr_errorMemory : status;
  status = status == cr_ok ? crPackZip(export->entries.items, export->entries.count, &export->allocator, export->sink,
                                       &bytes, outSize)
                           : status;
  if (status != cr_ok) {
    return status;
  }
  crOutputFile* file;
  status = crOpenOutputFile(path, &export->allocator, export->sink, &file);
  if (status == cr_ok) {
    crOutputFile_Write(file, bytes, *outSize);
    status = crCloseOutputFile(file, true, export->sink);
  }
  crFree(&export->allocator, bytes, *outSize);
  return status;
}

// --------------------------------------------------------------------------------------------- whole

static crStatus write(Export* export, const char* path, size_t* outSize)
{
  crStatus status = readModel(export);
  status = status == cr_ok ? checkRun(export) : status;
  status = status == cr_ok ? chooseKinds(export) : status;
  status = status == cr_ok ? readMeshes(export) : status;
  status = status == cr_ok && export->isSource ? checkAlone(export) : status;
  status = status == cr_ok ? listVariables(export) : status;
  status = status == cr_ok ? writeModel(export) : status;
  if (status != cr_ok) {
    return status;
  }
  return export->modelText.hasFailed || export->icon.hasFailed ? cr_errorMemory : writeArchive(export, path, outSize);
}

static void tell(const Export* export, size_t byteCount, crFmuFacts* outFacts)
{
  *outFacts = (crFmuFacts){ .kinds = export->kinds,
                            .parameterCount = export->variables.parameterCount,
                            .inputCount = crModel_CountInputs(export->model),
                            .outputCount = crModel_CountOutputs(export->model),
                            .stateCount = export->variables.stateCount,
                            .variableCount = export->variables.list.count,
                            .byteCount = byteCount };
}

static void freeExport(Export* export)
{
  for (int i = 0; i < export->meshes.count; ++i) {
    const Mesh* mesh = &export->meshes.items[i];
    crFree(&export->allocator, mesh->bytes, mesh->bytes != NULL ? mesh->size + 1 : 0);
  }
  crArray_Free(&export->meshes, &export->allocator);
  crArray_Free(&export->entries, &export->allocator);
  crTextBlock_Free(&export->modelText);
  crTextBlock_Free(&export->manifest);
  crTextBlock_Free(&export->description);
  crTextBlock_Free(&export->icon);
  crFmuVariables_Free(&export->variables);
  crFree(&export->allocator, export->source, export->source != NULL ? export->sourceSize + 1 : 0);
  crDestroyModel(export->model);
  crDestroyScene(export->scene);
  crArena_Free(&export->arena);
}

static crStatus checkOptions(const crFmuOptions* options, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "fmu");
  if (!crCheckSize(&reporter, "crFmuOptions", options->size, sizeof *options)) {
    return cr_errorMisuse;
  }
  bool isKnown = (options->version == 0 || options->version == 2 || options->version == 3) &&
                 options->kinds <= (cr_fmuModelExchange | cr_fmuCoSimulation);
  bool isWhole = options->binary != NULL && options->binarySize > 0;
  return isKnown && isWhole && (options->settings != NULL || options->settingCount == 0) ? cr_ok : cr_errorMisuse;
}

crStatus crWriteFmu(const char* modelPath, const crFmuOptions* options, const char* path, const crAllocator* allocator,
                    const crErrorSink* sink, crFmuFacts* outFacts)
{
  if (modelPath == NULL || options == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crStatus status = checkOptions(options, sink);
  if (status != cr_ok) {
    return status;
  }
  Export export = { .allocator = crChooseAllocator(allocator), .sink = sink, .options = options, .path = modelPath };
  crArena_Init(&export.arena, &export.allocator);
  crArena_Init(&export.variables.arena, &export.allocator);
  crTextBlock_Init(&export.modelText, &export.allocator);
  crTextBlock_Init(&export.manifest, &export.allocator);
  crTextBlock_Init(&export.description, &export.allocator);
  crTextBlock_Init(&export.icon, &export.allocator);
  crWriteIcon(&export.icon);
  chooseNames(&export);
  size_t byteCount = 0;
  status = write(&export, path, &byteCount);
  if (status == cr_ok && outFacts != NULL) {
    tell(&export, byteCount, outFacts);
  }
  freeExport(&export);
  return status;
}
