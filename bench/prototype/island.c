// Islands, their clocks, and the cells in which balls look for neighbours.
#include "world.h"

#include <stdlib.h>

#define CELL 0.12     // [m] edge
#define GRID_BALLS 40 // from which on a grid pays

// Room for one more in an array that doubles.
static void* makeRoom(void* array, int count, int* capacity, size_t size)
{
  if (count < *capacity) {
    return array;
  }
  *capacity = *capacity > 0 ? 2 * *capacity : 2;
  void* larger = realloc(array, size * (size_t)*capacity);
  if (larger == NULL) {
    fprintf(stderr, "prototype: out of memory\n");
    exit(1);
  }
  return larger;
}

// ----------------------------------------------------------------------------------------------- islands

int createIsland(World* world)
{
  int id = world->freeCount > 0 ? world->freeIslands[--world->freeCount] : world->islandCount++;
  Island* island = &world->islands[id];
  island->ballCount = island->touchCount = 0;
  island->pending = pendingNone;
  island->partner = island->heapPlace = -1;
  island->isFirst = true;
  island->hasCollocation = false;
  island->lastError = 1e-4;
  return id;
}

void releaseIsland(World* world, int id)
{
  world->freeIslands[world->freeCount++] = id;
}

void addBall(World* world, int id, int ball)
{
  Island* island = &world->islands[id];
  island->balls = makeRoom(island->balls, island->ballCount, &island->ballCapacity, sizeof *island->balls);
  world->balls[ball].island = id;
  world->balls[ball].place = island->ballCount;
  island->balls[island->ballCount++] = ball;
}

void addTouch(Island* island, Touch touch)
{
  island->touches = makeRoom(island->touches, island->touchCount, &island->touchCapacity, sizeof *island->touches);
  island->touches[island->touchCount++] = touch;
}

bool isImplicit(const World* world, const Island* island)
{
  const Ball* ball = &world->balls[island->balls[0]];
  return !world->isGlobal && island->ballCount == 1 && ball->touches == 1 && ball->stiffCount >= STIFF_COUNT;
}

// ------------------------------------------------------------------------------------------------ clocks

// Equal clocks: the smaller number first, so that every run is the same.
static bool isEarlier(const World* world, int a, int b)
{
  double ta = world->islands[a].to, tb = world->islands[b].to;
  return ta < tb || (ta == tb && a < b);
}

static void putAt(World* world, int place, int id)
{
  world->heap[place] = id;
  world->islands[id].heapPlace = place;
}

static void moveUp(World* world, int place)
{
  int id = world->heap[place];
  while (place > 0 && isEarlier(world, id, world->heap[(place - 1) / 2])) {
    putAt(world, place, world->heap[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  putAt(world, place, id);
}

static void moveDown(World* world, int place)
{
  int id = world->heap[place];
  for (int child = 2 * place + 1; child < world->heapCount; child = 2 * place + 1) {
    if (child + 1 < world->heapCount && isEarlier(world, world->heap[child + 1], world->heap[child])) {
      child++;
    }
    if (!isEarlier(world, world->heap[child], id)) {
      break;
    }
    putAt(world, place, world->heap[child]);
    place = child;
  }
  putAt(world, place, id);
}

void moveClock(World* world, int id)
{
  moveUp(world, world->islands[id].heapPlace);
  moveDown(world, world->islands[id].heapPlace);
}

void insertClock(World* world, int id)
{
  putAt(world, world->heapCount++, id);
  moveUp(world, world->islands[id].heapPlace);
}

void removeClock(World* world, int id)
{
  int place = world->islands[id].heapPlace, last = world->heap[--world->heapCount];
  if (place != world->heapCount) {
    putAt(world, place, last);
    moveClock(world, last);
  }
  world->islands[id].heapPlace = -1;
}

// ------------------------------------------------------------------------------------------------- grid

void createGrid(World* world)
{
  world->usesGrid = !world->isGlobal && world->ballCount > GRID_BALLS;
  world->gridX = (int)(2 * world->halfX / CELL) + 1;
  world->gridY = (int)(2 * world->halfY / CELL) + 1;
  if (world->usesGrid) {
    world->cells = calloc((size_t)(world->gridX * world->gridY), sizeof *world->cells);
  }
}

static int clip(int value, int count)
{
  return value < 0 ? 0 : value >= count ? count - 1 : value;
}

static void findCells(const World* world, const Ball* ball, int cells[4])
{
  cells[0] = clip((int)((ball->low[0] - RADIUS + world->halfX) / CELL), world->gridX);
  cells[1] = clip((int)((ball->high[0] + RADIUS + world->halfX) / CELL), world->gridX);
  cells[2] = clip((int)((ball->low[1] - RADIUS + world->halfY) / CELL), world->gridY);
  cells[3] = clip((int)((ball->high[1] + RADIUS + world->halfY) / CELL), world->gridY);
}

static void leaveCell(Cell* cell, int ball)
{
  for (int i = 0; i < cell->count; i++) {
    if (cell->balls[i] == ball) {
      cell->balls[i] = cell->balls[--cell->count];
      return;
    }
  }
}

void placeInGrid(World* world, int ball)
{
  int now[4], *old = world->balls[ball].cells;
  if (!world->usesGrid) {
    return;
  }
  findCells(world, &world->balls[ball], now);
  if (memcmp(now, old, sizeof now) == 0) {
    return;
  }
  for (int y = old[2]; old[0] >= 0 && y <= old[3]; y++) {
    for (int x = old[0]; x <= old[1]; x++) {
      leaveCell(&world->cells[y * world->gridX + x], ball);
    }
  }
  memcpy(old, now, sizeof now);
  for (int y = now[2]; y <= now[3]; y++) {
    for (int x = now[0]; x <= now[1]; x++) {
      Cell* cell = &world->cells[y * world->gridX + x];
      cell->balls = makeRoom(cell->balls, cell->count, &cell->capacity, sizeof *cell->balls);
      cell->balls[cell->count++] = ball;
    }
  }
}

static void addCandidate(World* world, int ball, int island)
{
  if (world->stamps[ball] == world->stamp || world->balls[ball].island == island) {
    return;
  }
  world->stamps[ball] = world->stamp;
  world->candidates =
      makeRoom(world->candidates, world->candidateCount, &world->candidateCapacity, sizeof *world->candidates);
  world->candidates[world->candidateCount++] = ball;
}

void findNeighbours(World* world, int ball)
{
  int cells[4], island = world->balls[ball].island;
  world->candidateCount = 0;
  world->stamp++;
  if (!world->usesGrid) {
    for (int i = 0; i < world->ballCount; i++) {
      addCandidate(world, i, island);
    }
    return;
  }
  findCells(world, &world->balls[ball], cells);
  for (int y = cells[2]; y <= cells[3]; y++) {
    for (int x = cells[0]; x <= cells[1]; x++) {
      const Cell* cell = &world->cells[y * world->gridX + x];
      for (int i = 0; i < cell->count; i++) {
        addCandidate(world, cell->balls[i], island);
      }
    }
  }
}
