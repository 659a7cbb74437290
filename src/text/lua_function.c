// Functions in Lua: source text that is compiled once for every instance and called with numbers.
//
// The text becomes the body of a function whose variables are locals around it:
//
//   local x, v, integral, time, k <const>, period <const>, _carom_power_ <const>, _ENV <const> = ...
//   local body <const> = function() <code> end
//   return function(...) x, v, integral, time = ... local value = body() return value, integral end
//
// so that the code may assign states and return from anywhere. What one call leaves behind, no other can see: inputs,
// states and time are set before each, parameters, the environment and what lies behind ^ are constant, the name of the
// body is not known inside it, and the environment is a table that cannot be written. A call that works with numbers
// alone takes no memory.
#include "base/report.h"
#include "text/lua_names.h"
#include "text/lua_power.h"
#include "text/lua_sandbox.h"

#include "carom/io.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#define CR_CALL_INSTRUCTIONS 1000000             // of one call
#define CR_FUNCTION_MEMORY ((size_t)1024 * 1024) // [bytes] of one function with its libraries
#define CR_EXPLANATION_SIZE 256                  // [bytes]
#define CR_SPARE_SLOTS 4                         // on the stack, beside what is passed

typedef struct Caller {
  crLuaSandbox sandbox;
  crAllocator allocator;
  crErrorSink sink;
  const crFunctionSource* source; // while it is made
  crReporter* reporter;           // likewise
  int argumentCount, stateCount;
  char explanation[CR_EXPLANATION_SIZE];
} Caller;

// --------------------------------------------------------------------------------------------- names

static void checkName(crReporter* reporter, const char* name)
{
  static const char* const given[] = { "time", "period", "math", "pi", "_ENV", CR_LUA_POWER };
  if (!crIsLuaName(name)) {
    crComplaint complaint = { "a variable of the function has no name that Lua knows", name,
                              "letters, digits and '_', not beginning with a digit, and no word of Lua", NULL, NULL };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  }
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i) {
    if (strcmp(name, given[i]) == 0) {
      crReportError(reporter, "a variable of the function cannot be called '%s', which every function has", name);
    }
  }
}

static void checkNames(crReporter* reporter, const crFunctionSource* source)
{
  for (int i = 0; i < source->argumentCount; ++i) {
    checkName(reporter, source->arguments[i].name);
  }
  for (int i = 0; i < source->constantCount; ++i) {
    checkName(reporter, source->constants[i].name);
  }
  for (int i = 0; i < source->stateCount; ++i) {
    checkName(reporter, source->states[i].name);
  }
}

// -------------------------------------------------------------------------------------------- making

// "x, v, integral, time" with or without what does not change from call to call.
static void addNames(luaL_Buffer* text, const crFunctionSource* source, bool hasConstants)
{
  for (int i = 0; i < source->argumentCount; ++i) {
    luaL_addstring(text, source->arguments[i].name);
    luaL_addstring(text, ", ");
  }
  for (int i = 0; i < source->stateCount; ++i) {
    luaL_addstring(text, source->states[i].name);
    luaL_addstring(text, ", ");
  }
  luaL_addstring(text, "time");
  for (int i = 0; hasConstants && i < source->constantCount; ++i) {
    luaL_addstring(text, ", ");
    luaL_addstring(text, source->constants[i].name);
    luaL_addstring(text, " <const>");
  }
  luaL_addstring(text, hasConstants ? ", period <const>, " CR_LUA_POWER " <const>, _ENV <const>" : "");
}

static int countLocals(const crFunctionSource* source)
{
  return source->argumentCount + source->stateCount + 1 + source->constantCount + 3;
}

static bool isVariable(const crFunctionSource* source, const char* name)
{
  bool isFound = false;
  for (int i = 0; i < source->argumentCount; ++i) {
    isFound = isFound || strcmp(source->arguments[i].name, name) == 0;
  }
  for (int i = 0; i < source->constantCount; ++i) {
    isFound = isFound || strcmp(source->constants[i].name, name) == 0;
  }
  for (int i = 0; i < source->stateCount; ++i) {
    isFound = isFound || strcmp(source->states[i].name, name) == 0;
  }
  return isFound;
}

