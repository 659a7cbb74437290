// The files of a page: what a model is made of, in memory.
#ifndef CR_WASM_FILES_H
#define CR_WASM_FILES_H

#include <stdbool.h>
#include <stddef.h>

// Keeps a file under a path from now on, in place of what was there; the bytes are from malloc, and not the caller's
// any more. false: too many files, or no memory.
bool crSetPageFile(const char* path, void* bytes, size_t size);

#endif
