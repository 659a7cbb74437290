// Runs the passes one after the other.
#include "model/compile/compile.h"
#include "model/eval/instance.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CR_REPORT_SIZE (4 * CR_MAX_PATH)        // [bytes] longest message: a few paths
#define CR_SUGGESTION_BUDGET INT64_C(200000000) // [letters squared] keeps 1e5 misspelt names within a second
#define CR_RANDOM_POSES 100                     // at which given inertias are tried

typedef struct PassRow {
  const char* name;
  crStatus (*run)(crCompilation* c);
  void (*dump)(const crCompilation* c, crDump* dump);
} PassRow;

static const PassRow passes[cr_passCount] = {
  [cr_passResolve] = { "resolve", crResolve, crDumpResolve },
  [cr_passSignals] = { "signals", crResolveSignals, crDumpSignals },
  [cr_passCheck] = { "check", crCheck, crDumpCheck },
  [cr_passWeld] = { "weld", crWeld, crDumpWeld },
  [cr_passLump] = { "lump", crLump, crDumpLump },
  [cr_passOrder] = { "order", crOrder, crDumpOrder },
  [cr_passCut] = { "cut", crCut, crDumpCut },
  [cr_passPairs] = { "pairs", crPair, crDumpPairs },
  [cr_passNeeds] = { "needs", crFindNeeds, crDumpNeeds },
  [cr_passVariables] = { "variables", crListVariables, crDumpVariables },
  [cr_passPack] = { "pack", crPack, crDumpPack },
};

const char* crPassText(crPass pass)
{
  return (int)pass >= 0 && pass < cr_passCount ? passes[pass].name : "unknown pass";
}

// -------------------------------------------------------------------------------------- reporting

crAddress crAddressOfObject(const crCompilation* c, int object)
{
  crAddress address = { c->objectDefs[object]->source, c->objectDefs[object]->name };
  return address;
}

crAddress crAddressOfEdge(const crCompilation* c, int edge)
{
  if (edge >= c->jointCount) {
    return crAddressOfObject(c, edge - c->jointCount);
  }
  crAddress address = { c->jointDefs[edge]->source, c->jointDefs[edge]->name };
  return address;
}

void crCompilation_Report(crCompilation* c, crSeverity severity, crAddress address, const crComplaint* rest,
                          const char* format, ...)
{
  char message[CR_REPORT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  crComplaint complaint = { 0 };
  if (rest != NULL) {
    complaint = *rest;
  }
  complaint.message = message;
  crReporter reporter = crMakeReporter(c->sink, address.source, address.path);
  crReport(&reporter, severity, severity == cr_severityError ? cr_errorModel : cr_ok, &complaint);
  c->errorCount += reporter.errorCount;
  c->warningCount += reporter.warningCount;
}

// ---------------------------------------------------------------------------------------- running

bool crCompilation_ShouldStop(const crCompilation* c)
{
  return c->options.shouldStop != NULL && c->options.shouldStop(c->options.context);
}

// Looks up the defs of all elements once; they stay valid while the scene is not changed.
static bool viewScene(crCompilation* c)
{
  const crScene* scene = c->scene;
  c->objectCount = crScene_Count(scene, cr_elementObject);
  c->jointCount = crScene_Count(scene, cr_elementJoint);
  c->forceCount = crScene_Count(scene, cr_elementForce);
  c->signalCount = crScene_Count(scene, cr_elementSignal);
  c->exclusionCount = crScene_Count(scene, cr_elementExclusion);
  c->couplingCount = crScene_Count(scene, cr_elementCoupling);
  if (!crNew(c, c->objectDefs, c->objectCount) || !crNew(c, c->jointDefs, c->jointCount) ||
      !crNew(c, c->forceDefs, c->forceCount) || !crNew(c, c->signalDefs, c->signalCount) ||
      !crNew(c, c->exclusionDefs, c->exclusionCount) || !crNew(c, c->couplingDefs, c->couplingCount)) {
    return false;
  }
  for (int i = 0; i < c->objectCount; ++i) {
    c->objectDefs[i] = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, i));
  }
  for (int i = 0; i < c->jointCount; ++i) {
    c->jointDefs[i] = crScene_GetJoint(scene, crScene_GetId(scene, cr_elementJoint, i));
  }
  for (int i = 0; i < c->forceCount; ++i) {
    c->forceDefs[i] = crScene_GetForce(scene, crScene_GetId(scene, cr_elementForce, i));
  }
  for (int i = 0; i < c->signalCount; ++i) {
    c->signalDefs[i] = crScene_GetSignal(scene, crScene_GetId(scene, cr_elementSignal, i));
  }
  for (int i = 0; i < c->exclusionCount; ++i) {
    c->exclusionDefs[i] = crScene_GetExclusion(scene, crScene_GetId(scene, cr_elementExclusion, i));
  }
  for (int i = 0; i < c->couplingCount; ++i) {
    c->couplingDefs[i] = crScene_GetCoupling(scene, crScene_GetId(scene, cr_elementCoupling, i));
  }
  return true;
}

