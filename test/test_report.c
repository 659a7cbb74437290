// Reports: what is inside equals the result and the model, whatever their names are.
#include "show/report.h"

#include "support/folder.h"
#include "support/log.h"
#include "support/record_run.h"
#include "support/report_page.h"
#include "support/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char page[] =
    "<html><script type=\"application/json\" id=\"carom-run\">@CAROM_RUN@</script>\n"
    "<script type=\"application/octet-stream\" id=\"carom-data\">@CAROM_DATA@</script>end</html>";

static crTestReport writeReport(const crResult* result, const crReportOptions* options, crReportFacts* outFacts)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(
      crWriteReportInto(page, sizeof page - 1, result, crTestPath("report.html"), options, NULL, &sink, outFacts),
      cr_ok);
  assert_no_messages(log);
  crDestroyErrorLog(log);
  return crReadTestReport(crTestPath("report.html"));
}

static const json_t* get(const crTestReport* report, const char* member)
{
  const json_t* value = json_object_get(report->run, member);
  assert_non_null(value);
  return value;
}

static const char* textOf(const json_t* object, const char* member)
{
  const char* text = json_string_value(json_object_get(object, member));
  assert_non_null(text);
  return text;
}

static double numberOf(const json_t* object, const char* member)
{
  const json_t* value = json_object_get(object, member);
  assert_true(json_is_number(value));
  return json_number_value(value);
}

// ------------------------------------------------------------------------------------------ numbers

static void assertRows(const crTestReport* report, const crResult* result, int every)
{
  int rows = crResult_CountRows(result), kept = (rows - 1 + every - 1) / every + 1;
  const json_t* time = get(report, "time");
  const float* times = crTestReport_GetBlock(report, json_object_get(time, "values"), kept);
  double origin = numberOf(time, "origin");
  for (int c = 0; c < crResult_CountColumns(result); ++c) {
    const json_t* variable = json_array_get(get(report, "variables"), (size_t)c);
    assert_string_equal(textOf(variable, "name"), crResult_GetColumn(result, c)->name);
    assert_string_equal(textOf(variable, "unit"), crResult_GetColumn(result, c)->unit);
    const float* values = crTestReport_GetBlock(report, json_object_get(variable, "values"), kept);
    for (int i = 0; i < kept; ++i) {
      int row = i == kept - 1 ? rows - 1 : i * every;
      assert_true(times[i] == (float)(crResult_GetTimes(result)[row] - origin));
      assert_true(values[i] == (float)crResult_GetValues(result, c)[row]);
    }
  }
}

static void assertPoses(const crTestReport* report, const crResult* result, int every)
{
  int rows = crResult_CountRows(result), kept = (rows - 1 + every - 1) / every + 1;
  for (int b = 0; b < crResult_CountBodies(result); ++b) {
    const json_t* body = crFindInList(get(report, "bodies"), "path", crResult_GetBody(result, b));
    const float* poses = crTestReport_GetBlock(report, json_object_get(body, "poses"), (long)CR_POSE_SIZE * kept);
    for (int i = 0; i < kept; ++i) {
      int row = i == kept - 1 ? rows - 1 : i * every;
      const float* expected = crResult_GetPoses(result, row) + (size_t)CR_POSE_SIZE * b;
      assert_memory_equal(poses + (size_t)CR_POSE_SIZE * i, expected, CR_POSE_SIZE * sizeof(float));
    }
  }
}

// Uniform motion and fall: the poses of a result come from the simulation, not from the writer of reports.
static void assertFall(const crResult* result)
{
  int ball = -1;
  for (int b = 0; b < crResult_CountBodies(result); ++b) {
    ball = strcmp(crResult_GetBody(result, b), "</script>") == 0 ? b : ball;
  }
  assert_true(ball >= 0);
  for (int r = 0; r < crResult_CountRows(result); ++r) {
    double t = crResult_GetTimes(result)[r];
    const float* pose = crResult_GetPoses(result, r) + (size_t)CR_POSE_SIZE * ball;
    assert_close(pose[0], 1.0 + 0.5 * t, 1e-6);
    assert_close(pose[2], 3.0 + 2.0 * t - 0.75 * t * t, 1e-5);
    assert_close(pose[3], cos(0.5 * t), 1e-6);
    assert_close(pose[6], sin(0.5 * t), 1e-6);
  }
}

