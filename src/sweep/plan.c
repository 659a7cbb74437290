// A plan: its texts, where its runs lie, and the model that they read.
#include "sweep/plan.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CR_LARGEST_SEED (((uint64_t)1 << 53) - 1) // a whole number in Lua and JSON

crSweepDef crDefaultSweepDef(const char* model)
{
  return (crSweepDef){ .size = sizeof(crSweepDef), .model = model, .options = crDefaultSimulationOptions() };
}

static crStatus complain(const crErrorSink* sink, const char* path, const crComplaint* complaint)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, path);
  crReport(&reporter, cr_severityError, cr_errorModel, complaint);
  return cr_errorModel;
}

// The worse of two.
static crStatus join(crStatus a, crStatus b)
{
  return a == cr_ok || b == cr_errorMemory ? b : a;
}

// ------------------------------------------------------------------------------------------- inputs

static crStatus readInput(crSweepPlan* plan, int i, const crSetting* vary, const crErrorSink* sink)
{
  crSweepInput* input = &plan->inputs[i];
  char path[CR_SHOWN_NAME + 8];
  snprintf(path, sizeof path, "vary.%.250s", vary->name);
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, path);
  input->name = crArena_CopyString(&plan->arena, vary->name);
  input->text = crArena_CopyString(&plan->arena, vary->value);
  if (input->name == NULL || input->text == NULL) {
    return cr_errorMemory;
  }
  crStatus status = crReadSpread(&input->spread, input->text, &plan->arena, &reporter);
  for (int k = 0; status == cr_ok && k < i; ++k) {
    if (strcmp(plan->inputs[k].name, input->name) == 0) {
      status = complain(sink, path, &(crComplaint){ .message = "the parameter varies twice" });
    }
  }
  for (int k = 0; status == cr_ok && k < plan->settingCount; ++k) {
    if (strcmp(plan->settings[k].name, input->name) == 0) {
      status = complain(sink, path, &(crComplaint){ .message = "the parameter varies and is set as well" });
    }
  }
  for (int k = 0; status == cr_ok && k < input->spread.count && input->spread.kind == cr_spreadValues; ++k) {
    if (strlen(input->spread.texts[k]) >= CR_SWEEP_VALUE_SIZE) {
      status = complain(sink, path,
                        &(crComplaint){ .message = "a value is too long",
                                        .found = input->spread.texts[k],
                                        .allowed = "up to 63 bytes" });
    }
  }
  return status;
}

static crStatus readSettings(crSweepPlan* plan, const crSweepDef* def)
{
  plan->settings = crArena_AllocateZero(&plan->arena, (size_t)def->settingCount + 1, sizeof *plan->settings);
  if (plan->settings == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < def->settingCount; ++i) {
    const char* name = crArena_CopyString(&plan->arena, def->settings[i].name);
    const char* value = crArena_CopyString(&plan->arena, def->settings[i].value);
    if (name == NULL || value == NULL) {
      return cr_errorMemory;
    }
    plan->settings[plan->settingCount++] = (crSetting){ name, value };
  }
  return cr_ok;
}

static crStatus readInputs(crSweepPlan* plan, const crSweepDef* def, const crErrorSink* sink)
{
  plan->inputs = crArena_AllocateZero(&plan->arena, (size_t)def->varyCount + 1, sizeof *plan->inputs);
  if (plan->inputs == NULL) {
    return cr_errorMemory;
  }
  if (def->varyCount == 0) {
    return complain(sink, "vary", &(crComplaint){ .message = "no parameter varies" });
  }
  crStatus status = cr_ok;
  for (int i = 0; i < def->varyCount; ++i) {
    status = join(status, readInput(plan, i, &def->vary[i], sink));
    plan->inputCount = i + 1;
  }
  return status;
}

