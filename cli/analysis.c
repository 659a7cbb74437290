// What the verbs of mathematics share.
#include "analysis.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CR_MOST_OPTIONS 24

enum { optionSet = 1000, optionTime, optionStart, optionInput, optionSave, optionHelp, optionOwn };

// ----------------------------------------------------------------------------------------------- options

static bool refuse(crAnalysis* a, int* outExit, const char* format, const char* text)
{
  *outExit = crUsageError(a->verb->name, format, text); // NOLINT: formats are literals of this file
  return false;
}

static bool applyShared(crAnalysis* a, int option, int* outExit)
{
  if (crAddRobotOption(&a->arguments, option, optarg)) {
    return true;
  }
  switch (option) {
    case optionSet:
      return crAddSetting(&a->arguments, optarg) || refuse(a, outExit, "--set needs name=value, not '%s'", optarg);
    case optionTime:
      return crParseNumbers(optarg, 1, &a->t) ||
             refuse(a, outExit, "--time needs a number of seconds, not '%s'", optarg);
    case optionStart: a->startFile = optarg; return true;
    case optionSave: a->saveFile = optarg; return true;
    case optionInput:
      a->inputs[a->inputCount++] = optarg;
      return strchr(optarg, '=') != NULL || refuse(a, outExit, "--input needs name=value, not '%s'", optarg);
    default:
      fputs(a->verb->help, stdout);
      *outExit = CR_EXIT_OK;
      return false;
  }
}

static void listOptions(const crAnalysisOption* own, struct option* outOptions)
{
  static const struct option shared[] = {
    { "set", required_argument, NULL, optionSet },
    { "time", required_argument, NULL, optionTime },
    { "start", required_argument, NULL, optionStart },
    { "input", required_argument, NULL, optionInput },
    { "help", no_argument, NULL, optionHelp },
    { "save-state", required_argument, NULL, optionSave },
    CR_ROBOT_OPTIONS,
  };
  int count = (int)(sizeof shared / sizeof *shared);
  memcpy(outOptions, shared, sizeof shared);
  for (int i = 0; own[i].name != NULL && count < CR_MOST_OPTIONS - 1; ++i) {
    outOptions[count++] =
        (struct option){ own[i].name, own[i].hasValue ? required_argument : no_argument, NULL, optionOwn + i };
  }
  outOptions[count] = (struct option){ NULL, 0, NULL, 0 };
}

static bool parse(crAnalysis* a, const crAnalysisOption* own, void* context, int argc, char** argv, int* outExit)
{
  struct option options[CR_MOST_OPTIONS];
  listOptions(own, options);
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
    if (option == ':' || option == '?') {
      return refuse(a, outExit, option == ':' ? "%s needs a value" : "unknown option '%s'", argv[optind - 1]);
    }
    if (option < optionOwn) {
      if (!applyShared(a, option, outExit)) {
        return false;
      }
    } else if (!own[option - optionOwn].apply(context, optarg)) {
      *outExit = crUsageError(a->verb->name, "--%s cannot be '%s'", own[option - optionOwn].name, optarg);
      return false;
    }
  }
  if (optind >= argc) {
    *outExit = crUsageError(a->verb->name, "the model is missing");
    return false;
  }
  a->arguments.files[0] = argv[optind];
  a->arguments.fileCount = 1;
  return optind + 1 == argc || refuse(a, outExit, "one argument too many: '%s'", argv[optind + 1]);
}

bool crParseNumbers(const char* text, int count, double* outNumbers)
{
  for (int i = 0; i < count; ++i) {
    char* end;
    outNumbers[i] = strtod(text, &end);
    if (end == text || !isfinite(outNumbers[i]) || *end != (i + 1 < count ? ',' : '\0')) {
      return false;
    }
    text = end + 1;
  }
  return true;
}

// ----------------------------------------------------------------------------------------------- start

static int complain(const char* format, const char* name)
{
  fputs("carom: ", stderr);
  fprintf(stderr, format, name); // NOLINT: formats are literals of this file
  fputs("\n", stderr);
  return CR_EXIT_MODEL;
}

