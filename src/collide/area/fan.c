#include "collide/area/fan.h"

#include "collide/area/quadrature.h"

#define CR_FAN_SLACK 1e-9        // [-] of the size
#define CR_LARGEST_ARC 0.12      // [-] tan(q / 4) of 1.2 rad: eight points are exact to 1e-10 on a cylinder
#define CR_SMALLEST_ARC 1e-14    // [-] of key
#define CR_SMALLEST_HALVED 1e-11 // [-] tan(q / 4)
#define CR_LARGEST_CHANGE 0.15   // [-] of a slope along an arc
#define CR_LARGEST_ROUND 0.25    // [-] of a slope all around
#define CR_LEAST_SLOPE 1e-300    // [-] nothing is divided by zero
#define CR_MAX_HALVED 64         // arcs that wait
#define CR_LANES CR_PATCH_LANES

// ------------------------------------------------------------------------------------------------ bounds

static double sizeOf(crSide side)
{
  return side.z1 - side.z0 + crMax2(side.r0, side.r1);
}

static void begin(crFan* fan, crVec3 origin)
{
  fan->origin = origin;
  fan->ahead = (crCorner){ 1.0, 0.0 };
  fan->isHalf = fan->isBroken = false;
  fan->depthCount = fan->count = fan->breakCount = 0;
}

void crFan_BeginSide(crFan* fan, crSide side, crVec3 origin)
{
  begin(fan, origin);
  fan->isPlane = false;
  fan->side = side;
  fan->isUneven = side.r0 != side.r1;
  fan->weight = sqrt((side.z1 - side.z0) * (side.z1 - side.z0) + (side.r1 - side.r0) * (side.r1 - side.r0));
  fan->slack = CR_FAN_SLACK * sizeOf(side);
}

void crFan_BeginPlane(crFan* fan, crVec3 normal, double offset, double size, crVec3 origin)
{
  begin(fan, origin);
  fan->isPlane = fan->isUneven = true;
  fan->normal = normal;
  fan->offset = offset;
  fan->weight = 1.0;
  fan->slack = CR_FAN_SLACK * size;
}

void crFan_AddCut(crFan* fan, crFanBound bound)
{
  if (fan->count == CR_MAX_FAN_BOUNDS) {
    fan->isBroken = true;
    return;
  }
  fan->bounds[fan->count++] = bound;
}

void crFan_AddDepth(crFan* fan, crFanBound bound)
{
  crFan_AddCut(fan, bound);
  fan->depthCount = fan->count;
}

double crFan_FindDepth(const crFan* fan, crVec3 x, int* outBound)
{
  double r = sqrt(x.x * x.x + x.y * x.y), depth = HUGE_VAL, cut = HUGE_VAL;
  *outBound = 0;
  for (int k = 0; k < fan->depthCount; ++k) {
    double f = crFanBound_At(&fan->bounds[k], x, r);
    *outBound = f < depth ? k : *outBound;
    depth = crMin2(depth, f);
  }
  for (int k = fan->depthCount; k < fan->count; ++k) {
    cut = crMin2(cut, crFanBound_At(&fan->bounds[k], x, r));
  }
  return cut < -fan->slack ? crMin2(cut, depth) : depth;
}

void crFan_Aim(crFan* fan, crVec3 n, int sense)
{
  double h = sqrt(n.x * n.x + n.y * n.y);
  fan->isHalf = sense != 0;
  fan->ahead = sense != 0 ? (crCorner){ sense, 0.0 }
               : h > 0.0  ? (crCorner){ -n.x / h, -n.y / h }
                          : (crCorner){ 1.0, 0.0 };
}

void crFan_SeeDepth(const crFan* fan, crVec3 x, crPatch* patch)
{
  int k;
  double depth = crFan_FindDepth(fan, x, &k);
  if (depth > patch->depth && !(fan->isHalf && x.x * fan->ahead.u < 0.0)) {
    double r = sqrt(x.x * x.x + x.y * x.y), q = r > 0.0 ? fan->bounds[k].radial / r : 0.0;
    crVec3 normal = crMulAdd(fan->bounds[k].normal, q, crMakeVec3(x.x, x.y, 0.0));
    crPatch_SeeDepth(patch, depth, crAdd(fan->origin, x), normal);
  }
}

