// Bodies that start at rest on contacts that stick: bristles hold what they have to, so that a box stands on a slope
// and an arch by itself from the first moment.
//
// Friction without limit is an elastic support, so that rest is where all accelerations are zero: found by Newton's
// method on rates, positions, bristles x alike, with x moving along as positions do. That is a step of the implicit
// Euler method without end,
//
//   (g I - J) dy = f(y),   g -> 0,    velocities stay zero
//
// What moves is a sag by micrometres, and how several contacts share a load is what their stiffnesses say. Where
// friction would have to hold more than it can there is no rest, which is told.
#include "base/elementary.h"
#include "base/report.h"
#include "sim/rest.h"
#include "sim/simulation.h"
#include "solve/step_matrix.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define CR_SLOWNESS 0.1            // [1/s] g: small against all frequencies of contacts
#define CR_MAX_ROUNDS 60           // of Newton's method
#define CR_REST_ACCELERATION 1e-13 // [-] of gravity: at rest
#define CR_GOOD_ACCELERATION 1e-9  // [-] of gravity: good enough where it gets no better
#define CR_MOST_SAG 0.05           // [-] of the body's size that it may move in one round
#define CR_BACKTRACKS 12           // halvings of a step
#define CR_RESOLUTION 32           // [-] times the last digit of a place and a size: a step that changes nothing
#define CR_MAX_RESOLVES 4          // times that contacts are found anew where it has moved to

// The bodies that rest, and nothing else.
typedef struct Stuck {
  crRun* run;
  crTreeSet set;
  int* trees;  // (treeCount of the model)
  int* starts; // (likewise) first state of a tree in the set
  int n, treeStates;
  double* numbers; // parts of it:
  double* kept;    // (stateCount of the model) as it was
  double *y, *next, *rates, *sizes, *b, *x;
  int* indices;
  int indexCapacity, numberCapacity;
  crSpin* spins;        // (treeCount)
  crStateBlock* blocks; // (blockCapacity)
  int blockCapacity;
  crStepMatrix matrix;
} Stuck;

// ------------------------------------------------------------------------------------------------ bodies

// A ball that rolls may start as deep as it would rest; that is all.
static bool startsAtRest(const crRun* run, int tree)
{
  const crModel* model = run->model;
  const crTree* record = &model->trees[tree];
  bool isStill = model->areAlone[tree] && model->joints[record->bodyStart - 1].startsAtRest;
  for (int i = 0; isStill && i < record->vCount; ++i) {
    isStill = run->state[record->qStart + record->qCount + i] == 0.0;
  }
  return isStill;
}

// Labels of trees by the first of those that rest with them; -1: it does not, or touches something that does not.
static crStatus findGroups(Stuck* s, int* labels)
{
  crRun* run = s->run;
  const crModel* model = run->model;
  int treeCount = model->size.treeCount;
  crContacts* all = NULL;
  crStatus status = crCreateContacts(model, run->set, &run->allocator, &all);
  crTreeSet set = { run->set.trees, run->set.treeCount, all };
  if (status == cr_ok) {
    crInstance_SetState(run->instance, set, run->options.startTime, run->state);
    status = crInstance_ResolveContacts(run->instance, set);
  }
  for (int t = 0; t < treeCount; ++t) {
    labels[t] = startsAtRest(run, t) ? t : -1;
  }
  for (int k = 0; status == cr_ok && k < all->pairs.count; ++k) { // on a belt nothing rests
    const crShapeFacts *a = &all->facts[all->pairs.items[k].shapeA], *b = &all->facts[all->pairs.items[k].shapeB];
    bool isCarried = a->hasSurfaceVelocity || b->hasSurfaceVelocity;
    if (isCarried && a->tree >= 0) {
      labels[a->tree] = -1;
    }
    if (isCarried && b->tree >= 0) {
      labels[b->tree] = -1;
    }
  }
  bool isMoving = status == cr_ok;
  while (isMoving) { // the least of two that touch, and -1 is less than all
    isMoving = false;
    for (int i = 0; i < all->links.count; ++i) {
      int tree = (int)(all->links.items[i] >> 32), other = (int)(uint32_t)all->links.items[i];
      if (labels[other] < labels[tree]) {
        labels[tree] = labels[other];
        isMoving = true;
      }
    }
  }
  crDestroyContacts(all);
  return status;
}

