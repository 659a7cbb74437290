#include "collide/area/fan.h"

#include "collide/area/quadrature.h"
#include "collide/area/wide.h"

#define CR_FAN_SLACK 1e-9         // [-] of the size
#define CR_LARGEST_ARC 0.12       // [-] tan(q / 4) of 0.48 rad: eight points are exact to 1e-8 on a cylinder
#define CR_LARGEST_LEVEL_ARC 0.21 // the same of 0.83 rad
#define CR_LARGEST_MINOR_ARC 0.25 // the same of 0.98 rad, for
#define CR_MINOR_SHARE 1e-6       // [-] of all points
#define CR_LEVEL 1e-3             // [-] square of the sine of the angle up to which planes are nearly across the axis
#define CR_SMALLEST_ARC 1e-14     // [-] of key
#define CR_SHORT_ARC 1e-9         // [-] of key: straight but for rounding
#define CR_PROBE (CR_LANES / 2)   // the line of an arc that is looked at
#define CR_LOOK 0.57              // [-] of a longer one
#define CR_BEHIND_KEY 1.8         // of a line nearly opposite to the angle 0
#define CR_LEAST_SHARE 1e-18      // [-] of all points: arcs between breakpoints that are one but for rounding have less
#define CR_SPREAD_OF_KEY 0.39     // [-] tan(q / 4) for a difference of keys
#define CR_LARGEST_CHANGE 0.15    // [-] of a slope along an arc at whose ends parts begin like the fourth power,
#define CR_HALVED_CHANGE 0.45     // and of other arcs
#define CR_SMALLEST_CHANGE 1e-11  // [-] of a slope: less are rounding errors
#define CR_LARGEST_ROUND 0.25     // [-] of a slope all around
#define CR_LEAST_SLOPE 1e-300     // [-] nothing is divided by zero
#define CR_MAX_HALVED 20          // times that an arc is halved because of slopes
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

// The depth at a point of the surface, the least of all; *outBound: whose it is. False: it is outside, or less deep
// than `least`.
static bool findDepth(const crFan* fan, crVec3 x, double r, double least, double* outDepth, int* outBound)
{
  double depth = HUGE_VAL;
  *outBound = 0;
  for (int k = 0; k < fan->depthCount; ++k) {
    double f = crFanBound_At(&fan->bounds[k], x, r);
    if (!(f >= least)) {
      return false;
    }
    *outBound = f < depth ? k : *outBound;
    depth = crMin2(depth, f);
  }
  for (int k = fan->depthCount; k < fan->count; ++k) {
    if (!(crFanBound_At(&fan->bounds[k], x, r) >= -fan->slack)) {
      return false;
    }
  }
  *outDepth = depth;
  return true;
}

void crFan_Aim(crFan* fan, crVec3 n, int sense)
{
  double h = sqrt(n.x * n.x + n.y * n.y);
  fan->isHalf = sense != 0;
  fan->ahead = sense != 0 ? (crCorner){ sense, 0.0 }
               : h > 0.0  ? (crCorner){ -n.x / h, -n.y / h }
                          : (crCorner){ 1.0, 0.0 };
}

static void seeDepth(const crFan* fan, crVec3 x, double r, double depth, int k, crPatch* patch)
{
  if (depth > patch->depth) {
    double q = r > 0.0 ? fan->bounds[k].radial / r : 0.0;
    crVec3 normal = crMulAdd(fan->bounds[k].normal, q, crMakeVec3(x.x, x.y, 0.0));
    crPatch_SeeDepth(patch, depth, crAdd(fan->origin, x), normal);
  }
}

