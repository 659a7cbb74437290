// Ground from heights: what it weighs, what lies and rolls on it, and what is refused.
#include "carom/collide.h"
#include "geometry/height_field.h"
#include "geometry/mesh.h"
#include "mesh/png.h"
#include "support/folder.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define COUNT 9

// Heights of a function on 9 x 9 points over [-2, 2] x [-1, 1].
static void fill(double (*function)(double x, double y), double heights[COUNT * COUNT])
{
  for (int k = 0; k < COUNT * COUNT; ++k) {
    heights[k] = function(4.0 * (k % COUNT) / (COUNT - 1) - 2.0, 2.0 * (int)(k / COUNT) / (COUNT - 1) - 1.0);
  }
}

static crShapeDef define(const double* heights, int refine)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeHeightField);
  def.as.heightField.heights = heights;
  def.as.heightField.rowCount = def.as.heightField.columnCount = COUNT;
  def.as.heightField.width = 4.0;
  def.as.heightField.length = 2.0;
  def.as.heightField.depth = 0.5;
  def.as.heightField.refine = refine;
  return def;
}

static crShape* make(const crShapeDef* def)
{
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(def, NULL, NULL, &shape), cr_ok);
  assert_int_equal(crShape_GetKind(shape), cr_shapeHeightField);
  return shape;
}

static double beFlat(double x, double y)
{
  (void)x;
  (void)y;
  return 0.25;
}

static double beWedge(double x, double y)
{
  (void)y;
  return 0.5 * (x + 2.0);
}

static double beWave(double x, double y)
{
  return 0.1 * sin(1.5 * x) * cos(2.0 * y);
}

static void flat_ground_weighs_as_a_box_and_is_few_pieces(void** state)
{
  (void)state;
  double heights[COUNT * COUNT];
  fill(beFlat, heights);
  crShapeDef def = define(heights, 1);
  def.as.heightField.isFaceted = true;
  crShape* shape = make(&def);
  crInertia inertia = crShape_ComputeInertia(shape, 1.0);
  assert_close(inertia.mass, 4.0 * 2.0 * 0.5, 1e-12);
  assert_close(inertia.com.z, 0.0, 1e-12);
  assert_close(inertia.I_com.zz, 4.0 * (16.0 + 4.0) / 12.0, 1e-12);
  assert_int_equal(crShape_CountPieces(shape), COUNT - 1); // a row is one
  crDestroyShape(shape);
}

// A wedge from height 0 to 2 over x, on a base of 0.5: volume 8 x 1.5, first moment by hand.
static void a_slope_weighs_as_a_wedge(void** state)
{
  (void)state;
  double heights[COUNT * COUNT];
  fill(beWedge, heights);
  crShapeDef def = define(heights, 3);
  def.as.heightField.isFaceted = true;
  crShape* shape = make(&def);
  crInertia inertia = crShape_ComputeInertia(shape, 1.0);
  assert_close(inertia.mass, 12.0, 1e-11);
  assert_close(inertia.com.x, 2.0 * 0.5 * 16.0 / 3.0 / 12.0, 1e-11); // integral of 2 (0.5 (x + 2)) x over x
  double volume = 0.0;
  for (int i = 0; i < crShape_CountPieces(shape); ++i) {
    volume += crShape_ComputeVolume(crShape_GetPiece(shape, i));
  }
  assert_close(volume, 12.0, 1e-11);
  crDestroyShape(shape);
}

