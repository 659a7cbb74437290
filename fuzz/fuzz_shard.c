// Changed shards of a sweep.
#include "small_chunks.h"
#include "sweep/shard.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static crFileImage makeGenuine(const char* path)
{
  crShardDef def = {
    .path = path, .planJson = "{\"model\":\"m.lua\"}", .planHash = "0123", .inputCount = 2, .outputCount = 3
  };
  crShardWriter* writer = NULL;
  unlink(path);
  require(crCreateShard(&def, NULL, NULL, &writer) == cr_ok, "a shard");
  double inputs[2] = { 1.0, 2.0 }, outputs[3] = { 3.0, NAN, 5.0 };
  for (int i = 0; i < 5; ++i) {
    crSweepRow row = { .run = i,
                       .inputs = inputs,
                       .outputs = outputs,
                       .message = i == 2 ? "a message" : "",
                       .status = i == 2 ? cr_errorModel : cr_ok };
    require(crShardWriter_Add(writer, &row) == cr_ok, "a row");
  }
  require(crCloseShard(writer) == cr_ok, "it is written");
  return shrinkChunks(path);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static crFileImage genuine;
  const char* path = choosePath("fuzz_shard.h5");
  if (genuine.size == 0) {
    genuine = makeGenuine(path);
  }
  int errorCount = 0, inputCount = 0, outputCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  crFileImage image = editFile(&genuine, data, size);
  writeImage(path, image.bytes, image.size);
  free(image.bytes);
  crShard shard;
  crStatus status =
      crReadShard(&shard, path, size % 2 == 0 ? "0123" : NULL, size % 3 == 0, NULL, &sink, &inputCount, &outputCount);
  require((status == cr_ok) == (errorCount == 0), "an error if and only if not ok");
  double sum = 0.0;
  for (int i = 0; status == cr_ok && size % 3 != 0 && i < shard.rowCount; ++i) {
    sum += inputCount > 0 ? shard.rows[i].inputs[inputCount - 1] : 0.0;
    sum += outputCount > 0 ? shard.rows[i].outputs[outputCount - 1] : 0.0;
  }
  require(sum == sum || isnan(sum), "all of it can be read");
  crFreeShard(&shard);
  return 0;
}
