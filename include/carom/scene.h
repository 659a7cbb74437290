// Scene: the model as it is written, an editable graph of Object3Ds, joints, forces and materials.
//
// Every element is made from a plain def struct: begin with crDefault...Def(name), or with zeros and its size, say what
// differs from the defaults, add it (carom/base.h, "defs and options"). Elements refer to each other by path
// ("robot.arm.bar"), in any order; names are resolved when the scene is compiled. The order of elements is the order of
// the calls.
//
// Whatever a def holds is copied. An element that breaks a rule is reported to the scene's sink,
// every breach of it, and not added; later references to its name are not reported again. A scene
// with errors cannot be compiled, but can be added to, so that all errors show in one go.
//
// SI units, radians, right-handed.
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include "carom/geometry.h"
#include "carom/signal.h"
#include "carom/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crScene crScene;

// ------------------------------------------------------------------------------------------ names

// A path is one or more names joined by '.'. A name is 1 to CR_MAX_NAME bytes of valid UTF-8 without
// '.', control characters, or a space at either end.
#define CR_MAX_NAME 255
#define CR_MAX_PATH 4095

// -------------------------------------------------------------------------------------- materials

typedef struct crSolidMaterialDef {
  size_t size;
  const char* name; // a material's name is its own world: it may be the path of an object, too
  crSource source;
  double density; // [kg/m^3] > 0
  double E;       // [N/m^2] > 0: Young's modulus; 0: not given, then nothing can touch with it
  double nu;      // [-] 0 < nu < 1: Poisson's ratio, a warning above 0.5; 0: not given, likewise
} crSolidMaterialDef;

// What happens when two shapes touch. The laws stand in docs/contact.md.
typedef enum crContactResponse {
  cr_responseOfScene = 0,  // of a pair: what the options of the scene say; of a scene: elastic
  cr_responseElastic,      // k delta^n (1 + d delta'), from the constants of the materials
  cr_responseSpringDamper, // linear: stiffness delta + damping delta'
  cr_responsePenalty,      // stiffness delta (1 + k delta')
  cr_responseImpulsive,    // velocities jump
  cr_responseObserver,     // none: contacts are reported only
  cr_responseUser,         // a function; only in C
  cr_responseCount
} crContactResponse;

// How the damping d of the elastic and of the penalty law follows from the coefficient of restitution.
typedef enum crDampingFormula {
  cr_dampingOfScene = 0, // of a pair: what the options of the scene say; of a scene: flores
  cr_dampingFlores,      // the usual closed form; what is obtained differs from cor by up to 0.045, penalty: 0.094
  cr_dampingExact,       // a free impact obtains cor
} crDampingFormula;

typedef enum crContactGeometry {
  cr_geometryOfScene = 0, // of a pair: what the options of the scene say; of a scene: radius
  cr_geometryRadius,      // Hertz with a contact radius for every shape
  cr_geometryTable,       // the table of [NeumayrOtter19c]: Hertz for spheres, else linear and not free of units
  cr_geometryHertz,       // Hertz' ellipse of both surfaces' principal curvatures
} crContactGeometry;

// How shapes with faces, edges, rims or straight sides push each other. Balls and ellipsoids always touch at a point.
typedef enum crContactTouch {
  cr_touchOfScene = 0, // of a pair: what the options of the scene say; of a scene: area
  cr_touchByArea,      // by one energy of the surfaces that are inside each other
  cr_touchByPoint,     // at the nearest points alone, with a contact radius: the papers' way
} crContactTouch;

// How dry friction behaves at low speed, in contacts and in joints.
typedef enum crFrictionLaw {
  cr_frictionOfScene = 0, // of a pair or joint: what the options of the scene say; of a scene: regularized
  cr_frictionRegularized, // fades to zero with the speed: what is loaded creeps
  cr_frictionStick,       // a spring beside a damper in series with Coulomb's slider: what is loaded below the limit
                          // stays where it is
} crFrictionLaw;

CR_API const char* crContactResponse_GetText(crContactResponse response); // "elastic", "springDamper", ...

// What is frozen when a touch begins.
typedef struct crContactMemory {
  double approach;  // [m/s] delta' when it began
  double cor;       // [-] regularized coefficient of restitution
  double damping;   // [s/m] d; springDamper: [N s/m]
  double stiffness; // [N/m^n] k_red c_res c_geo
  double exponent;  // [-] n
  double radius;    // [m] R
  double lever;     // [m] mu_geo
} crContactMemory;

// Motion of body 2 relative to body 1 at the touch.
typedef struct crContactMotion {
  double depth;  // [m] delta
  double rate;   // [m/s] delta', positive while approaching
  crVec3 normal; // e_n, from body 1 to body 2, in world axes as all vectors here
  crVec3 slip;   // [m/s] v_t
  crVec3 turn;   // [rad/s] w_2 - w_1
} crContactMotion;

typedef struct crContactForce {
  crVec3 force;       // [N] on body 2 at the touch
  crVec3 torque;      // [N m] on body 2
  double normalForce; // [N] f_n
  double elastic;     // [J] stored: k delta^(n+1) / (n+1)
  double dissipation; // [W] >= 0: all power that the touch takes out, but for what it stores
} crContactForce;

