// Mechanisms for the tests of evaluation.
#include "support/trees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

crTestView crPlainView(void)
{
  crTestView view = { .turn = crIdentityQuat() };
  return view;
}

// ---------------------------------------------------------------------------------------------- building

static const char* name(char buffer[32], const char* stem, int index)
{
  snprintf(buffer, 32, index < 0 ? "base" : "%s%d", stem, index);
  return buffer;
}

static void addObject(crTestScene* test, const char* own, const char* parent, crVec3 p, crQuat q,
                      const crFeatureDef* mass)
{
  crObjectDef def = crDefaultObjectDef(own);
  def.parent = parent;
  def.position = p;
  def.rotation = q;
  def.features = mass;
  def.featureCount = mass != NULL;
  assert_int_equal(crScene_AddObject(test->scene, &def, NULL), cr_ok);
}

static void addBody(crTestScene* test, const crTestLink* link, int i, bool startsAtFarFrame)
{
  char body[32], far[32], near[32], parent[32];
  crFeatureDef mass = crDefaultFeatureDef(cr_featureMass);
  mass.as.mass.mass = link->mass;
  mass.as.mass.com = link->com;
  mass.as.mass.inertia = link->inertia;
  crPose X_BF = crMakePose(link->farPosition, link->farRotation), X_FB = crInvertPose(X_BF);
  crVec3 none = { 0, 0, 0 };
  const crFeatureDef* feature = link->mass > 0.0 ? &mass : NULL;
  if (startsAtFarFrame) {
    addObject(test, name(far, "far", i), NULL, none, crIdentityQuat(), NULL);
    addObject(test, name(body, "body", i), far, X_FB.p, crMat3ToQuat(X_FB.R), feature);
  } else {
    addObject(test, name(body, "body", i), NULL, none, crIdentityQuat(), feature);
    addObject(test, name(far, "far", i), body, X_BF.p, link->farRotation, NULL);
  }
  addObject(test, name(near, "near", i), name(parent, "body", link->parent), link->nearPosition, link->nearRotation,
            NULL);
}

// Rates of the exchanged joint: the least squares solution of S v = V, which is exact.
static void findRates(const crMotion* columns, int count, crMotion V, double* outRates)
{
  double m[CR_MAX_JOINT_V][CR_MAX_JOINT_V + 1];
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      m[i][j] = crDot(columns[i].w, columns[j].w) + crDot(columns[i].v, columns[j].v);
    }
    m[i][count] = crDot(columns[i].w, V.w) + crDot(columns[i].v, V.v);
  }
  for (int k = 0; k < count; ++k) { // positive definite: no pivoting
    for (int i = 0; i < count; ++i) {
      double factor = i != k ? m[i][k] / m[k][k] : 0.0;
      for (int j = k; j <= count; ++j) {
        m[i][j] -= factor * m[k][j];
      }
    }
  }
  for (int i = 0; i < count; ++i) {
    outRates[i] = m[i][count] / m[i][i];
  }
}

// The state of the same joint with its ends exchanged, in which the axes of a universal joint change places, too.
static void exchangeState(crTestLink* link)
{
  const crJointType* type = crGetJointType((int)link->kind);
  crMotion columns[CR_MAX_JOINT_V], V = { { 0, 0, 0 }, { 0, 0, 0 } };
  crPose X_AB = type->computePose(&link->axes, link->q), X_BA = crInvertPose(X_AB);
  type->computeMotionColumns(&link->axes, link->q, columns);
  for (int i = 0; i < type->vCount; ++i) {
    V.w = crMulAdd(V.w, link->v[i], columns[i].w);
    V.v = crMulAdd(V.v, link->v[i], columns[i].v);
  }
  // of A relative to B, about A's origin, in B's axes
  crVec3 v = crAdd(V.v, crCross(V.w, crNeg(X_AB.p)));
  crMotion exchanged = { crNeg(crMulTV(X_AB.R, V.w)), crNeg(crMulTV(X_AB.R, v)) };
  if (type->hasAxis2) {
    crVec3 axis = link->axes.axis;
    link->axes.axis = link->axes.axis2;
    link->axes.axis2 = axis;
  }
  type->computeCoordinates(&link->axes, X_BA, link->q);
  type->computeMotionColumns(&link->axes, link->q, columns);
  findRates(columns, type->vCount, exchanged, link->v);
}

