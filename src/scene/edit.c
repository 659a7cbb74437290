// Removing and replacing elements.
//
// What replaces another is added first, at the end, while the scene knows whose place it takes (`replaced`), and then
// moved there: so it is checked and copied as anything that is added. Materials are added in place, their names being
// theirs.
#include "scene/scene.h"

#include <string.h>

bool crScene_IsReplaced(const crScene* scene, crElementKind kind, int index)
{
  return kind != cr_elementNone && scene->replaced.kind == kind && scene->replaced.index == index;
}

// -------------------------------------------------------------------------------------------- one element

static void destroyShapes(const crScene* scene, crSceneObject* object)
{
  for (int k = 0; !scene->isBorrowed && k < object->def.featureCount; ++k) {
    crDestroyShape(object->shapes[k]);
  }
}

// The path of an element; NULL: its kind has none.
static const char* findPath(const crScene* scene, crElementKind kind, int index)
{
  switch (kind) {
    case cr_elementAssembly: return scene->assemblies.items[index].name;
    case cr_elementObject: return scene->objects.items[index].def.name;
    case cr_elementJoint: return scene->joints.items[index].name;
    case cr_elementForce: return scene->forces.items[index].name;
    case cr_elementSignal: return scene->signals.items[index].def.name;
    case cr_elementCoupling: return scene->couplings.items[index].name;
    case cr_elementAction: return scene->actions.items[index].name;
    default: return NULL;
  }
}

// Takes item `index` out of an array, and puts what `from` says in its place: the last item, or what follows it.
#define MOVE_LAST(array, index) (array).items[index] = (array).items[--(array).count]
#define CLOSE_GAP(array, index)                                                                                        \
  memmove(&(array).items[index], &(array).items[(index) + 1],                                                          \
          (size_t)(--(array).count - (index)) * sizeof *(array).items)

// --------------------------------------------------------------------------------------------- removing

static void closeGap(crScene* scene, crElementKind kind, int index)
{
  switch (kind) {
    case cr_elementAssembly: CLOSE_GAP(scene->assemblies, index); break;
    case cr_elementObject:
      destroyShapes(scene, &scene->objects.items[index]);
      CLOSE_GAP(scene->objects, index);
      break;
    case cr_elementJoint: CLOSE_GAP(scene->joints, index); break;
    case cr_elementForce: CLOSE_GAP(scene->forces, index); break;
    case cr_elementSignal: CLOSE_GAP(scene->signals, index); break;
    case cr_elementSolidMaterial: CLOSE_GAP(scene->solidMaterials, index); break;
    case cr_elementContactPair: CLOSE_GAP(scene->contactPairs, index); break;
    case cr_elementVisualMaterial: CLOSE_GAP(scene->visualMaterials, index); break;
    case cr_elementExclusion: CLOSE_GAP(scene->exclusions, index); break;
    case cr_elementCoupling: CLOSE_GAP(scene->couplings, index); break;
    case cr_elementAction: CLOSE_GAP(scene->actions, index); break;
    case cr_elementNone: break;
  }
}

static void forgetName(crScene* scene, crElementKind kind, int index)
{
  const char* path = findPath(scene, kind, index);
  char key[CR_MAX_PAIR_KEY];
  if (path != NULL) {
    crMap_RemoveString(&scene->paths, path);
    for (int i = 0; i < scene->elements.count; ++i) {
      crElementRef* ref = &scene->elements.items[i];
      ref->index -= ref->kind == kind && ref->index > index;
    }
  } else if (kind == cr_elementSolidMaterial) {
    crMap_RemoveString(&scene->solidMaterialNames, scene->solidMaterials.items[index].def.name);
    crMap_CloseGap(&scene->solidMaterialNames, index);
  } else if (kind == cr_elementVisualMaterial) {
    crMap_RemoveString(&scene->visualMaterialNames, scene->visualMaterials.items[index].name);
    crMap_CloseGap(&scene->visualMaterialNames, index);
  } else if (kind == cr_elementContactPair) {
    const crContactPairDef* pair = &scene->contactPairs.items[index].def;
    if (crMakePairKey(pair->materialA, pair->materialB, key)) {
      crMap_RemoveString(&scene->contactPairNames, key);
    }
    crMap_CloseGap(&scene->contactPairNames, index);
  }
}

// Keeps the numbers of removed elements in order; false: out of memory.
static bool rememberNumber(crScene* scene, crElementKind kind, int number)
{
  int* place = crArray_Push(&scene->removed[kind], &scene->allocator);
  if (place == NULL) {
    return false;
  }
  int i = scene->removed[kind].count - 1;
  for (; i > 0 && scene->removed[kind].items[i - 1] > number; --i) {
    scene->removed[kind].items[i] = scene->removed[kind].items[i - 1];
  }
  scene->removed[kind].items[i] = number;
  return true;
}

