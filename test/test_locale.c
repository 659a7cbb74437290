// A host in whose locale 1.5 is written 1,5: whatever is read, simulated and written is the same.
#include "carom/carom.h"
#include "carom/show.h"
#include "support/datasets.h"
#include "support/folder.h"
#include "support/test.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL CAROM_ROOT "/examples/inverted_pendulum.lua" // it has functions and parameters

static const char* const names[] = { "model.json", "all.csv", "one.png", "all.glb", "text" };
#define NAME_COUNT ((int)(sizeof names / sizeof *names))

typedef struct Text {
  char* bytes;
  size_t size;
} Text;

static void writePlot(void* context, const char* text, size_t size)
{
  assert_int_equal(fwrite(text, 1, size, context), size);
}

// Everything that a run gives, but for what tells how long it took.
static void writeAll(const char* run)
{
  char folder[64], file[64];
  snprintf(folder, sizeof folder, "%s.run", run);
  snprintf(file, sizeof file, "%s.run/result.h5", run);
  static const crSetting settings[] = { { .name = "angle", .value = "0.125" } };
  static const int columns[] = { 1 };
  crRunDef def = crDefaultRunDef(MODEL);
  crReadOptions options = crDefaultReadOptions();
  crScene* scene = NULL;
  crResult* result = NULL;
  options.settings = def.settings = settings;
  options.settingCount = def.settingCount = 1;
  def.folder = crTestPath(folder);
  assert_int_equal(crReadModel(MODEL, &options, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crWriteJsonFile(scene, crTestPath("model.json"), NULL, NULL, NULL), cr_ok);
  crDestroyScene(scene);
  assert_int_equal(crRunModel(&def, NULL, NULL, NULL), cr_ok);
  assert_int_equal(crReadResult(crTestPath(file), NULL, NULL, &result), cr_ok);
  assert_int_equal(crWriteCsv(result, crTestPath("all.csv"), NULL, NULL), cr_ok);
  assert_int_equal(crPlotResult(result, columns, 1, NULL, crTestPath("one.png"), NULL, NULL), cr_ok);
  assert_int_equal(crWriteGlb(result, crTestPath("all.glb"), NULL, NULL), cr_ok);
  FILE* text = fopen(crTestPath("text"), "w");
  assert_non_null(text);
  assert_int_equal(crPlotText(result, columns, 1, NULL, NULL, NULL, (crTextWriter){ writePlot, text }), cr_ok);
  assert_int_equal(fclose(text), 0);
  crDestroyResult(result);
}

static void a_decimal_comma_of_the_host_changes_no_byte(void** state)
{
  (void)state;
  Text plain[NAME_COUNT];
  writeAll("plain");
  for (int i = 0; i < NAME_COUNT; ++i) {
    plain[i].bytes = crReadTestFile(crTestPath(names[i]), &plain[i].size);
  }
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
    skip(); // a machine without localedef
  }
  assert_string_equal(localeconv()->decimal_point, ",");
  writeAll("german");
  char* report = crReadTestFile(crTestPath("german.run/report.html"), NULL);
  setlocale(LC_ALL, "C");
  int differing = 0;
  for (int i = 0; i < NAME_COUNT; ++i) {
    Text other;
    other.bytes = crReadTestFile(crTestPath(names[i]), &other.size);
    bool isSame = other.size == plain[i].size && memcmp(other.bytes, plain[i].bytes, other.size) == 0;
    if (!isSame) {
      print_error("%s differs\n", names[i]);
      differing += 1;
    }
    free(other.bytes);
    free(plain[i].bytes);
  }
  assert_int_equal(differing, 0);
  crAssertSameDatasets(crTestPath("plain.run/result.h5"), crTestPath("german.run/result.h5"));
  assert_non_null(strstr(report, "\"angle\""));
  assert_null(strstr(report, "0,125")); // the parameter as it was set
  free(report);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_decimal_comma_of_the_host_changes_no_byte),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
