// Contacts that are deeper than can be: such as the search has overlooked, and such as go through a body.
//
// A search aims at the depth of an event. What is found deeper when a contact begins must not be more than the approach
// of one step explains, and what states are known to: else a contact has been overlooked, and bodies have been where
// they cannot be.
//
// The signed distance of two bodies turns round when the middles pass each other: at the depth of both halves. While
// two bodies approach, no step is longer than they need for a part of the thinner one, so that each is seen a little
// before that at the end of a step, if it is not held before. Then nothing holds it any more. Both end the run, with
// names and numbers. Where both motions are prescribed nothing has to hold them.
//
// Outlines with parallel axes know nothing of each other once these are not parallel any more, nor cylinders on smooth
// ground of its walls and edges: that is told here, too.
#include "island/island.h"

#include "base/report.h"
#include "collide/area/over_ground.h"
#include "collide/distance/parallel.h"

#include <stdio.h>

#define CR_BEGIN_MOST 2.1  // [-] depth over epsilon that an event may find
#define CR_STATE_NOISE 100 // [-] of the tolerance of positions: what steps that are taken again may be off
#define CR_MOST_LEAN 1e-4  // [-] sine of the angle between axes of outlines, whose distance is none beyond
#define CR_LEAP_SHARE                                                                                                  \
  0.25                     // [-] of half the thinner one: how much deeper a contact may become in one step, in any
                           // direction from CR_DEEP_SHARE on
#define CR_LEAP_DOUBT 1.01 // [-] for what rounding may make of a bound
#define CR_LAST_SHARE 0.5  // [-] and how far before both middles meet it counts as through

// [m] Half the thickness of both; a half-space has no other side.
typedef struct Halves {
  double thinner, thicker;
} Halves;

static Halves findHalves(const crIslands* islands, const crTouchingPair* pair)
{
  double a = islands->table->facts[pair->shapeA].thickest, b = islands->table->facts[pair->shapeB].thickest;
  return isinf(a) || isinf(b) ? (Halves){ HUGE_VAL, HUGE_VAL } : (Halves){ fmin(a, b), fmax(a, b) };
}

static crStatus refuse(crWorker* worker, crDeepKind kind, crBoxPair pair, double depth, double allowed)
{
  worker->deep = (crDeep){ kind, pair.a, pair.b, depth, allowed };
  return cr_failNumerics;
}

// ----------------------------------------------------------------------------------------------- overlooked

static double findPositionNoise(const crIsland* island, crVec3 point)
{
  const crIslands* islands = island->owner;
  return CR_STATE_NOISE * islands->relTol * (CR_ABSOLUTE_SHARE + crLength(point));
}

crStatus crWorker_CheckDepth(crWorker* worker, const crIsland* island, crBoxPair pair, const crTouch* touch,
                             double approach, double epsilon, double h)
{
  const crIslands* islands = island->owner;
  const crShape* shapes = islands->model->shapes;
  double leap = h * fmax(0.0, approach);
  if (crIsSurface(&shapes[pair.a]) || crIsSurface(&shapes[pair.b])) { // behind which nothing tells how deep it is
    const crShapeFacts* facts = islands->table->facts;
    leap = fmin(leap, CR_SURFACE_LEAP * fmin(facts[pair.a].half, facts[pair.b].half));
  }
  double allowed = CR_BEGIN_MOST * epsilon + leap + findPositionNoise(island, touch->point);
  return -touch->distance <= allowed ? cr_ok : refuse(worker, cr_deepOverlooked, pair, -touch->distance, allowed);
}

crStatus crWorker_CheckBegun(crWorker* worker, const crIsland* island, double h)
{
  const crContacts* contacts = island->contacts;
  crStatus status = cr_ok;
  for (int k = 0; k < contacts->pairs.count && status == cr_ok; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    if (contact->isNew) {
      double epsilon = crContacts_GetHysteresis(contacts, pair->shapeA, pair->shapeB, pair->law);
      status = crWorker_CheckDepth(worker, island, (crBoxPair){ pair->shapeA, pair->shapeB }, &contact->now,
                                   contact->motion.rate, epsilon, h);
    }
  }
  return status;
}

