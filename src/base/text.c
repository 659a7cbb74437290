// Text: UTF-8 by the table of well-formed byte sequences (The Unicode Standard, table 3-7), numbers, and what messages
// show.
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

// Controls in two bytes (U+0080 to U+009F) and marks of direction (U+202A to U+202E, U+2066 to U+2069).
static bool isHostile(const unsigned char* p, size_t length)
{
  if (length == 1) {
    return (p[0] < 0x20 && p[0] != '\n' && p[0] != '\t') || p[0] == 0x7f;
  }
  bool isControl = length == 2 && p[0] == 0xc2 && p[1] < 0xa0;
  bool isDirection = length == 3 && p[0] == 0xe2 &&
                     ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) || (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
  return isControl || isDirection;
}

void crCleanText(char* text)
{
  unsigned char* bytes = (unsigned char*)text;
  size_t size = text != NULL ? strlen(text) : 0;
  for (size_t i = 0; i < size;) {
    size_t length = sequenceLength(bytes + i, size - i);
    size_t step = length > 0 ? length : 1;
    if (length == 0 || isHostile(bytes + i, length)) {
      memset(bytes + i, '?', step);
    }
    i += step;
  }
}

bool crIsCleanText(const char* text)
{
  const unsigned char* bytes = (const unsigned char*)text;
  size_t size = strlen(text);
  for (size_t i = 0; i < size;) {
    size_t length = sequenceLength(bytes + i, size - i);
    if (length == 0 || isHostile(bytes + i, length)) {
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

// ----------------------------------------------------------------------------------------- messages

// Number of bytes at p that can be shown as they are, 0 for a byte that needs an escape.
static size_t showableLength(const char* p, size_t left)
{
  unsigned char c = (unsigned char)*p;
  if (c < 0x80) {
    return c >= 0x20 && c != 0x7f ? 1 : 0;
  }
  for (size_t length = 2; length <= 4 && length <= left; ++length) {
    if (crIsUtf8(p, length)) {
      return length;
    }
  }
  return 0;
}

void crShowText(const char* text, size_t length, char* buffer, size_t size)
{
  const char dots[] = "...";
  const size_t escapeSize = 4;  // \xNN
  size_t used = 0, lastFit = 0; // where the dots go when the text does not end in time
  for (size_t i = 0; i < length;) {
    size_t count = showableLength(text + i, length - i);
    size_t needed = count > 0 ? count : escapeSize;
    lastFit = used + sizeof dots <= size ? used : lastFit;
    if (used + needed + 1 > size) {
      memcpy(buffer + lastFit, dots, sizeof dots);
      return;
    }
    if (count > 0) {
      memcpy(buffer + used, text + i, count);
    } else {
      snprintf(buffer + used, escapeSize + 1, "\\x%02x", (unsigned char)text[i]);
    }
    used += needed;
    i += count > 0 ? count : 1;
  }
  buffer[used] = '\0';
}
