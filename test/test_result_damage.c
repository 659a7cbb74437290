// Result files with one part that is damaged: each is refused with the part and what is wrong with it, and does no
// harm.
#include "carom/result.h"
#include "result/layout.h"
#include "support/command.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

// What takes the place of a part.
typedef enum Damage {
  missing,     // nothing
  scalar,      // one whole number
  column,      // a table of floats with one column
  numbers,     // a list of three doubles
  tooLong,     // itself with more rows than an int counts
  tooShort,    // itself with a row less
  noUtf8,      // as many texts of one byte that is none
  scratched,   // itself with other bytes where its first chunk lies: its compression does not fit
  shortPlain,  // its first chunk is said to be stored as it is, in 8 bytes
  shortPacked, // its first chunk unpacks to 8 bytes
  start,       // the whole number 7 as a list
  nothing,     // a list of no whole numbers
  attribute    // a number that is not whole, as the attribute of that name
} Damage;

typedef struct Row {
  const char* part;
  Damage damage;
  const char* says;
} Row;

// A result with all parts: a cube falls flat onto a table, with patches of contact, and a mesh is drawn.
static int writeResult(void** state)
{
  static const char text[] =
      "scene{ stopTime = 0.5 }\n"
      "world('w', { solid{ shape = box{ size = { 1, 1, 0.1 } }, contact = 'Steel' },\n"
      "  visual{ shape = mesh{ file = 'tee.stl', scale = 0.001 } } })\n"
      "object('cube', { free = true, position = { 0, 0, 0.15 }, rotation = { axis = 'z', angle = 0.3 },\n"
      "  solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, material = 'Steel', contact = 'Steel' } })\n";
  int made = crMakeTestFolder(state);
  crWriteTestFile(crTestPath("m.lua"), text, sizeof text - 1);
  crAssertSays("cp $models/tee.stl . && $carom run m.lua --quiet --no-report --out r && mv r/result.h5 good.h5", 0, "");
  return made;
}

