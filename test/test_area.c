// Area contact: the force is the gradient of the energy, equal and opposite, and as stiff as the theory of elasticity
// says.
#include "carom/collide.h"
#include "contact/area_tangent.h"
#include "contact/corner_force.h"
#include "contact/crossing_force.h"
#include "contact/edge_force.h"
#include "support/hulls.h"
#include "support/patches.h"
#include "support/shapes.h"
#include "support/throw.h"

static const crShape* makeHull(int count, crRandom* random)
{
  crVec3 points[400];
  assert_true(count <= 400);
  for (int i = 0; i < count; ++i) {
    points[i] = crScale(0.1, crRandom_UnitVec3(random));
  }
  return crKeepTestShape(crMakeHull(points, count));
}

// --------------------------------------------------------------------------------------------- polytopes

static double findWorst(const crShape* a, const crShape* b, double depth, int count, double step, crRandom* random)
{
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    crPressed pair = crPressAtRandom(a, b, depth, random);
    worst = fmax(worst, crCheckGradient(&pair, depth, 0.1, step));
  }
  return worst;
}

static void the_force_of_polytopes_is_the_gradient_of_their_energy(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  const crShape* shapes[] = { crKeepTestShape(crMakeBox(0.2, 0.1, 0.15)), crKeepTestShape(crMakeBox(0.3, 0.2, 0.01)),
                              makeHull(8, &random), makeHull(32, &random),
                              crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace)) };
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 5; ++k) {
      if (crTouchesByArea(shapes[i], shapes[k])) {
        assert_true(findWorst(shapes[i], shapes[k], 2e-3, 40, 2e-4, &random) < 1e-6);
        assert_true(findWorst(shapes[i], shapes[k], 1e-5, 10, 2e-3, &random) < 1e-5);
      }
    }
  }
}

// More vertices than are looked at one by one, and more faces than are marked at a time.
static void hulls_of_hundreds_of_faces_are_no_exception(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  const crShape *large = makeHull(400, &random), *box = crKeepTestShape(crMakeBox(0.2, 0.1, 0.15));
  assert_true(findWorst(large, box, 2e-3, 40, 2e-4, &random) < 1e-6);
  assert_true(findWorst(large, large, 2e-3, 40, 2e-4, &random) < 1e-6);
}

static const crShape* makeBoxHull(double x, double y, double z)
{
  crVec3 points[8];
  for (int i = 0; i < 8; ++i) {
    points[i] = crMakeVec3(i & 1 ? x / 2 : -x / 2, i & 2 ? y / 2 : -y / 2, i & 4 ? z / 2 : -z / 2);
  }
  return crKeepTestShape(crMakeHull(points, 8));
}

// Boxes have a way of their own to what counts (boxes.c); a hull with the same corners has not.
static void boxes_push_like_hulls_of_the_same_corners(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  const crShape *box = crKeepTestShape(crMakeBox(0.2, 0.1, 0.15)), *plate = crKeepTestShape(crMakeBox(0.3, 0.2, 0.01)),
                *ground = crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace)), *boxHull = makeBoxHull(0.2, 0.1, 0.15),
                *plateHull = makeBoxHull(0.3, 0.2, 0.01);
  const crShape* pairs[][4] = { { box, plate, boxHull, plateHull },
                                { box, box, boxHull, boxHull },
                                { plate, plate, plateHull, plateHull },
                                { box, ground, boxHull, ground } };
  for (int i = 0; i < 400; ++i) {
    const crShape** pair = pairs[i % 4];
    double depth = crRandom_LogUniform(&random, 1e-5, 1e-2);
    crPressed boxes = crPressAtRandom(pair[0], pair[1], depth, &random), hulls = boxes;
    hulls.a = pair[2];
    hulls.b = pair[3];
    crWrench is, should;
    double energy = crComputePressed(&boxes, &is), expected = crComputePressed(&hulls, &should),
           size = crLength(should.f);
    assert_true(expected > 0.0);
    assert_true(fabs(energy - expected) < 1e-9 * expected);
    assert_true(crLength(crSub(is.f, should.f)) < 1e-9 * size);
    assert_true(crLength(crSub(is.t, should.t)) < 1e-10 * size);
  }
}

