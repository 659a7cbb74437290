// Looking for messages in an error log.
#include "support/log.h"

#include <string.h>

static void printLog(const crErrorLog* log)
{
  for (int i = 0; i < crErrorLog_Count(log); ++i) {
    char text[4096];
    crError_Format(crErrorLog_Get(log, i), text, sizeof text);
    print_error("  %s\n", text);
  }
}

void crAssertMessage(const crErrorLog* log, crSeverity severity, const char* part, const char* file, int line)
{
  for (int i = 0; i < crErrorLog_Count(log); ++i) {
    char text[4096];
    crError_Format(crErrorLog_Get(log, i), text, sizeof text);
    if (crErrorLog_Get(log, i)->severity == severity && strstr(text, part) != NULL) {
      return;
    }
  }
  print_error("no message says '%s'; the log holds %d:\n", part, crErrorLog_Count(log));
  printLog(log);
  _fail(file, line);
}

void crAssertNoMessages(const crErrorLog* log, const char* file, int line)
{
  if (crErrorLog_CountOf(log, cr_severityError) + crErrorLog_CountOf(log, cr_severityWarning) > 0) {
    printLog(log);
    _fail(file, line);
  }
}
