// Actions: what one does to the structure of a run, and whether it may.
#include "base/memory.h"
#include "base/report.h"
#include "sim/acting.h"

#include <stdio.h>
#include <string.h>

#define CR_UNLOCK_JUMP 1e-6 // [m] or [rad] by which a motion may have gone on

typedef struct Doing {
  crSimulation* simulation;
  crActing* acting;
  const crScene* scene; // the first one
  const crActionDef* def;
  crActionKind kind;
  const char* target;
  int index;                  // of the object or joint that changes, in the first scene
  bool isPlastic;             // velocities jump
  crSceneStructure structure; // the next one
  char text[3 * CR_MAX_PATH];
} Doing;

// ---------------------------------------------------------------------------------------------- reporting

static crStatus fail(Doing* doing, const crComplaint* complaint)
{
  crReporter reporter = crMakeReporter(&doing->simulation->run.sink, doing->def->source, doing->def->name);
  crReport(&reporter, cr_severityError, cr_errorModel, complaint);
  doing->simulation->run.hasFailed = true;
  return cr_errorModel;
}

static crStatus failSpeed(Doing* doing, double speed, double most, const char* unit)
{
  char message[160], found[48], allowed[64];
  snprintf(message, sizeof message, "%s at %.9g s would be an impact: it is too fast",
           crActionKind_GetText(doing->kind), doing->simulation->time);
  snprintf(found, sizeof found, "%.6g %s", speed, unit);
  snprintf(allowed, sizeof allowed, "up to maxSpeed, %.6g %s", most, unit);
  crComplaint complaint = { .message = message,
                            .found = found,
                            .allowed = allowed,
                            .hint = "slow it down before, or allow the impact by a larger maxSpeed" };
  return fail(doing, &complaint);
}

// What went wrong has been told, but not where it comes from.
static void tellAction(const Doing* doing)
{
  crReporter reporter = crMakeReporter(&doing->simulation->run.sink, doing->def->source, doing->def->name);
  crReportNumber(&reporter, "the run cannot go on behind this action", doing->simulation->time, NULL, "s", NULL);
}

// ------------------------------------------------------------------------------------------------ what is done

static int findIn(const crScene* scene, crElementKind kind, const char* path)
{
  return crScene_IndexOf(scene, kind, crScene_Find(scene, path));
}

static const char* nameOf(const Doing* doing, int object)
{
  return doing->scene->objects.items[object].def.name;
}

static bool isDeleted(const Doing* doing, const char* path)
{
  return crModel_FindObject(doing->simulation->run.model, path) < 0;
}

// Objects as parents, mobilities and numbers of the first scene have them now, deleted ones included.
static crStatus makeView(const Doing* doing, crScene** outView)
{
  crSceneStructure kept = { .changes = { NULL, 0, 0 } };
  const crSceneStructure* all = &doing->acting->structure;
  crStatus status = cr_ok;
  for (int i = 0; i < all->changes.count && status == cr_ok; ++i) {
    crChangeKind kind = all->changes.items[i].kind;
    bool isKept = kind == cr_changeAttached || kind == cr_changeFree;
    status = !isKept || crSceneStructure_Set(&kept, &doing->acting->allocator, &all->changes.items[i]) ? cr_ok
                                                                                                       : cr_errorMemory;
  }
  status = status == cr_ok ? crMakeStructured(doing->scene, &kept, &doing->acting->allocator, NULL, outView) : status;
  crArray_Free(&kept.changes, &doing->acting->allocator);
  return status;
}

static crPose poseOf(const Doing* doing, const char* path)
{
  const crRun* run = &doing->simulation->run;
  return crInstance_GetPose(run->instance, crModel_FindObject(run->model, path));
}

static bool set(Doing* doing, crChange change, crPose pose)
{
  change.position = pose.p;
  change.orientation = crMat3ToQuat(pose.R);
  return crSceneStructure_Set(&doing->structure, &doing->acting->allocator, &change);
}

// -------------------------------------------------------------------------------------------------- attaching

