// The columns of a result: which variables, and their values at one time. And the poses of all bodies, for pictures.
#include "base/memory.h"
#include "base/report.h"
#include "carom/simulate.h"
#include "model/eval/instance.h"
#include "scene/structure.h"

#include <stdio.h>
#include <string.h>

#define CR_RECORD_ALL 2000 // variables up to which a model records everything by itself

// Where the value of a column comes from.
typedef struct Source {
  int variable; // of the model
  int state;    // its place in the state vector; -1: it is computed
  int energy;   // crEnergyVariable; -1: something else
} Source;

struct crRecorder {
  crAllocator allocator;
  crArena arena;       // of names
  crVariable variable; // the one being looked at
  char* name;          // (CR_VARIABLE_NAME) likewise
  crArrayOf(crColumn) columns;
  crArrayOf(Source) sources; // (columns.count)
  double* values;            // (columns.count)
  const crModel* model;      // whose numbers these are, which actions change while a run goes on,
  int generation;            // and its generation
  double* states;            // (stateCapacity) read at once: far cheaper than variable by variable
  int stateCapacity;
  bool hasEnergies;     // likewise
  int bodyCount;        // that move
  const char** bodies;  // (bodyCount) paths
  int* references;      // (bodyCount) model objects whose frames are the bodies'; -1: not there any more
  float* poses;         // (7 x bodyCount)
  int objectCount;      // 0: nothing can touch
  const char** objects; // (objectCount) paths
};

// false: there is no such variable.
static bool lookAt(crRecorder* recorder, const crModel* model, int index)
{
  return crModel_GetVariable(model, index, &recorder->variable) &&
         crModel_GetVariableName(model, index, recorder->name, CR_VARIABLE_NAME) > 0;
}

static bool addColumn(crRecorder* recorder, const crModel* model, int index)
{
  crVariablePlace place = crModel_LocateVariable(model, index);
  bool isEnergy = place.object < 0 && place.joint < 0 && place.signal < 0 && place.coupling < 0 && place.cable < 0;
  const char* name = crArena_CopyString(&recorder->arena, recorder->name);
  crColumn* column = name != NULL ? crArray_Push(&recorder->columns, &recorder->allocator) : NULL;
  Source* source = column != NULL ? crArray_Push(&recorder->sources, &recorder->allocator) : NULL;
  if (source == NULL) {
    return false;
  }
  *column = (crColumn){ name, recorder->variable.unit, recorder->variable.description };
  *source = (Source){ index, recorder->variable.state, isEnergy ? place.quantity : -1 };
  recorder->hasEnergies = recorder->hasEnergies || isEnergy;
  return true;
}

static bool matchesAny(const char* name, const char* const* patterns, int patternCount, bool* used)
{
  bool matches = false;
  for (int i = 0; i < patternCount; ++i) {
    if (crMatchesPattern(name, patterns[i])) {
      used[i] = true;
      matches = true;
    }
  }
  return matches;
}

// The variable whose name is nearest to a pattern, as a hint.
static void findNearest(crRecorder* recorder, const crModel* model, const char* pattern, char* buffer, size_t size)
{
  crNearest nearest = crMakeNearest(pattern);
  int best = -1;
  for (int i = 0; lookAt(recorder, model, i); ++i) {
    int before = nearest.bestDistance;
    crNearest_Try(&nearest, recorder->name);
    best = nearest.bestDistance < before ? i : best;
  }
  snprintf(buffer, size, "carom info MODEL --dump variables lists them");
  if (best >= 0 && lookAt(recorder, model, best)) {
    snprintf(buffer, size, "did you mean '%.200s'?", recorder->name);
  }
}

// A pattern that matches nothing is most likely misspelt.
static crStatus checkUsed(crRecorder* recorder, const crModel* model, const char* const* patterns, const bool* used,
                          int patternCount, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  for (int i = 0; i < patternCount; ++i) {
    if (!used[i]) {
      char hint[256];
      findNearest(recorder, model, patterns[i], hint, sizeof hint);
      crComplaint complaint = { .message = "no variable of the model matches", .found = patterns[i], .hint = hint };
      crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
    }
  }
  return reporter.errorCount > 0 ? cr_errorModel : cr_ok;
}

static crStatus chooseByPatterns(crRecorder* recorder, const crModel* model, const char* const* patterns,
                                 int patternCount, const crErrorSink* sink)
{
  bool* used = crArena_AllocateZero(&recorder->arena, (size_t)patternCount, sizeof *used);
  if (used == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; lookAt(recorder, model, i); ++i) {
    if (matchesAny(recorder->name, patterns, patternCount, used) && !addColumn(recorder, model, i)) {
      return cr_errorMemory;
    }
  }
  return checkUsed(recorder, model, patterns, used, patternCount, sink);
}

