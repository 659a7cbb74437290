// carom info --json: the compiled model for scripts.
#include "info.h"
#include "loop_facts.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

void crAppend(json_t** list, json_t* item)
{
  if (*list == NULL) {
    json_decref(item);
  } else if (json_array_append_new(*list, item) != 0) {
    json_decref(*list);
    *list = NULL;
  }
}

static json_t* describeVec3(crVec3 v)
{
  return json_pack("[f, f, f]", v.x, v.y, v.z);
}

static json_t* describePose(crPose X)
{
  crQuat q = crMat3ToQuat(X.R);
  return json_pack("{s:o, s:[f, f, f, f]}", "position", describeVec3(X.p), "quaternion", q.w, q.x, q.y, q.z);
}

static json_t* describeNumbers(const double* numbers, int count)
{
  json_t* list = json_array();
  for (int i = 0; i < count; ++i) {
    crAppend(&list, json_real(numbers[i]));
  }
  return list;
}

static json_t* describeSize(crModelSize size)
{
  return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:i}", "objects",
                   size.objectCount, "superObjects", size.bodyCount, "trees", size.treeCount, "joints", size.jointCount,
                   "cutJoints", size.cutJointCount, "couplings", size.couplingCount, "forces", size.forceCount,
                   "contactShapes", size.shapeCount, "coordinates", size.qCount, "rates", size.vCount, "states",
                   size.stateCount, "pairs", (json_int_t)size.pairCount, "excludedPairs",
                   (json_int_t)size.excludedPairCount, "variables", size.variableCount);
}

static json_t* describeNeeds(unsigned needs)
{
  static const char* const names[] = { "contact", "joint", "cutJoint", "force", "mass", "visual" };
  json_t* list = json_array();
  for (int i = 0; i < 6; ++i) {
    if (needs >> i & 1u) {
      crAppend(&list, json_string(names[i]));
    }
  }
  return list;
}

static json_t* describeBody(const crModel* model, int index)
{
  const crBody* body = crModel_GetBody(model, index);
  const crInertia* I = &body->inertia;
  json_t* objects = json_array();
  for (int i = 0; i < body->objectCount; ++i) {
    const crModelObject* object = crModel_GetObject(model, body->objectStart + i);
    crAppend(&objects, json_pack("{s:s, s:o, s:o, s:b}", "path", crModel_GetObjectPath(model, body->objectStart + i),
                                 "pose", describePose(object->X_BO), "needs", describeNeeds(object->needs),
                                 "everyEvaluation", (object->needs & CR_NEED_ALWAYS) != 0));
  }
  json_t* parent = body->parent >= 0 ? json_integer(body->parent + 1) : json_null();
  json_t* joint = body->joint >= 0 ? json_string(crModel_GetJointPath(model, body->joint)) : json_null();
  return json_pack("{s:i, s:s, s:o, s:o, s:i, s:f, s:o, s:[f, f, f, f, f, f], s:o, s:o}", "number", index + 1, "path",
                   crModel_GetBodyPath(model, index), "parent", parent, "joint", joint, "depth", body->depth, "mass",
                   I->mass, "com", describeVec3(I->com), "inertia", I->I_com.xx, I->I_com.yy, I->I_com.zz, I->I_com.xy,
                   I->I_com.xz, I->I_com.yz, "startPose", describePose(body->X_WB_start), "objects", objects);
}

static json_t* describeJoint(const crModel* model, int index)
{
  const crModelJoint* joint = crModel_GetJoint(model, index);
  json_t* description = json_pack(
      "{s:s, s:s, s:b, s:b, s:b, s:i, s:i, s:o, s:o, s:o}", "path", crModel_GetJointPath(model, index), "kind",
      crJointKind_GetText(joint->kind), "isFree", joint->isImplicit, "isCut", joint->isCut, "canCollide",
      joint->canCollide, "superObjectA", joint->bodyA + 1, "superObjectB", joint->bodyB + 1, "axis",
      describeVec3(joint->axis), "start", describeNumbers(joint->start, crJointKind_CountQ(joint->kind)), "startRate",
      describeNumbers(joint->startRate, crJointKind_CountV(joint->kind)));
  if (description != NULL && !joint->isCut) {
    json_object_set_new(description, "firstCoordinate", json_integer(joint->qStart));
    json_object_set_new(description, "firstRate", json_integer(joint->vStart));
  }
  return description;
}

