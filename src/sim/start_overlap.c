// Shapes that are deep in each other before anything moves: most likely a mistake in the model.
#include "base/memory.h"
#include "base/report.h"
#include "carom/collide.h"
#include "carom/simulate.h"

#include <stdio.h>

#define CR_SUSPICIOUS_SHARE 1e-3 // [-] depth over the smaller shape's smallest dimension; resting bodies sink far less
#define CR_MOST_REPORTED 100     // overlaps told one by one

static crPose startPose(const crModel* model, const crContactShape* shape)
{
  return crMulPose(crModel_GetBody(model, shape->body)->X_WB_start, shape->X_BS);
}

static bool canMeet(const void* context, int a, int b)
{
  return crModel_CanMeet(context, a, b);
}

static void reportOverlap(const crModel* model, const crContactShape* a, const crContactShape* b, double depth,
                          const crErrorSink* sink)
{
  char message[256], found[64];
  const char* pathB = crModel_GetObjectPath(model, b->object);
  snprintf(message, sizeof message, "overlaps with '%.180s' at the start", pathB);
  snprintf(found, sizeof found, "%.4g", depth);
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, crModel_GetObjectPath(model, a->object));
  crComplaint complaint = { .message = message,
                            .found = found,
                            .allowed = "less than 0.1 % of the smaller one",
                            .unit = "m",
                            .hint = "move one of them, or let them not collide: exclude(a, b)" };
  crReport(&reporter, cr_severityWarning, cr_ok, &complaint);
}

// 1 when the pair overlaps by more than bodies at rest do, and was reported unless there are too many already.
static int checkPair(const crModel* model, crBoxPair pair, int countBefore, const crErrorSink* sink)
{
  const crContactShape* a = crModel_GetContactShape(model, pair.a);
  const crContactShape* b = crModel_GetContactShape(model, pair.b);
  crPose X_WA = startPose(model, a), X_WB = startPose(model, b);
  const crShape *shapeA = crModel_GetShape(model, pair.a), *shapeB = crModel_GetShape(model, pair.b);
  crDistance distance;
  if (crComputeDistance(shapeA, &X_WA, shapeB, &X_WB, NULL, &distance) != cr_ok) {
    return 0;
  }
  double size = fmin(crShape_GetSmallestDimension(shapeA), crShape_GetSmallestDimension(shapeB));
  if (!(-distance.distance > CR_SUSPICIOUS_SHARE * size)) {
    return 0;
  }
  if (countBefore < CR_MOST_REPORTED) {
    reportOverlap(model, a, b, -distance.distance, sink);
  }
  return 1;
}

static crStatus checkPairs(const crModel* model, crBroadPhase* broadPhase, int shapeCount, const crErrorSink* sink,
                           int* outCount)
{
  for (int i = 0; i < shapeCount; ++i) {
    const crContactShape* shape = crModel_GetContactShape(model, i);
    crAabb box = crShape_ComputeAabb(crModel_GetShape(model, i), startPose(model, shape));
    crStatus status = crBroadPhase_SetBox(broadPhase, i, box);
    if (status != cr_ok) {
      return status;
    }
  }
  const crBoxPair* pairs;
  int pairCount;
  crStatus status = crBroadPhase_FindPairs(broadPhase, &pairs, &pairCount);
  for (int i = 0; status == cr_ok && i < pairCount; ++i) {
    *outCount += checkPair(model, pairs[i], *outCount, sink);
  }
  return status;
}

crStatus crCheckStart(const crModel* model, const crAllocator* allocator, const crErrorSink* sink, int* outCount)
{
  if (model == NULL || outCount == NULL) {
    return cr_errorMisuse;
  }
  *outCount = 0;
  crAllocator chosen = crChooseAllocator(allocator);
  int shapeCount = crModel_GetSize(model).shapeCount;
  if (shapeCount == 0) {
    return cr_ok;
  }
  int* owners = crAllocateZero(&chosen, (size_t)shapeCount, sizeof *owners);
  if (owners == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < shapeCount; ++i) {
    owners[i] = crModel_GetContactShape(model, i)->body;
  }
  crBroadPhase* broadPhase = NULL;
  crPairFilter filter = { canMeet, model };
  crStatus status = crCreateBroadPhase(shapeCount, owners, filter, 0.0, &chosen, &broadPhase);
  if (status == cr_ok) {
    status = checkPairs(model, broadPhase, shapeCount, sink, outCount);
  }
  crDestroyBroadPhase(broadPhase);
  crFree(&chosen, owners, (size_t)shapeCount * sizeof *owners);
  return status;
}
