// Bytes choose a model: its elements, their fields, and a value for each, mostly of the right kind. The same list of
// elements is read as Lua and as JSON, which must agree on whether it is a model, and on which one; what is a model is
// compiled, and a simulation of it created. So the fuzzer walks through models, where other harnesses walk through
// text.
#include "carom/io.h"
#include "carom/simulate.h"
#include "scene/field.h"
#include "text.h"
#include "text/element_list.h"
#include "text/json_format.h"
#include "text/lua_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// The bytes that are left, and what is made of them.
typedef struct Choice {
  const uint8_t* bytes;
  size_t left;
  crElementList list;
  int count[CR_JSON_SECTION_COUNT]; // of elements
  int generosity;                   // [1/32] how often a field that may be left out is given
} Choice;

// A number below n; 0 when no bytes are left.
static int choose(Choice* choice, int n)
{
  if (choice->left == 0) {
    return 0;
  }
  --choice->left;
  return *choice->bytes++ % n;
}

// -------------------------------------------------------------------------------------------- text

static void say(Text* text, const char* bytes)
{
  append(text, bytes, strlen(bytes));
}

// Strings here need no escapes.
static void sayString(Text* text, const char* bytes)
{
  say(text, "\"");
  say(text, bytes);
  say(text, "\"");
}

static void sayJson(Text* text, const crValue* value);

// Lists of tables that have both parts belong to objects: their features.
static void sayTable(Text* text, const crValue* table)
{
  bool isList = table->itemCount > 0 && table->fieldCount == 0;
  say(text, isList ? "[" : "{");
  for (int i = 0; i < table->fieldCount; ++i) {
    say(text, i > 0 ? ", " : "");
    sayString(text, table->keys[i]);
    say(text, ": ");
    sayJson(text, &table->fields[i]);
  }
  if (!isList && table->itemCount > 0) {
    say(text, ", \"features\": [");
  }
  for (int i = 0; i < table->itemCount; ++i) {
    say(text, i > 0 ? ", " : "");
    sayJson(text, &table->items[i]);
  }
  say(text, isList ? "]" : table->itemCount > 0 ? "]}" : "}");
}

static void sayJson(Text* text, const crValue* value)
{
  char number[40];
  switch (value->kind) {
    case cr_valueBool: say(text, value->boolean ? "true" : "false"); break;
    case cr_valueString: sayString(text, value->string); break;
    case cr_valueTable: sayTable(text, value); break;
    default:
      snprintf(number, sizeof number, "%.17g", value->number);
      say(text, number);
      break;
  }
}

static Text writeAsJson(const Choice* choice)
{
  Text text = { 0 };
  say(&text, "{\"" CR_JSON_VERSION_KEY "\": 1");
  if (choice->list.options.kind == cr_valueTable) {
    say(&text, ",\n\"" CR_JSON_SCENE_KEY "\": ");
    sayJson(&text, &choice->list.options);
  }
  for (int section = 0, next = 0; section < CR_JSON_SECTION_COUNT; ++section) {
    if (choice->count[section] > 0) {
      say(&text, ",\n");
      sayString(&text, crJsonSections[section].key);
      say(&text, ": [");
      for (int i = 0; i < choice->count[section]; ++i, ++next) {
        say(&text, i > 0 ? ",\n" : "\n");
        sayJson(&text, &choice->list.items.items[next].value);
      }
      say(&text, "]");
    }
  }
  say(&text, "}\n");
  return text;
}

// ------------------------------------------------------------------------------------------ values

static crValue makeNumber(Choice* choice)
{
  static const double numbers[] = { 1.0,  0.0,   0.5,  0.1,   2.0,  3.0,    0.01, -1.0, 0.25,  10.0,
                                    1e-3, 100.0, 1e-6, 0.001, 1e9,  1.5707, 1e-9, 7.5,  -0.05, 7850.0,
                                    -1e9, 1e300, 1e11, 4.0,   0.99, 65536,  0.9,  1e-8, 5e-324 };
  return crMakeNumber(numbers[choose(choice, sizeof numbers / sizeof *numbers)]);
}

