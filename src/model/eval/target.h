// What inverse kinematics brings to zero: errors of targets, gaps of loops and couplings, as rows with their slopes.
#ifndef CR_MODEL_EVAL_TARGET_H
#define CR_MODEL_EVAL_TARGET_H

#include "model/eval/instance.h"

// Rows of all targets, then those of all joints of the set that close loops, then those of couplings. A row is e, and
// its slope J so that e goes to e - J d when coordinates are displaced by d.
typedef struct crTargetRows {
  crInstance* instance;
  crTreeSet set;
  double t;
  const crReachTarget* targets;
  int targetCount;
  double length; // [m] by which errors of position are divided
  int rowCount, dofCount;
  double* errors;                // (rowCount)
  double* slopes;                // (rowCount x dofCount) row by row
  double *jacobianA, *jacobianB; // (6 x dofCount) by columns
} crTargetRows;

// A joint of the set that closes a loop and has a prescribed motion, for which there are no rows here; -1: none.
int crFindDrivenCut(const crModel* model, crTreeSet set);

int crCountTargetRows(const crModel* model, crTreeSet set, const crReachTarget* targets, int targetCount);

// Errors at y, and slopes if asked for. cr_retry: not finite.
crStatus crEvalTargetRows(crTargetRows* rows, const double* y, bool hasSlopes);

// What is left, in metres and radians; errors must be those of the last evaluation.
void crMeasureTargets(const crTargetRows* rows, crReachFacts* outFacts);

#endif
