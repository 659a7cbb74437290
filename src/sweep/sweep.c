// The executor: threads that run points of a plan, one that writes rows, and one that tells how far they are.
//
//   worker ─┐
//   worker ─┼─ rows wait in a ring ─► writer ─► shard, committed once a second
//   worker ─┘
//
// Which thread runs which point, and in which order rows are written, decides nothing: the table is ordered by run.
#include "carom/sweep.h"

#include "base/clock.h"
#include "base/platform.h"
#include "sweep/folder.h"
#include "sweep/pool.h"
#include "sweep/runner.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define CR_RING_ROWS 256         // that wait at most
#define CR_COMMIT_SECONDS 1.0    // [s] of work that a kill can lose, or
#define CR_COMMIT_SHARE 0.1      // of what the process has done, if that is less, but
#define CR_COMMIT_LEAST 0.05     // [s] lie between two commits, which take milliseconds
#define CR_TELL_SECONDS 0.1      // [s]
#define CR_LARGEST_TASK_BLOCK 64 // runs

typedef struct Waiting {
  crSweepRow row;
  char message[CR_SWEEP_MESSAGE_SIZE];
} Waiting;

typedef struct Sweep {
  const crSweepPlan* plan;
  const crSweepOptions* options;
  crAllocator allocator;
  crErrorSink sink;
  unsigned char* isDone; // (runs) bits
  // what is taken next, under takeMutex:
  pthread_mutex_t takeMutex;
  int64_t next, end;  // of the block at work
  int64_t blockCount; // taken so far
  bool hasNoMore;
  // rows that wait, under mutex:
  pthread_mutex_t mutex;
  pthread_cond_t hasRows, hasRoom, hasEnded;
  Waiting* ring;   // (CR_RING_ROWS)
  double* numbers; // (CR_RING_ROWS x (inputs + outputs)) of the ring
  int first, count;
  int activeWorkers;
  bool isWriterDone;
  crSweepProgress progress;
  crStatus status; // of the writer
  atomic_bool isStopped;
  crShardWriter* writer;
  double began;
} Sweep;

// --------------------------------------------------------------------------------------------- taking

static bool isDone(const Sweep* sweep, int64_t run)
{
  return (sweep->isDone[run / 8] >> (run % 8) & 1) != 0;
}

// Blocks are dealt out to tasks in turns.
static bool takeTaskBlock(Sweep* sweep)
{
  const crSweepOptions* options = sweep->options;
  int64_t runs = sweep->plan->runs, tasks = options->taskCount > 0 ? options->taskCount : 1;
  int64_t size = tasks == 1 ? runs : runs / (8 * tasks);
  size = size < 1 ? 1 : size > CR_LARGEST_TASK_BLOCK && tasks > 1 ? CR_LARGEST_TASK_BLOCK : size;
  int64_t block = sweep->blockCount++ * tasks + options->task;
  if (block >= (runs + size - 1) / size) {
    return false;
  }
  sweep->next = block * size;
  sweep->end = sweep->next + size < runs ? sweep->next + size : runs;
  return true;
}

static bool takeBlock(Sweep* sweep)
{
  const crSweepOptions* options = sweep->options;
  if (options->takeBlock == NULL) {
    return takeTaskBlock(sweep);
  }
  bool isTaken = options->takeBlock(options->context, &sweep->next, &sweep->end);
  return isTaken && sweep->next >= 0 && sweep->end <= sweep->plan->runs;
}

// The next run that is missing; -1: there is none.
static int64_t takeRun(Sweep* sweep)
{
  int64_t run = -1;
  pthread_mutex_lock(&sweep->takeMutex);
  while (run < 0 && !sweep->hasNoMore && !atomic_load(&sweep->isStopped)) {
    while (sweep->next < sweep->end && isDone(sweep, sweep->next)) {
      ++sweep->next;
    }
    if (sweep->next < sweep->end) {
      run = sweep->next++;
    } else {
      sweep->hasNoMore = !takeBlock(sweep);
    }
  }
  pthread_mutex_unlock(&sweep->takeMutex);
  return run;
}

// -------------------------------------------------------------------------------------------- workers

