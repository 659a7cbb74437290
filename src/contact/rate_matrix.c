// df/dy of free bodies under contacts, from the slopes of the contact laws.
//
// A contact sees its two bodies through depth, relative velocities at the point, and the turn phi of its normal. With
// dx = dx_B - dx_A and r from a body's origin to the point,
//
//   ddelta = -n . (dx + theta_B x r_B - theta_A x r_A)
//   dv     = dv_B + dw_B x r_B + w_B x dr_B - (A likewise),    dw = dw_B - dw_A
//
// Laws know no directions but those that they are given, so that turning the normal by phi is turning all, and then
// the velocities back:
//
//   df = (df/ddelta) ddelta + (df/dv) (dv - phi x v) + (df/dw) (dw - phi x w) + phi x f
//
// Between two balls phi = k n x dx with k = 1 / l, l from centre to centre; else k = 0. Arms change by
//
//   dr = alpha n (n . dx) + beta dx
//
// because the point is in the middle between both surfaces, and on a flat it follows the ball. So with
// u = (alpha_B w_B - alpha_A w_A) x n and b = beta_B w_B - beta_A w_A,
//
//   df/dx = -(df/ddelta) n^T + (df/dv) (u n^T + [b]x - k (n.v) 1 + k n v^T) + (df/dw) (k n w^T - k (n.w) 1)
//           + k (n.f) 1 - k n f^T
//
// and likewise the torque. What touches of one ball with several solids push with depends on the depths of all of them
// (contact_group.h); area contacts have slopes of their own (area_contact.h). The wrench on a body, about its origin,
// is divided by its inertia as in free_body.h.
//
// Columns of a tree with L links in crModel_GetSparsity: 6 rates of each linked tree before it, the rows of
// coordinates, its own 6 rates, 6 of each linked tree behind it.
#include "contact/area_contact.h"
#include "contact/contact_group.h"
#include "math/mat3.h"
#include "model/eval/free_body.h"

#include <string.h>

#define CR_FREE_RATES 6
#define CR_SHARE_SLOPES 16 // contacts of a group whose shares are looked at

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
  int height = CR_FREE_RATES * (linkCount + 1);
  height += set.contacts != NULL && set.contacts->bristleCount > 0
                ? crContacts_CountBristleRows(set.contacts, tree, INT32_MAX)
                : 0;
  Block block = { values + instance->entries[tree], height, CR_FREE_RATES * rank, row >= tree };
  return block;
}

// Of the states of a bristle in the columns of a tree that it touches: behind all rates.
static Block findBristleBlock(const crInstance* instance, crTreeSet set, int tree, int place, double* values)
{
  Block block = findBlock(instance, set, tree, tree, values);
  int others = crContacts_CountBristleRows(set.contacts, tree, INT32_MAX);
  block.skip = block.height - others + crContacts_CountBristleRows(set.contacts, tree, place);
  block.isBehind = true;
  return block;
}

// Three columns, one below the other in `rates`: velocities, then angular velocities.
typedef struct Rates {
  crLanes33 v, w;
} Rates;

static inline void addLanes(double* to, crLanes a)
{
  to[0] += a[0];
  to[1] += a[1];
  to[2] += a[2];
}

static inline void addRates(const Block* block, int c, const Rates* rates)
{
  double *x = findColumn(block, c), *y = findColumn(block, c + 1), *z = findColumn(block, c + 2);
  addLanes(x, rates->v.x);
  addLanes(x + 3, rates->w.x);
  addLanes(y, rates->v.y);
  addLanes(y + 3, rates->w.y);
  addLanes(z, rates->v.z);
  addLanes(z + 3, rates->w.z);
}

// ------------------------------------------------------------------------------------------- what is exact

// q' = v, and 1/2 (0, w) q of the quaternion.
static void fillCoordinates(const double* y, const Block* own)
{
  double q0 = 0.5 * y[3], q1 = 0.5 * y[4], q2 = 0.5 * y[5], q3 = 0.5 * y[6];
  double w1 = 0.5 * y[10], w2 = 0.5 * y[11], w3 = 0.5 * y[12];
  const double byQuaternion[4][4] = {
    { 0.0, w1, w2, w3 }, { -w1, 0.0, w3, -w2 }, { -w2, -w3, 0.0, w1 }, { -w3, w2, -w1, 0.0 }
  };
  const double bySpin[3][4] = { { -q1, q0, -q3, q2 }, { -q2, q3, q0, -q1 }, { -q3, -q2, q1, q0 } };
  for (int k = 0; k < 4; ++k) {
    memcpy(findColumn(own, CR_FREE_QUATERNION + k) - 4, byQuaternion[k], sizeof byQuaternion[k]);
  }
  for (int i = 0; i < 3; ++i) {
    findColumn(own, CR_FREE_VELOCITY + i)[-1] = 1.0;
    memcpy(findColumn(own, CR_FREE_SPIN + i) - 4, bySpin[i], sizeof bySpin[i]);
  }
}

