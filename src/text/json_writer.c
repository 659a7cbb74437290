// From defs to canonical JSON, field by field after the records of scene/field.h.
//
// A field that equals its default bit for bit is left out, a required one is always written, aliases never: one
// scene has one text. Jansson's dumper is not used, see json_text.h.
#include "base/report.h"
#include "base/text.h"
#include "geometry/shape_kind.h"
#include "joint/joint_kind.h"
#include "scene/field.h"
#include "scene/parameter.h"
#include "scene/scene.h"
#include "text/json_format.h"
#include "text/json_text.h"
#include "text/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const crJsonSection crJsonSections[CR_JSON_SECTION_COUNT] = {
  { "solidMaterials", cr_elementSolidMaterial, "Solid materials beside or instead of those of the palette." },
  { "contactPairs", cr_elementContactPair, "Contact pairs beside or instead of those of the palette." },
  { "visualMaterials", cr_elementVisualMaterial, "Looks." },
  { "assemblies", cr_elementAssembly, "Named groups of elements, for the record." },
  { "objects", cr_elementObject, "Coordinate systems with features." },
  { "joints", cr_elementJoint, "What connects objects." },
  { "forces", cr_elementForce, "What pushes objects." },
  { "couplings", cr_elementCoupling, "Equations between coordinates of joints." },
  { "signals", cr_elementSignal, "What computes numbers." },
  { "exclusions", cr_elementExclusion, "Rigid groups that never collide." },
  { "actions", cr_elementAction, "Changes of the structure during a run." },
};

// What is being written. A dry run comes first, so that a scene with faults leaves no half of a text behind.
typedef struct Writing {
  crJsonText text;
  crReporter reporter;          // of the element
  const crJsonFolders* folders; // or NULL
  const crJointType* jointType; // of a joint
  int faultCount;
} Writing;

static void complain(Writing* writing, const char* field, const char* message, const char* hint)
{
  if (writing->text.writer.write == NULL) { // the dry run has told it all
    char line[256];
    snprintf(line, sizeof line, "%.100s %s", field, message);
    crComplaint complaint = { .message = line, .hint = hint };
    crReport(&writing->reporter, cr_severityError, cr_errorModel, &complaint);
  }
  ++writing->faultCount;
}

// ------------------------------------------------------------------------------------ plain values

static void writeString(Writing* writing, const char* field, const char* string)
{
  if (!crIsUtf8(string, strlen(string))) {
    complain(writing, field, "is not valid UTF-8, which JSON cannot hold", NULL);
  }
  crJsonText_String(&writing->text, string);
}

static void writeStrings(Writing* writing, const char* field, const char* const* strings, int count)
{
  crJsonText_BeginArray(&writing->text);
  for (int i = 0; i < count; ++i) {
    writeString(writing, field, strings[i]);
  }
  crJsonText_EndArray(&writing->text);
}

static void writeNumber(Writing* writing, const char* field, double number)
{
  if (!isfinite(number)) {
    complain(writing, field, "is not a finite number, which JSON cannot hold", NULL);
  }
  crJsonText_Number(&writing->text, number);
}

static void writeNumbers(Writing* writing, const char* field, const double* numbers, int count)
{
  crJsonText_BeginArray(&writing->text);
  for (int i = 0; i < count; ++i) {
    writeNumber(writing, field, numbers[i]);
  }
  crJsonText_EndArray(&writing->text);
}

static void writeArguments(Writing* writing, const crArgument* arguments, int count)
{
  crJsonText_BeginObject(&writing->text);
  for (int i = 0; i < count; ++i) {
    crJsonText_Key(&writing->text, arguments[i].name);
    writeString(writing, arguments[i].name, arguments[i].signal);
  }
  crJsonText_EndObject(&writing->text);
}

static void writeNamed(Writing* writing, const crNamedNumber* numbers, int count)
{
  crJsonText_BeginObject(&writing->text);
  for (int i = 0; i < count; ++i) {
    crJsonText_Key(&writing->text, numbers[i].name);
    writeNumber(writing, numbers[i].name, numbers[i].value);
  }
  crJsonText_EndObject(&writing->text);
}

static void writeVec3(Writing* writing, const char* field, crVec3 v)
{
  const double numbers[] = { v.x, v.y, v.z };
  writeNumbers(writing, field, numbers, 3);
}

