// Balls of a crowd that are near to each other, in lists that hold for some steps, and where each may be in a step.
#include "contact/ball_lanes_inside.h"

#define CR_SKIN_SHARE 0.1   // [-] of the smallest radius: gap of balls that are listed as near,
#define CR_SKIN_STEPS 40.0  // [-] times the way that one may come in a step, at least
#define CR_CLOSE_STEPS 16.0 // [-] likewise, of those that are listed as close

// Where a ball may be within the step: by how fast it is, not by how fast it approaches, for one that bounces in the
// step may meet what it moved away from.
static void findReaches(crBallLanes* lanes, const crBallStep* step, int from, int to, crBallPart* part)
{
  double fastest = 0.0, farthest = 0.0;
  for (int k = from; k < to; k += CR_BALL_WIDTH) {
    crLanes v[CR_BALL_WIDTH], a[CR_BALL_WIDTH];
    int places[CR_BALL_WIDTH];
    for (int l = 0; l < CR_BALL_WIDTH; ++l) {
      places[l] = k + l < to ? k + l : k;
      size_t place = (size_t)CR_BALL_STATES * (size_t)places[l] + CR_BALL_VELOCITY;
      v[l] = load(step->y + place);
      a[l] = load(step->rates + place);
    }
    Vectors4 V = turn(v), A = turn(a);
    crLanes speed = root(V.x * V.x + V.y * V.y + V.z * V.z), gain = root(A.x * A.x + A.y * A.y + A.z * A.z);
    crLanes way = step->h * (speed + step->h * gain);
    for (int l = 0; l < CR_BALL_WIDTH; ++l) {
      double* out = lanes->reaches + (size_t)CR_BALL_WIDTH * (size_t)places[l];
      memcpy(out, step->y + (size_t)CR_BALL_STATES * (size_t)places[l], 3 * sizeof *out);
      out[3] = lanes->balls[places[l]].radius + way[l];
      farthest = way[l] > farthest ? way[l] : farthest;
      fastest = speed[l] > fastest ? speed[l] : fastest;
    }
  }
  part->farthest = farthest;
  part->fastest = fastest;
}

void crBallLanes_FindExtremes(const crBallLanes* lanes, double* outSpeed, double* outRadius)
{
  *outSpeed = lanes->fastest;
  *outRadius = lanes->smallest;
}

static inline crLanes smaller(crLanes a, crLanes b)
{
  __typeof__(a < b) isFirst = a < b;
  return (crLanes)(((__typeof__(isFirst))a & isFirst) | ((__typeof__(isFirst))b & ~isFirst));
}

// The farthest along each axis that balls have come since a list was made.
static void findWays(const crBallLanes* lanes, const double* bases, int from, int to, crBallPart* part)
{
  crLanes least = crZeroLanes(), most = least;
  for (int k = from; k < to; ++k) {
    size_t place = (size_t)CR_BALL_WIDTH * (size_t)k;
    crLanes way = load(lanes->reaches + place) - load(bases + place);
    least = smaller(least, way);
    most = smaller(most, -way);
  }
  store(part->least, least);
  store(part->most, most);
}

// What parts of the start of a step work on.
typedef struct Start {
  crBallLanes* lanes;
  const crBallStep* step;
  const crBallPairs* pairs; // those that a search goes through
  double gap;               // [m] that it looks for; negative: what may touch
} Start;

static void startPart(void* context, int number)
{
  const Start* start = context;
  crBallLanes* lanes = start->lanes;
  int from = crCrew_FindPart(lanes->crew, lanes->count, CR_BALL_WIDTH, number);
  int to = crCrew_FindPart(lanes->crew, lanes->count, CR_BALL_WIDTH, number + 1);
  findReaches(lanes, start->step, from, to, &lanes->parts[number]);
  findWays(lanes, lanes->closeBases, from, to, &lanes->parts[number]);
}

// And how far each may have come since the close ones were listed.
void crBallLanes_FindReaches(crBallLanes* lanes, const crBallStep* step)
{
  Start start = { lanes, step, NULL, 0.0 };
  crCrew_Run(lanes->crew, startPart, &start);
  lanes->farthest = lanes->fastest = 0.0;
  for (int i = 0; i < lanes->partCount; ++i) {
    const crBallPart* part = &lanes->parts[i];
    lanes->farthest = part->farthest > lanes->farthest ? part->farthest : lanes->farthest;
    lanes->fastest = part->fastest > lanes->fastest ? part->fastest : lanes->fastest;
  }
}

// Since the near ones were.
static void findNearWays(void* context, int number)
{
  crBallLanes* lanes = context;
  int from = crCrew_FindPart(lanes->crew, lanes->count, CR_BALL_WIDTH, number);
  int to = crCrew_FindPart(lanes->crew, lanes->count, CR_BALL_WIDTH, number + 1);
  findWays(lanes, lanes->bases, from, to, &lanes->parts[number]);
}

// [m] No ball has come farther, by what parts have found.
static double findFarthest(const crBallLanes* lanes)
{
  crLanes least = crZeroLanes(), most = least;
  for (int i = 0; i < lanes->partCount; ++i) {
    least = smaller(least, load(lanes->parts[i].least));
    most = smaller(most, load(lanes->parts[i].most));
  }
  crLanes far = -smaller(least, most);
  return sqrt(far[0] * far[0] + far[1] * far[1] + far[2] * far[2]);
}

