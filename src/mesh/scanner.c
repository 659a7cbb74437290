// Words and numbers.
//
// Numbers: up to 2^53 as an integer times or over a power of ten up to 10^22 is one rounding of two exact
// doubles, hence correct (Clinger, How to read floating point numbers accurately, 1990). All others go to
// strtod, in the C locale, because the host's may have a decimal comma.
#include "mesh/scanner.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_EXACT_INTEGER (UINT64_C(1) << 53)
#define CR_EXACT_POWER 22       // 10^22 is the largest power of ten that a double holds
#define CR_EXACT_DIGITS 19      // digits that fit into 64 bits
#define CR_EXPONENT_LIMIT 99999 // larger exponents are all alike
#define CR_LONGEST_NUMBER 512   // [bytes] longer words are no numbers

// -------------------------------------------------------------------------------------------- words

bool crScanner_Init(crScanner* scanner, const char* text, size_t size)
{
  bool hasMark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
  scanner->at = hasMark ? text + 3 : text;
  scanner->end = text + size;
  scanner->lineStart = scanner->at;
  scanner->line = 1;
  scanner->cLocale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return scanner->cLocale != (locale_t)0;
}

void crScanner_Free(crScanner* scanner)
{
  if (scanner->cLocale != (locale_t)0) {
    freelocale(scanner->cLocale);
  }
}

static bool isBlank(char c)
{
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool isLineEnd(char c)
{
  return c == '\n' || c == '\r';
}

// Length of the line end at p, 0 when there is none.
static size_t lineEndLength(const char* p, const char* end)
{
  if (p < end && *p == '\r') {
    return p + 1 < end && p[1] == '\n' ? 2 : 1;
  }
  return p < end && *p == '\n' ? 1 : 0;
}

static void passLineEnd(crScanner* scanner, size_t length)
{
  scanner->at += length;
  scanner->lineStart = scanner->at;
  ++scanner->line;
}

// Skips blanks and joined line ends.
static void skipBlanks(crScanner* scanner)
{
  while (scanner->at < scanner->end) {
    if (isBlank(*scanner->at)) {
      ++scanner->at;
    } else if (*scanner->at == '\\' && lineEndLength(scanner->at + 1, scanner->end) > 0) {
      passLineEnd(scanner, 1 + lineEndLength(scanner->at + 1, scanner->end));
    } else {
      return;
    }
  }
}

static bool endsWord(const crScanner* scanner, const char* p)
{
  return isBlank(*p) || isLineEnd(*p) || (*p == '\\' && lineEndLength(p + 1, scanner->end) > 0);
}

crToken crScanner_NextOnLine(crScanner* scanner)
{
  skipBlanks(scanner);
  crToken token = { scanner->at, 0, scanner->line, (int)(scanner->at - scanner->lineStart) + 1 };
  while (scanner->at < scanner->end && !endsWord(scanner, scanner->at)) {
    ++scanner->at;
  }
  token.length = (size_t)(scanner->at - token.text);
  return token;
}

crToken crScanner_Next(crScanner* scanner)
{
  for (;;) {
    skipBlanks(scanner);
    size_t length = lineEndLength(scanner->at, scanner->end);
    if (length == 0) {
      return crScanner_NextOnLine(scanner);
    }
    passLineEnd(scanner, length);
  }
}

bool crScanner_NextLine(crScanner* scanner, bool mayBeJoined)
{
  while (scanner->at < scanner->end) {
    size_t length = lineEndLength(scanner->at, scanner->end);
    bool isJoined = mayBeJoined && scanner->at > scanner->lineStart && scanner->at[-1] == '\\';
    if (length > 0) {
      passLineEnd(scanner, length);
      if (!isJoined) {
        return scanner->at < scanner->end;
      }
    } else {
      ++scanner->at;
    }
  }
  return false;
}

bool crToken_Is(crToken token, const char* word)
{
  size_t length = strlen(word);
  if (token.length != length) {
    return false;
  }
  for (size_t i = 0; i < length; ++i) {
    char c = token.text[i];
    if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != word[i]) {
      return false;
    }
  }
  return true;
}

