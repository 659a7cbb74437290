// df/dy of free bodies under contacts, from the slopes of the contact laws.
//
// A contact sees its two bodies through depth, relative velocities at the point, and the turn phi of its normal. With
// dx = dx_B - dx_A and r from a body's origin to the point,
//
//   ddelta = -e_n . (dx + theta_B x r_B - theta_A x r_A)
//   dv     = dv_B + dw_B x r_B + w_B x dr_B - (A likewise),    dw = dw_B - dw_A
//
// Laws know no directions but those that they are given, so that turning the normal by phi is turning all, and then
// the velocities back:
//
//   df = (df/ddelta) ddelta + (df/dv) (dv - phi x v) + (df/dw) (dw - phi x w) + phi x f
//
// Between two balls phi = e_n x dx / l, l from centre to centre. The wrench on a body, about its origin, is divided by
// its inertia as in articulated.c.
//
// Columns of a tree with L links in crModel_GetSparsity: 6 rates of each linked tree before it, the rows of
// coordinates, its own 6 rates, 6 of each linked tree behind it.
#include "model/eval/contact.h"

#include <string.h>

#define CR_FREE_RATES 6

// Rows of coordinates in each column of a free body, and those in all columns before it.
static const int coordinateRows[CR_FREE_STATES] = { 1, 1, 1, 4, 4, 4, 4, 1, 1, 1, 4, 4, 4 };
static const int coordinateStarts[CR_FREE_STATES + 1] = { 0, 1, 2, 3, 7, 11, 15, 19, 20, 21, 22, 26, 30, 34 };

bool crModel_HasRateMatrix(const crModel* model, crTreeSet set)
{
  bool isSo = true;
  for (int k = 0; k < set.treeCount; ++k) {
    isSo = isSo && model->areAlone[set.trees[k]];
  }
  return isSo;
}

// ------------------------------------------------------------------------------------------------ entries

// Rates of one tree in the columns of another, or of itself.
typedef struct Block {
  double* columns; // where those of the tree begin
  int height;      // rates in each column
  int skip;        // rates before these
  bool isBehind;   // the rows of coordinates
} Block;

static inline double* findColumn(const Block* block, int c)
{
  return block->columns + (size_t)c * (size_t)block->height + coordinateStarts[c] + block->skip +
         (block->isBehind ? coordinateRows[c] : 0);
}

// Of the rates of `row` in the columns of `tree`, which are linked unless they are the same.
static Block findBlock(const crInstance* instance, crTreeSet set, int tree, int row, double* values)
{
  const uint64_t* links = NULL;
  int linkCount = set.contacts != NULL ? crContacts_FindLinks(set.contacts, tree, &links) : 0, rank = row > tree;
  for (int i = 0; i < linkCount; ++i) {
    rank += (int)(uint32_t)links[i] < row;
  }
  Block block = { values + instance->entries[tree], CR_FREE_RATES * (linkCount + 1), CR_FREE_RATES * rank,
                  row >= tree };
  return block;
}

static inline void addVector(double* to, crVec3 a)
{
  to[0] += a.x;
  to[1] += a.y;
  to[2] += a.z;
}

// ------------------------------------------------------------------------------------------- what is exact

static crVec3 axis(int i)
{
  return crMakeVec3(i == 0, i == 1, i == 2);
}

// q' = v, and 1/2 (0, w) q of the quaternion.
static void fillCoordinates(const double* y, const Block* own)
{
  for (int i = 0; i < 3; ++i) {
    findColumn(own, CR_FREE_VELOCITY + i)[-1] = 1.0;
    double unit[3] = { i == 0, i == 1, i == 2 };
    crComputeQuaternionRate(y + CR_FREE_QUATERNION, unit, findColumn(own, CR_FREE_SPIN + i) - 4);
  }
  for (int k = 0; k < 4; ++k) {
    double unit[4] = { k == 0, k == 1, k == 2, k == 3 };
    crComputeQuaternionRate(unit, y + CR_FREE_SPIN, findColumn(own, CR_FREE_QUATERNION + k) - 4);
  }
}

// ------------------------------------------------------------------------------------------------- bodies

// What opposes a wrench: 1 / m, the centre of mass from the origin, the inverse inertia about it.
typedef struct Inverse {
  double mass;
  crVec3 c;
  crMat3 I;
  bool isRound; // a factor is all: I.cx.x
} Inverse;

