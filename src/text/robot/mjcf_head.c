// The head of an MJCF file: included files, the compiler's options, classes of defaults, assets.
#include "base/read_file.h"
#include "text/path.h"
#include "text/read_options.h"
#include "text/robot/mjcf.h"

#include <stdio.h>
#include <string.h>

#define CR_MOST_LEVELS 1000  // elements in elements, with those of included files
#define CR_MOST_INCLUDES 200 // files that one file may include, all together

// ----------------------------------------------------------------------------------------- includes

static crXmlNode* readInclude(crMjcf* mjcf, const crXmlNode* node, const char* file, char path[CR_FILE_PATH_SIZE])
{
  crElementList* list = mjcf->robot->list;
  char folder[CR_FILE_PATH_SIZE];
  crXmlNode* root = NULL;
  size_t size;
  char* text;
  bool isAbsolute = file[0] == '/';
  snprintf(folder, sizeof folder, "%s", node->file);
  char* slash = strrchr(folder, '/');
  *(slash != NULL ? slash : folder) = '\0';
  const char* const folders[] = { isAbsolute ? "" : folder, isAbsolute || mjcf->folder == NULL ? "" : mjcf->folder };
  crErrorSink silence = { NULL, NULL };
  for (int i = 0; i < 2; ++i) { // beside the file that includes it, else beside the first one
    const crErrorSink* sink = i == 0 ? &silence : mjcf->robot->reporter.sink;
    if (snprintf(path, CR_FILE_PATH_SIZE, "%s%s%s", folders[i], folders[i][0] != '\0' ? "/" : "", file) >=
        CR_FILE_PATH_SIZE) {
      continue;
    }
    if (crReadFile(path, CR_MODEL_FILE_LIMIT, &list->arena.allocator, sink, &text, &size) == cr_ok) {
      crStatus status = crReadXml(text, size, path, &list->arena, mjcf->robot->reporter.sink, &root);
      crFree(&list->arena.allocator, text, size + 1);
      mjcf->robot->reporter.errorCount += status != cr_ok;
      return root;
    }
  }
  crRobot_Fail(mjcf->robot, node, NULL, "the included file '%.300s' cannot be read", file);
  return NULL;
}

// Children of the included root take the place of the <include>.
static crXmlNode* replaceInclude(crMjcf* mjcf, crXmlNode* parent, crXmlNode* before, crXmlNode* include)
{
  char path[CR_FILE_PATH_SIZE];
  const char* file = crXml_Get(include, "file");
  crXmlNode* root = NULL;
  crMjcf* outer = crMjcf_GetOuter(mjcf);
  if (file == NULL) {
    crRobot_Fail(mjcf->robot, include, NULL, "this <include> has no file");
  } else if (++outer->includeCount > CR_MOST_INCLUDES) {
    crRobot_Fail(mjcf->robot, include, NULL, "files include each other without end");
  } else {
    root = readInclude(mjcf, include, file, path);
  }
  crXmlNode* first = root != NULL && root->first != NULL ? root->first : include->next;
  for (crXmlNode* child = root != NULL ? root->first : NULL; child != NULL; child = child->next) {
    child->parent = parent;
  }
  if (root != NULL && root->first != NULL) {
    root->last->next = include->next;
    parent->last = parent->last == include ? root->last : parent->last;
  } else if (parent->last == include) {
    parent->last = before;
  }
  if (before != NULL) {
    before->next = first;
  } else {
    parent->first = first;
  }
  return first;
}

void crMjcf_Include(crMjcf* mjcf, crXmlNode* node, int depth)
{
  if (depth > CR_MOST_LEVELS) {
    crRobot_Fail(mjcf->robot, node, NULL, "elements of included files are nested too deep");
    return;
  }
  crXmlNode* before = NULL;
  for (crXmlNode* child = node->first; child != NULL && mjcf->robot->reporter.errorCount == 0;) {
    if (crXml_Is(child, "include")) {
      child = replaceInclude(mjcf, node, before, child); // which may begin with an <include> again
      continue;
    }
    crMjcf_Include(mjcf, child, depth + 1);
    before = child;
    child = child->next;
  }
}

// ------------------------------------------------------------------------------------------ compiler

static void readFlag(crMjcf* mjcf, const crXmlNode* node, const char* name, bool* outFlag)
{
  const char* value = crXml_Get(node, name);
  if (value == NULL) {
    return;
  }
  *outFlag = strcmp(value, "true") == 0;
  if (!*outFlag && strcmp(value, "false") != 0) {
    crRobot_Fail(mjcf->robot, node, NULL, "%s of <compiler> is neither true nor false", name);
  }
}

