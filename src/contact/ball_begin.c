// Which contacts the lanes of balls have in a step: those that touch, and those that may begin to.
#include "contact/ball_lanes_inside.h"

#define CR_MAX_CROSSING 30     // of Newton's method, with halving
#define CR_CROSSING_SLACK 1e-9 // [-] of the step

static void push(crBallLists* lists, int a, int b, const crContactMemory* memory, const crContactLaw* law, double sum,
                 double diff)
{
  int i = lists->count++;
  lists->a[i] = a;
  lists->b[i] = b;
  lists->k[i] = memory->stiffness;
  lists->d[i] = memory->damping;
  lists->sum[i] = sum;
  lists->diff[i] = diff;
  lists->muK[i] = law->muK;
  lists->vMin[i] = law->vMin;
}

// With what does nothing: without stiffness.
static void pad(crBallLists* lists)
{
  static const crContactMemory nothing = { .approach = 0.0 };
  static const crContactLaw still = { .vMin = 1.0 };
  int count = lists->count;
  while (lists->count % CR_BALL_WIDTH != 0) {
    push(lists, lists->a[0], lists->b[0], &nothing, &still, 0.0, 0.0);
  }
  lists->count = count;
}

static bool hasLaw(const crContactLaw* law, double exponent)
{
  bool isElastic = law->response == cr_responseElastic || law->response == cr_responseImpulsive;
  return isElastic && !law->sticks && !(law->muR > 0.0) && exponent == CR_HERTZ_EXPONENT;
}

// One contact, in the lanes of its kind. a: a plane or a ball, b: a ball; both of the set. false: there is no room.
static bool pushContact(crBallLanes* lanes, crBoxPair pair, const crContactMemory* memory, const crContactLaw* law)
{
  int a = lanes->rows[pair.a], b = lanes->rows[pair.b], fixed = a >= 0 ? pair.b : pair.a;
  bool isWall = lanes->table->model->shapes[fixed].kind == cr_shapeHalfSpace;
  crBallLists* lists = a >= 0 && b >= 0 ? &lanes->pairs : isWall ? &lanes->walls : &lanes->solids;
  if (lists->count + CR_BALL_WIDTH > lists->room) {
    return false;
  }
  if (a >= 0 && b >= 0) {
    double ra = lanes->balls[a].radius, rb = lanes->balls[b].radius;
    push(lists, a, b, memory, law, ra + rb, ra - rb);
  } else {
    int row = a >= 0 ? a : b;
    push(lists, row, fixed, memory, law, 2.0 * lanes->balls[row].radius, 0.0);
  }
  return true;
}

// ------------------------------------------------------------------------------------------ what may begin

// Gap of a pair [m], how fast it approaches [m/s] and the acceleration of that [m/s^2], if rates are given; out of A.
typedef struct Look {
  double gap, rate, acceleration;
  crVec3 normal, point;
} Look;

static Look lookAt(const crBallLanes* lanes, crBoxPair pair, const double* y, const double* rates)
{
  int a = lanes->rows[pair.a], b = lanes->rows[pair.b], row = a >= 0 ? a : b;
  const double* own = y + (size_t)CR_BALL_STATES * (size_t)row;
  crVec3 v = crReadBallVec3(own + CR_BALL_VELOCITY), f = { 0.0, 0.0, 0.0 };
  if (rates != NULL) {
    f = crReadBallVec3(rates + (size_t)CR_BALL_STATES * (size_t)row + CR_BALL_VELOCITY);
  }
  Look look;
  if (a >= 0 && b >= 0) {
    size_t other = (size_t)CR_BALL_STATES * (size_t)b;
    crVec3 D = crSub(crReadBallVec3(y + other), crReadBallVec3(own));
    double distance = crLength(D);
    look.gap = distance - lanes->balls[a].radius - lanes->balls[b].radius;
    look.normal = crScale(1.0 / distance, D);
    look.point = crReadBallVec3(own); // which does not matter
    v = crSub(crReadBallVec3(y + other + CR_BALL_VELOCITY), v);
    f = rates != NULL ? crSub(crReadBallVec3(rates + other + CR_BALL_VELOCITY), f) : f;
  } else {
    crTouch touch = crTouchFixed(lanes, a >= 0 ? pair.b : pair.a, row, crReadBallVec3(own));
    look.gap = touch.distance;
    look.normal = a >= 0 ? crNeg(touch.normal) : touch.normal;
    look.point = touch.point;
    v = a >= 0 ? crNeg(v) : v;
    f = a >= 0 ? crNeg(f) : f;
  }
  look.rate = -crDot(look.normal, v);
  look.acceleration = -crDot(look.normal, f);
  return look;
}

