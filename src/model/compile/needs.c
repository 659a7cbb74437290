// Pass 8, needs: why the frame of each object has to be known, and so when.
//
// These are the four kinds of super-object of [NeumayrOtter19] section 4.1: collision, mass, force and
// visual. Objects for contact, joints and forces are needed at every evaluation; masses are lumped into
// their body; what is only drawn costs nothing between output points.
#include "model/compile/compile.h"

static bool isDrawn(const crFeatureDef* def)
{
  return (def->kind == cr_featureSolid && def->as.solid.visual != NULL) ||
         (def->kind == cr_featureVisual &&
          (def->as.visual.visual != NULL || crShapeKind_IsVisualOnly(def->as.visual.shape.kind)));
}

static void needObjects(crCompilation* c)
{
  for (int i = 0; i < c->objectCount; ++i) {
    crModelObject* object = &c->objects[i];
    const crObjectDef* def = c->objectDefs[object->sceneIndex];
    object->needs |= c->hasMass[object->sceneIndex] ? cr_needMass : 0u;
    for (int k = 0; k < def->featureCount; ++k) {
      object->needs |= isDrawn(&def->features[k]) ? cr_needVisual : 0u;
    }
  }
  for (int i = 0; i < c->shapeCount; ++i) {
    if (c->clusters[c->shapeClusters[i]].partnerCount > 0) {
      c->objects[c->shapes[i].object].needs |= cr_needContact;
    }
  }
}

// The world is only the reference of a free object: nothing is connected to its frame.
static void needConnections(crCompilation* c)
{
  for (int i = 0; i < c->modelJointCount; ++i) {
    const crModelJoint* joint = &c->joints[i];
    unsigned need = joint->isCut ? cr_needCut : cr_needJoint;
    c->objects[joint->objectA].needs |= joint->isImplicit ? 0u : need;
    c->objects[joint->objectB].needs |= need;
  }
  for (int i = 0; i < c->forceCount; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (c->forceEnds[i][k] != CR_NONE) {
        c->objects[c->modelIndex[c->forceEnds[i][k]]].needs |= cr_needForce;
      }
    }
    for (int k = c->guideStarts[i]; k < c->guideStarts[i + 1]; ++k) {
      c->objects[c->modelIndex[c->guideObjects[k]]].needs |= cr_needForce;
    }
  }
}

crStatus crFindNeeds(crCompilation* c)
{
  needObjects(c);
  needConnections(c);
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- dump

typedef enum List { listCollision, listMass, listForce, listVisual, listCount } List;

static bool isInList(unsigned needs, List list)
{
  switch (list) {
    case listCollision: return (needs & cr_needContact) != 0;
    case listMass: return (needs & cr_needMass) != 0;
    case listForce: return (needs & CR_NEED_ALWAYS) != 0;
    case listVisual: return needs == cr_needVisual;
    case listCount: break;
  }
  return false;
}

static void dumpLists(const crCompilation* c, const crBody* body, crDump* dump)
{
  static const char* const names[listCount] = { "collision", "mass", "force", "visual" };
  for (int list = 0; list < listCount; ++list) {
    bool isEmpty = true;
    crDump_Print(dump, "  %-12s", names[list]);
    for (int i = body->objectStart; i < body->objectStart + body->objectCount; ++i) {
      if (isInList(c->objects[i].needs, (List)list)) {
        crDump_Print(dump, " %s", crNameOfObject(c, i));
        isEmpty = false;
      }
    }
    crDump_Print(dump, isEmpty ? " -\n" : "\n");
  }
}

// The pairs that joints exclude, each with the lower number; *next runs over all of them in order.
static void dumpNoCollision(const crCompilation* c, int body, int* next, crDump* dump)
{
  bool isEmpty = true;
  crDump_Print(dump, "  %-12s", "no collision");
  for (; *next < c->excludedCount && c->excluded[*next].bodyA == body; ++*next) {
    if (c->excluded[*next].reason == cr_excludedByJoint) {
      crDump_Print(dump, " %d", crSuperNumber(c->excluded[*next].bodyB));
      isEmpty = false;
    }
  }
  crDump_Print(dump, isEmpty ? " -\n" : "\n");
}

void crDumpNeeds(const crCompilation* c, crDump* dump)
{
  int next = 0;
  for (int b = 0; b < c->bodyCount; ++b) {
    crDump_Print(dump, "super-object %d\n", crSuperNumber(b));
    dumpLists(c, &c->bodies[b], dump);
    dumpNoCollision(c, b, &next, dump);
  }
  crDump_Print(dump, "force elements");
  for (int i = 0; i < c->forceCount; ++i) {
    int b = c->forceEnds[i][1];
    crDump_Print(dump, "%s %s (%s%s%s)", i > 0 ? "," : "", c->forceDefs[i]->name,
                 c->objectDefs[c->forceEnds[i][0]]->name, b != CR_NONE ? ", " : "",
                 b != CR_NONE ? c->objectDefs[b]->name : "");
  }
  crDump_Print(dump, "\n");
  for (int i = 0; i < c->cutCount; ++i) {
    const crModelJoint* joint = &c->joints[c->loops[i].cutJoint];
    crDump_Print(dump, "cut joint %s between super-objects %d and %d\n", crNameOfJoint(c, joint),
                 crSuperNumber(joint->bodyA), crSuperNumber(joint->bodyB));
  }
}
