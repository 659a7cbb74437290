// The error of a step of very many bodies. In a pile nearly all of it comes from the few in which something begins,
// sticks or slips within the step; the median body has a thousandth of the tolerance. In a root mean square these few
// choose the steps of all. A quantile lets them be worse than asked for now and then, and holds the others to it:
//
//   e_i^2 = 1 / n_i  sum over the vectors p of body i of  |e_p|^2 / (a_p + tol max(|p0|, |p1|, m_p V))^2
//
// with n_i states, and V the root mean square of all vectors that have m = 1: a speed is no less important than that of
// the crowd, or a component that passes zero would ask for far more than anybody else. The error of the step is the 90
// % quantile of the e_i, of those bodies alone on which something acts: free flight has no error at all, and where most
// bodies fall they would hide those that hit the floor. Half of the bodies are held to 6 % of that: where a whole
// layer hits the floor at once all have the same error in each of many steps, which adds up. Both are measured against
// a share of the tolerance with which no measure of the real error is larger than by root mean squares at the whole of
// it (docs/numerics.md).
#include "math/lanes.h"
#include "solve/stepper_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CR_QUANTILE 0.9      // [-] of bodies that hold the tolerance,
#define CR_MIDDLE 0.5        // [-] and of those that hold
#define CR_MIDDLE_SHARE 0.06 // [-] of it
#define CR_WORST 300.0 // [-] times that, which the worst of them may have; 30 takes a third more steps for nothing
#define CR_ACTING 1e-6 // [tolerance] of a body that something acts on: in free flight it is rounding
#define CR_MANY_BODIES                                                                                                 \
  1000                    // of which something happens to some in every step; fewer are held to more than their share,
#define CR_MOST_LOOSE 3.2 // [-] by the root of how many fewer, this times as much at most

#define CR_LEVEL_BLOCK 1024 // bodies whose speeds are added up one after the other
#define CR_LEVEL_BLOCKS 64  // of these, which are larger then; parts that work is cut into, too

#define CR_CLASS_BITS 3      // of a number that tell its class, beside its exponent
#define CR_LEAST_CLASS (-40) // exponent of the first one: that of what counts as acting, squared
#define CR_CLASSES 560       // up to 2^30, and all beyond

static inline double sumSquares(const double* a, int count)
{
  if (count == 3) { // mostly so
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  }
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    sum += a[i] * a[i];
  }
  return sum;
}

static double findLevel(const crStructure* structure, const double* y)
{
  double sum = 0.0;
  int count = 0;
  for (int k = 0; k < structure->vectorCount; ++k) {
    const crStateVector* vector = &structure->vectors[k];
    if (vector->least == 1.0) {
      sum += sumSquares(y + vector->first, vector->count);
      ++count;
    }
  }
  return count > 0 ? sqrt(sum / count) : 0.0;
}

// [-] Times as much as many bodies are held to.
static double findLooseness(const crStructure* structure)
{
  double bodies = structure->vectors[structure->vectorCount - 1].body + 1.0;
  return fmin(CR_MOST_LOOSE, fmax(1.0, sqrt(CR_MANY_BODIES / bodies)));
}

// Squares of errors of the bodies that something acts on; returns how many there are.
static int findErrors(const crStructure* structure, const double* absTol, double relTol, const double* y0,
                      const double* y1, const double* errors, double* out)
{
  double level = findLevel(structure, y0), sum = 0.0;
  double acting = CR_ACTING * CR_ACTING;
  int states = 0, count = 0;
  for (int k = 0; k < structure->vectorCount; ++k) {
    const crStateVector* vector = &structure->vectors[k];
    int first = vector->first;
    double s0 = sumSquares(y0 + first, vector->count), s1 = sumSquares(y1 + first, vector->count);
    double size = fmax(sqrt(s0 > s1 ? s0 : s1), vector->least * level);
    double tolerance = structure->bodyShare * (absTol[first] + relTol * size);
    sum += sumSquares(errors + first, vector->count) / (tolerance * tolerance);
    states += vector->count;
    if (k + 1 == structure->vectorCount || structure->vectors[k + 1].body != vector->body) {
      out[count] = sum / states;
      count += !(out[count] < acting); // what is no number counts
      sum = 0.0;
      states = 0;
    }
  }
  return count;
}

