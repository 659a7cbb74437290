// Reading a dataset whose chunks are what they say.
//
// The list of a dataset's chunks has no check sum. HDF5 1.10 believes it: a chunk that is said to be stored as it is,
// or that is one of another dataset, may be shorter than the dataset's chunks are, and is read beyond its end. So each
// chunk of a selection is unpacked here before HDF5 does it, and only its length is looked at.
#include "result/hdf5.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#define CR_SPARE 64             // [bytes] a packed chunk may be larger than a plain one by so much, and by a thousandth
#define CR_HDF5_ROOM (1u << 20) // [bytes] for conversions, unless told

typedef struct Chunks {
  crHdf5* hdf5;
  const crAllocator* allocator;
  hid_t dataset;
  int rank;
  hsize_t sizes[H5S_MAX_RANK];
  int deflate; // the filter's place in the pipeline; < 0: there is none
  size_t bytes;
  unsigned char *packed, *plain; // (packedBytes), (bytes + 1)
  size_t packedBytes;
} Chunks;

static bool fail(const Chunks* chunks, const char* why)
{
  return crHdf5_Refuse(chunks->hdf5, why);
}

// Filters that results have; others would be loaded from libraries that a file names.
static bool readFilters(Chunks* chunks, hid_t properties)
{
  int count = H5Pget_nfilters(properties);
  chunks->deflate = -1;
  for (int i = 0; i < count; ++i) {
    unsigned flags;
    size_t parameterCount = 0;
    H5Z_filter_t filter = H5Pget_filter2(properties, (unsigned)i, &flags, &parameterCount, NULL, 0, NULL, NULL);
    if (filter != H5Z_FILTER_SHUFFLE && (filter != H5Z_FILTER_DEFLATE || chunks->deflate >= 0)) {
      return fail(chunks, "a filter that results do not use");
    }
    chunks->deflate = filter == H5Z_FILTER_DEFLATE ? i : chunks->deflate;
  }
  return crHdf5_Try(chunks->hdf5, count);
}

// The size of a chunk, not packed.
static bool readSizes(Chunks* chunks, hid_t properties)
{
  hid_t type = crHdf5_Keep(chunks->hdf5, H5Dget_type(chunks->dataset));
  chunks->rank = H5Pget_chunk(properties, H5S_MAX_RANK, chunks->sizes);
  if (!crHdf5_Try(chunks->hdf5, chunks->rank)) {
    return false;
  }
  size_t bytes = H5Tget_size(type);
  for (int i = 0; i < chunks->rank; ++i) {
    if (bytes == 0 || chunks->sizes[i] == 0 || chunks->sizes[i] > UINT_MAX / 2 / bytes) {
      return fail(chunks, "chunks that are too large");
    }
    bytes *= (size_t)chunks->sizes[i];
  }
  chunks->bytes = bytes;
  chunks->packedBytes = bytes + bytes / 1000 + CR_SPARE;
  return true;
}

// What inflates to as many bytes as a chunk has.
static bool hasLength(const Chunks* chunks, size_t packedBytes)
{
  z_stream stream = { .next_in = chunks->packed,
                      .avail_in = (uInt)packedBytes,
                      .next_out = chunks->plain,
                      .avail_out = (uInt)chunks->bytes + 1 };
  if (inflateInit(&stream) != Z_OK) {
    chunks->hdf5->isOutOfMemory = true;
    return false;
  }
  bool isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END;
  size_t size = stream.total_out;
  inflateEnd(&stream);
  return isWhole && size == chunks->bytes;
}

static bool isChunkRight(const Chunks* chunks, const hsize_t* offset)
{
  hsize_t size = 0;
  uint32_t skipped = 0;
  if (!crHdf5_Try(chunks->hdf5, H5Dget_chunk_storage_size(chunks->dataset, offset, &size)) || size == 0) {
    return !chunks->hdf5->hasFailed; // of none are the values that none have
  }
  if (size > chunks->packedBytes) {
    return fail(chunks, "a chunk is too long");
  }
  if (!crHdf5_Try(chunks->hdf5, H5Dread_chunk(chunks->dataset, H5P_DEFAULT, offset, &skipped, chunks->packed))) {
    return false;
  }
  bool isPlain = chunks->deflate < 0 || (skipped >> chunks->deflate & 1) != 0;
  return (isPlain ? size == chunks->bytes : hasLength(chunks, (size_t)size)) ||
         fail(chunks, "a chunk has a wrong length");
}

