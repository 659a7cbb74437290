// Plans as text: the fields that Lua and plan.json have in common, and plan.json itself.
#include "sweep/plan.h"

#include "base/read_file.h"
#include "base/text.h"
#include "sweep/plan_script.h"
#include "text/json_text.h"
#include "text/json_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_PLAN_LIMIT ((size_t)64 << 20) // [bytes] of plan.json

typedef struct Reader {
  crArena* arena;
  crReporter reporter;
  crStatus status;
} Reader;

// ------------------------------------------------------------------------------------------- reading

static void complain(Reader* reader, const char* path, const char* message, const crValue* found, const char* allowed)
{
  crReporter there = crMakeReporter(reader->reporter.sink, reader->reporter.source, path);
  char number[CR_NUMBER_SIZE];
  crComplaint complaint = { .message = message,
                            .found = found != NULL ? crDescribeFound(found, number) : NULL,
                            .allowed = allowed };
  crReport(&there, cr_severityError, cr_errorModel, &complaint);
  reader->status = reader->status == cr_ok ? cr_errorModel : reader->status;
}

static const char* copy(Reader* reader, const char* text)
{
  const char* own = crArena_CopyString(reader->arena, text);
  if (own == NULL) {
    reader->status = cr_errorMemory;
  }
  return own;
}

static double readNumber(Reader* reader, const crValue* root, const char* key, double least, bool isWhole)
{
  const crValue* value = crValue_Find(root, key);
  if (value == NULL) {
    return 0.0;
  }
  bool isRight = value->kind == cr_valueNumber && isfinite(value->number) && value->number >= least &&
                 (!isWhole || (value->number == floor(value->number) && value->number < 0x1p53));
  if (!isRight) {
    complain(reader, key, "of the wrong type or size", value,
             isWhole       ? "a whole number from 0 to 2^53 - 1"
             : least > 0.0 ? "a number > 0"
                           : "a number");
  }
  return isRight ? value->number : 0.0;
}

static const char* readString(Reader* reader, const crValue* root, const char* key)
{
  const crValue* value = crValue_Find(root, key);
  if (value == NULL) {
    return NULL;
  }
  if (value->kind != cr_valueString) {
    complain(reader, key, "of the wrong type", value, "a text");
    return NULL;
  }
  return copy(reader, value->string);
}

// A number, a text, true or false as a setting is written; NULL: it is none.
static const char* writePlain(Reader* reader, const crValue* value)
{
  char number[CR_NUMBER_SIZE];
  switch (value->kind) {
    case cr_valueString: return copy(reader, value->string);
    case cr_valueBool: return value->boolean ? "true" : "false";
    case cr_valueNumber: crFormatNumber(value->number, number); return copy(reader, number);
    default: return NULL;
  }
}

// A list of plain values as "values(a, b)"; NULL: it is none.
static const char* writeList(Reader* reader, const crValue* list)
{
  size_t size = sizeof "values()", used = 0;
  for (int i = 0; i < list->itemCount; ++i) {
    const char* item = writePlain(reader, &list->items[i]);
    size += item != NULL ? strlen(item) + 2 : 0;
    if (item == NULL || strpbrk(item, ",()") != NULL) {
      return NULL;
    }
  }
  char* text = list->itemCount > 0 ? crArena_Allocate(reader->arena, size) : NULL;
  for (int i = 0; text != NULL && i < list->itemCount; ++i) {
    used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "values(" : ", ",
                             writePlain(reader, &list->items[i]));
  }
  if (text != NULL) {
    snprintf(text + used, size - used, ")");
  }
  return text;
}

