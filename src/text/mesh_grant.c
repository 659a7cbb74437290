#include "text/mesh_grant.h"

#include "base/platform.h"
#include "text/path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool crIsGrant(const crSetting* setting)
{
  return strcmp(setting->name, CR_ALLOW_PATH) == 0 || strcmp(setting->name, CR_MESH_PATH) == 0;
}

// Both without links. A folder is inside itself.
static bool isInside(const char* path, const char* folder)
{
  size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool isInFolder(const char* real, const char* folder)
{
  char realFolder[PATH_MAX];
  return realpath(folder, realFolder) != NULL && isInside(real, realFolder);
}

static bool isInList(const char* real, const char* list)
{
  char folder[CR_FILE_PATH_SIZE];
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ":");
    if (length > 0 && length < sizeof folder) {
      memcpy(folder, list, length);
      folder[length] = '\0';
      if (isInFolder(real, folder)) {
        return true;
      }
    }
    list += length + (list[length] == ':');
  }
  return false;
}

// Where the path leads. Of one that leads nowhere, the last folder on the way that exists: whether a file is there is
// nobody's business outside.
static bool findReal(const char* path, char outReal[PATH_MAX])
{
  char rest[CR_FILE_PATH_SIZE];
  if (snprintf(rest, sizeof rest, "%s", path) >= (int)sizeof rest) {
    return false;
  }
  while (realpath(rest, outReal) == NULL) {
    char* slash = strrchr(rest, '/');
    if (slash == NULL || strcmp(rest, "/") == 0) {
      return realpath(".", outReal) != NULL;
    }
    slash[slash == rest ? 1 : 0] = '\0';
  }
  return true;
}

bool crMayReadMesh(const char* path, const char* folder, const crReadOptions* options)
{
  char real[PATH_MAX];
  bool isHere = folder == NULL || folder[0] == '\0';
  if (!findReal(path, real)) {
    return false;
  }
  bool isAllowed = isInFolder(real, isHere ? "." : folder) || (options != NULL && isInList(real, options->allowedPath));
  for (int i = 0; options != NULL && i < options->settingCount && !isAllowed; ++i) {
    isAllowed = crIsGrant(&options->settings[i]) && isInList(real, options->settings[i].value);
  }
  return isAllowed;
}

bool crWarnOfMeshOutside(crReporter* reporter, const char* file, const char* from, const char* to)
{
  char path[CR_FILE_PATH_SIZE];
  bool isAbsolute = file[0] == '/';
  int size = snprintf(path, sizeof path, "%s%s%s", isAbsolute ? "" : from, isAbsolute ? "" : "/", file);
  if (size >= (int)sizeof path || crMayReadMesh(path, to, NULL)) {
    return false;
  }
  crComplaint complaint = { .message = "the model names mesh files outside its folder",
                            .found = file,
                            .hint = "--allow-path DIR lets it read them" };
  crReport(reporter, cr_severityWarning, cr_ok, &complaint);
  return true;
}
