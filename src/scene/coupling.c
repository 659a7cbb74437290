// Couplings: equations between coordinates of joints.
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#define CR_TERM_TEXT (CR_MAX_PATH + 32) // [bytes] of the name of a factor in messages

const char* crCouplingKind_GetText(crCouplingKind kind)
{
  static const char* const texts[] = { "coupling" };
  return (unsigned)kind < cr_couplingKindCount ? texts[kind] : "unknown coupling";
}

crCouplingDef crDefaultCouplingDef(crCouplingKind kind, const char* name)
{
  crCouplingDef def = { .size = sizeof def, .name = name, .kind = kind };
  return def;
}

// ---------------------------------------------------------------------------------------------- checking

static bool isNamedBefore(const crNamedNumber* joints, int index)
{
  for (int k = 0; k < index; ++k) {
    if (joints[k].name != NULL && strcmp(joints[k].name, joints[index].name) == 0) {
      return true;
    }
  }
  return false;
}

static void checkSum(crReporter* reporter, const crNamedNumber* joints, int count)
{
  char field[CR_TERM_TEXT];
  if (count == 0) {
    crReportError(reporter, "a coupling needs one joint or more");
  }
  for (int i = 0; i < count; ++i) {
    if (joints[i].name == NULL || joints[i].name[0] == '\0') {
      crReportError(reporter, "joint %d of the coupling has no name", i + 1);
      continue;
    }
    snprintf(field, sizeof field, "the factor of joint '%.*s'", CR_MAX_PATH, joints[i].name);
    if (isNamedBefore(joints, i)) {
      crReportError(reporter, "joint '%s' is in the coupling twice", joints[i].name);
    } else if (crCheckFinite(reporter, field, joints[i].value) && joints[i].value == 0.0) {
      snprintf(field, sizeof field, "the factor of joint '%.*s' is 0", CR_MAX_PATH, joints[i].name);
      crReportNumber(reporter, field, 0.0, "another number", NULL, "leave the joint out");
    }
  }
}

static void checkCoupling(const crScene* scene, crReporter* reporter, const crCouplingDef* def)
{
  crScene_CheckPathIsFree(scene, reporter, def->name);
  crCheckFinite(reporter, "offset", def->offset);
  switch (def->kind) {
    case cr_couplingSum: checkSum(reporter, def->as.sum.joints, def->as.sum.jointCount); break;
    case cr_couplingKindCount: break;
  }
}

// ----------------------------------------------------------------------------------------------- storing

static bool storeJoints(crScene* scene, crCouplingDef* own)
{
  size_t size = (size_t)own->as.sum.jointCount * sizeof *own->as.sum.joints;
  crNamedNumber* joints = crArena_Copy(&scene->arena, own->as.sum.joints, size);
  for (int i = 0; joints != NULL && i < own->as.sum.jointCount; ++i) {
    if (!crScene_Intern(scene, &joints[i].name)) {
      return false;
    }
  }
  own->as.sum.joints = joints;
  return joints != NULL;
}

static bool storeCoupling(crScene* scene, crCouplingDef* own)
{
  return storeJoints(scene, own) && crScene_Intern(scene, &own->name) && crScene_Intern(scene, &own->source.file) &&
         crArray_Push(&scene->couplings, &scene->allocator) != NULL;
}

static bool isUsable(const crCouplingDef* def)
{
  int count = def->kind == cr_couplingSum ? def->as.sum.jointCount : 0;
  return count == 0 || (count > 0 && def->as.sum.joints != NULL);
}

crStatus crScene_AddCoupling(crScene* scene, const crCouplingDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crCouplingDef, def) ||
      (unsigned)def->kind >= cr_couplingKindCount || !isUsable(def)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "a coupling's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  checkCoupling(scene, &reporter, def);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crCouplingDef own = *def;
  if (!storeCoupling(scene, &own)) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->couplings.count - 1;
  scene->couplings.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementCoupling, index)) {
    --scene->couplings.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementCoupling, index);
  }
  return cr_ok;
}
