// Depths at the start that no rest has: the forces would throw the bodies apart. What was put at rest lies as deep as
// it has to. Each pair of objects is told once, by its deepest touch, however many pieces touch. Cylinders that start
// on the border of smooth ground are told, too.
#include "collide/area/over_ground.h"
#include "collide/distance/parallel.h"
#include "contact/contact.h"
#include "sim/simulation.h"

#define CR_START_DEPTH 0.05  // [-] depth at the start over the smaller one's smallest dimension that is a mistake
#define CR_ODD_DEPTH 5e-3    // [-] and that most likely is one; resting bodies sink far less
#define CR_MOST_REPORTED 100 // of them, one by one

typedef struct Deep {
  crTouchingPair pair;
  double depth, share; // [m], and over the smaller one's smallest dimension
} Deep;

typedef struct DeepList {
  Deep items[CR_MOST_REPORTED];
  int count;
  int more;       // that have no room
  int errorCount; // of those
} DeepList;

static bool rests(const crModel* model, int shape)
{
  int body = model->contactShapes[shape].body;
  return body > 0 && model->joints[body - 1].startsAtRest;
}

static bool isError(const Deep* deep)
{
  return deep->share > CR_START_DEPTH && deep->pair.law->response != cr_responseObserver;
}

static bool isOdd(const crModel* model, const Deep* deep)
{
  return deep->share > CR_ODD_DEPTH && !rests(model, deep->pair.shapeA) && !rests(model, deep->pair.shapeB);
}

static bool areSameObjects(const crModel* model, const crTouchingPair* a, const crTouchingPair* b)
{
  const crContactShape* shapes = model->contactShapes;
  return shapes[a->shapeA].object == shapes[b->shapeA].object && shapes[a->shapeB].object == shapes[b->shapeB].object;
}

static void note(const crContacts* contacts, const crTouchingPair* pair, double depth, DeepList* list)
{
  double size = 2.0 * fmin(contacts->facts[pair->shapeA].half, contacts->facts[pair->shapeB].half);
  Deep deep = { *pair, depth, depth / size };
  if (!isError(&deep) && !isOdd(contacts->model, &deep)) {
    return;
  }
  for (int i = 0; i < list->count; ++i) {
    if (areSameObjects(contacts->model, &list->items[i].pair, pair)) {
      list->items[i] = deep.share > list->items[i].share ? deep : list->items[i];
      return;
    }
  }
  if (list->count < CR_MOST_REPORTED) {
    list->items[list->count++] = deep;
  } else {
    ++list->more;
    list->errorCount += isError(&deep);
  }
}

// [m] By the signed distance as well: bodies that lie in each other face upon face have no patch.
static double findDepth(const crContacts* contacts, int place)
{
  const crTouchingPair* pair = &contacts->pairs.items[place];
  double depth = fmax(0.0, contacts->contacts.items[place].motion.depth);
  if (pair->path != cr_touchArea) {
    return depth;
  }
  const crShape* shapes = contacts->model->shapes;
  crTouch touch;
  crComputeTouch(&shapes[pair->shapeA], &contacts->poses[pair->shapeA], &shapes[pair->shapeB],
                 &contacts->poses[pair->shapeB], NULL, &touch);
  return fmax(depth, -touch.distance);
}

// Outlines that are so deep in each other that contacts do not know of it.
static crStatus noteOutlines(const crRun* run, DeepList* list)
{
  crContacts* contacts = run->contacts;
  const crShape* shapes = contacts->model->shapes;
  const crBoxPair* near = NULL;
  int count = 0;
  crStatus status = crFindNearPairs(run->instance, contacts, &near, &count);
  for (int i = 0; i < count && status == cr_ok; ++i) {
    const crShape *a = &shapes[near[i].a], *b = &shapes[near[i].b];
    if (crIsParallelPair(a, b)) {
      double distance =
          crComputeParallel(a, &contacts->poses[near[i].a], b, &contacts->poses[near[i].b], HUGE_VAL).distance;
      crTouchingPair pair = { .shapeA = near[i].a,
                              .shapeB = near[i].b,
                              .law = crContacts_FindLaw(contacts, near[i].a, near[i].b) };
      note(contacts, &pair, -distance, list);
    }
  }
  return status;
}

static void report(crRun* run, const Deep* deep)
{
  bool isWrong = isError(deep);
  crReportPair(run, run->options.startTime, isWrong ? cr_severityError : cr_severityWarning, &deep->pair,
               isWrong ? "is too deep to start with" : "is deeper than bodies at rest", deep->depth,
               isWrong ? "up to 5 % of the smaller one" : "up to 0.5 % of the smaller one",
               "move one of them, or let them not collide: exclude(a, b)");
}

// Whether a contact is one at the border of smooth ground.
static bool reportBorder(crRun* run, const crTouchingPair* pair)
{
  const crContacts* contacts = run->contacts;
  const crShape *a = &contacts->model->shapes[pair->shapeA], *b = &contacts->model->shapes[pair->shapeB];
  if (!crIsOverGround(a, b)) {
    return false;
  }
  const crPose *X_WA = &contacts->poses[pair->shapeA], *X_WB = &contacts->poses[pair->shapeB];
  double beyond = b->ground != NULL ? crFindBeyondGround(a, X_WA, b, X_WB) : crFindBeyondGround(b, X_WB, a, X_WA);
  if (beyond > 0.0) {
    crReportPair(run, run->options.startTime, cr_severityError, pair,
                 "is at the border of a smooth surface, where cylinders have no law", beyond, "none beyond the border",
                 "a larger field, or facets = true");
  }
  return beyond > 0.0;
}

crStatus crCheckStartDepths(crRun* run)
{
  const crContacts* contacts = run->contacts;
  DeepList list = { .count = 0 };
  for (int k = 0; k < contacts->pairs.count; ++k) {
    if (reportBorder(run, &contacts->pairs.items[k])) {
      ++list.more;
      ++list.errorCount;
    } else {
      note(contacts, &contacts->pairs.items[k], findDepth(contacts, k), &list);
    }
  }
  crStatus status = noteOutlines(run, &list);
  for (int i = 0; i < list.count && status == cr_ok; ++i) {
    list.errorCount += isError(&list.items[i]);
    report(run, &list.items[i]);
  }
  run->overlapCount += list.count + list.more;
  return status == cr_ok && list.errorCount > 0 ? cr_errorModel : status;
}
