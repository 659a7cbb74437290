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
                            .slipPath = NAN,
                            .creep = { NAN, NAN, NAN, NAN },
                            .force = unknown,
                            .torque = unknown,
                            .normalForce = NAN,
                            .elastic = NAN,
                            .power = NAN,
                            .coneShare = NAN,
                            .area = NAN,
                            .meanPressure = NAN,
                            .maxPressure = NAN };
}

const char* crContactMode_GetText(crContactMode mode)
{
  static const char* const texts[] = { "none", "sticking", "sliding", "rolling" };
  return (unsigned)mode <= cr_modeRolling ? texts[mode] : "unknown";
}

#define CR_TOLD_DEPTHS 10.0 // [-] of its depth, beyond which a contact has crept away from where it was
#define CR_TOLD_TIME 0.5    // [s] of creep; what comes to rest is slower than vMin for less
#define CR_TOLD_SHARE 0.02  // [-] of the limit; what rests on a level floor has none

bool crCreep_IsWorthTelling(const crCreep* creep)
{
  return creep != NULL && creep->path > CR_TOLD_DEPTHS * creep->depth && creep->time > CR_TOLD_TIME &&
         creep->share > CR_TOLD_SHARE;
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
