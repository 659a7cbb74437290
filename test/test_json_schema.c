// The JSON schema: it is in docs/ as it is generated, it takes what the writer writes, and it refuses what the reader
// refuses. The validator below knows just the keywords that the schema uses, and fails on any other.
#include "support/record_scenes.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* schemaText;
static json_t* schema;

static int readSchema(void** state)
{
  (void)state;
  crTestText text = { 0 };
  json_error_t error;
  crStatus status = crWriteJsonSchema(NULL, crTestText_Writer(&text));
  schemaText = text.bytes;
  schema = json_loads(schemaText, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
  return status == cr_ok && schema != NULL ? 0 : -1;
}

static int freeSchema(void** state)
{
  (void)state;
  json_decref(schema);
  free(schemaText);
  return 0;
}

// ---------------------------------------------------------------------------------------- validator

static bool isValid(const json_t* rule, const json_t* value);

static const json_t* resolve(const char* ref)
{
  static const char prefix[] = "#/$defs/";
  assert_memory_equal(ref, prefix, strlen(prefix));
  const json_t* found = json_object_get(json_object_get(schema, "$defs"), ref + strlen(prefix));
  assert_non_null(found);
  return found;
}

static bool failUnknown(const char* word)
{
  fail_msg("the test does not know '%s'", word);
  return false;
}

static bool isOfType(const char* type, const json_t* value)
{
  if (strcmp(type, "integer") == 0) {
    return json_is_number(value) && json_number_value(value) == floor(json_number_value(value));
  }
  return strcmp(type, "object") == 0    ? json_is_object(value)
         : strcmp(type, "array") == 0   ? json_is_array(value)
         : strcmp(type, "string") == 0  ? json_is_string(value)
         : strcmp(type, "boolean") == 0 ? json_is_boolean(value)
         : strcmp(type, "number") == 0  ? json_is_number(value)
                                        : failUnknown(type);
}

static bool hasType(const json_t* types, const json_t* value)
{
  if (json_is_string(types)) {
    return isOfType(json_string_value(types), value);
  }
  for (size_t i = 0; i < json_array_size(types); ++i) {
    if (isOfType(json_string_value(json_array_get(types, i)), value)) {
      return true;
    }
  }
  return false;
}

// How many of the rules the value obeys.
static size_t countValid(const json_t* rules, const json_t* value)
{
  size_t count = 0;
  for (size_t i = 0; i < json_array_size(rules); ++i) {
    count += isValid(json_array_get(rules, i), value);
  }
  return count;
}

static bool areItemsValid(const json_t* rule, const json_t* value)
{
  for (size_t i = 0; i < json_array_size(value); ++i) { // 0 for what is no array
    if (!isValid(rule, json_array_get(value, i))) {
      return false;
    }
  }
  return true;
}

static bool areMembersValid(const json_t* rules, const json_t* value)
{
  const char* key;
  json_t* member;
  json_object_foreach((json_t*)value, key, member)
  { // none for what is no object
    const json_t* rule = json_object_get(rules, key);
    if (rule != NULL && !isValid(rule, member)) {
      return false;
    }
  }
  return true;
}

// Members that no property describes.
static bool areOthersValid(const json_t* rule, const json_t* properties, const json_t* value)
{
  const char* key;
  json_t* member;
  json_object_foreach((json_t*)value, key, member)
  {
    bool isOther = json_object_get(properties, key) == NULL;
    if (isOther && (json_is_false(rule) || !isValid(rule, member))) {
      return false;
    }
  }
  return true;
}

static bool hasAll(const json_t* names, const json_t* value)
{
  for (size_t i = 0; json_is_object(value) && i < json_array_size(names); ++i) {
    if (json_object_get(value, json_string_value(json_array_get(names, i))) == NULL) {
      return false;
    }
  }
  return true;
}

static bool isAmong(const json_t* values, const json_t* value)
{
  for (size_t i = 0; i < json_array_size(values); ++i) {
    if (json_equal(json_array_get(values, i), value)) {
      return true;
    }
  }
  return false;
}

static bool obeys(const json_t* rule, const char* keyword, const json_t* argument, const json_t* value)
{
  static const char* const remarks[] = { "description", "title", "$schema", "$defs" };
  double number = json_number_value(argument);
  for (size_t i = 0; i < sizeof remarks / sizeof *remarks; ++i) {
    if (strcmp(keyword, remarks[i]) == 0) {
      return true;
    }
  }
  return strcmp(keyword, "$ref") == 0         ? isValid(resolve(json_string_value(argument)), value)
         : strcmp(keyword, "type") == 0       ? hasType(argument, value)
         : strcmp(keyword, "const") == 0      ? json_equal(argument, value)
         : strcmp(keyword, "enum") == 0       ? isAmong(argument, value)
         : strcmp(keyword, "minimum") == 0    ? !json_is_number(value) || json_number_value(value) >= number
         : strcmp(keyword, "maximum") == 0    ? !json_is_number(value) || json_number_value(value) <= number
         : strcmp(keyword, "minItems") == 0   ? !json_is_array(value) || (double)json_array_size(value) >= number
         : strcmp(keyword, "maxItems") == 0   ? !json_is_array(value) || (double)json_array_size(value) <= number
         : strcmp(keyword, "items") == 0      ? areItemsValid(argument, value)
         : strcmp(keyword, "properties") == 0 ? areMembersValid(argument, value)
         : strcmp(keyword, "required") == 0   ? hasAll(argument, value)
         : strcmp(keyword, "oneOf") == 0      ? countValid(argument, value) == 1
         : strcmp(keyword, "allOf") == 0      ? countValid(argument, value) == json_array_size(argument)
         : strcmp(keyword, "not") == 0        ? !isValid(argument, value)
         : strcmp(keyword, "additionalProperties") == 0
             ? areOthersValid(argument, json_object_get(rule, "properties"), value)
             : failUnknown(keyword);
}

static bool isValid(const json_t* rule, const json_t* value)
{
  const char* keyword;
  json_t* argument;
  json_object_foreach((json_t*)rule, keyword, argument)
  {
    if (!obeys(rule, keyword, argument, value)) {
      return false;
    }
  }
  return true;
}

static bool isValidText(const char* text)
{
  json_error_t error;
  json_t* value = json_loads(text, JSON_DECODE_INT_AS_REAL, &error);
  assert_non_null(value);
  bool result = isValid(schema, value);
  json_decref(value);
  return result;
}

static bool isReadable(const char* text)
{
  crScene* scene = NULL;
  crReadOptions options = { .size = sizeof options, .allowedPath = CAROM_ROOT "/test/data" };
  crStatus status = crReadJson(text, strlen(text), "m.json", NULL, &options, NULL, NULL, &scene);
  crDestroyScene(scene);
  return status == cr_ok;
}

// -------------------------------------------------------------------------------------------- tests

static void the_schema_in_docs_is_the_generated_one(void** state)
{
  (void)state;
  FILE* file = fopen(CAROM_ROOT "/docs/model.schema.json", "rb");
  assert_non_null(file);
  char* text = calloc(1, 1 << 20);
  size_t size = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  assert_int_equal(size, strlen(schemaText)); // else: carom schema > docs/model.schema.json
  assert_string_equal(text, schemaText);
  free(text);
}

static void every_model_that_is_written_obeys_the_schema(void** state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 11; ++seed) {
    crRandom random = crMakeRandom(seed);
    crScene* scene = NULL;
    assert_int_equal(crCreateScene(NULL, NULL, &scene), cr_ok);
    crFillTestScene(scene, &random, 2, 0.1 * (double)seed, CAROM_ROOT "/test/data/tetrahedron.stl");
    crTestText text = crWriteTestText(scene);
    assert_true(isValidText(text.bytes));
    crTestText_Free(&text);
    crDestroyScene(scene);
  }
}

