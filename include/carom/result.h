// Results: what a run recorded, in a file that other tools read.
//
// result.h5 (HDF5):
//   /            attributes: carom (version), format (4), complete (0 or 1), exit (why the run ended), model
//   /scene       the model as canonical JSON (one string)
//   /run         options, versions and statistics as JSON (one string, written at the end)
//   /time        (rows)
//   /rowKinds    (rows) crRowKind; not there: all rows are at output points
//   /variables   (rows x columns), chunked and compressed; one column per variable
//   /names /units /descriptions   (columns) strings
//   /source      the model as it was written (one string)
//   /bodies      (bodies) strings: what moves; /poses (rows x 7 bodies): position and quaternion of each, float32
//   /events      (append-only) time, kind, text; part > 0: the text of the record before goes on
//   /meshes/0 /meshes/1 ...   what the scene's mesh files hold: file, scale, points, triangles, pieces
//   /objects     (objects) strings: what can touch
//   /contacts    (append-only) contacts that begin and end; /contactSamples (append-only) contacts at output rows
// Rows are appended while the run goes on; a killed run leaves a file that any HDF5 reader opens. Several results can
// be written and read in several threads at once, each in one thread at a time; HDF5 itself is entered by one of them
// at a time.
#ifndef CAROM_RESULT_H
#define CAROM_RESULT_H

#include "carom/record.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ writing

typedef struct crResultWriter crResultWriter;

// An existing file is replaced only when the new one could be made.
CR_API crStatus crCreateResultWriter(const crResultDef* def, const crAllocator* allocator, const crErrorSink* sink,
                                     crResultWriter** outWriter);

// Rows and events are buffered. They reach the file when one is added a second of wall time or more after the last
// flush, by crResultWriter_Flush, and at the end. Values may be NaN, times not; the kind of an event has up to 28
// bytes. After a failure, which is reported once, every call returns its status. A result with bodies needs poses with
// each row, which are float, because they are for pictures: exact numbers are variables. Rows of other kinds than
// cr_rowOutput are for results with event rows.
CR_API crStatus crResultWriter_AddRow(crResultWriter* writer, const crRow* row);
CR_API crStatus crResultWriter_AddEvent(crResultWriter* writer, double time, const char* kind, const char* text);
CR_API crStatus crResultWriter_Flush(crResultWriter* writer);

// A place in a result, to go on from there: how many of each there were.
typedef struct crResultPlace {
  int rowCount;
  int eventCount; // parts of texts counted one by one, as /events has them
  int contactCount, sampleCount, cornerCount;
  double time; // [s] of the last row; 0: there is none. By it the result of another run is seen
} crResultPlace;

// The place behind what was added last, which reaches the file with this call.
CR_API crStatus crResultWriter_GetPlace(crResultWriter* writer, crResultPlace* outPlace);

// Goes on in a result that a run has left, however it ended: what lies behind the place is dropped, and what is added
// follows it. The def is that of the run that wrote it. The file is copied up to the place and replaced by the copy in
// one piece, so a process killed meanwhile leaves one or the other. A result of another model, a damaged one and one
// that ends before the place are refused, and stay as they are.
CR_API crStatus crReopenResultWriter(const crResultDef* def, const crResultPlace* place, const crAllocator* allocator,
                                     const crErrorSink* sink, crResultWriter** outWriter);

// Writes what is left, and marks the file complete. exit: "ok", "interrupted", "failed". Frees the writer in any
// case; a full disk is reported, and what was written before stays readable.
CR_API crStatus crResultWriter_Close(crResultWriter* writer, bool isComplete, const char* exitReason,
                                     const char* runJson);

// ----------------------------------------------------------------------------------------- contacts

// Buffered like rows. A record of a contact that begins, ends, or lasts at the end of the run; they may come in any
// order of time, but those of one key in theirs. A sample, a contact as it is now, belongs to the row that was added
// last.
CR_API crStatus crResultWriter_AddContact(crResultWriter* writer, const crContactRecord* record);
CR_API crStatus crResultWriter_AddContactSample(crResultWriter* writer, const crContactRecord* sample);

// --------------------------------------------------------------------------------------------- sink

// A sink (carom/record.h) that makes the file when a run begins and closes it when it ends.
typedef struct crResultFile {
  const char* path;             //
  const crResultPlace* place;   // NULL: a new file; else where to go on in one, as crReopenResultWriter does
  const crAllocator* allocator; // or NULL
  const crErrorSink* sink;      // or NULL
  crResultWriter* writer;       // set by the sink; NULL: no run goes on
  int columnCount, rowCount;    // likewise: what the file has
} crResultFile;

CR_API crRecordSink crResultFile_GetSink(crResultFile* file); // the struct lives as long as the run

// Writes a whole result, such as one of crRecordToMemory, into a file from which crReadResult reads it again.
CR_API crStatus crWriteResult(const crResult* result, const char* path, const crAllocator* allocator,
                              const crErrorSink* sink);

// ------------------------------------------------------------------------------------------ reading

// Reads a whole result into memory. Foreign, damaged or unreadable files are reported.
CR_API crStatus crReadResult(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                             crResult** outResult);

// --------------------------------------------------------------------------------------- exporting

// CSV: a header "time [s],name [unit],..." (RFC 4180 quoting), one row a line, shortest round-trip numbers.
CR_API crStatus crWriteCsv(const crResult* result, const char* path, const crAllocator* allocator,
                           const crErrorSink* sink);

// The contacts, one a line: begin and end [s], the two objects, speeds, restitution, forces and energy.
CR_API crStatus crWriteContactCsv(const crResult* result, const char* path, const crAllocator* allocator,
                                  const crErrorSink* sink);

// The contacts at all rows, one a line: time, the two objects, point, normal, force and torque on B, depth, area and
// pressures; nan: it touches at a point.
CR_API crStatus crWriteSampleCsv(const crResult* result, const char* path, const crAllocator* allocator,
                                 const crErrorSink* sink);

// Modelica result file: MATLAB version 4 with Aclass, name, description, dataInfo, data_1, data_2.
CR_API crStatus crWriteMat(const crResult* result, const char* path, const crAllocator* allocator,
                           const crErrorSink* sink);

#ifdef __cplusplus
}
#endif

#endif
