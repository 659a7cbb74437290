// The variables of an FMU: what the outside can set and get, in the order of the description.
//
// The tool makes this list to describe an FMU, and the FMU makes it again from the model that it holds: so both agree
// on what a number means. A value reference is the place in the list, of every type.
#ifndef CR_FMU_FMU_VARIABLES_H
#define CR_FMU_FMU_VARIABLES_H

#include "base/memory.h"
#include "carom/instance.h"
#include "fmu/stick_slots.h"

typedef enum crFmuRole {
  cr_fmuTime,
  cr_fmuParameter,  // of the model, fixed once a run has begun
  cr_fmuInput,      //
  cr_fmuOutput,     //
  cr_fmuLocal,      // what can be recorded
  cr_fmuState,      // a state that cannot be recorded
  cr_fmuDerivative, // of a state
  cr_fmuIndicator,  // whose zeros are contact events; for Model Exchange
} crFmuRole;

typedef enum crFmuType { cr_fmuReal, cr_fmuBoolean, cr_fmuString } crFmuType;

#define CR_LONGEST_VECTOR 4 // parts

typedef struct crFmuVariable {
  crFmuRole role;
  crFmuType type;
  const char* name;
  const char* unit; // "1" for none
  const char* description;
  int index;        // of the parameter, input, output, variable of the model, or state
  int state;        // that it is, or is the derivative of; -1: neither
  double start;     // of inputs and parameters; a boolean is 0 or 1
  double min, max;  // of a parameter; both 0: any number
  const char* text; // start of a string
  double nominal;   // of states and inputs
  // FMI 3.0 knows vectors: the first of their variables stands for all, those behind it are not variables there
  const char* vector; // name of the vector that it begins, "cue.position"; NULL: it begins none
  int length;         // of that vector; 1: no part of any; 0: a later part
} crFmuVariable;

typedef struct crFmuVariables {
  crArena arena; // of names
  crArrayOf(crFmuVariable) list;
  int parameterCount; // of the list, those behind time
  int stateCount;     // with those of slots, behind those of trees
  int treeStates;
  crStickSlots slots; // of Model Exchange
  int* states;        // (stateCount) places of the states in the list
  int* derivatives;   // (stateCount) likewise
} crFmuVariables;

typedef struct crFmuContent {
  const crScene* scene;
  const crModel* model;
  bool hasParameters;
  bool isExchange; // for Model Exchange as well: energies that only a run can know are left out
} crFmuContent;

// Free is due in any case.
CR_FRIEND crStatus crFmuVariables_Init(crFmuVariables* variables, const crFmuContent* content,
                                       const crAllocator* allocator);
CR_FRIEND void crFmuVariables_Free(crFmuVariables* variables);

// The first variable whose name another one has, or NULL.
CR_FRIEND crStatus crFmuVariables_FindTwin(const crFmuVariables* variables, const char** outName);

// The first place where two lists differ in what a number means; -1: nowhere.
CR_FRIEND int crFmuVariables_Compare(const crFmuVariables* a, const crFmuVariables* b);

#endif
