#include "collide/distance/wall.h"

#include "collide/distance/ball.h"
#include "collide/distance/pair.h"
#include "collide/distance/surface.h"

#include <math.h>

#define CR_MAX_STEPS 100                   // [-] far more than needed
#define CR_ROOT_SHARE 4.0                  // [-] of the rounding of 1: how near to it sums of squares are at a root
#define CR_NODES 24                        // [-] places around the axis between which extremes are looked for
#define CR_HALVINGS 4                      // [-] of arcs between two of them in which the highest place may be
#define CR_NODE_COSINE 0.96592582628906829 // of the angle between two of them,
#define CR_NODE_SINE 0.25881904510252076
#define CR_NODE_ANGLE 0.26179938779914944 // [rad]
#define CR_LEVEL 1e-13                    // [-] shadows of unit vectors that are shorter have no direction
#define CR_TURN_SHARE 0.02 // [-] of the least semi-axis: shadow of the longest one with which halves turn,
#define CR_TURN_REACH 8.0  // [-] and over that, up to which they are turned
#define CR_SIDE_COSINE 0.73908513321516064 // of the direction towards which, of no symmetry
#define CR_SIDE_SINE 0.67361202918321484

// ------------------------------------------------------------------------------- the farthest points
//
// With semi-axes a_0 >= a_1 >= a_2 along which the centre is at c, the farthest point c_i + a_i u_i, |u| = 1, from the
// origin has u_i = a_i c_i / (mu + d_i), d_i = a_0^2 - a_i^2, for the one mu >= 0 with |u| = 1. Where c_0 = 0 there may
// be none: then mu = 0 and u_0 is what is left, of either sign. The only other place that is farther than all around it
// has the mu in (-d_1, 0) nearest to 0, if there is one [Martinez94]: u_0 has the other sign there.

typedef struct Spread {
  int n;        // axes
  double a[3];  // [m] they fall
  double c[3];  // [m]
  double d[3];  // [m^2]
  double ac[3]; // [m^2] a_i c_i
} Spread;

static Spread makeSpread(int n, const double* a, const double* c)
{
  Spread s = { .n = n };
  for (int i = 0; i < n; ++i) {
    s.a[i] = a[i];
    s.c[i] = c[i];
    s.d[i] = (a[0] - a[i]) * (a[0] + a[i]);
    s.ac[i] = a[i] * c[i];
  }
  return s;
}

// |u|^2 and its derivative by mu.
static double sumAt(const Spread* s, double mu, double* outSlope)
{
  double sum = 0.0, slope = 0.0;
  for (int i = 0; i < s->n; ++i) {
    if (s->ac[i] != 0.0) {
      double u = s->ac[i] / (mu + s->d[i]);
      sum += u * u;
      slope -= 2.0 * u * u / (mu + s->d[i]);
    }
  }
  *outSlope = slope;
  return sum;
}

static void takeRoot(const Spread* s, double mu, double side, double* u)
{
  double rest = 0.0;
  for (int i = 0; i < s->n; ++i) {
    u[i] = s->ac[i] != 0.0 ? s->ac[i] / (mu + s->d[i]) : 0.0;
    rest += u[i] * u[i];
  }
  if (s->ac[0] == 0.0 && rest < 1.0) {
    u[0] = side * sqrt(1.0 - rest);
    rest = 1.0;
  }
  for (int i = 0; i < s->n; ++i) {
    u[i] /= sqrt(rest);
  }
}

// side, 1 or -1: which of both where two are as far. From a lower bound of mu on, 1 / |u| being nearly straight
// [MoreSorensen83].
static void findFarthest(const Spread* s, double side, double* u)
{
  double mu = 0.0, slope;
  for (int i = 0; i < s->n; ++i) {
    mu = fmax(mu, fabs(s->ac[i]) - s->d[i]);
  }
  for (int k = 0; k < CR_MAX_STEPS; ++k) {
    double sum = sumAt(s, mu, &slope);
    if (!(sum - 1.0 > CR_ROOT_SHARE * DBL_EPSILON)) {
      break;
    }
    mu += 2.0 * sum * (1.0 - sqrt(sum)) / slope;
  }
  takeRoot(s, mu, side, u);
}

