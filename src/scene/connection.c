// What connects objects: joints, forces, exclusions; and assemblies, which name them.
#include "joint/joint_kind.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

const char* crJointKindText(crJointKind kind)
{
  const crJointType* type = crGetJointType((int)kind);
  return type != NULL ? type->name : "unknown joint";
}

int crJointKindQCount(crJointKind kind)
{
  const crJointType* type = crGetJointType((int)kind);
  return type != NULL ? type->qCount : 0;
}

int crJointKindVCount(crJointKind kind)
{
  const crJointType* type = crGetJointType((int)kind);
  return type != NULL ? type->vCount : 0;
}

const char* crForceKindText(crForceKind kind)
{
  return kind == cr_forceSpringDamper ? "springDamper" : "unknown force";
}

crJointDef crDefaultJointDef(crJointKind kind, const char* name, const char* objectA, const char* objectB)
{
  crJointDef def = { .name = name, .kind = kind, .objectA = objectA, .objectB = objectB };
  const crJointType* type = crGetJointType((int)kind);
  for (int i = 0; i < CR_MAX_JOINT_V; ++i) {
    def.nominal[i] = 1.0;
  }
  if (type != NULL) {
    def.axis = type->defaultAxis;
    for (int i = 0; i < type->qCount; ++i) {
      def.start[i] = type->zero[i];
    }
    def.canCollide = type->constraintCount == 0; // what nothing holds together may collide
  }
  return def;
}

crForceDef crDefaultForceDef(crForceKind kind, const char* name, const char* objectA, const char* objectB)
{
  crForceDef def = { .name = name, .kind = kind, .objectA = objectA, .objectB = objectB };
  return def;
}

crAssemblyDef crDefaultAssemblyDef(const char* name)
{
  crAssemblyDef def = { .name = name };
  return def;
}

// Checks that all paths of an element to be added are usable. The objects themselves are looked up later.
static void checkEnds(crReporter* reporter, const char* objectA, const char* objectB)
{
  if (objectA == NULL || objectB == NULL) {
    crReportError(reporter, "%s object is missing", objectA == NULL ? "the first" : "the second");
  }
}

// Copies the strings of an element, and registers its path.
static bool storeStrings(crScene* scene, const char** name, const char** objectA, const char** objectB,
                         crSource* source)
{
  return crScene_Intern(scene, name) && crScene_Intern(scene, objectA) && crScene_Intern(scene, objectB) &&
         crScene_Intern(scene, &source->file);
}

// ------------------------------------------------------------------------------------------- joints

static void checkStart(crReporter* reporter, const crJointType* type, const crJointDef* def)
{
  for (int i = 0; i < type->qCount; ++i) {
    char field[64];
    snprintf(field, sizeof field, "start %s", type->coordinateNames[i]);
    crCheckFinite(reporter, field, def->start[i]);
  }
  for (int i = 0; i < type->vCount; ++i) {
    char field[64];
    snprintf(field, sizeof field, "startRate %s", type->rateNames[i]);
    crCheckFinite(reporter, field, def->startRate[i]);
    snprintf(field, sizeof field, "nominal %s", type->rateNames[i]);
    crCheckPositive(reporter, field, def->nominal[i], NULL);
  }
}

static void checkJoint(crScene* scene, crReporter* reporter, const crJointDef* def)
{
  crScene_CheckPathIsFree(scene, reporter, def->name);
  checkEnds(reporter, def->objectA, def->objectB);
  const crJointType* type = crGetJointType((int)def->kind);
  if (type == NULL) {
    crReportError(reporter, "unknown kind of joint %d", (int)def->kind);
    return;
  }
  if (type->hasAxis && (!crIsFiniteVec3(def->axis) || crMaxAbs(def->axis) == 0.0)) {
    crReportNumber(reporter, "axis has no direction", crLength(def->axis), "a vector of finite, non-zero length", NULL,
                   NULL);
  }
  checkStart(reporter, type, def);
  if (def->kind == cr_jointFreeMotion) {
    crQuat q = { def->start[3], def->start[4], def->start[5], def->start[6] };
    if (!(crQuatLength(q) > 1e-150)) {
      crReportNumber(reporter, "the start orientation has no length", crQuatLength(q), "> 0", NULL, NULL);
    }
  }
}

