// The JSON schema of models (draft 2020-12), from the same records as the reader and the writer.
//
//   { "properties": { "carom", "scene", one list per section }, "$defs": { types, shapes, features, elements } }
//
// Features, shapes, joints, forces and signals are a oneOf over their records, told apart by a constant "type".
#include "joint/joint_kind.h"
#include "scene/field.h"
#include "text/json_format.h"
#include "text/json_text.h"

#include <stdio.h>
#include <string.h>

#define CR_NAME_SIZE 96 // [bytes] "#/$defs/coordinateSystemShape"

// ------------------------------------------------------------------------------------------- types

static void writeRef(crJsonText* text, const char* type, const char* suffix)
{
  char name[CR_NAME_SIZE];
  snprintf(name, sizeof name, "#/$defs/%s%s", type, suffix);
  crJsonText_KeyString(text, "$ref", name);
}

static void writeTypeName(crJsonText* text, const char* type)
{
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "type", type);
  crJsonText_EndObject(text);
}

static void writeWhole(crJsonText* text, double max)
{
  crJsonText_KeyString(text, "type", "integer");
  crJsonText_KeyNumber(text, "minimum", 0);
  crJsonText_KeyNumber(text, "maximum", max);
}

// A list of `min` to `max` items (0: no limit) of a type of JSON, or of a definition, "#/$defs/...".
static void writeList(crJsonText* text, const char* itemType, int min, int max)
{
  crJsonText_KeyString(text, "type", "array");
  crJsonText_Key(text, "items");
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, itemType[0] == '#' ? "$ref" : "type", itemType);
  crJsonText_EndObject(text);
  if (min > 0) {
    crJsonText_KeyNumber(text, "minItems", min);
  }
  if (max > 0) {
    crJsonText_KeyNumber(text, "maxItems", max);
  }
}

// Rows of numbers.
static void writeRows(crJsonText* text)
{
  crJsonText_KeyString(text, "type", "array");
  crJsonText_Key(text, "items");
  crJsonText_BeginObject(text);
  writeList(text, "number", 2, 0);
  crJsonText_EndObject(text);
  crJsonText_KeyNumber(text, "minItems", 2);
}

static void writeListType(crJsonText* text, const char* itemType, int min, int max)
{
  crJsonText_BeginObject(text);
  writeList(text, itemType, min, max);
  crJsonText_EndObject(text);
}

static void writeChoices(crJsonText* text, const crChoice* choices)
{
  crJsonText_Key(text, "enum");
  crJsonText_BeginArray(text);
  for (; choices->text != NULL; ++choices) {
    crJsonText_String(text, choices->text);
  }
  crJsonText_EndArray(text);
}

static void writeEnum(crJsonText* text, const char* const* texts)
{
  crJsonText_Key(text, "enum");
  crJsonText_BeginArray(text);
  for (int i = 0; texts[i] != NULL; ++i) {
    crJsonText_String(text, texts[i]);
  }
  crJsonText_EndArray(text);
}

static void writeEnumType(crJsonText* text, const char* const* texts)
{
  crJsonText_BeginObject(text);
  writeEnum(text, texts);
  crJsonText_EndObject(text);
}

// A number or flag for each of the joint's coordinates, or one: for a single coordinate, and for all flags.
static void writeSeveral(crJsonText* text, const char* itemType, int count, bool oneIsEnough)
{
  crJsonText_Key(text, "oneOf");
  crJsonText_BeginArray(text);
  if (oneIsEnough || count == 1) {
    writeTypeName(text, itemType);
  }
  writeListType(text, itemType, count, count);
  crJsonText_EndArray(text);
}

// Opens { "description": ..., "oneOf": [ ; endForms closes it.
static void beginForms(crJsonText* text, const char* name, const char* about)
{
  crJsonText_Key(text, name);
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyString(text, "description", about);
  crJsonText_Key(text, "oneOf");
  crJsonText_BeginArrayLines(text);
}

static void endForms(crJsonText* text)
{
  crJsonText_EndArray(text);
  crJsonText_EndObject(text);
}

// An object with exactly two members, the first of which may be optional.
static void writePairType(crJsonText* text, const char* first, bool isFirstRequired, const char* firstType,
                          const char* second)
{
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "type", "object");
  crJsonText_Key(text, "properties");
  crJsonText_BeginObject(text);
  crJsonText_Key(text, first);
  crJsonText_BeginObject(text);
  writeRef(text, firstType, "");
  crJsonText_EndObject(text);
  crJsonText_Key(text, second);
  writeTypeName(text, "number");
  crJsonText_EndObject(text);
  crJsonText_Key(text, "required");
  crJsonText_BeginArray(text);
  if (isFirstRequired) {
    crJsonText_String(text, first);
  }
  crJsonText_String(text, second);
  crJsonText_EndArray(text);
  crJsonText_KeyBool(text, "additionalProperties", false);
  crJsonText_EndObject(text);
}

