// carom run: simulates a model, records it, and says how it went.
#include "run.h"

#include "base/sha256.h"
#include "base/text.h"
#include "result.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CR_LARGEST_SOURCE (1 << 20) // [bytes] longer models are not kept with their results

#define CR_JSON_STYLE (JSON_INDENT(2) | JSON_REAL_PRECISION(15)) // 1e-7 stays 1e-7

enum { CR_EXIT_FAILED = 3 };

static volatile sig_atomic_t wasInterrupted;

static void onInterrupt(int signal)
{
  (void)signal;
  wasInterrupted = 1;
}

// One run with what it needs. The writer is NULL for all but the last of several tolerances.
typedef struct Run {
  const crRunArguments* arguments;
  crSimulationOptions options;
  const crLoaded* loaded;
  crSimulation* simulation;
  crRecorder* recorder;
  crResultWriter* writer;
  crProgress progress;
  crRunEnd end;
  double* endState;                                           // (stateCount) for the table of convergence
  char sourceHash[CR_SHA256_TEXT], sceneHash[CR_SHA256_TEXT]; // "": unknown
  double* inputs;                                             // (crModel_CountInputs) NULL: as the model says
} Run;

// ------------------------------------------------------------------------------------------ folder

// "path/model.lua" -> "model"
static void nameModel(const char* path, char* buffer, size_t size)
{
  const char* slash = strrchr(path, '/');
  const char* name = slash != NULL ? slash + 1 : path;
  const char* dot = strrchr(name, '.');
  int length = dot != NULL && dot > name ? (int)(dot - name) : (int)strlen(name);
  snprintf(buffer, size, "%.*s", length, name);
}

static bool makeFolder(const char* folder)
{
  if (mkdir(folder, 0777) == 0 || errno == EEXIST) {
    return true;
  }
  fprintf(stderr, "carom: cannot make the folder '%s': %s\n", folder, strerror(errno));
  return false;
}

// ------------------------------------------------------------------------------------------- text

typedef struct Text {
  char* bytes;
  size_t size;
  bool hasFailed;
} Text;

static void collect(void* context, const char* bytes, size_t size)
{
  Text* text = context;
  char* grown = text->hasFailed ? NULL : realloc(text->bytes, text->size + size + 1);
  if (grown == NULL) {
    text->hasFailed = true;
    return;
  }
  memcpy(grown + text->size, bytes, size);
  text->bytes = grown;
  text->size += size;
  grown[text->size] = '\0';
}

// ---------------------------------------------------------------------------------------- callbacks

static crStatus recordContacts(Run* run)
{
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  crStatus status = cr_ok;
  for (int i = 0; contacts != NULL && status == cr_ok && i < crContacts_Count(contacts); ++i) {
    crContactInfo info = crContacts_Get(contacts, i);
    crContactSample sample = crDescribeContact(&info);
    status = crResultWriter_AddContactSample(run->writer, &sample);
  }
  return status;
}

static crStatus record(void* context, double t, const crInstance* instance)
{
  Run* run = context;
  crProgress_Show(&run->progress, t);
  if (run->writer == NULL) {
    return cr_ok;
  }
  crStatus status = crResultWriter_AddPosedRow(run->writer, t, crRecorder_Read(run->recorder, instance),
                                               crRecorder_ReadPoses(run->recorder, instance));
  return status == cr_ok ? recordContacts(run) : status;
}

static crStatus recordEvent(void* context, const crContactEvent* event)
{
  Run* run = context;
  if (run->writer == NULL) {
    return cr_ok;
  }
  crContactRecord contact = crDescribeContactEvent(event);
  return crResultWriter_AddContact(run->writer, &contact);
}

static bool shouldStop(void* context, double t)
{
  Run* run = context;
  crProgress_Show(&run->progress, t);
  return wasInterrupted != 0;
}

// ----------------------------------------------------------------------------------------- summary

static const char* describeEnd(crRunEnd end)
{
  static const char* const texts[] = { "ok", "interrupted", "failed" };
  return texts[end];
}

