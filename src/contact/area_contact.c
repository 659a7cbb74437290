#include "contact/area_contact.h"

#include "collide/area/over_ground.h"
#include "collide/area/polygon.h"
#include "contact/area_loss.h"
#include "contact/area_tangent.h"
#include "contact/corner_force.h"
#include "contact/crossing_force.h"
#include "contact/edge_force.h"
#include "math/mat3.h"
#include "math/sym3.h"

#define CR_LAST_BITS 1e-12    // [-] of sizes and places: what is no deeper may be noise
#define CR_THIN 1e-8          // [-] of that reach: depth of a patch that may be left out
#define CR_SLOPE_SHARE 1e-5   // [-] of the depth, of differences of position
#define CR_SLOPE_SPEED 1e-6   // [-] of vMin and the speeds that there are, likewise of velocity
#define CR_LEVEL_COSINE 0.995 // [-] between normals of parts that push alike,
#define CR_APART_COSINE 0.9   // and of parts that do not

// ------------------------------------------------------------------------------------------------- sides

// 1 / m, and the inverse inertia about the centre of mass.
static void fillInverse(const crInstance* instance, const crShapeFacts* facts, crAreaSide* out)
{
  const crLink* link = &instance->model->links[facts->body];
  if (!(link->mass > 0.0)) {
    out->inverseMass = facts->mass > 0.0 && isfinite(facts->mass) ? 1.0 / facts->mass : 0.0;
    return;
  }
  crLanes33 I = instance->rigids[facts->body].I;
  crLanes h = instance->rigids[facts->body].h, c = h * (1.0 / link->mass);
  double square = crDotL(h, c);
  crMat3 about = crFromLanes33(crSubScaledOuterL(I, h, c, -1.0));
  about.cx.x -= square;
  about.cy.y -= square;
  about.cz.z -= square;
  crVec3 yz = crCross(about.cy, about.cz), zx = crCross(about.cz, about.cx), xy = crCross(about.cx, about.cy);
  double determinant = crDot(about.cx, yz);
  out->inverseMass = 1.0 / link->mass;
  out->centre = crAdd(out->p, crFromLanes(c));
  if (determinant > 0.0) {
    double s = 1.0 / determinant;
    out->inverseInertia = (crMat3){ crScale(s, yz), crScale(s, zx), crScale(s, xy) }; // symmetric
  }
}

void crPlaceAreaSide(const crContacts* contacts, int shape, const crShape** outShape, crPose* outX_WS)
{
  const crPose* X = &contacts->poses[shape];
  const crShape* own = *outShape = &contacts->model->shapes[shape];
  outX_WS->p = X->p;
  outX_WS->R = own->isTurned ? crMulMM(X->R, own->R_FS) : X->R;
}

void crFillAreaSide(const crInstance* instance, const crContacts* contacts, int shape, crAreaSide* out)
{
  const crShapeFacts* facts = &contacts->facts[shape];
  crPlaceAreaSide(contacts, shape, &out->shape, &out->X_WS);
  out->p = out->v = out->w = out->surface = out->centre = crMakeVec3(0.0, 0.0, 0.0);
  out->inverseMass = 0.0;
  out->inverseInertia = (crMat3){ out->p, out->p, out->p };
  if (facts->body > 0) {
    out->p = crFromLanes(instance->places[facts->body].p);
    out->v = crFromLanes(instance->V[facts->body].v);
    out->w = crFromLanes(instance->V[facts->body].w);
    fillInverse(instance, facts, out);
  }
  if (facts->hasSurfaceVelocity) {
    out->surface = crMulMV(crGetBodyPose(instance, facts->body).R, facts->surfaceVelocity);
  }
}

void crFillAreaPart(const crInstance* instance, const crContacts* contacts, int contact, crAreaPart* out)
{
  const crTouchingPair* pair = &contacts->pairs.items[contact];
  crFillAreaSide(instance, contacts, pair->shapeA, &out->a);
  crFillAreaSide(instance, contacts, pair->shapeB, &out->b);
  out->contact = &contacts->contacts.items[contact];
}

int crFillAreaParts(const crInstance* instance, const crContacts* contacts, int first)
{
  int count = 0;
  for (int k = first; k >= 0; k = contacts->partners.items[k].next) {
    crFillAreaPart(instance, contacts, k, &contacts->parts.items[count++]);
  }
  return count;
}

// ------------------------------------------------------------------------------------------------- patch

