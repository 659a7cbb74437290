// Robots: names, bodies, joints and shapes as a reader adds them, and messages with the place in its file.
#include "text/robot/robot.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void crRobot_Init(crRobot* robot, const crRobotOptions* options, const char* file, const char* folder,
                  crElementReader* shapeReader, const crErrorSink* sink, crElementList* list)
{
  memset(robot, 0, sizeof *robot);
  robot->list = list;
  robot->shapeReader = shapeReader;
  robot->options = *options;
  robot->reporter = crMakeReporter(sink, (crSource){ file, 0, 0 }, NULL);
  robot->folder = folder;
  crMap_Init(&robot->names, &list->arena.allocator);
}

void crRobot_Free(crRobot* robot)
{
  const crAllocator* allocator = &robot->list->arena.allocator;
  crMap_Free(&robot->names);
  crArray_Free(&robot->bodies, allocator);
  crArray_Free(&robot->joints, allocator);
  crArray_Free(&robot->shapes, allocator);
  crArray_Free(&robot->pairs, allocator);
  crArray_Free(&robot->apart, allocator);
  crArray_Free(&robot->materials, allocator);
  crArray_Free(&robot->couplings, allocator);
  crArray_Free(&robot->later, allocator);
  crArray_Free(&robot->missing, allocator);
  crArray_Free(&robot->ignored, allocator);
}

// -------------------------------------------------------------------------------------------- names

// A name may hold anything but dots, control characters and outer blanks.
static const char* cleanName(crRobot* robot, const char* wanted)
{
  char name[CR_MAX_NAME - 16]; // room for what makes it single
  snprintf(name, sizeof name, "%s", wanted);
  size_t length = strlen(name);
  while (length > 0 && ((unsigned char)name[length - 1] & 0xC0) == 0x80 && !crIsUtf8(name, length)) {
    name[--length] = '\0'; // a letter that was cut in the middle
  }
  crCleanText(name);
  for (char* c = name; *c != '\0'; ++c) {
    *c = *c == '.' || *c == '\n' || *c == '\t' ? '_' : *c;
  }
  length = strlen(name);
  if (length > 0 && name[0] == ' ') {
    name[0] = '_';
  }
  if (length > 0 && name[length - 1] == ' ') {
    name[length - 1] = '_';
  }
  return crElementList_Print(robot->list, "%s", length > 0 ? name : "unnamed");
}

const char* crRobot_TakeName(crRobot* robot, const char* wanted, const char* suffix)
{
  const char* base = cleanName(robot, wanted);
  const char* name = base;
  for (int n = 1; crMap_FindString(&robot->names, name) >= 0 && !robot->list->isOutOfMemory; ++n) {
    name = n == 1 ? crElementList_Print(robot->list, "%s_%s", base, suffix)
                  : crElementList_Print(robot->list, "%s_%s%d", base, suffix, n);
  }
  if (!crMap_SetString(&robot->names, name, 0)) {
    robot->list->isOutOfMemory = true;
  }
  return name;
}

const char* crRobot_GetPath(crRobot* robot, const char* name)
{
  return robot->options.prefix[0] == '\0' ? name
                                          : crElementList_Print(robot->list, "%s%s", robot->options.prefix, name);
}

// -------------------------------------------------------------------------------------------- parts

crRobotBody* crRobot_AddBody(crRobot* robot, const char* name, int parent, crSource source)
{
  crRobotBody* body = crArray_Push(&robot->bodies, &robot->list->arena.allocator);
  if (body == NULL) {
    robot->list->isOutOfMemory = true;
    return NULL;
  }
  *body = (crRobotBody){ .name = name, .source = source, .parent = parent, .place.q = crIdentityQuat() };
  return body;
}

crRobotJoint* crRobot_AddJoint(crRobot* robot, const char* name, int body, crJointKind kind, crSource source)
{
  crRobotJoint* joint = crArray_Push(&robot->joints, &robot->list->arena.allocator);
  if (joint == NULL) {
    robot->list->isOutOfMemory = true;
    return NULL;
  }
  *joint = (crRobotJoint){ .name = name, .source = source, .body = body, .kind = kind };
  crRobotBody* owner = &robot->bodies.items[body];
  owner->jointStart = owner->jointCount++ == 0 ? robot->joints.count - 1 : owner->jointStart;
  return joint;
}

crRobotShape* crRobot_AddShape(crRobot* robot, const char* name, int body, crSource source)
{
  crRobotShape* shape = crArray_Push(&robot->shapes, &robot->list->arena.allocator);
  if (shape == NULL) {
    robot->list->isOutOfMemory = true;
    return NULL;
  }
  *shape = (crRobotShape){ .name = name, .source = source, .body = body, .place.q = crIdentityQuat(), .pairStart = -1 };
  crRobotBody* owner = &robot->bodies.items[body];
  owner->shapeStart = owner->shapeCount++ == 0 ? robot->shapes.count - 1 : owner->shapeStart;
  return shape;
}