static double findDifference(crSym3 a, crSym3 b)
{
  double sizes = fabs(a.xx - b.xx) + fabs(a.yy - b.yy) + fabs(a.zz - b.zz);
  return sizes + fabs(a.xy - b.xy) + fabs(a.xz - b.xz) + fabs(a.yz - b.yz);
}

// A force in closed form, in axes of A or of B, against that by points of a quadrature, in those of the first shape.
static void checkClosed(const crPressed* pair, crAreaModulus law, const crAreaForce* is, bool isOfB, double depth)
{
  static crPatch patch;
  crAreaForce should;
  crComputeAreaForce(law, pair->a, &pair->X_WA, pair->b, &pair->X_WB, &patch, &should);
  const crPose *X = isOfB ? &pair->X_WB : &pair->X_WA, *Y = patch.isExchanged ? &pair->X_WB : &pair->X_WA;
  double sign = isOfB == patch.isExchanged ? 1.0 : -1.0, size = crLength(should.force);
  crVec3 f = crScale(sign, crMulMV(Y->R, should.force)), t = crScale(sign, crMulMV(Y->R, should.torque));
  crSym3 spread = crRotateSym3(Y->R, should.spread);
  assert_true(should.elastic > 0.0);
  assert_close(depth / patch.depth, 1.0, 1e-9);
  assert_close(is->elastic / should.elastic, 1.0, 1e-9);
  assert_true(crLength(crSub(crMulMV(X->R, is->force), f)) < 1e-9 * size);
  assert_true(crLength(crSub(crMulMV(X->R, is->torque), t)) < 1e-7 * size * depth);
  assert_true(crLength(crSub(crTransformPoint(*X, is->centre), crTransformPoint(*Y, should.centre))) < 1e-7 * depth);
  assert_true(findDifference(crRotateSym3(X->R, is->spread), spread) < 1e-8 * (spread.xx + spread.yy + spread.zz));
  assert_close(is->area / should.area, 1.0, 1e-8);
  assert_close(is->mostPressure / should.mostPressure, 1.0, 1e-8);
}

static void checkCorner(const crPressed* pair, const crBoxCorner* corner, crAreaModulus law)
{
  crAreaForce is;
  if (corner->edge < 0) {
    crComputeCornerForce(law, corner, &is);
  } else {
    crComputeEdgeForce(law, corner, &is);
  }
  checkClosed(pair, law, &is, corner->isOfB, corner->depth);
}

// Corners below one plane have a way of their own (corner_force.h); the points of their patches tell the same.
static void corners_of_boxes_push_as_the_points_of_their_patches(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  const crShape *box = crKeepTestShape(crMakeBox(0.2, 0.1, 0.15)), *plate = crKeepTestShape(crMakeBox(0.3, 0.2, 0.01)),
                *ground = crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace));
  const crShape* pairs[][2] = { { box, plate }, { plate, box }, { box, ground }, { ground, box }, { plate, plate } };
  const crAreaModulus laws[] = { { 1.0, 0.0 }, { 0.0, 1.0 }, { 1.0, 0.1 } };
  int counts[5] = { 0 };
  for (int i = 0; i < 4000; ++i) {
    double depth = crRandom_LogUniform(&random, 1e-6, 1e-2);
    crPressed pair = crPressAtRandom(pairs[i % 5][0], pairs[i % 5][1], depth, &random);
    crBoxCorner corner;
    if (crFindBoxCorner(pair.a, &pair.X_WA, pair.b, &pair.X_WB, &corner)) {
      checkCorner(&pair, &corner, laws[i % 3]);
      ++counts[i % 5];
    }
  }
  assert_true(counts[0] > 80 && counts[1] > 80 && counts[2] > 600 && counts[3] > 600 && counts[4] > 50);
}

