// Poses and contacts in results: read back as written, put together, and whole after a kill.
#include "carom/result.h"
#include "result/layout.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/results.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BODIES 5
#define OBJECTS 4
#define SCRATCHES 300

static const char* const bodyPaths[BODIES] = { "cue", "ball1", "Kör.per", "a \"b\"", "<script>" };
static const char* const objectPaths[OBJECTS] = { "cue", "ball,1", "say \"φ\"", "table" };

static float poseOf(int row, int k)
{
  return (float)(0.25 * row) + (float)k / 3.0f;
}

static crResultDef makeDef(const char* path, const crColumn* columns, int columnCount)
{
  crResultDef def = { .size = sizeof def,
                      .path = path,
                      .columns = columns,
                      .columnCount = columnCount,
                      .modelName = "contacts",
                      .sceneJson = "{}",
                      .sourceText = "-- ein Modell\nworld(\"w\")\n",
                      .bodies = bodyPaths,
                      .bodyCount = BODIES,
                      .objects = objectPaths,
                      .objectCount = OBJECTS };
  return def;
}

// The contact number i: key, begin and end follow from it.
static crContactRecord makeRecord(int i, crContactPhase phase)
{
  crContactRecord record = crDefaultContactRecord(phase, 0.01 * i + (phase == cr_contactBegin ? 0.0 : 0.005));
  record.key = (crContactKey){ i % 11, i % 13, i % 3, 7 + i % 2 };
  record.objectA = i % OBJECTS;
  record.objectB = (i + 1) % OBJECTS;
  return record;
}

static void addContact(crResultWriter* writer, int i, crContactPhase phase)
{
  crContactRecord record = makeRecord(i, phase);
  record.approach = 2.0;
  record.separation = phase == cr_contactEnd ? 1.0 + 0.001 * i : NAN;
  record.normal = (crVec3){ 0.0, 0.0, 1.0 };
  record.dissipation = phase == cr_contactBegin ? NAN : 0.5 * i;
  record.slipPath = 0.25 * i;
  record.creep = (crCreep){ 0.125 * i, 2.0 * i, 3.0 * i, 4.0 * i };
  record.observer = 0;
  assert_int_equal(crResultWriter_AddContact(writer, &record), cr_ok);
}

static int samplesOf(int row)
{
  return row % 4; // none, one, two, three
}

// Every other sample touches by area, with as many corners as fit the row.
static void fillPatch(crContactRecord* sample, crPatchCorner* corners, int row, int i)
{
  if (i % 2 == 0) {
    return;
  }
  sample->area = 0.01 * row;
  sample->meanPressure = 3.0 * row;
  sample->maxPressure = 4.0 * row;
  sample->mode = row % 4;
  sample->coneShare = 0.25 * row;
  sample->slipPath = 0.5 * row;
  sample->cornerCount = row % (CR_PATCH_CORNERS + 1);
  sample->corners = corners;
  for (int k = 0; k < sample->cornerCount; ++k) {
    corners[k] = (crPatchCorner){ { row, i, k }, 0.5 * k };
  }
}

static void assertPatch(const crContactRecord* sample, int row, int i)
{
  if (i % 2 == 0) {
    assert_true(isnan(sample->area) && isnan(sample->meanPressure) && isnan(sample->maxPressure));
    assert_true(sample->cornerCount == 0 && sample->corners == NULL);
    return;
  }
  assert_true(sample->area == 0.01 * row && sample->meanPressure == 3.0 * row && sample->maxPressure == 4.0 * row);
  assert_true(sample->mode == row % 4 && sample->coneShare == 0.25 * row && sample->slipPath == 0.5 * row);
  assert_int_equal(sample->cornerCount, row % (CR_PATCH_CORNERS + 1));
  for (int k = 0; k < sample->cornerCount; ++k) {
    const crPatchCorner* corner = &sample->corners[k];
    assert_true(corner->point.x == row && corner->point.y == i && corner->point.z == k && corner->pressure == 0.5 * k);
  }
}

static void addSamples(crResultWriter* writer, int row)
{
  for (int i = 0; i < samplesOf(row); ++i) {
    crContactRecord sample = makeRecord(i, cr_contactNow);
    sample.force = (crVec3){ row, i, -1.0 };
    sample.depth = 1e-6 * row;
    crPatchCorner corners[CR_PATCH_CORNERS];
    fillPatch(&sample, corners, row, i);
    assert_int_equal(crResultWriter_AddContactSample(writer, &sample), cr_ok);
  }
}

