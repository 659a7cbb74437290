// Chunks: cut out of a band, shuffled and deflated as HDF5's filters do.
#include "result/band.h"

#include <string.h>

#define CR_PACK_MEMORY 8 // of 9: zlib's own choice
#define CR_LOOKED_AT 256 // bytes of a column that are looked at
#define CR_NOISE 100     // [-] pairs of equal ones among them, over those of noise: with fewer it is stored as it is

bool crBand_Init(crBand* band, int columnCount, crChunking chunking, const crAllocator* allocator)
{
  *band = (crBand){ .allocator = *allocator, .chunking = chunking, .columnCount = columnCount };
  band->dataset = H5I_INVALID_HID;
  band->chunkBytes = (size_t)chunking.rows * (size_t)chunking.columns * chunking.wordSize;
  band->packedBytes = compressBound((uLong)band->chunkBytes);
  band->rows = crAllocateZero(allocator, (size_t)chunking.rows * (size_t)columnCount, chunking.wordSize);
  band->plain = crAllocate(allocator, band->chunkBytes);
  band->shuffled = crAllocate(allocator, band->chunkBytes);
  band->packed = crAllocate(allocator, band->packedBytes);
  return (band->rows != NULL || columnCount == 0) && band->plain != NULL && band->shuffled != NULL &&
         band->packed != NULL;
}

// [bytes]
static size_t rowSize(const crBand* band)
{
  return (size_t)band->columnCount * band->chunking.wordSize;
}

void crBand_Free(crBand* band)
{
  crFree(&band->allocator, band->rows, (size_t)band->chunking.rows * rowSize(band));
  crFree(&band->allocator, band->plain, band->chunkBytes);
  crFree(&band->allocator, band->shuffled, band->chunkBytes);
  crFree(&band->allocator, band->packed, band->packedBytes);
  if (band->hasStream) {
    deflateEnd(&band->stream);
  }
}

