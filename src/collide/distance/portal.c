// Signed distance of any two bounded cores: Minkowski Portal Refinement, improved.
//
// The method of [Snethen08] in the form of [NeumayrOtter17], on M = B - A (difference.h):
//
//   1. interior ray   from a point v0 inside M, the difference of the centres, to the origin
//   2. discovery      of a portal: a triangle v1 v2 v3 of support points that the ray passes through
//   3. refinement     of the portal by the support along its normal, until the origin lies on its inner side
//                     (the cores overlap), or beyond a support plane of M (they are apart)
//
// There the papers stop with an approximate depth or bounds on the distance. Here the portal only tells which
// of two exact refinements follows, and where it begins:
//
//   apart             nearest.c: the portal's triangle becomes the simplex nearest to the origin
//   overlapping       depth.c: v0 and the portal become a polytope around the origin that grows until its face
//                     nearest to the origin is a face of M: the shortest way out of the whole of M
//
// What else differs from the papers, and why:
//   - No length is compared with a fixed number of metres; tolerances are multiples of the rounding error of a
//     coordinate, so that micrometres and kilometres are treated alike. Portal points are never scaled.
//   - Coincident centres take the ray along x; the shift of v0 by a fixed length in the papers moves the origin out of
//   a
//     thin M.
//   - A portal that wrongly holds the origin, by rounding, is harmless: the expansion finds the separating plane
//     and goes over to the nearest point. So the papers' special cases for touching shapes are not needed.
#include "collide/distance/difference.h"

#define CR_MAX_DISCOVERY_STEPS 32  // [-] then the last portal is taken
#define CR_MAX_CURVED_STEPS 4      // [-] with the origin inside the portal, for curved cores
#define CR_MAX_PORTAL_STEPS 32     // [-] then the expansion decides
#define CR_TIGHT_UNITS 16.0        // [noise] width of the bounds at which iterations end
#define CR_ALIGNED 1e-13           // [scale] the same for the points, across the normal
#define CR_LOOSE_POINTS 1e-4       // [scale] distance of the points across the normal where no depth is settled
#define CR_POLYTOPE_ACCURACY 5e-13 // [scale] width of the bounds that counts as converged
#define CR_CURVED_ACCURACY 5e-11   // [scale] the same for curved cores

static crDifference makeDifference(const crQuery* query)
{
  const crShape *a = query->a, *b = query->b;
  const crDistanceCache* cache = query->cache;
  crDifference m = { .a = { .kind = a->kind, .core = &a->core }, .b = { .kind = b->kind, .core = &b->core } };
  if (a->kind == cr_shapeHull && cache->supportA > 0 && cache->supportA < a->core.hull->vertexCount) {
    m.a.start = cache->supportA;
  }
  if (b->kind == cr_shapeHull && cache->supportB > 0 && cache->supportB < b->core.hull->vertexCount) {
    m.b.start = cache->supportB;
  }
  m.X_AB = query->X_AB;
  crVec3 centre = crSub(query->centreB, query->centreA);
  if (crLengthSquared(centre) <= query->noise * query->noise) {
    centre = crMakeVec3(0.0, 0.0, 0.0); // coincident
  }
  m.centre = (crVertex){ centre, query->centreA, query->centreB, -1, -1 };
  m.scale = query->scale;
  m.shareA = query->radiusA / (query->radiusA + query->radiusB);
  m.noise = query->noise;
  m.tight = CR_TIGHT_UNITS * query->noise;
  m.aligned = crMax(CR_ALIGNED * m.scale, m.tight);
  m.isPolytope = crIsPolytopeKind(a->kind) && crIsPolytopeKind(b->kind);
  m.accepted = crMax((m.isPolytope ? CR_POLYTOPE_ACCURACY : CR_CURVED_ACCURACY) * m.scale, 2.0 * m.tight);
  return m;
}

// --------------------------------------------------------------------------------------- the portal

typedef struct Portal {
  crVec3 v0;
  crVertex v[3]; // v1, v2, v3
  int count;
} Portal;

// Support along the outward direction `out`, of any length. True when the origin lies beyond it by more than rounding,
// which proves that M is apart from the origin: then bounds has the plane. Nearer than that, the expansion tells.
static bool isBeyond(crDifference* m, crVec3 out, crVertex* outVertex, crBounds* bounds)
{
  crVec3 n = crNeg(out);
  *outVertex = crDifference_FindSupport(m, n);
  double lower = crDot(n, outVertex->w);
  if (!(lower > 0.0) || m->a.isCoarse || m->b.isCoarse) {
    return false;
  }
  double inverse = 1.0 / crLength(n);
  if (!(lower * inverse > m->noise)) {
    return false;
  }
  bounds->lower = lower * inverse;
  bounds->n = crScale(inverse, n);
  return true;
}

