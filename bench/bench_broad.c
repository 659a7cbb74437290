// Broad phase: unit boxes that fill 10 % of a cube and move by 1 % of their size per call, bouncing off its
// walls, and the time per box and call to set all boxes and to get the sorted list of overlapping pairs.
//
// Against, in the same run: sort and sweep along x (keeping the order from call to call), and all pairs for the
// smallest scene. The error columns count pairs missed and pairs too many against the sweep. Other rows move each box
// along a random walk, and one box in a hundred only. Times are those of the process, so that others on the machine
// disturb them less.
#include "carom/collide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FILL 0.1          // [-] share of the volume
#define STEP 0.01         // [m] per call, boxes are 1 m wide
#define LIMIT 0.5         // [us] per box and call at the largest size
#define GROWTH_LIMIT 13.0 // [-] from 10^4 to 10^5 boxes
#define ALL_PAIRS_LIMIT 1000
#define BATCHES 9         // of calls; the fastest counts, and each is checked at its end
#define WARM_UP_CALLS 200 // until every box has moved twice in all motions

typedef struct Scene {
  int count;
  double side; // [m]
  crVec3* place;
  crVec3* step;
  int* order;       // of the sweep
  crBoxPair* swept; // sorted
  int sweptCount, sweptCapacity;
  uint64_t random;
} Scene;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(Scene* scene, double min, double max)
{
  scene->random = scene->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return min + (max - min) * ((double)(scene->random >> 11) * 0x1p-53);
}

static crVec3 randomStep(Scene* scene)
{
  double z = uniform(scene, -1.0, 1.0), angle = uniform(scene, 0.0, 2.0 * CR_PI), r = sqrt(1.0 - z * z);
  return crMakeVec3(STEP * r * cos(angle), STEP * r * sin(angle), STEP * z);
}

static Scene makeScene(int count)
{
  Scene scene = { .count = count, .side = cbrt(count / FILL), .random = 1 };
  scene.place = calloc((size_t)count, sizeof *scene.place);
  scene.step = calloc((size_t)count, sizeof *scene.step);
  scene.order = calloc((size_t)count, sizeof *scene.order);
  scene.sweptCapacity = 8 * count;
  scene.swept = calloc((size_t)scene.sweptCapacity, sizeof *scene.swept);
  if (scene.place == NULL || scene.step == NULL || scene.order == NULL || scene.swept == NULL) {
    exit(EXIT_FAILURE);
  }
  for (int i = 0; i < count; ++i) {
    scene.place[i] = crMakeVec3(uniform(&scene, 0.0, scene.side), uniform(&scene, 0.0, scene.side),
                                uniform(&scene, 0.0, scene.side));
    scene.step[i] = randomStep(&scene);
    scene.order[i] = i;
  }
  return scene;
}

static void freeScene(Scene* scene)
{
  free(scene->place);
  free(scene->step);
  free(scene->order);
  free(scene->swept);
}

static void bounce(double* place, double* step, double side)
{
  *place += *step;
  if (*place < 0.0 || *place > side) {
    *step = -*step;
    *place += *step;
  }
}

static void moveBox(Scene* scene, int i)
{
  bounce(&scene->place[i].x, &scene->step[i].x, scene->side);
  bounce(&scene->place[i].y, &scene->step[i].y, scene->side);
  bounce(&scene->place[i].z, &scene->step[i].z, scene->side);
}

static crAabb boxOf(const Scene* scene, int i)
{
  crVec3 p = scene->place[i];
  crAabb box = { p, { p.x + 1.0, p.y + 1.0, p.z + 1.0 } };
  return box;
}

// -------------------------------------------------------------------------------------------- peers

