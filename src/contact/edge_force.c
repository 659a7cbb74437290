#include "contact/edge_force.h"

#include "contact/dual.h"

// Derivatives are by nu of the edge, nu of the two others, and the depth.

// Sums along the edge over its length: [m] of d^m, of a d^m and of a^2 d^m, in units of the length.
typedef struct Along {
  crDual flat[6], first[5], second[4];
} Along;

// Of D^m + D^(m-1) D' + ... with the weights 1, k + 1, (k + 1) (k + 2), one power after the other: each is the one
// before times D, and D'^m. powers: of D'.
static inline Along sumAlong(crDual deep, const crDual powers[7])
{
  Along sums;
  crDual flat = { 1.0, crZeroLanes() }, first = flat, second = { 2.0, crZeroLanes() };
  sums.flat[0] = flat;
  sums.first[0] = crScaleDual(0.5, first);
  sums.second[0] = crScaleDual(1.0 / 6.0, second);
  for (int m = 1; m < 6; ++m) {
    flat = crAddDual(crMulDual(flat, deep), powers[m]);
    sums.flat[m] = crScaleDual(1.0 / (m + 1), flat);
    if (m < 5) {
      first = crAddDual(crMulDual(first, deep), crScaleDual(m + 1, powers[m]));
      sums.first[m] = crScaleDual(1.0 / ((m + 1) * (m + 2)), first);
    }
    if (m < 4) {
      second = crAddDual(crMulDual(second, deep), crScaleDual((m + 1) * (m + 2), powers[m]));
      sums.second[m] = crScaleDual(1.0 / ((m + 1) * (m + 2) * (m + 3)), second);
    }
  }
  return sums;
}

// Moments of d or d^2: of 1, of the place a along the edge in units of its length, and of the places y, z from it along
// the two other edges.
typedef struct Moments {
  crDual all, a, y, z, aa, ay, az, yy, yz, zz;
} Moments;

// What is needed of both kinds: 1 / nu of the other edges, by powers, the length, and powers of both depths.
typedef struct Wedge {
  double length;
  crDual y[4], z[4], deep[7], other[7];
  Along along;
} Wedge;

static inline void raise(crDual a, int most, crDual* out)
{
  out[0] = (crDual){ 1.0, crZeroLanes() };
  for (int m = 1; m <= most; ++m) {
    out[m] = m == 1 ? a : crMulDual(out[m - 1], a);
  }
}

static inline Wedge makeWedge(double depth, double length, double nuEdge, double nuY, double nuZ)
{
  Wedge w;
  double y = 1.0 / nuY, z = 1.0 / nuZ;
  w.length = length;
  raise((crDual){ y, { 0.0, -y * y, 0.0, 0.0 } }, 3, w.y);
  raise((crDual){ z, { 0.0, 0.0, -z * z, 0.0 } }, 3, w.z);
  raise((crDual){ depth, { 0.0, 0.0, 0.0, 1.0 } }, 6, w.deep);
  raise((crDual){ depth - nuEdge * length, { -length, 0.0, 0.0, 1.0 } }, 6, w.other);
  w.along = sumAlong(w.deep[1], w.other);
  return w;
}

// m! b! / (m + b + 1)! for m = 1, 2 and b = 0, 1, 2: across a face, of d^m y^b; and 2 m! b! / (m + b + 2)!, of
// triangles.
static const double across[3][3] = { { 0.0, 0.0, 0.0 },
                                     { 1.0 / 2.0, 1.0 / 6.0, 1.0 / 12.0 },
                                     { 1.0 / 3.0, 1.0 / 12.0, 1.0 / 30.0 } };

static inline Moments findMoments(const Wedge* w, int m)
{
  const Along* s = &w->along;
  const double *c = across[m], L = w->length;
  const double t0 = m == 1 ? 1.0 / 6.0 : 1.0 / 12.0, t1 = m == 1 ? 1.0 / 24.0 : 1.0 / 60.0,
               t2 = m == 1 ? 1.0 / 60.0 : 1.0 / 180.0;
  crDual yz = crMulDual(w->y[1], w->z[1]), both = crScaleDual(L * c[0], crAddDual(w->y[1], w->z[1]));
  crDual ends = crScaleDual(t0, crMulDual(yz, crAddDual(w->deep[m + 2], w->other[m + 2]))),
         end = crScaleDual(t0, crMulDual(yz, w->other[m + 2]));
  crDual ends1 = crScaleDual(t1, crMulDual(yz, crAddDual(w->deep[m + 3], w->other[m + 3]))),
         end1 = crScaleDual(t1, crMulDual(yz, w->other[m + 3]));
  crDual ends2 = crScaleDual(t2, crMulDual(yz, crAddDual(w->deep[m + 4], w->other[m + 4])));
  return (
      Moments){ .all = crAddDual(crMulDual(both, s->flat[m + 1]), ends),
                .a = crAddDual(crMulDual(both, s->first[m + 1]), end),
                .aa = crAddDual(crMulDual(both, s->second[m + 1]), end),
                .y = crAddDual(crMulDual(crScaleDual(L * c[1], w->y[2]), s->flat[m + 2]), crMulDual(ends1, w->y[1])),
                .z = crAddDual(crMulDual(crScaleDual(L * c[1], w->z[2]), s->flat[m + 2]), crMulDual(ends1, w->z[1])),
                .ay = crAddDual(crMulDual(crScaleDual(L * c[1], w->y[2]), s->first[m + 2]), crMulDual(end1, w->y[1])),
                .az = crAddDual(crMulDual(crScaleDual(L * c[1], w->z[2]), s->first[m + 2]), crMulDual(end1, w->z[1])),
                .yy = crAddDual(crMulDual(crScaleDual(L * c[2], w->y[3]), s->flat[m + 3]), crMulDual(ends2, w->y[2])),
                .zz = crAddDual(crMulDual(crScaleDual(L * c[2], w->z[3]), s->flat[m + 3]), crMulDual(ends2, w->z[2])),
                .yz = crScaleDual(0.5, crMulDual(ends2, yz)) };
}

