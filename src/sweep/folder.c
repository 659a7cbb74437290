#include "sweep/folder.h"

#include "base/platform.h"
#include "base/report.h"
#include "sweep/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

crStatus crNamePart(const char* folder, const char* name, const crErrorSink* sink, char outPath[CR_PATH_SIZE])
{
  return snprintf(outPath, CR_PATH_SIZE, "%s/%s", folder, name) < CR_PATH_SIZE
             ? cr_ok
             : crReportFile(sink, folder, "the folder of a sweep has too long a name", 0);
}

// ------------------------------------------------------------------------------------------- shards

static bool isShard(const char* name)
{
  size_t length = strlen(name), ending = strlen(CR_SHARD_ENDING);
  return strncmp(name, CR_SHARD_PREFIX, strlen(CR_SHARD_PREFIX)) == 0 && length > ending &&
         strcmp(name + length - ending, CR_SHARD_ENDING) == 0;
}

static int compareNames(const void* a, const void* b)
{
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

crStatus crListShards(crShardList* list, const char* folder, crArena* arena, const crErrorSink* sink)
{
  *list = (crShardList){ .next = 1 };
  DIR* listing = opendir(folder);
  if (listing == NULL) {
    return crReportFile(sink, folder, "the folder of the sweep cannot be read", errno);
  }
  crArrayOf(const char*) names = { NULL, 0, 0 };
  crStatus status = cr_ok;
  for (struct dirent* entry = readdir(listing); status == cr_ok && entry != NULL; entry = readdir(listing)) {
    char path[CR_PATH_SIZE];
    if (!isShard(entry->d_name)) {
      continue;
    }
    long number = strtol(entry->d_name + strlen(CR_SHARD_PREFIX), NULL, 10);
    list->next = number >= list->next && number < 1000000 ? (int)number + 1 : list->next;
    status = crNamePart(folder, entry->d_name, sink, path);
    const char* copy = status == cr_ok ? crArena_CopyString(arena, path) : NULL;
    const char** place = copy != NULL ? crArray_Push(&names, &arena->allocator) : NULL;
    if (place != NULL) {
      *place = copy;
    } else if (status == cr_ok) {
      status = cr_errorMemory;
    }
  }
  closedir(listing);
  if (status == cr_ok && names.count > 0) {
    qsort(names.items, (size_t)names.count, sizeof *names.items, compareNames);
    list->paths = crArena_Copy(arena, names.items, (size_t)names.count * sizeof *names.items);
    list->count = names.count;
    status = list->paths != NULL ? cr_ok : cr_errorMemory;
  }
  crArray_Free(&names, &arena->allocator);
  return status;
}

// --------------------------------------------------------------------------------------------- plan

// A text that grows in an arena, with a zero behind.
typedef struct Text {
  crArena* arena;
  char* bytes;
  size_t size, capacity;
  bool hasFailed;
} Text;

static void addText(void* context, const char* bytes, size_t size)
{
  Text* text = context;
  if (text->size + size + 1 > text->capacity) {
    size_t capacity = 2 * (text->size + size + 1);
    char* larger = crArena_Allocate(text->arena, capacity);
    if (larger == NULL) {
      text->hasFailed = true;
      return;
    }
    memcpy(larger, text->bytes != NULL ? text->bytes : "", text->size);
    text->bytes = larger;
    text->capacity = capacity;
  }
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

const char* crFormatSweepPlan(const crSweepPlan* plan, crArena* arena)
{
  Text text = { .arena = arena };
  crWriteSweepPlan(plan, (crTextWriter){ addText, &text });
  return text.hasFailed ? NULL : text.bytes;
}

static crStatus writePlan(const char* path, const char* planJson, const crAllocator* allocator, const crErrorSink* sink)
{
  crOutputFile* file = NULL;
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status == cr_ok) {
    crOutputFile_Write(file, planJson, strlen(planJson));
    status = crCloseOutputFile(file, true, sink);
  }
  return status;
}

static crStatus comparePlans(const crSweepPlan* plan, const char* path, const crAllocator* allocator,
                             const crErrorSink* sink, bool* outIsSame)
{
  crArena arena;
  crPlanText text;
  crArena_Init(&arena, allocator);
  crStatus status = crReadPlanJson(path, &arena, sink, &text);
  if (status == cr_ok && (text.hash == NULL || strcmp(text.hash, plan->hash) != 0)) {
    crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
    crComplaint complaint = { .message = "the folder has a sweep of another plan, model or version of Carom",
                              .hint = "choose another folder, or remove this one" };
    crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
    status = cr_errorFile;
  }
  *outIsSame = status == cr_ok && text.def.runs == plan->runs;
  crArena_Free(&arena);
  return status;
}

crStatus crMakeSweepFolder(const char* folder, const crErrorSink* sink)
{
  return crMakeFolder(folder, "the folder of the sweep cannot be made", sink);
}

crStatus crPutSweepPlan(const crSweepPlan* plan, const char* planJson, const char* folder, const crAllocator* allocator,
                        const crErrorSink* sink)
{
  char path[CR_PATH_SIZE];
  crStatus status = crNamePart(folder, CR_PLAN_FILE, sink, path);
  if (status != cr_ok) {
    return status;
  }
  bool isSame = false;
  if (access(path, F_OK) == 0) {
    status = comparePlans(plan, path, allocator, sink, &isSame);
  }
  return status == cr_ok && !isSame ? writePlan(path, planJson, allocator, sink) : status;
}

// --------------------------------------------------------------------------------------------- lock

int crLockSweepFolder(const char* folder, bool isShared, const crErrorSink* sink)
{
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    crReportFile(sink, folder, "the folder of the sweep cannot be opened", errno);
    return -1;
  }
  int kind = isShared ? LOCK_SH : LOCK_EX;
  if (flock(descriptor, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK) { // file systems without locks do without
    crReportFile(sink, folder, "another process works on this sweep", 0);
    close(descriptor);
    return -1;
  }
  return descriptor;
}

crStatus crPrepareSweep(const crSweepPlan* plan, const char* folder, const crAllocator* allocator,
                        const crErrorSink* sink)
{
  if (plan == NULL || folder == NULL) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crArena arena;
  crArena_Init(&arena, &chosen);
  const char* planJson = crFormatSweepPlan(plan, &arena);
  crStatus status = planJson != NULL ? crMakeSweepFolder(folder, sink) : cr_errorMemory;
  status = status == cr_ok ? crPutSweepPlan(plan, planJson, folder, &chosen, sink) : status;
  crArena_Free(&arena);
  return status;
}
