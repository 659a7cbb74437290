// Archives; see the header. A section is
//
//   name (16 bytes) | version (4) | length of the fields (8) | fields | SHA-256 of all before, as text (64)
#include "base/archive.h"

#include "base/memory.h"
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

#define CR_DIGEST_SIZE (CR_SHA256_TEXT - 1)
#define CR_HEAD_SIZE ((size_t)CR_ARCHIVE_NAME + 4 + 8)
#define CR_FIRST_CAPACITY 4096 // [bytes]

void crArchive_InitWriter(crArchive* archive, const crAllocator* allocator)
{
  *archive = (crArchive){ .allocator = crChooseAllocator(allocator) };
}

void crArchive_InitReader(crArchive* archive, const void* bytes, size_t size)
{
  *archive = (crArchive){ .isReading = true, .source = bytes, .sourceSize = size };
}

void crArchive_Free(crArchive* archive)
{
  if (!archive->isReading) {
    crFree(&archive->allocator, archive->bytes, archive->capacity);
  }
  archive->bytes = NULL;
  archive->size = archive->capacity = 0;
}

void crArchive_Fail(crArchive* archive, crStatus status)
{
  archive->status = archive->status == cr_ok ? status : archive->status;
}

void crArchive_Refuse(crArchive* archive, const char* what)
{
  if (archive->status == cr_ok) {
    bool isInside = archive->section[0] != '\0';
    snprintf(archive->complaint, sizeof archive->complaint, "%s%.*s%s%s", isInside ? "section '" : "", CR_ARCHIVE_NAME,
             archive->section, isInside ? "': " : "", what);
    archive->status = cr_errorFile;
  }
}

// ----------------------------------------------------------------------------------------------- bytes

static bool reserve(crArchive* archive, size_t more)
{
  if (more <= archive->capacity - archive->size) {
    return true;
  }
  size_t least = archive->size + more, capacity = 2 * archive->capacity;
  capacity = capacity > CR_FIRST_CAPACITY ? capacity : CR_FIRST_CAPACITY;
  capacity = capacity > least ? capacity : least;
  uint8_t* bytes =
      least < archive->size ? NULL : crReallocate(&archive->allocator, archive->bytes, archive->capacity, capacity);
  if (bytes == NULL) {
    crArchive_Fail(archive, cr_errorMemory);
    return false;
  }
  archive->bytes = bytes;
  archive->capacity = capacity;
  return true;
}

static size_t countRest(const crArchive* archive)
{
  size_t end = archive->sectionEnd > 0 ? archive->sectionEnd : archive->sourceSize;
  return end - archive->place;
}

const void* crArchive_Borrow(crArchive* archive, size_t size)
{
  if (archive->status == cr_ok && size > countRest(archive)) {
    crArchive_Refuse(archive, "it ends too early");
  }
  if (archive->status != cr_ok) {
    return NULL;
  }
  const uint8_t* from = archive->source + archive->place;
  archive->place += size;
  return from;
}

void crArchive_Bytes(crArchive* archive, void* bytes, size_t size)
{
  if (size == 0) {
    return;
  }
  if (archive->isReading) {
    const void* from = crArchive_Borrow(archive, size);
    if (from != NULL) {
      memcpy(bytes, from, size);
    } else {
      memset(bytes, 0, size);
    }
  } else if (archive->status == cr_ok && reserve(archive, size)) {
    memcpy(archive->bytes + archive->size, bytes, size);
    archive->size += size;
  }
}

static void putNumber(uint8_t* to, uint64_t value, int size)
{
  for (int i = 0; i < size; ++i) {
    to[i] = (uint8_t)(value >> (8 * i));
  }
}

static uint64_t getNumber(const uint8_t* from, int size)
{
  uint64_t value = 0;
  for (int i = 0; i < size; ++i) {
    value |= (uint64_t)from[i] << (8 * i);
  }
  return value;
}

static void archiveNumber(crArchive* archive, uint64_t* value, int size)
{
  uint8_t bytes[8] = { 0 };
  if (!archive->isReading) {
    putNumber(bytes, *value, size);
  }
  crArchive_Bytes(archive, bytes, (size_t)size);
  *value = archive->isReading ? getNumber(bytes, size) : *value;
}

// -------------------------------------------------------------------------------------------- numbers

void crArchive_Doubles(crArchive* archive, double* values, size_t count)
{
  size_t size = count * sizeof(double);
  if (archive->isReading) {
    const uint8_t* from = crArchive_Borrow(archive, size);
    for (size_t i = 0; i < count; ++i) {
      uint64_t bits = from != NULL ? getNumber(from + 8 * i, 8) : 0;
      memcpy(&values[i], &bits, sizeof bits);
    }
  } else if (archive->status == cr_ok && reserve(archive, size)) {
    for (size_t i = 0; i < count; ++i) {
      uint64_t bits;
      memcpy(&bits, &values[i], sizeof bits);
      putNumber(archive->bytes + archive->size + 8 * i, bits, 8);
    }
    archive->size += size;
  }
}

void crArchive_Double(crArchive* archive, double* value)
{
  crArchive_Doubles(archive, value, 1);
}

void crArchive_Int(crArchive* archive, int* value, int least, int most)
{
  uint64_t bits = (uint32_t)*value;
  archiveNumber(archive, &bits, 4);
  if (archive->isReading) {
    int32_t number = (int32_t)(uint32_t)bits;
    if (number < least || number > most) {
      crArchive_Refuse(archive, "a number is out of range");
    }
    *value = archive->status == cr_ok ? number : least;
  }
}

