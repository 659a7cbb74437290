// The libraries of a sandbox: Lua's own functions by a list of what is let through, and replacements for those that
// could run long in C, or whose results would change from run to run.
//
// Replaced for safety: setmetatable (no finalizers), string.rep, string.format, table.concat, insert, move, remove,
// sort, unpack, and what goes through a text (loops in C are charged before they run; lengths come from the table
// itself, not from __len).
// Replaced for repeatability: pairs and next (numbers, then strings, then booleans, each ascending, instead of hash
// order), tostring, print and %s (no addresses), table.sort (a stable merge sort; Lua's picks pivots by the clock),
// math.random (fixed start; math.randomseed needs a number).
// Replaced for the same bits on every machine: all of math that the C library may round in its own way, and ^.
#include "base/elementary.h"
#include "base/report.h"
#include "carom/math.h"
#include "text/lua_power.h"
#include "text/lua_sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#define CR_RANDOM_START 1 // seed of math.random until the model gives its own
#define CR_MAX_FORMAT_ARGUMENTS 250
#define CR_MAX_PRINT 4096 // [bytes] of one print; the rest is cut
#define CR_ITEM_COST 4    // [instructions] of moving an item of a table
#define CR_KEY_COST 10    // [instructions] of looking at a key, or of comparing and moving an item to sort
#define CR_PRINT_COST 200 // [instructions]

// The Lua function that a replacement stands for, to be called in the same frame so that its messages fit. It may not
// have upvalues.
static lua_CFunction original(lua_State* L)
{
  return lua_tocfunction(L, lua_upvalueindex(1));
}

// -------------------------------------------------------------------------------------------- text

// Pushes the value as text: as Lua's tostring, but without addresses.
static const char* pushText(lua_State* L, int index)
{
  index = lua_absindex(L, index);
  if (luaL_callmeta(L, index, "__tostring")) {
    if (!lua_isstring(L, -1)) {
      luaL_error(L, "'__tostring' must return a string");
    }
    return lua_tostring(L, -1);
  }
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
    case LUA_TSTRING: lua_pushvalue(L, index); return lua_tostring(L, -1);
    case LUA_TBOOLEAN: return lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
    default: return lua_pushstring(L, luaL_typename(L, index));
  }
}

static int toText(lua_State* L)
{
  luaL_checkany(L, 1);
  pushText(L, 1);
  return 1;
}

// A note with the line of the call.
static int print(lua_State* L)
{
  crLua_Charge(L, CR_PRINT_COST);
  char text[CR_MAX_PRINT + 8];
  size_t used = 0;
  text[0] = '\0';
  for (int i = 1, count = lua_gettop(L); i <= count && used < CR_MAX_PRINT; ++i) {
    int size = snprintf(text + used, CR_MAX_PRINT - used, "%s%s", i > 1 ? "\t" : "", pushText(L, i));
    used += (size_t)size;
    lua_pop(L, 1);
  }
  crCleanText(text);
  if (used >= CR_MAX_PRINT) {
    memcpy(text + strlen(text), "...", sizeof "...");
  }
  crReporter reporter = crMakeReporter(&crLua_GetSandbox(L)->sink, crLua_FindSource(L), NULL);
  crComplaint complaint = { .message = text };
  crReport(&reporter, cr_severityNote, cr_ok, &complaint);
  return 0;
}

// ------------------------------------------------------------------------------------------ tables

static int setMetatable(lua_State* L)
{
  if (lua_type(L, 2) == LUA_TTABLE) {
    lua_pushstring(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) {
      return luaL_error(L, "a model may not have finalizers (__gc)");
    }
    lua_pop(L, 1);
    crLua_AdoptPower(L, 2);
  }
  return original(L)(L);
}

// The length of the table itself. A __len could claim any.
static lua_Unsigned checkLength(lua_State* L, int index)
{
  luaL_checktype(L, index, LUA_TTABLE);
  if (luaL_getmetafield(L, index, "__len") != LUA_TNIL) {
    luaL_error(L, "functions of 'table' do not work on tables with __len");
  }
  return lua_rawlen(L, index);
}

