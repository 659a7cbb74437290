// Runs: all that `carom run` does in one call. A model runs into a folder with result.h5, report.html and run.json.
#ifndef CAROM_RUN_H
#define CAROM_RUN_H

#include "carom/io.h"
#include "carom/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where a run stands: at an output point, whose records its result has.
typedef struct crRunPoint {
  double time; // [s]
  crSimulation* simulation;
  crResultWriter* writer;
} crRunPoint;

// What is to be run: a file, or a model that is there already. All else zero: as the model states.
typedef struct crRunDef {
  const char* file;            // of the model, .lua or .json. Its name, text and hash are kept with the results
  const crSetting* settings;   // (settingCount) override the parameters of the file
  int settingCount;            //
  const crModel* model;        // NULL: the file is read and compiled
  const crScene* scene;        // what the model was compiled from, for pictures; NULL: none
  const char* folder;          // of the results; NULL: "NAME.run" in the current one. It is made unless it exists
  bool omitsReport;            // report.html is not written
  crSimulationOptions options; //
  const char* const* patterns; // (patternCount) of variables to record, as crCreateRecorder takes them
  int patternCount;            //
  // to go on with a run that was saved, in the folder that it left; NULL: a new run
  crSimulation* simulation;   // the caller's, from crLoadSimulation; its own options count
  const crResultPlace* place; // in the result there
  // callbacks, or NULL:
  void* context;
  bool (*shouldStop)(void* context, double t); // now and then, for a progress bar as well; true ends the run cleanly
  crStatus (*atOutput)(void* context, const crRunPoint* point); // anything but cr_ok ends the run with it
} crRunDef;

#define CR_RUN_FOLDER_SIZE 1024 // [bytes] longest path of a folder, its zero included

// What came of a run.
typedef struct crRunFacts {
  bool hasRun;                 // it was begun; else nothing below but the folder counts
  crRunEnd end;                //
  bool hasReport;              // report.html was written
  int columnCount;             // variables in each row of the result
  crSimulationOptions options; // as chosen; without inputs and start
  crSimulationSummary summary;
  char folder[CR_RUN_FOLDER_SIZE];
} crRunFacts;

// Reads and compiles the model if need be, runs it, and writes the folder. result.h5 grows while the run goes on; after
// a failure, or when it was stopped, all three files tell what there is. CPU and wall times are in run.json and in the
// report, not in result.h5: two equal runs have equal results. A report that cannot be written is a warning. Everything
// is told to the sink. outFacts may be NULL.
CR_API crStatus crRunModel(const crRunDef* def, const crAllocator* allocator, const crErrorSink* sink,
                           crRunFacts* outFacts);

#ifdef __cplusplus
}
#endif

#endif