static Inverse invertInertia(const crInstance* instance, int tree)
{
  const crModel* model = instance->model;
  int body = model->trees[tree].bodyStart;
  const crLink* link = &model->links[body];
  Inverse inverse = { .mass = 1.0 / link->mass, .isRound = model->areRound[tree] };
  if (inverse.isRound) {
    inverse.I.cx.x = 1.0 / link->I_Bo.x[0];
    return inverse;
  }
  crMat3 I = crFromLanes33(instance->rigids[body].I);
  crVec3 h = crFromLanes(instance->rigids[body].h), c = crScale(inverse.mass, h);
  double hc = crDot(h, c);
  crVec3 x = crAdd(crMulAdd(I.cx, c.x, h), crMakeVec3(-hc, 0.0, 0.0));
  crVec3 y = crAdd(crMulAdd(I.cy, c.y, h), crMakeVec3(0.0, -hc, 0.0));
  crVec3 z = crAdd(crMulAdd(I.cz, c.z, h), crMakeVec3(0.0, 0.0, -hc));
  crVec3 yz = crCross(y, z);
  double factor = 1.0 / crDot(x, yz);
  inverse.c = c;
  inverse.I = (crMat3){ crScale(factor, yz), crScale(factor, crCross(z, x)), crScale(factor, crCross(x, y)) };
  return inverse;
}

// Adds the acceleration by a wrench about the origin to a column.
static inline void addAcceleration(const Inverse* inverse, crVec3 f, crVec3 t, double* column)
{
  if (inverse->isRound) {
    addVector(column, crScale(inverse->mass, f));
    addVector(column + 3, crScale(inverse->I.cx.x, t));
    return;
  }
  crVec3 turning = crMulMV(inverse->I, crSub(t, crCross(inverse->c, f)));
  addVector(column, crSub(crScale(inverse->mass, f), crCross(turning, inverse->c)));
  addVector(column + 3, turning);
}

// -(w x I w) and -(w x (w x h)), by w.
static void addGyroscopic(const crInstance* instance, int tree, const Block* own)
{
  int body = instance->model->trees[tree].bodyStart;
  Inverse inverse = invertInertia(instance, tree);
  crMat3 I = crFromLanes33(instance->rigids[body].I);
  crVec3 h = crFromLanes(instance->rigids[body].h), w = crFromLanes(instance->V[body].w);
  crVec3 Iw = crMulMV(I, w), wh = crCross(w, h);
  for (int i = 0; i < 3; ++i) {
    crVec3 e = axis(i);
    crVec3 t = crAdd(crCross(e, Iw), crCross(w, crMulMV(I, e))), f = crAdd(crCross(e, wh), crCross(w, crCross(e, h)));
    addAcceleration(&inverse, crNeg(f), crNeg(t), findColumn(own, CR_FREE_SPIN + i));
  }
}

// ----------------------------------------------------------------------------------------------- contacts

// One of the two bodies of a pair.
typedef struct Side {
  int tree;    // -1: the world
  double sign; // 1 for B, -1 for A
  bool isRound;
  crVec3 p, w; // origin and angular velocity
  Inverse inverse;
  Block blocks[2]; // its columns, in the rows of A and of B
  crMat3 turns;    // theta by x, y, z of the quaternion
  crVec3 turnByW;  // and by its w
} Side;

typedef struct Pair {
  Side sides[2]; // A, B
  bool isBallA, isBallB;
  double length; // [m] between the centres of two balls, else infinite
} Pair;

// What a contact is now, with its arms.
typedef struct Touch {
  crVec3 n, v, w, f, t;
  crVec3 r[2];
  crContactSlope slope;
} Touch;

// A change of what a contact sees.
typedef struct Change {
  double depth;
  crVec3 v, w, phi;
  crVec3 r[2];
} Change;

// theta = 2 Im(dq q*) / |q|^2, with Im(dq q*) = q_w dv - dw q_v + q_v x dv.
static void findTurns(const double* q, Side* side)
{
  crVec3 v = crMakeVec3(q[1], q[2], q[3]);
  double s = 2.0 / (q[0] * q[0] + crLengthSquared(v));
  side->turnByW = crScale(-s, v);
  side->turns = (crMat3){ crScale(s, crMakeVec3(q[0], v.z, -v.y)), crScale(s, crMakeVec3(-v.z, q[0], v.x)),
                          crScale(s, crMakeVec3(v.y, -v.x, q[0])) };
}

