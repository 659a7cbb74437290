// Contacts of a set as fields of an archive. What follows from the model, laws and ways to find touches, is looked up
// again; lists that follow from the pairs are made anew.
#include "contact/contact.h"

// ------------------------------------------------------------------------------------------- contacts

static void archiveVec3(crArchive* archive, crVec3* v)
{
  crArchive_Double(archive, &v->x);
  crArchive_Double(archive, &v->y);
  crArchive_Double(archive, &v->z);
}

static void archiveMemory(crArchive* archive, crContactMemory* memory)
{
  crArchive_Double(archive, &memory->approach);
  crArchive_Double(archive, &memory->cor);
  crArchive_Double(archive, &memory->damping);
  crArchive_Double(archive, &memory->stiffness);
  crArchive_Double(archive, &memory->exponent);
  crArchive_Double(archive, &memory->radius);
  crArchive_Double(archive, &memory->lever);
}

static void archiveTouch(crArchive* archive, crTouch* touch)
{
  crArchive_Double(archive, &touch->distance);
  archiveVec3(archive, &touch->normal);
  archiveVec3(archive, &touch->point);
}

static void archiveMotion(crArchive* archive, crContactMotion* motion)
{
  crArchive_Double(archive, &motion->depth);
  crArchive_Double(archive, &motion->rate);
  archiveVec3(archive, &motion->normal);
  archiveVec3(archive, &motion->slip);
  archiveVec3(archive, &motion->turn);
}

static void archiveForce(crArchive* archive, crContactForce* force)
{
  archiveVec3(archive, &force->force);
  archiveVec3(archive, &force->torque);
  crArchive_Double(archive, &force->normalForce);
  crArchive_Double(archive, &force->elastic);
  crArchive_Double(archive, &force->dissipation);
}

static void archivePoint(crArchive* archive, crContactPoint* point)
{
  crArchive_Double(archive, &point->force);
  crArchive_Double(archive, &point->power);
  crArchive_Double(archive, &point->depth);
  crArchive_Double(archive, &point->rate);
  crArchive_Double(archive, &point->slide);
  crArchive_Double(archive, &point->stored);
  crArchive_Double(archive, &point->release);
}

static void archiveParts(crArchive* archive, crContactParts* parts)
{
  archivePoint(archive, &parts->start);
  crArchive_Double(archive, &parts->time);
  crArchive_Double(archive, &parts->impulse);
  crArchive_Double(archive, &parts->dissipation);
  crArchive_Double(archive, &parts->slipPath);
  crArchive_Double(archive, &parts->maxDepth);
  crArchive_Double(archive, &parts->maxForce);
}

static void archiveContact(crArchive* archive, crContact* contact)
{
  archiveMemory(archive, &contact->memory);
  crBristle_Archive(archive, &contact->bristle);
  crArchive_Int(archive, &contact->place, -1, INT32_MAX);
  crArchive_Double(archive, &contact->begin);
  crArchive_Double(archive, &contact->approach);
  crArchive_Bool(archive, &contact->isNew);
  crArchive_Bool(archive, &contact->isHeld);
  crArchive_Double(archive, &contact->before);
  crArchive_Bool(archive, &contact->isTouching);
  crArchive_Bool(archive, &contact->isSettled);
  crArchive_Bool(archive, &contact->hasSums);
  crArchive_Bool(archive, &contact->hasParts);
  crArchive_Bool(archive, &contact->hasPeaks);
  crArchive_Double(archive, &contact->maxDepth);
  crArchive_Double(archive, &contact->maxForce);
  crArchive_Double(archive, &contact->impulse);
  crArchive_Double(archive, &contact->dissipation);
  crArchive_Double(archive, &contact->slipPath);
  crArchive_Double(archive, &contact->creep.path);
  crArchive_Double(archive, &contact->creep.time);
  crArchive_Double(archive, &contact->creep.load);
  crArchive_Double(archive, &contact->creep.depth);
  crArchive_Double(archive, &contact->lastSlip);
  crArchive_Double(archive, &contact->lastTurn);
  crArchive_Double(archive, &contact->slipRate);
  crArchive_Double(archive, &contact->turnRate);
  archiveTouch(archive, &contact->now);
  archiveMotion(archive, &contact->motion);
  archiveForce(archive, &contact->force);
  archiveVec3(archive, &contact->drag);
  crArchive_Double(archive, &contact->area);
  crArchive_Double(archive, &contact->pressure);
  crArchive_Double(archive, &contact->grip);
  crArchive_Double(archive, &contact->load);
  crArchive_Double(archive, &contact->stored);
  crArchive_Double(archive, &contact->release);
  crArchive_Double(archive, &contact->impulseSum);
  crArchive_Double(archive, &contact->dissipationSum);
  crArchive_Double(archive, &contact->slideSum);
  crArchive_Double(archive, &contact->releaseSum);
  archivePoint(archive, &contact->start);
  archiveParts(archive, &contact->parts);
  crArchive_Double(archive, &contact->nearStart);
  crArchive_Double(archive, &contact->nearEnd);
}

