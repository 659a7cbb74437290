// Reading Lua models from text in tests.
#ifndef CR_TEST_LUA_H
#define CR_TEST_LUA_H

#include "carom/io.h"

typedef struct crTestModel {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene; // or NULL
  crStatus status;
} crTestModel;

// Reads a text as "model.lua". options may be NULL.
crTestModel crTestModel_Read(const char* text, const crReadOptions* options);
void crTestModel_Free(crTestModel* model);

// Reads a text that must be without errors and warnings.
crTestModel crTestModel_ReadGood(const char* text);

// True when one of the messages holds the text; else prints them all.
bool crTestModel_Says(const crTestModel* model, const char* text);

// Reads a text, and asserts its status and that a message holds `says` (NULL: none needed).
void crAssertReads(const char* text, const crReadOptions* options, crStatus status, const char* says, const char* file,
                   int line);
#define assert_reads(text, status, says) crAssertReads((text), NULL, (status), (says), __FILE__, __LINE__)
#define assert_reads_with(text, options, status, says)                                                                 \
  crAssertReads((text), (options), (status), (says), __FILE__, __LINE__)

#endif
