// Parameters of a Lua model, and the assemblies that they belong to.
//
//   parameters{ n = 16 }                          at the top: returns the table, with settings "n=8" applied
//   assembly("arm", { length = 0.3 }, function)   calls the function with the table, settings "robot.arm.length=0.4"
//                                                 applied; what it makes gets "robot.arm." in front of its name
//
// Numbers, booleans and strings can be set and are recorded in the scene, also as { value = 0.3, min = 0.1, max = 1,
// unit = "m", label = "of the arm" }, of which the model gets the value; other tables are passed on as they are.
#include "scene/parameter.h"
#include "scene/scene.h"
#include "text/lua_reader.h"
#include "text/mesh_grant.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_MAX_ASSEMBLY_DEPTH 150 // assemblies in assemblies; Lua itself gives up at 200 calls through C
#define CR_MAX_CANDIDATES 10000   // parameters that are looked at to guess what a setting meant
#define CR_MAX_GUESSES 3          // that are told

// ---------------------------------------------------------------------------------------- settings

crStatus crLuaReader_InitSettings(crLuaReader* reader, const crReadOptions* options)
{
  for (int i = 0; i < options->settingCount; ++i) {
    const crSetting* setting = &options->settings[i];
    if (setting->name == NULL || setting->value == NULL) {
      return cr_errorMisuse;
    }
    int known = crMap_FindString(&reader->settingNames, setting->name);
    if (known >= 0) {
      reader->settings.items[known].given = setting;
      continue;
    }
    crLuaSetting* place = crArray_Push(&reader->settings, &reader->sandbox.allocator);
    if (place == NULL) {
      return cr_errorMemory;
    }
    *place = (crLuaSetting){ setting, crIsGrant(setting) };
    if (!crMap_SetString(&reader->settingNames, setting->name, reader->settings.count - 1)) {
      return cr_errorMemory;
    }
  }
  return cr_ok;
}

// The full name of a parameter, e.g. "robot.arm.length".
static int formatName(char* buffer, size_t size, const char* path, const char* name)
{
  return snprintf(buffer, size, "%s%s%s", path, path[0] != '\0' ? "." : "", name);
}

// Parameters of the model that a setting may have meant, nearest first.
typedef struct Guess {
  int distance;
  char name[256];
} Guess;

// Puts a name among the guesses, if it is nearer than the last of them.
static void rankGuess(Guess* guesses, int* count, int distance, const char* name)
{
  bool isFull = *count == CR_MAX_GUESSES;
  if (isFull && guesses[*count - 1].distance <= distance) {
    return;
  }
  int place = isFull ? *count - 1 : (*count)++;
  for (; place > 0 && guesses[place - 1].distance > distance; --place) {
    guesses[place] = guesses[place - 1];
  }
  guesses[place].distance = distance;
  snprintf(guesses[place].name, sizeof guesses[place].name, "%s", name);
}

static int guessParameters(const crScene* scene, const char* name, Guess* guesses)
{
  int tried = 0, count = 0;
  for (int i = 0; i < crScene_Count(scene, cr_elementAssembly); ++i) {
    const crAssemblyDef* assembly = crScene_GetAssembly(scene, crScene_GetId(scene, cr_elementAssembly, i));
    for (int k = 0; k < assembly->parameterCount && tried < CR_MAX_CANDIDATES; ++k, ++tried) {
      char candidate[256];
      crNearest nearest = crMakeNearest(name);
      formatName(candidate, sizeof candidate, assembly->name, assembly->parameters[k].name);
      crNearest_Try(&nearest, candidate);
      if (nearest.best != NULL) {
        rankGuess(guesses, &count, nearest.bestDistance, candidate);
      }
    }
  }
  return count;
}

// "did you mean 'robot.arm.angle' or 'robot.leg.angle'?"; "" when nothing is near.
static void formatGuesses(const Guess* guesses, int count, char* buffer, size_t size)
{
  size_t used = 0;
  buffer[0] = '\0';
  for (int i = 0; i < count && used < size; ++i) {
    const char* before = i == 0 ? "did you mean " : i == count - 1 ? " or " : ", ";
    used +=
        (size_t)snprintf(buffer + used, size - used, "%s'%s'%s", before, guesses[i].name, i == count - 1 ? "?" : "");
  }
}