static double totalEnergy(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

// What drives, dampers and contacts do not account for: errors of the integration.
static double unexplainedEnergy(const crSimulationSummary* s)
{
  return totalEnergy(s->endEnergy) - totalEnergy(s->startEnergy) - s->work + s->dissipated;
}

// JSON has no infinity, which energies can reach before a run fails.
static json_t* describeNumber(double number)
{
  return isfinite(number) ? json_real(number) : json_null();
}

// Values of the declared inputs, as they were at the end.
static json_t* describeInputs(const Run* run)
{
  json_t* inputs = json_object();
  crPort port;
  for (int i = 0; crModel_GetInput(run->loaded->model, i, &port); ++i) {
    json_object_set_new(inputs, port.path,
                        json_real(crInstance_GetInput(crSimulation_GetInstance(run->simulation), i)));
  }
  return inputs;
}

static json_t* describeSummary(const Run* run)
{
  crSimulationSummary s = crSimulation_GetSummary(run->simulation);
  const crSolverStatistics* n = &s.solverStatistics;
  bool isChosen = s.solver != cr_solverAuto;
  json_t* methods = json_pack("{s:I, s:I, s:I, s:I}", "dopri5", (json_int_t)s.methodSteps.dopri5, "dop853",
                              (json_int_t)s.methodSteps.dop853, "radau5", (json_int_t)s.methodSteps.radau5, "rkc2",
                              (json_int_t)s.methodSteps.rkc2);
  json_t* solver = json_pack(
      "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "name", isChosen ? crGetSolverInfo(s.solver)->name : "auto",
      "reason", isChosen ? "as asked for" : "chosen step by step", "steps", (json_int_t)n->steps, "rejectedSteps",
      (json_int_t)n->rejectedSteps, "evaluations", (json_int_t)n->evaluations, "jacobians", (json_int_t)n->jacobians,
      "factorizations", (json_int_t)n->factorizations, "restarts", (json_int_t)n->restarts, "methodSteps", methods);
  json_t* islands = s.islandReason != NULL
                        ? json_pack("{s:b, s:s}", "used", 0, "reason", s.islandReason)
                        : json_pack("{s:b, s:I, s:I, s:I, s:I}", "used", 1, "count", (json_int_t)s.islandCount,
                                    "merged", (json_int_t)s.mergeCount, "parted", (json_int_t)s.splitCount, "distances",
                                    (json_int_t)s.distanceCount);
  json_t* energy = json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "startKinetic", describeNumber(s.startEnergy.kinetic),
      "startPotential", describeNumber(s.startEnergy.potential), "startElastic", describeNumber(s.startEnergy.elastic),
      "endKinetic", describeNumber(s.endEnergy.kinetic), "endPotential", describeNumber(s.endEnergy.potential),
      "endElastic", describeNumber(s.endEnergy.elastic), "work", describeNumber(s.work), "dissipated",
      describeNumber(s.dissipated), "unexplained", describeNumber(unexplainedEnergy(&s)));
  json_t* options = json_pack("{s:f, s:f, s:f, s:f}", "start", run->options.startTime, "stop", run->options.stopTime,
                              "interval", run->options.interval, "tolerance", s.tolerance);
  json_t* contacts = json_pack("{s:I, s:I, s:I}", "began", (json_int_t)s.contactCount, "events",
                               (json_int_t)s.eventCount, "searches", (json_int_t)s.searchedSteps);
  return json_pack("{s:s, s:s, s:s, s:f, s:i, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "carom", crVersion(), "model",
                   run->arguments->model.files[0], "exit", describeEnd(run->end), "time", s.time, "outputs",
                   s.outputCount, "cpuSeconds", s.cpuSeconds, "wallSeconds", s.wallSeconds, "options", options,
                   "solver", solver, "energy", energy, "contacts", contacts, "islands", islands);
}

static json_t* describeSettings(const Run* run)
{
  json_t* settings = json_object();
  for (int i = 0; i < run->arguments->model.settingCount; ++i) {
    const crSetting* setting = &run->arguments->model.settings[i];
    json_object_set_new(settings, setting->name, json_string(setting->value));
  }
  return settings;
}