static crStatus readOutputs(crSweepPlan* plan, const crSweepDef* def, const crErrorSink* sink)
{
  size_t count = (size_t)def->outputCount + 1;
  plan->outputs.items = crArena_AllocateZero(&plan->arena, count, sizeof *plan->outputs.items);
  plan->outputTexts = crArena_AllocateZero(&plan->arena, count, sizeof *plan->outputTexts);
  if (plan->outputs.items == NULL || plan->outputTexts == NULL) {
    return cr_errorMemory;
  }
  if (def->outputCount == 0) {
    return complain(sink, "output",
                    &(crComplaint){ .message = "nothing is kept of the runs",
                                    .hint = "for example output = { last(\"ball.position.z\") }, or "
                                            "--output 'last(ball.position.z)'" });
  }
  crStatus status = cr_ok;
  for (int i = 0; i < def->outputCount; ++i) {
    char path[32];
    snprintf(path, sizeof path, "output[%d]", i + 1);
    crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, path);
    plan->outputTexts[i] = crArena_CopyString(&plan->arena, def->output[i]);
    status = join(status, plan->outputTexts[i] == NULL
                              ? cr_errorMemory
                              : crReadOutput(&plan->outputs.items[i], plan->outputTexts[i], &plan->arena, &reporter));
    plan->outputs.count = i + 1;
  }
  return status;
}

// ------------------------------------------------------------------------------------------- design

// Listed values are crossed, but for sensitivity, where they are drawn like all others.
static crStatus arrangeInputs(crSweepPlan* plan, const crErrorSink* sink)
{
  plan->gridCount = 1;
  plan->dimensionCount = 0;
  for (int i = plan->inputCount - 1; i >= 0; --i) { // the last one changes fastest
    crSweepInput* input = &plan->inputs[i];
    input->dimension = -1;
    if (crSpread_IsListed(&input->spread) && plan->design != cr_designSensitivity) {
      input->stride = plan->gridCount;
      if (plan->gridCount > CR_MAX_SWEEP_RUNS / input->spread.count) {
        return complain(
            sink, "vary",
            &(crComplaint){ .message = "the listed values have too many points", .allowed = "up to 1e9 of them" });
      }
      plan->gridCount *= input->spread.count;
    }
  }
  for (int i = 0; i < plan->inputCount; ++i) {
    if (!crSpread_IsListed(&plan->inputs[i].spread) || plan->design == cr_designSensitivity) {
      plan->inputs[i].dimension = plan->dimensionCount++;
    }
  }
  return cr_ok;
}

static crStatus chooseDesign(crSweepPlan* plan, const char* name, const crErrorSink* sink)
{
  bool isListed = true;
  for (int i = 0; i < plan->inputCount; ++i) {
    isListed = isListed && crSpread_IsListed(&plan->inputs[i].spread);
  }
  plan->design = name != NULL ? crFindDesign(name) : isListed ? cr_designGrid : cr_designRandom;
  if (plan->design == cr_designCount) {
    return complain(sink, "design",
                    &(crComplaint){ .message = "there is no such design",
                                    .found = name,
                                    .allowed = "grid, random, sobol, latin, sensitivity" });
  }
  if (plan->design == cr_designGrid && !isListed) {
    return complain(sink, "design",
                    &(crComplaint){ .message = "a grid has listed values only",
                                    .hint = "grid(...) and values(...); distributions need the design "
                                            "random, sobol, latin or sensitivity" });
  }
  crStatus status = arrangeInputs(plan, sink);
  bool isSobol = plan->design == cr_designSobol || plan->design == cr_designSensitivity;
  int needed = plan->design == cr_designSensitivity ? 2 * plan->dimensionCount : plan->dimensionCount;
  if (status == cr_ok && isSobol && needed > CR_SOBOL_DIMENSIONS) {
    status = complain(sink, "design",
                      &(crComplaint){ .message = "too many parameters for Sobol's sequence",
                                      .allowed = "64 distributions, 32 for sensitivity",
                                      .hint = "design = \"latin\" or \"random\" has no limit" });
  }
  return status;
}

static crStatus complainRuns(const crErrorSink* sink, int64_t found, const char* message, const char* allowed)
{
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, found);
  return complain(sink, "runs", &(crComplaint){ .message = message, .found = text, .allowed = allowed });
}

