// The fingerprint of a model.
#include "base/sha256.h"
#include "carom/state.h"
#include "model/model.h"

void crModel_GetFingerprint(const crModel* model, char outText[CR_FINGERPRINT_SIZE])
{
  crSha256 hash;
  crSha256_Init(&hash);
  crSha256_Add(&hash, &model->size.objectCount, sizeof model->size.objectCount);
  crSha256_Finish(&hash, outText);
}
