#include "text/lua_chunk.h"

#include "text/lua_power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The text of a model behind a line that every model has: the object behind ^. It is handed out line by line, so that
// it is known how far Lua has come.
typedef struct ModelText {
  crLuaText text;
  const char *rest, *restEnd; // of the piece that is handed out
  int line;                   // of what was handed out last
  bool isStarted, isAtEnd;    // ... and that ended a line
} ModelText;

static const char* readModel(lua_State* L, void* context, size_t* outSize)
{
  static const char head[] = "local " CR_LUA_POWER " <const> = ...; ";
  ModelText* model = context;
  if (!model->isStarted) {
    model->isStarted = true;
    *outSize = sizeof head - 1;
    return head;
  }
  if (model->rest == model->restEnd) {
    size_t size = 0;
    model->rest = crLuaText_Read(L, &model->text, &size);
    model->restEnd = model->rest != NULL ? model->rest + size : NULL;
  }
  const char* start = model->rest;
  const char* end = start < model->restEnd ? memchr(start, '\n', (size_t)(model->restEnd - start)) : NULL;
  model->rest = end != NULL ? end + 1 : model->restEnd;
  *outSize = start != NULL ? (size_t)(model->rest - start) : 0;
  model->line += model->isAtEnd;
  model->isAtEnd = end != NULL;
  return start;
}

// Skips a byte order mark and a first line that begins with '#', but not its end, so that lines keep their numbers.
static crLuaText skipPreamble(const char* text, size_t size)
{
  size_t start = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  if (start < size && text[start] == '#') {
    while (start < size && text[start] != '\n') {
      ++start;
    }
  }
  return crMakeLuaText(text + start, size - start);
}

bool crIsLuaBytecode(const char* text, size_t size)
{
  crLuaText model = skipPreamble(text, size);
  const char* first = model.next + (model.next < model.end && *model.next == '\n');
  return first < model.end && *first == LUA_SIGNATURE[0];
}

int crLua_LoadChunk(lua_State* L, const char* text, size_t size, int part, int* outLine)
{
  ModelText model = { .text = skipPreamble(text, size), .line = 1 };
  char name[32] = "=" CR_LUA_CHUNK;
  if (part > 0) {
    (void)snprintf(name, sizeof name, "=" CR_LUA_CHUNK "#%d", part);
  }
  int status = lua_load(L, readModel, &model, name, "t");
  *outLine = model.line;
  return status;
}

// The number of the part behind "model"; what it is followed by is in outRest. -1: it is none of ours.
static int readPart(const char* text, const char** outRest)
{
  size_t prefix = sizeof CR_LUA_CHUNK - 1;
  if (strncmp(text, CR_LUA_CHUNK, prefix) != 0) {
    return -1;
  }
  *outRest = text + prefix;
  if (text[prefix] != '#') {
    return 0;
  }
  char* end;
  long part = strtol(text + prefix + 1, &end, 10);
  *outRest = end;
  return part > 0 && part < 1 << 30 ? (int)part : -1;
}

crLuaPlace crLua_FindPlace(lua_State* L, int level)
{
  lua_Debug info;
  for (; lua_getstack(L, level, &info); ++level) {
    if (lua_getinfo(L, "Sl", &info) && info.currentline > 0) {
      const char* rest;
      int part = readPart(info.short_src, &rest);
      return (crLuaPlace){ info.currentline, part > 0 ? part : 0 };
    }
  }
  return (crLuaPlace){ 0, 0 };
}

crLuaPlace crSplitLuaPlace(const char** message)
{
  const char* rest;
  int part = readPart(*message, &rest);
  if (part < 0 || *rest != ':') {
    return (crLuaPlace){ 0, 0 };
  }
  char* end;
  long line = strtol(rest + 1, &end, 10);
  if (line <= 0 || end[0] != ':' || end[1] != ' ') {
    return (crLuaPlace){ 0, 0 };
  }
  *message = end + 2;
  return (crLuaPlace){ (int)line, part };
}
