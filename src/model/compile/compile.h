// The compiler: eleven passes over one working state, each a function that reads what earlier passes
// wrote and writes its own fields. After each pass its result can be written as text.
//
//   resolve -> signals -> check -> weld -> lump -> order -> cut -> pairs -> needs -> variables -> pack
//
// Resolve, signals and check always run, so that one call reports every mistake; the others run when there is
// none. Graph searches use explicit stacks and queues, so that the depth of a model is limited by
// memory only. [NeumayrOtter19] section 4.
#ifndef CR_MODEL_COMPILE_COMPILE_H
#define CR_MODEL_COMPILE_COMPILE_H

#include "base/memory.h"
#include "base/report.h"
#include "joint/joint_kind.h"
#include "model/compile/dump.h"
#include "model/compile/pass.h"
#include "model/model.h"

#define CR_NONE (-1)
#define CR_BROKEN (-2) // a name that stands for nothing; reported already

// Contact shapes that no rule tells apart: same groups, mask and material.
typedef struct crContactClass {
  uint32_t group, mask;
  int material;
  int64_t shapeCount;
} crContactClass;

// The shapes of one class on one body.
typedef struct crContactCluster {
  int body;
  int contactClass;
  int shapeCount;
  int firstShape;
  int64_t partnerCount; // shapes that each of them can meet
} crContactCluster;

// An edge of the joint graph is a joint of the scene, 0 <= e < jointCount, or the implicit free motion
// of an object, e = jointCount + object. All indices of objects and joints are those of the scene, up to
// the arrays of model records.
typedef struct crSharedFace crSharedFace; // inner_face.c

typedef struct crCompilation {
  const crScene* scene;
  const crErrorSink* sink;
  crCompileOptions options;
  crAllocator allocator;
  crArena arena;
  int errorCount, warningCount; // reported by the passes
  bool sceneHasErrors;          // elements are missing: absence proves nothing
  int64_t suggestionBudget;     // letters that may still be compared for "did you mean"

  // the scene's elements
  int objectCount, jointCount, forceCount, signalCount, exclusionCount, couplingCount;
  const crObjectDef** objectDefs;       // (objectCount)
  const crJointDef** jointDefs;         // (jointCount)
  const crForceDef** forceDefs;         // (forceCount)
  const crSignalDef** signalDefs;       // (signalCount)
  const crExclusionDef** exclusionDefs; // (exclusionCount)
  const crCouplingDef** couplingDefs;   // (couplingCount)

  // resolve
  int* parents;            // (objectCount) CR_NONE without one
  int (*jointEnds)[2];     // (jointCount) objects A, B
  int (*forceEnds)[3];     // (forceCount) objects A, B, and the one whose axes count; CR_NONE without
  int* guideStarts;        // (forceCount + 1) of cables, into the objects of all that they run through
  int* guideObjects;       // (guideStarts[forceCount]) ends included
  double* guideRadii;      // likewise
  int* drums;              // (forceCount) joint that winds it up, CR_NONE without one
  int (*exclusionEnds)[2]; // (exclusionCount)
  int* couplingStarts;     // (couplingCount + 1) into the terms of all
  int* termJoints;         // (couplingStarts[couplingCount]) joint
  double* termFactors;     // likewise; those of carriers once rigid groups are known
  bool* isOnCarrier;       // likewise: the coordinate counts from the carrier of its gear pair
  bool* isCoupled;         // (jointCount)
  int* couplingOrder;      // (couplingCount) those that do not give way first
  int* couplingStates;     // (couplingCount) of clutches, brakes and motors, CR_NONE without one
  int rigidCount;          // of these
  int* featureStarts;      // (objectCount + 1)
  int* featureContacts;    // (featureStarts[objectCount]) solid material that it touches with, CR_NONE without

  // signals: those of the scene, inputs resolved
  crSignal* signals;     // (signalCount)
  crPiece* signalPieces; // (pieceCount) what signals refer to
  int* signalInputs;     // (signalInputCount) likewise
  double* signalFactors; // (signalInputCount) likewise
  int pieceCount, signalInputCount;
  int* signalOrder;            // (signalCount) inputs first
  crSignalValue* signalStarts; // (signalCount) at time 0
  int* pathGroups;             // (signalCount) the first of the paths that a path is synchronized with
  int* jointDrives;            // (jointCount) signal, CR_NONE without one
  int* jointMotions;           // (jointCount) likewise
  int* forceSignals;           // (forceCount) likewise
  int* couplingSignals;        // (couplingCount) likewise
  int eventCount;
  double* eventTimes; // (eventCount) [s] ascending
  int inputCount, outputCount, functionCount, sampledCount, discreteCount;

  // check: rigid groups, and the spanning forest of the joint graph over them
  int world;         // object, the first of several; CR_NONE: there is none
  int* rigidParents; // (objectCount) parent to which it is fixed, CR_NONE without one
  bool* isUsable;    // (jointCount) both ends are known and on different groups, or it is a weld
  int groupCount;
  int* groups;          // (objectCount)
  int* groupReferences; // (groupCount) first object of the group that is not fixed to a parent
  int* treeEdges;       // (groupCount) edge that reaches the group; CR_NONE: world; CR_BROKEN: not reached
  int* treeParents;     // (groupCount) group at the other end
  int* groupRoots;      // (groupCount) group below the world from which the tree starts; CR_NONE: world
  int* groupDepths;     // (groupCount)
  int cutCount;
  int* cutEdges; // (cutCount) joints that close a loop, ascending

  // weld: bodies and their objects
  int* bodyOfGroup;       // (groupCount)
  int* objectOrder;       // (objectCount) by body, then depth first
  int* modelIndex;        // (objectCount) place of an object in objectOrder
  int* bodyEdges;         // (bodyCount) edge that moves the body, CR_NONE: world
  crModelObject* objects; // (objectCount)
  int bodyCount;
  crBody* bodies; // (bodyCount)
  int treeCount;
  crTree* trees; // (treeCount)

  // lump: bodies[].inertia, and
  bool* hasMass; // (objectCount)

  // order, cut: model joints, states
  int modelJointCount;
  crModelJoint* joints; // (bodyCount - 1 + cutCount)
  int* modelJoints;     // (jointCount) place of a joint of the scene in joints, CR_NONE: weld
  int qCount, vCount, stateCount;
  int* auxCounts; // (treeCount) states of signals, and of joints that stick
  int bristleCount;
  crJointBristle* bristles; // (bristleCount) by joint
  int* bristleStarts;       // (joints + 1) first one of each
  int motionCount;          // joints with prescribed motion
  crLoop* loops;            // (cutCount)
  int64_t loopBodyCount;
  int* loopBodies; // (loopBodyCount) what loops refer to

  // pairs
  int shapeCount;
  crContactShape* shapes;       // (shapeCount)
  const crShape** shapeSources; // (shapeCount) the scene's
  bool** innerFaces;            // (shapeCount) faces that a shape shares with another of its body; NULL: none
  crSharedFace* sharedFaces;    // of the body at hand
  int* shapeStarts;             // (bodyCount + 1) by body
  int materialCount;
  crContactMaterial* materials; // (materialCount)
  const char** materialNames;   // (materialCount)
  int lawCount;
  crContactLaw* laws; // (lawCount)
  uint64_t* lawKeys;  // (lawCount) pair of materials
  int excludedCount;
  crExcludedBodies* excluded; // (excludedCount) sorted by bodies; with or without contact shapes
  crKeyTable excludedTable;   // pair of bodies -> index into excluded
  int excludedShapeCount, excludedShapeCapacity;
  crExcludedShapes* excludedShapes; // (excludedShapeCount) sorted by shapes
  crKeyTable excludedShapeTable;    // pair of shapes -> index into excludedShapes
  int classCount;
  crContactClass* classes; // (classCount) ordered by their first shape
  int clusterCount;
  crContactCluster* clusters; // (clusterCount) by body, then class
  int* clusterStarts;         // (bodyCount + 1) by body
  int* shapeClusters;         // (shapeCount)
  int64_t pairCount, excludedPairCount;

  // needs: objects[].needs
  // variables
  int variableCount;
  int variableJointCount;
  int* variableJoints;       // (variableJointCount) of joints
  int* jointVariableStarts;  // (variableJointCount + 1)
  int* signalVariableStarts; // (signalCount + 1)

  // pack
  crModel* model;
} crCompilation;

