// Convex pieces of shapes of profiles: where they are, that all but balls touch them, and what they keep.
#include "carom/collide.h"
#include "geometry/shape.h"
#include "support/random.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define THICKNESS 0.02 // [m] less than that of walls

static crShape* make(const crShapeDef* def)
{
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(def, NULL, NULL, &shape), cr_ok);
  return shape;
}

// [m^3] Of all convex pieces.
static double sumVolumes(const crShape* shape, int* outCount)
{
  double sum = 0.0;
  *outCount = 0;
  for (int i = 0; i < crShape_CountPieces(shape); ++i) {
    const crShape* piece = crShape_GetPiece(shape, i);
    if (crShape_GetKind(piece) == cr_shapeHull) {
      sum += crShape_ComputeVolume(piece);
      ++*outCount;
    }
  }
  return sum;
}

// [m] Signed distance of a point from all convex pieces, by a ball that is next to nothing; hulls take it as a box.
static double measurePieces(const crShape* shape, crVec3 x)
{
  double least = HUGE_VAL;
  crShapeDef def = crDefaultShapeDef(cr_shapeBox);
  def.as.box.size = crMakeVec3(2e-9, 2e-9, 2e-9);
  crShape* speck = make(&def);
  crPose here = crIdentityPose(), there = { crIdentityMat3(), x };
  crDistance d;
  assert_int_equal(crComputeDistance(shape, &here, speck, &there, NULL, &d), cr_ok);
  least = d.distance;
  crDestroyShape(speck);
  return least;
}

// [m] Of a ball of next to no size: the surface itself.
static double measureSurface(const crShape* shape, crVec3 x)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeSphere);
  def.as.sphere.radius = 1e-9;
  crShape* speck = make(&def);
  crPose here = crIdentityPose(), there = { crIdentityMat3(), x };
  crDistance d;
  assert_int_equal(crComputeDistance(shape, &here, speck, &there, NULL, &d), cr_ok);
  crDestroyShape(speck);
  return d.distance;
}

// Points around it: pieces are no farther from the surface than the error that is allowed.
static void compare(const crShape* shape, crVec3 min, crVec3 max, double error, int count)
{
  crRandom random = crMakeRandom(11);
  int near = 0;
  for (int i = 0; i < count; ++i) {
    crVec3 x = crMakeVec3(crRandom_Uniform(&random, min.x, max.x), crRandom_Uniform(&random, min.y, max.y),
                          crRandom_Uniform(&random, min.z, max.z));
    double surface = measureSurface(shape, x), pieces = measurePieces(shape, x);
    if (surface > 1e-6) {
      assert_close(pieces, surface, error + 1e-8);
      ++near;
    } else if (surface < -error - 1e-6 && surface > -THICKNESS) {
      assert_true(pieces < 0.0);
    }
  }
  assert_true(near > count / 10);
}

static const crProfilePoint ring[] = {
  { .x = 0.02, .y = -0.008 }, { .x = 0.026, .y = -0.008 },
  { .x = 0.026, .y = 0.008 }, { .x = 0.02, .y = 0.008 },
  { .x = 0.02, .y = 0.003 },  { .x = 0.02, .y = -0.003, .hasThrough = true, .throughX = 0.0235 },
};

static void pieces_of_a_grooved_ring_are_its_solid(void** state)
{
  (void)state;
  crShapeDef def = crDefaultShapeDef(cr_shapeRevolved);
  def.as.revolved.profile = (crProfileDef){ .points = ring, .pointCount = 6 };
  double volumes[2], ratios[2];
  for (int i = 0; i < 2; ++i) {
    def.pieceError = i == 0 ? 1e-4 : 1e-5;
    crShape* shape = make(&def);
    int count;
    volumes[i] = sumVolumes(shape, &count);
    ratios[i] = volumes[i] / crShape_ComputeVolume(shape);
    if (i == 0) {
      compare(shape, crMakeVec3(-0.03, -0.03, -0.012), crMakeVec3(0.03, 0.03, 0.012), 1e-4, 100);
    }
    crDestroyShape(shape);
  }
  assert_close(ratios[0], 1.0, 0.02);
  assert_close(ratios[1], 1.0, 0.002);
}