static void addRows(crResultWriter* writer, int first, int count)
{
  float poses[BODIES * CR_POSE_SIZE];
  for (int r = first; r < first + count; ++r) {
    double value = crTestValue(r, 0);
    for (int k = 0; k < BODIES * CR_POSE_SIZE; ++k) {
      poses[k] = poseOf(r, k);
    }
    assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = crTestTime(r), .values = &value, .poses = poses }),
                     cr_ok);
    addSamples(writer, r);
    addContact(writer, r, cr_contactBegin);
    addContact(writer, r, cr_contactEnd);
  }
}

// Numbers in [0, 1) of which all digits are noise.
static double drawNoise(uint64_t* ioState)
{
  *ioState = *ioState * 6364136223846793005u + 1442695040888963407u;
  return (double)(*ioState >> 11) * 0x1p-53;
}

static crResult* writeAndRead(int rowCount)
{
  crColumn* columns = crMakeTestColumns(1);
  crResultDef def = makeDef(crTestPath("contacts.h5"), columns, 1);
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  addRows(writer, 0, rowCount);
  assert_int_equal(crResultWriter_Close(writer, true, "ok", "{}"), cr_ok);
  crFreeTestColumns(columns, 1);
  return crReadTestResult(crTestPath("contacts.h5"));
}

static void assertPoses(const crResult* result)
{
  for (int r = 0; r < crResult_CountRows(result); ++r) {
    const float* poses = crResult_GetPoses(result, r);
    for (int k = 0; k < BODIES * CR_POSE_SIZE; ++k) {
      assert_true(poses[k] == poseOf(r, k));
    }
  }
}

static void assertSamples(const crResult* result, int rowCount)
{
  for (int r = 0; r < rowCount; ++r) {
    int count;
    const crContactRecord* samples = crResult_GetContactSamples(result, r, &count);
    assert_int_equal(count, samplesOf(r));
    for (int i = 0; i < count; ++i) {
      assert_int_equal(samples[i].phase, cr_contactNow);
      assert_true(samples[i].time == crTestTime(r) && samples[i].normalForce != 0.0);
      assert_int_equal(samples[i].objectB, (i + 1) % OBJECTS);
      assert_true(samples[i].key.shapeB == 7 + i % 2 && samples[i].key.bodyB == i % 13);
      assertPatch(&samples[i], r, i);
      assert_true(samples[i].force.x == r && samples[i].force.y == i && samples[i].depth == 1e-6 * r);
      assert_true(isnan(samples[i].slip));
    }
  }
}

static void poses_contacts_and_source_are_read_back(void** state)
{
  (void)state;
  static const int sizes[] = { 1, 2, 481, 4096, 20000 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    crResult* result = writeAndRead(sizes[i]);
    assert_int_equal(crResult_CountRows(result), sizes[i]);
    assert_int_equal(crResult_CountBodies(result), BODIES);
    assert_string_equal(crResult_GetBody(result, 2), "Kör.per");
    assert_string_equal(crResult_GetBody(result, 4), "<script>");
    assert_null(crResult_GetBody(result, 5));
    assert_null(crResult_GetPoses(result, sizes[i]));
    assert_null(crResult_GetPoses(result, -1));
    assert_string_equal(crResult_GetFacts(result).sourceText, "-- ein Modell\nworld(\"w\")\n");
    assertPoses(result);
    assertSamples(result, sizes[i]);
    assert_int_equal(crResult_CountContacts(result), sizes[i]);
    for (int c = 0; c < sizes[i]; ++c) {
      const crContactRecord* contact = crResult_GetContact(result, c);
      assert_close(contact->begin, 0.01 * c, 0.0);
      assert_close(contact->end, 0.01 * c + 0.005, 0.0);
      assert_close(contact->restitution, (1.0 + 0.001 * c) / 2.0, 1e-15);
      assert_close(contact->dissipation, 0.5 * c, 0.0);
      assert_true(contact->slipPath == 0.25 * c && contact->creep.path == 0.125 * c);
      assert_true(contact->creep.time == 2.0 * c && contact->creep.share == 3.0 * c && contact->creep.depth == 4.0 * c);
      assert_true(isnan(contact->maxForce));
      assert_true(contact->key.bodyA == c % 11 && contact->key.bodyB == c % 13);
      assert_int_equal(contact->observer, 0);
      assert_int_equal(contact->phase, cr_contactEnd);
    }
    assert_null(crResult_GetContact(result, sizes[i]));
    crDestroyResult(result);
  }
}

