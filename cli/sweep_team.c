#include "sweep_team.h"
#include "base/platform.h"

#include <stdlib.h>

bool crIsStartedByMpi(void)
{
  static const char* const names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char* text = getenv(names[i]);
    if (text != NULL && strtol(text, NULL, 10) > 1) {
      return true;
    }
  }
  return false;
}

#ifndef CAROM_MPI

bool crHasMpi(void)
{
  return false;
}

crSweepTeam* crCreateSweepTeam(void)
{
  return NULL;
}

void crDestroySweepTeam(crSweepTeam* team)
{
  (void)team;
}

int crSweepTeam_GetRank(const crSweepTeam* team)
{
  (void)team;
  return 0;
}

crStatus crSweepTeam_Agree(crSweepTeam* team, crStatus status)
{
  (void)team;
  return status;
}

crStatus crSweepTeam_Run(crSweepTeam* team, const crSweepPlan* plan, const char* folder, const crSweepOptions* options,
                         const crErrorSink* sink, crSweepProgress* outProgress)
{
  (void)team;
  return crRunSweep(plan, folder, options, NULL, sink, outProgress);
}

#else

#include <mpi.h>
#include <time.h>

#define CR_POLL_NANOSECONDS 200000 // between two looks for messages; waiting in MPI itself keeps a processor busy
#define CR_TELL_SECONDS 0.001      // between two looks of rank 0 while it runs points
#define CR_TELL_EVERY 100          // of which one is told
#define CR_BLOCKS_EACH 8           // blocks that a process gets at least, if there are so many runs
#define CR_LARGEST_BLOCK 64        // runs

enum { tagAsk = 1, tagBlock, tagEnd };

// What a process says when it asks for a block, and when it has come to its end: since it said so last.
typedef struct News {
  int64_t ran, failed, status;
} News;

struct crSweepTeam {
  int rank, size;
  const crSweepOptions* options; // of the caller
  int64_t runs, next, blockSize; // rank 0
  pthread_mutex_t mutex;         // of next
  int endedCount;                // of the other ranks
  News others;                   // sums of them
  crSweepProgress own;           // as told last
  News told;                     // of it to rank 0
  int calls;
};

bool crHasMpi(void)
{
  return true;
}

crSweepTeam* crCreateSweepTeam(void)
{
  int provided = 0;
  crSweepTeam* team = calloc(1, sizeof *team);
  if (team == NULL || MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
      provided < MPI_THREAD_SERIALIZED) {
    free(team);
    return NULL;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &team->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &team->size);
  pthread_mutex_init(&team->mutex, NULL);
  return team;
}

void crDestroySweepTeam(crSweepTeam* team)
{
  if (team != NULL) {
    pthread_mutex_destroy(&team->mutex);
    MPI_Finalize();
    free(team);
  }
}

int crSweepTeam_GetRank(const crSweepTeam* team)
{
  return team->rank;
}

crStatus crSweepTeam_Agree(crSweepTeam* team, crStatus status)
{
  int own = status, worst = status;
  (void)team;
  MPI_Allreduce(&own, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return (crStatus)worst;
}

static void pauseShortly(void)
{
  nanosleep(&(struct timespec){ 0, CR_POLL_NANOSECONDS }, NULL);
}

// Failures before what was stopped, and that before what is well.
static crStatus worse(crStatus a, crStatus b)
{
  return a < 0 || b < 0 ? (a < b ? a : b) : (a > b ? a : b);
}

// --------------------------------------------------------------------------------------------- rank 0

static bool dealBlock(crSweepTeam* team, int64_t* outFirst, int64_t* outLast)
{
  pthread_mutex_lock(&team->mutex);
  *outFirst = team->next;
  *outLast = team->next + team->blockSize < team->runs ? team->next + team->blockSize : team->runs;
  team->next = *outLast;
  pthread_mutex_unlock(&team->mutex);
  return *outFirst < *outLast;
}

static bool dealLocally(void* context, int64_t* outFirst, int64_t* outLast)
{
  return dealBlock(context, outFirst, outLast);
}

// Answers all who have asked.
static void serve(crSweepTeam* team)
{
  int isThere = 0;
  MPI_Status from;
  while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &isThere, &from) == MPI_SUCCESS && isThere) {
    News news;
    MPI_Recv(&news, sizeof news, MPI_BYTE, from.MPI_SOURCE, from.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    team->others.ran += news.ran;
    team->others.failed += news.failed;
    if (from.MPI_TAG == tagEnd) {
      ++team->endedCount;
      team->others.status = worse((crStatus)team->others.status, (crStatus)news.status);
      continue;
    }
    int64_t block[2];
    if (!dealBlock(team, &block[0], &block[1])) {
      block[0] = block[1] = -1;
    }
    MPI_Send(block, sizeof block, MPI_BYTE, from.MPI_SOURCE, tagBlock, MPI_COMM_WORLD);
  }
}

