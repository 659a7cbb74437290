// Second-order refinement of the normal between curved cores.
//
// On a sheet pair i (difference.h) the separation g_i(n) = n . w_i(n) is smooth, with the gradient w_i(n) and the
// Hessian -H_i, H_i >= 0 the radii of curvature of both sheets. The signed distance is the greatest value over
// unit n of the least g_i. Around n, in tangent coordinates x with n + T x normalized,
//
//   g_i = g_i(n) + q_i . x - 1/2 x S x,   q_i = T' w_i,   S = T' (sum of weight_i H_i) T + mu I,   mu = sum weight_i
//   g_i
//
// (mu I is the curvature of the unit sphere.) A step solves this model with the sheets that the simplex names as
// active, all g_i equal, and drops those whose weight turns out negative:
//
//   S x = sum weight_i q_i,   sum weight_i = 1,   g_i + q_i . x all equal
//
// So one sheet gives Newton's method on the sphere; two a Newton step along the ridge where they are equal, e.g. the
// straight side of a cylinder; three the corner where they meet. It converges quadratically, apart and overlapping
// alike, because S does not lose its digits when the distance tends to zero. The support at each new n adds a sheet
// that is missing.
//
// On the cap of a cylinder the rim's curvature is infinite. Near such a normal the points of that shape are kept as
// they are, as vertices of a polygon in the cap, while the other shape stays curved. Where that does not converge
// either, the caller's own iteration goes on.
#include "collide/distance/difference.h"

#define CR_MAX_POLISH_STEPS 16
#define CR_SHARP 0.1          // [-] of S: least stiffness of an optimum that has no neighbours
#define CR_LEVEL_SADDLE 1e-9  // [-] of S: negative stiffness that counts as none
#define CR_ESCAPE_TURN 0.05   // [rad] step from a saddle
#define CR_STEADY_WEIGHT 1e-2 // [-]
#define CR_LEVEL_RIDGE 1e-3   // [-] stiffness along a ridge against S
#define CR_RIDGE_TURN 1e-3    // [rad] a step along a ridge from which it is led back to it
#define CR_MAX_RETURN_STEPS 4
#define CR_NEAR_RIDGE 1e-6   // [rad]
#define CR_MOST_TURNED 1e-11 // [scale] a rim near its cap has no finite radius
#define CR_TURN_ERROR 1e-15  // [rad] rounding error of n
#define CR_ON_CAP 1e-12      // [-] sine of the angle to the normal of a cap that is that normal
#define CR_MAX_LONG_STEPS 400
#define CR_MAX_FIXED_STEPS 6
#define CR_CAP_SINE 0.15     // [-] of the angle to the normal of a cap, within which its points are tried as they are
#define CR_SHORT_TURN 1e-9   // [rad] the same in a long polish
#define CR_LONG_TURN 0.1     // [rad] a step so long must not lower g
#define CR_LARGEST_TURN 0.7  // [rad] of one step
#define CR_LEAST_RADIAL 1e-7 // [-] below, a rim's curvature is of no use
#define CR_LEAST_STIFFNESS 1e-14 // [scale] of S: keeps steps finite where g is flat

// The active sheets. A side that is fixed stands for the points of `v` themselves instead of for their sheets.
typedef struct Sheets {
  crVertex v[4];
  double weight[4];
  int count; // at most 3 after a step; the support at the new normal may be a fourth
  bool isFixedA, isFixedB;
} Sheets;

// 2 x 2 symmetric.
typedef struct Sym2 {
  double xx, xy, yy;
} Sym2;

typedef struct Vec2 {
  double x, y;
} Vec2;

typedef struct Model {
  crVec3 n, t1, t2;
  crVertex v[4]; // of the sheets at n
  Vec2 q[4];
  double g[4];
  Sym2 S;
  double floor;     // least stiffness that a step uses
  double stiffness; // least one along the free directions, after solving
  Vec2 softest;     // and its direction
  bool isSteady;    // the weights are those that S was made with
} Model;

// ------------------------------------------------------------------------------------------- sheets

static void dropSheet(Sheets* sheets, int i)
{
  for (int k = i; k + 1 < sheets->count; ++k) {
    sheets->v[k] = sheets->v[k + 1];
    sheets->weight[k] = sheets->weight[k + 1];
  }
  --sheets->count;
}

static bool isSamePoint(crVec3 p, crVec3 q)
{
  return p.x == q.x && p.y == q.y && p.z == q.z;
}