static json_t* describePatterns(const Run* run)
{
  json_t* patterns = json_array();
  for (int i = 0; i < run->arguments->patternCount; ++i) {
    json_array_append_new(patterns, json_string(run->arguments->patterns[i]));
  }
  return patterns;
}

static json_t* describeHash(const char* hash)
{
  return hash[0] != '\0' ? json_string(hash) : json_null();
}

// The summary, and what makes the run anew: all options, and the hashes of the model's file and of its scene as JSON.
static json_t* describeRun(const Run* run)
{
  const crSimulationOptions* o = &run->options;
  json_t* root = describeSummary(run);
  json_t* options = json_object_get(root, "options");
  bool isChosen = o->solver != cr_solverAuto;
  json_object_set_new(options, "absoluteTolerance",
                      o->absoluteTolerance > 0.0 ? json_real(o->absoluteTolerance) : json_null());
  json_object_set_new(options, "maxStep", describeNumber(o->maxStep));
  json_object_set_new(options, "solver", json_string(isChosen ? crGetSolverInfo(o->solver)->name : "auto"));
  json_object_set_new(options, "contact", json_boolean(!o->ignoresContact));
  json_object_set_new(options, "islands", json_boolean(o->islands == cr_islandsOn));
  json_object_set_new(options, "threads", json_integer(o->threads > 0 ? o->threads : 1));
  json_object_set_new(options, "set", describeSettings(run));
  json_object_set_new(options, "record", describePatterns(run));
  json_object_set_new(options, "inputs", describeInputs(run));
  json_object_set_new(
      root, "sha256",
      json_pack("{s:o, s:o}", "model", describeHash(run->sourceHash), "scene", describeHash(run->sceneHash)));
  return root;
}

static void printEnergy(const crSimulationSummary* s)
{
  printf("  energy   %.9g J at the start, %.9g J at the end (kinetic %.6g, potential %.6g", totalEnergy(s->startEnergy),
         totalEnergy(s->endEnergy), s->endEnergy.kinetic, s->endEnergy.potential);
  printf(s->endEnergy.elastic != 0.0 ? ", elastic %.6g)\n" : ")\n", s->endEnergy.elastic);
  printf("           work %.9g J, dissipated %.9g J; unexplained %.3g J\n", s->work, s->dissipated,
         unexplainedEnergy(s));
}

// What was asked for; and what was chosen, as far as it took steps.
static void printMethods(const crSimulationSummary* s)
{
  const crMethodSteps* n = &s->methodSteps;
  const int64_t steps[] = { n->dopri5, n->dop853, n->radau5, n->rkc2 };
  const char* const names[] = { "dopri5", "dop853", "radau5", "rkc2" };
  const char* separator = " (";
  printf("%s", s->solver != cr_solverAuto ? crGetSolverInfo(s->solver)->name : "auto");
  for (int i = 0; i < 4 && s->solver == cr_solverAuto; ++i) {
    if (steps[i] > 0) {
      printf("%s%s %.0f %%", separator, names[i], 100.0 * (double)steps[i] / (double)s->solverStatistics.steps);
      separator = ", ";
    }
  }
  printf("%s", strcmp(separator, ", ") == 0 ? ")" : "");
}

