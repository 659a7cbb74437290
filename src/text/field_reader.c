// Numbers, names, lists, rotations, colours, meshes: each checked and put into its member.
#include "text/field_reader.h"

#include "base/platform.h"
#include "base/read_file.h"
#include "base/text.h"
#include "mesh/kept_pieces.h"
#include "mesh/mesh_file.h"
#include "mesh/png.h"
#include "text/mesh_grant.h"
#include "text/path.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_ORTHONORMAL_SLACK 1e-6 // [-] of a rotation matrix typed by hand

void crReading_Complain(crReading* reading, const char* field, const char* message, const char* found,
                        const char* allowed, const char* unit)
{
  char text[CR_FIELD_PATH_SIZE + 160];
  snprintf(text, sizeof text, "%s%s%s", reading->where, field, message);
  crComplaint complaint = { .message = text, .found = found, .allowed = allowed, .unit = unit };
  crReport(reading->reporter, cr_severityError, cr_errorModel, &complaint);
}

void crReading_ComplainType(crReading* reading, const crField* field, const crValue* value, const char* allowed)
{
  crReading_Complain(reading, field->name, " is of the wrong type", crValue_Describe(value), allowed, NULL);
}

void crReading_RunOutOfMemory(crReading* reading)
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

static void readRotation(crReading* reading, const crField* field, const crValue* value, crQuat* outRotation)
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
      crReading_Complain(reading, field->name, ".axis has no direction", NULL, "a vector of finite, non-zero length",
                         NULL);
    }
    *outRotation = crAxisAngleToQuat(axis, angle->number);
  } else if (readRows(value, &R)) {
    crMat3 E = crMulTM(R, R);
    double fault = fmax(crMaxAbs(crSub(E.cx, crMakeVec3(1, 0, 0))),
                        fmax(crMaxAbs(crSub(E.cy, crMakeVec3(0, 1, 0))), crMaxAbs(crSub(E.cz, crMakeVec3(0, 0, 1)))));
    if (!(fault <= CR_ORTHONORMAL_SLACK) || crDeterminant(R) < 0.0) {
      crReading_Complain(reading, field->name, " is not a rotation matrix", NULL, "orthonormal rows with determinant 1",
                         NULL);
    }
    *outRotation = crMat3ToQuat(R);
  } else {
    crReading_ComplainType(
        reading, field, value,
        "{a, b, c} angles, {axis =, angle =}, {w, x, y, z} quaternion, or three rows of three numbers");
  }
}

static void readSym3(crReading* reading, const crField* field, const crValue* value, crSym3* outSym)
{
  double n[6];
  crMat3 m;
  if (readNumbers(value, 3, n)) {
    *outSym = crDiagonalSym3(n[0], n[1], n[2]);
  } else if (readNumbers(value, 6, n)) {
    *outSym = (crSym3){ n[0], n[1], n[2], n[3], n[4], n[5] };
  } else if (readRows(value, &m)) {
    if (m.cx.y != m.cy.x || m.cx.z != m.cz.x || m.cy.z != m.cz.y) {
      crReading_Complain(reading, field->name, " is not symmetric", NULL, "a symmetric matrix", NULL);
    }
    *outSym = (crSym3){ m.cx.x, m.cy.y, m.cz.z, m.cx.y, m.cx.z, m.cy.z };
  } else {
    crReading_ComplainType(reading, field, value,
                           "{xx, yy, zz}, {xx, yy, zz, xy, xz, yz}, or three rows of three numbers");
  }
}

static void readColor(crReading* reading, const crField* field, const crValue* value, crColor* outColor)
{
  double n[4];
  if (readNumbers(value, 3, n)) {
    *outColor = (crColor){ n[0], n[1], n[2], 1.0 };
  } else if (readNumbers(value, 4, n)) {
    *outColor = (crColor){ n[0], n[1], n[2], n[3] };
  } else if (value->kind != cr_valueString) {
    crReading_ComplainType(reading, field, value, "a colour's name, \"#rrggbb[aa]\", {r, g, b} or {r, g, b, a}");
  } else if (!crFindColor(value->string, outColor)) {
    crReading_Complain(reading, field->name, " is not a known colour", value->string,
                       "a CSS colour name or \"#rrggbb[aa]\"", NULL);
  }
}

