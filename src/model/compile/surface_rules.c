// What surfaces of profiles cannot touch yet, part of pairs: spheres alone touch them, and rooms ellipsoids too, and
// nobody is let through in silence.
#include "collide/distance/parallel.h"
#include "model/compile/compile.h"

#define CR_MOST_FIT 0.95 // [-] of a ball's radius over that of its groove: beyond, Hertz' half-spaces do not hold

bool crCanShapesMeet(const crCompilation* c, int a, int b)
{
  const crContactShape *x = &c->shapes[a], *y = &c->shapes[b];
  return x->body != y->body && (x->group & y->mask) != 0 && (y->group & x->mask) != 0 &&
         crKeyTable_Find(&c->excludedTable, crPairKey(x->body, y->body)) < 0 && !crAreShapesExcluded(c, a, b);
}

// As the model has it, and not the pieces that were made of it.
static const crShapeDef* getDef(const crCompilation* c, int shape)
{
  const crContactShape* own = &c->shapes[shape];
  const crModelObject* object = &c->objects[own->object];
  return &c->objectDefs[object->sceneIndex]->features[own->feature].as.solid.shape;
}

static void report(crCompilation* c, int surface, int other)
{
  const crContactShape *a = &c->shapes[surface], *b = &c->shapes[other];
  crComplaint rest = { .hint = "pieceError, for convex pieces that others touch; or exclude(a, b), canCollide = false, "
                               "groups that keep them apart" };
  crCompilation_Report(c, cr_severityError, crAddressOfObject(c, c->objects[a->object].sceneIndex), &rest,
                       "'%s' can meet '%s', a %s: a %s%s shape touches %s", crNameOfObject(c, a->object),
                       crNameOfObject(c, b->object), crShapeKind_GetText(getDef(c, other)->kind),
                       getDef(c, surface)->isHollow ? "hollow " : "", crShapeKind_GetText(getDef(c, surface)->kind),
                       c->shapeSources[surface]->kind == cr_shapeExtruded
                           ? "spheres, and cylinders and extruded shapes that are parallel to it"
                       : c->shapeSources[surface]->isRoom ? "spheres and ellipsoids"
                                                          : "spheres alone");
}

static crPose placeAtStart(const crCompilation* c, int shape)
{
  return crMulPose(c->bodies[c->shapes[shape].body].X_WB_start, c->shapes[shape].X_BS);
}

// Extruded shapes and cylinders that can meet have parallel axes; false: told.
static bool checkAxes(crCompilation* c, int surface, int other)
{
  crPose X_WA = placeAtStart(c, surface), X_WB = placeAtStart(c, other);
  double tilt = crFindTilt(c->shapeSources[surface], &X_WA, c->shapeSources[other], &X_WB);
  if (tilt <= CR_MOST_TILT) {
    return true;
  }
  const crContactShape *a = &c->shapes[surface], *b = &c->shapes[other];
  crComplaint rest = { .hint = "pieceError for each that is extruded, for convex pieces; or turn one of them, or keep "
                               "them apart: exclude(a, b)" };
  crCompilation_Report(c, cr_severityError, crAddressOfObject(c, c->objects[a->object].sceneIndex), &rest,
                       "the axes of '%s' and '%s' are not parallel, and an extruded shape touches along its axis alone",
                       crNameOfObject(c, a->object), crNameOfObject(c, b->object));
  return false;
}

void crCheckSurfaceRules(crCompilation* c)
{
  int object = CR_NONE; // of which one has been told
  for (int i = 0; i < c->shapeCount; ++i) {
    const crShape* surface = c->shapeSources[i];
    if (!crIsSurface(surface) || surface->ground != NULL || c->shapes[i].object == object) {
      continue;
    }
    for (int k = 0; k < c->shapeCount && c->shapes[i].object != object; ++k) {
      if (c->shapeSources[k]->standsFor != cr_shapeNone) { // its chains tell
        continue;
      }
      bool isSphere = c->shapeSources[k]->kind == cr_shapeSphere;
      bool isTold = k < i && crIsSurface(c->shapeSources[k]); // from the other side
      bool isParallel = crIsParallelPair(c->shapeSources[i], c->shapeSources[k]);
      bool isInRoom = surface->isRoom && c->shapeSources[k]->kind == cr_shapeEllipsoid;
      bool hasPieces = surface->given.pieceError > 0.0 || isInRoom; // which the other one touches
      if (!isSphere && !isParallel && !isTold && !hasPieces && crCanShapesMeet(c, i, k)) {
        report(c, i, k);
        object = c->shapes[i].object;
      } else if (isParallel && !isTold && crCanShapesMeet(c, i, k) && !checkAxes(c, i, k)) {
        object = c->shapes[i].object;
      }
    }
  }
}

