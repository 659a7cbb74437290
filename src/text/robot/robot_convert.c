// A robot's file as a Lua model.
#include "base/file.h"
#include "base/platform.h"
#include "base/read_file.h"
#include "text/lua_writer.h"
#include "text/path.h"
#include "text/read_options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void writeBytes(void* context, const char* text, size_t size)
{
  crOutputFile_Write(context, text, size);
}

static crStatus writeFile(const crElementList* list, const char* folder, const char* target,
                          const crAllocator* allocator, const crErrorSink* sink)
{
  char from[PATH_MAX], to[PATH_MAX], targetFolder[CR_FILE_PATH_SIZE];
  if (realpath(folder, from) == NULL) {
    return crReportFile(sink, folder, "the folder of the mesh files cannot be found", errno);
  }
  errno = ENAMETOOLONG;
  if (!crFindFolder(target, targetFolder) || realpath(targetFolder, to) == NULL) {
    return crReportFile(sink, target, "the folder of the file cannot be found", errno);
  }
  crOutputFile* file;
  crStatus status = crOpenOutputFile(target, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  status = crWriteLua(list, from, to, sink, (crTextWriter){ writeBytes, file });
  crStatus closed = crCloseOutputFile(file, status == cr_ok, sink);
  return status == cr_ok ? closed : status;
}

// The elements of a robot's file. The text is of the list's allocator.
static crStatus readList(const char* path, const char* folder, const crReadOptions* options, const crErrorSink* sink,
                         crElementList* list)
{
  const crAllocator* allocator = &list->arena.allocator;
  crElementReader shapes;
  char* text = NULL;
  size_t size = 0;
  crStatus status = crReadFile(path, options->fileLimit, allocator, sink, &text, &size);
  if (status != cr_ok) {
    return status;
  }
  crElementReader_Init(&shapes, NULL, sink, folder, options->fileLimit, allocator);
  shapes.readsAnywhere = true;
  status = crReadRobotList(text, size, path, folder, options, &shapes, sink, list);
  crElementReader_Free(&shapes);
  crFree(allocator, text, size + 1);
  const char* slash = strrchr(path, '/');
  list->title = crElementList_Print(list, "From %s.", slash != NULL ? slash + 1 : path);
  return status;
}

static crStatus convert(const char* path, const crReadOptions* options, const char* target, const crTextWriter* writer,
                        const crAllocator* allocator, const crErrorSink* sink)
{
  crReadOptions chosen;
  char folder[CR_FILE_PATH_SIZE];
  if (crChooseReadOptions(options, sink, &chosen) != cr_ok) {
    return cr_errorMisuse;
  }
  if (!crFindFolder(path, folder)) {
    return crReportFile(sink, path, "the name of the file is too long", ENAMETOOLONG);
  }
  crAllocator own = crChooseAllocator(allocator);
  crElementList list;
  crElementList_Init(&list, &own);
  crStatus status = readList(path, folder, &chosen, sink, &list);
  if (status == cr_ok) {
    status =
        writer != NULL ? crWriteLua(&list, NULL, NULL, sink, *writer) : writeFile(&list, folder, target, &own, sink);
  }
  crElementList_Free(&list);
  return status;
}

crStatus crWriteRobotLua(const char* path, const crReadOptions* options, const crAllocator* allocator,
                         const crErrorSink* sink, crTextWriter writer)
{
  if (path == NULL || writer.write == NULL) {
    return cr_errorMisuse;
  }
  return convert(path, options, NULL, &writer, allocator, sink);
}

crStatus crWriteRobotLuaFile(const char* path, const crReadOptions* options, const char* target,
                             const crAllocator* allocator, const crErrorSink* sink)
{
  if (path == NULL || target == NULL) {
    return cr_errorMisuse;
  }
  return convert(path, options, target, NULL, allocator, sink);
}
