// A small FMU (FMI 2.0, Co-Simulation) for the tests of its import: a controller that multiplies and sums up what is
// wrong, and holds whoever calls it to the standard. A call that is not allowed, or in the wrong state, is an error
// with a sentence.
//
//   e = reference - measured, i += integralGain h e at each step, command = gain e + i
//
// variables: reals 0 gain, 1 integralGain, 2 reference, 3 measured, 4 command, 5 integral; integers 6 steps (an
// output); booleans 7 isOff (an input), and parameters: 8 isBroken, steps behind 0.5 s fail; 9 isDrunk, no two runs are
// alike; 11 isWorried, steps behind 0.5 s are warnings; 12 isRude, one behind 0.5 s ends the process
#include "foreign/fmi2.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUID "{tiny}"

typedef enum { instantiated, initializing, running, terminated, failed } Mode;

typedef struct {
  fmi2CallbackFunctions functions;
  Mode mode;
  bool isSet; // an input was set, and no step has taken it
  double reals[6];
  int steps;
  bool isOff, isBroken, isDrunk, isWorried, isRude;
  double time;
} Tiny;

static int lives; // of this copy of the library

static fmi2Status complain(Tiny* tiny, const char* what, double number)
{
  tiny->functions.logger(tiny->functions.componentEnvironment, "tiny", fmi2Error, "logStatusError", "%s (%g)", what,
                         number);
  tiny->mode = failed;
  return fmi2Error;
}

const char* fmi2GetTypesPlatform(void)
{
  return "default";
}

const char* fmi2GetVersion(void)
{
  return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type type, fmi2String guid, fmi2String resourceLocation,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean loggingOn)
{
  (void)visible;
  (void)loggingOn;
  char path[4096];
  FILE* file = NULL;
  if (strncmp(resourceLocation, "file://", 7) == 0) {
    snprintf(path, sizeof path, "%s/note.txt", resourceLocation + 7);
    file = fopen(path, "r");
  }
  if (type != fmi2CoSimulation || strcmp(guid, GUID) != 0 || instanceName[0] == '\0' || file == NULL) {
    functions->logger(functions->componentEnvironment, instanceName, fmi2Error, "logStatusError", "no %s here",
                      file == NULL ? "note" : "guid");
    return NULL;
  }
  fclose(file);
  Tiny* tiny = functions->allocateMemory(1, sizeof *tiny);
  *tiny = (Tiny){ .functions = *functions, .reals = { 1.0, 0.0 } };
  ++lives;
  return tiny;
}

void fmi2FreeInstance(fmi2Component component)
{
  Tiny* tiny = component;
  tiny->functions.freeMemory(tiny);
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime)
{
  (void)toleranceDefined;
  (void)tolerance;
  (void)stopTimeDefined;
  (void)stopTime;
  Tiny* tiny = component;
  tiny->time = startTime;
  return tiny->mode == instantiated ? fmi2OK : complain(tiny, "setup too late", startTime);
}

static void work(Tiny* tiny, double step)
{
  double e = tiny->isOff ? 0.0 : tiny->reals[2] - tiny->reals[3];
  tiny->reals[5] += tiny->reals[1] * step * e;
  tiny->reals[4] = tiny->reals[0] * e + tiny->reals[5] + (tiny->isDrunk ? 1e-9 * lives : 0.0);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component)
{
  Tiny* tiny = component;
  bool isGood = tiny->mode == instantiated;
  tiny->mode = initializing;
  return isGood ? fmi2OK : complain(tiny, "initialization at a wrong time", 0.0);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component)
{
  Tiny* tiny = component;
  if (tiny->mode != initializing) {
    return complain(tiny, "no initialization to leave", 0.0);
  }
  work(tiny, 0.0);
  tiny->isSet = false;
  tiny->mode = running;
  return fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component component)
{
  Tiny* tiny = component;
  bool isGood = tiny->mode == running;
  tiny->mode = terminated;
  return isGood ? fmi2OK : complain(tiny, "nothing to terminate", 0.0);
}

