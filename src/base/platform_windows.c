// POSIX for Windows: files by their names in Unicode, locks, signals, terminals, a plain locale.
#include "base/platform.h"

#ifdef _WIN32

#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// what needs it
#include <shellapi.h>

#define CR_LONGEST_PATH 4096          // [units of UTF-16] its zero included
#define CR_EPOCH 116444736000000000LL // [100 ns] from 1601 to 1970
#define CR_TICKS 10000000LL           // [1/s] of times of files
#define CR_LOCK_NAME "/.carom.lock"   // in a folder that is opened; goes with the descriptor

_Static_assert(PATH_MAX <= 4096, "realpath writes up to PATH_MAX bytes");

// ------------------------------------------------------------------------------------------- names

static int failWith(int error)
{
  errno = error;
  return -1;
}

// The errno of the system's last error.
static int translateError(void)
{
  switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_BAD_NETPATH: return ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT: return EACCES;
    case ERROR_DISK_FULL: return ENOSPC;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: return ENOMEM;
    case ERROR_TOO_MANY_OPEN_FILES: return EMFILE;
    case ERROR_FILENAME_EXCED_RANGE: return ENAMETOOLONG;
    case ERROR_DIRECTORY: return ENOTDIR;
    default: return EIO;
  }
}

static bool isDrive(const char* path)
{
  bool isLetter = (path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z');
  return isLetter && path[1] == ':';
}

// The system's name of a path in either form. false: errno says why.
static bool widen(const char* path, wchar_t outName[CR_LONGEST_PATH])
{
  const char* start = path[0] == '/' && isDrive(path + 1) ? path + 1 : path;
  int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, start, -1, outName, CR_LONGEST_PATH - 1);
  if (length == 0) {
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : ENOENT;
    return false;
  }
  if (start != path && length == 3) { // "/C:" is the root of the drive, "C:" would be the current folder there
    outName[2] = L'/';
    outName[3] = L'\0';
  }
  return true;
}

// UTF-8 of a name of the system's. false: it has no room.
static bool narrow(const wchar_t* name, char* outPath, int size)
{
  return WideCharToMultiByte(CP_UTF8, 0, name, -1, outPath, size, NULL, NULL) > 0;
}

static void turnSlashes(char* path)
{
  for (; *path != '\0'; ++path) {
    *path = (char)(*path == '\\' ? '/' : *path);
  }
}

// ------------------------------------------------------------------------------------------- files

// A file that is open can be renamed and removed, as elsewhere: so all sharing is allowed.
static HANDLE openHandle(const char* path, int flags, DWORD extra)
{
  wchar_t name[CR_LONGEST_PATH];
  if (!widen(path, name)) {
    return INVALID_HANDLE_VALUE;
  }
  int kind = flags & (O_RDONLY | O_WRONLY | O_RDWR);
  DWORD rights = kind == O_RDONLY ? GENERIC_READ : kind == O_WRONLY ? GENERIC_WRITE : GENERIC_READ | GENERIC_WRITE;
  DWORD making = (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0 ? CREATE_NEW
                 : (flags & O_CREAT) != 0                        ? OPEN_ALWAYS
                                                                 : OPEN_EXISTING;
  HANDLE handle = CreateFileW(name, rights, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, making,
                              FILE_ATTRIBUTE_NORMAL | extra, NULL);
  if (handle == INVALID_HANDLE_VALUE) {
    int error = translateError();
    DWORD attributes = error == EACCES ? GetFileAttributesW(name) : 0;
    bool isFolder = attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    errno = isFolder ? EISDIR : error;
  }
  return handle;
}

int open(const char* path, int flags, ...)
{
  char lock[CR_LONGEST_PATH];
  HANDLE handle;
  if ((flags & O_DIRECTORY) != 0) { // whose lock is that of a file in it
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
      return failWith(ENOTDIR);
    }
    if (snprintf(lock, sizeof lock, "%s" CR_LOCK_NAME, path) >= (int)sizeof lock) {
      return failWith(ENAMETOOLONG);
    }
    handle = openHandle(lock, O_RDWR | O_CREAT, FILE_FLAG_DELETE_ON_CLOSE);
  } else {
    handle = openHandle(path, flags, 0);
  }
  if (handle == INVALID_HANDLE_VALUE) {
    return -1;
  }
  if ((flags & O_TRUNC) != 0) {
    SetEndOfFile(handle);
  }
  int descriptor = _open_osfhandle((intptr_t)handle, (flags & (O_APPEND | O_RDONLY)) | O_BINARY | _O_NOINHERIT);
  if (descriptor < 0) {
    CloseHandle(handle);
    return failWith(EMFILE);
  }
  return descriptor;
}

