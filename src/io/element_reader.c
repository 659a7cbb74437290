// From values to defs, field by field after the records of scene/field.h, and into the scene.
#include "io/element_reader.h"

#include "base/text.h"
#include "io/mesh_file.h"
#include "scene/field.h"
#include "scene/scene.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CR_FIELD_PATH_SIZE 160    // [bytes] "solid2.shape.points[17]"; longer ones are cut
#define CR_ORTHONORMAL_SLACK 1e-6 // [-] of a rotation matrix typed by hand
#define CR_MAX_FIELDS 32          // more than any record has

// What is being read: for messages and for the kinds that decide how many numbers a field has.
typedef struct Reading {
  crElementReader* reader;
  crReporter* reporter;
  int qCount, vCount; // of a joint
  char where[CR_FIELD_PATH_SIZE];
  crStatus status; // cr_errorMemory or cr_errorFile when that was the trouble
} Reading;

static void complain(Reading* reading, const char* field, const char* message, const char* found, const char* allowed,
                     const char* unit)
{
  char text[CR_FIELD_PATH_SIZE + 160];
  snprintf(text, sizeof text, "%s%s%s", reading->where, field, message);
  crComplaint complaint = { .message = text, .found = found, .allowed = allowed, .unit = unit };
  crReport(reading->reporter, cr_severityError, cr_errorModel, &complaint);
}

static void complainType(Reading* reading, const crField* field, const crValue* value, const char* allowed)
{
  complain(reading, field->name, " is of the wrong type", crValue_Describe(value), allowed, NULL);
}

static void runOutOfMemory(Reading* reading)
{
  if (reading->status != cr_errorMemory) {
    crComplaint complaint = { .message = "out of memory" };
    crReport(reading->reporter, cr_severityError, cr_errorMemory, &complaint);
  }
  reading->status = cr_errorMemory;
}

// ----------------------------------------------------------------------------------- plain values

// Reads a list of numbers of exactly `count`; false: it is something else.
static bool readNumbers(const crValue* value, int count, double* outNumbers)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0 || value->itemCount != count) {
    return false;
  }
  for (int i = 0; i < count; ++i) {
    if (value->items[i].kind != cr_valueNumber) {
      return false;
    }
    outNumbers[i] = value->items[i].number;
  }
  return true;
}

static bool readVec3(const crValue* value, crVec3* outVec)
{
  double n[3];
  if (readNumbers(value, 3, n)) {
    *outVec = crMakeVec3(n[0], n[1], n[2]);
    return true;
  }
  return false;
}

static bool readAxis(const crValue* value, crVec3* outAxis)
{
  static const char* const names[] = { "x", "y", "z", "-x", "-y", "-z" };
  for (int i = 0; value->kind == cr_valueString && i < 6; ++i) {
    if (strcmp(value->string, names[i]) == 0) {
      double sign = i < 3 ? 1.0 : -1.0;
      *outAxis = crMakeVec3(i % 3 == 0 ? sign : 0.0, i % 3 == 1 ? sign : 0.0, i % 3 == 2 ? sign : 0.0);
      return true;
    }
  }
  return readVec3(value, outAxis);
}

static bool readRows(const crValue* value, crMat3* outMatrix)
{
  crVec3 rows[3];
  if (value->kind != cr_valueTable || value->itemCount != 3 || value->fieldCount > 0) {
    return false;
  }
  for (int i = 0; i < 3; ++i) {
    if (!readVec3(&value->items[i], &rows[i])) {
      return false;
    }
  }
  crMat3 byRows = { rows[0], rows[1], rows[2] };
  *outMatrix = crTranspose(byRows);
  return true;
}

static void readRotation(Reading* reading, const crField* field, const crValue* value, crQuat* outRotation)
{
  double n[4];
  crMat3 R;
  const crValue* axisValue = value->kind == cr_valueTable ? crValue_Find(value, "axis") : NULL;
  const crValue* angle = value->kind == cr_valueTable ? crValue_Find(value, "angle") : NULL;
  crVec3 axis;
  if (readNumbers(value, 3, n)) {
    *outRotation = crAnglesToQuat(crMakeVec3(n[0], n[1], n[2]));
  } else if (readNumbers(value, 4, n)) {
    *outRotation = (crQuat){ n[0], n[1], n[2], n[3] };
  } else if (axisValue != NULL && angle != NULL && value->fieldCount == 2 && value->itemCount == 0 &&
             angle->kind == cr_valueNumber && readAxis(axisValue, &axis)) {
    if (!crIsFiniteVec3(axis) || crMaxAbs(axis) == 0.0) {
      complain(reading, field->name, ".axis has no direction", NULL, "a vector of finite, non-zero length", NULL);
    }
    *outRotation = crAxisAngleToQuat(axis, angle->number);
  } else if (readRows(value, &R)) {
    crMat3 E = crMulTM(R, R);
    double fault = fmax(crMaxAbs(crSub(E.cx, crMakeVec3(1, 0, 0))),
                        fmax(crMaxAbs(crSub(E.cy, crMakeVec3(0, 1, 0))), crMaxAbs(crSub(E.cz, crMakeVec3(0, 0, 1)))));
    if (!(fault <= CR_ORTHONORMAL_SLACK) || crDeterminant(R) < 0.0) {
      complain(reading, field->name, " is not a rotation matrix", NULL, "orthonormal rows with determinant 1", NULL);
    }
    *outRotation = crMat3ToQuat(R);
  } else {
    complainType(reading, field, value,
                 "{a, b, c} angles, {axis =, angle =}, {w, x, y, z} quaternion, or three rows of three numbers");
  }
}