static void readGravity(crReading* reading, const crField* field, const crValue* value, crGravity* outGravity)
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
    crReading_ComplainType(reading, field, value, "{x, y, z}, \"none\", or {centre = {x, y, z}, mu = number}");
    return;
  }
  outGravity->mu = mu->number;
}

// One number or flag for all, or a list with one for each. Reports anything else.
static void readSeveral(crReading* reading, const crField* field, const crValue* value, int count, double* outNumbers,
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
    crReading_ComplainType(reading, field, value, allowed);
    return;
  }
  for (int i = 0; i < count; ++i) {
    const crValue* one = isOne ? value : &value->items[i];
    if (outFlags != NULL) {
      outFlags[i] = one->boolean;
    } else if (outNumbers != NULL) {
      outNumbers[i] = one->number;
    }
  }
}

static void readNumber(crReading* reading, const crField* field, const crValue* value, double* outNumber)
{
  if (value->kind != cr_valueNumber) {
    crReading_ComplainType(reading, field, value, "a number");
  } else if (!isfinite(value->number)) {
    char found[CR_NUMBER_SIZE];
    crFormatNumber(value->number, found);
    crReading_Complain(reading, field->name, " must be finite", found, "any finite number", NULL);
  } else {
    *outNumber = field->factor != 0.0 ? field->factor * value->number : value->number;
  }
}

static void readInteger(crReading* reading, const crField* field, const crValue* value, double max, double* outNumber)
{
  *outNumber = 0.0;
  if (value->kind != cr_valueNumber) {
    crReading_ComplainType(reading, field, value, "a whole number");
  } else if (!(value->number >= 0.0 && value->number <= max) || value->number != floor(value->number)) {
    char found[32], allowed[64];
    snprintf(found, sizeof found, "%.12g", value->number);
    snprintf(allowed, sizeof allowed, "a whole number from 0 to %.0f", max);
    crReading_Complain(reading, field->name, " is out of range", found, allowed, NULL);
  } else {
    *outNumber = value->number;
  }
}

static void readEnum(crReading* reading, const crField* field, const crValue* value, int* outNumber)
{
  for (const crChoice* choice = field->choices; value->kind == cr_valueString && choice->text != NULL; ++choice) {
    if (strcmp(value->string, choice->text) == 0) {
      *outNumber = choice->value;
      return;
    }
  }
  char allowed[128] = "";
  for (const crChoice* choice = field->choices; choice->text != NULL; ++choice) {
    size_t used = strlen(allowed);
    snprintf(allowed + used, sizeof allowed - used, "%s\"%s\"", choice > field->choices ? ", " : "", choice->text);
  }
  crReading_Complain(reading, field->name, " is not one of its values",
                     value->kind == cr_valueString ? value->string : crValue_Describe(value), allowed, NULL);
}

static void readBool(crReading* reading, const crField* field, const crValue* value, void* member)
{
  if (value->kind != cr_valueBool) {
    crReading_ComplainType(reading, field, value, "true or false");
  } else if (field->type == cr_fieldCollision) {
    *(crJointCollision*)member = value->boolean ? cr_collisionAllowed : cr_collisionNever;
  } else {
    *(bool*)member = field->type == cr_fieldNot ? !value->boolean : value->boolean;
  }
}

// A string, or the name of an element that the file may also have given itself.
static void readName(crReading* reading, const crField* field, const crValue* value, const char** outName)
{
  crElementKind kind = value->element;
  bool isMaterial = kind == cr_elementSolidMaterial || kind == cr_elementVisualMaterial;
  bool isSignal = field->type == cr_fieldSignal || field->type == cr_fieldSignals || field->type == cr_fieldArguments;
  bool isObject = field->type == cr_fieldPath || field->type == cr_fieldPaths;
  bool fits = kind == cr_elementNone || (isObject && kind == cr_elementObject) ||
              (field->type == cr_fieldJoint && kind == cr_elementJoint) ||
              (field->type == cr_fieldCoupling && kind == cr_elementCoupling) ||
              (isSignal && kind == cr_elementSignal) || (field->type == cr_fieldMaterial && isMaterial);
  if (value->kind == cr_valueString && fits) {
    *outName = value->string;
    return;
  }
  static const char* const allowed[] = { [cr_fieldString] = "a string",
                                         [cr_fieldPath] = "an object or its path",
                                         [cr_fieldMaterial] = "a material or its name",
                                         [cr_fieldJoint] = "a joint or its path",
                                         [cr_fieldCoupling] = "a coupling or its path",
                                         [cr_fieldSignal] = "a signal or its path",
                                         [cr_fieldPaths] = "a list of objects or their paths",
                                         [cr_fieldSignals] = "a list of signals or their paths",
                                         [cr_fieldStrings] = "a list of strings",
                                         [cr_fieldArguments] = "signals or their paths, by name" };
  crReading_ComplainType(reading, field, value, allowed[field->type]);
}