// The trees of a group; false: there is none of this label.
static bool takeGroup(Stuck* s, const int* labels, int label)
{
  const crModel* model = s->run->model;
  s->set = (crTreeSet){ s->trees, 0, NULL };
  for (int t = 0, row = 0; t < model->size.treeCount; ++t) {
    if (labels[t] == label) {
      s->starts[t] = row;
      row += crTreeStateCount(&model->trees[t]);
      s->trees[s->set.treeCount++] = t;
    }
  }
  return s->set.treeCount > 0;
}

// ----------------------------------------------------------------------------------------------- equations

static crStatus evaluate(Stuck* s, const double* y, double* outRates)
{
  crContacts_SetBristles(s->set.contacts, y + s->treeStates);
  crStatus status = crComputeRates(s->run->instance, s->set, s->run->options.startTime, y, outRates);
  if (status == cr_ok) {
    crContacts_GetBristleRates(s->set.contacts, outRates + s->treeStates);
  }
  return status;
}

static bool reserveAll(Stuck* s, int entryCount)
{
  const crAllocator* allocator = &s->run->allocator;
  int n = s->n, space = n + 2 * CR_LANES;
  bool hasRoom =
      crReserve(allocator, &s->numbers, &s->numberCapacity, 6 * space, sizeof *s->numbers) &&
      crReserve(allocator, &s->indices, &s->indexCapacity, 2 * n + 1 + entryCount, sizeof *s->indices) &&
      crReserve(allocator, &s->blocks, &s->blockCapacity, s->set.contacts->contacts.count, sizeof *s->blocks);
  double** parts[6] = { &s->y, &s->next, &s->rates, &s->sizes, &s->b, &s->x };
  for (int i = 0; i < 6 && hasRoom; ++i) {
    *parts[i] = s->numbers + (size_t)i * (size_t)space;
    memset(*parts[i], 0, (size_t)space * sizeof(double));
  }
  return hasRoom;
}

// Pattern and structure of the equations, as contacts are.
static crStatus describe(Stuck* s)
{
  const crModel* model = s->run->model;
  crContacts* contacts = s->set.contacts;
  int count = 0;
  crContacts_PlaceBristles(contacts, 0);
  s->treeStates = crModel_CountStates(model, s->set);
  s->n = s->treeStates + contacts->bristleCount;
  if (!crContacts_ReserveBristles(contacts)) {
    return cr_errorMemory;
  }
  crModel_GetSparsity(model, s->set, NULL, NULL, &count);
  crContacts_AddBristlePattern(contacts, s->set, s->starts, NULL, NULL, &count);
  if (!reserveAll(s, count)) {
    return cr_errorMemory;
  }
  int *rateOf = s->indices, *columnStarts = rateOf + s->n, *rows = columnStarts + s->n + 1, blockCount = 0;
  count = 0;
  crModel_GetSparsity(model, s->set, columnStarts, rows, &count);
  crContacts_AddBristlePattern(contacts, s->set, s->starts, columnStarts, rows, &count);
  crModel_GetRateOf(model, s->set, rateOf);
  for (int i = s->treeStates; i < s->n; ++i) {
    rateOf[i] = -1;
  }
  for (int k = 0; k < contacts->contacts.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    contact->bristle.isHeld = true;
    if (contact->bristle.count > 0) {
      s->blocks[blockCount++] = (crStateBlock){ s->treeStates + contact->place, contact->bristle.count };
    }
  }
  crStructure structure = { .rateOf = rateOf, .spins = s->spins, .blocks = s->blocks, .blockCount = blockCount };
  structure.spinCount = crModel_GetSpins(model, s->set, s->spins);
  crSparsity pattern = { s->n, columnStarts, rows };
  crProblem problem = { .n = s->n, .pattern = &pattern, .structure = &structure };
  bool isNew;
  return crStepMatrix_SetProblem(&s->matrix, &problem, &isNew);
}

