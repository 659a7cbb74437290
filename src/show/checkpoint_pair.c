// Two checkpoint files, written in turn.
#include "show/checkpoint_pair.h"

#include "base/platform.h"
#include "base/read_file.h"
#include "base/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_CHECKPOINT_LIMIT ((size_t)1 << 36) // [bytes] of a file

static const char* const fileNames[2] = { "checkpoint.1", "checkpoint.2" };

static void namePath(const crCheckpointPair* pair, int which, char outPath[CR_PATH_SIZE])
{
  snprintf(outPath, CR_PATH_SIZE, "%.4000s/%s", pair->folder, fileNames[which]);
}

crStatus crCheckpointPair_Init(crCheckpointPair* pair, const char* folder, const crErrorSink* sink)
{
  pair->next = 0;
  if (snprintf(pair->folder, sizeof pair->folder, "%s", folder) > CR_PATH_SIZE - 64) {
    return crReportFile(sink, folder, "the folder of checkpoints has too long a name", 0);
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------ writing

static crStatus writeBytes(void* context, const void* bytes, size_t size)
{
  crOutputFile_Write(context, bytes, size);
  return crOutputFile_HasFailed(context) ? cr_errorFile : cr_ok;
}

crStatus crCheckpointPair_Write(crCheckpointPair* pair, const crSimulation* simulation, const void* note,
                                size_t noteSize, const crAllocator* allocator, const crErrorSink* sink)
{
  char path[CR_PATH_SIZE];
  crOutputFile* file;
  namePath(pair, pair->next, path);
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  status = crSimulation_Save(simulation, note, noteSize, (crByteWriter){ writeBytes, file });
  bool isWhole = status == cr_ok;
  crStatus closed = crCloseOutputFile(file, isWhole || status == cr_errorFile, sink); // which tells why it failed
  status = isWhole ? closed : status;
  pair->next = status == cr_ok ? 1 - pair->next : pair->next;
  return status;
}

// ------------------------------------------------------------------------------------------ reading

static bool exists(const crCheckpointPair* pair, int which)
{
  char path[CR_PATH_SIZE];
  namePath(pair, which, path);
  return access(path, F_OK) == 0;
}

bool crCheckpointPair_Exists(const crCheckpointPair* pair)
{
  return exists(pair, 0) || exists(pair, 1);
}

void crCheckpointPair_Remove(crCheckpointPair* pair)
{
  for (int i = 0; i < 2; ++i) {
    char path[CR_PATH_SIZE];
    namePath(pair, i, path);
    unlink(path);
  }
  pair->next = 0;
}

typedef struct Candidate {
  char* bytes; // NULL: it cannot be used
  size_t size;
  crCheckpointFacts facts;
} Candidate;

static void freeCandidate(Candidate* candidate, const crAllocator* allocator)
{
  crFree(allocator, candidate->bytes, candidate->size + 1);
  candidate->bytes = NULL;
}

// What is wrong with a file that is there goes to the sink.
static crStatus readCandidate(const crCheckpointPair* pair, int which, const crAllocator* allocator,
                              const crErrorSink* sink, Candidate* outCandidate)
{
  char path[CR_PATH_SIZE];
  *outCandidate = (Candidate){ .bytes = NULL };
  if (!exists(pair, which)) {
    return cr_ok;
  }
  namePath(pair, which, path);
  crStatus status = crReadFile(path, CR_CHECKPOINT_LIMIT, allocator, sink, &outCandidate->bytes, &outCandidate->size);
  if (status != cr_ok) {
    outCandidate->bytes = NULL;
    return status;
  }
  crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
  crErrorSink addressed = crReporter_Sink(&reporter);
  status = crReadCheckpointFacts(outCandidate->bytes, outCandidate->size, &addressed, &outCandidate->facts);
  if (status != cr_ok) {
    freeCandidate(outCandidate, allocator);
  }
  return status;
}

static bool isNewer(const Candidate* a, const Candidate* b)
{
  return a->bytes != NULL && (b->bytes == NULL || a->facts.outputCount > b->facts.outputCount ||
                              (a->facts.outputCount == b->facts.outputCount && a->facts.time > b->facts.time));
}

// Complaints about one file are warnings when the other one serves.
crStatus crCheckpointPair_ReadNewest(crCheckpointPair* pair, const crAllocator* allocator, const crErrorSink* sink,
                                     char** outBytes, size_t* outSize, crCheckpointFacts* outFacts)
{
  crAllocator chosen = crChooseAllocator(allocator);
  if (!crCheckpointPair_Exists(pair)) {
    return crReportFile(sink, pair->folder, "there is no checkpoint in this folder", 0);
  }
  crErrorSink quiet = crMakeWarningSink(sink);
  Candidate candidates[2];
  crStatus status = readCandidate(pair, 0, &chosen, &quiet, &candidates[0]);
  if (status != cr_errorMemory) {
    status = readCandidate(pair, 1, &chosen, &quiet, &candidates[1]);
  }
  if (status == cr_errorMemory) {
    freeCandidate(&candidates[0], &chosen);
    return status;
  }
  int newest = isNewer(&candidates[1], &candidates[0]) ? 1 : 0;
  freeCandidate(&candidates[1 - newest], &chosen);
  if (candidates[newest].bytes == NULL) {
    return crReportFile(sink, pair->folder, "no checkpoint in this folder is whole", 0);
  }
  *outBytes = candidates[newest].bytes;
  *outSize = candidates[newest].size;
  *outFacts = candidates[newest].facts;
  pair->next = 1 - newest;
  return cr_ok;
}

// ------------------------------------------------------------------------------------------- folder

static bool isLeftover(const char* name)
{
  static const char* const starts[] = { "checkpoint.1.", "checkpoint.2.", "result.h5." };
  size_t length = strlen(name);
  bool isTemporary = length > 4 && strcmp(name + length - 4, ".tmp") == 0;
  for (size_t i = 0; i < sizeof starts / sizeof *starts && isTemporary; ++i) {
    if (strncmp(name, starts[i], strlen(starts[i])) == 0) {
      return true;
    }
  }
  return false;
}

// A file of a run that leads elsewhere: the run would write there.
static bool isLink(const char* path, const char* name)
{
  static const char* const names[] = { "result.h5", "run.json", "report.html", "checkpoint.1", "checkpoint.2" };
  struct stat info;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(name, names[i]) == 0) {
      return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
    }
  }
  return false;
}