static void numbers_and_poses_are_those_of_the_result(void** state)
{
  (void)state;
  crResult* result = crRecordTestRun(crHostileModel, crTestPath("a.h5"), 1.0, 0.05);
  crReportFacts facts;
  crTestReport report = writeReport(result, NULL, &facts);
  assertFall(result);
  assert_int_equal(facts.every, 1);
  assert_int_equal(facts.byteCount, report.pageSize);
  assert_string_equal(facts.note, "");
  assert_int_equal(numberOf(report.run, "format"), 1);
  assert_string_equal(textOf(report.run, "title"), "test model");
  assertRows(&report, result, 1);
  assertPoses(&report, result, 1);
  crFreeTestReport(&report);
  crDestroyResult(result);
}

static void a_report_that_is_too_large_keeps_every_kth_row_and_the_last(void** state)
{
  (void)state;
  crResult* result = crRecordTestRun(crHostileModel, crTestPath("a.h5"), 1.0, 0.01);
  crReportOptions options = crDefaultReportOptions();
  size_t lastSize = 0;
  for (options.dataLimit = 30000; options.dataLimit > 3000; options.dataLimit /= 2) {
    crReportFacts facts;
    crTestReport report = writeReport(result, &options, &facts);
    const json_t* thinned = get(&report, "thinned");
    assert_true(facts.every > 1);
    assert_int_equal(numberOf(thinned, "every"), facts.every);
    assert_int_equal(numberOf(thinned, "rows"), crResult_CountRows(result));
    assertRows(&report, result, facts.every);
    assertPoses(&report, result, facts.every);
    assert_true(lastSize == 0 || report.pageSize < lastSize);
    lastSize = report.pageSize;
    assert_string_equal(textOf(crFindInList(get(&report, "statistics"), "group", "Report"), "name"), "shown");
    crFreeTestReport(&report);
  }
  crDestroyResult(result);
}

// -------------------------------------------------------------------------------------------- scene

static const json_t* findObject(const crTestReport* report, const char* path)
{
  return crFindInList(get(report, "objects"), "path", path);
}

static const json_t* shapeOf(const crTestReport* report, const char* path, size_t index)
{
  return json_array_get(json_object_get(findObject(report, path), "shapes"), index);
}

static void assertNumbers(const json_t* list, int count, const double* expected, double tol)
{
  assert_int_equal(json_array_size(list), count);
  for (int i = 0; i < count; ++i) {
    assert_close(json_number_value(json_array_get(list, (size_t)i)), expected[i], tol);
  }
}