crArchive_Covers(crContact, 904);
crArchive_Covers(crTouchingPair, 64);
crArchive_Covers(crContactRecord, 376);
crArchive_Covers(crContacts, 440);

// ---------------------------------------------------------------------------------------------- pairs

#define CR_LEAST_PAIR 124  // [bytes] that a pair takes with its contact, at least,
#define CR_LEAST_EVENT 100 // and an event

static int countVertices(const crShape* shape)
{
  return shape->kind == cr_shapeHull ? shape->core.hull->vertexCount : 1;
}

static void archiveCache(crArchive* archive, const crShape* a, const crShape* b, crDistanceCache* cache)
{
  crArchive_Doubles(archive, cache->direction, 3);
  crArchive_Int(archive, &cache->supportA, 0, countVertices(a) - 1);
  crArchive_Int(archive, &cache->supportB, 0, countVertices(b) - 1);
  crArchive_Int(archive, &cache->isFilled, 0, 1);
}

// Two shapes of the set that can meet; false: refused.
static bool archiveShapes(crArchive* archive, const crContacts* contacts, crTouchingPair* pair)
{
  crArchive_Int(archive, &pair->shapeA, 0, contacts->shapeCount - 1);
  crArchive_Int(archive, &pair->shapeB, 0, contacts->shapeCount - 1);
  if (!archive->isReading || !crArchive_IsGood(archive)) {
    return crArchive_IsGood(archive);
  }
  if (!crContacts_MakePair(contacts, (crBoxPair){ pair->shapeA, pair->shapeB }, pair)) {
    crArchive_Refuse(archive, "two shapes touch that cannot meet");
    return false;
  }
  return true;
}

static bool hasRoom(crArchive* archive, bool isTrue)
{
  crArchive_Fail(archive, isTrue ? cr_ok : cr_errorMemory);
  return isTrue;
}

static void archivePair(crArchive* archive, crContacts* contacts, int index)
{
  crTouchingPair* pair = &contacts->pairs.items[index];
  if (archive->isReading) {
    *pair = (crTouchingPair){ .law = NULL };
  }
  if (!archiveShapes(archive, contacts, pair)) {
    return;
  }
  const crTouchingPair* before = pair - 1;
  if (archive->isReading && index > 0 &&
      crComparePairs(before->shapeA, before->shapeB, pair->shapeA, pair->shapeB) >= 0) {
    crArchive_Refuse(archive, "pairs are not in their order");
    return;
  }
  const crShape* shapes = contacts->model->shapes;
  archiveCache(archive, &shapes[pair->shapeA], &shapes[pair->shapeB], &pair->cache);
  crContact* contact = &contacts->contacts.items[index];
  archiveContact(archive, contact);
  bool isArea = pair->path == cr_touchArea;
  bool isPlaced = contact->place >= 0 && contact->place <= contacts->bristleCount - contact->bristle.count;
  if (archive->isReading && (contact->bristle.count != crCountBristles(pair->law, isArea) ||
                             (contact->bristle.count > 0 && (contact->bristle.isPatch != isArea || !isPlaced)))) {
    crArchive_Refuse(archive, "a contact sticks that does not, or the other way round");
  }
}

