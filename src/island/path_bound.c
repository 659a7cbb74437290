// A plane that one of two bodies carries along, and the gap that it leaves; see the header.
#include "island/path_bound.h"
#include "island/motion_bound.h"

#include <float.h>

#define CR_PATH_PIECES 48   // of a stretch, that are looked at
#define CR_PATH_HALVINGS 12 // of a stretch, down to the smallest of them
#define CR_PATH_NOISE 16.0  // [-] roundings of lengths that add up to a height
#define CR_FLAT_RIM 0.02    // [-] sine of the angle to a face, below which its rim is no ball
#define CR_LAST_PLACE (CR_PATH_PLACES - 1)

// A height c + m . y over the plane, y in S of the shape that is seen from there.
typedef struct Height {
  double c;
  crVec3 m;
} Height;

// In Bernstein's form.
typedef struct Cubic {
  Height k[4];
} Cubic;

// The shape that is seen: a core, or two balls about its axis instead.
typedef struct Seen {
  const crShape* shape;
  crPose X_BS;
  bool hasRims;
  double z[2], radius[2]; // [m] of the balls
  double lever;           // [m] of points that m is multiplied with
} Seen;

typedef struct Sight {
  Seen seen;
  double limit; // [m] of the height of the core, above which the distance is above the floor
  int left;     // pieces that may be looked at
} Sight;

static crPose placeShape(const crModel* model, int shape)
{
  crPose X = model->contactShapes[shape].X_BS;
  const crShape* s = &model->shapes[shape];
  X.R = s->isTurned ? crMulMM(X.R, s->R_FS) : X.R;
  return X;
}

// ------------------------------------------------------------------------------------------------ heights

static Height addScaled(Height a, double s, Height b)
{
  return (Height){ a.c + s * b.c, crMulAdd(a.m, s, b.m) };
}

static Height middle(Height a, Height b)
{
  return (Height){ 0.5 * (a.c + b.c), crScale(0.5, crAdd(a.m, b.m)) };
}

// n: in axes of `in`. outRate: may be NULL.
static Height findHeight(const crBodyPlace* in, const crBodyPlace* of, const crPose* X_BS, crVec3 n, Height* outRate)
{
  crVec3 up = crMulMV(in->X.R, n), arm = crMulMV(of->X.R, X_BS->p), r = crSub(crAdd(of->X.p, arm), in->X.p);
  if (outRate != NULL) {
    crVec3 turn = crCross(in->w, up), v = crSub(crAdd(of->v, crCross(of->w, arm)), in->v);
    outRate->c = crDot(turn, r) + crDot(up, v);
    outRate->m = crMulTV(X_BS->R, crMulTV(of->X.R, crSub(turn, crCross(of->w, up))));
  }
  return (Height){ crDot(up, r), crMulTV(X_BS->R, crMulTV(of->X.R, up)) };
}

static Height evaluate(const Cubic* cubic, double s)
{
  double r = 1.0 - s;
  const Height* k = cubic->k;
  const double weights[4] = { r * r * r, 3.0 * r * r * s, 3.0 * r * s * s, s * s * s };
  Height sum = { weights[0] * k[0].c, crScale(weights[0], k[0].m) };
  for (int i = 1; i < 4; ++i) {
    sum = addScaled(sum, weights[i], k[i]);
  }
  return sum;
}

static void halve(const Cubic* cubic, Cubic* outLeft, Cubic* outRight)
{
  const Height* k = cubic->k;
  Height a = middle(k[0], k[1]), b = middle(k[1], k[2]), c = middle(k[2], k[3]);
  Height ab = middle(a, b), bc = middle(b, c), all = middle(ab, bc);
  *outLeft = (Cubic){ { k[0], a, ab, all } };
  *outRight = (Cubic){ { all, bc, c, k[3] } };
}

// ---------------------------------------------------------------------------------------------- the shape

// m: the height's, at the start. A ball at z - r tan with radius r / cos, the angle being that of the axis against the
// plane, has the rim on it, and the same lowest height.
static Seen makeSeen(const crModel* model, int shape, const crPose* X_BS, crVec3 m)
{
  const crShape* s = &model->shapes[shape];
  Seen seen = { .shape = s, .X_BS = *X_BS, .lever = s->reach };
  double across = sqrt(m.x * m.x + m.y * m.y);
  seen.hasRims = (s->kind == cr_shapeCylinder || s->kind == cr_shapeCone) && across > CR_FLAT_RIM;
  for (int i = 0; i < 2 && seen.hasRims; ++i) {
    const crCore* core = &s->core;
    double radius = i == 1 && s->kind == cr_shapeCone ? core->topRadius : core->radius;
    seen.radius[i] = radius / across;
    seen.z[i] = (i == 1 ? core->zMax : core->zMin) + radius * m.z / across;
    seen.lever = fmax(seen.lever, fabs(seen.z[i]));
  }
  return seen;
}

