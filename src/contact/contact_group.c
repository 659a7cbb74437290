#include "contact/contact_group.h"

#include "base/elementary.h"
#include "collide/area/polytope.h"
#include "collide/distance/wall.h"

#include <stdlib.h>

#define CR_SAME_FOOT 1e-6  // [-] 1 - g below which two touches are at one foot: 4e-4 rad
#define CR_OVERLAP 1e-6    // [-] of half the thinner one: solids that go deeper into each other do not only meet
#define CR_MOST_APART 32   // in a group that are kept; others count as meeting
#define CR_SHARE_STEP 1e-6 // [-] of a depth, for differences of shares
#define CR_SAME_DEPTH 1e-9 // [-] half of an ellipsoid that is so much deeper than its edge is not deepest there
#define CR_SEAM_WIDTH 1e-9 // [-] of the shape: a point that is so near to a face lies on it

// ------------------------------------------------------------------------------------------------ groups

static bool isBall(const crContacts* contacts, int shape)
{
  crShapeKind kind = contacts->model->shapes[shape].kind;
  return kind == cr_shapeSphere || kind == cr_shapeEllipsoid;
}

// Not a part of a compound, or a sharp polytope: round ones have no inner faces, and push each by itself.
static bool fits(const crContacts* contacts, int shape)
{
  return !contacts->facts[shape].isCompound || crIsPolytope(&contacts->model->shapes[shape]);
}

crGroupKey crFindGroupKey(const crContacts* contacts, const crTouchingPair* pair)
{
  const crShapeFacts *a = &contacts->facts[pair->shapeA], *b = &contacts->facts[pair->shapeB];
  if (pair->path == cr_touchArea) {
    bool isOne = (a->isCompound || b->isCompound) && fits(contacts, pair->shapeA) && fits(contacts, pair->shapeB);
    return isOne ? (crGroupKey){ a->compound, b->compound } : (crGroupKey){ -1, -1 };
  }
  if (b->isCompound && isBall(contacts, pair->shapeA)) {
    return (crGroupKey){ pair->shapeA, b->compound };
  }
  bool isOther = a->isCompound && isBall(contacts, pair->shapeB);
  return isOther ? (crGroupKey){ pair->shapeB, a->compound } : (crGroupKey){ -1, -1 };
}

static int compareSeats(const void* a, const void* b)
{
  const crGroupSeat *x = a, *y = b;
  int order = crComparePairs(x->first, x->second, y->first, y->second);
  order = order == 0 && x->isArea != y->isArea ? (x->isArea ? 1 : -1) : order;
  return order != 0 ? order : x->contact < y->contact ? -1 : 1;
}

static int findSolid(const crContacts* contacts, const crTouchingPair* pair)
{
  return isBall(contacts, pair->shapeA) ? pair->shapeB : pair->shapeA;
}

static bool isSharp(const crShape* shape)
{
  return (shape->kind == cr_shapeBox || shape->kind == cr_shapeHull) && shape->sweep == 0.0;
}

// Whether two solids of one body are touched each by itself: they go into each other, and do not only meet, or have
// round sides, where g would change from foot to foot and take energy with it.
static bool areApart(const crContacts* contacts, int a, int b)
{
  const crModel* model = contacts->model;
  if (crIsWall(&model->shapes[a]) && crIsWall(&model->shapes[b])) { // one surface, touched twice
    return false;
  }
  if (!isSharp(&model->shapes[a]) || !isSharp(&model->shapes[b])) {
    return true;
  }
  crDistance d = { .distance = 0.0 };
  crComputeDistance(&model->shapes[a], &model->contactShapes[a].X_BS, &model->shapes[b], &model->contactShapes[b].X_BS,
                    NULL, &d);
  return d.distance < -CR_OVERLAP * fmin(contacts->facts[a].half, contacts->facts[b].half);
}

// Fills `apart` of a group.
static void findApart(crContacts* contacts, int first)
{
  crContactPartner* partners = contacts->partners.items;
  for (int k = first; k >= 0; k = partners[k].next) {
    int own = findSolid(contacts, &contacts->pairs.items[k]), place = 0;
    for (int i = first; i >= 0 && place < CR_MOST_APART; i = partners[i].next, ++place) {
      int other = findSolid(contacts, &contacts->pairs.items[i]);
      partners[k].apart |= i != k && areApart(contacts, own, other) ? 1u << place : 0u;
    }
  }
}