void crRemoveLeftovers(const char* folder)
{
  char path[CR_PATH_SIZE];
  DIR* listing = opendir(folder);
  if (listing == NULL) {
    return;
  }
  for (struct dirent* entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
    int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (length < CR_PATH_SIZE && (isLeftover(entry->d_name) || isLink(path, entry->d_name))) {
      unlink(path);
    }
  }
  closedir(listing);
}

// The process that has locked a file, from the system's list of locks; 0: not known.
static long findHolder(int descriptor)
{
  struct stat info;
  FILE* list = fstat(descriptor, &info) == 0 ? fopen("/proc/locks", "re") : NULL;
  char line[256], kind[16], process[32], place[64]; // "1: FLOCK ADVISORY WRITE 4711 fe:00:12345 0 EOF"
  long holder = 0;
  while (list != NULL && holder == 0 && fgets(line, sizeof line, list) != NULL) {
    bool isRead = sscanf(line, "%*s %15s %*s %*s %31s %63s", kind, process, place) == 3;
    const char* colon = isRead && strcmp(kind, "FLOCK") == 0 ? strrchr(place, ':') : NULL;
    if (colon != NULL && strtoull(colon + 1, NULL, 10) == (unsigned long long)info.st_ino) {
      holder = strtol(process, NULL, 10);
    }
  }
  if (list != NULL) {
    (void)fclose(list);
  }
  return holder;
}

static void reportHolder(const char* folder, long holder, const crErrorSink* sink)
{
  char found[64];
  snprintf(found, sizeof found, "process %ld", holder);
  crReporter reporter = crMakeReporter(sink, (crSource){ folder, 0, 0 }, NULL);
  crComplaint complaint = { .message = "another run is writing into this folder",
                            .found = holder > 0 ? found : NULL,
                            .hint = "wait for it, or give this run a folder of its own" };
  crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
}

int crLockRunFolder(const char* folder, const crErrorSink* sink)
{
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    crReportFile(sink, folder, "the folder cannot be opened", errno);
    return -1;
  }
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) { // file systems without locks do without
    reportHolder(folder, findHolder(descriptor), sink);
    close(descriptor);
    return -1;
  }
  return descriptor;
}
