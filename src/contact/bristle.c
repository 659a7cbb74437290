#include "contact/bristle.h"

#include "base/elementary.h"
#include "math/mat3.h"

#include <string.h>

#define CR_LEAST_RATIO 0.1          // [-] damping ratio of impacts
#define CR_SLIDING_MASS (2.0 / 7.0) // [-] of a solid ball's, that a force at its surface moves
#define CR_ROLLING_MASS (7.0 / 5.0) // [-] of m r^2, about a point of its surface
#define CR_LEAST_COSINE (-0.9)      // [-] between two normals, below which there is no least turn to speak of

// ------------------------------------------------------------------------------------------------ making

int crCountBristles(const crContactLaw* law, bool isPatch)
{
  return !law->sticks ? 0 : law->muR > 0.0 ? 5 : isPatch ? 3 : 2;
}

// Some direction across n.
static crVec3 findAcross(crVec3 n)
{
  crVec3 least = fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z) ? crMakeVec3(1.0, 0.0, 0.0)
                 : fabs(n.y) <= fabs(n.z)                         ? crMakeVec3(0.0, 1.0, 0.0)
                                                                  : crMakeVec3(0.0, 0.0, 1.0);
  crVec3 across = crCross(n, least);
  return crScale(1.0 / crLength(across), across);
}

// As that of the normal direction: of a spring beside a linear damper whose free impact has this cor. Where friction
// falls when it begins to slide, c^2 > k m: else the fall waits until a speed of (muS - muK) f_n / c has grown out of
// nothing, at a rate of c / m, and a mass on a belt is torn off too late, by 5 % of its period.
static double findRatio(const crContactLaw* law, double cor)
{
  if (law->muS > law->muK) {
    return 1.0;
  }
  double log = crLog(fmax(cor, 1e-12));
  return fmin(1.0, fmax(CR_LEAST_RATIO, -log / sqrt(CR_PI * CR_PI + log * log)));
}

crBristle crMakeBristle(const crContactLaw* law, bool isPatch, crVec3 n, double stiffness, double mass, double cor,
                        double lever)
{
  crBristle bristle = { .count = crCountBristles(law, isPatch), .isPatch = isPatch };
  if (bristle.count == 0) {
    return bristle;
  }
  double mu = law->muS;
  bristle.ratio = isnan(law->tangentialDamping) ? findRatio(law, cor) : law->tangentialDamping;
  bristle.stiffness = law->tangentialRatio * stiffness;
  bristle.damping = 2.0 * bristle.ratio * sqrt(bristle.stiffness * CR_SLIDING_MASS * mass);
  if (law->muR > 0.0) { // yields where a point at the lever has moved as far as sliding does
    bristle.rollStiffness = bristle.stiffness * lever * lever * law->muR / fmax(mu, law->muR);
    bristle.rollDamping = 2.0 * bristle.ratio * sqrt(bristle.rollStiffness * CR_ROLLING_MASS * mass) * lever;
  }
  bristle.normal = n;
  bristle.axis = findAcross(n);
  return bristle;
}

void crBristle_SetRatio(crBristle* bristle, double ratio)
{
  if (bristle->count > 0) {
    bristle->damping *= ratio / bristle->ratio;
    bristle->rollDamping *= ratio / bristle->ratio;
    bristle->ratio = ratio;
  }
}

// ------------------------------------------------------------------------------------------------- parts

// One of the two: states from `first` on, `count` of them.
typedef struct Part {
  int first, count;
  double k, c;
  double most, least; // [N] or [N m] what it holds, and slides with
  double fade;        // the same unit
} Part;

static Part findSliding(const crContactLaw* law, const crBristle* bristle, double load)
{
  return (Part){ .count = bristle->isPatch ? 3 : 2,
                 .k = bristle->stiffness,
                 .c = bristle->damping,
                 .most = bristle->isHeld && law->muS > 0.0 ? HUGE_VAL : law->muS * load,
                 .least = bristle->isHeld && law->muS > 0.0 ? HUGE_VAL : law->muK * load,
                 .fade = bristle->damping * law->slipFade };
}

static Part findRolling(const crContactLaw* law, const crBristle* bristle, double load, double lever)
{
  int first = bristle->isPatch ? 3 : 2;
  double limit = bristle->isHeld ? HUGE_VAL : law->muR * lever * load;
  return (Part){ .first = first,
                 .count = bristle->count - first,
                 .k = bristle->rollStiffness,
                 .c = bristle->rollDamping,
                 .most = limit,
                 .least = limit,
                 .fade = 1.0 };
}

// What it slides with, and how that changes with |T|; T > most.
static double findSlide(const Part* part, double size, double* outBySize)
{
  *outBySize = 0.0;
  if (part->most == part->least) {
    return part->least;
  }
  double more = (part->most - part->least) * crExp(-(size - part->most) / part->fade);
  *outBySize = -more / part->fade;
  return part->least + more;
}

