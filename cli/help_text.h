// The help of a verb taken apart. Manual pages and completions are made of the same text that --help prints, so none of
// them can lack what another one has.
//
// A help text has lines of usage up to the first empty one, then blocks:
//   option     "  -o, --output FILE  what it does", and lines that go on with deeper indentation. Several options may
//              share a row. An argument is one word after one blank; a text without one begins after two.
//   literal    other lines that begin with two blanks, to be shown as they are
//   exit       a paragraph that begins with "Exit codes: "
//   example    "example: ", and indented lines that go on
//   paragraph  everything else
#ifndef CR_HELP_TEXT_H
#define CR_HELP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct crSpan {
  const char* start;
  size_t size;
} crSpan;

typedef enum crHelpKind {
  cr_helpUsage,
  cr_helpParagraph,
  cr_helpLiteral,
  cr_helpOption,
  cr_helpExit,
  cr_helpExample
} crHelpKind;

typedef struct crHelpBlock {
  crHelpKind kind;
  crSpan text;  // without the words that tell its kind; of an option what it does
  crSpan names; // of an option: "-o, --output FILE"
} crHelpBlock;

// One option of a row. Empty spans: it has no argument.
typedef struct crHelpOption {
  char letter; // 0: none
  crSpan name; // without dashes
  crSpan argument;
} crHelpOption;

// The next block at *cursor, which moves on; false: there is no other.
bool crNextHelpBlock(const char** cursor, crHelpBlock* outBlock);

// The next option of `names`, which loses it; false: there is no other.
bool crNextHelpOption(crSpan* names, crHelpOption* outOption);

// The next line of `text`, which loses it, without blanks at both ends; false: there is no other.
bool crNextHelpLine(crSpan* text, crSpan* outLine);

bool crSpan_Equals(crSpan span, const char* text);

// The next of "on|off" in `words`, which loses it; false: there is no other.
bool crNextChoice(crSpan* words, crSpan* outChoice);

#endif