// How fast a free object moves relative to another one: its centre of mass, or, if that is more, at its radius of
// gyration by turning [m/s].
static double findSpeed(const Doing* doing, const char* path, const char* to)
{
  const crRun* run = &doing->simulation->run;
  int object = crModel_FindObject(run->model, path), other = crModel_FindObject(run->model, to);
  int body = crModel_GetObject(run->model, object)->body;
  crInertia inertia = crModel_GetBody(run->model, body)->inertia;
  int reference = crModel_FindObject(run->model, crModel_GetBodyPath(run->model, body));
  crVec3 com = crTransformPoint(crInstance_GetPose(run->instance, reference), inertia.com);
  crMotion a = crInstance_GetMotion(run->instance, object), b = crInstance_GetMotion(run->instance, other);
  crVec3 pa = crInstance_GetPose(run->instance, object).p, pb = crInstance_GetPose(run->instance, other).p;
  crVec3 va = crAdd(a.v, crCross(a.w, crSub(com, pa))), vb = crAdd(b.v, crCross(b.w, crSub(com, pb)));
  double trace = inertia.I_com.xx + inertia.I_com.yy + inertia.I_com.zz;
  double radius = inertia.mass > 0.0 ? sqrt(0.5 * trace / inertia.mass) : 0.0;
  return fmax(crLength(crSub(va, vb)), radius * crLength(crSub(a.w, b.w)));
}

static double findMostSpeed(const crActionDef* def)
{
  return def->maxSpeed > 0.0 ? def->maxSpeed : CR_ACTION_SPEED;
}

static crStatus attachObject(Doing* doing)
{
  const char* movable = nameOf(doing, doing->index);
  double speed = findSpeed(doing, movable, doing->def->to), most = findMostSpeed(doing->def);
  if (!(speed <= most)) {
    return failSpeed(doing, speed, most, "m/s");
  }
  crChange change = { .kind = cr_changeAttached,
                      .index = doing->index,
                      .other = findIn(doing->scene, cr_elementObject, doing->def->to) };
  doing->isPlastic = true;
  return set(doing, change, crInvMulPose(poseOf(doing, doing->def->to), poseOf(doing, movable))) ? cr_ok
                                                                                                 : cr_errorMemory;
}

static crStatus releaseObject(Doing* doing)
{
  if (doing->scene->objects.items[doing->index].def.mobility == cr_mobilityFree) {
    crSceneStructure_Forget(&doing->structure, cr_elementObject, doing->index);
    return cr_ok;
  }
  crChange change = { .kind = cr_changeFree, .index = doing->index };
  return set(doing, change, poseOf(doing, nameOf(doing, doing->index))) ? cr_ok : cr_errorMemory;
}

// -------------------------------------------------------------------------------------------- deleting, locking

static bool hold(void* context, int signal)
{
  Doing* doing = context;
  const crRun* run = &doing->simulation->run;
  char name[CR_MAX_PATH + 16];
  snprintf(name, sizeof name, "%s.%s", doing->scene->signals.items[signal].def.name, CR_SIGNAL_SUFFIX);
  int variable = crModel_FindVariable(run->model, name);
  double value = variable >= 0 ? crInstance_GetVariable(run->instance, variable) : 0.0;
  crChange change = { .kind = cr_changeHeld, .index = signal, .value = value };
  return crSceneStructure_Set(&doing->structure, &doing->acting->allocator, &change);
}

static crStatus deleteObject(Doing* doing)
{
  const crAllocator* allocator = &doing->acting->allocator;
  crChange change = { .kind = cr_changeDeleted, .index = doing->index };
  bool hasMemory = crSceneStructure_Set(&doing->structure, allocator, &change);
  if (hasMemory) { // hold changes the structure that is being looked at
    crSceneStructure looked;
    hasMemory = crSceneStructure_Copy(&doing->structure, allocator, &looked) &&
                crSceneStructure_FindOrphans(doing->scene, &looked, allocator, hold, doing);
    crArray_Free(&looked.changes, allocator);
  }
  return hasMemory ? cr_ok : cr_errorMemory;
}

static double readJoint(const Doing* doing, bool isRate)
{
  const crRun* run = &doing->simulation->run;
  const crJointDef* def = &doing->scene->joints.items[doing->index];
  const crJointType* type = crGetJointType((int)def->kind);
  char name[CR_MAX_PATH + 64];
  snprintf(name, sizeof name, "%s.%s", def->name, isRate ? type->rateNames[0] : type->coordinateNames[0]);
  return crInstance_GetVariable(run->instance, crModel_FindVariable(run->model, name));
}

