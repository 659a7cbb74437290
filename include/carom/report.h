// Reports: a whole run in one HTML file that opens anywhere, and its motion as a glTF file.
//
// docs/report_format.md says what is inside a report.
#ifndef CAROM_REPORT_H
#define CAROM_REPORT_H

#include "carom/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crReportOptions {
  const char* title; // NULL: the model's file without folder and ending
  size_t dataLimit;  // [bytes] of the compressed numbers in the file: rows are left out until they fit
  int maxContacts;   // entries of the list of contacts; the rest is counted
} crReportOptions;

CR_API crReportOptions crDefaultReportOptions(void); // 20 MB, 20,000 contacts

// What a report leaves out, for the one who asked for it.
typedef struct crReportFacts {
  int every;        // every k-th row is in the report; 1: all are
  size_t byteCount; // of the file
  char note[512];   // why nothing can be drawn, or what could not be; empty: all is there
} crReportFacts;

// Writes a report of a result, complete or not at all. NULL options: the defaults. outFacts may be NULL.
CR_API crStatus crWriteReport(const crResult* result, const char* path, const crReportOptions* options,
                              const crAllocator* allocator, const crErrorSink* sink, crReportFacts* outFacts);

// Writes what is drawn and how it moves as binary glTF 2.0 (.glb): one node for each body, translation and rotation
// animated; y is up there. A result without a model that can be drawn is reported.
CR_API crStatus crWriteGlb(const crResult* result, const char* path, const crAllocator* allocator,
                           const crErrorSink* sink);

#ifdef __cplusplus
}
#endif

#endif