static double findLowest(const Seen* seen, const Height* height)
{
  if (seen->hasRims) {
    double low = height->m.z * seen->z[0] - seen->radius[0], high = height->m.z * seen->z[1] - seen->radius[1];
    return height->c + fmin(low, high);
  }
  crVec3 y = crCore_ComputeSupport(seen->shape->kind, &seen->shape->core, crNeg(height->m));
  return height->c + crDot(height->m, y);
}

// ------------------------------------------------------------------------------------------------ stretches

static bool isAbove(Sight* sight, const Cubic* cubic)
{
  --sight->left;
  bool isAbove = true;
  for (int k = 0; k < 4 && isAbove; ++k) {
    isAbove = findLowest(&sight->seen, &cubic->k[k]) > sight->limit;
  }
  return isAbove;
}

// From `start` on, of a piece of length h; 0 ... 1 is the whole stretch.
static double findEnd(Sight* sight, const Cubic* cubic, double start, double h, int halvings)
{
  if (isAbove(sight, cubic)) {
    return start + h;
  }
  if (halvings == 0 || sight->left <= 0) {
    return start;
  }
  Cubic left, right;
  halve(cubic, &left, &right);
  double end = findEnd(sight, &left, start, 0.5 * h, halvings - 1), half = start + 0.5 * h;
  return end < half || sight->left <= 0 ? end : findEnd(sight, &right, half, 0.5 * h, halvings - 1);
}

// [m] How far heights of the shape may be off the cubic.
static double findError(const crPath* path, int in, const Seen* seen, crVec3 n, const Cubic* cubic)
{
  double most = 0.0;
  for (int i = 1; i < CR_LAST_PLACE; ++i) {
    const crBodyPlace* places = path->places[i];
    Height is = findHeight(&places[in], &places[1 - in], &seen->X_BS, n, NULL);
    Height off = addScaled(is, -1.0, evaluate(cubic, (double)i / CR_LAST_PLACE));
    most = fmax(most, fabs(off.c) + crLength(off.m) * seen->lever);
  }
  double size = fabs(cubic->k[0].c) + seen->lever;
  return CR_DEVIATION * most + CR_PATH_NOISE * DBL_EPSILON * size;
}

// As crPath_FindReach; `in` (0: A, 1: B) carries n, which points to the other one.
static double findReach(const crPath* path, const crModel* model, int in, const int shapes[2], crVec3 n, double floor)
{
  const crShape *carrier = &model->shapes[shapes[in]], *other = &model->shapes[shapes[1 - in]];
  if (other->kind == cr_shapeHalfSpace || carrier->kind == cr_shapeMesh || other->kind == cr_shapeMesh) {
    return 0.0;
  }
  const crBodyPlace *start = path->places[0], *end = path->places[CR_LAST_PLACE];
  crPose X_in = placeShape(model, shapes[in]), X_of = placeShape(model, shapes[1 - in]);
  crVec3 up = crMulTV(start[in].X.R, n), up_S = crMulTV(X_in.R, up);
  double own = carrier->sweep; // [m] h_A, from the body's origin
  if (carrier->kind == cr_shapeHalfSpace) {
    up = X_in.R.cz;
  } else {
    own += crDot(up_S, crCore_ComputeSupport(carrier->kind, &carrier->core, up_S));
  }
  own += crDot(up, X_in.p);

  Cubic cubic;
  Height rate0, rate1;
  cubic.k[0] = findHeight(&start[in], &start[1 - in], &X_of, up, &rate0);
  cubic.k[3] = findHeight(&end[in], &end[1 - in], &X_of, up, &rate1);
  cubic.k[1] = addScaled(cubic.k[0], path->h / 3.0, rate0);
  cubic.k[2] = addScaled(cubic.k[3], -path->h / 3.0, rate1);
  Seen seen = makeSeen(model, shapes[1 - in], &X_of, cubic.k[0].m);
  double base = floor + own + other->sweep + CR_PATH_NOISE * DBL_EPSILON * fabs(own);
  if (!(findLowest(&seen, &cubic.k[0]) > base)) {
    return 0.0;
  }
  Sight sight = { seen, base + findError(path, in, &seen, up, &cubic), CR_PATH_PIECES };
  return findEnd(&sight, &cubic, 0.0, 1.0, CR_PATH_HALVINGS);
}

double crPath_FindReach(const crPath* path, const crModel* model, int shapeA, int shapeB, crVec3 n, double floor)
{
  const int shapes[2] = { shapeA, shapeB };
  double byA = findReach(path, model, 0, shapes, n, floor);
  return byA < 1.0 ? fmax(byA, findReach(path, model, 1, shapes, crNeg(n), floor)) : byA;
}