crStatus crSweepPlan_ChooseRuns(crSweepPlan* plan, int64_t runs, const crErrorSink* sink)
{
  char allowed[96];
  if (runs == 0 && plan->dimensionCount == 0) {
    runs = plan->gridCount;
  }
  if (runs < 1 || runs > CR_MAX_SWEEP_RUNS) {
    return complainRuns(sink, runs, runs == 0 ? "the number of runs is not given" : "the number of runs is wrong",
                        "1 to 1e9; all points of the grid if no parameter has a distribution");
  }
  if (plan->dimensionCount == 0 && runs > plan->gridCount) {
    snprintf(allowed, sizeof allowed, "up to %" PRId64, plan->gridCount);
    return complainRuns(sink, runs, "the grid has fewer points than runs are asked for", allowed);
  }
  int64_t block = plan->dimensionCount + 2;
  if (plan->design == cr_designSensitivity && runs % block != 0) {
    snprintf(allowed, sizeof allowed, "a multiple of %" PRId64 ", parameters + 2: %" PRId64 " for example", block,
             (runs / block + 1) * block);
    return complainRuns(sink, runs, "indices of sensitivity need whole sets of runs", allowed);
  }
  plan->runs = runs;
  plan->sampleCount =
      plan->design == cr_designSensitivity ? runs / block : (runs + plan->gridCount - 1) / plan->gridCount;
  return cr_ok;
}

static bool isUsable(const crSweepDef* def)
{
  bool isUsable = def->model != NULL && def->varyCount >= 0 && def->settingCount >= 0 && def->outputCount >= 0 &&
                  (def->vary != NULL || def->varyCount == 0) && (def->settings != NULL || def->settingCount == 0) &&
                  (def->output != NULL || def->outputCount == 0) &&
                  (def->options.size == 0 || def->options.size == sizeof def->options) && def->options.inputs == NULL &&
                  def->options.start == NULL;
  for (int i = 0; isUsable && i < def->varyCount; ++i) {
    isUsable = def->vary[i].name != NULL && def->vary[i].value != NULL;
  }
  for (int i = 0; isUsable && i < def->settingCount; ++i) {
    isUsable = def->settings[i].name != NULL && def->settings[i].value != NULL;
  }
  for (int i = 0; isUsable && i < def->outputCount; ++i) {
    isUsable = def->output[i] != NULL;
  }
  return isUsable;
}

crStatus crSweepPlan_ReadDef(crSweepPlan* plan, const crSweepDef* def, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "sweep");
  if (!crCheckSize(&reporter, "crSweepDef", def->size, sizeof *def) || !isUsable(def)) {
    return cr_errorMisuse;
  }
  plan->options = def->options.size > 0 ? def->options : crDefaultSimulationOptions();
  plan->options.threads = 1; // of one run; runs are what is shared out
  plan->seed = def->seed;
  crStatus status = readSettings(plan, def);
  status = join(status, status == cr_ok ? readInputs(plan, def, sink) : cr_ok);
  status = join(status, status != cr_errorMemory ? readOutputs(plan, def, sink) : cr_ok);
  if (def->seed > CR_LARGEST_SEED) {
    status = join(status, complain(sink, "seed",
                                   &(crComplaint){ .message = "the seed is too large", .allowed = "0 to 2^53 - 1" }));
  }
  status = status == cr_ok ? chooseDesign(plan, def->design, sink) : status;
  return status == cr_ok ? crSweepPlan_ChooseRuns(plan, def->runs, sink) : status;
}

// -------------------------------------------------------------------------------------------- points

double crSweepPlan_FindCoordinate(const crSweepPlan* plan, int64_t run, int input)
{
  int dimension = plan->inputs[input].dimension;
  int64_t sample = run / plan->gridCount;
  if (plan->design == cr_designSensitivity) { // A, B, then A with one column of B after the other
    int64_t block = plan->dimensionCount + 2, which = run % block;
    sample = run / block;
    dimension += which == 1 || which - 2 == dimension ? plan->dimensionCount : 0;
  }
  return crDesign_FindCoordinate(plan->design, plan->seed, (uint64_t)sample, (uint64_t)plan->sampleCount, dimension);
}

