// What an STL file is told by.
#ifndef CR_MESH_STL_H
#define CR_MESH_STL_H

#include "carom/base.h"

// True when the size fits the count of a binary file, or a text begins with the word solid.
bool crIsStl(const void* bytes, size_t size);

#endif
