// Shape defs: defaults, limits and their messages; creating and destroying shapes.
#include "carom/geometry.h"
#include "geometry/shape.h"
#include "geometry/shape_kind.h"

#include "support/shapes.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static const crVec3 tetrahedron[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

// A def of the kind that breaks no rule.
static crShapeDef makeGood(crShapeKind kind)
{
  crShapeDef def = crDefaultShapeDef(kind);
  switch (kind) {
    case cr_shapeSphere: return crMakeSphere(1);
    case cr_shapeEllipsoid: return crMakeEllipsoid(1, 2, 3);
    case cr_shapeBox: return crMakeBox(1, 2, 3);
    case cr_shapeCylinder: return crMakeCylinder(1, 2, 0.5);
    case cr_shapeCone: return crMakeCone(1, 0.5, 2);
    case cr_shapeCapsule: return crMakeCapsule(1, 2);
    case cr_shapeBeam: return crMakeBeam(3, 1, 0.5);
    case cr_shapeHull: return crMakeHull(tetrahedron, 4);
    case cr_shapeCoordinateSystem: def.as.coordinateSystem.length = 1; break;
    case cr_shapeGrid: def.as.grid.width = def.as.grid.length = def.as.grid.spacing = 1; break;
    case cr_shapeCoil:
      def.as.coil.radius = def.as.coil.length = 1;
      def.as.coil.wireRadius = 0.1;
      def.as.coil.windings = 5;
      break;
    case cr_shapeInvoluteGear:
      def.as.involuteGear.module = def.as.involuteGear.length = 0.1;
      def.as.involuteGear.teeth = 20;
      break;
    case cr_shapeGearWheel:
      def.as.gearWheel.radius = def.as.gearWheel.length = 1;
      def.as.gearWheel.teeth = 12;
      break;
    case cr_shapeText:
      def.as.text.string = "Caf\xc3\xa9";
      def.as.text.height = 0.1;
      break;
    default: break;
  }
  return def;
}

static crMesh* createCube(void)
{
  crTestBox cube = { { 0, 0, 0 }, { 1, 1, 1 } };
  return crCreateBoxMesh(&cube, 1);
}

// ------------------------------------------------------------------------------------------ defaults

static void kinds_have_names(void** state)
{
  (void)state;
  const char* names[] = { "none",      "sphere",   "ellipsoid",    "box",
                          "cylinder",  "cone",     "capsule",      "beam",
                          "halfSpace", "hull",     "mesh",         "heightField",
                          "revolved",  "extruded", "involuteGear", "coordinateSystem",
                          "grid",      "coil",     "gearWheel",    "text" };
  for (int kind = 0; kind < cr_shapeKindCount; ++kind) {
    assert_string_equal(crShapeKind_GetText((crShapeKind)kind), names[kind]);
    assert_int_equal(crShapeKind_IsVisualOnly((crShapeKind)kind), kind >= cr_shapeCoordinateSystem);
  }
  assert_string_equal(crShapeKind_GetText((crShapeKind)99), "none");
  assert_string_equal(crShapeKind_GetText((crShapeKind)-1), "none");
  assert_false(crShapeKind_IsVisualOnly(cr_shapeKindCount));
}

static void default_def_needs_only_sizes(void** state)
{
  (void)state;
  for (int kind = 0; kind < cr_shapeKindCount; ++kind) {
    crShapeDef def = crDefaultShapeDef((crShapeKind)kind);
    assert_int_equal(def.kind, kind);
    assert_true(def.rounding == 0.0 && def.inflate == 0.0);
    crVec3 own = kind == cr_shapeBeam ? crMakeVec3(1, 0, 0) : crMakeVec3(0, 0, 1);
    crCompleteShapeDef(&def);
    assert_memory_equal(&def.axis, &own, sizeof own);
    bool isOfProfile = kind == cr_shapeRevolved || kind == cr_shapeExtruded; // test_profile
    if (kind != cr_shapeNone && kind != cr_shapeMesh && kind != cr_shapeHeightField && !isOfProfile) {
      crShapeDef good = makeGood((crShapeKind)kind);
      assert_int_equal(crCheckShapeDef(&good, NULL), cr_ok);
    }
  }
  crShapeDef mesh = crDefaultShapeDef(cr_shapeMesh);
  crCompleteShapeDef(&mesh);
  assert_true(mesh.as.mesh.scale.y == 1.0);
}