static void readSym3(Reading* reading, const crField* field, const crValue* value, crSym3* outSym)
{
  double n[6];
  crMat3 m;
  if (readNumbers(value, 3, n)) {
    *outSym = crDiagonalSym3(n[0], n[1], n[2]);
  } else if (readNumbers(value, 6, n)) {
    *outSym = (crSym3){ n[0], n[1], n[2], n[3], n[4], n[5] };
  } else if (readRows(value, &m)) {
    if (m.cx.y != m.cy.x || m.cx.z != m.cz.x || m.cy.z != m.cz.y) {
      complain(reading, field->name, " is not symmetric", NULL, "a symmetric matrix", NULL);
    }
    *outSym = (crSym3){ m.cx.x, m.cy.y, m.cz.z, m.cx.y, m.cx.z, m.cy.z };
  } else {
    complainType(reading, field, value, "{xx, yy, zz}, {xx, yy, zz, xy, xz, yz}, or three rows of three numbers");
  }
}

static void readColor(Reading* reading, const crField* field, const crValue* value, crColor* outColor)
{
  double n[4];
  if (readNumbers(value, 3, n)) {
    *outColor = (crColor){ n[0], n[1], n[2], 1.0 };
  } else if (readNumbers(value, 4, n)) {
    *outColor = (crColor){ n[0], n[1], n[2], n[3] };
  } else if (value->kind != cr_valueString) {
    complainType(reading, field, value, "a colour's name, \"#rrggbb[aa]\", {r, g, b} or {r, g, b, a}");
  } else if (!crFindColor(value->string, outColor)) {
    complain(reading, field->name, " is not a known colour", value->string, "a CSS colour name or \"#rrggbb[aa]\"",
             NULL);
  }
}

static void readGravity(Reading* reading, const crField* field, const crValue* value, crGravity* outGravity)
{
  crVec3 acceleration;
  if (value->kind == cr_valueString && strcmp(value->string, "none") == 0) {
    *outGravity = (crGravity){ .kind = cr_gravityNone };
    return;
  }
  if (readVec3(value, &acceleration)) {
    *outGravity = (crGravity){ .kind = cr_gravityUniform, .acceleration = acceleration };
    return;
  }
  const crValue* mu = value->kind == cr_valueTable ? crValue_Find(value, "mu") : NULL;
  const crValue* centre = value->kind == cr_valueTable ? crValue_Find(value, "centre") : NULL;
  *outGravity = (crGravity){ .kind = cr_gravityPointMass };
  int known = (mu != NULL) + (centre != NULL);
  if (mu == NULL || mu->kind != cr_valueNumber || value->fieldCount != known || value->itemCount > 0 ||
      (centre != NULL && !readVec3(centre, &outGravity->centre))) {
    complainType(reading, field, value, "{x, y, z}, \"none\", or {centre = {x, y, z}, mu = number}");
    return;
  }
  outGravity->mu = mu->number;
}

// One number or flag for all, or a list with one for each. Reports anything else.
static void readSeveral(Reading* reading, const crField* field, const crValue* value, int count, double* outNumbers,
                        bool* outFlags)
{
  crValueKind kind = outFlags != NULL ? cr_valueBool : cr_valueNumber;
  bool isOne = value->kind == kind && (count == 1 || outFlags != NULL || field->type == cr_fieldEach);
  bool isList = value->kind == cr_valueTable && value->fieldCount == 0 && value->itemCount == count;
  for (int i = 0; isList && i < count; ++i) {
    isList = value->items[i].kind == kind;
  }
  if (!isOne && !isList) {
    char allowed[64];
    const char* noun = outFlags != NULL ? "true or false" : "a number";
    if (count != 1) {
      snprintf(allowed, sizeof allowed, "a list of %d, each %s", count, noun);
    } else {
      snprintf(allowed, sizeof allowed, "%s", noun);
    }
    complainType(reading, field, value, allowed);
    return;
  }
  for (int i = 0; i < count; ++i) {
    const crValue* one = isOne ? value : &value->items[i];
    if (outFlags != NULL) {
      outFlags[i] = one->boolean;
    } else {
      outNumbers[i] = one->number;
    }
  }
}

// Not-a-number marks what was not given, so it cannot be given.
static void readNumber(Reading* reading, const crField* field, const crValue* value, double* outNumber)
{
  if (value->kind != cr_valueNumber) {
    complainType(reading, field, value, "a number");
  } else if (!isfinite(value->number)) {
    char found[CR_NUMBER_SIZE];
    crFormatNumber(value->number, found);
    complain(reading, field->name, " must be finite", found, "any finite number", field->unit);
  } else {
    *outNumber = field->factor != 0.0 ? field->factor * value->number : value->number;
  }
}

