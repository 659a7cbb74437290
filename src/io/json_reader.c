// From JSON text to a scene: Jansson parses, each element becomes a crValue and goes to crElementReader.
//
// All numbers are read as doubles, whole ones too: -0 keeps its sign, and 2^63 is a number like any other.
// Jansson takes its memory by malloc and its own depth limit of 2048 levels bounds the recursion here.
#include "base/report.h"
#include "io/element_reader.h"
#include "io/json_format.h"
#include "scene/scene.h"

#include <jansson.h>
#include <limits.h>
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

// ------------------------------------------------------------------------------------------ syntax

static void complainAt(crReporter* reporter, crStatus status, int line, int column, const crComplaint* complaint)
{
  crReporter there = *reporter;
  there.source.line = line > 0 ? line : 0;
  there.source.column = line > 0 && column > 0 ? column : 0;
  crReport(&there, cr_severityError, status, complaint);
}

// What Jansson says, in the words of somebody who does not know Jansson.
static void describe(const json_error_t* error, char* buffer, size_t size)
{
  const char* what = error->text;
  const char* near = strstr(error->text, " near ");
  switch (json_error_code(error)) {
    case json_error_stack_overflow:
      what = "brackets are nested too deeply";
      near = NULL;
      break;
    case json_error_numeric_overflow: what = "a number is out of range"; break;
    case json_error_null_character:
    case json_error_null_byte_in_key: what = "a string holds \\u0000, which is not allowed"; break;
    case json_error_duplicate_key: what = "a key is given twice"; break;
    case json_error_end_of_input_expected: what = "something follows after the end of the model"; break;
    case json_error_invalid_utf8: snprintf(buffer, size, "the text is not valid UTF-8: %s", error->text); return;
    default: near = NULL; break; // it is in the text already
  }
  snprintf(buffer, size, "%s%s", what, near != NULL ? near : "");
}

static crStatus reportSyntax(crReporter* reporter, const json_error_t* error)
{
  char message[JSON_ERROR_TEXT_LENGTH + 64];
  enum json_error_code code = json_error_code(error);
  if (code == json_error_out_of_memory || error->text[0] == '\0') {
    crComplaint complaint = { .message = "out of memory" };
    crReport(reporter, cr_severityError, cr_errorMemory, &complaint);
    return cr_errorMemory;
  }
  describe(error, message, sizeof message);
  crCleanText(message);
  crStatus status = code == json_error_stack_overflow ? cr_errorLimit : cr_errorSyntax;
  crComplaint complaint = { .message = message };
  if (code == json_error_stack_overflow) {
    complaint.allowed = "at most 2048 levels; models need fewer than 10";
  } else if (code == json_error_numeric_overflow) {
    complaint.allowed = "numbers up to 1.797e308 in magnitude";
  }
  complainAt(reporter, status, error->line, error->column, &complaint);
  return status;
}

// Jansson skips some zero bytes, so they are looked for here.
static bool checkZeroBytes(crReporter* reporter, const char* text, size_t size)
{
  const char* zero = memchr(text, '\0', size);
  if (zero == NULL) {
    return true;
  }
  int line = 1, column = 1;
  for (const char* p = text; p < zero; ++p) {
    bool isContinuation = ((unsigned char)*p & 0xc0) == 0x80;
    column = *p == '\n' ? 1 : column + !isContinuation;
    line += *p == '\n';
  }
  crComplaint complaint = { .message = "the text holds a zero byte" };
  complainAt(reporter, cr_errorSyntax, line, column, &complaint);
  return false;
}

static bool isBlank(const char* text, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    if (strchr(" \t\r\n", text[i]) == NULL) {
      return false;
    }
  }
  return true;
}

// Parses the text. On failure a report and no root.
static crStatus parse(crReporter* reporter, const char* text, size_t size, json_t** outRoot)
{
  static const char byteOrderMark[] = "\xef\xbb\xbf";
  if (size >= 3 && memcmp(text, byteOrderMark, 3) == 0) {
    text += 3;
    size -= 3;
  }
  if (!checkZeroBytes(reporter, text, size)) {
    return cr_errorSyntax;
  }
  if (isBlank(text, size)) {
    crComplaint complaint = { .message = "the model is empty", .hint = "the smallest one is {\"carom\": 1}" };
    complainAt(reporter, cr_errorSyntax, 1, 1, &complaint);
    return cr_errorSyntax;
  }
  json_error_t error;
  *outRoot = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);
  return *outRoot != NULL ? cr_ok : reportSyntax(reporter, &error);
}

// ------------------------------------------------------------------------------------------ values

static bool convert(crArena* arena, const json_t* json, crValue* outValue);

