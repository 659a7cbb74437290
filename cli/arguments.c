// Parsing of the options that verbs share.
#include "cli.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int crUsageError(const char* verb, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("carom: ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\ntry: carom help%s%s\n", verb != NULL ? " " : "", verb != NULL ? verb : "");
  return CR_EXIT_USAGE;
}

void crNameOutput(const char* model, const char* ending, char* buffer, size_t size)
{
  const char* slash = strrchr(model, '/');
  const char* name = slash != NULL ? slash + 1 : model;
  const char* dot = strrchr(name, '.');
  snprintf(buffer, size, "%.*s%s", (int)(dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name)), name,
           ending);
}

bool crAddSetting(crModelArguments* arguments, char* text)
{
  char* equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    return false;
  }
  *equals = '\0';
  arguments->settings[arguments->settingCount++] = (crSetting){ text, equals + 1 };
  return true;
}

bool crAddRobotOption(crModelArguments* arguments, int option, const char* value)
{
  crSetting setting = option == cr_optionMissing     ? (crSetting){ "ignoreMissing", "true" }
                      : option == cr_optionMeshPath  ? (crSetting){ "meshPath", value }
                      : option == cr_optionAllowPath ? (crSetting){ "allowPath", value }
                                                     : (crSetting){ NULL, NULL };
  if (option == cr_optionAllowFmu) {
    crAllowFmus(true);
    return true;
  }
  if (setting.name != NULL) {
    arguments->settings[arguments->settingCount++] = setting;
  }
  return setting.name != NULL;
}

static bool fail(const crModelArguments* arguments, int* outExit, int code)
{
  free(arguments->settings);
  *outExit = code;
  return false;
}

bool crParseArguments(const crVerb* verb, crAccepted accepted, int argc, char** argv, crModelArguments* outArguments,
                      int* outExit)
{
  enum { optionSet = 1000, optionJson, optionAll, optionDump, optionContacts, optionSamples, optionWatch, optionHelp };
  struct option options[13] = { { "set", required_argument, NULL, optionSet },
                                { "help", no_argument, NULL, optionHelp },
                                CR_ROBOT_OPTIONS };
  int count = 6;
  if (accepted.json) {
    options[count++] = (struct option){ "json", no_argument, NULL, optionJson };
  }
  if (accepted.all) {
    options[count++] = (struct option){ "all", no_argument, NULL, optionAll };
  }
  if (accepted.dump) {
    options[count++] = (struct option){ "dump", required_argument, NULL, optionDump };
  }
  if (accepted.contacts) {
    options[count++] = (struct option){ "contacts", no_argument, NULL, optionContacts };
    options[count++] = (struct option){ "samples", no_argument, NULL, optionSamples };
  }
  if (accepted.watch) {
    options[count++] = (struct option){ "watch", no_argument, NULL, optionWatch };
  }
  crModelArguments arguments = { .settings = calloc((size_t)argc + 1, sizeof(crSetting)) };
  if (arguments.settings == NULL) {
    *outExit = crUsageError(NULL, "out of memory");
    return false;
  }
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
    switch (option) {
      case optionSet:
        if (!crAddSetting(&arguments, optarg)) {
          return fail(&arguments, outExit, crUsageError(verb->name, "--set needs name=value, not '%s'", optarg));
        }
        break;
      case cr_optionAllowPath:
      case cr_optionMeshPath:
      case cr_optionAllowFmu:
      case cr_optionMissing: crAddRobotOption(&arguments, option, optarg); break;
      case optionJson: arguments.isJson = true; break;
      case optionAll: arguments.isAll = true; break;
      case optionDump: arguments.dump = optarg; break;
      case optionContacts: arguments.isContacts = true; break;
      case optionWatch: arguments.isWatched = true; break;
      case optionSamples: arguments.isSamples = true; break;
      case 'h':
      case optionHelp: fputs(verb->help, stdout); return fail(&arguments, outExit, CR_EXIT_OK);
      case ':': return fail(&arguments, outExit, crUsageError(verb->name, "%s needs a value", argv[optind - 1]));
      default: return fail(&arguments, outExit, crUsageError(verb->name, "unknown option '%s'", argv[optind - 1]));
    }
  }
  for (; optind < argc; ++optind) {
    if (arguments.fileCount == accepted.fileCount) {
      return fail(&arguments, outExit, crUsageError(verb->name, "one argument too many: '%s'", argv[optind]));
    }
    arguments.files[arguments.fileCount++] = argv[optind];
  }
  if (arguments.fileCount < accepted.fileCount) {
    return fail(&arguments, outExit,
                crUsageError(verb->name, "%s is missing", arguments.fileCount == 0 ? "the model" : "the output file"));
  }
  *outArguments = arguments;
  return true;
}

void crFreeArguments(crModelArguments* arguments)
{
  free(arguments->settings);
}