// Nearly level, from edges that are as deep at both ends on.
static void edges_of_boxes_push_as_the_points_of_their_patches(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(8);
  const crShape *box = crKeepTestShape(crMakeBox(0.2, 0.1, 0.15)),
                *ground = crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace));
  const crVec3 axes[] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
  int count = 0;
  for (int i = 0; i < 600; ++i) {
    double depth = crRandom_LogUniform(&random, 1e-5, 1e-2), roll = crRandom_Uniform(&random, 0.4, 1.2);
    double tilt = i % 10 == 0 ? 0.0 : depth / 0.1 * crRandom_Uniform(&random, -1.0, 1.0);
    crVec3 edge = axes[i % 3], across = axes[(i + 1) % 3];
    crMat3 turned = crQuatToMat3(crAxisAngleToQuat(edge, roll)); // about the edge, then that into the level
    crVec3 level = i % 3 == 2 ? axes[1] : axes[2];
    crMat3 laid = i % 3 == 2 ? crQuatToMat3(crAxisAngleToQuat(across, 0.5 * CR_PI)) : crIdentityMat3();
    crMat3 tilted = crQuatToMat3(crAxisAngleToQuat(i % 3 == 2 ? level : across, tilt));
    crPressed pair = { box, ground, { crMulMM(tilted, crMulMM(laid, turned)), { 0.3, 0.2, 0.5 } }, crIdentityPose() };
    crBoxCorner corner;
    crPressTogether(&pair, depth);
    if (crFindBoxCorner(pair.a, &pair.X_WA, pair.b, &pair.X_WB, &corner) && corner.edge >= 0) {
      assert_int_equal(corner.edge, i % 3);
      checkCorner(&pair, &corner, (crAreaModulus){ 1.0, i % 2 == 0 ? 0.0 : 0.1 });
      ++count;
    }
  }
  assert_true(count > 400);
}

static void crossing_edges_of_boxes_push_as_the_points_of_their_patches(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(9);
  const crShape *box = crKeepTestShape(crMakeBox(0.2, 0.1, 0.15)), *plate = crKeepTestShape(crMakeBox(0.3, 0.2, 0.01));
  const crShape* pairs[][2] = { { box, plate }, { plate, box }, { box, box }, { plate, plate } };
  const crAreaModulus laws[] = { { 1.0, 0.0 }, { 0.0, 1.0 }, { 1.0, 0.1 } };
  int count = 0;
  for (int i = 0; i < 4000; ++i) {
    double depth = crRandom_LogUniform(&random, 1e-6, 1e-2);
    crPressed pair = crPressAtRandom(pairs[i % 4][0], pairs[i % 4][1], depth, &random);
    crBoxCrossing crossing;
    if (crFindBoxCrossing(pair.a, &pair.X_WA, pair.b, &pair.X_WB, &crossing)) {
      crAreaForce is;
      crCrossingTip tip;
      crComputeCrossingForce(laws[i % 3], &crossing, &is, &tip);
      checkClosed(&pair, laws[i % 3], &is, false, tip.depth);
      ++count;
    }
  }
  assert_true(count > 600);
}

// How far the force on B is from a straight line while B comes nearer to A, over the force.
static double findRoughness(const crPressed* pair, crVec3 way, double depth)
{
  enum { side = 8 };
  const double step = 1e-6 * depth;
  double forces[2 * side + 1], worst = 0.0;
  for (int i = 0; i <= 2 * side; ++i) {
    crPressed moved = *pair;
    crWrench on;
    moved.X_WB.p = crMulAdd(pair->X_WB.p, (i - side) * step, way);
    crComputePressed(&moved, &on);
    forces[i] = crLength(on.f);
  }
  for (int i = 1; i < 2 * side; ++i) {
    worst = fmax(worst, fabs(forces[i - 1] - 2.0 * forces[i] + forces[i + 1]) / forces[i]);
  }
  return worst;
}

