// Where the mesh files of robots lie.
//
// Files name them from their own folder, or by a package: "package://arm_description/meshes/base.stl". A package is a
// folder of that name in one of the places where packages are: those that the user names, those of the variable
// ROS_PACKAGE_PATH, and the folders above the robot's file, which are part of some package themselves.
#include "base/platform.h"
#include "base/text.h"
#include "text/path.h"
#include "text/robot/robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CR_MOST_LEVELS 8                          // folders above the file that are looked into
#define CR_LOOKED_SIZE 1500                       // [bytes] of the places that a message names
#define CR_POINTER_TEXT "version https://git-lfs" // how files begin that only stand for the real ones

typedef struct Search {
  const char* package; // "" for none
  size_t packageLength;
  const char* rest; // path inside the package, or as given
  char found[CR_FILE_PATH_SIZE];
  char looked[CR_LOOKED_SIZE];
  size_t lookedLength;
} Search;

static bool isFile(const char* path)
{
  struct stat facts;
  if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return false;
  }
  char start[sizeof CR_POINTER_TEXT] = "";
  FILE* file = fopen(path, "rb");
  size_t size = file != NULL ? fread(start, 1, sizeof start - 1, file) : 0;
  if (file != NULL) {
    fclose(file);
  }
  return size > 0 && strcmp(start, CR_POINTER_TEXT) != 0;
}

static bool try(Search* search, const char* folder, size_t folderLength, const char* middle, size_t middleLength)
{
  char path[CR_FILE_PATH_SIZE];
  int size = snprintf(path, sizeof path, "%.*s%s%.*s%s%s", (int)folderLength, folder, folderLength > 0 ? "/" : "",
                      (int)middleLength, middle, middleLength > 0 ? "/" : "", search->rest);
  if (size < 0 || size >= (int)sizeof path) {
    return false;
  }
  if (isFile(path)) {
    snprintf(search->found, sizeof search->found, "%s", path);
    return true;
  }
  if (search->lookedLength < sizeof search->looked) {
    search->lookedLength +=
        (size_t)snprintf(search->looked + search->lookedLength, sizeof search->looked - search->lookedLength, "%s%s",
                         search->lookedLength > 0 ? ", " : "", path);
  }
  return false;
}

// In a folder that holds packages, or is the package itself, or holds what the package does.
static bool tryPlace(Search* search, const char* folder, size_t folderLength)
{
  return (search->packageLength > 0 && try(search, folder, folderLength, search->package, search->packageLength)) ||
         try(search, folder, folderLength, "", 0);
}

// A list of folders, separated by ':'.
static bool tryList(Search* search, const char* list)
{
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ":");
    if (length > 0 && tryPlace(search, list, length)) {
      return true;
    }
    list += length + (list[length] == ':');
  }
  return false;
}

static bool tryFoldersAbove(Search* search, const char* folder)
{
  char path[CR_FILE_PATH_SIZE];
  const char* start = folder != NULL && folder[0] != '\0' ? folder : ".";
  char* absolute = realpath(start, NULL);
  bool isFound = tryPlace(search, folder != NULL ? folder : "", folder != NULL ? strlen(folder) : 0);
  snprintf(path, sizeof path, "%s", absolute != NULL ? absolute : "");
  free(absolute);
  for (int level = 0; level < CR_MOST_LEVELS && !isFound; ++level) {
    char* slash = strrchr(path, '/');
    if (slash == NULL || slash == path) {
      break;
    }
    *slash = '\0';
    isFound = tryPlace(search, path, strlen(path));
  }
  return isFound;
}