// The largest acceleration, over gravity: of points of a body's size for turns.
static double findWorst(const Stuck* s, const double* rates)
{
  const crModel* model = s->run->model;
  double worst = 0.0;
  for (int k = 0; k < s->set.treeCount; ++k) {
    int tree = s->trees[k];
    const double* own = rates + s->starts[tree] + CR_FREE_VELOCITY;
    double size = model->links[model->trees[tree].bodyStart].mass > 0.0 ? s->sizes[s->starts[tree]] : 0.0;
    for (int i = 0; i < 3; ++i) {
      worst = fmax(worst, fmax(fabs(own[i]), size * fabs(own[3 + i])));
    }
  }
  return worst / crLength(model->gravity.acceleration);
}

// [m] Half the smallest dimension of each body, where its states begin.
static void findSizes(Stuck* s)
{
  const crContacts* contacts = s->set.contacts;
  for (int i = 0; i < contacts->memberCount; ++i) {
    const crShapeFacts* facts = &contacts->facts[contacts->members[i]];
    double* size = &s->sizes[s->starts[facts->tree]];
    *size = fmax(*size, facts->half);
  }
}

// ------------------------------------------------------------------------------------------------- Newton

// dy of one round into x.
static crStatus solve(Stuck* s)
{
  crStepMatrix* matrix = &s->matrix;
  crStatus status =
      crInstance_ComputeRateMatrix(s->run->instance, s->set, s->run->options.startTime, s->y, matrix->values);
  if (status != cr_ok) {
    return status;
  }
  crStepMatrix_Load(matrix);
  status = crStepMatrix_Factorize(matrix, CR_SLOWNESS, CR_SLOWNESS, CR_SLOWNESS, false);
  if (status != cr_ok) {
    return status;
  }
  for (int i = 0; i < matrix->length; ++i) {
    s->b[i] = s->x[i] = 0.0;
  }
  for (int u = 0; u < matrix->unknownCount; ++u) {
    s->b[matrix->unknownPlaces[u]] = s->rates[matrix->unknowns[u]];
  }
  crStepMatrix_SolveReal(matrix, s->b, s->x);
  return cr_ok;
}

// next = y + share dy, with velocities zero.
static void move(const Stuck* s, double share)
{
  const crStepMatrix* matrix = &s->matrix;
  memcpy(s->next, s->y, (size_t)s->n * sizeof(double));
  for (int u = 0; u < matrix->unknownCount; ++u) {
    s->next[matrix->unknowns[u]] += share * s->x[matrix->unknownPlaces[u]];
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    s->next[matrix->slaves[k]] += share / CR_SLOWNESS * s->x[matrix->masters[k]];
  }
  for (int k = 0; k < s->set.treeCount; ++k) {
    double *own = s->next + s->starts[s->trees[k]], *q = own + CR_FREE_QUATERNION;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i) {
      q[i] /= length;
    }
    memset(own + CR_FREE_VELOCITY, 0, 6 * sizeof *own);
  }
}

// [-] Share of a round in which no body moves by more than a part of its size.
static double findShare(const Stuck* s)
{
  double share = 1.0;
  for (int k = 0; k < s->set.treeCount; ++k) {
    int start = s->starts[s->trees[k]];
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
      most = fmax(most, fabs(s->next[start + i] - s->y[start + i]));
    }
    share = fmin(share, CR_MOST_SAG * s->sizes[start] / fmax(most, 1e-300));
  }
  return share;
}

// Whether the round is below what places can tell: a steel cube of a gram lies 1e-11 m deep, where the last digit of
// its place is 1e-8 of its weight, and no round makes that less.
static bool isBelowDigits(const Stuck* s)
{
  move(s, 1.0);
  for (int k = 0; k < s->set.treeCount; ++k) {
    int start = s->starts[s->trees[k]];
    double reach = s->sizes[start];
    for (int i = 0; i < 3; ++i) {
      reach += fabs(s->y[start + i]);
    }
    double least = CR_RESOLUTION * DBL_EPSILON * reach;
    for (int i = 0; i < 3; ++i) {
      if (fabs(s->next[start + i] - s->y[start + i]) > least) {
        return false;
      }
    }
    for (int i = CR_FREE_QUATERNION; i < CR_FREE_QUATERNION + 4; ++i) {
      if (s->sizes[start] * fabs(s->next[start + i] - s->y[start + i]) > least) {
        return false;
      }
    }
  }
  return true;
}