// Balls that do not fit into the valleys of ground touch its facets, and cylinders below which its slope differs too
// much.
static void warnOfLarge(crCompilation* c, int surface, int other)
{
  const crContactShape *a = &c->shapes[surface], *b = &c->shapes[other];
  const crShape* shape = c->shapeSources[other];
  const crGround* ground = c->shapeSources[surface]->ground;
  bool isBall = shape->kind == cr_shapeSphere;
  double size = isBall ? shape->sweep : shape->reach, most = isBall ? ground->chain.concave : ground->wheel;
  int refine = c->shapeSources[surface]->given.as.heightField.refine;
  crComplaint rest = { .hint = "a larger refine, smoother heights, or facets = true to say that it is meant so" };
  crCompilation_Report(
      c, cr_severityWarning, crAddressOfObject(c, c->objects[a->object].sceneIndex), &rest,
      isBall ? "'%s', with a radius of %.3g m, does not fit into the valleys of '%s', of %.3g m: it touches its "
               "facets, which are off by up to %.2g m"
             : "'%s', whose points are up to %.3g m away from its middle, is too large for the smooth surface of '%s', "
               "which takes cylinders up to %.3g m: it touches its facets, which are off by up to %.2g m",
      crNameOfObject(c, b->object), size, crNameOfObject(c, a->object), most,
      crGround_BoundFacets(ground, refine > 0 ? refine : 1));
}

void crWarnOfLarge(crCompilation* c)
{
  for (int i = 0; i < c->shapeCount; ++i) {
    const crShape* surface = c->shapeSources[i];
    for (int k = 0; surface->ground != NULL && k < c->shapeCount; ++k) {
      const crShape* other = c->shapeSources[k];
      bool isLargeBall = other->kind == cr_shapeSphere && other->sweep >= surface->chain->most;
      bool isLargeWheel = crIsWheel(other) && !crTouchesSmoothGround(surface, other);
      if ((isLargeBall || isLargeWheel) && crCanShapesMeet(c, i, k)) {
        warnOfLarge(c, i, k);
        break;
      }
    }
  }
}

// The tightest of the grooves of a surface that a ball fits in; 0: none.
static double findFit(const crShape* surface, double radius)
{
  const crProfile* profile = surface->chain->profile;
  double fit = 0.0;
  for (int i = 0; i < surface->chain->count; ++i) {
    const crProfileElement* e = &profile->items[(surface->chain->first + i) % profile->count];
    fit = e->curvature < 0.0 && e->radius > radius ? fmax(fit, radius / e->radius) : fit;
  }
  return fit;
}

void crWarnOfTightFits(crCompilation* c, const crKeyTable* laws)
{
  int object = CR_NONE; // of which one has been told
  for (int i = 0; i < c->shapeCount; ++i) {
    for (int k = 0; crIsSurface(c->shapeSources[i]) && k < c->shapeCount && c->shapes[i].object != object; ++k) {
      const crContactShape *a = &c->shapes[i], *b = &c->shapes[k];
      int law = crKeyTable_Find(laws, crPairKey(a->material, b->material));
      if (c->shapeSources[k]->kind != cr_shapeSphere || law < 0 || law >= c->lawCount ||
          c->laws[law].geometry != cr_geometryHertz || !crCanShapesMeet(c, i, k)) {
        continue;
      }
      double fit = findFit(c->shapeSources[i], c->shapeSources[k]->sweep);
      if (fit > CR_MOST_FIT) {
        crComplaint rest = { .hint = "its ellipse is long against the groove: widen the groove, or take stiffness from "
                                     "tests with response = \"penalty\"" };
        crCompilation_Report(c, cr_severityWarning, crAddressOfObject(c, c->objects[a->object].sceneIndex), &rest,
                             "'%s' fills its groove in '%s' to %.3g of the radius, and Hertz' law holds up to %g",
                             crNameOfObject(c, b->object), crNameOfObject(c, a->object), fit, CR_MOST_FIT);
        object = a->object;
      }
    }
  }
}