static void printSummary(const Run* run, const char* folder, bool hasReport)
{
  crSimulationSummary s = crSimulation_GetSummary(run->simulation);
  const crSolverStatistics* n = &s.solverStatistics;
  printf("%s%s%s at %.6g s, CPU time %.4g s", crStyleOn(stdout, cr_styleBold),
         run->end == cr_runComplete  ? "Done"
         : run->end == cr_runStopped ? "Interrupted"
                                     : "Failed",
         crStyleOff(stdout), s.time, s.cpuSeconds);
  if (s.cpuSeconds > 0.0) {
    printf(" (%.4g x real time)", (s.time - run->options.startTime) / s.cpuSeconds);
  }
  putchar('\n');
  printf("  solver   ");
  printMethods(&s);
  printf(", tolerance %g", s.tolerance);
  if (s.islandReason == NULL) {
    printf("; islands: %lld on their own clocks, %lld merged, %lld parted", (long long)s.islandCount,
           (long long)s.mergeCount, (long long)s.splitCount);
  }
  putchar('\n');
  printf("  steps    %lld, %lld rejected; %lld evaluations, %lld Jacobians\n", (long long)n->steps,
         (long long)n->rejectedSteps, (long long)n->evaluations, (long long)n->jacobians);
  if (s.eventCount > 0 || s.contactCount > 0) {
    printf("  contacts %lld began; %lld events; %lld distances, %lld searches\n", (long long)s.contactCount,
           (long long)s.eventCount, (long long)s.distanceCount, (long long)s.searchedSteps);
  }
  printEnergy(&s);
  if (folder != NULL) {
    printf("  results  %s/result.h5: %d rows of %d variables\n", folder, s.outputCount,
           crRecorder_CountColumns(run->recorder));
  }
  if (hasReport) {
    printf("  report   %s/report.html\n", folder);
  }
}

// --------------------------------------------------------------------------------------------- run

static bool writeRunJson(const Run* run, const char* folder)
{
  char path[4096];
  json_t* root = describeRun(run);
  snprintf(path, sizeof path, "%s/run.json", folder);
  bool isWritten = root != NULL && json_dump_file(root, path, CR_JSON_STYLE) == 0;
  if (!isWritten) {
    fprintf(stderr, "carom: cannot write '%s': %s\n", path, strerror(errno));
  }
  json_decref(root);
  return isWritten;
}

// The model as it was written, to be shown with its results; NULL: it cannot be read again, or is no UTF-8.
static char* readSource(const char* path)
{
  FILE* file = fopen(path, "r");
  Text text = { NULL, 0, false };
  char buffer[4096];
  size_t size;
  while (file != NULL && text.size <= CR_LARGEST_SOURCE && (size = fread(buffer, 1, sizeof buffer, file)) > 0) {
    collect(&text, buffer, size);
  }
  bool isWhole = file != NULL && !text.hasFailed && text.size <= CR_LARGEST_SOURCE && text.bytes != NULL &&
                 crIsUtf8(text.bytes, text.size);
  if (file != NULL) {
    (void)fclose(file);
  }
  if (!isWhole) {
    free(text.bytes);
    return NULL;
  }
  return text.bytes;
}

static void hashText(const Text* text, char outHash[CR_SHA256_TEXT])
{
  crSha256 hash;
  crSha256_Init(&hash);
  crSha256_Add(&hash, text->bytes, text->size);
  crSha256_Finish(&hash, outHash);
}

// As sha256sum does it; a file that cannot be read again has none.
static void hashFile(const char* path, char outHash[CR_SHA256_TEXT])
{
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    return;
  }
  char buffer[4096];
  size_t size;
  crSha256 hash;
  crSha256_Init(&hash);
  while ((size = fread(buffer, 1, sizeof buffer, file)) > 0) {
    crSha256_Add(&hash, buffer, size);
  }
  if (!ferror(file)) {
    crSha256_Finish(&hash, outHash);
  }
  (void)fclose(file);
}

