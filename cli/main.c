// carom: the command-line tool. Finds the verb and runs it.
#include "base/platform.h"
#include "help_pages.h"
#include "text/json_value.h"

#include <errno.h>
#include <string.h>

static const crVerb* const verbs[] = { &crNewVerb,      &crRunVerb,       &crResumeVerb,      &crSweepVerb,
                                       &crFitVerb,      &crCheckVerb,     &crFormatVerb,      &crInfoVerb,
                                       &crPlotVerb,     &crViewVerb,      &crConvertVerb,     &crMeshVerb,
                                       &crDistanceVerb, &crLinearizeVerb, &crEquilibriumVerb, &crInverseDynamicsVerb,
                                       &crIkVerb,       &crFmuVerb,       &crPlayVerb,        &crSchemaVerb };

#define CR_VERB_COUNT ((int)(sizeof verbs / sizeof *verbs))

int crCountVerbs(void)
{
  return CR_VERB_COUNT;
}

const crVerb* crGetVerb(int index)
{
  return verbs[index];
}

static const crVerb* findVerb(const char* name)
{
  for (int i = 0; i < CR_VERB_COUNT; ++i) {
    if (strcmp(verbs[i]->name, name) == 0) {
      return verbs[i];
    }
  }
  return NULL;
}

static void printHelp(FILE* stream)
{
  fprintf(stream,
          "Carom %s: model 3D mechanical systems with collisions.\n\n"
          "usage: carom VERB [options] ...\n\n",
          crGetVersion());
  for (int i = 0; i < CR_VERB_COUNT; ++i) {
    fprintf(stream, "  %s%-16s%s %s\n", crStyleOn(stream, cr_styleBold), verbs[i]->name, crStyleOff(stream),
            verbs[i]->summary);
  }
  fprintf(stream, "\n"
                  "  carom help VERB   explains a verb and its options\n"
                  "  carom --version   prints the version\n\n"
                  "Models are Lua or JSON files; docs/modelling.md tells how to write one. Try:\n\n"
                  "  carom new first.lua && carom run first.lua\n\n"
                  "Exit codes: 0 ok, 1 the model or file has errors, 2 wrong usage, 3 a simulation failed,\n"
                  "130 interrupted.\n");
}

static int printVerbHelp(int argc, char** argv)
{
  if (argc < 3) {
    printHelp(stdout);
    return CR_EXIT_OK;
  }
  if (argc == 4 && strcmp(argv[2], "--pages") == 0) {
    return crWriteHelpPages(argv[3]);
  }
  const crVerb* verb = findVerb(argv[2]);
  if (verb == NULL) {
    return crUsageError(NULL, "there is no verb '%s'", argv[2]);
  }
  fputs(verb->help, stdout);
  return CR_EXIT_OK;
}

static int runVerb(int argc, char** argv)
{
  if (argc < 2) {
    printHelp(stderr);
    return CR_EXIT_USAGE;
  }
  if (strcmp(argv[1], "help") == 0) {
    return printVerbHelp(argc, argv);
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    printHelp(stdout);
    return CR_EXIT_OK;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("carom %s\n", crGetVersion());
    return CR_EXIT_OK;
  }
  const crVerb* verb = findVerb(argv[1]);
  return verb != NULL ? verb->run(argc - 1, argv + 1) : crUsageError(NULL, "there is no verb '%s'", argv[1]);
}

int main(int argc, char** argv)
{
  if (!crPrepareProcess(&argc, &argv)) {
    fputs("carom: out of memory\n", stderr);
    return CR_EXIT_MODEL;
  }
  bool isRun = argc > 1 && (strcmp(argv[1], "run") == 0 || strcmp(argv[1], "resume") == 0);
  crGuardProcess(isRun ? CR_EXIT_FAILED : CR_EXIT_MODEL);
  crGuardJson();
  int code = runVerb(argc, argv);
  // a full disk shows when bytes go out, now or earlier
  if (fflush(stdout) != 0 || ferror(stdout) != 0) {
    fprintf(stderr, "carom: cannot write the output: %s\n", strerror(errno));
    code = code != CR_EXIT_OK ? code : CR_EXIT_MODEL;
  }
  return crEndProcess(code);
}
