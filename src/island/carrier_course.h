// Where a carrier is that does not turn, as polynomials of time over stretches of a millisecond: for the evaluations of
// what it carries, of which hundreds lie in each. The polynomials have the digits of the motion itself, or are not
// used. Stretches lie at fixed times, so that they depend on nothing but the motion.
#ifndef CR_ISLAND_CARRIER_COURSE_H
#define CR_ISLAND_CARRIER_COURSE_H

#include "model/eval/instance.h"

#define CR_COURSE_NODES 10
#define CR_COURSES 8 // stretches that are known at once: a power of 2

// Divided differences of a vector at the nodes, in Newton's form, with a 0 behind each.
typedef struct crDifferences {
  double c[CR_COURSE_NODES][4];
} crDifferences;

// A body over one stretch, around its place and velocity at the first node.
typedef struct crCourse {
  double start; // [s] of the stretch; not a number: none
  bool isGood;  // the body may be placed by it
  crMat3 R;
  crDifferences p, v; // [m], [m/s]
} crCourse;

// The places to keep the last stretches in, before there is any.
void crCourse_Clear(crCourse courses[CR_COURSES]);

// Places a tree without states, of one body, at time t, without a stage: place and velocity alone. event [s]: behind
// the start of the stretch of t, where what drives it is another function of time. false: it has to be evaluated.
typedef double crNextEvent(const void* context, int tree, double t);
bool crCourse_Place(crCourse courses[CR_COURSES], crInstance* instance, int tree, double t, crNextEvent* nextEvent,
                    const void* context);

#endif
