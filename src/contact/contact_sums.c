// What is told of a contact when it ends: its impulse, the energy that it took, its largest depth and force.
//
// Integrals are sums over the stages of a step by the weights of the method, so they are as accurate as the step, and
// cost no evaluation. Where no stages were summed up they are trapezoids over its ends.
//
// Inside a step the depth is a polynomial through depths and rates at both ends; where it has a new maximum that the
// cubic is too coarse for, through accelerations there too, which take evaluations. The force is that of the law at
// such a depth and rate. What is deepest in a patch may be another corner of it at any time, with a rate of its own: a
// jump that is no acceleration, and patches have the cubic alone.
#include "contact/ball_stage.h"

#include <float.h>

#define CR_HERMITE_MOST (4.0 / 27.0) // [-] largest value of s (1 - s)^2 and s^2 (1 - s)
#define CR_PEAK_MOST 1.5             // [-] of a parabola's mean above its chord: its maximum
#define CR_PEAK_REACH 9.0            // [-] change over it, with which the peak is a quarter of the step outside
#define CR_WORTH (1.0 + 1e-9)        // [-] by which a maximum must be exceeded to be looked for: round-off is none
#define CR_CUBIC_ERROR (1.0 / 384.0) // [-] error of a cubic through both ends of a sine in (h omega)^4
#define CR_CUBIC_RATE_ERROR 0.008    // [-] and of its slope in (h omega)^3
#define CR_POINT_SPILL 0.5           // [-] that counts of it: balls have more impacts, and less in each
#define CR_PEAK_STEPS 4              // of Newton, from the place that a straight rate has
#define CR_PEAK_WIDTH 0.1            // [-] of the step, of a parabola for the force; the next is this of it

// --------------------------------------------------------------------------------------------- integrals

static inline void beginSums(crContact* contact, double ofStart, double ofStage)
{
  contact->hasSums = true;
  contact->impulseSum = ofStart * contact->start.force + ofStage * contact->force.normalForce;
  contact->dissipationSum = ofStart * contact->start.power + ofStage * contact->force.dissipation;
  contact->slideSum = ofStart * contact->start.slide + ofStage * crFindSlide(contact);
  contact->releaseSum = ofStart * contact->start.release + ofStage * contact->release;
}

static inline void addToSums(crContact* contact, double ofStage)
{
  contact->impulseSum += ofStage * contact->force.normalForce;
  contact->dissipationSum += ofStage * contact->force.dissipation;
  contact->slideSum += ofStage * crFindSlide(contact);
  contact->releaseSum += ofStage * contact->release;
}

void crContacts_BeginSums(crContacts* contacts, double ofStart, double ofStage)
{
  if (contacts->stage != NULL) {
    int count;
    const int* others = crBallStage_GetOthers(contacts->stage, &count);
    crBallStage_BeginSums(contacts->stage, contacts, ofStart, ofStage);
    for (int i = 0; i < count; ++i) {
      beginSums(&contacts->contacts.items[others[i]], ofStart, ofStage);
    }
    return;
  }
  for (int i = 0; i < contacts->contacts.count; ++i) {
    beginSums(&contacts->contacts.items[i], ofStart, ofStage);
  }
}

void crContacts_AddToSums(crContacts* contacts, double ofStage)
{
  if (contacts->stage != NULL) {
    int count;
    const int* others = crBallStage_GetOthers(contacts->stage, &count);
    crBallStage_AddToSums(contacts->stage, contacts, ofStage);
    for (int i = 0; i < count; ++i) {
      addToSums(&contacts->contacts.items[others[i]], ofStage);
    }
    return;
  }
  for (int i = 0; i < contacts->contacts.count; ++i) {
    addToSums(&contacts->contacts.items[i], ofStage);
  }
}

static inline void startAgain(crContact* contact)
{
  contact->start.force = contact->force.normalForce;
  contact->start.power = contact->force.dissipation;
  contact->start.depth = contact->motion.depth;
  contact->start.rate = contact->motion.rate;
  contact->start.slide = crFindSlide(contact);
  contact->start.stored = contact->stored;
  contact->start.release = contact->release;
  contact->hasSums = false;
}

void crContacts_StartSums(crContacts* contacts)
{
  for (int i = 0; i < contacts->contacts.count; ++i) {
    startAgain(&contacts->contacts.items[i]);
  }
}

void crContacts_DropSums(crContacts* contacts)
{
  for (int i = 0; i < contacts->contacts.count; ++i) {
    crContact* contact = &contacts->contacts.items[i];
    contact->hasSums = false;
    if (contact->hasParts) {
      contact->hasParts = false;
      contact->start = contact->parts.start;
    }
  }
}

