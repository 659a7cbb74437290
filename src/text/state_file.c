// States as JSON:
//
//   { "caromState": 1, "time": 1.25, "states": { "cue.position.x": 0.1, ... }, "inputs": {...}, "discrete": {...},
//     "turns": {...}, "contacts": [ { "objectA": "cue", ..., "memory": {...} }, ... ], "dissipated": 0.5, "work": 0 }
//
// Keys are the fields of crState; the bristle of a contact that does not stick is null, or left out. Numbers read back
// as the same bits; null is NaN, in contacts and held values, which may be unknown. Whether the names are those of a
// model is seen where a run starts.
#include "base/file.h"
#include "base/memory.h"
#include "base/read_file.h"
#include "carom/io.h"
#include "carom/state.h"
#include "text/json_text.h"
#include "text/json_value.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_STATE_KEY "caromState"
#define CR_STATE_VERSION 1
#define CR_STATE_LIMIT (1u << 30) // [bytes] of a file
#define CR_KEY_PATH_SIZE 256      // [bytes] "contacts[12].memory.approach"; longer names are cut

// ------------------------------------------------------------------------------------------- layout

typedef enum FieldKind {
  fieldText,
  fieldWhole,
  fieldNumber,
  fieldLater, // a number that older states do not have: 0
  fieldFlag,
  fieldVector,
  fieldStates,
  fieldMemory,
  fieldBristle // likewise
} FieldKind;

typedef struct Field {
  const char* key;
  FieldKind kind;
  size_t offset;
} Field;

static const Field memoryFields[] = {
  { "approach", fieldNumber, offsetof(crContactMemory, approach) },
  { "cor", fieldNumber, offsetof(crContactMemory, cor) },
  { "damping", fieldNumber, offsetof(crContactMemory, damping) },
  { "stiffness", fieldNumber, offsetof(crContactMemory, stiffness) },
  { "exponent", fieldNumber, offsetof(crContactMemory, exponent) },
  { "radius", fieldNumber, offsetof(crContactMemory, radius) },
  { "lever", fieldNumber, offsetof(crContactMemory, lever) },
};

static const Field bristleFields[] = {
  { "count", fieldWhole, offsetof(crStateBristle, count) },
  { "isPatch", fieldFlag, offsetof(crStateBristle, isPatch) },
  { "stiffness", fieldNumber, offsetof(crStateBristle, stiffness) },
  { "damping", fieldNumber, offsetof(crStateBristle, damping) },
  { "rollStiffness", fieldNumber, offsetof(crStateBristle, rollStiffness) },
  { "rollDamping", fieldNumber, offsetof(crStateBristle, rollDamping) },
  { "ratio", fieldNumber, offsetof(crStateBristle, ratio) },
  { "axis", fieldVector, offsetof(crStateBristle, axis) },
  { "normal", fieldVector, offsetof(crStateBristle, normal) },
  { "x", fieldStates, offsetof(crStateBristle, x) },
};

static const Field contactFields[] = {
  { "objectA", fieldText, offsetof(crStateContact, objectA) },
  { "featureA", fieldWhole, offsetof(crStateContact, featureA) },
  { "pieceA", fieldWhole, offsetof(crStateContact, pieceA) },
  { "objectB", fieldText, offsetof(crStateContact, objectB) },
  { "featureB", fieldWhole, offsetof(crStateContact, featureB) },
  { "pieceB", fieldWhole, offsetof(crStateContact, pieceB) },
  { "begin", fieldNumber, offsetof(crStateContact, begin) },
  { "approach", fieldNumber, offsetof(crStateContact, approach) },
  { "isSettled", fieldFlag, offsetof(crStateContact, isSettled) },
  { "maxDepth", fieldNumber, offsetof(crStateContact, maxDepth) },
  { "maxForce", fieldNumber, offsetof(crStateContact, maxForce) },
  { "impulse", fieldNumber, offsetof(crStateContact, impulse) },
  { "dissipation", fieldNumber, offsetof(crStateContact, dissipation) },
  { "slipPath", fieldLater, offsetof(crStateContact, slipPath) },
  { "memory", fieldMemory, offsetof(crStateContact, memory) },
  { "bristle", fieldBristle, offsetof(crStateContact, bristle) },
};

