// The time to contact against closed forms, and against dense sampling of motions that keep to the bounds.
#include "collide/distance/advance.h"
#include "collide/distance/swing.h"
#include "support/shapes.h"
#include "support/test.h"

static crMotionSegment still(crVec3 p)
{
  crMotionSegment segment = { .pose = crIdentityPose() };
  segment.pose.p = p;
  return segment;
}

static crMotionSegment moving(crVec3 p, crVec3 v)
{
  crMotionSegment segment = still(p);
  segment.velocity = v;
  return segment;
}

static crShape* makeSphere(double radius)
{
  crShapeDef def = crMakeSphere(radius);
  return crCreateTestShape(&def);
}

static crShape* makeBox(double x, double y, double z)
{
  crShapeDef def = crMakeBox(x, y, z);
  return crCreateTestShape(&def);
}

static crShape* makeHalfSpace(double inflate)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeHalfSpace);
  def.inflate = inflate;
  return crCreateTestShape(&def);
}

static double timeToContact(const crShape* a, crMotionSegment segmentA, const crShape* b, crMotionSegment segmentB,
                            double duration, double tolerance)
{
  double time = NAN, swapped = NAN;
  assert_int_equal(crComputeTimeToContact(a, &segmentA, b, &segmentB, duration, tolerance, &time), cr_ok);
  assert_int_equal(crComputeTimeToContact(b, &segmentB, a, &segmentA, duration, tolerance, &swapped), cr_ok);
  assert_true(time >= 0.0 && time <= duration);
  assert_close(time, swapped, 1e-9 * duration);
  return time;
}

// ------------------------------------------------------------------------------------- closed forms

// Centres at the distance D approach along a line that passes at the distance m: (D^2 - m^2)^1/2 - (R^2 - m^2)^1/2.
static void flying_spheres_meet_when_the_closed_form_says(void** state)
{
  (void)state;
  crShape *a = makeSphere(0.5), *b = makeSphere(0.25);
  for (double m = 0.0; m < 0.749; m += 0.05) {
    double speed = 3.0, tolerance = 1e-9;
    double way = 4.0 - sqrt(0.75 * 0.75 - m * m);
    double steep = sqrt(1.0 - m * m / (0.75 * 0.75)); // approach per way at contact
    double time = timeToContact(a, moving(crMakeVec3(1, 2, 3), crMakeVec3(1.0, 0, 0)), b,
                                moving(crMakeVec3(5, 2 + m, 3), crMakeVec3(1.0 - speed, 0, 0)), 10.0, tolerance);
    assert_true(time <= way / speed);
    assert_close(time, way / speed, 2.0 * tolerance / (speed * steep) + 1e-12);
  }
  crDestroyShape(a);
  crDestroyShape(b);
}

static void spheres_that_pass_or_part_never_meet(void** state)
{
  (void)state;
  crShape *a = makeSphere(0.5), *b = makeSphere(0.25);
  crMotionSegment fixed = still(crMakeVec3(0, 0, 0));
  crVec3 left = { -3.0, 0, 0 }, right = { 3.0, 0, 0 };
  assert_true(timeToContact(a, fixed, b, moving(crMakeVec3(4, 0, 0), right), 10.0, 1e-9) == 10.0);
  assert_true(timeToContact(a, fixed, b, moving(crMakeVec3(4, 0.751, 0), left), 10.0, 1e-9) == 10.0);
  assert_true(timeToContact(a, fixed, b, moving(crMakeVec3(4, 0.75 + 1e-6, 0), left), 10.0, 1e-9) == 10.0);
  assert_true(timeToContact(a, fixed, b, still(crMakeVec3(0.8, 0, 0)), 10.0, 1e-9) == 10.0);
  // a graze below the tolerance is a contact, near the closest approach
  double graze = timeToContact(a, fixed, b, moving(crMakeVec3(4, 0.75 + 1e-12, 0), left), 10.0, 1e-9);
  assert_close(graze, 4.0 / 3.0, 1e-4);
  crDestroyShape(a);
  crDestroyShape(b);
}