static void chargeTimes(lua_State* L, uint64_t count, uint64_t cost)
{
  crLua_Charge(L, count <= UINT64_MAX / cost ? count * cost : UINT64_MAX);
}

// Charges the items from first to last.
static void chargeRange(lua_State* L, lua_Integer first, lua_Integer last)
{
  if (first <= last) {
    chargeTimes(L, (lua_Unsigned)last - (lua_Unsigned)first, CR_ITEM_COST);
  }
}

static int tableInsert(lua_State* L)
{
  lua_Integer length = (lua_Integer)checkLength(L, 1);
  if (lua_gettop(L) >= 3) {
    chargeRange(L, luaL_checkinteger(L, 2), length);
  }
  return original(L)(L);
}

static int tableRemove(lua_State* L)
{
  lua_Integer length = (lua_Integer)checkLength(L, 1);
  chargeRange(L, luaL_optinteger(L, 2, length), length);
  return original(L)(L);
}

static int tableMove(lua_State* L)
{
  checkLength(L, 1);
  chargeRange(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
  return original(L)(L);
}

static int tableUnpack(lua_State* L)
{
  lua_Integer length = (lua_Integer)checkLength(L, 1);
  chargeRange(L, luaL_optinteger(L, 2, 1), luaL_optinteger(L, 3, length));
  return original(L)(L);
}

static int tableConcat(lua_State* L)
{
  lua_Integer length = (lua_Integer)checkLength(L, 1);
  size_t separatorSize, total = 0;
  const char* separator = luaL_optlstring(L, 2, "", &separatorSize);
  lua_Integer first = luaL_optinteger(L, 3, 1), last = luaL_optinteger(L, 4, length);
  chargeRange(L, first, last);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (lua_Integer i = first; i <= last; ++i) {
    size_t size;
    lua_rawgeti(L, 1, i);
    const char* item = lua_isstring(L, -1) ? lua_tolstring(L, -1, &size) : NULL;
    if (item == NULL) {
      return luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
    }
    total += size + (i < last ? separatorSize : 0);
    crLua_ChargeBytes(L, size + separatorSize);
    if (total > CR_MAX_LUA_STRING) {
      crLua_Stop(L, cr_luaStopString);
    }
    luaL_addvalue(&buffer);
    if (i == last) {
      break; // i + 1 may not exist
    }
    luaL_addlstring(&buffer, separator, separatorSize);
  }
  luaL_pushresult(&buffer);
  return 1;
}

// ----------------------------------------------------------------------------------------- sorting

// Whether the value on top of the stack goes before the one below it. Both stay.
typedef bool Less(lua_State* L);

// As Lua's operator. Strings are looked at up to where they differ, at most to the end of the shorter one.
static bool lessByValue(lua_State* L)
{
  if (lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING) {
    lua_Unsigned length = lua_rawlen(L, -1), other = lua_rawlen(L, -2);
    crLua_ChargeBytes(L, (size_t)(length < other ? length : other));
  }
  return lua_compare(L, -1, -2, LUA_OPLT);
}

static bool lessByFunction(lua_State* L)
{
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -4);
  lua_call(L, 2, 1);
  bool less = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return less;
}

// Merges from[first, middle) and from[middle, end), both sorted, into the same places of `to`; positions from 1.
static void merge(lua_State* L, int from, int to, lua_Integer first, lua_Integer middle, lua_Integer end, Less* less)
{
  lua_Integer left = first, right = middle;
  for (lua_Integer i = first; i < end; ++i) {
    bool takesRight = left == middle;
    if (left < middle && right < end) {
      lua_rawgeti(L, from, left);
      lua_rawgeti(L, from, right);
      takesRight = less(L);
      lua_pop(L, 2);
    }
    lua_rawgeti(L, from, takesRight ? right++ : left++);
    lua_rawseti(L, to, i);
  }
}

static lua_Integer smaller(lua_Integer a, lua_Integer b)
{
  return a < b ? a : b;
}

