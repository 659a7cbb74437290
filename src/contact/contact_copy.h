// A copy of a set of contacts that is only kept, to come back to it: see contact_copy.c.
#ifndef CR_CONTACT_CONTACT_COPY_H
#define CR_CONTACT_CONTACT_COPY_H

#include "contact/contact.h"

typedef struct crContactCopy {
  crContacts* set;           // NULL: nothing was ever kept
  bool isPacked;             // its contacts are not in the set
  crArrayOf(uint64_t) words; // but here
} crContactCopy;

void crContactCopy_Free(crContactCopy* copy);
// A set, empty, of the same table; if there is none yet.
crStatus crContactCopy_Provide(crContactCopy* copy, crShapeTable* table, const crAllocator* allocator);

crStatus crContactCopy_Save(crContactCopy* copy, const crContacts* from); // into the set that was provided
crStatus crContactCopy_Restore(const crContactCopy* copy, crContacts* to);
void crContactCopy_Archive(crArchive* archive, crContactCopy* copy);

#endif
