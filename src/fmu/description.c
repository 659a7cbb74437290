// What the descriptions of all versions of FMI share.
#include "fmu/description.h"

#include "carom/simulate.h"
#include "fmu/unit.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const char* const crLogCategories[CR_LOG_CATEGORIES] = { "logStatusWarning", "logStatusDiscard", "logStatusError",
                                                         "logStatusFatal", "logEvents" };
const char* const crLogDescriptions[CR_LOG_CATEGORIES] = { "what is odd", "what could not be done with a step",
                                                           "what is wrong", "what the FMU cannot go on after",
                                                           "contacts that begin and end" };

const char* const crFmuCausalities[] = {
  [cr_fmuTime] = "independent", [cr_fmuParameter] = "parameter", [cr_fmuInput] = "input",
  [cr_fmuOutput] = "output",    [cr_fmuLocal] = "local",         [cr_fmuState] = "local",
  [cr_fmuDerivative] = "local", [cr_fmuIndicator] = "local"
};

bool crHasUnit(const crFmuVariable* variable)
{
  return variable->type == cr_fmuReal && variable->unit[0] != '\0' && strcmp(variable->unit, "1") != 0;
}

void crWriteRange(const crFmuVariable* variable, crTextBlock* text)
{
  bool hasRange = variable->min != 0.0 || variable->max != 0.0;
  if (hasRange && isfinite(variable->min)) {
    crTextBlock_Number(text, "min", variable->min);
  }
  if (hasRange && isfinite(variable->max)) {
    crTextBlock_Number(text, "max", variable->max);
  }
}

// Whether an earlier variable has the same unit.
static bool isKnown(const crFmuVariables* variables, int index)
{
  const char* unit = variables->list.items[index].unit;
  for (int i = 0; i < index; ++i) {
    if (crHasUnit(&variables->list.items[i]) && strcmp(variables->list.items[i].unit, unit) == 0) {
      return true;
    }
  }
  return false;
}

static void writeUnit(const char* name, crTextBlock* text)
{
  crBaseUnit unit;
  crTextBlock_Print(text, "    <Unit");
  crTextBlock_Attribute(text, "name", name);
  if (!crReadUnit(name, &unit)) {
    crTextBlock_Print(text, "/>\n");
    return;
  }
  crTextBlock_Print(text, "><BaseUnit");
  for (int i = 0; i < CR_BASE_UNITS; ++i) {
    if (unit.exponents[i] != 0) {
      crTextBlock_Print(text, " %s=\"%d\"", crBaseUnitNames[i], unit.exponents[i]);
    }
  }
  if (unit.factor != 1.0) {
    crTextBlock_Number(text, "factor", unit.factor);
  }
  crTextBlock_Print(text, "/></Unit>\n");
}

void crWriteUnits(const crFmuVariables* variables, crTextBlock* text)
{
  crTextBlock_Print(text, "  <UnitDefinitions>\n"); // time has one at least
  for (int i = 0; i < variables->list.count; ++i) {
    if (crHasUnit(&variables->list.items[i]) && !isKnown(variables, i)) {
      writeUnit(variables->list.items[i].unit, text);
    }
  }
  crTextBlock_Print(text, "  </UnitDefinitions>\n");
}

// Letters, digits and '_' between dots, none beginning with a digit; der(...) around it.
static bool isStructured(const char* name)
{
  size_t length = strlen(name);
  if (strncmp(name, "der(", 4) == 0 && name[length - 1] == ')') {
    name += 4;
    length -= 5;
  }
  bool isFirst = true, isGood = length > 0;
  for (size_t i = 0; i < length && isGood; ++i) {
    unsigned char c = (unsigned char)name[i];
    bool isLetter = c < 128 && (isalpha(c) || c == '_');
    isGood = isLetter || (!isFirst && (isdigit(c) || (c == '.' && i + 1 < length)));
    isFirst = c == '.';
  }
  return isGood;
}

bool crHasStructuredNames(const crFmuVariables* variables)
{
  bool isGood = true;
  for (int i = 0; i < variables->list.count && isGood; ++i) {
    isGood = isStructured(variables->list.items[i].name);
  }
  return isGood;
}

static void writeKind(const crFmuDescription* description, const char* element, const char* own, const char* ofBoth,
                      crTextBlock* text)
{
  crTextBlock_Print(text, "  <%s", element);
  crTextBlock_Attribute(text, "modelIdentifier", description->identifier);
  crTextBlock_Print(text, "%s%s/>\n", own, ofBoth);
}

void crWriteKinds(const crFmuDescription* description, const char* ofExchange, const char* ofCoSimulation,
                  const char* ofBoth, crTextBlock* text)
{
  if ((description->kinds & cr_fmuModelExchange) != 0) {
    writeKind(description, "ModelExchange", ofExchange, ofBoth, text);
  }
  if ((description->kinds & cr_fmuCoSimulation) != 0) {
    writeKind(description, "CoSimulation", ofCoSimulation, ofBoth, text);
  }
}

bool crHasDirectionalDerivatives(const crFmuDescription* description)
{
  return description->variables->slots.stateCount == 0;
}

void crWriteDependencyHead(const crFmuDescription* description, int first, crTextBlock* text)
{
  const crFmuVariables* variables = description->variables;
  crTextBlock_Print(text, " dependencies=\"%d", first); // time
  for (int i = 0; i < variables->list.count; ++i) {
    if (variables->list.items[i].role == cr_fmuInput) {
      crTextBlock_Print(text, " %d", first + i);
    }
  }
}

void crWriteDependencies(const crFmuDescription* description, int state, int first, crTextBlock* text)
{
  const crDependencies* known = &description->dependencies;
  const crFmuVariables* variables = description->variables;
  if (known->starts == NULL) {
    return;
  }
  crWriteDependencyHead(description, first, text);
  for (int i = known->starts[state]; i < known->starts[state + 1]; ++i) {
    crTextBlock_Print(text, " %d", first + variables->states[known->columns[i]]);
  }
  crTextBlock_Print(text, "\"");
}

void crWriteLogCategories(crTextBlock* text)
{
  crTextBlock_Print(text, "  <LogCategories>\n");
  for (int i = 0; i < CR_LOG_CATEGORIES; ++i) {
    crTextBlock_Print(text, "    <Category name=\"%s\" description=\"%s\"/>\n", crLogCategories[i],
                      crLogDescriptions[i]);
  }
  crTextBlock_Print(text, "  </LogCategories>\n");
}

void crWriteExperiment(const crModel* model, crTextBlock* text)
{
  crSimulationOptions options = crModel_ChooseOptions(model, NULL);
  crTextBlock_Print(text, "  <DefaultExperiment");
  crTextBlock_Number(text, "startTime", options.startTime);
  crTextBlock_Number(text, "stopTime", options.stopTime);
  crTextBlock_Number(text, "tolerance", options.tolerance);
  crTextBlock_Number(text, "stepSize", options.interval);
  crTextBlock_Print(text, "/>\n");
}
