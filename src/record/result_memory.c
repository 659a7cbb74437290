// A sink that makes a result in memory. Rows come one by one and are turned into columns at the end.
#include "record/result.h"

#include <math.h>
#include <string.h>

#define CR_MAX_MEMORY_ROWS (1 << 30) // so that counts fit into an int

struct crResultMemory {
  crAllocator allocator;
  crResult* result; // being filled, or filled; NULL: none
  bool isFilled;
  int rowCount;
  double* times;  // (timeCapacity)
  double* values; // (valueCapacity x columns)
  float* poses;   // (poseCapacity x 7 bodies)
  uint8_t* kinds; // (kindCapacity)
  bool hasKinds;
  int timeCapacity, valueCapacity, poseCapacity, kindCapacity;
  crArrayOf(crContactRecord) contacts;
  crArrayOf(crContactRecord) samples;
  crArrayOf(crResultEvent) events;
};

crResultMemory* crCreateResultMemory(const crAllocator* allocator)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crResultMemory* memory = crAllocateZero(&chosen, 1, sizeof *memory);
  if (memory != NULL) {
    memory->allocator = chosen;
  }
  return memory;
}

static size_t rowSize(const crResultMemory* memory)
{
  return (size_t)memory->result->columnCount * sizeof(double);
}

static size_t poseSize(const crResultMemory* memory)
{
  return (size_t)memory->result->bodyCount * CR_POSE_SIZE * sizeof(float);
}

// What waited for the end.
static void freeRows(crResultMemory* memory)
{
  const crAllocator* allocator = &memory->allocator;
  if (memory->result != NULL) {
    crFree(allocator, memory->times, (size_t)memory->timeCapacity * sizeof(double));
    crFree(allocator, memory->values, (size_t)memory->valueCapacity * rowSize(memory));
    crFree(allocator, memory->poses, (size_t)memory->poseCapacity * poseSize(memory));
    crFree(allocator, memory->kinds, (size_t)memory->kindCapacity);
  }
  memory->times = memory->values = NULL;
  memory->poses = NULL;
  memory->kinds = NULL;
  memory->rowCount = memory->timeCapacity = memory->valueCapacity = memory->poseCapacity = memory->kindCapacity = 0;
  crArray_Free(&memory->contacts, allocator);
  crArray_Free(&memory->samples, allocator);
  crArray_Free(&memory->events, allocator);
}

static void forget(crResultMemory* memory)
{
  freeRows(memory);
  crDestroyResult(memory->result);
  memory->result = NULL;
  memory->isFilled = false;
}

void crDestroyResultMemory(crResultMemory* memory)
{
  if (memory != NULL) {
    crAllocator allocator = memory->allocator;
    forget(memory);
    crFree(&allocator, memory, sizeof *memory);
  }
}

crResult* crResultMemory_Take(crResultMemory* memory)
{
  crResult* result = memory != NULL && memory->isFilled ? memory->result : NULL;
  if (result != NULL) {
    memory->result = NULL;
    memory->isFilled = false;
  }
  return result;
}

// -------------------------------------------------------------------------------------------- begin

// NULL stays NULL. false: out of memory.
static bool copyText(crArena* arena, const char* text, const char** outText)
{
  *outText = crArena_CopyString(arena, text);
  return *outText != NULL || text == NULL;
}

static bool copyTexts(crArena* arena, const char* const* texts, int count, const char*** outTexts)
{
  *outTexts = crArena_AllocateZero(arena, (size_t)count, sizeof **outTexts);
  bool isCopied = *outTexts != NULL;
  for (int i = 0; isCopied && i < count; ++i) {
    isCopied = copyText(arena, texts[i], &(*outTexts)[i]);
  }
  return isCopied;
}

static bool copyColumns(crResult* result, const crColumn* columns)
{
  crArena* arena = &result->arena;
  result->columns = crArena_AllocateZero(arena, (size_t)result->columnCount, sizeof *result->columns);
  bool isCopied = result->columns != NULL;
  for (int i = 0; isCopied && i < result->columnCount; ++i) {
    crColumn* own = &result->columns[i];
    isCopied = copyText(arena, columns[i].name, &own->name) &&
               copyText(arena, columns[i].unit != NULL ? columns[i].unit : "1", &own->unit) &&
               copyText(arena, columns[i].description != NULL ? columns[i].description : "", &own->description);
  }
  return isCopied && crResult_MapColumns(result);
}