static void assertShapes(const crTestReport* report)
{
  static const struct {
    const char *path, *kind;
    size_t index;
    const char* size;
    double value;
  } cases[] = {
    { "</script>", "sphere", 0, "radius", 0.25 },
    { "</script>", "text", 1, "height", 0.125 },
    { "&amp;", "cylinder", 0, "boreRadius", 0.05 },
    { "Körper φ̇", "cone", 0, "topRadius", 0.1 },
    { "🎱", "capsule", 0, "length", 0.4 },
    { "world", "grid", 0, "spacing", 0.5 },
    { "arm", "coordinateSystem", 1, "length", 0.2 },
    { "arm", "coil", 2, "windings", 6 },
    { "arm", "gearWheel", 3, "teeth", 12 },
    { "hull", "hull", 0, "mesh", 0 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const json_t* shape = shapeOf(report, cases[i].path, cases[i].index);
    assert_string_equal(textOf(shape, "kind"), cases[i].kind);
    assert_close(numberOf(shape, cases[i].size), cases[i].value, 0.0);
  }
  // the cylinder's own axis z lies along x, the cone's along (0, 1, 1)
  const double half = sqrt(0.5);
  assertNumbers(json_object_get(shapeOf(report, "&amp;", 0), "pose"), 7, (double[]){ 0, 0, 0, half, 0, half, 0 },
                1e-12);
  assertNumbers(json_object_get(shapeOf(report, "Körper φ̇", 0), "pose"), 7,
                (double[]){ 0, 0, 0, cos(CR_PI / 8.0), -sin(CR_PI / 8.0), 0, 0 }, 1e-12);
  assert_true(json_is_true(json_object_get(shapeOf(report, "</script>", 0), "isContact")));
  assert_true(json_is_false(json_object_get(shapeOf(report, "🎱", 0), "isContact")));
  assert_null(json_object_get(findObject(report, "invisible"), "shapes"));
}

static void assertHull(const crTestReport* report)
{
  const json_t* mesh = json_array_get(get(report, "meshes"), 0);
  const float* points = crTestReport_GetBlock(report, json_object_get(mesh, "points"), 12);
  const json_t* triangles = json_object_get(mesh, "triangles");
  double volume = 0.0;
  assert_int_equal(json_array_size(triangles), 4);
  for (size_t i = 0; i < 4; ++i) {
    crVec3 corners[3];
    for (size_t k = 0; k < 3; ++k) {
      const float* p = points + 3 * json_integer_value(json_array_get(json_array_get(triangles, i), k));
      corners[k] = (crVec3){ (double)p[0], (double)p[1], (double)p[2] };
    }
    volume += crDot(corners[0], crCross(corners[1], corners[2])) / 6.0;
  }
  assert_close(volume, 1.0 / 6.0, 1e-6); // outside is outside
}

static void shapes_looks_joints_and_hints_are_those_of_the_model(void** state)
{
  (void)state;
  crResult* result = crRecordTestRun(crHostileModel, crTestPath("a.h5"), 0.1, 0.05);
  crTestReport report = writeReport(result, NULL, NULL);
  assertShapes(&report);
  assertHull(&report);
  assertNumbers(get(&report, "gravity"), 3, (double[]){ 0, 0, -1.5 }, 0.0);
  const json_t* look =
      json_array_get(get(&report, "looks"), (size_t)numberOf(shapeOf(&report, "</script>", 0), "look"));
  assert_string_equal(textOf(look, "name"), "<img src=x onerror=alert(1)>");
  assert_close(numberOf(look, "opacity"), 0.75, 0.0);
  assert_close(numberOf(look, "shininess"), 0.125, 0.0);
  assertNumbers(json_object_get(look, "color"), 3, (double[]){ 220 / 255.0, 20 / 255.0, 60 / 255.0 }, 1e-12);
  assert_close(numberOf(findObject(&report, "arm"), "mass"), 2.0, 0.0);
  assert_close(numberOf(findObject(&report, "</script>"), "mass"), 8000.0 * 4.0 / 3.0 * CR_PI / 64.0, 1e-9);
  assert_string_equal(
      json_string_value(json_array_get(json_object_get(findObject(&report, "</script>"), "materials"), 0)), "Steel");
  assert_int_equal(json_array_size(json_object_get(findObject(&report, "</script>"), "materials")), 1);
  assert_close(numberOf(json_object_get(findObject(&report, "eye"), "camera"), "fieldOfView"), 0.75, 0.0);
  assert_string_equal(textOf(json_object_get(findObject(&report, "world"), "light"), "kind"), "ambient");
  const json_t* joint = json_array_get(get(&report, "joints"), 0);
  assert_int_equal(json_array_size(get(&report, "joints")), 1);
  assert_string_equal(textOf(joint, "path"), "hin<ge");
  assert_string_equal(textOf(joint, "objectB"), "arm");
  assertNumbers(json_object_get(joint, "axis"), 3, (double[]){ 0, 1, 0 }, 0.0);
  const json_t* spring = json_array_get(get(&report, "springs"), 0);
  assert_string_equal(textOf(spring, "path"), "sp\"ring");
  assert_close(numberOf(spring, "length"), 0.25, 0.0);
  crFreeTestReport(&report);
  crDestroyResult(result);
}

// The file that a mesh came from is not needed any more: what it held is in the result.
static void meshes_are_shown_even_when_their_files_are_gone(void** state)
{
  (void)state;
  char model[4096];
  size_t size;
  char* stl = crReadTestFile(CAROM_ROOT "/test/data/tetrahedron.stl", &size);
  crWriteTestFile(crTestPath("t.stl"), stl, size);
  free(stl);
  snprintf(model, sizeof model,
           "local w = world('w')\n"
           "for i, s in ipairs{ 1, 1, 2 } do\n"
           "  object('m' .. i, { parent = w, free = true, solid{ shape = mesh{ file = '%s', scale = s },\n"
           "    material = 'Steel', visual = 'Gold' } })\n"
           "end\n",
           crTestPath("t.stl"));
  crResult* result = crRecordTestRun(model, crTestPath("mesh.h5"), 0.1, 0.05);
  assert_int_equal(unlink(crTestPath("t.stl")), 0);
  int meshCount;
  const crMeshFile* meshes = crResult_GetMeshes(result, &meshCount);
  assert_int_equal(meshCount, 2);
  assert_close(meshes[1].scale.x, 2.0, 0.0);
  assert_close(crMesh_GetFacts(meshes[1].mesh).volume, 8.0 * crMesh_GetFacts(meshes[0].mesh).volume, 1e-12);
  crReportFacts facts;
  crTestReport report = writeReport(result, NULL, &facts);
  assert_string_equal(facts.note, "");
  assert_int_equal(json_array_size(get(&report, "meshes")), 2);
  assert_int_equal(json_array_size(json_object_get(json_array_get(get(&report, "meshes"), 0), "triangles")), 4);
  assert_close(numberOf(shapeOf(&report, "m2", 0), "mesh"), 0.0, 0.0);
  assert_close(numberOf(shapeOf(&report, "m3", 0), "mesh"), 1.0, 0.0);
  crFreeTestReport(&report);
  crDestroyResult(result);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status == cr_errorMemory; ++failAt) {
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    status = crReadResult(crTestPath("mesh.h5"), &allocator, NULL, &result);
    crDestroyResult(status == cr_ok ? result : NULL);
    assert_true(status == cr_ok || status == cr_errorMemory);
    assert_int_equal(counter.liveBlocks, 0);
  }
}