// Stable merge sort of the items 1 .. length of the table.
static void sortTable(lua_State* L, int table, lua_Unsigned length, Less* less)
{
  uint64_t rounds = 1;
  while (rounds < 63 && length >> rounds != 0) {
    ++rounds;
  }
  chargeTimes(L, length, rounds * CR_KEY_COST);
  if (length > INT32_MAX) {
    luaL_error(L, "too many items to sort");
  }
  lua_Integer end = (lua_Integer)length + 1;
  int from = table;
  lua_createtable(L, (int)length, 0);
  int to = lua_gettop(L), spare = to;
  luaL_checkstack(L, 8, NULL);
  for (lua_Integer width = 1; width < end - 1; width *= 2) {
    for (lua_Integer first = 1; first < end; first += 2 * width) {
      merge(L, from, to, first, smaller(first + width, end), smaller(first + 2 * width, end), less);
    }
    int swapped = from;
    from = to;
    to = swapped;
  }
  for (lua_Integer i = 1; from != table && i < end; ++i) {
    lua_rawgeti(L, from, i);
    lua_rawseti(L, table, i);
  }
  lua_remove(L, spare);
}

static int tableSort(lua_State* L)
{
  lua_Unsigned length = checkLength(L, 1);
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TFUNCTION);
  }
  sortTable(L, 1, length, lua_isnil(L, 2) ? lessByValue : lessByFunction);
  return 0;
}

// --------------------------------------------------------------------------------------- traversal

// Numbers come first, then strings, then booleans.
static int rankKey(lua_State* L, int index)
{
  switch (lua_type(L, index)) {
    case LUA_TNUMBER: return 0;
    case LUA_TSTRING: return 1;
    case LUA_TBOOLEAN: return 2;
    default:
      return luaL_error(L, "keys that are a %s have no order: go through this table by a list of its keys",
                        luaL_typename(L, index));
  }
}

static bool lessByKey(lua_State* L)
{
  int rank = rankKey(L, -1), other = rankKey(L, -2);
  if (rank != other) {
    return rank < other;
  }
  return rank == 2 ? lua_toboolean(L, -1) < lua_toboolean(L, -2) : lessByValue(L);
}

// Upvalues: the table, its sorted keys, the position of the last key.
static int nextPair(lua_State* L)
{
  lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));
  for (;;) {
    ++i;
    if (lua_rawgeti(L, lua_upvalueindex(2), i) == LUA_TNIL) {
      return 1;
    }
    lua_pushvalue(L, -1);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) { // else it was taken out meanwhile
      lua_pushinteger(L, i);
      lua_replace(L, lua_upvalueindex(3));
      return 2;
    }
    lua_pop(L, 2);
  }
}

static int pairs(lua_State* L)
{
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_newtable(L);
  lua_Unsigned count = 0;
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    crLua_Charge(L, CR_KEY_COST);
    rankKey(L, -2);
    lua_pushvalue(L, -2);
    lua_rawseti(L, 2, (lua_Integer)++count);
  }
  sortTable(L, 2, count, lessByKey);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, nextPair, 3);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

// The smallest key above the given one. Takes time in proportion to the table.
static int next(lua_State* L)
{
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  lua_pushnil(L); // 3: the best key so far
  for (lua_pushnil(L); lua_next(L, 1);) {
    crLua_Charge(L, CR_KEY_COST);
    lua_pop(L, 1); // key on top at 4
    bool isAbove = true;
    rankKey(L, 4);
    if (!lua_isnil(L, 2)) {
      lua_pushvalue(L, 4);
      lua_pushvalue(L, 2);
      isAbove = lessByKey(L); // given < key
      lua_pop(L, 2);
    }
    lua_pushvalue(L, 3);
    lua_pushvalue(L, 4);
    if (isAbove && (lua_isnil(L, 3) || lessByKey(L))) {
      lua_copy(L, 4, 3);
    }
    lua_pop(L, 2);
  }
  if (lua_isnil(L, 3)) {
    return 1;
  }
  lua_pushvalue(L, 3);
  lua_rawget(L, 1);
  return 2;
}

// ----------------------------------------------------------------------------------------- strings