static bool isTouchedApart(const crContacts* contacts, int contact, int other)
{
  const crContactPartner* partners = contacts->partners.items;
  int place = 0;
  for (int i = partners[contact].first; i != other; i = partners[i].next) {
    ++place;
  }
  return place < CR_MOST_APART && (partners[contact].apart >> place & 1u) != 0u;
}

void crContacts_ListGroups(crContacts* contacts)
{
  crGroupSeat* seats = contacts->seats.items;
  int count = 0;
  contacts->hasGroups = false;
  for (int k = 0; k < contacts->pairs.count && contacts->table->hasCompounds; ++k) {
    crGroupKey key = crFindGroupKey(contacts, &contacts->pairs.items[k]);
    if (key.first >= 0) {
      seats[count++] = (crGroupSeat){ key.first, key.second, k, contacts->pairs.items[k].path == cr_touchArea };
    }
  }
  if (count < 2) {
    return;
  }
  qsort(seats, (size_t)count, sizeof *seats, compareSeats);
  for (int k = 0; k < contacts->pairs.count; ++k) {
    contacts->partners.items[k] = (crContactPartner){ k, -1, 0u };
    contacts->contacts.items[k].share = 1.0;
  }
  contacts->partners.count = contacts->pairs.count;
  for (int i = 1; i < count; ++i) {
    const crGroupSeat *before = &seats[i - 1], *seat = &seats[i];
    if (before->first == seat->first && before->second == seat->second && before->isArea == seat->isArea) {
      contacts->partners.items[before->contact].next = seat->contact;
      contacts->partners.items[seat->contact].first = contacts->partners.items[before->contact].first;
      contacts->hasGroups = true;
    }
  }
  for (int k = 0; k < contacts->pairs.count && contacts->hasGroups; ++k) {
    if (contacts->partners.items[k].first == k && contacts->pairs.items[k].path != cr_touchArea) {
      findApart(contacts, k);
    }
  }
}

// ---------------------------------------------------------------------------------------------- coupling

// Where a point is on a polytope: how far outside, and on how many faces.
typedef struct Seat {
  double outside; // [m] < 0: inside
  int faceCount;
} Seat;

static Seat seatOnBox(crVec3 half, crVec3 x, double width)
{
  double outside[3] = { fabs(x.x) - half.x, fabs(x.y) - half.y, fabs(x.z) - half.z };
  Seat seat = { fmax(outside[0], fmax(outside[1], outside[2])), 0 };
  for (int i = 0; i < 3; ++i) {
    seat.faceCount += fabs(outside[i]) <= width;
  }
  return seat;
}

static Seat seatOnHull(const crHull* hull, crVec3 x, double width)
{
  Seat seat = { -HUGE_VAL, 0 };
  for (int f = 0; f < hull->faceCount; ++f) {
    double outside = crDot(hull->normals[f], x) - hull->offsets[f];
    seat.outside = fmax(seat.outside, outside);
    seat.faceCount += fabs(outside) <= width;
  }
  return seat;
}

// The foot of a touch on the solid of its pair, in the world.
static crVec3 findFoot(const crContacts* contacts, const crTouchingPair* pair, const crTouch* touch)
{
  double half = isBall(contacts, pair->shapeA) ? 0.5 * touch->distance : -0.5 * touch->distance;
  return crMulAdd(touch->point, half, touch->normal);
}

static Seat findSeat(const crContacts* contacts, int solid, crVec3 x, double* outWidth)
{
  const crShape* shape = &contacts->model->shapes[solid];
  const crPose* X_WF = &contacts->poses[solid];
  crVec3 local = crMulTV(X_WF->R, crSub(x, X_WF->p));
  local = shape->isTurned ? crMulTV(shape->R_FS, local) : local;
  *outWidth = CR_SEAM_WIDTH * shape->smallestDimension;
  return shape->kind == cr_shapeBox ? seatOnBox(shape->core.half, local, *outWidth)
                                    : seatOnHull(shape->core.hull, local, *outWidth);
}

