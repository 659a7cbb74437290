// What a report tells in tables: statistics, energy, parameters, the model's text, versions.
//
// Statistics come from the run's own description (/run, JSON), whatever it holds: an object is a group, its numbers and
// texts are rows. Of "energy", startX and endX make the row X of the balance; other numbers are flows that begin at 0:
// "work..." is put in, "dissipated..." is taken out. Without such numbers the contacts tell what they took. What all
// of them leave unexplained is the last row.
#include "show/report.h"

#include "base/text.h"
#include "text/json_value.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_LABEL_SIZE 96

// ------------------------------------------------------------------------------------------- labels

// "rejectedSteps" -> "rejected steps"; "cpuSeconds" -> "CPU time".
static void makeLabel(const char* key, char label[CR_LABEL_SIZE])
{
  size_t size = strlen(key), seconds = strlen("Seconds");
  bool isTime = size > seconds && strcmp(key + size - seconds, "Seconds") == 0;
  size_t used = 0, end = isTime ? size - seconds : size;
  for (size_t i = 0; i < end && used + 2 < CR_LABEL_SIZE; ++i) {
    unsigned char c = (unsigned char)key[i];
    if (c < 0x80 && isupper(c) && i > 0) {
      label[used++] = ' ';
    }
    label[used++] = (char)(c < 0x80 ? tolower(c) : c);
  }
  snprintf(label + used, CR_LABEL_SIZE - used, "%s", isTime && used + 6 < CR_LABEL_SIZE ? " time" : "");
  if (strcmp(label, "cpu time") == 0) {
    memcpy(label, "CPU", 3);
  } else if (strcmp(label, "sha256") == 0) {
    snprintf(label, CR_LABEL_SIZE, "SHA-256");
  }
}

static const char* unitOf(const char* key)
{
  static const char* const times[] = { "time", "start", "stop", "interval", "maxStep" };
  size_t size = strlen(key), seconds = strlen("Seconds");
  bool isTime = size > seconds && strcmp(key + size - seconds, "Seconds") == 0;
  for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
    isTime = isTime || strcmp(key, times[i]) == 0;
  }
  return isTime ? " s" : "";
}

static void capitalize(char* text)
{
  text[0] = (char)((unsigned char)text[0] < 0x80 ? toupper((unsigned char)text[0]) : text[0]);
}

// --------------------------------------------------------------------------------------- statistics

static void putStatistic(crJsonText* text, const char* group, const char* name, const char* value)
{
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "name", name);
  crJsonText_KeyString(text, "value", value);
  crJsonText_KeyString(text, "group", group);
  crJsonText_EndObject(text);
}

static void putCount(crJsonText* text, const char* group, const char* name, long long count)
{
  char value[32];
  snprintf(value, sizeof value, "%lld", count);
  putStatistic(text, group, name, value);
}

static void putMember(crJsonText* text, const char* group, const char* key, const json_t* member)
{
  char label[CR_LABEL_SIZE], value[64];
  makeLabel(key, label);
  if (json_is_string(member)) {
    putStatistic(text, group, label, json_string_value(member));
  } else if (json_is_integer(member)) {
    putCount(text, group, label, json_integer_value(member));
  } else if (json_is_real(member)) {
    snprintf(value, sizeof value, "%.6g%s", json_real_value(member), unitOf(key));
    char* comma = strchr(value, ','); // of the host's locale
    if (comma != NULL) {
      *comma = '.';
    }
    putStatistic(text, group, label, value);
  } else if (json_is_boolean(member)) {
    putStatistic(text, group, label, json_is_true(member) ? "yes" : "no");
  }
}

static void putRun(crJsonText* text, json_t* run)
{
  const char *key, *inner;
  json_t *member, *part;
  json_object_foreach(run, key, member)
  {
    if (strcmp(key, "carom") != 0 && strcmp(key, "model") != 0) { // told among the versions, and with the source
      putMember(text, "Run", key, member);
    }
  }
  json_object_foreach(run, key, member)
  {
    if (json_is_object(member) && strcmp(key, "energy") != 0) {
      char group[CR_LABEL_SIZE];
      makeLabel(key, group);
      capitalize(group);
      json_object_foreach(member, inner, part)
      {
        putMember(text, group, inner, part);
      }
    }
  }
}

