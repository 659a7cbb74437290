// A Lua state that a model file cannot break out of, hang or blow up.
//
// What a model gets: text chunks only; the functions of base, math, table, string and utf8 that lua_library.c lets
// through, no pcall, coroutines, finalizers, patterns, files, modules or debugging. What holds it back:
//   instructions  a count hook, and charges for library functions whose loops run in C, where no hook looks;
//   memory        counted in the allocator, together with an estimate of what the scene takes;
//   strings       of at most CR_MAX_LUA_STRING bytes, so that no single instruction takes long;
//   time          a net below the instruction limit, for instructions that cost far more than most. The clock is read
//                 whenever so many instructions have been counted or charged that it costs nothing.
// A model that hits a limit stops for good: from then on the hook fires at every instruction, so that what runs while
// the error unwinds (to-be-closed variables) cannot go on.
//
// Functions that take a lua_State* may raise a Lua error and not return.
#ifndef CR_TEXT_LUA_SANDBOX_H
#define CR_TEXT_LUA_SANDBOX_H

#include "base/memory.h"
#include "text/lua_chunk.h"

#define CR_MAX_LUA_STRING (1 << 20) // [bytes]
#define CR_LUA_MESSAGE_SIZE 1024    // [bytes] longer ones are cut

// Why a model was stopped.
typedef enum crLuaStop {
  cr_luaStopNone, // it was not, or by an error of its own
  cr_luaStopInstructions,
  cr_luaStopTime,
  cr_luaStopMemoryLimit,
  cr_luaStopString,
  cr_luaStopOutOfMemory, // the allocator returned NULL
} crLuaStop;

typedef struct crLuaSandbox {
  crAllocator allocator;
  crErrorSink sink;
  const char* file;             // for messages
  crArrayOf(const char*) parts; // files of the parts that were included, from the first on
  void* owner;                  // for functions registered by the owner
  lua_State* L;
  uint64_t instructionLimit, instructionCount;
  uint64_t unseenCount;           // [instructions] since the clock was read
  size_t memoryLimit, memoryUsed; // [bytes]
  double timeLimit, timeStart;    // [s] of this thread's processor time; NaN: begins when the clock is read first
  crLuaStop refusal;              // why the allocator last said no
  crLuaPlace refusalPlace;
  crLuaStop stop;
  crLuaPlace stopPlace;
  crLuaPlace errorPlace; // of an error of the model's own, with its text
  char message[CR_LUA_MESSAGE_SIZE];
  char hint[CR_LUA_MESSAGE_SIZE]; // "" for none
} crLuaSandbox;

// Creates the state with its libraries. On failure nothing needs to be freed and nothing is reported; file must
// outlive the sandbox.
crStatus crLuaSandbox_Init(crLuaSandbox* sandbox, const char* file, int64_t instructionLimit, size_t memoryLimit,
                           const crAllocator* allocator, const crErrorSink* sink);
void crLuaSandbox_Free(crLuaSandbox* sandbox);

// Calls a C function in protected mode, e.g. to register more functions. Reports what goes wrong.
crStatus crLuaSandbox_Call(crLuaSandbox* sandbox, lua_CFunction function);

// Loads and runs a chunk. What goes wrong is reported: cr_errorSyntax, cr_errorModel, cr_errorLimit, cr_errorMemory.
crStatus crLuaSandbox_Run(crLuaSandbox* sandbox, const char* text, size_t size);

// For calls without end: puts the function that the registry has under `key` on the stack, at CR_LUA_HELD. It stays
// there, with room for `count` more values. false: out of memory.
#define CR_LUA_HELD 2
bool crLuaSandbox_Hold(crLuaSandbox* sandbox, const void* key, int count);

// Calls what was pushed, a function and its arguments, with the full number of instructions. Reports nothing: the
// message and the line are in the sandbox when it failed.
bool crLuaSandbox_CallHeld(crLuaSandbox* sandbox, int argumentCount, int resultCount);

// An allocator that counts against the sandbox's memory limit. Blocks may outlive the state, not the sandbox.
crAllocator crLuaSandbox_Allocator(crLuaSandbox* sandbox);

crLuaSandbox* crLua_GetSandbox(lua_State* L);

// The file that a part of the model is from.
const char* crLuaSandbox_GetFile(const crLuaSandbox* sandbox, int part);

// The line of the innermost Lua function that runs, with the file's name.
crSource crLua_FindSource(lua_State* L);

// Counts work done in C, in instructions or in bytes that are looked at, or memory taken outside Lua. Stops the model
// at the limit, and where its time is over.
void crLua_Charge(lua_State* L, uint64_t instructions);
void crLua_ChargeBytes(lua_State* L, size_t bytes);
void crLua_ChargeMemory(lua_State* L, size_t bytes);

// Stops the model.
_Noreturn void crLua_Stop(lua_State* L, crLuaStop stop);

// Stops the model after the sandbox's allocator returned NULL.
_Noreturn void crLua_StopRefused(lua_State* L);

// Opens the libraries, less what a model may not have; the first step of crLuaSandbox_Init.
int crLua_OpenLibraries(lua_State* L);

#endif