static void walls_stand_for_the_solid_around_rooms(void** state)
{
  (void)state;
  crShapeDef defs[4] = { crDefaultShapeDef(cr_shapeCylinder), crDefaultShapeDef(cr_shapeSphere),
                         crDefaultShapeDef(cr_shapeCone), crDefaultShapeDef(cr_shapeExtruded) };
  static const crProfilePoint bore[] = { { .x = -0.1, .arc = 0.1 }, { .x = 0.1, .arc = 0.1 } };
  defs[0].as.cylinder.radius = 0.1;
  defs[0].as.cylinder.length = 0.2;
  defs[1].as.sphere.radius = 0.1;
  defs[2].as.cone.radius = 0.1;
  defs[2].as.cone.length = 0.2;
  defs[3].as.extruded.length = 0.2;
  defs[3].as.extruded.profile = (crProfileDef){ .points = bore, .pointCount = 2, .isTurnedOut = true };
  for (int i = 0; i < 4; ++i) {
    defs[i].isHollow = i < 3;
    defs[i].pieceError = 1e-3;
    crShape* shape = make(&defs[i]);
    compare(shape, crMakeVec3(-0.1, -0.1, -0.09), crMakeVec3(0.1, 0.1, 0.09), 1e-3, 60);
    crDestroyShape(shape);
  }
}

// What is convex is one piece. Squares were two, as lines of profiles are kept in halves, with a seam through the
// middle.
static void convex_profiles_are_one_piece(void** state)
{
  (void)state;
  static const crProfilePoint block[] = {
    { .x = -0.01, .y = -0.01 }, { .x = 0.01, .y = -0.01 }, { .x = 0.01, .y = 0.01 }, { .x = -0.01, .y = 0.01 }
  };
  static const crProfilePoint wedge[] = { { .x = 0.3, .y = 0.1 }, { .x = 0.7, .y = 0.23 }, { .x = 0.1, .y = 0.31 } };
  static const crProfilePoint disc[] = { { .x = -1, .arc = 1 }, { .x = 1, .arc = 1 } };
  crProfilePoint many[23];
  for (int i = 0; i < 23; ++i) {
    many[i] = (crProfilePoint){ .x = 2.0 * cos(CR_PI * i / 11.5), .y = 1.1 * sin(CR_PI * i / 11.5) };
  }
  const crProfileDef profiles[4] = { { .points = block, .pointCount = 4 },
                                     { .points = wedge, .pointCount = 3 },
                                     { .points = disc, .pointCount = 2 },
                                     { .points = many, .pointCount = 23 } };
  for (int i = 0; i < 4; ++i) {
    crShapeDef def = crDefaultShapeDef(cr_shapeExtruded);
    def.as.extruded.length = 1.5;
    def.as.extruded.profile = profiles[i];
    def.pieceError = 1e-4;
    crShape* shape = make(&def);
    int count;
    double volume = sumVolumes(shape, &count);
    assert_int_equal(count, 1);
    assert_close(volume / crShape_ComputeVolume(shape), 1.0, i == 2 ? 1e-3 : 1e-12);
    crDestroyShape(shape);
  }
}

// A bracket in the shape of an L, a star, and a hook: volumes are those of their profiles.
static void pieces_of_extruded_shapes_add_up(void** state)
{
  (void)state;
  static const crProfilePoint angle[] = {
    { 0 }, { .x = 3 }, { .x = 3, .y = 1 }, { .x = 1, .y = 1 }, { .x = 1, .y = 2 }, { .y = 2 }
  };
  crProfilePoint star[20];
  for (int i = 0; i < 20; ++i) {
    double r = i % 2 == 0 ? 2.0 : 0.7, a = CR_PI * i / 10.0;
    star[i] = (crProfilePoint){ .x = r * cos(a), .y = r * sin(a) };
  }
  static const crProfilePoint hook[] = { { .x = -2 }, { .x = 2, .arc = 2 }, { .x = 1 }, { .x = -1, .arc = -1 } };
  const crProfileDef profiles[3] = { { .points = angle, .pointCount = 6 },
                                     { .points = star, .pointCount = 20 },
                                     { .points = hook, .pointCount = 4 } };
  for (int i = 0; i < 3; ++i) {
    crShapeDef def = crDefaultShapeDef(cr_shapeExtruded);
    def.as.extruded.length = 1.5;
    def.as.extruded.profile = profiles[i];
    def.pieceError = 1e-4;
    def.axis = crMakeVec3(1.0, 2.0, 0.5);
    crShape* shape = make(&def);
    int count;
    double volume = sumVolumes(shape, &count);
    assert_close(volume / crShape_ComputeVolume(shape), 1.0, i < 2 ? 1e-12 : 1e-3);
    assert_true(i != 0 || count == 2);
    compare(shape, crMakeVec3(-3.0, -3.0, -3.0), crMakeVec3(3.0, 3.0, 3.0), 1e-4, 60);
    crDestroyShape(shape);
  }
}

