// The laws behind contact_law.h.
//
// Damping. In a free impact of the law k delta^n (1 + d delta') that begins with the speed v, the restitution e depends
// on u = d v alone, whatever n: separating the variables of m v dv = -k x^n (1 + d v) dx and comparing both ends, x =
// 0,
//
//   log(1 - e u) + e u = log(1 + u) - u                       e(u) = (1 + W0(-(1 + u) exp(-(1 + u)))) / u
//
// with Lambert's W. Flores' formula, u = 8 (1 - cor) / (5 cor), obtains cor within 0.045; the penalty law's,
// u = (1 - cor) / cor, within 0.094; `exact` solves the relation for u. [NeumayrOtter19c] eq. 4 to 10, [Flores11].
#include "contact/contact_law.h"

#include "base/elementary.h"
#include "contact/line_law.h"

#define CR_COR_MIN 0.001          // [-] [NeumayrOtter19c]: keeps the damping finite
#define CR_COR_FADE 4.60517018599 // [-] log(100): at vMin 1 % is missing to cor
#define CR_MAX_DAMPING 1000.0     // [s/m] [NeumayrOtter19c]: more makes what rests creep visibly into place
#define CR_HERTZ (4.0 / 3.0)
#define CR_STRAIGHT 1000.0         // [-] half sizes: the radius that what is straight has for Hertz' ellipses
#define CR_TABLE_LENGTH 1.0        // [m] what the papers' table has for two shapes that are no spheres
#define CR_HYSTERESIS_SHARE 0.01   // [-] of the static depth: with more, light bodies hop for ever
#define CR_AREA_HYSTERESIS 0.01    // [-] of the option, for area contacts, and where nothing has a weight
#define CR_HYSTERESIS_MIN 1e-13    // [m] round-off of positions of a millimetre
#define CR_SERIES_LIMIT 0.03       // [-] below it a series has more digits than log1p(x) - x
#define CR_MAX_DAMPING_STEPS 100   // bisection alone needs 60
#define CR_DAMPING_TOLERANCE 1e-15 // [-] relative

// ---------------------------------------------------------------------------------- regularization

double crComputeRegularCor(const crContactLaw* law, double approach)
{
  double cor = fmax(law->cor, CR_COR_MIN);
  return cor + (CR_COR_MIN - cor) * crExp(-CR_COR_FADE * fabs(approach) / law->vMin);
}

// ----------------------------------------------------------------------------------------- damping

// log(1 + x) - x without cancellation, x > -1.
static double log1pRest(double x)
{
  if (fabs(x) > CR_SERIES_LIMIT) {
    return crLog1p(x) - x;
  }
  double sum = 0.0;
  for (int n = 11; n >= 2; --n) {
    sum = (n % 2 == 0 ? -1.0 : 1.0) / n + x * sum;
  }
  return x * x * sum;
}

// Newton's method inside a bracket. The function is negative from 0 up to the root and positive from there to 1 / cor,
// where its logarithm ends.
double crComputeExactDamping(double cor)
{
  if (cor >= 1.0) {
    return 0.0;
  }
  double low = 0.0, high = 1.0 / cor;
  double u = fmin(1.5 * (1.0 - cor * cor) / (1.0 + cor * cor * cor), 0.5 * high);
  for (int i = 0; i < CR_MAX_DAMPING_STEPS && high - low > CR_DAMPING_TOLERANCE * high; ++i) {
    double value = log1pRest(u) - log1pRest(-cor * u);
    if (value > 0.0) {
      high = u;
    } else {
      low = u;
    }
    double slope = u * (cor * cor / (1.0 - cor * u) - 1.0 / (1.0 + u));
    double next = u - value / slope;
    if (fabs(next - u) <= CR_DAMPING_TOLERANCE * u) {
      return next;
    }
    u = next > low && next < high ? next : 0.5 * (low + high);
  }
  return u;
}

// d v by the formula of the law.
static double computeScaledDamping(const crContactLaw* law, double cor)
{
  if (law->formula == cr_dampingExact) {
    return crComputeExactDamping(cor);
  }
  double factor = law->response == cr_responsePenalty ? 1.0 : 1.6;
  return factor * (1.0 - cor) / cor;
}

#define CR_RESTITUTION_PANELS 12   // of five Gauss points; with s^2 from the lower end, where it is steep for large u
#define CR_MOST_AREA_DAMPING 200.0 // [-] u beyond that of the least cor
#define CR_MAX_AREA_STEPS 60

