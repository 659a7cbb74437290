// The rows of a sweep, each run once and in order.
#include "sweep/table.h"

#include "base/platform.h"
#include "sweep/folder.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------------------------------------- reading

// All rows of all shards, with the place of their shard.
typedef struct Found {
  crSweepRow row;
  int shard;
} Found;

typedef struct Reader {
  crSweepTable* table;
  const crErrorSink* sink;
  crArena arena; // of the list
  crShardList list;
  crShard* shards; // (list.count)
  crArrayOf(Found) found;
} Reader;

// By run; of one run first what counts: ok before failed, then what was written last.
static int compareFound(const void* a, const void* b)
{
  const Found *f = a, *g = b;
  if (f->row.run != g->row.run) {
    return f->row.run < g->row.run ? -1 : 1;
  }
  bool isOk = f->row.status == cr_ok, isOther = g->row.status == cr_ok;
  return isOk != isOther ? (isOk ? -1 : 1) : g->shard - f->shard;
}

static crStatus collectShard(Reader* reader, int i)
{
  crSweepTable* table = reader->table;
  crErrorSink warnings = crMakeWarningSink(reader->sink);
  int inputs = 0, outputs = 0;
  crShard* shard = &reader->shards[i];
  crStatus status = crReadShard(shard, reader->list.paths[i], table->text.hash, false, &table->allocator, &warnings,
                                &inputs, &outputs);
  if (status != cr_ok || inputs != table->inputCount || outputs != table->outputCount) {
    return status == cr_errorMemory ? status : cr_ok; // what cannot be read was told, and runs again
  }
  for (int k = 0; k < shard->rowCount; ++k) {
    if (shard->rows[k].run < 0 || shard->rows[k].run >= table->text.def.runs) {
      continue;
    }
    Found* place = crArray_Push(&reader->found, &table->allocator);
    if (place == NULL) {
      return cr_errorMemory;
    }
    *place = (Found){ shard->rows[k], i };
  }
  return cr_ok;
}

// Sorted, each run once, with numbers in one block.
static crStatus arrange(Reader* reader)
{
  crSweepTable* table = reader->table;
  Found* found = reader->found.items;
  int kept = 0;
  if (reader->found.count > 0) {
    qsort(found, (size_t)reader->found.count, sizeof *found, compareFound);
  }
  for (int i = 0; i < reader->found.count; ++i) {
    if (kept == 0 || found[i].row.run != found[kept - 1].row.run) {
      found[kept++] = found[i];
    }
  }
  size_t inputCount = (size_t)table->inputCount, outputCount = (size_t)table->outputCount, count = (size_t)kept + 1;
  table->rows = crArena_AllocateZero(&table->arena, count, sizeof *table->rows);
  table->inputs = crArena_AllocateZero(&table->arena, count * inputCount, sizeof(double));
  table->outputs = crArena_AllocateZero(&table->arena, count * outputCount, sizeof(double));
  if (table->rows == NULL || table->inputs == NULL || table->outputs == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < kept; ++i) {
    crSweepRow* row = &table->rows[i];
    double *inputs = table->inputs + (size_t)i * inputCount, *outputs = table->outputs + (size_t)i * outputCount;
    memcpy(inputs, found[i].row.inputs, inputCount * sizeof(double));
    memcpy(outputs, found[i].row.outputs, outputCount * sizeof(double));
    *row = found[i].row;
    row->inputs = inputs;
    row->outputs = outputs;
    row->message = crArena_CopyString(&table->arena, found[i].row.message);
    if (row->message == NULL) {
      return cr_errorMemory;
    }
  }
  table->rowCount = kept;
  return cr_ok;
}

static crStatus readRows(Reader* reader)
{
  reader->shards = crArena_AllocateZero(&reader->arena, (size_t)reader->list.count + 1, sizeof *reader->shards);
  crStatus status = reader->shards != NULL ? cr_ok : cr_errorMemory;
  int read = 0;
  for (; read < reader->list.count && status == cr_ok; ++read) {
    status = collectShard(reader, read);
  }
  status = status == cr_ok ? arrange(reader) : status;
  for (int i = 0; i < read; ++i) {
    crFreeShard(&reader->shards[i]);
  }
  crArray_Free(&reader->found, &reader->table->allocator);
  return status;
}

// Inputs, whose texts the plan has, and columns.
static crStatus readInputs(crSweepTable* table, const crErrorSink* sink)
{
  const crSweepDef* def = &table->text.def;
  table->inputCount = def->varyCount;
  table->outputCount = table->text.columnCount;
  table->spreads = crArena_AllocateZero(&table->arena, (size_t)def->varyCount + 1, sizeof *table->spreads);
  crStatus status = table->spreads != NULL ? cr_ok : cr_errorMemory;
  for (int i = 0; i < def->varyCount && status == cr_ok; ++i) {
    crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, def->vary[i].name);
    status = crReadSpread(&table->spreads[i], def->vary[i].value, &table->arena, &reporter);
  }
  return status;
}

static crStatus readFolderPlan(const char* folder, crArena* arena, const crErrorSink* sink, crPlanText* outText)
{
  struct stat info;
  char path[CR_PATH_SIZE];
  crStatus status = crNamePart(folder, CR_PLAN_FILE, sink, path);
  if (status == cr_ok && stat(path, &info) != 0 && errno == ENOENT) {
    return crReportFile(sink, folder, "this is not the folder of a sweep: it has no " CR_PLAN_FILE, 0);
  }
  return status == cr_ok ? crReadPlanJson(path, arena, sink, outText) : status;
}