// -------------------------------------------------------------------------------------------- matrices

static inline crLanes33 scaleL33(crLanes33 m, double s)
{
  crLanes33 p = { m.x * s, m.y * s, m.z * s };
  return p;
}

// m + s 1
static inline crLanes33 addDiagonal(crLanes33 m, double s)
{
  crLanes33 p = { m.x + (crLanes){ s, 0.0, 0.0, 0.0 }, m.y + (crLanes){ 0.0, s, 0.0, 0.0 },
                  m.z + (crLanes){ 0.0, 0.0, s, 0.0 } };
  return p;
}

// [r]x
static inline crLanes33 crossL33(crLanes r)
{
  crLanes33 m = { { 0.0, r[2], -r[1], 0.0 }, { -r[2], 0.0, r[0], 0.0 }, { r[1], -r[0], 0.0, 0.0 } };
  return m;
}

// ------------------------------------------------------------------------------------------------- bodies

// What opposes a wrench: 1 / m, the centre of mass from the origin, the inverse inertia about it.
typedef struct Inverse {
  double mass, round; // round: 1 / I, if that is all, else 0
  crLanes c;
  crLanes33 I;
} Inverse;

static Inverse invertInertia(const crInstance* instance, int tree)
{
  int body = instance->model->trees[tree].bodyStart;
  const crLink* link = &instance->model->links[body];
  Inverse inverse = { .mass = link->inverseMass, .round = link->inverseRound };
  if (inverse.round > 0.0) {
    return inverse;
  }
  crLanes h = instance->rigids[body].h, c = h * link->inverseMass;
  crLanes33 I = addDiagonal(crSubScaledOuterL(instance->rigids[body].I, h, c, -1.0), -crDotL(h, c));
  crLanes33 adjoint = { crCrossL(I.y, I.z), crCrossL(I.z, I.x), crCrossL(I.x, I.y) };
  inverse.c = c;
  inverse.I = scaleL33(adjoint, 1.0 / crDotL(I.x, adjoint.x));
  return inverse;
}

// Accelerations by wrenches about the origin.
static inline Rates accelerate(const Inverse* inverse, const crLanes33* f, const crLanes33* t)
{
  Rates rates = { scaleL33(*f, inverse->mass), scaleL33(*t, inverse->round) };
  if (inverse->round == 0.0) {
    rates.w = crMulMML(inverse->I, crAddL33(*t, scaleL33(crCrossMulL(inverse->c, *f), -1.0)));
    rates.v = crAddL33(rates.v, crCrossMulL(inverse->c, rates.w));
  }
  return rates;
}

// -(w x I w) and -(w x (w x h)), by w.
static void addGyroscopic(const crInstance* instance, int tree, const Block* own)
{
  int body = instance->model->trees[tree].bodyStart;
  Inverse inverse = invertInertia(instance, tree);
  crLanes33 I = instance->rigids[body].I;
  crLanes h = instance->rigids[body].h, w = instance->V[body].w;
  crLanes33 t = crAddL33(crossL33(crMulL(I, w)), scaleL33(crCrossMulL(w, I), -1.0));
  crLanes33 f = crAddL33(crossL33(crCrossL(w, h)), crCrossMulL(w, crossL33(h)));
  Rates rates = accelerate(&inverse, &f, &t);
  addRates(own, CR_FREE_SPIN, &rates);
}

// ----------------------------------------------------------------------------------------------- contacts

// One of the two bodies of a pair.
typedef struct Side {
  int tree;           // -1: the world
  double sign;        // 1 for B, -1 for A
  double alpha, beta; // change of its arm
  crLanes p, w;       // origin and angular velocity
  Inverse inverse;
  Block blocks[2];  // its columns, in the rows of A and of B
  crLanes turns[4]; // theta by the quaternion; zero for a round body
} Side;

typedef struct Pair {
  Side sides[2]; // A, B
  double k;      // [1/m] turn of the normal
  bool hasTurn;  // by a matrix K instead, on a surface of a profile; then arms change by M dx as well
  crLanes33 K, M;
} Pair;

// What a contact is now, with its arms.
typedef struct Touch {
  crLanes n, v, w, f, t;
  crLanes r[2];
  crLanes fPerDepth, tPerDepth;
  crLanes33 fPerV, tPerV, fPerW, tPerW;
} Touch;

