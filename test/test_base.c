// Memory, maps, messages and text.
#include "base/map.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/sha256.h"
#include "base/text.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void arena_memory_is_aligned_and_does_not_overlap(void** state)
{
  (void)state;
  crArena arena;
  crArena_Init(&arena, NULL);
  unsigned char* blocks[500];
  for (int i = 0; i < 500; ++i) {
    blocks[i] = crArena_Allocate(&arena, (size_t)i * 37 + 1);
    assert_non_null(blocks[i]);
    assert_int_equal((uintptr_t)blocks[i] % 16, 0);
    memset(blocks[i], i & 255, (size_t)i * 37 + 1);
  }
  for (int i = 0; i < 500; ++i) {
    for (int k = 0; k < i * 37 + 1; ++k) {
      assert_int_equal(blocks[i][k], i & 255);
    }
  }
  assert_null(crArena_Allocate(&arena, SIZE_MAX));
  assert_null(crArena_AllocateZero(&arena, SIZE_MAX / 2, 16));
  crArena_Free(&arena);
}

static void map_finds_what_was_set(void** state)
{
  (void)state;
  crMap map;
  crMap_Init(&map, NULL);
  static char keys[5000][16];
  for (int i = 0; i < 5000; ++i) {
    snprintf(keys[i], sizeof keys[i], "key%d", i);
    assert_true(crMap_SetString(&map, keys[i], i));
  }
  assert_int_equal(map.count, 5000);
  for (int i = 0; i < 5000; ++i) {
    assert_int_equal(crMap_FindString(&map, keys[i]), i);
  }
  assert_int_equal(crMap_FindString(&map, "key5000"), -1);
  assert_int_equal(crMap_FindString(&map, ""), -1);
  assert_true(crMap_SetString(&map, keys[7], 12));
  assert_int_equal(crMap_FindString(&map, keys[7]), 12);
  assert_int_equal(map.count, 5000);
  crMap_Free(&map);
}

static void map_forgets_what_is_removed_and_nothing_else(void** state)
{
  (void)state;
  enum { count = 500 };
  static char keys[count][8];
  crMap map;
  crMap_Init(&map, NULL);
  for (int i = 0; i < count; ++i) {
    snprintf(keys[i], sizeof keys[i], "k%d", i);
    assert_true(crMap_SetString(&map, keys[i], i));
  }
  crMap_RemoveString(&map, "nobody");
  for (int removed = 0; removed < count; removed += 3) {
    crMap_RemoveString(&map, keys[removed]);
    for (int i = 0; i < count; ++i) {
      assert_int_equal(crMap_FindString(&map, keys[i]), i % 3 == 0 && i <= removed ? -1 : i);
    }
  }
  assert_int_equal(map.count, count - (count + 2) / 3);
  crMap_CloseGap(&map, 100);
  assert_int_equal(crMap_FindString(&map, keys[100]), 100);
  assert_int_equal(crMap_FindString(&map, keys[101]), 100);
  crMap_Free(&map);
  crMap_Init(&map, NULL);
  crMap_RemoveString(&map, "nobody");
  crMap_Free(&map);
}

static void hash_is_the_same_on_every_machine(void** state)
{
  (void)state;
  // splitmix64 finalizer, evaluated by hand-independent arithmetic in Python
  assert_true(crHashBytes("", 0) == crHashMix(0, 0));
  assert_true(crHashBytes("a", 1) == crHashMix(1, 0x61));
  assert_true(crHashBytes("abcdefgh", 8) == crHashMix(crHashMix(8, UINT64_C(0x6867666564636261)), 0));
  assert_true(crHashMix(0, 0) == UINT64_C(0xe220a8397b1dcdaf)); // first output of splitmix64 from seed 0
}

static void message_has_address_value_and_hint(void** state)
{
  (void)state;
  crError error = { cr_severityError,
                    cr_errorModel,
                    { "model.lua", 12, 0 },
                    "robot.arm",
                    "mass must be positive",
                    "-1",
                    "> 0",
                    "kg",
                    "omit it to use the density" };
  char text[256];
  int length = crError_Format(&error, text, sizeof text);
  assert_string_equal(text, "model.lua:12: error: robot.arm: mass must be positive\n"
                            "  found -1 kg, allowed: > 0 kg\n"
                            "  hint: omit it to use the density");
  assert_int_equal(length, strlen(text));
  char small[10];
  assert_int_equal(crError_Format(&error, small, sizeof small), length);
  assert_string_equal(small, "model.lua");
}

static void log_collects_all_messages(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crReporter outer = crMakeReporter(&sink, (crSource){ "a.lua", 3, 0 }, "x.y");
  crErrorSink addressed = crReporter_Sink(&outer);
  crReporter inner = crMakeReporter(&addressed, (crSource){ 0 }, NULL);
  crReportNumber(&inner, "too small", -2.5, ">= 0", "m", NULL);
  crReportWarning(&inner, "odd: %s", "thing");
  assert_int_equal(crErrorLog_Count(log), 2);
  assert_int_equal(crErrorLog_CountOf(log, cr_severityError), 1);
  assert_int_equal(outer.errorCount, 1);
  assert_int_equal(outer.warningCount, 1);
  const crError* first = crErrorLog_Get(log, 0);
  assert_string_equal(first->path, "x.y");
  assert_string_equal(first->source.file, "a.lua");
  assert_string_equal(first->found, "-2.5");
  assert_string_equal(crErrorLog_Get(log, 1)->message, "odd: thing");
  assert_null(crErrorLog_Get(log, 2));
  crDestroyErrorLog(log);
}

