// carom sweep status, csv, merge and show.
#include "sweep.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CR_SHOWN_MESSAGES 10 // different ones that status prints

typedef struct Verb {
  const char* word;
  int (*run)(const crSweepTable* table, const char* folder, const char* argument, const crErrorSink* sink);
} Verb;

// -------------------------------------------------------------------------------------------- status

// Failed runs by their message, in the order of their first run.
static void printMessages(const crSweepTable* table)
{
  const char* messages[CR_SHOWN_MESSAGES];
  int64_t firsts[CR_SHOWN_MESSAGES], counts[CR_SHOWN_MESSAGES];
  int known = 0, rows = crSweepTable_CountRows(table), others = 0;
  for (int i = 0; i < rows; ++i) {
    crSweepRow row = crSweepTable_GetRow(table, i);
    if (row.status == cr_ok) {
      continue;
    }
    int k = 0;
    while (k < known && strcmp(messages[k], row.message) != 0) {
      ++k;
    }
    if (k == CR_SHOWN_MESSAGES) {
      ++others;
      continue;
    }
    if (k == known) {
      messages[known] = row.message;
      firsts[known] = row.run;
      counts[known++] = 0;
    }
    ++counts[k];
  }
  for (int k = 0; k < known; ++k) {
    printf("  %" PRId64 " like run %" PRId64 ": %s\n", counts[k], firsts[k], messages[k]);
  }
  if (others > 0) {
    printf("  and %d with other messages\n", others);
  }
}

static int runStatus(const crSweepTable* table, const char* folder, const char* argument, const crErrorSink* sink)
{
  (void)argument;
  (void)sink;
  int rows = crSweepTable_CountRows(table);
  int64_t runs = crSweepTable_CountRuns(table), failed = 0;
  double seconds = 0.0;
  for (int i = 0; i < rows; ++i) {
    crSweepRow row = crSweepTable_GetRow(table, i);
    failed += row.status != cr_ok;
    seconds += row.cpuSeconds;
  }
  crPrintName(stdout, folder);
  printf(": %d of %" PRId64 " runs, %" PRId64 " failed, %" PRId64 " missing", rows, runs, failed, runs - rows);
  if (rows > 0) {
    printf("; %.3g ms of CPU time each", 1e3 * seconds / rows);
  }
  printf("\n");
  printMessages(table);
  return CR_EXIT_OK;
}

// ---------------------------------------------------------------------------------------------- files

static int runCsv(const crSweepTable* table, const char* folder, const char* argument, const crErrorSink* sink)
{
  (void)folder;
  crStatus status = argument != NULL ? crWriteSweepCsv(table, argument, NULL, sink)
                                     : crFormatSweepCsv(table, crMakeStreamWriter(stdout));
  return status == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
}

static int runMerge(const crSweepTable* table, const char* folder, const char* argument, const crErrorSink* sink)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/table.h5", folder);
  return crWriteSweepTable(table, argument != NULL ? argument : path, NULL, sink) == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
}

static int runPage(const crSweepTable* table, const char* folder, const char* argument, const crErrorSink* sink)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/sweep.html", folder);
  const char* slash = strrchr(folder, '/');
  const char* title = slash != NULL && slash[1] != '\0' ? slash + 1 : folder;
  return crWriteSweepPage(table, title, argument != NULL ? argument : path, NULL, sink) == cr_ok ? CR_EXIT_OK
                                                                                                 : CR_EXIT_MODEL;
}

// ---------------------------------------------------------------------------------------------- show

typedef struct Statistics {
  int count;
  double mean, deviation, least, most;
} Statistics;

// Of the numbers of a column that there are.
static Statistics measure(const double* values, int stride, int rows)
{
  Statistics s = { 0, 0.0, 0.0, INFINITY, -INFINITY };
  double squares = 0.0;
  for (int i = 0; i < rows; ++i) {
    double value = values[(size_t)i * (size_t)stride];
    if (isfinite(value)) {
      double change = value - s.mean;
      s.mean += change / ++s.count;
      squares += change * (value - s.mean);
      s.least = fmin(s.least, value);
      s.most = fmax(s.most, value);
    }
  }
  s.deviation = s.count > 1 ? sqrt(squares / (s.count - 1)) : NAN;
  return s;
}

