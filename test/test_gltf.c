// glTF files: their chunks, what accessors promise, and motion that equals the result's. Surfaces are closed, look
// outwards and enclose the volume of their shapes.
#include "carom/report.h"
#include "show/tessellate.h"

#include "support/folder.h"
#include "support/log.h"
#include "support/record_run.h"
#include "support/results.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// -------------------------------------------------------------------------------------------- files

typedef struct Glb {
  char* bytes;
  json_t* root;
  const unsigned char* binary;
  uint32_t binarySize;
} Glb;

static uint32_t wordAt(const char* bytes, size_t offset)
{
  uint32_t word;
  memcpy(&word, bytes + offset, sizeof word);
  return word;
}

static Glb readGlb(const char* path)
{
  size_t size;
  json_error_t error;
  Glb glb = { .bytes = crReadTestFile(path, &size) };
  assert_true(size > 20);
  assert_memory_equal(glb.bytes, "glTF", 4);
  assert_int_equal(wordAt(glb.bytes, 4), 2);
  assert_int_equal(wordAt(glb.bytes, 8), size);
  uint32_t jsonSize = wordAt(glb.bytes, 12);
  assert_memory_equal(glb.bytes + 16, "JSON", 4);
  assert_int_equal(jsonSize % 4, 0);
  glb.root = json_loadb(glb.bytes + 20, jsonSize, 0, &error);
  assert_non_null(glb.root);
  assert_memory_equal(glb.bytes + 24 + jsonSize, "BIN\0", 4);
  glb.binarySize = wordAt(glb.bytes, 20 + jsonSize);
  assert_int_equal(28 + jsonSize + glb.binarySize, size);
  glb.binary = (const unsigned char*)glb.bytes + 28 + jsonSize;
  return glb;
}

static void freeGlb(Glb* glb)
{
  json_decref(glb->root);
  free(glb->bytes);
}

static const json_t* item(const Glb* glb, const char* list, json_int_t index)
{
  const json_t* value = json_array_get(json_object_get(glb->root, list), (size_t)index);
  assert_non_null(value);
  return value;
}

static json_int_t integer(const json_t* object, const char* member)
{
  const json_t* value = json_object_get(object, member);
  assert_true(json_is_number(value));
  return (json_int_t)json_number_value(value);
}

static const char* text(const json_t* object, const char* member)
{
  return json_string_value(json_object_get(object, member));
}

static int componentsOf(const json_t* accessor)
{
  const char* type = text(accessor, "type");
  return strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "VEC3") == 0 ? 3 : 4;
}

// The bytes of an accessor, which lie inside its view, and that inside the buffer.
static const unsigned char* bytesOf(const Glb* glb, json_int_t index, json_int_t* outCount)
{
  const json_t* accessor = item(glb, "accessors", index);
  const json_t* view = item(glb, "bufferViews", integer(accessor, "bufferView"));
  json_int_t offset = integer(view, "byteOffset"), size = integer(view, "byteLength");
  *outCount = integer(accessor, "count");
  assert_true(*outCount >= 1);
  assert_int_equal(offset % 4, 0);
  assert_true(offset >= 0 && offset + size <= glb->binarySize);
  assert_int_equal(*outCount * componentsOf(accessor) * 4, size);
  return glb->binary + offset;
}

static double floatAt(const unsigned char* bytes, json_int_t index)
{
  float value;
  memcpy(&value, bytes + 4 * index, sizeof value);
  return (double)value;
}

static void assertBounds(const Glb* glb, json_int_t index)
{
  const json_t *accessor = item(glb, "accessors", index), *min = json_object_get(accessor, "min");
  const json_t* max = json_object_get(accessor, "max");
  json_int_t count;
  const unsigned char* bytes = bytesOf(glb, index, &count);
  int components = componentsOf(accessor);
  assert_int_equal(json_array_size(min), components);
  for (int c = 0; c < components; ++c) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (json_int_t i = 0; i < count; ++i) {
      low = fmin(low, floatAt(bytes, i * components + c));
      high = fmax(high, floatAt(bytes, i * components + c));
    }
    assert_true(json_number_value(json_array_get(min, (size_t)c)) == low);
    assert_true(json_number_value(json_array_get(max, (size_t)c)) == high);
  }
}

