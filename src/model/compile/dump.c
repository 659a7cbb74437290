// Readable text for the dumps of passes.
#include "model/compile/dump.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CR_LINE_SIZE (4 * CR_MAX_PATH) // [bytes] longest text of one call: a few paths
#define CR_WIDEST_COLUMN 40            // [characters]

void crDump_Print(crDump* dump, const char* format, ...)
{
  char line[CR_LINE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length > 0) {
    size_t size = (size_t)length < sizeof line ? (size_t)length : sizeof line - 1;
    dump->writer.write(dump->writer.context, line, size);
  }
}

crShortNumber crShorten(double value)
{
  crShortNumber number;
  snprintf(number.text, sizeof number.text, "%.6g", value);
  char* comma = strchr(number.text, localeconv()->decimal_point[0]);
  if (comma != NULL) {
    *comma = '.';
  }
  return number;
}

void crDump_Vec3(crDump* dump, crVec3 v)
{
  crDump_Print(dump, "(%s, %s, %s)", crShorten(v.x).text, crShorten(v.y).text, crShorten(v.z).text);
}

void crWiden(int* width, const char* name)
{
  size_t length = strlen(name);
  length = length < CR_WIDEST_COLUMN ? length : CR_WIDEST_COLUMN;
  *width = (int)length > *width ? (int)length : *width;
}
