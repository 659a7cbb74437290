#include "contact/area_loss.h"

#include "collide/area/polygon.h"
#include "collide/area/wide.h"

static double invertMass(const crAreaSide* side, crVec3 x, crVec3 n)
{
  crVec3 arm = crCross(crSub(x, side->centre), n);
  return side->inverseMass + crDot(arm, crMulMV(side->inverseInertia, arm));
}

crAreaDamper crFindAreaDamper(const crContactLaw* law, const crContactMemory* memory, const crAreaSide* a,
                              const crAreaSide* b, const crAreaPatch* patch)
{
  if (law->cor >= 1.0 || law->response == cr_responseSpringDamper) {
    return (crAreaDamper){ NAN, 0.0, 1.0 };
  }
  double mobility = invertMass(a, patch->point, patch->n) + invertMass(b, patch->point, patch->n);
  return (crAreaDamper){ memory->damping, 2.0 * patch->elastic * mobility, 1.0 };
}

// d of N (1 + d delta') at all points: u over the speed at which the contact would have begun there. Slow ones are
// damped more, so that they come to rest.
static crWide findDamping(const crContactLaw* law, const crAreaDamper* damper, crWide rate)
{
  if (isnan(damper->u)) {
    return (crWide){ 0.0 };
  }
  crWide speed = crRoots(rate * rate + damper->squareSpeed) + CR_LEAST_SPEED;
  crWide slow = CR_REST_FADE / law->vMin * speed, root = 1.0 / (1.0 + slow * slow), inverse = 1.0 / speed;
  double more = crMax2(damper->u, CR_REST_DAMPING) - damper->u;
  return (damper->u + more * root * root) * inverse;
}

// How far out along an arm damping acts. Over a patch that is narrow against the bodies it would be a resistance to
// rolling, pressing before the axis and letting go behind it; that is for muR to say. Over a face it keeps a box from
// rocking for ever.
static double findGrip(const crAreaSide* a, const crAreaSide* b, crVec3 arm)
{
  double least = CR_ROLLING_SHARE * 0.5 * crMin2(a->shape->smallestDimension, b->shape->smallestDimension);
  double square = crLengthSquared(arm), share = square / (square + least * least);
  return share * share;
}

// crRegularize at all points.
static crWide regularize(crWide speed, double vMin)
{
  crWide slow = crLesser(speed, (crWide){ 0.0 } + vMin);
  double inverse = 1.0 / vMin;
  return crGreater(speed, slow * slow * inverse * (1.0 - slow * (inverse / 3.0)) + vMin / 3.0);
}

// All five points side by side.
crAreaLoss crFindAreaLoss(const crContactLaw* law, const crContactMemory* memory, const crAreaDamper* damper,
                          const crAreaSide* a, const crAreaSide* b, const crAreaPatch* patch)
{
  const crWide s = { 0.0, 1.0, 0.0, -1.0, 0.0 }, t = { 0.0, 0.0, 1.0, 0.0, -1.0 };
  const crWide share = { 1.0 / 9.0, 2.0 / 9.0, 2.0 / 9.0, 2.0 / 9.0, 2.0 / 9.0 }; // the others count nothing
  crVec3 n = patch->n, p = patch->reach[0], q = patch->reach[1], turn = crSub(b->w, a->w);
  crVec3 slide = crSub(b->surface, a->surface); // along the patch, whatever it is called
  crVec3 v = crAdd(crFindRelativeVelocity(a, b, patch->point), crMulAdd(slide, -crDot(slide, n), n));
  crVec3 vp = crCross(turn, p), vq = crCross(turn, q);
  double middle = -crDot(v, n), gripP = findGrip(a, b, p), gripQ = findGrip(a, b, q);
  crAreaLoss loss = { .slip = crMulAdd(v, middle, n) };
  crWide byTurnP = crDot(vp, n) * s, byTurnQ = crDot(vq, n) * t, load = share * patch->load;
  crWide rate = middle - byTurnP - byTurnQ, damped = middle - gripP * byTurnP - gripQ * byTurnQ;
  crWide slipX = v.x + vp.x * s + vq.x * t + rate * n.x, slipY = v.y + vp.y * s + vq.y * t + rate * n.y,
         slipZ = v.z + vp.z * s + vq.z * t + rate * n.z;
  crWide damping = law->response == cr_responseSpringDamper ? share * (damper->share * law->damping)
                                                            : load * findDamping(law, damper, damped);
  crWide zero = { 0.0 }, pressed = crGreater(zero, load + damping * damped), more = pressed - load, rub = zero;
  crWide square = slipX * slipX + slipY * slipY + slipZ * slipZ;
  bool rubs = !law->sticks; // else bristles do
  if (law->muK > 0.0 && rubs) {
    rub = law->muK * pressed / regularize(crRoots(square), law->vMin);
  }
  crWide fx = rub * slipX, fy = rub * slipY, fz = rub * slipZ;
  crWide sums = crTotals((crWide[]){ fx, fy, fz, pressed, more * damped + rub * square, more, zero, zero });
  crWide moments = crTotals((crWide[]){ s * fx, s * fy, s * fz, t * fx, t * fy, t * fz, s * more, t * more });
  crVec3 byP = crMulAdd(crMakeVec3(-moments[0], -moments[1], -moments[2]), gripP * moments[6], n);
  crVec3 byQ = crMulAdd(crMakeVec3(-moments[3], -moments[4], -moments[5]), gripQ * moments[7], n);
  loss.force = crMulAdd(crMakeVec3(-sums[0], -sums[1], -sums[2]), sums[5], n);
  loss.torque = crAdd(crCross(p, byP), crCross(q, byQ));
  loss.normal = sums[3];
  loss.power = sums[4];
  if (law->muR > 0.0 && rubs) {
    double speed = crLength(turn), roll = law->muR * memory->lever * loss.normal / crRegularize(speed, law->wMin);
    loss.torque = crMulAdd(loss.torque, -roll, turn);
    loss.power += roll * speed * speed;
  }
  return loss;
}
