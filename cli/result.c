// Reading and converting results.
#include "result.h"
#include "base/platform.h"

#include <string.h>

bool crEndsWith(const char* text, const char* ending)
{
  size_t size = strlen(text), tail = strlen(ending);
  return size >= tail && strcmp(text + size - tail, ending) == 0;
}

static bool isFolder(const char* path)
{
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool crIsResult(const char* path)
{
  return crEndsWith(path, ".h5") || isFolder(path);
}

const char* crFindResultFile(const char* path, char buffer[CR_MAX_RESULT_PATH])
{
  if (!isFolder(path)) {
    return path;
  }
  const char* slash = crEndsWith(path, "/") ? "" : "/";
  int size = snprintf(buffer, CR_MAX_RESULT_PATH, "%s%sresult.h5", path, slash);
  return size < CR_MAX_RESULT_PATH ? buffer : path;
}

static void printMessage(void* context, const crError* error)
{
  (void)context;
  crPrintError(error);
}

crErrorSink crMakePrintingSink(void)
{
  crErrorSink sink = { printMessage, NULL };
  return sink;
}

// The library leaves it to its callers to tell that memory has run out.
static void tellMemory(crStatus status)
{
  if (status == cr_errorMemory) {
    fputs("carom: out of memory\n", stderr);
  }
}

crResult* crLoadResult(const char* path)
{
  crErrorSink sink = crMakePrintingSink();
  crResult* result = NULL;
  char file[CR_MAX_RESULT_PATH];
  tellMemory(crReadResult(crFindResultFile(path, file), NULL, &sink, &result));
  return result;
}

static crStatus exportResult(const crResult* result, const char* target, crResultTable table, const crErrorSink* sink)
{
  if (table != cr_tableVariables) {
    return table == cr_tableContacts ? crWriteContactCsv(result, target, NULL, sink)
                                     : crWriteSampleCsv(result, target, NULL, sink);
  }
  return crEndsWith(target, ".csv") ? crWriteCsv(result, target, NULL, sink) : crWriteMat(result, target, NULL, sink);
}

int crConvertResult(const char* path, const char* target, crResultTable table)
{
  bool isCsv = crEndsWith(target, ".csv");
  if (!isCsv && !crEndsWith(target, ".mat")) {
    return crUsageError("convert", "cannot write '%s': a result is written as .csv or .mat", target);
  }
  if (table != cr_tableVariables && !isCsv) {
    return crUsageError("convert", "cannot write '%s': contacts are written as .csv", target);
  }
  crResult* result = crLoadResult(path);
  if (result == NULL) {
    return CR_EXIT_MODEL;
  }
  crErrorSink sink = crMakePrintingSink();
  crStatus status = exportResult(result, target, table, &sink);
  tellMemory(status);
  crDestroyResult(result);
  return status == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
}
