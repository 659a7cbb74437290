// The inside of a scene: one array per kind of element, all strings and small data in one arena.
#ifndef CR_SCENE_SCENE_H
#define CR_SCENE_SCENE_H

#include "base/friend.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/report.h"
#include "carom/scene.h"
#include "geometry/gear.h"

typedef struct crSceneObject {
  crObjectDef def;
  crShape** shapes; // (def.featureCount) of solids, NULL for other features
  int number;       // of borrowed scenes: from 1, in the scene it was borrowed from; else 0
} crSceneObject;

typedef struct crSceneMaterial {
  crSolidMaterialDef def;
  bool isPalette;
} crSceneMaterial;

typedef struct crScenePair {
  crContactPairDef def;
  bool isPalette;
} crScenePair;

typedef struct crSceneSignal {
  crSignalDef def;
  crFunction function;             // of functions, sampled ones and controllers
  crFunctionSource functionSource; // what it is made from
} crSceneSignal;

typedef struct crElementRef {
  crElementKind kind;
  int index;
} crElementRef;

// Ids count elements of a kind as they were added, so that they stay when others are removed; arrays have no gaps.
//
// Paths of assemblies, objects, joints, forces and signals share one name space; each kind of material has its own.
struct crScene {
  crAllocator allocator;
  crErrorSink sink;
  uint16_t tag;
  bool isBorrowed; // shapes and texts belong to another scene that lives longer, see copy.c
  int errorCount;
  crArena arena;
  crSceneOptions options;
  crArrayOf(crElementRef) elements; // what a path stands for
  crArrayOf(crAssemblyDef) assemblies;
  crArrayOf(crSceneObject) objects;
  crArrayOf(crJointDef) joints;
  crArrayOf(crForceDef) forces;
  crArrayOf(crSceneSignal) signals;
  crArrayOf(crSceneMaterial) solidMaterials;
  crArrayOf(crScenePair) contactPairs;
  crArrayOf(crVisualMaterialDef) visualMaterials;
  crArrayOf(crExclusionDef) exclusions;
  crArrayOf(crCouplingDef) couplings;
  crArrayOf(crActionDef) actions;
  crArrayOf(const crMesh*) meshes; // retained
  crArrayOf(crSourceFile) sources; // included by its model
  crMap paths;                     // path -> element
  crMap solidMaterialNames, visualMaterialNames;
  crMap contactPairNames; // "A\nB" with A <= B
  crMap failedNames;      // elements that were reported and not added
  crElementRef replaced;  // that a def is checked for to take the place of; of kind none: it is to be added
  crArrayOf(int) removed[cr_elementAction + 1]; // by kind: numbers of removed elements, ascending
  crMap strings;                                // interned -> stringList
  crArrayOf(const char*) stringList;
};

// One without palettes; NULL: out of memory.
crScene* crMakeEmptyScene(const crAllocator* allocator, const crErrorSink* sink);

// True when an element of this path was reported and not added, so that references to it need no report.
bool crScene_IsFailedName(const crScene* scene, const char* path);

// Checks a path or, when isPath is false, a material's name, which may hold any character but controls.
CR_FRIEND void crCheckName(crReporter* reporter, const char* what, const char* name, bool isPath);

// Ends an attempt to add: counts errors, and remembers the name of an element that failed.
CR_FRIEND crStatus crScene_Fail(crScene* scene, const crReporter* reporter, const char* name);
crStatus crScene_FailMemory(crScene* scene, crReporter* reporter);

// Whether this element is about to be replaced, so that its name is free.
bool crScene_IsReplaced(const crScene* scene, crElementKind kind, int index);

// Puts the palette's own entry back in the place of one of the model; false: it has none of this name.
bool crScene_RestoreSolidMaterial(crScene* scene, int index);
bool crScene_RestoreContactPair(crScene* scene, int index);

// Registers a path for the element about to be added; false: out of memory.
bool crScene_RegisterPath(crScene* scene, const char* path, crElementKind kind, int index);

// Reports a path that is taken already.
void crScene_CheckPathIsFree(const crScene* scene, crReporter* reporter, const char* path);

crId crScene_MakeId(const crScene* scene, crElementKind kind, int index);
int crScene_IndexOf(const crScene* scene, crElementKind kind, crId id); // -1: not of this scene or kind

