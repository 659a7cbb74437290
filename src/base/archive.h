// Archives: bytes that hold the fields of structs, one after the other, without memory images or pointers.
//
// One function of a struct both writes and reads it, field by field, so that there is one list of its fields:
//
//   crArchive_Double(archive, &clock->time);
//   crArchive_Int(archive, &clock->number, 0, most);
//
// Numbers are little-endian and of fixed width, doubles are their bits. Fields are parts of sections, each with a name,
// a version, its length and a checksum over all of that. A reader checks the checksum before anything of a section is
// used, every number against its range, and every count against what is left, so that damaged bytes, or bytes made to
// do harm, end in an error and not in memory that is not there.
//
// The first thing that goes wrong stays in `status`: from then on nothing is written, and what is read is 0, or the
// least that is allowed. So a function need not look before its last field, or before a count is used.
#ifndef CR_BASE_ARCHIVE_H
#define CR_BASE_ARCHIVE_H

#include "carom/base.h"

#define CR_ARCHIVE_NAME 16 // [bytes] of a section's name, filled up with zeros

typedef struct crArchive {
  bool isReading;
  crStatus status; // cr_errorFile: the bytes cannot be meant, see `complaint`
  crAllocator allocator;
  uint8_t* bytes; // written so far
  size_t size, capacity;
  const uint8_t* source; // being read,
  size_t sourceSize, place;
  size_t sectionStart; // of the section at work; 0: none
  size_t sectionEnd;   // likewise, of what is read
  char section[CR_ARCHIVE_NAME];
  char complaint[200];
} crArchive;

void crArchive_InitWriter(crArchive* archive, const crAllocator* allocator);
void crArchive_InitReader(crArchive* archive, const void* bytes, size_t size); // which must live as long
void crArchive_Free(crArchive* archive);

// Bytes at the beginning of the file by which it is known, outside of sections.
void crArchive_Mark(crArchive* archive, const char mark[CR_ARCHIVE_NAME]);
// Fields come between these two. A reader refuses another name or version, a wrong checksum, and bytes left over.
void crArchive_BeginSection(crArchive* archive, const char* name, int version);
void crArchive_EndSection(crArchive* archive);
void crArchive_SkipSection(crArchive* archive, const char* name, int version); // a reader checks it and goes on
void crArchive_Finish(crArchive* archive);                                     // refuses bytes behind the last section

void crArchive_Double(crArchive* archive, double* value);
void crArchive_Doubles(crArchive* archive, double* values, size_t count);
void crArchive_Int(crArchive* archive, int* value, int least, int most);
void crArchive_Int64(crArchive* archive, int64_t* value, int64_t least);
void crArchive_Bool(crArchive* archive, bool* value);
void crArchive_Bools(crArchive* archive, bool* values, size_t count);
void crArchive_Bytes(crArchive* archive, void* bytes, size_t size);
// How many items follow, each of which takes at least so many bytes; 0 after a failure.
void crArchive_Count(crArchive* archive, int* count, int most, size_t bytesEach);

// An enumerator below `count`, whatever type the compiler gives it.
#define crArchive_Enum(archive, value, count)                                                                          \
  do {                                                                                                                 \
    int number_ = (int)*(value);                                                                                       \
    crArchive_Int((archive), &number_, 0, (int)(count)-1);                                                             \
    *(value) = number_;                                                                                                \
  } while (0)

// Stands behind the function of a struct: whoever changes the fields of one learns of the other.
#ifdef __LP64__
#define crArchive_Covers(type, size)                                                                                   \
  _Static_assert(sizeof(type) == (size), "fields of " #type " have changed: archive them, and change the version")
#else
#define crArchive_Covers(type, size) _Static_assert(sizeof(type) > 0, "")
#endif

// The next `size` bytes where they are in the source, for a reader; NULL: there are not so many.
const void* crArchive_Borrow(crArchive* archive, size_t size);

// What was read contradicts itself, or what it is read for.
void crArchive_Refuse(crArchive* archive, const char* what);
// Something failed that is not the bytes' fault.
void crArchive_Fail(crArchive* archive, crStatus status);

static inline bool crArchive_IsGood(const crArchive* archive)
{
  return archive->status == cr_ok;
}

#endif
