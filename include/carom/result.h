// Results: what a run recorded, in a file that other tools read.
//
// result.h5 (HDF5):
//   /            attributes: carom (version), format (1), complete (0 or 1), exit (why the run ended), model
//   /scene       the model as canonical JSON (one string)
//   /run         options, versions and statistics as JSON (one string, written at the end)
//   /time        (rows)
//   /variables   (rows x columns), chunked and compressed; one column per variable
//   /names /units /descriptions   (columns) strings
//   /events      (append-only) time, kind, text; part > 0: the text of the record before goes on
//   /contacts    (append-only) time, key and values of contacts
// Rows are appended while the run goes on; a killed run leaves a file that any HDF5 reader opens. Several results can
// be written and read in several threads at once, each in one thread at a time; HDF5 itself is entered by one of them
// at a time.
#ifndef CAROM_RESULT_H
#define CAROM_RESULT_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crColumn {
  const char* name;        // "arm.joint1.angle"
  const char* unit;        // "rad"; "1" for none
  const char* description; // one line
} crColumn;

// ------------------------------------------------------------------------------------------ writing

typedef struct crResultWriter crResultWriter;

typedef struct crResultDef {
  const char* path;
  const crColumn* columns; // (columnCount), without time
  int columnCount;
  const char* modelName; // for people
  const char* sceneJson; // or NULL
  int expectedRows;      // hint for buffers; 0: unknown
} crResultDef;

// An existing file is replaced only when the new one could be made.
CR_API crStatus crCreateResult(const crResultDef* def, const crAllocator* allocator, const crErrorSink* sink,
                               crResultWriter** outWriter);

// Rows and events are buffered. They reach the file when one is added a second of wall time or more after the last
// flush, by crResultWriter_Flush, and at the end. Values may be NaN, times not; a kind has up to 28 bytes. After a
// failure, which is reported once, every call returns its status.
CR_API crStatus crResultWriter_AddRow(crResultWriter* writer, double time, const double* values);
CR_API crStatus crResultWriter_AddEvent(crResultWriter* writer, double time, const char* kind, const char* text);
CR_API crStatus crResultWriter_Flush(crResultWriter* writer);

// Writes what is left, and marks the file complete. exit: "ok", "interrupted", "failed". Frees the writer in any
// case; a full disk is reported, and what was written before stays readable.
CR_API crStatus crResultWriter_Close(crResultWriter* writer, bool isComplete, const char* exitReason,
                                     const char* runJson);

// ------------------------------------------------------------------------------------------ reading

typedef struct crResult crResult;

// Reads a whole result into memory. Foreign, damaged or unreadable files are reported.
CR_API crStatus crReadResult(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                             crResult** outResult);
CR_API void crDestroyResult(crResult* result);

CR_API int crResult_CountRows(const crResult* result);
CR_API int crResult_CountColumns(const crResult* result);
CR_API const crColumn* crResult_GetColumn(const crResult* result, int column);
CR_API int crResult_FindColumn(const crResult* result, const char* name);    // -1: none
CR_API const double* crResult_GetTimes(const crResult* result);              // (rows)
CR_API const double* crResult_GetValues(const crResult* result, int column); // (rows)

typedef struct crResultEvent {
  double time;
  const char* kind;
  const char* text;
} crResultEvent;

CR_API int crResult_CountEvents(const crResult* result);
CR_API const crResultEvent* crResult_GetEvent(const crResult* result, int index);

typedef struct crResultFacts {
  const char* version; // of Carom that wrote it
  const char* modelName;
  const char* exitReason; // "running" when the run was killed
  bool isComplete;
  const char* sceneJson; // or NULL
  const char* runJson;   // or NULL
} crResultFacts;

CR_API crResultFacts crResult_GetFacts(const crResult* result);

// --------------------------------------------------------------------------------------- selecting

// Whether a name matches a pattern: '*' stands for any characters but '.', '**' for any, '?' for one but '.'.
CR_API bool crMatchesPattern(const char* name, const char* pattern);

// The columns that match any of the patterns, pattern by pattern, none twice. outColumns has room for all columns of
// the result. A pattern that matches none is reported with the nearest names, and makes this cr_errorModel.
CR_API crStatus crResult_SelectColumns(const crResult* result, const char* const* patterns, int patternCount,
                                       const crAllocator* allocator, const crErrorSink* sink, int* outColumns,
                                       int* outCount);

// --------------------------------------------------------------------------------------- exporting

// CSV: a header "time [s],name [unit],..." (RFC 4180 quoting), one row a line, shortest round-trip numbers.
CR_API crStatus crWriteCsv(const crResult* result, const char* path, const crAllocator* allocator,
                           const crErrorSink* sink);

// Modelica result file: MATLAB version 4 with Aclass, name, description, dataInfo, data_1, data_2.
CR_API crStatus crWriteMat(const crResult* result, const char* path, const crAllocator* allocator,
                           const crErrorSink* sink);

#ifdef __cplusplus
}
#endif

#endif
