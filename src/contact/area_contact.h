// Two bodies that push each other by area: the elastic force of their patch, with damping and friction.
//
// Damping and friction act along the resultant n of the elastic forces N, at five points that have the zeroth, first
// and second moments of the depth over the patch:
//
//   x_0 = c,  x_1..4 = c +- 3/2 S e_i,    w = N (1/9, 2/9, 2/9, 2/9, 2/9),   c, S^2: mean and covariance of d across n
//   w_k d delta'_k n  -  muK w_k (1 + d delta'_k) v_t / reg(|v_t|),          1 + d delta' >= 0
//
// N (1 + d delta') is integrated exactly, since delta' is linear over the patch; the factor and the weights make the
// drilling torque of a round flat exact, 2/3 muK N R. Across patches that are narrow against the bodies, as under what
// rolls, the points of damping draw together. Points move smoothly with the patch however it was cut.
//
// Nothing is frozen: in place of a d from the speed at the beginning stands u / v_s, with the speed at which the
// contact would have begun at that point,
//
//   v_s^2 = delta'_k^2 + 2 U (1 / m_1 + 1 / m_2)       effective masses at c along n
//
// so that a slap from an edge to a face is an impact of its own, and what rests comes to rest whatever it did before.
// The restitution of a free impact is a function of u alone for every shape: see crComputeAreaDamping.
#ifndef CR_CONTACT_AREA_CONTACT_H
#define CR_CONTACT_AREA_CONTACT_H

#include "contact/area_law.h"
#include "contact/contact.h"

#define CR_LEAP 100.0       // [-] depth over that before, from which on it is looked at twice
#define CR_STEEPEST 100.0   // [-] load times depth over energy: 2 of faces, 3 of tips
#define CR_WIDEST 3.0       // [-] of the smaller body's reach, to which CR_POINT_REACH times a spread can not come
#define CR_POINT_REACH 1.5  // [-] of the root of the covariance
#define CR_GRIP (4.0 / 9.0) // [-] of both reaches: mean distance of the five points, by their loads

// One of the two bodies with the shape that it touches with.
typedef struct crAreaSide {
  const crShape* shape;
  crPose X_WS;           // of the shape's canonical frame
  crVec3 p, v, w;        // the body's origin and motion, in the world
  crVec3 surface;        // [m/s] of a surface that moves by itself
  double inverseMass;    // [1/kg] 0: does not move
  crVec3 centre;         // of mass, in the world
  crMat3 inverseInertia; // [1/(kg m^2)] about it, in the world; zero: counts as not turning
} crAreaSide;

typedef struct crAreaDamper crAreaDamper; // area_loss.h

// A patch in the world, as B feels it.
typedef struct crAreaPatch {
  double elastic;         // [J]
  double load;            // [N] of the resultant, along n
  crVec3 n, point;        // from A to B; centre of pressure
  crVec3 force, torque;   // [N], [N m] elastic, on B, about the point
  crVec3 reach[2];        // from the point to the others
  double depth;           // [m]
  crVec3 deepest, normal; // where, and outward there
  bool isOfA;             // on A's surface
  double area, pressure;
} crAreaPatch;

// Fills now, motion, force, drag, area and pressure of a contact. Where the two are apart there is no force. A force
// that is not finite: the patch was too much.
void crEvalAreaContact(const crContactLaw* law, const crAreaSide* a, const crAreaSide* b, crContact* contact);
// The same, with the patch and what its damping needs; false: they are apart, and nothing else is told.
bool crEvalAreaPatch(const crContactLaw* law, const crAreaSide* a, const crAreaSide* b, crContact* contact,
                     crAreaPatch* outPatch, crAreaDamper* outDamper);
// The same where it is known that the patch has no closed form.
void crEvalOpenArea(const crContactLaw* law, const crAreaSide* a, const crAreaSide* b, crContact* contact);

// How the bristle of a contact changes with the motion of B, and what it exerts on B, about the origin of its body,
// with itself. A stays as it is.
typedef struct crAreaBristle {
  crVec3 forceBy[CR_MOST_BRISTLES], torqueBy[CR_MOST_BRISTLES];
  crVec3 rateByX[CR_MOST_BRISTLES], rateByTurn[CR_MOST_BRISTLES], rateByV[CR_MOST_BRISTLES], rateByW[CR_MOST_BRISTLES];
  double rateBy[CR_MOST_BRISTLES][CR_MOST_BRISTLES];
} crAreaBristle;

// One of several contacts of two compounds. All of it is working space but for sides and contact.
struct crAreaPart {
  crAreaSide a, b, still;
  crContact* contact;
  bool isApart;
  crAreaPatch patch;
  crAreaBristle bristle; // by crComputeAreaSlope, of contacts that stick
};

// The same for contacts of two compounds. Each patch alone stores U_i, all of them as one surface U_0; together they
// store
//
//   U = U_0 f(x),   x = sum of U_i / U_0,    f = 1 for x >= 0.9: one surface,   f = x for x <= 0.3: the sum of U_i
//
// with a cubic in between: pieces beside each other push as one, feet far apart each for itself, as the stiffness of
// rigid punches is less than the sum, and less than that of one which has all of them. f depends on the poses alone, so
// that no energy is lost or gained. Damping is that of the resultant.
void crEvalAreaGroup(const crContactLaw* law, crAreaPart* parts, int count);

// Shape and pose of a side; and all of a side of an instance at stage velocity.
void crPlaceAreaSide(const crContacts* contacts, int shape, const crShape** outShape, crPose* outX_WS);
void crFillAreaSide(const crInstance* instance, const crContacts* contacts, int shape, crAreaSide* out);

// Sides and contact of one contact, or of all of a group from the first on, into the parts of the set; returns their
// number.
void crFillAreaPart(const crInstance* instance, const crContacts* contacts, int contact, crAreaPart* out);
int crFillAreaParts(const crInstance* instance, const crContacts* contacts, int first);

// How the wrench on B, about the origin of its body, changes: with B moved and turned about that origin, and with the
// velocity of that origin and its angular velocity; A stays as it is.
typedef struct crAreaSlope {
  crWrench wrench; // on B as it is
  crMat3 forceByX, torqueByX, forceByTurn, torqueByTurn;
  crMat3 forceByV, torqueByV, forceByW, torqueByW;
} crAreaSlope;

// With what bristles exert, at the patch as it is: how patches move and turn is left out of that.
// Of polytopes by the second derivatives of their energy (area_tangent.h), else, and of groups, by differences of
// patches; what damping and friction add by differences. Of all contacts of a group, or of one alone; their sides and
// contacts are filled, and sides of B are moved.
void crComputeAreaSlope(const crContactLaw* law, crAreaPart* parts, int count, crAreaSlope* outSlope);

#endif
