// Compounds: contact shapes of one body that touch each other, and that nothing else tells apart. Contacts with the
// shapes of a compound are parts of one surface (contact/contact_group.h).
#include "carom/collide.h"
#include "model/compile/compile.h"

#include <stdlib.h>

#define CR_COMPOUND_GAP 1e-6 // [-] of the smaller shape's smallest dimension, up to which two shapes touch

typedef struct Boxed {
  crAabb box; // in the body
  int shape;
} Boxed;

static int compareBoxes(const void* a, const void* b)
{
  const Boxed *x = a, *y = b;
  if (x->box.min.x != y->box.min.x) {
    return x->box.min.x < y->box.min.x ? -1 : 1;
  }
  return x->shape < y->shape ? -1 : x->shape > y->shape;
}

static bool isSameRadius(double a, double b)
{
  return a == b || (isnan(a) && isnan(b));
}

static bool areAlike(const crContactShape* a, const crContactShape* b)
{
  return a->material == b->material && a->group == b->group && a->mask == b->mask &&
         isSameRadius(a->contactRadius, b->contactRadius) &&
         crLength(crSub(a->surfaceVelocity, b->surfaceVelocity)) == 0.0;
}

static int findFirst(const crContactShape* shapes, int shape)
{
  while (shapes[shape].compound != shape) {
    shape = shapes[shape].compound;
  }
  return shape;
}

static void join(crContactShape* shapes, int a, int b)
{
  int firstA = findFirst(shapes, a), firstB = findFirst(shapes, b);
  shapes[firstA > firstB ? firstA : firstB].compound = firstA < firstB ? firstA : firstB;
}

static bool doTouch(const crCompilation* c, int a, int b, double gap)
{
  crDistance d = { .distance = HUGE_VAL };
  crComputeDistance(c->shapeSources[a], &c->shapes[a].X_BS, c->shapeSources[b], &c->shapes[b].X_BS, NULL, &d);
  return d.distance <= gap;
}

static double findGap(const crCompilation* c, int shape)
{
  return CR_COMPOUND_GAP * crShape_GetSmallestDimension(c->shapeSources[shape]);
}

// Shapes of one body, sorted by where their boxes begin.
static crStatus joinSorted(crCompilation* c, const Boxed* items, int count)
{
  for (int i = 0; i < count; ++i) {
    if (crCompilation_ShouldStop(c)) {
      return cr_cancelled;
    }
    int a = items[i].shape;
    double widest = findGap(c, a);
    for (int k = i + 1; k < count && items[k].box.min.x <= items[i].box.max.x + widest; ++k) {
      int b = items[k].shape;
      double gap = fmin(widest, findGap(c, b));
      crAabb box = items[i].box;
      box.min = crSub(box.min, crMakeVec3(gap, gap, gap));
      box.max = crAdd(box.max, crMakeVec3(gap, gap, gap));
      if (!areAlike(&c->shapes[a], &c->shapes[b]) || !crAabbsOverlap(box, items[k].box) || !doTouch(c, a, b, gap)) {
        continue;
      }
      join(c->shapes, a, b);
      crStatus status = crMarkInnerFaces(c, a, b);
      if (status != cr_ok) {
        return status;
      }
    }
  }
  return cr_ok;
}

crStatus crFindCompounds(crCompilation* c)
{
  Boxed* items;
  if (!crNew(c, items, c->shapeCount) || !crNew(c, c->innerFaces, c->shapeCount)) {
    return cr_errorMemory;
  }
  crStatus status = cr_ok;
  for (int body = 0; body < c->bodyCount && status == cr_ok; ++body) {
    int count = 0;
    for (int i = c->shapeStarts[body]; i < c->shapeStarts[body + 1]; ++i) {
      c->shapes[i].compound = i;
      if (crShape_IsBounded(c->shapeSources[i]) && !crIsSurface(c->shapeSources[i])) { // chains are touched apart
        items[count++] = (Boxed){ crShape_ComputeAabb(c->shapeSources[i], c->shapes[i].X_BS), i };
      }
    }
    if (count > 1) {
      qsort(items, (size_t)count, sizeof *items, compareBoxes);
      status = joinSorted(c, items, count);
      crKeepInnerFaces(c);
    }
    for (int i = c->shapeStarts[body]; i < c->shapeStarts[body + 1]; ++i) {
      c->shapes[i].compound = findFirst(c->shapes, i);
    }
  }
  return status;
}
