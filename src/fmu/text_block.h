// Text that grows, in memory. Running out of it is remembered.
#ifndef CR_FMU_TEXT_BLOCK_H
#define CR_FMU_TEXT_BLOCK_H

#include "base/memory.h"

typedef struct crTextBlock {
  crAllocator allocator;
  crArrayOf(char) bytes; // no zero at the end
  bool hasFailed;        // out of memory
} crTextBlock;

void crTextBlock_Init(crTextBlock* text, const crAllocator* allocator);
void crTextBlock_Free(crTextBlock* text);
void crTextBlock_Add(crTextBlock* text, const char* bytes, size_t size);
void crTextBlock_Print(crTextBlock* text, const char* format, ...) __attribute__((format(printf, 2, 3))); // short ones
// XML: name="value" with a space before it, the value escaped; a number with all its digits.
void crTextBlock_Attribute(crTextBlock* text, const char* name, const char* value);
void crTextBlock_Number(crTextBlock* text, const char* name, double value);

#endif