// Whether the foot of one touch is on an edge of its shape that lies on the other shape's surface: a seam of which the
// union knows nothing. Not looked at: shapes that are not sharp polytopes.
static bool isAtSeam(const crContacts* contacts, const crTouchingPair* pair, const crTouch* touch,
                     const crTouchingPair* otherPair)
{
  crVec3 foot = findFoot(contacts, pair, touch);
  int solid = findSolid(contacts, pair), other = findSolid(contacts, otherPair);
  const crShape* shapes = contacts->model->shapes;
  if (!isSharp(&shapes[solid]) || !isSharp(&shapes[other])) {
    return false;
  }
  double width;
  return findSeat(contacts, solid, foot, &width).faceCount > 1 &&
         fabs(findSeat(contacts, other, foot, &width).outside) <= width;
}

static double findCoupling(crVec3 a, crVec3 b)
{
  double c = crDot(a, b), c2 = c * c, c4 = c2 * c2, c8 = c4 * c4;
  return c > 0.0 ? c8 * c8 : 0.0;
}

// Where the halves of a wall meet that a pair touches; its normal as all touches have it, from A to B.
static crWallEdge findEdge(const crContacts* contacts, const crTouchingPair* pair)
{
  bool isA = isBall(contacts, pair->shapeA);
  int body = isA ? pair->shapeA : pair->shapeB, wall = isA ? pair->shapeB : pair->shapeA;
  const crShape* shapes = contacts->model->shapes;
  crWallEdge edge = crMeasureWallEdge(&shapes[body], &contacts->poses[body], &shapes[wall], &contacts->poses[wall]);
  if (!isA) {
    edge.normal = crNeg(edge.normal);
    edge.turn = crNeg(edge.turn);
  }
  return edge;
}

static bool areWalls(const crContacts* contacts, const crTouchingPair* pair, const crTouchingPair* other)
{
  const crShape* shapes = contacts->model->shapes;
  return crIsWall(&shapes[findSolid(contacts, pair)]) && crIsWall(&shapes[findSolid(contacts, other)]);
}

// Whether the ellipsoid is in the wall between both halves as well, so that a touch may go over from one to the other.
static bool areConnected(const crContacts* contacts, const crTouchingPair* pair)
{
  return findEdge(contacts, pair).depth > 0.0;
}

const crContact* crContacts_FindElder(const crContacts* contacts, const crTouchingPair* pair, const crTouch* now)
{
  crGroupKey key = crFindGroupKey(contacts, pair);
  const crContact* elder = NULL;
  double deepest = 0.0;
  for (int k = 0; key.first >= 0 && pair->path != cr_touchArea && k < contacts->pairs.count; ++k) {
    const crTouchingPair* other = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    crGroupKey its = crFindGroupKey(contacts, other);
    if (!contact->isTouching || other->path == cr_touchArea || its.first != key.first || its.second != key.second ||
        (other->shapeA == pair->shapeA && other->shapeB == pair->shapeB)) {
      continue;
    }
    const crShape *a = &contacts->model->shapes[other->shapeA], *b = &contacts->model->shapes[other->shapeB];
    crTouch touch;
    crComputeTouch(a, &contacts->poses[other->shapeA], b, &contacts->poses[other->shapeB], NULL, &touch);
    double g = findCoupling(touch.normal, now->normal), depth = -touch.distance;
    bool isSame = 1.0 - g < CR_SAME_FOOT;
    int solid = findSolid(contacts, pair), itsSolid = findSolid(contacts, other);
    bool areHalves = areWalls(contacts, pair, other);
    bool isHidden = isSame || isAtSeam(contacts, pair, now, other) || !areApart(contacts, solid, itsSolid);
    isHidden = areHalves ? isSame || areConnected(contacts, pair) : isHidden;
    if (depth > deepest && isHidden && (-now->distance <= g * depth || isSame || areHalves)) {
      elder = contact;
      deepest = depth;
    }
  }
  return elder;
}

