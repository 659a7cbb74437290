// A run into a folder: result.h5 while it goes on, then run.json and report.html. Or into memory, and no folder.
#include "base/absent.h"
#include "base/file.h"
#include "base/platform.h"
#include "base/report.h"
#include "carom/report.h"
#include "result/peek.h"
#include "show/checkpointer.h"
#include "show/play.h"
#include "show/record_pair.h"
#include "show/run_about.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct Run {
  const crRunDef* def;
  const crRunOrigin* origin; // NULL: a new run
  crAllocator allocator;
  crErrorSink sink;
  const crModel* model;
  crSimulation* simulation;
  crRunAbout about;
  crResultFile file;
  bool isFolderless;      // nothing is written
  crResultMemory* memory; // of a run without a folder; NULL: rows are counted, and forgotten
  crResult* result;       // of a run into a folder where there are no result files; else NULL
  crCheckpointer checkpointer;
  char modelPath[CR_PATH_SIZE], statePath[CR_PATH_SIZE]; // absolute, for checkpoints; "": none
  int lock;                                              // of the folder; -1: the caller has it
  crBytes json;                                          // for the result, then for run.json; with a zero
  crRunFacts facts;
} Run;

#define CR_RUN_PATH_SIZE (CR_RUN_FOLDER_SIZE + 32) // [bytes] of a file in the folder

static void namePart(const Run* run, const char* part, char outPath[CR_RUN_PATH_SIZE])
{
  snprintf(outPath, CR_RUN_PATH_SIZE, "%s/%s", run->facts.folder, part);
}

// ------------------------------------------------------------------------------------------ folder

static crStatus makeFolder(Run* run)
{
  char name[CR_MODEL_NAME_SIZE + 8];
  snprintf(name, sizeof name, "%s.run", run->about.name);
  const char* folder = run->def->folder != NULL ? run->def->folder : name;
  if (strlen(folder) >= CR_RUN_FOLDER_SIZE) {
    return crReportFile(&run->sink, folder, "the folder of a run has too long a name", 0);
  }
  snprintf(run->facts.folder, sizeof run->facts.folder, "%s", folder);
  return crMakeFolder(folder, "the folder of the run cannot be made", &run->sink);
}

// --------------------------------------------------------------------------------------- checkpoints

// A path that means the same in any folder. "" for NULL.
static crStatus makeAbsolute(Run* run, const char* path, char outPath[CR_PATH_SIZE])
{
  char folder[CR_PATH_SIZE] = "";
  outPath[0] = '\0';
  if (path == NULL) {
    return cr_ok;
  }
  bool isRelative = path[0] != '/';
  if (isRelative && getcwd(folder, sizeof folder) == NULL) {
    return crReportFile(&run->sink, path, "the current folder cannot be found", errno);
  }
  int length = snprintf(outPath, CR_PATH_SIZE, "%s%s%s", folder, isRelative ? "/" : "", path);
  return length < CR_PATH_SIZE ? cr_ok : crReportFile(&run->sink, path, "the path is too long", 0);
}

// What checkpoints carry along, beside the place in the result.
static crStatus noteRun(Run* run)
{
  const crRunDef* def = run->def;
  const crRunOrigin* origin = run->origin;
  crStatus status = makeAbsolute(run, origin != NULL ? origin->modelPath : def->file, run->modelPath);
  status = status == cr_ok ? makeAbsolute(run, def->stateFile, run->statePath) : status;
  run->checkpointer.note = (crRunNote){ .modelFile = def->file != NULL ? def->file : "",
                                        .modelPath = def->file != NULL ? run->modelPath : "",
                                        .sourceHash = run->about.sourceHash,
                                        .sceneHash = run->about.sceneHash,
                                        .stateFile = run->statePath,
                                        .checkpointSeconds = def->checkpointSeconds,
                                        .settings = def->settings,
                                        .settingCount = def->settingCount,
                                        .patterns = def->patterns,
                                        .patternCount = def->patternCount,
                                        .hasReport = origin != NULL ? origin->hasReport : !def->omitsReport,
                                        .isInteractive = def->isInteractive };
  return status;
}