// The item that would be at `place` if all were sorted: none before it is larger then, none behind it smaller.
static double select(double* items, int count, int place)
{
  int low = 0, high = count - 1;
  while (low < high) {
    double pivot = items[low + (high - low) / 2];
    int i = low, k = high;
    while (i <= k) {
      for (; items[i] < pivot; ++i) {
      }
      for (; items[k] > pivot; --k) {
      }
      if (i <= k) {
        double item = items[i];
        items[i++] = items[k];
        items[k--] = item;
      }
    }
    if (place > k && place < i) {
      break;
    }
    high = place <= k ? k : high;
    low = place >= i ? i : low;
  }
  return items[place];
}

// How many items have their first bits in common: in classes of an eighth of a power of two.
typedef struct Classes {
  int counts[CR_CLASSES];
} Classes;

static inline int findClass(double item)
{
  uint64_t bits;
  memcpy(&bits, &item, sizeof bits);
  int64_t class = (int64_t)(bits >> (52 - CR_CLASS_BITS)) - ((CR_LEAST_CLASS + 1023) << CR_CLASS_BITS);
  return class < 0 ? 0 : class < CR_CLASSES ? (int)class : CR_CLASSES - 1;
}

// The same as `select` of all items, none of which is negative: among those of its class, which go to `scratch`.
static double selectInClass(const Classes* classes, const double* items, int count, int place, double* scratch)
{
  int class = 0, before = 0, found = 0;
  for (; before + classes->counts[class] <= place; ++class) {
    before += classes->counts[class];
  }
  for (int i = 0; i < count; ++i) {
    scratch[found] = items[i];
    found += findClass(items[i]) == class;
  }
  return select(scratch, found, place - before);
}

// From squares of errors, behind which there is room for as many, and one more.
static double judge(const crStructure* structure, double* errors, int count)
{
  double most = 0.0;
  Classes classes = { { 0 } };
  bool areFinite = true;
  for (int i = 0; i < count; ++i) {
    most = errors[i] > most ? errors[i] : most;
    areFinite = areFinite && errors[i] <= DBL_MAX;
    ++classes.counts[findClass(errors[i])];
  }
  if (count == 0 || !areFinite) {
    return count == 0 ? 0.0 : (double)NAN;
  }
  int place = (int)(CR_QUANTILE * count);
  place = place < count ? place : count - 1;
  double quantile = sqrt(selectInClass(&classes, errors, count, place, errors + count));
  double middle = sqrt(selectInClass(&classes, errors, count, (int)(CR_MIDDLE * count), errors + count));
  double largest = fmax(quantile, sqrt(most) / CR_WORST);
  return fmax(largest, middle / CR_MIDDLE_SHARE) / findLooseness(structure);
}

double crMeasureBodies(const crStructure* structure, const double* absTol, double relTol, const double* y0,
                       const double* y1, const double* errors, double* scratch)
{
  int count = findErrors(structure, absTol, relTol, y0, y1, errors, scratch);
  return judge(structure, scratch, count);
}

// ------------------------------------------------------------------------------------------------- lanes

#define CR_BODY_VECTORS 3
#define CR_BODY_ROW (CR_BODY_VECTORS * CR_LANES) // places of a body

static inline crLanes load(const double* from)
{
  crLanes l;
  memcpy(&l, from, sizeof l);
  return l;
}

static inline crLanes root(crLanes a)
{
  return (crLanes){ sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3]) };
}

static inline crLanes larger(crLanes a, crLanes b)
{
  __typeof__(a > b) isFirst = a > b;
  return (crLanes)(((__typeof__(isFirst))a & isFirst) | ((__typeof__(isFirst))b & ~isFirst));
}

