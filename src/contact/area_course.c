#include "contact/area_course.h"

#include "collide/area/polygon.h"
#include "contact/area_loss.h"
#include "contact/contact_group.h"

#define CR_COURSE_LOAD 1.0   // [-] of its load that a contact on a course may gain or lose in a step, as it begins,
#define CR_COURSE_TURN 0.5   // [rad] and by which its normal may turn
#define CR_COURSE_LEAST 1e-3 // [-] of the step: the first stage has to be as far from its start

// What damping and friction need of a patch, and what it exerts: numbers alone, so that they are interpolated as such.
typedef struct Node {
  double load, elastic, squareSpeed;
  crVec3 n, point, force, torque, reach[2];
} Node;

#define CR_NODE_SIZE (sizeof(Node) / sizeof(double))

typedef struct Course {
  crBoxPair pair;
  bool isDear;    // by area, and alone
  bool isKnown;   // at the start,
  bool isTouched; // and touched there
  bool isOn;      // the contact is on a course in this step
  bool endsTouched;
  double u; // [-] of its damper
  Node start, slope, bend, end;
} Course;

typedef crArrayOf(Course) crCourseList;

struct crAreaCourses {
  crAllocator allocator;
  crCourseList items, next;
  double t0, t1; // [s] where starts and ends are known; NaN: nowhere
  crStageNode node;
  double place;
};

crStatus crCreateCourses(const crAllocator* allocator, crAreaCourses** outCourses)
{
  crAreaCourses* courses = crAllocateZero(allocator, 1, sizeof *courses);
  if (courses == NULL) {
    return cr_errorMemory;
  }
  courses->allocator = *allocator;
  crCourses_Drop(courses);
  *outCourses = courses;
  return cr_ok;
}

void crDestroyCourses(crAreaCourses* courses)
{
  if (courses != NULL) {
    crAllocator allocator = courses->allocator;
    crArray_Free(&courses->items, &allocator);
    crArray_Free(&courses->next, &allocator);
    crFree(&allocator, courses, sizeof *courses);
  }
}

void crCourses_Drop(crAreaCourses* courses)
{
  if (courses != NULL) {
    courses->t0 = courses->t1 = NAN;
    courses->items.count = 0;
  }
}

// ------------------------------------------------------------------------------------------------- steps

static void advance(crAreaCourses* courses)
{
  for (int i = 0; i < courses->items.count; ++i) {
    Course* course = &courses->items.items[i];
    course->start = course->end;
    course->isTouched = course->endsTouched;
    course->isKnown = course->isDear; // else nobody has looked at its end
  }
  courses->t0 = courses->t1;
  courses->t1 = NAN;
}

static void swap(crAreaCourses* courses)
{
  crCourseList items = courses->items;
  courses->items = courses->next;
  courses->next = items;
}

bool crCourses_Begin(crAreaCourses* courses, const crContacts* contacts, double t0, bool* outIsKnown)
{
  int count = contacts->pairs.count;
  if (!crMakeRoom(&courses->next, count, &courses->allocator)) {
    return false;
  }
  if (courses->t1 == t0) {
    advance(courses);
  } else if (courses->t0 != t0) {
    courses->items.count = 0;
  }
  *outIsKnown = true;
  for (int k = 0, i = 0; k < count; ++k) { // both are in the order of pairs
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const Course* old = courses->items.items;
    while (i < courses->items.count && crComparePairs(old[i].pair.a, old[i].pair.b, pair->shapeA, pair->shapeB) < 0) {
      ++i;
    }
    bool isFound = i < courses->items.count && old[i].pair.a == pair->shapeA && old[i].pair.b == pair->shapeB;
    Course* course = &courses->next.items[k];
    *course = isFound ? old[i] : (Course){ .pair = { pair->shapeA, pair->shapeB } };
    course->isDear = pair->path == cr_touchArea && (!contacts->hasGroups || crIsAlone(contacts, k));
    course->isOn = false;
    *outIsKnown = *outIsKnown && (course->isKnown || !course->isDear);
  }
  courses->next.count = count;
  swap(courses);
  courses->t0 = t0;
  courses->t1 = NAN;
  courses->node = cr_nodeAll;
  return true;
}

void crCourses_End(crAreaCourses* courses, double t1)
{
  courses->t1 = t1;
}

void crCourses_Set(crAreaCourses* courses, crStageNode node, double place)
{
  courses->node = node;
  courses->place = place;
}

// ------------------------------------------------------------------------------------------------- nodes

static Node combine(const Node* a, double x, const Node* b, double y, const Node* c)
{
  Node sum;
  const double *p = (const double*)a, *q = (const double*)b, *r = (const double*)c;
  double* out = (double*)&sum;
  for (size_t i = 0; i < CR_NODE_SIZE; ++i) {
    out[i] = p[i] + x * q[i] + y * r[i];
  }
  return sum;
}

// Evaluates the contact. false: its shapes are apart.
static bool evalNode(const crInstance* instance, const crContacts* contacts, int k, Course* course, Node* out)
{
  const crTouchingPair* pair = &contacts->pairs.items[k];
  crAreaSide a, b;
  crAreaPatch patch;
  crAreaDamper damper;
  crFillAreaSide(instance, contacts, pair->shapeA, &a);
  crFillAreaSide(instance, contacts, pair->shapeB, &b);
  if (!crEvalAreaPatch(pair->law, &a, &b, &contacts->contacts.items[k], &patch, &damper)) {
    *out = (Node){ .load = 0.0 };
    return false;
  }
  course->u = damper.u;
  *out = (Node){ .load = patch.load,
                 .elastic = patch.elastic,
                 .squareSpeed = damper.squareSpeed,
                 .n = patch.n,
                 .point = patch.point,
                 .force = patch.force,
                 .torque = patch.torque,
                 .reach = { patch.reach[0], patch.reach[1] } };
  return true;
}

