// import("robot.urdf", { name = "arm", parent = ground, ... }) in a Lua model: the elements of a robot's file, with the
// name of the import as their prefix.
//
// Files are looked up beside the model, as meshes are. What the import returns is a table of all elements by their
// names.
#include "base/read_file.h"
#include "scene/scene.h"
#include "text/lua_reader.h"
#include "text/mesh_grant.h"
#include "text/robot/robot_options.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#define CR_IMPORT_COST 100000      // [instructions] of reading a file
#define CR_IMPORT_ELEMENT_COST 200 // [instructions] of each element in it

// What one call asks for.
typedef struct Import {
  crLuaReader* reader;
  crReporter reporter;
  crRobotOptions options;
  const char* assembly; // path; NULL: none
  crValue mount;        // fields of an object that the robot stands on; empty: it stands on the parent
} Import;

static const char* findWorld(const crScene* scene)
{
  for (int i = 0; i < crScene_Count(scene, cr_elementObject); ++i) {
    const crObjectDef* def = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, i));
    if (def->mobility == cr_mobilityWorld) {
      return def->name;
    }
  }
  return NULL;
}

static void complain(crReporter* reporter, const char* message, const crValue* found, const char* allowed)
{
  crComplaint complaint = { .message = message,
                            .found = found != NULL ? crValue_Describe(found) : NULL,
                            .allowed = allowed };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

// ------------------------------------------------------------------------------------------ options

// What holds for all robots of a run, unless an import says otherwise.
static void readSettings(Import* import)
{
  static const char* const names[] = { CR_MESH_PATH, "ignoreMissing" };
  crLuaReader* reader = import->reader;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    int found = reader->settings.count > 0 ? crMap_FindString(&reader->settingNames, names[i]) : -1;
    if (found >= 0) {
      reader->settings.items[found].isRead = true;
      if (!crRobotOptions_ReadSettings(&import->options, reader->settings.items[found].given, 1, &reader->values,
                                       &import->reporter)) {
        crLua_StopRefused(reader->sandbox.L);
      }
    }
  }
}

static void readField(lua_State* L, Import* import, const crValue* given, int i)
{
  const char* key = given->keys[i];
  const crValue* value = &given->fields[i];
  crValue one = { .kind = cr_valueTable, .keys = &given->keys[i], .fields = &given->fields[i], .fieldCount = 1 };
  if (strcmp(key, "name") == 0) {
    lua_getfield(L, 2, "name");
    crLuaName name = crLua_ReadName(L, lua_gettop(L), cr_elementAssembly, "import", &import->reporter);
    import->assembly = name.isUsable ? name.path : NULL;
  } else if (strcmp(key, "parent") == 0 && value->kind == cr_valueString) {
    import->options.parent = value->string;
  } else if (strcmp(key, "parent") == 0) {
    complain(&import->reporter, "parent is of the wrong type", value, "an object or its path");
  } else if (strcmp(key, "position") == 0 || strcmp(key, "rotation") == 0) {
    import->mount.keys[import->mount.fieldCount] = key;
    import->mount.fields[import->mount.fieldCount++] = *value;
  } else {
    crRobotOptions_Read(&import->options, &one, &import->reporter);
  }
}

static void readOptions(lua_State* L, Import* import)
{
  crLuaValues values = { &import->reader->values, false };
  crValue given = crLua_ReadValue(L, 2, CR_MAX_LUA_DEPTH, &values);
  if (given.kind != cr_valueTable && given.kind != cr_valueNull) {
    complain(&import->reporter, "import takes a table of options as argument 2", &given, "{ name = ..., ... }");
    return;
  }
  import->mount.keys = crArena_AllocateZero(values.arena, 4, sizeof *import->mount.keys);
  import->mount.fields = crArena_AllocateZero(values.arena, 4, sizeof *import->mount.fields);
  if (import->mount.keys == NULL || import->mount.fields == NULL) {
    crLua_StopRefused(L);
  }
  for (int i = 0; i < given.fieldCount; ++i) {
    readField(L, import, &given, i);
  }
  if (given.itemCount > 0) {
    crReportError(&import->reporter, "the options of an import have names");
  }
  if (values.hasFailed) {
    ++import->reporter.errorCount; // it was reported
  }
}

// -------------------------------------------------------------------------------------------- file

static const char* format(lua_State* L, crArena* arena, const char* before, const char* between, const char* behind)
{
  size_t size = strlen(before) + strlen(between) + strlen(behind) + 1;
  char* text = crArena_Allocate(arena, size);
  if (text == NULL) {
    crLua_StopRefused(L);
  }
  snprintf(text, size, "%s%s%s", before, between, behind);
  return text;
}

// Reads the file into the reader's list. Nothing here may raise an error of Lua: the text would be lost.
static crStatus readList(Import* import, const char* path, const char* folder, size_t* outSize)
{
  crElementReader* elements = &import->reader->elements;
  crErrorSink sink = crReporter_Sink(&import->reporter);
  char* text = NULL;
  crStatus status = crReadFile(path, elements->fileLimit, &elements->allocator, &sink, &text, outSize);
  if (status == cr_ok) {
    status = crListRobot(text, *outSize, path, folder, &import->options, elements, &import->reader->sandbox.sink,
                         &import->reader->imported);
    crFree(&elements->allocator, text, *outSize + 1);
    import->reporter.errorCount += status != cr_ok;
  }
  return status;
}

