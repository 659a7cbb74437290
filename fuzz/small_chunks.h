// A genuine HDF5 file with all that it holds in chunks of a few rows: those of a run are hundreds of kilobytes, nearly
// all of them zeros, so that most changes would hit nothing, and every input would take milliseconds.
#ifndef CR_FUZZ_SMALL_CHUNKS_H
#define CR_FUZZ_SMALL_CHUNKS_H

#include "edits.h"

#include <hdf5.h>

#define CR_FEW_ROWS 4 // of a chunk

static inline hid_t keepId(hid_t id)
{
  require(id >= 0, "an id of HDF5");
  return id;
}

// The properties of a dataset, but for the rows of its chunks; the number of bytes of a chunk, 0 without.
static inline hid_t makeSmall(hid_t from, hid_t type, size_t* outBytes)
{
  hsize_t sizes[2] = { 1, 1 };
  hid_t properties = keepId(H5Dget_create_plist(from));
  *outBytes = 0;
  if (H5Pget_layout(properties) == H5D_CHUNKED) {
    int rank = H5Pget_chunk(properties, 2, sizes);
    sizes[0] = CR_FEW_ROWS;
    require(H5Pset_chunk(properties, rank, sizes) >= 0, "small chunks");
    *outBytes = (size_t)(sizes[0] * sizes[1]) * H5Tget_size(type);
  }
  return properties;
}

// As a run leaves them: packed chunks, and one stored as it is.
static inline herr_t copyDataset(hid_t group, const char* name, const H5L_info_t* info, void* context)
{
  (void)info;
  hid_t from = keepId(H5Dopen2(group, name, H5P_DEFAULT));
  hid_t type = keepId(H5Dget_type(from)), space = keepId(H5Dget_space(from));
  size_t chunkBytes, bytes = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
  hid_t properties = makeSmall(from, type, &chunkBytes);
  hid_t to = keepId(H5Dcreate2(*(hid_t*)context, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
  uint8_t* elements = calloc(bytes + chunkBytes + 1, 1);
  require(elements != NULL, "memory");
  if (bytes > 0) {
    require(H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements) >= 0, "elements are read");
    require(H5Dwrite(to, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements) >= 0, "elements are written");
  }
  uint32_t filters = (1u << H5Pget_nfilters(properties)) - 1u;
  if (bytes > 0 && chunkBytes > 0 && filters != 0) {
    hsize_t first[2] = { 0, 0 };
    require(H5Dwrite_chunk(to, H5P_DEFAULT, filters, first, chunkBytes, elements) >= 0, "a plain chunk");
  }
  free(elements);
  H5Dclose(to);
  H5Pclose(properties);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(from);
  return 0;
}

static inline herr_t copyAttribute(hid_t object, const char* name, const H5A_info_t* info, void* context)
{
  (void)info;
  uint8_t value[4096] = { 0 };
  hid_t from = keepId(H5Aopen(object, name, H5P_DEFAULT));
  hid_t type = keepId(H5Aget_type(from)), space = keepId(H5Aget_space(from));
  require(H5Tget_size(type) <= sizeof value, "a short attribute");
  hid_t to = keepId(H5Acreate2(*(hid_t*)context, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  require(H5Aread(from, type, value) >= 0 && H5Awrite(to, type, value) >= 0, "an attribute is copied");
  H5Aclose(to);
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(from);
  return 0;
}

// The file at the path, as it is with small chunks; what is at the path stays. HDF5 keeps its blocks from now on: it
// would ask for, and clear, half a megabyte for each file that it opens.
static inline crFileImage shrinkChunks(const char* path)
{
  char small[160];
  crFileImage image = { 0 };
  snprintf(small, sizeof small, "%s.small", path);
  hid_t from = keepId(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)), creation = keepId(H5Fget_create_plist(from));
  hid_t access = keepId(H5Pcreate(H5P_FILE_ACCESS));
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0, "the layout of our files");
  hid_t to = keepId(H5Fcreate(small, H5F_ACC_TRUNC, creation, access));
  require(H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, NULL, copyAttribute, &to) >= 0, "attributes are copied");
  require(H5Literate(from, H5_INDEX_NAME, H5_ITER_INC, NULL, copyDataset, &to) >= 0, "datasets are copied");
  H5Pclose(access);
  H5Pclose(creation);
  require(H5Fclose(to) >= 0 && H5Fclose(from) >= 0, "files are closed");
  readImage(small, &image);
  unlink(small);
  require(H5set_free_list_limits(-1, -1, 1 << 20, 1 << 16, 1 << 20, 1 << 16) >= 0, "blocks are kept");
  return image;
}

#endif
