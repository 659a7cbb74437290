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

// What is to be run: a file, or a model that is there already.
typedef struct crRunDef {
  size_t size;
  const char* file;          // of the model, .lua or .json. Its name, text and hash are kept with the results
  const crSetting* settings; // (settingCount) override the parameters of the file
  int settingCount;          //
  const crModel* model;      // NULL: the file is read and compiled
  const crScene* scene;      // what the model was compiled from, for pictures; NULL: none
  const char* folder;        // of the results; NULL: "NAME.run" in the current one. It is made unless it exists
  bool omitsReport;          // report.html is not written
  bool isInteractive;        // report.html holds the simulator too, as a play page does: it needs the file, and a run
                             // from the model's own start and inputs, by a solver that pages have
  double checkpointSeconds;  // [s] >= 0 of wall time between checkpoints, from which crResumeRun goes on; CR_ZERO: at
                             // every output point; 0: none are written
  const char* startFile;     // a state as JSON from which the run starts, instead of options->start; NULL: none
  const char* stateFile;     // to which the state at the end is written; NULL: none
  const crSimulationOptions* options; // NULL: as the model states
  const char* const* patterns;        // (patternCount) of variables to record, as crCreateRecorder takes them
  int patternCount;                   //
  const crRecordSink* follower;       // gets all that is recorded as well, after the result; NULL: nobody
  // callbacks, or NULL:
  void* context;
  bool (*shouldStop)(void* context, double t); // now and then, for a progress bar as well; true ends the run cleanly
  crStatus (*atOutput)(void* context, const crRunPoint* point); // anything but cr_ok ends the run with it
} crRunDef;

CR_API crRunDef crDefaultRunDef(const char* file);

#define CR_RUN_FOLDER_SIZE 1024 // [bytes] longest path of a folder, its zero included

// What came of a run.
typedef struct crRunFacts {
  bool hasRun;                 // it was begun; else nothing below but the folder counts
  crRunEnd end;                //
  bool hasReport;              // report.html was written
  bool canResume;              // it has not come to its end, and left a checkpoint from which crResumeRun goes on
  int columnCount;             // variables in each row of the result
  int variableCount;           // that the model has
  int rowCount;                // at output points and at events
  crSimulationOptions options; // as chosen; without inputs and start
  crSimulationSummary summary;
  char creep[CR_CREEP_TEXT]; // what crept, in words; empty: nothing did
  char folder[CR_RUN_FOLDER_SIZE];
} crRunFacts;

// Reads and compiles the model if need be, runs it, and writes the folder. result.h5 grows while the run goes on; after
// a failure, or when it was stopped, all three files tell what there is. CPU and wall times are in run.json and in the
// report, not in result.h5: two equal runs have equal results. A report that cannot be written is a warning. Everything
// is told to the sink. outFacts may be NULL.
CR_API crStatus crRunModel(const crRunDef* def, const crAllocator* allocator, const crErrorSink* sink,
                           crRunFacts* outFacts);

// The same in memory: no folder is made, and nothing is written; what a report needs to know is in the result. The
// folder, the report, checkpoints and the file of the state at the end are not asked for. After a failure, or when it
// was stopped, the result holds what was recorded; NULL: there is nothing. A point of `atOutput` has no writer.
// outResult may be NULL: rows are seen by the follower, and not kept.
CR_API crStatus crRunInMemory(const crRunDef* def, const crAllocator* allocator, const crErrorSink* sink,
                              crResult** outResult, crRunFacts* outFacts);

// How a run goes on.
typedef struct crResumeOptions {
  size_t size;
  int threads;              // up to CR_MAX_THREADS; 0: as before. The result does not depend on it
  bool omitsReport;         // report.html is not written
  double checkpointSeconds; // [s] as in crRunDef; 0: as before
  void* context;
  void (*begin)(void* context, const crSimulation* simulation); // before it goes on; or NULL
  bool (*shouldStop)(void* context, double t);                  // as in crRunDef
} crResumeOptions;

CR_API crResumeOptions crDefaultResumeOptions(void);

// Goes on with a run that wrote checkpoints and did not come to its end, from the newest one that is whole: in the same
// result.h5, which in the end is that of an undisturbed run bit by bit, with report and run.json. The model comes from
// its file, or, where that has changed, with a warning from the scene in the result. A run that has ended, a folder
// without checkpoints, damaged ones, and those of another build are told to the sink. NULL options: the default;
// outFacts may be NULL.
CR_API crStatus crResumeRun(const char* folder, const crResumeOptions* options, const crAllocator* allocator,
                            const crErrorSink* sink, crRunFacts* outFacts);

#ifdef __cplusplus
}
#endif

#endif