static void expectShape(const crShapeDef* def, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(def, NULL, &sink, &shape), cr_errorModel);
  assert_message(log, cr_severityError, message);
  crDestroyErrorLog(log);
}

static void bad_errors_are_refused(void** state)
{
  (void)state;
  crShapeDef def = crDefaultShapeDef(cr_shapeSphere);
  def.as.sphere.radius = 1.0;
  def.pieceError = 0.1;
  expectShape(&def, "pieceError is for revolved and extruded shapes");
  def.isHollow = true;
  def.pieceError = -1.0;
  expectShape(&def, "pieceError");
  def.pieceError = 1e-7;
  expectShape(&def, "the convex pieces of the shape are too many");
  def.pieceError = 1e-12; // and at once
  expectShape(&def, "the outline of convex pieces takes too many chords");
  static const crProfilePoint needle[] = { { .x = 0.0 }, { .x = 1.0 }, { .x = 0.0, .y = 1e-7 } }; // there and back
  def = crDefaultShapeDef(cr_shapeExtruded);
  def.as.extruded.profile = (crProfileDef){ .points = needle, .pointCount = 3, .isOpen = true };
  def.as.extruded.length = 1.0;
  def.pieceError = 0.01;
  expectShape(&def, "no wall behind the open profile can be made: close it");
  static const crProfilePoint flat[] = { { .x = 1.4e-8 }, { .x = -0.5, .y = 6e-11, .arc = 1.3 }, { .x = -7e-9 } };
  def.as.extruded.profile = (crProfileDef){ .points = flat, .pointCount = 3 };
  def.pieceError = 1.0;
  expectShape(&def, "the profile is too flat for convex pieces");
  static const crProfilePoint large[] = {
    { .x = 100.0, .y = 1e-9 }, { .x = 0.99, .y = 100.0, .arc = 1e300 }, { .x = 7850.0, .y = 7850.0 }, { .y = -1e9 }
  };
  def = crDefaultShapeDef(cr_shapeRevolved);
  def.as.revolved.profile = (crProfileDef){ .points = large, .pointCount = 4 };
  def.pieceError = 5e-324; // an arc without a turn over an error of 0 has as many chords as no number says
  expectShape(&def, "the outline of convex pieces takes too many chords");
}

// Errors that are larger than the shape left nothing of a disc, and bodies fell through.
static void coarse_pieces_are_still_there(void** state)
{
  (void)state;
  static const crProfilePoint disc[] = { { .x = 0.01, .hasThrough = true, .throughY = -0.01 },
                                         { .x = -0.01, .hasThrough = true, .throughY = 0.01 } };
  crShapeDef def = crDefaultShapeDef(cr_shapeExtruded);
  def.as.extruded.profile.points = disc;
  def.as.extruded.profile.pointCount = 2;
  def.as.extruded.length = 0.01;
  def.pieceError = 1.0;
  crShape* shape = make(&def);
  int count;
  double volume = sumVolumes(shape, &count);
  assert_true(count >= 1);
  assert_close(volume, 1.5 * sqrt(3.0) * 1e-4 * 0.01, 1e-15); // of a hexagon
  crDestroyShape(shape);
}

// -------------------------------------------------------------------------------------------------------- runs

#define LEAST_MASS 0.02 // [kg] of the bodies below

// Bodies in a drum, in a bowl, on a ring and on a bracket, without losses.
static void keeps(const char* ground, const char* body, const char* place, double stop)
{
  char text[3000];
  snprintf(text, sizeof text,
           "solidMaterial('M', { density = 1000, E = 1e8, nu = 0.3 })\nworld('w')\n"
           "contactPair('M', 'M', { cor = 1, muK = 0, muR = 0 })\n"
           "object('ground', { parent = 'w', solid{ shape = %s, contact = 'M' } })\n"
           "object('body', { parent = 'w', position = { %s }, rotation = { 0.3, 0.5, 0.7 }, free = true,\n"
           "  angularVelocity = { 1, 2, 3 }, solid{ shape = %s, material = 'M', contact = 'M' } })\n",
           ground, place, body);
  crTestRun run = crOpenTestText(text, stop, 1e-8, cr_solverDefault);
  double before = crTestRun_Energy(&run);
  crTestRun_Advance(&run, stop);
  assert_true(crSimulation_GetSummary(run.simulation).contactCount > 0);
  assert_true(fabs(crTestRun_Energy(&run) - before) <= 1e-5 * LEAST_MASS * 9.81 * 0.1); // of what falling turns over
  crCloseTestRun(&run);
}

