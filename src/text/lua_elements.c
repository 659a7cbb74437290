// The constructors of a Lua model: scene, world, object, joints, forces, signals, materials, shapes and features.
//
// They are made from the records of scene/field.h: what a record calls its type is the name of the constructor. Shapes
// and features are plain tables with a "type"; nothing is checked before they are part of an object. Elements go
// into the scene at once and come back as handles. A fault is reported with the line of the call, and the model goes
// on, so that all faults show in one go.
#include "base/text.h"
#include "scene/field.h"
#include "scene/scene.h"
#include "text/lua_reader.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#define CR_ELEMENT_COST 200   // [instructions] of one constructor call
#define CR_FIELD_COST 10      // [instructions] of copying one field of a shape or feature
#define CR_ELEMENT_MEMORY 512 // [bytes] that an element takes in the scene; its values take about as much there as here
#define CR_MESH_POINT_MEMORY 100                // [bytes] with its triangles, roughly
#define CR_EXTRA_FIELDS (CR_MAX_POSITIONAL + 2) // and type, mobility

crLuaReader* crLua_GetReader(lua_State* L)
{
  return crLua_GetSandbox(L)->owner;
}

crLuaReader* crLua_BeginElement(lua_State* L)
{
  crLuaReader* reader = crLua_GetReader(L);
  crLua_Charge(L, CR_ELEMENT_COST);
  crArena_Clear(&reader->values);
  return reader;
}

// --------------------------------------------------------------------------------------- arguments

