// Scenes of a structure: edits of a borrowed one.
#include "scene/structure.h"

#include "scene/field.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------- the changes

crElementKind crChangeKind_GetElement(crChangeKind kind)
{
  return kind == cr_changeLocked ? cr_elementJoint : kind == cr_changeHeld ? cr_elementSignal : cr_elementObject;
}

const crChange* crSceneStructure_Find(const crSceneStructure* structure, crElementKind element, int index)
{
  for (int i = 0; i < structure->changes.count; ++i) {
    const crChange* change = &structure->changes.items[i];
    if (crChangeKind_GetElement(change->kind) == element && change->index == index) {
      return change;
    }
  }
  return NULL;
}

bool crSceneStructure_Set(crSceneStructure* structure, const crAllocator* allocator, const crChange* change)
{
  crChange* place = (crChange*)crSceneStructure_Find(structure, crChangeKind_GetElement(change->kind), change->index);
  place = place != NULL ? place : crArray_Push(&structure->changes, allocator);
  if (place != NULL) {
    *place = *change;
  }
  return place != NULL;
}

void crSceneStructure_Forget(crSceneStructure* structure, crElementKind element, int index)
{
  const crChange* change = crSceneStructure_Find(structure, element, index);
  if (change != NULL) {
    int place = (int)(change - structure->changes.items);
    memmove(&structure->changes.items[place], &structure->changes.items[place + 1],
            (size_t)(--structure->changes.count - place) * sizeof *change);
  }
}

// ------------------------------------------------------------------------------------------------- what goes

// What is not there any more, by its number in the scene.
typedef struct Gone {
  crAllocator allocator;
  const crScene* scene;
  bool *objects, *joints, *signals;
  size_t objectRoom, jointRoom, signalRoom; // of these, which are more than the scene has in the end
  int* labels;                              // (objects) scratch: sets of objects that are connected,
  bool* isCarried;                          // (objects) by label: the world or a free object is in the set
} Gone;

static int findElement(const crScene* scene, crElementKind kind, const char* path)
{
  return crScene_IndexOf(scene, kind, crScene_Find(scene, path));
}

static bool isGone(const Gone* gone, crElementKind kind, const char* path)
{
  const bool* list = kind == cr_elementObject ? gone->objects : kind == cr_elementJoint ? gone->joints : gone->signals;
  int index = path != NULL ? findElement(gone->scene, kind, path) : -1;
  return index >= 0 && list[index];
}

// Whether a field of a def names something that is gone. signals: whether those count.
static bool namesGone(const Gone* gone, const crField* field, const void* def, bool signals)
{
  const void* member = (const char*)def + field->offset;
  const char* path = NULL;
  if (field->type == cr_fieldPath || field->type == cr_fieldJoint || (field->type == cr_fieldSignal && signals)) {
    memcpy(&path, member, sizeof path);
    return isGone(gone,
                  field->type == cr_fieldPath    ? cr_elementObject
                  : field->type == cr_fieldJoint ? cr_elementJoint
                                                 : cr_elementSignal,
                  path);
  }
  if (field->type == cr_fieldPaths) {
    const char* const* paths;
    int count;
    memcpy(&paths, member, sizeof paths);
    memcpy(&count, (const char*)member + sizeof paths, sizeof count);
    for (int i = 0; i < count; ++i) {
      if (isGone(gone, cr_elementObject, paths[i])) {
        return true;
      }
    }
  }
  return false;
}

static bool isOrphan(const Gone* gone, const crRecord* record, const void* def, bool signals)
{
  for (int i = 0; i < record->fieldCount; ++i) {
    if (namesGone(gone, &record->fields[i], def, signals)) {
      return true;
    }
  }
  return false;
}

static int findLabel(int* labels, int object)
{
  while (labels[object] != object) {
    object = labels[object] = labels[labels[object]];
  }
  return object;
}

static void join(Gone* gone, int a, int b)
{
  if (a >= 0 && b >= 0 && !gone->objects[a] && !gone->objects[b]) {
    gone->labels[findLabel(gone->labels, a)] = findLabel(gone->labels, b);
  }
}