static crStatus openResult(Run* run, const char* folder)
{
  char path[4096], name[1024];
  nameModel(run->arguments->model.files[0], name, sizeof name);
  hashFile(run->arguments->model.files[0], run->sourceHash);
  char* source = readSource(run->arguments->model.files[0]);
  int meshCount = crScene_ListMeshes(run->loaded->scene, NULL, 0);
  crMeshFile* meshes = calloc((size_t)meshCount + 1, sizeof *meshes);
  Text scene = { NULL, 0, false };
  meshCount = meshes != NULL ? crScene_ListMeshes(run->loaded->scene, meshes, meshCount) : 0;
  crStatus status = crWriteJson(run->loaded->scene, NULL, &run->loaded->sink, (crTextWriter){ collect, &scene });
  if (status == cr_ok) {
    hashText(&scene, run->sceneHash);
    snprintf(path, sizeof path, "%s/result.h5", folder);
    double intervals = (run->options.stopTime - run->options.startTime) / run->options.interval;
    crResultDef def = { .path = path,
                        .columns = crRecorder_GetColumns(run->recorder),
                        .columnCount = crRecorder_CountColumns(run->recorder),
                        .modelName = name,
                        .sceneJson = scene.bytes,
                        .expectedRows = intervals < 1e6 ? (int)intervals + 2 : 0,
                        .sourceText = source,
                        .objects = crRecorder_GetObjects(run->recorder),
                        .objectCount = crRecorder_CountObjects(run->recorder),
                        .bodies = crRecorder_GetBodies(run->recorder),
                        .bodyCount = crRecorder_CountBodies(run->recorder),
                        .meshes = meshes,
                        .meshCount = meshCount };
    status = crCreateResult(&def, NULL, &run->loaded->sink, &run->writer);
  }
  free(meshes);
  free(source);
  free(scene.bytes);
  return status;
}

static crStatus closeResult(Run* run)
{
  json_t* root = describeRun(run);
  char* text = root != NULL ? json_dumps(root, CR_JSON_STYLE) : NULL;
  crStatus status = crResultWriter_Close(run->writer, run->end == cr_runComplete, describeEnd(run->end), text);
  run->writer = NULL;
  free(text);
  json_decref(root);
  return status;
}

// A run is not worse for a report that cannot be written: that is a warning.
static bool writeReport(const char* folder)
{
  char resultPath[4096], reportPath[4096];
  snprintf(resultPath, sizeof resultPath, "%s/result.h5", folder);
  snprintf(reportPath, sizeof reportPath, "%s/report.html", folder);
  return crReportResult(resultPath, reportPath, true) == CR_EXIT_OK;
}

// Runs once; with a folder it records.
static crStatus simulate(Run* run, const char* folder)
{
  const crErrorSink* sink = &run->loaded->sink;
  crStatus status = crCreateSimulation(run->loaded->model, &run->options, NULL, sink, &run->simulation);
  if (status == cr_ok) {
    status = crCreateRecorder(run->loaded->model, run->arguments->patterns, run->arguments->patternCount, NULL, sink,
                              &run->recorder);
  }
  if (status == cr_ok && folder != NULL) {
    status = openResult(run, folder);
  }
  if (status != cr_ok) {
    return status;
  }
  crProgress_Begin(&run->progress, run->options.startTime, run->options.stopTime, run->arguments->isQuiet);
  crObserver observer = { .context = run, .atOutput = record, .shouldStop = shouldStop, .atContact = recordEvent };
  status = crSimulation_Run(run->simulation, &observer, &run->end);
  crProgress_End(&run->progress);
  if (run->writer != NULL) {
    crStatus closed = closeResult(run);
    status = status == cr_ok ? closed : status;
  }
  return status;
}

static void freeRun(Run* run)
{
  crDestroyRecorder(run->recorder);
  crDestroySimulation(run->simulation);
  free(run->endState);
}

static int exitCode(const Run* run, crStatus status)
{
  if (status != cr_ok) {
    return run->simulation != NULL && run->end == cr_runFailed ? CR_EXIT_FAILED : CR_EXIT_MODEL;
  }
  return run->end == cr_runStopped ? CR_EXIT_INTERRUPTED : CR_EXIT_OK;
}

static int runOnce(Run* run)
{
  char name[1024], folder[1028];
  nameModel(run->arguments->model.files[0], name, sizeof name);
  snprintf(folder, sizeof folder, "%s.run", name);
  const char* chosen = run->arguments->folder != NULL ? run->arguments->folder : folder;
  if (!makeFolder(chosen)) {
    return CR_EXIT_MODEL;
  }
  crStatus status = simulate(run, chosen);
  if (run->simulation != NULL && run->recorder != NULL) {
    status = writeRunJson(run, chosen) ? status : cr_errorFile;
    bool hasReport = run->arguments->hasReport && writeReport(chosen);
    if (run->arguments->isJson) {
      json_t* root = describeRun(run);
      json_dumpf(root, stdout, CR_JSON_STYLE);
      printf("\n");
      json_decref(root);
    } else if (!run->arguments->isQuiet) {
      printSummary(run, chosen, hasReport);
    }
  }
  return exitCode(run, status);
}

