// What HDF5 has written and the disk does not have yet, and the order in which a commit brings it there.
#ifndef CR_RESULT_COMMIT_PAGES_H
#define CR_RESULT_COMMIT_PAGES_H

#include "base/map.h"
#include "base/memory.h"

#include <hdf5.h>

#define CR_PAGE_SIZE 4096 // [bytes] the unit in which Linux's page cache copies, so that a page is never torn

typedef struct crPage {
  int64_t number; // of the page in the file
  bool isChanged; // differs from the disk
  unsigned char bytes[CR_PAGE_SIZE];
} crPage;

// Bytes of the disk that were written anew: data, or one record of HDF5, which lies within a page.
typedef struct crOverwrite {
  haddr_t address;
  size_t size;
  int turn; // those with lower ones are written first
} crOverwrite;

typedef struct crCommitPages {
  crAllocator allocator;
  int descriptor;
  haddr_t diskEnd; // [bytes] of the file on disk
  crArrayOf(crPage*) pages;
  crMap map; // page number to index in pages
  crArrayOf(crOverwrite) overwrites;
} crCommitPages;

void crCommitPages_Init(crCommitPages* pages, int descriptor, const crAllocator* allocator);
void crCommitPages_Free(crCommitPages* pages); // forgets what waits

// What a reader would find when all were on disk. 0 or errno.
int crCommitPages_Read(const crCommitPages* pages, haddr_t address, size_t size, void* outBytes);
// false: outError is the errno, or 0 where memory is missing.
bool crCommitPages_Write(crCommitPages* pages, H5FD_mem_t type, haddr_t address, size_t size, const void* bytes,
                         int* outError);

// The steps of a commit; after the last one nothing waits any more, once the pages are freed. 0 or errno.
int crCommitPages_Append(const crCommitPages* pages, haddr_t end); // what lies behind the end on disk, up to `end`
int crCommitPages_Overwrite(crCommitPages* pages);                 // the rest

#endif