// Runs the passes up to `last`. cr_errorModel as soon as there are errors and the remaining passes could
// not rely on what they are given; *outReached tells whether `last` ran.
static crStatus runPasses(crCompilation* c, crPass last, bool* outReached)
{
  *outReached = false;
  if (!viewScene(c)) {
    return cr_errorMemory;
  }
  for (int pass = 0; pass <= (int)last; ++pass) {
    if (crCompilation_ShouldStop(c)) {
      return cr_cancelled;
    }
    if (pass > cr_passCheck && (c->errorCount > 0 || c->sceneHasErrors)) {
      return cr_errorModel;
    }
    crStatus status = passes[pass].run(c);
    if (status != cr_ok) {
      return status;
    }
  }
  *outReached = true;
  return c->errorCount > 0 || c->sceneHasErrors ? cr_errorModel : cr_ok;
}

// Inertias that are taken as given although no rigid body has them are good as long as everything can be accelerated.
static bool hasGivenInertia(const crScene* scene)
{
  for (int i = 0; i < crScene_Count(scene, cr_elementObject); ++i) {
    const crObjectDef* def = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, i));
    for (int k = 0; k < def->featureCount; ++k) {
      if (def->features[k].kind == cr_featureMass && def->features[k].as.mass.policy == cr_inertiaGiven) {
        return true;
      }
    }
  }
  return false;
}

static crStatus checkGivenInertia(const crScene* scene, const crModel* model, const crAllocator* allocator,
                                  const crErrorSink* sink)
{
  crInstance* instance = NULL;
  if (!hasGivenInertia(scene)) {
    return cr_ok;
  }
  crStatus status = crCreateInstance(model, allocator, sink, &instance);
  if (status == cr_ok && !crInstance_IsDefinite(instance, CR_RANDOM_POSES, sink)) {
    status = cr_errorModel;
  }
  crDestroyInstance(instance);
  if (status == cr_errorModel) {
    crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
    crComplaint complaint = {
      .message = "masses and inertias that no rigid body has are taken as given, but nothing can move with them",
      .allowed = "a mass matrix that is positive definite at the start and at 100 random poses",
      .hint = "policy = \"balance\" of a mass takes the nearest inertia that exists; of a robot: inertia = \"balance\""
    };
    crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
  }
  return status;
}

// Breaches of rules were reported by the passes.
static void reportResource(const crErrorSink* sink, crStatus status)
{
  if (status == cr_errorMemory || status == cr_errorLimit) {
    crSource nowhere = { NULL, 0, 0 };
    crReporter reporter = crMakeReporter(sink, nowhere, NULL);
    crComplaint complaint = { .message = status == cr_errorMemory ? "out of memory while the model was compiled"
                                                                  : "the model is too large to be compiled" };
    crReport(&reporter, cr_severityError, status, &complaint);
  }
}

static void begin(crCompilation* c, const crScene* scene, const crCompileOptions* options, const crAllocator* allocator,
                  const crErrorSink* sink)
{
  memset(c, 0, sizeof *c);
  c->scene = scene;
  c->sink = sink;
  c->options = options != NULL ? *options : crDefaultCompileOptions();
  c->allocator = crChooseAllocator(allocator);
  c->sceneHasErrors = crScene_CountErrors(scene) > 0;
  c->suggestionBudget = CR_SUGGESTION_BUDGET;
  crArena_Init(&c->arena, &c->allocator);
}

crCompileOptions crDefaultCompileOptions(void)
{
  return (crCompileOptions){ .size = sizeof(crCompileOptions) };
}

crStatus crCompile(const crScene* scene, const crCompileOptions* options, const crAllocator* allocator,
                   const crErrorSink* sink, crModel** outModel)
{
  if (outModel == NULL) {
    return cr_errorMisuse;
  }
  *outModel = NULL;
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  if (scene == NULL ||
      (options != NULL && !crCheckSize(&reporter, "crCompileOptions", options->size, sizeof *options))) {
    return cr_errorMisuse;
  }
  crCompilation c;
  bool reached;
  begin(&c, scene, options, allocator, sink);
  crStatus status = runPasses(&c, cr_passPack, &reached);
  crArena_Free(&c.arena);
  if (status == cr_ok) {
    status = checkGivenInertia(scene, c.model, &c.allocator, sink);
    status = status == cr_ok ? crAttachScene(scene, &c.allocator, sink, c.model) : status;
    if (status != cr_ok) {
      crDestroyModel(c.model);
      c.model = NULL;
    }
  }
  reportResource(sink, status);
  *outModel = c.model;
  return status;
}

crStatus crDumpPass(const crScene* scene, crPass pass, const crAllocator* allocator, const crErrorSink* sink,
                    crTextWriter writer)
{
  if (scene == NULL || (int)pass < 0 || pass >= cr_passCount || writer.write == NULL) {
    return cr_errorMisuse;
  }
  crCompilation c;
  bool reached;
  begin(&c, scene, NULL, allocator, sink);
  crStatus status = runPasses(&c, pass, &reached);
  if (reached) {
    crDump dump = { writer };
    passes[pass].dump(&c, &dump);
  }
  crDestroyModel(c.model);
  crArena_Free(&c.arena);
  reportResource(sink, status);
  return status;
}