// An edge that lies on a face, nanometres deep, is 10^6 times as long as wide, along an axis of its shape or askew.
// Once its width was lost in rounding errors of its length: forces had five digits, and Newton's iterations failed.
static void an_edge_on_a_face_pushes_smoothly(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(21);
  crVec3 corners[8];
  crMat3 askew = crQuatToMat3(crRandom_Rotation(&random)), one = crIdentityMat3();
  crListBoxCorners(corners, crMakeVec3(0.005, 0.015, 0.03), (crPose){ askew, crMakeVec3(0.01, 0.02, 0.0) });
  const crShape* bars[] = { crKeepTestShape(crMakeBox(0.01, 0.03, 0.06)), crKeepTestShape(crMakeHull(corners, 8)) };
  const crShape* floors[] = { crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace)),
                              crKeepTestShape(crMakeBox(0.2, 0.2, 0.1)) };
  for (int i = 0; i < 8; ++i) {
    bool isHull = i % 2 == 1;
    crPressed pair = { .a = floors[i / 2 % 2], .b = bars[i % 2], .X_WA = crIdentityPose(), .X_WB = crIdentityPose() };
    crMat3 tilt = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), 0.5));
    pair.X_WA.R = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 0.0, 1.0), i < 4 ? 0.0 : 0.4));
    pair.X_WB.p = crMakeVec3(0.01, 0.02, 0.12);
    pair.X_WB.R = crMulMM(tilt, crTranspose(isHull ? askew : one));
    for (double depth = 1e-9; depth < 2e-6; depth *= 10.0) {
      crPressTogether(&pair, depth);
      double rough = findRoughness(&pair, crMakeVec3(0.0, 0.0, -1.0), depth);
      assert_true(rough < 1e-16 / depth); // of places 0.1 m from the origin
    }
  }
}

// The second shape moved along an axis of the first one, or turned about it.
static crAreaForce computeMoved(const crShape* a, const crShape* b, const crPose* X_AB, int axis, double h)
{
  static crPatch patch;
  crPose identity = crIdentityPose(), moved = *X_AB;
  crAreaForce force;
  crVec3 e = crMakeVec3(axis % 3 == 0, axis % 3 == 1, axis % 3 == 2);
  if (axis < 3) {
    moved.p = crMulAdd(moved.p, h, e);
  } else {
    crMat3 R = crQuatToMat3(crAxisAngleToQuat(e, h));
    moved = (crPose){ crMulMM(R, moved.R), crMulMV(R, moved.p) };
  }
  crComputeAreaForce((crAreaModulus){ 1.0, 0.0 }, a, &identity, b, &moved, &patch, &force);
  return force;
}

static double sizeOf(crSym3 s)
{
  return fabs(s.xx) + fabs(s.yy) + fabs(s.zz) + fabs(s.xy) + fabs(s.xz) + fabs(s.yz);
}

