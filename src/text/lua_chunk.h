// Source texts on their way into Lua. A model is one text, and those that it includes are its parts: messages of Lua
// begin with the number of the part and the line, which are taken apart here.
#ifndef CR_TEXT_LUA_CHUNK_H
#define CR_TEXT_LUA_CHUNK_H

#include <lua.h>

#include <stdbool.h>

#define CR_LUA_CHUNK "model" // in front of Lua's messages; model#3 is the third part

// Where something is in a model.
typedef struct crLuaPlace {
  int line; // 0: unknown
  int part; // 0: the model itself
} crLuaPlace;

// Whether a text is no text but compiled Lua, which could break out of a sandbox.
bool crIsLuaBytecode(const char* text, size_t size);

// Loads a text and pushes it as a function, which takes the object behind ^, or a message. Returns Lua's status.
// Messages of LUA_ERRRUN have no place: Lua's own stack was too small for what is nested around outLine.
int crLua_LoadChunk(lua_State* L, const char* text, size_t size, int part, int* outLine);
#define CR_LUA_TOO_DEEP "blocks or expressions are nested too deep"

// What runs in the innermost Lua function from `level` on. Raises no error, allocates nothing.
crLuaPlace crLua_FindPlace(lua_State* L, int level);

// Takes "model:12: " off the front of a message of Lua; line 0 when it is not there.
crLuaPlace crSplitLuaPlace(const char** message);

#endif