// { name = value, ... } as settings.
static crSetting* readSettings(Reader* reader, const crValue* root, const char* key, bool isVary, int* outCount)
{
  const crValue* table = crValue_Find(root, key);
  *outCount = 0;
  if (table == NULL) {
    return NULL;
  }
  if (table->kind != cr_valueTable || table->itemCount > 0) {
    complain(reader, key, "of the wrong type", table, "{ name = ..., ... }");
    return NULL;
  }
  crSetting* settings = crArena_AllocateZero(reader->arena, (size_t)table->fieldCount + 1, sizeof *settings);
  if (settings == NULL) {
    reader->status = cr_errorMemory;
    return NULL;
  }
  for (int i = 0; i < table->fieldCount; ++i) {
    const crValue* value = &table->fields[i];
    bool isList = isVary && value->kind == cr_valueTable && value->fieldCount == 0;
    const char* text = isList ? writeList(reader, value) : writePlain(reader, value);
    if (text == NULL && reader->status != cr_errorMemory) {
      char path[CR_SHOWN_NAME];
      snprintf(path, sizeof path, "%s.%.200s", key, table->keys[i]);
      complain(reader, path, "of the wrong type", value,
               isVary ? "grid(...), values(...), uniform(...), loguniform(...), normal(...) or a list of values"
                      : "a number, a text, true or false");
    }
    settings[(*outCount)++] = (crSetting){ copy(reader, table->keys[i]), text != NULL ? text : "" };
  }
  return settings;
}

static const char** readTexts(Reader* reader, const crValue* root, const char* key, int* outCount)
{
  const crValue* list = crValue_Find(root, key);
  *outCount = 0;
  if (list == NULL) {
    return NULL;
  }
  bool isList = list->kind == cr_valueTable && list->fieldCount == 0;
  for (int i = 0; isList && i < list->itemCount; ++i) {
    isList = list->items[i].kind == cr_valueString;
  }
  if (!isList) {
    complain(reader, key, "of the wrong type", list, "{ last(\"ball.position.z\"), ... }");
    return NULL;
  }
  const char** texts = crArena_AllocateZero(reader->arena, (size_t)list->itemCount + 1, sizeof *texts);
  if (texts == NULL) {
    reader->status = cr_errorMemory;
    return NULL;
  }
  for (int i = 0; i < list->itemCount; ++i) {
    texts[(*outCount)++] = copy(reader, list->items[i].string);
  }
  return texts;
}

static void listSolvers(char* text, size_t size)
{
  text[0] = '\0';
  for (int kind = 0; kind < cr_solverKindCount; ++kind) {
    const crSolverInfo* info = crGetSolverInfo((crSolverKind)kind);
    size_t used = strlen(text);
    if (info != NULL && info->isAvailable) {
      snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", info->name);
    }
  }
}

static void readOptions(Reader* reader, const crValue* root, crSimulationOptions* o)
{
  *o = crDefaultSimulationOptions();
  o->stopTime = readNumber(reader, root, "stopTime", CR_ZERO, false);
  o->interval = readNumber(reader, root, "interval", CR_ZERO, false);
  o->tolerance = readNumber(reader, root, "tolerance", CR_ZERO, false);
  o->absoluteTolerance = readNumber(reader, root, "absoluteTolerance", CR_ZERO, false);
  o->maxStep = readNumber(reader, root, "maxStep", CR_ZERO, false);
  const crValue* solver = crValue_Find(root, "solver");
  if (solver != NULL) {
    o->solver = solver->kind == cr_valueString ? crFindSolver(solver->string) : cr_solverKindCount;
    if (crGetSolverInfo(o->solver) == NULL || !crGetSolverInfo(o->solver)->isAvailable) {
      char allowed[128];
      listSolvers(allowed, sizeof allowed);
      complain(reader, "solver", "there is no such solver", solver, allowed);
      o->solver = cr_solverAuto;
    }
  }
  const crValue* contacts = crValue_Find(root, "contacts");
  if (contacts != NULL && contacts->kind != cr_valueBool) {
    complain(reader, "contacts", "of the wrong type", contacts, "true or false");
  }
  o->ignoresContacts = contacts != NULL && contacts->kind == cr_valueBool && !contacts->boolean;
}

