// Whole files or none: written beside, brought to disk, renamed.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // fallocate
#endif
#include "base/file.h"
#include "base/platform.h"
#include "base/report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_MAX_TRIES 100                 // names of temporary files tried before giving up
#define CR_OUTPUT_BUFFER (1 << 16)       // [bytes] collected before they are written
#define CR_WRITE_CHUNK ((size_t)1 << 30) // [bytes] systems may refuse more at once

_Static_assert(PATH_MAX <= CR_PATH_SIZE, "realpath writes up to PATH_MAX bytes");

struct crOutputFile {
  crAllocator allocator;
  crTarget target;
  char temporary[CR_PATH_SIZE]; // "": written directly
  int descriptor;
  int error;           // errno of the first failure,
  const char* failure; // and what failed
  size_t used;         // bytes in the buffer
  char buffer[CR_OUTPUT_BUFFER];
};

crStatus crReportFile(const crErrorSink* sink, const char* path, const char* message, int error)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
  crComplaint complaint = { .message = message, .found = error != 0 ? strerror(error) : NULL };
  crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
  return cr_errorFile;
}

// 0, or errno.
static int makeOneFolder(const char* path)
{
  struct stat info;
  if (mkdir(path, 0777) == 0) {
    return 0;
  }
  int error = errno;
  bool isThere = error == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
  return isThere ? 0 : error;
}

crStatus crMakeFolder(const char* path, const char* message, const crErrorSink* sink)
{
  char way[CR_PATH_SIZE];
  int length = snprintf(way, sizeof way, "%s", path);
  int error = makeOneFolder(path);
  if (error == ENOENT && length > 0 && length < (int)sizeof way) {
    error = 0;
    for (char* slash = strchr(way + 1, '/'); slash != NULL && error == 0; slash = strchr(slash + 1, '/')) {
      struct stat info;
      *slash = '\0';
      error = stat(way, &info) == 0 ? 0 : makeOneFolder(way); // a drive of Windows is there, and cannot be made
      *slash = '/';
    }
    error = error == 0 ? makeOneFolder(path) : error;
  }
  return error == 0 ? cr_ok : crReportFile(sink, path, message, error);
}

crStatus crFindTarget(const char* path, const crErrorSink* sink, crTarget* outTarget)
{
  struct stat existing;
  *outTarget = (crTarget){ .isRegular = true };
  if (realpath(path, outTarget->path) == NULL || stat(outTarget->path, &existing) != 0) {
    size_t size = strlen(path) + 1;
    if (size > sizeof outTarget->path) {
      return crReportFile(sink, path, "the file cannot be written", ENAMETOOLONG);
    }
    memcpy(outTarget->path, path, size);
    return cr_ok;
  }
  outTarget->exists = true;
  outTarget->isRegular = S_ISREG(existing.st_mode);
  outTarget->mode = existing.st_mode & 0777;
  if (S_ISDIR(existing.st_mode) || access(outTarget->path, W_OK) != 0) {
    return crReportFile(sink, path, "the file cannot be written", S_ISDIR(existing.st_mode) ? EISDIR : errno);
  }
  return cr_ok;
}