static void impacts_on_pieces_keep_energy(void** state)
{
  (void)state;
  static const char* bodies[] = { "box{ size = { 0.05, 0.04, 0.03 } }", "cylinder{ radius = 0.02, length = 0.05 }",
                                  "capsule{ radius = 0.015, length = 0.04 }",
                                  "hull{ points = { { 0, 0, 0.03 }, { 0.03, 0, -0.01 }, { -0.02, 0.03, -0.01 }, { "
                                  "-0.02, -0.02, -0.02 } } }" };
  for (int i = 0; i < 4; ++i) {
    keeps("cylinder{ radius = 0.1, length = 0.2, hollow = true, axis = 'x', pieceError = 1e-4 }", bodies[i],
          "0, 0.02, 0.01", 0.5);
    keeps("sphere{ radius = 0.1, hollow = true, pieceError = 1e-3 }", bodies[i], "0, 0.02, 0.01", 0.4);
    keeps(
        "revolved{ pieceError = 1e-3, profile = { { 0.05, 0 }, { 0.15, 0 }, { 0.15, 0.05 }, { 0.05, 0.05, through = { "
        "0.1, 0.01 } } } }",
        bodies[i], "0.1, 0.01, 0.12", 0.4);
    keeps("extruded{ pieceError = 1e-3, length = 0.3, axis = 'y', profile = { { -0.2, -0.05 }, { 0.2, -0.05 }, { 0.2, "
          "0.05 }, { 0.05, 0.0 }, { -0.05, 0.0 }, { -0.2, 0.05 } } }",
          bodies[i], "0.01, 0.01, 0.12", 0.4);
  }
}

// [m] Of a body that falls askew on a block, until it has bounced.
static crVec3 dropOn(const char* block, const char* body)
{
  char text[1000];
  snprintf(text, sizeof text,
           "contactPair('Steel', 'Steel', { cor = 0.7, muK = 0.3, muR = 0, kRed = 1e-4 })\nlocal g = world('g')\n"
           "object('block', { parent = g, solid{ shape = %s, contact = 'Steel' } })\n"
           "object('pin', { parent = g, position = { 0.01, 0.02, 0.1 }, rotation = { 1.2, 0.3, 0.4 }, free = true,\n"
           "  angularVelocity = { 1, 2, 3 }, solid{ shape = %s, material = 'Steel', contact = 'Steel' } })\n",
           block, body);
  crTestRun run = crOpenTestText(text, 0.16, 1e-9, cr_solverDefault);
  crTestRun_Advance(&run, 0.16);
  crVec3 end = crMakeVec3(crTestRun_Value(&run, "pin.position.x"), crTestRun_Value(&run, "pin.position.y"),
                          crTestRun_Value(&run, "pin.position.z"));
  assert_true(crTestRun_Value(&run, "pin.velocity.z") > 0.0); // it has
  crCloseTestRun(&run);
  return end;
}

// Extruded shapes touched cylinders and each other along parallel axes alone, whatever convex pieces they had.
static void what_is_askew_touches_pieces_as_it_touches_the_same_boxes(void** state)
{
  (void)state;
  static const char* const bar = "extruded{ pieceError = 1e-6, length = 0.06, profile = { { -0.01, -0.01 }, { 0.01, "
                                 "-0.01 }, { 0.01, 0.01 }, { -0.01, 0.01 } } }";
  static const char* const block = "extruded{ pieceError = 1e-6, length = 0.04, profile = { { -0.2, -0.2 }, { 0.2, "
                                   "-0.2 }, { 0.2, 0.2 }, { -0.2, 0.2 } } }";
  static const char* const box = "box{ size = { 0.4, 0.4, 0.04 } }";
  static const struct {
    const char *extruded, *same;
  } bodies[] = {
    { "cylinder{ radius = 0.01, length = 0.06 }", "cylinder{ radius = 0.01, length = 0.06 }" },
    { bar, "box{ size = { 0.02, 0.02, 0.06 } }" },
  };
  for (int i = 0; i < 2; ++i) {
    crVec3 onPieces = dropOn(block, bodies[i].extruded), onBox = dropOn(box, bodies[i].same);
    assert_close(crLength(crSub(onPieces, onBox)), 0.0, 1e-9);
  }
}