// The largest difference of a tangent from differences, relative to the largest tangent of its kind.
static double checkTangents(const crShape* a, const crShape* b, const crPose* X_AB, double depth)
{
  static crPatch patch;
  static crPatchLines lines;
  crPose identity = crIdentityPose();
  crAreaModulus law = { 1.0, 0.0 };
  crAreaForce force;
  crAreaBase base;
  double off[5] = { 0.0 }, most[5] = { 0.0 };
  crComputePatchWithLines(a, &identity, b, X_AB, &lines, &patch);
  crPushPatch(law, a, &identity, b, X_AB, &patch, &force);
  assert_true(crFillAreaBase(law, &patch, &force, &base));
  for (int axis = 0; axis < 6; ++axis) {
    crVec3 e = crMakeVec3(axis % 3 == 0, axis % 3 == 1, axis % 3 == 2), zero = crMakeVec3(0.0, 0.0, 0.0);
    crAreaTangent tangent;
    crComputeAreaTangent(&base, axis < 3 ? e : zero, axis < 3 ? zero : e, &tangent);
    double size = axis < 3 ? 1.0 : 0.1, h = 1e-4 * depth / size;
    crAreaForce more = computeMoved(a, b, X_AB, axis, h), less = computeMoved(a, b, X_AB, axis, -h);
    crVec3 f = crScale(0.5 / h, crSub(more.force, less.force)), t = crScale(0.5 / h, crSub(more.torque, less.torque));
    crVec3 c = crScale(0.5 / h, crSub(more.centre, less.centre));
    crSym3 s = crScaleSym3(0.5 / h, crAddSym3(more.spread, crScaleSym3(-1.0, less.spread)));
    crSym3 difference = crAddSym3(s, crScaleSym3(-1.0, tangent.spread));
    double by[5] = { 0.5 / h * (more.elastic - less.elastic) - tangent.elastic, crLength(crSub(f, tangent.force)),
                     crLength(crSub(t, tangent.torque)), crLength(crSub(c, tangent.centre)), sizeOf(difference) };
    double is[5] = { tangent.elastic, crLength(f), crLength(t), crLength(c), sizeOf(s) };
    for (int i = 0; i < 5; ++i) {
      off[i] = fmax(off[i], fabs(by[i]) / size);
      most[i] = fmax(most[i], fabs(is[i]) / size);
    }
  }
  double worst = 0.0;
  for (int i = 0; i < 5; ++i) {
    worst = fmax(worst, off[i] / most[i]);
  }
  return worst;
}

static void tangents_of_polytopes_are_the_derivatives_of_their_force(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  const crShape* shapes[] = { crKeepTestShape(crMakeBox(0.2, 0.1, 0.15)), crKeepTestShape(crMakeBox(0.3, 0.2, 0.01)),
                              makeHull(8, &random), makeHull(32, &random),
                              crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace)) };
  int farOff = 0; // where a face comes in between both differences
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 5; ++k) {
      for (int n = 0; n < 20; ++n) {
        crPressed pair = crPressAtRandom(shapes[i], shapes[k], 1e-3, &random);
        crPose X_WA = crPlaceCanonical(pair.a, &pair.X_WA), X_WB = crPlaceCanonical(pair.b, &pair.X_WB);
        crPose X_AB = crMulPose(crInvertPose(X_WA), X_WB);
        double off = checkTangents(pair.a, pair.b, &X_AB, 1e-3);
        assert_true(off < 1e-2);
        farOff += off > 1e-5;
      }
    }
  }
  assert_true(farOff <= 4);
  crPose flat = { crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0005, 0.0003, 1.0), 0.3)), { 0.01, 0.02, 0.079 } };
  assert_true(checkTangents(shapes[1], shapes[0], &flat, 1e-3) < 1e-4); // strips
}

// Shapes that touch by a rounding error had patches of a wholly wrong size, where sums of other order found nothing
// inside.
static void what_touches_by_a_rounding_error_has_no_deep_patch(void** state)
{
  (void)state;
  static crPatch patch;
  crRandom random = crMakeRandom(1);
  const crShape* shapes[] = { crKeepTestShape(crMakeBox(0.2, 0.1, 0.15)), crKeepTestShape(crMakeBox(0.3, 0.2, 0.01)),
                              makeHull(16, &random), crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace)) };
  for (int n = 0; n < 6000; ++n) {
    const crShape *a = shapes[n % 3], *b = shapes[n / 3 % 4];
    crPressed pair = crPressAtRandom(a, b, 1e-6, &random);
    crDistance d;
    assert_int_equal(crComputeDistance(a, &pair.X_WA, b, &pair.X_WB, NULL, &d), cr_ok);
    double move = crRandom_Uniform(&random, -1.0, 1.0) * pow(10.0, -17.0 + n % 12 * 0.4);
    pair.X_WB.p = crMulAdd(pair.X_WB.p, move - d.distance, d.normal);
    crPose X_WA = crPlaceCanonical(a, &pair.X_WA), X_WB = crPlaceCanonical(b, &pair.X_WB);
    crComputePatch(a, &X_WA, b, &X_WB, &patch);
    assert_true(!patch.isBroken && patch.depth < 1e-11);
  }
}

