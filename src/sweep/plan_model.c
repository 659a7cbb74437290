// Plans with their model: it is read once, so that names are checked before anything runs.
#include "sweep/plan.h"

#include "base/text.h"
#include "carom/model.h"
#include "scene/parameter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_PROBES 16                // runs whose models are tried
#define CR_PROBE_STRIDE 0.618033989 // of all runs from one to the next: no grid is in step with it

// --------------------------------------------------------------------------------------------- probe

// A model to look names up in: as it is without settings, else that of a run.
typedef struct Probe {
  int64_t run; // -1: without settings
  crScene* scene;
  crModel* model;
} Probe;

static void freeProbe(Probe* probe)
{
  crDestroyModel(probe->model);
  crDestroyScene(probe->scene);
  *probe = (Probe){ -1, NULL, NULL };
}

static crStatus readProbe(const crSweepPlan* plan, int64_t run, const crErrorSink* sink, Probe* probe)
{
  probe->run = run;
  crStatus status = crSweepPlan_ReadModel(plan, run, &plan->allocator, sink, &probe->scene);
  if (status == cr_ok) {
    status = crCompile(probe->scene, NULL, &plan->allocator, sink, &probe->model);
  }
  return status;
}

static bool hasParameters(const crSweepPlan* plan, const crScene* scene)
{
  bool isKnown = true;
  for (int i = 0; i < plan->inputCount; ++i) {
    isKnown = isKnown && crScene_FindParameter(scene, plan->inputs[i].name) >= 0;
  }
  return isKnown;
}

// The smallest and the largest of the numbers that an input takes; false: they are no numbers, or without bounds.
static bool findBounds(const crSpread* spread, double* outMin, double* outMax)
{
  if (spread->kind == cr_spreadNormal || (spread->kind == cr_spreadValues && spread->values == NULL)) {
    return false;
  }
  *outMin = fmin(spread->a, spread->b);
  *outMax = fmax(spread->a, spread->b);
  for (int i = 0; spread->kind == cr_spreadValues && i < spread->count; ++i) {
    *outMin = i == 0 ? spread->values[i] : fmin(*outMin, spread->values[i]);
    *outMax = i == 0 ? spread->values[i] : fmax(*outMax, spread->values[i]);
  }
  return true;
}

// Values outside the range of a parameter would be errors of all their runs. Those of normal distributions are.
static crStatus checkRanges(const crSweepPlan* plan, const crScene* scene, const crErrorSink* sink)
{
  crStatus status = cr_ok;
  for (int i = 0; i < plan->inputCount; ++i) {
    const crSweepInput* input = &plan->inputs[i];
    const crParameter* parameter = crScene_GetParameter(scene, crScene_FindParameter(scene, input->name));
    double min, max;
    if (parameter == NULL || parameter->kind != cr_parameterNumber || !findBounds(&input->spread, &min, &max)) {
      continue;
    }
    if (!crParameter_Takes(parameter, min) || !crParameter_Takes(parameter, max)) {
      char path[300], range[CR_RANGE_SIZE];
      snprintf(path, sizeof path, "vary.%.250s", input->name);
      crParameter_FormatRange(parameter, range);
      crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, path);
      crReportNumber(&reporter, "the parameter leaves its range", crParameter_Takes(parameter, min) ? max : min, range,
                     parameter->unit, NULL);
      status = cr_errorModel;
    }
  }
  return status;
}

// The model of some run: many may have errors and be rows with a message. Where all that are tried have one, the first
// tells its own.
static crStatus readAnyRun(const crSweepPlan* plan, const crErrorSink* sink, Probe* probe)
{
  crStatus status = cr_errorModel;
  for (int i = 0; status != cr_ok && status != cr_errorMemory && i < CR_PROBES; ++i) {
    double share = i * CR_PROBE_STRIDE;
    freeProbe(probe);
    status = readProbe(plan, (int64_t)((share - floor(share)) * (double)plan->runs), NULL, probe);
  }
  if (status == cr_ok || status == cr_errorMemory) {
    return status;
  }
  freeProbe(probe);
  return readProbe(plan, 0, sink, probe);
}

