// Pages that wait for a commit.
#include "result/commit_pages.h"
#include "base/file.h"
#include "base/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CR_MAX_VECTORS 256 // pages of one write call, at most IOV_MAX
#define CR_MOST_LEVELS 256 // of a tree

// The turns of what is overwritten, see commit_file.h.
enum { turnData, turnSuperblock, turnNodes, turnRecords = turnNodes + CR_MOST_LEVELS };

static const unsigned char zeroPage[CR_PAGE_SIZE];

void crCommitPages_Init(crCommitPages* pages, int descriptor, const crAllocator* allocator)
{
  *pages = (crCommitPages){ .allocator = *allocator, .descriptor = descriptor };
  crMap_Init(&pages->map, allocator);
}

void crCommitPages_Free(crCommitPages* pages)
{
  for (int i = 0; i < pages->pages.count; ++i) {
    crFree(&pages->allocator, pages->pages.items[i], sizeof(crPage));
  }
  crArray_Free(&pages->pages, &pages->allocator);
  crArray_Free(&pages->overwrites, &pages->allocator);
  crMap_Free(&pages->map);
}

// ------------------------------------------------------------------------------------------- pages

static crPage* findPage(const crCommitPages* pages, int64_t number)
{
  int index = crMap_Find(&pages->map, (const char*)&number, sizeof number);
  return index >= 0 ? pages->pages.items[index] : NULL;
}

// Bytes as they are on disk; zeros behind its end. 0 or errno.
static int readDisk(const crCommitPages* pages, int64_t offset, size_t size, unsigned char* outBytes)
{
  while (size > 0) {
    ssize_t count = (haddr_t)offset < pages->diskEnd ? pread(pages->descriptor, outBytes, size, offset) : 0;
    if (count < 0 && errno != EINTR) {
      return errno;
    }
    if (count == 0) {
      memset(outBytes, 0, size);
      return 0;
    }
    if (count > 0) {
      offset += count;
      outBytes += count;
      size -= (size_t)count;
    }
  }
  return 0;
}

// The page with the content of the disk. NULL: outError is the errno, or 0 where memory is missing.
static crPage* addPage(crCommitPages* pages, int64_t number, int* outError)
{
  crPage* page = crAllocate(&pages->allocator, sizeof *page);
  crPage** place = page != NULL ? crArray_Push(&pages->pages, &pages->allocator) : NULL;
  *outError = 0;
  if (place == NULL) {
    crFree(&pages->allocator, page, sizeof *page);
    return NULL;
  }
  *place = page;
  page->number = number;
  page->isChanged = false;
  *outError = readDisk(pages, number * CR_PAGE_SIZE, CR_PAGE_SIZE, page->bytes);
  bool isKept =
      *outError == 0 && crMap_Set(&pages->map, (const char*)&page->number, sizeof page->number, pages->pages.count - 1);
  return isKept ? page : NULL;
}

// The part of a range that lies in its first page.
static size_t sizeInPage(haddr_t address, size_t size)
{
  size_t left = CR_PAGE_SIZE - (size_t)(address % CR_PAGE_SIZE);
  return size < left ? size : left;
}

// ------------------------------------------------------------------------------- reading and writing

int crCommitPages_Read(const crCommitPages* pages, haddr_t address, size_t size, void* outBytes)
{
  unsigned char* next = outBytes;
  while (size > 0) {
    size_t part = sizeInPage(address, size);
    const crPage* page = findPage(pages, (int64_t)(address / CR_PAGE_SIZE));
    int error = 0;
    if (page != NULL) {
      memcpy(next, page->bytes + address % CR_PAGE_SIZE, part);
    } else {
      error = readDisk(pages, (int64_t)address, part, next);
    }
    if (error != 0) {
      return error;
    }
    address += part;
    next += part;
    size -= part;
  }
  return 0;
}

// A node of a tree of chunks says at its sixth byte how far it is above the leaves.
static int chooseTurn(H5FD_mem_t type, const unsigned char* bytes, size_t size)
{
  bool isNode = type == H5FD_MEM_BTREE && size > 5 && memcmp(bytes, "TREE", 4) == 0;
  return type == H5FD_MEM_DRAW    ? turnData
         : type == H5FD_MEM_SUPER ? turnSuperblock
         : isNode                 ? turnNodes + CR_MOST_LEVELS - 1 - bytes[5]
                                  : turnRecords;
}

// Notes what of the disk is written anew. HDF5 writes a record as a whole, once for each commit or more often.
static bool addOverwrite(crCommitPages* pages, H5FD_mem_t type, haddr_t address, size_t size, const void* bytes)
{
  if (address >= pages->diskEnd) {
    return true;
  }
  int turn = chooseTurn(type, bytes, size);
  size = pages->diskEnd - address < size ? (size_t)(pages->diskEnd - address) : size;
  for (int i = pages->overwrites.count - 1; i >= 0; --i) {
    crOverwrite* overwrite = &pages->overwrites.items[i];
    if (overwrite->address == address) {
      overwrite->size = size > overwrite->size ? size : overwrite->size;
      overwrite->turn = turn;
      return true;
    }
  }
  crOverwrite* overwrite = crArray_Push(&pages->overwrites, &pages->allocator);
  if (overwrite != NULL) {
    *overwrite = (crOverwrite){ address, size, turn };
  }
  return overwrite != NULL;
}

