// Time to read and compile Lua models of 10^4 and 10^5 objects: the time per object may grow by half at most.
// Best of three. The counts of the compiled models show that all of it was done.
#include "carom/carom.h"
#include "carom/io.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define RUNS 3
#define RATIO_LIMIT 1.5

// Free balls, rigid children of them, and short chains of joints, in assemblies.
static const char model[] =
    "local p = parameters{ groups = 10 }\n"
    "local w = world('w')\n"
    "for i = 1, p.groups do\n"
    "  assembly('group' .. i, { radius = 0.1 }, function(q)\n"
    "    local last = object('base', { parent = w, position = { i, 0, 1 }, free = true,\n"
    "      solid{ shape = sphere{ radius = q.radius }, material = 'Steel', contact = 'Steel' } })\n"
    "    for k = 1, 4 do\n"
    "      local link = object('link' .. k, {\n"
    "        solid{ shape = box{ size = { 1, 0.1, 0.1 } }, material = 'Steel', contact = 'Steel' } })\n"
    "      local tip = object('tip' .. k, { parent = link, position = { 0.5, 0, 0 } })\n"
    "      revolute('joint' .. k, last, link, { axis = 'y', start = 0.1 })\n"
    "      last = tip\n"
    "    end\n"
    "    object('mark', { parent = last, visual{ shape = coordinateSystem{ length = 1 } } })\n"
    "  end)\n"
    "end\n";
#define OBJECTS_PER_GROUP 10

typedef struct Times {
  double read, compile;
  crModelSize size;
} Times;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool measureOnce(int objects, Times* times)
{
  char groups[32];
  snprintf(groups, sizeof groups, "%d", objects / OBJECTS_PER_GROUP);
  crSetting setting = { "groups", groups };
  crReadOptions options = crDefaultReadOptions();
  options.settings = &setting;
  options.settingCount = 1;
  crScene* scene = NULL;
  crModel* compiled = NULL;
  double start = now();
  bool isRead = crReadLua(model, strlen(model), "bench.lua", NULL, &options, NULL, NULL, &scene) == cr_ok;
  double middle = now();
  bool isDone = isRead && crCompile(scene, NULL, NULL, NULL, &compiled) == cr_ok;
  double end = now();
  if (isDone) {
    times->read = fmin(times->read, middle - start);
    times->compile = fmin(times->compile, end - middle);
    times->size = crModel_GetSize(compiled);
  }
  crDestroyModel(compiled);
  crDestroyScene(scene);
  return isDone;
}

int main(void)
{
  const int counts[] = { 10000, 100000 };
  double perObject[2];
  printf("compiler %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  printf("%10s %10s %10s %12s %12s %14s\n", "objects", "bodies", "joints", "read [ms]", "compile [ms]",
         "per object [us]");
  for (int i = 0; i < 2; ++i) {
    Times times = { HUGE_VAL, HUGE_VAL, { 0 } };
    for (int run = 0; run < RUNS; ++run) {
      if (!measureOnce(counts[i], &times)) {
        fprintf(stderr, "the model of %d objects does not compile\n", counts[i]);
        return 1;
      }
    }
    perObject[i] = 1e6 * (times.read + times.compile) / times.size.objectCount;
    printf("%10d %10d %10d %12.1f %12.1f %14.2f\n", times.size.objectCount, times.size.bodyCount, times.size.jointCount,
           1e3 * times.read, 1e3 * times.compile, perObject[i]);
  }
  printf("growth per object: %.2f (limit %.1f)\n", perObject[1] / perObject[0], RATIO_LIMIT);
  return perObject[1] <= RATIO_LIMIT * perObject[0] ? 0 : 1;
}