// Farther than all around it, with the other sign of u_0 than the farthest one. |u|^2 is convex in mu there, so that
// Newton's method goes to the root from the side of 0 and does not pass it.
static bool findOtherEnd(const Spread* s, double side, double* u)
{
  if (s->ac[0] == 0.0) {
    double slope, rest = sumAt(s, 0.0, &slope);
    takeRoot(s, 0.0, side, u);
    return rest < 1.0;
  }
  double mu = -fabs(s->ac[0]), slope;
  for (int k = 0; k < CR_MAX_STEPS && mu > -s->d[1]; ++k) {
    double sum = sumAt(s, mu, &slope), step = (sum - 1.0) / slope;
    if (!(slope > 0.0)) {
      return false;
    }
    if (!(step > DBL_EPSILON * -mu) || !(sum - 1.0 > CR_ROOT_SHARE * DBL_EPSILON)) {
      takeRoot(s, mu, side, u);
      return true;
    }
    mu -= step;
  }
  return false;
}

static double squareAt(const Spread* s, const double* u)
{
  double sum = 0.0;
  for (int i = 0; i < s->n; ++i) {
    double x = s->c[i] + s->a[i] * u[i];
    sum += x * x;
  }
  return sum;
}

// Where u_0 = 0.
static void findFarthestOfEdge(const Spread* s, double* u)
{
  u[0] = 0.0;
  if (s->n == 2) {
    u[1] = s->c[1] < 0.0 ? -1.0 : 1.0;
  } else {
    Spread across = makeSpread(s->n - 1, &s->a[1], &s->c[1]);
    findFarthest(&across, 1.0, &u[1]);
  }
}

// Of the half with side u_0 >= 0.
static void findFarthestOfHalf(const Spread* s, double side, double* u)
{
  if (side * s->c[0] >= 0.0) {
    findFarthest(s, side, u);
    return;
  }
  double other[3], edge[3];
  findFarthestOfEdge(s, edge);
  bool hasOther = findOtherEnd(s, side, other) && squareAt(s, other) > squareAt(s, edge);
  for (int i = 0; i < s->n; ++i) {
    u[i] = hasOther ? other[i] : edge[i];
  }
}

// ------------------------------------------------------------------------------------------ in rooms

// An ellipsoid in the frame of a room.
typedef struct Body {
  crVec3 c;       // [m] its centre
  crVec3 axes[3]; // unit vectors; semi-axes fall
  double a[3];    // [m]
  double sweep;   // [m]
  bool fits;
} Body;

// Where it is nearest to the wall: outward normal of that, and the point of the core.
typedef struct Place {
  crVec3 n, x;
} Place;

static void exchange(Body* body, int i, int k)
{
  if (body->a[i] < body->a[k]) {
    double a = body->a[i];
    crVec3 axis = body->axes[i];
    body->a[i] = body->a[k];
    body->axes[i] = body->axes[k];
    body->a[k] = a;
    body->axes[k] = axis;
  }
}

static Body placeBody(const crShape* ellipsoid, const crPose* X_WE, const crShape* wall, const crPose* X_WF)
{
  crMat3 R_WS = crMulMM(X_WF->R, wall->R_FS), R_WC = crMulMM(X_WE->R, ellipsoid->R_FS);
  crMat3 R = crMulTM(R_WS, R_WC);
  crVec3 half = ellipsoid->core.half;
  Body body = { .c = crMulTV(R_WS, crSubFinite(X_WE->p, X_WF->p)),
                .axes = { R.cx, R.cy, R.cz },
                .a = { half.x, half.y, half.z },
                .sweep = ellipsoid->sweep,
                .fits = crFitsIn(ellipsoid, wall) };
  exchange(&body, 0, 1);
  exchange(&body, 0, 2);
  exchange(&body, 1, 2);
  return body;
}

// ------------------------------------------------------------------------------------------ a sphere

static void spread(const double* u, const Body* body, Place* out)
{
  out->x = body->c;
  for (int i = 0; i < 3; ++i) {
    out->x = crMulAdd(out->x, body->a[i] * u[i], body->axes[i]);
  }
  out->n = crNormalize(out->x);
}

