// From values to defs, record by record after those of scene/field.h, and into the scene.
#include "foreign/fmu_block.h"
#include "geometry/shape_kind.h"
#include "scene/scene.h"
#include "text/field_reader.h"

#include <stdio.h>
#include <string.h>

#define CR_MAX_FIELDS 32 // more than any record has

// ----------------------------------------------------------------------------------------- records

static void readRecord(crReading* reading, const crRecord* record, const crValue* table, const char* const* skipped,
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
static size_t enter(crReading* reading, const char* name)
{
  size_t length = strlen(reading->where);
  snprintf(reading->where + length, sizeof reading->where - length, "%s.", name);
  return length;
}

// The "type" of a table, or NULL after a report.
static const char* findType(crReading* reading, const char* what, const crValue* value)
{
  const crValue* type = value->kind == cr_valueTable ? crValue_Find(value, "type") : NULL;
  if (type == NULL || type->kind != cr_valueString) {
    crReading_Complain(reading, what, value->kind == cr_valueTable ? " has no \"type\"" : " is of the wrong type",
                       crValue_Describe(value), "a table with a \"type\", as sphere{...} and the like make", NULL);
    return NULL;
  }
  return type->string;
}

static const char* const typeOnly[] = { "type", NULL };

static crFeatureKind findFeatureKind(const char* type)
{
  int kind = 0;
  while (kind < cr_featureKindCount && strcmp(crFeatureKind_GetText((crFeatureKind)kind), type) != 0) {
    ++kind;
  }
  return (crFeatureKind)kind;
}

static void readShape(crReading* reading, const crField* field, const crValue* value, crShapeDef* outShape)
{
  const char* type = findType(reading, field->name, value);
  crShapeKind kind = cr_shapeNone;
  const crRecord* record = type != NULL ? findShapeRecord(type, &kind) : NULL;
  if (type != NULL && findFeatureKind(type) != cr_featureKindCount) {
    crReading_Complain(reading, field->name, " is a feature where a shape is expected", type,
                       "sphere{...}, box{...}, ...", NULL);
  } else if (type != NULL && record == NULL) {
    crNearest nearest = crMakeNearest(type);
    for (int i = 1; i < cr_shapeKindCount; ++i) {
      crNearest_Try(&nearest, crGetShapeRecord((crShapeKind)i)->type);
    }
    crReading_Complain(reading, field->name, ": there is no such shape", type,
                       nearest.best != NULL ? nearest.best : "sphere, box, cylinder, ...", NULL);
  }
  if (record == NULL) {
    return;
  }
  *outShape = crDefaultShapeDef(kind);
  crCompleteShapeDef(outShape);
  size_t length = enter(reading, field->name);
  readRecord(reading, record, value, typeOnly, outShape);
  reading->where[length] = '\0';
}

static void readFeature(crReading* reading, int index, const crValue* value, crFeatureDef* outFeature)
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
    crReading_Complain(reading, name, " is a shape where a feature is expected", type,
                       "solid{shape = ...} or visual{shape = ...} around it", NULL);
    return;
  }
  if (kind == cr_featureKindCount) {
    crReading_Complain(reading, name, ": there is no such feature", type, "solid, visual, mass, light, camera", NULL);
    return;
  }
  *outFeature = crDefaultFeatureDef(kind);
  crCompleteFeatureDef(outFeature);
  snprintf(name, sizeof name, "%s%d", type, index + 1);
  size_t length = enter(reading, name);
  readRecord(reading, crGetFeatureRecord(kind), value, typeOnly, &outFeature->as);
  reading->where[length] = '\0';
}

static void readFeatures(crReading* reading, const crField* field, const crValue* value,
                         const crFeatureDef** outFeatures, int* outCount)
{
  if (value->kind != cr_valueTable) {
    crReading_ComplainType(reading, field, value, "a list of features");
    return;
  }
  crFeatureDef* features = crArena_AllocateZero(&reading->reader->scratch, (size_t)value->itemCount, sizeof *features);
  if (features == NULL) {
    crReading_RunOutOfMemory(reading);
    return;
  }
  for (int i = 0; i < value->itemCount; ++i) {
    readFeature(reading, i, &value->items[i], &features[i]);
  }
  *outFeatures = features;
  *outCount = value->itemCount;
}

