// What passes between a Lua model and the scene: elements as handles, everything else as values.
#ifndef CR_TEXT_LUA_VALUE_H
#define CR_TEXT_LUA_VALUE_H

#include "text/lua_sandbox.h"
#include "text/value.h"

// What a constructor gives back: it stands for the element wherever a path or a material is expected.
typedef struct crLuaHandle {
  crElementKind kind;
  bool isFailed; // it was reported already and has no element
  char path[];
} crLuaHandle;

// Makes the metatables; call it once, in protected mode, before anything else here.
void crLua_OpenValues(lua_State* L);

void crLua_PushHandle(lua_State* L, crElementKind kind, const char* path, bool isFailed);

// The handle at the index, or NULL.
const crLuaHandle* crLua_ToHandle(lua_State* L, int index);

// Marks the table on top of the stack as the result of a call that was reported already.
void crLua_MarkFailed(lua_State* L);

// Values of one element. Strings stay Lua's own: they live as long as the Lua values they came from.
typedef struct crLuaValues {
  crArena* arena;
  bool hasFailed; // a part was reported already: do not use them, do not report again
} crLuaValues;

// What crLua_ReadValue makes of tables, and tables in tables, down to so many levels. Features hold shapes hold lists
// of points: that is five.
#define CR_MAX_LUA_DEPTH 16

// Converts the value at the index. What has no place in a model (functions, lists with holes, text that is not UTF-8,
// tables in themselves) becomes a cr_valueOther that says what it is.
crValue crLua_ReadValue(lua_State* L, int index, int depth, crLuaValues* values);

#endif