static void readList(crReading* reading, const crField* field, const crValue* value, const double** outNumbers,
                     int* outCount)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0) {
    crReading_ComplainType(reading, field, value, "a list of numbers");
    return;
  }
  double* numbers = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *numbers);
  if (numbers == NULL) {
    crReading_RunOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    if (value->items[i].kind != cr_valueNumber) {
      char name[64];
      snprintf(name, sizeof name, "%s[%d]", field->name, i + 1);
      crReading_Complain(reading, name, " is not a number", crValue_Describe(&value->items[i]), "a number", NULL);
      return;
    }
    numbers[i] = value->items[i].number;
  }
  *outNumbers = numbers;
  *outCount = value->itemCount;
}

// A list of signals or of strings.
static void readNames(crReading* reading, const crField* field, const crValue* value, const char* const** outNames,
                      int* outCount)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0) {
    crReading_ComplainType(reading, field, value,
                           field->type == cr_fieldSignals ? "a list of signals or their paths"
                           : field->type == cr_fieldPaths ? "a list of objects or their paths"
                                                          : "a list of strings");
    return;
  }
  const char** names = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *names);
  if (names == NULL) {
    crReading_RunOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    readName(reading, field, &value->items[i], &names[i]);
  }
  *outNames = names;
  *outCount = value->itemCount;
}

static void readArguments(crReading* reading, const crField* field, const crValue* value,
                          const crArgument** outArguments, int* outCount)
{
  if (value->kind != cr_valueTable || value->itemCount > 0) {
    crReading_ComplainType(reading, field, value, "signals by name, { x = signal, ... }");
    return;
  }
  size_t count = (size_t)value->fieldCount;
  crArgument* arguments = crArena_AllocateZero(&reading->reader->scratch, count, sizeof *arguments);
  if (arguments == NULL) {
    crReading_RunOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->fieldCount; ++i) {
    arguments[i].name = value->keys[i];
    readName(reading, field, &value->fields[i], &arguments[i].signal);
  }
  *outArguments = arguments;
  *outCount = value->fieldCount;
}

static void readNamed(crReading* reading, const crField* field, const crValue* value, const crNamedNumber** outNumbers,
                      int* outCount)
{
  if (value->kind != cr_valueTable || value->itemCount > 0) {
    crReading_ComplainType(reading, field, value, "numbers by name, { x = 1, ... }");
    return;
  }
  crNamedNumber* numbers = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->fieldCount, sizeof *numbers);
  if (numbers == NULL) {
    crReading_RunOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->fieldCount; ++i) {
    if (value->fields[i].kind != cr_valueNumber) {
      char name[128];
      snprintf(name, sizeof name, "%s.%.60s", field->name, value->keys[i]);
      crReading_Complain(reading, name, " is not a number", crValue_Describe(&value->fields[i]), "a number", NULL);
      return;
    }
    numbers[i] = (crNamedNumber){ value->keys[i], value->fields[i].number };
  }
  *outNumbers = numbers;
  *outCount = value->fieldCount;
}

static void readPoints(crReading* reading, const crField* field, const crValue* value, const crVec3** outPoints,
                       int* outCount)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0) {
    crReading_ComplainType(reading, field, value, "a list of points {x, y, z}");
    return;
  }
  crVec3* points = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *points);
  if (points == NULL) {
    crReading_RunOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    if (!readVec3(&value->items[i], &points[i])) {
      char name[64];
      snprintf(name, sizeof name, "%s[%d]", field->name, i + 1);
      crReading_Complain(reading, name, " is not a point", crValue_Describe(&value->items[i]), "{x, y, z}", NULL);
      return;
    }
  }
  *outPoints = points;
  *outCount = value->itemCount;
}

