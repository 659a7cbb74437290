// modelDescription.xml of an FMU (FMI 2.0), as far as running it needs, and the variables that a model means by name.
#ifndef CR_FOREIGN_FMU_DESCRIPTION_H
#define CR_FOREIGN_FMU_DESCRIPTION_H

#include "base/memory.h"
#include "base/report.h"
#include "carom/signal.h"

typedef enum crSlaveType { cr_slaveReal, cr_slaveInteger, cr_slaveBoolean, cr_slaveString } crSlaveType;

typedef struct crFmuPlace {
  const char* name;
  const char* causality; // "input", "output", "parameter", ...; "local" unless the file says otherwise
  unsigned reference;
  crSlaveType type;
} crFmuPlace;

typedef struct crSlaveDescription {
  const char* identifier; // of the binary: a name of C
  const char* guid;
  crFmuPlace* variables; // (variableCount)
  int variableCount;
} crSlaveDescription;

// Everything lives in the arena. Reports what is wrong, and what this FMU needs and does not get here.
crStatus crReadFmuDescription(const char* text, size_t size, crArena* arena, crReporter* reporter,
                              crSlaveDescription* outDescription);

// The variables that a block means: inputs, parameters and outputs, each list as long as that of the source. Reports
// all names that are not there or cannot be used so.
typedef struct crFmuPlaces {
  const crFmuPlace **inputs, **parameters, **outputs;
} crFmuPlaces;
crStatus crFindFmuPlaces(const crSlaveDescription* description, const crFunctionSource* source,
                         const char* const* outputs, int outputCount, crArena* arena, crReporter* reporter,
                         crFmuPlaces* outPlaces);

#endif