static int setInput(crAnalysis* a, const char* name, double value)
{
  int input = crModel_FindInput(a->loaded.model, name);
  if (input < 0 || crInstance_SetInput(a->instance, input, value) != cr_ok) {
    return complain("the model has no input '%s', or its value is not finite", name);
  }
  return CR_EXIT_OK;
}

static int setInputs(crAnalysis* a)
{
  int code = CR_EXIT_OK;
  for (int i = 0; i < a->inputCount && code == CR_EXIT_OK; ++i) {
    char name[CR_MAX_PATH + 1];
    const char* equals = strchr(a->inputs[i], '=');
    double value = NAN;
    snprintf(name, sizeof name, "%.*s", (int)(equals - a->inputs[i]), a->inputs[i]);
    code = crParseNumbers(equals + 1, 1, &value) ? setInput(a, name, value)
                                                 : crUsageError(a->verb->name, "'%s' is no number", equals + 1);
  }
  return code;
}

static int findState(const crAnalysis* a, const char* name)
{
  char own[CR_VARIABLE_NAME];
  for (int i = 0; i < a->stateCount; ++i) {
    if (crModel_GetStateName(a->loaded.model, a->all, i, own, sizeof own) && strcmp(own, name) == 0) {
      return i;
    }
  }
  return -1;
}

static int readStart(crAnalysis* a)
{
  crState* state = NULL;
  crStatus status = crReadStateFile(a->startFile, NULL, &a->loaded.sink, &state);
  if (status != cr_ok) {
    return crEndAnalysis(a, status);
  }
  int code = CR_EXIT_OK;
  a->t = state->time;
  for (int i = 0; i < state->stateCount && code == CR_EXIT_OK; ++i) {
    int place = findState(a, state->states[i].name);
    if (place < 0) {
      code = complain("the model has no state '%s'", state->states[i].name);
    } else {
      a->y[place] = state->states[i].value;
    }
  }
  for (int i = 0; i < state->inputCount && code == CR_EXIT_OK; ++i) {
    code = setInput(a, state->inputs[i].name, state->inputs[i].value);
  }
  crDestroyState(state);
  return code;
}

static int start(crAnalysis* a)
{
  crStatus status = crCreateInstance(a->loaded.model, NULL, &a->loaded.sink, &a->instance);
  if (status != cr_ok) {
    return crEndAnalysis(a, status);
  }
  a->all = crModel_GetAllTrees(a->loaded.model);
  a->stateCount = crModel_CountStates(a->loaded.model, a->all);
  a->rateCount = crModel_CountRates(a->loaded.model, a->all);
  a->y = calloc((size_t)a->stateCount + 1, sizeof *a->y);
  if (a->y == NULL) {
    return crEndAnalysis(a, cr_errorMemory);
  }
  crModel_GetStart(a->loaded.model, a->all, a->y);
  int code = a->startFile != NULL ? readStart(a) : CR_EXIT_OK;
  code = code == CR_EXIT_OK ? setInputs(a) : code;
  if (code == CR_EXIT_OK) {
    status = crInstance_Assemble(a->instance, a->all, a->t, a->y, &a->loaded.sink);
    code = status == cr_ok ? CR_EXIT_OK : crEndAnalysis(a, status);
  }
  return code;
}

bool crOpenAnalysis(crAnalysis* analysis, const crVerb* verb, const crAnalysisOption* options, void* context, int argc,
                    char** argv, int* outExit)
{
  *analysis = (crAnalysis){ .verb = verb };
  analysis->arguments.settings = calloc((size_t)argc + 1, sizeof(crSetting));
  analysis->inputs = calloc((size_t)argc + 1, sizeof *analysis->inputs);
  if (analysis->arguments.settings == NULL || analysis->inputs == NULL) {
    *outExit = crUsageError(NULL, "out of memory");
    return false;
  }
  if (!parse(analysis, options, context, argc, argv, outExit)) {
    return false;
  }
  crLoad(&analysis->arguments, &analysis->loaded);
  crPrintLog(analysis->loaded.log, cr_severityWarning);
  crErrorLog_Clear(analysis->loaded.log);
  *outExit = analysis->loaded.model != NULL ? start(analysis) : CR_EXIT_MODEL;
  return *outExit == CR_EXIT_OK;
}

