// Comparing result files by HDF5's own calls: nothing of the reader of Carom is in between.
#include "support/datasets.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 256
#define NAME_SIZE 128

typedef struct Names {
  char texts[MOST_NAMES][NAME_SIZE];
  int count;
} Names;

static herr_t addName(Names* names, const char* prefix, const char* name)
{
  if (names->count == MOST_NAMES ||
      snprintf(names->texts[names->count], NAME_SIZE, "%s%s", prefix, name) >= NAME_SIZE) {
    return -1;
  }
  ++names->count;
  return 0;
}

static herr_t addObject(hid_t object, const char* name, const H5O_info_t* info, void* context)
{
  (void)object;
  (void)info;
  return strcmp(name, ".") == 0 ? 0 : addName(context, "/", name);
}

static herr_t addAttribute(hid_t object, const char* name, const H5A_info_t* info, void* context)
{
  (void)object;
  (void)info;
  return addName(context, "@", name);
}

// Paths of all objects, and attributes of the root as "@name".
static bool listNames(hid_t file, Names* names)
{
  names->count = 0;
  hsize_t start = 0;
  return H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, addObject, names, H5O_INFO_BASIC) >= 0 &&
         H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, &start, addAttribute, names) >= 0;
}

// All bytes of a dataset or attribute, with its type and space. NULL: a group, or it cannot be read.
static void* readBytes(hid_t file, const char* name, hid_t* outType, hid_t* outSpace, size_t* outSize)
{
  bool isAttribute = name[0] == '@';
  hid_t id = isAttribute ? H5Aopen(file, name + 1, H5P_DEFAULT) : H5Dopen2(file, name, H5P_DEFAULT);
  *outType = isAttribute ? H5Aget_type(id) : H5Dget_type(id);
  *outSpace = isAttribute ? H5Aget_space(id) : H5Dget_space(id);
  *outSize = (size_t)H5Sget_simple_extent_npoints(*outSpace) * H5Tget_size(*outType);
  void* bytes = calloc(*outSize + 1, 1);
  herr_t status =
      isAttribute ? H5Aread(id, *outType, bytes) : H5Dread(id, *outType, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
  (void)(isAttribute ? H5Aclose(id) : H5Dclose(id));
  if (status < 0) {
    free(bytes);
    return NULL;
  }
  return bytes;
}

static bool isGroup(hid_t file, const char* name)
{
  H5O_info_t info;
  return name[0] != '@' && H5Oget_info_by_name2(file, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
         info.type == H5O_TYPE_GROUP;
}

// What differs in one dataset, or "".
static void compareOne(hid_t a, hid_t b, const char* name, char* outDifference)
{
  hid_t types[2], spaces[2];
  size_t sizes[2];
  char* bytesA = readBytes(a, name, &types[0], &spaces[0], &sizes[0]);
  char* bytesB = readBytes(b, name, &types[1], &spaces[1], &sizes[1]);
  if (bytesA == NULL || bytesB == NULL) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s cannot be read", name);
  } else if (H5Tequal(types[0], types[1]) <= 0 || H5Sextent_equal(spaces[0], spaces[1]) <= 0) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s has another type or size: %zu and %zu bytes", name, sizes[0],
             sizes[1]);
  } else if (memcmp(bytesA, bytesB, sizes[0]) != 0) {
    size_t at = 0;
    while (bytesA[at] == bytesB[at]) {
      ++at;
    }
    size_t width = H5Tget_size(types[0]);
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s differs in element %zu of %zu, byte %zu", name, at / width,
             sizes[0] / width, at % width);
  }
  free(bytesA);
  free(bytesB);
  for (int i = 0; i < 2; ++i) {
    H5Tclose(types[i]);
    H5Sclose(spaces[i]);
  }
}