static crValue makeNumbers(Choice* choice, int count)
{
  crValue table = crMakeTable();
  for (int i = 0; i < count; ++i) {
    crElementList_Append(&choice->list, &table, makeNumber(choice));
  }
  return table;
}

static crValue makeFlag(Choice* choice)
{
  return crMakeBool(choose(choice, 2) == 1);
}

// The letter that names of such elements begin with; NULL: they have none.
static const char* findPrefix(crElementKind kind)
{
  static const char* const prefixes[] = {
    [cr_elementObject] = "o",        [cr_elementJoint] = "j",          [cr_elementForce] = "f",
    [cr_elementSolidMaterial] = "m", [cr_elementVisualMaterial] = "m", [cr_elementCoupling] = "c",
    [cr_elementSignal] = "s",        [cr_elementAction] = "a"
  };
  return (size_t)kind < sizeof prefixes / sizeof *prefixes ? prefixes[kind] : NULL;
}

// The name of an element of the kind that the letter stands for, mostly of one that there is.
static crValue makeReference(Choice* choice, const char* prefix)
{
  int which = choose(choice, 64), count = 4;
  for (int section = 0; section < CR_JSON_SECTION_COUNT; ++section) {
    const char* own = findPrefix(crJsonSections[section].kind);
    if (which < 60 && choice->count[section] > 0 && own != NULL && strcmp(own, prefix) == 0) {
      count = choice->count[section];
    }
  }
  return crMakeString(crElementList_Print(&choice->list, "%s%d", prefix, which % count));
}

static crValue makeText(Choice* choice)
{
  static const char* const texts[] = {
    "x", "t", "return t", "none", "", "missing.stl", "return { a = 1 }", "a b", "q"
  };
  return crMakeString(texts[choose(choice, sizeof texts / sizeof *texts)]);
}

static crValue makeAxis(Choice* choice)
{
  static const char* const axes[] = { "x", "y", "z", "-x", "-y", "-z" };
  int which = choose(choice, 8);
  return which < 6 ? crMakeString(axes[which]) : makeNumbers(choice, 3);
}

static crValue makeList(Choice* choice, const crField* field, crValue (*make)(Choice*, const crField*))
{
  crValue table = crMakeTable();
  for (int i = choose(choice, 6); i > 0; --i) {
    crElementList_Append(&choice->list, &table, make(choice, field));
  }
  return table;
}

static crValue makeNamed(Choice* choice, const crField* field, crValue (*make)(Choice*, const crField*))
{
  static const char* const keys[] = { "a", "b", "c" };
  crValue table = crMakeTable();
  for (int i = 0; i < 3; ++i) {
    if (choose(choice, 2) == 1) {
      crElementList_Put(&choice->list, &table, keys[i], make(choice, field));
    }
  }
  return table;
}

static crValue makePoint(Choice* choice, const crField* field)
{
  return makeNumbers(choice, field->type == cr_fieldTable || field->type == cr_fieldProfile ? 2 : 3);
}

static crValue makeProfilePoint(Choice* choice, const crField* field)
{
  crValue point = makePoint(choice, field);
  int way = choose(choice, 4);
  if (way == 1) {
    crElementList_Append(&choice->list, &point, makeNumber(choice)); // the radius of an arc
  } else if (way == 2) {
    crElementList_Append(&choice->list, &point, makeNumber(choice)); // a point that it goes through
    crElementList_Append(&choice->list, &point, makeNumber(choice));
  }
  return point;
}

static crValue makeSignal(Choice* choice, const crField* field)
{
  (void)field;
  return makeReference(choice, "s");
}

static crValue makeObject(Choice* choice, const crField* field)
{
  (void)field;
  return makeReference(choice, "o");
}

static crValue makeString(Choice* choice, const crField* field)
{
  (void)field;
  return makeText(choice);
}