void crCloseAnalysis(crAnalysis* analysis)
{
  crDestroyInstance(analysis->instance);
  if (analysis->loaded.log != NULL) {
    crUnload(&analysis->loaded);
  }
  free(analysis->y);
  free(analysis->inputs);
  crFreeArguments(&analysis->arguments);
}

int crEndAnalysis(crAnalysis* analysis, crStatus status)
{
  int count = crPrintLog(analysis->loaded.log, cr_severityWarning);
  if (status != cr_ok && count == 0) {
    complain("this cannot be computed here: %s",
             status == cr_retry ? "a number is not finite" : crStatus_GetText(status));
  }
  return status == cr_ok ? CR_EXIT_OK : status == cr_failNumerics || status == cr_retry ? 3 : CR_EXIT_MODEL;
}

// -------------------------------------------------------------------------------------------------- JSON

static json_t* makeNumber(double number)
{
  return isfinite(number) ? json_real(number) : json_null();
}

json_t* crDescribeState(const crAnalysis* analysis)
{
  json_t* states = json_object();
  char name[CR_VARIABLE_NAME];
  for (int i = 0; i < analysis->stateCount; ++i) {
    crModel_GetStateName(analysis->loaded.model, analysis->all, i, name, sizeof name);
    json_object_set_new(states, name, makeNumber(analysis->y[i]));
  }
  return states;
}

json_t* crDescribeMatrix(const double* matrix, int rows, int columns)
{
  json_t* list = json_array();
  for (int i = 0; i < rows; ++i) {
    json_t* row = json_array();
    for (int j = 0; j < columns; ++j) {
      json_array_append_new(row, makeNumber(matrix[(size_t)i + (size_t)j * (size_t)rows]));
    }
    json_array_append_new(list, row);
  }
  return list;
}

json_t* crDescribeStates(const crAnalysis* analysis)
{
  json_t* names = json_array();
  char name[CR_VARIABLE_NAME];
  for (int i = 0; i < analysis->stateCount; ++i) {
    crModel_GetStateName(analysis->loaded.model, analysis->all, i, name, sizeof name);
    json_array_append_new(names, json_string(name));
  }
  return names;
}

const char* crGetRateName(const crAnalysis* analysis, int rate, char* buffer, size_t size)
{
  for (int k = 0; k < crModel_GetSize(analysis->loaded.model).treeCount; ++k) {
    const crTree* tree = crModel_GetTree(analysis->loaded.model, k);
    if (rate < tree->vCount) {
      crModel_GetStateName(analysis->loaded.model, analysis->all, tree->vStart + rate, buffer, size);
      return buffer;
    }
    rate -= tree->vCount;
  }
  return "";
}

json_t* crDescribePorts(const crModel* model, bool ofInputs)
{
  json_t* names = json_array();
  crPort port;
  for (int i = 0; ofInputs ? crModel_GetInput(model, i, &port) : crModel_GetOutput(model, i, &port); ++i) {
    json_array_append_new(names, json_string(port.path));
  }
  return names;
}

static int saveState(crAnalysis* a)
{
  crNamedNumber* states = calloc((size_t)a->stateCount + 1, sizeof *states);
  char(*names)[CR_VARIABLE_NAME] = calloc((size_t)a->stateCount + 1, sizeof *names);
  crStatus status = states != NULL && names != NULL ? cr_ok : cr_errorMemory;
  for (int i = 0; status == cr_ok && i < a->stateCount; ++i) {
    crModel_GetStateName(a->loaded.model, a->all, i, names[i], sizeof names[i]);
    states[i] = (crNamedNumber){ names[i], a->y[i] };
  }
  if (status == cr_ok) {
    crState state = { .time = a->t, .states = states, .stateCount = a->stateCount };
    status = crWriteStateFile(&state, a->saveFile, NULL, &a->loaded.sink);
  }
  free(states);
  free(names);
  return crEndAnalysis(a, status);
}

int crPrintAnalysis(crAnalysis* analysis, json_t* json)
{
  char* text = json != NULL ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(json);
  if (text == NULL) {
    return crEndAnalysis(analysis, cr_errorMemory);
  }
  puts(text);
  free(text);
  return analysis->saveFile != NULL ? saveState(analysis) : CR_EXIT_OK;
}