// A law of one's own, called with depth > 0 at every evaluation and from any thread. A pure function: the
// same arguments give the same result.
typedef crContactForce (*crContactFunction)(void* context, const crContactMemory* memory,
                                            const crContactMotion* motion);

#define CR_ANY_MATERIAL "*"

// Contact of two solid materials, in any order. "*" stands for any: what two materials have together goes before what
// one of them has with any, and that before what any two have.
typedef struct crContactPairDef {
  size_t size;
  const char* materialA;
  const char* materialB;
  crSource source;
  double cor; // [-] 0..1: coefficient of restitution
  double muK; // [-] >= 0: sliding friction
  double muR; // [-] >= 0: rolling resistance
  crContactResponse response;
  crDampingFormula formula;
  crContactTouch touch;
  crContactGeometry geometry;
  crFrictionLaw friction;
  double muS;               // [-] >= muK: of friction that sticks, before it slides; 0: muK
  double slipFade;          // [m/s] > 0: in which muS falls to muK; 0: 1e-5
  double tangentialRatio;   // [-] > 0: stiffness along the contact over that across; 0: from the materials
  double tangentialDamping; // [-] 0.01 to 10: damping ratio along the contact; 0: from cor, 1 where muS > muK
  double kRed;              // [-] > 0, a warning above 1: factor of the stiffness of elastic contacts; 0: the scene's
  double vMin;              // [m/s] > 0: below it friction and restitution fade to zero; 0: the scene's
  double wMin;              // [rad/s] > 0: below it rolling resistance fades to zero; 0: the scene's
  double hysteresis;        // [m] > 0: contact begins at twice this depth and ends at 0; 0: the scene's
  double stiffness;         // [N/m] > 0: springDamper and penalty; 0: not given
  double damping;           // [N s/m] >= 0: springDamper
  // cr_responseUser
  crContactFunction function;
  void* context; // must live as long as the models that are compiled from the scene
} crContactPairDef;

typedef struct crColor {
  double r, g, b, a; // [-] 0..1
} crColor;

// Finds a colour by its CSS name without regard to case and blanks ("Steel Blue") or "#rrggbb[aa]".
CR_API bool crFindColor(const char* text, crColor* outColor);

typedef struct crVisualMaterialDef {
  size_t size;
  const char* name;
  crSource source;
  crColor color; // a < 1 multiplies with transparency; all zero: grey (0.6, 0.6, 0.65)
  bool wireframe;
  double transparency; // [-] 0 opaque .. 1 invisible
  double shininess;    // [-] CR_ZERO dull .. 1 mirror-like; 0: 0.5
  bool isShadowless;   // neither casts nor receives shadows
} crVisualMaterialDef;

// --------------------------------------------------------------------------------------- features

// A body part: geometry with any of a mass, a contact material and a look.
typedef struct crSolidDef {
  crShapeDef shape;
  const char* material;   // solid material that gives the density; NULL: no density
  double mass;            // [kg] > 0, instead of the density; 0: from the density (none without material)
  const char* contact;    // solid material that it touches with; NULL: it does not collide
  const char* visual;     // visual material or colour; NULL: not drawn
  uint32_t group;         // bits: the collision groups that it belongs to; 0: the first, 1
  uint32_t ignored;       // bits: the groups that it does not collide with. Both sides must agree to collide
  double contactRadius;   // [m] > 0: radius of curvature for the contact law; 0: from the shape
  crVec3 surfaceVelocity; // [m/s] of its surface relative to the object, in the object's axes: a conveyor belt
} crSolidDef;

typedef struct crVisualDef {
  crShapeDef shape;
  const char* visual; // visual material or colour; NULL: the kind's default look for a visual-only shape,
                      // not drawn otherwise
} crVisualDef;

// What becomes of a mass and inertia that no rigid body has: principal moments that are negative or one of which is
// larger than the other two together, or an inertia without a mass.
typedef enum crInertiaPolicy {
  cr_inertiaStrict = 0, // refused
  cr_inertiaGiven,      // taken as it is, if the model can be accelerated: its mass matrix has to be positive definite
                        // at the start and at 100 random poses
  cr_inertiaBalance,    // the nearest inertia that a body can have is taken instead
} crInertiaPolicy;

// Mass given directly, in the object's frame.
typedef struct crMassDef {
  double mass;    // [kg] > 0; with another policy than strict also 0
  crVec3 com;     // [m] centre of mass
  crSym3 inertia; // [kg m^2] about the centre of mass
  crInertiaPolicy policy;
} crMassDef;

typedef enum crLightKind { cr_lightDirectional, cr_lightAmbient, cr_lightPoint, cr_lightSpot } crLightKind;

// A hint for pictures. Directional and spot lights shine along the object's -z.
typedef struct crLightDef {
  crLightKind kind;
  crColor color;     // all zero: white
  double intensity;  // [-] CR_ZERO: off; 0: 1
  bool isShadowless; // casts no shadows
} crLightDef;

// A hint for pictures: looks along the object's -z, y up.
typedef struct crCameraDef {
  double fieldOfView; // [rad] < pi: vertical; 0: 0.8
} crCameraDef;

typedef enum crFeatureKind {
  cr_featureSolid,
  cr_featureVisual,
  cr_featureMass,
  cr_featureLight,
  cr_featureCamera,
  cr_featureKindCount
} crFeatureKind;

