// The system below: the one place that includes its headers.
//
// Carom is written to POSIX, of which it uses files and folders, locks on folders, threads, clocks, signals, terminals,
// programs that are started, sockets on this machine, libraries that are opened, and locales per thread. Where the
// system is another, its functions stand behind the same names: platform_windows.h says which, and what is not there.
// Everything else in src/ and cli/ includes this header and none of the system's; scripts/check_layers.sh looks.
#ifndef CR_BASE_PLATFORM_H
#define CR_BASE_PLATFORM_H

#include "base/friend.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <time.h>

#ifdef _WIN32
#include "base/platform_windows.h"
#else

// files and folders
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

// threads
#include <pthread.h>
#include <sched.h>

// programs, signals, terminals, sockets, libraries
#include <arpa/inet.h>
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>

#endif

// What a tool does first: its streams and its arguments become what the rest expects. The arguments live until the end
// of the process. false: out of memory.
CR_FRIEND bool crPrepareProcess(int* argumentCount, char*** arguments);

// What was freed in small blocks goes back to the system, where the C library keeps it: after very much of it.
CR_FRIEND void crGiveBackMemory(void);

// From now on a process that a library of others (base/library.h) brings to its end says so, and ends with this code.
CR_FRIEND void crGuardProcess(int exitCode);

// The end of a tool: without what libraries do at the end, if one has failed.
CR_FRIEND int crEndProcess(int exitCode);

#endif
