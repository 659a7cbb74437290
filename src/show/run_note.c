// Notes of runs as JSON.
#include "show/run_note.h"

#include "base/report.h"
#include "text/json_value.h"

#include <jansson.h>
#include <limits.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ writing

static json_t* describeSettings(const crRunNote* note)
{
  json_t* list = json_array();
  for (int i = 0; i < note->settingCount && list != NULL; ++i) {
    json_t* pair = json_pack("[s, s]", note->settings[i].name, note->settings[i].value);
    if (pair == NULL || json_array_append_new(list, pair) != 0) {
      json_decref(list);
      list = NULL;
    }
  }
  return list;
}

static json_t* describePatterns(const crRunNote* note)
{
  json_t* list = json_array();
  for (int i = 0; i < note->patternCount && list != NULL; ++i) {
    if (json_array_append_new(list, json_string(note->patterns[i])) != 0) {
      json_decref(list);
      list = NULL;
    }
  }
  return list;
}

char* crWriteRunNote(const crRunNote* note)
{
  const crResultPlace* p = &note->place;
  json_t* place = json_pack("{s:i, s:i, s:i, s:i, s:i, s:f}", "rows", p->rowCount, "events", p->eventCount, "contacts",
                            p->contactCount, "samples", p->sampleCount, "corners", p->cornerCount, "time", p->time);
  json_t *settings = describeSettings(note), *patterns = describePatterns(note);
  // json_pack takes what it is given, also when it fails
  json_t* root = json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:o, s:o, s:b, s:b, s:o}", "model", note->modelFile, "path",
                           note->modelPath, "sha256", note->sourceHash, "scene", note->sceneHash, "state",
                           note->stateFile, "checkpoint", note->checkpointSeconds, "set", settings, "record", patterns,
                           "report", (int)note->hasReport, "interactive", (int)note->isInteractive, "place", place);
  char* text = root != NULL ? json_dumps(root, JSON_COMPACT) : NULL;
  json_decref(root);
  return text;
}

// ------------------------------------------------------------------------------------------ reading

// A text in the arena; NULL with *outIsGood false: it is missing, or there is no memory.
static const char* readText(const json_t* json, crArena* arena, bool* outIsGood)
{
  const char* text = json_is_string(json) ? crArena_CopyString(arena, json_string_value(json)) : NULL;
  *outIsGood = *outIsGood && text != NULL;
  return text;
}

static int readCount(const json_t* place, const char* key, bool* outIsGood)
{
  const json_t* json = json_object_get(place, key);
  json_int_t count = json_is_integer(json) ? json_integer_value(json) : -1;
  *outIsGood = *outIsGood && count >= 0 && count <= INT_MAX;
  return *outIsGood ? (int)count : 0;
}

static bool readLists(const json_t* root, crArena* arena, crRunNote* note)
{
  const json_t *set = json_object_get(root, "set"), *record = json_object_get(root, "record");
  bool isGood = json_is_array(set) && json_is_array(record);
  crSetting* settings = isGood ? crArena_AllocateZero(arena, json_array_size(set) + 1, sizeof *settings) : NULL;
  const char** patterns = isGood ? crArena_AllocateZero(arena, json_array_size(record) + 1, sizeof *patterns) : NULL;
  if (settings == NULL || patterns == NULL) {
    return false;
  }
  note->settingCount = (int)json_array_size(set);
  note->patternCount = (int)json_array_size(record);
  for (int i = 0; i < note->settingCount; ++i) {
    const json_t* pair = json_array_get(set, (size_t)i);
    settings[i].name = readText(json_array_get(pair, 0), arena, &isGood);
    settings[i].value = readText(json_array_get(pair, 1), arena, &isGood);
  }
  for (int i = 0; i < note->patternCount; ++i) {
    patterns[i] = readText(json_array_get(record, (size_t)i), arena, &isGood);
  }
  note->settings = settings;
  note->patterns = patterns;
  return isGood;
}

static bool readNote(const json_t* root, crArena* arena, crRunNote* note)
{
  bool isGood = json_is_object(root);
  const json_t *place = json_object_get(root, "place"), *seconds = json_object_get(root, "checkpoint");
  note->modelFile = readText(json_object_get(root, "model"), arena, &isGood);
  note->modelPath = readText(json_object_get(root, "path"), arena, &isGood);
  note->sourceHash = readText(json_object_get(root, "sha256"), arena, &isGood);
  note->sceneHash = readText(json_object_get(root, "scene"), arena, &isGood);
  note->stateFile = readText(json_object_get(root, "state"), arena, &isGood);
  note->checkpointSeconds = json_number_value(seconds);
  isGood = isGood && json_is_number(seconds);
  note->hasReport = json_is_true(json_object_get(root, "report"));
  note->isInteractive = json_is_true(json_object_get(root, "interactive"));
  note->place = (crResultPlace){ .rowCount = readCount(place, "rows", &isGood),
                                 .eventCount = readCount(place, "events", &isGood),
                                 .contactCount = readCount(place, "contacts", &isGood),
                                 .sampleCount = readCount(place, "samples", &isGood),
                                 .cornerCount = readCount(place, "corners", &isGood),
                                 .time = json_number_value(json_object_get(place, "time")) };
  isGood = isGood && json_is_real(json_object_get(place, "time"));
  return readLists(root, arena, note) && isGood;
}

crStatus crReadRunNote(const void* bytes, size_t size, crArena* arena, const crErrorSink* sink, crRunNote* outNote)
{
  *outNote = (crRunNote){ .modelFile = NULL };
  json_error_t error;
  json_t* root = bytes != NULL ? crLoadJson(bytes, size, 0, &error) : NULL;
  bool isGood = root != NULL && readNote(root, arena, outNote);
  json_decref(root);
  if (isGood) {
    return cr_ok;
  }
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  crComplaint complaint = { .message = "this checkpoint was not written by a run into a folder",
                            .hint = "crLoadSimulation goes on from it" };
  crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
  return cr_errorFile;
}
