// All points of a cap have one foot. With y = sin(theta / 2), theta the angle from the deepest direction -N, the depth
// is F - 2 r y^2, F = reach - D, and what is inside is a disc about -N. Sides of the cone are great circles: straight
// lines in the plane that touches the sphere at -N, seen from its centre, where the disc has the radius tan theta.
// Sectors of the disc, and triangles between its centre and a line, have smooth integrands; those beyond the line count
// negative.
#include "collide/area/cap.h"

#include "base/elementary.h"
#include "collide/area/nodes.h"
#include "collide/area/polygon.h"

#define CR_ROUND_NODES 8 // directions all round: exact for what is of the seventh degree in n

typedef struct Cap {
  const crBallSurface* surface;
  crVec3 c, down, e1, e2; // centre, -N, and two across
  crCoreFoot foot;
  double depth; // [m] F
  double edge;  // y of the rim of the disc
  double slope; // tan theta there
} Cap;

// From the middle to y = edge along cos phi e1 + sin phi e2. weight: of the integral of 4 y dy.
static void addRay(const Cap* cap, double cosine, double sine, double edge, double weight)
{
  double r = cap->surface->radius;
  crVec3 out = crMulAdd(crScale(cosine, cap->e1), sine, cap->e2);
  for (int k = 0; k < crNodes5.count; ++k) {
    double y = 0.5 * edge * (1.0 + crNodes5.x[k]), z = y * y;
    crVec3 n = crMulAdd(crScale(1.0 - 2.0 * z, cap->down), 2.0 * y * sqrt(1.0 - z), out);
    crBallSurface_AddPoint(cap->surface, 2.0 * weight * edge * y * crNodes5.w[k], cap->depth - 2.0 * r * z, cap->c, n,
                           &cap->foot);
  }
}

static void addSector(const Cap* cap, double from, double to)
{
  double r = cap->surface->radius, middle = 0.5 * (from + to), half = 0.25 * (to - from);
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < crNodes7.count; ++k) {
      double sine, cosine;
      crSinCos(middle + half * (2 * i - 1 + crNodes7.x[k]), &sine, &cosine);
      addRay(cap, cosine, sine, cap->edge, r * r * half * crNodes7.w[k]);
    }
  }
}

static void addDisc(const Cap* cap)
{
  static const double h = M_SQRT1_2;
  static const double x[CR_ROUND_NODES + 2] = { 1.0, h, 0.0, -h, -1.0, -h, 0.0, h, 1.0, h };
  double r = cap->surface->radius;
  for (int k = 0; k < CR_ROUND_NODES; ++k) {
    addRay(cap, x[k], x[(k + 6) % CR_ROUND_NODES], cap->edge, r * r * 2.0 * M_PI / CR_ROUND_NODES);
  }
}

// Between the middle and the line at the distance tau along phi = 0, from z = a to b along it.
static void addTriangle(const Cap* cap, double tau, crVec3 towards, crVec3 along, double a, double b)
{
  double r = cap->surface->radius;
  Cap turned = *cap;
  turned.e1 = towards;
  turned.e2 = along;
  for (int k = 0; k < crNodes7.count; ++k) {
    double z = 0.5 * (a + b) + 0.5 * (b - a) * crNodes7.x[k], square = tau * tau + z * z, s = sqrt(1.0 + square);
    double per = 1.0 / (2.0 * s * (s + 1.0)), distance = sqrt(square); // edge^2 = square per
    double edge = sqrt(square * per);
    if (distance > 0.0) {
      double weight = r * r * 0.5 * (b - a) * crNodes7.w[k] * tau / square;
      addRay(&turned, tau / distance, z / distance, edge, weight);
    }
  }
}

static bool makeCap(const crBallSurface* surface, crVec3 centre, Cap* out)
{
  out->surface = surface;
  out->c = centre;
  out->foot = crBallSurface_FindFoot(surface, centre);
  out->depth = surface->reach - out->foot.distance;
  if (!(out->depth > 0.0)) {
    return false;
  }
  double z = crMin2(out->depth / (2.0 * surface->radius), 0.5); // no more than half a ball
  out->edge = sqrt(z);
  out->slope = 2.0 * sqrt(z * (1.0 - z)) / (1.0 - 2.0 * z);
  out->down = crNeg(out->foot.outward);
  out->e1 = crFindAcross(out->down);
  out->e2 = crCross(out->down, out->e1);
  return true;
}

void crAddHalfBall(const crBallSurface* surface, crVec3 centre, crVec3 end)
{
  Cap cap;
  if (!makeCap(surface, centre, &cap)) {
    return;
  }
  double rise = crDot(end, cap.down);
  crVec3 away = crMulAdd(end, -rise, cap.down);
  double tilt = crLength(away);
  if (rise >= 0.0) {
    crBallSurface_SeeDepth(surface, centre, &cap.foot);
  }
  if (fabs(rise) >= cap.slope * tilt) {
    if (rise > 0.0) {
      addDisc(&cap);
    }
    return;
  }
  cap.e1 = crScale(-1.0 / tilt, away); // towards the side, if it is seen from inside
  cap.e2 = crCross(cap.down, cap.e1);
  double tau = rise / tilt, reach = sqrt(crMax2(0.0, cap.slope * cap.slope - tau * tau));
  double open = crAtan2(reach, tau);
  addSector(&cap, open, 2.0 * M_PI - open);
  addTriangle(&cap, tau, cap.e1, cap.e2, -reach, reach);
}