static crStatus lockJoint(Doing* doing)
{
  double speed = fabs(readJoint(doing, true)), most = findMostSpeed(doing->def);
  if (!(speed <= most)) {
    bool isLinear = doing->scene->joints.items[doing->index].kind == cr_jointPrismatic;
    return failSpeed(doing, speed, most, isLinear ? "m/s" : "rad/s");
  }
  crChange change = { .kind = cr_changeLocked, .index = doing->index, .value = readJoint(doing, false) };
  doing->isPlastic = true;
  return crSceneStructure_Set(&doing->structure, &doing->acting->allocator, &change) ? cr_ok : cr_errorMemory;
}

static crStatus failJump(Doing* doing, double there, double here)
{
  char message[160], found[48], allowed[48];
  snprintf(message, sizeof message, "unlock at %.9g s would be a jump: the motion of the joint has gone on",
           doing->simulation->time);
  snprintf(found, sizeof found, "%.9g", there);
  snprintf(allowed, sizeof allowed, "%.9g, where it is locked", here);
  crComplaint complaint = { .message = message,
                            .found = found,
                            .allowed = allowed,
                            .hint = "unlock it where its motion is as it was, or drive the joint by a force" };
  return fail(doing, &complaint);
}

// A motion takes hold again at once, so it has to be where the joint is.
static crStatus unlockJoint(Doing* doing)
{
  const crRun* run = &doing->simulation->run;
  const crJointDef* def = &doing->scene->joints.items[doing->index];
  if (def->motion != NULL) {
    char name[CR_MAX_PATH + 16];
    snprintf(name, sizeof name, "%s.%s", def->motion, CR_SIGNAL_SUFFIX);
    double there = crInstance_GetVariable(run->instance, crModel_FindVariable(run->model, name));
    double here = readJoint(doing, false);
    if (!(fabs(there - here) <= CR_UNLOCK_JUMP)) {
      return failJump(doing, there, here);
    }
  }
  crSceneStructure_Forget(&doing->structure, cr_elementJoint, doing->index);
  return cr_ok;
}

// -------------------------------------------------------------------------------------------------- choosing

// Whether there is anything to do, which needs the structure alone. outReleases: it has to be released before.
static crStatus plan(Doing* doing, bool* outIsIdle, bool* outReleases)
{
  const crSceneStructure* structure = &doing->acting->structure;
  *outIsIdle = *outReleases = false;
  if (doing->kind == cr_actionLock || doing->kind == cr_actionUnlock) {
    doing->index = findIn(doing->scene, cr_elementJoint, doing->target);
    bool isLocked = crSceneStructure_Find(structure, cr_elementJoint, doing->index) != NULL;
    bool isThere = crModel_FindJoint(doing->simulation->run.model, doing->target) >= 0;
    *outIsIdle = !isThere || isLocked == (doing->kind == cr_actionLock);
    return cr_ok;
  }
  if (isDeleted(doing, doing->target) || (doing->def->to != NULL && isDeleted(doing, doing->def->to))) {
    *outIsIdle = true;
    return cr_ok;
  }
  crScene* view = NULL;
  crStatus status = makeView(doing, &view);
  if (status != cr_ok) {
    return status;
  }
  int object = findIn(doing->scene, cr_elementObject, doing->target);
  doing->index = doing->kind == cr_actionDelete
                     ? object
                     : crSceneStructure_FindMovable(structure, doing->scene, view, doing->kind, object);
  if (doing->kind != cr_actionDelete && doing->index < 0) {
    *outIsIdle = true;
  } else if (doing->kind != cr_actionDelete) {
    bool isFree = view->objects.items[doing->index].def.mobility == cr_mobilityFree;
    int to = doing->kind == cr_actionAttach ? findIn(doing->scene, cr_elementObject, doing->def->to) : -1;
    bool isTogether = to >= 0 && crScene_FindGroupRoot(view, to) == crScene_FindGroupRoot(view, object);
    *outIsIdle = doing->kind == cr_actionRelease ? isFree : isTogether;
    *outReleases = doing->kind == cr_actionAttach && !isFree;
  }
  crDestroyScene(view);
  return cr_ok;
}

