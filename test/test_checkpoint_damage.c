// Damaged checkpoints, and those of others: a clear error, nothing else.
#include "base/archive.h"
#include "base/sha256.h"
#include "support/log.h"
#include "support/saved_run.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

typedef struct Bytes {
  unsigned char* bytes;
  size_t size;
} Bytes;

static crStatus keep(void* context, const void* bytes, size_t size)
{
  Bytes* to = context;
  to->bytes = malloc(size);
  to->size = size;
  memcpy(to->bytes, bytes, size);
  return cr_ok;
}

// A checkpoint of a run on its way, and its model.
static Bytes save(const crSavedPlan* plan, crModel** outModel)
{
  *outModel = crOpenSavedModel(plan);
  assert_non_null(*outModel);
  crSimulationOptions options = { .size = sizeof options,
                                  .stopTime = plan->stop,
                                  .interval = plan->stop / plan->intervals,
                                  .tolerance = plan->tolerance,
                                  .solver = plan->solver };
  crSimulation* simulation = NULL;
  Bytes saved = { NULL, 0 };
  assert_int_equal(crCreateSimulation(*outModel, &options, NULL, NULL, &simulation), cr_ok);
  assert_int_equal(crSimulation_Advance(simulation, plan->stop * 0.6), cr_ok);
  assert_int_equal(crSimulation_Save(simulation, "note", 5, (crByteWriter){ keep, &saved }), cr_ok);
  crDestroySimulation(simulation);
  return saved;
}

static const crSavedPlan ball = { .file = "examples/bouncing_ball.lua", .stop = 1.0, .intervals = 10 };

static void every_byte_that_is_flipped_is_noticed(void** state)
{
  (void)state;
  crModel* model;
  Bytes saved = save(&ball, &model);
  assert_true(saved.size < 100000);
  for (size_t i = 0; i < saved.size; ++i) {
    crSimulation* simulation = NULL;
    saved.bytes[i] ^= (unsigned char)(1u << (i % 8));
    assert_int_equal(crLoadSimulation(model, saved.bytes, saved.size, NULL, NULL, NULL, &simulation), cr_errorFile);
    assert_null(simulation);
    saved.bytes[i] ^= (unsigned char)(1u << (i % 8));
  }
  free(saved.bytes);
  crDestroyModel(model);
}

static void every_end_that_comes_too_early_is_noticed(void** state)
{
  (void)state;
  crModel* model;
  Bytes saved = save(&ball, &model);
  for (size_t size = 0; size < saved.size; ++size) {
    crSimulation* simulation = NULL;
    unsigned char* part = malloc(size + 1); // for the sanitizer to see its end
    memcpy(part, saved.bytes, size);
    assert_int_equal(crLoadSimulation(model, part, size, NULL, NULL, NULL, &simulation), cr_errorFile);
    assert_null(simulation);
    free(part);
  }
  unsigned char* longer = malloc(saved.size + 1);
  memcpy(longer, saved.bytes, saved.size);
  longer[saved.size] = 0;
  crSimulation* simulation = NULL;
  assert_int_equal(crLoadSimulation(model, longer, saved.size + 1, NULL, NULL, NULL, &simulation), cr_errorFile);
  free(longer);
  free(saved.bytes);
  crDestroyModel(model);
}

// ------------------------------------------------------------------------------------------------ harm

#define HEAD_SIZE (CR_ARCHIVE_NAME + 12)
#define DIGEST_SIZE 64

static size_t readLength(const unsigned char* section)
{
  size_t length = 0;
  for (int i = 0; i < 8; ++i) {
    length |= (size_t)section[CR_ARCHIVE_NAME + 4 + i] << (8 * i);
  }
  return length;
}

// Makes the checksum of the section right again that a byte lies in; false: it lies in none.
static bool mend(Bytes saved, size_t place)
{
  for (size_t start = CR_ARCHIVE_NAME; start < saved.size;) {
    size_t size = HEAD_SIZE + readLength(saved.bytes + start);
    if (place >= start + HEAD_SIZE && place < start + size) {
      crSha256 hash;
      char text[CR_SHA256_TEXT];
      crSha256_Init(&hash);
      crSha256_Add(&hash, saved.bytes + start, size);
      crSha256_Finish(&hash, text);
      memcpy(saved.bytes + start + size, text, DIGEST_SIZE);
      return true;
    }
    start += size + DIGEST_SIZE;
  }
  return false;
}

// Bytes that were made to do harm, with checksums that fit: they may be taken for a state, as any numbers are one, or
// be refused, or the run may fail with them. Nothing else happens.
static void tryHarm(const crSavedPlan* plan, int count, unsigned seed)
{
  crModel* model;
  Bytes saved = save(plan, &model);
  crRandom random = crMakeRandom(seed);
  for (int i = 0; i < count; ++i) {
    size_t place = (size_t)crRandom_Uniform(&random, CR_ARCHIVE_NAME, (double)saved.size);
    unsigned char before = saved.bytes[place];
    Bytes copy = { malloc(saved.size), saved.size };
    memcpy(copy.bytes, saved.bytes, saved.size);
    copy.bytes[place] = (unsigned char)(before ^ (1u << (unsigned)crRandom_Uniform(&random, 0, 8)));
    crSimulation* simulation = NULL;
    if (mend(copy, place)) {
      crStatus status = crLoadSimulation(model, copy.bytes, copy.size, NULL, NULL, NULL, &simulation);
      assert_true(status == cr_ok || status == cr_errorFile || status == cr_errorModel);
      assert_true((status == cr_ok) == (simulation != NULL));
      if (simulation != NULL) {
        crSimulation_Advance(simulation, fmin(crSimulation_GetTime(simulation) + 1e-3 * plan->stop, plan->stop));
      }
    }
    crDestroySimulation(simulation);
    free(copy.bytes);
  }
  free(saved.bytes);
  crDestroyModel(model);
}

