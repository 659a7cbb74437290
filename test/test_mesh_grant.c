// Meshes that models name: those beside the model and below are read, others with leave alone.
//
// The folder of the tests has model/ with inner/t.stl, outside/t.stl, model-two/t.stl, and links between them.
#include "carom/io.h"
#include "support/command.h"
#include "support/folder.h"
#include "support/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTSIDE "solid1.shape.file lies outside the model's folder"

static void copyMesh(const char* target)
{
  size_t size;
  char* bytes = crReadTestFile(CAROM_ROOT "/test/data/tetrahedron.stl", &size);
  crWriteTestFile(crTestPath(target), bytes, size);
  free(bytes);
}

static int setUp(void** state)
{
  static const char* const folders[] = { "model", "model/inner", "outside", "model-two" };
  crMakeTestFolder(state);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
    assert_int_equal(mkdir(crTestPath(folders[i]), 0777), 0);
  }
  copyMesh("model/inner/t.stl");
  copyMesh("outside/t.stl");
  copyMesh("model-two/t.stl");
  assert_int_equal(symlink("../outside", crTestPath("model/way")), 0);
  assert_int_equal(symlink("../outside/t.stl", crTestPath("model/link.stl")), 0);
  assert_int_equal(symlink("model", crTestPath("alias")), 0);
  return 0;
}

static void writeModel(const char* file)
{
  char text[2048];
  snprintf(text, sizeof text,
           "local w = world('w')\nobject('a', { parent = w, solid{ shape = mesh{ file = '%s' }, mass = 1 } })\n", file);
  crWriteTestFile(crTestPath("model/m.lua"), text, strlen(text));
  snprintf(text, sizeof text,
           "{\"carom\": 1, \"objects\": [{\"name\": \"a\", \"features\": [{\"type\": \"solid\", \"mass\": 1, "
           "\"shape\": {\"type\": \"mesh\", \"file\": \"%s\"}}]}]}",
           file);
  crWriteTestFile(crTestPath("model/m.json"), text, strlen(text));
}