typedef struct crFeatureDef {
  size_t size;
  crFeatureKind kind;
  union {
    crSolidDef solid;
    crVisualDef visual;
    crMassDef mass;
    crLightDef light;
    crCameraDef camera;
  } as;
} crFeatureDef;

CR_API const char* crFeatureKind_GetText(crFeatureKind kind); // "solid", "visual", ...
CR_API crFeatureDef crDefaultFeatureDef(crFeatureKind kind);

// ---------------------------------------------------------------------------------------- objects

typedef enum crMobility {
  cr_mobilityRigid, // fixed to its parent; without a parent: the reference of its rigid group
  cr_mobilityFree,  // six degrees of freedom relative to the world, starting where parent and pose say
  cr_mobilityWorld, // the one inertial frame; no parent
} crMobility;

typedef enum crStart {
  cr_startPose, // where parent and pose say
  cr_startRest, // moved along gravity into or out of what it lies on, until that carries its weight
} crStart;

// Object3D: a coordinate system with any number of features. It is fixed to its parent, free, or
// moved by the joints that name it.
typedef struct crObjectDef {
  size_t size;
  const char* name;
  crSource source;
  const char* parent; // path, or NULL
  crMobility mobility;
  crVec3 position;        // [m] p_PO
  crQuat rotation;        // R_PO, of any length; zero: none, (1, 0, 0, 0)
  crVec3 velocity;        // [m/s] start value in world axes, free objects only
  crVec3 angularVelocity; // [rad/s] likewise
  crStart start;          // free objects only
  bool neverCollides;     // its contact materials are not used
  const crFeatureDef* features;
  int featureCount;
} crObjectDef;

// ----------------------------------------------------------------------------------------- joints

typedef enum crJointKind {
  cr_jointFix,
  cr_jointRevolute,
  cr_jointPrismatic,
  cr_jointCylindrical,
  cr_jointUniversal,
  cr_jointSpherical,
  cr_jointPlanar,
  cr_jointScrew,
  cr_jointFreeMotion,
  cr_jointKindCount
} crJointKind;

#define CR_MAX_JOINT_Q 7
#define CR_MAX_JOINT_V 6

CR_API const char* crJointKind_GetText(crJointKind kind); // "revolute", ...
CR_API int crJointKind_CountQ(crJointKind kind);          // coordinates
CR_API int crJointKind_CountV(crJointKind kind);          // degrees of freedom

// What acts in a joint, one value per degree of freedom; q is its coordinate, v its rate. Generalized force on B:
//
//   - damping v - stiffness (q - rest) - f + stop
//   stop = stopStiffness d max(0, 1 + stopDamping d')   pushing back, with d > 0 the depth beyond a stop
//
// with dry friction f after one of two laws. Regularized, it fades with the rate: what is loaded creeps.
//
//   f = friction tanh(v / frictionRate)
//
// Stick, it is what a slider transmits to a bristle behind it, a spring beside a damper whose stretch x is a state of
// the model: what is loaded by less than frictionStatic stays where it is.
//
//   T = frictionStiffness x + c v,   x' = (f - frictionStiffness x) / c,   c critically damps what the joint moves
//   f = T                                                       where |T| <= frictionStatic: x' = v
//   f = sign(T) (friction + (frictionStatic - friction) exp(-(|T| - frictionStatic) / (c frictionFade)))     beyond
//
// rotorInertia gearRatio^2 is added to the inertia of the degree of freedom: a rotor that turns gearRatio times as
// fast as the joint, without its gyroscopic effect. Joints with a quaternion have damping only.
typedef struct crJointLaw {
  double damping[CR_MAX_JOINT_V];        // [N m s/rad] or [N s/m]
  double stiffness[CR_MAX_JOINT_V];      // [N m/rad] or [N/m]
  double rest[CR_MAX_JOINT_V];           // [rad] or [m]: where the spring is relaxed
  double friction[CR_MAX_JOINT_V];       // [N m] or [N] >= 0: dry friction
  double frictionRate[CR_MAX_JOINT_V];   // [rad/s] or [m/s] > 0: below it friction fades to zero; 0: CR_FRICTION_RATE
  double frictionStatic[CR_MAX_JOINT_V]; // [N m] or [N] >= friction: what holds what does not slide; 0: friction
  double frictionStiffness[CR_MAX_JOINT_V]; // [N m/rad] or [N/m] > 0; 0: frictionStatic / (CR_FRICTION_YIELD nominal)
  double frictionFade[CR_MAX_JOINT_V];      // [rad/s] or [m/s] > 0: over it static friction falls to friction; 0:
                                            // CR_FRICTION_FADE
  double stopMin[CR_MAX_JOINT_V];           // [rad] or [m] < stopMax; -CR_NO_STOP: none below
  double stopMax[CR_MAX_JOINT_V];           // [rad] or [m]; CR_NO_STOP: none above. Both 0: no stops
  double stopStiffness[CR_MAX_JOINT_V];     // [N m/rad] or [N/m] > 0 where there is a stop
  double stopDamping[CR_MAX_JOINT_V];       // [s/rad] or [s/m] >= 0
  double rotorInertia[CR_MAX_JOINT_V];      // [kg m^2] or [kg] >= 0
  double gearRatio[CR_MAX_JOINT_V];         // [-] CR_ZERO: none; 0: 1
  crFrictionLaw frictionLaw;
  int reserved; // 0
} crJointLaw;