// Replaces a string by the scene's own copy of it, one for equal strings; NULL stays NULL. false: out of
// memory.
CR_FRIEND bool crScene_Intern(crScene* scene, const char** text);

// Keeps a copy of a file that the model has included; false: out of memory.
CR_FRIEND bool crScene_AddSourceFile(crScene* scene, const char* file, const char* text, size_t size);

// The two names in alphabetical order with a newline between, which no name can hold. false: too long.
#define CR_MAX_PAIR_KEY (2 * CR_MAX_PATH + 2)
bool crMakePairKey(const char* a, const char* b, char key[CR_MAX_PAIR_KEY]);

// Fill in the defaults of what is zero. Done twice they change nothing more, so that what a scene holds can be added
// again.
CR_FRIEND void crCompleteVisualMaterialDef(crVisualMaterialDef* def);
CR_FRIEND void crCompleteFeatureDef(crFeatureDef* def);
CR_FRIEND void crCompleteObjectDef(crObjectDef* def); // but its features
CR_FRIEND void crCompleteJointDef(crJointDef* def);
CR_FRIEND void crCompleteSignalDef(crSignalDef* def);
crGearData crGetGearData(const crCouplingDef* def); // of a gear pair with a module, what it leaves out filled in
CR_FRIEND void crCompleteSceneOptions(crSceneOptions* options);

// Whether some rigid body has this mass and this inertia about its centre of mass, within what few digits cost.
CR_FRIEND bool crIsPhysicalInertia(double mass, crSym3 inertia);

// The nearest inertia that a rigid body has: itself if it is one, none without a mass.
CR_FRIEND crSym3 crBalanceInertia(double mass, crSym3 inertia);

// Checks of single numbers. They report and return false on a breach.
bool crCheckFinite(crReporter* reporter, const char* field, double value);
bool crCheckPositive(crReporter* reporter, const char* field, double value, const char* unit);
bool crCheckNotNegative(crReporter* reporter, const char* field, double value, const char* unit);
bool crCheckFiniteVec3(crReporter* reporter, const char* field, crVec3 value);
bool crCheckColor(crReporter* reporter, const char* field, crColor color);

bool crIsZeroColor(crColor color);

// Whether a def or options came with the size that this library knows; reported to the sink of the scene if not. The
// scene stays as it is, so this counts as no error of it.
#define CR_CHECK_SIZE(scene, Type, def) crScene_CheckSize(scene, #Type, (def)->size, sizeof(Type))
bool crScene_CheckSize(const crScene* scene, const char* type, size_t size, size_t known);

// What pairs and the scene both can say of contacts; 0 is not given.
void crCheckContactNumbers(crReporter* reporter, double kRed, double vMin, double wMin, double hysteresis);

// Fills the palettes of a new scene; false: out of memory.
bool crFillPalettes(crScene* scene);

// The unit of an input, an output or a picked state; NULL: not said, or a signal of another kind.
const char* crGetSignalUnit(const crSignalDef* def);

// Limits of a signal: finite, and min below max.
void crCheckLimits(crReporter* reporter, double min, double max);

// Functions, sampled or not: whether the lists are there; what is wrong, which is reported (cr_errorMemory, else
// cr_ok); copying what it points to, and finding its function and what that is made from.
bool crIsUsableFunction(const crSignalDef* def);
crStatus crCheckFunction(crReporter* reporter, const crAllocator* allocator, const crSignalDef* def);
bool crStoreFunction(crScene* scene, crSceneSignal* signal);

// A pid controller becomes a sampled function in C: what is wrong with it; its function with arguments, constants and
// states. false: out of memory.
void crCheckPid(crReporter* reporter, const crSignalDef* def);
bool crStorePid(crScene* scene, crSceneSignal* signal);

// An FMU is a sampled function, too, with its outputs and the number of its calls as states. The same, and whether its
// lists are there.
bool crIsUsableFmu(const crSignalDef* def);
void crCheckFmu(crReporter* reporter, const crSignalDef* def);
bool crStoreFmu(crScene* scene, crSceneSignal* signal);

// What functions of all kinds share: copies of lists. false: out of memory.
bool crStoreArguments(crScene* scene, const crArgument** list, int count);
bool crStoreNumbers(crScene* scene, const crNamedNumber** numbers, int count);

#endif
