// Portal refinement carried on when the shapes overlap: the shortest way out of M = B - A.
//
// The portal and the point inside M form a tetrahedron around the origin. It is a polytope of points of M, so the
// ball around the origin that fits into it fits into M: its nearest face bounds the depth from below. The
// support along that face's normal bounds it from above, and the new vertex makes the polytope larger, as
// in [Bergen01], until the two bounds meet. For cores that are polytopes they do meet, in a face of M: the
// shortest way out of the whole of M. The portal of [Snethen08] is the first face; refined along the ray alone it
// would end in the face that the ray leaves through, which need not be the nearest.
//
// Around a curved sheet the bounds would meet slowly. There crPolishNormal finds the local optimum; the polytope
// grows only until every face is deeper than that, or within CR_EXPLAINED of it with a polish from that face leading
// nowhere better. Then the answer counts as global, although its bounds are that far apart.
//
// Signs: a face has the inward normal n (the normal from A to B), and g = n . w of its vertices; so -g is
// the depth, and the nearest face has the greatest g.
#include "collide/distance/difference.h"

#include <string.h>

#define CR_MAX_VERTICES 192
#define CR_MAX_FACES (2 * CR_MAX_VERTICES)
#define CR_MAX_HORIZON 64
#define CR_MAX_EXPANSIONS 400
#define CR_AROUND 2e-3 // [-] of the depth: width of the bounds below which a face around a sharp optimum is explained
#define CR_EXPLAINED 1e-2        // [-] of the depth: width of the bounds below which a curved face is polished
#define CR_MAX_RESTORED 3        // [-] times that faces left alone are taken up again, to settle the answer
#define CR_RING_TILT 0.05        // [rad] of the supports around a known normal from which the polytope starts
#define CR_THIN_TETRAHEDRON 1e-6 // [scale] least height of a tetrahedron to start from
#define CR_FOOT_NEAR 1e-3        // [-] weight by which a foot may miss a face that still counts as the nearest
#define CR_FOOT_SLACK 1e-13      // [-] weight by which a foot may miss its triangle
#define CR_COPLANAR_UNITS 2.0    // [noise] a vertex so near to a face's plane counts as seeing it, if that works out

typedef struct Face {
  crVec3 n;
  double g;
  int16_t vertex[3];    // counter-clockwise from outside
  int16_t neighbour[3]; // across the edge from vertex i to i + 1
  bool isFlat;          // has no normal
  bool isSeen;
} Face;

typedef struct Polytope {
  int vertexCount, faceCount, freeCount;
  double key[CR_MAX_FACES]; // g of faces that can be chosen, else -infinity
  bool isAlive[CR_MAX_FACES];
  Face face[CR_MAX_FACES];
  int16_t free[CR_MAX_FACES];
  crVertex vertex[CR_MAX_VERTICES];
} Polytope;

typedef struct Edge {
  int16_t from, to;
  int16_t outside; // the face beyond
} Edge;

typedef struct Horizon {
  Edge edge[CR_MAX_HORIZON]; // in order around the new vertex
  int edgeCount;
  int16_t seen[CR_MAX_FACES];
  int seenCount;
} Horizon;

// -------------------------------------------------------------------------------------------- faces

static void setFace(Polytope* polytope, int index, int i, int j, int k)
{
  Face* face = &polytope->face[index];
  const crVertex* x = polytope->vertex;
  face->vertex[0] = (int16_t)i;
  face->vertex[1] = (int16_t)j;
  face->vertex[2] = (int16_t)k;
  face->isSeen = false;
  face->n = crNeg(crTriangleNormal(x[i].w, x[j].w, x[k].w));
  face->isFlat = crIsZero(face->n);
  face->g = face->isFlat ? -HUGE_VAL : crDot(face->n, x[i].w);
  polytope->key[index] = face->g;
  polytope->isAlive[index] = true;
}

static void joinFaces(Polytope* polytope, int f, int edge, int other, int otherEdge)
{
  polytope->face[f].neighbour[edge] = (int16_t)other;
  polytope->face[other].neighbour[otherEdge] = (int16_t)f;
}

