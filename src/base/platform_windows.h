// POSIX for Windows, as far as Carom uses it: mingw-w64 has threads, clocks and most headers; what it lacks, or has for
// names in the local code page only, is in platform_windows.c. Included by platform.h alone.
//
// Paths are UTF-8. Inside Carom a path has '/', and an absolute one begins with it: "/C:/models/arm.lua", as in the
// address of a file; so whatever looks for a '/' is right here too. The calls below take both forms, realpath and the
// tool's arguments give this one.
//
// A descriptor of a folder can be locked and closed, no more. Links are followed, and none is seen as such.
// Not here: programs that are started (posix_spawn, fork), sockets.
#ifndef CR_BASE_PLATFORM_WINDOWS_H
#define CR_BASE_PLATFORM_WINDOWS_H

#define tell crWindowsTell // the system's has a name that others may want
#include <fcntl.h>
#include <io.h>
#undef tell
#include <limits.h>
#include <process.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

// ------------------------------------------------------------------------------------------- files

#define O_CLOEXEC _O_NOINHERIT
#define O_NONBLOCK 0 // opening never waits
#define O_NOCTTY 0
#define O_DIRECTORY 0x40000000 // beside the bits of the system's
#define S_IFLNK 0120000
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)

// The system's own has neither large files nor fractions of seconds. The macro names both the struct and the function.
#undef stat
#undef fstat
#undef lstat
#define stat crWindowsStat
#define fstat crWindowsFstat
#define lstat crWindowsLstat
struct crWindowsStat {
  uint64_t st_dev, st_ino;
  unsigned st_mode;
  int64_t st_size; // [bytes]
  struct timespec st_mtim;
};
int crWindowsStat(const char* path, struct crWindowsStat* outFacts);
int crWindowsLstat(const char* path, struct crWindowsStat* outFacts);
int crWindowsFstat(int descriptor, struct crWindowsStat* outFacts);

// Replaces a file that is there, as POSIX does; the system's own refuses.
#define rename crWindowsRename
int crWindowsRename(const char* from, const char* to);

#define mkdir(path, mode) crWindowsMakeFolder(path)
int crWindowsMakeFolder(const char* path);

#define fchmod(descriptor, mode) ((void)(descriptor), (void)(mode), 0) // rights are those of the folder

char* realpath(const char* path, char* outPath); // outPath: NULL or PATH_MAX bytes; gives the form with '/'
ssize_t pwrite(int descriptor, const void* bytes, size_t size, int64_t offset);
int fsync(int descriptor);
FILE* fmemopen(void* bytes, size_t size, const char* mode); // for writing alone, and what is written is lost

#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
int flock(int descriptor, int operation);

struct dirent {
  char d_name[780]; // UTF-8 of what the system has in 260 units
};
typedef struct DIR DIR;
DIR* opendir(const char* path);
struct dirent* readdir(DIR* listing);
int closedir(DIR* listing);

// ----------------------------------------------------------------------------------------- process

#define _SC_NPROCESSORS_ONLN 84
long sysconf(int name);
int gethostname(char* outName, size_t size);

struct sigaction {
  void (*sa_handler)(int);
};
#define SIGHUP 1 // never comes
int sigaction(int signal, const struct sigaction* action, struct sigaction* outBefore);

struct winsize {
  unsigned short ws_row, ws_col;
};
#define TIOCGWINSZ 0
int ioctl(int descriptor, int request, struct winsize* outSize);

#define RTLD_NOW 0
#define RTLD_LOCAL 0
void* dlopen(const char* name, int flags);
void* dlsym(void* library, const char* name);
int dlclose(void* library);
const char* dlerror(void);

// ------------------------------------------------------------------------------------------ locale

// Of these there is one: plain C, for the thread that uses it.
typedef int locale_t;
#define LC_ALL_MASK 0
locale_t newlocale(int mask, const char* name, locale_t base);
locale_t uselocale(locale_t locale);
void freelocale(locale_t locale);

#endif