static void readInteger(Reading* reading, const crField* field, const crValue* value, double max, double* outNumber)
{
  *outNumber = 0.0;
  if (value->kind != cr_valueNumber) {
    complainType(reading, field, value, "a whole number");
  } else if (!(value->number >= 0.0 && value->number <= max) || value->number != floor(value->number)) {
    char found[32], allowed[64];
    snprintf(found, sizeof found, "%.12g", value->number);
    snprintf(allowed, sizeof allowed, "a whole number from 0 to %.0f", max);
    complain(reading, field->name, " is out of range", found, allowed, NULL);
  } else {
    *outNumber = value->number;
  }
}

static void readEnum(Reading* reading, const crField* field, const crValue* value, int* outNumber)
{
  for (int i = 0; value->kind == cr_valueString && field->texts[i] != NULL; ++i) {
    if (strcmp(value->string, field->texts[i]) == 0) {
      *outNumber = i;
      return;
    }
  }
  char allowed[128] = "";
  for (int i = 0; field->texts[i] != NULL; ++i) {
    size_t used = strlen(allowed);
    snprintf(allowed + used, sizeof allowed - used, "%s\"%s\"", i > 0 ? ", " : "", field->texts[i]);
  }
  complain(reading, field->name, " is not one of its values",
           value->kind == cr_valueString ? value->string : crValue_Describe(value), allowed, NULL);
}

// A string, or the name of an element that the file may also have given itself.
static void readName(Reading* reading, const crField* field, const crValue* value, const char** outName)
{
  crElementKind kind = value->element;
  bool isMaterial = kind == cr_elementSolidMaterial || kind == cr_elementVisualMaterial;
  bool isSignal = field->type == cr_fieldSignal || field->type == cr_fieldSignals || field->type == cr_fieldArguments;
  bool fits = kind == cr_elementNone || (field->type == cr_fieldPath && kind == cr_elementObject) ||
              (field->type == cr_fieldJoint && kind == cr_elementJoint) || (isSignal && kind == cr_elementSignal) ||
              (field->type == cr_fieldMaterial && isMaterial);
  if (value->kind == cr_valueString && fits) {
    *outName = value->string;
    return;
  }
  static const char* const allowed[] = { [cr_fieldString] = "a string",
                                         [cr_fieldPath] = "an object or its path",
                                         [cr_fieldMaterial] = "a material or its name",
                                         [cr_fieldJoint] = "a joint or its path",
                                         [cr_fieldSignal] = "a signal or its path",
                                         [cr_fieldSignals] = "a list of signals or their paths",
                                         [cr_fieldArguments] = "signals or their paths, by name" };
  complainType(reading, field, value, allowed[field->type]);
}

static void readList(Reading* reading, const crField* field, const crValue* value, const double** outNumbers,
                     int* outCount)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0) {
    complainType(reading, field, value, "a list of numbers");
    return;
  }
  double* numbers = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *numbers);
  if (numbers == NULL) {
    runOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    if (value->items[i].kind != cr_valueNumber) {
      char name[64];
      snprintf(name, sizeof name, "%s[%d]", field->name, i + 1);
      complain(reading, name, " is not a number", crValue_Describe(&value->items[i]), "a number", NULL);
      return;
    }
    numbers[i] = value->items[i].number;
  }
  *outNumbers = numbers;
  *outCount = value->itemCount;
}

static void readSignals(Reading* reading, const crField* field, const crValue* value, const char* const** outNames,
                        int* outCount)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0) {
    complainType(reading, field, value, "a list of signals or their paths");
    return;
  }
  const char** names = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *names);
  if (names == NULL) {
    runOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    readName(reading, field, &value->items[i], &names[i]);
  }
  *outNames = names;
  *outCount = value->itemCount;
}

static void readArguments(Reading* reading, const crField* field, const crValue* value, const crArgument** outArguments,
                          int* outCount)
{
  if (value->kind != cr_valueTable || value->itemCount > 0) {
    complainType(reading, field, value, "signals by name, { x = signal, ... }");
    return;
  }
  size_t count = (size_t)value->fieldCount;
  crArgument* arguments = crArena_AllocateZero(&reading->reader->scratch, count, sizeof *arguments);
  if (arguments == NULL) {
    runOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->fieldCount; ++i) {
    arguments[i].name = value->keys[i];
    readName(reading, field, &value->fields[i], &arguments[i].signal);
  }
  *outArguments = arguments;
  *outCount = value->fieldCount;
}

static void readNamed(Reading* reading, const crField* field, const crValue* value, const crNamedNumber** outNumbers,
                      int* outCount)
{
  if (value->kind != cr_valueTable || value->itemCount > 0) {
    complainType(reading, field, value, "numbers by name, { x = 1, ... }");
    return;
  }
  crNamedNumber* numbers = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->fieldCount, sizeof *numbers);
  if (numbers == NULL) {
    runOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->fieldCount; ++i) {
    if (value->fields[i].kind != cr_valueNumber) {
      complain(reading, value->keys[i], " is not a number", crValue_Describe(&value->fields[i]), "a number", NULL);
      return;
    }
    numbers[i] = (crNamedNumber){ value->keys[i], value->fields[i].number };
  }
  *outNumbers = numbers;
  *outCount = value->fieldCount;
}