// ------------------------------------------------------------------------------------- convergence

static bool keepEndState(Run* run)
{
  crInstance* instance = crSimulation_GetInstance(run->simulation);
  crTreeSet all = crModel_GetAllTrees(run->loaded->model);
  run->endState = calloc((size_t)crModel_CountStates(run->loaded->model, all) + 1, sizeof(double));
  if (run->endState != NULL) {
    crInstance_GetState(instance, all, run->endState);
  }
  return run->endState != NULL;
}

static double largestDifference(const double* a, const double* b, int count)
{
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    largest = fmax(largest, fabs(a[i] - b[i]));
  }
  return largest;
}

// The runs from loose to tight, each against the tightest.
static void printConvergence(const Run* runs, int count)
{
  int tightest = 0;
  for (int i = 1; i < count; ++i) {
    tightest = runs[i].options.tolerance < runs[tightest].options.tolerance ? i : tightest;
  }
  crTreeSet all = crModel_GetAllTrees(runs[0].loaded->model);
  int stateCount = crModel_CountStates(runs[0].loaded->model, all);
  printf("%12s %12s %10s %12s %26s\n", "tolerance", "CPU [ms]", "steps", "evaluations", "difference at the end");
  for (int i = 0; i < count; ++i) {
    crSimulationSummary s = crSimulation_GetSummary(runs[i].simulation);
    printf("%12.3g %12.4g %10lld %12lld ", runs[i].options.tolerance, 1e3 * s.cpuSeconds,
           (long long)s.solverStatistics.steps, (long long)s.solverStatistics.evaluations);
    if (i == tightest) {
      printf("%26s\n", "(reference)");
    } else {
      printf("%26.3g\n", largestDifference(runs[i].endState, runs[tightest].endState, stateCount));
    }
  }
}

static int runAll(const Run* first)
{
  Run runs[CR_MAX_TOLERANCES];
  int count = first->arguments->toleranceCount, done = 0, code = CR_EXIT_OK;
  for (; done < count && code == CR_EXIT_OK; ++done) {
    runs[done] = *first;
    runs[done].options.tolerance = first->arguments->tolerances[done];
    crStatus status = simulate(&runs[done], NULL);
    code = exitCode(&runs[done], status);
    if (code == CR_EXIT_OK && !keepEndState(&runs[done])) {
      code = CR_EXIT_MODEL;
    }
  }
  if (code == CR_EXIT_OK) {
    printConvergence(runs, count);
  }
  for (int i = 0; i < done; ++i) {
    freeRun(&runs[i]);
  }
  return code;
}

// -------------------------------------------------------------------------------------------- verb

// The command line comes before the model, the model before the defaults.
static void chooseOptions(Run* run)
{
  crSimulationOptions asked = run->arguments->options;
  asked.tolerance = run->arguments->tolerances[0]; // 0: none is given
  run->options = crModel_ChooseOptions(run->loaded->model, &asked);
}

static int complainInput(const crModel* model, const char* name)
{
  crPort port;
  char known[512] = "";
  for (int i = 0; crModel_GetInput(model, i, &port); ++i) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", port.path);
  }
  return crUsageError("run", "the model has no input '%s': %s", name, known[0] != '\0' ? known : "it declares none");
}

// Those given on the command line, the others NaN.
static bool chooseInputs(Run* run, int* outExit)
{
  const crRunArguments* arguments = run->arguments;
  const crModel* model = run->loaded->model;
  int count = crModel_CountInputs(model);
  double* inputs = arguments->inputCount > 0 ? malloc(((size_t)count + 1) * sizeof *inputs) : NULL;
  for (int i = 0; inputs != NULL && i < count; ++i) {
    inputs[i] = NAN;
  }
  run->options.inputs = run->inputs = inputs;
  for (int i = 0; inputs != NULL && i < arguments->inputCount; ++i) {
    int input = crModel_FindInput(model, arguments->inputs[i].name);
    if (input < 0) {
      *outExit = complainInput(model, arguments->inputs[i].name);
      return false;
    }
    inputs[input] = strtod(arguments->inputs[i].value, NULL);
  }
  return true;
}

