// JSON models: round trips, canonical form, bad input.
#include "support/log.h"
#include "support/record_scenes.h"

#include "text/json_format.h"
#include "text/json_value.h"

#include <float.h>
#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TETRAHEDRON CAROM_ROOT "/test/data/tetrahedron.stl"

static const crReadOptions withMeshes = { .size = sizeof withMeshes, .allowedPath = CAROM_ROOT "/test/data" };

static void printError(void* context, const crError* error)
{
  (void)context;
  char text[1024];
  crError_Format(error, text, sizeof text);
  print_message("%s\n", text);
}

// A scene without faults, which would be printed.
static crScene* createScene(void)
{
  static const crErrorSink sink = { printError, NULL };
  crScene* scene = NULL;
  assert_int_equal(crCreateScene(NULL, &sink, &scene), cr_ok);
  return scene;
}

// Reads a text that has no faults.
static crScene* readText(const char* text, size_t size)
{
  crScene* scene = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crStatus status = crReadJson(text, size, "model.json", NULL, &withMeshes, NULL, &sink, &scene);
  assert_no_messages(log);
  assert_int_equal(status, cr_ok);
  crDestroyErrorLog(log);
  return scene;
}

// Fails unless the text is what a scene read from it is written as.
static void assertCanonical(const char* text)
{
  crScene* scene = readText(text, strlen(text));
  crTestText written = crWriteTestText(scene);
  assert_string_equal(written.bytes, text);
  crTestText_Free(&written);
  crDestroyScene(scene);
}

// scene -> text -> scene: the same bits; text -> scene -> text: the same bytes.
static void assertRoundTrip(const crScene* scene)
{
  crTestText first = crWriteTestText(scene);
  crScene* back = readText(first.bytes, first.size);
  crAssertSameScenes(scene, back);
  crTestText second = crWriteTestText(back);
  assert_int_equal(first.size, second.size);
  assert_memory_equal(first.bytes, second.bytes, first.size);
  crTestText_Free(&first);
  crTestText_Free(&second);
  crDestroyScene(back);
}

// -------------------------------------------------------------------------------------- round trips

static void the_empty_scene_is_the_version_alone(void** state)
{
  (void)state;
  assertCanonical("{\n  \"carom\": 1\n}\n");
}

static void canonical_text_has_one_element_a_line_in_a_fixed_order(void** state)
{
  (void)state;
  assertCanonical(
      "{\n"
      "  \"carom\": 1,\n"
      "  \"scene\": {\"gravity\": \"none\", \"contactDetection\": false},\n"
      "  \"solidMaterials\": [\n"
      "    {\"name\": \"Steel\", \"density\": 7850},\n"
      "    {\"name\": \"Rubber\", \"density\": 1100, \"E\": 50000000, \"nu\": 0.49}\n"
      "  ],\n"
      "  \"contactPairs\": [\n"
      "    {\"materialA\": \"Rubber\", \"materialB\": \"Steel\", \"cor\": 0.5, \"muK\": 0.8, \"muR\": 0.01}\n"
      "  ],\n"
      "  \"visualMaterials\": [\n"
      "    {\"name\": \"red\", \"color\": [1, 0, 0, 0.5]}\n"
      "  ],\n"
      "  \"assemblies\": [\n"
      "    {\"name\": \"\"},\n"
      "    {\"name\": \"arm\", \"parameters\": {\"length\": 0.3, \"on\": true, \"name\": \"x\"}}\n"
      "  ],\n"
      "  \"objects\": [\n"
      "    {\"name\": \"world\", \"mobility\": \"world\"},\n"
      "    {\"name\": \"ball\", \"mobility\": \"free\", \"position\": [0, 0, 1], \"rotation\": [0.6, 0, 0, 0.8], "
      "\"features\": [{\"type\": \"solid\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.03}, \"mass\": 0.2}, "
      "{\"type\": \"mass\", \"mass\": 1, \"inertia\": [1, 1, 1]}, "
      "{\"type\": \"mass\", \"mass\": 1, \"inertia\": [1, 1, 1, 0, 0.1, 0]}, "
      "{\"type\": \"light\"}]}\n"
      "  ],\n"
      "  \"joints\": [\n"
      "    {\"type\": \"revolute\", \"name\": \"hinge\", \"objectA\": \"world\", \"objectB\": \"ball\", \"axis\": [0, "
      "1, 0], "
      "\"start\": 0.5, \"fixed\": true},\n"
      "    {\"type\": \"freeMotion\", \"name\": \"six\", \"objectA\": \"world\", \"objectB\": \"ball\", "
      "\"startRate\": [1, 0, 0, 0, 0, 0], \"fixed\": [true, false, true, true, true, true]}\n"
      "  ],\n"
      "  \"forces\": [\n"
      "    {\"type\": \"springDamper\", \"name\": \"spring\", \"objectA\": \"world\", \"objectB\": \"ball\", "
      "\"stiffness\": 100}\n"
      "  ],\n"
      "  \"exclusions\": [\n"
      "    {\"objectA\": \"world\", \"objectB\": \"ball\"}\n"
      "  ]\n"
      "}\n");
}

