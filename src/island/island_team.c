// A team of threads that do the work of a round: the groups, and what is to be done for each island; or the parts of a
// step of a large crowd. Which thread does what is left to chance; nothing of the result depends on it.
//
// Work is cut into a part for each member. Whoever comes to it takes a part that nobody has: its own, so that what it
// has in its cache serves it again, or that of a member whom the machine does not run at present. So nobody waits for
// one who has not begun. A round gives work out several times, a step of a crowd twenty times, with little between: who
// waits looks for a while before it goes to sleep, since waking takes longer than that. A part takes longer at first,
// when what it needs is in the cache of another processor, so that patience is measured in time, and is long.
#include "base/clock.h"
#include "base/crew.h"
#include "base/platform.h"
#include "island/island.h"

#include <stdatomic.h>

#define CR_PATIENCE 2e-3   // [s] that who waits stays awake: rounds between two steps take some milliseconds,
#define CR_GREED 1e-4      // [s] and without leaving its processor to others that wait for one
#define CR_LOOKS 32        // between two looks at the clock
#define CR_MOST_MEMBERS 64 // bits of a word
#define CR_CLOCK_PARTS 128 // small parts that a thread does between two looks at its clock, which take as long as one

#define CR_SHORTEST_PAUSE 64
#define CR_LONGEST_PAUSE 8192
#define CR_MOST_LONELY 40 // works in which a member should have woken up

typedef struct Member {
  struct crTeam* team;
  int number;
  pthread_t thread;
  bool hasThread;
  double cpuSeconds; // of its thread that have been told
  int partCount;     // that it has done since
} Member;

struct crTeam {
  crIslands* islands;
  crCrew crew;
  Member* members; // (workerCount) the first is the caller, who has no thread
  int memberCount; // of those; fewer than workers, if the system does not give more threads
  bool isPatient;  // whether who waits stays awake for a while: not where threads have to share processors
  pthread_mutex_t mutex;
  pthread_cond_t hasWork, isDone;
  atomic_ullong open;       // a bit for each part that nobody has taken
  atomic_int busyCount;     // parts that are not finished
  atomic_int sleepingCount; // members
  atomic_bool isCallerAsleep;
  atomic_bool isEnding;
  crCrewTask* task; // what parts are of, and
  void* context;    // with what: as long as one is not finished
  bool areSmall;    // some microseconds each
  int lonelyCount;  // works of small parts, one after the other, of which nobody else did any
  int aloneCount;   // works of small parts that the caller does alone, since the machine is busy;
  int pause;        // and those when it turns out next to be
  // of crIslands_Share
  crTask* itemTask;
  int count, chunk;
  atomic_int next;   // item
  double cpuSeconds; // of all threads but the caller's, not told yet
  crSharedWork shared;
  double shares[CR_MOST_MEMBERS + 1];
};

static inline void lookAgain(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// Takes a part, its own one rather than another; -1: there is none.
static int takePart(struct crTeam* team, int own)
{
  unsigned long long open = atomic_load(&team->open);
  while (open != 0) {
    unsigned long long bit = (open >> own & 1) != 0 ? 1ULL << own : open & (~open + 1);
    unsigned long long before = atomic_fetch_and(&team->open, ~bit);
    if ((before & bit) != 0) {
      return __builtin_ctzll(bit);
    }
    open = before & ~bit;
  }
  return -1;
}

// Waiting awake costs, too.
static void tellCpu(Member* member)
{
  struct crTeam* team = member->team;
  double now = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  pthread_mutex_lock(&team->mutex);
  team->cpuSeconds += now - member->cpuSeconds;
  pthread_mutex_unlock(&team->mutex);
  member->cpuSeconds = now;
  member->partCount = 0;
}

// Returns how many parts it has done.
static int work(Member* member)
{
  struct crTeam* team = member->team;
  int count = 0;
  for (int part = takePart(team, member->number); part >= 0; part = takePart(team, member->number)) {
    team->task(team->context, part);
    ++count;
    if (member->hasThread && (!team->areSmall || ++member->partCount >= CR_CLOCK_PARTS)) {
      tellCpu(member);
    }
    if (atomic_fetch_sub(&team->busyCount, 1) == 1 && atomic_load(&team->isCallerAsleep)) {
      pthread_mutex_lock(&team->mutex);
      pthread_cond_signal(&team->isDone);
      pthread_mutex_unlock(&team->mutex);
    }
  }
  return count;
}

static bool hasNews(struct crTeam* team)
{
  return atomic_load(&team->open) != 0 || atomic_load(&team->isEnding);
}

static bool isFinished(struct crTeam* team)
{
  return atomic_load(&team->busyCount) == 0;
}

// Stays awake until it is so, or patience is at its end. Returns whether it is so.
static bool looksFor(struct crTeam* team, bool isSo(struct crTeam* team))
{
  if (isSo(team) || !team->isPatient) {
    return isSo(team);
  }
  double start = crReadClock(CLOCK_MONOTONIC), time = 0.0;
  while (!isSo(team) && time < CR_PATIENCE) {
    for (int i = 0; i < CR_LOOKS && !isSo(team); ++i) {
      lookAgain();
    }
    time = crReadClock(CLOCK_MONOTONIC) - start;
    if (time > CR_GREED) {
      (void)sched_yield();
    }
  }
  return isSo(team);
}

static void sleepForWork(struct crTeam* team)
{
  pthread_mutex_lock(&team->mutex);
  atomic_fetch_add(&team->sleepingCount,
                   1); // before it looks: who gives work out does that first, then looks for sleepers
  while (!hasNews(team)) {
    pthread_cond_wait(&team->hasWork, &team->mutex);
  }
  atomic_fetch_sub(&team->sleepingCount, 1);
  pthread_mutex_unlock(&team->mutex);
}

// Returns whether somebody took so long that the caller went to sleep.
static bool waitForOthers(struct crTeam* team)
{
  if (looksFor(team, isFinished)) {
    return false;
  }
  pthread_mutex_lock(&team->mutex);
  atomic_store(&team->isCallerAsleep, true);
  while (atomic_load(&team->busyCount) > 0) {
    pthread_cond_wait(&team->isDone, &team->mutex);
  }
  atomic_store(&team->isCallerAsleep, false);
  pthread_mutex_unlock(&team->mutex);
  return true;
}

static void* serve(void* context)
{
  Member* member = context;
  struct crTeam* team = member->team;
  member->cpuSeconds = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  while (!atomic_load(&team->isEnding)) {
    if (!looksFor(team, hasNews)) {
      tellCpu(member);
      sleepForWork(team);
    }
    (void)work(member);
  }
  return NULL;
}

// How it went, for the caller.
typedef enum Outcome { cr_wasHelped, cr_wasAlone, cr_hadToSleep } Outcome;

static Outcome runParts(struct crTeam* team, crCrewTask* task, void* ofTask)
{
  int count = team->memberCount;
  team->task = task;
  team->context = ofTask;
  atomic_store(&team->busyCount, count);
  atomic_store(&team->open, count == CR_MOST_MEMBERS ? ~0ULL : (1ULL << count) - 1);
  if (atomic_load(&team->sleepingCount) > 0) {
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->hasWork);
    pthread_mutex_unlock(&team->mutex);
  }
  int own = work(&team->members[0]);
  team->shared.helped += team->areSmall ? count - own : 0;
  return own == count ? cr_wasAlone : waitForOthers(team) ? cr_hadToSleep : cr_wasHelped;
}