// The portal is turned so that it faces away from the first vertex, the centre as a rule.
static void startPolytope(Polytope* polytope, const crVertex* first, const crVertex portal[3])
{
  crVec3 p = portal[0].w, outward = crCross(crSub(portal[1].w, p), crSub(portal[2].w, p));
  bool isTurned = crDot(outward, crSub(p, first->w)) < 0.0;
  polytope->vertex[0] = *first;
  polytope->vertex[1] = portal[0];
  polytope->vertex[2] = portal[isTurned ? 2 : 1];
  polytope->vertex[3] = portal[isTurned ? 1 : 2];
  polytope->vertexCount = 4;
  polytope->faceCount = 4;
  polytope->freeCount = 0;
  setFace(polytope, 0, 1, 2, 3);
  setFace(polytope, 1, 2, 1, 0);
  setFace(polytope, 2, 3, 2, 0);
  setFace(polytope, 3, 1, 3, 0);
  joinFaces(polytope, 0, 0, 1, 0);
  joinFaces(polytope, 0, 1, 2, 0);
  joinFaces(polytope, 0, 2, 3, 0);
  joinFaces(polytope, 1, 1, 3, 2);
  joinFaces(polytope, 1, 2, 2, 1);
  joinFaces(polytope, 2, 2, 3, 1);
}

static int findNearestFace(const Polytope* polytope)
{
  int best = 0;
  for (int f = 1; f < polytope->faceCount; ++f) {
    best = polytope->key[f] > polytope->key[best] ? f : best;
  }
  return best;
}

// ------------------------------------------------------------------------------------------ horizon

static bool sees(const Face* face, crVec3 w, double margin)
{
  return face->isFlat || crDot(face->n, w) < face->g + margin;
}

static void markSeen(Polytope* polytope, Horizon* horizon, int f)
{
  polytope->face[f].isSeen = true;
  horizon->seen[horizon->seenCount++] = (int16_t)f;
}

static void unmarkSeen(Polytope* polytope, Horizon* horizon)
{
  for (int i = 0; i < horizon->seenCount; ++i) {
    polytope->face[horizon->seen[i]].isSeen = false;
  }
  horizon->seenCount = 0;
}

// The faces that w sees, hanging together with face f.
static void collectSeen(Polytope* polytope, int f, crVec3 w, double margin, Horizon* horizon)
{
  markSeen(polytope, horizon, f);
  for (int i = 0; i < horizon->seenCount; ++i) {
    const Face* face = &polytope->face[horizon->seen[i]];
    for (int e = 0; e < 3; ++e) {
      int other = face->neighbour[e];
      if (!polytope->face[other].isSeen && sees(&polytope->face[other], w, margin)) {
        markSeen(polytope, horizon, other);
      }
    }
  }
}

static bool collectEdges(const Polytope* polytope, Horizon* horizon)
{
  horizon->edgeCount = 0;
  for (int i = 0; i < horizon->seenCount; ++i) {
    const Face* face = &polytope->face[horizon->seen[i]];
    for (int e = 0; e < 3; ++e) {
      if (polytope->face[face->neighbour[e]].isSeen) {
        continue;
      }
      if (horizon->edgeCount == CR_MAX_HORIZON) {
        return false;
      }
      horizon->edge[horizon->edgeCount++] =
          (Edge){ face->vertex[e], face->vertex[e == 2 ? 0 : e + 1], face->neighbour[e] };
    }
  }
  return horizon->edgeCount >= 3;
}

// Puts the edges in order; false when they are not one closed loop.
static bool orderEdges(Horizon* horizon)
{
  Edge* edge = horizon->edge;
  for (int i = 0; i + 1 < horizon->edgeCount; ++i) {
    int next = i + 1;
    while (next < horizon->edgeCount && edge[next].from != edge[i].to) {
      ++next;
    }
    if (next == horizon->edgeCount) {
      return false;
    }
    Edge t = edge[i + 1];
    edge[i + 1] = edge[next];
    edge[next] = t;
  }
  return edge[horizon->edgeCount - 1].to == edge[0].from;
}

