#include "fmu/text_block.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CR_PRINT_SIZE 1024 // [bytes] of one call

void crTextBlock_Init(crTextBlock* text, const crAllocator* allocator)
{
  *text = (crTextBlock){ .allocator = *allocator };
}

void crTextBlock_Free(crTextBlock* text)
{
  crArray_Free(&text->bytes, &text->allocator);
}

void crTextBlock_Add(crTextBlock* text, const char* bytes, size_t size)
{
  for (size_t i = 0; i < size && !text->hasFailed; ++i) {
    char* place = crArray_Push(&text->bytes, &text->allocator);
    text->hasFailed = place == NULL;
    if (place != NULL) {
      *place = bytes[i];
    }
  }
}

void crTextBlock_Print(crTextBlock* text, const char* format, ...)
{
  char buffer[CR_PRINT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  crTextBlock_Add(text, buffer, strlen(buffer));
}

void crTextBlock_Attribute(crTextBlock* text, const char* name, const char* value)
{
  crTextBlock_Print(text, " %s=\"", name);
  for (const char* c = value; *c != '\0'; ++c) {
    switch (*c) {
      case '&': crTextBlock_Print(text, "&amp;"); break;
      case '<': crTextBlock_Print(text, "&lt;"); break;
      case '>': crTextBlock_Print(text, "&gt;"); break;
      case '"': crTextBlock_Print(text, "&quot;"); break;
      default:
        if ((unsigned char)*c < ' ') { // no character of XML, or one that would become a space
          crTextBlock_Print(text, *c == '\t' || *c == '\n' || *c == '\r' ? "&#%d;" : "?", *c);
        } else {
          crTextBlock_Add(text, c, 1);
        }
    }
  }
  crTextBlock_Print(text, "\"");
}

void crTextBlock_Number(crTextBlock* text, const char* name, double value)
{
  char buffer[CR_NUMBER_SIZE];
  crFormatNumber(value, buffer);
  crTextBlock_Attribute(text, name, buffer);
}