// Where the balls of a part are, for as long as a list holds.
static void keepPlaces(const crBallLanes* lanes, int number, double* bases)
{
  size_t from = (size_t)CR_BALL_WIDTH * (size_t)crCrew_FindPart(lanes->crew, lanes->count, CR_BALL_WIDTH, number);
  size_t to = (size_t)CR_BALL_WIDTH * (size_t)crCrew_FindPart(lanes->crew, lanes->count, CR_BALL_WIDTH, number + 1);
  memcpy(bases + from, lanes->reaches + from, (to - from) * sizeof *bases);
}

static inline bool isNearer(const crBallLanes* lanes, int a, int b, double gap)
{
  const double* reaches = lanes->reaches;
  const double *p = reaches + (size_t)CR_BALL_WIDTH * (size_t)a, *q = reaches + (size_t)CR_BALL_WIDTH * (size_t)b;
  double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
  double reach = lanes->balls[a].radius + lanes->balls[b].radius + gap;
  return !(x * x + y * y + z * z >= reach * reach); // what is no number is near
}

static bool pushPair(const crAllocator* allocator, crBallPairs* pairs, int a, int b)
{
  crBallPair* pair = crArray_Push(pairs, allocator);
  if (pair != NULL) {
    *pair = (crBallPair){ a, b };
  }
  return pair != NULL;
}

// Neighbours within the skin, of some balls, in the order of pairs.
static void searchNear(void* context, int number)
{
  const Start* start = context;
  crBallLanes* lanes = start->lanes;
  const crBallStep* step = start->step;
  crBallPart* part = &lanes->parts[number];
  int from = crCrew_FindPart(lanes->crew, lanes->count, 1, number);
  int to = crCrew_FindPart(lanes->crew, lanes->count, 1, number + 1);
  part->found.count = 0;
  part->isGood = true;
  keepPlaces(lanes, number, lanes->bases);
  for (int k = from; k < to; ++k) {
    int shape = lanes->balls[k].shape;
    for (int n = step->neighbourStarts[shape]; n < step->neighbourStarts[shape + 1] && part->isGood; ++n) {
      int other = step->neighbours[n], row = other > shape ? lanes->rows[other] : -1;
      if (row >= 0 && isNearer(lanes, k, row, start->gap)) {
        part->isGood = pushPair(&lanes->allocator, &part->found, k, row);
      }
    }
  }
}

// Those of a list within a gap.
static void searchClose(void* context, int number)
{
  const Start* start = context;
  const crBallLanes* lanes = start->lanes;
  crBallPart* part = &lanes->parts[number];
  int from = crCrew_FindEqualPart(lanes->crew, start->pairs->count, number);
  int to = crCrew_FindEqualPart(lanes->crew, start->pairs->count, number + 1);
  part->found.count = 0;
  part->isGood = true;
  keepPlaces(lanes, number, lanes->closeBases);
  for (int i = from; i < to && part->isGood; ++i) {
    crBallPair pair = start->pairs->items[i];
    if (isNearer(lanes, pair.a, pair.b, start->gap)) {
      part->isGood = pushPair(&lanes->allocator, &part->found, pair.a, pair.b);
    }
  }
}

// What all parts have found, one after the other.
static bool gatherFound(const crBallLanes* lanes, crBallPairs* out)
{
  bool isGood = true;
  out->count = 0;
  for (int p = 0; p < lanes->partCount && isGood; ++p) {
    const crBallPart* part = &lanes->parts[p];
    isGood = part->isGood && crMakeRoom(out, out->count + part->found.count, &lanes->allocator);
    if (isGood && part->found.count > 0) {
      memcpy(out->items + out->count, part->found.items, (size_t)part->found.count * sizeof *out->items);
      out->count += part->found.count;
    }
  }
  return isGood;
}

static bool listNear(crBallLanes* lanes, const crBallStep* step)
{
  double radius, speed;
  crBallLanes_FindExtremes(lanes, &speed, &radius);
  lanes->nearStamp = step->stamp;
  lanes->skin = fmax(CR_SKIN_SHARE * radius, CR_SKIN_STEPS * lanes->farthest);
  Start start = { lanes, step, NULL, lanes->skin };
  crCrew_Run(lanes->crew, searchNear, &start);
  return gatherFound(lanes, &lanes->near);
}

// Those of them that may touch within a few steps. What was beyond a skin has had to come through it.
bool crBallLanes_ListClose(crBallLanes* lanes, const crBallStep* step)
{
  bool isKnown = lanes->nearStamp == step->stamp;
  if (isKnown && lanes->closeStamp == step->stamp && 2.0 * (findFarthest(lanes) + lanes->farthest) < lanes->closeSkin) {
    return true;
  }
  lanes->closeSkin = CR_CLOSE_STEPS * lanes->farthest;
  bool isGood = true;
  crCrew_Run(lanes->crew, findNearWays, lanes);
  if (!isKnown || !(2.0 * findFarthest(lanes) + lanes->closeSkin < lanes->skin)) {
    isGood = listNear(lanes, step);
  }
  lanes->closeStamp = step->stamp;
  if (isGood) {
    Start start = { lanes, step, &lanes->near, lanes->closeSkin };
    crCrew_Run(lanes->crew, searchClose, &start);
    isGood = gatherFound(lanes, &lanes->close);
  }
  lanes->closeStamp = isGood ? step->stamp : -1;
  return isGood;
}
