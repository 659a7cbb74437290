// What lies where in a result file, as told in carom/result.h.
#ifndef CR_RESULT_LAYOUT_H
#define CR_RESULT_LAYOUT_H

#include "base/memory.h"
#include "carom/result.h"
#include "result/hdf5.h"

// Raised when an older Carom cannot read the file any more: contacts know their bodies since 2; since 3 two shapes
// touch once, and samples have patches; since 4 contacts know how far they slipped.
#define CR_RESULT_FORMAT 4
#define CR_ATTRIBUTE_VERSION "carom"
#define CR_ATTRIBUTE_FORMAT "format"
#define CR_ATTRIBUTE_COMPLETE "complete"
#define CR_ATTRIBUTE_EXIT "exit"
#define CR_ATTRIBUTE_MODEL "model"
#define CR_DATASET_SCENE "scene"
#define CR_DATASET_RUN "run"
#define CR_DATASET_TIME "time"
#define CR_DATASET_KINDS "rowKinds"
#define CR_DATASET_VARIABLES "variables"
#define CR_DATASET_NAMES "names"
#define CR_DATASET_UNITS "units"
#define CR_DATASET_DESCRIPTIONS "descriptions"
#define CR_DATASET_EVENTS "events"
#define CR_DATASET_SOURCE "source"
#define CR_DATASET_BODIES "bodies"
#define CR_DATASET_POSES "poses"
#define CR_DATASET_OBJECTS "objects"
#define CR_DATASET_CONTACTS "contacts"
#define CR_DATASET_SAMPLES "contactSamples"
#define CR_DATASET_CORNERS "patchCorners"
#define CR_GROUP_MESHES "meshes"
#define CR_DATASET_MESH_FILE "file"
#define CR_DATASET_MESH_SCALE "scale"
#define CR_DATASET_MESH_POINTS "points"
#define CR_DATASET_MESH_TRIANGLES "triangles"
#define CR_DATASET_MESH_PIECES "pieces"
#define CR_EXIT_RUNNING "running" // the exit reason until the run ends
#define CR_DEFLATE_LEVEL 1        // of 9; higher ones cost more time than they save space

// One element of /events. Texts have a fixed size: those of any size lie in a heap that HDF5 does not check, and a
// damaged one ends the process. A longer text goes on in the records that follow.
#define CR_EVENT_KIND_SIZE 28
#define CR_EVENT_TEXT_SIZE 216
typedef struct crEventRecord {
  double time;                   // [s]
  int32_t part;                  // 0: an event begins; 1, 2, ...: its text goes on
  char kind[CR_EVENT_KIND_SIZE]; // zeros behind
  char text[CR_EVENT_TEXT_SIZE]; // zeros behind; cut between characters
} crEventRecord;

// One element of /contacts.
typedef struct crStoredContact {
  double time;              // [s]
  int32_t change;           // crContactPhase: begin, end, last
  int32_t objectA, objectB; // of /objects
  int32_t shapeA, shapeB;
  int32_t bodyA, bodyB;
  int32_t observer; // 1: never pushes
  crVec3 point, normal;
  double speed; // [m/s] of approach at the begin, of separation at the end
  double slip, cor, damping, radius;
  double maxDepth, maxForce, impulse, dissipation;
  double slipPath, creepPath, creepTime, creepShare, creepDepth;
} crStoredContact;

// One element of /contactSamples.
typedef struct crStoredSample {
  int32_t row;
  int32_t objectA, objectB;
  int32_t shapeA, shapeB;
  int32_t bodyA, bodyB;
  int32_t corners; // how many of /patchCorners, which has those of one sample after the other
  crVec3 point, normal, force, torque;
  double depth, depthRate, slip, dissipation;
  double area, meanPressure, maxPressure;
  double coneShare, slipPath;
  int32_t mode; // crContactMode
  int32_t unused;
} crStoredSample;

// What is read of /contacts, whatever the format of the file: with what only older ones have.
typedef struct crReadContact {
  crStoredContact contact;
  int32_t feature; // before format 3: which of several touches of the same shapes
  int32_t unused;
} crReadContact;

crStoredContact crPackContact(const crContactRecord* record);
crStoredSample crPackSample(const crContactRecord* record, int row);
// From a file of the given format. The row of a contact is its feature, -1 in files that have none; of the corners of a
// sample the number is known.
crContactRecord crUnpackContact(const void* stored, int format); // crReadContact
crContactRecord crUnpackSample(const void* stored, int format);  // crStoredSample

// The types of /events, /contacts, /contactSamples and /patchCorners, as they are written: the elements are those
// structs. Kept.
hid_t crMakeEventType(crHdf5* hdf5);
hid_t crMakeContactType(crHdf5* hdf5);
hid_t crMakeSampleType(crHdf5* hdf5);
hid_t crMakeCornerType(crHdf5* hdf5);
// As they are read from a file of a format: what it has, at its place in the struct.
hid_t crMakeReadContactType(crHdf5* hdf5, int format);
hid_t crMakeReadSampleType(crHdf5* hdf5, int format);

// How a dataset of rows is cut into chunks. A row is a number of words: doubles or floats; or it is one record.
typedef struct crChunking {
  int rows, columns; // of a chunk, >= 1; columns are words
  size_t wordSize;   // [bytes]
  bool isShuffled;   // all first bytes of words, all second bytes, ...: numbers compress better so
  bool isCompressed;
  bool isOfRecords; // a word is a record: the bytes at one place of all of them are alike, or noise
} crChunking;
crChunking crChooseVariableChunking(int columnCount, int expectedRows); // expectedRows 0: unknown
crChunking crChoosePoseChunking(int bodyCount, int expectedRows);
crChunking crChooseTimeChunking(int expectedRows);
crChunking crChooseKindChunking(int expectedRows);
crChunking crChooseRecordChunking(size_t recordSize);

// Small records. An attribute is replaced if it is there.
void crWriteTextAttribute(crHdf5* hdf5, hid_t file, const char* name, const char* text);
void crWriteNumberAttribute(crHdf5* hdf5, hid_t file, const char* name, int number);
void crWriteTextDataset(crHdf5* hdf5, hid_t file, const char* name, const char* text);

// A list of texts, each padded to `width` bytes.
void crWriteTextList(crHdf5* hdf5, hid_t file, const char* name, const char* texts, int count, size_t width);

// Numbers that are written once: a list (columns 0) or a table. No rows: nothing is written.
void crWriteNumbers(crHdf5* hdf5, hid_t file, const char* name, hid_t type, int rows, int columns, const void* numbers);

// Empty datasets that grow by rows (band.h). The ids are the caller's to close.
hid_t crCreateList(crHdf5* hdf5, hid_t file, const char* name, hid_t type, crChunking chunking);
hid_t crCreateTable(crHdf5* hdf5, hid_t file, const char* name, hid_t type, int columnCount, crChunking chunking);

#endif
