// Sweeps where there is no HDF5: their rows have no place.
#include "base/absent.h"
#include "sweep/shard.h"

static crStatus tell(const crErrorSink* sink, const char* path)
{
  return crReportAbsent(sink, path, "this build of Carom has no HDF5, which keeps the rows of sweeps", NULL);
}

crStatus crCreateShard(const crShardDef* def, const crAllocator* allocator, const crErrorSink* sink,
                       crShardWriter** outWriter)
{
  (void)allocator;
  *outWriter = NULL;
  return tell(sink, def->path);
}

crStatus crShardWriter_Add(crShardWriter* writer, const crSweepRow* row)
{
  (void)writer;
  (void)row;
  return cr_errorMisuse;
}

crStatus crShardWriter_Commit(crShardWriter* writer)
{
  (void)writer;
  return cr_errorMisuse;
}

crStatus crCloseShard(crShardWriter* writer)
{
  return crShardWriter_Commit(writer);
}

crStatus crReadShard(crShard* shard, const char* path, const char* hash, bool isBrief, const crAllocator* allocator,
                     const crErrorSink* sink, int* outInputCount, int* outOutputCount)
{
  (void)hash;
  (void)isBrief;
  crAllocator chosen = crChooseAllocator(allocator);
  *shard = (crShard){ 0 };
  crArena_Init(&shard->arena, &chosen);
  *outInputCount = *outOutputCount = 0;
  return tell(sink, path);
}

void crFreeShard(crShard* shard)
{
  crArena_Free(&shard->arena);
}
