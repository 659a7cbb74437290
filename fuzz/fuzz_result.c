// Changed result files: read, and every fourth written as a table, which takes as long again.
#include "carom/result.h"
#include "carom/simulate.h"
#include "small_chunks.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static crFileImage makeGenuine(const char* path)
{
  crModel* model = compileFuzzModel();
  crSimulation* simulation = NULL;
  require(crCreateSimulation(model, NULL, NULL, NULL, &simulation) == cr_ok, "a simulation");
  crResultFile file = { .path = path };
  crRecordSink sink = crResultFile_GetSink(&file);
  crRunEnd end;
  require(crSimulation_Record(simulation, NULL, &sink, &end) == cr_ok, "it is recorded");
  crDestroySimulation(simulation);
  crDestroyModel(model);
  return shrinkChunks(path);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static crFileImage genuine;
  const char* path = choosePath("fuzz_result.h5");
  if (genuine.size == 0) {
    genuine = makeGenuine(path);
  }
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  crFileImage image = editFile(&genuine, data, size);
  writeImage(path, image.bytes, image.size);
  free(image.bytes);
  crResult* result = NULL;
  crStatus status = crReadResult(path, NULL, &sink, &result);
  require((status == cr_ok) == (result != NULL), "a result if and only if ok");
  require((status == cr_ok) == (errorCount == 0), "an error if and only if not ok");
  if (result != NULL && size % 4 == 0) {
    crWriteCsv(result, "/dev/null", NULL, &sink);
    crWriteContactCsv(result, "/dev/null", NULL, &sink);
  }
  crDestroyResult(result);
  return 0;
}
