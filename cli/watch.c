// Watching files by looking at them five times a second: inotify would have to follow editors that write beside a file
// and rename, and does not see folders of other machines.
#include "watch.h"
#include "base/platform.h"
#include "base/read_file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CR_WATCH_INTERVAL 200000000L // [ns]
#define CR_WATCH_SLACK 0.05          // [s] by which times of files may lag behind the clock; Linux counts them in ticks

static volatile sig_atomic_t isInterrupted;

static void onInterrupt(int signal)
{
  (void)signal;
  isInterrupted = 1;
}

static struct stat look(const char* path)
{
  struct stat facts;
  if (stat(path, &facts) != 0) {
    memset(&facts, 0, sizeof facts);
  }
  return facts;
}

static bool isSame(const struct stat* a, const struct stat* b)
{
  return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
         a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void add(crWatch* watch, const char* path)
{
  for (int i = 0; i < watch->count; ++i) {
    if (strcmp(watch->files[i].path, path) == 0) {
      return;
    }
  }
  crWatchedFile* files = realloc(watch->files, ((size_t)watch->count + 1) * sizeof *files);
  char* copy = strdup(path);
  if (files != NULL) {
    watch->files = files;
  }
  if (files == NULL || copy == NULL) { // one file less to be watched
    free(copy);
    return;
  }
  struct stat facts = look(path);
  double age = (double)(watch->began.tv_sec - facts.st_mtim.tv_sec) +
               1e-9 * (double)(watch->began.tv_nsec - facts.st_mtim.tv_nsec);
  if (age < CR_WATCH_SLACK) { // it may have changed behind the one who reads: any look is another one than this
    memset(&facts, 0, sizeof facts);
    facts.st_size = -1;
  }
  files[watch->count++] = (crWatchedFile){ copy, facts };
}

// A file that cannot be read is watched as well: it may come.
static void addRead(void* context, const char* path, const char* bytes, size_t size)
{
  (void)bytes;
  (void)size;
  add(context, path);
}

void crWatch_Begin(crWatch* watch, const char* model)
{
  if (watch->count == 0) {
    struct sigaction action = { .sa_handler = onInterrupt };
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
  }
  (void)clock_gettime(CLOCK_REALTIME, &watch->began); // what is newer than this is looked at once more
  add(watch, model);
  for (int i = 0; i < watch->count; ++i) {
    watch->files[i].facts = look(watch->files[i].path);
  }
  crWatchReads(addRead, watch);
}

bool crWatch_Wait(crWatch* watch)
{
  crWatchReads(NULL, NULL);
  while (watch->count > 0 && !isInterrupted) {
    for (int i = 0; i < watch->count; ++i) {
      struct stat facts = look(watch->files[i].path);
      if (!isSame(&facts, &watch->files[i].facts)) {
        return true;
      }
    }
    (void)nanosleep(&(struct timespec){ 0, CR_WATCH_INTERVAL }, NULL); // a signal ends it
  }
  return false;
}

void crWatch_Free(crWatch* watch)
{
  for (int i = 0; i < watch->count; ++i) {
    free(watch->files[i].path);
  }
  free(watch->files);
}
