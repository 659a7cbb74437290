// Signed distances: time of a query and the error it bought, next to the libraries that are in use, on the same pairs
// in the same run. A library that was not found when this was built has no lines.
//
// usage: bench_distance [PAIRS [ROW]]     2000 pairs a table unless given; ROW: only the tables whose name holds it
//
// Times are the best of several passes over all pairs that are apart, or overlapping, each pair once per pass, in
// several rounds over all libraries, so that what else the machine does at a time harms none of them for good. The
// limits that Carom sets itself are listed at the end, met or missed; a missed one is no failure of the program, a
// wrong answer is. "bad" answers are wrong by more than 5 % of the distance and 1e-6 m, or have the wrong sign. Peers
// come as their packages were built; libccd's support functions, which are ours, are compiled with the same flags as
// Carom.
#include "distance_pairs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 3
#define LEAST_PASSES 3
#define LEAST_TIME 0.05         // [s] of all passes of a round
#define LONGEST 60              // [s] then a library is stopped
#define BAD_SHARE 0.05          // [-] of the distance
#define BAD_LEAST 1e-6          // [m]
#define MAX_LINES 20            // of a table
#define CLOSED_FORM_LIMIT 150.0 // [ns]
#define BOX_LIMIT 0.5           // [-] of libccd's MPR, overlapping
#define HULL_LIMIT 3.0          // [-] 10,000 vertices against 100
#define ERROR_LIMIT 1e-10       // [scale] of Carom
#define ROUNDING 1e-15          // [scale] errors below this are equally good

typedef struct Row {
  const char* name;
  crShapeKind a, b;
  int hullPoints;
  bool isClosedForm;
} Row;

static const Row rows[] = {
  { "sphere - sphere", cr_shapeSphere, cr_shapeSphere, 0, true },
  { "sphere - box", cr_shapeSphere, cr_shapeBox, 0, true },
  { "sphere - cylinder", cr_shapeSphere, cr_shapeCylinder, 0, true },
  { "sphere - cone", cr_shapeSphere, cr_shapeCone, 0, true },
  { "sphere - ellipsoid", cr_shapeSphere, cr_shapeEllipsoid, 0, true },
  { "sphere - capsule", cr_shapeSphere, cr_shapeCapsule, 0, true },
  { "capsule - capsule", cr_shapeCapsule, cr_shapeCapsule, 0, true },
  { "capsule - box", cr_shapeCapsule, cr_shapeBox, 0, true },
  { "box - box", cr_shapeBox, cr_shapeBox, 0, true },
  { "cylinder - cylinder", cr_shapeCylinder, cr_shapeCylinder, 0, false },
  { "cone - cone", cr_shapeCone, cr_shapeCone, 0, false },
  { "ellipsoid - ellipsoid", cr_shapeEllipsoid, cr_shapeEllipsoid, 0, false },
  { "box - cylinder", cr_shapeBox, cr_shapeCylinder, 0, false },
  { "hull 64 - hull 64", cr_shapeHull, cr_shapeHull, 64, false },
  { "hull 100 - hull 100", cr_shapeHull, cr_shapeHull, 100, false },
  { "hull 1000 - hull 1000", cr_shapeHull, cr_shapeHull, 1000, false },
  { "hull 10000 - hull 10000", cr_shapeHull, cr_shapeHull, 10000, false },
};
#define ROW_COUNT ((int)(sizeof rows / sizeof *rows))

// One line of a table; index 0: apart, 1: overlapping.
typedef struct Line {
  const BenchPeer* peer;
  bool isCarom, isDone;
  int signalNumber;
  double time[2];  // [ns] per query
  double error[2]; // [scale] worst
  int count[2], bad[2], silent[2];
} Line;

// -------------------------------------------------------------------------------------------- carom

typedef struct CaromContext {
  const BenchPairs* set;
  crShape** shapes;
  crDistanceCache* caches; // (count) or NULL
} CaromContext;

static DistancePairs current; // the pairs that Carom's shapes belong to