#define CR_NO_STOP 1e300       // [rad] or [m] a stop that nothing reaches; finite, so that JSON can hold it
#define CR_FRICTION_YIELD 1e-5 // [-] of the nominal value: stretch at which a joint that sticks begins to slide
#define CR_FRICTION_FADE 1e-5  // [rad/s] or [m/s] default: slow against all sliding that is of interest
#define CR_FRICTION_RATE 0.01  // [rad/s] or [m/s] default: slow against machines, fast against creep

// Whether the two rigid groups that a joint connects may collide with each other.
typedef enum crJointCollision {
  cr_collisionByKind = 0, // what nothing holds together may: freeMotion; others may not. What is jointed to the world
                          // may meet all of it but those shapes that overlap, or touch, at the start
  cr_collisionAllowed,
  cr_collisionNever,
} crJointCollision;

// Connects two objects; the frames of both coincide when all coordinates are zero. Either may be nearer
// to the world: the coordinates describe objectB relative to objectA.
typedef struct crJointDef {
  size_t size;
  const char* name;
  crSource source;
  crJointKind kind;
  const char* objectA;
  const char* objectB;
  crVec3 axis;                  // [-] in the frame of both objects; fix, spherical and freeMotion have none; zero: z,
                                // prismatic: x
  crVec3 axis2;                 // [-] universal: second axis, fixed in B, not along the first; zero: x
  double pitch;                 // [m/rad] screw: advance; a thread of 2 mm a turn has 0.002 / (2 pi)
  double start[CR_MAX_JOINT_Q]; // [rad] or [m]; spherical: quaternion; freeMotion: position, quaternion. A quaternion
                                // of zeros: (1, 0, 0, 0)
  double startRate[CR_MAX_JOINT_V]; // [rad/s] or [m/s]; spherical: angular velocity in A's axes; freeMotion: velocity,
                                    // angular velocity, in A's axes
  bool fixed[CR_MAX_JOINT_V];       // start value is kept when loops are closed
  double nominal[CR_MAX_JOINT_V];   // [as the coordinate] > 0; 0: 1
  crJointCollision collision;
  crJointLaw law;
  // Joints with one degree of freedom can be driven, by one of:
  const char* drive;  // signal [N m] or [N]: generalized force, besides that of the law; NULL: none
  const char* motion; // signal [rad] or [m]: its value and two derivatives are position, velocity and acceleration,
                      // and the joint has no states; NULL: none
} crJointDef;

// ----------------------------------------------------------------------------------------- forces

typedef enum crForceKind {
  cr_forceSpringDamper, // along the line between the origins of two objects
  cr_forceBushing,      // along and about the axes of objectA
  cr_forceForce,        // force at the origin of objectA
  cr_forceTorque,       // torque on objectA
  cr_forceCable,        // from objectA by way of points and pulleys to objectB
  cr_forceKindCount
} crForceKind;

CR_API const char* crForceKind_GetText(crForceKind kind);

typedef struct crTablePoint {
  double x, y;
} crTablePoint;

// What each kind has stands in the member of `as` that has the name of the kind.
//
// Spring and damper, with elongation e = distance - length and its rate e'. It pulls both ends together with
//
//   stiffness e + table(e) + damping e' + tension
//
// The table is a monotone cubic through its points, straight beyond them. While the two origins coincide there is no
// line and no force.
//
// Bushing, with d the position of objectB and w its angular velocity relative to objectA, both in A's axes. On B, with
// the opposite on A at the same point:
//
//   force  = preload - stiffness d - damping d'
//   torque = -(h + e x) angularStiffness 2 e - angularDamping w,   quaternion of B in A: (h, e) = (cos, n sin)(angle /
//   2)
//
// which is -angularStiffness times the small rotation vector, and at any angle the derivative of the energy
// angularStiffness (2 e)^2 / 2.
//
// Cable, which pulls and never pushes. It runs from the origin of objectA through those of other objects, or around
// pulleys, to the origin of objectB. A pulley is a circle about the z axis of its object with a groove, which the cable
// goes around counterclockwise, seen against z; clockwise with a negative radius. It slides without friction, meets and
// leaves a pulley where its straight parts are tangents seen along z, and goes by one that it would not touch; arcs end
// at 270 degrees. With L its length and q the coordinate of a joint whose drum winds it up,
//
//   tension = max(0, stiffness e + damping e'),   e = L - length + drumRadius q > 0, else 0
//
// where the damper takes hold within 1e-4 of the length.
//
// Force and torque: `vector`, times `factor` where there is one, in the axes of `frame`, on objectA; objectB, where
// given, takes the opposite at the same point.
typedef struct crForceDef {
  size_t size;
  const char* name;
  crSource source;
  crForceKind kind;
  const char* objectA;
  const char* objectB; // force and torque: may be NULL
  union {
    struct {
      double stiffness;          // [N/m]
      double damping;            // [N s/m]
      double length;             // [m] >= 0: unstretched
      const crTablePoint* table; // (tableCount) elongation [m], ascending; force [N]
      int tableCount;            // 0: none, else 2 or more
      const char* tension;       // signal [N]; NULL: none
    } springDamper;
    struct {
      crVec3 stiffness, damping;               // [N/m], [N s/m]
      crVec3 angularStiffness, angularDamping; // [N m/rad], [N m s/rad]
      crVec3 preload;                          // [N] on B where d = 0
    } bushing;
    struct {
      crVec3 vector;      // [N]
      const char* frame;  // object in whose axes the vector is given; NULL: the world
      const char* factor; // signal [-]; NULL: none
    } force;
    struct {
      crVec3 vector; // [N m]
      const char* frame;
      const char* factor;
    } torque;
    struct {
      const char* const* through; // (throughCount) objects between both ends, in order
      int throughCount;           //
      const double* radii;        // [m] (radiusCount) of pulleys, in the same order; 0: a point
      int radiusCount;            // as throughCount; 0: all are points
      double length;              // [m] > 0: unstretched, where the drum's coordinate is 0
      double stiffness;           // [N/m] > 0
      double damping;             // [N s/m] >= 0
      const char* drum;           // joint of one degree of freedom whose coordinate winds the cable up; NULL: none
      double drumRadius;          // [m] per its unit; not 0 with a drum
    } cable;
  } as;
} crForceDef;

