#include "support/same_result.h"

#include "support/test.h"

#include <string.h>

static void assertSameBytes(const void* a, const void* b, size_t size)
{
  assert_true(size == 0 || (a != NULL && b != NULL));
  if (size > 0) {
    assert_memory_equal(a, b, size);
  }
}

static void assertSameColumns(const crResult* a, const crResult* b)
{
  size_t rows = (size_t)crResult_CountRows(a);
  assert_int_equal(crResult_CountColumns(a), crResult_CountColumns(b));
  for (int i = 0; i < crResult_CountColumns(a); ++i) {
    const crColumn *x = crResult_GetColumn(a, i), *y = crResult_GetColumn(b, i);
    assert_string_equal(x->name, y->name);
    assert_string_equal(x->unit, y->unit);
    assert_string_equal(x->description, y->description);
    assert_int_equal(crResult_FindColumn(b, x->name), i);
    assertSameBytes(crResult_GetValues(a, i), crResult_GetValues(b, i), rows * sizeof(double));
  }
}

static void assertSameBodies(const crResult* a, const crResult* b)
{
  assert_int_equal(crResult_CountBodies(a), crResult_CountBodies(b));
  for (int i = 0; i < crResult_CountBodies(a); ++i) {
    assert_string_equal(crResult_GetBody(a, i), crResult_GetBody(b, i));
  }
  size_t size = (size_t)crResult_CountBodies(a) * CR_POSE_SIZE * sizeof(float);
  for (int row = 0; row < crResult_CountRows(a); ++row) {
    assertSameBytes(crResult_GetPoses(a, row), crResult_GetPoses(b, row), size);
  }
}

// Numbers of things and numbers, without what lies between them in memory, and where the corners are.
static void assertSameRecord(const crContactRecord* a, const crContactRecord* b)
{
  assertSameBytes(a, b, offsetof(crContactRecord, mode) + sizeof a->mode);
  assertSameBytes(&a->time, &b->time, offsetof(crContactRecord, corners) - offsetof(crContactRecord, time));
}

static void assertSameSamples(const crContactRecord* a, const crContactRecord* b, int count)
{
  for (int i = 0; i < count; ++i) {
    assertSameRecord(&a[i], &b[i]);
    assertSameBytes(a[i].corners, b[i].corners, (size_t)a[i].cornerCount * sizeof *a[i].corners);
  }
}

static void assertSameContacts(const crResult* a, const crResult* b)
{
  assert_int_equal(crResult_CountObjects(a), crResult_CountObjects(b));
  assert_int_equal(crResult_CountContacts(a), crResult_CountContacts(b));
  for (int i = 0; i < crResult_CountContacts(a); ++i) {
    assertSameRecord(crResult_GetContact(a, i), crResult_GetContact(b, i));
  }
  for (int row = 0; row < crResult_CountRows(a); ++row) {
    int countA, countB;
    const crContactRecord* samplesA = crResult_GetContactSamples(a, row, &countA);
    const crContactRecord* samplesB = crResult_GetContactSamples(b, row, &countB);
    assert_int_equal(countA, countB);
    assertSameSamples(samplesA, samplesB, countA);
  }
}

void assert_same_records(const crResult* a, const crResult* b)
{
  assert_int_equal(crResult_CountRows(a), crResult_CountRows(b));
  assertSameBytes(crResult_GetTimes(a), crResult_GetTimes(b), (size_t)crResult_CountRows(a) * sizeof(double));
  assertSameColumns(a, b);
  assertSameBodies(a, b);
  assertSameContacts(a, b);
  assert_int_equal(crResult_CountEvents(a), crResult_CountEvents(b));
  for (int i = 0; i < crResult_CountEvents(a); ++i) {
    const crResultEvent *x = crResult_GetEvent(a, i), *y = crResult_GetEvent(b, i);
    assert_true(x->time == y->time);
    assert_string_equal(x->kind, y->kind);
    assert_string_equal(x->text, y->text);
  }
}