static void readSequence(crMjcf* mjcf, const crXmlNode* node)
{
  const char* sequence = crXml_Get(node, "eulerseq");
  if (sequence == NULL) {
    return;
  }
  if (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3) {
    crRobot_Fail(mjcf->robot, node, NULL, "eulerseq of <compiler> is no sequence of three axes");
    return;
  }
  memcpy(mjcf->eulerSequence, sequence, 4);
}

static void readCompiler(crMjcf* mjcf, const crXmlNode* node)
{
  crRobot* robot = mjcf->robot;
  const char *angle = crXml_Get(node, "angle"), *coordinate = crXml_Get(node, "coordinate"),
             *inertia = crXml_Get(node, "inertiafromgeom");
  if (angle != NULL) {
    mjcf->angle = strcmp(angle, "radian") == 0 ? 1.0 : CR_PI / 180.0;
  }
  if (coordinate != NULL && strcmp(coordinate, "local") != 0) {
    crRobot_Fail(robot, node, NULL, "coordinates that are not local are no longer part of the format");
  }
  if (inertia != NULL) {
    mjcf->inertiaFromGeom = inertia[0];
  }
  readSequence(mjcf, node);
  readFlag(mjcf, node, "autolimits", &mjcf->isAutoLimited);
  readFlag(mjcf, node, "balanceinertia", &mjcf->isBalanced);
  readFlag(mjcf, node, "exactmeshinertia", &mjcf->isExactMesh);
  readFlag(mjcf, node, "strippath", &mjcf->stripsPath);
  mjcf->boundMass = crRobot_ReadNumber(robot, node, "boundmass", mjcf->boundMass);
  mjcf->boundInertia = crRobot_ReadNumber(robot, node, "boundinertia", mjcf->boundInertia);
  mjcf->totalMass = crRobot_ReadNumber(robot, node, "settotalmass", mjcf->totalMass);
  crRobot_ReadNumbers(robot, node, "inertiagrouprange", 2, mjcf->inertiaGroups);
  mjcf->meshFolder = crXml_Get(node, "meshdir") != NULL ? crXml_Get(node, "meshdir") : mjcf->meshFolder;
  mjcf->assetFolder = crXml_Get(node, "assetdir") != NULL ? crXml_Get(node, "assetdir") : mjcf->assetFolder;
}

// ----------------------------------------------------------------------------------- classes, assets

static void addTo(crMjcf* mjcf, crMap* map, void* array, const char* key, const crXmlNode* node)
{
  struct {
    const crXmlNode** items;
    int count, capacity;
  }* nodes = array;
  const crXmlNode** place = crArray_Push(nodes, &mjcf->robot->list->arena.allocator);
  if (place == NULL) {
    mjcf->robot->list->isOutOfMemory = true;
    return;
  }
  *place = node;
  if (!crMap_SetString(map, key, nodes->count - 1)) {
    mjcf->robot->list->isOutOfMemory = true;
  }
}

// Classes in classes are listed by their names.
static void readClass(crMjcf* mjcf, const crXmlNode* node)
{
  const char* name = crXml_Get(node, "class");
  if (name == NULL) {
    crRobot_Fail(mjcf->robot, node, NULL, "this <default> has no class");
    return;
  }
  addTo(mjcf, &mjcf->classes, &mjcf->classNodes, name, node);
  for (const crXmlNode* child = node->first; child != NULL; child = child->next) {
    if (crXml_Is(child, "default")) {
      readClass(mjcf, child);
    }
  }
}

// The outermost one holds for all; where several files have one, what they say goes to the first.
static void readDefault(crMjcf* mjcf, crXmlNode* node)
{
  int known = crMap_FindString(&mjcf->classes, "main");
  crXmlNode* main = known >= 0 ? (crXmlNode*)mjcf->classNodes.items[known] : node;
  const char* name = crXml_Get(node, "class");
  if (known < 0) {
    addTo(mjcf, &mjcf->classes, &mjcf->classNodes, "main", node);
  }
  if (name != NULL && strcmp(name, "main") != 0) {
    addTo(mjcf, &mjcf->classes, &mjcf->classNodes, name, main);
  }
  for (crXmlNode *child = node->first, *next; child != NULL; child = next) {
    next = child->next;
    if (main != node) {
      crXml_Append(main, child);
    }
    if (crXml_Is(child, "default")) {
      readClass(mjcf, child);
    }
  }
  if (main != node) {
    node->first = node->last = NULL;
  }
}