// Facets come nearer to the surface by the square of their size; at the heights they are on it.
static void facets_of_a_smooth_surface_converge(void** state)
{
  (void)state;
  double heights[COUNT * COUNT], errors[3], volumes[3];
  fill(beWave, heights);
  for (int r = 0; r < 3; ++r) {
    crShapeDef def = define(heights, 1 << r);
    crMesh* mesh = NULL;
    assert_int_equal(crMakeHeightSurface(&def, NULL, NULL, &mesh), cr_ok);
    assert_true(crMesh_GetFacts(mesh).isClosed);
    crMeshDef points = crMesh_GetDef(mesh);
    int n = (COUNT - 1) * (1 << r) + 1;
    errors[r] = 0.0;
    for (int k = 0; k < n * n; ++k) { // bends of the facets, along x
      int i = k % n;
      if (i > 0 && i < n - 1) {
        errors[r] = fmax(errors[r], fabs(points.points[k - 1].z - 2.0 * points.points[k].z + points.points[k + 1].z));
      }
      if (i % (1 << r) == 0 && k / n % (1 << r) == 0) {
        assert_close(points.points[k].z, heights[(k / n >> r) * COUNT + (i >> r)], 1e-15);
      }
    }
    volumes[r] = crMesh_GetFacts(mesh).volume;
    crReleaseMesh(mesh);
  }
  assert_true(errors[1] < 0.3 * errors[0] && errors[2] < 0.3 * errors[1]); // a quarter each
  assert_true(fabs(volumes[2] - volumes[1]) < 0.3 * fabs(volumes[1] - volumes[0]) + 1e-9);
}

static void distance_to_a_slope_is_that_of_a_plane(void** state)
{
  (void)state;
  double heights[COUNT * COUNT];
  fill(beWedge, heights);
  crShapeDef def = define(heights, 1), ball = crDefaultShapeDef(cr_shapeSphere);
  ball.as.sphere.radius = 0.1;
  crShape *ground = make(&def), *sphere = NULL;
  assert_int_equal(crCreateShape(&ball, NULL, NULL, &sphere), cr_ok);
  def.as.heightField.isFaceted = true;
  crShape* faceted = make(&def);
  crPose here = crIdentityPose(), there = { crIdentityMat3(), { 0.2, 0.1, 2.0 } };
  crDistance d;
  assert_int_equal(crComputeDistance(ground, &here, sphere, &there, NULL, &d), cr_ok);
  // the plane z = 0.5 x + 1
  assert_close(d.distance, (2.0 - 0.1 - 1.0) / sqrt(1.25) - 0.1, 1e-12);
  assert_int_equal(crComputeDistance(faceted, &here, sphere, &there, NULL, &d), cr_ok);
  assert_close(d.distance, (2.0 - 0.1 - 1.0) / sqrt(1.25) - 0.1, 1e-12);
  crDestroyShape(sphere);
  crDestroyShape(faceted);
  crDestroyShape(ground);
}

// ----------------------------------------------------------------------------------------------------- runs

#define GROUND                                                                                                         \
  "solidMaterial('M', { density = 1000, E = 1e8, nu = 0.3 })\nworld('w')\n"                                            \
  "local rows = {}\nfor j = 0, 8 do local row = {}\n"                                                                  \
  "for i = 0, 8 do row[i + 1] = %s end rows[j + 1] = row end\n"                                                        \
  "object('ground', { parent = 'w', solid{ shape = heightField{ heights = rows, width = 4, length = 4, refine = %d, "  \
  "facets = true },\n"                                                                                                 \
  "  contact = 'M' } })\n"

static crTestRun open(const char* height, int refine, const char* rest, double stop)
{
  char text[4096];
  int length = snprintf(text, sizeof text, GROUND "%s", height, refine, rest);
  assert_true(length > 0 && length < (int)sizeof text);
  return crOpenTestText(text, stop, 1e-8, cr_solverDefault);
}

// On a slope of 1 in 5, over the seams of all cells, without friction.
static void a_ball_slides_down_a_slope_as_on_a_plane(void** state)
{
  (void)state;
  crTestRun run = open("0.1 * (8 - i)", 2,
                       "contactPair('M', 'M', { cor = 0.5, muK = 0, muR = 0 })\n"
                       "object('body', { parent = 'w', position = { -1.5, 0.1, 0.75099 }, free = true,\n"
                       "  solid{ shape = sphere{ radius = 0.05 }, material = 'M', contact = 'M' } })\n",
                       0.8);
  crPose before = crTestRun_Pose(&run, "body");
  crTestRun_Advance(&run, 0.8);
  crPose after = crTestRun_Pose(&run, "body");
  crVec3 way = crSub(after.p, before.p);
  double sine = 0.2 / sqrt(1.04);
  assert_close(crLength(way), 0.5 * 9.81 * sine * 0.64, 2e-3);
  assert_close(way.z / way.x, -0.2, 1e-4);
  assert_close(way.y, 0.0, 1e-6);
  assert_true(fabs(crTestRun_Unexplained(&run)) < 1e-6);
  crCloseTestRun(&run);
}

