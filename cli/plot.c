// carom plot: variables over time, as a picture or in the terminal.
#include "base/platform.h"
#include "result.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CR_SMALLEST_TERMINAL 20 // [characters] smaller sizes are taken for unknown

typedef struct Arguments {
  const char* path;
  const char** patterns; // in argv
  int patternCount;
  const char* output; // NULL: the terminal
  crPlotOptions options;
  bool hasFrom, hasTo;
} Arguments;

// --------------------------------------------------------------------------------------- arguments

static bool parseTime(const char* name, const char* text, double* outTime, int* outExit)
{
  char* end;
  *outTime = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(*outTime)) {
    *outExit = crUsageError("plot", "%s needs a time in seconds, not '%s'", name, text);
    return false;
  }
  return true;
}

// false: usage error or --help, the exit code is in outExit.
static bool parseOptions(int argc, char** argv, Arguments* arguments, int* outExit)
{
  enum { optionFrom = 1000, optionTo, optionTitle, optionEvents };
  static const struct option options[] = {
    { "output", required_argument, NULL, 'o' },
    { "from", required_argument, NULL, optionFrom },
    { "to", required_argument, NULL, optionTo },
    { "title", required_argument, NULL, optionTitle },
    { "events", no_argument, NULL, optionEvents },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
  };
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
    switch (option) {
      case 'o': arguments->output = optarg; break;
      case optionTitle: arguments->options.title = optarg; break;
      case optionEvents: arguments->options.hasEventMarks = true; break;
      case optionFrom:
        arguments->hasFrom = true;
        if (!parseTime("--from", optarg, &arguments->options.from, outExit)) {
          return false;
        }
        break;
      case optionTo:
        arguments->hasTo = true;
        if (!parseTime("--to", optarg, &arguments->options.to, outExit)) {
          return false;
        }
        break;
      case 'h':
        fputs(crPlotVerb.help, stdout);
        *outExit = CR_EXIT_OK;
        return false;
      case ':': *outExit = crUsageError("plot", "%s needs a value", argv[optind - 1]); return false;
      default: *outExit = crUsageError("plot", "unknown option '%s'", argv[optind - 1]); return false;
    }
  }
  return true;
}

static bool parse(int argc, char** argv, Arguments* arguments, int* outExit)
{
  if (!parseOptions(argc, argv, arguments, outExit)) {
    return false;
  }
  if (argc - optind < 2) {
    *outExit = crUsageError("plot", "%s is missing", argc == optind ? "the result" : "the name of a variable");
    return false;
  }
  arguments->path = argv[optind];
  arguments->patterns = (const char**)&argv[optind + 1];
  arguments->patternCount = argc - optind - 1;
  const char* output = arguments->output;
  if (output != NULL && !crEndsWith(output, ".svg") && !crEndsWith(output, ".png") && !crEndsWith(output, ".pdf")) {
    *outExit = crUsageError("plot", "cannot write '%s': a plot is written as .svg, .png or .pdf", output);
    return false;
  }
  if (arguments->hasFrom && arguments->hasTo && !(arguments->options.from < arguments->options.to)) {
    *outExit = crUsageError("plot", "--from must be less than --to");
    return false;
  }
  return true;
}

// ------------------------------------------------------------------------------------------ plotting

static int readSize(const char* variable, int fallback)
{
  const char* text = getenv(variable);
  int size = text != NULL ? (int)strtol(text, NULL, 10) : 0;
  return size >= CR_SMALLEST_TERMINAL ? size : fallback;
}

// The size of the terminal, or what COLUMNS and LINES say, or 80 x 24. One line is left for the prompt.
static void measureTerminal(crPlotOptions* options)
{
  struct winsize size;
  bool isTerminal = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
                    size.ws_col >= CR_SMALLEST_TERMINAL && size.ws_row > 0;
  options->characters = isTerminal ? size.ws_col : readSize("COLUMNS", options->characters);
  options->lines = (isTerminal ? size.ws_row : readSize("LINES", options->lines)) - 1;
  options->isColored = crStyleOn(stdout, cr_styleBold)[0] != '\0';
}

// One of --from and --to alone leaves the other end open.
static void completeTimes(Arguments* arguments, const crResult* result)
{
  int rows = crResult_CountRows(result);
  if (rows > 0 && arguments->hasFrom && !arguments->hasTo) {
    arguments->options.to = fmax(crResult_GetTimes(result)[rows - 1], nextafter(arguments->options.from, INFINITY));
  }
  if (rows > 0 && arguments->hasTo && !arguments->hasFrom) {
    arguments->options.from = fmin(crResult_GetTimes(result)[0], nextafter(arguments->options.to, -INFINITY));
  }
}

static crStatus plotColumns(Arguments* arguments, const crResult* result, const int* columns, int columnCount)
{
  crErrorSink sink = crMakePrintingSink();
  if (arguments->output != NULL) {
    return crPlotResult(result, columns, columnCount, &arguments->options, arguments->output, NULL, &sink);
  }
  measureTerminal(&arguments->options);
  return crPlotText(result, columns, columnCount, &arguments->options, NULL, &sink, crMakeStreamWriter(stdout));
}

static int run(int argc, char** argv)
{
  Arguments arguments = { .options = crDefaultPlotOptions() };
  int code;
  if (!parse(argc, argv, &arguments, &code)) {
    return code;
  }
  crResult* result = crLoadResult(arguments.path);
  if (result == NULL) {
    return CR_EXIT_MODEL;
  }
  crErrorSink sink = crMakePrintingSink();
  int columnCount = 0;
  int* columns = malloc(((size_t)crResult_CountColumns(result) + 1) * sizeof *columns);
  crStatus status = cr_errorMemory;
  if (columns != NULL) {
    status =
        crResult_SelectColumns(result, arguments.patterns, arguments.patternCount, NULL, &sink, columns, &columnCount);
  }
  if (status == cr_ok) {
    completeTimes(&arguments, result);
    status = plotColumns(&arguments, result, columns, columnCount);
  }
  if (status == cr_errorMemory) {
    fputs("carom: out of memory\n", stderr);
  }
  free(columns);
  crDestroyResult(result);
  return status == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
}

const crVerb crPlotVerb = {
  .name = "plot",
  .summary = "plot variables of a result, as a picture or in the terminal",
  .help = "usage: carom plot RESULT PATTERN... [options]\n"
          "\n"
          "Plots the variables of a result (result.h5, or the folder of a run) whose names match:\n"
          "'*' stands for any characters but '.', '**' for any, '?' for one. Variables of the same\n"
          "unit share a panel. Without -o the plot is drawn in the terminal, in its size. A run that\n"
          "still goes on can be plotted as well.\n"
          "\n"
          "  -o, --output FILE  write a picture: .svg, .png or .pdf\n"
          "  --from T, --to T   the times to show [s]\n"
          "  --title TEXT       instead of the model's name\n"
          "  --events           mark where contacts begin and end, and other events (pictures)\n"
          "\n"
          "example: carom plot arm.run 'arm.*.angle' -o plot.svg\n",
  .run = run,
};
