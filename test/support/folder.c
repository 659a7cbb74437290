// A folder of its own for a test program.
#include "support/folder.h"

#include "show/process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/carom_test_XXXXXX";

int crMakeTestFolder(void** state)
{
  (void)state;
  return mkdtemp(folder) != NULL ? 0 : -1;
}

int crCountTestFiles(void)
{
  int count = 0;
  DIR* listing = opendir(folder);
  for (struct dirent* entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
      ++count;
    }
  }
  closedir(listing);
  return count;
}

int crRemoveTestFolder(void** state)
{
  (void)state;
  crRemoveFolder(folder);
  return access(folder, F_OK) == 0 ? -1 : 0;
}

const char* crTestPath(const char* name)
{
  static char paths[8][512];
  static int next;
  next = (next + 1) % 8;
  snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
  return paths[next];
}

char* crReadTestFile(const char* path, size_t* outSize)
{
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char* bytes = malloc(size + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, size, file), size);
  bytes[size] = '\0';
  fclose(file);
  if (outSize != NULL) {
    *outSize = size;
  }
  return bytes;
}

void crWriteTestFile(const char* path, const void* bytes, size_t size)
{
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}