static void readTable(crReading* reading, const crField* field, const crValue* value, const crTablePoint** outTable,
                      int* outCount)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0) {
    crReading_ComplainType(reading, field, value, "a list of points {x, y}");
    return;
  }
  crTablePoint* table = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *table);
  if (table == NULL) {
    crReading_RunOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    double n[2];
    if (!readNumbers(&value->items[i], 2, n)) {
      char name[64];
      snprintf(name, sizeof name, "%s[%d]", field->name, i + 1);
      crReading_Complain(reading, name, " is not a point", crValue_Describe(&value->items[i]), "{x, y}", NULL);
      return;
    }
    table[i] = (crTablePoint){ n[0], n[1] };
  }
  *outTable = table;
  *outCount = value->itemCount;
}

// What a parameter is; false: it cannot be one.
static bool readParameterValue(const crValue* value, crParameter* parameter)
{
  bool isText = value->kind == cr_valueString, isFlag = value->kind == cr_valueBool;
  parameter->kind = isText ? cr_parameterString : isFlag ? cr_parameterBool : cr_parameterNumber;
  parameter->number = isFlag ? value->boolean : isText ? 0.0 : value->number;
  parameter->string = isText ? value->string : NULL;
  return isText || isFlag || value->kind == cr_valueNumber;
}

// One field of { value =, min =, max =, unit =, label = }.
static void readParameterField(crReading* reading, const char* key, const crValue* value, crParameter* parameter)
{
  char name[128];
  snprintf(name, sizeof name, "%.100s.%.20s", parameter->name, key);
  bool isMin = strcmp(key, "min") == 0, isMax = strcmp(key, "max") == 0, isUnit = strcmp(key, "unit") == 0;
  if (isMin || isMax) {
    if (value->kind != cr_valueNumber) {
      crReading_Complain(reading, name, " is of the wrong type", crValue_Describe(value), "a number", NULL);
    } else {
      *(isMin ? &parameter->min : &parameter->max) = value->number;
    }
  } else if (isUnit || strcmp(key, "label") == 0) {
    if (value->kind != cr_valueString) {
      crReading_Complain(reading, name, " is of the wrong type", crValue_Describe(value), "a string", NULL);
    } else {
      *(isUnit ? &parameter->unit : &parameter->label) = value->string;
    }
  } else if (strcmp(key, "value") != 0) {
    crReading_Complain(reading, name, " is no field of a parameter", NULL, "value, min, max, unit, label", NULL);
  }
}

static void readDescribedParameter(crReading* reading, const crValue* value, crParameter* parameter)
{
  bool hasMin = crValue_Find(value, "min") != NULL, hasMax = crValue_Find(value, "max") != NULL;
  parameter->min = hasMin || hasMax ? -HUGE_VAL : 0.0;
  parameter->max = hasMin || hasMax ? HUGE_VAL : 0.0;
  for (int i = 0; i < value->fieldCount; ++i) {
    readParameterField(reading, value->keys[i], &value->fields[i], parameter);
  }
  if (hasMin && hasMax && parameter->min == 0.0 && parameter->max == 0.0) { // which means none
    crReading_Complain(reading, parameter->name, " has a max that is not above its min", "0", "min < max", NULL);
  }
}

static bool readProfileWay(const char* key, const crValue* value, crProfilePoint* out)
{
  double pair[2] = { 0.0, 0.0 };
  if (strcmp(key, "arc") == 0 || strcmp(key, "involute") == 0) {
    *(key[0] == 'a' ? &out->arc : &out->involute) = value->number;
    return value->kind == cr_valueNumber;
  }
  if (strcmp(key, "spline") == 0) {
    out->isSpline = value->kind == cr_valueBool && value->boolean;
    return value->kind == cr_valueBool;
  }
  bool isThrough = strcmp(key, "through") == 0, isTangent = strcmp(key, "tangent") == 0;
  bool isTo = strcmp(key, "to") == 0;
  if (!(isThrough || isTangent || isTo) || !readNumbers(value, 2, pair)) {
    return false;
  }
  out->hasThrough = out->hasThrough || isThrough;
  out->hasTangent = out->hasTangent || isTangent;
  double* to = isThrough ? &out->throughX : isTangent ? &out->tangentX : &out->x;
  double* next = isThrough ? &out->throughY : isTangent ? &out->tangentY : &out->y;
  *to = pair[0];
  *next = pair[1];
  return true;
}

