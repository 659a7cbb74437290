#include "show/session_run.h"

#include "base/file.h"
#include "base/platform.h"
#include "base/report.h"
#include "carom/report.h"
#include "result/peek.h"
#include "show/run_about.h"
#include "sim/session.h"
#include "text/session_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct Replay {
  const crRunDef* def;
  const char* file; // of the session
  crAllocator allocator;
  const crErrorSink* sink;
  crSessionScript script;
  crSetting* settings; // (settingCount) of the session, then of the def
  int settingCount;
  crScene* scene;
  crRunAbout about;
  crSession* session;
  crResult* result; // of a session that is over; NULL: not known
  crSessionFacts facts;
} Replay;

// ------------------------------------------------------------------------------------------- model

static bool isGiven(const crRunDef* def, const char* name)
{
  for (int i = 0; i < def->settingCount; ++i) {
    if (strcmp(def->settings[i].name, name) == 0) {
      return true;
    }
  }
  return false;
}

static crStatus mergeSettings(Replay* replay)
{
  const crSessionScript* script = &replay->script;
  size_t room = (size_t)script->settingCount + (size_t)replay->def->settingCount + 1;
  replay->settings = crAllocateZero(&replay->allocator, room, sizeof *replay->settings);
  if (replay->settings == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < script->settingCount; ++i) {
    if (!isGiven(replay->def, script->settings[i].name)) {
      replay->settings[replay->settingCount++] = script->settings[i];
    }
  }
  for (int i = 0; i < replay->def->settingCount; ++i) {
    replay->settings[replay->settingCount++] = replay->def->settings[i];
  }
  return cr_ok;
}

static crStatus readModel(Replay* replay)
{
  crReadOptions options = crDefaultReadOptions();
  options.settings = replay->settings;
  options.settingCount = replay->settingCount;
  crStatus status = crReadModel(replay->def->file, &options, &replay->allocator, replay->sink, &replay->scene);
  status = status == cr_ok
               ? crRunAbout_Init(&replay->about, replay->def, NULL, replay->scene, &replay->allocator, replay->sink)
               : status;
  return status == cr_ok ? crCreateSession(replay->scene, &replay->allocator, replay->sink, &replay->session) : status;
}

// ------------------------------------------------------------------------------------------ actions

