// Sweeps: a model run many times with other parameters, and the table that comes of it.
//
// A plan says which parameters vary and how, and what is kept of each run. Run number i is a function of the plan and i
// alone, so it does not matter who runs it, when, and how often. A sweep lives in a folder: plan.json, and one file
// (shard) of rows for every process that took part in it. A folder that was left at any moment, by kill -9 too, can be
// read, and goes on with the runs that are missing.
#ifndef CAROM_SWEEP_H
#define CAROM_SWEEP_H

#include "carom/io.h"
#include "carom/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

// -------------------------------------------------------------------------------------------- plans

#define CR_MAX_SWEEP_RUNS 1000000000 // of one plan

// What is to be swept. How a parameter varies and what is kept of a run is text:
//
//   "0.1:1:10", "grid(0.1, 1, 10)"  10 values from 0.1 to 1     "values(steel, wood)", "2,4,8"  these
//   "uniform(a, b)", "loguniform(a, b)"                         "normal(mean, deviation)"
//
//   "last(v)", "max(v)", "min(v)", "mean(v)"                    of a variable v over the rows of a run
//   "series(v, n)"                                              n values of v at equal intervals, from start to stop
//   "count(contacts)", "count(contacts a b)", "count(events)", "count(steps)"
//   "time(first contact a b)", "time(last contact a b)", "time(end)"
//
// Parameters with listed values are crossed with each other, and each sample of all others with every such point.
typedef struct crSweepDef {
  size_t size;
  const char* model;         // file, .lua or .json
  const crSetting* vary;     // (varyCount) parameters, and how they vary
  int varyCount;             //
  const crSetting* settings; // (settingCount) parameters that are the same in all runs
  int settingCount;          //
  const char* const* output; // (outputCount)
  int outputCount;           //
  int64_t runs;              // 0: all points of listed values
  uint64_t seed;             //
  const char*
      design; // "grid", "random", "sobol", "latin", "sensitivity"; NULL: grid if all values are listed, or random
  crSimulationOptions options; // of all runs; size 0: as the model states
} crSweepDef;

CR_API crSweepDef crDefaultSweepDef(const char* model);

typedef struct crSweepPlan crSweepPlan;

// Reads the model once and checks all names. Everything wrong is reported, parameters as "vary.NAME", outputs as
// "output[N]".
CR_API crStatus crCreateSweepPlan(const crSweepDef* def, const crAllocator* allocator, const crErrorSink* sink,
                                  crSweepPlan** outPlan);
// The same from a Lua file that calls sweep{ model = ..., vary = {...}, output = {...}, ... }; the model is looked up
// beside it.
CR_API crStatus crReadSweepPlan(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                                crSweepPlan** outPlan);
// The same from the folder of a sweep. A model that is not what it was is refused.
CR_API crStatus crOpenSweepPlan(const char* folder, const crAllocator* allocator, const crErrorSink* sink,
                                crSweepPlan** outPlan);
CR_API void crDestroySweepPlan(crSweepPlan* plan);

// Another number of runs: a sweep becomes longer or shorter. What is wrong with it is reported, and the plan as before.
CR_API crStatus crSweepPlan_SetRuns(crSweepPlan* plan, int64_t runs, const crErrorSink* sink);

CR_API int64_t crSweepPlan_CountRuns(const crSweepPlan* plan);
CR_API int crSweepPlan_CountInputs(const crSweepPlan* plan);
CR_API int crSweepPlan_CountOutputs(const crSweepPlan* plan);                      // columns: a series has many
CR_API const char* crSweepPlan_GetInput(const crSweepPlan* plan, int input);       // its name
CR_API const crColumn* crSweepPlan_GetOutput(const crSweepPlan* plan, int output); //
CR_API const char* crSweepPlan_GetHash(const crSweepPlan* plan); // of the plan, the model, its meshes and the version

// The inputs of a run as numbers; those with listed texts as the text's place in the list, from 0.
CR_API crStatus crSweepPlan_FindPoint(const crSweepPlan* plan, int64_t run, double* outInputs);
// The same as text, as crReadOptions takes it: it gives the same bits.
#define CR_SWEEP_VALUE_SIZE 64 // [bytes] longest text of a value, its zero included
CR_API crStatus crSweepPlan_FormatInput(const crSweepPlan* plan, int64_t run, int input,
                                        char outText[CR_SWEEP_VALUE_SIZE]);

// The command that runs this point alone, with all that is recorded by default: the same bits. Returns the length that
// the whole text needs, like snprintf.
CR_API int crSweepPlan_FormatCommand(const crSweepPlan* plan, int64_t run, char* buffer, size_t size);

// What came of one run.
typedef struct crSweepRow {
  int64_t run;
  int32_t status;        // crStatus: cr_ok, or why it failed; then all outputs are NaN
  int32_t warnings;      // that were told
  double cpuSeconds;     // reading and compiling included
  const double* inputs;  // (CountInputs)
  const double* outputs; // (CountOutputs)
  const char* message;   // of a failed run; "" else
} crSweepRow;

