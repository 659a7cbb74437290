#include "foreign/fmu_archive.h"

#include "base/memory.h"
#include "base/platform.h"
#include "base/read_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#define CR_FMU_FILE_LIMIT ((size_t)256 << 20)    // [bytes] of the archive
#define CR_FMU_CONTENT_LIMIT ((uint64_t)1 << 30) // [bytes] of all that is unpacked
#define CR_FMU_ENTRY_LIMIT 20000                 // files in it
#define CR_DEEPEST_FOLDER 64                     // below that of an FMU; it may make some of its own

crStatus crFmuArchive_Open(crFmuArchive* archive, const char* path, const crAllocator* allocator, crReporter* reporter)
{
  *archive = (crFmuArchive){ .allocator = crChooseAllocator(allocator) };
  crErrorSink sink = crReporter_Sink(reporter);
  crStatus status = crReadFile(path, CR_FMU_FILE_LIMIT, &archive->allocator, &sink, &archive->bytes, &archive->size);
  if (status != cr_ok) {
    return status;
  }
  crSha256 hash;
  crSha256_Init(&hash);
  crSha256_Add(&hash, archive->bytes, archive->size);
  crSha256_Finish(&hash, archive->hash);
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(archive->bytes, archive->size, 0, &error);
  archive->zip = source != NULL ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) : NULL;
  if (archive->zip == NULL) {
    zip_source_free(source);
    crReportError(reporter, "'%s' is no FMU: as an archive it cannot be read (%s)", path, zip_error_strerror(&error));
    status = cr_errorModel;
  } else if (zip_get_num_entries(archive->zip, 0) > CR_FMU_ENTRY_LIMIT) {
    crReportError(reporter, "'%s' is no FMU that is run here: it has more than %d files", path, CR_FMU_ENTRY_LIMIT);
    status = cr_errorModel;
  }
  zip_error_fini(&error);
  if (status != cr_ok) {
    crFmuArchive_Close(archive);
  }
  return status;
}

void crFmuArchive_Close(crFmuArchive* archive)
{
  if (archive->zip != NULL) {
    zip_discard(archive->zip);
  }
  crFree(&archive->allocator, archive->bytes, archive->bytes != NULL ? archive->size + 1 : 0);
  *archive = (crFmuArchive){ .allocator = archive->allocator };
}

// ------------------------------------------------------------------------------------------- reading

// Reads entry `index`; no more bytes are taken than its header promises. The block has one byte more than that.
static crStatus readEntry(const crFmuArchive* archive, zip_uint64_t index, uint64_t limit, crReporter* reporter,
                          char** outBytes, size_t* outSize)
{
  zip_stat_t facts;
  if (zip_stat_index(archive->zip, index, 0, &facts) != 0 || (facts.valid & ZIP_STAT_SIZE) == 0 ||
      (facts.valid & ZIP_STAT_NAME) == 0) {
    crReportError(reporter, "file %d of the FMU cannot be read: %s", (int)index + 1, zip_strerror(archive->zip));
    return cr_errorModel;
  }
  if (facts.size > limit) {
    crReportError(reporter, "'%s' in the FMU is too large: %.0f bytes", facts.name, (double)facts.size);
    return cr_errorLimit;
  }
  *outSize = (size_t)facts.size;
  *outBytes = crAllocateZero(&archive->allocator, *outSize + 1, 1);
  zip_file_t* file = *outBytes != NULL ? zip_fopen_index(archive->zip, index, 0) : NULL;
  bool isRead = file != NULL && zip_fread(file, *outBytes, facts.size) == (zip_int64_t)facts.size;
  isRead = isRead && zip_fread(file, (char[1]){ 0 }, 1) == 0; // its checksum is looked at here
  if (file != NULL) {
    isRead = zip_fclose(file) == 0 && isRead;
  }
  if (*outBytes == NULL) {
    return cr_errorMemory;
  }
  if (!isRead) {
    crReportError(reporter, "'%s' in the FMU is damaged", facts.name);
    crFree(&archive->allocator, *outBytes, *outSize + 1);
    *outBytes = NULL;
    return cr_errorModel;
  }
  return cr_ok;
}

crStatus crFmuArchive_ReadText(const crFmuArchive* archive, const char* name, size_t limit, crReporter* reporter,
                               char** outText, size_t* outSize)
{
  *outText = NULL;
  zip_int64_t index = zip_name_locate(archive->zip, name, 0);
  if (index < 0) {
    crReportError(reporter, "the archive is no FMU: it has no %s", name);
    return cr_errorModel;
  }
  return readEntry(archive, (zip_uint64_t)index, limit, reporter, outText, outSize);
}

// ----------------------------------------------------------------------------------------- unpacking

