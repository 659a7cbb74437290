// Touches: as deep as brute force says, never deeper than the witness pair, the same after exchanging or moving both,
// and above all with a total force and torque that are continuous along smooth motions.
#include "collide/touch/touch.h"
#include "support/shapes.h"
#include "support/test.h"

#include <string.h>

#define DEPTH 1e-4 // [m] by which pairs are pressed together
#define MAX_SHAPES 64
#define LARGEST_JUMP 5e-3 // [-] of a touch of DEPTH: noise of a normal at a corner of 1 mm, seen by points on a rim

// ------------------------------------------------------------------------------------------ fixtures

static crShape* made[MAX_SHAPES];
static int madeCount;

static const crShape* make(crShapeDef def)
{
  assert_true(madeCount < MAX_SHAPES);
  made[madeCount] = crCreateTestShape(&def);
  return made[madeCount++];
}

static int destroyAll(void** state)
{
  (void)state;
  while (madeCount > 0) {
    crDestroyShape(made[--madeCount]);
  }
  return 0;
}

static const crShape* makeHalfSpace(void)
{
  return make(crDefaultShapeDef(cr_shapeHalfSpace));
}

static const crShape* makeTetrahedron(double size)
{
  crVec3 points[4] = {
    { size, 0.0, 0.0 }, { -0.5 * size, 0.8 * size, 0.0 }, { -0.5 * size, -0.7 * size, 0.0 }, { 0.0, 0.0, size }
  };
  return make(crMakeHull(points, 4));
}

// A prism with `count` sides: vertices by twos, flat faces top and bottom.
static const crShape* makePrism(int count, double radius, double height)
{
  crVec3 points[2 * CR_MAX_REST_VERTICES];
  for (int i = 0; i < count; ++i) {
    double angle = 2.0 * CR_PI * i / count;
    points[2 * i] = crMakeVec3(radius * cos(angle), radius * sin(angle), 0.5 * height);
    points[2 * i + 1] = crMakeVec3(radius * cos(angle), radius * sin(angle), -0.5 * height);
  }
  return make(crMakeHull(points, 2 * count));
}

static const crShape* makeSharp(crShapeDef def)
{
  def.rounding = CR_ZERO;
  return make(def);
}

typedef struct Pair {
  const crShape *a, *b;
  crPose X_WA, X_WB;
} Pair;

static crDistance distanceOf(const Pair* pair)
{
  crDistance d;
  assert_int_equal(crComputeDistance(pair->a, &pair->X_WA, pair->b, &pair->X_WB, NULL, &d), cr_ok);
  return d;
}

static int touchesOf(const Pair* pair, crTouch* out)
{
  crComputeTouches(pair->a, &pair->X_WA, pair->b, &pair->X_WB, NULL, out);
  return crCountTouches(pair->a, pair->b);
}

// Lifts B and lowers it again until the pair penetrates by so much: Newton's method from the side of a convex function
// from which it cannot miss.
static void press(Pair* pair, double depth)
{
  double lift = crShape_GetReach(pair->b) + (crShape_IsBounded(pair->a) ? crShape_GetReach(pair->a) : 0.0);
  pair->X_WB.p.z += lift;
  for (int i = 0; i < 30; ++i) {
    crDistance d = distanceOf(pair);
    double step = (d.distance + depth) / d.normal.z;
    pair->X_WB.p.z -= step;
    if (fabs(step) < 1e-15) {
      break;
    }
  }
}

// Force and torque about A's origin on B, per stiffness, scaled to 1 for one touch of DEPTH.
typedef struct Load {
  crVec3 force, torque;
} Load;

static Load loadOf(const Pair* pair)
{
  crTouch touches[CR_MAX_TOUCHES];
  Load load = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  int count = touchesOf(pair, touches);
  for (int i = 0; i < count; ++i) {
    if (touches[i].distance < 0.0) {
      crVec3 f = crScale(touches[i].weight * pow(-touches[i].distance / DEPTH, 1.5), touches[i].normal);
      load.force = crAdd(load.force, f);
      load.torque = crAdd(load.torque, crCross(crSub(touches[i].point, pair->X_WA.p), f));
    }
  }
  return load;
}

// ---------------------------------------------------------------------------------------- continuity

// B moves along a line and turns about an axis while time goes from 0 to 1; A stays.
typedef struct Motion {
  Pair pair;    // X_WB: at the start
  crVec3 way;   // [m] of B
  crVec3 axis;  // of its turn
  double angle; // [rad] from -angle to angle about X_WB
  double depth; // [m] pressed to this depth all the time; 0: as it is
} Motion;

static Pair pairAt(const Motion* motion, double time)
{
  Pair pair = motion->pair;
  crQuat turn = crAxisAngleToQuat(motion->axis, motion->angle * (2.0 * time - 1.0));
  pair.X_WB.R = crMulMM(crQuatToMat3(turn), pair.X_WB.R);
  pair.X_WB.p = crMulAdd(pair.X_WB.p, time, motion->way);
  if (motion->depth > 0.0) {
    press(&pair, motion->depth);
  }
  return pair;
}

static Load loadAt(const Motion* motion, double time)
{
  Pair pair = pairAt(motion, time);
  return loadOf(&pair);
}

