// FMUs of other tools as sampled functions.
//
// At the call k, at t_k, the FMU goes from t_(k-1) to t_k with the inputs of t_(k-1), and tells its outputs at t_k; the
// first call initializes it. So its outputs are those of a system whose inputs are held from one communication point to
// the next, and nothing that a model passes comes back at the same time.
//
// A call has to depend on its arguments and states alone, since a run that goes back calls again, and the state of an
// FMU is its own. So the block keeps all calls so far, with their times, inputs and outputs. The number of calls is one
// of the block's states: a call with an earlier one finds its outputs there, and if inputs have become others, the FMU
// begins anew and takes all steps up to there again. Checkpoints hold the same list. An FMU that does not do the same
// again is told.
#include "foreign/fmu_block.h"

#include "foreign/fmu_slave.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define CR_DESCRIPTION_LIMIT ((size_t)64 << 20) // [bytes] of modelDescription.xml
#define CR_DESCRIPTION "modelDescription.xml"

static atomic_bool isAllowed;

void crAllowFmus(bool isWanted)
{
  atomic_store(&isAllowed, isWanted);
}

typedef struct Block {
  crAllocator allocator;
  const crFunctionSource* source; // of the model, which lives longer
  int inputCount, outputCount;
  crArena arena; // of what follows, up to `values`
  crSlaveDescription description;
  crFmuPlaces places;
  double* parameters; // (constantCount)
  double* outputs;    // (outputCount) scratch
  crSlave slave;
  bool isStarted;
  crErrorSink sink;        // of the simulation; none: nobody listens
  int64_t lived;           // calls that the FMU has come through
  crArrayOf(double) calls; // of each: time, inputs, outputs
  char explanation[2 * CR_FMU_MESSAGE_SIZE];
} Block;

static int64_t countStride(const Block* block)
{
  return 1 + block->inputCount + block->outputCount;
}

static int64_t countCalls(const Block* block)
{
  return block->calls.count / countStride(block);
}

static double* getCall(const Block* block, int64_t k)
{
  return block->calls.items + k * countStride(block);
}

// ------------------------------------------------------------------------------------------ describing

static crStatus readDescription(const crFmuArchive* archive, crArena* arena, crReporter* reporter,
                                crSlaveDescription* outDescription)
{
  char* text = NULL;
  size_t size = 0;
  crStatus status = crFmuArchive_ReadText(archive, CR_DESCRIPTION, CR_DESCRIPTION_LIMIT, reporter, &text, &size);
  if (status == cr_ok) {
    status = crReadFmuDescription(text, size, arena, reporter, outDescription);
    crFree(&archive->allocator, text, size + 1);
  }
  return status;
}

// All outputs, where a model does not choose.
static crStatus listOutputs(const crSlaveDescription* description, crArena* arena, crReporter* reporter,
                            crFmuSummary* summary)
{
  const char** names = crArena_AllocateZero(arena, (size_t)description->variableCount + 1, sizeof *names);
  for (int i = 0; names != NULL && i < description->variableCount; ++i) {
    const crFmuPlace* place = &description->variables[i];
    if (strcmp(place->causality, "output") == 0 && place->type != cr_slaveString) {
      names[summary->outputCount++] = place->name;
    }
  }
  summary->outputs = names;
  if (names != NULL && summary->outputCount == 0) {
    crReportError(reporter, "the FMU has no outputs: say in outputs which of its variables are meant");
    return cr_errorModel;
  }
  return names != NULL ? cr_ok : cr_errorMemory;
}

crStatus crSummarizeFmu(const crFunctionSource* source, const char* const* outputs, int outputCount, crArena* arena,
                        crReporter* reporter, crFmuSummary* outSummary)
{
  crFmuArchive archive;
  crSlaveDescription description;
  crFmuPlaces places;
  *outSummary = (crFmuSummary){ .outputs = outputs, .outputCount = outputCount };
  crStatus status = crFmuArchive_Open(&archive, source->file, NULL, reporter);
  if (status != cr_ok) {
    return status;
  }
  status = readDescription(&archive, arena, reporter, &description);
  if (status == cr_ok && outputCount == 0) {
    status = listOutputs(&description, arena, reporter, outSummary);
  }
  if (status == cr_ok) {
    status =
        crFindFmuPlaces(&description, source, outSummary->outputs, outSummary->outputCount, arena, reporter, &places);
  }
  outSummary->hash = crArena_CopyString(arena, archive.hash);
  crFmuArchive_Close(&archive);
  return status == cr_ok && outSummary->hash == NULL ? cr_errorMemory : status;
}

// -------------------------------------------------------------------------------------------- starting