static Side makeSide(const crInstance* instance, int shape, int tree, double sign)
{
  const crModel* model = instance->model;
  int body = model->contactShapes[shape].body;
  Side side = { .tree = tree,
                .sign = sign,
                .isRound = tree < 0 || model->areRound[tree],
                .p = crFromLanes(instance->places[body].p),
                .w = crFromLanes(instance->V[body].w) };
  if (tree >= 0) {
    side.inverse = invertInertia(instance, tree);
    findTurns(instance->y + model->trees[tree].qStart + CR_FREE_QUATERNION, &side);
  }
  return side;
}

static Pair makePair(const crInstance* instance, crTreeSet set, const crTouchingPair* touching, double* values)
{
  const crModel* model = instance->model;
  const crContacts* contacts = set.contacts;
  const int shapes[2] = { touching->shapeA, touching->shapeB };
  const crShape *a = model->contactShapes[shapes[0]].shape, *b = model->contactShapes[shapes[1]].shape;
  Pair pair = { .isBallA = a->kind == cr_shapeSphere || b->kind == cr_shapeHalfSpace,
                .isBallB = b->kind == cr_shapeSphere || a->kind == cr_shapeHalfSpace,
                .length = HUGE_VAL };
  if (a->kind == cr_shapeSphere && b->kind == cr_shapeSphere) {
    pair.length = crLength(crSub(contacts->poses[shapes[1]].p, contacts->poses[shapes[0]].p));
  }
  for (int i = 0; i < 2; ++i) {
    pair.sides[i] = makeSide(instance, shapes[i], contacts->facts[shapes[i]].tree, i == 0 ? -1.0 : 1.0);
  }
  for (int i = 0; i < 4; ++i) {
    Side *column = &pair.sides[i / 2], *row = &pair.sides[i % 2];
    if (column->tree >= 0 && row->tree >= 0) {
      column->blocks[i % 2] = findBlock(instance, set, column->tree, row->tree, values);
    }
  }
  return pair;
}

static crContactSlope scaleSlope(crContactSlope slope, double s)
{
  crMat3* matrices[] = { &slope.forcePerV, &slope.torquePerV, &slope.forcePerW, &slope.torquePerW };
  slope.forcePerDepth = crScale(s, slope.forcePerDepth);
  slope.torquePerDepth = crScale(s, slope.torquePerDepth);
  for (int i = 0; i < 4; ++i) {
    crMat3* m = matrices[i];
    *m = (crMat3){ crScale(s, m->cx), crScale(s, m->cy), crScale(s, m->cz) };
  }
  return slope;
}

// The weight of a touch counts as constant.
static crContactSlope findSlope(const crContactLaw* law, const crContact* contact)
{
  if (contact->now.weight >= 1.0) {
    return crComputeContactSlope(law, &contact->memory, &contact->motion, &contact->force);
  }
  crContactForce whole = crComputeContactForce(law, &contact->memory, &contact->motion);
  return scaleSlope(crComputeContactSlope(law, &contact->memory, &contact->motion, &whole), contact->now.weight);
}

static Touch makeTouch(const Pair* pair, const crContactLaw* law, const crContact* contact)
{
  const crContactMotion* motion = &contact->motion;
  Touch touch = { .n = motion->normal,
                  .v = crMulAdd(motion->slip, -motion->rate, motion->normal),
                  .w = motion->turn,
                  .f = contact->force.force,
                  .t = contact->force.torque,
                  .r = { crSub(contact->now.point, pair->sides[0].p), crSub(contact->now.point, pair->sides[1].p) },
                  .slope = findSlope(law, contact) };
  return touch;
}

// dx: of B against A. The point is in the middle between both surfaces; on a flat it follows the ball.
static Change moveBody(const Pair* pair, const Touch* touch, crVec3 dx)
{
  Change change = { .depth = -crDot(touch->n, dx) };
  crVec3 along = crScale(-0.5 * change.depth, touch->n);
  if (isfinite(pair->length)) {
    // r_A + (r_B reversed) is the line of centres, and both turn with it
    crVec3 dn = crScale(1.0 / pair->length, crMulAdd(dx, change.depth, touch->n));
    double armA = crDot(touch->n, touch->r[0]), armB = crDot(touch->n, touch->r[1]);
    change.phi = crCross(touch->n, dn);
    change.r[0] = crMulAdd(along, armA, dn);
    change.r[1] = crMulAdd(crNeg(along), armB, dn);
  } else if (pair->isBallB) {
    change.r[0] = crSub(dx, along);
    change.r[1] = crNeg(along);
  } else if (pair->isBallA) {
    change.r[0] = along;
    change.r[1] = crSub(along, dx);
  }
  change.v = crSub(crCross(pair->sides[1].w, change.r[1]), crCross(pair->sides[0].w, change.r[0]));
  return change;
}