// Those of a model that has very much: states, energies, and all of driven joints, whose motion may be no state.
static bool isMain(const crModel* model, int index, const crVariable* variable)
{
  crVariablePlace place = crModel_LocateVariable(model, index);
  bool isEnergy = place.object < 0 && place.joint < 0 && place.signal < 0 && place.coupling < 0 && place.cable < 0;
  return variable->state >= 0 || isEnergy || (place.joint >= 0 && crHasDrive(&model->joints[place.joint]));
}

// Everything, or what matters most.
static crStatus chooseByDefault(crRecorder* recorder, const crModel* model)
{
  bool isSmall = crModel_GetSize(model).variableCount <= CR_RECORD_ALL;
  for (int i = 0; lookAt(recorder, model, i); ++i) {
    if ((isSmall || isMain(model, i, &recorder->variable)) && !addColumn(recorder, model, i)) {
      return cr_errorMemory;
    }
  }
  return cr_ok;
}

// The object that an action can make a body of its own, which it is not at the start; -1: none.
static int findLoose(const crModel* model, int action)
{
  static const crSceneStructure none;
  const char* target;
  const crScene* scene = model->scene;
  crActionKind kind = crActionDef_GetKind(crModel_GetAction(model, action), &target);
  if (kind != cr_actionAttach && kind != cr_actionRelease) {
    return -1;
  }
  int object = crScene_IndexOf(scene, cr_elementObject, crScene_Find(scene, target));
  int movable = crSceneStructure_FindMovable(&none, scene, scene, kind, object);
  bool isBody = movable < 0 || scene->objects.items[movable].def.mobility == cr_mobilityFree;
  return isBody ? -1 : crModel_FindObject(model, scene->objects.items[movable].def.name);
}

// Those that actions can make bodies, each once, behind the others.
static int listLoose(crRecorder* recorder, const crModel* model, int first)
{
  int count = first;
  for (int i = 0; i < crModel_CountActions(model); ++i) {
    int object = findLoose(model, i), k = 0;
    while (k < count && recorder->references[k] != object) {
      ++k;
    }
    if (object >= 0 && k == count) {
      recorder->references[count++] = object;
    }
  }
  return count;
}

// All bodies but the world, whatever variables are recorded.
static crStatus listBodies(crRecorder* recorder, const crModel* model)
{
  int own = crModel_GetSize(model).bodyCount - 1, count = own + crModel_CountActions(model);
  crArena* arena = &recorder->arena;
  recorder->bodies = crArena_AllocateZero(arena, (size_t)count, sizeof *recorder->bodies);
  recorder->references = crArena_AllocateZero(arena, (size_t)count, sizeof *recorder->references);
  recorder->poses = crArena_AllocateZero(arena, (size_t)count, CR_POSE_SIZE * sizeof *recorder->poses);
  if (recorder->bodies == NULL || recorder->references == NULL || recorder->poses == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < own; ++i) {
    recorder->references[i] = crModel_FindObject(model, crModel_GetBodyPath(model, i + 1));
  }
  recorder->bodyCount = listLoose(recorder, model, own);
  for (int i = 0; i < recorder->bodyCount; ++i) {
    recorder->bodies[i] = crArena_CopyString(arena, crModel_GetObjectPath(model, recorder->references[i]));
    if (recorder->bodies[i] == NULL) {
      return cr_errorMemory;
    }
  }
  return cr_ok;
}

static crStatus listObjects(crRecorder* recorder, const crModel* model)
{
  crModelSize size = crModel_GetSize(model);
  int count = size.pairCount > 0 ? size.objectCount : 0;
  recorder->objects = crArena_AllocateZero(&recorder->arena, (size_t)count, sizeof *recorder->objects);
  if (recorder->objects == NULL) {
    return cr_errorMemory;
  }
  recorder->objectCount = count;
  for (int i = 0; i < count; ++i) {
    recorder->objects[i] = crArena_CopyString(&recorder->arena, crModel_GetObjectPath(model, i));
    if (recorder->objects[i] == NULL) {
      return cr_errorMemory;
    }
  }
  return cr_ok;
}

static bool makeRoom(crRecorder* recorder, const crModel* model)
{
  int count = crModel_CountStates(model, crModel_GetAllTrees(model)) + 1;
  return crReserve(&recorder->allocator, &recorder->states, &recorder->stateCapacity, count, sizeof(double));
}

// Where columns and bodies are in a model that an action has made, by their names. false: out of memory.
static bool follow(crRecorder* recorder, const crModel* model)
{
  if (recorder->model == model && recorder->generation == model->generation) {
    return true;
  }
  for (int i = 0; i < recorder->sources.count; ++i) {
    Source* source = &recorder->sources.items[i];
    source->variable = crModel_FindVariable(model, recorder->columns.items[i].name);
    bool isThere = source->variable >= 0 && crModel_GetVariable(model, source->variable, &recorder->variable);
    source->state = isThere ? recorder->variable.state : -1;
  }
  for (int i = 0; i < recorder->bodyCount; ++i) {
    recorder->references[i] = crModel_FindObject(model, recorder->bodies[i]);
  }
  recorder->model = model;
  recorder->generation = model->generation;
  return makeRoom(recorder, model);
}

