// Equilibria of joints that are coupled: of the coordinates of a coupling one follows from the others.
//
// With the couplings' rows solved for one degree of freedom p each, d_p = -sum of c_j d_j, forces and masses along
// motions that they allow are
//
//   f_j - c_j f_p,     N^T M N with d = N z
//
// Couplings are linear in coordinates, so that they hold exactly, and there is no curvature.
#ifndef CR_MODEL_EVAL_EQUILIBRIUM_COUPLING_H
#define CR_MODEL_EVAL_EQUILIBRIUM_COUPLING_H

#include "model/eval/instance.h"

typedef struct crReduction {
  int n;        // degrees of freedom of the set
  int rowCount; // couplings of the set that do not give way
  int capacity; // of rows
  int* states;  // (n) coordinate of a joint of one degree of freedom, in the states of the set
  int* pivots;  // (rowCount) what follows
  double* rows; // (rowCount x (n + 1)) c, 1 at its own pivot and 0 at those of others; then what the sum is
} crReduction;

// Whether a set has joints that close loops; then there is no reduction.
bool crHasCutJoints(const crInstance* instance, crTreeSet set);

// isHeld (n): what should not be chosen to follow, where there is something else. Changes y: what follows does so
// exactly.
crStatus crCreateReduction(crInstance* instance, crTreeSet set, double t, const double* isHeld, double* y,
                           crReduction* outReduction);
void crDestroyReduction(crInstance* instance, crReduction* reduction);

void crReduction_Spread(const crReduction* reduction, double* d);       // fills in what follows
void crReduction_ReduceForces(const crReduction* reduction, double* f); // leaves 0 for what follows
void crReduction_ReduceMasses(const crReduction* reduction, double* M); // (n x n), leaves 1 for what follows

#endif
