// A headless Chromium that shows one page, driven by its DevTools protocol over a socket.
#ifndef CR_SHOW_BROWSER_H
#define CR_SHOW_BROWSER_H

#include "show/bytes.h"
#include "show/process.h"

#include <jansson.h>

typedef struct crBrowser {
  crAllocator allocator;
  const crErrorSink* sink;
  crProcess process;
  char folder[CR_PROCESS_PATH]; // its profile, its log, and the page
  char session[64];
  int width, height; // [pixels] of the page
  double deadline;   // [s] of the monotonic clock: the answer that is waited for comes before
  int lastId;        // of a message
  crBytes pending;   // received, not yet looked at
} crBrowser;

// Starts the first of chromium, chromium-browser, google-chrome that is found, and a page of this size [pixels]. What
// is missing or fails is reported. crStopBrowser is due in any case.
crStatus crStartBrowser(crBrowser* browser, int width, int height, const crAllocator* allocator,
                        const crErrorSink* sink);
void crStopBrowser(crBrowser* browser);

// A file in the browser's own folder, which goes with it.
bool crBrowser_NameFile(const crBrowser* browser, const char* name, char outPath[CR_PROCESS_PATH]);

// Opens a file with an address behind '#', and waits until the page says that it is ready.
crStatus crBrowser_Open(crBrowser* browser, const char* path, const char* address);

// Runs a script in the page; outText gets the text that it gives, to be freed with json_decref.
crStatus crBrowser_Evaluate(crBrowser* browser, const char* script, json_t** outText);

// The window as PNG in base64, likewise.
crStatus crBrowser_Photograph(crBrowser* browser, json_t** outText);

#endif
