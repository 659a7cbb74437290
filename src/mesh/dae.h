// What a COLLADA file is told by.
#ifndef CR_MESH_DAE_H
#define CR_MESH_DAE_H

#include "carom/base.h"

// True when the root element stands near the start.
bool crIsDae(const char* bytes, size_t size);

#endif