// The edge of a hard box, a millionth as deep as it is long: its width is lost in the rounding of its length. Forces
// jumped by 6e-5, so that no step of a heap of steel boxes was short enough.
static void the_force_of_a_long_edge_is_smooth(void** state)
{
  (void)state;
  const crShape *box = crKeepTestShape(crMakeBox(0.1, 0.2, 0.3)),
                *ground = crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace)),
                *table = crKeepTestShape(crMakeBox(1.0, 1.0, 0.2));
  for (double depth = 1e-6; depth > 1e-10; depth *= 0.1) {
    for (int n = 0; n < 400; ++n) {
      // about its edge by half a radian, about the vertical, and so that one end is deeper than the other
      crQuat edge = crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), 0.5 + 1e-3 * n);
      crQuat turn = crAxisAngleToQuat(crMakeVec3(0.0, 0.0, 1.0), n % 2 == 0 ? 0.0 : 0.3 + 1e-3 * n);
      crQuat tilt = crAxisAngleToQuat(crMakeVec3(1.0, 0.0, 0.0), depth);
      crPressed pair = { box, n % 4 < 2 ? ground : table, crIdentityPose(), crIdentityPose() };
      pair.X_WA.R = crQuatToMat3(crMulQuat(turn, crMulQuat(tilt, edge)));
      pair.X_WA.p.z = 0.05 * sin(0.5 + 1e-3 * n) + 0.15 * cos(0.5 + 1e-3 * n) - depth;
      pair.X_WB.p.z = pair.b == table ? -0.1 : 0.0;
      crWrench is, next;
      crComputePressed(&pair, &is);
      pair.X_WA.p.z -= 1e-6 * depth;
      crComputePressed(&pair, &next);
      assert_close(next.f.z / is.f.z, 1.0, 3e-6);
    }
  }
}

// Whoever moves by the depth of penetration is outside, and so is every point of its surface: none was deeper. And
// where there is such a depth, there is a patch.
static void checkDepth(const crShape* a, const crShape* b, double gap, bool isRound, crRandom* random)
{
  static crPatch patch;
  crDistance d;
  crPressed pair = crPressAtRandom(a, b, 1e-6, random);
  assert_int_equal(crComputeDistance(a, &pair.X_WA, b, &pair.X_WB, NULL, &d), cr_ok);
  pair.X_WB.p = crMulAdd(pair.X_WB.p, gap - d.distance, d.normal);
  assert_int_equal(crComputeDistance(a, &pair.X_WA, b, &pair.X_WB, NULL, &d), cr_ok);
  crPose X_WA = crPlaceCanonical(a, &pair.X_WA), X_WB = crPlaceCanonical(b, &pair.X_WB);
  crComputePatch(a, &X_WA, b, &X_WB, &patch);
  double inside = fmax(-d.distance, 0.0), more = isRound ? 0.1 * inside + 1e-6 : 1e-6 * inside + 1e-9;
  assert_true(!patch.isBroken && patch.depth <= inside + more);
  assert_true(inside < 1e-9 || patch.depth > 1e-3 * inside);
  assert_true(isfinite(patch.sums[0].i2 + patch.sums[1].i2));
}

