// Annotations for the Lua language server, from the records of scene/field.h: what constructors models have, and which
// fields they take. A file of such annotations is Lua that is never run.
#include "carom/io.h"
#include "scene/field.h"
#include "text/lua_reader.h"

#include <string.h>

static void put(crTextWriter writer, const char* text)
{
  writer.write(writer.context, text, strlen(text));
}

static const char* describeType(const crField* field)
{
  switch (field->type) {
    case cr_fieldNumber: return "number";
    case cr_fieldInteger:
    case cr_fieldBits:
    case cr_fieldMask: return "integer";
    case cr_fieldBool:
    case cr_fieldNot:
    case cr_fieldCollision: return "boolean";
    case cr_fieldString:
    case cr_fieldMesh:
    case cr_fieldFmu:
    case cr_fieldPicture: return "string";
    case cr_fieldPath: return "carom.Object|string";
    case cr_fieldMaterial: return "carom.Material|string";
    case cr_fieldEnum: return "string";
    case cr_fieldVec3: return "carom.Vec3";
    case cr_fieldAxis: return "carom.Vec3|\"x\"|\"y\"|\"z\"|\"-x\"|\"-y\"|\"-z\"";
    case cr_fieldScale: return "number|carom.Vec3";
    case cr_fieldRotation: return "carom.Rotation";
    case cr_fieldColor: return "string|number[]";
    case cr_fieldSym3: return "number[]|number[][]";
    case cr_fieldPoints: return "carom.Vec3[]";
    case cr_fieldHeights:
    case cr_fieldTable: return "number[][]";
    case cr_fieldProfile:
      return "{ [1]: number, [2]: number, arc?: number, through?: number[], involute?: number, spline?: boolean, "
             "tangent?: number[] }[]";
    case cr_fieldShape: return "carom.Shape";
    case cr_fieldGravity: return "carom.Vec3|\"none\"|{ centre: carom.Vec3, mu: number }";
    case cr_fieldFeatures: return "carom.Feature[]";
    case cr_fieldParameters: return "table<string, number|string|boolean>";
    case cr_fieldCoordinates:
    case cr_fieldRates: return "number|number[]|string";
    case cr_fieldEach: return "number|number[]";
    case cr_fieldNumbers: return "number[]";
    case cr_fieldJoint: return "carom.Joint|string";
    case cr_fieldCoupling: return "carom.Coupling|string";
    case cr_fieldSignal: return "carom.Signal|string";
    case cr_fieldPaths: return "(carom.Object|string)[]";
    case cr_fieldSignals: return "(carom.Signal|string)[]";
    case cr_fieldStrings: return "string[]";
    case cr_fieldArguments: return "table<string, carom.Signal|string>";
    case cr_fieldNamed: return "table<string, number>";
    case cr_fieldFlags: return "boolean|boolean[]";
  }
  return "any";
}

static void writeType(crTextWriter writer, const crField* field)
{
  if (field->type != cr_fieldEnum) {
    put(writer, describeType(field));
    return;
  }
  for (const crChoice* choice = field->choices; choice->text != NULL; ++choice) {
    put(writer, choice > field->choices ? "|\"" : "\"");
    put(writer, choice->text);
    put(writer, "\"");
  }
}

static bool isAmong(const char* name, const char* const* names, int count)
{
  for (int i = 0; i < count; ++i) {
    if (strcmp(names[i], name) == 0) {
      return true;
    }
  }
  return false;
}

static void writeField(crTextWriter writer, const crField* field)
{
  put(writer, "---@field ");
  put(writer, field->name);
  put(writer, field->isRequired ? " " : "? ");
  writeType(writer, field);
  put(writer, " ");
  if (field->unit != NULL) {
    put(writer, "[");
    put(writer, field->unit);
    put(writer, "] ");
  }
  put(writer, field->about);
  put(writer, "\n");
}

// The class of a table of fields, less those that stand before the table.
static void writeClass(crTextWriter writer, const crRecord* record, const char* const* positional, int count)
{
  put(writer, "\n---@class carom.fields.");
  put(writer, record->type);
  put(writer, "\n");
  for (int i = 0; i < record->fieldCount; ++i) {
    const crField* field = &record->fields[i];
    if (field->type == cr_fieldFeatures) {
      put(writer, "---@field [integer] carom.Feature solids, visuals and others, in the order of the list\n");
    } else if (!isAmong(field->name, positional, count)) {
      writeField(writer, field);
    }
  }
}

static void writeAbout(crTextWriter writer, const char* about)
{
  put(writer, "---");
  put(writer, about);
  put(writer, "\n");
}

// "---@param fields carom.fields.TYPE", what is returned, and the function itself.
static void writeEnd(crTextWriter writer, const crRecord* record, const char* word, const char* const* positional,
                     int count, bool hasFields, const char* result)
{
  if (hasFields) {
    put(writer, count > 0 ? "---@param fields? carom.fields." : "---@param fields carom.fields.");
    put(writer, record->type);
    put(writer, "\n");
  }
  if (result != NULL) {
    put(writer, "---@return ");
    put(writer, result);
    put(writer, "\n");
  }
  put(writer, "function ");
  put(writer, word);
  put(writer, "(");
  for (int i = 0; i < count; ++i) {
    put(writer, i > 0 ? ", " : "");
    put(writer, positional[i]);
  }
  put(writer, hasFields ? (count > 0 ? ", fields" : "fields") : "");
  put(writer, ") end\n");
}