static crValue makePlain(Choice* choice, const crField* field)
{
  (void)field;
  return makeNumber(choice);
}

static crValue makeHeights(Choice* choice)
{
  crValue rows = crMakeTable();
  int rowCount = choose(choice, 4), columnCount = choose(choice, 4);
  for (int i = 0; i < rowCount; ++i) {
    crElementList_Append(&choice->list, &rows, makeNumbers(choice, columnCount));
  }
  return rows;
}

static crValue makeRotation(Choice* choice)
{
  crValue table = crMakeTable();
  switch (choose(choice, 3)) {
    case 1: return makeNumbers(choice, 4);
    case 2:
      crElementList_Put(&choice->list, &table, "angle", makeNumber(choice));
      crElementList_Put(&choice->list, &table, "axis", makeAxis(choice));
      return table;
    default: return makeNumbers(choice, 3);
  }
}

static crValue makeGravity(Choice* choice)
{
  crValue table = crMakeTable();
  switch (choose(choice, 3)) {
    case 1: return crMakeString("none");
    case 2:
      crElementList_Put(&choice->list, &table, "centre", makeNumbers(choice, 3));
      crElementList_Put(&choice->list, &table, "mu", makeNumber(choice));
      return table;
    default: return makeNumbers(choice, 3);
  }
}

static crValue makeColor(Choice* choice)
{
  static const char* const colors[] = { "red", "#102030", "#10203040", "nocolor" };
  int which = choose(choice, 6);
  return which < 4 ? crMakeString(colors[which]) : makeNumbers(choice, which - 1);
}

static void putFields(Choice* choice, const crRecord* record, crValue* table);

static crValue makeShape(Choice* choice)
{
  const crRecord* record = crGetShapeRecord((crShapeKind)(1 + choose(choice, cr_shapeKindCount - 1)));
  crValue shape = crElementList_Typed(&choice->list, record->type);
  putFields(choice, record, &shape);
  return shape;
}

static crValue makeSeveral(Choice* choice, crFieldType type)
{
  static const int counts[] = { 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 4, 6, 7 };
  int count = counts[choose(choice, sizeof counts / sizeof *counts)];
  if (type != cr_fieldFlags) {
    return count == 0 ? makeNumber(choice) : makeNumbers(choice, count);
  }
  crValue table = crMakeTable();
  for (int i = 0; i < count; ++i) {
    crElementList_Append(&choice->list, &table, makeFlag(choice));
  }
  return count == 0 ? makeFlag(choice) : table;
}

static crValue makeEnum(Choice* choice, const crField* field)
{
  int count = 0;
  while (field->choices[count].text != NULL) {
    ++count;
  }
  return crMakeString(field->choices[choose(choice, count)].text);
}

// One in 32 is of any kind.
static crValue makeField(Choice* choice, const crField* field)
{
  crFieldType type = choose(choice, 32) == 31 ? (crFieldType)choose(choice, cr_fieldNumbers) : field->type;
  if (type == cr_fieldEnum && field->choices == NULL) {
    type = cr_fieldString;
  }
  switch (type) {
    case cr_fieldBool:
    case cr_fieldNot:
    case cr_fieldCollision: return makeFlag(choice);
    case cr_fieldString:
    case cr_fieldMesh:
    case cr_fieldPicture: return makeText(choice);
    case cr_fieldPath: return makeReference(choice, "o");
    case cr_fieldMaterial: return makeReference(choice, "m");
    case cr_fieldJoint: return makeReference(choice, "j");
    case cr_fieldCoupling: return makeReference(choice, "c");
    case cr_fieldSignal: return makeReference(choice, "s");
    case cr_fieldEnum: return makeEnum(choice, field);
    case cr_fieldVec3: return makeNumbers(choice, 3);
    case cr_fieldAxis: return makeAxis(choice);
    case cr_fieldScale: return choose(choice, 2) == 1 ? makeNumbers(choice, 3) : makeNumber(choice);
    case cr_fieldRotation: return makeRotation(choice);
    case cr_fieldColor: return makeColor(choice);
    case cr_fieldSym3: return makeNumbers(choice, choose(choice, 2) == 1 ? 6 : 3);
    case cr_fieldPoints:
    case cr_fieldTable: return makeList(choice, field, makePoint);
    case cr_fieldProfile: return makeList(choice, field, makeProfilePoint);
    case cr_fieldHeights: return makeHeights(choice);
    case cr_fieldShape: return makeShape(choice);
    case cr_fieldGravity: return makeGravity(choice);
    case cr_fieldParameters:
    case cr_fieldNamed: return makeNamed(choice, field, makePlain);
    case cr_fieldArguments: return makeNamed(choice, field, makeSignal);
    case cr_fieldNumbers: return makeList(choice, field, makePlain);
    case cr_fieldPaths: return makeList(choice, field, makeObject);
    case cr_fieldSignals: return makeList(choice, field, makeSignal);
    case cr_fieldStrings: return makeList(choice, field, makeString);
    case cr_fieldCoordinates:
    case cr_fieldRates:
    case cr_fieldEach:
    case cr_fieldFlags: return makeSeveral(choice, type);
    default: return makeNumber(choice);
  }
}