static void describe(Doing* doing)
{
  snprintf(doing->text, sizeof doing->text, "%s: %s %s%s%s", doing->def->name, crActionKind_GetText(doing->kind),
           doing->target, doing->kind == cr_actionAttach ? " to " : "",
           doing->kind == cr_actionAttach ? doing->def->to : "");
}

static crStatus change(Doing* doing)
{
  switch (doing->kind) {
    case cr_actionAttach: return attachObject(doing);
    case cr_actionRelease: return releaseObject(doing);
    case cr_actionDelete: return deleteObject(doing);
    case cr_actionLock: return lockJoint(doing);
    case cr_actionUnlock: return unlockJoint(doing);
    case cr_actionKindCount: break;
  }
  return cr_errorMisuse;
}

// One step of an action: another structure, from which the run goes on.
static crStatus restructure(Doing* doing, crStatus (*edit)(Doing* doing))
{
  crActing* acting = doing->acting;
  if (!crSceneStructure_Copy(&acting->structure, &acting->allocator, &doing->structure)) {
    return cr_errorMemory;
  }
  doing->isPlastic = false;
  crStatus status = edit(doing);
  if (status == cr_ok) {
    status = crSimulation_Restructure(doing->simulation, &doing->structure, doing->isPlastic);
    if (status == cr_errorModel || status == cr_failNumerics) {
      tellAction(doing);
    }
  }
  crArray_Free(&doing->structure.changes, &acting->allocator);
  return status;
}

// ------------------------------------------------------------------------------------------------------ doing

// Rows of an event, for those who look at them.
static crStatus look(crSimulation* simulation, crRowKind kind)
{
  const crRun* run = &simulation->run;
  bool isWatched = run->observer != NULL && run->observer->atEvent != NULL && run->options.eventRows == cr_eventRowsOn;
  return isWatched ? run->observer->atEvent(run->observer->context, simulation->time, kind, run->instance) : cr_ok;
}

static crStatus tell(const Doing* doing)
{
  const crObserver* observer = doing->simulation->run.observer;
  return observer != NULL && observer->atAction != NULL
             ? observer->atAction(observer->context, doing->simulation->time, doing->def->name, doing->text)
             : cr_ok;
}

// All islands end here.
static crStatus stop(crSimulation* simulation)
{
  crStatus status = cr_ok;
  if (simulation->islands != NULL) {
    status = simulation->needsRestart ? cr_ok : crIslands_Freeze(simulation->islands, simulation->time);
    simulation->needsRestart = true; // whatever comes
    status = status == cr_ok ? crIslands_Finish(simulation->islands) : status;
  }
  status = status == cr_ok ? crSimulation_Place(simulation, simulation->time) : status;
  if (status == cr_ok && simulation->run.contacts != NULL) {
    crContacts_DropApart(simulation->run.contacts);
  }
  if (status == cr_ok) {
    crSimulation_TellEnergies(simulation);
  }
  return status > 0 ? crSimulation_ReportPoint(simulation, simulation->time, "at an action") : status;
}

crStatus crSimulation_DoAction(crSimulation* simulation, int action)
{
  crActing* acting = simulation->acting;
  Doing doing = { .simulation = simulation,
                  .acting = acting,
                  .scene = acting->first->scene,
                  .def = crModel_GetAction(acting->first, action) };
  doing.kind = crActionDef_GetKind(doing.def, &doing.target);
  describe(&doing);
  bool isIdle, releases;
  crStatus status = plan(&doing, &isIdle, &releases);
  if (status != cr_ok || isIdle) {
    return status;
  }
  status = stop(simulation);
  status = status == cr_ok ? look(simulation, cr_rowBefore) : status;
  status = status == cr_ok && releases ? restructure(&doing, releaseObject) : status;
  status = status == cr_ok ? restructure(&doing, change) : status;
  acting->doneCount += status == cr_ok;
  status = status == cr_ok ? tell(&doing) : status;
  return status == cr_ok ? look(simulation, cr_rowAfter) : status;
}
