// Pass 5, order: the joints that move the bodies, their states, and where everything starts.
//
// Bodies are numbered already so that parent < child. The state vector holds tree after tree, each
// [q | v | auxiliary], joints in the order of the bodies that they move. A body's frame is that of the
// object at the far end of its joint, so with near end N on the parent P:
//
//   X_WB = X_WP X_PN X_NB,   X_NB = pose(q)             objectA is near
//                            X_NB = inverse(pose(q))    objectB is near: isReversed
//
// A free object starts where its parent and pose say, but its coordinates are those in the world.
#include "model/compile/compile.h"
#include "scene/scene.h"

#include <string.h>

// Prescribed motion is no state.
static bool isPrescribed(const crCompilation* c, int edge)
{
  return edge < c->jointCount && c->jointMotions[edge] >= 0;
}

static int countQ(const crCompilation* c, int edge)
{
  return isPrescribed(c, edge)
             ? 0
             : crJointKind_CountQ(edge < c->jointCount ? c->jointDefs[edge]->kind : cr_jointFreeMotion);
}

static int countV(const crCompilation* c, int edge)
{
  return isPrescribed(c, edge)
             ? 0
             : crJointKind_CountV(edge < c->jointCount ? c->jointDefs[edge]->kind : cr_jointFreeMotion);
}

// ------------------------------------------------------------------------------------------- states

static void placeTree(crCompilation* c, crTree* tree, int64_t* state)
{
  tree->qStart = (int)*state;
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    c->joints[b - 1].qStart = tree->qStart + tree->qCount;
    tree->qCount += countQ(c, c->bodyEdges[b]);
  }
  tree->vStart = tree->qStart + tree->qCount;
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    c->joints[b - 1].vStart = tree->vStart + tree->vCount;
    tree->vCount += countV(c, c->bodyEdges[b]);
  }
  tree->auxStart = tree->vStart + tree->vCount;
  tree->auxCount = c->auxCounts[tree - c->trees];
  *state = (int64_t)tree->auxStart + tree->auxCount;
  c->qCount += tree->qCount;
  c->vCount += tree->vCount;
}

// Prescribed coordinates lie behind all states: position, velocity, acceleration of each.
static void placeMotions(crCompilation* c)
{
  for (int b = 1; b < c->bodyCount; ++b) {
    if (isPrescribed(c, c->bodyEdges[b])) {
      c->joints[b - 1].qStart = c->stateCount + CR_MOTION_SIZE * c->motionCount++;
      c->joints[b - 1].vStart = c->joints[b - 1].qStart + 1;
    }
  }
}

// The tree that a state of a joint is part of that is neither coordinate nor rate. A cut joint has two.
static int treeOfJoint(const crCompilation* c, int edge)
{
  const int* ends = c->jointEnds[edge];
  int tree = c->bodies[c->objects[c->modelIndex[ends[1]]].body].tree;
  return tree >= 0 ? tree : c->bodies[c->objects[c->modelIndex[ends[0]]].body].tree;
}

crJointLaw crResolveJointLaw(const crCompilation* c, const crJointDef* def)
{
  crJointLaw law = def->law;
  law.frictionLaw = law.frictionLaw == cr_frictionOfScene ? crScene_GetOptions(c->scene)->friction : law.frictionLaw;
  for (int i = 0; i < CR_MAX_JOINT_V; ++i) {
    double atRest = fmax(law.friction[i], law.frictionStatic[i]);
    law.frictionStatic[i] = atRest;
    if (law.frictionStiffness[i] == 0.0) {
      law.frictionStiffness[i] = atRest / (CR_FRICTION_YIELD * def->nominal[i]);
    }
  }
  return law;
}

// Those of a joint, which has this number in the model.
static void listBristles(crCompilation* c, int edge, int joint)
{
  if (edge >= c->jointCount) {
    return;
  }
  const crJointType* type = crGetJointType((int)c->jointDefs[edge]->kind);
  crJointLaw law = crResolveJointLaw(c, c->jointDefs[edge]);
  for (int i = 0; law.frictionLaw == cr_frictionStick && i < type->vCount; ++i) {
    if (law.frictionStatic[i] > 0.0) {
      c->bristles[c->bristleCount++] = (crJointBristle){ joint, i, CR_NONE };
      ++c->auxCounts[treeOfJoint(c, edge)];
    }
  }
}

