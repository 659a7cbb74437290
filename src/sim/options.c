// The options of a run: those of the caller, else those of the model, else the defaults.
#include "base/report.h"
#include "model/model.h"
#include "sim/simulation.h"

#include <float.h>
#include <stdio.h>

#define CR_STOP_TIME 10.0        // [s] behind the start, where none is given
#define CR_INTERVALS 500         // between output points, likewise
#define CR_EVENT_VARIABLES 1000  // up to which events have rows, likewise
#define CR_TOLERANCE 1e-6        // [-] likewise
#define CR_LEAST_TOLERANCE 1e-15 // [-] below which rounding alone is more than is allowed
#define CR_LEAST_NUMBER 1e-200   // [s], [-] of what is divided by, so that nothing overflows
#define CR_MOST_TIME 1e100       // [s] of either end: what moves at any speed comes to places whose squares are numbers
#define CR_LEAST_TICKS 64        // numbers between the start and the stop that can be told apart, and four in a step
#define CR_MAX_OUTPUTS (1 << 30) // as many as results can hold

crSimulationOptions crDefaultSimulationOptions(void)
{
  return (crSimulationOptions){ .size = sizeof(crSimulationOptions) };
}

bool crCanTouch(const crModel* model, const crSimulationOptions* options)
{
  return !options->ignoresContacts && model->size.pairCount > 0;
}

// ----------------------------------------------------------------------------------------- choosing

// The first one that is given.
static double chooseNumber(double asked, double stated, double standard)
{
  return asked != 0.0 ? asked : stated != 0.0 ? stated : standard;
}

// Rows at events are for those who look closely; large models have very many of both.
static crEventRows chooseEventRows(const crModel* model, crEventRows asked)
{
  bool isSmall = model->size.variableCount <= CR_EVENT_VARIABLES && crIsSmallModel(model);
  return asked != cr_eventRowsDefault                  ? asked
         : model->run.eventRows != cr_eventRowsDefault ? model->run.eventRows
         : isSmall                                     ? cr_eventRowsOn
                                                       : cr_eventRowsOff;
}

crSimulationOptions crModel_ChooseOptions(const crModel* model, const crSimulationOptions* options)
{
  if (model == NULL || (options != NULL && options->size != sizeof *options)) {
    return crDefaultSimulationOptions();
  }
  const crRunOptions* stated = &model->run;
  crSimulationOptions chosen = options != NULL ? *options : crDefaultSimulationOptions();
  chosen.startTime = chosen.start != NULL ? chosen.start->time : chooseNumber(chosen.startTime, stated->startTime, 0.0);
  chosen.stopTime = chooseNumber(chosen.stopTime, stated->stopTime, chosen.startTime + CR_STOP_TIME);
  double duration = chosen.stopTime - chosen.startTime;
  chosen.interval = chooseNumber(chosen.interval, stated->interval, duration > 0.0 ? duration / CR_INTERVALS : 1.0);
  chosen.tolerance = chooseNumber(chosen.tolerance, stated->tolerance,
                                  crCanTouch(model, &chosen) ? CR_CONTACT_TOLERANCE : CR_TOLERANCE);
  chosen.maxStep = chooseNumber(chosen.maxStep, stated->maxStep, HUGE_VAL);
  chosen.solver = chosen.solver != cr_solverDefault    ? chosen.solver
                  : stated->solver != cr_solverDefault ? stated->solver
                                                       : cr_solverAuto;
  chosen.islands = chosen.islands != cr_islandsDefault    ? chosen.islands
                   : stated->islands != cr_islandsDefault ? stated->islands
                                                          : cr_islandsOn;
  chosen.eventRows = chooseEventRows(model, chosen.eventRows);
  return chosen;
}

// ----------------------------------------------------------------------------------------- checking

// What time can tell apart at the end of the run that is farther from 0.
static double findResolution(const crSimulationOptions* o)
{
  return DBL_EPSILON * fmax(fabs(o->startTime), fabs(o->stopTime));
}

