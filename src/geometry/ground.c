#include "geometry/ground.h"

#include "base/memory.h"

#include <string.h>

#define CR_NODE_VALUES 4
#define CR_MOST_BALL 0.95      // [-] of R: radii of balls that touch the surface
#define CR_CERTAIN 0.98        // [-] of R: distances up to which a foot is always found
#define CR_MOST_DESCENTS 60    // steps of one descent
#define CR_MOST_HALVINGS 40    // of one step
#define CR_ARMIJO 1e-4         // [-] of the decrease that a slope promises
#define CR_SMALL_DECREASE 1e-9 // [-] of F, below which values of F no longer tell whether a step is right
#define CR_MOST_NODES 100000   // that are looked at for one exact answer
#define CR_EXACT_SHARE 1e-14   // [-] of F: nodes that promise less are left out
#define CR_MOST_SPLITS 40      // of a cell
#define CR_MOST_STRAY 0.4      // [-] by which h' differs from that below the middle of a cylinder
#define CR_MOST_CELLS 32.0     // from there to its farthest point: lines and rims are looked along from cell to cell
#define CR_STACK (3 * (CR_GROUND_LEVELS + CR_MOST_SPLITS) + 8)

// ------------------------------------------------------------------------------------------------- making it

// Second derivatives of the natural cubic spline through n values, in steps of 1 [deBoor01]: see height_field.c.
static void bendSpline(const double* values, int n, int stride, double* c, double* out)
{
  out[0] = out[(n - 1) * stride] = c[0] = 0.0;
  for (int i = 1; i < n - 1; ++i) {
    double bend = values[(i - 1) * stride] - 2.0 * values[i * stride] + values[(i + 1) * stride];
    double pivot = 4.0 - c[i - 1];
    c[i] = 1.0 / pivot;
    out[i * stride] = (6.0 * bend - out[(i - 1) * stride]) / pivot;
  }
  for (int i = n - 2; i > 0; --i) {
    out[i * stride] -= c[i] * out[(i + 1) * stride];
  }
}

static void bendAll(crGround* g, double* scratch)
{
  int row = CR_NODE_VALUES * g->columnCount;
  for (int j = 0; j < g->rowCount; ++j) {
    double* v = g->values + (ptrdiff_t)j * row;
    bendSpline(v, g->columnCount, CR_NODE_VALUES, scratch, v + 1);
  }
  for (int i = 0; i < g->columnCount; ++i) {
    double* v = g->values + (ptrdiff_t)i * CR_NODE_VALUES;
    bendSpline(v, g->rowCount, row, scratch, v + 2);
    bendSpline(v + 1, g->rowCount, row, scratch, v + 3);
  }
}

// D[k][l]: k, along x, is value and bend at both ends (left, right; bends left, right); l likewise along y.
static void gatherCell(const crGround* g, int i, int j, double D[4][4])
{
  for (int k = 0; k < 4; ++k) {
    for (int l = 0; l < 4; ++l) {
      ptrdiff_t node = (ptrdiff_t)(j + (l & 1)) * g->columnCount + i + (k & 1);
      D[k][l] = g->values[node * CR_NODE_VALUES + (k >> 1) + 2 * (l >> 1)];
    }
  }
}

// Of a cubic: its ordinates in Bernstein's form.
static void toBernstein(const double in[4], double out[4])
{
  double a = in[0], b = in[1], p = in[2], q = in[3];
  out[0] = a;
  out[1] = a + (b - a - (2.0 * p + q) / 6.0) / 3.0;
  out[2] = b - (b - a + (p + 2.0 * q) / 6.0) / 3.0;
  out[3] = b;
}

static void makeNet(double D[4][4], double B[4][4])
{
  double half[4][4];
  for (int k = 0; k < 4; ++k) {
    toBernstein(D[k], half[k]);
  }
  for (int l = 0; l < 4; ++l) {
    double in[4] = { half[0][l], half[1][l], half[2][l], half[3][l] }, out[4];
    toBernstein(in, out);
    for (int k = 0; k < 4; ++k) {
      B[k][l] = out[k];
    }
  }
}