// theta = 2 Im(dq q*) / |q|^2, with Im(dq q*) = q_w dv - dw q_v + q_v x dv.
static void findTurns(const double* q, crLanes turns[4])
{
  double s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  turns[0] = (crLanes){ -q[1], -q[2], -q[3], 0.0 } * s;
  turns[1] = (crLanes){ q[0], q[3], -q[2], 0.0 } * s;
  turns[2] = (crLanes){ -q[3], q[0], q[1], 0.0 } * s;
  turns[3] = (crLanes){ q[2], -q[1], q[0], 0.0 } * s;
}

static void fillSide(const crInstance* instance, const crShapeFacts* facts, double sign, Side* side)
{
  side->tree = facts->stateTree;
  side->sign = sign;
  side->p = instance->places[facts->body].p;
  side->w = instance->V[facts->body].w;
  if (side->tree >= 0) {
    side->inverse = invertInertia(instance, side->tree);
    if (side->inverse.round == 0.0) {
      findTurns(instance->y + instance->model->trees[side->tree].qStart + CR_FREE_QUATERNION, side->turns);
    }
  }
}

// On a surface with two curvatures dn = K dx. The arm of the ball is along n, and the other one goes with it.
static void findTurn(const crContacts* contacts, const crTouchingPair* touching, bool isSphereA, const crTouch* now,
                     Pair* pair)
{
  int sphere = isSphereA ? touching->shapeA : touching->shapeB, other = isSphereA ? touching->shapeB : touching->shapeA;
  const crShape* shapes = contacts->model->shapes;
  crMat3 K =
      crComputeTouchTurn(&shapes[sphere], contacts->poses[sphere].p, &shapes[other], &contacts->poses[other], now);
  double arm = shapes[sphere].sweep + 0.5 * now->distance;
  pair->hasTurn = true;
  pair->K = crToLanes33(K);
  pair->M = scaleL33(pair->K, isSphereA ? arm : -arm);
}

// How normal and arms change with dx. Corners on a plane are balls, too.
static void findArms(const crContacts* contacts, const crTouchingPair* touching, Pair* pair)
{
  const crShape *a = &contacts->model->shapes[touching->shapeA], *b = &contacts->model->shapes[touching->shapeB];
  Side *A = &pair->sides[0], *B = &pair->sides[1];
  pair->k = A->alpha = A->beta = B->alpha = B->beta = 0.0;
  if (touching->path == cr_touchSpheres) {
    crVec3 line = crSub(contacts->poses[touching->shapeB].p, contacts->poses[touching->shapeA].p);
    double length = crLength(line), armA = 0.5 * (length + a->sweep - b->sweep), armB = armA - length;
    pair->k = 1.0 / length;
    A->beta = armA * pair->k;
    B->beta = armB * pair->k;
    A->alpha = 0.5 - A->beta;
    B->alpha = -0.5 - B->beta;
  } else if (b->kind == cr_shapeSphere || a->kind == cr_shapeHalfSpace) {
    A->alpha = B->alpha = -0.5;
    A->beta = 1.0;
  } else if (a->kind == cr_shapeSphere || b->kind == cr_shapeHalfSpace) {
    A->alpha = B->alpha = 0.5;
    B->beta = -1.0;
  }
  pair->hasTurn = false;
  if ((crIsSurface(a) || crIsSurface(b)) && (a->kind == cr_shapeSphere || b->kind == cr_shapeSphere)) {
    const crContact* contact = crContacts_GetOf(contacts, touching);
    findTurn(contacts, touching, a->kind == cr_shapeSphere, &contact->now, pair);
  }
}

static void fillPair(const crInstance* instance, crTreeSet set, const crTouchingPair* touching, double* values,
                     Pair* pair)
{
  const crContacts* contacts = set.contacts;
  fillSide(instance, &contacts->facts[touching->shapeA], -1.0, &pair->sides[0]);
  fillSide(instance, &contacts->facts[touching->shapeB], 1.0, &pair->sides[1]);
  findArms(contacts, touching, pair);
  for (int i = 0; i < 4; ++i) {
    Side *column = &pair->sides[i / 2], *row = &pair->sides[i % 2];
    if (column->tree >= 0 && row->tree >= 0) {
      column->blocks[i % 2] = findBlock(instance, set, column->tree, row->tree, values);
    }
  }
}

static void fillSlope(const crContactLaw* law, const crContact* contact, double share, Touch* touch)
{
  crContactMemory memory = crScaleMemory(law, &contact->memory, share);
  crContactSlope slope = crComputeContactSlope(law, &memory, &contact->motion, &contact->force);
  touch->fPerDepth = crToLanes(slope.forcePerDepth);
  touch->tPerDepth = crToLanes(slope.torquePerDepth);
  touch->fPerV = crToLanes33(slope.forcePerV);
  touch->tPerV = crToLanes33(slope.torquePerV);
  touch->fPerW = crToLanes33(slope.forcePerW);
  touch->tPerW = crToLanes33(slope.torquePerW);
}