// Both start at rest and accelerate at each other: gap = 1/2 a t^2.
static void bounded_acceleration_is_the_worst_one(void** state)
{
  (void)state;
  crShape *a = makeSphere(0.5), *b = makeSphere(0.25);
  crMotionSegment fixed = still(crMakeVec3(0, 0, 0)), other = still(crMakeVec3(2.75, 0, 0));
  fixed.acceleration = 6.0;
  other.acceleration = 10.0;
  assert_close(timeToContact(a, fixed, b, other, 10.0, 1e-10), 0.5, 1e-9);
  // against an opening speed of 8: 2 + 8 t = 8 t^2
  other.velocity = crMakeVec3(8.0, 0, 0);
  assert_close(timeToContact(a, fixed, b, other, 10.0, 1e-10), 0.5 * (1.0 + sqrt(2.0)), 1e-9);
  // against an approaching one of 2: 2 - 2 t = 8 t^2
  other.velocity = crMakeVec3(-2.0, 0, 0);
  assert_close(timeToContact(a, fixed, b, other, 10.0, 1e-10), (sqrt(17.0) - 1.0) / 8.0, 1e-9);
  crDestroyShape(a);
  crDestroyShape(b);
}

static void falling_ball_reaches_the_ground_in_time(void** state)
{
  (void)state;
  crShape *ground = makeHalfSpace(0.0), *raised = makeHalfSpace(0.25), *ball = makeSphere(0.5);
  crMotionSegment floor = still(crMakeVec3(0, 0, 0)), drop = still(crMakeVec3(3, 4, 5.5));
  drop.acceleration = 10.0;
  drop.spin = 100.0; // a ball about its centre reaches no farther by turning
  assert_close(timeToContact(ground, floor, ball, drop, 10.0, 1e-10), 1.0, 1e-9);
  assert_close(timeToContact(raised, floor, ball, drop, 10.0, 1e-10), sqrt(2.0 * 4.75 / 10.0), 1e-9);
  drop.velocity = crMakeVec3(50.0, 0, -4.0);
  drop.acceleration = 0.0;
  assert_close(timeToContact(ground, floor, ball, drop, 10.0, 1e-10), 1.25, 1e-9);
  floor.pose.R = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(1, 0, 0), CR_PI)); // solid above
  assert_close(timeToContact(ground, floor, ball, drop, 10.0, 1e-10), 0.0, 0.0);
  crDestroyShape(ground);
  crDestroyShape(raised);
  crDestroyShape(ball);
}