// Pushes a name that no variable has: stem0, stem1, ...
static const char* pushFreeName(lua_State* L, const crFunctionSource* source, const char* stem)
{
  const char* name = lua_pushfstring(L, "%s%d", stem, 0);
  for (int i = 1; isVariable(source, name); ++i) {
    lua_pop(L, 1);
    name = lua_pushfstring(L, "%s%d", stem, i);
  }
  return name;
}

// Pushes the text around the code. Everything before it stands on its first line, so that lines keep their numbers.
static void pushText(lua_State* L, const crFunctionSource* source)
{
  luaL_Buffer text;
  const char *body = pushFreeName(L, source, "body"), *value = pushFreeName(L, source, "value");
  luaL_buffinit(L, &text);
  luaL_addstring(&text, "local ");
  addNames(&text, source, true);
  luaL_addstring(&text, " = ... local ");
  luaL_addstring(&text, body);
  luaL_addstring(&text, " <const> = function() ");
  luaL_addstring(&text, source->code);
  luaL_addstring(&text, "\nend return function(...) ");
  addNames(&text, source, false);
  luaL_addstring(&text, " = ... local ");
  luaL_addstring(&text, value);
  luaL_addstring(&text, " = ");
  luaL_addstring(&text, body);
  luaL_addstring(&text, "() return ");
  luaL_addstring(&text, value);
  for (int i = 0; i < source->stateCount; ++i) {
    luaL_addstring(&text, ", ");
    luaL_addstring(&text, source->states[i].name);
  }
  luaL_addstring(&text, " end");
  luaL_pushresult(&text);
}

static int refuseWriting(lua_State* L)
{
  const char* name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  return luaL_error(L, "'%s' is no variable of this function: say local, or make it a state", name);
}

// Replaces the table on top of the stack by an empty one through which it can be read.
static void protect(lua_State* L)
{
  lua_newtable(L);
  lua_newtable(L);
  lua_rotate(L, -3, -1); // proxy, metatable, table
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, refuseWriting);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

// What the code may use beside math, which has no chance here.
static const char* const sharedNames[] = { "pi", "assert", "error", "ipairs", "select", "type" };

static void pushEnvironment(lua_State* L)
{
  lua_newtable(L);
  for (size_t i = 0; i < sizeof sharedNames / sizeof *sharedNames; ++i) {
    lua_getglobal(L, sharedNames[i]);
    lua_setfield(L, -2, sharedNames[i]);
  }
  lua_getglobal(L, "math");
  lua_pushnil(L);
  lua_setfield(L, -2, "random");
  lua_pushnil(L);
  lua_setfield(L, -2, "randomseed");
  protect(L);
  lua_setfield(L, -2, "math");
  protect(L);
}

static void load(lua_State* L, const char* text, size_t size)
{
  crLuaText given = crMakeLuaText(text, size);
  if (lua_load(L, crLuaText_Read, &given, "=" CR_LUA_CHUNK, "t") != LUA_OK) {
    lua_error(L);
  }
}

// The code alone must be a chunk: else it could close the function around it.
static void checkCode(lua_State* L, const char* code)
{
  load(L, code, strlen(code));
  lua_pop(L, 1);
}

// Leaves the function on the stack, and in the registry, where it stays.
static int makeFunction(lua_State* L)
{
  const Caller* caller = crLua_GetSandbox(L)->owner;
  const crFunctionSource* source = caller->source;
  size_t size;
  checkCode(L, source->code);
  pushText(L, source);
  const char* text = lua_tolstring(L, -1, &size);
  load(L, text, size);
  luaL_checkstack(L, countLocals(source), NULL);
  for (int i = 0; i < source->argumentCount + source->stateCount + 1; ++i) {
    lua_pushnumber(L, 0.0);
  }
  for (int i = 0; i < source->constantCount; ++i) {
    lua_pushnumber(L, source->constants[i].value);
  }
  lua_pushnumber(L, source->period);
  crLua_PushPower(L);
  pushEnvironment(L);
  lua_call(L, countLocals(source), 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, caller);
  return 0;
}

// ------------------------------------------------------------------------------------ unknown names