// ------------------------------------------------------------------------------------------ numbers

// A decimal number taken apart: (-1)^isNegative digits 10^exponent, unless digits were dropped.
typedef struct Decimal {
  bool isNegative;
  uint64_t digits;
  int digitCount; // significant ones, dropped ones included
  int exponent;
} Decimal;

static bool isDigit(char c)
{
  return c >= '0' && c <= '9';
}

// Takes the digits from p on into the number; returns how many there were.
static int takeDigits(const char** p, const char* end, Decimal* decimal)
{
  const char* start = *p;
  for (; *p < end && isDigit(**p); ++*p) {
    if (decimal->digitCount < CR_EXACT_DIGITS) {
      decimal->digits = 10 * decimal->digits + (uint64_t)(**p - '0');
    }
    decimal->digitCount += decimal->digitCount > 0 || **p != '0';
  }
  return (int)(*p - start);
}

static bool takeExponent(const char** p, const char* end, Decimal* decimal)
{
  if (*p == end || (**p != 'e' && **p != 'E')) {
    return true;
  }
  ++*p;
  bool isNegative = *p < end && **p == '-';
  *p += *p < end && (**p == '-' || **p == '+');
  if (*p == end || !isDigit(**p)) {
    return false;
  }
  int exponent = 0;
  for (; *p < end && isDigit(**p); ++*p) {
    exponent = exponent < CR_EXPONENT_LIMIT ? 10 * exponent + (**p - '0') : exponent;
  }
  decimal->exponent += isNegative ? -exponent : exponent;
  return true;
}

// sign digits [. digits] [e sign digits], at least one digit before the exponent, nothing behind.
static bool takeApart(const char* p, const char* end, Decimal* decimal)
{
  memset(decimal, 0, sizeof *decimal);
  decimal->isNegative = p < end && *p == '-';
  p += p < end && (*p == '-' || *p == '+');
  int count = takeDigits(&p, end, decimal);
  if (p < end && *p == '.') {
    ++p;
    int fractionCount = takeDigits(&p, end, decimal);
    decimal->exponent = -fractionCount;
    count += fractionCount;
  }
  return count > 0 && takeExponent(&p, end, decimal) && p == end;
}

static double readSlowly(const crScanner* scanner, crToken token)
{
  char buffer[CR_LONGEST_NUMBER + 1];
  memcpy(buffer, token.text, token.length);
  buffer[token.length] = '\0';
  locale_t before = uselocale(scanner->cLocale);
  double value = strtod(buffer, NULL);
  uselocale(before);
  return value;
}

bool crScanner_ParseNumber(const crScanner* scanner, crToken token, double* outValue)
{
  static const double powers[CR_EXACT_POWER + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
  Decimal decimal;
  if (token.length > CR_LONGEST_NUMBER || !takeApart(token.text, token.text + token.length, &decimal)) {
    return false;
  }
  bool isExact = decimal.digitCount <= CR_EXACT_DIGITS && decimal.digits <= CR_EXACT_INTEGER &&
                 abs(decimal.exponent) <= CR_EXACT_POWER;
  if (!isExact) {
    *outValue = readSlowly(scanner, token);
    return true;
  }
  double digits = (double)decimal.digits;
  double value = decimal.exponent < 0 ? digits / powers[-decimal.exponent] : digits * powers[decimal.exponent];
  *outValue = decimal.isNegative ? -value : value;
  return true;
}

void crReportToken(crReporter* reporter, crToken token, const char* message, const char* allowed)
{
  char shown[CR_SHOWN_TOKEN_SIZE], found[CR_SHOWN_TOKEN_SIZE + 2] = "nothing";
  if (token.length > 0) {
    crShowText(token.text, token.length, shown, sizeof shown);
    snprintf(found, sizeof found, "'%s'", shown);
  }
  crSource before = reporter->source;
  reporter->source.line = token.line;
  reporter->source.column = token.column;
  crComplaint complaint = { message, found, allowed, NULL, NULL };
  crReport(reporter, cr_severityError, cr_errorSyntax, &complaint);
  reporter->source = before;
}