// outEdge: the farthest place where both halves meet, if there are two; may be NULL.
static Place findInSphere(const Body* body, bool isFar, Place* outEdge)
{
  double c[3], u[3] = { 0.0, 0.0, 0.0 }, edge[3] = { 0.0, 0.0, 0.0 }, side = isFar ? -1.0 : 1.0;
  for (int i = 0; i < 3; ++i) {
    c[i] = crDot(body->c, body->axes[i]);
  }
  bool isOblate = body->a[0] == body->a[1] && !body->fits;
  if (isOblate) {
    double rho = sqrt(c[0] * c[0] + c[1] * c[1]);
    const double a[2] = { body->a[0], body->a[2] }, inPlane[2] = { rho, c[2] };
    double v[2], e[2], x = rho > 0.0 ? c[0] / rho : 1.0, y = rho > 0.0 ? c[1] / rho : 0.0;
    Spread of = makeSpread(2, a, inPlane);
    findFarthestOfEdge(&of, e);
    findFarthestOfHalf(&of, side, v);
    u[0] = v[0] * x;
    u[1] = v[0] * y;
    u[2] = v[1];
    edge[2] = e[1];
  } else {
    Spread of = makeSpread(3, body->a, c);
    if (body->fits) {
      findFarthest(&of, side, u);
    } else {
      findFarthestOfEdge(&of, edge);
      findFarthestOfHalf(&of, side, u);
    }
  }
  Place place;
  spread(u, body, &place);
  if (outEdge != NULL) {
    spread(edge, body, outEdge);
  }
  return place;
}

// ------------------------------------------------------------------------------ a cylinder, or a cone

// h_A(n(phi)) = constant + c_x cos phi + c_y sin phi + sqrt(q), q = q_0 + q_1 cos phi + q_2 sin phi + q_3 cos 2 phi +
// q_4 sin 2 phi
typedef struct Round {
  double cx, cy, q[5], least; // q is not less
} Round;

typedef struct Angle {
  double c, s; // cosine and sine of phi
} Angle;

// Without the constant, with two derivatives.
typedef struct Height {
  double value, slope, bend; // [m]
} Height;

static Round makeRound(const Body* body, const crWall* wall)
{
  double k = wall->cosine, z = wall->sine, m[6] = { 0.0 }; // xx, yy, zz, xy, xz, yz
  for (int i = 0; i < 3; ++i) {
    crVec3 v = crScale(body->a[i], body->axes[i]);
    m[0] += v.x * v.x;
    m[1] += v.y * v.y;
    m[2] += v.z * v.z;
    m[3] += v.x * v.y;
    m[4] += v.x * v.z;
    m[5] += v.y * v.z;
  }
  return (Round){ k * body->c.x,
                  k * body->c.y,
                  { 0.5 * k * k * (m[0] + m[1]) + z * z * m[2], 2.0 * k * z * m[4], 2.0 * k * z * m[5],
                    0.5 * k * k * (m[0] - m[1]), k * k * m[3] },
                  body->a[2] * body->a[2] };
}

static Height measureAt(const Round* r, Angle at)
{
  double c = at.c, s = at.s, c2 = (c - s) * (c + s), s2 = 2.0 * c * s;
  double q = r->q[0] + r->q[1] * c + r->q[2] * s + r->q[3] * c2 + r->q[4] * s2;
  double q1 = -r->q[1] * s + r->q[2] * c + 2.0 * (r->q[4] * c2 - r->q[3] * s2);
  double q2 = -r->q[1] * c - r->q[2] * s - 4.0 * (r->q[3] * c2 + r->q[4] * s2);
  double root = sqrt(fmax(q, r->least)), slope = 0.5 * q1 / root;
  return (Height){ r->cx * c + r->cy * s + root, r->cy * c - r->cx * s + slope,
                   -r->cx * c - r->cy * s + (0.5 * q2 - slope * slope) / root };
}

// Turned by atan t.
static Angle turn(Angle at, double t)
{
  double w = 1.0 / sqrt(1.0 + t * t);
  return (Angle){ w * (at.c - t * at.s), w * (at.s + t * at.c) };
}

// Between a place and the next one, where slope, or bend, changes its sign from that of `first`: by Newton's method for
// the slope and else by halving.
static Angle findZero(const Round* r, Angle node, Angle next, bool isOfBend, double first)
{
  double low = 0.0, high = (node.c * next.s - node.s * next.c) / (node.c * next.c + node.s * next.s), t = 0.5 * high;
  for (int k = 0; k < CR_MAX_STEPS && high - low > DBL_EPSILON; ++k) {
    Height h = measureAt(r, turn(node, t));
    double value = isOfBend ? h.bend : h.slope;
    if (value * first > 0.0) {
      low = t;
    } else {
      high = t;
    }
    double newton = t - (1.0 + t * t) * h.slope / h.bend;
    bool isInside = !isOfBend && newton > low && newton < high;
    double step = (isInside ? newton : 0.5 * (low + high)) - t;
    if (value == 0.0) {
      break;
    }
    t += step;
    if (isInside && fabs(step) <= DBL_EPSILON) {
      break;
    }
  }
  return turn(node, t);
}