static void* prepareCold(const BenchPairs* pairs)
{
  CaromContext* context = calloc(1, sizeof *context);
  *context = (CaromContext){ pairs, current.shapes, NULL };
  return context;
}

static void* prepareWarm(const BenchPairs* pairs)
{
  CaromContext* context = prepareCold(pairs);
  context->caches = calloc((size_t)pairs->count, sizeof *context->caches);
  return context;
}

static double queryCarom(void* context, int i)
{
  CaromContext* c = context;
  const BenchPair* pair = &c->set->pairs[i];
  crDistance d;
  crDistanceCache* cache = c->caches != NULL ? &c->caches[i] : NULL;
  crStatus status = crComputeDistance(c->shapes[2 * i], &pair->X_WA, c->shapes[2 * i + 1], &pair->X_WB, cache, &d);
  return status == cr_ok && d.isConverged ? d.distance : NAN;
}

static bool canCompute(crShapeKind a, crShapeKind b)
{
  (void)a;
  (void)b;
  return true;
}

static const BenchPeer caromPeers[] = {
  { "Carom", true, canCompute, prepareCold, queryCarom },
  { "Carom, from last", true, canCompute, prepareWarm, queryCarom },
  { NULL, false, NULL, NULL, NULL },
};

static const BenchPeer* const peerLists[] = {
  caromPeers,
#ifdef BENCH_CCD
  bench_ccdPeers,
#endif
#ifdef BENCH_FCL
  bench_fclPeers,
#endif
#ifdef BENCH_BULLET
  bench_bulletPeers,
#endif
#ifdef BENCH_MUJOCO
  bench_mujocoPeers,
#endif
};
#define LIST_COUNT ((int)(sizeof peerLists / sizeof *peerLists))

// ------------------------------------------------------------------------------------------ measure

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool isOverlap(const BenchPair* pair)
{
  return pair->distance < 0.0;
}

static void timePasses(const BenchPairs* set, Line* line, double* results)
{
  void* context = line->peer->prepare(set);
  double first = now();
  for (int pass = 0; pass < LEAST_PASSES || now() - first < LEAST_TIME; ++pass) {
    for (int side = 0; side < 2; ++side) {
      double start = now();
      for (int i = 0; i < set->count; ++i) {
        if (isOverlap(&set->pairs[i]) == (side == 1)) {
          results[i] = line->peer->query(context, i);
        }
      }
      double time = now() - start;
      line->time[side] = pass == 0 || time < line->time[side] ? time : line->time[side];
    }
  }
}

static void judge(const BenchPairs* set, Line* line, const double* results)
{
  for (int i = 0; i < set->count; ++i) {
    const BenchPair* pair = &set->pairs[i];
    int side = isOverlap(pair);
    ++line->count[side];
    if (isnan(results[i])) {
      ++line->silent[side];
      continue;
    }
    bool isMeasured = side == 1 || line->peer->hasDistance;
    double error = isMeasured ? fabs(results[i] - pair->distance) : 0.0;
    bool isWrongSign = (results[i] > 0.0) != (pair->distance > 0.0);
    line->error[side] = fmax(line->error[side], error / pair->scale);
    line->bad[side] += isWrongSign || error > fmax(BAD_LEAST, BAD_SHARE * fabs(pair->distance));
  }
  for (int side = 0; side < 2; ++side) {
    line->time[side] *= 1e9 / line->count[side];
  }
}

// In a child process: what it finds comes back through shared memory.
static Line measure(const BenchPeer* peer, const BenchPairs* set)
{
  size_t size = sizeof(Line) + (size_t)set->count * sizeof(double);
  Line* line = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (line == MAP_FAILED) {
    perror("bench_distance");
    exit(1);
  }
  *line = (Line){ .peer = peer };
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(LONGEST);
    if (freopen("/dev/null", "w", stderr) == NULL) {
      _exit(1);
    }
    double* results = (double*)(line + 1);
    timePasses(set, line, results);
    judge(set, line, results);
    line->isDone = true;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  line->signalNumber = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  Line result = *line;
  munmap(line, size);
  return result;
}

