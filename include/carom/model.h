// Model: a compiled scene, immutable and shared by threads.
//
// Rigidly connected objects are welded into super-objects, here called bodies. Bodies are connected by
// joints into a forest below the world; a joint that closes a loop is a cut joint. Bodies are numbered
// so that parent < child and the bodies of a tree follow each other; body 0 is the world.
//
// What a model holds is read by index, from 0 to a count of crModelSize or of a function crModel_Count...; records,
// arrays and texts are valid as long as the model. Indices refer to records of the model unless they say "of the
// scene".
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include "carom/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crModel crModel;

typedef struct crCompileOptions {
  size_t size;                       // sizeof(crCompileOptions); all else zero is the default
  bool (*shouldStop)(void* context); // asked now and then; true: cr_cancelled. NULL: nobody is asked
  void* context;
} crCompileOptions;

CR_API crCompileOptions crDefaultCompileOptions(void);

// Compiles a scene, which it neither changes nor needs afterwards. Every error and warning goes to the sink.
// cr_errorModel when there was an error, in this call or while the scene was made; cr_cancelled when it was asked to
// stop: *outModel is NULL then. options NULL: the default.
CR_API crStatus crCompile(const crScene* scene, const crCompileOptions* options, const crAllocator* allocator,
                          const crErrorSink* sink, crModel** outModel);
CR_API void crDestroyModel(crModel* model);

// A fingerprint of all that a model computes with, as 64 hexadecimal digits: the same for the same scene in every run
// of the same build. Of functions in C it knows that they are there, not what they do; options of runs are no part of
// it. Takes time: all numbers are read.
#define CR_HASH_TEXT 65 // [bytes] with the zero at the end
CR_API crStatus crModel_GetHash(const crModel* model, char outText[CR_HASH_TEXT]);

typedef struct crModelSize {
  int objectCount;
  int bodyCount; // with the world
  int treeCount;
  int jointCount;    // tree and cut joints; fix joints are welds and do not count
  int cutJointCount; // loops
  int forceCount;
  int couplingCount;
  int signalCount;
  int shapeCount;            // contact shapes; a mesh counts once per convex piece
  int qCount, vCount;        // coordinates and rates of all trees
  int stateCount;            // both, and the states of signals
  int variableCount;         // scalars that can be recorded
  int reserved;              // 0
  int64_t pairCount;         // pairs of contact shapes that can meet
  int64_t excludedPairCount; // pairs on different bodies that cannot: joints, exclusions, groups, two fixed ones
} crModelSize;

CR_API crModelSize crModel_GetSize(const crModel* model);

// How the model wants to be run; runs honour it where they are not told otherwise.
CR_API const crRunOptions* crModel_GetRunOptions(const crModel* model);

// Changes of the structure during a run, as the scene has them. A run leaves its model for others then; this one stays.
CR_API int crModel_CountActions(const crModel* model);
CR_API const crActionDef* crModel_GetAction(const crModel* model, int index); // NULL: no such index
CR_API int crModel_FindAction(const crModel* model, const char* path);        // -1: none

// ----------------------------------------------------------------------------------------- objects

// Why the frame of an object has to be known. An object with none of the first four bits is computed only
// at output points.
typedef enum crNeed {
  cr_needContact = 1, // has a contact shape that can meet another
  cr_needJoint = 2,   // a joint connects it
  cr_needCut = 4,     // a cut joint connects it
  cr_needForce = 8,   // a force element acts on it
  cr_needMass = 16,   // has mass: lumped into its body, so its frame is not needed any more
  cr_needVisual = 32, // is drawn
} crNeed;
#define CR_NEED_ALWAYS (cr_needContact | cr_needJoint | cr_needCut | cr_needForce)

typedef struct crModelObject {
  int sceneIndex; // of the object in the scene
  int body;
  unsigned needs; // crNeed bits
  int number;     // from 1, in the scene that the run began with: actions leave it as it is
  crPose X_BO;    // in its body
} crModelObject;

