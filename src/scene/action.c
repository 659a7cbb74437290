// Actions: changes of the structure while a run goes on.
#include "scene/scene.h"

#include <string.h>

const char* crActionKind_GetText(crActionKind kind)
{
  static const char* const texts[] = { "attach", "release", "delete", "lock", "unlock" };
  return (unsigned)kind < cr_actionKindCount ? texts[kind] : "unknown action";
}

crActionDef crDefaultActionDef(const char* name)
{
  return (crActionDef){ .size = sizeof(crActionDef), .name = name };
}

static const char* findTarget(const crActionDef* def, int kind)
{
  const char* targets[] = { def->attach, def->release, def->remove, def->lock, def->unlock };
  return targets[kind];
}

crActionKind crActionDef_GetKind(const crActionDef* def, const char** outTarget)
{
  int kind = 0;
  while (def != NULL && kind < cr_actionKindCount && findTarget(def, kind) == NULL) {
    ++kind;
  }
  bool isAny = def != NULL && kind < cr_actionKindCount;
  if (outTarget != NULL) {
    *outTarget = isAny ? findTarget(def, kind) : NULL;
  }
  return isAny ? (crActionKind)kind : cr_actionKindCount;
}

crTriggerKind crActionDef_GetTrigger(const crActionDef* def)
{
  return def == NULL             ? cr_triggerCall
         : def->time != 0.0      ? cr_triggerTime
         : def->signal != NULL   ? cr_triggerSignal
         : def->contactCount > 0 ? cr_triggerContact
                                 : cr_triggerCall;
}

// ---------------------------------------------------------------------------------------------- checking

static void checkDeed(crReporter* reporter, const crActionDef* def)
{
  int count = 0;
  for (int kind = 0; kind < cr_actionKindCount; ++kind) {
    count += findTarget(def, kind) != NULL;
  }
  if (count != 1) {
    crReportError(reporter, "an action does one thing: attach, release, delete, lock or unlock; this one does %d",
                  count);
    return;
  }
  if (def->attach != NULL && def->to == NULL) {
    crReportError(reporter, "attach needs the object that it attaches to: attach = { \"%s\", to = ... }", def->attach);
  } else if (def->attach == NULL && def->to != NULL) {
    crReportError(reporter, "only attach has an object that it attaches to");
  } else if (def->attach != NULL && strcmp(def->attach, def->to) == 0) {
    crReportError(reporter, "'%s' cannot be attached to itself", def->attach);
  }
  if (def->maxSpeed != 0.0) {
    if (def->attach == NULL && def->lock == NULL) {
      crReportError(reporter, "only attach and lock have a maxSpeed");
    } else if (!(def->maxSpeed > 0.0)) {
      crReportNumber(reporter, "maxSpeed must be positive", def->maxSpeed, "> 0", "m/s or rad/s", NULL);
    }
  }
}

static void checkTrigger(crReporter* reporter, const crActionDef* def)
{
  bool hasTime = def->time != 0.0, hasSignal = def->signal != NULL, hasContact = def->contactCount != 0;
  if (hasTime + hasSignal + hasContact > 1) {
    crReportError(reporter, "an action has one trigger: time, signal or contact, or none for calls from outside");
  }
  if (hasTime) {
    crCheckFinite(reporter, "time", def->time);
  }
  if (def->period != 0.0) {
    crCheckPositive(reporter, "period", def->period, "s");
    if (!hasTime) {
      crReportError(reporter, "a period needs the time of the first one");
    }
  }
  crCheckFinite(reporter, "level", def->level);
  if (!hasSignal && (def->level != 0.0 || def->direction != cr_crossingUp)) {
    crReportError(reporter, "level and direction need a signal");
  }
  if ((unsigned)def->direction > cr_crossingBoth) {
    crReportError(reporter, "direction is up, down or both");
  }
  if (hasContact && def->contactCount != 2) {
    crReportError(reporter, "contact needs two objects; it has %d", def->contactCount);
  } else if (hasContact && (def->contact[0] == NULL || def->contact[1] == NULL)) {
    crReportError(reporter, "an object of contact has no name");
  } else if (hasContact && strcmp(def->contact[0], def->contact[1]) == 0) {
    crReportError(reporter, "'%s' cannot touch itself", def->contact[0]);
  }
  crCheckNotNegative(reporter, "duration", def->duration, "s");
  if (!hasContact && def->duration != 0.0) {
    crReportError(reporter, "a duration needs a contact");
  }
}

// ------------------------------------------------------------------------------------------------ adding

static bool storeAction(crScene* scene, crActionDef* own)
{
  const char** texts[] = { &own->name, &own->source.file, &own->attach, &own->release, &own->remove,
                           &own->lock, &own->unlock,      &own->to,     &own->signal };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    if (!crScene_Intern(scene, texts[i])) {
      return false;
    }
  }
  const char** contact = crArena_Copy(&scene->arena, own->contact, (size_t)own->contactCount * sizeof *contact);
  for (int i = 0; contact != NULL && i < own->contactCount; ++i) {
    if (!crScene_Intern(scene, &contact[i])) {
      return false;
    }
  }
  own->contact = contact;
  return contact != NULL && crArray_Push(&scene->actions, &scene->allocator) != NULL;
}

crStatus crScene_AddAction(crScene* scene, const crActionDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crActionDef, def) || def->contactCount < 0 ||
      (def->contactCount > 0 && def->contact == NULL)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "an action's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  crScene_CheckPathIsFree(scene, &reporter, def->name);
  checkDeed(&reporter, def);
  checkTrigger(&reporter, def);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crActionDef own = *def;
  if (!storeAction(scene, &own)) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->actions.count - 1;
  scene->actions.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementAction, index)) {
    --scene->actions.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementAction, index);
  }
  return cr_ok;
}
