// Functions of one library that another of ours calls: of the core, carom_io and carom_show; of carom_io, carom_show.
//
// They are in no public header, and may change from one version to the next: libraries of different versions do not go
// together. A shared library exports what is marked CR_API or CR_FRIEND and hides the rest, so a mark that is missing
// shows when the shared libraries are linked. (A copy of src/base in each library would not do instead: records of
// fields, meshes and JSON text are shared as well, and then static libraries would have names twice.)
#ifndef CR_BASE_FRIEND_H
#define CR_BASE_FRIEND_H

#include "carom/base.h"

#define CR_FRIEND CR_API

#endif
