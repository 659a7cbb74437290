// The inside of a collider: bodies by row, and the boxes of their convex pieces.
#ifndef CR_EXTERNAL_COLLIDER_H
#define CR_EXTERNAL_COLLIDER_H

#include "base/friend.h"
#include "base/memory.h"
#include "base/report.h"
#include "carom/collide.h"
#include "carom/external.h"
#include "carom/model.h"

#define CR_BODY_KEY 8           // numbers of a row that its shape follows from
#define CR_COLLIDER_MESSAGE 512 // [bytes]; longer messages are cut

typedef struct crColliderMesh {
  int index;
  const crMesh* mesh; // retained
} crColliderMesh;

typedef struct crColliderBody {
  double key[CR_BODY_KEY]; // id, shape, extra, stl index, noCollision, size
  crShape* shape;          // NULL: takes no part
  crVec3 p_FS;             // [m] frame of the shape in that of the row
  // of the present call
  crPose X_WS;   // of the shape
  crVec3 origin; // [m] r
  crMat3 R_WB;
} crColliderBody;

// A convex piece of a body; it has the number of its box.
typedef struct crColliderPiece {
  int body;
  const crShape* shape;
} crColliderPiece;

struct crCollider {
  crAllocator allocator;
  crErrorSink sink;
  crColliderDef def;
  crContactLaw law;
  crStatus openStatus; // of what crOpenCollider could not say
  crArrayOf(crColliderMesh) meshes;

  crColliderBody* bodies; // (bodyCount)
  int bodyCount;
  crColliderPiece* pieces; // (pieceCount)
  int* owners;             // (pieceCount) first body of the same id
  int pieceCount;
  crBroadPhase* broadPhase;
  double margin; // [m] within which neighbours are found

  char message[CR_COLLIDER_MESSAGE];
};

// A reporter whose messages become the collider's and go on to its sink.
CR_FRIEND crErrorSink crCollider_Sink(crCollider* collider);

// Checks a def and takes it, whatever it is.
CR_FRIEND crStatus crCollider_SetDef(crCollider* collider, const crColliderDef* def);

// Reads all rows, makes shapes where they changed, and finds the pairs of pieces that are within the margin.
crStatus crCollider_Place(crCollider* collider, int bodyCount, const double* bodies, const crBoxPair** outPairs,
                          int* outCount);

// Adds a force at a point and a torque to a row, in world axes.
void crCollider_Push(const crCollider* collider, int body, crVec3 point, crVec3 force, crVec3 torque, double* forces);

// Turns all rows from world to body axes.
void crCollider_TurnForces(const crCollider* collider, double* forces);

#endif
