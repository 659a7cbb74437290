// Going on with a run in the folder that it left.
//
//   folder ──► newest checkpoint that is whole ──► note ──► model: its file if nothing has changed, else the scene in
//   the result ──► the simulation that was saved ──► the run goes on, its result from the place in the note
#include "base/platform.h"
#include "base/read_file.h"
#include "base/report.h"
#include "carom/result.h"
#include "result/peek.h"
#include "show/checkpoint_pair.h"
#include "show/run_about.h"
#include "show/run_note.h"
#include "text/read_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Resuming {
  const char* folder;
  const crResumeOptions* options;
  crAllocator allocator;
  crErrorSink sink;
  crCheckpointPair pair;
  char* bytes; // of the checkpoint, NULL: not read yet
  size_t size;
  crCheckpointFacts facts;
  crArena arena;
  crRunNote note;
  crScene* scene;
  crModel* model;
  crResult* left; // what the run left, where its scene is needed
  crSimulation* simulation;
} Resuming;

static crStatus complain(Resuming* resuming, crStatus status, crSeverity severity, const crComplaint* complaint)
{
  crReporter reporter = crMakeReporter(&resuming->sink, (crSource){ resuming->folder, 0, 0 }, NULL);
  crReport(&reporter, severity, status, complaint);
  return status;
}

static void namePart(const Resuming* resuming, const char* part, char outPath[CR_PATH_SIZE])
{
  snprintf(outPath, CR_PATH_SIZE, "%.4000s/%s", resuming->folder, part);
}

// --------------------------------------------------------------------------------------- checkpoint

// Without checkpoints: a run that has ended, one that never wrote any, or a folder of something else.
static crStatus complainNone(Resuming* resuming)
{
  char path[CR_PATH_SIZE];
  bool isComplete = false;
  namePart(resuming, "result.h5", path);
  if (access(path, F_OK) == 0 && crPeekResult(path, &resuming->allocator, NULL, &isComplete) == cr_ok && isComplete) {
    return complain(resuming, cr_errorFile, cr_severityError,
                    &(crComplaint){ .message = "the run is complete: there is nothing to go on with" });
  }
  return complain(resuming, cr_errorFile, cr_severityError,
                  &(crComplaint){ .message = "there is no checkpoint in this folder",
                                  .hint = "`carom run MODEL --checkpoint SECONDS` writes them while it runs" });
}

static crStatus readCheckpoint(Resuming* resuming)
{
  crStatus status = crCheckpointPair_Init(&resuming->pair, resuming->folder, &resuming->sink);
  if (status == cr_ok && !crCheckpointPair_Exists(&resuming->pair)) {
    return complainNone(resuming);
  }
  if (status == cr_ok) {
    status = crCheckpointPair_ReadNewest(&resuming->pair, &resuming->allocator, &resuming->sink, &resuming->bytes,
                                         &resuming->size, &resuming->facts);
  }
  return status == cr_ok ? crReadRunNote(resuming->facts.note, resuming->facts.noteSize, &resuming->arena,
                                         &resuming->sink, &resuming->note)
                         : status;
}

// --------------------------------------------------------------------------------------------- model

static void dropModel(Resuming* resuming)
{
  crDestroyModel(resuming->model);
  crDestroyScene(resuming->scene);
  resuming->model = NULL;
  resuming->scene = NULL;
}

// Whether the file of the model is the one that the run began with.
static bool isFileUnchanged(const Resuming* resuming)
{
  char* bytes = NULL;
  size_t size = 0;
  char hash[CR_SHA256_TEXT] = "";
  const crRunNote* note = &resuming->note;
  if (note->modelPath[0] == '\0' ||
      crReadFile(note->modelPath, CR_MODEL_FILE_LIMIT, &resuming->allocator, NULL, &bytes, &size) != cr_ok) {
    return false;
  }
  crDigestBytes(bytes, size, hash);
  crFree(&resuming->allocator, bytes, size + 1);
  return strcmp(hash, note->sourceHash) == 0;
}

