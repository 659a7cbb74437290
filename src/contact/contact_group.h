// Contacts that are parts of one: of a ball or ellipsoid with the shapes of a compound, or of two compounds by area.
//
// A ball that rolls over the seam of two flush plates touches both, one of them at its edge, and must feel one. With
// depths d_i and normals n_i of its touches,
//
//   U = sum of T_i,   T_i = k_i d_i^m / m  product over the others of w_ij,    m = 2.5, or n + 1 of the law's exponent
//
// depends on the pose alone, so that nothing is lost or gained, and
//   - one touch that clears another on its way out, d_j <= g d_i with g = (n_i . n_j)^16, has all of it: w_ij = 1, w_ji
//     = 0. So it is at the edges of flush plates, where d_j < d_i cos(angle), and at convex ones;
//   - touches across each other, of a corner or a groove, push as if alone: g = 0, w = 1;
//   - in between, in flat valleys, two of equal stiffness push with
//
//       w_ij d_i^m + w_ji d_j^m = a^m + (1 - g) / (1 + g) ((b - g a) / (1 - g))^m        a >= b: the larger depth
//
//     which has continuous derivatives, also where a and b change places.
// An ellipsoid that touches the wall of a room in two places has another energy, see wall.h.
// Round solids, and those that go into each other, as plates of a bend that overlap, are touched each by itself, where
// no foot is at a seam: their faces go on inside, so that a touch ends where its depth does, and each keeps its energy.
// The change of g, where a foot is on an edge or a round side, is left out of the gradient: it is of the order of depth
// over radius, and there only where neither touch has all of it.
#ifndef CR_CONTACT_CONTACT_GROUP_H
#define CR_CONTACT_CONTACT_GROUP_H

#include "contact/contact.h"

// What contacts of one group have in common; first < 0: a group of its own.
typedef struct crGroupKey {
  int first, second; // by area: the compounds of A and B; else the ball, and the other compound
} crGroupKey;
crGroupKey crFindGroupKey(const crContacts* contacts, const crTouchingPair* pair);

// Which contacts are in a group: fills partners, for which there is room.
void crContacts_ListGroups(crContacts* contacts);

static inline bool crIsAlone(const crContacts* contacts, int contact)
{
  const crContactPartner* partner = &contacts->partners.items[contact];
  return partner->first == contact && partner->next < 0;
}

// What a contact pushes with that has this share.
static inline crContactMemory crScaleMemory(const crContactLaw* law, const crContactMemory* memory, double share)
{
  crContactMemory scaled = *memory;
  scaled.stiffness *= share;
  scaled.damping *= law->response == cr_responseSpringDamper ? share : 1.0;
  return scaled;
}

// The contact that a new touch of a ball is hidden behind, which it takes over from when the ball rolls on; NULL: none.
// `now` is that touch; poses are those of the contacts.
const crContact* crContacts_FindElder(const crContacts* contacts, const crTouchingPair* pair, const crTouch* now);

// One that begins at the same event, at the same place: the rim that two solids share is no rounder on one than on the
// other. NULL: none.
const crContact* crContacts_FindTwin(const crContacts* contacts, const crTouchingPair* pair, const crTouch* now);

// What acts besides the shares of the contacts of a group, through one of them: on B, at its point.
typedef struct crGroupRest {
  int contact; // -1: nothing does
  crVec3 force, torque;
} crGroupRest;

// Fills share and force.elastic, T, of the contacts of a group at points, from `first` on; `now` of each is known.
crGroupRest crShareDepths(crContacts* contacts, int first);

// How the shares of such contacts change with the depth of one of them, `by`, over the shares, by differences; of the
// first `count` of the group. Which of two touches at one foot pushes stays as it is.
void crComputeShareSlopes(crContacts* contacts, int first, int by, int count, double* outSlopes); // [1/m] (count)

#endif