// -------------------------------------------------------------------------------------- couplings

typedef enum crCouplingKind {
  cr_couplingSum,      // "coupling": a weighted sum of coordinates
  cr_couplingGearPair, // two gears that mesh
  cr_couplingRackPair, // a pinion and a rack
  cr_couplingBelt,     // a belt around two pulleys
  cr_couplingFlexible, // "flexibleCoupling": a spring and damper between two joints
  cr_couplingClutch,   // dry friction between two joints
  cr_couplingBrake,    // dry friction in a joint
  cr_couplingMotor,    // a winding that drives a joint
  cr_couplingKindCount
} crCouplingKind;

CR_API const char* crCouplingKind_GetText(crCouplingKind kind);

// Dry friction that a signal engages.
typedef struct crEngagedFriction {
  const char* engagement;   // signal [-]: share of the friction, none below 0; NULL: all of it
  double friction;          // [N m] or [N] > 0: while it slides
  double frictionStatic;    // [N m] or [N] >= friction: what holds what does not slide; 0: friction
  double frictionStiffness; // [N m/rad] or [N/m] > 0; 0: frictionStatic / (CR_FRICTION_YIELD nominal of the joint)
  double frictionFade;      // [rad/s] or [m/s] > 0: over it static friction falls to friction; 0: CR_FRICTION_FADE
} crEngagedFriction;

// An equation between coordinates q of joints with one degree of freedom, which do not have to be neighbours:
//
//   s = sum of factor q = offset
//
// with, by their kinds
//
//   gearPair   qA + ratio qB, with the ratio negative where a gear is internal; with a carrier qA - qC in place of qA,
//              and likewise of B, for gears that are not mounted on it: their joint's objectA is not the arm
//   rackPair   x - radius q of rack and pinion
//   belt       radiusA qA - radiusB qB, + if crossed
//   flexible   qA - qB
//
// Every joint gets factor x lambda. Without stiffness and damping lambda keeps the equation true, and does no work.
// With them the coupling gives way by e = s - offset, and beyond a backlash b
//
//   lambda = -(stiffness d + damping d'),   d = e - b/2, or e + b/2 below -b/2; 0 in between
//
// With backlash the damper takes hold within the first hundredth of it, and nothing pulls. With an efficiency the side
// that is driven gets that share of lambda; which side that is fades over CR_FRICTION_RATE of the flanks' rate.
//
// Clutches, brakes and motors are no equations; they have no offset, stiffness, damping, backlash and efficiencies.
// Clutch and brake, with v = qA' - qB' or q', are friction of a joint that sticks (crJointLaw) between two joints or in
// one, with friction and frictionStatic times the engagement. The stretch of the bristle is a state.
//
// Motor, with the gearRatio n of its joint, voltage u and current i, which is a state where there is an inductance:
//
//   inductance i' = u - resistance i - torqueConstant n q',   torque on the joint n torqueConstant i
//
// What each kind has stands in the member of `as` that has the name of the kind.
typedef struct crCouplingDef {
  size_t size;
  const char* name;
  crSource source;
  crCouplingKind kind;
  double offset;         // [unit of s: rad, or m with lengths in it]
  double stiffness;      // [N m/rad] or [N/m] >= 0; 0 as damping: rigid
  double damping;        // [N m s/rad] or [N s/m] >= 0
  double backlash;       // [rad] or [m] >= 0; needs a stiffness
  double efficiency;     // [-] 0 < efficiency <= 1, of pairs that give way, where the first joint drives; 0: 1
  double efficiencyBack; // [-] likewise, where the second one does; 0: as efficiency
  union {
    struct {
      const crNamedNumber* joints; // (jointCount) their paths and factors, none of them 0
      int jointCount;              // 1 or more
    } sum;
    struct {
      const char *jointA, *jointB; // that turn
      const char* carrier;         // joint whose objectB is the arm that carries both centres; NULL: none
      double ratio;                // [-] > 0: radius of B over radius of A; 0: from the teeth
      double teethA, teethB;       // [-] > 0; 0: the ratio is given
      bool isInternal;             // one has its teeth inside: both turn the same way
      // Of involute teeth, which give way: with a module there are all of them; it needs teeth, and no stiffness.
      double module;         // [m] > 0; 0: none
      double pressureAngle;  // [rad] 0 < pressureAngle < pi/4; 0: 20 degrees
      double shiftA, shiftB; // [-] of the profiles, in modules
      double faceWidth;      // [m] > 0
      double E;              // [N/m^2] > 0: of both; 0: 2.06e11
      double tipRelief;      // [m] >= 0: what is taken off at the tips of both
    } gearPair;
    struct {
      const char* pinion; // joint that turns
      const char* rack;   // prismatic joint
      double radius;      // [m] not 0; negative: the rack moves the other way
    } rackPair;
    struct {
      const char *jointA, *jointB; // that turn
      double radiusA, radiusB;     // [m] > 0
      bool isCrossed;              // they turn in opposite directions
    } belt;
    struct {
      const char *jointA, *jointB; // that both turn or both slide
    } flexible;
    struct {
      const char *jointA, *jointB; // likewise
      crEngagedFriction law;
    } clutch;
    struct {
      const char* joint;
      crEngagedFriction law;
    } brake;
    struct {
      const char* joint;     // that it turns, or moves; its gearRatio and rotorInertia count
      const char* voltage;   // signal [V]
      double resistance;     // [Ohm] > 0
      double inductance;     // [H] >= 0; 0: the current follows at once and is no state
      double torqueConstant; // [N m/A] or [N/A] not 0: torque per current, voltage per rate of the rotor
    } motor;
  } as;
} crCouplingDef;