static crStatus findOutputs(crSweepPlan* plan, const crModel* model, const crErrorSink* sink)
{
  crStatus status = cr_ok;
  int variableCount = 0;
  for (int i = 0; i < plan->outputs.count; ++i) {
    crOutput* output = &plan->outputs.items[i];
    char path[32];
    snprintf(path, sizeof path, "output[%d]", i + 1);
    crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, path);
    crStatus found = crOutput_Find(output, model, &plan->arena, &reporter);
    status = status == cr_ok ? found : status;
    output->firstColumn = plan->outputs.columnCount;
    output->firstVariable = variableCount;
    plan->outputs.columnCount += crOutput_CountColumns(output);
    variableCount += output->variableCount;
  }
  plan->outputs.variables = crArena_AllocateZero(&plan->arena, (size_t)variableCount + 1, sizeof(const char*));
  plan->columns = crArena_AllocateZero(&plan->arena, (size_t)plan->outputs.columnCount + 1, sizeof *plan->columns);
  if (status == cr_ok && (plan->outputs.variables == NULL || plan->columns == NULL)) {
    return cr_errorMemory;
  }
  for (int i = 0; status == cr_ok && i < plan->outputs.count; ++i) {
    const crOutput* output = &plan->outputs.items[i];
    for (int k = 0; k < output->variableCount; ++k) {
      plan->outputs.variables[plan->outputs.variableCount++] = output->variables[k];
    }
    status = crOutput_Describe(output, model, &plan->arena, &plan->columns[output->firstColumn]);
  }
  return status;
}

// A recorder without patterns would record everything.
static crStatus addAnyVariable(crSweepPlan* plan, const crModel* model)
{
  char name[CR_SHOWN_NAME];
  int length = crModel_GetVariableName(model, 0, name, sizeof name);
  if (plan->outputs.variableCount > 0 || length <= 0 || length >= (int)sizeof name) {
    return cr_ok;
  }
  plan->outputs.variables[plan->outputs.variableCount++] = crArena_CopyString(&plan->arena, name);
  return plan->outputs.variables[0] != NULL ? cr_ok : cr_errorMemory;
}

static void hashText(void* context, const char* text, size_t size)
{
  crSha256_Add(context, text, size);
}

// What runs are tried after the first depends on their number, which may grow: their models tell nothing.
static void hashScene(crSweepPlan* plan, const Probe* probe)
{
  crSha256 hash;
  crSha256_Init(&hash);
  crStatus status = crWriteJson(probe->scene, &plan->allocator, NULL, (crTextWriter){ hashText, &hash });
  crSha256_Finish(&hash, plan->sceneHash);
  plan->sceneHash[0] = status == cr_ok && probe->run <= 0 ? plan->sceneHash[0] : '\0';
}

static crStatus lookAtModel(crSweepPlan* plan, const crErrorSink* sink)
{
  Probe probe = { -1, NULL, NULL };
  crStatus status = readProbe(plan, -1, NULL, &probe);
  if (status != cr_errorMemory && (status != cr_ok || !hasParameters(plan, probe.scene))) {
    status = readAnyRun(plan, sink, &probe); // what is wrong with a parameter its reader tells in good words
  }
  status = status == cr_ok ? checkRanges(plan, probe.scene, sink) : status;
  status = status == cr_ok ? findOutputs(plan, probe.model, sink) : status;
  status = status == cr_ok ? addAnyVariable(plan, probe.model) : status;
  if (status == cr_ok) {
    hashScene(plan, &probe);
  }
  status = status == cr_ok && !crModelSource_KeepFiles(&plan->source, &probe.scene) ? cr_errorMemory : status;
  freeProbe(&probe);
  return status;
}

// --------------------------------------------------------------------------------------------- hash

static void addText(crSha256* hash, const char* text)
{
  crSha256_Add(hash, text, strlen(text) + 1);
}

static void addNumber(crSha256* hash, double number)
{
  char text[CR_NUMBER_SIZE];
  crFormatNumber(number, text);
  addText(hash, text);
}