// -------------------------------------------------------------------------------------------- table

static double meanTime(const Line* line)
{
  return line->isDone ? 0.5 * (line->time[0] + line->time[1]) : HUGE_VAL;
}

static int compareLines(const void* a, const void* b)
{
  double x = meanTime(a), y = meanTime(b);
  return (x > y) - (x < y);
}

static void printShare(int part, int whole)
{
  if (part == 0) {
    printf(" %8s", "0");
  } else {
    printf(" %7.2f%%", 100.0 * part / whole);
  }
}

static void printLine(const Line* line)
{
  printf("  %-22s", line->peer->name);
  if (!line->isDone) {
    printf(" stopped by signal %d%s\n", line->signalNumber, line->signalNumber == SIGALRM ? " (too slow)" : "");
    return;
  }
  printf(" %9.0f %9.0f %9.0f", meanTime(line), line->time[0], line->time[1]);
  if (line->peer->hasDistance) {
    printf(" %9.1e", line->error[0]);
  } else {
    printf(" %9s", "-");
  }
  printf(" %9.1e", line->error[1]);
  int count = line->count[0] + line->count[1];
  printShare(line->bad[0] + line->bad[1], count);
  printShare(line->silent[0] + line->silent[1], count);
  printf("\n");
}

static void printTable(const Row* row, const Line* lines, int count)
{
  printf("\n%s\n  %-22s %9s %9s %9s %9s %9s %8s %8s\n", row->name, "", "mean ns", "apart", "overlap", "err apart",
         "err over", "bad", "silent");
  for (int i = 0; i < count; ++i) {
    printLine(&lines[i]);
  }
}

static void measureAgain(Line* line)
{
  Line again = measure(line->peer, &current.set);
  for (int side = 0; side < 2 && again.isDone; ++side) {
    line->time[side] = fmin(line->time[side], again.time[side]);
  }
}

static int measureRow(const Row* row, int pairs, Line* lines)
{
  current = makeDistancePairs(row->a, row->b, row->hullPoints, pairs);
  int count = 0;
  for (int l = 0; l < LIST_COUNT; ++l) {
    for (const BenchPeer* peer = peerLists[l]; peer->name != NULL && count < MAX_LINES; ++peer) {
      if (peer->canCompute(row->a, row->b)) {
        lines[count] = measure(peer, &current.set);
        lines[count++].isCarom = l == 0;
      }
    }
  }
  for (int i = count; i < ROUNDS * count; ++i) {
    if (lines[i % count].isDone) {
      measureAgain(&lines[i % count]);
    }
  }
  destroyDistancePairs(&current);
  qsort(lines, (size_t)count, sizeof *lines, compareLines);
  printTable(row, lines, count);
  return count;
}

// ------------------------------------------------------------------------------------------- limits

// What the tables say about Carom, kept from row to row.
typedef struct Summary {
  double cold[ROW_COUNT];    // [ns] mean; 0: not measured
  double boxOverlap, boxMpr; // [ns]
  int wrong;                 // answers of Carom that are bad, missing or above the limit
  int met, missed;           // limits
} Summary;

static void printLimit(Summary* summary, const char* what, double value, double limit, const char* unit)
{
  bool isMet = value <= limit;
  printf("  %-6s %-58s %8.3g %s (limit %.3g)\n", isMet ? "met" : "MISSED", what, value, unit, limit);
  summary->met += isMet;
  summary->missed += !isMet;
}

static double worstOf(const Line* line)
{
  return fmax(line->error[0], line->error[1]);
}