// Takes "package://name/rest", "model://name/rest", "$(find name)/rest" apart; "file://" is taken off.
static void split(Search* search, const char* file)
{
  search->package = "";
  search->rest = file;
  if (strncmp(file, "file://", 7) == 0) {
    search->rest = file += 7;
  }
  bool isPackage = strncmp(file, "package://", 10) == 0, isModel = strncmp(file, "model://", 8) == 0;
  const char* name = isPackage ? file + 10 : isModel ? file + 8 : strncmp(file, "$(find ", 7) == 0 ? file + 7 : NULL;
  if (name == NULL) {
    return;
  }
  size_t length = strcspn(name, "/)");
  const char* rest = name + length;
  rest += strspn(rest, ")/");
  search->package = name;
  search->packageLength = length;
  search->rest = rest;
}

// A name that leads to the found file from the folder of the model: relative below it, absolute elsewhere.
static const char* nameFrom(crRobot* robot, const char* found)
{
  const char* folder = robot->options.folder;
  size_t length = folder != NULL ? strlen(folder) : 0;
  if (found[0] == '/' && (length == 0 || folder[0] != '/')) {
    return crElementList_Print(robot->list, "%s", found);
  }
  if (length == 0) {
    return crElementList_Print(robot->list, "%s", found);
  }
  if (strncmp(found, folder, length) == 0 && found[length] == '/') {
    return crElementList_Print(robot->list, "%s", found + length + 1);
  }
  char* absolute = realpath(found, NULL);
  const char* name = crElementList_Print(robot->list, "%s", absolute != NULL ? absolute : found);
  free(absolute);
  return name;
}

static void noteMissing(crRobot* robot, const crXmlNode* node, const char* name, const char* file, const Search* search)
{
  if (!robot->options.ignoresMissing) {
    char message[CR_SHOWN_PATH_SIZE + 32], shown[CR_SHOWN_PATH_SIZE];
    crShowText(file, strlen(file), shown, sizeof shown);
    snprintf(message, sizeof message, "the mesh '%s' is missing", shown);
    crComplaint complaint = { .message = message,
                              .found = search->looked[0] != '\0' ? search->looked : NULL,
                              .hint = "--mesh-path FOLDER looks there, too; --ignore-missing does without" };
    crRobot_Complain(robot, node, name, &complaint);
    return;
  }
  const char** place = crArray_Push(&robot->missing, &robot->list->arena.allocator);
  if (place == NULL) {
    robot->list->isOutOfMemory = true;
  } else {
    *place = crElementList_Print(robot->list, "%s", file);
  }
}

// Others, such as .ply and .msh, cannot be read.
static bool isKnownFormat(const char* path)
{
  static const char* const endings[] = { ".stl", ".obj", ".dae", ".stlb", ".stla" };
  const char* dot = strrchr(path, '.');
  for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof *endings; ++i) {
    if (strcasecmp(dot, endings[i]) == 0) {
      return true;
    }
  }
  return false;
}

crValue crRobot_MakeMesh(crRobot* robot, const crXmlNode* node, const char* name, const char* file, crVec3 scale)
{
  Search search = { .lookedLength = 0 };
  split(&search, file);
  bool isAbsolute = search.packageLength == 0 && search.rest[0] == '/';
  bool isFound = (isAbsolute && try(&search, "", 0, "", 0)) || tryList(&search, robot->options.meshPath) ||
                 tryList(&search, search.packageLength > 0 ? getenv("ROS_PACKAGE_PATH") : NULL) ||
                 (!isAbsolute && tryFoldersAbove(&search, robot->folder));
  if (isFound && !isKnownFormat(search.found) && robot->options.ignoresMissing) {
    isFound = false;
  }
  if (!isFound) {
    noteMissing(robot, node, name, file, &search);
    return (crValue){ .kind = cr_valueNull };
  }
  crValue shape = crElementList_Typed(robot->list, "mesh");
  crElementList_Put(robot->list, &shape, "file", crMakeString(nameFrom(robot, search.found)));
  if (scale.x != 1.0 || scale.y != 1.0 || scale.z != 1.0) {
    bool isEven = scale.x == scale.y && scale.x == scale.z;
    crElementList_Put(robot->list, &shape, "scale",
                      isEven ? crMakeNumber(scale.x) : crElementList_Vec3(robot->list, scale));
  }
  return shape;
}