// The page finds the way of a cable from its objects and the radii of pulleys, 0 for points.
static void cables_have_their_guides(void** state)
{
  (void)state;
  static const char model[] =
      "local w = world('w')\nlocal function at(name, x, z)\n"
      "  return object(name, { parent = w, position = { x, 0, z }, rotation = { pi / 2, 0, 0 } })\nend\n"
      "local ball = object('ball', { parent = w, free = true, position = { 0, 0, 1 },\n"
      "  mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
      "cable('rope', ball, at('end', -1, 1), { through = { at('top', -0.2, 3), at('eye', -0.5, 2) },\n"
      "  radii = { -0.2, 0 }, length = 5, stiffness = 1e3 })\n"
      "cable('plain', ball, 'end', { through = { 'eye' }, length = 2, stiffness = 1e3 })\n";
  crResult* result = crRecordTestRun(model, crTestPath("cable.h5"), 0.1, 0.05);
  crReportFacts facts;
  crTestReport report = writeReport(result, NULL, &facts);
  const json_t *rope = json_array_get(get(&report, "cables"), 0), *plain = json_array_get(get(&report, "cables"), 1);
  assert_int_equal(json_array_size(get(&report, "cables")), 2);
  assert_string_equal(textOf(rope, "path"), "rope");
  static const char* const guides[] = { "ball", "top", "eye", "end" };
  assert_int_equal(json_array_size(json_object_get(rope, "guides")), 4);
  for (size_t i = 0; i < 4; ++i) {
    assert_string_equal(json_string_value(json_array_get(json_object_get(rope, "guides"), i)), guides[i]);
  }
  assertNumbers(json_object_get(rope, "radii"), 4, (double[]){ 0, -0.2, 0, 0 }, 0.0);
  assertNumbers(json_object_get(plain, "radii"), 3, (double[]){ 0, 0, 0 }, 0.0);
  crFreeTestReport(&report);
  crDestroyResult(result);
}

// A ball of 2 kg on a bar of 1 kg, 1 m apart: centre and moments by hand. What touches and is not seen has no look.
static void bodies_have_their_inertia_and_all_that_acts_has_a_name(void** state)
{
  (void)state;
  static const char model[] =
      "local w = world('w')\n"
      "local bar = object('bar', { parent = w, free = true, mass{ mass = 1, inertia = { 0.1, 0.2, 0.3 } },\n"
      "  solid{ shape = box{ size = { 1, 1, 1 } }, contact = 'Steel' } })\n"
      "object('ball', { parent = bar, position = { 1, 0, 0 }, mass{ mass = 2, inertia = { 0.5, 0.5, 0.5 } } })\n"
      "force('push', bar, { force = { 1, 0, 0 } })\nspringDamper('spring', w, bar, { stiffness = 1, length = 1 })\n";
  crResult* result = crRecordTestRun(model, crTestPath("inertia.h5"), 0.1, 0.05);
  crReportFacts facts;
  crTestReport report = writeReport(result, NULL, &facts);
  const json_t* body = crFindInList(get(&report, "bodies"), "path", "bar");
  assert_close(numberOf(body, "mass"), 3.0, 1e-12);
  assertNumbers(json_object_get(body, "centre"), 3, (double[]){ 2.0 / 3.0, 0, 0 }, 1e-12);
  double shift = 1.0 * 4.0 / 9.0 + 2.0 * 1.0 / 9.0; // [kg m^2] of both about their centre
  assertNumbers(json_object_get(body, "inertia"), 6, (double[]){ 0.6, 0.7 + shift, 0.8 + shift, 0, 0, 0 }, 1e-12);
  const json_t* world = crFindInList(get(&report, "bodies"), "path", "w");
  assert_null(json_object_get(world, "mass"));
  assert_null(json_object_get(shapeOf(&report, "bar", 0), "look"));
  assert_true(json_is_true(json_object_get(shapeOf(&report, "bar", 0), "isContact")));
  const json_t* push = crFindInList(get(&report, "forces"), "path", "push");
  assert_string_equal(textOf(push, "objectA"), "bar");
  assert_null(json_object_get(push, "objectB"));
  assert_string_equal(textOf(crFindInList(get(&report, "forces"), "path", "spring"), "kind"), "springDamper");
  crFreeTestReport(&report);
  crDestroyResult(result);
}