static void assertPrimitive(const Glb* glb, const json_t* primitive)
{
  json_int_t pointCount, indexCount, normalCount;
  const json_t* attributes = json_object_get(primitive, "attributes");
  bytesOf(glb, integer(attributes, "POSITION"), &pointCount);
  assertBounds(glb, integer(attributes, "POSITION"));
  const unsigned char* indices = bytesOf(glb, integer(primitive, "indices"), &indexCount);
  for (json_int_t i = 0; i < indexCount; ++i) {
    assert_true(wordAt((const char*)indices, (size_t)(4 * i)) < pointCount);
  }
  assert_int_equal(indexCount % (integer(primitive, "mode") == 4 ? 3 : 2), 0);
  assert_true(integer(primitive, "material") < (json_int_t)json_array_size(json_object_get(glb->root, "materials")));
  if (integer(primitive, "mode") == 4) {
    const unsigned char* normals = bytesOf(glb, integer(attributes, "NORMAL"), &normalCount);
    assert_int_equal(normalCount, pointCount);
    for (json_int_t i = 0; i < pointCount; ++i) {
      crVec3 n = { floatAt(normals, 3 * i), floatAt(normals, 3 * i + 1), floatAt(normals, 3 * i + 2) };
      assert_close(crDot(n, n), 1.0, 1e-5);
    }
  }
}

// Every node but the root is the child of exactly one other.
static void assertHierarchy(const Glb* glb)
{
  const json_t* nodes = json_object_get(glb->root, "nodes");
  int parents[512] = { 0 };
  size_t count = json_array_size(nodes);
  assert_true(count < 512);
  for (size_t i = 0; i < count; ++i) {
    const json_t* children = json_object_get(json_array_get(nodes, i), "children");
    for (size_t k = 0; k < json_array_size(children); ++k) {
      json_int_t child = (json_int_t)json_number_value(json_array_get(children, k));
      assert_true(child >= 0 && child < (json_int_t)count);
      ++parents[child];
    }
  }
  assert_int_equal(parents[0], 0);
  for (size_t i = 1; i < count; ++i) {
    assert_int_equal(parents[i], 1);
  }
}

static void the_file_keeps_what_it_promises(void** state)
{
  (void)state;
  crResult* result = crRecordTestRun(crHostileModel, crTestPath("a.h5"), 1.0, 0.05);
  assert_int_equal(crWriteGlb(result, crTestPath("a.glb"), NULL, NULL), cr_ok);
  Glb glb = readGlb(crTestPath("a.glb"));
  const json_t* meshes = json_object_get(glb.root, "meshes");
  assert_true(json_array_size(meshes) >= 14);
  for (size_t i = 0; i < json_array_size(meshes); ++i) {
    assertPrimitive(&glb, json_array_get(json_object_get(json_array_get(meshes, i), "primitives"), 0));
  }
  assertHierarchy(&glb);
  assert_string_equal(text(json_object_get(glb.root, "asset"), "version"), "2.0");
  assert_int_equal(integer(item(&glb, "buffers", 0), "byteLength"), glb.binarySize);
  assert_close(json_number_value(json_object_get(json_object_get(item(&glb, "cameras", 0), "perspective"), "yfov")),
               0.75, 0.0);
  freeGlb(&glb);
  crDestroyResult(result);
}

static int findBody(const crResult* result, const char* nodeName)
{
  for (int b = 0; b < crResult_CountBodies(result); ++b) {
    char name[512];
    snprintf(name, sizeof name, "%s body", crResult_GetBody(result, b));
    if (strcmp(name, nodeName) == 0) {
      return b;
    }
  }
  return -1;
}

static void motion_is_that_of_the_result(void** state)
{
  (void)state;
  crResult* result = crRecordTestRun(crHostileModel, crTestPath("a.h5"), 1.0, 0.05);
  assert_int_equal(crWriteGlb(result, crTestPath("a.glb"), NULL, NULL), cr_ok);
  Glb glb = readGlb(crTestPath("a.glb"));
  const json_t* animation = item(&glb, "animations", 0);
  const json_t *channels = json_object_get(animation, "channels"), *samplers = json_object_get(animation, "samplers");
  int rotations = 0, translations = 0;
  for (size_t i = 0; i < json_array_size(channels); ++i) {
    const json_t* target = json_object_get(json_array_get(channels, i), "target");
    const json_t* sampler = json_array_get(samplers, (size_t)integer(json_array_get(channels, i), "sampler"));
    bool isRotation = strcmp(text(target, "path"), "rotation") == 0;
    if (strstr(text(item(&glb, "nodes", integer(target, "node")), "name"), " spring") != NULL) {
      continue;
    }
    int body = findBody(result, text(item(&glb, "nodes", integer(target, "node")), "name"));
    json_int_t timeCount, count;
    const unsigned char* times = bytesOf(&glb, integer(sampler, "input"), &timeCount);
    const unsigned char* values = bytesOf(&glb, integer(sampler, "output"), &count);
    assertBounds(&glb, integer(sampler, "input"));
    assert_true(body >= 0 && count == crResult_CountRows(result) && timeCount == count);
    for (json_int_t r = 0; r < count; ++r) {
      const float* pose = crResult_GetPoses(result, (int)r) + (size_t)CR_POSE_SIZE * (size_t)body;
      assert_true(floatAt(times, r) == (double)(float)crResult_GetTimes(result)[r]);
      for (int k = 0; k < 3; ++k) {
        double found = floatAt(values, r * (isRotation ? 4 : 3) + k);
        assert_true(found == (double)pose[isRotation ? 4 + k : k]);
      }
      assert_true(!isRotation || floatAt(values, 4 * r + 3) == (double)pose[3]);
    }
    rotations += isRotation;
    translations += !isRotation;
  }
  assert_int_equal(translations, 8); // all but the arm, which rests
  assert_int_equal(rotations, 7);    // the hull only falls
  freeGlb(&glb);
  crDestroyResult(result);
}