void crContactRecord_Archive(crArchive* archive, const crModel* model, crContactRecord* record)
{
  crArchive_Int(archive, &record->key.bodyA, 0, model->size.bodyCount - 1);
  crArchive_Int(archive, &record->key.bodyB, 0, model->size.bodyCount - 1);
  crArchive_Int(archive, &record->key.shapeA, 0, model->size.shapeCount - 1);
  crArchive_Int(archive, &record->key.shapeB, 0, model->size.shapeCount - 1);
  crArchive_Int(archive, &record->objectA, 0, model->size.objectCount - 1);
  crArchive_Int(archive, &record->objectB, 0, model->size.objectCount - 1);
  crArchive_Int(archive, &record->phase, cr_contactBegin, cr_contactNow);
  crArchive_Int(archive, &record->observer, -1, 1);
  crArchive_Int(archive, &record->row, -1, INT32_MAX);
  crArchive_Int(archive, &record->mode, cr_modeNone, cr_modeRolling);
  crArchive_Double(archive, &record->time);
  crArchive_Double(archive, &record->begin);
  crArchive_Double(archive, &record->end);
  archiveVec3(archive, &record->point);
  archiveVec3(archive, &record->normal);
  crArchive_Double(archive, &record->depth);
  crArchive_Double(archive, &record->depthRate);
  crArchive_Double(archive, &record->slip);
  crArchive_Double(archive, &record->approach);
  crArchive_Double(archive, &record->separation);
  crArchive_Double(archive, &record->restitution);
  crArchive_Double(archive, &record->cor);
  crArchive_Double(archive, &record->damping);
  crArchive_Double(archive, &record->radius);
  crArchive_Double(archive, &record->maxDepth);
  crArchive_Double(archive, &record->maxForce);
  crArchive_Double(archive, &record->impulse);
  crArchive_Double(archive, &record->dissipation);
  crArchive_Double(archive, &record->slipPath);
  crArchive_Double(archive, &record->creep.path);
  crArchive_Double(archive, &record->creep.time);
  crArchive_Double(archive, &record->creep.share);
  crArchive_Double(archive, &record->creep.depth);
  archiveVec3(archive, &record->force);
  archiveVec3(archive, &record->torque);
  crArchive_Double(archive, &record->normalForce);
  crArchive_Double(archive, &record->elastic);
  crArchive_Double(archive, &record->power);
  crArchive_Double(archive, &record->coneShare);
  crArchive_Double(archive, &record->area);
  crArchive_Double(archive, &record->meanPressure);
  crArchive_Double(archive, &record->maxPressure);
  if (archive->isReading) {
    record->corners = NULL; // events have none
    record->cornerCount = 0;
  }
}

// ------------------------------------------------------------------------------------------------ set

static void archiveEvents(crArchive* archive, crContacts* contacts)
{
  int count = contacts->events.count;
  crArchive_Count(archive, &count, INT32_MAX, CR_LEAST_EVENT);
  if (archive->isReading && !hasRoom(archive, crMakeRoom(&contacts->events, count, &contacts->allocator))) {
    return;
  }
  for (int i = 0; i < count && crArchive_IsGood(archive); ++i) {
    crContactRecord_Archive(archive, contacts->model, &contacts->events.items[i]);
  }
  contacts->events.count = crArchive_IsGood(archive) ? count : 0;
}

void crContacts_Archive(crArchive* archive, crContacts* contacts)
{
  if (archive->isReading) {
    crContacts_Clear(contacts);
  }
  int count = contacts->pairs.count;
  crArchive_Double(archive, &contacts->lastEvent);
  crArchive_Bool(archive, &contacts->isCrowd);
  crArchive_Count(archive, &contacts->bristleCount, INT32_MAX, sizeof(double)); // states that come behind
  crArchive_Count(archive, &count, INT32_MAX, CR_LEAST_PAIR);
  if (archive->isReading && !hasRoom(archive, crMakeRoom(&contacts->pairs, count, &contacts->allocator) &&
                                                  crMakeRoom(&contacts->contacts, count, &contacts->allocator) &&
                                                  crContacts_ReserveLists(contacts, count))) {
    return;
  }
  for (int k = 0; k < count && crArchive_IsGood(archive); ++k) {
    archivePair(archive, contacts, k);
  }
  archiveEvents(archive, contacts);
  if (archive->isReading) {
    contacts->pairs.count = crArchive_IsGood(archive) ? count : 0;
    contacts->contacts.count = contacts->pairs.count;
    crContacts_ListAgain(contacts);
  }
}
