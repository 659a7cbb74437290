// The page of reports, viewer/dist/report.html, and that of sweeps, viewer/sweep/sweep.html, as they are: the assembler
// puts the files into the library.
#include "show/report.h"

#include "base/embed.h"

CR_EMBED("crReportPage", CAROM_REPORT_PAGE);
CR_EMBED("crSweepPage", CAROM_SWEEP_PAGE);

CR_EMBEDDED crReportPageStart[], crReportPageEnd[];
CR_EMBEDDED crSweepPageStart[], crSweepPageEnd[];

const char* crGetReportPage(size_t* outSize)
{
  *outSize = (size_t)((uintptr_t)crReportPageEnd - (uintptr_t)crReportPageStart);
  return crReportPageStart;
}

const char* crGetSweepPage(size_t* outSize)
{
  *outSize = (size_t)((uintptr_t)crSweepPageEnd - (uintptr_t)crSweepPageStart);
  return crSweepPageStart;
}