// 3/2 of the root of the covariance across n, along two axes. Its trace and determinant do not wait for these.
static void findReach(const crAreaForce* force, crMat3 R, crVec3 n, crVec3 out[2])
{
  crSym3 S = force->spread;
  crVec3 l = crMulTV(R, n), Sl = crMulSV(S, l), e0 = crFindAcross(n), e1 = crCross(n, e0);
  crSym3 minors = { S.yy * S.zz - S.yz * S.yz, S.xx * S.zz - S.xz * S.xz, S.xx * S.yy - S.xy * S.xy,
                    S.xz * S.yz - S.xy * S.zz, S.xy * S.yz - S.xz * S.yy, S.xy * S.xz - S.yz * S.xx };
  double det = sqrt(crMax2(0.0, crDot(l, crMulSV(minors, l)))), trace = crTraceSym3(S) - crDot(l, Sl) + 2.0 * det;
  double s = trace > 0.0 ? CR_POINT_REACH / sqrt(trace) : 0.0;
  crVec3 l0 = crMulTV(R, e0), l1 = crMulTV(R, e1), s0 = crMulSV(S, l0);
  double c00 = crMax2(0.0, crDot(s0, l0)), c01 = crDot(s0, l1), c11 = crMax2(0.0, crDot(crMulSV(S, l1), l1));
  out[0] = crAdd(crScale(s * (c00 + det), e0), crScale(s * c01, e1));
  out[1] = crAdd(crScale(s * c01, e0), crScale(s * (c11 + det), e1));
}

// The force of a patch as B feels it; X: the pose of the first shape. along: the force is along this unit vector; NULL:
// along any.
static void turnForce(const crAreaForce* force, bool isExchanged, const crPose* X, const crVec3* along,
                      crAreaPatch* out)
{
  double sign = isExchanged ? 1.0 : -1.0;
  out->elastic = force->elastic;
  out->force = crScale(sign, crMulMV(X->R, force->force));
  out->torque = crScale(sign, crMulMV(X->R, force->torque));
  out->point = crTransformPoint(*X, force->centre);
  if (along != NULL) {
    out->load = crDot(force->force, *along);
    out->n = crScale(sign, crMulMV(X->R, *along));
  } else {
    out->load = crLength(out->force);
    out->n = out->load > 0.0 ? crScale(1.0 / out->load, out->force) : crMakeVec3(0.0, 0.0, 1.0);
  }
  findReach(force, X->R, out->n, out->reach);
}

// Where surfaces touch by a last bit, energy and force are noise that does not belong together. Deeper they do, however
// steep: where a flat comes to what presses on a rib, U becomes a hundred times as much in a thousandth of the depth.
// What is no number is no noise: the step is refused.
static bool isNoise(const crAreaSide* a, const crAreaSide* b, const crAreaPatch* found)
{
  if (!(found->load * found->depth > CR_STEEPEST * found->elastic)) {
    return false;
  }
  double reach = crMin2(crShape_GetReach(a->shape), crShape_GetReach(b->shape));
  return found->depth <= CR_LAST_BITS * (reach + crMaxAbs(a->X_WS.p) + crMaxAbs(b->X_WS.p));
}

// Whether a patch reaches farther than the smaller one of both, which it is inside of.
static bool isTooWide(const crAreaSide* a, const crAreaSide* b, const crAreaPatch* found)
{
  double most = CR_WIDEST * crMin2(crShape_GetReach(a->shape), crShape_GetReach(b->shape));
  return crLengthSquared(found->reach[0]) > most * most || crLengthSquared(found->reach[1]) > most * most;
}

// false: they are apart.
static bool fillPatch(const crAreaSide* a, const crAreaSide* b, const crPatch* patch, const crAreaForce* force,
                      const crVec3* along, crAreaPatch* out)
{
  const crPose* X = patch->isExchanged ? &b->X_WS : &a->X_WS;
  if (!(patch->depth > 0.0) || force->elastic == 0.0) {
    return false;
  }
  turnForce(force, patch->isExchanged, X, along, out);
  out->depth = patch->depth;
  out->deepest = crTransformPoint(*X, patch->deepest);
  out->normal = crMulMV(X->R, patch->deepestNormal);
  out->isOfA = patch->isDeepestSecond == patch->isExchanged;
  out->area = force->area;
  out->pressure = force->mostPressure;
  return !isNoise(a, b, out);
}