// No field of these scenes has its default, whatever fields the records may get.
static void every_field_of_every_record_survives(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  crScene* scene = createScene();
  crFillTestScene(scene, &random, 2, 1.0, TETRAHEDRON);
  assertRoundTrip(scene);
  crDestroyScene(scene);
}

// The test above would be empty if the filler left defaults in place.
static void the_filled_scene_differs_from_the_defaults_in_every_field(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  crScene* scene = createScene();
  crFillTestScene(scene, &random, 1, 1.0, TETRAHEDRON);
  crTestText text = crWriteTestText(scene);
  for (int kind = cr_elementAssembly; kind <= cr_elementCoupling; ++kind) {
    const crRecord* record = crGetElementRecord((crElementKind)kind);
    for (int i = 0; record != NULL && i < record->fieldCount; ++i) {
      char key[64];
      snprintf(key, sizeof key, "\"%s\": ", record->fields[i].name);
      assert_non_null(strstr(text.bytes, key));
    }
  }
  for (int kind = 1; kind < cr_shapeKindCount; ++kind) {
    const crRecord* record = crGetShapeRecord((crShapeKind)kind);
    char start[64];
    snprintf(start, sizeof start, "{\"type\": \"%s\", ", record->type);
    const char* shape = strstr(text.bytes, start);
    assert_non_null(shape);
    const char* end = strchr(shape, '}');
    for (int i = 0; i < record->fieldCount; ++i) {
      char key[64];
      snprintf(key, sizeof key, "\"%s\": ", record->fields[i].name);
      const char* found = strstr(shape, key);
      bool isWritten = found != NULL && found < end;
      bool isElsewhere = strcmp(record->fields[i].name, "hollow") == 0 ||         // in pictures, and
                         strcmp(record->fields[i].name, "pieceError") == 0 ||     // of them, or of profiles
                         record->fields[i].type == cr_fieldPicture;               // heights stand there instead
      assert_true(isElsewhere || isWritten == (record->fields[i].factor == 0.0)); // aliases are never written
    }
  }
  assert_non_null(strstr(text.bytes, "\"hollow\": true"));
  assert_non_null(strstr(text.bytes, "\"pieceError\": "));
  crTestText_Free(&text);
  crDestroyScene(scene);
}

static void random_scenes_survive(void** state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    crRandom random = crMakeRandom(seed);
    crScene* scene = createScene();
    crFillTestScene(scene, &random, 3, 0.1 * (double)(seed % 11), seed % 2 == 0 ? TETRAHEDRON : NULL);
    assertRoundTrip(scene);
    crDestroyScene(scene);
  }
}

static void numbers_keep_their_bits(void** state)
{
  (void)state;
  static const double special[] = { -0.0,    5e-324, DBL_MIN, DBL_MAX, -DBL_MAX,           0.1,
                                    1.0 / 3, 1e23,   2e22,    1e300,   9007199254740993.0, 18446744073709551616.0 };
  crScene* scene = createScene();
  crRandom random = crMakeRandom(7);
  for (int i = 0; i < 2000; ++i) {
    char name[32];
    snprintf(name, sizeof name, "o%d", i);
    crObjectDef object = crDefaultObjectDef(name);
    double* numbers = &object.position.x;
    for (int k = 0; k < 3; ++k) {
      uint64_t bits = crRandom_Next(&random);
      memcpy(&numbers[k], &bits, sizeof bits);
      numbers[k] = i < 12 || !isfinite(numbers[k]) ? special[(i + k) % 12] : numbers[k];
    }
    assert_int_equal(crScene_AddObject(scene, &object, NULL), cr_ok);
  }
  assertRoundTrip(scene);
  crDestroyScene(scene);
}