static bool copyMeshes(crResult* result, const crResultDef* def)
{
  result->meshes = crArena_AllocateZero(&result->arena, (size_t)def->meshCount, sizeof *result->meshes);
  bool isCopied = result->meshes != NULL;
  for (int i = 0; isCopied && i < def->meshCount; ++i) {
    crMeshFile* own = &result->meshes[i];
    isCopied = copyText(&result->arena, def->meshes[i].file, &own->file);
    own->scale = def->meshes[i].scale;
    own->mesh = def->meshes[i].mesh;
    crRetainMesh(own->mesh);
    result->meshCount = i + 1;
  }
  return isCopied;
}

static bool copyDef(crResult* result, const crResultDef* def)
{
  crArena* arena = &result->arena;
  result->columnCount = def->columnCount;
  result->facts = (crResultFacts){ .version = CAROM_VERSION, .exitReason = "running" };
  bool isCopied = copyColumns(result, def->columns) && copyMeshes(result, def) &&
                  copyTexts(arena, def->bodies, def->bodyCount, &result->bodies) &&
                  copyTexts(arena, def->objects, def->objectCount, &result->objects) &&
                  copyText(arena, def->modelName != NULL ? def->modelName : "", &result->facts.modelName) &&
                  copyText(arena, def->sceneJson, &result->facts.sceneJson) &&
                  copyText(arena, def->sourceText, &result->facts.sourceText);
  result->bodyCount = def->bodyCount;
  result->objectCount = def->objectCount;
  return isCopied;
}