// Joints that hold axes parallel leave shapes the exact way; a joint that does not gives them pieces, and a word.
static void joints_tell_who_stays_parallel(void** state)
{
  (void)state;
  static const struct {
    const char *joint, *says;
  } cases[] = {
    { "prismatic('j', g, r, { axis = 'x', canCollide = true })", NULL },
    { "planar('j', g, r, { axis = 'z', canCollide = true })", NULL },
    { "cylindrical('j', g, r, { axis = 'x', canCollide = true })",
      "'b' and 'r' need not be parallel: they touch by convex pieces, which are off by up to 1e-05 m" },
    { "spherical('j', g, r, { canCollide = true })", "'b' and 'r' need not be parallel" },
  };
  for (int i = 0; i < 4; ++i) {
    char text[700];
    snprintf(text, sizeof text,
             "local g = world('g')\nobject('b', { parent = g, position = { 0, 0.2, 0 }, solid{ contact = 'Steel',\n"
             "  shape = extruded{ pieceError = 1e-5, length = 0.1, profile = { { -0.05, -0.05 }, { 0.05, -0.05 },\n"
             "    { 0, 0.05 } } } } })\n"
             "local r = object('r', { solid{ shape = cylinder{ radius = 0.01, length = 0.1 }, material = 'Steel',\n"
             "  contact = 'Steel' } })\n%s",
             cases[i].joint);
    crTestRun run = crOpenTestText(text, 1e-3, 1e-8, cr_solverDefault);
    if (cases[i].says != NULL) {
      assert_message(run.log, cr_severityNote, cases[i].says);
    } else {
      assert_int_equal(crErrorLog_Count(run.log), 0);
    }
    crCloseTestRun(&run);
  }
}

// A free roller that started parallel touched as if it still were, however far it had turned over.
static void what_leans_over_without_pieces_ends_by_name(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "local g = world('g')\nobject('b', { parent = g, rotation = { math.pi / 2, 0, 0 }, solid{ contact = 'Steel',\n"
      "  shape = extruded{ length = 0.2, profile = { { -0.1, -0.02 }, { 0.1, -0.02, arc = 0.2 }, { 0.1, 0.02 },\n"
      "    { -0.1, 0.02 } } } } })\n"
      "object('r', { parent = g, position = { 0, 0, 0.06 }, rotation = { math.pi / 2, 0, 0 }, free = true,\n"
      "  angularVelocity = { 2, 0, 0 }, solid{ shape = cylinder{ radius = 0.01, length = 0.1 }, material = 'Steel',\n"
      "  contact = 'Steel' } })",
      1.0, 1e-8, cr_solverDefault);
  assert_int_equal(crSimulation_Advance(run.simulation, 1.0), cr_failNumerics);
  assert_message(run.log, cr_severityError, "its axis is not parallel any more to that of 'r'");
  crCloseTestRun(&run);
}

// [m] and evaluations; restEnergy [J]: a body that falls on a side of its, between parallel planes, until it lies
// there.
static double layDown(const char* ground, const char* body, double y, double restEnergy, int64_t* outEvaluations)
{
  char text[1500];
  snprintf(text, sizeof text,
           "scene{ gravity = { 0, -9.81, 0 } }\ncontactPair('Steel', 'Steel', { cor = 0.3, muK = 0.1, muR = 0 })\n"
           "local w = world('w', { solid{ contact = 'Steel', shape = %s } })\n"
           "local b = object('b', { solid{ shape = %s, material = 'Steel', contact = 'Steel' } })\n"
           "planar('p', w, b, { axis = 'z', start = { 0.001, %g, 0.01 }, canCollide = true })\n",
           ground, body, y);
  crTestRun run = crOpenTestText(text, 0.3, 1e-8, cr_solverDefault);
  crTestRun_Advance(&run, 0.3);
  crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
  assert_true(summary.endEnergy.kinetic < restEnergy);
  assert_true(fabs(crTestRun_Unexplained(&run)) < 1e-7);
  *outEvaluations = summary.solverStatistics.evaluations;
  double height = crTestRun_Value(&run, "p.position.y");
  crCloseTestRun(&run);
  return height;
}

