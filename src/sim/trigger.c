// When actions are due: at times, where signals cross levels, and when two objects have touched for a while.
//
// Signals and contacts are looked at between the clocks of islands, where all that there is can be read at any time: at
// both ends of that span and at a few times in between. A signal that crosses and comes back between two looks is not
// seen.
#include "base/report.h"
#include "sim/acting.h"

#include <stdio.h>

#define CR_LOOKS 4        // at times in each span, or more:
#define CR_SINE_LOOKS 16  // in each period of the fastest sine that one looks at: it can be far shorter than a step
#define CR_BISECTIONS 100 // at most: as many as a double has bits, and more

static const crActionDef* getAction(const crActing* acting, int action)
{
  return crModel_GetAction(acting->first, action);
}

// --------------------------------------------------------------------------------------------------- times

static double findDue(const crActionDef* def, const crTriggerMemory* memory)
{
  double first = crResolveZero(def->time);
  if (def->time == 0.0 || (def->period == 0.0 && memory->count > 0)) {
    return HUGE_VAL;
  }
  return first + (double)memory->count * def->period;
}

double crSimulation_FindDueTime(const crSimulation* simulation, int* outAction)
{
  const crActing* acting = simulation->acting;
  double first = HUGE_VAL;
  *outAction = -1;
  for (int i = 0; i < acting->actionCount; ++i) {
    double due = findDue(getAction(acting, i), &acting->memories[i]);
    if (due < first) {
      first = due;
      *outAction = i;
    }
  }
  return first;
}

// ------------------------------------------------------------------------------------------------- placing

// The instance at a time that all islands have been at.
static crStatus place(crSimulation* simulation, double t)
{
  crRun* run = &simulation->run;
  crStatus status = cr_ok;
  if (simulation->islands != NULL && !simulation->needsRestart) {
    status = crIslands_Read(simulation->islands, t, run->state, run->contacts);
    if (status == cr_ok) {
      crInstance_Project(run->instance, run->set, t, HUGE_VAL, run->state);
    }
  }
  status = status == cr_ok ? crSimulation_Place(simulation, t) : status;
  if (status == cr_ok && run->contacts != NULL) {
    crContacts_DropApart(run->contacts);
  }
  return status > 0 ? crSimulation_ReportPoint(simulation, t, "where a trigger looks") : status;
}

static bool isAbove(const crSimulation* simulation, const crActionDef* def)
{
  const crRun* run = &simulation->run;
  char name[CR_MAX_PATH + 16];
  snprintf(name, sizeof name, "%s.%s", def->signal, CR_SIGNAL_SUFFIX);
  return crInstance_GetVariable(run->instance, crModel_FindVariable(run->model, name)) >= def->level;
}

static bool isHeard(const crActionDef* def, bool isUp)
{
  return def->direction == cr_crossingBoth || isUp == (def->direction == cr_crossingUp);
}

// ------------------------------------------------------------------------------------------------- contacts

// What an object is fixed to now, by numbers of the first scene; -1: nothing.
static int findHolder(const crActing* acting, int object)
{
  const crScene* scene = acting->first->scene;
  const crChange* change = crSceneStructure_Find(&acting->structure, cr_elementObject, object);
  if (change != NULL) {
    return change->kind == cr_changeAttached ? change->other : -1;
  }
  const crObjectDef* def = &scene->objects.items[object].def;
  bool isFixed = def->parent != NULL && def->mobility == cr_mobilityRigid;
  return isFixed ? crScene_IndexOf(scene, cr_elementObject, crScene_Find(scene, def->parent)) : -1;
}

// Whether an object is another one or fixed to it.
static bool isPart(const crActing* acting, const char* path, const char* whole)
{
  const crScene* scene = acting->first->scene;
  int object = crScene_IndexOf(scene, cr_elementObject, crScene_Find(scene, path));
  int other = crScene_IndexOf(scene, cr_elementObject, crScene_Find(scene, whole));
  for (int i = 0; object >= 0 && object != other && i < scene->objects.count; ++i) {
    object = findHolder(acting, object);
  }
  return object == other;
}

// [s] When the oldest contact of two objects began; NaN: they do not touch.
static double findTouch(const crSimulation* simulation, const crActionDef* def)
{
  const crRun* run = &simulation->run;
  const crActing* acting = simulation->acting;
  double since = NAN;
  for (int i = 0; run->contacts != NULL && i < crContacts_Count(run->contacts); ++i) {
    crContactRecord record = crContacts_Get(run->contacts, i);
    const char* a = crModel_GetObjectPath(run->model, record.objectA);
    const char* b = crModel_GetObjectPath(run->model, record.objectB);
    bool isOne = isPart(acting, a, def->contact[0]) && isPart(acting, b, def->contact[1]);
    if (isOne || (isPart(acting, a, def->contact[1]) && isPart(acting, b, def->contact[0]))) {
      since = fmin(since, record.begin); // of a NaN and a number: the number
    }
  }
  return since;
}

// -------------------------------------------------------------------------------------------------- looking

// What triggers see at a time: whether signals are above, and since when objects touch.
static crStatus lookAt(crSimulation* simulation, double t, bool* outIsAbove)
{
  crActing* acting = simulation->acting;
  crStatus status = place(simulation, t);
  for (int i = 0; i < acting->actionCount && status == cr_ok; ++i) {
    const crActionDef* def = getAction(acting, i);
    outIsAbove[i] = crActionDef_GetTrigger(def) == cr_triggerSignal && isAbove(simulation, def);
  }
  return status;
}