fmi2Status fmi2Reset(fmi2Component component)
{
  return complain(component, "no reset here", 0.0);
}

static fmi2Status canRead(Tiny* tiny)
{
  return tiny->mode == running && !tiny->isSet ? fmi2OK : complain(tiny, "read at a wrong time", (double)tiny->mode);
}

// Parameters before initialization, inputs in it and while it runs.
static fmi2Status canWrite(Tiny* tiny, bool isParameter)
{
  bool isGood = isParameter ? tiny->mode == instantiated : tiny->mode == initializing || tiny->mode == running;
  tiny->isSet = tiny->isSet || tiny->mode == running;
  return isGood ? fmi2OK : complain(tiny, "written at a wrong time", (double)tiny->mode);
}

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t count, fmi2Real values[])
{
  Tiny* tiny = component;
  for (size_t i = 0; i < count; ++i) {
    if (references[i] > 5) {
      return complain(tiny, "no such real", references[i]);
    }
    values[i] = tiny->reals[references[i]];
  }
  return canRead(tiny);
}

fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          fmi2Integer values[])
{
  Tiny* tiny = component;
  for (size_t i = 0; i < count; ++i) {
    if (references[i] != 6) {
      return complain(tiny, "no such integer", references[i]);
    }
    values[i] = tiny->steps;
  }
  return canRead(tiny);
}

fmi2Status fmi2GetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          fmi2Boolean values[])
{
  Tiny* tiny = component;
  for (size_t i = 0; i < count; ++i) {
    if (references[i] != 7) {
      return complain(tiny, "no such boolean", references[i]);
    }
    values[i] = tiny->isOff;
  }
  return canRead(tiny);
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[])
{
  Tiny* tiny = component;
  for (size_t i = 0; i < count; ++i) {
    if (references[i] > 3) {
      return complain(tiny, "no real to be set", references[i]);
    }
    tiny->reals[references[i]] = values[i];
    if (canWrite(tiny, references[i] < 2) != fmi2OK) {
      return fmi2Error;
    }
  }
  return fmi2OK;
}

fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          const fmi2Integer values[])
{
  (void)values;
  return count > 0 ? complain(component, "no integer to be set", references[0]) : fmi2OK;
}

fmi2Status fmi2SetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          const fmi2Boolean values[])
{
  Tiny* tiny = component;
  for (size_t i = 0; i < count; ++i) {
    bool* place = references[i] == 7    ? &tiny->isOff
                  : references[i] == 8  ? &tiny->isBroken
                  : references[i] == 9  ? &tiny->isDrunk
                  : references[i] == 12 ? &tiny->isRude
                                        : &tiny->isWorried;
    *place = values[i] != fmi2False;
    if (canWrite(tiny, references[i] > 7) != fmi2OK) {
      return fmi2Error;
    }
  }
  return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real currentPoint, fmi2Real stepSize, fmi2Boolean noSetStateBefore)
{
  (void)noSetStateBefore;
  Tiny* tiny = component;
  double gap = currentPoint - tiny->time;
  if (tiny->mode != running || !(gap < 1e-9 && gap > -1e-9) || !(stepSize > 0.0)) {
    return complain(tiny, "no step from there", currentPoint);
  }
  if (tiny->isBroken && currentPoint > 0.5) {
    return complain(tiny, "the winding has burnt", currentPoint);
  }
  if (tiny->isRude && currentPoint > 0.5) {
    exit(0);
  }
  work(tiny, stepSize);
  tiny->time = currentPoint + stepSize;
  tiny->isSet = false;
  ++tiny->steps;
  if (tiny->isWorried && currentPoint > 0.5) {
    tiny->functions.logger(tiny->functions.componentEnvironment, "tiny", fmi2Warning, "logStatusWarning",
                           "the winding gets warm (%g)", currentPoint);
    return fmi2Warning;
  }
  return fmi2OK;
}