// Objects are ordered by body, and within a body in the order of the depth-first search.
CR_API const crModelObject* crModel_GetObject(const crModel* model, int index); // NULL: no such index
CR_API const char* crModel_GetObjectPath(const crModel* model, int index);      // likewise
CR_API int crModel_FindObject(const crModel* model, const char* path);          // -1: none

// ------------------------------------------------------------------------------------------ bodies

typedef struct crBody {
  int parent;                   // body; -1 for the world
  int joint;                    // that moves it relative to its parent; -1 for the world
  int tree;                     // -1 for the world
  int depth;                    // 0 for the world
  int objectStart, objectCount; // the first one is its reference, whose frame is the body's
  crInertia inertia;            // of all its objects, in its frame; the world's is not used
  crPose X_WB_start;            // from the start values of the joints
} crBody;

CR_API const crBody* crModel_GetBody(const crModel* model, int index);
CR_API const char* crModel_GetBodyPath(const crModel* model, int index); // of its reference object

// The states of a tree are one piece: [q | v | auxiliary].
typedef struct crTree {
  int bodyStart, bodyCount;
  int qStart, qCount;
  int vStart, vCount;
  int auxStart, auxCount;
} crTree;

CR_API const crTree* crModel_GetTree(const crModel* model, int index);

// ------------------------------------------------------------------------------------------ joints

typedef struct crModelJoint {
  int sceneIndex; // of the joint in the scene; of the object when isImplicit
  crJointKind kind;
  bool isImplicit; // of a free object
  bool isCut;
  bool startsAtRest; // of a free object: see crStart
  bool isReversed;   // tree joints: objectB is nearer to the world, so the coordinates run backwards
  bool canCollide;
  bool reserved; // false
  bool fixed[CR_MAX_JOINT_V];
  int objectA, objectB; // indices of model objects; of an implicit joint: the world, the object
  int bodyA, bodyB;     // their bodies
  int qStart, vStart;   // into the state vector, or behind it with a prescribed motion; -1 for cut joints
  int law;              // what acts in it, see crModel_GetJointLaw; -1: nothing
  int drive;            // signal, its number in the scene: the generalized force; -1: none
  int motion;           // likewise: the prescribed coordinate; -1: none. Then it has no states
  crPose X_BA, X_BB;    // frames of objectA in bodyA, of objectB in bodyB
  crVec3 axis, axis2;   // unit length; zero without one
  double pitch;         // [m/rad]; zero without one
  double start[CR_MAX_JOINT_Q];
  double startRate[CR_MAX_JOINT_V];
  double nominal[CR_MAX_JOINT_V];
} crModelJoint;

// Tree joints first, ordered like the bodies that they move: joint i moves body i + 1. Then the cuts.
CR_API const crModelJoint* crModel_GetJoint(const crModel* model, int index);
CR_API const char* crModel_GetJointPath(const crModel* model, int index);
CR_API const crJointLaw* crModel_GetJointLaw(const crModel* model, int joint); // NULL: nothing acts in it
CR_API int crModel_FindJoint(const crModel* model, const char* path);

// A kinematic loop: its bodies from one side of the cut to the other, through the tree.
typedef struct crLoop {
  int cutJoint;
  int bodyStart, bodyCount; // among the bodies of all loops
} crLoop;

CR_API const crLoop* crModel_GetLoop(const crModel* model, int index);
CR_API const int* crModel_GetLoopBodies(const crModel* model, int loop, int* outCount);

// A coupling: the sum of factor x coordinate over its terms is the offset, or near it. Those that do not give way come
// first.
typedef struct crModelCoupling {
  int sceneIndex;
  crCouplingKind kind;
  int termStart, termCount; // among the terms of all couplings
  double offset;
  double stiffness, damping, backlash; // stiffness and damping 0: rigid
  double efficiency, efficiencyBack;   // 1: no losses
  int signal;                          // number in the scene: engagement of a clutch or brake, voltage; -1: none
  int state;                           // stretch of a clutch or brake, current; -1: none
  double friction, frictionStatic, frictionStiffness, frictionFade; // clutch and brake
  double resistance, inductance, torqueConstant;                    // motor
  crGearMesh mesh;                                                  // of a gear pair with involute teeth; else zero
} crModelCoupling;