void crBand_AddRow(crBand* band, const void* words)
{
  size_t size = rowSize(band);
  if (size > 0) {
    memcpy(band->rows + (size_t)band->rowCount * size, words, size);
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

// ------------------------------------------------------------------------------------------- chunks

// The chunk that begins at a column; zeros where the band has no rows and no columns.
static void cutChunk(crBand* band, int firstColumn)
{
  int left = band->columnCount - firstColumn;
  size_t word = band->chunking.wordSize, stride = (size_t)band->chunking.columns * word;
  size_t width = (size_t)(left < band->chunking.columns ? left : band->chunking.columns) * word;
  const unsigned char* from = band->rows + (size_t)firstColumn * word;
  memset(band->plain, 0, band->chunkBytes);
  for (int r = 0; r < band->rowCount; ++r) {
    memcpy(band->plain + (size_t)r * stride, from + (size_t)r * rowSize(band), width);
  }
}

static void shuffle(crBand* band)
{
  size_t word = band->chunking.wordSize, count = band->chunkBytes / word;
  for (size_t b = 0; b < word; ++b) {
    unsigned char* out = band->shuffled + b * count;
    const unsigned char* in = band->plain + b;
    for (size_t i = 0; i < count; ++i) {
      out[i] = in[i * word];
    }
  }
}

// Whether few of the bytes at one place of all records are equal. The lower bytes of numbers are noise, which cannot be
// compressed; of upper ones little is won for what it takes, here and in every reader. Most columns that are neither
// are integers and what does not change, and shrink to nothing.
static bool isNoise(const unsigned char* bytes, int count)
{
  uint16_t found[256] = { 0 };
  int looks = count < CR_LOOKED_AT ? count : CR_LOOKED_AT, stride = count / looks;
  int64_t pairs = -looks;
  for (int i = 0; i < looks; ++i) {
    ++found[bytes[(size_t)i * (size_t)stride]];
  }
  for (int i = 0; i < 256; ++i) {
    pairs += (int64_t)found[i] * found[i];
  }
  return pairs * 256 < (int64_t)CR_NOISE * looks * (looks - 1);
}

// All that is left of a stretch; false: no room.
static bool packStretch(z_stream* stream, const unsigned char* bytes, size_t size, int flush)
{
  stream->next_in = (Bytef*)bytes;
  stream->avail_in = (uInt)size;
  int state = deflate(stream, flush);
  return stream->avail_in == 0 && state == (flush == Z_FINISH ? Z_STREAM_END : Z_OK);
}

// Columns that are alike together: noise as it is, the others compressed.
static bool packColumns(crBand* band)
{
  int rows = band->chunking.rows, level = CR_DEFLATE_LEVEL;
  size_t columns = band->chunking.wordSize, next;
  bool isGood = true;
  for (size_t c = 0; c < columns && isGood; c = next) {
    const unsigned char* bytes = band->shuffled + c * (size_t)rows;
    bool isPlain = isNoise(bytes, rows);
    for (next = c + 1; next < columns && isNoise(band->shuffled + next * (size_t)rows, rows) == isPlain; ++next) {
    }
    int own = isPlain ? Z_NO_COMPRESSION : CR_DEFLATE_LEVEL;
    if (own != level) {
      band->stream.avail_in = 0;
      isGood = deflateParams(&band->stream, own, Z_RLE) == Z_OK;
      level = own;
    }
    isGood = isGood && packStretch(&band->stream, bytes, (next - c) * (size_t)rows, Z_NO_FLUSH);
  }
  return isGood && packStretch(&band->stream, NULL, 0, Z_FINISH);
}

// Z_RLE looks for runs and frequent bytes only. That takes a quarter of the time of a search for repeated strings; what
// rests shrinks to nothing with both, smooth curves shrink by 4 % instead of 20 %.
static bool openStream(crBand* band)
{
  if (band->hasStream) {
    return deflateReset(&band->stream) == Z_OK && deflateParams(&band->stream, CR_DEFLATE_LEVEL, Z_RLE) == Z_OK;
  }
  band->stream = (z_stream){ .next_in = NULL };
  band->hasStream = deflateInit2(&band->stream, CR_DEFLATE_LEVEL, Z_DEFLATED, MAX_WBITS, CR_PACK_MEMORY, Z_RLE) == Z_OK;
  return band->hasStream;
}

// The chunk's size once compressed; 0: it does not get smaller, or there is no memory for it.
static size_t pack(crBand* band)
{
  if (band->chunking.isShuffled) {
    shuffle(band);
  }
  if (!openStream(band)) {
    return 0;
  }
  band->stream.next_out = band->packed;
  band->stream.avail_out = (uInt)band->packedBytes;
  const unsigned char* bytes = band->chunking.isShuffled ? band->shuffled : band->plain;
  bool isPacked =
      band->chunking.isOfRecords ? packColumns(band) : packStretch(&band->stream, bytes, band->chunkBytes, Z_FINISH);
  size_t size = band->stream.total_out;
  return isPacked && size < band->chunkBytes ? size : 0;
}

// A bit for each filter of the dataset: a chunk stored as it is went through none of them.
static uint32_t allFilters(crChunking chunking)
{
  return (1u << ((unsigned)chunking.isShuffled + (unsigned)chunking.isCompressed)) - 1u;
}

static void storeChunk(crBand* band, int firstColumn, bool isPacked, crHdf5* hdf5, crCommitFile* file)
{
  hsize_t offset[2] = { (hsize_t)band->firstRow, (hsize_t)firstColumn };
  cutChunk(band, firstColumn);
  size_t size = isPacked ? pack(band) : 0;
  if (size == 0) {
    uint32_t mask = allFilters(band->chunking);
    crHdf5_Try(hdf5, H5Dwrite_chunk(band->dataset, H5P_DEFAULT, mask, offset, band->chunkBytes, band->plain));
    return;
  }
  haddr_t oldAddress = HADDR_UNDEF;
  hsize_t oldSize = 0;
  unsigned oldMask;
  if (band->isStored) {
    crHdf5_Try(hdf5, H5Dget_chunk_info_by_coord(band->dataset, offset, &oldMask, &oldAddress, &oldSize));
  }
  crHdf5_Try(hdf5, H5Dwrite_chunk(band->dataset, H5P_DEFAULT, 0, offset, size, band->packed));
  if (!hdf5->hasFailed && oldAddress != HADDR_UNDEF) {
    crCommitFile_Recycle(file, oldAddress, oldSize);
  }
}

// A last band that has its place already keeps it: nothing would be won by another one.
void crBand_Store(crBand* band, bool isLast, crHdf5* hdf5, crCommitFile* file)
{
  if (band->rowCount == 0) {
    return;
  }
  bool isPacked = band->chunking.isCompressed && (crBand_IsFull(band) || (isLast && !band->isStored));
  hsize_t sizes[2] = { (hsize_t)crBand_CountRows(band), (hsize_t)band->columnCount };
  if (band->dataset >= 0) {
    crHdf5_Try(hdf5, H5Dset_extent(band->dataset, sizes));
  }
  for (int c = 0; c < band->columnCount && !hdf5->hasFailed; c += band->chunking.columns) {
    storeChunk(band, c, isPacked, hdf5, file);
  }
  band->isStored = true;
  if (crBand_IsFull(band)) {
    band->firstRow += band->rowCount;
    band->rowCount = 0;
    band->isStored = false;
  }
}
