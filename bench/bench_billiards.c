// Sixteen-ball billiards, 5 s: CPU time of the simulation and the error that it bought, at 0.5 s and at 5 s, for every
// solver; and, in the same run, a hand-written program for this scene alone: [DormandPrince80], one step for all balls.
#include "billiards_law.h"
#include "carom/carom.h"
#include "carom/io.h"

#include <stdlib.h>

#define TIME_LIMIT 1.0 // [s] at a tolerance of 1e-8, for the solver of choice
#define REPEATS 3

// ------------------------------------------------------------------------------------------------ Carom

static crModel* readScene(void)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  if (crReadModel(BENCH_SCENES "/billiards16.lua", NULL, NULL, NULL, &scene) == cr_ok) {
    crCompile(scene, NULL, NULL, NULL, &model);
  }
  crDestroyScene(scene);
  return model;
}

static void readBalls(const crSimulation* simulation, double p[BALLS][3])
{
  const crInstance* instance = crSimulation_GetInstance(simulation);
  for (int i = 0; i < BALLS; i++) {
    char name[16];
    snprintf(name, sizeof name, "ball%d", i);
    crVec3 x = crInstance_GetPose(instance, crModel_FindObject(crInstance_GetModel(instance), name)).p;
    p[i][0] = x.x;
    p[i][1] = x.y;
    p[i][2] = x.z;
  }
}

// [s] best of several.
static double runCarom(const crModel* model, crSolverKind solver, double tolerance)
{
  double early[BALLS][3], end[BALLS][3], best = HUGE_VAL;
  crSimulationSummary summary = { 0 };
  for (int i = 0; i < REPEATS; i++) {
    crSimulationOptions options = crDefaultSimulationOptions();
    crSimulation* simulation = NULL;
    options.stopTime = STOP_TIME;
    options.tolerance = tolerance;
    options.solver = solver;
    bool isDone = crCreateSimulation(model, &options, NULL, NULL, &simulation) == cr_ok &&
                  crSimulation_Advance(simulation, 0.5) == cr_ok;
    if (isDone) {
      readBalls(simulation, early);
      isDone = crSimulation_Advance(simulation, STOP_TIME) == cr_ok;
    }
    if (isDone) {
      readBalls(simulation, end);
      summary = crSimulation_GetSummary(simulation);
      best = fmin(best, summary.cpuSeconds);
    }
    crDestroySimulation(simulation);
  }
  char what[64];
  const char* name = crGetSolverInfo(solver)->name;
  snprintf(what, sizeof what, "carom, %s, tolerance %g", name, tolerance);
  printRow(what, best, (long)summary.solverStatistics.steps, (const double(*)[3])early, (const double(*)[3])end);
  return best;
}

// ------------------------------------------------------------------------------------------------- hand

#define STATES 13
#define SIZE (BALLS * STATES) // position, quaternion, velocity, angular velocity, ball by ball

static void split(const double* y, double P[BALLS][3], double V[BALLS][3], double W[BALLS][3])
{
  for (int i = 0; i < BALLS; i++) {
    memcpy(P[i], y + STATES * i, sizeof P[i]);
    memcpy(V[i], y + STATES * i + 7, sizeof V[i]);
    memcpy(W[i], y + STATES * i + 10, sizeof W[i]);
  }
}

static void findRates(const double* y, double* f)
{
  double P[BALLS][3], V[BALLS][3], W[BALLS][3], F[BALLS][3] = { { 0 } }, T[BALLS][3] = { { 0 } };
  split(y, P, V, W);
  findForces((const double(*)[3])P, (const double(*)[3])V, (const double(*)[3])W, F, T);
  for (int i = 0; i < BALLS; i++) {
    const double *q = y + STATES * i + 3, *w = W[i];
    double* out = f + STATES * i;
    memcpy(out, V[i], sizeof V[i]);
    out[3] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    out[4] = 0.5 * (q[0] * w[0] + q[3] * w[1] - q[2] * w[2]);
    out[5] = 0.5 * (q[0] * w[1] - q[3] * w[0] + q[1] * w[2]);
    out[6] = 0.5 * (q[0] * w[2] + q[2] * w[0] - q[1] * w[1]);
    for (int a = 0; a < 3; a++) {
      out[7 + a] = F[i][a] / MASS - (a == 2 ? GRAVITY : 0);
      out[10 + a] = T[i][a] / INERTIA;
    }
  }
}

static void findRoots(const double* y, double z[2])
{
  double P[BALLS][3], V[BALLS][3], W[BALLS][3];
  split(y, P, V, W);
  findIndicators((const double(*)[3])P, z);
}

static void resolve(const double* y, double slack)
{
  double P[BALLS][3], V[BALLS][3], W[BALLS][3];
  split(y, P, V, W);
  resolveContacts((const double(*)[3])P, (const double(*)[3])V, slack);
}

typedef struct Step {
  double y[SIZE], next[SIZE], k[7][SIZE];
} Step;

