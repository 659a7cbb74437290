// Changed checkpoints whose checksums are right again, so that what they hold is read. One that is taken goes on: to
// its end, or to a failure with a message.
#include "base/archive.h"
#include "base/sha256.h"
#include "carom/simulate.h"
#include "carom/state.h"
#include "edits.h"
#include "sim/simulation.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define MOST_CALLS 10                         // for the question whether to stop, of some steps each
#define CR_HEAD ((size_t)CR_ARCHIVE_NAME + 4) // of a section, before its length
#define CR_DIGEST ((size_t)CR_SHA256_TEXT - 1)

// Digests of all sections as far as their lengths lead.
static void signSections(crFileImage* image)
{
  size_t at = CR_ARCHIVE_NAME; // behind the mark
  while (at + CR_HEAD + 8 + CR_DIGEST <= image->size) {
    uint64_t length = 0;
    for (int i = 0; i < 8; ++i) {
      length |= (uint64_t)image->bytes[at + CR_HEAD + (size_t)i] << (8 * i);
    }
    size_t rest = image->size - at - CR_HEAD - 8 - CR_DIGEST;
    if (length > rest) {
      return;
    }
    char digest[CR_SHA256_TEXT];
    crSha256 hash;
    crSha256_Init(&hash);
    crSha256_Add(&hash, image->bytes + at, CR_HEAD + 8 + length);
    crSha256_Finish(&hash, digest);
    at += CR_HEAD + 8 + length;
    memcpy(image->bytes + at, digest, CR_DIGEST);
    at += CR_DIGEST;
  }
}

static crFileImage makeGenuine(const crModel* model)
{
  crFileImage image = { 0 };
  crSimulation* simulation = NULL;
  require(crCreateSimulation(model, NULL, NULL, NULL, &simulation) == cr_ok, "a simulation");
  require(crSimulation_Advance(simulation, 0.005) == cr_ok, "it runs");
  crByteWriter writer = { appendBytes, &image };
  require(crSimulation_Save(simulation, "note", 4, writer) == cr_ok, "it is saved");
  crDestroySimulation(simulation);
  return image;
}

// A body at 4 km/s, say, whose contact takes a million steps: it goes on, and that was asked.
static bool stopLate(void* context, double t)
{
  (void)t;
  return ++*(int*)context > MOST_CALLS;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static crModel* model;
  static crFileImage genuine;
  if (model == NULL) {
    model = compileFuzzModel();
    genuine = makeGenuine(model);
  }
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  crFileImage image = editFile(&genuine, data, size);
  if (size % 2 == 0) {
    signSections(&image);
  }
  crSimulation* simulation = NULL;
  crStatus status = crLoadSimulation(model, image.bytes, image.size, NULL, NULL, &sink, &simulation);
  require((status == cr_ok) == (simulation != NULL), "a simulation if and only if ok");
  require((status == cr_ok) == (errorCount == 0), "an error if and only if not ok");
  if (simulation != NULL) {
    int callCount = 0;
    crObserver observer = { .context = &callCount, .shouldStop = stopLate };
    status = crSimulation_AdvanceWatched(simulation, 0.00501, &observer);
    require(status == cr_ok || errorCount > 0 || status == cr_errorMisuse, "a failure has a message");
  }
  crDestroySimulation(simulation);
  free(image.bytes);
  return 0;
}