// ------------------------------------------------------------------------------------------ messages

// Checks that the def gets exactly this one error.
static void assertOneError(const crShapeDef* def, const char* message, const char* found, const char* allowed,
                           const char* unit)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crShape* shape = (crShape*)&sink;
  assert_int_equal(crCreateShape(def, NULL, &sink, &shape), cr_errorModel);
  assert_null(shape);
  assert_int_equal(crErrorLog_Count(log), 1);
  const crError* error = crErrorLog_Get(log, 0);
  assert_string_equal(error->message, message);
  const char* parts[][2] = { { error->found, found }, { error->allowed, allowed }, { error->unit, unit } };
  for (int i = 0; i < 3; ++i) {
    if (parts[i][1] == NULL) {
      assert_null(parts[i][0]);
    } else {
      assert_non_null(parts[i][0]);
      assert_string_equal(parts[i][0], parts[i][1]);
    }
  }
  crDestroyErrorLog(log);
}

typedef struct SizeCase {
  crShapeKind kind;
  size_t offset;
  const char* name;
  bool mayBeZero;
} SizeCase;

#define SIZE(kind, member, name, mayBeZero)                                                                            \
  {                                                                                                                    \
    cr_shape##kind, offsetof(crShapeDef, as.member), name, mayBeZero                                                   \
  }

static const SizeCase sizeCases[] = {
  SIZE(Sphere, sphere.radius, "radius", false),
  SIZE(Ellipsoid, ellipsoid.radii.x, "radii.x", false),
  SIZE(Ellipsoid, ellipsoid.radii.y, "radii.y", false),
  SIZE(Ellipsoid, ellipsoid.radii.z, "radii.z", false),
  SIZE(Box, box.size.x, "size.x", false),
  SIZE(Box, box.size.y, "size.y", false),
  SIZE(Box, box.size.z, "size.z", false),
  SIZE(Cylinder, cylinder.radius, "radius", false),
  SIZE(Cylinder, cylinder.length, "length", false),
  SIZE(Cylinder, cylinder.boreRadius, "boreRadius", true),
  SIZE(Cone, cone.radius, "radius", false),
  SIZE(Cone, cone.topRadius, "topRadius", true),
  SIZE(Cone, cone.length, "length", false),
  SIZE(Capsule, capsule.radius, "radius", false),
  SIZE(Capsule, capsule.length, "length", false),
  SIZE(Beam, beam.length, "length", false),
  SIZE(Beam, beam.width, "width", false),
  SIZE(Beam, beam.height, "height", false),
  SIZE(CoordinateSystem, coordinateSystem.length, "length", false),
  SIZE(Grid, grid.width, "width", false),
  SIZE(Grid, grid.length, "length", false),
  SIZE(Grid, grid.spacing, "spacing", false),
  SIZE(Coil, coil.radius, "radius", false),
  SIZE(Coil, coil.length, "length", false),
  SIZE(Coil, coil.wireRadius, "wireRadius", false),
  SIZE(GearWheel, gearWheel.radius, "radius", false),
  SIZE(GearWheel, gearWheel.boreRadius, "boreRadius", true),
  SIZE(GearWheel, gearWheel.length, "length", false),
  SIZE(Text, text.height, "height", false),
};

static void assertSizeError(const SizeCase* size, double value, const char* verb, const char* found)
{
  char message[64];
  snprintf(message, sizeof message, "%s %s", size->name, verb);
  crShapeDef def = makeGood(size->kind);
  memcpy((char*)&def + size->offset, &value, sizeof value);
  assertOneError(&def, message, found, size->mayBeZero ? ">= 0" : "> 0", "m");
}

static void every_bad_size_is_named(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof sizeCases / sizeof *sizeCases; ++i) {
    const SizeCase* size = &sizeCases[i];
    assertSizeError(size, -2.5, size->mayBeZero ? "must not be negative" : "must be positive", "-2.5");
    assertSizeError(size, NAN, "must be a finite number", "nan");
    assertSizeError(size, INFINITY, "must be a finite number", "infinity");
    if (!size->mayBeZero) {
      assertSizeError(size, 0.0, "must be positive", "0");
    }
  }
}