// ------------------------------------------------------------------------------------------ other

// The rigid groups of two objects never collide with each other.
typedef struct crExclusionDef {
  size_t size;
  const char* objectA;
  const char* objectB;
  crSource source;
} crExclusionDef;

// ---------------------------------------------------------------------------------------- actions

typedef enum crActionKind {
  cr_actionAttach,  // an object, with its rigid group, becomes part of another one's
  cr_actionRelease, // an object that is part of another, by an action or by its parent, becomes free
  cr_actionDelete,  // an object vanishes, with what is fixed to it and what hangs on it
  cr_actionLock,    // a joint with one degree of freedom keeps its coordinate
  cr_actionUnlock,  // and is free again
  cr_actionKindCount
} crActionKind;

CR_API const char* crActionKind_GetText(crActionKind kind); // "attach", ...

typedef enum crTriggerKind {
  cr_triggerCall,    // from outside alone: crSimulation_Act, which every action hears
  cr_triggerTime,    // at a time, or at times
  cr_triggerSignal,  // a signal crosses a level
  cr_triggerContact, // two objects have touched for a while
} crTriggerKind;

typedef enum crCrossing { cr_crossingUp, cr_crossingDown, cr_crossingBoth } crCrossing;

#define CR_ACTION_SPEED 0.1 // [m/s] or [rad/s], see maxSpeed

// A change of the structure while a run goes on. The model that runs is left, and another one goes on from its state.
//
// Attaching and locking are plastic impacts where something moves: momentum is kept, and what kinetic energy is lost is
// dissipated. What is released goes on with the velocity that it had.
typedef struct crActionDef {
  size_t size;
  const char* name;
  crSource source;
  // What is done, one of:
  const char* attach;  // object that is free, or attached to something else
  const char* release; // object
  const char* remove;  // object; "delete" in models
  const char* lock;    // joint
  const char* unlock;  // joint
  const char* to;      // with attach: the object that it becomes a part of; may be the world
  double maxSpeed;     // [m/s] of the object's centre of mass relative to `to`, and of its turning at its radius of
                       // gyration; lock: [rad/s] or [m/s] of the joint. Faster ones end the run. 0: CR_ACTION_SPEED
  // When, one of the following; none: when crSimulation_Act says so.
  double time;                // [s] CR_ZERO: 0; 0: none
  double period;              // [s] > 0: again and again; 0: once
  const char* signal;         // whose value crosses the level
  double level;               // [unit of the signal]
  crCrossing direction;       //
  const char* const* contact; // (contactCount) two objects: something of their rigid parts touches, without a pause,
  int contactCount;           // 0 or 2
  double duration;            // [s] >= 0: for so long
} crActionDef;

// outTarget: path of the object or joint; may be NULL. cr_actionKindCount: it does nothing, or there is no def.
CR_API crActionKind crActionDef_GetKind(const crActionDef* def, const char** outTarget);
CR_API crTriggerKind crActionDef_GetTrigger(const crActionDef* def);

typedef enum crParameterKind { cr_parameterNumber, cr_parameterBool, cr_parameterString } crParameterKind;

typedef struct crParameter {
  const char* name;
  crParameterKind kind;
  double number;      // a bool is 0 or 1
  const char* string; // NULL unless it is one
  double min, max;    // numbers it may be: min < max, either may be infinite; both 0: any
  const char* unit;   // of a number, "m/s"; NULL: not told
  const char* label;  // what it is, for people; NULL: not told
} crParameter;

// A named group of elements: the prefix of their paths, with the parameters it was made from. Parameters are
// a record of how the model was made; changing them here changes nothing.
typedef struct crAssemblyDef {
  size_t size;
  const char* name; // path; "" is the model itself
  crSource source;
  const crParameter* parameters;
  int parameterCount;
} crAssemblyDef;

