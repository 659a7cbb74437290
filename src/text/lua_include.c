// include("part.lua") and require("part") in a Lua model: other source files, run in the same sandbox.
//
// Files are looked up in the model's folder, whichever file includes them, and may lie where meshes may. include runs a
// file each time and returns what it returns; require runs the file of a name once and keeps what it returned. The
// scene keeps every text that was read, so that an FMU or a sweep can make the model again without files; a file is
// read once, so that all that includes it sees the same text.
#include "base/platform.h"
#include "base/read_file.h"
#include "scene/scene.h"
#include "text/lua_power.h"
#include "text/lua_reader.h"
#include "text/mesh_grant.h"
#include "text/path.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_INCLUDE_COST 1000    // [instructions] of finding a file
#define CR_MAX_INCLUDE_DEPTH 50 // Lua itself allows some 200 calls through C

static char requiredKey; // its address: where the registry keeps what require has got

// Keeps a message of reading a file, which becomes one of Lua.
static void keepMessage(void* context, const crError* error)
{
  (void)snprintf(context, CR_LUA_MESSAGE_SIZE, "%s", error->message);
}

// --------------------------------------------------------------------------------------------- files

// The path of a file beside the model. Raises an error of Lua where it is too long or must not be read.
static void findPath(lua_State* L, const crLuaReader* reader, const char* file, char outPath[CR_FILE_PATH_SIZE])
{
  const char* folder = reader->elements.folder != NULL ? reader->elements.folder : "";
  bool isRelative = file[0] != '/' && folder[0] != '\0';
  int size = snprintf(outPath, CR_FILE_PATH_SIZE, "%s%s%s", isRelative ? folder : "", isRelative ? "/" : "", file);
  if (size >= CR_FILE_PATH_SIZE) {
    luaL_error(L, "the name of the file is too long");
  }
  if (!crMayReadMesh(outPath, folder, reader->elements.options)) {
    luaL_error(L, "'%s' lies outside the model's folder (--allow-path DIR lets models read files there)", file);
  }
}

static crSourceFile findKnown(const crLuaReader* reader, const char* file)
{
  for (int i = 0; i < crScene_CountSourceFiles(reader->scene); ++i) {
    crSourceFile source = crScene_GetSourceFile(reader->scene, i);
    if (strcmp(source.file, file) == 0) {
      return source;
    }
  }
  return (crSourceFile){ .file = NULL };
}

static void keepSource(lua_State* L, crLuaReader* reader, const char* file, const char* text, size_t size)
{
  crLua_ChargeMemory(L, size);
  if (!crScene_AddSourceFile(reader->scene, file, text, size)) {
    crLua_Stop(L, cr_luaStopOutOfMemory);
  }
}

// The text of a file: one that was read already, one that whoever reads the model gave, or from the disk. path is ""
// unless it is from there. The scene has it then.
static crSourceFile readSource(lua_State* L, crLuaReader* reader, const char* file, char outPath[CR_FILE_PATH_SIZE])
{
  const crReadOptions* options = reader->elements.options;
  crSourceFile known = findKnown(reader, file);
  outPath[0] = '\0';
  for (int i = 0; options != NULL && i < options->sourceCount; ++i) {
    const crSourceFile* given = &options->sources[i];
    if (strcmp(given->file, file) == 0) {
      if (known.file == NULL) {
        keepSource(L, reader, file, given->text, given->size);
      }
      return findKnown(reader, file);
    }
  }
  findPath(L, reader, file, outPath);
  if (known.file == NULL) {
    char message[CR_LUA_MESSAGE_SIZE] = "the file cannot be read";
    crErrorSink sink = { keepMessage, message };
    crAllocator counted = crLuaSandbox_Allocator(&reader->sandbox);
    crStatus status =
        crReadFile(outPath, reader->elements.fileLimit, &counted, &sink, &reader->partText, &reader->partSize);
    if (status == cr_errorMemory) {
      crLua_StopRefused(L);
    }
    if (status != cr_ok) {
      luaL_error(L, "%s", message);
    }
    keepSource(L, reader, file, reader->partText, reader->partSize);
    crLuaReader_FreePart(reader);
  }
  return findKnown(reader, file);
}

void crLuaReader_FreePart(crLuaReader* reader)
{
  if (reader->partText != NULL) {
    crAllocator counted = crLuaSandbox_Allocator(&reader->sandbox);
    crFree(&counted, reader->partText, reader->partSize + 1);
    reader->partText = NULL;
  }
}

// ------------------------------------------------------------------------------------------- running

static bool isSameFile(const char* a, const char* b)
{
  char realA[PATH_MAX], realB[PATH_MAX];
  if (strcmp(a, b) == 0) {
    return true;
  }
  return realpath(a, realA) != NULL && realpath(b, realB) != NULL && strcmp(realA, realB) == 0;
}