crSpill crContacts_FindSpill(const crContacts* contacts)
{
  crSpill sum = { .isWhole = true };
  double before = 0.0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crContact* contact = &contacts->contacts.items[k];
    bool isKnown = contacts->pairs.items[k].law->response != cr_responseUser && contact->bristle.count == 0;
    sum.isWhole = sum.isWhole && isKnown && contact->hasSums && contact->stored == contact->force.elastic;
    if (contact->hasSums) {
      double rise = contact->stored - contact->start.stored, spill = rise + contact->releaseSum;
      sum.spill += contacts->pairs.items[k].path == cr_touchArea ? spill : CR_POINT_SPILL * spill;
      sum.rise += rise;
      sum.stored += contact->stored;
      before += contact->start.stored;
      double load = fmax(contact->start.force, contact->force.normalForce);
      sum.noise += DBL_EPSILON * crMaxAbs(contact->now.point) * load;
      sum.load += load;
    }
  }
  sum.stored = fmax(sum.stored, before);
  return sum;
}

// ------------------------------------------------------------------------------------------------ maxima

// Depth over a step as a polynomial of s from 0 to 1.
typedef struct Course {
  double h;    // [s]
  double c[6]; // [m] of s^k
} Course;

// Through depths and rates at both ends; and accelerations there, if rates are known nearStep [s] inside, too.
static Course makeCourse(const crContact* contact, double h, double nearStep)
{
  const crContactPoint* from = &contact->start;
  const crContactMotion* to = &contact->motion;
  double rise = to->depth - from->depth, v0 = h * from->rate, v1 = h * to->rate;
  if (!(nearStep > 0.0)) {
    return (Course){ h, { from->depth, v0, 3.0 * rise - 2.0 * v0 - v1, v0 + v1 - 2.0 * rise } };
  }
  double share = 0.5 * h * h / nearStep;
  double a0 = share * (contact->nearStart - from->rate), a1 = share * (to->rate - contact->nearEnd);
  return (Course){ h,
                   { from->depth, v0, a0, 10.0 * rise - 6.0 * v0 - 4.0 * v1 - 3.0 * a0 + a1,
                     -15.0 * rise + 8.0 * v0 + 7.0 * v1 + 3.0 * a0 - 2.0 * a1,
                     6.0 * rise - 3.0 * (v0 + v1) - a0 + a1 } };
}

static inline void followCourse(const Course* course, double s, crContactMotion* ioMotion)
{
  const double* c = course->c;
  ioMotion->depth = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
  ioMotion->rate = (c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * (4.0 * c[4] + s * 5.0 * c[5])))) / course->h;
}

static double keepInside(double s)
{
  return s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
}

// Newton's iteration on the rate, which falls through 0.
static double findDeepest(const Course* course, const crContact* contact)
{
  const double* c = course->c;
  crContactMotion motion = contact->motion;
  double s = contact->start.rate / (contact->start.rate - contact->motion.rate);
  for (int i = 0; i < CR_PEAK_STEPS; ++i) {
    followCourse(course, s, &motion);
    double bend = 2.0 * c[2] + s * (6.0 * c[3] + s * (12.0 * c[4] + s * 20.0 * c[5]));
    s = bend < 0.0 ? keepInside(s - course->h * motion.rate / bend) : s;
  }
  followCourse(course, s, &motion);
  return motion.depth;
}

// The peak of the force, from a place near it: by parabolas through three values, twice.
static double findStrongest(const Course* course, const crContactLaw* law, const crContact* contact, double s)
{
  crContactMotion motion = contact->motion;
  crContactForce force;
  double most = 0.0, width = CR_PEAK_WIDTH;
  for (int i = 0; i < 2; ++i, width *= CR_PEAK_WIDTH) {
    double values[3];
    s = s < width ? width : s > 1.0 - width ? 1.0 - width : s;
    for (int k = 0; k < 3; ++k) {
      followCourse(course, s + (k - 1) * width, &motion);
      crEvalContactForce(law, &contact->memory, &motion, &force);
      values[k] = force.normalForce;
    }
    double bend = values[0] - 2.0 * values[1] + values[2], slope = 0.5 * (values[2] - values[0]);
    if (!(bend < 0.0)) {
      return fmax(most, fmax(values[0], values[2]));
    }
    double move = -slope / bend;
    bool isInside = fabs(move) <= 1.0;
    most = fmax(most, isInside ? values[1] + 0.5 * slope * move : fmax(values[0], values[2]));
    s = keepInside(s + move * width);
  }
  return most;
}