// Where the machine has others to run, a member may lose its processor in the middle of a part, for longer than a
// hundred parts take, or not get one at all. So the caller goes on alone for a while whenever it had to sleep for one,
// or nobody came for long; the others sleep then.
static void runSmallParts(void* context, crCrewTask* task, void* ofTask)
{
  struct crTeam* team = context;
  if (team->aloneCount > 0) {
    --team->aloneCount;
    ++team->shared.alone;
    for (int part = 0; part < team->memberCount; ++part) {
      task(ofTask, part);
    }
    return;
  }
  team->areSmall = true;
  ++team->shared.works;
  Outcome outcome = runParts(team, task, ofTask);
  team->lonelyCount = outcome == cr_wasAlone ? team->lonelyCount + 1 : 0;
  if (outcome == cr_hadToSleep || team->lonelyCount >= CR_MOST_LONELY) {
    team->aloneCount = team->pause;
    team->lonelyCount = 0;
    team->pause = 2 * team->pause < CR_LONGEST_PAUSE ? 2 * team->pause : CR_LONGEST_PAUSE;
  } else if (outcome == cr_wasHelped && team->pause > CR_SHORTEST_PAUSE) {
    --team->pause;
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
  team->isPatient = sysconf(_SC_NPROCESSORS_ONLN) >= islands->workerCount;
  pthread_mutex_init(&team->mutex, NULL);
  pthread_cond_init(&team->hasWork, NULL);
  pthread_cond_init(&team->isDone, NULL);
  team->members = crAllocateZero(allocator, (size_t)islands->workerCount, sizeof *team->members);
  crStatus status = team->members != NULL ? cr_ok : cr_errorMemory;
  for (int i = 0; i < islands->workerCount && i < CR_MOST_MEMBERS && status == cr_ok; ++i) {
    Member* member = &team->members[i];
    member->team = team;
    member->number = i;
    member->hasThread = i > 0;
    if (i > 0 && pthread_create(&member->thread, NULL, serve, member) != 0) {
      break;
    }
    ++team->memberCount;
  }
  team->pause = CR_SHORTEST_PAUSE;
  for (int i = 0; i <= team->memberCount && status == cr_ok; ++i) {
    team->shares[i] = (double)i / team->memberCount;
  }
  team->crew = (crCrew){ team->memberCount, team->shares, team, runSmallParts };
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

// Items of a worker, who may be at work for a member that does not come to it.
static void runItems(void* context, int part)
{
  struct crTeam* team = context;
  for (int i = atomic_fetch_add(&team->next, team->chunk); i < team->count;
       i = atomic_fetch_add(&team->next, team->chunk)) {
    int end = i + team->chunk < team->count ? i + team->chunk : team->count;
    team->itemTask(&team->islands->workers[part], i, end);
  }
}

void crIslands_Share(crIslands* islands, crTask* task, int count, int chunk)
{
  struct crTeam* team = islands->team;
  if (team == NULL || count <= chunk) {
    task(&islands->workers[0], 0, count);
    return;
  }
  team->areSmall = false;
  team->itemTask = task;
  team->count = count;
  team->chunk = chunk;
  atomic_store(&team->next, 0);
  (void)runParts(team, runItems, team);
}

const crCrew* crTeam_GetCrew(const struct crTeam* team)
{
  return team != NULL && team->memberCount > 1 ? &team->crew : NULL;
}

crSharedWork crTeam_GetShared(const struct crTeam* team)
{
  return team->shared;
}

double crTeam_TakeCpu(struct crTeam* team)
{
  pthread_mutex_lock(&team->mutex);
  double seconds = team->cpuSeconds;
  team->cpuSeconds = 0.0;
  pthread_mutex_unlock(&team->mutex);
  return seconds;
}
