// Going on in a result that a run has left.
//
// A new file is made beside it as for a new run, and gets the rows, events and contacts before the place. Then it takes
// the name of the old one. Changing the old file in place would be faster, but HDF5 takes chunks away before it changes
// sizes: a kill between the two would leave rows of zeros that no reader can tell from true ones.
#include "result/result_reader.h"
#include "result/result_writer.h"

#include <stdio.h>
#include <string.h>

// The file that is there, and the writer of the file that replaces it.
typedef struct Reopening {
  crResult facts; // of the old file; only its texts are read
  crResultReader old;
  crResultWriter* writer;
  const crResultPlace* place;
} Reopening;

// The datasets of the bands, and the number of rows before the place.
static const char* const datasets[cr_bandCount] = {
  [cr_bandVariables] = CR_DATASET_VARIABLES, [cr_bandPoses] = CR_DATASET_POSES,
  [cr_bandKinds] = CR_DATASET_KINDS,         [cr_bandTimes] = CR_DATASET_TIME,
  [cr_bandEvents] = CR_DATASET_EVENTS,       [cr_bandContacts] = CR_DATASET_CONTACTS,
  [cr_bandSamples] = CR_DATASET_SAMPLES,     [cr_bandCorners] = CR_DATASET_CORNERS,
};

static int countBefore(const crResultPlace* place, crBandKind kind)
{
  switch (kind) {
    case cr_bandEvents: return place->eventCount;
    case cr_bandContacts: return place->contactCount;
    case cr_bandSamples: return place->sampleCount;
    case cr_bandCorners: return place->cornerCount;
    default: return place->rowCount;
  }
}

static hid_t makeType(crHdf5* hdf5, crBandKind kind)
{
  switch (kind) {
    case cr_bandPoses: return H5T_NATIVE_FLOAT;
    case cr_bandKinds: return H5T_NATIVE_UINT8;
    case cr_bandEvents: return crMakeEventType(hdf5);
    case cr_bandContacts: return crMakeContactType(hdf5);
    case cr_bandSamples: return crMakeSampleType(hdf5);
    case cr_bandCorners: return crMakeCornerType(hdf5);
    default: return H5T_NATIVE_DOUBLE;
  }
}

// ------------------------------------------------------------------------------------------ the model

typedef struct Texts {
  char* bytes; // NULL: there are none
  size_t size;
} Texts;

// A list of texts, or one text, as it lies in one of the files.
static crStatus readTexts(Reopening* reopening, hid_t file, const char* name, Texts* outTexts)
{
  crHdf5* hdf5 = &reopening->old.hdf5;
  int mark = hdf5->idCount;
  *outTexts = (Texts){ NULL, 0 };
  if (H5Lexists(file, name, H5P_DEFAULT) <= 0) {
    return cr_ok;
  }
  hid_t dataset = crHdf5_Keep(hdf5, H5Dopen2(file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Dget_type(dataset)), space = crHdf5_Keep(hdf5, H5Dget_space(dataset));
  hssize_t count = hdf5->hasFailed ? -1 : H5Sget_simple_extent_npoints(space);
  if (count < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) {
    return crResultReader_ComplainDamage(&reopening->old, name, "cannot be read");
  }
  size_t size = (size_t)count * H5Tget_size(type);
  char* bytes = size > 0 ? crAllocateZero(&reopening->writer->allocator, size, 1) : NULL;
  if (bytes == NULL) {
    crHdf5_CloseTo(hdf5, mark);
    return size > 0 ? crResultReader_ComplainMemory(&reopening->old) : cr_ok;
  }
  *outTexts = (Texts){ bytes, size };
  crHdf5_Read(hdf5, &reopening->writer->allocator, dataset, type, H5S_ALL, H5S_ALL, bytes);
  crHdf5_CloseTo(hdf5, mark);
  return hdf5->hasFailed ? crResultReader_ComplainDamage(&reopening->old, name, "cannot be read") : cr_ok;
}

// Both files must have the same texts under a name.
static crStatus compareTexts(Reopening* reopening, const char* name)
{
  const crAllocator* allocator = &reopening->writer->allocator;
  Texts before, now = { NULL, 0 };
  crStatus status = readTexts(reopening, reopening->old.file, name, &before);
  status = status == cr_ok ? readTexts(reopening, reopening->writer->file, name, &now) : status;
  bool isAlike = before.size == now.size && (now.size == 0 || memcmp(before.bytes, now.bytes, now.size) == 0);
  crFree(allocator, before.bytes, before.size);
  crFree(allocator, now.bytes, now.size);
  if (status != cr_ok || isAlike) {
    return status;
  }
  char message[128];
  snprintf(message, sizeof message, "the result is one of another model, or records something else: /%s differs", name);
  return crResultReader_Complain(&reopening->old, cr_errorFile, &(crComplaint){ .message = message });
}

static crStatus checkModel(Reopening* reopening)
{
  static const char* const names[] = { CR_DATASET_SCENE,        CR_DATASET_NAMES,  CR_DATASET_UNITS,
                                       CR_DATASET_DESCRIPTIONS, CR_DATASET_BODIES, CR_DATASET_OBJECTS };
  crStatus status = cr_ok;
  for (size_t i = 0; i < sizeof names / sizeof *names && status == cr_ok; ++i) {
    status = compareTexts(reopening, names[i]);
  }
  return status;
}

// ----------------------------------------------------------------------------------------------- rows

static crStatus complainShort(Reopening* reopening, crBandKind kind, hsize_t found)
{
  char message[128], number[32], allowed[32];
  snprintf(message, sizeof message, "the result ends before the place from which it shall go on: /%s", datasets[kind]);
  snprintf(number, sizeof number, "%llu records", (unsigned long long)found);
  snprintf(allowed, sizeof allowed, "%d or more", countBefore(reopening->place, kind));
  crComplaint complaint = { .message = message, .found = number, .allowed = allowed };
  return crResultReader_Complain(&reopening->old, cr_errorFile, &complaint);
}

// Opens a dataset whose rows are as wide as those of its band, and long enough. The id is kept.
static crStatus openRows(Reopening* reopening, crBandKind kind, hid_t* outDataset)
{
  crHdf5* hdf5 = &reopening->old.hdf5;
  const crBand* band = &reopening->writer->bands[kind];
  bool isTable = kind == cr_bandVariables || kind == cr_bandPoses;
  hsize_t sizes[2] = { 0, 0 };
  *outDataset = crHdf5_Keep(hdf5, H5Dopen2(reopening->old.file, datasets[kind], H5P_DEFAULT));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(*outDataset)), stored = crHdf5_Keep(hdf5, H5Dget_type(*outDataset));
  if (hdf5->hasFailed) {
    return crResultReader_ComplainDamage(&reopening->old, datasets[kind], "cannot be opened");
  }
  hid_t type = makeType(hdf5, kind);
  bool isRight = H5Sget_simple_extent_ndims(space) == (isTable ? 2 : 1) &&
                 H5Sget_simple_extent_dims(space, sizes, NULL) >= 0 && H5Tequal(stored, type) > 0 &&
                 (!isTable || sizes[1] == (hsize_t)band->columnCount);
  if (!isRight) {
    return crResultReader_ComplainDamage(&reopening->old, datasets[kind], "does not hold what it should");
  }
  return sizes[0] < (hsize_t)countBefore(reopening->place, kind) ? complainShort(reopening, kind, sizes[0]) : cr_ok;
}

