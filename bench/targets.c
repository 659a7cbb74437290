// The table of targets, from what the programs of the suite left in a file (record.h): each row with what was asked
// for, what was measured, and whether it was met. What was not measured is not met.
//
// usage: targets FILE     1 as exit code: a row is missed
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RECORDS 4000

typedef struct Record {
  char key[96];
  double value;
} Record;

static Record records[MAX_RECORDS];
static int recordCount, missedCount;

static void readRecords(const char* path)
{
  FILE* file = fopen(path, "r");
  if (file == NULL) {
    fprintf(stderr, "targets: %s cannot be read\n", path);
    exit(2);
  }
  while (recordCount < MAX_RECORDS &&
         fscanf(file, "%95s %lf", records[recordCount].key, &records[recordCount].value) == 2) {
    recordCount++;
  }
  fclose(file);
}

// The last value of this key; NaN: there is none.
static double find(const char* key)
{
  for (int i = recordCount - 1; i >= 0; i--) {
    if (strcmp(records[i].key, key) == 0) {
      return records[i].value;
    }
  }
  return NAN;
}

static double findSized(const char* format, int n)
{
  char key[96];
  snprintf(key, sizeof key, format, n);
  return find(key);
}

static void printRow(const char* scene, const char* target, double measured, const char* unit, bool isMet)
{
  char text[32];
  snprintf(text, sizeof text, isnan(measured) ? "not measured" : "%.3g", measured);
  printf("| %-50s | %-46s | %12s %-6s | %-6s |\n", scene, target, text, unit, isMet ? "met" : "MISSED");
  missedCount += !isMet;
}

// A row that has no limit.
static void printNumber(const char* scene, const char* about, double measured, const char* unit)
{
  char text[32];
  snprintf(text, sizeof text, isnan(measured) ? "not measured" : "%.3g", measured);
  printf("| %-50s | %-46s | %12s %-6s | %-6s |\n", scene, about, text, unit, "");
}

static void printAtMost(const char* scene, const char* target, double measured, double limit, const char* unit)
{
  printRow(scene, target, measured, unit, measured <= limit);
}

static void printAtLeast(const char* scene, const char* target, double measured, double limit)
{
  printRow(scene, target, measured, "x", measured >= limit);
}

// ------------------------------------------------------------------------------------------------- rows

// [s] The fastest tolerance that keeps the error on all racks.
static double findRackTime(double error)
{
  double best = NAN;
  for (int k = 4; k <= 10; k++) {
    double seconds[2] = { findSized("racks.carom.1e-%02d.cpu", k), findSized("racks.carom.3e-%02d.cpu", k) };
    double errors[2] = { findSized("racks.carom.1e-%02d.error", k), findSized("racks.carom.3e-%02d.error", k) };
    for (int i = 0; i < 2; i++) {
      best = errors[i] <= error && !(seconds[i] >= best) ? seconds[i] : best;
    }
  }
  return best;
}

static void printBilliards(void)
{
  const char* scene = "billiards16, 5 s, error <= 1e-6 m on 21 racks";
  double fine = findRackTime(1e-6), loose = findRackTime(1e-4);
  double simbody = find("billiards.Simbody,_CPodes_BDF,_accuracy_1e-8.cpu");
  printAtMost(scene, "at most 30 ms", 1e3 * fine, 30, "ms");
  printAtLeast(scene, "7 x faster than one step for all, by hand", find("racks.hand.1e-08.cpu") / fine, 7);
  printAtLeast(scene, "400 x faster than Simbody, CPodes, 1e-8", simbody / fine, 400);
  printNumber(scene, "the prototype at 1e-8 takes", 1e3 * find("racks.prototype.1e-08.cpu"), "ms");
  printAtLeast("billiards16, 5 s, error <= 1e-4 m on 21 racks", "15 x faster than ODE worldstep, 1 ms (0.2 m off)",
               find("billiards.ODE,_worldstep,_step_0.001_s.cpu") / loose, 15);
}