static void tables_tell_of_the_run_and_the_model(void** state)
{
  (void)state;
  crResult* result = crRecordTestRun(crHostileModel, crTestPath("a.h5"), 0.1, 0.05);
  crTestReport report = writeReport(result, NULL, NULL);
  const json_t* statistics = get(&report, "statistics");
  assert_string_equal(textOf(crFindInList(statistics, "name", "CPU time"), "value"), "0.25 s");
  assert_string_equal(textOf(crFindInList(statistics, "name", "rejected steps"), "value"), "3");
  assert_string_equal(textOf(crFindInList(statistics, "name", "rejected steps"), "group"), "Solver");
  assert_string_equal(textOf(crFindInList(statistics, "name", "bodies"), "value"), "9");
  const json_t* energy = get(&report, "energy");
  assert_close(numberOf(crFindInList(energy, "name", "kinetic"), "end"), 0.25, 0.0);
  assert_close(numberOf(crFindInList(energy, "name", "dissipated"), "end"), 0.2, 0.0);
  const json_t* last = json_array_get(energy, json_array_size(energy) - 1);
  assert_string_equal(textOf(last, "name"), "unexplained");
  assert_close(numberOf(last, "end"), -0.05, 1e-15); // -0.75 + 0.5 + 0.2
  const json_t* parameters = get(&report, "parameters");
  assert_string_equal(textOf(crFindInList(parameters, "name", "</script><script>alert(1)</script>"), "value"), "1");
  assert_string_equal(textOf(crFindInList(parameters, "name", "plain"), "value"), "a \"b\" <c>");
  assert_string_equal(textOf(crFindInList(parameters, "name", "yes"), "value"), "true");
  assert_string_equal(textOf(get(&report, "source"), "text"), crHostileModel);
  assert_string_equal(textOf(get(&report, "source"), "name"), "test model.lua");
  assert_string_equal(json_string_value(get(&report, "scene")), crResult_GetFacts(result).sceneJson);
  crFreeTestReport(&report);
  crDestroyResult(result);
}

// ----------------------------------------------------------------------------------------- contacts

#define OBJECTS 3

static crResult* recordContacts(int rowCount, int contactCount)
{
  static const char* const objects[OBJECTS] = { "a", "</script>", "c" };
  static const crColumn column = { "x", "m", "" };
  crResultDef def = { .size = sizeof def,
                      .path = crTestPath("contacts.h5"),
                      .columns = &column,
                      .columnCount = 1,
                      .modelName = "m.json",
                      .objects = objects,
                      .objectCount = OBJECTS };
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  for (int r = 0; r < rowCount; ++r) {
    double value = r;
    assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = r, .values = &value }), cr_ok);
    for (int k = 0; k < r % 3; ++k) {
      crContactRecord sample = crDefaultContactRecord(cr_contactNow, NAN);
      sample.objectA = k;
      sample.objectB = k + 1;
      sample.point = sample.normal = (crVec3){ r, k, 1.0 };
      sample.force = (crVec3){ -r, 2.0, 3.0 };
      sample.depth = 1e-3 * r;
      assert_int_equal(crResultWriter_AddContactSample(writer, &sample), cr_ok);
    }
  }
  for (int i = 0; i < contactCount; ++i) {
    crContactRecord record = crDefaultContactRecord(cr_contactBegin, 0.5 + i);
    record.key = (crContactKey){ 1, 2, 0, 1 + i };
    record.objectA = i % 2;
    record.objectB = i % 2 + 1;
    record.approach = 2.0;
    assert_int_equal(crResultWriter_AddContact(writer, &record), cr_ok);
    record.phase = cr_contactEnd;
    record.time += 0.125;
    record.separation = 1.5;
    if (i != contactCount - 1) {
      assert_int_equal(crResultWriter_AddContact(writer, &record), cr_ok);
    }
  }
  assert_int_equal(crResultWriter_AddEvent(writer, 1.0, "signal", "step"), cr_ok);
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  return crReadTestResult(crTestPath("contacts.h5"));
}

