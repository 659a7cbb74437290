#include "sim/session.h"

#include "base/memory.h"
#include "base/report.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_PI 3.14159265358979323846
#define CR_HANDLE "caromPull" // names of what a pull adds to the scene begin with it

static const char axes[] = "XYZ";

struct crSession {
  crAllocator allocator;
  crErrorSink sink;
  crScene* scene;
  crModel* first;  // as the scene was
  crModel* pulled; // with a handle; NULL: nothing was grabbed yet
  crSimulation* simulation;
  double start; // [s]
  int stepCount;
  crRecorder* recorder; // NULL: nobody records
  crRecordSink recordSink;
  crId ids[7]; // of the elements of the pull: handle, inputs, forces; null: none
  bool isHeld;
  double mass; // [kg] that resists at the handle
  crVec3 target;
};

// ------------------------------------------------------------------------------------------- making

static crSimulationOptions makeOptions(void)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = CR_SESSION_STOP;
  options.interval = 1.0; // nobody asks for output points
  options.eventRows = cr_eventRowsOff;
  return options;
}

crStatus crCreateSession(crScene* scene, const crAllocator* allocator, const crErrorSink* sink, crSession** outSession)
{
  if (scene == NULL || outSession == NULL) {
    return cr_errorMisuse;
  }
  *outSession = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crSession* session = crAllocateZero(&chosen, 1, sizeof *session);
  if (session == NULL) {
    return cr_errorMemory;
  }
  session->allocator = chosen;
  session->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  session->scene = scene;
  crSimulationOptions options = makeOptions();
  crStatus status = crCompile(scene, NULL, &chosen, sink, &session->first);
  status = status == cr_ok ? crCreateSimulation(session->first, &options, &chosen, sink, &session->simulation) : status;
  if (status != cr_ok) {
    crDestroySession(session);
    return status;
  }
  session->start = crSimulation_GetTime(session->simulation);
  *outSession = session;
  return cr_ok;
}

static void removeHandle(crSession* session)
{
  for (int i = 6; i >= 0; --i) { // those that refer to others first
    if (!crIsNull(session->ids[i])) {
      crScene_Remove(session->scene, session->ids[i]);
      session->ids[i] = (crId){ 0 };
    }
  }
}

void crDestroySession(crSession* session)
{
  if (session == NULL) {
    return;
  }
  crAllocator allocator = session->allocator;
  crDestroyRecorder(session->recorder);
  crDestroySimulation(session->simulation);
  crDestroyModel(session->pulled);
  crDestroyModel(session->first);
  removeHandle(session);
  crFree(&allocator, session, sizeof *session);
}

double crSession_GetTime(const crSession* session)
{
  return crSimulation_GetTime(session->simulation);
}

// ------------------------------------------------------------------------------------------ recording

static crStatus addRow(crSession* session)
{
  const crInstance* instance = crSimulation_GetInstance(session->simulation);
  const crRecordSink* sink = &session->recordSink;
  crRow row = { crSession_GetTime(session), cr_rowOutput, crRecorder_Read(session->recorder, instance),
                crRecorder_ReadPoses(session->recorder, instance) };
  return sink->addRow(sink->context, &row);
}

crStatus crSession_Record(crSession* session, const crRecordOptions* options, const crRecordSink* sink)
{
  if (session->recorder != NULL) {
    return cr_errorMisuse;
  }
  crStatus status = crCreateRecorder(session->first, options->patterns, options->patternCount, &session->allocator,
                                     &session->sink, &session->recorder);
  if (status != cr_ok) {
    return status;
  }
  crResultDef def = { .size = sizeof def,
                      .columns = crRecorder_GetColumns(session->recorder),
                      .columnCount = crRecorder_CountColumns(session->recorder),
                      .modelName = options->modelName,
                      .sceneJson = options->sceneJson,
                      .sourceText = options->sourceText,
                      .bodies = crRecorder_GetBodies(session->recorder),
                      .bodyCount = crRecorder_CountBodies(session->recorder),
                      .meshes = options->meshes,
                      .meshCount = options->meshCount };
  session->recordSink = *sink;
  status = sink->begin(sink->context, &def);
  return status == cr_ok ? addRow(session) : status;
}

crStatus crSession_EndRecord(crSession* session)
{
  if (session->recorder == NULL) {
    return cr_ok;
  }
  crDestroyRecorder(session->recorder);
  session->recorder = NULL;
  return session->recordSink.end(session->recordSink.context, cr_runStopped, NULL);
}

// ------------------------------------------------------------------------------------------- pulling

static int findInput(const crSession* session, int axis)
{
  char name[sizeof CR_HANDLE + 2];
  snprintf(name, sizeof name, CR_HANDLE "%c", axes[axis]);
  return crModel_FindInput(crSimulation_GetModel(session->simulation), name);
}

static crStatus setForce(crSession* session, crVec3 force)
{
  const double f[] = { force.x, force.y, force.z };
  crStatus status = cr_ok;
  for (int i = 0; i < 3 && status == cr_ok; ++i) {
    status = crSimulation_SetInput(session->simulation, findInput(session, i), f[i]);
  }
  return status;
}

static int findHandle(const crSession* session)
{
  return crModel_FindObject(crSimulation_GetModel(session->simulation), CR_HANDLE);
}

static crVec3 findAcceleration(const crSession* session)
{
  return crInstance_GetAcceleration(crSimulation_GetInstance(session->simulation), findHandle(session)).v;
}