static void fillTouch(const Pair* pair, const crContactLaw* law, const crContact* contact, double share, Touch* touch)
{
  const crContactMotion* motion = &contact->motion;
  crLanes point = crToLanes(contact->now.point);
  touch->n = crToLanes(motion->normal);
  touch->v = crToLanes(motion->slip) - touch->n * motion->rate;
  touch->w = crToLanes(motion->turn);
  touch->f = crToLanes(contact->force.force);
  touch->t = crToLanes(contact->force.torque);
  touch->r[0] = point - pair->sides[0].p;
  touch->r[1] = point - pair->sides[1].p;
  fillSlope(law, contact, share, touch);
}

// With u = K dx in place of k dx.
static crLanes33 addTurnOfNormal(crLanes33 m, const Pair* pair, const Touch* touch, crLanes33 perV, crLanes33 perW,
                                 crLanes now)
{
  crLanes n = touch->n;
  crLanes33 byV = crCrossMulL(touch->w, pair->M);
  byV = crAddL33(byV, scaleL33(pair->K, -crDotL(n, touch->v)));
  byV = crSubScaledOuterL(byV, n, crMulL(pair->K, touch->v), -1.0);
  crLanes33 byW = crSubScaledOuterL(scaleL33(pair->K, -crDotL(n, touch->w)), n, crMulL(pair->K, touch->w), -1.0);
  m = crAddL33(m, crAddL33(crMulMML(perV, byV), crMulMML(perW, byW)));
  m = crSubScaledOuterL(m, n, crMulL(pair->K, now), 1.0);
  return crAddL33(m, scaleL33(pair->K, crDotL(n, now)));
}

// Force or torque, by dx; `now` is what it is.
static crLanes33 slopeByPosition(const Pair* pair, const Touch* touch, crLanes perDepth, crLanes33 perV, crLanes33 perW,
                                 crLanes now)
{
  const Side *A = &pair->sides[0], *B = &pair->sides[1];
  crLanes n = touch->n;
  crLanes u = crCrossL(B->w * B->alpha - A->w * A->alpha, n), b = B->w * B->beta - A->w * A->beta;
  crLanes33 m = crMulCrossL(perV, b);
  m = crSubScaledOuterL(m, perDepth - crMulL(perV, u), n, 1.0);
  if (pair->k > 0.0) {
    double k = pair->k;
    m = crAddL33(m, scaleL33(perV, -k * crDotL(n, touch->v)));
    m = crAddL33(m, scaleL33(perW, -k * crDotL(n, touch->w)));
    m = crSubScaledOuterL(m, crMulL(perV, n), touch->v, -k);
    m = crSubScaledOuterL(m, crMulL(perW, n), touch->w, -k);
    m = addDiagonal(crSubScaledOuterL(m, n, now, k), k * crDotL(n, now));
  }
  return pair->hasTurn ? addTurnOfNormal(m, pair, touch, perV, perW, now) : m;
}

// Adds forces on B, and their torques about its point, to the rates of both bodies in three columns of a side.
static inline void addForces(const Pair* pair, const Touch* touch, const Side* column, int c, const crLanes33* f,
                             const crLanes33* torque)
{
  for (int i = 0; i < 2; ++i) {
    const Side* row = &pair->sides[i];
    if (row->tree >= 0) {
      double s = column->sign * row->sign;
      crLanes33 fs = scaleL33(*f, s), ts = crAddL33(scaleL33(*torque, s), crCrossMulL(touch->r[i], fs));
      if (c == 0) { // the force acts at another point
        ts = crSubScaledOuterL(ts, crCrossL(touch->n, touch->f), touch->n, -s * row->alpha);
        ts = crAddL33(ts, scaleL33(crossL33(touch->f), -s * row->beta));
        ts = pair->hasTurn ? crAddL33(ts, scaleL33(crCrossMulL(touch->f, pair->M), -s)) : ts;
      }
      Rates rates = accelerate(&row->inverse, &fs, &ts);
      addRates(&column->blocks[i], c, &rates);
    }
  }
}

// Turning a body moves what it touches with; its depth alone is looked at.
static void addTurns(const Pair* pair, const Touch* touch, const Side* column, crLanes r)
{
  crLanes depthPerTurn = crCrossL(r, touch->n) * -column->sign;
  for (int i = 0; i < 2; ++i) {
    const Side* row = &pair->sides[i];
    if (row->tree >= 0) {
      crLanes zero = crZeroLanes(), t = touch->tPerDepth + crCrossL(touch->r[i], touch->fPerDepth);
      crLanes33 f3 = { touch->fPerDepth * row->sign, zero, zero }, t3 = { t * row->sign, zero, zero };
      Rates rates = accelerate(&row->inverse, &f3, &t3);
      for (int k = 0; k < 4; ++k) {
        double depth = crDotL(depthPerTurn, column->turns[k]);
        double* rows = findColumn(&column->blocks[i], CR_FREE_QUATERNION + k);
        addLanes(rows, rates.v.x * depth);
        addLanes(rows + 3, rates.w.x * depth);
      }
    }
  }
}

