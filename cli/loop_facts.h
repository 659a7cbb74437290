// What loops and couplings let move.
#ifndef CR_CLI_LOOP_FACTS_H
#define CR_CLI_LOOP_FACTS_H

#include "carom/instance.h"

// The model at its start with its loops closed and its couplings satisfied; NULL: it has none, or that cannot be done,
// of which the sink is told. sink may be NULL.
crInstance* crCloseLoops(const crModel* model, const crErrorSink* sink);

#endif