static void writePlainParameter(crJsonText* text)
{
  static const char* const types[] = { "number", "string", "boolean" };
  crJsonText_BeginObject(text);
  crJsonText_Key(text, "type");
  crJsonText_BeginArray(text);
  for (int i = 0; i < 3; ++i) {
    crJsonText_String(text, types[i]);
  }
  crJsonText_EndArray(text);
  crJsonText_EndObject(text);
}

// The value with what is told of it.
static void writeDescribedParameter(crJsonText* text)
{
  static const char* const fields[] = { "min", "max", "unit", "label" };
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "type", "object");
  crJsonText_Key(text, "properties");
  crJsonText_BeginObject(text);
  crJsonText_Key(text, "value");
  writePlainParameter(text);
  for (int i = 0; i < 4; ++i) {
    crJsonText_Key(text, fields[i]);
    writeTypeName(text, i < 2 ? "number" : "string");
  }
  crJsonText_EndObject(text);
  crJsonText_Key(text, "required");
  crJsonText_BeginArray(text);
  crJsonText_String(text, "value");
  crJsonText_EndArray(text);
  crJsonText_KeyBool(text, "additionalProperties", false);
  crJsonText_EndObject(text);
}

static void writeParametersType(crJsonText* text)
{
  crJsonText_Key(text, "parameters");
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyString(text, "type", "object");
  crJsonText_Key(text, "additionalProperties");
  crJsonText_BeginObject(text);
  crJsonText_Key(text, "oneOf");
  crJsonText_BeginArrayLines(text);
  writePlainParameter(text);
  writeDescribedParameter(text);
  crJsonText_EndArray(text);
  crJsonText_EndObject(text);
  crJsonText_EndObject(text);
}

// A point of a profile with the way to it, by name.
static void writeWayType(crJsonText* text)
{
  static const char* const pairs[] = { "to", "through", "tangent" };
  static const char* const numbers[] = { "arc", "involute" };
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "type", "object");
  crJsonText_Key(text, "properties");
  crJsonText_BeginObject(text);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    crJsonText_Key(text, pairs[i]);
    writeListType(text, "number", 2, 2);
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    crJsonText_Key(text, numbers[i]);
    writeTypeName(text, "number");
  }
  crJsonText_Key(text, "spline");
  writeTypeName(text, "boolean");
  crJsonText_EndObject(text);
  crJsonText_Key(text, "required");
  crJsonText_BeginArray(text);
  crJsonText_String(text, "to");
  crJsonText_EndArray(text);
  crJsonText_KeyBool(text, "additionalProperties", false);
  crJsonText_EndObject(text);
}

// The types of several forms that fields share.
static void writeSharedTypes(crJsonText* text)
{
  static const char* const axes[] = { "x", "y", "z", "-x", "-y", "-z", NULL };
  static const char* const none[] = { "none", NULL };
  crJsonText_Key(text, "vec3");
  writeListType(text, "number", 3, 3);
  crJsonText_Key(text, "tablePoint");
  writeListType(text, "number", 2, 2);
  beginForms(text, "profilePoint",
             "[x, y], [x, y, radius of an arc], [x, y, point that an arc goes through], or an object with the way to a "
             "point: \"to\", and one of \"arc\", \"through\", \"involute\", \"spline\"");
  writeListType(text, "number", 2, 4);
  writeWayType(text);
  endForms(text);

  beginForms(text, "axis", "[x, y, z] or the name of an axis");
  writeListType(text, "number", 3, 3);
  writeEnumType(text, axes);
  endForms(text);

  beginForms(text, "scale", "a number, or [x, y, z]");
  writeTypeName(text, "number");
  writeListType(text, "number", 3, 3);
  endForms(text);

  beginForms(text, "rotation",
             "quaternion [w, x, y, z]; angles [a, b, c] [rad] about x, new y, new z; {\"axis\", \"angle\"} [rad]; or "
             "the three rows of a matrix");
  writeListType(text, "number", 3, 4);
  writePairType(text, "axis", true, "axis", "angle");
  writeListType(text, "#/$defs/vec3", 3, 3);
  endForms(text);

  beginForms(text, "color", "[r, g, b] or [r, g, b, a] from 0 to 1, a CSS name, or \"#rrggbb[aa]\"");
  writeListType(text, "number", 3, 4);
  writeTypeName(text, "string");
  endForms(text);

  beginForms(text, "symmetric", "[xx, yy, zz], [xx, yy, zz, xy, xz, yz], or the three rows of a matrix");
  writeListType(text, "number", 3, 3);
  writeListType(text, "number", 6, 6);
  writeListType(text, "#/$defs/vec3", 3, 3);
  endForms(text);

  beginForms(text, "gravity",
             "acceleration [x, y, z] [m/s^2], \"none\", or a point mass {\"centre\" [m], \"mu\" [m^3/s^2]}");
  writeListType(text, "number", 3, 3);
  writeEnumType(text, none);
  writePairType(text, "centre", false, "vec3", "mu");
  endForms(text);

  writeParametersType(text);
}