// Takes one member away, or adds one, somewhere in the model: reader and schema must agree on what is left.
static bool changeOne(json_t* value, int* countdown)
{
  size_t i;
  const char* key;
  json_t* member;
  void* next;
  json_object_foreach_safe(value, next, key, member)
  {
    if ((*countdown)-- == 0) {
      json_object_del(value, key);
      return true;
    }
    if (changeOne(member, countdown)) {
      return true;
    }
  }
  if (json_is_object(value) && (*countdown)-- == 0) {
    json_object_set_new(value, "tyqe", json_real(1.5));
    return true;
  }
  json_array_foreach(value, i, member)
  {
    if (changeOne(member, countdown)) {
      return true;
    }
  }
  return false;
}

static int countText(const char* text, const char* part)
{
  int count = 0;
  for (const char* at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
    ++count;
  }
  return count;
}

static void reader_and_schema_agree_on_missing_and_unknown_members(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  crScene* scene = NULL;
  assert_int_equal(crCreateScene(NULL, NULL, &scene), cr_ok);
  crFillTestScene(scene, &random, 1, 1.0, CAROM_ROOT "/test/data/tetrahedron.stl");
  crTestText text = crWriteTestText(scene);
  crDestroyScene(scene);
  json_error_t error;
  json_t* model = json_loads(text.bytes, JSON_DECODE_INT_AS_REAL, &error);
  int changeCount = 0, refusedCount = 0;
  // without "mobility" the object is not free, and its velocities become a fault that no schema can tell; so do a stop
  // or a backlash without its stiffness, a gear pair without its ratio or what its teeth need, a cable that misses
  // half of a pair of fields, an error of pieces that are not made, or of a shape that is not hollow, and a ground
  // without heights
  static const char* const needed[] = { "\"stopStiffness\"", "\"stiffness\"", "\"ratio\"",  "\"drum\"",
                                        "\"drumRadius\"",    "\"through\"",   "\"teethA\"", "\"teethB\"",
                                        "\"module\"",        "\"faceWidth\"", "\"pieces\"", "\"heights\"",
                                        "\"hollow\"" };
  for (bool isChanged = true; isChanged; ++changeCount) {
    json_t* copy = json_deep_copy(model);
    int countdown = changeCount;
    isChanged = changeOne(copy, &countdown);
    char* changed = json_dumps(copy, JSON_REAL_PRECISION(17));
    bool isFree = strstr(changed, "\"free\"") != NULL, hasAll = true;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
      hasAll = hasAll && countText(changed, needed[i]) == countText(text.bytes, needed[i]);
    }
    bool isTaken = isReadable(changed);
    assert_true(isTaken == isValidText(changed) || !isFree || !hasAll);
    refusedCount += !isTaken;
    free(changed);
    json_decref(copy);
  }
  assert_true(changeCount > 300);
  assert_true(refusedCount > 100);
  json_decref(model);
  crTestText_Free(&text);
}