FILE* fopen(const char* restrict path, const char* restrict mode)
{
  wchar_t name[CR_LONGEST_PATH], wideMode[8];
  int count = 0;
  for (int i = 0; mode[i] != '\0' && count < 6; ++i) {
    if (mode[i] != 'e' && mode[i] != 'b') { // a bit that the system does not know, and one that comes anyway
      wideMode[count++] = (wchar_t)mode[i];
    }
  }
  wideMode[count++] = L'b';
  wideMode[count] = L'\0';
  return widen(path, name) ? _wfopen(name, wideMode) : NULL;
}

FILE* fmemopen(void* bytes, size_t size, const char* mode)
{
  (void)bytes;
  (void)size;
  return fopen("NUL", mode);
}

static HANDLE handleOf(int descriptor)
{
  return (HANDLE)_get_osfhandle(descriptor);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, int64_t offset)
{
  OVERLAPPED place = { .Offset = (DWORD)offset, .OffsetHigh = (DWORD)((uint64_t)offset >> 32) };
  DWORD written = 0, part = size < (size_t)1 << 30 ? (DWORD)size : (DWORD)1 << 30;
  if (!WriteFile(handleOf(descriptor), bytes, part, &written, &place)) {
    return failWith(translateError());
  }
  return (ssize_t)written;
}

int fsync(int descriptor)
{
  return FlushFileBuffers(handleOf(descriptor)) ? 0 : failWith(translateError());
}