// Where a ball may be within the step: by how fast it is, not by how fast it approaches, for one that bounces in the
// step may meet what it moved away from.
static void findReaches(crBallLanes* lanes, const crBallStep* step)
{
  lanes->fastest = 0.0;
  for (int k = 0; k < lanes->count; ++k) {
    size_t place = (size_t)CR_BALL_STATES * (size_t)k;
    double speed = crLength(crReadBallVec3(step->y + place + CR_BALL_VELOCITY));
    double gain = crLength(crReadBallVec3(step->rates + place + CR_BALL_VELOCITY));
    double* out = lanes->reaches + (size_t)CR_BALL_WIDTH * (size_t)k;
    memcpy(out, step->y + place, 3 * sizeof *out);
    out[3] = lanes->balls[k].radius + step->h * (speed + step->h * gain);
    lanes->fastest = speed > lanes->fastest ? speed : lanes->fastest;
  }
}

void crBallLanes_FindExtremes(const crBallLanes* lanes, double* outSpeed, double* outRadius)
{
  double radius = HUGE_VAL;
  for (int k = 0; k < lanes->count; ++k) {
    radius = lanes->balls[k].radius < radius ? lanes->balls[k].radius : radius;
  }
  *outSpeed = lanes->fastest;
  *outRadius = radius;
}

static inline bool mayTouchBall(const double* a, const double* b)
{
  double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2], reach = a[3] + b[3];
  return x * x + y * y + z * z < reach * reach;
}

static inline bool mayTouchFixed(const crBallLanes* lanes, int fixed, int row)
{
  const double* reach = lanes->reaches + (size_t)CR_BALL_WIDTH * (size_t)row;
  crTouch touch = crTouchFixed(lanes, fixed, row, crReadBallVec3(reach));
  return touch.distance + lanes->balls[row].radius < reach[3];
}

// [m/s] How fast a pair will be when it touches, if it goes on as it does.
static double predictApproach(const Look* look)
{
  bool comes = look->rate > 0.0 || look->acceleration > 0.0;
  double square = look->rate * look->rate + 2.0 * look->acceleration * fmax(0.0, look->gap);
  return look->gap <= 0.0 ? look->rate : comes && square > 0.0 ? sqrt(square) : 0.0;
}

// outIsWhole: as of crBallLanes_Begin.
static bool pushFresh(crBallLanes* lanes, crBoxPair pair, const double* y, const double* rates, bool* outIsWhole)
{
  const crModel* model = lanes->table->model;
  const crContactShape* shapes = model->contactShapes;
  const crContactLaw* law = crModel_GetContactLaw(model, shapes[pair.a].material, shapes[pair.b].material);
  Look look = lookAt(lanes, pair, y, rates);
  crPose still = crIdentityPose(); // of a ball only the radius counts
  crPose X_WA = lanes->rows[pair.a] < 0 ? lanes->table->poses[pair.a] : still;
  crPose X_WB = lanes->rows[pair.b] < 0 ? lanes->table->poses[pair.b] : still;
  crTouch touch = { .distance = look.gap, .normal = look.normal, .point = look.point };
  crTouchGeometry geometry = crFindTouchGeometry(model, pair, &X_WA, &X_WB, &touch);
  crContactMemory memory = crFreezeContact(law, false, &geometry, predictApproach(&look));
  crFreshPair* fresh = crArray_Push(&lanes->fresh, &lanes->allocator);
  *outIsWhole = hasLaw(law, memory.exponent);
  if (fresh == NULL) {
    return false;
  }
  *fresh = (crFreshPair){ pair, geometry, look.gap, look.rate };
  return pushContact(lanes, pair, &memory, law);
}

// Whether the contacts, which are in the order of pairs, have one that touches. ioContact: where the search goes on.
static bool isTouching(const crContacts* contacts, crBoxPair pair, int* ioContact)
{
  const crTouchingPair* pairs = contacts->pairs.items;
  int k = *ioContact, count = contacts->pairs.count;
  while (k < count && crComparePairs(pairs[k].shapeA, pairs[k].shapeB, pair.a, pair.b) < 0) {
    ++k;
  }
  *ioContact = k;
  return k < count && pairs[k].shapeA == pair.a && pairs[k].shapeB == pair.b && contacts->contacts.items[k].isTouching;
}

// All neighbours of a shape, a plane or a ball, that are balls of the set and come behind it, along with the contacts.
// ioContact: the next of them.
static bool pushNeighbours(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step, int shape,
                           int* ioContact, bool* outIsWhole)
{
  int own = lanes->rows[shape];
  const double *reaches = lanes->reaches, *a = reaches + (size_t)CR_BALL_WIDTH * (size_t)(own >= 0 ? own : 0);
  bool isGood = true;
  for (int n = step->neighbourStarts[shape]; n < step->neighbourStarts[shape + 1] && isGood && *outIsWhole; ++n) {
    crBoxPair pair = { shape, step->neighbours[n] };
    int row = lanes->rows[pair.b];
    const double* b = reaches + (size_t)CR_BALL_WIDTH * (size_t)(row >= 0 ? row : 0);
    bool isNear = pair.b > shape && row >= 0 && (own >= 0 ? mayTouchBall(a, b) : mayTouchFixed(lanes, shape, row));
    if (isNear && !isTouching(contacts, pair, ioContact)) {
      isGood = pushFresh(lanes, pair, step->y, step->rates, outIsWhole);
    }
  }
  return isGood;
}

