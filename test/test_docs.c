// What the documents show runs: every Lua block, every example, and the generated pages are up to date.
#include "carom/carom.h"
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
  crErrorSink sink = crErrorLog_Sink(log);
  crModel* model = NULL;
  assert_no_messages(log);
  assert_int_equal(status, cr_ok);
  assert_int_equal(crCompile(scene, NULL, &sink, &model), cr_ok);
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
    crErrorSink sink = crErrorLog_Sink(log);
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
    crErrorSink sink = crErrorLog_Sink(log);
    crScene* scene = NULL;
    crStatus status = crReadModel(path, NULL, NULL, &sink, &scene);
    assertRuns(status, scene, log);
    crDestroyErrorLog(log);
    ++count;
  }
  closedir(folder);
  assert_true(count >= 5);
}

// ----------------------------------------------------------------------------------- generated pages

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
  Collected schema = { NULL, 0 }, reference = { NULL, 0 };
  assert_int_equal(crWriteJsonSchema(NULL, (crTextWriter){ collect, &schema }), cr_ok);
  assert_int_equal(crWriteReference((crTextWriter){ collect, &reference }), cr_ok);
  assertPageIs("docs/model.schema.json", schema.text);
  assertPageIs("docs/reference.md", reference.text);
  free(schema.text);
  free(reference.text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(lua_blocks_of_the_documents_run),
    cmocka_unit_test(examples_read_and_compile_without_a_warning),
    cmocka_unit_test(generated_pages_are_up_to_date),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
