// Options of reading a robot, each with its type.
#include "text/robot/robot_options.h"

#include "text/mesh_grant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum OptionType { optionText, optionBool, optionNot, optionPolicy, optionContact, optionGroup } OptionType;

static const struct Option {
  const char* name;
  OptionType type;
  size_t offset;
} all[] = {
  { CR_MESH_PATH, optionText, offsetof(crRobotOptions, meshPath) },
  { "ignoreMissing", optionBool, offsetof(crRobotOptions, ignoresMissing) },
  { "inertia", optionPolicy, offsetof(crRobotOptions, inertia) },
  { "fixed", optionNot, offsetof(crRobotOptions, isFree) },
  { "contact", optionContact, offsetof(crRobotOptions, contact) },
  { "selfCollision", optionBool, offsetof(crRobotOptions, collidesWithSelf) },
  { "group", optionGroup, offsetof(crRobotOptions, group) },
  { "stops", optionNot, offsetof(crRobotOptions, hasNoStops) },
  { "drives", optionNot, offsetof(crRobotOptions, hasNoDrives) },
  { "loops", optionNot, offsetof(crRobotOptions, hasNoLoops) },
  { "bare", optionBool, offsetof(crRobotOptions, isBare) },
  { "keyframe", optionText, offsetof(crRobotOptions, keyframe) },
};

crRobotOptions crDefaultRobotOptions(void)
{
  crRobotOptions options = { .prefix = "", .inertia = "given", .group = 2 };
  return options;
}

static void complain(crReporter* reporter, const char* name, const char* message, const crValue* value,
                     const char* allowed)
{
  char text[160];
  snprintf(text, sizeof text, "%s %s", name, message);
  bool isText = value->kind == cr_valueString && value->element == cr_elementNone;
  crComplaint complaint = { .message = text,
                            .found = isText ? value->string : crValue_Describe(value),
                            .allowed = allowed };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

static bool isPolicy(const crValue* value)
{
  return value->kind == cr_valueString &&
         (strcmp(value->string, "given") == 0 || strcmp(value->string, "balance") == 0 ||
          strcmp(value->string, "strict") == 0);
}

static void readOption(crRobotOptions* options, const struct Option* option, const crValue* value, crReporter* reporter)
{
  void* member = (char*)options + option->offset;
  bool isText = value->kind == cr_valueString;
  bool isWord = (option->type == optionText || option->type == optionContact) && isText;
  if (isWord || (option->type == optionPolicy && isPolicy(value))) {
    *(const char**)member = value->string;
  } else if (option->type == optionText) {
    complain(reporter, option->name, "is not a text", value, "a string");
  } else if ((option->type == optionBool || option->type == optionNot) && value->kind == cr_valueBool) {
    *(bool*)member = value->boolean == (option->type == optionBool);
  } else if (option->type == optionBool || option->type == optionNot) {
    complain(reporter, option->name, "is neither true nor false", value, "true, false");
  } else if (option->type == optionPolicy) {
    complain(reporter, option->name, "is no policy", value, "\"given\", \"balance\", \"strict\"");
  } else if (option->type == optionContact && value->kind == cr_valueBool && !value->boolean) {
    *(const char**)member = "";
  } else if (option->type == optionContact) {
    complain(reporter, option->name, "is no material", value, "the name of a solid material, or false for no contact");
  } else if (value->kind == cr_valueNumber && value->number >= 1.0 && value->number <= 4294967295.0) {
    *(unsigned*)member = (unsigned)value->number;
  } else {
    complain(reporter, option->name, "is no collision group", value, "bits, 1 .. 2^32 - 1");
  }
}

void crRobotOptions_Read(crRobotOptions* options, const crValue* table, crReporter* reporter)
{
  for (int i = 0; i < table->fieldCount; ++i) {
    crNearest nearest = crMakeNearest(table->keys[i]);
    const struct Option* found = NULL;
    for (size_t k = 0; k < sizeof all / sizeof *all && found == NULL; ++k) {
      found = strcmp(all[k].name, table->keys[i]) == 0 ? &all[k] : NULL;
      crNearest_Try(&nearest, all[k].name);
    }
    if (found != NULL) {
      readOption(options, found, &table->fields[i], reporter);
      continue;
    }
    char message[300], hint[64];
    snprintf(message, sizeof message, "a robot has no option '%.200s'", table->keys[i]);
    snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best != NULL ? nearest.best : "");
    crComplaint complaint = { .message = message, .hint = nearest.best != NULL ? hint : NULL };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  }
}

// true, false, a number, or else a text.
static crValue readSetting(const char* text)
{
  crValue value = crMakeString(text);
  char* end;
  double number = strtod(text, &end);
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
    value = crMakeBool(text[0] == 't');
  } else if (end != text && *end == '\0') {
    value = crMakeNumber(number);
  }
  return value;
}

bool crRobotOptions_ReadSettings(crRobotOptions* options, const crSetting* settings, int count, crArena* arena,
                                 crReporter* reporter)
{
  for (int i = 0; i < count; ++i) {
    if (strcmp(settings[i].name, CR_ALLOW_PATH) == 0) {
      continue; // robots read their meshes where they find them
    }
    crValue* value = crArena_AllocateZero(arena, 1, sizeof *value);
    char* text = crArena_CopyString(arena, settings[i].value);
    if (value == NULL || text == NULL) {
      return false;
    }
    *value = readSetting(text);
    if (strcmp(settings[i].name, "keyframe") == 0) {
      *value = crMakeString(text); // may be a number
    }
    crValue table = {
      .kind = cr_valueTable, .keys = (const char*[]){ settings[i].name }, .fields = value, .fieldCount = 1
    };
    crRobotOptions_Read(options, &table, reporter);
  }
  return true;
}
