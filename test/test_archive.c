// Archives: what is written is read, bit by bit, and nothing else is.
#include "base/archive.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

typedef enum Colour { red, green, blue, colourCount } Colour;

typedef struct Thing {
  double x, list[3];
  int number, count;
  int64_t large;
  bool isGood, flags[2];
  Colour colour;
} Thing;

static void archiveThing(crArchive* archive, Thing* thing)
{
  crArchive_BeginSection(archive, "thing", 3);
  crArchive_Double(archive, &thing->x);
  crArchive_Count(archive, &thing->count, 3, 8);
  crArchive_Doubles(archive, thing->list, (size_t)thing->count);
  crArchive_Int(archive, &thing->number, -5, 5);
  crArchive_Int64(archive, &thing->large, -1);
  crArchive_Bool(archive, &thing->isGood);
  crArchive_Bools(archive, thing->flags, 2);
  crArchive_Enum(archive, &thing->colour, colourCount);
  crArchive_EndSection(archive);
}

static const Thing example = { .x = -0.0,
                               .list = { 1e-310, -HUGE_VAL, 3.5 },
                               .number = -5,
                               .count = 3,
                               .large = INT64_C(1) << 40,
                               .isGood = true,
                               .flags = { false, true },
                               .colour = blue };

static crArchive writeThing(const Thing* thing)
{
  Thing own = *thing;
  crArchive archive;
  crArchive_InitWriter(&archive, NULL);
  archiveThing(&archive, &own);
  assert_int_equal(archive.status, cr_ok);
  return archive;
}

static crStatus readThing(const void* bytes, size_t size, Thing* outThing)
{
  crArchive archive;
  crArchive_InitReader(&archive, bytes, size);
  memset(outThing, 0, sizeof *outThing);
  archiveThing(&archive, outThing);
  crArchive_Finish(&archive);
  return archive.status;
}

static void what_is_written_is_read(void** state)
{
  (void)state;
  crArchive written = writeThing(&example);
  Thing found;
  assert_int_equal(readThing(written.bytes, written.size, &found), cr_ok);
  assert_true(signbit(found.x) && found.x == 0.0);
  assert_memory_equal(found.list, example.list, sizeof found.list);
  assert_true(found.number == -5 && found.count == 3 && found.large == example.large && found.colour == blue);
  assert_true(found.isGood && !found.flags[0] && found.flags[1]);
  crArchive_Free(&written);
}

// Little-endian, of fixed width: the same bytes on every machine.
static void bytes_are_laid_out_as_the_header_says(void** state)
{
  (void)state;
  crArchive written = writeThing(&example);
  const unsigned char* at = written.bytes + CR_ARCHIVE_NAME;
  assert_string_equal((const char*)written.bytes, "thing");
  assert_true(at[0] == 3 && at[1] == 0 && at[4] == 8 + 4 + 24 + 4 + 8 + 1 + 2 + 4); // version, length
  const unsigned char* fields = at + 12;
  assert_true(fields[0] == 0 && fields[7] == 0x80); // -0.0
  assert_true(fields[8] == 3 && fields[11] == 0);   // count
  crArchive_Free(&written);
}

static void numbers_out_of_range_are_refused(void** state)
{
  (void)state;
  Thing found, bad[4] = { example, example, example, example };
  bad[0].number = 6;
  bad[1].large = -2;
  bad[2].colour = colourCount;
  bad[3].number = -6;
  for (int i = 0; i < 4; ++i) {
    crArchive written = writeThing(&bad[i]);
    assert_int_equal(readThing(written.bytes, written.size, &found), cr_errorFile);
    assert_true(found.number >= -5 && found.number <= 5 && found.colour < colourCount);
    crArchive_Free(&written);
  }
}

// A count that the bytes cannot hold is 0: nobody allocates for it.
static void counts_without_bytes_are_refused(void** state)
{
  (void)state;
  crArchive archive;
  int count = 1000000;
  crArchive_InitWriter(&archive, NULL);
  crArchive_BeginSection(&archive, "list", 1);
  crArchive_Int(&archive, &count, 0, INT32_MAX);
  crArchive_EndSection(&archive);
  crArchive reader;
  crArchive_InitReader(&reader, archive.bytes, archive.size);
  crArchive_BeginSection(&reader, "list", 1);
  crArchive_Count(&reader, &count, INT32_MAX, 1);
  assert_int_equal(count, 0);
  assert_int_equal(reader.status, cr_errorFile);
  assert_non_null(strstr(reader.complaint, "section 'list': it ends too early"));
  crArchive_Free(&archive);
}

static void another_section_version_or_end_is_refused(void** state)
{
  (void)state;
  crArchive written = writeThing(&example);
  struct {
    const char* name;
    int version;
    const char* says;
  } cases[] = { { "thong", 3, "another one is in its place" }, { "thing", 4, "another version" } };
  for (int i = 0; i < 2; ++i) {
    crArchive reader;
    crArchive_InitReader(&reader, written.bytes, written.size);
    crArchive_BeginSection(&reader, cases[i].name, cases[i].version);
    assert_int_equal(reader.status, cr_errorFile);
    assert_non_null(strstr(reader.complaint, cases[i].says));
  }
  crArchive reader;
  double x;
  crArchive_InitReader(&reader, written.bytes, written.size);
  crArchive_BeginSection(&reader, "thing", 3);
  crArchive_Double(&reader, &x);
  crArchive_EndSection(&reader);
  assert_non_null(strstr(reader.complaint, "longer than it should be"));
  crArchive_InitReader(&reader, written.bytes, written.size);
  crArchive_SkipSection(&reader, "thing", 3);
  assert_int_equal(reader.status, cr_ok);
  crArchive_Free(&written);
}

static void no_memory_is_a_status(void** state)
{
  (void)state;
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  counter.failAt = 0;
  Thing thing = example;
  crArchive archive;
  crArchive_InitWriter(&archive, &allocator);
  archiveThing(&archive, &thing);
  assert_int_equal(archive.status, cr_errorMemory);
  crArchive_Free(&archive);
  assert_int_equal(counter.liveBlocks, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_written_is_read),
    cmocka_unit_test(bytes_are_laid_out_as_the_header_says),
    cmocka_unit_test(numbers_out_of_range_are_refused),
    cmocka_unit_test(counts_without_bytes_are_refused),
    cmocka_unit_test(another_section_version_or_end_is_refused),
    cmocka_unit_test(no_memory_is_a_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
