// From JSON text to a scene: Jansson parses, each element becomes a crValue and goes to crElementReader.
#include "base/report.h"
#include "scene/scene.h"
#include "text/element_reader.h"
#include "text/json_format.h"
#include "text/json_value.h"
#include "text/mesh_grant.h"
#include "text/read_options.h"

#include <stdio.h>
#include <string.h>

#define CR_SECTION_PATH_SIZE 64 // [bytes] "visualMaterials[2147483647]"

typedef struct Reader {
  crReporter file; // for messages without an element
  crElementReader elements;
  crArena arena; // of the values of one element
  crScene* scene;
  crStatus status; // the worst so far
} Reader;

static const crJsonNoun modelText = { "model", "the smallest one is {\"carom\": 1}" };

// ---------------------------------------------------------------------------------------- sections

// Keeps the worst status: out of memory ends everything, model errors are collected.
static void note(Reader* reader, crStatus status)
{
  if (status != cr_ok && reader->status != cr_errorMemory) {
    reader->status = status;
  }
}

static void runOutOfMemory(Reader* reader)
{
  crComplaint complaint = { .message = "out of memory" };
  crReport(&reader->file, cr_severityError, cr_errorMemory, &complaint);
  reader->status = cr_errorMemory;
}

static void complain(Reader* reader, const char* path, const crComplaint* complaint)
{
  crReporter reporter = crMakeReporter(reader->file.sink, reader->file.source, path);
  crReport(&reporter, cr_severityError, cr_errorModel, complaint);
  note(reader, crScene_Fail(reader->scene, &reporter, NULL));
}

// An element without a name is shown by its place, counted from 1.
static void readElement(Reader* reader, const crJsonSection* section, size_t index, const json_t* json)
{
  char path[CR_SECTION_PATH_SIZE];
  snprintf(path, sizeof path, "%s[%zu]", section->key, index + 1);
  crValue value;
  if (!crConvertJson(&reader->arena, json, &value)) {
    runOutOfMemory(reader);
    return;
  }
  reader->elements.place = path;
  note(reader, crElementReader_Add(&reader->elements, section->kind, &value, reader->file.source));
  reader->elements.place = NULL;
  crArena_Clear(&reader->arena);
}

static void readSection(Reader* reader, const crJsonSection* section, const json_t* json)
{
  if (!json_is_array(json)) {
    crComplaint complaint = { .message = "this section is of the wrong type",
                              .found = crDescribeJson(json),
                              .allowed = "a list of elements, [ {...}, {...} ]" };
    complain(reader, section->key, &complaint);
    return;
  }
  size_t count = json_array_size(json);
  for (size_t i = 0; i < count && reader->status != cr_errorMemory; ++i) {
    readElement(reader, section, i, json_array_get(json, i));
  }
}

static void readOptions(Reader* reader, const json_t* json)
{
  crValue value;
  if (!crConvertJson(&reader->arena, json, &value)) {
    runOutOfMemory(reader);
    return;
  }
  note(reader, crElementReader_SetOptions(&reader->elements, &value, reader->file.source));
  crArena_Clear(&reader->arena);
}

static bool isKnownKey(const char* key, crNearest* nearest)
{
  bool isKnown = strcmp(key, CR_JSON_VERSION_KEY) == 0 || strcmp(key, CR_JSON_SCENE_KEY) == 0;
  crNearest_Try(nearest, CR_JSON_SCENE_KEY);
  for (int i = 0; i < CR_JSON_SECTION_COUNT; ++i) {
    isKnown = isKnown || strcmp(key, crJsonSections[i].key) == 0;
    crNearest_Try(nearest, crJsonSections[i].key);
  }
  return isKnown;
}

static void checkKeys(Reader* reader, const json_t* root)
{
  const char* key;
  json_t* value;
  json_object_foreach((json_t*)root, key, value)
  {
    crNearest nearest = crMakeNearest(key);
    if (!isKnownKey(key, &nearest)) {
      char message[160], hint[64];
      snprintf(message, sizeof message, "a model has no section '%.100s'", key);
      crCleanText(message);
      snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best != NULL ? nearest.best : "");
      crComplaint complaint = { .message = message, .hint = nearest.best != NULL ? hint : NULL };
      complain(reader, NULL, &complaint);
    }
  }
}

static void readSections(Reader* reader, const json_t* root)
{
  checkKeys(reader, root);
  const json_t* options = json_object_get(root, CR_JSON_SCENE_KEY);
  if (options != NULL) {
    readOptions(reader, options);
  }
  for (int i = 0; i < CR_JSON_SECTION_COUNT; ++i) {
    const json_t* section = json_object_get(root, crJsonSections[i].key);
    if (section != NULL && reader->status != cr_errorMemory) {
      readSection(reader, &crJsonSections[i], section);
    }
  }
}

