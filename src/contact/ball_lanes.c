// Lanes of balls: their memory, and which balls they have.
#include "contact/ball_lanes_inside.h"

#include <stdint.h>

#define CR_BALL_LINE 8 // doubles of a line of the cache

// ------------------------------------------------------------------------------------------------ making

bool crAreBalls(const crShapeTable* table, crTreeSet set)
{
  const crModel* model = table->model;
  bool are = !table->hasCompounds;
  for (int k = 0; k < set.treeCount && are; ++k) {
    int body = model->trees[set.trees[k]].bodyStart, shape = model->bodyShapes[body];
    are = model->areAlone[set.trees[k]] && model->areRound[set.trees[k]] && model->links[body].inverseRound > 0.0 &&
          model->bodyShapes[body + 1] == shape + 1 && table->facts[shape].isSphere && table->facts[shape].isCentred &&
          !table->facts[shape].hasSurfaceVelocity;
  }
  return are;
}

static crBallPlane findPlane(const crShapeTable* table, int shape)
{
  const crShape* plane = &table->model->shapes[shape];
  const crPose* X_WP = &table->poses[shape];
  crVec3 up = plane->isTurned ? crMulMV(X_WP->R, plane->R_FS.cz) : X_WP->R.cz;
  return (crBallPlane){ { up.x, up.y, up.z, 0.0 }, crDot(up, X_WP->p) + plane->sweep };
}

crStatus crCreateBallLanes(const crShapeTable* table, const crAllocator* allocator, crBallLanes** outLanes)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crBallLanes* lanes = crAllocateZero(&chosen, 1, sizeof *lanes);
  size_t count = (size_t)table->shapeCount + 1;
  *outLanes = lanes;
  if (lanes == NULL) {
    return cr_errorMemory;
  }
  lanes->allocator = chosen;
  lanes->table = table;
  lanes->rows = crAllocateZero(&chosen, count, sizeof *lanes->rows);
  lanes->planes = crAllocateZero(&chosen, count, sizeof *lanes->planes);
  lanes->still = crAllocateZero(&chosen, count, sizeof *lanes->still);
  bool hasPart = crBallLanes_SetCrew(lanes, NULL);
  if (lanes->rows == NULL || lanes->planes == NULL || lanes->still == NULL || !hasPart) {
    crDestroyBallLanes(lanes);
    *outLanes = NULL;
    return cr_errorMemory;
  }
  for (int i = 0; i < table->shapeCount; ++i) {
    lanes->rows[i] = -1;
    if (crIsBallPlane(table, i)) {
      lanes->planes[i] = findPlane(table, i);
    }
    if (table->facts[i].tree < 0) {
      lanes->still[lanes->stillCount++] = i;
    }
  }
  return cr_ok;
}

void crBallLists_Free(const crAllocator* allocator, crBallLists* lists)
{
  size_t room = (size_t)lists->room;
  double** all[CR_BALL_ARRAYS];
  crBallLists_List(lists, all);
  for (int i = 0; i < CR_BALL_ARRAYS; ++i) {
    crFree(allocator, *all[i], room * sizeof **all[i]);
  }
  crFree(allocator, lists->a, room * sizeof *lists->a);
  crFree(allocator, lists->b, room * sizeof *lists->b);
  crFree(allocator, lists->sums, room * CR_SUM_ARRAYS * sizeof *lists->sums);
  crFree(allocator, lists->starts, room * CR_POINT_ARRAYS * sizeof *lists->starts);
  crFree(allocator, lists->homes, room * sizeof *lists->homes);
  crFree(allocator, lists->points, room * CR_POINT_ARRAYS * sizeof *lists->points);
  *lists = (crBallLists){ 0 };
}

// Doubles for rows of forces and of a stage, the first at the start of a line of the cache.
static size_t countMemory(size_t room)
{
  return room * (CR_BALL_ROW + CR_STAGE_ROW) + CR_BALL_LINE;
}