// Lengths within a rounding of 1 must not be normalized once more on every reading.
static void quaternions_keep_their_bits(void** state)
{
  (void)state;
  crScene* scene = createScene();
  crRandom random = crMakeRandom(8);
  for (int i = 0; i < 1000; ++i) {
    char name[32];
    snprintf(name, sizeof name, "o%d", i);
    crObjectDef object = crDefaultObjectDef(name);
    object.rotation = crRandom_Rotation(&random);
    object.rotation.w *= i % 3 == 0 ? 1.0 : i % 3 == 1 ? 1.0 + 1e-9 : 7.0;
    assert_int_equal(crScene_AddObject(scene, &object, NULL), cr_ok);
  }
  assertRoundTrip(scene);
  crDestroyScene(scene);
}

static void a_decimal_comma_in_the_locale_changes_nothing(void** state)
{
  (void)state;
  static const char* const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE" };
  const char* chosen = NULL;
  for (size_t i = 0; chosen == NULL && i < sizeof names / sizeof *names; ++i) {
    chosen = setlocale(LC_ALL, names[i]);
  }
  if (chosen == NULL) {
    skip();
  }
  assert_string_equal(localeconv()->decimal_point, ",");
  canonical_text_has_one_element_a_line_in_a_fixed_order(NULL);
  every_field_of_every_record_survives(NULL);
  setlocale(LC_ALL, "C");
}

static void forms_for_people_become_canonical(void** state)
{
  (void)state;
  static const char text[] =
      "\xef\xbb\xbf{ \"objects\": [\n"
      "{\"features\": [{\"shape\": {\"diameter\": 0.5, \"type\": \"sphere\"}, \"type\": \"visual\"},\n"
      "  {\"type\": \"light\", \"color\": \"red\"}],\n"
      " \"rotation\": {\"axis\": \"z\", \"angle\": 0}, \"name\": \"a\"},\n"
      "{\"name\": \"b\", \"rotation\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"parent\": \"a\"}],\n"
      "\"carom\": 1.0, \"scene\": {\"gravity\": [0, 0, -9.81]}}";
  crScene* scene = readText(text, strlen(text));
  crTestText written = crWriteTestText(scene);
  assert_string_equal(written.bytes,
                      "{\n"
                      "  \"carom\": 1,\n"
                      "  \"objects\": [\n"
                      "    {\"name\": \"a\", \"features\": [{\"type\": \"visual\", \"shape\": {\"type\": \"sphere\", "
                      "\"radius\": 0.25}}, {\"type\": \"light\", \"color\": [1, 0, 0, 1]}]},\n"
                      "    {\"name\": \"b\", \"parent\": \"a\"}\n"
                      "  ]\n"
                      "}\n");
  crTestText_Free(&written);
  crDestroyScene(scene);
}

// ---------------------------------------------------------------------------------------- bad input

typedef struct BadText {
  const char* text;
  crStatus status;
  const char* message; // part of the whole message
} BadText;

static void assertBad(const char* text, size_t size, crStatus status, const char* message)
{
  crScene* scene = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crStatus found = crReadJson(text, size, "m.json", NULL, NULL, NULL, &sink, &scene);
  assert_message(log, cr_severityError, message);
  assert_int_equal(found, status);
  assert_int_equal(scene != NULL, status == cr_errorModel);
  assert_true(scene == NULL || crScene_CountErrors(scene) > 0);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void assertAllBad(const BadText* cases, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    assertBad(cases[i].text, strlen(cases[i].text), cases[i].status, cases[i].message);
  }
}
#define assert_all_bad(cases) assertAllBad((cases), sizeof(cases) / sizeof *(cases))