static crTouch computeTouch(const crAreaSide* a, const crAreaSide* b)
{
  crPose X_WA = { crMulMM(a->X_WS.R, crTranspose(a->shape->R_FS)), a->X_WS.p };
  crPose X_WB = { crMulMM(b->X_WS.R, crTranspose(b->shape->R_FS)), b->X_WS.p };
  if (crIsOverGround(a->shape, b->shape)) {
    crTouch touch;
    crComputeTouch(a->shape, &X_WA, b->shape, &X_WB, NULL, &touch);
    return touch;
  }
  crDistance d = { .distance = 0.0 };
  crComputeDistance(a->shape, &X_WA, b->shape, &X_WB, NULL, &d);
  return (crTouch){ d.distance, d.normal, crScale(0.5, crAdd(d.pointA, d.pointB)) };
}

// Where two shapes touch by a rounding error, what of their surfaces is inside the other is decided by such errors, and
// a patch may be of a size that has nothing to do with it. One that is suddenly deep is asked whether it is so.
static bool isTrue(const crAreaSide* a, const crAreaSide* b, double depth, double before)
{
  return depth <= CR_LEAP * before || -computeTouch(a, b).distance > depth / CR_LEAP;
}

// Forces of corners and of edges are known in closed form: of their patches no more is told than is asked for here.
static void fillClosed(bool isExchanged, bool isDeepestSecond, double depth, crVec3 deepest, crVec3 normal,
                       crPatch* patch)
{
  patch->isExchanged = isExchanged;
  patch->isDeepestSecond = isDeepestSecond;
  patch->depth = depth;
  patch->deepest = deepest;
  patch->deepestNormal = normal;
}

// outAlong: the direction of the force, in axes of the first shape.
static bool findClosed(const crContactLaw* law, const crAreaSide* a, const crAreaSide* b, crPatch* patch,
                       crAreaForce* outForce, crVec3* outAlong)
{
  crBoxCorner corner;
  crBoxCrossing crossing;
  crAreaModulus modulus = crFindAreaModulus(law);
  if (crFindBoxCorner(a->shape, &a->X_WS, b->shape, &b->X_WS, &corner)) {
    if (corner.edge < 0) {
      crComputeCornerForce(modulus, &corner, outForce);
    } else {
      crComputeEdgeForce(modulus, &corner, outForce);
    }
    fillClosed(corner.isOfB, false, corner.depth, corner.at, corner.n, patch);
    *outAlong = corner.n;
    return true;
  }
  if (!corner.isApart && !corner.isIn && crFindBoxCrossing(a->shape, &a->X_WS, b->shape, &b->X_WS, &crossing)) {
    crCrossingTip tip;
    crComputeCrossingForce(modulus, &crossing, outForce, &tip);
    fillClosed(false, tip.isOfB, tip.depth, tip.at, tip.normal, patch);
    *outAlong = crossing.n;
    return true;
  }
  return false;
}

// false: they are apart. before: [m] the depth as it was last. isOpen: there is no closed form. total: adds its sums,
// if not NULL.
static bool findPatch(const crContactLaw* law, const crAreaSide* a, const crAreaSide* b, double before, bool isOpen,
                      crAreaTotal* total, crAreaPatch* out)
{
  crPatch patch;
  crAreaForce force;
  crVec3 along;
  bool isClosed = !isOpen && total == NULL && findClosed(law, a, b, &patch, &force, &along);
  if (!isClosed) {
    crComputeAreaForce(crFindAreaModulus(law), a->shape, &a->X_WS, b->shape, &b->X_WS, &patch, &force);
  }
  if (!fillPatch(a, b, &patch, &force, isClosed ? &along : NULL, out) || !isTrue(a, b, patch.depth, before)) {
    return false;
  }
  bool isWide = isTooWide(a, b, out);
  if (isWide && out->depth < CR_THIN * crMin2(crShape_GetReach(a->shape), crShape_GetReach(b->shape))) {
    return false; // two faces all but in one plane, where lines of both meet anywhere: they have no energy yet
  }
  if (isWide) { // nothing can be told of it: the step is refused
    out->elastic = out->load = NAN;
    out->force = crMakeVec3(NAN, NAN, NAN);
  }
  if (total != NULL) {
    crAreaTotal_Add(total, &patch, patch.isExchanged ? &b->X_WS : &a->X_WS);
  }
  return true;
}

// ------------------------------------------------------------------------------------------------ contact