// What else does not move is not for lanes, if it is near to a ball.
static bool isAway(const crBallLanes* lanes, const crBallStep* step, int shape)
{
  bool isAway = true;
  for (int n = step->neighbourStarts[shape]; n < step->neighbourStarts[shape + 1] && isAway; ++n) {
    isAway = lanes->rows[step->neighbours[n]] < 0;
  }
  return isAway;
}

static bool pushAllFresh(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step, bool* outIsWhole)
{
  const crShapeTable* table = lanes->table;
  int next = 0;
  bool isGood = true;
  lanes->fresh.count = 0;
  findReaches(lanes, step);
  for (int i = 0; i < table->shapeCount && isGood && *outIsWhole; ++i) {
    if (lanes->rows[i] >= 0 || crIsBallPlane(table, i) || crIsBallSolid(table, i)) {
      isGood = pushNeighbours(lanes, contacts, step, i, &next, outIsWhole);
    } else if (table->facts[i].tree < 0) {
      *outIsWhole = isAway(lanes, step, i);
    }
  }
  return isGood;
}

// As many as there may be, before anything is pushed.
static bool reserveAll(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step)
{
  int most = contacts->pairs.count;
  for (int i = 0; i < lanes->table->shapeCount; ++i) {
    if (lanes->rows[i] >= 0) {
      most += step->neighbourStarts[i + 1] - step->neighbourStarts[i];
    }
  }
  return crBallLists_Reserve(&lanes->allocator, &lanes->pairs, most) &&
         crBallLists_Reserve(&lanes->allocator, &lanes->walls, most) &&
         crBallLists_Reserve(&lanes->allocator, &lanes->solids, most);
}

static bool isFixed(const crShapeTable* table, int shape)
{
  return crIsBallPlane(table, shape) || crIsBallSolid(table, shape);
}

bool crBallLanes_Begin(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step, bool* outIsWhole)
{
  bool isGood = reserveAll(lanes, contacts, step);
  lanes->pairs.count = lanes->walls.count = lanes->solids.count = 0;
  *outIsWhole = isGood && !contacts->hasSurfaces && !contacts->hasGroups;
  for (int k = 0; k < contacts->pairs.count && isGood && *outIsWhole; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    crBoxPair shapes = { pair->shapeA, pair->shapeB };
    int a = lanes->rows[shapes.a], b = lanes->rows[shapes.b];
    *outIsWhole = hasLaw(pair->law, contact->memory.exponent) && (a >= 0 || isFixed(lanes->table, shapes.a)) &&
                  (b >= 0 || isFixed(lanes->table, shapes.b));
    if (*outIsWhole && contact->isTouching) {
      isGood = pushContact(lanes, shapes, &contact->memory, pair->law);
    }
  }
  if (isGood && *outIsWhole) {
    isGood = pushAllFresh(lanes, contacts, step, outIsWhole);
  }
  pad(&lanes->pairs);
  pad(&lanes->walls);
  return isGood;
}

// [-] Share of the step at which the cubic through both ends of the gap is 0; outRate [m/s]: how fast it closes there.
static double findCrossing(const crFreshPair* from, const Look* to, double h, double* outRate)
{
  double low = 0.0, high = 1.0, s = from->gap / (from->gap - to->gap), slope = 0.0;
  for (int i = 0; i < CR_MAX_CROSSING; ++i) {
    double u = 1.0 - s, v0 = -h * from->rate, v1 = -h * to->rate;
    double gap =
        (1.0 + 2.0 * s) * u * u * from->gap + s * u * u * v0 + s * s * (3.0 - 2.0 * s) * to->gap - s * s * u * v1;
    slope = 6.0 * s * u * (to->gap - from->gap) + (1.0 - 4.0 * s + 3.0 * s * s) * v0 - (2.0 * s - 3.0 * s * s) * v1;
    low = gap > 0.0 ? s : low;
    high = gap > 0.0 ? high : s;
    double next = slope < 0.0 ? s - gap / slope : 0.5 * (low + high);
    next = next > low && next < high ? next : 0.5 * (low + high);
    if (fabs(next - s) < CR_CROSSING_SLACK) {
      break;
    }
    s = next;
  }
  *outRate = -slope / h;
  return s;
}

bool crBallLanes_FindBegun(const crBallLanes* lanes, const double* y, double t0, double t1, crContactStarts* outStarts)
{
  outStarts->count = 0;
  for (int i = 0; i < lanes->fresh.count; ++i) {
    const crFreshPair* fresh = &lanes->fresh.items[i];
    Look look = lookAt(lanes, fresh->shapes, y, NULL);
    if (!(look.gap < 0.0)) {
      continue;
    }
    double rate = fresh->rate, share = 0.0;
    if (fresh->gap > 0.0) {
      share = findCrossing(fresh, &look, t1 - t0, &rate);
    }
    crContactStart* start = crArray_Push(outStarts, &lanes->allocator);
    if (start == NULL) {
      return false;
    }
    *start = (crContactStart){ .pair = fresh->shapes,
                               .time = t0 + share * (t1 - t0),
                               .rate = rate,
                               .touch = { .distance = 0.0, .normal = look.normal },
                               .geometry = fresh->geometry };
  }
  return true;
}
