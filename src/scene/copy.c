// Copies of scenes: one that needs nothing of what it was copied from, and one that borrows nearly all of it and is
// made in microseconds, to be edited and compiled.
#include "scene/structure.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- copying

// Adds an element of a scene to another one.
static crStatus addAgain(const crScene* from, crElementKind kind, crId id, crScene* to)
{
  switch (kind) {
    case cr_elementAssembly: return crScene_AddAssembly(to, crScene_GetAssembly(from, id), NULL);
    case cr_elementObject: return crScene_AddObject(to, crScene_GetObject(from, id), NULL);
    case cr_elementJoint: return crScene_AddJoint(to, crScene_GetJoint(from, id), NULL);
    case cr_elementForce: return crScene_AddForce(to, crScene_GetForce(from, id), NULL);
    case cr_elementSignal: return crScene_AddSignal(to, crScene_GetSignal(from, id), NULL);
    case cr_elementSolidMaterial: return crScene_AddSolidMaterial(to, crScene_GetSolidMaterial(from, id), NULL);
    case cr_elementContactPair: return crScene_AddContactPair(to, crScene_GetContactPair(from, id), NULL);
    case cr_elementVisualMaterial: return crScene_AddVisualMaterial(to, crScene_GetVisualMaterial(from, id), NULL);
    case cr_elementExclusion: return crScene_AddExclusion(to, crScene_GetExclusion(from, id), NULL);
    case cr_elementCoupling: return crScene_AddCoupling(to, crScene_GetCoupling(from, id), NULL);
    case cr_elementAction: return crScene_AddAction(to, crScene_GetAction(from, id), NULL);
    case cr_elementNone: break;
  }
  return cr_errorMisuse;
}

static crStatus addAll(const crScene* from, crScene* to)
{
  crStatus status = crScene_SetOptions(to, crScene_GetOptions(from));
  for (int kind = cr_elementAssembly; kind <= cr_elementAction; ++kind) {
    int count = crScene_Count(from, (crElementKind)kind);
    for (int i = 0; i < count && status == cr_ok; ++i) {
      crId id = crScene_GetId(from, (crElementKind)kind, i);
      status = crScene_IsPalette(from, id) ? cr_ok : addAgain(from, (crElementKind)kind, id, to);
    }
  }
  return status;
}

crStatus crCopyScene(const crScene* scene, const crAllocator* allocator, crScene** outScene)
{
  crStatus status = crCreateScene(allocator, NULL, outScene);
  status = status == cr_ok ? addAll(scene, *outScene) : status;
  if (status != cr_ok) {
    crDestroyScene(*outScene);
    *outScene = NULL;
  }
  return status;
}

// ----------------------------------------------------------------------------------------------- borrowing

static bool copyMap(const crMap* from, crMap* to)
{
  for (int i = 0; i < from->capacity; ++i) {
    const crMapSlot* slot = &from->slots[i];
    if (slot->key != NULL && !crMap_Set(to, slot->key, slot->keySize, slot->value)) {
      return false;
    }
  }
  return true;
}

#define COPY_ARRAY(name)                                                                                               \
  (crReserve(&to->allocator, &to->name.items, &to->name.capacity, from->name.count, sizeof *to->name.items) &&         \
   (to->name.count = from->name.count,                                                                                 \
    from->name.count == 0 ||                                                                                           \
        memcpy(to->name.items, from->name.items, (size_t)from->name.count * sizeof *to->name.items) != NULL))

static bool borrow(const crScene* from, crScene* to)
{
  to->options = from->options;
  return COPY_ARRAY(elements) && COPY_ARRAY(assemblies) && COPY_ARRAY(objects) && COPY_ARRAY(joints) &&
         COPY_ARRAY(forces) && COPY_ARRAY(signals) && COPY_ARRAY(solidMaterials) && COPY_ARRAY(contactPairs) &&
         COPY_ARRAY(visualMaterials) && COPY_ARRAY(exclusions) && COPY_ARRAY(couplings) &&
         copyMap(&from->paths, &to->paths) && copyMap(&from->solidMaterialNames, &to->solidMaterialNames) &&
         copyMap(&from->visualMaterialNames, &to->visualMaterialNames) &&
         copyMap(&from->contactPairNames, &to->contactPairNames);
}

crStatus crBorrowScene(const crScene* scene, const crAllocator* allocator, const crErrorSink* sink, crScene** outScene)
{
  *outScene = NULL;
  crScene* own = crMakeEmptyScene(allocator, sink);
  if (own == NULL) {
    return cr_errorMemory;
  }
  own->isBorrowed = true;
  if (!borrow(scene, own)) {
    crDestroyScene(own);
    return cr_errorMemory;
  }
  for (int i = 0; i < own->objects.count; ++i) {
    own->objects.items[i].number = i + 1;
  }
  *outScene = own;
  return cr_ok;
}
