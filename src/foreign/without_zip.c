// FMUs of others where there is no libzip: none is read.
#include "foreign/fmu_archive.h"

#include "base/memory.h"

crStatus crFmuArchive_Open(crFmuArchive* archive, const char* path, const crAllocator* allocator, crReporter* reporter)
{
  *archive = (crFmuArchive){ .allocator = crChooseAllocator(allocator) };
  crReportError(reporter, "this build of Carom has no libzip: it cannot read the FMU '%s'", path);
  return cr_errorFile;
}

void crFmuArchive_Close(crFmuArchive* archive)
{
  *archive = (crFmuArchive){ .allocator = archive->allocator };
}

// Nobody has an archive: these are misuse.

crStatus crFmuArchive_ReadText(const crFmuArchive* archive, const char* name, size_t limit, crReporter* reporter,
                               char** outText, size_t* outSize)
{
  (void)archive;
  (void)name;
  (void)limit;
  (void)reporter;
  *outText = NULL;
  *outSize = 0;
  return cr_errorMisuse;
}

crStatus crFmuArchive_Unpack(const crFmuArchive* archive, crReporter* reporter, char outFolder[CR_FMU_FOLDER_SIZE])
{
  (void)archive;
  (void)reporter;
  outFolder[0] = '\0';
  return cr_errorMisuse;
}

void crRemoveUnpacked(const char* folder)
{
  (void)folder;
}