static void readField(crReading* reading, const crField* field, const crValue* value, const crValue* table, void* def)
{
  if (crReading_ReadField(reading, field, value, table, def)) {
    return;
  }
  void* member = (char*)def + field->offset;
  if (field->type == cr_fieldShape) {
    readShape(reading, field, value, member);
  } else {
    readFeatures(reading, field, value, member, (int*)(void*)((char*)member + sizeof(void*)));
  }
}

// "it has radius, diameter and inflate"
static void listFields(const crRecord* record, char* outText, size_t size)
{
  size_t length = (size_t)snprintf(outText, size, "it has");
  for (int i = 0; i < record->fieldCount && length < size; ++i) {
    const char* link = i == 0 ? " " : i + 1 < record->fieldCount ? ", " : " and ";
    length += (size_t)snprintf(outText + length, size - length, "%s%s", link, record->fields[i].name);
  }
}

static void complainUnknown(crReading* reading, const crRecord* record, const char* key)
{
  crNearest nearest = crMakeNearest(key);
  for (int i = 0; i < record->fieldCount; ++i) {
    crNearest_Try(&nearest, record->fields[i].name);
  }
  char text[CR_FIELD_PATH_SIZE + 300], hint[CR_MAX_FIELDS * 24];
  const char* article = strchr("aeio", record->type[0]) != NULL ? "an" : "a";
  snprintf(text, sizeof text, "%s%.200s: %s %s has no such field", reading->where, key, article, record->type);
  if (nearest.best != NULL) {
    snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best);
  } else {
    listFields(record, hint, sizeof hint);
  }
  crComplaint complaint = { .message = text, .hint = hint };
  crReport(reading->reporter, cr_severityError, cr_errorModel, &complaint);
}

static bool isListed(const char* const* list, const char* key)
{
  while (*list != NULL && strcmp(*list, key) != 0) {
    ++list;
  }
  return *list != NULL;
}

static void complainMissing(crReading* reading, const crField* field)
{
  char text[CR_FIELD_PATH_SIZE + 64], hint[256];
  snprintf(text, sizeof text, "%s%s is missing", reading->where, field->name);
  bool hasUnit = field->unit != NULL && field->unit[0] != '\0';
  snprintf(hint, sizeof hint, "%s%s%s%s", field->about, hasUnit ? " [" : "", hasUnit ? field->unit : "",
           hasUnit ? "]" : "");
  crComplaint complaint = { .message = text, .hint = hint };
  crReport(reading->reporter, cr_severityError, cr_errorModel, &complaint);
}

static void complainList(crReading* reading)
{
  size_t length = strlen(reading->where);
  if (length > 0) {
    reading->where[length - 1] = ' '; // in the place of the '.' before a field
  }
  crReading_Complain(
      reading, "", length > 0 ? "is a list where named fields are expected" : "a list where named fields are expected",
      NULL, NULL, NULL);
  if (length > 0) {
    reading->where[length - 1] = '.';
  }
}

// A member may be given once, under its own name or an alias of it.
static void checkGiven(crReading* reading, const crRecord* record, const bool* given)
{
  for (int i = 0; i < record->fieldCount; ++i) {
    const crField* field = &record->fields[i];
    int names = 0;
    for (int k = 0; k < record->fieldCount; ++k) {
      names += given[k] && record->fields[k].offset == field->offset;
    }
    if (field->isRequired && names == 0) {
      complainMissing(reading, field);
    } else if (field->factor != 0.0 && given[i] && names > 1) {
      crReading_Complain(reading, field->name, " is given twice, under two names", NULL, NULL, NULL);
    }
  }
}

