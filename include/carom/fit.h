// Fits: parameters of a model for which its variables come nearest to measurements, with their uncertainty; or for
// which an output of a run is least or largest.
#ifndef CAROM_FIT_H
#define CAROM_FIT_H

#include "carom/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CR_MAX_FIT_PARAMETERS 32

typedef struct crFitParameter {
  const char* name;
  double lower, upper; // finite, lower < upper
  bool hasStart;       // else it is in the middle
  double start;
  double scale; // > 0: a change of this size matters; 0: a tenth of upper - lower
} crFitParameter;

// One measurement series.
typedef struct crFitExperiment {
  const char* name;             // for people; or NULL
  const crSetting* settings;    // (settingCount) parameters of this experiment
  int settingCount;             //
  const char* const* variables; // (variableCount) of the model
  int variableCount;            //
  const double* deviations; // (variableCount) > 0, of measurements; NULL: as large as those of the values themselves
  const double* times;      // [s] (rowCount) ascending
  const double* values;     // (rowCount x variableCount); NaN: not measured
  int rowCount;
} crFitExperiment;

typedef struct crFitDef {
  size_t size;
  const char* model;                  // file
  const crSetting* settings;          // (settingCount) parameters that are the same in all runs
  int settingCount;                   //
  const crFitParameter* parameters;   // (parameterCount)
  int parameterCount;                 //
  const crFitExperiment* experiments; // (experimentCount) to be met; or none, and:
  int experimentCount;                //
  const char* goal;                   // an output as in crSweepDef, one number, to be least
  bool isLargest;                     // or largest
  const char* method; // "levenberg-marquardt", or of NLopt: "bobyqa", "cobyla", "crs2", "mlsl". NULL: the first for
                      // experiments, bobyqa for a goal
  int maxRuns;        // of the model; 0: 10000
  uint64_t seed;      // of crs2 and mlsl
  int threads;        // that run the model at the same time, up to CR_MAX_THREADS; 0: as many as there are processors
  crSimulationOptions options; // of all runs; size 0: as the model states, but with a tolerance of 1e-9
  void* context;
  bool (*shouldStop)(void* context); // or NULL
} crFitDef;

CR_API crFitDef crDefaultFitDef(const char* model);

typedef struct crFit crFit;

// Why a fit ended.
typedef enum crFitEnd {
  cr_fitConverged,
  cr_fitStalled,  // no smaller sum was found although the gradient promised one: kinks, or a loose tolerance
  cr_fitRunLimit, // maxRuns
} crFitEnd;

// An estimate. Errors and intervals follow from the Jacobian at the end, and are NaN for goals, for parameters that lie
// on a bound, and for those that the measurements do not tell.
typedef struct crFitEstimate {
  const char* name;
  double value;
  double error;     // standard error
  double low, high; // interval of 95 %
  bool isAtBound;
} crFitEstimate;

typedef struct crFitFacts {
  crFitEnd end;
  int parameterCount, experimentCount;
  int residualCount; // measurements
  double sum;        // of squared residuals, in units of deviations; of a goal: its value
  double deviation;  // sqrt(sum / (residualCount - parameterCount)): 1 if deviations were right
  int iterations, runs;
} crFitFacts;

// All names are checked first. A model that fails at the start is an error, elsewhere a bad place.
CR_API crStatus crFitModel(const crFitDef* def, const crAllocator* allocator, const crErrorSink* sink, crFit** outFit);
CR_API void crDestroyFit(crFit* fit);

CR_API crFitFacts crFit_GetFacts(const crFit* fit);
CR_API crFitEstimate crFit_GetEstimate(const crFit* fit, int parameter); // name NULL: no such parameter
CR_API double crFit_GetCovariance(const crFit* fit, int a, int b);       // of two parameters
// What the model gives at the end for an experiment: (rowCount x variableCount); NULL: no such experiment.
CR_API const double* crFit_GetValues(const crFit* fit, int experiment);

// The quantile of Student's distribution at 0 < p < 1.
CR_API double crStudentQuantile(double p, int freedom);

// A fit as it is written in Lua:
//
//   fit{ model = "pendulum.lua", parameters = { length = { 0.5, 2, start = 1 }, damping = { 0, 1 } },
//        experiments = { { data = "swing.csv", set = { angle = 0.3 }, deviation = 0.01,
//                          columns = { phi = "hinge.angle" } } } }
//
// Data are CSV with a column "time". Other columns are named like variables, or by `columns`.
typedef struct crFitPlan crFitPlan;
CR_API crStatus crReadFitPlan(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                              crFitPlan** outPlan);
CR_API void crDestroyFitPlan(crFitPlan* plan);
CR_API const crFitDef* crFitPlan_GetDef(const crFitPlan* plan);

#ifdef __cplusplus
}
#endif

#endif
