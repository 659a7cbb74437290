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
// that is missing. It may fail to converge, e.g. on the cap of a cylinder, where the rim's curvature is
// infinite; the caller's own iteration then goes on.
#include "collide/difference.h"

#define CR_MAX_POLISH_STEPS 10
#define CR_LARGEST_TURN 0.7      // [rad] of one step
#define CR_LEAST_RADIAL 1e-7     // [-] below, a rim's curvature is of no use
#define CR_LEAST_STIFFNESS 1e-14 // [scale] of S: keeps steps finite where g is flat

typedef struct Sheets {
  int a[3], b[3];
  double weight[3];
  int count;
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
  crVertex v[3]; // of the sheets at n
  Vec2 q[3];
  double g[3];
  Sym2 S;
  double floor; // least stiffness along the free directions
} Model;

// ------------------------------------------------------------------------------------------- sheets

static void dropSheet(Sheets* sheets, int i)
{
  for (int k = i; k + 1 < sheets->count; ++k) {
    sheets->a[k] = sheets->a[k + 1];
    sheets->b[k] = sheets->b[k + 1];
    sheets->weight[k] = sheets->weight[k + 1];
  }
  --sheets->count;
}

// Adds a sheet pair, in place of the lightest one when there are three. False when it was there already.
static bool addSheet(Sheets* sheets, int a, int b, double weight)
{
  for (int i = 0; i < sheets->count; ++i) {
    if (sheets->a[i] == a && sheets->b[i] == b) {
      sheets->weight[i] += weight;
      return false;
    }
  }
  if (sheets->count == 3) {
    int lightest = sheets->weight[1] < sheets->weight[0] ? 1 : 0;
    dropSheet(sheets, sheets->weight[2] < sheets->weight[lightest] ? 2 : lightest);
  }
  sheets->a[sheets->count] = a;
  sheets->b[sheets->count] = b;
  sheets->weight[sheets->count++] = weight;
  return true;
}

static Sheets collectSheets(const crSimplex* simplex)
{
  Sheets sheets = { .count = 0 };
  for (int i = 0; i < simplex->count; ++i) {
    if (simplex->v[i].sheetA >= 0) {
      addSheet(&sheets, simplex->v[i].sheetA, simplex->v[i].sheetB, simplex->weight[i]);
    }
  }
  return sheets;
}

// ---------------------------------------------------------------------------------------- curvature

static bool addRimCurvature(double radius, double weight, crVec3 d, crVec3 t1, crVec3 t2, Sym2* S)
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
static void addEllipsoidCurvature(crVec3 a, double weight, crVec3 d, crVec3 t1, crVec3 t2, Sym2* S)
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
static bool addCurvature(const crSide* side, int sheet, double weight, crVec3 d, crVec3 t1, crVec3 t2, Sym2* S)
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

static void placeModel(crVec3 n, Model* model)
{
  model->n = n;
  model->t1 = crAnyPerpendicular(n);
  model->t2 = crCross(n, model->t1);
}

static void evalSheet(const crDifference* m, const Sheets* sheets, int i, Model* model)
{
  crVertex* v = &model->v[i];
  *v = crDifference_SheetVertex(m, sheets->a[i], sheets->b[i], model->n);
  model->q[i] = (Vec2){ crDot(v->w, model->t1), crDot(v->w, model->t2) };
  model->g[i] = crDot(v->w, model->n);
}

static bool evalModel(const crDifference* m, const Sheets* sheets, Model* model)
{
  crMat3 R = m->X_AB.R;
  crVec3 n_B = crMulTV(R, model->n), t1_B = crMulTV(R, model->t1), t2_B = crMulTV(R, model->t2);
  double mu = 0.0;
  model->S = (Sym2){ 0.0, 0.0, 0.0 };
  for (int i = 0; i < sheets->count; ++i) {
    double weight = sheets->weight[i];
    evalSheet(m, sheets, i, model);
    mu += weight * model->g[i];
    if (weight > 0.0 && (!addCurvature(&m->a, sheets->a[i], weight, model->n, model->t1, model->t2, &model->S) ||
                         !addCurvature(&m->b, sheets->b[i], weight, crNeg(n_B), t1_B, t2_B, &model->S))) {
      return false;
    }
  }
  model->S.xx += mu;
  model->S.yy += mu;
  model->floor = CR_LEAST_STIFFNESS * m->scale;
  return true;
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
  return fmax(fabs(stiffness), floor);
}

