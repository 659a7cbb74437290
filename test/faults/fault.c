// Preloaded into a process: one call of its kind fails, all others work. CAROM_FAULT=KIND:N names the call, from 0;
// CAROM_FAULT_COUNTS=FILE has the numbers of calls of each kind at the end, "KIND N" a line; CAROM_FAULT_WHERE=FILE the
// stack of the failing call, as a number, and the programs and libraries that it came through, one a line, the nearest
// first; CAROM_FAULT_STACKS=FILE those calls for memory that are the first of their stack, "CALL STACK" a line: others
// ask from the same place. Stacks have the same numbers in processes whose addresses are not random.
//
// CAROM_FAULT_SERVER=IN,OUT,NAME: nothing runs at once. For each line "KIND:N" from the descriptor IN the process forks
// just before main, when all its libraries are loaded, which is two thirds of what a short command costs. The child
// goes on with that call failing, its output in NAME.out and NAME.err; its id and then its status go to OUT, a line
// each.
//
// KIND: memory (malloc, calloc, realloc), write, sync, rename, close, map, open, read, truncate.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);

#define FRAMES 128               // of the stack that are looked at
#define STACKS ((size_t)1 << 17) // room for so many, a power of two, half of it used at most

typedef enum Kind {
  kindMemory,
  kindWrite,
  kindSync,
  kindRename,
  kindClose,
  kindMap,
  kindOpen,
  kindRead,
  kindTruncate,
  kindCount
} Kind;

static const char* const names[] = { "memory", "write", "sync", "rename", "close", "map", "open", "read", "truncate" };
static atomic_long counts[kindCount];
static int faultKind = -1;
static long faultAt = -1;
static int stackFile = -1;
static void* libraryBase;           // where this library lies
static atomic_ulong stacks[STACKS]; // hashes of those that were seen; 0: free
static atomic_size_t stackCount;
static _Thread_local bool isLooking; // the unwinder may ask for memory itself

// "KIND:N"
static void chooseFault(const char* fault)
{
  const char* colon = fault != NULL ? strchr(fault, ':') : NULL;
  for (int i = 0; colon != NULL && i < kindCount; ++i) {
    if (strncmp(fault, names[i], (size_t)(colon - fault)) == 0 && names[i][colon - fault] == '\0') {
      faultKind = i;
      faultAt = atol(colon + 1);
    }
  }
}

// ----------------------------------------------------------------------------------------------- server

static bool readLine(int file, char* line, size_t size)
{
  for (size_t at = 0; at + 1 < size; ++at) {
    if (syscall(SYS_read, file, line + at, 1) != 1) {
      return false;
    }
    if (line[at] == '\n') {
      line[at] = '\0';
      return true;
    }
  }
  return false;
}

static void writeNumber(int file, int number)
{
  char line[16];
  int size = snprintf(line, sizeof line, "%d\n", number);
  (void)!syscall(SYS_write, file, line, size);
}

static void redirect(const char* name, const char* ending, int descriptor)
{
  char path[4096];
  snprintf(path, sizeof path, "%s%s", name, ending);
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  (void)dup2(file, descriptor);
  (void)syscall(SYS_close, file);
}

// Comes back in each child; not in the server, which ends when there are no lines any more.
static void serve(const char* server)
{
  int in, out, read = 0, status = 0;
  char line[64];
  if (sscanf(server, "%d,%d,%n", &in, &out, &read) < 2) {
    return;
  }
  while (readLine(in, line, sizeof line)) {
    pid_t child = fork();
    if (child == 0) {
      (void)syscall(SYS_close, in);
      (void)syscall(SYS_close, out);
      redirect(server + read, ".out", STDOUT_FILENO);
      redirect(server + read, ".err", STDERR_FILENO);
      chooseFault(line);
      return;
    }
    writeNumber(out, child);
    (void)waitpid(child, &status, 0);
    writeNumber(out, status);
  }
  _exit(0);
}

