#include "collide/area/curved.h"

#include "collide/area/breaks.h"
#include "collide/area/curved_zone.h"
#include "collide/area/lines.h"
#include "collide/area/polygon.h"
#include "collide/area/quadrature.h"

#define CR_LAST_TAIL 3e-6      // [-] of the last coefficients, over the whole: small enough,
#define CR_HOPELESS 1e3        // [-] times that: more lines, placed alike, would not do
#define CR_NEXT_TO 1e-6        // [-] of a part: distance of the line next to a break,
#define CR_UNEXPECTED 0.05     // and how much it may differ from what is expected
#define CR_TAIL_NOISE 1e-15    // [-] of the size: rounding error of a depth
#define CR_MAX_HALVINGS 10     // of a part, and
#define CR_MAX_PARTS 200       // [-] parts of a surface that are halved: there is an end to it
#define CR_ALONG 0.9           // [-] cosine of the angle of both axes, above which caps lie on caps
#define CR_WIDEST_PART 0.7     // [-] of an arc's v, where its nodes are not yet crowded
#define CR_MINOR_PART 1e-3     // [-] of the whole: parts for which the fewest lines may do
#define CR_LEAST_PART 1e-14    // [-] of a family: narrower parts are rounding errors
#define CR_LEAST_RADIUS 1e-6   // [-] of the largest one: nearer to the tip nothing is left of a span
#define CR_NO_RADIUS 1e-13     // [-] of the size: where a radius is a rounding error, and nothing of a span
#define CR_SAME_RADIUS 1e-9    // [-] change of a cone's radius along a span that is a rounding error
#define CR_MAX_RADIUS_PARTS 40 // of a span else

typedef double Quad __attribute__((vector_size(32), aligned(8)));

_Static_assert(CR_MAX_ACROSS + 2 <= CR_MAX_LINES, "lines of a rule with those next to both ends");

// A line of which points are taken, in both axes.
typedef struct Line {
  crRuledLine own;
  crVec3 p, u;  // in the other's axes
  double scale; // of its quadrature across
  double depth; // [m] the largest
} Line;

typedef struct Job {
  const crRuled* ruled;
  const crCurvedBody* other;
  crPose X;      // from the axes of the family to the other's
  bool isSecond; // the family is of the second shape, and the other's axes are those of the points
  crPatch* patch;
  double size;         // [m] of both bodies
  crZone own, zone;    // what is in both, in axes of the family and the other's,
  double depth;        // [m] and how deep that is at most
  double whole;        // [m^3] integral of the depth so far
  double middle, half; // of the part: v,
  double tail;         // [-] and of its lines, as findTail says
  bool areInner[2];    // lines beyond its ends are inside, too
  int budget;          // parts that can still be halved
  bool isTaken;        // the patch is to have the surface
  crLines lines;
  crLineRow scales; // of their quadrature across
} Job;

// ------------------------------------------------------------------------------------------------ points

// Depth and minus its gradient at four points in the other's axes.
static inline Quad findQuad(const crCurvedBody* b, const crSpan* span, Quad x, Quad y, Quad z, Quad m[3])
{
  Quad zero = { 0.0 };
  if (span->kind != cr_spanSide) {
    double sign = span->kind == cr_spanLower ? 1.0 : -1.0;
    m[0] = m[1] = zero;
    m[2] = zero - sign;
    return span->kind == cr_spanLower ? z - b->z0 : b->z1 - z;
  }
  Quad r = b->r0 + b->slope * (z - b->z0), inverse = b->slope == 0.0 ? zero + b->inverse : 1.0 / r;
  Quad across = span->segment == 0 ? x - b->half : span->segment == 1 ? zero : x + b->half;
  Quad square = (across * across + y * y) * inverse, scale = b->cosine * inverse;
  m[0] = scale * across;
  m[1] = scale * y;
  m[2] = -0.5 * b->cosine * b->slope * (1.0 + square * inverse);
  return 0.5 * b->cosine * (r - square);
}