double crComputeAreaRestitution(double u)
{
  static const double x[3] = { 0.0, 0.5384693101056831, 0.9061798459386640 };
  static const double w[3] = { 0.5688888888888889, 0.4786286704993665, 0.2369268850561891 };
  double low = u > 1.0 ? -1.0 / u : -1.0, sum = 0.0, h = 0.5 / CR_RESTITUTION_PANELS;
  for (int i = 0; i < CR_RESTITUTION_PANELS; ++i) {
    for (int k = -2; k <= 2; ++k) {
      int m = k < 0 ? -k : k;
      double s = h * (2.0 * i + 1.0 + (k < 0 ? -x[m] : x[m])), c = low + (1.0 - low) * s * s;
      sum += h * w[m] * 2.0 * (1.0 - low) * s * u * c * c / (1.0 + u * c * (1.0 - c * c));
    }
  }
  return (u > 1.0 ? 1.0 / u : 1.0) * crExp(-sum);
}

// By false position with halving between bounds.
double crComputeAreaDamping(double cor)
{
  double target = fmax(cor, CR_COR_MIN), low = 0.0, high = CR_MOST_AREA_DAMPING;
  if (target >= 1.0) {
    return 0.0;
  }
  double f0 = crLog(target), f1 = crLog(target / crComputeAreaRestitution(high)), u = low; // falls, then rises above 0
  int side = 0;
  for (int i = 0; i < CR_MAX_AREA_STEPS && high - low > CR_DAMPING_TOLERANCE * high; ++i) {
    u = low - f0 * (high - low) / (f1 - f0);
    u = i < 8 || !(u > low && u < high) ? sqrt(fmax(low, 1e-6) * high) : u; // the range is wide
    double f = crLog(target / crComputeAreaRestitution(u));
    if (fabs(f) < 1e-13) {
      return u;
    }
    bool isAbove = f > 0.0;
    f0 = isAbove ? (side == 1 ? 0.5 * f0 : f0) : f;
    f1 = isAbove ? f : (side == -1 ? 0.5 * f1 : f1);
    high = isAbove ? u : high;
    low = isAbove ? low : u;
    side = isAbove ? 1 : -1;
  }
  return u;
}

// The limit on d keeps what rests from creeping. Where a free impact is to obtain its cor, faster than vMin, the exact
// formula is not limited; below, no less is allowed than at vMin, so that d stays continuous.
static double computeDamping(const crContactLaw* law, double cor, double approach)
{
  double d = computeScaledDamping(law, cor) / crRegularize(approach, law->vMin);
  double limit = CR_MAX_DAMPING;
  if (law->formula == cr_dampingExact) {
    double vMin = law->vMin;
    double atLimit = computeScaledDamping(law, crComputeRegularCor(law, vMin)) / vMin;
    limit = approach >= vMin ? HUGE_VAL : fmax(limit, atLimit);
  }
  return fmin(d, limit);
}

// ---------------------------------------------------------------------------------------- geometry

void crOverrideRadii(crTouchGeometry* geometry, double contactRadiusA, double contactRadiusB)
{
  if (!isnan(contactRadiusA)) {
    geometry->radiusA = contactRadiusA;
    geometry->isRoundA = true;
  }
  if (!isnan(contactRadiusB)) {
    geometry->radiusB = contactRadiusB;
    geometry->isRoundB = true;
  }
}

// One round shape counts alone; two round ones or two flats are combined as curvatures. Two half-spaces, which have no
// length at all, get that of the table.
static double computeRadius(const crTouchGeometry* geometry)
{
  if (geometry->isRoundA != geometry->isRoundB) {
    return geometry->isRoundA ? geometry->radiusA : geometry->radiusB;
  }
  double curvature = 1.0 / geometry->radiusA + 1.0 / geometry->radiusB;
  return curvature > 0.0 ? 1.0 / curvature : CR_TABLE_LENGTH;
}

// With the radius of curvature alone, long flat bodies would stop rocking at once.
static double computeLever(const crTouchGeometry* geometry, double radius)
{
  bool hasRound = geometry->isRoundA || geometry->isRoundB;
  double lever = radius;
  if (geometry->isRoundA || !hasRound) {
    lever = fmin(lever, geometry->halfSizeA);
  }
  if (geometry->isRoundB || !hasRound) {
    lever = fmin(lever, geometry->halfSizeB);
  }
  return lever;
}

