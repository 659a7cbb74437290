// The way of a cable, shared by those who find it and those who pull.
#ifndef CR_MODEL_EVAL_CABLE_H
#define CR_MODEL_EVAL_CABLE_H

#include "model/eval/instance.h"

// A straight part between two guides, and how its length, with the arcs on both sides, changes: by motions v of the
// centres and turns w of the guides' bodies,
//
//   length' = pull . (v_to - v_from) + turnFrom . w_from + turnTo . w_to
typedef struct crCablePart {
  int from, to; // guides of the cable
  double length;
  crVec3 pull;
  crVec3 turnFrom, turnTo;
} crCablePart;

// The way of a cable into the instance's wraps, and its length [m]; stage position. False: there is none, as one end of
// a part is inside a pulley.
bool crFindCablePath(const crInstance* instance, const crModelForce* force, double* outLength);

// The parts of a way that was found, one by one: *ioPart is all zero before the first. False: there are no more.
bool crNextCablePart(const crInstance* instance, const crModelForce* force, crCablePart* ioPart);

#endif
