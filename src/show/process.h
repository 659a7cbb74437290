// Programs that are started: without a shell, found by PATH, with a connection to us, ended in any case.
#ifndef CR_SHOW_PROCESS_H
#define CR_SHOW_PROCESS_H

#include "base/memory.h"
#include "base/platform.h"

#define CR_PROCESS_PATH 4096

// Where a program is, by PATH. false: nowhere.
bool crFindProgram(const char* name, char outPath[CR_PROCESS_PATH]);

// A running program in a process group of its own. `connection` is our end of a socket: writing to it never raises
// SIGPIPE.
typedef struct crProcess {
  pid_t id;       // 0: none
  int connection; // -1: closed
} crProcess;

// Which descriptors of the program are its end of the socket.
typedef enum crPlug {
  cr_plugInput,    // 0
  cr_plugDevTools, // 3 to read, 4 to write: what Chromium calls --remote-debugging-pipe
} crPlug;

// Starts a program; what it prints goes to the file `log`. arguments[0] is its path, NULL ends them. 0 or errno.
int crStartProcess(const char* const* arguments, crPlug plug, const char* log, crProcess* outProcess);

// 0 or errno.
int crProcess_Send(const crProcess* process, const void* bytes, size_t size);

// Waits at most `seconds` for bytes; returns how many came, 0 at the end of the connection, -1 with errno (ETIMEDOUT).
ssize_t crProcess_Receive(const crProcess* process, void* buffer, size_t size, double seconds);

// Closes the connection, waits at most `seconds` for the end, then kills the group. The exit code; -1: it was killed.
int crProcess_End(crProcess* process, double seconds);

// Ends at once.
void crProcess_Kill(crProcess* process);

// A new folder for files of a moment below TMPDIR or /tmp, and its end with all that is in it. 0 or errno.
int crMakeTemporaryFolder(char outPath[CR_PROCESS_PATH]);
void crRemoveFolder(const char* path);

#endif
