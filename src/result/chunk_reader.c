// Reading a dataset whose chunks are what they say.
//
// The list of a dataset's chunks has no check sum. HDF5 1.10 believes it: a chunk that is said to be stored as it is,
// or that is one of another dataset, may be shorter than the dataset's chunks are, and is read beyond its end. So
// packed chunks of a selection are unpacked here, and their length is looked at. Elements that need no conversion go
// where they belong at once; others are left to HDF5, which unpacks again. Chunks of datasets without filters are read
// by HDF5 from where they lie, as long as they ought to be, when there is no cache for them.
#include "result/hdf5.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#define CR_SPARE 64             // [bytes] a packed chunk may be larger than a plain one by so much, and by a thousandth
#define CR_HDF5_ROOM (1u << 20) // [bytes] for conversions, unless told
#define CR_NO_FILTER (-1)

// The elements between two corners, with one axis after the other; the last one runs fastest.
typedef struct Box {
  hsize_t first[H5S_MAX_RANK], last[H5S_MAX_RANK];
} Box;

typedef struct Chunks {
  crHdf5* hdf5;
  const crAllocator* allocator;
  hid_t dataset;
  int rank;
  hsize_t sizes[H5S_MAX_RANK];
  int shuffle, deflate; // places of the filters in the pipeline
  size_t elementBytes, bytes, packedBytes;
  unsigned char *packed, *plain; // (packedBytes), (bytes + 1)
  Box box;
  unsigned char* out; // (of the box), NULL: HDF5 reads what is right
} Chunks;

static bool fail(const Chunks* chunks, const char* why)
{
  return crHdf5_Refuse(chunks->hdf5, why);
}

// ------------------------------------------------------------------------------------------- facts

// Filters that results have, in this order; others would be loaded from libraries that a file names.
static bool readFilters(Chunks* chunks, hid_t properties)
{
  int count = H5Pget_nfilters(properties);
  chunks->shuffle = chunks->deflate = CR_NO_FILTER;
  for (int i = 0; i < count; ++i) {
    unsigned flags, word[1] = { 0 };
    size_t wordCount = 1;
    H5Z_filter_t filter = H5Pget_filter2(properties, (unsigned)i, &flags, &wordCount, word, 0, NULL, NULL);
    if (filter == H5Z_FILTER_SHUFFLE && i == 0 && word[0] == chunks->elementBytes) {
      chunks->shuffle = i;
    } else if (filter == H5Z_FILTER_DEFLATE && chunks->deflate == CR_NO_FILTER) {
      chunks->deflate = i;
    } else {
      return fail(chunks, "a filter that results do not use");
    }
  }
  return crHdf5_Try(chunks->hdf5, count);
}

