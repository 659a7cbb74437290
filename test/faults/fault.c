// Preloaded into a process: one call of its kind fails, all others work. CAROM_FAULT=KIND:N names the call, from 0;
// CAROM_FAULT_COUNTS=FILE has the numbers of calls of each kind at the end, "KIND N" a line; CAROM_FAULT_WHERE=FILE the
// programs and libraries that the failing call came through, one a line, the nearest first.
//
// KIND: memory (malloc, calloc, realloc), write, sync, rename, close, map.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);

#define FRAMES 64 // of the stack that are looked at

typedef enum Kind { kindMemory, kindWrite, kindSync, kindRename, kindClose, kindMap, kindCount } Kind;

static const char* const names[] = { "memory", "write", "sync", "rename", "close", "map" };
static atomic_long counts[kindCount];
static int faultKind = -1;
static long faultAt = -1;

__attribute__((constructor)) static void readFault(void)
{
  const char* fault = getenv("CAROM_FAULT");
  const char* colon = fault != NULL ? strchr(fault, ':') : NULL;
  for (int i = 0; colon != NULL && i < kindCount; ++i) {
    if (strncmp(fault, names[i], (size_t)(colon - fault)) == 0 && names[i][colon - fault] == '\0') {
      faultKind = i;
      faultAt = atol(colon + 1);
    }
  }
  void* frame;
  (void)backtrace(&frame, 1); // the first call loads a library
  for (int i = 0; i < kindCount; ++i) {
    atomic_store(&counts[i], 0); // what came before main is not ours
  }
}

__attribute__((destructor)) static void writeCounts(void)
{
  const char* path = getenv("CAROM_FAULT_COUNTS");
  int file = path != NULL ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  for (int i = 0; file >= 0 && i < kindCount; ++i) {
    char line[64];
    int size = snprintf(line, sizeof line, "%s %ld\n", names[i], atomic_load(&counts[i]));
    (void)!syscall(SYS_write, file, line, size);
  }
}

static void writePlace(void)
{
  const char* path = getenv("CAROM_FAULT_WHERE");
  int file = path != NULL ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  void* frames[FRAMES];
  int count = file >= 0 ? backtrace(frames, FRAMES) : 0;
  const char* last = "";
  for (int i = 0; i < count; ++i) {
    Dl_info info;
    if (dladdr(frames[i], &info) != 0 && strcmp(info.dli_fname, last) != 0) {
      last = info.dli_fname;
      (void)!syscall(SYS_write, file, last, strlen(last));
      (void)!syscall(SYS_write, file, "\n", 1);
    }
  }
  if (file >= 0) {
    (void)syscall(SYS_close, file);
  }
}

static bool isFaulty(Kind kind)
{
  bool isIt = atomic_fetch_add(&counts[kind], 1) == faultAt && (int)kind == faultKind;
  if (isIt) {
    writePlace();
  }
  return isIt;
}

void* malloc(size_t size)
{
  return isFaulty(kindMemory) ? (errno = ENOMEM, NULL) : __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
  return isFaulty(kindMemory) ? (errno = ENOMEM, NULL) : __libc_calloc(count, size);
}

void* realloc(void* block, size_t size)
{
  return isFaulty(kindMemory) ? (errno = ENOMEM, NULL) : __libc_realloc(block, size);
}

ssize_t write(int file, const void* bytes, size_t size)
{
  return isFaulty(kindWrite) ? (errno = ENOSPC, -1) : syscall(SYS_write, file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset)
{
  return isFaulty(kindWrite) ? (errno = ENOSPC, -1) : syscall(SYS_pwrite64, file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset)
{
  return pwrite(file, bytes, size, offset);
}

ssize_t writev(int file, const struct iovec* vectors, int count)
{
  return isFaulty(kindWrite) ? (errno = ENOSPC, -1) : syscall(SYS_writev, file, vectors, count);
}

ssize_t pwritev(int file, const struct iovec* vectors, int count, off_t offset)
{
  return isFaulty(kindWrite) ? (errno = ENOSPC, -1) : syscall(SYS_pwritev, file, vectors, count, offset, offset >> 32);
}

int fsync(int file)
{
  return isFaulty(kindSync) ? (errno = EIO, -1) : (int)syscall(SYS_fsync, file);
}

int fdatasync(int file)
{
  return isFaulty(kindSync) ? (errno = EIO, -1) : (int)syscall(SYS_fdatasync, file);
}

int rename(const char* from, const char* to)
{
  return isFaulty(kindRename) ? (errno = EACCES, -1) : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

// What fails to close is closed.
int close(int file)
{
  int result = (int)syscall(SYS_close, file);
  return isFaulty(kindClose) ? (errno = EIO, -1) : result;
}

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset)
{
  return isFaulty(kindMap) ? (errno = ENOMEM, MAP_FAILED)
                           : (void*)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
