// Making the records of a result file.
//
// Chunks: a band, which is a row of chunks side by side, is what a flush compresses again, so it is kept near 2 MiB; a
// chunk of 256 KiB serves both who reads one variable and who reads one row. 10 columns give chunks of 4096 x 10, 1000
// columns of 262 x 125, 1e5 columns of 4 x 8334.
#include "result/layout.h"

#include <string.h>

#define CR_BAND_BYTES (2 << 20)
#define CR_MIN_BAND_ROWS 4        // so that wide rows compress at all: neighbours in time are alike
#define CR_MAX_BAND_ROWS 4096     // more would make /variables of one column slow to flush
#define CR_WIDEST_ROW (16 << 20)  // [bytes] wider ones make bands of one row: a band has to fit into memory
#define CR_CHUNK_VALUES (1 << 15) // 256 KiB
#define CR_TIME_CHUNK 4096        // rows
#define CR_RECORD_CHUNK (1 << 16) // [bytes] of events and contacts
#define CR_PLAIN_LIST (1 << 12)   // [bytes] lists of texts up to this size are stored as they are
#define CR_LIST_CHUNK 4096        // texts
#define CR_PLAIN_NUMBERS 256      // rows of numbers up to which they are stored as they are
#define CR_NUMBER_CHUNK 8192      // rows
#define CR_PLAIN_RESULT (8 << 20) // [bytes] results known to stay below are not compressed: writing is 5 times faster

hid_t crMakeEventType(crHdf5* hdf5)
{
  hid_t kind = crHdf5_MakeTextType(hdf5, CR_EVENT_KIND_SIZE), text = crHdf5_MakeTextType(hdf5, CR_EVENT_TEXT_SIZE);
  hid_t type = crHdf5_Keep(hdf5, H5Tcreate(H5T_COMPOUND, sizeof(crEventRecord)));
  crHdf5_Try(hdf5, H5Tinsert(type, "time", HOFFSET(crEventRecord, time), H5T_NATIVE_DOUBLE));
  crHdf5_Try(hdf5, H5Tinsert(type, "part", HOFFSET(crEventRecord, part), H5T_NATIVE_INT32));
  crHdf5_Try(hdf5, H5Tinsert(type, "kind", HOFFSET(crEventRecord, kind), kind));
  crHdf5_Try(hdf5, H5Tinsert(type, "text", HOFFSET(crEventRecord, text), text));
  return type;
}

_Static_assert(sizeof(crStoredContact) == 168 && sizeof(crStoredSample) == 160,
               "records are stored as they are in memory, without gaps");

typedef struct Field {
  const char* name;
  size_t offset;
  hid_t type;
} Field;

static void insertFields(crHdf5* hdf5, hid_t type, const Field* fields, int count)
{
  for (int i = 0; i < count; ++i) {
    crHdf5_Try(hdf5, H5Tinsert(type, fields[i].name, fields[i].offset, fields[i].type));
  }
}

static hid_t makeVectorType(crHdf5* hdf5)
{
  hsize_t size = 3;
  return crHdf5_Keep(hdf5, H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &size));
}

size_t crGetContactSize(int format)
{
  return format < 2 ? offsetof(crStoredContact, bodyA) : sizeof(crStoredContact);
}

size_t crGetSampleSize(int format)
{
  return format < 2 ? offsetof(crStoredSample, bodyA) : sizeof(crStoredSample);
}

