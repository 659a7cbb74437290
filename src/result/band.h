// Datasets that grow by rows: a band of rows in memory, whole chunks in the file.
//
// HDF5 compresses and moves a chunk each time it is flushed; a kill in between would tear it. So chunks are made here
// and handed over as they shall lie in the file. A band is what the chunks side by side hold. As long as it is not
// full, its chunks are stored as they are and overwritten in place, where only rows change that no reader counts yet. A
// full band is compressed and goes to a new place; the old one is recycled.
#ifndef CR_RESULT_BAND_H
#define CR_RESULT_BAND_H

#include "result/commit_file.h"
#include "result/layout.h"

#include <zlib.h>

typedef struct crBand {
  crAllocator allocator;
  hid_t dataset; // the caller's; invalid: a band without columns that only counts its rows
  crChunking chunking;
  int columnCount;         // words of a row
  int firstRow;            // of the band in the dataset
  int rowCount;            // in the band, <= chunking.rows
  bool isStored;           // some of its rows are in the file
  unsigned char* rows;     // (chunking.rows x columnCount x chunking.wordSize bytes)
  unsigned char* plain;    // (chunkBytes) a chunk as it is
  unsigned char* shuffled; // (chunkBytes)
  unsigned char* packed;   // (packedBytes)
  size_t chunkBytes, packedBytes;
  z_stream stream; // once hasStream
  bool hasStream;
} crBand;

// false: out of memory; crBand_Free is due all the same.
bool crBand_Init(crBand* band, int columnCount, crChunking chunking, const crAllocator* allocator);
void crBand_Free(crBand* band);

void crBand_AddRow(crBand* band, const void* words); // to a band that is not full
bool crBand_IsFull(const crBand* band);
int crBand_CountRows(const crBand* band); // all rows so far, of this band and those before

// Stores the rows. After a full band the next one begins. isLast: no rows will follow.
void crBand_Store(crBand* band, bool isLast, crHdf5* hdf5, crCommitFile* file);

#endif