// Waits for room. The row is lost when the writer has failed.
static void handOver(Sweep* sweep, const crSweepRow* row)
{
  const crSweepPlan* plan = sweep->plan;
  pthread_mutex_lock(&sweep->mutex);
  while (sweep->count == CR_RING_ROWS && sweep->status == cr_ok) {
    pthread_cond_wait(&sweep->hasRoom, &sweep->mutex);
  }
  if (sweep->status == cr_ok) {
    int place = (sweep->first + sweep->count++) % CR_RING_ROWS;
    Waiting* waiting = &sweep->ring[place];
    double* inputs = sweep->numbers + (size_t)place * ((size_t)plan->inputCount + (size_t)plan->outputs.columnCount);
    double* outputs = inputs + plan->inputCount;
    memcpy(inputs, row->inputs, (size_t)plan->inputCount * sizeof(double));
    memcpy(outputs, row->outputs, (size_t)plan->outputs.columnCount * sizeof(double));
    snprintf(waiting->message, sizeof waiting->message, "%s", row->message);
    waiting->row = *row;
    waiting->row.inputs = inputs;
    waiting->row.outputs = outputs;
    waiting->row.message = waiting->message;
    sweep->progress.done += 1;
    sweep->progress.ran += 1;
    sweep->progress.failed += row->status != cr_ok;
    sweep->progress.ranFailed += row->status != cr_ok;
    if (sweep->count >=
        CR_RING_ROWS / 2) { // else time wakes the writer: to wake it for each row costs a tenth of a short run
      pthread_cond_signal(&sweep->hasRows);
    }
  }
  pthread_mutex_unlock(&sweep->mutex);
}

static void* work(void* context)
{
  Sweep* sweep = context;
  crRunner runner;
  crPool pool;
  crPool_Init(&pool, &sweep->allocator);
  crAllocator allocator = crPool_GetAllocator(&pool);
  bool isMade = crRunner_Init(&runner, sweep->plan, &allocator);
  for (int64_t run = isMade ? takeRun(sweep) : -1; run >= 0; run = takeRun(sweep)) {
    crSweepRow row;
    if (crRunner_Run(&runner, run, &row)) {
      handOver(sweep, &row);
    }
  }
  crRunner_Free(&runner);
  crPool_Free(&pool);
  pthread_mutex_lock(&sweep->mutex);
  sweep->status = sweep->status == cr_ok && !isMade ? cr_errorMemory : sweep->status;
  --sweep->activeWorkers;
  pthread_cond_broadcast(&sweep->hasRows);
  pthread_mutex_unlock(&sweep->mutex);
  return NULL;
}

// --------------------------------------------------------------------------------------------- writer

static struct timespec later(double seconds)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  long nanoseconds = time.tv_nsec + (long)(seconds * 1e9);
  time.tv_sec += nanoseconds / 1000000000;
  time.tv_nsec = nanoseconds % 1000000000;
  return time;
}

// Called with the mutex, which is free while rows are written.
static void writeRows(Sweep* sweep, bool isCommitted)
{
  int first = sweep->first, count = sweep->count;
  crStatus status = sweep->status;
  pthread_mutex_unlock(&sweep->mutex);
  for (int i = 0; i < count && status == cr_ok; ++i) {
    status = crShardWriter_Add(sweep->writer, &sweep->ring[(first + i) % CR_RING_ROWS].row);
  }
  if (isCommitted && status == cr_ok) {
    status = crShardWriter_Commit(sweep->writer);
  }
  pthread_mutex_lock(&sweep->mutex);
  sweep->first = (first + count) % CR_RING_ROWS;
  sweep->count -= count;
  if (status != cr_ok) {
    sweep->status = sweep->status == cr_ok ? status : sweep->status;
    atomic_store(&sweep->isStopped, true);
  }
  pthread_cond_broadcast(&sweep->hasRoom);
}

// [s] from one commit to the next
static double chooseInterval(const Sweep* sweep, double now)
{
  double share = CR_COMMIT_SHARE * (now - sweep->began);
  return share > CR_COMMIT_SECONDS ? CR_COMMIT_SECONDS : share < CR_COMMIT_LEAST ? CR_COMMIT_LEAST : share;
}

static void* writeShard(void* context)
{
  Sweep* sweep = context;
  double committed = crReadClock(CLOCK_MONOTONIC);
  pthread_mutex_lock(&sweep->mutex);
  while (sweep->activeWorkers > 0 || sweep->count > 0) {
    double now = crReadClock(CLOCK_MONOTONIC), left = committed + chooseInterval(sweep, now) - now;
    if (left > 0.0 && sweep->count < CR_RING_ROWS / 2 && sweep->activeWorkers > 0) {
      struct timespec until = later(left);
      pthread_cond_timedwait(&sweep->hasRows, &sweep->mutex, &until);
      continue;
    }
    bool isDue = left <= 0.0;
    writeRows(sweep, isDue);
    committed = isDue ? crReadClock(CLOCK_MONOTONIC) : committed;
  }
  pthread_mutex_unlock(&sweep->mutex);
  crStatus status = crCloseShard(sweep->writer);
  pthread_mutex_lock(&sweep->mutex);
  sweep->status = sweep->status == cr_ok ? status : sweep->status;
  sweep->isWriterDone = true;
  pthread_cond_broadcast(&sweep->hasEnded);
  pthread_mutex_unlock(&sweep->mutex);
  return NULL;
}

