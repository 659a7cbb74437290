#include "collide/area/curved.h"

#include "collide/area/breaks.h"
#include "collide/area/polygon.h"
#include "collide/area/quadrature.h"
#include "collide/area/spans.h"

#define CR_TAIL 1e-6        // [-] of the last Legendre coefficients: the error is about its square
#define CR_TAIL_NOISE 1e-15 // [-] of the size: rounding error of a depth
#define CR_MAX_HALVINGS 10
#define CR_LEAST_PART 1e-14 // [-] of a family: narrower parts are rounding errors
// Changes of a cone's radius along a span up to which four, six and eight points do; above, spans are taken in parts.
#define CR_RATIO4 1.0005
#define CR_RATIO6 1.25
#define CR_RATIO8 1.8
#define CR_MAX_RADIUS_PARTS 5 // halvings of a span

// A line with its spans, in both axes.
typedef struct Line {
  crRuledLine own;
  crVec3 p, u; // in the other's axes
  int count;
  crSpan spans[CR_MAX_SPANS];
  double scale;          // of its quadrature across
  double depth, deepest; // [m] the largest depth, and at which t
} Line;

typedef struct Job {
  const crRuled* ruled;
  const crCurvedBody* other;
  crPose X;      // from the axes of the family to the other's
  bool isSecond; // the family is of the second shape, and the other's axes are those of the points
  crPatch* patch;
  double size;         // [m] of both bodies
  double whole;        // [m^3] integral of the depth so far
  double middle, half; // of the part: v
  Line lines[CR_ACROSS_POINTS];
} Job;

// ----------------------------------------------------------------------------------------------- a line

static inline double findDepth(const Job* job, const Line* line, const crSpan* span, double t)
{
  const crCurvedBody* b = job->other;
  crVec3 x = crMulAdd(line->p, t, line->u);
  if (span->kind == cr_spanLower) {
    return x.z - b->z0;
  }
  if (span->kind == cr_spanUpper) {
    return b->z1 - x.z;
  }
  double r = crCurvedBody_FindRadius(b, x.z), across = crCurvedBody_SeeX(b, span->segment, x.x, 1.0);
  return 0.5 * b->cosine * (r - (across * across + x.y * x.y) / r);
}

static void placeLine(const Job* job, double v, Line* line)
{
  line->own = crRuled_FindLine(job->ruled, v);
  line->p = crTransformPoint(job->X, line->own.p);
  line->u = crMulMV(job->X.R, line->own.u);
  line->count = crFindSpans(job->other, line->p, line->u, line->spans);
}

static inline void seeDepth(Line* line, double t, double depth)
{
  line->deepest = depth > line->depth ? t : line->deepest;
  line->depth = depth > line->depth ? depth : line->depth;
}

// The integral of the depth by three points a span, which is exact but for cones, and enough there to see whether it is
// resolved across the lines; and the largest depth.
static double measureLine(const Job* job, Line* line)
{
  double sum = 0.0;
  line->depth = line->deepest = 0.0;
  for (int i = 0; i < line->count; ++i) {
    const crSpan* span = &line->spans[i];
    double m = 0.5 * (span->from + span->to), h = 0.5 * (span->to - span->from);
    double a = findDepth(job, line, span, span->from), b = findDepth(job, line, span, m),
           c = findDepth(job, line, span, span->to);
    sum += h / 3.0 * ((a + 4.0 * b + c) * (line->own.weight + m * line->own.more) + (c - a) * h * line->own.more);
    seeDepth(line, span->from, a);
    seeDepth(line, span->to, c);
    seeDepth(line, m, b);
    double slope = 0.5 * (c - a), bend = 2.0 * b - a - c; // of a parabola
    if (span->kind == cr_spanSide && bend > 0.0 && fabs(slope) < bend) {
      seeDepth(line, m + h * slope / bend, b + 0.5 * slope * slope / bend);
    }
  }
  return sum;
}

// ------------------------------------------------------------------------------------------------ points