crStatus crWorker_CheckEnd(crWorker* worker, crBoxPair pair, double depth, double distance)
{
  const crShapeFacts* facts = worker->islands->table->facts;
  double half = fmin(facts[pair.a].half, facts[pair.b].half);
  bool isLost = depth > CR_SURFACE_LEAP * half && distance > CR_SURFACE_LEAP * depth;
  return isLost ? refuse(worker, cr_deepLost, pair, depth, half) : cr_ok;
}

static crPose placeShape(const crIslands* islands, int shape, const crBodyPlace* place)
{
  return crMulPose(place->X, islands->model->contactShapes[shape].X_BS);
}

crStatus crWorker_CheckLean(crWorker* worker, crBoxPair pair, const crBodyPlace places[2])
{
  const crIslands* islands = worker->islands;
  const crShape *a = &islands->model->shapes[pair.a], *b = &islands->model->shapes[pair.b];
  if (!crIsParallelPair(a, b)) {
    return cr_ok;
  }
  crPose X_WA = placeShape(islands, pair.a, &places[0]), X_WB = placeShape(islands, pair.b, &places[1]);
  double lean = crFindTilt(a, &X_WA, b, &X_WB);
  bool isNear = crLength(crSub(X_WB.p, X_WA.p)) <= crShape_GetReach(a) + crShape_GetReach(b);
  return lean > CR_MOST_LEAN && isNear ? refuse(worker, cr_deepLean, pair, lean, CR_MOST_LEAN) : cr_ok;
}

// -------------------------------------------------------------------------------------------------- border

static crStatus checkInland(crWorker* worker, const crTouchingPair* pair, double t)
{
  const crModel* model = worker->islands->model;
  const crShape *a = &model->shapes[pair->shapeA], *b = &model->shapes[pair->shapeB];
  crBodyPlace places[2];
  crStatus status = crWorker_PlaceBody(worker, model->contactShapes[pair->shapeA].body, t, &places[0]);
  status =
      status == cr_ok ? crWorker_PlaceBody(worker, model->contactShapes[pair->shapeB].body, t, &places[1]) : status;
  crPose X_WA = placeShape(worker->islands, pair->shapeA, &places[0]);
  crPose X_WB = placeShape(worker->islands, pair->shapeB, &places[1]);
  bool isB = b->ground != NULL; // which is the ground
  double beyond = isB ? crFindBeyondGround(a, &X_WA, b, &X_WB) : crFindBeyondGround(b, &X_WB, a, &X_WA);
  crBoxPair both = { isB ? pair->shapeA : pair->shapeB, isB ? pair->shapeB : pair->shapeA };
  return status == cr_ok && beyond > 0.0 ? refuse(worker, cr_deepBorder, both, beyond, 0.0) : status;
}

crStatus crWorker_CheckBorder(crWorker* worker, const crIsland* island, double t)
{
  const crContacts* contacts = island->contacts;
  const crShape* shapes = island->owner->model->shapes;
  crStatus status = cr_ok;
  for (int k = 0; k < contacts->pairs.count && status == cr_ok; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    if (crIsOverGround(&shapes[pair->shapeA], &shapes[pair->shapeB])) {
      status = checkInland(worker, pair, t);
    }
  }
  return status;
}

// ------------------------------------------------------------------------------------------------- through

static bool isGiven(const crIslands* islands, int shape)
{
  int tree = islands->table->facts[shape].tree;
  return tree < 0 || islands->isDriven[tree];
}

// Whether anything has to be held.
static bool pushes(const crIslands* islands, const crTouchingPair* pair)
{
  return pair->law->response != cr_responseObserver &&
         !(isGiven(islands, pair->shapeA) && isGiven(islands, pair->shapeB));
}

// Of a body at the start of its segment, at a point that is known at its end: the arm is that of the end, too.
static crVec3 findVelocity(const crIsland* island, int shape, crVec3 point)
{
  const crIslands* islands = island->owner;
  const crSweep* sweep = &islands->sweeps[islands->model->contactShapes[shape].body];
  bool isStill = islands->table->facts[shape].tree < 0;
  return isStill ? crMakeVec3(0.0, 0.0, 0.0) : crAdd(sweep->v0, crCross(sweep->w0, crSub(point, sweep->p1)));
}