hid_t crMakeContactType(crHdf5* hdf5, int format)
{
  hid_t type = crHdf5_Keep(hdf5, H5Tcreate(H5T_COMPOUND, crGetContactSize(format)));
  hid_t number = H5T_NATIVE_DOUBLE, integer = H5T_NATIVE_INT32, vector = makeVectorType(hdf5);
  const Field fields[] = { { "time", offsetof(crStoredContact, time), number },
                           { "change", offsetof(crStoredContact, change), integer },
                           { "point", offsetof(crStoredContact, point), vector },
                           { "normal", offsetof(crStoredContact, normal), vector },
                           { "speed", offsetof(crStoredContact, speed), number },
                           { "slip", offsetof(crStoredContact, slip), number },
                           { "cor", offsetof(crStoredContact, cor), number },
                           { "damping", offsetof(crStoredContact, damping), number },
                           { "radius", offsetof(crStoredContact, radius), number },
                           { "maxDepth", offsetof(crStoredContact, maxDepth), number },
                           { "maxForce", offsetof(crStoredContact, maxForce), number },
                           { "impulse", offsetof(crStoredContact, impulse), number },
                           { "dissipation", offsetof(crStoredContact, dissipation), number },
                           { "objectA", offsetof(crStoredContact, objectA), integer },
                           { "objectB", offsetof(crStoredContact, objectB), integer },
                           { "shapeA", offsetof(crStoredContact, shapeA), integer },
                           { "shapeB", offsetof(crStoredContact, shapeB), integer },
                           { "feature", offsetof(crStoredContact, feature), integer },
                           { "bodyA", offsetof(crStoredContact, bodyA), integer },
                           { "bodyB", offsetof(crStoredContact, bodyB), integer },
                           { "observer", offsetof(crStoredContact, observer), integer },
                           { "unused", offsetof(crStoredContact, unused), integer } };
  int count = (int)(sizeof fields / sizeof *fields);
  insertFields(hdf5, type, fields, format < 2 ? count - 4 : count);
  return type;
}

hid_t crMakeSampleType(crHdf5* hdf5, int format)
{
  hid_t type = crHdf5_Keep(hdf5, H5Tcreate(H5T_COMPOUND, crGetSampleSize(format)));
  hid_t number = H5T_NATIVE_DOUBLE, integer = H5T_NATIVE_INT32, vector = makeVectorType(hdf5);
  const Field fields[] = { { "row", offsetof(crStoredSample, row), integer },
                           { "point", offsetof(crStoredSample, point), vector },
                           { "normal", offsetof(crStoredSample, normal), vector },
                           { "force", offsetof(crStoredSample, force), vector },
                           { "torque", offsetof(crStoredSample, torque), vector },
                           { "depth", offsetof(crStoredSample, depth), number },
                           { "depthRate", offsetof(crStoredSample, depthRate), number },
                           { "slip", offsetof(crStoredSample, slip), number },
                           { "dissipation", offsetof(crStoredSample, dissipation), number },
                           { "objectA", offsetof(crStoredSample, objectA), integer },
                           { "objectB", offsetof(crStoredSample, objectB), integer },
                           { "shapeA", offsetof(crStoredSample, shapeA), integer },
                           { "shapeB", offsetof(crStoredSample, shapeB), integer },
                           { "feature", offsetof(crStoredSample, feature), integer },
                           { "bodyA", offsetof(crStoredSample, bodyA), integer },
                           { "bodyB", offsetof(crStoredSample, bodyB), integer } };
  int count = (int)(sizeof fields / sizeof *fields);
  insertFields(hdf5, type, fields, format < 2 ? count - 2 : count);
  return type;
}

// ------------------------------------------------------------------------------------------ chunks

static int64_t clamp(int64_t value, int64_t min, int64_t max)
{
  return value < min ? min : value > max ? max : value;
}

static crChunking chooseTableChunking(int columnCount, int expectedRows, size_t wordSize)
{
  int64_t columns = columnCount > 0 ? columnCount : 1;
  int64_t rowBytes = columns * (int64_t)wordSize;
  int64_t rows = clamp(CR_BAND_BYTES / rowBytes, rowBytes > CR_WIDEST_ROW ? 1 : CR_MIN_BAND_ROWS, CR_MAX_BAND_ROWS);
  if (expectedRows > 0) { // bands of nearly the same height: the last one is not left empty
    int64_t bandCount = (expectedRows + rows - 1) / rows;
    rows = (expectedRows + bandCount - 1) / bandCount;
  }
  int64_t widest = clamp(CR_CHUNK_VALUES / rows, 1, columns);
  int64_t chunkCount = (columns + widest - 1) / widest; // side by side, of nearly the same width
  bool isCompressed = expectedRows <= 0 || expectedRows > CR_PLAIN_RESULT / rowBytes;
  int width = (int)((columns + chunkCount - 1) / chunkCount);
  return (crChunking){ (int)rows, width, wordSize, isCompressed, isCompressed };
}

