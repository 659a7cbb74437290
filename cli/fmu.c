// carom fmu: a model for other tools.
#include "fmu.h"

#include "carom/fmu.h"
#include "cli.h"
#include "result.h"

#include <stdlib.h>
#include <string.h>

typedef struct Arguments {
  crModelArguments model;
  const char* output;
  unsigned kinds;
  int version;
  bool isLocked;
} Arguments;

// "me", "cs" or both with a comma; 0: none of these.
static unsigned readKinds(const char* text)
{
  return strcmp(text, "me") == 0                                    ? cr_fmuModelExchange
         : strcmp(text, "cs") == 0                                  ? cr_fmuCoSimulation
         : strcmp(text, "me,cs") == 0 || strcmp(text, "cs,me") == 0 ? cr_fmuModelExchange | cr_fmuCoSimulation
                                                                    : 0;
}

enum { optionSet = 1000, optionKind, optionFmi, optionLocked, optionHelp };

// One option; an exit code, or -1: go on.
static int applyOption(Arguments* arguments, int option, int argc, char** argv)
{
  switch (option) {
    case optionSet:
      if (!crAddSetting(&arguments->model, optarg)) {
        return crUsageError("fmu", "--set takes NAME=VALUE, not '%s'", optarg);
      }
      return -1;
    case 'o': arguments->output = optarg; return -1;
    case optionKind:
      arguments->kinds = readKinds(optarg);
      return arguments->kinds != 0 ? -1 : crUsageError("fmu", "--kind is me, cs or me,cs, not '%s'", optarg);
    case optionFmi:
      arguments->version = strcmp(optarg, "2") == 0 ? 2 : strcmp(optarg, "3") == 0 ? 3 : 0;
      return arguments->version != 0 ? -1 : crUsageError("fmu", "--fmi is 2 or 3, not '%s'", optarg);
    case optionLocked: arguments->isLocked = true; return -1;
    case optionHelp:
    case 'h': fputs(crFmuVerb.help, stdout); return CR_EXIT_OK;
    case ':': return crUsageError("fmu", "%s needs a value", argv[optind - 1]);
    default:
      if (crAddRobotOption(&arguments->model, option, optarg)) {
        return -1;
      }
      return crUsageError("fmu", "unknown option '%s'", argv[optind - 1 < argc ? optind - 1 : argc - 1]);
  }
}

static int parse(int argc, char** argv, Arguments* arguments)
{
  static const struct option options[] = { { "set", required_argument, NULL, optionSet },
                                           { "output", required_argument, NULL, 'o' },
                                           { "kind", required_argument, NULL, optionKind },
                                           { "fmi", required_argument, NULL, optionFmi },
                                           { "locked", no_argument, NULL, optionLocked },
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
    code = crUsageError("fmu", argc == optind ? "which model?" : "one model at a time");
  }
  arguments->model.files[0] = code < 0 ? argv[optind] : NULL;
  return code;
}

static void tell(const char* output, int version, const crFmuFacts* facts)
{
  static const char* const kinds[] = { "", "Model Exchange", "Co-Simulation", "Model Exchange and Co-Simulation" };
  crPrintName(stdout, output);
  printf(": FMI %d.0, %s, %.1f MB\n%d parameters, %d inputs, %d outputs, %d states, %d variables\n", version,
         kinds[facts->kinds], 1e-6 * (double)facts->byteCount, facts->parameterCount, facts->inputCount,
         facts->outputCount, facts->stateCount, facts->variableCount);
}

static int export(const Arguments* arguments)
{
  char chosen[4096];
  const char* output = arguments->output;
  if (output == NULL) {
    crNameOutput(arguments->model.files[0], ".fmu", chosen, sizeof chosen);
    output = chosen;
  }
  if (!crEndsWith(output, ".fmu")) {
    return crUsageError("fmu", "cannot write '%s': an FMU ends in .fmu", output);
  }
  crFmuOptions options = crDefaultFmuOptions();
  options.kinds = arguments->kinds;
  options.version = arguments->version;
  options.isLocked = arguments->isLocked;
  options.settings = arguments->model.settings;
  options.settingCount = arguments->model.settingCount;
  options.binary = crGetFmuBinary(&options.binarySize, &options.license);
  if (options.binary == NULL) {
    fputs("carom: this tool was built without the binary of FMUs: scripts/fmu_sources.sh gets what it needs, then "
          "build again\n",
          stderr);
    return CR_EXIT_MODEL;
  }
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crFmuFacts facts;
  crStatus status = crWriteFmu(arguments->model.files[0], &options, output, NULL, &sink, &facts);
  crPrintLog(log, cr_severityWarning);
  if (status == cr_ok) {
    tell(output, options.version == 3 ? 3 : 2, &facts);
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
  code = code < 0 ? export(&arguments) : code;
  crFreeArguments(&arguments.model);
  return code;
}

const crVerb crFmuVerb = {
  .name = "fmu",
  .summary = "export a model for tools that speak FMI",
  .help = "usage: carom fmu MODEL [options]\n"
          "\n"
          "Writes an FMU (FMI 2.0 or 3.0): the model with a binary that simulates it, for Modelica tools,\n"
          "Simulink and other hosts. It needs nothing but Linux on a processor of this kind. With\n"
          "Model Exchange the host integrates the states and finds contacts by two event indicators;\n"
          "with Co-Simulation the run of Carom is inside. docs/fmu.md tells what each is good for.\n"
          "\n"
          "  -o, --output FILE  where to; MODEL.fmu in the current folder unless told otherwise\n"
          "  --kind KINDS       me, cs, or me,cs for both; both unless the model cannot do the first\n"
          "  --fmi VERSION      2 or 3; 2 unless told otherwise\n"
          "  --set NAME=VALUE   start value of a parameter of the model (repeatable)\n"
          "  --locked           without the source of the model, and without parameters\n"
          "  --mesh-path DIR    of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing   of robots: do without meshes that are not found\n"
          "\n"
          "Exit codes: 0 ok, 1 the model has errors or cannot be an FMU, 2 wrong usage.\n"
          "\n"
          "example: carom fmu examples/billiards.lua -o billiards.fmu --set speed=2\n",
  .run = run,
};
