// Creating a sandbox, its limits, and running a model in it.
#include "text/lua_sandbox.h"

#include "base/clock.h"
#include "base/report.h"
#include "base/text.h"
#include "text/lua_power.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_HOOK_INTERVAL 4000      // [instructions] between looks at the limits; some 20 us
#define CR_SECONDS_PER_STEP 50e-9  // [s] several times what an instruction takes
#define CR_LEAST_SECONDS 1.0       // [s] so that small limits do not depend on the machine
#define CR_BYTES_PER_STEP 16       // [bytes] that are compared or copied in the time of an instruction, or less
#define CR_STRING_OVERHEAD 64      // [bytes] more than the header of a Lua string
#define CR_GARBAGE_BYTES (1 << 20) // [bytes] below, nothing is collected while a model is read: most end before
#define CR_MAX_CALLERS 5           // shown in the hint of an error

// ------------------------------------------------------------------------------------------ limits

crLuaSandbox* crLua_GetSandbox(lua_State* L)
{
  return *(crLuaSandbox**)lua_getextraspace(L);
}

const char* crLuaSandbox_GetFile(const crLuaSandbox* sandbox, int part)
{
  return part > 0 && part <= sandbox->parts.count ? sandbox->parts.items[part - 1] : sandbox->file;
}

static crSource makeSource(const crLuaSandbox* sandbox, crLuaPlace place)
{
  return (crSource){ crLuaSandbox_GetFile(sandbox, place.part), place.line, 0 };
}

crSource crLua_FindSource(lua_State* L)
{
  return makeSource(crLua_GetSandbox(L), crLua_FindPlace(L, 0));
}

static void onCount(lua_State* L, lua_Debug* info);

static void setHook(crLuaSandbox* sandbox, int interval)
{
  lua_sethook(sandbox->L, onCount, LUA_MASKCOUNT, interval);
}

void crLua_Stop(lua_State* L, crLuaStop stop)
{
  crLuaSandbox* sandbox = crLua_GetSandbox(L);
  if (sandbox->stop == cr_luaStopNone) {
    sandbox->stop = stop;
    sandbox->stopPlace = crLua_FindPlace(L, 0);
    setHook(sandbox, 1);
  }
  luaL_error(L, "stopped");
  abort(); // luaL_error does not return
}

void crLua_StopRefused(lua_State* L)
{
  crLua_Stop(L, crLua_GetSandbox(L)->refusal);
}

// Whether the time is over.
static bool lookAtClock(crLuaSandbox* sandbox)
{
  double now = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  sandbox->unseenCount = 0;
  sandbox->timeStart = isnan(sandbox->timeStart) ? now : sandbox->timeStart;
  return now - sandbox->timeStart > sandbox->timeLimit;
}

void crLua_Charge(lua_State* L, uint64_t instructions)
{
  crLuaSandbox* sandbox = crLua_GetSandbox(L);
  if (sandbox->stop != cr_luaStopNone || instructions > sandbox->instructionLimit - sandbox->instructionCount) {
    crLua_Stop(L, cr_luaStopInstructions);
  }
  if (sandbox->memoryUsed > CR_GARBAGE_BYTES && !lua_gc(L, LUA_GCISRUNNING)) {
    lua_gc(L, LUA_GCRESTART);
  }
  sandbox->instructionCount += instructions;
  sandbox->unseenCount += instructions;
  if (sandbox->unseenCount >= CR_HOOK_INTERVAL && lookAtClock(sandbox)) {
    crLua_Stop(L, cr_luaStopTime);
  }
}

void crLua_ChargeBytes(lua_State* L, size_t bytes)
{
  crLua_Charge(L, bytes / CR_BYTES_PER_STEP);
}

void crLua_ChargeMemory(lua_State* L, size_t bytes)
{
  crLuaSandbox* sandbox = crLua_GetSandbox(L);
  if (bytes > sandbox->memoryLimit - sandbox->memoryUsed) {
    crLua_Stop(L, cr_luaStopMemoryLimit);
  }
  sandbox->memoryUsed += bytes;
}

static int hookInterval(const crLuaSandbox* sandbox)
{
  return sandbox->instructionLimit < CR_HOOK_INTERVAL ? (int)sandbox->instructionLimit + 1 : CR_HOOK_INTERVAL;
}

static void onCount(lua_State* L, lua_Debug* info)
{
  (void)info;
  crLuaSandbox* sandbox = crLua_GetSandbox(L);
  crLua_Charge(L, (uint64_t)hookInterval(sandbox));
}