// The name of a mesh that has none is that of its file, without folder and ending.
static const char* nameAsset(crMjcf* mjcf, const crXmlNode* node)
{
  const char* name = crXml_Get(node, "name");
  const char* file = crXml_Get(node, "file");
  if (name != NULL || file == NULL) {
    return name;
  }
  const char* slash = strrchr(file, '/');
  file = slash != NULL ? slash + 1 : file;
  const char* dot = strrchr(file, '.');
  return crElementList_Print(mjcf->robot->list, "%.*s", dot != NULL ? (int)(dot - file) : (int)strlen(file), file);
}

static void readAssets(crMjcf* mjcf, const crXmlNode* assets)
{
  for (const crXmlNode* node = assets->first; node != NULL; node = node->next) {
    const char* name = nameAsset(mjcf, node);
    if (name != NULL) {
      const char* key = crElementList_Print(mjcf->robot->list, "%s %s", node->name, name);
      addTo(mjcf, &mjcf->assets, &mjcf->assetNodes, key, node);
    }
  }
}

const crXmlNode* crMjcf_FindAsset(const crMjcf* mjcf, const char* kind, const char* name)
{
  const char* key = crElementList_Print(mjcf->robot->list, "%s %s", kind, name);
  int found = crMap_FindString(&mjcf->assets, key);
  return found >= 0 ? mjcf->assetNodes.items[found] : NULL;
}

static void readOption(crMjcf* mjcf, const crXmlNode* node)
{
  crRobot* robot = mjcf->robot;
  if (crXml_Get(node, "gravity") != NULL && mjcf->owner == NULL && robot->options.parent == NULL) {
    crVec3 gravity = crRobot_ReadVec3(robot, node, "gravity", (crVec3){ 0 });
    robot->list->options = crMakeTable();
    crElementList_Put(robot->list, &robot->list->options, "gravity", crElementList_Vec3(robot->list, gravity));
  }
  static const char* const fluids[] = { "density", "viscosity", "wind" };
  for (int i = 0; i < 3; ++i) {
    if (crXml_Get(node, fluids[i]) != NULL) {
      crRobot_Ignore(robot, "the medium of <option>");
    }
  }
}

// Included files may each have one.
static void mergeWorlds(crMjcf* mjcf, crXmlNode* node)
{
  crXmlNode* first = crXml_Find(mjcf->root, "worldbody");
  for (crXmlNode *child = node->first, *next; child != NULL && first != node; child = next) {
    next = child->next;
    crXml_Append(first, child);
  }
  if (first != node) {
    node->first = node->last = NULL;
  }
}

void crMjcf_ReadHead(crMjcf* mjcf)
{
  static const char* const known[] = { "compiler", "default",  "asset",     "option", "worldbody",
                                       "contact",  "equality", "actuator",  "sensor", "keyframe",
                                       "size",     "visual",   "statistic", "custom" };
  for (crXmlNode* node = mjcf->root->first; node != NULL; node = node->next) {
    if (crXml_Is(node, "compiler")) {
      readCompiler(mjcf, node);
    } else if (crXml_Is(node, "default")) {
      readDefault(mjcf, node);
    } else if (crXml_Is(node, "asset")) {
      readAssets(mjcf, node);
    } else if (crXml_Is(node, "option")) {
      readOption(mjcf, node);
    } else if (crXml_Is(node, "worldbody")) {
      mergeWorlds(mjcf, node);
    }
    size_t k = 0;
    while (k < sizeof known / sizeof *known && !crXml_Is(node, known[k])) {
      ++k;
    }
    if (k == sizeof known / sizeof *known) {
      char what[64];
      snprintf(what, sizeof what, "<%.60s>", node->name);
      crRobot_Ignore(mjcf->robot, what);
    }
  }
}

// -------------------------------------------------------------------------------------------- names

void crMjcf_Register(const crMjcf* mjcf, const char* kind, const char* name, const char* suffix, int number)
{
  crMjcf* outer = crMjcf_GetOuter(mjcf);
  const char* key = crElementList_Print(mjcf->robot->list, "%s %s%s%s", kind, mjcf->prefix, name, suffix);
  if (!crMap_SetString(&outer->names, key, number)) {
    mjcf->robot->list->isOutOfMemory = true;
  }
}

int crMjcf_Find(const crMjcf* mjcf, const char* kind, const char* name)
{
  const char* key = crElementList_Print(mjcf->robot->list, "%s %s%s", kind, mjcf->prefix, name);
  return crMap_FindString(&crMjcf_GetOuter(mjcf)->names, key);
}