// Room for `count` zeroed items; false: out of memory.
#define crNew(compilation, pointer, count)                                                                             \
  (((pointer) = crArena_AllocateZero(&(compilation)->arena, (size_t)(count), sizeof *(pointer))) != NULL)

// Whose message it is.
typedef struct crAddress {
  crSource source;
  const char* path; // or NULL
} crAddress;

crAddress crAddressOfObject(const crCompilation* c, int object);
crAddress crAddressOfEdge(const crCompilation* c, int edge);

// Reports and counts; rest->message is not used. rest may be NULL.
void crCompilation_Report(crCompilation* c, crSeverity severity, crAddress address, const crComplaint* rest,
                          const char* format, ...) __attribute__((format(printf, 5, 6)));

// Whether the caller wants an end: asked between passes, and inside those that can take long.
bool crCompilation_ShouldStop(const crCompilation* c);

// Passes: cr_ok, or cr_errorMemory, cr_errorLimit or cr_cancelled. Breaches of rules are counted, not returned.
crStatus crResolve(crCompilation* c);
crStatus crResolveSignals(crCompilation* c);
crStatus crCheck(crCompilation* c);
crStatus crWeld(crCompilation* c);
crStatus crLump(crCompilation* c);
crStatus crOrder(crCompilation* c);
crStatus crCut(crCompilation* c);
crStatus crPair(crCompilation* c);
crStatus crFindNeeds(crCompilation* c);
crStatus crListVariables(crCompilation* c);
crStatus crPack(crCompilation* c);

