// No FMUs of others: inside of an FMU or a play page, which carry neither archives nor code of others, and in builds
// that cannot unpack or load them.
#include "foreign/fmu_block.h"

crStatus crSummarizeFmu(const crFunctionSource* source, const char* const* outputs, int outputCount, crArena* arena,
                        crReporter* reporter, crFmuSummary* outSummary)
{
  (void)source;
  (void)arena;
  *outSummary = (crFmuSummary){ .outputs = outputs, .outputCount = outputCount };
  crReportError(reporter, "FMUs of others are not run here: not in FMUs and play pages, on Windows, or without libzip");
  return cr_errorModel;
}

static crStatus refuse(void* caller, double t, const double* arguments, double* states, double* outValue)
{
  (void)caller;
  (void)t;
  (void)arguments;
  (void)states;
  *outValue = 0.0;
  return cr_failNumerics;
}

const crFunction* crGetFmuFunction(void)
{
  static const crFunction function = { .call = refuse };
  return &function;
}

void crAllowFmus(bool isAllowed)
{
  (void)isAllowed;
}