// The names of the outputs are those of the states, the last of which counts calls.
static crStatus findPlaces(Block* block, crReporter* reporter)
{
  const crFunctionSource* source = block->source;
  const char** names = crArena_AllocateZero(&block->arena, (size_t)block->outputCount + 1, sizeof *names);
  block->parameters = crArena_AllocateZero(&block->arena, (size_t)source->constantCount + 1, sizeof(double));
  block->outputs = crArena_AllocateZero(&block->arena, (size_t)block->outputCount + 1, sizeof(double));
  if (names == NULL || block->parameters == NULL || block->outputs == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < block->outputCount; ++i) {
    names[i] = source->states[i].name;
  }
  for (int i = 0; i < source->constantCount; ++i) {
    block->parameters[i] = source->constants[i].value;
  }
  return crFindFmuPlaces(&block->description, source, names, block->outputCount, &block->arena, reporter,
                         &block->places);
}

static crStatus load(Block* block, const crFmuArchive* archive, crReporter* reporter)
{
  const crFunctionSource* source = block->source;
  if (source->code != NULL && strcmp(source->code, archive->hash) != 0) {
    crReportError(reporter, "the FMU '%s' has changed since the model was read", source->file);
    return cr_errorModel;
  }
  crStatus status = readDescription(archive, &block->arena, reporter, &block->description);
  status = status == cr_ok ? findPlaces(block, reporter) : status;
  return status == cr_ok ? crSlave_Open(&block->slave, archive, &block->description, reporter) : status;
}

static crStatus start(void* caller, const crErrorSink* sink)
{
  Block* block = caller;
  const crFunctionSource* source = block->source;
  if (block->isStarted) {
    return cr_ok;
  }
  crReporter reporter = crMakeReporter(sink, source->source, source->path);
  if (!atomic_load(&isAllowed)) {
    crComplaint complaint = { .message = "an FMU is code of others, which can do whatever you can: it is not run",
                              .found = source->file,
                              .hint = "--allow-fmu lets FMUs run, if you trust this one" };
    crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
    return cr_retry;
  }
  crFmuArchive archive;
  crStatus status = crFmuArchive_Open(&archive, source->file, &block->allocator, &reporter);
  if (status == cr_ok) {
    status = load(block, &archive, &reporter);
    crFmuArchive_Close(&archive);
  }
  block->isStarted = status == cr_ok;
  block->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  return status;
}

static crStatus create(void* context, const crFunctionSource* source, const crAllocator* allocator,
                       const crErrorSink* sink, void** outCaller)
{
  (void)context;
  (void)sink;
  crAllocator own = crChooseAllocator(allocator);
  Block* block = crAllocateZero(&own, 1, sizeof *block);
  *outCaller = block;
  if (block == NULL) {
    return cr_errorMemory;
  }
  block->allocator = own;
  block->source = source;
  block->inputCount = source->argumentCount;
  block->outputCount = source->stateCount - 1;
  crArena_Init(&block->arena, &own);
  return cr_ok;
}

// Steps are taken by whatever thread it is, so what an FMU has warned of is told at the end.
static void tellWarnings(const Block* block)
{
  if (block->slave.warningCount > 0 && block->sink.report != NULL) {
    crReporter reporter = crMakeReporter(&block->sink, block->source->source, block->source->path);
    crReportWarning(&reporter, "the FMU has warned %d times, at first: '%s'", block->slave.warningCount,
                    block->slave.warning);
  }
}

static void destroy(void* caller)
{
  Block* block = caller;
  crAllocator allocator = block->allocator;
  tellWarnings(block);
  if (block->isStarted) {
    crSlave_Close(&block->slave);
  }
  crArray_Free(&block->calls, &allocator);
  crArena_Free(&block->arena);
  crFree(&allocator, block, sizeof *block);
}

// --------------------------------------------------------------------------------------------- calling

static crFmuValues makeInputs(const Block* block, const double* call)
{
  return (crFmuValues){ block->places.inputs, call + 1, block->inputCount };
}

// The next call that the FMU has to come through; outputs are left in the block.
static bool live(Block* block, const double* call)
{
  const crFunctionSource* source = block->source;
  crFmuValues parameters = { block->places.parameters, block->parameters, source->constantCount };
  const double* before = block->lived > 0 ? getCall(block, block->lived - 1) : NULL;
  bool isGood = before == NULL ? crSlave_Begin(&block->slave, source->path, block->description.guid, call[0],
                                               parameters, makeInputs(block, call))
                               : crSlave_Step(&block->slave, before[0], source->period, makeInputs(block, before));
  isGood = isGood && crSlave_Read(&block->slave, block->places.outputs, block->outputCount, block->outputs);
  block->lived += isGood;
  if (!isGood) {
    snprintf(block->explanation, sizeof block->explanation, "%s", block->slave.explanation);
    block->lived = 0;
  }
  return isGood;
}

// Brings the FMU to where `count` calls are behind it.
static bool reach(Block* block, int64_t count)
{
  block->lived = block->lived > count ? 0 : block->lived; // it cannot go back
  while (block->lived < count) {
    const double* call = getCall(block, block->lived);
    if (!live(block, call)) {
      return false;
    }
    if (memcmp(block->outputs, call + 1 + block->inputCount, (size_t)block->outputCount * sizeof(double)) != 0) {
      snprintf(block->explanation, sizeof block->explanation,
               "the FMU had to take its steps again, and does not do the same, at %.9g s", call[0]);
      return false;
    }
  }
  return true;
}