static void evalApart(const crAreaSide* a, const crAreaSide* b, crContact* contact)
{
  contact->now = computeTouch(a, b);
  contact->now.distance = crMax2(contact->now.distance, 0.0); // no more than rounding errors of nothing
  crVec3 v = crFindRelativeVelocity(a, b, contact->now.point), n = contact->now.normal;
  double rate = -crDot(v, n);
  contact->motion = (crContactMotion){
    .depth = -contact->now.distance, .rate = rate, .normal = n, .slip = crMulAdd(v, rate, n), .turn = crSub(b->w, a->w)
  };
  contact->force = (crContactForce){ .normalForce = 0.0 };
  contact->drag = crMakeVec3(0.0, 0.0, 0.0);
  contact->area = contact->pressure = contact->grip = contact->stored = contact->release = 0.0;
}

static void evalTouching(const crContactLaw* law, const crAreaSide* a, const crAreaSide* b, const crAreaPatch* patch,
                         const crAreaDamper* damper, crContact* contact)
{
  bool pushes = law->response != cr_responseObserver;
  crAreaLoss loss = pushes ? crFindAreaLoss(law, &contact->memory, damper, a, b, patch) : (crAreaLoss){ .normal = 0.0 };
  crVec3 v = crFindRelativeVelocity(a, b, patch->deepest);
  contact->now = (crTouch){ -patch->depth, patch->n, patch->point };
  contact->motion = (crContactMotion){ .depth = patch->depth,
                                       .rate = crDot(v, patch->normal) * (patch->isOfA ? 1.0 : -1.0),
                                       .normal = patch->n,
                                       .slip = loss.slip,
                                       .turn = crSub(b->w, a->w) };
  contact->drag = loss.force;
  contact->area = patch->area;
  contact->pressure = patch->pressure;
  contact->grip = CR_GRIP * (crLength(patch->reach[0]) + crLength(patch->reach[1]));
  contact->force = (crContactForce){ .normalForce = 0.0 };
  contact->stored = contact->release = 0.0;
  if (pushes) {
    contact->stored = patch->elastic;
    contact->release =
        crDot(patch->force, crFindRelativeVelocity(a, b, patch->point)) + crDot(patch->torque, contact->motion.turn);
    contact->force = (crContactForce){ .force = crAdd(patch->force, loss.force),
                                       .torque = crAdd(patch->torque, loss.torque),
                                       .normalForce = loss.normal,
                                       .elastic = patch->elastic,
                                       .dissipation = loss.power };
  }
}

static inline void evalContact(const crContactLaw* law, const crAreaSide* a, const crAreaSide* b, bool isOpen,
                               crContact* contact)
{
  crAreaPatch patch;
  if (!findPatch(law, a, b, contact->motion.depth, isOpen, NULL, &patch)) {
    evalApart(a, b, contact);
    return;
  }
  crAreaDamper damper = crFindAreaDamper(law, &contact->memory, a, b, &patch);
  evalTouching(law, a, b, &patch, &damper, contact);
}

void crEvalAreaContact(const crContactLaw* law, const crAreaSide* a, const crAreaSide* b, crContact* contact)
{
  evalContact(law, a, b, false, contact);
}

void crEvalOpenArea(const crContactLaw* law, const crAreaSide* a, const crAreaSide* b, crContact* contact)
{
  evalContact(law, a, b, true, contact);
}

// ------------------------------------------------------------------------------------------------ groups

// f and its derivative.
static double blend(double x, double* outSlope)
{
  const double low = 0.3, high = 0.9, h = high - low, t = (x - low) / h;
  if (!(x > low && x < high)) {
    *outSlope = x < high ? 1.0 : 0.0;
    return x < high ? x : 1.0;
  }
  *outSlope = (6.0 * t * (t - 1.0) * (low - 1.0) + h * (1.0 + t * (3.0 * t - 4.0))) / h;
  return low + t * t * (3.0 - 2.0 * t) * (1.0 - low) + h * t * (1.0 - t) * (1.0 - t);
}

// What a part exerts: `alone` of its own, and its part of what all exert as one.
static void mixPart(const crAreaTogether* together, double alone, double asOne, crAreaPart* part)
{
  crAreaPatch* patch = &part->patch;
  crVec3 force = crScale(alone, patch->force), torque = crScale(alone, patch->torque);
  if (asOne != 0.0) {
    crPatch points;
    crVec3 f, t; // on A, about the centre of all
    crPushTogether(together, part->a.shape, &part->a.X_WS, part->b.shape, &part->b.X_WS, &points, &f, &t);
    t = crAdd(t, crCross(crSub(together->centre, patch->point), f));
    force = crMulAdd(force, -asOne, f);
    torque = crMulAdd(torque, -asOne, t);
  }
  patch->force = force;
  patch->torque = torque;
  patch->load = crLength(force);
  patch->n = patch->load > 0.0 ? crScale(1.0 / patch->load, force) : patch->n;
}

