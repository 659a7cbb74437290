// Fits in Lua: the table of fit{...}, and the data that it names.
#include "carom/fit.h"

#include "base/report.h"
#include "base/text.h"
#include "sweep/csv_data.h"
#include "sweep/output.h"
#include "sweep/plan_script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_MAX_FIT_RUNS 1e9                // more than anybody waits for; fits an int
#define CR_LARGEST_FIT_SEED (0x1p53 - 1.0) // a whole number in Lua

struct crFitPlan {
  crAllocator allocator;
  crArena arena;
  const char* path;
  crSource source; // of the call
  const crErrorSink* sink;
  crFitDef def;
  crStatus status;
  char where[CR_SHOWN_NAME + 16]; // in front of the names of fields in messages: "parameters.length."
};

// ------------------------------------------------------------------------------------------- values

static void complain(crFitPlan* plan, const char* path, const char* message, const crValue* found, const char* allowed)
{
  crReporter reporter = crMakeReporter(plan->sink, plan->source, path);
  char number[CR_NUMBER_SIZE];
  crComplaint complaint = { .message = message,
                            .found = found != NULL ? crDescribeFound(found, number) : NULL,
                            .allowed = allowed };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
  plan->status = plan->status == cr_ok ? cr_errorModel : plan->status;
}

static void complainField(crFitPlan* plan, const char* key, const char* message, const crValue* found,
                          const char* allowed)
{
  char path[2 * CR_SHOWN_NAME];
  snprintf(path, sizeof path, "%s%.200s", plan->where, key);
  complain(plan, path, message, found, allowed);
}

static void* allocate(crFitPlan* plan, size_t count, size_t size)
{
  void* memory = crArena_AllocateZero(&plan->arena, count, size);
  if (memory == NULL) {
    plan->status = cr_errorMemory;
  }
  return memory;
}

static const char* copy(crFitPlan* plan, const char* text)
{
  const char* own = crArena_CopyString(&plan->arena, text);
  if (own == NULL) {
    plan->status = cr_errorMemory;
  }
  return own;
}

static void checkKeys(crFitPlan* plan, const crValue* table, const char* path, const char* const* known, int count)
{
  for (int i = 0; i < table->fieldCount; ++i) {
    int k = 0;
    while (k < count && strcmp(known[k], table->keys[i]) != 0) {
      ++k;
    }
    if (k == count) {
      complain(plan, path, "there is no such field here",
               &(crValue){ .kind = cr_valueString, .string = table->keys[i] }, NULL);
    }
  }
}

static const char* readText(crFitPlan* plan, const crValue* table, const char* key)
{
  const crValue* value = crValue_Find(table, key);
  if (value == NULL || value->kind != cr_valueString) {
    if (value != NULL) {
      complainField(plan, key, "of the wrong type", value, "a text");
    }
    return NULL;
  }
  return copy(plan, value->string);
}

static double readPositive(crFitPlan* plan, const crValue* table, const char* key)
{
  const crValue* value = crValue_Find(table, key);
  if (value == NULL) {
    return 0.0;
  }
  if (value->kind != cr_valueNumber || !(value->number > 0.0) || !isfinite(value->number)) {
    complainField(plan, key, "of the wrong type or size", value, "a number > 0");
    return 0.0;
  }
  return value->number;
}

static double readWhole(crFitPlan* plan, const crValue* table, const char* key, double least, double most,
                        const char* allowed)
{
  const crValue* value = crValue_Find(table, key);
  if (value == NULL) {
    return 0.0;
  }
  if (value->kind != cr_valueNumber || !(value->number >= least && value->number <= most) ||
      value->number != floor(value->number)) {
    complainField(plan, key, "of the wrong type or size", value, allowed);
    return 0.0;
  }
  return value->number;
}