static void addPoints(Job* job, const Line* line, const crSpan* span, double from, double to, const crGaussRule* rule)
{
  const crCurvedBody* b = job->other;
  crPatch* patch = job->patch;
  int n = rule->count, at = crPatch_MakeRoom(patch, n);
  double m = 0.5 * (from + to), h = 0.5 * (to - from);
  for (int i = 0; i < n; ++i) {
    double t = m + h * rule->x[i];
    crVec3 x = crMulAdd(line->p, t, line->u), normal;
    double d;
    if (span->kind == cr_spanSide) {
      double r = crCurvedBody_FindRadius(b, x.z), inverse = 1.0 / r,
             across = crCurvedBody_SeeX(b, span->segment, x.x, 1.0);
      double square = (across * across + x.y * x.y) * inverse;
      d = 0.5 * b->cosine * (r - square);
      normal = crMakeVec3(b->cosine * across * inverse, b->cosine * x.y * inverse,
                          -0.5 * b->cosine * b->slope * (1.0 + square * inverse));
    } else {
      d = span->kind == cr_spanLower ? x.z - b->z0 : b->z1 - x.z;
      normal = crMakeVec3(0.0, 0.0, span->kind == cr_spanLower ? -1.0 : 1.0);
    }
    if (!job->isSecond) {
      x = crMulAdd(line->own.p, t, line->own.u);
      normal = crMulTV(job->X.R, normal);
    }
    patch->w[at + i] = line->scale * h * rule->w[i] * (line->own.weight + t * line->own.more);
    patch->d[at + i] = d;
    patch->x[0][at + i] = x.x;
    patch->x[1][at + i] = x.y;
    patch->x[2][at + i] = x.z;
    patch->m[0][at + i] = normal.x;
    patch->m[1][at + i] = normal.y;
    patch->m[2][at + i] = normal.z;
  }
  patch->count = at + n;
}

// The depth in a cone is a quotient by the radius: parts within which that changes little.
static void addConeSpan(Job* job, const Line* line, const crSpan* span, double from, double to, int level)
{
  const crCurvedBody* b = job->other;
  double slope = b->slope * line->u.z, start = crCurvedBody_FindRadius(b, line->p.z);
  double ra = start + from * slope, rb = start + to * slope, least = crMin2(ra, rb), most = crMax2(ra, rb);
  if (most <= CR_RATIO8 * least || level == 0) {
    const crGaussRule* rule = most <= CR_RATIO4 * least   ? &cr_gauss4
                              : most <= CR_RATIO6 * least ? &cr_gauss6
                                                          : &cr_gauss8;
    addPoints(job, line, span, from, to, rule);
  } else {
    double t = (sqrt(crMax2(least, 0.01 * most) * most) - start) / slope;
    addConeSpan(job, line, span, from, t, level - 1);
    addConeSpan(job, line, span, t, to, level - 1);
  }
}

static void addLine(Job* job, const Line* line)
{
  for (int i = 0; i < line->count; ++i) {
    const crSpan* span = &line->spans[i];
    if (span->kind != cr_spanSide) {
      addPoints(job, line, span, span->from, span->to, &cr_gauss3);
    } else if (job->other->slope == 0.0) {
      addPoints(job, line, span, span->from, span->to, &cr_gauss4);
    } else {
      addConeSpan(job, line, span, span->from, span->to, CR_MAX_RADIUS_PARTS);
    }
  }
}

// The deepest of the lines, and by a parabola over it and its neighbours the largest depth between them.
static void seeDeepest(Job* job)
{
  int best = 0;
  for (int i = 1; i < CR_ACROSS_POINTS; ++i) {
    best = job->lines[i].depth > job->lines[best].depth ? i : best;
  }
  const Line* line = &job->lines[best];
  double depth = line->depth;
  if (!(depth > 0.9 * job->patch->depth)) {
    return;
  }
  if (best > 0 && best < CR_ACROSS_POINTS - 1) {
    double x0 = cr_acrossX[best - 1] - cr_acrossX[best], x1 = cr_acrossX[best + 1] - cr_acrossX[best];
    double f0 = (line[-1].depth - depth) / x0, f1 = (line[1].depth - depth) / x1;
    double bend = (f1 - f0) / (x1 - x0), slope = f0 - bend * x0;
    depth = bend < 0.0 ? depth - 0.25 * slope * slope / bend : depth;
  }
  const crCurvedBody* b = job->other;
  crVec3 x = crMulAdd(line->p, line->deepest, line->u), normal;
  double r = crCurvedBody_FindRadius(b, x.z), side = crCurvedBody_FindSide(b, r, crCurvedBody_FindSquare(b, x));
  double low = x.z - b->z0, high = b->z1 - x.z;
  if (side <= crMin2(low, high)) {
    double over = crMax2(fabs(x.x) - b->half, 0.0) * (x.x < 0.0 ? -1.0 : 1.0);
    double rho = sqrt(over * over + x.y * x.y), inverse = rho > 0.0 ? b->cosine / rho : 0.0;
    normal = crMakeVec3(over * inverse, x.y * inverse, -b->cosine * b->slope);
  } else {
    normal = crMakeVec3(0.0, 0.0, low <= high ? -1.0 : 1.0);
  }
  if (!job->isSecond) {
    x = crMulAdd(line->own.p, line->deepest, line->own.u);
    normal = crMulTV(job->X.R, normal);
  }
  crPatch_SeeDepth(job->patch, depth, x, normal);
}