// The size of a chunk, not packed.
static bool readSizes(Chunks* chunks, hid_t properties)
{
  chunks->rank = H5Pget_chunk(properties, H5S_MAX_RANK, chunks->sizes);
  if (!crHdf5_Try(chunks->hdf5, chunks->rank)) {
    return false;
  }
  size_t bytes = chunks->elementBytes;
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

// What a selection holds, and whether it is all of its box; false: nothing, or something failed.
static bool readBox(Chunks* chunks, hid_t selection, bool* outIsWhole)
{
  crHdf5* hdf5 = chunks->hdf5;
  hid_t space = selection == H5S_ALL ? crHdf5_Keep(hdf5, H5Dget_space(chunks->dataset)) : selection;
  hssize_t count = H5Sget_select_npoints(space);
  if (H5Sget_simple_extent_ndims(space) != chunks->rank || count <= 0 ||
      !crHdf5_Try(hdf5, H5Sget_select_bounds(space, chunks->box.first, chunks->box.last))) {
    return false;
  }
  double all = 1.0;
  for (int i = 0; i < chunks->rank; ++i) {
    all *= (double)(chunks->box.last[i] - chunks->box.first[i] + 1);
  }
  *outIsWhole = all == (double)count;
  return true;
}

// --------------------------------------------------------------------------------------- one chunk

// Whether what is packed inflates to as many bytes as a chunk has.
static bool inflateChunk(const Chunks* chunks, size_t packedBytes)
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

// Elements from lists of their first bytes, of their second bytes, and so on.
static void unshuffle(const unsigned char* in, size_t elementBytes, size_t bytes, unsigned char* out)
{
  size_t count = bytes / elementBytes;
  for (size_t i = 0; elementBytes == sizeof(double) && i < count; ++i) {
    const unsigned char* p = in + i;
    unsigned char element[sizeof(double)] = { p[0],         p[count],     p[2 * count], p[3 * count],
                                              p[4 * count], p[5 * count], p[6 * count], p[7 * count] };
    memcpy(out + i * sizeof element, element, sizeof element);
  }
  for (size_t b = 0; elementBytes != sizeof(double) && b < elementBytes; ++b) {
    for (size_t i = 0; i < count; ++i) {
      out[i * elementBytes + b] = in[b * count + i];
    }
  }
}

// A chunk's elements, in one of the two buffers. NULL: it has none, or something failed.
static const unsigned char* unpack(const Chunks* chunks, const hsize_t* offset)
{
  hsize_t size = 0;
  uint32_t skipped = 0;
  if (!crHdf5_Try(chunks->hdf5, H5Dget_chunk_storage_size(chunks->dataset, offset, &size)) || size == 0) {
    return NULL;
  }
  if (size > chunks->packedBytes) {
    fail(chunks, "a chunk is too long");
    return NULL;
  }
  if (!crHdf5_Try(chunks->hdf5, H5Dread_chunk(chunks->dataset, H5P_DEFAULT, offset, &skipped, chunks->packed))) {
    return NULL;
  }
  bool isInflated = chunks->deflate >= 0 && (skipped >> chunks->deflate & 1) == 0;
  bool isShuffled = chunks->shuffle >= 0 && (skipped >> chunks->shuffle & 1) == 0;
  if (isInflated ? !inflateChunk(chunks, (size_t)size) : size != chunks->bytes) {
    fail(chunks, "a chunk has a wrong length");
    return NULL;
  }
  unsigned char *from = isInflated ? chunks->plain : chunks->packed, *to = isInflated ? chunks->packed : chunks->plain;
  if (isShuffled && chunks->out != NULL) {
    unshuffle(from, chunks->elementBytes, chunks->bytes, to);
    return to;
  }
  return from;
}

// The elements that a chunk of one or two axes and the box share. NULL for a chunk: zeros, which are what none has.
static void copyChunk(const Chunks* chunks, const hsize_t* offset, const unsigned char* chunk)
{
  const Box* box = &chunks->box;
  bool hasColumns = chunks->rank == 2;
  hsize_t width = hasColumns ? chunks->sizes[1] : 1, left = hasColumns ? offset[1] : 0;
  hsize_t firstColumn = hasColumns ? box->first[1] : 0, lastColumn = hasColumns ? box->last[1] : 0;
  hsize_t begin = left > firstColumn ? left : firstColumn;
  hsize_t end = lastColumn - left < width ? lastColumn + 1 : left + width;
  size_t bytes = (size_t)(end - begin) * chunks->elementBytes;
  for (hsize_t r = 0; r < chunks->sizes[0]; ++r) {
    hsize_t row = offset[0] + r;
    if (row < box->first[0] || row > box->last[0]) {
      continue;
    }
    hsize_t place = (row - box->first[0]) * (lastColumn - firstColumn + 1) + (begin - firstColumn);
    unsigned char* out = chunks->out + (size_t)place * chunks->elementBytes;
    if (chunk != NULL) {
      memcpy(out, chunk + (size_t)(r * width + (begin - left)) * chunks->elementBytes, bytes);
    } else {
      memset(out, 0, bytes);
    }
  }
}

// -------------------------------------------------------------------------------------- all chunks

static bool visitChunks(const Chunks* chunks)
{
  const Box* box = &chunks->box;
  hsize_t offset[H5S_MAX_RANK];
  for (int i = 0; i < chunks->rank; ++i) {
    offset[i] = box->first[i] - box->first[i] % chunks->sizes[i];
  }
  for (;;) {
    const unsigned char* chunk = unpack(chunks, offset);
    if (chunks->hdf5->hasFailed) {
      return false;
    }
    if (chunks->out != NULL) {
      copyChunk(chunks, offset, chunk);
    }
    int axis = chunks->rank - 1;
    while (axis >= 0 && box->last[axis] - offset[axis] < chunks->sizes[axis]) {
      offset[axis] = box->first[axis] - box->first[axis] % chunks->sizes[axis];
      --axis;
    }
    if (axis < 0) {
      return true;
    }
    offset[axis] += chunks->sizes[axis];
  }
}

static bool unpackAll(Chunks* chunks)
{
  chunks->packed = crAllocate(chunks->allocator, chunks->packedBytes);
  chunks->plain = crAllocate(chunks->allocator, chunks->bytes + 1);
  if (chunks->packed == NULL || chunks->plain == NULL) {
    chunks->hdf5->isOutOfMemory = true;
    fail(chunks, "no memory for a chunk");
  }
  bool isRight = !chunks->hdf5->hasFailed && visitChunks(chunks);
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

// Looks at packed chunks, and reads them where that is simple.
static bool readPacked(crHdf5* hdf5, const crAllocator* allocator, hid_t dataset, hid_t type, hid_t selection,
                       hid_t properties, void* outBytes, bool* outIsRead)
{
  hid_t stored = crHdf5_Keep(hdf5, H5Dget_type(dataset));
  bool isWhole = false;
  Chunks chunks = { .hdf5 = hdf5, .allocator = allocator, .dataset = dataset, .elementBytes = H5Tget_size(stored) };
  if (hdf5->hasFailed || !readFilters(&chunks, properties) || !readSizes(&chunks, properties)) {
    return false;
  }
  if (!readBox(&chunks, selection, &isWhole)) {
    return !hdf5->hasFailed;
  }
  *outIsRead = isWhole && chunks.rank <= 2 && H5Tequal(type, stored) > 0;
  chunks.out = *outIsRead ? outBytes : NULL;
  return unpackAll(&chunks);
}

bool crHdf5_Read(crHdf5* hdf5, const crAllocator* allocator, hid_t dataset, hid_t type, hid_t memory, hid_t selection,
                 void* outBytes)
{
  int mark = hdf5->idCount;
  bool isRead = false;
  hid_t properties = crHdf5_Keep(hdf5, H5Dget_create_plist(dataset));
  bool isRight = !hdf5->hasFailed;
  if (isRight && H5Pget_layout(properties) == H5D_CHUNKED && H5Pget_nfilters(properties) != 0) {
    isRight = readPacked(hdf5, allocator, dataset, type, selection, properties, outBytes, &isRead);
  }
  if (isRight && !isRead) {
    hid_t transfer = makeTransfer(hdf5, dataset, type, selection);
    isRight = !hdf5->hasFailed && crHdf5_Try(hdf5, H5Dread(dataset, type, memory, selection, transfer, outBytes));
  }
  crHdf5_CloseTo(hdf5, mark);
  return isRight && !hdf5->hasFailed;
}