void crFan_SeeDepth(const crFan* fan, crVec3 x, crPatch* patch)
{
  if (!(fan->isHalf && x.x * fan->ahead.u < 0.0)) {
    int k;
    double r = sqrt(x.x * x.x + x.y * x.y), depth;
    if (findDepth(fan, x, r, patch->depth, &depth, &k)) {
      seeDepth(fan, x, r, depth, k, patch);
    }
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
  if (!fan->isPlane && (x.z < fan->side.z0 - fan->slack || x.z > fan->side.z1 + fan->slack)) {
    return;
  }
  double r = sqrt(x.x * x.x + x.y * x.y), least = -fan->slack, depth;
  if (nearest >= 0) {
    least = crMax2(least, crFanBound_At(&fan->bounds[nearest], x, r) - fan->slack);
  }
  if (!(r > 0.0) || !findDepth(fan, x, r, least, &depth, &bound)) {
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
  fan->breaks[fan->breakCount++] = (crFanBreak){ x, r, depth, toward, keyOf(fan, toward) };
  if (patch != NULL) {
    seeDepth(fan, x, r, depth, bound, patch);
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

// The bounds at which a part ends along its lines, -1: the line itself ends; and how much of it is on the line that was
// looked at: the largest depth times the surface of an arc of unit angle.
typedef struct Ends {
  int low, high;
  double measure; // [m^3]
} Ends;

// A line: (r, z) + t (rStep, zStep).
typedef struct Line {
  double r, z, rStep, zStep;
} Line;

static inline Line placeLine(const crFan* fan, double c, double s)
{
  if (!fan->isPlane) {
    const crSide* side = &fan->side;
    return (Line){ side->r0, side->z0, side->r1 - side->r0, side->z1 - side->z0 };
  }
  double along = fan->normal.x * c + fan->normal.y * s, nz = fan->normal.z;
  double q = fan->offset / (along * along + nz * nz + CR_LEAST_SLOPE);
  return (Line){ q * along, q * nz, nz, -along };
}

// start + t slope
typedef struct Slope {
  double start, slope;
} Slope;

static inline Slope boundAlong(const crFanBound* f, const Line* l, double c, double s)
{
  double along = f->normal.x * c + f->normal.y * s + f->radial;
  return (Slope){ f->offset - f->normal.z * l->z - along * l->r, -f->normal.z * l->zStep - along * l->rStep };
}

// The part of one line that depth j is nearest to. Of equal depths the first has it. False: there is none.
static bool findEnds(const crFan* fan, int j, crCorner toward, Ends* ends)
{
  Line line = placeLine(fan, toward.u, toward.v);
  Slope own = boundAlong(&fan->bounds[j], &line, toward.u, toward.v);
  double low = fan->isPlane ? -HUGE_VAL : 0.0, high = fan->isPlane ? HUGE_VAL : 1.0;
  *ends = (Ends){ -1, -1, 0.0 };
  for (int k = 0; k < fan->count; ++k) {
    Slope more = own;
    if (k != j) {
      double part = k < fan->depthCount ? 1.0 : 0.0;
      more = boundAlong(&fan->bounds[k], &line, toward.u, toward.v);
      more = (Slope){ more.start - part * own.start, more.slope - part * own.slope };
    }
    double at = -more.start / more.slope;
    if (more.slope > 0.0 && at > low) {
      low = at;
      ends->low = k;
    } else if (more.slope < 0.0 && at < high) {
      high = at;
      ends->high = k;
    } else if (more.slope == 0.0 && (more.start < 0.0 || (more.start == 0.0 && k < j))) {
      return false;
    }
    if (!(low < high)) {
      return false;
    }
  }
  double depth = crMax2(own.start + low * own.slope, own.start + high * own.slope);
  ends->measure = depth * fan->weight * (high - low) * fabs(line.r + 0.5 * (low + high) * line.rStep);
  return true;
}

static inline double slopeOf(const crFan* fan, const crFanBound* f, crCorner toward)
{
  double along = f->normal.x * toward.u + f->normal.y * toward.v + f->radial;
  if (!fan->isPlane) {
    const crSide* side = &fan->side;
    return -f->normal.z * (side->z1 - side->z0) - along * (side->r1 - side->r0);
  }
  return f->normal.z * (fan->normal.x * toward.u + fan->normal.y * toward.v) - along * fan->normal.z;
}

static double slopeAt(const crFan* fan, int j, int k, crCorner toward)
{
  double slope = slopeOf(fan, &fan->bounds[k], toward);
  return k == j || k >= fan->depthCount ? slope : slope - slopeOf(fan, &fan->bounds[j], toward);
}

typedef struct Arc {
  crCorner from, to;
  int halved; // how often
} Arc;

// How much a slope may change along an arc, relative to its middle. share: [-] of all so far. A quotient that changes
// by c = 0.45, 0.7, 1, 1.3, 1.6 has an error like r^-16, r = 2 / c + sqrt(4 / c^2 - 1): 1e-15, 1e-12, 7e-10, 1e-7,
// 2e-5.
static double findLargestChange(double share, int halved)
{
  return share > 1e-2   ? (halved > 0 ? CR_HALVED_CHANGE : CR_LARGEST_CHANGE)
         : share > 1e-4 ? 0.7
         : share > 1e-6 ? 1.0
         : share > 1e-8 ? 1.3
                        : 1.6;
}

// Whether the slope of an end changes too much along an arc.
static bool isSteep(const crFan* fan, int j, int k, const Arc* arc, crCorner middle, double largest)
{
  if (k < 0) {
    return false;
  }
  double a = slopeAt(fan, j, k, arc->from), b = slopeAt(fan, j, k, middle), c = slopeAt(fan, j, k, arc->to);
  double change = fabs(a - c) + fabs(a - 2.0 * b + c);
  return change > largest * fabs(b) && change > CR_SMALLEST_CHANGE * fan->weight;
}

// ------------------------------------------------------------------------------------------------ points

typedef int64_t Bits __attribute__((vector_size(8 * CR_PART_LANES), aligned(8)));

// Lines at eight angles with their weights.
typedef struct Lines {
  double c[CR_LANES], s[CR_LANES], weight[CR_LANES];
} Lines;

// Some of them, as many as a register has.
typedef struct PartLine {
  crPart c, s;
  crPart r, z, rStep, zStep;
} PartLine;

typedef struct PartSlope {
  crPart start, slope;
} PartSlope;

static inline crPart partOf(double x)
{
  crPart zero = { 0.0 };
  return zero + x;
}

// As placeLine and boundAlong.
static inline PartLine placePart(const crFan* fan, const Lines* l, int part)
{
  crPart c = *(const crPart*)&l->c[part], s = *(const crPart*)&l->s[part];
  if (!fan->isPlane) {
    const crSide* side = &fan->side;
    return (
        PartLine){ c, s, partOf(side->r0), partOf(side->z0), partOf(side->r1 - side->r0), partOf(side->z1 - side->z0) };
  }
  crPart along = fan->normal.x * c + fan->normal.y * s, nz = partOf(fan->normal.z);
  crPart q = fan->offset / (along * along + nz * nz + CR_LEAST_SLOPE);
  return (PartLine){ c, s, q * along, q * nz, nz, -along };
}

static inline PartSlope boundPart(const crFanBound* f, const PartLine* line)
{
  crPart along = f->normal.x * line->c + f->normal.y * line->s + f->radial;
  return (PartSlope){ f->offset - f->normal.z * line->z - along * line->r,
                      -f->normal.z * line->zStep - along * line->rStep };
}

static inline crPart findLimits(const crFan* fan, int j, int k, double otherwise, const PartSlope* own,
                                const PartLine* line)
{
  if (k < 0) {
    return partOf(otherwise);
  }
  if (k == j) {
    return -own->start / own->slope;
  }
  PartSlope f = boundPart(&fan->bounds[k], line);
  return k < fan->depthCount ? (own->start - f.start) / (f.slope - own->slope) : -f.start / f.slope;
}

// Three points on each line. Lines on which nothing is left by rounding keep their place and get no weight.
static inline void addPartLines(const crFan* fan, int j, Ends ends, const Lines* l, int part, crPatch* patch)
{
  const crFanBound* f = &fan->bounds[j];
  PartLine line = placePart(fan, l, part);
  PartSlope depth = boundPart(f, &line);
  crPart low = findLimits(fan, j, ends.low, 0.0, &depth, &line);
  crPart high = findLimits(fan, j, ends.high, 1.0, &depth, &line);
  crPart length = high - low, half = 0.5 * (crPart)((Bits)length & (length > 0.0)),
         weight = *(const crPart*)&l->weight[part] * fan->weight * half;
  crPart mx = f->normal.x + f->radial * line.c, my = f->normal.y + f->radial * line.s, mz = partOf(f->normal.z);
  for (int g = 0; g < 3; ++g) {
    int at = patch->count + g * CR_LANES + part;
    crPart t = low + half * (1.0 + cr_threeAlong.x[g]), r = line.r + t * line.rStep;
    *(crPart*)&patch->w[at] = weight * cr_threeAlong.w[g] * r;
    *(crPart*)&patch->d[at] = depth.start + t * depth.slope;
    *(crPart*)&patch->x[0][at] = fan->origin.x + r * line.c;
    *(crPart*)&patch->x[1][at] = fan->origin.y + r * line.s;
    *(crPart*)&patch->x[2][at] = fan->origin.z + line.z + t * line.zStep;
    *(crPart*)&patch->m[0][at] = mx;
    *(crPart*)&patch->m[1][at] = my;
    *(crPart*)&patch->m[2][at] = mz;
  }
}

static void addLines(const crFan* fan, int j, Ends ends, const Lines* l, crPatch* patch)
{
  crPatch_MakeRoom(patch, 3 * CR_LANES);
  for (int part = 0; part < CR_LANES; part += CR_PART_LANES) {
    addPartLines(fan, j, ends, l, part, patch);
  }
  patch->count += 3 * CR_LANES;
}

static void aimLines(crCorner middle, double spread, Lines* l)
{
  for (int part = 0; part < CR_LANES; part += CR_PART_LANES) {
    crPart t = spread * *(const crPart*)&cr_eightAlong.x[part], tt = t * t, q = 1.0 / (1.0 + tt), c = (1.0 - tt) * q,
           s = 2.0 * t * q;
    *(crPart*)&l->c[part] = middle.u * c - middle.v * s;
    *(crPart*)&l->s[part] = middle.v * c + middle.u * s;
    *(crPart*)&l->weight[part] = 2.0 * spread * *(const crPart*)&cr_eightAlong.w[part] * q;
  }
}

// An arc of a right angle at most. It is looked at on one of its lines, not in its middle, where a part of a symmetric
// pose may have no width by chance.
static void addArc(crFan* fan, int j, crCorner from, crCorner to, crPatch* patch)
{
  Arc waiting[CR_MAX_HALVED + 8];
  int count = 0;
  waiting[count++] = (Arc){ from, to, 0 };
  while (count > 0) {
    Arc now = waiting[--count];
    Lines lines;
    Ends ends;
    double u = now.from.u + now.to.u, v = now.from.v + now.to.v, du = now.to.u - now.from.u, dv = now.to.v - now.from.v;
    double length = sqrt(u * u + v * v), spread = sqrt(du * du + dv * dv) / (2.0 + length); // tan of a quarter
    crCorner middle = { u / length, v / length };
    aimLines(middle, spread, &lines);
    if (!findEnds(fan, j, (crCorner){ lines.c[CR_PROBE], lines.s[CR_PROBE] }, &ends)) {
      continue;
    }
    double measure = ends.measure * spread, share = measure / (fan->whole + CR_LEAST_SLOPE),
           largest = findLargestChange(share, now.halved);
    bool isLong = spread > (share > CR_MINOR_SHARE ? fan->largestArc : CR_LARGEST_MINOR_ARC),
         isUneven = fan->isUneven && now.halved < CR_MAX_HALVED;
    if (isLong || (isUneven && (isSteep(fan, j, ends.low, &now, middle, largest) ||
                                isSteep(fan, j, ends.high, &now, middle, largest)))) {
      waiting[count++] = (Arc){ middle, now.to, now.halved + 1 };
      waiting[count++] = (Arc){ now.from, middle, now.halved + 1 };
      continue;
    }
    addLines(fan, j, ends, &lines, patch);
    fan->whole += measure;
  }
}

// The direction of a key, -2 to 2.
static crCorner towardKey(const crFan* fan, double key)
{
  double c = 1.0 - fabs(key), s = key > 1.0 ? 2.0 - key : key < -1.0 ? -2.0 - key : key, q = 1.0 / sqrt(c * c + s * s);
  return (crCorner){ q * (c * fan->ahead.u - s * fan->ahead.v), q * (c * fan->ahead.v + s * fan->ahead.u) };
}

typedef struct Place {
  crCorner toward;
  double key;
} Place;

// What is empty somewhere between breakpoints is empty all along.
static bool isEmpty(const crFan* fan, int j, double from, double to)
{
  Ends ends;
  return !findEnds(fan, j, towardKey(fan, from + CR_LOOK * (to - from)), &ends);
}

// Whether an arc between two breakpoints that are one but for rounding has nothing that counts.
static bool isNothing(const crFan* fan, int j, const Place* from, const Place* to)
{
  crCorner middle = { 0.5 * (from->toward.u + to->toward.u), 0.5 * (from->toward.v + to->toward.v) };
  Ends ends;
  return !findEnds(fan, j, middle, &ends) || ends.measure * (to->key - from->key) < CR_LEAST_SHARE * fan->whole;
}

static void addBetween(crFan* fan, int j, Place from, Place to, crPatch* patch)
{
  double wide = to.key - from.key;
  if (!(wide > CR_SMALLEST_ARC) || (wide > 1.0 && isEmpty(fan, j, from.key, to.key)) ||
      (wide < CR_SHORT_ARC && isNothing(fan, j, &from, &to))) {
    return;
  }
  while (to.key - from.key > 1.0) { // right angles at most
    double key = floor(from.key) + 1.0;
    Place next = { towardKey(fan, key), key };
    addArc(fan, j, from.toward, next.toward, patch);
    from = next;
  }
  addArc(fan, j, from.toward, to.toward, patch);
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

// Whether the slope of an end is nearly the same all around.
static bool isEven(const crFan* fan, int j, int k, const Lines* l)
{
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < CR_LANES && k >= 0; ++i) {
    double slope = slopeAt(fan, j, k, (crCorner){ l->c[i], l->s[i] });
    least = crMin2(least, slope);
    most = crMax2(most, slope);
  }
  return k < 0 || most - least <= CR_LARGEST_ROUND * fabs(most + least);
}

// A part without breakpoints goes all around or is empty: equal steps, which have no error for trigonometric
// polynomials up to the seventh degree, and next to none for slopes that hardly change with 16 of them.
static void addAround(crFan* fan, int j, crPatch* patch)
{
  Lines lines;
  Ends ends;
  int rounds = fan->isUneven ? 2 : 1;
  if (!findEnds(fan, j, fan->ahead, &ends)) {
    return;
  }
  aimAround(0, &lines);
  if (!isEven(fan, j, ends.low, &lines) || !isEven(fan, j, ends.high, &lines)) {
    Place from = { towardKey(fan, -2.0), -2.0 }, to = { towardKey(fan, 2.0), 2.0 };
    addBetween(fan, j, from, to, patch);
    return;
  }
  for (int round = 0; round < rounds; ++round) {
    aimAround(round, &lines);
    for (int i = 0; i < CR_LANES; ++i) {
      lines.weight[i] = 2.0 * CR_PI / (rounds * CR_LANES);
    }
    addLines(fan, j, ends, &lines, patch);
  }
}

// About how much an arc has.
static double measureArc(const crFan* fan, int j, Place from, Place to)
{
  Ends ends;
  bool isThere = findEnds(fan, j, towardKey(fan, from.key + CR_LOOK * (to.key - from.key)), &ends);
  return isThere ? CR_SPREAD_OF_KEY * (to.key - from.key) * ends.measure : 0.0;
}

// The first and the last breakpoint are ends of one arc, behind the axis, which is empty mostly.
static bool isEmptyBehind(const crFan* fan, int j, double first)
{
  const double c = -0.97014250014533189, s = -0.24253562503633297; // of the key -1.8
  crCorner toward = { c * fan->ahead.u - s * fan->ahead.v, c * fan->ahead.v + s * fan->ahead.u };
  Ends ends;
  return !fan->isHalf && first > -CR_BEHIND_KEY && !findEnds(fan, j, toward, &ends);
}

// The part that depth j is nearest to, between its own breakpoints. The arc at the angle 0, where most of it is, tells
// how little matters, where there are others.
static void addPart(crFan* fan, int j, crPatch* patch)
{
  double around = fan->isHalf ? 1.0 : 2.0;
  int from = 0, count = 1;
  Place places[CR_MAX_FAN_BREAKS + 2];
  for (int i = 0; i < fan->breakCount; ++i) {
    const crFanBreak* b = &fan->breaks[i];
    if (crFanBound_At(&fan->bounds[j], b->x, b->r) <= b->depth + 2.0 * fan->slack) {
      places[count++] = (Place){ b->toward, b->key };
    }
  }
  if (count == 1 && !fan->isHalf) {
    addAround(fan, j, patch);
    return;
  }
  if (count > 1 && isEmptyBehind(fan, j, places[1].key)) {
    from = 1;
    count -= 1;
  } else {
    places[0] = (Place){ towardKey(fan, -around), -around };
    places[count] = (Place){ towardKey(fan, around), around };
  }
  for (int i = from; i < count && count > from + 1; ++i) {
    if (places[i].key <= 0.0 && places[i + 1].key > 0.0) {
      fan->whole += measureArc(fan, j, places[i], places[i + 1]);
    }
  }
  for (int i = from; i < count; ++i) {
    addBetween(fan, j, places[i], places[i + 1], patch);
  }
}

static inline bool isLevel(crVec3 n)
{
  return n.x * n.x + n.y * n.y < CR_LEVEL;
}

// Where all planes are nearly across the axis, nothing changes much with the angle.
static double findLargestArc(const crFan* fan)
{
  bool areLevel = !fan->isPlane || isLevel(fan->normal);
  for (int k = 0; k < fan->count && areLevel; ++k) {
    areLevel = isLevel(fan->bounds[k].normal);
  }
  return areLevel ? CR_LARGEST_LEVEL_ARC : CR_LARGEST_ARC;
}

void crFan_AddPoints(crFan* fan, crPatch* patch)
{
  fan->largestArc = findLargestArc(fan);
  fan->whole = 0.0;
  patch->isBroken |= fan->isBroken;
  crFan_SortBreaks(fan);
  for (int j = 0; j < fan->depthCount; ++j) {
    addPart(fan, j, patch);
  }
}