typedef enum crGravityKind {
  cr_gravityEarth = 0, // 9.81 m/s^2 along -z; a scene keeps it as uniform
  cr_gravityNone,
  cr_gravityUniform,
  cr_gravityPointMass,
} crGravityKind;

typedef struct crGravity {
  crGravityKind kind;
  crVec3 acceleration; // [m/s^2] uniform
  crVec3 centre;       // [m] point mass: where it is, in the world
  double mu;           // [m^3/s^2] >= 0, point mass: gravitational constant x mass
} crGravity;

// Rows just before and just after each event, between those of the output points.
typedef enum crEventRows {
  cr_eventRowsDefault, // as the model states, else by its size (crSimulationOptions)
  cr_eventRowsOn,
  cr_eventRowsOff
} crEventRows;

// How a model wants to be run by those who do not say otherwise. Zero in any field: it does not say.
typedef struct crRunOptions {
  double startTime;          // [s]
  double stopTime;           // [s] > startTime
  double interval;           // [s] > 0, of output points
  double tolerance;          // [-] relative, < 1
  double maxStep;            // [s] > 0
  crSolverKind solver;       //
  crIslandMode islands;      //
  crEventRows eventRows;     //
  const char* const* record; // (recordCount) patterns of the variables to record, as crMatchesPattern takes them
  int recordCount;
} crRunOptions;

typedef struct crSceneOptions {
  size_t size;
  crSource source;
  crGravity gravity;
  bool ignoresContacts; // nothing collides
  crRunOptions run;
  // contact of pairs that do not say otherwise
  crContactResponse response; // not user
  crDampingFormula formula;
  crContactTouch touch;
  crContactGeometry geometry;
  crFrictionLaw friction; // of joints that do not say otherwise, too
  double kRed;            // [-] > 0, a warning above 1; 0: 1
  double vMin;            // [m/s] > 0; 0: 0.01
  double wMin;            // [rad/s] > 0; 0: 0.01
  double hysteresis;      // [m] > 0; 0: 1e-8
} crSceneOptions;

// ------------------------------------------------------------------------------------------- scene

// Uniform gravity of 9.81 m/s^2 along -z; contact detection on; the palettes of solid materials and
// contact pairs filled. `sink` must live as long as the scene.
CR_API crStatus crCreateScene(const crAllocator* allocator, const crErrorSink* sink, crScene** outScene);
CR_API void crDestroyScene(crScene* scene);

CR_API crSolidMaterialDef crDefaultSolidMaterialDef(const char* name);
CR_API crContactPairDef crDefaultContactPairDef(const char* materialA, const char* materialB);
CR_API crVisualMaterialDef crDefaultVisualMaterialDef(const char* name);
CR_API crObjectDef crDefaultObjectDef(const char* name); // rigid, no parent, identity pose
CR_API crJointDef crDefaultJointDef(crJointKind kind, const char* name, const char* objectA, const char* objectB);
CR_API crForceDef crDefaultForceDef(crForceKind kind, const char* name, const char* objectA, const char* objectB);
CR_API crCouplingDef crDefaultCouplingDef(crCouplingKind kind, const char* name);
CR_API crActionDef crDefaultActionDef(const char* name);
CR_API crExclusionDef crDefaultExclusionDef(const char* objectA, const char* objectB);
CR_API crAssemblyDef crDefaultAssemblyDef(const char* name);
CR_API crSceneOptions crDefaultSceneOptions(void);

// outId may be NULL. Materials, pairs: a second one of the same name replaces the palette's, and is an
// error when the model itself gave the first.
CR_API crStatus crScene_SetOptions(crScene* scene, const crSceneOptions* options);
CR_API crStatus crScene_AddAssembly(crScene* scene, const crAssemblyDef* def, crId* outId);
CR_API crStatus crScene_AddObject(crScene* scene, const crObjectDef* def, crId* outId);
CR_API crStatus crScene_AddJoint(crScene* scene, const crJointDef* def, crId* outId);
CR_API crStatus crScene_AddForce(crScene* scene, const crForceDef* def, crId* outId);

// Adds a joint, and what it moves: an object without mass at the path of the joint and ".flange". A shaft is a revolute
// joint, a slider a prismatic one; def->objectB is NULL, and law.rotorInertia[0] > 0 the inertia or the mass.
CR_API crStatus crScene_AddShaft(crScene* scene, const crJointDef* def, crId* outId);
CR_API crStatus crScene_AddCoupling(crScene* scene, const crCouplingDef* def, crId* outId);
CR_API crStatus crScene_AddSignal(crScene* scene, const crSignalDef* def, crId* outId);
CR_API crStatus crScene_AddSolidMaterial(crScene* scene, const crSolidMaterialDef* def, crId* outId);
CR_API crStatus crScene_AddContactPair(crScene* scene, const crContactPairDef* def, crId* outId);
CR_API crStatus crScene_AddVisualMaterial(crScene* scene, const crVisualMaterialDef* def, crId* outId);
CR_API crStatus crScene_AddAction(crScene* scene, const crActionDef* def, crId* outId);
CR_API crStatus crScene_AddExclusion(crScene* scene, const crExclusionDef* def, crId* outId);