// --------------------------------------------------------------------------------------------- telling

static void tell(Sweep* sweep)
{
  const crSweepOptions* options = sweep->options;
  crSweepProgress progress = sweep->progress;
  progress.wallSeconds = crReadClock(CLOCK_MONOTONIC) - sweep->began;
  pthread_mutex_unlock(&sweep->mutex);
  if (options->tell != NULL) {
    options->tell(options->context, &progress);
  }
  if (options->shouldStop != NULL && options->shouldStop(options->context)) {
    atomic_store(&sweep->isStopped, true);
  }
  pthread_mutex_lock(&sweep->mutex);
}

static void watch(Sweep* sweep)
{
  double interval = sweep->options->tellSeconds > 0.0 ? sweep->options->tellSeconds : CR_TELL_SECONDS;
  pthread_mutex_lock(&sweep->mutex);
  while (!sweep->isWriterDone) {
    struct timespec until = later(interval);
    pthread_cond_timedwait(&sweep->hasEnded, &sweep->mutex, &until);
    tell(sweep);
  }
  sweep->progress.wallSeconds = crReadClock(CLOCK_MONOTONIC) - sweep->began;
  pthread_mutex_unlock(&sweep->mutex);
}

static int chooseThreads(const Sweep* sweep)
{
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int threads = sweep->options->threads > 0 ? sweep->options->threads : processors > 0 ? (int)processors : 1;
  return threads < CR_MAX_THREADS ? threads : CR_MAX_THREADS;
}

static crStatus runThreads(Sweep* sweep)
{
  pthread_t workers[CR_MAX_THREADS], writer;
  int wanted = chooseThreads(sweep), count = 0;
  sweep->activeWorkers = wanted;
  if (pthread_create(&writer, NULL, writeShard, sweep) != 0) {
    (void)crCloseShard(sweep->writer);
    return crReportFile(&sweep->sink, NULL, "the system has no more threads", 0);
  }
  while (count < wanted && pthread_create(&workers[count], NULL, work, sweep) == 0) {
    ++count;
  }
  pthread_mutex_lock(&sweep->mutex);
  sweep->activeWorkers -= wanted - count; // one that could not be made is missed by nobody but the clock
  sweep->status = count == 0 && sweep->status == cr_ok ? cr_errorMemory : sweep->status;
  pthread_cond_broadcast(&sweep->hasRows);
  pthread_mutex_unlock(&sweep->mutex);
  watch(sweep);
  for (int i = 0; i < count; ++i) {
    pthread_join(workers[i], NULL);
  }
  pthread_join(writer, NULL);
  return sweep->status;
}

// ---------------------------------------------------------------------------------------------- setup

// Rows that are there already.
static crStatus findDone(Sweep* sweep, const char* folder, crArena* arena, int* outNext)
{
  crShardList list;
  crErrorSink warnings = crMakeWarningSink(&sweep->sink);
  crStatus status = crListShards(&list, folder, arena, &sweep->sink);
  for (int i = 0; status == cr_ok && i < list.count; ++i) {
    crShard shard;
    int inputs, outputs;
    crStatus read =
        crReadShard(&shard, list.paths[i], sweep->plan->hash, true, &sweep->allocator, &warnings, &inputs, &outputs);
    for (int k = 0; read == cr_ok && k < shard.rowCount; ++k) {
      int64_t run = shard.rows[k].run;
      bool isKept = shard.rows[k].status == cr_ok || !sweep->options->retriesFailed;
      if (run >= 0 && run < sweep->plan->runs && isKept && !isDone(sweep, run)) {
        sweep->isDone[run / 8] |= (unsigned char)(1u << (run % 8));
        sweep->progress.done += 1;
        sweep->progress.failed += shard.rows[k].status != cr_ok;
      }
    }
    status = read == cr_errorMemory ? read : status;
    crFreeShard(&shard);
  }
  *outNext = list.next;
  return status;
}

