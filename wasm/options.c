// What runs in a page are told other than the model says: options of `carom run` that a report was made with.
#include "play.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// A number of the options by its name. false: there is none.
static bool setNumber(crSimulationOptions* options, const char* name, const char* value)
{
  static const struct {
    const char* name;
    size_t place;
  } numbers[] = { { "stopTime", offsetof(crSimulationOptions, stopTime) },
                  { "interval", offsetof(crSimulationOptions, interval) },
                  { "tolerance", offsetof(crSimulationOptions, tolerance) },
                  { "absoluteTolerance", offsetof(crSimulationOptions, absoluteTolerance) },
                  { "maxStep", offsetof(crSimulationOptions, maxStep) } };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    if (strcmp(numbers[i].name, name) == 0) {
      *(double*)((char*)options + numbers[i].place) = strtod(value, NULL);
      return true;
    }
  }
  return false;
}

static bool setChoice(crSimulationOptions* options, const char* name, const char* value)
{
  bool isOn = strcmp(value, "on") == 0;
  if (strcmp(name, "solver") == 0) {
    options->solver = crFindSolver(value);
    return options->solver != cr_solverKindCount;
  }
  if (strcmp(name, "islands") == 0) {
    options->islands = isOn ? cr_islandsOn : cr_islandsOff;
  } else if (strcmp(name, "eventRows") == 0) {
    options->eventRows = isOn ? cr_eventRowsOn : cr_eventRowsOff;
  } else if (strcmp(name, "contacts") == 0) {
    options->ignoresContacts = !isOn;
  } else {
    return false;
  }
  return true;
}

// Names and values, each with a zero behind it, from crPlay_Allocate, and not the caller's any more. They are of all
// runs from now on, not of sessions. false: one is not known.
CR_EXPORT("setOptions") bool crPlay_SetOptions(char* text, size_t size)
{
  bool isKnown = true;
  crTheOptions = crDefaultSimulationOptions();
  for (const char* at = text; at < text + size;) {
    const char* value = at + strlen(at) + 1;
    isKnown = isKnown && (setNumber(&crTheOptions, at, value) || setChoice(&crTheOptions, at, value));
    at = value + strlen(value) + 1;
  }
  free(text);
  return isKnown;
}
