// The inside of a result in memory, for those who fill one: from a file, or from a run that never touches a disk.
#ifndef CR_RECORD_RESULT_H
#define CR_RECORD_RESULT_H

#include "base/friend.h"
#include "base/map.h"
#include "base/memory.h"
#include "carom/record.h"

struct crResult {
  crAllocator allocator;
  crArena arena; // texts, columns, events, contacts
  int rowCount, columnCount, eventCount, bodyCount, objectCount, contactCount, sampleCount;
  double* times;  // (rowCount) [s]
  double* values; // (columnCount x rowCount)
  float* poses;   // (rowCount x 7 bodyCount)
  uint8_t* kinds; // (rowCount) crRowKind; NULL: all rows are at output points
  crColumn* columns;
  crResultEvent* events;
  const char** bodies;       // (bodyCount) paths
  const char** objects;      // (objectCount) paths
  crContactRecord* contacts; // (contactCount) ordered by begin, then key
  crContactRecord* samples;  // (sampleCount) ordered by row
  int* sampleStarts;         // (rowCount + 1)
  crMeshFile* meshes;        // (meshCount) retained
  int meshCount;
  crMap names; // to columns
  crResultFacts facts;
};

// Empty; NULL: out of memory.
CR_FRIEND crResult* crCreateResultInMemory(const crAllocator* allocator);

// Rows from `first` on into their columns.
CR_FRIEND void crResult_SpreadRows(crResult* result, int first, int count, const double* rows);

// Names to columns, which are there. false: out of memory.
CR_FRIEND bool crResult_MapColumns(crResult* result);

// One contact for each begin that pushes; an end belongs to the last begin of its key that is still open.
// cr_errorModel: a record names an object that does not exist, or its time is not finite.
CR_FRIEND crStatus crResult_SetContacts(crResult* result, const crContactRecord* records, int count);

// Samples of the rows there are; those of later rows are left out. Each is asked for once, in order. Their corners,
// which may lie in the arena, live as long as the result. cr_errorModel: they are not in order, or name an object that
// does not exist.
typedef crContactRecord crGiveSample(void* context, int index);
CR_FRIEND crStatus crResult_SetSamples(crResult* result, int count, crGiveSample* give, void* context);

#endif
