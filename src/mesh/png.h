// Grey pictures: PNG files of 8 or 16 bits, as heights.
#ifndef CR_MESH_PNG_H
#define CR_MESH_PNG_H

#include "base/report.h"
#include "carom/geometry.h"

#define CR_MOST_PIXELS 4096 // along an edge

typedef struct crGreyPicture {
  int rowCount, columnCount;
  double* values; // [-] (rowCount x columnCount) 0 black ... 1 white; the lowest row first
} crGreyPicture;

// `name` stands for the file in messages. Refuses colours, palettes, interlacing and other depths.
crStatus crReadPng(const void* bytes, size_t size, const char* name, const crAllocator* allocator,
                   const crErrorSink* sink, crGreyPicture* outPicture);
void crGreyPicture_Free(crGreyPicture* picture, const crAllocator* allocator);

#endif