static bool isModelOfRun(const Resuming* resuming)
{
  char hash[CR_HASH_TEXT];
  return crModel_GetHash(resuming->model, hash) == cr_ok && strcmp(hash, resuming->facts.model) == 0;
}

// The model from its file. false: it is not what it was; the file may read meshes that have changed.
static bool readFile(Resuming* resuming)
{
  crReadOptions options = crDefaultReadOptions();
  options.settings = resuming->note.settings;
  options.settingCount = resuming->note.settingCount;
  bool isRead = isFileUnchanged(resuming) &&
                crReadModel(resuming->note.modelPath, &options, &resuming->allocator, NULL, &resuming->scene) == cr_ok;
  isRead = isRead && crCompile(resuming->scene, NULL, &resuming->allocator, NULL, &resuming->model) == cr_ok &&
           isModelOfRun(resuming);
  if (!isRead) {
    dropModel(resuming);
  }
  return isRead;
}

// The model from the scene that the result holds.
static crStatus readLeftScene(Resuming* resuming)
{
  char path[CR_PATH_SIZE];
  namePart(resuming, "result.h5", path);
  crStatus status = crReadResult(path, &resuming->allocator, &resuming->sink, &resuming->left);
  const char* json = status == cr_ok ? crResult_GetFacts(resuming->left).sceneJson : NULL;
  if (status == cr_ok && json == NULL) {
    return complain(resuming, cr_errorModel, cr_severityError,
                    &(crComplaint){ .message = "the model's file has changed or is gone, and the result holds no scene",
                                    .found = resuming->note.modelPath });
  }
  crReadOptions options = crDefaultReadOptions();
  if (status == cr_ok) {
    options.meshes = crResult_GetMeshes(resuming->left, &options.meshCount);
    status =
        crReadJson(json, strlen(json), path, NULL, &options, &resuming->allocator, &resuming->sink, &resuming->scene);
  }
  return status == cr_ok ? crCompile(resuming->scene, NULL, &resuming->allocator, &resuming->sink, &resuming->model)
                         : status;
}

static crStatus readModel(Resuming* resuming)
{
  if (readFile(resuming)) {
    return cr_ok;
  }
  crStatus status = readLeftScene(resuming);
  if (status == cr_ok && resuming->note.modelPath[0] != '\0') {
    complain(resuming, cr_ok, cr_severityWarning,
             &(crComplaint){ .message = "the model's file has changed since the run began, or is gone: the run goes on "
                                        "with the scene in its result",
                             .found = resuming->note.modelPath });
  }
  return status;
}

// ----------------------------------------------------------------------------------------------- run

static crStatus loadSimulation(Resuming* resuming)
{
  crLoadOptions options = { .size = sizeof options, .threads = resuming->options->threads };
  return crLoadSimulation(resuming->model, resuming->bytes, resuming->size, &options, &resuming->allocator,
                          &resuming->sink, &resuming->simulation);
}

// Both are the same number, or none.
static bool areAlike(const double* a, const double* b, int count)
{
  bool isAlike = true;
  for (int i = 0; i < count && isAlike; ++i) {
    isAlike = a[i] == b[i] || (isnan(a[i]) && isnan(b[i]));
  }
  return isAlike;
}

// A result of the same model by a run with other options has the same names and times: the last row before the place
// tells it from that of this run. What is wrong with it otherwise is told when it is reopened.
static crStatus checkLastRow(Resuming* resuming)
{
  const crRunNote* note = &resuming->note;
  char path[CR_PATH_SIZE];
  namePart(resuming, "result.h5", path);
  crRecorder* recorder = NULL;
  crStatus status = crCreateRecorder(resuming->model, note->patterns, note->patternCount, &resuming->allocator,
                                     &resuming->sink, &recorder);
  int count = status == cr_ok ? crRecorder_CountColumns(recorder) : 0;
  double* row = crAllocateZero(&resuming->allocator, (size_t)count + 1, sizeof *row);
  status = status == cr_ok && row == NULL ? cr_errorMemory : status;
  if (status == cr_ok && crPeekRow(path, &resuming->allocator, note->place.rowCount - 1, count, row) &&
      !areAlike(row, crRecorder_Read(recorder, crSimulation_GetInstance(resuming->simulation)), count)) {
    crReporter reporter = crMakeReporter(&resuming->sink, (crSource){ path, 0, 0 }, NULL);
    crComplaint complaint = { .message = "the result is one of another run: its row at the time of the checkpoint has "
                                         "other numbers",
                              .hint = "put back the result.h5 that was beside the checkpoint, or run again" };
    crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
    status = cr_errorFile;
  }
  crFree(&resuming->allocator, row, row != NULL ? ((size_t)count + 1) * sizeof *row : 0);
  crDestroyRecorder(recorder);
  return status;
}