static void addContact(const Pair* pair, const Touch* touch)
{
  crLanes33 f = slopeByPosition(pair, touch, touch->fPerDepth, touch->fPerV, touch->fPerW, touch->f);
  crLanes33 t = slopeByPosition(pair, touch, touch->tPerDepth, touch->tPerV, touch->tPerW, touch->t);
  for (int i = 0; i < 2; ++i) {
    const Side* column = &pair->sides[i];
    if (column->tree >= 0) {
      crLanes33 fw = crAddL33(touch->fPerW, scaleL33(crMulCrossL(touch->fPerV, touch->r[i]), -1.0));
      crLanes33 tw = crAddL33(touch->tPerW, scaleL33(crMulCrossL(touch->tPerV, touch->r[i]), -1.0));
      addForces(pair, touch, column, 0, &f, &t);
      addForces(pair, touch, column, CR_FREE_VELOCITY, &touch->fPerV, &touch->tPerV);
      addForces(pair, touch, column, CR_FREE_SPIN, &fw, &tw);
      if (column->inverse.round == 0.0) {
        addTurns(pair, touch, column, touch->r[i]);
      }
    }
  }
}

// ------------------------------------------------------------------------------------------- area contacts

// A wrench on B about its origin, by three numbers.
typedef struct Slope {
  crMat3 f, t;
} Slope;

// The rates of both bodies by a wrench on B, in three columns that begin with c; through `turns` in four.
static void addSlope(const Pair* pair, const Side* column, int c, const Slope* slope, crVec3 p_AB, crVec3 force)
{
  for (int i = 0; i < 2; ++i) {
    const Side* row = &pair->sides[i];
    if (row->tree < 0) {
      continue;
    }
    crMat3 torque = i == 1 ? slope->t : crMulAddMat3(slope->t, 1.0, crCrossMat3(p_AB, slope->f)); // about A's origin
    if (i == 0 && c == 0) { // which the arm changes, too
      torque = crMulAddMat3(torque, -column->sign, crCrossMat3(force, crIdentityMat3()));
    }
    crLanes33 f = scaleL33(crToLanes33(slope->f), row->sign), t = scaleL33(crToLanes33(torque), row->sign);
    Rates rates = accelerate(&row->inverse, &f, &t);
    if (c != CR_FREE_QUATERNION) {
      addRates(&column->blocks[i], c, &rates);
      continue;
    }
    for (int k = 0; k < 4; ++k) {
      double* rows = findColumn(&column->blocks[i], CR_FREE_QUATERNION + k);
      addLanes(rows, crMulL(rates.v, column->turns[k]));
      addLanes(rows + 3, crMulL(rates.w, column->turns[k]));
    }
  }
}

// ---------------------------------------------------------------------------------------------- bristles

// The rate of a state of a bristle by three columns of a side.
static void addRow(const Block* block, int c, int state, crVec3 row)
{
  findColumn(block, c)[state] += row.x;
  findColumn(block, c + 1)[state] += row.y;
  findColumn(block, c + 2)[state] += row.z;
}

static void addTurnedRow(const Block* block, const Side* column, int state, crVec3 row)
{
  for (int k = 0; k < 4; ++k) {
    findColumn(block, CR_FREE_QUATERNION + k)[state] += crDotL(crToLanes(row), column->turns[k]);
  }
}

// Columns of a bristle: the rates of both bodies by a force on B and its torque about an origin of B or of A, and its
// own. Rates of the tree with the smaller number come first.
static void addBristleColumns(const crContacts* contacts, int index, const Pair* pair, const crVec3* force,
                              const crVec3* torqueA, const crVec3* torqueB, const double* rateBy, double* values)
{
  const crContact* contact = &contacts->contacts.items[index];
  const Side *A = &pair->sides[0], *B = &pair->sides[1];
  int count = contact->bristle.count, trees = (A->tree >= 0) + (B->tree >= 0 && B->tree != A->tree);
  int height = CR_FREE_RATES * trees + count;
  for (int j = 0; j < count; ++j) {
    double* column = values + contact->column + (size_t)j * (size_t)height;
    memset(column, 0, (size_t)height * sizeof *column);
    for (int i = 0; i < 2; ++i) {
      const Side *row = &pair->sides[i], *other = &pair->sides[1 - i];
      if (row->tree < 0) {
        continue;
      }
      double* rows = column + (other->tree >= 0 && other->tree < row->tree ? CR_FREE_RATES : 0);
      crLanes zero = crZeroLanes();
      crLanes33 f = { crToLanes(force[j]) * row->sign, zero, zero };
      crLanes33 t = { crToLanes(i == 0 ? torqueA[j] : torqueB[j]) * row->sign, zero, zero };
      Rates rates = accelerate(&row->inverse, &f, &t);
      addLanes(rows, rates.v.x);
      addLanes(rows + 3, rates.w.x);
    }
    for (int i = 0; i < count; ++i) {
      column[CR_FREE_RATES * trees + i] = rateBy[i * CR_MOST_BRISTLES + j];
    }
  }
}