// They had NaN for all that they had done, however long they had lasted.
static void contacts_that_last_have_their_values_so_far(void** state)
{
  (void)state;
  crResultDef def = makeDef(crTestPath("last.h5"), NULL, 0);
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  addContact(writer, 4, cr_contactBegin);
  addContact(writer, 6, cr_contactBegin);
  addContact(writer, 4, cr_contactLast);
  addContact(writer, 9, cr_contactLast); // nobody has told its begin
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  crResult* result = crReadTestResult(crTestPath("last.h5"));
  assert_int_equal(crResult_CountContacts(result), 2);
  const crContactRecord *lasting = crResult_GetContact(result, 0), *lost = crResult_GetContact(result, 1);
  assert_true(lasting->phase == cr_contactLast && isnan(lasting->end) && isnan(lasting->restitution));
  assert_true(lasting->dissipation == 2.0 && lasting->time == 0.04 && lasting->begin == 0.04);
  assert_true(lost->phase == cr_contactBegin && isnan(lost->end) && isnan(lost->dissipation));
  crDestroyResult(result);
}

// Without a force there is no contact, but to an observer.
static void contacts_that_never_push_are_left_out(void** state)
{
  (void)state;
  crResultDef def = makeDef(crTestPath("idle.h5"), NULL, 0);
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  static const struct {
    crContactPhase phase;
    double maxForce, impulse;
    int observer;
    bool isListed;
  } cases[] = {
    { cr_contactEnd, 0.0, 0.0, 0, false },  { cr_contactEnd, 1e-9, 0.0, 0, true },
    { cr_contactLast, 0.0, 0.0, 0, false }, { cr_contactLast, 2.0, 1.0, 0, true },
    { cr_contactEnd, 0.0, 0.5, 0, true },   { cr_contactEnd, 0.0, 0.0, 0, false },
    { cr_contactEnd, 0.0, 0.0, 1, true },   { cr_contactLast, 0.0, 0.0, 1, true },
    { cr_contactBegin, NAN, NAN, 0, true },
  };
  int count = (int)(sizeof cases / sizeof *cases), listed = 0;
  for (int i = 0; i < count; ++i) {
    crContactRecord record = makeRecord(i, cr_contactBegin);
    record.observer = cases[i].observer;
    record.maxForce = record.impulse = record.dissipation = 0.0; // nothing yet
    assert_int_equal(crResultWriter_AddContact(writer, &record), cr_ok);
    record.phase = cases[i].phase;
    record.maxForce = cases[i].maxForce;
    record.impulse = cases[i].impulse;
    assert_true(crContactRecord_HasPushed(&record) == cases[i].isListed);
    if (record.phase != cr_contactBegin) {
      assert_int_equal(crResultWriter_AddContact(writer, &record), cr_ok);
    }
  }
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  crResult* result = crReadTestResult(crTestPath("idle.h5"));
  for (int i = 0; i < count; ++i) {
    const crContactRecord* contact = crResult_GetContact(result, listed);
    bool isListed = contact != NULL && contact->begin == 0.01 * i;
    assert_true(isListed == cases[i].isListed);
    listed += isListed;
  }
  assert_int_equal(crResult_CountContacts(result), listed);
  crDestroyResult(result);
}

// Islands hand over their contacts one island after the other.
static void contacts_are_ordered_by_begin_whatever_the_order_of_their_records(void** state)
{
  (void)state;
  crResultDef def = makeDef(crTestPath("order.h5"), NULL, 0);
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  for (int i = 30; i-- > 0;) {
    addContact(writer, i, cr_contactBegin);
    if (i % 5 != 0) {
      addContact(writer, i, cr_contactEnd);
    }
  }
  addContact(writer, 31, cr_contactEnd); // no begin: it was before the recording
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  crResult* result = crReadTestResult(crTestPath("order.h5"));
  assert_int_equal(crResult_CountContacts(result), 30);
  int open = 0;
  for (int i = 0; i < 30; ++i) {
    const crContactRecord* contact = crResult_GetContact(result, i);
    assert_close(contact->begin, 0.01 * i, 0.0);
    open += isnan(contact->end);
    assert_true(isnan(contact->end) == isnan(contact->restitution));
  }
  assert_true(open >= 4 && open <= 6); // the end without a begin closes one of the same key
  crDestroyResult(result);
}