static void addPoints(Job* job, const Line* line, const crSpan* span, double from, double to, const crAlongRule* rule)
{
  crPatch* patch = job->patch;
  int at = crPatch_MakeRoom(patch, CR_PATCH_LANES);
  double middle = 0.5 * (from + to), h = 0.5 * (to - from), scale = line->scale * h;
  for (int i = 0; i < rule->count; i += 4) {
    Quad t = middle + h * *(const Quad*)&rule->x[i], m[3];
    Quad x = line->p.x + t * line->u.x, y = line->p.y + t * line->u.y, z = line->p.z + t * line->u.z;
    *(Quad*)&patch->w[at + i] = scale * *(const Quad*)&rule->w[i] * (line->own.weight + t * line->own.more);
    *(Quad*)&patch->d[at + i] = findQuad(job->other, span, x, y, z, m);
    if (job->isSecond) {
      *(Quad*)&patch->x[0][at + i] = x;
      *(Quad*)&patch->x[1][at + i] = y;
      *(Quad*)&patch->x[2][at + i] = z;
      for (int k = 0; k < 3; ++k) {
        *(Quad*)&patch->m[k][at + i] = m[k];
      }
      continue;
    }
    const crVec3* R = &job->X.R.cx;
    const double *p = &line->own.p.x, *u = &line->own.u.x;
    for (int k = 0; k < 3; ++k) {
      *(Quad*)&patch->x[k][at + i] = p[k] + t * u[k];
      *(Quad*)&patch->m[k][at + i] = R[k].x * m[0] + R[k].y * m[1] + R[k].z * m[2];
    }
  }
  patch->count = at + rule->count;
}

// How much a cone's radius may change along points of one rule. The depth is a line plus a quotient, q / R, whose share
// of the depth is given: the smaller that is, the less it matters.
static double findRatio(double share)
{
  return share > 1e-2 ? 2.0 : share > 1e-4 ? 4.0 : share > 1e-6 ? 10.0 : HUGE_VAL;
}

static void addConeSpan(Job* job, const Line* line, const crSpan* span)
{
  const crCurvedBody* b = job->other;
  double slope = b->slope * line->u.z, start = crCurvedBody_FindRadius(b, line->p.z);
  double atFrom = start + span->from * slope, atTo = start + span->to * slope, low = crMin2(atFrom, atTo),
         high = crMax2(atFrom, atTo);
  if (high < CR_NO_RADIUS * job->size) {
    return;
  }
  if (high - low <= CR_SAME_RADIUS * high) { // four points for 1e-4 would be a step of 1e-7 in the energy
    addPoints(job, line, span, span->from, span->to, &cr_fourAlong);
    return;
  }
  double tip = -start / slope, x = line->p.x + tip * line->u.x, y = line->p.y + tip * line->u.y;
  double q = 0.5 * b->cosine * (x * x + y * y), last = atTo > atFrom ? span->from : span->to;
  double least = crMax2(CR_LEAST_RADIUS * high, CR_NO_RADIUS * job->size);
  if (low < least) { // at the tip gradients are rounding errors
    low = least;
    last = (low - start) / slope;
  }
  for (int i = 0; i < CR_MAX_RADIUS_PARTS; ++i) { // from the tip on
    low *= findRatio(q / (low * line->depth));
    if (!(low < high)) {
      break;
    }
    double t = (low - start) / slope;
    addPoints(job, line, span, crMin2(last, t), crMax2(last, t), &cr_eightAlong);
    last = t;
  }
  double end = atTo > atFrom ? span->to : span->from;
  addPoints(job, line, span, crMin2(last, end), crMax2(last, end), &cr_eightAlong);
}

static void addLine(Job* job, int index)
{
  const crLines* lines = &job->lines;
  const Line line = { .own = { crLines_GetPlace(lines->p, index), crLines_GetPlace(lines->u, index),
                               lines->weight[index], lines->more[index] },
                      .p = crLines_GetPlace(lines->q, index),
                      .u = crLines_GetPlace(lines->w, index),
                      .scale = job->scales[index],
                      .depth = lines->depth[index] };
  crSpan spans[CR_MAX_SPANS];
  int count = crLines_ListSpans(lines, index, spans);
  for (int i = 0; i < count; ++i) {
    const crSpan* span = &spans[i];
    if (span->kind != cr_spanSide) {
      addPoints(job, &line, span, span->from, span->to, &cr_threeAlong);
    } else if (job->other->slope == 0.0) {
      addPoints(job, &line, span, span->from, span->to, &cr_fourAlong);
    } else {
      addConeSpan(job, &line, span);
    }
  }
}