crStatus crCreateRecorder(const crModel* model, const char* const* patterns, int patternCount,
                          const crAllocator* allocator, const crErrorSink* sink, crRecorder** outRecorder)
{
  if (model == NULL || outRecorder == NULL || patternCount < 0) {
    return cr_errorMisuse;
  }
  *outRecorder = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crRecorder* recorder = crAllocateZero(&chosen, 1, sizeof *recorder);
  if (recorder == NULL) {
    return cr_errorMemory;
  }
  recorder->allocator = chosen;
  crArena_Init(&recorder->arena, &chosen);
  if (patternCount == 0) {
    patterns = crModel_GetRunOptions(model)->record;
    patternCount = crModel_GetRunOptions(model)->recordCount;
  }
  recorder->name = crArena_Allocate(&recorder->arena, CR_VARIABLE_NAME);
  crStatus status = recorder->name == NULL ? cr_errorMemory
                    : patternCount > 0     ? chooseByPatterns(recorder, model, patterns, patternCount, sink)
                                           : chooseByDefault(recorder, model);
  if (status == cr_ok) {
    status = listBodies(recorder, model);
  }
  if (status == cr_ok) {
    status = listObjects(recorder, model);
  }
  if (status == cr_ok) {
    recorder->model = model;
    recorder->generation = model->generation;
    recorder->values = crArena_AllocateZero(&recorder->arena, (size_t)recorder->columns.count, sizeof(double));
    status = recorder->values != NULL && makeRoom(recorder, model) ? cr_ok : cr_errorMemory;
  }
  if (status != cr_ok) {
    crDestroyRecorder(recorder);
    return status;
  }
  *outRecorder = recorder;
  return cr_ok;
}

void crDestroyRecorder(crRecorder* recorder)
{
  if (recorder != NULL) {
    crAllocator allocator = recorder->allocator;
    crArray_Free(&recorder->columns, &allocator);
    crArray_Free(&recorder->sources, &allocator);
    crArena_Free(&recorder->arena);
    crFree(&allocator, recorder->states, (size_t)recorder->stateCapacity * sizeof(double));
    crFree(&allocator, recorder, sizeof *recorder);
  }
}

int crRecorder_CountColumns(const crRecorder* recorder)
{
  return recorder != NULL ? recorder->columns.count : 0;
}

const crColumn* crRecorder_GetColumns(const crRecorder* recorder)
{
  return recorder != NULL ? recorder->columns.items : NULL;
}

const double* crRecorder_Read(crRecorder* recorder, const crInstance* instance)
{
  if (recorder == NULL || instance == NULL || !follow(recorder, crInstance_GetModel(instance))) {
    return NULL;
  }
  crInstance_GetState(instance, crModel_GetAllTrees(crInstance_GetModel(instance)), recorder->states);
  double energies[CR_ENERGY_VARIABLES];
  if (recorder->hasEnergies) {
    crInstance_GetEnergies(instance, energies);
  }
  for (int i = 0; i < recorder->sources.count; ++i) {
    const Source* source = &recorder->sources.items[i];
    recorder->values[i] = source->state >= 0     ? recorder->states[source->state]
                          : source->energy >= 0  ? energies[source->energy]
                          : source->variable < 0 ? NAN
                                                 : crInstance_GetVariable(instance, source->variable);
  }
  return recorder->values;
}

int crRecorder_CountBodies(const crRecorder* recorder)
{
  return recorder != NULL ? recorder->bodyCount : 0;
}

const char* const* crRecorder_GetBodies(const crRecorder* recorder)
{
  return recorder != NULL ? recorder->bodies : NULL;
}

const float* crRecorder_ReadPoses(crRecorder* recorder, const crInstance* instance)
{
  if (recorder == NULL || instance == NULL || !follow(recorder, crInstance_GetModel(instance))) {
    return NULL;
  }
  for (int i = 0; i < recorder->bodyCount; ++i) {
    if (recorder->references[i] < 0) {
      for (int k = 0; k < CR_POSE_SIZE; ++k) {
        recorder->poses[CR_POSE_SIZE * i + k] = NAN;
      }
      continue;
    }
    crPose X_WB = crInstance_GetPose(instance, recorder->references[i]);
    crQuat q_WB = crMat3ToQuat(X_WB.R);
    const double numbers[CR_POSE_SIZE] = { X_WB.p.x, X_WB.p.y, X_WB.p.z, q_WB.w, q_WB.x, q_WB.y, q_WB.z };
    for (int k = 0; k < CR_POSE_SIZE; ++k) {
      recorder->poses[CR_POSE_SIZE * i + k] = (float)numbers[k];
    }
  }
  return recorder->poses;
}

int crRecorder_CountObjects(const crRecorder* recorder)
{
  return recorder != NULL ? recorder->objectCount : 0;
}

const char* const* crRecorder_GetObjects(const crRecorder* recorder)
{
  return recorder != NULL ? recorder->objects : NULL;
}
