// Questions to a broad phase in the inner loop of a scheduler: the boxes that overlap a box, for one body at a time.
//
// Unit boxes fill 10 % of a cube; each question is a box that about five of them overlap. Three rows per size:
// scattered (each question is somewhere else), near (each question is near the last one, as those of one moving body),
// and set + query (a box moves by a tenth of its size and asks what it overlaps; pairs are never found). The error
// column counts boxes missed or too many against a scan of all boxes, for a sample of the questions. Times are those
// of the process, the best of several batches.
#include "carom/collide.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FILL 0.1          // [-] share of the volume
#define EDGE 2.7          // [m] of a question: 0.1 (1 + 2.7)^3 = 5 unit boxes
#define STEP 0.1          // [m] of the body that moves
#define BATCHES 7         // the fastest counts
#define QUESTIONS 20000   // in each batch
#define CHECK_EVERY 997   // questions
#define LIMIT_SMALL 150.0 // [ns] with the fewest boxes
#define LIMIT_LARGE 400.0 // [ns] with any number of them, near the last question
#define MAX_COUNT 100000

typedef enum Kind { kindScattered, kindNear, kindSet } Kind;

typedef struct World {
  crBroadPhase* broadPhase;
  int count;
  double side; // [m]
  crAabb* boxes;
  uint64_t random;
  crVec3 place, step; // of the body that moves, or of the last question
  long hitCount, sum, errorCount;
} World;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(World* world, double min, double max)
{
  world->random = world->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return min + (max - min) * ((double)(world->random >> 11) * 0x1p-53);
}

static crVec3 uniformVec(World* world, double min, double max)
{
  double x = uniform(world, min, max), y = uniform(world, min, max), z = uniform(world, min, max);
  return crMakeVec3(x, y, z);
}

static crAabb cubeAt(crVec3 p, double edge)
{
  crAabb box = { p, { p.x + edge, p.y + edge, p.z + edge } };
  return box;
}

static void setBox(World* world, int i, crAabb box)
{
  world->boxes[i] = box;
  if (crBroadPhase_SetBox(world->broadPhase, i, box) != cr_ok) {
    exit(EXIT_FAILURE);
  }
}

static World makeWorld(int count)
{
  World world = { .count = count, .side = cbrt(count / FILL), .random = 1 };
  world.boxes = calloc((size_t)count, sizeof *world.boxes);
  crPairFilter all = { NULL, NULL };
  if (world.boxes == NULL || crCreateBroadPhase(count, NULL, all, 0.0, NULL, &world.broadPhase) != cr_ok) {
    exit(EXIT_FAILURE);
  }
  for (int i = 0; i < count; ++i) {
    setBox(&world, i, cubeAt(uniformVec(&world, 0.0, world.side), 1.0));
  }
  return world;
}

static void noteHit(void* context, int box)
{
  World* world = context;
  ++world->hitCount;
  world->sum += box;
}

static void checkQuestion(World* world, crAabb question)
{
  long hitCount = world->hitCount, sum = world->sum;
  crBroadPhase_QueryBox(world->broadPhase, question, noteHit, world);
  for (int i = 0; i < world->count; ++i) {
    if (crAabbsOverlap(world->boxes[i], question)) {
      --world->hitCount;
      world->sum -= i;
    }
  }
  world->errorCount += world->hitCount != hitCount || world->sum != sum;
  world->hitCount = hitCount;
  world->sum = sum;
}

static void bounce(double* place, double* step, double side)
{
  *place += *step;
  if (*place < 0.0 || *place > side) {
    *step = -*step;
    *place += *step;
  }
}

static crAabb nextQuestion(World* world, Kind kind)
{
  double most = fmax(world->side - EDGE, 0.0);
  if (kind == kindScattered) {
    return cubeAt(uniformVec(world, 0.0, most), EDGE);
  }
  bounce(&world->place.x, &world->step.x, most);
  bounce(&world->place.y, &world->step.y, most);
  bounce(&world->place.z, &world->step.z, most);
  return cubeAt(world->place, EDGE);
}

static double runBatch(World* world, Kind kind, crAabb* questions)
{
  for (int k = 0; k < QUESTIONS; ++k) {
    questions[k] = nextQuestion(world, kind);
  }
  double start = now();
  for (int k = 0; k < QUESTIONS; ++k) {
    if (kind == kindSet) {
      setBox(world, 0, cubeAt(questions[k].min, 1.0));
    }
    crBroadPhase_QueryBox(world->broadPhase, questions[k], noteHit, world);
  }
  double time = now() - start;
  for (int k = 0; k < QUESTIONS; k += CHECK_EVERY) {
    checkQuestion(world, questions[k]);
  }
  return time;
}

// [ns] per question
static double run(int count, Kind kind, double* outHits, long* outErrors)
{
  static crAabb questions[QUESTIONS];
  World world = makeWorld(count);
  world.place = crMakeVec3(0.4 * world.side, 0.5 * world.side, 0.3 * world.side);
  world.step = crMakeVec3(0.6 * STEP, 0.48 * STEP, 0.64 * STEP);
  double best = HUGE_VAL;
  for (int batch = 0; batch < BATCHES; ++batch) {
    best = fmin(best, runBatch(&world, kind, questions));
  }
  *outHits = (double)world.hitCount / ((double)BATCHES * QUESTIONS);
  *outErrors = world.errorCount;
  crDestroyBroadPhase(world.broadPhase);
  free(world.boxes);
  return 1e9 * best / QUESTIONS;
}

int main(void)
{
  printf("%s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  printf("unit boxes, %.0f %% of the volume; [ns] per question\n", 100.0 * FILL);
  printf("%-12s %7s %7s %9s %7s\n", "questions", "boxes", "hits", "carom", "errors");
  const char* texts[] = { "scattered", "near", "set + query" };
  bool isGood = true;
  for (int kind = kindScattered; kind <= kindSet; ++kind) {
    for (int count = 16; count <= MAX_COUNT; count = count == 16 ? 100 : 10 * count) {
      double hits;
      long errors;
      double time = run(count, (Kind)kind, &hits, &errors);
      printf("%-12s %7d %7.1f %9.0f %7ld\n", texts[kind], count, hits, time, errors);
      isGood = isGood && errors == 0 && (count > 16 || time <= LIMIT_SMALL);
      isGood = isGood && (kind == kindScattered || time <= LIMIT_LARGE);
    }
  }
  printf("limits: %.0f ns with 16 boxes, %.0f ns near the last question, no error: %s\n", LIMIT_SMALL, LIMIT_LARGE,
         isGood ? "kept" : "BROKEN");
  return isGood ? EXIT_SUCCESS : EXIT_FAILURE;
}
