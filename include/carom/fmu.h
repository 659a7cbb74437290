// FMUs: a model for tools that speak FMI, the Functional Mock-up Interface (docs/fmu.md).
//
// An FMU is one file that holds a model and a binary that simulates it. Other tools drive it as Model Exchange, with
// solvers of their own, or as Co-Simulation, where the run of Carom is inside.
#ifndef CAROM_FMU_H
#define CAROM_FMU_H

#include "carom/io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum crFmuKinds {
  cr_fmuKindsAll = 0,      // both, or Co-Simulation alone where the model cannot do the other
  cr_fmuModelExchange = 1, // bits
  cr_fmuCoSimulation = 2,  //
} crFmuKinds;

typedef struct crFmuOptions {
  size_t size;
  int version;               // of FMI: 2 or 3; 0: 2
  unsigned kinds;            // bits of crFmuKinds; 0: cr_fmuKindsAll
  bool isLocked;             // the scene as it is: without source and parameters
  const crSetting* settings; // (settingCount) become the start values of parameters
  int settingCount;
  const void* binary; // (binarySize) the shared library of all FMUs of this version of Carom
  size_t binarySize;
  const char* license; // of all that the binary holds, kept in the FMU; NULL: none
} crFmuOptions;

CR_API crFmuOptions crDefaultFmuOptions(void);

// What was written.
typedef struct crFmuFacts {
  unsigned kinds; // bits of crFmuKinds
  int parameterCount, inputCount, outputCount, stateCount, variableCount;
  size_t byteCount; // of the file
} crFmuFacts;

// Writes the model of a file as an FMU, complete or not at all: the same input gives the same bytes. cr_errorModel,
// reported, for models that an FMU cannot hold. outFacts may be NULL.
CR_API crStatus crWriteFmu(const char* modelPath, const crFmuOptions* options, const char* path,
                           const crAllocator* allocator, const crErrorSink* sink, crFmuFacts* outFacts);

#ifdef __cplusplus
}
#endif

#endif