static void readPoints(Reading* reading, const crField* field, const crValue* value, const crVec3** outPoints,
                       int* outCount)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0) {
    complainType(reading, field, value, "a list of points {x, y, z}");
    return;
  }
  crVec3* points = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *points);
  if (points == NULL) {
    runOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    if (!readVec3(&value->items[i], &points[i])) {
      char name[64];
      snprintf(name, sizeof name, "%s[%d]", field->name, i + 1);
      complain(reading, name, " is not a point", crValue_Describe(&value->items[i]), "{x, y, z}", NULL);
      return;
    }
  }
  *outPoints = points;
  *outCount = value->itemCount;
}

static void readTable(Reading* reading, const crField* field, const crValue* value, const crTablePoint** outTable,
                      int* outCount)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0) {
    complainType(reading, field, value, "a list of points {x, y}");
    return;
  }
  crTablePoint* table = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *table);
  if (table == NULL) {
    runOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    double n[2];
    if (!readNumbers(&value->items[i], 2, n)) {
      char name[64];
      snprintf(name, sizeof name, "%s[%d]", field->name, i + 1);
      complain(reading, name, " is not a point", crValue_Describe(&value->items[i]), "{x, y}", NULL);
      return;
    }
    table[i] = (crTablePoint){ n[0], n[1] };
  }
  *outTable = table;
  *outCount = value->itemCount;
}

static void readParameters(Reading* reading, const crField* field, const crValue* value,
                           const crParameter** outParameters, int* outCount)
{
  if (value->kind != cr_valueTable || value->itemCount > 0) {
    complainType(reading, field, value, "a table of numbers, strings and booleans");
    return;
  }
  crParameter* parameters =
      crArena_AllocateZero(&reading->reader->scratch, (size_t)value->fieldCount, sizeof *parameters);
  if (parameters == NULL) {
    runOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->fieldCount; ++i) {
    const crValue* one = &value->fields[i];
    crParameter parameter = { value->keys[i], cr_parameterNumber, one->number, NULL };
    if (one->kind == cr_valueBool) {
      parameter.kind = cr_parameterBool;
      parameter.number = one->boolean;
    } else if (one->kind == cr_valueString) {
      parameter.kind = cr_parameterString;
      parameter.string = one->string;
    } else if (one->kind != cr_valueNumber) {
      complain(reading, value->keys[i], " is not a parameter", crValue_Describe(one),
               "a number, a string, true or false", NULL);
    }
    parameters[i] = parameter;
  }
  *outParameters = parameters;
  *outCount = value->fieldCount;
}

// ------------------------------------------------------------------------------------------ meshes

// The scale is part of what is read, so it is looked up before the other fields.
static crVec3 findScale(const crValue* shape)
{
  crVec3 scale = { 1.0, 1.0, 1.0 };
  const crValue* value = crValue_Find(shape, "scale");
  if (value != NULL && value->kind == cr_valueNumber) {
    scale = crMakeVec3(value->number, value->number, value->number);
  } else if (value != NULL) {
    readVec3(value, &scale);
  }
  return scale;
}

static const crMesh* findKnownMesh(const crElementReader* reader, const char* file, crVec3 scale)
{
  for (int i = 0; i < reader->knownCount; ++i) {
    const crMeshFile* known = &reader->known[i];
    if (known->scale.x == scale.x && known->scale.y == scale.y && known->scale.z == scale.z &&
        strcmp(known->file, file) == 0) {
      return known->mesh;
    }
  }
  return NULL;
}

// Reads a file once per scale, however many shapes use it.
static const crMesh* findMesh(Reading* reading, const char* file, crVec3 scale)
{
  crElementReader* reader = reading->reader;
  const crMesh* knownMesh = findKnownMesh(reader, file, scale);
  if (knownMesh != NULL) {
    return knownMesh;
  }
  char path[4096], key[4096 + 100];
  bool isRelative = file[0] != '/' && reader->folder != NULL && reader->folder[0] != '\0';
  int size = snprintf(path, sizeof path, "%s%s%s", isRelative ? reader->folder : "", isRelative ? "/" : "", file);
  if (size >= (int)sizeof path) {
    complain(reading, "file", " has too long a name", NULL, "at most 4095 bytes with its folder", NULL);
    return NULL;
  }
  snprintf(key, sizeof key, "%s|%a|%a|%a", path, scale.x, scale.y, scale.z);
  int known = crMap_FindString(&reader->meshes, key);
  if (known >= 0) {
    return reader->meshList.items[known];
  }
  crMesh* mesh = NULL;
  crErrorSink sink = crReporter_Sink(reading->reporter);
  crStatus status = crReadMeshFile(path, scale, reader->fileLimit, &reader->allocator, &sink, &mesh);
  if (status != cr_ok) {
    crComplaint complaint = { .message = "this object needs the mesh file" };
    crReport(reading->reporter, cr_severityNote, cr_ok, &complaint);
    reading->status = status == cr_errorMemory ? cr_errorMemory : cr_errorFile;
    return NULL;
  }
  const char* ownKey = crArena_CopyString(&reader->meshNames, key);
  const crMesh** place = ownKey != NULL ? crArray_Push(&reader->meshList, &reader->allocator) : NULL;
  if (place == NULL) {
    crReleaseMesh(mesh);
    runOutOfMemory(reading);
    return NULL;
  }
  *place = mesh;
  if (!crMap_SetString(&reader->meshes, ownKey, reader->meshList.count - 1)) {
    runOutOfMemory(reading);
  }
  return mesh;
}

