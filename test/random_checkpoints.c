// Checkpoints at random points of many models, by all solvers, with one and two threads: whether a run that goes on
// from one has every bit of the run that was saved. For as many points as one likes:
//
//   random_checkpoints [points] [seed] [part of a file's name]
#include "support/saved_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_OF_RUN 5 // of one run of a model

static const crSavedPlan plans[] = {
#include "support/saved_plans.inc"
};

#define PLAN_COUNT ((int)(sizeof plans / sizeof *plans))

static uint64_t state;

static int draw(int count) // [0, count)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((state >> 33) % (uint64_t)count);
}

static int compareInts(const void* a, const void* b)
{
  return *(const int*)a - *(const int*)b;
}

// Returns the number of points that went wrong.
static int checkPlan(const crSavedPlan* plan, int pointCount)
{
  crModel* model = crOpenSavedModel(plan);
  int points[POINTS_OF_RUN], wrong = 0;
  for (int i = 0; i < pointCount; ++i) {
    points[i] = draw(plan->intervals);
  }
  qsort(points, (size_t)pointCount, sizeof *points, compareInts);
  int threads = 1 + draw(2);
  crSavedRun plain = crRunSaved(model, plan, 1, NULL, 0, false);
  crSavedRun saved = crRunSaved(model, plan, threads, points, pointCount, false);
  const char* name = plan->file != NULL ? plan->file : "text";
  const char* solver =
      crGetSolverInfo(plain.summary.solver) != NULL ? crGetSolverInfo(plain.summary.solver)->name : "-";
  int difference = crCompareSaved(&plain, &saved, 0);
  if (plain.status != cr_ok || difference != -1) {
    printf("WRONG %s %s: status %d, saving changes row %d\n", name, solver, plain.status, difference);
    ++wrong;
  }
  for (int i = 0; i < pointCount && saved.status == cr_ok; ++i) {
    int resumed = 1 + draw(2);
    if (saved.bytes[i] == NULL) { // drawn twice
      continue;
    }
    crSavedRun again = crResumeSaved(&saved, i, resumed);
    difference = crCompareSaved(&plain, &again, 0);
    if (again.status != cr_ok || difference != -1) {
      printf("WRONG %s %s: saved after row %d of %d by %d threads, resumed by %d: status %d, row %d\n", name, solver,
             points[i], plan->intervals, threads, resumed, again.status, difference);
      ++wrong;
    }
    crSavedRun_Free(&again);
  }
  crSavedRun_Free(&saved);
  crSavedRun_Free(&plain);
  crDestroyModel(model);
  return wrong;
}

int main(int argumentCount, char** arguments)
{
  int points = argumentCount > 1 ? atoi(arguments[1]) : 1000, wrong = 0, done = 0;
  state = argumentCount > 2 ? strtoull(arguments[2], NULL, 10) : 1;
  const char* part = argumentCount > 3 ? arguments[3] : "";
  for (int i = 0; done < points; ++i) {
    const crSavedPlan* plan = &plans[i % PLAN_COUNT];
    if (strstr(plan->file != NULL ? plan->file : "text", part) == NULL || !crHasSavedSolver(plan)) {
      if (i > PLAN_COUNT && done == 0) {
        break;
      }
      continue;
    }
    int count = points - done < POINTS_OF_RUN ? points - done : POINTS_OF_RUN;
    int bad = checkPlan(plan, count);
    wrong += bad;
    done += count;
    printf("%d points, %d wrong: %s\n", done, wrong, plan->file != NULL ? plan->file : "text");
    fflush(stdout);
  }
  printf("%d points, %d wrong\n", done, wrong);
  return wrong > 0;
}