static int runChosen(Run* run)
{
  const crRunArguments* arguments = run->arguments;
  const crLoaded* loaded = run->loaded;
  struct sigaction action = { .sa_handler = onInterrupt };
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (arguments->toleranceCount > 1) {
    return runAll(run);
  }
  if (!arguments->isQuiet && !arguments->isJson) {
    crModelSize size = crModel_GetSize(loaded->model);
    crPrintName(stdout, arguments->model.files[0]);
    printf(": %d bodies, %d joints, %d states\n", size.bodyCount - 1, size.jointCount, size.stateCount);
    (void)fflush(stdout); // main looks for errors
  }
  int code = runOnce(run);
  freeRun(run);
  return code;
}

static int runLoaded(const crRunArguments* arguments, const crLoaded* loaded)
{
  Run run = { .arguments = arguments, .loaded = loaded };
  int code = CR_EXIT_OK;
  chooseOptions(&run);
  code = chooseInputs(&run, &code) ? runChosen(&run) : code;
  free(run.inputs);
  return code;
}

static int runVerb(int argc, char** argv)
{
  crRunArguments arguments;
  int code;
  if (!crParseRunArguments(argc, argv, &arguments, &code)) {
    return code;
  }
  crLoaded loaded;
  crLoad(&arguments.model, &loaded);
  code = loaded.model != NULL ? runLoaded(&arguments, &loaded) : CR_EXIT_MODEL;
  crPrintLog(loaded.log, cr_severityWarning);
  crUnload(&loaded);
  crFreeArguments(&arguments.model);
  return code;
}

const crVerb crRunVerb = {
  .name = "run",
  .summary = "simulate a model and record what happens",
  .help = "usage: carom run MODEL [options]\n"
          "\n"
          "Simulates a model and writes a folder (MODEL.run) with report.html, which any browser\n"
          "shows, result.h5, which `carom info`, `carom plot`, `carom view` and `carom convert`\n"
          "read, and run.json with options and statistics.\n"
          "\n"
          "  --stop T           stop time [s]; else the model's, else 10\n"
          "  --interval DT      of output points [s]; else the model's, else 500 of them\n"
          "  --tol TOL[,TOL...] relative tolerance; else the model's, else 1e-6,\n"
          "                     1e-8 with contact. With several of\n"
          "                     them each is run, nothing is recorded, and a table shows how the\n"
          "                     result converges\n"
          "  --atol ATOL        absolute tolerance for nominal values of 1; else TOL/100\n"
          "  --solver NAME      auto, dopri5, dop853, radau5; with SUNDIALS ida, cvode-bdf too\n"
          "  --max-step H       largest step [s]\n"
          "  --no-contact       let bodies pass through each other\n"
          "  --islands on|off   on: what touches nothing else has a clock and steps of its own,\n"
          "                     where something can touch (default); off: one step for all.\n"
          "                     ida and cvode-bdf always take one step for all\n"
          "  --threads N        that take steps of islands (1); the result does not depend on it\n"
          "  --record PATTERN   record variables that match, e.g. 'arm.*.angle' (repeatable)\n"
          "  --out DIR          folder of the results\n"
          "  --no-report        do not write report.html\n"
          "  --input NAME=VALUE hold a declared input of the model at a value (repeatable)\n"
          "  --set NAME=VALUE   override a parameter of the model (repeatable)\n"
          "  --quiet            no progress and no summary\n"
          "  --json             print the summary as JSON\n"
          "\n"
          "Exit codes: 0 ok, 1 the model has errors, 2 wrong usage, 3 the simulation failed (what\n"
          "was recorded is kept), 130 interrupted (likewise).\n"
          "\n"
          "example: carom run examples/pendulum.lua --stop 5 --tol 1e-8\n",
  .run = runVerb,
};