static void putSizes(crReportWriting* writing)
{
  crJsonText* text = writing->text;
  const crResult* result = writing->picture->result;
  if (writing->picture->model != NULL) {
    crModelSize size = crModel_GetSize(writing->picture->model);
    putCount(text, "Model", "objects", size.objectCount);
    putCount(text, "Model", "bodies", size.bodyCount - 1);
    putCount(text, "Model", "joints", size.jointCount);
    putCount(text, "Model", "loops", size.cutJointCount);
    putCount(text, "Model", "couplings", size.couplingCount);
    putCount(text, "Model", "degrees of freedom", size.vCount);
    putCount(text, "Model", "states", size.stateCount);
    putCount(text, "Model", "contact shapes", size.shapeCount);
    putCount(text, "Model", "pairs that can touch", size.pairCount);
  }
  putCount(text, "Result", "rows", crResult_CountRows(result));
  putCount(text, "Result", "variables", crResult_CountColumns(result));
  putCount(text, "Result", "events", crResult_CountEvents(result));
  putCount(text, "Result", "contacts", crResult_CountContacts(result));
  putStatistic(text, "Result", "complete", crResult_GetFacts(result).isComplete ? "yes" : "no");
  putStatistic(text, "Result", "ended", crResult_GetFacts(result).exitReason);
}

static void writeStatistics(crReportWriting* writing, json_t* run)
{
  crJsonText* text = writing->text;
  crJsonText_Key(text, "statistics");
  crJsonText_BeginArrayLines(text);
  if (json_is_object(run)) {
    putRun(text, run);
  }
  putSizes(writing);
  if (writing->every > 1) {
    char value[96];
    snprintf(value, sizeof value, "1 row in %d, of %d rows, to keep the file small", writing->every,
             crResult_CountRows(writing->picture->result));
    putStatistic(text, "Report", "shown", value);
  }
  if (writing->facts->note[0] != '\0') {
    putStatistic(text, "Report", "note", writing->facts->note);
  }
  crJsonText_EndArray(text);
}

// ------------------------------------------------------------------------------------------- energy

static void putEnergy(crJsonText* text, const char* name, double start, double end)
{
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "name", name);
  crPutKeyNumber(text, "start", start);
  crPutKeyNumber(text, "end", end);
  crJsonText_KeyString(text, "unit", "J");
  crJsonText_EndObject(text);
}

static double numberOf(const json_t* energy, const char* key)
{
  const json_t* member = json_object_get(energy, key);
  return json_is_number(member) ? json_number_value(member) : NAN;
}

static bool beginsWith(const char* key, const char* beginning)
{
  return strncmp(key, beginning, strlen(beginning)) == 0;
}

// The rows startX and endX; returns by how much their sum grew.
static double putStores(crJsonText* text, json_t* energy)
{
  const char* key;
  json_t* member;
  double growth = 0.0;
  json_object_foreach(energy, key, member)
  {
    if (beginsWith(key, "start")) {
      char other[CR_LABEL_SIZE], label[CR_LABEL_SIZE];
      snprintf(other, sizeof other, "end%s", key + strlen("start"));
      makeLabel(key + strlen("start"), label);
      double start = numberOf(energy, key), end = numberOf(energy, other);
      putEnergy(text, label, start, end);
      growth += end - start;
    }
  }
  return growth;
}

// The other rows; returns what they put in. outCount: how many there are.
static double putFlows(crJsonText* text, json_t* energy, int* outCount)
{
  const char* key;
  json_t* member;
  double input = 0.0;
  *outCount = 0;
  json_object_foreach(energy, key, member)
  {
    if (beginsWith(key, "start") || beginsWith(key, "end") || strcmp(key, "unexplained") == 0) {
      continue;
    }
    char label[CR_LABEL_SIZE];
    double value = numberOf(energy, key);
    makeLabel(key, label);
    putEnergy(text, label, 0.0, value);
    input += beginsWith(key, "work")                                       ? value
             : beginsWith(key, "dissipated") || beginsWith(key, "removed") ? -value
                                                                           : 0.0;
    ++*outCount;
  }
  return input;
}