static double jumpBetween(Load x, Load y, double arm)
{
  return fmax(crLength(crSub(x.force, y.force)), crLength(crSub(x.torque, y.torque)) / arm);
}

// The jump that is left after halving the interval towards it: it shrinks with the interval unless it is one.
static double findJump(const Motion* motion, double t0, double t1, Load load0, Load load1, double arm)
{
  const int halvings = 34;
  for (int i = 0; i < halvings; ++i) {
    double middle = 0.5 * (t0 + t1);
    Load load = loadAt(motion, middle);
    if (jumpBetween(load0, load, arm) > jumpBetween(load, load1, arm)) {
      t1 = middle;
      load1 = load;
    } else {
      t0 = middle;
      load0 = load;
    }
  }
  return jumpBetween(load0, load1, arm);
}

// Returns the greatest force on the way.
static double assertNoJumps(const Motion* motion, int steps, const char* name)
{
  double arm = fmin(crShape_GetReach(motion->pair.b), crShape_GetReach(motion->pair.a)), pushed = 0.0;
  Load last = loadAt(motion, 0.0);
  for (int i = 0; i < steps; ++i) {
    Load next = loadAt(motion, (i + 1.0) / steps);
    double jump = findJump(motion, (double)i / steps, (i + 1.0) / steps, last, next, arm);
    pushed = fmax(pushed, crLength(next.force));
    if (jump > LARGEST_JUMP) {
      fail_msg("%s: force or torque jumps by %.3g between %.4g and %.4g", name, jump, (double)i / steps,
               (i + 1.0) / steps);
    }
    last = next;
  }
  return pushed;
}

static void assertContinuous(const Motion* motion, const char* name)
{
  assert_true(assertNoJumps(motion, 150, name) > 0.5);
}

static crPose poseAt(double x, double y, double z)
{
  return (crPose){ crIdentityMat3(), { x, y, z } };
}

static crPose turnedPose(double x, double y, double z, crVec3 angles)
{
  return crMakePose(crMakeVec3(x, y, z), crAnglesToQuat(angles));
}

static void boxes_on_a_floor_tilt_smoothly(void** state)
{
  (void)state;
  const crShape *floor = makeHalfSpace(), *box = make(crMakeBox(0.3, 0.2, 0.1));
  Motion tilt = { { floor, box, poseAt(0, 0, 0), poseAt(0, 0, 0.1) }, { 0, 0, 0 }, { 0.3, 1, 0.2 }, 2.0, DEPTH };
  assertContinuous(&tilt, "tilt");
  Motion flat = { { floor, box, poseAt(0, 0, 0), poseAt(0, 0, 0.1) }, { 0, 0, 0 }, { 0.3, 1, 0.2 }, 0.002, DEPTH };
  assertContinuous(&flat, "flat");
}

static void box_slides_over_the_edge_of_a_box(void** state)
{
  (void)state;
  const crShape *table = make(crMakeBox(1.0, 0.8, 0.1)), *box = make(crMakeBox(0.2, 0.15, 0.1));
  double yaws[] = { 0.0, 1e-4, 0.03, 0.7 };
  for (int i = 0; i < 4; ++i) {
    crPose start = turnedPose(0.3, 0.1, 0.1, crMakeVec3(0, 0, yaws[i]));
    Motion slide = { { table, box, poseAt(0, 0, 0), start }, { 0.25, 0.02, 0 }, { 0, 0, 1 }, 0.01, DEPTH };
    assertContinuous(&slide, "slide");
    // as if supported elsewhere, too: the depth is not that of the pair
    Motion even = { { table, box, poseAt(0, 0, 0), start }, { 0.35, 0.02, 0 }, { 1, 1, 0 }, 2e-4, 0.0 };
    even.pair.X_WB.p.z = 0.1 - DEPTH;
    assertContinuous(&even, "even");
  }
}

static void stacked_boxes_turn_on_each_other(void** state)
{
  (void)state;
  const crShape *a = make(crMakeBox(0.2, 0.2, 0.2)), *b = make(crMakeBox(0.2, 0.2, 0.2));
  Motion yaw = { { a, b, poseAt(0, 0, 0), poseAt(0, 0, 0.2 - DEPTH) }, { 0, 0, 0 }, { 0, 0, 1 }, 0.9, 0.0 };
  assertContinuous(&yaw, "yaw");
  Motion small = yaw;
  small.angle = 0.02;
  small.way = crMakeVec3(0.003, -0.002, 0.0);
  assertContinuous(&small, "small yaw");
  Motion rock = yaw;
  rock.pair.X_WB = turnedPose(0.0, 0.0, 0.2 - DEPTH, crMakeVec3(0, 0, 0.3));
  rock.axis = crMakeVec3(1, 0.4, 0.3);
  rock.angle = 2e-3;
  assertContinuous(&rock, "rock");
}

