// Precomputing links, and which force elements and joint laws belong to which tree.
#include "model/link.h"

#include "model/model.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------- links

// Axes of a link in its body: z along the axis that the far side of a revolute joint turns about.
static crMat3 chooseAxes(const crModelJoint* joint)
{
  if (joint->kind != cr_jointRevolute || joint->motion >= 0) {
    return crIdentityMat3();
  }
  crMat3 R_BL;
  R_BL.cz = joint->isReversed ? crNeg(joint->axis) : joint->axis;
  crMakeAcross(R_BL.cz, &R_BL.cx, &R_BL.cy);
  return R_BL;
}

static crLanes33 symToLanes(crSym3 s)
{
  crMat3 m = { { s.xx, s.xy, s.xz }, { s.xy, s.yy, s.yz }, { s.xz, s.yz, s.zz } };
  return crToLanes33(m);
}

static void fillInertia(crLink* link, crInertia inertia, crMat3 R_BL)
{
  link->mass = inertia.mass;
  link->inverseMass = 1.0 / inertia.mass;
  link->h = crToLanes(crScale(inertia.mass, crMulTV(R_BL, inertia.com)));
  link->I_Bo = symToLanes(crRotateSym3(crTranspose(R_BL), crInertiaAboutOrigin(inertia)));
}

static void fillLink(crModel* m, int b, int dofStart)
{
  crLink* link = &m->links[b];
  const crModelJoint* joint = &m->joints[b - 1];
  crPose X_PN = joint->isReversed ? joint->X_BB : joint->X_BA;
  crMat3 R_BP = m->linkAxes[m->bodies[b].parent];
  m->linkAxes[b] = chooseAxes(joint);
  link->R_PN = crToLanes33(crMulMM(crMulTM(R_BP, X_PN.R), m->linkAxes[b]));
  link->p_PN = crToLanes(crMulTV(R_BP, X_PN.p));
  fillInertia(link, m->bodies[b].inertia, m->linkAxes[b]);
  link->parent = m->bodies[b].parent;
  link->joint = b - 1;
  link->qStart = joint->qStart;
  link->vStart = joint->vStart;
  link->dofStart = dofStart;
  link->columnCount = crJointKind_CountV(joint->kind);
  link->vCount = joint->motion >= 0 ? 0 : link->columnCount;
  int motion = (joint->qStart - m->size.stateCount) / CR_MOTION_SIZE;
  link->columnStart = joint->motion >= 0 ? m->size.vCount + motion : dofStart;
}

// Whether the near frame is that of the world.
static bool isInWorld(const crLink* link)
{
  crMat3 R = crFromLanes33(link->R_PN), one = crIdentityMat3();
  double turn = crMaxAbs(crSub(R.cx, one.cx)) + crMaxAbs(crSub(R.cy, one.cy)) + crMaxAbs(crSub(R.cz, one.cz));
  return link->parent == 0 && turn == 0.0 && crMaxAbs(crFromLanes(link->p_PN)) == 0.0;
}

// Whether a cut joint holds a body: then its tree is solved together with others.
static bool isCutOff(const crModel* m, int body)
{
  bool isHeld = false;
  for (int i = m->size.bodyCount - 1; i < m->size.jointCount; ++i) {
    isHeld = isHeld || m->joints[i].bodyA == body || m->joints[i].bodyB == body;
  }
  return isHeld;
}

static void choosePaths(crModel* m)
{
  for (int b = 1; b < m->size.bodyCount; ++b) {
    crLink* link = &m->links[b];
    const crModelJoint* joint = &m->joints[b - 1];
    bool isFree = joint->kind == cr_jointFreeMotion && !joint->isReversed && joint->law < 0 && link->isLeaf &&
                  isInWorld(link) && !isCutOff(m, b);
    bool isRevolute = joint->kind == cr_jointRevolute && joint->motion < 0;
    link->path = isRevolute ? cr_pathRevolute : isFree ? cr_pathFree : cr_pathGeneral;
  }
}

