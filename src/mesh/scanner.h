// Scanning texts: words, numbers and places, the same in every locale.
#ifndef CR_MESH_SCANNER_H
#define CR_MESH_SCANNER_H

#include "base/platform.h"
#include "base/report.h"

// A word of the text, not terminated. length 0: the line or the text is at its end.
typedef struct crToken {
  const char* text;
  size_t length;
  int line, column; // from 1
} crToken;

// Reads words that are separated by blanks. A line ends with \n, \r\n or \r; a backslash right before it
// joins it with the next one.
typedef struct crScanner {
  const char* at;
  const char* end;
  const char* lineStart;
  int line;
  locale_t cLocale;
} crScanner;

// Skips a byte-order mark. false: out of memory.
bool crScanner_Init(crScanner* scanner, const char* text, size_t size);
void crScanner_Free(crScanner* scanner);

// The next word on this line; length 0 at its end.
crToken crScanner_NextOnLine(crScanner* scanner);

// The next word on this or a later line; length 0 at the end of the text.
crToken crScanner_Next(crScanner* scanner);

// Goes to the start of the next line, past joined ones too unless the line ends in a comment or a name;
// false at the end of the text.
bool crScanner_NextLine(crScanner* scanner, bool mayBeJoined);

// The whole word as a decimal number, correctly rounded; infinite when it is too large. false: it is none.
bool crScanner_ParseNumber(const crScanner* scanner, crToken token, double* outValue);

// True when the word is `word`, which is in lower case, in any case.
bool crToken_Is(crToken token, const char* word);

// Reports cr_errorSyntax at a word, which is shown as what was found ("end of file" for none).
void crReportToken(crReporter* reporter, crToken token, const char* message, const char* allowed);

#endif