// A symptom once: ten thousand notes hid the one error.
static void notes_do_not_crowd_out_errors(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crError note = { .severity = cr_severityNote, .message = "note" };
  for (int i = 0; i < 10010; ++i) {
    sink.report(sink.context, &note);
  }
  crReporter reporter = crMakeReporter(&sink, (crSource){ 0 }, NULL);
  crReportError(&reporter, "the error");
  assert_int_equal(crErrorLog_Count(log), 10001);
  assert_int_equal(crErrorLog_CountOf(log, cr_severityNote), 10010);
  assert_string_equal(crErrorLog_Get(log, 10000)->message, "the error");
  crDestroyErrorLog(log);
}

static void hostile_characters_are_replaced(void** state)
{
  (void)state;
  char text[] = "a\x1b[2J\tb\n\xc2\x9b\xc3\xa4\xe2\x80\xae\xff\xe2\x82\x7f";
  crCleanText(text);
  assert_string_equal(text, "a?[2J\tb\n??\xc3\xa4???????");
  assert_true(crIsCleanText("\xc3\xa4 \xf0\x9f\x8e\xb1"));
  assert_false(crIsCleanText("\xe2\x81\xa6"));
  assert_false(crIsCleanText("\x7f"));
}

static void nearest_name_is_suggested_only_when_near(void** state)
{
  (void)state;
  crNearest nearest = crMakeNearest("dimeter");
  crNearest_Try(&nearest, "radius");
  crNearest_Try(&nearest, "diameter");
  assert_string_equal(nearest.best, "diameter");
  nearest = crMakeNearest("steel");
  crNearest_Try(&nearest, "DryWood");
  assert_null(nearest.best);
  crNearest_Try(&nearest, "Steel");
  assert_string_equal(nearest.best, "Steel");
  nearest = crMakeNearest("amr"); // neighbours that changed places
  crNearest_Try(&nearest, "are");
  assert_null(nearest.best);
  crNearest_Try(&nearest, "arm");
  assert_string_equal(nearest.best, "arm");
}

static void utf8_is_recognized(void** state)
{
  (void)state;
  const char* good[] = {
    "", "abc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x8e\xb1", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"
  };
  const char* bad[] = { "\x80",
                        "\xc0\x80",
                        "\xc1\xbf",
                        "\xc3",
                        "\xe0\x80\x80",
                        "\xed\xa0\x80",
                        "\xf0\x80\x80\x80",
                        "\xf4\x90\x80\x80",
                        "\xf5\x80\x80\x80",
                        "\xff",
                        "a\xe2\x82" };
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    assert_true(crIsUtf8(good[i], strlen(good[i])));
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_false(crIsUtf8(bad[i], strlen(bad[i])));
  }
}

static void numbers_read_back_as_the_same_bits(void** state)
{
  (void)state;
  char text[CR_NUMBER_SIZE];
  crFormatNumber(0.1, text);
  assert_string_equal(text, "0.1");
  crFormatNumber(-0.0, text);
  assert_string_equal(text, "-0");
  uint64_t bits = 88172645463325252u;
  for (int i = 0; i < 100000; ++i) {
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value)) {
      crFormatNumber(value, text);
      assert_true(strtod(text, NULL) == value);
    }
  }
}

static void hashBytes(const void* bytes, size_t size, char outText[CR_SHA256_TEXT])
{
  crSha256 hash;
  crSha256_Init(&hash);
  crSha256_Add(&hash, bytes, size);
  crSha256_Finish(&hash, outText);
}

// The examples of FIPS 180-4, and all lengths up to 199 together, whose hash is by Python's hashlib.
static void sha256_is_that_of_the_standard(void** state)
{
  (void)state;
  char text[CR_SHA256_TEXT], row[100];
  hashBytes("", 0, text);
  assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  hashBytes("abc", 3, text);
  assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  crSha256 hash;
  crSha256_Init(&hash);
  memset(row, 'a', sizeof row);
  for (int i = 0; i < 10000; ++i) {
    crSha256_Add(&hash, row, sizeof row);
  }
  crSha256_Finish(&hash, text);
  assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  crSha256_Init(&hash);
  for (int n = 0; n < 200; ++n) {
    unsigned char bytes[200];
    for (int k = 0; k < n; ++k) {
      bytes[k] = (unsigned char)((n * 7 + k) % 251);
    }
    hashBytes(bytes, (size_t)n, text);
    crSha256_Add(&hash, text, CR_SHA256_TEXT - 1);
  }
  crSha256_Finish(&hash, text);
  assert_string_equal(text, "e781b42cef32cf6b7df755b17505d6394bbfab5a10033d567a4e23eaa7837a30");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arena_memory_is_aligned_and_does_not_overlap),
    cmocka_unit_test(map_finds_what_was_set),
    cmocka_unit_test(map_forgets_what_is_removed_and_nothing_else),
    cmocka_unit_test(hash_is_the_same_on_every_machine),
    cmocka_unit_test(message_has_address_value_and_hint),
    cmocka_unit_test(log_collects_all_messages),
    cmocka_unit_test(notes_do_not_crowd_out_errors),
    cmocka_unit_test(hostile_characters_are_replaced),
    cmocka_unit_test(nearest_name_is_suggested_only_when_near),
    cmocka_unit_test(utf8_is_recognized),
    cmocka_unit_test(numbers_read_back_as_the_same_bits),
    cmocka_unit_test(sha256_is_that_of_the_standard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
