#include "foreign/fmu_description.h"

#include "base/map.h"
#include "xml/xml.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_IDENTIFIER_SIZE 200 // [bytes] of the longest name of a binary

// ------------------------------------------------------------------------------------------- reading

// Part of a file's name and of symbols: nothing but a name of C is let through.
static bool isIdentifier(const char* text)
{
  size_t length = strlen(text);
  bool isGood = length > 0 && length < CR_IDENTIFIER_SIZE && !isdigit((unsigned char)text[0]);
  for (size_t i = 0; i < length && isGood; ++i) {
    isGood = (unsigned char)text[i] < 128 && (isalnum((unsigned char)text[i]) || text[i] == '_');
  }
  return isGood;
}

static bool isTrue(const char* text)
{
  return text != NULL && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

static bool readReference(const char* text, unsigned* outReference)
{
  char* end;
  errno = 0;
  unsigned long number = text != NULL && isdigit((unsigned char)text[0]) ? strtoul(text, &end, 10) : ULONG_MAX;
  *outReference = (unsigned)number;
  return number <= UINT32_MAX && errno == 0 && *end == '\0';
}

static bool readType(const crXmlNode* node, crSlaveType* outType)
{
  static const struct {
    const char* name;
    crSlaveType type;
  } types[] = { { "Real", cr_slaveReal },
                { "Integer", cr_slaveInteger },
                { "Enumeration", cr_slaveInteger },
                { "Boolean", cr_slaveBoolean },
                { "String", cr_slaveString } };
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (crXml_Find(node, types[i].name) != NULL) {
      *outType = types[i].type;
      return true;
    }
  }
  return false;
}

static void readVariable(const crXmlNode* node, crReporter* reporter, crFmuPlace* outPlace)
{
  const char *name = crXml_Get(node, "name"), *causality = crXml_Get(node, "causality");
  *outPlace = (crFmuPlace){ .name = name != NULL ? name : "", .causality = causality != NULL ? causality : "local" };
  if (name == NULL || !readReference(crXml_Get(node, "valueReference"), &outPlace->reference) ||
      !readType(node, &outPlace->type)) {
    crReportError(reporter, "modelDescription.xml, line %d: variable '%s' has no name, valueReference or type",
                  node->line, outPlace->name);
  }
}

static crStatus readVariables(const crXmlNode* root, crArena* arena, crReporter* reporter,
                              crSlaveDescription* description)
{
  const crXmlNode* list = crXml_Find(root, "ModelVariables");
  const crXmlNode* first = list != NULL ? crXml_Find(list, "ScalarVariable") : NULL;
  int count = 0;
  for (const crXmlNode* node = first; node != NULL; node = crXml_FindNext(node)) {
    ++count;
  }
  description->variables = crArena_AllocateZero(arena, (size_t)count + 1, sizeof *description->variables);
  if (description->variables == NULL) {
    return cr_errorMemory;
  }
  for (const crXmlNode* node = first; node != NULL; node = crXml_FindNext(node)) {
    readVariable(node, reporter, &description->variables[description->variableCount++]);
  }
  return cr_ok;
}

static void checkHead(const crXmlNode* root, crReporter* reporter, crSlaveDescription* description)
{
  const char* version = crXml_Get(root, "fmiVersion");
  const crXmlNode* slave = crXml_Find(root, "CoSimulation");
  if (version == NULL || strcmp(version, "2.0") != 0) {
    crComplaint complaint = { "the FMU is of another version of FMI", version, "2.0", NULL,
                              "export it for FMI 2.0, Co-Simulation" };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
    return;
  }
  if (slave == NULL) {
    crComplaint complaint = { .message = "the FMU is none for Co-Simulation",
                              .hint = "export it for FMI 2.0, Co-Simulation" };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
    return;
  }
  description->guid = crXml_Get(root, "guid");
  description->identifier = crXml_Get(slave, "modelIdentifier");
  if (description->guid == NULL || description->identifier == NULL || !isIdentifier(description->identifier)) {
    crReportError(reporter, "modelDescription.xml: the FMU has no guid, or no modelIdentifier that is a name");
  }
  if (isTrue(crXml_Get(slave, "needsExecutionTool"))) {
    crReportWarning(reporter, "the FMU needs the tool that it comes from, on this machine and running");
  }
}

crStatus crReadFmuDescription(const char* text, size_t size, crArena* arena, crReporter* reporter,
                              crSlaveDescription* outDescription)
{
  *outDescription = (crSlaveDescription){ .identifier = NULL };
  crXmlNode* root = NULL;
  crErrorSink sink = crReporter_Sink(reporter);
  crStatus status = crReadXml(text, size, "modelDescription.xml", arena, &sink, &root);
  if (status != cr_ok) {
    return status == cr_errorMemory ? status : cr_errorModel;
  }
  int before = reporter->errorCount;
  if (!crXml_Is(root, "fmiModelDescription")) {
    crReportError(reporter, "modelDescription.xml describes no FMU: it begins with <%s>", root->name);
    return cr_errorModel;
  }
  checkHead(root, reporter, outDescription);
  status = readVariables(root, arena, reporter, outDescription);
  return status == cr_ok && reporter->errorCount > before ? cr_errorModel : status;
}