// Removing and replacing. Names that others have for what is removed stay there, and are found when the scene is
// compiled. Ids of other elements stay valid; the order is that of the first addition. A material or pair that stood
// for one of the palette makes way for that; those of the palette itself cannot be removed. What is replaced keeps its
// id and place; a path may be changed on the way, names of materials not. A def that breaks a rule is reported, and
// leaves what it was to replace as it is. Memory of what is gone comes back with the scene.
CR_API crStatus crScene_Remove(crScene* scene, crId id);
CR_API crStatus crScene_ReplaceAssembly(crScene* scene, crId id, const crAssemblyDef* def);
CR_API crStatus crScene_ReplaceObject(crScene* scene, crId id, const crObjectDef* def);
CR_API crStatus crScene_ReplaceJoint(crScene* scene, crId id, const crJointDef* def);
CR_API crStatus crScene_ReplaceForce(crScene* scene, crId id, const crForceDef* def);
CR_API crStatus crScene_ReplaceCoupling(crScene* scene, crId id, const crCouplingDef* def);
CR_API crStatus crScene_ReplaceSignal(crScene* scene, crId id, const crSignalDef* def);
CR_API crStatus crScene_ReplaceSolidMaterial(crScene* scene, crId id, const crSolidMaterialDef* def);
CR_API crStatus crScene_ReplaceContactPair(crScene* scene, crId id, const crContactPairDef* def);
CR_API crStatus crScene_ReplaceVisualMaterial(crScene* scene, crId id, const crVisualMaterialDef* def);
CR_API crStatus crScene_ReplaceAction(crScene* scene, crId id, const crActionDef* def);
CR_API crStatus crScene_ReplaceExclusion(crScene* scene, crId id, const crExclusionDef* def);

// Elements of a kind in the order in which they were added; palette entries first.
CR_API int crScene_Count(const crScene* scene, crElementKind kind);
CR_API crId crScene_GetId(const crScene* scene, crElementKind kind, int index); // null: no such index

// The element (assembly, object, joint, force, coupling, signal or action) at a path; null: none.
CR_API crId crScene_Find(const crScene* scene, const char* path);
CR_API crId crScene_FindSolidMaterial(const crScene* scene, const char* name);
CR_API crId crScene_FindContactPair(const crScene* scene, const char* materialA, const char* materialB);
CR_API crId crScene_FindVisualMaterial(const crScene* scene, const char* name);

// Views of what was added, with the defaults filled in, valid until the scene is changed. NULL for an id of another
// scene or kind.
CR_API const crSceneOptions* crScene_GetOptions(const crScene* scene);
CR_API const crAssemblyDef* crScene_GetAssembly(const crScene* scene, crId id);
CR_API const crObjectDef* crScene_GetObject(const crScene* scene, crId id);
CR_API const crJointDef* crScene_GetJoint(const crScene* scene, crId id);
CR_API const crForceDef* crScene_GetForce(const crScene* scene, crId id);
CR_API const crCouplingDef* crScene_GetCoupling(const crScene* scene, crId id);
CR_API const crSignalDef* crScene_GetSignal(const crScene* scene, crId id);
CR_API const crSolidMaterialDef* crScene_GetSolidMaterial(const crScene* scene, crId id);
CR_API const crContactPairDef* crScene_GetContactPair(const crScene* scene, crId id);
CR_API const crVisualMaterialDef* crScene_GetVisualMaterial(const crScene* scene, crId id);
CR_API const crActionDef* crScene_GetAction(const crScene* scene, crId id);
CR_API const crExclusionDef* crScene_GetExclusion(const crScene* scene, crId id);

// Parameters of the model and of its assemblies, in the order in which these were made, by the names that settings
// know them by: "speed", "robot.arm.length". NULL, or 0, for an index that no parameter has. The name is written like
// snprintf does.
CR_API int crScene_CountParameters(const crScene* scene);
CR_API const crParameter* crScene_GetParameter(const crScene* scene, int index);
CR_API int crScene_GetParameterName(const crScene* scene, int index, char* buffer, size_t size);
// The index of a parameter of that name; -1: there is none.
CR_API int crScene_FindParameter(const crScene* scene, const char* name);

CR_API bool crScene_IsPalette(const crScene* scene, crId id); // given by Carom, not by the model

// The inertia of one feature in its object's frame: zero mass for features without. Solids whose mass
// comes from a density look it up; an unknown material gives cr_errorModel without a report.
CR_API crStatus crScene_ComputeFeatureInertia(const crScene* scene, crId object, int feature, crInertia* outInertia);

// The shape of a solid feature, made when it was added and owned by the scene; NULL for other features.
CR_API const crShape* crScene_GetShape(const crScene* scene, crId object, int feature);

// The mesh files that the shapes of a scene come from, each once per scale, as views. They are searched for.
CR_API int crScene_CountMeshFiles(const crScene* scene);
CR_API crMeshFile crScene_GetMeshFile(const crScene* scene, int index); // without a file: no such index

// A source file that a Lua model has included, by the name that it was included under.
typedef struct crSourceFile {
  const char* file;
  const char* text; // (size), followed by a 0
  size_t size;
} crSourceFile;

// The files that the model of a scene has included, each once, as views.
CR_API int crScene_CountSourceFiles(const crScene* scene);
CR_API crSourceFile crScene_GetSourceFile(const crScene* scene, int index); // without a file: no such index

// Errors reported so far while adding.
CR_API int crScene_CountErrors(const crScene* scene);

#ifdef __cplusplus
}
#endif

#endif