void crDestroyBallLanes(crBallLanes* lanes)
{
  if (lanes == NULL) {
    return;
  }
  crAllocator allocator = lanes->allocator;
  size_t count = (size_t)lanes->table->shapeCount + 1, room = (size_t)lanes->room;
  crBallLanes_FreeParts(lanes);
  crBallLists_Free(&allocator, &lanes->pairs);
  crBallLists_Free(&allocator, &lanes->walls);
  crBallLists_Free(&allocator, &lanes->solids);
  crArray_Free(&lanes->fresh, &allocator);
  crArray_Free(&lanes->begun, &allocator);
  crArray_Free(&lanes->near, &allocator);
  crArray_Free(&lanes->close, &allocator);
  crFree(&allocator, lanes->bases, room * CR_BALL_WIDTH * sizeof *lanes->bases);
  crFree(&allocator, lanes->closeBases, room * CR_BALL_WIDTH * sizeof *lanes->closeBases);
  crArray_Free(&lanes->changes, &allocator);
  crArray_Free(&lanes->moves, &allocator);
  crFree(&allocator, lanes->reaches, room * CR_BALL_WIDTH * sizeof *lanes->reaches);
  crFree(&allocator, lanes->memory, countMemory(room) * sizeof *lanes->memory);
  crFree(&allocator, lanes->balls, room * sizeof *lanes->balls);
  crFree(&allocator, lanes->planes, count * sizeof *lanes->planes);
  crFree(&allocator, lanes->still, count * sizeof *lanes->still);
  crFree(&allocator, lanes->rows, count * sizeof *lanes->rows);
  crFree(&allocator, lanes, sizeof *lanes);
}

// As large as asked for, and empty.
static bool makeLists(const crAllocator* allocator, int room, crBallLists* out)
{
  double** all[CR_BALL_ARRAYS];
  size_t count = (size_t)room;
  bool isGood = true;
  *out = (crBallLists){ .room = room };
  crBallLists_List(out, all);
  for (int i = 0; i < CR_BALL_ARRAYS; ++i) {
    *all[i] = crAllocateZero(allocator, count, sizeof **all[i]);
    isGood = isGood && *all[i] != NULL;
  }
  out->a = crAllocateZero(allocator, count, sizeof *out->a);
  out->b = crAllocateZero(allocator, count, sizeof *out->b);
  out->sums = crAllocateZero(allocator, count * CR_SUM_ARRAYS, sizeof *out->sums);
  out->starts = crAllocateZero(allocator, count * CR_POINT_ARRAYS, sizeof *out->starts);
  out->homes = crAllocateZero(allocator, count, sizeof *out->homes);
  out->points = crAllocateZero(allocator, count * CR_POINT_ARRAYS, sizeof *out->points);
  return isGood && out->a != NULL && out->b != NULL && out->sums != NULL && out->starts != NULL && out->homes != NULL &&
         out->points != NULL;
}

// The first numbers of so many rows.
static void copyRows(double* to, int toRoom, const double* from, int fromRoom, int rowCount, size_t count)
{
  for (int k = 0; k < rowCount; ++k) {
    memcpy(to + (size_t)k * (size_t)toRoom, from + (size_t)k * (size_t)fromRoom, count * sizeof *to);
  }
}

bool crBallLists_Reserve(const crAllocator* allocator, crBallLists* lists, int count)
{
  crBallLists more;
  if (count + CR_BALL_WIDTH <= lists->room) {
    return true;
  }
  if (!makeLists(allocator, count + count / 2 + CR_BALL_WIDTH, &more)) {
    crBallLists_Free(allocator, &more);
    return false;
  }
  double **from[CR_BALL_ARRAYS], **to[CR_BALL_ARRAYS];
  size_t kept = (size_t)lists->count;
  crBallLists_List(lists, from);
  crBallLists_List(&more, to);
  for (int i = 0; i < CR_BALL_ARRAYS && kept > 0; ++i) {
    memcpy(*to[i], *from[i], kept * sizeof **to[i]);
  }
  if (kept > 0) {
    memcpy(more.a, lists->a, kept * sizeof *more.a);
    memcpy(more.b, lists->b, kept * sizeof *more.b);
    copyRows(more.sums, more.room, lists->sums, lists->room, CR_SUM_ARRAYS, kept);
    copyRows(more.starts, more.room, lists->starts, lists->room, CR_POINT_ARRAYS, kept);
    memcpy(more.homes, lists->homes, kept * sizeof *more.homes);
  }
  more.count = lists->count;
  more.kept = lists->kept;
  more.isUneven = lists->isUneven;
  crBallLists_Free(allocator, lists);
  *lists = more;
  return true;
}