// Until nothing accelerates; *outWorst: what is left.
static crStatus iterate(Stuck* s, double* outWorst)
{
  crStatus status = evaluate(s, s->y, s->rates);
  *outWorst = status == cr_ok ? findWorst(s, s->rates) : HUGE_VAL;
  for (int i = 0; i < CR_MAX_ROUNDS && status == cr_ok && *outWorst > CR_REST_ACCELERATION; ++i) {
    status = solve(s);
    if (status != cr_ok) {
      break;
    }
    move(s, 1.0);
    double share = findShare(s), worst = HUGE_VAL;
    for (int k = 0; k < CR_BACKTRACKS && !(worst < *outWorst); ++k, share *= 0.5) {
      move(s, share);
      worst = evaluate(s, s->next, s->rates) == cr_ok ? findWorst(s, s->rates) : HUGE_VAL;
    }
    if (!(worst < *outWorst)) { // it gets no better
      *outWorst = isBelowDigits(s) ? 0.0 : *outWorst;
      return evaluate(s, s->y, s->rates);
    }
    *outWorst = worst;
    memcpy(s->y, s->next, (size_t)s->n * sizeof(double));
  }
  return status;
}

// ------------------------------------------------------------------------------------------------- report

static void reportSliding(const Stuck* s, const crTouchingPair* pair, double share)
{
  const crRun* run = s->run;
  const crContactShape* shapes = run->model->contactShapes;
  char message[512];
  snprintf(message, sizeof message,
           "should start at rest, but friction on '%.200s' would have to hold %.3g times what it can",
           crModel_GetObjectPath(run->model, shapes[pair->shapeA].object), share);
  crReporter reporter =
      crMakeReporter(&run->sink, (crSource){ 0 }, crModel_GetObjectPath(run->model, shapes[pair->shapeB].object));
  crComplaint complaint = {
    .message = message, .hint = "it starts as deep as it would rest, and slides: more friction (muS), a smaller slope"
  };
  crReport(&reporter, cr_severityWarning, cr_ok, &complaint);
}

static void reportFalling(const Stuck* s)
{
  const crModel* model = s->run->model;
  char message[128];
  snprintf(message, sizeof message, "should start at rest%s, but rolls or tips over",
           s->set.treeCount > 1 ? " with what it touches" : "");
  crReporter reporter =
      crMakeReporter(&s->run->sink, (crSource){ 0 }, crModel_GetBodyPath(model, model->trees[s->trees[0]].bodyStart));
  crComplaint complaint = { .message = message, .hint = "it starts as deep as it would rest, and moves" };
  crReport(&reporter, cr_severityWarning, cr_ok, &complaint);
}

// Whether all contacts hold with the friction that they have.
static bool checkLimits(Stuck* s)
{
  crContacts* contacts = s->set.contacts;
  bool isHeld = true;
  for (int k = 0; k < contacts->contacts.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    contact->bristle.isHeld = false;
    double used =
        crBristle_FindUse(contacts->pairs.items[k].law, contact->load, contact->memory.lever, &contact->bristle);
    if (used > 1.0 && isHeld) {
      reportSliding(s, &contacts->pairs.items[k], used);
      isHeld = false;
    }
  }
  return isHeld;
}

// -------------------------------------------------------------------------------------------------- all

// States of the group's trees, to and from those of the run.
static void copyStates(const Stuck* s, bool isBack)
{
  for (int k = 0; k < s->set.treeCount; ++k) {
    const crTree* tree = &s->run->model->trees[s->trees[k]];
    double *there = s->run->state + tree->qStart, *here = s->kept + tree->qStart;
    memcpy(isBack ? there : here, isBack ? here : there, (size_t)crTreeStateCount(tree) * sizeof(double));
  }
}