static int tellFacts(HANDLE handle, struct stat* outFacts)
{
  BY_HANDLE_FILE_INFORMATION info;
  memset(outFacts, 0, sizeof *outFacts);
  if (GetFileType(handle) == FILE_TYPE_CHAR) {
    outFacts->st_mode = S_IFCHR | 0666;
    return 0;
  }
  if (!GetFileInformationByHandle(handle, &info)) {
    outFacts->st_mode = S_IFIFO | 0666;
    return GetFileType(handle) == FILE_TYPE_PIPE ? 0 : failWith(translateError());
  }
  bool isFolder = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  bool isReadOnly = (info.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0;
  outFacts->st_mode = isFolder ? S_IFDIR | 0777 : isReadOnly ? S_IFREG | 0444 : S_IFREG | 0666;
  outFacts->st_dev = info.dwVolumeSerialNumber;
  outFacts->st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
  outFacts->st_size = (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
  int64_t ticks =
      (int64_t)((uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime) - CR_EPOCH;
  outFacts->st_mtim.tv_sec = ticks / CR_TICKS;
  outFacts->st_mtim.tv_nsec = (long)(ticks % CR_TICKS) * 100;
  return 0;
}

// Of a file or folder, to ask about it alone; all links are followed.
static HANDLE openFacts(const char* path)
{
  wchar_t name[CR_LONGEST_PATH];
  if (!widen(path, name)) {
    return INVALID_HANDLE_VALUE;
  }
  HANDLE handle = CreateFileW(name, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (handle == INVALID_HANDLE_VALUE) {
    errno = translateError();
  }
  return handle;
}

int crWindowsStat(const char* path, struct crWindowsStat* outFacts)
{
  HANDLE handle = openFacts(path);
  if (handle == INVALID_HANDLE_VALUE) {
    return -1;
  }
  int result = tellFacts(handle, outFacts);
  CloseHandle(handle);
  return result;
}

int crWindowsLstat(const char* path, struct crWindowsStat* outFacts)
{
  return crWindowsStat(path, outFacts);
}

int crWindowsFstat(int descriptor, struct crWindowsStat* outFacts)
{
  HANDLE handle = handleOf(descriptor);
  return handle != INVALID_HANDLE_VALUE ? tellFacts(handle, outFacts) : failWith(EBADF);
}

int access(const char* path, int mode)
{
  wchar_t name[CR_LONGEST_PATH];
  DWORD attributes = widen(path, name) ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
  if (attributes == INVALID_FILE_ATTRIBUTES) {
    return failWith(ENOENT);
  }
  bool isKept = (attributes & FILE_ATTRIBUTE_READONLY) != 0 && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
  return (mode & W_OK) != 0 && isKept ? failWith(EACCES) : 0;
}

int crWindowsRename(const char* from, const char* to)
{
  wchar_t nameFrom[CR_LONGEST_PATH], nameTo[CR_LONGEST_PATH];
  if (!widen(from, nameFrom) || !widen(to, nameTo)) {
    return -1;
  }
  return MoveFileExW(nameFrom, nameTo, MOVEFILE_REPLACE_EXISTING) ? 0 : failWith(translateError());
}

int crWindowsMakeFolder(const char* path)
{
  wchar_t name[CR_LONGEST_PATH];
  return !widen(path, name) ? -1 : CreateDirectoryW(name, NULL) ? 0 : failWith(translateError());
}

int unlink(const char* path)
{
  wchar_t name[CR_LONGEST_PATH];
  return !widen(path, name) ? -1 : DeleteFileW(name) ? 0 : failWith(translateError());
}

int rmdir(const char* path)
{
  wchar_t name[CR_LONGEST_PATH];
  return !widen(path, name) ? -1 : RemoveDirectoryW(name) ? 0 : failWith(translateError());
}

// A folder in the form with '/': "/C:/models", "//machine/share".
static bool writeForm(const wchar_t* name, char* outPath, int size)
{
  bool hasDrive = name[0] != L'\0' && name[1] == L':';
  if (!narrow(name, outPath + hasDrive, size - hasDrive)) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (hasDrive) {
    outPath[0] = '/';
  }
  turnSlashes(outPath);
  size_t length = strlen(outPath);
  if (length > 1 && outPath[length - 1] == '/') {
    outPath[length - 1] = '\0';
  }
  return true;
}

// The name of what a path leads to, with all links followed and letters as they are in the folders. false: errno.
static bool findFinal(const char* path, wchar_t outName[CR_LONGEST_PATH])
{
  HANDLE handle = openFacts(path);
  if (handle == INVALID_HANDLE_VALUE) {
    return false;
  }
  DWORD length = GetFinalPathNameByHandleW(handle, outName, CR_LONGEST_PATH, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
  errno = length == 0 ? translateError() : ENAMETOOLONG;
  CloseHandle(handle);
  return length > 0 && length < CR_LONGEST_PATH;
}

char* realpath(const char* path, char* outPath)
{
  static const wchar_t start[] = L"\\\\?\\", network[] = L"\\\\?\\UNC\\";
  wchar_t name[CR_LONGEST_PATH];
  if (strcmp(path, "/") == 0) { // what is above all drives
    return outPath != NULL ? strcpy(outPath, path) : strdup(path);
  }
  if (!findFinal(path, name)) {
    return NULL;
  }
  const wchar_t* plain = name; // "\\?\C:\models" -> "C:\models", "\\?\UNC\machine\share" -> "\\machine\share"
  if (wcsncmp(name, network, wcslen(network)) == 0) {
    plain = name + wcslen(network) - 2;
    name[wcslen(network) - 2] = L'\\';
  } else if (wcsncmp(name, start, wcslen(start)) == 0) {
    plain = name + wcslen(start);
  }
  char* result = outPath != NULL ? outPath : malloc(CR_LONGEST_PATH);
  if (result == NULL || !writeForm(plain, result, PATH_MAX)) {
    errno = result == NULL ? ENOMEM : ENAMETOOLONG;
    if (result != outPath) {
      free(result);
    }
    return NULL;
  }
  return result;
}

char* getcwd(char* outPath, int size)
{
  wchar_t name[CR_LONGEST_PATH];
  DWORD length = GetCurrentDirectoryW(CR_LONGEST_PATH, name);
  if (length == 0 || length >= CR_LONGEST_PATH) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  return writeForm(name, outPath, size) ? outPath : NULL;
}

int flock(int descriptor, int operation)
{
  OVERLAPPED place = { 0 };
  DWORD flags = ((operation & LOCK_EX) != 0 ? LOCKFILE_EXCLUSIVE_LOCK : 0) |
                ((operation & LOCK_NB) != 0 ? LOCKFILE_FAIL_IMMEDIATELY : 0);
  if (LockFileEx(handleOf(descriptor), flags, 0, 1, 0, &place)) {
    return 0;
  }
  bool isHeld = GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING;
  return failWith(isHeld ? EWOULDBLOCK : translateError());
}

// ------------------------------------------------------------------------------------------ folders

struct DIR {
  HANDLE search;
  WIN32_FIND_DATAW found;
  bool hasFound; // what was not given yet
  struct dirent entry;
};

DIR* opendir(const char* path)
{
  wchar_t name[CR_LONGEST_PATH];
  DIR* listing = malloc(sizeof *listing);
  if (listing == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  size_t length = widen(path, name) ? wcslen(name) : CR_LONGEST_PATH;
  if (length + 3 > CR_LONGEST_PATH) {
    free(listing);
    return NULL;
  }
  wcscpy(name + length, L"/*");
  listing->search = FindFirstFileW(name, &listing->found);
  if (listing->search == INVALID_HANDLE_VALUE) {
    errno = translateError();
    free(listing);
    return NULL;
  }
  listing->hasFound = true;
  return listing;
}

struct dirent* readdir(DIR* listing)
{
  while (listing->hasFound) {
    bool isGiven = narrow(listing->found.cFileName, listing->entry.d_name, sizeof listing->entry.d_name);
    listing->hasFound = FindNextFileW(listing->search, &listing->found);
    if (isGiven) {
      return &listing->entry;
    }
  }
  return NULL;
}

int closedir(DIR* listing)
{
  FindClose(listing->search);
  free(listing);
  return 0;
}

// ----------------------------------------------------------------------------------------- process

long sysconf(int name)
{
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return name == _SC_NPROCESSORS_ONLN ? (long)info.dwNumberOfProcessors : -1;
}

int gethostname(char* outName, size_t size)
{
  DWORD length = (DWORD)size;
  return GetComputerNameExA(ComputerNameDnsHostname, outName, &length) ? 0 : failWith(ENAMETOOLONG);
}

static void (*handlers[NSIG])(int);

// The system forgets a handler when it has called it.
static void callHandler(int number)
{
  (void)signal(number, callHandler);
  handlers[number](number);
}

int sigaction(int number, const struct sigaction* action, struct sigaction* outBefore)
{
  if (number != SIGINT && number != SIGTERM) {
    return failWith(EINVAL);
  }
  if (outBefore != NULL) {
    outBefore->sa_handler = handlers[number] != NULL ? handlers[number] : SIG_DFL;
  }
  if (action != NULL) {
    bool isCalled = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    handlers[number] = action->sa_handler;
    (void)signal(number, isCalled ? callHandler : action->sa_handler);
  }
  return 0;
}

int ioctl(int descriptor, int request, struct winsize* outSize)
{
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (request != TIOCGWINSZ || !GetConsoleScreenBufferInfo(handleOf(descriptor), &info)) {
    return failWith(ENOTTY);
  }
  outSize->ws_col = (unsigned short)(info.srWindow.Right - info.srWindow.Left + 1);
  outSize->ws_row = (unsigned short)(info.srWindow.Bottom - info.srWindow.Top + 1);
  return 0;
}

void* dlopen(const char* name, int flags)
{
  wchar_t wide[CR_LONGEST_PATH];
  (void)flags;
  return widen(name, wide) ? (void*)LoadLibraryW(wide) : NULL;
}

void* dlsym(void* library, const char* name)
{
  FARPROC function = GetProcAddress(library, name);
  void* result;
  memcpy(&result, &function, sizeof result);
  return result;
}

int dlclose(void* library)
{
  return FreeLibrary(library) ? 0 : -1;
}

const char* dlerror(void)
{
  static _Thread_local char text[64];
  snprintf(text, sizeof text, "error %lu of the system", GetLastError());
  return text;
}

// ------------------------------------------------------------------------------------------ locale

// What a thread had before it used the plain one: its name, and whether the locale was the thread's own.
static _Thread_local struct {
  char name[256];
  int ownership;
} before;

locale_t newlocale(int mask, const char* name, locale_t base)
{
  (void)mask;
  (void)name;
  (void)base;
  return 1;
}

locale_t uselocale(locale_t locale)
{
  if (locale == 1) {
    const char* name = setlocale(LC_ALL, NULL);
    snprintf(before.name, sizeof before.name, "%s", name != NULL ? name : "C");
    before.ownership = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    setlocale(LC_ALL, "C");
    return 2;
  }
  if (locale == 2) {
    setlocale(LC_ALL, before.name);
    _configthreadlocale(before.ownership);
  }
  return 1;
}

void freelocale(locale_t locale)
{
  (void)locale;
}

// ------------------------------------------------------------------------------------------- start

// Settings (NAME=VALUE) and JSON stay; whatever else has a '\' is a path.
static void writeArgument(char* text)
{
  if (strpbrk(text, "=\"") != NULL) {
    return;
  }
  turnSlashes(text);
  if (isDrive(text)) {
    memmove(text + 1, text, strlen(text) + 1);
    text[0] = '/';
  }
}

// The arguments in UTF-8, with a byte of room each.
static bool readArguments(int* outCount, char*** outArguments)
{
  int count = 0;
  wchar_t** wide = CommandLineToArgvW(GetCommandLineW(), &count);
  char** arguments = wide != NULL ? calloc((size_t)count + 1, sizeof *arguments) : NULL;
  bool isDone = arguments != NULL;
  for (int i = 0; i < count && isDone; ++i) {
    int size = (int)(3 * wcslen(wide[i]) + 2);
    arguments[i] = malloc((size_t)size);
    isDone = arguments[i] != NULL && narrow(wide[i], arguments[i], size - 1);
    if (isDone && i > 0) {
      writeArgument(arguments[i]);
    }
  }
  LocalFree(wide);
  if (isDone) {
    *outCount = count;
    *outArguments = arguments;
  }
  return isDone;
}

// Bytes go out as they are, and a console shows UTF-8 and colours.
static void prepareStreams(void)
{
  static const DWORD names[] = { STD_OUTPUT_HANDLE, STD_ERROR_HANDLE };
  for (int i = 0; i <= 2; ++i) {
    (void)_setmode(i, O_BINARY);
  }
  for (int i = 0; i < 2; ++i) {
    DWORD mode;
    HANDLE handle = GetStdHandle(names[i]);
    if (GetConsoleMode(handle, &mode)) {
      SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
      SetConsoleOutputCP(CP_UTF8);
    }
  }
}

bool crPrepareProcess(int* argumentCount, char*** arguments)
{
  prepareStreams();
  return readArguments(argumentCount, arguments);
}

void crGiveBackMemory(void)
{
}

void crGuardProcess(int exitCode)
{
  (void)exitCode;
}

int crEndProcess(int exitCode)
{
  return exitCode;
}

#endif
