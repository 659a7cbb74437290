// FMUs inside of an FMU or a play page: none. They carry no zip archives, and no code of others.
#include "foreign/fmu_block.h"

crStatus crSummarizeFmu(const crFunctionSource* source, const char* const* outputs, int outputCount, crArena* arena,
                        crReporter* reporter, crFmuSummary* outSummary)
{
  (void)source;
  (void)arena;
  *outSummary = (crFmuSummary){ .outputs = outputs, .outputCount = outputCount };
  crReportError(reporter, "FMUs and play pages run no FMUs of others");
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
