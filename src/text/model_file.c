// Reads a model by the ending of its name.
#include "base/memory.h"
#include "base/read_file.h"
#include "base/report.h"
#include "text/read_options.h"

#include <string.h>
#include <strings.h>

typedef crStatus Reader(const char* text, size_t size, const char* name, const char* folder,
                        const crReadOptions* options, const crAllocator* allocator, const crErrorSink* sink,
                        crScene** outScene);

static Reader* findReader(const char* path)
{
  static const struct {
    const char* ending;
    Reader* reader;
  } readers[] = { { ".lua", crReadLua },
                  { ".json", crReadJson },
                  { ".urdf", crReadRobot },
                  { ".mjcf", crReadRobot },
                  { ".xml", crReadRobot } };
  const char* dot = strrchr(path, '.');
  for (size_t i = 0; dot != NULL && i < sizeof readers / sizeof *readers; ++i) {
    if (strcasecmp(dot, readers[i].ending) == 0) {
      return readers[i].reader;
    }
  }
  return NULL;
}

static crStatus complain(const crErrorSink* sink, const char* path, crStatus status, const crComplaint* complaint)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
  crReport(&reporter, cr_severityError, status, complaint);
  return status;
}

crStatus crReadModel(const char* path, const crReadOptions* options, const crAllocator* allocator,
                     const crErrorSink* sink, crScene** outScene)
{
  if (path == NULL || outScene == NULL) {
    return cr_errorMisuse;
  }
  *outScene = NULL;
  Reader* reader = findReader(path);
  if (reader == NULL) {
    crComplaint complaint = { .message = "the name does not tell what kind of model this is",
                              .allowed = "names that end in .lua, .json, .urdf, .mjcf or .xml" };
    return complain(sink, path, cr_errorFile, &complaint);
  }
  crReadOptions chosen;
  if (crChooseReadOptions(options, sink, &chosen) != cr_ok) {
    return cr_errorMisuse;
  }
  crAllocator own = crChooseAllocator(allocator);
  char* text = NULL;
  size_t size = 0;
  crStatus status = crReadFile(path, chosen.fileLimit, &own, sink, &text, &size);
  if (status != cr_ok) {
    return status;
  }
  const char* slash = strrchr(path, '/');
  size_t folderSize = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
  char* folder = crAllocateZero(&own, folderSize + 1, 1);
  if (folder != NULL) {
    memcpy(folder, path, folderSize);
    status = reader(text, size, path, folder, &chosen, &own, sink, outScene);
    crFree(&own, folder, folderSize + 1);
  } else {
    crComplaint complaint = { .message = "out of memory" };
    status = complain(sink, path, cr_errorMemory, &complaint);
  }
  crFree(&own, text, size + 1);
  return status;
}
