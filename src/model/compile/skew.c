// Skew shapes, part of pairs: cylinders and extruded shapes whose axes are not held parallel to those of extruded ones
// that they can meet. Where these have convex pieces, they touch the pieces, and exact ways are for those whose joints
// let axes turn about themselves alone: which of both it is does not change during a run, so that no energy jumps.
// Pieces that are exact are not told of.
//
// Extruded shapes that may lie flat on each other touch pieces too, where both have such (shape.h); else they are told.
#include "collide/distance/parallel.h"
#include "model/compile/compile.h"

static crVec3 findAxis(const crCompilation* c, int shape)
{
  crPose X_WS = crMulPose(c->bodies[c->shapes[shape].body].X_WB_start, c->shapes[shape].X_BS);
  return crMulMV(crMulMM(X_WS.R, c->shapeSources[shape]->R_FS), crMakeVec3(0.0, 0.0, 1.0));
}

// Whether a joint lets its bodies turn about the direction alone, if at all.
static bool holdsAxis(const crCompilation* c, const crModelJoint* joint, crVec3 axis_W)
{
  if (joint->kind == cr_jointFix || joint->kind == cr_jointPrismatic) {
    return true;
  }
  bool hasOne = joint->kind == cr_jointRevolute || joint->kind == cr_jointCylindrical || joint->kind == cr_jointScrew ||
                joint->kind == cr_jointPlanar;
  crMat3 R_WA = crMulMM(c->bodies[joint->bodyA].X_WB_start.R, joint->X_BA.R);
  return hasOne && crLength(crCross(crMulMV(R_WA, joint->axis), axis_W)) <= CR_MOST_TILT;
}

static bool areHeld(const crCompilation* c, int a, int b)
{
  crVec3 axis = findAxis(c, a);
  bool isHeld = crLength(crCross(axis, findAxis(c, b))) <= CR_MOST_TILT;
  int bodyA = c->shapes[a].body, bodyB = c->shapes[b].body;
  while (bodyA != bodyB && isHeld) { // up to where both ways to the world meet: parents have lesser numbers
    int* next = bodyA > bodyB ? &bodyA : &bodyB;
    isHeld = holdsAxis(c, &c->joints[c->bodies[*next].joint], axis);
    *next = c->bodies[*next].parent;
  }
  return isHeld;
}

// All pieces of a feature, as copies: the scene's shapes know nothing of models.
static bool markFeature(crCompilation* c, int shape)
{
  const crContactShape* own = &c->shapes[shape];
  for (int i = c->shapeStarts[own->body]; i < c->shapeStarts[own->body + 1]; ++i) {
    crShape* copy;
    if (c->shapes[i].object == own->object && c->shapes[i].feature == own->feature) {
      if (!crNew(c, copy, 1)) {
        return false;
      }
      *copy = *c->shapeSources[i];
      copy->isSkew = true;
      c->shapeSources[i] = copy;
    }
  }
  return true;
}

static bool hasPieces(const crShape* shape)
{
  return shape->kind == cr_shapeCylinder || shape->given.pieceError > 0.0;
}

static bool isAsked(const crCompilation* c, int shape)
{
  const crContactShape* own = &c->shapes[shape];
  const crObjectDef* def = c->objectDefs[c->objects[own->object].sceneIndex];
  return def->features[own->feature].as.solid.shape.pieceError > 0.0;
}

static void tell(crCompilation* c, int surface, int other)
{
  if (!isAsked(c, surface) && !(c->shapeSources[other]->kind == cr_shapeExtruded && isAsked(c, other))) {
    return;
  }
  const crContactShape *a = &c->shapes[surface], *b = &c->shapes[other];
  crComplaint rest = { .hint = NULL };
  crCompilation_Report(c, cr_severityNote, crAddressOfObject(c, c->objects[a->object].sceneIndex), &rest,
                       "'%s' and '%s' need not be parallel: they touch by convex pieces, which are off by up to %.3g m",
                       crNameOfObject(c, a->object), crNameOfObject(c, b->object),
                       c->shapeSources[surface]->given.pieceError);
}

// Of each object once. Those that have pieces already need not be made to.
static void tellOfFlats(crCompilation* c, int a, int b)
{
  const crContactShape *own = &c->shapes[a], *other = &c->shapes[b];
  int without = c->shapeSources[a]->hasPrisms ? b : a;
  crComplaint rest = { .hint = "pieceError, for convex pieces, by which they touch with all of their faces" };
  crCompilation_Report(
      c, cr_severityNote, crAddressOfObject(c, c->objects[c->shapes[without].object].sceneIndex), &rest,
      "'%s' and '%s' have flat sides and touch at one point: to lie on each other takes them very long",
      crNameOfObject(c, own->object), crNameOfObject(c, other->object));
}

// Two outlines, each by the first of its pieces, that touch as such and may lie flat on each other.
static bool touchAsFlats(const crCompilation* c, int a, int b)
{
  const crShape *x = c->shapeSources[a], *y = c->shapeSources[b];
  bool areFirst = c->shapes[a].piece == 0 && c->shapes[b].piece == 0;
  return areFirst && a < b && crIsParallelPair(x, y) && y->kind == cr_shapeExtruded && crMayLieFlat(x, y) &&
         !(x->hasPrisms && y->hasPrisms) && crCanShapesMeet(c, a, b);
}

crStatus crMarkSkewShapes(crCompilation* c)
{
  for (int i = 0; i < c->shapeCount; ++i) {
    for (int k = 0; c->shapeSources[i]->kind == cr_shapeExtruded && k < c->shapeCount; ++k) {
      const crShape *surface = c->shapeSources[i], *other = c->shapeSources[k];
      bool isTold = k < i && other->kind == cr_shapeExtruded; // from the other side
      if (touchAsFlats(c, i, k)) {
        tellOfFlats(c, i, k);
      }
      if (crIsParallelPair(surface, other) && !isTold && surface->given.pieceError > 0.0 && hasPieces(other) &&
          crCanShapesMeet(c, i, k) && !areHeld(c, i, k)) {
        tell(c, i, k);
        if (!markFeature(c, k)) {
          return cr_errorMemory;
        }
      }
    }
  }
  return cr_ok;
}
