// Mass properties against closed forms in another arrangement, and against quadrature over the surface.
#include "carom/geometry.h"
#include "geometry/shape_kind.h"

#include "support/shapes.h"
#include "support/test.h"

#include <string.h>

__extension__ typedef __float128 Quad;

// Volume, first and second moments about the frame's origin.
typedef struct Moments {
  double volume;
  crVec3 first;
  crSym3 second; // integrals of x x, x y, ...
} Moments;

static crInertia toInertia(Moments m)
{
  double V = m.volume;
  crVec3 c = crScale(1.0 / V, m.first);
  double xx = m.second.xx - V * c.x * c.x, yy = m.second.yy - V * c.y * c.y, zz = m.second.zz - V * c.z * c.z;
  crSym3 I = {
    yy + zz, xx + zz, xx + yy, V * c.x * c.y - m.second.xy, V * c.x * c.z - m.second.xz, V * c.y * c.z - m.second.yz
  };
  return (crInertia){ V, c, I };
}

static void addMoments(Moments* sum, double factor, Moments m)
{
  sum->volume += factor * m.volume;
  sum->first = crMulAdd(sum->first, factor, m.first);
  sum->second = crAddSym3(sum->second, crScaleSym3(factor, m.second));
}

// tol relative to mass, to the shape's extent, and to the trace of the inertia.
static void assertSameInertia(crInertia a, crInertia b, double extent, double tol)
{
  double trace = b.I_com.xx + b.I_com.yy + b.I_com.zz;
  assert_close(a.mass / b.mass, 1.0, tol);
  assert_vec_close(a.com, b.com, tol * extent);
  const double* p = &a.I_com.xx;
  const double* q = &b.I_com.xx;
  for (int i = 0; i < 6; ++i) {
    assert_close(p[i] / trace, q[i] / trace, tol);
  }
}

// ------------------------------------------------------------------- quadrature over the surface
//
// Patches x(u, v), u and v in [0, 1], each smooth also a little beyond. By the divergence theorem
//   V = 1/3 int x.n dA,  int x_i dV = 1/2 int x_i^2 n_i dA,  int x_i x_j dV = 1/2 or 1/3 int x_i^2 x_j n_i dA
// with n dA from the tangents by differences of sixth order. All bodies are convex around their frame's
// neighbourhood, which decides the sign of n.

typedef crVec3 Patch(const crShapeDef* def, int index, double u, double v);

#define NODE_COUNT 24
static double nodes[NODE_COUNT], weights[NODE_COUNT];