static void printScale(void)
{
  static const int sizes[] = { 16, 100, 1000, 10000 };
  for (int i = 0; i < 4; i++) {
    char scene[64];
    int n = sizes[i];
    double together = findSized("scale.bouncing.%d.carom.steps", n) / n;
    double change = together / findSized("scale.bouncing.%d.carom.alone", n) - 1;
    snprintf(scene, sizeof scene, "%d balls that bounce alone", n);
    printRow(scene, "steps of a ball as alone, +- 5 %", 100 * change, "%", fabs(change) <= 0.05);
  }
  for (int i = 1; i < 4; i++) {
    char scene[64];
    double ratio = findSized("scale.box.%d.carom.cpu", sizes[i]) / findSized("scale.box.%d.prototype.same", sizes[i]);
    snprintf(scene, sizeof scene, "%d balls in a box, 10 %% covered, friction", sizes[i]);
    printAtMost(scene, "at most 3 x the prototype at the same error", ratio, 3, "x");
  }
  double growth = find("scale.box.10000.carom.cpu") / 10000 / (find("scale.box.100.carom.cpu") / 100);
  printAtMost("balls in a box, 100 to 10,000", "cost of a ball grows by 1.3 at most", growth, 1.3, "x");
  double speedup = find("scale.threads.speedup");
  printRow("1,000 balls in a box, two threads", "1.7 x faster, same bits", speedup, "x",
           speedup >= 1.7 && find("scale.threads.same") == 1);
  printAtMost("100,000 balls in a box", "at most 2 GB", find("scale.large.memory") / 1e9, 2, "GB");
}

static void printPiles(void)
{
  double small = find("pile.carom.100.settling"), large = find("pile.carom.1000.settling");
  printAtLeast("pile of 100 spheres, settling", "10 x faster than the faster of two Simbody integrators",
               fmin(find("pile.simbody.100.settling"), find("pile.simbody_euler.100.settling")) / small, 10);
  printAtMost("pile, 100 to 1,000 spheres, settling", "cost grows by 15 at most", large / small, 15, "x");
  for (int n = 100; n <= 1000; n *= 10) {
    char scene[64];
    snprintf(scene, sizeof scene, "pile of %d spheres", n);
    printNumber(scene, "settling, over ODE quickstep (goal 1)",
                findSized("pile.carom.%d.settling", n) / findSized("pile.ode.%d.settling", n), "x");
    printNumber(scene, "at rest, over ODE quickstep (goal 1)",
                findSized("pile.carom.%d.rest", n) / findSized("pile.ode.%d.rest", n), "x");
  }
}

// Crowds: costs next to ODE, Bullet and MuJoCo in the same run, with the errors after 20 ms at 1e-3. What these were
// with contacts that begin by a search and root mean squares is what they must not exceed; of 10,000 spheres by root
// mean squares alone, the geometric mean 2 x that and the largest 1.5 x (docs/numerics.md).
static void printCrowdErrors(int n, const double limits[4])
{
  static const char *const names[4] = { "rms", "geo", "p95", "largest" }, *const texts[4] = {
    "rms", "geometric mean of states", "95 % of bodies", "largest"
  };
  for (int i = 0; i < 4; i++) {
    char scene[64], target[64], key[96];
    snprintf(scene, sizeof scene, "pile of %d spheres, error of velocities, 20 ms", n);
    snprintf(target, sizeof target, "%s: at most %.2g m/s", texts[i], limits[i]);
    snprintf(key, sizeof key, "pile.error.%d.1e-03.%s", n, names[i]);
    printAtMost(scene, target, find(key), limits[i], "m/s");
  }
}