const crContact* crContacts_FindTwin(const crContacts* contacts, const crTouchingPair* pair, const crTouch* now)
{
  crGroupKey key = crFindGroupKey(contacts, pair);
  for (int k = 0; key.first >= 0 && pair->path != cr_touchArea && k < contacts->nextPairs.count; ++k) {
    const crTouchingPair* other = &contacts->nextPairs.items[k];
    if (other->place >= 0) {
      continue; // it is not new
    }
    const crContact* contact = &contacts->nextContacts.items[-1 - other->place];
    crGroupKey its = crFindGroupKey(contacts, other);
    bool isPartner =
        contact->isNew && other->path != cr_touchArea && its.first == key.first && its.second == key.second;
    bool isSame = 1.0 - findCoupling(contact->now.normal, now->normal) < CR_SAME_FOOT;
    if (isPartner && (isSame || (areWalls(contacts, pair, other) && areConnected(contacts, pair)))) {
      return contact;
    }
  }
  return NULL;
}

static double raise(double x, double m)
{
  return m == 2.5 ? x * x * sqrt(x) : m == 2.0 ? x * x : crPow(x, m);
}

// w_ij, and the derivatives of its logarithm by both depths.
typedef struct Weight {
  double w, byOwn, byOther;
} Weight;

static Weight findWeight(double own, double other, double g, double m, bool isAhead)
{
  if (1.0 - g < CR_SAME_FOOT) {
    return (Weight){ isAhead ? 1.0 : 0.0, 0.0, 0.0 };
  }
  double ownRest = own - g * other, otherRest = other - g * own;
  if (!(ownRest > 0.0) || !(otherRest > 0.0)) {
    return (Weight){ ownRest > 0.0 ? 1.0 : 0.0, 0.0, 0.0 };
  }
  bool isLarger = own >= other;
  double a = isLarger ? own : other, q = (isLarger ? otherRest : ownRest) / (1.0 - g), A = (1.0 - g) / (1.0 + g);
  double p = raise(ownRest, m), r = raise(otherRest, m), sum = p + r, am = raise(a, m), qm = raise(q, m);
  double both = am + A * qm, perA = m * (am / a - A * qm / q * g / (1.0 - g)) / both;
  double perB = m * A * qm / q / (1.0 - g) / both;
  double perP = m * p / ownRest, perR = m * r / otherRest;
  return (Weight){ p / sum * both / raise(own, m),
                   m / ownRest - (perP - g * perR) / sum + (isLarger ? perA : perB) - m / own,
                   -m * g / ownRest - (perR - g * perP) / sum + (isLarger ? perB : perA) };
}

// A group, one of whose depths is another one, for differences. Which of two touches at one foot is deeper is decided
// by the depths that are: both change alike when the ball moves, so that what one leaves does not go to the other.
typedef struct Group {
  crContacts* contacts;
  int first, by; // by -1: none
  double step;   // [m]
} Group;

static double depthOf(const Group* group, int i)
{
  return -group->contacts->contacts.items[i].now.distance + (i == group->by ? group->step : 0.0);
}

static Weight weigh(const Group* group, int i, int k)
{
  const crContacts* contacts = group->contacts;
  const crContact *own = &contacts->contacts.items[i], *other = &contacts->contacts.items[k];
  double e = depthOf(group, k);
  double g = findCoupling(own->now.normal, other->now.normal);
  const crTouchingPair* pairs = contacts->pairs.items;
  bool isApart = isTouchedApart(contacts, i, k) && 1.0 - g >= CR_SAME_FOOT &&
                 !isAtSeam(contacts, &pairs[i], &own->now, &pairs[k]) &&
                 !isAtSeam(contacts, &pairs[k], &other->now, &pairs[i]);
  if (!(e > 0.0) || isApart) {
    return (Weight){ 1.0, 0.0, 0.0 };
  }
  bool isAhead = own->now.distance < other->now.distance || (own->now.distance == other->now.distance && i < k);
  return findWeight(depthOf(group, i), e, g, own->memory.exponent + 1.0, isAhead);
}