// Reads a model with this mesh, as Lua and as JSON; `message` is told of it, or nothing.
static void assertRead(const char* path, const crReadOptions* options, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  crStatus status = crReadModel(path, options, NULL, &sink, &scene);
  assert_int_equal(status, message == NULL ? cr_ok : cr_errorModel);
  if (message == NULL) {
    assert_no_messages(log);
  } else {
    assert_message(log, cr_severityError, message);
    assert_message(log, cr_severityError, "hint: --allow-path DIR lets models read meshes there");
  }
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void assertMesh(const char* file, const crReadOptions* options, const char* message)
{
  writeModel(file);
  assertRead(crTestPath("model/m.lua"), options, message);
  assertRead(crTestPath("model/m.json"), options, message);
}

static void meshes_beside_a_model_and_below_are_read(void** state)
{
  (void)state;
  assertMesh("inner/t.stl", NULL, NULL);
  assertMesh("./inner/../inner/t.stl", NULL, NULL);
  assertMesh("../model/inner/t.stl", NULL, NULL);
  assertMesh("../alias/inner/t.stl", NULL, NULL);
  assertMesh(crTestPath("model/inner/t.stl"), NULL, NULL);
  assertMesh(crTestPath("alias/inner/t.stl"), NULL, NULL);
  assertRead(crTestPath("alias/m.lua"), NULL, NULL);
}

// A model of a stranger could take any mesh that its reader can read into its result.
static void meshes_elsewhere_are_refused(void** state)
{
  (void)state;
  assertMesh("../outside/t.stl", NULL, OUTSIDE);
  assertMesh("inner/../../outside/t.stl", NULL, OUTSIDE);
  assertMesh(crTestPath("outside/t.stl"), NULL, OUTSIDE);
  assertMesh("../model-two/t.stl", NULL, OUTSIDE); // a name that begins like the folder's
  assertMesh("way/t.stl", NULL, OUTSIDE);
  assertMesh("link.stl", NULL, OUTSIDE);
  assertMesh("../outside/none.stl", NULL, OUTSIDE); // whether it is there is not told
  assertMesh("/nowhere/none.stl", NULL, OUTSIDE);
}

static void folders_that_are_allowed_are_read(void** state)
{
  (void)state;
  char list[4096];
  snprintf(list, sizeof list, "/nowhere:%s", crTestPath("outside"));
  crReadOptions options = { .size = sizeof options, .allowedPath = list };
  assertMesh("../outside/t.stl", &options, NULL);
  assertMesh("way/t.stl", &options, NULL);
  assertMesh("../model-two/t.stl", &options, OUTSIDE);
  options.allowedPath = "/";
  assertMesh("../outside/t.stl", &options, NULL);
  options.allowedPath = "::";
  assertMesh("../outside/t.stl", &options, OUTSIDE);
}

// As the tool does it, so that runs, sweeps and what goes on from a checkpoint have the same leave.
static void settings_allow_folders_and_are_no_parameters(void** state)
{
  (void)state;
  const char* const names[] = { "allowPath", "meshPath" };
  for (int i = 0; i < 2; ++i) {
    char outside[4096], two[4096];
    snprintf(outside, sizeof outside, "%s", crTestPath("outside"));
    snprintf(two, sizeof two, "%s", crTestPath("model-two"));
    crSetting settings[] = { { names[i], outside }, { names[i], two } };
    crReadOptions options = { .size = sizeof options, .settings = settings, .settingCount = 2 };
    assertMesh("../outside/t.stl", &options, NULL);
    assertMesh("../model-two/t.stl", &options, NULL);
    assertMesh("inner/t.stl", &options, NULL);
  }
}

static void robots_read_their_meshes_where_they_find_them(void** state)
{
  (void)state;
  static const char robot[] = "<robot name='r'><link name='l'><visual><geometry><mesh filename='../outside/t.stl'/>"
                              "</geometry></visual></link></robot>";
  static const char good[] = "local w = world('w')\nimport('r.urdf', { name = 'r' })\n";
  static const char bad[] =
      "local w = world('w')\nimport('r.urdf', { name = 'r' })\n"
      "object('a', { parent = w, solid{ shape = mesh{ file = '../model-two/t.stl' }, mass = 1 } })";
  crWriteTestFile(crTestPath("model/r.urdf"), robot, sizeof robot - 1);
  assertRead(crTestPath("model/r.urdf"), NULL, NULL);
  crSetting setting = { "allowPath", "/nowhere" }; // is not needed, but does no harm
  crReadOptions options = { .size = sizeof options, .settings = &setting, .settingCount = 1 };
  assertRead(crTestPath("model/r.urdf"), &options, NULL);
  crWriteTestFile(crTestPath("model/i.lua"), good, sizeof good - 1);
  assertRead(crTestPath("model/i.lua"), NULL, NULL);
  crWriteTestFile(crTestPath("model/i.lua"), bad, sizeof bad - 1);
  assertRead(crTestPath("model/i.lua"), NULL, OUTSIDE);
}

static void what_is_written_away_from_its_meshes_tells_what_it_needs(void** state)
{
  (void)state;
  writeModel("inner/t.stl");
  crAssertSays("$carom convert model/m.lua outside/m.json", 0, "the model names mesh files outside its folder");
  crAssertSays("$carom check outside/m.json", 1, OUTSIDE);
  crAssertSays("$carom check outside/m.json --allow-path model/inner", 0, "ok");
  crAssertSays("$carom convert model/r.urdf outside/r.lua", 0, "");
  assert_null(strstr(crAnswer.text, "warning"));
  crAssertSays("$carom convert model/r.urdf model/r.lua", 0, "--allow-path DIR lets it read them");
  crAssertSays("$carom check model/r.lua", 1, "lies outside");
  crAssertSays("$carom check model/r.lua --allow-path nowhere --allow-path outside", 0, "ok");
}

static void a_run_with_leave_goes_on_with_it(void** state)
{
  (void)state;
  char text[1024];
  snprintf(text, sizeof text,
           "local w = world('w')\n"
           "object('a', { parent = w, free = true, solid{ shape = mesh{ file = '../outside/t.stl' }, mass = 1 } })\n");
  crWriteTestFile(crTestPath("model/run.lua"), text, strlen(text));
  crAssertSays("$carom run model/run.lua --no-report --stop 1 --quiet --out run.run", 1, OUTSIDE);
  crAssertSays("$carom run model/run.lua --no-report --stop 1 --quiet --out run.run --allow-path outside", 0, "");
  crAssertSays("leave model/run.lua --no-report --stop 1 --interval 1e-3 --quiet --allow-path outside", 0, "");
  crAssertSays("$carom resume left.run --checkpoint 1000 --quiet", 0, "");
  assert_null(strstr(crAnswer.text, "the model's file has changed"));
  assert_null(strstr(crAnswer.text, OUTSIDE));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(meshes_beside_a_model_and_below_are_read),
    cmocka_unit_test(meshes_elsewhere_are_refused),
    cmocka_unit_test(folders_that_are_allowed_are_read),
    cmocka_unit_test(settings_allow_folders_and_are_no_parameters),
    cmocka_unit_test(robots_read_their_meshes_where_they_find_them),
    cmocka_unit_test(what_is_written_away_from_its_meshes_tells_what_it_needs),
    cmocka_unit_test(a_run_with_leave_goes_on_with_it),
  };
  return cmocka_run_group_tests(tests, setUp, crRemoveTestFolder);
}
