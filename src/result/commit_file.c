// An HDF5 file driver that keeps dirty pages in memory until they are committed.
#include "result/commit_file.h"
#include "base/file.h"
#include "base/platform.h"
#include "result/commit_pages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CR_GAP 8             // [bytes] behind a record
#define CR_MOST_LINKS 64     // of the root that lie in its header, which is one record: indices of names are several
#define CR_EXPECTED_LINKS 24 // room is made for so many,
#define CR_EXPECTED_NAME 16  // [bytes] with names of this length
#define CR_LARGEST_ADDRESS ((haddr_t)INT64_MAX)

typedef struct FreeSpace {
  haddr_t address;
  hsize_t size;
  bool isCommitted; // no longer in use on disk either
} FreeSpace;

struct crCommitFile {
  H5FD_t driver;  // HDF5's part; comes first
  hid_t driverId; // HDF5 looks at the class once more after it has closed a file
  crAllocator allocator;
  bool isPublished;
  crStatus status; // of the first failure; then writes are swallowed
  int error;       // its errno
  haddr_t end;     // [bytes] of what HDF5 has allocated
  int64_t reserve; // [bytes] behind it that are kept free; 0: none
  bool hasRoom;    // they are taken
  bool isTorn;     // a commit failed after it had changed what was on disk: still a prefix, but not to be written on
  crCommitPages pages; // that wait for a commit, and the file on disk
  crArrayOf(FreeSpace) freeSpaces;
  crTarget target;
  char temporary[CR_PATH_SIZE];
};

static crCommitFile* fileOf(const H5FD_t* driver)
{
  return (crCommitFile*)driver;
}

static crStatus fail(crCommitFile* file, crStatus status, int error)
{
  if (file->status == cr_ok) {
    file->status = status;
    file->error = error;
  }
  return file->status;
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
  return file->end > file->pages.diskEnd ? file->end : file->pages.diskEnd;
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
  return crCommitPages_Read(&fileOf(driver)->pages, address, size, buffer) == 0 ? 0 : -1;
}

// Never fails towards HDF5, which could not close a file that it cannot write to.
static herr_t writeBytes(H5FD_t* driver, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                         const void* buffer)
{
  (void)transfer;
  crCommitFile* file = fileOf(driver);
  int error;
  if (file->status == cr_ok && !crCommitPages_Write(&file->pages, type, address, size, buffer, &error)) {
    fail(file, error != 0 ? cr_errorFile : cr_errorMemory, error);
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
  crHdf5_Try(hdf5, H5Pset_link_phase_change(creation, CR_MOST_LINKS, 0));
  crHdf5_Try(hdf5, H5Pset_est_link_info(creation, CR_EXPECTED_LINKS, CR_EXPECTED_NAME));
  hid_t id = hdf5->hasFailed ? H5I_INVALID_HID : H5Fcreate(file->target.path, H5F_ACC_TRUNC, creation, access);
  crHdf5_Try(hdf5, id);
  return id;
}

hid_t crCommitFile_ReopenHdf5(crCommitFile* file, crHdf5* hdf5)
{
  struct stat facts;
  crCommitPages_Free(&file->pages);
  file->freeSpaces.count = 0;
  file->reserve = 0;
  file->status = fstat(file->pages.descriptor, &facts) == 0 ? cr_ok : cr_errorFile;
  file->end = file->pages.diskEnd = file->status == cr_ok ? (haddr_t)facts.st_size : 0;
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

// Room for what this commit appends, and for the reserve behind it. 0 or errno.
static int takeRoom(crCommitFile* file)
{
  int64_t start = (int64_t)file->pages.diskEnd;
  int64_t end = (int64_t)file->end > start ? (int64_t)file->end : start;
  int error = file->reserve > 0 ? crReserveRoom(file->pages.descriptor, start, end - start + file->reserve) : 0;
  file->hasRoom = file->hasRoom || (file->reserve > 0 && error == 0);
  return error;
}

static int writePages(crCommitFile* file)
{
  int error = takeRoom(file);
  if (error != 0) {
    return error;
  }
  error = crCommitPages_Append(&file->pages, file->end);
  if (error != 0) {
    // what was written in vain goes; where that fails, no reader minds what is behind the end
    int ignored = ftruncate(file->pages.descriptor, (off_t)file->pages.diskEnd);
    (void)ignored;
    return error;
  }
  error = crCommitPages_Overwrite(&file->pages);
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
      file->pages.diskEnd = file->end > file->pages.diskEnd ? file->end : file->pages.diskEnd;
    }
    crCommitPages_Free(&file->pages);
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
  return (size_t)file->pages.pages.count * CR_PAGE_SIZE;
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
  crCommitPages_Init(&file->pages, -1, &chosen);
  crStatus status = crFindTarget(path, sink, &file->target);
  if (status == cr_ok && !file->target.isRegular) {
    status = crReportFile(sink, path, "results can only be written into an ordinary file", 0);
  }
  if (status == cr_ok) {
    file->pages.descriptor = crOpenBeside(&file->target, O_RDWR, file->temporary);
    if (file->pages.descriptor < 0) {
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
  if (fstat(file->pages.descriptor, &facts) == 0) {
    int ignored = ftruncate(file->pages.descriptor, facts.st_size + 1);
    ignored = ftruncate(file->pages.descriptor, facts.st_size);
    (void)ignored;
  }
}

int crDestroyCommitFile(crCommitFile* file)
{
  int error = 0;
  if (file->hasRoom && file->isPublished) {
    freeRoom(file);
  }
  if (file->isPublished && file->status == cr_ok && file->end < file->pages.diskEnd) {
    error = ftruncate(file->pages.descriptor, (off_t)file->end) != 0 ? errno : 0;
  }
  if (close(file->pages.descriptor) != 0 && error == 0) {
    error = errno;
  }
  if (!file->isPublished) {
    unlink(file->temporary);
  }
  crCommitPages_Free(&file->pages);
  crArray_Free(&file->freeSpaces, &file->allocator);
  crAllocator allocator = file->allocator;
  crFree(&allocator, file, sizeof *file);
  return error;
}