// The highest place found so far, of those that count: towards a half of all directions, or all of them; or the lowest.
typedef struct Peak {
  bool isLowest;
  Angle half; // zero: all
  Angle at;
  double value;
  double floor;       // [m] not more than the highest one
  double base, below; // [m] constant of h_A, and h_A along the axis, away from the normals
} Peak;

static bool counts(const Peak* peak, Angle at)
{
  return at.c * peak->half.c + at.s * peak->half.s >= 0.0;
}

static void climb(const Round* r, Angle at, Peak* peak)
{
  double value = measureAt(r, at).value;
  if (counts(peak, at) && (peak->isLowest ? value < peak->value : value > peak->value)) {
    peak->at = at;
    peak->value = value;
  }
}

// All extremes between two places with a small angle between them: one where the slope has two signs; else two or none,
// on both sides of a zero of the bend, where the slope is nearest to zero.
static void searchBetween(const Round* r, const Angle ends[2], const Height heights[2], double angle, Peak* peak)
{
  Height low = heights[0], high = heights[1];
  bool rises = low.slope > 0.0;
  if (rises != (high.slope > 0.0)) {
    if (rises != peak->isLowest) {
      climb(r, findZero(r, ends[0], ends[1], false, low.slope), peak);
    }
    return;
  }
  double towards = rises ? -1.0 : 1.0; // sign of the bend with which the slope comes nearer to zero
  bool comesNear = low.bend * towards > 0.0 && high.bend * towards < 0.0 && fabs(low.slope) < fabs(low.bend) * angle &&
                   fabs(high.slope) < fabs(high.bend) * angle;
  if (!comesNear) {
    return;
  }
  Angle middle = findZero(r, ends[0], ends[1], true, low.bend);
  Height between = measureAt(r, middle);
  if (rises != (between.slope > 0.0)) {
    bool isFirst = rises != peak->isLowest;
    climb(r,
          isFirst ? findZero(r, ends[0], middle, false, low.slope) : findZero(r, middle, ends[1], false, between.slope),
          peak);
  }
}

// Maxima in an arc, if it may have one that is higher than the floor: h_A is convex, so that on an arc of the angle w
// it is not more than the larger one at its ends over cos(w / 2), and as much of h_A away from the normals.
static void searchArc(const Round* r, const Angle ends[2], const Height heights[2], double angle, int halvings,
                      Peak* peak)
{
  double most = fmax(heights[0].value, heights[1].value) + peak->base, more = 0.25 * angle * angle;
  if (!(most + more * (fmax(most, 0.0) + fmax(peak->below, 0.0)) >= peak->floor + peak->base) ||
      !(counts(peak, ends[0]) || counts(peak, ends[1]))) {
    return;
  }
  if (halvings == 0) {
    searchBetween(r, ends, heights, angle, peak);
    return;
  }
  double c = ends[0].c + ends[1].c, s = ends[0].s + ends[1].s, size = sqrt(c * c + s * s);
  Angle middle = { c / size, s / size };
  Height there = measureAt(r, middle);
  peak->floor = counts(peak, middle) ? fmax(peak->floor, there.value) : peak->floor;
  searchArc(r, (const Angle[]){ ends[0], middle }, (const Height[]){ heights[0], there }, 0.5 * angle, halvings - 1,
            peak);
  searchArc(r, (const Angle[]){ middle, ends[1] }, (const Height[]){ there, heights[1] }, 0.5 * angle, halvings - 1,
            peak);
}

// An axis that is nearly that of the room has a shadow that turns round where it passes zero, and both halves would
// change places at once. So it is moved there by a little, to a side along which little is likely to move: the halves
// turn, all the way, while the shadow is a small part of the least semi-axis, and there is one touch alone.
// outBy: by how much that grows with x and y.
static double movePastZero(const Body* body, double x, double y, double outBy[2])
{
  double least = CR_TURN_SHARE * body->a[2] / body->a[0], most = CR_TURN_REACH * least;
  double rest = fmax(0.0, 1.0 - (x * x + y * y) / (most * most));
  outBy[0] = -4.0 * rest * least * x / (most * most);
  outBy[1] = -4.0 * rest * least * y / (most * most);
  return rest * rest * least;
}