// [m/s] How fast a contact may become deeper. Where it is deep the normal may point anywhere.
static double findApproach(const crIsland* island, const crTouchingPair* pair, const crContact* contact, double half)
{
  crVec3 point = contact->now.point;
  crVec3 v = crSub(findVelocity(island, pair->shapeB, point), findVelocity(island, pair->shapeA, point));
  double along = contact->start.depth > CR_DEEP_SHARE * half ? crLength(v) : fabs(crDot(v, contact->now.normal));
  return fmax(along, contact->start.rate);
}

double crIsland_FindLongest(const crIsland* island)
{
  const crContacts* contacts = island->contacts;
  double longest = HUGE_VAL;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    double half = findHalves(island->owner, pair).thinner;
    if (isfinite(half) && pushes(island->owner, pair)) {
      double approach = findApproach(island, pair, &contacts->contacts.items[k], half);
      longest = approach > 0.0 ? fmin(longest, CR_LEAP_SHARE * half / approach) : longest;
    }
  }
  return longest;
}

// [m/s] A bound on the speed of a body at the start of its segment, at a point, as above.
static crStatus boundSpeed(crWorker* worker, const crIsland* island, int shape, crVec3 point, double* outSpeed)
{
  const crIslands* islands = worker->islands;
  *outSpeed = 0.0;
  if (islands->table->facts[shape].tree < 0) {
    return cr_ok;
  }
  if (crIslands_FindOwner(islands, shape) == island->number) {
    const crSweep* sweep = &islands->sweeps[islands->model->contactShapes[shape].body];
    *outSpeed = crLength(sweep->v0) + crLength(sweep->w0) * crLength(crSub(point, sweep->p1));
    return cr_ok;
  }
  const crCarrierFrame* frame;
  crStatus status = crWorker_FrameCarrier(worker, island, shape, &frame);
  *outSpeed = frame != NULL ? frame->speed : HUGE_VAL;
  return status;
}

crStatus crWorker_CheckLeap(crWorker* worker, const crIsland* island, bool* outMayLeap)
{
  const crContacts* contacts = island->contacts;
  double h = island->segment.t1 - island->segment.t0;
  crStatus status = cr_ok;
  *outMayLeap = false;
  for (int k = 0; k < contacts->pairs.count && status == cr_ok && !*outMayLeap; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    double half = findHalves(island->owner, pair).thinner, a = 0.0, b = 0.0;
    if (isfinite(half) && pushes(island->owner, pair)) {
      status = boundSpeed(worker, island, pair->shapeA, contact->now.point, &a);
      status = status == cr_ok ? boundSpeed(worker, island, pair->shapeB, contact->now.point, &b) : status;
      *outMayLeap = !(CR_LEAP_DOUBT * h * fmax(a + b, contact->start.rate) < CR_LEAP_SHARE * half);
    }
  }
  return status;
}

bool crIsland_MayLeap(const crIsland* island)
{
  double fastest = 0.0, smallest = HUGE_VAL;
  crBallLanes_FindExtremes(island->lanes, &fastest, &smallest);
  return 2.0 * fastest * (island->segment.t1 - island->segment.t0) > CR_LEAP_SHARE * smallest;
}

