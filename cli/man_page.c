// Manual pages, in the man macros of roff.
#include "help_pages.h"
#include "help_text.h"

#include <ctype.h>
#include <string.h>

// Text with what roff would take for its own written as roff's names of it.
static void writeText(FILE* stream, crSpan text)
{
  static const struct {
    char letter;
    const char* name;
  } names[] = {
    { '\\', "\\e" }, { '-', "\\-" }, { '\'', "\\(aq" }, { '`', "\\(ga" }, { '^', "\\(ha" }, { '~', "\\(ti" }
  };
  if (text.size > 0 && text.start[0] == '.') {
    fputs("\\&", stream);
  }
  for (size_t i = 0; i < text.size; ++i) {
    const char* name = NULL;
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
      name = names[k].letter == text.start[i] ? names[k].name : name;
    }
    if (name != NULL) {
      fputs(name, stream);
    } else {
      fputc(text.start[i], stream);
    }
  }
}

static void writeWord(FILE* stream, const char* word)
{
  writeText(stream, (crSpan){ word, strlen(word) });
}

// Lines to be filled.
static void writeLines(FILE* stream, crSpan text)
{
  crSpan line;
  while (crNextHelpLine(&text, &line)) {
    if (line.size > 0) {
      writeText(stream, line);
      fputc('\n', stream);
    }
  }
}

// Lines as they are, less the blanks that each begins with.
static void writeLiteral(FILE* stream, crSpan text, size_t blanks)
{
  fputs(".PP\n.nf\n.RS 2\n", stream);
  while (text.size > 0) {
    const char* end = memchr(text.start, '\n', text.size);
    crSpan line = { text.start, end != NULL ? (size_t)(end - text.start) : text.size };
    size_t taken = line.size + (end != NULL ? 1 : 0);
    size_t skipped = 0;
    while (skipped < blanks && skipped < line.size && line.start[skipped] == ' ') {
      ++skipped;
    }
    writeText(stream, (crSpan){ line.start + skipped, line.size - skipped });
    fputc('\n', stream);
    text = (crSpan){ text.start + taken, text.size - taken };
  }
  fputs(".RE\n.fi\n", stream);
}

static void writeOption(FILE* stream, const crHelpBlock* block)
{
  fputs(".TP\n", stream);
  crSpan names = block->names;
  crHelpOption option;
  for (int i = 0; crNextHelpOption(&names, &option); ++i) {
    fputs(i > 0 ? ", " : "", stream);
    if (option.letter != '\0') {
      fprintf(stream, "\\fB\\-%c\\fR, ", option.letter);
    }
    fputs("\\fB\\-\\-", stream);
    writeText(stream, option.name);
    fputs("\\fR", stream);
    if (option.argument.size > 0) {
      fputs(" \\fI", stream);
      writeText(stream, option.argument);
      fputs("\\fR", stream);
    }
  }
  fputc('\n', stream);
  writeLines(stream, block->text);
}

static void writeBlock(FILE* stream, const crHelpBlock* block)
{
  switch (block->kind) {
    case cr_helpUsage:
    case cr_helpExample: writeLiteral(stream, block->text, 7); break;
    case cr_helpLiteral: writeLiteral(stream, block->text, 2); break;
    case cr_helpOption: writeOption(stream, block); break;
    default:
      fputs(".PP\n", stream);
      writeLines(stream, block->text);
      break;
  }
}

// A section with the blocks of some kinds, where there are any.
static void writeSection(FILE* stream, const crVerb* verb, const char* title, unsigned kinds)
{
  const char* cursor = verb->help;
  crHelpBlock block;
  for (int count = 0; crNextHelpBlock(&cursor, &block);) {
    if ((kinds & 1u << block.kind) != 0) {
      if (count++ == 0) {
        fprintf(stream, ".SH %s\n", title);
      }
      writeBlock(stream, &block);
    }
  }
}

static void writeHead(FILE* stream, const crVerb* verb)
{
  fputs(".\\\" Made by `carom help --pages` of the text that --help prints.\n.TH CAROM", stream);
  for (const char* c = verb != NULL ? verb->name : ""; *c != '\0'; ++c) {
    fputs(c == verb->name ? "\\-" : "", stream);
    if (*c == '-') {
      fputs("\\-", stream);
    } else {
      fputc(toupper((unsigned char)*c), stream);
    }
  }
  fprintf(stream, " 1 \"\" \"Carom %s\" \"Carom\"\n.SH NAME\ncarom", crGetVersion());
}

static void writeToolPage(FILE* stream)
{
  fputs(" \\- model 3D mechanical systems with collisions, right and fast\n"
        ".SH SYNOPSIS\n.B carom\n.I VERB\n[options] ...\n.PP\n.B carom help\n[\\fIVERB\\fR]\n.PP\n.B "
        "carom\n\\-\\-version\n"
        ".SH DESCRIPTION\n"
        "Simulates bodies, joints, drives and contacts with controlled errors and located events.\n"
        "Models are Lua or JSON files, robots URDF or MJCF; a run leaves a folder with a report that any browser shows "
        "and a result that other verbs read.\n"
        ".SH VERBS\n",
        stream);
  for (int i = 0; i < crCountVerbs(); ++i) {
    fputs(".TP\n\\fBcarom\\-", stream);
    writeWord(stream, crGetVerb(i)->name);
    fputs("\\fR(1)\n", stream);
    writeWord(stream, crGetVerb(i)->summary);
    fputc('\n', stream);
  }
  fputs(
      ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nWhere it is set to anything, messages on a terminal have no colours.\n"
      ".SH EXIT STATUS\n0 ok, 1 the model or file has errors, 2 wrong usage, 3 a simulation failed, 130 interrupted.\n"
      ".SH EXAMPLES\n.nf\n.RS 2\ncarom new pendulum.lua\ncarom run pendulum.lua\n"
      "carom plot pendulum.run \\(aq*.angle\\(aq\n.RE\n.fi\n",
      stream);
}

void crWriteManPage(FILE* stream, const crVerb* verb)
{
  writeHead(stream, verb);
  if (verb == NULL) {
    writeToolPage(stream);
    return;
  }
  fputs("\\-", stream);
  writeWord(stream, verb->name);
  fputs(" \\- ", stream);
  writeWord(stream, verb->summary);
  fputc('\n', stream);
  writeSection(stream, verb, "SYNOPSIS", 1u << cr_helpUsage);
  writeSection(stream, verb, "DESCRIPTION", 1u << cr_helpParagraph | 1u << cr_helpLiteral);
  writeSection(stream, verb, "OPTIONS", 1u << cr_helpOption);
  writeSection(stream, verb, "EXIT STATUS", 1u << cr_helpExit);
  writeSection(stream, verb, "EXAMPLES", 1u << cr_helpExample);
  fputs(".SH SEE ALSO\n.BR carom (1)\n", stream);
}