int crOpenBeside(const crTarget* target, int flags, char outPath[CR_PATH_SIZE])
{
  int descriptor = -1;
  errno = EEXIST;
  for (int i = 0; i < CR_MAX_TRIES && descriptor < 0 && errno == EEXIST; ++i) {
    if (snprintf(outPath, CR_PATH_SIZE, "%s.%ld-%d.tmp", target->path, (long)getpid(), i) >= CR_PATH_SIZE) {
      errno = ENAMETOOLONG;
      return -1;
    }
    descriptor = open(outPath, flags | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (descriptor >= 0 && target->exists) { // where the file system has rights
    (void)fchmod(descriptor, (mode_t)target->mode);
  }
  return descriptor;
}

int crWriteAll(int descriptor, const void* bytes, size_t size, int64_t offset)
{
  const char* next = bytes;
  while (size > 0) {
    size_t part = size < CR_WRITE_CHUNK ? size : CR_WRITE_CHUNK;
    ssize_t written = offset < 0 ? write(descriptor, next, part) : pwrite(descriptor, next, part, offset);
    if (written > 0) {
      next += written;
      size -= (size_t)written;
      offset += offset < 0 ? 0 : written;
    } else if (written == 0 || errno != EINTR) {
      return written == 0 ? ENOSPC : errno;
    }
  }
  return 0;
}

int crReserveRoom(int descriptor, int64_t offset, int64_t size)
{
#ifdef RLIMIT_FSIZE
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      (rlim_t)(offset + size) > limit.rlim_cur) {
    return EFBIG;
  }
#endif
#ifdef FALLOC_FL_KEEP_SIZE
  while (fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, size) != 0) {
    if (errno != EINTR) {
      return errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? errno : 0;
    }
  }
#endif
  (void)descriptor;
  return 0;
}

// ----------------------------------------------------------------------------------------- output

crStatus crOpenOutputFile(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                          crOutputFile** outFile)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crOutputFile* file = crAllocate(&chosen, sizeof *file);
  if (file == NULL) {
    crReportFile(sink, path, "the file cannot be opened for writing", ENOMEM);
    return cr_errorMemory;
  }
  file->allocator = chosen;
  file->error = 0;
  file->failure = NULL;
  file->used = 0;
  file->temporary[0] = '\0';
  crStatus status = crFindTarget(path, sink, &file->target);
  if (status == cr_ok) {
    file->descriptor = file->target.isRegular ? crOpenBeside(&file->target, O_WRONLY, file->temporary)
                                              : open(file->target.path, O_WRONLY | O_CLOEXEC);
    if (file->descriptor < 0) {
      status = crReportFile(sink, path, "the file cannot be opened for writing", errno);
    }
  }
  if (status != cr_ok) {
    crFree(&chosen, file, sizeof *file);
    return status;
  }
  *outFile = file;
  return cr_ok;
}

static void fail(crOutputFile* file, int error, const char* failure)
{
  if (error != 0 && file->error == 0) {
    file->error = error;
    file->failure = failure;
  }
}

static void writeOut(crOutputFile* file, const void* bytes, size_t size)
{
  if (file->error == 0) {
    fail(file, crWriteAll(file->descriptor, bytes, size, -1), "the file cannot be written");
  }
}

void crOutputFile_Write(crOutputFile* file, const void* bytes, size_t size)
{
  if (size > sizeof file->buffer - file->used) {
    writeOut(file, file->buffer, file->used);
    file->used = 0;
  }
  if (size > sizeof file->buffer) {
    writeOut(file, bytes, size);
    return;
  }
  memcpy(file->buffer + file->used, bytes, size);
  file->used += size;
}

bool crOutputFile_HasFailed(const crOutputFile* file)
{
  return file->error != 0;
}

crStatus crCloseOutputFile(crOutputFile* file, bool isKept, const crErrorSink* sink)
{
  bool isReplaced = file->temporary[0] != '\0';
  if (isKept) {
    writeOut(file, file->buffer, file->used);
  }
  if (isKept && isReplaced && file->error == 0 && fsync(file->descriptor) != 0) {
    fail(file, errno, "the file cannot be brought to the disk");
  }
  if (close(file->descriptor) != 0) {
    fail(file, errno, "the file cannot be closed");
  }
  if (isKept && isReplaced && file->error == 0 && rename(file->temporary, file->target.path) != 0) {
    fail(file, errno, "the file was written, but cannot take its name");
  }
  if (isReplaced && (!isKept || file->error != 0)) {
    unlink(file->temporary);
  }
  crStatus status = cr_ok;
  if (isKept && file->error != 0) {
    status = crReportFile(sink, file->target.path, file->failure, file->error);
  }
  crAllocator allocator = file->allocator;
  crFree(&allocator, file, sizeof *file);
  return status;
}
