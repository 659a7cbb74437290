// JSON files: complete or not at all, and mesh paths that still lead to the same files.
#include "support/log.h"
#include "support/record_scenes.h"

#include "text/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define TETRAHEDRON CAROM_ROOT "/test/data/tetrahedron.stl"

// ---------------------------------------------------------------------------------------- test folder

static char folder[256]; // of one test, removed after it

static int makeFolder(void** state)
{
  (void)state;
  strcpy(folder, "/tmp/carom-json-XXXXXX");
  return mkdtemp(folder) != NULL ? 0 : -1;
}

static int removeFolder(void** state)
{
  (void)state;
  char command[300];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

static const char* inFolder(const char* name)
{
  static char paths[8][1024];
  static int next;
  char* path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static void writeText(const char* path, const char* text)
{
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

// The content of a small file; free it. NULL: there is none.
static char* readText(const char* path)
{
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    return NULL;
  }
  char* text = calloc(1, 1 << 20);
  size_t size = fread(text, 1, (1 << 20) - 1, file);
  text[size] = '\0';
  fclose(file);
  return text;
}

static int countFiles(const char* path)
{
  DIR* directory = opendir(path);
  int count = 0;
  while (readdir(directory) != NULL) {
    ++count;
  }
  closedir(directory);
  return count - 2; // "." and ".."
}

// --------------------------------------------------------------------------------------------- paths

static void paths_lead_to_the_same_file_from_another_folder(void** state)
{
  (void)state;
  static const struct {
    const char *file, *from, *to, *moved;
  } cases[] = {
    { "m.stl", "/a", "/a", "m.stl" },
    { "./m.stl", "/a", "/a", "./m.stl" }, // as it is stored
    { "/x/m.stl", "/a", "/b", "/x/m.stl" },
    { "m.stl", "/a", "/b", "../a/m.stl" },
    { "m.stl", "/a/b", "/a", "b/m.stl" },
    { "m.stl", "/a", "/a/b", "../m.stl" },
    { "m.stl", "/a", "/a/b/c", "../../m.stl" },
    { "m.stl", "/abc", "/ab", "../abc/m.stl" },
    { "m.stl", "/ab", "/abc", "../ab/m.stl" },
    { "m.stl", "/", "/a", "../m.stl" },
    { "m.stl", "/a", "/", "a/m.stl" },
    { "../m.stl", "/x/a", "/x/b", "../m.stl" },
    { "../a/m.stl", "/x/b", "/x/a", "m.stl" },
    { ".././/../m.stl", "/x/y/b", "/x/a", "../m.stl" },
    { "../../../../m.stl", "/a", "/b", "../m.stl" },     // above the root is the root
    { "sub/../m.stl", "/a", "/b", "../a/sub/../m.stl" }, // sub may be a link: kept
    { "meshes/m.stl", "/a", "/a/meshes", "m.stl" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char moved[CR_FILE_PATH_SIZE];
    assert_true(crMovePath(cases[i].file, cases[i].from, cases[i].to, moved));
    assert_string_equal(moved, cases[i].moved);
  }
}

static void paths_that_get_too_long_are_refused(void** state)
{
  (void)state;
  char file[4090], moved[CR_FILE_PATH_SIZE];
  memset(file, 'x', sizeof file - 1);
  file[sizeof file - 1] = '\0';
  assert_true(crMovePath(file, "/a", "/a", moved));
  assert_false(crMovePath(file, "/a", "/b/c/d", moved));
  char deep[8001];
  for (int i = 0; i < 8000; i += 2) {
    memcpy(deep + i, "/d", 3);
  }
  assert_false(crMovePath("m.stl", "/a", deep, moved));
  assert_false(crMovePath("m.stl", deep, "/a", moved));
  assert_false(crFindFolder(deep, moved));
}

static void folders_of_paths(void** state)
{
  (void)state;
  char found[CR_FILE_PATH_SIZE];
  assert_true(crFindFolder("m.json", found));
  assert_string_equal(found, ".");
  assert_true(crFindFolder("/m.json", found));
  assert_string_equal(found, "/");
  assert_true(crFindFolder("a/b/m.json", found));
  assert_string_equal(found, "a/b");
}

// -------------------------------------------------------------------------------------------- scenes

static crScene* readScene(const char* path, const char* meshFolder)
{
  char* text = readText(path);
  assert_non_null(text);
  crScene* scene = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crReadOptions options = { .size = sizeof options, .allowedPath = folder };
  crReadJson(text, strlen(text), path, meshFolder, &options, NULL, &sink, &scene);
  assert_no_messages(log);
  crDestroyErrorLog(log);
  free(text);
  return scene;
}

static crScene* makeSmallScene(void)
{
  crScene* scene = NULL;
  assert_int_equal(crCreateScene(NULL, NULL, &scene), cr_ok);
  crObjectDef object = crDefaultObjectDef("a");
  assert_int_equal(crScene_AddObject(scene, &object, NULL), cr_ok);
  return scene;
}

#define SMALL_TEXT "{\n  \"carom\": 1,\n  \"objects\": [\n    {\"name\": \"a\"}\n  ]\n}\n"

static void assertText(const char* path, const char* expected)
{
  char* text = readText(path);
  assert_non_null(text);
  assert_string_equal(text, expected);
  free(text);
}

// Writing must fail with this message.
static void assertFails(const crScene* scene, const char* path, const char* meshFolder, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crWriteJsonFile(scene, path, meshFolder, NULL, &sink), cr_errorFile);
  assert_message(log, cr_severityError, message);
  assert_int_equal(crErrorLog_Count(log), 1);
  crDestroyErrorLog(log);
}

static void a_file_is_written_or_replaced_and_nothing_else_left(void** state)
{
  (void)state;
  crScene* scene = makeSmallScene();
  assert_int_equal(crWriteJsonFile(scene, inFolder("m.json"), NULL, NULL, NULL), cr_ok);
  assertText(inFolder("m.json"), SMALL_TEXT);
  writeText(inFolder("old.json"), "old");
  chmod(inFolder("old.json"), 0640);
  assert_int_equal(crWriteJsonFile(scene, inFolder("old.json"), NULL, NULL, NULL), cr_ok);
  assertText(inFolder("old.json"), SMALL_TEXT);
  struct stat info;
  assert_int_equal(stat(inFolder("old.json"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  assert_int_equal(countFiles(folder), 2);
  crDestroyScene(scene);
}

static void a_link_stays_a_link(void** state)
{
  (void)state;
  crScene* scene = makeSmallScene();
  writeText(inFolder("real.json"), "old");
  assert_int_equal(symlink("real.json", inFolder("link.json")), 0);
  assert_int_equal(crWriteJsonFile(scene, inFolder("link.json"), NULL, NULL, NULL), cr_ok);
  struct stat info;
  assert_int_equal(lstat(inFolder("link.json"), &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assertText(inFolder("real.json"), SMALL_TEXT);
  crDestroyScene(scene);
}

static void devices_are_written_to_and_not_replaced(void** state)
{
  (void)state;
  crScene* scene = makeSmallScene();
  assert_int_equal(crWriteJsonFile(scene, "/dev/null", NULL, NULL, NULL), cr_ok);
  struct stat info;
  assert_int_equal(stat("/dev/null", &info), 0);
  assert_true(S_ISCHR(info.st_mode));
  assertFails(scene, "/dev/full", NULL,
              "/dev/full: error: the file cannot be written\n  found No space left on device");
  crDestroyScene(scene);
}

static void files_that_cannot_be_written_are_told_and_nothing_left(void** state)
{
  (void)state;
  crScene* scene = makeSmallScene();
  assertFails(scene, inFolder("no/m.json"), NULL, "the file cannot be opened for writing\n  found No such file");
  assertFails(scene, folder, NULL, "the file cannot be written\n  found Is a directory");
  assertFails(scene, inFolder(""), NULL, "the file cannot be written\n  found Is a directory");
  writeText(inFolder("file"), "text");
  assertFails(scene, inFolder("file/m.json"), NULL, "found Not a directory");
  char longName[400];
  memset(longName, 'x', sizeof longName - 1);
  longName[sizeof longName - 1] = '\0';
  assertFails(scene, inFolder(longName), NULL, "found File name too long");
  assert_int_equal(countFiles(folder), 1);
  crDestroyScene(scene);
}

// The limit of a process on the size of a file stands for a full disk: the write in the middle fails.
static void a_disk_that_gets_full_leaves_the_old_file(void** state)
{
  (void)state;
  crScene* scene = NULL;
  assert_int_equal(crCreateScene(NULL, NULL, &scene), cr_ok);
  crRandom random = crMakeRandom(1);
  crFillTestScene(scene, &random, 10, 1.0, NULL);
  writeText(inFolder("m.json"), "old");
  struct rlimit usual, small;
  getrlimit(RLIMIT_FSIZE, &usual);
  small = usual;
  small.rlim_cur = 10000;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  assertFails(scene, inFolder("m.json"), NULL, "the file cannot be written\n  found File too large");
  setrlimit(RLIMIT_FSIZE, &usual);
  signal(SIGXFSZ, SIG_DFL);
  assertText(inFolder("m.json"), "old");
  assert_int_equal(countFiles(folder), 1);
  crDestroyScene(scene);
}

static void a_scene_that_json_cannot_hold_leaves_the_old_file(void** state)
{
  (void)state;
  crScene* scene = makeSmallScene();
  crAssemblyDef assembly = crDefaultAssemblyDef("arm");
  crParameter parameter = { .name = "p", .kind = cr_parameterString, .string = "\xff" };
  assembly.parameters = &parameter;
  assembly.parameterCount = 1;
  assert_int_equal(crScene_AddAssembly(scene, &assembly, NULL), cr_ok);
  writeText(inFolder("m.json"), "old");
  assert_int_equal(crWriteJsonFile(scene, inFolder("m.json"), NULL, NULL, NULL), cr_errorModel);
  assertText(inFolder("m.json"), "old");
  assert_int_equal(countFiles(folder), 1);
  crDestroyScene(scene);
}

// -------------------------------------------------------------------------------------------- meshes

static const char* meshFileOf(const crScene* scene)
{
  const crObjectDef* object = crScene_GetObject(scene, crScene_Find(scene, "a"));
  return object->features[0].as.solid.shape.as.mesh.file;
}

// from/m.json with meshes/t.stl, written to to/m.json and back.
static void a_model_moves_to_another_folder_and_back(void** state)
{
  (void)state;
  assert_int_equal(mkdir(inFolder("from"), 0777), 0);
  assert_int_equal(mkdir(inFolder("from/meshes"), 0777), 0);
  assert_int_equal(mkdir(inFolder("to"), 0777), 0);
  char* mesh = readText(TETRAHEDRON);
  writeText(inFolder("from/meshes/t.stl"), mesh);
  free(mesh);
  writeText(inFolder("from/m.json"),
            "{\"carom\": 1, \"objects\": [{\"name\": \"a\", \"features\": [{\"type\": \"solid\", \"mass\": 1, "
            "\"shape\": {\"type\": \"mesh\", \"file\": \"meshes/t.stl\", \"scale\": 2}}]}]}");
  crScene* first = readScene(inFolder("from/m.json"), inFolder("from"));
  assert_int_equal(crWriteJsonFile(first, inFolder("to/m.json"), inFolder("from"), NULL, NULL), cr_ok);
  crScene* second = readScene(inFolder("to/m.json"), inFolder("to"));
  assert_string_equal(meshFileOf(second), "../from/meshes/t.stl");
  assert_int_equal(crWriteJsonFile(second, inFolder("from/back.json"), inFolder("to"), NULL, NULL), cr_ok);
  crScene* third = readScene(inFolder("from/back.json"), inFolder("from"));
  crAssertSameScenes(first, third);
  crDestroyScene(first);
  crDestroyScene(second);
  crDestroyScene(third);
}

// ".." leads up from where a link points to, not from where it lies.
static void links_to_folders_do_not_lead_meshes_astray(void** state)
{
  (void)state;
  assert_int_equal(mkdir(inFolder("models"), 0777), 0);
  assert_int_equal(mkdir(inFolder("disk"), 0777), 0);
  assert_int_equal(mkdir(inFolder("disk/out"), 0777), 0);
  assert_int_equal(symlink("disk/out", inFolder("out")), 0);
  char* mesh = readText(TETRAHEDRON);
  writeText(inFolder("models/t.stl"), mesh);
  free(mesh);
  writeText(inFolder("models/m.json"),
            "{\"carom\": 1, \"objects\": [{\"name\": \"a\", \"features\": [{\"type\": "
            "\"solid\", \"mass\": 1, \"shape\": {\"type\": \"mesh\", \"file\": \"t.stl\"}}]}]}");
  crScene* first = readScene(inFolder("models/m.json"), inFolder("models"));
  assert_int_equal(crWriteJsonFile(first, inFolder("out/m.json"), inFolder("models"), NULL, NULL), cr_ok);
  crScene* second = readScene(inFolder("out/m.json"), inFolder("out"));
  assert_string_equal(meshFileOf(second), "../../models/t.stl");
  assertFails(first, inFolder("out/m.json"), inFolder("gone"), "the folder of the mesh files cannot be found");
  assertFails(first, inFolder("gone/m.json"), inFolder("models"), "the folder of the file cannot be found");
  crDestroyScene(first);
  crDestroyScene(second);
}

#define in_folder(test) cmocka_unit_test_setup_teardown(test, makeFolder, removeFolder)

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(paths_lead_to_the_same_file_from_another_folder),
    cmocka_unit_test(paths_that_get_too_long_are_refused),
    cmocka_unit_test(folders_of_paths),
    in_folder(a_file_is_written_or_replaced_and_nothing_else_left),
    in_folder(a_link_stays_a_link),
    in_folder(devices_are_written_to_and_not_replaced),
    in_folder(files_that_cannot_be_written_are_told_and_nothing_left),
    in_folder(a_disk_that_gets_full_leaves_the_old_file),
    in_folder(a_scene_that_json_cannot_hold_leaves_the_old_file),
    in_folder(a_model_moves_to_another_folder_and_back),
    in_folder(links_to_folders_do_not_lead_meshes_astray),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
