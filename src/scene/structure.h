// The structure of a run: how the scene that is simulated now differs from the one that it started from.
//
// Actions change a structure, and a scene is made of the first one and the structure each time: so a part that is
// gripped and released a thousand times leaves nothing behind, and a checkpoint needs the changes alone.
#ifndef CR_SCENE_STRUCTURE_H
#define CR_SCENE_STRUCTURE_H

#include "scene/scene.h"

#define CR_LOCK_SUFFIX "lock" // of the path of the signal that holds a locked joint

typedef enum crChangeKind {
  cr_changeAttached, // an object is fixed to another one
  cr_changeFree,     // an object that had a parent is free
  cr_changeDeleted,  // an object is not there any more
  cr_changeLocked,   // a joint keeps its coordinate
  cr_changeHeld,     // a signal keeps its value: what it reads is not there any more
  cr_changeKindCount
} crChangeKind;

// Indices are those of the first scene.
typedef struct crChange {
  crChangeKind kind;
  int index;          // of the object, joint or signal
  int other;          // attached: object that it is fixed to
  crVec3 position;    // [m] of the object in that one, or in the world
  crQuat orientation; // likewise
  double value;       // [rad], [m] or unit of the signal: what is kept
} crChange;

typedef struct crSceneStructure {
  crArrayOf(crChange) changes; // at most one of an object, joint or signal
} crSceneStructure;

// The kind of element that a change is of.
crElementKind crChangeKind_GetElement(crChangeKind kind);

// The change of an element, or NULL.
const crChange* crSceneStructure_Find(const crSceneStructure* structure, crElementKind element, int index);
// Adds a change, or puts it in the place of the one before; false: out of memory.
bool crSceneStructure_Set(crSceneStructure* structure, const crAllocator* allocator, const crChange* change);
void crSceneStructure_Forget(crSceneStructure* structure, crElementKind element, int index);

// The scene that a structure makes of the first one, which has to live longer. It has no actions.
CR_FRIEND crStatus crMakeStructured(const crScene* first, const crSceneStructure* structure,
                                    const crAllocator* allocator, const crErrorSink* sink, crScene** outScene);

// Signals of the first scene that a structure leaves without what they read, and that it does not hold yet: calls
// `hold` with each. false: out of memory.
bool crSceneStructure_FindOrphans(const crScene* first, const crSceneStructure* structure, const crAllocator* allocator,
                                  bool (*hold)(void* context, int signal), void* context);

// copy.c
crStatus crCopyScene(const crScene* scene, const crAllocator* allocator, crScene** outScene);
// One whose texts and shapes are those of another scene, which has to live longer. Actions are left out.
crStatus crBorrowScene(const crScene* scene, const crAllocator* allocator, const crErrorSink* sink, crScene** outScene);

// The object that moves a rigid group: where the way up through fixed parents ends.
int crScene_FindGroupRoot(const crScene* scene, int object);

// The object that an action changes which attaches or releases `object`: of attaching the one above it that is free or
// was attached, of releasing the one that attaching it has attached; else itself if it has a parent. -1: it is part of
// the world, or joints move it. view: the scene that the structure makes, in which nothing has been deleted; first: the
// one with the actions, which may be the same.
int crSceneStructure_FindMovable(const crSceneStructure* structure, const crScene* first, const crScene* view,
                                 crActionKind kind, int object);

#endif