// The table that a name is a field of; NULL: the environment.
static bool isKnown(lua_State* L, const crFunctionSource* source, const char* table, const char* name)
{
  bool isOwn = strcmp(name, "time") == 0 || strcmp(name, "period") == 0 || strcmp(name, CR_LUA_POWER) == 0;
  if (table == NULL && (isOwn || isVariable(source, name))) {
    return true;
  }
  int top = lua_gettop(L);
  pushEnvironment(L);
  lua_getfield(L, -1, table != NULL ? table : name);
  bool isFound = (table != NULL ? lua_getfield(L, -1, name) : lua_type(L, -1)) != LUA_TNIL;
  lua_settop(L, top);
  return isFound;
}

// The variable or given function whose name is nearest; NULL: none is near.
static const char* guessVariable(const crFunctionSource* source, const char* name)
{
  crNearest nearest = crMakeNearest(name);
  for (int i = 0; i < source->argumentCount; ++i) {
    crNearest_Try(&nearest, source->arguments[i].name);
  }
  for (int i = 0; i < source->constantCount; ++i) {
    crNearest_Try(&nearest, source->constants[i].name);
  }
  for (int i = 0; i < source->stateCount; ++i) {
    crNearest_Try(&nearest, source->states[i].name);
  }
  crNearest_Try(&nearest, "time");
  crNearest_Try(&nearest, "math");
  for (size_t i = 0; i < sizeof sharedNames / sizeof *sharedNames; ++i) {
    crNearest_Try(&nearest, sharedNames[i]);
  }
  return nearest.best;
}

// Of the library: the first in the alphabet when several are as near, since the order of a table is chance.
static const char* guessMath(lua_State* L, const char* name)
{
  crNearest best = crMakeNearest(name);
  lua_getglobal(L, "math");
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    crNearest one = crMakeNearest(name);
    crNearest_Try(&one, lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL);
    bool isNearer = one.best != NULL && (best.best == NULL || one.bestDistance < best.bestDistance ||
                                         (one.bestDistance == best.bestDistance && strcmp(one.best, best.best) < 0));
    best = isNearer ? one : best;
  }
  lua_pop(L, 1);
  return best.best;
}

static void reportUnknown(void* context, lua_State* L, const char* table, const char* name, int line)
{
  const Caller* caller = context;
  if (isKnown(L, caller->source, table, name)) {
    return;
  }
  char message[CR_EXPLANATION_SIZE], hint[CR_EXPLANATION_SIZE];
  bool isMath = table != NULL || isKnown(L, caller->source, "math", name); // sin(x) for math.sin(x)
  const char* guess = isMath ? guessMath(L, name) : guessVariable(caller->source, name);
  snprintf(message, sizeof message, "line %d of the code: nothing has the name '%s%s%.100s'", line,
           table != NULL ? table : "", table != NULL ? "." : "", name);
  snprintf(hint, sizeof hint, "did you mean '%s%.100s'?", isMath ? "math." : "", guess != NULL ? guess : "");
  crComplaint complaint = { .message = message,
                            .hint = guess != NULL   ? hint
                                    : table != NULL ? NULL
                                                    : "say local, or make it an input, a parameter or a state" };
  crReport(caller->reporter, cr_severityError, cr_errorModel, &complaint);
}

// A name that nobody defines is nil, and most likely misspelt: told here, before anything moves.
static int reportUnknownNames(lua_State* L)
{
  Caller* caller = crLua_GetSandbox(L)->owner;
  crLua_VisitNames(L, caller->source->code, reportUnknown, caller);
  return 0;
}

static void destroyCaller(void* object)
{
  Caller* caller = object;
  if (caller != NULL) {
    crAllocator allocator = caller->allocator;
    crLuaSandbox_Free(&caller->sandbox);
    crFree(&allocator, caller, sizeof *caller);
  }
}

// Adds that a message is about the code, whose lines count from its own first one.
static void reportCode(void* context, const crError* error)
{
  const crErrorSink* sink = context;
  crError own = *error;
  if (error->status == cr_errorMemory) {
    return; // the status tells, and the caller reports it
  }
  char message[CR_LUA_MESSAGE_SIZE + 64];
  if (error->source.line > 0) {
    snprintf(message, sizeof message, "line %d of the code: %s", error->source.line, error->message);
    own.message = message;
  }
  own.source = (crSource){ NULL, 0, 0 };
  sink->report(sink->context, &own);
}

