// Runs that are killed at random times, resumed, perhaps killed again, and compared with undisturbed ones.
#ifndef CR_TEST_KILL_RESUME_H
#define CR_TEST_KILL_RESUME_H

#include "support/datasets.h"

typedef struct crKillModel {
  const char* file;    // below the root of the project
  const char* options; // of carom run, with spaces between
} crKillModel;

#define CR_KILL_MODELS 21
extern const crKillModel crKillModels[CR_KILL_MODELS]; // of which some need a solver of SUNDIALS

extern const char* crKillTool; // carom of this build; another one, where this may be built anew meanwhile

// A new folder, in memory where there is such a place: checkpoints wait for the disk. false: errno says why.
#define CR_KILL_FOLDER_SIZE 64
bool crMakeKillFolder(char outFolder[CR_KILL_FOLDER_SIZE]);

// The undisturbed run of a model, below `folder`, and how long it takes with checkpoints.
typedef struct crKillReference {
  const crKillModel* model;
  const char* folder;
  double seconds[2]; // [s] of processors with 1 and 2 threads
} crKillReference;
bool crMakeKillReference(const crKillModel* model, const char* folder, crKillReference* outReference,
                         char outMessage[CR_DIFFERENCE_SIZE]);

typedef struct crKillCounts {
  int kills; // of runs and of resumed runs
  int early; // points before the first checkpoint, which do not count
  int late;  // runs that had ended
} crKillCounts;

// Kills one run at a random time and resumes it until it has ended. false: outMessage says what is wrong.
bool crKillAndResume(const crKillReference* reference, int threads, crRandom* random, crKillCounts* counts,
                     char outMessage[CR_DIFFERENCE_SIZE]);

#endif