static void bounces(const char* shape, double mass, double tolerance)
{
  char text[1024];
  snprintf(text, sizeof text,
           "contactPair('M', 'M', { cor = 1, muK = 0, muR = 0 })\n"
           "object('body', { parent = 'w', position = { 0.13, 0.21, 0.5 }, rotation = { 0.3, 0.5, 0.7 }, free = true,\n"
           "  angularVelocity = { 1, 2, 3 }, solid{ shape = %s, material = 'M', contact = 'M' } })\n",
           shape);
  crTestRun run = open("0.1 * math.sin(0.8 * i) * math.cos(0.6 * j)", 2, text, 0.8);
  crTestRun_Advance(&run, 0.8);
  assert_true(fabs(crTestRun_Unexplained(&run)) <= tolerance * mass * 9.81 * 0.5);
  crCloseTestRun(&run);
}

static void impacts_on_ground_keep_energy(void** state)
{
  (void)state;
  bounces("sphere{ radius = 0.1 }", 4.19, 1e-6);
  bounces("box{ size = { 0.3, 0.2, 0.1 } }", 6.0, 1e-5);
  bounces("cylinder{ radius = 0.1, length = 0.08 }", 2.51, 1e-5);
}

// -------------------------------------------------------------------------------------------------- pictures

static void putWord(uint8_t* p, uint32_t value)
{
  for (int i = 0; i < 4; ++i) {
    p[i] = (uint8_t)(value >> (24 - 8 * i));
  }
}

static size_t addChunk(uint8_t* file, size_t at, const char* type, const uint8_t* data, size_t size)
{
  putWord(file + at, (uint32_t)size);
  memcpy(file + at + 4, type, 4);
  memcpy(file + at + 8, data, size);
  putWord(file + at + 8 + size, (uint32_t)crc32(0, file + at + 4, (uInt)size + 4));
  return at + size + 12;
}

// A picture of 3 x 2 pixels with each filter in use; depth 8 or 16.
static size_t makePng(uint8_t file[256], int depth, int colour, int interlace, int filter)
{
  static const uint16_t grey[2][3] = { { 0, 0x8000, 0xffff }, { 0x1234, 0x5678, 0x9abc } };
  uint8_t header[13] = { 0, 0, 0, 3, 0, 0, 0, 2, (uint8_t)depth, (uint8_t)colour, 0, 0, (uint8_t)interlace };
  uint8_t rows[2 * 7], plain[2 * 7], packed[128];
  int step = depth / 8, rowSize = 1 + 3 * step;
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 3; ++i) {
      plain[j * rowSize + 1 + i * step] = (uint8_t)(grey[j][i] >> 8);
      if (step == 2) {
        plain[j * rowSize + 2 + i * step] = (uint8_t)grey[j][i];
      }
    }
    rows[j * rowSize] = (uint8_t)filter;
    for (int k = 1; k < rowSize; ++k) {
      int left = k > step ? plain[j * rowSize + k - step] : 0, up = j > 0 ? plain[k] : 0;
      int corner = j > 0 && k > step ? plain[k - step] : 0, p = left + up - corner;
      int a = abs(p - left), b = abs(p - up), c = abs(p - corner),
          paeth = a <= b && a <= c ? left
                  : b <= c         ? up
                                   : corner;
      int minus[5] = { 0, left, up, (left + up) / 2, paeth };
      rows[j * rowSize + k] = (uint8_t)(plain[j * rowSize + k] - (filter < 5 ? minus[filter] : 0));
    }
  }
  uLongf size = sizeof packed;
  assert_int_equal(compress(packed, &size, rows, (uLong)(2 * rowSize)), Z_OK);
  memcpy(file, "\x89PNG\r\n\x1a\n", 8);
  size_t at = addChunk(file, 8, "IHDR", header, sizeof header);
  at = addChunk(file, at, "IDAT", packed, size / 2);
  at = addChunk(file, at, "IDAT", packed + size / 2, size - size / 2);
  return addChunk(file, at, "IEND", packed, 0);
}

