#include "contact/linear_contact.h"

#include "contact/contact_group.h"

#include <string.h>

static bool isFirst(const crContacts* contacts, int contact)
{
  return !contacts->hasGroups || contacts->partners.items[contact].first == contact;
}

static crBodyState readBody(const crInstance* instance, int body)
{
  if (body <= 0) {
    return (crBodyState){ .R = crIdentityMat3() };
  }
  return (crBodyState){ crGetBodyPose(instance, body).R, crFromLanes(instance->places[body].p),
                        crFromLanes(instance->V[body].v), crFromLanes(instance->V[body].w) };
}

static bool update(const crInstance* instance, int body, crBodyState* state)
{
  crBodyState now = readBody(instance, body);
  bool isSame = memcmp(&now, state, sizeof now) == 0;
  *state = now;
  return isSame;
}

bool crContacts_Stays(const crInstance* instance, crContacts* contacts, int contact)
{
  const crTouchingPair* pair = &contacts->pairs.items[contact];
  crLinearContact* line = &contacts->lines.items[contact];
  bool stays = update(instance, contacts->facts[pair->shapeA].body, &line->a);
  return update(instance, contacts->facts[pair->shapeB].body, &line->b) && stays;
}

void crContacts_BeginLinear(const crInstance* instance, crContacts* contacts)
{
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    if (pair->path != cr_touchArea) {
      crContacts_Stays(instance, contacts, k);
    }
    if (pair->path != cr_touchArea || !isFirst(contacts, k)) {
      continue;
    }
    crAreaPart alone, *parts = &alone;
    int count = 1;
    if (!contacts->hasGroups || crIsAlone(contacts, k)) {
      crFillAreaPart(instance, contacts, k, &alone);
    } else {
      parts = contacts->parts.items;
      count = crFillAreaParts(instance, contacts, k);
    }
    crLinearContact* line = &contacts->lines.items[k];
    crComputeAreaSlope(pair->law, parts, count, &line->slope);
    line->a = readBody(instance, contacts->facts[pair->shapeA].body);
    line->b = readBody(instance, contacts->facts[pair->shapeB].body);
    for (int i = 0; i < count; ++i) {
      const crContact* contact = parts[i].contact;
      crLinearContact* own = &contacts->lines.items[contact - contacts->contacts.items];
      own->bristle = parts[i].bristle;
      memcpy(own->x, contact->bristle.x, sizeof own->x);
      memcpy(own->rate, contact->bristle.rate, sizeof own->rate);
    }
  }
  contacts->isLinear = true;
}

void crContacts_EndLinear(crContacts* contacts)
{
  contacts->isLinear = false;
}

// A small turn; the sum over columns c of c x (theta x c) is 2 theta.
static crVec3 findTurn(crMat3 from, crMat3 to)
{
  crVec3 sum = crAdd(crCross(from.cx, to.cx), crAdd(crCross(from.cy, to.cy), crCross(from.cz, to.cz)));
  return crScale(0.5, sum);
}

static crVec3 addFour(crVec3 is, crMat3 byX, crVec3 x, crMat3 byTurn, crVec3 turn, crMat3 byV, crVec3 v, crMat3 byW,
                      crVec3 w)
{
  crVec3 poses = crAdd(crMulMV(byX, x), crMulMV(byTurn, turn)), speeds = crAdd(crMulMV(byV, v), crMulMV(byW, w));
  return crAdd(is, crAdd(poses, speeds));
}

static void exertOn(crInstance* instance, int body, crVec3 f, crVec3 t)
{
  if (body > 0) {
    instance->F[body].f += crToLanes(f);
    instance->F[body].t += crToLanes(t);
  }
}

// How B has moved against A.
typedef struct Motion {
  crVec3 x, turn, v, w;
} Motion;

// What bristles add by themselves, and their rates; about B's origin.
static void pullLinear(const crLinearContact* line, const Motion* moved, crBristle* bristle, crVec3* ioForce,
                       crVec3* ioTorque)
{
  const crAreaBristle* s = &line->bristle;
  for (int i = 0; i < bristle->count; ++i) {
    double more = bristle->x[i] - line->x[i];
    double byPose = crDot(s->rateByX[i], moved->x) + crDot(s->rateByTurn[i], moved->turn);
    bristle->rate[i] = line->rate[i] + byPose + crDot(s->rateByV[i], moved->v) + crDot(s->rateByW[i], moved->w);
    *ioForce = crMulAdd(*ioForce, more, s->forceBy[i]);
    *ioTorque = crMulAdd(*ioTorque, more, s->torqueBy[i]);
    for (int k = 0; k < bristle->count; ++k) {
      bristle->rate[i] += s->rateBy[i][k] * (bristle->x[k] - line->x[k]);
    }
  }
}

double crPushLinear(crInstance* instance, crContacts* contacts, int contact)
{
  if (!isFirst(contacts, contact)) {
    return 0.0;
  }
  const crTouchingPair* pair = &contacts->pairs.items[contact];
  const crLinearContact* line = &contacts->lines.items[contact];
  const crAreaSlope* s = &line->slope;
  int bodyA = contacts->facts[pair->shapeA].body, bodyB = contacts->facts[pair->shapeB].body;
  crBodyState a = readBody(instance, bodyA), b = readBody(instance, bodyB);
  crVec3 p = crSub(line->b.p, line->a.p), turnA = findTurn(line->a.R, a.R), turnB = findTurn(line->b.R, b.R);
  crVec3 v = crSub(line->b.v, line->a.v), w = crSub(line->b.w, line->a.w);
  crVec3 wB = crSub(b.w, line->b.w), wA = crSub(a.w, line->a.w), spin = crSub(wA, crCross(turnA, line->a.w));
  crVec3 dX = crSub(crSub(crSub(b.p, line->b.p), crSub(a.p, line->a.p)), crCross(turnA, p));
  crVec3 dT = crSub(turnB, turnA);
  crVec3 dV = crSub(crSub(crSub(b.v, line->b.v), crSub(a.v, line->a.v)), crAdd(crCross(spin, p), crCross(turnA, v)));
  crVec3 dW = crSub(crSub(wB, wA), crCross(turnA, w));
  crVec3 f = addFour(s->wrench.f, s->forceByX, dX, s->forceByTurn, dT, s->forceByV, dV, s->forceByW, dW);
  crVec3 t = addFour(s->wrench.t, s->torqueByX, dX, s->torqueByTurn, dT, s->torqueByV, dV, s->torqueByW, dW);
  Motion moved = { dX, dT, dV, dW };
  for (int k = contact; k >= 0; k = contacts->hasGroups ? contacts->partners.items[k].next : -1) {
    pullLinear(&contacts->lines.items[k], &moved, &contacts->contacts.items[k].bristle, &f, &t);
  }
  f = crAdd(f, crCross(turnA, s->wrench.f));
  t = crAdd(t, crCross(turnA, s->wrench.t)); // about B's origin
  exertOn(instance, bodyB, f, t);
  exertOn(instance, bodyA, crNeg(f), crNeg(crAdd(t, crCross(crSub(b.p, a.p), f))));
  return 0.0 * (f.x + f.y + f.z + t.x + t.y + t.z);
}
