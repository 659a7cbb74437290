#include "sweep/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_MAX_SAMPLES 1000000 // of a series

// ------------------------------------------------------------------------------------------ reading

static const char knownOutputs[] =
    "last(v), max(v), min(v), mean(v), series(v, n), count(contacts), count(contacts a b), "
    "count(events), count(steps), time(first contact a b), time(last contact a b), "
    "time(end)";

static crStatus complain(crReporter* reporter, const char* message, const char* found, const char* allowed)
{
  crComplaint complaint = { .message = message, .found = found, .allowed = allowed };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

// Takes a word from the front of a text; false: another one stands there.
static bool takeWord(const char** text, const char* word)
{
  size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0 || ((*text)[length] != '\0' && (*text)[length] != ' ')) {
    return false;
  }
  *text += length;
  *text += strspn(*text, " ");
  return true;
}

// No object, or two with a blank between.
static bool readObjects(crOutput* output, const char* text, crArena* arena, bool* outIsMemory)
{
  if (text[0] == '\0') {
    return true;
  }
  char* copy = crArena_CopyString(arena, text);
  *outIsMemory = copy == NULL;
  char* blank = copy != NULL ? strchr(copy, ' ') : NULL;
  if (blank == NULL) {
    return false;
  }
  *blank = '\0';
  output->objectA = copy;
  output->objectB = blank + 1 + strspn(blank + 1, " ");
  return strchr(output->objectB, ' ') == NULL && output->objectB[0] != '\0';
}

static bool readSubject(crOutput* output, const char* text, crArena* arena, bool* outIsMemory)
{
  if (output->kind == cr_outputCount) {
    output->subject = strcmp(text, "events") == 0  ? cr_subjectEvents
                      : strcmp(text, "steps") == 0 ? cr_subjectSteps
                                                   : cr_subjectContacts;
    return output->subject != cr_subjectContacts ||
           (takeWord(&text, "contacts") && readObjects(output, text, arena, outIsMemory));
  }
  if (strcmp(text, "end") == 0) {
    output->subject = cr_subjectEnd;
    return true;
  }
  bool isFirst = takeWord(&text, "first");
  output->subject = isFirst ? cr_subjectFirstContact : cr_subjectLastContact;
  return (isFirst || takeWord(&text, "last")) && takeWord(&text, "contact") &&
         readObjects(output, text, arena, outIsMemory);
}

crStatus crReadOutput(crOutput* output, const char* text, crArena* arena, crReporter* reporter)
{
  static const char* const words[] = { "last", "max", "min", "mean", "series", "count", "time" };
  *output = (crOutput){ .samples = 1 };
  crCall call;
  bool isMalformed, isMemory = false;
  if (!crParseCall(arena, text, &call, &isMalformed)) {
    return isMalformed ? complain(reporter, "a bracket is not closed", text, knownOutputs) : cr_errorMemory;
  }
  int kind = 0, count = (int)(sizeof words / sizeof *words);
  while (kind < count && strcmp(words[kind], call.word) != 0) {
    ++kind;
  }
  output->kind = (crOutputKind)kind;
  bool isSeries = kind == cr_outputSeries;
  if (kind == count || call.count != (isSeries ? 2 : 1) || call.arguments[0][0] == '\0') {
    return complain(reporter, "there is no such output", text, knownOutputs);
  }
  if (kind >= cr_outputCount) {
    bool isRight = readSubject(output, call.arguments[0], arena, &isMemory);
    return isRight    ? cr_ok
           : isMemory ? cr_errorMemory
                      : complain(reporter, "there is no such output", text, knownOutputs);
  }
  double samples = 1.0;
  output->variable = call.arguments[0];
  if (isSeries && (!crParseNumber(call.arguments[1], &samples) || samples != floor(samples) || samples < 2.0 ||
                   samples > CR_MAX_SAMPLES)) {
    return complain(reporter, "a series has a number of values", text, "2 to 1000000");
  }
  output->samples = (int)samples;
  return cr_ok;
}

int crOutput_CountColumns(const crOutput* output)
{
  return output->subject == cr_subjectVariable ? output->variableCount * output->samples : 1;
}

// ------------------------------------------------------------------------------------------ finding

static bool addVariable(crOutput* output, const crModel* model, const char* end, crArena* arena)
{
  char* name = crArena_Allocate(arena, strlen(output->variable) + strlen(end) + 1);
  if (name == NULL) {
    return false;
  }
  sprintf(name, "%s%s", output->variable, end);
  if (crModel_FindVariable(model, name) >= 0) {
    output->variables[output->variableCount++] = name;
  }
  return true;
}

// The variable of this name, or else the components of a vector.
static crStatus findVariables(crOutput* output, const crModel* model, crArena* arena)
{
  static const char* const ends[] = { ".w", ".x", ".y", ".z" };
  output->variables = crArena_AllocateZero(arena, 4, sizeof *output->variables);
  output->variableCount = 0;
  bool isMade = output->variables != NULL && addVariable(output, model, "", arena);
  bool isVector = isMade && output->variableCount == 0;
  for (size_t i = 0; isMade && isVector && i < sizeof ends / sizeof *ends; ++i) {
    isMade = addVariable(output, model, ends[i], arena);
  }
  return isMade ? cr_ok : cr_errorMemory;
}

