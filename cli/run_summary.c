// What a run tells when it has ended, and how it is interrupted.
#include "base/platform.h"
#include "result/peek.h"
#include "run.h"

#include <string.h>

#define CR_SHOWN_START 0.1 // [-] share of the time from which the start is told

static volatile sig_atomic_t wasInterrupted;

static void onInterrupt(int signal)
{
  (void)signal;
  wasInterrupted = 1;
}

void crCatchInterrupts(void)
{
  struct sigaction action = { .sa_handler = onInterrupt };
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction before;
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) { // nohup wants it ignored
    sigaction(SIGHUP, &action, NULL);
  }
}

bool crWasInterrupted(void)
{
  return wasInterrupted != 0;
}

// ----------------------------------------------------------------------------------------- summary

static double totalEnergy(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

// What drives, dampers and contacts do not account for: errors of the integration.
static double unexplainedEnergy(const crSimulationSummary* s)
{
  return totalEnergy(s->endEnergy) - totalEnergy(s->startEnergy) - s->work + s->dissipated + s->removed;
}

static void printEnergy(const crSimulationSummary* s)
{
  printf("  energy   %.9g J at the start, %.9g J at the end (kinetic %.6g, potential %.6g", totalEnergy(s->startEnergy),
         totalEnergy(s->endEnergy), s->endEnergy.kinetic, s->endEnergy.potential);
  printf(s->endEnergy.elastic != 0.0 ? ", elastic %.6g)\n" : ")\n", s->endEnergy.elastic);
  printf("           work %.9g J, dissipated %.9g J", s->work, s->dissipated);
  printf(s->removed != 0.0 ? ", removed by actions %.9g J" : "", s->removed);
  printf("; unexplained %.3g J\n", unexplainedEnergy(s));
}

// What was asked for; and what was chosen, as far as it took steps.
static void printMethods(const crSimulationSummary* s)
{
  const crMethodSteps* n = &s->methodSteps;
  const int64_t steps[] = { n->dopri5, n->dop853, n->radau5, n->rkc2 };
  const char* const names[] = { "dopri5", "dop853", "radau5", "rkc2" };
  const char* separator = " (";
  printf("%s", crGetSolverInfo(s->solver)->name);
  for (int i = 0; i < 4 && s->solver == cr_solverAuto; ++i) {
    if (steps[i] > 0) {
      printf("%s%s %.0f %%", separator, names[i], 100.0 * (double)steps[i] / (double)s->solverStatistics.steps);
      separator = ", ";
    }
  }
  printf("%s", strcmp(separator, ", ") == 0 ? ")" : "");
}

// The start where it took a good part of the time.
static void printTimes(const crRunFacts* facts)
{
  const crSimulationSummary* s = &facts->summary;
  printf(" at %.6g s, CPU time %.4g s", s->time, s->cpuSeconds);
  if (s->cpuSeconds > 0.0) {
    printf(" (%.4g x real time)", (s->time - facts->options.startTime) / s->cpuSeconds);
  }
  if (s->startSeconds > CR_SHOWN_START * s->wallSeconds) {
    printf("; the start took %.4g s of wall time", s->startSeconds);
  }
  putchar('\n');
}

static void printSummary(const crRunFacts* facts)
{
  const crSimulationSummary* s = &facts->summary;
  const crSolverStatistics* n = &s->solverStatistics;
  static const char* const ends[] = { "Done", "Interrupted", "Failed" };
  printf("%s%s%s", crStyleOn(stdout, cr_styleBold), ends[facts->end], crStyleOff(stdout));
  printTimes(facts);
  printf("  solver   ");
  printMethods(s);
  printf(", tolerance %g", s->tolerance);
  if (s->islandReason == NULL) {
    printf("; islands: %lld on their own clocks, %lld merged, %lld parted", (long long)s->islandCount,
           (long long)s->mergeCount, (long long)s->splitCount);
  }
  putchar('\n');
  printf("  steps    %lld, %lld rejected; %lld evaluations, %lld Jacobians\n", (long long)n->steps,
         (long long)n->rejectedSteps, (long long)n->evaluations, (long long)n->jacobians);
  if (s->eventCount > 0 || s->contactCount > 0) {
    printf("  contacts %lld began; %lld events; %lld distances, %lld searches\n", (long long)s->contactCount,
           (long long)s->eventCount, (long long)s->distanceCount, (long long)s->searchedSteps);
  }
  if (facts->creep[0] != '\0') {
    printf("  creep    %s\n", facts->creep);
  }
  printEnergy(s);
  bool isKept = facts->folder[0] != '\0';
  printf("  results  %s%s%d rows", facts->folder,
         !isKept              ? ""
         : crHasResultFiles() ? "/result.h5: "
                              : "/result.csv: ",
         facts->rowCount);
  if (facts->rowCount > s->outputCount) {
    printf(", %d of them at events,", facts->rowCount - s->outputCount);
  }
  printf(" of %d variables", facts->columnCount);
  if (facts->columnCount < facts->variableCount) {
    printf(", out of %d; --record '**' records all", facts->variableCount);
  }
  fputs(isKept ? "" : ", not kept; --out DIR keeps them", stdout);
  putchar('\n');
  if (facts->hasReport) {
    printf("  report   %s/report.html\n", facts->folder);
  }
  if (facts->canResume) {
    const char* quote = strchr(facts->folder, ' ') != NULL ? "'" : ""; // so that it can be copied into a shell
    printf("  to go on carom resume %s%s%s\n", quote, facts->folder, quote);
  }
}

// run.json as it was written.
static void printJson(const crRunFacts* facts)
{
  char path[CR_RUN_FOLDER_SIZE + 16], buffer[4096];
  snprintf(path, sizeof path, "%s/run.json", facts->folder);
  FILE* file = fopen(path, "r");
  size_t size;
  while (file != NULL && (size = fread(buffer, 1, sizeof buffer, file)) > 0) {
    (void)fwrite(buffer, 1, size, stdout); // main looks for errors
  }
  if (file != NULL) {
    (void)fclose(file);
  }
}

// --------------------------------------------------------------------------------------------- end

int crExitOfRun(crStatus status, bool hasRun, crRunEnd end)
{
  if (status != cr_ok) {
    return hasRun && end == cr_runFailed ? CR_EXIT_FAILED : CR_EXIT_MODEL;
  }
  return end == cr_runStopped ? CR_EXIT_INTERRUPTED : CR_EXIT_OK;
}

int crTellRun(crStatus status, const crRunFacts* facts, bool isJson, bool isQuiet)
{
  if (status == cr_errorMemory || status == cr_errorMisuse || status > 0) { // nobody else tells these
    fprintf(stderr, "carom: %s\n", crStatus_GetText(status));
  }
  if (facts->hasRun && isJson) {
    printJson(facts);
  } else if (facts->hasRun && !isQuiet) {
    printSummary(facts);
  }
  return crExitOfRun(status, facts->hasRun, facts->end);
}
