// Reports: a whole run in one HTML file that opens anywhere, and its motion as a glTF file.
//
// docs/report_format.md says what is inside a report.
#ifndef CAROM_REPORT_H
#define CAROM_REPORT_H

#include "carom/fit.h"
#include "carom/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Another result that a report shows over its own: motion and curves, not its tables.
typedef struct crReportOther {
  const crResult* result;
  const char* name; // for people; NULL: that of its model
} crReportOther;

typedef struct crReportOptions {
  size_t size;
  const char* title;   // NULL: the model's file without folder and ending
  size_t dataLimit;    // [bytes] of the compressed numbers in the file: rows are left out until they fit; 0: 20 MB
  int maxContacts;     // entries of the list of contacts, the rest is counted; 0: 20,000; -1: none
  const char* runJson; // what is told of the run instead of what the result has, as run.json: with times; or NULL
  const char* name;    // of this result, to tell it from others; NULL: the title
  const crReportOther* others; // (otherCount) results over this one
  int otherCount;              // >= 0
} crReportOptions;

CR_API crReportOptions crDefaultReportOptions(void);

// What a report leaves out, for the one who asked for it.
typedef struct crReportFacts {
  int every;        // every k-th row is in the report; 1: all are
  size_t byteCount; // of the file
  char note[512];   // why nothing can be drawn, or what could not be; empty: all is there
} crReportFacts;

// Writes a report of a result, complete or not at all. NULL options: the defaults. outFacts may be NULL.
CR_API crStatus crWriteReport(const crResult* result, const char* path, const crReportOptions* options,
                              const crAllocator* allocator, const crErrorSink* sink, crReportFacts* outFacts);

// Writes what is drawn and how it moves as binary glTF 2.0 (.glb): one node for each body, translation and rotation
// animated; y is up there. A result without a model that can be drawn is reported.
CR_API crStatus crWriteGlb(const crResult* result, const char* path, const crAllocator* allocator,
                           const crErrorSink* sink);

// ----------------------------------------------------------------------------------------- pictures

// Pictures and films are drawn by the page of the report in a headless Chromium, films are packed by ffmpeg. Both are
// found by PATH; what is missing is reported as cr_errorFile.
typedef struct crPhotoOptions {
  size_t size;
  int width, height;  // [pixels] 16 to 8192; 0: 1280, 720
  double time;        // [s] of a picture; 0: the end of the run; CR_ZERO: time 0
  double from, to;    // [s] of a film; from >= to: the whole run
  double frameRate;   // [1/s] of a film; 0: 30
  double speed;       // [-] simulated time over time of the film; 0: 1
  crVec3 direction;   // [-] from where the whole motion is looked at; zero: the model's camera, or one chosen
  const char* follow; // path of an object that stays in the middle; NULL: none
  const char* theme;  // "light" or "dark"; NULL: light
  const char* show;   // what else the page takes in its address: "forces=0&trails=1"; NULL: nothing
  const char* page;   // the whole page is shown with this side of it: "plots", "objects", "contacts",
                      // "statistics", "model"; NULL: the picture alone. Not for films
  void* context;      // of:
  bool (*shouldStop)(void* context, double share); // asked before each frame of a film; NULL: goes on
} crPhotoOptions;

CR_API crPhotoOptions crDefaultPhotoOptions(void);

// A picture as PNG.
CR_API crStatus crWritePng(const crResult* result, const char* path, const crPhotoOptions* options,
                           const crAllocator* allocator, const crErrorSink* sink);

// A film; the ending of the file tells ffmpeg its kind (.mp4, .webm, .gif). Written completely or not at all. A film
// that `shouldStop` ends is cr_cancelled, and no file.
CR_API crStatus crWriteVideo(const crResult* result, const char* path, const crPhotoOptions* options,
                             const crAllocator* allocator, const crErrorSink* sink);

// A sweep in one HTML file that opens anywhere: map, distribution, parallel coordinates and a table with filters; a
// click on a run gives the command that runs it alone. Of very long series the first columns.
CR_API crStatus crWriteSweepPage(const crSweepTable* table, const char* title, const char* path,
                                 const crAllocator* allocator, const crErrorSink* sink);

// What came of a fit, into a folder that is made unless it exists: fit.json, for each experiment a picture of data and
// model together (experiment-1.svg, ...), and fit.html with all of it.
CR_API crStatus crWriteFitReport(const crFitDef* def, const crFit* fit, const char* folder,
                                 const crAllocator* allocator, const crErrorSink* sink);

#ifdef __cplusplus
}
#endif

#endif