// A vertex in the plane of a neighbour of the horizon would make flat faces, so such neighbours count as seen. When
// that leaves no proper horizon, they do not.
static bool findHorizon(Polytope* polytope, int f, crVec3 w, double noise, Horizon* horizon)
{
  double margin[2] = { CR_COPLANAR_UNITS * noise, -CR_COPLANAR_UNITS * noise };
  for (int i = 0; i < 2; ++i) {
    horizon->seenCount = 0;
    collectSeen(polytope, f, w, margin[i], horizon);
    if (collectEdges(polytope, horizon) && orderEdges(horizon)) {
      return true;
    }
    unmarkSeen(polytope, horizon);
  }
  return false;
}

// ---------------------------------------------------------------------------------------- expansion

static void removeSeen(Polytope* polytope, const Horizon* horizon)
{
  for (int i = 0; i < horizon->seenCount; ++i) {
    int f = horizon->seen[i];
    polytope->isAlive[f] = false;
    polytope->key[f] = -HUGE_VAL;
    polytope->face[f].isSeen = false;
    polytope->free[polytope->freeCount++] = (int16_t)f;
  }
}

static int takeFace(Polytope* polytope)
{
  return polytope->freeCount > 0 ? polytope->free[--polytope->freeCount] : polytope->faceCount++;
}

static int findEdgeOf(const Face* face, int from, int to)
{
  for (int e = 0; e < 2; ++e) {
    if (face->vertex[e] == from && face->vertex[e + 1] == to) {
      return e;
    }
  }
  return 2;
}

// The face from an edge of the horizon to the new vertex, joined to what lies outside.
static int addFace(Polytope* polytope, const Edge* edge, int vertex)
{
  int face = takeFace(polytope);
  setFace(polytope, face, edge->from, edge->to, vertex);
  joinFaces(polytope, face, 0, edge->outside, findEdgeOf(&polytope->face[edge->outside], edge->to, edge->from));
  return face;
}

// Replaces what the new vertex sees by faces from the horizon to it. False: no room, or no proper horizon.
static bool expand(Polytope* polytope, int f, const crVertex* next, double noise)
{
  Horizon horizon;
  if (polytope->vertexCount == CR_MAX_VERTICES || !findHorizon(polytope, f, next->w, noise, &horizon)) {
    return false;
  }
  int faceCount = polytope->faceCount - polytope->freeCount - horizon.seenCount + horizon.edgeCount;
  if (horizon.edgeCount < 3 || faceCount > CR_MAX_FACES) {
    unmarkSeen(polytope, &horizon);
    return false;
  }
  int vertex = polytope->vertexCount++;
  polytope->vertex[vertex] = *next;
  removeSeen(polytope, &horizon);
  int first = addFace(polytope, &horizon.edge[0], vertex), last = first;
  for (int i = 1; i < horizon.edgeCount; ++i) {
    int face = addFace(polytope, &horizon.edge[i], vertex);
    joinFaces(polytope, last, 1, face, 2);
    last = face;
  }
  joinFaces(polytope, last, 1, first, 2);
  return true;
}

// --------------------------------------------------------------------------------------------- depth

// The foot of the origin on a face's plane as a simplex; where it lies outside the face it is cut off. Returns the
// least weight before that.
static double weighFace(const Polytope* polytope, int f, crSimplex* outSimplex)
{
  const Face* face = &polytope->face[f];
  crVertex* v = outSimplex->v;
  double* weight = outSimplex->weight;
  outSimplex->count = 3;
  for (int i = 0; i < 3; ++i) {
    v[i] = polytope->vertex[face->vertex[i]];
    weight[i] = 1.0 / 3.0;
  }
  crVec3 foot;
  if (!crWeighFoot(&v[0], &v[1], &v[2], weight, &foot)) {
    return -HUGE_VAL;
  }
  double least = crMin(weight[0], crMin(weight[1], weight[2])), sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    weight[i] = crMax(weight[i], 0.0);
    sum += weight[i];
  }
  for (int i = 0; i < 3; ++i) {
    weight[i] /= sum;
  }
  return least;
}

