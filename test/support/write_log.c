// The calls are ours before they are the system's: a program's own functions come before those of its libraries.
#define _GNU_SOURCE
#include "support/write_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096 // [bytes] the unit in which the system copies

typedef struct Write {
  off_t offset; // or the new size of the file
  size_t size;
  unsigned char* bytes; // NULL: the file was cut off, or grew
} Write;

static struct {
  Write* items;
  int count, capacity, hidden;
  bool isOn;
} writes;

static Write* addWrite(off_t offset, size_t size)
{
  if (writes.count == writes.capacity) {
    writes.capacity = 2 * writes.capacity + 64;
    writes.items = realloc(writes.items, (size_t)writes.capacity * sizeof *writes.items);
    assert_non_null(writes.items);
  }
  Write* write = &writes.items[writes.count++];
  *write = (Write){ offset, size, NULL };
  return write;
}

ssize_t pwritev(int file, const struct iovec* vectors, int count, off_t offset)
{
  ssize_t size = syscall(SYS_pwritev, file, vectors, count, offset, offset >> 32);
  if (writes.isOn && size > 0) {
    Write* write = addWrite(offset, (size_t)size);
    write->bytes = malloc((size_t)size);
    assert_non_null(write->bytes);
    size_t at = 0;
    for (int i = 0; i < count && at < (size_t)size; ++i) {
      size_t part = (size_t)size - at < vectors[i].iov_len ? (size_t)size - at : vectors[i].iov_len;
      memcpy(write->bytes + at, vectors[i].iov_base, part);
      at += part;
    }
  }
  return size;
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset)
{
  return pwritev(file, &(struct iovec){ (void*)bytes, size }, 1, offset);
}

int ftruncate(int file, off_t size)
{
  if (writes.isOn) {
    addWrite(size, 0);
  }
  return (int)syscall(SYS_ftruncate, file, size);
}

int rename(const char* from, const char* to)
{
  writes.hidden = writes.isOn ? writes.count : writes.hidden;
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

void crBeginWriteLog(void)
{
  crFreeWriteLog();
  writes.isOn = true;
}

void crEndWriteLog(void)
{
  writes.isOn = false;
}

int crCountWrites(void)
{
  return writes.count;
}

int crCountHiddenWrites(void)
{
  return writes.hidden;
}

void crFreeWriteLog(void)
{
  for (int i = 0; i < writes.count; ++i) {
    free(writes.items[i].bytes);
  }
  free(writes.items);
  memset(&writes, 0, sizeof writes);
}

static bool replayOne(int file, int index, crVisitState* visit, void* context)
{
  const Write* write = &writes.items[index];
  if (write->bytes == NULL) {
    return syscall(SYS_ftruncate, file, write->offset) == 0 && visit(context, index, 0);
  }
  int page = 0;
  for (size_t at = 0; at < write->size; ++page) {
    size_t left = write->size - at, room = PAGE - (size_t)(write->offset + (off_t)at) % PAGE;
    size_t part = left < room ? left : room;
    if (syscall(SYS_pwrite64, file, write->bytes + at, part, write->offset + (off_t)at) != (long)part ||
        !visit(context, index, page)) {
      return false;
    }
    at += part;
  }
  return true;
}

bool crReplayWrites(const char* path, int first, int end, crVisitState* visit, void* context)
{
  int file = open(path, O_RDWR | O_CREAT | (first == 0 ? O_TRUNC : 0), 0600);
  bool isDone = file >= 0;
  for (int i = first; i < end && isDone; ++i) {
    isDone = replayOne(file, i, visit, context);
  }
  return file >= 0 && close(file) == 0 && isDone;
}

const unsigned char* crGetWrite(int write, long* outOffset)
{
  *outOffset = (long)writes.items[write].offset;
  return writes.items[write].bytes;
}