static void readMesh(Reading* reading, const crField* field, const crValue* value, const crValue* shape,
                     const crMesh** outMesh, const char** outFile)
{
  if (value->kind != cr_valueString || value->string[0] == '\0') {
    complainType(reading, field, value, "the name of an STL or OBJ file");
    return;
  }
  *outMesh = findMesh(reading, value->string, findScale(shape));
  *outFile = value->string;
}

// ----------------------------------------------------------------------------------------- records

static void readRecord(Reading* reading, const crRecord* record, const crValue* table, const char* const* skipped,
                       void* def);

static const crRecord* findShapeRecord(const char* type, crShapeKind* outKind)
{
  for (int kind = 1; kind < cr_shapeKindCount; ++kind) {
    if (strcmp(crGetShapeRecord((crShapeKind)kind)->type, type) == 0) {
      *outKind = (crShapeKind)kind;
      return crGetShapeRecord((crShapeKind)kind);
    }
  }
  return NULL;
}

// Goes one level down in `where`, and returns the length to cut it back to.
static size_t enter(Reading* reading, const char* name)
{
  size_t length = strlen(reading->where);
  snprintf(reading->where + length, sizeof reading->where - length, "%s.", name);
  return length;
}

// The "type" of a table, or NULL after a report.
static const char* findType(Reading* reading, const char* what, const crValue* value)
{
  const crValue* type = value->kind == cr_valueTable ? crValue_Find(value, "type") : NULL;
  if (type == NULL || type->kind != cr_valueString) {
    complain(reading, what, value->kind == cr_valueTable ? " has no \"type\"" : " is of the wrong type",
             crValue_Describe(value), "a table with a \"type\", as sphere{...} and the like make", NULL);
    return NULL;
  }
  return type->string;
}

static const char* const typeOnly[] = { "type", NULL };

static crFeatureKind findFeatureKind(const char* type)
{
  int kind = 0;
  while (kind < cr_featureKindCount && strcmp(crFeatureKindText((crFeatureKind)kind), type) != 0) {
    ++kind;
  }
  return (crFeatureKind)kind;
}

static void readShape(Reading* reading, const crField* field, const crValue* value, crShapeDef* outShape)
{
  const char* type = findType(reading, field->name, value);
  crShapeKind kind = cr_shapeNone;
  const crRecord* record = type != NULL ? findShapeRecord(type, &kind) : NULL;
  if (type != NULL && findFeatureKind(type) != cr_featureKindCount) {
    complain(reading, field->name, " is a feature where a shape is expected", type, "sphere{...}, box{...}, ...", NULL);
  } else if (type != NULL && record == NULL) {
    crNearest nearest = crMakeNearest(type);
    for (int i = 1; i < cr_shapeKindCount; ++i) {
      crNearest_Try(&nearest, crGetShapeRecord((crShapeKind)i)->type);
    }
    complain(reading, field->name, ": there is no such shape", type,
             nearest.best != NULL ? nearest.best : "sphere, box, cylinder, ...", NULL);
  }
  if (record == NULL) {
    return;
  }
  *outShape = crDefaultShapeDef(kind);
  size_t length = enter(reading, field->name);
  readRecord(reading, record, value, typeOnly, outShape);
  reading->where[length] = '\0';
}

static void readFeature(Reading* reading, int index, const crValue* value, crFeatureDef* outFeature)
{
  char name[32];
  snprintf(name, sizeof name, "features[%d]", index + 1);
  const char* type = findType(reading, name, value);
  if (type == NULL) {
    return;
  }
  crFeatureKind kind = findFeatureKind(type);
  crShapeKind shape;
  if (findShapeRecord(type, &shape) != NULL) {
    complain(reading, name, " is a shape where a feature is expected", type,
             "solid{shape = ...} or visual{shape = ...} around it", NULL);
    return;
  }
  if (kind == cr_featureKindCount) {
    complain(reading, name, ": there is no such feature", type, "solid, visual, mass, light, camera", NULL);
    return;
  }
  *outFeature = crDefaultFeatureDef(kind);
  snprintf(name, sizeof name, "%s%d", type, index + 1);
  size_t length = enter(reading, name);
  readRecord(reading, crGetFeatureRecord(kind), value, typeOnly, &outFeature->as);
  reading->where[length] = '\0';
}

static void readFeatures(Reading* reading, const crField* field, const crValue* value, const crFeatureDef** outFeatures,
                         int* outCount)
{
  if (value->kind != cr_valueTable) {
    complainType(reading, field, value, "a list of features");
    return;
  }
  crFeatureDef* features = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *features);
  if (features == NULL) {
    runOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    readFeature(reading, i, &value->items[i], &features[i]);
  }
  *outFeatures = features;
  *outCount = value->itemCount;
}

