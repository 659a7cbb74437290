// Files that are watched: the model, what it includes and reads, and what messages are about.
#ifndef CR_CLI_WATCH_H
#define CR_CLI_WATCH_H

#include "base/platform.h"
#include "cli.h"

typedef struct crWatchedFile {
  char* path;
  struct stat facts; // all 0: it is not there
} crWatchedFile;

typedef struct crWatch {
  crWatchedFile* files; // (count)
  int count;
  struct timespec began; // when files were looked at last
} crWatch;

// Looks at the model and the files known so far, before they are read: what changes meanwhile is then seen.
void crWatch_Begin(crWatch* watch, const char* model);

// Adds the files of a model that was read, or whose messages tell where it failed. Files stay: one that is gone for a
// moment may come again.
void crWatch_AddModel(crWatch* watch, const char* path, const crLoaded* loaded);

// Waits until one of the files is another than it was. false: Ctrl-C, or nothing to wait for.
bool crWatch_Wait(crWatch* watch);

void crWatch_Free(crWatch* watch);

#endif