void crLuaReader_CheckSettings(crLuaReader* reader)
{
  for (int i = 0; i < reader->settings.count; ++i) {
    const crLuaSetting* setting = &reader->settings.items[i];
    if (setting->isRead) {
      continue;
    }
    Guess guesses[CR_MAX_GUESSES];
    char hint[CR_MAX_GUESSES * sizeof guesses[0].name + 64];
    int count = guessParameters(reader->scene, setting->given->name, guesses);
    formatGuesses(guesses, count, hint, sizeof hint);
    crReporter reporter =
        crMakeReporter(&reader->sandbox.sink, (crSource){ reader->sandbox.file, 0, 0 }, setting->given->name);
    crComplaint complaint = { .message = "this was set, but the model has no such parameter",
                              .hint =
                                  count > 0 ? hint : "parameters{...} and assembly(...) in the model declare them" };
    crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
    (void)crScene_Fail(reader->scene, &reporter, NULL); // without a name it takes no memory
  }
}

static void reportSetting(crReporter* reporter, const crLuaSetting* setting, const char* message, const char* allowed)
{
  crReporter own = *reporter;
  own.path = setting->given->name;
  crComplaint complaint = { .message = message, .found = setting->given->value, .allowed = allowed };
  crReport(&own, cr_severityError, cr_errorModel, &complaint);
  reporter->errorCount += 1;
}

// A whole number stays one, so that it prints as 8 and not as 8.0.
static bool pushSetNumber(lua_State* L, const char* text, bool isInteger)
{
  if (lua_stringtonumber(L, text) == 0) {
    return false;
  }
  lua_Integer whole;
  int fits = 0;
  whole = lua_tointegerx(L, -1, &fits);
  if (isInteger && fits) {
    lua_pushinteger(L, whole);
  } else {
    lua_pushnumber(L, lua_tonumber(L, -1));
  }
  lua_remove(L, -2);
  return true;
}

// Replaces the default on top of the stack by what was set, when that fits it.
static void applySetting(lua_State* L, crReporter* reporter, crLuaSetting* setting)
{
  const char* text = setting->given->value;
  bool isTrue = strcmp(text, "true") == 0, isFalse = strcmp(text, "false") == 0;
  setting->isRead = true;
  switch (lua_type(L, -1)) {
    case LUA_TNUMBER:
      if (!pushSetNumber(L, text, lua_isinteger(L, -1))) {
        reportSetting(reporter, setting, "the parameter is a number", "a number");
        return;
      }
      break;
    case LUA_TBOOLEAN:
      if (!isTrue && !isFalse) {
        reportSetting(reporter, setting, "the parameter is true or false", "true, false");
        return;
      }
      lua_pushboolean(L, isTrue);
      break;
    case LUA_TSTRING: lua_pushstring(L, text); break;
    default:
      reportSetting(reporter, setting, "the parameter is a table, which cannot be set from outside",
                    "parameters that are a number, a string, true or false");
      return;
  }
  lua_remove(L, -2);
}

static crLuaSetting* findSetting(crLuaReader* reader, const char* path, const char* name)
{
  char full[CR_MAX_PATH + 1];
  if (reader->settings.count == 0 || formatName(full, sizeof full, path, name) >= (int)sizeof full) {
    return NULL;
  }
  int found = crMap_FindString(&reader->settingNames, full);
  return found >= 0 ? &reader->settings.items[found] : NULL;
}

// -------------------------------------------------------------------------------------- parameters

static double findBound(const crValue* described, const char* key, double otherwise)
{
  const crValue* bound = crValue_Find(described, key);
  return bound != NULL && bound->kind == cr_valueNumber ? bound->number : otherwise;
}

