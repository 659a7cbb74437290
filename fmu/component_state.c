// The state of an FMU in one block: what was set, and the checkpoint of the run, which goes on with the same bits. In
// Model Exchange the checkpoint holds the contacts and what functions and cut joints keep.
#include "component.h"

#include <math.h>
#include <string.h>

#define CR_FMU_STATE_VERSION 2
#define CR_LONGEST_TEXT (1 << 20) // [bytes] of a parameter

static const char mark[CR_ARCHIVE_NAME] = "carom fmu state";

typedef struct Bytes {
  const crAllocator* allocator;
  void* bytes; // (size)
  size_t size;
} Bytes;

static crStatus keep(void* context, const void* bytes, size_t size)
{
  Bytes* kept = context;
  kept->bytes = crAllocate(kept->allocator, size);
  kept->size = size;
  if (kept->bytes != NULL) {
    memcpy(kept->bytes, bytes, size);
  }
  return kept->bytes != NULL ? cr_ok : cr_errorMemory;
}

// All numbers of an FMU but those of its run; a reader has a copy of it that takes them.
typedef struct Content {
  int mode;
  bool isExchange, hasSimulation;
  double startTime, stopTime, tolerance, time, phase, nextEvent, lastTime;
  double *inputs, *inputRates, *numbers, *y, *lastY, *lastRates;
} Content;

static void archiveContent(crArchive* archive, const crFmu* fmu, Content* content)
{
  crArchive_Mark(archive, mark);
  crArchive_BeginSection(archive, "fmu", CR_FMU_STATE_VERSION);
  int states = fmu->stateCount, inputs = fmu->inputCount, parameters = fmu->variables.parameterCount;
  crArchive_Int(archive, &states, fmu->stateCount, fmu->stateCount);
  crArchive_Int(archive, &inputs, fmu->inputCount, fmu->inputCount);
  crArchive_Int(archive, &parameters, parameters, parameters);
  crArchive_Int(archive, &content->mode, cr_fmuInstantiated, cr_fmuTerminated);
  crArchive_Bool(archive, &content->isExchange);
  crArchive_Bool(archive, &content->hasSimulation);
  crArchive_Double(archive, &content->startTime);
  crArchive_Double(archive, &content->stopTime);
  crArchive_Double(archive, &content->tolerance);
  crArchive_Double(archive, &content->time);
  crArchive_Double(archive, &content->phase);
  crArchive_Double(archive, &content->nextEvent);
  crArchive_Double(archive, &content->lastTime);
  crArchive_Doubles(archive, content->inputs, (size_t)fmu->inputCount);
  crArchive_Doubles(archive, content->inputRates, CR_INPUT_ORDERS * (size_t)fmu->inputCount);
  crArchive_Doubles(archive, content->numbers, (size_t)fmu->variables.parameterCount);
  crArchive_Doubles(archive, content->y, (size_t)fmu->stateCount);
  crArchive_Doubles(archive, content->lastY, (size_t)fmu->stateCount);
  crArchive_Doubles(archive, content->lastRates, (size_t)fmu->stateCount);
  crArchive_EndSection(archive);
}

// ----------------------------------------------------------------------------------------------- save

static void saveTexts(crArchive* archive, const crFmu* fmu)
{
  crArchive_BeginSection(archive, "texts", CR_FMU_STATE_VERSION);
  for (int i = 0; i < fmu->variables.parameterCount; ++i) {
    int size = fmu->texts[i] != NULL ? (int)strlen(fmu->texts[i]) + 1 : 0;
    crArchive_Count(archive, &size, CR_LONGEST_TEXT, 1);
    crArchive_Bytes(archive, fmu->texts[i], (size_t)size);
  }
  crArchive_EndSection(archive);
}

