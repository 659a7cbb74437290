// An FMU for Co-Simulation at work: its library, one instance of it, and the calls that the standard allows when.
//
//   open ──Instantiate, SetupExperiment, parameters, EnterInitializationMode, inputs, ExitInitializationMode──► running
//   running ──inputs, DoStep──► running        running ──Terminate, FreeInstance──► open, to begin anew
//   anything ──error──► failed ──FreeInstance──► open        anything ──fatal──► lost: not even that may be called
//
// Outputs are read after initialization and after steps, never between setting an input and the step that takes it,
// which FMI 2.0 forbids in Co-Simulation. Each instance has a copy of the library of its own, unpacked for it, so that
// FMUs which can be instantiated only once in a library work as well. Rounding modes and the like that an FMU leaves
// behind are put back.
#ifndef CR_FOREIGN_FMU_SLAVE_H
#define CR_FOREIGN_FMU_SLAVE_H

#include "foreign/fmi2.h"
#include "foreign/fmu_archive.h"
#include "foreign/fmu_description.h"

#define CR_FMU_MESSAGE_SIZE 400 // [bytes]

typedef enum crSlaveMode { cr_slaveShut, cr_slaveOpen, cr_slaveRunning, cr_slaveFailed, cr_slaveLost } crSlaveMode;

// The functions that are used, by their names in the standard.
#define CR_SLAVE_FUNCTIONS(USE)                                                                                        \
  USE(GetTypesPlatform)                                                                                                \
  USE(GetVersion)                                                                                                      \
  USE(Instantiate)                                                                                                     \
  USE(FreeInstance)                                                                                                    \
  USE(SetupExperiment)                                                                                                 \
  USE(EnterInitializationMode)                                                                                         \
  USE(ExitInitializationMode)                                                                                          \
  USE(Terminate)                                                                                                       \
  USE(GetReal)                                                                                                         \
  USE(GetInteger)                                                                                                      \
  USE(GetBoolean)                                                                                                      \
  USE(SetReal)                                                                                                         \
  USE(SetInteger)                                                                                                      \
  USE(SetBoolean)                                                                                                      \
  USE(DoStep)

typedef struct crSlave {
  crSlaveMode mode;
  void* library;
  char folder[CR_FMU_FOLDER_SIZE];        // where it was unpacked; "": nowhere
  char resources[3 * CR_FMU_FOLDER_SIZE]; // the same as an address
  fmi2CallbackFunctions callbacks;        // which the FMU may keep
  fmi2Component component;
  char logged[CR_FMU_MESSAGE_SIZE];  // what the FMU said last of a warning or an error
  char warning[CR_FMU_MESSAGE_SIZE]; // the first of its warnings
  int warningCount;
  char explanation[2 * CR_FMU_MESSAGE_SIZE]; // why the last call here failed
#define CR_SLAVE_MEMBER(name) __typeof__(&fmi2##name) name;
  CR_SLAVE_FUNCTIONS(CR_SLAVE_MEMBER)
#undef CR_SLAVE_MEMBER
} crSlave;

// Unpacks and loads. Everything is reported.
crStatus crSlave_Open(crSlave* slave, const crFmuArchive* archive, const crSlaveDescription* description,
                      crReporter* reporter);
void crSlave_Close(crSlave* slave);

// A number for a variable.
typedef struct crFmuValues {
  const crFmuPlace* const* places; // (count)
  const double* values;
  int count;
} crFmuValues;

// Begins, at time t, anew if it is running. false: see the explanation.
bool crSlave_Begin(crSlave* slave, const char* name, const char* guid, double t, crFmuValues parameters,
                   crFmuValues inputs);
bool crSlave_Step(crSlave* slave, double t, double step, crFmuValues inputs);
bool crSlave_Read(crSlave* slave, const crFmuPlace* const* places, int count, double* outValues);

#endif