static bool isInPlane(const Polytope* polytope, int f, crVec3 n, double g, double tight)
{
  for (int i = 0; i < 3; ++i) {
    if (fabs(crDot(n, polytope->vertex[polytope->face[f].vertex[i]].w) - g) > tight) {
      return false;
    }
  }
  return true;
}

// A face of M may consist of several triangles: the points come from the one that holds the foot of the origin.
// False when none does.
static bool setWitnessOfPlane(const Polytope* polytope, double tight, crBounds* bounds)
{
  double bestLeast = -HUGE_VAL;
  for (int f = 0; f < polytope->faceCount && bestLeast < 0.0; ++f) {
    if (polytope->isAlive[f] && isInPlane(polytope, f, bounds->n, bounds->lower, tight)) {
      crSimplex simplex;
      double least = weighFace(polytope, f, &simplex);
      if (least > bestLeast) {
        crSetWitness(simplex.v, simplex.weight, 3, bounds);
        bestLeast = least;
      }
    }
  }
  return bestLeast >= -CR_FOOT_SLACK;
}

// Whether the centre is a corner of a face: it is on no sheet.
static bool hasCentre(const Polytope* polytope, int f)
{
  const Face* face = &polytope->face[f];
  return polytope->vertex[0].sheetA < 0 && (face->vertex[0] == 0 || face->vertex[1] == 0 || face->vertex[2] == 0);
}

static bool hasCorner(const Polytope* polytope, int f, int vertex)
{
  const Face* face = &polytope->face[f];
  return face->vertex[0] == vertex || face->vertex[1] == vertex || face->vertex[2] == vertex;
}

static bool hasVertex(const Polytope* polytope, const crVertex* v)
{
  for (int i = 0; i < polytope->vertexCount; ++i) {
    if (polytope->vertex[i].sheetA == v->sheetA && polytope->vertex[i].sheetB == v->sheetB) {
      return true;
    }
  }
  return false;
}

// The greatest g of all faces: no ball around the origin that fits into the polytope is larger. A face that does not
// hold the foot of the origin is not the nearest, whatever its g says: on a sliver it says little.
static double boundAbove(const Polytope* polytope, double lower)
{
  double highest = lower;
  for (int f = 0; f < polytope->faceCount; ++f) {
    crSimplex simplex;
    if (polytope->isAlive[f] && polytope->face[f].g > highest && weighFace(polytope, f, &simplex) > -CR_FOOT_NEAR) {
      highest = polytope->face[f].g;
    }
  }
  return highest;
}

// Where the search for the distance begins when the origin is outside after all.
static crSimplex simplexOutside(const Polytope* polytope, int f, const crVertex* next)
{
  crSimplex simplex = { .v = { *next }, .count = 1 };
  for (int i = 0; i < 3 && simplex.count < 3; ++i) {
    if (polytope->vertex[polytope->face[f].vertex[i]].sheetA >= 0) {
      simplex.v[simplex.count++] = polytope->vertex[polytope->face[f].vertex[i]];
    }
  }
  return simplex;
}

typedef enum Outcome { outcomeGrown, outcomeDone, outcomeStuck, outcomeApart } Outcome;

// How far the search for the depth has come.
typedef struct Search {
  Polytope polytope;
  crBounds bounds;
  bool isPlane;  // the best normal is that of a face of M
  int best[3];   // the active vertices of the best normal, where they are vertices of the polytope
  int bestCount; // else 0
} Search;

// A polish from a curved face. True when it explains the face: it leads nowhere better than known.
static bool polishFace(crDifference* m, Search* search, int f)
{
  crBounds* bounds = &search->bounds;
  crSimplex simplex;
  weighFace(&search->polytope, f, &simplex);
  crVec3 before = bounds->n;
  double lower = bounds->lower;
  crPolishEnd end = crPolishNormal(m, &simplex, search->polytope.face[f].n, bounds);
  search->isPlane = search->isPlane && crLengthSquared(crSub(bounds->n, before)) == 0.0;
  return end == cr_polishSettled && bounds->lower <= lower + m->tight;
}