// ------------------------------------------------------------------------------------------- breakpoints

// Grows with the angle from `ahead`, -2 to 2; a right angle is 1.
static double keyOf(const crFan* fan, crCorner toward)
{
  double c = toward.u * fan->ahead.u + toward.v * fan->ahead.v, s = toward.v * fan->ahead.u - toward.u * fan->ahead.v;
  double part = s / (fabs(c) + fabs(s));
  return c >= 0.0 ? part : s >= 0.0 ? 2.0 - part : -2.0 - part;
}

void crFan_AddBreak(crFan* fan, crVec3 x, int nearest, crPatch* patch)
{
  int bound;
  double r = sqrt(x.x * x.x + x.y * x.y), depth = crFan_FindDepth(fan, x, &bound);
  if (!(depth >= -fan->slack) || !(r > 0.0)) {
    return;
  }
  if (nearest >= 0 && crFanBound_At(&fan->bounds[nearest], x, r) > depth + fan->slack) {
    return;
  }
  if (!fan->isPlane && (x.z < fan->side.z0 - fan->slack || x.z > fan->side.z1 + fan->slack)) {
    return;
  }
  if (fan->isHalf && x.x * fan->ahead.u < 0.0) {
    return;
  }
  if (fan->breakCount == CR_MAX_FAN_BREAKS) {
    fan->isBroken = true;
    return;
  }
  crCorner toward = { x.x / r, x.y / r };
  fan->breaks[fan->breakCount++] = (crFanBreak){ x, depth, toward, keyOf(fan, toward) };
  if (patch != NULL) {
    crFan_SeeDepth(fan, x, patch);
  }
}

void crFan_BreakAtCircle(crFan* fan, double z, double r, crVec3 n, double offset, int nearest, crPatch* patch)
{
  double h2 = n.x * n.x + n.y * n.y, a = offset - n.z * z;
  if (!(r > 0.0) || !(a * a < r * r * h2)) {
    return;
  }
  double s = a / h2, q = sqrt((r * r - a * s) / h2); // s (n_x, n_y) +- q (-n_y, n_x)
  crFan_AddBreak(fan, crMakeVec3(s * n.x - q * n.y, s * n.y + q * n.x, z), nearest, patch);
  crFan_AddBreak(fan, crMakeVec3(s * n.x + q * n.y, s * n.y - q * n.x, z), nearest, patch);
}

void crFan_BreakAtCone(crFan* fan, crVec3 o, crVec3 e, double low, double high, double radius, double growth,
                       int nearest, crPatch* patch)
{
  double a = e.x * e.x + e.y * e.y - growth * growth, b = e.x * o.x + e.y * o.y - radius * growth,
         c = o.x * o.x + o.y * o.y - radius * radius, root = b * b - a * c;
  if (!(root >= 0.0)) {
    return;
  }
  double q = b >= 0.0 ? -(b + sqrt(root)) : sqrt(root) - b;
  double s[2] = { a != 0.0 ? q / a : HUGE_VAL, q != 0.0 ? c / q : HUGE_VAL };
  for (int i = 0; i < 2; ++i) {
    if (s[i] >= low && s[i] <= high) {
      crFan_AddBreak(fan, crMulAdd(o, s[i], e), nearest, patch);
    }
  }
}

void crFan_SortBreaks(crFan* fan)
{
  for (int i = 1; i < fan->breakCount; ++i) {
    crFanBreak moved = fan->breaks[i];
    int k = i;
    for (; k > 0 && fan->breaks[k - 1].key > moved.key; --k) {
      fan->breaks[k] = fan->breaks[k - 1];
    }
    fan->breaks[k] = moved;
  }
}

// ------------------------------------------------------------------------------------------------- lines

// Lines at eight angles: (r, z) + t (rStep, zStep), from low to high; bound k along them is start[k] + t slope[k].
typedef struct Lines {
  double c[CR_LANES], s[CR_LANES], weight[CR_LANES];
  double r[CR_LANES], z[CR_LANES], rStep[CR_LANES], zStep[CR_LANES];
  double low[CR_LANES], high[CR_LANES];
  double start[CR_MAX_FAN_BOUNDS][CR_LANES], slope[CR_MAX_FAN_BOUNDS][CR_LANES];
} Lines;

