// Starting programs by posix_spawn.
#include "show/process.h"
#include "base/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CR_FIRST_FREE 10      // descriptors below may be given to the program
#define CR_WAIT_STEP 20000000 // [ns] between two looks whether a program has ended
#define CR_DEEPEST_FOLDER 32  // a browser's profile has less than 10

extern char** environ;

// ------------------------------------------------------------------------------------------ finding

static bool isProgram(const char* path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool crFindProgram(const char* name, char outPath[CR_PROCESS_PATH])
{
  const char* rest = getenv("PATH");
  while (rest != NULL && *rest != '\0') {
    int size = (int)strcspn(rest, ":");
    int length = snprintf(outPath, CR_PROCESS_PATH, "%.*s/%s", size, rest, name);
    if (size > 0 && length < CR_PROCESS_PATH && isProgram(outPath)) {
      return true;
    }
    rest += size;
    rest += *rest == ':';
  }
  return false;
}

// ----------------------------------------------------------------------------------------- starting

// A descriptor that cannot collide with those of the program. -1: errno.
static int lift(int descriptor)
{
  int lifted = fcntl(descriptor, F_DUPFD_CLOEXEC, CR_FIRST_FREE);
  close(descriptor);
  return lifted;
}

static int makeConnection(int outEnds[2])
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return errno;
  }
  outEnds[0] = lift(ends[0]);
  outEnds[1] = lift(ends[1]);
  return outEnds[0] >= 0 && outEnds[1] >= 0 ? 0 : errno;
}

static int describeFiles(posix_spawn_file_actions_t* actions, crPlug plug, int end, const char* log)
{
  int error = 0;
  if (plug == cr_plugInput) {
    error = posix_spawn_file_actions_adddup2(actions, end, 0);
  } else {
    error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    error = error == 0 ? posix_spawn_file_actions_adddup2(actions, end, 3) : error;
    error = error == 0 ? posix_spawn_file_actions_adddup2(actions, end, 4) : error;
  }
  error = error == 0 ? posix_spawn_file_actions_addopen(actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600) : error;
  return error == 0 ? posix_spawn_file_actions_adddup2(actions, 1, 2) : error;
}

// The program shall not inherit what the host has blocked or ignored.
static int describeSignals(posix_spawnattr_t* attributes)
{
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &pipe);
  posix_spawnattr_setpgroup(attributes, 0);
  return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int spawn(const char* const* arguments, crPlug plug, int end, const char* log, pid_t* outId)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) {
    return error;
  }
  error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    error = describeFiles(&actions, plug, end, log);
    error = error == 0 ? describeSignals(&attributes) : error;
    error =
        error == 0 ? posix_spawn(outId, arguments[0], &actions, &attributes, (char* const*)arguments, environ) : error;
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int crStartProcess(const char* const* arguments, crPlug plug, const char* log, crProcess* outProcess)
{
  int ends[2] = { -1, -1 };
  *outProcess = (crProcess){ .id = 0, .connection = -1 };
  int error = makeConnection(ends);
  if (error == 0) {
    error = spawn(arguments, plug, ends[1], log, &outProcess->id);
  }
  if (ends[1] >= 0) {
    close(ends[1]);
  }
  if (error != 0 && ends[0] >= 0) {
    close(ends[0]);
  }
  if (error != 0) {
    outProcess->id = 0;
    return error;
  }
  outProcess->connection = ends[0];
  return 0;
}

// ------------------------------------------------------------------------------------------ talking

int crProcess_Send(const crProcess* process, const void* bytes, size_t size)
{
  const char* next = bytes;
  while (size > 0) {
    ssize_t count = send(process->connection, next, size, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR) {
      return errno;
    }
    if (count > 0) {
      next += count;
      size -= (size_t)count;
    }
  }
  return 0;
}

ssize_t crProcess_Receive(const crProcess* process, void* buffer, size_t size, double seconds)
{
  struct pollfd wait = { .fd = process->connection, .events = POLLIN };
  int milliseconds = seconds < 1e6 ? (int)(1e3 * seconds) : -1;
  int ready = poll(&wait, 1, milliseconds);
  if (ready == 0) {
    errno = ETIMEDOUT;
  }
  return ready > 0 ? recv(process->connection, buffer, size, 0) : -1;
}

// ------------------------------------------------------------------------------------------- ending

static void disconnect(crProcess* process)
{
  if (process->connection >= 0) {
    close(process->connection);
    process->connection = -1;
  }
}

static int exitCodeOf(int status)
{
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void crProcess_Kill(crProcess* process)
{
  int status;
  disconnect(process);
  if (process->id > 0) {
    kill(-process->id, SIGKILL);
    while (waitpid(process->id, &status, 0) < 0 && errno == EINTR) {
    }
    process->id = 0;
  }
}

int crProcess_End(crProcess* process, double seconds)
{
  int status = 0;
  disconnect(process);
  int looks = (int)(1e9 * seconds / CR_WAIT_STEP);
  for (int i = 0; process->id > 0 && i < looks; ++i) {
    if (waitpid(process->id, &status, WNOHANG) == process->id) {
      kill(-process->id, SIGKILL); // what it has left behind
      process->id = 0;
      return exitCodeOf(status);
    }
    nanosleep(&(struct timespec){ 0, CR_WAIT_STEP }, NULL);
  }
  crProcess_Kill(process);
  return -1;
}

// ------------------------------------------------------------------------------------------ folders

int crMakeTemporaryFolder(char outPath[CR_PROCESS_PATH])
{
  const char* place = getenv("TMPDIR");
  bool isGiven = place != NULL && place[0] == '/';
  if (snprintf(outPath, CR_PROCESS_PATH, "%s/carom-XXXXXX", isGiven ? place : "/tmp") >= CR_PROCESS_PATH) {
    return ENAMETOOLONG;
  }
  return mkdtemp(outPath) != NULL ? 0 : errno;
}

// Removes what is in an opened folder, which it closes. Links are removed, not followed.
static void emptyFolder(int descriptor, int depth)
{
  DIR* listing = descriptor >= 0 ? fdopendir(descriptor) : NULL;
  if (listing == NULL) {
    close(descriptor);
    return;
  }
  for (struct dirent* entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
    bool isSelf = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (!isSelf && unlinkat(descriptor, entry->d_name, 0) != 0 && depth > 0) {
      emptyFolder(openat(descriptor, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), depth - 1);
      unlinkat(descriptor, entry->d_name, AT_REMOVEDIR);
    }
  }
  closedir(listing);
}

void crRemoveFolder(const char* path)
{
  emptyFolder(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), CR_DEEPEST_FOLDER);
  rmdir(path);
}
