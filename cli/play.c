// carom play: a model as a page that simulates.
#include "show/play.h"
#include "cli.h"
#include "result.h"

#include <stdlib.h>
#include <string.h>

enum { optionSet = 1000, optionHelp };

typedef struct Arguments {
  crModelArguments model;
  const char* output;
} Arguments;

// One option; an exit code, or -1: go on.
static int applyOption(Arguments* arguments, int option, int argc, char** argv)
{
  switch (option) {
    case optionSet:
      return crAddSetting(&arguments->model, optarg) ? -1
                                                     : crUsageError("play", "--set takes NAME=VALUE, not '%s'", optarg);
    case 'o': arguments->output = optarg; return -1;
    case optionHelp:
    case 'h': fputs(crPlayVerb.help, stdout); return CR_EXIT_OK;
    case ':': return crUsageError("play", "%s needs a value", argv[optind - 1]);
    default:
      if (crAddRobotOption(&arguments->model, option, optarg)) {
        return -1;
      }
      return crUsageError("play", "unknown option '%s'", argv[optind - 1 < argc ? optind - 1 : argc - 1]);
  }
}

static int parse(int argc, char** argv, Arguments* arguments)
{
  static const struct option options[] = { { "set", required_argument, NULL, optionSet },
                                           { "output", required_argument, NULL, 'o' },
                                           { "help", no_argument, NULL, optionHelp },
                                           CR_ROBOT_OPTIONS,
                                           { 0 } };
  opterr = 0;
  optind = 1;
  int option, code = -1;
  while (code < 0 && (option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
    code = applyOption(arguments, option, argc, argv);
  }
  if (code < 0 && argc - optind != 1) {
    code = crUsageError("play", argc == optind ? "which model?" : "one model at a time");
  }
  arguments->model.files[0] = code < 0 ? argv[optind] : NULL;
  return code;
}

static int write(const Arguments* arguments)
{
  char chosen[4096];
  const char* output = arguments->output;
  if (output == NULL) {
    crNameOutput(arguments->model.files[0], ".html", chosen, sizeof chosen);
    output = chosen;
  }
  if (!crEndsWith(output, ".html")) {
    return crUsageError("play", "cannot write '%s': a page ends in .html", output);
  }
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  size_t size = 0;
  crStatus status = crWritePlayPage(arguments->model.files[0], arguments->model.settings, arguments->model.settingCount,
                                    output, NULL, &sink, &size);
  crPrintLog(log, cr_severityWarning);
  if (status == cr_ok) {
    crPrintName(stdout, output);
    printf(": %.2f MB, opens in any browser\n", 1e-6 * (double)size);
  } else if (crErrorLog_CountOf(log, cr_severityError) == 0) {
    fprintf(stderr, "carom: %s\n", crStatus_GetText(status));
  }
  crDestroyErrorLog(log);
  return status == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
}

static int run(int argc, char** argv)
{
  Arguments arguments = { .model = { .settings = calloc((size_t)argc + 1, sizeof(crSetting)) } };
  if (arguments.model.settings == NULL) {
    return crUsageError(NULL, "out of memory");
  }
  int code = parse(argc, argv, &arguments);
  code = code < 0 ? write(&arguments) : code;
  crFreeArguments(&arguments.model);
  return code;
}

const crVerb crPlayVerb = {
  .name = "play",
  .summary = "write a model as a page that simulates it",
  .help = "usage: carom play MODEL [options]\n"
          "\n"
          "Writes one HTML file with the model, all files that it reads, the simulator and the viewer:\n"
          "parameters are sliders, the source can be edited, bodies can be pulled with the mouse. It\n"
          "opens in any browser, also from a disk, and needs no network. Its runs have the same bits as\n"
          "those of `carom run`; what was done by hand in it can be saved, and done again by\n"
          "`carom run --session`. docs/play.md tells more.\n"
          "\n"
          "  -o, --output FILE  where to; MODEL.html in the current folder unless told otherwise\n"
          "  --set NAME=VALUE   override a parameter of the model (repeatable)\n"
          "  --allow-path DIR   a folder outside its own that the model may read meshes from\n"
          "  --mesh-path DIR    of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing   of robots: do without meshes that are not found\n"
          "\n"
          "Exit codes: 0 ok, 1 the model has errors or the page cannot be written, 2 wrong usage.\n"
          "\n"
          "example: carom play examples/billiards.lua -o billiards.html\n",
  .run = run,
};