static void placeGenerators(const crFan* fan, Lines* l)
{
  for (int i = 0; i < CR_LANES; ++i) {
    l->r[i] = fan->side.r0;
    l->z[i] = fan->side.z0;
    l->rStep[i] = fan->side.r1 - fan->side.r0;
    l->zStep[i] = fan->side.z1 - fan->side.z0;
  }
}

static void placeRays(const crFan* fan, Lines* l)
{
  for (int i = 0; i < CR_LANES; ++i) {
    double along = fan->normal.x * l->c[i] + fan->normal.y * l->s[i];
    double q = fan->offset / (along * along + fan->normal.z * fan->normal.z + CR_LEAST_SLOPE);
    l->r[i] = q * along;
    l->z[i] = q * fan->normal.z;
    l->rStep[i] = fan->normal.z;
    l->zStep[i] = -along;
  }
}

static void placeLines(const crFan* fan, Lines* l)
{
  if (fan->isPlane) {
    placeRays(fan, l);
  } else {
    placeGenerators(fan, l);
  }
  for (int k = 0; k < fan->count; ++k) {
    const crFanBound* f = &fan->bounds[k];
    for (int i = 0; i < CR_LANES; ++i) {
      double along = f->normal.x * l->c[i] + f->normal.y * l->s[i] + f->radial;
      l->start[k][i] = f->offset - f->normal.z * l->z[i] - along * l->r[i];
      l->slope[k][i] = -f->normal.z * l->zStep[i] - along * l->rStep[i];
    }
  }
}

// What bounds the part of the nearest depth j: how much more another depth is than it, or depth j or a cut itself.
static inline void pickBound(const crFan* fan, const Lines* l, int j, int k, double* outStart, double* outSlope)
{
  double own = k == j || k >= fan->depthCount ? 0.0 : 1.0;
  for (int i = 0; i < CR_LANES; ++i) {
    outStart[i] = l->start[k][i] - own * l->start[j][i];
    outSlope[i] = l->slope[k][i] - own * l->slope[j][i];
  }
}

// The part of all lines that depth j is nearest to. Of equal depths the first has it. False: there is none.
static bool cutLines(const crFan* fan, int j, Lines* l)
{
  for (int i = 0; i < CR_LANES; ++i) {
    l->low[i] = fan->isPlane ? -HUGE_VAL : 0.0;
    l->high[i] = fan->isPlane ? HUGE_VAL : 1.0;
  }
  for (int k = 0; k < fan->count; ++k) {
    double a[CR_LANES], b[CR_LANES], least = k < j && k < fan->depthCount ? CR_LEAST_SLOPE : 0.0;
    pickBound(fan, l, j, k, a, b);
    for (int i = 0; i < CR_LANES; ++i) {
      double at = -a[i] / b[i];
      double low = b[i] > 0.0 ? at : b[i] == 0.0 && a[i] < least ? HUGE_VAL : -HUGE_VAL;
      double high = b[i] < 0.0 ? at : HUGE_VAL;
      l->low[i] = crMax2(low, l->low[i]);
      l->high[i] = crMin2(high, l->high[i]);
    }
  }
  int some = 0;
  for (int i = 0; i < CR_LANES; ++i) {
    some += l->low[i] < l->high[i];
  }
  return some > 0;
}

// Whether bound k is an end of the middle one of the lines, and its slope changes by more than `most` along the arc.
static bool isSteep(const crFan* fan, int j, const Lines* l)
{
  enum { first = 0, middle = CR_LANES / 2, last = CR_LANES - 1 };
  for (int k = 0; k < fan->count; ++k) {
    double a[CR_LANES], b[CR_LANES];
    pickBound(fan, l, j, k, a, b);
    double at = -a[middle] / b[middle], change = fabs(b[first] - b[last]) + fabs(b[first] - 2.0 * b[middle] + b[last]);
    if ((at == l->low[middle] || at == l->high[middle]) && change > CR_LARGEST_CHANGE * fabs(b[middle])) {
      return true;
    }
  }
  return false;
}

// ------------------------------------------------------------------------------------------------ points