static void reportVariable(const crOutput* output, const crModel* model, crReporter* reporter)
{
  crNearest nearest = crMakeNearest(output->variable);
  char name[CR_SHOWN_NAME], best[CR_SHOWN_NAME] = "", hint[CR_SHOWN_NAME + 32];
  for (int i = 0; crModel_GetVariableName(model, i, name, sizeof name) > 0; ++i) {
    int before = nearest.bestDistance;
    crNearest_Try(&nearest, name);
    if (nearest.bestDistance < before) {
      memcpy(best, name, sizeof best);
    }
  }
  snprintf(hint, sizeof hint, "did you mean '%s'?", best);
  crComplaint complaint = { .message = "the model has no such variable",
                            .found = output->variable,
                            .hint = best[0] != '\0' ? hint : "carom info MODEL --dump variables lists them" };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

bool crIsPartOf(const char* path, const char* object)
{
  size_t length = strlen(object);
  return strncmp(path, object, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

static crStatus findObject(const crModel* model, const char* object, crReporter* reporter)
{
  if (object == NULL) {
    return cr_ok;
  }
  int count = crModel_GetSize(model).objectCount;
  crNearest nearest = crMakeNearest(object);
  for (int i = 0; i < count; ++i) {
    const char* path = crModel_GetObjectPath(model, i);
    if (crIsPartOf(path, object)) {
      return cr_ok;
    }
    crNearest_Try(&nearest, path);
  }
  char hint[CR_SHOWN_NAME + 32];
  snprintf(hint, sizeof hint, "did you mean '%.250s'?", nearest.best != NULL ? nearest.best : "");
  crComplaint complaint = { .message = "the model has no such object",
                            .found = object,
                            .hint = nearest.best != NULL ? hint : NULL };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

crStatus crOutput_Find(crOutput* output, const crModel* model, crArena* arena, crReporter* reporter)
{
  if (output->subject != cr_subjectVariable) {
    crStatus status = findObject(model, output->objectA, reporter);
    return status == cr_ok ? findObject(model, output->objectB, reporter) : status;
  }
  crStatus status = findVariables(output, model, arena);
  if (status == cr_ok && output->variableCount == 0) {
    reportVariable(output, model, reporter);
    return cr_errorModel;
  }
  return status;
}

// --------------------------------------------------------------------------------------- describing

static const char* copyFormat(crArena* arena, const char* word, const char* a, const char* b, const char* c, int index)
{
  char text[1024], place[16];
  snprintf(place, sizeof place, "[%d]", index);
  snprintf(text, sizeof text, "%s(%s%s%s%s%s)%s", word, a, b != NULL ? " " : "", b != NULL ? b : "",
           c != NULL ? " " : "", c != NULL ? c : "", index >= 0 ? place : "");
  return crArena_CopyString(arena, text);
}

static crStatus describeVariables(const crOutput* output, const crModel* model, crArena* arena, crColumn* outColumns)
{
  static const char* const words[] = { "last", "max", "min", "mean", "series" };
  for (int k = 0; k < output->variableCount; ++k) {
    crVariable variable;
    if (!crModel_GetVariable(model, crModel_FindVariable(model, output->variables[k]), &variable)) {
      return cr_errorModel;
    }
    const char* unit = crArena_CopyString(arena, variable.unit);
    const char* description = crArena_CopyString(arena, variable.description);
    for (int i = 0; i < output->samples; ++i) {
      const char* name = copyFormat(arena, words[output->kind], output->variables[k], NULL, NULL,
                                    output->kind == cr_outputSeries ? i : -1);
      if (name == NULL || unit == NULL || description == NULL) {
        return cr_errorMemory;
      }
      outColumns[k * output->samples + i] = (crColumn){ name, unit, description };
    }
  }
  return cr_ok;
}

crStatus crOutput_Describe(const crOutput* output, const crModel* model, crArena* arena, crColumn* outColumns)
{
  static const char* const subjects[] = { "", "contacts", "events", "steps", "first contact", "last contact", "end" };
  static const char* const meanings[] = { "",
                                          "contacts that pushed",
                                          "contact events",
                                          "steps of the solver",
                                          "begin of the first contact",
                                          "begin of the last contact",
                                          "time reached" };
  if (output->subject == cr_subjectVariable) {
    return describeVariables(output, model, arena, outColumns);
  }
  bool isTime = output->kind == cr_outputTime;
  const char* name =
      copyFormat(arena, isTime ? "time" : "count", subjects[output->subject], output->objectA, output->objectB, -1);
  outColumns[0] = (crColumn){ name, isTime ? "s" : "1", meanings[output->subject] };
  return name != NULL ? cr_ok : cr_errorMemory;
}