// The way to a point: { x, y, arc = radius } or { x, y, through = { x, y } }, and so on; or { to = { x, y }, ... }; as
// a list { x, y, radius } or { x, y, x, y }.
static bool readProfilePoint(const crValue* value, crProfilePoint* out)
{
  bool hasTo = value->kind == cr_valueTable && crValue_Find(value, "to") != NULL;
  if (value->kind != cr_valueTable || value->itemCount < (hasTo ? 0 : 2) || value->itemCount > (hasTo ? 0 : 4) ||
      (value->fieldCount > 0 && value->itemCount > 2)) {
    return false;
  }
  double n[4] = { 0.0 };
  for (int i = 0; i < value->itemCount; ++i) {
    if (value->items[i].kind != cr_valueNumber) {
      return false;
    }
    n[i] = value->items[i].number;
  }
  *out = (crProfilePoint){ .x = n[0], .y = n[1], .arc = value->itemCount == 3 ? n[2] : 0.0 };
  if (value->itemCount == 4) {
    out->hasThrough = true;
    out->throughX = n[2];
    out->throughY = n[3];
  }
  bool isRight = true;
  for (int i = 0; i < value->fieldCount; ++i) {
    isRight = readProfileWay(value->keys[i], &value->fields[i], out) && isRight;
  }
  return isRight;
}

static void readProfile(crReading* reading, const crField* field, const crValue* value,
                        const crProfilePoint** outPoints, int* outCount)
{
  if (value->kind != cr_valueTable || value->fieldCount > 0) {
    crReading_ComplainType(reading, field, value, "a list of points {x, y}");
    return;
  }
  crProfilePoint* points = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *points);
  if (points == NULL) {
    crReading_RunOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    if (!readProfilePoint(&value->items[i], &points[i])) {
      char name[64];
      snprintf(name, sizeof name, "%s[%d]", field->name, i + 1);
      crReading_Complain(reading, name, " is not a point of a profile", crValue_Describe(&value->items[i]),
                         "{x, y}, with one of arc = radius, through = {x, y}, involute = radius, spline = true", NULL);
      return;
    }
  }
  *outPoints = points;
  *outCount = value->itemCount;
}

