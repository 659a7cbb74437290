// Pass 6, cut: the joints that close loops, and the bodies on each loop.
//
// Every cut joint closes exactly one loop with the forest: from bodyA up to the lowest common ancestor
// and down to bodyB. A loop over two trees runs through the world.
#include "model/compile/compile.h"

#define CR_LOOPS_PER_QUESTION 100    // whether to stop: a ladder of 1e4 rungs takes a second
#define CR_MAX_LOOP_BODIES 100000000 // over all loops: 400 MB; a ladder of n rungs has n^2 of them

// Bodies on the path through the tree, both ends included; writes them when bodies is not NULL.
static int walkLoop(const crCompilation* c, int bodyA, int bodyB, int* bodies)
{
  int a = bodyA, b = bodyB, count = 1;
  while (a != b) {
    // the deeper end climbs; at equal depth both do, one after the other
    bool climbsA = c->bodies[a].depth >= c->bodies[b].depth;
    a = climbsA ? c->bodies[a].parent : a;
    b = climbsA ? b : c->bodies[b].parent;
    ++count;
  }
  if (bodies != NULL) {
    int ancestor = a, head = 0, tail = count - 1;
    for (a = bodyA; a != ancestor; a = c->bodies[a].parent) {
      bodies[head++] = a;
    }
    for (b = bodyB; b != ancestor; b = c->bodies[b].parent) {
      bodies[tail--] = b;
    }
    bodies[head] = ancestor;
  }
  return count;
}

static void addCutJoint(crCompilation* c, int cut)
{
  crModelJoint* joint = &c->joints[c->modelJointCount];
  crFillJoint(c, c->cutEdges[cut], joint);
  joint->isCut = true;
  joint->qStart = joint->vStart = CR_NONE;
  c->modelJoints[joint->sceneIndex] = c->modelJointCount;
  c->loops[cut].cutJoint = c->modelJointCount++;
  c->loops[cut].bodyCount = walkLoop(c, joint->bodyA, joint->bodyB, NULL);
  c->loopBodyCount += c->loops[cut].bodyCount;
}

crStatus crCut(crCompilation* c)
{
  if (!crNew(c, c->loops, c->cutCount)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->cutCount; ++i) {
    addCutJoint(c, i);
    if (c->loopBodyCount > CR_MAX_LOOP_BODIES) {
      return cr_errorLimit;
    }
    if (i % CR_LOOPS_PER_QUESTION == 0 && crCompilation_ShouldStop(c)) {
      return cr_cancelled;
    }
  }
  if (!crNew(c, c->loopBodies, c->loopBodyCount)) {
    return cr_errorMemory;
  }
  int start = 0;
  for (int i = 0; i < c->cutCount; ++i) {
    const crModelJoint* joint = &c->joints[c->loops[i].cutJoint];
    walkLoop(c, joint->bodyA, joint->bodyB, c->loopBodies + start);
    c->loops[i].bodyStart = start;
    start += c->loops[i].bodyCount;
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- dump

void crDumpCut(const crCompilation* c, crDump* dump)
{
  crDump_Print(dump, "cut joints %d\n", c->cutCount);
  for (int i = 0; i < c->cutCount; ++i) {
    const crLoop* loop = &c->loops[i];
    const crModelJoint* joint = &c->joints[loop->cutJoint];
    crDump_Print(dump, "  %s %s between super-objects %d and %d (%s, %s)\n", crJointKind_GetText(joint->kind),
                 crNameOfJoint(c, joint), crSuperNumber(joint->bodyA), crSuperNumber(joint->bodyB),
                 crNameOfObject(c, joint->objectA), crNameOfObject(c, joint->objectB));
    crDump_Print(dump, "    loop through super-objects");
    for (int k = 0; k < loop->bodyCount; ++k) {
      crDump_Print(dump, " %d", crSuperNumber(c->loopBodies[loop->bodyStart + k]));
    }
    crDump_Print(dump, "\n");
  }
}