static bool convertArray(crArena* arena, const json_t* json, crValue* outValue)
{
  size_t count = json_array_size(json);
  outValue->kind = cr_valueTable;
  outValue->items = count <= INT_MAX ? crArena_AllocateZero(arena, count, sizeof *outValue->items) : NULL;
  if (outValue->items == NULL) {
    return false;
  }
  outValue->itemCount = (int)count;
  for (size_t i = 0; i < count; ++i) {
    if (!convert(arena, json_array_get(json, i), &outValue->items[i])) {
      return false;
    }
  }
  return true;
}

// Jansson keeps the order of the file.
static bool convertObject(crArena* arena, const json_t* json, crValue* outValue)
{
  size_t count = json_object_size(json);
  outValue->kind = cr_valueTable;
  if (count > INT_MAX) {
    return false;
  }
  outValue->keys = crArena_AllocateZero(arena, count, sizeof *outValue->keys);
  outValue->fields = crArena_AllocateZero(arena, count, sizeof *outValue->fields);
  if (outValue->keys == NULL || outValue->fields == NULL) {
    return false;
  }
  const char* key;
  json_t* field;
  json_object_foreach((json_t*)json, key, field)
  {
    outValue->keys[outValue->fieldCount] = key;
    if (!convert(arena, field, &outValue->fields[outValue->fieldCount])) {
      return false;
    }
    ++outValue->fieldCount;
  }
  return true;
}

// Strings stay where Jansson has them. false: out of memory.
static bool convert(crArena* arena, const json_t* json, crValue* outValue)
{
  *outValue = (crValue){ .kind = cr_valueNull };
  switch (json_typeof(json)) {
    case JSON_OBJECT: return convertObject(arena, json, outValue);
    case JSON_ARRAY: return convertArray(arena, json, outValue);
    case JSON_STRING: *outValue = crMakeString(json_string_value(json)); break;
    case JSON_INTEGER:
    case JSON_REAL:
      outValue->kind = cr_valueNumber;
      outValue->number = json_number_value(json);
      break;
    case JSON_TRUE:
    case JSON_FALSE:
      outValue->kind = cr_valueBool;
      outValue->boolean = json_is_true(json);
      break;
    case JSON_NULL: break;
  }
  return true;
}

static const char* describeJson(const json_t* json)
{
  switch (json_typeof(json)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a string";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NULL: return "null";
  }
  return "something else";
}

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
  if (!convert(&reader->arena, json, &value)) {
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
                              .found = describeJson(json),
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
  if (!convert(&reader->arena, json, &value)) {
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
                               .found = describeJson(root),
                               .allowed = "{\"carom\": 1, ...}" };
  } else if (version == NULL) {
    complaint = (crComplaint){ .message = "the version of the format is missing: this may not be a Carom model",
                               .allowed = "\"carom\": 1" };
  } else if (!json_is_number(version)) {
    complaint = (crComplaint){ .message = "the version of the format is not a number",
                               .found = describeJson(version),
                               .allowed = "\"carom\": 1" };
  } else if (json_number_value(version) == CR_JSON_VERSION) {
    return cr_ok;
  } else {
    snprintf(found, sizeof found, "%.12g", json_number_value(version));
  }
  crReport(reporter, cr_severityError, cr_errorSyntax, &complaint);
  return cr_errorSyntax;
}

static void warnOfSettings(crReporter* reporter, const crReadOptions* options)
{
  for (int i = 0; i < options->settingCount; ++i) {
    char message[300];
    snprintf(message, sizeof message, "the setting '%.200s' is never read", options->settings[i].name);
    crCleanText(message);
    crComplaint complaint = { .message = message, .hint = "a JSON model has no parameters: set them in the Lua model" };
    crReport(reporter, cr_severityWarning, cr_ok, &complaint);
  }
}

static crStatus readScene(const json_t* root, const char* folder, size_t fileLimit, const crAllocator* allocator,
                          crReporter* reporter, crScene** outScene)
{
  Reader reader = { .file = *reporter };
  crStatus status = crCreateScene(allocator, reporter->sink, &reader.scene);
  if (status != cr_ok) {
    runOutOfMemory(&reader);
    return status;
  }
  crElementReader_Init(&reader.elements, reader.scene, reporter->sink, folder, fileLimit, allocator);
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
  bool hasSettings = options == NULL || options->settingCount == 0 || options->settings != NULL;
  if (text == NULL || outScene == NULL || !hasSettings) {
    return cr_errorMisuse;
  }
  *outScene = NULL;
  crReadOptions chosen = options != NULL ? *options : crDefaultReadOptions();
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
  crStatus status = parse(&reporter, text, size, &root);
  status = status == cr_ok ? checkVersion(&reporter, root) : status;
  if (status == cr_ok) {
    status = readScene(root, folder, chosen.fileLimit, allocator, &reporter, outScene);
    warnOfSettings(&reporter, &chosen);
  }
  json_decref(root);
  return status;
}