void crLua_ReportArgument(lua_State* L, crReporter* reporter, const char* message, int index, const char* allowed)
{
  crArena* arena = &crLua_GetReader(L)->values;
  crLuaValues values = { arena, false };
  crValue value = crLua_ReadValue(L, index, CR_MAX_LUA_DEPTH, &values);
  crComplaint complaint = { .message = message, .found = crValue_Describe(&value), .allowed = allowed };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

void crLua_CheckArgumentCount(lua_State* L, crReporter* reporter, const char* word, int most)
{
  if (lua_gettop(L) > most) {
    crReportError(reporter, "%s takes at most %d arguments, and got %d", word, most, lua_gettop(L));
  }
}

// The path of a name in the assembly that is being made; of the assembly itself for "".
static const char* joinPath(lua_State* L, crLuaReader* reader, const char* name)
{
  size_t prefixSize = (size_t)reader->prefix.count, nameSize = strlen(name);
  char* path = crArena_Allocate(&reader->values, prefixSize + nameSize + 2);
  if (path == NULL) {
    crLua_StopRefused(L);
  }
  if (prefixSize > 0) {
    memcpy(path, reader->prefix.items, prefixSize);
  }
  size_t dot = prefixSize > 0 && nameSize > 0;
  path[prefixSize] = '.';
  memcpy(path + prefixSize + dot, name, nameSize + 1);
  return path;
}

const char* crLua_GetPrefix(lua_State* L)
{
  return joinPath(L, crLua_GetReader(L), "");
}

// Something to call an element by whose own name is of no use.
static crLuaName makePlaceholder(lua_State* L, crLuaReader* reader)
{
  char name[48];
  snprintf(name, sizeof name, "(unnamed %d)", ++reader->unnamedCount);
  return (crLuaName){ joinPath(L, reader, name), false };
}

crLuaName crLua_ReadName(lua_State* L, int index, crElementKind kind, const char* word, crReporter* reporter)
{
  crLuaReader* reader = crLua_GetReader(L);
  crLuaValues values = { &reader->values, false };
  crValue value = crLua_ReadValue(L, index, 1, &values);
  bool isMaterial = kind == cr_elementSolidMaterial || kind == cr_elementVisualMaterial;
  char message[128];
  if (value.kind != cr_valueString || value.element != cr_elementNone) {
    snprintf(message, sizeof message, "%s needs a name as its first argument", word);
    reporter->path = reader->prefix.count > 0 ? joinPath(L, reader, "") : NULL;
    crLua_ReportArgument(L, reporter, message, index, "a string");
    return makePlaceholder(L, reader);
  }
  const char* path = isMaterial ? value.string : joinPath(L, reader, value.string);
  crReporter check = *reporter;
  check.path = path;
  check.errorCount = 0;
  if (!isMaterial && strchr(value.string, '.') != NULL) {
    crComplaint complaint = { "a name holds a '.'", value.string, "a single name", NULL,
                              "paths are made by assembly(name, parameters, function)" };
    crReport(&check, cr_severityError, cr_errorModel, &complaint);
  } else {
    crCheckName(&check, "this name", path, !isMaterial);
  }
  if (check.errorCount == 0) {
    reporter->path = path;
    return (crLuaName){ path, true };
  }
  reporter->errorCount += check.errorCount;
  return makePlaceholder(L, reader);
}

// ---------------------------------------------------------------------------------------- elements

void crLua_AddElement(lua_State* L, crElementKind kind, const crValue* value, crSource source)
{
  crLuaReader* reader = crLua_GetReader(L);
  int meshCount = reader->elements.meshList.count;
  crStatus status = crElementReader_Add(&reader->elements, kind, value, source);
  if (status == cr_errorMemory) {
    crLua_Stop(L, cr_luaStopOutOfMemory);
  }
  crLua_ChargeMemory(L, CR_ELEMENT_MEMORY);
  for (; meshCount < reader->elements.meshList.count; ++meshCount) {
    crMeshFacts facts = crMesh_GetFacts(reader->elements.meshList.items[meshCount]);
    crLua_ChargeMemory(L, CR_MESH_POINT_MEMORY * (size_t)facts.pointCount);
  }
}

void crLua_FailElement(lua_State* L, const crReporter* reporter, const char* path)
{
  if (crScene_Fail(crLua_GetReader(L)->scene, reporter, path) == cr_errorMemory) {
    crLua_Stop(L, cr_luaStopOutOfMemory);
  }
}

int crLua_FindPositional(crElementKind kind, const char* type, const char* outNames[CR_MAX_POSITIONAL])
{
  static const char* const connection[] = { "name", "objectA", "objectB" };
  static const char* const pair[] = { "materialA", "materialB" };
  static const char* const turning[] = { "name", "jointA", "jointB" };
  static const char* const rack[] = { "name", "pinion", "rack" };
  static const char* const one[] = { "name", "joint" };
  if (kind == cr_elementCoupling && strcmp(type, crCouplingKind_GetText(cr_couplingSum)) != 0) {
    bool isRack = strcmp(type, crCouplingKind_GetText(cr_couplingRackPair)) == 0;
    bool isOne = strcmp(type, crCouplingKind_GetText(cr_couplingBrake)) == 0 ||
                 strcmp(type, crCouplingKind_GetText(cr_couplingMotor)) == 0;
    int count = isOne ? 2 : 3;
    memcpy(outNames, isOne ? one : isRack ? rack : turning, (size_t)count * sizeof *outNames);
    return count;
  }
  bool isConnection = kind == cr_elementJoint || kind == cr_elementForce;
  bool isOneSided = (kind == cr_elementForce && (strcmp(type, crForceKind_GetText(cr_forceForce)) == 0 ||
                                                 strcmp(type, crForceKind_GetText(cr_forceTorque)) == 0)) ||
                    (kind == cr_elementJoint && (strcmp(type, crGetJointRecord(cr_formShaft)->type) == 0 ||
                                                 strcmp(type, crGetJointRecord(cr_formSlider)->type) == 0));
  int count = isConnection ? 3 - isOneSided : kind == cr_elementContactPair || kind == cr_elementExclusion ? 2 : 1;
  const char* const* names = kind == cr_elementContactPair ? pair : connection + (kind == cr_elementExclusion);
  memcpy(outNames, names, (size_t)count * sizeof *names);
  return count;
}

static void addField(crValue* table, const char* key, crValue field)
{
  table->keys[table->fieldCount] = key;
  table->fields[table->fieldCount++] = field;
}

// The fields at the index, a table or nothing.
static crValue readFields(lua_State* L, int index, const char* word, crLuaValues* values, crReporter* reporter)
{
  crValue fields = crLua_ReadValue(L, index, CR_MAX_LUA_DEPTH, values);
  if (fields.kind != cr_valueTable && fields.kind != cr_valueNull && !values->hasFailed) {
    char message[128];
    snprintf(message, sizeof message, "%s takes a table of fields as argument %d", word, index);
    crComplaint complaint = { .message = message,
                              .found = crValue_Describe(&fields),
                              .allowed = "{ field = value, ... }" };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  }
  return fields;
}

// A table with the list part of the given one and room for its fields and some more.
static crValue makeTable(lua_State* L, const crValue* given, crLuaValues* values)
{
  crValue table = { .kind = cr_valueTable, .items = given->items, .itemCount = given->itemCount };
  size_t room = (size_t)given->fieldCount + CR_EXTRA_FIELDS;
  table.keys = crArena_AllocateZero(values->arena, room, sizeof *table.keys);
  table.fields = crArena_AllocateZero(values->arena, room, sizeof *table.fields);
  if (table.keys == NULL || table.fields == NULL) {
    crLua_StopRefused(L);
  }
  return table;
}

// Adds the fields to the table. free = true is short for mobility = "free".
static void addFields(crValue* table, const crValue* given, crElementKind kind, crReporter* reporter)
{
  for (int i = 0; i < given->fieldCount; ++i) {
    const crValue* field = &given->fields[i];
    if (kind != cr_elementObject || strcmp(given->keys[i], "free") != 0) {
      addField(table, given->keys[i], *field);
    } else if (field->kind != cr_valueBool) {
      crComplaint complaint = { .message = "free is of the wrong type",
                                .found = crValue_Describe(field),
                                .allowed = "true or false" };
      crReport(reporter, cr_severityError, cr_errorModel, &complaint);
    } else if (field->boolean) {
      addField(table, "mobility", crMakeString("free"));
    }
  }
}

// [bytes] of a table of values.
static size_t countMemory(const crValue* table)
{
  size_t size = (size_t)(table->itemCount + table->fieldCount) * sizeof *table;
  for (int i = 0; i < table->itemCount; ++i) {
    size += countMemory(&table->items[i]);
  }
  for (int i = 0; i < table->fieldCount; ++i) {
    size += countMemory(&table->fields[i]);
  }
  return size;
}

// Makes an element of arguments (positional ..., fields) and pushes its handle. type: of a joint or force; mobility:
// of the world; else NULL.
static int makeElement(lua_State* L, crElementKind kind, const char* word, const char* type, const char* mobility)
{
  crLuaReader* reader = crLua_BeginElement(L);
  crLuaValues values = { &reader->values, false };
  crSource source = crLua_FindSource(L);
  crReporter reporter = crMakeReporter(&reader->sandbox.sink, source, NULL);
  const char* positional[CR_MAX_POSITIONAL];
  int count = crLua_FindPositional(kind, type, positional);
  bool isNamed = strcmp(positional[0], "name") == 0;
  crLuaName name = { word, true };
  if (isNamed) {
    name = crLua_ReadName(L, 1, kind, word, &reporter);
  }
  crLua_CheckArgumentCount(L, &reporter, word, kind == cr_elementExclusion ? count : count + 1);
  crValue given = readFields(L, count + 1, word, &values, &reporter);
  crLua_ChargeMemory(L, countMemory(&given) + strlen(name.path));
  crValue table = makeTable(L, &given, &values);
  for (int i = 0; i < count; ++i) {
    bool isName = i == 0 && isNamed;
    addField(&table, positional[i], isName ? crMakeString(name.path) : crLua_ReadValue(L, i + 1, 1, &values));
  }
  if (type != NULL) {
    addField(&table, "type", crMakeString(type));
  }
  if (mobility != NULL) {
    addField(&table, "mobility", crMakeString(mobility));
  }
  reporter.path = isNamed && name.isUsable ? name.path : NULL;
  addFields(&table, &given, kind, &reporter);
  if (reporter.errorCount == 0 && !values.hasFailed) {
    crLua_AddElement(L, kind, &table, source);
  } else {
    crLua_FailElement(L, &reporter, isNamed && name.isUsable ? name.path : NULL);
  }
  crLua_PushHandle(L, kind, name.path, !name.isUsable);
  return isNamed ? 1 : 0;
}

// Upvalues: the kind of element, its record.
static int constructElement(lua_State* L)
{
  crElementKind kind = (crElementKind)lua_tointeger(L, lua_upvalueindex(1));
  const crRecord* record = lua_touserdata(L, lua_upvalueindex(2));
  return makeElement(L, kind, record->type, crHasKinds(kind) ? record->type : NULL, NULL);
}

static int constructWorld(lua_State* L)
{
  return makeElement(L, cr_elementObject, "world", NULL, "world");
}

static int setScene(lua_State* L)
{
  crLuaReader* reader = crLua_BeginElement(L);
  crLuaValues values = { &reader->values, false };
  crSource source = crLua_FindSource(L);
  crValue value = crLua_ReadValue(L, 1, CR_MAX_LUA_DEPTH, &values);
  if (!values.hasFailed && crElementReader_SetOptions(&reader->elements, &value, source) == cr_errorMemory) {
    crLua_Stop(L, cr_luaStopOutOfMemory);
  }
  return 0;
}

// ----------------------------------------------------------------------------- shapes and features

// A copy of the table with its type, so that the given one may be used again. Upvalue: the record.
static int constructPart(lua_State* L)
{
  const crRecord* record = lua_touserdata(L, lua_upvalueindex(1));
  crLuaReader* reader = crLua_BeginElement(L);
  crReporter reporter = crMakeReporter(&reader->sandbox.sink, crLua_FindSource(L), record->type);
  crLua_CheckArgumentCount(L, &reporter, record->type, 1);
  bool isEmpty = lua_isnoneornil(L, 1);
  if (!isEmpty && lua_type(L, 1) != LUA_TTABLE) {
    char message[128], allowed[128];
    snprintf(message, sizeof message, "%s takes a table of named fields", record->type);
    snprintf(allowed, sizeof allowed, "%s{ %s = ... }", record->type, record->fields[0].name);
    crLua_ReportArgument(L, &reporter, message, 1, allowed);
  }
  lua_settop(L, 1);
  lua_newtable(L);
  uint64_t count = 0;
  for (lua_pushnil(L); !isEmpty && lua_istable(L, 1) && lua_next(L, 1); ++count) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, 2);
  }
  lua_settop(L, 2);
  crLua_Charge(L, CR_FIELD_COST * count);
  if (lua_getfield(L, 2, "type") != LUA_TNIL) {
    crReportError(&reporter, "%s has no field 'type': was the table made by a constructor already?", record->type);
  }
  lua_pushstring(L, record->type);
  lua_setfield(L, 2, "type");
  lua_settop(L, 2);
  if (reporter.errorCount > 0) {
    crLua_FailElement(L, &reporter, NULL);
    crLua_MarkFailed(L);
  }
  return 1;
}