static void crossed_planks_rock_and_slide(void** state)
{
  (void)state;
  const crShape *a = make(crMakeBox(1.0, 0.1, 0.02)), *b = make(crMakeBox(0.08, 0.9, 0.03));
  Pair crossed = { a, b, poseAt(0, 0, 0), poseAt(0.1, 0.2, 0.025 - DEPTH) };
  Motion rock = { crossed, { 0, 0, 0 }, { 1, 0.7, 0.1 }, 5e-3, 0.0 };
  assertContinuous(&rock, "rock");
  Motion pressed = { crossed, { 0.2, -0.1, 0 }, { 1, 0.7, 0.4 }, 0.02, DEPTH };
  assertContinuous(&pressed, "pressed");
  Motion turn = { crossed, { 0, 0, 0 }, { 0, 0, 1 }, 1.6, 0.0 };
  assertContinuous(&turn, "turn");
  crTouch touches[CR_MAX_TOUCHES];
  int count = touchesOf(&crossed, touches), carrying = 0;
  for (int i = 0; i < count; ++i) {
    carrying += touches[i].distance < 0.0 && touches[i].weight == 1.0;
  }
  assert_int_equal(carrying, 4);
}

static void boxes_without_rounding_rest_on_each_other(void** state)
{
  (void)state;
  const crShape *a = makeSharp(crMakeBox(0.3, 0.3, 0.1)), *b = makeSharp(crMakeBox(0.1, 0.2, 0.1));
  Pair pair = { a, b, poseAt(0, 0, 0), turnedPose(0.1, 0, 0.1 - DEPTH, crMakeVec3(0, 0, 0.3)) };
  Motion rock = { pair, { 0.01, 0, 0 }, { 1, 0.4, 0.3 }, 2e-3, 0.0 };
  assertContinuous(&rock, "rock");
}

static void edges_cross_smoothly(void** state)
{
  (void)state;
  const crShape *a = make(crMakeBox(0.4, 0.1, 0.1)), *b = make(crMakeBox(0.1, 0.4, 0.1));
  Pair edges = { a, b, turnedPose(0, 0, 0, crMakeVec3(CR_PI / 4, 0, 0)),
                 turnedPose(-0.1, 0.02, 0.15, crMakeVec3(0, CR_PI / 4, 0)) };
  Motion slide = { edges, { 0.35, 0.1, 0 }, { 0.2, 0.1, 1 }, 1.5, DEPTH };
  assertContinuous(&slide, "edges");
}

static void capsules_lie_on_boxes_and_each_other(void** state)
{
  (void)state;
  const crShape *table = make(crMakeBox(0.5, 0.4, 0.1)), *a = make(crMakeCapsule(0.03, 0.2)),
                *b = make(crMakeCapsule(0.02, 0.3));
  crPose lying = turnedPose(0.05, 0.03, 0.08, crMakeVec3(0, CR_PI / 2, 0));
  Motion slide = { { table, a, poseAt(0, 0, 0), lying }, { 0.3, 0.05, 0 }, { 0, 0, 1 }, 0.5, DEPTH };
  assertContinuous(&slide, "over the edge");
  Motion tilt = { { table, a, poseAt(0, 0, 0), lying }, { 0, 0, 0 }, { 0, 1, 0.1 }, 2.0, DEPTH };
  assertContinuous(&tilt, "tilt");
  Motion even = { { table, a, poseAt(0, 0, 0), lying }, { 0.3, 0, 0 }, { 0, 1, 0 }, 2e-3, 0.0 };
  even.pair.X_WB.p.z = 0.08 - DEPTH;
  assertContinuous(&even, "even");
  Motion cross = {
    { a, b, lying, turnedPose(0, 0.03, 0.13, crMakeVec3(0, CR_PI / 2, 0)) }, { 0.1, 0, 0 }, { 0, 0.02, 1 }, 0.4, DEPTH
  };
  assertContinuous(&cross, "parallel and crossed");
}

static void hulls_rest_and_turn_on_boxes_and_hulls(void** state)
{
  (void)state;
  const crShape *table = make(crMakeBox(0.5, 0.4, 0.1)), *prism = makePrism(6, 0.1, 0.08),
                *tetrahedron = makeTetrahedron(0.1), *other = makePrism(5, 0.12, 0.1);
  Motion slide = {
    { table, prism, poseAt(0, 0, 0), poseAt(0.1, 0.1, 0.09) }, { 0.2, 0.1, 0 }, { 0.1, 0, 1 }, 0.02, DEPTH
  };
  assertContinuous(&slide, "prism");
  Motion stack = {
    { other, prism, poseAt(0, 0, 0), poseAt(0.01, 0.02, 0.09 - DEPTH) }, { 0.02, 0, 0 }, { 0, 0, 1 }, 1.0, 0
  };
  assertContinuous(&stack, "stack");
  Motion tumble = {
    { other, tetrahedron, poseAt(0, 0, 0), poseAt(0.02, 0.01, 0.1) }, { 0.03, 0.02, 0 }, { 1, 0.4, 0.3 }, 3.0, DEPTH
  };
  assertContinuous(&tumble, "tumble");
}

