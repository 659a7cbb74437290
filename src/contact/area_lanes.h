// Area contacts of boxes, as many at a time as registers have lanes: those of a corner below a plane, of an edge on the
// ground and of two edges that cross, whose patches are known in closed form. What follows from a patch, damping and
// friction of five points among it, waits for chains of roots and divisions, and several contacts wait at once. Every
// contact has the bits that it has by itself.
#ifndef CR_CONTACT_AREA_LANES_H
#define CR_CONTACT_AREA_LANES_H

#include "contact/area_contact.h"

#define CR_LEAST_AREAS 3      // contacts of a set from which on lanes are faster than one by one
#define CR_AREAS_LOOKED_AT 64 // contacts at most, of which one call evaluates some

// Evaluates contacts from `from` on, as crEvalAreaContact; bit i of the mask: contact from + i has been. outEnd: behind
// the last one that was looked at.
uint64_t crEvalAreas(const crInstance* instance, crContacts* contacts, int from, int* outEnd);

#endif