static bool grow(Block* block)
{
  for (int64_t i = 0; i < countStride(block); ++i) {
    double* place = crArray_Push(&block->calls, &block->allocator);
    if (place == NULL) {
      return false;
    }
    *place = 0.0;
  }
  return true;
}

static crStatus fail(Block* block, const char* why)
{
  snprintf(block->explanation, sizeof block->explanation, "%s", why);
  return cr_failNumerics;
}

static void reportLate(void* context, const crError* error)
{
  Block* block = context;
  snprintf(block->explanation, sizeof block->explanation, "%s", error->message);
}

// What call k was told before holds, but for what comes behind it if the inputs are others now.
static void repeat(Block* block, int64_t k, const double* inputs)
{
  double* known = getCall(block, k);
  size_t size = (size_t)block->inputCount * sizeof(double);
  if (block->inputCount > 0 && memcmp(known + 1, inputs, size) != 0) {
    memcpy(known + 1, inputs, size);
    block->calls.count = (int)((k + 1) * countStride(block));
    block->lived = block->lived > k + 1 ? 0 : block->lived;
  }
}

static crStatus append(Block* block, double t, const double* inputs)
{
  int64_t k = countCalls(block);
  if (!reach(block, k)) {
    return cr_failNumerics;
  }
  int before = block->calls.count;
  if (!grow(block)) {
    block->calls.count = before;
    return fail(block, "there is no memory for its calls");
  }
  double* call = getCall(block, k);
  call[0] = t;
  if (block->inputCount > 0) {
    memcpy(call + 1, inputs, (size_t)block->inputCount * sizeof(double));
  }
  if (!live(block, call)) {
    block->calls.count = before;
    return cr_failNumerics;
  }
  memcpy(call + 1 + block->inputCount, block->outputs, (size_t)block->outputCount * sizeof(double));
  return cr_ok;
}

static crStatus call(void* caller, double t, const double* arguments, double* states, double* outValue)
{
  Block* block = caller;
  block->explanation[0] = '\0';
  crErrorSink sink = { reportLate, block };
  if (!block->isStarted && start(block, &sink) != cr_ok) {
    return cr_failNumerics;
  }
  block->sink = block->sink.report == reportLate ? (crErrorSink){ NULL, NULL } : block->sink;
  double calls = states[block->outputCount];
  if (!(calls >= 0.0 && calls <= (double)countCalls(block))) {
    return fail(block, "an FMU cannot go on from a state alone: what it has done before is not known here");
  }
  int64_t k = (int64_t)calls;
  bool isKnown = k > 0 && k < countCalls(block) && getCall(block, k)[0] == t; // at 0 it is initialized with its inputs
  if (!isKnown) {                                                             // what was behind it is no more
    block->calls.count = (int)(k * countStride(block));
  }
  crStatus status = cr_ok;
  if (isKnown) {
    repeat(block, k, arguments);
  } else {
    status = append(block, t, arguments);
  }
  if (status == cr_ok) {
    memcpy(states, getCall(block, k) + 1 + block->inputCount, (size_t)block->outputCount * sizeof(double));
    states[block->outputCount] = (double)(k + 1);
    *outValue = states[0];
  }
  return status;
}

static const char* explain(const void* caller)
{
  return ((const Block*)caller)->explanation;
}

// ---------------------------------------------------------------------------------------- remembering

static int64_t countMemory(const void* caller)
{
  return ((const Block*)caller)->calls.count;
}

static void getMemory(const void* caller, double* outNumbers)
{
  const Block* block = caller;
  if (block->calls.count > 0) {
    memcpy(outNumbers, block->calls.items, (size_t)block->calls.count * sizeof(double));
  }
}

static crStatus setMemory(void* caller, const double* numbers, int64_t count)
{
  Block* block = caller;
  if (count < 0 || count % countStride(block) != 0) {
    return cr_errorModel;
  }
  for (int64_t i = 0; i < count; ++i) {
    if (!isfinite(numbers[i])) {
      return cr_errorModel;
    }
  }
  block->calls.count = 0;
  block->lived = 0;
  while (block->calls.count < count) {
    if (!grow(block)) {
      return cr_errorMemory;
    }
  }
  if (count > 0) {
    memcpy(block->calls.items, numbers, (size_t)count * sizeof(double));
  }
  return cr_ok;
}

const crFunction* crGetFmuFunction(void)
{
  static const crFunction function = { .call = call,
                                       .create = create,
                                       .destroy = destroy,
                                       .explain = explain,
                                       .start = start,
                                       .countMemory = countMemory,
                                       .getMemory = getMemory,
                                       .setMemory = setMemory };
  return &function;
}
