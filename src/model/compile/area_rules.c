// What belongs to contacts at a point, part of pairs: laws of the user, the table of stiffnesses and contact radii. Two
// shapes that touch by area have no use for them, and nobody's wish is dropped in silence.
//
// Whether two shapes touch by area depends on their kinds and on whether they are rounded. So of each class it is
// enough to look at one shape of each such sort, and at one on another body, should the first ones be on the same.
#include "collide/area/area.h"
#include "model/compile/compile.h"

#include <stdio.h>

#define CR_SORT_COUNT ((ptrdiff_t)2 * cr_shapeKindCount)

// Shapes of one class and sort: the first one, and the first on another body; CR_NONE: there is none.
typedef struct Sample {
  int shapes[2];
} Sample;

typedef struct Samples {
  Sample any[CR_SORT_COUNT];
  Sample withRadius[CR_SORT_COUNT];
} Samples;

static void addSample(const crCompilation* c, Sample* sample, int shape)
{
  if (sample->shapes[0] == CR_NONE) {
    sample->shapes[0] = shape;
  } else if (sample->shapes[1] == CR_NONE && c->shapes[sample->shapes[0]].body != c->shapes[shape].body) {
    sample->shapes[1] = shape;
  }
}

static bool listSamples(crCompilation* c, Samples** outSamples)
{
  if (!crNew(c, *outSamples, c->classCount)) {
    return false;
  }
  for (int k = 0; k < c->classCount; ++k) {
    for (int s = 0; s < CR_SORT_COUNT; ++s) {
      (*outSamples)[k].any[s] = (*outSamples)[k].withRadius[s] = (Sample){ { CR_NONE, CR_NONE } };
    }
  }
  for (int i = 0; i < c->shapeCount; ++i) {
    const crShape* shape = c->shapeSources[i];
    Samples* samples = &(*outSamples)[c->clusters[c->shapeClusters[i]].contactClass];
    int sort = 2 * (int)shape->kind + (shape->sweep > 0.0);
    addSample(c, &samples->any[sort], i);
    if (!isnan(c->shapes[i].contactRadius)) {
      addSample(c, &samples->withRadius[sort], i);
    }
  }
  return true;
}

static bool touchByArea(const crCompilation* c, int a, int b)
{
  int bodyA = c->shapes[a].body, bodyB = c->shapes[b].body;
  return bodyA != bodyB && crKeyTable_Find(&c->excludedTable, crPairKey(bodyA, bodyB)) < 0 &&
         !crAreShapesExcluded(c, a, b) && crTouchesByArea(c->shapeSources[a], c->shapeSources[b]);
}

// A shape of each that touch by area; false: there are none.
static bool findTouch(const crCompilation* c, const Sample* a, const Sample* others, int* outA, int* outB)
{
  for (int k = 0; k < 2 && a->shapes[k] != CR_NONE; ++k) {
    for (int i = 0; i < 2 * CR_SORT_COUNT; ++i) {
      int b = others[i / 2].shapes[i % 2];
      if (b != CR_NONE && touchByArea(c, a->shapes[k], b)) {
        *outA = a->shapes[k];
        *outB = b;
        return true;
      }
    }
  }
  return false;
}

static void report(crCompilation* c, int a, int b, const char* what, const char* otherwise)
{
  const crContactShape *first = &c->shapes[a], *second = &c->shapes[b];
  const char *nameA = c->materialNames[first->material], *nameB = c->materialNames[second->material];
  char hint[2 * CR_MAX_PATH + 128];
  snprintf(hint, sizeof hint, "%scontactPair(\"%s\", \"%s\", { touch = \"point\", ... })", otherwise, nameA, nameB);
  crComplaint rest = { .hint = hint };
  crCompilation_Report(c, cr_severityError, crAddressOfObject(c, c->objects[first->object].sceneIndex), &rest,
                       "%s belongs to contacts at a point, but '%s' of %s and '%s' of %s touch by area", what,
                       crNameOfObject(c, first->object), nameA, crNameOfObject(c, second->object), nameB);
}

// The law of two classes whose shapes touch by area; NULL: none, or they touch at points.
static const crContactLaw* findAreaLaw(const crCompilation* c, const crKeyTable* laws, int classA, int classB)
{
  const crContactClass *a = &c->classes[classA], *b = &c->classes[classB];
  bool agree = (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
  int law = agree ? crKeyTable_Find(laws, crPairKey(a->material, b->material)) : -1;
  return law >= 0 && law < c->lawCount && c->laws[law].touch != cr_touchByPoint ? &c->laws[law] : NULL;
}

static void checkLaw(crCompilation* c, const Samples* a, const Samples* b, const crContactLaw* law, bool* isTold)
{
  const char* what = law->response == cr_responseUser    ? "a law of the user"
                     : law->geometry == cr_geometryTable ? "geometry = \"table\""
                                                         : NULL;
  int first, second;
  for (int s = 0; what != NULL && !*isTold && s < CR_SORT_COUNT; ++s) {
    if (findTouch(c, &a->any[s], b->any, &first, &second)) {
      report(c, first, second, what, "");
      *isTold = true;
    }
  }
}

static void checkRadii(crCompilation* c, const Samples* a, const Samples* b, bool* areTold)
{
  int first, second;
  for (int s = 0; s < CR_SORT_COUNT; ++s) {
    if (!areTold[s] && findTouch(c, &a->withRadius[s], b->any, &first, &second)) {
      report(c, first, second, "contactRadius", "leave it out, or ");
      areTold[s] = true;
    }
  }
}

crStatus crCheckAreaRules(crCompilation* c, const crKeyTable* laws)
{
  Samples* samples;
  bool *areLawsTold, *areRadiiTold;
  if (!listSamples(c, &samples) || !crNew(c, areLawsTold, c->lawCount + 1) ||
      !crNew(c, areRadiiTold, c->classCount * CR_SORT_COUNT)) {
    return cr_errorMemory;
  }
  for (int k = 0; k < c->classCount; ++k) {
    for (int m = 0; m < c->classCount; ++m) {
      const crContactLaw* law = findAreaLaw(c, laws, k, m);
      if (law != NULL) {
        checkLaw(c, &samples[k], &samples[m], law, &areLawsTold[law - c->laws]);
        checkRadii(c, &samples[k], &samples[m], &areRadiiTold[k * CR_SORT_COUNT]);
      }
    }
  }
  return cr_ok;
}