static void addJoint(crTestScene* test, const crTestLink* given, int i, bool exchangesEnds)
{
  char own[32], near[32], far[32];
  crTestLink link = *given;
  if (exchangesEnds) {
    exchangeState(&link);
  }
  name(near, "near", i);
  name(far, "far", i);
  crJointDef def =
      crDefaultJointDef(link.kind, name(own, "joint", i), exchangesEnds ? far : near, exchangesEnds ? near : far);
  def.axis = link.axes.axis;
  def.axis2 = link.axes.axis2;
  def.pitch = link.axes.pitch;
  def.law = link.law;
  memcpy(def.start, link.q, sizeof def.start);
  memcpy(def.startRate, link.v, sizeof def.startRate);
  assert_int_equal(crScene_AddJoint(test->scene, &def, NULL), cr_ok);
}

static void addSpring(crTestScene* test, const crTestSpring* spring, int i)
{
  char own[32], a[32], b[32], parent[32];
  addObject(test, name(a, "springA", i), name(parent, "body", spring->linkA), spring->pointA, crIdentityQuat(), NULL);
  addObject(test, name(b, "springB", i), name(parent, "body", spring->linkB), spring->pointB, crIdentityQuat(), NULL);
  crForceDef def = crDefaultForceDef(cr_forceSpringDamper, name(own, "spring", i), a, b);
  def.as.springDamper.stiffness = spring->stiffness;
  def.as.springDamper.damping = spring->damping;
  def.as.springDamper.length = spring->length;
  assert_int_equal(crScene_AddForce(test->scene, &def, NULL), cr_ok);
}

void crBuildTree(crTestScene* test, const crTestTree* tree, crTestView view)
{
  crSceneOptions options = crDefaultSceneOptions();
  options.gravity = tree->gravity;
  options.gravity.acceleration = crMulMV(crQuatToMat3(view.turn), tree->gravity.acceleration);
  options.gravity.centre = crAdd(view.shift, crMulMV(crQuatToMat3(view.turn), tree->gravity.centre));
  assert_int_equal(crScene_SetOptions(test->scene, &options), cr_ok);
  crAddWorld(test);
  addObject(test, "base", "world", view.shift, view.turn, NULL);
  for (int k = 0; k < tree->linkCount; ++k) {
    int i = view.isBackwards ? tree->linkCount - 1 - k : k;
    addBody(test, &tree->links[i], i, view.startsAtFarFrame);
    addJoint(test, &tree->links[i], i, view.exchangesEnds);
  }
  for (int k = 0; k < tree->springCount; ++k) {
    int i = view.isBackwards ? tree->springCount - 1 - k : k;
    addSpring(test, &tree->springs[i], i);
  }
}

// -------------------------------------------------------------------------------------------- making up

crTestLink crMakeLink(int parent, crJointKind kind)
{
  crJointDef def = crDefaultJointDef(kind, NULL, NULL, NULL);
  crTestLink link = { .parent = parent, .kind = kind, .mass = 1.0, .inertia = crDiagonalSym3(1.0, 1.0, 1.0) };
  link.axes = (crJointAxes){ def.axis, def.axis2, 0.1 };
  link.nearRotation = link.farRotation = crIdentityQuat();
  link.law = def.law;
  memcpy(link.q, def.start, sizeof link.q);
  return link;
}

static void makeLaw(crRandom* random, crTestLink* link)
{
  const crJointType* type = crGetJointType((int)link->kind);
  for (int i = 0; i < type->vCount; ++i) {
    link->law.damping[i] = crRandom_Uniform(random, 0, 1);
    if (!type->hasQuaternion) {
      link->law.stiffness[i] = crRandom_Uniform(random, -1, 5);
      link->law.rest[i] = crRandom_Uniform(random, -1, 1);
      link->law.friction[i] = crRandom_Uniform(random, 0, 1);
      link->law.frictionRate[i] = crRandom_Uniform(random, 0.2, 1);
      link->law.stopMax[i] = crRandom_Uniform(random, -0.5, 0.5);
      link->law.stopMin[i] = link->law.stopMax[i] - 0.4;
      link->law.stopStiffness[i] = crRandom_Uniform(random, 1, 20);
      link->law.stopDamping[i] = crRandom_Uniform(random, 0, 0.5);
      link->law.rotorInertia[i] = crRandom_Uniform(random, 0, 0.1);
      link->law.gearRatio[i] = crRandom_Uniform(random, -3, 3);
    }
  }
}

static crVec3 randomPoint(crRandom* random, double size)
{
  return crScale(crRandom_Uniform(random, 0, size), crRandom_UnitVec3(random));
}