// Bounds of derivatives over a cell, in steps of the grid.
typedef struct Bends {
  double low, high; // of h
  double x, y;      // of |h_x|, |h_y|
  double xxLow, xxHigh, yyLow, yyHigh, xy;
} Bends;

static Bends boundCell(double B[4][4])
{
  Bends b = {
    .low = HUGE_VAL, .high = -HUGE_VAL, .xxLow = HUGE_VAL, .xxHigh = -HUGE_VAL, .yyLow = HUGE_VAL, .yyHigh = -HUGE_VAL
  };
  for (int k = 0; k < 4; ++k) {
    for (int l = 0; l < 4; ++l) {
      b.low = fmin(b.low, B[k][l]);
      b.high = fmax(b.high, B[k][l]);
      b.x = k < 3 ? fmax(b.x, fabs(3.0 * (B[k + 1][l] - B[k][l]))) : b.x;
      b.y = l < 3 ? fmax(b.y, fabs(3.0 * (B[k][l + 1] - B[k][l]))) : b.y;
      if (k < 2) {
        double xx = 6.0 * (B[k][l] - 2.0 * B[k + 1][l] + B[k + 2][l]);
        b.xxLow = fmin(b.xxLow, xx);
        b.xxHigh = fmax(b.xxHigh, xx);
      }
      if (l < 2) {
        double yy = 6.0 * (B[k][l] - 2.0 * B[k][l + 1] + B[k][l + 2]);
        b.yyLow = fmin(b.yyLow, yy);
        b.yyHigh = fmax(b.yyHigh, yy);
      }
      if (k < 3 && l < 3) {
        b.xy = fmax(b.xy, fabs(9.0 * (B[k][l] - B[k + 1][l] - B[k][l + 1] + B[k + 1][l + 1])));
      }
    }
  }
  return b;
}

// The larger eigenvalue of [a b; b c]: it grows with a, with c and with |b|.
static double largerEigenvalue(double a, double b, double c)
{
  double half = 0.5 * (a - c);
  return 0.5 * (a + c) + sqrt(half * half + b * b);
}

static double stepX(const crGround* g)
{
  return g->width / (g->columnCount - 1);
}

static double stepY(const crGround* g)
{
  return g->length / (g->rowCount - 1);
}

static double* spanOf(crGround* g, int level, int i, int j)
{
  return g->values + g->spans + 2 * ((ptrdiff_t)g->levelStarts[level] + (ptrdiff_t)j * g->levelColumns[level] + i);
}

static const double* getSpan(const crGround* g, int level, int i, int j)
{
  return g->values + g->spans + 2 * ((ptrdiff_t)g->levelStarts[level] + (ptrdiff_t)j * g->levelColumns[level] + i);
}

static void boundCells(crGround* g)
{
  double dx = stepX(g), dy = stepY(g);
  g->low = HUGE_VAL;
  g->high = -HUGE_VAL;
  for (int j = 0; j < g->rowCount - 1; ++j) {
    for (int i = 0; i < g->columnCount - 1; ++i) {
      double D[4][4], B[4][4];
      gatherCell(g, i, j, D);
      makeNet(D, B);
      Bends b = boundCell(B);
      double* span = spanOf(g, 0, i, j);
      span[0] = b.low;
      span[1] = b.high;
      g->low = fmin(g->low, b.low);
      g->high = fmax(g->high, b.high);
      double xy = b.xy / (dx * dy);
      g->rise = fmax(g->rise, largerEigenvalue(b.xxHigh / (dx * dx), xy, b.yyHigh / (dy * dy)));
      g->fall = fmax(g->fall, largerEigenvalue(-b.xxLow / (dx * dx), xy, -b.yyLow / (dy * dy)));
      g->facing = fmax(g->facing, sqrt(b.x * b.x / (dx * dx) + b.y * b.y / (dy * dy)));
    }
  }
}

