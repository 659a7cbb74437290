// Models, runs and their descriptions for a page. All names are of one model, the last that was opened.
//
// The page writes files (crPlay_SetFile), opens a model, runs it, and reads text (JSON) and numbers at the addresses
// that it asks for. A run tells of itself by crHost_Progress, from which the page may look at the rows so far.
#include "play.h"

#include "base/text.h"
#include "files.h"
#include "show/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

crPlay crThePlay;
crSimulationOptions crTheOptions;

// ------------------------------------------------------------------------------------------- memory

CR_EXPORT("allocate") void* crPlay_Allocate(size_t size)
{
  return malloc(size);
}

CR_EXPORT("setFile") bool crPlay_SetFile(char* path, void* bytes, size_t size)
{
  bool isKept = crSetPageFile(path, bytes, size);
  free(path);
  return isKept;
}

CR_EXPORT("getText") const void* crPlay_GetText(void)
{
  return crThePlay.text.items;
}

CR_EXPORT("getTextSize") size_t crPlay_GetTextSize(void)
{
  return crThePlay.text.size;
}

CR_EXPORT("getNumbers") const void* crPlay_GetNumbers(void)
{
  return crThePlay.numbers.items;
}

CR_EXPORT("getNumberCount") size_t crPlay_GetNumberCount(void)
{
  return crThePlay.numbers.size / sizeof(float);
}

static void initBytes(crBytes* bytes)
{
  crAllocator allocator = crDefaultAllocator();
  crBytes_Init(bytes, &allocator);
}

static void restart(crBytes* bytes)
{
  crBytes_Free(bytes);
  initBytes(bytes);
}

// ------------------------------------------------------------------------------------------ messages

static void putMessage(crJsonText* text, const crError* error)
{
  static const char* const severities[] = { "note", "warning", "error" };
  int size = crError_Format(error, NULL, 0);
  char* whole = malloc((size_t)size + 1);
  if (whole == NULL) {
    return;
  }
  crError_Format(error, whole, (size_t)size + 1);
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "severity", severities[error->severity]);
  crJsonText_KeyString(text, "text", whole);
  if (error->source.file != NULL) {
    crJsonText_KeyString(text, "file", error->source.file);
  }
  crJsonText_KeyNumber(text, "line", error->source.line);
  crJsonText_KeyNumber(text, "column", error->source.column);
  crJsonText_EndObject(text);
  free(whole);
}

static void putMessages(crJsonText* text)
{
  const crErrorLog* log = crThePlay.log;
  crJsonText_Key(text, "messages");
  crJsonText_BeginArray(text);
  for (int i = 0; log != NULL && i < crErrorLog_Count(log); ++i) {
    putMessage(text, crErrorLog_Get(log, i));
  }
  crJsonText_EndArray(text);
  int hidden = log != NULL ? -crErrorLog_Count(log) : 0;
  for (int severity = cr_severityNote; log != NULL && severity <= cr_severityError; ++severity) {
    hidden += crErrorLog_CountOf(log, (crSeverity)severity);
  }
  crJsonText_KeyNumber(text, "hidden", hidden);
}

// The messages as JSON, which become the text.
CR_EXPORT("tellMessages") void crPlay_TellMessages(void)
{
  crJsonText text;
  restart(&crThePlay.text);
  crJsonText_Init(&text, (crTextWriter){ crBytes_Write, &crThePlay.text });
  crJsonText_BeginObject(&text);
  putMessages(&text);
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}

// -------------------------------------------------------------------------------------------- model

static void clear(crPlay* play)
{
  memset(play, 0, sizeof *play);
  initBytes(&play->text);
  initBytes(&play->numbers);
  initBytes(&play->poses);
  initBytes(&play->about.scene);
  play->about.allocator = crDefaultAllocator();
}

static void forget(crPlay* play)
{
  if (play->log == NULL) {
    return; // it is the first one
  }
  crPlay_EndLive(play);
  crDestroyResult(play->result);
  crRunAbout_Free(&play->about);
  crDestroyModel(play->model);
  crDestroyScene(play->scene);
  crDestroyErrorLog(play->log);
  crBytes_Free(&play->text);
  crBytes_Free(&play->numbers);
  crBytes_Free(&play->poses);
  free(play->file);
  free(play->settings);
  free(play->settingText);
}

