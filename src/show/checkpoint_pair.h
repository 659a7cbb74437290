// The two checkpoint files of a run, beside its result: written in turn, so that one is whole whatever happens.
#ifndef CR_SHOW_CHECKPOINT_PAIR_H
#define CR_SHOW_CHECKPOINT_PAIR_H

#include "base/file.h"
#include "carom/state.h"

typedef struct crCheckpointPair {
  char folder[CR_PATH_SIZE];
  int next; // 0 or 1: which is written next, the older one
} crCheckpointPair;

crStatus crCheckpointPair_Init(crCheckpointPair* pair, const char* folder, const crErrorSink* sink);

// Writes a checkpoint with a note of the caller. Until it is whole, both files are as they were.
crStatus crCheckpointPair_Write(crCheckpointPair* pair, const crSimulation* simulation, const void* note,
                                size_t noteSize, const crAllocator* allocator, const crErrorSink* sink);

// The newer one of those that are whole; the other one is written next. cr_errorFile: there is none, and why.
// The caller frees outSize + 1 bytes, to which the facts point.
crStatus crCheckpointPair_ReadNewest(crCheckpointPair* pair, const crAllocator* allocator, const crErrorSink* sink,
                                     char** outBytes, size_t* outSize, crCheckpointFacts* outFacts);

bool crCheckpointPair_Exists(const crCheckpointPair* pair); // one of them at least
void crCheckpointPair_Remove(crCheckpointPair* pair);

// For a new run in the folder: files that killed processes left half written, and links that would lead it elsewhere.
void crRemoveLeftovers(const char* folder);

// Keeps other processes from writing into the folder until the descriptor is closed, or the process dies. -1: somebody
// else does, or the folder cannot be opened, which is reported.
int crLockRunFolder(const char* folder, const crErrorSink* sink);

#endif
