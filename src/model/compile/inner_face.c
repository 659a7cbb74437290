// Inner faces: those that two shapes of a compound share as a whole. They are no surface: depth is not measured to
// them, and nothing is integrated over them (collide/area/polytope.h).
//
// What is left out at a shared face is the integral of the difference of both depths, so all that is beside it must go
// on from one shape to the other: the faces at each of its edges are in one plane, and both of them surface or both
// inner. A face that is shared in part, or where the surface bends, stays as it is; so does one at a corner where three
// shapes of four meet, since beside it one face is inner and the other is surface.
#include "collide/area/area.h"
#include "collide/area/polytope.h"
#include "model/compile/compile.h"

#define CR_SHARED_GAP 1e-9  // [-] of the smaller one's radius, between corners of a face that both have
#define CR_SHARED_SINE 1e-8 // [-] between normals of faces in one plane

typedef struct Solid {
  crPolytope polytope;
  crPose X; // of its axes, in the body
} Solid;

static void makeSolid(const crCompilation* c, int shape, Solid* out)
{
  crMakePolytope(c->shapeSources[shape], &out->polytope);
  out->X = crPlaceCanonical(c->shapeSources[shape], &c->shapes[shape].X_BS);
}

static crVec3 normalOf(const Solid* solid, int face)
{
  return crMulMV(solid->X.R, solid->polytope.normals[face]);
}

static int countCorners(const Solid* solid, int face)
{
  return solid->polytope.faceStarts[face + 1] - solid->polytope.faceStarts[face];
}

// Corner k of a face, in the body; k goes round.
static crVec3 cornerOf(const Solid* solid, int face, int k)
{
  const crPolytope* polytope = &solid->polytope;
  int n = countCorners(solid, face), i = polytope->faceStarts[face] + (k % n + n) % n;
  return crTransformPoint(solid->X, polytope->vertices[polytope->faceVertices[i]]);
}

static bool areNear(crVec3 a, crVec3 b, double gap)
{
  return crLength(crSub(a, b)) <= gap;
}

static bool arePointingAlike(crVec3 a, crVec3 b)
{
  return crDot(a, b) > 0.0 && crLength(crCross(a, b)) <= CR_SHARED_SINE;
}

// The other face at edge k of a face: it has the edge the other way round. -1: none.
static int findBeside(const Solid* solid, int face, int k)
{
  const crPolytope* polytope = &solid->polytope;
  int n = countCorners(solid, face), start = polytope->faceStarts[face];
  int from = polytope->faceVertices[start + k], to = polytope->faceVertices[start + (k + 1) % n];
  for (int f = 0; f < polytope->faceCount; ++f) {
    int first = polytope->faceStarts[f], m = countCorners(solid, f);
    for (int i = 0; i < m; ++i) {
      if (f != face && polytope->faceVertices[first + i] == to && polytope->faceVertices[first + (i + 1) % m] == from) {
        return f;
      }
    }
  }
  return -1;
}

// The corner of a face at a point; -1: none.
static int findCorner(const Solid* solid, int face, crVec3 x, double gap)
{
  for (int k = 0; k < countCorners(solid, face); ++k) {
    if (areNear(cornerOf(solid, face, k), x, gap)) {
      return k;
    }
  }
  return -1;
}

// Whether two faces are the same polygon seen from both sides, and all goes on beside it.
static bool areShared(const Solid* a, int faceA, const Solid* b, int faceB, double gap)
{
  int n = countCorners(a, faceA);
  if (countCorners(b, faceB) != n || !arePointingAlike(normalOf(a, faceA), crNeg(normalOf(b, faceB)))) {
    return false;
  }
  int start = findCorner(b, faceB, cornerOf(a, faceA, 0), gap);
  for (int k = 0; start >= 0 && k < n; ++k) {
    if (!areNear(cornerOf(a, faceA, k), cornerOf(b, faceB, start - k), gap)) {
      return false;
    }
    // edge k of A, from corner k to k + 1, is B's from corner start - k - 1 to start - k
    int besideA = findBeside(a, faceA, k), besideB = findBeside(b, faceB, ((start - k - 1) % n + n) % n);
    if (besideA < 0 || besideB < 0 || !arePointingAlike(normalOf(a, besideA), normalOf(b, besideB))) {
      return false;
    }
  }
  return start >= 0;
}

static bool mark(crCompilation* c, int shape, int faceCount, int face)
{
  if (c->innerFaces[shape] == NULL && !crNew(c, c->innerFaces[shape], faceCount)) {
    return false;
  }
  c->innerFaces[shape][face] = true;
  return true;
}

// Two faces that are one polygon, of shapes of one body.
struct crSharedFace {
  crSharedFace* next;
  int shapeA, faceA, shapeB, faceB;
};

static bool keep(crCompilation* c, int shapeA, int faceA, int shapeB, int faceB)
{
  crSharedFace* shared;
  if (!crNew(c, shared, 1)) {
    return false;
  }
  *shared = (crSharedFace){ c->sharedFaces, shapeA, faceA, shapeB, faceB };
  c->sharedFaces = shared;
  return true;
}

crStatus crMarkInnerFaces(crCompilation* c, int shapeA, int shapeB)
{
  int countA = crCountPolytopeFaces(c->shapeSources[shapeA]), countB = crCountPolytopeFaces(c->shapeSources[shapeB]);
  if (countA == 0 || countB == 0) {
    return cr_ok;
  }
  Solid a, b;
  makeSolid(c, shapeA, &a);
  makeSolid(c, shapeB, &b);
  double gap = CR_SHARED_GAP * fmin(a.polytope.radius, b.polytope.radius);
  for (int i = 0; i < countA; ++i) {
    for (int k = 0; k < countB; ++k) {
      bool isShared = areShared(&a, i, &b, k, gap);
      if (isShared && (!mark(c, shapeA, countA, i) || !mark(c, shapeB, countB, k) || !keep(c, shapeA, i, shapeB, k))) {
        return cr_errorMemory;
      }
    }
  }
  return cr_ok;
}

// Whether at each edge of two shared faces the faces beside it are both inner, or both surface.
static bool doesGoOn(const crCompilation* c, const crSharedFace* shared)
{
  Solid a, b;
  makeSolid(c, shared->shapeA, &a);
  makeSolid(c, shared->shapeB, &b);
  double gap = CR_SHARED_GAP * fmin(a.polytope.radius, b.polytope.radius);
  int n = countCorners(&a, shared->faceA), start = findCorner(&b, shared->faceB, cornerOf(&a, shared->faceA, 0), gap);
  for (int k = 0; k < n; ++k) {
    int besideA = findBeside(&a, shared->faceA, k);
    int besideB = findBeside(&b, shared->faceB, ((start - k - 1) % n + n) % n);
    if (c->innerFaces[shared->shapeA][besideA] != c->innerFaces[shared->shapeB][besideB]) {
      return false;
    }
  }
  return true;
}

// A face that becomes surface again may be beside another one.
void crKeepInnerFaces(crCompilation* c)
{
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (const crSharedFace* shared = c->sharedFaces; shared != NULL; shared = shared->next) {
      bool* inA = &c->innerFaces[shared->shapeA][shared->faceA];
      bool* inB = &c->innerFaces[shared->shapeB][shared->faceB];
      if ((*inA || *inB) && !doesGoOn(c, shared)) {
        *inA = *inB = false;
        isChanged = true;
      }
    }
  }
  c->sharedFaces = NULL;
}