// Required fields mostly, others now and then; those of the table already not again.
static void putFields(Choice* choice, const crRecord* record, crValue* table)
{
  for (int i = 0; i < record->fieldCount; ++i) {
    const crField* field = &record->fields[i];
    int chance = choose(choice, 32);
    bool isWanted = field->isRequired ? chance != 31 : chance < choice->generosity;
    if (isWanted && field->type != cr_fieldFeatures && crValue_Find(table, field->name) == NULL) {
      crElementList_Put(&choice->list, table, field->name, makeField(choice, field));
    }
  }
}

// ---------------------------------------------------------------------------------------- elements

static const crRecord* chooseRecord(Choice* choice, crElementKind kind)
{
  switch (kind) {
    case cr_elementJoint: return crGetJointRecord(choose(choice, cr_jointFormCount));
    case cr_elementForce: return crGetForceRecord((crForceKind)choose(choice, cr_forceKindCount));
    case cr_elementCoupling: return crGetCouplingRecord((crCouplingKind)choose(choice, cr_couplingKindCount));
    case cr_elementSignal: return crGetSignalRecord((crSignalKind)choose(choice, cr_signalKindCount));
    default: return crGetElementRecord(kind);
  }
}

static void putFeatures(Choice* choice, crValue* object)
{
  for (int i = choose(choice, 3); i > 0; --i) {
    const crRecord* record = crGetFeatureRecord((crFeatureKind)choose(choice, cr_featureKindCount));
    crValue feature = crElementList_Typed(&choice->list, record->type);
    putFields(choice, record, &feature);
    crElementList_Append(&choice->list, object, feature);
  }
}

static void makeElement(Choice* choice, crElementKind kind, int index)
{
  const crRecord* record = chooseRecord(choice, kind);
  crValue element = crHasKinds(kind) ? crElementList_Typed(&choice->list, record->type) : crMakeTable();
  const char* prefix = findPrefix(kind);
  if (prefix != NULL) {
    crElementList_Put(&choice->list, &element, "name",
                      crMakeString(crElementList_Print(&choice->list, "%s%d", prefix, index)));
  }
  if (kind == cr_elementObject && index == 0) {
    crElementList_Put(&choice->list, &element, "mobility", crMakeString("world"));
  }
  putFields(choice, record, &element);
  if (kind == cr_elementObject) {
    putFeatures(choice, &element);
  }
  crElementList_Add(&choice->list, kind, element, (crSource){ NULL, 0, 0 });
}

