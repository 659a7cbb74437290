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

// Tells contacts apart: two objects, the shapes that touch, and which of their points of contact it is.
typedef struct crContactKey {
  int32_t objectA, objectB; // numbers of the objects that a record names; normals point out of A, towards B
  int32_t shapeA, shapeB;   // of the model
  int32_t feature;          // where the same two shapes can touch in several points at once
} crContactKey;

typedef enum crContactChange { cr_contactBegin, cr_contactEnd } crContactChange;

// A contact begins or ends. What is not known is NaN; point, normal and slip are those at that time.
typedef struct crContactRecord {
  double time;        // [s]
  int32_t change;     // crContactChange
  crContactKey key;   //
  crVec3 point;       // [m] world
  crVec3 normal;      // [-] unit length, world
  double speed;       // [m/s] along the normal, >= 0. begin: of approach, end: of separation
  double slip;        // [m/s] tangential speed
  double cor;         // [-] begin: coefficient of restitution of the law at this speed (cor_reg)
  double damping;     // [s/m] begin: d of the law
  double radius;      // [m] begin: contact radius R
  double maxDepth;    // [m] end: since the begin
  double maxForce;    // [N] end: largest normal force
  double impulse;     // [N s] end: of the normal force
  double dissipation; // [J] end: energy that the contact took
} crContactRecord;

// A contact at an output row.
typedef struct crContactSample {
  int32_t row;        // set by the writer
  crContactKey key;   //
  crVec3 point;       // [m] world
  crVec3 normal;      // [-] unit length, world
  crVec3 force;       // [N] on B, world; A takes the opposite
  crVec3 torque;      // [N m] on B about the point, world
  double depth;       // [m] > 0 inside
  double depthRate;   // [m/s] > 0 approaching
  double slip;        // [m/s] tangential speed
  double dissipation; // [J] since the begin
} crContactSample;

// With zero for the key, NaN for all numbers.
CR_API crContactRecord crDefaultContactRecord(crContactChange change, double time);
CR_API crContactSample crDefaultContactSample(void);

#ifdef __cplusplus
}
#endif

#endif
