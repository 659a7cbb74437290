// What is wrong with the start of a model: a run is made ready, and told of, that never begins.
#include "base/report.h"
#include "sim/simulation.h"

// false: a function may not run here, so that there is no start to look at.
static bool canStart(crSimulation* simulation, const crErrorSink* sink, crStatus* outStatus)
{
  *outStatus = crStartCallers(simulation->run.instance, NULL);
  if (*outStatus == cr_retry) {
    crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "simulation");
    crComplaint complaint = { .message = "the start is not checked: a function, such as an FMU, may not run here" };
    crReport(&reporter, cr_severityNote, cr_ok, &complaint);
    *outStatus = cr_ok;
    return false;
  }
  *outStatus = *outStatus != cr_ok ? crStartCallers(simulation->run.instance, sink) : cr_ok;
  return *outStatus == cr_ok;
}

crStatus crCheckStart(const crModel* model, const crAllocator* allocator, const crErrorSink* sink, int* outCount)
{
  if (model == NULL || outCount == NULL) {
    return cr_errorMisuse;
  }
  *outCount = 0;
  crSimulationOptions chosen = crModel_ChooseOptions(model, NULL);
  if (!crCheckOptions(model, &chosen, sink)) {
    return cr_errorModel;
  }
  crSimulation* simulation;
  crStatus status = crMakeSimulation(model, &chosen, allocator, sink, &simulation);
  if (status == cr_ok) {
    status = canStart(simulation, sink, &status) ? crSimulation_Start(simulation) : status;
    *outCount = simulation->run.overlapCount;
    crDestroySimulation(simulation);
  }
  return status;
}