// Whether it changes so little, by how it begins to, that it may be on a course.
static bool isSteady(const Node* start, const Node* slope)
{
  return fabs(slope->load) <= CR_COURSE_LOAD * start->load &&
         crLengthSquared(slope->n) <= CR_COURSE_TURN * CR_COURSE_TURN;
}

static void evalFirst(double place, bool isTouched, const Node* now, Course* course)
{
  course->isOn = false;
  if (isTouched && course->isTouched && place >= CR_COURSE_LEAST) {
    Node change = combine(now, -1.0, &course->start, 0.0, now);
    course->slope = combine(&change, 1.0 / place - 1.0, &change, 0.0, &change);
    course->bend = (Node){ .load = 0.0 };
    course->isOn = isSteady(&course->start, &course->slope);
  }
}

static void evalMiddle(double place, bool isTouched, const Node* now, Course* course)
{
  course->isOn = course->isOn && isTouched;
  if (course->isOn) {
    Node change = combine(now, -1.0, &course->start, -place, &course->slope);
    double inverse = 1.0 / (place * place);
    course->bend = combine(&change, inverse - 1.0, &change, 0.0, &change);
  }
}

// Where a body is and how it moves: all that damping and friction ask for.
static void fillMotion(const crInstance* instance, const crContacts* contacts, int shape, crAreaSide* out)
{
  const crShapeFacts* facts = &contacts->facts[shape];
  out->shape = &contacts->model->shapes[shape];
  out->p = out->v = out->w = out->surface = crMakeVec3(0.0, 0.0, 0.0);
  if (facts->body > 0) {
    out->p = crFromLanes(instance->places[facts->body].p);
    out->v = crFromLanes(instance->V[facts->body].v);
    out->w = crFromLanes(instance->V[facts->body].w);
  }
  if (facts->hasSurfaceVelocity) {
    out->surface = crMulMV(crGetBodyPose(instance, facts->body).R, facts->surfaceVelocity);
  }
}

static void evalInside(const crInstance* instance, const crContacts* contacts, int k, double s, const Course* course)
{
  const crTouchingPair* pair = &contacts->pairs.items[k];
  crContact* contact = &contacts->contacts.items[k];
  Node node = combine(&course->start, s, &course->slope, s * s, &course->bend);
  crAreaSide a, b;
  fillMotion(instance, contacts, pair->shapeA, &a);
  fillMotion(instance, contacts, pair->shapeB, &b);
  crAreaPatch patch = { .elastic = node.elastic,
                        .load = crMax2(0.0, node.load),
                        .n = crScale(1.0 / crLength(node.n), node.n),
                        .point = node.point,
                        .reach = { node.reach[0], node.reach[1] } };
  crAreaDamper damper = { course->u, crMax2(0.0, node.squareSpeed), 1.0 };
  crAreaLoss loss = crFindAreaLoss(pair->law, &contact->memory, &damper, &a, &b, &patch);
  contact->now.point = node.point;
  contact->force = (crContactForce){ .force = crAdd(node.force, loss.force),
                                     .torque = crAdd(node.torque, loss.torque),
                                     .normalForce = loss.normal,
                                     .elastic = node.elastic,
                                     .dissipation = loss.power };
}

// A stage: what is on a course by that, all else as it is.
static void evalStage(const crInstance* instance, const crContacts* contacts, int k, Course* course)
{
  const crAreaCourses* courses = contacts->courses;
  Node now;
  if (courses->node == cr_nodeInside && course->isOn) {
    evalInside(instance, contacts, k, courses->place, course);
  } else {
    bool isTouched = evalNode(instance, contacts, k, course, &now);
    if (courses->node == cr_nodeFirst) {
      evalFirst(courses->place, isTouched, &now, course);
    } else if (courses->node == cr_nodeMiddle) {
      evalMiddle(courses->place, isTouched, &now, course);
    }
  }
}

static void evalAll(const crInstance* instance, const crContacts* contacts, int k)
{
  const crTouchingPair* pair = &contacts->pairs.items[k];
  crAreaSide a, b;
  crFillAreaSide(instance, contacts, pair->shapeA, &a);
  crFillAreaSide(instance, contacts, pair->shapeB, &b);
  crEvalAreaContact(pair->law, &a, &b, &contacts->contacts.items[k]);
}

bool crCourses_Eval(const crInstance* instance, crContacts* contacts, int k)
{
  crAreaCourses* courses = contacts->courses;
  Course* course = &courses->items.items[k];
  if (courses->node == cr_nodeAll || !course->isDear) {
    evalAll(instance, contacts, k);
    return true;
  }
  switch (courses->node) {
    case cr_nodeStart:
      if (!course->isKnown) {
        course->isTouched = evalNode(instance, contacts, k, course, &course->start);
        course->isKnown = true;
      }
      return false;
    case cr_nodeAround:
      if (course->isTouched) {
        course->slope = course->bend = (Node){ .load = 0.0 };
        evalInside(instance, contacts, k, 0.0, course);
      }
      return course->isTouched;
    case cr_nodeEnd: course->endsTouched = evalNode(instance, contacts, k, course, &course->end); return true;
    default: evalStage(instance, contacts, k, course); return true;
  }
}