// The mass that resists at the handle; 0: it does not move.
static crStatus weigh(crSession* session, double* outMass)
{
  crVec3 still = findAcceleration(session);
  double trace = 0.0;
  crStatus status = cr_ok;
  for (int i = 0; i < 3 && status == cr_ok; ++i) {
    crVec3 unit = crMakeVec3(i == 0, i == 1, i == 2);
    status = setForce(session, unit);
    trace += crDot(unit, crSub(findAcceleration(session), still));
  }
  status = status == cr_ok ? setForce(session, crMakeVec3(0.0, 0.0, 0.0)) : status;
  *outMass = trace > 0.0 ? 3.0 / trace : 0.0;
  return status;
}

// The force of the spring where the handle is now.
static crStatus pull(crSession* session)
{
  const crInstance* instance = crSimulation_GetInstance(session->simulation);
  int handle = findHandle(session);
  double w = 2.0 * CR_PI * CR_PULL_FREQUENCY;
  crVec3 way = crSub(session->target, crInstance_GetPose(instance, handle).p);
  crVec3 v = crInstance_GetMotion(instance, handle).v;
  return setForce(session, crScale(session->mass, crSub(crScale(w * w, way), crScale(2.0 * w, v))));
}

static crStatus addHandle(crSession* session, const char* object, crVec3 point)
{
  crScene* scene = session->scene;
  crObjectDef handle = crDefaultObjectDef(CR_HANDLE);
  handle.parent = object;
  handle.position = point;
  crStatus status = crScene_AddObject(scene, &handle, &session->ids[0]);
  for (int i = 0; i < 3 && status == cr_ok; ++i) {
    char input[sizeof CR_HANDLE + 2], force[sizeof CR_HANDLE + 8];
    snprintf(input, sizeof input, CR_HANDLE "%c", axes[i]);
    snprintf(force, sizeof force, CR_HANDLE "Force%c", axes[i]);
    crSignalDef signal = crDefaultSignalDef(cr_signalInput, input);
    status = crScene_AddSignal(scene, &signal, &session->ids[1 + i]);
    crForceDef def = crDefaultForceDef(cr_forceForce, force, CR_HANDLE, NULL);
    def.as.force.vector = crMakeVec3(i == 0, i == 1, i == 2);
    def.as.force.factor = input;
    status = status == cr_ok ? crScene_AddForce(scene, &def, &session->ids[4 + i]) : status;
  }
  return status;
}

static crStatus refuse(crSession* session, const char* object, const char* message)
{
  crReporter reporter = crMakeReporter(&session->sink, (crSource){ 0 }, object);
  crReportError(&reporter, "%s", message);
  return cr_errorModel;
}

// Goes on with another model from where the run is.
static crStatus goOn(crSession* session, crModel* model)
{
  crState* state = NULL;
  crSimulation* next = NULL;
  crStatus status = crSimulation_GetState(session->simulation, &session->allocator, &state);
  crSimulationOptions options = makeOptions();
  options.start = state;
  status = status == cr_ok ? crCreateSimulation(model, &options, &session->allocator, &session->sink, &next) : status;
  crDestroyState(state);
  if (status == cr_ok) {
    crDestroySimulation(session->simulation);
    session->simulation = next;
  }
  return status;
}

crStatus crSession_Release(crSession* session)
{
  bool wasHeld = session->isHeld;
  session->isHeld = false;
  return wasHeld ? setForce(session, crMakeVec3(0.0, 0.0, 0.0)) : cr_errorMisuse;
}

crStatus crSession_Grab(crSession* session, const char* object, crVec3 point)
{
  if (crModel_CountActions(session->first) > 0) {
    return refuse(session, object, "a model with actions cannot be pulled");
  }
  crModel* model = NULL;
  crStatus status = session->isHeld ? crSession_Release(session) : cr_ok;
  removeHandle(session);
  status = status == cr_ok ? addHandle(session, object, point) : status;
  status = status == cr_ok ? crCompile(session->scene, NULL, &session->allocator, &session->sink, &model) : status;
  status = status == cr_ok ? goOn(session, model) : status;
  if (status != cr_ok) {
    removeHandle(session);
    crDestroyModel(model);
    return status;
  }
  crDestroyModel(session->pulled);
  session->pulled = model;
  status = weigh(session, &session->mass);
  if (status == cr_ok && session->mass == 0.0) {
    return refuse(session, object, "this does not move, and cannot be pulled");
  }
  session->isHeld = status == cr_ok;
  session->target = crInstance_GetPose(crSimulation_GetInstance(session->simulation), findHandle(session)).p;
  return status;
}

crStatus crSession_Pull(crSession* session, crVec3 target)
{
  bool isGood = session->isHeld && isfinite(target.x) && isfinite(target.y) && isfinite(target.z);
  session->target = isGood ? target : session->target;
  return isGood ? cr_ok : cr_errorMisuse;
}

// -------------------------------------------------------------------------------------------- moving

crStatus crSession_SetInput(crSession* session, const char* path, double value)
{
  int input = crModel_FindInput(crSimulation_GetModel(session->simulation), path);
  return input >= 0 ? crSimulation_SetInput(session->simulation, input, value) : cr_errorMisuse;
}

crStatus crSession_Step(crSession* session)
{
  crStatus status = session->isHeld ? pull(session) : cr_ok;
  double t = session->start + (session->stepCount + 1) * CR_SESSION_INTERVAL; // products do not drift
  status = status == cr_ok ? crSimulation_Advance(session->simulation, t) : status;
  session->stepCount += status == cr_ok;
  return status == cr_ok && session->recorder != NULL ? addRow(session) : status;
}
