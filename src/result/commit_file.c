// An HDF5 file driver that keeps dirty pages in memory until they are committed.
#include "result/commit_file.h"
#include "base/file.h"
#include "base/map.h"
#include "base/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_PAGE_SIZE 4096     // [bytes] the unit in which Linux's page cache copies, so that a page is never torn
#define CR_MAX_VECTORS 256    // pages of one write call, at most IOV_MAX
#define CR_GAP 8              // [bytes] behind a record
#define CR_SUPERBLOCK_HEAD 48 // [bytes] of any superblock up to its end-of-file address, and all of version 2
#define CR_LARGEST_ADDRESS ((haddr_t)INT64_MAX)

typedef struct Page {
  int64_t number;   // of the page in the file
  bool isChanged;   // differs from the disk
  bool hasMetadata; // holds records of HDF5, and perhaps data too
  unsigned char bytes[CR_PAGE_SIZE];
} Page;

typedef struct FreeSpace {
  haddr_t address;
  hsize_t size;
  bool isCommitted; // no longer in use on disk either
} FreeSpace;

struct crCommitFile {
  H5FD_t driver;  // HDF5's part; comes first
  hid_t driverId; // HDF5 looks at the class once more after it has closed a file
  crAllocator allocator;
  int descriptor;
  bool isPublished;
  crStatus status; // of the first failure; then writes are swallowed
  int error;       // its errno
  haddr_t end;     // [bytes] of what HDF5 has allocated
  haddr_t diskEnd; // [bytes] of the file on disk
  int64_t reserve; // [bytes] behind it that are kept free; 0: none
  bool hasRoom;    // they are taken
  bool isTorn;     // a commit failed after it had changed what was on disk: still a prefix, but not to be written on
  crArrayOf(Page*) pages;
  crMap map; // page number to index in pages
  crArrayOf(FreeSpace) freeSpaces;
  crTarget target;
  char temporary[CR_PATH_SIZE];
};

static const unsigned char zeroPage[CR_PAGE_SIZE];

static crCommitFile* fileOf(const H5FD_t* driver)
{
  return (crCommitFile*)driver;
}

// ------------------------------------------------------------------------------------------- pages

static crStatus fail(crCommitFile* file, crStatus status, int error)
{
  if (file->status == cr_ok) {
    file->status = status;
    file->error = error;
  }
  return file->status;
}

static Page* findPage(const crCommitFile* file, int64_t number)
{
  int index = crMap_Find(&file->map, (const char*)&number, sizeof number);
  return index >= 0 ? file->pages.items[index] : NULL;
}