// ------------------------------------------------------------------------------------------- model

// Nothing in a text of another kind or version can be trusted, so it is not read further.
static crStatus checkVersion(crReporter* reporter, const json_t* root)
{
  char found[32];
  const json_t* version = json_object_get(root, CR_JSON_VERSION_KEY);
  crComplaint complaint = { .message = "this version of the format is unknown",
                            .found = found,
                            .allowed = "1",
                            .hint = "a newer Carom may read it" };
  if (!json_is_object(root)) {
    complaint = (crComplaint){ .message = "a model is a JSON object",
                               .found = crDescribeJson(root),
                               .allowed = "{\"carom\": 1, ...}" };
  } else if (version == NULL) {
    complaint = (crComplaint){ .message = "the version of the format is missing: this may not be a Carom model",
                               .allowed = "\"carom\": 1" };
  } else if (!json_is_number(version)) {
    complaint = (crComplaint){ .message = "the version of the format is not a number",
                               .found = crDescribeJson(version),
                               .allowed = "\"carom\": 1" };
  } else if (json_number_value(version) == CR_JSON_VERSION) {
    return cr_ok;
  } else {
    snprintf(found, sizeof found, "%.12g", json_number_value(version));
  }
  crReport(reporter, cr_severityError, cr_errorSyntax, &complaint);
  return cr_errorSyntax;
}

static bool hasNames(const crReadOptions* options)
{
  bool isGood = options->settingCount == 0 || options->settings != NULL;
  for (int i = 0; isGood && i < options->settingCount; ++i) {
    isGood = options->settings[i].name != NULL && options->settings[i].value != NULL;
  }
  return isGood;
}

static crStatus refuseSettings(crReporter reporter, const crReadOptions* options, crScene* scene)
{
  for (int i = 0; i < options->settingCount; ++i) {
    if (crIsGrant(&options->settings[i])) {
      continue;
    }
    reporter.path = options->settings[i].name;
    crComplaint complaint = { .message = "this was set, but the model has no such parameter",
                              .hint = "a JSON model has no parameters: set them in the Lua model" };
    crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
  }
  return reporter.errorCount > 0 ? crScene_Fail(scene, &reporter, NULL) : cr_ok;
}

static crStatus readScene(const json_t* root, const char* folder, const crReadOptions* options,
                          const crAllocator* allocator, crReporter* reporter, crScene** outScene)
{
  Reader reader = { .file = *reporter };
  crStatus status = crCreateScene(allocator, reporter->sink, &reader.scene);
  if (status != cr_ok) {
    runOutOfMemory(&reader);
    return status;
  }
  crElementReader_Init(&reader.elements, reader.scene, reporter->sink, folder, options->fileLimit, allocator);
  crElementReader_Use(&reader.elements, options);
  crArena_Init(&reader.arena, &reader.elements.allocator);
  reader.status = crElementReader_SetFile(&reader.elements, reporter->source.file);
  if (reader.status == cr_ok) {
    readSections(&reader, root);
  }
  crArena_Free(&reader.arena);
  crElementReader_Free(&reader.elements);
  if (reader.status == cr_errorMemory) {
    crDestroyScene(reader.scene);
    return cr_errorMemory;
  }
  *outScene = reader.scene;
  return reader.status;
}

crStatus crReadJson(const char* text, size_t size, const char* name, const char* folder, const crReadOptions* options,
                    const crAllocator* allocator, const crErrorSink* sink, crScene** outScene)
{
  if (text == NULL || outScene == NULL) {
    return cr_errorMisuse;
  }
  *outScene = NULL;
  crReadOptions chosen;
  if (crChooseReadOptions(options, sink, &chosen) != cr_ok || !hasNames(&chosen)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(sink, (crSource){ name, 0, 0 }, NULL);
  if (size > chosen.fileLimit) {
    char found[32], allowed[32];
    snprintf(found, sizeof found, "%zu", size);
    snprintf(allowed, sizeof allowed, "at most %zu", chosen.fileLimit);
    crComplaint complaint = {
      .message = "the model is too large", .found = found, .allowed = allowed, .unit = "bytes"
    };
    crReport(&reporter, cr_severityError, cr_errorLimit, &complaint);
    return cr_errorLimit;
  }
  json_t* root = NULL;
  crStatus status = crParseJson(&reporter, &modelText, text, size, &root);
  status = status == cr_ok ? checkVersion(&reporter, root) : status;
  if (status == cr_ok) {
    status = readScene(root, folder, &chosen, allocator, &reporter, outScene);
    if (*outScene != NULL) {
      crStatus set = refuseSettings(crMakeReporter(sink, reporter.source, NULL), &chosen, *outScene);
      status = status == cr_ok ? set : status;
    }
  }
  json_decref(root);
  return status;
}