// Equal with the same sign, so that -0 is not 0; all NaN count as one, "not given".
static bool sameNumbers(const double* a, const double* b, int count)
{
  for (int i = 0; i < count; ++i) {
    bool isEqual = a[i] == b[i] && signbit(a[i]) == signbit(b[i]);
    if (!isEqual && !(isnan(a[i]) && isnan(b[i]))) {
      return false;
    }
  }
  return true;
}

static bool sameVec3(crVec3 a, crVec3 b)
{
  const double as[] = { a.x, a.y, a.z }, bs[] = { b.x, b.y, b.z };
  return sameNumbers(as, bs, 3);
}

static void writeSym3(Writing* writing, const char* field, const double* numbers)
{
  static const double zero[3] = { 0.0, 0.0, 0.0 };
  writeNumbers(writing, field, numbers, sameNumbers(numbers + 3, zero, 3) ? 3 : 6);
}

static void writeScale(Writing* writing, const char* field, const double* numbers)
{
  if (sameNumbers(numbers, numbers + 1, 2)) {
    writeNumber(writing, field, numbers[0]);
  } else {
    writeNumbers(writing, field, numbers, 3);
  }
}

// The coordinates or rates of a joint.
static void writeSeveral(Writing* writing, const char* field, const double* numbers, int count)
{
  if (count == 1) {
    writeNumber(writing, field, numbers[0]);
  } else {
    writeNumbers(writing, field, numbers, count);
  }
}

static void writeFlags(Writing* writing, const bool* flags, int count)
{
  int set = 0;
  for (int i = 0; i < count; ++i) {
    set += flags[i];
  }
  if (set == 0 || set == count) {
    crJsonText_Bool(&writing->text, set > 0);
    return;
  }
  crJsonText_BeginArray(&writing->text);
  for (int i = 0; i < count; ++i) {
    crJsonText_Bool(&writing->text, flags[i]);
  }
  crJsonText_EndArray(&writing->text);
}

static void writeGravity(Writing* writing, const char* field, const crGravity* gravity)
{
  if (gravity->kind == cr_gravityNone) {
    crJsonText_String(&writing->text, "none");
  } else if (gravity->kind == cr_gravityUniform) {
    writeVec3(writing, field, gravity->acceleration);
  } else {
    crJsonText_BeginObject(&writing->text);
    crJsonText_Key(&writing->text, "centre");
    writeVec3(writing, field, gravity->centre);
    crJsonText_Key(&writing->text, "mu");
    writeNumber(writing, field, gravity->mu);
    crJsonText_EndObject(&writing->text);
  }
}

static void writePoints(Writing* writing, const char* field, const crVec3* points, int count)
{
  crJsonText_BeginArray(&writing->text);
  for (int i = 0; i < count; ++i) {
    writeVec3(writing, field, points[i]);
  }
  crJsonText_EndArray(&writing->text);
}

static void writeTable(Writing* writing, const char* field, const crTablePoint* points, int count)
{
  crJsonText_BeginArray(&writing->text);
  for (int i = 0; i < count; ++i) {
    const double pair[] = { points[i].x, points[i].y };
    writeNumbers(writing, field, pair, 2);
  }
  crJsonText_EndArray(&writing->text);
}

// counts: rows, columns.
static void writeHeights(Writing* writing, const char* field, const double* heights, const int* counts)
{
  crJsonText_BeginArray(&writing->text);
  for (int j = 0; j < counts[0]; ++j) {
    writeNumbers(writing, field, heights + (size_t)j * (size_t)counts[1], counts[1]);
  }
  crJsonText_EndArray(&writing->text);
}

// With a way that a list has no place for.
static void writeNamedPoint(Writing* writing, const char* field, const crProfilePoint* p)
{
  const double to[] = { p->x, p->y }, through[] = { p->throughX, p->throughY },
               tangent[] = { p->tangentX, p->tangentY };
  crJsonText_BeginObject(&writing->text);
  crJsonText_Key(&writing->text, "to");
  writeNumbers(writing, field, to, 2);
  if (p->arc != 0.0 || p->involute != 0.0) {
    crJsonText_Key(&writing->text, p->arc != 0.0 ? "arc" : "involute");
    writeNumber(writing, field, p->arc != 0.0 ? p->arc : p->involute);
  }
  if (p->hasThrough) {
    crJsonText_Key(&writing->text, "through");
    writeNumbers(writing, field, through, 2);
  }
  if (p->isSpline) {
    crJsonText_Key(&writing->text, "spline");
    crJsonText_Bool(&writing->text, true);
  }
  if (p->hasTangent) {
    crJsonText_Key(&writing->text, "tangent");
    writeNumbers(writing, field, tangent, 2);
  }
  crJsonText_EndObject(&writing->text);
}

