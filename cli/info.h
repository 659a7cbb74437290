// The JSON form of carom info.
#ifndef CR_CLI_INFO_H
#define CR_CLI_INFO_H

#include "carom/carom.h"

// Prints the model on standard output; false: out of memory.
bool crPrintInfoJson(const crScene* scene, const crModel* model);

#endif
