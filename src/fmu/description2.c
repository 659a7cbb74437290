// modelDescription.xml of FMI 2.0.
//
// States are local variables whose initial values are calculated, by what a run does at its start; so they have no
// start values, and are among the unknowns of the initialization with their derivatives and the outputs.
#include "fmu/description.h"

// ----------------------------------------------------------------------------------------- variables

static void writeReal(const crFmuVariable* variable, const crFmuVariables* variables, crTextBlock* text)
{
  bool hasStart = variable->role == cr_fmuInput || variable->role == cr_fmuParameter;
  crTextBlock_Print(text, "<Real");
  if (crHasUnit(variable)) {
    crTextBlock_Attribute(text, "unit", variable->unit);
  }
  if (hasStart) {
    crTextBlock_Number(text, "start", variable->start);
  }
  crWriteRange(variable, text);
  if (variable->nominal > 0.0 && variable->nominal != 1.0) {
    crTextBlock_Number(text, "nominal", variable->nominal);
  }
  if (variable->role == cr_fmuDerivative) {
    crTextBlock_Print(text, " derivative=\"%d\"", variables->states[variable->state] + 1);
  }
  crTextBlock_Print(text, "/>");
}

static void writeVariable(const crFmuVariable* variable, int index, const crFmuVariables* variables, crTextBlock* text)
{
  crTextBlock_Print(text, "    <ScalarVariable");
  crTextBlock_Attribute(text, "name", variable->name);
  crTextBlock_Print(text, " valueReference=\"%d\"", index);
  if (variable->description[0] != '\0') {
    crTextBlock_Attribute(text, "description", variable->description);
  }
  crTextBlock_Print(text, " causality=\"%s\" variability=\"%s\">", crFmuCausalities[variable->role],
                    variable->role == cr_fmuParameter ? "fixed" : "continuous");
  if (variable->type == cr_fmuReal) {
    writeReal(variable, variables, text);
  } else if (variable->type == cr_fmuBoolean) {
    crTextBlock_Print(text, "<Boolean start=\"%s\"/>", variable->start != 0.0 ? "true" : "false");
  } else {
    crTextBlock_Print(text, "<String");
    crTextBlock_Attribute(text, "start", variable->text);
    crTextBlock_Print(text, "/>");
  }
  crTextBlock_Print(text, "</ScalarVariable>\n");
}

// ----------------------------------------------------------------------------------------- structure

typedef bool Filter(const crFmuVariable* variable);

static bool isOutput(const crFmuVariable* variable)
{
  return variable->role == cr_fmuOutput;
}

static bool isDerivative(const crFmuVariable* variable)
{
  return variable->role == cr_fmuDerivative;
}

static bool isUnknown(const crFmuVariable* variable)
{
  return isOutput(variable) || variable->state >= 0;
}

// Unknowns depend on all that is known unless told otherwise.
static void writeUnknowns(const crFmuDescription* description, const char* name, Filter* filter, crTextBlock* text)
{
  const crFmuVariables* variables = description->variables;
  int count = 0;
  for (int i = 0; i < variables->list.count; ++i) {
    if (filter(&variables->list.items[i])) {
      if (count++ == 0) {
        crTextBlock_Print(text, "    <%s>\n", name);
      }
      crTextBlock_Print(text, "      <Unknown index=\"%d\"", i + 1);
      if (filter == isDerivative) {
        crWriteDependencies(description, variables->list.items[i].state, 1, text);
      }
      crTextBlock_Print(text, "/>\n");
    }
  }
  if (count > 0) {
    crTextBlock_Print(text, "    </%s>\n", name);
  }
}

void crWriteDescription2(const crFmuDescription* description, crTextBlock* text)
{
  const crFmuVariables* variables = description->variables;
  crTextBlock_Print(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"");
  crTextBlock_Attribute(text, "modelName", description->name);
  crTextBlock_Attribute(text, "guid", description->guid);
  crTextBlock_Attribute(text, "generationTool", "Carom " CAROM_VERSION);
  crTextBlock_Print(text, " variableNamingConvention=\"%s\" numberOfEventIndicators=\"%d\">\n",
                    crHasStructuredNames(variables) ? "structured" : "flat", description->indicatorCount);
  crWriteKinds(
      description, crHasDirectionalDerivatives(description) ? " providesDirectionalDerivative=\"true\"" : "",
      crModel_CountActions(description->model) > 0
          ? " canHandleVariableCommunicationStepSize=\"true\""
          : " canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"true\"",
      " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"", text);
  crWriteUnits(variables, text);
  crWriteLogCategories(text);
  crWriteExperiment(description->model, text);
  crTextBlock_Print(text, "  <ModelVariables>\n");
  for (int i = 0; i < variables->list.count; ++i) {
    writeVariable(&variables->list.items[i], i, variables, text);
  }
  crTextBlock_Print(text, "  </ModelVariables>\n  <ModelStructure>\n");
  writeUnknowns(description, "Outputs", isOutput, text);
  writeUnknowns(description, "Derivatives", isDerivative, text);
  writeUnknowns(description, "InitialUnknowns", isUnknown, text);
  crTextBlock_Print(text, "  </ModelStructure>\n</fmiModelDescription>\n");
}
