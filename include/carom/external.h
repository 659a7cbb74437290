// Collisions for other simulators: plain C functions that take many bodies in one flat array and return forces.
//
// After [Engelson00], section 6.2: a simulator such as a Modelica tool integrates the motion; at every evaluation it
// hands over where all bodies are, and gets back what pushes them. examples/modelica/Carom.mo has the declarations,
// examples/c/four_cubes.c calls them as Modelica would. A body is a row of 27 numbers:
//
//    0  id           rows of the same id are parts of one body and do not touch each other
//    1  shape        crExternalShape; not used when there is an stl index
//    2  form         not used: a code for drawing
//    3  extra        cone: diameter of the top over that of the base
//    4  stl index    0: none; else a mesh that was given to the collider under this number
//    5  noCollision  0: the body takes part
//    6  size[3]      [m] length along rx, width along ry, height
//    9  rx[3]        axes of the shape in the world, orthogonal, unit length
//   12  ry[3]
//   15  r[3]         [m] origin of the shape in the world
//   18  S[3][3]      axes of the body frame, row by row: a vector is S h in the world and h in the body
//
// and its result a row of 6: force [N] and torque about r [N m] on the body, in the axes of its body frame.
//
// These 27 numbers hold no velocities, so nothing but an elastic force can follow from them. The second entry takes
// velocities and masses as well and applies the elastic law of docs/contact.md. That law depends on how
// fast each contact began; what has to be remembered is in an object of its own, which changes at events only.
#ifndef CAROM_EXTERNAL_H
#define CAROM_EXTERNAL_H

#include "carom/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CR_BODY_INPUTS 27
#define CR_BODY_OUTPUTS 6
#define CR_BODY_MOTIONS 7

typedef enum crExternalShape {
  cr_externalBox = 101,      // size
  cr_externalSphere = 102,   // diameter: length
  cr_externalCylinder = 103, // along rx, diameter: width
  cr_externalCone = 104,     // along rx from its base at r, diameter: width
  cr_externalBeam = 106,     // length between the centres of its round ends
} crExternalShape;

// All bodies are of one material, since the rows do not say of which. Zero is the default of every number; where 0
// makes sense, CR_ZERO says it.
typedef struct crColliderDef {
  size_t size;         // sizeof(crColliderDef), as crDefaultColliderDef sets it
  double stiffness;    // [N/m] > 0: K of the first entry; 0: 1e5
  bool beginsAtOrigin; // shapes reach from r along rx, as Modelica's libraries draw them; false: r is in their middle
  double E;            // [N/m^2] > 0: Young's modulus; 0: steel's, 2e11
  double nu;           // [-] 0 < nu < 1: Poisson's ratio; 0: 0.3
  double cor;          // [-] 0 to 1: coefficient of restitution; 0: 0.7; CR_ZERO: none
  double muK;          // [-] >= 0: of sliding friction; 0: 0.5; CR_ZERO: none
  double muR;          // [-] >= 0: of rolling resistance; 0: 0.001; CR_ZERO: none
  double kRed;         // [-] > 0: factor of the stiffness of the elastic law; 0: 1
  double vMin, wMin;   // [m/s], [rad/s] > 0: below them friction and restitution fade to zero; 0: 0.01
  double hysteresis;   // [m] > 0: contact begins at twice this depth and ends at 0; 0: 1e-8
  crDampingFormula formula;
  double gravity; // [m/s^2] >= 0: of the simulator, for the hysteresis of light bodies; 0: 9.81; CR_ZERO: none
} crColliderDef;

CR_API crColliderDef crDefaultColliderDef(void);

// What is known of the bodies between calls: shapes and their neighbourhood. No result depends on earlier calls. One
// thread at a time.
typedef struct crCollider crCollider;

CR_API crStatus crCreateCollider(const crColliderDef* def, const crAllocator* allocator, const crErrorSink* sink,
                                 crCollider** outCollider);
CR_API void crDestroyCollider(crCollider* collider);

// Makes a mesh, in metres, known under an index > 0, where there is none yet. carom/io.h reads them from files.
CR_API crStatus crCollider_AddMesh(crCollider* collider, int stlIndex, const crMesh* mesh);

// The last message about bad input; "" without one. Valid until the next call.
CR_API const char* crCollider_GetMessage(const crCollider* collider);

// First entry. bodies: (bodyCount x CR_BODY_INPUTS), outForces: (bodyCount x CR_BODY_OUTPUTS). Two bodies, or convex
// pieces of them, that overlap push each other apart along the shortest way out with stiffness x depth: the gradient
// of stiffness depth^2 / 2, so that energy is conserved. cr_errorModel: a row breaks a rule, see the message. cr_retry:
// a number is not finite. Then outForces is unchanged.
CR_API crStatus crCollider_ComputeForces(crCollider* collider, int bodyCount, const double* bodies, double* outForces);

// ----------------------------------------------------------------------------------- with velocities

// The contacts of one simulation, and what was frozen when each began.
typedef struct crColliderMemory crColliderMemory;

CR_API crStatus crCreateColliderMemory(const crCollider* collider, crColliderMemory** outMemory);
CR_API void crDestroyColliderMemory(crColliderMemory* memory);
CR_API int crColliderMemory_CountContacts(const crColliderMemory* memory);

// Second entry. motions: (bodyCount x CR_BODY_MOTIONS) velocity of r [m/s] and angular velocity [rad/s], both in the
// axes of the body frame, and mass [kg] > 0. Only contacts in the memory push, and it is not changed.
CR_API crStatus crCollider_ComputeElasticForces(crCollider* collider, const crColliderMemory* memory, int bodyCount,
                                                const double* bodies, const double* motions, double* outForces);

// Two numbers that cross zero when the contacts change: outIndicators[0] rises through zero when one ends,
// outIndicators[1] falls through zero when one begins.
CR_API crStatus crCollider_ComputeIndicators(crCollider* collider, const crColliderMemory* memory, int bodyCount,
                                             const double* bodies, const double* motions, double outIndicators[2]);

// At the start and at each event: takes up and drops contacts. On failure the memory is unchanged.
CR_API crStatus crCollider_ResolveEvent(crCollider* collider, crColliderMemory* memory, int bodyCount,
                                        const double* bodies, const double* motions);

// For hosts that cannot look at a status when they create something, such as Modelica tools; carom/io.h has
// crOpenCollider. NULL: out of memory.
CR_API crColliderMemory* crOpenColliderMemory(const crCollider* collider);

#ifdef __cplusplus
}
#endif

#endif