__attribute__((constructor)) static void readFault(void)
{
  void* frame;
  (void)backtrace(&frame, 1); // the first call loads a library
  Dl_info info;
  libraryBase = dladdr(__func__, &info) != 0 ? info.dli_fbase : NULL;
  const char* path = getenv("CAROM_FAULT_STACKS");
  stackFile =
      path != NULL ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  const char* server = getenv("CAROM_FAULT_SERVER");
  if (server != NULL) {
    unsetenv("LD_BIND_NOW"); // as in a process that is not served
    serve(server);
  }
  chooseFault(getenv("CAROM_FAULT"));
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

// A number of a stack, not 0. Addresses that repeat count once: a long list in a text is read by a reader that calls
// itself, as a short one is. Those of this file are left out: they differ by who looks.
static unsigned long hashStack(void* const* frames, int count)
{
  unsigned long hash = 14695981039346656037ul; // FNV-1a, of words
  for (int i = 0; i < count; ++i) {
    Dl_info info;
    bool isHere = i < 4 && dladdr(frames[i], &info) != 0 && info.dli_fbase == libraryBase;
    if (!isHere && (i == 0 || frames[i] != frames[i - 1])) {
      hash = (hash ^ (unsigned long)frames[i]) * 1099511628211ul;
      hash ^= hash >> 29;
    }
  }
  return hash + (hash == 0);
}

static void writePlace(void)
{
  const char* path = getenv("CAROM_FAULT_WHERE");
  int file = path != NULL ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  void* frames[FRAMES];
  int count = file >= 0 ? backtrace(frames, FRAMES) : 0;
  const char* last = "";
  char line[32];
  int size = snprintf(line, sizeof line, "%lx\n", hashStack(frames, count));
  if (file >= 0) {
    (void)!syscall(SYS_write, file, line, size);
  }
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

// Whether a stack was not seen before, by a thread or another. A full table would hide stacks: then the process ends.
static bool isNewStack(unsigned long hash)
{
  for (size_t at = hash % STACKS;; at = (at + 1) % STACKS) {
    unsigned long expected = 0;
    if (atomic_compare_exchange_strong(&stacks[at], &expected, hash)) {
      if (atomic_fetch_add(&stackCount, 1) > STACKS / 2) {
        abort();
      }
      return true;
    }
    if (expected == hash) {
      return false;
    }
  }
}

static void writeStack(long number)
{
  void* frames[FRAMES];
  char line[64];
  isLooking = true;
  unsigned long hash = hashStack(frames, backtrace(frames, FRAMES));
  if (isNewStack(hash)) {
    int size = snprintf(line, sizeof line, "%ld %lx\n", number, hash);
    (void)!syscall(SYS_write, stackFile, line, size);
  }
  isLooking = false;
}

static bool isFaulty(Kind kind)
{
  if (isLooking) {
    return false;
  }
  long number = atomic_fetch_add(&counts[kind], 1);
  bool isIt = number == faultAt && (int)kind == faultKind;
  if (isIt) {
    isLooking = true;
    writePlace();
    isLooking = false;
  }
  if (kind == kindMemory && stackFile >= 0) {
    writeStack(number);
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

int open(const char* path, int flags, ...)
{
  va_list rest;
  va_start(rest, flags);
  unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return isFaulty(kindOpen) ? (errno = EMFILE, -1) : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...)
{
  va_list rest;
  va_start(rest, flags);
  unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return open(path, flags, mode);
}

ssize_t read(int file, void* bytes, size_t size)
{
  return isFaulty(kindRead) ? (errno = EIO, -1) : syscall(SYS_read, file, bytes, size);
}

ssize_t pread(int file, void* bytes, size_t size, off_t offset)
{
  return isFaulty(kindRead) ? (errno = EIO, -1) : syscall(SYS_pread64, file, bytes, size, offset);
}

ssize_t pread64(int file, void* bytes, size_t size, off64_t offset)
{
  return pread(file, bytes, size, offset);
}

int ftruncate(int file, off_t size)
{
  return isFaulty(kindTruncate) ? (errno = EIO, -1) : (int)syscall(SYS_ftruncate, file, size);
}

int ftruncate64(int file, off64_t size)
{
  return ftruncate(file, size);
}

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset)
{
  return isFaulty(kindMap) ? (errno = ENOMEM, MAP_FAILED)
                           : (void*)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