// [J] What all contacts have taken: those that ended until then, the others until the end, or until the last row where
// the end of the run is not known.
static double sumDissipation(const crResult* result)
{
  double sum = 0.0;
  int count, lastCount = 0;
  for (int i = 0; i < crResult_CountContacts(result); ++i) {
    const crContactRecord* contact = crResult_GetContact(result, i);
    sum += isfinite(contact->dissipation) ? contact->dissipation : 0.0;
    lastCount += contact->phase == cr_contactLast;
  }
  const crContactRecord* samples = crResult_GetContactSamples(result, crResult_CountRows(result) - 1, &count);
  for (int i = 0; i < count && lastCount == 0; ++i) {
    sum += isfinite(samples[i].dissipation) ? samples[i].dissipation : 0.0;
  }
  return sum;
}

static void writeEnergy(const crResult* result, crJsonText* text, json_t* run)
{
  json_t* energy = json_object_get(run, "energy");
  int flowCount;
  if (!json_is_object(energy)) {
    return;
  }
  crJsonText_Key(text, "energy");
  crJsonText_BeginArrayLines(text);
  double growth = putStores(text, energy), input = putFlows(text, energy, &flowCount);
  double told = numberOf(energy, "unexplained");
  if (flowCount == 0 && crResult_CountContacts(result) > 0) {
    double taken = sumDissipation(result);
    putEnergy(text, "dissipated in contacts", 0.0, taken);
    input -= taken;
  }
  putEnergy(text, "unexplained", 0.0, !isnan(told) ? told : growth - input);
  crJsonText_EndArray(text);
}

// -------------------------------------------------------------------------------------------- model

static void putParameter(crJsonText* text, const crScene* scene, int index)
{
  const crParameter* parameter = crScene_GetParameter(scene, index);
  char name[CR_MAX_PATH + CR_MAX_NAME + 2], number[CR_NUMBER_SIZE];
  crScene_GetParameterName(scene, index, name, sizeof name);
  crFormatNumber(parameter->number, number);
  const char* value = parameter->kind == cr_parameterString ? parameter->string
                      : parameter->kind == cr_parameterBool ? (parameter->number != 0.0 ? "true" : "false")
                                                            : number;
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "name", name);
  crJsonText_KeyString(text, "value", value);
  crJsonText_EndObject(text);
}

static void writeParameters(const crPicture* picture, crJsonText* text)
{
  crJsonText_Key(text, "parameters");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < crScene_CountParameters(picture->scene); ++i) {
    putParameter(text, picture->scene, i);
  }
  crJsonText_EndArray(text);
}

// The run's own description knows the file of the model, the result its name.
static void writeModel(crJsonText* text, crResultFacts facts, json_t* run)
{
  const char* file = json_string_value(json_object_get(run, "model"));
  if (facts.sourceText != NULL) {
    size_t size;
    crJsonText_Key(text, "source");
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "name", crFindFileName(file != NULL ? file : facts.modelName, true, &size));
    crJsonText_KeyString(text, "text", facts.sourceText);
    crJsonText_EndObject(text);
  }
  if (facts.sceneJson != NULL) {
    crJsonText_KeyString(text, "scene", facts.sceneJson);
  }
}

static void putVersion(crJsonText* text, const char* name, const char* value)
{
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "name", name);
  crJsonText_KeyString(text, "value", value);
  crJsonText_EndObject(text);
}

static void writeVersions(crJsonText* text, crResultFacts facts, json_t* run)
{
  const char* key;
  json_t* member;
  crJsonText_Key(text, "versions");
  crJsonText_BeginArrayLines(text);
  putVersion(text, "carom (run)", facts.version);
  putVersion(text, "carom (report)", CAROM_VERSION);
  json_object_foreach(json_object_get(run, "versions"), key, member)
  {
    if (json_is_string(member)) {
      putVersion(text, key, json_string_value(member));
    }
  }
  crJsonText_EndArray(text);
}

void crWriteReportFacts(crReportWriting* writing)
{
  crResultFacts facts = crResult_GetFacts(writing->picture->result);
  const char* text = writing->options->runJson != NULL ? writing->options->runJson : facts.runJson;
  json_error_t error;
  json_t* run = text != NULL ? crLoadJson(text, strlen(text), 0, &error) : NULL;
  writeStatistics(writing, run);
  writeEnergy(writing->picture->result, writing->text, run);
  writeParameters(writing->picture, writing->text);
  writeModel(writing->text, facts, run);
  writeVersions(writing->text, facts, run);
  json_decref(run);
}