// ------------------------------------------------------------------------------------------ fields

// An object whose members, of any names, are of one type.
static void writeNamesOf(crJsonText* text, const char* type)
{
  crJsonText_KeyString(text, "type", "object");
  crJsonText_Key(text, "additionalProperties");
  writeTypeName(text, type);
}

// The keywords of a field's type. `joint` is NULL outside joints.
static void writeFieldType(crJsonText* text, const crField* field, const crJointType* joint)
{
  int qCount = joint != NULL ? joint->qCount : 0, vCount = joint != NULL ? joint->vCount : 0;
  switch (field->type) {
    case cr_fieldNumber: crJsonText_KeyString(text, "type", "number"); break;
    case cr_fieldInteger: writeWhole(text, INT32_MAX); break;
    case cr_fieldBits:
    case cr_fieldMask: writeWhole(text, UINT32_MAX); break;
    case cr_fieldBool:
    case cr_fieldNot:
    case cr_fieldCollision: crJsonText_KeyString(text, "type", "boolean"); break;
    case cr_fieldString:
    case cr_fieldPath:
    case cr_fieldMaterial:
    case cr_fieldJoint:
    case cr_fieldCoupling:
    case cr_fieldSignal:
    case cr_fieldMesh:
    case cr_fieldFmu:
    case cr_fieldPicture: crJsonText_KeyString(text, "type", "string"); break;
    case cr_fieldEnum: writeChoices(text, field->choices); break;
    case cr_fieldVec3: writeRef(text, "vec3", ""); break;
    case cr_fieldAxis: writeRef(text, "axis", ""); break;
    case cr_fieldScale: writeRef(text, "scale", ""); break;
    case cr_fieldRotation: writeRef(text, "rotation", ""); break;
    case cr_fieldColor: writeRef(text, "color", ""); break;
    case cr_fieldSym3: writeRef(text, "symmetric", ""); break;
    case cr_fieldGravity: writeRef(text, "gravity", ""); break;
    case cr_fieldShape: writeRef(text, "shape", ""); break;
    case cr_fieldParameters: writeRef(text, "parameters", ""); break;
    case cr_fieldPoints: writeList(text, "#/$defs/vec3", 4, 0); break;
    case cr_fieldProfile: writeList(text, "#/$defs/profilePoint", 2, 0); break;
    case cr_fieldTable: writeList(text, "#/$defs/tablePoint", 2, 0); break;
    case cr_fieldHeights: writeRows(text); break;
    case cr_fieldFeatures: writeList(text, "#/$defs/feature", 0, 0); break;
    case cr_fieldNumbers: writeList(text, "number", 1, 0); break;
    case cr_fieldPaths:
    case cr_fieldSignals:
    case cr_fieldStrings: writeList(text, "string", 1, 0); break;
    case cr_fieldArguments: writeNamesOf(text, "string"); break;
    case cr_fieldNamed: writeNamesOf(text, "number"); break;
    case cr_fieldCoordinates: writeSeveral(text, "number", qCount, false); break;
    case cr_fieldRates: writeSeveral(text, "number", vCount, false); break;
    case cr_fieldEach: writeSeveral(text, "number", vCount, true); break;
    case cr_fieldFlags: writeSeveral(text, "boolean", vCount, true); break;
  }
}

// The records describe forms as Lua writes them: {x, y, z} becomes [x, y, z], {centre =, mu =} becomes {centre, mu}.
static void translate(const char* about, char* buffer, size_t size)
{
  size_t used = 0;
  bool isList = false;
  for (const char* p = about; *p != '\0' && used + 1 < size; ++p) {
    if (*p == '{') {
      const char* end = strchr(p, '}');
      const char* equals = strchr(p, '=');
      isList = end != NULL && (equals == NULL || equals > end);
    }
    if (p[0] == ' ' && p[1] == '=') {
      ++p;
    } else {
      buffer[used++] = *p == '{' && isList ? '[' : *p == '}' && isList ? ']' : *p;
    }
  }
  buffer[used] = '\0';
}

