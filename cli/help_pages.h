// Pages and scripts made of the verbs' help: manual pages and completions of shells.
#ifndef CR_HELP_PAGES_H
#define CR_HELP_PAGES_H

#include "cli.h"

int crCountVerbs(void);
const crVerb* crGetVerb(int index);

void crWriteManPage(FILE* stream, const crVerb* verb); // carom-VERB(1); NULL: carom(1)
void crWriteBashCompletion(FILE* stream);
void crWriteZshCompletion(FILE* stream);
void crWriteFishCompletion(FILE* stream);

// carom help --pages DIR: all of them below a folder, as they are installed below PREFIX/share.
int crWriteHelpPages(const char* folder);

#endif
