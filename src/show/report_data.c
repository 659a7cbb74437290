// The numbers of a report: float32, gzip (RFC 1952), base64 (RFC 4648); and what play pages hold, in more letters.
#include "show/report.h"

#include <zlib.h>

#define CR_PACK_LEVEL 3 // of 9: 6 takes 1.6 times as long for 4 % fewer bytes
#define CR_GZIP_WINDOW (15 + 16)
#define CR_PACK_STEP (64u << 20) // [bytes] handed to zlib at once, whose counts have 32 bits

// Deflates into `packed`, which has room for all.
static bool deflateAll(z_stream* stream, const crBytes* numbers, crBytes* packed)
{
  size_t used = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    size_t part = numbers->size - used < CR_PACK_STEP ? numbers->size - used : CR_PACK_STEP;
    size_t left = packed->capacity - packed->size, room = left < CR_PACK_STEP ? left : CR_PACK_STEP;
    stream->next_in = part > 0 ? numbers->items + used : NULL;
    stream->avail_in = (uInt)part;
    stream->next_out = packed->items + packed->size;
    stream->avail_out = (uInt)room;
    state = deflate(stream, used + part == numbers->size ? Z_FINISH : Z_NO_FLUSH);
    used += part - stream->avail_in;
    packed->size += room - stream->avail_out;
  }
  return state == Z_STREAM_END;
}

bool crPackNumbers(const crBytes* numbers, crBytes* outPacked)
{
  z_stream stream = { .next_in = NULL };
  crBytes_Init(outPacked, &numbers->allocator);
  if (deflateInit2(&stream, CR_PACK_LEVEL, Z_DEFLATED, CR_GZIP_WINDOW, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
    return false;
  }
  outPacked->capacity = deflateBound(&stream, (uLong)numbers->size);
  outPacked->items = crAllocate(&outPacked->allocator, outPacked->capacity);
  outPacked->capacity = outPacked->items != NULL ? outPacked->capacity : 0;
  bool isPacked = outPacked->items != NULL && deflateAll(&stream, numbers, outPacked);
  deflateEnd(&stream);
  return isPacked;
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

#define CR_PAIR_BITS 13
#define CR_LETTER_BITS 6

void crWriteBase91(const unsigned char* bytes, size_t size, crTextWriter writer)
{
  static const char letters[] =
      "!\"#$%'()*+,-./0123456789:;=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
  const uint32_t base = sizeof letters - 1;
  char buffer[4096];
  size_t used = 0;
  uint32_t bits = 0;
  int count = 0; // of bits that wait
  for (size_t i = 0; i < size || count > 0;) {
    for (; count < CR_PAIR_BITS && i < size; count += 8) {
      bits |= (uint32_t)bytes[i++] << count;
    }
    uint32_t pair = bits & ((1u << CR_PAIR_BITS) - 1);
    buffer[used++] = letters[pair % base];
    if (count > CR_LETTER_BITS) {
      buffer[used++] = letters[pair / base];
    }
    bits >>= CR_PAIR_BITS;
    count = count > CR_PAIR_BITS ? count - CR_PAIR_BITS : 0;
    if (used + 2 > sizeof buffer) {
      writer.write(writer.context, buffer, used);
      used = 0;
    }
  }
  if (used > 0) {
    writer.write(writer.context, buffer, used);
  }
}
