// One evaluation of the rates of bodies that lie on a table, by the general code: ns a body, for sets of several sizes.
//
// The state changes a little from call to call, so that nothing is computed once only. The error is that of the balls'
// acceleration against the closed form of the law, the largest of all.
#include "carom/carom.h"
#include "carom/io.h"
#include "contact/contact.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIMIT 300.0      // [ns] of a ball in contact with a table
#define RUNS 7           // the best counts
#define EVALUATIONS 4e5  // of bodies in a run
#define SPACING 0.1      // [m]
#define RADIUS 0.02      // [m] of a ball; boxes are as high
#define DEPTH 1e-5       // [m]
#define SLIP 0.3         // [m/s]
#define ERROR_LIMIT 1e-9 // [-]

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------------------------- scene

typedef struct Bench {
  crModel* model;
  crInstance* instance;
  crTreeSet set;
  int count, stateCount, entryCount;
  double *y, *rates, *values;
} Bench;

static crModel* makeModel(int count, const char* table, const char* shape)
{
  size_t size = 400 + 400 * (size_t)count, used;
  char* text = malloc(size);
  crScene* scene = NULL;
  crModel* model = NULL;
  if (text == NULL) {
    return NULL;
  }
  used = (size_t)snprintf(text, size,
                          "world('w', {})\n"
                          "object('table', { parent = 'w', %s, contact = 'Steel' } })\n",
                          table);
  for (int i = 0; i < count; ++i) {
    used += (size_t)snprintf(text + used, size - used,
                             "object('b%d', { parent = 'w', position = { %.17g, %.17g, %.17g }, free = true,\n"
                             "  velocity = { %g, 0, 0 }, angularVelocity = { 0, 0, 1 },\n"
                             "  solid{ shape = %s, material = 'Steel', contact = 'Steel' } })\n",
                             i, SPACING * (i % 100), SPACING * (double)(i / 100), RADIUS - DEPTH, SLIP, shape);
  }
  if (crReadLua(text, used, "bench.lua", NULL, NULL, NULL, NULL, &scene) == cr_ok) {
    crCompile(scene, NULL, NULL, NULL, &model);
  }
  crDestroyScene(scene);
  free(text);
  return model;
}

static bool openBench(Bench* bench, int count, const char* table, const char* shape)
{
  memset(bench, 0, sizeof *bench);
  bench->count = count;
  bench->model = makeModel(count, table, shape);
  if (bench->model == NULL || crCreateInstance(bench->model, NULL, NULL, &bench->instance) != cr_ok) {
    return false;
  }
  bench->set = crModel_GetAllTrees(bench->model);
  if (crCreateContacts(bench->model, bench->set, NULL, &bench->set.contacts) != cr_ok ||
      crInstance_ResolveContacts(bench->instance, bench->set) != cr_ok) {
    return false;
  }
  bench->stateCount = crModel_CountStates(bench->model, bench->set);
  crModel_GetSparsity(bench->model, bench->set, NULL, NULL, &bench->entryCount);
  bench->y = malloc((size_t)bench->stateCount * sizeof(double));
  bench->rates = malloc((size_t)bench->stateCount * sizeof(double));
  bench->values = malloc((size_t)bench->entryCount * sizeof(double));
  if (bench->y == NULL || bench->rates == NULL || bench->values == NULL) {
    return false;
  }
  crModel_GetStart(bench->model, bench->set, bench->y);
  return crContacts_Count(bench->set.contacts) >= count;
}

static void closeBench(Bench* bench)
{
  free(bench->y);
  free(bench->rates);
  free(bench->values);
  crDestroyContacts(bench->set.contacts);
  crDestroyInstance(bench->instance);
  crDestroyModel(bench->model);
}

// ------------------------------------------------------------------------------------------- what is timed

typedef double (*Task)(Bench* bench);

static double computeRates(Bench* bench)
{
  crInstance_ComputeRates(bench->instance, bench->set, 0.0, bench->y, bench->rates);
  return bench->rates[7];
}