static void readParameters(crReading* reading, const crField* field, const crValue* value,
                           const crParameter** outParameters, int* outCount)
{
  if (value->kind != cr_valueTable || value->itemCount > 0) {
    crReading_ComplainType(reading, field, value, "a table of numbers, strings and booleans");
    return;
  }
  crParameter* parameters =
      crArena_AllocateZero(&reading->reader->scratch, (size_t)value->fieldCount, sizeof *parameters);
  if (parameters == NULL) {
    crReading_RunOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->fieldCount; ++i) {
    const crValue *one = &value->fields[i], *inner = crValue_Find(one, "value");
    parameters[i].name = value->keys[i];
    if (!readParameterValue(inner != NULL ? inner : one, &parameters[i])) {
      crReading_Complain(reading, value->keys[i], " is not a parameter", crValue_Describe(inner != NULL ? inner : one),
                         "a number, a string, true, false, or { value =, min =, max =, unit =, label = }", NULL);
    } else if (inner != NULL) {
      readDescribedParameter(reading, one, &parameters[i]);
    }
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
  int count = reader->options != NULL ? reader->options->meshCount : 0;
  for (int i = 0; i < count; ++i) {
    const crMeshFile* known = &reader->options->meshes[i];
    if (known->scale.x == scale.x && known->scale.y == scale.y && known->scale.z == scale.z &&
        strcmp(known->file, file) == 0) {
      return known->mesh;
    }
  }
  return NULL;
}

static void refuseMesh(crReading* reading, const char* file, const char* hint)
{
  char message[CR_FIELD_PATH_SIZE + 64];
  snprintf(message, sizeof message, "%sfile lies outside the model's folder", reading->where);
  crComplaint complaint = {
    .message = message, .found = file, .allowed = "files in the model's folder, or in one that is allowed", .hint = hint
  };
  crReport(reading->reporter, cr_severityError, cr_errorFile, &complaint);
  reading->status = cr_errorFile;
}

// A file as it is opened. false: too long a name.
static bool placeFile(const crElementReader* reader, const char* file, char outPath[CR_FILE_PATH_SIZE])
{
  bool isRelative = file[0] != '/' && reader->folder != NULL && reader->folder[0] != '\0';
  int size =
      snprintf(outPath, CR_FILE_PATH_SIZE, "%s%s%s", isRelative ? reader->folder : "", isRelative ? "/" : "", file);
  return size < CR_FILE_PATH_SIZE;
}

// Reads a file once per scale, however many shapes use it.
static const crMesh* findMesh(crReading* reading, const char* file, crVec3 scale)
{
  crElementReader* reader = reading->reader;
  const crMesh* knownMesh = findKnownMesh(reader, file, scale);
  if (knownMesh != NULL) {
    return knownMesh;
  }
  char path[CR_FILE_PATH_SIZE], key[CR_FILE_PATH_SIZE + 100];
  if (!placeFile(reader, file, path)) {
    crReading_Complain(reading, "file", " has too long a name", NULL, "at most 4095 bytes with its folder", NULL);
    return NULL;
  }
  snprintf(key, sizeof key, "%s|%a|%a|%a", path, scale.x, scale.y, scale.z);
  int known = crMap_FindString(&reader->meshes, key);
  if (known >= 0) {
    return reader->meshList.items[known];
  }
  if (!reader->readsAnywhere && !crMayReadMesh(path, reader->folder, reader->options)) {
    refuseMesh(reading, file, "--allow-path DIR lets models read meshes there");
    return NULL;
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
    crReading_RunOutOfMemory(reading);
    return NULL;
  }
  *place = mesh;
  if (!crMap_SetString(&reader->meshes, ownKey, reader->meshList.count - 1)) {
    crReading_RunOutOfMemory(reading);
  }
  return mesh;
}

static void readMesh(crReading* reading, const crField* field, const crValue* value, const crValue* shape,
                     const crMesh** outMesh, const char** outFile)
{
  if (value->kind != cr_valueString || value->string[0] == '\0') {
    crReading_ComplainType(reading, field, value, "the name of an STL, OBJ or COLLADA file");
    return;
  }
  *outMesh = findMesh(reading, value->string, findScale(shape));
  *outFile = value->string;
}

// Pieces of a mesh that were kept beside its file, if it asks for such.
static const crMesh* findPieces(crReading* reading, const crValue* shape, const crMesh* mesh, const char* file)
{
  crElementReader* reader = reading->reader;
  const crValue *pieces = crValue_Find(shape, "pieces"), *error = crValue_Find(shape, "error");
  bool isMade = pieces != NULL && pieces->kind == cr_valueString && strcmp(pieces->string, "decompose") == 0;
  char path[CR_FILE_PATH_SIZE], kept[CR_KEPT_PATH_SIZE];
  if (mesh == NULL || !isMade || findKnownMesh(reader, file, findScale(shape)) != NULL ||
      !placeFile(reader, file, path) ||
      !crFindKeptPieces(path, mesh, error != NULL && error->kind == cr_valueNumber ? error->number : 0.0, kept) ||
      (!reader->readsAnywhere && !crMayReadMesh(kept, reader->folder, reader->options))) {
    return NULL;
  }
  crErrorSink sink = crReporter_Sink(reading->reporter);
  const crMesh* made =
      crReadKeptPieces(kept, mesh, error != NULL ? error->number : 0.0, reader->fileLimit, &reader->allocator, &sink);
  const crMesh** place = made != NULL ? crArray_Push(&reader->meshList, &reader->allocator) : NULL;
  if (made != NULL && place == NULL) {
    crReleaseMesh(made);
    crReading_RunOutOfMemory(reading);
    return NULL;
  }
  if (place != NULL) {
    *place = made;
  }
  return made;
}

// ----------------------------------------------------------------------------------------- heights

// Room for heights, and their counts.
static double* makeHeights(crReading* reading, int rowCount, int columnCount, int outCounts[2])
{
  double* heights =
      crArena_AllocateZero(&reading->reader->scratch, (size_t)rowCount * (size_t)columnCount + 1, sizeof *heights);
  if (heights == NULL) {
    crReading_RunOutOfMemory(reading);
    return NULL;
  }
  outCounts[0] = rowCount;
  outCounts[1] = columnCount;
  return heights;
}

static bool isList(const crValue* value)
{
  return value->kind == cr_valueTable && value->fieldCount == 0;
}

// Rows of numbers, all of them as long as the first.
static void readHeights(crReading* reading, const crField* field, const crValue* value, const double** outHeights,
                        int outCounts[2])
{
  if (!isList(value) || value->itemCount == 0 || !isList(&value->items[0])) {
    crReading_ComplainType(reading, field, value, "a list of rows of numbers");
    return;
  }
  int columnCount = value->items[0].itemCount;
  double* heights = makeHeights(reading, value->itemCount, columnCount, outCounts);
  for (int j = 0; heights != NULL && j < value->itemCount; ++j) {
    const crValue* row = &value->items[j];
    char name[64];
    snprintf(name, sizeof name, "%s[%d]", field->name, j + 1);
    if (!isList(row) || row->itemCount != columnCount) {
      crReading_Complain(reading, name, " is no row like the first", crValue_Describe(row),
                         "as many numbers as in the first row", NULL);
      return;
    }
    for (int i = 0; i < columnCount; ++i) {
      if (row->items[i].kind != cr_valueNumber) {
        snprintf(name, sizeof name, "%s[%d][%d]", field->name, j + 1, i + 1);
        crReading_Complain(reading, name, " is not a number", crValue_Describe(&row->items[i]), "a number", "m");
        return;
      }
      heights[(size_t)j * (size_t)columnCount + (size_t)i] = row->items[i].number;
    }
  }
  *outHeights = heights;
}

// The picture of a file that may be read. false: it is reported.
static bool openPicture(crReading* reading, const char* file, crGreyPicture* outPicture)
{
  crElementReader* reader = reading->reader;
  crErrorSink sink = crReporter_Sink(reading->reporter);
  char path[CR_FILE_PATH_SIZE], *bytes;
  size_t size;
  if (!placeFile(reader, file, path)) {
    crReading_Complain(reading, "file", " has too long a name", NULL, "at most 4095 bytes with its folder", NULL);
    return false;
  }
  if (!reader->readsAnywhere && !crMayReadMesh(path, reader->folder, reader->options)) {
    refuseMesh(reading, file, "--allow-path DIR lets models read meshes there");
    return false;
  }
  crStatus status = crReadFile(path, reader->fileLimit, &reader->allocator, &sink, &bytes, &size);
  if (status == cr_ok) {
    status = crReadPng(bytes, size, path, &reader->allocator, &sink, outPicture);
    crFree(&reader->allocator, bytes, size + 1);
  }
  reading->status = status == cr_ok ? reading->status : status == cr_errorMemory ? cr_errorMemory : cr_errorFile;
  return status == cr_ok;
}

static void readPicture(crReading* reading, const crField* field, const crValue* value, const crValue* shape,
                        const double** outHeights, int outCounts[2])
{
  const crValue* height = crValue_Find(shape, "height");
  double white = height != NULL && height->kind == cr_valueNumber && height->number != 0.0 ? height->number : 1.0;
  crGreyPicture picture;
  if (value->kind != cr_valueString || value->string[0] == '\0') {
    crReading_ComplainType(reading, field, value, "the name of a PNG file");
    return;
  }
  if (crValue_Find(shape, "heights") != NULL) {
    crReading_Complain(reading, field->name, " is given beside heights", NULL, "one of them", NULL);
    return;
  }
  if (!openPicture(reading, value->string, &picture)) {
    return;
  }
  double* heights = makeHeights(reading, picture.rowCount, picture.columnCount, outCounts);
  for (int i = 0; heights != NULL && i < picture.rowCount * picture.columnCount; ++i) {
    heights[i] = white * picture.values[i];
  }
  *outHeights = heights;
  crGreyPicture_Free(&picture, &reading->reader->allocator);
}

// -------------------------------------------------------------------------------------------- FMUs

// Where it is, whoever asks for it later and wherever that is.
static void readFmu(crReading* reading, const crField* field, const crValue* value, const char** outFile,
                    const char** outPath)
{
  crElementReader* reader = reading->reader;
  char path[CR_FILE_PATH_SIZE];
  if (value->kind != cr_valueString || value->string[0] == '\0') {
    crReading_ComplainType(reading, field, value, "the name of an FMU");
    return;
  }
  if (!placeFile(reader, value->string, path)) {
    crReading_Complain(reading, "file", " has too long a name", NULL, "at most 4095 bytes with its folder", NULL);
    return;
  }
  bool isRead = reader->options == NULL || !reader->options->skipsFmus;
  if (isRead && !reader->readsAnywhere && !crMayReadMesh(path, reader->folder, reader->options)) {
    refuseMesh(reading, value->string, "--allow-path DIR lets models read files there");
    return;
  }
  char* real = realpath(path, NULL);
  *outFile = value->string;
  *outPath =
      crArena_CopyString(&reader->scratch, real != NULL ? real : path); // what is not there is told by who opens it
  free(real);
  if (*outPath == NULL) {
    crReading_RunOutOfMemory(reading);
  }
}

// ------------------------------------------------------------------------------------------ fields

static bool readMember(crReading* reading, const crField* field, const crValue* value, const crValue* table, void* def)
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
    case cr_fieldMask:
      readInteger(reading, field, value, UINT32_MAX, &whole);
      *(uint32_t*)member = ~(uint32_t)whole;
      break;
    case cr_fieldBool:
    case cr_fieldNot:
    case cr_fieldCollision: readBool(reading, field, value, member); break;
    case cr_fieldString:
    case cr_fieldPath:
    case cr_fieldMaterial:
    case cr_fieldJoint:
    case cr_fieldCoupling:
    case cr_fieldSignal: readName(reading, field, value, member); break;
    case cr_fieldNumbers: readList(reading, field, value, member, behind); break;
    case cr_fieldPaths:
    case cr_fieldSignals:
    case cr_fieldStrings: readNames(reading, field, value, member, behind); break;
    case cr_fieldArguments: readArguments(reading, field, value, member, behind); break;
    case cr_fieldNamed: readNamed(reading, field, value, member, behind); break;
    case cr_fieldEnum: readEnum(reading, field, value, member); break;
    case cr_fieldVec3:
      if (!readVec3(value, member)) {
        crReading_ComplainType(reading, field, value, "a list of three numbers");
      }
      break;
    case cr_fieldAxis:
      if (!readAxis(value, member)) {
        crReading_ComplainType(reading, field, value,
                               "a list of three numbers, or \"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\"");
      }
      break;
    case cr_fieldScale:
      if (value->kind == cr_valueNumber) {
        *(crVec3*)member = crMakeVec3(value->number, value->number, value->number);
      } else if (!readVec3(value, member)) {
        crReading_ComplainType(reading, field, value, "a number or a list of three numbers");
      }
      break;
    case cr_fieldRotation: readRotation(reading, field, value, member); break;
    case cr_fieldColor: readColor(reading, field, value, member); break;
    case cr_fieldSym3: readSym3(reading, field, value, member); break;
    case cr_fieldGravity: readGravity(reading, field, value, member); break;
    case cr_fieldPoints: readPoints(reading, field, value, member, behind); break;
    case cr_fieldTable: readTable(reading, field, value, member, behind); break;
    case cr_fieldProfile: readProfile(reading, field, value, member, behind); break;
    case cr_fieldHeights: readHeights(reading, field, value, member, behind); break;
    case cr_fieldFmu: readFmu(reading, field, value, member, behind); break;
    case cr_fieldPicture: readPicture(reading, field, value, table, member, behind); break;
    case cr_fieldMesh: {
      crShapeDef* shape = def;
      readMesh(reading, field, value, table, member, behind);
      shape->as.mesh.made = findPieces(reading, table, shape->as.mesh.mesh, shape->as.mesh.file);
      break;
    }
    case cr_fieldShape:
    case cr_fieldFeatures: return false;
    case cr_fieldParameters: readParameters(reading, field, value, member, behind); break;
    case cr_fieldCoordinates: readSeveral(reading, field, value, reading->qCount, member, NULL); break;
    case cr_fieldRates:
    case cr_fieldEach: readSeveral(reading, field, value, reading->vCount, member, NULL); break;
    case cr_fieldFlags: readSeveral(reading, field, value, reading->vCount, NULL, member); break;
  }
  return true;
}

bool crReading_ReadField(crReading* reading, const crField* field, const crValue* value, const crValue* table,
                         void* def)
{
  int errorCount = reading->reporter->errorCount;
  bool isPlain = readMember(reading, field, value, table, def);
  if (isPlain && reading->reporter->errorCount == errorCount) {
    crReading_ApplyZeroRule(reading, field, (char*)def + field->offset);
  }
  return isPlain;
}