// A new run takes the folder for itself. Checkpoints there belong to the result that it is about to replace.
static crStatus beginCheckpoints(Run* run)
{
  crCheckpointer* checkpointer = &run->checkpointer;
  checkpointer->allocator = &run->allocator;
  checkpointer->sink = &run->sink;
  crStatus status = noteRun(run);
  if (status == cr_ok && run->origin != NULL) {
    checkpointer->pair = run->origin->pair;
  } else if (status == cr_ok) {
    status = crCheckpointPair_Init(&checkpointer->pair, run->facts.folder, &run->sink);
    run->lock = status == cr_ok ? crLockRunFolder(run->facts.folder, &run->sink) : -1;
    status = status == cr_ok && run->lock < 0 ? cr_errorFile : status;
    if (status == cr_ok) {
      crRemoveLeftovers(run->facts.folder);
      crCheckpointPair_Remove(&checkpointer->pair);
    }
  }
  crCheckpointer_Begin(checkpointer, status == cr_ok ? run->def->checkpointSeconds : 0.0);
  return status;
}

// Nobody goes on with a run that has come to its end.
static void endCheckpoints(Run* run, crStatus status)
{
  if (status == cr_ok && run->facts.end == cr_runComplete) {
    crCheckpointPair_Remove(&run->checkpointer.pair);
  }
  run->facts.canResume = run->facts.hasRun && crCheckpointPair_Exists(&run->checkpointer.pair);
  if (run->lock >= 0) {
    close(run->lock);
  }
}

// ------------------------------------------------------------------------------------------ callbacks

static crStatus atOutput(void* context, double t)
{
  Run* run = context;
  crRunPoint point = { t, run->simulation, run->file.writer };
  crStatus status = cr_ok;
  if (!run->isFolderless) {
    status = crCheckpointer_AtOutput(&run->checkpointer, run->simulation, run->file.writer);
  }
  return status == cr_ok && run->def->atOutput != NULL ? run->def->atOutput(run->def->context, &point) : status;
}

static bool shouldStop(void* context, double t)
{
  const crRunDef* def = ((Run*)context)->def;
  return def->shouldStop != NULL && def->shouldStop(def->context, t);
}

static const char* writeJson(Run* run, crRunEnd end, bool isWhole)
{
  crTextWriter writer = { crBytes_Write, &run->json };
  run->json.size = 0;
  run->about.columnCount = run->facts.columnCount;
  crWriteRunJson(&run->about, run->def, run->simulation, end, isWhole, writer);
  crBytes_Add(&run->json, "", 1);
  return run->json.hasFailed ? NULL : (const char*)run->json.items;
}

static const char* describe(void* context, crRunEnd end)
{
  Run* run = context;
  run->facts.hasRun = true;
  run->facts.columnCount = run->file.columnCount;
  return writeJson(run, end, false);
}

// --------------------------------------------------------------------------------------------- run

static crStatus record(Run* run, const crRecordSink* sink)
{
  const crRunDef* def = run->def;
  crRecordOptions options = { .size = sizeof options,
                              .patterns = def->patterns,
                              .patternCount = def->patternCount,
                              .modelName = run->about.name,
                              .sceneJson = (const char*)run->about.scene.items,
                              .sourceText = run->about.source,
                              .meshes = run->about.meshes,
                              .meshCount = run->about.meshCount,
                              .context = run,
                              .shouldStop = shouldStop,
                              .atOutput = atOutput,
                              .describe = describe };
  crRecordPair pair = { sink, def->follower, false };
  crRecordSink both = crRecordPair_GetSink(&pair);
  crStatus status = crSimulation_Record(run->simulation, &options, &both, &run->facts.end);
  run->facts.variableCount =
      crModel_GetSize(crInstance_GetModel(crSimulation_GetInstance(run->simulation))).variableCount;
  run->facts.summary = crSimulation_GetSummary(run->simulation);
  run->facts.options = crSimulation_GetOptions(run->simulation);
  crSimulation_DescribeCreep(run->simulation, run->facts.creep, sizeof run->facts.creep);
  return status;
}