// ------------------------------------------------------------------------------------------ memory

static void* refuse(crLuaSandbox* sandbox, crLuaStop reason)
{
  sandbox->refusal = reason;
  sandbox->refusalPlace = sandbox->L != NULL ? crLua_FindPlace(sandbox->L, 0) : (crLuaPlace){ 0, 0 };
  return NULL;
}

static void* allocateCounted(void* context, void* block, size_t oldSize, size_t newSize)
{
  crLuaSandbox* sandbox = context;
  if (newSize > oldSize && newSize - oldSize > sandbox->memoryLimit - sandbox->memoryUsed) {
    return refuse(sandbox, cr_luaStopMemoryLimit);
  }
  void* moved = crReallocate(&sandbox->allocator, block, oldSize, newSize);
  if (moved == NULL && newSize > 0) {
    return refuse(sandbox, cr_luaStopOutOfMemory);
  }
  sandbox->memoryUsed += newSize - oldSize;
  return moved;
}

// For a new block Lua says in oldSize what it is for.
static void* allocateForLua(void* context, void* block, size_t oldSize, size_t newSize)
{
  if (block == NULL && newSize == 0) {
    return NULL;
  }
  if (block == NULL && oldSize == LUA_TSTRING && newSize > CR_MAX_LUA_STRING + CR_STRING_OVERHEAD) {
    return refuse(context, cr_luaStopString);
  }
  return allocateCounted(context, block, block != NULL ? oldSize : 0, newSize);
}

crAllocator crLuaSandbox_Allocator(crLuaSandbox* sandbox)
{
  crAllocator allocator = { allocateCounted, sandbox };
  return allocator;
}

// ------------------------------------------------------------------------------------------ errors

static void keepMessage(crLuaSandbox* sandbox, const char* message, crLuaPlace place)
{
  crLuaPlace given = crSplitLuaPlace(&message);
  snprintf(sandbox->message, sizeof sandbox->message, "%s", message);
  crCleanText(sandbox->message);
  sandbox->errorPlace = given.line > 0 ? given : place;
}

// "called from file:12, file:3": the lines that led to the error.
static void keepCallers(crLuaSandbox* sandbox)
{
  size_t used = 0;
  int found = 0;
  lua_Debug info;
  for (int level = 1; found <= CR_MAX_CALLERS && lua_getstack(sandbox->L, level, &info); ++level) {
    if (!lua_getinfo(sandbox->L, "l", &info) || info.currentline <= 0) {
      continue;
    }
    crSource caller = makeSource(sandbox, crLua_FindPlace(sandbox->L, level));
    if (found++ > 0 && used < sizeof sandbox->hint) { // the first is where the error is
      const char* format = found == 2 ? "called from %s:%d" : found <= CR_MAX_CALLERS ? ", %s:%d" : ", ...";
      used += (size_t)snprintf(sandbox->hint + used, sizeof sandbox->hint - used, format, caller.file, caller.line);
    }
  }
}

// The function among the globals whose name is nearest; the first in the alphabet when several are.
static const char* findNearestGlobal(lua_State* L, const char* name)
{
  crNearest best = crMakeNearest(name);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    crNearest one = crMakeNearest(name);
    bool isName = lua_type(L, -2) == LUA_TSTRING && lua_isfunction(L, -1);
    crNearest_Try(&one, isName ? lua_tostring(L, -2) : NULL);
    bool isNearer = one.best != NULL && (best.best == NULL || one.bestDistance < best.bestDistance ||
                                         (one.bestDistance == best.bestDistance && strcmp(one.best, best.best) < 0));
    best = isNearer ? one : best;
  }
  lua_pop(L, 1);
  return best.best;
}

// A hint for "attempt to call a nil value (global 'shpere')" and the like.
static void suggestGlobal(crLuaSandbox* sandbox, const char* message)
{
  static const char marker[] = "(global '";
  const char* start = strstr(message, marker);
  char name[64];
  size_t size = 0;
  if (start == NULL) {
    return;
  }
  for (start += sizeof marker - 1; *start != '\'' && *start != '\0' && size + 1 < sizeof name; ++start) {
    name[size++] = *start;
  }
  name[size] = '\0';
  const char* nearest = findNearestGlobal(sandbox->L, name);
  if (nearest != NULL && strcmp(nearest, name) != 0) {
    snprintf(sandbox->hint, sizeof sandbox->hint, "did you mean '%s'?", nearest);
  }
}