// Of those that return the distance none is faster, and none is more accurate by more than rounding.
static void comparePeers(const char* name, const Line* lines, int count, Summary* summary)
{
  double own = HUGE_VAL, ownError = HUGE_VAL, best = HUGE_VAL, bestError = HUGE_VAL;
  for (int i = 0; i < count; ++i) {
    bool isPeer = !lines[i].isCarom && lines[i].peer->hasDistance && lines[i].isDone;
    own = lines[i].isCarom ? fmin(own, meanTime(&lines[i])) : own;
    ownError = lines[i].isCarom ? fmin(ownError, worstOf(&lines[i])) : ownError;
    best = isPeer ? fmin(best, meanTime(&lines[i])) : best;
    bestError = isPeer ? fmin(bestError, worstOf(&lines[i])) : bestError;
  }
  char text[80];
  snprintf(text, sizeof text, "%s: time, of the fastest other with distances", name);
  printLimit(summary, text, own / best, 1.0, "");
  snprintf(text, sizeof text, "%s: error, or that of the best other", name);
  printLimit(summary, text, ownError, fmax(bestError, ROUNDING), "of the scale");
}

static void summarize(int r, const Line* lines, int count, Summary* summary)
{
  for (int i = 0; i < count; ++i) {
    const Line* line = &lines[i];
    if (line->peer == &caromPeers[0]) {
      summary->cold[r] = meanTime(line);
      summary->boxOverlap = strcmp(rows[r].name, "box - box") == 0 ? line->time[1] : summary->boxOverlap;
    }
    if (strcmp(rows[r].name, "box - box") == 0 && strcmp(line->peer->name, "libccd MPR 1e-6") == 0) {
      summary->boxMpr = line->time[1];
    }
    if (line->isCarom) {
      bool isAccurate = line->isDone && worstOf(line) <= ERROR_LIMIT;
      summary->wrong += !isAccurate + line->bad[0] + line->bad[1] + line->silent[0] + line->silent[1];
    }
  }
}

static double coldTime(const Summary* summary, const char* name)
{
  for (int r = 0; r < ROW_COUNT; ++r) {
    if (strcmp(rows[r].name, name) == 0) {
      return summary->cold[r];
    }
  }
  return 0.0;
}

static void printSummary(Summary* summary)
{
  for (int r = 0; r < ROW_COUNT; ++r) {
    if (rows[r].isClosedForm && summary->cold[r] > 0.0) {
      printLimit(summary, rows[r].name, summary->cold[r], CLOSED_FORM_LIMIT, "ns");
    }
  }
  if (summary->boxOverlap > 0.0 && summary->boxMpr > 0.0) {
    printLimit(summary, "box - box, overlapping: time, of libccd's MPR", summary->boxOverlap / summary->boxMpr,
               BOX_LIMIT, "");
  }
  double small = coldTime(summary, "hull 100 - hull 100"), large = coldTime(summary, "hull 10000 - hull 10000");
  if (small > 0.0 && large > 0.0) {
    printLimit(summary, "hulls of 10,000 vertices: time, of those of 100", large / small, HULL_LIMIT, "");
  }
  printLimit(summary, "answers of Carom that are wrong or missing", summary->wrong, 0.0, "");
  printf("%d limits met, %d missed\n", summary->met, summary->missed);
}

int main(int argc, char** argv)
{
  int pairs = argc > 1 ? atoi(argv[1]) : 2000;
  printf("compiler  %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  printf("pairs     %d a table, half of them apart; errors as parts of the scale\n", pairs);
  static Line lines[ROW_COUNT][MAX_LINES];
  int counts[ROW_COUNT] = { 0 };
  Summary summary = { .wrong = 0 };
  for (int r = 0; r < ROW_COUNT; ++r) {
    if (argc < 3 || strstr(rows[r].name, argv[2]) != NULL) {
      counts[r] = measureRow(&rows[r], pairs, lines[r]);
      summarize(r, lines[r], counts[r], &summary);
    }
  }
  printf("\nlimits\n");
  for (int r = 0; r < ROW_COUNT; ++r) {
    if (counts[r] > 0) {
      comparePeers(rows[r].name, lines[r], counts[r], &summary);
    }
  }
  printSummary(&summary);
  return summary.wrong == 0 ? 0 : 1;
}
