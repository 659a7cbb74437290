#include "scene/parameter.h"

#include "base/text.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- range

bool crParameter_HasRange(const crParameter* parameter)
{
  return parameter->min != 0.0 || parameter->max != 0.0;
}

bool crParameter_Takes(const crParameter* parameter, double number)
{
  return !crParameter_HasRange(parameter) || (number >= parameter->min && number <= parameter->max);
}

void crParameter_FormatRange(const crParameter* parameter, char buffer[CR_RANGE_SIZE])
{
  char min[CR_NUMBER_SIZE], max[CR_NUMBER_SIZE];
  crFormatNumber(parameter->min, min);
  crFormatNumber(parameter->max, max);
  if (!crParameter_HasRange(parameter)) {
    snprintf(buffer, CR_RANGE_SIZE, "any number");
  } else if (isinf(parameter->max)) {
    snprintf(buffer, CR_RANGE_SIZE, ">= %s", min);
  } else if (isinf(parameter->min)) {
    snprintf(buffer, CR_RANGE_SIZE, "<= %s", max);
  } else {
    snprintf(buffer, CR_RANGE_SIZE, "%s .. %s", min, max);
  }
}

// ------------------------------------------------------------------------------------------- check

static void checkText(crReporter* reporter, const char* name, const char* what, const char* text)
{
  if (text != NULL && !(crIsUtf8(text, strlen(text)) && crIsCleanText(text))) {
    crReportError(reporter, "the %s of the parameter '%.200s' is no plain text", what, name);
  }
}

static void checkRange(crReporter* reporter, const crParameter* parameter)
{
  char message[300], range[CR_RANGE_SIZE], min[CR_NUMBER_SIZE];
  if (!(parameter->min < parameter->max)) {
    crFormatNumber(parameter->min, min);
    snprintf(message, sizeof message, "the parameter '%.200s' has a max that is not above its min %s", parameter->name,
             min);
    crReportNumber(reporter, message, parameter->max, "min < max", parameter->unit, NULL);
  } else if (!crParameter_Takes(parameter, parameter->number)) {
    crParameter_FormatRange(parameter, range);
    snprintf(message, sizeof message, "the parameter '%.200s' is outside its range", parameter->name);
    crReportNumber(reporter, message, parameter->number, range, parameter->unit, NULL);
  }
}

void crCheckParameter(crReporter* reporter, const crParameter* parameter)
{
  int before = reporter->errorCount;
  crCheckName(reporter, "a parameter's name", parameter->name, true);
  if (reporter->errorCount > before) {
    return;
  }
  checkText(reporter, parameter->name, "unit", parameter->unit);
  checkText(reporter, parameter->name, "label", parameter->label);
  if (parameter->kind != cr_parameterNumber && (crParameter_HasRange(parameter) || parameter->unit != NULL)) {
    crReportError(reporter, "the parameter '%.200s' is no number, so it has neither min, max nor unit",
                  parameter->name);
  } else if (crParameter_HasRange(parameter)) {
    checkRange(reporter, parameter);
  }
}

// -------------------------------------------------------------------------------------------- list

// The assembly that a parameter belongs to, whose own index replaces that of the list.
static const crAssemblyDef* findOwner(const crScene* scene, int* ioIndex)
{
  for (int i = 0; scene != NULL && *ioIndex >= 0 && i < scene->assemblies.count; ++i) {
    const crAssemblyDef* assembly = &scene->assemblies.items[i];
    if (*ioIndex < assembly->parameterCount) {
      return assembly;
    }
    *ioIndex -= assembly->parameterCount;
  }
  return NULL;
}

int crScene_CountParameters(const crScene* scene)
{
  int count = 0;
  for (int i = 0; scene != NULL && i < scene->assemblies.count; ++i) {
    count += scene->assemblies.items[i].parameterCount;
  }
  return count;
}

const crParameter* crScene_GetParameter(const crScene* scene, int index)
{
  const crAssemblyDef* owner = findOwner(scene, &index);
  return owner != NULL ? &owner->parameters[index] : NULL;
}

int crScene_GetParameterName(const crScene* scene, int index, char* buffer, size_t size)
{
  const crAssemblyDef* owner = findOwner(scene, &index);
  if (buffer == NULL && size > 0) {
    return 0;
  }
  if (owner == NULL) {
    return snprintf(buffer, size, "%s", "");
  }
  return snprintf(buffer, size, "%s%s%s", owner->name, owner->name[0] != '\0' ? "." : "",
                  owner->parameters[index].name);
}

int crScene_FindParameter(const crScene* scene, const char* name)
{
  int first = 0;
  for (int i = 0; scene != NULL && name != NULL && i < scene->assemblies.count; ++i) {
    const crAssemblyDef* assembly = &scene->assemblies.items[i];
    size_t length = strlen(assembly->name);
    bool isTop = length == 0, isInside = !isTop && strncmp(name, assembly->name, length) == 0 && name[length] == '.';
    for (int k = 0; (isTop || isInside) && k < assembly->parameterCount; ++k) {
      if (strcmp(name + (isTop ? 0 : length + 1), assembly->parameters[k].name) == 0) {
        return first + k;
      }
    }
    first += assembly->parameterCount;
  }
  return -1;
}
