// A genuine file with a few changes: bytes at random are no HDF5 file and no checkpoint, and end at the first look.
// Eight bytes of the fuzzer's are one change: place (4), what (1), value (3).
#ifndef CR_FUZZ_EDITS_H
#define CR_FUZZ_EDITS_H

#include "mesh_check.h"

#include <math.h>
#include <unistd.h>

#define CR_EDIT_SIZE 8 // [bytes]

typedef struct crFileImage {
  uint8_t* bytes;
  size_t size, capacity;
} crFileImage;

static inline void putDouble(crFileImage* image, size_t at, double value)
{
  if (at + sizeof value <= image->size) {
    memcpy(image->bytes + at, &value, sizeof value);
  }
}

// Places beyond the end cut the file off there, counted from its end.
static inline void editOnce(const uint8_t* edit, crFileImage* image)
{
  static const double values[8] = { 0.0, -1.0, 1e-300, 1e300, HUGE_VAL, -HUGE_VAL, NAN, 4503599627370497.5 };
  uint32_t place = (uint32_t)edit[0] | (uint32_t)edit[1] << 8 | (uint32_t)edit[2] << 16 | (uint32_t)edit[3] << 24;
  if (image->size == 0) {
    return;
  }
  size_t at = place % image->size;
  switch (edit[4] % 6) {
    case 0: image->bytes[at] = edit[5]; break;
    case 1: image->bytes[at] ^= (uint8_t)(1u << (edit[5] % 8)); break;
    case 2: image->bytes[at] = (uint8_t)(image->bytes[at] + edit[5]); break;
    case 3: putDouble(image, at, values[edit[5] % 8]); break;
    case 4: { // a few bytes from elsewhere
      size_t from = (at + edit[5] * 256u + edit[6]) % image->size, count = edit[7];
      count = at + count > image->size ? image->size - at : count;
      count = from + count > image->size ? image->size - from : count;
      memmove(image->bytes + at, image->bytes + from, count);
      break;
    }
    default: image->size = edit[6] == 7 ? at : image->size; break; // seldom: it is cut off
  }
}

// A copy of the genuine file, changed; of malloc.
static inline crFileImage editFile(const crFileImage* genuine, const uint8_t* data, size_t size)
{
  crFileImage image = { malloc(genuine->size + 1), genuine->size, genuine->size + 1 };
  require(image.bytes != NULL, "memory");
  memcpy(image.bytes, genuine->bytes, genuine->size);
  for (size_t i = 0; i + CR_EDIT_SIZE <= size; i += CR_EDIT_SIZE) {
    editOnce(data + i, &image);
  }
  return image;
}

static inline crStatus appendBytes(void* context, const void* bytes, size_t size)
{
  crFileImage* image = context;
  if (image->size + size > image->capacity) {
    image->capacity = 2 * (image->size + size);
    image->bytes = realloc(image->bytes, image->capacity);
    require(image->bytes != NULL, "memory");
  }
  memcpy(image->bytes + image->size, bytes, size);
  image->size += size;
  return cr_ok;
}

// A path of this process alone, in memory where the system has such a folder.
static inline const char* choosePath(const char* name)
{
  static char path[128];
  const char* folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(path, sizeof path, "%s/carom_%s_%ld", folder, name, (long)getpid());
  return path;
}

static inline void writeImage(const char* path, const uint8_t* bytes, size_t size)
{
  FILE* file = fopen(path, "wb");
  require(file != NULL && fwrite(bytes, 1, size, file) == size, "file is written");
  require(fclose(file) == 0, "file is closed");
}

static inline void readImage(const char* path, crFileImage* image)
{
  uint8_t part[4096];
  FILE* file = fopen(path, "rb");
  require(file != NULL, "file is there");
  for (size_t count; (count = fread(part, 1, sizeof part, file)) > 0;) {
    appendBytes(image, part, count);
  }
  fclose(file);
}

// ------------------------------------------------------------------------------------------------ model

// Contacts that slide and stick, at a point and by area, and a joint.
static const char cr_fuzzModel[] =
    "scene{ stopTime = 0.02, interval = 0.01, tolerance = 1e-4 }\n"
    "contactPair('*', '*', { cor = 0.5, muK = 0.4, muR = 0, friction = 'stick' })\n"
    "local g = world('g', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
    "object('ball', { parent = g, position = { 0, 0, 0.049999 }, free = true, velocity = { 1, 0, 0 },\n"
    "  solid{ shape = sphere{ radius = 0.05 }, material = 'Steel', contact = 'Steel' } })\n"
    "object('box', { parent = g, position = { 1, 0, 0.099999 }, free = true,\n"
    "  solid{ shape = box{ size = { 0.2, 0.2, 0.2 } }, material = 'Steel', contact = 'Steel' } })\n"
    "local arm = object('arm', { solid{ shape = beam{ length = 0.3, width = 0.05, height = 0.05 }, material = 'Steel' "
    "} })\n"
    "revolute('hinge', g, arm, { axis = 'y', canCollide = false })\n";

static inline crModel* compileFuzzModel(void)
{
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  crReadOptions options = crDefaultReadOptions();
  crScene* scene = NULL;
  crModel* model = NULL;
  crReadLua(cr_fuzzModel, sizeof cr_fuzzModel - 1, "fuzz.lua", ".", &options, NULL, &sink, &scene);
  crCompile(scene, NULL, NULL, &sink, &model);
  crDestroyScene(scene);
  require(model != NULL && errorCount == 0, "the model is right");
  return model;
}

#endif
