// Checkpoints of a run, now and then.
#include "show/checkpointer.h"

#include "base/clock.h"
#include "base/report.h"

#include <stdlib.h>
#include <string.h>

void crCheckpointer_Begin(crCheckpointer* checkpointer, double seconds)
{
  checkpointer->isOn = seconds != 0.0;
  checkpointer->seconds = crResolveZero(seconds);
  checkpointer->written = crReadClock(CLOCK_MONOTONIC);
}

// Errors about checkpoints are warnings: nothing of the run is wrong.
static void soften(void* context, const crError* error)
{
  crCheckpointer* checkpointer = context;
  const crErrorSink* sink = checkpointer->sink;
  if (!checkpointer->hasWarned && sink != NULL && sink->report != NULL) {
    crError warning = *error;
    warning.severity = cr_severityWarning;
    warning.hint = "the run goes on; it cannot be resumed from here";
    sink->report(sink->context, &warning);
  }
  checkpointer->hasWarned = true;
}

static void save(crCheckpointer* checkpointer, const crSimulation* simulation)
{
  crErrorSink sink = { soften, checkpointer };
  char* note = crWriteRunNote(&checkpointer->note);
  if (note != NULL) {
    crCheckpointPair_Write(&checkpointer->pair, simulation, note, strlen(note), checkpointer->allocator, &sink);
  } else {
    crReportFile(&sink, checkpointer->pair.folder, "no checkpoint can be written: a path or setting is not UTF-8", 0);
  }
  free(note);
}

crStatus crCheckpointer_AtOutput(crCheckpointer* checkpointer, const crSimulation* simulation, crResultWriter* writer)
{
  if (!checkpointer->isOn || crReadClock(CLOCK_MONOTONIC) - checkpointer->written < checkpointer->seconds) {
    return cr_ok;
  }
  crStatus status = crResultWriter_GetPlace(writer, &checkpointer->note.place);
  if (status == cr_ok) {
    save(checkpointer, simulation);
    checkpointer->written = crReadClock(CLOCK_MONOTONIC);
  }
  return status;
}
