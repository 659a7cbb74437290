// Plans in Lua: a sandbox in which sweep{...} or fit{...} is called once. What varies and what is kept is said by
// functions that return the texts of carom/sweep.h.
#include "sweep/plan.h"

#include "base/read_file.h"
#include "base/text.h"
#include "sweep/plan_script.h"
#include "text/lua_value.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#define CR_PLAN_INSTRUCTIONS 100000000        // of a plan
#define CR_PLAN_MEMORY ((size_t)256 << 20)    // [bytes]
#define CR_PLAN_FILE_LIMIT ((size_t)64 << 20) // [bytes]

typedef struct Script {
  crLuaSandbox sandbox;
  const crPlanScript* asked;
  crStatus status;
  bool isRead; // the function was called
} Script;

// word(a, b, ...) as text.
static int makeCall(lua_State* L)
{
  luaL_Buffer text;
  int count = lua_gettop(L);
  luaL_buffinit(L, &text);
  luaL_addstring(&text, lua_tostring(L, lua_upvalueindex(1)));
  luaL_addchar(&text, '(');
  for (int i = 1; i <= count; ++i) {
    char number[CR_NUMBER_SIZE];
    const char* part = number;
    luaL_addstring(&text, i > 1 ? ", " : "");
    switch (lua_type(L, i)) {
      case LUA_TNUMBER: crFormatNumber(lua_tonumber(L, i), number); break;
      case LUA_TBOOLEAN: part = lua_toboolean(L, i) ? "true" : "false"; break;
      case LUA_TSTRING: part = lua_tostring(L, i); break;
      default: return luaL_error(L, "%s takes numbers and texts", lua_tostring(L, lua_upvalueindex(1)));
    }
    if (part != number && strpbrk(part, ",()") != NULL) {
      return luaL_error(L, "a text in a sweep cannot hold commas or brackets: '%s'", part);
    }
    luaL_addstring(&text, part);
  }
  luaL_addchar(&text, ')');
  luaL_pushresult(&text);
  return 1;
}

static int takeTable(lua_State* L)
{
  Script* script = crLua_GetSandbox(L)->owner;
  if (script->isRead) {
    return luaL_error(L, "a plan has one %s", script->asked->word);
  }
  script->isRead = true;
  crLuaValues values = { script->asked->arena, false };
  crValue value = crLua_ReadValue(L, 1, CR_MAX_LUA_DEPTH, &values);
  script->status = script->asked->take(script->asked->context, &value, crLua_FindSource(L));
  return 0;
}

static int openFunctions(lua_State* L)
{
  static const char* const words[] = { "grid", "values", "uniform", "loguniform", "normal", "last",
                                       "max",  "min",    "mean",    "series",     "count",  "time" };
  const Script* script = crLua_GetSandbox(L)->owner;
  crLua_OpenValues(L);
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    lua_pushstring(L, words[i]);
    lua_pushcclosure(L, makeCall, 1);
    lua_setglobal(L, words[i]);
  }
  lua_register(L, script->asked->word, takeTable);
  return 0;
}

// Of a file that has not even the word, a model perhaps, errors in its words would tell less.
static crStatus runScript(Script* script, const char* path, const char* bytes, size_t size, const crErrorSink* sink)
{
  crStatus status = cr_ok;
  if (strstr(bytes, script->asked->word) != NULL) {
    status = crLuaSandbox_Call(&script->sandbox, openFunctions);
    status = status == cr_ok ? crLuaSandbox_Run(&script->sandbox, bytes, size) : status;
    status = status == cr_ok ? script->status : status;
  }
  if (status == cr_ok && !script->isRead) {
    char message[64];
    snprintf(message, sizeof message, "the plan has no %s", script->asked->word);
    crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
    crComplaint complaint = { .message = message, .hint = script->asked->hint };
    crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
    status = cr_errorModel;
  }
  return status;
}

crStatus crRunPlanScript(const crPlanScript* asked, const char* path, const crErrorSink* sink)
{
  const crAllocator* allocator = &asked->arena->allocator;
  char* bytes = NULL;
  size_t size = 0;
  crStatus status = crReadFile(path, CR_PLAN_FILE_LIMIT, allocator, sink, &bytes, &size);
  if (status != cr_ok) {
    return status;
  }
  Script script = { .asked = asked, .status = cr_ok };
  status = crLuaSandbox_Init(&script.sandbox, path, CR_PLAN_INSTRUCTIONS, CR_PLAN_MEMORY, allocator, sink);
  if (status == cr_ok) {
    script.sandbox.owner = &script;
    status = runScript(&script, path, bytes, size, sink);
    crLuaSandbox_Free(&script.sandbox);
  }
  crFree(allocator, bytes, size + 1);
  return status;
}

const char* crFindBeside(crArena* arena, const char* path, const char* file)
{
  const char* slash = strrchr(path, '/');
  if (slash == NULL || file[0] == '/') {
    return file;
  }
  size_t size = (size_t)(slash - path) + strlen(file) + 2;
  char* joined = crArena_Allocate(arena, size);
  if (joined != NULL) {
    snprintf(joined, size, "%.*s/%s", (int)(slash - path), path, file);
  }
  return joined;
}

const char* crDescribeFound(const crValue* found, char buffer[CR_NUMBER_SIZE])
{
  switch (found->kind) {
    case cr_valueString: return found->string;
    case cr_valueNumber: crFormatNumber(found->number, buffer); return buffer;
    case cr_valueTable: return found->itemCount + found->fieldCount == 0 ? "an empty list" : crValue_Describe(found);
    default: return crValue_Describe(found);
  }
}

// --------------------------------------------------------------------------------------------- sweeps

// Messages about the plan get its place.
typedef struct Addressed {
  const crErrorSink* sink;
  crSource source;
} Addressed;

static void addFile(void* context, const crError* error)
{
  const Addressed* addressed = context;
  crError own = *error;
  own.source = own.source.file != NULL ? own.source : addressed->source;
  if (addressed->sink != NULL && addressed->sink->report != NULL) {
    addressed->sink->report(addressed->sink->context, &own);
  }
}

typedef struct Sweep {
  crArena arena;
  crPlanText text;
  crSource source;
  const crErrorSink* sink;
} Sweep;

static crStatus takeSweep(void* context, const crValue* value, crSource source)
{
  Sweep* sweep = context;
  sweep->source = source;
  return crReadPlanText(value, source, &sweep->arena, sweep->sink, &sweep->text);
}

crStatus crReadSweepPlan(const char* path, const crAllocator* allocator, const crErrorSink* sink, crSweepPlan** outPlan)
{
  if (path == NULL || outPlan == NULL) {
    return cr_errorMisuse;
  }
  *outPlan = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  Sweep sweep = { .sink = sink };
  crArena_Init(&sweep.arena, &chosen);
  crPlanScript script = { .word = "sweep",
                          .hint =
                              "sweep{ model = \"drop.lua\", ... }; a model itself is swept with --vary and --output",
                          .take = takeSweep,
                          .context = &sweep,
                          .arena = &sweep.arena };
  crStatus status = crRunPlanScript(&script, path, sink);
  if (status == cr_ok) {
    Addressed addressed = { sink, sweep.source };
    crErrorSink own = { addFile, &addressed };
    sweep.text.def.model = crFindBeside(&sweep.arena, path, sweep.text.def.model);
    status = sweep.text.def.model != NULL ? crCreateSweepPlan(&sweep.text.def, &chosen, &own, outPlan) : cr_errorMemory;
  }
  crArena_Free(&sweep.arena);
  return status;
}