// For functions that go through the text of their first argument.
static int readText(lua_State* L)
{
  crLua_ChargeBytes(L, lua_type(L, 1) == LUA_TSTRING ? (size_t)lua_rawlen(L, 1) : 0);
  return original(L)(L);
}

static int stringRep(lua_State* L)
{
  size_t size, separatorSize;
  luaL_checklstring(L, 1, &size);
  lua_Integer count = luaL_checkinteger(L, 2);
  luaL_optlstring(L, 3, "", &separatorSize);
  lua_Unsigned each = (lua_Unsigned)size + (lua_Unsigned)separatorSize;
  // empty strings take no memory, but time
  if (count > 0 && (lua_Unsigned)count > CR_MAX_LUA_STRING / (each > 0 ? each : 1)) {
    crLua_Stop(L, cr_luaStopString);
  }
  crLua_ChargeBytes(L, count > 0 ? (size_t)count * (size_t)each : 0);
  return original(L)(L);
}

// Replaces the arguments of %s by text without addresses; refuses %p, which prints one.
static int stringFormat(lua_State* L)
{
  size_t size;
  const char* format = luaL_checklstring(L, 1, &size);
  int count = lua_gettop(L), argument = 1;
  luaL_argcheck(L, count <= CR_MAX_FORMAT_ARGUMENTS, CR_MAX_FORMAT_ARGUMENTS, "too many arguments");
  for (const char *c = format, *end = format + size; c < end; ++c) {
    if (*c != '%') {
      continue;
    }
    if (++c < end && *c == '%') {
      continue;
    }
    while (c < end && *c != '\0' && strchr("-+ #0123456789.", *c) != NULL) {
      ++c;
    }
    ++argument;
    if (c < end && *c == 'p') {
      return luaL_error(L, "'%%p' is not available: addresses change from run to run");
    }
    if (c < end && *c == 's' && argument <= count) {
      pushText(L, argument);
      lua_replace(L, argument);
    }
  }
  return original(L)(L);
}

// ------------------------------------------------------------------------------------- mathematics

static int mathSin(lua_State* L)
{
  lua_pushnumber(L, crSin(luaL_checknumber(L, 1)));
  return 1;
}

static int mathCos(lua_State* L)
{
  lua_pushnumber(L, crCos(luaL_checknumber(L, 1)));
  return 1;
}

static int mathTan(lua_State* L)
{
  lua_pushnumber(L, crTan(luaL_checknumber(L, 1)));
  return 1;
}

static int mathAsin(lua_State* L)
{
  lua_pushnumber(L, crAsin(luaL_checknumber(L, 1)));
  return 1;
}

static int mathAcos(lua_State* L)
{
  lua_pushnumber(L, crAcos(luaL_checknumber(L, 1)));
  return 1;
}

static int mathAtan(lua_State* L)
{
  lua_pushnumber(L, crAtan2(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 1.0)));
  return 1;
}

static int mathExp(lua_State* L)
{
  lua_pushnumber(L, crExp(luaL_checknumber(L, 1)));
  return 1;
}

static int mathLog(lua_State* L)
{
  double x = luaL_checknumber(L, 1), base = luaL_optnumber(L, 2, NAN);
  bool hasBase = !lua_isnoneornil(L, 2);
  lua_pushnumber(L, !hasBase ? crLog(x) : base == 2.0 ? crLog2(x) : base == 10.0 ? crLog10(x) : crLog(x) / crLog(base));
  return 1;
}

// ------------------------------------------------------------------------------------------ random

// The original keeps its generator in an upvalue, so that it is called as a function of its own.
static int randomSeed(lua_State* L)
{
  luaL_checkinteger(L, 1);
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 0);
  return 0;
}

static void startRandom(lua_State* L)
{
  lua_getglobal(L, "math");
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, CR_RANDOM_START);
  lua_call(L, 1, 0);
  lua_pop(L, 1);
}

// ----------------------------------------------------------------------------------------- opening

// A function that is let through, as it is or replaced.
typedef struct Entry {
  const char* name;
  lua_CFunction replacement;
} Entry;

