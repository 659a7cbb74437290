// What a report tells of a run: motion, variables, events, contacts.
#include "show/report.h"

#include "base/map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- motion

static void writePoses(crReportWriting* writing, int body)
{
  const crResult* result = writing->picture->result;
  size_t first = crReportWriting_CountNumbers(writing);
  for (int i = 0; i < writing->rowCount; ++i) {
    const float* pose = crResult_GetPoses(result, crReportWriting_GetRow(writing, i)) + (size_t)CR_POSE_SIZE * body;
    for (int k = 0; k < CR_POSE_SIZE; ++k) {
      crBytes_AddFloat(writing->data, (double)pose[k]);
    }
  }
  crPutBlock(writing, "poses", first);
}

// Mass [kg], centre of mass [m] and inertia about it [kg m^2]: xx yy zz xy xz yz, in the frame of the body.
static void writeInertia(crJsonText* text, const crInertia* inertia)
{
  const crSym3* I = &inertia->I_com;
  const double moments[] = { I->xx, I->yy, I->zz, I->xy, I->xz, I->yz };
  crPutKeyNumber(text, "mass", inertia->mass);
  crPutVec3(text, "centre", inertia->com);
  crPutNumbers(text, "inertia", moments, 6);
}

void crWriteReportBodies(crReportWriting* writing)
{
  const crPicture* picture = writing->picture;
  crJsonText_Key(writing->text, "bodies");
  crJsonText_BeginArrayLines(writing->text);
  for (int i = 0; i < picture->bodyCount; ++i) {
    crJsonText_BeginObject(writing->text);
    crJsonText_KeyString(writing->text, "path", crModel_GetBodyPath(picture->model, i));
    if (i > 0 && crModel_GetBody(picture->model, i)->inertia.mass > 0.0) {
      writeInertia(writing->text, &crModel_GetBody(picture->model, i)->inertia);
    }
    if (picture->bodies[i] >= 0) {
      writePoses(writing, picture->bodies[i]);
    }
    crJsonText_EndObject(writing->text);
  }
  crJsonText_EndArray(writing->text);
}

void crWriteReportVariables(crReportWriting* writing)
{
  const crResult* result = writing->picture->result;
  crJsonText_Key(writing->text, "variables");
  crJsonText_BeginArrayLines(writing->text);
  for (int c = 0; c < crResult_CountColumns(result); ++c) {
    const crColumn* column = crResult_GetColumn(result, c);
    const double* values = crResult_GetValues(result, c);
    size_t first = crReportWriting_CountNumbers(writing);
    for (int i = 0; i < writing->rowCount; ++i) {
      crBytes_AddFloat(writing->data, values[crReportWriting_GetRow(writing, i)]);
    }
    crJsonText_BeginObject(writing->text);
    crJsonText_KeyString(writing->text, "name", column->name);
    crJsonText_KeyString(writing->text, "unit", column->unit);
    crJsonText_KeyString(writing->text, "description", column->description);
    crPutBlock(writing, "values", first);
    crJsonText_EndObject(writing->text);
  }
  crJsonText_EndArray(writing->text);
}

// ------------------------------------------------------------------------------------------- events

static void writeEvent(crJsonText* text, double time, const char* kind, const char* what)
{
  crJsonText_BeginObject(text);
  crJsonText_KeyNumber(text, "time", time);
  crJsonText_KeyString(text, "kind", kind);
  crJsonText_KeyString(text, "text", what);
  crJsonText_EndObject(text);
}

static void writeContactEvent(crReportWriting* writing, const crContactRecord* contact)
{
  const crResult* result = writing->picture->result;
  char what[2 * CR_MAX_PATH + 8];
  snprintf(what, sizeof what, "%s and %s", crResult_GetObjectPath(result, contact->objectA),
           crResult_GetObjectPath(result, contact->objectB));
  writeEvent(writing->text, contact->begin, "contact", what);
}

// How many of a list go into the report; what is left out is noted.
static int limitList(crReportWriting* writing, int count, const char* what)
{
  int limit = writing->options->maxContacts;
  if (count > limit) {
    char note[96];
    snprintf(note, sizeof note, "the first %d of %d %s are listed", limit, count, what);
    crReportWriting_AddNote(writing, note);
  }
  return count < limit ? count : limit;
}

