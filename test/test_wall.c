// Ellipsoids in hollow spheres, cylinders and cones: distances against brute force in extended precision, swings in
// closed form, and two touches, which may become one, or a ring.
#include "collide/distance/wall.h"
#include "support/test.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CASES 2000
#define PLACES 360     // around the axis
#define ROWS 40        // of places on an ellipsoid
#define NARROWINGS 120 // of a range around an extreme, each to two thirds
#define SHRINKS 64     // of the steps of a climb

typedef long double Real;

typedef struct Real3 {
  Real x, y, z;
} Real3;

static Real3 take(crVec3 v)
{
  return (Real3){ v.x, v.y, v.z };
}

static Real dot(Real3 a, Real3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Real3 addScaled(Real3 a, Real s, Real3 b)
{
  return (Real3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

// A room about z, and an ellipsoid at its place in it.
typedef struct Case {
  crShapeDef room, def;
  crPose X;
  Real3 c, axes[3];
  Real a[3]; // they fall
} Case;

static double radius(const crShapeDef* room, bool isTop)
{
  return room->kind == cr_shapeCylinder ? room->as.cylinder.radius
         : isTop                        ? room->as.cone.topRadius
                                        : room->as.cone.radius;
}

static double length(const crShapeDef* room)
{
  return room->kind == cr_shapeCylinder ? room->as.cylinder.length : room->as.cone.length;
}

static void makeCase(crRandom* random, Case* out)
{
  static const crShapeKind kinds[] = { cr_shapeSphere, cr_shapeCylinder, cr_shapeCone };
  out->room = crDefaultShapeDef(kinds[crRandom_Next(random) % 3]);
  out->room.isHollow = true;
  double R = crRandom_LogUniform(random, 0.01, 10.0);
  if (out->room.kind == cr_shapeSphere) {
    out->room.as.sphere.radius = R;
  } else if (out->room.kind == cr_shapeCylinder) {
    out->room.as.cylinder.radius = R;
    out->room.as.cylinder.length = R * crRandom_Uniform(random, 0.5, 5.0);
  } else {
    bool isPointed = crRandom_Next(random) % 4 == 0;
    out->room.as.cone.radius = R;
    out->room.as.cone.topRadius = isPointed ? 0.0 : R * crRandom_Uniform(random, 0.1, 2.0);
    out->room.as.cone.length = R * crRandom_Uniform(random, 0.3, 4.0);
  }
  double big = R * crRandom_LogUniform(random, 0.02, 0.95);
  double middle = big * crRandom_LogUniform(random, 0.05, 1.0), small = big * crRandom_LogUniform(random, 0.05, 1.0);
  uint64_t kind = crRandom_Next(random) % 6; // of a third it is a spheroid, oblate or not
  middle = kind == 0 ? big : kind == 1 ? small : middle;
  out->def = crDefaultShapeDef(cr_shapeEllipsoid);
  out->def.as.ellipsoid.radii = crMakeVec3(small, big, middle);
  double z = out->room.kind == cr_shapeCone ? 0.5 * length(&out->room) : 0.0;
  crVec3 aside = crScale(0.8 * R * crRandom_Uniform(random, 0.0, 1.0), crRandom_UnitVec3(random));
  out->X.p = crAdd(crMakeVec3(0.0, 0.0, z), crRandom_Next(random) % 8 == 0 ? crMakeVec3(0.0, 0.0, 0.0) : aside);
  out->X.R = crQuatToMat3(crRandom_Rotation(random));
  out->c = take(out->X.p);
  Real3 axes[3] = { take(out->X.R.cx), take(out->X.R.cy), take(out->X.R.cz) };
  const double a[3] = { small, big, middle };
  int order[3] = { 1, middle >= small ? 2 : 0, middle >= small ? 0 : 2 };
  for (int i = 0; i < 3; ++i) {
    out->a[i] = a[order[i]];
    out->axes[i] = axes[order[i]];
  }
}

// h_A along n, of any length.
static Real support(const Case* which, Real3 n)
{
  Real square = 0.0L;
  for (int i = 0; i < 3; ++i) {
    Real w = which->a[i] * dot(which->axes[i], n);
    square += w * w;
  }
  return dot(which->c, n) + sqrtl(square);
}

// ------------------------------------------------------------------------------- cylinders and cones

typedef struct Slant {
  Real cosine, sine, offset;
} Slant;

static Slant slantOf(const crShapeDef* room)
{
  Real bottom = radius(room, false), top = radius(room, true), along = length(room);
  Real slant = sqrtl(along * along + (bottom - top) * (bottom - top));
  Real cosine = along / slant, sine = (bottom - top) / slant;
  Real zMin = room->kind == cr_shapeCone ? 0.0L : -0.5L * along;
  return (Slant){ cosine, sine, bottom * cosine + zMin * sine };
}

static Real depthAt(const Case* which, Slant s, Real phi)
{
  return support(which, (Real3){ s.cosine * cosl(phi), s.cosine * sinl(phi), s.sine }) - s.offset;
}

static Real narrow(const Case* which, Slant s, Real low, Real high, Real sign)
{
  for (int i = 0; i < NARROWINGS; ++i) {
    Real p = low + (high - low) / 3.0L, q = high - (high - low) / 3.0L;
    bool isLeft = sign * depthAt(which, s, p) > sign * depthAt(which, s, q);
    low = isLeft ? low : p;
    high = isLeft ? q : high;
  }
  return sign * depthAt(which, s, 0.5L * (low + high));
}

// The greatest, or least, depth between two angles, around the best of many places.
static Real searchAround(const Case* which, Slant s, Real from, Real to, Real sign)
{
  Real depths[PLACES + 1], step = (to - from) / PLACES, best = -HUGE_VALL;
  for (int i = 0; i <= PLACES; ++i) {
    depths[i] = sign * depthAt(which, s, from + i * step);
    best = fmaxl(best, depths[i]);
  }
  for (int i = 0; i < PLACES; ++i) {
    bool isPeak = i > 0 && depths[i] >= depths[i - 1] && depths[i] >= depths[i + 1];
    double low = isPeak ? i - 1 : i; // else, at both ends, what may be beside them
    if (isPeak || i == 0 || i == PLACES - 1) {
      best = fmaxl(best, narrow(which, s, from + low * step, from + (i + 1) * step, sign));
    }
  }
  return sign * best;
}

static Real angleOfHalf(const Case* which)
{
  bool isLong = which->a[0] * which->a[2] >= which->a[1] * which->a[1];
  Real3 v = isLong ? which->axes[0] : (Real3){ -which->axes[2].y, which->axes[2].x, 0.0L };
  return atan2l(v.y, v.x);
}

static Real depthInRound(const Case* which, bool fits, crWallPart part)
{
  Slant s = slantOf(&which->room);
  const Real pi = 3.14159265358979323846264338327950288L;
  if (fits || part == cr_wallRing) {
    return searchAround(which, s, 0.0L, 2.0L * pi, part == cr_wallRing ? -1.0L : 1.0L);
  }
  Real middle = angleOfHalf(which) + (part == cr_wallFar ? pi : 0.0L);
  return searchAround(which, s, middle - 0.5L * pi, middle + 0.5L * pi, 1.0L);
}

// ------------------------------------------------------------------------------------------- spheres

// How far a point with these numbers is, in units of semi-axes, as long as it is on its side.
static Real farAt(const Case* which, const Real u[3], Real side)
{
  Real size = sqrtl(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  if (side * u[0] < 0.0L) {
    return -HUGE_VALL;
  }
  Real3 x = which->c;
  for (int i = 0; i < 3; ++i) {
    x = addScaled(x, which->a[i] * u[i] / size, which->axes[i]);
  }
  return sqrtl(dot(x, x));
}

static Real climbFrom(const Case* which, const Real start[3], Real side, bool isInPlane)
{
  Real u[3] = { start[0], start[1], start[2] }, best = farAt(which, u, side), step = 0.1L;
  for (int k = 0; k < SHRINKS;) {
    bool isBetter = false;
    for (int i = 0; i < 27; ++i) {
      Real v[3] = { u[0] + step * (i % 3 - 1), u[1] + (isInPlane ? 0.0L : step * (i / 3 % 3 - 1)),
                    u[2] + step * (i / 9 - 1) };
      v[0] = side * v[0] < 0.0L ? 0.0L : v[0];
      Real far = v[0] == 0.0L && v[1] == 0.0L && v[2] == 0.0L ? -HUGE_VALL : farAt(which, v, side);
      if (far > best) {
        Real size = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        best = far;
        u[0] = v[0] / size;
        u[1] = v[1] / size;
        u[2] = v[2] / size;
        isBetter = true;
      }
    }
    step = isBetter ? step : 0.5L * step;
    k += !isBetter;
  }
  return best;
}

static Real depthInSphere(const Case* which, bool fits, crWallPart part)
{
  Case turned = *which;
  Real side = fits ? 0.0L : part == cr_wallFar ? -1.0L : 1.0L, best = -HUGE_VALL;
  bool isOblate = !fits && which->a[0] == which->a[1];
  if (isOblate) { // its first axis in the plane with the middle of the room
    Real x = dot(which->c, which->axes[0]), y = dot(which->c, which->axes[1]), rho = sqrtl(x * x + y * y);
    if (rho > 0.0L) {
      Real3 zero = { 0.0L, 0.0L, 0.0L };
      turned.axes[0] = addScaled(addScaled(zero, x / rho, which->axes[0]), y / rho, which->axes[1]);
      turned.axes[1] = addScaled(addScaled(zero, -y / rho, which->axes[0]), x / rho, which->axes[1]);
    }
  }
  for (int i = 0; i < 27; ++i) {
    Real u[3] = { i % 3 - 1, isOblate ? 0.0L : i / 3 % 3 - 1, i / 9 - 1 };
    bool isPlace = (u[0] != 0.0L || u[1] != 0.0L || u[2] != 0.0L) && side * u[0] >= 0.0L;
    best = isPlace ? fmaxl(best, climbFrom(&turned, u, side, isOblate)) : best;
  }
  return best - which->room.as.sphere.radius;
}

// -------------------------------------------------------------------------------------------- distances

static Real depthTruth(const Case* which, const crWall* wall, bool fits)
{
  if (wall->kind == cr_wallCap) {
    return support(which, (Real3){ 0.0L, 0.0L, wall->sine }) - wall->offset;
  }
  return wall->kind == cr_wallSphere ? depthInSphere(which, fits, wall->part) : depthInRound(which, fits, wall->part);
}

static void distances_agree_with_brute_force(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(23);
  double worst = 0.0;
  int parts[3] = { 0 };
  for (int i = 0; i < CASES; ++i) {
    Case which;
    makeCase(&random, &which);
    crShape *room, *ellipsoid;
    assert_int_equal(crCreateShape(&which.room, NULL, NULL, &room), cr_ok);
    assert_int_equal(crCreateShape(&which.def, NULL, NULL, &ellipsoid), cr_ok);
    crPose X_WR = { crQuatToMat3(crRandom_Rotation(&random)), crScale(3.0, crRandom_UnitVec3(&random)) };
    crPose X_WE = crMulPose(X_WR, which.X);
    double scale = crShape_GetReach(room) + (double)which.a[0] + 3.0;
    crDistance whole, d;
    Real deepest = -HUGE_VALL;
    for (int k = 0; k < crShape_CountPieces(room); ++k) {
      const crShape* wall = crShape_GetPiece(room, k);
      if (!crIsWall(wall) || !crIsPieceFor(wall, ellipsoid)) {
        continue;
      }
      Real truth = depthTruth(&which, &wall->wall, crFitsIn(ellipsoid, wall));
      assert_int_equal(crComputeDistance(ellipsoid, &X_WE, wall, &X_WR, NULL, &d), cr_ok);
      double off = fabs((double)(d.distance + truth)) / scale;
      worst = fmax(worst, off);
      assert_true(off < 1e-13);
      assert_vec_close(crSub(d.pointB, d.pointA), crScale(d.distance, d.normal), 1e-14 * scale);
      deepest = wall->wall.part == cr_wallRing ? deepest : fmaxl(deepest, truth);
      ++parts[wall->wall.part];
    }
    assert_int_equal(crComputeDistance(room, &X_WR, ellipsoid, &X_WE, NULL, &whole), cr_ok);
    assert_close(whole.distance, (double)-deepest, 1e-13 * scale);
    crDestroyShape(room);
    crDestroyShape(ellipsoid);
  }
  printf("%d near, %d far, %d of rings, off by %.2g of the scale at most\n", parts[0], parts[1], parts[2], worst);
  assert_true(parts[1] > CASES / 5 && parts[2] > CASES / 10);
}

static crPose move(const crPose* X, crVec3 about, crVec3 v, crVec3 w, double h)
{
  crMat3 R = crQuatToMat3(crAxisAngleToQuat(w, h));
  return (crPose){ crMulMM(R, X->R), crAdd(crMulAdd(about, h, v), crMulMV(R, crSub(X->p, about))) };
}

// The depth of the edge between two halves grows with the motion of its point along the normal, and as the halves turn:
// against differences, when the ellipsoid moves and when the room does.
static void depths_of_edges_grow_as_they_say(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(29);
  double worst = 0.0;
  int edges[2] = { 0 }, turning = 0;
  for (int i = 0; i < CASES; ++i) {
    Case which;
    makeCase(&random, &which);
    crShape *room, *ellipsoid;
    assert_int_equal(crCreateShape(&which.room, NULL, NULL, &room), cr_ok);
    assert_int_equal(crCreateShape(&which.def, NULL, NULL, &ellipsoid), cr_ok);
    double size = (double)which.a[0], h = 1e-5 * (double)which.a[2] / size;
    crVec3 v = crScale(size, crRandom_UnitVec3(&random)), w = crRandom_UnitVec3(&random);
    crPose X_WR = { crQuatToMat3(crRandom_Rotation(&random)), crScale(size, crRandom_UnitVec3(&random)) };
    crPose X_WE = crMulPose(X_WR, which.X);
    bool isOnAxis = which.X.p.x == 0.0 && which.X.p.y == 0.0; // where both sides are alike
    for (int k = 0; k < crShape_CountPieces(room) && !isOnAxis; ++k) {
      const crShape* wall = crShape_GetPiece(room, k);
      if (!crIsWall(wall) || wall->wall.part != cr_wallFar || !crIsPieceFor(wall, ellipsoid)) {
        continue;
      }
      crWallEdge edge = crMeasureWallEdge(ellipsoid, &X_WE, wall, &X_WR);
      for (int isRoom = 0; isRoom < 2; ++isRoom) {
        double depths[2];
        for (int side = 0; side < 2; ++side) {
          crPose X = move(isRoom ? &X_WR : &X_WE, edge.point, v, w, side == 0 ? -h : h);
          depths[side] = crMeasureWallEdge(ellipsoid, isRoom ? &X_WE : &X, wall, isRoom ? &X : &X_WR).depth;
        }
        double rate = (isRoom ? -1.0 : 1.0) * (crDot(edge.normal, v) + crDot(edge.turn, w));
        double off = fabs((depths[1] - depths[0]) / (2.0 * h) - rate) / (size + crLength(edge.turn));
        worst = fmax(worst, off);
        assert_true(off < 1e-6);
      }
      ++edges[wall->wall.kind == cr_wallCone];
      turning += crLength(edge.turn) > 0.01 * size;
    }
    crDestroyShape(room);
    crDestroyShape(ellipsoid);
  }
  printf("%d edges in spheres, %d in cylinders and cones, %d of which turn: off by %.2g at most\n", edges[0], edges[1],
         turning, worst);
  assert_true(edges[0] > CASES / 10 && edges[1] > CASES / 10 && turning > CASES / 20);
}

// ----------------------------------------------------------------------------------------------- runs

#define ROOM(shape)                                                                                                    \
  "solidMaterial('Hard', { density = 7850, E = 2e14, nu = 0.3 })\n"                                                    \
  "contactPair('Hard', 'Hard', { cor = %g, muK = %g, muR = 0 })\nworld('w', {})\n"                                     \
  "object('room', { parent = 'w', solid{ contact = 'Hard', shape = " shape " } })\n"

// Without friction an ellipsoid on its belly in a bowl, at x and tilted by q, has the potential
//
//   m g ((x - s q)^2 / (R - r) + s q^2) / 2,     r = a^2 / c its radius of curvature below, s = r - c
//
// so that both ways to swing follow from m omega^2, I omega^2 with I = m (a^2 + c^2) / 5. In a cylinder across its axis
// likewise.
static void an_ellipsoid_swings_at_its_closed_frequencies(void** state)
{
  (void)state;
  static const char* const rooms[] = { ROOM("sphere{ radius = 0.5, hollow = true }"),
                                       ROOM("cylinder{ radius = 0.5, length = 2, hollow = true, axis = 'y' }") };
  double a = 0.05, b = 0.03, c = 0.02, R = 0.5, r = a * a / c, s = r - c, D = R - r, inertia = 0.2 * (a * a + c * c);
  double kxx = 9.81 / D, kxq = -9.81 * s / D, kqq = 9.81 * (s * s / D + s);
  double mean = 0.5 * (kxx + kqq / inertia), root = sqrt(mean * mean - (kxx * kqq - kxq * kxq) / inertia);
  for (int i = 0; i < 4; ++i) {
    double square = i % 2 == 0 ? mean - root : mean + root, omega = sqrt(square);
    double tilt = (square - kxx) / kxq; // k_xx x + k_xq q = omega^2 x
    double v = fmin(1e-4, 2e-4 / fabs(tilt)) * omega, turn = v * tilt;
    char room[1000], text[2000];
    snprintf(room, sizeof room, rooms[i / 2], 0.5, 0.0);
    snprintf(text, sizeof text,
             "%sobject('egg', { parent = 'w', position = { 0, 0, %.17g }, free = true, start = 'rest',\n"
             "  velocity = { %.17g, 0, 0 }, angularVelocity = { 0, %.17g, 0 },\n"
             "  solid{ shape = ellipsoid{ radii = { %g, %g, %g } }, material = 'Hard', contact = 'Hard' } })\n",
             room, -(R - c), v, -turn, a, b, c);
    crTestRun run = crOpenTestText(text, 10.0, 1e-11, cr_solverDefault);
    double first = crTestRun_FindPassage(&run, "egg", 1e-3, 1);
    crCloseTestRun(&run);
    run = crOpenTestText(text, 10.0, 1e-11, cr_solverDefault);
    double last = crTestRun_FindPassage(&run, "egg", 1e-3, 9);
    assert_close(CR_PI * 8.0 / (last - first) / omega, 1.0, 1e-6);
    crCloseTestRun(&run);
  }
}

// Across a pipe, too long for its bottom: the normals of both touches are tilted by b with cos b = d sqrt(...) such
// that R = h(b) - d cos b, and each carries half of the weight over cos b.
static void what_does_not_fit_lies_on_two_touches(void** state)
{
  (void)state;
  double a = 0.08, c = 0.02, R = 0.12, low = 0.0, high = 1.5;
  for (int i = 0; i < 100; ++i) { // d such that h is least at b, from b
    double b = 0.5 * (low + high), h = sqrt(a * a * sin(b) * sin(b) + c * c * cos(b) * cos(b));
    double d = (a * a - c * c) * cos(b) / h;
    bool isLess = h + d * cos(b) > R;
    low = isLess ? b : low;
    high = isLess ? high : b;
  }
  double h = sqrt(a * a * sin(low) * sin(low) + c * c * cos(low) * cos(low)), d = (a * a - c * c) * cos(low) / h;
  char text[2000], room[1000];
  snprintf(room, sizeof room, ROOM("cylinder{ radius = 0.12, length = 1, hollow = true, axis = 'y' }"), 0.0, 0.0);
  snprintf(text, sizeof text,
           "%sobject('egg', { parent = 'w', position = { 0, 0, %.17g }, free = true,\n"
           "  solid{ shape = ellipsoid{ radii = { 0.08, 0.02, 0.02 } }, material = 'Hard', contact = 'Hard' } })\n",
           room, -d + 1e-4);
  crTestRun run = crOpenTestText(text, 0.3, 1e-8, cr_solverDefault);
  crTestRun_Advance(&run, 0.3);
  const crContacts* contacts = crSimulation_GetSet(run.simulation).contacts;
  double weight = 9.81 * 7850.0 * 4.0 / 3.0 * CR_PI * a * c * c;
  assert_int_equal(crContacts_Count(contacts), 2);
  for (int k = 0; k < 2; ++k) {
    assert_close(crContacts_Get(contacts, k).normalForce, 0.5 * weight / cos(low), 1e-4 * weight);
  }
  assert_close(crTestRun_Pose(&run, "egg").p.z, -d, 1e-7);
  crCloseTestRun(&run);
}

// A lens that lies in a bowl touches in a ring. One touch alone would change sides for ever.
static void a_lens_comes_to_rest_on_a_ring(void** state)
{
  (void)state;
  char text[2000], room[1000];
  snprintf(room, sizeof room, ROOM("sphere{ radius = 0.12, hollow = true }"), 0.3, 0.2);
  snprintf(text, sizeof text,
           "%sobject('egg', { parent = 'w', position = { 1e-6, 0, -0.08 }, free = true,\n"
           "  solid{ shape = ellipsoid{ radii = { 0.05, 0.05, 0.01 } }, material = 'Hard', contact = 'Hard' } })\n",
           room);
  crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverDefault);
  crTestRun_Advance(&run, 1.0);
  assert_int_equal(crContacts_Count(crSimulation_GetSet(run.simulation).contacts), 2);
  assert_true(crLength(crTestRun_Motion(&run, "egg").v) < 1e-4);
  assert_close(crTestRun_Axis(&run, "egg").z, 1.0, 1e-3);
  assert_true(crSimulation_GetSummary(run.simulation).solverStatistics.evaluations < 20000);
  crCloseTestRun(&run);
}

// An egg along the axis of a cylinder slides and pitches through zero: the shadow of its long axis turns round at once,
// and both halves would change places, with a touch in one of them. 0.01 mm beside that they turn, and the motion is
// the same.
static void an_egg_along_the_axis_may_pitch_through_zero(void** state)
{
  (void)state;
  static const double slides[] = { 0.1, 0.01, -0.1, 0.5 };
  for (int i = 0; i < 4; ++i) {
    double ends[2], tilts[2];
    for (int isBeside = 0; isBeside < 2; ++isBeside) {
      char text[2000];
      snprintf(text, sizeof text,
               "solidMaterial('Steel', { density = 2000, E = 1e8, nu = 0.3 })\n"
               "contactPair('Steel', 'Steel', { cor = 0.5, muK = 0.3, muR = 0.001 })\nworld('w', {})\n"
               "object('room', { parent = 'w', solid{ contact = 'Steel',\n"
               "  shape = cylinder{ radius = 0.5, hollow = true, length = 2, axis = 'x' } } })\n"
               "object('egg', { parent = 'w', free = true, position = { 0, %g, -0.449 }, velocity = { %g, 0, 0 },\n"
               "  solid{ shape = ellipsoid{ radii = { 0.3, 0.1, 0.05 } }, material = 'Steel', contact = 'Steel' } })\n",
               isBeside ? 1e-5 : 0.0, slides[i]);
      crTestRun run = crOpenTestText(text, 0.3, 1e-7, cr_solverDefault);
      double before = crTestRun_Energy(&run);
      assert_int_equal(crSimulation_Advance(run.simulation, 0.3), cr_ok);
      assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6 * (before - crTestRun_Energy(&run)));
      ends[isBeside] = crTestRun_Pose(&run, "egg").p.x;
      tilts[isBeside] = crTestRun_Axis(&run, "egg").x;
      crCloseTestRun(&run);
    }
    assert_close(ends[0] / ends[1], 1.0, 1e-4);
    assert_close(tilts[0] / tilts[1], 1.0, 1e-4);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(distances_agree_with_brute_force),
    cmocka_unit_test(depths_of_edges_grow_as_they_say),
    cmocka_unit_test(an_ellipsoid_swings_at_its_closed_frequencies),
    cmocka_unit_test(what_does_not_fit_lies_on_two_touches),
    cmocka_unit_test(a_lens_comes_to_rest_on_a_ring),
    cmocka_unit_test(an_egg_along_the_axis_may_pitch_through_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
