// Files that are written completely or not at all.
#ifndef CR_BASE_FILE_H
#define CR_BASE_FILE_H

#include "base/friend.h"
#include "base/memory.h"

#define CR_PATH_SIZE 4096 // [bytes] longest path, its zero included

// Reports a cr_errorFile about a file, with the text of errno `error` (0: none), and returns it.
CR_FRIEND crStatus crReportFile(const crErrorSink* sink, const char* path, const char* message, int error);

// Makes a folder, with those on the way to it that are missing; one that is there is as good. Else `message` is
// reported.
CR_FRIEND crStatus crMakeFolder(const char* path, const char* message, const crErrorSink* sink);

// What a path to be written stands for.
typedef struct crTarget {
  char path[CR_PATH_SIZE]; // symbolic links followed, so that a link stays one
  bool exists, isRegular;  // a new file counts as regular
  unsigned mode;           // rights of an existing file
} crTarget;

// Folders and files that may not be written are reported.
CR_FRIEND crStatus crFindTarget(const char* path, const crErrorSink* sink, crTarget* outTarget);

// Opens a new file beside the target, with the target's rights. -1: errno says why.
CR_FRIEND int crOpenBeside(const crTarget* target, int flags, char outPath[CR_PATH_SIZE]);

// Writes all bytes at an offset (< 0: where the descriptor stands). 0 or errno.
CR_FRIEND int crWriteAll(int descriptor, const void* bytes, size_t size, int64_t offset);

// Takes room on the disk for so many bytes from an offset on, which may lie behind the end of the file: that stays
// where it is. 0, also where the system cannot do that, or the errno of a disk that is full and of files that may not
// grow.
CR_FRIEND int crReserveRoom(int descriptor, int64_t offset, int64_t size);

// A buffered file under construction. Its bytes go to a file beside it that takes its name when it is closed; pipes
// and devices are written to as they are. Errors are kept until then.
typedef struct crOutputFile crOutputFile;

CR_FRIEND crStatus crOpenOutputFile(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                                    crOutputFile** outFile);
CR_FRIEND void crOutputFile_Write(crOutputFile* file, const void* bytes, size_t size);
CR_FRIEND bool crOutputFile_HasFailed(const crOutputFile* file); // writing on is useless

// Keeps what was written, or leaves everything as it was before. Frees the file in any case.
CR_FRIEND crStatus crCloseOutputFile(crOutputFile* file, bool isKept, const crErrorSink* sink);

#endif