// At a point: the load changes with depth and rate. Adds what the bristle does to the slopes of the touch.
static void addPointBristle(const crInstance* instance, crTreeSet set, int index, const Pair* pair, Touch* ioTouch,
                            double* values)
{
  const crContacts* contacts = set.contacts;
  const crContact* contact = &contacts->contacts.items[index];
  const crTouchingPair* touching = &contacts->pairs.items[index];
  crVec3 n = contact->motion.normal, v = crFromLanes(ioTouch->v), w = crFromLanes(ioTouch->w);
  crBristleMotion motion =
      crFindBristleMotion(instance, &contacts->facts[touching->shapeA], &contacts->facts[touching->shapeB], contact);
  crBristleSlope s;
  crComputeBristleSlope(touching->law, &motion, &contact->bristle, &s);
  double perDepth = crDot(n, crFromLanes(ioTouch->fPerDepth)); // of the load; n . f is all of it
  crMat3 plain = crFromLanes33(ioTouch->fPerV);
  crVec3 perV = crMakeVec3(crDot(n, plain.cx), crDot(n, plain.cy), crDot(n, plain.cz));
  for (int i = 0; i < contact->bristle.count; ++i) {
    double byDepth = s.rateByLoad[i] * perDepth, k = pair->k;
    crVec3 byV = crMulAdd(s.rateByV[i], s.rateByLoad[i], perV), byW = s.rateByW[i];
    const Side *A = &pair->sides[0], *B = &pair->sides[1];
    crVec3 u = crFromLanes(crCrossL(B->w * B->alpha - A->w * A->alpha, ioTouch->n));
    crVec3 b = crFromLanes(B->w * B->beta - A->w * A->beta);
    crVec3 byX = crMulAdd(crCross(byV, b), crDot(byV, u) - byDepth, n);
    if (k > 0.0) {
      byX = crMulAdd(crMulAdd(byX, -k * crDot(n, v), byV), k * crDot(byV, n), v);
      byX = crMulAdd(crMulAdd(byX, -k * crDot(n, w), byW), k * crDot(byW, n), w);
    }
    for (int side = 0; side < 2; ++side) {
      const Side* column = &pair->sides[side];
      if (column->tree < 0) {
        continue;
      }
      Block block = findBristleBlock(instance, set, column->tree, contact->place, values);
      crVec3 r = crFromLanes(ioTouch->r[side]);
      addRow(&block, 0, i, crScale(column->sign, byX));
      addRow(&block, CR_FREE_VELOCITY, i, crScale(column->sign, byV));
      addRow(&block, CR_FREE_SPIN, i, crScale(column->sign, crAdd(byW, crCross(r, byV))));
      if (column->inverse.round == 0.0) {
        addTurnedRow(&block, column, i, crScale(-column->sign * byDepth, crCross(r, n)));
      }
    }
  }
  crVec3 torques[2][CR_MOST_BRISTLES];
  for (int side = 0; side < 2; ++side) {
    for (int j = 0; j < contact->bristle.count; ++j) {
      torques[side][j] = crAdd(s.torqueBy[j], crCross(crFromLanes(ioTouch->r[side]), s.forceBy[j]));
    }
  }
  addBristleColumns(contacts, index, pair, s.forceBy, torques[0], torques[1], &s.rateBy[0][0], values);
  ioTouch->fPerDepth += crToLanes(crScale(perDepth, s.forceByLoad));
  ioTouch->tPerDepth += crToLanes(crScale(perDepth, s.torqueByLoad));
  crLanes byV = crToLanes(perV);
  ioTouch->fPerV =
      crSubScaledOuterL(crAddL33(ioTouch->fPerV, crToLanes33(s.forceByV)), crToLanes(s.forceByLoad), byV, -1.0);
  ioTouch->tPerV =
      crSubScaledOuterL(crAddL33(ioTouch->tPerV, crToLanes33(s.torqueByV)), crToLanes(s.torqueByLoad), byV, -1.0);
  ioTouch->fPerW = crAddL33(ioTouch->fPerW, crToLanes33(s.forceByW));
  ioTouch->tPerW = crAddL33(ioTouch->tPerW, crToLanes33(s.torqueByW));
}

