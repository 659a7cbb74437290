// Mechanisms of few bodies whose contacts come and go all the time, and stiff ones: each by default and with islands
// off, at the tolerance of its model. The default must not be slower than one step for all, and the cost of a robot arm
// must not jump with its length. The error is that of the bodies at the end, of points up to 0.1 m off their origins,
// against a run by default at a tolerance a hundred times tighter; robot arms rattle on a floor, where any error grows
// until it says nothing, and have none.
//
// usage: bench_mechanisms [--quick]     one repetition, no errors
#include "measure.h"
#include "record.h"

#include <stdio.h>
#include <string.h>

#define RATIO_LIMIT 1.15       // CPU time by default over that with islands off
#define SPREAD_LIMIT 2.0       // of the robot arm's CPU times
#define TIGHTER 0.01           // tolerance of the reference over that of the run
#define SHORT_RUN 0.5          // [s] of CPU time: shorter ones are repeated
#define REPEATS 5              // of those
#define ROUNDS 2               // of all of them, default and off in turns
#define LONGEST_RUN 60         // [s] of CPU time
#define ARM_LENGTH 0.1         // [m] by which the error of an angle counts
#define CONTACT_TOLERANCE 1e-8 // of models that do not say
#define DEFAULT_STOP_TIME 10   // [s] of models that do not say

typedef struct Mechanism {
  const char* name;
  const char* path;
  crSetting setting; // without a name: none
  bool isArm;        // one of those whose costs are compared with each other
} Mechanism;

#define ARM(length)                                                                                                    \
  {                                                                                                                    \
    "robot arm " length, BENCH_EXAMPLES "/robot_arm.lua", { "robot.arm.upper", length }, true                          \
  }

static const Mechanism mechanisms[] = {
  { "cam follower", BENCH_SCENES "/cam_follower.lua", { 0 }, false },
  { "Geneva wheel", BENCH_SCENES "/geneva.lua", { 0 }, false },
  { "spinning coin", BENCH_SCENES "/spinning_coin.lua", { 0 }, false },
  { "walking toy", BENCH_SCENES "/walking_toy.lua", { 0 }, false },
  { "chain on a drum", BENCH_SCENES "/drum_chain.lua", { 0 }, false },
  { "closing walls", BENCH_SCENES "/closing_walls.lua", { 0 }, false },
  { "flyballs, buffer", BENCH_SCENES "/flyball_stop.lua", { 0 }, false },
  { "wheel on bumps", BENCH_SCENES "/wheel_rig.lua", { 0 }, false },
  { "governor", BENCH_EXAMPLES "/governor.lua", { 0 }, false },
  { "wishbone", BENCH_EXAMPLES "/wishbone.lua", { 0 }, false },
  ARM("0.40"),
  ARM("0.41"),
  ARM("0.42"),
  ARM("0.43"),
  ARM("0.44"),
};
#define MECHANISM_COUNT ((int)(sizeof mechanisms / sizeof mechanisms[0]))

// The run that the model asks for.
static Job planRun(const Mechanism* mechanism)
{
  Job job = makeJob(mechanism->path, DEFAULT_STOP_TIME, 0);
  crScene* scene = NULL;
  crReadOptions options = crDefaultReadOptions();
  if (crReadModel(mechanism->path, &options, NULL, NULL, &scene) == cr_ok) {
    const crRunOptions* wishes = &crScene_GetOptions(scene)->run;
    job.stop = wishes->stopTime > 0 ? wishes->stopTime : job.stop;
    job.tolerance = wishes->tolerance > 0 ? wishes->tolerance : CONTACT_TOLERANCE;
  }
  crDestroyScene(scene);
  job.settings[0] = mechanism->setting;
  job.limit = LONGEST_RUN;
  return job;
}

// The least CPU time of several runs; of the statistics those of the first.
static Outcome measureRun(Job job, bool isQuick)
{
  Outcome first = measureJob(&job);
  if (!isQuick && first.measurement->isGood && first.measurement->cpuSeconds < SHORT_RUN) {
    job.repeats = REPEATS;
    Outcome again = measureJob(&job);
    first.measurement->cpuSeconds = fmin(first.measurement->cpuSeconds, again.measurement->cpuSeconds);
    freeOutcome(&again);
  }
  return first;
}

static int findObject(const Outcome* outcome, const char* name)
{
  int i = outcome->measurement->objectCount - 1;
  while (i >= 0 && strcmp(outcome->names[i], name) != 0) {
    i--;
  }
  return i;
}

// [m] How far points of a body are apart, at most ARM_LENGTH from its origin.
static double comparePoses(const double* p, const double* q, const double* otherP, const double* otherQ)
{
  double sign = q[0] * otherQ[0] + q[1] * otherQ[1] + q[2] * otherQ[2] + q[3] * otherQ[3] < 0 ? -1 : 1, sine = 0;
  for (int i = 0; i < 4; i++) { // two unit quaternions are 2 sin(angle / 4) apart
    sine = hypot(sine, 0.5 * (q[i] - sign * otherQ[i]));
  }
  double angle = 4 * asin(fmin(sine, 1));
  return hypot(hypot(p[0] - otherP[0], p[1] - otherP[1]), p[2] - otherP[2]) + ARM_LENGTH * angle;
}