// Velocities of the states are byV . v + byW . w, and what pulls at them acts along the same directions.
typedef struct Directions {
  crVec3 byV[CR_MOST_BRISTLES], byW[CR_MOST_BRISTLES];
} Directions;

static crVec3 carryAxis(const crBristle* bristle, crVec3 n)
{
  crVec3 e = bristle->axis;
  double c = crDot(bristle->normal, n);
  if (c < CR_LEAST_COSINE) {
    return findAcross(n);
  }
  crVec3 sum = crAdd(bristle->normal, n);
  return crMulAdd(e, -crDot(n, e) / (1.0 + c), sum);
}

static void findDirections(const crBristle* bristle, const crBristleMotion* motion, Directions* out)
{
  const crVec3 zero = { 0.0, 0.0, 0.0 };
  crVec3 n = motion->n, e1 = carryAxis(bristle, n), e2 = crCross(n, e1);
  int rolling = bristle->isPatch ? 3 : 2;
  for (int i = 0; i < CR_MOST_BRISTLES; ++i) {
    out->byV[i] = out->byW[i] = zero;
  }
  out->byV[0] = e1;
  out->byV[1] = e2;
  if (bristle->isPatch) {
    out->byW[2] = crScale(motion->radius, n);
  }
  if (bristle->count > rolling) {
    out->byW[rolling] = e1;
    out->byW[rolling + 1] = e2;
  }
  if (bristle->count > rolling + 2) {
    out->byW[rolling + 2] = n;
  }
}

// ----------------------------------------------------------------------------------------------- forces

// Pulls of one part at its velocities u; its rates, and what it dissipates. Returns how fast its slider slips.
static double evalPart(const Part* part, const double* u, crBristle* bristle, double* outPull, double* ioPower)
{
  const double* x = bristle->x;
  double *rate = bristle->rate, square = 0.0, bySize;
  int end = part->first + part->count;
  for (int i = part->first; i < end; ++i) {
    outPull[i] = part->k * x[i] + part->c * u[i];
    square += outPull[i] * outPull[i];
  }
  double size = sqrt(square);
  bristle->used = fmax(bristle->used, part->most > 0.0 ? fmin(1.0, size / part->most) : size > 0.0);
  if (size <= part->most) {
    for (int i = part->first; i < end; ++i) {
      rate[i] = u[i];
      *ioPower += part->c * u[i] * u[i];
    }
    return 0.0;
  }
  double slide = findSlide(part, size, &bySize), share = slide / size;
  for (int i = part->first; i < end; ++i) {
    outPull[i] *= share;
    rate[i] = part->c > 0.0 ? (outPull[i] - part->k * x[i]) / part->c : 0.0;
    *ioPower += outPull[i] * u[i] - part->k * x[i] * rate[i];
  }
  return part->c > 0.0 ? (size - slide) / part->c : 0.0;
}

// Two states across the normal turn with both bodies.
static void addTwirl(double twirl, const double* x, double* ioRate)
{
  ioRate[0] -= twirl * x[1];
  ioRate[1] += twirl * x[0];
}

void crEvalBristle(const crContactLaw* law, const crBristleMotion* motion, crBristle* bristle, crBristleForce* outForce)
{
  Directions along;
  double u[CR_MOST_BRISTLES] = { 0.0 }, pull[CR_MOST_BRISTLES] = { 0.0 };
  Part sliding = findSliding(law, bristle, motion->load);
  Part rolling = findRolling(law, bristle, motion->load, motion->lever);
  *outForce = (crBristleForce){ .stored = crBristle_GetStored(bristle) };
  findDirections(bristle, motion, &along);
  for (int i = 0; i < bristle->count; ++i) {
    u[i] = crDot(along.byV[i], motion->v) + crDot(along.byW[i], motion->w);
  }
  bristle->used = 0.0;
  double slide = evalPart(&sliding, u, bristle, pull, &outForce->power);
  bristle->slide = motion->load > 0.0 ? slide : 0.0;
  addTwirl(motion->twirl, bristle->x, bristle->rate);
  if (rolling.count > 0) {
    evalPart(&rolling, u, bristle, pull, &outForce->power);
    addTwirl(motion->twirl, bristle->x + rolling.first, bristle->rate + rolling.first);
  }
  for (int i = 0; i < bristle->count; ++i) {
    outForce->force = crMulAdd(outForce->force, -pull[i], along.byV[i]);
    outForce->torque = crMulAdd(outForce->torque, -pull[i], along.byW[i]);
  }
}

