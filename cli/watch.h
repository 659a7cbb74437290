// Files that are watched: the model, and what it includes and reads, or would if it were there.
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

// Looks at the model and the files known so far, before they are read: what changes meanwhile is then seen. From now on
// until it waits files that are read are added. Files stay: one that is gone for a moment may come again.
void crWatch_Begin(crWatch* watch, const char* model);

// Waits until one of the files is another than it was. false: Ctrl-C, or nothing to wait for.
bool crWatch_Wait(crWatch* watch);

void crWatch_Free(crWatch* watch);

#endif