enum {
  memoryFieldCount = sizeof memoryFields / sizeof *memoryFields,
  bristleFieldCount = sizeof bristleFields / sizeof *bristleFields,
  contactFieldCount = sizeof contactFields / sizeof *contactFields
};

// The lists of named numbers.
typedef struct List {
  const char* key;
  size_t items, count; // where they are in crState
  bool takesUnknown;   // null
} List;

static const List lists[] = {
  { "states", offsetof(crState, states), offsetof(crState, stateCount), false },
  { "inputs", offsetof(crState, inputs), offsetof(crState, inputCount), false },
  { "discrete", offsetof(crState, discrete), offsetof(crState, discreteCount), true },
  { "turns", offsetof(crState, turns), offsetof(crState, turnCount), false },
};

static const Field totals[] = {
  { "time", fieldNumber, offsetof(crState, time) },
  { "dissipated", fieldNumber, offsetof(crState, dissipated) },
  { "work", fieldNumber, offsetof(crState, work) },
};

// ------------------------------------------------------------------------------------------ writing

static void writeNumber(crJsonText* text, double number)
{
  if (isfinite(number)) {
    crJsonText_Number(text, number);
  } else {
    crJsonText_Null(text);
  }
}

static void writeNumbers(crJsonText* text, const double* numbers, int count)
{
  crJsonText_BeginArray(text);
  for (int i = 0; i < count; ++i) {
    writeNumber(text, numbers[i]);
  }
  crJsonText_EndArray(text);
}

static void writeFields(crJsonText* text, const Field* fields, int count, const void* record);

static void writeBristle(crJsonText* text, const crStateBristle* bristle)
{
  if (bristle->count > 0) {
    writeFields(text, bristleFields, bristleFieldCount, bristle);
  } else {
    crJsonText_Null(text);
  }
}

static void writeFields(crJsonText* text, const Field* fields, int count, const void* record)
{
  crJsonText_BeginObject(text);
  for (int i = 0; i < count; ++i) {
    const void* place = (const char*)record + fields[i].offset;
    crJsonText_Key(text, fields[i].key);
    switch (fields[i].kind) {
      case fieldText: crJsonText_String(text, *(const char* const*)place); break;
      case fieldWhole: crJsonText_Number(text, *(const int*)place); break;
      case fieldNumber:
      case fieldLater: writeNumber(text, *(const double*)place); break;
      case fieldFlag: crJsonText_Bool(text, *(const bool*)place); break;
      case fieldVector: writeNumbers(text, place, 3); break;
      case fieldStates: writeNumbers(text, place, CR_MOST_BRISTLES); break;
      case fieldMemory: writeFields(text, memoryFields, memoryFieldCount, place); break;
      case fieldBristle: writeBristle(text, place); break;
    }
  }
  crJsonText_EndObject(text);
}

static void writeLists(crJsonText* text, const crState* state)
{
  for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
    const crNamedNumber* items = *(const crNamedNumber* const*)((const char*)state + lists[k].items);
    int count = *(const int*)((const char*)state + lists[k].count);
    crJsonText_Key(text, lists[k].key);
    crJsonText_BeginObjectLines(text);
    for (int i = 0; i < count; ++i) {
      crJsonText_Key(text, items[i].name);
      writeNumber(text, items[i].value);
    }
    crJsonText_EndObject(text);
  }
}

crStatus crWriteState(const crState* state, crTextWriter writer)
{
  if (state == NULL || writer.write == NULL) {
    return cr_errorMisuse;
  }
  crJsonText text;
  crJsonText_Init(&text, writer);
  crJsonText_BeginObjectLines(&text);
  crJsonText_KeyNumber(&text, CR_STATE_KEY, CR_STATE_VERSION);
  crJsonText_Key(&text, "time");
  writeNumber(&text, state->time);
  writeLists(&text, state);
  crJsonText_Key(&text, "contacts");
  crJsonText_BeginArrayLines(&text);
  for (int i = 0; i < state->contactCount; ++i) {
    writeFields(&text, contactFields, contactFieldCount, &state->contacts[i]);
  }
  crJsonText_EndArray(&text);
  crJsonText_Key(&text, "dissipated");
  writeNumber(&text, state->dissipated);
  crJsonText_Key(&text, "work");
  writeNumber(&text, state->work);
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
  return cr_ok;
}