// -------------------------------------------------------------------------------------------- finding

// causality: that it must have; NULL: any.
static void reportMissing(const crSlaveDescription* description, const char* what, const char* name,
                          const char* causality, crReporter* reporter)
{
  char message[64], hint[320];
  crNearest nearest = crMakeNearest(name);
  for (int i = 0; i < description->variableCount; ++i) {
    const crFmuPlace* place = &description->variables[i];
    crNearest_Try(&nearest, causality == NULL || strcmp(place->causality, causality) == 0 ? place->name : NULL);
  }
  snprintf(message, sizeof message, "the FMU has no such %s", what);
  snprintf(hint, sizeof hint, "did you mean '%.200s'?", nearest.best != NULL ? nearest.best : "");
  crComplaint complaint = { .message = message, .found = name, .hint = nearest.best != NULL ? hint : NULL };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

// Names of a description, the first of each.
static bool listNames(const crSlaveDescription* description, crMap* names)
{
  bool isFull = true;
  for (int i = 0; i < description->variableCount && isFull; ++i) {
    const char* name = description->variables[i].name;
    isFull = crMap_FindString(names, name) >= 0 || crMap_SetString(names, name, i);
  }
  return isFull;
}

static const crFmuPlace* find(const crSlaveDescription* description, const crMap* names, const char* what,
                              const char* name, const char* causality, crReporter* reporter)
{
  int index = crMap_FindString(names, name);
  const crFmuPlace* place = index >= 0 ? &description->variables[index] : NULL;
  if (place == NULL) {
    reportMissing(description, what, name, causality, reporter);
  } else if (causality != NULL && strcmp(place->causality, causality) != 0) {
    crReportError(reporter, "'%s' of the FMU is no %s, its causality is %s", name, what, place->causality);
  } else if (place->type == cr_slaveString) {
    crReportError(reporter, "'%s' of the FMU is a text, and models pass numbers", name);
  }
  return place;
}

// marks: (variableCount) of variables that have been met.
static void checkTwice(const crSlaveDescription* description, const crFmuPlace* const* places, int count, bool* marks,
                       crReporter* reporter)
{
  memset(marks, 0, (size_t)description->variableCount * sizeof *marks);
  for (int i = 0; i < count; ++i) {
    bool* mark = places[i] != NULL ? &marks[places[i] - description->variables] : NULL;
    if (mark != NULL && *mark) {
      crReportError(reporter, "'%s' of the FMU is named twice", places[i]->name);
    }
    if (mark != NULL) {
      *mark = true;
    }
  }
}

crStatus crFindFmuPlaces(const crSlaveDescription* description, const crFunctionSource* source,
                         const char* const* outputs, int outputCount, crArena* arena, crReporter* reporter,
                         crFmuPlaces* outPlaces)
{
  int before = reporter->errorCount;
  size_t room = sizeof(const crFmuPlace*);
  outPlaces->inputs = crArena_AllocateZero(arena, (size_t)source->argumentCount + 1, room);
  outPlaces->parameters = crArena_AllocateZero(arena, (size_t)source->constantCount + 1, room);
  outPlaces->outputs = crArena_AllocateZero(arena, (size_t)outputCount + 1, room);
  bool* marks = crArena_AllocateZero(arena, (size_t)description->variableCount + 1, sizeof *marks);
  crMap names;
  crMap_Init(&names, &arena->allocator);
  if (outPlaces->inputs == NULL || outPlaces->parameters == NULL || outPlaces->outputs == NULL || marks == NULL ||
      !listNames(description, &names)) {
    crMap_Free(&names);
    return cr_errorMemory;
  }
  for (int i = 0; i < source->argumentCount; ++i) {
    outPlaces->inputs[i] = find(description, &names, "input", source->arguments[i].name, "input", reporter);
  }
  for (int i = 0; i < source->constantCount; ++i) {
    outPlaces->parameters[i] = find(description, &names, "parameter", source->constants[i].name, "parameter", reporter);
  }
  for (int i = 0; i < outputCount; ++i) {
    outPlaces->outputs[i] = find(description, &names, "variable", outputs[i], NULL, reporter);
  }
  crMap_Free(&names);
  checkTwice(description, outPlaces->inputs, source->argumentCount, marks, reporter);
  checkTwice(description, outPlaces->parameters, source->constantCount, marks, reporter);
  checkTwice(description, outPlaces->outputs, outputCount, marks, reporter);
  return reporter->errorCount > before ? cr_errorModel : cr_ok;
}
