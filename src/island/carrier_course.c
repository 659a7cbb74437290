// Courses of carriers: interpolation at Chebyshev's nodes, and a look whether it is right between them.
//
// With x from -1 to 1 over a stretch and Newton's divided differences c_k,
//
//   f(x) = c_0 + (x - x_0) (c_1 + (x - x_1) (c_2 + ...))
//
// so that all but c_0 is small against what the body moves in the stretch, and rounding is that of one sum.
#include "island/carrier_course.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CR_STRETCH 1e-3       // [s] of a course
#define CR_MOST_STRETCHES 1e9 // from the time 0 on: later a stretch has too few digits
#define CR_COURSE_CHECKS 5    // times at which it is compared with the motion
#define CR_COURSE_DIGITS 4    // [ulp] of places, velocities and times, by which it may differ there

// cos((2 i + 1) pi / 20), in an order in which differences lose no digits.
static const double nodes[CR_COURSE_NODES] = {
  0.98768834059513777,  -0.98768834059513777, 0.15643446504023087,  -0.70710678118654752, 0.70710678118654752,
  -0.45399049973954675, 0.45399049973954675,  -0.89100652418836787, 0.89100652418836787,  -0.15643446504023087,
};
static const double checks[CR_COURSE_CHECKS] = { -1.0, -0.81, 0.011, 0.58, 1.0 };

void crCourse_Clear(crCourse courses[CR_COURSES])
{
  for (int i = 0; i < CR_COURSES; ++i) {
    courses[i].start = NAN;
  }
}

// Memory that is allocated is not aligned to lanes.
static inline crLanes load(const double from[4])
{
  crLanes l;
  memcpy(&l, from, sizeof l);
  return l;
}

static inline crLanes evalNewton(const crDifferences* of, double x)
{
  crLanes sum = load(of->c[CR_COURSE_NODES - 1]);
  for (int i = CR_COURSE_NODES - 2; i >= 0; --i) {
    sum = load(of->c[i]) + (x - nodes[i]) * sum;
  }
  return sum;
}

static void divideDifferences(crDifferences* of)
{
  double(*c)[4] = of->c;
  for (int k = 1; k < CR_COURSE_NODES; ++k) {
    for (int i = CR_COURSE_NODES - 1; i >= k; --i) {
      for (int l = 0; l < 4; ++l) {
        c[i][l] = (c[i][l] - c[i - 1][l]) / (nodes[i] - nodes[i - k]);
      }
    }
  }
}

static double findSize(crLanes a)
{
  return crMaxAbs(crFromLanes(a));
}

// The motion itself. false: it cannot be evaluated, or turns.
static bool look(crInstance* instance, int tree, double t)
{
  crTreeSet set = { &tree, 1, NULL };
  int body = instance->model->trees[tree].bodyStart;
  return crMoveGiven(instance, set, t) == cr_ok && findSize(instance->V[body].w) == 0.0;
}

static double findTime(const crCourse* course, double x)
{
  return course->start + 0.5 * CR_STRETCH * (1.0 + x);
}

static bool fit(crCourse* course, crInstance* instance, int tree)
{
  int body = instance->model->trees[tree].bodyStart;
  double p = 0.0, v = 0.0; // [m], [m/s] the largest
  for (int i = 0; i < CR_COURSE_NODES; ++i) {
    if (!look(instance, tree, findTime(course, nodes[i]))) {
      return false;
    }
    p = fmax(p, findSize(instance->places[body].p));
    v = fmax(v, findSize(instance->V[body].v));
    memcpy(course->p.c[i], &instance->places[body].p, sizeof course->p.c[i]);
    memcpy(course->v.c[i], &instance->V[body].v, sizeof course->v.c[i]);
  }
  course->R = crFromLanes33(instance->places[body].R);
  divideDifferences(&course->p);
  divideDifferences(&course->v);
  double a = findSize(load(course->v.c[1])) * 2.0 / CR_STRETCH; // [m/s^2]
  double digits = CR_COURSE_DIGITS * DBL_EPSILON, t = fabs(course->start) + CR_STRETCH;
  for (int i = 0; i < CR_COURSE_CHECKS; ++i) {
    if (!look(instance, tree, findTime(course, checks[i]))) {
      return false;
    }
    crLanes ownP = instance->places[body].p, ownV = instance->V[body].v;
    if (!(findSize(evalNewton(&course->p, checks[i]) - ownP) <= digits * (p + v * t) &&
          findSize(evalNewton(&course->v, checks[i]) - ownV) <= digits * (v + a * t))) {
      return false;
    }
  }
  return true;
}

bool crCourse_Place(crCourse courses[CR_COURSES], crInstance* instance, int tree, double t, crNextEvent* nextEvent,
                    const void* context)
{
  double number = floor(t / CR_STRETCH), start = number * CR_STRETCH;
  if (!(fabs(number) < CR_MOST_STRETCHES)) {
    return false;
  }
  crCourse* course = &courses[(int64_t)number & (CR_COURSES - 1)];
  if (course->start != start) {
    course->start = start;
    course->isGood =
        nextEvent(context, tree, start - CR_STRETCH) > start + 2.0 * CR_STRETCH && fit(course, instance, tree);
  }
  if (!course->isGood) {
    return false;
  }
  int body = instance->model->trees[tree].bodyStart;
  double x = (t - start) * (2.0 / CR_STRETCH) - 1.0;
  instance->stages[tree] = cr_stageTime;
  instance->places[body] = (crPlace){ crToLanes33(course->R), evalNewton(&course->p, x), crZeroLanes() };
  instance->V[body] = (crMotionL){ crZeroLanes(), evalNewton(&course->v, x) };
  return true;
}