// Outlines touch at one point, which went to and fro between two corners: a square on a floor took for ever.
static void what_lies_flat_touches_pieces_as_a_box_does(void** state)
{
  (void)state;
  static const char* const floor =
      "extruded{ length = 0.05, profile = { { -0.1, -0.02 }, { 0.1, -0.02 }, { 0.1, 0 }, { "
      "-0.1, 0 } } }";
  static const char* const square = "extruded{ length = 0.02, profile = { { -0.01, -0.01 }, { 0.01, -0.01 }, { 0.01, "
                                    "0.01 }, { -0.01, 0.01 } } }";
  int64_t evaluations, ofBox;
  double height = layDown(floor, square, 0.015, 1e-12, &evaluations);
  double same = layDown("halfSpace{ axis = 'y' }", "box{ size = { 0.02, 0.02, 0.02 } }", 0.015, 1e-12, &ofBox);
  assert_close(height, same, 1e-8); // a half-space gives way elsewhere
  assert_true(evaluations < 4 * ofBox);
}

static void hexagons_lie_in_bores_of_pieces(void** state)
{
  (void)state;
  int64_t evaluations;
  double height = layDown("extruded{ length = 0.02, pieceError = 1e-4, inside = true, profile = {\n"
                          "  { -0.05, 0, through = { 0, -0.05 } }, { 0.05, 0, through = { 0, 0.05 } } } }",
                          "extruded{ length = 0.02, profile = { { 0.02, 0 }, { 0.01, 0.0173 }, { -0.01, 0.0173 },\n"
                          "  { -0.02, 0 }, { -0.01, -0.0173 }, { 0.01, -0.0173 } } }",
                          -0.03, 1e-5, &evaluations); // it creeps: friction holds it beside the lowest place
  assert_close(height, 0.0173 - sqrt(0.05 * 0.05 - 0.01 * 0.01), 1e-3);
  assert_true(evaluations < 100000);
}

// Whoever has flat sides and no pieces is told, and polygons with pieces of their own go on to touch others as
// outlines.
static void flats_without_pieces_are_told(void** state)
{
  (void)state;
  static const struct {
    const char* pieces;
    int notes;
  } cases[] = { { "", 1 }, { "pieceError = 1e-5,", 0 } };
  for (int i = 0; i < 2; ++i) {
    char text[800];
    snprintf(text, sizeof text,
             "local g = world('g', { solid{ contact = 'Steel', shape = extruded{ %s length = 0.1,\n"
             "  profile = { { -0.05, -0.05 }, { 0.05, -0.05, arc = 0.2 }, { 0.05, 0 }, { -0.05, 0 } } } } })\n"
             "local r = object('r', { solid{ material = 'Steel', contact = 'Steel', shape = extruded{ length = 0.1,\n"
             "  profile = { { -0.01, -0.01 }, { 0.01, -0.01 }, { 0, 0.01 } } } } })\n"
             "planar('p', g, r, { axis = 'z', start = { 0, 0.02, 0 }, canCollide = true })",
             cases[i].pieces);
    crTestRun run = crOpenTestText(text, 1e-3, 1e-8, cr_solverDefault);
    assert_int_equal(crErrorLog_CountOf(run.log, cr_severityNote), cases[i].notes);
    if (cases[i].notes > 0) {
      assert_message(run.log, cr_severityNote, "'g' and 'r' have flat sides and touch at one point");
    }
    crCloseTestRun(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(pieces_of_a_grooved_ring_are_its_solid),
    cmocka_unit_test(walls_stand_for_the_solid_around_rooms),
    cmocka_unit_test(convex_profiles_are_one_piece),
    cmocka_unit_test(pieces_of_extruded_shapes_add_up),
    cmocka_unit_test(bad_errors_are_refused),
    cmocka_unit_test(coarse_pieces_are_still_there),
    cmocka_unit_test(impacts_on_pieces_keep_energy),
    cmocka_unit_test(what_is_askew_touches_pieces_as_it_touches_the_same_boxes),
    cmocka_unit_test(joints_tell_who_stays_parallel),
    cmocka_unit_test(what_leans_over_without_pieces_ends_by_name),
    cmocka_unit_test(what_lies_flat_touches_pieces_as_a_box_does),
    cmocka_unit_test(hexagons_lie_in_bores_of_pieces),
    cmocka_unit_test(flats_without_pieces_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