// The deepest of the lines, and by a parabola over it and its neighbours the largest depth between them.
static void seeDeepest(Job* job, const crAcrossRule* rule)
{
  const crLines* lines = &job->lines;
  int best = 0;
  for (int i = 1; i < rule->count; ++i) {
    best = lines->depth[i] > lines->depth[best] ? i : best;
  }
  double depth = lines->depth[best], deepest = lines->deepest[best];
  if (best > 0 && best < rule->count - 1) {
    double x0 = rule->x[best - 1] - rule->x[best], x1 = rule->x[best + 1] - rule->x[best];
    double f0 = (lines->depth[best - 1] - depth) / x0, f1 = (lines->depth[best + 1] - depth) / x1;
    double bend = (f1 - f0) / (x1 - x0), slope = f0 - bend * x0;
    depth = bend < 0.0 ? depth - 0.25 * slope * slope / bend : depth;
  }
  if (!(depth > job->patch->depth)) {
    return;
  }
  const crCurvedBody* b = job->other;
  crVec3 x = crMulAdd(crLines_GetPlace(lines->q, best), deepest, crLines_GetPlace(lines->w, best)), normal;
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
    x = crMulAdd(crLines_GetPlace(lines->p, best), deepest, crLines_GetPlace(lines->u, best));
    normal = crMulTV(job->X.R, normal);
  }
  crPatch_SeeDepth(job->patch, depth, x, normal);
}

// ------------------------------------------------------------------------------------------------ across

// How many times larger than is small enough; 0: lines resolve what is integrated. By the last coefficients of all
// lines alone: how fast they fall is often chance, and where that took parts for resolved that were not, the energy had
// steps of 1e-7 of itself.
static double findTail(const Job* job, const crAcrossRule* rule, const double steep[CR_MAX_ACROSS], double half,
                       double sum)
{
  const crLines* lines = &job->lines;
  double last = 0.0, noise = 0.0;
  for (int k = 0; k < CR_LINE_SUMS; ++k) {
    double tails[2] = { 0.0 };
    for (int i = 0; i < rule->count; ++i) {
      double f = steep[i] * lines->sums[k][i];
      for (int j = 0; j < 2; ++j) {
        tails[j] += rule->tails[j][i] * f;
      }
    }
    last += half * (fabs(tails[0]) + fabs(tails[1]));
  }
  for (int i = 0; i < rule->count; ++i) {
    noise += job->scales[i] * (lines->to[i] - lines->from[i]) * (lines->weight[i] + crMax2(lines->more[i], 0.0));
  }
  double enough = CR_LAST_TAIL * (job->whole + sum) + CR_TAIL_NOISE * job->size * noise;
  return last <= enough ? 0.0 : last / enough;
}

// Whether a line next to a break, which is behind those of the rule, is as the others say: near a tip spans can change
// within less than what is between the break and the first of the others.
static bool isAsExpected(const crLines* lines, const crAcrossRule* rule, int end, int next)
{
  double most = 0.0;
  for (int i = 0; i < rule->count; ++i) {
    most = crMax2(most, crLines_GetSum(lines, i));
  }
  bool isSo = true;
  for (int k = 0; k < CR_LINE_SUMS; ++k) {
    double expected = 0.0;
    for (int i = 0; i < rule->count; ++i) {
      expected += rule->ends[end][i] * lines->sums[k][i];
    }
    isSo &= fabs(expected - lines->sums[k][next]) <= CR_UNEXPECTED * most;
  }
  return isSo;
}

// Lines of from < x < to, where v = middle + half x, or with isBent v = middle + half (3 x - x^3) / 2; whether they
// resolve what is integrated.
static bool placeLines(Job* job, const crAcrossRule* rule, bool isBent, double from, double to, double* outSum)
{
  double middle = 0.5 * (from + to), half = 0.5 * (to - from), sum = 0.0, steep[CR_MAX_ACROSS];
  bool areNext[2] = { from == -1.0 && job->areInner[0], to == 1.0 && job->areInner[1] };
  int count = rule->count;
  crLineRow v;
  for (int i = 0; i < rule->count; ++i) {
    double x = middle + half * rule->x[i];
    steep[i] = job->half * (isBent ? 1.5 * (1.0 - x * x) : 1.0);
    v[i] = job->middle + job->half * (isBent ? 0.5 * x * (3.0 - x * x) : x);
    job->scales[i] = steep[i] * half * rule->w[i];
  }
  for (int end = 0; end < 2; ++end) {
    if (areNext[end]) {
      v[count++] = job->middle + (end ? 1.0 : -1.0) * (1.0 - CR_NEXT_TO) * job->half;
    }
  }
  crMeasureLines(job->ruled, job->other, &job->X, count, v, &job->lines);
  for (int i = 0; i < rule->count; ++i) {
    sum += job->scales[i] * crLines_GetSum(&job->lines, i);
  }
  *outSum = sum;
  job->tail = findTail(job, rule, steep, half, sum);
  return job->tail == 0.0 && (!areNext[0] || isAsExpected(&job->lines, rule, 0, rule->count)) &&
         (!areNext[1] || isAsExpected(&job->lines, rule, 1, count - 1));
}