// All chunks between two corners, which are elements.
static bool areChunksRight(const Chunks* chunks, const hsize_t* first, const hsize_t* last)
{
  hsize_t offset[H5S_MAX_RANK];
  for (int i = 0; i < chunks->rank; ++i) {
    offset[i] = first[i] - first[i] % chunks->sizes[i];
  }
  for (;;) {
    if (!isChunkRight(chunks, offset)) {
      return false;
    }
    int axis = chunks->rank - 1;
    while (axis >= 0 && last[axis] - offset[axis] < chunks->sizes[axis]) {
      offset[axis] = first[axis] - first[axis] % chunks->sizes[axis];
      --axis;
    }
    if (axis < 0) {
      return true;
    }
    offset[axis] += chunks->sizes[axis];
  }
}

// The corners of what a selection holds; false: nothing, or something failed.
static bool findBounds(const Chunks* chunks, hid_t selection, hsize_t* outFirst, hsize_t* outLast)
{
  crHdf5* hdf5 = chunks->hdf5;
  hid_t space = selection == H5S_ALL ? crHdf5_Keep(hdf5, H5Dget_space(chunks->dataset)) : selection;
  int rank = H5Sget_simple_extent_ndims(space);
  if (rank != chunks->rank || H5Sget_select_npoints(space) <= 0) {
    return false;
  }
  return crHdf5_Try(hdf5, H5Sget_select_bounds(space, outFirst, outLast));
}

static bool checkSelection(Chunks* chunks, hid_t selection)
{
  hsize_t first[H5S_MAX_RANK], last[H5S_MAX_RANK];
  if (!findBounds(chunks, selection, first, last)) {
    return !chunks->hdf5->hasFailed;
  }
  chunks->packed = crAllocate(chunks->allocator, chunks->packedBytes);
  chunks->plain = crAllocate(chunks->allocator, chunks->bytes + 1);
  if (chunks->packed == NULL || chunks->plain == NULL) {
    chunks->hdf5->isOutOfMemory = true;
    fail(chunks, "no memory for a chunk");
  }
  bool isRight = !chunks->hdf5->hasFailed && areChunksRight(chunks, first, last);
  crFree(chunks->allocator, chunks->packed, chunks->packedBytes);
  crFree(chunks->allocator, chunks->plain, chunks->bytes + 1);
  return isRight;
}

// Room for the conversion of what is selected: HDF5 would fill two megabytes with zeros for a few records.
static hid_t makeTransfer(crHdf5* hdf5, hid_t dataset, hid_t type, hid_t selection)
{
  hid_t stored = crHdf5_Keep(hdf5, H5Dget_type(dataset));
  hid_t space = selection == H5S_ALL ? crHdf5_Keep(hdf5, H5Dget_space(dataset)) : selection;
  hid_t transfer = crHdf5_Keep(hdf5, H5Pcreate(H5P_DATASET_XFER));
  size_t a = H5Tget_size(type), b = H5Tget_size(stored), size = a > b ? a : b;
  hssize_t count = H5Sget_select_npoints(space);
  if (!hdf5->hasFailed && size > 0 && count > 0 && (size_t)count < CR_HDF5_ROOM / size) {
    crHdf5_Try(hdf5, H5Pset_buffer(transfer, (size_t)count * size, NULL, NULL));
  }
  return transfer;
}

void crHdf5_BelieveNoLengths(crHdf5* hdf5, hid_t access)
{
  crHdf5_Try(hdf5, H5Pset_cache(access, 0, 0, 0, 0.0));
}

bool crHdf5_Read(crHdf5* hdf5, const crAllocator* allocator, hid_t dataset, hid_t type, hid_t memory, hid_t selection,
                 void* outBytes)
{
  Chunks chunks = { .hdf5 = hdf5, .allocator = allocator, .dataset = dataset };
  int mark = hdf5->idCount;
  hid_t properties = crHdf5_Keep(hdf5, H5Dget_create_plist(dataset));
  bool isRight = !hdf5->hasFailed;
  if (isRight && H5Pget_layout(properties) == H5D_CHUNKED && H5Pget_nfilters(properties) != 0) {
    isRight = readFilters(&chunks, properties) && readSizes(&chunks, properties) && checkSelection(&chunks, selection);
  }
  hid_t transfer = isRight ? makeTransfer(hdf5, dataset, type, selection) : H5P_DEFAULT;
  isRight =
      isRight && !hdf5->hasFailed && crHdf5_Try(hdf5, H5Dread(dataset, type, memory, selection, transfer, outBytes));
  crHdf5_CloseTo(hdf5, mark);
  return isRight && !hdf5->hasFailed;
}