// Squares of four vectors' lengths.
static inline crLanes squareAll(const crLanes r[4])
{
  crLanes a = r[0] * r[0], b = r[1] * r[1], c = r[2] * r[2], d = r[3] * r[3];
  crLanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  crLanes cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

// What parts of a norm share.
typedef struct Norm {
  const crStructure* structure;
  const double* absTol;
  double relTol, level;
  const crLaneStages* stages;
  int bodyCount, blockSize, blockCount;
  const crCrew* crew;
  crLanes sums[CR_LEVEL_BLOCKS]; // of blocks of bodies
  int counts[CR_LEVEL_BLOCKS];
  double* scratch;
} Norm;

static void sumLevel(void* context, int part)
{
  Norm* norm = context;
  const double* y = norm->stages->start;
  int lastBlock = crCrew_FindPart(norm->crew, norm->blockCount, 1, part + 1);
  for (int b = crCrew_FindPart(norm->crew, norm->blockCount, 1, part); b < lastBlock; ++b) {
    int from = b * norm->blockSize, end = from + norm->blockSize;
    crLanes sum = crZeroLanes();
    int count = 0;
    end = CR_BODY_VECTORS * (end < norm->bodyCount ? end : norm->bodyCount);
    for (int k = CR_BODY_VECTORS * from; k < end; ++k) {
      if (norm->structure->vectors[k].least == 1.0) {
        crLanes p = load(y + (size_t)CR_LANES * (size_t)k);
        sum += p * p;
        ++count;
      }
    }
    norm->sums[b] = sum;
    norm->counts[b] = count;
  }
}

static double findLaneLevel(Norm* norm)
{
  crLanes sum = crZeroLanes();
  int count = 0;
  crCrew_Run(norm->crew, sumLevel, norm);
  for (int b = 0; b < norm->blockCount; ++b) {
    sum += norm->sums[b];
    count += norm->counts[b];
  }
  return count > 0 ? sqrt((sum[0] + sum[1] + sum[2]) / count) : 0.0;
}

// Squares of errors of four bodies, from `body` on.
static inline crLanes findFourErrors(const crStructure* structure, const double* absTol, double relTol, double level,
                                     const crLaneStages* stages, int body)
{
  const double* w = stages->weights;
  crLanes sum = crZeroLanes();
  for (int part = 0; part < CR_BODY_VECTORS; ++part) {
    crLanes y0[4], y1[4], errors[4], absolute, least;
    for (int l = 0; l < 4; ++l) {
      const crStateVector* vector = &structure->vectors[CR_BODY_VECTORS * (body + l) + part];
      size_t place = (size_t)CR_BODY_ROW * (size_t)(body + l) + (size_t)CR_LANES * (size_t)part;
      y0[l] = load(stages->start + place);
      y1[l] = load(stages->end + place);
      errors[l] = w[0] * y0[l] + w[1] * load(stages->early + place) + w[2] * load(stages->late + place) + w[3] * y1[l];
      absolute[l] = absTol[vector->first];
      least[l] = vector->least;
    }
    crLanes size = larger(root(larger(squareAll(y0), squareAll(y1))), level * least);
    crLanes tolerance = structure->bodyShare * (absolute + relTol * size);
    sum += squareAll(errors) / (tolerance * tolerance);
  }
  return sum / (3.0 * CR_BODY_VECTORS);
}

// Those of the bodies of a part that something acts on, from the place of its first body on.
static void findPartErrors(void* context, int part)
{
  Norm* norm = context;
  int bodies = norm->bodyCount, first = crCrew_FindPart(norm->crew, bodies, 4, part), count = first;
  int end = crCrew_FindPart(norm->crew, bodies, 4, part + 1);
  double acting = CR_ACTING * CR_ACTING;
  for (int body = first; body < end; body += 4) {
    int from = body + 4 <= bodies ? body : bodies - 4; // the last ones once more: there are four at least
    crLanes errors = findFourErrors(norm->structure, norm->absTol, norm->relTol, norm->level, norm->stages, from);
    for (int l = body - from; l < 4; ++l) {
      norm->scratch[count] = errors[l];
      count += !(errors[l] < acting); // what is no number counts
    }
  }
  norm->counts[part] = count - first;
}

double crMeasureLanes(const crStructure* structure, const double* absTol, double relTol, const crLaneStages* stages,
                      const crCrew* crew, double* scratch)
{
  Norm norm = { .structure = structure,
                .absTol = absTol,
                .relTol = relTol,
                .stages = stages,
                .bodyCount = structure->vectorCount / CR_BODY_VECTORS,
                .blockSize = CR_LEVEL_BLOCK,
                .crew = crew,
                .scratch = scratch };
  while (norm.blockSize < norm.bodyCount / CR_LEVEL_BLOCKS + 1) {
    norm.blockSize *= 2;
  }
  norm.blockCount = (norm.bodyCount + norm.blockSize - 1) / norm.blockSize;
  norm.level = findLaneLevel(&norm);
  crCrew_Run(crew, findPartErrors, &norm);
  int count = norm.counts[0];
  for (int p = 1; p < crCrew_Count(crew); ++p) {
    int first = crCrew_FindPart(crew, norm.bodyCount, 4, p);
    memmove(scratch + count, scratch + first, (size_t)norm.counts[p] * sizeof *scratch);
    count += norm.counts[p];
  }
  return judge(structure, scratch, count);
}