static void markChildren(crModel* m)
{
  for (int b = m->size.bodyCount - 1; b > 0; --b) {
    m->links[b].isLeaf = true;
  }
  for (int b = m->size.bodyCount - 1; b > 0; --b) {
    crLink* parent = &m->links[m->links[b].parent];
    m->links[b].isLastChild = parent->isLeaf;
    parent->isLeaf = false;
  }
}

// ---------------------------------------------------------------------------------------------- trees

// Joints with a law in their order; they lie tree by tree because joints do.
static void fillLaws(crModel* m)
{
  int count = 0;
  for (int t = 0; t < m->size.treeCount; ++t) {
    const crTree* tree = &m->trees[t];
    m->treeLaws[t] = count;
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      if (m->joints[b - 1].law >= 0) {
        m->lawBodies[count++] = b;
      }
    }
  }
  m->treeLaws[m->size.treeCount] = count;
}

static void fillBristles(crModel* m)
{
  for (int i = 0; i < m->jointLawCount; ++i) {
    for (int k = 0; k < CR_MAX_JOINT_V; ++k) {
      m->lawBristles[i].indices[k] = -1;
    }
  }
  for (int i = 0; i < m->bristleCount; ++i) {
    const crJointBristle* bristle = &m->bristles[i];
    m->lawBristles[m->joints[bristle->joint].law].indices[bristle->index] = i;
  }
}

static void fillDrives(crModel* m)
{
  int count = 0;
  for (int t = 0; t < m->size.treeCount; ++t) {
    const crTree* tree = &m->trees[t];
    m->treeDrives[t] = count;
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      if (crHasDrive(&m->joints[b - 1])) {
        m->driveBodies[count++] = b;
      }
    }
  }
  m->treeDrives[m->size.treeCount] = count;
}

static void fillStates(crModel* m)
{
  for (int i = 0; i < m->size.signalCount; ++i) {
    if (m->signals[i].state >= 0) {
      m->stateJoints[m->signals[i].state] = -1 - i;
    }
  }
  for (int i = 0; i < m->bristleCount; ++i) {
    m->stateJoints[m->bristles[i].state] = -1 - m->size.signalCount - i;
  }
  for (int i = m->rigidCount; i < m->size.couplingCount; ++i) {
    if (m->couplings[i].state >= 0) {
      m->stateJoints[m->couplings[i].state] = -1 - m->size.signalCount - m->bristleCount - i;
    }
  }
  for (int b = 1; b < m->size.bodyCount; ++b) {
    const crModelJoint* joint = &m->joints[b - 1];
    const crJointType* type = crGetJointType((int)joint->kind);
    for (int i = 0; joint->motion < 0 && i < type->qCount; ++i) {
      m->stateJoints[joint->qStart + i] = b - 1;
    }
    for (int i = 0; joint->motion < 0 && i < type->vCount; ++i) {
      m->stateJoints[joint->vStart + i] = b - 1;
    }
  }
}

// The tree of an object, -1 for the world's and for none.
static int treeOf(const crModel* m, int object)
{
  return object >= 0 ? m->bodies[m->objects[object].body].tree : -1;
}

