// Records: what a run hands out, be it kept in memory or in a file. Rows of variables at output points, poses for
// pictures, contacts that begin and end, and contacts at output points.
#ifndef CAROM_RECORD_H
#define CAROM_RECORD_H

#include "carom/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crColumn {
  const char* name;        // "arm.joint1.angle"
  const char* unit;        // "rad"; "1" for none
  const char* description; // one line
} crColumn;

#define CR_POSE_SIZE 7 // floats: x, y, z [m], then w, x, y, z of the quaternion R_WB

// Whether a name matches a pattern: '*' stands for any characters but '.', '**' for any, '?' for one but '.'.
CR_API bool crMatchesPattern(const char* name, const char* pattern);

// ----------------------------------------------------------------------------------------- contacts

// Tells contacts apart. Normals point out of A, towards B.
typedef struct crContactKey {
  int32_t bodyA, bodyB;   // of the model; -1: not known, in results of Carom 0.1
  int32_t shapeA, shapeB; // contact shapes of the model, shapeA < shapeB
  int32_t touch;          // where the same two shapes can touch in several points at once
} crContactKey;

// What a record of a contact is of. Its time, point, normal, depth and slip are those of that moment.
typedef enum crContactPhase {
  cr_contactBegin, // it begins
  cr_contactEnd,   // it ends: all values are final
  cr_contactLast,  // it lasts when a run ends: values so far
  cr_contactNow,   // as it is at some time, with what it exerts
} crContactPhase;

// A contact. What is not known is NaN. Sums and maxima are as accurate as the steps of a run, and go up to its last
// step.
typedef struct crContactRecord {
  crContactKey key;
  int32_t objectA, objectB; // that touch, by their numbers in the model, or in a result
  int32_t phase;            // crContactPhase
  int32_t response;         // crContactResponse of its law; -1: not known
  double time;              // [s] of the record
  double begin, end;        // [s] when the distance was 0; end NaN: it lasts
  crVec3 point, normal;     // [m], [-] world
  double depth;             // [m] > 0 inside
  double depthRate;         // [m/s] > 0 approaching
  double slip;              // [m/s] tangential speed
  double approach;          // [m/s] >= 0: speed along the normal when it began, before an impulse
  double separation;        // [m/s] the same when it ended
  double restitution;       // [-] separation / approach; NaN: it did not begin with an approach
  double cor;               // [-] coefficient of restitution of the law at this approach (cor_reg)
  double damping;           // [s/m] d of the law
  double radius;            // [m] contact radius R
  double maxDepth;          // [m] since the begin
  double maxForce;          // [N] largest normal force
  double impulse;           // [N s] of the normal force
  double dissipation;       // [J] energy that it took
  crVec3 force, torque;     // now: [N], [N m] on B at the point, world; A takes the opposite
  double normalForce;       // now: [N]
  double elastic;           // now: [J] stored
  double power;             // now: [W] that it takes out
} crContactRecord;

// -1 for all numbers of things, NaN for the rest but the time.
CR_API crContactRecord crDefaultContactRecord(crContactPhase phase, double time);

// Whether it has pushed so far, by force or impulse. Shapes that come near and part again without a force are no
// contacts: nobody counts or lists them. Observers never push, and are contacts as long as they overlap; so is one of
// which forces are not known.
CR_API bool crContactRecord_HasPushed(const crContactRecord* record);

#ifdef __cplusplus
}
#endif

#endif