// Reports a number from outside that is not in the range of its parameter, and replaces it by the default.
static void checkSetRange(lua_State* L, crReporter* reporter, const crLuaSetting* setting, const crValue* described,
                          double otherwise)
{
  crParameter parameter = { .min = findBound(described, "min", -HUGE_VAL),
                            .max = findBound(described, "max", HUGE_VAL) };
  if (lua_type(L, -1) == LUA_TNUMBER && !crParameter_Takes(&parameter, lua_tonumber(L, -1))) {
    char range[CR_RANGE_SIZE], allowed[CR_RANGE_SIZE + 64];
    const crValue* unit = crValue_Find(described, "unit");
    bool hasUnit = unit != NULL && unit->kind == cr_valueString;
    crParameter_FormatRange(&parameter, range);
    snprintf(allowed, sizeof allowed, "%s%s%.40s", range, hasUnit ? " " : "", hasUnit ? unit->string : "");
    reportSetting(reporter, setting, "the parameter was set to a number outside its range", allowed);
    lua_pop(L, 1);
    lua_pushnumber(L, otherwise);
  }
}

// Replaces a table { value = ..., min = ..., ... } on top of the stack by the value in it, and returns what it says; of
// kind null: it is none.
static crValue takeDescription(lua_State* L, crLuaValues* values)
{
  crValue none = { .kind = cr_valueNull };
  if (lua_type(L, -1) != LUA_TTABLE) {
    return none;
  }
  lua_pushliteral(L, "value");
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pop(L, 1);
    return none;
  }
  crValue described = crLua_ReadValue(L, -2, 1, values);
  lua_remove(L, -2);
  return described;
}

static bool isPlain(const crValue* value)
{
  return value->kind == cr_valueNumber || value->kind == cr_valueBool ||
         (value->kind == cr_valueString && value->element == cr_elementNone);
}