static void relations_between_sizes_are_checked(void** state)
{
  (void)state;
  crShapeDef def = crMakeCylinder(1, 2, 1);
  assertOneError(&def, "boreRadius must be smaller than radius", "1", "< 1", "m");
  def = makeGood(cr_shapeGearWheel);
  def.as.gearWheel.boreRadius = 1.5;
  assertOneError(&def, "boreRadius must be smaller than radius", "1.5", "< 1", "m");
  def = makeGood(cr_shapeCoil);
  def.as.coil.wireRadius = 1.0;
  assertOneError(&def, "wireRadius must be smaller than radius", "1", "< 1", "m");
}

static void counts_and_texts_are_checked(void** state)
{
  (void)state;
  crShapeDef def = makeGood(cr_shapeCoil);
  def.as.coil.windings = 0;
  assertOneError(&def, "windings must be at least 1", "0", ">= 1", NULL);
  def = makeGood(cr_shapeGearWheel);
  def.as.gearWheel.teeth = 2;
  assertOneError(&def, "teeth must be at least 3", "2", ">= 3", NULL);
  def = makeGood(cr_shapeText);
  def.as.text.string = "";
  assertOneError(&def, "string must not be empty", NULL, NULL, NULL);
  def.as.text.string = NULL;
  assertOneError(&def, "string must not be empty", NULL, NULL, NULL);
  def.as.text.string = "a\xff";
  assertOneError(&def, "string must be UTF-8", NULL, NULL, NULL);
}

static void axis_rounding_and_inflate_are_checked(void** state)
{
  (void)state;
  crShapeDef def = makeGood(cr_shapeBox);
  def.axis = crMakeVec3(0, NAN, 1);
  assertOneError(&def, "axis must be finite", "(0, nan, 1)", NULL, NULL);
  def = makeGood(cr_shapeBox);
  def.rounding = -0.5;
  assertOneError(&def, "rounding must not be negative", "-0.5", ">= 0", "m");
  def.rounding = NAN;
  assertOneError(&def, "rounding must be a finite number", "nan", ">= 0", "m");
  def.rounding = -INFINITY;
  assertOneError(&def, "rounding must be a finite number", "-infinity", ">= 0", "m");
  def.rounding = 0.51;
  assertOneError(&def, "rounding must not exceed 50 % of the smallest dimension", "0.51", "<= 0.5", "m");
  def = crMakeCone(1.0, 0.0, 2.0);
  def.rounding = 0.9; // of 2 / (1 + sqrt(5))
  assertOneError(&def, "rounding must not exceed the radius of the largest ball inside", "0.9", "<= 0.61803398875",
                 "m");
  def = makeGood(cr_shapeBox);
  def.inflate = -1;
  assertOneError(&def, "inflate must not be negative", "-1", ">= 0", "m");
  def.inflate = INFINITY;
  assertOneError(&def, "inflate must be a finite number", "infinity", ">= 0", "m");
}

static void shapes_without_edges_refuse_rounding(void** state)
{
  (void)state;
  const crShapeKind kinds[] = { cr_shapeSphere, cr_shapeEllipsoid, cr_shapeCapsule, cr_shapeHalfSpace };
  for (int i = 0; i < 4; ++i) {
    char message[128];
    snprintf(message, sizeof message, "rounding is not for a shape of kind %s, which has no edges",
             crShapeKind_GetText(kinds[i]));
    crShapeDef def = makeGood(kinds[i]);
    def.rounding = 0.01;
    assertOneError(&def, message, "0.01", "0", "m");
    def.rounding = CR_ZERO;
    assert_int_equal(crCheckShapeDef(&def, NULL), cr_ok);
  }
  crShapeDef def = makeGood(cr_shapeGrid);
  def.rounding = 0.01;
  assertOneError(&def, "rounding is not for a shape of kind grid, which is only drawn", "0.01", "0", "m");
  def.rounding = 0.0;
  def.inflate = 0.01;
  assertOneError(&def, "inflate is not for a shape of kind grid, which is only drawn", "0.01", "0", "m");
}

static void rounding_error_says_what_to_do(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crShapeDef box = makeGood(cr_shapeBox), sphere = makeGood(cr_shapeSphere);
  box.rounding = sphere.rounding = 0.6;
  crCheckShapeDef(&box, &sink);
  crCheckShapeDef(&sphere, &sink);
  assert_string_equal(crErrorLog_Get(log, 0)->hint, "the smallest dimension is 1 m");
  assert_string_equal(crErrorLog_Get(log, 1)->hint, "leave rounding out; inflate adds to the outside");
  crDestroyErrorLog(log);
}