// Bytes as they are on disk; zeros behind its end. 0 or errno.
static int readDisk(const crCommitFile* file, int64_t offset, size_t size, unsigned char* outBytes)
{
  while (size > 0) {
    ssize_t count = (haddr_t)offset < file->diskEnd ? pread(file->descriptor, outBytes, size, offset) : 0;
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

// The page with the content of the disk. NULL: the failure is in the file's status.
static Page* addPage(crCommitFile* file, int64_t number)
{
  Page* page = crAllocate(&file->allocator, sizeof *page);
  Page** place = page != NULL ? crArray_Push(&file->pages, &file->allocator) : NULL;
  if (place == NULL) {
    crFree(&file->allocator, page, sizeof *page);
    fail(file, cr_errorMemory, 0);
    return NULL;
  }
  *place = page;
  page->number = number;
  page->isChanged = page->hasMetadata = false;
  int error = readDisk(file, number * CR_PAGE_SIZE, CR_PAGE_SIZE, page->bytes);
  if (error != 0) {
    fail(file, cr_errorFile, error);
    return NULL;
  }
  if (!crMap_Set(&file->map, (const char*)&page->number, sizeof page->number, file->pages.count - 1)) {
    fail(file, cr_errorMemory, 0);
    return NULL;
  }
  return page;
}

static void freePages(crCommitFile* file)
{
  for (int i = 0; i < file->pages.count; ++i) {
    crFree(&file->allocator, file->pages.items[i], sizeof(Page));
  }
  crArray_Free(&file->pages, &file->allocator);
  crMap_Free(&file->map);
}

// The part of a range that lies in its first page.
static size_t sizeInPage(haddr_t address, size_t size)
{
  size_t left = CR_PAGE_SIZE - (size_t)(address % CR_PAGE_SIZE);
  return size < left ? size : left;
}

// ------------------------------------------------------------------------------------------ driver

static haddr_t getEnd(const H5FD_t* driver, H5FD_mem_t type)
{
  (void)type;
  return fileOf(driver)->end;
}

static haddr_t getDiskEnd(const H5FD_t* driver, H5FD_mem_t type)
{
  (void)type;
  const crCommitFile* file = fileOf(driver);
  return file->end > file->diskEnd ? file->end : file->diskEnd;
}

static herr_t setEnd(H5FD_t* driver, H5FD_mem_t type, haddr_t address)
{
  (void)type;
  fileOf(driver)->end = address;
  return 0;
}

// A record of HDF5 gets a place within one page, so that it is written in one piece. Without a gap behind it HDF5 would
// let the last one grow where it is, over the end of its page, and not ask.
static haddr_t allocateSpace(H5FD_t* driver, H5FD_mem_t type, hid_t transfer, hsize_t size)
{
  (void)transfer;
  crCommitFile* file = fileOf(driver);
  for (int i = 0; i < file->freeSpaces.count && type == H5FD_MEM_DRAW; ++i) {
    FreeSpace space = file->freeSpaces.items[i];
    if (space.size == size && space.isCommitted) {
      file->freeSpaces.items[i] = file->freeSpaces.items[--file->freeSpaces.count];
      return space.address;
    }
  }
  bool isTorn = type != H5FD_MEM_DRAW && size <= CR_PAGE_SIZE && file->end % CR_PAGE_SIZE + size > CR_PAGE_SIZE;
  haddr_t address = isTorn ? (file->end / CR_PAGE_SIZE + 1) * CR_PAGE_SIZE : file->end;
  file->end = address + size + (type != H5FD_MEM_DRAW ? CR_GAP : 0);
  return address;
}

// HDF5 asks only for what lies at the end. It is needed as long as it is in use on disk.
static herr_t freeSpace(H5FD_t* driver, H5FD_mem_t type, hid_t transfer, haddr_t address, hsize_t size)
{
  (void)driver;
  (void)type;
  (void)transfer;
  (void)address;
  (void)size;
  return 0;
}

void crCommitFile_Recycle(crCommitFile* file, haddr_t address, hsize_t size)
{
  FreeSpace* space = crArray_Push(&file->freeSpaces, &file->allocator);
  if (space != NULL) { // else the space stays unused, that is all
    *space = (FreeSpace){ address, size, false };
  }
}

static herr_t readBytes(H5FD_t* driver, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void* buffer)
{
  (void)type;
  (void)transfer;
  const crCommitFile* file = fileOf(driver);
  unsigned char* next = buffer;
  while (size > 0) {
    size_t part = sizeInPage(address, size);
    const Page* page = findPage(file, (int64_t)(address / CR_PAGE_SIZE));
    if (page != NULL) {
      memcpy(next, page->bytes + address % CR_PAGE_SIZE, part);
    } else if (readDisk(file, (int64_t)address, part, next) != 0) {
      return -1;
    }
    address += part;
    next += part;
    size -= part;
  }
  return 0;
}

// Never fails towards HDF5, which could not close a file that it cannot write to.
static herr_t writeBytes(H5FD_t* driver, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                         const void* buffer)
{
  (void)transfer;
  crCommitFile* file = fileOf(driver);
  const unsigned char* next = buffer;
  while (size > 0 && file->status == cr_ok) {
    size_t part = sizeInPage(address, size);
    int64_t number = (int64_t)(address / CR_PAGE_SIZE);
    Page* page = findPage(file, number);
    page = page != NULL ? page : addPage(file, number);
    if (page != NULL && memcmp(page->bytes + address % CR_PAGE_SIZE, next, part) != 0) {
      memcpy(page->bytes + address % CR_PAGE_SIZE, next, part);
      page->isChanged = true;
      page->hasMetadata = page->hasMetadata || type != H5FD_MEM_DRAW;
    }
    address += part;
    next += part;
    size -= part;
  }
  return 0;
}

static herr_t queryFeatures(const H5FD_t* driver, unsigned long* flags)
{
  (void)driver;
  *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

// The access list carries the address of the file that is already open.
static H5FD_t* openDriver(const char* name, unsigned flags, hid_t access, haddr_t largest)
{
  (void)name;
  (void)flags;
  (void)largest;
  crCommitFile* const* info = H5Pget_driver_info(access);
  return info != NULL ? &(*info)->driver : NULL;
}

static herr_t closeDriver(H5FD_t* driver)
{
  (void)driver; // crDestroyCommitFile closes
  return 0;
}

static const H5FD_class_t driverClass = {
#ifdef H5FD_CLASS_VERSION // since HDF5 1.14
  .version = H5FD_CLASS_VERSION,
  .value = (H5FD_class_value_t)(H5_VFD_RESERVED + 0xca),
#endif
  .name = "carom",
  .maxaddr = CR_LARGEST_ADDRESS,
  .fc_degree = H5F_CLOSE_WEAK,
  .fapl_size = sizeof(crCommitFile*),
  .open = openDriver,
  .close = closeDriver,
  .query = queryFeatures,
  .alloc = allocateSpace,
  .free = freeSpace,
  .get_eoa = getEnd,
  .set_eoa = setEnd,
  .get_eof = getDiskEnd,
  .read = readBytes,
  .write = writeBytes,
  .fl_map = H5FD_FLMAP_DICHOTOMY,
};

// The access list of the driver; crCommitFile_CloseHdf5 gives the driver back.
static hid_t makeAccess(crCommitFile* file, crHdf5* hdf5)
{
  file->driverId = H5FDregister(&driverClass);
  crHdf5_Try(hdf5, file->driverId);
  hid_t access = crHdf5_Keep(hdf5, H5Pcreate(H5P_FILE_ACCESS));
  crHdf5_Try(hdf5, H5Pset_driver(access, file->driverId, &file));
  crHdf5_Try(hdf5, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  // the layout of HDF5 1.8: older ones have no check sums, the newest marks a file as being written, and plain readers
  // refuse it after a kill
  crHdf5_Try(hdf5, H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST));
  return access;
}

hid_t crCommitFile_OpenHdf5(crCommitFile* file, crHdf5* hdf5)
{
  hid_t access = makeAccess(file, hdf5);
  hid_t creation = crHdf5_Keep(hdf5, H5Pcreate(H5P_FILE_CREATE));
  crHdf5_Try(hdf5, H5Pset_obj_track_times(creation, false));
  crHdf5_Try(hdf5, H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_NONE, false, 1));
  hid_t id = hdf5->hasFailed ? H5I_INVALID_HID : H5Fcreate(file->target.path, H5F_ACC_TRUNC, creation, access);
  crHdf5_Try(hdf5, id);
  return id;
}

hid_t crCommitFile_ReopenHdf5(crCommitFile* file, crHdf5* hdf5)
{
  struct stat facts;
  freePages(file);
  file->freeSpaces.count = 0;
  file->reserve = 0;
  file->status = fstat(file->descriptor, &facts) == 0 ? cr_ok : cr_errorFile;
  file->end = file->diskEnd = file->status == cr_ok ? (haddr_t)facts.st_size : 0;
  hid_t access = makeAccess(file, hdf5);
  hid_t id = hdf5->hasFailed || file->isTorn || file->status != cr_ok
                 ? H5I_INVALID_HID
                 : H5Fopen(file->target.path, H5F_ACC_RDWR, access);
  if (!crHdf5_Try(hdf5, id)) {
    fail(file, cr_errorFile, 0); // and the file stays as it is
  }
  return id;
}

void crCommitFile_CloseHdf5(crCommitFile* file, hid_t id, crHdf5* hdf5)
{
  if (id >= 0) {
    crHdf5_Try(hdf5, H5Fclose(id));
  }
  if (file->driverId > 0) {
    crHdf5_Try(hdf5, H5FDunregister(file->driverId));
    file->driverId = 0;
  }
}

// ------------------------------------------------------------------------------------------ commit

static int comparePages(const void* a, const void* b)
{
  int64_t first = (*(Page*const*)a)->number, second = (*(Page*const*)b)->number;
  return (first > second) - (first < second);
}

// Writes vectors one behind the other. 0 or errno.
static int writeVectors(const crCommitFile* file, int64_t offset, const struct iovec* vectors, int count)
{
  size_t size = 0;
  for (int i = 0; i < count; ++i) {
    size += vectors[i].iov_len;
  }
  if (pwritev(file->descriptor, vectors, count, offset) == (ssize_t)size) {
    return 0;
  }
  // interrupted, or the disk is full: one by one tells which
  for (int i = 0; i < count; ++i) {
    int error = crWriteAll(file->descriptor, vectors[i].iov_base, vectors[i].iov_len, offset);
    if (error != 0) {
      return error;
    }
    offset += (int64_t)vectors[i].iov_len;
  }
  return 0;
}

// Step 1, in byte order, zeros where HDF5 has left holes: later commits write there without need of new space. 0 or
// errno.
static int appendBytes(const crCommitFile* file)
{
  struct iovec vectors[CR_MAX_VECTORS];
  int64_t end = (int64_t)file->end;
  for (int64_t start = (int64_t)file->diskEnd; start < end;) {
    int64_t next = start;
    int count = 0;
    for (; count < CR_MAX_VECTORS && next < end; ++count) {
      const Page* page = findPage(file, next / CR_PAGE_SIZE);
      size_t size = sizeInPage((haddr_t)next, (size_t)(end - next));
      const unsigned char* bytes = page != NULL ? page->bytes + next % CR_PAGE_SIZE : zeroPage;
      vectors[count] = (struct iovec){ (void*)bytes, size };
      next += (int64_t)size;
    }
    int error = writeVectors(file, start, vectors, count);
    if (error != 0) {
      return error;
    }
    start = next;
  }
  return 0;
}

// The part of a page that was on disk before this commit.
static size_t sizeOnDisk(const crCommitFile* file, const Page* page)
{
  int64_t left = (int64_t)file->diskEnd - page->number * CR_PAGE_SIZE;
  return left <= 0 ? 0 : left < CR_PAGE_SIZE ? (size_t)left : CR_PAGE_SIZE;
}

// Step 2. The pages are sorted; neighbours go in one call. 0 or errno.
static int overwriteData(const crCommitFile* file)
{
  struct iovec vectors[CR_MAX_VECTORS];
  int64_t start = 0, next = -1;
  int count = 0, error = 0;
  for (int i = 0; i < file->pages.count && error == 0; ++i) {
    Page* page = file->pages.items[i];
    size_t size = sizeOnDisk(file, page);
    if (size == 0 || !page->isChanged || page->hasMetadata) {
      continue;
    }
    if (count > 0 && (page->number != next || count == CR_MAX_VECTORS)) {
      error = writeVectors(file, start, vectors, count);
      count = 0;
    }
    start = count == 0 ? page->number * CR_PAGE_SIZE : start;
    vectors[count++] = (struct iovec){ page->bytes, size };
    next = page->number + 1;
  }
  return error == 0 && count > 0 ? writeVectors(file, start, vectors, count) : error;
}

// Step 3. 0 or errno.
static int overwriteMetadata(const crCommitFile* file)
{
  int error = 0;
  const Page* first = file->pages.count > 0 ? file->pages.items[0] : NULL;
  if (first != NULL && first->number == 0 && first->isChanged && file->diskEnd >= CR_SUPERBLOCK_HEAD) {
    error = crWriteAll(file->descriptor, first->bytes, CR_SUPERBLOCK_HEAD, 0);
  }
  for (int i = file->pages.count - 1; i >= 0 && error == 0; --i) {
    const Page* page = file->pages.items[i];
    size_t size = sizeOnDisk(file, page);
    if (size > 0 && page->isChanged && page->hasMetadata) {
      error = crWriteAll(file->descriptor, page->bytes, size, page->number * CR_PAGE_SIZE);
    }
  }
  return error;
}

// Room for what this commit appends, and for the reserve behind it. 0 or errno.
static int takeRoom(crCommitFile* file)
{
  int64_t end = (int64_t)(file->end > file->diskEnd ? file->end : file->diskEnd);
  int64_t start = (int64_t)file->diskEnd;
  int error = file->reserve > 0 ? crReserveRoom(file->descriptor, start, end - start + file->reserve) : 0;
  file->hasRoom = file->hasRoom || (file->reserve > 0 && error == 0);
  return error;
}

static int writePages(crCommitFile* file)
{
  int error = takeRoom(file);
  if (error != 0) {
    return error;
  }
  error = appendBytes(file);
  if (error != 0) {
    // what was written in vain goes; where that fails, no reader minds what is behind the end
    int ignored = ftruncate(file->descriptor, (off_t)file->diskEnd);
    (void)ignored;
    return error;
  }
  if (file->pages.count > 0) { // from here on the map does not fit any more
    qsort(file->pages.items, (size_t)file->pages.count, sizeof(Page*), comparePages);
  }
  error = overwriteData(file);
  error = error == 0 ? overwriteMetadata(file) : error;
  file->isTorn = error != 0;
  return error;
}

crStatus crCommitFile_Commit(crCommitFile* file, int* outError)
{
  if (file->status == cr_ok) {
    int error = writePages(file);
    if (error != 0) {
      fail(file, cr_errorFile, error);
    } else {
      file->diskEnd = file->end > file->diskEnd ? file->end : file->diskEnd;
    }
    freePages(file);
    for (int i = 0; i < file->freeSpaces.count; ++i) {
      file->freeSpaces.items[i].isCommitted = true;
    }
  }
  *outError = file->error;
  return file->status;
}

void crCommitFile_Reserve(crCommitFile* file, int64_t size)
{
  file->reserve = size;
}

size_t crCommitFile_CountPending(const crCommitFile* file)
{
  return (size_t)file->pages.count * CR_PAGE_SIZE;
}

// ------------------------------------------------------------------------------------ making, ending

crStatus crCreateCommitFile(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                            crCommitFile** outFile)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crCommitFile* file = crAllocateZero(&chosen, 1, sizeof *file);
  if (file == NULL) {
    return cr_errorMemory;
  }
  file->allocator = chosen;
  crMap_Init(&file->map, &chosen);
  crStatus status = crFindTarget(path, sink, &file->target);
  if (status == cr_ok && !file->target.isRegular) {
    status = crReportFile(sink, path, "results can only be written into an ordinary file", 0);
  }
  if (status == cr_ok) {
    file->descriptor = crOpenBeside(&file->target, O_RDWR, file->temporary);
    if (file->descriptor < 0) {
      status = crReportFile(sink, path, "the result file cannot be made", errno);
    }
  }
  if (status != cr_ok) {
    crFree(&chosen, file, sizeof *file);
    return status;
  }
  *outFile = file;
  return cr_ok;
}

int crCommitFile_Publish(crCommitFile* file)
{
  if (rename(file->temporary, file->target.path) != 0) {
    return errno;
  }
  file->isPublished = true;
  return 0;
}

// Gives the reserve back: some file systems do so only where the size changes. No reader minds what is behind the end.
static void freeRoom(const crCommitFile* file)
{
  struct stat facts;
  if (fstat(file->descriptor, &facts) == 0) {
    int ignored = ftruncate(file->descriptor, facts.st_size + 1);
    ignored = ftruncate(file->descriptor, facts.st_size);
    (void)ignored;
  }
}

int crDestroyCommitFile(crCommitFile* file)
{
  int error = 0;
  if (file->hasRoom && file->isPublished) {
    freeRoom(file);
  }
  if (file->isPublished && file->status == cr_ok && file->end < file->diskEnd) {
    error = ftruncate(file->descriptor, (off_t)file->end) != 0 ? errno : 0;
  }
  if (close(file->descriptor) != 0 && error == 0) {
    error = errno;
  }
  if (!file->isPublished) {
    unlink(file->temporary);
  }
  freePages(file);
  crArray_Free(&file->freeSpaces, &file->allocator);
  crAllocator allocator = file->allocator;
  crFree(&allocator, file, sizeof *file);
  return error;
}
