// Lua's operator ^ with a power of our own.
//
// Lua computes x ^ y by the C library's pow, whose last bit depends on the machine, and there is no way to tell it
// another. But the operator is right-associative: in place of
//
//   x ^ y     Lua is given     x ^ _carom_power_ ^ y,     which it reads as     x ^ (_carom_power_ ^ y)
//
// whatever stands around it. _carom_power_ is an object whose metamethod __pow keeps y at the first ^ and computes x ^
// y at the second, with nothing in between. Constants are not folded, because the object is none. Squares, x ^ 2, stay
// as they are: Lua multiplies. Strings and comments are left alone; nothing else in Lua has a '^'.
#ifndef CR_TEXT_LUA_POWER_H
#define CR_TEXT_LUA_POWER_H

#include <lua.h>

#include <stdbool.h>

#define CR_LUA_POWER "_carom_power_" // must be a local that holds the object wherever a text has a '^'

// A text on its way to lua_load.
typedef struct crLuaText {
  const char* next;
  const char* end;
  bool isAtPower; // what comes next is the name of the object
} crLuaText;

crLuaText crMakeLuaText(const char* text, size_t size);

// Behind the string, the comment, or the one character that stands at a place of a text.
const char* crLuaText_SkipPiece(const char* at, const char* end);

// A lua_Reader of a crLuaText.
const char* crLuaText_Read(lua_State* L, void* text, size_t* outSize);

// Makes the object, once in every state; pushes it.
void crLua_OpenPower(lua_State* L);
void crLua_PushPower(lua_State* L);

// Makes the __pow of a metatable work, if it has one.
void crLua_AdoptPower(lua_State* L, int metatable);

#endif
