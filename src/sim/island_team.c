// A team of threads that run the groups of a round. Which thread runs which group is left to chance; nothing of the
// result depends on it.
#include "sim/island.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

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
  pthread_mutex_t mutex;
  pthread_cond_t hasWork, isDone;
  int64_t round; // of work that was given out
  int busyCount; // members that have not finished it
  bool isEnding;
  atomic_int next;   // group
  double cpuSeconds; // of all threads but the caller's, not told yet
};

static void runGroups(struct crTeam* team, crWorker* worker)
{
  crIslands* islands = team->islands;
  for (int i = atomic_fetch_add(&team->next, 1); i < islands->groupCount; i = atomic_fetch_add(&team->next, 1)) {
    crWorker_RunGroup(worker, &islands->groups[i]);
  }
}

static double readCpu(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void* serve(void* context)
{
  Member* member = context;
  struct crTeam* team = member->team;
  int64_t done = 0;
  pthread_mutex_lock(&team->mutex);
  while (!team->isEnding) {
    if (team->round == done) {
      pthread_cond_wait(&team->hasWork, &team->mutex);
      continue;
    }
    done = team->round;
    pthread_mutex_unlock(&team->mutex);
    double before = readCpu();
    runGroups(team, member->worker);
    double spent = readCpu() - before;
    pthread_mutex_lock(&team->mutex);
    team->cpuSeconds += spent;
    if (--team->busyCount == 0) {
      pthread_cond_signal(&team->isDone);
    }
  }
  pthread_mutex_unlock(&team->mutex);
  return NULL;
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
  team->isEnding = true;
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

void crTeam_RunGroups(struct crTeam* team)
{
  pthread_mutex_lock(&team->mutex);
  atomic_store(&team->next, 0);
  team->busyCount = team->memberCount - 1;
  ++team->round;
  pthread_cond_broadcast(&team->hasWork);
  pthread_mutex_unlock(&team->mutex);
  runGroups(team, team->members[0].worker);
  pthread_mutex_lock(&team->mutex);
  while (team->busyCount > 0) {
    pthread_cond_wait(&team->isDone, &team->mutex);
  }
  pthread_mutex_unlock(&team->mutex);
}

double crTeam_TakeCpu(struct crTeam* team)
{
  double seconds = team->cpuSeconds;
  team->cpuSeconds = 0.0;
  return seconds;
}