static void printStatistics(const char* name, const char* unit, Statistics s)
{
  char title[128];
  snprintf(title, sizeof title, "%.100s%s%s%s", name, unit[0] != '\0' ? " [" : "", unit, unit[0] != '\0' ? "]" : "");
  crCleanText(title);
  printf("  %-36s %8d %12.6g %12.4g %12.6g %12.6g\n", title, s.count, s.mean, s.deviation, s.least, s.most);
}

// Of a sweep that was made for them.
static void showSensitivity(const crSweepTable* table)
{
  int inputs = crSweepTable_CountInputs(table), count = 0;
  crSensitivity* indices = calloc((size_t)inputs + 1, sizeof *indices);
  for (int k = 0; indices != NULL && k < crSweepTable_CountOutputs(table); ++k) {
    bool isSeries = strchr(crSweepTable_GetOutput(table, k)->name, '[') != NULL;
    bool isMade = !isSeries && crSweepTable_ComputeSensitivity(table, k, 0, NULL, indices, &count) == cr_ok;
    if (!isMade || count < 2 || !isfinite(indices[0].first)) { // one that never changes has none
      continue;
    }
    printf("  %s: indices of sensitivity by %d sets\n", crSweepTable_GetOutput(table, k)->name, count);
    for (int i = 0; i < inputs; ++i) {
      printf("    %-34s first %8.4f +- %.4f    total %8.4f +- %.4f\n", crSweepTable_GetInput(table, i),
             indices[i].first, indices[i].firstError, indices[i].total, indices[i].totalError);
    }
  }
  free(indices);
}

static int showAll(const crSweepTable* table)
{
  int rows = crSweepTable_CountRows(table), inputs = crSweepTable_CountInputs(table),
      outputs = crSweepTable_CountOutputs(table);
  printf("  %-36s %8s %12s %12s %12s %12s\n", "", "numbers", "mean", "deviation", "least", "most");
  for (int i = 0; i < inputs; ++i) {
    printStatistics(crSweepTable_GetInput(table, i), "", measure(crSweepTable_GetInputs(table) + i, inputs, rows));
  }
  for (int i = 0; i < outputs; ++i) {
    const crColumn* column = crSweepTable_GetOutput(table, i);
    printStatistics(column->name, strcmp(column->unit, "1") != 0 ? column->unit : "",
                    measure(crSweepTable_GetOutputs(table) + i, outputs, rows));
  }
  showSensitivity(table);
  return CR_EXIT_OK;
}

static int showRun(const crSweepTable* table, const char* folder, int64_t run, const crErrorSink* sink)
{
  int at = crSweepTable_FindRow(table, run);
  crSweepRow row = crSweepTable_GetRow(table, at);
  char number[CR_NUMBER_SIZE];
  if (at >= 0) {
    for (int i = 0; i < crSweepTable_CountInputs(table); ++i) {
      const char* text = crSweepTable_GetText(table, i, (int)row.inputs[i]);
      printf("  %-36s ", crSweepTable_GetInput(table, i));
      crFormatNumber(row.inputs[i], number);
      printf("%s\n", text != NULL ? text : number);
    }
    for (int i = 0; i < crSweepTable_CountOutputs(table); ++i) {
      const crColumn* column = crSweepTable_GetOutput(table, i);
      bool hasUnit = strcmp(column->unit, "1") != 0;
      crFormatNumber(row.outputs[i], number);
      printf("  %-36s %s%s%s\n", column->name, number, hasUnit ? " " : "", hasUnit ? column->unit : "");
    }
    printf("%s%s%s", row.message[0] != '\0' ? "  failed: " : "", row.message, row.message[0] != '\0' ? "\n" : "");
  } else {
    printf("  run %" PRId64 " is missing\n", run);
  }
  crSweepPlan* plan = NULL;
  if (crOpenSweepPlan(folder, NULL, sink, &plan) != cr_ok) {
    return CR_EXIT_MODEL;
  }
  int length = crSweepPlan_FormatCommand(plan, run, NULL, 0);
  char* command = malloc((size_t)length + 1);
  if (command != NULL) {
    crSweepPlan_FormatCommand(plan, run, command, (size_t)length + 1);
    printf("  %s\n", command);
  }
  free(command);
  crDestroySweepPlan(plan);
  return CR_EXIT_OK;
}