// { name = value, ... } as settings.
static crSetting* readSettings(crFitPlan* plan, const crValue* root, const char* key, int* outCount)
{
  const crValue* table = crValue_Find(root, key);
  *outCount = 0;
  if (table == NULL) {
    return NULL;
  }
  if (table->kind != cr_valueTable || table->itemCount > 0) {
    complainField(plan, key, "of the wrong type", table, "{ name = value, ... }");
    return NULL;
  }
  crSetting* settings = allocate(plan, (size_t)table->fieldCount + 1, sizeof *settings);
  for (int i = 0; settings != NULL && i < table->fieldCount; ++i) {
    const crValue* value = &table->fields[i];
    char number[CR_NUMBER_SIZE];
    const char* text = value->kind == cr_valueString ? value->string : value->boolean ? "true" : "false";
    if (value->kind == cr_valueNumber) {
      crFormatNumber(value->number, number);
      text = number;
    } else if (value->kind != cr_valueString && value->kind != cr_valueBool) {
      char path[CR_SHOWN_NAME + 16];
      snprintf(path, sizeof path, "%s.%.200s", key, table->keys[i]);
      complainField(plan, path, "of the wrong type", value, "a number, a text, true or false");
    }
    settings[(*outCount)++] = (crSetting){ copy(plan, table->keys[i]), copy(plan, text) };
  }
  return settings;
}

// ---------------------------------------------------------------------------------------- parameters

static void readParameters(crFitPlan* plan, const crValue* root)
{
  static const char* const known[] = { "start", "scale" };
  const crValue* table = crValue_Find(root, "parameters");
  if (table == NULL || table->kind != cr_valueTable || table->itemCount > 0) {
    complain(plan, "parameters", "missing, or of the wrong type", table,
             "{ name = { lower, upper, start = ... }, ... }");
    return;
  }
  crFitParameter* parameters = allocate(plan, (size_t)table->fieldCount + 1, sizeof *parameters);
  for (int i = 0; parameters != NULL && i < table->fieldCount; ++i) {
    const crValue* value = &table->fields[i];
    char path[CR_SHOWN_NAME];
    snprintf(path, sizeof path, "parameters.%.200s", table->keys[i]);
    bool isInterval = value->kind == cr_valueTable && value->itemCount == 2 && value->items[0].kind == cr_valueNumber &&
                      value->items[1].kind == cr_valueNumber;
    if (!isInterval) {
      complain(plan, path, "a parameter lies between two bounds", value, "{ lower, upper, start = ..., scale = ... }");
      continue;
    }
    checkKeys(plan, value, path, known, 2);
    snprintf(plan->where, sizeof plan->where, "%s.", path);
    const crValue* start = crValue_Find(value, "start");
    if (start != NULL && start->kind != cr_valueNumber) {
      complainField(plan, "start", "of the wrong type", start, "a number between the bounds");
    }
    crFitParameter* p = &parameters[plan->def.parameterCount++];
    *p = (crFitParameter){ .name = copy(plan, table->keys[i]),
                           .lower = value->items[0].number,
                           .upper = value->items[1].number,
                           .hasStart = start != NULL && start->kind == cr_valueNumber,
                           .scale = readPositive(plan, value, "scale") };
    p->start = p->hasStart ? start->number : 0.0; // NOLINT: there is one
    plan->where[0] = '\0';
  }
  plan->def.parameters = parameters;
}

// --------------------------------------------------------------------------------------- experiments

// The variable that a column of the data stands for; NULL: it is not used.
static const char* findVariable(const crValue* columns, const char* name)
{
  if (columns == NULL) {
    return name;
  }
  const crValue* value = crValue_Find(columns, name);
  return value != NULL && value->kind == cr_valueString ? value->string : NULL;
}

static void checkColumns(crFitPlan* plan, const crValue* columns, const crCsvData* data, const char* path)
{
  if (columns != NULL && (columns->kind != cr_valueTable || columns->itemCount > 0)) {
    complain(plan, path, "columns are of the wrong type", columns, "{ column = \"variable\", ... }");
    return;
  }
  for (int i = 0; columns != NULL && i < columns->fieldCount; ++i) {
    if (crCsvData_Find(data, columns->keys[i]) < 0) {
      complain(plan, path, "the data have no such column",
               &(crValue){ .kind = cr_valueString, .string = columns->keys[i] }, NULL);
    }
  }
}