static void syntax_errors_have_line_and_column(void** state)
{
  (void)state;
  static const BadText cases[] = {
    { "", cr_errorSyntax, "m.json:1:1: error: the model is empty" },
    { " \r\n\t ", cr_errorSyntax, "the model is empty" },
    { "\xef\xbb\xbf", cr_errorSyntax, "the model is empty" },
    { "{\"carom\": 1", cr_errorSyntax, "m.json:1:11: error: '}' expected near end of file" },
    { "{\"carom\": 1,\n \"objects\": [\n  {,}\n]}", cr_errorSyntax,
      "m.json:3:4: error: string or '}' expected near ','" },
    { "{\"carom\": 1}}", cr_errorSyntax, "m.json:1:13: error: something follows after the end of the model near '}'" },
    { "{\"carom\": 1} x", cr_errorSyntax, "something follows after the end of the model near 'x'" },
    { "{\"carom\": NaN}", cr_errorSyntax, "m.json:1:13: error: invalid token near 'NaN'" },
    { "// comment\n{\"carom\": 1}", cr_errorSyntax, "m.json:1:1: error: invalid token near '/'" },
    { "{\"carom\": \033[31m}", cr_errorSyntax, "m.json:1:11: error: invalid token near '?'" },
    { "{\"carom\": 1, \"carom\": 1}", cr_errorSyntax, "m.json:1:20: error: a key is given twice near '\"carom\"'" },
    { "{\"carom\": 1e999}", cr_errorSyntax, "a number is out of range near '1e999'\n  allowed: numbers up to" },
    { "{\"carom\": -1e999}", cr_errorSyntax, "a number is out of range near '-1e999'" },
    { "{\"carom\": 01}", cr_errorSyntax, "invalid token near '0'" },
    { "{\"carom\": \"a\\u0000b\"}", cr_errorSyntax, "a string holds \\u0000, which is not allowed" },
    { "{\"a\\u0000b\": 1}", cr_errorSyntax, "a string holds \\u0000, which is not allowed" },
    { "{\"carom\":\n\"\xff\"}", cr_errorSyntax,
      "m.json:2:1: error: the text is not valid UTF-8: unable to decode byte 0xff" },
    { "{\"carom\": \"\xed\xa0\x80\"}", cr_errorSyntax, "the text is not valid UTF-8" },
    { "{\"carom\": \"\xc0\xaf\"}", cr_errorSyntax, "the text is not valid UTF-8" },
    { "{\"carom\": \"\\ud800\"}", cr_errorSyntax, "invalid Unicode" },
    { "{\"carom\": \"a\nb\"}", cr_errorSyntax, "unexpected newline" },
  };
  assert_all_bad(cases);
}

static void a_zero_byte_is_found_anywhere(void** state)
{
  (void)state;
  static const char text[] = "{\"carom\":\n \"\xc3\xa4\" \0}";
  assertBad(text, sizeof text - 1, cr_errorSyntax, "m.json:2:6: error: the text holds a zero byte");
  static const char end[] = "{\"carom\": 1}\0";
  assertBad(end, sizeof end - 1, cr_errorSyntax, "m.json:1:13: error: the text holds a zero byte");
}

static void deep_nesting_is_an_error_and_no_crash(void** state)
{
  (void)state;
  enum { depth = 1000000 };
  char* text = malloc(6 * depth);
  memset(text, '[', depth);
  assertBad(text, depth, cr_errorLimit,
            "m.json:1:2049: error: brackets are nested too deeply\n  allowed: at most 2048");
  for (int i = 0; i < depth; ++i) {
    memcpy(text + 5 * i, "{\"a\":", 5);
  }
  assertBad(text, 5 * depth, cr_errorLimit, "brackets are nested too deeply");
  // the deepest that is accepted goes through the reader, and is no parameter
  const char* start = "{\"carom\": 1, \"assemblies\": [{\"name\": \"a\", \"parameters\": {\"x\": ";
  int size = sprintf(text, "%s", start);
  for (int i = 0; i < 2040; ++i) {
    text[size++] = '[';
  }
  for (int i = 0; i < 2040; ++i) {
    text[size++] = ']';
  }
  size += sprintf(text + size, "}}]}");
  assertBad(text, (size_t)size, cr_errorModel, "x is not a parameter");
  free(text);
}