static int findRigidParent(const crScene* scene, int object)
{
  const crObjectDef* def = &scene->objects.items[object].def;
  return def->mobility == cr_mobilityRigid && def->parent != NULL ? findElement(scene, cr_elementObject, def->parent)
                                                                  : -1;
}

int crScene_FindGroupRoot(const crScene* scene, int object)
{
  int parent = findRigidParent(scene, object);
  for (int i = 0; parent >= 0 && i < scene->objects.count; ++i) {
    object = parent;
    parent = findRigidParent(scene, object);
  }
  return object;
}

// Whether some action attaches an object of this name.
static bool isEverAttached(const crScene* scene, const char* path)
{
  for (int i = 0; i < scene->actions.count; ++i) {
    const crActionDef* def = &scene->actions.items[i];
    if (def->attach != NULL && strcmp(def->attach, path) == 0) {
      return true;
    }
  }
  return false;
}

int crSceneStructure_FindMovable(const crSceneStructure* structure, const crScene* first, const crScene* view,
                                 crActionKind kind, int object)
{
  bool climbs = kind == cr_actionAttach || isEverAttached(first, view->objects.items[object].def.name);
  int place = object;
  for (int i = 0; place >= 0 && i <= view->objects.count && (climbs || i == 0); ++i) {
    const crChange* change = crSceneStructure_Find(structure, cr_elementObject, place);
    bool isFree = view->objects.items[place].def.mobility == cr_mobilityFree;
    if ((isFree && (i == 0 || kind == cr_actionAttach)) || (change != NULL && change->kind == cr_changeAttached)) {
      return place;
    }
    place = findRigidParent(view, place);
  }
  return findRigidParent(view, object) >= 0 ? object : -1;
}

static bool removeChildren(Gone* gone)
{
  bool hasChanged = false;
  for (int i = 0; i < gone->scene->objects.count; ++i) {
    int parent = findRigidParent(gone->scene, i);
    if (!gone->objects[i] && parent >= 0 && gone->objects[parent]) {
      gone->objects[i] = hasChanged = true;
    }
  }
  return hasChanged;
}

// What neither the world nor a free object carries any more.
static bool removeHanging(Gone* gone)
{
  const crScene* scene = gone->scene;
  int count = scene->objects.count;
  bool hasChanged = false;
  for (int i = 0; i < count; ++i) {
    gone->labels[i] = i;
    gone->isCarried[i] = false;
  }
  for (int i = 0; i < count; ++i) {
    join(gone, i, findRigidParent(scene, i));
  }
  for (int i = 0; i < scene->joints.count; ++i) {
    const crJointDef* def = &scene->joints.items[i];
    join(gone, findElement(scene, cr_elementObject, def->objectA), findElement(scene, cr_elementObject, def->objectB));
  }
  for (int i = 0; i < count; ++i) {
    if (!gone->objects[i] && scene->objects.items[i].def.mobility != cr_mobilityRigid) {
      gone->isCarried[findLabel(gone->labels, i)] = true;
    }
  }
  for (int i = 0; i < count; ++i) {
    if (!gone->objects[i] && !gone->isCarried[findLabel(gone->labels, i)]) {
      gone->objects[i] = hasChanged = true;
    }
  }
  return hasChanged;
}

// From objects that were deleted to all that goes with them.
static void spread(Gone* gone)
{
  const crScene* scene = gone->scene;
  while (removeChildren(gone) || removeHanging(gone)) {
  }
  for (int i = 0; i < scene->joints.count; ++i) {
    const crJointDef* def = &scene->joints.items[i];
    gone->joints[i] = isGone(gone, cr_elementObject, def->objectA) || isGone(gone, cr_elementObject, def->objectB);
  }
  for (bool hasChanged = true; hasChanged;) { // a pick has nothing to pick from a signal that is held
    hasChanged = false;
    for (int i = 0; i < scene->signals.count; ++i) {
      const crSignalDef* def = &scene->signals.items[i].def;
      if (!gone->signals[i] && isOrphan(gone, crGetSignalRecord(def->kind), def, def->kind == cr_signalPick)) {
        gone->signals[i] = hasChanged = true;
      }
    }
  }
}

