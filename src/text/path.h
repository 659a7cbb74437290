// Paths of files as text.
#ifndef CR_TEXT_PATH_H
#define CR_TEXT_PATH_H

#include "carom/base.h"

#define CR_FILE_PATH_SIZE 4096 // [bytes] of the longest path, with its end

// The folder part of a path: "." for a bare name, "/" for one in the root. false: too long.
bool crFindFolder(const char* path, char outFolder[CR_FILE_PATH_SIZE]);

// The path that leads from folder `to` to what `file` means in folder `from`. Both folders are absolute and free of
// symbolic links and "..", so that stepping up is taking off a name. Absolute files stay. false: too long.
bool crMovePath(const char* file, const char* from, const char* to, char outFile[CR_FILE_PATH_SIZE]);

#endif