static void parameters_of_assemblies_are_tables_by_name(void** state)
{
  (void)state;
  static const char number[] = "{\"carom\": 1, \"assemblies\": [{\"name\": \"a\", \"parameters\": 5}]}";
  static const char list[] = "{\"carom\": 1, \"assemblies\": [{\"name\": \"a\", \"parameters\": [1, 2]}]}";
  assertBad(number, sizeof number - 1, cr_errorModel,
            "a: parameters is of the wrong type\n  found a number, allowed: a table of numbers, strings and booleans");
  assertBad(list, sizeof list - 1, cr_errorModel,
            "a: parameters is of the wrong type\n  found a list, allowed: a table of numbers, strings and booleans");
}

static void a_text_that_is_no_model_of_version_1_gives_no_scene(void** state)
{
  (void)state;
  static const BadText cases[] = {
    { "[]", cr_errorSyntax, "m.json: error: a model is a JSON object\n  found a list, allowed: {\"carom\": 1, ...}" },
    { "5", cr_errorSyntax, "a model is a JSON object\n  found a number" },
    { "\"x\"", cr_errorSyntax, "a model is a JSON object\n  found a string" },
    { "null", cr_errorSyntax, "a model is a JSON object\n  found null" },
    { "{}", cr_errorSyntax, "the version of the format is missing: this may not be a Carom model" },
    { "{\"carom\": 2}", cr_errorSyntax,
      "this version of the format is unknown\n  found 2, allowed: 1\n  hint: a newer" },
    { "{\"carom\": 1.5}", cr_errorSyntax, "found 1.5, allowed: 1" },
    { "{\"carom\": \"1\"}", cr_errorSyntax, "the version of the format is not a number\n  found a string" },
  };
  assert_all_bad(cases);
}

#define OBJECT(fields) "{\"carom\": 1, \"objects\": [{\"name\": \"a.b\"" fields "}]}"

static void model_errors_have_the_path_of_the_element(void** state)
{
  (void)state;
  static const BadText cases[] = {
    { "{\"carom\": 1, \"object\": []}", cr_errorModel,
      "m.json: error: a model has no section 'object'\n  hint: did you mean 'objects'?" },
    { "{\"carom\": 1, \"xyzzy\\u001b\": 1}", cr_errorModel, "a model has no section 'xyzzy?'" },
    { "{\"carom\": 1, \"objects\": {}}", cr_errorModel,
      "m.json: error: objects: this section is of the wrong type\n  found an object, allowed: a list of elements" },
    { "{\"carom\": 1, \"joints\": null}", cr_errorModel, "joints: this section is of the wrong type\n  found null" },
    { "{\"carom\": 1, \"scene\": 3}", cr_errorModel, "scene is of the wrong type\n  found a number" },
    { "{\"carom\": 1, \"scene\": {\"gravty\": \"none\"}}", cr_errorModel,
      "scene: gravty: a scene has no such field\n  hint: did you mean 'gravity'?" },
    { "{\"carom\": 1, \"scene\": {\"gravity\": {\"mu\": -1}}}", cr_errorModel, "gravity.mu must not be negative" },
    { "{\"carom\": 1, \"objects\": [{\"name\": \"a\"}, 5]}", cr_errorModel,
      "m.json: error: objects[2]: object is of the wrong type\n  found a number" },
    { "{\"carom\": 1, \"objects\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"parent\": \"a\"}]}", cr_errorModel,
      "m.json: error: objects[3]: name is missing" },
    { "{\"carom\": 1, \"joints\": [{\"name\": \"j\"}]}", cr_errorModel, "m.json: error: j: joint has no \"type\"" },
    { "{\"carom\": 1, \"joints\": [{\"name\": \"j\", \"type\": \"hinge\"}]}", cr_errorModel, "there is no such joint" },
    { "{\"carom\": 1, \"exclusions\": [{\"objectA\": \"a\"}]}", cr_errorModel, "exclusions[1]: objectB is missing" },
    { "{\"carom\": 1, \"contactPairs\": [{\"materialA\": 1}]}", cr_errorModel,
      "contactPairs[1]: materialA is of the wrong" },
    { OBJECT(", \"colour\": 1"), cr_errorModel, "a.b: colour: an object has no such field" },
    { OBJECT(", \"position\": [1, 2]"), cr_errorModel,
      "m.json: error: a.b: position is of the wrong type\n  found a list, allowed: a list of three numbers" },
    { OBJECT(", \"position\": null"), cr_errorModel, "a.b: position is of the wrong type\n  found nothing" },
    { OBJECT(", \"mobility\": \"loose\""), cr_errorModel, "a.b: mobility is not one of its values\n  found loose" },
    { OBJECT(", \"features\": [{\"type\": \"solid\", \"shape\": {\"type\": \"sphere\"}}]"), cr_errorModel,
      "a.b: solid1.shape.radius is missing" },
    { OBJECT(", \"features\": [{\"type\": \"solid\", \"shape\": {\"type\": \"sphere\", \"radius\": -1}}]"),
      cr_errorModel, "m.json: error: a.b.solid1: " },
    { OBJECT(", \"features\": [{\"type\": \"solid\", \"shape\": {\"type\": \"mesh\", \"file\": \"/no/such.stl\"}}]"),
      cr_errorModel, "a.b" },
    { OBJECT(", \"features\": [{\"type\": \"solid\", \"group\": 4294967296, \"shape\": {\"type\": \"sphere\", "
             "\"radius\": 1}}]"),
      cr_errorModel, "a.b: solid1.group is out of range\n  found 4294967296" },
    { OBJECT("}, {\"name\": \"a.b\""), cr_errorModel, "a.b: the name is taken already by an object" },
    { OBJECT("}, {\"name\": \"a..b\""), cr_errorModel, "an object's name has an empty part" },
    { OBJECT("}, {\"name\": \"a\\u001b\""), cr_errorModel, "holds a control character" },
  };
  assert_all_bad(cases);
}

