// What the documents show runs: every Lua block, every C block, every example; and the generated pages are up to date.
#include "carom/carom.h"
#include "carom/io.h"
#include "support/log.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* readText(const char* path)
{
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    print_error("cannot open %s\n", path);
    fail();
  }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char* text = malloc((size_t)size + 1);
  assert_int_equal(fread(text, 1, (size_t)size, file), size);
  text[size] = '\0';
  fclose(file);
  return text;
}

// Reads and compiles; no error and no warning may come of it.
static void assertRuns(crStatus status, crScene* scene, crErrorLog* log)
{
  crErrorSink sink = crErrorLog_GetSink(log);
  crModel* model = NULL;
  assert_no_messages(log);
  assert_int_equal(status, cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, &sink, &model), cr_ok);
  assert_no_messages(log);
  crDestroyModel(model);
  crDestroyScene(scene);
}

// Runs every ```lua block of a page and returns their number.
static int runBlocks(const char* page)
{
  static const char start[] = "```lua\n";
  char path[1024], name[1100];
  snprintf(path, sizeof path, "%s/%s", CAROM_ROOT, page);
  char* text = readText(path);
  int count = 0;
  for (const char* block = strstr(text, start); block != NULL; block = strstr(block, start)) {
    block += strlen(start);
    const char* end = strstr(block, "```");
    assert_non_null(end);
    snprintf(name, sizeof name, "%s block %d", page, ++count);
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crScene* scene = NULL;
    crStatus status = crReadLua(block, (size_t)(end - block), name, CAROM_ROOT "/examples", NULL, NULL, &sink, &scene);
    assertRuns(status, scene, log);
    crDestroyErrorLog(log);
    block = end;
  }
  free(text);
  return count;
}

static void lua_blocks_of_the_documents_run(void** state)
{
  (void)state;
  assert_int_equal(runBlocks("README.md"), 1);
  assert_true(runBlocks("docs/modelling.md") >= 8);
  assert_int_equal(runBlocks("docs/robots.md"), 3);
}

static void examples_read_and_compile_without_a_warning(void** state)
{
  (void)state;
  DIR* folder = opendir(CAROM_ROOT "/examples");
  assert_non_null(folder);
  int count = 0;
  for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    size_t size = strlen(entry->d_name);
    if (size < 4 || strcmp(entry->d_name + size - 4, ".lua") != 0) {
      continue;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/%s", CAROM_ROOT, entry->d_name);
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crScene* scene = NULL;
    crStatus status = crReadModel(path, NULL, NULL, &sink, &scene);
    assertRuns(status, scene, log);
    crDestroyErrorLog(log);
    ++count;
  }
  closedir(folder);
  assert_true(count >= 5);
}

// ------------------------------------------------------------------------------------------ C blocks

// The programs of examples/c, which are built and run by tests of their own, one after the other.
static char* readPrograms(void)
{
  static const char* const names[] = { "pendulum.c",   "run_model.c", "embedding.c",
                                       "four_cubes.c", "control.c",   "branch.c" };
  char* all = calloc(1, 1);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/c/%s", CAROM_ROOT, names[i]);
    char* text = readText(path);
    all = realloc(all, strlen(all) + strlen(text) + 1);
    strcat(all, text);
    free(text);
  }
  return all;
}

static void c_blocks_of_the_documents_are_text_of_the_examples(void** state)
{
  (void)state;
  static const char start[] = "```c\n";
  char *page = readText(CAROM_ROOT "/docs/library.md"), *programs = readPrograms();
  char* pendulum = readText(CAROM_ROOT "/examples/c/pendulum.c");
  assert_non_null(strstr(page, pendulum)); // the whole program
  int count = 0;
  for (char* block = strstr(page, start); block != NULL; block = strstr(block, start), ++count) {
    block += strlen(start);
    char* end = strstr(block, "```");
    assert_non_null(end);
    *end = '\0';
    if (strstr(programs, block) == NULL) {
      print_error("docs/library.md shows what is in no file of examples/c:\n%s\n", block);
      fail();
    }
    block = end + 1;
  }
  assert_true(count >= 5);
  free(page);
  free(programs);
  free(pendulum);
}

static void the_first_c_program_has_at_most_30_lines(void** state)
{
  (void)state;
  char* text = readText(CAROM_ROOT "/examples/c/pendulum.c");
  int lines = 0;
  for (const char* c = text; *c != '\0'; ++c) {
    lines += *c == '\n';
  }
  assert_true(lines <= 30);
  free(text);
}

// ----------------------------------------------------------------------------------- generated pages