static void addNoise(crResultWriter* writer, uint64_t* ioState)
{
  crContactRecord sample = makeRecord(0, cr_contactNow);
  crPatchCorner corner = { { drawNoise(ioState), drawNoise(ioState), 0.0 }, drawNoise(ioState) };
  sample.point = (crVec3){ drawNoise(ioState), drawNoise(ioState), 1.0 };
  sample.area = drawNoise(ioState);
  sample.cornerCount = 1;
  sample.corners = &corner;
  assert_int_equal(crResultWriter_AddContactSample(writer, &sample), cr_ok);
}

static long sizeOf(const char* path)
{
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  long size = ftell(file);
  fclose(file);
  return size;
}

// What is noise is kept bit by bit, and what does not change takes no room: of a record of 208 bytes and its corner of
// 32, three numbers of 8 bytes are noise in each.
static void records_take_little_more_room_than_their_noise(void** state)
{
  const int count = 20000;
  (void)state;
  crResultDef def = makeDef(crTestPath("noise.h5"), NULL, 0);
  crResultWriter* writer = NULL;
  uint64_t drawn = 1;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  float poses[BODIES * CR_POSE_SIZE] = { 0.0f };
  assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = 0.0, .poses = poses }), cr_ok);
  for (int i = 0; i < count; ++i) {
    addNoise(writer, &drawn);
  }
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  long size = sizeOf(crTestPath("noise.h5"));
  assert_true(size > 6 * 6 * (long)count && size < 6 * 8 * (long)count + 300000);
  crResult* result = NULL;
  assert_int_equal(crReadResult(crTestPath("noise.h5"), NULL, NULL, &result), cr_ok);
  int found;
  const crContactRecord* samples = crResult_GetContactSamples(result, 0, &found);
  assert_int_equal(found, count);
  drawn = 1;
  for (int i = 0; i < count; ++i) {
    const crContactRecord* sample = &samples[i];
    assert_int_equal(sample->cornerCount, 1);
    const crPatchCorner* corner = sample->corners;
    assert_true(corner->point.x == drawNoise(&drawn) && corner->point.y == drawNoise(&drawn));
    assert_true(corner->pressure == drawNoise(&drawn) && corner->point.z == 0.0);
    assert_true(sample->point.x == drawNoise(&drawn) && sample->point.y == drawNoise(&drawn));
    assert_true(sample->point.z == 1.0 && sample->area == drawNoise(&drawn));
  }
  crDestroyResult(result);
}

static void contacts_become_a_table(void** state)
{
  (void)state;
  crResult* result = writeAndRead(3);
  assert_int_equal(crWriteContactCsv(result, crTestPath("contacts.csv"), NULL, NULL), cr_ok);
  char* text = crReadTestFile(crTestPath("contacts.csv"), NULL);
  assert_non_null(strstr(text, "begin [s],end [s],object A,object B,approach [m/s],separation [m/s],restitution [1]"));
  assert_non_null(strstr(text, "\n0,0.005,cue,\"ball,1\",2,1,0.5,nan,"));
  assert_non_null(strstr(text, "\n0.01,0.015,\"ball,1\",\"say \"\"φ\"\"\",2,1.001,0.5005,nan,"));
  free(text);
  crDestroyResult(result);
  assert_int_equal(crWriteContactCsv(NULL, "x", NULL, NULL), cr_errorMisuse);
}

static void contacts_at_rows_become_a_table(void** state)
{
  (void)state;
  crResult* result = writeAndRead(4);
  assert_int_equal(crWriteSampleCsv(result, crTestPath("samples.csv"), NULL, NULL), cr_ok);
  char* text = crReadTestFile(crTestPath("samples.csv"), NULL);
  assert_non_null(strstr(text, "time [s],object A,object B,point x [m]"));
  assert_non_null(strstr(text, ",depth [m],area [m2],mean pressure [N/m2],max pressure [N/m2],slip [m/s],slip path "
                               "[m],cone share [1],mode\n"));
  assert_non_null(
      strstr(text, ",cue,\"ball,1\",nan,nan,nan,nan,nan,nan,2,0,-1,nan,nan,nan,2e-06,nan,nan,nan,nan,nan,nan,none\n"));
  assert_non_null(strstr(text, ",2,1,-1,nan,nan,nan,2e-06,0.02,6,8,nan,1,0.5,sliding\n"));
  int lines = 0;
  for (const char* c = text; *c != '\0'; ++c) {
    lines += *c == '\n';
  }
  assert_int_equal(lines, 1 + 0 + 1 + 2 + 3);
  free(text);
  crDestroyResult(result);
  assert_int_equal(crWriteSampleCsv(NULL, "x", NULL, NULL), cr_errorMisuse);
}

