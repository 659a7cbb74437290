// Links: what evaluation has to know of each body, precomputed in the layout that it wants.
//
// A link is a body with axes of its own choice, fixed to it: those of a body on a revolute joint have the joint's axis
// as z, so that turning it mixes two columns of a matrix. R_BL gives them in the body's frame; the origin is the
// body's.
//
// With near frame N of the joint on the parent's link P:
//
//   R_WL = R_WP R_PN Rz(q),       p_WB = p_WP + R_WP p_PN                    revolute
//   R_WL = R_WP R_PN R_NB(q),     p_WB = p_WP + R_WP (p_PN + R_PN p_NB(q))   any other
//
// A reversed revolute joint turns about the opposite axis; any other reversed joint uses the inverse of its pose.
#ifndef CR_MODEL_LINK_H
#define CR_MODEL_LINK_H

#include "carom/model.h"
#include "math/lanes.h"

// How a link is evaluated: two paths of their own where most of the time goes, one for all.
typedef enum crLinkPath {
  cr_pathRevolute,
  cr_pathFree, // a body that moves freely in the world and carries nothing
  cr_pathGeneral
} crLinkPath;

typedef struct crLink {
  crLanes33 R_PN;      // near frame, turned to the link's axes, in the parent's link axes
  crLanes p_PN;        // [m] its origin
  crLanes33 I_Bo;      // [kg m^2] inertia about the origin, in link axes
  crLanes h;           // [kg m] mass times centre of mass, in link axes
  double mass;         // [kg]
  double inverseMass;  // [1/kg]
  double inverseRound; // [1/(kg m^2)] of the inertia about every axis of a round tree, else 0
  int parent;          // body
  int joint;
  int qStart, vStart; // of the joint, into the state vector or behind it
  int dofStart;       // first degree of freedom, counted over all trees
  int pivotStart;     // first of its pivots, see crModel.pivotCount
  int vCount;         // degrees of freedom: none with a prescribed motion
  int columnStart;    // of the joint's motion in S: dofStart, or behind all degrees of freedom with a prescribed motion
  int columnCount;    // those of the joint's kind
  uint8_t path;       // crLinkPath
  bool isLeaf;        // has no children
  bool isLastChild;   // of its parent: the first one to come when bodies are visited backwards
  bool reserved;      // false
} crLink;

// The ends of a force element. Elements are ordered by the tree that owns them, the first of the trees they act on.
typedef struct crForceEnds {
  int force;         // of the model
  int bodyA, bodyB;  // the world where there is no objectB
  int bodyF;         // whose axes count: A's of a bushing, the frame's of a force or torque
  crVec3 p_LA, p_LB; // [m] the points, in the axes of their links
  crMat3 R_LF, R_LB; // axes of the frame and of objectB in those of their links
} crForceEnds;

// Fills links, link axes, force ends, law joints and the tables of trees of a packed model. scratch: (signalCount)
void crFillLinks(crModel* model, int* scratch);

// Fills which shapes a body has, and which trees are left alone or round; once links and signals are known
// (round_tree.c).
void crFillRoundTrees(crModel* model);

#endif