static void readRecord(crReading* reading, const crRecord* record, const crValue* table, const char* const* skipped,
                       void* def)
{
  bool given[CR_MAX_FIELDS] = { false };
  const crField* features = crRecord_Find(record, "features");
  if (table->itemCount > 0 && features == NULL) {
    complainList(reading);
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
      crReading_Complain(reading, field->name, " is given twice", NULL, NULL, NULL);
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
  crJointDef joint; // of shafts and sliders without objectB
  crForceDef force;
  crSignalDef signal;
  crSolidMaterialDef solidMaterial;
  crContactPairDef contactPair;
  crVisualMaterialDef visualMaterial;
  crExclusionDef exclusion;
  crCouplingDef coupling;
  crActionDef action;
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

static const char* jointText(int form)
{
  return crGetJointRecord(form)->type;
}

static const char* forceText(int kind)
{
  return crForceKind_GetText((crForceKind)kind);
}

static const char* couplingText(int kind)
{
  return crCouplingKind_GetText((crCouplingKind)kind);
}

static const char* signalText(int kind)
{
  return crSignalKind_GetText((crSignalKind)kind);
}

bool crHasKinds(crElementKind kind)
{
  return kind == cr_elementJoint || kind == cr_elementForce || kind == cr_elementCoupling || kind == cr_elementSignal;
}

// The number of the kind that the element's "type" names; -1 after a report.
static int findElementKind(crReading* reading, crElementKind kind, const crValue* value)
{
  const struct {
    crElementKind kind;
    int count;
    const char* (*textOf)(int);
  } rows[] = { { cr_elementJoint, cr_jointFormCount, jointText },
               { cr_elementForce, cr_forceKindCount, forceText },
               { cr_elementCoupling, cr_couplingKindCount, couplingText },
               { cr_elementSignal, cr_signalKindCount, signalText } };
  const char* type = findType(reading, crElementKind_GetText(kind), value);
  int row = 0;
  while (rows[row].kind != kind) {
    ++row;
  }
  int count = rows[row].count, found = type != NULL ? findKind(type, count, rows[row].textOf) : count;
  if (type != NULL && found == count) {
    char message[64];
    snprintf(message, sizeof message, ": there is no such %s", crElementKind_GetText(kind));
    crReading_Complain(reading, "type", message, type, NULL, NULL);
  }
  return found < count ? found : -1;
}

// Fills the defaults of the element and returns its record; NULL after a report.
static const crRecord* prepare(crReading* reading, crElementKind kind, const crValue* value, AnyDef* def)
{
  int found = crHasKinds(kind) ? findElementKind(reading, kind, value) : 0;
  if (found < 0) {
    return NULL;
  }
  switch (kind) {
    case cr_elementAssembly: def->assembly = crDefaultAssemblyDef(NULL); break;
    case cr_elementExclusion: def->exclusion = crDefaultExclusionDef(NULL, NULL); break;
    case cr_elementAction: def->action = crDefaultActionDef(NULL); break;
    case cr_elementObject:
      def->object = crDefaultObjectDef(NULL);
      crCompleteObjectDef(&def->object);
      break;
    case cr_elementSolidMaterial: def->solidMaterial = crDefaultSolidMaterialDef(NULL); break;
    case cr_elementContactPair: def->contactPair = crDefaultContactPairDef(NULL, NULL); break;
    case cr_elementVisualMaterial:
      def->visualMaterial = crDefaultVisualMaterialDef(NULL);
      crCompleteVisualMaterialDef(&def->visualMaterial);
      break;
    case cr_elementJoint:
      reading->qCount = crJointKind_CountQ(crGetJointForm(found));
      reading->vCount = crJointKind_CountV(crGetJointForm(found));
      def->joint = crDefaultJointDef(crGetJointForm(found), NULL, NULL, NULL);
      crCompleteJointDef(&def->joint);
      return crGetJointRecord(found);
    case cr_elementForce:
      def->force = crDefaultForceDef((crForceKind)found, NULL, NULL, NULL);
      return crGetForceRecord((crForceKind)found);
    case cr_elementCoupling:
      def->coupling = crDefaultCouplingDef((crCouplingKind)found, NULL);
      return crGetCouplingRecord((crCouplingKind)found);
    case cr_elementSignal:
      def->signal = crDefaultSignalDef((crSignalKind)found, NULL);
      crCompleteSignalDef(&def->signal);
      return crGetSignalRecord((crSignalKind)found);
    default: break;
  }
  return crGetElementRecord(kind);
}

// What the FMU itself says: its fingerprint and, unless the model chooses, its outputs. The names are checked here.
static void completeFmu(crReading* reading, crSignalDef* def)
{
  crFunctionSource source = { .path = def->name,
                              .file = def->as.fmu.path,
                              .arguments = def->as.fmu.arguments,
                              .argumentCount = def->as.fmu.argumentCount,
                              .constants = def->as.fmu.constants,
                              .constantCount = def->as.fmu.constantCount,
                              .period = def->as.fmu.period };
  crFmuSummary summary = { .hash = NULL };
  const crReadOptions* options = reading->reader->options;
  def->as.fmu.function = *crGetFmuFunction();
  if (options != NULL && options->skipsFmus) {
    return;
  }
  reading->status = crSummarizeFmu(&source, def->as.fmu.outputs, def->as.fmu.outputCount, &reading->reader->scratch,
                                   reading->reporter, &summary);
  def->as.fmu.hash = summary.hash;
  def->as.fmu.outputs = summary.outputs;
  def->as.fmu.outputCount = summary.outputCount;
}

// A file has functions as code, which is Lua.
static crStatus addSignal(crScene* scene, crSignalDef* def, crSource source)
{
  def->source = source;
  if (def->kind == cr_signalFunction) {
    def->as.function.function = *crGetLuaFunction();
  } else if (def->kind == cr_signalSampled) {
    def->as.sampled.function = *crGetLuaFunction();
  }
  return crScene_AddSignal(scene, def, NULL);
}

static crStatus add(crScene* scene, crElementKind kind, AnyDef* def, crSource source)
{
  switch (kind) {
    case cr_elementAssembly: def->assembly.source = source; return crScene_AddAssembly(scene, &def->assembly, NULL);
    case cr_elementObject: def->object.source = source; return crScene_AddObject(scene, &def->object, NULL);
    case cr_elementJoint:
      def->joint.source = source;
      return def->joint.objectB != NULL ? crScene_AddJoint(scene, &def->joint, NULL)
                                        : crScene_AddShaft(scene, &def->joint, NULL);
    case cr_elementForce: def->force.source = source; return crScene_AddForce(scene, &def->force, NULL);
    case cr_elementCoupling: def->coupling.source = source; return crScene_AddCoupling(scene, &def->coupling, NULL);
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
    case cr_elementAction: def->action.source = source; return crScene_AddAction(scene, &def->action, NULL);
    case cr_elementNone: break;
  }
  return cr_errorMisuse;
}

// An action may say when = { ... } for its trigger, when = time for a time, and attach = { object, to = other }: what
// is in there are its own fields. NULL: out of memory.
static const crValue* flattenAction(crReading* reading, const crValue* value, crValue* outTable)
{
  const crValue *when = crValue_Find(value, "when"), *attach = crValue_Find(value, "attach");
  bool hasTrigger = when != NULL && when->kind == cr_valueTable && when->itemCount == 0;
  bool hasPair = attach != NULL && attach->kind == cr_valueTable && attach->itemCount == 1;
  size_t room = (size_t)value->fieldCount + (hasTrigger ? (size_t)when->fieldCount : 0) +
                (hasPair ? (size_t)attach->fieldCount : 0) + 1;
  crArena* scratch = &reading->reader->scratch;
  *outTable = *value;
  outTable->keys = crArena_AllocateZero(scratch, room, sizeof *outTable->keys);
  outTable->fields = crArena_AllocateZero(scratch, room, sizeof *outTable->fields);
  outTable->fieldCount = 0;
  if (outTable->keys == NULL || outTable->fields == NULL) {
    crReading_RunOutOfMemory(reading);
    return NULL;
  }
  for (int i = 0; i < value->fieldCount; ++i) {
    const crValue* field = &value->fields[i];
    const crValue* inner = (field == when && hasTrigger) || (field == attach && hasPair) ? field : NULL;
    for (int k = 0; inner != NULL && k < inner->fieldCount; ++k) {
      outTable->keys[outTable->fieldCount] = inner->keys[k];
      outTable->fields[outTable->fieldCount++] = inner->fields[k];
    }
    if (field != when || !hasTrigger) {
      bool isTime = field == when && field->kind == cr_valueNumber; // NOLINT: a field there is
      outTable->keys[outTable->fieldCount] = isTime ? "time" : value->keys[i];
      outTable->fields[outTable->fieldCount++] = inner != NULL ? inner->items[0] : *field; // NOLINT
    }
  }
  return outTable;
}

// The name to show in messages: the element's own, or where or what it is.
static const char* findName(const crElementReader* reader, crElementKind kind, const crValue* value)
{
  const crValue* name = value->kind == cr_valueTable ? crValue_Find(value, "name") : NULL;
  if (name != NULL && name->kind == cr_valueString) {
    return name->string;
  }
  return reader->place != NULL ? reader->place : crElementKind_GetText(kind);
}

crStatus crElementReader_Add(crElementReader* reader, crElementKind kind, const crValue* value, crSource source)
{
  crReporter reporter = crMakeReporter(&reader->sink, source, findName(reader, kind, value));
  crReading reading = { .reader = reader, .reporter = &reporter, .status = cr_ok };
  AnyDef def;
  memset(&def, 0, sizeof def);
  if (value->kind != cr_valueTable) {
    crReading_Complain(&reading, crElementKind_GetText(kind), " is of the wrong type", crValue_Describe(value),
                       "a table", NULL);
    return crScene_Fail(reader->scene, &reporter, NULL);
  }
  crValue flat;
  const crRecord* record = prepare(&reading, kind, value, &def);
  if (record != NULL && kind == cr_elementAction) {
    const crValue* flattened = flattenAction(&reading, value, &flat);
    value = flattened != NULL ? flattened : value;
  }
  if (record != NULL) {
    readRecord(&reading, record, value, crHasKinds(kind) ? typeOnly : typeOnly + 1, &def);
  }
  if (record != NULL && kind == cr_elementJoint) {
    crReading_CheckStops(&reading, &def.joint);
  } else if (record != NULL && kind == cr_elementSignal) {
    crReading_CheckLimits(&reading, &def.signal);
    if (def.signal.kind == cr_signalFmu && reporter.errorCount == 0) {
      completeFmu(&reading, &def.signal);
    }
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
  crReading reading = { .reader = reader, .reporter = reporter, .status = cr_ok };
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

crStatus crElementReader_ReadMesh(crElementReader* reader, const crValue* value, crReporter* reporter,
                                  const crMesh** outMesh)
{
  int before = reporter->errorCount;
  crReading reading = { .reader = reader, .reporter = reporter, .status = cr_ok };
  crField field = { .name = "mesh" };
  crShapeDef def = crDefaultShapeDef(cr_shapeNone);
  readShape(&reading, &field, value, &def);
  crArena_Clear(&reader->scratch);
  bool isGood = reporter->errorCount == before && def.kind == cr_shapeMesh && def.as.mesh.mesh != NULL;
  *outMesh = isGood ? def.as.mesh.mesh : NULL;
  return isGood ? cr_ok : reading.status != cr_ok ? reading.status : cr_errorModel;
}

// Zero stands for "not given" in the struct, so a zero that was given is found here.
static void refuseZeros(crReading* reading, const crValue* value)
{
  static const char* const names[] = { "stopTime", "interval", "tolerance", "maxStep" };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const crValue* number = crValue_Find(value, names[i]);
    if (number != NULL && number->kind == cr_valueNumber && number->number == 0.0) {
      crReading_Complain(reading, names[i], " must be positive", "0", "> 0", NULL);
    }
  }
}

crStatus crElementReader_SetOptions(crElementReader* reader, const crValue* value, crSource source)
{
  crReporter reporter = crMakeReporter(&reader->sink, source, "scene");
  crReading reading = { .reader = reader, .reporter = &reporter, .status = cr_ok };
  crSceneOptions options = *crScene_GetOptions(reader->scene);
  options.source = source;
  if (reader->hasOptions) {
    crReading_Complain(&reading, "the options of the scene", " are given twice", NULL, NULL, NULL);
  } else if (value->kind != cr_valueTable) {
    crReading_Complain(&reading, "scene", " is of the wrong type", crValue_Describe(value), "a table", NULL);
  } else {
    reader->hasOptions = true;
    readRecord(&reading, crGetSceneRecord(), value, typeOnly + 1, &options);
    refuseZeros(&reading, value);
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

void crElementReader_Use(crElementReader* reader, const crReadOptions* options)
{
  reader->options = options;
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