static void checkTimes(crReporter* reporter, const crSimulationOptions* o)
{
  double resolution = findResolution(o), duration = o->stopTime - o->startTime;
  double shortest = fmax(CR_LEAST_TICKS * resolution, CR_LEAST_NUMBER), least = fmax(4.0 * resolution, CR_LEAST_NUMBER);
  char allowed[64];
  if (!isfinite(duration)) {
    crReportNumber(reporter, "the run is longer than numbers go", duration, "finite", "s", NULL);
  } else if (fmax(fabs(o->startTime), fabs(o->stopTime)) > CR_MOST_TIME) {
    snprintf(allowed, sizeof allowed, "-%g to %g", CR_MOST_TIME, CR_MOST_TIME);
    crReportNumber(reporter, "the run goes on to times that nothing can be computed at",
                   fabs(o->stopTime) > CR_MOST_TIME ? o->stopTime : o->startTime, allowed, "s",
                   "what moves is then where squares of numbers overflow");
    return;
  } else if (duration > 0.0 && duration < shortest) {
    snprintf(allowed, sizeof allowed, "0, or at least %.3g", shortest);
    crReportNumber(reporter, "the run is so short that its times cannot be told apart", duration, allowed, "s",
                   "numbers have 16 digits: let times begin near 0");
    return;
  }
  if (o->interval > 0.0 && duration / o->interval > CR_MAX_OUTPUTS) {
    snprintf(allowed, sizeof allowed, "at least %.3g", duration / CR_MAX_OUTPUTS);
    crReportNumber(reporter, "the output interval would give more rows than a result can hold", o->interval, allowed,
                   "s", NULL);
  } else if (o->interval > 0.0 && duration > 0.0 && o->interval < least) {
    snprintf(allowed, sizeof allowed, "at least %.3g", least);
    crReportNumber(reporter, "the output interval is so short that times cannot be told apart", o->interval, allowed,
                   "s", NULL);
  }
  if (o->maxStep > 0.0 && duration > 0.0 && o->maxStep < least) {
    snprintf(allowed, sizeof allowed, "at least %.3g", least);
    crReportNumber(reporter, "the largest step is so short that times cannot be told apart", o->maxStep, allowed, "s",
                   NULL);
  }
}

static void checkNumbers(crReporter* reporter, const crSimulationOptions* o)
{
  if (!isfinite(o->startTime) || !isfinite(o->stopTime) || o->stopTime < o->startTime) {
    char allowed[48];
    snprintf(allowed, sizeof allowed, "finite, >= %.9g", o->startTime);
    crReportNumber(reporter, "the stop time is before the start time", o->stopTime, allowed, "s", NULL);
  } else {
    checkTimes(reporter, o);
  }
  if (!(o->interval > 0.0)) {
    crReportNumber(reporter, "the output interval must be positive", o->interval, "> 0", "s", NULL);
  }
  if (!(o->tolerance >= CR_LEAST_TOLERANCE && o->tolerance < 1.0)) {
    crReportNumber(reporter, "the tolerance is out of range", o->tolerance, "1e-15 <= tolerance < 1", NULL,
                   "1e-6 is a good start; numbers have 16 digits");
  }
  bool isAbsoluteGood = o->absoluteTolerance == 0.0 || o->absoluteTolerance >= CR_LEAST_NUMBER;
  if (!(isAbsoluteGood && isfinite(o->absoluteTolerance))) {
    crReportNumber(reporter, "the absolute tolerance must be positive", o->absoluteTolerance, ">= 1e-200", NULL, NULL);
  }
  if (!(o->maxStep > 0.0)) {
    crReportNumber(reporter, "the largest step must be positive", o->maxStep, "> 0", "s", NULL);
  }
}

// Sampled functions whose next tick would be the same time.
static int checkPeriods(const crModel* model, const crSimulationOptions* o, const crErrorSink* sink)
{
  double least = fmax(4.0 * findResolution(o), CR_LEAST_NUMBER);
  int errorCount = 0;
  for (int i = 0; i < model->sampledCount && o->stopTime > o->startTime; ++i) {
    int signal = model->sampled[i];
    if (model->signals[signal].period < least) {
      char allowed[64];
      snprintf(allowed, sizeof allowed, "at least %.3g", least);
      crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, crGetSignalPath(model, signal));
      crReportNumber(&reporter, "the period is so short that times cannot be told apart", model->signals[signal].period,
                     allowed, "s", NULL);
      errorCount += reporter.errorCount;
    }
  }
  return errorCount;
}

bool crCheckOptions(const crModel* model, const crSimulationOptions* chosen, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "simulation");
  checkNumbers(&reporter, chosen);
  int periodErrors = checkPeriods(model, chosen, sink);
  for (int i = 0; chosen->inputs != NULL && i < crModel_CountInputs(model); ++i) {
    crPort port;
    crModel_GetInput(model, i, &port);
    if (isinf(chosen->inputs[i])) {
      crReportError(&reporter, "input '%s' is not finite", port.path);
    }
  }
  if (chosen->threads < 0 || chosen->threads > CR_MAX_THREADS) {
    crReportError(&reporter, "the number of threads is %d, but has to be from 0 to %d", chosen->threads,
                  CR_MAX_THREADS);
  }
  if ((unsigned)chosen->solver >= (unsigned)cr_solverKindCount) {
    crReportError(&reporter, "there is no solver number %d", (int)chosen->solver);
  }
  if ((unsigned)chosen->islands > (unsigned)cr_islandsOff) {
    crReportError(&reporter, "there is no island mode number %d", (int)chosen->islands);
  }
  if ((unsigned)chosen->eventRows > (unsigned)cr_eventRowsOff) {
    crReportError(&reporter, "there is no kind number %d of rows at events", (int)chosen->eventRows);
  }
  return reporter.errorCount + periodErrors == 0;
}