static void tellAll(crSweepTeam* team)
{
  crSweepProgress all = team->own;
  all.done += team->others.ran;
  all.ran += team->others.ran;
  all.failed += team->others.failed;
  all.ranFailed += team->others.failed;
  if (team->options->tell != NULL && team->calls++ % CR_TELL_EVERY == 0) {
    team->options->tell(team->options->context, &all);
  }
}

static void tellFirst(void* context, const crSweepProgress* progress)
{
  crSweepTeam* team = context;
  team->own = *progress;
  serve(team);
  tellAll(team);
}

// ------------------------------------------------------------------------------------------ other ranks

static void tellOther(void* context, const crSweepProgress* progress)
{
  crSweepTeam* team = context;
  pthread_mutex_lock(&team->mutex);
  team->own = *progress;
  pthread_mutex_unlock(&team->mutex);
}

static News takeNews(crSweepTeam* team, crStatus status)
{
  pthread_mutex_lock(&team->mutex);
  News news = { team->own.ran - team->told.ran, team->own.ranFailed - team->told.failed, status };
  team->told.ran += news.ran;
  team->told.failed += news.failed;
  pthread_mutex_unlock(&team->mutex);
  return news;
}

static bool askForBlock(void* context, int64_t* outFirst, int64_t* outLast)
{
  crSweepTeam* team = context;
  News news = takeNews(team, cr_ok);
  int64_t block[2];
  int isThere = 0;
  MPI_Send(&news, sizeof news, MPI_BYTE, 0, tagAsk, MPI_COMM_WORLD);
  while (MPI_Iprobe(0, tagBlock, MPI_COMM_WORLD, &isThere, MPI_STATUS_IGNORE) == MPI_SUCCESS && !isThere) {
    pauseShortly();
  }
  MPI_Recv(block, sizeof block, MPI_BYTE, 0, tagBlock, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  *outFirst = block[0];
  *outLast = block[1];
  return block[0] >= 0;
}

// ------------------------------------------------------------------------------------------------ all

static bool shouldStop(void* context)
{
  const crSweepOptions* options = ((crSweepTeam*)context)->options;
  return options->shouldStop != NULL && options->shouldStop(options->context);
}

crStatus crSweepTeam_Run(crSweepTeam* team, const crSweepPlan* plan, const char* folder, const crSweepOptions* options,
                         const crErrorSink* sink, crSweepProgress* outProgress)
{
  bool isFirst = team->rank == 0;
  crSweepOptions own = *options;
  team->options = options;
  team->runs = crSweepPlan_CountRuns(plan);
  int64_t size = team->runs / ((int64_t)team->size * CR_BLOCKS_EACH);
  team->blockSize = size < 1 ? 1 : size > CR_LARGEST_BLOCK ? CR_LARGEST_BLOCK : size;
  own.context = team;
  own.tell = isFirst ? tellFirst : tellOther;
  own.tellSeconds = isFirst ? CR_TELL_SECONDS : 0.0;
  own.takeBlock = isFirst ? dealLocally : askForBlock;
  own.shouldStop = shouldStop;
  crStatus status = crRunSweep(plan, folder, &own, NULL, sink, &team->own);
  if (!isFirst) {
    News news = takeNews(team, status);
    MPI_Send(&news, sizeof news, MPI_BYTE, 0, tagEnd, MPI_COMM_WORLD);
  }
  while (isFirst && team->endedCount < team->size - 1) {
    serve(team);
    tellAll(team);
    pauseShortly();
  }
  *outProgress = team->own;
  outProgress->done += team->others.ran;
  outProgress->ran += team->others.ran;
  outProgress->failed += team->others.failed;
  return worse(status, (crStatus)team->others.status);
}

#endif
