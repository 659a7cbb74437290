#include "collide/area/ruled.h"

// Half of an arc that is half of a circle: tan(90 degrees / 2).
#define CR_HALF_CIRCLE 1.0

static crRuled makeArc(const crCurvedBody* body, double x, double ex, double ey)
{
  return (crRuled){ .kind = cr_ruledArc, .own = body, .x = x, .ex = ex, .ey = ey, .k = CR_HALF_CIRCLE };
}

static crRuled makeCap(const crCurvedBody* body, double z, double r)
{
  return (crRuled){ .kind = cr_ruledCap, .own = body, .z = z, .r = r };
}

int crListRuled(const crCurvedBody* body, crVec3 toward, crRuled out[CR_MAX_RULED])
{
  int n = 0;
  if (body->half > 0.0) {
    out[n++] = makeArc(body, body->half, 1.0, 0.0);
    out[n++] = makeArc(body, -body->half, -1.0, 0.0);
    out[n++] = (crRuled){ .kind = cr_ruledFlat, .own = body, .y = body->r0 };
    out[n++] = (crRuled){ .kind = cr_ruledFlat, .own = body, .y = -body->r0 };
  } else {
    double length = sqrt(toward.x * toward.x + toward.y * toward.y);
    double ex = length > 0.0 ? toward.x / length : 1.0, ey = length > 0.0 ? toward.y / length : 0.0;
    out[n++] = makeArc(body, 0.0, ex, ey);
    out[n++] = makeArc(body, 0.0, -ex, -ey);
  }
  if (body->r0 > 0.0) {
    out[n++] = makeCap(body, body->z0, body->r0);
  }
  if (body->r1 > 0.0) {
    out[n++] = makeCap(body, body->z1, body->r1);
  }
  return n;
}

// Of a cone r0 c1 - r1 c0, with c0 and c1 the centres of its rims, divided by the larger radius: finite for a cylinder.
crHomogeneous crRuled_FindApex(const crRuled* ruled)
{
  const crCurvedBody* body = ruled->own;
  if (ruled->kind == cr_ruledCap) {
    return (crHomogeneous){ crMakeVec3(body->half + ruled->r, 0.0, 0.0), 0.0 };
  }
  double inverse = 1.0 / (body->r0 > body->r1 ? body->r0 : body->r1), a = body->r0 * inverse, b = body->r1 * inverse;
  return (crHomogeneous){ crMakeVec3((a - b) * ruled->x, 0.0, a * body->z1 - b * body->z0), a - b };
}

// x at v = -1 and 1, and between them (w = 1 + k^2 v^2) the Bernstein coefficient f(0) - f2.
void crRuled_FindCurve(const crRuled* ruled, int end, crHomogeneous out[3])
{
  const crCurvedBody* body = ruled->own;
  double z = end ? body->z1 : body->z0, r = end ? body->r1 : body->r0;
  if (ruled->kind == cr_ruledArc) {
    double k = ruled->k, kk = k * k;
    crVec3 e = crMakeVec3(ruled->ex, ruled->ey, 0.0), f = crMakeVec3(-ruled->ey, ruled->ex, 0.0),
           c = crMakeVec3(ruled->x, 0.0, z);
    crVec3 even = crMulAdd(crScale(1.0 + kk, c), r * (1.0 - kk), e), odd = crScale(2.0 * k * r, f);
    out[0] = (crHomogeneous){ crSub(even, odd), 1.0 + kk };
    out[1] = (crHomogeneous){ crMulAdd(crScale(1.0 - kk, c), r * (1.0 + kk), e), 1.0 - kk };
    out[2] = (crHomogeneous){ crAdd(even, odd), 1.0 + kk };
    return;
  }
  bool isCap = ruled->kind == cr_ruledCap;
  for (int i = 0; i < 3; ++i) {
    double v = i - 1.0;
    crVec3 x = isCap ? crMakeVec3(0.0, ruled->r * v, ruled->z) : crMakeVec3(body->half * v, ruled->y, z);
    out[i] = (crHomogeneous){ x, 1.0 };
  }
}
