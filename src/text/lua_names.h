// Names that Lua code uses and nobody defines.
//
// Which names of a text are free is decided by Lua's own scopes, not by a parser of ours: every word of the text is
// made a local around it,
//
//   local word1, word2, ... return function() <code> end
//
// and those that the function has captured (its upvalues) are the ones that no declaration inside the code covers.
// Words that are fields, labels, locals, or stand in strings and comments are never captured.
#ifndef CR_TEXT_LUA_NAMES_H
#define CR_TEXT_LUA_NAMES_H

#include <lua.h>

#include <stdbool.h>

bool crIsLuaName(const char* name); // an identifier, and no word of the language

// Is told a name that the code uses freely, or, with the table "math", a field of it; and the line of its first use.
typedef void crLuaNameVisitor(void* context, lua_State* L, const char* table, const char* name, int line);

// Visits all free names, then the fields of math where that is never anything but the library. The code must be a
// chunk that Lua accepts. Code that speaks of _ENV has names that only a call can tell: none is visited.
void crLua_VisitNames(lua_State* L, const char* code, crLuaNameVisitor* visit, void* context);

#endif
