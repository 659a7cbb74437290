// From Lua values to values of a model. A key that is an element stands for its path. Keys are sorted, because the
// order of a Lua table changes from run to run.
#include "text/lua_value.h"

#include "base/text.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CR_VALUE_COST 4 // [instructions] of converting one value

// Registry keys by address.
static char handleKey, failedKey;

// ----------------------------------------------------------------------------------------- handles

static int getHandleField(lua_State* L)
{
  const crLuaHandle* handle = crLua_ToHandle(L, 1);
  const char* key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (handle != NULL && strcmp(key, "path") == 0) {
    lua_pushstring(L, handle->path);
    return 1;
  }
  if (handle != NULL && strcmp(key, "kind") == 0) {
    lua_pushstring(L, crElementKind_GetText(handle->kind));
    return 1;
  }
  return luaL_error(L, "an element has no field '%s', only 'path' and 'kind'", key);
}

static int setHandleField(lua_State* L)
{
  return luaL_error(L, "an element cannot be changed after it was made");
}

static int handleToText(lua_State* L)
{
  const crLuaHandle* handle = crLua_ToHandle(L, 1);
  lua_pushfstring(L, "%s '%s'", crElementKind_GetText(handle->kind), handle->path);
  return 1;
}

static int handlesAreEqual(lua_State* L)
{
  const crLuaHandle *a = crLua_ToHandle(L, 1), *b = crLua_ToHandle(L, 2);
  lua_pushboolean(L, a != NULL && b != NULL && a->kind == b->kind && strcmp(a->path, b->path) == 0);
  return 1;
}

void crLua_OpenValues(lua_State* L)
{
  static const luaL_Reg methods[] = { { "__index", getHandleField },
                                      { "__newindex", setHandleField },
                                      { "__tostring", handleToText },
                                      { "__eq", handlesAreEqual },
                                      { NULL, NULL } };
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushstring(L, "element");
  lua_setfield(L, -2, "__name");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &handleKey);
  lua_newtable(L);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &failedKey);
}

void crLua_PushHandle(lua_State* L, crElementKind kind, const char* path, bool isFailed)
{
  size_t size = strlen(path) + 1;
  crLuaHandle* handle = lua_newuserdatauv(L, sizeof *handle + size, 0);
  handle->kind = kind;
  handle->isFailed = isFailed;
  memcpy(handle->path, path, size);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &handleKey);
  lua_setmetatable(L, -2);
}

// Models have no other userdata.
const crLuaHandle* crLua_ToHandle(lua_State* L, int index)
{
  return lua_type(L, index) == LUA_TUSERDATA ? lua_touserdata(L, index) : NULL;
}

void crLua_MarkFailed(lua_State* L)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &failedKey);
  lua_setmetatable(L, -2);
}

static bool isMarkedFailed(lua_State* L, int index)
{
  if (!lua_getmetatable(L, index)) {
    return false;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &failedKey);
  bool isFailed = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return isFailed;
}

// ------------------------------------------------------------------------------------------ values

static void* allocate(lua_State* L, crLuaValues* values, size_t count, size_t size)
{
  void* memory = crArena_AllocateZero(values->arena, count, size);
  if (memory == NULL) {
    crLua_StopRefused(L);
  }
  return memory;
}

static crValue makeOther(const char* text)
{
  crValue value = { .kind = cr_valueOther, .string = text };
  return value;
}

static crValue makeOtherNumber(lua_State* L, crLuaValues* values, const char* format, long long number)
{
  char text[128];
  int size = snprintf(text, sizeof text, format, number) + 1;
  char* copy = allocate(L, values, (size_t)size, 1);
  memcpy(copy, text, (size_t)size);
  return makeOther(copy);
}

static crValue readString(lua_State* L, int index)
{
  size_t size;
  const char* text = lua_tolstring(L, index, &size);
  if (strlen(text) != size) {
    return makeOther("a string with a zero byte");
  }
  if (!crIsUtf8(text, size)) {
    return makeOther("a string that is not valid UTF-8");
  }
  return crMakeString(text);
}

// One named field on its way into a table.
typedef struct Entry {
  const char* key;
  crValue value;
} Entry;

static void siftDown(Entry* entries, int root, int count)
{
  for (;;) {
    int child = 2 * root + 1;
    if (child >= count) {
      return;
    }
    if (child + 1 < count && strcmp(entries[child].key, entries[child + 1].key) < 0) {
      ++child;
    }
    if (strcmp(entries[root].key, entries[child].key) >= 0) {
      return;
    }
    Entry swapped = entries[root];
    entries[root] = entries[child];
    entries[child] = swapped;
    root = child;
  }
}

// Heap sort: equal keys, which only elements that are given twice can have, are refused by who reads them, and qsort
// may allocate behind our allocator's back.
static void sortEntries(Entry* entries, int count)
{
  for (int i = count / 2 - 1; i >= 0; --i) {
    siftDown(entries, i, count);
  }
  for (int end = count - 1; end > 0; --end) {
    Entry swapped = entries[0];
    entries[0] = entries[end];
    entries[end] = swapped;
    siftDown(entries, 0, end);
  }
}

// Why a table is not a value. The largest counts, because the order of a Lua table changes from run to run.
typedef enum Fault { faultNone, faultPosition, faultName, faultKey, faultSize } Fault;