static void writeBytes(void* context, const char* text, size_t size)
{
  crOutputFile_Write(context, text, size);
}

crStatus crWriteStateFile(const crState* state, const char* path, const crAllocator* allocator, const crErrorSink* sink)
{
  if (state == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crOutputFile* file;
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  crWriteState(state, (crTextWriter){ writeBytes, file });
  return crCloseOutputFile(file, true, sink);
}

// ------------------------------------------------------------------------------------------ reading

typedef struct Reader {
  crReporter file;
  crArena arena; // lists; names stay where Jansson has them
  crState state;
  bool isOutOfMemory;
} Reader;

static void complain(Reader* reader, const char* path, const crComplaint* complaint)
{
  crReporter there = crMakeReporter(reader->file.sink, reader->file.source, path);
  crReport(&there, cr_severityError, cr_errorModel, complaint);
  ++reader->file.errorCount;
}

static void complainType(Reader* reader, const char* path, const json_t* json, const char* allowed)
{
  crComplaint complaint = { .message = json != NULL ? "this is of the wrong type" : "this is missing",
                            .found = json != NULL ? crDescribeJson(json) : NULL,
                            .allowed = allowed };
  complain(reader, path, &complaint);
}

static void complainKey(Reader* reader, const char* path, const crNearest* nearest)
{
  char message[160], hint[160];
  snprintf(message, sizeof message, "a state has no '%.100s' here", nearest->name);
  crCleanText(message);
  snprintf(hint, sizeof hint, "did you mean '%.100s'?", nearest->best != NULL ? nearest->best : "");
  complain(reader, path, &(crComplaint){ .message = message, .hint = nearest->best != NULL ? hint : NULL });
}

static void* allocate(Reader* reader, size_t count, size_t size)
{
  void* memory = crArena_AllocateZero(&reader->arena, count > 0 ? count : 1, size);
  reader->isOutOfMemory = reader->isOutOfMemory || memory == NULL;
  return memory;
}

// A number; null is NaN where something may be unknown.
static double readNumber(Reader* reader, const char* path, const json_t* json, bool takesUnknown)
{
  if (json_is_number(json)) {
    return json_number_value(json);
  }
  if (!takesUnknown || !json_is_null(json)) {
    complainType(reader, path, json, takesUnknown ? "a number, or null where it is unknown" : "a number");
  }
  return NAN;
}

static int readWhole(Reader* reader, const char* path, const json_t* json)
{
  double number = json_is_number(json) ? json_number_value(json) : NAN;
  if (!(number >= 0.0 && number <= INT_MAX && number == floor(number))) {
    complainType(reader, path, json, "a whole number, 0 or more");
    return 0;
  }
  return (int)number;
}

static void readNumbers(Reader* reader, const char* path, const json_t* json, int count, double* numbers)
{
  if (!json_is_array(json) || json_array_size(json) != (size_t)count) {
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a list of %d numbers", count);
    complainType(reader, path, json, allowed);
    return;
  }
  for (int i = 0; i < count; ++i) {
    char inner[CR_KEY_PATH_SIZE];
    snprintf(inner, sizeof inner, "%.200s[%d]", path, i + 1);
    numbers[i] = readNumber(reader, inner, json_array_get(json, (size_t)i), false);
  }
}

static void readFields(Reader* reader, const char* path, const Field* fields, int count, const json_t* json,
                       void* record);

static void readField(Reader* reader, const char* path, const Field* field, const json_t* json, void* place)
{
  switch (field->kind) {
    case fieldText:
      if (json_is_string(json)) {
        *(const char**)place = json_string_value(json);
      } else {
        complainType(reader, path, json, "the path of an object");
      }
      break;
    case fieldWhole: *(int*)place = readWhole(reader, path, json); break;
    case fieldNumber:
    case fieldLater: *(double*)place = readNumber(reader, path, json, true); break;
    case fieldFlag:
      *(bool*)place = json_is_true(json);
      if (!json_is_boolean(json)) {
        complainType(reader, path, json, "true or false");
      }
      break;
    case fieldVector: readNumbers(reader, path, json, 3, place); break;
    case fieldStates: readNumbers(reader, path, json, CR_MOST_BRISTLES, place); break;
    case fieldMemory: readFields(reader, path, memoryFields, memoryFieldCount, json, place); break;
    case fieldBristle:
      if (!json_is_null(json)) {
        readFields(reader, path, bristleFields, bristleFieldCount, json, place);
      }
      break;
  }
}

static void checkFieldKeys(Reader* reader, const char* path, const Field* fields, int count, const json_t* json)
{
  const char* key;
  json_t* value;
  json_object_foreach((json_t*)json, key, value)
  {
    crNearest nearest = crMakeNearest(key);
    bool isKnown = false;
    for (int i = 0; i < count; ++i) {
      isKnown = isKnown || strcmp(key, fields[i].key) == 0;
      crNearest_Try(&nearest, fields[i].key);
    }
    if (!isKnown) {
      complainKey(reader, path, &nearest);
    }
  }
}

static void readFields(Reader* reader, const char* path, const Field* fields, int count, const json_t* json,
                       void* record)
{
  if (!json_is_object(json)) {
    complainType(reader, path, json, "an object, {...}");
    return;
  }
  checkFieldKeys(reader, path, fields, count, json);
  for (int i = 0; i < count; ++i) {
    const json_t* value = json_object_get(json, fields[i].key);
    char inner[CR_KEY_PATH_SIZE];
    snprintf(inner, sizeof inner, "%.200s.%s", path, fields[i].key);
    bool isOptional = fields[i].kind == fieldLater || fields[i].kind == fieldBristle;
    if (value != NULL || !isOptional) {
      readField(reader, inner, &fields[i], value, (char*)record + fields[i].offset);
    }
  }
}

static void readList(Reader* reader, const List* list, const json_t* json)
{
  if (!json_is_object(json)) {
    complainType(reader, list->key, json, "names with numbers, {\"name\": number, ...}");
    return;
  }
  size_t count = json_object_size(json);
  crNamedNumber* items = count <= INT_MAX ? allocate(reader, count, sizeof *items) : NULL;
  if (items == NULL) {
    reader->isOutOfMemory = true;
    return;
  }
  *(const crNamedNumber**)((char*)&reader->state + list->items) = items;
  *(int*)((char*)&reader->state + list->count) = (int)count;
  const char* key;
  json_t* value;
  json_object_foreach((json_t*)json, key, value)
  {
    char path[CR_KEY_PATH_SIZE];
    snprintf(path, sizeof path, "%s.%s", list->key, key);
    *items++ = (crNamedNumber){ key, readNumber(reader, path, value, list->takesUnknown) };
  }
}

static void readContacts(Reader* reader, const json_t* json)
{
  if (!json_is_array(json)) {
    complainType(reader, "contacts", json, "a list of contacts, [ {...}, ... ]");
    return;
  }
  size_t count = json_array_size(json);
  crStateContact* contacts = count <= INT_MAX ? allocate(reader, count, sizeof *contacts) : NULL;
  if (contacts == NULL) {
    reader->isOutOfMemory = true;
    return;
  }
  reader->state.contacts = contacts;
  reader->state.contactCount = (int)count;
  for (size_t i = 0; i < count; ++i) {
    char path[CR_KEY_PATH_SIZE];
    snprintf(path, sizeof path, "contacts[%zu]", i + 1);
    readFields(reader, path, contactFields, contactFieldCount, json_array_get(json, i), &contacts[i]);
  }
}

static void checkKeys(Reader* reader, const json_t* root)
{
  enum { listCount = sizeof lists / sizeof *lists, totalCount = sizeof totals / sizeof *totals };
  const char* known[listCount + totalCount + 2] = { CR_STATE_KEY, "contacts" };
  int count = 2;
  for (int i = 0; i < listCount; ++i) {
    known[count++] = lists[i].key;
  }
  for (int i = 0; i < totalCount; ++i) {
    known[count++] = totals[i].key;
  }
  const char* key;
  json_t* value;
  json_object_foreach((json_t*)root, key, value)
  {
    crNearest nearest = crMakeNearest(key);
    bool isKnown = false;
    for (int i = 0; i < count; ++i) {
      isKnown = isKnown || strcmp(key, known[i]) == 0;
      crNearest_Try(&nearest, known[i]);
    }
    if (!isKnown) {
      complainKey(reader, NULL, &nearest);
    }
  }
}

// Time and states have to be there; what else is missing is none, or zero.
static void readRoot(Reader* reader, const json_t* root)
{
  checkKeys(reader, root);
  for (size_t i = 0; i < sizeof totals / sizeof *totals; ++i) {
    const json_t* json = json_object_get(root, totals[i].key);
    void* place = (char*)&reader->state + totals[i].offset;
    *(double*)place = json != NULL || i == 0 ? readNumber(reader, totals[i].key, json, false) : 0.0;
  }
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
    const json_t* json = json_object_get(root, lists[i].key);
    if (json != NULL || i == 0) {
      readList(reader, &lists[i], json);
    }
  }
  const json_t* contacts = json_object_get(root, "contacts");
  if (contacts != NULL) {
    readContacts(reader, contacts);
  }
}

