// carom info for results: how the run ended, and what was recorded.
#include "result.h"
#include "text/json_value.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define CR_SHOWN_VARIABLES 60 // without --all
#define CR_SHOWN_CONTACTS 12  // likewise
#define CR_NAME_WIDTH 36
#define CR_UNIT_WIDTH 12

static const char* describeEnd(crResultFacts facts)
{
  if (strcmp(facts.exitReason, "running") == 0) {
    return "still running, or killed";
  }
  return facts.isComplete ? "complete" : facts.exitReason;
}

// ------------------------------------------------------------------------------------------- tables

static void printPadded(const char* text, int width)
{
  int columns = 0; // UTF-8: all bytes but those that go on
  for (const char* c = text; *c != '\0'; ++c) {
    columns += ((unsigned char)*c & 0xc0) != 0x80;
  }
  crPrintName(stdout, text);
  printf("%*s", columns < width ? width - columns : width > 0, "");
}

// What was noted in the result, and the contact events that the summary of its run has told.
static int countEvents(const crResult* result)
{
  const char* text = crResult_GetFacts(result).runJson;
  json_error_t error;
  json_t* run = text != NULL ? crLoadJson(text, strlen(text), 0, &error) : NULL;
  json_t* told = json_object_get(json_object_get(run, "contacts"), "events");
  int count = crResult_CountEvents(result) + (json_is_integer(told) ? (int)json_integer_value(told) : 0);
  json_decref(run);
  return count;
}

static void printFacts(const char* path, const crResult* result)
{
  crResultFacts facts = crResult_GetFacts(result);
  int rows = crResult_CountRows(result), columns = crResult_CountColumns(result);
  int events = countEvents(result);
  printf("%s", crStyleOn(stdout, cr_styleBold));
  crPrintName(stdout, path);
  printf("%s\n  model ", crStyleOff(stdout));
  crPrintName(stdout, facts.modelName);
  printf(", written by Carom ");
  crPrintName(stdout, facts.version);
  printf("\n  run: ");
  crPrintName(stdout, describeEnd(facts));
  printf("\n  %d row%s of %d variable%s\n", rows, rows == 1 ? "" : "s", columns, columns == 1 ? "" : "s");
  int bodies = crResult_CountBodies(result), contacts = crResult_CountContacts(result);
  if (bodies > 0 || contacts > 0 || events > 0) {
    printf("  poses of %d bod%s, %d contact%s, %d event%s\n", bodies, bodies == 1 ? "y" : "ies", contacts,
           contacts == 1 ? "" : "s", events, events == 1 ? "" : "s");
  }
  if (rows > 0) {
    printf("  time %.9g s to %.9g s\n", crResult_GetTimes(result)[0], crResult_GetTimes(result)[rows - 1]);
  }
}

// What touches at the last row.
static void printContacts(const crResult* result, bool isAll)
{
  int count;
  const crContactRecord* samples = crResult_GetContactSamples(result, crResult_CountRows(result) - 1, &count);
  int shown = isAll || count <= CR_SHOWN_CONTACTS ? count : CR_SHOWN_CONTACTS;
  if (count == 0) {
    return;
  }
  printf("\n%sContacts at the end%s\n", crStyleOn(stdout, cr_styleBold), crStyleOff(stdout));
  printf("  %-*s%12s%12s%12s%14s%14s\n", CR_NAME_WIDTH, "objects", "force [N]", "depth [m]", "area [m2]", "mean [N/m2]",
         "max [N/m2]");
  for (int i = 0; i < shown; ++i) {
    const crContactRecord* s = &samples[i];
    char names[2 * CR_MAX_PATH + 8];
    snprintf(names, sizeof names, "%s, %s", crResult_GetObjectPath(result, s->objectA),
             crResult_GetObjectPath(result, s->objectB));
    printf("  ");
    printPadded(names, CR_NAME_WIDTH);
    printf("%12.5g%12.4g", crLength(s->force), s->depth);
    if (!isnan(s->area)) {
      printf("%12.4g%14.5g%14.5g", s->area, s->meanPressure, s->maxPressure);
    }
    printf("\n");
  }
  if (shown < count) {
    printf("  ... and %d more; --all shows them\n", count - shown);
  }
}

