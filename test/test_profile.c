// Profiles: distances of balls, chains, mass properties and what is refused.
#include "geometry/profile.h"
#include "geometry/shape.h"

#include "support/log.h"
#include "support/profile_truth.h"

#include <math.h>

static crShape* makeShape(const crShapeDef* def)
{
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(def, NULL, NULL, &shape), cr_ok);
  return shape;
}

static crShapeDef makeRevolved(const crProfilePoint* points, int count)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeRevolved);
  def.as.revolved.profile = (crProfileDef){ .points = points, .pointCount = count };
  return def;
}

static void distances_of_balls_agree_with_113_bits(void** state)
{
  (void)state;
  assert_true(crCompareProfiles(1, 10000) <= 1e-13);
}

#define ROOM_SAMPLES 60 // of an element

static bool areNext(const crProfile* profile, int i, int k)
{
  int away = i > k ? i - k : k - i;
  return away <= 1 || away == profile->count - 1;
}

// [m] Of an element from all but those next to it, by samples.
static double sampleRoom(const crProfile* profile, int i)
{
  double room = HUGE_VAL;
  for (int k = 0; k < profile->count; ++k) {
    for (int m = 0; !areNext(profile, i, k) && m < ROOM_SAMPLES * ROOM_SAMPLES; ++m) {
      double s = 2.0 * (m / ROOM_SAMPLES) / (ROOM_SAMPLES - 1.0) - 1.0;
      double t = 2.0 * (m % ROOM_SAMPLES) / (ROOM_SAMPLES - 1.0) - 1.0;
      crPlanePoint p = crProfileElement_At(&profile->items[i], s).point;
      room = fmin(room, crPlaneLength(crPlaneSub(crProfileElement_At(&profile->items[k], t).point, p)));
    }
  }
  return room;
}

// Rooms are bounds from below, of half the distance and more, as long as `around` is not less.
static void elements_have_the_room_that_samples_see(void** state)
{
  (void)state;
  crProfilePoint plate[] = {
    { .x = -1.0, .y = -0.6 }, { .x = 1.0, .y = -0.6 }, { .x = 1.0, .y = 0.6, .arc = 0.6 },
    { .x = 0.2, .y = 0.6 },   { .x = 0.0, .y = 0.1 },  { .x = -0.2, .y = 0.6 },
    { .x = -1.0, .y = 0.6 },  { .x = -1.0, .y = 0.2 }, { .x = -1.0, .y = -0.2, .arc = -0.25 }
  };
  crShapeDef defs[2] = { crDefaultShapeDef(cr_shapeExtruded), crDefaultShapeDef(cr_shapeInvoluteGear) };
  defs[0].as.extruded.profile = (crProfileDef){ .points = plate, .pointCount = 9 };
  defs[0].as.extruded.length = 0.4;
  defs[1].as.involuteGear.teeth = 7;
  defs[1].as.involuteGear.module = 0.002;
  defs[1].as.involuteGear.length = 0.02;
  for (int i = 0; i < 2; ++i) {
    crShape* shape = makeShape(&defs[i]);
    const crProfile* profile = shape->chain->profile;
    for (int k = 0; k < profile->count; ++k) {
      double truth = fmin(sampleRoom(profile, k), profile->items[k].around), room = profile->items[k].room;
      assert_true(room <= truth * (1.0 + 1e-12) && room >= 0.4 * truth);
    }
    crDestroyShape(shape);
  }
}

// A torus of radii R and r: V = 2 pi^2 R r^2, Izz = V (R^2 + 3/4 r^2), Ixx = V (R^2 / 2 + 5/8 r^2).
static void a_torus_weighs_what_its_closed_form_says(void** state)
{
  (void)state;
  double R = 3.0, r = 0.7, V = 2.0 * CR_PI * CR_PI * R * r * r;
  crProfilePoint points[] = { { .x = R + r, .hasThrough = true, .throughX = R, .throughY = -r },
                              { .x = R - r, .hasThrough = true, .throughX = R, .throughY = r } };
  crShapeDef def = makeRevolved(points, 2);
  crShape* shape = makeShape(&def);
  crInertia inertia = crShape_ComputeInertia(shape, 1.0);
  assert_close(inertia.mass, V, 1e-13 * V);
  assert_vec_close(inertia.com, crMakeVec3(0.0, 0.0, 0.0), 1e-13);
  assert_close(inertia.I_com.zz, V * (R * R + 0.75 * r * r), 1e-12 * V * R * R);
  assert_close(inertia.I_com.xx, V * (0.5 * R * R + 0.625 * r * r), 1e-12 * V * R * R);
  crDestroyShape(shape);
}

