// Completions of shells: verbs, their options, and what an option's argument can be.
#include "help_pages.h"
#include "help_text.h"

#include <string.h>

// What an argument is, by the word that stands for it in the help.
typedef enum crArgumentKind {
  cr_argumentNone,
  cr_argumentFile,
  cr_argumentFolder,
  cr_argumentChoice,
  cr_argumentOther
} crArgumentKind;

static crArgumentKind findArgumentKind(crSpan argument)
{
  if (argument.size == 0) {
    return cr_argumentNone;
  }
  if (crSpan_Equals(argument, "FILE")) {
    return cr_argumentFile;
  }
  if (crSpan_Equals(argument, "DIR")) {
    return cr_argumentFolder;
  }
  bool hasChoice = memchr(argument.start, '|', argument.size) != NULL;
  bool hasValue = memchr(argument.start, '=', argument.size) != NULL;
  return hasChoice && !hasValue ? cr_argumentChoice : cr_argumentOther;
}

// The first line of what an option does, up to its first full stop, without what shells would take for their own.
static void writeShort(FILE* stream, crSpan text)
{
  crSpan line = { "", 0 };
  while (line.size == 0 && crNextHelpLine(&text, &line)) {
  }
  while (line.size > 0 && strchr(".,;:", line.start[line.size - 1]) != NULL) {
    --line.size;
  }
  for (size_t i = 0; i < line.size; ++i) {
    fputc(strchr("'\\[]:`\"$", line.start[i]) != NULL ? ' ' : line.start[i], stream);
  }
}

static void writeSpan(FILE* stream, crSpan span)
{
  (void)fwrite(span.start, 1, span.size, stream); // the stream remembers errors
}

static void writeChoices(FILE* stream, crSpan words)
{
  crSpan choice;
  for (int i = 0; crNextChoice(&words, &choice); ++i) {
    fputs(i > 0 ? " " : "", stream);
    writeSpan(stream, choice);
  }
}

// Calls a function for each option of a verb.
typedef void crOptionWriter(FILE* stream, const crVerb* verb, const crHelpOption* option, crSpan text);

static void forEachOption(FILE* stream, const crVerb* verb, crOptionWriter* write)
{
  const char* cursor = verb->help;
  crHelpBlock block;
  while (crNextHelpBlock(&cursor, &block)) {
    crHelpOption option;
    while (block.kind == cr_helpOption && crNextHelpOption(&block.names, &option)) {
      write(stream, verb, &option, block.text);
    }
  }
}

// -------------------------------------------------------------------------------------------- bash

static void writeBashName(FILE* stream, const crVerb* verb, const crHelpOption* option, crSpan text)
{
  (void)verb, (void)text;
  if (option->letter != '\0') {
    fprintf(stream, " -%c", option->letter);
  }
  fputs(" --", stream);
  writeSpan(stream, option->name);
}

static void writeBashArgument(FILE* stream, const crVerb* verb, const crHelpOption* option, crSpan text)
{
  (void)text;
  crArgumentKind kind = findArgumentKind(option->argument);
  if (kind == cr_argumentNone) {
    return;
  }
  fprintf(stream, "    %s:--", verb->name);
  writeSpan(stream, option->name);
  if (option->letter != '\0') {
    fprintf(stream, " | %s:-%c", verb->name, option->letter);
  }
  fputs(") ", stream);
  switch (kind) {
    case cr_argumentFile: fputs("COMPREPLY=($(compgen -f -- \"$word\")); ", stream); break;
    case cr_argumentFolder: fputs("COMPREPLY=($(compgen -d -- \"$word\")); ", stream); break;
    case cr_argumentChoice:
      fputs("COMPREPLY=($(compgen -W '", stream);
      writeChoices(stream, option->argument);
      fputs("' -- \"$word\")); ", stream);
      break;
    default: break;
  }
  fputs("return ;;\n", stream);
}

