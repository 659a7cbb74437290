// Reading contacts: begins and ends are put together, samples are sorted into their rows.
#include "result/result_reader.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static bool isInside(const crResult* result, const crContactRecord* record)
{
  return record->objectA >= 0 && record->objectA < result->objectCount && record->objectB >= 0 &&
         record->objectB < result->objectCount;
}

// ----------------------------------------------------------------------------------------- contacts

// What tells contacts of a file apart: bodies follow from shapes, and old files do not have them.
typedef struct FileKey {
  int32_t objectA, objectB, shapeA, shapeB, touch;
} FileKey;

static FileKey keyOf(const crContactRecord* record)
{
  return (FileKey){ record->objectA, record->objectB, record->key.shapeA, record->key.shapeB, record->key.touch };
}

// The rest of a contact that ends or lasts; point, normal and slip stay those of its begin.
static void completeContact(crContactRecord* contact, const crContactRecord* record)
{
  contact->phase = record->phase;
  contact->end = record->end;
  contact->separation = record->separation;
  contact->restitution = contact->approach > 0.0 ? record->separation / contact->approach : NAN;
  contact->maxDepth = record->maxDepth;
  contact->maxForce = record->maxForce;
  contact->impulse = record->impulse;
  contact->dissipation = record->dissipation;
}

// Contacts that have turned out never to push are left out. Old files do not say which are those of observers.
static void dropIdle(crResult* result)
{
  int kept = 0;
  for (int i = 0; i < result->contactCount; ++i) {
    const crContactRecord* contact = &result->contacts[i];
    if (contact->response < 0 || crContactRecord_HasPushed(contact)) {
      result->contacts[kept++] = *contact;
    }
  }
  result->contactCount = kept;
}

// One contact for each begin; an end belongs to the last begin of its key that is still open.
static crStatus joinRecords(crResultReader* reader, const char* stored, int count)
{
  crResult* result = reader->result;
  crMap open; // key to contact, which may have ended
  crMap_Init(&open, &result->allocator);
  crArena keys;
  crArena_Init(&keys, &result->allocator);
  crStatus status = cr_ok;
  for (int i = 0; i < count && status == cr_ok; ++i) {
    crContactRecord record = crUnpackContact(stored + (size_t)i * crGetContactSize(reader->format), reader->format);
    FileKey key = keyOf(&record);
    int last = crMap_Find(&open, (const char*)&key, sizeof key);
    bool isOpen = last >= 0 && result->contacts[last].phase == cr_contactBegin;
    if (!isInside(result, &record) || !isfinite(record.time)) {
      status = crResultReader_ComplainDamage(reader, CR_DATASET_CONTACTS, "names an object that does not exist");
    } else if ((record.phase == cr_contactEnd || record.phase == cr_contactLast) && isOpen) {
      completeContact(&result->contacts[last], &record);
    } else if (record.phase == cr_contactBegin) {
      const char* own = crArena_Copy(&keys, &key, sizeof key); // the map keeps it
      bool isKept = own != NULL && crMap_Set(&open, own, sizeof key, result->contactCount);
      result->contacts[result->contactCount++] = record;
      status = isKept ? cr_ok : crResultReader_ComplainMemory(reader);
    }
  }
  crArena_Free(&keys);
  crMap_Free(&open);
  dropIdle(result);
  return status;
}

static bool isBefore(const crContactRecord* a, const crContactRecord* b)
{
  if (a->begin != b->begin) {
    return a->begin < b->begin;
  }
  const int32_t keyA[] = { a->objectA, a->objectB, a->key.shapeA, a->key.shapeB, a->key.touch };
  const int32_t keyB[] = { b->objectA, b->objectB, b->key.shapeA, b->key.shapeB, b->key.touch };
  for (int i = 0; i < 5; ++i) {
    if (keyA[i] != keyB[i]) {
      return keyA[i] < keyB[i];
    }
  }
  return false;
}

