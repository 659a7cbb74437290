// The numbers of a report: float32, gzip (RFC 1952), base64 (RFC 4648).
#include "io/report.h"

#include <string.h>
#include <zlib.h>

#define CR_FIRST_CAPACITY 65536 // [bytes]
#define CR_PACK_LEVEL 6         // of 9: 1 is 3 times as fast and gives 5 % more bytes
#define CR_GZIP_WINDOW (15 + 16)
#define CR_PACK_STEP (64u << 20) // [bytes] handed to zlib at once, whose counts have 32 bits

void crReportData_Init(crReportData* data, const crAllocator* allocator)
{
  *data = (crReportData){ .allocator = *allocator };
}

void crReportData_Free(crReportData* data)
{
  crFree(&data->allocator, data->bytes, data->capacity);
}

static bool grow(crReportData* data)
{
  size_t capacity = data->capacity > 0 ? 2 * data->capacity : CR_FIRST_CAPACITY;
  unsigned char* bytes = crReallocate(&data->allocator, data->bytes, data->capacity, capacity);
  if (bytes == NULL) {
    data->hasFailed = true;
    return false;
  }
  data->bytes = bytes;
  data->capacity = capacity;
  return true;
}

void crReportData_Add(crReportData* data, double number)
{
  if (data->hasFailed || (data->size + sizeof(float) > data->capacity && !grow(data))) {
    return;
  }
  float value = (float)number;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (unsigned i = 0; i < sizeof bits; ++i) {
    data->bytes[data->size++] = (unsigned char)(bits >> (8 * i));
  }
}

size_t crReportData_Count(const crReportData* data)
{
  return data->size / sizeof(float);
}

// ------------------------------------------------------------------------------------------ packing

static bool deflateAll(z_stream* stream, const crReportData* data, unsigned char* packed, size_t capacity,
                       size_t* outSize)
{
  size_t used = 0, written = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    size_t part = data->size - used < CR_PACK_STEP ? data->size - used : CR_PACK_STEP;
    size_t room = capacity - written < CR_PACK_STEP ? capacity - written : CR_PACK_STEP;
    stream->next_in = data->size > 0 ? data->bytes + used : NULL;
    stream->avail_in = (uInt)part;
    stream->next_out = packed + written;
    stream->avail_out = (uInt)room;
    state = deflate(stream, used + part == data->size ? Z_FINISH : Z_NO_FLUSH);
    used += part - stream->avail_in;
    written += room - stream->avail_out;
  }
  *outSize = written;
  return state == Z_STREAM_END;
}

unsigned char* crReportData_Pack(const crReportData* data, size_t* outSize, size_t* outCapacity)
{
  z_stream stream = { .next_in = NULL };
  if (deflateInit2(&stream, CR_PACK_LEVEL, Z_DEFLATED, CR_GZIP_WINDOW, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
    return NULL;
  }
  *outCapacity = deflateBound(&stream, (uLong)data->size);
  unsigned char* packed = crAllocate(&data->allocator, *outCapacity);
  bool isPacked = packed != NULL && deflateAll(&stream, data, packed, *outCapacity, outSize);
  deflateEnd(&stream);
  if (!isPacked) {
    crFree(&data->allocator, packed, *outCapacity);
    return NULL;
  }
  return packed;
}

void crWriteBase64(const unsigned char* bytes, size_t size, crTextWriter writer)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char buffer[4096];
  size_t used = 0;
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                     (left > 2 ? (uint32_t)bytes[i + 2] : 0);
    buffer[used++] = letters[three >> 18];
    buffer[used++] = letters[three >> 12 & 63];
    buffer[used++] = left > 1 ? letters[three >> 6 & 63] : '=';
    buffer[used++] = left > 2 ? letters[three & 63] : '=';
    if (used == sizeof buffer) {
      writer.write(writer.context, buffer, used);
      used = 0;
    }
  }
  if (used > 0) {
    writer.write(writer.context, buffer, used);
  }
}
