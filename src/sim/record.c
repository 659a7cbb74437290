// Records of contacts.
#include "carom/record.h"

#include "carom/scene.h"

#include <math.h>

crContactRecord crDefaultContactRecord(crContactPhase phase, double time)
{
  const crVec3 unknown = { NAN, NAN, NAN };
  return (crContactRecord){ .key = { -1, -1, -1, -1, -1 },
                            .objectA = -1,
                            .objectB = -1,
                            .phase = phase,
                            .response = -1,
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
                            .power = NAN };
}

bool crContactRecord_HasPushed(const crContactRecord* record)
{
  bool isKnown = !isnan(record->maxForce) && !isnan(record->impulse);
  return !isKnown || record->response == cr_responseObserver || record->maxForce > 0.0 || record->impulse != 0.0;
}
