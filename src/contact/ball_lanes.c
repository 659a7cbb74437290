// Lanes of balls: their memory, and which balls they have.
#include "contact/ball_lanes_inside.h"

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
  if (lanes->rows == NULL || lanes->planes == NULL) {
    crDestroyBallLanes(lanes);
    *outLanes = NULL;
    return cr_errorMemory;
  }
  for (int i = 0; i < table->shapeCount; ++i) {
    lanes->rows[i] = -1;
    if (crIsBallPlane(table, i)) {
      lanes->planes[i] = findPlane(table, i);
    }
  }
  return cr_ok;
}

static void freeLists(const crAllocator* allocator, crBallLists* lists)
{
  size_t room = (size_t)lists->room;
  double* all[6] = { lists->k, lists->d, lists->sum, lists->diff, lists->muK, lists->vMin };
  for (int i = 0; i < 6; ++i) {
    crFree(allocator, all[i], room * sizeof *all[i]);
  }
  crFree(allocator, lists->a, room * sizeof *lists->a);
  crFree(allocator, lists->b, room * sizeof *lists->b);
  *lists = (crBallLists){ 0 };
}

void crDestroyBallLanes(crBallLanes* lanes)
{
  if (lanes == NULL) {
    return;
  }
  crAllocator allocator = lanes->allocator;
  size_t count = (size_t)lanes->table->shapeCount + 1, room = (size_t)lanes->room;
  freeLists(&allocator, &lanes->pairs);
  freeLists(&allocator, &lanes->walls);
  freeLists(&allocator, &lanes->solids);
  crArray_Free(&lanes->fresh, &allocator);
  crFree(&allocator, lanes->reaches, room * CR_BALL_WIDTH * sizeof *lanes->reaches);
  crFree(&allocator, lanes->forces, room * CR_BALL_ROW * sizeof *lanes->forces);
  crFree(&allocator, lanes->balls, room * sizeof *lanes->balls);
  crFree(&allocator, lanes->planes, count * sizeof *lanes->planes);
  crFree(&allocator, lanes->rows, count * sizeof *lanes->rows);
  crFree(&allocator, lanes, sizeof *lanes);
}

bool crBallLists_Reserve(const crAllocator* allocator, crBallLists* lists, int count)
{
  int room = count + count / 2 + CR_BALL_WIDTH;
  if (count + CR_BALL_WIDTH <= lists->room) {
    return true;
  }
  freeLists(allocator, lists);
  double** all[6] = { &lists->k, &lists->d, &lists->sum, &lists->diff, &lists->muK, &lists->vMin };
  bool isGood = true;
  lists->room = room;
  for (int i = 0; i < 6; ++i) {
    *all[i] = crAllocateZero(allocator, (size_t)room, sizeof **all[i]);
    isGood = isGood && *all[i] != NULL;
  }
  lists->a = crAllocateZero(allocator, (size_t)room, sizeof *lists->a);
  lists->b = crAllocateZero(allocator, (size_t)room, sizeof *lists->b);
  return isGood && lists->a != NULL && lists->b != NULL;
}

// -------------------------------------------------------------------------------------------------- setting

static bool reserveBalls(crBallLanes* lanes, int count)
{
  if (count <= lanes->room) {
    return true;
  }
  size_t room = (size_t)lanes->room, more = (size_t)count + (size_t)count / 2;
  crFree(&lanes->allocator, lanes->reaches, room * CR_BALL_WIDTH * sizeof *lanes->reaches);
  crFree(&lanes->allocator, lanes->forces, room * CR_BALL_ROW * sizeof *lanes->forces);
  crFree(&lanes->allocator, lanes->balls, room * sizeof *lanes->balls);
  lanes->reaches = crAllocateZero(&lanes->allocator, more * CR_BALL_WIDTH, sizeof *lanes->reaches);
  lanes->forces = crAllocateZero(&lanes->allocator, more * CR_BALL_ROW, sizeof *lanes->forces);
  lanes->balls = crAllocateZero(&lanes->allocator, more, sizeof *lanes->balls);
  lanes->room = (int)more;
  return lanes->reaches != NULL && lanes->forces != NULL && lanes->balls != NULL;
}

bool crBallLanes_SetBalls(crBallLanes* lanes, const crInstance* instance, crTreeSet set)
{
  const crModel* model = lanes->table->model;
  for (int i = 0; i < lanes->table->shapeCount; ++i) {
    lanes->rows[i] = -1;
  }
  lanes->count = set.treeCount;
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
  }
  return true;
}