// Assemblies are functions in Lua, so there are none.
static void makeModel(Choice* choice)
{
  choice->generosity = choose(choice, 8);
  if (choose(choice, 4) == 3) {
    choice->list.options = crMakeTable();
    putFields(choice, crGetSceneRecord(), &choice->list.options);
  }
  for (int section = 0; section < CR_JSON_SECTION_COUNT; ++section) {
    crElementKind kind = crJsonSections[section].kind;
    int most = kind == cr_elementAssembly ? 1 : kind == cr_elementObject ? 5 : 4;
    choice->count[section] = choose(choice, most);
    for (int i = 0; i < choice->count[section]; ++i) {
      makeElement(choice, kind, i);
    }
  }
}

// ------------------------------------------------------------------------------------------- trial

static bool isShown; // CAROM_FUZZ_SHOW: texts and messages

static void report(void* context, const crError* error)
{
  char text[8192];
  crError_Format(error, text, sizeof text);
  *(int*)context += error->severity == cr_severityError;
  if (isShown) {
    puts(text);
  }
}

static void fail(const char* what)
{
  fprintf(stderr, "%s\n", what);
  abort();
}

static Text writeScene(const crScene* scene)
{
  Text text = { 0 };
  if (crWriteJson(scene, NULL, NULL, (crTextWriter){ append, &text }) != cr_ok) {
    fail("a scene that was read is not written");
  }
  return text;
}

static crStatus readModel(const Text* text, bool isLua, crScene** outScene)
{
  int errorCount = 0;
  crErrorSink sink = { report, &errorCount };
  crReadOptions options = crDefaultReadOptions();
  options.fileLimit = 1 << 20;
  crStatus status =
      isLua ? crReadLua(text->bytes, text->size, "model.lua", "/nonexistent", &options, NULL, &sink, outScene)
            : crReadJson(text->bytes, text->size, "model.json", "/nonexistent", &options, NULL, &sink, outScene);
  if ((status == cr_ok) != (errorCount == 0) || (status == cr_ok && *outScene == NULL)) {
    fail("an error without a message, or a message without an error");
  }
  return status;
}

static void simulate(const crScene* scene)
{
  int errorCount = 0;
  crErrorSink sink = { report, &errorCount };
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  crStatus status = crCompile(scene, NULL, NULL, &sink, &model);
  if (status == cr_ok) {
    status = crCreateSimulation(model, NULL, NULL, &sink, &simulation);
  }
  if ((status == cr_ok) != (errorCount == 0)) {
    fail("an error without a message, or a message without an error, after reading");
  }
  crDestroySimulation(simulation);
  crDestroyModel(model);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  isShown = getenv("CAROM_FUZZ_SHOW") != NULL;
  Choice choice = { .bytes = data, .left = size };
  crElementList_Init(&choice.list, NULL);
  makeModel(&choice);
  Text lua = { 0 }, json = writeAsJson(&choice);
  if (choice.list.isOutOfMemory ||
      crWriteLua(&choice.list, NULL, NULL, NULL, (crTextWriter){ append, &lua }) != cr_ok) {
    abort();
  }
  append(&lua, "\n", 1);
  if (isShown) {
    printf("%s\n%s\n", lua.bytes, json.bytes);
  }
  crScene *fromLua = NULL, *fromJson = NULL;
  crStatus statusOfLua = readModel(&lua, true, &fromLua), statusOfJson = readModel(&json, false, &fromJson);
  if ((statusOfLua == cr_ok) != (statusOfJson == cr_ok)) {
    fail("Lua and JSON do not agree on whether it is a model");
  }
  if (statusOfLua == cr_ok) {
    Text a = writeScene(fromLua), b = writeScene(fromJson);
    if (a.size != b.size || memcmp(a.bytes, b.bytes, a.size) != 0) {
      if (isShown) {
        printf("%s\n%s\n", a.bytes, b.bytes);
      }
      fail("Lua and JSON do not agree on which model it is");
    }
    free(a.bytes);
    free(b.bytes);
    simulate(fromLua);
  }
  crDestroyScene(fromLua);
  crDestroyScene(fromJson);
  crElementList_Free(&choice.list);
  free(lua.bytes);
  free(json.bytes);
  return 0;
}