static double computePowers(Bench* bench)
{
  crInstance_ComputeRates(bench->instance, bench->set, 0.0, bench->y, bench->rates);
  return crInstance_ComputePowers(bench->instance, bench->set).dissipation;
}

static double computeMatrix(Bench* bench)
{
  crInstance_ComputeRateMatrix(bench->instance, bench->set, 0.0, bench->y, bench->values);
  return bench->values[0];
}

// [ns] a body and call, the best run.
static double measure(Bench* bench, Task task, double* sum)
{
  int calls = (int)(EVALUATIONS / bench->count) + 1;
  double best = HUGE_VAL;
  for (int run = 0; run < RUNS; ++run) {
    double start = now();
    for (int i = 0; i < calls; ++i) {
      bench->y[7] += 1e-12;
      *sum += task(bench);
    }
    best = fmin(best, (now() - start) / ((double)calls * bench->count));
  }
  return 1e9 * best;
}

// f = k depth^1.5 with k = 4/3 c_res sqrt(R), and muK f along x as long as the slip is large.
static double findError(Bench* bench)
{
  computeRates(bench);
  crContactRecord info = crContacts_Get(bench->set.contacts, 0);
  double radius = RADIUS, mass = 8000.0 * 4.0 / 3.0 * acos(-1.0) * radius * radius * radius;
  double c = 2e11 / (1.0 - 0.09) / 2.0, f = 4.0 / 3.0 * c * sqrt(radius) * pow(info.depth, 1.5), error = 0.0;
  for (int i = 0; i < bench->count; ++i) {
    double z = bench->rates[13 * i + 9], expected = f / mass - 9.81;
    error = fmax(error, fabs(z / expected - 1.0));
  }
  return error;
}

#define PLANE "solid{ shape = halfSpace{}"
#define SLAB "position = { 5, 5, -0.5 }, solid{ shape = box{ size = { 12, 12, 1 } }"
#define BALL "sphere{ radius = 0.02 }"
#define BOX "box{ size = { 0.06, 0.05, 0.04 } }"

int main(void)
{
  static const struct {
    const char *name, *table, *shape;
    int count;
    bool isBall;
  } cases[] = {
    { "balls on a plane", PLANE, BALL, 1, true },    { "balls on a plane", PLANE, BALL, 16, true },
    { "balls on a plane", PLANE, BALL, 1000, true }, { "balls on a box", SLAB, BALL, 1, true },
    { "balls on a box", SLAB, BALL, 1000, true },    { "boxes on a plane", PLANE, BOX, 1, false },
    { "boxes on a plane", PLANE, BOX, 16, false },   { "boxes on a plane", PLANE, BOX, 1000, false },
  };
  bool isGood = true;
  double sum = 0.0;
  printf("compiler  %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  printf("%16s %6s %12s %18s %16s %10s\n", "", "count", "rates [ns]", "with powers [ns]", "Jacobian [ns]", "error");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Bench bench;
    if (!openBench(&bench, cases[i].count, cases[i].table, cases[i].shape)) {
      return 1;
    }
    double error = cases[i].isBall ? findError(&bench) : 0.0;
    double rates = measure(&bench, computeRates, &sum), powers = measure(&bench, computePowers, &sum);
    double matrix = measure(&bench, computeMatrix, &sum);
    printf("%16s %6d %12.1f %18.1f %16.1f %10.1e\n", cases[i].name, cases[i].count, rates, powers, matrix, error);
    recordNumber(i == 0 ? "rates.ball" : "rates.other", rates);
    isGood = isGood && (!cases[i].isBall || (rates <= LIMIT && error <= ERROR_LIMIT));
    closeBench(&bench);
  }
  printf("limit of balls: %.0f ns, error %.0e (%g)\n", LIMIT, ERROR_LIMIT, sum);
  return isGood ? 0 : 1;
}
