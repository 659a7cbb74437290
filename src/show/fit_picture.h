// Pictures of a fit.
#ifndef CR_SHOW_FIT_PICTURE_H
#define CR_SHOW_FIT_PICTURE_H

#include "carom/report.h"

// experiment-1.svg and so on in a folder. A build that cannot draw warns, and outAreThere is false.
crStatus crWriteFitPictures(const crFitDef* def, const crFit* fit, const char* folder, const crAllocator* allocator,
                            const crErrorSink* sink, bool* outAreThere);

#endif