static void addMount(lua_State* L, Import* import)
{
  crArena* arena = &import->reader->values;
  crValue* mount = &import->mount;
  const char* path = format(L, arena, import->options.prefix, "", "mount");
  mount->kind = cr_valueTable;
  mount->keys[mount->fieldCount] = "name";
  mount->fields[mount->fieldCount++] = crMakeString(path);
  mount->keys[mount->fieldCount] = "parent";
  mount->fields[mount->fieldCount++] = crMakeString(import->options.parent);
  crLua_AddElement(L, cr_elementObject, mount, import->reporter.source);
  import->options.parent = path;
}

static void addAssembly(lua_State* L, Import* import)
{
  const char* keys[] = { "name" };
  crValue fields[] = { crMakeString(import->assembly) };
  crValue element = { .kind = cr_valueTable, .keys = keys, .fields = fields, .fieldCount = 1 };
  crLua_AddElement(L, cr_elementAssembly, &element, import->reporter.source);
}

// Adds the elements and pushes a table of their handles.
static void addElements(lua_State* L, Import* import)
{
  const crElementList* list = &import->reader->imported;
  size_t prefixLength = strlen(import->options.prefix);
  lua_newtable(L);
  for (int i = 0; i < list->items.count; ++i) {
    const crListedElement* element = &list->items.items[i];
    crLua_Charge(L, CR_IMPORT_ELEMENT_COST);
    crLua_AddElement(L, element->kind, &element->value, element->source);
    const crValue* name = crValue_Find(&element->value, "name");
    bool isPart = element->kind == cr_elementObject || element->kind == cr_elementJoint ||
                  element->kind == cr_elementSignal || element->kind == cr_elementForce ||
                  element->kind == cr_elementCoupling;
    if (isPart && name != NULL) {
      crLua_PushHandle(L, element->kind, name->string, false);
      lua_setfield(L, -2, name->string + prefixLength);
    }
  }
}

static void readRobot(lua_State* L, Import* import, const char* file)
{
  crLuaReader* reader = import->reader;
  const char* folder = reader->elements.folder != NULL ? reader->elements.folder : "";
  bool isRelative = file[0] != '/' && folder[0] != '\0';
  const char* path = format(L, &reader->values, isRelative ? folder : "", isRelative ? "/" : "", file);
  const char* slash = strrchr(path, '/');
  const char* robotFolder = slash != NULL ? format(L, &reader->values, "", "", path) : "";
  if (slash != NULL) {
    ((char*)robotFolder)[slash == path ? 1 : slash - path] = '\0';
  }
  import->options.folder = reader->elements.folder;
  crElementList_Free(&reader->imported);
  crAllocator counted = crLuaSandbox_Allocator(&reader->sandbox);
  crElementList_Init(&reader->imported, &counted);
  size_t size = 0;
  crStatus status = readList(import, path, robotFolder, &size);
  if (status == cr_errorMemory) {
    crLua_StopRefused(L);
  }
  crLua_ChargeBytes(L, size);
}

static int import(lua_State* L)
{
  crLuaReader* reader = crLua_BeginElement(L);
  Import import = { .reader = reader,
                    .reporter = crMakeReporter(&reader->sandbox.sink, crLua_FindSource(L), "import"),
                    .options = crDefaultRobotOptions() };
  crLua_Charge(L, CR_IMPORT_COST);
  crLua_CheckArgumentCount(L, &import.reporter, "import", 2);
  lua_settop(L, 2);
  const char* file = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
  if (file == NULL) {
    crLua_ReportArgument(L, &import.reporter, "import takes the name of a file as argument 1", 1, "a string");
  }
  import.options.group = 2u << (reader->importCount++ % 31);
  readSettings(&import);
  readOptions(L, &import);
  import.options.parent = import.options.parent != NULL ? import.options.parent : findWorld(reader->scene);
  if (import.options.parent == NULL) {
    crComplaint complaint = { .message = "import needs something that the robot stands on",
                              .hint = "make the world before it, or name a parent" };
    crReport(&import.reporter, cr_severityError, cr_errorModel, &complaint);
  }
  const char* base = import.assembly != NULL ? import.assembly : format(L, &reader->values, "", "", crLua_GetPrefix(L));
  import.options.prefix = base[0] != '\0' ? format(L, &reader->values, base, ".", "") : "";
  if (import.reporter.errorCount == 0 && import.assembly != NULL) {
    addAssembly(L, &import);
  }
  if (import.reporter.errorCount == 0 && import.mount.fieldCount > 0) {
    addMount(L, &import);
  }
  reader->elements.readsAnywhere = true; // an error of Lua ends the model
  if (import.reporter.errorCount == 0 && file != NULL) {
    readRobot(L, &import, file);
  }
  if (import.reporter.errorCount == 0) {
    addElements(L, &import);
  } else {
    crLua_FailElement(L, &import.reporter, import.assembly);
    lua_newtable(L);
  }
  reader->elements.readsAnywhere = false;
  return 1;
}

void crLua_OpenImport(lua_State* L)
{
  lua_register(L, "import", import);
}