// The damping of all: that of their resultant, with all of their energy.
static crAreaDamper findCommonDamper(const crContactLaw* law, const crAreaPart* parts, int count, double elastic,
                                     crVec3* outNormal)
{
  crAreaPatch all = { .elastic = elastic };
  const crAreaPart* last = parts;
  double load = 0.0;
  for (int i = 0; i < count; ++i) {
    if (!parts[i].isApart) {
      last = &parts[i];
      load += last->patch.load;
      all.force = crAdd(all.force, last->patch.force);
      all.point = crMulAdd(all.point, last->patch.load, last->patch.point);
    }
  }
  double size = crLength(all.force);
  all.n = size > 0.0 ? crScale(1.0 / size, all.force) : last->patch.n;
  all.point = load > 0.0 ? crScale(1.0 / load, all.point) : last->patch.point;
  *outNormal = all.n;
  return crFindAreaDamper(law, &last->contact->memory, &last->a, &last->b, &all);
}

// Damping and friction of parts that push nearly alike act along the normal of all: a part of a round side has one of
// its own, along which it would approach.
static double levelPart(crVec3 common, crAreaPatch* patch)
{
  double c = crDot(common, patch->n),
         t = crMin2(1.0, crMax2(0.0, (c - CR_APART_COSINE) / (CR_LEVEL_COSINE - CR_APART_COSINE)));
  double w = t * t * (3.0 - 2.0 * t);
  crVec3 n = crMulAdd(crScale(1.0 - w, patch->n), w, common);
  patch->n = crScale(1.0 / crLength(n), n);
  patch->load = crMax2(0.0, crDot(patch->force, patch->n));
  return patch->load;
}

// What the parts of a group do together.
typedef struct Group {
  crAreaDamper damper;
  double load; // [N] of all
} Group;

// Of one part, whose patch is known.
static Group findAlone(const crContactLaw* law, const crAreaPart* part)
{
  if (part->isApart) {
    return (Group){ { NAN, 0.0, 1.0 }, 0.0 };
  }
  crAreaDamper damper = crFindAreaDamper(law, &part->contact->memory, &part->a, &part->b, &part->patch);
  return (Group){ damper, part->patch.load };
}

// Fills patches, with the share of each. A contact alone is a group, too.
static Group findGroup(const crContactLaw* law, crAreaPart* parts, int count)
{
  if (count == 1) {
    parts->isApart = !findPatch(law, &parts->a, &parts->b, parts->contact->motion.depth, false, NULL, &parts->patch);
    return findAlone(law, parts);
  }
  crAreaTotal total = { .i2 = 0.0 };
  double sum = 0.0, slope;
  for (int i = 0; i < count; ++i) {
    crAreaPart* part = &parts[i];
    part->isApart = !findPatch(law, &part->a, &part->b, part->contact->motion.depth, false, &total, &part->patch);
    sum += part->isApart ? 0.0 : part->patch.elastic;
  }
  crAreaTogether together = crComputeAreaTogether(crFindAreaModulus(law), &total);
  bool isOne = isfinite(sum) && together.elastic > 0.0; // else the patch was too much, or there is none
  double x = isOne ? sum / together.elastic : 0.0, f = blend(x, &slope), share = isOne ? f / x : 1.0;
  for (int i = 0; i < count && isOne; ++i) {
    if (!parts[i].isApart) {
      mixPart(&together, slope, f - x * slope, &parts[i]);
      parts[i].patch.elastic *= share;
    }
  }
  crVec3 common;
  Group group = { findCommonDamper(law, parts, count, share * sum, &common), 0.0 };
  for (int i = 0; i < count; ++i) {
    group.load += parts[i].isApart ? 0.0 : levelPart(common, &parts[i].patch);
  }
  return group;
}

static crAreaDamper damperOf(const Group* group, const crAreaPart* part)
{
  crAreaDamper damper = group->damper;
  damper.share = group->load > 0.0 ? part->patch.load / group->load : 1.0;
  return damper;
}