// x'' = -100 (x - 1): the spring's scale is the distance of its ends, 1 + 0.5 cos(10 t).
static void a_spring_stretches(void** state)
{
  (void)state;
  static const char model[] = "scene{ gravity = 'none' }\n"
                              "local w = world('w')\n"
                              "object('block', { mass{ mass = 1 } })\n"
                              "prismatic('slide', w, 'block', { start = 1.5 })\n"
                              "springDamper('s', w, 'block', { stiffness = 100, length = 1 })\n";
  crResult* result = crRecordTestRun(model, crTestPath("s.h5"), 1.0, 0.05);
  assert_int_equal(crWriteGlb(result, crTestPath("s.glb"), NULL, NULL), cr_ok);
  Glb glb = readGlb(crTestPath("s.glb"));
  const json_t* animation = item(&glb, "animations", 0);
  const json_t* channels = json_object_get(animation, "channels");
  int scaleCount = 0;
  for (size_t i = 0; i < json_array_size(channels); ++i) {
    const json_t* channel = json_array_get(channels, i);
    if (strcmp(text(json_object_get(channel, "target"), "path"), "scale") == 0) {
      const json_t* sampler =
          json_array_get(json_object_get(animation, "samplers"), (size_t)integer(channel, "sampler"));
      json_int_t count;
      const unsigned char* scales = bytesOf(&glb, integer(sampler, "output"), &count);
      for (json_int_t r = 0; r < count; ++r) {
        double t = crResult_GetTimes(result)[r];
        assert_close(floatAt(scales, 3 * r), 1.0, 0.0);
        assert_close(floatAt(scales, 3 * r + 2), 1.0 + 0.5 * cos(10.0 * t), 1e-4);
      }
      ++scaleCount;
    }
  }
  assert_int_equal(scaleCount, 1);
  assertHierarchy(&glb);
  freeGlb(&glb);
  crDestroyResult(result);
}

// ----------------------------------------------------------------------------------------- surfaces

static crVec3 pointAt(const crTriangles* surface, size_t corner)
{
  size_t index = wordAt((const char*)surface->indices.items, 4 * corner);
  const unsigned char* p = surface->positions.items + 12 * index;
  return (crVec3){ floatAt(p, 0), floatAt(p, 1), floatAt(p, 2) };
}

static crVec3 normalAt(const crTriangles* surface, size_t corner)
{
  size_t index = wordAt((const char*)surface->indices.items, 4 * corner);
  const unsigned char* n = surface->normals.items + 12 * index;
  return (crVec3){ floatAt(n, 0), floatAt(n, 1), floatAt(n, 2) };
}

// Signed volume by the divergence theorem; a triangle's normals are on its outer side. The sum of all areas as vectors
// is zero for a closed surface.
static double measureVolume(const crTriangles* surface)
{
  double volume = 0.0, area = 0.0;
  crVec3 sum = { 0.0, 0.0, 0.0 };
  for (size_t i = 0; i + 2 < (size_t)surface->indexCount; i += 3) {
    crVec3 a = pointAt(surface, i), b = pointAt(surface, i + 1), c = pointAt(surface, i + 2);
    crVec3 n = crCross(crSub(b, a), crSub(c, a));
    volume += crDot(a, crCross(b, c)) / 6.0;
    area += sqrt(crDot(n, n));
    sum = crAdd(sum, n);
    for (size_t k = 0; k < 3; ++k) {
      assert_true(crDot(n, normalAt(surface, i + k)) > 0.0);
    }
  }
  assert_true(sqrt(crDot(sum, sum)) < 1e-5 * area);
  return volume;
}