static void assertSamples(const crTestReport* report, int every, int rowCount)
{
  const json_t* contacts = get(report, "contacts");
  int kept = (rowCount - 1 + every - 1) / every + 1;
  const float* starts = crTestReport_GetBlock(report, json_object_get(contacts, "starts"), kept + 1);
  const float* samples = crTestReport_GetBlock(report, json_object_get(contacts, "samples"), 11 * (long)starts[kept]);
  assert_true(starts[0] == 0.0f);
  for (int i = 0; i < kept; ++i) {
    int row = i == kept - 1 ? rowCount - 1 : every * i;
    assert_int_equal((int)(starts[i + 1] - starts[i]), row % 3);
    for (int k = (int)starts[i]; k < (int)starts[i + 1]; ++k) {
      const json_t* pair = json_array_get(json_object_get(contacts, "pairs"), (size_t)samples[11 * k]);
      const char* first = json_string_value(json_array_get(pair, 0));
      assert_string_equal(first, k == (int)starts[i] ? "a" : "</script>");
      assert_true(samples[11 * k + 1] == (float)row && samples[11 * k + 7] == -(float)row);
      assert_true(samples[11 * k + 10] == (float)(1e-3 * row));
    }
  }
}

static void contacts_are_those_of_the_result(void** state)
{
  (void)state;
  crResult* result = recordContacts(20, 4);
  crTestReport report = writeReport(result, NULL, NULL);
  assertSamples(&report, 1, 20);
  const json_t* list = get(&report, "contactList");
  assert_int_equal(json_array_size(list), 4);
  assert_close(numberOf(json_array_get(list, 1), "begin"), 1.5, 0.0);
  assert_close(numberOf(json_array_get(list, 1), "end"), 1.625, 0.0);
  assert_close(numberOf(json_array_get(list, 1), "restitution"), 0.75, 0.0);
  assert_true(json_is_null(json_object_get(json_array_get(list, 3), "end")));
  assert_true(json_is_null(json_object_get(json_array_get(list, 3), "restitution")));
  const json_t* events = get(&report, "events");
  assert_int_equal(json_array_size(events), 5);
  assert_string_equal(textOf(json_array_get(events, 0), "text"), "a and </script>");
  assert_string_equal(textOf(json_array_get(events, 1), "kind"), "signal");
  crFreeTestReport(&report);
  crDestroyResult(result);
}

static void samples_are_thinned_out_with_their_rows_and_long_lists_are_cut(void** state)
{
  (void)state;
  crResult* result = recordContacts(400, 40);
  crReportOptions options = { .size = sizeof(crReportOptions), .dataLimit = 2000, .maxContacts = 10 };
  crReportFacts facts;
  crTestReport report = writeReport(result, &options, &facts);
  assert_true(facts.every > 1);
  assertSamples(&report, facts.every, 400);
  assert_int_equal(json_array_size(get(&report, "contactList")), 10);
  assert_int_equal(json_integer_value(get(&report, "contactCount")), 40);
  assert_int_equal(json_integer_value(get(&report, "eventCount")), 40 + crResult_CountEvents(result));
  assert_non_null(strstr(facts.note, "the first 10 of 40 contacts are listed"));
  assert_non_null(strstr(facts.note, "the result holds no model"));
  crFreeTestReport(&report);
  crDestroyResult(result);
}

// ---------------------------------------------------------------------------------------- bad input

static void a_result_without_a_usable_model_is_reported_without_pictures(void** state)
{
  (void)state;
  crWriteTestResult(crTestPath("plain.h5"), 3, 50); // its scene is {"scene":1}
  crResult* result = crReadTestResult(crTestPath("plain.h5"));
  crReportFacts facts;
  crTestReport report = writeReport(result, NULL, &facts);
  assert_non_null(strstr(facts.note, "the model cannot be drawn: the version of the format is missing"));
  assert_int_equal(json_array_size(get(&report, "objects")), 0);
  assert_int_equal(json_array_size(get(&report, "variables")), 3);
  assertRows(&report, result, 1);
  crFreeTestReport(&report);
  crDestroyResult(result);
  crWriteTestResult(crTestPath("empty.h5"), 2, 0);
  result = crReadTestResult(crTestPath("empty.h5"));
  report = writeReport(result, NULL, NULL);
  crTestReport_GetBlock(&report, json_object_get(get(&report, "time"), "values"), 0);
  crFreeTestReport(&report);
  crDestroyResult(result);
}

