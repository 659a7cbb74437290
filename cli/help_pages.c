// carom help --pages DIR: manual pages and completions, below a folder as they lie below PREFIX/share. The build calls
// it; it is no verb for users.
#include "help_pages.h"
#include "base/platform.h"

#include <errno.h>
#include <string.h>

#define CR_PAGE_PATH_SIZE 4096

// Opens a file in a folder that is made with the folders above it; NULL: that was told.
static FILE* openPage(const char* folder, const char* name)
{
  char path[CR_PAGE_PATH_SIZE];
  int size = snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* stream = NULL;
  if (size < 0 || (size_t)size >= sizeof path) {
    errno = ENAMETOOLONG;
  } else {
    for (char* slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
      *slash = '\0';
      (void)mkdir(path, 0777); // opening the file tells
      *slash = '/';
    }
    stream = fopen(path, "w");
  }
  if (stream == NULL) {
    fprintf(stderr, "carom: cannot write %s/%s: %s\n", folder, name, strerror(errno));
  }
  return stream;
}

static bool closePage(FILE* stream, const char* name)
{
  bool isGood = ferror(stream) == 0;
  isGood = fclose(stream) == 0 && isGood;
  if (!isGood) {
    fprintf(stderr, "carom: cannot write %s: %s\n", name, strerror(errno));
  }
  return isGood;
}

static bool writeManPage(const char* folder, const crVerb* verb)
{
  char name[128];
  (void)snprintf(name, sizeof name, "man/man1/carom%s%s.1", verb != NULL ? "-" : "", verb != NULL ? verb->name : "");
  FILE* stream = openPage(folder, name);
  if (stream == NULL) {
    return false;
  }
  crWriteManPage(stream, verb);
  return closePage(stream, name);
}

int crWriteHelpPages(const char* folder)
{
  static const struct {
    const char* name;
    void (*write)(FILE* stream);
  } completions[] = { { "bash-completion/completions/carom", crWriteBashCompletion },
                      { "zsh/vendor-completions/_carom", crWriteZshCompletion },
                      { "fish/vendor_completions.d/carom.fish", crWriteFishCompletion } };
  bool isGood = writeManPage(folder, NULL);
  for (int i = 0; isGood && i < crCountVerbs(); ++i) {
    isGood = writeManPage(folder, crGetVerb(i));
  }
  for (size_t i = 0; isGood && i < sizeof completions / sizeof *completions; ++i) {
    FILE* stream = openPage(folder, completions[i].name);
    isGood = stream != NULL;
    if (isGood) {
      completions[i].write(stream);
      isGood = closePage(stream, completions[i].name);
    }
  }
  return isGood ? CR_EXIT_OK : CR_EXIT_MODEL;
}