static crStatus saveRun(crFmu* fmu, Bytes* outKept)
{
  crSimulation* simulation = fmu->simulation;
  if (simulation == NULL) {
    return cr_ok;
  }
  if (fmu->isExchange) { // the run has to be where the host is
    memcpy(simulation->run.state, fmu->y, (size_t)fmu->treeStates * sizeof(double));
    if (fmu->stateCount > fmu->treeStates && fmu->set.contacts != NULL) {
      crContacts_SetBristles(fmu->set.contacts, fmu->y + fmu->treeStates);
    }
    simulation->run.phase = fmu->phase;
    simulation->time = fmin(fmu->time, simulation->run.options.stopTime);
  }
  return crSimulation_Save(simulation, NULL, 0, (crByteWriter){ keep, outKept });
}

crStatus crFmu_Save(crFmu* fmu, void** outBytes, size_t* outSize)
{
  Content content = { .mode = fmu->mode,
                      .isExchange = fmu->isExchange,
                      .hasSimulation = fmu->simulation != NULL,
                      .startTime = fmu->startTime,
                      .stopTime = fmu->stopTime,
                      .tolerance = fmu->tolerance,
                      .time = fmu->time,
                      .phase = fmu->phase,
                      .nextEvent = fmu->nextEvent,
                      .lastTime = fmu->lastTime,
                      .inputs = fmu->inputs,
                      .inputRates = fmu->inputRates,
                      .numbers = fmu->numbers,
                      .y = fmu->y,
                      .lastY = fmu->lastY,
                      .lastRates = fmu->lastRates };
  Bytes run = { .allocator = &fmu->allocator }, whole = { .allocator = &fmu->allocator };
  crStatus status = saveRun(fmu, &run);
  if (status != cr_ok) {
    return status;
  }
  crArchive archive;
  crArchive_InitWriter(&archive, &fmu->allocator);
  archiveContent(&archive, fmu, &content);
  saveTexts(&archive, fmu);
  crArchive_BeginSection(&archive, "run", CR_FMU_STATE_VERSION);
  int64_t size = (int64_t)run.size;
  crArchive_Int64(&archive, &size, 0);
  crArchive_Bytes(&archive, run.bytes, run.size);
  crArchive_EndSection(&archive);
  crArchive_Finish(&archive);
  status = archive.status == cr_ok ? keep(&whole, archive.bytes, archive.size) : archive.status;
  crArchive_Free(&archive);
  crFree(&fmu->allocator, run.bytes, run.size);
  *outBytes = whole.bytes;
  *outSize = whole.size;
  return status;
}

// ----------------------------------------------------------------------------------------------- load

static void loadTexts(crArchive* archive, crFmu* fmu, bool isApplied)
{
  crArchive_BeginSection(archive, "texts", CR_FMU_STATE_VERSION);
  for (int i = 0; i < fmu->variables.parameterCount && crArchive_IsGood(archive); ++i) {
    int size = 0;
    crArchive_Count(archive, &size, CR_LONGEST_TEXT, 1);
    const char* text = crArchive_Borrow(archive, (size_t)size);
    bool isText = text != NULL && size > 0 && text[size - 1] == '\0';
    if ((size > 0) != (fmu->texts[i] != NULL) || (size > 0 && !isText)) {
      crArchive_Refuse(archive, "a text has no end");
    } else if (isText && isApplied && !crFmu_SetText(fmu, i, text)) {
      crArchive_Fail(archive, cr_errorMemory);
    }
  }
  crArchive_EndSection(archive);
}