// ------------------------------------------------------------------------------------- registering

static void registerElement(lua_State* L, crElementKind kind, const crRecord* record)
{
  lua_pushinteger(L, kind);
  lua_pushlightuserdata(L, (void*)record);
  lua_pushcclosure(L, constructElement, 2);
  lua_setglobal(L, record->type);
}

static void registerPart(lua_State* L, const crRecord* record)
{
  lua_pushlightuserdata(L, (void*)record);
  lua_pushcclosure(L, constructPart, 1);
  lua_setglobal(L, record->type);
}

void crLua_OpenElements(lua_State* L)
{
  static const crElementKind plain[] = { cr_elementObject,         cr_elementSolidMaterial, cr_elementContactPair,
                                         cr_elementVisualMaterial, cr_elementExclusion,     cr_elementAction };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) {
    registerElement(L, plain[i], crGetElementRecord(plain[i]));
  }
  for (int i = 0; i < cr_jointFormCount; ++i) {
    registerElement(L, cr_elementJoint, crGetJointRecord(i));
  }
  for (int i = 0; i < cr_forceKindCount; ++i) {
    registerElement(L, cr_elementForce, crGetForceRecord((crForceKind)i));
  }
  for (int i = 0; i < cr_couplingKindCount; ++i) {
    registerElement(L, cr_elementCoupling, crGetCouplingRecord((crCouplingKind)i));
  }
  for (int i = 0; i < cr_signalKindCount; ++i) {
    registerElement(L, cr_elementSignal, crGetSignalRecord((crSignalKind)i));
  }
  for (int i = 0; i < cr_featureKindCount; ++i) {
    registerPart(L, crGetFeatureRecord((crFeatureKind)i));
  }
  for (int i = cr_shapeNone + 1; i < cr_shapeKindCount; ++i) {
    registerPart(L, crGetShapeRecord((crShapeKind)i));
  }
  lua_register(L, "world", constructWorld);
  lua_register(L, crGetSceneRecord()->type, setScene);
}
