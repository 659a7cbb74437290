// Work that threads share, part by part. Which thread does a part, and how many parts there are, is left to chance and
// to the machine: results must not depend on it, so that what is added up is added up in an order of its own.
#ifndef CR_BASE_CREW_H
#define CR_BASE_CREW_H

#include <stddef.h>

typedef void crCrewTask(void* context, int part);

typedef struct crCrew {
  int count; // >= 1, parts that work is cut into
  void* team;
  void (*run)(void* team, crCrewTask* task, void* context); // each part, and returns when all are done
} crCrew;

// NULL: there is one part, for the caller.
static inline int crCrew_Count(const crCrew* crew)
{
  return crew == NULL ? 1 : crew->count;
}

static inline void crCrew_Run(const crCrew* crew, crCrewTask* task, void* context)
{
  if (crew == NULL) {
    task(context, 0);
  } else {
    crew->run(crew->team, task, context);
  }
}

// Where a part of so many items begins, in steps of a unit; behind the last part: where all end.
static inline int crFindPart(int itemCount, int unit, int part, int partCount)
{
  long long units = ((long long)itemCount + unit - 1) / unit, first = units * part / partCount * unit;
  return first < itemCount ? (int)first : itemCount;
}

#endif
