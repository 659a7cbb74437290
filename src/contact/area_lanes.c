// Area contacts in lanes: which are, and the way of their numbers into a block and out of it.
#include "contact/area_lanes.h"

#include "collide/area/box_lanes.h"
#include "collide/area/polygon.h"
#include "contact/area_lanes_inside.h"
#include "contact/area_loss.h"
#include "contact/contact_group.h"
#include "contact/corner_force.h"
#include "contact/crossing_force.h"
#include "contact/edge_force.h"

#include <stddef.h>

// A contact of a block whose patch is no corner, with its force.
typedef struct Other {
  int seat;
  crAreaForce force;
} Other;

typedef struct Side {
  const crShape* shape;
  crPose X_WS;
} Side;

typedef struct Gathering {
  int count, otherCount;
  int contacts[CR_AREA_BLOCK]; // (count)
  bool isOpen[CR_AREA_BLOCK];  // (count) without a closed form
  Other others[CR_AREA_BLOCK]; // (otherCount)
  crAreaBlock block;
} Gathering;

// ------------------------------------------------------------------------------------------------- which

static inline bool isLaw(const crContactLaw* law)
{
  bool isElastic = law->response == cr_responseElastic || law->response == cr_responseImpulsive;
  return isElastic && law->elasticity > 0.0 && (law->muR == 0.0 || law->sticks);
}

static inline bool areBoxes(const crContacts* contacts, const crTouchingPair* pair)
{
  const crShape *a = &contacts->model->shapes[pair->shapeA], *b = &contacts->model->shapes[pair->shapeB];
  bool isBoxA = crIsSharpBox(a), isBoxB = crIsSharpBox(b);
  return (isBoxA && isBoxB) || (isBoxA && b->kind == cr_shapeHalfSpace) || (isBoxB && a->kind == cr_shapeHalfSpace);
}

static inline bool isForLanes(const crContacts* contacts, int place)
{
  const crTouchingPair* pair = &contacts->pairs.items[place];
  return pair->path == cr_touchArea && isLaw(pair->law) && areBoxes(contacts, pair) &&
         !contacts->facts[pair->shapeA].hasSurfaceVelocity && !contacts->facts[pair->shapeB].hasSurfaceVelocity &&
         (!contacts->hasGroups || crIsAlone(contacts, place));
}

// --------------------------------------------------------------------------------------------- into rows

static inline void set3(crAreaRow rows[3], int seat, crVec3 v)
{
  rows[0][seat] = v.x;
  rows[1][seat] = v.y;
  rows[2][seat] = v.z;
}

static inline void set33(crAreaRow rows[9], int seat, crMat3 m)
{
  set3(rows, seat, m.cx);
  set3(rows + 3, seat, m.cy);
  set3(rows + 6, seat, m.cz);
}

static inline void setLanes(crAreaRow rows[3], int seat, crLanes v)
{
  rows[0][seat] = v[0];
  rows[1][seat] = v[1];
  rows[2][seat] = v[2];
}

static inline void setLanes33(crAreaRow rows[9], int seat, crLanes33 m)
{
  setLanes(rows, seat, m.x);
  setLanes(rows + 3, seat, m.y);
  setLanes(rows + 6, seat, m.z);
}

// Of trees that have no body of mass where the shape is, all counts as not turning.
static inline void setSide(const crInstance* instance, const crShapeFacts* facts, crAreaSides* sides, int seat)
{
  bool moves = facts->body > 0;
  double own = moves ? instance->model->links[facts->body].mass : 0.0, mass = own > 0.0 ? own : facts->mass;
  crLanes zero = crZeroLanes();
  setLanes(sides->p, seat, moves ? instance->places[facts->body].p : zero);
  setLanes(sides->v, seat, moves ? instance->V[facts->body].v : zero);
  setLanes(sides->w, seat, moves ? instance->V[facts->body].w : zero);
  setLanes(sides->h, seat, own > 0.0 ? instance->rigids[facts->body].h : zero);
  setLanes33(sides->I, seat, own > 0.0 ? instance->rigids[facts->body].I : (crLanes33){ zero, zero, zero });
  sides->mass[seat] = moves && mass > 0.0 ? mass : HUGE_VAL;
}

static inline void setLaw(crAreaBlock* block, int seat, const crContactLaw* law, const crContact* contact)
{
  block->modulus[seat] = law->elasticity;
  block->muK[seat] = law->sticks ? 0.0 : law->muK;
  block->vMin[seat] = law->vMin;
  block->isDamped[seat] = law->cor >= 1.0 || isnan(contact->memory.damping) ? 0.0 : 1.0;
  block->u[seat] = block->isDamped[seat] > 0.0 ? contact->memory.damping : 0.0;
  block->mostDepth[seat] = CR_LEAP * contact->motion.depth;
}