// Force and torque that a change brings.
typedef struct Push {
  crVec3 f, t[2]; // on B; about the origins of A and B
} Push;

static Push findPush(const Touch* touch, const Change* change)
{
  const crContactSlope* slope = &touch->slope;
  crVec3 v = crSub(change->v, crCross(change->phi, touch->v)), w = crSub(change->w, crCross(change->phi, touch->w));
  crVec3 f = crAdd(crMulMV(slope->forcePerV, v), crMulMV(slope->forcePerW, w));
  crVec3 t = crAdd(crMulMV(slope->torquePerV, v), crMulMV(slope->torquePerW, w));
  f = crAdd(crMulAdd(f, change->depth, slope->forcePerDepth), crCross(change->phi, touch->f));
  t = crAdd(crMulAdd(t, change->depth, slope->torquePerDepth), crCross(change->phi, touch->t));
  Push push = { .f = f };
  for (int i = 0; i < 2; ++i) {
    push.t[i] = crAdd(t, crAdd(crCross(touch->r[i], f), crCross(change->r[i], touch->f)));
  }
  return push;
}

static void addPush(const Pair* pair, const Side* column, int c, const Push* push, double factor)
{
  for (int i = 0; i < 2; ++i) {
    const Side* row = &pair->sides[i];
    if (row->tree >= 0) {
      double s = factor * row->sign;
      addAcceleration(&row->inverse, crScale(s, push->f), crScale(s, push->t[i]), findColumn(&column->blocks[i], c));
    }
  }
}

// Turning a body moves what it touches with; its depth alone is looked at.
static void addTurns(const Pair* pair, const Side* side, const Touch* touch, crVec3 r)
{
  crVec3 depthPerTurn = crScale(-side->sign, crCross(r, touch->n));
  Change change = { .depth = 1.0 };
  Push push = findPush(touch, &change);
  const crVec3 turns[4] = { side->turnByW, side->turns.cx, side->turns.cy, side->turns.cz };
  for (int k = 0; k < 4; ++k) {
    addPush(pair, side, CR_FREE_QUATERNION + k, &push, crDot(depthPerTurn, turns[k]));
  }
}

static void addColumns(const Pair* pair, const Side* side, const Touch* touch, crVec3 r)
{
  for (int i = 0; i < 3; ++i) {
    crVec3 e = crScale(side->sign, axis(i));
    Change moved = moveBody(pair, touch, e), faster = { .v = e }, spun = { .v = crCross(e, r), .w = e };
    Push push = findPush(touch, &moved);
    addPush(pair, side, i, &push, 1.0);
    push = findPush(touch, &faster);
    addPush(pair, side, CR_FREE_VELOCITY + i, &push, 1.0);
    push = findPush(touch, &spun);
    addPush(pair, side, CR_FREE_SPIN + i, &push, 1.0);
  }
  if (!side->isRound) {
    addTurns(pair, side, touch, r);
  }
}

static void addContacts(const crInstance* instance, crTreeSet set, double* values)
{
  const crContacts* contacts = set.contacts;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* touching = &contacts->pairs.items[k];
    Pair pair = makePair(instance, set, touching, values);
    for (int i = 0; i < touching->contactCount; ++i) {
      Touch touch = makeTouch(&pair, touching->law, &contacts->contacts.items[touching->contactStart + i]);
      for (int j = 0; j < 2; ++j) {
        if (pair.sides[j].tree >= 0) {
          addColumns(&pair, &pair.sides[j], &touch, touch.r[j]);
        }
      }
    }
  }
}

crStatus crInstance_ComputeRateMatrix(crInstance* instance, crTreeSet set, double t, const double* y, double* outValues)
{
  const crModel* model = instance->model;
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stageForce);
  if (status != cr_ok) {
    return status;
  }
  int count = 0;
  for (int k = 0; k < set.treeCount; ++k) {
    int tree = set.trees[k];
    instance->entries[tree] = count;
    Block own = findBlock(instance, set, tree, tree, outValues);
    int size = CR_FREE_STATES * own.height + coordinateStarts[CR_FREE_STATES];
    memset(outValues + count, 0, (size_t)size * sizeof *outValues);
    fillCoordinates(y + (size_t)CR_FREE_STATES * (size_t)k, &own);
    if (!model->areRound[tree]) {
      addGyroscopic(instance, tree, &own);
    }
    count += size;
  }
  if (set.contacts != NULL) {
    addContacts(instance, set, outValues);
  }
  return cr_ok;
}