void crEvalAreaGroup(const crContactLaw* law, crAreaPart* parts, int count)
{
  Group group = findGroup(law, parts, count);
  for (int i = 0; i < count; ++i) {
    crAreaPart* part = &parts[i];
    if (part->isApart) {
      evalApart(&part->a, &part->b, part->contact);
    } else {
      crAreaDamper damper = damperOf(&group, part);
      evalTouching(law, &part->a, &part->b, &part->patch, &damper, part->contact);
    }
  }
}

// ------------------------------------------------------------------------------------------------ slopes

// On B about an origin.
static crWrench findWrench(const crContactLaw* law, const crContactMemory* memory, const crAreaDamper* damper,
                           const crAreaSide* a, const crAreaSide* b, crVec3 origin, const crAreaPatch* patch)
{
  crAreaLoss loss = crFindAreaLoss(law, memory, damper, a, b, patch);
  crVec3 f = crAdd(patch->force, loss.force), t = crAdd(patch->torque, loss.torque);
  return (crWrench){ .f = f, .t = crAdd(t, crCross(crSub(patch->point, origin), f)) };
}

// Of all parts, whose patches and Group are known.
static crWrench findSum(const crContactLaw* law, const Group* group, const crAreaPart* parts, int count)
{
  crWrench sum = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  for (int i = 0; i < count; ++i) {
    const crAreaPart* part = &parts[i];
    if (!part->isApart) {
      crAreaDamper damper = damperOf(group, part);
      crWrench own = findWrench(law, &part->contact->memory, &damper, &part->a, &part->b, part->b.p, &part->patch);
      sum = (crWrench){ .f = crAdd(sum.f, own.f), .t = crAdd(sum.t, own.t) };
    }
  }
  return sum;
}

static void setColumns(crMat3* force, crMat3* torque, int i, const crWrench* to, const crWrench* from, double h)
{
  crVec3 f = crScale(1.0 / h, crSub(to->f, from->f)), t = crScale(1.0 / h, crSub(to->t, from->t));
  *(i == 0 ? &force->cx : i == 1 ? &force->cy : &force->cz) = f;
  *(i == 0 ? &torque->cx : i == 1 ? &torque->cy : &torque->cz) = t;
}

// How B is moved: by a small way, a small turn about the origin of its body, and small changes of velocity.
typedef struct Nudge {
  crVec3 way, v, w;
  crVec3 axis;
  double angle;
} Nudge;

static void nudgeSide(const crAreaSide* b, const Nudge* nudge, crAreaSide* out)
{
  crMat3 R = nudge->angle != 0.0 ? crQuatToMat3(crAxisAngleToQuat(nudge->axis, nudge->angle)) : crIdentityMat3();
  crVec3 p = crAdd(b->p, nudge->way);
  *out = *b;
  out->p = p;
  out->X_WS.R = crMulMM(R, b->X_WS.R);
  out->X_WS.p = crAdd(p, crMulMV(R, crSub(b->X_WS.p, b->p)));
  out->centre = crAdd(p, crMulMV(R, crSub(b->centre, b->p)));
  out->v = crAdd(b->v, nudge->v);
  out->w = crAdd(b->w, nudge->w);
}

// The patch of one contact, whose change with B's pose is known.
typedef struct Base {
  const crAreaSide *a, *b;
  crPatch points;
  crPatchLines lines;
  crAreaForce force;
  crAreaBase law;
} Base;

// false: it has to be asked for anew.
static bool findBase(const crContactLaw* law, const crAreaPart* part, Base* out)
{
  const crAreaSide *a = out->a = &part->a, *b = out->b = &part->still;
  if (!crHasPatchLines(a->shape, b->shape)) {
    return false;
  }
  crAreaModulus modulus = crFindAreaModulus(law);
  crComputePatchWithLines(a->shape, &a->X_WS, b->shape, &b->X_WS, &out->lines, &out->points);
  crPushPatch(modulus, a->shape, &a->X_WS, b->shape, &b->X_WS, &out->points, &out->force);
  return crFillAreaBase(modulus, &out->points, &out->force, &out->law);
}

// The patch with B nudged, to `moved`.
static void movePatch(const Base* base, const crAreaSide* moved, const Nudge* nudge, crAreaPatch* out)
{
  bool isExchanged = base->points.isExchanged;
  const crPose *X = isExchanged ? &base->b->X_WS : &base->a->X_WS, *next = isExchanged ? &moved->X_WS : X;
  crVec3 w = crScale(nudge->angle, nudge->axis), v = crAdd(nudge->way, crCross(w, crSub(X->p, base->b->p)));
  double sign = isExchanged ? -1.0 : 1.0; // the second shape against the first
  crAreaTangent t;
  crComputeAreaTangent(&base->law, crScale(sign, crMulTV(X->R, v)), crScale(sign, crMulTV(X->R, w)), &t);
  crAreaForce force = base->force;
  force.elastic += t.elastic;
  force.force = crAdd(force.force, t.force);
  force.torque = crAdd(force.torque, t.torque);
  force.centre = crAdd(force.centre, t.centre);
  force.spread = crAddSym3(force.spread, t.spread);
  turnForce(&force, isExchanged, next, NULL, out);
}