static void addMesh(crSha256* hash, const crMeshFile* file)
{
  crMeshDef def = crMesh_GetDef(file->mesh);
  addText(hash, file->file);
  addNumber(hash, file->scale.x);
  addNumber(hash, file->scale.y);
  addNumber(hash, file->scale.z);
  for (int i = 0; i < def.pointCount; ++i) {
    double point[3] = { def.points[i].x, def.points[i].y, def.points[i].z };
    crSha256_Add(hash, point, sizeof point);
  }
  crSha256_Add(hash, def.triangles, (size_t)def.triangleCount * sizeof *def.triangles);
}

// All that a row depends on but its number. A sweep may become longer, unless its design depends on that.
static void computeHash(crSweepPlan* plan)
{
  crSha256 hash;
  crSha256_Init(&hash);
  crSha256_Add(&hash, plan->source.text, plan->source.size);
  for (int i = 0; i < plan->source.sourceCount; ++i) {
    addText(&hash, plan->source.sources[i].file);
    crSha256_Add(&hash, plan->source.sources[i].text, plan->source.sources[i].size);
  }
  crSha256_Finish(&hash, plan->sourceHash);
  crSha256_Init(&hash);
  addText(&hash, CAROM_VERSION);
  addText(&hash, plan->sourceHash);
  addText(&hash, plan->sceneHash);
  for (int i = 0; i < plan->settingCount; ++i) {
    addText(&hash, plan->settings[i].name);
    addText(&hash, plan->settings[i].value);
  }
  for (int i = 0; i < plan->inputCount; ++i) {
    addText(&hash, plan->inputs[i].name);
    addText(&hash, plan->inputs[i].text);
  }
  for (int i = 0; i < plan->outputs.count; ++i) {
    addText(&hash, plan->outputTexts[i]);
  }
  const crSimulationOptions* o = &plan->options;
  double numbers[] = { o->startTime,         o->stopTime,
                       o->interval,          o->tolerance,
                       o->absoluteTolerance, o->maxStep,
                       (double)o->solver,    (double)o->islands,
                       (double)o->eventRows, o->ignoresContacts ? 1.0 : 0.0,
                       (double)plan->seed,   plan->design == cr_designLatin ? (double)plan->runs : 0.0 };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    addNumber(&hash, numbers[i]);
  }
  addText(&hash, crDesign_GetText(plan->design));
  for (int i = 0; i < plan->source.meshCount; ++i) {
    addMesh(&hash, &plan->source.meshes[i]);
  }
  crSha256_Finish(&hash, plan->hash);
}

// -------------------------------------------------------------------------------------------- plans

crStatus crCreateSweepPlan(const crSweepDef* def, const crAllocator* allocator, const crErrorSink* sink,
                           crSweepPlan** outPlan)
{
  if (outPlan == NULL || def == NULL) {
    return cr_errorMisuse;
  }
  *outPlan = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crSweepPlan* plan = crAllocateZero(&chosen, 1, sizeof *plan);
  if (plan == NULL) {
    return cr_errorMemory;
  }
  plan->allocator = chosen;
  plan->source.allocator = chosen;
  crArena_Init(&plan->arena, &chosen);
  crArena_Init(&plan->source.arena, &chosen);
  crStatus status = crSweepPlan_ReadDef(plan, def, sink);
  status = status == cr_ok ? crModelSource_Init(&plan->source, def->model, &chosen, sink) : status;
  status = status == cr_ok ? lookAtModel(plan, sink) : status;
  if (status != cr_ok) {
    crDestroySweepPlan(plan);
    return status;
  }
  computeHash(plan);
  *outPlan = plan;
  return cr_ok;
}

crStatus crSweepPlan_SetRuns(crSweepPlan* plan, int64_t runs, const crErrorSink* sink)
{
  if (plan == NULL) {
    return cr_errorMisuse;
  }
  crStatus status = crSweepPlan_ChooseRuns(plan, runs, sink);
  if (status == cr_ok) {
    computeHash(plan);
  }
  return status;
}

void crDestroySweepPlan(crSweepPlan* plan)
{
  if (plan == NULL) {
    return;
  }
  crAllocator allocator = plan->allocator;
  crModelSource_Free(&plan->source);
  crArena_Free(&plan->arena);
  crFree(&allocator, plan, sizeof *plan);
}