// Runs where the error arose, with the stack still there. Allocates nothing.
static int onError(lua_State* L)
{
  crLuaSandbox* sandbox = crLua_GetSandbox(L);
  const char* message = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
  char other[64];
  if (message == NULL) {
    snprintf(other, sizeof other, "error was called with a %s instead of a message", luaL_typename(L, 1));
    message = other;
  }
  sandbox->hint[0] = '\0';
  keepMessage(sandbox, message, crLua_FindPlace(L, 1));
  keepCallers(sandbox);
  suggestGlobal(sandbox, message);
  return 1;
}

static const char* const stopMessages[] = {
  [cr_luaStopInstructions] = "the model runs for too long: does it loop forever?",
  [cr_luaStopTime] = "the model runs for too long: does it loop forever?",
  [cr_luaStopMemoryLimit] = "the model needs too much memory",
  [cr_luaStopString] = "a string is too long",
  [cr_luaStopOutOfMemory] = "out of memory",
};

static crStatus reportStop(const crLuaSandbox* sandbox, crLuaStop stop, crLuaPlace place)
{
  char allowed[64];
  crComplaint complaint = { .message = stopMessages[stop], .allowed = allowed };
  switch (stop) {
    case cr_luaStopInstructions:
      snprintf(allowed, sizeof allowed, "at most %.6g instructions", (double)sandbox->instructionLimit);
      break;
    case cr_luaStopTime: snprintf(allowed, sizeof allowed, "at most %.6g s", sandbox->timeLimit); break;
    case cr_luaStopMemoryLimit:
      snprintf(allowed, sizeof allowed, "at most %.6g MiB", (double)sandbox->memoryLimit / (1 << 20));
      break;
    case cr_luaStopString: snprintf(allowed, sizeof allowed, "at most %d bytes", CR_MAX_LUA_STRING); break;
    default: complaint.allowed = NULL;
  }
  crStatus status = stop == cr_luaStopOutOfMemory ? cr_errorMemory : cr_errorLimit;
  crReporter reporter = crMakeReporter(&sandbox->sink, makeSource(sandbox, place), NULL);
  crReport(&reporter, cr_severityError, status, &complaint);
  return status;
}

// Reports what made lua_pcall or lua_load return luaStatus.
static crStatus reportFault(crLuaSandbox* sandbox, int luaStatus)
{
  if (sandbox->stop != cr_luaStopNone) {
    return reportStop(sandbox, sandbox->stop, sandbox->stopPlace);
  }
  if (luaStatus == LUA_ERRMEM) {
    crLuaStop reason = sandbox->refusal != cr_luaStopNone ? sandbox->refusal : cr_luaStopOutOfMemory;
    return reportStop(sandbox, reason, sandbox->refusalPlace);
  }
  crStatus status = luaStatus == LUA_ERRSYNTAX ? cr_errorSyntax : cr_errorModel;
  crReporter reporter = crMakeReporter(&sandbox->sink, makeSource(sandbox, sandbox->errorPlace), NULL);
  crComplaint complaint = { .message = sandbox->message, .hint = sandbox->hint[0] != '\0' ? sandbox->hint : NULL };
  crReport(&reporter, cr_severityError, status, &complaint);
  return status;
}

// ----------------------------------------------------------------------------------------- running

// Calls the function that is all of the stack, or all but its arguments.
static crStatus callProtected(crLuaSandbox* sandbox)
{
  lua_State* L = sandbox->L;
  int argumentCount = lua_gettop(L) - 1;
  lua_pushcfunction(L, onError);
  lua_insert(L, 1);
  int luaStatus = lua_pcall(L, argumentCount, 0, 1);
  crStatus status = luaStatus != LUA_OK ? reportFault(sandbox, luaStatus) : cr_ok;
  lua_settop(L, 0);
  return status;
}

crStatus crLuaSandbox_Call(crLuaSandbox* sandbox, lua_CFunction function)
{
  lua_pushcfunction(sandbox->L, function);
  return callProtected(sandbox);
}

bool crLuaSandbox_Hold(crLuaSandbox* sandbox, const void* key, int count)
{
  lua_State* L = sandbox->L;
  lua_settop(L, 0);
  lua_pushcfunction(L, onError);
  lua_rawgetp(L, LUA_REGISTRYINDEX, key);
  return lua_checkstack(L, count);
}

