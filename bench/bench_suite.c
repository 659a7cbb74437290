// The suite: every scene in one line, with its cost and the error that it bought.
//
// usage: bench_suite [--quick | --all] [--islands on|off] [--threads N] [--solver NAME] [--tol TOL] [--repeat N]
//                    [--reference] [NAME...]
//
// Names choose scenes that begin so. --quick leaves out what takes longer than a second or two, --all takes the
// largest ones as well. --reference prints the block of bench/references.txt instead: a run at 1e-11 of the explicit
// method of order 8, all in one step, compared with a second method.
#include "measure.h"
#include "record.h"
#include "reference.h"
#include "suite.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCE_TOLERANCE 1e-11
#define CHECK_TOLERANCE 1e-12

typedef struct Options {
  int size; // of scenes, at most
  bool hasIslands;
  int threads, repeats;
  double tolerance; // 0: that of the scene
  crSolverKind solver;
  bool writesReference;
  char** names;
  int nameCount;
} Options;

static Options parseOptions(int argc, char** argv)
{
  static const struct option known[] = { { "quick", no_argument, NULL, 'q' },
                                         { "all", no_argument, NULL, 'a' },
                                         { "islands", required_argument, NULL, 'i' },
                                         { "threads", required_argument, NULL, 't' },
                                         { "solver", required_argument, NULL, 's' },
                                         { "tol", required_argument, NULL, 'e' },
                                         { "repeat", required_argument, NULL, 'r' },
                                         { "reference", no_argument, NULL, 'w' },
                                         { NULL, 0, NULL, 0 } };
  Options options = { .size = 1, .hasIslands = true, .threads = 1, .repeats = 3, .solver = cr_solverAuto };
  for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    switch (c) {
      case 'q': options.size = 0; break;
      case 'a': options.size = 2; break;
      case 'i': options.hasIslands = strcmp(optarg, "off") != 0; break;
      case 't': options.threads = atoi(optarg); break;
      case 's': options.solver = crFindSolver(optarg); break;
      case 'e': options.tolerance = atof(optarg); break;
      case 'r': options.repeats = atoi(optarg); break;
      case 'w': options.writesReference = true; break;
      default: fprintf(stderr, "bench_suite: see the head of bench/bench_suite.c\n"); exit(2);
    }
  }
  options.names = argv + optind;
  options.nameCount = argc - optind;
  return options;
}

static bool isWanted(const Options* options, const SuiteScene* scene)
{
  for (int i = 0; i < options->nameCount; i++) {
    if (strncmp(scene->name, options->names[i], strlen(options->names[i])) == 0) {
      return true;
    }
  }
  return options->nameCount == 0 && scene->size <= options->size;
}

static Job makeSuiteJob(const SuiteScene* scene, const Options* options, char path[1024])
{
  bool isExample = strncmp(scene->file, "examples/", 9) == 0;
  snprintf(path, 1024, "%s/%s", isExample ? BENCH_EXAMPLES : BENCH_SCENES, scene->file + (isExample ? 9 : 0));
  Job job = makeJob(path, scene->stop, options->tolerance > 0 ? options->tolerance : scene->tolerance);
  memcpy(job.settings, scene->settings, sizeof job.settings);
  job.hasIslands = options->hasIslands;
  job.threads = options->threads;
  job.solver = options->solver;
  job.repeats = scene->size > 0 ? 1 : options->repeats;
  return job;
}

// ---------------------------------------------------------------------------------------------- errors

// [-] what the energy balance leaves over, over what was turned over.
static double findEnergyError(const crSimulationSummary* s)
{
  double start = s->startEnergy.kinetic + s->startEnergy.potential + s->startEnergy.elastic;
  double end = s->endEnergy.kinetic + s->endEnergy.potential + s->endEnergy.elastic;
  double scale = fmax(s->startEnergy.kinetic, fmax(fabs(s->dissipated), fabs(s->work)));
  return fabs(end - start - s->work + s->dissipated) / (scale > 0 ? scale : fabs(start));
}