// T of a contact, with k d^m / m.
static double findEnergy(const Group* group, int i)
{
  const crContactPartner* partners = group->contacts->partners.items;
  const crContact* contact = &group->contacts->contacts.items[i];
  double depth = depthOf(group, i), m = contact->memory.exponent + 1.0;
  double energy = depth > 0.0 ? contact->memory.stiffness * raise(depth, m) / m : 0.0;
  for (int k = group->first; k >= 0 && energy > 0.0; k = partners[k].next) {
    energy *= k != i ? weigh(group, i, k).w : 1.0;
  }
  return energy;
}

// dU / d_i over what the contact would push with alone.
static double findShare(const Group* group, int i)
{
  const crContactPartner* partners = group->contacts->partners.items;
  const crContact *items = group->contacts->contacts.items, *contact = &items[i];
  double depth = depthOf(group, i), m = contact->memory.exponent + 1.0, load = 0.0;
  if (!(depth > 0.0)) {
    return 1.0;
  }
  double own = contact->force.elastic, slope = m / depth;
  for (int k = group->first; k >= 0; k = partners[k].next) {
    double others = items[k].force.elastic;
    if (k != i) {
      slope += own > 0.0 ? weigh(group, i, k).byOwn : 0.0;
      load += others > 0.0 ? others * weigh(group, k, i).byOther : 0.0;
    }
  }
  return (load + own * slope) * depth / (contact->memory.stiffness * raise(depth, m));
}

// --------------------------------------------------------------------------------------------- walls

static crWallPart partOf(const crContacts* contacts, int contact)
{
  return contacts->model->shapes[findSolid(contacts, &contacts->pairs.items[contact])].wall.part;
}

static double storedAt(const crContact* contact, double depth)
{
  double m = contact->memory.exponent + 1.0;
  return depth > 0.0 ? contact->memory.stiffness * raise(depth, m) / m : 0.0;
}

// Of what the edge between two halves takes back, the parts of both: those of its normal along theirs.
static void splitEdge(crVec3 a, crVec3 b, crVec3 edge, double parts[2])
{
  double c = crDot(a, b), p = crDot(a, edge), q = crDot(b, edge), square = (1.0 - c) * (1.0 + c);
  bool isFlat = !(square > 0.0);
  parts[0] = isFlat ? 0.5 : fmin(fmax((p - c * q) / square, 0.0), 1.0);
  parts[1] = isFlat ? 0.5 : fmin(fmax((q - c * p) / square, 0.0), 1.0);
}

// What acts on B as a contact that is one deeper by its depth: a force, and its torque about a point.
typedef struct Wrench {
  crVec3 f, t;
} Wrench;

static void addWrench(double load, crVec3 normal, crVec3 arm, Wrench* io)
{
  crVec3 f = crScale(load, normal);
  io->f = crAdd(io->f, f);
  io->t = crAdd(io->t, crCross(arm, f));
}

// The edge takes back K d0^m / m. Halves that began apart differ in stiffness; K is that of the half that the edge is
// as deep as, and between both by how far it is from each:
//
//   K = (k1 (d2 - d0) + k2 (d1 - d0)) / (d1 + d2 - 2 d0)
//
// It acts at the edge, by what K changes at both halves as well. These take back their parts of it where they are,
// which friction and damping feel, and the rest is what is given back here.
static crGroupRest takeBack(const crWallEdge* edge, const double depths[2], const double parts[2],
                            crContact* const halves[2], int near)
{
  double d0 = edge->depth, gaps[2] = { depths[0] - d0, depths[1] - d0 }, width = gaps[0] + gaps[1];
  double m = halves[0]->memory.exponent + 1.0, k1 = halves[0]->memory.stiffness, k2 = halves[1]->memory.stiffness;
  double K = (k1 * gaps[1] + k2 * gaps[0]) / width, dm = raise(d0, m) / m, perK = dm / width;
  double own[2] = { perK * (k2 - K), perK * (k1 - K) }; // dK / d1 and dK / d2, each with d0^m / m
  double load = K * m * dm / d0 - own[0] - own[1];
  crVec3 p = halves[0]->now.point;
  Wrench w = { .t = crScale(load, edge->turn) };
  addWrench(load, edge->normal, crSub(edge->point, p), &w);
  for (int i = 0; i < 2; ++i) {
    double taken = parts[i] * halves[i]->memory.stiffness * m * dm / d0;
    addWrench(own[i] - taken, halves[i]->now.normal, crSub(halves[i]->now.point, p), &w);
    halves[i]->force.elastic -= gaps[1 - i] / width * halves[i]->memory.stiffness * dm;
  }
  return (crGroupRest){ near, crNeg(w.f), crNeg(w.t) };
}

