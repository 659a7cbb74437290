// Why a run cannot go on, for people: when, what, which state was worst, and what to try.
#include "island/island.h"

#include "base/report.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

bool crAddFault(const crRun* run, double t, char* message, size_t size)
{
  size_t used = strlen(message);
  char fault[CR_MAX_PATH + 512];
  bool hasFault = crInstance_DescribeFault(run->instance, t, fault, sizeof fault);
  if (hasFault) {
    snprintf(message + used, size - used, ": %s", fault);
  }
  return hasFault;
}

crStatus crReportSample(crRun* run, double t)
{
  char message[CR_MAX_PATH + 640];
  snprintf(message, sizeof message, "the simulation stops at %.9g s", t);
  crAddFault(run, t, message, sizeof message);
  crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message, .hint = "look at what this function does with such inputs" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  run->hasFailed = true;
  return cr_failNumerics;
}

#define CR_MESSAGE_SIZE (2 * CR_MAX_PATH + 2048) // [bytes]

// The worker with the earliest failure; NULL: none has failed.
static const crWorker* findFailed(const crIslands* islands)
{
  const crWorker* first = NULL;
  for (int i = 0; i < islands->workerCount; ++i) {
    const crWorker* worker = &islands->workers[i];
    bool isBefore = first == NULL || worker->failedTime < first->failedTime ||
                    (worker->failedTime == first->failedTime && worker->failedIsland < first->failedIsland);
    first = worker->status != cr_ok && isBefore ? worker : first;
  }
  return first;
}

// Whether round-off of the state is beyond the tolerance.
static bool isTooTight(const crIsland* island)
{
  const double* y = island->segment.y1;
  double sum = 0.0, relTol = island->owner->relTol;
  for (int i = 0; i < island->stateCount; ++i) {
    double error = DBL_EPSILON * y[i] / (island->problem.absTol[i] + relTol * fabs(y[i]));
    sum += error * error;
  }
  return sum > island->stateCount;
}

// The state with the largest error in the last attempt at a step, NaN being larger than any; -1: none has any.
static int findWorst(const crWorker* worker, const crIsland* island)
{
  int worst = -1;
  double largest = 0.0, *errors = worker->scratch;
  if (island->multistep != NULL) {
    return crMultistep_GetFailure(island->multistep).worstComponent;
  }
  const crStepper* stepper = crIsland_GetStepper(worker, island);
  bool isKnown = worker->scratchCapacity >= island->n &&
                 crStepper_GetErrors(stepper, &island->problem, island->memory.kind, island->owner->relTol, errors);
  for (int i = 0; isKnown && i < island->treeStates; ++i) {
    double error = isnan(errors[i]) ? INFINITY : fabs(errors[i]);
    worst = error > largest ? i : worst;
    largest = fmax(error, largest);
  }
  return worst;
}

// Adds which loop is at a singular position, if one is.
static void addSingular(const crIslands* islands, char* message, size_t size)
{
  size_t used = strlen(message);
  char loop[1024];
  if (crInstance_DescribeSingular(islands->instance, loop, sizeof loop)) {
    snprintf(message + used, size - used, "; %s", loop);
  }
}

static crStatus report(crIslands* islands, const char* message, const char* found, const char* hint)
{
  crReporter reporter = crMakeReporter(&islands->run->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message, .found = found, .hint = hint };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  return cr_failNumerics;
}

static const char* explain(const crIsland* island, crStatus status)
{
  const char* told = island->multistep != NULL ? crMultistep_GetFailure(island->multistep).message : NULL;
  return told != NULL && *told != '\0' ? told
         : isTooTight(island)          ? "the tolerance is tighter than the precision of numbers"
         : status == cr_retry          ? "the problem cannot be evaluated any further, however small the step"
         : status == cr_failNumerics   ? "the step size became too small"
                                       : "a function of the model failed";
}

static const char* advise(const crIsland* island, crStatus status)
{
  const char* told = island->multistep != NULL ? crMultistep_GetFailure(island->multistep).remedy : NULL;
  return told != NULL && *told != '\0' ? told
         : isTooTight(island)          ? "loosen the relative tolerance or raise the absolute one"
         : status == cr_retry ? "the solution leaves the region where the model is defined, or a number is not finite: "
                                "look at the forces near this time"
                              : "loosen the tolerance, or look for a discontinuity or for unbounded growth near this "
                                "time";
}

// A step that could not be taken.
static crStatus reportStep(const crWorker* worker, const crIsland* island, crStatus status)
{
  crIslands* islands = worker->islands;
  const crModel* model = islands->model;
  double t = island->segment.t1;
  int worst = findWorst(worker, island);
  char message[CR_MESSAGE_SIZE], found[CR_MAX_PATH + 128], name[CR_MAX_PATH + 64];
  bool hasName = worst >= 0 && crModel_GetStateName(model, crIsland_GetSet(island), worst, name, sizeof name);
  snprintf(message, sizeof message, "the simulation stops at %.9g s: %s", t, explain(island, status));
  if (islands->whole == NULL) {
    size_t used = strlen(message);
    snprintf(message + used, sizeof message - used, ", in steps of '%s'%s",
             crModel_GetBodyPath(model, model->trees[island->trees[0]].bodyStart),
             island->treeCount > 1 ? " and what it touches" : "");
  }
  crAddFault(islands->run, t, message, sizeof message);
  addSingular(islands, message, sizeof message);
  double step = island->multistep != NULL ? crMultistep_GetFailure(island->multistep).step
                                          : crStepper_GetTriedStep(crIsland_GetStepper(worker, island));
  snprintf(found, sizeof found, "step %.3g s%s%s", step, hasName ? ", worst state " : "", hasName ? name : "");
  return report(islands, message, found, advise(island, status));
}

// An event behind which there is nothing to go on with.
static crStatus reportEvent(crIslands* islands, double t)
{
  char message[CR_MESSAGE_SIZE];
  snprintf(message, sizeof message, "the simulation stops at %.9g s: the model cannot be evaluated behind an event", t);
  crAddFault(islands->run, t, message, sizeof message);
  return report(islands, message, NULL, "a number is not finite there: look at the forces and signals near this time");
}

crStatus crIslands_ReportFailure(crIslands* islands, crStatus status)
{
  crRun* run = islands->run;
  bool isTold = run->hasFailed;
  const crWorker* worker = findFailed(islands);
  run->hasFailed = true; // islands may be half changed
  if (worker == NULL || isTold) {
    return status;
  }
  const crIsland* island = &islands->items[worker->failedIsland];
  double t = island->segment.t1;
  status = worker->status;
  run->reached = fmin(run->reached, t);
  if (status == cr_errorLimit) {
    return crReportStuck(run, t);
  }
  if (status == cr_errorMemory) {
    return status;
  }
  if (worker->failedDeep.kind != cr_deepNone) {
    return crReportDeep(run, &worker->failedDeep, t);
  }
  if (worker->during == cr_duringSample) {
    return crReportSample(run, t);
  }
  if (worker->during == cr_duringStep) {
    return reportStep(worker, island, status);
  }
  return status == cr_failNumerics ? crReportEndless(run, crIsland_GetSet(island), t)
         : status == cr_retry      ? reportEvent(islands, t)
                                   : status;
}