static void printCrowds(void)
{
  static const double ofSmall[4] = { 5.8e-5, 2.3e-5, 1.7e-4, 4.4e-4 }, ofLarge[4] = { 3.9e-5, 2.5e-5, 7.2e-5, 8.0e-4 };
  static const double ofLargest[4] = { 1.8e-4, 2 * 4.6e-5, 1.6e-4, 1.5 * 1.5e-3 };
  double small = find("pile.carom.100.settling"), large = find("pile.carom.1000.settling");
  printAtMost("pile of 100 spheres, settling", "at most 0.4 x ODE quickstep", small / find("pile.ode.100.settling"),
              0.4, "x");
  printCrowdErrors(100, ofSmall);
  printAtMost("pile of 1000 spheres, settling", "at most 1 x ODE quickstep", large / find("pile.ode.1000.settling"), 1,
              "x");
  printCrowdErrors(1000, ofLarge);
  for (int n = 100; n <= 1000; n *= 10) {
    char scene[64];
    snprintf(scene, sizeof scene, "pile of %d spheres, at rest", n);
    printAtMost(scene, "at most 0.2 x ODE quickstep",
                findSized("pile.carom.%d.rest", n) / findSized("pile.ode.%d.rest", n), 0.2, "x");
  }
  printAtMost("pile of 10000 spheres, settling", "at most 1 x ODE quickstep",
              find("pile.carom.10000.settling") / find("pile.ode.10000.settling"), 1, "x");
  printCrowdErrors(10000, ofLargest);
  double two = find("pile.threads.speedup");
  printRow("pile of 10000 spheres, two threads", "1.7 x faster, same bits", two, "x",
           two >= 1.7 && find("pile.threads.same") == 1);
  for (int n = 1000; n <= 10000; n *= 10) {
    char scene[64];
    snprintf(scene, sizeof scene, "pile, %d to %d spheres, 0.2 to 0.5 s", n / 10, n);
    printAtMost(scene, "cost of a body in a step grows by 1.3 at most",
                findSized("pile.carom.%d.step", n) / findSized("pile.carom.%d.step", n / 10), 1.3, "x");
  }
  printNumber("pile, 100 to 1,000 spheres, settling", "cost of a ball and simulated second grows by",
              large / small / 10, "x");
  printAtMost("pile of 10000 spheres that land on each other", "at most 20 kB a body",
              1e-3 * find("crowd.memory.10000"), 20, "kB");
  printAtMost("pile of 10000 spheres, 0.2 s, dense", "at most 20 kB a body", 1e-3 * find("crowd.memory.dense.10000"),
              20, "kB");
  double rest = find("crowd.rest.cpu.1000");
  printAtMost("1,000 balls at rest, friction that sticks, 100 s", "at most 1 s", rest, 1, "s");
  const char* hopper = "hopper, 300 steel balls, 3 s, 1e-8";
  bool isComplete = find("crowd.hopper.time.300") > 3 - 1e-6;
  printRow(hopper, "at most 20 s", find("crowd.hopper.cpu.300") * 3 / find("crowd.hopper.time.300"), "s",
           isComplete && find("crowd.hopper.cpu.300") <= 20);
  printAtMost(hopper, "unexplained: 1e-4 of what turns over", find("crowd.hopper.unexplained.300"), 1e-4, "");
  for (int n = 100; n <= 1000; n *= 10) {
    char scene[64];
    double own = findSized("mixed.carom.%d.cpu", n);
    snprintf(scene, sizeof scene, "%d boxes, cylinders, hulls, 0.5 s, 1e-3", n);
    printAtMost(scene, "unexplained: 3e-3 of what turns over", findSized("mixed.carom.%d.unexplained", n), 3e-3, "");
    printNumber(scene, "over Bullet, 1 ms (goal 1)", own / findSized("mixed.bullet.%d.cpu", n), "x");
    if (n == 100) { // MuJoCo has no room for more
      printNumber(scene, "over MuJoCo, 1 ms (goal 1)", own / findSized("mixed.mujoco.%d.cpu", n), "x");
    }
  }
}

static void printFlat(void)
{
  double change = fabs(find("boxes.carom.1e+07.1e-07.change"));
  double least = fmin(fabs(find("boxes.ode.1e-04.change")), fabs(find("boxes.mujoco.1e-04.change")));
  least = fmin(least, fabs(find("boxes.bullet.1e-04.change")));
  printAtMost("impacts of all pairs of shapes", "at most 3 x two ellipsoids", find("impacts.ratio"), 3, "x");
  printAtMost("six dropped boxes, 2 s, no losses, 1e-7", "energy to 1e-5 of 415 J", change, 4.15e-3, "J");
  printNumber("six dropped boxes, 2 s, no losses", "energy that the best peer loses or makes, 0.1 ms", least, "J");
}

int main(int argc, char** argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: targets FILE\n");
    return 2;
  }
  readRecords(argv[1]);
  printf("| %-50s | %-46s | %19s | %-6s |\n", "scene", "target", "measured", "");
  printf("|---|---|---|---|\n");
  printBilliards();
  printScale();
  printPiles();
  printCrowds();
  printFlat();
  const char* settling = "100 boxes, cylinders, hulls settle and rest, 60 s";
  printRow(settling, "runs", find("rest.complete"), "", find("rest.complete") == 1);
  printAtMost(settling, "a second at rest: 1 % of one of settling", 100 * find("rest.rest") / find("rest.settling"), 1,
              "%");
  printAtMost("mechanisms with contacts that come and go", "at most 1.15 x islands off", find("mechanisms.ratio"), 1.15,
              "x");
  printAtMost("robot arms of 0.40 to 0.44 m", "cost differs by 2 at most", find("mechanisms.spread"), 2, "x");
  printAtMost("mobile, 94 revolutes, 5 s, 1e-5", "at most 50 ms", 1e3 * find("mobile.cpu"), 50, "ms");
  printAtMost("rates of a ball on a table, general code", "at most 0.3 us", 1e-3 * find("rates.ball"), 0.3, "us");
  printf("%d missed\n", missedCount);
  return missedCount > 0 ? 1 : 0;
}
