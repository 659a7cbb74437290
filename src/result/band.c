// Chunks of /variables: cut out of a band, shuffled and deflated as HDF5's filters do.
#include "result/band.h"

#include <string.h>
#include <zlib.h>

#define CR_SKIP_FILTERS 3u // bits of the two filters, shuffle and deflate, that a stored chunk did not go through

bool crBand_Init(crBand* band, int columnCount, crChunking chunking, const crAllocator* allocator)
{
  size_t values = (size_t)chunking.rows * (size_t)chunking.columns;
  *band = (crBand){ .allocator = *allocator, .chunking = chunking, .columnCount = columnCount };
  band->chunkBytes = values * sizeof(double);
  band->packedBytes = compressBound((uLong)band->chunkBytes);
  band->rows = crAllocateZero(allocator, (size_t)chunking.rows * (size_t)columnCount, sizeof(double));
  band->plain = crAllocate(allocator, band->chunkBytes);
  band->shuffled = crAllocate(allocator, band->chunkBytes);
  band->packed = crAllocate(allocator, band->packedBytes);
  return (band->rows != NULL || columnCount == 0) && band->plain != NULL && band->shuffled != NULL &&
         band->packed != NULL;
}

void crBand_Free(crBand* band)
{
  crFree(&band->allocator, band->rows, (size_t)band->chunking.rows * (size_t)band->columnCount * sizeof(double));
  crFree(&band->allocator, band->plain, band->chunkBytes);
  crFree(&band->allocator, band->shuffled, band->chunkBytes);
  crFree(&band->allocator, band->packed, band->packedBytes);
}

void crBand_AddRow(crBand* band, const double* values)
{
  size_t columns = (size_t)band->columnCount;
  if (columns > 0) {
    memcpy(band->rows + (size_t)band->rowCount * columns, values, columns * sizeof(double));
  }
  ++band->rowCount;
}

bool crBand_IsFull(const crBand* band)
{
  return band->rowCount == band->chunking.rows;
}

int crBand_CountRows(const crBand* band)
{
  return band->firstRow + band->rowCount;
}

// The chunk that begins at a column; zeros where the band has no rows and no columns.
static void cutChunk(crBand* band, int firstColumn)
{
  int left = band->columnCount - firstColumn;
  size_t width = (size_t)(left < band->chunking.columns ? left : band->chunking.columns) * sizeof(double);
  size_t stride = (size_t)band->chunking.columns * sizeof(double);
  memset(band->plain, 0, band->chunkBytes);
  for (int r = 0; r < band->rowCount; ++r) {
    memcpy(band->plain + (size_t)r * stride, band->rows + (size_t)r * (size_t)band->columnCount + firstColumn, width);
  }
}

static void shuffle(crBand* band)
{
  size_t count = band->chunkBytes / sizeof(double);
  for (size_t b = 0; b < sizeof(double); ++b) {
    unsigned char* out = band->shuffled + b * count;
    const unsigned char* in = band->plain + b;
    for (size_t i = 0; i < count; ++i) {
      out[i] = in[i * sizeof(double)];
    }
  }
}

// The chunk's size once compressed; 0: it does not get smaller.
static size_t pack(crBand* band)
{
  uLongf size = (uLongf)band->packedBytes;
  shuffle(band);
  bool isPacked = compress2(band->packed, &size, band->shuffled, (uLong)band->chunkBytes, CR_DEFLATE_LEVEL) == Z_OK;
  return isPacked && size < band->chunkBytes ? (size_t)size : 0;
}

static void storeChunk(crBand* band, hid_t dataset, int firstColumn, bool isPacked, crHdf5* hdf5, crCommitFile* file)
{
  hsize_t offset[2] = { (hsize_t)band->firstRow, (hsize_t)firstColumn };
  uint32_t mask = band->chunking.isCompressed ? CR_SKIP_FILTERS : 0;
  cutChunk(band, firstColumn);
  size_t size = isPacked ? pack(band) : 0;
  if (size == 0) {
    crHdf5_Try(hdf5, H5Dwrite_chunk(dataset, H5P_DEFAULT, mask, offset, band->chunkBytes, band->plain));
    return;
  }
  haddr_t address = HADDR_UNDEF;
  hsize_t oldSize = 0;
  unsigned oldMask;
  if (band->isStored) {
    crHdf5_Try(hdf5, H5Dget_chunk_info_by_coord(dataset, offset, &oldMask, &address, &oldSize));
  }
  crHdf5_Try(hdf5, H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset, size, band->packed));
  if (!hdf5->hasFailed && address != HADDR_UNDEF) {
    crCommitFile_Recycle(file, address, oldSize);
  }
}

void crBand_Store(crBand* band, hid_t dataset, bool isLast, crHdf5* hdf5, crCommitFile* file)
{
  if (band->rowCount == 0) {
    return;
  }
  bool isPacked = band->chunking.isCompressed && (crBand_IsFull(band) || (isLast && !band->isStored));
  hsize_t sizes[2] = { (hsize_t)crBand_CountRows(band), (hsize_t)band->columnCount };
  crHdf5_Try(hdf5, H5Dset_extent(dataset, sizes));
  for (int c = 0; c < band->columnCount && !hdf5->hasFailed; c += band->chunking.columns) {
    storeChunk(band, dataset, c, isPacked, hdf5, file);
  }
  band->isStored = true;
  if (crBand_IsFull(band)) {
    band->firstRow += band->rowCount;
    band->rowCount = 0;
    band->isStored = false;
  }
}
