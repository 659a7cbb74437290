// The point of a zonotope nearest to a target: least squares with bounds, by active sets.
//
// Minimize |v|^2, v = p + sum of value[k] axis[k] - target, over |value[k]| <= half[k]. Some values are held at a
// bound, the others are free. A step solves for the free ones, goes towards the solution as far as the bounds allow,
// and holds the value that met its bound. Where all free ones are solved, the held value whose release promises
// most is set free: that with the largest half[k] |n . axis[k]| on the wrong side, which is what it takes from the
// lower bound on |v|, n = v / |v|. When that is no more than rounding, v is nearest. |v| falls at every step,
// so no set comes back; from a good start there are one to four steps.
#include "collide/distance/box.h"

#define CR_MAX_STEPS 32     // [-] then the caller takes another way
#define CR_STILL_UNITS 1.0  // [noise] a slope so small is rounding
#define CR_FLAT_SINE 1e-300 // [-] square below which two free axes are parallel

typedef struct Free {
  int index[3];
  double step[3]; // [m] to the solution
  int count;
} Free;

CR_INLINE crVec3 placeV(const crBoxes* m, const crBoxPoint* x, crVec3 start)
{
  crVec3 v = crMakeVec3(start.x + x->value[0], start.y + x->value[1], start.z + x->value[2]);
  for (int k = 3; k < m->count; ++k) {
    v = crMulAdd(v, x->value[k], m->axis[k]);
  }
  return v;
}

// The steps that bring v to its least length. False where the axes are dependent.
CR_INLINE bool solveFree(const crBoxes* m, crVec3 v, Free* f)
{
  crVec3 c0 = m->axis[f->index[0]];
  if (f->count == 1) {
    f->step[0] = -crDot(v, c0);
    return true;
  }
  crVec3 c1 = m->axis[f->index[1]], N = crCross(c0, c1);
  if (f->count == 2) {
    double square = crLengthSquared(N);
    f->step[0] = -crDot(crCross(v, c1), N) / square;
    f->step[1] = crDot(crCross(v, c0), N) / square;
    return square > CR_FLAT_SINE;
  }
  crVec3 c2 = m->axis[f->index[2]];
  double volume = crDot(N, c2);
  f->step[0] = -crDot(v, crCross(c1, c2)) / volume;
  f->step[1] = -crDot(v, crCross(c2, c0)) / volume;
  f->step[2] = -crDot(v, N) / volume;
  return volume != 0.0 && isfinite(f->step[0]) && isfinite(f->step[1]) && isfinite(f->step[2]);
}

// Goes towards the solution. True when a bound stopped it.
CR_INLINE bool takeStep(const crBoxes* m, const Free* f, crBoxPoint* x)
{
  double share = 1.0;
  int blocked = -1;
  for (int i = 0; i < f->count; ++i) {
    int k = f->index[i];
    double room = (f->step[i] > 0.0 ? m->half[k] : -m->half[k]) - x->value[k];
    if (fabs(f->step[i]) * share > fabs(room)) {
      share = room / f->step[i];
      blocked = i;
    }
  }
  for (int i = 0; i < f->count; ++i) {
    x->value[f->index[i]] += share * f->step[i];
  }
  if (blocked < 0) {
    return false;
  }
  int k = f->index[blocked];
  x->side[k] = f->step[blocked] > 0.0 ? 1 : -1;
  x->value[k] = x->side[k] * m->half[k];
  return true;
}

// The held value to set free, or -1.
CR_INLINE int findRelease(const crBoxes* m, const crBoxPoint* x, double still)
{
  double most = m->noise * crMaxAbs(x->v); // instead of |v|: no root
  int found = -1;
  const double along[3] = { x->v.x, x->v.y, x->v.z };
  for (int k = 0; k < m->count; ++k) {
    double slope = x->side[k] * (k < 3 ? along[k] : crDot(x->v, m->axis[k]));
    if (slope > still && slope * m->half[k] > most) {
      most = slope * m->half[k];
      found = k;
    }
  }
  return found;
}

bool crBoxes_FindNearest(const crBoxes* m, const crVec3* target, crBoxPoint* x)
{
  crVec3 start = crSub(m->p, *target);
  double still = CR_STILL_UNITS * m->noise;
  for (int step = 0; step < CR_MAX_STEPS; ++step) {
    x->v = placeV(m, x, start);
    Free f = { .count = 0 };
    int release = x->isSolved ? findRelease(m, x, still) : -1;
    if (x->isSolved && release < 0) {
      return true;
    }
    for (int k = 0; k < m->count; ++k) {
      if (x->side[k] == 0 || k == release) {
        if (f.count == 3) {
          return false;
        }
        f.index[f.count++] = k;
      }
    }
    if (release >= 0) {
      x->side[release] = 0;
    }
    if (f.count > 0 && !solveFree(m, x->v, &f)) {
      return false;
    }
    x->isSolved = !takeStep(m, &f, x);
  }
  return false;
}