static void swapVertices(crVertex* x, crVertex* y)
{
  crVertex t = *x;
  *x = *y;
  *y = t;
}

// The first two vertices: along the ray, and across the plane of ray and first vertex.
static bool findEdge(crDifference* m, Portal* portal, crBounds* bounds)
{
  bool isCoincident = crIsZero(portal->v0);
  crVec3 ray = isCoincident ? crMakeVec3(1.0, 0.0, 0.0) : crNeg(portal->v0);
  portal->count = 1;
  if (isBeyond(m, ray, &portal->v[0], bounds)) {
    return false;
  }
  crVec3 across = crCross(portal->v[0].w, ray);
  if (crLengthSquared(across) <= m->noise * m->noise * crLengthSquared(ray)) {
    across = crAnyPerpendicular(crUnit(ray));
  }
  portal->count = 2;
  return !isBeyond(m, across, &portal->v[1], bounds);
}

// Widens the edge to a triangle that the ray passes through. False: apart.
static bool discoverPortal(crDifference* m, Portal* portal, crBounds* bounds)
{
  if (!findEdge(m, portal, bounds)) {
    return false;
  }
  crVertex* v = portal->v;
  crVec3 v0 = portal->v0, ray = crNeg(v0);
  crVec3 out = crCross(crSub(v[0].w, v0), crSub(v[1].w, v0));
  if (crDot(out, ray) < 0.0) {
    swapVertices(&v[0], &v[1]);
    out = crNeg(out);
  }
  portal->count = 3;
  for (int step = 0; step < CR_MAX_DISCOVERY_STEPS; ++step) {
    if (crIsZero(out)) {
      out = crAnyPerpendicular(crUnit(crSub(v[0].w, v0)));
    }
    if (isBeyond(m, out, &v[2], bounds)) {
      return false;
    }
    if (crDot(crCross(v[0].w, v[2].w), v0) < 0.0) {
      v[1] = v[2];
    } else if (crDot(crCross(v[2].w, v[1].w), v0) < 0.0) {
      v[0] = v[2];
    } else {
      return true;
    }
    out = crCross(crSub(v[0].w, v0), crSub(v[1].w, v0));
  }
  return true;
}

// The vertex of the portal that a new one replaces, so that the ray still passes through.
static void replaceVertex(Portal* portal, const crVertex* next)
{
  crVertex* v = portal->v;
  crVec3 across = crCross(next->w, portal->v0);
  if (crDot(v[0].w, across) > 0.0) {
    *(crDot(v[1].w, across) > 0.0 ? &v[0] : &v[2]) = *next;
  } else {
    *(crDot(v[2].w, across) > 0.0 ? &v[1] : &v[0]) = *next;
  }
}

typedef enum Verdict { verdictApart, verdictInside, verdictUnknown } Verdict;

// Refines the portal for so many steps, or until the origin lies beyond a support plane, or the portal lies in M's
// surface with the origin inside. Between polytopes it goes on when the origin is known to be inside, to where the ray
// leaves M: for a shallow overlap the way out is there or nearby, and a step here costs a fraction of one of the
// expansion.
static Verdict refinePortal(crDifference* m, Portal* portal, int steps, crBounds* bounds)
{
  crVertex* v = portal->v;
  Verdict verdict = verdictUnknown;
  for (int step = 0; step < steps; ++step) {
    crVec3 out = crCross(crSub(v[1].w, v[0].w), crSub(v[2].w, v[0].w));
    double height = crDot(out, v[0].w);
    if (height >= 0.0) {
      verdict = verdictInside;
      if (!m->isPolytope) {
        return verdict;
      }
    }
    crVertex next;
    if (isBeyond(m, out, &next, bounds)) {
      return verdictApart;
    }
    if (crDot(out, next.w) - height <= m->noise * crLength(out)) {
      return verdictInside;
    }
    replaceVertex(portal, &next);
  }
  return verdict;
}

// -------------------------------------------------------------------------------------- both ways

static crSimplex simplexOfPortal(const Portal* portal)
{
  crSimplex simplex = { .count = portal->count };
  for (int i = 0; i < portal->count; ++i) {
    simplex.v[i] = portal->v[i];
    simplex.weight[i] = 1.0 / portal->count;
  }
  return simplex;
}

// Between curved cores the portal converges slowly; from a fair one second-order refinement finds where the distance
// is stationary, without asking for its sign. True when that is so.
static bool polishPortal(crDifference* m, const Portal* portal, crBounds* bounds)
{
  const crVertex* v = portal->v;
  crSimplex simplex = simplexOfPortal(portal);
  crVec3 n = crNeg(crTriangleNormal(v[0].w, v[1].w, v[2].w));
  return !crIsZero(n) && crPolishNormal(m, &simplex, n, bounds) == cr_polishSettled;
}