static crShapeDef makeShape(crShapeKind kind)
{
  static const crVec3 points[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 } };
  crShapeDef shape = crDefaultShapeDef(kind);
  switch (kind) {
    case cr_shapeSphere: shape.as.sphere.radius = 0.7; break;
    case cr_shapeEllipsoid: shape.as.ellipsoid.radii = (crVec3){ 0.3, 0.5, 0.8 }; break;
    case cr_shapeBox: shape.as.box.size = (crVec3){ 0.3, 0.5, 0.8 }; break;
    case cr_shapeCylinder:
      shape.as.cylinder.radius = 0.5;
      shape.as.cylinder.length = 0.7;
      shape.as.cylinder.boreRadius = 0.2;
      break;
    case cr_shapeCone:
      shape.as.cone.radius = 0.5;
      shape.as.cone.topRadius = 0.2;
      shape.as.cone.length = 0.7;
      break;
    case cr_shapeCapsule:
      shape.as.capsule.radius = 0.3;
      shape.as.capsule.length = 0.9;
      break;
    case cr_shapeBeam:
      shape.as.beam.length = 0.9;
      shape.as.beam.width = 0.4;
      shape.as.beam.height = 0.1;
      break;
    case cr_shapeHull:
      shape.as.hull.points = points;
      shape.as.hull.pointCount = 5;
      break;
    default: break;
  }
  return shape;
}

// Chords lie inside the circle: 48 flats lose sin(x)/x, x = 2 pi / 48, of an area, and less than 1 % of any volume
// here.
static void surfaces_enclose_the_volumes_of_their_shapes(void** state)
{
  (void)state;
  static const crShapeKind kinds[] = { cr_shapeSphere, cr_shapeEllipsoid, cr_shapeBox,  cr_shapeCylinder,
                                       cr_shapeCone,   cr_shapeCapsule,   cr_shapeBeam, cr_shapeHull };
  crAllocator allocator = crDefaultAllocator();
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    crShapeDef def = makeShape(kinds[i]);
    crShape* shape = NULL;
    crTriangles surface;
    crTriangles_Init(&surface, &allocator);
    assert_int_equal(crCreateShape(&def, NULL, NULL, &shape), cr_ok);
    assert_int_equal(crTessellate(&def, 0, 1.0, &surface), cr_ok);
    double exact = crShape_ComputeVolume(shape), found = measureVolume(&surface);
    bool isFlat = kinds[i] == cr_shapeBox || kinds[i] == cr_shapeHull;
    assert_true(found < exact * (1.0 + 1e-6) && found > exact * (isFlat ? 1.0 - 1e-6 : 0.99));
    crTriangles_Free(&surface);
    crDestroyShape(shape);
  }
}

static void what_is_only_seen_is_closed_as_well(void** state)
{
  (void)state;
  crAllocator allocator = crDefaultAllocator();
  crShapeDef gear = crDefaultShapeDef(cr_shapeGearWheel), axes = crDefaultShapeDef(cr_shapeCoordinateSystem);
  gear.as.gearWheel.radius = 0.5;
  gear.as.gearWheel.length = 0.1;
  gear.as.gearWheel.teeth = 20;
  axes.as.coordinateSystem.length = 2.0;
  for (int i = 0; i < 5; ++i) { // a gear without and with a bore, three arrows
    crTriangles surface;
    crTriangles_Init(&surface, &allocator);
    gear.as.gearWheel.boreRadius = i == 1 ? 0.2 : 0.0;
    assert_int_equal(crTessellate(i < 2 ? &gear : &axes, i < 2 ? 0 : i - 2, 1.0, &surface), cr_ok);
    double volume = measureVolume(&surface), disc = CR_PI * 0.25 * 0.1;
    assert_true(i >= 2 || (volume < disc && volume > 0.6 * disc));
    if (i >= 2) {
      const double tips[] = { surface.max.x, surface.max.y, surface.max.z };
      assert_close(tips[i - 2], 2.0, 1e-6);
    }
    crTriangles_Free(&surface);
  }
  assert_int_equal(crCountParts(cr_shapeText), 0);
}

// ---------------------------------------------------------------------------------------- bad input

