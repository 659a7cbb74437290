// Calling HDF5: one lock, errors without printing, ids that are closed.
//
// Debian's HDF5 is not built for threads, so every call of ours is made under one lock for the whole process; several
// runs in several threads are safe. A host that calls HDF5 itself while a run goes on in another thread is not.
#ifndef CR_RESULT_HDF5_H
#define CR_RESULT_HDF5_H

#include "base/memory.h"

#include <hdf5.h>

// A stretch of HDF5 calls. It holds the lock, keeps HDF5 from printing its errors, remembers the first of them in
// HDF5's words, and closes the ids made in it. After a failure the calls that follow fail as well, each on an invalid
// id, so one question at the end is enough.
#define CR_HDF5_TEXT_SIZE 512
#define CR_MAX_HDF5_IDS 32
typedef struct crHdf5 {
  bool hasFailed;
  bool isOutOfMemory;            // which is why
  bool cannotStart;              // nor could it ever in this process
  char error[CR_HDF5_TEXT_SIZE]; // the innermost error of the first failed call
  hid_t ids[CR_MAX_HDF5_IDS];
  int idCount;
  H5E_auto2_t print; // the host's setting, restored at the end
  void* printContext;
} crHdf5;

void crBeginHdf5(crHdf5* hdf5);
void crEndHdf5(crHdf5* hdf5); // closes what is left, unlocks; the error can still be read

// Looks at what a call returned, and passes it on. `kept` ids are closed later.
hid_t crHdf5_Keep(crHdf5* hdf5, hid_t id);
bool crHdf5_Try(crHdf5* hdf5, long long result);   // false: < 0, or something failed before
bool crHdf5_Refuse(crHdf5* hdf5, const char* why); // false: what HDF5 has read cannot be used
// Whether there was too little memory for HDF5 since it was begun, or ever; its own words may tell of damage then.
bool crHdf5_IsOutOfMemory(const crHdf5* hdf5);
bool crHdf5_HasRunOut(void);                    // ever, in this process. Under the lock
void crHdf5_CloseTo(crHdf5* hdf5, int idCount); // closes the ids made since there were `idCount`

// Reads what is selected of a dataset, after its chunks were looked at; HDF5 itself believes how long they are.
// `memory` is all of its space, the bytes in their order; it and `selection` may be H5S_ALL.
bool crHdf5_Read(crHdf5* hdf5, const crAllocator* allocator, hid_t dataset, hid_t type, hid_t memory, hid_t selection,
                 void* outBytes);

void crHdf5_BelieveNoLengths(crHdf5* hdf5, hid_t access);

// A kept type: UTF-8 of a fixed size [bytes] with zeros behind, 0 counting as 1; or H5T_VARIABLE.
hid_t crHdf5_MakeTextType(crHdf5* hdf5, size_t size);

#endif