// Means, and covariances, with the edge's length for its unit.
static inline Moments centre(const Moments* m, double length)
{
  crDual a = crScaleDual(length, crQuotientDual(m->a, m->all)), y = crQuotientDual(m->y, m->all),
         z = crQuotientDual(m->z, m->all);
  return (Moments){ .all = m->all,
                    .a = a,
                    .y = y,
                    .z = z,
                    .aa = crSubDual(crScaleDual(length * length, crQuotientDual(m->aa, m->all)), crMulDual(a, a)),
                    .ay = crSubDual(crScaleDual(length, crQuotientDual(m->ay, m->all)), crMulDual(a, y)),
                    .az = crSubDual(crScaleDual(length, crQuotientDual(m->az, m->all)), crMulDual(a, z)),
                    .yy = crSubDual(crQuotientDual(m->yy, m->all), crMulDual(y, y)),
                    .yz = crSubDual(crQuotientDual(m->yz, m->all), crMulDual(y, z)),
                    .zz = crSubDual(crQuotientDual(m->zz, m->all), crMulDual(z, z)) };
}

static inline crDual addMinors(const Moments* C)
{
  crDual ay = crSubDual(crMulDual(C->aa, C->yy), crMulDual(C->ay, C->ay)),
         az = crSubDual(crMulDual(C->aa, C->zz), crMulDual(C->az, C->az));
  return crAddDual(crAddDual(ay, az), crSubDual(crMulDual(C->yy, C->zz), crMulDual(C->yz, C->yz)));
}

static inline crDual findI3(const Wedge* w)
{
  crDual faces = crMulDual(crScaleDual(0.25 * w->length, crAddDual(w->y[1], w->z[1])), w->along.flat[4]);
  return crAddDual(faces,
                   crScaleDual(0.05, crMulDual(crMulDual(w->y[1], w->z[1]), crAddDual(w->deep[5], w->other[5]))));
}

// At the deeper end, where r = -(a, y, z) from the centre of d^2.
static double findPressure(const crAreaEnergy* e, double depth, double i2, double t, double s, const Moments* C)
{
  double a = C->a.v, y = C->y.v, z = C->z.v, square = a * a + y * y + z * z;
  double along =
      a * a * C->aa.v + y * y * C->yy.v + z * z * C->zz.v + 2.0 * (a * y * C->ay.v + a * z * C->az.v + y * z * C->yz.v);
  double q = e->ut * square + e->us * (t * square - along);
  return depth * (2.0 * e->u2 + 3.0 * e->u3 * depth + 2.0 / i2 * (q - e->ut * t - 2.0 * e->us * s));
}

// Of components along the edge and the two others.
static inline crVec3 place(int edge, double along, double y, double z)
{
  return edge == 0 ? crMakeVec3(along, y, z) : edge == 1 ? crMakeVec3(z, along, y) : crMakeVec3(y, z, along);
}

static inline crSym3 placeSym3(int edge, double aa, double yy, double zz, double ay, double az, double yz)
{
  return edge == 0   ? (crSym3){ aa, yy, zz, ay, az, yz }
         : edge == 1 ? (crSym3){ zz, aa, yy, az, yz, ay }
                     : (crSym3){ yy, zz, aa, yz, ay, az };
}

void crComputeEdgeForce(crAreaModulus law, const crBoxCorner* corner, crAreaForce* out)
{
  const double *n = &corner->n.x, D = corner->depth;
  int edge = corner->edge, second = (edge + 1) % 3, third = (edge + 2) % 3;
  Wedge w = makeWedge(D, corner->length, fabs(n[edge]), fabs(n[second]), fabs(n[third]));
  Moments m1 = findMoments(&w, 1), m2 = findMoments(&w, 2), C1 = centre(&m1, w.length), C = centre(&m2, w.length);
  crDual i3 = findI3(&w), t = crAddDual(C.aa, crAddDual(C.yy, C.zz)), s = addMinors(&C);
  crAreaEnergy e = crComputeAreaEnergy(law, m2.all.v, i3.v, t.v, s.v);
  crLanes slope = e.u2 * m2.all.d + e.u3 * i3.d + e.ut * t.d + e.us * s.d;
  double x = copysign(1.0, n[edge]), y = copysign(1.0, n[second]), z = copysign(1.0, n[third]); // inward
  crVec3 way = place(edge, x * C1.a.v, y * C1.y.v, z * C1.z.v);
  crVec3 turn = place(edge, x * slope[0], y * slope[1], z * slope[2]);
  double ends = w.y[1].v * w.z[1].v * (w.deep[2].v + w.other[2].v);
  out->elastic = e.U;
  out->force = crScale(slope[3], corner->n);
  out->torque = crSub(crCross(corner->n, turn), crCross(way, out->force));
  out->centre = crAdd(corner->at, way);
  out->spread = placeSym3(edge, C1.aa.v, C1.yy.v, C1.zz.v, x * y * C1.ay.v, x * z * C1.az.v, y * z * C1.yz.v);
  out->area = w.length * (w.y[1].v + w.z[1].v) * w.along.flat[1].v + 0.5 * ends;
  out->mostPressure = findPressure(&e, D, m2.all.v, t.v, s.v, &C);
}
