// Runs of scenes in processes of their own.
#define _GNU_SOURCE // wait4, MAP_ANONYMOUS
#include "measure.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_OBJECTS 200000 // room that is reserved; pages are taken when they are written

Job makeJob(const char* path, double stop, double tolerance)
{
  return (Job){ .path = path,
                .stop = stop,
                .tolerance = tolerance,
                .solver = cr_solverAuto,
                .hasIslands = true,
                .threads = 1,
                .repeats = 1,
                .limit = 120 };
}

static double processSeconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void keepMessage(void* context, const crError* error)
{
  Measurement* m = context;
  if (error->severity == cr_severityError && m->message[0] == '\0') {
    crError_Format(error, m->message, sizeof m->message);
  }
}

static crModel* openModel(const Job* job, const crErrorSink* sink)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  crReadOptions options = crDefaultReadOptions();
  options.settings = job->settings;
  while (options.settingCount < MEASURE_SETTINGS && job->settings[options.settingCount].name != NULL) {
    options.settingCount++;
  }
  if (crReadModel(job->path, &options, NULL, sink, &scene) == cr_ok) {
    crCompile(scene, NULL, NULL, sink, &model);
  }
  crDestroyScene(scene);
  return model;
}

static crSimulationOptions makeOptions(const Job* job)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = job->stop;
  options.interval = job->interval > 0 ? job->interval : job->stop;
  options.tolerance = job->tolerance;
  options.solver = job->solver;
  options.islands = job->hasIslands ? cr_islandsOn : cr_islandsOff;
#ifdef BENCH_HAS_THREADS
  options.threads = job->threads;
#endif
  return options;
}

static void takeSample(Measurement* m, crSimulation* simulation)
{
  const crInstance* instance = crSimulation_GetInstance(simulation);
  crSimulationSummary summary = crSimulation_GetSummary(simulation);
  if (m->sampleCount < MEASURE_SAMPLES) {
    m->samples[m->sampleCount++] =
        (Sample){ .time = crSimulation_GetTime(simulation),
                  .cpuSeconds = summary.cpuSeconds,
                  .steps = (double)summary.solverStatistics.steps,
                  .kinetic = crInstance_ComputeEnergy(instance, crSimulation_GetSet(simulation), -1).kinetic };
  }
}

// What lies where at the end.
static void lookAtEnd(const Outcome* outcome, crSimulation* simulation)
{
  Measurement* m = outcome->measurement;
  const crInstance* instance = crSimulation_GetInstance(simulation);
  const crModel* model = crInstance_GetModel(instance);
  crTreeSet set = crSimulation_GetSet(simulation);
  m->contactCount = set.contacts != NULL ? crContacts_Count(set.contacts) : 0;
  m->deepest = m->height = m->fastest = 0;
  m->objectCount = 0;
  for (int i = 0; i < m->contactCount; i++) {
    m->deepest = fmax(m->deepest, crContacts_Get(set.contacts, i).depth);
  }
  int count = crModel_GetSize(model).objectCount, lastBody = 0;
  for (int i = 0; i < count && m->objectCount < MAX_OBJECTS; i++) {
    const crModelObject* object = crModel_GetObject(model, i);
    if (object->body == lastBody) {
      continue; // objects come by body, those of the world first
    }
    lastBody = object->body;
    crPose pose = crInstance_GetPose(instance, i);
    crVec3 p = pose.p;
    crQuat q = crMat3ToQuat(pose.R);
    double *x = outcome->positions[m->objectCount], *turn = outcome->turns[m->objectCount];
    turn[0] = q.w;
    turn[1] = q.x;
    turn[2] = q.y;
    turn[3] = q.z;
    x[0] = p.x;
    x[1] = p.y;
    x[2] = p.z;
    snprintf(outcome->names[m->objectCount++], sizeof outcome->names[0], "%s", crModel_GetObjectPath(model, i));
    m->height += p.z;
    m->fastest = fmax(m->fastest, crLength(crInstance_GetMotion(instance, i).v));
  }
  m->height /= m->objectCount > 0 ? m->objectCount : 1;
}