// The events of the run and the begins of its contacts, merged by time: both lists are ordered.
static void writeEvents(crReportWriting* writing)
{
  const crResult* result = writing->picture->result;
  crJsonText_KeyNumber(writing->text, "eventCount", crResult_CountEvents(result) + crResult_CountContacts(result));
  int eventCount = limitList(writing, crResult_CountEvents(result), "events");
  int contactCount = crResult_CountContacts(result);
  contactCount = contactCount < writing->options->maxContacts ? contactCount : writing->options->maxContacts;
  crJsonText_Key(writing->text, "events");
  crJsonText_BeginArrayLines(writing->text);
  for (int e = 0, c = 0; e < eventCount || c < contactCount;) {
    const crResultEvent* event = crResult_GetEvent(result, e < eventCount ? e : -1);
    const crContactRecord* contact = crResult_GetContact(result, c < contactCount ? c : -1);
    if (contact == NULL || (event != NULL && event->time <= contact->begin)) {
      writeEvent(writing->text, event->time, event->kind, event->text);
      ++e;
    } else {
      writeContactEvent(writing, contact);
      ++c;
    }
  }
  crJsonText_EndArray(writing->text);
}

// ----------------------------------------------------------------------------------------- contacts

typedef struct ObjectPair {
  int32_t a, b;
} ObjectPair;

// Pairs of objects that touch, numbered as they come.
typedef struct Pairs {
  crAllocator allocator;
  crArrayOf(ObjectPair*) list; // each of its own, so that the map can point to it
  crMap numbers;
  crArena arena;
} Pairs;

// -1: out of memory.
static int findPair(Pairs* pairs, const crContactRecord* contact)
{
  ObjectPair pair = { contact->objectA, contact->objectB };
  int known = crMap_Find(&pairs->numbers, (const char*)&pair, sizeof pair);
  if (known >= 0) {
    return known;
  }
  ObjectPair* own = crArena_Copy(&pairs->arena, &pair, sizeof pair);
  ObjectPair** place = own != NULL ? crArray_Push(&pairs->list, &pairs->allocator) : NULL;
  if (place == NULL || !crMap_Set(&pairs->numbers, (const char*)own, sizeof *own, pairs->list.count - 1)) {
    return -1;
  }
  *place = own;
  return pairs->list.count - 1;
}

static void addVec3(crBytes* data, crVec3 vector)
{
  crBytes_AddFloat(data, vector.x);
  crBytes_AddFloat(data, vector.y);
  crBytes_AddFloat(data, vector.z);
}

// What is known of patches, for as many samples as writeSamples writes: area and pressures, and corners; and what each
// contact has dissipated so far.
static void writePatches(crReportWriting* writing)
{
  const crResult* result = writing->picture->result;
  crBytes* data = writing->data;
  const char* const names[] = { "measures", "cornerStarts", "corners", "losses" };
  for (int part = 0; part < 4; ++part) {
    size_t first = crReportWriting_CountNumbers(writing);
    int total = 0, count;
    for (int i = 0; i < writing->rowCount; ++i) {
      const crContactRecord* samples = crResult_GetContactSamples(result, crReportWriting_GetRow(writing, i), &count);
      for (int k = 0; k < count; ++k) {
        const crContactRecord* s = &samples[k];
        if (part == 0) {
          addVec3(data, crMakeVec3(s->area, s->meanPressure, s->maxPressure));
        } else if (part == 1) {
          crBytes_AddFloat(data, total);
          total += s->cornerCount;
        } else if (part == 3) {
          crBytes_AddFloat(data, s->dissipation);
        }
        for (int c = 0; part == 2 && c < s->cornerCount; ++c) {
          addVec3(data, s->corners[c].point);
          crBytes_AddFloat(data, s->corners[c].pressure);
        }
      }
    }
    if (part == 1) {
      crBytes_AddFloat(data, total);
    }
    crPutBlock(writing, names[part], first);
  }
}

