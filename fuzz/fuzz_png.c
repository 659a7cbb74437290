// Any bytes as a PNG file.
#include "mesh/png.h"
#include "mesh_check.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  crGreyPicture picture;
  crStatus status = crReadPng(data, size, "fuzz.png", NULL, &sink, &picture);
  require((status == cr_ok) == (picture.values != NULL), "a picture if and only if ok");
  require((status == cr_ok) == (errorCount == 0), "an error if and only if not ok");
  for (int i = 0; i < picture.rowCount * picture.columnCount && picture.values != NULL; ++i) {
    require(picture.values[i] >= 0.0 && picture.values[i] <= 1.0, "grey is from black to white");
  }
  crGreyPicture_Free(&picture, NULL);
  return 0;
}
