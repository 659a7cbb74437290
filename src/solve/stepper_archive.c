// Steppers, segments and memories as fields of an archive.
#include "solve/stepper_inside.h"

#include <math.h>

crArchive_Covers(crSegment, 72);
crArchive_Covers(crStepMemory, 72);
crArchive_Covers(crStepCounts, 80);
crArchive_Covers(crKept, 24);
crArchive_Covers(crStepper, 1440);

// Only what its kind uses of the polynomial.
void crSegment_Archive(crArchive* archive, crSegment* segment)
{
  crArchive_Enum(archive, &segment->kind, cr_stepKindCount);
  crArchive_Double(archive, &segment->t0);
  crArchive_Double(archive, &segment->t1);
  crArchive_Bool(archive, &segment->isDense);
  crArchive_Bool(archive, &segment->isLazy);
  crArchive_Bool(archive, &segment->isBrief);
  if (archive->isReading && !(isfinite(segment->t0) && isfinite(segment->t1) && segment->t0 <= segment->t1)) {
    crArchive_Refuse(archive, "a step ends before it starts");
  }
  size_t n = (size_t)segment->n;
  crArchive_Doubles(archive, segment->y0, n);
  crArchive_Doubles(archive, segment->y1, n);
  crArchive_Doubles(archive, segment->f0, n);
  crArchive_Doubles(archive, segment->f1, n);
  crArchive_Doubles(archive, segment->dense, crSegment_CountUsed(segment) - 4 * n);
  segment->isFlat = segment->isFlat && !archive->isReading;
}

void crStepMemory_Archive(crArchive* archive, crStepMemory* memory)
{
  crArchive_Enum(archive, &memory->kind, cr_stepKindCount);
  crArchive_Int(archive, &memory->lowSteps, 0, INT32_MAX);
  crArchive_Double(archive, &memory->h);
  crArchive_Double(archive, &memory->lowStep);
  crArchive_Double(archive, &memory->lastError);
  crArchive_Double(archive, &memory->lastStep);
  crArchive_Double(archive, &memory->radius);
  crArchive_Int(archive, &memory->stages, 0, INT32_MAX);
  crArchive_Bool(archive, &memory->hasDirection);
  crArchive_Int(archive, &memory->stiffHits, 0, INT32_MAX);
  crArchive_Int(archive, &memory->calmSteps, 0, INT32_MAX);
  crArchive_Bool(archive, &memory->isLazy);
  crArchive_Bool(archive, &memory->isBrief);
  crArchive_Bool(archive, &memory->isAlone);
  crArchive_Bool(archive, &memory->isChanged);
  crArchive_Bool(archive, &memory->isDear);
}

void crStepCounts_Archive(crArchive* archive, crStepCounts* counts)
{
  crArchive_Int64(archive, &counts->steps, 0);
  crArchive_Int64(archive, &counts->rejectedSteps, 0);
  crArchive_Int64(archive, &counts->evaluations, 0);
  crArchive_Int64(archive, &counts->jacobians, 0);
  crArchive_Int64(archive, &counts->factorizations, 0);
  crArchive_Int64(archive, &counts->redos, 0);
  for (int i = 0; i < cr_stepKindCount; ++i) {
    crArchive_Int64(archive, &counts->stepsOf[i], 0);
  }
}

void crStepCounts_Add(crStepCounts* sum, crStepCounts counts)
{
  sum->steps += counts.steps;
  sum->rejectedSteps += counts.rejectedSteps;
  sum->evaluations += counts.evaluations;
  sum->jacobians += counts.jacobians;
  sum->factorizations += counts.factorizations;
  sum->redos += counts.redos;
  for (int i = 0; i < cr_stepKindCount; ++i) {
    sum->stepsOf[i] += counts.stepsOf[i];
  }
}

static void archiveKept(crArchive* archive, crKept* kept)
{
  crArchive_Bool(archive, &kept->hasJacobian);
  crArchive_Bool(archive, &kept->isFresh);
  crArchive_Bool(archive, &kept->hasFactors);
  crArchive_Bool(archive, &kept->hasPivots);
  crArchive_Double(archive, &kept->factoredStep);
  crArchive_Double(archive, &kept->rate);
}

// Jacobian and factors, if they are of this problem: else they are made anew in any case.
static void archiveMatrix(crArchive* archive, crStepper* stepper, const crProblem* problem)
{
  crStepMatrix* matrix = &stepper->matrix;
  crKept kept = stepper->kept;
  bool isThere = !archive->isReading && (kept.hasJacobian || kept.hasFactors || kept.hasPivots) &&
                 crStepMatrix_IsOf(matrix, problem);
  crArchive_Bool(archive, &isThere);
  if (!isThere) {
    return;
  }
  archiveKept(archive, &kept);
  if (archive->isReading) {
    bool isNew;
    crArchive_Fail(archive, crStepMatrix_SetProblem(matrix, problem, &isNew));
  }
  if (crArchive_IsGood(archive)) {
    crStepMatrix_Archive(archive, matrix, kept.hasFactors);
  }
  if (archive->isReading && crArchive_IsGood(archive)) {
    if (matrix->isSparse && kept.hasFactors && !matrix->isAnalyzed) {
      crArchive_Refuse(archive, "factors are missing");
    }
    stepper->kept = kept;
  }
}

void crStepper_Archive(crArchive* archive, crStepper* stepper, const crProblem* problem, bool hasDirection)
{
  bool isPlaced = stepper->n == problem->n;
  crArchive_Bool(archive, &isPlaced);
  crArchive_Bool(archive, &stepper->wasImplicit);
  crArchive_Double(archive, &stepper->triedStep);
  if (archive->isReading && isPlaced) {
    crArchive_Fail(archive, crStepper_Place(stepper, problem->n));
  }
  if (isPlaced && hasDirection && crArchive_IsGood(archive)) {
    crArchive_Doubles(archive, crRkc2_GetDirection(stepper, problem->structure), (size_t)problem->n);
  }
  archiveMatrix(archive, stepper, problem);
}