static bool restorePalette(crScene* scene, crElementKind kind, int index)
{
  return (kind == cr_elementSolidMaterial && crScene_RestoreSolidMaterial(scene, index)) ||
         (kind == cr_elementContactPair && crScene_RestoreContactPair(scene, index));
}

crStatus crScene_Remove(crScene* scene, crId id)
{
  crElementKind kind = id.kind <= cr_elementAction ? (crElementKind)id.kind : cr_elementNone;
  int index = kind != cr_elementNone ? crScene_IndexOf(scene, kind, id) : -1;
  if (index < 0) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, (crSource){ NULL, 0, 0 }, NULL);
  if (crScene_IsPalette(scene, id)) {
    crComplaint complaint = { .message = "an entry of the palette cannot be removed, every scene has it",
                              .hint = "add another one of its name, which takes its place" };
    crReport(&reporter, cr_severityError, cr_errorMisuse, &complaint);
    return cr_errorMisuse;
  }
  if (restorePalette(scene, kind, index)) {
    return cr_ok;
  }
  if (!rememberNumber(scene, kind, (int)id.index1 - 1)) {
    return cr_errorMemory;
  }
  forgetName(scene, kind, index);
  closeGap(scene, kind, index);
  return cr_ok;
}

// -------------------------------------------------------------------------------------------- replacing

// The index of what is to be replaced; -1: there is no such element, or no def.
static int beginReplacing(crScene* scene, crElementKind kind, crId id, const void* def)
{
  int index = def != NULL ? crScene_IndexOf(scene, kind, id) : -1;
  if (index >= 0) {
    scene->replaced = (crElementRef){ kind, index };
  }
  return index;
}

static void moveLast(crScene* scene, crElementKind kind, int index)
{
  switch (kind) {
    case cr_elementAssembly: MOVE_LAST(scene->assemblies, index); break;
    case cr_elementObject:
      destroyShapes(scene, &scene->objects.items[index]);
      MOVE_LAST(scene->objects, index);
      break;
    case cr_elementJoint: MOVE_LAST(scene->joints, index); break;
    case cr_elementForce: MOVE_LAST(scene->forces, index); break;
    case cr_elementSignal: MOVE_LAST(scene->signals, index); break;
    case cr_elementExclusion: MOVE_LAST(scene->exclusions, index); break;
    case cr_elementCoupling: MOVE_LAST(scene->couplings, index); break;
    case cr_elementAction: MOVE_LAST(scene->actions, index); break;
    default: break; // materials are in place
  }
}

// Brings what was added to its place.
static crStatus endReplacing(crScene* scene, crElementKind kind, int index, crStatus status)
{
  scene->replaced = (crElementRef){ cr_elementNone, 0 };
  if (status != cr_ok) {
    return status;
  }
  const char* path = findPath(scene, kind, index);
  if (path != NULL) {
    const char* newPath = findPath(scene, kind, crScene_Count(scene, kind) - 1);
    if (strcmp(path, newPath) != 0) {
      crMap_RemoveString(&scene->paths, path);
    }
    scene->elements.items[crMap_FindString(&scene->paths, newPath)].index = index;
  }
  moveLast(scene, kind, index);
  return cr_ok;
}

#define REPLACE(Element)                                                                                               \
  int index = beginReplacing(scene, cr_element##Element, id, def);                                                     \
  return index >= 0 ? endReplacing(scene, cr_element##Element, index, crScene_Add##Element(scene, def, NULL))          \
                    : cr_errorMisuse

crStatus crScene_ReplaceAssembly(crScene* scene, crId id, const crAssemblyDef* def)
{
  REPLACE(Assembly);
}

crStatus crScene_ReplaceObject(crScene* scene, crId id, const crObjectDef* def)
{
  REPLACE(Object);
}

crStatus crScene_ReplaceJoint(crScene* scene, crId id, const crJointDef* def)
{
  REPLACE(Joint);
}

crStatus crScene_ReplaceForce(crScene* scene, crId id, const crForceDef* def)
{
  REPLACE(Force);
}

crStatus crScene_ReplaceSignal(crScene* scene, crId id, const crSignalDef* def)
{
  REPLACE(Signal);
}

crStatus crScene_ReplaceSolidMaterial(crScene* scene, crId id, const crSolidMaterialDef* def)
{
  REPLACE(SolidMaterial);
}

crStatus crScene_ReplaceContactPair(crScene* scene, crId id, const crContactPairDef* def)
{
  REPLACE(ContactPair);
}

crStatus crScene_ReplaceVisualMaterial(crScene* scene, crId id, const crVisualMaterialDef* def)
{
  REPLACE(VisualMaterial);
}

crStatus crScene_ReplaceExclusion(crScene* scene, crId id, const crExclusionDef* def)
{
  REPLACE(Exclusion);
}

crStatus crScene_ReplaceCoupling(crScene* scene, crId id, const crCouplingDef* def)
{
  REPLACE(Coupling);
}

crStatus crScene_ReplaceAction(crScene* scene, crId id, const crActionDef* def)
{
  REPLACE(Action);
}
