// modelDescription.xml: what a tool reads of an FMU before it loads it.
#ifndef CR_FMU_DESCRIPTION_H
#define CR_FMU_DESCRIPTION_H

#include "carom/fmu.h"
#include "fmu/dependencies.h"
#include "fmu/fmu_variables.h"
#include "fmu/text_block.h"

typedef struct crFmuDescription {
  const char* name;       // of the model, for people
  const char* identifier; // a name in C: of the binary's file
  const char* guid;       // that tells FMUs apart
  unsigned kinds;
  int indicatorCount;
  const crModel* model;
  const crFmuVariables* variables;
  crDependencies dependencies;
} crFmuDescription;

// FMI 2.0 and 3.0.
void crWriteDescription2(const crFmuDescription* description, crTextBlock* text);
void crWriteDescription3(const crFmuDescription* description, crTextBlock* text);

// Parts that all versions share: the kinds, with the attributes of each and of both; units that the variables
// have, categories of the log, the default experiment; whether all names are structured ones.
void crWriteKinds(const crFmuDescription* description, const char* ofExchange, const char* ofCoSimulation,
                  const char* ofBoth, crTextBlock* text);
// What the derivative of a state depends on: time, all inputs, and states; variables are numbered from `first`.
void crWriteDependencies(const crFmuDescription* description, int state, int first, crTextBlock* text);
void crWriteDependencyHead(const crFmuDescription* description, int first, crTextBlock* text); // without states
// Whether Model Exchange has directional derivatives.
bool crHasDirectionalDerivatives(const crFmuDescription* description);
void crWriteLogCategories(crTextBlock* text);
void crWriteExperiment(const crModel* model, crTextBlock* text);
extern const char* const crFmuCausalities[]; // by crFmuRole
void crWriteUnits(const crFmuVariables* variables, crTextBlock* text);
bool crHasStructuredNames(const crFmuVariables* variables);
void crWriteRange(const crFmuVariable* variable, crTextBlock* text); // min and max, where there are any
bool crHasUnit(const crFmuVariable* variable);

// Categories of what an FMU logs.
#define CR_LOG_CATEGORIES 5
extern const char* const crLogCategories[CR_LOG_CATEGORIES];
extern const char* const crLogDescriptions[CR_LOG_CATEGORIES];

#endif