static void boundLevels(crGround* g)
{
  for (int level = 1; level < g->levelCount; ++level) {
    for (int j = 0; j < g->levelRows[level]; ++j) {
      for (int i = 0; i < g->levelColumns[level]; ++i) {
        double* span = spanOf(g, level, i, j);
        span[0] = HUGE_VAL;
        span[1] = -HUGE_VAL;
        for (int k = 0; k < 4; ++k) {
          int x = 2 * i + (k & 1), y = 2 * j + (k >> 1);
          if (x < g->levelColumns[level - 1] && y < g->levelRows[level - 1]) {
            const double* part = getSpan(g, level - 1, x, y);
            span[0] = fmin(span[0], part[0]);
            span[1] = fmax(span[1], part[1]);
          }
        }
      }
    }
  }
}

// Returns how many cells all levels have.
static int layLevels(crGround* g)
{
  int columns = g->columnCount - 1, rows = g->rowCount - 1, count = 0;
  for (g->levelCount = 0; g->levelCount < CR_GROUND_LEVELS; columns = (columns + 1) / 2, rows = (rows + 1) / 2) {
    g->levelStarts[g->levelCount] = count;
    g->levelColumns[g->levelCount] = columns;
    g->levelRows[g->levelCount++] = rows;
    count += columns * rows;
    if (columns == 1 && rows == 1) {
      break;
    }
  }
  return count;
}

static void fillReaches(crGround* g)
{
  double R = g->rise > 0.0 ? 1.0 / g->rise : HUGE_VAL;
  double bend = fmax(g->rise, g->fall);
  g->chain = (crChain){ .least = 0.0, .most = CR_MOST_BALL * R, .concave = R, .circle = HUGE_VAL, .isWhole = true };
  double cell = fmin(g->width / (g->columnCount - 1), g->length / (g->rowCount - 1));
  g->wheel = fmin(bend > 0.0 ? CR_MOST_STRAY / bend : HUGE_VAL, CR_MOST_CELLS * cell);
}

crGround* crCreateGround(const crShapeDef* def, const crAllocator* allocator)
{
  int columns = def->as.heightField.columnCount, rows = def->as.heightField.rowCount, count = columns * rows;
  crGround layout = { .columnCount = columns, .rowCount = rows };
  size_t numbers = (size_t)count * CR_NODE_VALUES + 2 * (size_t)layLevels(&layout);
  size_t byteCount = offsetof(crGround, values) + numbers * sizeof(double);
  size_t scratchSize = (size_t)(columns > rows ? columns : rows) * sizeof(double);
  crGround* g = crAllocateZero(allocator, 1, byteCount);
  double* scratch = crAllocate(allocator, scratchSize);
  if (g == NULL || scratch == NULL) {
    crFree(allocator, g, byteCount);
    crFree(allocator, scratch, scratchSize);
    return NULL;
  }
  *g = layout;
  g->byteCount = byteCount;
  g->spans = CR_NODE_VALUES * count;
  g->width = def->as.heightField.width;
  g->length = def->as.heightField.length;
  for (int i = 0; i < count; ++i) {
    g->values[(ptrdiff_t)i * CR_NODE_VALUES] = def->as.heightField.heights[i];
  }
  bendAll(g, scratch);
  boundCells(g);
  boundLevels(g);
  fillReaches(g);
  crFree(allocator, scratch, scratchSize);
  return g;
}

// Along x and along y, of either triangle of a cell.
double crGround_BoundFacets(const crGround* g, int refine)
{
  double dx = stepX(g) / refine, dy = stepY(g) / refine;
  return fmax(g->rise, g->fall) * (dx * dx + dy * dy) / 8.0;
}