static void what_cannot_be_drawn_is_told(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crWriteTestResult(crTestPath("plain.h5"), 3, 5);
  crResult* result = crReadTestResult(crTestPath("plain.h5"));
  assert_int_equal(crWriteGlb(result, crTestPath("x.glb"), NULL, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "the model cannot be drawn");
  assert_int_equal(crWriteGlb(NULL, "x", NULL, NULL), cr_errorMisuse);
  crDestroyResult(result);
  crDestroyErrorLog(log);
}

static void out_of_memory_is_clean_at_every_allocation(void** state)
{
  (void)state;
  static const char model[] = "local w = world('w')\n"
                              "object('a', { parent = w, free = true, angularVelocity = { 1, 0, 0 }, solid{ shape = "
                              "ellipsoid{ radii = { 1, 2, 3 } },\n"
                              "  material = 'Steel', visual = 'Gold' }, camera{ fieldOfView = 1 }, visual{ shape = "
                              "grid{ width = 1, length = 1,\n"
                              "  spacing = 0.5 } }, visual{ shape = hull{ points = { {0,0,0}, {1,0,0}, {0,1,0}, "
                              "{0,0,1} } }, visual = 'Red' } })\n"
                              "springDamper('s', w, 'a', { stiffness = 1, length = 1 })\n";
  crResult* result = crRecordTestRun(model, crTestPath("m.h5"), 0.1, 0.05);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status == cr_errorMemory; ++failAt) {
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    status = crWriteGlb(result, crTestPath("m.glb"), &allocator, NULL);
    assert_true(status == cr_ok || status == cr_errorMemory);
    assert_int_equal(counter.liveBlocks, 0);
  }
  crDestroyResult(result);
}

// A part that is released moves on its own, and stays where it was last when it is deleted.
static void parts_that_actions_release_are_bodies(void** state)
{
  (void)state;
  static const char model[] = "world('w')\n"
                              "object('a', { free = true, velocity = { 1, 0, 0 }, angularVelocity = { 0, 0, 2 },\n"
                              "  solid{ shape = box{ size = { 1, 1, 1 } }, mass = 1, visual = 'Red' } })\n"
                              "object('b', { parent = 'a', position = { 1, 0, 0 },\n"
                              "  solid{ shape = sphere{ radius = 0.5 }, mass = 1, visual = 'Blue' } })\n"
                              "action('go', { when = 0.25, release = 'b' })\n"
                              "action('cut', { when = 0.75, delete = 'b' })\n";
  crResult* result = crRecordTestRun(model, crTestPath("p.h5"), 1.0, 0.05);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status == cr_errorMemory; ++failAt) {
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    status = crWriteGlb(result, crTestPath("p.glb"), &allocator, NULL);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_int_equal(status, cr_ok);
  Glb glb = readGlb(crTestPath("p.glb"));
  const json_t* animation = item(&glb, "animations", 0);
  const json_t *channels = json_object_get(animation, "channels"), *samplers = json_object_get(animation, "samplers");
  int found = 0;
  for (size_t i = 0; i < json_array_size(channels); ++i) {
    const json_t* target = json_object_get(json_array_get(channels, i), "target");
    const json_t* sampler = json_array_get(samplers, (size_t)integer(json_array_get(channels, i), "sampler"));
    const char* name = text(item(&glb, "nodes", integer(target, "node")), "name");
    json_int_t count;
    const unsigned char* values = bytesOf(&glb, integer(sampler, "output"), &count);
    if (strcmp(name, "b body") == 0 && strcmp(text(target, "path"), "translation") == 0) {
      for (json_int_t k = 0; k < 3 * count; ++k) {
        assert_true(isfinite(floatAt(values, k)));
      }
      assert_close(floatAt(values, 3 * count - 1), -0.5 * 9.81 * 0.7 * 0.7, 1e-5); // the last row before it is deleted
      ++found;
    } else if (strcmp(name, "a body") == 0 && strcmp(text(target, "path"), "translation") == 0) {
      assert_close(floatAt(values, 3 * count - 1), -0.5 * 9.81, 1e-5);
      ++found;
    }
  }
  assert_int_equal(found, 2);
  freeGlb(&glb);
  crDestroyResult(result);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_file_keeps_what_it_promises),
    cmocka_unit_test(motion_is_that_of_the_result),
    cmocka_unit_test(a_spring_stretches),
    cmocka_unit_test(surfaces_enclose_the_volumes_of_their_shapes),
    cmocka_unit_test(what_is_only_seen_is_closed_as_well),
    cmocka_unit_test(what_cannot_be_drawn_is_told),
    cmocka_unit_test(out_of_memory_is_clean_at_every_allocation),
    cmocka_unit_test(parts_that_actions_release_are_bodies),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