static void cylinders_tilt_from_face_to_rim_to_side(void** state)
{
  (void)state;
  const crShape* grounds[] = { makeHalfSpace(), make(crMakeBox(1.0, 1.0, 0.1)) };
  const crShape* shapes[] = { make(crMakeCylinder(0.1, 0.15, 0.0)), make(crMakeCone(0.1, 0.0, 0.2)),
                              make(crMakeCone(0.1, 0.04, 0.1)), make(crMakeBeam(0.2, 0.1, 0.05)) };
  for (int g = 0; g < 2; ++g) {
    for (int k = 0; k < 4; ++k) {
      Pair pair = { grounds[g], shapes[k], poseAt(0, 0, 0), poseAt(0.03, 0.02, 0.2) };
      Motion tumble = { pair, { 0, 0, 0 }, { 0.3, 1, 0.1 }, 3.0, DEPTH };
      assertContinuous(&tumble, "tumble");
      Motion flat = { pair, { 0, 0, 0 }, { 0.3, 1, 0.1 }, 3e-3, DEPTH };
      assertContinuous(&flat, "flat");
      Motion lying = tumble;
      lying.pair.X_WB = turnedPose(0, 0, 0.2, crMakeVec3(CR_PI / 2, 0, 0));
      lying.axis = crMakeVec3(1, 0.1, 0.02);
      lying.angle = 0.01;
      assertContinuous(&lying, "lying");
      Motion roll = lying;
      roll.axis = crMakeVec3(0, 1, 0);
      roll.angle = 1.0;
      roll.way = crMakeVec3(0.1, 0, 0);
      assertContinuous(&roll, "roll");
    }
  }
}

static void cylinders_cross_edges_and_each_other(void** state)
{
  (void)state;
  const crShape *plank = make(crMakeBox(0.1, 1.0, 0.05)), *table = make(crMakeBox(0.6, 0.6, 0.1));
  const crShape* shapes[] = { make(crMakeCylinder(0.05, 0.4, 0.0)), make(crMakeCone(0.06, 0.0, 0.4)),
                              make(crMakeBeam(0.3, 0.08, 0.05)) };
  const crShape *log = make(crMakeCylinder(0.07, 0.5, 0.0)), *disc = make(crMakeCylinder(0.1, 0.04, 0.0));
  for (int k = 0; k < 3; ++k) {
    crPose lying = turnedPose(0.02, 0.03, 0.2, crMakeVec3(0, CR_PI / 2 - 0.1, 0));
    Motion across = { { plank, shapes[k], poseAt(0, 0, 0), lying }, { 0, 0, 0 }, { 0.2, 1, 0.1 }, 0.3, DEPTH };
    assertContinuous(&across, "across a plank");
    Motion over = { { table, shapes[k], poseAt(0, 0, 0), lying }, { 0.28, 0.1, 0 }, { 0.1, 0.1, 1 }, 0.4, DEPTH };
    assertContinuous(&over, "over an edge");
    Motion pile = { { log, shapes[k], turnedPose(0, 0, 0, crMakeVec3(0, CR_PI / 2, 0)), lying },
                    { 0.1, 0.02, 0 },
                    { 0.1, 0.3, 1 },
                    0.3,
                    DEPTH };
    assertContinuous(&pile, "on a log");
  }
  Motion overhang = {
    { table, disc, poseAt(0, 0, 0), poseAt(0.15, 0.1, 0.2) }, { 0.2, 0.1, 0 }, { 0.5, 1, 0.3 }, 0.01, DEPTH
  };
  assertContinuous(&overhang, "overhang");
  Motion even = { { table, disc, poseAt(0, 0, 0), turnedPose(0.15, 0.1, 0.07 - DEPTH, crMakeVec3(1e-4, 2e-4, 0)) },
                  { 0.3, 0.1, 0 },
                  { 0, 1, 0 },
                  1e-4,
                  0.0 };
  assertContinuous(&even, "even overhang");
}

static void discs_rest_half_beside_each_other(void** state)
{
  (void)state;
  const crShape *disc = make(crMakeCylinder(0.1, 0.04, 0.0)), *small = make(crMakeCylinder(0.07, 0.05, 0.0));
  const crShape* others[] = { disc, small, make(crMakeCone(0.12, 0.0, 0.1)), make(crMakeBeam(0.2, 0.1, 0.05)) };
  double heights[] = { 0.04, 0.045, 0.02, 0.045 };
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 3; ++i) {
      crPose start = turnedPose(0.06 + 0.04 * i, 0.02, heights[k] - DEPTH, crMakeVec3(1e-4, 1e-4, 0.2));
      Motion rock = { { disc, others[k], poseAt(0, 0, 0), start }, { 0, 0, 0 }, { 0.3, 1, 0.1 }, 3e-3, 0.0 };
      assertContinuous(&rock, "rock");
      Motion slide = { { disc, others[k], poseAt(0, 0, 0), start }, { 0.03, 0.04, 0 }, { 0.3, 1, 0.1 }, 1e-3, 0.0 };
      assertContinuous(&slide, "slide");
    }
  }
}

// ---------------------------------------------------------------------------------------- identities

typedef struct Cast {
  const crShape* shapes[12];
  int count;
} Cast;

static Cast makeCast(void)
{
  crShapeDef turned = crMakeCylinder(0.07, 0.2, 0.0);
  turned.axis = crMakeVec3(1, 2, -1);
  crShapeDef inflated = crMakeBox(0.1, 0.12, 0.2);
  inflated.inflate = 0.005;
  return (Cast){ { makeHalfSpace(), make(crMakeSphere(0.1)), make(crMakeBox(0.2, 0.3, 0.1)),
                   make(crMakeCapsule(0.05, 0.2)), make(crMakeCylinder(0.1, 0.1, 0.0)), make(crMakeCone(0.1, 0.0, 0.2)),
                   make(crMakeBeam(0.2, 0.1, 0.08)), makePrism(7, 0.1, 0.15), makeTetrahedron(0.2),
                   make(crMakeEllipsoid(0.1, 0.05, 0.07)), make(turned), make(inflated) },
                 12 };
}