crChunking crChooseVariableChunking(int columnCount, int expectedRows)
{
  return chooseTableChunking(columnCount, expectedRows, sizeof(double));
}

crChunking crChoosePoseChunking(int bodyCount, int expectedRows)
{
  return chooseTableChunking(CR_POSE_SIZE * bodyCount, expectedRows, sizeof(float));
}

crChunking crChooseTimeChunking(int expectedRows)
{
  bool isShort = expectedRows > 0 && expectedRows < CR_TIME_CHUNK;
  return (crChunking){ isShort ? expectedRows : CR_TIME_CHUNK, 1, sizeof(double), !isShort, !isShort };
}

crChunking crChooseKindChunking(int expectedRows)
{
  bool isShort = expectedRows > 0 && expectedRows < CR_TIME_CHUNK;
  return (crChunking){ isShort ? expectedRows : CR_TIME_CHUNK, 1, sizeof(uint8_t), !isShort, !isShort };
}

crChunking crChooseRecordChunking(size_t recordSize)
{
  return (crChunking){ (int)(CR_RECORD_CHUNK / recordSize), (int)(recordSize / sizeof(double)), sizeof(double), false,
                       true };
}

// ----------------------------------------------------------------------------------- small records

static void writeAttribute(crHdf5* hdf5, hid_t file, const char* name, hid_t type, const void* value)
{
  if (H5Aexists(file, name) > 0) {
    crHdf5_Try(hdf5, H5Adelete(file, name));
  }
  hid_t space = crHdf5_Keep(hdf5, H5Screate(H5S_SCALAR));
  hid_t attribute = crHdf5_Keep(hdf5, H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  crHdf5_Try(hdf5, H5Awrite(attribute, type, value));
}

void crWriteTextAttribute(crHdf5* hdf5, hid_t file, const char* name, const char* text)
{
  int mark = hdf5->idCount;
  writeAttribute(hdf5, file, name, crHdf5_MakeTextType(hdf5, strlen(text)), text);
  crHdf5_CloseTo(hdf5, mark);
}

void crWriteNumberAttribute(crHdf5* hdf5, hid_t file, const char* name, int number)
{
  int mark = hdf5->idCount;
  writeAttribute(hdf5, file, name, H5T_NATIVE_INT, &number);
  crHdf5_CloseTo(hdf5, mark);
}

// Without a time stamp: what matters is in the file, not when it was made.
static hid_t makeProperties(crHdf5* hdf5)
{
  hid_t properties = crHdf5_Keep(hdf5, H5Pcreate(H5P_DATASET_CREATE));
  crHdf5_Try(hdf5, H5Pset_obj_track_times(properties, false));
  return properties;
}

static void writeDataset(crHdf5* hdf5, hid_t file, const char* name, hid_t type, hid_t space, hid_t properties,
                         const void* elements)
{
  hid_t dataset = crHdf5_Keep(hdf5, H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
  crHdf5_Try(hdf5, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements));
}

void crWriteTextDataset(crHdf5* hdf5, hid_t file, const char* name, const char* text)
{
  int mark = hdf5->idCount;
  hid_t type = crHdf5_MakeTextType(hdf5, strlen(text));
  hid_t space = crHdf5_Keep(hdf5, H5Screate(H5S_SCALAR));
  writeDataset(hdf5, file, name, type, space, makeProperties(hdf5), text);
  crHdf5_CloseTo(hdf5, mark);
}

void crWriteTextList(crHdf5* hdf5, hid_t file, const char* name, const char* texts, int count, size_t width)
{
  int mark = hdf5->idCount;
  hsize_t size = (hsize_t)count, chunk = count < CR_LIST_CHUNK ? (hsize_t)count : CR_LIST_CHUNK;
  hid_t type = crHdf5_MakeTextType(hdf5, width);
  hid_t space = crHdf5_Keep(hdf5, H5Screate_simple(1, &size, NULL));
  hid_t properties = makeProperties(hdf5);
  if ((size_t)count > CR_PLAIN_LIST / width) {
    crHdf5_Try(hdf5, H5Pset_chunk(properties, 1, &chunk));
    crHdf5_Try(hdf5, H5Pset_deflate(properties, CR_DEFLATE_LEVEL));
  }
  writeDataset(hdf5, file, name, type, space, properties, texts);
  crHdf5_CloseTo(hdf5, mark);
}

void crWriteNumbers(crHdf5* hdf5, hid_t file, const char* name, hid_t type, int rows, int columns, const void* numbers)
{
  int mark = hdf5->idCount;
  hsize_t sizes[2] = { (hsize_t)rows, (hsize_t)columns };
  hsize_t chunk[2] = { rows < CR_NUMBER_CHUNK ? sizes[0] : CR_NUMBER_CHUNK, sizes[1] };
  if (rows == 0) {
    return;
  }
  hid_t space = crHdf5_Keep(hdf5, H5Screate_simple(columns > 0 ? 2 : 1, sizes, NULL));
  hid_t properties = makeProperties(hdf5);
  if (rows > CR_PLAIN_NUMBERS) {
    crHdf5_Try(hdf5, H5Pset_chunk(properties, columns > 0 ? 2 : 1, chunk));
    crHdf5_Try(hdf5, H5Pset_shuffle(properties));
    crHdf5_Try(hdf5, H5Pset_deflate(properties, CR_DEFLATE_LEVEL));
  }
  writeDataset(hdf5, file, name, type, space, properties, numbers);
  crHdf5_CloseTo(hdf5, mark);
}

// ------------------------------------------------------------------------------- growing datasets

static hid_t createGrowing(crHdf5* hdf5, hid_t file, const char* name, hid_t type, hid_t space, const hsize_t* chunk,
                           crChunking chunking)
{
  hid_t properties = makeProperties(hdf5);
  crHdf5_Try(hdf5, H5Pset_chunk(properties, H5Sget_simple_extent_ndims(space), chunk));
  if (chunking.isShuffled) {
    crHdf5_Try(hdf5, H5Pset_shuffle(properties));
  }
  if (chunking.isCompressed) {
    crHdf5_Try(hdf5, H5Pset_deflate(properties, CR_DEFLATE_LEVEL));
  }
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  crHdf5_Try(hdf5, dataset);
  return dataset;
}

hid_t crCreateList(crHdf5* hdf5, hid_t file, const char* name, hid_t type, crChunking chunking)
{
  int mark = hdf5->idCount;
  hsize_t size = 0, largest = H5S_UNLIMITED, chunk = (hsize_t)chunking.rows;
  hid_t space = crHdf5_Keep(hdf5, H5Screate_simple(1, &size, &largest));
  hid_t dataset = createGrowing(hdf5, file, name, type, space, &chunk, chunking);
  crHdf5_CloseTo(hdf5, mark);
  return dataset;
}

hid_t crCreateTable(crHdf5* hdf5, hid_t file, const char* name, hid_t type, int columnCount, crChunking chunking)
{
  int mark = hdf5->idCount;
  hsize_t chunk[2] = { (hsize_t)chunking.rows, (hsize_t)chunking.columns };
  hsize_t sizes[2] = { 0, (hsize_t)columnCount };
  hsize_t largest[2] = { H5S_UNLIMITED, columnCount > 0 ? sizes[1] : H5S_UNLIMITED };
  hid_t space = crHdf5_Keep(hdf5, H5Screate_simple(2, sizes, largest));
  hid_t dataset = createGrowing(hdf5, file, name, type, space, chunk, chunking);
  crHdf5_CloseTo(hdf5, mark);
  return dataset;
}