static bool makeGone(Gone* gone, const crScene* scene, const crSceneStructure* structure, const crAllocator* allocator)
{
  *gone = (Gone){ .allocator = *allocator,
                  .scene = scene,
                  .objectRoom = (size_t)scene->objects.count + 1,
                  .jointRoom = (size_t)scene->joints.count + 1,
                  .signalRoom = (size_t)scene->signals.count + 1 };
  gone->objects = crAllocateZero(allocator, gone->objectRoom, sizeof(bool));
  gone->isCarried = crAllocateZero(allocator, gone->objectRoom, sizeof(bool));
  gone->labels = crAllocateZero(allocator, gone->objectRoom, sizeof(int));
  gone->joints = crAllocateZero(allocator, gone->jointRoom, sizeof(bool));
  gone->signals = crAllocateZero(allocator, gone->signalRoom, sizeof(bool));
  bool hasMemory = gone->objects != NULL && gone->isCarried != NULL && gone->labels != NULL && gone->joints != NULL &&
                   gone->signals != NULL;
  bool hasDeleted = false;
  for (int i = 0; hasMemory && i < structure->changes.count; ++i) {
    const crChange* change = &structure->changes.items[i];
    if (change->kind == cr_changeDeleted) {
      gone->objects[change->index] = hasDeleted = true;
    }
  }
  if (hasDeleted) {
    spread(gone);
  }
  return hasMemory;
}

static void freeGone(Gone* gone)
{
  crFree(&gone->allocator, gone->objects, gone->objects != NULL ? gone->objectRoom * sizeof(bool) : 0);
  crFree(&gone->allocator, gone->isCarried, gone->isCarried != NULL ? gone->objectRoom * sizeof(bool) : 0);
  crFree(&gone->allocator, gone->labels, gone->labels != NULL ? gone->objectRoom * sizeof(int) : 0);
  crFree(&gone->allocator, gone->joints, gone->joints != NULL ? gone->jointRoom * sizeof(bool) : 0);
  crFree(&gone->allocator, gone->signals, gone->signals != NULL ? gone->signalRoom * sizeof(bool) : 0);
}

// --------------------------------------------------------------------------------------------------- edits

static void placeObject(crScene* scene, const crChange* change)
{
  crObjectDef* def = &scene->objects.items[change->index].def;
  bool isFree = change->kind == cr_changeFree;
  def->mobility = isFree ? cr_mobilityFree : cr_mobilityRigid;
  def->parent = isFree ? NULL : scene->objects.items[change->other].def.name;
  def->position = change->position;
  def->rotation = change->orientation;
  def->velocity = def->angularVelocity = crMakeVec3(0.0, 0.0, 0.0);
  def->start = cr_startPose;
}

// A motion that stands still takes the place of what drives the joint.
static crStatus lockJoint(crScene* scene, const crChange* change)
{
  crJointDef* def = &scene->joints.items[change->index];
  char name[CR_MAX_PATH + 16];
  snprintf(name, sizeof name, "%s.%s", def->name, CR_LOCK_SUFFIX);
  crSignalDef signal = crDefaultSignalDef(cr_signalConstant, name);
  signal.source = def->source;
  signal.as.constant.value = change->value;
  crStatus status = crScene_AddSignal(scene, &signal, NULL);
  if (status == cr_ok) {
    def->drive = NULL;
    def->motion = scene->signals.items[scene->signals.count - 1].def.name;
    def->start[0] = def->startRate[0] = 0.0;
  }
  return status;
}

static void holdSignal(crScene* scene, int index, double value)
{
  crSignalDef def = crDefaultSignalDef(cr_signalConstant, scene->signals.items[index].def.name);
  def.source = scene->signals.items[index].def.source;
  def.as.constant.value = value;
  scene->signals.items[index] = (crSceneSignal){ .def = def };
}

static crStatus removeIf(crScene* scene, crElementKind kind, int index, bool isOver)
{
  return isOver ? crScene_Remove(scene, crScene_GetId(scene, kind, index)) : cr_ok;
}

static bool couplesGone(const Gone* gone, const crCouplingDef* def)
{
  bool isOver = isOrphan(gone, crGetCouplingRecord(def->kind), def, false);
  for (int i = 0; def->kind == cr_couplingSum && i < def->as.sum.jointCount; ++i) {
    isOver = isOver || isGone(gone, cr_elementJoint, def->as.sum.joints[i].name);
  }
  return isOver;
}