static void takeLines(Job* job, const crAcrossRule* rule, double sum)
{
  job->whole += sum;
  for (int i = 0; i < rule->count; ++i) {
    addLine(job, i);
  }
  seeDeepest(job, rule);
}

static void addPart(Job* job, double from, double to, int level)
{
  const crAcrossRule* rule = &cr_across[2][0][0];
  double sum, middle = 0.5 * (from + to);
  bool isDone = placeLines(job, rule, true, from, to, &sum);
  if (isDone || level == 0 || job->budget == 0) {
    takeLines(job, rule, sum);
    return;
  }
  --job->budget;
  addPart(job, from, middle, level - 1);
  addPart(job, middle, to, level - 1);
}

// What is between two breaks. isRoot: it begins, or ends, like a square root, and nothing is beyond.
// estimate: its share of the integral of the depth.
static void addBetween(Job* job, double from, double to, bool isRootAtFrom, bool isRootAtTo, double estimate)
{
  job->middle = 0.5 * (from + to);
  job->half = 0.5 * (to - from);
  bool mayDo = true;
  for (int i = estimate < CR_MINOR_PART * job->whole ? 0 : 1; i < 3 && mayDo; ++i) {
    const crAcrossRule* rule = &cr_across[i][isRootAtFrom][isRootAtTo];
    double sum;
    if (placeLines(job, rule, false, -1.0, 1.0, &sum)) {
      takeLines(job, rule, sum);
      return;
    }
    mayDo = i == 0 || isRootAtFrom || isRootAtTo || job->tail <= CR_HOPELESS;
  }
  addPart(job, -1.0, 1.0, CR_MAX_HALVINGS);
}

// Parts of a family between neighbouring breaks; lines of a part are inside the other body, or none is.
typedef struct Parts {
  int count;
  double ends[CR_MAX_BREAKS + 2];
  bool areRoots[CR_MAX_BREAKS + 2]; // at these ends, for the part that is inside
  bool areInside[CR_MAX_BREAKS + 1];
  double sums[CR_MAX_BREAKS + 1]; // [m^2] integral of the depth along the line in the middle
} Parts;

// By the line in the middle of each: whether it has a part inside, beyond rounding errors.
static void seeMiddles(Job* job, Parts* parts)
{
  for (int from = 0; from < parts->count; from += CR_MAX_LINES) {
    int count = parts->count - from < CR_MAX_LINES ? parts->count - from : CR_MAX_LINES;
    crLineRow v;
    for (int i = 0; i < count; ++i) {
      v[i] = 0.5 * (parts->ends[from + i] + parts->ends[from + i + 1]);
    }
    crMeasureLines(job->ruled, job->other, &job->X, count, v, &job->lines);
    for (int i = 0; i < count; ++i) {
      parts->areInside[from + i] = job->lines.depth[i] > CR_TAIL_NOISE * job->size;
      parts->sums[from + i] = crLines_GetSum(&job->lines, i);
    }
  }
}

static void listParts(Job* job, const crBreaks* breaks, const double range[2], Parts* parts)
{
  bool isCap = job->ruled->kind == cr_ruledCap;
  parts->count = 0;
  parts->ends[0] = range[0];
  parts->areRoots[0] = isCap && range[0] == -1.0;
  for (int i = 0; i <= breaks->count; ++i) {
    double to = i < breaks->count ? crMin2(breaks->list[i].v, range[1]) : range[1];
    bool isRoot = i < breaks->count ? breaks->list[i].isTangent : isCap && range[1] == 1.0;
    int n = parts->count;
    if (to - parts->ends[n] > CR_LEAST_PART) {
      parts->ends[n + 1] = to;
      parts->areRoots[n + 1] = isRoot;
      ++parts->count;
    } else {
      parts->areRoots[n] |= isRoot;
    }
  }
  seeMiddles(job, parts);
}

