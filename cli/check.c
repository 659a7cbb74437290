// carom check: everything that is wrong or odd with a model.
#include "cli.h"
#include "info.h"
#include "watch.h"

#include <jansson.h>
#include <stdlib.h>

#define CR_SHOWN_EXCLUSIONS 100 // joints and pairs listed without --all

static void printExclusions(const crModel* model, bool isAll)
{
  int count = crModel_CountExcludedBodies(model), shown = 0, hidden = 0;
  for (int i = 0; i < count; ++i) {
    const crExcludedBodies* pair = crModel_GetExcludedBodies(model, i);
    if (pair->reason != cr_excludedByJoint) {
      continue;
    }
    if (!isAll && shown == CR_SHOWN_EXCLUSIONS) {
      ++hidden;
      continue;
    }
    if (shown++ == 0) {
      printf("Pairs that do not collide because a joint connects them (canCollide = true changes that):\n");
    }
    printf("  ");
    crPrintName(stdout, crModel_GetBodyPath(model, pair->bodyA));
    printf(" - ");
    crPrintName(stdout, crModel_GetBodyPath(model, pair->bodyB));
    printf("  by joint ");
    crPrintName(stdout, crModel_GetJointPath(model, pair->joint));
    printf("\n");
  }
  if (hidden > 0) {
    printf("  ... and %d more; --all shows them\n", hidden);
  }
}

// Shapes of the world and of what is jointed to it.
static void printExcludedShapes(const crModel* model, bool isAll)
{
  int count = crModel_CountExcludedShapes(model);
  for (int i = 0; i < count && (isAll || i < CR_SHOWN_EXCLUSIONS); ++i) {
    const crExcludedShapes* pair = crModel_GetExcludedShapes(model, i);
    if (i == 0) {
      printf("Shapes that do not collide because they touch at a joint to the world (canCollide changes that):\n");
    }
    printf("  ");
    crPrintName(stdout, crModel_GetObjectPath(model, crModel_GetContactShape(model, pair->shapeA)->object));
    printf(" - ");
    crPrintName(stdout, crModel_GetObjectPath(model, crModel_GetContactShape(model, pair->shapeB)->object));
    printf("  by joint ");
    crPrintName(stdout, crModel_GetJointPath(model, pair->joint));
    printf("\n");
  }
  if (!isAll && count > CR_SHOWN_EXCLUSIONS) {
    printf("  ... and %d more; --all shows them\n", count - CR_SHOWN_EXCLUSIONS);
  }
}

static json_t* textOrNull(const char* text)
{
  json_t* string = text != NULL ? json_string(text) : NULL;
  return string != NULL ? string : json_null();
}

static json_t* describeError(const crError* error)
{
  static const char* const severities[] = { "note", "warning", "error" };
  return json_pack("{s:s, s:s, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "severity", severities[error->severity],
                   "status", crStatus_GetText(error->status), "file", textOrNull(error->source.file), "line",
                   error->source.line, "column", error->source.column, "path", textOrNull(error->path), "message",
                   textOrNull(error->message), "found", textOrNull(error->found), "allowed", textOrNull(error->allowed),
                   "unit", textOrNull(error->unit), "hint", textOrNull(error->hint));
}

static json_t* describeExclusions(const crModel* model)
{
  json_t* list = json_array();
  for (int i = 0; model != NULL && i < crModel_CountExcludedBodies(model); ++i) {
    const crExcludedBodies* pair = crModel_GetExcludedBodies(model, i);
    if (pair->reason == cr_excludedByJoint) {
      crAppend(&list,
               json_pack("{s:s, s:s, s:s}", "bodyA", crModel_GetBodyPath(model, pair->bodyA), "bodyB",
                         crModel_GetBodyPath(model, pair->bodyB), "joint", crModel_GetJointPath(model, pair->joint)));
    }
  }
  return list;
}

static json_t* describeExcludedShapes(const crModel* model)
{
  json_t* list = json_array();
  for (int i = 0; i < crModel_CountExcludedShapes(model); ++i) {
    const crExcludedShapes* pair = crModel_GetExcludedShapes(model, i);
    crAppend(&list,
             json_pack("{s:s, s:s, s:s}", "objectA",
                       crModel_GetObjectPath(model, crModel_GetContactShape(model, pair->shapeA)->object), "objectB",
                       crModel_GetObjectPath(model, crModel_GetContactShape(model, pair->shapeB)->object), "joint",
                       crModel_GetJointPath(model, pair->joint)));
  }
  return list;
}