static int edgeOfJoint(const crCompilation* c, int joint)
{
  return joint < c->bodyCount - 1 ? c->bodyEdges[joint + 1] : c->cutEdges[joint - (c->bodyCount - 1)];
}

// A clutch and a brake have the stretch of a bristle, a motor with an inductance its current.
static bool hasState(const crCouplingDef* def)
{
  return def->kind == cr_couplingClutch || def->kind == cr_couplingBrake ||
         (def->kind == cr_couplingMotor && def->as.motor.inductance > 0.0);
}

static int treeOfCoupling(const crCompilation* c, int coupling)
{
  return treeOfJoint(c, c->termJoints[c->couplingStarts[coupling]]);
}

static crStatus countAuxiliary(crCompilation* c)
{
  int jointCount = c->bodyCount - 1 + c->cutCount;
  if (!crNew(c, c->auxCounts, c->treeCount) || !crNew(c, c->bristleStarts, jointCount + 1) ||
      !crNew(c, c->bristles, CR_MAX_JOINT_V * (size_t)c->jointCount) ||
      !crNew(c, c->couplingStates, c->couplingCount)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->couplingCount; ++i) {
    if (hasState(c->couplingDefs[i])) {
      ++c->auxCounts[treeOfCoupling(c, i)];
    }
  }
  for (int i = 0; i < c->signalCount; ++i) {
    if (crHasState(c->signals[i].kind)) {
      ++c->auxCounts[treeOfJoint(c, c->signals[i].joint)];
    }
  }
  for (int joint = 0; joint < jointCount; ++joint) {
    c->bristleStarts[joint] = c->bristleCount;
    listBristles(c, edgeOfJoint(c, joint), joint);
  }
  c->bristleStarts[jointCount] = c->bristleCount;
  return cr_ok;
}

// From behind: signals first, then joints, then couplings.
static void placeAuxiliary(crCompilation* c)
{
  for (int i = c->couplingCount - 1; i >= 0; --i) {
    c->couplingStates[i] = CR_NONE;
    if (hasState(c->couplingDefs[i])) {
      int tree = treeOfCoupling(c, i);
      c->couplingStates[i] = c->trees[tree].auxStart + --c->auxCounts[tree];
    }
  }
  for (int i = c->bristleCount - 1; i >= 0; --i) {
    int tree = treeOfJoint(c, edgeOfJoint(c, c->bristles[i].joint));
    c->bristles[i].state = c->trees[tree].auxStart + --c->auxCounts[tree];
  }
  for (int i = c->signalCount - 1; i >= 0; --i) {
    if (crHasState(c->signals[i].kind)) {
      int tree = treeOfJoint(c, c->signals[i].joint);
      c->signals[i].state = c->trees[tree].auxStart + --c->auxCounts[tree];
    }
  }
}

static crStatus placeStates(crCompilation* c)
{
  int64_t state = 0;
  if (countAuxiliary(c) != cr_ok) {
    return cr_errorMemory;
  }
  for (int t = 0; t < c->treeCount; ++t) {
    int64_t most = (int64_t)c->trees[t].bodyCount * (CR_MAX_JOINT_Q + CR_MAX_JOINT_V) + c->auxCounts[t];
    if (state + most > INT32_MAX) {
      return cr_errorLimit;
    }
    placeTree(c, &c->trees[t], &state);
  }
  c->stateCount = (int)state;
  placeMotions(c);
  placeAuxiliary(c);
  return cr_ok;
}

// ------------------------------------------------------------------------------------------- joints

// Whether anything acts in a joint.
static bool hasLaw(const crJointType* type, const crJointLaw* law)
{
  bool has = false;
  for (int i = 0; i < type->vCount; ++i) {
    has = has || law->damping[i] != 0.0 || law->stiffness[i] != 0.0 || law->friction[i] != 0.0 ||
          law->frictionStatic[i] != 0.0 || law->rotorInertia[i] != 0.0 || law->stopMin[i] > -CR_NO_STOP ||
          law->stopMax[i] < CR_NO_STOP;
  }
  return has;
}

