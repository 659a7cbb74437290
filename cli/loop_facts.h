// What loops let move.
#ifndef CR_CLI_LOOP_FACTS_H
#define CR_CLI_LOOP_FACTS_H

#include "carom/instance.h"

// The model at its start with its loops closed; NULL: it has none, or they cannot be closed.
crInstance* crCloseLoops(const crModel* model);

#endif