// Three points on each line. Lines on which nothing is left by rounding keep their place and get no weight.
static void addLines(const crFan* fan, int j, const Lines* l, crPatch* patch)
{
  const crFanBound* f = &fan->bounds[j];
  double middle[CR_LANES], half[CR_LANES];
  for (int i = 0; i < CR_LANES; ++i) {
    double low = l->low[i], high = crMax2(l->high[i], low);
    bool isFinite = high < HUGE_VAL && low > -HUGE_VAL;
    middle[i] = isFinite ? 0.5 * (low + high) : 0.0;
    half[i] = isFinite ? 0.5 * (high - low) : 0.0;
  }
  for (int g = 0; g < 3; ++g) {
    int at = crPatch_MakeRoom(patch, CR_LANES);
    for (int i = 0; i < CR_LANES; ++i) {
      double t = middle[i] + cr_threeAlong.x[g] * half[i], r = l->r[i] + t * l->rStep[i];
      patch->w[at + i] = l->weight[i] * fan->weight * half[i] * cr_threeAlong.w[g] * r;
      patch->d[at + i] = l->start[j][i] + t * l->slope[j][i];
      patch->x[0][at + i] = fan->origin.x + r * l->c[i];
      patch->x[1][at + i] = fan->origin.y + r * l->s[i];
      patch->x[2][at + i] = fan->origin.z + l->z[i] + t * l->zStep[i];
      patch->m[0][at + i] = f->normal.x + f->radial * l->c[i];
      patch->m[1][at + i] = f->normal.y + f->radial * l->s[i];
      patch->m[2][at + i] = f->normal.z;
    }
    patch->count = at + CR_LANES;
  }
}

typedef struct Arc {
  crCorner from, to;
} Arc;

static crCorner middleOf(const Arc* arc)
{
  double u = arc->from.u + arc->to.u, v = arc->from.v + arc->to.v, q = 1.0 / sqrt(u * u + v * v);
  return (crCorner){ q * u, q * v };
}

// tan of a quarter of an arc.
static double spreadOf(const Arc* arc)
{
  double u = arc->to.u - arc->from.u, v = arc->to.v - arc->from.v;
  double sine = 0.5 * sqrt(u * u + v * v);
  return sine / (1.0 + sqrt(crMax2(1.0 - sine * sine, 0.0)));
}

static void aimLines(crCorner middle, double spread, Lines* l)
{
  for (int i = 0; i < CR_LANES; ++i) {
    double t = spread * cr_eightAlong.x[i], q = 1.0 / (1.0 + t * t), c = (1.0 - t * t) * q, s = 2.0 * t * q;
    l->c[i] = middle.u * c - middle.v * s;
    l->s[i] = middle.v * c + middle.u * s;
    l->weight[i] = 2.0 * spread * cr_eightAlong.w[i] * q;
  }
}

// An arc of a right angle at most.
static void addArc(const crFan* fan, int j, Arc arc, crPatch* patch)
{
  Arc waiting[CR_MAX_HALVED];
  Lines lines;
  int count = 0;
  waiting[count++] = arc;
  while (count > 0) {
    Arc now = waiting[--count];
    crCorner middle = middleOf(&now);
    double spread = spreadOf(&now);
    bool isLong = spread > CR_LARGEST_ARC;
    aimLines(middle, spread, &lines);
    placeLines(fan, &lines);
    if (!cutLines(fan, j, &lines)) {
      continue;
    }
    bool canHalve = spread > CR_SMALLEST_HALVED && count < CR_MAX_HALVED - 1;
    if (canHalve && (isLong || (fan->isUneven && isSteep(fan, j, &lines)))) {
      waiting[count++] = (Arc){ middle, now.to };
      waiting[count++] = (Arc){ now.from, middle };
    } else {
      addLines(fan, j, &lines, patch);
    }
  }
}

// The direction of a whole key, -2 to 2.
static crCorner towardKey(const crFan* fan, int key)
{
  crCorner a = fan->ahead, left = { -a.v, a.u };
  return key == 0 ? a : key == 1 ? left : key == -1 ? (crCorner){ -left.u, -left.v } : (crCorner){ -a.u, -a.v };
}

typedef struct Place {
  crCorner toward;
  double key;
} Place;