static inline void setShapes(crAreaBlock* block, int seat, const crShape* a, const crShape* b)
{
  double most = CR_WIDEST * crMin2(crShape_GetReach(a), crShape_GetReach(b));
  block->least[seat] = CR_ROLLING_SHARE * 0.5 * crMin2(a->smallestDimension, b->smallestDimension);
  block->mostSquare[seat] = most * most;
}

// X: the frame of all that follows. along: NULL: none is known.
static inline void setPatch(crAreaBlock* block, int seat, const crPose* X, bool isOfB, bool isDeepestOfA,
                            const crVec3* along, crVec3 at, crVec3 normal, double depth)
{
  set33(block->R, seat, X->R);
  set3(block->origin, seat, X->p);
  block->sign[seat] = isOfB ? 1.0 : -1.0;
  block->side[seat] = isDeepestOfA ? 1.0 : -1.0;
  block->isAlong[seat] = along != NULL ? 1.0 : 0.0;
  set3(block->along, seat, along != NULL ? *along : normal);
  set3(block->at, seat, at);
  set3(block->normal, seat, normal);
  block->depth[seat] = depth;
  block->isSolid[seat] = 0.0;
}

static inline void setForce(crAreaBlock* block, int seat, const crAreaForce* force)
{
  const double spread[6] = { force->spread.xx, force->spread.yy, force->spread.zz,
                             force->spread.xy, force->spread.xz, force->spread.yz };
  block->elastic[seat] = force->elastic;
  set3(block->force, seat, force->force);
  set3(block->torque, seat, force->torque);
  set3(block->centre, seat, force->centre);
  for (int i = 0; i < 6; ++i) {
    block->spread[i][seat] = spread[i];
  }
  block->area[seat] = force->area;
  block->pressure[seat] = force->mostPressure;
}

static inline Other* addOther(Gathering* gathering)
{
  Other* other = &gathering->others[gathering->otherCount++];
  other->seat = gathering->count;
  return other;
}

// false: they are apart.
static bool findOpen(crAreaModulus modulus, const Side* a, const Side* b, Gathering* gathering)
{
  crPatch patch;
  Other* other = &gathering->others[gathering->otherCount];
  crComputeAreaForce(modulus, a->shape, &a->X_WS, b->shape, &b->X_WS, &patch, &other->force);
  if (!(patch.depth > 0.0) || other->force.elastic == 0.0) {
    return false;
  }
  bool isOfB = patch.isExchanged, isDeepestOfA = patch.isDeepestSecond == isOfB;
  setPatch(&gathering->block, gathering->count, isOfB ? &b->X_WS : &a->X_WS, isOfB, isDeepestOfA, NULL, patch.deepest,
           patch.deepestNormal, patch.depth);
  addOther(gathering);
  return true;
}

// false: they are apart, or that is for one by one to say.
static inline bool findPatch(crAreaModulus modulus, const Side* a, const Side* b, Gathering* gathering)
{
  int seat = gathering->count;
  crAreaBlock* block = &gathering->block;
  gathering->isOpen[seat] = false;
  crBoxCorner corner;
  crBoxCrossing crossing;
  if (crFindBoxCorner(a->shape, &a->X_WS, b->shape, &b->X_WS, &corner)) {
    const crPose* X = corner.isOfB ? &b->X_WS : &a->X_WS;
    setPatch(block, seat, X, corner.isOfB, !corner.isOfB, &corner.n, corner.at, corner.n, corner.depth);
    block->isSolid[seat] = corner.isSolid ? 1.0 : 0.0;
    if (corner.edge >= 0) {
      crComputeEdgeForce(modulus, &corner, &addOther(gathering)->force);
    }
    return true;
  }
  if (!corner.isApart && !corner.isIn && crFindBoxCrossing(a->shape, &a->X_WS, b->shape, &b->X_WS, &crossing)) {
    crCrossingTip tip;
    crComputeCrossingForce(modulus, &crossing, &addOther(gathering)->force, &tip);
    setPatch(block, seat, &a->X_WS, false, !tip.isOfB, &crossing.n, tip.at, tip.normal, tip.depth);
    return true;
  }
  gathering->isOpen[seat] = true;
  return findOpen(modulus, a, b, gathering);
}

// --------------------------------------------------------------------------------------------- out of rows

static inline crVec3 get3(const crAreaRow rows[3], int seat)
{
  return crMakeVec3(rows[0][seat], rows[1][seat], rows[2][seat]);
}

