// Saying that a build does not have what it was asked for.
#ifndef CR_BASE_ABSENT_H
#define CR_BASE_ABSENT_H

#include "base/report.h"

// `what` is missing, as a sentence without its end: "this build of Carom has no cairo: ...". Returns cr_errorFile.
static inline crStatus crReportAbsent(const crErrorSink* sink, const char* path, const char* what, const char* hint)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
  crComplaint complaint = { .message = what, .hint = hint };
  crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
  return cr_errorFile;
}

#endif