// [m] The largest error of a body against another run; NaN: one of them failed.
static double compareEnds(const Outcome* run, const Outcome* other)
{
  double largest = 0;
  if (!run->measurement->isGood || !other->measurement->isGood) {
    return NAN;
  }
  for (int i = 0; i < run->measurement->objectCount; i++) {
    int k = findObject(other, run->names[i]);
    double d = k >= 0 ? comparePoses(run->positions[i], run->turns[i], other->positions[k], other->turns[k]) : NAN;
    largest = d > largest || isnan(d) ? d : largest;
  }
  return largest;
}

// [J] What work and losses do not explain.
static double unexplained(const crSimulationSummary* s)
{
  double start = s->startEnergy.kinetic + s->startEnergy.potential + s->startEnergy.elastic;
  double end = s->endEnergy.kinetic + s->endEnergy.potential + s->endEnergy.elastic;
  return end - start - s->work + s->dissipated;
}

static void printRun(const char* name, const char* mode, const Outcome* run, double error)
{
  const Measurement* m = run->measurement;
  const crSimulationSummary* s = &m->summary;
  if (!m->isGood) {
    printf("| %-16s | %-7s | fails: %s\n", name, mode, m->message);
    return;
  }
  printf("| %-16s | %-7s | %9.2f | %8lld | %9lld | %8lld | %9.1e | %13.1e |", name, mode, 1e3 * m->cpuSeconds,
         (long long)s->solverStatistics.steps, (long long)s->solverStatistics.evaluations, (long long)s->contactCount,
         error, unexplained(s));
}

typedef struct Costs {
  double byDefault, off; // [s]
} Costs;

static Costs measureMechanism(const Mechanism* mechanism, bool isQuick)
{
  Job job = planRun(mechanism), single = job, tight = job;
  single.hasIslands = false;
  tight.tolerance = TIGHTER * job.tolerance;
  Outcome byDefault = measureRun(job, isQuick), off = measureRun(single, isQuick);
  for (int i = 1; i < ROUNDS && !isQuick; i++) {
    Outcome a = measureRun(job, isQuick), b = measureRun(single, isQuick);
    byDefault.measurement->cpuSeconds = fmin(byDefault.measurement->cpuSeconds, a.measurement->cpuSeconds);
    off.measurement->cpuSeconds = fmin(off.measurement->cpuSeconds, b.measurement->cpuSeconds);
    freeOutcome(&a);
    freeOutcome(&b);
  }
  double error = NAN, offError = NAN;
  if (!isQuick && !mechanism->isArm) {
    Outcome reference = measureJob(&tight);
    error = compareEnds(&byDefault, &reference);
    offError = compareEnds(&off, &reference);
    freeOutcome(&reference);
  }
  Costs costs = { byDefault.measurement->isGood ? byDefault.measurement->cpuSeconds : HUGE_VAL,
                  off.measurement->isGood ? off.measurement->cpuSeconds : HUGE_VAL };
  printRun(mechanism->name, "default", &byDefault, error);
  printf(" %5.2f |\n", costs.byDefault / costs.off);
  printRun("", "off", &off, offError);
  printf("       |\n");
  fflush(stdout);
  freeOutcome(&byDefault);
  freeOutcome(&off);
  return costs;
}

int main(int argc, char** argv)
{
  bool isQuick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  double worst = 0, cheapest = HUGE_VAL, dearest = 0;
  printMachine();
  printf("| %-16s | %-7s | %9s | %8s | %9s | %8s | %9s | %13s | %5s |\n", "mechanism", "islands", "CPU [ms]", "steps",
         "rates", "contacts", "error [m]", "unexpl. [J]", "ratio");
  printf("|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < MECHANISM_COUNT; i++) {
    Costs costs = measureMechanism(&mechanisms[i], isQuick);
    double ratio = costs.byDefault / costs.off;
    worst = ratio > worst || isnan(ratio) ? ratio : worst;
    if (mechanisms[i].isArm) {
      cheapest = fmin(cheapest, costs.byDefault);
      dearest = fmax(dearest, costs.byDefault);
    }
  }
  double spread = dearest / cheapest;
  printf("default over off: %.2f at most, limit %.2f; robot arms, dearest over cheapest: %.2f, limit %.1f\n", worst,
         RATIO_LIMIT, spread, SPREAD_LIMIT);
  recordNumber("mechanisms.ratio", worst);
  recordNumber("mechanisms.spread", spread);
  return isQuick || (worst <= RATIO_LIMIT && spread <= SPREAD_LIMIT) ? 0 : 1;
}