// Across the axis, along the longer one of the axes of the ellipsoid's shadow. outTurn: [-] how fast its angle grows as
// the ellipsoid turns.
static Angle findHalf(const Body* body, crVec3* outTurn)
{
  bool isLong = body->a[0] * body->a[2] >= body->a[1] * body->a[1];
  crVec3 v = isLong ? body->axes[0] : body->axes[2];
  double by[2] = { 0.0, 0.0 }, moved = isLong ? movePastZero(body, v.x, v.y, by) : 0.0;
  double x = v.x + moved * CR_SIDE_COSINE, y = v.y + moved * CR_SIDE_SINE, length = sqrt(x * x + y * y);
  *outTurn = crMakeVec3(0.0, 0.0, 0.0);
  if (!(length > CR_LEVEL)) {
    return (Angle){ 1.0, 0.0 };
  }
  // v' = w x v: x' by w is (0, v_z, -v_y), y' is (-v_z, 0, v_x)
  double perX = (x * CR_SIDE_SINE - y * CR_SIDE_COSINE) * by[0] - y,
         perY = (x * CR_SIDE_SINE - y * CR_SIDE_COSINE) * by[1] + x, square = length * length;
  *outTurn = crMakeVec3(-perY * v.z / square, perX * v.z / square, (perY * v.x - perX * v.y) / square);
  return isLong ? (Angle){ x / length, y / length } : (Angle){ -y / length, x / length };
}

static Place placeAt(const Body* body, const crWall* wall, Angle at)
{
  crVec3 n = { wall->cosine * at.c, wall->cosine * at.s, wall->sine }, x = body->c, sum = { 0.0, 0.0, 0.0 };
  double square = 0.0;
  for (int i = 0; i < 3; ++i) {
    double w = body->a[i] * crDot(body->axes[i], n);
    square += w * w;
    sum = crMulAdd(sum, body->a[i] * w, body->axes[i]);
  }
  return (Place){ n, crMulAdd(x, 1.0 / sqrt(square), sum) };
}

static Place findInCone(const Body* body, const crWall* wall, bool isWhole)
{
  Round r = makeRound(body, wall);
  crVec3 byTurn;
  Angle nodes[CR_NODES + 1], along = findHalf(body, &byTurn);
  Height heights[CR_NODES + 1];
  Peak peak = { .isLowest = wall->part == cr_wallRing, .base = wall->sine * body->c.z };
  double square = 0.0; // of the extent along the axis
  for (int i = 0; i < 3; ++i) {
    square += body->a[i] * body->axes[i].z * body->a[i] * body->axes[i].z;
  }
  peak.below = fabs(wall->sine) * sqrt(square) - peak.base;
  peak.value = peak.isLowest ? HUGE_VAL : -HUGE_VAL;
  if (!isWhole && !peak.isLowest) {
    peak.half = wall->part == cr_wallFar ? (Angle){ -along.c, -along.s } : along;
    climb(&r, peak.half, &peak); // all around may be alike
    climb(&r, (Angle){ -along.s, along.c }, &peak);
    climb(&r, (Angle){ along.s, -along.c }, &peak);
  }
  nodes[0] = (Angle){ 1.0, 0.0 };
  peak.floor = peak.value;
  for (int i = 0; i <= CR_NODES; ++i) {
    if (i > 0) {
      nodes[i] = i < CR_NODES ? turn(nodes[i - 1], CR_NODE_SINE / CR_NODE_COSINE) : nodes[0];
    }
    heights[i] = i < CR_NODES ? measureAt(&r, nodes[i]) : heights[0];
    peak.floor = counts(&peak, nodes[i]) ? fmax(peak.floor, heights[i].value) : peak.floor;
  }
  climb(&r, nodes[0], &peak);
  for (int i = 0; i < CR_NODES && peak.isLowest; ++i) {
    searchBetween(&r, &nodes[i], &heights[i], CR_NODE_ANGLE, &peak);
  }
  for (int i = 0; i < CR_NODES && !peak.isLowest; ++i) {
    searchArc(&r, &nodes[i], &heights[i], CR_NODE_ANGLE, CR_HALVINGS, &peak);
  }
  return placeAt(body, wall, peak.at);
}

