// A file that HDF5 writes into memory and that reaches the disk at chosen moments only.
//
// HDF5 changes a file in place: between the first and the last write of a flush the tree on disk can point to chunks
// that are not there yet, and a process killed in between leaves a file that no reader opens. Here HDF5's writes are
// collected as pages, and a commit writes them in three steps:
//   1. everything behind the end of the file on disk; nothing points there yet,
//   2. data inside it: the writer sees to it that they change nothing that is counted yet,
//   3. HDF5's own records inside it, one by one, each within a page and so never torn (commit_pages.h): the superblock
//      with the new end of file; the nodes of trees of chunks, upper ones first, since a node that is split loses what
//      a new one has, of which the node above knows then; all others from the end of the file to its start, since the
//      rest of a dataset's header lies behind its beginning, where its size is, and the root's header before them all.
// Whenever a kill comes, it finds a file that plain HDF5 reads, with the rows of this commit or of the one before. For
// that nothing may take two records to change: the links of the root lie in its header, not in an index. And space that
// was committed is never given to other data within the same commit: HDF5's own reuse of space is switched off, and
// crCommitFile_Recycle replaces it.
//
// A disk that gets full does so in step 1, so the last commit stays as it was. From then on writes are swallowed: HDF5
// can close the file in peace. Room for what is to be said at the end is taken beforehand, behind the end of the file:
// a commit after which there would be none fails before it writes anything. Nothing is synchronized with the disk
// device: this is for processes that die, not for power cuts.
#ifndef CR_RESULT_COMMIT_FILE_H
#define CR_RESULT_COMMIT_FILE_H

#include "base/memory.h"
#include "result/hdf5.h"

typedef struct crCommitFile crCommitFile;

// Opens a new file beside `path`; nothing but that file changes until it is published.
crStatus crCreateCommitFile(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                            crCommitFile** outFile);

// Creates an empty HDF5 file in it. The caller closes the id, and destroys the file after that.
hid_t crCommitFile_OpenHdf5(crCommitFile* file, crHdf5* hdf5);
// Closes it; id may be invalid.
void crCommitFile_CloseHdf5(crCommitFile* file, hid_t id, crHdf5* hdf5);

// From the next commit on so many bytes behind the end of the file are kept free on disk, as far as the system can.
void crCommitFile_Reserve(crCommitFile* file, int64_t size);

// After a failure, and when the id is closed: opens what is on disk once more. The next commit may use up the reserve.
hid_t crCommitFile_ReopenHdf5(crCommitFile* file, crHdf5* hdf5);

// Space that HDF5 does not use any more. After the next commit it is given to data of the same size.
void crCommitFile_Recycle(crCommitFile* file, haddr_t address, hsize_t size);

// Brings all that HDF5 wrote to disk: after H5Fflush or H5Fclose. A failure stays until the file is opened once
// more; its errno is in outError.
crStatus crCommitFile_Commit(crCommitFile* file, int* outError);
size_t crCommitFile_CountPending(const crCommitFile* file); // [bytes] that wait for a commit

// Gives the file its name, and so replaces an older one. 0 or errno.
int crCommitFile_Publish(crCommitFile* file);

// After the HDF5 id was closed. A file that was never published is removed. 0 or errno.
int crDestroyCommitFile(crCommitFile* file);

#endif