// One run, without a folder. outOutputs: (CountOutputs). cr_ok although the run failed: the row's status tells. The
// message lies in the buffer, or is "". shouldStop may be NULL.
#define CR_SWEEP_MESSAGE_SIZE 1024 // [bytes] longer messages are cut
CR_API crStatus crSweepPlan_Run(const crSweepPlan* plan, int64_t run, const crAllocator* allocator, double* outInputs,
                                double* outOutputs, char outMessage[CR_SWEEP_MESSAGE_SIZE], crSweepRow* outRow);

// -------------------------------------------------------------------------------------------- sweeps

// How far a sweep has come.
typedef struct crSweepProgress {
  int64_t runs;       // of the plan
  int64_t done;       // rows that there are, of earlier times too
  int64_t failed;     // of them
  int64_t ran;        // by this call
  int64_t ranFailed;  // of those
  double wallSeconds; // of this call
} crSweepProgress;

typedef struct crSweepOptions {
  size_t size;
  int threads;         // up to CR_MAX_THREADS, each with runs of its own; 0: as many as there are processors
  bool retriesFailed;  // runs that failed are run again
  int task, taskCount; // of several processes that work on one folder, from 0: blocks of runs are dealt out in turns;
                       // taskCount 0: there is no other
  void* context;
  bool (*shouldStop)(void* context); // true: runs under way are finished and written, no others begun
  void (*tell)(void* context, const crSweepProgress* progress); // ten times a second, and at the end
  // NULL: all of the plan. Else the next block of runs, [first, last), of those that another process deals out; false:
  // there are no more. One thread at a time calls it.
  bool (*takeBlock)(void* context, int64_t* outFirst, int64_t* outLast);
  double tellSeconds; // [s] between two calls of `tell`; 0: 0.1
} crSweepOptions;

CR_API crSweepOptions crDefaultSweepOptions(void);

// Makes the folder with its plan.json, for others that will run the sweep. One of another plan is refused.
CR_API crStatus crPrepareSweep(const crSweepPlan* plan, const char* folder, const crAllocator* allocator,
                               const crErrorSink* sink);

// Runs what is missing in the folder, which is made unless it exists; one of another plan is refused. Failed runs are
// rows. cr_cancelled when it was stopped. outProgress may be NULL.
CR_API crStatus crRunSweep(const crSweepPlan* plan, const char* folder, const crSweepOptions* options,
                           const crAllocator* allocator, const crErrorSink* sink, crSweepProgress* outProgress);

// --------------------------------------------------------------------------------------------- tables

// The rows of a sweep, by the number of their runs, each run once. One that was done several times counts once: as ok
// if it was ever, else as it failed last.
typedef struct crSweepTable crSweepTable;

// From a folder, or from a file that crWriteSweepTable wrote. The model is not needed.
CR_API crStatus crReadSweepTable(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                                 crSweepTable** outTable);
CR_API void crDestroySweepTable(crSweepTable* table);

CR_API int64_t crSweepTable_CountRuns(const crSweepTable* table); // of the plan
CR_API int crSweepTable_CountRows(const crSweepTable* table);     // that there are
CR_API int crSweepTable_CountInputs(const crSweepTable* table);
CR_API int crSweepTable_CountOutputs(const crSweepTable* table);
CR_API const char* crSweepTable_GetInput(const crSweepTable* table, int input);
CR_API const crColumn* crSweepTable_GetOutput(const crSweepTable* table, int output);
CR_API const char* crSweepTable_GetText(const crSweepTable* table, int input, int value); // a listed text; NULL: none
CR_API const char* crSweepTable_GetPlan(const crSweepTable* table);                       // as JSON
CR_API crSweepRow crSweepTable_GetRow(const crSweepTable* table, int row);                // run -1: no such row
CR_API int crSweepTable_FindRow(const crSweepTable* table, int64_t run);                  // -1: it is missing
CR_API const double* crSweepTable_GetInputs(const crSweepTable* table);                   // (rows x inputs)
CR_API const double* crSweepTable_GetOutputs(const crSweepTable* table);                  // (rows x outputs)

// How much of an output's variance an input explains, by itself and together with all others, with standard errors.
typedef struct crSensitivity {
  double first, firstError;
  double total, totalError;
} crSensitivity;

// Of a sweep whose design is "sensitivity"; cr_errorMisuse for others. outIndices: (CountInputs). replicates: bootstrap
// samples for the errors; 0: 500. outCount: the sets of inputs + 2 runs that are complete and count; may be NULL.
CR_API crStatus crSweepTable_ComputeSensitivity(const crSweepTable* table, int output, int replicates,
                                                const crAllocator* allocator, crSensitivity* outIndices, int* outCount);

// One HDF5 file of all rows.
CR_API crStatus crWriteSweepTable(const crSweepTable* table, const char* path, const crAllocator* allocator,
                                  const crErrorSink* sink);
// "run,status,NAME...,OUTPUT [unit]...,message"; shortest round-trip numbers.
CR_API crStatus crFormatSweepCsv(const crSweepTable* table, crTextWriter writer);
CR_API crStatus crWriteSweepCsv(const crSweepTable* table, const char* path, const crAllocator* allocator,
                                const crErrorSink* sink);

#ifdef __cplusplus
}
#endif

#endif
