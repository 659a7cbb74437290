#include "geometry/gear.h"

#include "base/elementary.h"

#include <math.h>

#define CR_STEEL_MODULUS 2.06e11 // [N/m^2] of [ISO6336]'s stiffness
#define CR_ADDENDUM 1.0          // [-] modules that a tooth stands out
#define CR_DEDENDUM 1.25         // [-] and its space goes in
#define CR_RIM_LOSS 0.8          // [-] C_M of [ISO6336]: measured over theoretical stiffness
#define CR_END_LOSS 0.45         // [-] share of its stiffness that a pair lacks at the ends of its path [CaiHayashi94]
#define CR_MAX_ANGLE_STEPS 50

// ------------------------------------------------------------------------------------------------ lengths

// tan a - a = value.
static double findAngle(double value)
{
  double a = 0.4;
  for (int i = 0; i < CR_MAX_ANGLE_STEPS; ++i) {
    double t = crTan(a), next = a - (t - a - value) / (t * t);
    next = fmin(fmax(next, 0.5 * a), 0.5 * (a + 0.5 * CR_PI));
    if (fabs(next - a) <= 1e-15) {
      return next;
    }
    a = next;
  }
  return a;
}

// [N/m^2] of one pair of teeth per face width. The polynomial is in mm um / N.
static double computeStiffness(const crGearData* d)
{
  double zA = d->teethA, zB = d->teethB, xA = d->shiftA, xB = d->shiftB, degrees = d->pressureAngle * 180.0 / CR_PI;
  double q = 0.04723 + 0.15551 / zA + 0.25791 / zB - 0.00635 * xA - 0.11654 * xA / zA - 0.00193 * xB -
             0.24188 * xB / zB + 0.00529 * xA * xA + 0.00182 * xB * xB;
  double rack = (1.0 + 0.5 * (1.2 - CR_DEDENDUM)) * (1.0 - 0.02 * (20.0 - degrees));
  return CR_RIM_LOSS * rack * d->E / CR_STEEL_MODULUS * 1e9 / q;
}

static double tangentOf(double radius, double base)
{
  return sqrt(fmax(0.0, (radius - base) * (radius + base)));
}

static void fillMesh(const crGearData* d, double working, crGearMesh* m)
{
  double sine, cosine, standard = 0.5 * d->module * crCos(d->pressureAngle);
  crSinCos(working, &sine, &cosine);
  m->angle = working;
  m->baseA = d->teethA * standard;
  m->baseB = d->teethB * standard;
  m->centre = (m->baseA + m->baseB) / cosine;
  m->tipA = d->module * (0.5 * d->teethA + d->shiftA + CR_ADDENDUM);
  m->tipB = d->module * (0.5 * d->teethB + d->shiftB + CR_ADDENDUM);
  m->pitch = 2.0 * CR_PI * standard;
  m->approach = tangentOf(m->tipB, m->baseB) - m->baseB * sine / cosine;
  m->recess = tangentOf(m->tipA, m->baseA) - m->baseA * sine / cosine;
  m->stiffness = computeStiffness(d) * d->faceWidth;
  m->relief = d->tipRelief;
  m->reliefLength = m->approach + m->recess - m->pitch; // where two pairs touch
}

const char* crMakeGearMesh(const crGearData* d, crGearMesh* outMesh)
{
  crGearMesh mesh;
  *outMesh = (crGearMesh){ .pitch = 0.0 };
  double t = crTan(d->pressureAngle);
  double involute = t - d->pressureAngle + 2.0 * t * (d->shiftA + d->shiftB) / (d->teethA + d->teethB);
  if (!(involute > 0.0)) {
    return "their shifts leave no room for involutes";
  }
  fillMesh(d, findAngle(involute), &mesh);
  double tangent = crTan(mesh.angle);
  if (!(mesh.approach > 0.0 && mesh.recess > 0.0)) {
    return "their tips do not reach the pitch point";
  }
  if (!(mesh.approach <= mesh.baseA * tangent && mesh.recess <= mesh.baseB * tangent)) {
    return "a tip reaches below the base circle of the other gear, where there is no involute";
  }
  if (!(mesh.approach + mesh.recess > mesh.pitch)) {
    return "their contact ratio is not above 1: a pair of teeth parts before the next one meets";
  }
  *outMesh = mesh;
  return NULL;
}

double crComputeContactRatio(const crGearMesh* mesh)
{
  return (mesh->approach + mesh->recess) / mesh->pitch;
}

// ---------------------------------------------------------------------------------------------------- gap