static crStatus checkVersion(crReporter* reporter, const json_t* root)
{
  const json_t* version = json_object_get(root, CR_STATE_KEY);
  if (json_is_number(version) && json_number_value(version) == CR_STATE_VERSION) {
    return cr_ok;
  }
  crComplaint complaint = { .message = version == NULL ? "this is no state of a run" : "this version is unknown",
                            .found = version == NULL || json_is_number(version) ? NULL : crDescribeJson(version),
                            .allowed = "{\"" CR_STATE_KEY "\": 1, ...}",
                            .hint = version == NULL ? "`carom run MODEL --save-state FILE` writes one"
                                                    : "a newer Carom may read it" };
  crReport(reporter, cr_severityError, cr_errorSyntax, &complaint);
  return cr_errorSyntax;
}

static crStatus readState(Reader* reader, const json_t* root, const crAllocator* allocator, crState** outState)
{
  crStatus status = checkVersion(&reader->file, root);
  if (status != cr_ok) {
    return status;
  }
  readRoot(reader, root);
  if (reader->file.errorCount > 0 && !reader->isOutOfMemory) {
    return cr_errorModel;
  }
  status = reader->isOutOfMemory ? cr_errorMemory : crCopyState(&reader->state, allocator, outState);
  if (status != cr_ok) {
    crReport(&reader->file, cr_severityError, status, &(crComplaint){ .message = "out of memory" });
  }
  return status;
}