static Pair randomPair(const Cast* cast, crRandom* random)
{
  Pair pair = { cast->shapes[crRandom_Next(random) % 12], cast->shapes[1 + crRandom_Next(random) % 11],
                crMakePose(crMakeVec3(0.3, -0.2, 0.1), crRandom_Rotation(random)),
                crMakePose(crMakeVec3(0.3, -0.2, 0.1), crRandom_Rotation(random)) };
  crVec3 direction = !crShape_IsBounded(pair.a) ? crMulMV(pair.X_WA.R, crMakeVec3(0, 0, 1)) : crRandom_UnitVec3(random);
  pair.X_WB.p = crMulAdd(pair.X_WB.p, 0.7, direction);
  for (int i = 0; i < 6; ++i) {
    crDistance d = distanceOf(&pair);
    pair.X_WB.p = crMulAdd(pair.X_WB.p, -(d.distance + DEPTH), d.normal);
  }
  return pair;
}

static void no_touch_is_deeper_than_the_witness_pair_and_one_is_as_deep(void** state)
{
  (void)state;
  Cast cast = makeCast();
  crRandom random = crMakeRandom(5);
  crTouch touches[CR_MAX_TOUCHES];
  for (int i = 0; i < 20000; ++i) {
    Pair pair = randomPair(&cast, &random);
    crDistance d = distanceOf(&pair);
    int count = touchesOf(&pair, touches);
    double push = 0.0;
    for (int k = 0; k < count; ++k) {
      if (!(touches[k].distance >= d.distance - 1e-10)) {
        fail_msg("%s - %s: touch %d of %d is %.3g deep, the pair %.3g", crShapeKind_GetText(crShape_GetKind(pair.a)),
                 crShapeKind_GetText(crShape_GetKind(pair.b)), k, count, -touches[k].distance, -d.distance);
      }
      assert_close(crLength(touches[k].normal), 1.0, 1e-12);
      push += touches[k].distance < 0.0 ? touches[k].weight * pow(-touches[k].distance / -d.distance, 1.5) : 0.0;
    }
    if (!(push > 0.8)) {
      fail_msg("%s - %s: only %.3g of the force", crShapeKind_GetText(crShape_GetKind(pair.a)),
               crShapeKind_GetText(crShape_GetKind(pair.b)), push);
    }
  }
}

static void apart_no_touch_is_nearer_than_the_shapes(void** state)
{
  (void)state;
  Cast cast = makeCast();
  crRandom random = crMakeRandom(6);
  crTouch touches[CR_MAX_TOUCHES];
  for (int i = 0; i < 5000; ++i) {
    Pair pair = randomPair(&cast, &random);
    crDistance d = distanceOf(&pair);
    double gap = DEPTH + pow(10.0, crRandom_Uniform(&random, -9.0, -1.0));
    pair.X_WB.p = crMulAdd(pair.X_WB.p, gap, d.normal);
    d = distanceOf(&pair);
    int count = touchesOf(&pair, touches);
    double least = HUGE_VAL;
    for (int k = 0; k < count; ++k) {
      assert_true(touches[k].distance > 0.0);
      least = fmin(least, touches[k].distance);
    }
    assert_true(least <= d.distance + 1e-10);
    assert_true(least > 0.5 * d.distance);
  }
}

static void exchanging_or_moving_both_shapes_changes_nothing(void** state)
{
  (void)state;
  Cast cast = makeCast();
  crRandom random = crMakeRandom(7);
  for (int i = 0; i < 5000; ++i) {
    Pair pair = randomPair(&cast, &random), exchanged = { pair.b, pair.a, pair.X_WB, pair.X_WA };
    Load load = loadOf(&pair), other = loadOf(&exchanged);
    assert_int_equal(crCountTouches(pair.a, pair.b), crCountTouches(pair.b, pair.a));
    crVec3 arm = crSub(pair.X_WB.p, pair.X_WA.p);
    assert_vec_close(other.force, crNeg(load.force), 1e-7);
    assert_vec_close(other.torque, crNeg(crSub(load.torque, crCross(arm, load.force))), 1e-7);
    crPose X = crMakePose(crMakeVec3(1.0, -2.0, 0.5), crRandom_Rotation(&random));
    Pair moved = { pair.a, pair.b, crMulPose(X, pair.X_WA), crMulPose(X, pair.X_WB) };
    Load far = loadOf(&moved);
    assert_vec_close(far.force, crMulMV(X.R, load.force), 1e-7);
    assert_vec_close(far.torque, crMulMV(X.R, load.torque), 1e-7);
  }
}

// Cores must not meet: beyond, a shortest way out is not continuous.
static bool staysShallow(const Motion* motion)
{
  bool isShallow = true;
  for (int i = 0; i <= 100 && isShallow; ++i) {
    Pair pair = pairAt(motion, i / 100.0);
    isShallow = distanceOf(&pair).distance > -1e-3;
  }
  return isShallow;
}