// More corners than there may be, or none where there should be some.
static void patches_that_cannot_be_are_refused(void** state)
{
  (void)state;
  crColumn* columns = crMakeTestColumns(1);
  crResultDef def = makeDef(crTestPath("patches.h5"), columns, 1);
  crResultWriter* writer = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crCreateResultWriter(&def, NULL, &sink, &writer), cr_ok);
  addRows(writer, 0, 1);
  crPatchCorner corners[CR_PATCH_CORNERS] = { 0 };
  crContactRecord sample = makeRecord(0, cr_contactNow);
  sample.cornerCount = 1;
  assert_int_equal(crResultWriter_AddContactSample(writer, &sample), cr_errorMisuse);
  sample.corners = corners;
  sample.cornerCount = CR_PATCH_CORNERS + 1;
  assert_int_equal(crResultWriter_AddContactSample(writer, &sample), cr_errorMisuse);
  sample.cornerCount = -1;
  assert_int_equal(crResultWriter_AddContactSample(writer, &sample), cr_errorMisuse);
  assert_int_equal(crErrorLog_CountOf(log, cr_severityError), 3);
  sample.cornerCount = CR_PATCH_CORNERS;
  assert_int_equal(crResultWriter_AddContactSample(writer, &sample), cr_ok);
  assert_int_equal(crResultWriter_Close(writer, true, "ok", "{}"), cr_ok);
  crDestroyErrorLog(log);
  crFreeTestColumns(columns, 1);
}

static void a_result_without_pictures_has_none(void** state)
{
  (void)state;
  crWriteTestResult(crTestPath("plain.h5"), 3, 10000); // more rows than a band without columns can hold
  crResult* result = crReadTestResult(crTestPath("plain.h5"));
  int count = 1;
  assert_int_equal(crResult_CountBodies(result), 0);
  assert_null(crResult_GetPoses(result, 0));
  assert_int_equal(crResult_CountContacts(result), 0);
  assert_null(crResult_GetContactSamples(result, 0, &count));
  assert_int_equal(count, 0);
  assert_null(crResult_GetFacts(result).sourceText);
  assert_null(crResult_GetObjectPath(result, 0));
  crDestroyResult(result);
}

static void misuse_is_told_and_changes_nothing(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crResultDef def = makeDef(crTestPath("misuse.h5"), NULL, 0);
  crResultWriter* writer = NULL;
  def.sourceText = "\xff";
  assert_int_equal(crCreateResultWriter(&def, NULL, &sink, &writer), cr_errorMisuse);
  assert_message(log, cr_severityError, "the model's name, scene or source is not UTF-8");
  static const char* const bad[] = { "a\xff" };
  def = makeDef(crTestPath("misuse.h5"), NULL, 0);
  def.bodies = bad;
  def.bodyCount = 1;
  assert_int_equal(crCreateResultWriter(&def, NULL, &sink, &writer), cr_errorMisuse);
  assert_message(log, cr_severityError, "the path of a body or object is not UTF-8");
  def = makeDef(crTestPath("misuse.h5"), NULL, 0);
  assert_int_equal(crCreateResultWriter(&def, NULL, &sink, &writer), cr_ok);
  crContactRecord record = crDefaultContactRecord(cr_contactBegin, 0.0);
  crContactRecord sample = makeRecord(0, cr_contactNow);
  record.objectA = 0;
  assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = 0.0 }), cr_errorMisuse); // without poses
  assert_int_equal(crResultWriter_AddContactSample(writer, &sample), cr_errorMisuse);
  assert_message(log, cr_severityError, "a contact is sampled before the first row");
  record.objectB = OBJECTS;
  assert_int_equal(crResultWriter_AddContact(writer, &record), cr_errorMisuse);
  assert_message(log, cr_severityError, "a contact names an object that does not exist");
  record = makeRecord(0, cr_contactBegin);
  record.time = NAN;
  assert_int_equal(crResultWriter_AddContact(writer, &record), cr_errorMisuse);
  assert_message(log, cr_severityError, "the time of a contact is not a finite number");
  record = makeRecord(0, cr_contactNow);
  assert_int_equal(crResultWriter_AddContact(writer, &record), cr_errorMisuse);
  assert_message(log, cr_severityError, "neither begins nor ends");
  assert_int_equal(crResultWriter_AddContact(NULL, &record), cr_errorMisuse);
  assert_int_equal(crResultWriter_AddContactSample(writer, NULL), cr_errorMisuse);
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  def.objectCount = 0;
  assert_int_equal(crCreateResultWriter(&def, NULL, &sink, &writer), cr_ok);
  record = crDefaultContactRecord(cr_contactBegin, 0.0);
  assert_int_equal(crResultWriter_AddContact(writer, &record), cr_errorMisuse);
  assert_message(log, cr_severityError, "without objects, so without contacts");
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  crDestroyErrorLog(log);
}