static void hulls_and_meshes_are_checked(void** state)
{
  (void)state;
  crVec3 points[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, NAN, 0 }, { 0, 0, 1 } };
  crShapeDef def = crMakeHull(points, 4);
  assertOneError(&def, "points[2] must be finite", "(0, nan, 0)", NULL, "m");
  def = crMakeHull(tetrahedron, 3);
  assertOneError(&def, "pointCount must be at least 4", "3", ">= 4", NULL);
  def = crMakeHull(NULL, 4);
  assertOneError(&def, "points must be given", NULL, NULL, NULL);
  def = crMakeHull(tetrahedron, 4);
  def.rounding = 0.3; // width 1 / sqrt(3)
  assertOneError(&def, "rounding must not exceed 50 % of the smallest dimension", "0.3", "<= 0.288675134595", "m");
  def.rounding = 0.25; // the largest ball has 1 / (3 + sqrt(3))
  assertOneError(&def, "nothing is left of the hull when its faces are moved inward", "0.25",
                 "< radius of the largest ball inside", "m");
  def = crDefaultShapeDef(cr_shapeMesh);
  assertOneError(&def, "mesh must be given", NULL, NULL, NULL);
  crMesh* cube = createCube();
  def.as.mesh.mesh = cube;
  def.as.mesh.scale = crMakeVec3(1, 0, 1);
  assertOneError(&def, "scale.y must not be zero", "0", "not 0", NULL);
  def.as.mesh.scale.y = NAN;
  assertOneError(&def, "scale.y must be a finite number", "nan", "not 0", NULL);
  def.as.mesh.scale.y = -2.0;
  def.rounding = 0.6;
  assertOneError(&def, "rounding must not exceed 50 % of the smallest dimension", "0.6", "<= 0.5", "m");
  crReleaseMesh(cube);
}

static void all_breaches_are_reported_at_once(void** state)
{
  (void)state;
  crVec3 points[] = { { NAN, 0, 0 }, { 1, 0, 0 }, { 0, INFINITY, 0 } };
  crShapeDef def = crMakeHull(points, 3);
  def.axis = crMakeVec3(0, 0, NAN);
  def.inflate = -1.0;
  def.rounding = -3.0;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crCheckShapeDef(&def, &sink), cr_errorModel);
  assert_int_equal(crErrorLog_Count(log), 6);
  crErrorLog_Clear(log);
  def = crMakeBox(-1, 0, NAN);
  assert_int_equal(crCheckShapeDef(&def, &sink), cr_errorModel);
  assert_int_equal(crErrorLog_Count(log), 3);
  crDestroyErrorLog(log);
}

static void unknown_kinds_and_misuse_are_refused(void** state)
{
  (void)state;
  crShapeDef def = crDefaultShapeDef(cr_shapeNone);
  assertOneError(&def, "kind must be one of the shape kinds", "0", NULL, NULL);
  def.kind = (crShapeKind)77;
  assertOneError(&def, "kind must be one of the shape kinds", "77", NULL, NULL);
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(NULL, NULL, NULL, &shape), cr_errorMisuse);
  def = makeGood(cr_shapeBox);
  assert_int_equal(crCreateShape(&def, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crCheckShapeDef(NULL, NULL), cr_errorMisuse);
  crDestroyShape(NULL);
}

static void visual_only_kinds_cannot_be_created(void** state)
{
  (void)state;
  for (int kind = cr_shapeCoordinateSystem; kind < cr_shapeKindCount; ++kind) {
    crShapeDef def = makeGood((crShapeKind)kind);
    char message[128];
    snprintf(message, sizeof message, "a shape of kind %s is only drawn: it has no volume and no contact",
             crShapeKind_GetText((crShapeKind)kind));
    assertOneError(&def, message, NULL, NULL, NULL);
  }
}

static void sizes_beyond_the_range_of_numbers_are_refused(void** state)
{
  (void)state;
  crShapeDef def = crMakeSphere(1e120);
  assertOneError(&def, "volume or inertia is out of the range of numbers", "infinity", NULL, "m^3");
  def = crMakeBox(1e-120, 1e-120, 1e-120);
  assertOneError(&def, "volume or inertia is out of the range of numbers", "0", NULL, "m^3");
}