static void random_motions_are_continuous(void** state)
{
  (void)state;
  Cast cast = makeCast();
  crRandom random = crMakeRandom(8);
  int done = 0;
  for (int i = 0; i < 400; ++i) {
    Pair pair = randomPair(&cast, &random);
    crVec3 across = crCross(distanceOf(&pair).normal, crRandom_UnitVec3(&random));
    double length = pow(10.0, crRandom_Uniform(&random, -3.0, -1.0));
    Motion motion = { pair, crScale(length, across), crRandom_UnitVec3(&random), 0.0, 0.0 };
    motion.pair.X_WB.p = crMulAdd(pair.X_WB.p, -0.5 * length, across);
    motion.angle = pow(10.0, crRandom_Uniform(&random, -4.0, -1.0));
    if (staysShallow(&motion)) {
      assertNoJumps(&motion, 50, "random");
      ++done;
    }
  }
  assert_true(done > 150);
}

// ---------------------------------------------------------------------------------------- brute force

// The least distance of two segments over a grid that narrows around the best place; their distance is convex.
static double searchSegments(crVec3 p, crVec3 d, crVec3 q, crVec3 e)
{
  double s0 = 0.0, s1 = 1.0, t0 = 0.0, t1 = 1.0, best = HUGE_VAL;
  for (int round = 0; round < 40; ++round) {
    double bestS = 0.0, bestT = 0.0;
    best = HUGE_VAL;
    for (int i = 0; i <= 10; ++i) {
      for (int k = 0; k <= 10; ++k) {
        double s = s0 + (s1 - s0) * i / 10.0, t = t0 + (t1 - t0) * k / 10.0;
        double length = crLength(crSub(crMulAdd(q, t, e), crMulAdd(p, s, d)));
        if (length < best) {
          best = length;
          bestS = s;
          bestT = t;
        }
      }
    }
    double halfS = 0.3 * (s1 - s0), halfT = 0.3 * (t1 - t0);
    s0 = fmax(0.0, bestS - halfS);
    s1 = fmin(1.0, bestS + halfS);
    t0 = fmax(0.0, bestT - halfT);
    t1 = fmin(1.0, bestT + halfT);
  }
  return best;
}

static crVec3 cornerOf(crVec3 half, int i)
{
  return crMakeVec3(i & 1 ? -half.x : half.x, i & 2 ? -half.y : half.y, i & 4 ? -half.z : half.z);
}

// Of all edges of two boxes without rounding, swept by balls of radius r: how many pairs overlap, the deepest by how
// much.
static int countOverlappingEdges(const Pair* pair, crVec3 halfA, crVec3 halfB, double r, double* outDeepest)
{
  int count = 0;
  *outDeepest = 0.0;
  for (int i = 0; i < 64; ++i) {
    for (int k = 0; k < 64; ++k) {
      int a0 = i & 7, a1 = i >> 3, b0 = k & 7, b1 = k >> 3, bitA = a0 ^ a1, bitB = b0 ^ b1;
      bool isEdgeA = a0 < a1 && (bitA & (bitA - 1)) == 0, isEdgeB = b0 < b1 && (bitB & (bitB - 1)) == 0;
      if (isEdgeA && isEdgeB) {
        crVec3 p = crTransformPoint(pair->X_WA, cornerOf(halfA, a0)),
               q = crTransformPoint(pair->X_WB, cornerOf(halfB, b0));
        crVec3 d = crSub(crTransformPoint(pair->X_WA, cornerOf(halfA, a1)), p);
        crVec3 e = crSub(crTransformPoint(pair->X_WB, cornerOf(halfB, b1)), q);
        double depth = r - searchSegments(p, d, q, e);
        count += depth > 0.0;
        *outDeepest = fmax(*outDeepest, depth);
      }
    }
  }
  return count;
}

static void crossings_are_as_deep_as_a_search_over_all_edges_says(void** state)
{
  (void)state;
  const crShape *a = make(crMakeBox(0.3, 0.1, 0.04)), *b = make(crMakeBox(0.08, 0.25, 0.06));
  double r = crShape_GetRounding(a);
  crVec3 halfA = crMakeVec3(0.15 - r, 0.05 - r, 0.02 - r), halfB = crMakeVec3(0.04 - r, 0.125 - r, 0.03 - r);
  crRandom random = crMakeRandom(9);
  crTouch touches[CR_MAX_TOUCHES];
  for (int i = 0; i < 30; ++i) {
    double tilt = pow(10.0, crRandom_Uniform(&random, -4.0, -0.3));
    crVec3 angles = crMakeVec3(tilt, crRandom_Uniform(&random, -1.0, 1.0) * tilt, crRandom_Uniform(&random, -3.0, 3.0));
    Pair pair = { a, b, poseAt(0, 0, 0), turnedPose(0.02, -0.01, 0.05, angles) };
    press(&pair, DEPTH);
    double deepest, found = 0.0;
    int overlapping = countOverlappingEdges(&pair, halfA, halfB, 2.0 * r, &deepest), listed = 0;
    touchesOf(&pair, touches);
    for (int k = 16; k < 16 + CR_MAX_CROSSINGS; ++k) {
      listed += touches[k].distance < 0.0;
      found = fmax(found, -touches[k].distance);
    }
    // steep edges end in corners that carry; so does all that is not listed
    assert_true(listed <= overlapping);
    for (int k = 0; k < 16; ++k) {
      found = fmax(found, -touches[k].distance);
    }
    assert_true(found >= deepest - 1e-9);
  }
}