// Fills radius, lever, exponent and stiffness.
static void freezeHertz(const crContactLaw* law, const crTouchGeometry* geometry, crContactMemory* memory)
{
  memory->radius = computeRadius(geometry);
  memory->lever = computeLever(geometry, memory->radius);
  memory->exponent = CR_HERTZ_EXPONENT;
  memory->stiffness = law->elasticity * CR_HERTZ * sqrt(memory->radius);
}

bool crFindEllipse(const crTouchGeometry* geometry, crHertz* outEllipse)
{
  if (!(geometry->most > 0.0)) {
    return false;
  }
  double straight = 0.5 / (CR_STRAIGHT * fmin(geometry->halfSizeA, geometry->halfSizeB));
  *outEllipse = crComputeHertz(fmin(fmax(geometry->least, straight), geometry->most), geometry->most);
  return true;
}

// The radius is that of the sphere on a plane that is as stiff.
static void freezeEllipse(const crContactLaw* law, const crTouchGeometry* geometry, const crHertz* ellipse,
                          crContactMemory* memory)
{
  double root = ellipse->stiffness / CR_HERTZ;
  memory->radius = root * root;
  memory->lever = computeLever(geometry, memory->radius);
  memory->exponent = CR_HERTZ_EXPONENT;
  memory->stiffness = law->elasticity * ellipse->stiffness;
}

// Of a line the power law that is nearest to the law of areas.
static void freezeLine(const crContactLaw* law, const crTouchGeometry* geometry, crContactMemory* memory)
{
  double half = fmin(geometry->halfSizeA, geometry->halfSizeB);
  double bend = fmax(geometry->bend, 1.0 / (CR_STRAIGHT * half));
  crLineLaw line = crComputeLineLaw(geometry->line, 1.0 / bend);
  memory->radius = 1.0 / bend;
  memory->lever = fmin(memory->radius, half);
  memory->exponent = line.exponent;
  memory->stiffness = law->elasticity * line.stiffness;
}

// [NeumayrOtter19c] table 1.
static void freezeTable(const crContactLaw* law, const crTouchGeometry* geometry, crContactMemory* memory)
{
  crTouchGeometry spheres = *geometry;
  spheres.isRoundA = geometry->isSphereA;
  spheres.isRoundB = geometry->isSphereB;
  freezeHertz(law, &spheres, memory);
  if (geometry->isSphereA || geometry->isSphereB) {
    memory->lever = memory->radius;
    return;
  }
  memory->lever = CR_TABLE_LENGTH;
  memory->exponent = 1.0;
  memory->stiffness = law->elasticity * CR_TABLE_LENGTH;
}

static bool isLinear(const crContactLaw* law)
{
  return law->response == cr_responseSpringDamper || law->response == cr_responsePenalty;
}

// A flat of half the size of the thinner body: 2 E* l.
static void freezeFlat(const crContactLaw* law, const crTouchGeometry* geometry, crContactMemory* memory)
{
  memory->radius = 0.0;
  memory->lever = fmin(geometry->halfSizeA, geometry->halfSizeB);
  memory->exponent = 1.0;
  memory->stiffness = 2.0 * law->elasticity * memory->lever;
}

static void freezeStiffness(const crContactLaw* law, bool isArea, const crTouchGeometry* geometry,
                            crContactMemory* memory)
{
  crHertz ellipse;
  if (isArea) {
    freezeFlat(law, geometry, memory);
  } else if (geometry->line > 0.0) {
    freezeLine(law, geometry, memory);
  } else if (law->geometry == cr_geometryTable) {
    freezeTable(law, geometry, memory);
  } else if (law->geometry == cr_geometryHertz && crFindEllipse(geometry, &ellipse)) {
    freezeEllipse(law, geometry, &ellipse, memory);
  } else {
    freezeHertz(law, geometry, memory);
  }
  if (isLinear(law)) {
    memory->exponent = 1.0;
    memory->stiffness = law->stiffness;
  }
}

crContactMemory crFreezeContact(const crContactLaw* law, bool isArea, const crTouchGeometry* geometry, double approach)
{
  crContactMemory memory = { .approach = 0.0 };
  freezeStiffness(law, isArea, geometry, &memory);
  crFreezeApproach(law, isArea, approach, &memory);
  return memory;
}