static void writeField(crJsonText* text, const crField* field, const crJointType* joint)
{
  char about[512], line[600];
  translate(field->about, about, sizeof about);
  snprintf(line, sizeof line, field->unit != NULL ? "[%s] %s" : "%s%s", field->unit != NULL ? field->unit : "", about);
  crJsonText_Key(text, field->name);
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "description", line);
  writeFieldType(text, field, joint);
  crJsonText_EndObject(text);
}

// The alias of a field, or NULL.
static const crField* findAlias(const crRecord* record, const crField* field)
{
  for (int i = 0; field->factor == 0.0 && i < record->fieldCount; ++i) {
    if (record->fields[i].factor != 0.0 && record->fields[i].offset == field->offset) {
      return &record->fields[i];
    }
  }
  return NULL;
}

static void writeNames(crJsonText* text, const char* first, const char* second)
{
  crJsonText_BeginObject(text);
  crJsonText_Key(text, "required");
  crJsonText_BeginArray(text);
  crJsonText_String(text, first);
  if (second != NULL) {
    crJsonText_String(text, second);
  }
  crJsonText_EndArray(text);
  crJsonText_EndObject(text);
}

// One rule: exactly one of the two names where the member is required, else not both.
static void writeAliasRule(crJsonText* text, const crField* field, const crField* alias)
{
  crJsonText_BeginObject(text);
  if (field->isRequired) {
    crJsonText_Key(text, "oneOf");
    crJsonText_BeginArray(text);
    writeNames(text, field->name, NULL);
    writeNames(text, alias->name, NULL);
    crJsonText_EndArray(text);
  } else {
    crJsonText_Key(text, "not");
    writeNames(text, field->name, alias->name);
  }
  crJsonText_EndObject(text);
}

static void writeAliasRules(crJsonText* text, const crRecord* record)
{
  bool isOpen = false;
  for (int i = 0; i < record->fieldCount; ++i) {
    const crField* alias = findAlias(record, &record->fields[i]);
    if (alias != NULL && !isOpen) {
      crJsonText_Key(text, "allOf");
      crJsonText_BeginArray(text);
      isOpen = true;
    }
    if (alias != NULL) {
      writeAliasRule(text, &record->fields[i], alias);
    }
  }
  if (isOpen) {
    crJsonText_EndArray(text);
  }
}

static void writeRequired(crJsonText* text, const crRecord* record, bool hasType)
{
  crJsonText_Key(text, "required");
  crJsonText_BeginArray(text);
  if (hasType) {
    crJsonText_String(text, "type");
  }
  for (int i = 0; i < record->fieldCount; ++i) {
    if (record->fields[i].isRequired && findAlias(record, &record->fields[i]) == NULL) {
      crJsonText_String(text, record->fields[i].name);
    }
  }
  crJsonText_EndArray(text);
}

// ----------------------------------------------------------------------------------------- records

// The definition of a record, under its type and a suffix that tells shapes from features and the like. With
// `hasType` it is one of several and says which in "type".
static void writeRecord(crJsonText* text, const crRecord* record, const char* suffix, bool hasType,
                        const crJointType* joint)
{
  char name[CR_NAME_SIZE];
  snprintf(name, sizeof name, "%s%s", record->type, suffix);
  crJsonText_Key(text, name);
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyString(text, "description", record->about);
  crJsonText_KeyString(text, "type", "object");
  crJsonText_Key(text, "properties");
  crJsonText_BeginObjectLines(text);
  if (hasType) {
    crJsonText_Key(text, "type");
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "const", record->type);
    crJsonText_EndObject(text);
  }
  for (int i = 0; i < record->fieldCount; ++i) {
    writeField(text, &record->fields[i], joint);
  }
  crJsonText_EndObject(text);
  writeRequired(text, record, hasType);
  writeAliasRules(text, record);
  crJsonText_KeyBool(text, "additionalProperties", false);
  crJsonText_EndObject(text);
}

// A family of records that "type" tells apart.
typedef struct Family {
  const char* name; // of the definition of all
  const char* about;
  const char* suffix; // of the definition of each
  const crRecord* (*getRecord)(int kind);
  int first, count; // kinds
} Family;

static const crRecord* getShape(int kind)
{
  return crGetShapeRecord((crShapeKind)kind);
}

static const crRecord* getFeature(int kind)
{
  return crGetFeatureRecord((crFeatureKind)kind);
}

static const crRecord* getJoint(int kind)
{
  return crGetJointRecord(kind);
}