// By area: what A's motion does is what B's does, taken back, about A's origin; p from there to B's.
static void addAreaBristle(const crInstance* instance, crTreeSet set, int index, const Pair* pair,
                           const crAreaBristle* s, crVec3 p, double* values)
{
  const crContact* contact = &set.contacts->contacts.items[index];
  const Side *A = &pair->sides[0], *B = &pair->sides[1];
  crVec3 aboutA[CR_MOST_BRISTLES];
  for (int i = 0; i < contact->bristle.count; ++i) {
    aboutA[i] = crAdd(s->torqueBy[i], crCross(p, s->forceBy[i]));
    if (B->tree >= 0) {
      Block block = findBristleBlock(instance, set, B->tree, contact->place, values);
      addRow(&block, 0, i, s->rateByX[i]);
      addTurnedRow(&block, B, i, s->rateByTurn[i]);
      addRow(&block, CR_FREE_VELOCITY, i, s->rateByV[i]);
      addRow(&block, CR_FREE_SPIN, i, s->rateByW[i]);
    }
    if (A->tree >= 0) {
      Block block = findBristleBlock(instance, set, A->tree, contact->place, values);
      addRow(&block, 0, i, crNeg(s->rateByX[i]));
      addTurnedRow(&block, A, i, crSub(crCross(s->rateByX[i], p), s->rateByTurn[i]));
      addRow(&block, CR_FREE_VELOCITY, i, crNeg(s->rateByV[i]));
      addRow(&block, CR_FREE_SPIN, i, crSub(crCross(s->rateByV[i], p), s->rateByW[i]));
    }
  }
  addBristleColumns(set.contacts, index, pair, s->forceBy, aboutA, s->torqueBy, &s->rateBy[0][0], values);
}

// What A's motion does is what B's does, taken back, and A's turning turns everything: with p from A's origin to B's, B
// moves by -theta x p and turns by -theta, and then all turns by theta about A's origin.
static void addArea(const crInstance* instance, crTreeSet set, int first, const Pair* pair, double* values)
{
  const crContacts* contacts = set.contacts;
  crAreaPart alone, *parts = &alone;
  int count = 1;
  if (!contacts->hasGroups || crIsAlone(contacts, first)) {
    crFillAreaPart(instance, contacts, first, &alone);
  } else {
    parts = contacts->parts.items;
    count = crFillAreaParts(instance, contacts, first);
  }
  crAreaSlope s;
  crVec3 p = crSub(parts->b.p, parts->a.p);
  crComputeAreaSlope(contacts->pairs.items[first].law, parts, count, &s);
  const Side *sideA = &pair->sides[0], *sideB = &pair->sides[1];
  crMat3 zero = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  if (sideB->tree >= 0) {
    addSlope(pair, sideB, 0, &(Slope){ s.forceByX, s.torqueByX }, p, s.wrench.f);
    addSlope(pair, sideB, CR_FREE_QUATERNION, &(Slope){ s.forceByTurn, s.torqueByTurn }, p, s.wrench.f);
    addSlope(pair, sideB, CR_FREE_VELOCITY, &(Slope){ s.forceByV, s.torqueByV }, p, s.wrench.f);
    addSlope(pair, sideB, CR_FREE_SPIN, &(Slope){ s.forceByW, s.torqueByW }, p, s.wrench.f);
  }
  if (sideA->tree >= 0) {
    // -theta x p = [p]x theta; velocities: -w x p likewise
    crMat3 f = crMulAddMat3(crMat3Cross(s.forceByX, p), -1.0, s.forceByTurn);
    crMat3 t = crMulAddMat3(crMat3Cross(s.torqueByX, p), -1.0, s.torqueByTurn);
    f = crMulAddMat3(f, -1.0, crCrossMat3(s.wrench.f, crIdentityMat3()));
    t = crMulAddMat3(t, -1.0, crCrossMat3(s.wrench.t, crIdentityMat3()));
    addSlope(pair, sideA, 0, &(Slope){ crMulAddMat3(zero, -1.0, s.forceByX), crMulAddMat3(zero, -1.0, s.torqueByX) }, p,
             s.wrench.f);
    addSlope(pair, sideA, CR_FREE_QUATERNION, &(Slope){ f, t }, p, s.wrench.f);
    addSlope(pair, sideA, CR_FREE_VELOCITY,
             &(Slope){ crMulAddMat3(zero, -1.0, s.forceByV), crMulAddMat3(zero, -1.0, s.torqueByV) }, p, s.wrench.f);
    f = crMulAddMat3(crMat3Cross(s.forceByV, p), -1.0, s.forceByW);
    t = crMulAddMat3(crMat3Cross(s.torqueByV, p), -1.0, s.torqueByW);
    addSlope(pair, sideA, CR_FREE_SPIN, &(Slope){ f, t }, p, s.wrench.f);
  }
  for (int i = 0; i < count; ++i) {
    if (parts[i].contact->bristle.count > 0) {
      int index = (int)(parts[i].contact - contacts->contacts.items);
      addAreaBristle(instance, set, index, pair, &parts[i].bristle, p, values);
    }
  }
}