static void half_spaces_meet_unless_they_face_each_other(void** state)
{
  (void)state;
  crShape* a = makeHalfSpace(0.0);
  crMotionSegment lower = still(crMakeVec3(0, 0, 0)), upper = moving(crMakeVec3(0, 0, 2), crMakeVec3(0, 0, -4));
  crMat3 over = { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
  upper.pose.R = over;
  assert_close(timeToContact(a, lower, a, upper, 10.0, 1e-10), 0.5, 1e-9);
  assert_close(timeToContact(a, upper, a, upper, 10.0, 1e-10), 0.0, 0.0);
  crDestroyShape(a);
}

static void fast_ball_does_not_slip_through_a_thin_plate(void** state)
{
  (void)state;
  crShape *plate = makeBox(1.0, 1.0, 0.001), *ball = makeSphere(0.005);
  crMotionSegment fixed = still(crMakeVec3(0, 0, 0));
  for (double x = -0.4; x < 0.5; x += 0.1) {
    crMotionSegment shot = moving(crMakeVec3(x, 0.1, 1.0), crMakeVec3(0, 0, -1000.0));
    double time = timeToContact(plate, fixed, ball, shot, 0.01, 1e-9);
    assert_true(time <= (1.0 - 0.0055) / 1000.0);
    assert_close(time, (1.0 - 0.0055) / 1000.0, 1e-11);
  }
  crDestroyShape(plate);
  crDestroyShape(ball);
}

// A rod of length 2 turns about its middle: its tip reaches the height h at sin(angle) = h.
static void turning_rod_reaches_as_far_as_its_tip(void** state)
{
  (void)state;
  crShapeDef def = crMakeCapsule(0.01, 2.0);
  crShape *rod = crCreateTestShape(&def), *ball = makeSphere(0.1);
  crMotionSegment turning = still(crMakeVec3(0, 0, 0)), fixed = still(crMakeVec3(0.61, 0, 0));
  turning.spin = 2.0;
  // the tip meets the ball's height at asin(0.5 / 1.01), earlier than any point of this rod, and not by far
  double bound = timeToContact(rod, turning, ball, fixed, 10.0, 1e-9);
  assert_true(bound <= asin(0.5) / 2.0);
  assert_true(bound > 0.95 * asin(0.5) / 2.0);
  fixed.pose.p.x = 1.12; // out of reach
  assert_true(timeToContact(rod, turning, ball, fixed, 10.0, 1e-9) == 10.0);
  crDestroyShape(rod);
  crDestroyShape(ball);
}

static void shapes_that_touch_at_the_start_give_zero(void** state)
{
  (void)state;
  crShape *a = makeBox(1.0, 1.0, 1.0), *b = makeSphere(0.5);
  crMotionSegment fixed = still(crMakeVec3(0, 0, 0));
  assert_true(timeToContact(a, fixed, b, moving(crMakeVec3(1.0, 0, 0), crMakeVec3(9.0, 0, 0)), 1.0, 1e-9) == 0.0);
  assert_true(timeToContact(a, fixed, b, still(crMakeVec3(0.1, 0, 0)), 1.0, 1e-9) == 0.0);
  assert_true(timeToContact(a, fixed, b, still(crMakeVec3(0, 0, 0)), 1.0, 1e-9) == 0.0);
  assert_true(timeToContact(a, fixed, b, still(crMakeVec3(5.0, 0, 0)), 0.0, 1e-9) == 0.0);
  crDestroyShape(a);
  crDestroyShape(b);
}

// A ball that flies into the notch between two boxes meets neither their hull nor anything before the floor.
static void pieces_of_a_mesh_count_one_by_one(void** state)
{
  (void)state;
  crTestBox boxes[2] = { { { -2, -1, 0 }, { -1, 1, 1 } }, { { 1, -1, 0 }, { 2, 1, 1 } } };
  crMesh* mesh = crCreateBoxMesh(boxes, 2);
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = mesh;
  crShape *notch = crCreateTestShape(&def), *ball = makeSphere(0.5);
  crMotionSegment fixed = still(crMakeVec3(0, 0, 0));
  crMotionSegment through = moving(crMakeVec3(0, 0, 5), crMakeVec3(0, 0, -2.0));
  assert_true(timeToContact(notch, fixed, ball, through, 4.0, 1e-9) == 4.0);
  crMotionSegment onto = moving(crMakeVec3(1.5, 0, 5), crMakeVec3(0, 0, -2.0));
  assert_close(timeToContact(notch, fixed, ball, onto, 4.0, 1e-9), 1.75, 1e-8);
  crDestroyShape(notch);
  crDestroyShape(ball);
  crReleaseMesh(mesh);
}

// ---------------------------------------------------------------------------------------- sampling

// A motion that keeps to the bounds of its segment: the acceleration and the angular velocity have full size, and
// turn at random.
typedef struct Trajectory {
  crPose X;
  crVec3 v;
  double acceleration, spin;
  crVec3 a, w;
} Trajectory;

static Trajectory startTrajectory(const crMotionSegment* segment)
{
  Trajectory trajectory = { .X = segment->pose, .v = segment->velocity };
  trajectory.acceleration = segment->acceleration;
  trajectory.spin = segment->spin;
  return trajectory;
}

static void advanceTrajectory(Trajectory* trajectory, crRandom* random, bool turns, double dt)
{
  if (turns) {
    trajectory->a = crScale(trajectory->acceleration, crRandom_UnitVec3(random));
    trajectory->w = crScale(trajectory->spin, crRandom_UnitVec3(random));
  }
  trajectory->X.p = crMulAdd(crMulAdd(trajectory->X.p, dt, trajectory->v), 0.5 * dt * dt, trajectory->a);
  trajectory->v = crMulAdd(trajectory->v, dt, trajectory->a);
  crMat3 turn = crQuatToMat3(crAxisAngleToQuat(trajectory->w, crLength(trajectory->w) * dt));
  trajectory->X.R = crMulMM(turn, trajectory->X.R);
}

static crMotionSegment randomSegment(crRandom* random, double space)
{
  crMotionSegment segment;
  crQuat rotation = crRandom_Rotation(random); // one at a time: C leaves the order of arguments open
  segment.pose = crMakePose(crScale(space, crRandom_UnitVec3(random)), rotation);
  crVec3 direction = crRandom_UnitVec3(random);
  segment.velocity = crScale(crRandom_Uniform(random, 0.0, 4.0), direction);
  segment.acceleration = crRandom_Uniform(random, -3.0, 5.0);
  segment.acceleration = fmax(0.0, segment.acceleration);
  segment.spin = fmax(0.0, crRandom_Uniform(random, -3.0, 8.0));
  return segment;
}

static const crShapeDef* randomDef(crRandom* random, crShapeDef* def)
{
  switch ((int)crRandom_Uniform(random, 0.0, 6.0)) {
    case 0: *def = crMakeSphere(0.4); break;
    case 1: *def = crMakeBox(1.5, 0.3, 0.02); break;
    case 2: *def = crMakeCapsule(0.05, 1.6); break;
    case 3: *def = crMakeCone(0.3, 0.0, 1.0); break;
    case 4: *def = crMakeCylinder(0.5, 0.1, 0.0); break;
    default: *def = crMakeEllipsoid(0.8, 0.2, 0.1); break;
  }
  return def;
}

static bool isInside(crAabb inner, crAabb outer)
{
  return inner.min.x >= outer.min.x && inner.min.y >= outer.min.y && inner.min.z >= outer.min.z &&
         inner.max.x <= outer.max.x && inner.max.y <= outer.max.y && inner.max.z <= outer.max.z;
}

// Samples one motion of each shape; no contact before the bound, and never outside of the swept boxes.
static void sampleMotion(crRandom* random, const crShape* a, const crMotionSegment* segmentA, const crShape* b,
                         const crMotionSegment* segmentB, double bound, double duration)
{
  const int steps = 60;
  Trajectory motionA = startTrajectory(segmentA), motionB = startTrajectory(segmentB);
  crAabb sweptA = crComputeSweptAabb(a, segmentA, duration), sweptB = crComputeSweptAabb(b, segmentB, duration);
  for (int i = 0; i <= steps; ++i) {
    double t = duration * i / steps;
    crDistance distance;
    assert_int_equal(crComputeDistance(a, &motionA.X, b, &motionB.X, NULL, &distance), cr_ok);
    assert_true(t >= bound || distance.upperBound > -1e-12);
    assert_true(isInside(crShape_ComputeAabb(a, motionA.X), sweptA));
    assert_true(isInside(crShape_ComputeAabb(b, motionB.X), sweptB));
    bool turns = i == 0 || crRandom_Uniform(random, 0.0, 1.0) < 0.1;
    advanceTrajectory(&motionA, random, turns, duration / steps);
    advanceTrajectory(&motionB, random, turns, duration / steps);
  }
}

static void no_motion_within_the_bounds_meets_earlier(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(20);
  int meetings = 0, passes = 0;
  for (int round = 0; round < 300; ++round) {
    crShapeDef defA, defB;
    crShape *a = crCreateTestShape(randomDef(&random, &defA)), *b = crCreateTestShape(randomDef(&random, &defB));
    crMotionSegment segmentA = randomSegment(&random, 1.5), segmentB = randomSegment(&random, 1.5);
    double duration = crRandom_Uniform(&random, 0.1, 1.5);
    double bound = timeToContact(a, segmentA, b, segmentB, duration, 1e-6);
    meetings += bound > 0.0 && bound < duration;
    passes += bound == duration;
    for (int k = 0; k < 3; ++k) {
      sampleMotion(&random, a, &segmentA, b, &segmentB, bound, duration);
    }
    crDestroyShape(a);
    crDestroyShape(b);
  }
  assert_true(meetings > 100 && passes > 10);
}

// Pure translations are known exactly, so there the bound is the contact: touching, up to the tolerance.
static void translated_shapes_are_within_the_tolerance_at_the_bound(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(21);
  int meetings = 0;
  for (int round = 0; round < 300; ++round) {
    crShapeDef defA, defB;
    crShape *a = crCreateTestShape(randomDef(&random, &defA)), *b = crCreateTestShape(randomDef(&random, &defB));
    crMotionSegment segmentA = randomSegment(&random, 1.5), segmentB = randomSegment(&random, 1.5);
    segmentA.acceleration = segmentA.spin = segmentB.acceleration = segmentB.spin = 0.0;
    segmentA.velocity = crScale(2.0, crSub(segmentB.pose.p, segmentA.pose.p));
    double time, tolerance = 1e-7;
    int advances;
    assert_int_equal(
        crAdvanceToContact(crComputeDistance, a, &segmentA, b, &segmentB, 3.0, tolerance, &time, &advances), cr_ok);
    assert_true(advances < 30);
    crPose X_WA = segmentA.pose, X_WB = segmentB.pose;
    X_WA.p = crMulAdd(X_WA.p, time, segmentA.velocity);
    X_WB.p = crMulAdd(X_WB.p, time, segmentB.velocity);
    crDistance distance;
    assert_int_equal(crComputeDistance(a, &X_WA, b, &X_WB, NULL, &distance), cr_ok);
    if (time > 0.0 && time < 3.0) {
      ++meetings;
      assert_true(distance.distance > -1e-10 && distance.distance < tolerance + 1e-8);
    }
    crDestroyShape(a);
    crDestroyShape(b);
  }
  assert_true(meetings > 50);
}

// The reach of a turned shape against a scan of its points and of rotations.
static void swing_bounds_every_rotation_of_a_point_set(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(22);
  for (int round = 0; round < 200; ++round) {
    crVec3 points[12], n = crRandom_UnitVec3(&random);
    crVec3 direction = crRandom_UnitVec3(&random);
    crVec3 offset = crScale(crRandom_Uniform(&random, 0.0, 2.0), direction);
    crSwing swing = { -HUGE_VAL, 0.0 };
    for (int i = 0; i < 12; ++i) {
      points[i] = crAdd(offset, crRandom_UnitVec3(&random));
      swing.support = fmax(swing.support, crDot(points[i], n));
      swing.reach = fmax(swing.reach, crLength(points[i]));
    }
    double last = 0.0, slope = crSwing_Slope(swing, 0.0);
    for (double angle = 0.0; angle < 3.5; angle += 0.05) {
      double gain = crSwing_Gain(swing, angle);
      assert_true(gain >= last && gain <= last + 0.05 * slope + 1e-14);
      last = gain;
      slope = crSwing_Slope(swing, angle);
      for (int k = 0; k < 20; ++k) {
        double turn = crRandom_Uniform(&random, 0.0, angle);
        crMat3 R = crQuatToMat3(crAxisAngleToQuat(crRandom_UnitVec3(&random), turn));
        for (int i = 0; i < 12; ++i) {
          assert_true(crDot(crMulMV(R, points[i]), n) <= swing.support + gain + 1e-14);
        }
      }
    }
  }
}

// ------------------------------------------------------------------------------- limits and misuse

// A query that answers, but always with a useless direction.
static crStatus computeBadDistance(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                   crDistanceCache* cache, crDistance* outDistance)
{
  crStatus status = crComputeDistance(a, X_WA, b, X_WB, cache, outDistance);
  outDistance->normal = crNormalize(crAdd(outDistance->normal, crMakeVec3(0.0, 0.3, 0.0)));
  return status;
}

static crStatus failToCompute(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                              crDistanceCache* cache, crDistance* outDistance)
{
  (void)a, (void)X_WA, (void)b, (void)X_WB, (void)cache, (void)outDistance;
  return cr_failNumerics;
}

static void any_normal_gives_a_lower_bound_and_failures_are_passed_on(void** state)
{
  (void)state;
  crShape *a = makeSphere(0.5), *b = makeSphere(0.25);
  crMotionSegment fixed = still(crMakeVec3(0, 0, 0)), other = moving(crMakeVec3(4, 0, 0), crMakeVec3(-3.0, 0, 0));
  double time = NAN;
  int advances;
  assert_int_equal(crAdvanceToContact(computeBadDistance, a, &fixed, b, &other, 10.0, 1e-9, &time, &advances), cr_ok);
  assert_true(time > 0.0 && time <= 3.25 / 3.0);
  assert_int_equal(crAdvanceToContact(failToCompute, a, &fixed, b, &other, 10.0, 1e-9, &time, NULL), cr_failNumerics);
  crDestroyShape(a);
  crDestroyShape(b);
}

static void extreme_motions_end_within_the_limit(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(23);
  for (int round = 0; round < 2000; ++round) {
    crShape *a = makeSphere(0.5), *b = makeBox(2.0, 0.01, 0.5);
    crMotionSegment segmentA = randomSegment(&random, 2.0), segmentB = randomSegment(&random, 2.0);
    double size = pow(10.0, crRandom_Uniform(&random, -12.0, 12.0));
    segmentA.velocity = crScale(size, segmentA.velocity);
    segmentA.acceleration *= pow(10.0, crRandom_Uniform(&random, -12.0, 12.0));
    segmentB.spin *= pow(10.0, crRandom_Uniform(&random, -12.0, 12.0));
    double time = NAN, duration = pow(10.0, crRandom_Uniform(&random, -12.0, 12.0));
    int advances = 0;
    assert_int_equal(
        crAdvanceToContact(crComputeDistance, a, &segmentA, b, &segmentB, duration, 1e-12, &time, &advances), cr_ok);
    assert_true(time >= 0.0 && time <= duration);
    assert_true(advances < 40);
    crDestroyShape(a);
    crDestroyShape(b);
  }
}

static void misuse_is_refused(void** state)
{
  (void)state;
  crShape *a = makeSphere(0.5), *ground = makeHalfSpace(0.0);
  crMotionSegment right = still(crMakeVec3(0, 0, 2)), bad;
  double time;
  assert_int_equal(crComputeTimeToContact(a, &right, a, &right, 1.0, 1e-6, NULL), cr_errorMisuse);
  assert_int_equal(crComputeTimeToContact(NULL, &right, a, &right, 1.0, 1e-6, &time), cr_errorMisuse);
  assert_int_equal(crComputeTimeToContact(a, &right, a, NULL, 1.0, 1e-6, &time), cr_errorMisuse);
  assert_int_equal(crComputeTimeToContact(a, &right, a, &right, -1.0, 1e-6, &time), cr_errorMisuse);
  assert_int_equal(crComputeTimeToContact(a, &right, a, &right, HUGE_VAL, 1e-6, &time), cr_errorMisuse);
  assert_int_equal(crComputeTimeToContact(a, &right, a, &right, 1.0, 0.0, &time), cr_errorMisuse);
  assert_int_equal(crComputeTimeToContact(a, &right, a, &right, 1.0, NAN, &time), cr_errorMisuse);
  for (int k = 0; k < 5; ++k) {
    bad = right;
    *(k == 0   ? &bad.pose.p.x
      : k == 1 ? &bad.pose.R.cy.z
      : k == 2 ? &bad.velocity.y
      : k == 3 ? &bad.acceleration
               : &bad.spin) = k < 3 ? NAN : -1.0;
    assert_int_equal(crComputeTimeToContact(a, &right, a, &bad, 1.0, 1e-6, &time), cr_errorMisuse);
    assert_true(crComputeSweptAabb(a, &bad, 1.0).max.x == HUGE_VAL);
  }
  bad = right;
  bad.spin = 1e-3;
  assert_int_equal(crComputeTimeToContact(a, &right, ground, &bad, 1.0, 1e-6, &time), cr_errorMisuse);
  assert_true(crComputeSweptAabb(ground, &bad, 1.0).max.z == HUGE_VAL);
  assert_close(crComputeSweptAabb(ground, &right, 1.0).max.z, 2.0, 1e-13);
  crDestroyShape(a);
  crDestroyShape(ground);
}

// A box in a drum, whose convex pieces it touches, was never to reach the wall; without pieces it is refused.
static void boxes_reach_the_walls_of_hollow_shapes(void** state)
{
  (void)state;
  crShapeDef def = crDefaultShapeDef(cr_shapeCylinder);
  def.as.cylinder.radius = def.as.cylinder.length = 1.0;
  def.isHollow = true;
  crShape *box = makeBox(0.1, 0.1, 0.1), *whole = crCreateTestShape(&def);
  def.pieceError = 1e-4;
  crShape* pieces = crCreateTestShape(&def);
  crMotionSegment drum = still(crMakeVec3(0, 0, 0)), flight = moving(crMakeVec3(0, 0, 0), crMakeVec3(1, 0, 0));
  double time = timeToContact(pieces, drum, box, flight, 3.0, 1e-6), wall = sqrt(1.0 - 0.05 * 0.05) - 0.05;
  assert_true(time < wall + 1e-4 && time > wall - 2e-4);
  assert_int_equal(crComputeTimeToContact(whole, &drum, box, &flight, 3.0, 1e-6, &time), cr_errorMisuse);
  crDestroyShape(box);
  crDestroyShape(whole);
  crDestroyShape(pieces);
}

static void reach_is_the_farthest_support_point(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(24);
  crShapeDef def;
  for (int index = 0; (def = crTestShape(index, 1.0)).kind != cr_shapeNone; ++index) {
    crShape* shape = crCreateTestShape(&def);
    double farthest = 0.0;
    for (int k = 0; k < 3000; ++k) {
      farthest = fmax(farthest, crLength(crShape_ComputeSupport(shape, crRandom_UnitVec3(&random))));
    }
    if (crShape_IsBounded(shape)) {
      assert_true(farthest <= crShape_GetReach(shape) * (1.0 + 1e-12));
      assert_true(farthest >= 0.9 * crShape_GetReach(shape));
    } else {
      assert_true(isinf(crShape_GetReach(shape)));
    }
    crDestroyShape(shape);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(flying_spheres_meet_when_the_closed_form_says),
    cmocka_unit_test(spheres_that_pass_or_part_never_meet),
    cmocka_unit_test(bounded_acceleration_is_the_worst_one),
    cmocka_unit_test(falling_ball_reaches_the_ground_in_time),
    cmocka_unit_test(half_spaces_meet_unless_they_face_each_other),
    cmocka_unit_test(fast_ball_does_not_slip_through_a_thin_plate),
    cmocka_unit_test(turning_rod_reaches_as_far_as_its_tip),
    cmocka_unit_test(shapes_that_touch_at_the_start_give_zero),
    cmocka_unit_test(pieces_of_a_mesh_count_one_by_one),
    cmocka_unit_test(no_motion_within_the_bounds_meets_earlier),
    cmocka_unit_test(translated_shapes_are_within_the_tolerance_at_the_bound),
    cmocka_unit_test(swing_bounds_every_rotation_of_a_point_set),
    cmocka_unit_test(any_normal_gives_a_lower_bound_and_failures_are_passed_on),
    cmocka_unit_test(extreme_motions_end_within_the_limit),
    cmocka_unit_test(misuse_is_refused),
    cmocka_unit_test(boxes_reach_the_walls_of_hollow_shapes),
    cmocka_unit_test(reach_is_the_farthest_support_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