static bool isSameSheet(const Sheets* sheets, const crVertex* v, const crVertex* w)
{
  return v->sheetA == w->sheetA && v->sheetB == w->sheetB && (!sheets->isFixedA || isSamePoint(v->a, w->a)) &&
         (!sheets->isFixedB || isSamePoint(v->b, w->b));
}

// Adds a sheet pair; there is room, since at most three are left after a step.
static void addSheet(Sheets* sheets, const crVertex* v, double weight)
{
  for (int i = 0; i < sheets->count; ++i) {
    if (isSameSheet(sheets, &sheets->v[i], v)) {
      sheets->weight[i] += weight;
      return;
    }
  }
  sheets->v[sheets->count] = *v;
  sheets->weight[sheets->count++] = weight;
}

static void collectSheets(const crSimplex* simplex, Sheets* sheets)
{
  sheets->count = 0;
  for (int i = 0; i < simplex->count; ++i) {
    if (simplex->v[i].sheetA >= 0) {
      addSheet(sheets, &simplex->v[i], simplex->weight[i]);
    }
  }
}

// ---------------------------------------------------------------------------------------- curvature

CR_INLINE bool addRimCurvature(double radius, double weight, crVec3 d, crVec3 t1, crVec3 t2, Sym2* S)
{
  if (!(radius > 0.0)) {
    return true;
  }
  double square = d.x * d.x + d.y * d.y;
  if (square < CR_LEAST_RADIAL * CR_LEAST_RADIAL) {
    return false;
  }
  double p1 = d.x * t1.y - d.y * t1.x, p2 = d.x * t2.y - d.y * t2.x;
  double c = weight * radius / (square * sqrt(square));
  S->xx += c * p1 * p1;
  S->xy += c * p1 * p2;
  S->yy += c * p2 * p2;
  return true;
}

// h = |D d| with D = diag(a), so H = (D D - D D d (D D d)' / h^2) / h.
CR_INLINE void addEllipsoidCurvature(crVec3 a, double weight, crVec3 d, crVec3 t1, crVec3 t2, Sym2* S)
{
  crVec3 u = crMakeVec3(a.x * d.x, a.y * d.y, a.z * d.z);
  crVec3 u1 = crMakeVec3(a.x * t1.x, a.y * t1.y, a.z * t1.z), u2 = crMakeVec3(a.x * t2.x, a.y * t2.y, a.z * t2.z);
  double square = crLengthSquared(u), c = weight / sqrt(square);
  // |u1|^2 - (u1 . u)^2 / |u|^2 = |u1 x u|^2 / |u|^2, without its cancellation
  crVec3 c1 = crCross(u1, u), c2 = crCross(u2, u);
  S->xx += c * crLengthSquared(c1) / square;
  S->xy += c * crDot(c1, c2) / square;
  S->yy += c * crLengthSquared(c2) / square;
}

// False where the curvature is infinite.
CR_INLINE bool addCurvature(const crSide* side, int sheet, double weight, crVec3 d, crVec3 t1, crVec3 t2, Sym2* S)
{
  const crCore* core = side->core;
  switch (side->kind) {
    case cr_shapeEllipsoid: addEllipsoidCurvature(core->half, weight, d, t1, t2, S); return true;
    case cr_shapeCylinder: return addRimCurvature(core->radius, weight, d, t1, t2, S);
    case cr_shapeCone: return addRimCurvature(sheet == 0 ? core->topRadius : core->radius, weight, d, t1, t2, S);
    case cr_shapeBeam: return addRimCurvature(core->half.y, weight, d, t1, t2, S);
    default: return true;
  }
}

// -------------------------------------------------------------------------------------------- model

CR_INLINE void placeModel(crVec3 n, Model* model)
{
  model->n = n;
  model->softest = (Vec2){ 1.0, 0.0 };
  model->t1 = crAnyPerpendicular(n);
  model->t2 = crCross(n, model->t1);
}

// support: the one along n, which need not be computed again for its own sheet.
CR_INLINE void evalSheet(const crDifference* m, const Sheets* sheets, int i, const crVertex* support, Model* model)
{
  crVertex* v = &model->v[i];
  const crVertex* sheet = &sheets->v[i];
  if (sheet->sheetA == support->sheetA && sheet->sheetB == support->sheetB) {
    *v = *support;
  } else {
    *v = crDifference_SheetVertex(m, sheet->sheetA, sheet->sheetB, model->n);
  }
  if (sheets->isFixedA || sheets->isFixedB) {
    v->a = sheets->isFixedA ? sheet->a : v->a;
    v->b = sheets->isFixedB ? sheet->b : v->b;
    v->w = crSub(v->b, v->a);
  }
  model->q[i] = (Vec2){ crDot(v->w, model->t1), crDot(v->w, model->t2) };
  model->g[i] = crDot(v->w, model->n);
}