// Lets an element sink in a heap whose largest is on top.
static void sink(crContactRecord* contacts, int place, int count)
{
  crContactRecord contact = contacts[place];
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
static void sortContacts(crContactRecord* contacts, int count)
{
  for (int i = count / 2 - 1; i >= 0; --i) {
    sink(contacts, i, count);
  }
  for (int last = count - 1; last > 0; --last) {
    crContactRecord largest = contacts[0];
    contacts[0] = contacts[last];
    contacts[last] = largest;
    sink(contacts, 0, last);
  }
}

static crStatus readContactList(crResultReader* reader)
{
  crResult* result = reader->result;
  crStatus status = cr_ok;
  int count = 0;
  size_t size = crGetContactSize(reader->format);
  hid_t type = crMakeContactType(&reader->hdf5, reader->format);
  char* records =
      crResultReader_ReadRecords(reader, CR_DATASET_CONTACTS, type, size, "is no list of contacts", &count, &status);
  if (records == NULL) {
    return status;
  }
  result->contacts = crArena_AllocateZero(&result->arena, (size_t)count, sizeof(crContactRecord));
  status = result->contacts != NULL ? joinRecords(reader, records, count) : crResultReader_ComplainMemory(reader);
  crFree(&result->allocator, records, ((size_t)count + 1) * size);
  if (status == cr_ok) {
    sortContacts(result->contacts, result->contactCount);
  }
  return status;
}

// ------------------------------------------------------------------------------------------ samples

// Samples of rows that a killed run did not finish are left out.
static crStatus placeSamples(crResultReader* reader, const char* stored, int count)
{
  crResult* result = reader->result;
  size_t size = crGetSampleSize(reader->format);
  int row = 0;
  for (int i = 0; i < count; ++i) {
    int32_t own;
    memcpy(&own, stored + (size_t)i * size + offsetof(crStoredSample, row), sizeof own);
    if (own >= result->rowCount) {
      break;
    }
    crContactRecord sample = crUnpackSample(stored + (size_t)i * size, reader->format);
    if (own < row || !isInside(result, &sample)) {
      return crResultReader_ComplainDamage(reader, CR_DATASET_SAMPLES, "is not in order");
    }
    while (row < own) {
      result->sampleStarts[++row] = i;
    }
    sample.time = result->times[row];
    result->samples[result->sampleCount++] = sample;
  }
  while (row < result->rowCount) {
    result->sampleStarts[++row] = result->sampleCount;
  }
  return cr_ok;
}

static crStatus readSampleList(crResultReader* reader)
{
  crResult* result = reader->result;
  crStatus status = cr_ok;
  int count = 0;
  size_t size = crGetSampleSize(reader->format);
  hid_t type = crMakeSampleType(&reader->hdf5, reader->format);
  char* stored =
      crResultReader_ReadRecords(reader, CR_DATASET_SAMPLES, type, size, "is no list of contacts", &count, &status);
  if (stored == NULL) {
    return status;
  }
  result->samples = crArena_AllocateZero(&result->arena, (size_t)count, sizeof *result->samples);
  result->sampleStarts = crArena_AllocateZero(&result->arena, (size_t)result->rowCount + 1, sizeof(int));
  status = result->samples != NULL && result->sampleStarts != NULL ? placeSamples(reader, stored, count)
                                                                   : crResultReader_ComplainMemory(reader);
  crFree(&result->allocator, stored, ((size_t)count + 1) * size);
  return status;
}

crStatus crResultReader_ReadContacts(crResultReader* reader)
{
  crStatus status = cr_ok;
  if (crResultReader_Has(reader, CR_DATASET_CONTACTS)) {
    status = readContactList(reader);
  }
  if (status == cr_ok && crResultReader_Has(reader, CR_DATASET_SAMPLES)) {
    status = readSampleList(reader);
  }
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
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

const crContactRecord* crResult_GetContact(const crResult* result, int index)
{
  return index >= 0 && index < result->contactCount ? &result->contacts[index] : NULL;
}

const crContactRecord* crResult_GetContactSamples(const crResult* result, int row, int* outCount)
{
  *outCount = 0;
  if (result->sampleStarts == NULL || row < 0 || row >= result->rowCount) {
    return NULL;
  }
  int first = result->sampleStarts[row];
  *outCount = result->sampleStarts[row + 1] - first;
  return *outCount > 0 ? &result->samples[first] : NULL;
}