static void writeElement(crTextWriter writer, crElementKind kind, const crRecord* record, const char* result)
{
  const char* positional[CR_MAX_POSITIONAL];
  int count = crLua_FindPositional(kind, record->type, positional);
  bool hasFields = kind != cr_elementExclusion;
  if (hasFields) {
    writeClass(writer, record, positional, count);
    if (kind == cr_elementObject) {
      put(writer, "---@field free? boolean it moves freely: short for mobility = \"free\"\n");
    }
  }
  put(writer, "\n");
  writeAbout(writer, record->about);
  for (int i = 0; i < count; ++i) {
    const crField* field = crRecord_Find(record, positional[i]);
    bool isName = strcmp(positional[i], "name") == 0;
    put(writer, "---@param ");
    put(writer, positional[i]);
    put(writer, " ");
    put(writer, isName || field == NULL ? "string" : describeType(field));
    put(writer, field != NULL && !isName ? " " : "");
    put(writer, field != NULL && !isName ? field->about : "");
    put(writer, "\n");
  }
  writeEnd(writer, record, record->type, positional, count, hasFields, result);
  if (kind == cr_elementObject) {
    put(writer, "\n---The object that everything stands on and nothing moves.\n---@param name string\n");
    writeEnd(writer, record, "world", positional, count, true, result);
  }
}

static void writePart(crTextWriter writer, const crRecord* record, const char* result)
{
  writeClass(writer, record, NULL, 0);
  put(writer, "\n");
  writeAbout(writer, record->about);
  writeEnd(writer, record, record->type, NULL, 0, true, result);
}

static const char head[] =
    "---@meta carom\n"
    "-- Annotations of Carom's models for the Lua language server, written by `carom schema --lua` from the records "
    "that\n"
    "-- read models. docs/editing.md tells how to use them.\n"
    "\n"
    "---@class carom.Object\n---@class carom.Joint\n---@class carom.Force\n---@class carom.Coupling\n"
    "---@class carom.Signal\n---@class carom.Material\n---@class carom.Feature\n---@class carom.Shape\n"
    "---@alias carom.Parameter number|string|boolean|{ value: number, min?: number, max?: number, unit?: string, "
    "label?: "
    "string }\n"
    "---@alias carom.Vec3 number[] {x, y, z}\n"
    "---@alias carom.Rotation number[]|number[][]|{ axis: carom.Vec3|string, angle: number } angles {a, b, c} about x, "
    "the new y, the new z [rad]; quaternion {w, x, y, z}; three rows; or axis and angle\n"
    "\n"
    "---3.14159...\npi = math.pi\n"
    "\n"
    "---The parameters of the model with their defaults, which `--set name=value` overrides.\n"
    "---@param defaults table<string, carom.Parameter>\n---@return table<string, any>\nfunction parameters(defaults) "
    "end\n"
    "\n"
    "---Elements that get the path `name....`; the defaults can be overridden from outside.\n"
    "---@generic R\n---@param name string\n---@param defaults table<string, carom.Parameter>\n"
    "---@param make fun(p: table<string, any>): R\n---@return R\n"
    "function assembly(name, defaults, make) end\n"
    "\n"
    "---A robot from a file, URDF or MJCF; returns its elements by their names.\n"
    "---@param file string\n---@param options? table name, parent, position, rotation, meshPath, ignoreMissing, ...\n"
    "---@return table<string, any>\nfunction import(file, options) end\n"
    "\n"
    "---Runs another Lua file of the model's folder each time, and returns what it returns.\n"
    "---@param file string\n---@return any ...\nfunction include(file) end\n"
    "\n"
    "---Runs `name.lua` of the model's folder once, and returns what it returned.\n"
    "---@param name string\n---@return any\nfunction require(name) end\n";

crStatus crWriteLuaAnnotations(crTextWriter writer)
{
  if (writer.write == NULL) {
    return cr_errorMisuse;
  }
  put(writer, head);
  writePart(writer, crGetSceneRecord(), NULL);
  writeElement(writer, cr_elementObject, crGetElementRecord(cr_elementObject), "carom.Object");
  writeElement(writer, cr_elementSolidMaterial, crGetElementRecord(cr_elementSolidMaterial), "carom.Material");
  writeElement(writer, cr_elementVisualMaterial, crGetElementRecord(cr_elementVisualMaterial), "carom.Material");
  writeElement(writer, cr_elementContactPair, crGetElementRecord(cr_elementContactPair), NULL);
  writeElement(writer, cr_elementExclusion, crGetElementRecord(cr_elementExclusion), NULL);
  writeElement(writer, cr_elementAction, crGetElementRecord(cr_elementAction), NULL);
  for (int kind = 0; kind < cr_featureKindCount; ++kind) {
    writePart(writer, crGetFeatureRecord((crFeatureKind)kind), "carom.Feature");
  }
  for (int kind = cr_shapeNone + 1; kind < cr_shapeKindCount; ++kind) {
    writePart(writer, crGetShapeRecord((crShapeKind)kind), "carom.Shape");
  }
  for (int form = 0; form < cr_jointFormCount; ++form) {
    writeElement(writer, cr_elementJoint, crGetJointRecord(form), "carom.Joint");
  }
  for (int kind = 0; kind < cr_forceKindCount; ++kind) {
    writeElement(writer, cr_elementForce, crGetForceRecord((crForceKind)kind), "carom.Force");
  }
  for (int kind = 0; kind < cr_couplingKindCount; ++kind) {
    writeElement(writer, cr_elementCoupling, crGetCouplingRecord((crCouplingKind)kind), "carom.Coupling");
  }
  for (int kind = 0; kind < cr_signalKindCount; ++kind) {
    writeElement(writer, cr_elementSignal, crGetSignalRecord((crSignalKind)kind), "carom.Signal");
  }
  return cr_ok;
}