// Gauss-Legendre on [0, 1] by Newton on the Legendre recurrence.
static int makeNodes(void** state)
{
  (void)state;
  for (int i = 0; i < NODE_COUNT; ++i) {
    double x = cos(CR_PI * (i + 0.75) / (NODE_COUNT + 0.5)), slope = 1.0;
    for (int step = 0; step < 100; ++step) {
      double before = 1.0, p = x;
      for (int k = 2; k <= NODE_COUNT; ++k) {
        double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = NODE_COUNT * (x * p - before) / (x * x - 1.0);
      x -= p / slope;
    }
    nodes[i] = 0.5 * (1.0 + x);
    weights[i] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
  return 0;
}

static crVec3 tangent(Patch* patch, const crShapeDef* def, int index, double u, double v, double du, double dv)
{
  const double h = 0.004, factors[3] = { 45.0, -9.0, 1.0 };
  crVec3 sum = { 0 };
  for (int k = 1; k <= 3; ++k) {
    crVec3 ahead = patch(def, index, u + k * h * du, v + k * h * dv);
    crVec3 behind = patch(def, index, u - k * h * du, v - k * h * dv);
    sum = crMulAdd(sum, factors[k - 1] / (60.0 * h), crSub(ahead, behind));
  }
  return sum;
}

static void addSurfaceElement(Moments* m, crVec3 p, crVec3 n)
{
  m->volume += crDot(p, n) / 3.0;
  m->first = crAdd(m->first, crMakeVec3(p.x * p.x * n.x / 2, p.y * p.y * n.y / 2, p.z * p.z * n.z / 2));
  m->second.xx += p.x * p.x * p.x * n.x / 3;
  m->second.yy += p.y * p.y * p.y * n.y / 3;
  m->second.zz += p.z * p.z * p.z * n.z / 3;
  m->second.xy += p.x * p.x * p.y * n.x / 2;
  m->second.xz += p.x * p.x * p.z * n.x / 2;
  m->second.yz += p.y * p.y * p.z * n.y / 2;
}

static Moments integrate(const crShapeDef* def, Patch* patch, int patchCount, crVec3 inside)
{
  Moments m = { 0 };
  for (int index = 0; index < patchCount; ++index) {
    for (int i = 0; i < NODE_COUNT; ++i) {
      for (int j = 0; j < NODE_COUNT; ++j) {
        double u = nodes[i], v = nodes[j];
        crVec3 p = patch(def, index, u, v);
        crVec3 n = crCross(tangent(patch, def, index, u, v, 1, 0), tangent(patch, def, index, u, v, 0, 1));
        double sign = crDot(n, crSub(p, inside)) >= 0.0 ? 1.0 : -1.0;
        addSurfaceElement(&m, p, crScale(sign * weights[i] * weights[j], n));
      }
    }
  }
  return m;
}

// An eighth of the unit sphere.
static crVec3 octant(int index, double u, double v)
{
  double polar = 0.5 * CR_PI * u, around = 0.5 * CR_PI * v;
  return crMakeVec3((index & 1 ? -1 : 1) * sin(polar) * cos(around), (index & 2 ? -1 : 1) * sin(polar) * sin(around),
                    (index & 4 ? -1 : 1) * cos(polar));
}

static crVec3 ellipsoidPatch(const crShapeDef* def, int index, double u, double v)
{
  crVec3 a = def->kind == cr_shapeSphere ? crMakeVec3(1, 1, 1) : def->as.ellipsoid.radii, p = octant(index, u, v);
  double s = def->kind == cr_shapeSphere ? def->as.sphere.radius : 1.0;
  return crMakeVec3(s * a.x * p.x, s * a.y * p.y, s * a.z * p.z);
}

static crVec3 boxPatch(const crShapeDef* def, int index, double u, double v)
{
  double c[3];
  c[index % 3] = index < 3 ? 0.5 : -0.5;
  c[(index + 1) % 3] = u - 0.5;
  c[(index + 2) % 3] = v - 0.5;
  crVec3 size = def->as.box.size;
  return crMakeVec3(size.x * c[0], size.y * c[1], size.z * c[2]);
}

// Quarters: 0-3 lateral, 4-7 base, 8-11 top.
static crVec3 frustumPatch(double radius, double topRadius, double z0, double z1, int index, double u, double v)
{
  double around = 0.5 * CR_PI * (index % 4 + v);
  double rho = index < 4 ? radius + u * (topRadius - radius) : u * (index < 8 ? radius : topRadius);
  double z = index < 4 ? z0 + u * (z1 - z0) : index < 8 ? z0 : z1;
  return crMakeVec3(rho * cos(around), rho * sin(around), z);
}

static crVec3 cylinderPatch(const crShapeDef* def, int index, double u, double v)
{
  double half = 0.5 * def->as.cylinder.length;
  return frustumPatch(def->as.cylinder.radius, def->as.cylinder.radius, -half, half, index, u, v);
}

static crVec3 conePatch(const crShapeDef* def, int index, double u, double v)
{
  return frustumPatch(def->as.cone.radius, def->as.cone.topRadius, 0.0, def->as.cone.length, index, u, v);
}

static crVec3 capsulePatch(const crShapeDef* def, int index, double u, double v)
{
  double half = 0.5 * def->as.capsule.length, r = def->as.capsule.radius;
  if (index < 4) {
    return frustumPatch(r, r, -half, half, index, u, v);
  }
  crVec3 p = crScale(r, octant(index - 4, u, v));
  p.z += (index - 4) & 4 ? -half : half;
  return p;
}

// 0-3 quarter cylinders, 4-5 flat sides, 6-7 flat middles of top and bottom, 8-15 quarter discs.
static crVec3 beamPatch(const crShapeDef* def, int index, double u, double v)
{
  double half = 0.5 * def->as.beam.length, r = 0.5 * def->as.beam.width, h = def->as.beam.height;
  if (index >= 4 && index < 6) {
    return crMakeVec3((2 * u - 1) * half, index == 4 ? r : -r, (v - 0.5) * h);
  }
  if (index >= 6 && index < 8) {
    return crMakeVec3((2 * u - 1) * half, (2 * v - 1) * r, index == 6 ? 0.5 * h : -0.5 * h);
  }
  int quarter = index % 4;
  double around = 0.5 * CR_PI * (quarter + v), rho = index < 4 ? r : u * r;
  double z = index < 4 ? (u - 0.5) * h : index < 12 ? -0.5 * h : 0.5 * h;
  return crMakeVec3((quarter == 0 || quarter == 3 ? half : -half) + rho * cos(around), rho * sin(around), z);
}

static Moments integrateShape(const crShapeDef* def)
{
  crVec3 origin = { 0 };
  Moments m = { 0 };
  switch (def->kind) {
    case cr_shapeSphere:
    case cr_shapeEllipsoid: return integrate(def, ellipsoidPatch, 8, origin);
    case cr_shapeBox: return integrate(def, boxPatch, 6, origin);
    case cr_shapeCylinder: {
      m = integrate(def, cylinderPatch, 12, origin);
      crShapeDef bore = *def;
      bore.as.cylinder.radius = def->as.cylinder.boreRadius;
      addMoments(&m, -1.0, integrate(&bore, cylinderPatch, 12, origin));
      return m;
    }
    case cr_shapeCone: return integrate(def, conePatch, 12, crMakeVec3(0, 0, 0.5 * def->as.cone.length));
    case cr_shapeCapsule: return integrate(def, capsulePatch, 12, origin);
    case cr_shapeBeam: return integrate(def, beamPatch, 16, origin);
    default: fail(); return m;
  }
}

static double extentOf(const crShape* shape)
{
  crAabb box = crShape_ComputeAabb(shape, crIdentityPose());
  return crMaxAbs(crMaxVec3(crNeg(box.min), box.max));
}

static void mass_properties_agree_with_quadrature_over_the_surface(void** state)
{
  (void)state;
  const double scales[] = { 1.0, 1e-6, 1e3 };
  for (int s = 0; s < 3; ++s) {
    for (int i = 0; crTestShape(i, 1.0).kind != cr_shapeNone; ++i) {
      crShapeDef def = crTestShape(i, scales[s]);
      crShape* shape = crCreateTestShape(&def);
      crInertia inertia = crShape_ComputeInertia(shape, 1.0);
      assertSameInertia(inertia, toInertia(integrateShape(&def)), extentOf(shape), 1e-10);
      assert_close(crShape_ComputeVolume(shape), inertia.mass, 0.0);
      crDestroyShape(shape);
    }
  }
}

// ------------------------------------------------------------------------------------ closed forms
//
// In other arrangements than those of the library, with 34 digits where they cancel.

#define QUAD_PI ((Quad)3.14159265358979323846 + (Quad)1.2246467991473531772e-16)

typedef struct QuadMoments {
  Quad volume, z;  // volume, first moment along z
  Quad xx, yy, zz; // second moments about the origin
} QuadMoments;

static crInertia fromQuad(QuadMoments m)
{
  Quad com = m.z / m.volume, zz = m.zz - m.z * com;
  crSym3 I = crDiagonalSym3((double)(m.yy + zz), (double)(m.xx + zz), (double)(m.xx + m.yy));
  return (crInertia){ (double)m.volume, { 0.0, 0.0, (double)com }, I };
}

// Slices across z by Boole's rule, which is exact for their polynomials of degree 4 in z.
static QuadMoments frustumMoments(Quad R, Quad T, Quad L)
{
  const int booleWeights[5] = { 7, 32, 12, 32, 7 };
  QuadMoments m = { 0, 0, 0, 0, 0 };
  for (int i = 0; i < 5; ++i) {
    Quad z = L * i / 4, rho = R + (T - R) * i / 4, area = QUAD_PI * rho * rho * L * booleWeights[i] / 90;
    m.volume += area;
    m.z += area * z;
    m.xx += area * rho * rho / 4;
    m.zz += area * z * z;
  }
  m.yy = m.xx;
  return m;
}

static QuadMoments cylinderMoments(const crShapeDef* def)
{
  Quad R = def->as.cylinder.radius, b = def->as.cylinder.boreRadius, L = def->as.cylinder.length;
  Quad V = QUAD_PI * L * (R * R - b * b), xx = QUAD_PI * L * (R * R * R * R - b * b * b * b) / 4;
  return (QuadMoments){ V, 0, xx, xx, V * L * L / 12 };
}

// integral over z of the slice: radius r between the ends, sqrt(r^2 - t^2) beyond.
static QuadMoments capsuleMoments(const crShapeDef* def)
{
  Quad r = def->as.capsule.radius, a = (Quad)def->as.capsule.length / 2, rr = r * r;
  Quad V = QUAD_PI * (rr * 2 * a + rr * r * 4 / 3);
  Quad xx = QUAD_PI / 4 * (rr * rr * 2 * a + rr * rr * r * 16 / 15);
  Quad zz = QUAD_PI * (rr * a * a * a * 2 / 3 + 2 * (a * a * rr * r * 2 / 3 + a * rr * rr / 2 + rr * rr * r * 2 / 15));
  return (QuadMoments){ V, 0, xx, xx, zz };
}

// integral over y of chords of half length a + sqrt(r^2 - y^2).
static QuadMoments beamMoments(const crShapeDef* def)
{
  Quad a = (Quad)def->as.beam.length / 2, r = (Quad)def->as.beam.width / 2, h = def->as.beam.height, rr = r * r;
  Quad area = 4 * a * r + QUAD_PI * rr;
  // int (a + c)^3 dy with c = sqrt(r^2 - y^2): int c = pi r^2 / 2, int c^2 = 4 r^3 / 3, int c^3 = 3 pi r^4 / 8
  Quad cube = a * a * a * 2 * r + 3 * a * a * QUAD_PI * rr / 2 + 3 * a * 4 * rr * r / 3 + 3 * QUAD_PI * rr * rr / 8;
  Quad xx = cube * 2 / 3, yy = 2 * (a * 2 * rr * r / 3 + QUAD_PI * rr * rr / 8);
  return (QuadMoments){ area * h, 0, xx * h, yy * h, area * h * h * h / 12 };
}

static QuadMoments closedForm(const crShapeDef* def)
{
  Quad a, b, c, V;
  switch (def->kind) {
    case cr_shapeSphere:
      a = def->as.sphere.radius;
      V = QUAD_PI * a * a * a * 4 / 3;
      return (QuadMoments){ V, 0, V * a * a / 5, V * a * a / 5, V * a * a / 5 };
    case cr_shapeEllipsoid:
      a = def->as.ellipsoid.radii.x, b = def->as.ellipsoid.radii.y, c = def->as.ellipsoid.radii.z;
      V = QUAD_PI * a * b * c * 4 / 3;
      return (QuadMoments){ V, 0, V * a * a / 5, V * b * b / 5, V * c * c / 5 };
    case cr_shapeBox:
      a = def->as.box.size.x, b = def->as.box.size.y, c = def->as.box.size.z;
      V = a * b * c;
      return (QuadMoments){ V, 0, V * a * a / 12, V * b * b / 12, V * c * c / 12 };
    case cr_shapeCylinder: return cylinderMoments(def);
    case cr_shapeCone: return frustumMoments(def->as.cone.radius, def->as.cone.topRadius, def->as.cone.length);
    case cr_shapeCapsule: return capsuleMoments(def);
    default: return beamMoments(def);
  }
}

static void assertClosedForm(const crShapeDef* def)
{
  crShape* shape = crCreateTestShape(def);
  crInertia expected = fromQuad(closedForm(def)), inertia = crShape_ComputeInertia(shape, 7800.0);
  inertia.mass /= 7800.0;
  inertia.I_com = crScaleSym3(1.0 / 7800.0, inertia.I_com);
  assert_close(inertia.mass / expected.mass, 1.0, 1e-12);
  assert_vec_close(inertia.com, expected.com, 1e-12 * extentOf(shape));
  assert_close(inertia.I_com.xx / expected.I_com.xx, 1.0, 1e-12);
  assert_close(inertia.I_com.yy / expected.I_com.yy, 1.0, 1e-12);
  assert_close(inertia.I_com.zz / expected.I_com.zz, 1.0, 1e-12);
  assert_true(inertia.I_com.xy == 0.0 && inertia.I_com.xz == 0.0 && inertia.I_com.yz == 0.0);
  crDestroyShape(shape);
}

static void mass_properties_agree_with_closed_forms(void** state)
{
  (void)state;
  const double scales[] = { 1.0, 1e-6, 1e3 };
  for (int s = 0; s < 3; ++s) {
    for (int i = 0; crTestShape(i, 1.0).kind != cr_shapeNone; ++i) {
      crShapeDef def = crTestShape(i, scales[s]);
      assertClosedForm(&def);
    }
  }
}

static void frustum_keeps_its_digits_for_any_ratio_of_radii(void** state)
{
  (void)state;
  for (int k = 0; k <= 15; ++k) {
    double difference = pow(10.0, -k);
    crShapeDef defs[] = { crMakeCone(0.5, 0.5 * (1.0 + difference), 0.7),
                          crMakeCone(0.5 * (1.0 + difference), 0.5, 0.7), crMakeCone(0.5, difference, 0.7),
                          crMakeCone(difference, 0.5, 0.7) };
    for (int i = 0; i < 4; ++i) {
      assertClosedForm(&defs[i]);
    }
  }
}

// ---------------------------------------------------------------------------------- turned shapes

// Rodrigues' formula for the shortest rotation from one unit vector to another.
static crVec3 turn(crVec3 from, crVec3 to, crVec3 v)
{
  crVec3 k = crNormalize(crCross(from, to));
  double c = crDot(from, to), s = crLength(crCross(from, to));
  return crAdd(crScale(c, v), crAdd(crScale(s, crCross(k, v)), crScale((1.0 - c) * crDot(k, v), k)));
}

static void mass_properties_turn_with_the_axis(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(11);
  for (int i = 0; crTestShape(i, 1.0).kind != cr_shapeNone; ++i) {
    crShapeDef def = crTestShape(i, 1.0);
    crCompleteShapeDef(&def);
    crVec3 own = def.axis, axis = crRandom_UnitVec3(&random);
    crShape* straight = crCreateTestShape(&def);
    def.axis = crScale(3.0, axis);
    crShape* turned = crCreateTestShape(&def);
    crInertia a = crShape_ComputeInertia(straight, 2.0), b = crShape_ComputeInertia(turned, 2.0);
    assert_close(a.mass, b.mass, 0.0);
    assert_vec_close(turn(own, axis, a.com), b.com, 1e-15);
    // the tensor maps a turned vector to the turned result
    for (int k = 0; k < 3; ++k) {
      crVec3 v = crRandom_UnitVec3(&random);
      crVec3 expected = turn(own, axis, crMulSV(a.I_com, v));
      assert_vec_close(crMulSV(b.I_com, turn(own, axis, v)), expected, 1e-14 * (a.I_com.xx + a.I_com.yy + a.I_com.zz));
    }
    crDestroyShape(straight);
    crDestroyShape(turned);
  }
}

static void rounding_and_inflating_do_not_change_mass(void** state)
{
  (void)state;
  crVec3 points[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 } };
  crShapeDef defs[] = { crMakeBox(1, 2, 3), crMakeCone(1, 0.2, 3), crMakeHull(points, 5) };
  for (int i = 0; i < 3; ++i) {
    defs[i].rounding = CR_ZERO;
    crShape* sharp = crCreateTestShape(&defs[i]);
    defs[i].rounding = 0.02;
    defs[i].inflate = 0.5;
    crShape* round = crCreateTestShape(&defs[i]);
    crInertia a = crShape_ComputeInertia(sharp, 3.0), b = crShape_ComputeInertia(round, 3.0);
    assertSameInertia(a, b, 1.0, 0.0);
    crDestroyShape(sharp);
    crDestroyShape(round);
  }
}

static void half_space_has_no_volume(void** state)
{
  (void)state;
  crShapeDef def = crDefaultShapeDef(cr_shapeHalfSpace);
  crShape* shape = crCreateTestShape(&def);
  assert_true(crShape_ComputeVolume(shape) == 0.0);
  assert_true(crShape_ComputeInertia(shape, 1000.0).mass == 0.0);
  crDestroyShape(shape);
}

// ---------------------------------------------------------------------------------- hull and mesh

#define POINT_COUNT 14

static crVec3 trianglePatch(const crShapeDef* def, int index, double u, double v)
{
  const crVec3* corners = def->as.hull.points + 3 * index;
  crVec3 side = crSub(corners[1], corners[0]), across = crSub(corners[2], corners[1]);
  return crAdd(corners[0], crAdd(crScale(u, side), crScale(u * v, across)));
}

// All triples whose plane has every point on one side: the faces of points in general position.
static int findFaces(const crVec3* points, crVec3* outCorners)
{
  int count = 0;
  for (int i = 0; i < POINT_COUNT; ++i) {
    for (int j = i + 1; j < POINT_COUNT; ++j) {
      for (int k = j + 1; k < POINT_COUNT; ++k) {
        crVec3 n = crCross(crSub(points[j], points[i]), crSub(points[k], points[i]));
        int above = 0, below = 0;
        for (int l = 0; l < POINT_COUNT; ++l) {
          double side = l == i || l == j || l == k ? 0.0 : crDot(n, crSub(points[l], points[i]));
          above += side > 0.0;
          below += side < 0.0;
        }
        if (above == 0 || below == 0) {
          crVec3 corners[3] = { points[i], points[j], points[k] };
          memcpy(outCorners + 3 * count++, corners, sizeof corners);
        }
      }
    }
  }
  return count;
}

static void hull_mass_agrees_with_quadrature_over_its_faces(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(12);
  for (int run = 0; run < 10; ++run) {
    crVec3 points[POINT_COUNT], corners[3 * 364], middle = { 0 };
    double scale = run % 3 == 0 ? 1.0 : run % 3 == 1 ? 1e-6 : 1e3;
    for (int i = 0; i < POINT_COUNT; ++i) {
      points[i] = crScale(scale, crAdd(crMakeVec3(0.5, -0.2, 0.1), crRandom_UnitVec3(&random)));
      middle = crMulAdd(middle, 1.0 / POINT_COUNT, points[i]);
    }
    crShapeDef faces = crMakeHull(corners, 0), def = crMakeHull(points, POINT_COUNT);
    int faceCount = findFaces(points, corners);
    assert_int_equal(faceCount, 2 * POINT_COUNT - 4);
    crShape* shape = crCreateTestShape(&def);
    Moments m = integrate(&faces, trianglePatch, faceCount, middle);
    assertSameInertia(crShape_ComputeInertia(shape, 1.0), toInertia(m), scale, 1e-11);
    crDestroyShape(shape);
  }
}

static void mesh_of_boxes_weighs_like_its_boxes(void** state)
{
  (void)state;
  crTestBox boxes[] = { { { 0, 0, 0 }, { 1, 2, 3 } }, { { 2, -1, 0 }, { 2.5, 1, 0.25 } } };
  crInertia expected = { 0 };
  for (int i = 0; i < 2; ++i) {
    crVec3 size = crSub(boxes[i].max, boxes[i].min);
    crShapeDef box = crMakeBox(size.x, size.y, size.z);
    crShape* shape = crCreateTestShape(&box);
    crPose X = { crIdentityMat3(), crScale(0.5, crAdd(boxes[i].min, boxes[i].max)) };
    expected = crAddInertia(expected, crTransformInertia(X, crShape_ComputeInertia(shape, 5.0)));
    crDestroyShape(shape);
  }
  crMesh* mesh = crCreateBoxMesh(boxes, 2);
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = mesh;
  crShape* shape = crCreateTestShape(&def);
  assertSameInertia(crShape_ComputeInertia(shape, 5.0), expected, 3.0, 1e-14);
  assert_close(crShape_GetHullRatio(shape), 1.0, 1e-14);
  crDestroyShape(shape);
  crReleaseMesh(mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mass_properties_agree_with_quadrature_over_the_surface),
    cmocka_unit_test(mass_properties_agree_with_closed_forms),
    cmocka_unit_test(frustum_keeps_its_digits_for_any_ratio_of_radii),
    cmocka_unit_test(mass_properties_turn_with_the_axis),
    cmocka_unit_test(rounding_and_inflating_do_not_change_mass),
    cmocka_unit_test(half_space_has_no_volume),
    cmocka_unit_test(hull_mass_agrees_with_quadrature_over_its_faces),
    cmocka_unit_test(mesh_of_boxes_weighs_like_its_boxes),
  };
  return cmocka_run_group_tests(tests, makeNodes, NULL);
}
