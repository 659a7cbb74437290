// The surface of a curved body in parts, each a family of straight lines numbered by -1 <= v <= 1.
//
//   arc    generators of a round side; v = tan(angle / 2) / k from the middle of the arc, so that all is rational
//   flat   the same of a flat side of a beam; v = x / half
//   fan    radii of a round cap, numbered like an arc: a cone without height
//   cap    chords along x of a cap; v = y / r
//
// Fans suit caps that lie on caps, where what is inside is bounded by circles about both axes; chords suit all else.
// In homogeneous coordinates (w x, w y, w z, w) the lines of an arc or flat join a fixed point, the apex, with a point
// of second degree in v, given by three Bernstein coefficients (control points): the apex of a cone, or one at infinity
// of parallel lines. The same is true for chords, as far as they are taken as infinite lines.
#ifndef CR_COLLIDE_AREA_RULED_H
#define CR_COLLIDE_AREA_RULED_H

#include "collide/area/curved_body.h"

typedef enum crRuledKind {
  cr_ruledArc,
  cr_ruledFan,
  cr_ruledFlat,
  cr_ruledCap,
} crRuledKind;

typedef struct crRuled {
  crRuledKind kind;
  const crCurvedBody* own; // fan: a cone from (0, 0, z0) to the rim
  double x;                // [m] arc: of its axis
  double ex, ey;           // [-] arc: its middle, seen from the axis
  double k;                // [-] arc: tan of a quarter of its angle
  double y;                // [m] flat: its place
  double z, r;             // [m] cap
} crRuled;

// x y z times w, and w.
typedef struct crHomogeneous {
  crVec3 x;
  double w;
} crHomogeneous;

// One line, in the body's axes: p + t u, 0 <= t <= 1, with the surface (weight + t more) dt dv.
typedef struct crRuledLine {
  crVec3 p, u;
  double weight, more;
} crRuledLine;

#define CR_MAX_RULED 8

// All of a body; chords of caps are last, since they need what is found of arcs, and fans first, since they carry most.
// toward: where arcs have their middle. discs: room for round caps as fans, where asked for; else NULL.
int crListRuled(const crCurvedBody* body, crVec3 toward, crCurvedBody discs[2], crRuled out[CR_MAX_RULED]);

// The apex, and control points of the curve that lines begin at (end 0) or end at (end 1); not for a cap, whose third
// curve (end 2) are the middles of its chords.
crHomogeneous crRuled_FindApex(const crRuled* ruled);
void crRuled_FindCurve(const crRuled* ruled, int end, crHomogeneous out[3]);

// Inline, since structures that pass through memory would cost as much as the arithmetic.
static inline crRuledLine crRuled_FindGenerator(const crRuled* ruled, double v)
{
  const crCurvedBody* body = ruled->own;
  double kv = ruled->k * v, inverse = 1.0 / (1.0 + kv * kv), c = (1.0 - kv * kv) * inverse, s = 2.0 * kv * inverse;
  double ex = c * ruled->ex - s * ruled->ey, ey = c * ruled->ey + s * ruled->ex;
  double more = body->r1 - body->r0, tall = body->z1 - body->z0, scale = body->slant * ruled->k * inverse;
  return (crRuledLine){ .p = crMakeVec3(ruled->x + body->r0 * ex, body->r0 * ey, body->z0),
                        .u = crMakeVec3(more * ex, more * ey, tall),
                        .weight = scale * body->r0,
                        .more = scale * more };
}

static inline crRuledLine crRuled_FindChord(const crRuled* ruled, double v)
{
  double half = ruled->own->half + ruled->r * sqrt((1.0 - v) * (1.0 + v));
  return (crRuledLine){ .p = crMakeVec3(-half, ruled->r * v, ruled->z),
                        .u = crMakeVec3(2.0 * half, 0.0, 0.0),
                        .weight = 2.0 * half * ruled->r };
}

static inline crRuledLine crRuled_FindUpright(const crRuled* ruled, double v)
{
  const crCurvedBody* body = ruled->own;
  double tall = body->z1 - body->z0;
  return (crRuledLine){ .p = crMakeVec3(body->half * v, ruled->y, body->z0),
                        .u = crMakeVec3(0.0, 0.0, tall),
                        .weight = tall * body->half };
}

static inline crRuledLine crRuled_FindLine(const crRuled* ruled, double v)
{
  switch (ruled->kind) {
    case cr_ruledFlat: return crRuled_FindUpright(ruled, v);
    case cr_ruledCap: return crRuled_FindChord(ruled, v);
    default: return crRuled_FindGenerator(ruled, v);
  }
}

#endif