// ------------------------------------------------------------------------------------------------ across

// Lines of from < x < to; whether they resolve what is integrated.
static bool placeLines(Job* job, double from, double to, double* outSum)
{
  double middle = 0.5 * (from + to), half = 0.5 * (to - from), sum = 0.0, noise = 0.0, tail[2] = { 0.0, 0.0 };
  for (int i = 0; i < CR_ACROSS_POINTS; ++i) {
    Line* line = &job->lines[i];
    double x = middle + half * cr_acrossX[i], steep = 1.5 * (1.0 - x * x) * job->half;
    placeLine(job, job->middle + job->half * (0.5 * x * (3.0 - x * x)), line);
    double f = steep * measureLine(job, line);
    line->scale = steep * half * cr_acrossW[i];
    sum += cr_acrossW[i] * f;
    tail[0] += cr_acrossTail[0][i] * f;
    tail[1] += cr_acrossTail[1][i] * f;
    if (line->count > 0) {
      noise += line->scale * (line->spans[line->count - 1].to - line->spans[0].from) *
               (line->own.weight + crMax2(line->own.more, 0.0));
    }
  }
  *outSum = sum * half;
  return half * (fabs(tail[0]) + fabs(tail[1])) <= CR_TAIL * (job->whole + *outSum) + CR_TAIL_NOISE * job->size * noise;
}

static void addPart(Job* job, double from, double to, int level)
{
  double sum, middle = 0.5 * (from + to);
  if (!placeLines(job, from, to, &sum) && level > 0) {
    addPart(job, from, middle, level - 1);
    addPart(job, middle, to, level - 1);
    return;
  }
  job->whole += sum;
  for (int i = 0; i < CR_ACROSS_POINTS; ++i) {
    addLine(job, &job->lines[i]);
  }
  seeDeepest(job);
}

static void addBetween(Job* job, double from, double to)
{
  job->middle = 0.5 * (from + to);
  job->half = 0.5 * (to - from);
  placeLine(job, job->middle, &job->lines[0]);
  if (job->lines[0].count > 0) {
    addPart(job, -1.0, 1.0, CR_MAX_HALVINGS);
  }
}

static void addRuled(Job* job, crBreaks* breaks, crBreaks* caps)
{
  crFindBreaks(job->ruled, job->other, &job->X, breaks, caps);
  crSortBreaks(breaks);
  double from = -1.0;
  for (int i = 0; i <= breaks->count; ++i) {
    double to = i < breaks->count ? breaks->v[i] : 1.0;
    if (to - from > CR_LEAST_PART) {
      addBetween(job, from, to);
      from = to;
    }
  }
}

// The surface of one body inside the other.
static void addSurface(Job* job, const crCurvedBody* own, crVec3 toward)
{
  crRuled ruled[CR_MAX_RULED];
  crBreaks breaks, caps[2];
  caps[0].count = caps[1].count = 0;
  int n = crListRuled(own, toward, ruled);
  for (int i = 0; i < n; ++i) {
    job->ruled = &ruled[i];
    bool isCap = ruled[i].kind == cr_ruledCap;
    breaks.count = 0;
    addRuled(job, isCap ? &caps[ruled[i].z == own->z1] : &breaks, caps);
  }
}

static crVec3 findMiddle(const crCurvedBody* body)
{
  return crMakeVec3(0.0, 0.0, 0.5 * (body->z0 + body->z1));
}

void crAddCurved(const crCurvedBody* a, const crCurvedBody* b, const crPose* X_AB, crPatch* patch)
{
  crPose X_BA = crInvertPose(*X_AB);
  crVec3 middleB = crTransformPoint(*X_AB, findMiddle(b)), middleA = crTransformPoint(X_BA, findMiddle(a));
  double size = a->size + b->size;
  if (crLengthSquared(crSub(middleB, findMiddle(a))) > size * size) {
    return;
  }
  Job job = { .other = b, .X = X_BA, .isSecond = false, .patch = patch, .size = size, .whole = 0.0 };
  addSurface(&job, a, middleB);
  crPatch_TakeSecond(patch);
  job.other = a;
  job.X = *X_AB;
  job.isSecond = true;
  job.whole = 0.0; // as if A and B were exchanged
  addSurface(&job, b, middleA);
}
