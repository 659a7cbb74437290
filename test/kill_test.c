// Kills runs at many random points over all models, and prints each point whose result is not that of the undisturbed
// run.
//
// usage: kill_test [POINTS [SEED [TOOL]]]
#include "show/process.h"
#include "support/kill_resume.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int testModel(const crKillModel* model, int points, unsigned long seed, crKillCounts* counts)
{
  char folder[CR_KILL_FOLDER_SIZE], message[CR_DIFFERENCE_SIZE] = "";
  crKillReference reference;
  if (!crMakeKillFolder(folder)) {
    perror(folder);
    return 1;
  }
  int failures = 0;
  if (!crMakeKillReference(model, folder, &reference, message)) {
    printf("%s %s: %s\n", model->file, model->options, message);
    failures = 1;
    points = 0;
  }
  for (int i = 0; i < points; ++i) {
    crRandom random = crMakeRandom(seed + (unsigned long)i);
    int threads = 1 + i % 2;
    if (!crKillAndResume(&reference, threads, &random, counts, message)) {
      printf("%s %s: seed %lu, point %d, %d threads: %s\n", model->file, model->options, seed + (unsigned long)i, i,
             threads, message);
      ++failures;
    }
  }
  crRemoveFolder(folder);
  return failures;
}

int main(int argc, char** argv)
{
  int points = argc > 1 ? atoi(argv[1]) : 1000, failures = 0;
  unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : (unsigned long)time(NULL);
  crKillTool = argc > 3 ? argv[3] : crKillTool;
  int done = 0;
  for (int m = 0; m < CR_KILL_MODELS; ++m) {
    crKillCounts counts = { 0, 0, 0 };
    int share = points * (m + 1) / CR_KILL_MODELS - points * m / CR_KILL_MODELS;
    int wrong = testModel(&crKillModels[m], share, seed + 1000000ul * (unsigned long)m, &counts);
    printf("%-45s %4d points, %4d kills, %3d before the first checkpoint, %3d after the end: %d wrong\n",
           crKillModels[m].file, share, counts.kills, counts.early, counts.late, wrong);
    (void)fflush(stdout);
    failures += wrong;
    done += share;
  }
  printf("%d points, seed %lu: %d wrong\n", done, seed, failures);
  return failures == 0 ? 0 : 1;
}
