#include "sweep/call.h"
#include "base/platform.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Without blanks at both ends, and without a pair of quotes.
static char* trim(char* text, char* end)
{
  while (text < end && isspace((unsigned char)*text)) {
    ++text;
  }
  while (end > text && isspace((unsigned char)end[-1])) {
    --end;
  }
  if (end - text >= 2 && (*text == '"' || *text == '\'') && end[-1] == *text) {
    ++text;
    --end;
  }
  *end = '\0';
  return text;
}

static bool splitArguments(crArena* arena, char* text, char* end, crCall* call)
{
  int count = 1;
  for (const char* c = text; c < end; ++c) {
    count += *c == ',';
  }
  call->arguments = crArena_AllocateZero(arena, (size_t)count, sizeof *call->arguments);
  if (call->arguments == NULL) {
    return false;
  }
  for (char* begin = text; begin <= end;) {
    char* comma = memchr(begin, ',', (size_t)(end - begin));
    char* stop = comma != NULL ? comma : end;
    call->arguments[call->count++] = trim(begin, stop);
    begin = stop + 1;
  }
  return true;
}

bool crParseCall(crArena* arena, const char* text, crCall* outCall, bool* outIsMalformed)
{
  *outCall = (crCall){ .word = "" };
  *outIsMalformed = false;
  char* copy = crArena_CopyString(arena, text);
  if (copy == NULL) {
    return false;
  }
  char* end = copy + strlen(copy);
  while (end > copy && isspace((unsigned char)end[-1])) {
    --end;
  }
  char* open = strchr(copy, '(');
  if (open == NULL) {
    return splitArguments(arena, copy, end, outCall);
  }
  if (end[-1] != ')' || open > end) {
    *outIsMalformed = true;
    return false;
  }
  char* arguments = open + 1;
  outCall->word = trim(copy, open);
  return splitArguments(arena, arguments, end - 1, outCall);
}

// Decimal points and no others, whatever the locale of the host is.
bool crParseNumber(const char* text, double* outNumber)
{
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) {
    return false;
  }
  char* end;
  locale_t before = uselocale(plain);
  *outNumber = strtod(text, &end);
  uselocale(before);
  freelocale(plain);
  return end != text && *end == '\0' && isfinite(*outNumber);
}
