// Paths of files: folders, and moving a relative path to another folder.
#include "text/path.h"

#include <stdio.h>
#include <string.h>

bool crFindFolder(const char* path, char outFolder[CR_FILE_PATH_SIZE])
{
  const char* slash = strrchr(path, '/');
  size_t size = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
  if (size >= CR_FILE_PATH_SIZE) {
    return false;
  }
  memcpy(outFolder, slash == NULL ? "." : path, size);
  outFolder[size] = '\0';
  return true;
}

// Skips "./" and slashes at the start.
static const char* skipHere(const char* path)
{
  for (;;) {
    if (path[0] == '/') {
      ++path;
    } else if (path[0] == '.' && path[1] == '/') {
      path += 2;
    } else {
      return path;
    }
  }
}

// Lets the ".." at the start of a file take off the last names of the folder, and returns the rest of the file.
static const char* stepUp(const char* file, char* folder)
{
  file = skipHere(file);
  while (strncmp(file, "../", 3) == 0) {
    char* slash = strrchr(folder, '/');
    if (slash != NULL) {
      *slash = '\0';
    }
    file = skipHere(file + 3);
  }
  return file;
}

// The length of the folders that two absolute paths share from the root on, without the slash behind them.
static size_t findCommonLength(const char* a, const char* b)
{
  size_t common = 0;
  for (size_t i = 0;; ++i) {
    bool endsA = a[i] == '\0' || a[i] == '/', endsB = b[i] == '\0' || b[i] == '/';
    if (endsA && endsB) {
      common = i;
    }
    if (a[i] != b[i] || a[i] == '\0') {
      return common;
    }
  }
}

bool crMovePath(const char* file, const char* from, const char* to, char outFile[CR_FILE_PATH_SIZE])
{
  char folder[CR_FILE_PATH_SIZE], target[2 * CR_FILE_PATH_SIZE];
  bool stays = file[0] == '/' || strcmp(from, to) == 0;
  if (stays || strlen(from) >= sizeof folder) {
    int size = snprintf(outFile, CR_FILE_PATH_SIZE, "%s", file);
    return stays && size < CR_FILE_PATH_SIZE;
  }
  snprintf(folder, sizeof folder, "%s", strcmp(from, "/") == 0 ? "" : from);
  const char* rest = stepUp(file, folder);
  if (snprintf(target, sizeof target, "%s/%s", folder, rest) >= (int)sizeof target) {
    return false;
  }
  to = strcmp(to, "/") == 0 ? "" : to;
  size_t common = findCommonLength(target, to);
  size_t used = 0;
  for (const char* p = to + common; *p != '\0'; ++p) { // one step up for each folder below the common one
    if (*p == '/') {
      if (used + 4 > CR_FILE_PATH_SIZE) {
        return false;
      }
      memcpy(outFile + used, "../", 4);
      used += 3;
    }
  }
  int size = snprintf(outFile + used, CR_FILE_PATH_SIZE - used, "%s", target + common + 1);
  return used + (size_t)size < CR_FILE_PATH_SIZE;
}
