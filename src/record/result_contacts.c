// Contacts of a result: begins and ends are put together, samples are sorted into their rows.
#include "record/result.h"

#include <math.h>
#include <stddef.h>

static bool isInside(const crResult* result, const crContactRecord* record)
{
  return record->objectA >= 0 && record->objectA < result->objectCount && record->objectB >= 0 &&
         record->objectB < result->objectCount;
}

// ----------------------------------------------------------------------------------------- contacts

// What tells contacts of a result apart. Bodies follow from shapes, and old files do not have them; in those the same
// two shapes touch several times at once, and the row of a record says which of these it is.
#define CR_KEY_NUMBERS 5
typedef struct Key {
  int32_t numbers[CR_KEY_NUMBERS];
} Key;

static Key keyOf(const crContactRecord* record)
{
  return (Key){ { record->objectA, record->objectB, record->key.shapeA, record->key.shapeB, record->row } };
}

// What is known of a contact when it begins.
static crContactRecord beginContact(const crContactRecord* record)
{
  crContactRecord contact = crDefaultContactRecord(cr_contactBegin, record->time);
  contact.key = record->key;
  contact.objectA = record->objectA;
  contact.objectB = record->objectB;
  contact.observer = record->observer;
  contact.begin = record->time;
  contact.point = record->point;
  contact.normal = record->normal;
  contact.slip = record->slip;
  contact.approach = record->approach;
  contact.cor = record->cor;
  contact.damping = record->damping;
  contact.radius = record->radius;
  return contact;
}

// The rest of a contact that ends or lasts.
static void completeContact(crContactRecord* contact, const crContactRecord* record)
{
  bool isEnd = record->phase == cr_contactEnd;
  contact->phase = record->phase;
  contact->end = isEnd ? record->time : NAN;
  contact->separation = isEnd ? record->separation : NAN;
  contact->restitution = contact->approach > 0.0 ? contact->separation / contact->approach : NAN;
  contact->maxDepth = record->maxDepth;
  contact->maxForce = record->maxForce;
  contact->impulse = record->impulse;
  contact->dissipation = record->dissipation;
  contact->slipPath = record->slipPath;
  contact->creep = record->creep;
}

// Contacts that have turned out never to push are left out. Old files do not say which are those of observers.
static void dropIdle(crResult* result)
{
  int kept = 0;
  for (int i = 0; i < result->contactCount; ++i) {
    const crContactRecord* contact = &result->contacts[i];
    if (contact->observer < 0 || crContactRecord_HasPushed(contact)) {
      result->contacts[kept++] = *contact;
    }
  }
  result->contactCount = kept;
}

// One contact for each begin; an end belongs to the last begin of its key that is still open. keys: (count) room
static crStatus joinRecords(crResult* result, const crContactRecord* records, int count, Key* keys)
{
  crMap open; // key to contact, which may have ended
  crMap_Init(&open, &result->allocator);
  crStatus status = cr_ok;
  for (int i = 0; i < count && status == cr_ok; ++i) {
    const crContactRecord* record = &records[i];
    keys[i] = keyOf(record);
    const char* key = (const char*)&keys[i];
    int last = crMap_Find(&open, key, sizeof *keys);
    bool isOpen = last >= 0 && result->contacts[last].phase == cr_contactBegin;
    if (!isInside(result, record) || !isfinite(record->time)) {
      status = cr_errorModel;
    } else if ((record->phase == cr_contactEnd || record->phase == cr_contactLast) && isOpen) {
      completeContact(&result->contacts[last], record);
    } else if (record->phase == cr_contactBegin) {
      result->contacts[result->contactCount] = beginContact(record);
      status = crMap_Set(&open, key, sizeof *keys, result->contactCount++) ? cr_ok : cr_errorMemory;
    }
  }
  crMap_Free(&open);
  dropIdle(result);
  return status;
}