// Whether one is a half that is no deeper than the edge: it takes back all that it pushes with.
static bool isNoDeeper(double depth, const crWallEdge* edge)
{
  return !(depth > (1.0 + CR_SAME_DEPTH) * edge->depth);
}

// U(d1) + U(d2) - U(d0): see wall.h.
static crGroupRest shareWalls(const Group* group)
{
  const crContacts* contacts = group->contacts;
  const crContactPartner* partners = contacts->partners.items;
  crContact* halves[2] = { NULL, NULL };
  crGroupRest rest = { .contact = -1 };
  double depths[2] = { 0.0, 0.0 };
  int near = -1;
  for (int i = group->first; i >= 0; i = partners[i].next) {
    crContact* contact = &contacts->contacts.items[i];
    crWallPart part = partOf(contacts, i);
    contact->force.elastic = storedAt(contact, depthOf(group, i));
    contact->share = 1.0;
    if (part != cr_wallRing) {
      halves[part] = contact;
      depths[part] = depthOf(group, i);
      near = part == cr_wallNear ? i : near;
    }
  }
  if (halves[0] == NULL || halves[1] == NULL || !(halves[0]->now.distance < 0.0) || !(halves[1]->now.distance < 0.0)) {
    return rest;
  }
  crWallEdge edge = findEdge(contacts, &contacts->pairs.items[near]);
  if (!(edge.depth > 0.0)) {
    return rest;
  }
  double parts[2];
  int other = isNoDeeper(depths[1], &edge) ? 1 : isNoDeeper(depths[0], &edge) ? 0 : -1;
  if (other >= 0) {
    halves[other]->force.elastic = 0.0;
    halves[other]->share = 0.0;
    return rest;
  }
  splitEdge(halves[0]->now.normal, halves[1]->now.normal, edge.normal, parts);
  for (int i = 0; i < 2; ++i) {
    halves[i]->share = 1.0 - parts[i] * raise(edge.depth / depths[i], halves[i]->memory.exponent);
  }
  return takeBack(&edge, depths, parts, halves, near);
}

static crGroupRest shareDepths(const Group* group)
{
  const crContacts* contacts = group->contacts;
  const crContactPartner* partners = contacts->partners.items;
  if (crIsWall(&contacts->model->shapes[findSolid(contacts, &contacts->pairs.items[group->first])])) {
    return shareWalls(group);
  }
  for (int i = group->first; i >= 0; i = partners[i].next) {
    contacts->contacts.items[i].force.elastic = findEnergy(group, i);
  }
  for (int i = group->first; i >= 0; i = partners[i].next) {
    contacts->contacts.items[i].share = findShare(group, i);
  }
  return (crGroupRest){ .contact = -1 };
}

crGroupRest crShareDepths(crContacts* contacts, int first)
{
  return shareDepths(&(Group){ contacts, first, -1, 0.0 });
}

// Energies and shares are as before in the end: they are computed again.
void crComputeShareSlopes(crContacts* contacts, int first, int by, int count, double* outSlopes)
{
  const crContactPartner* partners = contacts->partners.items;
  const crContact* items = contacts->contacts.items;
  double step = CR_SHARE_STEP * fabs(items[by].now.distance);
  shareDepths(&(Group){ contacts, first, by, step });
  for (int i = first, place = 0; i >= 0 && place < count; i = partners[i].next, ++place) {
    outSlopes[place] = items[i].share;
  }
  crShareDepths(contacts, first);
  for (int i = first, place = 0; i >= 0 && place < count; i = partners[i].next, ++place) {
    double share = items[i].share;
    outSlopes[place] = share > 0.0 && step > 0.0 ? (outSlopes[place] - share) / (share * step) : 0.0;
  }
}