static json_t* describeLoop(const crModel* model, const crInstance* instance, int index)
{
  int bodyCount;
  const crLoop* loop = crModel_GetLoop(model, index);
  const int* own = crModel_GetLoopBodies(model, index, &bodyCount);
  json_t* bodies = json_array();
  for (int i = 0; i < bodyCount; ++i) {
    crAppend(&bodies, json_integer(own[i] + 1));
  }
  json_t* redundant =
      instance != NULL ? json_integer(crInstance_CountRedundant(instance, loop->cutJoint)) : json_null();
  return json_pack("{s:s, s:o, s:o}", "cutJoint", crModel_GetJointPath(model, loop->cutJoint), "superObjects", bodies,
                   "redundantConstraints", redundant);
}

static json_t* describeCouplings(const crModel* model)
{
  json_t* list = json_array();
  for (int i = 0; i < crModel_GetSize(model).couplingCount; ++i) {
    int count;
    const crCouplingTerm* terms = crModel_GetCouplingTerms(model, i, &count);
    json_t* joints = json_object();
    for (int k = 0; k < count; ++k) {
      json_object_set_new(joints, crModel_GetJointPath(model, terms[k].joint), json_real(terms[k].factor));
    }
    crAppend(&list, json_pack("{s:s, s:o, s:f}", "name", crModel_GetCouplingPath(model, i), "joints", joints, "offset",
                              crModel_GetCoupling(model, i)->offset));
  }
  return list;
}

static json_t* describeActions(const crModel* model)
{
  json_t* list = json_array();
  for (int i = 0; i < crModel_CountActions(model); ++i) {
    const crActionDef* def = crModel_GetAction(model, i);
    const char* target;
    const char* verb = crActionKind_GetText(crActionDef_GetKind(def, &target));
    crAppend(&list, json_pack("{s:s, s:s, s:s?}", "name", def->name, verb, target, "to", def->to));
  }
  return list;
}

// null where there are neither loops nor couplings, or they cannot be closed.
static json_t* describeFreedom(const crInstance* instance)
{
  if (instance == NULL) {
    return json_null();
  }
  crLoopFacts facts = crInstance_GetLoopFacts(instance);
  return json_pack("{s:i, s:i, s:i}", "freedom", facts.freedom, "gruebler", facts.gruebler, "redundantConstraints",
                   facts.redundantCount);
}

static json_t* describeExclusions(const crModel* model)
{
  json_t* list = json_array();
  for (int i = 0; i < crModel_CountExcludedBodies(model); ++i) {
    const crExcludedBodies* pair = crModel_GetExcludedBodies(model, i);
    json_t* joint = pair->joint >= 0 ? json_string(crModel_GetJointPath(model, pair->joint)) : json_null();
    crAppend(&list, json_pack("{s:i, s:i, s:o}", "superObjectA", pair->bodyA + 1, "superObjectB", pair->bodyB + 1,
                              "joint", joint));
  }
  return list;
}

static json_t* describeContacts(const crModel* model)
{
  json_t* list = json_array();
  int count = crModel_CountContactMaterials(model);
  for (int i = 0; i < count; ++i) {
    for (int k = i; k < count; ++k) {
      const crContactLaw* law = crModel_GetContactLaw(model, i, k);
      if (law != NULL) {
        crAppend(&list,
                 json_pack("{s:s, s:s, s:s, s:f, s:f, s:f}", "materialA", crModel_GetContactMaterialName(model, i),
                           "materialB", crModel_GetContactMaterialName(model, k), "response",
                           crContactResponse_GetText(law->response), "cor", law->cor, "muK", law->muK, "muR",
                           law->muR));
      }
    }
  }
  return list;
}