// The wrench with B nudged; where that leaves nothing, as it was. base: NULL if there is none.
static crWrench nudgeGroup(const crContactLaw* law, crAreaPart* parts, int count, const Nudge* nudge,
                           const Group* known, const Base* base, const crWrench* is)
{
  Group group;
  for (int i = 0; i < count; ++i) {
    nudgeSide(&parts[i].still, nudge, &parts[i].b);
  }
  if (known != NULL) {
    group = *known;
  } else if (base != NULL) {
    movePatch(base, &parts->b, nudge, &parts->patch);
    group = findAlone(law, parts);
  } else {
    group = findGroup(law, parts, count);
  }
  return group.load > 0.0 ? findSum(law, &group, parts, count) : *is;
}

static void computePlainSlope(const crContactLaw* law, crAreaPart* parts, int count, crAreaSlope* outSlope)
{
  *outSlope = (crAreaSlope){ .wrench = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } } };
  Group group = findGroup(law, parts, count);
  if (law->response == cr_responseObserver || !(group.load > 0.0)) {
    return;
  }
  double lever = 0.0, depth = HUGE_VAL, speed = law->vMin;
  for (int i = 0; i < count; ++i) {
    crAreaPart* part = &parts[i];
    const crAreaPatch* patch = &part->patch;
    if (!part->isApart) {
      crVec3 arm = crSub(patch->point, part->b.p);
      lever = crMax2(lever, crLength(arm) + crLength(patch->reach[0]) + crLength(patch->reach[1]));
      depth = crMin2(depth, patch->depth);
      speed = crMax2(speed, law->vMin + crLength(part->contact->motion.slip) + fabs(part->contact->motion.rate));
    }
  }
  double hx = CR_SLOPE_SHARE * depth, ht = hx / crMax2(lever, depth);
  double hv = CR_SLOPE_SPEED * speed, hw = hv / crMax2(lever, depth);
  crWrench is = findSum(law, &group, parts, count), next;
  Base base;
  const Base* known = count == 1 && findBase(law, parts, &base) ? &base : NULL;
  outSlope->wrench = is;
  for (int i = 0; i < 3; ++i) { // speeds first: they need the patches as they are
    crVec3 e = crMakeVec3(i == 0, i == 1, i == 2);
    next = nudgeGroup(law, parts, count, &(Nudge){ .v = crScale(hv, e) }, &group, NULL, &is);
    setColumns(&outSlope->forceByV, &outSlope->torqueByV, i, &next, &is, hv);
    next = nudgeGroup(law, parts, count, &(Nudge){ .w = crScale(hw, e) }, &group, NULL, &is);
    setColumns(&outSlope->forceByW, &outSlope->torqueByW, i, &next, &is, hw);
  }
  for (int i = 0; i < 3; ++i) {
    crVec3 e = crMakeVec3(i == 0, i == 1, i == 2);
    next = nudgeGroup(law, parts, count, &(Nudge){ .way = crScale(hx, e) }, NULL, known, &is);
    setColumns(&outSlope->forceByX, &outSlope->torqueByX, i, &next, &is, hx);
    next = nudgeGroup(law, parts, count, &(Nudge){ .axis = e, .angle = ht }, NULL, known, &is);
    setColumns(&outSlope->forceByTurn, &outSlope->torqueByTurn, i, &next, &is, ht);
  }
}

// ---------------------------------------------------------------------------------------------- bristles

static crVec3 mulRow(crVec3 a, crMat3 m) // a^T m
{
  return crMakeVec3(crDot(a, m.cx), crDot(a, m.cy), crDot(a, m.cz));
}

// Adds to one kind of columns, in which the load changes by `byLoad` and the velocity at the point by `byV`, that of
// turning by `byW`.
static void addColumns(const crBristleSlope* s, crVec3 r, crVec3 byLoad, crMat3 force, crMat3 torque, crMat3* ioForce,
                       crMat3* ioTorque)
{
  force = crAddOuter(force, 1.0, s->forceByLoad, byLoad);
  torque = crAddOuter(torque, 1.0, s->torqueByLoad, byLoad);
  *ioForce = crMulAddMat3(*ioForce, 1.0, force);
  *ioTorque = crMulAddMat3(*ioTorque, 1.0, crMulAddMat3(torque, 1.0, crCrossMat3(r, force)));
}