crStatus crReadState(const char* text, size_t size, const char* name, const crAllocator* allocator,
                     const crErrorSink* sink, crState** outState)
{
  static const crJsonNoun stateText = { "state", "`carom run MODEL --save-state FILE` writes one" };
  if (text == NULL || outState == NULL) {
    return cr_errorMisuse;
  }
  *outState = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  Reader reader = { .file = crMakeReporter(sink, (crSource){ name, 0, 0 }, NULL) };
  crArena_Init(&reader.arena, &chosen);
  json_t* root = NULL;
  crStatus status = crParseJson(&reader.file, &stateText, text, size, &root);
  status = status == cr_ok ? readState(&reader, root, &chosen, outState) : status;
  json_decref(root);
  crArena_Free(&reader.arena);
  return status;
}

crStatus crReadStateFile(const char* path, const crAllocator* allocator, const crErrorSink* sink, crState** outState)
{
  if (path == NULL || outState == NULL) {
    return cr_errorMisuse;
  }
  *outState = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  char* text = NULL;
  size_t size = 0;
  crStatus status = crReadFile(path, CR_STATE_LIMIT, &chosen, sink, &text, &size);
  if (status == cr_ok) {
    status = crReadState(text, size, path, &chosen, sink, outState);
    crFree(&chosen, text, size + 1);
  }
  return status;
}