// A chunk that is not there reads as zeros.
static bool hasChunks(crHdf5* hdf5, hid_t dataset, int first, int count)
{
  hsize_t chunk[2] = { 1, 1 }, sizes[2] = { 0, 1 }, at[2];
  hid_t properties = crHdf5_Keep(hdf5, H5Dget_create_plist(dataset)), space = crHdf5_Keep(hdf5, H5Dget_space(dataset));
  if (hdf5->hasFailed || H5Pget_layout(properties) != H5D_CHUNKED || H5Pget_chunk(properties, 2, chunk) < 1 ||
      H5Sget_simple_extent_dims(space, sizes, NULL) < 1 || chunk[0] == 0 || chunk[1] == 0) {
    return false;
  }
  bool isWhole = true;
  for (at[0] = (hsize_t)first / chunk[0] * chunk[0]; at[0] < (hsize_t)first + (hsize_t)count && isWhole;
       at[0] += chunk[0]) {
    for (at[1] = 0; at[1] < sizes[1] && isWhole; at[1] += chunk[1]) {
      haddr_t address = HADDR_UNDEF;
      hsize_t size = 0;
      unsigned mask;
      isWhole =
          crHdf5_Try(hdf5, H5Dget_chunk_info_by_coord(dataset, at, &mask, &address, &size)) && address != HADDR_UNDEF;
    }
  }
  return isWhole;
}

// Rows of the old file, as they lie in a band.
static crStatus readRows(Reopening* reopening, crBandKind kind, int first, int count, void* outRows)
{
  crHdf5* hdf5 = &reopening->old.hdf5;
  const crBand* band = &reopening->writer->bands[kind];
  hid_t dataset;
  crBeginHdf5(hdf5);
  crStatus status = openRows(reopening, kind, &dataset);
  if (status == cr_ok && count > 0 && !hasChunks(hdf5, dataset, first, count)) {
    status = crResultReader_ComplainDamage(&reopening->old, datasets[kind], "lacks a part of its rows");
  }
  if (status == cr_ok && count > 0) {
    hsize_t start[2] = { (hsize_t)first, 0 }, block[2] = { (hsize_t)count, (hsize_t)band->columnCount };
    hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset));
    hid_t memory = crHdf5_Keep(hdf5, H5Screate_simple(H5Sget_simple_extent_ndims(space), block, NULL));
    crHdf5_Try(hdf5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, block, NULL));
    if (!hdf5->hasFailed) {
      crHdf5_Read(hdf5, &reopening->writer->allocator, dataset, makeType(hdf5, kind), memory, space, outRows);
    }
    if (hdf5->hasFailed) {
      status = crResultReader_ComplainDamage(&reopening->old, datasets[kind], "cannot be read");
    }
  }
  crEndHdf5(hdf5);
  return status;
}

