// From sums over triangles to mass, centre and inertia.
#include "geometry/moments.h"

void crMoments_Add(crMoments* moments, const crMoments* other)
{
  moments->sum += other->sum;
  moments->first = crAdd(moments->first, other->first);
  moments->second = crAddSym3(moments->second, other->second);
}

crInertia crMoments_ComputeInertia(const crMoments* moments, crVec3 origin)
{
  crInertia inertia = { 0.0, origin, { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 } };
  double volume = fabs(moments->sum) / 6.0;
  double sign = moments->sum < 0.0 ? -1.0 : 1.0;
  crVec3 com = crScale(1.0 / (4.0 * moments->sum), moments->first);
  if (!(volume > 0.0) || !crIsFiniteVec3(com)) {
    return inertia;
  }
  // second moments about the centre, then I = trace 1 - C
  crSym3 C = crAddSym3(crScaleSym3(sign / 120.0, moments->second), crScaleSym3(-volume, crOuterSquare(com)));
  crSym3 I = { C.yy + C.zz, C.xx + C.zz, C.xx + C.yy, -C.xy, -C.xz, -C.yz };
  inertia.mass = volume;
  inertia.com = crAdd(origin, com);
  inertia.I_com = I;
  return inertia;
}