// ------------------------------------------------------------------------------------------------ evaluation

// Weights of D at u, of the value and two derivatives.
typedef struct Weights {
  double p[4], d[4], dd[4];
} Weights;

static Weights weigh(double u)
{
  double s = 1.0 - u;
  return (Weights){ { s, u, (s * s - 1.0) * s / 6.0, (u * u - 1.0) * u / 6.0 },
                    { -1.0, 1.0, (1.0 - 3.0 * s * s) / 6.0, (3.0 * u * u - 1.0) / 6.0 },
                    { 0.0, 0.0, s, u } };
}

static double clampTo(double x, double least, double most)
{
  return x < least ? least : x > most ? most : x;
}

// NaN: the first one.
static int findCell(double u, int count)
{
  return !(u >= 1.0) ? 0 : u < count - 2 ? (int)u : count - 2;
}

crGroundPoint crGround_At(const crGround* g, double x, double y)
{
  double dx = stepX(g), dy = stepY(g), u = (x + 0.5 * g->width) / dx, v = (y + 0.5 * g->length) / dy;
  int i = findCell(u, g->columnCount), j = findCell(v, g->rowCount);
  double D[4][4];
  gatherCell(g, i, j, D);
  Weights a = weigh(u - i), b = weigh(v - j);
  double p = 0.0, px = 0.0, py = 0.0, pxx = 0.0, pxy = 0.0, pyy = 0.0;
  for (int k = 0; k < 4; ++k) {
    double q = 0.0, qy = 0.0, qyy = 0.0;
    for (int l = 0; l < 4; ++l) {
      q += b.p[l] * D[k][l];
      qy += b.d[l] * D[k][l];
      qyy += b.dd[l] * D[k][l];
    }
    p += a.p[k] * q;
    px += a.d[k] * q;
    pxx += a.dd[k] * q;
    py += a.p[k] * qy;
    pxy += a.d[k] * qy;
    pyy += a.p[k] * qyy;
  }
  return (crGroundPoint){ p, px / dx, py / dy, pxx / (dx * dx), pxy / (dx * dy), pyy / (dy * dy) };
}

// Of a node its four values side by side: along y first.
static void foldNode(const double* v, double own, double bend, double out[2])
{
  out[0] += own * v[0] + bend * v[2];
  out[1] += own * v[1] + bend * v[3];
}

double crGround_SlopeAt(const crGround* g, double x, double y, double* outHx, double* outHy)
{
  double perX = (g->columnCount - 1) / g->width, perY = (g->rowCount - 1) / g->length;
  double u = (x + 0.5 * g->width) * perX, v = (y + 0.5 * g->length) * perY;
  int i = findCell(u, g->columnCount), j = findCell(v, g->rowCount);
  const double* node = g->values + ((ptrdiff_t)j * g->columnCount + i) * CR_NODE_VALUES;
  const double* above = node + (ptrdiff_t)g->columnCount * CR_NODE_VALUES;
  double t = u - i, s = 1.0 - t, b = v - j, a = 1.0 - b;
  double ownA = (a * a - 1.0) * a / 6.0, ownB = (b * b - 1.0) * b / 6.0;
  double slopeA = (1.0 - 3.0 * a * a) / 6.0, slopeB = (3.0 * b * b - 1.0) / 6.0;
  double left[2] = { 0.0 }, right[2] = { 0.0 }, leftY[2] = { 0.0 }, rightY[2] = { 0.0 };
  foldNode(node, a, ownA, left);
  foldNode(above, b, ownB, left);
  foldNode(node + CR_NODE_VALUES, a, ownA, right);
  foldNode(above + CR_NODE_VALUES, b, ownB, right);
  foldNode(node, -1.0, slopeA, leftY);
  foldNode(above, 1.0, slopeB, leftY);
  foldNode(node + CR_NODE_VALUES, -1.0, slopeA, rightY);
  foldNode(above + CR_NODE_VALUES, 1.0, slopeB, rightY);
  double bendS = (s * s - 1.0) * s / 6.0, bendT = (t * t - 1.0) * t / 6.0;
  *outHx = perX * (right[0] - left[0] + (1.0 - 3.0 * s * s) / 6.0 * left[1] + (3.0 * t * t - 1.0) / 6.0 * right[1]);
  *outHy = perY * (s * leftY[0] + t * rightY[0] + bendS * leftY[1] + bendT * rightY[1]);
  return s * left[0] + t * right[0] + bendS * left[1] + bendT * right[1];
}

