// Contacts of a run whose structure has changed, by the numbers of the model that it began with: those of its objects,
// bodies and shapes, and for shapes that nothing could meet there, numbers behind all of these.
#include "sim/acting.h"

static int translateObject(const crModel* from, const crModel* to, int object)
{
  const char* path = crModel_GetObjectPath(from, object);
  return path != NULL ? crModel_FindObject(to, path) : -1;
}

// Features of all objects of the first scene before one.
static int countFeatures(const crScene* scene, int object)
{
  int count = 0;
  for (int i = 0; i < object; ++i) {
    count += scene->objects.items[i].def.featureCount;
  }
  return count;
}

#define CR_MOST_PIECES 1000 // of a mesh, whose numbers do not meet those of the next feature

static int translateShape(const crModel* from, const crModel* to, int shape)
{
  const crContactShape* record = crModel_GetContactShape(from, shape);
  if (record == NULL) {
    return -1;
  }
  const char* path = crModel_GetObjectPath(from, record->object);
  int known = crFindContactShape(to, path, record->feature, record->piece);
  if (known >= 0) {
    return known;
  }
  int object = crScene_IndexOf(to->scene, cr_elementObject, crScene_Find(to->scene, path));
  int feature = countFeatures(to->scene, object) + record->feature;
  return to->size.shapeCount + CR_MOST_PIECES * feature + record->piece % CR_MOST_PIECES;
}

static void swapInts(int32_t* a, int32_t* b)
{
  int32_t kept = *a;
  *a = *b;
  *b = kept;
}

void crSimulation_TranslateContact(const crSimulation* simulation, crContactRecord* ioRecord)
{
  if (simulation->acting == NULL || simulation->acting->own == NULL) {
    return;
  }
  const crModel *from = simulation->run.model, *to = simulation->acting->first;
  crContactKey* key = &ioRecord->key;
  ioRecord->objectA = translateObject(from, to, ioRecord->objectA);
  ioRecord->objectB = translateObject(from, to, ioRecord->objectB);
  key->shapeA = translateShape(from, to, key->shapeA);
  key->shapeB = translateShape(from, to, key->shapeB);
  key->bodyA = ioRecord->objectA >= 0 ? crModel_GetObject(to, ioRecord->objectA)->body : -1;
  key->bodyB = ioRecord->objectB >= 0 ? crModel_GetObject(to, ioRecord->objectB)->body : -1;
  if (key->shapeA > key->shapeB) { // A and B change places
    swapInts(&key->shapeA, &key->shapeB);
    swapInts(&key->bodyA, &key->bodyB);
    swapInts(&ioRecord->objectA, &ioRecord->objectB);
    ioRecord->normal = crNeg(ioRecord->normal);
    ioRecord->force = crNeg(ioRecord->force);
    ioRecord->torque = crNeg(ioRecord->torque);
  }
}