static double readDeviation(crFitPlan* plan, const crValue* value, const char* column, const char* path)
{
  const crValue* found = value->kind == cr_valueTable ? crValue_Find(value, column) : value;
  if (found == NULL || found->kind != cr_valueNumber || !(found->number > 0.0)) {
    complain(plan, path, "a deviation is a number for all columns, or one for each by its name", value, "> 0");
    return 1.0;
  }
  return found->number;
}

static void fillExperiment(crFitPlan* plan, const crValue* value, const crCsvData* data, crFitExperiment* e,
                           const char* path)
{
  const crValue *columns = crValue_Find(value, "columns"), *deviation = crValue_Find(value, "deviation");
  int time = crCsvData_Find(data, "time");
  if (time < 0) {
    complain(plan, path, "the data have no column \"time\"", NULL, NULL);
    return;
  }
  const char** variables = allocate(plan, (size_t)data->columnCount, sizeof *variables);
  int* places = allocate(plan, (size_t)data->columnCount, sizeof *places);
  double* deviations = allocate(plan, (size_t)data->columnCount, sizeof *deviations);
  for (int i = 0; plan->status == cr_ok && i < data->columnCount; ++i) {
    const char* variable = i != time ? findVariable(columns, data->names[i]) : NULL;
    if (variable != NULL) {
      deviations[e->variableCount] = deviation != NULL ? readDeviation(plan, deviation, data->names[i], path) : 1.0;
      places[e->variableCount] = i;
      variables[e->variableCount++] = copy(plan, variable);
    }
  }
  size_t count = (size_t)data->rowCount;
  double* times = allocate(plan, count, sizeof *times);
  double* values = allocate(plan, count * (size_t)(e->variableCount + 1), sizeof *values);
  for (size_t row = 0; plan->status == cr_ok && row < count; ++row) {
    const double* from = data->values + row * (size_t)data->columnCount;
    times[row] = from[time];
    for (int i = 0; i < e->variableCount; ++i) {
      values[row * (size_t)e->variableCount + (size_t)i] = from[places[i]];
    }
  }
  e->variables = variables;
  e->deviations = deviation != NULL ? deviations : NULL;
  e->times = times;
  e->values = values;
  e->rowCount = data->rowCount;
}

static void readExperiment(crFitPlan* plan, const crValue* value, int index, crFitExperiment* e)
{
  static const char* const known[] = { "data", "set", "columns", "deviation", "name" };
  char path[64];
  snprintf(path, sizeof path, "experiments[%d]", index + 1);
  if (value->kind != cr_valueTable) {
    complain(plan, path, "of the wrong type", value, "{ data = \"file.csv\", ... }");
    return;
  }
  checkKeys(plan, value, path, known, 5);
  snprintf(plan->where, sizeof plan->where, "%s.", path);
  const char* file = readText(plan, value, "data");
  const char* name = readText(plan, value, "name");
  e->settings = readSettings(plan, value, "set", &e->settingCount);
  plan->where[0] = '\0';
  e->name = name != NULL ? name : file;
  if (file == NULL) {
    if (crValue_Find(value, "data") == NULL) {
      complain(plan, path, "the data are missing", NULL, "data = \"file.csv\"");
    }
    return;
  }
  const char* found = crFindBeside(&plan->arena, plan->path, file);
  crCsvData data;
  crStatus status = found != NULL ? crReadCsvData(&data, found, &plan->arena, plan->sink) : cr_errorMemory;
  plan->status = plan->status == cr_ok ? status : plan->status;
  if (status == cr_ok) {
    checkColumns(plan, crValue_Find(value, "columns"), &data, path);
    fillExperiment(plan, value, &data, e, path);
  }
}