void crArchive_Int64(crArchive* archive, int64_t* value, int64_t least)
{
  uint64_t bits = (uint64_t)*value;
  archiveNumber(archive, &bits, 8);
  if (archive->isReading) {
    int64_t number = (int64_t)bits;
    if (number < least) {
      crArchive_Refuse(archive, "a number is out of range");
    }
    *value = archive->status == cr_ok ? number : least;
  }
}

void crArchive_Bool(crArchive* archive, bool* value)
{
  uint8_t byte = archive->isReading ? 0 : *value;
  crArchive_Bytes(archive, &byte, 1);
  if (archive->isReading) {
    if (byte > 1) {
      crArchive_Refuse(archive, "a number is out of range");
    }
    *value = archive->status == cr_ok && byte == 1;
  }
}

void crArchive_Bools(crArchive* archive, bool* values, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    crArchive_Bool(archive, &values[i]);
  }
}

void crArchive_Count(crArchive* archive, int* count, int most, size_t bytesEach)
{
  crArchive_Int(archive, count, 0, most);
  if (archive->isReading && archive->status == cr_ok && (uint64_t)*count * bytesEach > countRest(archive)) {
    crArchive_Refuse(archive, "it ends too early");
  }
  if (archive->isReading && archive->status != cr_ok) {
    *count = 0;
  }
}

// ------------------------------------------------------------------------------------------- sections

void crArchive_Mark(crArchive* archive, const char mark[CR_ARCHIVE_NAME])
{
  char found[CR_ARCHIVE_NAME];
  memcpy(found, mark, sizeof found);
  crArchive_Bytes(archive, found, sizeof found);
  if (archive->isReading && (archive->status != cr_ok || memcmp(found, mark, sizeof found) != 0)) {
    archive->status = cr_ok; // of two reasons the better one
    crArchive_Refuse(archive, "it does not begin as one");
  }
}

static void digest(const uint8_t* bytes, size_t size, char outText[CR_SHA256_TEXT])
{
  crSha256 hash;
  crSha256_Init(&hash);
  crSha256_Add(&hash, bytes, size);
  crSha256_Finish(&hash, outText);
}

// Finds the end of the section whose head was read, and checks its checksum.
static void openSection(crArchive* archive, uint64_t length)
{
  size_t rest = archive->sourceSize - archive->place;
  char text[CR_SHA256_TEXT];
  if (rest < CR_DIGEST_SIZE || length > rest - CR_DIGEST_SIZE) {
    crArchive_Refuse(archive, "it ends too early");
    return;
  }
  const uint8_t* end = archive->source + archive->place + length;
  digest(archive->source + archive->sectionStart, (size_t)(end - archive->source) - archive->sectionStart, text);
  if (memcmp(text, end, CR_DIGEST_SIZE) != 0) {
    crArchive_Refuse(archive, "its checksum is wrong");
    return;
  }
  archive->sectionEnd = archive->place + (size_t)length;
}

void crArchive_BeginSection(crArchive* archive, const char* name, int version)
{
  char found[CR_ARCHIVE_NAME] = { 0 };
  size_t size = strlen(name);
  uint64_t number = (uint64_t)version, length = 0;
  memcpy(found, name, size < sizeof found ? size : sizeof found);
  memcpy(archive->section, found, sizeof found);
  archive->sectionEnd = 0;
  archive->sectionStart = archive->isReading ? archive->place : archive->size;
  crArchive_Bytes(archive, found, sizeof found);
  archiveNumber(archive, &number, 4);
  archiveNumber(archive, &length, 8);
  if (!archive->isReading || archive->status != cr_ok) {
    return;
  }
  if (memcmp(found, archive->section, sizeof found) != 0) {
    crArchive_Refuse(archive, "another one is in its place");
  } else if (number != (uint64_t)version) {
    crArchive_Refuse(archive, "it has another version");
  } else {
    openSection(archive, length);
  }
}

void crArchive_EndSection(crArchive* archive)
{
  if (archive->isReading) {
    if (archive->status == cr_ok && archive->place != archive->sectionEnd) {
      crArchive_Refuse(archive, "it is longer than it should be");
    }
    archive->sectionEnd = 0;
    crArchive_Borrow(archive, CR_DIGEST_SIZE); // seen when it began
  } else if (archive->status == cr_ok) {
    size_t start = archive->sectionStart;
    char text[CR_SHA256_TEXT];
    putNumber(archive->bytes + start + CR_ARCHIVE_NAME + 4, archive->size - start - CR_HEAD_SIZE, 8);
    digest(archive->bytes + start, archive->size - start, text);
    crArchive_Bytes(archive, text, CR_DIGEST_SIZE);
  }
  archive->sectionStart = 0;
  memset(archive->section, 0, sizeof archive->section);
}

void crArchive_SkipSection(crArchive* archive, const char* name, int version)
{
  crArchive_BeginSection(archive, name, version);
  if (crArchive_IsGood(archive)) {
    archive->place = archive->sectionEnd;
  }
  crArchive_EndSection(archive);
}

void crArchive_Finish(crArchive* archive)
{
  if (archive->isReading && archive->status == cr_ok && archive->place != archive->sourceSize) {
    crArchive_Refuse(archive, "something follows behind its end");
  }
}
