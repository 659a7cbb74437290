#include "text/session_file.h"

#include "base/memory.h"
#include "base/read_file.h"
#include "base/report.h"
#include "text/json_value.h"
#include "text/mesh_grant.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_SESSION_FORMAT "carom session 1"
#define CR_SESSION_LIMIT ((size_t)1 << 28) // [bytes] of a file
#define CR_MOST_SESSION_STEPS (1 << 28)    // twelve days

static const struct {
  const char* name;
  bool hasPath;
  int numberCount;
} kinds[cr_sessionActionCount] = {
  { "grab", true, 3 }, { "pull", false, 3 }, { "release", false, 0 }, { "input", true, 1 }
};

static crStatus complain(crReporter* reporter, const char* message, const char* found, const char* allowed)
{
  crReport(reporter, cr_severityError, cr_errorSyntax,
           &(crComplaint){ .message = message, .found = found, .allowed = allowed });
  return cr_errorSyntax;
}

static bool isStep(const json_t* value, int least, int most)
{
  return json_is_integer(value) && json_integer_value(value) >= least && json_integer_value(value) <= most;
}

static int findKind(const json_t* value)
{
  int kind = 0;
  while (json_is_string(value) && kind < cr_sessionActionCount &&
         strcmp(kinds[kind].name, json_string_value(value)) != 0) {
    ++kind;
  }
  return json_is_string(value) ? kind : cr_sessionActionCount;
}

static crStatus readAction(const json_t* list, int least, int most, crReporter* reporter, crSessionAction* outAction)
{
  if (!json_is_array(list) || !isStep(json_array_get(list, 0), least, most)) {
    return complain(reporter, "an action begins with its step, not before that of the action before", NULL,
                    "a whole number up to `steps`");
  }
  int kind = findKind(json_array_get(list, 1));
  if (kind == cr_sessionActionCount) {
    return complain(reporter, "there is no such action", json_string_value(json_array_get(list, 1)),
                    "grab, pull, release, input");
  }
  int first = kinds[kind].hasPath ? 3 : 2, count = kinds[kind].numberCount;
  *outAction = (crSessionAction){ .step = (int)json_integer_value(json_array_get(list, 0)), .kind = kind };
  bool isGood = (int)json_array_size(list) == first + count;
  if (kinds[kind].hasPath) {
    outAction->path = json_string_value(json_array_get(list, 2));
    isGood = isGood && outAction->path != NULL;
  }
  for (int i = 0; i < count && isGood; ++i) {
    const json_t* number = json_array_get(list, (size_t)(first + i));
    outAction->numbers[i] = json_number_value(number);
    isGood = json_is_number(number) && isfinite(outAction->numbers[i]);
  }
  return isGood ? cr_ok
                : complain(reporter, "an action lacks something, or has too much", kinds[kind].name,
                           "grab PATH X Y Z, pull X Y Z, release, input PATH VALUE");
}

static crStatus readActions(const json_t* root, crReporter* reporter, crSessionScript* script)
{
  const json_t* list = json_object_get(root, "actions");
  size_t count = json_array_size(list);
  if (!json_is_array(list) || count > INT_MAX / 2) {
    return complain(reporter, "a session has a list of actions", NULL, "\"actions\": [...]");
  }
  script->actions = crAllocateZero(&script->allocator, count + 1, sizeof *script->actions);
  if (script->actions == NULL) {
    return cr_errorMemory;
  }
  script->actionCount = (int)count;
  crStatus status = cr_ok;
  for (int i = 0, least = 0; i < script->actionCount && status == cr_ok; ++i) {
    char place[32];
    snprintf(place, sizeof place, "actions[%d]", i);
    crReporter own = *reporter;
    own.path = place;
    status = readAction(json_array_get(list, (size_t)i), least, script->stepCount, &own, &script->actions[i]);
    least = script->actions[i].step;
  }
  return status;
}

static crStatus readSettings(json_t* root, crReporter* reporter, crSessionScript* script)
{
  json_t* object = json_object_get(root, "set");
  const char* name;
  json_t* value;
  script->settings = crAllocateZero(&script->allocator, json_object_size(object) + 1, sizeof *script->settings);
  if (script->settings == NULL) {
    return cr_errorMemory;
  }
  if (object != NULL && !json_is_object(object)) {
    return complain(reporter, "parameters are set by name", NULL, "\"set\": { \"NAME\": \"VALUE\" }");
  }
  json_object_foreach(object, name, value)
  {
    if (!json_is_string(value)) {
      return complain(reporter, "values of parameters are strings", name, "\"0.3\"");
    }
    crSetting setting = { name, json_string_value(value) };
    if (crIsGrant(&setting)) {
      return complain(reporter, "a session does not say which folders a model may read", name, "--allow-path DIR");
    }
    script->settings[script->settingCount++] = setting;
  }
  return cr_ok;
}

static crStatus readScript(const char* text, size_t size, crReporter* reporter, crSessionScript* script)
{
  json_error_t error;
  json_t* root = crLoadJson(text, size, JSON_REJECT_DUPLICATES, &error);
  script->json = root;
  if (root == NULL) {
    reporter->source.line = error.line;
    reporter->source.column = error.column;
    return complain(reporter, "this is no JSON", error.text, NULL);
  }
  const char* format = json_string_value(json_object_get(root, "format"));
  if (format == NULL || strcmp(format, CR_SESSION_FORMAT) != 0) {
    return complain(reporter, "this is no session of a play page, or of another version", format, CR_SESSION_FORMAT);
  }
  const json_t* steps = json_object_get(root, "steps");
  if (!isStep(steps, 0, CR_MOST_SESSION_STEPS)) {
    return complain(reporter, "a session has a number of steps", NULL, "\"steps\": a whole number >= 0");
  }
  script->stepCount = (int)json_integer_value(steps);
  crStatus status = readSettings(root, reporter, script);
  return status == cr_ok ? readActions(root, reporter, script) : status;
}

crStatus crReadSessionFile(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                           crSessionScript* outScript)
{
  *outScript = (crSessionScript){ .allocator = crChooseAllocator(allocator) };
  char* text;
  size_t size;
  crStatus status = crReadFile(path, CR_SESSION_LIMIT, &outScript->allocator, sink, &text, &size);
  if (status != cr_ok) {
    return status;
  }
  crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, "session");
  status = readScript(text, size, &reporter, outScript);
  crFree(&outScript->allocator, text, size + 1);
  return status;
}

void crSessionScript_Free(crSessionScript* script)
{
  size_t settings = script->settings != NULL ? json_object_size(json_object_get(script->json, "set")) + 1 : 0;
  size_t actions = script->actions != NULL ? (size_t)script->actionCount + 1 : 0;
  crFree(&script->allocator, script->settings, settings * sizeof *script->settings);
  crFree(&script->allocator, script->actions, actions * sizeof *script->actions);
  json_decref(script->json);
}
