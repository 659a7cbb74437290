// Records of contacts of which nothing is known yet, and words for how a run ends.
#include "carom/record.h"

#include <math.h>

static const crVec3 unknownVec3 = { NAN, NAN, NAN };

crContactRecord crDefaultContactRecord(crContactChange change, double time)
{
  crContactRecord record = { .time = time,
                             .change = change,
                             .point = unknownVec3,
                             .normal = unknownVec3,
                             .speed = NAN,
                             .slip = NAN,
                             .cor = NAN,
                             .damping = NAN,
                             .radius = NAN,
                             .maxDepth = NAN,
                             .maxForce = NAN,
                             .impulse = NAN,
                             .dissipation = NAN };
  return record;
}

const char* crRunEndText(crRunEnd end)
{
  static const char* const texts[] = { "ok", "interrupted", "failed" };
  return (unsigned)end <= cr_runFailed ? texts[end] : "unknown";
}

crContactSample crDefaultContactSample(void)
{
  crContactSample sample = { .point = unknownVec3,
                             .normal = unknownVec3,
                             .force = unknownVec3,
                             .torque = unknownVec3,
                             .depth = NAN,
                             .depthRate = NAN,
                             .slip = NAN,
                             .dissipation = NAN };
  return sample;
}