// ----------------------------------------------------------------------------------- what is made

static void smallest_dimension_and_sharp_edges(void** state)
{
  (void)state;
  const struct {
    crShapeDef def;
    double smallest;
  } cases[] = {
    { crMakeSphere(0.3), 0.6 },
    { crMakeEllipsoid(1, 0.2, 3), 0.4 },
    { crMakeBox(1, 2, 0.5), 0.5 },
    { crMakeBox(1, 0.002, 0.5), 0.002 },
    { crMakeCylinder(1, 5, 0.9), 2.0 },
    { crMakeCylinder(1, 0.001, 0), 0.001 },
    { crMakeCone(0.5, 0, 3), 1.0 },
    { crMakeCone(0.5, 0.7, 3), 1.4 },
    { crMakeCone(0.5, 0.7, 0.003), 0.003 },
    { crMakeCapsule(0.2, 0.1), 0.4 },
    { crMakeBeam(0.001, 0.5, 0.2), 0.2 },
    { crMakeBeam(2, 0.004, 0.2), 0.004 },
    { crDefaultShapeDef(cr_shapeHalfSpace), HUGE_VAL },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crShape* shape = crCreateTestShape(&cases[i].def);
    assert_true(crShape_GetSmallestDimension(shape) == cases[i].smallest);
    assert_true(crShape_GetRounding(shape) == 0.0);
    assert_int_equal(crShape_GetKind(shape), cases[i].def.kind);
    assert_int_equal(crShape_IsBounded(shape), cases[i].def.kind != cr_shapeHalfSpace);
    assert_int_equal(crShape_CountPieces(shape), 1);
    assert_ptr_equal(crShape_GetPiece(shape, 0), shape);
    assert_null(crShape_GetPiece(shape, 1));
    assert_null(crShape_GetPiece(shape, -1));
    assert_true(crShape_GetHullRatio(shape) == 1.0);
    crDestroyShape(shape);
  }
}

static void half_of_the_smallest_dimension_is_allowed(void** state)
{
  (void)state;
  for (int i = 1; i < 100; ++i) { // in spite of round-off
    crShapeDef def = crMakeBox(i / 10.0, i / 10.0, 100.0);
    def.rounding = i / 20.0;
    assert_int_equal(crCheckShapeDef(&def, NULL), cr_ok);
  }
}

static void core_and_sweep_are_as_documented(void** state)
{
  (void)state;
  crShapeDef def = crMakeSphere(2);
  def.inflate = 0.5;
  crShape* shape = crCreateTestShape(&def);
  assert_true(shape->sweep == 2.5 && shape->inflate == 0.5 && shape->rounding == 0.0);
  crDestroyShape(shape);
  def = crMakeCapsule(1, 4);
  shape = crCreateTestShape(&def);
  assert_true(shape->sweep == 1.0 && shape->core.zMin == -2.0 && shape->core.zMax == 2.0);
  crDestroyShape(shape);
  def = crMakeBeam(4, 2, 1);
  def.rounding = 0.0625;
  def.inflate = 0.25;
  shape = crCreateTestShape(&def);
  assert_true(shape->core.half.x == 2.0 && shape->core.half.y == 0.9375 && shape->core.half.z == 0.4375);
  assert_true(shape->sweep == 0.3125);
  crDestroyShape(shape);
  def = crMakeCone(3, 0, 4); // 3-4-5: the tip's ball sits r / (3/5) below the tip
  def.rounding = 0.3;
  shape = crCreateTestShape(&def);
  assert_close(shape->core.zMax, 4.0 - 0.5, 1e-15);
  assert_close(shape->core.zMin, 0.3, 0.0);
  assert_close(shape->core.radius, 3.0 - 0.3 * (1.25 + 0.75), 1e-15);
  assert_true(shape->core.topRadius == 0.0);
  crDestroyShape(shape);
}

