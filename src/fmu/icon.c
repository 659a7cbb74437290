// Three balls on a green cloth: one that is struck, and two that it goes on to.
//
// A PNG is a signature and chunks of length, name, bytes and CRC-32. The rows of the picture lie in one chunk, as a
// zlib stream of stored blocks: compressed they would depend on the version of zlib, and the archive packs them anyway.
#include "fmu/icon.h"

#include <stdint.h>
#include <string.h>

#define CR_ICON_SIZE 64                     // [pixels]
#define CR_ROW_BYTES (1 + 3 * CR_ICON_SIZE) // a filter, which is none, and red, green and blue
#define CR_PICTURE_BYTES (CR_ICON_SIZE * CR_ROW_BYTES)
#define CR_STREAM_BYTES (2 + 5 + CR_PICTURE_BYTES + 4) // header, one stored block, checksum
#define CR_ADLER_BASE 65521u

_Static_assert(CR_PICTURE_BYTES < 65536, "one stored block holds the picture");

typedef struct Ball {
  int x, y, radius; // [pixels]
  unsigned char color[3];
} Ball;

static const Ball balls[] = {
  { 19, 44, 12, { 0xf2, 0xec, 0xd8 } },
  { 43, 36, 12, { 0xd8, 0x40, 0x3a } },
  { 27, 17, 12, { 0xe8, 0xb8, 0x30 } },
};

static const unsigned char cloth[3] = { 0x0a, 0x6b, 0x38 };

// The colour of a pixel; pixels at the upper left of a ball shine.
static void paint(int x, int y, unsigned char* outColor)
{
  memcpy(outColor, cloth, sizeof cloth);
  for (size_t i = 0; i < sizeof balls / sizeof *balls; ++i) {
    int dx = x - balls[i].x, dy = y - balls[i].y, r = balls[i].radius;
    int sx = dx + r / 3, sy = dy + r / 3;
    if (dx * dx + dy * dy <= r * r) {
      memcpy(outColor, balls[i].color, sizeof cloth);
    }
    if (sx * sx + sy * sy <= r * r / 16) {
      memset(outColor, 0xff, sizeof cloth);
    }
  }
}

static void putWord(unsigned char* place, uint32_t word)
{
  for (int i = 0; i < 4; ++i) {
    place[i] = (unsigned char)(word >> (24 - 8 * i));
  }
}

static uint32_t computeAdler(const unsigned char* bytes, size_t count)
{
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < count; ++i) {
    a = (a + bytes[i]) % CR_ADLER_BASE;
    b = (b + a) % CR_ADLER_BASE;
  }
  return b << 16 | a;
}

static uint32_t addToCrc(uint32_t crc, const unsigned char* bytes, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    crc ^= bytes[i];
    for (int k = 0; k < 8; ++k) {
      crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
    }
  }
  return crc;
}

static void writeChunk(crTextBlock* out, const char name[4], const unsigned char* bytes, size_t count)
{
  unsigned char word[4];
  putWord(word, (uint32_t)count);
  crTextBlock_Add(out, (const char*)word, sizeof word);
  crTextBlock_Add(out, name, 4);
  crTextBlock_Add(out, (const char*)bytes, count);
  putWord(word, ~addToCrc(addToCrc(~0u, (const unsigned char*)name, 4), bytes, count));
  crTextBlock_Add(out, (const char*)word, sizeof word);
}

void crWriteIcon(crTextBlock* out)
{
  static const char signature[] = "\x89PNG\r\n\x1a\n";
  unsigned char header[13] = { [8] = 8, [9] = 2 }, stream[CR_STREAM_BYTES] = { 0x78, 0x01, 1 };
  unsigned char* picture = stream + 7;
  putWord(header, CR_ICON_SIZE);
  putWord(header + 4, CR_ICON_SIZE);
  stream[3] = CR_PICTURE_BYTES & 0xff;
  stream[4] = CR_PICTURE_BYTES >> 8;
  stream[5] = ~stream[3] & 0xff;
  stream[6] = ~stream[4] & 0xff;
  for (int y = 0; y < CR_ICON_SIZE; ++y) {
    for (int x = 0; x < CR_ICON_SIZE; ++x) {
      paint(x, y, picture + y * CR_ROW_BYTES + 1 + 3 * x);
    }
  }
  putWord(picture + CR_PICTURE_BYTES, computeAdler(picture, CR_PICTURE_BYTES));
  crTextBlock_Add(out, signature, sizeof signature - 1);
  writeChunk(out, "IHDR", header, sizeof header);
  writeChunk(out, "IDAT", stream, sizeof stream);
  writeChunk(out, "IEND", NULL, 0);
}