static const Entry baseEntries[] = {
  { "assert", NULL },
  { "error", NULL },
  { "getmetatable", NULL },
  { "ipairs", NULL },
  { "next", next },
  { "pairs", pairs },
  { "print", print },
  { "rawequal", NULL },
  { "rawget", NULL },
  { "rawlen", NULL },
  { "rawset", NULL },
  { "select", NULL },
  { "setmetatable", setMetatable },
  { "tonumber", readText },
  { "tostring", toText },
  { "type", NULL },
  { "_G", NULL },
  { "_VERSION", NULL },
  { NULL, NULL },
};
static const Entry mathEntries[] = {
  { "abs", NULL },      { "acos", mathAcos },   { "asin", mathAsin },
  { "atan", mathAtan }, { "ceil", NULL },       { "cos", mathCos },
  { "deg", NULL },      { "exp", mathExp },     { "floor", NULL },
  { "fmod", NULL },     { "huge", NULL },       { "log", mathLog },
  { "max", NULL },      { "maxinteger", NULL }, { "min", NULL },
  { "modf", NULL },     { "pi", NULL },         { "mininteger", NULL },
  { "rad", NULL },      { "random", NULL },     { "sin", mathSin },
  { "sqrt", NULL },     { "tan", mathTan },     { "tointeger", NULL },
  { "type", NULL },     { "ult", NULL },        { "randomseed", randomSeed },
  { NULL, NULL },
};
static const Entry tableEntries[] = {
  { "concat", tableConcat }, { "insert", tableInsert }, { "move", tableMove },     { "pack", NULL },
  { "remove", tableRemove }, { "sort", tableSort },     { "unpack", tableUnpack }, { NULL, NULL },
};
static const Entry stringEntries[] = {
  { "byte", readText },  { "char", NULL },     { "format", stringFormat }, { "len", NULL },
  { "lower", readText }, { "rep", stringRep }, { "reverse", readText },    { "sub", readText },
  { "upper", readText }, { NULL, NULL },
};
static const Entry utf8Entries[] = {
  { "char", NULL },    { "codepoint", readText }, { "codes", NULL },
  { "len", readText }, { "offset", readText },    { NULL, NULL },
};

static const Entry* findEntry(const Entry* entries, const char* name)
{
  while (entries->name != NULL && strcmp(entries->name, name) != 0) {
    ++entries;
  }
  return entries->name != NULL ? entries : NULL;
}

// Keeps what is listed of the table on top of the stack, and pops it.
static void keepListed(lua_State* L, const Entry* entries)
{
  for (lua_pushnil(L); lua_next(L, -2);) {
    const char* name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    const Entry* entry = name != NULL ? findEntry(entries, name) : NULL;
    if (entry == NULL) {
      lua_pop(L, 1);
      lua_pushnil(L);
    } else if (entry->replacement != NULL) {
      lua_pushcclosure(L, entry->replacement, 1);
    }
    // assigning to a field that exists is allowed while going through a table
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_pop(L, 1);
}

// So that a model cannot change what strings do.
static void protectStrings(lua_State* L)
{
  lua_pushstring(L, "");
  lua_getmetatable(L, -1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

int crLua_OpenLibraries(lua_State* L)
{
  static const struct {
    const char* name;
    lua_CFunction open;
    const Entry* entries;
  } libraries[] = {
    { LUA_MATHLIBNAME, luaopen_math, mathEntries },
    { LUA_TABLIBNAME, luaopen_table, tableEntries },
    { LUA_STRLIBNAME, luaopen_string, stringEntries },
    { LUA_UTF8LIBNAME, luaopen_utf8, utf8Entries },
  };
  luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
  keepListed(L, baseEntries);
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; ++i) {
    luaL_requiref(L, libraries[i].name, libraries[i].open, 1);
    keepListed(L, libraries[i].entries);
  }
  protectStrings(L);
  crLua_OpenPower(L);
  startRandom(L);
  lua_pushnumber(L, CR_PI);
  lua_setglobal(L, "pi");
  return 0;
}