static inline double findLarger(double a, double b)
{
  return a > b ? a : b;
}

// [s] The last part of a step.
static inline double findRest(const crContact* contact, double h)
{
  return contact->hasParts ? h - contact->parts.time : h;
}

// [N s] Impulse of a part of a step, h long, which starts at contact->start and ends now, less that of a force which
// goes straight from start to end.
static inline double findBulge(const crContact* contact, double h)
{
  return contact->hasSums ? contact->impulseSum - 0.5 * h * (contact->start.force + contact->force.normalForce) : 0.0;
}

// Whether there may be a maximum inside that is larger than any so far: of the depth by its rates,
static inline bool mayBeDeep(const crContact* contact, double h)
{
  const crContactPoint* start = &contact->start;
  double fall = start->rate - contact->motion.rate;
  return start->rate > 0.0 && contact->motion.rate < 0.0 &&
         findLarger(start->depth, contact->motion.depth) + CR_HERMITE_MOST * h * fall > CR_WORTH * contact->maxDepth;
}

double crFindDeepest(const crContactPoint* start, double depth, double rate, double h, double most)
{
  crContact contact = { .start = *start, .maxDepth = most };
  contact.motion.depth = depth;
  contact.motion.rate = rate;
  if (!mayBeDeep(&contact, h)) {
    return most;
  }
  Course course = makeCourse(&contact, h, 0.0);
  return findLarger(most, findDeepest(&course, &contact));
}

// and of the force by the parabola that has its impulse.
static inline bool mayBeStrong(const crContact* contact, double h, double bulge)
{
  double from = contact->start.force, to = contact->force.normalForce;
  return CR_PEAK_MOST * bulge > h * (CR_WORTH * contact->maxForce - findLarger(from, to)) &&
         CR_PEAK_REACH * bulge > h * fabs(to - from);
}

// [-] Error of a peak by the cubic, of itself.
static double estimateError(const crContact* contact, double h)
{
  const crContactPoint* start = &contact->start;
  double bulge = CR_PEAK_MOST * findBulge(contact, h), most = findLarger(start->force, contact->force.normalForce);
  double square = mayBeDeep(contact, h) ? h * (start->rate - contact->motion.rate) / contact->motion.depth
                                        : 8.0 * bulge / (h * most + bulge); // (h omega)^2
  double damped = contact->memory.damping > 0.0 ? fabs(contact->memory.damping * start->rate) : 0.0;
  return CR_CUBIC_ERROR * square * square + CR_CUBIC_RATE_ERROR * square * sqrt(square) * damped;
}

void crContacts_LookNear(crContacts* contacts, bool isEnd)
{
  for (int i = 0; i < contacts->contacts.count; ++i) {
    crContact* contact = &contacts->contacts.items[i];
    *(isEnd ? &contact->nearEnd : &contact->nearStart) = contact->motion.rate;
  }
}

// Where a force is no function of one depth: the parabola through both ends that has its impulse.
static double findArea(const crContact* contact, double h, double bulge, double place)
{
  double s = fmax(0.0, fmin(1.0, place)), from = contact->start.force, to = contact->force.normalForce;
  return from + s * (to - from) + 6.0 * bulge / h * s * (1.0 - s);
}

static void takePeaks(const crTouchingPair* pair, const crContact* contact, double h, double nearStep, double* ioDepth,
                      double* ioForce)
{
  double bulge = findBulge(contact, h);
  bool isDeep = mayBeDeep(contact, h), isStrong = mayBeStrong(contact, h, bulge);
  if (!isDeep && !isStrong) {
    return;
  }
  bool isArea = pair->path == cr_touchArea;
  Course course = makeCourse(contact, h, isArea ? 0.0 : nearStep);
  if (isDeep) {
    *ioDepth = findLarger(*ioDepth, findDeepest(&course, contact));
  }
  if (isStrong) {
    double place = 0.5 + h * (contact->force.normalForce - contact->start.force) / (12.0 * bulge);
    double peak = isArea ? findArea(contact, h, bulge, place) : findStrongest(&course, pair->law, contact, place);
    *ioForce = findLarger(*ioForce, peak);
  }
}

// ------------------------------------------------------------------------------------------------- steps

static inline double findImpulse(const crContact* contact, double h)
{
  return contact->hasSums ? contact->impulseSum : 0.5 * h * (contact->start.force + contact->force.normalForce);
}

static inline double findDissipation(const crContact* contact, double h)
{
  return contact->hasSums ? contact->dissipationSum : 0.5 * h * (contact->start.power + contact->force.dissipation);
}

