// The object behind ^, and the texts that name it.
#include "text/lua_power.h"

#include "base/elementary.h"

#include <lauxlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------- text

crLuaText crMakeLuaText(const char* text, size_t size)
{
  return (crLuaText){ text, text + size, false };
}

// Whether a long bracket, [[ or [=[ and so on, begins here; its number of '='.
static bool isLongBracket(const char* at, const char* end, size_t* outLevel)
{
  const char* c = at;
  if (c == end || *c != '[') {
    return false;
  }
  for (++c; c < end && *c == '='; ++c) {
  }
  *outLevel = (size_t)(c - at) - 1;
  return c < end && *c == '[';
}

// Behind the long bracket that begins here.
static const char* skipLongBracket(const char* at, const char* end, size_t level)
{
  for (const char* c = at + level + 2; c < end; ++c) {
    const char* last = c;
    if (*c == ']') {
      for (++last; last < end && *last == '='; ++last) {
      }
      if (last < end && *last == ']' && (size_t)(last - c) - 1 == level) {
        return last + 1;
      }
    }
  }
  return end;
}

static const char* skipLine(const char* at, const char* end)
{
  const char* newline = memchr(at, '\n', (size_t)(end - at));
  return newline != NULL ? newline : end;
}

static const char* skipQuotes(const char* at, const char* end)
{
  const char* c = at + 1;
  while (c < end && *c != *at && *c != '\n') {
    c += *c == '\\' && c + 1 < end ? 2 : 1;
  }
  return c < end ? c + 1 : end;
}

const char* crLuaText_SkipPiece(const char* at, const char* end)
{
  size_t level;
  if (*at == '"' || *at == '\'') {
    return skipQuotes(at, end);
  }
  if (isLongBracket(at, end, &level)) {
    return skipLongBracket(at, end, level);
  }
  if (*at == '-' && end - at >= 2 && at[1] == '-') {
    return isLongBracket(at + 2, end, &level) ? skipLongBracket(at + 2, end, level) : skipLine(at, end);
  }
  return at + 1;
}

static const char* skipSpace(const char* at, const char* end)
{
  while (at < end && *at != '\0' && strchr(" \t\r\n\f\v", *at) != NULL) {
    ++at;
  }
  return at;
}

// Whether the exponent that begins here is 2 alone: not 2.5, 2e3 or 2 ^ x. A comment behind it counts as more.
static bool isSquare(const char* at, const char* end)
{
  static const char more[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.";
  const char* c = skipSpace(at, end);
  if (c == end || *c != '2') {
    return false;
  }
  ++c;
  if (c < end && (*c == '\0' || strchr(more, *c) != NULL)) {
    return false;
  }
  c = skipSpace(c, end);
  return c == end || (*c != '^' && *c != '-');
}

const char* crLuaText_Read(lua_State* L, void* context, size_t* outSize)
{
  static const char name[] = CR_LUA_POWER "^";
  (void)L;
  crLuaText* text = context;
  if (text->isAtPower) {
    text->isAtPower = false;
    *outSize = sizeof name - 1;
    return name;
  }
  const char *start = text->next, *at = start;
  while (at < text->end && !text->isAtPower) {
    const char* next = crLuaText_SkipPiece(at, text->end);
    text->isAtPower = *at == '^' && !isSquare(next, text->end);
    at = next;
  }
  text->next = at;
  *outSize = (size_t)(at - start);
  return at > start ? start : NULL;
}

// -------------------------------------------------------------------------------------------- object

// What ^ was given at its first call, until its second. Its user value is an exponent that is no number.
typedef struct Power {
  double exponent;
  bool isNumber;
} Power;

static const char powerKey = 0; // its address is the object's place in the registry

// Replaces the object at the index by the exponent.
static void takeExponent(lua_State* L, int index, const Power* power)
{
  if (power->isNumber) {
    lua_pushnumber(L, power->exponent);
  } else {
    lua_getiuservalue(L, index, 1);
  }
  lua_replace(L, index);
}

static int raise(lua_State* L)
{
  Power* power = lua_touserdata(L, lua_upvalueindex(1));
  if (lua_touserdata(L, 1) == power) { // _carom_power_ ^ y
    int isNumber;
    power->exponent = lua_tonumberx(L, 2, &isNumber);
    power->isNumber = isNumber != 0;
    lua_settop(L, 2);
    if (!power->isNumber) {
      lua_setiuservalue(L, 1, 1);
    }
    lua_settop(L, 1);
    return 1;
  }
  int isNumber; // x ^ (_carom_power_ ^ y)
  double x = lua_tonumberx(L, 1, &isNumber);
  if (isNumber && power->isNumber) {
    lua_pushnumber(L, crPow(x, power->exponent));
    return 1;
  }
  lua_settop(L, 2);
  takeExponent(L, 2, power);
  lua_arith(L, LUA_OPPOW); // a metamethod, or Lua's message
  return 1;
}

void crLua_OpenPower(lua_State* L)
{
  Power* power = lua_newuserdatauv(L, sizeof *power, 1);
  *power = (Power){ 0.0, true };
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, raise, 1);
  lua_setfield(L, -2, "__pow");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &powerKey);
}

void crLua_PushPower(lua_State* L)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &powerKey);
}

// ---------------------------------------------------------------------------------------- metatables

// Upvalues: a __pow of the model's, the object. As the left operand a table is asked first, and with the object.
static int callOwnPower(lua_State* L)
{
  const Power* power = lua_touserdata(L, lua_upvalueindex(2));
  lua_settop(L, 2);
  if (lua_touserdata(L, 2) == power) {
    takeExponent(L, 2, power);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 2, 1);
  return 1;
}

void crLua_AdoptPower(lua_State* L, int metatable)
{
  lua_pushstring(L, "__pow");
  lua_pushvalue(L, -1);
  lua_rawget(L, metatable);
  if (lua_isnil(L, -1) || lua_tocfunction(L, -1) == callOwnPower) {
    lua_pop(L, 2);
    return;
  }
  crLua_PushPower(L);
  lua_pushcclosure(L, callOwnPower, 2);
  lua_rawset(L, metatable);
}