// False where the curvature is infinite.
CR_INLINE bool evalModel(const crDifference* m, const Sheets* sheets, const crVertex* support, Model* model)
{
  crMat3 R = m->X_AB.R;
  crVec3 n_B = crMulTV(R, model->n), t1_B = crMulTV(R, model->t1), t2_B = crMulTV(R, model->t2);
  double mu = 0.0;
  bool isFinite = true;
  model->S = (Sym2){ 0.0, 0.0, 0.0 };
  for (int i = 0; i < sheets->count; ++i) {
    double weight = sheets->weight[i];
    evalSheet(m, sheets, i, support, model);
    mu += weight * model->g[i];
    if (weight > 0.0 && !sheets->isFixedA) {
      isFinite &= addCurvature(&m->a, model->v[i].sheetA, weight, model->n, model->t1, model->t2, &model->S);
    }
    if (weight > 0.0 && !sheets->isFixedB) {
      isFinite &= addCurvature(&m->b, model->v[i].sheetB, weight, crNeg(n_B), t1_B, t2_B, &model->S);
    }
  }
  model->S.xx += mu;
  model->S.yy += mu;
  model->floor = CR_LEAST_STIFFNESS * m->scale;
  return isFinite;
}

// --------------------------------------------------------------------------------------------- step

static double dot2(Vec2 a, Vec2 b)
{
  return a.x * b.x + a.y * b.y;
}

static Vec2 sub2(Vec2 a, Vec2 b)
{
  return (Vec2){ a.x - b.x, a.y - b.y };
}

static Vec2 mulSym2(Sym2 S, Vec2 x)
{
  return (Vec2){ S.xx * x.x + S.xy * x.y, S.xy * x.x + S.yy * x.y };
}

// A stiffness along a free direction is kept positive, so that the step ascends; the sign of one is turned round.
static double makePositive(double stiffness, double floor)
{
  return crMax(fabs(stiffness), floor);
}

static double sizeOfStiffness(const Model* model)
{
  return fabs(model->S.xx) + fabs(model->S.yy);
}

static Vec2 stepOfOne(Model* model)
{
  Sym2 S = model->S;
  double mean = 0.5 * (S.xx + S.yy), half = 0.5 * (S.xx - S.yy);
  double spread = sqrt(half * half + S.xy * S.xy), least = mean - spread;
  double lift = makePositive(least, model->floor) - least;
  model->stiffness = least;
  // of the two columns of S - greatest, the longer one is the eigenvector of the least
  Vec2 c1 = { half - spread, S.xy }, c2 = { S.xy, -half - spread };
  model->softest = dot2(c1, c1) >= dot2(c2, c2) ? c1 : c2;
  S.xx += lift;
  S.yy += lift;
  double det = S.xx * S.yy - S.xy * S.xy;
  Vec2 q = model->q[0];
  return (Vec2){ (S.yy * q.x - S.xy * q.y) / det, (S.xx * q.y - S.xy * q.x) / det };
}

// Two sheets are equal along a ridge: across it the step is given by g, along it by the stiffness.
static Vec2 stepOfTwo(Model* model, double weight[3])
{
  Vec2 e = sub2(model->q[1], model->q[0]);
  double length = sqrt(dot2(e, e));
  e = (Vec2){ e.x / length, e.y / length };
  Vec2 t = { -e.y, e.x }, St = mulSym2(model->S, t);
  double across = (model->g[0] - model->g[1]) / length;
  double stiffness = makePositive(dot2(t, St), model->floor);
  double along = (dot2(model->q[0], t) - across * dot2(e, St)) / stiffness;
  // beside a ridge that is nearly level the slope along it is unknown: first back to it
  bool isLevel = stiffness < CR_LEVEL_RIDGE * sizeOfStiffness(model);
  model->stiffness = dot2(t, St);
  model->softest = t;
  along = isLevel && fabs(across) > CR_NEAR_RIDGE ? 0.0 : along;
  Vec2 x = { across * e.x + along * t.x, across * e.y + along * t.y };
  weight[1] = dot2(e, sub2(mulSym2(model->S, x), model->q[0])) / length;
  weight[0] = 1.0 - weight[1];
  return x;
}