static void readField(Reading* reading, const crField* field, const crValue* value, const crValue* table, void* def)
{
  void* member = (char*)def + field->offset;
  void* behind = (char*)member + sizeof(void*);
  double whole;
  switch (field->type) {
    case cr_fieldNumber: readNumber(reading, field, value, member); break;
    case cr_fieldInteger:
      readInteger(reading, field, value, INT_MAX, &whole);
      *(int*)member = (int)whole;
      break;
    case cr_fieldBits:
      readInteger(reading, field, value, UINT32_MAX, &whole);
      *(uint32_t*)member = (uint32_t)whole;
      break;
    case cr_fieldBool:
      if (value->kind == cr_valueBool) {
        *(bool*)member = value->boolean;
      } else {
        complainType(reading, field, value, "true or false");
      }
      break;
    case cr_fieldString:
    case cr_fieldPath:
    case cr_fieldMaterial:
    case cr_fieldJoint:
    case cr_fieldSignal: readName(reading, field, value, member); break;
    case cr_fieldNumbers: readList(reading, field, value, member, behind); break;
    case cr_fieldSignals: readSignals(reading, field, value, member, behind); break;
    case cr_fieldArguments: readArguments(reading, field, value, member, behind); break;
    case cr_fieldNamed: readNamed(reading, field, value, member, behind); break;
    case cr_fieldEnum: readEnum(reading, field, value, member); break;
    case cr_fieldVec3:
      if (!readVec3(value, member)) {
        complainType(reading, field, value, "a list of three numbers");
      }
      break;
    case cr_fieldAxis:
      if (!readAxis(value, member)) {
        complainType(reading, field, value, "a list of three numbers, or \"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\"");
      }
      break;
    case cr_fieldScale:
      if (value->kind == cr_valueNumber) {
        *(crVec3*)member = crMakeVec3(value->number, value->number, value->number);
      } else if (!readVec3(value, member)) {
        complainType(reading, field, value, "a number or a list of three numbers");
      }
      break;
    case cr_fieldRotation: readRotation(reading, field, value, member); break;
    case cr_fieldColor: readColor(reading, field, value, member); break;
    case cr_fieldSym3: readSym3(reading, field, value, member); break;
    case cr_fieldGravity: readGravity(reading, field, value, member); break;
    case cr_fieldPoints: readPoints(reading, field, value, member, behind); break;
    case cr_fieldTable: readTable(reading, field, value, member, behind); break;
    case cr_fieldMesh: readMesh(reading, field, value, table, member, behind); break;
    case cr_fieldShape: readShape(reading, field, value, member); break;
    case cr_fieldFeatures: readFeatures(reading, field, value, member, behind); break;
    case cr_fieldParameters: readParameters(reading, field, value, member, behind); break;
    case cr_fieldCoordinates: readSeveral(reading, field, value, reading->qCount, member, NULL); break;
    case cr_fieldRates:
    case cr_fieldEach: readSeveral(reading, field, value, reading->vCount, member, NULL); break;
    case cr_fieldFlags: readSeveral(reading, field, value, reading->vCount, NULL, member); break;
  }
}

static void complainUnknown(Reading* reading, const crRecord* record, const char* key)
{
  crNearest nearest = crMakeNearest(key);
  for (int i = 0; i < record->fieldCount; ++i) {
    crNearest_Try(&nearest, record->fields[i].name);
  }
  char text[CR_FIELD_PATH_SIZE + 300], hint[64];
  const char* article = strchr("aeio", record->type[0]) != NULL ? "an" : "a";
  snprintf(text, sizeof text, "%s%.200s: %s %s has no such field", reading->where, key, article, record->type);
  snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best != NULL ? nearest.best : "");
  crComplaint complaint = { .message = text, .hint = nearest.best != NULL ? hint : NULL };
  crReport(reading->reporter, cr_severityError, cr_errorModel, &complaint);
}

static bool isListed(const char* const* list, const char* key)
{
  while (*list != NULL && strcmp(*list, key) != 0) {
    ++list;
  }
  return *list != NULL;
}

// A member may be given once, under its own name or an alias of it.
static void checkGiven(Reading* reading, const crRecord* record, const bool* given)
{
  for (int i = 0; i < record->fieldCount; ++i) {
    const crField* field = &record->fields[i];
    int names = 0;
    for (int k = 0; k < record->fieldCount; ++k) {
      names += given[k] && record->fields[k].offset == field->offset;
    }
    if (field->isRequired && names == 0) {
      complain(reading, field->name, " is missing", NULL, field->about, field->unit);
    } else if (field->factor != 0.0 && given[i] && names > 1) {
      complain(reading, field->name, " is given twice, under two names", NULL, NULL, NULL);
    }
  }
}

static void readRecord(Reading* reading, const crRecord* record, const crValue* table, const char* const* skipped,
                       void* def)
{
  bool given[CR_MAX_FIELDS] = { false };
  const crField* features = crRecord_Find(record, "features");
  if (table->itemCount > 0 && features == NULL) {
    complain(reading, "", "a list where named fields are expected", NULL, NULL, NULL);
  } else if (table->itemCount > 0) { // in Lua the features stand in the list part of their object
    readField(reading, features, table, table, def);
    given[features - record->fields] = true;
  }
  for (int i = 0; i < table->fieldCount; ++i) {
    const crField* field = crRecord_Find(record, table->keys[i]);
    if (isListed(skipped, table->keys[i])) {
      continue;
    }
    if (field == NULL) {
      complainUnknown(reading, record, table->keys[i]);
    } else if (given[field - record->fields]) {
      complain(reading, field->name, " is given twice", NULL, NULL, NULL);
    } else {
      given[field - record->fields] = true;
      readField(reading, field, &table->fields[i], table, def);
    }
  }
  checkGiven(reading, record, given);
}