// Raises an error of Lua where a file is being run already. The model itself has no file where parts were given.
static void checkCircle(lua_State* L, const crLuaReader* reader, const char* name, bool isGiven)
{
  const crLuaSandbox* sandbox = &reader->sandbox;
  int first = -1;
  for (int i = isGiven ? 0 : -1; i < reader->running.count && first < 0; ++i) {
    int part = i < 0 ? 0 : reader->running.items[i];
    first = isSameFile(crLuaSandbox_GetFile(sandbox, part), name) ? i + 1 : -1;
  }
  if (first >= 0) {
    lua_pushstring(L, "files include each other in a circle: ");
    for (int i = first; i <= reader->running.count; ++i) {
      const char* file = crLuaSandbox_GetFile(sandbox, i == 0 ? 0 : reader->running.items[i - 1]);
      lua_pushfstring(L, "%s, which includes ", file);
      lua_concat(L, 2);
    }
    lua_pushstring(L, name);
    lua_concat(L, 2);
    luaL_error(L, "%s", lua_tostring(L, -1));
  }
  if (reader->running.count >= CR_MAX_INCLUDE_DEPTH) {
    luaL_error(L, "files include each other more than %d deep", CR_MAX_INCLUDE_DEPTH);
  }
}

// The number of the part that a name stands for; it is added if it is new.
static int findPart(lua_State* L, crLuaReader* reader, const char* name)
{
  crLuaSandbox* sandbox = &reader->sandbox;
  for (int i = 0; i < sandbox->parts.count; ++i) {
    if (strcmp(sandbox->parts.items[i], name) == 0) {
      return i + 1;
    }
  }
  bool isGood = crScene_Intern(reader->scene, &name);
  const char** part = isGood ? crArray_Push(&sandbox->parts, &sandbox->allocator) : NULL;
  if (part == NULL) {
    crLua_Stop(L, cr_luaStopOutOfMemory);
  }
  *part = name;
  return sandbox->parts.count;
}

// Runs a file and leaves what it returns on the stack.
static void runFile(lua_State* L, crLuaReader* reader, const char* file)
{
  char path[CR_FILE_PATH_SIZE];
  crSourceFile source = readSource(L, reader, file, path);
  const char* name = path[0] != '\0' ? path : file;
  checkCircle(L, reader, name, path[0] == '\0');
  int part = findPart(L, reader, name);
  crLua_ChargeBytes(L, 16 * source.size); // Lua reads a byte in about the time of an instruction
  if (crIsLuaBytecode(source.text, source.size)) {
    luaL_error(L, "'%s' is compiled Lua (bytecode), which could break out of the sandbox", name);
  }
  int line, status = crLua_LoadChunk(L, source.text, source.size, part, &line);
  if (status == LUA_ERRRUN) {
    lua_pushfstring(L, CR_LUA_CHUNK "#%d:%d: " CR_LUA_TOO_DEEP, part, line);
  }
  if (status != LUA_OK) {
    lua_error(L);
  }
  int* running = crArray_Push(&reader->running, &reader->sandbox.allocator);
  if (running == NULL) {
    crLua_Stop(L, cr_luaStopOutOfMemory);
  }
  *running = part;
  crLua_PushPower(L);
  lua_call(L, 1, LUA_MULTRET);
  --reader->running.count; // an error ends the model, so that it need not be counted down there
}

// The only argument, which must be a text.
static const char* readArgument(lua_State* L, const char* word, const char* what)
{
  if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TSTRING || lua_rawlen(L, 1) == 0 ||
      strlen(lua_tostring(L, 1)) != lua_rawlen(L, 1)) {
    luaL_error(L, "%s takes the name of a %s and nothing else", word, what);
  }
  crLua_Charge(L, CR_INCLUDE_COST);
  return lua_tostring(L, 1);
}

static int include(lua_State* L)
{
  runFile(L, crLua_GetReader(L), readArgument(L, "include", "file"));
  return lua_gettop(L) - 1;
}

static int require(lua_State* L)
{
  const char* name = readArgument(L, "require", "module");
  char file[CR_FILE_PATH_SIZE];
  size_t length = strlen(name);
  if (length > 4 && strcmp(name + length - 4, ".lua") == 0) {
    luaL_error(L, "require takes the name of a module, which is that of its file without '.lua'");
  }
  if (name[0] == '/' || strstr(name, "..") != NULL || length + 5 > sizeof file) {
    luaL_error(L, "require takes names like 'part' or 'folder.part', not '%s'", name);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &requiredKey);
  if (lua_getfield(L, 2, name) != LUA_TNIL) {
    return 1;
  }
  lua_settop(L, 2);
  (void)snprintf(file, sizeof file, "%s.lua", name);
  for (size_t i = 0; i < length; ++i) {
    file[i] = (char)(file[i] == '.' ? '/' : file[i]);
  }
  runFile(L, crLua_GetReader(L), file);
  lua_settop(L, 3);
  if (lua_isnil(L, 3)) {
    lua_pushboolean(L, 1);
    lua_replace(L, 3);
  }
  lua_pushvalue(L, 3);
  lua_setfield(L, 2, name);
  return 1;
}

void crLua_OpenInclude(lua_State* L)
{
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &requiredKey);
  lua_register(L, "include", include);
  lua_register(L, "require", require);
}