void crFreezeApproach(const crContactLaw* law, bool isArea, double approach, crContactMemory* memory)
{
  memory->approach = fmax(approach, 0.0);
  if (isArea) {
    memory->cor = law->cor;
    memory->damping = law->response == cr_responseSpringDamper ? law->damping : crComputeAreaDamping(law->cor);
    return;
  }
  memory->cor = crComputeRegularCor(law, memory->approach);
  memory->damping =
      law->response == cr_responseSpringDamper ? law->damping : computeDamping(law, memory->cor, memory->approach);
}

// ------------------------------------------------------------------------------------------- force

double crRaiseDepth(double depth, double exponent)
{
  return exponent == 1.0 ? depth : crPow(depth, exponent);
}

crContactForce crComputeContactForce(const crContactLaw* law, const crContactMemory* memory,
                                     const crContactMotion* motion)
{
  crContactForce f;
  crEvalContactForce(law, memory, motion, &f);
  return f;
}

// --------------------------------------------------------------------------------------- estimates

static double findRestHysteresis(const crContactMemory* memory, double weight)
{
  return CR_HYSTERESIS_SHARE * crPow(weight / memory->stiffness, 1.0 / memory->exponent);
}

double crComputeRestHysteresis(const crContactLaw* law, bool isArea, const crTouchGeometry* geometry, double mass,
                               double gravity)
{
  crContactMemory memory = { .approach = 0.0 };
  freezeStiffness(law, isArea, geometry, &memory);
  double weight = mass * gravity;
  return weight > 0.0 && isfinite(weight) ? findRestHysteresis(&memory, weight) : HUGE_VAL;
}

// A contact begins at 2 epsilon with the energy that it has there and ends at 0 with none: what comes from nothing goes
// with epsilon^2.5 at a point, but for a face that lands flat it is E* l (2 epsilon)^2, of stiff and light bodies a
// share of their energy. So area contacts take a hundredth, and so do lines. Without gravity no depth at rest bounds
// epsilon: what pushes a ball so gently that it would lie within the band has it thrown out with that energy again and
// again. So points take a hundredth there, too. Not on surfaces on which balls roll in and out of their loads: these
// touches begin the slower the less deep that is, restitution fades at small speeds, and damping would be 1000 s/m.
double crComputeHysteresis(const crContactLaw* law, bool isArea, const crTouchGeometry* geometry, double mass,
                           double gravity)
{
  crContactMemory memory = { .approach = 0.0 };
  freezeStiffness(law, isArea, geometry, &memory);
  bool isNarrow = isArea || !(gravity > 0.0 || geometry->isOnSurface);
  double weight = mass * gravity, most = law->hysteresis * (isNarrow ? CR_AREA_HYSTERESIS : 1.0);
  double least = fmin(CR_HYSTERESIS_MIN, law->hysteresis); // who asks for less gets it
  if (!(weight > 0.0 && isfinite(weight))) {
    return fmax(most, least);
  }
  double n = memory.exponent, enough = most / CR_HYSTERESIS_SHARE;
  if (memory.stiffness * (n == CR_HERTZ_EXPONENT ? enough * sqrt(enough) : crRaiseDepth(enough, n)) <= weight) {
    return fmax(most, least); // mostly so, and cheaper than a power
  }
  return fmax(fmin(most, findRestHysteresis(&memory, weight)), least);
}

// m v^2 / 2 = k depth^(n + 1) / (n + 1): without damping.
double crEstimateDepth(const crContactMemory* memory, double mass, double approach)
{
  double n1 = memory->exponent + 1.0;
  return approach > 0.0 ? crPow(0.5 * n1 * mass * approach * approach / memory->stiffness, 1.0 / n1) : 0.0;
}

// In and out again: 2 depth / v times the integral of (1 - x^(n + 1))^(-1/2) from 0 to 1.
double crEstimateDuration(const crContactMemory* memory, double mass, double approach)
{
  if (!(approach > 0.0)) {
    return HUGE_VAL;
  }
  double share = 1.0 / (memory->exponent + 1.0);
  double integral = sqrt(CR_PI) * crPerGamma(0.5 + share) / crPerGamma(1.0 + share);
  return 2.0 * crEstimateDepth(memory, mass, approach) / approach * integral;
}
