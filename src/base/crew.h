// Work that threads share, part by part. Which thread does a part, and how many parts there are, is left to chance and
// to the machine: results must not depend on it, so that what is added up is added up in an order of its own.
#ifndef CR_BASE_CREW_H
#define CR_BASE_CREW_H

#include <stddef.h>

typedef void crCrewTask(void* context, int part);

typedef struct crCrew {
  int count;      // >= 1, parts that work is cut into
  double* shares; // (count + 1) [-] of all items before each part, ascending from 0 to 1: who has set them last
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

// Where a part of so many items begins, in steps of a unit; behind the last part: where all end. Items of different
// works that belong together are in the same part, mostly: they are in the cache of the one who had them last.
static inline int crCrew_FindPart(const crCrew* crew, int itemCount, int unit, int part)
{
  if (crew == NULL) {
    return part == 0 ? 0 : itemCount;
  }
  long long units = ((long long)itemCount + unit - 1) / unit;
  long long first = (long long)(crew->shares[part] * (double)units + 0.5) * unit;
  return first < itemCount ? (int)first : itemCount;
}

// The same of items that belong to nobody, as many for each.
static inline int crCrew_FindEqualPart(const crCrew* crew, int itemCount, int part)
{
  return (int)((long long)itemCount * part / crCrew_Count(crew));
}

#endif
