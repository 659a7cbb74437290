// Distances of one pair of shapes at many poses.
#include "carom/collide.h"

crStatus crComputeDistances(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, int count,
                            crDistance* outDistances, int* outDone)
{
  if (count < 0 || (count > 0 && (X_WA == NULL || X_WB == NULL || outDistances == NULL))) {
    return cr_errorMisuse;
  }
  crStatus status = cr_ok;
  int row = 0;
  while (row < count && status == cr_ok) {
    status = crComputeDistance(a, &X_WA[row], b, &X_WB[row], NULL, &outDistances[row]);
    row += status == cr_ok;
  }
  if (outDone != NULL) {
    *outDone = row;
  }
  return status;
}