static inline double findSlipPath(const crContact* contact, double h)
{
  return contact->hasSums ? contact->slideSum : 0.5 * h * (contact->start.slide + crFindSlide(contact));
}

static void keepPart(const crTouchingPair* pair, crContact* contact, double h)
{
  crContactParts* parts = &contact->parts;
  if (!contact->hasParts) {
    *parts = (crContactParts){ .start = contact->start };
  }
  parts->time += h;
  parts->impulse += findImpulse(contact, h);
  parts->dissipation += findDissipation(contact, h);
  parts->slipPath += findSlipPath(contact, h);
  parts->maxDepth = findLarger(parts->maxDepth, contact->motion.depth);
  parts->maxForce = findLarger(parts->maxForce, contact->force.normalForce);
  takePeaks(pair, contact, h, 0.0, &parts->maxDepth, &parts->maxForce);
  contact->hasParts = true;
  startAgain(contact);
}

void crContacts_KeepPart(crContacts* contacts, double h)
{
  for (int k = 0; k < contacts->pairs.count; ++k) {
    keepPart(&contacts->pairs.items[k], &contacts->contacts.items[k], h);
  }
}

static void addParts(crContact* contact)
{
  const crContactParts* parts = &contact->parts;
  contact->impulse += parts->impulse;
  contact->dissipation += parts->dissipation;
  contact->slipPath += parts->slipPath;
  contact->maxDepth = findLarger(contact->maxDepth, parts->maxDepth);
  contact->maxForce = findLarger(contact->maxForce, parts->maxForce);
  contact->hasParts = false;
}

static inline void noteSlip(const crContactLaw* law, crContact* contact, double h)
{
  double slip = crLength(contact->motion.slip), turn = crLength(contact->motion.turn);
  if (slip < law->vMin && contact->lastSlip < law->vMin && !law->sticks) {
    crCreepStep step = { .h = h,
                         .slip = 0.5 * (slip + contact->lastSlip),
                         .turn = 0.5 * (turn + contact->lastTurn),
                         .force = contact->force.normalForce,
                         .depth = contact->motion.depth,
                         .lever = crFindCreepLever(&contact->memory, contact->grip),
                         .ofRolling = contact->memory.lever };
    crAddCreep(law, &step, &contact->creep);
  }
  contact->slipRate = h > 0.0 ? (slip - contact->lastSlip) / h : 0.0;
  contact->turnRate = h > 0.0 ? (turn - contact->lastTurn) / h : 0.0;
  contact->lastSlip = slip;
  contact->lastTurn = turn;
}

static inline void complete(const crContactLaw* law, crContact* contact, double h, double rest)
{
  contact->impulse += findImpulse(contact, rest);
  contact->dissipation += findDissipation(contact, rest);
  contact->slipPath += findSlipPath(contact, rest);
  contact->maxDepth = findLarger(contact->maxDepth, contact->motion.depth);
  contact->maxForce = findLarger(contact->maxForce, contact->force.normalForce);
  if (contact->hasParts) {
    addParts(contact);
  }
  startAgain(contact);
  noteSlip(law, contact, h);
}

bool crContacts_CompleteSums(crContacts* contacts, double h, double limit, bool* outAreSteep)
{
  bool hasPeaks = false;
  *outAreSteep = false;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    bool isArea = contacts->pairs.items[k].path == cr_touchArea;
    double rest = findRest(contact, h);
    if (mayBeStrong(contact, rest, findBulge(contact, rest)) || mayBeDeep(contact, rest)) {
      hasPeaks = contact->hasPeaks = true;
      *outAreSteep = *outAreSteep || (!isArea && !(estimateError(contact, rest) <= limit));
    } else {
      complete(contacts->pairs.items[k].law, contact, h, rest);
    }
  }
  return hasPeaks;
}

void crContacts_CompletePeaks(crContacts* contacts, double h, double nearStep)
{
  for (int k = 0; k < contacts->pairs.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    if (contact->hasPeaks) {
      double rest = findRest(contact, h);
      takePeaks(&contacts->pairs.items[k], contact, rest, nearStep, &contact->maxDepth, &contact->maxForce);
      contact->hasPeaks = false;
      complete(contacts->pairs.items[k].law, contact, h, rest);
    }
  }
}

void crContacts_CompleteStep(crContacts* contacts, double h)
{
  if (contacts == NULL) {
    return;
  }
  bool areSteep = false;
  if (crContacts_CompleteSums(contacts, h, HUGE_VAL, &areSteep)) {
    crContacts_CompletePeaks(contacts, h, 0.0);
  }
}
