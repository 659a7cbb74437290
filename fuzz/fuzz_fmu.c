// Any bytes as an FMU: an archive, whose description is read and whose files are unpacked, or a description alone.
#include "edits.h"
#include "foreign/fmu_archive.h"
#include "foreign/fmu_description.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void readDescription(const char* text, size_t size, crReporter* reporter, const int* errorCount)
{
  crArena arena;
  crArena_Init(&arena, NULL);
  crSlaveDescription description;
  int before = *errorCount;
  crStatus status = crReadFmuDescription(text, size, &arena, reporter, &description);
  require((status == cr_ok) == (*errorCount == before), "an error if and only if not ok");
  for (int i = 0; status == cr_ok && i < description.variableCount; ++i) {
    require(description.variables[i].name != NULL && description.variables[i].causality != NULL, "variables are whole");
  }
  crArena_Free(&arena);
}

static void readArchive(const uint8_t* data, size_t size, crReporter* reporter, int* errorCount)
{
  const char* path = choosePath("fuzz.fmu");
  char folder[CR_FMU_FOLDER_SIZE];
  char* text = NULL;
  size_t textSize = 0;
  crFmuArchive archive;
  writeImage(path, data, size);
  crStatus status = crFmuArchive_Open(&archive, path, NULL, reporter);
  require((status == cr_ok) == (*errorCount == 0), "an archive, or an error");
  if (status != cr_ok) {
    return;
  }
  status = crFmuArchive_ReadText(&archive, "modelDescription.xml", 1 << 20, reporter, &text, &textSize);
  require((status == cr_ok) == (text != NULL) && (status == cr_ok) == (*errorCount == 0), "a text, or an error");
  if (text != NULL) {
    readDescription(text, textSize, reporter, errorCount);
    crFree(&archive.allocator, text, textSize + 1);
  }
  int before = *errorCount;
  status = crFmuArchive_Unpack(&archive, reporter, folder);
  require((status == cr_ok) == (*errorCount == before), "files, or an error");
  if (status == cr_ok) {
    crRemoveUnpacked(folder);
    require(access(folder, F_OK) != 0, "the folder is gone");
  }
  crFmuArchive_Close(&archive);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  crReporter reporter = crMakeReporter(&sink, (crSource){ "fuzz.fmu", 0, 0 }, NULL);
  setenv("TMPDIR", "/dev/shm", 0);
  if (size > 0 && data[0] == 'P') {
    readArchive(data, size, &reporter, &errorCount);
  } else {
    readDescription((const char*)data, size, &reporter, &errorCount);
  }
  return 0;
}