static int runShow(const crSweepTable* table, const char* folder, const char* argument, const crErrorSink* sink)
{
  if (argument == NULL) {
    return showAll(table);
  }
  char* end;
  long long run = strtoll(argument, &end, 10);
  if (end == argument || *end != '\0' || run < 0 || run >= crSweepTable_CountRuns(table)) {
    return crUsageError("sweep", "there is no run '%s': they are numbered from 0 to %" PRId64, argument,
                        crSweepTable_CountRuns(table) - 1);
  }
  return showRun(table, folder, run, sink);
}

// ---------------------------------------------------------------------------------------------- verbs

static const Verb verbs[] = {
  { "status", runStatus }, { "csv", runCsv }, { "merge", runMerge }, { "show", runShow }, { "page", runPage }
};

static const Verb* findVerb(const char* word)
{
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; ++i) {
    if (strcmp(verbs[i].word, word) == 0) {
      return &verbs[i];
    }
  }
  return NULL;
}

bool crIsTableVerb(const char* word)
{
  return findVerb(word) != NULL || strcmp(word, "plot") == 0;
}

// ----------------------------------------------------------------------------------------------- plot

// plot DIR KIND NAME... -o FILE
static int runPlot(const crSweepTable* table, int argc, char** argv, const crErrorSink* sink)
{
  const char *path = NULL, *title = NULL;
  int count = 0, kind = 0;
  const char** names = calloc((size_t)argc + 1, sizeof *names);
  for (int i = 3; names != NULL && i < argc; ++i) {
    const char** value = strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--output") == 0 ? &path
                         : strcmp(argv[i], "--title") == 0                              ? &title
                                                                                        : &names[count++];
    bool isOption = value == &path || value == &title;
    *value = isOption ? argv[i + 1] : argv[i];
    i += isOption;
  }
  while (argc > 2 && kind < cr_sweepPlotKindCount &&
         strcmp(crSweepPlotKind_GetText((crSweepPlotKind)kind), argv[2]) != 0) {
    ++kind;
  }
  int code = CR_EXIT_MODEL;
  if (names == NULL) {
    code = crUsageError(NULL, "out of memory");
  } else if (argc < 3 || kind == cr_sweepPlotKindCount) {
    code = crUsageError("sweep", "the kind of the plot is curve, map, histogram, scatter or sensitivity");
  } else if (path == NULL) {
    code = crUsageError("sweep", "-o FILE is missing: .svg, .png or .pdf");
  } else {
    crSweepPlotOptions options = crDefaultSweepPlotOptions((crSweepPlotKind)kind);
    options.names = names;
    options.nameCount = count;
    options.title = title;
    code = crPlotSweep(table, &options, path, NULL, sink) == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
  }
  free(names);
  return code;
}

int crRunTableVerb(int argc, char** argv)
{
  bool isPlot = strcmp(argv[0], "plot") == 0;
  if (argc < 2 || (argc > 3 && !isPlot) || strcmp(argv[1], "--help") == 0) {
    if (argc == 2) {
      fputs(crSweepVerb.help, stdout);
      return CR_EXIT_OK;
    }
    return argc < 2 ? crUsageError("sweep", "the folder of the sweep is missing")
                    : crUsageError("sweep", "one argument too many: '%s'", argv[3]);
  }
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crSweepTable* table = NULL;
  int code = CR_EXIT_MODEL;
  if (crReadSweepTable(argv[1], NULL, &sink, &table) == cr_ok) {
    code = isPlot ? runPlot(table, argc, argv, &sink)
                  : findVerb(argv[0])->run(table, argv[1], argc > 2 ? argv[2] : NULL, &sink);
  }
  crPrintLog(log, cr_severityWarning);
  crDestroySweepTable(table);
  crDestroyErrorLog(log);
  return code;
}