// The bounds as the answer: in their middle when they have met, so that |error| is at most half their width.
static void setAnswer(const crDifference* m, const crBounds* bounds, bool isApart, crDistance* out)
{
  double width = bounds->upper - bounds->lower;
  out->distance = isApart ? bounds->lower + 0.5 * crMax(width, 0.0) : bounds->lower;
  out->normal = bounds->n;
  // what b - a lacks in being along n is made up for on the larger shape
  crVec3 rest = crMulAdd(crSub(bounds->b, bounds->a), -out->distance, bounds->n);
  out->pointA = crMulAdd(bounds->a, m->shareA, rest);
  out->pointB = crMulAdd(out->pointA, out->distance, bounds->n);
  out->lowerBound = bounds->lower - m->noise;
  out->upperBound = crMax(bounds->upper, bounds->lower) + m->noise;
  out->iterations = m->supportCount;
  out->isConverged = width <= m->accepted || (!isApart && bounds->isSettled);
  out->isGlobal = bounds->isGlobal;
  if (!isApart && !out->isConverged) {
    // any normal separates by what g says; then the points decide
    out->isConverged = crLength(rest) <= CR_LOOSE_POINTS * m->scale;
    out->isGlobal = false;
  }
}

// M is so thin that no triangle in it has a normal. Then directions across its length bound the distance from below.
static void boundNeedle(crDifference* m, const Portal* portal, crBounds* bounds)
{
  crVec3 length = crSub(portal->v[0].w, m->centre.w);
  for (int i = 0; i < portal->count; ++i) {
    for (int j = 0; j < i; ++j) {
      crVec3 edge = crSub(portal->v[i].w, portal->v[j].w);
      length = crLengthSquared(edge) > crLengthSquared(length) ? edge : length;
    }
  }
  crVec3 along = crUnit(length), t1 = crAnyPerpendicular(along), t2 = crCross(along, t1);
  crVec3 tried[4] = { t1, crNeg(t1), t2, crNeg(t2) };
  for (int i = 0; i < 4; ++i) {
    crVertex v = crDifference_FindSupport(m, tried[i]);
    crRaiseLower(bounds, tried[i], crDot(tried[i], v.w));
  }
}

static bool hasCoarse(const crSide* side)
{
  return side->kind == cr_shapeHull && side->core->hull->coarseCount > 0;
}

// For large hulls, a portal of some of their vertices first: where the ray leaves the M of these. Its supports cost
// less than those of all vertices, which come from all over the memory, and from its portal few of them are left to do.
// Its vertices are points of the true M, but it cannot tell whether the origin lies beyond that.
static bool findCoarsePortal(crDifference* m, Portal* portal, crBounds* bounds)
{
  m->a.isCoarse = m->isPolytope && hasCoarse(&m->a);
  m->b.isCoarse = m->isPolytope && hasCoarse(&m->b);
  if (!m->a.isCoarse && !m->b.isCoarse) {
    return false;
  }
  discoverPortal(m, portal, bounds);
  refinePortal(m, portal, CR_MAX_PORTAL_STEPS, bounds);
  m->a.isCoarse = m->b.isCoarse = false;
  return true;
}

// Fills the bounds; returns whether the cores are apart.
static bool findBounds(crDifference* m, crBounds* bounds)
{
  Portal portal = { .v0 = m->centre.w };
  crSimplex simplex;
  Verdict verdict = verdictApart;
  if (findCoarsePortal(m, &portal, bounds) || discoverPortal(m, &portal, bounds)) {
    verdict = refinePortal(m, &portal, m->isPolytope ? CR_MAX_PORTAL_STEPS : CR_MAX_CURVED_STEPS, bounds);
    if (!m->isPolytope && verdict != verdictApart && polishPortal(m, &portal, bounds) && bounds->lower > m->noise) {
      bounds->isGlobal = true;
      return true;
    }
    if (verdict == verdictUnknown) {
      verdict = bounds->lower > m->noise ? verdictApart : refinePortal(m, &portal, CR_MAX_PORTAL_STEPS, bounds);
    }
  }
  simplex = simplexOfPortal(&portal);
  if (verdict != verdictApart && crRefineDepth(m, portal.v, bounds, &simplex)) {
    if (bounds->lower > -HUGE_VAL) {
      return false;
    }
    boundNeedle(m, &portal, bounds);
  }
  crRefineDistance(m, &simplex, bounds);
  return true;
}

void crComputeGeneralPair(const crQuery* query, crDistance* out)
{
  crDifference m = makeDifference(query);
  crBounds bounds = { .lower = -HUGE_VAL, .upper = HUGE_VAL, .n = { 1.0, 0.0, 0.0 } };
  bool isApart = findBounds(&m, &bounds);
  setAnswer(&m, &bounds, isApart, out);
  query->cache->supportA = m.a.start;
  query->cache->supportB = m.b.start;
}
