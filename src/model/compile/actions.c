// Actions in the compiler: their names are resolved, and each is tried once, so that what cannot be compiled behind it
// is told before a run begins.
#include "joint/joint_kind.h"
#include "model/compile/compile.h"
#include "scene/structure.h"

static crAddress addressOf(const crActionDef* def)
{
  return (crAddress){ def->source, def->name };
}

// ----------------------------------------------------------------------------------------------- resolving

static void resolveJoint(crCompilation* c, crAddress address, const char* what, const char* name)
{
  int joint = crResolveElement(c, cr_elementJoint, address, what, name);
  if (joint >= 0 && crJointKind_CountV(c->jointDefs[joint]->kind) != 1) {
    crComplaint rest = { .found = crJointKind_GetText(c->jointDefs[joint]->kind),
                         .allowed = "a joint with one degree of freedom",
                         .hint = "attach objectB to objectA instead" };
    crCompilation_Report(c, cr_severityError, address, &rest, "joint '%s' cannot be locked", name);
  }
}

static void resolveAction(crCompilation* c, const crActionDef* def)
{
  const char* target;
  crActionKind kind = crActionDef_GetKind(def, &target);
  const char* what = crActionKind_GetText(kind);
  crAddress address = addressOf(def);
  if (kind == cr_actionLock || kind == cr_actionUnlock) {
    resolveJoint(c, address, what, target);
  } else {
    crResolveElement(c, cr_elementObject, address, what, target);
  }
  if (def->to != NULL) {
    crResolveElement(c, cr_elementObject, address, "to", def->to);
  }
  if (def->signal != NULL) {
    crResolveElement(c, cr_elementSignal, address, "signal", def->signal);
  }
  for (int i = 0; i < def->contactCount; ++i) {
    crResolveElement(c, cr_elementObject, address, "contact", def->contact[i]);
  }
}

void crResolveActions(crCompilation* c)
{
  for (int i = 0; i < crScene_Count(c->scene, cr_elementAction); ++i) {
    resolveAction(c, crScene_GetAction(c->scene, crScene_GetId(c->scene, cr_elementAction, i)));
  }
}

// -------------------------------------------------------------------------------------------------- trials

static void passErrors(void* context, const crError* error)
{
  const crErrorSink* sink = context;
  if (error->severity == cr_severityError && sink != NULL && sink->report != NULL) {
    sink->report(sink->context, error);
  }
}

static int findObject(const crScene* scene, const char* path)
{
  return crScene_IndexOf(scene, cr_elementObject, crScene_Find(scene, path));
}

static void report(const crErrorSink* sink, const crActionDef* def, const char* message, const char* hint)
{
  crReporter reporter = crMakeReporter(sink, def->source, def->name);
  crComplaint complaint = { .message = message, .hint = hint };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
}

// The change that an action makes of the first scene. cr_cancelled: none.
static crStatus findChange(const crScene* scene, const crActionDef* def, const crErrorSink* sink, crChange* outChange)
{
  static const crSceneStructure none;
  const char* target;
  crActionKind kind = crActionDef_GetKind(def, &target);
  *outChange = (crChange){ .orientation = { 1.0, 0.0, 0.0, 0.0 } };
  if (kind == cr_actionLock || kind == cr_actionUnlock) {
    outChange->kind = cr_changeLocked;
    outChange->index = crScene_IndexOf(scene, cr_elementJoint, crScene_Find(scene, target));
    return kind == cr_actionLock ? cr_ok : cr_cancelled;
  }
  int object = findObject(scene, target), movable = crSceneStructure_FindMovable(&none, scene, scene, kind, object);
  if (scene->objects.items[object].def.mobility == cr_mobilityWorld) {
    report(sink, def, "the world cannot be attached, released or deleted", NULL);
    return cr_errorModel;
  }
  if (kind == cr_actionDelete) {
    outChange->kind = cr_changeDeleted;
    outChange->index = object;
    return cr_ok;
  }
  if (movable < 0) {
    report(sink, def, "joints move this object: only what is free or has a parent can be attached or released",
           "lock its joint, or name an object that is free");
    return cr_errorModel;
  }
  outChange->index = movable;
  if (kind == cr_actionRelease) {
    outChange->kind = cr_changeFree;
    return scene->objects.items[movable].def.mobility == cr_mobilityFree ? cr_cancelled : cr_ok;
  }
  outChange->kind = cr_changeAttached;
  outChange->other = findObject(scene, def->to);
  bool isSame = crScene_FindGroupRoot(scene, outChange->other) == crScene_FindGroupRoot(scene, movable);
  return isSame ? cr_cancelled : cr_ok;
}

static crStatus tryAction(const crScene* scene, const crActionDef* def, const crAllocator* allocator,
                          const crErrorSink* sink)
{
  crChange change;
  crSceneStructure structure = { { &change, 1, 1 } };
  crErrorSink errors = { passErrors, (void*)sink };
  crScene* changed = NULL;
  crModel* model = NULL;
  crStatus status = findChange(scene, def, sink, &change);
  if (status != cr_ok) {
    return status == cr_cancelled ? cr_ok : status;
  }
  status = crMakeStructured(scene, &structure, allocator, &errors, &changed);
  status = status == cr_ok ? crCompile(changed, NULL, allocator, &errors, &model) : status;
  crDestroyModel(model);
  crDestroyScene(changed);
  if (status == cr_errorModel) {
    report(sink, def, "the model cannot be compiled behind this action", NULL);
  }
  return status;
}

crStatus crAttachScene(const crScene* scene, const crAllocator* allocator, const crErrorSink* sink, crModel* model)
{
  int count = crScene_Count(scene, cr_elementAction);
  if (count == 0) {
    return cr_ok;
  }
  crStatus status = crCopyScene(scene, allocator, &model->scene), first = cr_ok;
  for (int i = 0; status == cr_ok && i < count; ++i) {
    status = tryAction(model->scene, crModel_GetAction(model, i), allocator, sink);
    first = first == cr_ok ? status : first;
    status = status == cr_errorModel ? cr_ok : status; // all of them are told
  }
  return status == cr_ok ? first : status;
}