// Timings differ from machine to machine, so the text cannot be compared: every solver and the examples are there.
static void tables_of_work_and_precision_hold_every_solver(void** state)
{
  (void)state;
  char* text = readText(CAROM_ROOT "/docs/numerics_tables.md");
  for (int i = cr_solverIda; i < cr_solverKindCount; ++i) {
    char row[64];
    snprintf(row, sizeof row, "\n| %s | 1e-06 | ", crGetSolverInfo((crSolverKind)i)->name);
    if (strstr(text, row) == NULL) {
      print_error("docs/numerics_tables.md has no rows for %s: run make numerics\n",
                  crGetSolverInfo((crSolverKind)i)->name);
      fail();
    }
  }
  assert_non_null(strstr(text, "\n| auto: "));
  assert_non_null(strstr(text, "## mobile.lua\n"));
  free(text);
}

// The header is the one place of the version; who cites Carom and who reads what changed finds the same one.
static void the_version_is_the_same_everywhere(void** state)
{
  (void)state;
  char version[64], line[80];
  snprintf(version, sizeof version, "%d.%d.%d", CAROM_VERSION_MAJOR, CAROM_VERSION_MINOR, CAROM_VERSION_PATCH);
  assert_string_equal(version, CAROM_VERSION);
  assert_string_equal(version, crGetVersion());
  char* citation = readText(CAROM_ROOT "/CITATION.cff");
  snprintf(line, sizeof line, "\nversion: %s\n", version);
  assert_non_null(strstr(citation, line));
  free(citation);
  char* changes = readText(CAROM_ROOT "/CHANGELOG.md");
  const char* newest = strstr(changes, "\n## ");
  assert_non_null(newest);
  snprintf(line, sizeof line, "\n## %s ", version);
  assert_memory_equal(newest, line, strlen(line));
  free(changes);
}

typedef struct Collected {
  char* text;
  size_t size;
} Collected;

static void collect(void* context, const char* text, size_t size)
{
  Collected* collected = context;
  collected->text = realloc(collected->text, collected->size + size + 1);
  memcpy(collected->text + collected->size, text, size);
  collected->size += size;
  collected->text[collected->size] = '\0';
}

static void assertPageIs(const char* page, const char* text)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", CAROM_ROOT, page);
  char* committed = readText(path);
  if (strcmp(committed, text) != 0) {
    print_error("%s is out of date: run make docs\n", page);
    fail();
  }
  free(committed);
}

static void generated_pages_are_up_to_date(void** state)
{
  (void)state;
  Collected schema = { NULL, 0 }, reference = { NULL, 0 }, annotations = { NULL, 0 };
  assert_int_equal(crWriteJsonSchema(NULL, (crTextWriter){ collect, &schema }), cr_ok);
  assert_int_equal(crWriteReference((crTextWriter){ collect, &reference }), cr_ok);
  assert_int_equal(crWriteLuaAnnotations((crTextWriter){ collect, &annotations }), cr_ok);
  assertPageIs("docs/carom.d.lua", annotations.text);
  free(annotations.text);
  assertPageIs("docs/model.schema.json", schema.text);
  assertPageIs("docs/reference.md", reference.text);
  free(schema.text);
  free(reference.text);
}

// Every function that models have and Lua does not.
static void annotations_name_every_constructor(void** state)
{
  (void)state;
  static const char model[] = "for name, value in pairs(_G) do if type(value) == 'function' then print(name) end end\n";
  static const char lua[] = " assert error getmetatable ipairs next pairs print rawequal rawget rawlen rawset select "
                            "setmetatable tonumber tostring type ";
  Collected annotations = { NULL, 0 };
  assert_int_equal(crWriteLuaAnnotations((crTextWriter){ collect, &annotations }), cr_ok);
  assert_int_equal(crWriteLuaAnnotations((crTextWriter){ 0 }), cr_errorMisuse);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  crReadLua(model, sizeof model - 1, "globals", NULL, NULL, NULL, &sink, &scene);
  int count = 0;
  for (int i = 0; i < crErrorLog_Count(log); ++i) {
    const char* name = crErrorLog_Get(log, i)->message;
    char function[256], word[256];
    snprintf(function, sizeof function, "\nfunction %s(", name);
    snprintf(word, sizeof word, " %s ", name);
    if (strstr(lua, word) == NULL && strstr(annotations.text, function) == NULL) {
      fail_msg("carom schema --lua has no %s", name);
    }
    count += strstr(lua, word) == NULL;
  }
  assert_true(count > 50);
  crDestroyScene(scene);
  assert_true(crReadLua(annotations.text, annotations.size, "annotations", NULL, NULL, NULL, NULL, &scene) !=
              cr_errorSyntax); // it is Lua
  free(annotations.text);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(lua_blocks_of_the_documents_run),
    cmocka_unit_test(examples_read_and_compile_without_a_warning),
    cmocka_unit_test(c_blocks_of_the_documents_are_text_of_the_examples),
    cmocka_unit_test(the_first_c_program_has_at_most_30_lines),
    cmocka_unit_test(tables_of_work_and_precision_hold_every_solver),
    cmocka_unit_test(the_version_is_the_same_everywhere),
    cmocka_unit_test(generated_pages_are_up_to_date),
    cmocka_unit_test(annotations_name_every_constructor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