// The core must exist for every rounding that is allowed, however flat or pointed the cone is.
static void eroded_cone_never_vanishes(void** state)
{
  (void)state;
  for (int k = -120; k <= 120; ++k) {
    const double tops[] = { 0.0, 1e-9, 0.1, 0.999, 1.0 };
    for (int i = 0; i < 10; ++i) {
      double top = tops[i % 5], length = pow(10.0, 0.1 * k);
      crShapeDef def = i < 5 ? crMakeCone(1, top, length) : crMakeCone(fmax(top, 1e-12), 1, length);
      crShape* shape = crCreateTestShape(&def);
      def.rounding = 0.1 * crShape_GetSmallestDimension(shape);
      crDestroyShape(shape);
      shape = crCreateTestShape(&def);
      crCore core = shape->core;
      assert_true(core.zMax - core.zMin >= 0.5 * length && core.zMin >= def.rounding);
      assert_true(core.zMax <= (length - def.rounding) * (1.0 + 1e-15));
      assert_true(fmax(core.radius, core.topRadius) >= 0.6 && fmin(core.radius, core.topRadius) >= 0.0);
      crDestroyShape(shape);
    }
  }
}

static void own_axis_gives_exactly_the_identity(void** state)
{
  (void)state;
  const double lengths[] = { 1.0, 5.0, 1e-200, 0.1 };
  crMat3 identity = crIdentityMat3();
  for (int kind = cr_shapeSphere; kind <= cr_shapeHull; ++kind) {
    for (int i = 0; i < 4; ++i) {
      crShapeDef def = makeGood((crShapeKind)kind);
      def.axis = crScale(lengths[i], def.axis);
      crShape* shape = crCreateTestShape(&def);
      assert_false(shape->isTurned);
      for (int k = 0; k < 9; ++k) {
        assert_true((&shape->R_FS.cx.x)[k] == (&identity.cx.x)[k]);
      }
      crDestroyShape(shape);
    }
  }
}

static void nearly_own_axis_is_not_lost(void** state)
{
  (void)state;
  crShapeDef def = crMakeCylinder(1, 1000, 0);
  def.axis = crMakeVec3(1e-9, 0, 1);
  crShape* shape = crCreateTestShape(&def);
  assert_true(shape->isTurned);
  assert_close(shape->R_FS.cz.x, 1e-9, 1e-24);
  crDestroyShape(shape);
}

static void quarter_turns_are_exact(void** state)
{
  (void)state;
  const crVec3 axes[] = { { 3, 0, 0 }, { -1, 0, 0 }, { 0, 0.1, 0 }, { 0, -1, 0 }, { 0, 0, -7 }, { 0, 0, 1e-200 } };
  for (int i = 0; i < 12; ++i) {
    crShapeDef def = i < 6 ? crMakeCylinder(1, 2, 0) : crMakeBeam(1, 2, 3);
    crCompleteShapeDef(&def);
    crVec3 own = def.axis;
    def.axis = axes[i % 6];
    crShape* shape = crCreateTestShape(&def);
    assert_vec_close(crMulMV(shape->R_FS, own), crNormalize(def.axis), 0.0);
    for (int k = 0; k < 9; ++k) {
      double entry = (&shape->R_FS.cx.x)[k];
      assert_true(entry == 0.0 || fabs(entry) == 1.0);
    }
    crDestroyShape(shape);
  }
}

static void shape_keeps_no_pointer_into_the_def(void** state)
{
  (void)state;
  crVec3 points[4];
  memcpy(points, tetrahedron, sizeof points);
  crShapeDef def = crMakeHull(points, 4);
  crShape* shape = crCreateTestShape(&def);
  crVec3 before = crShape_ComputeSupport(shape, crMakeVec3(1, 2, 3));
  memset(points, 0, sizeof points);
  crVec3 after = crShape_ComputeSupport(shape, crMakeVec3(1, 2, 3));
  assert_memory_equal(&before, &after, sizeof before);
  assert_null(shape->given.as.hull.points);
  crDestroyShape(shape);
}

// --------------------------------------------------------------------------------------------- mesh

static void mesh_shape_retains_its_mesh(void** state)
{
  (void)state;
  crMesh* cube = createCube();
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = cube;
  def.as.mesh.file = "cube.stl";
  crShape* shape = crCreateTestShape(&def);
  crReleaseMesh(cube);
  assert_int_equal(crMesh_GetFacts(shape->given.as.mesh.mesh).triangleCount, 12);
  assert_null(shape->given.as.mesh.file);
  crDestroyShape(shape);
}