void crDumpResolve(const crCompilation* c, crDump* dump);
void crDumpSignals(const crCompilation* c, crDump* dump);
void crDumpCheck(const crCompilation* c, crDump* dump);
void crDumpWeld(const crCompilation* c, crDump* dump);
void crDumpLump(const crCompilation* c, crDump* dump);
void crDumpOrder(const crCompilation* c, crDump* dump);
void crDumpCut(const crCompilation* c, crDump* dump);
void crDumpPairs(const crCompilation* c, crDump* dump);
void crDumpNeeds(const crCompilation* c, crDump* dump);
void crDumpVariables(const crCompilation* c, crDump* dump);
void crDumpPack(const crCompilation* c, crDump* dump);

// Part of resolve and signals: the index of an object, joint or signal by its name; CR_BROKEN after a report: none.
// `what` is the role of the name: "parent", "objectA".
int crResolveElement(crCompilation* c, crElementKind kind, crAddress address, const char* what, const char* name);

// Part of signals: paths that are synchronized; the pieces of a path or spline, which is the signal at hand. False: out
// of memory. motion_path.c
crStatus crGroupPaths(crCompilation* c);
void crFillPath(crCompilation* c, int index);
bool crFillSpline(crCompilation* c, const crSignalDef* def);
void crAddPiece(crCompilation* c, double start, const double coefficients[4]); // signals.c

// Part of resolve: what cables run through, and their drums, once the ends of forces are known. cable.c
crStatus crResolveCables(crCompilation* c);

// Part of resolve: the joints of couplings and their factors. coupling.c
crStatus crResolveCouplings(crCompilation* c);

// actions.c: their names; and, once all is compiled, a copy of the scene for runs, if it has any, of which every action
// has been tried.
void crResolveActions(crCompilation* c);
crStatus crAttachScene(const crScene* scene, const crAllocator* allocator, const crErrorSink* sink, crModel* model);

// Part of check: what gears are mounted on.
void crCheckCarriers(crCompilation* c);

// Part of check: chooses the spanning forest, fills treeEdges, treeParents, groupRoots, groupDepths.
crStatus crGrowForest(crCompilation* c);

// Part of order and cut: a joint of the model from its edge, but for its place in the state vector.
void crFillJoint(const crCompilation* c, int edge, crModelJoint* joint);
crJointLaw crResolveJointLaw(const crCompilation* c, const crJointDef* def); // with what it takes from the scene

// Part of pairs: classes, clusters, pairCount, and the laws of the materials that can meet.
crStatus crCountPairs(crCompilation* c);

// Fills `compound` of the contact shapes, and inner faces. compound.c
crStatus crFindCompounds(crCompilation* c);
// Marks the faces that two shapes of a compound share. inner_face.c
crStatus crMarkInnerFaces(crCompilation* c, int shapeA, int shapeB);
// Takes back those beside which the surface does not go on, when all of a body are marked.
void crKeepInnerFaces(crCompilation* c);

// Part of it: refuses what belongs to contacts at a point where shapes touch by area. laws: numbers by materials.
crStatus crCheckAreaRules(crCompilation* c, const crKeyTable* laws);

#define CR_MOST_TILT 1e-6 // [-] sine of the angle between axes that count as parallel

// Lets shapes touch the convex pieces of extruded ones to which they need not be parallel. skew.c
crStatus crMarkSkewShapes(crCompilation* c);

// surface_rules.c: whether bodies and groups of two contact shapes allow that they meet, as far as that is known yet.
bool crCanShapesMeet(const crCompilation* c, int a, int b);
// Reports what can meet a surface of a profile that does not touch it.
void crCheckSurfaceRules(crCompilation* c);
void crWarnOfLarge(crCompilation* c);
// Likewise: warns of balls that fill their grooves, where the law is that of Hertz' ellipses.
void crWarnOfTightFits(crCompilation* c, const crKeyTable* laws);

// A weld leaves no motion: fix joints.
static inline bool crIsWeld(crJointKind kind)
{
  return crGetJointType(kind)->vCount == 0;
}

// An edge that leaves all motions and so constrains nothing.
static inline bool crIsFreeEdge(const crCompilation* c, int edge)
{
  return edge >= c->jointCount || crGetJointType(c->jointDefs[edge]->kind)->constraintCount == 0;
}

// Names of the model's records: an implicit joint has that of its object, a body that of its reference.
static inline const char* crNameOfObject(const crCompilation* c, int object)
{
  return c->objectDefs[c->objects[object].sceneIndex]->name;
}

static inline const char* crNameOfBody(const crCompilation* c, int body)
{
  return crNameOfObject(c, c->bodies[body].objectStart);
}

static inline const char* crNameOfJoint(const crCompilation* c, const crModelJoint* joint)
{
  return joint->isImplicit ? c->objectDefs[joint->sceneIndex]->name : c->jointDefs[joint->sceneIndex]->name;
}

// Whether two shapes are kept apart because they overlap at a joint to the world.
static inline bool crAreShapesExcluded(const crCompilation* c, int shapeA, int shapeB)
{
  return c->excludedShapeCount > 0 && crKeyTable_Find(&c->excludedShapeTable, crPairKey(shapeA, shapeB)) >= 0;
}

static inline bool crIsWorldBody(int body)
{
  return body == 0;
}

// A super-object's number as people see it, as in the paper: the world is 1.
static inline int crSuperNumber(int body)
{
  return body + 1;
}

#endif