// The lower bound that a face's normal gives, and whether it is a face of M. Such a face settles the matter when it
// holds the foot of the origin; on an edge between two nearly parallel faces its neighbour may.
static bool tryNormal(crDifference* m, Search* search, int f, double lower)
{
  crBounds* bounds = &search->bounds;
  const Face* face = &search->polytope.face[f];
  bool isFace = face->g - lower <= m->tight;
  crBounds tried = { .lower = lower, .upper = bounds->upper, .n = face->n };
  tried.isSettled = isFace && setWitnessOfPlane(&search->polytope, m->tight, &tried);
  if (isFace && !tried.isSettled && !m->isPolytope) {
    crFindFoot(m, &tried);
  }
  bool isEqual = tried.isSettled && !bounds->isSettled && lower > bounds->lower - m->tight;
  if (lower > bounds->lower + (bounds->isSettled ? m->tight : 0.0) || isEqual) {
    if (!isFace) {
      crSimplex simplex;
      weighFace(&search->polytope, f, &simplex);
      crSetWitness(simplex.v, simplex.weight, 3, &tried);
    }
    *bounds = tried;
    search->isPlane = isFace;
  }
  return isFace;
}

// Faces that were left alone may be chosen again.
static void restoreKeys(Polytope* polytope)
{
  for (int f = 0; f < polytope->faceCount; ++f) {
    if (polytope->isAlive[f]) {
      polytope->key[f] = polytope->face[f].g;
    }
  }
}

// Adds a vertex to the polytope, from the face that it lies farthest outside of. Returns its number; -1 when it lies
// outside of none, or that fails.
static int addVertex(const crDifference* m, Polytope* polytope, const crVertex* v)
{
  int best = -1;
  double farthest = m->tight;
  for (int f = 0; f < polytope->faceCount; ++f) {
    const Face* face = &polytope->face[f];
    if (polytope->isAlive[f] && !face->isFlat && face->g - crDot(face->n, v->w) > farthest) {
      farthest = face->g - crDot(face->n, v->w);
      best = f;
    }
  }
  return best >= 0 && expand(polytope, best, v, m->noise) ? polytope->vertexCount - 1 : -1;
}

// Adds the active vertices of the best normal. False when that changes nothing.
static bool addBest(const crDifference* m, Search* search)
{
  const crBounds* bounds = &search->bounds;
  bool isChanged = false;
  search->bestCount = 0;
  for (int i = 0; i < bounds->activeCount; ++i) {
    int vertex = addVertex(m, &search->polytope, &bounds->active[i]);
    if (vertex >= 0) {
      search->best[search->bestCount++] = vertex;
      isChanged = true;
    }
  }
  search->bestCount = search->bestCount == bounds->activeCount ? search->bestCount : 0;
  return isChanged;
}

// Near the best depth a face is explained by being one of those around the best point.
static bool isExplained(const Search* search, int f)
{
  const crBounds* bounds = &search->bounds;
  bool isNear = search->polytope.face[f].g - bounds->lower <= -CR_AROUND * bounds->lower;
  bool isAround = bounds->isSettled && bounds->isSharp && isNear && search->bestCount > 0;
  for (int i = 0; i < search->bestCount && isAround; ++i) {
    isAround = hasCorner(&search->polytope, f, search->best[i]);
  }
  return isAround;
}