static void writeProfile(Writing* writing, const char* field, const crProfilePoint* points, int count)
{
  crJsonText_BeginArray(&writing->text);
  for (int i = 0; i < count; ++i) {
    const crProfilePoint* p = &points[i];
    if (p->involute != 0.0 || p->isSpline || p->hasTangent) {
      writeNamedPoint(writing, field, p);
      continue;
    }
    const double numbers[] = { p->x, p->y, p->hasThrough ? p->throughX : p->arc, p->throughY };
    writeNumbers(writing, field, numbers, p->hasThrough ? 4 : p->arc != 0.0 ? 3 : 2);
  }
  crJsonText_EndArray(&writing->text);
}

static bool isNamedBefore(const crParameter* parameters, int index)
{
  int i = 0;
  while (i < index && strcmp(parameters[i].name, parameters[index].name) != 0) {
    ++i;
  }
  return i < index;
}

static void writeParameterValue(Writing* writing, const crParameter* parameter)
{
  const char* name = parameter->name;
  switch (parameter->kind) {
    case cr_parameterNumber: writeNumber(writing, name, parameter->number); break;
    case cr_parameterBool: crJsonText_Bool(&writing->text, parameter->number != 0.0); break;
    case cr_parameterString: writeString(writing, name, parameter->string != NULL ? parameter->string : ""); break;
  }
}

// Bounds that are infinite are left out.
static void writeParameterBound(Writing* writing, const crParameter* parameter, const char* key, double bound)
{
  if (isfinite(bound)) {
    crJsonText_Key(&writing->text, key);
    writeNumber(writing, parameter->name, bound);
  }
}

// A plain value, or { "value": ..., "min": ..., ... } where there is more to say.
static void writeParameter(Writing* writing, const crParameter* parameter)
{
  bool hasRange = crParameter_HasRange(parameter);
  if (!hasRange && parameter->unit == NULL && parameter->label == NULL) {
    writeParameterValue(writing, parameter);
    return;
  }
  crJsonText_BeginObject(&writing->text);
  crJsonText_Key(&writing->text, "value");
  writeParameterValue(writing, parameter);
  if (hasRange) {
    writeParameterBound(writing, parameter, "min", parameter->min);
    writeParameterBound(writing, parameter, "max", parameter->max);
  }
  if (parameter->unit != NULL) {
    crJsonText_Key(&writing->text, "unit");
    writeString(writing, parameter->name, parameter->unit);
  }
  if (parameter->label != NULL) {
    crJsonText_Key(&writing->text, "label");
    writeString(writing, parameter->name, parameter->label);
  }
  crJsonText_EndObject(&writing->text);
}

static void writeParameters(Writing* writing, const crParameter* parameters, int count)
{
  crJsonText_BeginObject(&writing->text);
  for (int i = 0; i < count; ++i) {
    const crParameter* one = &parameters[i];
    if (isNamedBefore(parameters, i)) {
      complain(writing, one->name, "is the name of two parameters, which JSON cannot hold", NULL);
    }
    crJsonText_Key(&writing->text, one->name);
    writeParameter(writing, one);
  }
  crJsonText_EndObject(&writing->text);
}

static void writeMeshFile(Writing* writing, const char* field, const char* file)
{
  char moved[CR_FILE_PATH_SIZE];
  if (file == NULL || file[0] == '\0') {
    complain(writing, field, "is unknown: the mesh was made in memory",
             "write the mesh to a file and read it from there");
    file = "";
  } else if (writing->folders != NULL) {
    if (!crMovePath(file, writing->folders->from, writing->folders->to, moved)) {
      complain(writing, field, "is too long a path as seen from the new folder", NULL);
    } else {
      file = moved;
    }
  }
  writeString(writing, field, file);
}

// ----------------------------------------------------------------------------------------- records

static void writeFields(Writing* writing, const crRecord* record, const void* def, const void* standard);