static void rest_points_of_hulls_are_as_deep_as_spheres_there(void** state)
{
  (void)state;
  const crShape* hulls[] = { makePrism(7, 0.1, 0.15), makeTetrahedron(0.2) };
  const crShape *box = make(crMakeBox(0.2, 0.1, 0.15)), *ball = make(crMakeSphere(crShape_GetRounding(box)));
  crVec3 half = crMakeVec3(0.1, 0.05, 0.075);
  half = crSub(half, crMakeVec3(1e-3, 1e-3, 1e-3));
  crRandom random = crMakeRandom(10);
  crTouch touches[CR_MAX_TOUCHES];
  for (int i = 0; i < 3000; ++i) {
    Pair pair = { hulls[i % 2], box, crIdentityPose(),
                  crMakePose(crScale(0.3, crRandom_UnitVec3(&random)), crRandom_Rotation(&random)) };
    for (int k = 0; k < 5; ++k) {
      crDistance d = distanceOf(&pair);
      pair.X_WB.p = crMulAdd(pair.X_WB.p, -(d.distance + DEPTH), d.normal);
    }
    int count = touchesOf(&pair, touches), first = count - CR_MAX_CROSSINGS - 8;
    for (int k = 0; k < 8; ++k) {
      Pair alone = { pair.a, ball, pair.X_WA, pair.X_WB };
      alone.X_WB.p = crTransformPoint(pair.X_WB, cornerOf(half, k));
      crDistance d = distanceOf(&alone);
      if (touches[first + k].distance < 0.0) {
        assert_close(touches[first + k].distance, d.distance, 1e-11);
        assert_vec_close(touches[first + k].normal, d.normal, 1e-8);
        assert_vec_close(touches[first + k].point, crScale(0.5, crAdd(d.pointA, d.pointB)), 1e-9);
      } else {
        assert_true(d.distance >= touches[first + k].distance - 1e-11);
      }
    }
  }
}

// Elastic energy, scaled as the force is.
static double energyOf(const Pair* pair)
{
  crTouch touches[CR_MAX_TOUCHES];
  int count = touchesOf(pair, touches);
  double energy = 0.0;
  for (int i = 0; i < count; ++i) {
    energy +=
        touches[i].distance < 0.0 ? touches[i].weight * 0.4 * DEPTH * pow(-touches[i].distance / DEPTH, 2.5) : 0.0;
  }
  return energy;
}

// -dE/ds against force and torque, for a move of B along `way` and a turn about `axis` and its origin.
static void assertForceIsDerivative(const Pair* pair, crVec3 way, crVec3 axis, double tolerance)
{
  const double step = 1e-8;
  double energies[2];
  for (int side = 0; side < 2; ++side) {
    Pair moved = *pair;
    double s = side ? step : -step;
    moved.X_WB.p = crMulAdd(moved.X_WB.p, s, way);
    moved.X_WB.R = crMulMM(crQuatToMat3(crAxisAngleToQuat(axis, s * crLength(axis))), moved.X_WB.R);
    energies[side] = energyOf(&moved);
  }
  Load load = loadOf(pair);
  crVec3 torque = crSub(load.torque, crCross(crSub(pair->X_WB.p, pair->X_WA.p), load.force));
  assert_close(-(energies[1] - energies[0]) / (2.0 * step), crDot(load.force, way) + crDot(torque, axis), tolerance);
}

static void force_is_the_derivative_of_energy(void** state)
{
  (void)state;
  const crShape *floor = makeHalfSpace(), *box = make(crMakeBox(0.3, 0.2, 0.1)),
                *table = make(crMakeBox(0.5, 0.4, 0.1));
  const crShape *cylinder = make(crMakeCylinder(0.1, 0.15, 0.0)), *plank = make(crMakeBox(0.1, 0.9, 0.05));
  const crShape *shapes[] = { box, cylinder }, *grounds[] = { floor, table, plank };
  double tops[] = { 0.0, 0.05, 0.025 }, halves[] = { 0.05, 0.075 };
  crRandom random = crMakeRandom(11);
  for (int i = 0; i < 600; ++i) {
    int g = i % 3, k = g == 2 ? 0 : i / 3 % 2;
    crVec3 tilt = crScale(pow(10.0, crRandom_Uniform(&random, -6.0, -3.0)), crRandom_UnitVec3(&random));
    tilt.z = g == 2 ? 0.1 : crRandom_Uniform(&random, -0.2, 0.2);
    crVec3 angles = g == 2 ? crMakeVec3(tilt.x, tilt.y, tilt.z + 0.1) : tilt;
    Pair pair = { grounds[g], shapes[k], poseAt(0, 0, 0), turnedPose(0.01, 0.02, tops[g] + halves[k] - DEPTH, angles) };
    // a rim's change of sets is no potential, but nearly
    assertForceIsDerivative(&pair, crRandom_UnitVec3(&random), crScale(10.0, crRandom_UnitVec3(&random)),
                            k == 1 ? 0.05 : 1e-4);
  }
}

