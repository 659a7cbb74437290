// The files of a page: what the model is made of, in memory. What the library asks of a system of files finds them
// here.
//
// Names are paths without "." and ".."; a path that does not begin with '/' is meant from "/". Files are read only.
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CR_MAX_PAGE_FILES 4096
#define CR_MAX_OPEN_FILES 16
#define CR_FIRST_DESCRIPTOR 100 // far from those of the system
#define CR_PAGE_PATH 4096       // [bytes] longest path, its zero included

typedef struct PageFile {
  char* path;
  char* bytes;
  size_t size;
} PageFile;

typedef struct OpenFile {
  const PageFile* file; // NULL: free
  size_t place;
} OpenFile;

static PageFile files[CR_MAX_PAGE_FILES];
static int fileCount;
static OpenFile openFiles[CR_MAX_OPEN_FILES];

// An absolute path without "." and "..".
static bool normalize(const char* path, char outPath[CR_PAGE_PATH])
{
  size_t used = 0;
  while (*path != '\0') {
    size_t length = strcspn(path, "/");
    if (length == 2 && path[0] == '.' && path[1] == '.') {
      while (used > 0 && outPath[--used] != '/') {
      }
    } else if (length > 0 && !(length == 1 && path[0] == '.')) {
      if (used + length + 2 > CR_PAGE_PATH) {
        return false;
      }
      outPath[used++] = '/';
      memcpy(outPath + used, path, length);
      used += length;
    }
    path += length + (path[length] == '/');
  }
  if (used == 0) {
    outPath[used++] = '/';
  }
  outPath[used] = '\0';
  return true;
}

static PageFile* findFile(const char* path)
{
  char normal[CR_PAGE_PATH];
  for (int i = 0; normalize(path, normal) && i < fileCount; ++i) {
    if (strcmp(files[i].path, normal) == 0) {
      return &files[i];
    }
  }
  return NULL;
}

static bool isFolder(const char* path)
{
  char normal[CR_PAGE_PATH];
  if (!normalize(path, normal)) {
    return false;
  }
  size_t length = strcmp(normal, "/") == 0 ? 0 : strlen(normal);
  for (int i = 0; i < fileCount; ++i) {
    if (strncmp(files[i].path, normal, length) == 0 && files[i].path[length] == '/') {
      return true;
    }
  }
  return length == 0;
}

bool crSetPageFile(const char* path, void* bytes, size_t size)
{
  char normal[CR_PAGE_PATH];
  PageFile* file = findFile(path);
  if (file == NULL) {
    char* kept = fileCount < CR_MAX_PAGE_FILES && normalize(path, normal) ? strdup(normal) : NULL;
    if (kept == NULL) {
      return false;
    }
    file = &files[fileCount++];
    *file = (PageFile){ .path = kept };
  }
  free(file->bytes);
  file->bytes = bytes;
  file->size = size;
  return true;
}

// ------------------------------------------------------------------------------ what the system has

static OpenFile* getOpen(int descriptor)
{
  int index = descriptor - CR_FIRST_DESCRIPTOR;
  return index >= 0 && index < CR_MAX_OPEN_FILES && openFiles[index].file != NULL ? &openFiles[index] : NULL;
}

static int fail(int error)
{
  errno = error;
  return -1;
}

int open(const char* path, int flags, ...)
{
  const PageFile* file = findFile(path);
  if ((flags & O_ACCMODE) != O_RDONLY) {
    return fail(EROFS);
  }
  if (file == NULL) {
    return fail(isFolder(path) ? EISDIR : ENOENT);
  }
  for (int i = 0; i < CR_MAX_OPEN_FILES; ++i) {
    if (openFiles[i].file == NULL) {
      openFiles[i] = (OpenFile){ .file = file };
      return CR_FIRST_DESCRIPTOR + i;
    }
  }
  return fail(EMFILE);
}

ssize_t read(int descriptor, void* bytes, size_t size)
{
  OpenFile* open = getOpen(descriptor);
  if (open == NULL) {
    return fail(EBADF);
  }
  size_t left = open->file->size - open->place, count = size < left ? size : left;
  memcpy(bytes, open->file->bytes + open->place, count);
  open->place += count;
  return (ssize_t)count;
}

int close(int descriptor)
{
  OpenFile* open = getOpen(descriptor);
  if (open == NULL) {
    return fail(EBADF);
  }
  open->file = NULL;
  return 0;
}

static int tell(const PageFile* file, struct stat* outFacts)
{
  memset(outFacts, 0, sizeof *outFacts);
  outFacts->st_mode = file != NULL ? S_IFREG | 0444 : S_IFDIR | 0555;
  outFacts->st_size = file != NULL ? (off_t)file->size : 0;
  return 0;
}

int fstat(int descriptor, struct stat* outFacts)
{
  const OpenFile* open = getOpen(descriptor);
  return open != NULL ? tell(open->file, outFacts) : fail(EBADF);
}

int stat(const char* restrict path, struct stat* restrict outFacts)
{
  const PageFile* file = findFile(path);
  return file != NULL || isFolder(path) ? tell(file, outFacts) : fail(ENOENT);
}

char* realpath(const char* restrict path, char* restrict outPath)
{
  char normal[CR_PAGE_PATH];
  if ((findFile(path) == NULL && !isFolder(path)) || !normalize(path, normal)) {
    fail(ENOENT);
    return NULL;
  }
  return outPath != NULL ? strcpy(outPath, normal) : strdup(normal);
}

FILE* fopen(const char* restrict path, const char* restrict mode)
{
  const PageFile* file = findFile(path);
  if (file == NULL || file->size == 0 || mode[0] != 'r') {
    fail(ENOENT);
    return NULL;
  }
  return fmemopen(file->bytes, file->size, "r");
}