// A face around curved sheets. Near the best depth it is explained by a polish that leads nowhere better.
static Outcome treatCurvedFace(crDifference* m, Search* search, int f, crVertex* next)
{
  crBounds* bounds = &search->bounds;
  bool isNear = search->polytope.face[f].g - bounds->lower <= -CR_EXPLAINED * bounds->lower;
  if (!hasCentre(&search->polytope, f) && (isNear || !bounds->isSettled)) {
    double before = bounds->lower;
    bool isNoBetter = polishFace(m, search, f);
    if (bounds->lower > m->noise) {
      *next = crDifference_FindSupport(m, bounds->n);
      return outcomeApart;
    }
    if (isNear && isNoBetter && bounds->isSettled) {
      return outcomeStuck;
    }
    if (bounds->lower > before + m->tight) {
      if (addBest(m, search)) {
        return outcomeGrown;
      }
    }
  }
  return expand(&search->polytope, f, next, m->noise) ? outcomeGrown : outcomeStuck;
}

// One step on the face nearest to the origin.
static Outcome treatFace(crDifference* m, Search* search, int f, crVertex* outNext)
{
  const Face* face = &search->polytope.face[f];
  if (!m->isPolytope && isExplained(search, f)) {
    return outcomeStuck;
  }
  *outNext = crDifference_FindSupport(m, face->n);
  double lower = crDot(face->n, outNext->w);
  bool isFace = tryNormal(m, search, f, lower);
  if (lower > m->noise) {
    return outcomeApart;
  }
  if (isFace) {
    return outcomeDone;
  }
  if (!m->isPolytope) {
    return treatCurvedFace(m, search, f, outNext);
  }
  if (hasVertex(&search->polytope, outNext)) {
    return outcomeStuck;
  }
  return expand(&search->polytope, f, outNext, m->noise) ? outcomeGrown : outcomeStuck;
}

// Three support points around the best normal, for a beginning near the answer.
static bool findRing(crDifference* m, crVec3 n, crVertex ring[3])
{
  static const double cosines[3] = { 1.0, -0.5, -0.5 };
  static const double sines[3] = { 0.0, 0.86602540378443864676, -0.86602540378443864676 };
  crVec3 t1 = crAnyPerpendicular(n), t2 = crCross(n, t1);
  for (int i = 0; i < 3; ++i) {
    crVec3 tilted = crMulAdd(crMulAdd(n, CR_RING_TILT * cosines[i], t1), CR_RING_TILT * sines[i], t2);
    ring[i] = crDifference_FindSupport(m, crUnit(tilted));
  }
  crVec3 outward = crTriangleNormal(ring[0].w, ring[1].w, ring[2].w);
  return fabs(crDot(outward, crSub(ring[0].w, m->centre.w))) > CR_THIN_TETRAHEDRON * m->scale;
}

// The support along +-d that lies farther from the plane through p.
static crVertex findFarther(crDifference* m, crVec3 d, crVec3 p)
{
  crVertex v = crDifference_FindSupport(m, d), w = crDifference_FindSupport(m, crNeg(d));
  return fabs(crDot(d, crSub(v.w, p))) >= fabs(crDot(d, crSub(w.w, p))) ? v : w;
}