CR_INLINE Vec2 stepOfThree(const Model* model, double weight[3])
{
  Vec2 e1 = sub2(model->q[1], model->q[0]), e2 = sub2(model->q[2], model->q[0]);
  double f1 = model->g[0] - model->g[1], f2 = model->g[0] - model->g[2];
  double det = e1.x * e2.y - e1.y * e2.x;
  Vec2 x = { (f1 * e2.y - f2 * e1.y) / det, (f2 * e1.x - f1 * e2.x) / det };
  Vec2 r = sub2(mulSym2(model->S, x), model->q[0]);
  weight[1] = (r.x * e2.y - r.y * e2.x) / det;
  weight[2] = (r.y * e1.x - r.x * e1.y) / det;
  weight[0] = 1.0 - weight[1] - weight[2];
  return x;
}

static void dropFromModel(Model* model, Sheets* sheets, int i)
{
  for (int k = i; k + 1 < sheets->count && k < 3; ++k) {
    model->v[k] = model->v[k + 1];
    model->q[k] = model->q[k + 1];
    model->g[k] = model->g[k + 1];
  }
  dropSheet(sheets, i);
}

// Of four sheets the one to leave out: three meet in a corner, and the fourth lies above it. Where no corner is like
// that, the lightest.
static int findSpare(const Model* model, const Sheets* sheets)
{
  int lightest = 0;
  for (int e = 0; e < 4; ++e) {
    lightest = sheets->weight[e] < sheets->weight[lightest] ? e : lightest;
    Model part = *model;
    Sheets three = *sheets;
    dropFromModel(&part, &three, e);
    double weight[3];
    Vec2 x = stepOfThree(&part, weight);
    double corner = part.g[0] + dot2(part.q[0], x), spare = model->g[e] + dot2(model->q[e], x);
    if (weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0 && spare >= corner) {
      return e;
    }
  }
  return lightest;
}

// Solves for the step and the weights, dropping sheets of negative weight (or without one: NaN).
static Vec2 solveStep(Model* model, Sheets* sheets)
{
  model->isSteady = true;
  if (sheets->count == 4) {
    int spare = findSpare(model, sheets);
    model->isSteady = sheets->weight[spare] <= CR_STEADY_WEIGHT;
    dropFromModel(model, sheets, spare);
  }
  for (;;) {
    double weight[3] = { 1.0, 1.0, 1.0 };
    model->stiffness = HUGE_VAL;
    Vec2 x = sheets->count == 3   ? stepOfThree(model, weight)
             : sheets->count == 2 ? stepOfTwo(model, weight)
                                  : stepOfOne(model);
    int worst = -1;
    for (int i = 0; i < sheets->count && sheets->count > 1; ++i) {
      if (!(weight[i] >= 0.0) && (worst < 0 || !(weight[i] >= weight[worst]))) {
        worst = i;
      }
    }
    if (worst < 0) {
      for (int i = 0; i < sheets->count; ++i) {
        model->isSteady = model->isSteady && fabs(sheets->weight[i] - weight[i]) <= CR_STEADY_WEIGHT;
        sheets->weight[i] = weight[i];
      }
      return x;
    }
    model->isSteady = model->isSteady && sheets->weight[worst] <= CR_STEADY_WEIGHT;
    dropFromModel(model, sheets, worst);
  }
}

// The point of M that the weights stand for. Returns how far it lies off the line along n.
static double placePoint(const Model* model, const Sheets* sheets, crVec3* outPoint)
{
  Vec2 q = { 0.0, 0.0 };
  crVec3 v = { 0.0, 0.0, 0.0 };
  for (int i = 0; i < sheets->count; ++i) {
    v = crMulAdd(v, sheets->weight[i], model->v[i].w);
    q.x += sheets->weight[i] * model->q[i].x;
    q.y += sheets->weight[i] * model->q[i].y;
  }
  *outPoint = v;
  return sqrt(dot2(q, q));
}

// g rises from here along the softest direction: no optimum, though stationary. Overlapping only: through a corner
// the way out is the longest.
static bool isSaddle(const Model* model)
{
  return model->stiffness < -CR_LEVEL_SADDLE * sizeOfStiffness(model);
}