// The load is that part of all that acts along n which the contact has; all is what `slope` had before bristles.
static void addBristle(const crContactLaw* law, const crAreaSlope* plain, double share, crAreaPart* part,
                       crAreaSlope* ioSlope)
{
  const crContact* contact = part->contact;
  const crMat3 zero = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  crVec3 n = contact->motion.normal, r = crSub(contact->now.point, part->still.p);
  crBristleMotion motion = { .n = n,
                             .v = contact->motion.slip,
                             .w = contact->motion.turn,
                             .twirl = 0.5 * crDot(n, crAdd(part->a.w, part->still.w)),
                             .radius = contact->grip,
                             .load = contact->load,
                             .lever = contact->memory.lever };
  crBristleSlope s;
  crComputeBristleSlope(law, &motion, &contact->bristle, &s);
  crVec3 along = crScale(share, n);
  crVec3 byX = mulRow(along, plain->forceByX), byTurn = mulRow(along, plain->forceByTurn);
  crVec3 byV = mulRow(along, plain->forceByV), byW = mulRow(along, plain->forceByW);
  crMat3 forceByW = crMulAddMat3(s.forceByW, -1.0, crMat3Cross(s.forceByV, r));
  crMat3 torqueByW = crMulAddMat3(s.torqueByW, -1.0, crMat3Cross(s.torqueByV, r));
  addColumns(&s, r, byX, zero, zero, &ioSlope->forceByX, &ioSlope->torqueByX);
  addColumns(&s, r, byTurn, zero, zero, &ioSlope->forceByTurn, &ioSlope->torqueByTurn);
  addColumns(&s, r, byV, s.forceByV, s.torqueByV, &ioSlope->forceByV, &ioSlope->torqueByV);
  addColumns(&s, r, byW, forceByW, torqueByW, &ioSlope->forceByW, &ioSlope->torqueByW);
  for (int i = 0; i < contact->bristle.count; ++i) {
    crAreaBristle* out = &part->bristle;
    out->forceBy[i] = s.forceBy[i];
    out->torqueBy[i] = crAdd(s.torqueBy[i], crCross(r, s.forceBy[i]));
    out->rateByX[i] = crScale(s.rateByLoad[i], byX);
    out->rateByTurn[i] = crScale(s.rateByLoad[i], byTurn);
    out->rateByV[i] = crMulAdd(s.rateByV[i], s.rateByLoad[i], byV);
    out->rateByW[i] = crMulAdd(crAdd(s.rateByW[i], crCross(r, s.rateByV[i])), s.rateByLoad[i], byW);
    for (int k = 0; k < contact->bristle.count; ++k) {
      out->rateBy[i][k] = s.rateBy[i][k];
    }
  }
}

// Where contacts were evaluated last, whose forces have what bristles exert.
static void addBristles(const crContactLaw* law, crAreaPart* parts, int count, crAreaSlope* ioSlope)
{
  crAreaSlope plain = *ioSlope;
  double load = 0.0;
  ioSlope->wrench = (crWrench){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  for (int i = 0; i < count; ++i) {
    const crContact* contact = parts[i].contact;
    crVec3 f = contact->force.force, arm = crSub(contact->now.point, parts[i].still.p);
    load += contact->force.normalForce;
    ioSlope->wrench.f = crAdd(ioSlope->wrench.f, f);
    ioSlope->wrench.t = crAdd(ioSlope->wrench.t, crAdd(contact->force.torque, crCross(arm, f)));
  }
  for (int i = 0; i < count; ++i) {
    if (parts[i].contact->bristle.count > 0) {
      double own = parts[i].contact->force.normalForce;
      addBristle(law, &plain, load > 0.0 ? own / load : 0.0, &parts[i], ioSlope);
    }
  }
}

void crComputeAreaSlope(const crContactLaw* law, crAreaPart* parts, int count, crAreaSlope* outSlope)
{
  for (int i = 0; i < count; ++i) {
    parts[i].still = parts[i].b;
  }
  computePlainSlope(law, parts, count, outSlope);
  if (law->sticks) {
    addBristles(law, parts, count, outSlope);
  }
}