// Narrows down where a signal changes its side, between two times of which the second is beyond.
static crStatus bisect(crSimulation* simulation, const crActionDef* def, bool wasAbove, double low, double* ioHigh)
{
  crStatus status = cr_ok;
  for (int i = 0; i < CR_BISECTIONS && status == cr_ok; ++i) {
    double middle = low + 0.5 * (*ioHigh - low);
    if (!(middle > low && middle < *ioHigh)) {
      return cr_ok;
    }
    status = place(simulation, middle);
    bool isBeyond = status == cr_ok && isAbove(simulation, def) != wasAbove;
    low = isBeyond ? low : middle;
    *ioHigh = isBeyond ? middle : *ioHigh;
  }
  return status;
}

// The first crossing of a signal from `low` to `high`, where it has changed its side. Crossings in a direction that
// nobody waits for are noted.
static crStatus findCrossing(crSimulation* simulation, int action, double low, double high, double* ioTime,
                             int* ioAction)
{
  crTriggerMemory* memory = &simulation->acting->memories[action];
  const crActionDef* def = getAction(simulation->acting, action);
  double t = high;
  crStatus status = low < high ? bisect(simulation, def, memory->isAbove, low, &t) : cr_ok;
  if (status == cr_ok && !isHeard(def, !memory->isAbove)) {
    memory->isAbove = !memory->isAbove;
  } else if (status == cr_ok && t < *ioTime) {
    *ioTime = t;
    *ioAction = action;
  }
  return status;
}

static crStatus lookAtSignals(crSimulation* simulation, double low, double high, double* ioTime, int* ioAction)
{
  crActing* acting = simulation->acting;
  bool* sides = crAllocateZero(&acting->allocator, (size_t)acting->actionCount, sizeof *sides);
  crStatus status = sides != NULL ? lookAt(simulation, high, sides) : cr_errorMemory;
  for (int i = 0; i < acting->actionCount && status == cr_ok; ++i) {
    bool isSignal = crActionDef_GetTrigger(getAction(acting, i)) == cr_triggerSignal;
    if (isSignal && sides[i] != acting->memories[i].isAbove) {
      status = findCrossing(simulation, i, low, high, ioTime, ioAction);
    }
  }
  crFree(&acting->allocator, sides, sides != NULL ? (size_t)acting->actionCount * sizeof *sides : 0);
  return status;
}

// The instance is at the end of the span, whose contacts hold all over it.
static void lookAtContacts(crSimulation* simulation, double start, double end, double* ioTime, int* ioAction)
{
  crActing* acting = simulation->acting;
  for (int i = 0; i < acting->actionCount; ++i) {
    const crActionDef* def = getAction(acting, i);
    crTriggerMemory* memory = &acting->memories[i];
    if (crActionDef_GetTrigger(def) != cr_triggerContact) {
      continue;
    }
    double since = findTouch(simulation, def);
    memory->hasFired = memory->hasFired && !isnan(since);
    memory->since = isnan(since) || isnan(memory->since) ? since : memory->since;
    double due = fmax(memory->since + def->duration, start);
    if (!isnan(since) && !memory->hasFired && due <= end && due < *ioTime) {
      *ioTime = due;
      *ioAction = i;
    }
  }
}

crStatus crSimulation_Look(crSimulation* simulation, double t, double* outTime, int* outAction)
{
  double start = simulation->acting->looked;
  *outTime = HUGE_VAL;
  *outAction = -1;
  crStatus status = lookAtSignals(simulation, start, start, outTime, outAction); // what has jumped there
  double low = start, looks = fmax(CR_LOOKS, ceil(CR_SINE_LOOKS * simulation->acting->frequency * (t - start)));
  for (double i = 1.0; i <= looks && status == cr_ok && *outAction < 0; i += 1.0) {
    double high = i == looks ? t : start + i / looks * (t - start);
    if (high > low) {
      status = lookAtSignals(simulation, low, high, outTime, outAction);
      low = high;
    }
  }
  status = status == cr_ok ? place(simulation, t) : status;
  if (status == cr_ok) {
    lookAtContacts(simulation, start, t, outTime, outAction);
  }
  return status;
}

// ------------------------------------------------------------------------------------------------ memories

void crSimulation_StartTriggers(crSimulation* simulation)
{
  crActing* acting = simulation->acting;
  acting->looked = simulation->time;
  for (int i = 0; i < acting->actionCount; ++i) {
    const crActionDef* def = getAction(acting, i);
    crTriggerMemory* memory = &acting->memories[i];
    memory->isAbove = crActionDef_GetTrigger(def) == cr_triggerSignal && isAbove(simulation, def);
    bool isPast = findDue(def, memory) < simulation->time;
    if (isPast) { // times before the start have gone
      memory->count =
          def->period > 0.0 ? (int64_t)ceil((simulation->time - crResolveZero(def->time)) / def->period) : 1;
    }
  }
}

void crSimulation_NoteDone(crSimulation* simulation, int action)
{
  crTriggerMemory* memory = &simulation->acting->memories[action];
  switch (crActionDef_GetTrigger(getAction(simulation->acting, action))) {
    case cr_triggerTime: ++memory->count; break;
    case cr_triggerSignal: memory->isAbove = !memory->isAbove; break;
    case cr_triggerContact: memory->hasFired = true; break;
    case cr_triggerCall: break;
  }
}