static void pictures_are_read_with_every_filter(void** state)
{
  (void)state;
  uint8_t file[256];
  for (int depth = 8; depth <= 16; depth += 8) {
    for (int filter = 0; filter < 5; ++filter) {
      size_t size = makePng(file, depth, 0, 0, filter);
      crGreyPicture picture;
      assert_int_equal(crReadPng(file, size, "a.png", NULL, NULL, &picture), cr_ok);
      assert_int_equal(picture.columnCount, 3);
      assert_int_equal(picture.rowCount, 2);
      double expected = depth == 16 ? 0x1234 / 65535.0 : 0x12 / 255.0; // the lower row comes first
      assert_close(picture.values[0], expected, 1e-15);
      assert_close(picture.values[5], 1.0, 1e-15);
      crGreyPicture_Free(&picture, NULL);
    }
  }
}

static void expectPng(const uint8_t* file, size_t size, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crGreyPicture picture;
  assert_int_equal(crReadPng(file, size, "a.png", NULL, &sink, &picture), cr_errorSyntax);
  assert_null(picture.values);
  assert_message(log, cr_severityError, message);
  crDestroyErrorLog(log);
}

static void bad_pictures_are_refused(void** state)
{
  (void)state;
  uint8_t file[256];
  size_t size = makePng(file, 16, 0, 0, 0);
  expectPng(file, 4, "this is no PNG file");
  expectPng(file, 20, "the picture is cut off");
  expectPng(file, 8, "the picture has no header");
  file[40] ^= 1;
  expectPng(file, size, "a checksum is wrong");
  expectPng(file, makePng(file, 16, 2, 0, 0), "the picture has colours");
  expectPng(file, makePng(file, 16, 0, 1, 0), "the picture is interlaced");
  expectPng(file, makePng(file, 16, 0, 0, 7), "a row of the picture has an unknown filter");
  size = makePng(file, 16, 0, 0, 0);
  file[8 + 8 + 8] = 4; // depth, whose checksum is made again
  putWord(file + 8 + 8 + 13, (uint32_t)crc32(0, file + 12, 17));
  expectPng(file, size, "the picture has another number of bits");
  size = makePng(file, 16, 0, 0, 0);
  putWord(file + 8 + 8, 1); // columns
  putWord(file + 8 + 8 + 13, (uint32_t)crc32(0, file + 12, 17));
  expectPng(file, size, "the picture has too few or too many pixels\n  allowed: 2 ... 4096 along each edge");
  static const uint8_t header[14] = { 0, 0, 0, 3, 0, 0, 0, 2, 16 };
  expectPng(file, addChunk(file, 8, "IHDR", header, sizeof header), "the header of the picture has a wrong size");
  size = makePng(file, 16, 0, 0, 0);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  for (counter.failAt = 0; counter.failAt < 3; ++counter.failAt) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crGreyPicture picture;
    counter.callCount = 0;
    assert_int_equal(crReadPng(file, size, "a.png", &allocator, &sink, &picture), cr_errorMemory);
    assert_message(log, cr_severityError, "a.png: error: out of memory while reading a picture");
    assert_int_equal(counter.liveBlocks, 0);
    crDestroyErrorLog(log);
  }
}

static void a_model_takes_its_heights_from_a_picture(void** state)
{
  (void)state;
  uint8_t file[256];
  crWriteTestFile(crTestPath("ground.png"), file, makePng(file, 16, 0, 0, 1));
  const char* text =
      "world('w')\nobject('g', { parent = 'w', solid{ shape = heightField{ file = 'ground.png', width = 3,\n"
      "  length = 2, height = 2 } } })\n";
  crScene* scene = NULL;
  assert_int_equal(crReadLua(text, strlen(text), "m.lua", crTestPath(""), NULL, NULL, NULL, &scene), cr_ok);
  const crObjectDef* def = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, 1));
  assert_close(def->features[0].as.solid.shape.as.heightField.heights[5], 2.0, 1e-15);
  // the heights themselves are in the JSON, so that it needs no file
  assert_int_equal(crWriteJsonFile(scene, crTestPath("m.json"), NULL, NULL, NULL), cr_ok);
  crDestroyScene(scene);
  assert_int_equal(remove(crTestPath("ground.png")), 0);
  assert_int_equal(crReadModel(crTestPath("m.json"), NULL, NULL, NULL, &scene), cr_ok);
  def = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, 1));
  assert_close(def->features[0].as.solid.shape.as.heightField.heights[5], 2.0, 0.0);
  crDestroyScene(scene);
}