// ------------------------------------------------------------------------------------------ geometry

static crTouchGeometry deepestGeometry(const Pair* pair)
{
  crTouch touches[CR_MAX_TOUCHES];
  int count = touchesOf(pair, touches), deepest = 0;
  for (int i = 1; i < count; ++i) {
    deepest = touches[i].distance < touches[deepest].distance ? i : deepest;
  }
  return crComputeTouchGeometry(pair->a, &pair->X_WA, pair->b, &pair->X_WB, deepest);
}

static void assertContactRadius(const crShape* shape, crVec3 angles, double radius, bool isRound)
{
  const crShape* floor = makeHalfSpace();
  Pair pair = { floor, shape, crIdentityPose(), turnedPose(0, 0, 1, angles) };
  press(&pair, 1e-6);
  crTouchGeometry g = deepestGeometry(&pair);
  assert_close(g.radiusB, radius, 1e-6);
  assert_int_equal(g.isRoundB, isRound);
  assert_false(g.isRoundA);
  assert_true(isinf(g.halfSizeA) && isinf(g.radiusA));
  assert_close(g.halfSizeB, 0.5 * crShape_GetSmallestDimension(shape), 0.0);
  Pair exchanged = { pair.b, pair.a, pair.X_WB, pair.X_WA };
  assert_close(deepestGeometry(&exchanged).radiusA, radius, 1e-6);
}

static void contact_radii_are_those_of_what_touches(void** state)
{
  (void)state;
  const double r = 1e-3;
  crVec3 flat = { 0, 0, 0 }, edge = { 0.7, 0, 0 }, corner = { 0.7, 0.5, 0 }, landing = { 0.01, 0.02, 0 };
  const crShape *box = make(crMakeBox(0.3, 0.2, 0.1)), *cylinder = make(crMakeCylinder(0.1, 0.4, 0.0));
  const crShape *cone = make(crMakeCone(0.1, 0.0, 0.2)), *capsule = make(crMakeCapsule(0.05, 0.2));
  assertContactRadius(make(crMakeSphere(0.07)), edge, 0.07, true);
  assertContactRadius(capsule, edge, 0.05, true);
  assertContactRadius(box, flat, 0.05, false);
  assertContactRadius(box, landing, 0.05, false);
  assertContactRadius(box, edge, sqrt(r * 0.05), true);
  assertContactRadius(box, corner, r, true);
  assertContactRadius(makeSharp(crMakeBox(0.3, 0.2, 0.1)), corner, r, true);
  assertContactRadius(cylinder, flat, 0.1, false);
  assertContactRadius(cylinder, edge, sqrt(r * 0.1), true);
  assertContactRadius(cylinder, crMakeVec3(CR_PI / 2, 0, 0), 0.1, true);
  assertContactRadius(cone, flat, 0.1, false);
  assertContactRadius(cone, crMakeVec3(CR_PI, 0, 0), r, true);
  assertContactRadius(make(crMakeEllipsoid(0.3, 0.2, 0.1)), flat, 0.3 * 0.2 / 0.1, true);
  assertContactRadius(makeTetrahedron(0.1), flat, 0.5 * crShape_GetSmallestDimension(makeTetrahedron(0.1)), false);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(boxes_on_a_floor_tilt_smoothly, destroyAll),
    cmocka_unit_test_teardown(box_slides_over_the_edge_of_a_box, destroyAll),
    cmocka_unit_test_teardown(stacked_boxes_turn_on_each_other, destroyAll),
    cmocka_unit_test_teardown(crossed_planks_rock_and_slide, destroyAll),
    cmocka_unit_test_teardown(boxes_without_rounding_rest_on_each_other, destroyAll),
    cmocka_unit_test_teardown(edges_cross_smoothly, destroyAll),
    cmocka_unit_test_teardown(capsules_lie_on_boxes_and_each_other, destroyAll),
    cmocka_unit_test_teardown(hulls_rest_and_turn_on_boxes_and_hulls, destroyAll),
    cmocka_unit_test_teardown(cylinders_tilt_from_face_to_rim_to_side, destroyAll),
    cmocka_unit_test_teardown(cylinders_cross_edges_and_each_other, destroyAll),
    cmocka_unit_test_teardown(discs_rest_half_beside_each_other, destroyAll),
    cmocka_unit_test_teardown(no_touch_is_deeper_than_the_witness_pair_and_one_is_as_deep, destroyAll),
    cmocka_unit_test_teardown(apart_no_touch_is_nearer_than_the_shapes, destroyAll),
    cmocka_unit_test_teardown(exchanging_or_moving_both_shapes_changes_nothing, destroyAll),
    cmocka_unit_test_teardown(random_motions_are_continuous, destroyAll),
    cmocka_unit_test_teardown(crossings_are_as_deep_as_a_search_over_all_edges_says, destroyAll),
    cmocka_unit_test_teardown(rest_points_of_hulls_are_as_deep_as_spheres_there, destroyAll),
    cmocka_unit_test_teardown(force_is_the_derivative_of_energy, destroyAll),
    cmocka_unit_test_teardown(contact_radii_are_those_of_what_touches, destroyAll),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