// A result in memory is described before it can be asked for its columns.
static void countColumns(Run* run)
{
  crRecorder* recorder = NULL;
  (void)crCreateRecorder(run->model, run->def->patterns, run->def->patternCount, &run->allocator, NULL, &recorder);
  run->file.columnCount = crRecorder_CountColumns(recorder);
  crDestroyRecorder(recorder);
}

// Where there are no result files: rows are kept in memory, and written as a table.
static crStatus recordTable(Run* run)
{
  char path[CR_RUN_PATH_SIZE];
  namePart(run, "result.csv", path);
  crResultMemory* memory = crCreateResultMemory(&run->allocator);
  if (memory == NULL) {
    return cr_errorMemory;
  }
  crRecordSink sink = crResultMemory_GetSink(memory);
  countColumns(run);
  crStatus status = record(run, &sink);
  run->result = crResultMemory_Take(memory);
  crDestroyResultMemory(memory);
  if (run->result != NULL) {
    crStatus written = crWriteCsv(run->result, path, &run->allocator, &run->sink);
    status = status == cr_ok ? written : status;
    run->facts.rowCount = crResult_CountRows(run->result);
  }
  return status;
}

static crStatus recordFile(Run* run)
{
  if (!crHasResultFiles()) {
    return recordTable(run);
  }
  char path[CR_RUN_PATH_SIZE];
  namePart(run, "result.h5", path);
  run->file = (crResultFile){ .path = path,
                              .place = run->origin != NULL ? run->origin->place : NULL,
                              .allocator = &run->allocator,
                              .sink = &run->sink };
  crRecordSink sink = crResultFile_GetSink(&run->file);
  crStatus status = record(run, &sink);
  if (status != cr_ok && run->facts.end == cr_runComplete) { // the last rows did not reach the file
    run->facts.end = cr_runFailed;
  }
  run->facts.columnCount = run->file.columnCount;
  run->facts.rowCount = run->file.rowCount;
  return status;
}

// A text of which the zero at its end is not written.
static crStatus writeText(Run* run, const char* part, const crBytes* text)
{
  char path[CR_RUN_PATH_SIZE];
  namePart(run, part, path);
  crOutputFile* file = NULL;
  crStatus status = crOpenOutputFile(path, &run->allocator, &run->sink, &file);
  if (status == cr_ok) {
    crOutputFile_Write(file, text->items, text->size - 1);
    status = crCloseOutputFile(file, true, &run->sink);
  }
  return status;
}

static void tellReport(Run* run, const crReportFacts* facts)
{
  crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 }, "report");
  char message[640];
  if (facts->every > 1) {
    snprintf(message, sizeof message, "the report has 1 row in %d, to keep it below 20 MB; %s has all", facts->every,
             crHasResultFiles() ? "result.h5" : "result.csv");
    crReport(&reporter, cr_severityWarning, cr_ok, &(crComplaint){ .message = message });
  }
  if (facts->note[0] != '\0') {
    crReport(&reporter, cr_severityWarning, cr_ok, &(crComplaint){ .message = facts->note });
  }
}