// test/data/result_format1.h5 was written by the last Carom that wrote format 1: a ball that bounces twice, and one
// that lies. Contacts had neither bodies nor a word on observers, and those that last had no values.
static void results_of_the_first_format_can_be_read(void** state)
{
  (void)state;
  crResult* result = crReadTestResult(CAROM_ROOT "/test/data/result_format1.h5");
  assert_int_equal(crResult_CountRows(result), 5);
  assert_int_equal(crResult_CountContacts(result), 3);
  const crContactRecord *rest = crResult_GetContact(result, 0), *bounce = crResult_GetContact(result, 1);
  assert_true(rest->phase == cr_contactBegin && isnan(rest->maxForce) && isnan(rest->end));
  assert_string_equal(crResult_GetObjectPath(result, rest->objectB), "brick");
  assert_string_equal(crResult_GetObjectPath(result, bounce->objectA), "floor");
  assert_true(bounce->phase == cr_contactEnd && bounce->begin == 0.14278431229270652);
  assert_true(bounce->end == 0.14295249668107451 && bounce->maxForce == 711.8163927417522);
  assert_true(bounce->approach == 1.4007141492955508 && bounce->separation == 0.8081378503907864);
  assert_true(bounce->key.bodyA == -1 && bounce->key.bodyB == -1 && bounce->observer == -1);
  int count;
  const crContactRecord* samples = crResult_GetContactSamples(result, 4, &count);
  assert_int_equal(count, 1);
  assert_string_equal(crResult_GetObjectPath(result, samples->objectB), "brick");
  assert_close(samples->normalForce, 4.0 / 3.0 * acos(-1.0) * 8e-6 * 700.0 * 9.81, 1e-9); // its weight
  assert_true(samples->time == 0.4 && samples->key.bodyA == -1);
  crDestroyResult(result);
}

// ---------------------------------------------------------------------------------------- damage

static void removePart(const char* path, const char* name)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  H5Fclose(file);
}

static void a_missing_part_is_told(void** state)
{
  (void)state;
  static const struct {
    const char *part, *message;
  } cases[] = { { CR_DATASET_POSES, "damaged: /poses cannot be opened" },
                { CR_DATASET_OBJECTS, "damaged: /contacts names an object that does not exist" } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crDestroyResult(writeAndRead(10));
    removePart(crTestPath("contacts.h5"), cases[i].part);
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crResult* result = NULL;
    assert_int_equal(crReadResult(crTestPath("contacts.h5"), NULL, &sink, &result), cr_errorFile);
    assert_message(log, cr_severityError, cases[i].message);
    crDestroyErrorLog(log);
  }
}

// Overwrites a stretch of the file and reads it.
static bool readScratched(const char* path, const char* bytes, size_t size, crRandom* random)
{
  char* copy = malloc(size);
  memcpy(copy, bytes, size);
  size_t place = 48 + crRandom_Next(random) % (size - 48 - 64);
  memset(copy + place, (int)(crRandom_Next(random) % 256), 1 + crRandom_Next(random) % 64);
  crWriteTestFile(path, copy, size);
  crResult* result = NULL;
  bool isRead = crReadResult(path, NULL, NULL, &result) == cr_ok;
  crDestroyResult(result);
  free(copy);
  return isRead;
}

