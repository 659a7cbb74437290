// Writes a list of elements as a Lua model.
#ifndef CR_TEXT_LUA_WRITER_H
#define CR_TEXT_LUA_WRITER_H

#include "text/element_list.h"

// Relative mesh files are rewritten from one folder to the other; both NULL: they stay. cr_errorModel: a path got too
// long, which was reported.
crStatus crWriteLua(const crElementList* list, const char* fromFolder, const char* toFolder, const crErrorSink* sink,
                    crTextWriter writer);

#endif