static crStatus openShard(Sweep* sweep, const char* folder, const char* planJson, int number)
{
  char host[64] = "", name[128], path[CR_PATH_SIZE];
  (void)gethostname(host, sizeof host - 1);
  host[strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")] = '\0';
  snprintf(name, sizeof name, CR_SHARD_PREFIX "%06d-%s-%ld" CR_SHARD_ENDING, number, host, (long)getpid());
  crStatus status = crNamePart(folder, name, &sweep->sink, path);
  crShardDef def = { .path = path,
                     .planJson = planJson,
                     .planHash = sweep->plan->hash,
                     .inputCount = sweep->plan->inputCount,
                     .outputCount = sweep->plan->outputs.columnCount };
  return status == cr_ok ? crCreateShard(&def, &sweep->allocator, &sweep->sink, &sweep->writer) : status;
}

static crStatus runInFolder(Sweep* sweep, const char* folder, crArena* arena)
{
  const crSweepPlan* plan = sweep->plan;
  size_t width = (size_t)plan->inputCount + (size_t)plan->outputs.columnCount;
  int number = 1;
  const char* planJson = crFormatSweepPlan(plan, arena);
  sweep->isDone = crArena_AllocateZero(arena, (size_t)(plan->runs / 8 + 1), 1);
  sweep->ring = crArena_AllocateZero(arena, CR_RING_ROWS, sizeof *sweep->ring);
  sweep->numbers = crArena_AllocateZero(arena, CR_RING_ROWS * width + 1, sizeof(double));
  if (planJson == NULL || sweep->isDone == NULL || sweep->ring == NULL || sweep->numbers == NULL) {
    return cr_errorMemory;
  }
  crStatus status = crPutSweepPlan(plan, planJson, folder, &sweep->allocator, &sweep->sink);
  status = status == cr_ok ? findDone(sweep, folder, arena, &number) : status;
  if (status != cr_ok || sweep->progress.done == plan->runs) {
    return status;
  }
  status = openShard(sweep, folder, planJson, number);
  status = status == cr_ok ? runThreads(sweep) : status;
  return status == cr_ok && atomic_load(&sweep->isStopped) ? cr_cancelled : status;
}

crSweepOptions crDefaultSweepOptions(void)
{
  return (crSweepOptions){ .size = sizeof(crSweepOptions) };
}

static bool isUsable(const crSweepOptions* o)
{
  return o->threads >= 0 && o->threads <= CR_MAX_THREADS && o->task >= 0 && o->taskCount >= 0 &&
         (o->taskCount == 0 ? o->task == 0 : o->task < o->taskCount) && o->tellSeconds >= 0.0;
}

static crStatus runThreadsIn(Sweep* sweep, const char* folder)
{
  crArena arena;
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&sweep->mutex, NULL);
  pthread_mutex_init(&sweep->takeMutex, NULL);
  pthread_cond_init(&sweep->hasRows, &clock);
  pthread_cond_init(&sweep->hasRoom, &clock);
  pthread_cond_init(&sweep->hasEnded, &clock);
  crArena_Init(&arena, &sweep->allocator);
  crStatus status = runInFolder(sweep, folder, &arena);
  crArena_Free(&arena);
  pthread_cond_destroy(&sweep->hasEnded);
  pthread_cond_destroy(&sweep->hasRoom);
  pthread_cond_destroy(&sweep->hasRows);
  pthread_mutex_destroy(&sweep->takeMutex);
  pthread_mutex_destroy(&sweep->mutex);
  pthread_condattr_destroy(&clock);
  return status;
}

crStatus crRunSweep(const crSweepPlan* plan, const char* folder, const crSweepOptions* options,
                    const crAllocator* allocator, const crErrorSink* sink, crSweepProgress* outProgress)
{
  static const crSweepOptions standard = { .size = sizeof(crSweepOptions) };
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "sweep");
  options = options != NULL ? options : &standard;
  if (plan == NULL || folder == NULL || !crCheckSize(&reporter, "crSweepOptions", options->size, sizeof *options) ||
      !isUsable(options)) {
    return cr_errorMisuse;
  }
  Sweep sweep = { .plan = plan, .options = options, .allocator = crChooseAllocator(allocator) };
  sweep.sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  sweep.progress.runs = plan->runs;
  sweep.began = crReadClock(CLOCK_MONOTONIC);
  crStatus status = crMakeSweepFolder(folder, sink);
  bool isShared = options->taskCount > 0 || options->takeBlock != NULL;
  int lock = status == cr_ok ? crLockSweepFolder(folder, isShared, sink) : -1;
  status = lock < 0 ? cr_errorFile : runThreadsIn(&sweep, folder);
  if (lock >= 0) {
    close(lock);
  }
  if (outProgress != NULL) {
    *outProgress = sweep.progress;
  }
  return status;
}