static void checkKeys(Reader* reader, const crValue* root)
{
  static const char* const known[] = { "model",    "vary",      "set",     "output",
                                       "runs",     "seed",      "design",  "stopTime",
                                       "interval", "tolerance", "maxStep", "solver",
                                       "contacts", "hash",      "columns", "absoluteTolerance",
                                       "carom" };
  for (int i = 0; i < root->fieldCount; ++i) {
    crNearest nearest = crMakeNearest(root->keys[i]);
    bool isKnown = false;
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
      isKnown = isKnown || strcmp(known[k], root->keys[i]) == 0;
      crNearest_Try(&nearest, known[k]);
    }
    if (!isKnown) {
      char hint[CR_SHOWN_NAME];
      snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best != NULL ? nearest.best : "");
      crReporter there = crMakeReporter(reader->reporter.sink, reader->reporter.source, "sweep");
      crComplaint complaint = { .message = "a sweep has no such field",
                                .found = root->keys[i],
                                .hint = nearest.best != NULL ? hint : NULL };
      crReport(&there, cr_severityError, cr_errorModel, &complaint);
      reader->status = cr_errorModel;
    }
  }
}

static void readColumns(Reader* reader, const crValue* root, crPlanText* outText)
{
  const crValue* list = crValue_Find(root, "columns");
  if (list == NULL) {
    return;
  }
  outText->columns = crArena_AllocateZero(reader->arena, (size_t)list->itemCount + 1, sizeof *outText->columns);
  if (outText->columns == NULL) {
    reader->status = cr_errorMemory;
    return;
  }
  for (int i = 0; i < list->itemCount; ++i) {
    const crValue* item = &list->items[i];
    bool isRight = item->kind == cr_valueTable && item->itemCount == 3;
    for (int k = 0; isRight && k < 3; ++k) {
      isRight = item->items[k].kind == cr_valueString;
    }
    if (!isRight) {
      complain(reader, "columns", "of the wrong type", item, "[name, unit, description]");
      return;
    }
    outText->columns[outText->columnCount++] =
        (crColumn){ copy(reader, item->items[0].string), copy(reader, item->items[1].string),
                    copy(reader, item->items[2].string) };
  }
}

crStatus crReadPlanText(const crValue* value, crSource source, crArena* arena, const crErrorSink* sink,
                        crPlanText* outText)
{
  Reader reader = { arena, crMakeReporter(sink, source, NULL), cr_ok };
  *outText = (crPlanText){ .def = crDefaultSweepDef(NULL) };
  crSweepDef* def = &outText->def;
  if (value->kind != cr_valueTable) {
    complain(&reader, "sweep", "of the wrong type", value, "sweep{ model = ..., vary = {...}, output = {...} }");
    return cr_errorModel;
  }
  checkKeys(&reader, value);
  def->model = readString(&reader, value, "model");
  def->design = readString(&reader, value, "design");
  def->vary = readSettings(&reader, value, "vary", true, &def->varyCount);
  def->settings = readSettings(&reader, value, "set", false, &def->settingCount);
  def->output = readTexts(&reader, value, "output", &def->outputCount);
  def->runs = (int64_t)readNumber(&reader, value, "runs", 0.0, true);
  def->seed = (uint64_t)readNumber(&reader, value, "seed", 0.0, true);
  readOptions(&reader, value, &def->options);
  outText->hash = readString(&reader, value, "hash");
  readColumns(&reader, value, outText);
  if (def->model == NULL && reader.status == cr_ok) {
    complain(&reader, "model", "the model is missing", NULL, "the file of a model");
  }
  return reader.status;
}

