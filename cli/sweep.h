// What carom sweep was asked for.
#ifndef CR_CLI_SWEEP_H
#define CR_CLI_SWEEP_H

#include "carom/sweep.h"
#include "cli.h"

typedef struct crSweepArguments {
  const char* source; // model, plan, or the folder of a sweep
  const char* folder; // NULL: named after the source
  crSweepDef def;     // its lists lie here:
  crSetting *vary, *settings;
  const char** output;
  crSweepOptions options;
  int slurmTasks; // > 0: a script for Slurm with so many
  bool allowsFmus;
  bool isSubmitted, isQuiet, isJson;
} crSweepArguments;

// false: usage error or --help, the exit code is in outExit. Free with crFreeSweepArguments.
bool crParseSweepArguments(int argc, char** argv, crSweepArguments* outArguments, int* outExit);
void crFreeSweepArguments(crSweepArguments* arguments);

// How far a sweep is: a bar on a terminal, elsewhere a line every ten seconds.
typedef struct crSweepShow {
  bool isTerminal, isQuiet;
  double told; // [s] of wall time of the sweep
} crSweepShow;
void crSweepShow_Begin(crSweepShow* show, bool isQuiet);
void crSweepShow_Tell(crSweepShow* show, const crSweepProgress* progress);
void crSweepShow_End(crSweepShow* show);

// Prints what came of a sweep. Returns the exit code.
int crTellSweep(crStatus status, const crSweepProgress* progress, const char* folder,
                const crSweepArguments* arguments);

// Makes the folder, with a script that runs the plan as an array of Slurm, and submits it if asked to.
int crWriteSlurm(const crSweepPlan* plan, const char* folder, const crSweepArguments* arguments,
                 const crErrorSink* sink);

// The verbs behind `carom sweep`: status, merge, csv, show, page, plot. argv[0] is the word.
int crRunTableVerb(int argc, char** argv);
bool crIsTableVerb(const char* word);

#endif