bool crLuaSandbox_CallHeld(crLuaSandbox* sandbox, int argumentCount, int resultCount)
{
  sandbox->instructionCount = sandbox->unseenCount = 0;
  sandbox->timeStart = NAN; // most calls end before the clock is read at all
  sandbox->stop = sandbox->refusal = cr_luaStopNone;
  setHook(sandbox, hookInterval(sandbox));
  int luaStatus = lua_pcall(sandbox->L, argumentCount, resultCount, 1);
  if (luaStatus == LUA_OK) {
    return true;
  }
  crLuaStop stop = sandbox->stop == cr_luaStopNone && luaStatus == LUA_ERRMEM ? sandbox->refusal : sandbox->stop;
  if (stop != cr_luaStopNone) {
    sandbox->errorPlace = stop == sandbox->stop ? sandbox->stopPlace : sandbox->refusalPlace;
    bool isLong = stop == cr_luaStopInstructions || stop == cr_luaStopTime;
    snprintf(sandbox->message, sizeof sandbox->message, "%s",
             isLong                          ? "it runs for too long: does it loop forever?"
             : stop == cr_luaStopMemoryLimit ? "it needs too much memory"
                                             : stopMessages[stop]);
  }
  lua_settop(sandbox->L, CR_LUA_HELD);
  return false;
}

crStatus crLuaSandbox_Run(crLuaSandbox* sandbox, const char* text, size_t size)
{
  if (crIsLuaBytecode(text, size)) {
    crReporter reporter = crMakeReporter(&sandbox->sink, (crSource){ sandbox->file, 0, 0 }, NULL);
    crComplaint complaint = { .message = "this is compiled Lua (bytecode), which could break out of the sandbox",
                              .allowed = "Lua source text" };
    crReport(&reporter, cr_severityError, cr_errorSyntax, &complaint);
    return cr_errorSyntax;
  }
  int line;
  int luaStatus = crLua_LoadChunk(sandbox->L, text, size, 0, &line);
  if (luaStatus != LUA_OK) {
    bool isSyntax = luaStatus == LUA_ERRSYNTAX && lua_type(sandbox->L, -1) == LUA_TSTRING;
    keepMessage(sandbox, isSyntax ? lua_tostring(sandbox->L, -1) : CR_LUA_TOO_DEEP,
                (crLuaPlace){ luaStatus == LUA_ERRRUN ? line : 0, 0 });
    crStatus status = reportFault(sandbox, luaStatus == LUA_ERRMEM ? LUA_ERRMEM : LUA_ERRSYNTAX);
    lua_settop(sandbox->L, 0);
    return status;
  }
  sandbox->timeStart = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  setHook(sandbox, hookInterval(sandbox));
  crLua_PushPower(sandbox->L);
  crStatus status = callProtected(sandbox);
  lua_gc(sandbox->L, LUA_GCRESTART); // for functions that are called later
  return status;
}

crStatus crLuaSandbox_Init(crLuaSandbox* sandbox, const char* file, int64_t instructionLimit, size_t memoryLimit,
                           const crAllocator* allocator, const crErrorSink* sink)
{
  memset(sandbox, 0, sizeof *sandbox);
  sandbox->allocator = crChooseAllocator(allocator);
  sandbox->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  sandbox->file = file;
  sandbox->instructionLimit = instructionLimit > 0 ? (uint64_t)instructionLimit : 0;
  sandbox->memoryLimit = memoryLimit;
  sandbox->timeStart = NAN;
  sandbox->timeLimit = CR_LEAST_SECONDS + CR_SECONDS_PER_STEP * (double)sandbox->instructionLimit;
  lua_State* L = lua_newstate(allocateForLua, sandbox);
  if (L == NULL) {
    return reportStop(sandbox, sandbox->refusal, (crLuaPlace){ 0, 0 });
  }
  sandbox->L = L;
  *(crLuaSandbox**)lua_getextraspace(L) = sandbox;
  lua_gc(L, LUA_GCSTOP);
  crStatus status = crLuaSandbox_Call(sandbox, crLua_OpenLibraries);
  if (status != cr_ok) {
    crLuaSandbox_Free(sandbox);
  }
  return status;
}

void crLuaSandbox_Free(crLuaSandbox* sandbox)
{
  if (sandbox->L != NULL) {
    lua_close(sandbox->L);
    sandbox->L = NULL;
  }
  crArray_Free(&sandbox->parts, &sandbox->allocator);
}
