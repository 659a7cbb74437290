// A PNG file is a signature and chunks: length, type, data, checksum. IHDR says what the picture is, the data of all
// IDAT are one zlib stream of rows, each with a byte that says how it was filtered.
#include "mesh/png.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define CR_CHUNK_FRAME 12 // [bytes] of a chunk beside its data
#define CR_HEADER_SIZE 13 // [bytes] of IHDR

typedef struct Reader {
  const uint8_t* bytes;
  size_t size;
  crReporter reporter;
  crAllocator allocator;
  uint32_t width, height;
  int depth, channels; // [bits], [-]
  uint8_t* packed;     // all IDAT
  size_t packedSize;
  uint8_t* rows;
  size_t rowSize; // [bytes] with the filter's
} Reader;

static crStatus refuse(Reader* reader, const char* message, const char* allowed)
{
  crComplaint complaint = { .message = message, .allowed = allowed };
  crReport(&reader->reporter, cr_severityError, cr_errorSyntax, &complaint);
  return cr_errorSyntax;
}

static uint32_t readWord(const uint8_t* p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static crStatus readHeader(Reader* reader, const uint8_t* data, size_t size)
{
  if (size != CR_HEADER_SIZE) {
    return refuse(reader, "the header of the picture has a wrong size", NULL);
  }
  reader->width = readWord(data);
  reader->height = readWord(data + 4);
  reader->depth = data[8];
  reader->channels = data[9] == 0 ? 1 : data[9] == 4 ? 2 : 0;
  if (reader->width < 2 || reader->height < 2 || reader->width > CR_MOST_PIXELS || reader->height > CR_MOST_PIXELS) {
    return refuse(reader, "the picture has too few or too many pixels", "2 ... 4096 along each edge");
  }
  if (reader->channels == 0) {
    return refuse(reader, "the picture has colours", "grey, of 8 or 16 bits");
  }
  if (reader->depth != 8 && reader->depth != 16) {
    return refuse(reader, "the picture has another number of bits", "8 or 16");
  }
  return data[12] == 0 ? cr_ok : refuse(reader, "the picture is interlaced", "pictures without interlacing");
}

// Walks over the chunks; all data are put together.
static crStatus readChunks(Reader* reader)
{
  bool hasHeader = false;
  size_t at = 8;
  reader->packed = crAllocate(&reader->allocator, reader->size);
  if (reader->packed == NULL) {
    return cr_errorMemory;
  }
  while (at < reader->size) {
    if (reader->size - at < CR_CHUNK_FRAME || readWord(reader->bytes + at) > reader->size - at - CR_CHUNK_FRAME) {
      return refuse(reader, "the picture is cut off", NULL);
    }
    size_t size = readWord(reader->bytes + at);
    const uint8_t *type = reader->bytes + at + 4, *data = type + 4;
    if (crc32(0, type, (uInt)(size + 4)) != readWord(data + size)) {
      return refuse(reader, "the picture is damaged: a checksum is wrong", NULL);
    }
    if (memcmp(type, "IHDR", 4) == 0) {
      crStatus status =
          hasHeader ? refuse(reader, "the picture has two headers", NULL) : readHeader(reader, data, size);
      if (status != cr_ok) {
        return status;
      }
      hasHeader = true;
    } else if (memcmp(type, "IDAT", 4) == 0) {
      memcpy(reader->packed + reader->packedSize, data, size);
      reader->packedSize += size;
    } else if (memcmp(type, "IEND", 4) == 0) {
      break;
    }
    at += size + CR_CHUNK_FRAME;
  }
  return hasHeader ? cr_ok : refuse(reader, "the picture has no header", NULL);
}

static crStatus unpack(Reader* reader)
{
  reader->rowSize = 1 + (size_t)reader->width * (size_t)reader->channels * (size_t)reader->depth / 8;
  size_t size = reader->rowSize * reader->height;
  reader->rows = crAllocate(&reader->allocator, size);
  if (reader->rows == NULL) {
    return cr_errorMemory;
  }
  uLongf unpacked = (uLongf)size;
  int code = uncompress(reader->rows, &unpacked, reader->packed, (uLong)reader->packedSize);
  if (code == Z_MEM_ERROR) {
    return cr_errorMemory;
  }
  return code == Z_OK && unpacked == size ? cr_ok
                                          : refuse(reader, "the data of the picture are not as long as it is", NULL);
}

// The neighbour nearest to left + above - corner.
static uint8_t predict(int left, int above, int corner)
{
  int p = left + above - corner, a = abs(p - left), b = abs(p - above), c = abs(p - corner);
  return (uint8_t)(a <= b && a <= c ? left : b <= c ? above : corner);
}

static crStatus unfilter(Reader* reader)
{
  size_t step = (size_t)reader->channels * (size_t)reader->depth / 8;
  for (uint32_t j = 0; j < reader->height; ++j) {
    uint8_t *row = reader->rows + j * reader->rowSize + 1, filter = row[-1];
    const uint8_t* above = j > 0 ? row - reader->rowSize : NULL;
    if (filter > 4) {
      return refuse(reader, "a row of the picture has an unknown filter", NULL);
    }
    for (size_t i = 0; i < reader->rowSize - 1; ++i) {
      int left = i >= step ? row[i - step] : 0, up = above != NULL ? above[i] : 0;
      int corner = i >= step && above != NULL ? above[i - step] : 0;
      int add = filter == 0 ? 0 : filter == 1 ? left : filter == 2 ? up : filter == 3 ? (left + up) / 2 : 0;
      row[i] = (uint8_t)(row[i] + (filter == 4 ? predict(left, up, corner) : add));
    }
  }
  return cr_ok;
}

static crStatus takeValues(const Reader* reader, crGreyPicture* out)
{
  out->rowCount = (int)reader->height;
  out->columnCount = (int)reader->width;
  out->values = crAllocate(&reader->allocator, (size_t)reader->height * reader->width * sizeof *out->values);
  if (out->values == NULL) {
    return cr_errorMemory;
  }
  size_t step = (size_t)reader->channels * (size_t)reader->depth / 8, n = 0;
  for (uint32_t j = reader->height; j-- > 0;) {
    const uint8_t* row = reader->rows + j * reader->rowSize + 1;
    for (uint32_t i = 0; i < reader->width; ++i, row += step) {
      out->values[n++] = reader->depth == 8 ? row[0] / 255.0 : (row[0] * 256.0 + row[1]) / 65535.0;
    }
  }
  return cr_ok;
}

crStatus crReadPng(const void* bytes, size_t size, const char* name, const crAllocator* allocator,
                   const crErrorSink* sink, crGreyPicture* outPicture)
{
  static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  Reader reader = { .bytes = bytes,
                    .size = size,
                    .reporter = crMakeReporter(sink, (crSource){ name, 0, 0 }, NULL),
                    .allocator = crChooseAllocator(allocator) };
  *outPicture = (crGreyPicture){ 0 };
  if (size < sizeof signature || memcmp(bytes, signature, sizeof signature) != 0) {
    return refuse(&reader, "this is no PNG file", NULL);
  }
  crStatus status = readChunks(&reader);
  status = status == cr_ok ? unpack(&reader) : status;
  status = status == cr_ok ? unfilter(&reader) : status;
  status = status == cr_ok ? takeValues(&reader, outPicture) : status;
  crFree(&reader.allocator, reader.packed, reader.size);
  if (reader.rows != NULL) {
    crFree(&reader.allocator, reader.rows, reader.rowSize * reader.height);
  }
  if (status == cr_errorMemory) {
    crComplaint complaint = { .message = "out of memory while reading a picture" };
    crReport(&reader.reporter, cr_severityError, cr_errorMemory, &complaint);
  }
  return status;
}

void crGreyPicture_Free(crGreyPicture* picture, const crAllocator* allocator)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crFree(&chosen, picture->values, (size_t)picture->rowCount * (size_t)picture->columnCount * sizeof *picture->values);
  *picture = (crGreyPicture){ 0 };
}