// Whether a name stays below the folder that it is meant in: no root, no "..", no empty part.
static bool isInside(const char* name)
{
  for (const char* part = name;; ++part) {
    size_t length = strcspn(part, "/");
    bool isDots = (length == 1 && part[0] == '.') || (length == 2 && part[0] == '.' && part[1] == '.');
    bool isLast = part[length] == '\0';
    if (isDots || (length == 0 && (!isLast || part == name)) || memchr(part, '\\', length) != NULL) {
      return false;
    }
    part += length;
    if (isLast) {
      return true;
    }
  }
}

static bool isWanted(const char* name)
{
  static const char* const folders[] = { "resources/", "binaries/linux64/" };
  bool isFound = false;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
    isFound = isFound || strncmp(name, folders[i], strlen(folders[i])) == 0;
  }
  return isFound;
}

// Makes the folders on the way to a file.
static bool makeWay(char* path, size_t rootLength)
{
  for (char* slash = strchr(path + rootLength + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    bool isMade = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!isMade) {
      return false;
    }
  }
  return true;
}

static bool writeNew(const char* path, const char* bytes, size_t size)
{
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  size_t written = 0;
  while (file >= 0 && written < size) {
    ssize_t count = write(file, bytes + written, size - written);
    if (count < 0 && errno != EINTR) {
      break;
    }
    written += count > 0 ? (size_t)count : 0;
  }
  return file >= 0 && close(file) == 0 && written == size;
}

static crStatus unpackEntry(const crFmuArchive* archive, zip_uint64_t index, const char* folder, uint64_t* ioRest,
                            crReporter* reporter)
{
  const char* name = zip_get_name(archive->zip, index, 0);
  if (name == NULL || !isInside(name)) {
    crReportError(reporter, "the FMU has a file that leads out of its folder: '%s'", name != NULL ? name : "");
    return cr_errorModel;
  }
  size_t length = strlen(name);
  if (!isWanted(name) || name[length - 1] == '/') {
    return cr_ok;
  }
  char path[2 * CR_FMU_FOLDER_SIZE];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
    crReportError(reporter, "the FMU has a file with too long a name: '%.100s...'", name);
    return cr_errorModel;
  }
  char* bytes = NULL;
  size_t size = 0;
  crStatus status = readEntry(archive, index, *ioRest, reporter, &bytes, &size);
  if (status != cr_ok) {
    return status;
  }
  *ioRest -= size;
  errno = 0;
  if (!makeWay(path, strlen(folder)) || !writeNew(path, bytes, size)) {
    crReportError(reporter, "'%s' of the FMU cannot be unpacked: %s", name, strerror(errno));
    status = cr_errorFile;
  }
  crFree(&archive->allocator, bytes, size + 1);
  return status;
}

crStatus crFmuArchive_Unpack(const crFmuArchive* archive, crReporter* reporter, char outFolder[CR_FMU_FOLDER_SIZE])
{
  const char* parent = getenv("TMPDIR");
  parent = parent != NULL && parent[0] == '/' ? parent : "/tmp";
  int length = snprintf(outFolder, CR_FMU_FOLDER_SIZE, "%s/carom-fmu-XXXXXX", parent);
  errno = length >= CR_FMU_FOLDER_SIZE ? ENAMETOOLONG : 0;
  if (errno != 0 || mkdtemp(outFolder) == NULL) {
    crReportError(reporter, "there is no room for an FMU below '%.200s%s': %s", parent,
                  strlen(parent) > 200 ? "..." : "", strerror(errno));
    outFolder[0] = '\0';
    return cr_errorFile;
  }
  uint64_t rest = CR_FMU_CONTENT_LIMIT;
  zip_int64_t count = zip_get_num_entries(archive->zip, 0);
  crStatus status = cr_ok;
  for (zip_int64_t i = 0; i < count && status == cr_ok; ++i) {
    status = unpackEntry(archive, (zip_uint64_t)i, outFolder, &rest, reporter);
  }
  if (status != cr_ok) {
    crRemoveUnpacked(outFolder);
    outFolder[0] = '\0';
  }
  return status;
}

// What cannot go stays.
static void removeBelow(const char* folder, int depth)
{
  char path[2 * CR_FMU_FOLDER_SIZE];
  DIR* list = depth < CR_DEEPEST_FOLDER ? opendir(folder) : NULL;
  for (struct dirent* entry = list != NULL ? readdir(list) : NULL; entry != NULL; entry = readdir(list)) {
    struct stat facts;
    bool isDots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    bool fits = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path;
    if (!isDots && fits && lstat(path, &facts) == 0) {
      if (S_ISDIR(facts.st_mode)) { // a link to one is no folder
        removeBelow(path, depth + 1);
      } else {
        (void)unlink(path);
      }
    }
  }
  if (list != NULL) {
    closedir(list);
  }
  (void)rmdir(folder);
}

void crRemoveUnpacked(const char* folder)
{
  removeBelow(folder, 0);
}