static void reportDefault(crReporter* reporter, const char* name, const crValue* value)
{
  char message[300];
  snprintf(message, sizeof message, "the parameter '%.200s' has a default that cannot be one", name);
  crComplaint complaint = { .message = message,
                            .found = crValue_Describe(value),
                            .allowed = "a number, a string, true, false, a table or an element" };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

static void replaceField(crValue* table, const char* key, crValue value)
{
  for (int i = 0; i < table->fieldCount; ++i) {
    if (strcmp(table->keys[i], key) == 0) {
      table->fields[i] = value;
    }
  }
}

// Pushes the value of one parameter: its default, or what was set. Adds it to the record when it is plain.
static void pushParameter(lua_State* L, int defaults, const char* path, const char* name, crReporter* reporter,
                          crLuaValues* values, crValue* record)
{
  lua_pushstring(L, name);
  lua_rawget(L, defaults);
  crValue described = takeDescription(L, values);
  bool isDescribed = described.kind == cr_valueTable;
  crLuaSetting* setting = findSetting(crLua_GetReader(L), path, name);
  if (setting != NULL) {
    double otherwise = lua_tonumber(L, -1);
    applySetting(L, reporter, setting);
    if (isDescribed) {
      checkSetRange(L, reporter, setting, &described, otherwise);
    }
  }
  crValue value = crLua_ReadValue(L, -1, 1, values);
  if (isDescribed) {
    replaceField(&described, "value", value);
  }
  if (isPlain(&value) || isDescribed) {
    record->keys[record->fieldCount] = name;
    record->fields[record->fieldCount++] = isDescribed ? described : value;
  } else if (lua_type(L, -1) != LUA_TTABLE && value.element == cr_elementNone) {
    reportDefault(reporter, name, &value);
  }
}

// The names of the table at the index; reports a table that has anything else.
static crValue readParameterNames(lua_State* L, int index, crReporter* reporter, crLuaValues* values)
{
  static const char allowed[] = "a table of named parameters, { length = 0.3, ... }";
  crValue none = { .kind = cr_valueTable };
  if (lua_isnoneornil(L, index)) {
    return none;
  }
  crLuaValues shallow = { values->arena, false }; // parts that failed may be passed on
  crValue names = lua_istable(L, index) ? crLua_ReadValue(L, index, 1, &shallow) : none;
  if (!lua_istable(L, index) || names.kind != cr_valueTable || names.itemCount > 0) {
    crLua_ReportArgument(L, reporter, "parameters are given by name", index, allowed);
    return none;
  }
  for (int i = 0; i < names.fieldCount; ++i) {
    if (strchr(names.keys[i], '.') != NULL) {
      crComplaint complaint = { .message = "the name of a parameter holds a '.'",
                                .found = names.keys[i],
                                .allowed = "a single name" };
      crReport(reporter, cr_severityError, cr_errorModel, &complaint);
    }
  }
  return names;
}

// Pushes the table of parameters, defaults with settings applied, and records it in the scene under the path.
static void pushParameters(lua_State* L, int index, const char* path, bool isUsable, crReporter* reporter)
{
  crLuaReader* reader = crLua_GetReader(L);
  crLuaValues values = { &reader->values, false };
  crValue names = readParameterNames(L, index, reporter, &values);
  lua_createtable(L, 0, names.fieldCount);
  int table = lua_gettop(L);
  crValue record = { .kind = cr_valueTable, .keys = names.keys, .fields = names.fields };
  for (int i = 0; i < names.fieldCount; ++i) {
    const char* name = names.keys[i]; // record.keys may overwrite names.keys[<= i]
    pushParameter(L, index, path, name, reporter, &values, &record);
    lua_setfield(L, table, name);
  }
  const char* keys[] = { "name", "parameters" };
  crValue fields[] = { crMakeString(path), record };
  crValue element = { .kind = cr_valueTable, .keys = keys, .fields = fields, .fieldCount = 2 };
  if (reporter->errorCount == 0) {
    crLua_AddElement(L, cr_elementAssembly, &element, reporter->source);
  } else {
    crLua_FailElement(L, reporter, isUsable ? path : NULL);
  }
}

static int makeParameters(lua_State* L)
{
  crLuaReader* reader = crLua_BeginElement(L);
  crReporter reporter = crMakeReporter(&reader->sandbox.sink, crLua_FindSource(L), "parameters");
  crLua_CheckArgumentCount(L, &reporter, "parameters", 1);
  if (reader->assemblyDepth > 0) {
    crComplaint complaint = { .message = "parameters belongs to the top of the model",
                              .hint = "an assembly takes its parameters as the second argument" };
    crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
  } else if (reader->hasParameters) {
    crReportError(&reporter, "a model has one table of parameters");
  }
  reader->hasParameters = true;
  lua_settop(L, 1);
  pushParameters(L, 1, "", true, &reporter);
  return 1;
}

// -------------------------------------------------------------------------------------- assemblies

// Makes `path` the prefix of what follows, and returns the length to cut back to.
static int enterAssembly(lua_State* L, crLuaReader* reader, const char* path)
{
  int before = reader->prefix.count;
  for (size_t i = (size_t)before; path[i] != '\0'; ++i) {
    char* place = crArray_Push(&reader->prefix, &reader->sandbox.allocator);
    if (place != NULL) {
      *place = path[i];
    } else {
      crLua_Stop(L, cr_luaStopOutOfMemory);
    }
  }
  ++reader->assemblyDepth;
  return before;
}

static int makeAssembly(lua_State* L)
{
  crLuaReader* reader = crLua_BeginElement(L);
  crReporter reporter = crMakeReporter(&reader->sandbox.sink, crLua_FindSource(L), NULL);
  if (reader->assemblyDepth >= CR_MAX_ASSEMBLY_DEPTH) {
    return luaL_error(L, "assemblies are nested more than %d deep", CR_MAX_ASSEMBLY_DEPTH);
  }
  crLuaName name = crLua_ReadName(L, 1, cr_elementAssembly, "assembly", &reporter);
  crLua_CheckArgumentCount(L, &reporter, "assembly", 3);
  lua_settop(L, 3);
  bool isFunction = lua_isfunction(L, 3);
  if (!isFunction) {
    crLua_ReportArgument(L, &reporter, "an assembly needs a function as its third argument", 3,
                         "assembly(name, parameters, function(p) ... end)");
  }
  pushParameters(L, 2, name.path, name.isUsable, &reporter);
  if (!isFunction) {
    lua_newtable(L);
    return 1;
  }
  int before = enterAssembly(L, reader, name.path);
  lua_call(L, 1, 1);
  reader->prefix.count = before;
  --reader->assemblyDepth;
  if (lua_isnil(L, -1)) {
    lua_newtable(L);
  }
  return 1;
}

void crLua_OpenParameters(lua_State* L)
{
  lua_register(L, "parameters", makeParameters);
  lua_register(L, "assembly", makeAssembly);
}
