// What lies where in a shard.
#ifndef CR_SWEEP_SHARD_LAYOUT_H
#define CR_SWEEP_SHARD_LAYOUT_H

#include "result/layout.h"

#define CR_ATTRIBUTE_PLAN "plan"
#define CR_DATASET_PLAN "plan.json"
#define CR_DATASET_RUNS "runs"
#define CR_DATASET_INPUTS "inputs"
#define CR_DATASET_OUTPUTS "outputs"
#define CR_DATASET_MESSAGES "messages"

// One element of /runs.
typedef struct crStoredRun {
  int64_t run;
  int32_t status, warnings;
  double cpuSeconds;
} crStoredRun;

// One element of /messages.
#define CR_MESSAGE_PART 240 // [bytes]
typedef struct crStoredMessage {
  int64_t run;
  int32_t part; // 0: a message begins; 1, 2, ...: it goes on
  int32_t unused;
  char text[CR_MESSAGE_PART]; // zeros behind
} crStoredMessage;

hid_t crMakeRunType(crHdf5* hdf5);
hid_t crMakeMessageType(crHdf5* hdf5);

#endif