// plan.json of the folder, or of the only file.
static crStatus readPlan(Reader* reader, const char* path, bool isFolder)
{
  crSweepTable* table = reader->table;
  if (isFolder) {
    return readFolderPlan(path, &table->arena, reader->sink, &table->text);
  }
  crShard shard;
  int inputs, outputs;
  crStatus status = crReadShard(&shard, path, NULL, true, &table->allocator, reader->sink, &inputs, &outputs);
  if (status == cr_ok) {
    status = crParsePlanJson(shard.planJson, strlen(shard.planJson), path, &table->arena, reader->sink, &table->text);
  }
  crFreeShard(&shard);
  return status;
}

static crStatus readTable(Reader* reader, const char* path)
{
  struct stat info;
  if (stat(path, &info) != 0) {
    return crReportFile(reader->sink, path, "the sweep cannot be read", errno);
  }
  bool isFolder = S_ISDIR(info.st_mode);
  crStatus status = readPlan(reader, path, isFolder);
  status = status == cr_ok ? readInputs(reader->table, reader->sink) : status;
  if (status == cr_ok && isFolder) {
    status = crListShards(&reader->list, path, &reader->arena, reader->sink);
  } else if (status == cr_ok) {
    reader->list = (crShardList){ .paths = &path, .count = 1 };
  }
  return status == cr_ok ? readRows(reader) : status;
}

crStatus crReadSweepTable(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                          crSweepTable** outTable)
{
  if (path == NULL || outTable == NULL) {
    return cr_errorMisuse;
  }
  *outTable = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crSweepTable* table = crAllocateZero(&chosen, 1, sizeof *table);
  if (table == NULL) {
    return cr_errorMemory;
  }
  table->allocator = chosen;
  crArena_Init(&table->arena, &chosen);
  Reader reader = { .table = table, .sink = sink };
  crArena_Init(&reader.arena, &chosen);
  crStatus status = readTable(&reader, path);
  crArena_Free(&reader.arena);
  if (status != cr_ok) {
    crDestroySweepTable(table);
    return status;
  }
  *outTable = table;
  return cr_ok;
}

void crDestroySweepTable(crSweepTable* table)
{
  if (table != NULL) {
    crAllocator allocator = table->allocator;
    crArena_Free(&table->arena);
    crFree(&allocator, table, sizeof *table);
  }
}

crStatus crOpenSweepPlan(const char* folder, const crAllocator* allocator, const crErrorSink* sink,
                         crSweepPlan** outPlan)
{
  if (folder == NULL || outPlan == NULL) {
    return cr_errorMisuse;
  }
  *outPlan = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crArena arena;
  crPlanText text;
  crArena_Init(&arena, &chosen);
  crStatus status = readFolderPlan(folder, &arena, sink, &text);
  status = status == cr_ok ? crCreateSweepPlan(&text.def, &chosen, sink, outPlan) : status;
  if (status == cr_ok && (text.hash == NULL || strcmp(text.hash, (*outPlan)->hash) != 0)) {
    crReporter reporter = crMakeReporter(sink, (crSource){ folder, 0, 0 }, NULL);
    crReport(&reporter, cr_severityError, cr_errorFile,
             &(crComplaint){ .message = "the model, its meshes or Carom are not what they were when the sweep began",
                             .found = text.def.model });
    crDestroySweepPlan(*outPlan);
    *outPlan = NULL;
    status = cr_errorFile;
  }
  crArena_Free(&arena);
  return status;
}

// --------------------------------------------------------------------------------------------- facts

int64_t crSweepTable_CountRuns(const crSweepTable* table)
{
  return table != NULL ? table->text.def.runs : 0;
}

int crSweepTable_CountRows(const crSweepTable* table)
{
  return table != NULL ? table->rowCount : 0;
}

int crSweepTable_CountInputs(const crSweepTable* table)
{
  return table != NULL ? table->inputCount : 0;
}

int crSweepTable_CountOutputs(const crSweepTable* table)
{
  return table != NULL ? table->outputCount : 0;
}

const char* crSweepTable_GetInput(const crSweepTable* table, int input)
{
  return table != NULL && input >= 0 && input < table->inputCount ? table->text.def.vary[input].name : NULL;
}

const crColumn* crSweepTable_GetOutput(const crSweepTable* table, int output)
{
  return table != NULL && output >= 0 && output < table->outputCount ? &table->text.columns[output] : NULL;
}

const char* crSweepTable_GetText(const crSweepTable* table, int input, int value)
{
  if (table == NULL || input < 0 || input >= table->inputCount) {
    return NULL;
  }
  const crSpread* spread = &table->spreads[input];
  bool isText = spread->kind == cr_spreadValues && spread->values == NULL && value >= 0 && value < spread->count;
  return isText ? spread->texts[value] : NULL;
}

const char* crSweepTable_GetPlan(const crSweepTable* table)
{
  return table != NULL ? table->text.json : NULL;
}

crSweepRow crSweepTable_GetRow(const crSweepTable* table, int row)
{
  return table != NULL && row >= 0 && row < table->rowCount ? table->rows[row] : (crSweepRow){ .run = -1 };
}

int crSweepTable_FindRow(const crSweepTable* table, int64_t run)
{
  int low = 0, high = table != NULL ? table->rowCount : 0;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (table->rows[middle].run < run) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return table != NULL && low < table->rowCount && table->rows[low].run == run ? low : -1;
}

const double* crSweepTable_GetInputs(const crSweepTable* table)
{
  return table != NULL ? table->inputs : NULL;
}

const double* crSweepTable_GetOutputs(const crSweepTable* table)
{
  return table != NULL ? table->outputs : NULL;
}