double crBristle_GetStored(const crBristle* bristle)
{
  double sliding = 0.0, rolling = 0.0;
  int first = bristle->isPatch ? 3 : 2;
  for (int i = 0; i < bristle->count; ++i) {
    *(i < first ? &sliding : &rolling) += bristle->x[i] * bristle->x[i];
  }
  return 0.5 * (bristle->stiffness * sliding + bristle->rollStiffness * rolling);
}

static double findPartUse(const Part* part, const double* x)
{
  double square = 0.0;
  for (int i = part->first; i < part->first + part->count; ++i) {
    square += x[i] * x[i];
  }
  double pull = part->k * sqrt(square);
  return part->most > 0.0 ? pull / part->most : pull > 0.0 ? HUGE_VAL : 0.0;
}

double crBristle_FindUse(const crContactLaw* law, double load, double lever, const crBristle* bristle)
{
  if (bristle->count == 0) {
    return 0.0;
  }
  Part sliding = findSliding(law, bristle, load), rolling = findRolling(law, bristle, load, lever);
  return fmax(findPartUse(&sliding, bristle->x), findPartUse(&rolling, bristle->x));
}

void crBristle_Carry(crBristle* bristle, crVec3 n)
{
  if (bristle->count > 0) {
    crVec3 e = carryAxis(bristle, n);
    e = crMulAdd(e, -crDot(n, e), n); // round-off does not add up
    bristle->axis = crScale(1.0 / crLength(e), e);
    bristle->normal = n;
  }
}

// ------------------------------------------------------------------------------------------------ slopes

// d f / d T of one part, row by row, and d f / d load over the load's own change.
typedef struct PartSlope {
  double byPull[3][3], byLoad[3];
} PartSlope;

static void findPartSlope(const Part* part, const double* x, const double* u, double load, PartSlope* out)
{
  double T[3], square = 0.0, bySize;
  *out = (PartSlope){ .byLoad = { 0.0 } };
  for (int i = 0; i < part->count; ++i) {
    T[i] = part->k * x[part->first + i] + part->c * u[part->first + i];
    square += T[i] * T[i];
  }
  double size = sqrt(square);
  if (size <= part->most) {
    for (int i = 0; i < part->count; ++i) {
      out->byPull[i][i] = 1.0;
    }
    return;
  }
  double F = findSlide(part, size, &bySize), share = F / size;
  double byLoad = load > 0.0 ? (F - bySize * part->most) / load : 0.0; // F = load times a function of |T| - most
  for (int i = 0; i < part->count; ++i) {
    for (int j = 0; j < part->count; ++j) {
      out->byPull[i][j] = (i == j ? share : 0.0) + (bySize - share) * T[i] * T[j] / square;
    }
    out->byLoad[i] = byLoad * T[i] / size;
  }
}

static void addPart(const Part* part, const PartSlope* slope, const Directions* along, crBristleSlope* out)
{
  bool isStuck = slope->byPull[0][0] == 1.0 && slope->byLoad[0] == 0.0;
  for (int a = 0; a < part->count; ++a) {
    int i = part->first + a;
    out->forceByLoad = crMulAdd(out->forceByLoad, -slope->byLoad[a], along->byV[i]);
    out->torqueByLoad = crMulAdd(out->torqueByLoad, -slope->byLoad[a], along->byW[i]);
    out->rateByLoad[i] = part->c > 0.0 ? slope->byLoad[a] / part->c : 0.0;
    for (int b = 0; b < part->count; ++b) {
      int j = part->first + b;
      double A = slope->byPull[a][b], byU = part->c * A, byX = part->k * A;
      out->forceByV = crAddOuter(out->forceByV, -byU, along->byV[i], along->byV[j]);
      out->forceByW = crAddOuter(out->forceByW, -byU, along->byV[i], along->byW[j]);
      out->torqueByV = crAddOuter(out->torqueByV, -byU, along->byW[i], along->byV[j]);
      out->torqueByW = crAddOuter(out->torqueByW, -byU, along->byW[i], along->byW[j]);
      out->forceBy[j] = crMulAdd(out->forceBy[j], -byX, along->byV[i]);
      out->torqueBy[j] = crMulAdd(out->torqueBy[j], -byX, along->byW[i]);
      out->rateByV[i] = crMulAdd(out->rateByV[i], A, along->byV[j]);
      out->rateByW[i] = crMulAdd(out->rateByW[i], A, along->byW[j]);
      out->rateBy[i][j] = isStuck || !(part->c > 0.0) ? 0.0 : part->k / part->c * (A - (i == j));
    }
  }
}