crStatus crScene_AddJoint(crScene* scene, const crJointDef* def, crId* outId)
{
  if (scene == NULL || def == NULL) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "a joint's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  checkJoint(scene, &reporter, def);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crJointDef own = *def;
  if (!storeStrings(scene, &own.name, &own.objectA, &own.objectB, &own.source) ||
      crArray_Push(&scene->joints, &scene->allocator) == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->joints.count - 1;
  scene->joints.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementJoint, index)) {
    --scene->joints.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementJoint, index);
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------- forces

static void checkForce(crScene* scene, crReporter* reporter, const crForceDef* def)
{
  crScene_CheckPathIsFree(scene, reporter, def->name);
  checkEnds(reporter, def->objectA, def->objectB);
  if ((unsigned)def->kind >= cr_forceKindCount) {
    crReportError(reporter, "unknown kind of force %d", (int)def->kind);
  }
  if (def->objectA != NULL && def->objectB != NULL && strcmp(def->objectA, def->objectB) == 0) {
    crReportError(reporter, "a force needs two different objects, both are '%s'", def->objectA);
  }
  crCheckFinite(reporter, "stiffness", def->stiffness);
  crCheckFinite(reporter, "damping", def->damping);
  crCheckNotNegative(reporter, "length", def->length, "m");
}

crStatus crScene_AddForce(crScene* scene, const crForceDef* def, crId* outId)
{
  if (scene == NULL || def == NULL) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "a force's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  checkForce(scene, &reporter, def);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crForceDef own = *def;
  if (!storeStrings(scene, &own.name, &own.objectA, &own.objectB, &own.source) ||
      crArray_Push(&scene->forces, &scene->allocator) == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->forces.count - 1;
  scene->forces.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementForce, index)) {
    --scene->forces.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementForce, index);
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------- exclusions

crStatus crScene_AddExclusion(crScene* scene, const crExclusionDef* def, crId* outId)
{
  if (scene == NULL || def == NULL) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, "exclude");
  checkEnds(&reporter, def->objectA, def->objectB);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  crExclusionDef own = *def;
  const char* none = NULL;
  if (!storeStrings(scene, &none, &own.objectA, &own.objectB, &own.source) ||
      crArray_Push(&scene->exclusions, &scene->allocator) == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  scene->exclusions.items[scene->exclusions.count - 1] = own;
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementExclusion, scene->exclusions.count - 1);
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------- assemblies

static bool storeParameters(crScene* scene, crAssemblyDef* own)
{
  size_t size = (size_t)own->parameterCount * sizeof *own->parameters;
  crParameter* parameters = crArena_Copy(&scene->arena, own->parameters, size);
  for (int i = 0; parameters != NULL && i < own->parameterCount; ++i) {
    if (!crScene_Intern(scene, &parameters[i].name) || !crScene_Intern(scene, &parameters[i].string)) {
      return false;
    }
  }
  own->parameters = parameters;
  return parameters != NULL;
}

crStatus crScene_AddAssembly(crScene* scene, const crAssemblyDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || def->parameterCount < 0 || (def->parameterCount > 0 && def->parameters == NULL)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  bool isRoot = def->name != NULL && def->name[0] == '\0';
  if (!isRoot) {
    crCheckName(&reporter, "an assembly's name", def->name, true);
  }
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  crScene_CheckPathIsFree(scene, &reporter, def->name);
  for (int i = 0; i < def->parameterCount; ++i) {
    crCheckName(&reporter, "a parameter's name", def->parameters[i].name, true);
  }
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crAssemblyDef own = *def;
  if (!storeParameters(scene, &own) || !crScene_Intern(scene, &own.name) || !crScene_Intern(scene, &own.source.file) ||
      crArray_Push(&scene->assemblies, &scene->allocator) == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->assemblies.count - 1;
  scene->assemblies.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementAssembly, index)) {
    --scene->assemblies.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementAssembly, index);
  }
  return cr_ok;
}