// The place of a run in a list.
static int findPlace(const crSweepPlan* plan, int64_t run, int i)
{
  const crSweepInput* input = &plan->inputs[i];
  if (input->dimension < 0) {
    return (int)(run / input->stride % input->spread.count);
  }
  int place = (int)(crSweepPlan_FindCoordinate(plan, run, i) * input->spread.count);
  return place < input->spread.count ? place : input->spread.count - 1;
}

static double findInput(const crSweepPlan* plan, int64_t run, int i)
{
  const crSpread* spread = &plan->inputs[i].spread;
  return crSpread_IsListed(spread) ? crSpread_GetListed(spread, findPlace(plan, run, i))
                                   : crSpread_FindQuantile(spread, crSweepPlan_FindCoordinate(plan, run, i));
}

crStatus crSweepPlan_FindPoint(const crSweepPlan* plan, int64_t run, double* outInputs)
{
  if (plan == NULL || run < 0 || run >= plan->runs || outInputs == NULL) {
    return cr_errorMisuse;
  }
  for (int i = 0; i < plan->inputCount; ++i) {
    outInputs[i] = findInput(plan, run, i);
  }
  return cr_ok;
}

crStatus crSweepPlan_FormatInput(const crSweepPlan* plan, int64_t run, int input, char outText[CR_SWEEP_VALUE_SIZE])
{
  if (plan == NULL || run < 0 || run >= plan->runs || input < 0 || input >= plan->inputCount || outText == NULL) {
    return cr_errorMisuse;
  }
  const crSpread* spread = &plan->inputs[input].spread;
  if (spread->kind == cr_spreadValues) {
    snprintf(outText, CR_SWEEP_VALUE_SIZE, "%s", spread->texts[findPlace(plan, run, input)]);
  } else {
    crFormatNumber(findInput(plan, run, input), outText);
  }
  return cr_ok;
}

// -------------------------------------------------------------------------------------------- model

crStatus crSweepPlan_ReadModel(const crSweepPlan* plan, int64_t run, const crAllocator* allocator,
                               const crErrorSink* sink, crScene** outScene)
{
  int count = plan->settingCount + (run >= 0 ? plan->inputCount : 0);
  size_t size = (size_t)(count + 1) * (sizeof(crSetting) + CR_SWEEP_VALUE_SIZE);
  crSetting* settings = crAllocate(allocator, size);
  if (settings == NULL) {
    return cr_errorMemory;
  }
  char(*values)[CR_SWEEP_VALUE_SIZE] = (void*)(settings + count + 1);
  memcpy(settings, plan->settings, (size_t)plan->settingCount * sizeof *settings);
  for (int i = 0; run >= 0 && i < plan->inputCount; ++i) {
    (void)crSweepPlan_FormatInput(plan, run, i, values[i]);
    settings[plan->settingCount + i] = (crSetting){ plan->inputs[i].name, values[i] };
  }
  crStatus status = crModelSource_Read(&plan->source, settings, count, allocator, sink, outScene);
  crFree(allocator, settings, size);
  return status;
}

// --------------------------------------------------------------------------------------------- facts

int64_t crSweepPlan_CountRuns(const crSweepPlan* plan)
{
  return plan != NULL ? plan->runs : 0;
}

int crSweepPlan_CountInputs(const crSweepPlan* plan)
{
  return plan != NULL ? plan->inputCount : 0;
}

int crSweepPlan_CountOutputs(const crSweepPlan* plan)
{
  return plan != NULL ? plan->outputs.columnCount : 0;
}

const char* crSweepPlan_GetInput(const crSweepPlan* plan, int input)
{
  return plan != NULL && input >= 0 && input < plan->inputCount ? plan->inputs[input].name : NULL;
}

const crColumn* crSweepPlan_GetOutput(const crSweepPlan* plan, int output)
{
  return plan != NULL && output >= 0 && output < plan->outputs.columnCount ? &plan->columns[output] : NULL;
}

const char* crSweepPlan_GetHash(const crSweepPlan* plan)
{
  return plan != NULL ? plan->hash : NULL;
}
