#include "support/involute_truth.h"

#include "geometry/profile.h"
#include "geometry/shape.h"
#include "support/random.h"
#include "support/test.h"

#include <math.h>

__extension__ typedef __float128 Quad;

#define SAMPLES 48
#define TERMS 24     // of the series of sine and cosine, up to 5
#define HALVINGS 115 // of an interval

typedef struct QuadPoint {
  Quad x, y;
} QuadPoint;

static Quad root(Quad x)
{
  Quad y = x > 0 ? (Quad)sqrt((double)x) : 0;
  for (int i = 0; i < 3 && y > 0; ++i) {
    y = (y + x / y) / 2;
  }
  return y;
}

// (cos a, sin a)
static QuadPoint turn(Quad a)
{
  QuadPoint sum = { 1, a };
  Quad even = 1, odd = a;
  for (int k = 1; k <= TERMS; ++k) {
    even *= -a * a / ((2 * k - 1) * (2 * k));
    odd *= -a * a / ((2 * k) * (2 * k + 1));
    sum.x += even;
    sum.y += odd;
  }
  return sum;
}

// p = b (e - side t left(e)), e at the angle from + side t.
typedef struct Involute {
  Quad base, from, side;
} Involute;

static QuadPoint placeAt(const Involute* i, Quad t, QuadPoint* outRadial)
{
  QuadPoint e = turn(i->from + i->side * t);
  *outRadial = e;
  return (QuadPoint){ i->base * (e.x + i->side * t * e.y), i->base * (e.y - i->side * t * e.x) };
}

// Half the derivative of the distance's square, but for b t > 0.
static Quad findSlope(const Involute* i, Quad t, QuadPoint x)
{
  QuadPoint e, p = placeAt(i, t, &e);
  return (p.x - x.x) * e.x + (p.y - x.y) * e.y;
}

static Quad findDistance(const Involute* i, Quad t, QuadPoint x)
{
  QuadPoint e, p = placeAt(i, t, &e);
  return root((p.x - x.x) * (p.x - x.x) + (p.y - x.y) * (p.y - x.y));
}

// A place of a short stretch at which the distance falls, if it does not at its start and may in between: where the
// slope is least. It has one minimum, as x . e has one maximum.
static Quad findFalling(const Involute* i, Quad low, Quad high, QuadPoint x)
{
  Quad start = findSlope(i, low, x), speed = root(x.x * x.x + x.y * x.y), a = low, b = high;
  if (start < 0 || start > speed * (high - low)) {
    return low;
  }
  for (int n = 0; n < HALVINGS; ++n) {
    Quad p = a + (b - a) / 3, q = b - (b - a) / 3;
    bool isLeft = findSlope(i, p, x) < findSlope(i, q, x);
    *(isLeft ? &b : &a) = isLeft ? q : p;
  }
  Quad middle = (a + b) / 2;
  return findSlope(i, middle, x) < 0 ? middle : low;
}

// The least of both ends and of all places between at which the slope becomes positive.
static Quad measure(const Involute* i, Quad t0, Quad t1, QuadPoint x, bool isThorough)
{
  Quad first = findDistance(i, t0, x), last = findDistance(i, t1, x), least = first < last ? first : last;
  for (int k = 0; k < SAMPLES; ++k) {
    Quad low = t0 + (t1 - t0) * k / SAMPLES, high = t0 + (t1 - t0) * (k + 1) / SAMPLES;
    low = isThorough ? findFalling(i, low, high, x) : low;
    if (!(findSlope(i, low, x) < 0 && findSlope(i, high, x) >= 0)) {
      continue;
    }
    for (int n = 0; n < HALVINGS; ++n) {
      Quad middle = (low + high) / 2;
      *(findSlope(i, middle, x) < 0 ? &low : &high) = middle;
    }
    Quad found = findDistance(i, high, x);
    least = found < least ? found : least;
  }
  return least;
}

static double compare(crRandom* random)
{
  double b = crRandom_Uniform(random, 0.1, 2.0), t0 = crRandom_Uniform(random, 0.02, 1.0);
  double t1 = t0 + crRandom_Uniform(random, 0.05, 1.8);
  Involute involute = { b, crRandom_Uniform(random, -1.5, 1.5), crRandom_Uniform(random, -1.0, 1.0) < 0.0 ? -1 : 1 };
  QuadPoint e, start = placeAt(&involute, t0, &e), end = placeAt(&involute, t1, &e);
  bool isBack = crRandom_Uniform(random, -1.0, 1.0) < 0.0;
  crProfilePoint points[2] = { { .x = (double)start.x, .y = (double)start.y },
                               { .x = (double)end.x, .y = (double)end.y } };
  if (isBack) {
    crProfilePoint first = points[0];
    points[0] = points[1];
    points[1] = first;
  }
  points[1].involute = b;
  crShapeDef def = crDefaultShapeDef(cr_shapeExtruded);
  def.as.extruded.profile = (crProfileDef){ .points = points, .pointCount = 2, .isOpen = true };
  def.as.extruded.profile.isTurnedOut = crRandom_Uniform(random, -1.0, 1.0) < 0.0;
  def.as.extruded.length = 1.0;
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(&def, NULL, NULL, &shape), cr_ok);
  double worst = 0.0;
  for (int k = 0; k < 4; ++k) {
    crPlanePoint x = { crRandom_Uniform(random, -3.0, 3.0) * b, crRandom_Uniform(random, -3.0, 3.0) * b };
    if (k > 0) { // near it
      double t = crRandom_Uniform(random, t0, t1), away = crRandom_Uniform(random, -0.1, 0.1) * b;
      QuadPoint p = placeAt(&involute, t, &e);
      x = (crPlanePoint){ (double)(p.x - away * e.y), (double)(p.y + away * e.x) };
    }
    double found = fabs(crChain_FindFoot(shape->chain, x).distance), error = HUGE_VAL;
    for (int try = 0; try < 2 && error > 1e-14 * b; ++try) { // what falls within a stretch alone takes a longer search
      error = fabs((double)(found - measure(&involute, t0, t1, (QuadPoint){ x.x, x.y }, try > 0)));
    }
    worst = fmax(worst, error / (shape->chain->reach + crPlaneLength(x)));
  }
  crDestroyShape(shape);
  return worst;
}

double crCompareInvolutes(uint64_t seed, int count)
{
  crRandom random = crMakeRandom(seed);
  double worst = 0.0;
  for (int i = 0; i < count; i += 4) {
    worst = fmax(worst, compare(&random));
  }
  return worst;
}