static const char* const faultTexts[] = {
  [faultPosition] = "a list with a position below 1",
  [faultName] = "a table with a name that is not valid UTF-8",
  [faultKey] = "a table with a key that is neither a name nor a position nor an element",
  [faultSize] = "a table that is too large",
};

typedef struct Contents {
  lua_Integer itemCount, lastItem, nameCount;
  Fault fault;
} Contents;

static void addFault(Contents* contents, Fault fault)
{
  contents->fault = fault > contents->fault ? fault : contents->fault;
}

static Contents countContents(lua_State* L, int table)
{
  Contents contents = { 0, 0, 0, faultNone };
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_isinteger(L, -2)) {
      lua_Integer position = lua_tointeger(L, -2);
      ++contents.itemCount;
      contents.lastItem = position > contents.lastItem ? position : contents.lastItem;
      addFault(&contents, position < 1 ? faultPosition : faultNone);
    } else if (crLua_ToHandle(L, -2) != NULL) {
      ++contents.nameCount;
    } else if (lua_type(L, -2) == LUA_TSTRING) {
      ++contents.nameCount;
      addFault(&contents, readString(L, -2).kind == cr_valueOther ? faultName : faultNone);
    } else {
      addFault(&contents, faultKey);
    }
  }
  addFault(&contents, contents.itemCount > INT_MAX || contents.nameCount > INT_MAX ? faultSize : faultNone);
  return contents;
}

static crValue makeHole(lua_State* L, int table, crLuaValues* values)
{
  lua_Integer hole = 1;
  while (lua_rawgeti(L, table, hole) != LUA_TNIL) {
    lua_pop(L, 1);
    ++hole;
  }
  lua_pop(L, 1);
  return makeOtherNumber(L, values, "a list with nothing at position %lld", (long long)hole);
}

static void readNames(lua_State* L, int table, int depth, crLuaValues* values, crValue* outValue)
{
  int count = outValue->fieldCount;
  Entry* entries = allocate(L, values, (size_t)count, sizeof *entries);
  outValue->keys = allocate(L, values, (size_t)count, sizeof *outValue->keys);
  outValue->fields = allocate(L, values, (size_t)count, sizeof *outValue->fields);
  int filled = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    const crLuaHandle* handle = crLua_ToHandle(L, -2);
    if (handle != NULL || lua_type(L, -2) == LUA_TSTRING) {
      values->hasFailed = values->hasFailed || (handle != NULL && handle->isFailed);
      entries[filled].key = handle != NULL ? handle->path : lua_tostring(L, -2);
      entries[filled++].value = crLua_ReadValue(L, -1, depth - 1, values);
    }
  }
  sortEntries(entries, count);
  for (int i = 0; i < count; ++i) {
    outValue->keys[i] = entries[i].key;
    outValue->fields[i] = entries[i].value;
  }
}

static crValue readTable(lua_State* L, int table, int depth, crLuaValues* values)
{
  if (isMarkedFailed(L, table)) {
    values->hasFailed = true;
    return makeOther("a part that was reported already");
  }
  if (depth <= 0) {
    return makeOther("a table nested too deep, or in itself");
  }
  luaL_checkstack(L, 8, NULL);
  Contents contents = countContents(L, table);
  if (contents.fault != faultNone) {
    return makeOther(faultTexts[contents.fault]);
  }
  if (contents.lastItem != contents.itemCount) {
    return makeHole(L, table, values);
  }
  crValue value = { .kind = cr_valueTable,
                    .itemCount = (int)contents.itemCount,
                    .fieldCount = (int)contents.nameCount };
  crLua_Charge(L, CR_VALUE_COST * (uint64_t)(contents.itemCount + contents.nameCount));
  if (value.itemCount > 0) {
    value.items = allocate(L, values, (size_t)value.itemCount, sizeof *value.items);
  }
  for (int i = 0; i < value.itemCount; ++i) {
    lua_rawgeti(L, table, i + 1);
    value.items[i] = crLua_ReadValue(L, -1, depth - 1, values);
    lua_pop(L, 1);
  }
  if (value.fieldCount > 0) {
    readNames(L, table, depth, values, &value);
  }
  return value;
}

static crValue readHandle(lua_State* L, int index, crLuaValues* values)
{
  const crLuaHandle* handle = crLua_ToHandle(L, index);
  values->hasFailed = values->hasFailed || handle->isFailed;
  crValue value = crMakeString(handle->path);
  value.element = handle->kind;
  return value;
}

crValue crLua_ReadValue(lua_State* L, int index, int depth, crLuaValues* values)
{
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TNONE: return (crValue){ .kind = cr_valueNull };
    case LUA_TBOOLEAN: return (crValue){ .kind = cr_valueBool, .boolean = lua_toboolean(L, index) };
    case LUA_TNUMBER: return (crValue){ .kind = cr_valueNumber, .number = lua_tonumber(L, index) };
    case LUA_TSTRING: return readString(L, index);
    case LUA_TTABLE: return readTable(L, index, depth, values);
    case LUA_TUSERDATA: return readHandle(L, index, values);
    default: return makeOther(lua_type(L, index) == LUA_TFUNCTION ? "a function" : "something that is no value");
  }
}
