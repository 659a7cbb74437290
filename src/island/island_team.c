// A team of threads that do the work of a round: the groups, and what is to be done for each island. Which thread does
// what is left to chance; nothing of the result depends on it.
//
// A round gives work out several times, with little between: who waits looks for a while before it goes to sleep, since
// waking takes longer than that.
#include "base/clock.h"
#include "base/platform.h"
#include "island/island.h"

#include <stdatomic.h>

#define CR_PATIENCE 3000 // looks before sleep, of some 20 to 50 ns each

typedef struct Member {
  struct crTeam* team;
  crWorker* worker;
  pthread_t thread;
  bool isStarted;
} Member;

struct crTeam {
  crIslands* islands;
  Member* members; // (workerCount) the first is the caller, who has no thread
  int memberCount; // of those; fewer than workers, if the system does not give more threads
  int patience;    // looks before sleep; none where threads have to share processors
  pthread_mutex_t mutex;
  pthread_cond_t hasWork, isDone;
  atomic_llong round;   // of work that was given out
  atomic_int busyCount; // members that have not finished it
  atomic_bool isEnding;
  crTask* task;
  int count, chunk;
  atomic_int next;   // item
  double cpuSeconds; // of all threads but the caller's, not told yet
};

static inline void lookAgain(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static void work(struct crTeam* team, crWorker* worker)
{
  for (int i = atomic_fetch_add(&team->next, team->chunk); i < team->count;
       i = atomic_fetch_add(&team->next, team->chunk)) {
    int end = i + team->chunk < team->count ? i + team->chunk : team->count;
    team->task(worker, i, end);
  }
}

static bool hasNews(struct crTeam* team, long long done)
{
  return atomic_load(&team->round) != done || atomic_load(&team->isEnding);
}

static void waitForWork(struct crTeam* team, long long done)
{
  for (int i = 0; i < team->patience && !hasNews(team, done); ++i) {
    lookAgain();
  }
  if (!hasNews(team, done)) {
    pthread_mutex_lock(&team->mutex);
    while (!hasNews(team, done)) {
      pthread_cond_wait(&team->hasWork, &team->mutex);
    }
    pthread_mutex_unlock(&team->mutex);
  }
}

static void waitForOthers(struct crTeam* team)
{
  for (int i = 0; i < team->patience && atomic_load(&team->busyCount) > 0; ++i) {
    lookAgain();
  }
  pthread_mutex_lock(&team->mutex);
  while (atomic_load(&team->busyCount) > 0) {
    pthread_cond_wait(&team->isDone, &team->mutex);
  }
  pthread_mutex_unlock(&team->mutex);
}

static void* serve(void* context)
{
  Member* member = context;
  struct crTeam* team = member->team;
  double before = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  for (long long done = 0;; ++done) {
    waitForWork(team, done);
    if (atomic_load(&team->isEnding)) {
      return NULL;
    }
    work(team, member->worker);
    double now = crReadClock(CLOCK_THREAD_CPUTIME_ID); // waiting awake costs, too
    pthread_mutex_lock(&team->mutex);
    team->cpuSeconds += now - before;
    before = now;
    if (atomic_fetch_sub(&team->busyCount, 1) == 1) {
      pthread_cond_signal(&team->isDone);
    }
    pthread_mutex_unlock(&team->mutex);
  }
}

crStatus crCreateTeam(crIslands* islands, struct crTeam** outTeam)
{
  const crAllocator* allocator = &islands->allocator;
  *outTeam = crAllocateZero(allocator, 1, sizeof **outTeam);
  if (*outTeam == NULL) {
    return cr_errorMemory;
  }
  struct crTeam* team = *outTeam;
  team->islands = islands;
  team->patience = sysconf(_SC_NPROCESSORS_ONLN) >= islands->workerCount ? CR_PATIENCE : 0;
  pthread_mutex_init(&team->mutex, NULL);
  pthread_cond_init(&team->hasWork, NULL);
  pthread_cond_init(&team->isDone, NULL);
  team->members = crAllocateZero(allocator, (size_t)islands->workerCount, sizeof *team->members);
  crStatus status = team->members != NULL ? cr_ok : cr_errorMemory;
  for (int i = 0; i < islands->workerCount && status == cr_ok; ++i) {
    Member* member = &team->members[i];
    member->team = team;
    member->worker = &islands->workers[i];
    member->isStarted = i > 0 && pthread_create(&member->thread, NULL, serve, member) == 0;
    if (i > 0 && !member->isStarted) {
      break;
    }
    ++team->memberCount;
  }
  return status;
}

void crDestroyTeam(struct crTeam* team)
{
  if (team == NULL) {
    return;
  }
  crIslands* islands = team->islands;
  crAllocator allocator = islands->allocator;
  pthread_mutex_lock(&team->mutex);
  atomic_store(&team->isEnding, true);
  pthread_cond_broadcast(&team->hasWork);
  pthread_mutex_unlock(&team->mutex);
  for (int i = 1; i < team->memberCount; ++i) {
    pthread_join(team->members[i].thread, NULL);
  }
  crFree(&allocator, team->members, (size_t)islands->workerCount * sizeof *team->members);
  pthread_cond_destroy(&team->isDone);
  pthread_cond_destroy(&team->hasWork);
  pthread_mutex_destroy(&team->mutex);
  crFree(&allocator, team, sizeof *team);
}

void crIslands_Share(crIslands* islands, crTask* task, int count, int chunk)
{
  struct crTeam* team = islands->team;
  if (team == NULL || count <= chunk) {
    task(&islands->workers[0], 0, count);
    return;
  }
  team->task = task;
  team->count = count;
  team->chunk = chunk;
  atomic_store(&team->next, 0);
  atomic_store(&team->busyCount, team->memberCount - 1);
  pthread_mutex_lock(&team->mutex);
  atomic_fetch_add(&team->round, 1);
  pthread_cond_broadcast(&team->hasWork);
  pthread_mutex_unlock(&team->mutex);
  work(team, team->members[0].worker);
  waitForOthers(team);
}

double crTeam_TakeCpu(struct crTeam* team)
{
  double seconds = team->cpuSeconds;
  team->cpuSeconds = 0.0;
  return seconds;
}
