// Contacts as they lie in a file, and as records.
#include "result/layout.h"

#include <math.h>
#include <string.h>

// What a contact has done is known when it is over, or when the run is.
crStoredContact crPackContact(const crContactRecord* record)
{
  bool isBegin = record->phase == cr_contactBegin;
  return (crStoredContact){ .time = record->time,
                            .change = record->phase,
                            .objectA = record->objectA,
                            .objectB = record->objectB,
                            .shapeA = record->key.shapeA,
                            .shapeB = record->key.shapeB,
                            .bodyA = record->key.bodyA,
                            .bodyB = record->key.bodyB,
                            .observer = record->observer,
                            .point = record->point,
                            .normal = record->normal,
                            .speed = isBegin ? record->approach : record->separation,
                            .slip = record->slip,
                            .cor = record->cor,
                            .damping = record->damping,
                            .radius = record->radius,
                            .maxDepth = isBegin ? NAN : record->maxDepth,
                            .maxForce = isBegin ? NAN : record->maxForce,
                            .impulse = isBegin ? NAN : record->impulse,
                            .dissipation = isBegin ? NAN : record->dissipation,
                            .slipPath = isBegin ? NAN : record->slipPath,
                            .creepPath = isBegin ? NAN : record->creep.path,
                            .creepTime = isBegin ? NAN : record->creep.time,
                            .creepShare = isBegin ? NAN : record->creep.share,
                            .creepDepth = isBegin ? NAN : record->creep.depth };
}

crContactRecord crUnpackContact(const void* stored, int format)
{
  crReadContact read;
  memcpy(&read, stored, sizeof read);
  crStoredContact contact = read.contact;
  if (format < 2) {
    contact.bodyA = contact.bodyB = contact.observer = -1;
  }
  bool isBegin = contact.change == cr_contactBegin;
  crContactRecord record = crDefaultContactRecord(cr_contactBegin, contact.time);
  record.phase = contact.change;
  record.key = (crContactKey){ contact.bodyA, contact.bodyB, contact.shapeA, contact.shapeB };
  record.row = format < 3 ? read.feature : -1;
  record.objectA = contact.objectA;
  record.objectB = contact.objectB;
  record.observer = contact.observer;
  record.begin = isBegin ? contact.time : NAN;
  record.end = contact.change == cr_contactEnd ? contact.time : NAN;
  record.point = contact.point;
  record.normal = contact.normal;
  record.approach = isBegin ? contact.speed : NAN;
  record.separation = isBegin ? NAN : contact.speed;
  record.slip = contact.slip;
  record.cor = contact.cor;
  record.damping = contact.damping;
  record.radius = contact.radius;
  record.maxDepth = contact.maxDepth;
  record.maxForce = contact.maxForce;
  record.impulse = contact.impulse;
  record.dissipation = contact.dissipation;
  if (format >= 4) {
    record.slipPath = contact.slipPath;
    record.creep = (crCreep){ contact.creepPath, contact.creepTime, contact.creepShare, contact.creepDepth };
  }
  return record;
}

crStoredSample crPackSample(const crContactRecord* record, int row)
{
  return (crStoredSample){ .row = row,
                           .objectA = record->objectA,
                           .objectB = record->objectB,
                           .shapeA = record->key.shapeA,
                           .shapeB = record->key.shapeB,
                           .bodyA = record->key.bodyA,
                           .bodyB = record->key.bodyB,
                           .corners = record->cornerCount,
                           .point = record->point,
                           .normal = record->normal,
                           .force = record->force,
                           .torque = record->torque,
                           .depth = record->depth,
                           .depthRate = record->depthRate,
                           .slip = record->slip,
                           .dissipation = record->dissipation,
                           .area = record->area,
                           .meanPressure = record->meanPressure,
                           .maxPressure = record->maxPressure,
                           .coneShare = record->coneShare,
                           .slipPath = record->slipPath,
                           .mode = record->mode };
}

crContactRecord crUnpackSample(const void* stored, int format)
{
  crStoredSample sample;
  memcpy(&sample, stored, sizeof sample);
  if (format < 2) {
    sample.bodyA = sample.bodyB = -1;
  }
  crContactRecord record = crDefaultContactRecord(cr_contactNow, NAN);
  record.key = (crContactKey){ sample.bodyA, sample.bodyB, sample.shapeA, sample.shapeB };
  record.row = sample.row;
  record.objectA = sample.objectA;
  record.objectB = sample.objectB;
  record.point = sample.point;
  record.normal = sample.normal;
  record.force = sample.force;
  record.torque = sample.torque;
  record.depth = sample.depth;
  record.depthRate = sample.depthRate;
  record.slip = sample.slip;
  record.dissipation = sample.dissipation;
  if (format >= 3) {
    record.area = sample.area;
    record.meanPressure = sample.meanPressure;
    record.maxPressure = sample.maxPressure;
    record.cornerCount = sample.corners;
  }
  if (format >= 4) {
    record.coneShare = sample.coneShare;
    record.slipPath = sample.slipPath;
    record.mode = sample.mode >= cr_modeNone && sample.mode <= cr_modeRolling ? sample.mode : cr_modeNone;
  }
  return record;
}