// Everything of a joint but its place in the state vector.
void crFillJoint(const crCompilation* c, int edge, crModelJoint* joint)
{
  bool isImplicit = edge >= c->jointCount;
  int object = isImplicit ? edge - c->jointCount : CR_NONE;
  crJointDef implicit = crDefaultJointDef(cr_jointFreeMotion, NULL, NULL, NULL);
  crCompleteJointDef(&implicit);
  const crJointDef* def = isImplicit ? &implicit : c->jointDefs[edge];
  joint->sceneIndex = isImplicit ? object : edge;
  joint->kind = def->kind;
  joint->isImplicit = isImplicit;
  joint->startsAtRest = isImplicit && c->objectDefs[object]->start == cr_startRest;
  joint->canCollide = isImplicit || def->collision == cr_collisionAllowed; // the world aside
  joint->objectA = c->modelIndex[isImplicit ? c->world : c->jointEnds[edge][0]];
  joint->objectB = c->modelIndex[isImplicit ? object : c->jointEnds[edge][1]];
  joint->bodyA = c->objects[joint->objectA].body;
  joint->bodyB = c->objects[joint->objectB].body;
  joint->X_BA = c->objects[joint->objectA].X_BO;
  joint->X_BB = c->objects[joint->objectB].X_BO;
  const crJointType* type = crGetJointType(def->kind);
  joint->axis = type->hasAxis ? crNormalize(def->axis) : crMakeVec3(0.0, 0.0, 0.0);
  joint->axis2 = type->hasAxis2 ? crNormalize(def->axis2) : crMakeVec3(0.0, 0.0, 0.0);
  joint->pitch = type->hasPitch ? def->pitch : 0.0;
  joint->law = !isImplicit && hasLaw(type, &def->law) ? 0 : CR_NONE; // pack numbers them
  joint->drive = isImplicit ? CR_NONE : c->jointDrives[edge];
  joint->motion = isImplicit ? CR_NONE : c->jointMotions[edge];
  memcpy(joint->start, def->start, sizeof joint->start);
  memcpy(joint->startRate, def->startRate, sizeof joint->startRate);
  memcpy(joint->fixed, def->fixed, sizeof joint->fixed);
  memcpy(joint->nominal, def->nominal, sizeof joint->nominal);
  if (joint->motion >= 0) {
    joint->start[0] = c->signalStarts[joint->motion].value;
    joint->startRate[0] = c->signalStarts[joint->motion].rate;
  }
}

// ------------------------------------------------------------------------------------- start values

// Object whose start pose the tree's is given relative to: the parent of a free root, else CR_NONE.
static int startReference(const crCompilation* c, const crTree* tree)
{
  int edge = c->bodyEdges[tree->bodyStart];
  return edge >= c->jointCount ? c->parents[edge - c->jointCount] : CR_NONE;
}

static crPose startPose(const crCompilation* c, int object)
{
  const crModelObject* record = &c->objects[c->modelIndex[object]];
  return crMulPose(c->bodies[record->body].X_WB_start, record->X_BO);
}

// Coordinates of a free object in the world. The quaternion is a product of quaternions, not read off
// the matrix, so that one given relative to the world keeps its digits and its sign.
static void startFreeObject(crCompilation* c, const crTree* tree)
{
  crModelJoint* joint = &c->joints[tree->bodyStart - 1];
  const crObjectDef* def = c->objectDefs[joint->sceneIndex];
  int reference = startReference(c, tree);
  crPose X_WP = reference >= 0 ? startPose(c, reference) : crIdentityPose();
  crVec3 p = crTransformPoint(X_WP, def->position);
  crQuat r = reference >= 0 ? crMulQuat(crMat3ToQuat(X_WP.R), def->rotation) : def->rotation;
  const double q[CR_MAX_JOINT_Q] = { p.x, p.y, p.z, r.w, r.x, r.y, r.z };
  const double v[CR_MAX_JOINT_V] = { def->velocity.x,        def->velocity.y,        def->velocity.z,
                                     def->angularVelocity.x, def->angularVelocity.y, def->angularVelocity.z };
  memcpy(joint->start, q, sizeof q);
  memcpy(joint->startRate, v, sizeof v);
}