static void addBetween(const crFan* fan, int j, Place from, Place to, crPatch* patch)
{
  while (to.key - from.key > 1.0) { // right angles at most
    int key = (int)floor(from.key) + 1;
    Place next = { towardKey(fan, key), key };
    addArc(fan, j, (Arc){ from.toward, next.toward }, patch);
    from = next;
  }
  if (to.key - from.key > CR_SMALLEST_ARC) {
    addArc(fan, j, (Arc){ from.toward, to.toward }, patch);
  }
}

// ------------------------------------------------------------------------------------------------ around

// Eight equal steps, the second eight between the first.
static void aimAround(int half, Lines* l)
{
  static const double c[CR_LANES] = { 1.0,  0.70710678118654752,  0.0, -0.70710678118654752,
                                      -1.0, -0.70710678118654752, 0.0, 0.70710678118654752 };
  const double c16 = 0.92387953251128676, s16 = 0.38268343236508977; // of 22.5 degrees
  for (int i = 0; i < CR_LANES; ++i) {
    double x = c[i], y = c[(i + 6) % CR_LANES];
    l->c[i] = half == 0 ? x : c16 * x - s16 * y;
    l->s[i] = half == 0 ? y : c16 * y + s16 * x;
  }
}

// Whether all lines have a part, and the slopes of their ends are nearly the same all around.
static bool isEven(const crFan* fan, int j, const Lines* l)
{
  for (int k = 0; k < fan->count; ++k) {
    double a[CR_LANES], b[CR_LANES], least = HUGE_VAL, most = -HUGE_VAL;
    bool isEnd = false;
    pickBound(fan, l, j, k, a, b);
    for (int i = 0; i < CR_LANES; ++i) {
      double at = -a[i] / b[i];
      isEnd |= at == l->low[i] || at == l->high[i];
      least = crMin2(least, b[i]);
      most = crMax2(most, b[i]);
    }
    if (isEnd && most - least > CR_LARGEST_ROUND * fabs(most + least)) {
      return false;
    }
  }
  for (int i = 0; i < CR_LANES; ++i) {
    if (!(l->low[i] < l->high[i])) {
      return false;
    }
  }
  return true;
}

// A part without breakpoints goes all around or is empty: equal steps, which have no error for trigonometric
// polynomials up to the seventh degree, and next to none for slopes that hardly change with 16 of them.
static void addAround(const crFan* fan, int j, crPatch* patch)
{
  Lines lines;
  int rounds = fan->isUneven ? 2 : 1;
  aimAround(0, &lines);
  placeLines(fan, &lines);
  if (!cutLines(fan, j, &lines)) {
    return;
  }
  if (!isEven(fan, j, &lines)) {
    Place from = { towardKey(fan, -2), -2.0 }, to = { towardKey(fan, 2), 2.0 };
    addBetween(fan, j, from, to, patch);
    return;
  }
  for (int round = 0; round < rounds; ++round) {
    if (round > 0) {
      aimAround(round, &lines);
      placeLines(fan, &lines);
      cutLines(fan, j, &lines);
    }
    for (int i = 0; i < CR_LANES; ++i) {
      lines.weight[i] = 2.0 * CR_PI / (rounds * CR_LANES);
    }
    addLines(fan, j, &lines, patch);
  }
}

// The part that depth j is nearest to, between its own breakpoints.
static void addPart(const crFan* fan, int j, crPatch* patch)
{
  int around = fan->isHalf ? 1 : 2, used = 0;
  Place from = { towardKey(fan, -around), -around }, to = { towardKey(fan, around), around };
  for (int i = 0; i < fan->breakCount; ++i) {
    const crFanBreak* b = &fan->breaks[i];
    double r = sqrt(b->x.x * b->x.x + b->x.y * b->x.y);
    if (crFanBound_At(&fan->bounds[j], b->x, r) <= b->depth + 2.0 * fan->slack) {
      Place next = { b->toward, b->key };
      addBetween(fan, j, from, next, patch);
      from = next;
      ++used;
    }
  }
  if (used == 0 && !fan->isHalf) {
    addAround(fan, j, patch);
  } else {
    addBetween(fan, j, from, to, patch);
  }
}

void crFan_AddPoints(crFan* fan, crPatch* patch)
{
  patch->isBroken |= fan->isBroken;
  crFan_SortBreaks(fan);
  for (int j = 0; j < fan->depthCount; ++j) {
    addPart(fan, j, patch);
  }
}