static const crRecord* getForce(int kind)
{
  return crGetForceRecord((crForceKind)kind);
}

static const crRecord* getCoupling(int kind)
{
  return crGetCouplingRecord((crCouplingKind)kind);
}

static const crRecord* getSignal(int kind)
{
  return crGetSignalRecord((crSignalKind)kind);
}

static const Family families[] = {
  { "shape", "Geometry.", "Shape", getShape, 1, cr_shapeKindCount },
  { "feature", "What an object is made of.", "Feature", getFeature, 0, cr_featureKindCount },
  { "joint", "What connects two objects.", "Joint", getJoint, 0, cr_jointFormCount },
  { "force", "What pushes objects.", "Force", getForce, 0, cr_forceKindCount },
  { "coupling", "An equation between coordinates of joints.", "Coupling", getCoupling, 0, cr_couplingKindCount },
  { "signal", "What computes a number.", "Signal", getSignal, 0, cr_signalKindCount },
};

static void writeFamily(crJsonText* text, const Family* family)
{
  beginForms(text, family->name, family->about);
  for (int kind = family->first; kind < family->count; ++kind) {
    crJsonText_BeginObject(text);
    writeRef(text, family->getRecord(kind)->type, family->suffix);
    crJsonText_EndObject(text);
  }
  endForms(text);
  for (int kind = family->first; kind < family->count; ++kind) {
    const crJointType* joint = family->getRecord == getJoint ? crGetJointType(crGetJointForm(kind)) : NULL;
    writeRecord(text, family->getRecord(kind), family->suffix, true, joint);
  }
}

// ------------------------------------------------------------------------------------------- model

// What the elements of a section are called among the definitions.
static const char* getElementName(crElementKind kind)
{
  const crRecord* record = crGetElementRecord(kind);
  return record != NULL ? record->type : crElementKind_GetText(kind); // "joint", "force": families
}

static void writeSections(crJsonText* text)
{
  crJsonText_Key(text, CR_JSON_VERSION_KEY);
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "description", "Version of the format.");
  crJsonText_KeyNumber(text, "const", CR_JSON_VERSION);
  crJsonText_EndObject(text);
  crJsonText_Key(text, CR_JSON_SCENE_KEY);
  crJsonText_BeginObject(text);
  writeRef(text, crGetSceneRecord()->type, "");
  crJsonText_EndObject(text);
  for (int i = 0; i < CR_JSON_SECTION_COUNT; ++i) {
    char item[CR_NAME_SIZE];
    snprintf(item, sizeof item, "#/$defs/%s", getElementName(crJsonSections[i].kind));
    crJsonText_Key(text, crJsonSections[i].key);
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "description", crJsonSections[i].about);
    writeList(text, item, 0, 0);
    crJsonText_EndObject(text);
  }
}

static void writeDefinitions(crJsonText* text)
{
  writeRecord(text, crGetSceneRecord(), "", false, NULL);
  for (int i = 0; i < CR_JSON_SECTION_COUNT; ++i) {
    const crRecord* record = crGetElementRecord(crJsonSections[i].kind);
    if (record != NULL) {
      writeRecord(text, record, "", false, NULL);
    }
  }
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i) {
    writeFamily(text, &families[i]);
  }
  writeSharedTypes(text);
}

crStatus crWriteJsonSchema(const crAllocator* allocator, crTextWriter writer)
{
  (void)allocator; // the text is handed over piece by piece, so no memory is needed
  if (writer.write == NULL) {
    return cr_errorMisuse;
  }
  crJsonText text;
  crJsonText_Init(&text, writer);
  crJsonText_BeginObjectLines(&text);
  crJsonText_KeyString(&text, "$schema", "https://json-schema.org/draft/2020-12/schema");
  crJsonText_KeyString(&text, "title", "Carom model");
  crJsonText_KeyString(
      &text, "description",
      "A 3D mechanical system. SI units, radians, right-handed; elements refer to each other by name.");
  crJsonText_KeyString(&text, "type", "object");
  crJsonText_Key(&text, "properties");
  crJsonText_BeginObjectLines(&text);
  writeSections(&text);
  crJsonText_EndObject(&text);
  crJsonText_Key(&text, "required");
  crJsonText_BeginArray(&text);
  crJsonText_String(&text, CR_JSON_VERSION_KEY);
  crJsonText_EndArray(&text);
  crJsonText_KeyBool(&text, "additionalProperties", false);
  crJsonText_Key(&text, "$defs");
  crJsonText_BeginObjectLines(&text);
  writeDefinitions(&text);
  crJsonText_EndObject(&text);
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
  return cr_ok;
}
