// Copies of sets. A contact has 904 bytes, of which most are 0, or those of its neighbour, where it is one of two
// balls: what bristles and patches need, sums that no step has begun, what materials and sizes alone decide. So of a
// large set a contact is kept as the words in which it differs from the one before, behind bits that tell which these
// are.
#include "contact/contact_copy.h"

#include <string.h>

#define CR_LARGE_COPY 400 // contacts from which on they are packed: less is soon copied
#define CR_CONTACT_WORDS ((int)(sizeof(crContact) / sizeof(uint64_t)))
#define CR_WORD_BITS 64
#define CR_MASKS ((CR_CONTACT_WORDS + CR_WORD_BITS - 1) / CR_WORD_BITS) // words of bits
#define CR_MOST_WORDS (CR_MASKS + CR_CONTACT_WORDS)
#define CR_GROWTH_SHARE 8 // of the words there are: room for more, at least

_Static_assert(sizeof(crContact) % sizeof(uint64_t) == 0, "a contact is a number of words");

typedef struct Words {
  uint64_t items[CR_CONTACT_WORDS];
} Words;

void crContactCopy_Free(crContactCopy* copy)
{
  if (copy->set != NULL) {
    crAllocator allocator = copy->set->allocator;
    crArray_Free(&copy->words, &allocator);
    crDestroyContacts(copy->set);
    copy->set = NULL;
  }
}

crStatus crContactCopy_Provide(crContactCopy* copy, crShapeTable* table, const crAllocator* allocator)
{
  return copy->set != NULL ? cr_ok : crCreateSharedContacts(table, allocator, &copy->set);
}

// Returns how many words it takes.
static int packContact(const Words* now, const Words* before, uint64_t* out)
{
  int count = CR_MASKS;
  for (int k = 0; k < CR_MASKS; ++k) {
    int first = k * CR_WORD_BITS, rest = CR_CONTACT_WORDS - first;
    uint64_t mask = 0;
    for (int i = 0; i < CR_WORD_BITS && i < rest; ++i) {
      bool isOther = now->items[first + i] != before->items[first + i];
      out[count] = now->items[first + i];
      mask |= (uint64_t)isOther << i;
      count += isOther;
    }
    out[k] = mask;
  }
  return count;
}

// Words that are those of the contact before are there already.
static int unpackContact(const uint64_t* in, Words* ioWords)
{
  int count = CR_MASKS;
  for (int k = 0; k < CR_MASKS; ++k) {
    for (uint64_t mask = in[k]; mask != 0; mask &= mask - 1) {
      ioWords->items[k * CR_WORD_BITS + __builtin_ctzll(mask)] = in[count++];
    }
  }
  return count;
}

static bool pack(crContactCopy* copy, const crContacts* from)
{
  Words words[2] = { { { 0 } }, { { 0 } } };
  copy->words.count = 0;
  for (int k = 0; k < from->contacts.count; ++k) {
    int needed = copy->words.count + CR_MOST_WORDS;
    if (needed > copy->words.capacity && !crReserve(&copy->set->allocator, &copy->words.items, &copy->words.capacity,
                                                    needed + needed / CR_GROWTH_SHARE, sizeof *copy->words.items)) {
      return false;
    }
    memcpy(&words[k % 2], &from->contacts.items[k], sizeof words[0]);
    copy->words.count += packContact(&words[k % 2], &words[1 - k % 2], copy->words.items + copy->words.count);
  }
  return true;
}

static void unpack(const crContactCopy* copy, crContacts* to)
{
  Words words = { { 0 } };
  const uint64_t* next = copy->words.items;
  for (int k = 0; k < to->contacts.count; ++k) {
    next += unpackContact(next, &words);
    memcpy(&to->contacts.items[k], &words, sizeof words);
  }
}

// Shares of groups are written into a copy, where there are any. Without memory the copy is empty.
crStatus crContactCopy_Save(crContactCopy* copy, const crContacts* from)
{
  crContacts* set = copy->set;
  copy->isPacked = from->contacts.count >= CR_LARGE_COPY && !from->table->hasCompounds;
  if (!copy->isPacked) {
    crArray_Free(&copy->words, &set->allocator);
    return crCopyContacts(from, set);
  }
  crArray_Free(&set->contacts, &set->allocator);
  crStatus status = pack(copy, from) ? crContacts_CopyPairs(from, set) : cr_errorMemory;
  if (status != cr_ok) {
    crContacts_Clear(set);
  }
  return status;
}

// Likewise what it comes back to.
crStatus crContactCopy_Restore(const crContactCopy* copy, crContacts* to)
{
  if (!copy->isPacked) {
    return crCopyContacts(copy->set, to);
  }
  int count = copy->set->pairs.count;
  bool hasMemory =
      crReserve(&to->allocator, &to->contacts.items, &to->contacts.capacity, count, sizeof *to->contacts.items);
  crStatus status = hasMemory ? crContacts_CopyPairs(copy->set, to) : cr_errorMemory;
  if (status != cr_ok) {
    crContacts_Clear(to);
    return status;
  }
  to->contacts.count = count;
  unpack(copy, to);
  return cr_ok;
}

// An archive has all of a set, and what is read of one stays as it is.
void crContactCopy_Archive(crArchive* archive, crContactCopy* copy)
{
  crContacts* set = copy->set;
  bool isPacked = copy->isPacked && !archive->isReading;
  if (isPacked && !crReserve(&set->allocator, &set->contacts.items, &set->contacts.capacity, set->pairs.count,
                             sizeof *set->contacts.items)) {
    crArchive_Fail(archive, cr_errorMemory);
    return;
  }
  if (isPacked) {
    set->contacts.count = set->pairs.count;
    unpack(copy, set);
  }
  crContacts_Archive(archive, set);
  if (isPacked) {
    crArray_Free(&set->contacts, &set->allocator);
  }
  copy->isPacked = isPacked;
}
