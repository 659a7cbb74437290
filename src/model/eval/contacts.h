// What evaluation asks of the contacts of a set. How contacts do it is the matter of src/contact, which sees the inside
// of an instance; evaluation does not see theirs.
#ifndef CR_MODEL_EVAL_CONTACTS_H
#define CR_MODEL_EVAL_CONTACTS_H

#include "model/eval/instance.h"

// Adds the forces of all contacts to the bodies; stage velocity. false: not finite.
bool crApplyContacts(crInstance* instance, crContacts* contacts);

// As evaluated last: what all of them store [J]; what surfaces that move by themselves do, and what is dissipated.
double crContacts_SumElastic(const crContacts* contacts);
crPowers crContacts_SumPowers(const crContacts* contacts, const crInstance* instance);

// As evaluated last: what contacts do to an object, with another one or, -1, with all; torque about o, in the world.
typedef struct crContactSum {
  crVec3 force, torque;
  double normalForce, area;
  double pressure, depth; // the largest
} crContactSum;
crContactSum crContacts_SumOn(const crContacts* contacts, int object, int other, crVec3 o);

// Other trees that a tree touches, and where their states begin in those of a set.
typedef struct crTreeLinks {
  const uint64_t* links; // (count) tree << 32 | other, ascending
  const int* places;     // (count) -1: not in the set
  int count;
} crTreeLinks;

// Finds where the states of linked trees begin in those of the set. n log n of links.
void crContacts_PlaceLinks(crContacts* contacts, crTreeSet set);
crTreeLinks crContacts_GetLinks(const crContacts* contacts, int tree); // once they are placed

#endif