// Of edges that pass each other closely, where no face is between, planes were left out that mattered: a beam and a
// hull 1e-6 m apart had a patch 1e-3 m deep. At tips of cones a radius was 0, and the depth infinite.
static void patches_are_no_deeper_than_the_shapes_are_inside_each_other(void** state)
{
  (void)state;
  static const char* const pairs[] = { "box-box",       "hull-hull", "box-beam",     "beam-hull",
                                       "cylinder-hull", "cone-hull", "frustum-hull", "cone-cone" };
  crRandom random = crMakeRandom(5);
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
    crThrownPair kinds;
    assert_true(crFindThrownPair(pairs[i], &kinds));
    for (int shape = 0; shape < 4; ++shape) {
      crVec3 points[2][CR_THROWN_POINTS];
      const crShape *a = crKeepTestShape(crMakeThrownShape(kinds.a, points[0], &random)),
                    *b = crKeepTestShape(crMakeThrownShape(kinds.b, points[1], &random));
      for (int n = 0; n < 2000; ++n) {
        double size = pow(10.0, crRandom_Uniform(&random, -12.0, -4.0));
        checkDepth(a, b, n % 2 == 0 ? size : -size, kinds.a == cr_thrownCone && kinds.b == cr_thrownCone, &random);
      }
    }
    crDestroyKeptShapes(state);
  }
  const crShape* large = makeHull(100, &random); // of many faces some have a corner inside and no area
  for (int n = 0; n < 4000; ++n) {
    double size = pow(10.0, crRandom_Uniform(&random, -12.0, -4.0));
    checkDepth(large, large, n % 2 == 0 ? size : -size, false, &random);
  }
}

// A box on the ground and on a larger box, pressed in by its face: F = 2 E* l depth with the exact l of a rectangle's
// covariance, a^2 / 3 = A^2 / 4.
static void a_flat_square_is_as_stiff_as_its_capacity(void** state)
{
  (void)state;
  const crShape *box = crKeepTestShape(crMakeBox(0.1, 0.1, 0.1)),
                *ground = crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace)),
                *table = crKeepTestShape(crMakeBox(1.0, 1.0, 0.2));
  double depth = 1e-6, half = 0.05;
  crPressed pair = { box, ground, crIdentityPose(), crIdentityPose() };
  crWrench onB;
  pair.X_WA.p.z = half - depth;
  double U = crComputePressed(&pair, &onB);
  double mean = 2.0 * half / sqrt(3.0); // AGM of equal half axes
  assert_close(onB.f.z / (-2.0 * mean * depth), 1.0, 1e-4);
  assert_close(U / (mean * depth * depth), 1.0, 1e-4);
  pair.b = table;
  pair.X_WB.p.z = -0.1;
  crComputePressed(&pair, &onB);
  assert_close(onB.f.z / (-2.0 * mean * depth), 1.0, 1e-4);
}

// ------------------------------------------------------------------------------------- half-spaces

// Of 1 / r over the rectangle from the origin to (x, y).
static double potential(double x, double y)
{
  double r = sqrt(x * x + y * y);
  return (y + r > 0.0 ? x * log(y + r) : 0.0) + (x + r > 0.0 ? y * log(x + r) : 0.0);
}

// Of 1 / r over the rectangle between two corners, seen from a point.
static double integrate(const double low[2], const double high[2], double x, double y)
{
  return potential(high[0] - x, high[1] - y) - potential(low[0] - x, high[1] - y) - potential(high[0] - x, low[1] - y) +
         potential(low[0] - x, low[1] - y);
}

#define ALONG 24
#define ACROSS 10
#define CELLS (ALONG * ACROSS) // of a quarter of the punch

