// The help of a verb taken apart: see help_text.h.
#include "help_text.h"

#include <string.h>

bool crSpan_Equals(crSpan span, const char* text)
{
  return span.size == strlen(text) && memcmp(span.start, text, span.size) == 0;
}

static bool beginsWith(const char* text, const char* begin)
{
  return strncmp(text, begin, strlen(begin)) == 0;
}

static const char* findLineEnd(const char* line)
{
  const char* end = strchr(line, '\n');
  return end != NULL ? end : line + strlen(line);
}

static const char* skipLine(const char* line)
{
  const char* end = findLineEnd(line);
  return *end != '\0' ? end + 1 : end;
}

static int countBlanks(const char* line)
{
  int count = 0;
  while (line[count] == ' ') {
    ++count;
  }
  return count;
}

static bool isOptionRow(const char* line)
{
  return countBlanks(line) == 2 && line[2] == '-';
}

// Whether a line goes on with the block that began so.
static bool goesOn(crHelpKind kind, const char* line)
{
  if (*line == '\0' || *line == '\n') {
    return false;
  }
  int blanks = countBlanks(line);
  switch (kind) {
    case cr_helpUsage:
    case cr_helpExample: return blanks > 2;
    case cr_helpOption: return blanks > 4;
    case cr_helpLiteral: return blanks >= 2 && !isOptionRow(line);
    default: return blanks < 2 && !beginsWith(line, "example: ") && !beginsWith(line, "Exit codes: ");
  }
}

static crSpan makeSpan(const char* start, const char* end)
{
  crSpan span = { start, (size_t)(end - start) };
  return span;
}

// Where the names of an option's row end.
static const char* findNamesEnd(const char* at)
{
  while (*at == '-') {
    at += strcspn(at, " ,\n");
    if (at[0] == ' ' && at[1] != ' ' && at[1] != '-') {
      ++at;
      at += strcspn(at, " \n"); // its argument, which may have commas
      at -= at[-1] == ',';
    }
    if (at[0] == ',' && at[1] == ' ') {
      at += 2;
    } else if (at[0] == ' ' && at[1] == '-') {
      at += 1;
    }
  }
  return at;
}

bool crNextHelpBlock(const char** cursor, crHelpBlock* outBlock)
{
  static const struct {
    const char* word;
    crHelpKind kind;
  } words[] = { { "usage: ", cr_helpUsage }, { "Exit codes: ", cr_helpExit }, { "example: ", cr_helpExample } };
  const char* start = *cursor + strspn(*cursor, "\n");
  if (*start == '\0') {
    return false;
  }
  crHelpBlock block = { .kind = isOptionRow(start)        ? cr_helpOption
                                : countBlanks(start) >= 2 ? cr_helpLiteral
                                                          : cr_helpParagraph };
  const char* text = start;
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (beginsWith(start, words[i].word)) {
      block.kind = words[i].kind;
      text = start + strlen(words[i].word);
    }
  }
  if (block.kind == cr_helpOption) {
    text = findNamesEnd(start + 2);
    block.names = makeSpan(start + 2, text);
  }
  const char* end = start;
  do {
    end = skipLine(end);
  } while (goesOn(block.kind, end));
  block.text = makeSpan(text, end);
  *cursor = end;
  *outBlock = block;
  return true;
}

static void drop(crSpan* span, size_t size)
{
  size = size < span->size ? size : span->size;
  span->start += size;
  span->size -= size;
}

// The part of a span before any of these characters, which loses it.
static crSpan take(crSpan* span, const char* ends)
{
  size_t size = 0;
  while (size < span->size && strchr(ends, span->start[size]) == NULL) {
    ++size;
  }
  crSpan taken = { span->start, size };
  drop(span, size);
  return taken;
}

bool crNextHelpOption(crSpan* names, crHelpOption* outOption)
{
  crHelpOption option = { 0 };
  while (names->size > 0 && (names->start[0] == ' ' || names->start[0] == ',')) {
    drop(names, 1);
  }
  if (names->size == 0) {
    return false;
  }
  if (names->size > 4 && names->start[1] != '-') { // "-o, --output"
    option.letter = names->start[1];
    drop(names, 4);
  }
  drop(names, 2);
  option.name = take(names, " ,");
  if (names->size > 1 && names->start[0] == ' ' && names->start[1] != '-') {
    drop(names, 1);
    option.argument = take(names, " ");
    if (option.argument.start[option.argument.size - 1] == ',') {
      --option.argument.size;
    }
  }
  *outOption = option;
  return true;
}

bool crNextHelpLine(crSpan* text, crSpan* outLine)
{
  if (text->size == 0) {
    return false;
  }
  crSpan line = take(text, "\n");
  drop(text, 1);
  while (line.size > 0 && line.start[0] == ' ') {
    drop(&line, 1);
  }
  while (line.size > 0 && line.start[line.size - 1] == ' ') {
    --line.size;
  }
  *outLine = line;
  return true;
}

bool crNextChoice(crSpan* words, crSpan* outChoice)
{
  if (words->size == 0) {
    return false;
  }
  *outChoice = take(words, "|");
  drop(words, 1);
  return true;
}