// Hands all rows before the place to the writer, as many at once as a band holds.
static crStatus copyRows(Reopening* reopening, crBandKind kind)
{
  crResultWriter* writer = reopening->writer;
  const crBand* band = &writer->bands[kind];
  size_t size = (size_t)band->columnCount * band->chunking.wordSize;
  int total = countBefore(reopening->place, kind), most = band->chunking.rows;
  unsigned char* rows = crAllocateZero(&writer->allocator, (size_t)most, size > 0 ? size : 1);
  crStatus status = rows != NULL ? cr_ok : crResultReader_ComplainMemory(&reopening->old);
  for (int first = 0; first < total && status == cr_ok; first += most) {
    int count = total - first < most ? total - first : most;
    status = size > 0 ? readRows(reopening, kind, first, count, rows) : cr_ok;
    for (int i = 0; i < count && status == cr_ok; ++i) {
      status = crResultWriter_AddRecord(writer, kind, rows + (size_t)i * size, "a result has more records than 2^30");
    }
  }
  crFree(&writer->allocator, rows, (size_t)most * (size > 0 ? size : 1));
  return status;
}

// A result of the same model by another run has other times.
static crStatus checkTime(Reopening* reopening)
{
  double time = 0.0;
  int rowCount = reopening->place->rowCount;
  crStatus status = rowCount > 0 ? readRows(reopening, cr_bandTimes, rowCount - 1, 1, &time) : cr_ok;
  if (status != cr_ok || time == reopening->place->time) {
    reopening->writer->lastTime = time;
    return status;
  }
  char found[64], allowed[64];
  snprintf(found, sizeof found, "%.17g", time);
  snprintf(allowed, sizeof allowed, "%.17g", reopening->place->time);
  crComplaint complaint = { "the result is one of another run: the last row before the place is at another time", found,
                            allowed, "s", NULL };
  return crResultReader_Complain(&reopening->old, cr_errorFile, &complaint);
}

static crStatus copyAll(Reopening* reopening)
{
  crStatus status = cr_ok;
  for (int kind = 0; kind < cr_bandCount && status == cr_ok; ++kind) {
    status = copyRows(reopening, (crBandKind)kind);
  }
  return status;
}

// ------------------------------------------------------------------------------------------- reopening

// Opens the old file and looks whether it is one to go on in.
static crStatus openOld(Reopening* reopening)
{
  crHdf5* hdf5 = &reopening->old.hdf5;
  crBeginHdf5(hdf5);
  crStatus status = crResultReader_Open(&reopening->old, reopening->writer->path);
  if (status == cr_ok && reopening->old.format != CR_RESULT_FORMAT) {
    crComplaint complaint = { .message = "the result is of an older format, in which a run cannot go on" };
    status = crResultReader_Complain(&reopening->old, cr_errorFile, &complaint);
  }
  status = status == cr_ok ? checkModel(reopening) : status;
  crEndHdf5(hdf5);
  return status;
}

static crStatus fillFromOld(Reopening* reopening)
{
  crStatus status = openOld(reopening);
  status = status == cr_ok ? checkTime(reopening) : status;
  status = status == cr_ok ? copyAll(reopening) : status;
  crBeginHdf5(&reopening->old.hdf5);
  crResultReader_Close(&reopening->old);
  crEndHdf5(&reopening->old.hdf5);
  return status == cr_ok ? crResultWriter_Publish(reopening->writer) : status;
}

static bool isPlace(const crResultPlace* place)
{
  return place != NULL && place->rowCount >= 0 && place->eventCount >= 0 && place->contactCount >= 0 &&
         place->sampleCount >= 0 && place->cornerCount >= 0;
}

crStatus crReopenResultWriter(const crResultDef* def, const crResultPlace* place, const crAllocator* allocator,
                              const crErrorSink* sink, crResultWriter** outWriter)
{
  if (outWriter == NULL) {
    return cr_errorMisuse;
  }
  *outWriter = NULL;
  if (!isPlace(place) || !crCheckResultDef(def, sink)) {
    return cr_errorMisuse;
  }
  crResultWriter* writer = NULL;
  crStatus status = crCheckResultFile(def->path, sink);
  status = status == cr_ok ? crMakeResultWriter(def, allocator, sink, &writer) : status;
  if (status != cr_ok) {
    return status;
  }
  Reopening reopening = { .writer = writer, .place = place };
  reopening.facts.allocator = writer->allocator;
  crArena_Init(&reopening.facts.arena, &writer->allocator);
  reopening.old = (crResultReader){ .result = &reopening.facts, .file = H5I_INVALID_HID };
  reopening.old.reporter = crMakeReporter(sink, (crSource){ def->path, 0, 0 }, NULL);
  status = fillFromOld(&reopening);
  crArena_Free(&reopening.facts.arena);
  if (status != cr_ok) {
    crResultWriter_Abandon(writer);
    return status;
  }
  *outWriter = writer;
  return cr_ok;
}