// What the run was told other than the model says.
static crSimulationOptions findOverrides(const Run* run)
{
  crSimulationOptions chosen = run->facts.options, stated = crModel_ChooseOptions(run->model, NULL);
  crSimulationOptions overrides = crDefaultSimulationOptions();
  overrides.stopTime = chosen.stopTime != stated.stopTime ? chosen.stopTime : 0.0;
  overrides.interval = chosen.interval != stated.interval ? chosen.interval : 0.0;
  overrides.tolerance = chosen.tolerance != stated.tolerance ? chosen.tolerance : 0.0;
  overrides.absoluteTolerance = chosen.absoluteTolerance != stated.absoluteTolerance ? chosen.absoluteTolerance : 0.0;
  overrides.maxStep = chosen.maxStep != stated.maxStep ? chosen.maxStep : 0.0;
  overrides.solver = chosen.solver != stated.solver ? chosen.solver : cr_solverDefault;
  overrides.islands = chosen.islands != stated.islands ? chosen.islands : cr_islandsDefault;
  overrides.eventRows = chosen.eventRows != stated.eventRows ? chosen.eventRows : cr_eventRowsDefault;
  overrides.ignoresContacts = chosen.ignoresContacts;
  return overrides;
}

// With the simulator, if that is asked for and possible; else, with a warning, without.
static crStatus writeReportOf(Run* run, const crResult* result, const char* path, const crReportOptions* options,
                              const crErrorSink* warnings, crReportFacts* facts)
{
  crSimulationOptions overrides = findOverrides(run);
  crRunDef def = *run->def;
  def.file = run->origin != NULL ? run->origin->modelPath : def.file; // that of a resumed run is for people
  if (def.isInteractive && crWritePlayReport(&def, run->about.sourceHash, &overrides, result, path, options,
                                             &run->allocator, warnings, facts) == cr_ok) {
    return cr_ok;
  }
  if (def.isInteractive) {
    crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 }, "report");
    crReport(&reporter, cr_severityWarning, cr_ok,
             &(crComplaint){ .message = "the report is one without the simulator" });
  }
  return crWriteReport(result, path, options, &run->allocator, warnings, facts);
}

// Messages of a report are warnings: a run is not worse for one that cannot be written.
static bool writeReport(Run* run)
{
  char resultPath[CR_RUN_PATH_SIZE], reportPath[CR_RUN_PATH_SIZE];
  namePart(run, "result.h5", resultPath);
  namePart(run, "report.html", reportPath);
  crErrorSink warnings = crMakeWarningSink(&run->sink);
  crResult* result = run->result;
  crReportFacts facts = { .every = 1 };
  crReportOptions options = crDefaultReportOptions();
  options.runJson = run->json.hasFailed ? NULL : (const char*)run->json.items;
  crStatus status = result != NULL ? cr_ok : crReadResult(resultPath, &run->allocator, &warnings, &result);
  if (status == cr_ok) {
    status = writeReportOf(run, result, reportPath, &options, &warnings, &facts);
  }
  crDestroyResult(result);
  run->result = NULL;
  if (status == cr_ok) {
    tellReport(run, &facts);
  } else {
    const char* message = status == cr_errorMemory ? "the report could not be written: out of memory"
                                                   : "the report could not be written; `carom view` can do it later";
    crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 }, NULL);
    crReport(&reporter, cr_severityWarning, status, &(crComplaint){ .message = message });
  }
  return status == cr_ok;
}

static crStatus writeState(Run* run)
{
  if (run->def->stateFile == NULL || run->facts.end == cr_runFailed) {
    return cr_ok;
  }
  crState* state = NULL;
  crStatus status = crSimulation_GetState(run->simulation, &run->allocator, &state);
  if (status == cr_ok) {
    status = crWriteStateFile(state, run->def->stateFile, &run->allocator, &run->sink);
  }
  crDestroyState(state);
  return status;
}

static crStatus finish(Run* run)
{
  writeJson(run, run->facts.end, true);
  crStatus status = run->json.hasFailed ? cr_errorMemory : writeText(run, "run.json", &run->json);
  status = status == cr_ok ? writeState(run) : status;
  run->facts.hasReport = !run->def->omitsReport && writeReport(run);
  return status;
}

