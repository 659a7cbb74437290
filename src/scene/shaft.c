// Shafts and sliders: inertias with one coordinate, without a body in space.
//
// They are joints like any other, with a rotor and an object that has no mass of its own, so that whatever knows joints
// knows them.
#include "scene/scene.h"

#include <stdio.h>

#define CR_FLANGE_SUFFIX ".flange"

static void checkShaft(crReporter* reporter, const crJointDef* def)
{
  if (def->kind != cr_jointRevolute && def->kind != cr_jointPrismatic) {
    crReportError(reporter, "a shaft is a revolute joint, a slider a prismatic one, not a %s joint",
                  crJointKind_GetText(def->kind));
  }
  if (def->objectB != NULL) {
    crReportError(reporter, "a shaft or slider has no second object: '%s'", def->objectB);
  }
  const char* field = def->kind == cr_jointPrismatic ? "mass" : "inertia";
  crCheckPositive(reporter, field, def->law.rotorInertia[0], def->kind == cr_jointPrismatic ? "kg" : "kg m^2");
}

crStatus crScene_AddShaft(crScene* scene, const crJointDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crJointDef, def)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "a joint's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  checkShaft(&reporter, def);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  char path[CR_MAX_PATH + sizeof CR_FLANGE_SUFFIX];
  snprintf(path, sizeof path, "%s" CR_FLANGE_SUFFIX, def->name);
  crObjectDef flange = crDefaultObjectDef(path);
  flange.source = def->source;
  crId object;
  crStatus status = crScene_AddObject(scene, &flange, &object);
  if (status != cr_ok) {
    return status;
  }
  crJointDef joint = *def;
  joint.objectB = path;
  status = crScene_AddJoint(scene, &joint, outId);
  if (status != cr_ok) {
    crScene_Remove(scene, object);
  }
  return status;
}