static void printVariables(const crResult* result, bool isAll)
{
  int count = crResult_CountColumns(result);
  int shown = isAll || count <= CR_SHOWN_VARIABLES ? count : CR_SHOWN_VARIABLES;
  if (count == 0) {
    return;
  }
  printf("\n%sVariables%s\n", crStyleOn(stdout, cr_styleBold), crStyleOff(stdout));
  printf("  %-*s%-*s%s\n", CR_NAME_WIDTH, "name", CR_UNIT_WIDTH, "unit", "meaning");
  for (int i = 0; i < shown; ++i) {
    const crColumn* column = crResult_GetColumn(result, i);
    printf("  ");
    printPadded(column->name, CR_NAME_WIDTH);
    printPadded(column->unit, column->description[0] != '\0' ? CR_UNIT_WIDTH : 0);
    crPrintName(stdout, column->description);
    printf("\n");
  }
  if (shown < count) {
    printf("  ... and %d more; --all shows them\n", count - shown);
  }
}

// --------------------------------------------------------------------------------------------- JSON

static json_t* describeVariables(const crResult* result)
{
  json_t* list = json_array();
  for (int i = 0; i < crResult_CountColumns(result); ++i) {
    const crColumn* column = crResult_GetColumn(result, i);
    json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", column->name, "unit", column->unit, "description",
                                          column->description));
  }
  return list;
}

static json_t* describeEvents(const crResult* result)
{
  json_t* list = json_array();
  for (int i = 0; i < crResult_CountEvents(result); ++i) {
    const crResultEvent* event = crResult_GetEvent(result, i);
    json_array_append_new(list,
                          json_pack("{s:f, s:s, s:s}", "time", event->time, "kind", event->kind, "text", event->text));
  }
  return list;
}

static json_t* describeRun(crResultFacts facts)
{
  json_error_t error;
  json_t* run =
      facts.runJson != NULL ? crLoadJson(facts.runJson, strlen(facts.runJson), JSON_DECODE_ANY, &error) : NULL;
  return run != NULL ? run : json_null();
}

static int printJson(const crResult* result)
{
  crResultFacts facts = crResult_GetFacts(result);
  int rows = crResult_CountRows(result);
  json_t* start = rows > 0 ? json_real(crResult_GetTimes(result)[0]) : json_null();
  json_t* end = rows > 0 ? json_real(crResult_GetTimes(result)[rows - 1]) : json_null();
  json_t* root =
      json_pack("{s:s, s:s, s:s, s:b, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "model", facts.modelName,
                "version", facts.version, "exit", facts.exitReason, "isComplete", facts.isComplete, "rows", rows,
                "columns", crResult_CountColumns(result), "bodies", crResult_CountBodies(result), "contacts",
                crResult_CountContacts(result), "startTime", start, "endTime", end, "run", describeRun(facts), "events",
                describeEvents(result), "variables", describeVariables(result));
  if (root == NULL) {
    fputs("carom: out of memory\n", stderr);
    return CR_EXIT_MODEL;
  }
  json_dumpf(root, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(root);
  return CR_EXIT_OK;
}

int crShowResult(const char* path, bool isJson, bool isAll)
{
  crResult* result = crLoadResult(path);
  int code = result != NULL ? CR_EXIT_OK : CR_EXIT_MODEL;
  if (result != NULL && isJson) {
    code = printJson(result);
  } else if (result != NULL) {
    printFacts(path, result);
    printContacts(result, isAll);
    printVariables(result, isAll);
  }
  crDestroyResult(result);
  return code;
}
