// modelDescription.xml of FMI 3.0. Variables are known by their value references everywhere; event indicators are
// variables as well. Positions, orientations, velocities and the like are arrays, and so are states and derivatives of
// such: the value reference of an array is that of its first part.
#include "fmu/description.h"

static void writeReal(const crFmuVariable* variable, const crFmuVariables* variables, crTextBlock* text)
{
  if (crHasUnit(variable)) {
    crTextBlock_Attribute(text, "unit", variable->unit);
  }
  crWriteRange(variable, text);
  if (variable->nominal > 0.0 && variable->nominal != 1.0) {
    crTextBlock_Number(text, "nominal", variable->nominal);
  }
  if (variable->role == cr_fmuDerivative) {
    crTextBlock_Print(text, " derivative=\"%d\"", variables->states[variable->state]);
  }
  if (variable->role == cr_fmuInput || variable->role == cr_fmuParameter) {
    crTextBlock_Number(text, "start", variable->start);
  }
  if (variable->length > 1) {
    crTextBlock_Print(text, "><Dimension start=\"%d\"/></Float64>\n", variable->length);
  } else {
    crTextBlock_Print(text, "/>\n");
  }
}

static void writeVariable(const crFmuVariable* variable, int index, const crFmuVariables* variables, crTextBlock* text)
{
  static const char* const types[] = { "Float64", "Boolean", "String" };
  crTextBlock_Print(text, "    <%s", types[variable->type]);
  crTextBlock_Attribute(text, "name", variable->vector != NULL ? variable->vector : variable->name);
  crTextBlock_Print(text, " valueReference=\"%d\"", index);
  if (variable->description[0] != '\0') {
    crTextBlock_Attribute(text, "description", variable->description);
  }
  crTextBlock_Print(text, " causality=\"%s\" variability=\"%s\"", crFmuCausalities[variable->role],
                    variable->role == cr_fmuParameter ? "fixed" : "continuous");
  if (variable->type == cr_fmuReal) {
    writeReal(variable, variables, text);
  } else if (variable->type == cr_fmuBoolean) {
    crTextBlock_Print(text, " start=\"%s\"/>\n", variable->start != 0.0 ? "true" : "false");
  } else {
    crTextBlock_Print(text, "><Start");
    crTextBlock_Attribute(text, "value", variable->text);
    crTextBlock_Print(text, "/></String>\n");
  }
}

static void writeUnknown(const char* element, int reference, crTextBlock* text)
{
  crTextBlock_Print(text, "    <%s valueReference=\"%d\"/>\n", element, reference);
}

// All variables of a role.
static void writeUnknowns(const crFmuVariables* variables, const char* element, crFmuRole role, crTextBlock* text)
{
  for (int i = 0; i < variables->list.count; ++i) {
    if (variables->list.items[i].role == role) {
      writeUnknown(element, i, text);
    }
  }
}

// The variable, an array perhaps, that a state is part of.
static int findVariable(const crFmuVariables* variables, int state)
{
  int place = variables->states[state];
  while (variables->list.items[place].length == 0) {
    --place;
  }
  return place;
}

// Of an array: what any of its parts depends on. Rows are ascending, and so are the states of an array: they are
// merged.
static void writeDependencies(const crFmuDescription* description, int state, int count, crTextBlock* text)
{
  const crDependencies* known = &description->dependencies;
  const crFmuVariables* variables = description->variables;
  int next[CR_LONGEST_VECTOR];
  if (known->starts == NULL) {
    return;
  }
  crWriteDependencyHead(description, 0, text);
  for (int k = 0; k < count; ++k) {
    next[k] = known->starts[state + k];
  }
  for (int least = 0; least < variables->stateCount;) {
    least = variables->stateCount;
    for (int k = 0; k < count; ++k) {
      bool isThere = next[k] < known->starts[state + k + 1];
      least = isThere && known->columns[next[k]] < least ? known->columns[next[k]] : least;
    }
    if (least < variables->stateCount) {
      int place = findVariable(variables, least);
      int end = variables->list.items[place].state + variables->list.items[place].length;
      crTextBlock_Print(text, " %d", place);
      for (int k = 0; k < count; ++k) {
        while (next[k] < known->starts[state + k + 1] && known->columns[next[k]] < end) {
          ++next[k];
        }
      }
    }
  }
  crTextBlock_Print(text, "\"");
}

static void writeDerivatives(const crFmuDescription* description, crTextBlock* text)
{
  const crFmuVariables* variables = description->variables;
  for (int i = 0, length = 1; i < variables->stateCount; i += length) {
    length = variables->list.items[variables->derivatives[i]].length;
    crTextBlock_Print(text, "    <ContinuousStateDerivative valueReference=\"%d\"", variables->derivatives[i]);
    writeDependencies(description, i, length, text);
    crTextBlock_Print(text, "/>\n");
  }
}

static void writeStructure(const crFmuDescription* description, crTextBlock* text)
{
  const crFmuVariables* variables = description->variables;
  crTextBlock_Print(text, "  <ModelStructure>\n");
  writeUnknowns(variables, "Output", cr_fmuOutput, text);
  writeDerivatives(description, text);
  for (int i = 0; i < variables->list.count; ++i) {
    const crFmuVariable* variable = &variables->list.items[i];
    if (variable->length > 0 && (variable->role == cr_fmuOutput || variable->state >= 0)) {
      writeUnknown("InitialUnknown", i, text);
    }
  }
  writeUnknowns(variables, "EventIndicator", cr_fmuIndicator, text);
  crTextBlock_Print(text, "  </ModelStructure>\n");
}

void crWriteDescription3(const crFmuDescription* description, crTextBlock* text)
{
  const crFmuVariables* variables = description->variables;
  crTextBlock_Print(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\"");
  crTextBlock_Attribute(text, "modelName", description->name);
  crTextBlock_Attribute(text, "instantiationToken", description->guid);
  crTextBlock_Attribute(text, "generationTool", "Carom " CAROM_VERSION);
  crTextBlock_Print(text, " variableNamingConvention=\"%s\">\n",
                    crHasStructuredNames(variables) ? "structured" : "flat");
  crWriteKinds(description,
               crHasDirectionalDerivatives(description)
                   ? " needsCompletedIntegratorStep=\"true\" providesDirectionalDerivatives=\"true\""
                   : " needsCompletedIntegratorStep=\"true\"",
               " canHandleVariableCommunicationStepSize=\"true\" hasEventMode=\"true\" "
               "mightReturnEarlyFromDoStep=\"true\" providesIntermediateUpdate=\"true\" "
               "canReturnEarlyAfterIntermediateUpdate=\"true\"",
               " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"", text);
  crWriteUnits(variables, text);
  crWriteLogCategories(text);
  crWriteExperiment(description->model, text);
  crTextBlock_Print(text, "  <ModelVariables>\n");
  for (int i = 0; i < variables->list.count; ++i) {
    if (variables->list.items[i].length > 0) {
      writeVariable(&variables->list.items[i], i, variables, text);
    }
  }
  crTextBlock_Print(text, "  </ModelVariables>\n");
  writeStructure(description, text);
  crTextBlock_Print(text, "</fmiModelDescription>\n");
}