// With the first form I = 1 + h' h'^T and the second one II = h'' / sqrt(1 + |h'|^2), both over (x, y).
void crGround_FindCurvature(const crGround* g, double x, double y, double* outK1, double* outK2, crVec3* outDirection1)
{
  crGroundPoint p = crGround_At(g, x, y);
  double slope = sqrt(p.hx * p.hx + p.hy * p.hy), square = 1.0 + slope * slope, root = sqrt(square);
  // unit vectors of the surface: down the slope, and level
  double cx = slope > 0.0 ? p.hx / slope : 1.0, cy = slope > 0.0 ? p.hy / slope : 0.0;
  crVec3 along = crScale(1.0 / root, crMakeVec3(cx, cy, slope)), level = crMakeVec3(-cy, cx, 0.0);
  double a = (p.hxx * cx * cx + 2.0 * p.hxy * cx * cy + p.hyy * cy * cy) / (square * root);
  double b = ((p.hyy - p.hxx) * cx * cy + p.hxy * (cx * cx - cy * cy)) / square;
  double c = (p.hxx * cy * cy - 2.0 * p.hxy * cx * cy + p.hyy * cx * cx) / root;
  double half = 0.5 * (a - c), spread = sqrt(half * half + b * b), mean = 0.5 * (a + c);
  *outK1 = -(mean - spread); // of hills
  *outK2 = -(mean + spread);
  // of the lesser eigenvalue
  double s = half > 0.0 ? b : spread - half, t = half > 0.0 ? -(spread + half) : -b;
  double length = sqrt(s * s + t * t);
  *outDirection1 = length > 0.0 ? crMulAdd(crScale(s / length, along), t / length, level) : along;
}

// --------------------------------------------------------------------------------------------------- descent

// F = |c - q|^2 / 2 with q = (x, y, h), of points above the solid without what h is above c: there walls are nearest,
// level with c.
typedef struct Look {
  const crGround* ground;
  crVec3 c;
  bool isInside;
} Look;

typedef struct Place {
  double x, y;
  crGroundPoint at;
  double F, gx, gy;  // and its slope
  double xx, xy, yy; // and its bend
} Place;

static Place lookAt(const Look* look, double x, double y)
{
  Place p = { .x = x, .y = y, .at = crGround_At(look->ground, x, y) };
  double X = x - look->c.x, Y = y - look->c.y, Z = look->c.z - p.at.h;
  bool isBeside = !look->isInside && Z < 0.0;
  if (isBeside) {
    p.F = 0.5 * (X * X + Y * Y);
    p.gx = X;
    p.gy = Y;
    p.xx = p.yy = 1.0;
    return p;
  }
  p.F = 0.5 * (X * X + Y * Y + Z * Z);
  p.gx = X - Z * p.at.hx;
  p.gy = Y - Z * p.at.hy;
  p.xx = 1.0 + p.at.hx * p.at.hx - Z * p.at.hxx;
  p.xy = p.at.hx * p.at.hy - Z * p.at.hxy;
  p.yy = 1.0 + p.at.hy * p.at.hy - Z * p.at.hyy;
  return p;
}