static crStatus writeSamples(crReportWriting* writing, Pairs* pairs)
{
  const crResult* result = writing->picture->result;
  crBytes* data = writing->data;
  size_t first = crReportWriting_CountNumbers(writing);
  int total = 0, count;
  crBytes_AddFloat(data, 0.0);
  for (int i = 0; i < writing->rowCount; ++i) {
    crResult_GetContactSamples(result, crReportWriting_GetRow(writing, i), &count);
    total += count;
    crBytes_AddFloat(data, total);
  }
  crPutBlock(writing, "starts", first);
  first = crReportWriting_CountNumbers(writing);
  for (int i = 0; i < writing->rowCount; ++i) {
    const crContactRecord* samples = crResult_GetContactSamples(result, crReportWriting_GetRow(writing, i), &count);
    for (int k = 0; k < count; ++k) {
      int pair = findPair(pairs, &samples[k]);
      if (pair < 0) {
        return cr_errorMemory;
      }
      crBytes_AddFloat(data, pair);
      addVec3(data, samples[k].point);
      addVec3(data, samples[k].normal);
      addVec3(data, samples[k].force);
      crBytes_AddFloat(data, samples[k].depth);
    }
  }
  crPutBlock(writing, "samples", first);
  writePatches(writing);
  return cr_ok;
}

void crPutContact(crJsonText* text, const crContactRecord* contact)
{
  crPutKeyNumber(text, "begin", contact->begin);
  crPutKeyNumber(text, "end", contact->end);
  crPutKeyNumber(text, "approach", contact->approach);
  crPutKeyNumber(text, "separation", contact->separation);
  crPutKeyNumber(text, "restitution", contact->restitution);
  crPutKeyNumber(text, "maxForce", contact->maxForce);
  crPutKeyNumber(text, "maxDepth", contact->maxDepth);
  crPutKeyNumber(text, "dissipation", contact->dissipation);
  crPutKeyNumber(text, "slipPath", contact->slipPath);
}

static crStatus writeContactList(crReportWriting* writing, Pairs* pairs)
{
  const crResult* result = writing->picture->result;
  crJsonText* text = writing->text;
  int count = limitList(writing, crResult_CountContacts(result), "contacts");
  crJsonText_KeyNumber(text, "contactCount", crResult_CountContacts(result));
  crJsonText_Key(text, "contactList");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < count; ++i) {
    const crContactRecord* contact = crResult_GetContact(result, i);
    int pair = findPair(pairs, contact);
    if (pair < 0) {
      return cr_errorMemory;
    }
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "pair", pair);
    crPutContact(text, contact);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
  return cr_ok;
}

static void writePairs(crReportWriting* writing, const Pairs* pairs)
{
  const crResult* result = writing->picture->result;
  crJsonText_Key(writing->text, "pairs");
  crJsonText_BeginArrayLines(writing->text);
  for (int i = 0; i < pairs->list.count; ++i) {
    crJsonText_BeginArray(writing->text);
    crJsonText_String(writing->text, crResult_GetObjectPath(result, pairs->list.items[i]->a));
    crJsonText_String(writing->text, crResult_GetObjectPath(result, pairs->list.items[i]->b));
    crJsonText_EndArray(writing->text);
  }
  crJsonText_EndArray(writing->text);
}

// The list first: then all pairs are known when they are written.
static crStatus writeContacts(crReportWriting* writing, Pairs* pairs)
{
  crStatus status = writeContactList(writing, pairs);
  if (status != cr_ok) {
    return status;
  }
  crJsonText_Key(writing->text, "contacts");
  crJsonText_BeginObject(writing->text);
  status = writeSamples(writing, pairs);
  writePairs(writing, pairs);
  crJsonText_EndObject(writing->text);
  return status;
}

crStatus crWriteReportContacts(crReportWriting* writing)
{
  writeEvents(writing);
  if (crResult_CountObjects(writing->picture->result) == 0) {
    return cr_ok;
  }
  Pairs pairs = { .allocator = writing->picture->allocator };
  crMap_Init(&pairs.numbers, &pairs.allocator);
  crArena_Init(&pairs.arena, &pairs.allocator);
  crStatus status = writeContacts(writing, &pairs);
  crArray_Free(&pairs.list, &pairs.allocator);
  crMap_Free(&pairs.numbers);
  crArena_Free(&pairs.arena);
  return status;
}
