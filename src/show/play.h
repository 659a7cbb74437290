// Play pages: a model, all files that it is made of, the simulator and the viewer in one HTML file (docs/play.md).
#ifndef CR_SHOW_PLAY_H
#define CR_SHOW_PLAY_H

#include "carom/io.h"

// Writes the page of a model, complete or not at all. A model with errors gets no page; everything is told to the sink.
// outSize [bytes] may be NULL.
crStatus crWritePlayPage(const char* model, const crSetting* settings, int settingCount, const char* path,
                         const crAllocator* allocator, const crErrorSink* sink, size_t* outSize);

// play_files.c: what pages are made of.
typedef struct crPlayFile {
  const char* bytes;
  size_t size;
} crPlayFile;
crPlayFile crGetPlayPage(void);     // viewer/dist/play.html
crPlayFile crGetPlayModule(void);   // wasm/carom.wasm.gz
crPlayFile crGetPlayLicenses(void); // wasm/LICENSES.txt

#endif