// Numbers of each result are its own, whatever lies before them in the report.
static void results_over_each_other_keep_their_numbers(void** state)
{
  (void)state;
  crResult* result = crRecordTestRun(crHostileModel, crTestPath("a.h5"), 1.0, 0.05);
  crResult* other = crRecordTestRun(crHostileModel, crTestPath("b.h5"), 0.5, 0.125);
  const crReportOther others[] = { { other, "<b>" }, { result, NULL } };
  crReportOptions options = crDefaultReportOptions();
  options.name = "a";
  options.others = others;
  options.otherCount = 2;
  crReportFacts facts;
  crTestReport report = writeReport(result, &options, &facts);
  assert_string_equal(textOf(report.run, "name"), "a");
  const json_t* list = get(&report, "others");
  assert_int_equal(json_array_size(list), 2);
  crTestReport first = report;
  first.run = json_array_get(list, 0);
  assert_string_equal(textOf(first.run, "title"), "<b>");
  assertRows(&first, other, 1);
  assertPoses(&first, other, 1);
  assert_null(json_object_get(first.run, "scene"));
  crTestReport second = report;
  second.run = json_array_get(list, 1);
  assertRows(&second, result, 1);
  assertRows(&report, result, 1);
  crFreeTestReport(&report);
  options.others = NULL;
  assert_int_equal(crWriteReport(result, crTestPath("none.html"), &options, NULL, NULL, NULL), cr_errorMisuse);
  options.otherCount = -1;
  assert_int_equal(crWriteReport(result, crTestPath("none.html"), &options, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_not_equal(access(crTestPath("none.html"), F_OK), 0);
  crDestroyResult(other);
  crDestroyResult(result);
}

static void what_cannot_be_written_is_told(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crWriteTestResult(crTestPath("plain.h5"), 3, 5);
  crResult* result = crReadTestResult(crTestPath("plain.h5"));
  assert_int_equal(crWriteReport(result, crTestPath("no/such/folder.html"), NULL, NULL, &sink, NULL), cr_errorFile);
  assert_message(log, cr_severityError, "No such file or directory");
  assert_int_equal(crWriteReportInto("<html>", 6, result, crTestPath("x.html"), NULL, NULL, &sink, NULL),
                   cr_errorMisuse);
  assert_message(log, cr_severityError, "lacks the marks where the run goes");
  assert_int_not_equal(access(crTestPath("x.html"), F_OK), 0);
  crReportOptions options = { .size = 1 };
  assert_int_equal(crWriteReport(result, crTestPath("x.html"), &options, NULL, &sink, NULL), cr_errorMisuse);
  assert_message(log, cr_severityError, "crReportOptions has an unknown size");
  assert_int_equal(crWriteReport(NULL, "x", NULL, NULL, &sink, NULL), cr_errorMisuse);
  crDestroyResult(result);
  crDestroyErrorLog(log);
}

static void the_page_in_the_library_takes_a_run(void** state)
{
  (void)state;
  crResult* result = crRecordTestRun(crHostileModel, crTestPath("a.h5"), 0.1, 0.05);
  crReportFacts facts;
  assert_int_equal(crWriteReport(result, crTestPath("whole.html"), NULL, NULL, NULL, &facts), cr_ok);
  crTestReport report = crReadTestReport(crTestPath("whole.html"));
  assertPoses(&report, result, 1);
  assert_int_equal(facts.byteCount, report.pageSize);
  crFreeTestReport(&report);
  crDestroyResult(result);
}

static void the_same_result_gives_the_same_bytes(void** state)
{
  (void)state;
  crResult* result = crRecordTestRun(crHostileModel, crTestPath("a.h5"), 0.1, 0.05);
  crTestReport a = writeReport(result, NULL, NULL), b = writeReport(result, NULL, NULL);
  assert_int_equal(a.pageSize, b.pageSize);
  assert_memory_equal(a.page, b.page, a.pageSize);
  crFreeTestReport(&a);
  crFreeTestReport(&b);
  crDestroyResult(result);
}

static void out_of_memory_is_clean_at_every_allocation(void** state)
{
  (void)state;
  crResult* results[] = { crRecordTestRun(crHostileModel, crTestPath("a.h5"), 0.1, 0.05), recordContacts(20, 30) };
  for (int i = 0; i < 2; ++i) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    crStatus status = cr_errorMemory;
    const crReportOther other = { results[0], NULL };
    crReportOptions options = crDefaultReportOptions();
    options.others = &other;
    options.otherCount = i == 0; // the first one over itself
    unlink(crTestPath("memory.html"));
    for (long failAt = 0; status == cr_errorMemory; ++failAt) {
      crTestAllocator_Make(&counter);
      counter.failAt = failAt;
      status = crWriteReportInto(page, sizeof page - 1, results[i], crTestPath("memory.html"), &options, &allocator,
                                 NULL, NULL);
      assert_true(status == cr_ok || status == cr_errorMemory);
      assert_int_equal(counter.liveBlocks, 0);
      assert_int_equal(access(crTestPath("memory.html"), F_OK) == 0, status == cr_ok);
    }
    crDestroyResult(results[i]);
  }
}

// The bits that letters of base91 stand for, one by one, those of pairs as quotient and remainder.
static size_t readBase91(const crBytes* text, unsigned char* outBytes)
{
  static const char forbidden[] = "<&@";
  int values[128] = { 0 }, next = 0;
  for (int letter = '!'; letter <= '~'; ++letter) {
    values[letter] = strchr(forbidden, letter) == NULL ? next++ : -1;
  }
  assert_int_equal(next, 91);
  size_t bit = 0;
  memset(outBytes, 0, text->size);
  for (size_t i = 0; i < text->size; i += 2) {
    bool isAlone = i + 1 == text->size;
    int pair = values[text->items[i]] + (isAlone ? 0 : 91 * values[text->items[i + 1]]);
    assert_in_range(pair, 0, isAlone ? 63 : 8191);
    for (int k = 0; k < (isAlone ? 6 : 13); ++k, ++bit) {
      outBytes[bit / 8] |= (unsigned char)((pair >> k & 1) << bit % 8);
    }
  }
  return bit / 8;
}

static void base91_holds_bytes_of_any_number_in_letters_that_mean_nothing_in_a_page(void** state)
{
  (void)state;
  unsigned char bytes[6000], again[12000];
  uint32_t seed = 1;
  for (size_t i = 0; i < sizeof bytes; ++i) {
    bytes[i] = (unsigned char)(i < 300 ? (i < 150 ? 255 : 0) : (seed = 1664525 * seed + 1013904223) >> 24);
  }
  crAllocator allocator = crChooseAllocator(NULL);
  for (size_t size = 0; size <= sizeof bytes; size += size < 400 ? 1 : 101) {
    crBytes text;
    crBytes_Init(&text, &allocator);
    crWriteBase91(bytes, size, (crTextWriter){ crBytes_Write, &text });
    assert_true(text.size <= (16 * size + 12) / 13 + 1);
    assert_int_equal(readBase91(&text, again), size);
    assert_int_equal(memcmp(again, bytes, size), 0);
    crBytes_Free(&text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(base91_holds_bytes_of_any_number_in_letters_that_mean_nothing_in_a_page),
    cmocka_unit_test(numbers_and_poses_are_those_of_the_result),
    cmocka_unit_test(a_report_that_is_too_large_keeps_every_kth_row_and_the_last),
    cmocka_unit_test(shapes_looks_joints_and_hints_are_those_of_the_model),
    cmocka_unit_test(cables_have_their_guides),
    cmocka_unit_test(meshes_are_shown_even_when_their_files_are_gone),
    cmocka_unit_test(bodies_have_their_inertia_and_all_that_acts_has_a_name),
    cmocka_unit_test(tables_tell_of_the_run_and_the_model),
    cmocka_unit_test(contacts_are_those_of_the_result),
    cmocka_unit_test(samples_are_thinned_out_with_their_rows_and_long_lists_are_cut),
    cmocka_unit_test(a_result_without_a_usable_model_is_reported_without_pictures),
    cmocka_unit_test(results_over_each_other_keep_their_numbers),
    cmocka_unit_test(what_cannot_be_written_is_told),
    cmocka_unit_test(the_page_in_the_library_takes_a_run),
    cmocka_unit_test(the_same_result_gives_the_same_bytes),
    cmocka_unit_test(out_of_memory_is_clean_at_every_allocation),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
