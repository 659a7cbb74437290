// Volume, centre of mass and inertia of the unrounded shapes, closed forms for density 1 in S.
//
// Every form is a sum of positive terms (a bore's is a product), so no digits are lost for any ratio of
// the sizes.
#include "geometry/shape_kind.h"

static crInertia centred(double volume, double Ixx, double Iyy, double Izz)
{
  crInertia inertia = { volume, { 0.0, 0.0, 0.0 }, crDiagonalSym3(Ixx, Iyy, Izz) };
  return inertia;
}

// From the second moments of volume xx = integral of x^2 dV, ...
static crInertia fromSecondMoments(double volume, double xx, double yy, double zz)
{
  return centred(volume, yy + zz, xx + zz, xx + yy);
}

crInertia crShapeDef_WeighSphere(const crShapeDef* def)
{
  double r = def->as.sphere.radius;
  double volume = 4.0 / 3.0 * CR_PI * r * r * r, I = 0.4 * volume * r * r;
  return centred(volume, I, I, I);
}

crInertia crShapeDef_WeighEllipsoid(const crShapeDef* def)
{
  crVec3 a = def->as.ellipsoid.radii;
  double volume = 4.0 / 3.0 * CR_PI * a.x * a.y * a.z;
  return fromSecondMoments(volume, volume * a.x * a.x / 5.0, volume * a.y * a.y / 5.0, volume * a.z * a.z / 5.0);
}

crInertia crShapeDef_WeighBox(const crShapeDef* def)
{
  crVec3 size = def->as.box.size;
  double volume = size.x * size.y * size.z;
  return fromSecondMoments(volume, volume * size.x * size.x / 12.0, volume * size.y * size.y / 12.0,
                           volume * size.z * size.z / 12.0);
}

crInertia crShapeDef_WeighCylinder(const crShapeDef* def)
{
  double R = def->as.cylinder.radius, b = def->as.cylinder.boreRadius, L = def->as.cylinder.length;
  double volume = CR_PI * (R - b) * (R + b) * L;
  double across = volume * (R * R + b * b) / 4.0;
  return fromSecondMoments(volume, across, across, volume * L * L / 12.0);
}

// Radii R at the base and T at the top, Q = R^2 + R T + T^2:
//   V = pi L Q / 3,   z_com = L (R^2 + 2 R T + 3 T^2) / (4 Q)
//   integral of x^2 dV = pi L (R^4 + R^3 T + R^2 T^2 + R T^3 + T^4) / 20
//   integral of (z - z_com)^2 dV = pi L^3 (R^4 + 4 R^3 T + 10 R^2 T^2 + 4 R T^3 + T^4) / (80 Q)
// Radii are taken relative to the larger one, so that fourth powers stay in range.
crInertia crShapeDef_WeighCone(const crShapeDef* def)
{
  double larger = fmax(def->as.cone.radius, def->as.cone.topRadius), L = def->as.cone.length;
  double R = def->as.cone.radius / larger, T = def->as.cone.topRadius / larger;
  double RR = R * R, RT = R * T, TT = T * T, Q = RR + RT + TT;
  double discVolume = CR_PI * larger * larger * L;
  double across = discVolume * larger * larger * (RR * RR + RR * RT + RT * RT + RT * TT + TT * TT) / 20.0;
  double along = discVolume * L * L * (RR * RR + 4.0 * RR * RT + 10.0 * RT * RT + 4.0 * RT * TT + TT * TT) / (80.0 * Q);
  crInertia inertia = fromSecondMoments(discVolume * Q / 3.0, across, across, along);
  inertia.com.z = L * (RR + 2.0 * RT + 3.0 * TT) / (4.0 * Q);
  return inertia;
}

// A cylinder and two half balls, whose centres of mass lie 3 r / 8 beyond the cylinder's ends.
crInertia crShapeDef_WeighCapsule(const crShapeDef* def)
{
  double r = def->as.capsule.radius, L = def->as.capsule.length;
  double cylinder = CR_PI * r * r * L, ball = 4.0 / 3.0 * CR_PI * r * r * r;
  double across = cylinder * r * r / 4.0 + ball * r * r / 5.0;
  double along = cylinder * L * L / 12.0 + ball * (r * r / 5.0 + L * L / 4.0 + 3.0 / 8.0 * L * r);
  return fromSecondMoments(cylinder + ball, across, across, along);
}

// A box and two half discs of height h, whose centres of mass lie 4 r / (3 pi) beyond the box.
crInertia crShapeDef_WeighBeam(const crShapeDef* def)
{
  double L = def->as.beam.length, w = def->as.beam.width, h = def->as.beam.height;
  double r = 0.5 * w, box = L * w * h, disc = CR_PI * r * r * h;
  double xx = box * L * L / 12.0 + disc * (r * r / 4.0 + L * L / 4.0 + 4.0 / (3.0 * CR_PI) * L * r);
  double yy = box * w * w / 12.0 + disc * r * r / 4.0;
  double zz = (box + disc) * h * h / 12.0;
  return fromSecondMoments(box + disc, xx, yy, zz);
}

crInertia crShapeDef_WeighNothing(const crShapeDef* def)
{
  (void)def;
  return centred(0.0, 0.0, 0.0, 0.0);
}

double crShape_ComputeVolume(const crShape* shape)
{
  return shape != NULL ? shape->unitInertia.mass : NAN;
}

crInertia crShape_ComputeInertia(const crShape* shape, double density)
{
  if (shape == NULL) {
    return (crInertia){ 0 };
  }
  crInertia inertia = shape->unitInertia;
  inertia.mass *= density;
  inertia.I_com = crScaleSym3(density, inertia.I_com);
  return inertia;
}