static bool runOnce(const Job* job, const crModel* model, const crErrorSink* sink, const Outcome* outcome)
{
  Measurement* m = outcome->measurement;
  crSimulationOptions options = makeOptions(job);
  crSimulation* simulation = NULL;
  bool isGood = crCreateSimulation(model, &options, NULL, sink, &simulation) == cr_ok;
  int count = job->interval > 0 ? (int)lround(job->stop / job->interval) : 1;
  m->sampleCount = 0;
  for (int i = 1; i <= count && isGood; i++) {
    isGood = crSimulation_Advance(simulation, i == count ? job->stop : job->stop * i / count) == cr_ok;
    takeSample(m, simulation);
  }
  if (isGood) {
    m->summary = crSimulation_GetSummary(simulation);
    m->cpuSeconds = fmin(m->cpuSeconds, m->summary.cpuSeconds);
    m->wallSeconds = fmin(m->wallSeconds, m->summary.wallSeconds);
    lookAtEnd(outcome, simulation);
  }
  crDestroySimulation(simulation);
  return isGood;
}

static void runJob(const Job* job, const Outcome* outcome)
{
  Measurement* m = outcome->measurement;
  crErrorSink sink = { keepMessage, m };
  double start = processSeconds();
  crModel* model = openModel(job, &sink);
  m->openSeconds = processSeconds() - start;
  m->cpuSeconds = m->wallSeconds = HUGE_VAL;
  bool isGood = model != NULL;
  for (int i = 0; i < job->repeats && isGood; i++) {
    isGood = runOnce(job, model, &sink, outcome);
  }
  m->isGood = isGood;
  crDestroyModel(model);
}

static Outcome makeOutcome(void)
{
  size_t head = (sizeof(Measurement) + 63) & ~(size_t)63, names = NAME_SIZE * (size_t)MAX_OBJECTS;
  Outcome outcome = { .size = head + names + sizeof(double[3 + 4]) * MAX_OBJECTS };
  char* memory = mmap(NULL, outcome.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    perror("bench: mmap");
    exit(1);
  }
  outcome.measurement = (Measurement*)(void*)memory;
  outcome.names = (char(*)[NAME_SIZE])(void*)(memory + head);
  outcome.positions = (double(*)[3])(void*)(memory + head + names);
  outcome.turns = (double(*)[4])(void*)(outcome.positions + MAX_OBJECTS);
  return outcome;
}

Outcome measureJob(const Job* job)
{
  Outcome outcome = makeOutcome();
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    struct rlimit limit = { (rlim_t)ceil(job->limit), (rlim_t)ceil(job->limit) + 1 };
    setrlimit(RLIMIT_CPU, &limit);
    runJob(job, &outcome);
    _exit(0);
  }
  int status = 0;
  struct rusage usage = { 0 };
  if (child < 0 || wait4(child, &status, 0, &usage) != child) {
    perror("bench: fork");
    exit(1);
  }
  if (!WIFEXITED(status)) {
    outcome.measurement->isGood = false;
    snprintf(outcome.measurement->message, sizeof outcome.measurement->message,
             WTERMSIG(status) == SIGXCPU ? "longer than %.0f s" : "ended by signal %.0f",
             WTERMSIG(status) == SIGXCPU ? job->limit : (double)WTERMSIG(status));
  }
  outcome.measurement->peakMemory = 1024.0 * (double)usage.ru_maxrss;
  return outcome;
}

void freeOutcome(Outcome* outcome)
{
  munmap(outcome->measurement, outcome->size);
  *outcome = (Outcome){ 0 };
}

const double* findPosition(const Outcome* outcome, const char* name)
{
  for (int i = 0; i < outcome->measurement->objectCount; i++) {
    if (strcmp(outcome->names[i], name) == 0) {
      return outcome->positions[i];
    }
  }
  return NULL;
}

void printMachine(void)
{
  char line[512] = "";
  FILE* file = fopen("/proc/cpuinfo", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "model name", 10) != 0) {
    line[0] = '\0';
  }
  if (file != NULL) {
    fclose(file);
  }
  char* name = strchr(line, ':');
  printf("processor %s\ncompiler %s,%s\n", name != NULL ? strtok(name + 2, "\n") : "unknown", BENCH_COMPILER,
         BENCH_FLAGS);
}