static void keepStates(const Stuck* s)
{
  for (int k = 0; k < s->set.treeCount; ++k) {
    const crTree* tree = &s->run->model->trees[s->trees[k]];
    memcpy(s->run->state + tree->qStart, s->y + s->starts[s->trees[k]],
           (size_t)crTreeStateCount(tree) * sizeof(double));
  }
}

// Newton's method, with contacts found anew where it has moved to. *outWorst: what accelerates then, over gravity.
static crStatus settle(Stuck* s, double* outWorst)
{
  crRun* run = s->run;
  crStatus status = cr_ok;
  int changes = 1;
  *outWorst = 0.0;
  for (int i = 0; i < CR_MAX_RESOLVES && changes > 0 && status == cr_ok; ++i) {
    crInstance_SetState(run->instance, crModel_GetAllTrees(run->model), run->options.startTime, run->state);
    status = crInstance_ResolveContacts(run->instance, s->set);
    crContacts_GetEvents(s->set.contacts, &changes);
    status = status == cr_ok && changes > 0 ? describe(s) : status;
    if (status == cr_ok && changes > 0) {
      findSizes(s);
      crInstance_GetState(run->instance, s->set, s->y);
      crContacts_GetBristles(s->set.contacts, s->y + s->treeStates);
      status = iterate(s, outWorst);
      keepStates(s);
    }
  }
  return status;
}

// One group; where it is not held all stays as it was.
static crStatus holdGroup(Stuck* s, crContacts* held)
{
  crRun* run = s->run;
  double worst;
  copyStates(s, false);
  crStatus status = crCreateContacts(run->model, s->set, &run->allocator, &s->set.contacts);
  status = status == cr_ok ? settle(s, &worst) : status;
  bool falls = status == cr_retry || (status == cr_ok && !(worst <= CR_GOOD_ACCELERATION));
  bool isHeld = status == cr_ok && !falls && checkLimits(s);
  if (falls) {
    reportFalling(s);
    status = cr_ok;
  }
  if (!isHeld) {
    copyStates(s, true);
  }
  for (int k = 0; isHeld && status == cr_ok && k < s->set.contacts->pairs.count; ++k) {
    status = crContacts_AddPair(s->set.contacts, &s->set.contacts->pairs.items[k], held);
  }
  crDestroyContacts(s->set.contacts);
  s->set.contacts = NULL;
  return status;
}

crStatus crHoldAtRest(crRun* run, crContacts** outHeld)
{
  const crModel* model = run->model;
  const crAllocator* allocator = &run->allocator;
  size_t count = (size_t)model->size.treeCount + 1;
  *outHeld = NULL;
  Stuck s = { .run = run };
  crStepMatrix_Init(&s.matrix, allocator);
  s.trees = crAllocateZero(allocator, 3 * count, sizeof *s.trees);
  s.spins = crAllocateZero(allocator, count, sizeof *s.spins);
  s.kept = crAllocateZero(allocator, (size_t)run->stateCount + 1, sizeof *s.kept);
  crStatus status = s.trees != NULL && s.spins != NULL && s.kept != NULL ? cr_ok : cr_errorMemory;
  status = status == cr_ok ? crCreateContacts(model, run->set, allocator, outHeld) : status;
  int* labels = s.trees + 2 * count;
  if (status == cr_ok) {
    s.starts = s.trees + count;
    status = findGroups(&s, labels);
  }
  for (int t = 0; t < model->size.treeCount && status == cr_ok; ++t) {
    status = labels[t] == t && takeGroup(&s, labels, t) ? holdGroup(&s, *outHeld) : cr_ok;
  }
  status = status == cr_ok ? crContacts_SortPairs(*outHeld) : status;
  crFree(allocator, s.kept, ((size_t)run->stateCount + 1) * sizeof *s.kept);
  crStepMatrix_Free(&s.matrix);
  crFree(allocator, s.numbers, (size_t)s.numberCapacity * sizeof *s.numbers);
  crFree(allocator, s.indices, (size_t)s.indexCapacity * sizeof *s.indices);
  crFree(allocator, s.blocks, (size_t)s.blockCapacity * sizeof *s.blocks);
  crFree(allocator, s.spins, count * sizeof *s.spins);
  crFree(allocator, s.trees, 3 * count * sizeof *s.trees);
  return status;
}
