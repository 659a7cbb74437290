#include "collide/area/ruled.h"

// Half of an arc that is half of a circle: tan(90 degrees / 2).
#define CR_HALF_CIRCLE 1.0

// One half of a circle and the other, the first about a direction across the axis.
static int addHalves(const crCurvedBody* body, crRuledKind kind, crVec3 toward, crRuled* out)
{
  double length = sqrt(toward.x * toward.x + toward.y * toward.y);
  double ex = length > 0.0 ? toward.x / length : 1.0, ey = length > 0.0 ? toward.y / length : 0.0;
  out[0] = (crRuled){ .kind = kind, .own = body, .ex = ex, .ey = ey, .k = CR_HALF_CIRCLE };
  out[1] = (crRuled){ .kind = kind, .own = body, .ex = -ex, .ey = -ey, .k = CR_HALF_CIRCLE };
  return 2;
}

static int addSide(const crCurvedBody* body, crVec3 toward, crRuled* out)
{
  if (!(body->half > 0.0)) {
    return addHalves(body, cr_ruledArc, toward, out);
  }
  crRuled arc = { .kind = cr_ruledArc, .own = body, .x = body->half, .ex = 1.0, .k = CR_HALF_CIRCLE };
  out[0] = out[1] = arc;
  out[1].x = -body->half;
  out[1].ex = -1.0;
  out[2] = (crRuled){ .kind = cr_ruledFlat, .own = body, .y = body->r0 };
  out[3] = (crRuled){ .kind = cr_ruledFlat, .own = body, .y = -body->r0 };
  return 4;
}

static int addCap(const crCurvedBody* body, double z, double r, crVec3 toward, crCurvedBody* disc, crRuled* out)
{
  if (!(r > 0.0)) {
    return 0;
  }
  if (disc == NULL) {
    out[0] = (crRuled){ .kind = cr_ruledCap, .own = body, .z = z, .r = r };
    return 1;
  }
  *disc = (crCurvedBody){ .r1 = r, .z0 = z, .z1 = z, .slant = 2.0 * r, .size = r };
  return addHalves(disc, cr_ruledFan, toward, out);
}

int crListRuled(const crCurvedBody* body, crVec3 toward, crCurvedBody discs[2], crRuled out[CR_MAX_RULED])
{
  bool areFans = discs != NULL && !(body->half > 0.0);
  int n = areFans ? 0 : addSide(body, toward, out);
  n += addCap(body, body->z0, body->r0, toward, areFans ? &discs[0] : NULL, &out[n]);
  n += addCap(body, body->z1, body->r1, toward, areFans ? &discs[1] : NULL, &out[n]);
  return areFans ? n + addSide(body, toward, &out[n]) : n;
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
  if (ruled->kind == cr_ruledArc || ruled->kind == cr_ruledFan) {
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