static int comparePairs(const void* x, const void* y)
{
  const crBoxPair *a = x, *b = y;
  return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static void notePair(Scene* scene, int a, int b)
{
  if (scene->sweptCount == scene->sweptCapacity) {
    fprintf(stderr, "bench_broad: more pairs than expected\n");
    exit(EXIT_FAILURE);
  }
  crBoxPair pair = { a < b ? a : b, a < b ? b : a };
  scene->swept[scene->sweptCount++] = pair;
}

// Insertion sort: nearly in order from the last call.
static void sortOrder(Scene* scene)
{
  for (int i = 1; i < scene->count; ++i) {
    int box = scene->order[i], j = i;
    for (; j > 0 && scene->place[scene->order[j - 1]].x > scene->place[box].x; --j) {
      scene->order[j] = scene->order[j - 1];
    }
    scene->order[j] = box;
  }
}

static const Scene* sortedScene;

static int compareByX(const void* x, const void* y)
{
  double a = sortedScene->place[*(const int*)x].x, b = sortedScene->place[*(const int*)y].x;
  return (a > b) - (a < b);
}

static void findBySweep(Scene* scene)
{
  sortOrder(scene);
  scene->sweptCount = 0;
  for (int i = 0; i < scene->count; ++i) {
    int a = scene->order[i];
    crAabb box = boxOf(scene, a);
    for (int j = i + 1; j < scene->count && scene->place[scene->order[j]].x <= box.max.x; ++j) {
      if (crAabbsOverlap(box, boxOf(scene, scene->order[j]))) {
        notePair(scene, a, scene->order[j]);
      }
    }
  }
  qsort(scene->swept, (size_t)scene->sweptCount, sizeof *scene->swept, comparePairs);
}

static int countAllPairs(const Scene* scene)
{
  int count = 0;
  for (int a = 0; a < scene->count; ++a) {
    for (int b = a + 1; b < scene->count; ++b) {
      count += crAabbsOverlap(boxOf(scene, a), boxOf(scene, b));
    }
  }
  return count;
}

// --------------------------------------------------------------------------------------------- runs

typedef struct Result {
  double ours, sweep, allPairs; // [us] per box and call; 0: not run
  int pairCount, missed, extra;
} Result;

typedef enum Motion { motionStraight, motionWalk, motionFew } Motion;

static void moveScene(Scene* scene, Motion motion, int call)
{
  for (int i = 0; i < scene->count; ++i) {
    if (motion == motionWalk) {
      scene->step[i] = randomStep(scene);
    }
    if (motion != motionFew || (i + call) % 100 == 0) {
      moveBox(scene, i);
    }
  }
}

static void countErrors(const Scene* scene, const crBoxPair* pairs, int count, Result* result)
{
  int i = 0, j = 0;
  while (i < scene->sweptCount || j < count) {
    int order = i == scene->sweptCount ? 1 : j == count ? -1 : comparePairs(&scene->swept[i], &pairs[j]);
    result->missed += order < 0;
    result->extra += order > 0;
    i += order <= 0;
    j += order >= 0;
  }
}

static void check(crStatus status)
{
  if (status != cr_ok) {
    fprintf(stderr, "bench_broad: %s\n", crStatus_GetText(status));
    exit(EXIT_FAILURE);
  }
}

static double callBroadPhase(crBroadPhase* broadPhase, const Scene* scene, Motion motion, int call,
                             const crBoxPair** outPairs, int* outCount)
{
  double start = now();
  for (int i = 0; i < scene->count; ++i) {
    if (motion != motionFew || (i + call) % 100 == 0) {
      check(crBroadPhase_SetBox(broadPhase, i, boxOf(scene, i)));
    }
  }
  check(crBroadPhase_FindPairs(broadPhase, outPairs, outCount));
  return now() - start;
}

static void runPeers(Scene* scene, Result* result)
{
  double start = now();
  findBySweep(scene);
  result->sweep += now() - start;
  if (scene->count <= ALL_PAIRS_LIMIT) {
    start = now();
    result->extra += abs(countAllPairs(scene) - scene->sweptCount);
    result->allPairs += now() - start;
  }
}

static Result run(int count, int calls, Motion motion)
{
  Scene scene = makeScene(count);
  Result result = { 0 };
  crBroadPhase* broadPhase;
  crPairFilter all = { NULL, NULL };
  check(crCreateBroadPhase(count, NULL, all, 0.0, NULL, &broadPhase));
  const crBoxPair* pairs;
  int pairCount;
  callBroadPhase(broadPhase, &scene, motionStraight, 0, &pairs, &pairCount);
  sortedScene = &scene;
  qsort(scene.order, (size_t)count, sizeof *scene.order, compareByX);
  for (int call = 0; call < WARM_UP_CALLS; ++call) {
    moveScene(&scene, motion, call);
    callBroadPhase(broadPhase, &scene, motion, call, &pairs, &pairCount);
  }
  result.ours = HUGE_VAL;
  for (int batch = 0; batch < BATCHES; ++batch) {
    double time = 0.0;
    for (int call = 0; call < calls; ++call) {
      moveScene(&scene, motion, call);
      time += callBroadPhase(broadPhase, &scene, motion, call, &pairs, &pairCount);
    }
    result.ours = fmin(result.ours, time);
    runPeers(&scene, &result);
    countErrors(&scene, pairs, pairCount, &result);
  }
  result.pairCount = pairCount;
  result.ours *= 1e6 / ((double)count * calls);
  result.sweep *= 1e6 / ((double)count * BATCHES);
  result.allPairs *= 1e6 / ((double)count * BATCHES);
  crDestroyBroadPhase(broadPhase);
  freeScene(&scene);
  return result;
}

static void printRow(const char* motion, int count, const Result* result, const Result* smaller)
{
  printf("%-22s %7d %8d %9.3f", motion, count, result->pairCount, result->ours);
  if (smaller != NULL) {
    printf(" %7.1f", 10.0 * result->ours / smaller->ours);
  } else {
    printf(" %7s", "");
  }
  printf(" %9.3f", result->sweep);
  if (result->allPairs > 0.0) {
    printf(" %9.3f", result->allPairs);
  } else {
    printf(" %9s", "");
  }
  printf(" %7d %7d\n", result->missed, result->extra);
}

int main(void)
{
  printf("%s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  printf("unit boxes, %.0f %% of the volume, steps of %.0f %%; [us] per box and call\n", 100.0 * FILL, 100.0 * STEP);
  printf("%-22s %7s %8s %9s %7s %9s %9s %7s %7s\n", "motion", "boxes", "pairs", "carom", "growth", "sweep", "all pairs",
         "missed", "extra");
  const struct {
    const char* text;
    Motion motion;
  } motions[] = { { "straight", motionStraight }, { "random walk", motionWalk }, { "straight, 1 % move", motionFew } };
  const int counts[] = { 1000, 10000, 100000 }, calls[] = { 1000, 200, 100 };
  bool isGood = true;
  for (int m = 0; m < 3; ++m) {
    Result results[3];
    for (int k = 0; k < 3; ++k) {
      results[k] = run(counts[k], calls[k], motions[m].motion);
      printRow(motions[m].text, counts[k], &results[k], k > 0 ? &results[k - 1] : NULL);
      isGood = isGood && results[k].missed == 0 && results[k].extra == 0;
    }
    isGood = isGood && results[2].ours < LIMIT;
    isGood = isGood && (motions[m].motion != motionStraight || 10.0 * results[2].ours / results[1].ours < GROWTH_LIMIT);
  }
  printf("limits: %.1f us, growth %.0f when straight, no error: %s\n", LIMIT, GROWTH_LIMIT, isGood ? "kept" : "BROKEN");
  return isGood ? EXIT_SUCCESS : EXIT_FAILURE;
}