// Where both halves meet. The edge is there for what the direction of the halves is: as this turns, so does the edge,
// and with it its depth, which is no extreme.
static Place findEdgeOfCone(const Body* body, const crWall* wall, crVec3* outTurn)
{
  Round r = makeRound(body, wall);
  crVec3 byTurn;
  Angle along = findHalf(body, &byTurn);
  Peak peak = { .value = -HUGE_VAL };
  climb(&r, (Angle){ -along.s, along.c }, &peak);
  climb(&r, (Angle){ along.s, -along.c }, &peak);
  *outTurn = crScale(measureAt(&r, peak.at).slope, byTurn);
  return placeAt(body, wall, peak.at);
}

// ------------------------------------------------------------------------------------------- answers

void crAnswerWall(const crShape* ellipsoid, const crPose* X_WE, const crShape* wall, const crPose* X_WF,
                  bool isExchanged, crDistance* out)
{
  Body body = placeBody(ellipsoid, X_WE, wall, X_WF);
  Place place = wall->wall.kind == cr_wallSphere ? findInSphere(&body, wall->wall.part == cr_wallFar, NULL)
                : wall->wall.kind == cr_wallCone ? findInCone(&body, &wall->wall, body.fits)
                                                 : placeAt(&body, &wall->wall, (Angle){ 1.0, 0.0 });
  double distance = wall->wall.offset - body.sweep - crDot(place.n, place.x);
  crMat3 R_WS = crMulMM(X_WF->R, wall->R_FS), R_WC = crMulMM(X_WE->R, ellipsoid->R_FS);
  crVec3 n = crMulMV(R_WS, place.n);
  crVec3 pointA = crAdd(X_WF->p, crMulMV(R_WS, crMulAdd(place.x, body.sweep, place.n)));
  crSetExact(crNoiseOf(ellipsoid->reach + wall->reach, body.c), distance, out);
  crSetPoints(n, pointA, crMulAdd(pointA, distance, n), isExchanged, out);
  crCurvature* ofBody = isExchanged ? &out->curvatureB : &out->curvatureA;
  crCurvature* ofWall = isExchanged ? &out->curvatureA : &out->curvatureB;
  crVec3 core = crMulTV(R_WC, crSub(crMulAdd(pointA, -body.sweep, n), X_WE->p)), ofCore = crMulTV(R_WC, n);
  crVec3 foot = crMulAdd(place.x, body.sweep + distance, place.n), inward = crNeg(place.n);
  crSurface *surfaceA = isExchanged ? &out->surfaceB : &out->surfaceA,
            *surfaceB = isExchanged ? &out->surfaceA : &out->surfaceB;
  bool isOval = crFindSurface(ellipsoid, &core, &ofCore, 0, surfaceA, ofBody);
  ofBody->direction1 = isOval ? crMulMV(R_WC, ofBody->direction1) : crAnyPerpendicular(n);
  isOval = crFindSurface(wall, &foot, &inward, 0, surfaceB, ofWall);
  ofWall->direction1 = isOval ? crMulMV(R_WS, ofWall->direction1) : crAnyPerpendicular(n);
}

crWallEdge crMeasureWallEdge(const crShape* ellipsoid, const crPose* X_WE, const crShape* wall, const crPose* X_WF)
{
  Body body = placeBody(ellipsoid, X_WE, wall, X_WF);
  crMat3 R_WS = crMulMM(X_WF->R, wall->R_FS);
  crVec3 turn = { 0.0, 0.0, 0.0 };
  Place edge;
  if (wall->wall.kind == cr_wallSphere) {
    findInSphere(&body, false, &edge);
  } else {
    edge = findEdgeOfCone(&body, &wall->wall, &turn);
  }
  crVec3 point = crMulAdd(edge.x, body.sweep, edge.n);
  return (crWallEdge){ .depth = crDot(edge.n, point) - wall->wall.offset,
                       .normal = crMulMV(R_WS, edge.n),
                       .point = crAdd(X_WF->p, crMulMV(R_WS, point)),
                       .turn = crMulMV(R_WS, turn) };
}

double crMeasureRoundWall(const crShape* ellipsoid, const crPose* X_WE, const crShape* wall, const crPose* X_WF)
{
  Body body = placeBody(ellipsoid, X_WE, wall, X_WF);
  Place place = findInCone(&body, &wall->wall, true);
  return wall->wall.offset - body.sweep - crDot(place.n, place.x);
}