static void mesh_pieces_are_hulls_in_the_mesh_frame(void** state)
{
  (void)state;
  crTestBox boxes[] = { { { 0, 0, 0 }, { 1, 1, 1 } }, { { 2, 0, 0 }, { 2.02, 1, 1 } }, { { -4, 0, 0 }, { -2, 1, 1 } } };
  crMesh* mesh = crCreateBoxMesh(boxes, 3);
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = mesh;
  def.axis = crMakeVec3(0, 1, 0); // z to y is a quarter turn about -x: (x, y, z) -> (x, z, -y)
  def.inflate = 0.125;
  crShape* shape = crCreateTestShape(&def);
  assert_int_equal(crShape_CountPieces(shape), 3);
  assert_null(crShape_GetPiece(shape, 3));
  assert_close(crShape_GetSmallestDimension(shape), 0.02, 1e-15);
  for (int i = 0; i < 3; ++i) {
    const crShape* piece = crShape_GetPiece(shape, i);
    assert_int_equal(crShape_GetKind(piece), cr_shapeHull);
    assert_close(crShape_GetRounding(piece), 0.0, 1e-18);
    crAabb box = crShape_ComputeAabb(piece, crIdentityPose());
    assert_vec_close(box.max, crMakeVec3(boxes[i].max.x + 0.125, 1.125, 0.125), 1e-14);
    assert_vec_close(box.min, crMakeVec3(boxes[i].min.x - 0.125, -0.125, -1.125), 1e-14);
    crVec3 size = crSub(boxes[i].max, boxes[i].min);
    assert_close(crShape_ComputeVolume(piece), size.x * size.y * size.z, 1e-14);
  }
  crDestroyShape(shape);
  crReleaseMesh(mesh);
}

// One message with this severity, and that status.
static void assertMeshMessage(const crMeshDef* meshDef, crStatus status, crSeverity severity, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crMesh* mesh = NULL;
  assert_int_equal(crCreateMesh(meshDef, NULL, NULL, &mesh), cr_ok);
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = mesh;
  def.as.mesh.file = "part.obj";
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(&def, NULL, &sink, &shape), status);
  assert_int_equal(crErrorLog_Count(log), 1);
  assert_int_equal(crErrorLog_Get(log, 0)->severity, severity);
  assert_string_equal(crErrorLog_Get(log, 0)->message, message);
  assert_true(shape == NULL || crShape_ComputeVolume(shape) > 0.0);
  crDestroyShape(shape);
  crReleaseMesh(mesh);
  crDestroyErrorLog(log);
}

static void doubtful_meshes_are_reported(void** state)
{
  (void)state;
  // a pyramid over the square (0..2)^2
  const crVec3 points[] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 }, { 0, 2, 0 }, { 1, 1, 2 } };
  const int32_t pyramid[][3] = { { 0, 2, 1 }, { 0, 3, 2 }, { 0, 1, 4 }, { 1, 2, 4 }, { 2, 3, 4 }, { 3, 0, 4 } };
  const int32_t insideOut[][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 4, 1 }, { 1, 4, 2 }, { 2, 4, 3 }, { 3, 4, 0 } };
  crMeshDef def = { .size = sizeof(crMeshDef), .points = points, .pointCount = 5, .pieceCount = 1 };
  def.triangles = insideOut;
  def.triangleCount = 6;
  assertMeshMessage(
      &def, cr_ok, cr_severityWarning,
      "mesh part.obj is inside out: its triangles are clockwise seen from outside; it is taken as turned");
  def.triangles = pyramid + 2; // the base missing lies in z = 0 and adds no volume
  def.triangleCount = 4;
  assertMeshMessage(&def, cr_ok, cr_severityWarning,
                    "mesh part.obj is not closed: it has 4 open edges, so its mass properties are doubtful");
}