static void replace(hid_t file, const char* part, hid_t type, int rank, const hsize_t* sizes, const void* data)
{
  H5Ldelete(file, part, H5P_DEFAULT);
  hid_t space = rank > 0 ? H5Screate_simple(rank, sizes, NULL) : H5Screate(H5S_SCALAR);
  hid_t dataset = H5Dcreate2(file, part, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  H5Dclose(dataset);
  H5Sclose(space);
}

static hsize_t countRows(hid_t file, const char* part, hsize_t sizes[2])
{
  hid_t dataset = H5Dopen2(file, part, H5P_DEFAULT), space = H5Dget_space(dataset);
  assert_true(H5Sget_simple_extent_dims(space, sizes, NULL) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  return sizes[0];
}

static void resize(hid_t file, const char* part, int64_t change)
{
  hsize_t sizes[2];
  countRows(file, part, sizes);
  sizes[0] += (hsize_t)change;
  hid_t dataset = H5Dopen2(file, part, H5P_DEFAULT);
  assert_true(H5Dset_extent(dataset, sizes) >= 0);
  H5Dclose(dataset);
}

// Where the first chunk of a part lies in the file.
static haddr_t findChunk(hid_t file, const char* part, hsize_t* outSize)
{
  haddr_t address = HADDR_UNDEF;
  hsize_t at[2] = { 0, 0 };
  unsigned mask;
  hid_t dataset = H5Dopen2(file, part, H5P_DEFAULT);
  assert_true(H5Dget_chunk_info_by_coord(dataset, at, &mask, &address, outSize) >= 0);
  assert_true(address != HADDR_UNDEF);
  H5Dclose(dataset);
  return address;
}

// HDF5 1.10 read such chunks beyond their ends.
static void shortenChunk(hid_t file, const char* part, bool isPacked)
{
  unsigned char bytes[64] = { 0 };
  uLongf size = sizeof bytes;
  assert_int_equal(compress(bytes, &size, (const Bytef*)"12345678", 8), Z_OK);
  hid_t dataset = H5Dopen2(file, part, H5P_DEFAULT);
  assert_true(H5Dwrite_chunk(dataset, H5P_DEFAULT, isPacked ? 0 : ~0u, (const hsize_t[]){ 0, 0 }, isPacked ? size : 8,
                             bytes) >= 0);
  H5Dclose(dataset);
}

static void replaceTexts(hid_t file, const char* part)
{
  hsize_t sizes[2] = { 1, 1 };
  hid_t type = H5Tcopy(H5T_C_S1);
  hid_t dataset = H5Dopen2(file, part, H5P_DEFAULT), space = H5Dget_space(dataset);
  int rank = H5Sget_simple_extent_dims(space, sizes, NULL);
  H5Sclose(space);
  H5Dclose(dataset);
  char* bytes = malloc(rank > 0 ? sizes[0] : 1);
  memset(bytes, 0xff, rank > 0 ? sizes[0] : 1);
  replace(file, part, type, rank, sizes, bytes);
  free(bytes);
  H5Tclose(type);
}

static void replaceAttribute(hid_t file, const char* name)
{
  assert_true(H5Adelete(file, name) >= 0);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t made = H5Acreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Awrite(made, H5T_NATIVE_DOUBLE, &(double){ 0.5 }) >= 0);
  H5Aclose(made);
  H5Sclose(space);
}

static void writeDamaged(const char* part, Damage damage)
{
  size_t size;
  char* bytes = crReadTestFile(crTestPath("good.h5"), &size);
  crWriteTestFile(crTestPath("bad.h5"), bytes, size);
  hid_t file = H5Fopen(crTestPath("bad.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  static const float floats[3] = { 1.0f, 2.0f, 3.0f };
  static const double doubles[3] = { 1.0, 2.0, 3.0 };
  haddr_t address = 0;
  hsize_t length = 0;
  int number = 3;
  switch (damage) {
    case missing: assert_true(H5Ldelete(file, part, H5P_DEFAULT) >= 0); break;
    case scalar: replace(file, part, H5T_NATIVE_INT, 0, NULL, &number); break;
    case column: replace(file, part, H5T_NATIVE_FLOAT, 2, (const hsize_t[]){ 3, 1 }, floats); break;
    case numbers: replace(file, part, H5T_NATIVE_DOUBLE, 1, (const hsize_t[]){ 3 }, doubles); break;
    case tooLong: resize(file, part, (int64_t)1 << 32); break;
    case tooShort: resize(file, part, -1); break;
    case noUtf8: replaceTexts(file, part); break;
    case shortPlain: shortenChunk(file, part, false); break;
    case shortPacked: shortenChunk(file, part, true); break;
    case start: replace(file, part, H5T_NATIVE_INT, 1, (const hsize_t[]){ 1 }, &(int){ 7 }); break;
    case nothing: replace(file, part, H5T_NATIVE_INT, 1, (const hsize_t[]){ 0 }, &number); break;
    case attribute: replaceAttribute(file, part); break;
    case scratched: address = findChunk(file, part, &length); break;
  }
  H5Fclose(file);
  if (length > 0) {
    memset(bytes + address, 0x55, length);
    crWriteTestFile(crTestPath("bad.h5"), bytes, size);
  }
  free(bytes);
}

static void assertRefused(const Row* row)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crResult* result = NULL;
  writeDamaged(row->part, row->damage);
  assert_int_equal(crReadResult(crTestPath("bad.h5"), NULL, &sink, &result), cr_errorFile);
  assert_null(result);
  assert_message(log, cr_severityError, row->says);
  crDestroyErrorLog(log);
}

static void a_damaged_part_is_told_with_its_name(void** state)
{
  (void)state;
  static const Row rows[] = {
    { "time", scalar, "the result file is damaged: /time is no table of numbers" },
    { "time", numbers, "the result file is damaged: /time and /variables have different lengths" },
    { "time", tooLong, "the result file is damaged: /time is too large" },
    { "time", missing, "the result file is damaged: /time cannot be opened" },
    { "rowKinds", scalar, "the result file is damaged: /rowKinds is no list of kinds of rows" },
    { "rowKinds", tooShort, "the result file is damaged: /rowKinds and /time have different lengths" },
    { "rowKinds", scratched, "the result file is damaged: /rowKinds has a kind of row that does not exist" },
    { "variables", missing, "the result file is damaged: /variables cannot be opened" },
    { "variables", numbers, "the result file is damaged: /variables is no table of numbers" },
    { "variables", tooLong, "the result file is damaged: /variables is too large" },
    { "variables", tooShort, "the result file is damaged: /time and /variables have different lengths" },
    { "names", numbers, "the result file is damaged: /names does not hold as many texts as there should be" },
    { "names", noUtf8, "the result file is damaged: /names is not UTF-8" },
    { "units", scalar, "the result file is damaged: /units does not hold as many texts as there should be" },
    { "descriptions", missing, "the result file is damaged: /descriptions cannot be opened" },
    { "events", missing, "the result file is damaged: /events cannot be opened" },
    { "events", numbers, "the result file is damaged: /events is no list of events" },
    { "events", tooLong, "the result file is damaged: /events cannot be opened" },
    { "source", noUtf8, "the result file is damaged: /source is not UTF-8" },
    { "bodies", scalar, "the result file is damaged: /bodies does not hold as many texts as there should be" },
    { "poses", missing, "the result file is damaged: /poses cannot be opened" },
    { "poses", numbers, "the result file is damaged: /poses is no table of numbers" },
    { "poses", column, "the result file is damaged: /poses does not hold a pose for each body" },
    { "poses", tooShort, "the result file is damaged: /poses and /time have different lengths" },
    { "objects", missing, "the result file is damaged: /contacts names an object that does not exist" },
    { "objects", noUtf8, "the result file is damaged: /objects is not UTF-8" },
    { "contacts", shortPlain, "the result file is damaged: /contacts cannot be read" },
    { "contacts", shortPacked, "the result file is damaged: /contacts cannot be read" },
    { "contacts", scalar, "the result file is damaged: /contacts is no list of contacts" },
    { "contacts", tooLong, "the result file is damaged: /contacts cannot be opened" },
    { "contacts", scratched, "the result file is damaged: /contacts cannot be read" },
    { "contactSamples", shortPlain, "the result file is damaged: /contactSamples cannot be read" },
    { "contactSamples", shortPacked, "the result file is damaged: /contactSamples cannot be read" },
    { "contactSamples", column, "the result file is damaged: /contactSamples is no list of contacts" },
    { "contactSamples", scratched, "the result file is damaged: /contactSamples cannot be read" },
    { "patchCorners", noUtf8, "the result file is damaged: /patchCorners is no list of corners of patches" },
    { "patchCorners", scratched, "the result file is damaged: /patchCorners cannot be read" },
    { "meshes", scalar, "the result file is damaged: /meshes cannot be opened" },
    { "meshes/0/file", missing, "the result file is damaged: /meshes/0/file cannot be opened" },
    { "meshes/0/file", noUtf8, "the result file is damaged: /meshes/0/file is not UTF-8" },
    { "meshes/0/scale", missing, "the result file is damaged: /meshes/0/scale cannot be opened" },
    { "meshes/0/scale", column, "the result file is damaged: /meshes/0/scale does not hold the numbers of a mesh" },
    { "meshes/0/points", numbers, "the result file is damaged: /meshes/0/points does not hold the numbers of a mesh" },
    { "meshes/0/triangles", missing, "the result file is damaged: /meshes/0/triangles cannot be opened" },
    { "meshes/0/pieces", scalar, "the result file is damaged: /meshes/0/pieces does not hold the numbers of a mesh" },
    { "meshes/0/pieces", nothing, "the result file is damaged: /meshes/0/pieces is empty" },
    { "meshes/0/pieces", start, "the result file is damaged: /meshes/0/points is no mesh" },
    { "scene", scalar, "the result file is damaged: /scene does not hold as many texts as there should be" },
    { "run", noUtf8, "the result file is damaged: /run is not UTF-8" },
    { "exit", attribute, "the result file is damaged: /exit is no text" },
    { "complete", attribute, "the result file is damaged: /complete is no number" },
    { "format", attribute, "the result file is damaged: /format is no number" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    assertRefused(&rows[i]);
  }
}

// As HDF5 says it, for which no test can take the memory away.
static void runOutOfMemory(void)
{
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  H5Epush2(H5E_DEFAULT, __FILE__, "runOutOfMemory", __LINE__, H5E_ERR_CLS, H5E_RESOURCE, H5E_NOSPACE, "no space");
  crHdf5_Try(&hdf5, -1);
  assert_true(hdf5.isOutOfMemory);
  crEndHdf5(&hdf5);
}

// HDF5 ran out of memory while the first rows were written, and could not read what it had written: the report of the
// run called that damage, and another process read it.
static void what_hdf5_cannot_read_after_it_ran_out_of_memory_is_not_called_damaged(void** state)
{
  (void)state;
  crWriteTestFile(crTestPath("none.h5"), "time,x", 6);
  pid_t child = fork();
  if (child == 0) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crResult* result = NULL;
    int wrong = crReadResult(crTestPath("none.h5"), NULL, &sink, &result) != cr_errorFile;
    runOutOfMemory();
    wrong += crReadResult(crTestPath("none.h5"), NULL, &sink, &result) != cr_errorMemory;
    const crError* error = crErrorLog_Get(log, 1);
    wrong += strstr(error->message, "out of memory while reading results") == NULL;
    wrong += error->hint == NULL || strstr(error->hint, "another one may read the file") == NULL;
    wrong += crReadResult(crTestPath("good.h5"), NULL, &sink, &result) != cr_ok; // what can be read is read
    _exit(wrong);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_damaged_part_is_told_with_its_name),
    cmocka_unit_test(what_hdf5_cannot_read_after_it_ran_out_of_memory_is_not_called_damaged),
  };
  return cmocka_run_group_tests(tests, writeResult, crRemoveTestFolder);
}
