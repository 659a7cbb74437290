// The JSON form of carom info.
#ifndef CR_CLI_INFO_H
#define CR_CLI_INFO_H

#include "carom/carom.h"

#include <jansson.h>

// Appends an item, taking it over. A list that could not take one becomes NULL, so that nothing incomplete is printed.
void crAppend(json_t** list, json_t* item);

// Prints the model on standard output; false: out of memory.
bool crPrintInfoJson(const crScene* scene, const crModel* model);

#endif
