// Contacts of a result: begins and ends are put together, samples are sorted into their rows.
#include "record/result.h"

#include <math.h>

static bool isKeyInside(const crResult* result, const crContactKey* key)
{
  return key->objectA >= 0 && key->objectA < result->objectCount && key->objectB >= 0 &&
         key->objectB < result->objectCount;
}

// ----------------------------------------------------------------------------------------- contacts

static void beginContact(crResultContact* contact, const crContactRecord* record)
{
  *contact = (crResultContact){ .key = record->key,
                                .begin = record->time,
                                .end = NAN,
                                .point = record->point,
                                .normal = record->normal,
                                .approach = record->speed,
                                .separation = NAN,
                                .restitution = NAN,
                                .slip = record->slip,
                                .cor = record->cor,
                                .damping = record->damping,
                                .radius = record->radius,
                                .maxDepth = NAN,
                                .maxForce = NAN,
                                .impulse = NAN,
                                .dissipation = NAN };
}

static void endContact(crResultContact* contact, const crContactRecord* record)
{
  contact->end = record->time;
  contact->separation = record->speed;
  contact->restitution = contact->approach > 0.0 ? record->speed / contact->approach : NAN;
  contact->maxDepth = record->maxDepth;
  contact->maxForce = record->maxForce;
  contact->impulse = record->impulse;
  contact->dissipation = record->dissipation;
}

// One contact for each begin; an end belongs to the last begin of its key that is still open.
static crStatus joinRecords(crResult* result, const crContactRecord* records, int count)
{
  crMap open; // key to contact, which may have ended
  crMap_Init(&open, &result->allocator);
  crStatus status = cr_ok;
  for (int i = 0; i < count && status == cr_ok; ++i) {
    const crContactRecord* record = &records[i];
    int last = crMap_Find(&open, (const char*)&record->key, sizeof record->key);
    bool isOpen = last >= 0 && isnan(result->contacts[last].end);
    if (!isKeyInside(result, &record->key) || !isfinite(record->time)) {
      status = cr_errorModel;
    } else if (record->change == cr_contactEnd && isOpen) {
      endContact(&result->contacts[last], record);
    } else if (record->change == cr_contactBegin) {
      beginContact(&result->contacts[result->contactCount], record);
      bool isKept = crMap_Set(&open, (const char*)&record->key, sizeof record->key, result->contactCount++);
      status = isKept ? cr_ok : cr_errorMemory;
    }
  }
  crMap_Free(&open);
  return status;
}

static bool isBefore(const crResultContact* a, const crResultContact* b)
{
  if (a->begin != b->begin) {
    return a->begin < b->begin;
  }
  const int32_t keyA[] = { a->key.objectA, a->key.objectB, a->key.shapeA, a->key.shapeB, a->key.feature };
  const int32_t keyB[] = { b->key.objectA, b->key.objectB, b->key.shapeA, b->key.shapeB, b->key.feature };
  for (int i = 0; i < 5; ++i) {
    if (keyA[i] != keyB[i]) {
      return keyA[i] < keyB[i];
    }
  }
  return false;
}

// Lets an element sink in a heap whose largest is on top.
static void sink(crResultContact* contacts, int place, int count)
{
  crResultContact contact = contacts[place];
  for (int child = 2 * place + 1; child < count; child = 2 * place + 1) {
    child += child + 1 < count && isBefore(&contacts[child], &contacts[child + 1]);
    if (!isBefore(&contact, &contacts[child])) {
      break;
    }
    contacts[place] = contacts[child];
    place = child;
  }
  contacts[place] = contact;
}

// Heapsort: qsort may take memory that is not our allocator's.
static void sortContacts(crResultContact* contacts, int count)
{
  for (int i = count / 2 - 1; i >= 0; --i) {
    sink(contacts, i, count);
  }
  for (int last = count - 1; last > 0; --last) {
    crResultContact largest = contacts[0];
    contacts[0] = contacts[last];
    contacts[last] = largest;
    sink(contacts, 0, last);
  }
}

crStatus crResult_SetContacts(crResult* result, const crContactRecord* records, int count)
{
  result->contacts = crArena_AllocateZero(&result->arena, (size_t)count, sizeof(crResultContact));
  crStatus status = result->contacts != NULL ? joinRecords(result, records, count) : cr_errorMemory;
  if (status == cr_ok) {
    sortContacts(result->contacts, result->contactCount);
  }
  return status;
}

// ------------------------------------------------------------------------------------------ samples

// Samples of rows that a killed run did not finish are left out.
static crStatus placeSamples(crResult* result, const crContactSample* samples, int count)
{
  int row = 0;
  for (int i = 0; i < count && samples[i].row < result->rowCount; ++i) {
    if (samples[i].row < row || !isKeyInside(result, &samples[i].key)) {
      return cr_errorModel;
    }
    while (row < samples[i].row) {
      result->sampleStarts[++row] = i;
    }
    result->samples[result->sampleCount++] = samples[i];
  }
  while (row < result->rowCount) {
    result->sampleStarts[++row] = result->sampleCount;
  }
  return cr_ok;
}

crStatus crResult_SetSamples(crResult* result, const crContactSample* samples, int count)
{
  result->samples = crArena_AllocateZero(&result->arena, (size_t)count, sizeof *samples);
  result->sampleStarts = crArena_AllocateZero(&result->arena, (size_t)result->rowCount + 1, sizeof(int));
  return result->samples != NULL && result->sampleStarts != NULL ? placeSamples(result, samples, count)
                                                                 : cr_errorMemory;
}

// ------------------------------------------------------------------------------------------ looking

int crResult_CountObjects(const crResult* result)
{
  return result->objectCount;
}

const char* crResult_GetObjectPath(const crResult* result, int object)
{
  return object >= 0 && object < result->objectCount ? result->objects[object] : NULL;
}

int crResult_CountContacts(const crResult* result)
{
  return result->contactCount;
}

const crResultContact* crResult_GetContact(const crResult* result, int index)
{
  return index >= 0 && index < result->contactCount ? &result->contacts[index] : NULL;
}

const crContactSample* crResult_GetContactSamples(const crResult* result, int row, int* outCount)
{
  *outCount = 0;
  if (result->sampleStarts == NULL || row < 0 || row >= result->rowCount) {
    return NULL;
  }
  int first = result->sampleStarts[row];
  *outCount = result->sampleStarts[row + 1] - first;
  return *outCount > 0 ? &result->samples[first] : NULL;
}
