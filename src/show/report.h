// The parts of a report: the numbers, and the description that refers to them.
#ifndef CR_SHOW_REPORT_H
#define CR_SHOW_REPORT_H

#include "carom/report.h"
#include "show/bytes.h"
#include "show/picture.h"
#include "text/json_text.h"

// ------------------------------------------------------------------------------------------ numbers

// The numbers that grow with the run are float32, one after the other. Packed by gzip they are always the same bytes
// for the same numbers. false: out of memory.
bool crPackNumbers(const crBytes* numbers, crBytes* outPacked);

// Base64 (RFC 4648).
void crWriteBase64(const unsigned char* bytes, size_t size, crTextWriter writer);
#define CR_BASE64_SIZE(size) (((size) + 2) / 3 * 4)

// 13 bits in two of 91 letters, the lowest first: what is printed in ASCII, but for '<', '&' and '@', which may mean
// something in a page. Up to 6 bits that are left over take one. 8 % shorter than base64.
void crWriteBase91(const unsigned char* bytes, size_t size, crTextWriter writer);

// -------------------------------------------------------------------------------------- description

// A report being composed.
typedef struct crReportWriting {
  const crPicture* picture;
  const crReportOptions* options;
  crJsonText* text;
  crBytes* data;           // the numbers
  int every;               // row i of the report is row every x i of the result, or its last one
  int rowCount;            // of the report
  crReportFacts* facts;    // gets notes
  const crResultDef* live; // of a run that goes on, for its page; NULL: the result is all there is
} crReportWriting;

void crReportWriting_AddNote(crReportWriting* writing, const char* note);
int crReportWriting_GetRow(const crReportWriting* writing, int index); // of the result

size_t crReportWriting_CountNumbers(const crReportWriting* writing); // so far

// Values that may not be there: null.
void crPutKeyNumber(crJsonText* text, const char* key, double number);
// "key": [first, count]: the numbers since there were `first`.
void crPutBlock(crReportWriting* writing, const char* key, size_t first);
void crPutNumbers(crJsonText* text, const char* key, const double* numbers, int count);
void crPutContact(crJsonText* text, const crContactRecord* contact); // its members in a list of contacts
void crPutVec3(crJsonText* text, const char* key, crVec3 vector);
void crPutPose(crJsonText* text, const char* key, crPose pose);

// Zeros replaced by what they stand for.
crReportOptions crCompleteReportOptions(const crReportOptions* options);

// The description of every k-th row of a result as JSON, and the numbers that it refers to. pictures: that of the
// result, then those of the others that options name. Options are complete; live: of a run that goes on, or NULL; of
// the facts all but the size of a file are filled in.
crStatus crComposeReport(const crPicture* pictures, const crReportOptions* options, int every, crReportFacts* facts,
                         const crResultDef* live, crBytes* description, crBytes* data);

// Members of the description. Each may be left out.
crStatus crWriteReportScene(crReportWriting* report);     // gravity, looks, meshes, objects, and:
void crWriteReportLinks(crReportWriting* writing);        // joints, springs, cables, forces, couplings
void crWriteReportBodies(crReportWriting* writing);       //
void crWriteReportVariables(crReportWriting* writing);    //
crStatus crWriteReportContacts(crReportWriting* writing); // events, contacts, contactList
void crWriteReportFacts(crReportWriting* writing);        // statistics, energy, parameters, source, scene, versions

// Where pages take the description and the numbers, in this order.
#define CR_RUN_MARK "@CAROM_RUN@"
#define CR_DATA_MARK "@CAROM_DATA@"

// A report with another page than the one in the library.
crStatus crWriteReportInto(const char* page, size_t pageSize, const crResult* result, const char* path,
                           const crReportOptions* options, const crAllocator* allocator, const crErrorSink* sink,
                           crReportFacts* outFacts);

// The page that watches a run, from a result without rows.
crStatus crComposeLivePage(const crResult* empty, const crResultDef* def, const crAllocator* allocator,
                           crBytes* outPage);

// The page in the library (report_page.c).
const char* crGetSweepPage(size_t* outSize); // of sweeps, likewise
const char* crGetReportPage(size_t* outSize);

#endif
