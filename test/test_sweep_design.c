// Designs and distributions: known sequences, and what makes a design one.
#include "sweep/design.h"
#include "sweep/pool.h"
#include "sweep/spread.h"

#include "support/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Known answers of Random123, tests/kat_vectors.
static void philox_gives_its_known_answers(void** state)
{
  (void)state;
  static const struct {
    uint32_t counter[4], key[2], words[4];
  } known[] = {
    { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
    { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
      { 0xffffffff, 0xffffffff },
      { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
    { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
      { 0xa4093822, 0x299f31d0 },
      { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    uint32_t words[4];
    crPhilox(known[i].counter, known[i].key, words);
    assert_memory_equal(words, known[i].words, sizeof words);
  }
}

// The first points of three dimensions, as Joe and Kuo's program prints them.
static void sobols_sequence_begins_as_published(void** state)
{
  (void)state;
  static const double points[8][3] = { { 0, 0, 0 },
                                       { 0.5, 0.5, 0.5 },
                                       { 0.75, 0.25, 0.25 },
                                       { 0.25, 0.75, 0.75 },
                                       { 0.375, 0.375, 0.625 },
                                       { 0.875, 0.875, 0.125 },
                                       { 0.625, 0.125, 0.875 },
                                       { 0.125, 0.625, 0.375 } };
  for (uint32_t i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) {
      assert_true((double)crSobolBits(i, k) * 0x1p-32 == points[i][k]);
    }
  }
}

// 2^m points of any dimension lie one in each of 2^m equal intervals, scrambled or not.
static void every_dimension_of_sobol_is_stratified(void** state)
{
  (void)state;
  enum { count = 256 };
  for (int k = 0; k < CR_SOBOL_DIMENSIONS; ++k) {
    int plain[count] = { 0 }, scrambled[count] = { 0 };
    for (uint32_t i = 0; i < count; ++i) {
      ++plain[crSobolBits(i, k) >> 24];
      ++scrambled[(int)(crDesign_FindCoordinate(cr_designSobol, 5, i, count, k) * count)];
    }
    for (int i = 0; i < count; ++i) {
      assert_int_equal(plain[i], 1);
      assert_int_equal(scrambled[i], 1);
    }
  }
}

// Of pairs of neighbouring dimensions: 2^8 points, one in each of 16 x 16 squares (a net in base 2 of dimensions 1, 2).
static void scrambling_keeps_the_net(void** state)
{
  (void)state;
  int squares[16][16] = { { 0 } };
  for (uint64_t i = 0; i < 256; ++i) {
    double x = crDesign_FindCoordinate(cr_designSobol, 11, i, 256, 0);
    double y = crDesign_FindCoordinate(cr_designSobol, 11, i, 256, 1);
    ++squares[(int)(16 * x)][(int)(16 * y)];
  }
  for (int i = 0; i < 256; ++i) {
    assert_int_equal(squares[i / 16][i % 16], 1);
  }
}

static void permutations_are_permutations(void** state)
{
  (void)state;
  static const uint64_t sizes[] = { 1, 2, 3, 10, 64, 1000, 4097 };
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    unsigned char* seen = calloc(sizes[s], 1);
    uint64_t moved = 0;
    assert_non_null(seen);
    for (uint64_t i = 0; i < sizes[s]; ++i) {
      uint64_t to = crPermute(i, sizes[s], 3);
      assert_true(to < sizes[s] && !seen[to]);
      seen[to] = 1;
      moved += to != i;
    }
    assert_true(sizes[s] < 10 || moved > sizes[s] / 2);
    free(seen);
  }
}

static void a_latin_hypercube_has_one_sample_in_each_stratum(void** state)
{
  (void)state;
  enum { count = 500 };
  for (int k = 0; k < 4; ++k) {
    int strata[count] = { 0 };
    for (uint64_t i = 0; i < count; ++i) {
      double u = crDesign_FindCoordinate(cr_designLatin, 1, i, count, k);
      assert_true(u > 0.0 && u < 1.0);
      ++strata[(int)(u * count)];
    }
    for (int i = 0; i < count; ++i) {
      assert_int_equal(strata[i], 1);
    }
  }
}

// Mean and variance of 10,000 numbers, and their correlation with neighbours in number and dimension.
static void random_numbers_are_uniform_and_independent(void** state)
{
  (void)state;
  enum { count = 10000 };
  double sum = 0.0, squares = 0.0, next = 0.0, beside = 0.0;
  for (uint64_t i = 0; i < count; ++i) {
    double u = crRandomUnit(7, i, 0) - 0.5;
    sum += u;
    squares += u * u;
    next += u * (crRandomUnit(7, i + 1, 0) - 0.5);
    beside += u * (crRandomUnit(7, i, 1) - 0.5);
  }
  assert_close(sum / count, 0.0, 4.0 * sqrt(1.0 / 12.0 / count));
  assert_close(squares / count, 1.0 / 12.0, 4.0 * sqrt(1.0 / 180.0 / count));
  assert_close(next / count, 0.0, 4.0 / 12.0 / sqrt(count));
  assert_close(beside / count, 0.0, 4.0 / 12.0 / sqrt(count));
}

// Against the distribution function of the C library.
static void normal_quantiles_invert_the_distribution(void** state)
{
  (void)state;
  for (double p = 1e-12; p < 1.0; p = p < 0.01 ? 1.7 * p : p + 0.0037) {
    double x = crNormalQuantile(p);
    assert_close(0.5 * erfc(-x / sqrt(2.0)) / p, 1.0, 1e-13 * (1.0 + x * x));
  }
  assert_true(crNormalQuantile(0.5) == 0.0);
  assert_close(crNormalQuantile(0.975), 1.959963984540054, 1e-15);
}

static crSpread readSpread(const char* text, crArena* arena)
{
  crSpread spread;
  crReporter reporter = crMakeReporter(NULL, (crSource){ 0 }, NULL);
  assert_int_equal(crReadSpread(&spread, text, arena, &reporter), cr_ok);
  return spread;
}

static void spreads_are_read_in_all_forms(void** state)
{
  (void)state;
  crArena arena;
  crAllocator allocator = crDefaultAllocator();
  crArena_Init(&arena, &allocator);
  crSpread grid = readSpread("0.1:1:10", &arena), same = readSpread(" grid( 0.1, 1 , 10)", &arena);
  assert_int_equal(grid.count, 10);
  for (int i = 0; i < 10; ++i) {
    assert_true(crSpread_GetListed(&grid, i) == crSpread_GetListed(&same, i));
    assert_close(crSpread_GetListed(&grid, i), 0.1 * (i + 1), 1e-15);
  }
  assert_true(crSpread_GetListed(&grid, 9) == 1.0);
  crSpread list = readSpread("2,4, 8", &arena), words = readSpread("values('steel', wood)", &arena);
  assert_true(list.count == 3 && crSpread_GetListed(&list, 2) == 8.0);
  assert_true(words.count == 2 && words.values == NULL && crSpread_GetListed(&words, 1) == 1.0);
  assert_string_equal(words.texts[0], "steel");
  crSpread uniform = readSpread("uniform(2, 4)", &arena), logarithmic = readSpread("loguniform(1, 100)", &arena);
  crSpread normal = readSpread("normal(3, 0.5)", &arena);
  assert_close(crSpread_FindQuantile(&uniform, 0.25), 2.5, 1e-15);
  assert_close(crSpread_FindQuantile(&logarithmic, 0.5), 10.0, 1e-13);
  assert_close(crSpread_FindQuantile(&normal, 0.841344746068542948), 3.5, 1e-14);
  crArena_Free(&arena);
}

static void wrong_spreads_are_told(void** state)
{
  (void)state;
  static const char* const texts[] = { "grid(1, 2)",      "1:2",           "1:2:0",
                                       "1:2:2.5",         "uniform(2, 1)", "uniform(a,b)",
                                       "loguniform(0,1)", "normal(0, -1)", "gauss(0, 1)",
                                       "uniform(1, 2",    "1,,2",          "normal(1)" };
  crArena arena;
  crAllocator allocator = crDefaultAllocator();
  crArena_Init(&arena, &allocator);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    crSpread spread;
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crReporter reporter = crMakeReporter(&sink, (crSource){ 0 }, "vary.x");
    assert_int_equal(crReadSpread(&spread, texts[i], &arena, &reporter), cr_errorModel);
    assert_message(log, cr_severityError, "vary.x");
    crDestroyErrorLog(log);
  }
  crArena_Free(&arena);
}

// --------------------------------------------------------------------------------------------- memory

// Blocks of all sizes that grow, shrink and die in any order keep what is in them; what is freed is given out again,
// and everything goes back in the end.
static void a_pool_hands_out_blocks_that_do_not_overlap(void** state)
{
  (void)state;
  enum { count = 200, steps = 20000 };
  crTestAllocator counter;
  crAllocator source = crTestAllocator_Make(&counter);
  crPool pool;
  crPool_Init(&pool, &source);
  crAllocator allocator = crPool_GetAllocator(&pool);
  unsigned char* blocks[count] = { NULL };
  size_t sizes[count] = { 0 }, halfway = 0;
  crRandom random = crMakeRandom(1);
  for (int i = 0; i < steps; ++i) {
    int k = (int)crRandom_Uniform(&random, 0.0, count);
    size_t size = crRandom_Uniform(&random, 0.0, 1.0) < 0.3 ? 0 : (size_t)crRandom_LogUniform(&random, 1.0, 2e5);
    size_t kept = sizes[k] < size ? sizes[k] : size;
    unsigned char* block = crReallocate(&allocator, blocks[k], sizes[k], size);
    assert_true(size == 0 || block != NULL);
    assert_int_equal((uintptr_t)block % 16, 0);
    for (size_t b = 0; b < kept; b += 97) {
      assert_int_equal(block[b], k);
    }
    if (size > 0) {
      memset(block, k, size);
    }
    blocks[k] = block;
    sizes[k] = size;
    halfway = i == steps / 2 ? counter.liveBytes : halfway;
  }
  assert_true(counter.liveBytes < 3 * halfway); // it does not grow on and on
  for (int k = 0; k < count; ++k) {
    crFree(&allocator, blocks[k], sizes[k]);
  }
  crPool_Free(&pool);
  assert_int_equal(counter.liveBlocks, 0);
}

static void a_pool_without_memory_says_so(void** state)
{
  (void)state;
  crTestAllocator counter;
  crAllocator source = crTestAllocator_Make(&counter);
  counter.failAt = 0;
  crPool pool;
  crPool_Init(&pool, &source);
  crAllocator allocator = crPool_GetAllocator(&pool);
  assert_null(crAllocate(&allocator, 10));
  assert_null(crAllocate(&allocator, 1 << 20));
  crPool_Free(&pool);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(philox_gives_its_known_answers),
    cmocka_unit_test(sobols_sequence_begins_as_published),
    cmocka_unit_test(every_dimension_of_sobol_is_stratified),
    cmocka_unit_test(scrambling_keeps_the_net),
    cmocka_unit_test(permutations_are_permutations),
    cmocka_unit_test(a_latin_hypercube_has_one_sample_in_each_stratum),
    cmocka_unit_test(random_numbers_are_uniform_and_independent),
    cmocka_unit_test(normal_quantiles_invert_the_distribution),
    cmocka_unit_test(spreads_are_read_in_all_forms),
    cmocka_unit_test(wrong_spreads_are_told),
    cmocka_unit_test(a_pool_hands_out_blocks_that_do_not_overlap),
    cmocka_unit_test(a_pool_without_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
