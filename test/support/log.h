// Looking for messages in an error log.
#ifndef CR_TEST_LOG_H
#define CR_TEST_LOG_H

#include "support/test.h"

// Fails unless the log holds a message of this severity whose whole text (crError_Format) contains `part`;
// prints the log when it does not.
#define assert_message(log, severity, part) crAssertMessage((log), (severity), (part), __FILE__, __LINE__)
void crAssertMessage(const crErrorLog* log, crSeverity severity, const char* part, const char* file, int line);

// Fails and prints the log when it holds any warning or error.
#define assert_no_messages(log) crAssertNoMessages((log), __FILE__, __LINE__)
void crAssertNoMessages(const crErrorLog* log, const char* file, int line);

#endif
