// A folder of its own for a test program.
#ifndef CR_TEST_FOLDER_H
#define CR_TEST_FOLDER_H

#include "support/test.h"

// cmocka group set-up and tear-down: a new folder, and its end with all that is in it.
int crMakeTestFolder(void** state);
int crRemoveTestFolder(void** state);

// "FOLDER/name"; valid for the next seven calls.
const char* crTestPath(const char* name);

// The whole file, zero-terminated; fails the test when it cannot be read. Free it.
char* crReadTestFile(const char* path, size_t* outSize);
void crWriteTestFile(const char* path, const void* bytes, size_t size);

int crCountTestFiles(void); // in the folder

#endif