// Four vertices far from each other, from which any M that is not a needle gets a start: two along an axis, one far
// from their line, one far from the plane of these.
static void findExtremes(crDifference* m, crVertex extremes[4])
{
  static const crVec3 axis[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
  double longest = -1.0, highest = -1.0;
  for (int i = 0; i < 3; ++i) {
    crVertex p = crDifference_FindSupport(m, axis[i]), q = crDifference_FindSupport(m, crNeg(axis[i]));
    double square = crLengthSquared(crSub(q.w, p.w));
    if (square > longest) {
      longest = square;
      extremes[0] = p;
      extremes[1] = q;
    }
  }
  crVec3 p = extremes[0].w, line = crUnit(crSub(extremes[1].w, p)), t1 = crAnyPerpendicular(line);
  crVec3 across[2] = { t1, crCross(line, t1) };
  for (int i = 0; i < 2; ++i) {
    crVertex v = findFarther(m, across[i], p);
    double square = crLengthSquared(crRemoveAlong(crSub(v.w, p), line, 1.0));
    if (square > highest) {
      highest = square;
      extremes[2] = v;
    }
  }
  crVec3 n = crTriangleNormal(p, extremes[1].w, extremes[2].w);
  extremes[3] = findFarther(m, crIsZero(n) ? t1 : n, p);
}

static bool isFlatPolytope(const Polytope* polytope)
{
  bool isFlat = false;
  for (int f = 0; f < polytope->faceCount; ++f) {
    isFlat = isFlat || polytope->face[f].isFlat;
  }
  return isFlat;
}

// From the corner where three sheets meet: its face is the one to explain. False where it is too thin.
static bool startFromCorner(const crDifference* m, const crBounds* known, Search* search)
{
  const crVertex* v = known->active;
  crVec3 outward = crTriangleNormal(v[0].w, v[1].w, v[2].w);
  if (!(fabs(crDot(outward, crSub(v[0].w, m->centre.w))) > CR_THIN_TETRAHEDRON * m->scale)) {
    return false;
  }
  startPolytope(&search->polytope, &m->centre, v);
  if (isFlatPolytope(&search->polytope)) {
    return false;
  }
  search->bounds = *known;
  for (int i = 0; i < 3; ++i) {
    search->best[i] = 1 + i;
  }
  search->bestCount = 3;
  return true;
}

// False when M is a needle.
static bool startSearch(crDifference* m, const crVertex portal[3], const crBounds* known, Search* search)
{
  // a bound of the portal's has no points yet, so it is not taken over
  search->bounds = (crBounds){ .lower = -HUGE_VAL, .upper = HUGE_VAL, .n = known->n };
  search->isPlane = false;
  search->bestCount = 0;
  if (known->isSettled && known->activeCount == 3 && startFromCorner(m, known, search)) {
    return true;
  }
  crVertex ring[3];
  bool hasRing = known->isSettled && findRing(m, known->n, ring);
  startPolytope(&search->polytope, &m->centre, hasRing ? ring : portal);
  if (isFlatPolytope(&search->polytope)) {
    crVertex extremes[4];
    findExtremes(m, extremes);
    startPolytope(&search->polytope, &extremes[3], extremes);
    if (isFlatPolytope(&search->polytope)) {
      return false;
    }
  }
  if (known->isSettled) {
    search->bounds = *known;
    addBest(m, search);
  }
  return true;
}

bool crRefineDepth(crDifference* m, const crVertex portal[3], crBounds* bounds, crSimplex* outSimplex)
{
  Search search;
  if (!startSearch(m, portal, bounds, &search)) {
    bounds->lower = -HUGE_VAL;
    return true;
  }
  bool isComplete = false;
  int restoredCount = 0;
  for (int step = 0; step < CR_MAX_EXPANSIONS && !isComplete; ++step) {
    int f = findNearestFace(&search.polytope);
    double g = search.polytope.key[f];
    // until a face has the foot, those count as well that are as near as the best
    isComplete = g <= search.bounds.lower + (search.bounds.isSettled ? m->tight : -2.0 * m->tight);
    if (isComplete && !search.bounds.isSettled && restoredCount++ < CR_MAX_RESTORED) {
      restoreKeys(&search.polytope);
      isComplete = false;
      continue;
    }
    if (isComplete) {
      break;
    }
    crVertex next;
    switch (treatFace(m, &search, f, &next)) {
      case outcomeApart:
        *bounds = search.bounds;
        *outSimplex = simplexOutside(&search.polytope, f, &next);
        return false;
      case outcomeDone:
      case outcomeStuck: search.polytope.key[f] = -HUGE_VAL; break;
      default: break;
    }
  }
  if (!search.bounds.isSettled && search.isPlane) {
    search.bounds.isSettled = isComplete;
  }
  if (!search.bounds.isSettled && !m->isPolytope) {
    crFindFoot(m, &search.bounds);
  }
  if (!search.bounds.isSettled && !m->isPolytope) {
    crPolishLong(m, &search.bounds);
  }
  *bounds = search.bounds;
  bounds->upper = boundAbove(&search.polytope, bounds->lower);
  bounds->isGlobal =
      isComplete && bounds->isSettled && (!m->isPolytope || bounds->upper - bounds->lower <= m->accepted);
  return true;
}