#define SHAPE(fields)                                                                                                  \
  "{\"carom\": 1, \"objects\": [{\"name\": \"a\", \"features\": [{\"type\": \"visual\", \"shape\": {" fields "}}]}]}"
#define OBJECT(fields) "{\"carom\": 1, \"objects\": [{\"name\": \"a\", " fields "}]}"

static void reader_and_schema_agree_on_all_forms(void** state)
{
  (void)state;
  static const struct {
    const char* text;
    bool isGood;
  } cases[] = {
    { "{\"carom\": 1}", true },
    { "{\"carom\": 2}", false },
    { "{}", false },
    { "[]", false },
    { "{\"carom\": 1, \"objects\": {}}", false },
    { SHAPE("\"type\": \"sphere\", \"radius\": 1"), true },
    { SHAPE("\"type\": \"sphere\", \"diameter\": 1"), true },
    { SHAPE("\"type\": \"sphere\", \"diameter\": 1, \"radius\": 1"), false },
    { SHAPE("\"type\": \"sphere\""), false },
    { SHAPE("\"type\": \"ball\", \"radius\": 1"), false },
    { SHAPE("\"type\": \"cylinder\", \"radius\": 1, \"length\": 1, \"boreDiameter\": 0.1"), true },
    { SHAPE("\"type\": \"cylinder\", \"radius\": 1, \"length\": 1, \"boreDiameter\": 0.1, \"boreRadius\": 0.1"),
      false },
    { SHAPE("\"type\": \"box\", \"size\": [1, 1, 1], \"axis\": \"-y\""), true },
    { SHAPE("\"type\": \"box\", \"size\": [1, 1, 1], \"axis\": \"w\""), false },
    { SHAPE("\"type\": \"box\", \"size\": [1, 1]"), false },
    { SHAPE("\"type\": \"gearWheel\", \"radius\": 1, \"length\": 1, \"teeth\": 3.5"), false },
    { OBJECT("\"rotation\": [0, 0, 1]"), true },
    { OBJECT("\"rotation\": [1, 0, 0, 0]"), true },
    { OBJECT("\"rotation\": {\"axis\": \"z\", \"angle\": 1}"), true },
    { OBJECT("\"rotation\": {\"axis\": [0, 0, 1], \"angle\": 1}"), true },
    { OBJECT("\"rotation\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]"), true },
    { OBJECT("\"rotation\": {\"angle\": 1}"), false },
    { OBJECT("\"rotation\": [1, 2, 3, 4, 5]"), false },
    { OBJECT("\"mobility\": \"loose\""), false },
    { OBJECT("\"canCollide\": 1"), false },
    { OBJECT("\"features\": [{\"type\": \"mass\", \"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}]"),
      true },
    { OBJECT("\"features\": [{\"type\": \"mass\", \"mass\": 1, \"inertia\": [1, 1, 1, 0]}]"), false },
    { OBJECT("\"features\": [{\"type\": \"light\", \"color\": \"#ff0000\"}]"), true },
    { OBJECT("\"features\": [{\"type\": \"light\", \"color\": [1, 0, 0]}]"), true },
    { OBJECT("\"features\": [{\"type\": \"light\", \"color\": [1, 0]}]"), false },
    { "{\"carom\": 1, \"scene\": {\"gravity\": \"none\"}}", true },
    { "{\"carom\": 1, \"scene\": {\"gravity\": \"some\"}}", false },
    { "{\"carom\": 1, \"scene\": {\"gravity\": {\"mu\": 1}}}", true },
    { "{\"carom\": 1, \"scene\": {\"gravity\": {\"mu\": 1, \"x\": 1}}}", false },
    { "{\"carom\": 1, \"assemblies\": [{\"name\": \"a\", \"parameters\": {\"p\": 1, \"q\": \"x\", \"r\": true}}]}",
      true },
    { "{\"carom\": 1, \"assemblies\": [{\"name\": \"a\", \"parameters\": {\"p\": []}}]}", false },
    { "{\"carom\": 1, \"joints\": [{\"type\": \"revolute\", \"name\": \"j\", \"objectA\": \"a\", \"objectB\": \"b\", "
      "\"start\": [1], \"fixed\": [true]}]}",
      true },
    { "{\"carom\": 1, \"joints\": [{\"type\": \"freeMotion\", \"name\": \"j\", \"objectA\": \"a\", \"objectB\": \"b\", "
      "\"fixed\": true}]}",
      true },
    { "{\"carom\": 1, \"joints\": [{\"type\": \"freeMotion\", \"name\": \"j\", \"objectA\": \"a\", \"objectB\": \"b\", "
      "\"start\": 1}]}",
      false },
    { "{\"carom\": 1, \"joints\": [{\"type\": \"fix\", \"name\": \"j\", \"objectA\": \"a\", \"objectB\": \"b\", "
      "\"start\": 1}]}",
      false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (isReadable(cases[i].text) != cases[i].isGood || isValidText(cases[i].text) != cases[i].isGood) {
      fail_msg("%s", cases[i].text);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_schema_in_docs_is_the_generated_one),
    cmocka_unit_test(every_model_that_is_written_obeys_the_schema),
    cmocka_unit_test(reader_and_schema_agree_on_missing_and_unknown_members),
    cmocka_unit_test(reader_and_schema_agree_on_all_forms),
  };
  return cmocka_run_group_tests(tests, readSchema, freeSchema);
}