// Names and values, each with a zero behind it.
static bool readSettings(crPlay* play, char* text, size_t size)
{
  size_t zeros = 0;
  for (size_t i = 0; i < size; ++i) {
    zeros += text[i] == '\0';
  }
  play->settingText = text;
  play->settings = calloc(zeros / 2 + 1, sizeof *play->settings);
  for (const char* at = text; play->settings != NULL && at < text + size; ++play->settingCount) {
    const char* value = at + strlen(at) + 1;
    play->settings[play->settingCount] = (crSetting){ at, value };
    at = value + strlen(value) + 1;
  }
  return play->settings != NULL;
}

// What a slider and its name need, as far as the model tells it.
static void putRange(crJsonText* text, const crParameter* parameter)
{
  if (parameter->min < parameter->max && isfinite(parameter->min)) {
    crJsonText_KeyNumber(text, "min", parameter->min);
  }
  if (parameter->min < parameter->max && isfinite(parameter->max)) {
    crJsonText_KeyNumber(text, "max", parameter->max);
  }
  if (parameter->unit != NULL && crIsUtf8(parameter->unit, strlen(parameter->unit))) {
    crJsonText_KeyString(text, "unit", parameter->unit);
  }
  if (parameter->label != NULL && crIsUtf8(parameter->label, strlen(parameter->label))) {
    crJsonText_KeyString(text, "label", parameter->label);
  }
}

static void putParameters(crJsonText* text, const crScene* scene)
{
  crJsonText_Key(text, "parameters");
  crJsonText_BeginArray(text);
  for (int i = 0; scene != NULL && i < crScene_Count(scene, cr_elementAssembly); ++i) {
    const crAssemblyDef* assembly = crScene_GetAssembly(scene, crScene_GetId(scene, cr_elementAssembly, i));
    for (int k = 0; k < assembly->parameterCount; ++k) {
      const crParameter* parameter = &assembly->parameters[k];
      char name[1024];
      snprintf(name, sizeof name, "%s%s%s", assembly->name, assembly->name[0] != '\0' ? "." : "", parameter->name);
      crCleanText(name);
      crJsonText_BeginObject(text);
      crJsonText_KeyString(text, "name", name);
      crJsonText_Key(text, "value");
      if (parameter->kind == cr_parameterBool) {
        crJsonText_Bool(text, parameter->number != 0.0);
      } else if (parameter->kind == cr_parameterString) {
        crJsonText_String(text, crIsUtf8(parameter->string, strlen(parameter->string)) ? parameter->string : "");
      } else if (isfinite(parameter->number)) {
        crJsonText_Number(text, parameter->number);
      } else {
        crJsonText_Null(text);
      }
      putRange(text, parameter);
      crJsonText_EndObject(text);
    }
  }
  crJsonText_EndArray(text);
}

