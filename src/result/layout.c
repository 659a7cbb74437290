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
#define CR_RECORD_CHUNK (1 << 17) // [bytes] of events and contacts
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

_Static_assert(sizeof(crStoredContact) == 200 && sizeof(crStoredSample) == 208 && sizeof(crPatchCorner) == 32,
               "records are stored as they are in memory, without gaps");

typedef enum FieldType { integerField, numberField, vectorField } FieldType;

typedef struct Field {
  const char* name;
  size_t offset;
  FieldType type;
  int since, until; // formats that have it
} Field;

#define FIELD(record, name, type, since)                                                                               \
  {                                                                                                                    \
#name, offsetof(record, name), type, since, CR_RESULT_FORMAT                                                       \
  }

static const Field contactFields[] = { FIELD(crStoredContact, time, numberField, 1),
                                       FIELD(crStoredContact, change, integerField, 1),
                                       FIELD(crStoredContact, point, vectorField, 1),
                                       FIELD(crStoredContact, normal, vectorField, 1),
                                       FIELD(crStoredContact, speed, numberField, 1),
                                       FIELD(crStoredContact, slip, numberField, 1),
                                       FIELD(crStoredContact, cor, numberField, 1),
                                       FIELD(crStoredContact, damping, numberField, 1),
                                       FIELD(crStoredContact, radius, numberField, 1),
                                       FIELD(crStoredContact, maxDepth, numberField, 1),
                                       FIELD(crStoredContact, maxForce, numberField, 1),
                                       FIELD(crStoredContact, impulse, numberField, 1),
                                       FIELD(crStoredContact, dissipation, numberField, 1),
                                       FIELD(crStoredContact, objectA, integerField, 1),
                                       FIELD(crStoredContact, objectB, integerField, 1),
                                       FIELD(crStoredContact, shapeA, integerField, 1),
                                       FIELD(crStoredContact, shapeB, integerField, 1),
                                       { "feature", offsetof(crReadContact, feature), integerField, 1, 2 },
                                       FIELD(crStoredContact, bodyA, integerField, 2),
                                       FIELD(crStoredContact, bodyB, integerField, 2),
                                       FIELD(crStoredContact, observer, integerField, 2),
                                       FIELD(crStoredContact, slipPath, numberField, 4),
                                       FIELD(crStoredContact, creepPath, numberField, 4),
                                       FIELD(crStoredContact, creepTime, numberField, 4),
                                       FIELD(crStoredContact, creepShare, numberField, 4),
                                       FIELD(crStoredContact, creepDepth, numberField, 4) };

static const Field sampleFields[] = {
  FIELD(crStoredSample, row, integerField, 1),         FIELD(crStoredSample, point, vectorField, 1),
  FIELD(crStoredSample, normal, vectorField, 1),       FIELD(crStoredSample, force, vectorField, 1),
  FIELD(crStoredSample, torque, vectorField, 1),       FIELD(crStoredSample, depth, numberField, 1),
  FIELD(crStoredSample, depthRate, numberField, 1),    FIELD(crStoredSample, slip, numberField, 1),
  FIELD(crStoredSample, dissipation, numberField, 1),  FIELD(crStoredSample, objectA, integerField, 1),
  FIELD(crStoredSample, objectB, integerField, 1),     FIELD(crStoredSample, shapeA, integerField, 1),
  FIELD(crStoredSample, shapeB, integerField, 1),      FIELD(crStoredSample, bodyA, integerField, 2),
  FIELD(crStoredSample, bodyB, integerField, 2),       FIELD(crStoredSample, area, numberField, 3),
  FIELD(crStoredSample, meanPressure, numberField, 3), FIELD(crStoredSample, maxPressure, numberField, 3),
  FIELD(crStoredSample, corners, integerField, 3),     FIELD(crStoredSample, coneShare, numberField, 4),
  FIELD(crStoredSample, slipPath, numberField, 4),     FIELD(crStoredSample, mode, integerField, 4),
  FIELD(crStoredSample, unused, integerField, 4)
};

static const Field cornerFields[] = { FIELD(crPatchCorner, point, vectorField, 3),
                                      FIELD(crPatchCorner, pressure, numberField, 3) };

static hid_t makeRecordType(crHdf5* hdf5, size_t size, const Field* fields, size_t bytes, int format)
{
  hsize_t three = 3;
  hid_t type = crHdf5_Keep(hdf5, H5Tcreate(H5T_COMPOUND, size));
  hid_t vectorType = crHdf5_Keep(hdf5, H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three));
  for (size_t i = 0; i < bytes / sizeof *fields; ++i) {
    hid_t member = fields[i].type == integerField  ? H5T_NATIVE_INT32
                   : fields[i].type == numberField ? H5T_NATIVE_DOUBLE
                                                   : vectorType;
    if (fields[i].since <= format && format <= fields[i].until) {
      crHdf5_Try(hdf5, H5Tinsert(type, fields[i].name, fields[i].offset, member));
    }
  }
  return type;
}

hid_t crMakeContactType(crHdf5* hdf5)
{
  return makeRecordType(hdf5, sizeof(crStoredContact), contactFields, sizeof contactFields, CR_RESULT_FORMAT);
}

hid_t crMakeSampleType(crHdf5* hdf5)
{
  return makeRecordType(hdf5, sizeof(crStoredSample), sampleFields, sizeof sampleFields, CR_RESULT_FORMAT);
}

hid_t crMakeCornerType(crHdf5* hdf5)
{
  return makeRecordType(hdf5, sizeof(crPatchCorner), cornerFields, sizeof cornerFields, CR_RESULT_FORMAT);
}

hid_t crMakeReadContactType(crHdf5* hdf5, int format)
{
  return makeRecordType(hdf5, sizeof(crReadContact), contactFields, sizeof contactFields, format);
}

hid_t crMakeReadSampleType(crHdf5* hdf5, int format)
{
  return makeRecordType(hdf5, sizeof(crStoredSample), sampleFields, sizeof sampleFields, format);
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
  return (crChunking){ (int)rows, width, wordSize, isCompressed, isCompressed, false };
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
  return (crChunking){ isShort ? expectedRows : CR_TIME_CHUNK, 1, sizeof(double), !isShort, !isShort, false };
}

crChunking crChooseKindChunking(int expectedRows)
{
  bool isShort = expectedRows > 0 && expectedRows < CR_TIME_CHUNK;
  return (crChunking){ isShort ? expectedRows : CR_TIME_CHUNK, 1, sizeof(uint8_t), !isShort, !isShort, false };
}

crChunking crChooseRecordChunking(size_t recordSize)
{
  return (crChunking){ (int)(CR_RECORD_CHUNK / recordSize), 1, recordSize, true, true, true };
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
