// Robots as models of their own: a file becomes a list of elements, and the list a scene.
#include "base/platform.h"
#include "base/report.h"
#include "scene/scene.h"
#include "text/read_options.h"
#include "text/robot/robot_options.h"

#include <stdio.h>
#include <string.h>

static crStatus reportMemory(const crErrorSink* sink, const char* file)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ file, 0, 0 }, NULL);
  crComplaint complaint = { .message = "out of memory" };
  crReport(&reporter, cr_severityError, cr_errorMemory, &complaint);
  return cr_errorMemory;
}

static void readRoot(crRobot* robot, crXmlNode* root)
{
  if (crXml_Is(root, "robot")) {
    crReadUrdf(robot, root);
  } else if (crXml_Is(root, "mujoco")) {
    crReadMjcf(robot, root);
  } else {
    crComplaint complaint = { .message = "this is no robot that can be read",
                              .found = root->name,
                              .allowed = "<robot> for URDF, <mujoco> for MJCF" };
    crRobot_Complain(robot, root, NULL, &complaint);
  }
}

static crStatus listRobot(const char* text, size_t size, const char* file, const char* folder,
                          const crRobotOptions* options, crElementReader* shapeReader, const crErrorSink* sink,
                          crElementList* list)
{
  crXmlNode* root;
  crStatus status = crReadXml(text, size, file, &list->arena, sink, &root);
  if (status == cr_ok) {
    crRobot robot;
    crRobot_Init(&robot, options, crElementList_Print(list, "%s", file), folder, shapeReader, sink, list);
    readRoot(&robot, root);
    if (robot.reporter.errorCount == 0 && !list->isOutOfMemory) {
      crRobot_WeldMassless(&robot);
      crRobot_List(&robot);
    }
    status = robot.reporter.errorCount > 0 ? cr_errorModel : cr_ok;
    crRobot_Free(&robot);
  }
  return list->isOutOfMemory && status != cr_errorMemory ? reportMemory(sink, file) : status;
}

crStatus crListRobot(const char* text, size_t size, const char* file, const char* folder, const crRobotOptions* options,
                     crElementReader* shapeReader, const crErrorSink* sink, crElementList* list)
{
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // for numbers
  locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
  crStatus status = listRobot(text, size, file, folder, options, shapeReader, sink, list);
  if (plain != (locale_t)0) {
    uselocale(before);
    freelocale(plain);
  }
  return status;
}

crStatus crReadRobotList(const char* text, size_t size, const char* name, const char* folder,
                         const crReadOptions* options, crElementReader* shapeReader, const crErrorSink* sink,
                         crElementList* list)
{
  crRobotOptions robotOptions = crDefaultRobotOptions();
  crReporter reporter = crMakeReporter(sink, (crSource){ name, 0, 0 }, NULL);
  robotOptions.folder = folder;
  if (!crRobotOptions_ReadSettings(&robotOptions, options->settings, options->settingCount, &list->arena, &reporter)) {
    return reportMemory(sink, name);
  }
  if (reporter.errorCount > 0) {
    return cr_errorModel;
  }
  return crListRobot(text, size, name, folder, &robotOptions, shapeReader, sink, list);
}

// Everything between making the scene and deciding what to do with it.
static crStatus readInto(crScene* scene, const char* text, size_t size, const char* name, const char* folder,
                         const crReadOptions* options, const crAllocator* allocator, const crErrorSink* sink)
{
  crElementReader reader;
  crElementList list;
  crElementReader_Init(&reader, scene, sink, folder, options->fileLimit, allocator);
  crElementReader_Use(&reader, options);
  reader.readsAnywhere = true;
  crElementList_Init(&list, allocator);
  crStatus status = crElementReader_SetFile(&reader, name);
  if (status == cr_ok) {
    status = crReadRobotList(text, size, name, folder, options, &reader, sink, &list);
  }
  if (status == cr_ok && list.options.kind == cr_valueTable) {
    status = crElementReader_SetOptions(&reader, &list.options, (crSource){ name, 0, 0 });
  }
  if (status == cr_ok) {
    status = crElementList_AddTo(&list, &reader);
  }
  crElementList_Free(&list);
  crElementReader_Free(&reader);
  return status;
}

static bool hasNames(const crReadOptions* options)
{
  bool isGood = true;
  for (int i = 0; isGood && i < options->settingCount; ++i) {
    isGood = options->settings[i].name != NULL && options->settings[i].value != NULL;
  }
  return isGood;
}

crStatus crReadRobot(const char* text, size_t size, const char* name, const char* folder, const crReadOptions* options,
                     const crAllocator* allocator, const crErrorSink* sink, crScene** outScene)
{
  if (outScene == NULL || (text == NULL && size > 0)) {
    return cr_errorMisuse;
  }
  *outScene = NULL;
  crReadOptions chosen;
  if (crChooseReadOptions(options, sink, &chosen) != cr_ok || !hasNames(&chosen)) {
    return cr_errorMisuse;
  }
  crAllocator own = crChooseAllocator(allocator);
  crScene* scene = NULL;
  crStatus status = crCreateScene(&own, sink, &scene);
  if (status != cr_ok) {
    return reportMemory(sink, name);
  }
  name = name != NULL ? name : "robot";
  status = readInto(scene, text != NULL ? text : "", size, name, folder, &chosen, &own, sink);
  if (status != cr_ok && status != cr_errorModel) {
    crDestroyScene(scene);
    return status;
  }
  if (status == cr_errorModel && crScene_CountErrors(scene) == 0) { // nothing of it is in the scene
    crDestroyScene(scene);
    return status;
  }
  *outScene = scene;
  return status;
}
