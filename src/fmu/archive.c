#include "fmu/archive.h"

#include "base/report.h"

#include <time.h>
#include <zip.h>

// Archives keep the local time of a file: that of the first moment they can tell, wherever this runs.
static time_t makeTime(void)
{
  struct tm first = { .tm_year = 80, .tm_mday = 1, .tm_isdst = -1 };
  return mktime(&first);
}

static crStatus report(const crErrorSink* sink, const char* message)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "fmu");
  crReportError(&reporter, "libzip cannot pack the FMU: %s", message);
  return cr_errorFile;
}

static bool addEntry(zip_t* archive, const crZipEntry* entry)
{
  zip_source_t* source = zip_source_buffer(archive, entry->bytes, entry->size, 0);
  zip_int64_t index = source != NULL ? zip_file_add(archive, entry->name, source, ZIP_FL_ENC_UTF_8) : -1;
  if (index < 0) {
    zip_source_free(source);
    return false;
  }
  return zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_DEFLATE, 9) == 0 &&
         zip_file_set_mtime(archive, (zip_uint64_t)index, makeTime(), 0) == 0;
}

// The bytes behind a source that was written to.
static crStatus readSource(zip_source_t* source, const crAllocator* allocator, char** outBytes, size_t* outSize)
{
  zip_stat_t facts;
  if (zip_source_stat(source, &facts) != 0 || (facts.valid & ZIP_STAT_SIZE) == 0 || zip_source_open(source) != 0) {
    return cr_errorFile;
  }
  *outSize = (size_t)facts.size;
  *outBytes = crAllocate(allocator, *outSize);
  bool isRead = *outBytes != NULL && zip_source_read(source, *outBytes, facts.size) == (zip_int64_t)facts.size;
  zip_source_close(source);
  if (*outBytes != NULL && !isRead) {
    crFree(allocator, *outBytes, *outSize);
    return cr_errorFile;
  }
  return *outBytes != NULL ? cr_ok : cr_errorMemory;
}

crStatus crPackZip(const crZipEntry* entries, int count, const crAllocator* allocator, const crErrorSink* sink,
                   char** outBytes, size_t* outSize)
{
  *outBytes = NULL;
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(NULL, 0, 0, &error);
  zip_t* archive = source != NULL ? zip_open_from_source(source, ZIP_TRUNCATE, &error) : NULL;
  if (archive == NULL) {
    crStatus status = report(sink, zip_error_strerror(&error));
    zip_source_free(source);
    zip_error_fini(&error);
    return status;
  }
  zip_error_fini(&error);
  zip_source_keep(source); // closing the archive releases it once
  bool isGood = true;
  for (int i = 0; i < count && isGood; ++i) {
    isGood = addEntry(archive, &entries[i]);
  }
  isGood = isGood && zip_close(archive) == 0;
  crStatus status = isGood ? readSource(source, allocator, outBytes, outSize) : report(sink, zip_strerror(archive));
  if (!isGood) {
    zip_discard(archive);
  }
  zip_source_free(source);
  return status;
}
