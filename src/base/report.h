// Reporting: messages with an address, built from parts.
#ifndef CR_BASE_REPORT_H
#define CR_BASE_REPORT_H

#include "base/friend.h"
#include "carom/base.h"

// Where messages of one element go. Counts what it reported.
typedef struct crReporter {
  const crErrorSink* sink; // may be NULL
  crSource source;
  const char* path; // may be NULL
  int errorCount;
  int warningCount;
} crReporter;

CR_FRIEND crReporter crMakeReporter(const crErrorSink* sink, crSource source, const char* path);

// What a message says beside its address. Fields left out are NULL.
typedef struct crComplaint {
  const char* message;
  const char* found;
  const char* allowed;
  const char* unit;
  const char* hint;
} crComplaint;

CR_FRIEND void crReport(crReporter* reporter, crSeverity severity, crStatus status, const crComplaint* complaint);

// An error whose found value is a number.
CR_FRIEND void crReportNumber(crReporter* reporter, const char* message, double found, const char* allowed,
                              const char* unit, const char* hint);

// A cr_errorModel with a formatted message, no more than 1 kB of it.
CR_FRIEND void crReportError(crReporter* reporter, const char* format, ...) __attribute__((format(printf, 2, 3)));
CR_FRIEND void crReportWarning(crReporter* reporter, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Whether a def or options came with the size that this library knows; reports cr_errorMisuse and returns false if not.
CR_FRIEND bool crCheckSize(crReporter* reporter, const char* type, size_t size, size_t known);

// A sink that hands on to another one, which must outlive it, with errors as warnings: for what a run can do without.
CR_FRIEND crErrorSink crMakeWarningSink(const crErrorSink* sink);

// A sink that adds the reporter's address to messages without one, and counts them there. For code that
// checks parts and does not know whose they are. The reporter must outlive the sink.
CR_FRIEND crErrorSink crReporter_Sink(crReporter* reporter);

// The name nearest to `name` by edit distance, or NULL when none is near enough to be meant. Feed the
// candidates one by one.
typedef struct crNearest {
  const char* name;
  const char* best;
  int bestDistance;
} crNearest;
CR_FRIEND crNearest crMakeNearest(const char* name);
CR_FRIEND void crNearest_Try(crNearest* nearest, const char* candidate);

#endif