static bool printJson(const crLoaded* loaded, bool isGood)
{
  json_t* messages = json_array();
  for (int i = 0; i < crErrorLog_Count(loaded->log); ++i) {
    crAppend(&messages, describeError(crErrorLog_Get(loaded->log, i)));
  }
  json_t* root = json_pack("{s:b, s:i, s:i, s:o, s:o, s:o}", "ok", isGood, "errors",
                           crErrorLog_CountOf(loaded->log, cr_severityError), "warnings",
                           crErrorLog_CountOf(loaded->log, cr_severityWarning), "messages", messages, "excludedByJoint",
                           describeExclusions(loaded->model), "excludedShapes", describeExcludedShapes(loaded->model));
  if (root == NULL) {
    fputs("carom: out of memory\n", stderr);
    return false;
  }
  json_dumpf(root, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(root);
  return true;
}

// Reads the model and shows what is wrong with it. Returns the exit code.
static int checkOnce(const crModelArguments* arguments)
{
  crLoaded loaded;
  crLoad(arguments, &loaded);
  int overlaps = 0;
  bool isGood = loaded.model != NULL, isShown = true;
  if (isGood) {
    crStatus status = crCheckStart(loaded.model, NULL, &loaded.sink, &overlaps);
    isGood = status == cr_ok;
    if (status == cr_errorMemory) {
      fputs("carom: out of memory\n", stderr);
    }
  }
  if (arguments->isJson) {
    isShown = printJson(&loaded, isGood);
  } else {
    crPrintLog(loaded.log, cr_severityNote);
    if (loaded.model != NULL) {
      printExclusions(loaded.model, arguments->isAll);
      printExcludedShapes(loaded.model, arguments->isAll);
    }
    int errors = crErrorLog_CountOf(loaded.log, cr_severityError);
    int warnings = crErrorLog_CountOf(loaded.log, cr_severityWarning);
    crPrintName(stdout, arguments->files[0]);
    printf(": %s, %d error%s, %d warning%s\n", isGood ? "ok" : "not ok", errors, errors == 1 ? "" : "s", warnings,
           warnings == 1 ? "" : "s");
  }
  crUnload(&loaded);
  return isGood && isShown ? CR_EXIT_OK : CR_EXIT_MODEL;
}

// Checks again whenever a file of the model has changed, until Ctrl-C.
static int checkForEver(const crModelArguments* arguments)
{
  crWatch watch = { 0 };
  int code;
  do {
    crWatch_Begin(&watch, arguments->files[0]);
    code = checkOnce(arguments);
    (void)fflush(stdout); // whoever reads along wants it now; main looks for errors
  } while (crWatch_Wait(&watch));
  crWatch_Free(&watch);
  return code;
}

static int run(int argc, char** argv)
{
  crModelArguments arguments;
  int code;
  crAccepted accepted = { .fileCount = 1, .json = true, .all = true, .watch = true };
  if (!crParseArguments(&crCheckVerb, accepted, argc, argv, &arguments, &code)) {
    return code;
  }
  code = arguments.isWatched ? checkForEver(&arguments) : checkOnce(&arguments);
  crFreeArguments(&arguments);
  return code;
}

const crVerb crCheckVerb = {
  .name = "check",
  .summary = "find everything that is wrong or odd with a model",
  .help = "usage: carom check MODEL [options]\n"
          "\n"
          "Reads and compiles a model and reports its errors and warnings together, shapes that\n"
          "overlap at the start among them, and lists the pairs of bodies that do not collide\n"
          "because a joint connects them, and of shapes that do not because they touch at a joint to\n"
          "the world.\n"
          "\n"
          "  --set NAME=VALUE   override a parameter of the model (repeatable)\n"
          "  --allow-path DIR   a folder outside its own that the model may read files from\n"
          "  --allow-fmu        let FMUs that the model names be tried: code of others, with your rights\n"
          "  --mesh-path DIR    of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing   of robots: do without meshes that are not found\n"
          "  --all              list all excluded pairs, however many\n"
          "  --json             print the messages as JSON\n"
          "  --watch            check again whenever the model changes, or a file that it includes or\n"
          "                     reads, until Ctrl-C\n"
          "\n"
          "Exit codes: 0 the model is fine (warnings do not count), 1 it has errors, 2 wrong usage.\n"
          "\n"
          "example: carom check examples/billiards.lua --set speed=2\n",
  .run = run,
};