static json_t* describeParameterValue(const crParameter* p)
{
  return p->kind == cr_parameterString ? json_string(p->string)
         : p->kind == cr_parameterBool ? json_boolean(p->number != 0.0)
                                       : json_real(p->number);
}

static json_t* describeParameters(const crScene* scene)
{
  json_t* all = json_object();
  char name[CR_MAX_PATH + CR_MAX_NAME + 2];
  for (int i = 0; i < crScene_CountParameters(scene); ++i) {
    crScene_GetParameterName(scene, i, name, sizeof name);
    json_object_set_new(all, name, describeParameterValue(crScene_GetParameter(scene, i)));
  }
  return all;
}

// What is told of parameters beside their values, by their names; a bound that is not there is left out.
static json_t* describeParameterFacts(const crScene* scene)
{
  json_t* all = json_object();
  char name[CR_MAX_PATH + CR_MAX_NAME + 2];
  for (int i = 0; i < crScene_CountParameters(scene); ++i) {
    const crParameter* p = crScene_GetParameter(scene, i);
    bool hasRange = p->min != 0.0 || p->max != 0.0;
    json_t* facts = json_object();
    if (hasRange && isfinite(p->min)) {
      json_object_set_new(facts, "min", json_real(p->min));
    }
    if (hasRange && isfinite(p->max)) {
      json_object_set_new(facts, "max", json_real(p->max));
    }
    if (p->unit != NULL) {
      json_object_set_new(facts, "unit", json_string(p->unit));
    }
    if (p->label != NULL) {
      json_object_set_new(facts, "label", json_string(p->label));
    }
    crScene_GetParameterName(scene, i, name, sizeof name);
    if (json_object_size(facts) > 0) {
      json_object_set(all, name, facts);
    }
    json_decref(facts);
  }
  return all;
}

static json_t* describeInputs(const crModel* model)
{
  json_t* list = json_array();
  crPort port;
  for (int i = 0; crModel_GetInput(model, i, &port); ++i) {
    crAppend(&list, json_pack("{s:s, s:s, s:f}", "name", port.path, "unit", port.unit, "start", port.start));
  }
  return list;
}

static json_t* describeOutputs(const crModel* model)
{
  json_t* list = json_array();
  crPort port;
  for (int i = 0; crModel_GetOutput(model, i, &port); ++i) {
    crAppend(&list, json_pack("{s:s, s:s}", "name", port.path, "unit", port.unit));
  }
  return list;
}

bool crPrintInfoJson(const crScene* scene, const crModel* model)
{
  crModelSize size = crModel_GetSize(model);
  json_t *bodies = json_array(), *joints = json_array(), *loops = json_array();
  for (int i = 0; i < size.bodyCount; ++i) {
    crAppend(&bodies, describeBody(model, i));
  }
  for (int i = 0; i < size.jointCount; ++i) {
    crAppend(&joints, describeJoint(model, i));
  }
  crInstance* instance = crCloseLoops(model, NULL);
  for (int i = 0; i < size.cutJointCount; ++i) {
    crAppend(&loops, describeLoop(model, instance, i));
  }
  json_t* root = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "size",
                           describeSize(size), "parameters", describeParameters(scene), "parameterFacts",
                           describeParameterFacts(scene), "superObjects", bodies, "joints", joints, "loops", loops,
                           "couplings", describeCouplings(model), "degreesOfFreedom", describeFreedom(instance),
                           "excluded", describeExclusions(model), "contacts", describeContacts(model), "inputs",
                           describeInputs(model), "outputs", describeOutputs(model), "actions", describeActions(model));
  crDestroyInstance(instance);
  if (root == NULL) {
    fputs("carom: out of memory\n", stderr);
    return false;
  }
  json_dumpf(root, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(root);
  return true;
}