// Of wide parts of a circle so many, in each of which v is as good as an angle.
static void addInside(Job* job, const Parts* parts, int i)
{
  bool isBefore = i > 0 && parts->areInside[i - 1], isAfter = i + 1 < parts->count && parts->areInside[i + 1];
  bool isRound = job->ruled->kind == cr_ruledArc || job->ruled->kind == cr_ruledFan;
  double from = parts->ends[i], width = parts->ends[i + 1] - from;
  int count = isRound ? 1 + (int)(width / CR_WIDEST_PART) : 1;
  for (int k = 0; k < count; ++k) {
    bool isFirst = k == 0, isLast = k == count - 1;
    job->areInner[0] = isFirst && isBefore;
    job->areInner[1] = isLast && isAfter;
    addBetween(job, from + width * k / count, from + width * (k + 1) / count,
               isFirst && parts->areRoots[i] && !isBefore, isLast && parts->areRoots[i + 1] && !isAfter,
               width * parts->sums[i]);
  }
}

// Whether a family comes into what is in both bodies, in its own axes. An arc is half of a circle.
static bool isNear(const crRuled* ruled, const crZone* zone)
{
  crVec3 x = zone->middle, along = crMakeVec3(0.0, 0.0, 1.0), out = crMakeVec3(ruled->ex, ruled->ey, 0.0);
  bool isCap = ruled->kind == cr_ruledCap, isFan = ruled->kind == cr_ruledFan;
  if ((isCap || isFan) && fabs((isCap ? ruled->z : ruled->own->z0) - x.z) > crZone_FindSpread(zone, along)) {
    return false;
  }
  if (ruled->kind == cr_ruledFlat) {
    return fabs(ruled->y - x.y) <= crZone_FindSpread(zone, crMakeVec3(0.0, 1.0, 0.0));
  }
  return isCap || crDot(out, x) - ruled->ex * ruled->x >= -crZone_FindSpread(zone, out);
}

static void addRuled(Job* job, crBreaks* breaks, crBreaks* caps)
{
  double range[2];
  if (!crFindBreaks(job->ruled, job->other, &job->X, &job->zone, job->depth, breaks, caps, range)) {
    return;
  }
  if (!job->isTaken) {
    return;
  }
  Parts parts;
  crSortBreaks(breaks);
  listParts(job, breaks, range, &parts);
  for (int i = 0; i < parts.count; ++i) {
    if (parts.areInside[i]) {
      addInside(job, &parts, i);
    }
  }
}

static crPatchSurface findSurface(const crRuled* ruled, const crCurvedBody* own, const crCurvedBody discs[2])
{
  bool isTop = ruled->kind == cr_ruledFan ? ruled->own == &discs[1] : ruled->z == own->z1;
  bool isCap = ruled->kind == cr_ruledCap || ruled->kind == cr_ruledFan;
  return !isCap ? cr_surfaceSide : isTop ? cr_surfaceTop : cr_surfaceBottom;
}

// The surface of one body inside the other.
static void addSurface(Job* job, const crCurvedBody* own, crVec3 toward)
{
  crRuled ruled[CR_MAX_RULED];
  crCurvedBody discs[2];
  crBreaks breaks, caps[2];
  caps[0].count = caps[1].count = 0;
  int n = crListRuled(own, toward, fabs(job->X.R.cz.z) > CR_ALONG ? discs : NULL, ruled);
  for (int i = 0; i < n; ++i) {
    if (!isNear(&ruled[i], &job->own)) {
      continue;
    }
    job->ruled = &ruled[i];
    bool isCap = ruled[i].kind == cr_ruledCap;
    breaks.count = 0;
    job->isTaken = job->isSecond || (job->patch->surfaces & findSurface(&ruled[i], own, discs)) != 0;
    addRuled(job, isCap ? &caps[ruled[i].z == own->z1] : &breaks, caps);
  }
  job->ruled = NULL;
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
  crZone zone;
  Job job;
  if (!crFindCurvedZone(a, b, X_AB, &zone, &job.depth)) {
    return;
  }
  job.other = b;
  job.X = X_BA;
  job.own = zone;
  job.zone = crPlaceZone(&zone, &X_BA);
  job.isSecond = false;
  job.patch = patch;
  job.size = size;
  job.whole = 0.0;
  job.budget = CR_MAX_PARTS;
  addSurface(&job, a, middleB);
  if (patch->isOneSided) {
    return;
  }
  crPatch_TakeSecond(patch);
  job.other = a;
  job.X = *X_AB;
  job.own = job.zone;
  job.zone = zone;
  job.isSecond = true;
  job.whole = 0.0; // as if A and B were exchanged
  job.budget = CR_MAX_PARTS;
  addSurface(&job, b, middleA);
}
