// UTF-8 by the table of well-formed byte sequences (The Unicode Standard, table 3-7).
#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number of bytes of the sequence that starts at p, 0 when it is ill-formed or cut off.
static size_t sequenceLength(const unsigned char* p, size_t left)
{
  unsigned char c = p[0];
  if (c < 0x80) {
    return 1;
  }
  size_t length = c >= 0xc2 && c <= 0xdf ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c <= 0xf4 ? 4 : 0;
  if (length == 0 || left < length) {
    return 0;
  }
  for (size_t i = 1; i < length; ++i) {
    if ((p[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  bool isOverlong = (c == 0xe0 && p[1] < 0xa0) || (c == 0xf0 && p[1] < 0x90);
  bool isSurrogate = c == 0xed && p[1] > 0x9f;
  bool isTooLarge = c == 0xf4 && p[1] > 0x8f;
  return isOverlong || isSurrogate || isTooLarge ? 0 : length;
}

bool crIsUtf8(const char* text, size_t size)
{
  const unsigned char* bytes = (const unsigned char*)text;
  for (size_t i = 0; i < size;) {
    size_t length = sequenceLength(bytes + i, size - i);
    if (length == 0) {
      return false;
    }
    i += length;
  }
  return true;
}

int crFormatNumber(double value, char buffer[CR_NUMBER_SIZE])
{
  if (!isfinite(value)) {
    return snprintf(buffer, CR_NUMBER_SIZE, "%s", isnan(value) ? "nan" : value > 0.0 ? "infinity" : "-infinity");
  }
  int length = 0;
  for (int digits = 15; digits <= 17; ++digits) {
    length = snprintf(buffer, CR_NUMBER_SIZE, "%.*g", digits, value);
    if (strtod(buffer, NULL) == value) {
      break;
    }
  }
  // the host may have set a locale with a decimal comma
  char point = localeconv()->decimal_point[0];
  char* place = point != '.' ? strchr(buffer, point) : NULL;
  if (place != NULL) {
    *place = '.';
  }
  return length;
}