// ---------------------------------------------------------------------------------------- elements

// Memory of the largest def, aligned.
typedef union AnyDef {
  crAssemblyDef assembly;
  crObjectDef object;
  crJointDef joint;
  crForceDef force;
  crSignalDef signal;
  crSolidMaterialDef solidMaterial;
  crContactPairDef contactPair;
  crVisualMaterialDef visualMaterial;
  crExclusionDef exclusion;
} AnyDef;

// The kind of a joint or force by its "type"; count when there is no such kind.
static int findKind(const char* type, int count, const char* (*textOf)(int))
{
  int kind = 0;
  while (kind < count && strcmp(textOf(kind), type) != 0) {
    ++kind;
  }
  return kind;
}

static const char* jointText(int kind)
{
  return crJointKindText((crJointKind)kind);
}

static const char* forceText(int kind)
{
  return crForceKindText((crForceKind)kind);
}

static const char* signalText(int kind)
{
  return crSignalKindText((crSignalKind)kind);
}

// Elements of several kinds, which "type" tells apart.
static bool hasKinds(crElementKind kind)
{
  return kind == cr_elementJoint || kind == cr_elementForce || kind == cr_elementSignal;
}

// The number of the kind that the element's "type" names; -1 after a report.
static int findElementKind(Reading* reading, crElementKind kind, const crValue* value)
{
  bool isJoint = kind == cr_elementJoint, isForce = kind == cr_elementForce;
  const char* type = findType(reading, crElementKindText(kind), value);
  int count = isJoint ? (int)cr_jointKindCount : isForce ? (int)cr_forceKindCount : (int)cr_signalKindCount;
  int found = type != NULL ? findKind(type, count, isJoint ? jointText : isForce ? forceText : signalText) : count;
  if (type != NULL && found == count) {
    char message[64];
    snprintf(message, sizeof message, ": there is no such %s", crElementKindText(kind));
    complain(reading, "type", message, type, NULL, NULL);
  }
  return found < count ? found : -1;
}

// Fills the defaults of the element and returns its record; NULL after a report.
static const crRecord* prepare(Reading* reading, crElementKind kind, const crValue* value, AnyDef* def)
{
  int found = hasKinds(kind) ? findElementKind(reading, kind, value) : 0;
  if (found < 0) {
    return NULL;
  }
  switch (kind) {
    case cr_elementAssembly: def->assembly = crDefaultAssemblyDef(NULL); break;
    case cr_elementObject: def->object = crDefaultObjectDef(NULL); break;
    case cr_elementSolidMaterial: def->solidMaterial = crDefaultSolidMaterialDef(NULL); break;
    case cr_elementContactPair: def->contactPair = crDefaultContactPairDef(NULL, NULL); break;
    case cr_elementVisualMaterial: def->visualMaterial = crDefaultVisualMaterialDef(NULL); break;
    case cr_elementJoint:
      reading->qCount = crJointKindQCount((crJointKind)found);
      reading->vCount = crJointKindVCount((crJointKind)found);
      def->joint = crDefaultJointDef((crJointKind)found, NULL, NULL, NULL);
      return crGetJointRecord((crJointKind)found);
    case cr_elementForce:
      def->force = crDefaultForceDef((crForceKind)found, NULL, NULL, NULL);
      return crGetForceRecord((crForceKind)found);
    case cr_elementSignal:
      def->signal = crDefaultSignalDef((crSignalKind)found, NULL);
      return crGetSignalRecord((crSignalKind)found);
    default: break;
  }
  return crGetElementRecord(kind);
}

// A file has functions as code, which is Lua.
static crStatus addSignal(crScene* scene, crSignalDef* def, crSource source)
{
  def->source = source;
  if (def->code != NULL) {
    def->function = *crGetLuaFunction();
  }
  return crScene_AddSignal(scene, def, NULL);
}

static crStatus add(crScene* scene, crElementKind kind, AnyDef* def, crSource source)
{
  switch (kind) {
    case cr_elementAssembly: def->assembly.source = source; return crScene_AddAssembly(scene, &def->assembly, NULL);
    case cr_elementObject: def->object.source = source; return crScene_AddObject(scene, &def->object, NULL);
    case cr_elementJoint: def->joint.source = source; return crScene_AddJoint(scene, &def->joint, NULL);
    case cr_elementForce: def->force.source = source; return crScene_AddForce(scene, &def->force, NULL);
    case cr_elementSignal: return addSignal(scene, &def->signal, source);
    case cr_elementSolidMaterial:
      def->solidMaterial.source = source;
      return crScene_AddSolidMaterial(scene, &def->solidMaterial, NULL);
    case cr_elementContactPair:
      def->contactPair.source = source;
      return crScene_AddContactPair(scene, &def->contactPair, NULL);
    case cr_elementVisualMaterial:
      def->visualMaterial.source = source;
      return crScene_AddVisualMaterial(scene, &def->visualMaterial, NULL);
    case cr_elementExclusion: def->exclusion.source = source; return crScene_AddExclusion(scene, &def->exclusion, NULL);
    case cr_elementNone: break;
  }
  return cr_errorMisuse;
}