void crRobot_Couple(crRobot* robot, const char* name, int joint, int other, double factor, double offset,
                    crSource source)
{
  crRobotCoupling* place = crArray_Push(&robot->couplings, &robot->list->arena.allocator);
  if (place == NULL) {
    robot->list->isOutOfMemory = true;
    return;
  }
  *place = (crRobotCoupling){ name, source, joint, other, factor, offset };
  double start = other >= 0 ? robot->joints.items[other].start[0] : 0.0;
  robot->joints.items[joint].start[0] = offset + factor * start;
}

void crRobot_AddLater(crRobot* robot, crElementKind kind, crValue value, crSource source)
{
  crListedElement* place = crArray_Push(&robot->later, &robot->list->arena.allocator);
  if (place == NULL) {
    robot->list->isOutOfMemory = true;
    return;
  }
  *place = (crListedElement){ .kind = kind, .value = value, .source = source };
}

const char* crRobot_FormatColor(crRobot* robot, const double rgba[4])
{
  int bytes[4];
  for (int i = 0; i < 4; ++i) {
    double part = rgba[i] > 0.0 ? (rgba[i] < 1.0 ? rgba[i] : 1.0) : 0.0; // NaN is 0
    bytes[i] = (int)(255.0 * part + 0.5);
  }
  return bytes[3] == 255
             ? crElementList_Print(robot->list, "#%02x%02x%02x", bytes[0], bytes[1], bytes[2])
             : crElementList_Print(robot->list, "#%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]);
}

// ----------------------------------------------------------------------------------------- messages

crSource crXml_GetSource(const crXmlNode* node)
{
  return (crSource){ node->file, node->line, 0 };
}

static void report(crRobot* robot, const crXmlNode* node, const char* name, crSeverity severity,
                   const crComplaint* complaint)
{
  crReporter reporter = robot->reporter;
  if (node != NULL) {
    reporter.source = crXml_GetSource(node);
  }
  reporter.path = name;
  crReport(&reporter, severity, severity == cr_severityError ? cr_errorModel : cr_ok, complaint);
  robot->reporter.errorCount = reporter.errorCount;
  robot->reporter.warningCount = reporter.warningCount;
}

void crRobot_Complain(crRobot* robot, const crXmlNode* node, const char* name, const crComplaint* complaint)
{
  report(robot, node, name, cr_severityError, complaint);
}

void crRobot_Fail(crRobot* robot, const crXmlNode* node, const char* name, const char* format, ...)
{
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  crComplaint complaint = { .message = message };
  report(robot, node, name, cr_severityError, &complaint);
}

void crRobot_Warn(crRobot* robot, const crXmlNode* node, const char* name, const char* format, ...)
{
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  crComplaint complaint = { .message = message };
  report(robot, node, name, cr_severityWarning, &complaint);
}

void crRobot_Ignore(crRobot* robot, const char* what)
{
  for (int i = 0; i < robot->ignored.count; ++i) {
    if (strcmp(robot->ignored.items[i], what) == 0) {
      return;
    }
  }
  const char** place = crArray_Push(&robot->ignored, &robot->list->arena.allocator);
  if (place == NULL) {
    robot->list->isOutOfMemory = true;
  } else {
    *place = crElementList_Print(robot->list, "%s", what);
  }
}

// ------------------------------------------------------------------------------------------ numbers

bool crRobot_ReadNumbers(crRobot* robot, const crXmlNode* node, const char* attribute, int count, double* numbers)
{
  const char* text = node != NULL ? crXml_Get(node, attribute) : NULL;
  if (text == NULL) {
    return true;
  }
  double read[16];
  if (crSplitNumbers(text, 16, read) == count) {
    memcpy(numbers, read, (size_t)count * sizeof *numbers);
    return true;
  }
  char message[160], found[96], allowed[32];
  snprintf(message, sizeof message, "%s of <%s> cannot be read", attribute, node->name);
  crShowText(text, strlen(text), found, sizeof found);
  snprintf(allowed, sizeof allowed, count == 1 ? "a number" : "%d numbers", count);
  bool isTemplate = strstr(text, "${") != NULL || strstr(text, "$(") != NULL;
  crComplaint complaint = { .message = message,
                            .found = found,
                            .allowed = allowed,
                            .hint = isTemplate ? "this is a template: let xacro make the robot of it first" : NULL };
  crRobot_Complain(robot, node, NULL, &complaint);
  return false;
}

double crRobot_ReadNumber(crRobot* robot, const crXmlNode* node, const char* attribute, double otherwise)
{
  double number = otherwise;
  crRobot_ReadNumbers(robot, node, attribute, 1, &number);
  return number;
}

crVec3 crRobot_ReadVec3(crRobot* robot, const crXmlNode* node, const char* attribute, crVec3 otherwise)
{
  double n[3] = { otherwise.x, otherwise.y, otherwise.z };
  crRobot_ReadNumbers(robot, node, attribute, 3, n);
  return crMakeVec3(n[0], n[1], n[2]);
}
