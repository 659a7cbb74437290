#include "island/roller_bound.h"

#include "island/motion_bound.h"

#include <math.h>

#define CR_HALVINGS 16 // of a time in which a point may come too near to a concave arc

typedef struct Course {
  crPlanePoint x, v;
  double speed, A, least, longest;
} Course;

static double reachFrom(const Course* c, crPlanePoint foot)
{
  crPlanePoint from = crPlaneSub(c->x, foot);
  double d = crPlaneLength(from);
  return d > 0.0 ? crFindReach(d, crPlaneDot(from, c->v) / d, c->A, c->least) : 0.0;
}

static double reachSegment(const Course* c, const crProfileElement* e)
{
  crPlanePoint way = crPlaneSub(e->end, e->start), from = crPlaneSub(c->x, e->start);
  double square = crPlaneDot(way, way), s = square > 0.0 ? crPlaneDot(from, way) / square : 0.0;
  return reachFrom(c, crPlaneAdd(e->start, fmin(fmax(s, 0.0), 1.0), way));
}

// The hull is the arc and its chord.
static double reachConvex(const Course* c, const crProfileElement* e)
{
  crPlanePoint centre = crPlaneAdd(e->middle, -e->radius, e->normal), u = crPlaneSub(c->x, centre);
  double length = crPlaneLength(u), along = crPlaneDot(u, e->normal);
  if (along >= e->cosine * length && length >= e->radius) {
    return crFindReach(length - e->radius, crPlaneDot(u, c->v) / length, c->A, c->least);
  }
  bool isInside = length < e->radius && crPlaneDot(crPlaneSub(c->x, e->start), e->normal) > 0.0;
  return isInside ? 0.0 : reachSegment(c, e);
}

// As long as |u + v t| and what accelerations add leave enough of the radius: both are largest at an end of the time.
static double reachBowl(const Course* c, const crProfileElement* e, crPlanePoint u)
{
  double room = e->radius - c->least, T = c->longest, now = crPlaneLength(u);
  for (int i = 0; i < CR_HALVINGS && now < room; ++i, T *= 0.5) {
    double then = crPlaneLength(crPlaneAdd(u, T, c->v));
    if (fmax(now, then) + 0.5 * c->A * T * T <= room) {
      return T;
    }
  }
  return 0.0;
}

// Until the point is behind both sides of the sector; away: from the centre to the middle of the arc.
static double reachSector(const Course* c, const crProfileElement* e, crPlanePoint u)
{
  crPlanePoint away = { -e->normal.x, -e->normal.y }, normals[2] = { e->startNormal, e->endNormal };
  double reach = 0.0;
  for (int i = 0; i < 2 && e->cosine >= 0.0; ++i) {
    crPlanePoint inward = crPlaneLeft(normals[i]);
    double sign = crPlaneDot(inward, away) < 0.0 ? -1.0 : 1.0, beside = -sign * crPlaneDot(inward, u);
    if (beside > 0.0) {
      reach = fmax(reach, crFindReach(beside, -sign * crPlaneDot(inward, c->v), c->A, 0.0));
    }
  }
  return fmin(reach, fmin(reachFrom(c, e->start), reachFrom(c, e->end)));
}

static double reachConcave(const Course* c, const crProfileElement* e)
{
  crPlanePoint u = crPlaneSub(c->x, crPlaneAdd(e->middle, e->radius, e->normal));
  bool isBefore = crPlaneDot(crPlaneSub(c->x, e->start), e->normal) > 0.0; // the chord
  double reach = fmax(reachBowl(c, e, u), reachSector(c, e, u));
  return isBefore ? fmax(reach, reachSegment(c, e)) : reach;
}

// As far as the nearest point is away, whatever lies between; nearer than the circle around it only.
static double reachInvolute(const Course* c, const crProfileElement* e)
{
  crPlanePoint from = crPlaneSub(c->x, e->middle), normal;
  double length = crPlaneLength(from), away = length - e->around, off, curvature;
  double around = away > 0.0 ? crFindReach(away, crPlaneDot(from, c->v) / length, c->A, c->least) : 0.0;
  int side = cr_profileRows[e->kind].nearest(e, c->x, &normal, &off, &curvature);
  double d = side == 0 ? fabs(off) : crPlaneLength(crPlaneSub(c->x, side < 0 ? e->start : e->end));
  return fmax(around, crFindReach(d, -c->speed, c->A, c->least));
}

double crFindRollerReach(const crChain* chain, crPlanePoint x, crPlanePoint v, double A, double least, double longest)
{
  Course c = { x, v, crPlaneLength(v), A, least, longest };
  double reach = longest;
  for (int k = 0; k < chain->count && reach > 0.0; ++k) {
    int index = chain->first + k;
    const crProfileElement* e =
        &chain->profile->items[index < chain->profile->count ? index : index - chain->profile->count];
    double away = crPlaneLength(crPlaneSub(x, e->middle)) - e->around;
    if (crFindReach(away, -c.speed, A, least) >= reach) {
      continue; // most are far away
    }
    double own = e->kind == cr_profileLine       ? reachSegment(&c, e)
                 : e->kind == cr_profileInvolute ? reachInvolute(&c, e)
                 : e->curvature > 0.0            ? reachConvex(&c, e)
                                                 : reachConcave(&c, e);
    reach = fmin(reach, own);
  }
  return reach;
}