// A cylinder, a sphere and a cone as profiles weigh what they weigh as shapes; drawn the other way round, too.
static void solids_of_revolution_weigh_as_the_same_shapes(void** state)
{
  (void)state;
  crProfilePoint half[] = { { .y = -2.0 }, { .y = 2.0, .arc = 2.0 } };
  crProfilePoint cone[] = { { .x = 0.0, .y = 3.0 }, { .x = 1.5, .y = 0.0 }, { .x = 0.0, .y = 0.0 } };
  crShapeDef defs[2] = { makeRevolved(half, 2), makeRevolved(cone, 3) };
  crShapeDef same[2] = { crDefaultShapeDef(cr_shapeSphere), crDefaultShapeDef(cr_shapeCone) };
  same[0].as.sphere.radius = 2.0;
  same[1].as.cone.radius = 1.5;
  same[1].as.cone.length = 3.0;
  for (int i = 0; i < 2; ++i) {
    crShape *shape = makeShape(&defs[i]), *other = makeShape(&same[i]);
    crInertia a = crShape_ComputeInertia(shape, 1.0), b = crShape_ComputeInertia(other, 1.0);
    assert_close(a.mass, b.mass, 1e-13 * b.mass);
    assert_vec_close(a.com, b.com, 1e-13);
    assert_close(a.I_com.xx, b.I_com.xx, 1e-12 * b.I_com.xx);
    assert_close(a.I_com.zz, b.I_com.zz, 1e-12 * b.I_com.zz);
    crDestroyShape(shape);
    crDestroyShape(other);
  }
}

static void an_extruded_block_weighs_as_a_box(void** state)
{
  (void)state;
  crProfilePoint points[] = {
    { .x = 1.0, .y = 1.0 }, { .x = 1.0, .y = 3.0 }, { .x = 2.0, .y = 3.0 }, { .x = 2.0, .y = 1.0 }
  };
  crShapeDef def = crDefaultShapeDef(cr_shapeExtruded), box = crDefaultShapeDef(cr_shapeBox);
  def.as.extruded.profile = (crProfileDef){ .points = points, .pointCount = 4 };
  def.as.extruded.length = 4.0;
  box.as.box.size = crMakeVec3(1.0, 2.0, 4.0);
  crShape *shape = makeShape(&def), *other = makeShape(&box);
  crInertia a = crShape_ComputeInertia(shape, 1.0), b = crShape_ComputeInertia(other, 1.0);
  assert_close(a.mass, b.mass, 1e-13);
  assert_vec_close(a.com, crMakeVec3(1.5, 2.0, 0.0), 1e-13);
  assert_close(a.I_com.xx, b.I_com.xx, 1e-12);
  assert_close(a.I_com.yy, b.I_com.yy, 1e-12);
  assert_close(a.I_com.zz, b.I_com.zz, 1e-12);
  assert_close(a.I_com.xy, 0.0, 1e-12);
  crDestroyShape(shape);
  crDestroyShape(other);
}

static int countChains(const crShape* shape, double r)
{
  int count = 0;
  for (int i = 0; i < crShape_CountPieces(shape); ++i) {
    const crShape* piece = crShape_GetPiece(shape, i);
    bool isWall = piece->wall.kind != cr_wallNone; // for ellipsoids
    count += !isWall && piece->chain->least <= r && r < piece->chain->most;
  }
  return count;
}

// A groove of radius 1: balls below it roll through it, others touch both of its shoulders, which the back of the ring
// connects.
static void chains_part_where_a_ball_does_not_fit(void** state)
{
  (void)state;
  crProfilePoint points[] = { { .x = 5.0, .y = -3.0 }, { .x = 5.0, .y = -1.0 }, { .x = 5.0, .y = 1.0, .arc = -1.0 },
                              { .x = 5.0, .y = 3.0 },  { .x = 3.0, .y = 3.0 },  { .x = 3.0, .y = -3.0 } };
  crShapeDef def = makeRevolved(points, 6);
  crShape* shape = makeShape(&def);
  assert_int_equal(countChains(shape, 0.9), 1);
  int parts = countChains(shape, 1.0);
  assert_true(parts > 2);
  // the bore faces the axis at a distance of 3: a ball that is larger sees its other side
  assert_int_equal(countChains(shape, 2.9), parts);
  assert_true(countChains(shape, 3.1) > parts);
  crDestroyShape(shape);
  crShapeDef room = crDefaultShapeDef(cr_shapeCylinder);
  room.isHollow = true;
  room.as.cylinder.radius = 1.0;
  room.as.cylinder.length = 4.0;
  shape = makeShape(&room);
  assert_int_equal(countChains(shape, 0.5), 3);
  assert_int_equal(countChains(shape, 1.5), 4);
  crDestroyShape(shape);
}

typedef struct Refusal {
  const char* message;
  int count;
  bool isOpen;
  crProfilePoint points[5];
} Refusal;

