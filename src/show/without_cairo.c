// Plots where there is no cairo: in a terminal only.
#include "base/absent.h"
#include "carom/show.h"
#include "show/fit_picture.h"

static crStatus tell(const crErrorSink* sink, const char* path)
{
  return crReportAbsent(sink, path, "this build of Carom has no cairo: it draws no pictures of plots",
                        "report.html has plots, and `carom plot` draws them in a terminal");
}

crStatus crPlotResult(const crResult* result, const int* columns, int columnCount, const crPlotOptions* options,
                      const char* path, const crAllocator* allocator, const crErrorSink* sink)
{
  (void)columns;
  (void)columnCount;
  (void)options;
  (void)allocator;
  return result != NULL && path != NULL ? tell(sink, path) : cr_errorMisuse;
}

const char* crSweepPlotKind_GetText(crSweepPlotKind kind)
{
  static const char* const texts[cr_sweepPlotKindCount] = { "curve", "map", "histogram", "scatter", "sensitivity" };
  return kind < cr_sweepPlotKindCount ? texts[kind] : NULL;
}

crSweepPlotOptions crDefaultSweepPlotOptions(crSweepPlotKind kind)
{
  return (crSweepPlotOptions){ .size = sizeof(crSweepPlotOptions), .kind = kind };
}

crStatus crPlotSweep(const crSweepTable* table, const crSweepPlotOptions* options, const char* path,
                     const crAllocator* allocator, const crErrorSink* sink)
{
  (void)options;
  (void)allocator;
  return table != NULL && path != NULL ? tell(sink, path) : cr_errorMisuse;
}

crStatus crWriteFitPictures(const crFitDef* def, const crFit* fit, const char* folder, const crAllocator* allocator,
                            const crErrorSink* sink, bool* outAreThere)
{
  (void)def;
  (void)fit;
  (void)allocator;
  crErrorSink warnings = crMakeWarningSink(sink);
  *outAreThere = false;
  (void)crReportAbsent(&warnings, folder, "this build of Carom has no cairo: the fit has numbers and no pictures",
                       NULL);
  return cr_ok;
}
