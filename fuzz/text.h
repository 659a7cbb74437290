// A text that grows, for what harnesses write: the writer of a crTextWriter. A zero stands behind its bytes.
#ifndef CR_FUZZ_TEXT_H
#define CR_FUZZ_TEXT_H

#include <stdlib.h>
#include <string.h>

typedef struct Text {
  char* bytes;
  size_t size, capacity;
} Text;

static inline void append(void* context, const char* bytes, size_t size)
{
  Text* text = context;
  if (text->size + size + 1 > text->capacity) {
    text->capacity = 2 * (text->size + size + 1);
    text->bytes = realloc(text->bytes, text->capacity);
    if (text->bytes == NULL) {
      abort();
    }
  }
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

#endif