// A step in what is not held at an edge; bends of the surface are left out where F is not convex with them.
static void findStep(const crGround* g, const Place* p, double* outX, double* outY)
{
  double halfX = 0.5 * g->width, halfY = 0.5 * g->length;
  bool holdsX = (p->x >= halfX && p->gx < 0.0) || (p->x <= -halfX && p->gx > 0.0);
  bool holdsY = (p->y >= halfY && p->gy < 0.0) || (p->y <= -halfY && p->gy > 0.0);
  double xx = p->xx, xy = p->xy, yy = p->yy, least = 1e-3;
  *outX = *outY = 0.0;
  if (!holdsX && !holdsY) {
    bool isConvex = xx > least && yy > least && xx * yy - xy * xy > least * xx * yy;
    xx = isConvex ? xx : 1.0 + p->at.hx * p->at.hx;
    yy = isConvex ? yy : 1.0 + p->at.hy * p->at.hy;
    xy = isConvex ? xy : p->at.hx * p->at.hy;
    double det = xx * yy - xy * xy;
    *outX = -(yy * p->gx - xy * p->gy) / det;
    *outY = -(xx * p->gy - xy * p->gx) / det;
  } else if (!holdsX) {
    *outX = -p->gx / (xx > least ? xx : 1.0 + p->at.hx * p->at.hx);
  } else if (!holdsY) {
    *outY = -p->gy / (yy > least ? yy : 1.0 + p->at.hy * p->at.hy);
  }
}

static Place goBy(const Look* look, const Place* p, double x, double y)
{
  double halfX = 0.5 * look->ground->width, halfY = 0.5 * look->ground->length;
  return lookAt(look, clampTo(p->x + x, -halfX, halfX), clampTo(p->y + y, -halfY, halfY));
}

// Slope of F along what is not held.
static double findSlope(const crGround* g, const Place* p)
{
  double halfX = 0.5 * g->width, halfY = 0.5 * g->length;
  bool holdsX = (p->x >= halfX && p->gx < 0.0) || (p->x <= -halfX && p->gx > 0.0);
  bool holdsY = (p->y >= halfY && p->gy < 0.0) || (p->y <= -halfY && p->gy > 0.0);
  double gx = holdsX ? 0.0 : p->gx, gy = holdsY ? 0.0 : p->gy;
  return sqrt(gx * gx + gy * gy);
}

// Down from a place to where F has no slope inside of the rectangle.
static Place descend(const Look* look, Place p)
{
  const crGround* g = look->ground;
  for (int i = 0; i < CR_MOST_DESCENTS; ++i) {
    double x, y;
    findStep(g, &p, &x, &y);
    Place next = goBy(look, &p, x, y);
    double decrease = p.gx * (next.x - p.x) + p.gy * (next.y - p.y); // < 0
    if (-decrease <= CR_SMALL_DECREASE * p.F) {                      // F is flat in its digits: its slope tells
      if (!(findSlope(g, &next) < 0.5 * findSlope(g, &p))) {
        return p;
      }
      p = next;
      continue;
    }
    double s = 1.0;
    for (int k = 0; k < CR_MOST_HALVINGS && !(next.F <= p.F + CR_ARMIJO * decrease); ++k) {
      s *= 0.5;
      next = goBy(look, &p, s * x, s * y);
      decrease = p.gx * (next.x - p.x) + p.gy * (next.y - p.y);
    }
    if (!(next.F < p.F)) {
      return p;
    }
    p = next;
  }
  return p;
}

// ----------------------------------------------------------------------------------------------------- search

// A cell of a level, or a part of one: level 0 is split, `splits` times.
typedef struct Node {
  int level, splits;
  double i, j; // of the cell, in steps of its size
} Node;

typedef struct Search {
  Look look;
  double bend;   // >= 0: F bends down by no more
  double most;   // F of what is looked for is less
  double enough; // F below which a place leads to the foot; 0: all have to be looked at
  double bound;  // least F that what was left out can have
  Place best;
  bool hasBest;
  int left;
} Search;

