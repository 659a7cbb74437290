// What is wrong with the start of a model: a run is made ready, and told of, that never begins.
#include "sim/simulation.h"

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
    status = crSimulation_Start(simulation);
    *outCount = simulation->run.overlapCount;
    crDestroySimulation(simulation);
  }
  return status;
}
