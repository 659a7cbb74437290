// Records of contacts, and words for how a run ends.
#include "carom/record.h"

#include <math.h>

crResultDef crDefaultResultDef(const char* path)
{
  return (crResultDef){ .size = sizeof(crResultDef), .path = path };
}

crContactRecord crDefaultContactRecord(crContactPhase phase, double time)
{
  const crVec3 unknown = { NAN, NAN, NAN };
  return (crContactRecord){ .key = { -1, -1, -1, -1 },
                            .objectA = -1,
                            .objectB = -1,
                            .phase = phase,
                            .observer = -1,
                            .row = -1,
                            .time = time,
                            .begin = NAN,
                            .end = NAN,
                            .point = unknown,
                            .normal = unknown,
                            .depth = NAN,
                            .depthRate = NAN,
                            .slip = NAN,
                            .approach = NAN,
                            .separation = NAN,
                            .restitution = NAN,
                            .cor = NAN,
                            .damping = NAN,
                            .radius = NAN,
                            .maxDepth = NAN,
                            .maxForce = NAN,
                            .impulse = NAN,
                            .dissipation = NAN,
                            .force = unknown,
                            .torque = unknown,
                            .normalForce = NAN,
                            .elastic = NAN,
                            .power = NAN,
                            .area = NAN,
                            .meanPressure = NAN,
                            .maxPressure = NAN };
}

const char* crRunEnd_GetText(crRunEnd end)
{
  static const char* const texts[] = { "ok", "interrupted", "failed" };
  return (unsigned)end <= cr_runFailed ? texts[end] : "unknown";
}

bool crContactRecord_HasPushed(const crContactRecord* record)
{
  if (record == NULL) {
    return false;
  }
  bool isKnown = !isnan(record->maxForce) && !isnan(record->impulse);
  return !isKnown || record->observer > 0 || record->maxForce > 0.0 || record->impulse != 0.0;
}