static crStatus goOn(Resuming* resuming, crRunFacts* outFacts)
{
  const crRunNote* note = &resuming->note;
  const crResumeOptions* o = resuming->options;
  crRunDef def = { .size = sizeof def,
                   .file = note->modelFile[0] != '\0' ? note->modelFile : NULL,
                   .settings = note->settings,
                   .settingCount = note->settingCount,
                   .model = resuming->model,
                   .scene = resuming->scene,
                   .folder = resuming->folder,
                   .omitsReport = o->omitsReport || !note->hasReport,
                   .isInteractive = note->isInteractive,
                   .patterns = note->patterns,
                   .patternCount = note->patternCount,
                   .checkpointSeconds = o->checkpointSeconds != 0.0 ? o->checkpointSeconds : note->checkpointSeconds,
                   .stateFile = note->stateFile[0] != '\0' ? note->stateFile : NULL,
                   .context = o->context,
                   .shouldStop = o->shouldStop };
  crRunOrigin origin = { .modelPath = note->modelPath,
                         .sourceHash = note->sourceHash,
                         .source = resuming->left != NULL ? crResult_GetFacts(resuming->left).sourceText : NULL,
                         .isFileGone = resuming->left != NULL,
                         .hasReport = note->hasReport,
                         .pair = resuming->pair,
                         .simulation = resuming->simulation,
                         .place = &note->place };
  if (o->begin != NULL) {
    o->begin(o->context, resuming->simulation);
  }
  return crContinueRun(&def, &origin, &resuming->allocator, &resuming->sink, outFacts);
}

static crStatus resume(Resuming* resuming, crRunFacts* outFacts)
{
  crRemoveLeftovers(resuming->folder);
  crStatus status = readCheckpoint(resuming);
  status = status == cr_ok ? readModel(resuming) : status;
  status = status == cr_ok ? loadSimulation(resuming) : status;
  status = status == cr_ok ? checkLastRow(resuming) : status;
  crFree(&resuming->allocator, resuming->bytes, resuming->bytes != NULL ? resuming->size + 1 : 0);
  resuming->bytes = NULL;
  return status == cr_ok ? goOn(resuming, outFacts) : status;
}

crResumeOptions crDefaultResumeOptions(void)
{
  return (crResumeOptions){ .size = sizeof(crResumeOptions) };
}

crStatus crResumeRun(const char* folder, const crResumeOptions* options, const crAllocator* allocator,
                     const crErrorSink* sink, crRunFacts* outFacts)
{
  static const crResumeOptions standard;
  if (outFacts != NULL) {
    *outFacts = (crRunFacts){ .end = cr_runFailed };
  }
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "resume");
  if (folder == NULL ||
      (options != NULL && (!crCheckSize(&reporter, "crResumeOptions", options->size, sizeof *options) ||
                           !(options->checkpointSeconds >= 0.0)))) {
    return cr_errorMisuse;
  }
  Resuming resuming = { .folder = folder,
                        .options = options != NULL ? options : &standard,
                        .allocator = crChooseAllocator(allocator),
                        .sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL } };
  int lock = crLockRunFolder(folder, &resuming.sink);
  if (lock < 0) {
    return cr_errorFile;
  }
  crArena_Init(&resuming.arena, &resuming.allocator);
  crStatus status = resume(&resuming, outFacts);
  crDestroySimulation(resuming.simulation);
  dropModel(&resuming);
  crDestroyResult(resuming.left);
  crArena_Free(&resuming.arena);
  close(lock);
  return status;
}
