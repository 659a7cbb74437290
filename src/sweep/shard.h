// A shard: the rows of one process, in an HDF5 file that can be read whenever the process is killed.
//
//   attributes  carom, format, plan (its hash)
//   /plan       plan.json
//   /runs       run, status, warnings, CPU time        /inputs   (rows x inputs)        /outputs  (rows x outputs)
//   /messages   of failed runs: run, part, text; a longer text goes on in the records that follow
//
// Rows wait in bands and reach the disk at commits: all of their numbers, or none.
#ifndef CR_SWEEP_SHARD_H
#define CR_SWEEP_SHARD_H

#include "base/memory.h"
#include "carom/sweep.h"

#define CR_SWEEP_FORMAT 1
#define CR_SHARD_ENDING ".h5"

typedef struct crShardDef {
  const char* path;
  const char* planJson;
  const char* planHash;
  int inputCount, outputCount;
} crShardDef;

typedef struct crShardWriter crShardWriter;

crStatus crCreateShard(const crShardDef* def, const crAllocator* allocator, const crErrorSink* sink,
                       crShardWriter** outWriter);
// Adds to the bands; full ones go to HDF5.
crStatus crShardWriter_Add(crShardWriter* writer, const crSweepRow* row);
// Everything on the disk. A full disk is reported; what was committed before stays readable.
crStatus crShardWriter_Commit(crShardWriter* writer);
crStatus crCloseShard(crShardWriter* writer); // commits, and frees it in any case

// What a shard holds. Rows stand in the order in which they were written.
typedef struct crShard {
  crArena arena;
  char* planJson;
  int rowCount;
  crSweepRow* rows; // (rowCount) pointing into the arena
} crShard;

// hash NULL: of any plan. isBrief: without inputs, outputs and messages. One of another plan, or with other numbers of
// columns than the caller expects, is reported. crFreeShard is due in any case.
crStatus crReadShard(crShard* shard, const char* path, const char* hash, bool isBrief, const crAllocator* allocator,
                     const crErrorSink* sink, int* outInputCount, int* outOutputCount);
void crFreeShard(crShard* shard);

#endif
