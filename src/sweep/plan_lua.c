// Plans in Lua: a sandbox in which sweep{...} is called once. What varies and what is kept is said by functions that
// return the texts of carom/sweep.h.
#include "sweep/plan.h"

#include "base/read_file.h"
#include "base/text.h"
#include "text/lua_value.h"
#include "text/read_options.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#define CR_PLAN_INSTRUCTIONS 100000000        // of a plan
#define CR_PLAN_MEMORY ((size_t)256 << 20)    // [bytes]
#define CR_PLAN_FILE_LIMIT ((size_t)64 << 20) // [bytes]

typedef struct Plan {
  crLuaSandbox sandbox;
  crArena arena;
  crPlanText text;
  crStatus status;
  bool isRead; // sweep{...} was called
} Plan;

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

static int takeSweep(lua_State* L)
{
  Plan* plan = crLua_GetSandbox(L)->owner;
  if (plan->isRead) {
    return luaL_error(L, "a plan has one sweep");
  }
  plan->isRead = true;
  crLuaValues values = { &plan->arena, false };
  crValue value = crLua_ReadValue(L, 1, CR_MAX_LUA_DEPTH, &values);
  plan->status = crReadPlanText(&value, plan->sandbox.file, &plan->arena, &plan->sandbox.sink, &plan->text);
  return 0;
}

static int openFunctions(lua_State* L)
{
  static const char* const words[] = { "grid", "values", "uniform", "loguniform", "normal", "last",
                                       "max",  "min",    "mean",    "series",     "count",  "time" };
  crLua_OpenValues(L);
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    lua_pushstring(L, words[i]);
    lua_pushcclosure(L, makeCall, 1);
    lua_setglobal(L, words[i]);
  }
  lua_register(L, "sweep", takeSweep);
  return 0;
}

// Messages about the plan get its file.
typedef struct Addressed {
  const crErrorSink* sink;
  const char* file;
} Addressed;

static void addFile(void* context, const crError* error)
{
  const Addressed* addressed = context;
  crError own = *error;
  own.source.file = own.source.file != NULL ? own.source.file : addressed->file;
  if (addressed->sink != NULL && addressed->sink->report != NULL) {
    addressed->sink->report(addressed->sink->context, &own);
  }
}

// The model's file as seen from here: plans name it from their own folder.
static const char* findModel(Plan* plan, const char* path)
{
  const char* slash = strrchr(path, '/');
  const char* model = plan->text.def.model;
  if (slash == NULL || model[0] == '/') {
    return model;
  }
  size_t size = (size_t)(slash - path) + strlen(model) + 2;
  char* joined = crArena_Allocate(&plan->arena, size);
  if (joined != NULL) {
    snprintf(joined, size, "%.*s/%s", (int)(slash - path), path, model);
  }
  return joined;
}

static crStatus runPlan(Plan* plan, const char* path, const char* bytes, size_t size, const crErrorSink* sink,
                        crSweepPlan** outPlan)
{
  crStatus status = crLuaSandbox_Call(&plan->sandbox, openFunctions);
  status = status == cr_ok ? crLuaSandbox_Run(&plan->sandbox, bytes, size) : status;
  status = status == cr_ok ? plan->status : status;
  if (status == cr_ok && !plan->isRead) {
    crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
    crComplaint complaint = { .message = "the plan has no sweep",
                              .hint = "sweep{ model = \"drop.lua\", vary = {...}, output = {...} }" };
    crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
    return cr_errorModel;
  }
  if (status == cr_ok) {
    Addressed addressed = { sink, path };
    crErrorSink own = { addFile, &addressed };
    plan->text.def.model = findModel(plan, path);
    status = plan->text.def.model != NULL ? crCreateSweepPlan(&plan->text.def, &plan->arena.allocator, &own, outPlan)
                                          : cr_errorMemory;
  }
  return status;
}

crStatus crReadSweepPlan(const char* path, const crAllocator* allocator, const crErrorSink* sink, crSweepPlan** outPlan)
{
  if (path == NULL || outPlan == NULL) {
    return cr_errorMisuse;
  }
  *outPlan = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  char* bytes = NULL;
  size_t size = 0;
  crStatus status = crReadFile(path, CR_PLAN_FILE_LIMIT, &chosen, sink, &bytes, &size);
  if (status != cr_ok) {
    return status;
  }
  Plan plan = { .status = cr_ok };
  crArena_Init(&plan.arena, &chosen);
  status = crLuaSandbox_Init(&plan.sandbox, path, CR_PLAN_INSTRUCTIONS, CR_PLAN_MEMORY, &chosen, sink);
  if (status == cr_ok) {
    plan.sandbox.owner = &plan;
    status = runPlan(&plan, path, bytes, size, sink, outPlan);
    crLuaSandbox_Free(&plan.sandbox);
  }
  crArena_Free(&plan.arena);
  crFree(&chosen, bytes, size + 1);
  return status;
}