static crStatus begin(void* context, const crResultDef* def)
{
  crResultMemory* memory = context;
  forget(memory);
  if (def == NULL || def->size != sizeof *def) {
    return cr_errorMisuse;
  }
  memory->hasKinds = def->hasEventRows;
  memory->result = crCreateResultInMemory(&memory->allocator);
  if (memory->result == NULL || !copyDef(memory->result, def)) {
    forget(memory);
    return cr_errorMemory;
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------- records

static bool isFilling(const crResultMemory* memory)
{
  return memory->result != NULL && !memory->isFilled;
}

static crStatus addRow(void* context, const crRow* row)
{
  crResultMemory* memory = context;
  const crAllocator* allocator = &memory->allocator;
  if (!isFilling(memory) || !isfinite(row->time)) {
    return cr_errorMisuse;
  }
  size_t values = rowSize(memory), poses = poseSize(memory);
  int count = memory->rowCount;
  if (count == CR_MAX_MEMORY_ROWS) {
    return cr_errorLimit;
  }
  if (!crGrow(allocator, &memory->times, &memory->timeCapacity, count, sizeof(double)) ||
      (memory->hasKinds && !crGrow(allocator, &memory->kinds, &memory->kindCapacity, count, 1)) ||
      (values > 0 && !crGrow(allocator, &memory->values, &memory->valueCapacity, count, values)) ||
      (poses > 0 && !crGrow(allocator, &memory->poses, &memory->poseCapacity, count, poses))) {
    return cr_errorMemory;
  }
  memory->times[count] = row->time;
  if (memory->hasKinds) {
    memory->kinds[count] = (uint8_t)row->kind;
  }
  if (values > 0) {
    memcpy((char*)memory->values + (size_t)count * values, row->values, values);
  }
  if (poses > 0) {
    memcpy((char*)memory->poses + (size_t)count * poses, row->poses, poses);
  }
  ++memory->rowCount;
  return cr_ok;
}

static crStatus addSample(void* context, const crContactRecord* sample)
{
  crResultMemory* memory = context;
  if (!isFilling(memory) || memory->rowCount == 0) {
    return cr_errorMisuse;
  }
  const crPatchCorner* corners = NULL;
  if (sample->cornerCount > 0) {
    corners = crArena_Copy(&memory->result->arena, sample->corners, (size_t)sample->cornerCount * sizeof *corners);
  }
  crContactRecord* place = crArray_Push(&memory->samples, &memory->allocator);
  if (place == NULL || (sample->cornerCount > 0 && corners == NULL)) {
    return cr_errorMemory;
  }
  *place = *sample;
  place->row = memory->rowCount - 1;
  place->corners = corners;
  return cr_ok;
}

static crStatus addContact(void* context, const crContactRecord* contact)
{
  crResultMemory* memory = context;
  crContactRecord* place = isFilling(memory) ? crArray_Push(&memory->contacts, &memory->allocator) : NULL;
  if (place == NULL) {
    return isFilling(memory) ? cr_errorMemory : cr_errorMisuse;
  }
  *place = *contact;
  return cr_ok;
}

static crStatus addEvent(void* context, double time, const char* kind, const char* text)
{
  crResultMemory* memory = context;
  if (!isFilling(memory) || !isfinite(time)) {
    return cr_errorMisuse;
  }
  crArena* arena = &memory->result->arena;
  crResultEvent event = { .time = time };
  crResultEvent* place = copyText(arena, kind, &event.kind) && copyText(arena, text, &event.text)
                             ? crArray_Push(&memory->events, &memory->allocator)
                             : NULL;
  if (place == NULL) {
    return cr_errorMemory;
  }
  *place = event;
  return cr_ok;
}

// ---------------------------------------------------------------------------------------------- end

// Rows become columns; times and poses stay as they are, in blocks of the right size.
static crStatus fillRows(crResultMemory* memory)
{
  crResult* result = memory->result;
  const crAllocator* allocator = &memory->allocator;
  size_t rows = (size_t)memory->rowCount, values = rowSize(memory), poses = poseSize(memory);
  result->rowCount = memory->rowCount;
  if (rows == 0) {
    return cr_ok;
  }
  result->times = crAllocate(allocator, rows * sizeof(double));
  result->values = values > 0 ? crAllocate(allocator, rows * values) : NULL;
  result->poses = poses > 0 ? crAllocate(allocator, rows * poses) : NULL;
  result->kinds = memory->hasKinds ? crAllocate(allocator, rows) : NULL;
  if (result->times == NULL || (values > 0 && result->values == NULL) || (poses > 0 && result->poses == NULL) ||
      (memory->hasKinds && result->kinds == NULL)) {
    return cr_errorMemory;
  }
  if (memory->hasKinds) {
    memcpy(result->kinds, memory->kinds, rows);
  }
  memcpy(result->times, memory->times, rows * sizeof(double));
  if (values > 0) {
    crResult_SpreadRows(result, 0, memory->rowCount, memory->values);
  }
  if (poses > 0) {
    memcpy(result->poses, memory->poses, rows * poses);
  }
  return cr_ok;
}

static crContactRecord giveSample(void* context, int index)
{
  const crResultMemory* memory = context;
  return memory->samples.items[index];
}

static crStatus fillLists(crResultMemory* memory)
{
  crResult* result = memory->result;
  size_t eventSize = (size_t)memory->events.count * sizeof(crResultEvent);
  result->events = crArena_AllocateZero(&result->arena, (size_t)memory->events.count, sizeof(crResultEvent));
  if (result->events == NULL) {
    return cr_errorMemory;
  }
  if (eventSize > 0) {
    memcpy(result->events, memory->events.items, eventSize);
  }
  result->eventCount = memory->events.count;
  crStatus status = crResult_SetContacts(result, memory->contacts.items, memory->contacts.count);
  return status == cr_ok ? crResult_SetSamples(result, memory->samples.count, giveSample, memory) : status;
}

static crStatus end(void* context, crRunEnd runEnd, const char* runJson)
{
  crResultMemory* memory = context;
  if (!isFilling(memory)) {
    return cr_errorMisuse;
  }
  crResult* result = memory->result;
  result->facts.isComplete = runEnd == cr_runComplete;
  result->facts.exitReason = crRunEnd_GetText(runEnd);
  crStatus status = copyText(&result->arena, runJson, &result->facts.runJson) ? fillRows(memory) : cr_errorMemory;
  status = status == cr_ok ? fillLists(memory) : status;
  freeRows(memory);
  if (status != cr_ok) {
    forget(memory);
    return status;
  }
  memory->isFilled = true;
  return cr_ok;
}

crRecordSink crResultMemory_GetSink(crResultMemory* memory)
{
  return (crRecordSink){ .context = memory,
                         .begin = begin,
                         .addRow = addRow,
                         .addSample = addSample,
                         .addContact = addContact,
                         .addEvent = addEvent,
                         .end = end };
}