static void profiles_that_are_none_are_refused_with_their_point(void** state)
{
  (void)state;
  static const Refusal refusals[] = {
    { "a profile must have points", 1, false, { { .x = 1.0 } } },
    { "point 2 of the profile must be finite", 3, false, { { .x = 1.0 }, { .x = NAN }, { .x = 2.0, .y = 1.0 } } },
    { "point 3 of the profile lies beyond the axis",
      3,
      false,
      { { .x = 1.0 }, { .x = 2.0 }, { .x = -1.0, .y = 1.0 } } },
    { "point 2 of the profile has both arc and through",
      2,
      true,
      { { .x = 1.0 }, { .x = 2.0, .arc = 3.0, .hasThrough = true, .throughX = 1.5, .throughY = 1.0 } } },
    { "point 2 of the profile is the same as the one before", 3, false, { { .x = 1.0 }, { .x = 1.0 }, { .x = 2.0 } } },
    { "point 2 of the profile is out of reach of its arc", 2, true, { { .x = 1.0 }, { .x = 3.0, .arc = 0.9 } } },
    { "the arc to point 2 of the profile goes through a point on the line to it",
      2,
      true,
      { { .x = 1.0 }, { .x = 3.0, .hasThrough = true, .throughX = 2.0 } } },
    { "point 1 of an open profile has no way to it", 2, true, { { .x = 1.0, .arc = 5.0 }, { .x = 3.0 } } },
    { "the profile crosses itself: on the ways to its points 2 and 4",
      4,
      false,
      { { .x = 1.0 }, { .x = 2.0, .y = 1.0 }, { .x = 2.0 }, { .x = 1.0, .y = 1.0 } } },
    { "the profile is nothing but its axis", 2, true, { { .y = 1.0 }, { .y = 2.0 } } },
    { "an arc of the profile goes beyond the axis",
      2,
      true,
      { { .x = 0.1 }, { .x = 0.1, .y = 2.0, .hasThrough = true, .throughX = -0.5, .throughY = 1.0 } } },
    { "the profile runs along the axis before point 3",
      4,
      true,
      { { .x = 1.0 }, { .x = 0.0 }, { .x = 0.0, .y = 1.0 }, { .x = 1.0, .y = 1.0 } } },
  };
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crShapeDef def = makeRevolved(refusals[i].points, refusals[i].count);
    def.as.revolved.profile.isOpen = refusals[i].isOpen;
    crShape* shape = NULL;
    assert_int_equal(crCreateShape(&def, NULL, &sink, &shape), cr_errorModel);
    assert_null(shape);
    assert_message(log, cr_severityError, refusals[i].message);
    crDestroyErrorLog(log);
  }
}

static void hollow_shapes_are_refused_where_they_mean_nothing(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crShapeDef capsule = crDefaultShapeDef(cr_shapeCapsule), box = crDefaultShapeDef(cr_shapeBox);
  capsule.as.capsule.radius = capsule.as.capsule.length = 1.0;
  box.as.box.size = crMakeVec3(1.0, 1.0, 1.0);
  capsule.isHollow = box.isHollow = true;
  box.inflate = 0.1;
  assert_int_equal(crCheckShapeDef(&capsule, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "hollow is not for a shape of kind capsule");
  assert_int_equal(crCheckShapeDef(&box, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "a hollow shape has no rounding, inflate or boreRadius");
  crProfilePoint points[] = { { .x = 1.0 }, { .x = 2.0 }, { .x = 2.0, .y = 1.0 } };
  crShapeDef ring = makeRevolved(points, 3);
  ring.inflate = 0.1;
  assert_int_equal(crCheckShapeDef(&ring, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "inflate is not for shapes of profiles");
  crDestroyErrorLog(log);
}

static void shapes_of_profiles_give_all_memory_back(void** state)
{
  (void)state;
  crProfilePoint points[] = { { .x = 5.0, .y = -3.0 },
                              { .x = 5.0, .y = -1.0 },
                              { .x = 5.0, .y = 1.0, .arc = -1.0 },
                              { .x = 5.0, .y = 3.0 },
                              { .x = 3.0, .y = 0.0 } };
  crShapeDef def = makeRevolved(points, 5), room = crDefaultShapeDef(cr_shapeBox);
  room.isHollow = true;
  room.as.box.size = crMakeVec3(1.0, 1.0, 1.0);
  for (int which = 0; which < 2; ++which) {
    crStatus status = cr_errorMemory;
    for (long failAt = 0; status == cr_errorMemory; ++failAt) {
      crTestAllocator counter;
      crAllocator allocator = crTestAllocator_Make(&counter);
      counter.failAt = failAt;
      crShape* shape = NULL;
      status = crCreateShape(which == 0 ? &def : &room, &allocator, NULL, &shape);
      assert_true(status == cr_errorMemory || status == cr_ok);
      crDestroyShape(shape);
      assert_int_equal(counter.liveBlocks, 0);
      assert_true(failAt < 100 && (status != cr_ok || failAt > 1));
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(distances_of_balls_agree_with_113_bits),
    cmocka_unit_test(elements_have_the_room_that_samples_see),
    cmocka_unit_test(a_torus_weighs_what_its_closed_form_says),
    cmocka_unit_test(solids_of_revolution_weigh_as_the_same_shapes),
    cmocka_unit_test(an_extruded_block_weighs_as_a_box),
    cmocka_unit_test(chains_part_where_a_ball_does_not_fit),
    cmocka_unit_test(profiles_that_are_none_are_refused_with_their_point),
    cmocka_unit_test(hollow_shapes_are_refused_where_they_mean_nothing),
    cmocka_unit_test(shapes_of_profiles_give_all_memory_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
