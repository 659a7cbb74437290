// Options of reading, with the defaults filled in.
#ifndef CR_TEXT_READ_OPTIONS_H
#define CR_TEXT_READ_OPTIONS_H

#include "carom/io.h"

#define CR_MODEL_FILE_LIMIT ((size_t)2 << 30) // [bytes] of one model or mesh file, unless given

// NULL options: the defaults. cr_errorMisuse: of an unknown size, which is reported, or with lists that are not there.
crStatus crChooseReadOptions(const crReadOptions* options, const crErrorSink* sink, crReadOptions* outOptions);

#endif