static void compareFiles(hid_t a, hid_t b, char* outDifference)
{
  Names* names = calloc(2, sizeof *names);
  if (!listNames(a, &names[0]) || !listNames(b, &names[1])) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "the objects cannot be listed");
  }
  for (int i = 0; i < names[0].count && outDifference[0] == '\0'; ++i) {
    const char* name = names[0].texts[i];
    if (i >= names[1].count || strcmp(name, names[1].texts[i]) != 0) {
      snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s is not in both", name);
    } else if (!isGroup(a, name)) {
      compareOne(a, b, name, outDifference);
    }
  }
  if (outDifference[0] == '\0' && names[0].count != names[1].count) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s is not in both", names[1].texts[names[0].count]);
  }
  free(names);
}

bool crAreDatasetsAlike(const char* pathA, const char* pathB, char outDifference[CR_DIFFERENCE_SIZE])
{
  outDifference[0] = '\0';
  hid_t a = H5Fopen(pathA, H5F_ACC_RDONLY, H5P_DEFAULT), b = H5Fopen(pathB, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (a < 0 || b < 0) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s cannot be opened", a < 0 ? pathA : pathB);
  } else {
    compareFiles(a, b, outDifference);
  }
  if (a >= 0) {
    H5Fclose(a);
  }
  if (b >= 0) {
    H5Fclose(b);
  }
  return outDifference[0] == '\0';
}

// Rows are elements of the first axis, so the first of them are the first bytes.
static void comparePart(hid_t part, hid_t whole, const char* name, char* outDifference)
{
  hid_t types[2], spaces[2];
  size_t sizes[2];
  char* bytes = readBytes(part, name, &types[0], &spaces[0], &sizes[0]);
  char* all = readBytes(whole, name, &types[1], &spaces[1], &sizes[1]);
  if (bytes == NULL || all == NULL) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s cannot be read", name);
  } else if (name[0] != '@' && H5Tequal(types[0], types[1]) <= 0) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s has another type", name);
  } else if (name[0] != '@' && (sizes[0] > sizes[1] || memcmp(bytes, all, sizes[0]) != 0)) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s has %zu bytes that are no beginning of %zu", name, sizes[0],
             sizes[1]);
  }
  free(bytes);
  free(all);
  for (int i = 0; i < 2; ++i) {
    H5Tclose(types[i]);
    H5Sclose(spaces[i]);
  }
}

static bool hasName(const Names* names, const char* name)
{
  for (int i = 0; i < names->count; ++i) {
    if (strcmp(names->texts[i], name) == 0) {
      return true;
    }
  }
  return false;
}

static void compareParts(hid_t part, hid_t whole, char* outDifference)
{
  Names* names = calloc(2, sizeof *names);
  if (!listNames(part, &names[0]) || !listNames(whole, &names[1])) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "the objects cannot be listed");
  }
  for (int i = 0; i < names[0].count && outDifference[0] == '\0'; ++i) {
    const char* name = names[0].texts[i];
    if (!hasName(&names[1], name)) {
      snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s is not in the whole", name);
    } else if (!isGroup(part, name)) {
      comparePart(part, whole, name, outDifference);
    }
  }
  for (int i = 0; i < names[1].count && outDifference[0] == '\0'; ++i) {
    const char* name = names[1].texts[i];
    if (strcmp(name, "/run") != 0 && !hasName(&names[0], name)) { // how it ended is told at the end
      snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s is missing", name);
    }
  }
  free(names);
}

bool crAreFirstRows(const char* path, const char* wholePath, char outDifference[CR_DIFFERENCE_SIZE])
{
  outDifference[0] = '\0';
  hid_t part = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), whole = H5Fopen(wholePath, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (part < 0 || whole < 0) {
    snprintf(outDifference, CR_DIFFERENCE_SIZE, "%s cannot be opened", part < 0 ? path : wholePath);
  } else {
    compareParts(part, whole, outDifference);
  }
  if (part >= 0) {
    H5Fclose(part);
  }
  if (whole >= 0) {
    H5Fclose(whole);
  }
  return outDifference[0] == '\0';
}

void crAssertSameDatasets(const char* pathA, const char* pathB)
{
  char difference[CR_DIFFERENCE_SIZE];
  if (!crAreDatasetsAlike(pathA, pathB, difference)) {
    fail_msg("%s and %s: %s", pathA, pathB, difference);
  }
}