static void all_errors_show_in_one_go_and_the_rest_is_there(void** state)
{
  (void)state;
  static const char text[] =
      "{\"carom\": 1, \"oops\": 1, \"joints\": 5, \"scene\": {\"gravity\": 1},\n"
      "\"objects\": [{\"name\": \"good\"}, {\"name\": \"bad\", \"position\": 1, \"rotation\": 2}, "
      "{\"name\": \"fine\"}],\n"
      "\"forces\": [{\"type\": \"springDamper\"}]}";
  crScene* scene = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crReadJson(text, strlen(text), "m.json", NULL, NULL, NULL, &sink, &scene), cr_errorModel);
  assert_int_equal(crErrorLog_CountOf(log, cr_severityError), 3 + 2 + 3);
  assert_int_equal(crScene_CountErrors(scene), 3 + 2 + 3);
  assert_int_equal(crScene_Count(scene, cr_elementObject), 2);
  assert_false(crIsNull(crScene_Find(scene, "good")));
  assert_false(crIsNull(crScene_Find(scene, "fine")));
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void settings_are_refused(void** state)
{
  (void)state;
  static const crSetting settings[] = { { "length", "0.3" }, { "arm.on", "true" } };
  static const char text[] = "{\"carom\": 1}";
  crReadOptions options = crDefaultReadOptions();
  options.settings = settings;
  options.settingCount = 2;
  crScene* scene = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crReadJson(text, strlen(text), "m.json", NULL, &options, NULL, &sink, &scene), cr_errorModel);
  assert_message(log, cr_severityError,
                 "m.json: error: length: this was set, but the model has no such parameter\n  hint: a JSON model has");
  assert_message(log, cr_severityError, "error: arm.on: this was set, but");
  assert_int_equal(crErrorLog_Count(log), 2);
  assert_int_equal(crScene_CountErrors(scene), 2);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
  static const crSetting nameless = { NULL, "1" };
  options.settings = &nameless;
  options.settingCount = 1;
  assert_int_equal(crReadJson(text, strlen(text), "m.json", NULL, &options, NULL, NULL, &scene), cr_errorMisuse);
}