// Bounds of F by the box around a node, and by F in its middle.
static double boundNode(Search* search, const Node* node, Place* outMiddle)
{
  const crGround* g = search->look.ground;
  crVec3 c = search->look.c;
  double size = node->splits > 0 ? 1.0 / (double)((int64_t)1 << node->splits) : (double)((int64_t)1 << node->level);
  double dx = stepX(g), dy = stepY(g), halfX = 0.5 * g->width, halfY = 0.5 * g->length;
  double x0 = node->i * size * dx - halfX, x1 = fmin((node->i + 1.0) * size * dx - halfX, halfX);
  double y0 = node->j * size * dy - halfY, y1 = fmin((node->j + 1.0) * size * dy - halfY, halfY);
  double X = c.x - clampTo(c.x, x0, x1), Y = c.y - clampTo(c.y, y0, y1), Z = 0.0;
  *outMiddle = lookAt(&search->look, 0.5 * (x0 + x1), 0.5 * (y0 + y1));
  double ex = 0.5 * (x1 - x0), ey = 0.5 * (y1 - y0), half = sqrt(ex * ex + ey * ey);
  if (node->splits == 0) {
    const double* span = getSpan(g, node->level, (int)node->i, (int)node->j);
    Z = c.z > span[1] ? c.z - span[1] : search->look.isInside && c.z < span[0] ? span[0] - c.z : 0.0;
  }
  double slope = fabs(outMiddle->gx) * ex + fabs(outMiddle->gy) * ey;
  double byBend = outMiddle->F - slope - 0.5 * search->bend * half * half;
  return fmax(0.5 * (X * X + Y * Y + Z * Z), byBend);
}

static void tryPlace(Search* search, const Place* middle)
{
  if (middle->F >= (search->enough > 0.0 ? search->enough : search->most)) {
    return;
  }
  Place foot = descend(&search->look, *middle);
  if (!search->hasBest || foot.F < search->best.F) {
    search->best = foot;
    search->hasBest = true;
    search->most = fmin(search->most, foot.F * (1.0 - CR_EXACT_SHARE));
  }
}

static int splitNode(const Search* search, const Node* node, Node out[4])
{
  const crGround* g = search->look.ground;
  int count = 0;
  for (int k = 0; k < 4; ++k) {
    Node part = { node->level, 0, 2.0 * node->i + (k & 1), 2.0 * node->j + (k >> 1) };
    if (node->level > 0) {
      part.level = node->level - 1;
      if (part.i >= g->levelColumns[part.level] || part.j >= g->levelRows[part.level]) {
        continue;
      }
    } else {
      part.splits = node->splits + 1;
    }
    out[count++] = part;
  }
  return count;
}

// Depth first: the order of the grid, whatever the point.
static void searchAll(Search* search)
{
  const crGround* g = search->look.ground;
  Node stack[CR_STACK];
  int count = 0;
  stack[count++] = (Node){ g->levelCount - 1, 0, 0.0, 0.0 };
  search->bound = HUGE_VAL;
  while (count > 0 && search->left-- > 0 && !(search->enough > 0.0 && search->hasBest)) {
    Node node = stack[--count], parts[4];
    Place middle;
    double bound = boundNode(search, &node, &middle);
    if (bound >= search->most) {
      search->bound = fmin(search->bound, bound);
      continue;
    }
    tryPlace(search, &middle);
    if (node.splits >= CR_MOST_SPLITS || count + 4 > CR_STACK) {
      continue;
    }
    int partCount = splitNode(search, &node, parts);
    for (int k = partCount - 1; k >= 0; --k) {
      stack[count++] = parts[k];
    }
  }
}

// ------------------------------------------------------------------------------------------------------- feet

static crVec3 pointOf(const Place* p)
{
  return crMakeVec3(p->x, p->y, p->at.h);
}

