// Whole files: open, look at what it is, read to the end.
#include "base/read_file.h"

#include "base/memory.h"
#include "base/platform.h"
#include "base/report.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CR_READ_CHUNK ((size_t)1 << 30) // [bytes] read() may refuse more at once
#define CR_LARGEST_FILE                                                                                                \
  (SIZE_MAX / 4) // [bytes] whose buffer can grow; less than others allow where addresses are short

static _Thread_local struct {
  crReadWatcher* watcher;
  void* context;
} watch;

void crWatchReads(crReadWatcher* watcher, void* context)
{
  watch.watcher = watcher;
  watch.context = context;
}

static crStatus reportFile(crReporter* reporter, crStatus status, const char* format, const char* path,
                           const char* detail)
{
  char shown[CR_SHOWN_PATH_SIZE], message[CR_SHOWN_PATH_SIZE + 128];
  crShowText(path, strlen(path), shown, sizeof shown);
  snprintf(message, sizeof message, format, shown, detail);
  crComplaint complaint = { .message = message };
  crReport(reporter, cr_severityError, status, &complaint);
  return status;
}

static crStatus reportTooLarge(crReporter* reporter, const char* path, size_t size, size_t limit)
{
  char shown[CR_SHOWN_PATH_SIZE], message[CR_SHOWN_PATH_SIZE + 128], found[32], allowed[32];
  crShowText(path, strlen(path), shown, sizeof shown);
  snprintf(message, sizeof message, "'%s' is too large", shown);
  snprintf(found, sizeof found, "%zu", size);
  snprintf(allowed, sizeof allowed, "<= %zu", limit);
  crComplaint complaint = { message, found, allowed, "bytes", NULL };
  crReport(reporter, cr_severityError, cr_errorLimit, &complaint);
  return cr_errorLimit;
}

// A growing buffer; the last byte is kept free for the closing 0.
typedef struct Buffer {
  const crAllocator* allocator;
  char* bytes;
  size_t size, capacity;
} Buffer;

static bool resize(Buffer* buffer, size_t capacity)
{
  char* moved = crReallocate(buffer->allocator, buffer->bytes, buffer->capacity, capacity);
  if (moved == NULL) {
    return false;
  }
  buffer->bytes = moved;
  buffer->capacity = capacity;
  return true;
}

// Reads until the end of the file. The size that the system stated is only a first guess: the file may
// grow meanwhile, and files of the kernel state 0.
static crStatus readToEnd(int descriptor, const char* path, size_t limit, Buffer* buffer, crReporter* reporter)
{
  for (;;) {
    if (buffer->size + 1 >= buffer->capacity) {
      if (buffer->size > limit) {
        return reportTooLarge(reporter, path, buffer->size, limit);
      }
      if (!resize(buffer, 2 * buffer->capacity)) {
        return reportFile(reporter, cr_errorMemory, "out of memory while reading '%s'%s", path, "");
      }
    }
    size_t room = buffer->capacity - 1 - buffer->size;
    ssize_t count = read(descriptor, buffer->bytes + buffer->size, room < CR_READ_CHUNK ? room : CR_READ_CHUNK);
    if (count == 0) {
      return buffer->size <= limit ? cr_ok : reportTooLarge(reporter, path, buffer->size, limit);
    }
    if (count < 0 && errno != EINTR) {
      return reportFile(reporter, cr_errorFile, "cannot read '%s': %s", path, strerror(errno));
    }
    buffer->size += count > 0 ? (size_t)count : 0;
  }
}

// Cuts the buffer to size + 1 bytes, the last one 0.
static bool finish(Buffer* buffer)
{
  buffer->bytes[buffer->size] = '\0';
  return buffer->capacity == buffer->size + 1 || resize(buffer, buffer->size + 1);
}

static crStatus readOpenFile(int descriptor, const char* path, size_t limit, Buffer* buffer, crReporter* reporter)
{
  struct stat facts;
  if (fstat(descriptor, &facts) != 0) {
    return reportFile(reporter, cr_errorFile, "cannot read '%s': %s", path, strerror(errno));
  }
  if (S_ISDIR(facts.st_mode)) {
    return reportFile(reporter, cr_errorFile, "cannot read '%s': %s", path, strerror(EISDIR));
  }
  if (!S_ISREG(facts.st_mode)) {
    return reportFile(reporter, cr_errorFile, "cannot read '%s': %s", path, "not a regular file");
  }
  if (facts.st_size > 0 && (uintmax_t)facts.st_size > limit) {
    return reportTooLarge(reporter, path, (size_t)facts.st_size, limit);
  }
  // one byte more than the file, so that its end is seen without growing
  if (!resize(buffer, (size_t)facts.st_size + 2)) {
    return reportFile(reporter, cr_errorMemory, "out of memory while reading '%s'%s", path, "");
  }
  crStatus status = readToEnd(descriptor, path, limit, buffer, reporter);
  if (status == cr_ok && !finish(buffer)) {
    return reportFile(reporter, cr_errorMemory, "out of memory while reading '%s'%s", path, "");
  }
  return status;
}

static crStatus readFile(const char* path, size_t limit, const crAllocator* allocator, const crErrorSink* sink,
                         char** outBytes, size_t* outSize)
{
  limit = limit < CR_LARGEST_FILE ? limit : CR_LARGEST_FILE;
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  // without O_NONBLOCK, opening a pipe would wait for a writer
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) {
    return reportFile(&reporter, cr_errorFile, "cannot open '%s': %s", path, strerror(errno));
  }
  crAllocator chosen = crChooseAllocator(allocator);
  Buffer buffer = { .allocator = &chosen };
  crStatus status = readOpenFile(descriptor, path, limit, &buffer, &reporter);
  close(descriptor);
  if (status != cr_ok) {
    crFree(&chosen, buffer.bytes, buffer.capacity);
    return status;
  }
  *outBytes = buffer.bytes;
  *outSize = buffer.size;
  return cr_ok;
}

crStatus crReadFile(const char* path, size_t limit, const crAllocator* allocator, const crErrorSink* sink,
                    char** outBytes, size_t* outSize)
{
  if (path == NULL || outBytes == NULL || outSize == NULL) {
    return cr_errorMisuse;
  }
  *outBytes = NULL;
  *outSize = 0;
  crStatus status = readFile(path, limit, allocator, sink, outBytes, outSize);
  if (watch.watcher != NULL) {
    watch.watcher(watch.context, path, *outBytes, *outSize);
  }
  return status;
}