typedef struct crCouplingTerm {
  int joint;
  int isOnCarrier; // 1: the coordinate counts from the carrier of its gear pair; else 0
  double factor;
} crCouplingTerm;

CR_API const crModelCoupling* crModel_GetCoupling(const crModel* model, int index);
CR_API const char* crModel_GetCouplingPath(const crModel* model, int index);
CR_API const crCouplingTerm* crModel_GetCouplingTerms(const crModel* model, int coupling, int* outCount);
CR_API int crModel_FindCoupling(const crModel* model, const char* path); // -1: none

// ---------------------------------------------------------------------------------- forces, contact

// A point of the law of a spring.
typedef struct crCurvePoint {
  double x, y;     // elongation [m], force [N]
  double slope;    // [N/m]
  double integral; // [J] from the first point
} crCurvePoint;

typedef struct crModelForce {
  int sceneIndex;
  crForceKind kind;
  int objectA, objectB;                    // objectB is -1 for a force or torque on one object
  int frame;                               // force and torque: object whose axes the vector has; -1: the world
  int signal;                              // number in the scene: tension, or factor of the vector; -1: none
  int curveStart, curveCount;              // spring with a table: among the points of all curves
  double stiffness, damping, length;       // spring and damper
  crVec3 linearStiffness, linearDamping;   // bushing
  crVec3 angularStiffness, angularDamping; //
  crVec3 preload;                          //
  crVec3 vector;                           // force and torque
  int guideStart, guideCount;              // cable: among the guides of all cables, ends included
  int cable;                               // number among the cables; -1: it is none
  int drum;                                // cable: joint that winds it up; -1: none
  double drumRadius;                       // [m] per unit of its coordinate
} crModelForce;

// What a cable runs through.
typedef struct crGuide {
  int object;
  int body;
  double radius; // [m] of a pulley about the object's z axis; negative: clockwise; 0: a point
  crVec3 p_L;    // [m] its origin in the axes of the body's link
  crMat3 R_LG;   // its axes there
} crGuide;

CR_API const crGuide* crModel_GetGuides(const crModel* model, int force, int* outCount); // NULL: it is no cable

CR_API const crModelForce* crModel_GetForce(const crModel* model, int index);
CR_API const char* crModel_GetForcePath(const crModel* model, int index);
CR_API const crCurvePoint* crModel_GetForceCurve(const crModel* model, int force, int* outCount);

typedef struct crContactShape {
  int object;
  int body;
  int feature;  // of the object
  int piece;    // of a mesh, else 0
  int material; // of crModel_GetContactMaterial
  uint32_t group, mask;
  int compound;           // first of the contact shapes of its body that it touches, and these in turn; itself: alone
  crPose X_BS;            // frame in which the shape was given, in its body
  double contactRadius;   // [m] given by the user; NaN: from the shape
  crVec3 surfaceVelocity; // [m/s] relative to the body, in the body's axes
} crContactShape;

CR_API const crContactShape* crModel_GetContactShape(const crModel* model, int index); // ordered by body
CR_API const crShape* crModel_GetShape(const crModel* model, int contactShape);        // of a contact shape

typedef struct crContactMaterial {
  double E, nu; // [N/m^2], [-]
} crContactMaterial;

typedef struct crContactLaw {
  double cor, muK, muR;
  crContactResponse response; // never cr_responseOfScene; likewise the next four
  crDampingFormula formula;
  crContactGeometry geometry;
  crContactTouch touch;
  crFrictionLaw friction;
  int sticks;                 // 1: friction has states
  double muS, slipFade;       // [-] >= muK, [m/s] > 0
  double tangentialRatio;     // [-] > 0: stiffness along the contact over that across
  double tangentialDamping;   // [-] damping ratio along it; NaN: 1 where muS > muK, else from cor
  double elasticity;          // [N/m^2] kRed c_res, c_res of both materials
  double kRed;                // [-]
  double vMin, wMin;          // [m/s], [rad/s] > 0
  double hysteresis;          // [m] > 0
  double stiffness, damping;  // [N/m], [N s/m] springDamper; penalty: stiffness; else NaN, 0
  crContactFunction function; // user, else NULL
  void* context;
} crContactLaw;

