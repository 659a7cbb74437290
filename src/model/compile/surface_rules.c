// What surfaces of profiles cannot touch yet, part of pairs: spheres alone touch them, and nobody is let through in
// silence.
#include "model/compile/compile.h"

static bool canMeet(const crCompilation* c, int a, int b)
{
  const crContactShape *x = &c->shapes[a], *y = &c->shapes[b];
  return x->body != y->body && (x->group & y->mask) != 0 && (y->group & x->mask) != 0 &&
         crKeyTable_Find(&c->excludedTable, crPairKey(x->body, y->body)) < 0 && !crAreShapesExcluded(c, a, b);
}

static void report(crCompilation* c, int surface, int other)
{
  const crContactShape *a = &c->shapes[surface], *b = &c->shapes[other];
  crComplaint rest = { .hint = "exclude(a, b), canCollide = false, or groups that keep them apart" };
  crCompilation_Report(c, cr_severityError, crAddressOfObject(c, c->objects[a->object].sceneIndex), &rest,
                       "'%s' can meet '%s', a %s: a %s shape touches spheres alone", crNameOfObject(c, a->object),
                       crNameOfObject(c, b->object), crShapeKind_GetText(c->shapeSources[other]->kind),
                       crShapeKind_GetText(c->shapeSources[surface]->kind));
}

void crCheckSurfaceRules(crCompilation* c)
{
  int object = CR_NONE; // of which one has been told
  for (int i = 0; i < c->shapeCount; ++i) {
    if (!crIsSurface(c->shapeSources[i]) || c->shapes[i].object == object) {
      continue;
    }
    for (int k = 0; k < c->shapeCount && c->shapes[i].object != object; ++k) {
      if (c->shapeSources[k]->kind != cr_shapeSphere && canMeet(c, i, k)) {
        report(c, i, k);
        object = c->shapes[i].object;
      }
    }
  }
}