static crStatus reportAction(const Replay* replay, int index)
{
  char place[32];
  const crSessionAction* action = &replay->script.actions[index];
  snprintf(place, sizeof place, "actions[%d]", index);
  crReporter reporter = crMakeReporter(replay->sink, (crSource){ replay->file, 0, 0 }, place);
  crComplaint complaint = { .message = "the model cannot do this action of the session",
                            .found = action->path,
                            .hint = "a session belongs to the model and the parameters that it was made with" };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

static crStatus act(Replay* replay, int index)
{
  const crSessionAction* action = &replay->script.actions[index];
  crVec3 vector = crMakeVec3(action->numbers[0], action->numbers[1], action->numbers[2]);
  crStatus status = cr_errorMisuse;
  switch (action->kind) {
    case cr_sessionGrab: status = crSession_Grab(replay->session, action->path, vector); break;
    case cr_sessionPull: status = crSession_Pull(replay->session, vector); break;
    case cr_sessionRelease: status = crSession_Release(replay->session); break;
    case cr_sessionInput: status = crSession_SetInput(replay->session, action->path, vector.x); break;
    case cr_sessionActionCount: break;
  }
  // a page keeps no action that it was refused
  return status == cr_errorModel || status == cr_errorMisuse ? reportAction(replay, index) : status;
}

static crStatus doAll(Replay* replay)
{
  const crSessionScript* script = &replay->script;
  const crRunDef* def = replay->def;
  crStatus status = cr_ok;
  int next = 0;
  for (int step = 0; step <= script->stepCount && status == cr_ok; ++step) {
    for (; next < script->actionCount && script->actions[next].step == step && status == cr_ok; ++next) {
      status = act(replay, next);
    }
    if (step < script->stepCount && status == cr_ok) {
      status = crSession_Step(replay->session);
      replay->facts.stepCount += status == cr_ok;
    }
    if (def->shouldStop != NULL && def->shouldStop(def->context, crSession_GetTime(replay->session))) {
      break;
    }
  }
  replay->facts.actionCount = next;
  replay->facts.time = crSession_GetTime(replay->session);
  return status;
}

// ------------------------------------------------------------------------------------------ results

static crStatus makeFolder(Replay* replay)
{
  char name[CR_MODEL_NAME_SIZE + 8];
  snprintf(name, sizeof name, "%s.run", replay->about.name);
  const char* folder = replay->def->folder != NULL ? replay->def->folder : name;
  int length = snprintf(replay->facts.folder, sizeof replay->facts.folder, "%s", folder);
  const char* message = "the folder of the session cannot be made";
  return length < (int)sizeof replay->facts.folder ? crMakeFolder(folder, message, replay->sink)
                                                   : crReportFile(replay->sink, folder, message, ENAMETOOLONG);
}

static void namePart(const Replay* replay, const char* part, char outPath[CR_RUN_FOLDER_SIZE + 32])
{
  snprintf(outPath, CR_RUN_FOLDER_SIZE + 32, "%s/%s", replay->facts.folder, part);
}

// Row by row, as the session goes on.
static crStatus recordRows(Replay* replay, const crRecordSink* sink)
{
  crRecordOptions options = crDefaultRecordOptions();
  options.patterns = replay->def->patterns;
  options.patternCount = replay->def->patternCount;
  options.modelName = replay->about.name;
  options.sceneJson = (const char*)replay->about.scene.items;
  options.sourceText = replay->about.source;
  options.meshes = replay->about.meshes;
  options.meshCount = replay->about.meshCount;
  crStatus status = crSession_Record(replay->session, &options, sink);
  status = status == cr_ok ? doAll(replay) : status;
  crStatus ended = crSession_EndRecord(replay->session);
  return status == cr_ok ? ended : status;
}

// Into the file: a session may say that it goes on for days.
static crStatus recordFile(Replay* replay)
{
  char path[CR_RUN_FOLDER_SIZE + 32];
  namePart(replay, "result.h5", path);
  crResultFile file = { .path = path, .allocator = &replay->allocator, .sink = replay->sink };
  crRecordSink sink = crResultFile_GetSink(&file);
  crStatus status = recordRows(replay, &sink);
  replay->facts.rowCount = file.rowCount;
  return status;
}

// Where there are no result files: rows are kept in memory, and written as a table.
static crStatus recordTable(Replay* replay)
{
  char path[CR_RUN_FOLDER_SIZE + 32];
  namePart(replay, "result.csv", path);
  crResultMemory* memory = crCreateResultMemory(&replay->allocator);
  if (memory == NULL) {
    return cr_errorMemory;
  }
  crRecordSink sink = crResultMemory_GetSink(memory);
  crStatus status = recordRows(replay, &sink);
  replay->result = crResultMemory_Take(memory);
  crDestroyResultMemory(memory);
  if (replay->result != NULL) {
    crStatus written = crWriteCsv(replay->result, path, &replay->allocator, replay->sink);
    status = status == cr_ok ? written : status;
    replay->facts.rowCount = crResult_CountRows(replay->result);
  }
  return status;
}

static bool writeReport(Replay* replay)
{
  char result[CR_RUN_FOLDER_SIZE + 32], report[CR_RUN_FOLDER_SIZE + 32];
  namePart(replay, "result.h5", result);
  namePart(replay, "report.html", report);
  crErrorSink warnings = crMakeWarningSink(replay->sink);
  crStatus status =
      replay->result != NULL ? cr_ok : crReadResult(result, &replay->allocator, &warnings, &replay->result);
  status = status == cr_ok ? crWriteReport(replay->result, report, NULL, &replay->allocator, &warnings, NULL) : status;
  return status == cr_ok;
}

static crStatus recordInFolder(Replay* replay)
{
  char path[CR_RUN_FOLDER_SIZE + 32];
  static const char* const old[] = { "run.json", "report.html" }; // of a run that was here
  crStatus status = makeFolder(replay);
  for (size_t i = 0; i < sizeof old / sizeof *old && status == cr_ok; ++i) {
    namePart(replay, old[i], path);
    remove(path);
  }
  if (status == cr_ok) {
    status = crHasResultFiles() ? recordFile(replay) : recordTable(replay);
  }
  replay->facts.hasReport = replay->facts.rowCount > 0 && !replay->def->omitsReport && writeReport(replay);
  return status;
}

crStatus crReplaySession(const crRunDef* def, const char* session, const crAllocator* allocator,
                         const crErrorSink* sink, crSessionFacts* outFacts)
{
  Replay replay = { .def = def, .file = session, .allocator = crChooseAllocator(allocator), .sink = sink };
  replay.about.allocator = replay.allocator;
  crBytes_Init(&replay.about.scene, &replay.allocator);
  crStatus status = crReadSessionFile(session, allocator, sink, &replay.script);
  status = status == cr_ok ? mergeSettings(&replay) : status;
  status = status == cr_ok ? readModel(&replay) : status;
  status = status == cr_ok ? recordInFolder(&replay) : status;
  *outFacts = replay.facts;
  crDestroyResult(replay.result);
  crDestroySession(replay.session);
  crRunAbout_Free(&replay.about);
  crDestroyScene(replay.scene);
  size_t room = (size_t)replay.script.settingCount + (size_t)def->settingCount + 1;
  crFree(&replay.allocator, replay.settings, replay.settings != NULL ? room * sizeof *replay.settings : 0);
  crSessionScript_Free(&replay.script);
  return status;
}
