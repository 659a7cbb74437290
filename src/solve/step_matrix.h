// The linear equations of implicit steps, ((g I - J) x = b) for one real and one complex g, with everything eliminated
// that can be.
//
// Followers take no part. A state i with y[i]' = y[j] gives x[i] = (b[i] + x[j]) / g, so that only the others, called
// core, are left: (g I - A - B / g) x = b + (columns of such i) b[i] / g, A being the entries of J between core states
// and B those of the columns i, added up where they belong to the same j.
//
// Blocks of states that act on core states alone are eliminated next, see elimination.h: they are unknowns, and lie in
// vectors behind the core and its padding.
//
// Small systems, up to CR_MAX_INVERTED core states, are inverted: at these sizes that is as fast as a factorization,
// and a product has no chain of operations that wait for each other. Larger ones are factorized, see sparse_lu.h.
#ifndef CR_SOLVE_STEP_MATRIX_H
#define CR_SOLVE_STEP_MATRIX_H

#include "base/memory.h"
#include "solve/elimination.h"
#include "solve/inverse.h"
#include "solve/jacobian.h"
#include "solve/problem.h"
#include "solve/sparse_lu.h"

#define CR_ROLE_CORE (-1) // roles of states that are not the integral of another one
#define CR_ROLE_FOLLOWER (-2)
#define CR_ROLE_SPIN (-3)  // part of a quaternion
#define CR_ROLE_BLOCK (-4) // less its number: part of a block that is eliminated

typedef struct crStepMatrix {
  crAllocator allocator;
  int capacity, entryCapacity; // states and entries that there is room for
  int* integers;               // one block for all of them
  double* doubles;             // likewise
  size_t integerCount, doubleCount;

  // the system at work: a copy of what it was made from
  int n, entryCount;
  int *starts, *rows; // (n + 1), (entryCount) pattern
  int* roles;         // (n) rateOf, or one of the roles below
  int* newRoles;      // (n) of the problem being compared

  // what follows from it
  int coreCount, stride;                // stride: coreCount, padded
  int* core;                            // (coreCount) states
  int unknownCount, length;             // core and blocks; places of vectors that hold them, padded
  int *unknowns, *unknownPlaces;        // (unknownCount) states, and their places in vectors
  int* vectorPlaces;                    // (n) the same by state; -1: none
  int* places;                          // (n) place of a state in core, or of what it is the integral of; -1: follower
  int slaveCount;                       // states with y[i]' = y[j]
  int *slaves, *masters;                // (slaveCount) states i; places of j in core
  int followerCount;                    // without quaternions of spins
  int* followers;                       // (followerCount) states
  int* cells;                           // (entryCount) place of an entry in A; -1: none; -2 - place: in B
  int slaveEntryCount;                  // entries of columns of slaves
  int* slaveEntries;                    // (slaveEntryCount) entry, row in core, slave: three each
  bool isSparse;                        // else cells are columns of `stride` places
  int cellCount;                        // of the matrix
  int* diagonals;                       // (coreCount) cells
  int *coreStarts, *coreRows;           // sparse: columns of the matrix
  int *marks, *slaveHeads, *slaveNexts; // (n) while that is made
  crSparseLu* lu;                       // NULL: not needed so far
  bool isAnalyzed;                      // for this pattern
  crElimination elimination;
  int blockCount;

  crArena arena; // of `differences`
  crJacobian differences;
  bool isColored;                 // it has the pattern,
  int *neededStarts, *neededRows; // (n + 1), (entryCount) of what the equations take part of it

  double* values;              // (entryCount) of the Jacobian
  double *direct, *integrated; // (cellCount) A and B
  double* real;                // (cellCount) the matrices,
  double *complexReal, *complexImaginary;
  double* inverses[3];  // of small ones, transposed; may lie in the same places
  double* bodyInverses; // places for those of a body
} crStepMatrix;

void crStepMatrix_Init(crStepMatrix* matrix, const crAllocator* allocator);
void crStepMatrix_Free(crStepMatrix* matrix);
crStatus crStepMatrix_Reserve(crStepMatrix* matrix, int n, int entryCount);

// Takes up the structure of a problem; the same one again costs a comparison. *outIsNew: it is another one.
crStatus crStepMatrix_SetProblem(crStepMatrix* matrix, const crProblem* problem, bool* outIsNew);

// Fills `values` by differences in steps that suit a step of length h [s]; `base` are the rates there.
crStatus crStepMatrix_ComputeDifferences(crStepMatrix* matrix, const crDifferences* differences, double h,
                                         const double* absTol, double relTol);
// Takes up new `values`.
void crStepMatrix_Load(crStepMatrix* matrix);
// For g real, and g = real + i imaginary. keepsPivots: see crSparseLu. cr_retry: singular.
crStatus crStepMatrix_Factorize(crStepMatrix* matrix, double g, double gReal, double gImaginary, bool keepsPivots);
// b and x (length), places without an unknown 0; x may not be b, which is lost. The real system alone, or it and real
// and imaginary parts of the complex one.
void crStepMatrix_SolveReal(crStepMatrix* matrix, double* b, double* outX);
void crStepMatrix_Solve(crStepMatrix* matrix, double* const* b, double* const* outX);
// What there is of a problem, which a reader has set: values of the Jacobian, and factors, with the bits they have.
void crStepMatrix_Archive(crArchive* archive, crStepMatrix* matrix, bool hasFactors);
bool crStepMatrix_IsOf(crStepMatrix* matrix, const crProblem* problem); // it has taken up the structure of the problem

// b += (columns of slaves) slaveB factor
void crStepMatrix_AddSlaves(const crStepMatrix* matrix, const double* slaveB, double factor, double* b);

#endif