crStatus crParsePlanJson(const char* bytes, size_t size, const char* name, crArena* arena, const crErrorSink* sink,
                         crPlanText* outText)
{
  static const crJsonNoun noun = { "plan", "`carom sweep` writes one" };
  json_t* root = NULL;
  crReporter reporter = crMakeReporter(sink, (crSource){ name, 0, 0 }, NULL);
  crStatus status = crParseJson(&reporter, &noun, bytes, size, &root);
  if (status == cr_ok) {
    crValue value;
    status = crConvertJson(arena, root, &value) ? crReadPlanText(&value, (crSource){ name, 0, 0 }, arena, sink, outText)
                                                : cr_errorMemory;
    char* copy = crArena_AllocateZero(arena, size + 1, 1); // nothing ends the bytes
    if (copy != NULL) {
      memcpy(copy, bytes, size);
    }
    outText->json = copy;
    status = status == cr_ok && copy == NULL ? cr_errorMemory : status;
  }
  json_decref(root);
  return status;
}

crStatus crReadPlanJson(const char* path, crArena* arena, const crErrorSink* sink, crPlanText* outText)
{
  char* bytes = NULL;
  size_t size = 0;
  crStatus status = crReadFile(path, CR_PLAN_LIMIT, &arena->allocator, sink, &bytes, &size);
  if (status == cr_ok) {
    status = crParsePlanJson(bytes, size, path, arena, sink, outText);
    crFree(&arena->allocator, bytes, size + 1);
  }
  return status;
}

// ------------------------------------------------------------------------------------------- writing

static void writeNumber(crJsonText* text, const char* key, double number)
{
  if (number != 0.0) {
    crJsonText_KeyNumber(text, key, number);
  }
}

void crWriteSweepPlan(const crSweepPlan* plan, crTextWriter writer)
{
  crJsonText text;
  const crSimulationOptions* o = &plan->options;
  crJsonText_Init(&text, writer);
  crJsonText_BeginObjectLines(&text);
  crJsonText_KeyString(&text, "carom", CAROM_VERSION);
  crJsonText_KeyString(&text, "hash", plan->hash);
  crJsonText_KeyString(&text, "model", plan->source.path);
  crJsonText_Key(&text, "vary");
  crJsonText_BeginObjectLines(&text);
  for (int i = 0; i < plan->inputCount; ++i) {
    crJsonText_KeyString(&text, plan->inputs[i].name, plan->inputs[i].text);
  }
  crJsonText_EndObject(&text);
  crJsonText_Key(&text, "set");
  crJsonText_BeginObject(&text);
  for (int i = 0; i < plan->settingCount; ++i) {
    crJsonText_KeyString(&text, plan->settings[i].name, plan->settings[i].value);
  }
  crJsonText_EndObject(&text);
  crJsonText_Key(&text, "output");
  crJsonText_BeginArrayLines(&text);
  for (int i = 0; i < plan->outputs.count; ++i) {
    crJsonText_String(&text, plan->outputTexts[i]);
  }
  crJsonText_EndArray(&text);
  crJsonText_KeyString(&text, "design", crDesign_GetText(plan->design));
  crJsonText_KeyNumber(&text, "runs", (double)plan->runs);
  crJsonText_KeyNumber(&text, "seed", (double)plan->seed);
  writeNumber(&text, "stopTime", o->stopTime);
  writeNumber(&text, "interval", o->interval);
  writeNumber(&text, "tolerance", o->tolerance);
  writeNumber(&text, "absoluteTolerance", o->absoluteTolerance);
  writeNumber(&text, "maxStep", o->maxStep);
  if (crGetSolverInfo(o->solver) != NULL) {
    crJsonText_KeyString(&text, "solver", crGetSolverInfo(o->solver)->name);
  }
  if (o->ignoresContacts) {
    crJsonText_KeyBool(&text, "contacts", false);
  }
  crJsonText_Key(&text, "columns");
  crJsonText_BeginArrayLines(&text);
  for (int i = 0; i < plan->outputs.columnCount; ++i) {
    crJsonText_BeginArray(&text);
    crJsonText_String(&text, plan->columns[i].name);
    crJsonText_String(&text, plan->columns[i].unit);
    crJsonText_String(&text, plan->columns[i].description);
    crJsonText_EndArray(&text);
  }
  crJsonText_EndArray(&text);
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}