// Messages about the state from which the run starts get the file that it was read from.
static void addStateFile(void* context, const crError* error)
{
  const Run* run = context;
  crError addressed = *error;
  if (addressed.source.file == NULL && addressed.path != NULL && strcmp(addressed.path, "state") == 0) {
    addressed.source.file = run->def->startFile;
  }
  if (run->sink.report != NULL) {
    run->sink.report(run->sink.context, &addressed);
  }
}

// At the model's start, or from a state in a file.
static crStatus createSimulation(Run* run)
{
  if (run->def->startFile == NULL) {
    return crCreateSimulation(run->model, run->def->options, &run->allocator, &run->sink, &run->simulation);
  }
  crState* start = NULL;
  crStatus status = crReadStateFile(run->def->startFile, &run->allocator, &run->sink, &start);
  if (status == cr_ok) {
    crErrorSink sink = { addStateFile, run };
    crSimulationOptions options = run->def->options != NULL ? *run->def->options : crDefaultSimulationOptions();
    options.start = start;
    status = crCreateSimulation(run->model, &options, &run->allocator, &sink, &run->simulation);
  }
  crDestroyState(start);
  return status;
}

// Better told before a long run than behind it.
static crStatus checkStateFile(Run* run)
{
  const char* path = run->def->stateFile;
  crTarget target;
  crOutputFile* file;
  crStatus status = path != NULL ? crFindTarget(path, &run->sink, &target) : cr_ok;
  if (status != cr_ok || path == NULL || !target.isRegular) {
    return status;
  }
  status = crOpenOutputFile(path, &run->allocator, &run->sink, &file);
  return status == cr_ok ? crCloseOutputFile(file, false, &run->sink) : status;
}

static crStatus runInFolder(Run* run)
{
  if (!crHasResultFiles() && run->def->checkpointSeconds != 0.0) {
    return crReportAbsent(&run->sink, NULL, "this build of Carom has no HDF5, which checkpoints need", NULL);
  }
  crStatus status = checkStateFile(run);
  status = status == cr_ok ? makeFolder(run) : status;
  if (status == cr_ok && run->simulation == NULL) {
    status = createSimulation(run);
  }
  status = status == cr_ok ? beginCheckpoints(run) : status;
  status = status == cr_ok ? recordFile(run) : status;
  if (run->facts.hasRun) {
    crStatus finished = finish(run);
    status = status == cr_ok ? finished : status;
  }
  endCheckpoints(run, status);
  crDestroyResult(run->result);
  return status;
}

static crStatus countRow(void* context, const crRow* row)
{
  (void)row;
  ++((Run*)context)->facts.rowCount;
  return cr_ok;
}

static crStatus runInMemory(Run* run)
{
  crStatus status = createSimulation(run);
  crRecordSink sink =
      run->memory != NULL ? crResultMemory_GetSink(run->memory) : (crRecordSink){ .context = run, .addRow = countRow };
  if (status == cr_ok) {
    countColumns(run);
  }
  return status == cr_ok ? record(run, &sink) : status;
}

static crStatus runIn(Run* run, const crScene* scene)
{
  crStatus status = crRunAbout_Init(&run->about, run->def, run->origin, scene, &run->allocator, &run->sink);
  if (status == cr_ok) {
    status = run->isFolderless ? runInMemory(run) : runInFolder(run);
  }
  crRunAbout_Free(&run->about);
  return status;
}

// ------------------------------------------------------------------------------------------- model

static crStatus readAndRun(Run* run)
{
  const crRunDef* def = run->def;
  crReadOptions options = crDefaultReadOptions();
  options.settings = def->settings;
  options.settingCount = def->settingCount;
  crScene* scene = NULL;
  crModel* model = NULL;
  crStatus status = crReadModel(def->file, &options, &run->allocator, &run->sink, &scene);
  if (scene != NULL) { // a scene with errors is checked further
    crStatus compiled = crCompile(scene, NULL, &run->allocator, &run->sink, &model);
    status = status == cr_ok ? compiled : status;
  }
  run->model = model;
  status = status == cr_ok ? runIn(run, scene) : status;
  crDestroySimulation(run->simulation);
  crDestroyModel(model);
  crDestroyScene(scene);
  return status;
}