// Takes the model's answer where it is better. True: it is the end. Apart, both bounds are of use on the way;
// overlapping, g is of use only where it is higher by more than rounding.
static bool takeAnswer(const crDifference* m, const Model* model, const Sheets* sheets, double lower, crBounds* bounds)
{
  crVec3 v;
  bool isApart = lower > 0.0 || bounds->lower > 0.0;
  // the last digit of n moves the points by the radius of curvature
  double turned = crMin(CR_TURN_ERROR * sizeOfStiffness(model), CR_MOST_TURNED * m->scale);
  double aligned = crMax(m->aligned, turned);
  bool isEnd = placePoint(model, sheets, &v) <= aligned && crDot(v, model->n) - lower <= m->tight &&
               (isApart || (model->isSteady && !isSaddle(model)));
  if (isEnd && isApart && lower < bounds->lower - m->tight) {
    return true; // stationary, but on the far side of M
  }
  double length = crLength(v);
  bool isNearer = length<bounds->upper, isHigher = lower> bounds->lower + (isApart ? 0.0 : m->tight);
  bool isEqual = isEnd && !bounds->isSettled && lower >= bounds->lower - m->tight;
  if (isEqual || (isApart ? isNearer : isHigher)) {
    crSetWitness(model->v, sheets->weight, sheets->count, bounds);
    bounds->upper = isEqual || !isApart ? length : crMin(bounds->upper, length);
    bounds->isSettled = isEnd;
    bounds->isSharp = isEnd && model->stiffness > CR_SHARP * sizeOfStiffness(model);
    bounds->activeCount = isEnd ? sheets->count : 0;
    for (int i = 0; i < bounds->activeCount; ++i) {
      bounds->active[i] = model->v[i];
    }
  }
  if (isEqual || isHigher) {
    bounds->lower = lower;
    bounds->n = model->n;
  }
  return isEnd;
}

// After a long step along a curved ridge: back to where its two sheets are equal.
static crVec3 returnToRidge(const crDifference* m, const Sheets* sheets, crVec3 n)
{
  for (int step = 0; step < CR_MAX_RETURN_STEPS; ++step) {
    crVertex v = crDifference_SheetVertex(m, sheets->v[0].sheetA, sheets->v[0].sheetB, n);
    crVertex w = crDifference_SheetVertex(m, sheets->v[1].sheetA, sheets->v[1].sheetB, n);
    crVec3 e = crSub(w.w, v.w);
    double rise = crDot(e, n), square = crLengthSquared(e) - rise * rise;
    if (!(square > 0.0)) {
      return n;
    }
    double share = -rise / square;
    n = crUnit(crMulAdd(n, share, crMulAdd(e, -rise, n)));
    if (share * share * square < CR_NEAR_RIDGE * CR_NEAR_RIDGE) {
      return n;
    }
  }
  return n;
}

// A step from where it begins. Its share is halved as long as it lowers g.
typedef struct Step {
  crVec3 n, t1, t2;
  Vec2 x;
  double lower; // g(n)
  double share;
  bool isRidge;
} Step;

static Step makeStep(const Model* model, const Sheets* sheets, Vec2 x, double lower)
{
  Step step = { model->n, model->t1, model->t2, x, lower, 1.0, false };
  double turn = sqrt(dot2(x, x));
  step.share = turn > CR_LARGEST_TURN ? CR_LARGEST_TURN / turn : 1.0;
  step.isRidge = sheets->count == 2 && turn > CR_RIDGE_TURN && !sheets->isFixedA && !sheets->isFixedB;
  return step;
}

static crVec3 takeStep(const crDifference* m, const Sheets* sheets, const Step* step)
{
  crVec3 n = crMulAdd(crMulAdd(step->n, step->share * step->x.x, step->t1), step->share * step->x.y, step->t2);
  return step->isRidge && sheets->count >= 2 ? returnToRidge(m, sheets, crUnit(n)) : crUnit(n);
}

static bool isTooFar(const Step* step, crVec3 n, double lower, double longTurn)
{
  return lower < step->lower && crLengthSquared(crSub(n, step->n)) > longTurn * longTurn;
}

static bool hasCaps(const crSide* side)
{
  return side->kind == cr_shapeCylinder || side->kind == cr_shapeCone || side->kind == cr_shapeBeam;
}

// Whether the direction d is that of a cap, or nearly.
static bool isCapDirection(const crSide* side, crVec3 d)
{
  return hasCaps(side) && d.x * d.x + d.y * d.y < CR_CAP_SINE * CR_CAP_SINE;
}