static inline void tellContact(const crAreaBlock* block, int seat, crContact* contact)
{
  double depth = block->depth[seat], elastic = block->elastic[seat];
  crVec3 n = get3(block->n, seat);
  contact->now = (crTouch){ -depth, n, get3(block->point, seat) };
  contact->motion = (crContactMotion){ .depth = depth,
                                       .rate = block->rate[seat],
                                       .normal = n,
                                       .slip = get3(block->slip, seat),
                                       .turn = get3(block->turn, seat) };
  contact->drag = get3(block->drag, seat);
  contact->area = block->area[seat];
  contact->pressure = block->pressure[seat];
  contact->grip = block->grip[seat];
  contact->stored = elastic;
  contact->release = block->release[seat];
  contact->force = (crContactForce){ .force = get3(block->outForce, seat),
                                     .torque = get3(block->outTorque, seat),
                                     .normalForce = block->load[seat],
                                     .elastic = elastic,
                                     .dissipation = block->dissipation[seat] };
}

// ------------------------------------------------------------------------------------------------- blocks

// Lanes behind the last contact do what the first one does.
static void pad(crAreaBlock* block, int count)
{
  int end = (count + CR_PART_LANES - 1) / CR_PART_LANES * CR_PART_LANES;
  crAreaRow* rows = (crAreaRow*)block;
  for (size_t r = 0; r < offsetof(crAreaBlock, isOdd) / sizeof(crAreaRow); ++r) {
    for (int i = count; i < end; ++i) {
      rows[r][i] = rows[r][0];
    }
  }
}

// isOpen: its patch has no closed form.
static void evalAlone(const crInstance* instance, crContacts* contacts, int place, bool isOpen)
{
  const crTouchingPair* pair = &contacts->pairs.items[place];
  crAreaSide a, b;
  crFillAreaSide(instance, contacts, pair->shapeA, &a);
  crFillAreaSide(instance, contacts, pair->shapeB, &b);
  (isOpen ? crEvalOpenArea : crEvalAreaContact)(pair->law, &a, &b, &contacts->contacts.items[place]);
}

static void evalBlock(const crInstance* instance, crContacts* contacts, Gathering* gathering)
{
  crAreaBlock* block = &gathering->block;
  pad(block, gathering->count);
  for (int i = 0; i < gathering->count; i += CR_PART_LANES) {
    crPushCorners(block, i);
  }
  for (int i = 0; i < gathering->otherCount; ++i) {
    setForce(block, gathering->others[i].seat, &gathering->others[i].force);
  }
  for (int i = 0; i < gathering->count; i += CR_PART_LANES) {
    crFinishAreas(block, i);
  }
  for (int i = 0; i < gathering->count; ++i) {
    if (block->isOdd[i] != 0.0) {
      evalAlone(instance, contacts, gathering->contacts[i], gathering->isOpen[i]);
    } else {
      tellContact(block, i, &contacts->contacts.items[gathering->contacts[i]]);
    }
  }
}

// A contact into the block, or evaluated where there is no patch.
static void gather(const crInstance* instance, crContacts* contacts, int place, Gathering* gathering)
{
  const crTouchingPair* pair = &contacts->pairs.items[place];
  int seat = gathering->count;
  Side a, b;
  crPlaceAreaSide(contacts, pair->shapeA, &a.shape, &a.X_WS);
  crPlaceAreaSide(contacts, pair->shapeB, &b.shape, &b.X_WS);
  if (!findPatch(crFindAreaModulus(pair->law), &a, &b, gathering)) {
    evalAlone(instance, contacts, place, true);
    return;
  }
  setSide(instance, &contacts->facts[pair->shapeA], &gathering->block.a, seat);
  setSide(instance, &contacts->facts[pair->shapeB], &gathering->block.b, seat);
  setLaw(&gathering->block, seat, pair->law, &contacts->contacts.items[place]);
  setShapes(&gathering->block, seat, a.shape, b.shape);
  gathering->contacts[gathering->count++] = place;
}

uint64_t crEvalAreas(const crInstance* instance, crContacts* contacts, int from, int* outEnd)
{
  int count = contacts->pairs.count, k = from;
  uint64_t done = 0;
  Gathering gathering; // its rows are filled as contacts come
  gathering.count = gathering.otherCount = 0;
  for (; k < count && k < from + CR_AREAS_LOOKED_AT && gathering.count < CR_AREA_BLOCK; ++k) {
    if (isForLanes(contacts, k)) {
      gather(instance, contacts, k, &gathering);
      done |= (uint64_t)1 << (k - from);
    }
  }
  evalBlock(instance, contacts, &gathering);
  *outEnd = k;
  return done;
}