static void expectModel(const char* shape, const char* message)
{
  char text[512];
  snprintf(text, sizeof text, "world('w')\nobject('g', { parent = 'w', solid{ shape = heightField{ %s } } })\n", shape);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  assert_int_not_equal(crReadLua(text, strlen(text), "m.lua", crTestPath(""), NULL, NULL, &sink, &scene), cr_ok);
  assert_message(log, cr_severityError, message);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void bad_grounds_are_refused(void** state)
{
  (void)state;
  expectModel("width = 1, length = 1", "heights must be given");
  expectModel("heights = { { 1, 2 } }, width = 1, length = 1", "heights must have two rows and two columns");
  expectModel("heights = { { 1, 2 }, { 1 } }, width = 1, length = 1", "heights[2] is no row like the first");
  expectModel("heights = { { 1, 2 }, { 1, 'a' } }, width = 1, length = 1", "heights[2][2] is not a number");
  expectModel("heights = 3, width = 1, length = 1", "heights is of the wrong type");
  expectModel("heights = { { 1, 2 }, { 1, 0/0 } }, width = 1, length = 1", "finite");
  expectModel("heights = { { 1, 2 }, { 1, 2 } }, width = -1, length = 1", "width");
  expectModel("heights = { { 1, 2 }, { 1, 2 } }, width = 1, length = 1, refine = 1000", "too many facets");
  expectModel("heights = { { 1, 2 }, { 1, 2 } }, width = 1, length = 1, depth = -1", "depth");
  expectModel("heights = {}, width = 1, length = 1", "heights is of the wrong type");
  expectModel("heights = { {}, {} }, width = 1, length = 1", "heights must have two rows and two columns");
  expectModel("heights = { { 0, nil, 1 }, { 0, 0, 0 } }, width = 1, length = 1", "heights is of the wrong type");
  expectModel("heights = { x = { 1, 2 }, { 1, 2 } }, width = 1, length = 1", "heights is of the wrong type");
  expectModel("heights = { { { 1 }, 2 }, { 1, 2 } }, width = 1, length = 1", "heights[1][1] is not a number");
  expectModel("heights = { { 1e308, -1e308 }, { -1e308, 1e308 } }, width = 1, length = 1", "cannot be computed with");
  expectModel("heights = { { 0, 1 }, { 1, 0 } }, width = 1e300, length = 1e300", "cannot be computed with");
  expectModel("heights = { { 1, 2 }, { 1, 2 } }, width = 0/0, length = 1", "width must be finite");
  expectModel("heights = { { 1, 2 }, { 1, 2 } }, width = 1, length = 1, depth = 1e308", "cannot be computed with");
  expectModel("heights = { { 1, 2 }, { 1, 2 } }, width = 1, length = 1, refine = -5", "refine is out of range");
  expectModel("heights = { { 1, 2 }, { 1, 2 } }, file = 'a.png', width = 1, length = 1",
              "file is given beside heights");
  expectModel("file = 3, width = 1, length = 1", "file is of the wrong type");
  expectModel("file = '/etc/passwd', width = 1, length = 1", "lies outside the model's folder");
  expectModel("file = 'none.png', width = 1, length = 1", "none.png");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(flat_ground_weighs_as_a_box_and_is_few_pieces),
    cmocka_unit_test(a_slope_weighs_as_a_wedge),
    cmocka_unit_test(facets_of_a_smooth_surface_converge),
    cmocka_unit_test(distance_to_a_slope_is_that_of_a_plane),
    cmocka_unit_test(a_ball_slides_down_a_slope_as_on_a_plane),
    cmocka_unit_test(impacts_on_ground_keep_energy),
    cmocka_unit_test(pictures_are_read_with_every_filter),
    cmocka_unit_test(bad_pictures_are_refused),
    cmocka_unit_test(a_model_takes_its_heights_from_a_picture),
    cmocka_unit_test(bad_grounds_are_refused),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