static void makeRandomLink(crRandom* random, crTestLink* link)
{
  const crJointType* type = crGetJointType((int)link->kind);
  link->axes = (crJointAxes){ crRandom_UnitVec3(random), crRandom_UnitVec3(random), crRandom_Uniform(random, -1, 1) };
  link->nearPosition = randomPoint(random, 1);
  link->farPosition = randomPoint(random, 1);
  link->nearRotation = crRandom_Rotation(random);
  if (link->kind == cr_jointFreeMotion && link->parent < 0 && crRandom_Next(random) % 2 == 0) {
    link->nearPosition = crMakeVec3(0, 0, 0); // as a free object: that has a path of its own
    link->nearRotation = crIdentityQuat();
  }
  link->farRotation = crRandom_Rotation(random);
  link->mass = crRandom_Uniform(random, 0.5, 3);
  link->com = randomPoint(random, 0.5);
  crSym3 principal = crDiagonalSym3(crRandom_Uniform(random, 0.5, 1), crRandom_Uniform(random, 0.5, 1),
                                    crRandom_Uniform(random, 0.5, 1));
  link->inertia = crRotateSym3(crQuatToMat3(crRandom_Rotation(random)), principal);
  for (int i = 0; i < type->qCount; ++i) {
    link->q[i] = crRandom_Uniform(random, -1, 1);
  }
  for (int i = 0; i < type->vCount; ++i) {
    link->v[i] = crRandom_Uniform(random, -1, 1);
  }
}

crTestTree crMakeRandomTree(crRandom* random, int linkCount, bool hasLaws, int springCount)
{
  crTestTree tree = { .linkCount = linkCount, .springCount = springCount };
  tree.gravity = (crGravity){ .kind = cr_gravityUniform, .acceleration = randomPoint(random, 10) };
  int kind = (int)(crRandom_Next(random) % cr_jointKindCount);
  for (int i = 0; i < linkCount; ++i) {
    kind = (kind + 1) % cr_jointKindCount;
    kind += kind == cr_jointFix;
    // one in five starts a tree of its own, the others hang on any earlier link
    int parent = i == 0 || crRandom_Next(random) % 5 == 0 ? -1 : (int)(crRandom_Next(random) % (uint64_t)i);
    tree.links[i] = crMakeLink(parent, (crJointKind)kind);
    makeRandomLink(random, &tree.links[i]);
    if (hasLaws) {
      makeLaw(random, &tree.links[i]);
    }
  }
  for (int i = 0; i < springCount; ++i) {
    int a = (int)(crRandom_Next(random) % (uint64_t)linkCount);
    int b = (int)(crRandom_Next(random) % (uint64_t)(linkCount + 1)) - 1;
    tree.springs[i] = (crTestSpring){ a,
                                      b == a ? -1 : b,
                                      randomPoint(random, 1),
                                      randomPoint(random, 1),
                                      crRandom_Uniform(random, 1, 10),
                                      hasLaws ? crRandom_Uniform(random, 0, 1) : 0.0,
                                      crRandom_Uniform(random, 0, 1) };
  }
  return tree;
}

// ---------------------------------------------------------------------------------------------- starting

crTestMotion crStartScene(crTestScene test)
{
  crTestMotion motion = { .test = test };
  motion.model = crTestScene_Compile(&motion.test, cr_ok);
  crErrorSink sink = crErrorLog_GetSink(motion.test.log);
  crStatus status = crCreateInstance(motion.model, NULL, &sink, &motion.instance);
  if (status != cr_ok) {
    crTestScene_PrintLog(&motion.test);
  }
  assert_int_equal(status, cr_ok);
  motion.all = crModel_GetAllTrees(motion.model);
  motion.stateCount = crModel_CountStates(motion.model, motion.all);
  motion.rateCount = crModel_CountRates(motion.model, motion.all);
  motion.y = calloc((size_t)motion.stateCount + 1, sizeof *motion.y);
  crModel_GetStart(motion.model, motion.all, motion.y);
  return motion;
}

crTestMotion crStartTree(const crTestTree* tree, crTestView view)
{
  crTestScene test = crTestScene_Make(NULL);
  crBuildTree(&test, tree, view);
  return crStartScene(test);
}

void crTestMotion_Free(crTestMotion* motion)
{
  crDestroyInstance(motion->instance);
  crDestroyModel(motion->model);
  crTestScene_Free(&motion->test);
  free(motion->y);
}