void crWriteBashCompletion(FILE* stream)
{
  fputs(
      "# Completion of carom for bash. Made by `carom help --pages` of the text that --help prints.\n"
      "_carom()\n{\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} verbs options=\n"
      "  verbs='",
      stream);
  for (int i = 0; i < crCountVerbs(); ++i) {
    fprintf(stream, "%s ", crGetVerb(i)->name);
  }
  fputs("help'\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "    COMPREPLY=($(compgen -W \"$verbs --help --version\" -- \"$word\"))\n"
        "    return\n"
        "  fi\n"
        "  case $verb:$before in\n"
        "    help:*) COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\")); return ;;\n",
        stream);
  for (int i = 0; i < crCountVerbs(); ++i) {
    forEachOption(stream, crGetVerb(i), writeBashArgument);
  }
  fputs("  esac\n  case $verb in\n", stream);
  for (int i = 0; i < crCountVerbs(); ++i) {
    fprintf(stream, "    %s) options='--help", crGetVerb(i)->name);
    forEachOption(stream, crGetVerb(i), writeBashName);
    fputs("' ;;\n", stream);
  }
  fputs("  esac\n"
        "  case $word in\n"
        "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
        "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
        "  esac\n"
        "}\n"
        "complete -o filenames -F _carom carom\n",
        stream);
}

// --------------------------------------------------------------------------------------------- zsh

static void writeZshAction(FILE* stream, crSpan argument)
{
  crArgumentKind kind = findArgumentKind(argument);
  if (kind == cr_argumentNone) {
    return;
  }
  fputs(":", stream);
  for (size_t i = 0; i < argument.size; ++i) {
    fputc(strchr("'\\[]:`\"$", argument.start[i]) != NULL ? ' ' : argument.start[i], stream);
  }
  fputs(":", stream);
  switch (kind) {
    case cr_argumentFile: fputs("_files", stream); break;
    case cr_argumentFolder: fputs("_files -/", stream); break;
    case cr_argumentChoice:
      fputs("(", stream);
      writeChoices(stream, argument);
      fputs(")", stream);
      break;
    default: fputs("( )", stream); break;
  }
}

static void writeZshOption(FILE* stream, const crVerb* verb, const crHelpOption* option, crSpan text)
{
  (void)verb;
  for (int i = option->letter == '\0'; i < 2; ++i) {
    fputs(" \\\n        '*", stream);
    if (i == 0) {
      fprintf(stream, "-%c", option->letter);
    } else {
      fputs("--", stream);
      writeSpan(stream, option->name);
    }
    fputs("[", stream);
    writeShort(stream, text);
    fputs("]", stream);
    writeZshAction(stream, option->argument);
    fputs("'", stream);
  }
}

void crWriteZshCompletion(FILE* stream)
{
  fputs("#compdef carom\n"
        "# Completion of carom for zsh. Made by `carom help --pages` of the text that --help prints.\n"
        "_carom()\n{\n"
        "  local -a verbs\n"
        "  verbs=(\n",
        stream);
  for (int i = 0; i < crCountVerbs(); ++i) {
    fprintf(stream, "    '%s:", crGetVerb(i)->name);
    writeShort(stream, (crSpan){ crGetVerb(i)->summary, strlen(crGetVerb(i)->summary) });
    fputs("'\n", stream);
  }
  fputs("    'help:explain a verb'\n"
        "  )\n"
        "  if (( CURRENT == 2 )); then\n"
        "    _describe 'verb' verbs\n"
        "    return\n"
        "  fi\n"
        "  local verb=$words[2]\n"
        "  shift words\n"
        "  (( CURRENT-- ))\n"
        "  case $verb in\n"
        "    help) _describe 'verb' verbs ;;\n",
        stream);
  for (int i = 0; i < crCountVerbs(); ++i) {
    fprintf(stream, "    %s)\n      _arguments \\\n        '--help[explain the verb]'", crGetVerb(i)->name);
    forEachOption(stream, crGetVerb(i), writeZshOption);
    fputs(" \\\n        '*:file:_files'\n      ;;\n", stream);
  }
  fputs("  esac\n"
        "}\n"
        "if [ \"$funcstack[1]\" = _carom ]; then _carom \"$@\"; else compdef _carom carom; fi\n",
        stream);
}

// -------------------------------------------------------------------------------------------- fish

static void writeFishOption(FILE* stream, const crVerb* verb, const crHelpOption* option, crSpan text)
{
  fprintf(stream, "complete -c carom -n '__fish_seen_subcommand_from %s'", verb->name);
  if (option->letter != '\0') {
    fprintf(stream, " -s %c", option->letter);
  }
  fputs(" -l ", stream);
  writeSpan(stream, option->name);
  switch (findArgumentKind(option->argument)) {
    case cr_argumentNone: break;
    case cr_argumentFile: fputs(" -rF", stream); break;
    case cr_argumentFolder: fputs(" -xa '(__fish_complete_directories)'", stream); break;
    case cr_argumentChoice:
      fputs(" -xa '", stream);
      writeChoices(stream, option->argument);
      fputs("'", stream);
      break;
    case cr_argumentOther: fputs(" -x", stream); break;
  }
  fputs(" -d '", stream);
  writeShort(stream, text);
  fputs("'\n", stream);
}

void crWriteFishCompletion(FILE* stream)
{
  fputs("# Completion of carom for fish. Made by `carom help --pages` of the text that --help prints.\n"
        "complete -c carom -n __fish_use_subcommand -f\n"
        "complete -c carom -n __fish_use_subcommand -a help -d 'explain a verb'\n"
        "complete -c carom -n __fish_use_subcommand -l version -d 'print the version'\n"
        "complete -c carom -l help -d 'explain the verb'\n",
        stream);
  for (int i = 0; i < crCountVerbs(); ++i) {
    const crVerb* verb = crGetVerb(i);
    fprintf(stream, "complete -c carom -n __fish_use_subcommand -a %s -d '", verb->name);
    writeShort(stream, (crSpan){ verb->summary, strlen(verb->summary) });
    fputs("'\n", stream);
    fprintf(stream, "complete -c carom -n '__fish_seen_subcommand_from help' -fa %s\n", verb->name);
    forEachOption(stream, verb, writeFishOption);
  }
}