static void putInputs(crJsonText* text, const crModel* model)
{
  crPort port;
  crJsonText_Key(text, "inputs");
  crJsonText_BeginArray(text);
  for (int i = 0; model != NULL && crModel_GetInput(model, i, &port); ++i) {
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "path", port.path);
    crJsonText_KeyString(text, "unit", port.unit);
    crJsonText_KeyNumber(text, "start", port.start);
    crJsonText_KeyNumber(text, "nominal", port.nominal);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

static const crSimulationOptions* getOptions(void)
{
  return crTheOptions.size > 0 ? &crTheOptions : NULL;
}

static void describeModel(crPlay* play)
{
  crJsonText text;
  restart(&play->text);
  crJsonText_Init(&text, (crTextWriter){ crBytes_Write, &play->text });
  crJsonText_BeginObject(&text);
  crJsonText_KeyBool(&text, "ok", play->model != NULL);
  putMessages(&text);
  putParameters(&text, play->scene);
  putInputs(&text, play->model);
  if (play->model != NULL) {
    crSimulationOptions options = crModel_ChooseOptions(play->model, getOptions());
    crModelSize size = crModel_GetSize(play->model);
    crJsonText_KeyNumber(&text, "start", options.startTime);
    crJsonText_KeyNumber(&text, "stop", options.stopTime);
    crJsonText_KeyNumber(&text, "bodies", size.bodyCount - 1);
    crJsonText_KeyNumber(&text, "states", size.stateCount);
  }
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}

// Reads and compiles a model with parameters set, and describes it in the text. The path and the settings are from
// crPlay_Allocate, and not the caller's any more.
CR_EXPORT("open") bool crPlay_Open(char* file, char* settings, size_t settingSize)
{
  crPlay* play = &crThePlay;
  forget(play);
  clear(play);
  play->file = file;
  play->log = crCreateErrorLog(NULL);
  if (!readSettings(play, settings, settingSize) || play->log == NULL) {
    return false;
  }
  play->sink = crErrorLog_GetSink(play->log);
  crReadOptions options = crDefaultReadOptions();
  options.settings = play->settings;
  options.settingCount = play->settingCount;
  crStatus status = crReadModel(file, &options, NULL, &play->sink, &play->scene);
  if (play->scene != NULL) { // one with errors is checked further
    crCompile(play->scene, NULL, NULL, &play->sink, &play->model);
  }
  if (status != cr_ok) {
    crDestroyModel(play->model);
    play->model = NULL;
  }
  describeModel(play);
  return play->model != NULL;
}

// --------------------------------------------------------------------------------------- description

static bool compose(crPlay* play, const crResult* result)
{
  crPicture picture;
  crReportOptions options = crCompleteReportOptions(NULL);
  crReportFacts facts = { .every = 1 };
  restart(&play->text);
  restart(&play->numbers);
  crStatus status = crOpenPicture(&picture, result, NULL);
  if (status == cr_ok) {
    status = crComposeReport(&picture, &options, 1, &facts, NULL, &play->text, &play->numbers);
  }
  crClosePicture(&picture);
  return status == cr_ok;
}

crRecordOptions crPlay_MakeRecordOptions(crPlay* play)
{
  crRunAbout* about = &play->about;
  return (crRecordOptions){ .size = sizeof(crRecordOptions),
                            .modelName = about->name,
                            .sceneJson = (const char*)about->scene.items,
                            .sourceText = about->source,
                            .meshes = about->meshes,
                            .meshCount = about->meshCount };
}

// Describes the first row of what is recorded to the page.
static crStatus preview(crPlay* play, const crResultDef* def, const crRow* row)
{
  crResultMemory* memory = crCreateResultMemory(NULL);
  crRecordSink sink = memory != NULL ? crResultMemory_GetSink(memory) : (crRecordSink){ 0 };
  crStatus status = memory != NULL ? sink.begin(sink.context, def) : cr_errorMemory;
  if (status == cr_ok) {
    status = sink.addRow(sink.context, row);
    crStatus ended = sink.end(sink.context, cr_runStopped, NULL);
    status = status == cr_ok ? ended : status;
  }
  crResult* result = memory != NULL ? crResultMemory_Take(memory) : NULL;
  if (status == cr_ok && result != NULL && compose(play, result)) {
    crHost_Begin();
  }
  crDestroyResult(result);
  crDestroyResultMemory(memory);
  return status;
}

// ------------------------------------------------------------------------------------------ recording

static crRecordSink getMemory(void* context)
{
  return crResultMemory_GetSink(((crPlay*)context)->recording.memory);
}

static crStatus begin(void* context, const crResultDef* def)
{
  crPlay* play = context;
  crRecordSink into = getMemory(context);
  play->recording.bodyCount = def->bodyCount;
  play->recording.def = *def;
  play->about.columnCount = def->columnCount;
  return into.begin(into.context, def);
}

static crStatus addRow(void* context, const crRow* row)
{
  crPlay* play = context;
  crPlayRecording* recording = &play->recording;
  crRecordSink into = getMemory(context);
  crStatus status = recording->rowCount == 0 ? preview(play, &recording->def, row) : cr_ok;
  crBytes_AddFloat(&play->poses, row->time);
  crBytes_Add(&play->poses, row->poses, (size_t)recording->bodyCount * CR_POSE_SIZE * sizeof(float));
  ++recording->rowCount;
  return status == cr_ok ? into.addRow(into.context, row) : status;
}

static crStatus addSample(void* context, const crContactRecord* sample)
{
  crRecordSink into = getMemory(context);
  return into.addSample(into.context, sample);
}

static crStatus addContact(void* context, const crContactRecord* contact)
{
  crRecordSink into = getMemory(context);
  return into.addContact(into.context, contact);
}

static crStatus addEvent(void* context, double time, const char* kind, const char* text)
{
  crRecordSink into = getMemory(context);
  return into.addEvent(into.context, time, kind, text);
}

static crStatus end(void* context, crRunEnd how, const char* runJson)
{
  crRecordSink into = getMemory(context);
  return into.end(into.context, how, runJson);
}

crRecordSink crPlay_MakeSink(crPlay* play)
{
  return (crRecordSink){ play, begin, addRow, addSample, addContact, addEvent, end };
}

// Name, text, hashes and scene of the model, for what is recorded of it.
static crStatus tellAbout(crPlay* play)
{
  crRunDef def = { .size = sizeof def, .file = play->file };
  crRunAbout_Free(&play->about);
  return crRunAbout_Init(&play->about, &def, NULL, play->scene, NULL, &play->sink);
}

bool crPlay_BeginRecording(crPlay* play)
{
  crDestroyResult(play->result);
  play->result = NULL;
  restart(&play->poses);
  play->recording = (crPlayRecording){ .memory = crCreateResultMemory(NULL) };
  initBytes(&play->recording.json);
  return play->recording.memory != NULL && tellAbout(play) == cr_ok;
}

void crPlay_EndRecording(crPlay* play)
{
  play->result = play->recording.memory != NULL ? crResultMemory_Take(play->recording.memory) : NULL;
  crDestroyResultMemory(play->recording.memory);
  crBytes_Free(&play->recording.json);
  play->recording.memory = NULL;
  restart(&play->poses);
}

// --------------------------------------------------------------------------------------------- run

static bool shouldStop(void* context, double t)
{
  (void)context;
  return crHost_Progress(t) != 0;
}

static const char* describe(void* context, crRunEnd how)
{
  crPlay* play = context;
  crBytes* json = &play->recording.json;
  crRunDef def = {
    .size = sizeof def, .file = play->file, .settings = play->settings, .settingCount = play->settingCount
  };
  crWriteRunJson(&play->about, &def, play->recording.simulation, how, true, (crTextWriter){ crBytes_Write, json });
  crBytes_Add(json, "", 1);
  return json->hasFailed ? NULL : (const char*)json->items;
}

static crRunEnd record(crPlay* play)
{
  crRunEnd how = cr_runFailed;
  crRecordOptions options = crPlay_MakeRecordOptions(play);
  options.context = play;
  options.shouldStop = shouldStop;
  options.describe = describe;
  crRecordSink sink = crPlay_MakeSink(play);
  (void)crSimulation_Record(play->recording.simulation, &options, &sink, &how); // messages and `how` tell it
  return how;
}

// Runs the model; the result is there to be described, also when it failed on the way. 0: complete, 1: stopped,
// 2: failed with a result, 3: there is none.
CR_EXPORT("run") int crPlay_Run(void)
{
  crPlay* play = &crThePlay;
  crRunEnd how = cr_runFailed;
  crPlay_EndLive(play);
  if (play->model == NULL) {
    return 3;
  }
  bool isReady = crPlay_BeginRecording(play) &&
                 crCreateSimulation(play->model, getOptions(), NULL, &play->sink, &play->recording.simulation) == cr_ok;
  how = isReady ? record(play) : how;
  crDestroySimulation(play->recording.simulation);
  crPlay_EndRecording(play);
  return crResult_CountRows(play->result) == 0 ? 3 : (int)how;
}

// Describes the result of the last run.
CR_EXPORT("describe") bool crPlay_Describe(void)
{
  return crThePlay.result != NULL && compose(&crThePlay, crThePlay.result);
}

// Rows of the run that goes on: one number for the time, seven for each body.
CR_EXPORT("getPoses") const void* crPlay_GetPoses(void)
{
  return crThePlay.poses.items;
}

CR_EXPORT("getPoseSize") size_t crPlay_GetPoseSize(void)
{
  return crThePlay.poses.size;
}

// ------------------------------------------------------------------------------------------- result

CR_EXPORT("countRows") int crPlay_CountRows(void)
{
  return crResult_CountRows(crThePlay.result);
}

CR_EXPORT("countColumns") int crPlay_CountColumns(void)
{
  return crResult_CountColumns(crThePlay.result);
}

// The numbers of a column, or with -1 the times: float64.
CR_EXPORT("getColumn") const double* crPlay_GetColumn(int column)
{
  const crResult* result = crThePlay.result;
  return column < 0 ? crResult_GetTimes(result) : crResult_GetValues(result, column);
}

// 0: at an output point, 1: before, 2: behind an event.
CR_EXPORT("getRowKind") int crPlay_GetRowKind(int row)
{
  return (int)crResult_GetRowKind(crThePlay.result, row);
}