static crStatus createCaller(void* context, const crFunctionSource* source, const crAllocator* allocator,
                             const crErrorSink* sink, void** outCaller)
{
  (void)context;
  *outCaller = NULL;
  crReporter reporter = crMakeReporter(sink, source->source, source->path);
  checkNames(&reporter, source);
  if (reporter.errorCount > 0) {
    return cr_errorModel;
  }
  crAllocator own = crChooseAllocator(allocator);
  Caller* caller = crAllocateZero(&own, 1, sizeof *caller);
  if (caller == NULL) {
    return cr_errorMemory;
  }
  caller->allocator = own;
  caller->argumentCount = source->argumentCount;
  caller->stateCount = source->stateCount;
  caller->source = source;
  crErrorSink outer = crReporter_Sink(&reporter);
  crErrorSink inner = { reportCode, &outer };
  crStatus status = crLuaSandbox_Init(&caller->sandbox, NULL, CR_CALL_INSTRUCTIONS, CR_FUNCTION_MEMORY, &own, &inner);
  if (status == cr_ok) {
    caller->sandbox.owner = caller;
    status = crLuaSandbox_Call(&caller->sandbox, makeFunction);
  }
  if (status == cr_ok) {
    caller->reporter = &reporter;
    status = crLuaSandbox_Call(&caller->sandbox, reportUnknownNames);
    status = status == cr_ok && reporter.errorCount > 0 ? cr_errorModel : status;
  }
  if (status != cr_ok) {
    destroyCaller(caller);
    return status;
  }
  caller->sandbox.sink = (crErrorSink){ NULL, NULL };
  caller->source = NULL;
  caller->reporter = NULL;
  if (!crLuaSandbox_Hold(&caller->sandbox, caller, source->argumentCount + 2 * source->stateCount + CR_SPARE_SLOTS)) {
    destroyCaller(caller);
    return cr_errorMemory;
  }
  *outCaller = caller;
  return cr_ok;
}

// ------------------------------------------------------------------------------------------- calling

// The number at the index, which counts from the top; false: it is none.
static bool readResult(Caller* caller, int index, const char* what, double* outNumber)
{
  lua_State* L = caller->sandbox.L;
  if (lua_type(L, index) != LUA_TNUMBER) {
    snprintf(caller->explanation, sizeof caller->explanation, "%s is %s where a number is needed", what,
             lua_type(L, index) == LUA_TNIL ? "nothing" : luaL_typename(L, index));
    return false;
  }
  *outNumber = lua_tonumber(L, index);
  return true;
}

static crStatus call(void* object, double t, const double* arguments, double* states, double* outValue)
{
  Caller* caller = object;
  lua_State* L = caller->sandbox.L;
  int stateCount = caller->stateCount;
  caller->explanation[0] = '\0';
  lua_pushvalue(L, CR_LUA_HELD);
  for (int i = 0; i < caller->argumentCount; ++i) {
    lua_pushnumber(L, arguments[i]);
  }
  for (int i = 0; i < stateCount; ++i) {
    lua_pushnumber(L, states[i]);
  }
  lua_pushnumber(L, t);
  if (!crLuaSandbox_CallHeld(&caller->sandbox, caller->argumentCount + stateCount + 1, 1 + stateCount)) {
    snprintf(caller->explanation, sizeof caller->explanation, "line %d of the code: %.200s",
             caller->sandbox.errorPlace.line, caller->sandbox.message);
    return cr_failNumerics;
  }
  bool isGood = readResult(caller, -1 - stateCount, "what the code returns", outValue);
  for (int i = 0; i < stateCount && isGood; ++i) {
    isGood = readResult(caller, i - stateCount, "a state", &states[i]);
  }
  lua_settop(L, CR_LUA_HELD);
  return isGood ? cr_ok : cr_failNumerics;
}

static const char* explain(const void* object)
{
  return ((const Caller*)object)->explanation;
}

const crFunction* crGetLuaFunction(void)
{
  static const crFunction function = {
    .call = call, .create = createCaller, .destroy = destroyCaller, .explain = explain
  };
  return &function;
}
