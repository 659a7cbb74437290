#include "collide/area/ground_depth.h"

#define CR_EDGE_CELL 0.5  // [-] of a step of the grid,
#define CR_EDGE_SIZE 0.25 // [-] of the smallest dimension of what touches it, and
#define CR_EDGE_BASE 0.5  // [-] of the thickness of the ground: how far its edges are rounded
#define CR_FACES 4        // the top, the nearer wall along x and along y, and the base

crGroundDepth crMakeGroundDepth(const crGround* ground, double size)
{
  double cell = fmin(ground->width / (ground->columnCount - 1), ground->length / (ground->rowCount - 1));
  double edge = fmin(CR_EDGE_CELL * cell, fmin(CR_EDGE_SIZE * size, CR_EDGE_BASE * (ground->low - ground->base)));
  return (crGroundDepth){ ground, edge, 1.0 / sqrt(1.0 + ground->facing * ground->facing), false };
}

static double clampTo(double x, double most)
{
  return x < -most ? -most : x > most ? most : x;
}

static crVec3 findSlope(const crGroundPoint* at)
{
  return crMakeVec3(at->hx, at->hy, -1.0);
}

// d below the surface, and its gradient.
static double measureTop(const crGroundPoint* at, double f, crVec3* outSlope)
{
  double c = 1.0 / sqrt(1.0 + at->hx * at->hx + at->hy * at->hy), k = f * c * c * c;
  *outSlope = crMakeVec3(c * at->hx - k * (at->hxx * at->hx + at->hxy * at->hy),
                         c * at->hy - k * (at->hxy * at->hx + at->hyy * at->hy), -c);
  return f * c;
}

static double join(double e, const double d[CR_FACES], const crVec3 slopes[CR_FACES], crVec3* outSlope)
{
  double sum = 0.0, cubes[CR_FACES];
  int least = 0;
  for (int k = 0; k < CR_FACES; ++k) {
    double u = fmax(0.0, 1.0 - d[k] / e);
    cubes[k] = u * u * u;
    sum += cubes[k] * u;
    least = d[k] < d[least] ? k : least;
  }
  if (!(sum > 0.0)) {
    *outSlope = slopes[least];
    return d[least];
  }
  double half = sqrt(sum), quarter = sqrt(half), s = 1.0 / (half * quarter);
  *outSlope = crMakeVec3(0.0, 0.0, 0.0);
  for (int k = 0; k < CR_FACES; ++k) {
    *outSlope = crMulAdd(*outSlope, s * cubes[k], slopes[k]);
  }
  return e * (1.0 - quarter);
}

// Beside the walls the surface goes on level.
static double joinFaces(const crGroundDepth* depth, crVec3 p, crVec3* outSlope)
{
  const crGround* g = depth->ground;
  double x = clampTo(p.x, 0.5 * g->width), y = clampTo(p.y, 0.5 * g->length);
  crGroundPoint at = crGround_At(g, x, y);
  if (x != p.x) {
    at.hx = at.hxx = at.hxy = 0.0;
  }
  if (y != p.y) {
    at.hy = at.hyy = at.hxy = 0.0;
  }
  double f = at.h - p.z, d[CR_FACES];
  crVec3 slopes[CR_FACES] = { findSlope(&at),
                              { p.x < 0.0 ? 1.0 : -1.0, 0.0, 0.0 },
                              { 0.0, p.y < 0.0 ? 1.0 : -1.0, 0.0 },
                              { 0.0, 0.0, 1.0 } };
  if (f > 0.0) {
    d[0] = measureTop(&at, f, &slopes[0]);
  } else {
    d[0] = depth->facing * f;
    slopes[0] = crScale(depth->facing, slopes[0]);
  }
  d[1] = 0.5 * g->width - fabs(p.x);
  d[2] = 0.5 * g->length - fabs(p.y);
  d[3] = p.z - g->base;
  return join(depth->edge, d, slopes, outSlope);
}

double crLookBelow(const crGroundDepth* depth, crVec3 p, crVec3* outSlope)
{
  if (!depth->isInland) {
    return joinFaces(depth, p, outSlope);
  }
  crGroundPoint at = crGround_At(depth->ground, p.x, p.y);
  *outSlope = findSlope(&at);
  return at.h - p.z;
}

double crFindDepth(const crGroundDepth* depth, crVec3 p, crVec3* outNormal)
{
  crVec3 slope;
  double d;
  if (depth->isInland) {
    crGroundPoint at = crGround_At(depth->ground, p.x, p.y);
    d = measureTop(&at, at.h - p.z, &slope);
  } else {
    d = joinFaces(depth, p, &slope);
  }
  *outNormal = crNeg(slope);
  return d;
}
