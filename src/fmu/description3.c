// modelDescription.xml of FMI 3.0. Variables are known by their value references everywhere; event indicators are
// variables as well.
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
  crTextBlock_Print(text, "/>\n");
}

static void writeVariable(const crFmuVariable* variable, int index, const crFmuVariables* variables, crTextBlock* text)
{
  static const char* const types[] = { "Float64", "Boolean", "String" };
  crTextBlock_Print(text, "    <%s", types[variable->type]);
  crTextBlock_Attribute(text, "name", variable->name);
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

static void writeDerivatives(const crFmuDescription* description, crTextBlock* text)
{
  const crFmuVariables* variables = description->variables;
  for (int i = 0; i < variables->stateCount; ++i) {
    crTextBlock_Print(text, "    <ContinuousStateDerivative valueReference=\"%d\"", variables->derivatives[i]);
    crWriteDependencies(description, i, 0, text);
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
    if (variables->list.items[i].role == cr_fmuOutput || variables->list.items[i].state >= 0) {
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
    writeVariable(&variables->list.items[i], i, variables, text);
  }
  crTextBlock_Print(text, "  </ModelVariables>\n");
  writeStructure(description, text);
  crTextBlock_Print(text, "</fmiModelDescription>\n");
}