// The name to show in messages: the element's own, or where or what it is.
static const char* findName(const crElementReader* reader, crElementKind kind, const crValue* value)
{
  const crValue* name = value->kind == cr_valueTable ? crValue_Find(value, "name") : NULL;
  if (name != NULL && name->kind == cr_valueString) {
    return name->string;
  }
  return reader->place != NULL ? reader->place : crElementKindText(kind);
}

crStatus crElementReader_Add(crElementReader* reader, crElementKind kind, const crValue* value, crSource source)
{
  crReporter reporter = crMakeReporter(&reader->sink, source, findName(reader, kind, value));
  Reading reading = { .reader = reader, .reporter = &reporter, .status = cr_ok };
  AnyDef def;
  memset(&def, 0, sizeof def);
  if (value->kind != cr_valueTable) {
    complain(&reading, crElementKindText(kind), " is of the wrong type", crValue_Describe(value), "a table", NULL);
    return crScene_Fail(reader->scene, &reporter, NULL);
  }
  const crRecord* record = prepare(&reading, kind, value, &def);
  if (record != NULL) {
    readRecord(&reading, record, value, hasKinds(kind) ? typeOnly : typeOnly + 1, &def);
  }
  crStatus status = cr_errorModel;
  if (reporter.errorCount == 0) {
    status = add(reader->scene, kind, &def, source);
  } else {
    const crValue* name = crValue_Find(value, "name");
    bool isNamed = name != NULL && name->kind == cr_valueString;
    status = crScene_Fail(reader->scene, &reporter, isNamed ? name->string : NULL);
    status = reading.status == cr_errorMemory ? cr_errorMemory : status;
  }
  crArena_Clear(&reader->scratch);
  return status;
}

crStatus crElementReader_SetFile(crElementReader* reader, const char* name)
{
  crSceneOptions options = *crScene_GetOptions(reader->scene);
  options.source = (crSource){ name, 0, 0 };
  return crScene_SetOptions(reader->scene, &options);
}

crStatus crElementReader_CreateShape(crElementReader* reader, const char* name, const crValue* value, double rounding,
                                     crReporter* reporter, crShape** outShape)
{
  int before = reporter->errorCount;
  Reading reading = { .reader = reader, .reporter = reporter, .status = cr_ok };
  crField field = { .name = name };
  crShapeDef def = crDefaultShapeDef(cr_shapeNone);
  readShape(&reading, &field, value, &def);
  if (value->kind == cr_valueTable && crValue_Find(value, "rounding") == NULL) {
    def.rounding = rounding;
  }
  crStatus status = reading.status != cr_ok ? reading.status : cr_errorModel;
  if (reporter->errorCount == before && reading.status == cr_ok) {
    crReporter inside = crMakeReporter(reporter->sink, reporter->source, name);
    crErrorSink sink = crReporter_Sink(&inside);
    status = crCreateShape(&def, &reader->allocator, &sink, outShape);
    reporter->errorCount += inside.errorCount;
  }
  crArena_Clear(&reader->scratch);
  return status;
}

crStatus crElementReader_SetOptions(crElementReader* reader, const crValue* value, crSource source)
{
  crReporter reporter = crMakeReporter(&reader->sink, source, "scene");
  Reading reading = { .reader = reader, .reporter = &reporter, .status = cr_ok };
  crSceneOptions options = *crScene_GetOptions(reader->scene);
  options.source = source;
  if (reader->hasOptions) {
    complain(&reading, "the options of the scene", " are given twice", NULL, NULL, NULL);
  } else if (value->kind != cr_valueTable) {
    complain(&reading, "scene", " is of the wrong type", crValue_Describe(value), "a table", NULL);
  } else {
    reader->hasOptions = true;
    readRecord(&reading, crGetSceneRecord(), value, typeOnly + 1, &options);
  }
  if (reporter.errorCount > 0) {
    return crScene_Fail(reader->scene, &reporter, NULL);
  }
  return crScene_SetOptions(reader->scene, &options);
}

// ------------------------------------------------------------------------------------------ reader

void crElementReader_Init(crElementReader* reader, crScene* scene, const crErrorSink* sink, const char* folder,
                          size_t fileLimit, const crAllocator* allocator)
{
  memset(reader, 0, sizeof *reader);
  reader->allocator = crChooseAllocator(allocator);
  reader->scene = scene;
  reader->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  reader->folder = folder;
  reader->fileLimit = fileLimit;
  crArena_Init(&reader->scratch, &reader->allocator);
  crArena_Init(&reader->meshNames, &reader->allocator);
  crMap_Init(&reader->meshes, &reader->allocator);
}

void crElementReader_SetMeshes(crElementReader* reader, const crMeshFile* meshes, int count)
{
  reader->known = meshes;
  reader->knownCount = count;
}

void crElementReader_Free(crElementReader* reader)
{
  for (int i = 0; i < reader->meshList.count; ++i) {
    crReleaseMesh(reader->meshList.items[i]);
  }
  crArray_Free(&reader->meshList, &reader->allocator);
  crMap_Free(&reader->meshes);
  crArena_Free(&reader->meshNames);
  crArena_Free(&reader->scratch);
}
