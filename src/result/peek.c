// One row of a result file, without reading the others.
#include "result/peek.h"

#include "result/result_reader.h"

static bool readRow(crResultReader* reader, int row, int columnCount, double* outValues)
{
  crHdf5* hdf5 = &reader->hdf5;
  hsize_t sizes[2] = { 0, 0 }, start[2] = { (hsize_t)row, 0 }, block[2] = { 1, (hsize_t)columnCount };
  hid_t dataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, CR_DATASET_VARIABLES, H5P_DEFAULT));
  hid_t space = crHdf5_Keep(hdf5, hdf5->hasFailed ? H5I_INVALID_HID : H5Dget_space(dataset));
  if (hdf5->hasFailed || H5Sget_simple_extent_ndims(space) != 2 || H5Sget_simple_extent_dims(space, sizes, NULL) < 0 ||
      sizes[0] <= start[0] || sizes[1] != block[1]) {
    return false;
  }
  hid_t memory = crHdf5_Keep(hdf5, H5Screate_simple(2, block, NULL));
  crHdf5_Try(hdf5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, block, NULL));
  if (!hdf5->hasFailed) {
    crHdf5_Read(hdf5, &reader->result->allocator, dataset, H5T_NATIVE_DOUBLE, memory, space, outValues);
  }
  return !hdf5->hasFailed;
}

bool crPeekRow(const char* path, const crAllocator* allocator, int row, int columnCount, double* outValues)
{
  crResult* result =
      row >= 0 && columnCount > 0 && crCheckResultFile(path, NULL) == cr_ok ? crCreateResultInMemory(allocator) : NULL;
  if (result == NULL) {
    return false;
  }
  crResultReader reader = { .result = result, .reporter = crMakeReporter(NULL, (crSource){ path, 0, 0 }, NULL) };
  crBeginHdf5(&reader.hdf5);
  bool isRead = crResultReader_Open(&reader, path) == cr_ok && readRow(&reader, row, columnCount, outValues);
  crResultReader_Close(&reader);
  crEndHdf5(&reader.hdf5);
  crDestroyResult(result);
  return isRead;
}
