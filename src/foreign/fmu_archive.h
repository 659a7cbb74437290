// The file of an FMU: a zip archive of a stranger, read into memory once.
//
// What is unpacked goes into a folder of its own that nobody else can enter. Names that lead out of it, names that are
// there twice, and archives that grow beyond all bounds are refused before anything is written.
#ifndef CR_FOREIGN_FMU_ARCHIVE_H
#define CR_FOREIGN_FMU_ARCHIVE_H

#include "base/report.h"
#include "base/sha256.h"

#define CR_FMU_FOLDER_SIZE 1024 // [bytes] of the path of a folder

typedef struct crFmuArchive {
  crAllocator allocator;
  char* bytes;
  size_t size;
  char hash[CR_SHA256_TEXT];
  void* zip; // libzip's
} crFmuArchive;

crStatus crFmuArchive_Open(crFmuArchive* archive, const char* path, const crAllocator* allocator, crReporter* reporter);
void crFmuArchive_Close(crFmuArchive* archive);

// One file of it as text, with a 0 behind; to be freed with size + 1 bytes.
crStatus crFmuArchive_ReadText(const crFmuArchive* archive, const char* name, size_t limit, crReporter* reporter,
                               char** outText, size_t* outSize);

// Unpacks resources/ and the binaries of this machine into a new folder, which crRemoveUnpacked takes away again.
crStatus crFmuArchive_Unpack(const crFmuArchive* archive, crReporter* reporter, char outFolder[CR_FMU_FOLDER_SIZE]);
void crRemoveUnpacked(const char* folder);

#endif
