#include "support/distance_truth.h"

#include "geometry/shape.h"

#include <stdlib.h>

#define CR_PROVED 1e-13L    // [scale] points that agree so well leave nothing to search for
#define CR_LOCAL_STEP 1e-4L // [rad] at which a search around a normal begins
#define CR_LOCAL_STEPS 120

typedef long double Real;

typedef struct Vec {
  Real x, y, z;
} Vec;

static Vec vec(crVec3 v)
{
  return (Vec){ v.x, v.y, v.z };
}

static Vec add(Vec a, Vec b)
{
  return (Vec){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static Vec sub(Vec a, Vec b)
{
  return (Vec){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static Vec scale(Real s, Vec a)
{
  return (Vec){ s * a.x, s * a.y, s * a.z };
}

static Real dot(Vec a, Vec b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec cross(Vec a, Vec b)
{
  return (Vec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static Real length(Vec a)
{
  return sqrtl(dot(a, a));
}

static Vec unit(Vec a)
{
  Real l = length(a);
  return l > 0.0L ? scale(1.0L / l, a) : (Vec){ 0.0L, 0.0L, 0.0L };
}

// A core at its place, relative to A's origin in the world's axes.
typedef struct Body {
  const crShape* shape;
  Vec cx, cy, cz, p;
} Body;

static Vec turn(const Body* body, Vec v)
{
  return add(add(scale(v.x, body->cx), scale(v.y, body->cy)), scale(v.z, body->cz));
}

static Vec turnBack(const Body* body, Vec v)
{
  return (Vec){ dot(body->cx, v), dot(body->cy, v), dot(body->cz, v) };
}

static Body makeBody(const crShape* shape, const crPose* X, crVec3 origin)
{
  Body f = { shape, vec(X->R.cx), vec(X->R.cy), vec(X->R.cz), sub(vec(X->p), vec(origin)) };
  Body s = f;
  s.cx = turn(&f, vec(shape->R_FS.cx));
  s.cy = turn(&f, vec(shape->R_FS.cy));
  s.cz = turn(&f, vec(shape->R_FS.cz));
  return s;
}

// ------------------------------------------------------------------------------------------ support

static Real larger(Real a, Real b)
{
  return a > b ? a : b;
}

static Real hullSupport(const crHull* hull, Vec d)
{
  Real best = -HUGE_VALL;
  for (int v = 0; v < hull->vertexCount; ++v) {
    best = larger(best, dot(vec(hull->vertices[v]), d));
  }
  return best;
}

// Support value of the core along d, in S. A half-space: 0 along its normal, else infinite.
static Real coreSupport(const crShape* shape, Vec d)
{
  const crCore* c = &shape->core;
  Real radial = sqrtl(d.x * d.x + d.y * d.y);
  switch (shape->kind) {
    case cr_shapeEllipsoid: return length((Vec){ c->half.x * d.x, c->half.y * d.y, c->half.z * d.z });
    case cr_shapeBox: return c->half.x * fabsl(d.x) + c->half.y * fabsl(d.y) + c->half.z * fabsl(d.z);
    case cr_shapeCylinder: return c->radius * radial + larger(c->zMin * d.z, c->zMax * d.z);
    case cr_shapeCone: return larger(c->radius * radial + c->zMin * d.z, c->topRadius * radial + c->zMax * d.z);
    case cr_shapeCapsule: return larger(c->zMin * d.z, c->zMax * d.z);
    case cr_shapeBeam: return c->half.x * fabsl(d.x) + c->half.y * radial + c->half.z * fabsl(d.z);
    case cr_shapeHull: return hullSupport(c->hull, d);
    case cr_shapeHalfSpace: return radial > 2e-12L || d.z < 0.0L ? HUGE_VALL : 0.0L; // as parallel as two count
    default: return 0.0L;
  }
}

static Real support(const Body* body, Vec n)
{
  return coreSupport(body->shape, turnBack(body, n)) + dot(body->p, n);
}

static Real separateCores(const Body* a, const Body* b, Vec n)
{
  return -support(a, n) - support(b, scale(-1.0L, n));
}

long double crSeparationAlong(const crDistanceCase* c, crVec3 n)
{
  Body a = makeBody(c->a, &c->X_WA, c->X_WA.p), b = makeBody(c->b, &c->X_WB, c->X_WA.p);
  return separateCores(&a, &b, unit(vec(n))) - c->a->sweep - c->b->sweep;
}

// A pattern search from n, with steps that are halved where they lead nowhere.
static Real refineSeparation(const Body* a, const Body* b, Vec n, Real step, int refinements)
{
  Real best = separateCores(a, b, n);
  for (int i = 0; i < refinements; ++i) {
    Vec t1 = unit(cross(n, fabsl(n.x) < 0.6L ? (Vec){ 1.0L, 0.0L, 0.0L } : (Vec){ 0.0L, 1.0L, 0.0L }));
    Vec t2 = cross(n, t1), found = n;
    for (int k = 0; k < 8; ++k) {
      Real angle = 3.14159265358979323846L / 4.0L * k;
      Vec next = unit(add(n, add(scale(step * cosl(angle), t1), scale(step * sinl(angle), t2))));
      Real value = separateCores(a, b, next);
      if (value > best) {
        best = value;
        found = next;
      }
    }
    bool isMoved = length(sub(found, n)) > 0.0L;
    n = found;
    step = isMoved ? step : 0.5L * step;
  }
  return best;
}

// ------------------------------------------------------------------------------------------- inside

static Real clampTo(Real x, Real min, Real max)
{
  return x < min ? min : x > max ? max : x;
}

static Real outsideInterval(Real x, Real min, Real max)
{
  return larger(0.0L, larger(min - x, x - max));
}

// Distance of (r, z) from the meridian of a cone: a trapezium with its axis side open.
static Real outsideCone(const crCore* c, Real r, Real z)
{
  Real slant = c->topRadius - c->radius, height = c->zMax - c->zMin, size = sqrtl(slant * slant + height * height);
  // height above the slanted line, positive outside
  Real above = ((r - c->radius) * height - (z - c->zMin) * slant) / size;
  return larger(above, outsideInterval(z, c->zMin, c->zMax));
}

// How far a point lies outside a core, a lower bound that is exact to first order; 0 inside.
static Real outsideCore(const crShape* shape, Vec p)
{
  const crCore* c = &shape->core;
  Real r = sqrtl(p.x * p.x + p.y * p.y);
  switch (shape->kind) {
    case cr_shapeEllipsoid: {
      Vec u = { p.x / c->half.x, p.y / c->half.y, p.z / c->half.z };
      Vec gradient = { u.x / c->half.x, u.y / c->half.y, u.z / c->half.z };
      Real size = length(gradient);
      return size > 0.0L ? larger(0.0L, (dot(u, u) - 1.0L) / (2.0L * size)) : 0.0L;
    }
    case cr_shapeBox:
      return length((Vec){ outsideInterval(p.x, -c->half.x, c->half.x), outsideInterval(p.y, -c->half.y, c->half.y),
                           outsideInterval(p.z, -c->half.z, c->half.z) });
    case cr_shapeCylinder:
      return length((Vec){ larger(0.0L, r - c->radius), 0.0L, outsideInterval(p.z, c->zMin, c->zMax) });
    case cr_shapeCone: return larger(0.0L, outsideCone(c, r, p.z));
    case cr_shapeCapsule: return length((Vec){ p.x, p.y, outsideInterval(p.z, c->zMin, c->zMax) });
    case cr_shapeBeam: {
      Real x = outsideInterval(p.x, -c->half.x, c->half.x);
      Real radial = larger(0.0L, sqrtl(x * x + p.y * p.y) - c->half.y);
      return length((Vec){ radial, 0.0L, outsideInterval(p.z, -c->half.z, c->half.z) });
    }
    case cr_shapeHull: {
      Real most = 0.0L;
      for (int f = 0; f < c->hull->faceCount; ++f) {
        most = larger(most, dot(vec(c->hull->normals[f]), p) - c->hull->offsets[f]);
      }
      return most;
    }
    case cr_shapeHalfSpace: return larger(0.0L, p.z);
    default: return length(p);
  }
}

static Real outside(const Body* body, Vec x)
{
  return outsideCore(body->shape, turnBack(body, sub(x, body->p)));
}

// ------------------------------------------------------------------------------------------ verdict

static double extentOf(const crShape* shape)
{
  if (!crShape_IsBounded(shape)) {
    return 2.0 * shape->sweep;
  }
  crAabb box = crShape_ComputeAabb(shape, crIdentityPose());
  return crLength(crSub(box.max, box.min));
}

static crVec3 centreOf(const crShape* shape, const crPose* X)
{
  if (!crShape_IsBounded(shape)) {
    return X->p;
  }
  crAabb box = crShape_ComputeAabb(shape, *X);
  return crScale(0.5, crAdd(box.min, box.max));
}

double crScaleOfCase(const crDistanceCase* c)
{
  // two half-spaces through one point have no scale
  double apart = crLength(crSub(centreOf(c->a, &c->X_WA), centreOf(c->b, &c->X_WB)));
  double position = crMaxAbs(c->X_WA.p) + crMaxAbs(c->X_WB.p);
  double scale = extentOf(c->a) + extentOf(c->b) + apart + position * 2.2e-16 * 1e12;
  return scale > 0.0 ? scale : 1.0;
}

static bool isFiniteAnswer(const crDistance* d)
{
  return !isnan(d->distance) && crIsFiniteVec3(d->normal) && crIsFiniteVec3(d->pointA) && crIsFiniteVec3(d->pointB) &&
         !isnan(d->lowerBound) && !isnan(d->upperBound) && isfinite(d->curvatureA.k1) && isfinite(d->curvatureB.k1) &&
         isfinite(d->curvatureA.k2) && isfinite(d->curvatureB.k2) && crIsFiniteVec3(d->curvatureA.direction1) &&
         crIsFiniteVec3(d->curvatureB.direction1);
}

// A point of the core near p, which is outside of it by little.
static Vec bringInside(const crShape* shape, Vec p)
{
  const crCore* c = &shape->core;
  Real r = sqrtl(p.x * p.x + p.y * p.y);
  switch (shape->kind) {
    case cr_shapeEllipsoid: {
      Real size = length((Vec){ p.x / c->half.x, p.y / c->half.y, p.z / c->half.z });
      return size > 1.0L ? scale(1.0L / size, p) : p;
    }
    case cr_shapeBox:
      return (Vec){ clampTo(p.x, -c->half.x, c->half.x), clampTo(p.y, -c->half.y, c->half.y),
                    clampTo(p.z, -c->half.z, c->half.z) };
    case cr_shapeCylinder:
    case cr_shapeCone: {
      Real z = clampTo(p.z, c->zMin, c->zMax), share = (z - c->zMin) / ((Real)c->zMax - c->zMin);
      Real radius = shape->kind == cr_shapeCone ? c->radius + share * ((Real)c->topRadius - c->radius) : c->radius;
      Real factor = r > radius ? radius / r : 1.0L;
      return (Vec){ factor * p.x, factor * p.y, z };
    }
    case cr_shapeCapsule: return (Vec){ 0.0L, 0.0L, clampTo(p.z, c->zMin, c->zMax) };
    case cr_shapeBeam: {
      Real x = clampTo(p.x, -c->half.x, c->half.x), beside = p.x - x, rho = sqrtl(beside * beside + p.y * p.y);
      Real factor = rho > c->half.y ? c->half.y / rho : 1.0L;
      return (Vec){ x + factor * beside, factor * p.y, clampTo(p.z, -c->half.z, c->half.z) };
    }
    case cr_shapeHalfSpace: return (Vec){ p.x, p.y, p.z > 0.0L ? 0.0L : p.z };
    case cr_shapeHull: return p;
    default: return (Vec){ 0.0L, 0.0L, 0.0L };
  }
}

static Vec bringIn(const Body* body, Vec x)
{
  return add(body->p, turn(body, bringInside(body->shape, turnBack(body, sub(x, body->p)))));
}

// How far the distance of cores that are apart may lie above the answer: by points of both, or by a search.
static Real boundError(const Body* a, const Body* b, Vec n, Vec coreA, Vec coreB, Real distance, Real enough)
{
  if (!crShape_IsBounded(a->shape) || !crShape_IsBounded(b->shape)) {
    return 0.0L; // a plane has one normal, and g(n) is the distance
  }
  Vec inA = bringIn(a, coreA), inB = bringIn(b, coreB);
  Real slack = larger(outside(a, inA), outside(b, inB)); // of a hull
  Real proved = length(sub(inB, inA)) + 2.0L * slack - distance;
  if (proved <= enough) {
    return proved;
  }
  return larger(0.0L, refineSeparation(a, b, n, CR_LOCAL_STEP, CR_LOCAL_STEPS) - distance);
}

crVerdict crJudgeDistance(const crDistanceCase* c, const crDistance* d)
{
  crVerdict verdict = { .isFinite = isFiniteAnswer(d) };
  if (!verdict.isFinite || d->distance == -HUGE_VAL) {
    return verdict;
  }
  double size = crScaleOfCase(c);
  Body a = makeBody(c->a, &c->X_WA, c->X_WA.p), b = makeBody(c->b, &c->X_WB, c->X_WA.p);
  Vec n = unit(vec(d->normal)), origin = vec(c->X_WA.p);
  Vec pointA = sub(vec(d->pointA), origin), pointB = sub(vec(d->pointB), origin);
  Real sweep = (Real)c->a->sweep + c->b->sweep, separation = separateCores(&a, &b, n) - sweep;
  verdict.isDeep = d->distance + sweep <= 0.0L;
  Real outsideA = outside(&a, sub(pointA, scale(c->a->sweep, n)));
  Real outsideB = outside(&b, add(pointB, scale(c->b->sweep, n)));
  verdict.distance = fabs((double)((d->distance - separation) / size));
  if (!verdict.isDeep) {
    Real above = boundError(&a, &b, n, sub(pointA, scale(c->a->sweep, n)), add(pointB, scale(c->b->sweep, n)),
                            d->distance + sweep, CR_PROVED * size);
    verdict.distance = fmax(verdict.distance, (double)(above / size));
  }
  verdict.primal = (double)(larger(outsideA, outsideB) / size);
  verdict.dual = (double)(fabsl(d->distance - separation) / size);
  Real mismatch = length(sub(sub(pointB, pointA), scale(d->distance, n))) / size;
  verdict.identity = (double)larger(mismatch, fabsl(length(vec(d->normal)) - 1.0L) * 0.01L);
  // what is proved: separation <= truth, and apart truth <= |b - a|
  Real wrong = larger(0.0L, larger((Real)d->lowerBound - d->upperBound, separation - d->upperBound));
  wrong = larger(wrong, larger((Real)d->lowerBound - d->distance, (Real)d->distance - d->upperBound));
  verdict.enclosure = (double)(wrong / size);
  return verdict;
}

double crWorstDistanceOf(const crVerdict* v)
{
  return v->isFinite ? fmax(v->distance, fmax(v->identity, v->enclosure)) : HUGE_VAL;
}

double crWorstOf(const crVerdict* v)
{
  return fmax(v->primal, crWorstDistanceOf(v));
}

static bool isCurved(const crShape* shape)
{
  crShapeKind kind = shape->kind;
  return kind == cr_shapeEllipsoid || kind == cr_shapeCylinder || kind == cr_shapeCone || kind == cr_shapeBeam;
}

bool crIsCurvedCase(const crDistanceCase* c)
{
  return isCurved(c->a) || isCurved(c->b);
}

// An answer that is not converged owes nothing but its bounds.
bool crIsRightVerdict(const crDistanceCase* c, const crDistance* d, const crVerdict* v)
{
  double limit = crIsCurvedCase(c) ? 1e-10 : 1e-12;
  double pointLimit = crIsCurvedCase(c) ? CR_POINT_LIMIT_CURVED : CR_POINT_LIMIT;
  pointLimit = d->isGlobal ? pointLimit : CR_POINT_LIMIT_LOCAL;
  if (!v->isFinite || v->enclosure > limit) {
    return false;
  }
  return !d->isConverged || (crWorstDistanceOf(v) <= limit && v->dual <= limit && v->primal <= pointLimit);
}

// ------------------------------------------------------------------------------------------- search

long double crSearchSeparation(const crDistanceCase* c, int refinements)
{
  Body a = makeBody(c->a, &c->X_WA, c->X_WA.p), b = makeBody(c->b, &c->X_WB, c->X_WA.p);
  Real best = -HUGE_VALL;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        if (x != 0 || y != 0 || z != 0) {
          best = larger(best, refineSeparation(&a, &b, unit((Vec){ x, y, z }), 0.4L, refinements));
        }
      }
    }
  }
  return best - c->a->sweep - c->b->sweep;
}

// -------------------------------------------------------------------------------------- brute force

#define CR_MAX_POLYTOPE_VERTICES 256
#define CR_MAX_POLYTOPE_EDGES 768
#define CR_MAX_POLYTOPE_FACES 256
#define CR_MAX_FACE_CORNERS 64

typedef struct Polytope {
  Vec vertex[CR_MAX_POLYTOPE_VERTICES];
  int edge[CR_MAX_POLYTOPE_EDGES][2];
  int face[CR_MAX_POLYTOPE_FACES][CR_MAX_FACE_CORNERS];
  int cornerCount[CR_MAX_POLYTOPE_FACES];
  Vec normal[CR_MAX_POLYTOPE_FACES]; // outward
  int vertexCount, edgeCount, faceCount;
} Polytope;

static void addBox(Polytope* p, const Body* body)
{
  static const int corners[6][4] = { { 1, 3, 7, 5 }, { 0, 4, 6, 2 }, { 2, 6, 7, 3 },
                                     { 0, 1, 5, 4 }, { 4, 5, 7, 6 }, { 0, 2, 3, 1 } };
  crVec3 h = body->shape->core.half;
  for (int i = 0; i < 8; ++i) {
    p->vertex[i] = add(body->p, turn(body, (Vec){ i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z }));
    for (int bit = 1; bit < 8; bit *= 2) {
      if (!(i & bit)) {
        p->edge[p->edgeCount][0] = i;
        p->edge[p->edgeCount++][1] = i | bit;
      }
    }
  }
  Vec axis[3] = { body->cx, body->cy, body->cz };
  for (int f = 0; f < 6; ++f) {
    p->cornerCount[f] = 4;
    p->normal[f] = unit(scale(f % 2 == 0 ? 1.0L : -1.0L, axis[f / 2]));
    for (int k = 0; k < 4; ++k) {
      p->face[f][k] = corners[f][k];
    }
  }
  p->vertexCount = 8;
  p->faceCount = 6;
}

static void addHull(Polytope* p, const Body* body)
{
  const crHull* hull = body->shape->core.hull;
  p->vertexCount = hull->vertexCount;
  p->faceCount = hull->faceCount;
  for (int i = 0; i < hull->vertexCount; ++i) {
    p->vertex[i] = add(body->p, turn(body, vec(hull->vertices[i])));
    for (int k = hull->neighbourStarts[i]; k < hull->neighbourStarts[i + 1]; ++k) {
      if (hull->neighbours[k] > i) {
        p->edge[p->edgeCount][0] = i;
        p->edge[p->edgeCount++][1] = hull->neighbours[k];
      }
    }
  }
  for (int f = 0; f < hull->faceCount; ++f) {
    int first = hull->faceStarts[f];
    p->cornerCount[f] = hull->faceStarts[f + 1] - first;
    p->normal[f] = unit(turn(body, vec(hull->normals[f])));
    for (int k = 0; k < p->cornerCount[f]; ++k) {
      p->face[f][k] = hull->faceVertices[first + k];
    }
  }
}

static void makePolytope(const Body* body, Polytope* p)
{
  const crCore* core = &body->shape->core;
  p->vertexCount = p->edgeCount = p->faceCount = 0;
  switch (body->shape->kind) {
    case cr_shapeBox: addBox(p, body); return;
    case cr_shapeHull: addHull(p, body); return;
    case cr_shapeCapsule:
      p->vertex[0] = add(body->p, scale(core->zMin, body->cz));
      p->vertex[1] = add(body->p, scale(core->zMax, body->cz));
      p->edge[0][0] = 0;
      p->edge[0][1] = 1;
      p->vertexCount = 2;
      p->edgeCount = 1;
      return;
    default:
      p->vertex[0] = body->p;
      p->vertexCount = 1;
      return;
  }
}

static Real clamp01(Real t)
{
  return t < 0.0L ? 0.0L : t > 1.0L ? 1.0L : t;
}

static Real pointSegment(Vec x, Vec p, Vec q)
{
  Vec e = sub(q, p);
  Real square = dot(e, e), t = square > 0.0L ? clamp01(dot(sub(x, p), e) / square) : 0.0L;
  return length(sub(add(p, scale(t, e)), x));
}

// Only where the common perpendicular meets both inside; otherwise an end is nearer, which other pairs cover.
static Real segmentSegment(Vec p, Vec q, Vec r, Vec s)
{
  Vec d = sub(q, p), e = sub(s, r), N = cross(d, e);
  Real square = dot(N, N);
  if (!(square > 0.0L)) {
    return HUGE_VALL;
  }
  Vec between = sub(r, p);
  Real t = dot(cross(between, e), N) / square, u = dot(cross(between, d), N) / square;
  if (t < 0.0L || t > 1.0L || u < 0.0L || u > 1.0L) {
    return HUGE_VALL;
  }
  return length(sub(add(p, scale(t, d)), add(r, scale(u, e))));
}

// Only where the point's foot lies inside the face.
static Real pointFace(Vec x, const Polytope* p, int f)
{
  Vec n = p->normal[f];
  for (int k = 0; k < p->cornerCount[f]; ++k) {
    Vec v = p->vertex[p->face[f][k]], w = p->vertex[p->face[f][(k + 1) % p->cornerCount[f]]];
    if (dot(cross(sub(w, v), sub(x, v)), n) < 0.0L) {
      return HUGE_VALL;
    }
  }
  return fabsl(dot(sub(x, p->vertex[p->face[f][0]]), n));
}

static Real smaller(Real a, Real b)
{
  return a < b ? a : b;
}

static Real nearestOneWay(const Polytope* a, const Polytope* b)
{
  Real best = HUGE_VALL;
  for (int i = 0; i < a->vertexCount; ++i) {
    for (int j = 0; j < b->vertexCount; ++j) {
      best = smaller(best, length(sub(b->vertex[j], a->vertex[i])));
    }
    for (int e = 0; e < b->edgeCount; ++e) {
      best = smaller(best, pointSegment(a->vertex[i], b->vertex[b->edge[e][0]], b->vertex[b->edge[e][1]]));
    }
    for (int f = 0; f < b->faceCount; ++f) {
      best = smaller(best, pointFace(a->vertex[i], b, f));
    }
  }
  return best;
}

static Real nearest(const Polytope* a, const Polytope* b)
{
  Real best = smaller(nearestOneWay(a, b), nearestOneWay(b, a));
  for (int e = 0; e < a->edgeCount; ++e) {
    for (int f = 0; f < b->edgeCount; ++f) {
      best = smaller(best, segmentSegment(a->vertex[a->edge[e][0]], a->vertex[a->edge[e][1]], b->vertex[b->edge[f][0]],
                                          b->vertex[b->edge[f][1]]));
    }
  }
  return best;
}

static Real highest(const Polytope* p, Vec n)
{
  Real best = -HUGE_VALL;
  for (int i = 0; i < p->vertexCount; ++i) {
    best = larger(best, dot(p->vertex[i], n));
  }
  return best;
}

static Real separate(const Polytope* a, const Polytope* b, Vec n)
{
  return -highest(a, n) - highest(b, scale(-1.0L, n));
}

// The greatest separation over all normals of faces of the Minkowski difference.
static Real separateAll(const Polytope* a, const Polytope* b)
{
  Real best = -HUGE_VALL;
  for (int f = 0; f < a->faceCount; ++f) {
    best = larger(best, separate(a, b, a->normal[f]));
  }
  for (int f = 0; f < b->faceCount; ++f) {
    best = larger(best, separate(a, b, scale(-1.0L, b->normal[f])));
  }
  for (int e = 0; e < a->edgeCount; ++e) {
    for (int f = 0; f < b->edgeCount; ++f) {
      Vec d = sub(a->vertex[a->edge[e][1]], a->vertex[a->edge[e][0]]);
      Vec c = sub(b->vertex[b->edge[f][1]], b->vertex[b->edge[f][0]]), N = cross(d, c);
      if (length(N) > 1e-15L * length(d) * length(c)) {
        best = larger(best, larger(separate(a, b, unit(N)), separate(a, b, scale(-1.0L, unit(N)))));
      }
    }
  }
  return best;
}

long double crBruteForceDistance(const crDistanceCase* c)
{
  static Polytope p, q;
  Body a = makeBody(c->a, &c->X_WA, c->X_WA.p), b = makeBody(c->b, &c->X_WB, c->X_WA.p);
  makePolytope(&a, &p);
  makePolytope(&b, &q);
  Real separation = p.faceCount + q.faceCount > 0 ? separateAll(&p, &q) : HUGE_VALL;
  Real distance = separation > 0.0L ? nearest(&p, &q) : separation;
  return distance - c->a->sweep - c->b->sweep;
}