// The tip of one gear, x before the end of the path, and the flank of the other, which has base radius `base`. The tip
// is at the angle beta from the line of centres, at the radius rho of the other gear's centre and the angle -theta
// there. An involute is at the same distance from the next one along all tangents of its base circle, so that
//
//   gap = base (angle between tip and flank at the radius rho),   flank: angle of its gear - (tau - atan tau),
//   tau = sqrt(rho^2 / base^2 - 1)
//
// which is 0 at x = 0, and so is its slope: on the path both move along the line of action alike.
typedef struct Corner {
  double base, otherBase, otherTip, centre;
  double startAngle; // [rad] beta at the end of the path
} Corner;

static double angleOf(const Corner* c, double beta, double* outTau, double* outRhoSquare)
{
  double s, k;
  crSinCos(beta, &s, &k);
  double x = c->centre - c->otherTip * k, y = c->otherTip * s;
  *outRhoSquare = x * x + y * y;
  *outTau = sqrt(fmax(0.0, *outRhoSquare - c->base * c->base)) / c->base;
  return -crAtan2(y, x) + *outTau - crAtan2(*outTau, 1.0);
}

static double computeCorner(const Corner* c, double x, double* outSlope)
{
  double tau, square, startTau, startSquare, s, k;
  double beta = c->startAngle + x / c->otherBase, start = angleOf(c, c->startAngle, &startTau, &startSquare);
  double gap = c->base * (angleOf(c, beta, &tau, &square) - start) + x;
  crSinCos(beta, &s, &k);
  double turn = -(c->centre * c->otherTip * k - c->otherTip * c->otherTip) / square;
  double rise = c->centre * c->otherTip * s / (c->base * c->base * tau); // of tau by beta
  *outSlope = 1.0 + c->base / c->otherBase * (turn + rise * tau * tau / (1.0 + tau * tau));
  return gap;
}

static Corner makeCorner(const crGearMesh* m, bool isStart)
{
  double s, k, path = isStart ? m->approach : m->recess, other = isStart ? m->baseB : m->baseA;
  crSinCos(m->angle, &s, &k);
  return (Corner){ .base = isStart ? m->baseA : m->baseB,
                   .otherBase = other,
                   .otherTip = isStart ? m->tipB : m->tipA,
                   .centre = m->centre,
                   .startAngle = crAtan2(path * k, other / k + path * s) };
}

static double computeRelief(const crGearMesh* m, double inside, double* outSlope)
{
  double u = fmax(0.0, 1.0 - inside / m->reliefLength);
  *outSlope = -2.0 * m->relief * u / m->reliefLength;
  return m->relief * u * u;
}

double crComputeToothGap(const crGearMesh* m, double xi, double* outSlope)
{
  double before, behind, corner = 0.0;
  double gap = computeRelief(m, xi + m->approach, &before) + computeRelief(m, m->recess - xi, &behind);
  bool isStart = xi < -m->approach;
  *outSlope = before - behind;
  if (isStart || xi > m->recess) {
    Corner c = makeCorner(m, isStart);
    gap += computeCorner(&c, isStart ? -m->approach - xi : xi - m->recess, &corner);
    *outSlope += isStart ? -corner : corner;
  }
  return gap;
}

// -------------------------------------------------------------------------------------------------- forces

crGearPush crComputeGearPush(const crGearMesh* m, double backlash, double e, double psi)
{
  crGearPush push = { 0.0, 0.0, 0.0 };
  double side = e > 0.0 ? 1.0 : -1.0, depth = m->baseA * (fabs(e) - 0.5 * backlash);
  if (!(depth > 0.0)) {
    return push;
  }
  double place = (side > 0.0 ? m->baseA * psi : 0.5 * m->pitch - m->baseA * psi) / m->pitch;
  double half = 0.5 * (m->approach + m->recess), middle = 0.5 * (m->recess - m->approach);
  double xi = middle - half - m->pitch, perPlace = 0.0, force = 0.0;
  place -= floor(place) - floor(xi / m->pitch);
  for (int j = 0; (xi = (place + j) * m->pitch) <= middle + half + m->pitch; ++j) {
    double u = (xi - middle) / half, k = m->stiffness * (1.0 - CR_END_LOSS * u * u), slope;
    double delta = k > 0.0 ? depth - crComputeToothGap(m, xi, &slope) : 0.0;
    if (delta > 0.0) {
      push.energy += 0.5 * k * delta * delta;
      force += k * delta;
      perPlace -= CR_END_LOSS * m->stiffness * u / half * delta * delta + k * delta * slope;
    }
  }
  push.perAngle = side * m->baseA * force;
  push.perPhase = side * m->baseA * perPlace;
  return push;
}