bool crCommitPages_Write(crCommitPages* pages, H5FD_mem_t type, haddr_t address, size_t size, const void* bytes,
                         int* outError)
{
  const unsigned char* next = bytes;
  bool isNew = false;
  *outError = 0;
  for (size_t left = size, part; left > 0; left -= part) {
    haddr_t at = address + (size - left);
    part = sizeInPage(at, left);
    int64_t number = (int64_t)(at / CR_PAGE_SIZE);
    crPage* page = findPage(pages, number);
    page = page != NULL ? page : addPage(pages, number, outError);
    if (page == NULL) {
      return false;
    }
    if (memcmp(page->bytes + at % CR_PAGE_SIZE, next, part) != 0) {
      memcpy(page->bytes + at % CR_PAGE_SIZE, next, part);
      page->isChanged = isNew = true;
    }
    next += part;
  }
  return !isNew || addOverwrite(pages, type, address, size, bytes);
}

// ------------------------------------------------------------------------------------------ commit

// Writes vectors one behind the other. 0 or errno.
static int writeVectors(const crCommitPages* pages, int64_t offset, const struct iovec* vectors, int count)
{
  size_t size = 0;
  for (int i = 0; i < count; ++i) {
    size += vectors[i].iov_len;
  }
  if (pwritev(pages->descriptor, vectors, count, offset) == (ssize_t)size) {
    return 0;
  }
  // interrupted, or the disk is full: one by one tells which
  for (int i = 0; i < count; ++i) {
    int error = crWriteAll(pages->descriptor, vectors[i].iov_base, vectors[i].iov_len, offset);
    if (error != 0) {
      return error;
    }
    offset += (int64_t)vectors[i].iov_len;
  }
  return 0;
}

// In byte order, zeros where HDF5 has left holes: later commits write there without need of new space.
int crCommitPages_Append(const crCommitPages* pages, haddr_t end)
{
  struct iovec vectors[CR_MAX_VECTORS];
  for (haddr_t start = pages->diskEnd; start < end;) {
    haddr_t next = start;
    int count = 0;
    for (; count < CR_MAX_VECTORS && next < end; ++count) {
      const crPage* page = findPage(pages, (int64_t)(next / CR_PAGE_SIZE));
      size_t size = sizeInPage(next, (size_t)(end - next));
      const unsigned char* bytes = page != NULL ? page->bytes + next % CR_PAGE_SIZE : zeroPage;
      vectors[count] = (struct iovec){ (void*)bytes, size };
      next += size;
    }
    int error = writeVectors(pages, (int64_t)start, vectors, count);
    if (error != 0) {
      return error;
    }
    start = next;
  }
  return 0;
}

// The pages of a range that were changed; neighbours go in one call. 0 or errno.
static int overwriteRange(const crCommitPages* pages, const crOverwrite* range)
{
  struct iovec vectors[CR_MAX_VECTORS];
  haddr_t start = 0, end = range->address + range->size;
  int count = 0, error = 0;
  for (haddr_t at = range->address, next; at < end && error == 0; at = next) {
    const crPage* page = findPage(pages, (int64_t)(at / CR_PAGE_SIZE));
    size_t size = sizeInPage(at, (size_t)(end - at));
    bool isChanged = page != NULL && page->isChanged;
    next = at + size;
    if (isChanged) {
      start = count == 0 ? at : start;
      vectors[count++] = (struct iovec){ (void*)(page->bytes + at % CR_PAGE_SIZE), size };
    }
    if (count > 0 && (!isChanged || next == end || count == CR_MAX_VECTORS)) {
      error = writeVectors(pages, (int64_t)start, vectors, count);
      count = 0;
    }
  }
  return error;
}

// By turns, then from the end of the file to its start.
static int compareOverwrites(const void* a, const void* b)
{
  const crOverwrite *first = a, *second = b;
  return first->turn != second->turn ? (first->turn > second->turn) - (first->turn < second->turn)
                                     : (first->address < second->address) - (first->address > second->address);
}

int crCommitPages_Overwrite(crCommitPages* pages)
{
  int error = 0;
  if (pages->overwrites.count > 0) {
    qsort(pages->overwrites.items, (size_t)pages->overwrites.count, sizeof *pages->overwrites.items, compareOverwrites);
  }
  for (int i = 0; i < pages->overwrites.count && error == 0; ++i) {
    error = overwriteRange(pages, &pages->overwrites.items[i]);
  }
  return error;
}
