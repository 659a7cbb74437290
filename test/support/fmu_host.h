// A small host of FMUs (FMI 2.0): unpacks one, reads its description and holds it to the rules of the standard, loads
// the binary. Failures fail the test.
#ifndef CR_TEST_FMU_HOST_H
#define CR_TEST_FMU_HOST_H

#include "carom/fmu.h"
#include "foreign/fmi2.h"

#define CR_HOST_NAME 256
#define CR_HOST_LOG 8192 // [bytes] of messages that are kept

typedef struct crHostVariable {
  char name[CR_HOST_NAME];
  char causality[16], variability[16], type[16];
  char unit[32];
  char start[64]; // "" without one
  bool hasStart;
  char min[32], max[32], description[CR_HOST_NAME];
  unsigned reference;
  int derivative; // of the variable with this number, from 1; 0: it is none
} crHostVariable;

// The functions of a binary.
typedef struct crHostFunctions {
#define FMI2_FIELD(name, type, arguments) type(*name) arguments;
  FMI2_FUNCTIONS(FMI2_FIELD)
#undef FMI2_FIELD
} crHostFunctions;

typedef struct crFmuHost {
  char folder[1024];    // that it was unpacked to
  char resources[1100]; // URI
  void* library;
  crHostFunctions call;
  // the description
  char guid[64], identifier[128];
  bool isExchange, isCoSimulation;
  int indicatorCount;
  double startTime, stopTime, tolerance, stepSize;
  crHostVariable* variables; // (variableCount)
  int variableCount;
  int *outputs, *derivatives, *initial; // numbers of variables, from 1
  int outputCount, derivativeCount, initialCount;
  char** dependencies; // (derivativeCount) of derivatives, as written; NULL: all
  char units[64][32];
  int unitCount;
  // what instances said
  int warningCount, errorCount, eventCount;
  char log[CR_HOST_LOG];
} crFmuHost;

// Exports an example, or any model by its path, and opens it. settings: (settingCount).
void crExportFmu(const char* model, const crFmuOptions* options, const char* path);
void crUnpackFmu(const char* path, const char* folder);
void crFmuHost_Open(crFmuHost* host, const char* path);
void crFmuHost_Close(crFmuHost* host);

// A new instance; NULL: there is none, and the log says why.
fmi2Component crFmuHost_Instantiate(crFmuHost* host, fmi2Type type);
// One at its start: experiment as described, initialized.
fmi2Component crFmuHost_Start(crFmuHost* host, fmi2Type type);
int crFmuHost_Find(const crFmuHost* host, const char* name); // number of a variable from 0; fails the test when missing
double crFmuHost_Get(const crFmuHost* host, fmi2Component component, const char* name);

#endif