typedef struct Polisher {
  Sheets sheets;
  crVec3 n;
  int steps;
  double longTurn; // [rad] a step so long must not lower g
} Polisher;

static crPolishEnd polish(crDifference* m, Polisher* polisher, crBounds* bounds)
{
  Sheets* sheets = &polisher->sheets;
  Step last = { .n = polisher->n, .lower = -HUGE_VAL };
  for (int step = 0; step < polisher->steps; ++step) {
    Model model;
    placeModel(polisher->n, &model);
    crVertex next = crDifference_FindSupport(m, model.n);
    double lower = crDot(model.n, next.w);
    if (isTooFar(&last, model.n, lower, polisher->longTurn)) {
      last.share *= 0.5;
      polisher->n = takeStep(m, sheets, &last);
      continue;
    }
    addSheet(sheets, &next, 0.0);
    if (!evalModel(m, sheets, &next, &model)) {
      return cr_polishFailed;
    }
    Vec2 x = solveStep(&model, sheets);
    if (!isfinite(x.x + x.y)) {
      return cr_polishFailed;
    }
    if (takeAnswer(m, &model, sheets, lower, bounds)) {
      return cr_polishSettled;
    }
    if (isSaddle(&model) && dot2(x, x) < CR_RIDGE_TURN * CR_RIDGE_TURN) {
      double length = sqrt(dot2(model.softest, model.softest));
      x = (Vec2){ CR_ESCAPE_TURN * model.softest.x / length, CR_ESCAPE_TURN * model.softest.y / length };
    }
    last = makeStep(&model, sheets, x, lower);
    polisher->n = takeStep(m, sheets, &last);
  }
  return cr_polishPartly;
}

// With the points of those sides fixed whose cap n is near to. Failed when there is none.
static crPolishEnd polishFixed(crDifference* m, const crSimplex* simplex, crVec3 n, int steps, crBounds* bounds)
{
  Polisher polisher = { .n = n, .steps = steps };
  polisher.longTurn = steps == CR_MAX_LONG_STEPS ? CR_SHORT_TURN : CR_LONG_TURN;
  polisher.sheets.isFixedA = isCapDirection(&m->a, n);
  polisher.sheets.isFixedB = isCapDirection(&m->b, crMulTV(m->X_AB.R, n));
  if (!polisher.sheets.isFixedA && !polisher.sheets.isFixedB) {
    return cr_polishFailed;
  }
  collectSheets(simplex, &polisher.sheets);
  return polish(m, &polisher, bounds);
}

// The best normal is that of a cap to the last digits: then the rest is a question of the cap's plane.
static bool isOnCap(const crDifference* m, crVec3 n)
{
  crVec3 n_B = crMulTV(m->X_AB.R, n);
  bool isA = hasCaps(&m->a) && n.x * n.x + n.y * n.y < CR_ON_CAP * CR_ON_CAP;
  return isA || (hasCaps(&m->b) && n_B.x * n_B.x + n_B.y * n_B.y < CR_ON_CAP * CR_ON_CAP);
}

static crPolishEnd polishFree(crDifference* m, const crSimplex* simplex, crVec3 n, int steps, crBounds* bounds)
{
  Polisher polisher = { .n = n, .steps = steps };
  polisher.longTurn = steps == CR_MAX_LONG_STEPS ? CR_SHORT_TURN : CR_LONG_TURN;
  collectSheets(simplex, &polisher.sheets);
  return polish(m, &polisher, bounds);
}

crPolishEnd crPolishNormal(crDifference* m, const crSimplex* simplex, crVec3 n, crBounds* bounds)
{
  if (polishFixed(m, simplex, n, CR_MAX_FIXED_STEPS, bounds) == cr_polishSettled) {
    return cr_polishSettled;
  }
  if (!bounds->isSettled && isOnCap(m, bounds->n) && crFindFoot(m, bounds)) {
    return cr_polishSettled;
  }
  return polishFree(m, simplex, n, CR_MAX_POLISH_STEPS, bounds);
}

crPolishEnd crPolishLong(crDifference* m, crBounds* bounds)
{
  crSimplex none = { .count = 0 };
  crPolishEnd end = polishFixed(m, &none, bounds->n, CR_MAX_LONG_STEPS, bounds);
  return end == cr_polishSettled ? end : polishFree(m, &none, bounds->n, CR_MAX_LONG_STEPS, bounds);
}