// In a process of its own, because HDF5 1.10 leaks a part of what it could not read.
static void a_scratched_file_does_no_harm(void** state)
{
  (void)state;
  size_t size;
  crDestroyResult(writeAndRead(40));
  char* bytes = crReadTestFile(crTestPath("contacts.h5"), &size);
  pid_t child = fork();
  if (child == 0) {
    crRandom random = crMakeRandom(7);
    int refused = 0;
    for (int i = 0; i < SCRATCHES; ++i) {
      refused += !readScratched(crTestPath("scratched.h5"), bytes, size, &random);
    }
    _exit(refused > 0 ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  free(bytes);
}

static void writeForEver(const char* path)
{
  crColumn* columns = crMakeTestColumns(1);
  crResultDef def = makeDef(path, columns, 1);
  crResultWriter* writer = NULL;
  if (crCreateResultWriter(&def, NULL, NULL, &writer) != cr_ok) {
    _exit(1);
  }
  for (int row = 0;; row += 97) {
    addRows(writer, row, 97);
    if (crResultWriter_Flush(writer) != cr_ok) {
      _exit(2);
    }
  }
}

static void a_killed_run_leaves_poses_and_contacts_that_can_be_read(void** state)
{
  (void)state;
  const char* path = crTestPath("killed.h5");
  crRandom random = crMakeRandom((uint64_t)time(NULL)); // another moment each time
  int rows = 0;
  for (int i = 0; i < 20; ++i) {
    unlink(path);
    pid_t child = fork();
    if (child == 0) {
      writeForEver(path);
    }
    struct timespec pause = { 0, 1000000 }, more = { 0, (long)(crRandom_Uniform(&random, 0.0, 5e7)) };
    for (int k = 0; k < 10000 && access(path, F_OK) != 0; ++k) {
      nanosleep(&pause, NULL);
    }
    nanosleep(&more, NULL);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    crResult* result = crReadTestResult(path);
    crAssertTestRows(result);
    assertPoses(result);
    int whole = crResult_CountRows(result) - 97; // the last commit may lack its samples
    assertSamples(result, whole > 0 ? whole : 0);
    assert_true(crResult_CountContacts(result) >= whole);
    rows += crResult_CountRows(result);
    crDestroyResult(result);
  }
  assert_true(rows > 0);
}

static void out_of_memory_is_clean_at_every_allocation(void** state)
{
  (void)state;
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  crDestroyResult(writeAndRead(300));
  for (long failAt = 0; status == cr_errorMemory; ++failAt) {
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crResult* result = NULL;
    status = crReadResult(crTestPath("contacts.h5"), &allocator, NULL, &result);
    assert_true(status == cr_ok || status == cr_errorMemory);
    crDestroyResult(result);
    assert_int_equal(counter.liveBlocks, 0);
  }
  status = cr_errorMemory;
  for (long failAt = 0; status == cr_errorMemory; ++failAt) {
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crResultDef def = makeDef(crTestPath("memory.h5"), NULL, 0);
    crResultWriter* writer = NULL;
    status = crCreateResultWriter(&def, &allocator, NULL, &writer);
    if (status == cr_ok) {
      status = crResultWriter_Close(writer, true, "ok", NULL);
    }
    assert_int_equal(counter.liveBlocks, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(poses_contacts_and_source_are_read_back),
    cmocka_unit_test(contacts_that_last_have_their_values_so_far),
    cmocka_unit_test(contacts_that_never_push_are_left_out),
    cmocka_unit_test(contacts_are_ordered_by_begin_whatever_the_order_of_their_records),
    cmocka_unit_test(records_take_little_more_room_than_their_noise),
    cmocka_unit_test(contacts_become_a_table),
    cmocka_unit_test(contacts_at_rows_become_a_table),
    cmocka_unit_test(patches_that_cannot_be_are_refused),
    cmocka_unit_test(a_result_without_pictures_has_none),
    cmocka_unit_test(misuse_is_told_and_changes_nothing),
    cmocka_unit_test(results_of_the_first_format_can_be_read),
    cmocka_unit_test(a_missing_part_is_told),
    cmocka_unit_test(a_scratched_file_does_no_harm),
    cmocka_unit_test(a_killed_run_leaves_poses_and_contacts_that_can_be_read),
    cmocka_unit_test(out_of_memory_is_clean_at_every_allocation),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