static bool isBefore(const crContactRecord* a, const crContactRecord* b)
{
  if (a->begin != b->begin) {
    return a->begin < b->begin;
  }
  Key x = keyOf(a), y = keyOf(b);
  for (int i = 0; i < CR_KEY_NUMBERS; ++i) {
    if (x.numbers[i] != y.numbers[i]) {
      return x.numbers[i] < y.numbers[i];
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

crStatus crResult_SetContacts(crResult* result, const crContactRecord* records, int count)
{
  Key* keys = crAllocateZero(&result->allocator, (size_t)count + 1, sizeof *keys);
  result->contacts = crArena_AllocateZero(&result->arena, (size_t)count, sizeof(crContactRecord));
  crStatus status =
      keys != NULL && result->contacts != NULL ? joinRecords(result, records, count, keys) : cr_errorMemory;
  crFree(&result->allocator, keys, keys != NULL ? ((size_t)count + 1) * sizeof *keys : 0);
  if (status == cr_ok) {
    sortContacts(result->contacts, result->contactCount);
  }
  return status;
}

// ------------------------------------------------------------------------------------------ samples

// What results keep of a contact at a row, in memory and in files.
static crContactRecord makeSample(const crContactRecord* record, double time)
{
  crContactRecord sample = crDefaultContactRecord(cr_contactNow, time);
  sample.key = record->key;
  sample.objectA = record->objectA;
  sample.objectB = record->objectB;
  sample.row = record->row;
  sample.point = record->point;
  sample.normal = record->normal;
  sample.depth = record->depth;
  sample.depthRate = record->depthRate;
  sample.slip = record->slip;
  sample.dissipation = record->dissipation;
  sample.slipPath = record->slipPath;
  sample.mode = record->mode;
  sample.coneShare = record->coneShare;
  sample.force = record->force;
  sample.torque = record->torque;
  sample.normalForce = crDot(record->force, record->normal);
  sample.area = record->area;
  sample.meanPressure = record->meanPressure;
  sample.maxPressure = record->maxPressure;
  sample.corners = record->cornerCount > 0 ? record->corners : NULL;
  sample.cornerCount = sample.corners != NULL ? record->cornerCount : 0;
  return sample;
}

// Samples of rows that a killed run did not finish are left out.
static crStatus placeSamples(crResult* result, int count, crGiveSample* give, void* context)
{
  int row = 0;
  bool isOver = false;
  for (int i = 0; i < count && !isOver; ++i) {
    crContactRecord sample = give(context, i);
    isOver = sample.row >= result->rowCount;
    if (!isOver && (sample.row < row || !isInside(result, &sample))) {
      return cr_errorModel;
    }
    while (!isOver && row < sample.row) {
      result->sampleStarts[++row] = i;
    }
    if (!isOver) {
      result->samples[result->sampleCount++] = makeSample(&sample, result->times[row]);
    }
  }
  while (row < result->rowCount) {
    result->sampleStarts[++row] = result->sampleCount;
  }
  return cr_ok;
}

crStatus crResult_SetSamples(crResult* result, int count, crGiveSample* give, void* context)
{
  size_t size = sizeof *result->samples;
  bool fits = (size_t)count <= SIZE_MAX / size;
  result->samples = fits ? crArena_Allocate(&result->arena, (size_t)count * size) : NULL;
  result->sampleStarts = crArena_AllocateZero(&result->arena, (size_t)result->rowCount + 1, sizeof(int));
  return result->samples != NULL && result->sampleStarts != NULL ? placeSamples(result, count, give, context)
                                                                 : cr_errorMemory;
}

// ------------------------------------------------------------------------------------------ looking

int crResult_CountObjects(const crResult* result)
{
  return result != NULL ? result->objectCount : 0;
}

const char* crResult_GetObjectPath(const crResult* result, int object)
{
  return object >= 0 && object < crResult_CountObjects(result) ? result->objects[object] : NULL;
}

int crResult_CountContacts(const crResult* result)
{
  return result != NULL ? result->contactCount : 0;
}

const crContactRecord* crResult_GetContact(const crResult* result, int index)
{
  return index >= 0 && index < crResult_CountContacts(result) ? &result->contacts[index] : NULL;
}

const crContactRecord* crResult_GetContactSamples(const crResult* result, int row, int* outCount)
{
  if (outCount == NULL) {
    return NULL;
  }
  *outCount = 0;
  if (result == NULL || result->sampleStarts == NULL || row < 0 || row >= result->rowCount) {
    return NULL;
  }
  int first = result->sampleStarts[row];
  *outCount = result->sampleStarts[row + 1] - first;
  return *outCount > 0 ? &result->samples[first] : NULL;
}