static void meshes_without_volume_are_refused(void** state)
{
  (void)state;
  const crVec3 points[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  const int32_t triangles[][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 2, 0, 3 }, { 0, 1, 2 }, { 0, 2, 1 } };
  const int32_t starts[] = { 0, 4 };
  crMeshDef flat = { sizeof(crMeshDef), points, 4, triangles + 4, 2, NULL, 1 };
  assertMeshMessage(&flat, cr_errorModel, cr_severityError, "mesh must enclose a volume");
  // a tetrahedron, and a second piece of one triangle with two sides
  crMeshDef half = { sizeof(crMeshDef), points, 4, triangles, 6, starts, 2 };
  crMesh* mesh = NULL;
  assert_int_equal(crCreateMesh(&half, NULL, NULL, &mesh), cr_ok);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = mesh;
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(&def, NULL, &sink, &shape), cr_errorModel);
  assert_null(shape);
  const crError* last = crErrorLog_Get(log, crErrorLog_Count(log) - 1);
  assert_string_equal(last->message, "piece 2 of 2 of the mesh has no convex hull");
  crDestroyErrorLog(log);
  crReleaseMesh(mesh);
}

// -------------------------------------------------------------------------------------------- memory

static void sweepAllocations(const crShapeDef* def)
{
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status != cr_ok; ++failAt) {
    assert_true(failAt < 10000);
    counter.callCount = 0;
    counter.failAt = failAt;
    crShape* shape = NULL;
    status = crCreateShape(def, &allocator, NULL, &shape);
    assert_true(status == cr_ok || status == cr_errorMemory);
    assert_true((shape != NULL) == (status == cr_ok));
    crDestroyShape(shape);
    assert_int_equal(counter.liveBlocks, 0);
    assert_int_equal(counter.liveBytes, 0);
  }
}

static void running_out_of_memory_leaves_nothing_behind(void** state)
{
  (void)state;
  for (int kind = cr_shapeSphere; kind <= cr_shapeHull; ++kind) {
    crShapeDef def = makeGood((crShapeKind)kind);
    sweepAllocations(&def);
  }
  crTestBox boxes[] = { { { 0, 0, 0 }, { 1, 1, 1 } }, { { 2, 0, 0 }, { 3, 1, 1 } } };
  crMesh* mesh = crCreateBoxMesh(boxes, 2);
  crShapeDef def = crDefaultShapeDef(cr_shapeMesh);
  def.as.mesh.mesh = mesh;
  sweepAllocations(&def);
  crReleaseMesh(mesh);
}

static void refused_hulls_leave_nothing_behind(void** state)
{
  (void)state;
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  const crVec3 flat[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 2, 3, 0 } };
  crShapeDef def = crMakeHull(flat, 5);
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(&def, &allocator, NULL, &shape), cr_errorModel);
  assert_null(shape);
  def = crMakeHull(tetrahedron, 4);
  def.rounding = 0.5;
  assert_int_equal(crCreateShape(&def, &allocator, NULL, &shape), cr_errorModel);
  assert_null(shape);
  assert_int_equal(counter.liveBlocks, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds_have_names),
    cmocka_unit_test(default_def_needs_only_sizes),
    cmocka_unit_test(every_bad_size_is_named),
    cmocka_unit_test(relations_between_sizes_are_checked),
    cmocka_unit_test(counts_and_texts_are_checked),
    cmocka_unit_test(axis_rounding_and_inflate_are_checked),
    cmocka_unit_test(shapes_without_edges_refuse_rounding),
    cmocka_unit_test(rounding_error_says_what_to_do),
    cmocka_unit_test(hulls_and_meshes_are_checked),
    cmocka_unit_test(all_breaches_are_reported_at_once),
    cmocka_unit_test(unknown_kinds_and_misuse_are_refused),
    cmocka_unit_test(visual_only_kinds_cannot_be_created),
    cmocka_unit_test(sizes_beyond_the_range_of_numbers_are_refused),
    cmocka_unit_test(smallest_dimension_and_sharp_edges),
    cmocka_unit_test(half_of_the_smallest_dimension_is_allowed),
    cmocka_unit_test(core_and_sweep_are_as_documented),
    cmocka_unit_test(eroded_cone_never_vanishes),
    cmocka_unit_test(own_axis_gives_exactly_the_identity),
    cmocka_unit_test(nearly_own_axis_is_not_lost),
    cmocka_unit_test(quarter_turns_are_exact),
    cmocka_unit_test(shape_keeps_no_pointer_into_the_def),
    cmocka_unit_test(mesh_shape_retains_its_mesh),
    cmocka_unit_test(mesh_pieces_are_hulls_in_the_mesh_frame),
    cmocka_unit_test(doubtful_meshes_are_reported),
    cmocka_unit_test(meshes_without_volume_are_refused),
    cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    cmocka_unit_test(refused_hulls_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
