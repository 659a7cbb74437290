// Takes a report apart: the description and the numbers.
#ifndef CR_TEST_REPORT_PAGE_H
#define CR_TEST_REPORT_PAGE_H

#include "carom/report.h"
#include "support/test.h"

#include <jansson.h>

typedef struct crTestReport {
  char* page; // the whole file
  size_t pageSize;
  json_t* run;    // the description
  float* numbers; // (count)
  size_t count;
} crTestReport;

// Fails the test when the file is no report, or when something inside could end one of its elements early.
crTestReport crReadTestReport(const char* path);
void crFreeTestReport(crTestReport* report);

// The numbers of a block, which must have this count (< 0: any).
const float* crTestReport_GetBlock(const crTestReport* report, const json_t* block, long count);

// The element of a list whose member has this text; fails the test when there is none.
const json_t* crFindInList(const json_t* list, const char* member, const char* text);

#endif