static void writeShape(Writing* writing, const crShapeDef* shape)
{
  const crRecord* record = crGetShapeRecord(shape->kind);
  crShapeDef standard = crDefaultShapeDef(shape->kind);
  crCompleteShapeDef(&standard);
  crJsonText_BeginObject(&writing->text);
  crJsonText_KeyString(&writing->text, "type", record->type);
  writeFields(writing, record, shape, &standard);
  crJsonText_EndObject(&writing->text);
}

// Faults of a feature are shown under the object's path and the feature's number, as everywhere.
static void writeFeatures(Writing* writing, const crFeatureDef* features, int count)
{
  const char* object = writing->reporter.path;
  char path[CR_MAX_PATH + 64];
  crJsonText_BeginArray(&writing->text);
  for (int i = 0; i < count; ++i) {
    const crRecord* record = crGetFeatureRecord(features[i].kind);
    crFeatureDef standard = crDefaultFeatureDef(features[i].kind);
    crCompleteFeatureDef(&standard);
    snprintf(path, sizeof path, "%s.%s%d", object, record->type, i + 1);
    writing->reporter.path = path;
    crJsonText_BeginObject(&writing->text);
    crJsonText_KeyString(&writing->text, "type", record->type);
    writeFields(writing, record, &features[i].as, &standard.as);
    crJsonText_EndObject(&writing->text);
  }
  writing->reporter.path = object;
  crJsonText_EndArray(&writing->text);
}

#define CR_MAX_MEMBER_NUMBERS 7 // of a joint's coordinates

// The number of doubles that a member consists of, 0 for members of other types.
static int countNumbers(const Writing* writing, crFieldType type)
{
  switch (type) {
    case cr_fieldNumber: return 1;
    case cr_fieldVec3:
    case cr_fieldAxis:
    case cr_fieldScale: return 3;
    case cr_fieldRotation:
    case cr_fieldColor: return 4;
    case cr_fieldSym3: return 6;
    case cr_fieldCoordinates: return writing->jointType->qCount;
    case cr_fieldRates:
    case cr_fieldEach: return writing->jointType->vCount;
    default: return 0;
  }
}

static bool sameGravity(const crGravity* a, const crGravity* b)
{
  if (a->kind != b->kind) {
    return false;
  }
  switch (a->kind) {
    case cr_gravityUniform: return sameVec3(a->acceleration, b->acceleration);
    case cr_gravityPointMass: return sameVec3(a->centre, b->centre) && sameNumbers(&a->mu, &b->mu, 1);
    case cr_gravityEarth:
    case cr_gravityNone: break;
  }
  return true;
}