// By the signed distance: what is deepest in a patch is no deeper than the middle of a body, however far through it is.
// Outlines know how deep they are until the whole of the smaller one is in the other: that is through when its middle
// is.
static crStatus checkPair(crWorker* worker, const crIsland* island, const crTouchingPair* pair)
{
  Halves halves = findHalves(island->owner, pair);
  crHit hit = { .shapeA = pair->shapeA, .shapeB = pair->shapeB, .isEnd = !island->contacts->isCrowd };
  double distance = 0.0, rate = 0.0;
  crStatus status =
      isfinite(halves.thicker) ? crWorker_LookAtEnd(worker, &hit, island->segment.t1, &distance, &rate) : cr_ok;
  const crShape* shapes = island->owner->model->shapes;
  bool isParallel = crIsParallelPair(&shapes[pair->shapeA], &shapes[pair->shapeB]);
  double most = isParallel ? halves.thinner : halves.thicker + (1.0 - CR_LAST_SHARE) * halves.thinner;
  bool isThrough = rate < 0.0 && -distance > most;
  return status == cr_ok && isThrough
             ? refuse(worker, cr_deepThrough, (crBoxPair){ pair->shapeA, pair->shapeB }, -distance, halves.thinner)
             : status;
}

crStatus crWorker_CheckThrough(crWorker* worker, const crIsland* island)
{
  const crContacts* contacts = island->contacts;
  crStatus status = cr_ok;
  for (int k = 0; k < contacts->pairs.count && status == cr_ok; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crShapeFacts* facts = contacts->facts;
    double half = fmin(facts[pair->shapeA].half, facts[pair->shapeB].half);
    if (contacts->contacts.items[k].motion.depth > CR_DEEP_SHARE * half && pushes(island->owner, pair)) {
      status = checkPair(worker, island, pair);
    }
  }
  return status;
}

// -------------------------------------------------------------------------------------------------- report

typedef struct DeepRow {
  const char *before, *behind; // of the name of the other one
  const char* hint;
} DeepRow;

static const DeepRow deepRows[] = {
  [cr_deepOverlooked] = { "it was overlooked that it touches", "", "a smaller maxStep, or a tighter tolerance" },
  [cr_deepThrough] = { "the contact with", " does not hold it: it goes through",
                       "the contact cannot take up the energy: slower bodies, a stiffer contact, or a thicker one" },
  [cr_deepLost] = { "the contact with", " is too deep: their outlines do not face each other any more",
                    "the contact cannot take up the energy: slower bodies, or a stiffer contact" },
  [cr_deepLean] = { "its axis is not parallel any more to that of",
                    ", and an extruded shape touches along its axis alone",
                    "pieceError for each that is extruded, for convex pieces that touch in any attitude; or joints "
                    "that "
                    "hold the axes" },
  [cr_deepBorder] = { "it touches", " at its border, where cylinders have no law on its smooth surface",
                      "a larger field, or facets = true: walls and edges of facets are touched as all others" },
};

static void writeAllowed(const crDeep* deep, char* text, size_t size)
{
  if (deep->kind == cr_deepOverlooked) {
    snprintf(text, size, "%.3g m, which the approach in one step explains", deep->allowed);
  } else if (deep->kind == cr_deepThrough) {
    snprintf(text, size, "up to where their middles meet; the thinner one is %.3g m thick", 2.0 * deep->allowed);
  } else if (deep->kind == cr_deepLean) {
    snprintf(text, size, "up to %g rad", deep->allowed);
  } else if (deep->kind == cr_deepBorder) {
    snprintf(text, size, "none, by the box around it along the axes of the field");
  } else {
    snprintf(text, size, "up to where a side of one is opposite to a side of the other");
  }
}

crStatus crReportDeep(crRun* run, const crDeep* deep, double t)
{
  const crModel* model = run->model;
  const DeepRow* row = &deepRows[deep->kind];
  char message[640], found[128], allowed[128];
  snprintf(message, sizeof message, "the simulation stops at %.9g s: %s '%.200s'%s", t, row->before,
           crModel_GetObjectPath(model, model->contactShapes[deep->shapeB].object), row->behind);
  const char* unit = deep->kind == cr_deepLean ? "rad" : deep->kind == cr_deepBorder ? "m beyond it" : "m deep";
  snprintf(found, sizeof found, "%.3g %s", deep->depth, unit);
  writeAllowed(deep, allowed, sizeof allowed);
  crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 },
                                       crModel_GetObjectPath(model, model->contactShapes[deep->shapeA].object));
  crComplaint complaint = { .message = message, .found = found, .allowed = allowed, .hint = row->hint };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  run->hasFailed = true;
  return cr_failNumerics;
}
