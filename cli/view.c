// carom view: results as a report, as pictures, as a film, as a scene for other programs.
#include "result.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

// What to make of a result. Files are NULL when they are not asked for.
typedef struct ViewArguments {
  const char* result;
  const char* output; // .html or .glb
} ViewArguments;

// ------------------------------------------------------------------------------------------- report

// Messages as warnings: what was asked for first has been done already.
static void printWarning(void* context, const crError* error)
{
  (void)context;
  crError warning = *error;
  warning.severity = cr_severityWarning;
  crPrintError(&warning);
}

int crReportResult(const char* path, const char* target, bool isWarning)
{
  crErrorSink sink = isWarning ? (crErrorSink){ printWarning, NULL } : crMakePrintingSink();
  crResult* result = NULL;
  crReportFacts facts = { .every = 1 };
  crStatus status = crReadResult(path, NULL, &sink, &result);
  if (status == cr_ok) {
    status = crWriteReport(result, target, NULL, NULL, &sink, &facts);
  }
  crDestroyResult(result);
  if (status != cr_ok) {
    fprintf(stderr, "carom: the report could not be written%s\n", status == cr_errorMemory ? ": out of memory" : "");
    return CR_EXIT_MODEL;
  }
  if (facts.every > 1) {
    fprintf(stderr, "carom: the report has 1 row in %d, to keep it below 20 MB; result.h5 has all\n", facts.every);
  }
  if (facts.note[0] != '\0') {
    fputs("carom: report: ", stderr);
    crPrintName(stderr, facts.note);
    fputs("\n", stderr);
  }
  return CR_EXIT_OK;
}

// ---------------------------------------------------------------------------------------- arguments

// report.html beside the result.
static bool nameReport(const char* result, char* buffer, size_t size)
{
  const char* slash = strrchr(result, '/');
  int folder = slash != NULL ? (int)(slash - result) + 1 : 0;
  return snprintf(buffer, size, "%.*sreport.html", folder, result) < (int)size;
}

static bool parseView(int argc, char** argv, ViewArguments* outArguments, int* outExit)
{
  enum { optionOutput = 1000, optionHelp };
  static const struct option options[] = {
    { "output", required_argument, NULL, optionOutput },
    { "help", no_argument, NULL, optionHelp },
    { NULL, 0, NULL, 0 },
  };
  *outArguments = (ViewArguments){ .result = NULL };
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
    switch (option) {
      case 'o':
      case optionOutput: outArguments->output = optarg; break;
      case 'h':
      case optionHelp:
        fputs(crViewVerb.help, stdout);
        *outExit = CR_EXIT_OK;
        return false;
      case ':': *outExit = crUsageError("view", "%s needs a value", argv[optind - 1]); return false;
      default: *outExit = crUsageError("view", "unknown option '%s'", argv[optind - 1]); return false;
    }
  }
  if (argc - optind != 1) {
    *outExit = argc == optind ? crUsageError("view", "the result is missing")
                              : crUsageError("view", "one argument too many: '%s'", argv[optind + 1]);
    return false;
  }
  outArguments->result = argv[optind];
  return true;
}

static int writeOutput(const char* result, const char* output)
{
  if (!crEndsWith(output, ".html")) {
    return crUsageError("view", "cannot write '%s': a report is .html", output);
  }
  int code = crReportResult(result, output, false);
  if (code == CR_EXIT_OK) {
    crPrintName(stdout, output);
    printf("\n");
  }
  return code;
}

static int runView(int argc, char** argv)
{
  ViewArguments arguments;
  char report[4096];
  int code;
  if (!parseView(argc, argv, &arguments, &code)) {
    return code;
  }
  if (arguments.output == NULL) {
    if (!nameReport(arguments.result, report, sizeof report)) {
      return crUsageError("view", "the result has too long a name");
    }
    arguments.output = report;
  }
  return writeOutput(arguments.result, arguments.output);
}

const crVerb crViewVerb = {
  .name = "view",
  .summary = "show a result: as a report for the browser, a picture, a film",
  .help = "usage: carom view RESULT.h5 [-o OUTPUT.html]\n"
          "\n"
          "Writes a report: one file with animation, plots, contacts and statistics that any browser\n"
          "opens, without network. Without -o it is report.html beside the result.\n"
          "\n"
          "example: carom view pendulum.run/result.h5 -o pendulum.html\n",
  .run = runView,
};