// -------------------------------------------------------------------------------------------------- setting

double crBallLanes_GetRadius(const crBallLanes* lanes, int ball)
{
  return lanes->balls[ball].radius;
}

static bool reserveBalls(crBallLanes* lanes, int count)
{
  if (count <= lanes->room) {
    return true;
  }
  size_t room = (size_t)lanes->room, more = (size_t)count + (size_t)count / 2;
  crFree(&lanes->allocator, lanes->bases, room * CR_BALL_WIDTH * sizeof *lanes->bases);
  crFree(&lanes->allocator, lanes->closeBases, room * CR_BALL_WIDTH * sizeof *lanes->closeBases);
  crFree(&lanes->allocator, lanes->reaches, room * CR_BALL_WIDTH * sizeof *lanes->reaches);
  crFree(&lanes->allocator, lanes->memory, countMemory(room) * sizeof *lanes->memory);
  crFree(&lanes->allocator, lanes->balls, room * sizeof *lanes->balls);
  lanes->bases = crAllocateZero(&lanes->allocator, more * CR_BALL_WIDTH, sizeof *lanes->bases);
  lanes->closeBases = crAllocateZero(&lanes->allocator, more * CR_BALL_WIDTH, sizeof *lanes->closeBases);
  lanes->reaches = crAllocateZero(&lanes->allocator, more * CR_BALL_WIDTH, sizeof *lanes->reaches);
  lanes->memory = crAllocateZero(&lanes->allocator, countMemory(more), sizeof *lanes->memory);
  size_t over = (uintptr_t)lanes->memory / sizeof *lanes->memory % CR_BALL_LINE;
  lanes->forces = lanes->memory != NULL ? lanes->memory + (CR_BALL_LINE - over) % CR_BALL_LINE : NULL;
  lanes->stage = lanes->memory != NULL ? lanes->forces + more * CR_BALL_ROW : NULL;
  lanes->balls = crAllocateZero(&lanes->allocator, more, sizeof *lanes->balls);
  lanes->room = (int)more;
  return lanes->bases != NULL && lanes->closeBases != NULL && lanes->reaches != NULL && lanes->memory != NULL &&
         lanes->balls != NULL;
}

bool crBallLanes_SetBalls(crBallLanes* lanes, const crInstance* instance, crTreeSet set)
{
  const crModel* model = lanes->table->model;
  for (int i = 0; i < lanes->table->shapeCount; ++i) {
    lanes->rows[i] = -1;
  }
  lanes->count = set.treeCount;
  lanes->smallest = HUGE_VAL;
  lanes->nearStamp = lanes->closeStamp = -1;
  lanes->areShared = false;
  crBallLanes_Drop(lanes);
  if (!reserveBalls(lanes, set.treeCount)) {
    return false;
  }
  memset(lanes->forces, 0, (size_t)lanes->count * CR_BALL_ROW * sizeof *lanes->forces);
  for (int k = 0; k < set.treeCount; ++k) {
    int body = model->trees[set.trees[k]].bodyStart, shape = model->bodyShapes[body];
    const crLink* link = &model->links[body];
    lanes->rows[shape] = k;
    crVec3 g = crNeg(crFromLanes(instance->A0[body].v));
    lanes->balls[k] =
        (crBall){ { g.x, g.y, g.z, 0.0 }, link->inverseMass, link->inverseRound, model->shapes[shape].sweep, shape };
    lanes->smallest = lanes->balls[k].radius < lanes->smallest ? lanes->balls[k].radius : lanes->smallest;
  }
  return true;
}