static Vec2 stepOfOne(const Model* model)
{
  Sym2 S = model->S;
  double mean = 0.5 * (S.xx + S.yy), half = 0.5 * (S.xx - S.yy);
  double least = mean - sqrt(half * half + S.xy * S.xy), lift = makePositive(least, model->floor) - least;
  S.xx += lift;
  S.yy += lift;
  double det = S.xx * S.yy - S.xy * S.xy;
  Vec2 q = model->q[0];
  return (Vec2){ (S.yy * q.x - S.xy * q.y) / det, (S.xx * q.y - S.xy * q.x) / det };
}

// Two sheets are equal along a ridge: across it the step is given by g, along it by the stiffness.
static Vec2 stepOfTwo(const Model* model, double weight[3])
{
  Vec2 e = sub2(model->q[1], model->q[0]);
  double length = sqrt(dot2(e, e));
  e = (Vec2){ e.x / length, e.y / length };
  Vec2 t = { -e.y, e.x }, St = mulSym2(model->S, t);
  double across = (model->g[0] - model->g[1]) / length;
  double along = (dot2(model->q[0], t) - across * dot2(e, St)) / makePositive(dot2(t, St), model->floor);
  Vec2 x = { across * e.x + along * t.x, across * e.y + along * t.y };
  weight[1] = dot2(e, sub2(mulSym2(model->S, x), model->q[0])) / length;
  weight[0] = 1.0 - weight[1];
  return x;
}

static Vec2 stepOfThree(const Model* model, double weight[3])
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
  for (int k = i; k + 1 < sheets->count; ++k) {
    model->v[k] = model->v[k + 1];
    model->q[k] = model->q[k + 1];
    model->g[k] = model->g[k + 1];
  }
  dropSheet(sheets, i);
}

// Solves for the step and the weights, dropping sheets of negative weight (or without one: NaN).
static Vec2 solveStep(Model* model, Sheets* sheets)
{
  for (;;) {
    double weight[3] = { 1.0, 1.0, 1.0 };
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
        sheets->weight[i] = weight[i];
      }
      return x;
    }
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

// Takes the model's answer where it is better: a higher lower bound, a lower upper bound. True: both have met.
static bool takeAnswer(const crDifference* m, const Model* model, const Sheets* sheets, double lower, bool isDeep,
                       crBounds* bounds)
{
  crVec3 v;
  double across = placePoint(model, sheets, &v), length = crLength(v);
  bool isBetter = isDeep ? lower > bounds->lower : length < bounds->upper;
  bool isAligned = across <= m->aligned && lower >= bounds->lower - m->tight;
  if (isBetter || isAligned) {
    crSetWitness(model->v, sheets->weight, sheets->count, bounds);
    bounds->upper = isDeep ? bounds->upper : fmin(bounds->upper, length);
  }
  if (isAligned) {
    bounds->lower = lower;
    bounds->n = model->n;
  }
  crRaiseLower(bounds, model->n, lower);
  return isAligned && (isDeep || bounds->upper - bounds->lower <= m->tight);
}

bool crPolishNormal(crDifference* m, const crSimplex* simplex, crVec3 n, bool isDeep, crBounds* bounds)
{
  Sheets sheets = collectSheets(simplex);
  for (int step = 0; step < CR_MAX_POLISH_STEPS; ++step) {
    Model model;
    placeModel(n, &model);
    crVertex next = crDifference_FindSupport(m, n);
    double lower = crDot(n, next.w);
    addSheet(&sheets, next.sheetA, next.sheetB, 0.0);
    if (!evalModel(m, &sheets, &model)) {
      crRaiseLower(bounds, n, lower);
      return false;
    }
    Vec2 x = solveStep(&model, &sheets);
    double turn = sqrt(dot2(x, x));
    if (!isfinite(turn)) {
      crRaiseLower(bounds, n, lower);
      return false;
    }
    if (takeAnswer(m, &model, &sheets, lower, isDeep, bounds)) {
      return true;
    }
    double share = turn > CR_LARGEST_TURN ? CR_LARGEST_TURN / turn : 1.0;
    n = crNormalize(crMulAdd(crMulAdd(n, share * x.x, model.t1), share * x.y, model.t2));
  }
  return false;
}
