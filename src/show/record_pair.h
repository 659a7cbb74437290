// A sink that hands records on to two others, the first one first.
#ifndef CR_SHOW_RECORD_PAIR_H
#define CR_SHOW_RECORD_PAIR_H

#include "carom/record.h"

typedef struct crRecordPair {
  const crRecordSink *first, *second; // second NULL: the first one gets all
  bool hasSecond;                     // the second one has begun
} crRecordPair;

crRecordSink crRecordPair_GetSink(crRecordPair* pair); // the struct lives as long as the run

#endif