CR_API int crModel_CountContactMaterials(const crModel* model);
CR_API const crContactMaterial* crModel_GetContactMaterial(const crModel* model, int index);
CR_API const char* crModel_GetContactMaterialName(const crModel* model, int index);
// NULL when no two shapes of these materials can meet.
CR_API const crContactLaw* crModel_GetContactLaw(const crModel* model, int materialA, int materialB);

// Why two bodies cannot collide although both have contact shapes.
typedef enum crExclusionReason { cr_excludedByJoint, cr_excludedByUser } crExclusionReason;

typedef struct crExcludedBodies {
  int bodyA, bodyB; // bodyA < bodyB
  crExclusionReason reason;
  int joint; // the first joint that excludes them; -1: by the user
} crExcludedBodies;

// Sorted by (bodyA, bodyB). Only pairs in which both bodies have contact shapes.
CR_API int crModel_CountExcludedBodies(const crModel* model);
CR_API const crExcludedBodies* crModel_GetExcludedBodies(const crModel* model, int index);

// Shapes that overlap, or touch, at the start, one of the world and one of a body that is jointed to it: they never
// meet, where the joint does not say that they may.
typedef struct crExcludedShapes {
  int shapeA, shapeB; // shapeA is the world's
  int joint;          // the first one that excludes them
  int reserved;       // 0
} crExcludedShapes;

// Sorted by (shapeA, shapeB).
CR_API int crModel_CountExcludedShapes(const crModel* model);
CR_API const crExcludedShapes* crModel_GetExcludedShapes(const crModel* model, int index);

// Whether two contact shapes can meet; constant time.
CR_API bool crModel_CanMeet(const crModel* model, int shapeA, int shapeB);

// ----------------------------------------------------------------------------------------- signals

// The next time behind t where a signal is not smooth, or a sampled function is called; infinity: none. No step should
// reach across.
CR_API double crModel_GetNextTimeEvent(const crModel* model, double t);

// What the outside may set and read (crInstance_SetInput, crInstance_GetOutput), in the order of the scene.
typedef struct crPort {
  const char* path;
  const char* unit;
  double start;   // of an input
  double nominal; // of an input
} crPort;

CR_API int crModel_CountInputs(const crModel* model);
CR_API int crModel_CountOutputs(const crModel* model);
CR_API bool crModel_GetInput(const crModel* model, int index, crPort* outPort); // false: no such index
CR_API bool crModel_GetOutput(const crModel* model, int index, crPort* outPort);
CR_API int crModel_FindInput(const crModel* model, const char* path); // -1: none
CR_API int crModel_FindOutput(const crModel* model, const char* path);

// --------------------------------------------------------------------------------------- variables

typedef struct crVariable {
  const char* path;        // of its element: "cue"
  const char* quantity;    // "position.x": its name is both with a dot between
  const char* unit;        // "m"
  const char* description; //
  int state;               // index into the state vector, or -1
  int reserved;            // 0
} crVariable;

// Every scalar that can be recorded, in the order of the elements; then the energies of the whole, "energy.kinetic",
// "energy.potential", "energy.elastic", "energy.dissipated", "energy.work", "energy.unexplained". false: no such index.
CR_API bool crModel_GetVariable(const crModel* model, int index, crVariable* outVariable);
// Its name, "cue.position.x", cut off where the buffer ends. Returns the length of the whole, like snprintf; 0: no such
// index. Every name fits in CR_VARIABLE_NAME bytes.
#define CR_VARIABLE_NAME (CR_MAX_PATH + 65) // [bytes] with the zero at the end
CR_API int crModel_GetVariableName(const crModel* model, int index, char* buffer, size_t size);
CR_API int crModel_FindVariable(const crModel* model, const char* name); // -1: none

#ifdef __cplusplus
}
#endif

#endif
