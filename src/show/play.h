// Play pages: a model, all files that it is made of, the simulator and the viewer in one HTML file (docs/play.md).
#ifndef CR_SHOW_PLAY_H
#define CR_SHOW_PLAY_H

#include "carom/io.h"
#include "carom/report.h"
#include "carom/run.h"

// Writes the page of a model, complete or not at all. A model with errors gets no page; everything is told to the sink.
// outSize [bytes] may be NULL.
crStatus crWritePlayPage(const char* model, const crSetting* settings, int settingCount, const char* path,
                         const crAllocator* allocator, const crErrorSink* sink, size_t* outSize);

// Writes the page of a model with a run of it: a report that can be played with, complete or not at all. Of the def its
// file and settings count; the file must still have the hash that it had when the run began. What the run was told
// other than the model says is in `options`, zeros elsewhere. The other arguments are those of crWriteReport.
crStatus crWritePlayReport(const crRunDef* def, const char* sourceHash, const crSimulationOptions* options,
                           const crResult* result, const char* path, const crReportOptions* reportOptions,
                           const crAllocator* allocator, const crErrorSink* sink, crReportFacts* outFacts);

// play_files.c: what pages are made of.
typedef struct crPlayFile {
  const char* bytes;
  size_t size;
} crPlayFile;
crPlayFile crGetPlayPage(void);     // viewer/dist/play.html
crPlayFile crGetPlayModule(void);   // wasm/carom.wasm.gz
crPlayFile crGetPlayLicenses(void); // wasm/LICENSES.txt

#endif