static bool sameStrings(const char* a, const char* b)
{
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool isDefault(const Writing* writing, const crField* field, const void* def, const void* standard)
{
  const void* member = (const char*)def + field->offset;
  const void* other = (const char*)standard + field->offset;
  const void* behind = (const char*)member + sizeof(void*);
  switch (field->type) {
    case cr_fieldInteger:
    case cr_fieldEnum: return *(const int*)member == *(const int*)other;
    case cr_fieldCollision: return *(const crJointCollision*)member == *(const crJointCollision*)other;
    case cr_fieldBits:
    case cr_fieldMask: return *(const uint32_t*)member == *(const uint32_t*)other;
    case cr_fieldBool:
    case cr_fieldNot: return *(const bool*)member == *(const bool*)other;
    case cr_fieldString:
    case cr_fieldPath:
    case cr_fieldJoint:
    case cr_fieldCoupling:
    case cr_fieldSignal:
    case cr_fieldMaterial: return sameStrings(*(const char* const*)member, *(const char* const*)other);
    case cr_fieldFlags: return memcmp(member, other, (size_t)writing->jointType->vCount * sizeof(bool)) == 0;
    case cr_fieldGravity: return sameGravity(member, other);
    case cr_fieldPoints:
    case cr_fieldNumbers:
    case cr_fieldPaths:
    case cr_fieldSignals:
    case cr_fieldStrings:
    case cr_fieldArguments:
    case cr_fieldNamed:
    case cr_fieldTable:
    case cr_fieldHeights:
    case cr_fieldProfile:
    case cr_fieldFeatures:
    case cr_fieldParameters: return *(const int*)behind == 0;
    case cr_fieldPicture: return true; // heights say all
    case cr_fieldMesh:
    case cr_fieldFmu:
    case cr_fieldShape: return false;
    default: return sameNumbers(member, other, countNumbers(writing, field->type));
  }
}

static const char* findChoice(const crField* field, int value)
{
  const crChoice* choice = field->choices;
  while (choice->text != NULL && choice->value != value) {
    ++choice;
  }
  return choice->text != NULL ? choice->text : "";
}

static void writeValue(Writing* writing, const crField* field, const void* def)
{
  const void* member = (const char*)def + field->offset;
  const void* behind = (const char*)member + sizeof(void*);
  int count = countNumbers(writing, field->type);
  double numbers[CR_MAX_MEMBER_NUMBERS];
  for (int i = 0; i < count; ++i) {
    double number = ((const double*)member)[i];
    numbers[i] = field->zero == cr_zeroKept ? crResolveZero(number) : number;
  }
  switch (field->type) {
    case cr_fieldNumber: writeNumber(writing, field->name, numbers[0]); break;
    case cr_fieldInteger: crJsonText_Number(&writing->text, *(const int*)member); break;
    case cr_fieldBits: crJsonText_Number(&writing->text, *(const uint32_t*)member); break;
    case cr_fieldMask: crJsonText_Number(&writing->text, (uint32_t) ~*(const uint32_t*)member); break;
    case cr_fieldBool: crJsonText_Bool(&writing->text, *(const bool*)member); break;
    case cr_fieldNot: crJsonText_Bool(&writing->text, !*(const bool*)member); break;
    case cr_fieldCollision:
      crJsonText_Bool(&writing->text, *(const crJointCollision*)member == cr_collisionAllowed);
      break;
    case cr_fieldString:
    case cr_fieldPath:
    case cr_fieldJoint:
    case cr_fieldCoupling:
    case cr_fieldSignal:
    case cr_fieldMaterial: writeString(writing, field->name, *(const char* const*)member); break;
    case cr_fieldEnum: crJsonText_String(&writing->text, findChoice(field, *(const int*)member)); break;
    case cr_fieldVec3:
    case cr_fieldAxis:
    case cr_fieldRotation:
    case cr_fieldColor: writeNumbers(writing, field->name, numbers, count); break;
    case cr_fieldScale: writeScale(writing, field->name, numbers); break;
    case cr_fieldSym3: writeSym3(writing, field->name, numbers); break;
    case cr_fieldCoordinates:
    case cr_fieldRates:
    case cr_fieldEach: writeSeveral(writing, field->name, numbers, count); break;
    case cr_fieldFlags: writeFlags(writing, member, writing->jointType->vCount); break;
    case cr_fieldGravity: writeGravity(writing, field->name, member); break;
    case cr_fieldPoints: writePoints(writing, field->name, *(const crVec3* const*)member, *(const int*)behind); break;
    case cr_fieldNumbers: writeNumbers(writing, field->name, *(const double* const*)member, *(const int*)behind); break;
    case cr_fieldPaths:
    case cr_fieldSignals:
    case cr_fieldStrings:
      writeStrings(writing, field->name, *(const char* const* const*)member, *(const int*)behind);
      break;
    case cr_fieldArguments: writeArguments(writing, *(const crArgument* const*)member, *(const int*)behind); break;
    case cr_fieldNamed: writeNamed(writing, *(const crNamedNumber* const*)member, *(const int*)behind); break;
    case cr_fieldTable:
      writeTable(writing, field->name, *(const crTablePoint* const*)member, *(const int*)behind);
      break;
    case cr_fieldProfile:
      writeProfile(writing, field->name, *(const crProfilePoint* const*)member, *(const int*)behind);
      break;
    case cr_fieldMesh: writeMeshFile(writing, field->name, *(const char* const*)behind); break;
    case cr_fieldFmu: writeMeshFile(writing, field->name, *(const char* const*)member); break;
    case cr_fieldHeights: writeHeights(writing, field->name, *(const double* const*)member, behind); break;
    case cr_fieldPicture: break;
    case cr_fieldShape: writeShape(writing, member); break;
    case cr_fieldFeatures: writeFeatures(writing, *(const crFeatureDef* const*)member, *(const int*)behind); break;
    case cr_fieldParameters: writeParameters(writing, *(const crParameter* const*)member, *(const int*)behind); break;
  }
}

static void writeFields(Writing* writing, const crRecord* record, const void* def, const void* standard)
{
  for (int i = 0; i < record->fieldCount; ++i) {
    const crField* field = &record->fields[i];
    bool isAlias = field->factor != 0.0;
    if (!isAlias && (field->isRequired || !isDefault(writing, field, def, standard))) {
      crJsonText_Key(&writing->text, field->name);
      writeValue(writing, field, def);
    }
  }
}

// ---------------------------------------------------------------------------------------- elements

// One element on its line. `type` is NULL for kinds that have one record only.
static void writeElement(Writing* writing, crSource source, const char* path, const char* type, const crRecord* record,
                         const void* def, const void* standard)
{
  writing->reporter.source = source;
  writing->reporter.path = path;
  crJsonText_BeginObject(&writing->text);
  if (type != NULL) {
    crJsonText_KeyString(&writing->text, "type", type);
  }
  writeFields(writing, record, def, standard);
  crJsonText_EndObject(&writing->text);
}

static void writeJoint(Writing* writing, const crJointDef* def)
{
  const crRecord* record = crGetJointRecord(def->kind);
  crJointDef standard = crDefaultJointDef(def->kind, NULL, NULL, NULL);
  crCompleteJointDef(&standard);
  writing->jointType = crGetJointType((int)def->kind);
  writeElement(writing, def->source, def->name, record->type, record, def, &standard);
}

static void writeForce(Writing* writing, const crForceDef* def)
{
  const crRecord* record = crGetForceRecord(def->kind);
  crForceDef standard = crDefaultForceDef(def->kind, NULL, NULL, NULL);
  writeElement(writing, def->source, def->name, record->type, record, def, &standard);
}

static void writeSignal(Writing* writing, const crSignalDef* def)
{
  const crRecord* record = crGetSignalRecord(def->kind);
  crSignalDef standard = crDefaultSignalDef(def->kind, NULL);
  crCompleteSignalDef(&standard);
  bool isInC = (def->kind == cr_signalFunction && def->as.function.code == NULL) ||
               (def->kind == cr_signalSampled && def->as.sampled.code == NULL);
  if (isInC) {
    writing->reporter.source = def->source;
    writing->reporter.path = def->name;
    complain(writing, "this function", "is in C, which JSON cannot hold", "write it in Lua");
    return;
  }
  writeElement(writing, def->source, def->name, record->type, record, def, &standard);
}

static void refuseUserLaw(Writing* writing, const crContactPairDef* def)
{
  writing->reporter.source = def->source;
  writing->reporter.path = def->materialA;
  complain(writing, "response", "is a function of the program that made the scene, which JSON cannot hold",
           "choose one of Carom's own responses");
}

static void writeById(Writing* writing, const crScene* scene, crElementKind kind, crId id)
{
  const crRecord* record = crGetElementRecord(kind);
  if (kind == cr_elementAssembly) {
    const crAssemblyDef* def = crScene_GetAssembly(scene, id);
    crAssemblyDef standard = crDefaultAssemblyDef(NULL);
    writeElement(writing, def->source, def->name, NULL, record, def, &standard);
  } else if (kind == cr_elementObject) {
    const crObjectDef* def = crScene_GetObject(scene, id);
    crObjectDef standard = crDefaultObjectDef(NULL);
    crCompleteObjectDef(&standard);
    writeElement(writing, def->source, def->name, NULL, record, def, &standard);
  } else if (kind == cr_elementJoint) {
    writeJoint(writing, crScene_GetJoint(scene, id));
  } else if (kind == cr_elementForce) {
    writeForce(writing, crScene_GetForce(scene, id));
  } else if (kind == cr_elementCoupling) {
    const crCouplingDef* def = crScene_GetCoupling(scene, id);
    crCouplingDef standard = crDefaultCouplingDef(def->kind, NULL);
    record = crGetCouplingRecord(def->kind);
    writeElement(writing, def->source, def->name, record->type, record, def, &standard);
  } else if (kind == cr_elementSignal) {
    writeSignal(writing, crScene_GetSignal(scene, id));
  } else if (kind == cr_elementSolidMaterial) {
    const crSolidMaterialDef* def = crScene_GetSolidMaterial(scene, id);
    crSolidMaterialDef standard = crDefaultSolidMaterialDef(NULL);
    writeElement(writing, def->source, def->name, NULL, record, def, &standard);
  } else if (kind == cr_elementContactPair) {
    const crContactPairDef* def = crScene_GetContactPair(scene, id);
    crContactPairDef standard = crDefaultContactPairDef(NULL, NULL);
    if (def->response == cr_responseUser) {
      refuseUserLaw(writing, def);
      return;
    }
    writeElement(writing, def->source, def->materialA, NULL, record, def, &standard);
  } else if (kind == cr_elementVisualMaterial) {
    const crVisualMaterialDef* def = crScene_GetVisualMaterial(scene, id);
    crVisualMaterialDef standard = crDefaultVisualMaterialDef(NULL);
    crCompleteVisualMaterialDef(&standard);
    writeElement(writing, def->source, def->name, NULL, record, def, &standard);
  } else if (kind == cr_elementExclusion) {
    const crExclusionDef* def = crScene_GetExclusion(scene, id);
    crExclusionDef standard = crDefaultExclusionDef(NULL, NULL);
    writeElement(writing, def->source, record->type, NULL, record, def, &standard);
  } else if (kind == cr_elementAction) {
    const crActionDef* def = crScene_GetAction(scene, id);
    crActionDef standard = crDefaultActionDef(NULL);
    writeElement(writing, def->source, def->name, NULL, record, def, &standard);
  }
}

static void writeSection(Writing* writing, const crScene* scene, const crJsonSection* section)
{
  bool isOpen = false;
  int count = crScene_Count(scene, section->kind);
  for (int i = 0; i < count; ++i) {
    crId id = crScene_GetId(scene, section->kind, i);
    if (crScene_IsPalette(scene, id)) {
      continue;
    }
    if (!isOpen) {
      crJsonText_Key(&writing->text, section->key);
      crJsonText_BeginArrayLines(&writing->text);
      isOpen = true;
    }
    writeById(writing, scene, section->kind, id);
  }
  if (isOpen) {
    crJsonText_EndArray(&writing->text);
  }
}

static void writeOptions(Writing* writing, const crSceneOptions* options)
{
  const crRecord* record = crGetSceneRecord();
  crSceneOptions standard = crDefaultSceneOptions();
  crCompleteSceneOptions(&standard);
  bool isStandard = true;
  for (int i = 0; i < record->fieldCount; ++i) {
    isStandard = isStandard && isDefault(writing, &record->fields[i], options, &standard);
  }
  if (!isStandard) {
    crJsonText_Key(&writing->text, CR_JSON_SCENE_KEY);
    writeElement(writing, options->source, CR_JSON_SCENE_KEY, NULL, record, options, &standard);
  }
}

// Returns the number of faults.
static int writeScene(const crScene* scene, const crJsonFolders* folders, const crErrorSink* sink, crTextWriter writer)
{
  Writing writing = { .reporter = crMakeReporter(sink, (crSource){ 0 }, NULL), .folders = folders };
  crJsonText_Init(&writing.text, writer);
  crJsonText_BeginObjectLines(&writing.text);
  crJsonText_KeyNumber(&writing.text, CR_JSON_VERSION_KEY, CR_JSON_VERSION);
  writeOptions(&writing, crScene_GetOptions(scene));
  for (int i = 0; i < CR_JSON_SECTION_COUNT; ++i) {
    writeSection(&writing, scene, &crJsonSections[i]);
  }
  crJsonText_EndObject(&writing.text);
  crJsonText_Finish(&writing.text);
  return writing.faultCount;
}

crStatus crWriteJsonFrom(const crScene* scene, const crJsonFolders* folders, const crErrorSink* sink,
                         crTextWriter writer)
{
  crTextWriter dry = { NULL, NULL };
  if (writeScene(scene, folders, sink, dry) > 0) {
    return cr_errorModel;
  }
  writeScene(scene, folders, sink, writer);
  return cr_ok;
}

crStatus crWriteJson(const crScene* scene, const crAllocator* allocator, const crErrorSink* sink, crTextWriter writer)
{
  (void)allocator; // the text is handed over piece by piece, so no memory is needed
  if (scene == NULL || writer.write == NULL) {
    return cr_errorMisuse;
  }
  return crWriteJsonFrom(scene, NULL, sink, writer);
}
