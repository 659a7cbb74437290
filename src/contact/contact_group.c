#include "contact/contact_group.h"

#include "base/elementary.h"

#include <stdlib.h>

#define CR_SAME_FOOT 1e-6 // [-] 1 - g below which two touches are at one foot: 4e-4 rad

// ------------------------------------------------------------------------------------------------ groups

static bool isBall(const crContacts* contacts, int shape)
{
  crShapeKind kind = contacts->model->shapes[shape].kind;
  return kind == cr_shapeSphere || kind == cr_shapeEllipsoid;
}

crGroupKey crFindGroupKey(const crContacts* contacts, const crTouchingPair* pair)
{
  const crShapeFacts *a = &contacts->facts[pair->shapeA], *b = &contacts->facts[pair->shapeB];
  if (pair->path == cr_touchArea) {
    return a->isCompound || b->isCompound ? (crGroupKey){ a->compound, b->compound } : (crGroupKey){ -1, -1 };
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
    contacts->partners.items[k] = (crContactPartner){ k, -1 };
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
}

// ---------------------------------------------------------------------------------------------- coupling

static double findCoupling(crVec3 a, crVec3 b)
{
  double c = crDot(a, b), c2 = c * c, c4 = c2 * c2, c8 = c4 * c4;
  return c > 0.0 ? c8 * c8 : 0.0;
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
    if (depth > deepest && (-now->distance <= g * depth || 1.0 - g < CR_SAME_FOOT)) {
      elder = contact;
      deepest = depth;
    }
  }
  return elder;
}

static double raise(double x, double m)
{
  return m == 2.5 ? x * x * sqrt(x) : m == 2.0 ? x * x : crPow(x, m);
}

// w_ij, and the derivatives of its logarithm by both depths.
typedef struct Weight {
  double w, byOwn, byOther;
} Weight;

static Weight findWeight(double own, double other, double g, double m, bool isFirst)
{
  if (1.0 - g < CR_SAME_FOOT) {
    return (Weight){ own > other || (own == other && isFirst) ? 1.0 : 0.0, 0.0, 0.0 };
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

static Weight weigh(const crContacts* contacts, int i, int k)
{
  const crContact *own = &contacts->contacts.items[i], *other = &contacts->contacts.items[k];
  double d = -own->now.distance, e = -other->now.distance;
  if (!(e > 0.0)) {
    return (Weight){ 1.0, 0.0, 0.0 };
  }
  return findWeight(d, e, findCoupling(own->now.normal, other->now.normal), own->memory.exponent + 1.0, i < k);
}

// T of a contact, with k d^m / m.
static double findEnergy(const crContacts* contacts, int first, int i)
{
  const crContactPartner* partners = contacts->partners.items;
  const crContact* contact = &contacts->contacts.items[i];
  double depth = -contact->now.distance, m = contact->memory.exponent + 1.0;
  double energy = depth > 0.0 ? contact->memory.stiffness * raise(depth, m) / m : 0.0;
  for (int k = first; k >= 0 && energy > 0.0; k = partners[k].next) {
    energy *= k != i ? weigh(contacts, i, k).w : 1.0;
  }
  return energy;
}

// dU / d_i over what the contact would push with alone.
static double findShare(const crContacts* contacts, int first, int i)
{
  const crContactPartner* partners = contacts->partners.items;
  const crContact* contact = &contacts->contacts.items[i];
  double depth = -contact->now.distance, m = contact->memory.exponent + 1.0, load = 0.0;
  if (!(depth > 0.0)) {
    return 1.0;
  }
  double own = contact->force.elastic, slope = m / depth;
  for (int k = first; k >= 0; k = partners[k].next) {
    double others = contacts->contacts.items[k].force.elastic;
    if (k != i) {
      slope += own > 0.0 ? weigh(contacts, i, k).byOwn : 0.0;
      load += others > 0.0 ? others * weigh(contacts, k, i).byOther : 0.0;
    }
  }
  return (load + own * slope) * depth / (contact->memory.stiffness * raise(depth, m));
}

void crShareDepths(crContacts* contacts, int first)
{
  const crContactPartner* partners = contacts->partners.items;
  for (int i = first; i >= 0; i = partners[i].next) {
    contacts->contacts.items[i].force.elastic = findEnergy(contacts, first, i);
  }
  for (int i = first; i >= 0; i = partners[i].next) {
    contacts->contacts.items[i].share = findShare(contacts, first, i);
  }
}