static void bytes_that_are_made_to_do_harm_do_none(void** state)
{
  (void)state;
  tryHarm(&ball, 2000, 1);
  tryHarm(&(crSavedPlan){ .file = "examples/four_bar.lua", .stop = 1.0, .intervals = 10 }, 500, 2);
  tryHarm(&(crSavedPlan){ .file = "examples/chain.lua",
                          .stop = 0.1,
                          .intervals = 10,
                          .solver = cr_solverRadau5,
                          .settings = { { "count", "60" } } },
          100, 3);
  tryHarm(&(crSavedPlan){ .text = CR_SWINGS, .stop = 0.1, .intervals = 10, .tolerance = 1e-5 }, 150, 4);
  tryHarm(&(crSavedPlan){ .file = "bench/scenes/pile.lua",
                          .stop = 0.1,
                          .intervals = 10,
                          .tolerance = 1e-3,
                          .settings = { { "n", "70" } } },
          100, 5);
  if (crTestHasSolver(cr_solverIda)) {
    tryHarm(
        &(crSavedPlan){ .file = "examples/bouncing_ball.lua", .stop = 1.0, .intervals = 10, .solver = cr_solverIda },
        300, 6);
  }
}

// A tolerance below 0 with a checksum that fits used to end as a failure of the solver, not of the file.
static void a_tolerance_of_ida_that_is_not_above_zero_is_refused(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  crModel* model;
  Bytes saved =
      save(&(crSavedPlan){ .file = "examples/bouncing_ball.lua", .stop = 1.0, .intervals = 10, .solver = cr_solverIda },
           &model);
  int found = 0;
  for (size_t i = CR_ARCHIVE_NAME; i + 3 * sizeof(double) <= saved.size; ++i) { // three alike and small: tolerances
    double row[3];
    memcpy(row, saved.bytes + i, sizeof row);
    if (!(row[0] > 1e-13 && row[0] < 1e-6 && row[0] == row[1] && row[0] == row[2])) {
      continue;
    }
    saved.bytes[i + 7] ^= 0x80u; // the sign
    assert_true(mend(saved, i + 7));
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crSimulation* simulation = NULL;
    crStatus status = crLoadSimulation(model, saved.bytes, saved.size, NULL, NULL, &sink, &simulation);
    assert_true(status == cr_ok || status == cr_errorFile); // other numbers may be such a row, too
    if (status != cr_ok) {
      assert_message(log, cr_severityError, "the solver has a tolerance that is not above 0");
      ++found;
    }
    crDestroySimulation(simulation);
    crDestroyErrorLog(log);
    saved.bytes[i + 7] ^= 0x80u;
    assert_true(mend(saved, i + 7));
  }
  assert_true(found > 0);
  free(saved.bytes);
  crDestroyModel(model);
}

// --------------------------------------------------------------------------------------------- origins

static void a_checkpoint_of_another_model_is_refused_by_name(void** state)
{
  (void)state;
  crModel *model, *other = crOpenSavedModel(&(crSavedPlan){ .file = "examples/pendulum.lua" });
  Bytes saved = save(&ball, &model);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crSimulation* simulation = NULL;
  assert_int_equal(crLoadSimulation(other, saved.bytes, saved.size, NULL, NULL, &sink, &simulation), cr_errorModel);
  assert_null(simulation);
  assert_message(log, cr_severityError, "belongs to another model");
  crDestroyErrorLog(log);
  free(saved.bytes);
  crDestroyModel(other);
  crDestroyModel(model);
}

static void a_checkpoint_of_another_build_is_refused_by_name(void** state)
{
  (void)state;
  crModel* model;
  Bytes saved = save(&ball, &model);
  unsigned char* build = NULL;
  for (size_t i = 0; i + strlen(crGetBuild()) < saved.size && build == NULL; ++i) {
    build = memcmp(saved.bytes + i, crGetBuild(), strlen(crGetBuild())) == 0 ? saved.bytes + i : NULL;
  }
  assert_non_null(build);
  build[6] = '9'; // "carom 9.2.0"
  assert_true(mend(saved, (size_t)(build - saved.bytes)));
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crSimulation* simulation = NULL;
  assert_int_equal(crLoadSimulation(model, saved.bytes, saved.size, NULL, NULL, &sink, &simulation), cr_errorModel);
  assert_null(simulation);
  assert_message(log, cr_severityError, "another build");
  crDestroyErrorLog(log);
  free(saved.bytes);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_byte_that_is_flipped_is_noticed),
    cmocka_unit_test(every_end_that_comes_too_early_is_noticed),
    cmocka_unit_test(bytes_that_are_made_to_do_harm_do_none),
    cmocka_unit_test(a_tolerance_of_ida_that_is_not_above_zero_is_refused),
    cmocka_unit_test(a_checkpoint_of_another_model_is_refused_by_name),
    cmocka_unit_test(a_checkpoint_of_another_build_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