static crStatus runGiven(Run* run)
{
  run->model = run->def->model;
  run->simulation = run->origin != NULL ? run->origin->simulation : NULL;
  crStatus status = runIn(run, run->def->scene);
  if (run->origin == NULL) {
    crDestroySimulation(run->simulation);
  }
  return status;
}

// The runs of a page begin as the model says, and come from a file.
static bool canBePlayed(const crRunDef* def, crReporter* reporter)
{
  const crSimulationOptions* options = def->options;
  bool isOdd = def->file == NULL || def->startFile != NULL;
  isOdd = isOdd || (options != NULL && (options->start != NULL || options->inputs != NULL));
  if (isOdd) {
    crComplaint complaint = { .message = "a report with the simulator needs a model from a file, and a run from the "
                                         "model's own start with its own inputs" };
    crReport(reporter, cr_severityError, cr_errorMisuse, &complaint);
  }
  return !isOdd;
}

static bool isUsable(const crRunDef* def, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "run");
  return def != NULL && crCheckSize(&reporter, "crRunDef", def->size, sizeof *def) &&
         (def->file != NULL || def->model != NULL) && def->settingCount >= 0 && def->patternCount >= 0 &&
         def->checkpointSeconds >= 0.0 && (!def->isInteractive || canBePlayed(def, &reporter));
}

crRunDef crDefaultRunDef(const char* file)
{
  return (crRunDef){ .size = sizeof(crRunDef), .file = file };
}

static crStatus runDef(const crRunDef* def, const crRunOrigin* origin, bool isFolderless, crResultMemory* memory,
                       const crAllocator* allocator, const crErrorSink* sink, crRunFacts* outFacts)
{
  if (outFacts != NULL) {
    *outFacts = (crRunFacts){ .end = cr_runFailed };
  }
  if (!isUsable(def, sink)) {
    return cr_errorMisuse;
  }
  Run run = { .def = def,
              .origin = origin,
              .isFolderless = isFolderless,
              .memory = memory,
              .lock = -1,
              .allocator = crChooseAllocator(allocator),
              .facts = { .end = cr_runFailed } };
  run.sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  crBytes_Init(&run.json, &run.allocator);
  crStatus status = def->model != NULL ? runGiven(&run) : readAndRun(&run);
  crBytes_Free(&run.json);
  if (outFacts != NULL) {
    *outFacts = run.facts;
  }
  return status;
}

crStatus crContinueRun(const crRunDef* def, const crRunOrigin* origin, const crAllocator* allocator,
                       const crErrorSink* sink, crRunFacts* outFacts)
{
  return runDef(def, origin, false, NULL, allocator, sink, outFacts);
}

crStatus crRunInMemory(const crRunDef* def, const crAllocator* allocator, const crErrorSink* sink, crResult** outResult,
                       crRunFacts* outFacts)
{
  if (outResult == NULL) {
    return runDef(def, NULL, true, NULL, allocator, sink, outFacts);
  }
  *outResult = NULL;
  crResultMemory* memory = crCreateResultMemory(allocator);
  if (memory == NULL) {
    return cr_errorMemory;
  }
  crStatus status = runDef(def, NULL, true, memory, allocator, sink, outFacts);
  *outResult = crResultMemory_Take(memory);
  if (outFacts != NULL) {
    outFacts->columnCount = crResult_CountColumns(*outResult);
    outFacts->rowCount = crResult_CountRows(*outResult);
  }
  crDestroyResultMemory(memory);
  return status;
}

crStatus crRunModel(const crRunDef* def, const crAllocator* allocator, const crErrorSink* sink, crRunFacts* outFacts)
{
  return crContinueRun(def, NULL, allocator, sink, outFacts);
}