static void take(crFmu* fmu, const Content* content)
{
  fmu->mode = (crFmuMode)content->mode;
  fmu->startTime = content->startTime;
  fmu->stopTime = content->stopTime;
  fmu->tolerance = content->tolerance;
  fmu->time = content->time;
  fmu->phase = content->phase;
  fmu->nextEvent = content->nextEvent;
  fmu->lastTime = content->lastTime;
  size_t states = (size_t)fmu->stateCount * sizeof(double);
  memcpy(fmu->inputs, content->inputs, (size_t)fmu->inputCount * sizeof(double));
  memcpy(fmu->inputRates, content->inputRates, CR_INPUT_ORDERS * (size_t)fmu->inputCount * sizeof(double));
  fmu->hasInputRates = false;
  for (int i = 0; i < CR_INPUT_ORDERS * fmu->inputCount; ++i) {
    fmu->hasInputRates = fmu->hasInputRates || fmu->inputRates[i] != 0.0;
  }
  for (int i = 0; i < fmu->variables.parameterCount; ++i) {
    crFmu_SetNumber(fmu, i, content->numbers[i]);
  }
  memcpy(fmu->y, content->y, states);
  memcpy(fmu->lastY, content->lastY, states);
  memcpy(fmu->lastRates, content->lastRates, states);
}

// The run of another one of the same parameters.
static crStatus loadRun(crFmu* fmu, const void* bytes, size_t size)
{
  crStatus status = fmu->hasParameters ? crFmu_ReadAgain(fmu) : cr_ok;
  crSimulation* simulation = NULL;
  status = status == cr_ok ? crLoadSimulation(fmu->model, bytes, size, NULL, &fmu->allocator, &fmu->sink, &simulation)
                           : status;
  if (status != cr_ok) {
    return status;
  }
  crFmu_TakeSimulation(fmu, simulation);
  if (fmu->stateCount > fmu->treeStates && fmu->set.contacts != NULL) {
    crStickSlots_Seat(&fmu->variables.slots, fmu->set.contacts);
  }
  return fmu->isExchange && fmu->mode > cr_fmuInitializing ? crFmu_MakeWatch(fmu) : cr_ok;
}

// All that is checked comes first: bytes that cannot be used change nothing.
static crStatus load(crFmu* fmu, const void* bytes, size_t size, Content* content)
{
  crStatus status = cr_ok;
  for (int isApplied = 0; isApplied < 2 && status == cr_ok; ++isApplied) {
    crArchive archive;
    crArchive_InitReader(&archive, bytes, size);
    archiveContent(&archive, fmu, content);
    if (crArchive_IsGood(&archive) && content->isExchange != fmu->isExchange) {
      crArchive_Refuse(&archive, "it is of the other kind of FMU");
    }
    loadTexts(&archive, fmu, isApplied);
    crArchive_BeginSection(&archive, "run", CR_FMU_STATE_VERSION);
    int64_t runSize = 0;
    crArchive_Int64(&archive, &runSize, 0);
    const void* run = crArchive_Borrow(&archive, (size_t)runSize);
    crArchive_EndSection(&archive);
    crArchive_Finish(&archive);
    if (archive.status != cr_ok) {
      crFmu_Log(fmu, cr_severityError, "this is no state of this FMU: %s",
                archive.complaint[0] != '\0' ? archive.complaint : crStatus_GetText(archive.status));
      return archive.status;
    }
    if (isApplied) {
      take(fmu, content);
      crFmu_DropSimulation(fmu);
      status = content->hasSimulation ? loadRun(fmu, run, (size_t)runSize) : cr_ok;
    }
  }
  return status;
}

crStatus crFmu_Load(crFmu* fmu, const void* bytes, size_t size)
{
  size_t states = (size_t)fmu->stateCount, inputs = (size_t)fmu->inputCount;
  size_t count = (1 + CR_INPUT_ORDERS) * inputs + (size_t)fmu->variables.parameterCount + 3 * states + 1;
  double* numbers = crAllocateZero(&fmu->allocator, count, sizeof *numbers);
  if (numbers == NULL) {
    return cr_errorMemory;
  }
  Content content = { .inputs = numbers };
  content.inputRates = content.inputs + inputs;
  content.numbers = content.inputRates + CR_INPUT_ORDERS * inputs;
  content.y = content.numbers + fmu->variables.parameterCount;
  content.lastY = content.y + states;
  content.lastRates = content.lastY + states;
  crStatus status = load(fmu, bytes, size, &content);
  crFree(&fmu->allocator, numbers, count * sizeof *numbers);
  return status;
}