static void the_size_of_a_model_is_limited(void** state)
{
  (void)state;
  static const char text[] = "{\"carom\": 1}";
  crReadOptions options = crDefaultReadOptions();
  options.fileLimit = strlen(text) - 1;
  crScene* scene = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crReadJson(text, strlen(text), "m.json", NULL, &options, NULL, &sink, &scene), cr_errorLimit);
  assert_message(log, cr_severityError, "the model is too large\n  found 12 bytes, allowed: at most 11 bytes");
  assert_null(scene);
  crDestroyErrorLog(log);
}

static void misuse_is_refused(void** state)
{
  (void)state;
  crScene* scene = NULL;
  crTextWriter none = { NULL, NULL };
  assert_int_equal(crReadJson(NULL, 0, "m", NULL, NULL, NULL, NULL, &scene), cr_errorMisuse);
  assert_int_equal(crReadJson("{}", 2, "m", NULL, NULL, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crWriteJson(NULL, NULL, NULL, none), cr_errorMisuse);
  assert_int_equal(crWriteJsonSchema(NULL, none), cr_errorMisuse);
  assert_int_equal(crWriteJsonFile(NULL, "x", NULL, NULL, NULL), cr_errorMisuse);
}

// ---------------------------------------------------------------------------- what JSON cannot hold

static void assertUnwritable(const crScene* scene, const char* message)
{
  crTestText text = { 0 };
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crWriteJson(scene, NULL, &sink, crTestText_Writer(&text)), cr_errorModel);
  assert_message(log, cr_severityError, message);
  assert_int_equal(crErrorLog_Count(log), 1);
  assert_int_equal(text.size, 0);
  crTestText_Free(&text);
  crDestroyErrorLog(log);
}

