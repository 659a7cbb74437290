// What lies where in a result file, as told in carom/result.h.
#ifndef CR_RESULT_LAYOUT_H
#define CR_RESULT_LAYOUT_H

#include "base/memory.h"
#include "carom/result.h"
#include "result/hdf5.h"

#define CR_RESULT_FORMAT 1 // raised when an older Carom cannot read the file any more
#define CR_ATTRIBUTE_VERSION "carom"
#define CR_ATTRIBUTE_FORMAT "format"
#define CR_ATTRIBUTE_COMPLETE "complete"
#define CR_ATTRIBUTE_EXIT "exit"
#define CR_ATTRIBUTE_MODEL "model"
#define CR_DATASET_SCENE "scene"
#define CR_DATASET_RUN "run"
#define CR_DATASET_TIME "time"
#define CR_DATASET_VARIABLES "variables"
#define CR_DATASET_NAMES "names"
#define CR_DATASET_UNITS "units"
#define CR_DATASET_DESCRIPTIONS "descriptions"
#define CR_DATASET_EVENTS "events"
#define CR_EXIT_RUNNING "running" // the exit reason until the run ends

// One element of /events in memory.
typedef struct crEventRecord {
  double time; // [s]
  char* kind;
  char* text;
} crEventRecord;
hid_t crMakeEventType(crHdf5* hdf5); // kept

#define CR_DEFLATE_LEVEL 1 // of 9; higher ones cost more time than they save space

// How /variables is cut into chunks.
typedef struct crChunking {
  int rows, columns; // of a chunk, >= 1
  bool isCompressed;
} crChunking;
crChunking crChooseChunking(int columnCount, int expectedRows); // expectedRows 0: unknown

// Small records. An attribute is replaced if it is there.
void crWriteTextAttribute(crHdf5* hdf5, hid_t file, const char* name, const char* text);
void crWriteNumberAttribute(crHdf5* hdf5, hid_t file, const char* name, int number);
void crWriteTextDataset(crHdf5* hdf5, hid_t file, const char* name, const char* text);

// A list of texts, each padded to `width` bytes.
void crWriteTextList(crHdf5* hdf5, hid_t file, const char* name, const char* texts, int count, size_t width);

// Empty datasets that grow by rows. The ids are the caller's to close. /time and /events are not compressed: their
// chunks stay in place (see commit_file.h).
hid_t crCreateTimeDataset(crHdf5* hdf5, hid_t file);
hid_t crCreateVariableDataset(crHdf5* hdf5, hid_t file, int columnCount, crChunking chunking);
hid_t crCreateEventDataset(crHdf5* hdf5, hid_t file);

// Appends elements to /time or /events, which has `written` of them.
void crAppendElements(crHdf5* hdf5, hid_t dataset, hid_t type, int written, int count, const void* elements);

#endif