// ------------------------------------------------------------------------------------------------ groups

// The rates of both bodies of a pair by the force of its contact, if that changes by `slope` of itself with the depth
// of another one.
static void addShare(const Pair* pair, const crContact* contact, const Pair* other, const crContact* deeper,
                     double slope, const crInstance* instance, crTreeSet set, double* values)
{
  crLanes n = crToLanes(deeper->motion.normal), zero = crZeroLanes();
  for (int i = 0; i < 4; ++i) {
    const Side *row = &pair->sides[i % 2], *column = &other->sides[i / 2];
    if (row->tree < 0 || column->tree < 0) {
      continue;
    }
    crLanes f = crToLanes(contact->force.force) * (slope * row->sign), r = crToLanes(contact->now.point) - row->p;
    crLanes t = crToLanes(contact->force.torque) * (slope * row->sign) + crCrossL(r, f);
    crLanes33 f3 = { f, zero, zero }, t3 = { t, zero, zero };
    Rates rates = accelerate(&row->inverse, &f3, &t3);
    Block block = findBlock(instance, set, column->tree, row->tree, values);
    crLanes perTurn = crCrossL(crToLanes(deeper->now.point) - column->p, n);
    int count = column->inverse.round == 0.0 ? CR_FREE_VELOCITY : CR_FREE_QUATERNION; // turning a ball moves nothing
    for (int k = 0; k < count; ++k) {
      double depth = -column->sign * (k < 3 ? n[k] : crDotL(perTurn, column->turns[k - CR_FREE_QUATERNION]));
      double* rows = findColumn(&block, k);
      addLanes(rows, rates.v.x * depth);
      addLanes(rows + 3, rates.w.x * depth);
    }
  }
}

// What a touch of a ball with a compound pushes with depends on the depths of the others.
static void addShares(const crInstance* instance, crTreeSet set, int first, double* values)
{
  const crContactPartner* partners = set.contacts->partners.items;
  double slopes[CR_SHARE_SLOPES];
  Pair pair, other;
  for (int by = first, far = 0; by >= 0 && far < CR_SHARE_SLOPES; by = partners[by].next, ++far) {
    if (!(set.contacts->contacts.items[by].motion.depth > 0.0)) {
      continue;
    }
    crComputeShareSlopes(set.contacts, first, by, CR_SHARE_SLOPES, slopes);
    fillPair(instance, set, &set.contacts->pairs.items[by], values, &other);
    for (int i = first, place = 0; i >= 0 && place < CR_SHARE_SLOPES; i = partners[i].next, ++place) {
      if (slopes[place] != 0.0) {
        fillPair(instance, set, &set.contacts->pairs.items[i], values, &pair);
        addShare(&pair, &set.contacts->contacts.items[i], &other, &set.contacts->contacts.items[by], slopes[place],
                 instance, set, values);
      }
    }
  }
}

static void addContacts(const crInstance* instance, crTreeSet set, double* values)
{
  const crContacts* contacts = set.contacts;
  Pair pair;
  Touch touch;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* touching = &contacts->pairs.items[k];
    if (touching->path == cr_touchArea && contacts->hasGroups && contacts->partners.items[k].first != k) {
      continue; // the first of its group has done it
    }
    fillPair(instance, set, touching, values, &pair);
    if (touching->path == cr_touchArea) {
      addArea(instance, set, k, &pair, values);
    } else {
      bool isAlone = !contacts->hasGroups || crIsAlone(contacts, k);
      double share = isAlone ? 1.0 : contacts->contacts.items[k].share;
      fillTouch(&pair, touching->law, &contacts->contacts.items[k], share, &touch);
      if (contacts->contacts.items[k].bristle.count > 0) {
        addPointBristle(instance, set, k, &pair, &touch, values);
      }
      addContact(&pair, &touch);
      if (!isAlone && contacts->partners.items[k].first == k) {
        addShares(instance, set, k, values);
      }
    }
  }
}

crStatus crInstance_ComputeRateMatrix(crInstance* instance, crTreeSet set, double t, const double* y, double* outValues)
{
  const crModel* model = instance->model;
  crStatus status = crHasShortPath(instance, set) ? crEvalFreeForces(instance, set, t, y) : cr_errorMisuse;
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