static void what_json_cannot_hold_is_reported_and_nothing_written(void** state)
{
  (void)state;
  static const struct {
    crParameter parameters[2];
    int count;
    const char* message;
  } cases[] = {
    { { { .name = "p", .number = INFINITY } }, 1, "arm: p is not a finite number, which JSON cannot hold" },
    { { { .name = "p", .number = NAN } }, 1, "arm: p is not a finite number" },
    { { { .name = "p", .kind = cr_parameterString, .string = "\xff" } },
      1,
      "arm: p is not valid UTF-8, which JSON cannot hold" },
    { { { .name = "p", .kind = cr_parameterBool }, { .name = "p", .kind = cr_parameterBool, .number = 1.0 } },
      2,
      "arm: p is the name of two parameters" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crScene* scene = createScene();
    crAssemblyDef assembly = crDefaultAssemblyDef("arm");
    assembly.parameters = cases[i].parameters;
    assembly.parameterCount = cases[i].count;
    if (crScene_AddAssembly(scene, &assembly, NULL) == cr_ok) { // else it was found even earlier
      assertUnwritable(scene, cases[i].message);
    }
    crDestroyScene(scene);
  }
  crScene* scene = createScene();
  crObjectDef object = crDefaultObjectDef("a");
  object.parent = "b\xc0\xaf";
  if (crScene_AddObject(scene, &object, NULL) == cr_ok) {
    assertUnwritable(scene, "a: parent is not valid UTF-8");
  }
  crDestroyScene(scene);
}

static void a_mesh_from_memory_cannot_be_written(void** state)
{
  (void)state;
  static const int32_t triangles[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
  static const crVec3 points[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  crMeshDef meshDef = { sizeof(crMeshDef), points, 4, triangles, 4, NULL, 1 };
  crMesh* mesh = NULL;
  assert_int_equal(crCreateMesh(&meshDef, NULL, NULL, &mesh), cr_ok);
  crFeatureDef feature = crDefaultFeatureDef(cr_featureVisual);
  feature.as.visual.shape = crDefaultShapeDef(cr_shapeMesh);
  feature.as.visual.shape.as.mesh.mesh = mesh;
  crObjectDef object = crDefaultObjectDef("a");
  object.features = &feature;
  object.featureCount = 1;
  crScene* scene = createScene();
  assert_int_equal(crScene_AddObject(scene, &object, NULL), cr_ok);
  assertUnwritable(scene, "a.visual1: file is unknown: the mesh was made in memory\n  hint: write the mesh to a file");
  crDestroyScene(scene);
  crReleaseMesh(mesh);
}

// ------------------------------------------------------------------------------------------- memory

static void running_out_of_memory_is_clean(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  crScene* full = createScene();
  crFillTestScene(full, &random, 1, 1.0, TETRAHEDRON);
  crTestText text = crWriteTestText(full);
  crDestroyScene(full);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crScene* scene = NULL;
  assert_int_equal(crReadJson(text.bytes, text.size, "m", NULL, &withMeshes, &allocator, NULL, &scene), cr_ok);
  long calls = counter.callCount;
  crDestroyScene(scene);
  assert_int_equal(counter.liveBlocks, 0);
  for (long i = 0; i < calls; ++i) {
    allocator = crTestAllocator_Make(&counter);
    counter.failAt = i;
    scene = NULL;
    assert_int_equal(crReadJson(text.bytes, text.size, "m", NULL, &withMeshes, &allocator, NULL, &scene),
                     cr_errorMemory);
    assert_null(scene);
    assert_int_equal(counter.liveBlocks, 0);
    assert_int_equal(counter.liveBytes, 0);
  }
  crTestText_Free(&text);
}

static long failingCall = -1, callsOfJansson; // of Jansson's allocations

static void* allocateForJansson(size_t size)
{
  return callsOfJansson++ == failingCall ? NULL : malloc(size);
}

// Jansson itself ended the process by an assertion, or wrote beyond the end of a block, where the buffer of a long
// token could not grow.
static void every_allocation_of_jansson_may_fail(void** state)
{
  (void)state;
  char text[512];
  snprintf(text, sizeof text, "{\"carom\": 1, \"scene\": {\"tolerance\": 1e-6}, \"objects\": [{\"name\": \"%0120d\"}]}",
           7);
  crStatus status = cr_errorMemory;
  for (failingCall = 0; status == cr_errorMemory; ++failingCall) {
    crScene* scene = NULL;
    callsOfJansson = 0;
    status = crReadJson(text, strlen(text), "model.json", NULL, &withMeshes, NULL, NULL, &scene);
    assert_true((status == cr_ok) == (scene != NULL));
    crDestroyScene(scene);
  }
  assert_int_equal(status, cr_ok);
  assert_in_range(failingCall, 20, 1000);
  failingCall = -1;
}

int main(void)
{
  json_set_alloc_funcs(allocateForJansson, free); // behind the guard
  crGuardJson();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_empty_scene_is_the_version_alone),
    cmocka_unit_test(canonical_text_has_one_element_a_line_in_a_fixed_order),
    cmocka_unit_test(every_field_of_every_record_survives),
    cmocka_unit_test(the_filled_scene_differs_from_the_defaults_in_every_field),
    cmocka_unit_test(random_scenes_survive),
    cmocka_unit_test(numbers_keep_their_bits),
    cmocka_unit_test(quaternions_keep_their_bits),
    cmocka_unit_test(a_decimal_comma_in_the_locale_changes_nothing),
    cmocka_unit_test(forms_for_people_become_canonical),
    cmocka_unit_test(syntax_errors_have_line_and_column),
    cmocka_unit_test(a_zero_byte_is_found_anywhere),
    cmocka_unit_test(deep_nesting_is_an_error_and_no_crash),
    cmocka_unit_test(parameters_of_assemblies_are_tables_by_name),
    cmocka_unit_test(a_text_that_is_no_model_of_version_1_gives_no_scene),
    cmocka_unit_test(model_errors_have_the_path_of_the_element),
    cmocka_unit_test(all_errors_show_in_one_go_and_the_rest_is_there),
    cmocka_unit_test(settings_are_refused),
    cmocka_unit_test(the_size_of_a_model_is_limited),
    cmocka_unit_test(misuse_is_refused),
    cmocka_unit_test(what_json_cannot_hold_is_reported_and_nothing_written),
    cmocka_unit_test(a_mesh_from_memory_cannot_be_written),
    cmocka_unit_test(running_out_of_memory_is_clean),
    cmocka_unit_test(every_allocation_of_jansson_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
