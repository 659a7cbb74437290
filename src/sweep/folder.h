// The folder of a sweep: plan.json, and a shard of every process that took part.
#ifndef CR_SWEEP_FOLDER_H
#define CR_SWEEP_FOLDER_H

#include "base/file.h"
#include "sweep/shard.h"

#define CR_PLAN_FILE "plan.json"
#define CR_SHARD_PREFIX "shard-"

// Paths of the shards in the folder in the order of their names, which is that of their making. Memory of the arena.
typedef struct crShardList {
  const char** paths; // (count)
  int count;
  int next; // number for a new one
} crShardList;

crStatus crListShards(crShardList* list, const char* folder, crArena* arena, const crErrorSink* sink);

// "folder/name".
crStatus crNamePart(const char* folder, const char* name, const crErrorSink* sink, char outPath[CR_PATH_SIZE]);

const char* crFormatSweepPlan(const crSweepPlan* plan, crArena* arena);  // plan.json; NULL: out of memory
crStatus crMakeSweepFolder(const char* folder, const crErrorSink* sink); // unless it exists
// Puts plan.json into the folder; one of another plan is refused, one with another number of runs replaced.
crStatus crPutSweepPlan(const crSweepPlan* plan, const char* planJson, const char* folder, const crAllocator* allocator,
                        const crErrorSink* sink);

// Takes the folder for one process, or for one of several that share it. -1: somebody else has it, which was reported.
int crLockSweepFolder(const char* folder, bool isShared, const crErrorSink* sink);

#endif