static int firstTree(int a, int b)
{
  return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

// The first tree that a force acts on; a force between two points of the world acts on none.
static int owner(const crModel* m, const crModelForce* force)
{
  int tree = firstTree(treeOf(m, force->objectA), treeOf(m, force->objectB));
  for (int i = force->guideStart; i < force->guideStart + force->guideCount; ++i) {
    tree = firstTree(tree, treeOf(m, m->guides[i].object));
  }
  if (force->drum >= 0) {
    const crModelJoint* drum = &m->joints[force->drum];
    tree = firstTree(tree, firstTree(m->bodies[drum->bodyA].tree, m->bodies[drum->bodyB].tree));
  }
  return tree;
}

// An object's body and its pose in the axes of the body's link; the world and its own for none.
static crPose locate(const crModel* m, int object, int* outBody)
{
  *outBody = 0;
  if (object < 0) {
    return crIdentityPose();
  }
  const crModelObject* o = &m->objects[object];
  crMat3 R_BL = m->linkAxes[o->body];
  crPose X_LO = { crMulTM(R_BL, o->X_BO.R), crMulTV(R_BL, o->X_BO.p) };
  *outBody = o->body;
  return X_LO;
}

static crForceEnds makeEnds(const crModel* m, int index)
{
  const crModelForce* force = &m->forces[index];
  crForceEnds ends = { .force = index };
  crPose A = locate(m, force->objectA, &ends.bodyA), B = locate(m, force->objectB, &ends.bodyB);
  crPose F = locate(m, force->kind == cr_forceBushing ? force->objectA : force->frame, &ends.bodyF);
  ends.p_LA = A.p;
  ends.p_LB = B.p;
  ends.R_LF = F.R;
  ends.R_LB = B.R;
  for (int i = force->guideStart; i < force->guideStart + force->guideCount; ++i) {
    crGuide* guide = &m->guides[i];
    crPose X_LO = locate(m, guide->object, &guide->body);
    guide->p_L = X_LO.p;
    guide->R_LG = X_LO.R;
  }
  return ends;
}

// Counting sort by owner, which keeps the order of the elements.
static void fillForces(crModel* m)
{
  int treeCount = m->size.treeCount;
  memset(m->treeForces, 0, ((size_t)treeCount + 1) * sizeof *m->treeForces);
  for (int i = 0; i < m->size.forceCount; ++i) {
    int tree = owner(m, &m->forces[i]);
    m->treeForces[tree + 1] += tree >= 0;
  }
  for (int t = 0; t < treeCount; ++t) {
    m->treeForces[t + 1] += m->treeForces[t];
  }
  // from behind, moving each tree's end to its start; then every start is one tree further than it was
  for (int i = m->size.forceCount - 1; i >= 0; --i) {
    int tree = owner(m, &m->forces[i]);
    if (tree >= 0) {
      m->forceEnds[--m->treeForces[tree + 1]] = makeEnds(m, i);
    }
  }
  int end = 0;
  for (int i = 0; i < m->size.forceCount; ++i) {
    end += owner(m, &m->forces[i]) >= 0;
  }
  memmove(m->treeForces, m->treeForces + 1, (size_t)treeCount * sizeof *m->treeForces);
  m->treeForces[treeCount] = end;
}

// The root of a tree's component, halving the path to it.
static int findRoot(int* parents, int tree)
{
  while (parents[tree] != tree) {
    parents[tree] = parents[parents[tree]];
    tree = parents[tree];
  }
  return tree;
}

static void join(int* parents, int a, int b)
{
  if (a >= 0 && b >= 0) {
    int rootA = findRoot(parents, a), rootB = findRoot(parents, b);
    parents[rootA > rootB ? rootA : rootB] = rootA < rootB ? rootA : rootB;
  }
}

// Trees on both sides of cut joints: of those in which something acts, or of all.
static void joinCuts(const crModel* m, int* component, bool ofActive)
{
  for (int i = m->size.bodyCount - 1; i < m->size.jointCount; ++i) {
    const crModelJoint* joint = &m->joints[i];
    if (!ofActive || joint->law >= 0 || joint->drive >= 0) {
      join(component, m->bodies[joint->bodyA].tree, m->bodies[joint->bodyB].tree);
    }
  }
}

// The tree of a joint, one of the two that a cut joint may connect.
static int treeOfJoint(const crModel* m, int index)
{
  const crModelJoint* joint = &m->joints[index];
  int a = m->bodies[joint->bodyA].tree;
  return a >= 0 ? a : m->bodies[joint->bodyB].tree;
}

// Trees whose joints are coupled, by the couplings from `start` to `end`.
static void joinCouplings(const crModel* m, int* component, int start, int end)
{
  for (int i = start; i < end; ++i) {
    const crModelCoupling* coupling = &m->couplings[i];
    int first = treeOfJoint(m, m->terms[coupling->termStart].joint);
    for (int k = coupling->termStart; k < coupling->termStart + coupling->termCount; ++k) {
      const crModelJoint* joint = &m->joints[m->terms[k].joint];
      join(component, first, m->bodies[joint->bodyA].tree);
      join(component, first, m->bodies[joint->bodyB].tree);
    }
  }
}

// Couplings that give way, by the tree of their first joint.
static void fillElastics(crModel* m)
{
  int count = 0;
  for (int t = 0; t < m->size.treeCount; ++t) {
    m->treeElastics[t] = 0;
  }
  for (int i = m->rigidCount; i < m->size.couplingCount; ++i) {
    ++m->treeElastics[treeOfJoint(m, m->terms[m->couplings[i].termStart].joint)];
  }
  for (int t = 0; t < m->size.treeCount; ++t) {
    int own = m->treeElastics[t];
    m->treeElastics[t] = count;
    count += own;
  }
  m->treeElastics[m->size.treeCount] = count;
  for (int i = m->rigidCount; i < m->size.couplingCount; ++i) { // starts move to the ends of their lists
    m->elastics[m->treeElastics[treeOfJoint(m, m->terms[m->couplings[i].termStart].joint)]++] = i;
  }
  for (int t = m->size.treeCount; t > 0; --t) { // and back
    m->treeElastics[t] = m->treeElastics[t - 1];
  }
  m->treeElastics[0] = 0;
}

// Trees that force elements, cut joints, couplings or signals connect have the same component, named after its first
// tree.
static void fillComponents(crModel* m)
{
  int* component = m->components;
  for (int t = 0; t < m->size.treeCount; ++t) {
    component[t] = t;
  }
  for (int i = 0; i < m->size.forceCount; ++i) {
    const crModelForce* force = &m->forces[i];
    join(component, treeOf(m, force->objectA), treeOf(m, force->objectB));
    join(component, owner(m, force), treeOf(m, force->frame)); // the direction comes from there
    for (int k = force->guideStart; k < force->guideStart + force->guideCount; ++k) {
      join(component, owner(m, force), treeOf(m, m->guides[k].object));
    }
    if (force->drum >= 0) {
      join(component, owner(m, force), m->bodies[m->joints[force->drum].bodyA].tree);
      join(component, owner(m, force), m->bodies[m->joints[force->drum].bodyB].tree);
    }
  }
  crCoupleSignals(m, join, component, m->signalOwners);
  joinCuts(m, component, true);
  joinCouplings(m, component, m->rigidCount, m->size.couplingCount);
  for (int t = 0; t < m->size.treeCount; ++t) {
    m->forceComponents[t] = findRoot(component, t);
  }
  joinCuts(m, component, false);
  joinCouplings(m, component, 0, m->rigidCount);
  for (int t = 0; t < m->size.treeCount; ++t) {
    component[t] = findRoot(component, t);
    ++m->componentTrees[component[t]];
  }
  for (int t = 0; t < m->size.treeCount; ++t) {
    m->componentTrees[t] = m->componentTrees[component[t]];
  }
}

// Bodies that are left alone are never articulated once an instance has been checked, and share the last pivots.
static void placePivots(crModel* m)
{
  int count = 0;
  for (int b = 1; b < m->size.bodyCount; ++b) {
    m->links[b].pivotStart = count;
    count += m->areAlone[m->bodies[b].tree] ? 0 : m->links[b].vCount;
  }
  for (int b = 1; b < m->size.bodyCount; ++b) {
    m->links[b].pivotStart = m->areAlone[m->bodies[b].tree] ? count : m->links[b].pivotStart;
  }
  m->pivotCount = count + CR_MAX_JOINT_V;
}

void crFillLinks(crModel* m, int* scratch)
{
  int dof = 0;
  m->linkAxes[0] = crIdentityMat3();
  for (int t = 0; t < m->size.treeCount; ++t) {
    const crTree* tree = &m->trees[t];
    m->allTrees[t] = t;
    m->treeDofs[t] = dof;
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      fillLink(m, b, dof);
      dof += m->links[b].vCount;
    }
  }
  m->treeDofs[m->size.treeCount] = dof;
  markChildren(m);
  choosePaths(m);
  fillLaws(m);
  fillBristles(m);
  fillForces(m);
  fillDrives(m);
  fillElastics(m);
  fillStates(m);
  fillComponents(m);
  crOrderSignals(m, scratch);
  crFillRoundTrees(m);
  placePivots(m);
}
