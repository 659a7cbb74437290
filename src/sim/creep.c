// What crept in a run: regularized friction lets slip what it should hold, and nobody sees that in a picture.
#include "sim/simulation.h"

#include <stdio.h>

bool crSimulation_FindCreep(const crSimulation* simulation, crContactRecord* outRecord)
{
  const crRun* run = &simulation->run;
  bool isFound = run->hasCrept;
  *outRecord = run->crept;
  for (int i = 0; run->contacts != NULL && i < crContacts_Count(run->contacts); ++i) {
    crContactRecord record = crContacts_Get(run->contacts, i);
    crNoteCreep(&record, &isFound, outRecord);
  }
  return isFound;
}

void crSimulation_SummarizeCreep(const crSimulation* simulation, crSimulationSummary* ioSummary)
{
  crContactRecord worst;
  crTouchingPair pair;
  ioSummary->creepA = ioSummary->creepB = -1;
  if (crSimulation_FindCreep(simulation, &worst)) {
    crBoxPair shapes = { worst.key.shapeA, worst.key.shapeB };
    bool isKnown = crContacts_MakePair(simulation->run.contacts, shapes, &pair);
    ioSummary->creep = worst.creep;
    ioSummary->creepA = worst.objectA;
    ioSummary->creepB = worst.objectB;
    ioSummary->creepSpeed = isKnown ? pair.law->vMin : 0.0;
  }
}

bool crSimulation_DescribeCreep(const crSimulation* simulation, char* outText, size_t size)
{
  if (simulation == NULL || outText == NULL || size == 0) {
    return false;
  }
  crSimulationSummary s = { .creepA = -1 };
  crSimulation_SummarizeCreep(simulation, &s);
  outText[0] = '\0';
  if (s.creepA < 0) {
    return false;
  }
  const crModel* model = simulation->run.model;
  bool isTurned = crModel_GetObject(model, s.creepA)->body == 0; // what moves comes first
  bool isLong = s.creep.path >= 1.0;
  snprintf(outText, size,
           "%s on %s crept %.3g %s in %.3g s while friction carried %.0f %% of its limit (vMin %g m/s); "
           "friction = \"stick\" holds it",
           crModel_GetObjectPath(model, isTurned ? s.creepB : s.creepA),
           crModel_GetObjectPath(model, isTurned ? s.creepA : s.creepB), isLong ? s.creep.path : 1e3 * s.creep.path,
           isLong ? "m" : "mm", s.creep.time, 100.0 * s.creep.share, s.creepSpeed);
  return true;
}