// F / (E* depth) of a rigid rectangular punch of these half sides on an elastic half-space: cells of constant pressure,
// which are smaller at the edges, where it goes to infinity; all cells sink in alike.
static double solvePunch(double a, double b)
{
  static double matrix[CELLS][CELLS + 1], low[CELLS][2], high[CELLS][2];
  for (int i = 0; i < CELLS; ++i) {
    int p = i / ACROSS, q = i % ACROSS;
    low[i][0] = a * sin(0.5 * CR_PI * p / ALONG);
    high[i][0] = a * sin(0.5 * CR_PI * (p + 1) / ALONG);
    low[i][1] = b * sin(0.5 * CR_PI * q / ACROSS);
    high[i][1] = b * sin(0.5 * CR_PI * (q + 1) / ACROSS);
  }
  for (int i = 0; i < CELLS; ++i) {
    double x = 0.5 * (low[i][0] + high[i][0]), y = 0.5 * (low[i][1] + high[i][1]);
    for (int k = 0; k < CELLS; ++k) {
      matrix[i][k] = (integrate(low[k], high[k], x, y) + integrate(low[k], high[k], -x, y) +
                      integrate(low[k], high[k], x, -y) + integrate(low[k], high[k], -x, -y)) /
                     CR_PI;
    }
    matrix[i][CELLS] = 1.0;
  }
  for (int k = 0; k < CELLS; ++k) { // the largest of each row is on the diagonal
    for (int i = k + 1; i < CELLS; ++i) {
      double factor = matrix[i][k] / matrix[k][k];
      for (int j = k; j <= CELLS; ++j) {
        matrix[i][j] -= factor * matrix[k][j];
      }
    }
  }
  double force = 0.0;
  for (int i = CELLS - 1; i >= 0; --i) {
    for (int j = i + 1; j < CELLS; ++j) {
      matrix[i][CELLS] -= matrix[i][j] * matrix[j][CELLS];
    }
    matrix[i][CELLS] /= matrix[i][i];
    force += 4.0 * matrix[i][CELLS] * (high[i][0] - low[i][0]) * (high[i][1] - low[i][1]);
  }
  return force;
}

static void flat_rectangles_are_as_stiff_as_on_an_elastic_half_space(void** state)
{
  (void)state;
  const double ratios[] = { 1.0, 2.0, 5.0, 10.0, 30.0, 100.0 };
  const crShape* ground = crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace));
  assert_close(solvePunch(1.0, 1.0) / 2.0, 1.151, 0.01); // known of squares: 1.15 sqrt(A)
  for (int i = 0; i < 6; ++i) {
    double a = 0.1, b = 0.1 / ratios[i], depth = 1e-6;
    const crShape* box = crKeepTestShape(crMakeBox(2.0 * a, 2.0 * b, 0.1));
    crPressed pair = { box, ground, crIdentityPose(), crIdentityPose() };
    crWrench onB;
    pair.X_WA.p.z = 0.05 - depth;
    crComputePressed(&pair, &onB);
    assert_close(-onB.f.z / (depth * solvePunch(a, b)), 1.0, 0.1);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(the_force_of_polytopes_is_the_gradient_of_their_energy, crDestroyKeptShapes),
    cmocka_unit_test_teardown(tangents_of_polytopes_are_the_derivatives_of_their_force, crDestroyKeptShapes),
    cmocka_unit_test_teardown(hulls_of_hundreds_of_faces_are_no_exception, crDestroyKeptShapes),
    cmocka_unit_test_teardown(boxes_push_like_hulls_of_the_same_corners, crDestroyKeptShapes),
    cmocka_unit_test_teardown(corners_of_boxes_push_as_the_points_of_their_patches, crDestroyKeptShapes),
    cmocka_unit_test_teardown(edges_of_boxes_push_as_the_points_of_their_patches, crDestroyKeptShapes),
    cmocka_unit_test_teardown(crossing_edges_of_boxes_push_as_the_points_of_their_patches, crDestroyKeptShapes),
    cmocka_unit_test_teardown(an_edge_on_a_face_pushes_smoothly, crDestroyKeptShapes),
    cmocka_unit_test_teardown(what_touches_by_a_rounding_error_has_no_deep_patch, crDestroyKeptShapes),
    cmocka_unit_test_teardown(the_force_of_a_long_edge_is_smooth, crDestroyKeptShapes),
    cmocka_unit_test_teardown(patches_are_no_deeper_than_the_shapes_are_inside_each_other, crDestroyKeptShapes),
    cmocka_unit_test_teardown(a_flat_square_is_as_stiff_as_its_capacity, crDestroyKeptShapes),
    cmocka_unit_test_teardown(flat_rectangles_are_as_stiff_as_on_an_elastic_half_space, crDestroyKeptShapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