static double findError(const SuiteScene* scene, const Outcome* outcome)
{
  switch (scene->check) {
    case suitePositions: return findReferenceError(scene->name, outcome);
    case suiteEnergy: return findEnergyError(&outcome->measurement->summary);
    default: return outcome->measurement->deepest;
  }
}

static const char* checkText(SuiteCheck check)
{
  switch (check) {
    case suitePositions: return "m, position";
    case suiteEnergy: return "-, energy balance";
    default: return "m, deepest contact";
  }
}

// ------------------------------------------------------------------------------------------------ rows

static void recordRow(const char* scene, const char* what, double value)
{
  char key[128];
  snprintf(key, sizeof key, "suite.%s.%s", scene, what);
  recordNumber(key, value);
}

static void printHead(void)
{
  printMachine();
  printf("%-14s %8s %9s %10s %8s %11s %8s %10s %8s %9s  %s\n", "scene", "tol", "CPU [ms]", "[ms/s]", "steps",
         "evaluations", "events", "narrow", "MB", "error", "of");
}

static bool printRow(const SuiteScene* scene, const Job* job)
{
  Outcome outcome = measureJob(job);
  const Measurement* m = outcome.measurement;
  const crSolverStatistics* n = &m->summary.solverStatistics;
  if (m->isGood) {
    double error = findError(scene, &outcome);
    printf("%-14s %8.0e %9.4g %10.4g %8lld %11lld %8lld %10lld %8.0f %9.1e  %s\n", scene->name, job->tolerance,
           1e3 * m->cpuSeconds, 1e3 * m->cpuSeconds / job->stop, (long long)n->steps, (long long)n->evaluations,
           (long long)m->summary.eventCount, (long long)m->summary.distanceCount, m->peakMemory / 1e6, error,
           checkText(scene->check));
    recordRow(scene->name, "cpu", m->cpuSeconds);
    recordRow(scene->name, "error", error);
    recordRow(scene->name, "steps", (double)n->steps);
    recordRow(scene->name, "memory", m->peakMemory);
  } else {
    printf("%-14s %8.0e fails: %s\n", scene->name, job->tolerance, m->message);
  }
  fflush(stdout);
  bool isGood = m->isGood;
  freeOutcome(&outcome);
  return isGood;
}

// A reference and its distance from a second method.
static bool printSceneReference(const SuiteScene* scene, Job job)
{
  char how[256];
  job.repeats = 1;
  job.hasIslands = false;
  job.tolerance = REFERENCE_TOLERANCE;
  job.solver = cr_solverDop853;
  Outcome outcome = measureJob(&job);
  job.tolerance = CHECK_TOLERANCE;
  job.solver = cr_solverCvodeBdf;
  Outcome check = measureJob(&job);
  bool isGood = outcome.measurement->isGood && check.measurement->isGood;
  double difference = 0;
  for (int i = 0; isGood && i < outcome.measurement->objectCount; i++) {
    for (int k = 0; k < 3; k++) {
      difference = fmax(difference, fabs(outcome.positions[i][k] - check.positions[i][k]));
    }
  }
  snprintf(how, sizeof how, "bench_suite --reference %s: dop853 at %.0e; cvode-bdf at %.0e differs by %.1e m",
           scene->name, REFERENCE_TOLERANCE, CHECK_TOLERANCE, difference);
  if (isGood) {
    printReference(scene->name, how, &outcome);
  } else {
    fprintf(stderr, "%s: %s%s\n", scene->name, outcome.measurement->message, check.measurement->message);
  }
  freeOutcome(&outcome);
  freeOutcome(&check);
  return isGood;
}

int main(int argc, char** argv)
{
  Options options = parseOptions(argc, argv);
  bool isGood = true;
  if (!options.writesReference) {
    printHead();
  }
  for (int i = 0; i < SUITE_COUNT; i++) {
    const SuiteScene* scene = &suiteScenes[i];
    char path[1024];
    if (!isWanted(&options, scene)) {
      continue;
    }
    Job job = makeSuiteJob(scene, &options, path);
    if (!options.writesReference) {
      isGood = printRow(scene, &job) && isGood;
    } else if (scene->check == suitePositions) {
      isGood = printSceneReference(scene, job) && isGood;
    }
  }
  return isGood ? 0 : 1;
}