static crGroundFoot footAt(const crGround* g, const Look* look, const Place* p)
{
  bool isSmooth = fabs(p->x) < 0.5 * g->width && fabs(p->y) < 0.5 * g->length;
  crVec3 q = pointOf(p), up = crNormalize(crMakeVec3(-p->at.hx, -p->at.hy, 1.0)), way = crSub(look->c, q);
  double length = crLength(way);
  if (!look->isInside && look->c.z < q.z) { // on the edge of a wall, level with c
    q.z = look->c.z;
    way.z = 0.0;
    length = crLength(way);
    isSmooth = false;
  }
  if (look->isInside) {
    return (crGroundFoot){ -length, up, q, isSmooth, false };
  }
  if (isSmooth || !(length > 0.0)) {
    return (crGroundFoot){ crDot(way, up), up, q, isSmooth, false };
  }
  return (crGroundFoot){ length, crScale(1.0 / length, way), q, false, false };
}

static crGroundFoot findInside(const crGround* g, Look* look, bool isExact)
{
  crVec3 c = look->c;
  look->isInside = true;
  Place p = descend(look, lookAt(look, c.x, c.y));
  if (isExact) {
    Search search = {
      .look = *look, .left = CR_MOST_NODES, .best = p, .hasBest = true, .most = p.F * (1.0 - CR_EXACT_SHARE)
    };
    search.bend = fmax(0.0, (g->high - c.z) * g->fall - 1.0);
    searchAll(&search);
    p = search.best;
  }
  crGroundFoot foot = footAt(g, look, &p);
  double gaps[3] = { 0.5 * g->width - fabs(c.x), 0.5 * g->length - fabs(c.y), c.z - g->base };
  const crVec3 outs[3] = { { c.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0 },
                           { 0.0, c.y < 0.0 ? -1.0 : 1.0, 0.0 },
                           { 0.0, 0.0, -1.0 } };
  for (int k = 0; k < 3; ++k) {
    if (gaps[k] < -foot.distance) {
      foot = (crGroundFoot){ -gaps[k], outs[k], crMulAdd(c, gaps[k], outs[k]), false, false };
    }
  }
  return foot;
}

crGroundFoot crGround_FindFoot(const crGround* g, crVec3 c, bool isExact)
{
  double x = clampTo(c.x, -0.5 * g->width, 0.5 * g->width), y = clampTo(c.y, -0.5 * g->length, 0.5 * g->length);
  Look look = { g, c, false };
  Place p = lookAt(&look, x, y);
  if (c.z <= p.at.h && c.z >= g->base && x == c.x && y == c.y) {
    return findInside(g, &look, isExact);
  }
  if (c.z <= p.at.h) { // beside it, or below
    crVec3 q = crMakeVec3(x, y, fmax(c.z, g->base)), way = crSub(c, q);
    double length = crLength(way);
    return (crGroundFoot){ length, length > 0.0 ? crScale(1.0 / length, way) : crMakeVec3(0.0, 0.0, -1.0), q, false,
                           false };
  }
  double R = g->chain.concave;
  p = descend(&look, p);
  if (p.F < 0.5 * R * R) {
    return footAt(g, &look, &p);
  }
  Search search = { .look = look, .left = CR_MOST_NODES };
  search.bend = fmax(0.0, (c.z - g->low) * g->rise - 1.0);
  search.most = 0.5 * CR_CERTAIN * CR_CERTAIN * R * R;
  search.enough = 0.5 * R * R;
  if (isExact) {
    search.enough = 0.0;
    search.best = p;
    search.hasBest = true;
    search.most = p.F * (1.0 - CR_EXACT_SHARE);
  }
  searchAll(&search);
  if (search.hasBest) {
    return footAt(g, &look, &search.best);
  }
  crGroundFoot bound = footAt(g, &look, &p);
  if (search.left > 0) { // else as far as was looked
    bound.distance = sqrt(2.0 * search.bound);
    bound.isBound = true;
  }
  return bound;
}