static void readExperiments(crFitPlan* plan, const crValue* root)
{
  const crValue* list = crValue_Find(root, "experiments");
  if (list == NULL) {
    return;
  }
  if (list->kind != cr_valueTable || list->fieldCount > 0) {
    complain(plan, "experiments", "of the wrong type", list, "{ { data = \"file.csv\" }, ... }");
    return;
  }
  crFitExperiment* experiments = allocate(plan, (size_t)list->itemCount + 1, sizeof *experiments);
  for (int i = 0; experiments != NULL && i < list->itemCount; ++i) {
    readExperiment(plan, &list->items[i], i, &experiments[i]);
    plan->def.experimentCount = i + 1;
  }
  plan->def.experiments = experiments;
}

// --------------------------------------------------------------------------------------------- plans

static crStatus takeFit(void* context, const crValue* value, crSource source)
{
  static const char* const known[] = { "model",  "set",  "parameters", "experiments", "minimize", "maximize",
                                       "method", "runs", "seed",       "stopTime",    "interval", "tolerance" };
  crFitPlan* plan = context;
  crFitDef* def = &plan->def;
  plan->source = source;
  if (value->kind != cr_valueTable) {
    complain(plan, "fit", "of the wrong type", value, "fit{ model = ..., parameters = {...}, experiments = {...} }");
    return plan->status;
  }
  checkKeys(plan, value, "fit", known, (int)(sizeof known / sizeof *known));
  const char* model = readText(plan, value, "model");
  const char *least = readText(plan, value, "minimize"), *most = readText(plan, value, "maximize");
  if (least != NULL && most != NULL) {
    complain(plan, "fit", "there are two goals", NULL, "minimize or maximize");
  }
  if (model == NULL) {
    complain(plan, "model", "the model is missing", NULL, "the file of a model");
    return plan->status;
  }
  *def = crDefaultFitDef(crFindBeside(&plan->arena, plan->path, model));
  def->settings = readSettings(plan, value, "set", &def->settingCount);
  def->goal = least != NULL ? least : most;
  def->isLargest = least == NULL && most != NULL;
  def->method = readText(plan, value, "method");
  def->maxRuns = (int)readWhole(plan, value, "runs", 1.0, CR_MAX_FIT_RUNS, "a whole number from 1 to 1e9");
  def->seed = (uint64_t)readWhole(plan, value, "seed", 0.0, CR_LARGEST_FIT_SEED, "a whole number from 0 to 2^53 - 1");
  def->options = crDefaultSimulationOptions();
  def->options.stopTime = readPositive(plan, value, "stopTime");
  def->options.interval = readPositive(plan, value, "interval");
  def->options.tolerance = readPositive(plan, value, "tolerance");
  readParameters(plan, value);
  readExperiments(plan, value);
  return plan->status;
}

crStatus crReadFitPlan(const char* path, const crAllocator* allocator, const crErrorSink* sink, crFitPlan** outPlan)
{
  if (path == NULL || outPlan == NULL) {
    return cr_errorMisuse;
  }
  *outPlan = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crFitPlan* plan = crAllocateZero(&chosen, 1, sizeof *plan);
  if (plan == NULL) {
    return cr_errorMemory;
  }
  plan->allocator = chosen;
  plan->sink = sink;
  crArena_Init(&plan->arena, &chosen);
  plan->path = crArena_CopyString(&plan->arena, path);
  crPlanScript script = {
    .word = "fit", .hint = "fit{ model = \"drop.lua\", ... }", .take = takeFit, .context = plan, .arena = &plan->arena
  };
  crStatus status = plan->path != NULL ? crRunPlanScript(&script, path, sink) : cr_errorMemory;
  if (status != cr_ok) {
    crDestroyFitPlan(plan);
    return status;
  }
  *outPlan = plan;
  return cr_ok;
}

void crDestroyFitPlan(crFitPlan* plan)
{
  if (plan != NULL) {
    crAllocator allocator = plan->allocator;
    crArena_Free(&plan->arena);
    crFree(&allocator, plan, sizeof *plan);
  }
}

const crFitDef* crFitPlan_GetDef(const crFitPlan* plan)
{
  return plan != NULL ? &plan->def : NULL;
}