// From the last to the first, so that numbers stay; what refers to others before these.
static crStatus removeGone(crScene* scene, const Gone* gone)
{
  crStatus status = cr_ok;
  for (int i = scene->forces.count - 1; i >= 0 && status == cr_ok; --i) {
    const crForceDef* def = &scene->forces.items[i];
    status = removeIf(scene, cr_elementForce, i, isOrphan(gone, crGetForceRecord(def->kind), def, false));
  }
  for (int i = scene->couplings.count - 1; i >= 0 && status == cr_ok; --i) {
    status = removeIf(scene, cr_elementCoupling, i, couplesGone(gone, &scene->couplings.items[i]));
  }
  for (int i = scene->exclusions.count - 1; i >= 0 && status == cr_ok; --i) {
    const crExclusionDef* def = &scene->exclusions.items[i];
    status =
        removeIf(scene, cr_elementExclusion, i, isOrphan(gone, crGetElementRecord(cr_elementExclusion), def, false));
  }
  for (int i = scene->joints.count - 1; i >= 0 && status == cr_ok; --i) {
    status = removeIf(scene, cr_elementJoint, i, gone->joints[i]);
  }
  for (int i = scene->objects.count - 1; i >= 0 && status == cr_ok; --i) {
    crObjectDef* def = &scene->objects.items[i].def;
    def->parent = def->mobility == cr_mobilityFree && isGone(gone, cr_elementObject, def->parent) ? NULL : def->parent;
  }
  for (int i = scene->objects.count - 1; i >= 0 && status == cr_ok; --i) {
    status = removeIf(scene, cr_elementObject, i, gone->objects[i]);
  }
  return status;
}

static void applyObjects(crScene* scene, const crSceneStructure* structure)
{
  for (int i = 0; i < structure->changes.count; ++i) {
    const crChange* change = &structure->changes.items[i];
    if (change->kind == cr_changeAttached || change->kind == cr_changeFree) {
      placeObject(scene, change);
    }
  }
}

static crStatus applyAll(crScene* scene, const crSceneStructure* structure)
{
  Gone gone;
  applyObjects(scene, structure);
  crStatus status = makeGone(&gone, scene, structure, &scene->allocator) ? cr_ok : cr_errorMemory;
  for (int i = 0; i < scene->signals.count && status == cr_ok; ++i) {
    const crChange* held = crSceneStructure_Find(structure, cr_elementSignal, i);
    if (gone.signals[i] || held != NULL) {
      holdSignal(scene, i, held != NULL ? held->value : 0.0);
    }
  }
  for (int i = 0; i < structure->changes.count && status == cr_ok; ++i) {
    const crChange* change = &structure->changes.items[i];
    bool isLocked = change->kind == cr_changeLocked && !gone.joints[change->index];
    status = isLocked ? lockJoint(scene, change) : cr_ok;
  }
  status = status == cr_ok ? removeGone(scene, &gone) : status;
  freeGone(&gone);
  return status;
}

crStatus crMakeStructured(const crScene* first, const crSceneStructure* structure, const crAllocator* allocator,
                          const crErrorSink* sink, crScene** outScene)
{
  crStatus status = crBorrowScene(first, allocator, sink, outScene);
  status = status == cr_ok ? applyAll(*outScene, structure) : status;
  if (status != cr_ok) {
    crDestroyScene(*outScene);
    *outScene = NULL;
  }
  return status;
}

bool crSceneStructure_FindOrphans(const crScene* first, const crSceneStructure* structure, const crAllocator* allocator,
                                  bool (*hold)(void* context, int signal), void* context)
{
  Gone gone;
  crScene* scene = NULL;
  if (crBorrowScene(first, allocator, NULL, &scene) != cr_ok) {
    return false;
  }
  applyObjects(scene, structure);
  bool hasMemory = makeGone(&gone, scene, structure, allocator);
  for (int i = 0; hasMemory && i < scene->signals.count; ++i) {
    if (gone.signals[i] && crSceneStructure_Find(structure, cr_elementSignal, i) == NULL) {
      hasMemory = hold(context, i);
    }
  }
  freeGone(&gone);
  crDestroyScene(scene);
  return hasMemory;
}