void crComputeBristleSlope(const crContactLaw* law, const crBristleMotion* motion, const crBristle* bristle,
                           crBristleSlope* outSlope)
{
  Directions along;
  PartSlope slope;
  double u[CR_MOST_BRISTLES] = { 0.0 };
  Part parts[2] = { findSliding(law, bristle, motion->load), findRolling(law, bristle, motion->load, motion->lever) };
  *outSlope = (crBristleSlope){ .forceByLoad = { 0.0, 0.0, 0.0 } };
  findDirections(bristle, motion, &along);
  for (int i = 0; i < bristle->count; ++i) {
    u[i] = crDot(along.byV[i], motion->v) + crDot(along.byW[i], motion->w);
  }
  for (int p = 0; p < 2 && parts[p].count > 0; ++p) {
    int first = parts[p].first;
    findPartSlope(&parts[p], bristle->x, u, motion->load, &slope);
    addPart(&parts[p], &slope, &along, outSlope);
    outSlope->rateBy[first][first + 1] -= motion->twirl;
    outSlope->rateBy[first + 1][first] += motion->twirl;
  }
}

// ---------------------------------------------------------------------------------------------- keeping

#define CR_BASE_ERROR 1e-6 // [-] of directions in a state: more than rounding in decimal digits

crContactBristle crBristle_Keep(const crBristle* bristle)
{
  crContactBristle kept = { .count = bristle->count,
                            .isPatch = bristle->isPatch,
                            .stiffness = bristle->stiffness,
                            .damping = bristle->damping,
                            .rollStiffness = bristle->rollStiffness,
                            .rollDamping = bristle->rollDamping,
                            .ratio = bristle->ratio,
                            .axis = bristle->axis,
                            .normal = bristle->normal };
  memcpy(kept.x, bristle->x, sizeof kept.x);
  return kept;
}

crBristle crBristle_Restore(const crContactBristle* kept)
{
  crBristle bristle = { .count = kept->count,
                        .isPatch = kept->isPatch,
                        .stiffness = kept->stiffness,
                        .damping = kept->damping,
                        .rollStiffness = kept->rollStiffness,
                        .rollDamping = kept->rollDamping,
                        .ratio = kept->ratio,
                        .axis = kept->axis,
                        .normal = kept->normal };
  memcpy(bristle.x, kept->x, sizeof bristle.x);
  return bristle;
}

static bool isUnit(crVec3 v)
{
  return fabs(crDot(v, v) - 1.0) <= CR_BASE_ERROR;
}

static bool isPositive(double value)
{
  return value > 0.0 && isfinite(value);
}

const char* crFindBristleFault(const crContactBristle* kept)
{
  bool rolls = kept->count == 5, isFinite = true;
  for (int i = 0; i < kept->count && i < CR_MOST_BRISTLES; ++i) {
    isFinite = isFinite && isfinite(kept->x[i]);
  }
  if (kept->count == 0) {
    return NULL;
  }
  if (!rolls && kept->count != (kept->isPatch ? 3 : 2)) {
    return "has a number of states that is none of 2 at a point, 3 by area, and 5 with rolling friction";
  }
  if (!isPositive(kept->stiffness) || !isPositive(kept->damping) || !isPositive(kept->ratio) ||
      (rolls && !(isPositive(kept->rollStiffness) && isPositive(kept->rollDamping)))) {
    return "has a stiffness, damping or ratio that is not above 0";
  }
  if (!isUnit(kept->axis) || !isUnit(kept->normal) || !(fabs(crDot(kept->axis, kept->normal)) <= CR_BASE_ERROR)) {
    return "has an axis and a normal that are no two unit vectors across each other";
  }
  return isFinite ? NULL : "is not finite";
}

// ----------------------------------------------------------------------------------------------- archive

static void archiveVec3(crArchive* archive, crVec3* v)
{
  crArchive_Double(archive, &v->x);
  crArchive_Double(archive, &v->y);
  crArchive_Double(archive, &v->z);
}

crArchive_Covers(crBristle, 192);

void crBristle_Archive(crArchive* archive, crBristle* bristle)
{
  crArchive_Int(archive, &bristle->count, 0, CR_MOST_BRISTLES);
  crArchive_Bool(archive, &bristle->isPatch);
  crArchive_Bool(archive, &bristle->isHeld);
  crArchive_Double(archive, &bristle->stiffness);
  crArchive_Double(archive, &bristle->damping);
  crArchive_Double(archive, &bristle->rollStiffness);
  crArchive_Double(archive, &bristle->rollDamping);
  crArchive_Double(archive, &bristle->ratio);
  archiveVec3(archive, &bristle->axis);
  archiveVec3(archive, &bristle->normal);
  crArchive_Doubles(archive, bristle->x, CR_MOST_BRISTLES);
  crArchive_Doubles(archive, bristle->rate, CR_MOST_BRISTLES);
  crArchive_Double(archive, &bristle->used);
  crArchive_Double(archive, &bristle->slide);
}