static void startTree(crCompilation* c, const crTree* tree)
{
  if (c->joints[tree->bodyStart - 1].isImplicit) {
    startFreeObject(c, tree);
  }
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    const crModelJoint* joint = &c->joints[b - 1];
    crJointAxes axes = crGetJointAxes(joint);
    crPose X_AB = crGetJointType(joint->kind)->computePose(&axes, joint->start);
    crPose X_PN = joint->isReversed ? joint->X_BB : joint->X_BA;
    crPose X_NB = joint->isReversed ? crInvertPose(X_AB) : X_AB;
    crPose X_WP = c->bodies[c->bodies[b].parent].X_WB_start;
    c->bodies[b].X_WB_start = crMulPose(crMulPose(X_WP, X_PN), X_NB);
    if (!crIsFiniteVec3(c->bodies[b].X_WB_start.p)) {
      crAddress address = crAddressOfObject(c, c->objectOrder[c->bodies[b].objectStart]);
      crComplaint rest = { .hint = "positions are beyond the range of numbers" };
      crCompilation_Report(c, cr_severityError, address, &rest, "the start position of '%s' is not finite",
                           address.path);
      c->bodies[b].X_WB_start.p = crMakeVec3(0.0, 0.0, 0.0); // once is enough
    }
  }
}

// Trees wait for the one that holds their reference; check has ruled out circles.
static crStatus startTrees(crCompilation* c)
{
  int* stack;
  bool* isDone;
  if (!crNew(c, stack, c->treeCount + 1) || !crNew(c, isDone, c->treeCount)) {
    return cr_errorMemory;
  }
  for (int t = 0; t < c->treeCount; ++t) {
    int stacked = 0;
    for (int next = t; next >= 0 && !isDone[next];) {
      stack[stacked++] = next;
      int reference = startReference(c, &c->trees[next]);
      next = reference >= 0 ? c->bodies[c->objects[c->modelIndex[reference]].body].tree : CR_NONE;
    }
    while (stacked > 0) {
      int tree = stack[--stacked];
      startTree(c, &c->trees[tree]);
      isDone[tree] = true;
    }
  }
  return cr_ok;
}

crStatus crOrder(crCompilation* c)
{
  if (!crNew(c, c->joints, c->bodyCount - 1 + c->cutCount) || !crNew(c, c->modelJoints, c->jointCount)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->jointCount; ++i) {
    c->modelJoints[i] = CR_NONE;
  }
  for (int b = 1; b < c->bodyCount; ++b) {
    crModelJoint* joint = &c->joints[b - 1];
    crFillJoint(c, c->bodyEdges[b], joint);
    joint->isReversed = joint->bodyA == b;
    if (!joint->isImplicit) {
      c->modelJoints[joint->sceneIndex] = b - 1;
    }
  }
  c->modelJointCount = c->bodyCount - 1;
  crStatus status = placeStates(c);
  return status == cr_ok ? startTrees(c) : status;
}

// --------------------------------------------------------------------------------------------- dump

void crDumpOrder(const crCompilation* c, crDump* dump)
{
  crDump_Print(dump, "states %d: %d coordinates, %d rates\n", c->stateCount, c->qCount, c->vCount);
  for (int t = 0; t < c->treeCount; ++t) {
    const crTree* tree = &c->trees[t];
    crDump_Print(dump, "tree %d: super-objects %d..%d, q at %d (%d), v at %d (%d), aux at %d (%d)\n", t + 1,
                 crSuperNumber(tree->bodyStart), crSuperNumber(tree->bodyStart + tree->bodyCount - 1), tree->qStart,
                 tree->qCount, tree->vStart, tree->vCount, tree->auxStart, tree->auxCount);
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      const crModelJoint* joint = &c->joints[b - 1];
      crDump_Print(dump, "  super-object %d below %d, depth %d, %s %s%s, q at %d, v at %d, starts at ",
                   crSuperNumber(b), crSuperNumber(c->bodies[b].parent), c->bodies[b].depth,
                   joint->isImplicit ? "free" : crJointKind_GetText(joint->kind), crNameOfJoint(c, joint),
                   joint->isReversed ? " reversed" : "", joint->qStart, joint->vStart);
      crDump_Vec3(dump, c->bodies[b].X_WB_start.p);
      crDump_Print(dump, "\n");
    }
  }
}