// One step of the pair of orders 5 and 4; returns its error in units of the tolerance.
static double tryStep(Step* s, double h, double tolerance)
{
  static const double a[7][6] = {
    { 0 },
    { 1. / 5 },
    { 3. / 40, 9. / 40 },
    { 44. / 45, -56. / 15, 32. / 9 },
    { 19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729 },
    { 9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656 },
    { 35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84 },
  };
  static const double e[7] = { 71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40 };
  double sum = 0;
  for (int stage = 1; stage < 7; stage++) {
    for (int i = 0; i < SIZE; i++) {
      double slope = 0;
      for (int j = 0; j < stage; j++) {
        slope += a[stage][j] * s->k[j][i];
      }
      s->next[i] = s->y[i] + h * slope;
    }
    findRates(s->next, s->k[stage]);
  }
  for (int i = 0; i < SIZE; i++) {
    double error = 0;
    for (int j = 0; j < 7; j++) {
      error += e[j] * s->k[j][i];
    }
    double scale = tolerance * (0.01 + fmax(fabs(s->y[i]), fabs(s->next[i])));
    sum += h * error / scale * (h * error / scale);
  }
  return sqrt(sum / SIZE);
}

static bool isCrossed(const double before[2], const double after[2])
{
  return (before[0] <= 0 && after[0] > 0) || (before[1] >= 0 && after[1] < 0);
}

// The step that ends at the first root, by bisection with steps anew: no interpolation.
static double stopAtRoot(Step* s, double h, double tolerance, const double before[2])
{
  double low = 0, high = h, z[2];
  while (high - low > 1e-15 + 1e-13 * h) {
    double middle = 0.5 * (low + high);
    tryStep(s, middle, tolerance);
    findRoots(s->next, z);
    if (isCrossed(before, z)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  tryStep(s, high, tolerance);
  return high;
}

static void startHand(Step* s)
{
  double P[BALLS][3];
  placeBalls(P);
  memset(s, 0, sizeof *s);
  for (int i = 0; i < BALLS; i++) {
    memcpy(s->y + STATES * i, P[i], sizeof P[i]);
    s->y[STATES * i + 3] = 1;
  }
  s->y[7] = CUE_SPEED;
  clearContacts();
  resolve(s->y, 0);
  findRates(s->y, s->k[0]);
}

static void runHand(double tolerance)
{
  static Step s;
  double early[BALLS][3], end[BALLS][3], V[BALLS][3], W[BALLS][3], start = cpuNow(), t = 0, h = 1e-6, before[2],
                                                                   after[2];
  const double stops[2] = { 0.5, STOP_TIME };
  long steps = 0;
  startHand(&s);
  findRoots(s.y, before);
  for (int k = 0; k < 2;) {
    bool isLast = t + h >= stops[k];
    double taken = isLast ? stops[k] - t : h, error = tryStep(&s, taken, tolerance);
    double factor = fmin(5, fmax(0.2, 0.9 * pow(error + 1e-30, -0.2)));
    if (!(error <= 1)) {
      h = taken * factor;
      continue;
    }
    findRoots(s.next, after);
    bool isEvent = isCrossed(before, after);
    taken = isEvent ? stopAtRoot(&s, taken, tolerance, before) : taken;
    isLast = isLast && !isEvent;
    t = isLast ? stops[k] : t + taken;
    memcpy(s.y, s.next, sizeof s.y);
    steps++;
    if (isEvent) {
      resolve(s.y, 1e-13);
      h = fmin(h, 1e-5);
    } else if (!isLast || factor < 1) {
      h = taken * factor;
    }
    findRates(s.y, s.k[0]);
    findRoots(s.y, before);
    if (isLast) {
      split(s.y, k == 0 ? early : end, V, W);
      k++;
    }
  }
  char what[64];
  snprintf(what, sizeof what, "by hand, one step for all, tolerance %g", tolerance);
  printRow(what, cpuNow() - start, steps, (const double(*)[3])early, (const double(*)[3])end);
}

int main(void)
{
  crModel* model = readScene();
  if (model == NULL) {
    return 1;
  }
  printf("compiler %s, flags %s\n", BENCH_COMPILER, BENCH_FLAGS);
  printHead();
  runHand(1e-8);
  double seconds = HUGE_VAL;
  for (int kind = cr_solverAuto; kind < cr_solverKindCount; kind++) {
    double now = runCarom(model, (crSolverKind)kind, 1e-8);
    seconds = kind == cr_solverAuto ? now : seconds;
  }
  runCarom(model, cr_solverAuto, 1e-6);
  runCarom(model, cr_solverAuto, 1e-10);
  crDestroyModel(model);
  printf("auto at 1e-8 in %.3g s, limit %g s: %s\n", seconds, TIME_LIMIT, seconds <= TIME_LIMIT ? "met" : "MISSED");
  return seconds <= TIME_LIMIT ? 0 : 1;
}
