// What a program writes into one file, call by call, and the file as it is after each of them: what a kill leaves.
#ifndef CR_TEST_WRITE_LOG_H
#define CR_TEST_WRITE_LOG_H

#include "support/test.h"

// From here on every pwrite, pwritev and ftruncate of this program is made and kept, until the end. One at a time; no
// other file may be written so meanwhile.
void crBeginWriteLog(void);
void crEndWriteLog(void);
int crCountWrites(void); // of the log, and of those the ones before the file got its name by a rename
int crCountHiddenWrites(void);
void crFreeWriteLog(void);

// Writes the file anew, at a path, as far as writes first to end - 1 go: after those before, which are there already.
// A kill falls between the pages of a write, too: `visit` is called after each of them. false: a call has failed, or
// `visit` wants no more.
typedef bool crVisitState(void* context, int write, int page);
bool crReplayWrites(const char* path, int first, int end, crVisitState* visit, void* context);

// What a write has brought, and where to. NULL: nothing, the file was cut off, or grew.
const unsigned char* crGetWrite(int write, long* outOffset);

#endif
