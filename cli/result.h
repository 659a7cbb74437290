// What the verbs do with result files.
#ifndef CR_CLI_RESULT_H
#define CR_CLI_RESULT_H

#include "cli.h"

#define CR_MAX_RESULT_PATH 4096 // [bytes]

// A result is a file that ends in .h5, or the folder of a run, which stands for the result.h5 in it.
bool crIsResult(const char* path);

// The path of the file itself.
const char* crFindResultFile(const char* path, char buffer[CR_MAX_RESULT_PATH]);

// Reads a result and prints what is to be said about it; NULL: it cannot be read.
crResult* crLoadResult(const char* path);

// What of a result becomes a table.
typedef enum crResultTable { cr_tableVariables, cr_tableContacts, cr_tableSamples } crResultTable;

// The verbs info and convert, for results. They return the exit code.
int crShowResult(const char* path, bool isJson, bool isAll);
int crConvertResult(const char* path, const char* target, crResultTable table);

// A sink that prints every message at once.
crErrorSink crMakePrintingSink(void);

bool crEndsWith(const char* text, const char* ending);

#endif
